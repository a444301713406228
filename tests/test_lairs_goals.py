"""Chests, Treasures, the Exit, the end of the game, scoring."""

from typing import Any

import pytest

from tests.conftest import Turnlog
from tests.lairs_tables import (
    CHESTS,
    EVERYTHING,
    MONSTERS,
    TWO_OF_EACH,
    begun,
    cubes,
    fact,
    facts,
    moves,
    refused,
    travel,
    turns,
)

#: The display, what the first chest gives, and what comes after.
DECK = ["scroll-of-harmony", "moon-shard", "sun-shard", "tranquil-goblet", "clouded-orb", "brimming-horn"]
WINS = [[4, 4]] * 6


# chests -----------------------------------------------------------------------------------------------


def at_a_chest(turnlog: Turnlog, deck: list[str] = DECK) -> None:
    """lucia stands on the chest A3, with no cube spent this turn."""
    begun(turnlog, treasure_deck=[deck])
    travel(turnlog, "lucia", "sseenn")
    turns(turnlog, 2)


def test_opening_draws_then_takes_from_the_display(turnlog: Turnlog) -> None:
    """Rulebook: the deck gives the Tranquil Goblet, the Scroll of Harmony is claimed, the gap is refilled."""
    at_a_chest(turnlog)
    assert turnlog.view("g")["display"] == DECK[:3]
    before = cubes(turnlog)
    answer = turnlog.play("g", "open")
    assert facts(answer) == ["chest-opened", "treasure-drawn"]
    assert moves(turnlog) == [f"take {slug}" for slug in DECK[:3]]
    assert "'creep' cannot be done now" in refused(turnlog, "creep s")
    answer = turnlog.play("g", "take scroll-of-harmony")
    assert facts(answer) == ["treasure-taken", "display-refilled"]
    view = turnlog.view("g", "lucia")
    assert view["collection"] == ["tranquil-goblet", "scroll-of-harmony"]
    assert view["display"] == ["clouded-orb", "moon-shard", "sun-shard"]
    assert view["deck"] == 17
    assert view["achievements"]["lucia"]["chests"] == 1
    assert cubes(turnlog) == before  # free
    assert view["scores"]["lucia"] == 1 + 3 + 2  # the Goblet is a Harmony item


def test_what_is_not_in_the_display_cannot_be_taken(turnlog: Turnlog) -> None:
    at_a_chest(turnlog)
    turnlog.play("g", "open")
    assert "'clouded-orb' is not in the display" in refused(turnlog, "take clouded-orb")


def test_a_chest_may_be_left_closed_and_opened_later(turnlog: Turnlog) -> None:
    """Ruling 10: on a later visit, or later while standing there."""
    at_a_chest(turnlog)
    turnlog.play("g", "creep s")
    assert "no closed Chest is in B3" in refused(turnlog, "open")
    turnlog.play("g", "creep n")
    turns(turnlog, 2)
    turnlog.play("g", "open", "take moon-shard")
    assert "no closed Chest is in A3" in refused(turnlog, "open")


def test_an_opened_chest_is_empty(turnlog: Turnlog) -> None:
    at_a_chest(turnlog)
    turnlog.play("g", "open", "take moon-shard")
    assert turnlog.view("g")["maps"]["lucia"].splitlines()[1][5] == " "
    turnlog.play("g", "creep s", "hustle n pay white+white")
    assert turnlog.view("g")["phase"] == "step"


@pytest.mark.parametrize(
    ("deck", "ways", "points"),
    [
        (["moon-shard", "x", "y", "sun-shard"], "sseennO", 3 + 3),
        (["moon-shard", "sun-shard", "y", "ember-shard"], "sseennOesssO", 3 + 3 + 3 + 4),
        (["laughing-chalice", "x", "y", "tranquil-goblet"], "sseennO", 3 + 3),
        (["scroll-of-harmony", "x", "y", "tranquil-goblet"], "sseennO", 1 + 5),
        (["weeping-statue", "x", "y", "clouded-orb"], "sseennO", 3 + 4),
        (["book-of-beasts", "x", "y", "clouded-orb"], "seFsennO", 3 + 4),
        (["book-of-small-springs", "x", "y", "clouded-orb"], "sseswDenennO", 3 + 4),
        (["amulet-of-homecoming", "x", "y", "clouded-orb"], "sseennO", 2 + 4),
    ],
    ids=["once", "once for two", "type", "keyword", "chest", "monster", "trap", "exit not yet"],
)
def test_every_kind_of_bonus(turnlog: Turnlog, deck: list[str], ways: str, points: int) -> None:
    """A collection's worth as its owner sees it, without points for Monsters."""
    fillers = iter(["crown-of-plenty", "dancing-faun", "clouded-orb"])
    whole = [next(f for f in fillers if f not in deck) if slug in "xy" else slug for slug in deck]
    whole += [slug for slug in ("stone-sentinel", "clouded-orb") if slug not in whole]
    begun(turnlog, treasure_deck=[whole], dice=WINS)
    travel(turnlog, "lucia", ways)
    assert turnlog.view("g", "lucia")["scores"]["lucia"] == points


# the exit ---------------------------------------------------------------------------------------------


def test_nobody_exits_without_achievements(turnlog: Turnlog) -> None:
    begun(turnlog)
    travel(turnlog, "lucia", "ssess")
    assert moves(turnlog, "exit") == []
    assert "3 opened Chests, or 3 defeated Monsters, or 2 of each; you have 0 and 0" in refused(turnlog, "exit")
    turnlog.play("g", "creep n")
    assert "the Exit is not in D2" in refused(turnlog, "exit")


@pytest.mark.parametrize("ways", [CHESTS, TWO_OF_EACH, MONSTERS], ids=["chests", "two of each", "monsters"])
def test_what_lets_out(turnlog: Turnlog, ways: str) -> None:
    """Rulebook: three Chests, three Monsters, or two of each; one may also go on exploring."""
    begun(turnlog, dice=WINS)
    travel(turnlog, "lucia", ways)
    assert turnlog.view("g")["at"]["lucia"] == "E2"
    assert {"exit", "end"} <= set(moves(turnlog))
    answer = turnlog.play("g", "exit")
    assert facts(answer)[:2] == ["exited", "turn-ended"]
    assert answer["to_move"] == ["bo"]
    assert turnlog.view("g")["exits"] == ["lucia"]


def test_two_chests_and_one_monster_do_not_let_out(turnlog: Turnlog) -> None:
    begun(turnlog, dice=WINS)
    travel(turnlog, "lucia", "seFsennOesssOwws")
    assert "you have 2 and 1" in refused(turnlog, "exit")


# the end ----------------------------------------------------------------------------------------------


def test_the_other_seat_has_one_full_turn_after_an_exit(turnlog: Turnlog) -> None:
    """Ruling 11: then the game ends; a seat that has exited takes no more turns."""
    begun(turnlog, dice=WINS)
    travel(turnlog, "lucia", MONSTERS)
    turnlog.play("g", "exit")
    assert fact(last(turnlog), "turn-began")["last"] is True
    turnlog.play("g", "creep s", "creep n")
    assert cubes(turnlog, "bo")[0] == "wwqp"
    answer = turnlog.play("g", "end")
    assert answer["result"] == {"winners": ["lucia"], "scores": {"lucia": 10, "bo": 0}, "reason": "most points"}
    assert turnlog("play", "g", "creep s").code == 3


def last(turnlog: Turnlog) -> Any:
    """The last event, in the shape of an answer."""
    return {"events": [turnlog.ok("log", "g", "--json").lines[-1]]}


def test_the_scoring_example_gives_22(turnlog: Turnlog) -> None:
    """Rulebook and case table: Goblet 1, Scroll 5, Shards 3 and 3, two face down, three Monsters, second out."""
    begun(turnlog, treasure_deck=[DECK], dice=WINS)
    travel(turnlog, "bo", EVERYTHING)
    travel(turnlog, "lucia", CHESTS)
    turnlog.play("g", "lucia: exit")
    answer = turnlog.play("g", "bo: exit")
    assert facts(answer) == ["exited", "turn-ended", "keep-due"]
    assert answer["to_move"] == ["lucia", "bo"]
    held = turnlog.view("g", "bo")["collection"]
    four = ["tranquil-goblet", "scroll-of-harmony", "moon-shard", "sun-shard"]
    assert len(held) == 6
    assert set(four) < set(held)
    assert len(moves_of(turnlog, "bo")) == 15
    turnlog.play("g", f"bo: keep {' '.join(four)}")
    answer = turnlog.play("g", f"lucia: {moves_of(turnlog, 'lucia')[0]}")
    (scored,) = [f for f in answer["events"][-1]["facts"] if f["type"] == "lairs.seat-scored" and f["seat"] == 1]
    assert (scored["treasures"], scored["monsters"], scored["exit"]) == (14, 6, 2)
    assert answer["result"]["scores"]["bo"] == 22
    view = turnlog.view("g")
    assert view["scores"]["bo"] == 22
    assert view["kept"]["bo"] == four
    assert set(view["collections"]["bo"]) == set(held)


def moves_of(turnlog: Turnlog, seat: str) -> list[str]:
    return turnlog.json("moves", "g", "--as", seat)["moves"]


def at_the_choice(turnlog: Turnlog) -> list[str]:
    """lucia has left with six Treasures and bo with none: she is asked which stay face-up."""
    begun(turnlog)
    travel(turnlog, "lucia", CHESTS)
    turnlog.play("g", "exit")
    answer = turnlog.play("g", "end")
    assert answer["to_move"] == ["lucia"]
    return turnlog.view("g", "lucia")["collection"]


def test_exactly_four_treasures_are_kept(turnlog: Turnlog) -> None:
    """Rulebook: a collection of six: two must be flipped; a seat with four or fewer is not asked."""
    held = at_the_choice(turnlog)
    for wrong in (held[:3], held[:5], [held[0]] * 4):
        assert "name exactly 4 different" in refused(turnlog, f"keep {' '.join(wrong)}")
    foreign = next(slug for slug in turnlog.view("g")["treasures"] if slug not in held)
    assert f"'{foreign}' is not in your collection" in refused(turnlog, f"keep {' '.join(held[:3])} {foreign}")
    answer = turnlog.play("g", f"keep {' '.join(held[2:])}")
    assert answer["result"]["winners"] == ["lucia"]
    assert turnlog.view("g")["kept"]["bo"] == []


def test_face_down_treasures_count_for_nothing_else(turnlog: Turnlog) -> None:
    """Ruling 13: a Shard that lies face-down is no other Shard."""
    deck = ["moon-shard", "clouded-orb", "brimming-horn", "sun-shard", "dancing-faun", "stone-sentinel"]
    begun(turnlog, treasure_deck=[deck])
    travel(turnlog, "lucia", CHESTS)
    turnlog.play("g", "exit", "end")
    held = turnlog.view("g", "lucia")["collection"]
    down = ["sun-shard", next(slug for slug in held if slug not in ("sun-shard", "moon-shard"))]
    kept = [slug for slug in held if slug not in down]
    answer = turnlog.play("g", f"keep {' '.join(kept)}")
    scored = next(f for f in answer["events"][-1]["facts"] if f["type"] == "lairs.seat-scored")
    cards = turnlog.view("g")["treasures"]
    assert "with any other Shard" in cards["moon-shard"]["bonus"]
    plain = sum(cards[slug]["base"] for slug in kept) + 2
    assert scored["treasures"] == plain + bonuses(cards, kept)


def bonuses(cards: dict[str, Any], kept: list[str]) -> int:
    """Bonuses of the cards that this game can have kept, but for those of Shards: there is one only."""
    points = 0
    for slug in kept:
        bonus = cards[slug]["bonus"]
        if "opened Chest" in bonus:
            points += 3 * int(bonus[1])
        elif "exit" in bonus:
            points += int(bonus[1])
        elif "other" in bonus and "Shard" not in bonus:
            wanted = bonus.split("other ")[1].removesuffix(" item")
            count = sum(wanted in (cards[o]["type"], cards[o]["keyword"]) for o in kept if o != slug)
            points += int(bonus[1]) * (min(count, 1) if "any" in bonus else count)
    return points


def test_a_tie_goes_to_who_exited_first(turnlog: Turnlog) -> None:
    """lucia: Monsters 6 and 4; bo: Monsters 6, 2 and two Treasures worth 1 each."""
    deck = ["moon-shard", "clouded-orb", "brimming-horn", "tranquil-goblet", "stone-sentinel"]
    begun(turnlog, treasure_deck=[deck], dice=WINS)
    travel(turnlog, "bo", "seFsennOeseFeswsesFnwnenwwsswws")
    travel(turnlog, "lucia", MONSTERS)
    turnlog.play("g", "lucia: exit")
    answer = turnlog.play("g", "bo: exit")
    assert answer["result"] == {
        "winners": ["lucia"],
        "scores": {"lucia": 10, "bo": 10},
        "reason": "level on points, the first to exit wins",
    }


def test_the_first_out_can_lose(turnlog: Turnlog) -> None:
    begun(turnlog, treasure_deck=[["scroll-of-harmony"]], dice=WINS)
    travel(turnlog, "bo", "seFsennOeseFeswsesFnwnenwwsswws")
    travel(turnlog, "lucia", MONSTERS)
    turnlog.play("g", "lucia: exit")
    answer = turnlog.play("g", "bo: exit")
    assert answer["result"]["winners"] == ["bo"]


# rounds -----------------------------------------------------------------------------------------------


def test_the_rounds_run_out(turnlog: Turnlog) -> None:
    """Ruling 12: nobody leaves, no exit points; level scores are shared."""
    begun(turnlog, "-o", "rounds=2")
    turns(turnlog, 3)
    answer = turnlog.play("g", "end")
    assert answer["result"]["winners"] == ["lucia", "bo"]
    assert answer["result"]["scores"] == {"lucia": 0, "bo": 0}
    assert "nobody exited; round 2 was the last" in answer["result"]["reason"]


def test_more_points_win_when_the_rounds_run_out(turnlog: Turnlog) -> None:
    begun(turnlog, "-o", "rounds=4")
    travel(turnlog, "lucia", "sseennO")
    while not turnlog.json("show", "g")["result"]:
        turnlog.play("g", "end")
    assert turnlog.json("show", "g")["result"]["winners"] == ["lucia"]


def test_a_last_turn_is_played_after_the_rounds(turnlog: Turnlog) -> None:
    """bo exits in the last round: lucia still has the turn that an exit earns."""
    begun(turnlog, "-o", "rounds=8", dice=WINS)
    travel(turnlog, "bo", MONSTERS)
    view = turnlog.view("g")
    assert (view["round"], view["rounds"], view["explorer"]) == (8, 8, "bo")
    answer = turnlog.play("g", "exit")
    assert answer["result"] is None
    assert answer["to_move"] == ["lucia"]
    answer = turnlog.play("g", "end")
    assert answer["result"]["winners"] == ["bo"]
    assert answer["result"]["scores"] == {"lucia": 0, "bo": 10}


@pytest.mark.parametrize(
    "rounds",
    ["0", "many", "1000", "-3", "0000000011000", "000000001" + "9" * 5000],
    ids=["none", "word", "many", "less", "noughts", "digits"],
)
def test_rounds_are_a_number(turnlog: Turnlog, rounds: str) -> None:
    answer = turnlog("create", "lairs", "-p", "a", "-p", "b", "-o", f"rounds={rounds}")
    assert answer.code == 2
    assert "1 to 999" in answer.err


@pytest.mark.parametrize("seats", [1, 3])
def test_two_seats_play(turnlog: Turnlog, seats: int) -> None:
    names = [word for name in "abc"[:seats] for word in ("-p", name)]
    assert turnlog("create", "lairs", *names).code == 3
