"""The Acts of the Evangelists: following, its price, its order, and what each action gives a follower."""

from tests.conftest import Turnlog
from tests.evangelists_table import SET, Table, not_told_by, told_by


def tokens(table: Table) -> list[int]:
    """The tokens of all seats."""
    return [seat["tokens"] for seat in table.view()["seats"]]


# price and order --------------------------------------------------------------------------------------


def test_a_weak_action_is_followed_for_a_token(turnlog: Turnlog) -> None:
    """The token goes to the active seat, who may use it on the others' turns (ruling 2)."""
    table = Table(turnlog, 2)
    table.do("ada: travel appian")
    assert table.to_move() == ["bo"]
    table.play("bo: follow egnatia")
    assert tokens(table) == [1, 1]
    assert table.seat("bo")["space"] == "egnatia"
    table.do("ada: end", "bo: travel philippi")
    assert table.to_move() == ["ada"]
    table.play("ada: follow rome")
    assert tokens(table) == [0, 2]
    assert table.to_move() == ["bo"]


def test_a_strong_action_is_followed_free(turnlog: Turnlog) -> None:
    """No token changes hands, and one without tokens is asked."""
    table = Table(turnlog, 3)
    table.do("ada: end", "bo: travel rome strong")
    assert table.to_move() == ["cy"]
    table.play("cy: follow adria")
    assert table.to_move() == ["ada"]
    table.play("ada: follow melita")
    assert tokens(table) == [0, 1, 2]
    assert [seat["space"] for seat in table.view()["seats"]] == ["melita", "rome", "adria"]


def test_a_seat_without_tokens_is_not_asked_to_follow_a_weak_action(turnlog: Turnlog) -> None:
    """It cannot follow (ruling 8)."""
    table = Table(turnlog, 3)
    table.do("ada: end", "bo: travel egnatia")
    assert table.to_move() == ["cy"]
    table.play("cy: pass")
    assert table.to_move() == ["bo"]


def test_all_others_are_asked_once_clockwise(turnlog: Turnlog) -> None:
    """From the left of the active seat, each once for an action, who passes and who follows."""
    table = Table(turnlog, 5)
    table.do("ada: end", "bo: end", "cy: travel rome strong")
    for name in ("di", "ed", "ada", "bo"):
        assert table.to_move() == [name]
        table.play("pass")
    assert table.to_move() == ["cy"]
    table.do("cy: rearrange a to 3")
    for name in ("di", "ed", "bo"):
        assert table.to_move() == [name]
        table.play("follow a to 3" if name == "ed" else "pass")
    assert table.to_move() == ["cy"]
    assert tokens(table) == [0, 1, 2, 1, 1]


def test_the_active_seat_waits_for_followers(turnlog: Turnlog) -> None:
    """Until all have answered only the one asked may move."""
    table = Table(turnlog, 2)
    table.do("ada: travel appian")
    answer = turnlog("play", "g", "end", "--as", "ada", "--json")
    assert answer.code == 3
    assert "bo" in answer.error["message"]
    table.refused("bo: end", "follow", "pass")
    table.play("bo: pass")
    assert table.to_move() == ["ada"]


def test_nobody_follows_a_boat_or_a_follow(turnlog: Turnlog) -> None:
    """A boat sails without being followed (ruling 5), a follow is not followed (ruling 8)."""
    table = Table(turnlog, 3)
    table.do("ada: travel adria")
    table.play("bo: follow egnatia")
    assert table.to_move() == ["cy"]
    table.play("cy: pass")
    table.play("ada: boat corinth")
    assert table.to_move() == ["ada"]


# what a follower does ---------------------------------------------------------------------------------


def test_following_a_travel_goes_one_space(turnlog: Turnlog) -> None:
    """One line, not two, and not nowhere; other shapes of a follow are refused."""
    table = Table(turnlog, 2)
    table.do("ada: travel appian")
    assert table.moves("bo") == ["follow egnatia", "follow aegean", "pass"]
    table.refused("bo: follow adria", "one space", "egnatia")
    table.refused("bo: follow philippi", "one space")
    table.refused("bo: follow narnia", "no space")
    table.refused("bo: follow", "follow SPACE")
    table.refused("bo: follow aegean flip", "follow SPACE")
    assert tokens(table) == [0, 2]


def test_following_an_interview_gives_marks(turnlog: Turnlog) -> None:
    """Two for holding the witness's card and one a matching card; no card is taken (ruling 7)."""
    john = told_by("john")
    table = Table(
        turnlog, 2, cities={"ephesus": [*john[:2], *not_told_by("john")[:2]]}, places=("rome", "ephesus")
    )
    table.do("ada: end", "bo: interview", "bo: weak", "bo: tradition", f"bo: keep {john[0]}:a1 open {john[1]}")
    table.do("bo: end", "ada: travel ephesus strong", "ada: interview")
    assert table.to_move() == ["bo"]
    assert table.moves("bo") == ["follow", "pass"]
    table.refused("bo: follow a to 2", "`follow`")
    table.play("bo: follow")
    assert table.seat("bo")["marks"] == 2 + 1
    assert table.seat("bo")["interviews"] == ["john"]
    assert table.view()["interviews"]["john"] == 2
    assert tokens(table) == [1, 1]


def test_following_an_interview_with_matching_cards_alone(turnlog: Turnlog) -> None:
    """A mark a card for who does not hold the witness's card."""
    peter = told_by("peter")
    table = Table(turnlog, 2, cities={"philippi": [*peter[:3], not_told_by("peter")[0]]})
    table.do("ada: end", "bo: tradition", f"bo: keep {peter[0]}:a1 {peter[1]}:a2 open {peter[2]}", "bo: end")
    table.do("ada: interview", "ada: strong")
    assert table.to_move() == ["bo"]
    table.play("bo: follow")
    assert table.seat("bo")["marks"] == 2
    assert table.seat("bo")["interviews"] == []
    assert tokens(table) == [0, 2]


def test_an_interview_that_would_give_nothing_is_not_offered(turnlog: Turnlog) -> None:
    """No card of the witness and none of its traditions: not asked, nothing paid (ruling 8)."""
    table = Table(turnlog, 3)
    table.do("ada: interview", "ada: strong")
    assert table.to_move() == ["ada"]
    assert tokens(table) == [0, 1, 2]


def test_following_a_tradition_takes_the_copy(turnlog: Turnlog) -> None:
    """The copy of a card that was kept, into an empty slot; the card itself stays where it is."""
    table = Table(turnlog, 2)
    table.do("ada: tradition", "ada: keep t2:b1 open t3")
    assert table.to_move() == ["bo"]
    table.refused("bo: follow t3:a1", "t2", "t3")
    table.refused("bo: follow t2", "t2:a2")
    table.refused("bo: follow t2:d1", "no slot")
    table.refused("bo: follow t2:a1 t2:a2", "follow CARD:SLOT")
    table.play("bo: follow t2:c2")
    assert table.slots("ada")["b1"] == table.slots("bo")["c2"] == "t2"
    assert tokens(table) == [1, 1]


def test_a_copy_is_there_once_and_two_kept_cards_have_two(turnlog: Turnlog) -> None:
    """Strong: free for all; the second follower gets the other copy, the third finds none and is not asked."""
    table = Table(turnlog, 4, places=("rome", "philippi", "corinth", "ephesus"))
    table.do("ada: tradition", "ada: keep t1:a1 t2:a2 open t3")
    # corinth is three lines from rome, philippi four, ephesus five
    assert table.to_move() == ["cy"]
    table.play("cy: follow t1:a1")
    assert table.to_move() == ["bo"]
    table.refused("bo: follow t1:a1", "t2")
    table.play("bo: follow t2:a1")
    assert table.to_move() == ["ada"]
    assert tokens(table) == [0, 1, 1, 2]


def test_the_nearest_follows_a_tradition_first_then_clockwise(turnlog: Turnlog) -> None:
    """Distance from the active pawn decides; equally near ones go clockwise (ruling 8)."""
    table = Table(turnlog, 5, places=("cyrene", "damascus", "alexandria", "corinth", "rome"))
    first = SET.cities.index("cyrene") * 4 + 1
    table.do("ada: tradition", f"ada: keep t{first}:a1 t{first + 1}:a2 open t{first + 2}")
    # alexandria and corinth are two lines from cyrene, rome three, damascus farthest
    for name in ("cy", "di", "ed", "bo"):
        assert table.to_move() == [name]
        table.play("pass")
    assert table.to_move() == ["ada"]


def test_a_full_codex_cannot_follow_a_tradition(turnlog: Turnlog) -> None:
    """Who has no empty slot is not asked (ruling 8)."""
    table = Table(turnlog, 2, places=("corinth", "ephesus"))
    table.do("ada: tradition", "ada: keep t9:a1 t10:a2 open t11", "ada: end")
    table.do("bo: tradition", "bo: keep t13:a1 t14:a2 open t15", "ada: follow t13:b1", "bo: end")
    table.do("ada: tradition", "ada: keep t11:b2 t12:c1", "ada: end")
    table.do("bo: tradition", "bo: keep t15:b1 t16:b2")
    assert table.to_move() == ["ada"]
    table.play("ada: follow t15:c2")
    assert all(table.slots("ada").values())
    table.do("bo: end", "ada: leaf left", "bo: leaf left", "ada: end")
    assert table.view()["round"] == 3


def test_following_a_rearrangement_moves_or_flips_one_leaf(turnlog: Turnlog) -> None:
    """One weak rearrangement, that changes something, whether the action was weak or strong."""
    table = Table(turnlog, 2)
    table.do("ada: tradition", "ada: keep t1:a1 open t2")
    table.play("bo: follow t1:a1")
    table.do("ada: arrange c b a")
    assert table.to_move() == ["bo"]
    table.refused("bo: follow a to 1", "already")
    table.refused("bo: follow b flip", "changes nothing")
    table.refused("bo: follow a", "`to N`")
    table.refused("bo: follow", "follow LEAF to N")
    table.play("bo: follow a flip")
    assert (table.slots("bo")["a1"], table.slots("bo")["a2"]) == (None, "t1")
    assert tokens(table) == [1, 1]


def test_a_weak_rearrangement_costs_a_token_to_follow(turnlog: Turnlog) -> None:
    """`follow LEAF to N` puts the leaf at its place once it is lifted out."""
    table = Table(turnlog, 2)
    table.do("ada: rearrange c to 1")
    table.play("bo: follow a to 2")
    assert [leaf["name"] for leaf in table.seat("bo")["leaves"]] == ["b", "a", "c"]
    assert tokens(table) == [1, 1]


def test_each_action_of_a_turn_can_be_followed(turnlog: Turnlog) -> None:
    """At most once each; the tokens are what limits a follower."""
    table = Table(turnlog, 2)
    table.do("ada: travel appian")
    table.play("bo: follow egnatia")
    table.play("ada: rearrange a to 2")
    table.play("bo: follow a to 2")
    assert tokens(table) == [2, 0]
    table.do("ada: end", "bo: end")
    assert tokens(table) == [2, 0]
    table.play("ada: rearrange a to 1")
    assert table.to_move() == ["ada"]


def test_the_view_says_what_is_followed(turnlog: Turnlog) -> None:
    """Action, strength, cards that have a copy, and who is still to be asked."""
    table = Table(turnlog, 4)
    table.do("ada: tradition", "ada: keep t1:a1 t2:a2 open t3")
    following = table.view()["following"]
    assert (following["action"], following["strong"], following["cards"]) == ("tradition", True, ["t1", "t2"])
    assert following["waiting"] == ["bo", "di"]
    table.do("cy: follow t1:a1")
    assert table.view()["following"]["cards"] == ["t2"]


def test_alone_nobody_follows(turnlog: Turnlog) -> None:
    """The solitaire has no tokens and no copies (ruling 15)."""
    table = Table(turnlog, 1, places=("rome",))
    table.play("ada: travel corinth strong", "ada: rearrange a to 2", "ada: end")
    assert table.seat("ada")["tokens"] == 0
