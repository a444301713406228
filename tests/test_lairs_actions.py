"""A turn: the first turn, refreshing, the actions, what they cost and how cubes are paid."""

import pytest

from tests.conftest import Turnlog
from tests.lairs_tables import (
    begun,
    built,
    cubes,
    fact,
    facts,
    moves,
    refused,
    travel,
    turns,
)

# the first turn, refreshing ---------------------------------------------------------------------------


def test_the_first_turn_begins_in_the_start(turnlog: Turnlog) -> None:
    """Rulebook: "You start in A1. There is a wall to the east": Known, with its walls (ruling 15)."""
    built(turnlog)
    assert turnlog.view("g")["known"]["lucia"] == []
    answer = turnlog.play("g", "first lucia")
    learned = fact(answer, "space-learned")
    assert (learned["space"], learned["walls"], learned["feature"]) == ("A1", "new", "start")
    view = turnlog.view("g")
    assert view["at"] == {"lucia": "A1", "bo": None}
    assert view["known"] == {"lucia": ["A1"], "bo": []}
    assert view["maps"]["lucia"].splitlines()[1] == "|S|? ? ? ? ?|"
    assert view["round"] == 1
    assert cubes(turnlog) == ("wwwwqp", "", "", "")
    assert cubes(turnlog, "bo") == ("", "", "wwwwqp", "")


def test_the_refresh_moves_spent_to_fresh_and_fatigued_to_spent(turnlog: Turnlog) -> None:
    """Rulebook: three Spent basic to Fresh, Fatigued perception and basic to Spent, conserved quickness stays."""
    begun(turnlog)
    turnlog.play("g", "creep s", "creep e", "fatigue perception s:white")
    turnlog.play("g", "creep w", "creep n pay white", "conserve quickness", "end")
    # what was Spent before the refresh is Fresh, what was Fatigued is Spent
    assert cubes(turnlog) == ("www", "q", "wp", "")
    turnlog.play("g", "end", "end")
    assert cubes(turnlog) == ("wwwwp", "q", "", "")


def test_seats_take_turns_and_a_round_is_both(turnlog: Turnlog) -> None:
    begun(turnlog)
    assert turnlog.play("g", "end")["to_move"] == ["bo"]
    assert turnlog.view("g")["round"] == 1
    assert turnlog.play("g", "end")["to_move"] == ["lucia"]
    assert turnlog.view("g")["round"] == 2


def test_a_turn_goes_on_without_cubes_until_it_is_ended(turnlog: Turnlog) -> None:
    """Ruling 7."""
    begun(turnlog)
    turnlog.play("g", *["creep s", "creep n"] * 3)
    assert cubes(turnlog)[0] == ""
    assert moves(turnlog) == ["end"]
    assert "a creep costs any cube, and you can pay 0" in refused(turnlog, "creep s")


def test_a_refusal_names_only_what_can_be_done(turnlog: Turnlog) -> None:
    """No chest, exit or hazard is here, so that `open`, `exit`, `fight` and `disarm` are not named."""
    begun(turnlog)
    said = refused(turnlog, "step s")
    assert said == "'step' cannot be done now; what can: creep, hustle, peer, conserve, end"


# creep ------------------------------------------------------------------------------------------------


def test_a_creep_into_an_unknown_space_learns_about_it(turnlog: Turnlog) -> None:
    """Rulebook: creeping east into E4: a wall to the east and a Greased Pit, which strikes."""
    begun(turnlog)
    travel(turnlog, "lucia", "ssees")
    turns(turnlog, 2)
    turnlog.play("g", "creep s")
    answer = turnlog.play("g", "creep e")
    learned = fact(answer, "space-learned")
    assert (learned["space"], learned["walls"], learned["feature"]) == ("E4", "e", "trap")
    assert facts(answer)[:4] == ["cubes-spent", "space-learned", "moved", "struck"]


def test_learning_tells_walls_and_feature(turnlog: Turnlog) -> None:
    """Rulebook: B2 has walls to the north and east, and a Monster."""
    begun(turnlog)
    answer = turnlog.play("g", "creep s", "creep e")
    learned = fact(answer, "space-learned")
    assert (learned["space"], learned["walls"], learned["feature"]) == ("B2", "ne", "monster")
    assert turnlog.view("g")["maps"]["lucia"].splitlines()[:4] == [
        "+-+-+-+-+-+-+",
        "|S|? ? ? ? ?|",
        "+ +-+ + + + +",
        "|  M|? ? ? ?|",
    ]


def test_a_creep_into_a_known_space_learns_nothing(turnlog: Turnlog) -> None:
    begun(turnlog)
    answer = turnlog.play("g", "creep s", "creep n")
    assert facts(answer) == ["cubes-spent", "moved"]


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("creep e", "a wall is east of A1"),
        ("creep n", "the outer wall is north of A1"),
        ("creep x", "'x' is no direction"),
        ("hustle e", "a wall is east of A1"),
        ("peer w", "the outer wall is west of A1"),
    ],
)
def test_walls_bar_the_way(turnlog: Turnlog, move: str, says: str) -> None:
    begun(turnlog)
    assert says in refused(turnlog, move)


# hustle -----------------------------------------------------------------------------------------------


def test_a_hustle_moves_three_times_and_ends_at_a_chest(turnlog: Turnlog) -> None:
    """Rulebook: any two cubes; south into C3, south into D3, both empty, east into a Chest."""
    begun(turnlog)
    travel(turnlog, "lucia", "sseen")
    turns(turnlog, 2)
    answer = turnlog.play("g", "hustle s pay white+white")
    assert facts(answer) == ["cubes-spent", "hustle-began", "moved"]
    assert turnlog.view("g")["steps"] == 2
    assert turnlog.play("g", "step s")["to_move"] == ["lucia"]
    answer = turnlog.play("g", "step e")
    assert facts(answer) == ["space-learned", "moved"]
    assert turnlog.view("g")["at"]["lucia"] == "D4"
    assert "open" in moves(turnlog)
    assert cubes(turnlog) == ("wwqp", "", "ww", "")


def test_entering_what_is_not_empty_ends_a_hustle(turnlog: Turnlog) -> None:
    """The remaining moves are lost: at a Monster after two, at the Start after one."""
    begun(turnlog)
    answer = turnlog.play("g", "hustle s", "step e")
    assert facts(answer) == ["space-learned", "moved", "hustle-ended", "struck", "penalty-due"]
    turnlog.play("g", "fatigue white s:quickness")
    turnlog.play("g", "creep w")
    answer = turnlog.play("g", "hustle n pay white+white")
    assert facts(answer)[-1] == "hustle-ended"
    assert "'step' cannot be done now" in refused(turnlog, "step s")


def test_a_hustle_may_stop_early(turnlog: Turnlog) -> None:
    begun(turnlog)
    turnlog.play("g", "hustle s")
    assert moves(turnlog) == ["step n", "step e", "step s", "stop"]
    assert "a wall is" not in refused(turnlog, "end")
    turnlog.play("g", "stop")
    assert turnlog.view("g")["steps"] == 0
    assert "creep s" in moves(turnlog)


def test_a_hustle_costs_two_cubes_or_quickness(turnlog: Turnlog) -> None:
    begun(turnlog)
    turnlog.play("g", "hustle s", "stop")
    assert cubes(turnlog) == ("wwwwp", "", "q", "")
    turnlog.play("g", "hustle s", "stop")
    assert cubes(turnlog) == ("wwp", "", "wwq", "")
    assert "costs any two cubes or one quickness cube, not white" in refused(turnlog, "hustle n pay white")
    turnlog.play("g", "hustle n", "stop")
    assert cubes(turnlog) == ("p", "", "wwwwq", "")
    assert "you can pay 1" in refused(turnlog, "hustle n")


# backtrack --------------------------------------------------------------------------------------------


def test_a_backtrack_goes_through_known_empty_spaces(turnlog: Turnlog) -> None:
    """Rulebook: to any Known space that Known Empty ones lead to, for one Quickness cube."""
    begun(turnlog)
    travel(turnlog, "lucia", "sseen")
    turns(turnlog, 2)
    assert [m.split()[1] for m in moves(turnlog, "backtrack")] == ["A1", "B1", "C1", "C2", "C3"]
    answer = turnlog.play("g", "backtrack B1")
    assert facts(answer) == ["cubes-spent", "moved"]
    assert cubes(turnlog) == ("wwwwp", "", "q", "")
    turnlog.play("g", "backtrack c3")
    assert cubes(turnlog) == ("wwp", "", "wwq", "")


def test_any_feature_interrupts_a_backtrack(turnlog: Turnlog) -> None:
    """Even the Start and the Exit: they can be its end and not be passed (ruling 2)."""
    begun(turnlog)
    travel(turnlog, "lucia", "ssessw")  # over C2 and D2 to the Exit E2 and on to E1
    assert turnlog.view("g")["at"]["lucia"] == "E1"
    turns(turnlog, 2)
    assert [m.split()[1] for m in moves(turnlog, "backtrack")] == ["E2"]
    assert "no way leads from E1 to D2 through Known Empty spaces" in refused(turnlog, "backtrack D2")
    turnlog.play("g", "backtrack E2")
    assert "A1" in [m.split()[1] for m in moves(turnlog, "backtrack")]


def test_where_a_backtrack_cannot_go(turnlog: Turnlog) -> None:
    begun(turnlog)
    assert "C1 is Unknown" in refused(turnlog, "backtrack C1")
    assert "you are in A1 already" in refused(turnlog, "backtrack A1")
    assert "'G7' is no space" in refused(turnlog, "backtrack G7")


def test_a_backtrack_into_a_known_hazard_demands_a_check(turnlog: Turnlog) -> None:
    """Ruling 2: the Feature at its end is met as when creeping into a Known space."""
    begun(turnlog)
    turnlog.play("g", "creep s", "creep e", "fatigue s:white s:white", "creep w")
    turnlog.play("g", "creep s")
    answer = turnlog.play("g", "backtrack B2")
    assert facts(answer) == ["cubes-spent", "moved", "check-due"]


# peer -------------------------------------------------------------------------------------------------


def test_peering_at_a_dead_end_and_staying(turnlog: Turnlog) -> None:
    """Rulebook: peer west for any two cubes: walls north, south and west, nothing else; the move is left out."""
    begun(turnlog)
    travel(turnlog, "lucia", "ssess")
    turns(turnlog, 2)
    assert turnlog.view("g")["at"]["lucia"] == "E2"
    answer = turnlog.play("g", "peer w pay white+white")
    learned = fact(answer, "space-learned")
    assert (learned["space"], learned["walls"], learned["feature"]) == ("E1", "nsw", "")
    assert moves(turnlog) == ["enter", "stay"]
    turnlog.play("g", "stay")
    assert turnlog.view("g")["at"]["lucia"] == "E2"
    assert "E1" in turnlog.view("g")["known"]["lucia"]
    assert cubes(turnlog) == ("wwqp", "", "ww", "")
    assert "E1 is Known already" in refused(turnlog, "peer w")


def test_peering_and_moving_in_for_free(turnlog: Turnlog) -> None:
    begun(turnlog)
    turnlog.play("g", "peer s")
    assert cubes(turnlog) == ("wwwwq", "", "p", "")
    answer = turnlog.play("g", "enter")
    assert facts(answer) == ["moved"]
    assert cubes(turnlog) == ("wwwwq", "", "p", "")


def test_entering_a_hazard_after_a_peer_is_entering_a_known_one(turnlog: Turnlog) -> None:
    """It does not strike; a check is due at once (ruling 6)."""
    begun(turnlog)
    turnlog.play("g", "creep s", "peer e")
    answer = turnlog.play("g", "enter")
    assert facts(answer) == ["moved", "check-due"]
    assert "'creep' cannot be done now" in refused(turnlog, "creep w")
    assert "'end' cannot be done now" in refused(turnlog, "end")


# cubes ------------------------------------------------------------------------------------------------


def test_a_conserved_cube_pays_twice_for_a_peer(turnlog: Turnlog) -> None:
    """Rulebook: Perception alone, or a conserved basic cube spent into Fresh and once more (ruling 4)."""
    begun(turnlog)
    turnlog.play("g", "conserve white", "end")
    assert cubes(turnlog) == ("wwwqp", "w", "", "")
    answer = turnlog.play("g", "peer s pay white+c:white")
    assert fact(answer, "cubes-spent")["cubes"] == ["c:white", "white"]
    assert cubes(turnlog) == ("wwwqp", "", "w", "")


def test_conserving_ends_the_turn_and_saves_cubes(turnlog: Turnlog) -> None:
    """Rulebook: two Fresh cubes left over are conserved, which ends the turn."""
    begun(turnlog)
    turnlog.play("g", "hustle s", "stop", "hustle n", "creep s")
    assert cubes(turnlog) == ("wp", "", "wwwq", "")
    answer = turnlog.play("g", "conserve perception white")
    assert answer["to_move"] == ["bo"]
    assert cubes(turnlog) == ("", "wp", "wwwq", "")
    turnlog.play("g", "end")
    assert cubes(turnlog) == ("wwwq", "wp", "", "")


def test_three_slots_can_be_filled(turnlog: Turnlog) -> None:
    """Ruling 3: conserving fills free slots only."""
    begun(turnlog)
    assert "at most 3 cubes" in refused(turnlog, "conserve white white white white")
    turnlog.play("g", "conserve white white", "end")
    assert "1 of the 3 slots is free" in refused(turnlog, "conserve white white")
    turnlog.play("g", "conserve quickness", "end")
    assert moves(turnlog, "conserve") == []
    assert "0 of the 3 slots are free" in refused(turnlog, "conserve white")
    assert cubes(turnlog) == ("wwp", "wwq", "", "")


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("conserve", "name 1 to 3 Fresh cubes"),
        ("conserve blue", "only Fresh cubes are conserved"),
        ("conserve quickness quickness", "only Fresh cubes are conserved; yours are white"),
        ("creep s pay s:white", "'s:white' is no cube to pay with"),
        ("creep s pay c:white", "not have so many conserved white cubes"),
        ("creep s pay white+white", "a creep costs any cube, not white+white"),
        ("creep s pay quickness+quickness", "not have so many Fresh quickness"),
        ("creep s pay +", "'' is no cube to pay with"),
        ("peer s pay quickness", "any two cubes or one perception cube, not quickness"),
        ("creep s pay " + "+".join(["white"] * 13), "13 cubes are more than can ever be paid"),
    ],
)
def test_cubes_that_cannot_be_named(turnlog: Turnlog, move: str, says: str) -> None:
    begun(turnlog)
    assert says in refused(turnlog, move)


@pytest.mark.parametrize(
    ("conserved", "move", "paid"),
    [
        ("white", "creep s", ["white"]),
        ("white white white", "hustle s", ["quickness"]),
        ("quickness", "hustle s", ["c:quickness"]),
        ("perception", "peer s", ["c:perception"]),
        ("quickness", "peer s", ["perception"]),
    ],
)
def test_unnamed_cubes_are_paid_in_order(turnlog: Turnlog, conserved: str, move: str, paid: list[str]) -> None:
    """The attribute cube if it saves one, Fresh before conserved; then Fresh white."""
    begun(turnlog)
    turnlog.play("g", f"conserve {conserved}", "end")
    assert fact(turnlog.play("g", move), "cubes-spent")["cubes"] == paid


def test_the_whole_order_of_payment(turnlog: Turnlog) -> None:
    """Fresh white, conserved white (and again), quickness, perception, then conserved ones."""
    begun(turnlog)
    turnlog.play("g", "conserve white white", "end")
    turnlog.play("g", "conserve perception", "end")
    assert cubes(turnlog) == ("wwq", "wwp", "", "")
    paid = [fact(turnlog.play("g", f"creep {way}"), "cubes-spent")["cubes"][0] for way in "snsnsnsns"]
    expected = [
        "white",
        "white",
        "c:white",
        "white",
        "c:white",
        "white",
        "quickness",
        "c:perception",
        "perception",
    ]
    assert paid == expected
    assert cubes(turnlog) == ("", "", "wwwwqp", "")


def test_moves_may_be_typed_in_capitals(turnlog: Turnlog) -> None:
    begun(turnlog)
    turnlog.play("g", "CREEP S pay WHITE")
    assert turnlog.view("g")["at"]["lucia"] == "B1"
