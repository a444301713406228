"""Forks, differences, notes, seats' logs and the question put to today's rules, through commands."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from engines.power_vacuum import rules
from engines.power_vacuum.facts import PointTaken
from tests.conftest import Turnlog

NAMES = ("lucia", "fritz", "bertrand")


@pytest.fixture
def game(turnlog: Turnlog) -> Turnlog:
    """A game `g` of three seats, some moves old."""
    turnlog.json("create", "power-vacuum", *(w for n in NAMES for w in ("-p", n)), "--id", "g", "--seed", "3")
    for _ in range(12):
        turnlog.play("g", turnlog.json("moves", "g")["moves"][0])
    return turnlog


def test_a_fork_goes_on_from_its_moment(game: Turnlog) -> None:
    """The events up to the moment are copied, the origin is told, and the old game does not change."""
    before = game.ok("log", "g", "--json").out
    answer = game.json("fork", "g", "--at", 6, "--id", "f")
    assert answer["origin"] == {"game": "g", "seq": 6}
    assert game.view("f", "referee") == game.view("g", "referee", "--at", 6)
    assert game.json("show", "f")["seq"] == 6
    game.play("f", game.json("moves", "f")["moves"][0])
    assert game.ok("log", "g", "--json").out == before
    game.ok("verify", "f")


def _deal_of_round_two(turnlog: Turnlog, fork: str) -> Any:
    while turnlog.view(fork)["round"] == 1:
        turnlog.play(fork, turnlog.json("moves", fork)["moves"][0])
    return turnlog.view(fork, "referee")["hands"]


def test_a_fork_has_new_chance_unless_asked(game: Turnlog) -> None:
    """Two forks with the same chance are dealt alike in the next round, one with new chance is not."""
    for name, more in (("one", ["--same-chance"]), ("two", ["--same-chance"]), ("new", [])):
        game.json("fork", "g", "--id", name, *more)
    one, two, new = (_deal_of_round_two(game, name) for name in ("one", "two", "new"))
    assert one == two
    assert one != new


def test_a_seat_s_fork_is_a_guess_that_looks_the_same(game: Turnlog) -> None:
    """What the seat sees is the same, what it cannot see is guessed, and the fork can be played."""
    game.json("fork", "g", "--as", "lucia", "--id", "f")
    assert game.view("f", "lucia") == game.view("g", "lucia")
    whole = {card for hand in game.view("f", "referee")["hands"].values() for card in hand}
    assert not any("?" in card for card in whole)
    game.play("f", game.json("moves", "f")["moves"][0])
    game.ok("verify", "f")
    assert game("fork", "g", "--as", "lucia", "--same-chance").code == 3


def test_moments_differ_in_what_happened_and_what_is_seen(game: Turnlog) -> None:
    """Between two events: the first event that differs and the places of the view that changed."""
    answer = game.json("diff", "g", 3, 5)
    assert answer["at"] == [3, 5]
    assert answer["paths"]
    assert {"path", "a", "b"} == set(answer["paths"][0])
    assert game.json("diff", "g", 5, 5)["paths"] == []
    assert game("diff", "g", 1, 99).code == 5
    assert game("diff", "g").code == 2


def test_games_differ_from_where_they_part(game: Turnlog) -> None:
    """Two games: the first event that is not the same; a fork that was not played on has none further."""
    game.json("fork", "g", "--at", 6, "--id", "f")
    other = game.json("moves", "f")["moves"][-1]
    game.play("f", other)
    first = game.json("diff", "g", "f")["first_event"]
    assert [event["seq"] for event in first] == [7, 7]
    assert first[1]["move"] == other
    game.json("create", "venusian-vegas", "-p", "a", "-p", "b", "--id", "v")
    assert game("diff", "g", "v").code == 2


def test_notes_survive_undo(game: Turnlog) -> None:
    """A note on a move stays when the move is taken back, and stands beneath its event."""
    game.json("note", "g", 5, "odd", "card", "--as", "fritz")
    game.json("undo", "g", "-n", 3)
    (note,) = game.json("notes", "g")
    assert (note["about"], note["seat"], note["text"]) == (5, "fritz", "odd card")
    told = [line for line in game.ok("log", "g", "--notes", "--json").lines if line["seq"] == 5]
    assert [note["text"] for note in told[0]["notes"]] == ["odd card"]
    assert game("note", "g", 99, "x").code == 5
    assert game("note", "g", 5, "\x1b[31m").code == 3


def test_a_seat_s_log_is_reviewed_and_not_played_on(game: Turnlog, tmp_path: Path) -> None:
    """It shows what the seat saw, can be verified and forked with a guess, and takes no move."""
    path = tmp_path / "lucia.jsonl"
    game.ok("export", "g", "--as", "lucia", "-O", path)
    text = path.read_text()
    real = game.ok("export", "g").out
    assert not {line["digest"] for line in _lines(real)} & {line["digest"] for line in _lines(text)}
    imported = game.json("import", path)["game"]
    assert game.view(imported, "lucia") == game.view("g", "lucia")
    game.ok("verify", imported)
    game.ok("replay", imported, "--as", "lucia", "--plain")
    answer = game("play", imported, game.json("moves", "g")["moves"][0])
    assert answer.code == 3
    assert "fork" in answer.err
    assert game("undo", imported).code == 3
    game.json("fork", imported, "--as", "lucia", "--id", "guess")
    game.play("guess", game.json("moves", "guess")["moves"][0])


def _lines(text: str) -> Iterator[Any]:
    import json

    return (json.loads(line) for line in text.splitlines())


def test_today_s_rules_are_asked(game: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """`verify --rules` finds nothing where nothing changed, and names the first event that differs, exit 0."""
    assert game.json("verify", "g", "--rules")["rules"]["differs"] is None
    old = rules._RULES[rules.Point]

    def twice(state: Any, seat: int, move: Any, chance: Any) -> Iterator[Any]:
        yield PointTaken(seat)
        yield from old(state, seat, move, chance)

    monkeypatch.setitem(rules._RULES, rules.Point, twice)
    first = next(line["seq"] for line in game.ok("log", "g", "--json").lines if line["move"] == "point")
    differs = game.json("verify", "g", "--rules")["rules"]["differs"]
    assert differs["seq"] == first
    assert "takes a point" in differs["why"]


def test_key_moments_are_the_same_every_time(turnlog: Turnlog) -> None:
    """Changes of the lead and lines taken back are found; asked twice, the answer is the same."""
    turnlog.json("create", "power-vacuum", "-p", "bot:greedy", "-p", "bot:random", "--seed", "4", "--id", "b")
    moments = turnlog.json("annotate", "b")
    assert moments == turnlog.json("annotate", "b")
    assert moments[0]["kind"] == "lead"
    turnlog.json("create", "power-vacuum", "-p", "a", "-p", "b", "--seed", "4", "--id", "u")
    turnlog.play("u", turnlog.json("moves", "u")["moves"][0])
    turnlog.json("undo", "u", "--reason", "misread")
    assert [m["kind"] for m in turnlog.json("annotate", "u")] == ["undone"]


def test_a_report_tells_the_game_and_runs_nothing(turnlog: Turnlog) -> None:
    """The report has result, rounds, notes and the last board; hostile names and notes are text."""
    turnlog.json("create", "power-vacuum", "-p", "<b>ad*a*", "-p", "bot:random", "--seed", "4", "--id", "r")
    turnlog.json("note", "r", 1, "<script>alert(1)</script>")
    report = turnlog.ok("export", "r", "--format", "markdown").out
    assert "<script" not in report.partition("```text")[0]
    assert "<b>" not in report.partition("```text")[0]
    assert "## Round 1" in report
    assert "The game goes on." in report
    assert "## The board now" in report
    turnlog.json("create", "power-vacuum", "-p", "bot:greedy", "-p", "bot:random", "--seed", "4", "--id", "b")
    report = turnlog.ok("export", "b", "--format", "markdown").out
    assert "Won by " in report
    assert "## Key moments" in report
    assert "## Round 2" in report
