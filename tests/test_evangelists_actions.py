"""The Acts of the Evangelists: the active seat's actions, weak and strong, and what refuses them."""

import pytest

from tests.conftest import Turnlog
from tests.evangelists_table import SET, Table, not_told_by, told_by

# travel and boats -------------------------------------------------------------------------------------


def test_weak_travel_goes_one_or_two_spaces(turnlog: Turnlog) -> None:
    """Cities and waypoints count alike; a third space, the own one and a name of nowhere are refused."""
    table = Table(turnlog, 2)
    weak = [move for move in table.moves() if move.startswith("travel ") and not move.endswith(" strong")]
    assert sorted(weak) == ["travel adria", "travel appian", "travel melita", "travel syrtis"]
    table.refused("ada: travel corinth", "3 spaces away")
    table.refused("ada: travel rome", "already")
    table.refused("ada: travel narnia", "no space")
    table.do("ada: travel adria")
    assert (table.seat("ada")["space"], table.seat("ada")["octagons"]) == ("adria", 2)


def test_strong_travel_goes_to_any_other_city(turnlog: Turnlog) -> None:
    """Two octagons; not to a waypoint, and not where the pawn is."""
    table = Table(turnlog, 2)
    table.refused("ada: travel adria strong", "waypoint")
    table.refused("ada: travel rome strong", "already")
    assert "travel damascus strong" in table.moves()
    table.do("ada: travel damascus strong")
    assert (table.seat("ada")["space"], table.seat("ada")["octagons"]) == ("damascus", 1)


def test_travel_is_once_a_turn_and_not_blocked(turnlog: Turnlog) -> None:
    """Another pawn is no obstacle (ruling 5); a second travel waits for the next turn."""
    table = Table(turnlog, 2)
    table.do("ada: travel philippi strong")
    assert table.seat("ada")["space"] == table.seat("bo")["space"] == "philippi"
    table.until("ada")
    table.refused("ada: travel egnatia", "once a turn")
    table.do("ada: end", "bo: end", "ada: travel egnatia")


def test_actions_that_cost_more_than_is_left_are_refused(turnlog: Turnlog) -> None:
    """Octagons are counted before everything else is done."""
    table = Table(turnlog, 2)
    table.do("ada: tradition", "ada: keep open t1", "ada: interview", "ada: weak")
    assert table.seat("ada")["octagons"] == 1
    table.refused("ada: travel corinth strong", "takes 2 octagons", "1 left")
    table.refused("ada: arrange c b a", "takes 2 octagons")
    table.do("ada: travel appian")
    table.refused("ada: rearrange a to 2", "takes 1 octagon")
    assert table.moves() == ["end"]


def test_no_new_order_is_offered_twice(turnlog: Turnlog) -> None:
    """With one leaf filled, exchanging it for the first and reversing all make the same order."""
    table = Table(turnlog, 2)
    table.do("ada: tradition", "ada: keep t1:c1 open t2")
    orders = [move for move in table.moves() if move.startswith("arrange ")]
    assert "arrange c~ b a" in orders
    assert len(set(orders)) == len(orders)


def test_a_boat_takes_the_pawn_along_once_a_turn(turnlog: Turnlog) -> None:
    """Free, one or two spaces along any line, only from a boat's space, not back to where it began."""
    table = Table(turnlog, 2)
    table.refused("ada: boat melita", "no boat lies at rome")
    table.do("ada: travel adria")
    table.refused("ada: boat adria", "already")
    table.refused("ada: boat cyprus", "farther")
    table.do("ada: boat philippi")
    seat = table.seat("ada")
    assert (seat["space"], seat["octagons"]) == ("philippi", 2)
    assert table.view()["map"]["boats"] == ["crete", "cyprus", "philippi"]
    assert table.to_move() == ["ada"]  # boats are not followed
    table.refused("ada: boat aegean", "once a turn")
    # the boat lies there for whoever comes by
    table.do("ada: end", "bo: boat corinth")
    assert table.view()["map"]["boats"] == ["corinth", "crete", "cyprus"]


def test_a_boat_that_is_met_goes_to_the_nearest_free_city(turnlog: Turnlog) -> None:
    """The mover chooses among equally near cities (ruling 5)."""
    table = Table(turnlog, 2)
    table.do("ada: travel adria")
    # crete lies one line from corinth, cyrene and alexandria
    assert {move for move in table.moves() if move.startswith("boat crete")} == {
        "boat crete bump corinth",
        "boat crete bump alexandria",
        "boat crete bump cyrene",
    }
    table.refused("ada: boat crete", "bump corinth", "bump cyrene")
    table.refused("ada: boat crete bump rome", "bump corinth")
    table.refused("ada: boat corinth bump rome", "none is bumped")
    table.do("ada: boat crete bump cyrene")
    assert table.view()["map"]["boats"] == ["crete", "cyprus", "cyrene"]
    assert table.seat("ada")["space"] == "crete"


def test_the_city_just_left_is_free_for_a_bumped_boat(turnlog: Turnlog) -> None:
    """A boat leaves corinth for crete: corinth is among the nearest cities without a boat again."""
    table = Table(turnlog, 2)
    table.do("ada: travel adria", "ada: boat corinth", "ada: end", "bo: end")
    assert "boat crete bump corinth" in table.moves()
    table.do("ada: boat crete bump corinth")
    assert table.view()["map"]["boats"] == ["corinth", "crete", "cyprus"]


@pytest.mark.parametrize("spelling", ["boat adria", "boat adria bump corinth"])
def test_one_nearest_city_need_not_be_named(turnlog: Turnlog, spelling: str) -> None:
    """Beside adria there is corinth alone; cities with a boat are passed over."""
    table = Table(turnlog, 2, places=("corinth", "ephesus"))
    table.do("ada: travel crete")
    assert "boat adria" in table.moves()
    table.refused("ada: boat adria bump rome", "bump corinth")
    table.do(f"ada: {spelling}")
    assert table.view()["map"]["boats"] == ["adria", "corinth", "cyprus"]
    table.do("ada: end", "bo: travel cyprus", "bo: boat crete", "bo: end", "ada: end")
    # a third boat comes to adria, and corinth, the nearest, has one: rome and philippi are two lines away
    table.refused("bo: boat adria bump corinth", "bump rome", "bump philippi")
    table.do("bo: boat adria bump rome")
    assert table.view()["map"]["boats"] == ["adria", "corinth", "rome"]


# traditions -------------------------------------------------------------------------------------------


def test_a_weak_tradition_keeps_one_card(turnlog: Turnlog) -> None:
    """One octagon to look; the card goes into its slot, one of the others lies open."""
    table = Table(turnlog, 2)
    table.do("ada: tradition")
    assert table.seat("ada")["octagons"] == 2
    assert table.view("ada")["looking"] == ["t1", "t2", "t3", "t4"]
    table.do("ada: keep t2:b1 open t4")
    assert table.slots("ada")["b1"] == "t2"
    view = table.view()
    assert (view["map"]["cards"]["rome"], view["map"]["open"]["rome"]) == (3, "t4")
    assert table.seat("ada")["octagons"] == 2


def test_a_second_card_costs_another_octagon(turnlog: Turnlog) -> None:
    """Two cards, two octagons; a third is refused, and so is a second one without an octagon."""
    table = Table(turnlog, 2)
    table.do("ada: tradition")
    table.refused("ada: keep t1:a1 t2:a2 t3:b1 open t4", "two cards")
    table.do("ada: keep t1:a2 t2:a1 open t3")
    assert table.seat("ada")["octagons"] == 1
    assert (table.slots("ada")["a1"], table.slots("ada")["a2"]) == ("t2", "t1")
    table.do("ada: end", "bo: end", "ada: interview", "ada: strong", "ada: tradition")
    table.refused("ada: keep t3:b1 t4:b2", "another octagon")
    table.do("ada: keep t3:b1")  # the one card that goes back lies open unasked
    assert table.view()["map"]["open"]["rome"] == "t4"


def test_what_is_kept_must_be_there_and_have_a_slot(turnlog: Turnlog) -> None:
    """Every way to misname a card or a slot has its own sentence."""
    table = Table(turnlog, 2)
    table.do("ada: tradition")
    table.refused("ada: keep t9:a1 open t1", "'t9'", "t1 t2 t3 t4")
    table.refused("ada: keep t1:d1 open t2", "no slot")
    table.refused("ada: keep t1 open t2", "t1:a2")
    table.refused("ada: keep t1:a1 t1:a2 open t2", "named twice")
    table.refused("ada: keep t1:a1 t2:a1 open t3", "named twice")
    table.refused("ada: keep t1:a1", "open t2")
    table.refused("ada: keep t1:a1 open t1", "go back")
    table.refused("ada: keep", "open t1")
    table.refused("ada: end", "say first what you keep")
    table.do("ada: keep t1:a1 open t2", "ada: end", "bo: end", "ada: tradition")
    table.refused("ada: keep t2:a1 open t3", "slot a1 holds t1")


def test_keeping_none(turnlog: Turnlog) -> None:
    """All go back, one of them open; nobody is asked to follow (ruling 3)."""
    table = Table(turnlog, 2)
    table.do("ada: tradition", "ada: keep open t3")
    assert table.to_move() == ["ada"]
    assert table.view()["map"]["open"]["rome"] == "t3"
    assert table.view()["map"]["cards"]["rome"] == 4


def test_an_open_card_is_closed_unless_it_is_named_again(turnlog: Turnlog) -> None:
    """One card lies open at most (ruling 4), and it can be kept."""
    table = Table(turnlog, 2)
    table.do("ada: tradition", "ada: keep open t3", "ada: end", "bo: end")
    table.do("ada: tradition", "ada: keep open t3", "ada: end", "bo: end")
    assert table.view()["map"]["open"]["rome"] == "t3"
    table.do("ada: tradition", "ada: keep open t4", "ada: end", "bo: end")
    assert table.view()["map"]["open"]["rome"] == "t4"
    table.do("ada: tradition", "ada: keep t4:a1 open t1")
    assert table.view()["map"]["open"]["rome"] == "t1"


def test_tradition_is_once_a_city_and_turn(turnlog: Turnlog) -> None:
    """A second city in the same turn may be looked in, a waypoint never."""
    table = Table(turnlog, 2, places=("alexandria", "rome"))
    first, second = SET.cities.index("alexandria") * 4 + 1, SET.cities.index("jerusalem") * 4 + 1
    table.do("ada: tradition", f"ada: keep open t{first}")
    table.refused("ada: tradition", "once a city a turn")
    table.do("ada: travel jerusalem", "ada: tradition", f"ada: keep open t{second}")
    assert table.view()["map"]["open"]["jerusalem"] == f"t{second}"
    table.do("ada: end", "bo: end", "ada: travel joppa")
    table.until("ada")
    table.refused("ada: tradition", "waypoint")
    table.refused("ada: interview", "waypoint")


def test_an_emptied_city_tells_nothing(turnlog: Turnlog) -> None:
    """Cities are not refilled (ruling 3); the last card leaves nothing to lie open."""
    table = Table(turnlog, 2)
    table.do("ada: tradition", "ada: keep t1:a1 t2:a2 open t3", "ada: end", "bo: end", "ada: tradition")
    table.refused("ada: keep t3:b1 t4:b2 open t1", "leave `open` out")
    table.do("ada: keep t3:b1 t4:b2", "ada: end", "bo: end", "ada: leaf right", "bo: leaf right")
    view = table.view()
    assert (view["map"]["cards"]["rome"], view["map"]["open"]["rome"]) == (0, None)
    table.refused("ada: tradition", "no tradition is left in rome")


def test_a_full_codex_may_look_and_keep_none(turnlog: Turnlog) -> None:
    """Two cards kept and four copies: with six slots full only keeping none is on offer (ruling 3)."""
    table = Table(turnlog, 3, first_player=["bo"])
    table.do("bo: tradition", "bo: keep t5:a1 t6:a2 open t7", "ada: follow t5:a1", "bo: end")
    table.do("cy: tradition", "cy: keep t9:a1 t10:a2 open t11", "ada: follow t9:a2", "cy: end")
    table.do("ada: tradition", "ada: keep t1:b1 t2:b2 open t3", "ada: end")
    table.do("bo: tradition", "bo: keep t7:b1 t8:b2", "ada: follow t7:c1", "bo: end")
    table.do("cy: tradition", "cy: keep t11:b1 t12:b2", "ada: follow t11:c2", "cy: end", "ada: tradition")
    assert all(table.slots("ada").values())
    assert table.moves() == ["keep open t3", "keep open t4"]
    table.refused("ada: keep t3:a1 open t4", "slot a1 holds t5", "empty: none")
    table.do("ada: keep open t4")
    assert table.seat("ada")["octagons"] == 2


def test_a_full_codex_of_three_leaves(turnlog: Turnlog) -> None:
    """With two seats the fourth tradition finds no slot before leaves are added."""
    table = Table(turnlog, 2, places=("corinth", "ephesus"))
    table.do("ada: tradition", "ada: keep t9:a1 t10:a2 open t11")
    table.do("bo: follow t9:a1", "ada: end", "bo: tradition", "bo: keep t13:a2 t14:b1 open t15")
    table.do("ada: follow t13:b1", "bo: end", "ada: tradition", "ada: keep t11:b2 t12:c1", "bo: follow t11:b2")
    table.do("ada: interview", "ada: end")
    assert [slot for slot, card in table.slots("ada").items() if card is None] == ["c2"]
    table.do("bo: tradition", "bo: keep t15:c1 t16:c2")
    table.do("ada: follow t15:c2")
    assert all(table.slots("ada").values())
    assert all(table.slots("bo").values())
    table.do("bo: end", "ada: leaf left", "bo: leaf left")
    assert len(table.slots("ada")) == 8


# interviews -------------------------------------------------------------------------------------------


def _with_three_of_peter(turnlog: Turnlog, bag: list[str]) -> Table:
    """ada is in rome with three cards of peter, three octagons and a turn of her own."""
    peter = told_by("peter")
    table = Table(turnlog, 2, cities={"rome": [*peter[:3], not_told_by("peter")[0]]}, bag=bag)
    table.do("ada: tradition", f"ada: keep {peter[0]}:a1 {peter[1]}:a2 open {peter[2]}", "ada: end")
    table.do("bo: end", "ada: tradition", f"ada: keep {peter[2]}:b1", "ada: interview")
    return table


@pytest.mark.parametrize(
    ("cube", "strength", "marks"),
    [("white", "strong", 15), ("black", "strong", 9), ("white", "weak", 9), ("black", "weak", 6)],
)
def test_marks_by_cube_and_strength(turnlog: Turnlog, cube: str, strength: str, marks: int) -> None:
    """Three matching cards: 15, 9, 9 and 6 tally marks."""
    table = _with_three_of_peter(turnlog, [cube])
    assert table.view()["map"]["discs"]["peter"] == cube
    assert table.moves() == ["weak", "strong"]
    table.refused("ada: end", "how strong")
    table.do(f"ada: {strength}")
    assert table.seat("ada")["marks"] == marks
    assert table.seat("ada")["interviews"] == ["peter"]
    assert table.seat("ada")["octagons"] == (0 if strength == "strong" else 1)


def test_with_one_octagon_an_interview_is_weak_at_once(turnlog: Turnlog) -> None:
    """Nothing is asked where nothing can be chosen (ruling 6)."""
    table = Table(turnlog, 2, bag=["white"])
    table.do("ada: tradition", "ada: keep t3:a1 t4:a2 open t1", "ada: interview")
    count = sum("peter" in SET.traditions[card].witnesses for card in ("t3", "t4"))
    table.until("ada")
    assert table.seat("ada")["marks"] == 3 * count
    assert table.moves() == ["end"]


def test_an_interview_without_a_matching_card_is_allowed(turnlog: Turnlog) -> None:
    """It gives no marks, but the card (ruling 6)."""
    table = Table(turnlog, 2)
    table.do("ada: interview", "ada: strong")
    assert (table.seat("ada")["marks"], table.seat("ada")["interviews"]) == (0, ["peter"])
    assert table.view()["interviews"]["peter"] == 3


def test_a_witness_is_interviewed_once_a_game(turnlog: Turnlog) -> None:
    """Whose card is held, and not only in this turn."""
    table = Table(turnlog, 2)
    table.do("ada: interview", "ada: weak")
    table.refused("ada: interview", "once a game")
    table.do("ada: end", "bo: end")
    table.refused("ada: interview", "once a game")


def test_a_cube_that_lies_there_is_not_drawn_again(turnlog: Turnlog) -> None:
    """The second visitor of a round finds the first one's cube; a black one stays for good."""
    table = Table(turnlog, 2, bag=["black", "white"])
    table.do("ada: interview", "ada: weak", "ada: end")
    table.do("bo: travel rome strong", "bo: interview")
    assert table.view()["map"]["discs"]["peter"] == "black"
    table.do("bo: end", "ada: travel philippi strong", "ada: interview")
    assert table.view()["map"]["discs"] == {
        **dict.fromkeys(SET.witnesses),
        "peter": "black",
        "joanna": "white",
    }


def test_interview_cards_run_out(turnlog: Turnlog) -> None:
    """Four cards a witness: the fifth visitor comes too late."""
    table = Table(turnlog, 5)
    table.do("ada: interview", "ada: weak", "ada: end")
    for name in ("bo", "cy", "di"):
        table.do(f"{name}: travel rome strong", f"{name}: interview", f"{name}: end")
    assert table.view()["interviews"]["peter"] == 0
    table.do("ed: travel rome strong")
    table.until("ed")
    table.refused("ed: interview", "no interview card of peter is left")


# rearranging ------------------------------------------------------------------------------------------


def test_one_leaf_is_moved_or_flipped(turnlog: Turnlog) -> None:
    """`to N` is the place once the leaf is lifted out; slots are named as the leaf lies now."""
    table = Table(turnlog, 2)
    table.do("ada: tradition", "ada: keep t1:a1 open t2", "ada: rearrange a to 3")
    assert list(table.slots("ada")) == ["b1", "b2", "c1", "c2", "a1", "a2"]
    table.do("ada: end", "bo: end", "ada: rearrange a flip")
    assert (table.slots("ada")["a1"], table.slots("ada")["a2"]) == (None, "t1")
    assert table.seat("ada")["octagons"] == 2
    table.until("ada")
    table.refused("ada: rearrange a flip", "once a turn")
    table.refused("ada: arrange a b c", "once a turn")
    table.do("ada: end", "bo: end", "ada: leaf right", "bo: leaf right", "ada: rearrange c to 1")
    assert list(table.slots("ada"))[::2] == ["c1", "b1", "a1", "d1"]


def test_a_whole_new_order(turnlog: Turnlog) -> None:
    """`arrange` names all leaves, `~` flips; two octagons."""
    table = Table(turnlog, 2)
    table.do("ada: tradition", "ada: keep t1:a1 open t2", "ada: arrange c a~ b")
    assert list(table.slots("ada").items()) == [
        ("c1", None),
        ("c2", None),
        ("a1", None),
        ("a2", "t1"),
        ("b1", None),
        ("b2", None),
    ]
    assert table.seat("ada")["octagons"] == 0


def test_a_rearrangement_changes_something(turnlog: Turnlog) -> None:
    """The same place, an empty leaf flipped, the same order: refused, nothing paid (ruling 9)."""
    table = Table(turnlog, 2)
    table.refused("ada: rearrange a to 1", "already")
    table.refused("ada: rearrange a flip", "changes nothing")
    table.refused("ada: arrange a b c", "changes something")
    table.refused("ada: arrange a~ b c", "changes something")
    table.refused("ada: rearrange a to 4", "1 to 3")
    table.refused("ada: rearrange d to 1", "no leaf")
    table.refused("ada: rearrange a", "`to N`")
    table.refused("ada: rearrange a to 2 flip", "`to N`")
    table.refused("ada: arrange a b", "each of your leaves once")
    table.refused("ada: arrange a b b", "each of your leaves once")
    assert table.seat("ada")["octagons"] == 3


def test_a_turn_ends_by_end_alone(turnlog: Turnlog) -> None:
    """With no octagon left the turn still waits for `end`."""
    table = Table(turnlog, 2)
    table.do("ada: tradition", "ada: keep t1:a1 t2:a2 open t3", "ada: travel appian")
    table.until("ada")
    assert table.moves() == ["end"]
    table.play("end")
    assert table.to_move() == ["bo"]
