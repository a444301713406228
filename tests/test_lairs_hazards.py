"""Monsters and Traps: strikes, checks, penalties with their choices, damage that lasts."""

import pytest

from tests.conftest import Turnlog
from tests.lairs_tables import begun, cubes, fact, facts, moves, refused, travel, turns


def at_the_blob(turnlog: Turnlog, *dice: list[int]) -> None:
    """lucia has crept into B2, been struck and paid with her two Spent cubes: four Fresh are left."""
    begun(turnlog, dice=list(dice))
    turnlog.play("g", "creep s", "creep e")
    turnlog.play("g", "fatigue s:white s:white")


def at_the_pit(turnlog: Turnlog, *dice: list[int]) -> None:
    """lucia stands in D2 with six Fresh cubes, and knows the Trap in D1 by a peer."""
    begun(turnlog, dice=list(dice))
    travel(turnlog, "lucia", "sses")
    turnlog.play("g", "peer w", "stay")
    turns(turnlog, 2)


# strikes ----------------------------------------------------------------------------------------------


def test_an_unknown_blob_strikes_at_once(turnlog: Turnlog) -> None:
    """Rulebook: creep into an Unknown space with a Blob: it strikes, two cubes of choice are fatigued."""
    begun(turnlog)
    turnlog.play("g", "creep s")
    answer = turnlog.play("g", "creep e")
    assert facts(answer) == ["cubes-spent", "space-learned", "moved", "struck", "penalty-due"]
    assert turnlog.view("g")["penalty"] == {"act": "fatigue", "count": 2, "of": "any"}
    assert set(moves(turnlog)) == {
        "fatigue white white",
        "fatigue white quickness",
        "fatigue white perception",
        "fatigue white s:white",
        "fatigue quickness perception",
        "fatigue quickness s:white",
        "fatigue perception s:white",
        "fatigue s:white s:white",
    }
    turnlog.play("g", "fatigue s:white white")
    assert cubes(turnlog) == ("wqp", "", "w", "ww")


@pytest.mark.parametrize(
    "move", ["fatigue", "fatigue white", "fatigue white white white", "fatigue c:white white", "fatigue x y"]
)
def test_a_penalty_takes_as_many_cubes_as_it_says(turnlog: Turnlog, move: str) -> None:
    begun(turnlog)
    turnlog.play("g", "creep s", "creep e")
    assert "the penalty is to fatigue 2 cubes" in refused(turnlog, move)


def test_beside_a_blob_one_fights_leaves_or_ends(turnlog: Turnlog) -> None:
    """Rulebook, and ruling 7: neither conserve nor stay, but every action that moves away."""
    at_the_blob(turnlog)
    verbs = {move.split()[0] for move in moves(turnlog)}
    assert verbs == {"fight", "creep", "hustle", "peer", "backtrack", "end"}
    assert "you cannot conserve in a space with a Hungry Blob: fight it" in refused(turnlog, "conserve white")
    turnlog.play("g", "creep w")
    assert turnlog.view("g")["at"]["lucia"] == "B1"


def test_peering_beside_a_hazard_must_move_in(turnlog: Turnlog) -> None:
    at_the_blob(turnlog)
    turnlog.play("g", "peer s")
    assert moves(turnlog) == ["enter"]
    assert "you cannot stay in a space with a Hungry Blob" in refused(turnlog, "stay")
    turnlog.play("g", "enter")
    assert turnlog.view("g")["at"]["lucia"] == "C2"


def test_a_hazard_may_be_left_and_faced_later(turnlog: Turnlog) -> None:
    """A turn may end beside it; nothing happens to who stays there, and the fight is a choice (ruling 6)."""
    at_the_blob(turnlog)
    turns(turnlog, 2)
    assert turnlog.view("g")["at"]["lucia"] == "B2"
    assert cubes(turnlog) == ("wwqp", "", "ww", "")
    assert "fight" in moves(turnlog)
    assert "end" in moves(turnlog)


def test_a_known_blob_does_not_strike_and_must_be_fought(turnlog: Turnlog) -> None:
    """Ruling 6: one check at once, with no die if so chosen; nothing else before it."""
    at_the_blob(turnlog, [1])
    turnlog.play("g", "creep w")
    answer = turnlog.play("g", "creep e")
    assert facts(answer) == ["cubes-spent", "moved", "check-due"]
    assert moves(turnlog) == ["fight", "fight dice 1", "fight dice 2"]
    answer = turnlog.play("g", "fight")
    assert facts(answer)[:2] == ["dice-rolled", "struck"]
    assert fact(answer, "dice-rolled")["dice"] == []
    turnlog.play("g", moves(turnlog)[0])
    assert "end" in moves(turnlog)  # it still stands, and that was the one check


# fights -----------------------------------------------------------------------------------------------


def test_a_failed_fight_strikes_and_wounds_the_blob(turnlog: Turnlog) -> None:
    """Rulebook and case table: Target 6, a roll of 4 fails and strikes; a later roll of 2 succeeds."""
    at_the_blob(turnlog, [1, 3], [2])
    assert turnlog.view("g")["targets"] == {"lucia": {"B2": 6}, "bo": {}}
    answer = turnlog.play("g", "fight dice 2")
    assert facts(answer) == ["cubes-spent", "dice-rolled", "monster-hurt", "struck", "penalty-due"]
    assert fact(answer, "monster-hurt")["target"] == 2
    turnlog.play("g", "fatigue s:white s:white")
    assert turnlog.view("g")["targets"]["lucia"] == {"B2": 2}
    turns(turnlog, 2)
    answer = turnlog.play("g", "fight dice 1")
    assert facts(answer) == ["cubes-spent", "dice-rolled", "monster-defeated"]
    view = turnlog.view("g")
    assert view["targets"]["lucia"] == {}
    assert view["achievements"]["lucia"] == {"chests": 0, "monsters": 1, "traps": 0}
    assert view["maps"]["lucia"].splitlines()[3] == "|   |? ? ? ?|"


def test_a_won_fight_defeats_the_blob(turnlog: Turnlog) -> None:
    """Rulebook: a roll of 7 against 6; the space is Empty from then on."""
    at_the_blob(turnlog, [4, 2, 1])
    answer = turnlog.play("g", "fight dice 3")
    assert facts(answer) == ["cubes-spent", "dice-rolled", "monster-defeated"]
    assert cubes(turnlog)[0] == "p"
    turnlog.play("g", "creep w")
    turns(turnlog, 2)
    answer = turnlog.play("g", "hustle e pay white+white")
    assert turnlog.view("g")["phase"] == "step"  # Empty: the Hustle goes on


def test_rolling_exactly_the_target_succeeds(turnlog: Turnlog) -> None:
    at_the_blob(turnlog, [4, 2])
    assert "monster-defeated" in facts(turnlog.play("g", "fight dice 2"))


def test_no_die_at_all_is_a_failed_check(turnlog: Turnlog) -> None:
    """No dice are drawn, the Target stays."""
    at_the_blob(turnlog, [4])
    answer = turnlog.play("g", "fight")
    assert facts(answer) == ["dice-rolled", "struck", "penalty-due"]
    turnlog.play("g", moves(turnlog)[0])
    assert turnlog.view("g")["targets"]["lucia"] == {"B2": 6}
    answer = turnlog.play("g", "fight dice 1")
    assert fact(answer, "dice-rolled")["dice"] == [4]  # the first roll of dice there was


def test_more_dice_than_there_are(turnlog: Turnlog) -> None:
    """Four and more dice are bought at a cube each; a stacked roll that is too short goes on by chance."""
    begun(turnlog, dice=[[1, 1, 1]])
    turnlog.play("g", "conserve white white white", "end")
    turnlog.play("g", "creep s pay white", "creep e pay perception")
    turnlog.play("g", "fatigue s:white s:perception")
    assert moves(turnlog, "fight")[-1] == "fight dice 7"
    answer = turnlog.play("g", "fight dice 7")
    dice = fact(answer, "dice-rolled")["dice"]
    assert len(dice) == 7
    assert dice[:3] == [1, 1, 1]
    assert set(dice) <= {1, 2, 3, 4}
    assert fact(answer, "cubes-spent")["cubes"][:3] == ["c:white", "c:white", "c:white"]
    assert cubes(turnlog)[0] == cubes(turnlog)[1] == ""


def test_the_cubes_for_dice_can_be_named(turnlog: Turnlog) -> None:
    at_the_blob(turnlog, [1, 1], [1])
    assert "2 cubes are named for 3 dice" in refused(turnlog, "fight dice 3 pay white+perception")
    assert "2 cubes are named for 1 die:" in refused(turnlog, "fight dice 1 pay white+perception")
    assert "1 cube is named for 2 dice" in refused(turnlog, "fight dice 2 pay white")
    assert "you can buy 4 dice, not 5" in refused(turnlog, "fight dice 5")
    answer = turnlog.play("g", "fight pay quickness+perception")
    assert fact(answer, "cubes-spent")["cubes"] == ["quickness", "perception"]
    assert len(fact(answer, "dice-rolled")["dice"]) == 2
    turnlog.play("g", "fatigue s:quickness s:perception")
    turnlog.play("g", "fight dice 1 pay white")


def test_stacked_dice_that_are_none_are_refused_at_the_check(turnlog: Turnlog) -> None:
    at_the_blob(turnlog, [6], [1, 1])
    seq = turnlog.json("show", "g")["seq"]
    answer = turnlog("play", "g", "fight dice 1")
    assert answer.code == 3
    assert "'dice' does not fit" in answer.err
    assert turnlog.json("show", "g")["seq"] == seq


def test_there_is_nothing_to_fight_or_disarm_elsewhere(turnlog: Turnlog) -> None:
    begun(turnlog)
    assert "no Monster is in A1 to fight" in refused(turnlog, "fight")
    assert "no Trap is in A1 to disarm" in refused(turnlog, "disarm dice 1")


# traps ------------------------------------------------------------------------------------------------


def test_a_failed_disarming_fatigues_two_fresh_cubes(turnlog: Turnlog) -> None:
    """Rulebook and case table: dice 1 and 2 against 5 fail; two Fresh cubes are fatigued, the Trap is gone."""
    at_the_pit(turnlog, [1, 2])
    turnlog.play("g", "creep w")
    assert moves(turnlog, "disarm")[0] == "disarm"
    answer = turnlog.play("g", "disarm dice 2")
    assert facts(answer) == ["cubes-spent", "dice-rolled", "struck", "trap-sprung", "penalty-due"]
    assert "s:white" not in " ".join(moves(turnlog))
    turnlog.play("g", "fatigue quickness perception")
    assert cubes(turnlog) == ("w", "", "www", "qp")
    view = turnlog.view("g")
    assert view["achievements"]["lucia"]["traps"] == 0
    assert view["targets"]["lucia"] == {}
    assert view["maps"]["lucia"].splitlines()[7].startswith("|    ")


def test_a_trap_is_disarmed(turnlog: Turnlog) -> None:
    """Rulebook: three dice with a total of 8 against 5."""
    at_the_pit(turnlog, [4, 3, 1])
    turnlog.play("g", "creep w")
    answer = turnlog.play("g", "disarm dice 3")
    assert facts(answer) == ["cubes-spent", "dice-rolled", "trap-disarmed"]
    assert turnlog.view("g")["achievements"]["lucia"]["traps"] == 1
    assert "conserve quickness" in moves(turnlog)  # the space is Empty


def test_an_unknown_pit_strikes_and_stays(turnlog: Turnlog) -> None:
    """After the strike it may be disarmed, or left."""
    begun(turnlog, dice=[[4, 1]])
    travel(turnlog, "lucia", "sses")
    answer = turnlog.play("g", "creep w")
    # two Fresh cubes were left after five creeps of six: one
    assert facts(answer)[:4] == ["cubes-spent", "space-learned", "moved", "struck"]
    turnlog.play("g", moves(turnlog)[0])
    assert turnlog.view("g")["targets"]["lucia"] == {"D1": 5}
    turns(turnlog, 2)
    assert "trap-disarmed" in facts(turnlog.play("g", "disarm dice 2"))


# penalties --------------------------------------------------------------------------------------------


def test_one_fresh_cube_left_when_the_pit_strikes(turnlog: Turnlog) -> None:
    """Rulebook and case table: it and one other cube of choice are fatigued."""
    begun(turnlog)
    travel(turnlog, "lucia", "sses")
    turnlog.play("g", "creep w")
    assert cubes(turnlog) == ("p", "", "wwwwq", "")
    assert moves(turnlog) == ["fatigue perception s:white", "fatigue perception s:quickness"]
    turnlog.play("g", "fatigue s:quickness perception")
    assert cubes(turnlog) == ("", "", "wwww", "qp")


def test_conserved_cubes_count_as_fresh_for_a_penalty(turnlog: Turnlog) -> None:
    begun(turnlog)
    travel(turnlog, "lucia", "sses")
    turnlog.play("g", "conserve quickness perception", "end")
    turnlog.play("g", "creep w")
    assert cubes(turnlog) == ("www", "qp", "w", "")
    assert "fatigue white c:quickness" in moves(turnlog)
    assert "fatigue white s:white" not in moves(turnlog)
    turnlog.play("g", "fatigue c:quickness c:perception")
    assert cubes(turnlog) == ("www", "", "w", "qp")


def test_a_penalty_without_a_choice_is_carried_out(turnlog: Turnlog) -> None:
    """Two cubes alike are left that can be taken: nobody is asked (ruling 8)."""
    at_the_blob(turnlog)
    turnlog.play("g", "fight", "fatigue quickness perception")
    assert cubes(turnlog) == ("ww", "", "", "wwqp")
    answer = turnlog.play("g", "fight")
    assert facts(answer) == ["dice-rolled", "struck", "cubes-fatigued"]
    assert cubes(turnlog) == ("", "", "", "wwwwqp")


def test_with_no_cube_left_a_penalty_is_void(turnlog: Turnlog) -> None:
    at_the_blob(turnlog)
    turnlog.play("g", "fight", "fatigue quickness perception", "fight")
    assert facts(turnlog.play("g", "fight")) == ["dice-rolled", "struck", "penalty-void"]
    assert moves(turnlog) == ["fight", "end"]
    turns(turnlog, 2)
    assert cubes(turnlog) == ("", "", "wwwwqp", "")


def test_one_cube_left_is_all_that_two_can_take(turnlog: Turnlog) -> None:
    at_the_blob(turnlog, [1])
    turnlog.play("g", "fight", "fatigue quickness perception")
    turnlog.play("g", "creep w")
    turnlog.play("g", "creep e")
    answer = turnlog.play("g", "fight")
    assert facts(answer) == ["dice-rolled", "struck", "cubes-fatigued"]
    assert cubes(turnlog) == ("", "", "", "wwwwqp")
