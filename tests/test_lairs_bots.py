"""The bot: builds fair lairs, explores, fights when it is wise, and gets out; and all components are used."""

from typing import Any

from engines.registry import game_of
from engines.simulation import Plan, simulate
from tests.conftest import Turnlog
from tests.lairs_tables import lair_file
from tests.random_games import Case, random_game

GAME = game_of("lairs")


def test_the_bot_beats_random_seats(turnlog: Turnlog) -> None:
    for names in (("bot:greedy", "bot:random"), ("bot:random", "bot:greedy")):
        people = [word for name in names for word in ("-p", name)]
        report = turnlog.json("simulate", "lairs", *people, "-n", 12, "--seed", "bots")
        wins = {seat["name"]: seat["wins"] for seat in report["seats"]}
        assert report["stuck"] == 0
        assert wins["bot:greedy"] >= 11


def test_games_of_bots_mostly_end_by_exiting() -> None:
    outcomes = [one.outcome for one in simulate(Plan("lairs", ("bot:greedy", "bot:greedy"), "exits"), range(30))]
    ended = [outcome for outcome in outcomes if outcome is not None]
    assert len(ended) == 30
    assert sum("was the last" not in outcome.reason for outcome in ended) >= 28


def test_the_bot_builds_legal_lairs_that_differ(turnlog: Turnlog) -> None:
    lairs: set[str] = set()
    for number in range(4):
        turnlog.json("create", "lairs", "-p", "bot:greedy", "-p", "ada", "--id", f"b{number}", "--seed", number)
        lair = turnlog.view(f"b{number}", "referee")["lairs"]["bot:greedy"]
        turnlog.ok("rules", "lairs", "--check", lair_file(turnlog, lair))
        lairs.add(lair)
    assert len(lairs) == 4


def test_a_person_plays_against_the_bot(turnlog: Turnlog) -> None:
    """The bot builds as soon as it may and answers each turn that ends."""
    turnlog.json("create", "lairs", "-p", "ada", "-p", "bot:greedy", "--id", "g", "--seed", 3, "-o", "rounds=3")
    answer = turnlog.play("g", "ada: build random")
    assert answer["to_move"] == ["ada"]
    for _ in range(20):
        if not turnlog.json("show", "g")["to_move"]:
            break
        moves = turnlog.json("moves", "g")["moves"]
        turnlog.play("g", moves[-1])
    assert turnlog.json("show", "g")["result"]


def test_games_use_every_component() -> None:
    """Each Treasure is collected, every move made, every fact happens but the reward of other sets."""
    held: set[str] = set()
    facts: set[str] = set()
    moves: set[str] = set()
    for number in range(25):
        moment: Any = None
        for moment in random_game(Case(GAME, 2), f"use/{number}", bot="greedy"):
            facts.update(type(fact).__name__ for fact in moment.event.facts)
            moves.add(type(getattr(moment.event, "move", None)).__name__)
        for seat in range(2):
            held.update(moment.state.drawn[seat] + moment.state.taken[seat])
    for number in range(8):
        for moment in random_game(Case(GAME, 2), f"use/random/{number}"):
            facts.update(type(fact).__name__ for fact in moment.event.facts)
            moves.add(type(getattr(moment.event, "move", None)).__name__)
    assert held == set(moment.state.components.treasures)
    assert {fact.__name__ for fact in GAME.projector.codec.fact_types} - facts <= {"FeatureLocated"}
    verbs = {name.lower() for name in moves} - {"nonetype"}
    assert verbs == set(GAME.grammar.verbs)


def test_a_game_of_bots_is_verified_by_the_rules(turnlog: Turnlog) -> None:
    turnlog.json("create", "lairs", "-p", "bot:greedy", "-p", "bot:random", "--id", "g", "--seed", 5)
    assert turnlog.json("show", "g")["result"]
    turnlog.ok("verify", "g")
    turnlog.ok("verify", "g", "--rules")
