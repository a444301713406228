"""Clocks: seats have so long to decide, and `tick` does what was agreed on when their time is out."""

import json
import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time
from msgspec import json as msgjson

import engines.clocks
from cli.session import Session
from engines.kit.bots import Choice, Turn
from engines.kit.notation import words_of
from engines.registry import all_games, game_of
from engines.table import Table
from events.digest import ROOT, chained
from tests.conftest import Answer, Turnlog

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)

#: Ada begins, and has to play Y1 or Y2 under bo's Y9 and Y8.
DECK = ["Y1", "Y2", "W2", "W3", "G1", "G2", "R1", "R2", "Y9", "Y8", "W1", "W8", "G9", "G8", "R9", "R8"]


def at(turnlog: Turnlog, hours: float, *words: object) -> Answer:
    """A command that succeeds, so many hours after the start."""
    with freeze_time(START + timedelta(hours=hours)):
        return turnlog.ok(*words)


def begin(turnlog: Turnlog, *more: object, players: tuple[str, ...] = ("ada", "bo"), name: str = "g") -> None:
    """A game of Power Vacuum with 24 hours a move."""
    stack = turnlog.stack(regime_deck=[DECK]) if players == ("ada", "bo") else turnlog.stack()
    persons = [word for player in players for word in ("-p", player)]
    words = ["create", "power-vacuum", *persons, "-o", "first=ada", "--seed", "1", "--stack", stack, "--id", name]
    at(turnlog, 0, *words, *(() if "--pace" in more else ("--pace", "24h")), *more)


def at_once(turnlog: Turnlog, *clock: str) -> None:
    """A game of Half-Lifed in which both seats are to move, since the start."""
    at(turnlog, 0, "create", "half-lifed", "-p", "ada", "-p", "bo", "--seed", "1", "--id", "g", *clock)
    while len(turnlog.json("show", "g")["to_move"]) < 2:
        at(turnlog, 0, "play", "g", turnlog.json("moves", "g")["moves"][0])


def deadlines(turnlog: Turnlog, hours: float) -> dict[str, tuple[str, int]]:
    """When each seat's time is out, and the hours it has left."""
    clock = at(turnlog, hours, "show", "g", "--json").json["clock"]
    return {one["seat"]: (one["due"], one["seconds_left"] // 3600) for one in clock["deadlines"]}


def overdue(turnlog: Turnlog, hours: float) -> list[str]:
    """The seats that `list` marks."""
    return at(turnlog, hours, "list", "--json").lines[0]["overdue"]


def moves(turnlog: Turnlog) -> list[tuple[Any, ...]]:
    """Who moved what, and how it came about."""
    return [
        (event["seat"], event["move"], event["by"])
        for event in turnlog.ok("log", "g", "--json").lines
        if event["kind"] == "move-made"
    ]


# time runs --------------------------------------------------------------------------------------------


def test_show_and_list_tell_how_long_a_seat_has(turnlog: Turnlog) -> None:
    """The deadline in UTC and what is left of it; a seat is overdue from that moment on."""
    begin(turnlog)
    assert deadlines(turnlog, 1) == {"ada": ("2026-03-02T12:00:00.000Z", 23)}
    assert "ada has until 2026-03-02T12:00:00.000Z (23 h left)." in at(turnlog, 1, "show", "g").out
    assert overdue(turnlog, 23.9) == []
    assert overdue(turnlog, 24) == ["ada"]
    assert "(overdue: ada)" in at(turnlog, 24, "list").out
    assert "overdue for 1 d 2 h" in at(turnlog, 50, "show", "g").out
    assert deadlines(turnlog, 50)["ada"][1] == -26


def test_a_game_without_a_pace_has_no_clock(turnlog: Turnlog) -> None:
    """Nothing is told of one, and nobody is ever overdue."""
    turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bo", "--id", "g")
    assert "clock" not in turnlog.json("show", "g")
    assert overdue(turnlog, 10**5) == []
    assert at(turnlog, 10**5, "tick").out == "No seat's time is out.\n"


def test_a_clock_runs_from_what_made_the_seat_to_move(turnlog: Turnlog) -> None:
    """A move starts the next seat's clock; a note changes none; an undo or redo gives a whole pace again."""
    begin(turnlog)
    at(turnlog, 10, "play", "g", "play", "Y1")
    assert deadlines(turnlog, 10) == {"bo": ("2026-03-02T22:00:00.000Z", 24)}
    at(turnlog, 12, "note", "g", "1", "hm")
    assert deadlines(turnlog, 12)["bo"][1] == 22
    at(turnlog, 13, "undo", "g")
    assert deadlines(turnlog, 13) == {"ada": ("2026-03-03T01:00:00.000Z", 24)}
    at(turnlog, 14, "redo", "g")
    assert deadlines(turnlog, 14) == {"bo": ("2026-03-03T02:00:00.000Z", 24)}
    before = turnlog.ok("list", "--json").out
    at(turnlog, 14, "rebuild")
    assert (turnlog.ok("list", "--json").out, deadlines(turnlog, 14)["bo"][1]) == (before, 24)


def test_where_several_are_to_move_each_has_a_clock(turnlog: Turnlog) -> None:
    """One seat's move leaves the others' clocks alone."""
    at_once(turnlog, "--pace", "1d")
    move = turnlog.json("moves", "g", "--as", "bo")["moves"][0]
    at(turnlog, 5, "play", "g", move, "--as", "bo")
    assert deadlines(turnlog, 6)["ada"][1] == 18
    assert deadlines(turnlog, 6)["bo"][1] == 23


@pytest.mark.parametrize(
    ("pace", "why"),
    [("24", "number and s, m, h or d"), ("9s", "10s"), ("101d", "100d"), ("-1h", "number"), ("1w", "number"),
     ("\u0661h", "number"), ("99999999s", "number")],
)  # fmt: skip
def test_a_pace_that_is_none_is_refused(pace: str, why: str, turnlog: Turnlog) -> None:
    """With what one looks like; as is a consequence that is none, or one without a pace."""
    words = ("create", "power-vacuum", "-p", "ada", "-p", "bo", "--json")
    refused = turnlog(*words, f"--pace={pace}")
    assert (refused.code, refused.error["code"]) == (2, "bad-setup")
    assert why in refused.error["hint"]
    assert "bot, skip, close" in turnlog(*words, "--pace", "1h", "--on-timeout", "lose").error["message"]
    assert "no --pace" in turnlog(*words, "--on-timeout", "bot").error["message"]
    assert not turnlog.db.exists()


# time is out ------------------------------------------------------------------------------------------


def test_a_bot_moves_for_a_seat_whose_time_is_out(turnlog: Turnlog) -> None:
    """Not before, and until another seat is to move; the log says why, and the next seat has its whole time."""
    begin(turnlog)
    at(turnlog, 20, "play", "g", "play", "Y1")
    assert at(turnlog, 43.9, "tick", "--json").json["games"] == []
    done = at(turnlog, 44, "tick", "--json").json
    [game] = done["games"]
    assert (game["game"], game["to_move"], done["failed"]) == ("g", ["ada"], [])
    assert {(event["seat"], event["by"]) for event in game["events"]} == {("bo", "bot")}
    assert len(game["events"]) > 1  # bo won the trick, and chose what it is worth
    assert all("bo's time ran out: bot:greedy moves." in event["remark"] for event in game["events"])
    assert "bo's time ran out: bot:greedy moves." in turnlog.ok("log", "g").out
    assert deadlines(turnlog, 44) == {"ada": ("2026-03-04T08:00:00.000Z", 24)}
    assert at(turnlog, 44, "tick").out == "No seat's time is out.\n"
    assert turnlog.json("verify", "g", "--rules")["rules"]["differs"] is None


def test_who_comes_late_but_before_a_tick_still_moves(turnlog: Turnlog) -> None:
    """Time that is out takes nothing away by itself."""
    begin(turnlog)
    at(turnlog, 500, "play", "g", "play", "Y2")
    assert at(turnlog, 501, "tick", "--json").json["games"] == []
    assert moves(turnlog) == [("ada", "play Y2", "person")]


def test_one_game_may_be_ticked_alone(turnlog: Turnlog) -> None:
    """The others of the file wait."""
    begin(turnlog)
    begin(turnlog, name="other")
    assert [game["game"] for game in at(turnlog, 30, "tick", "other", "--json").json["games"]] == ["other"]
    assert [game["game"] for game in at(turnlog, 30, "tick", "--json").json["games"]] == ["g"]
    assert turnlog("tick", "none").code == 5


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_a_seat_is_skipped_by_the_least_that_it_can_do(game: Any, turnlog: Turnlog) -> None:
    """Its pass, where one is on offer; any move where none is. The log stays whole."""
    names = [word for name in ("ada", "bo") for word in ("-p", name)]
    clock = ("--pace", "1h", "--on-timeout", "skip")
    at(turnlog, 0, "create", game.slug, *names, "--seed", "3", "--id", "g", *clock)
    said = []
    for hours in range(2, 40, 2):
        to_move = turnlog.json("show", "g")["to_move"]
        done = at(turnlog, hours, "tick", "--json").json["games"]
        assert {event["seat"] for one in done for event in one["events"]} == set(to_move)
        said += [event for one in done for event in one["events"]]
    passes = [event["move"].split()[0] for event in said if "it passes" in event["remark"]]
    others = [event["move"].split()[0] for event in said if "a random move" in event["remark"]]
    assert len(passes) + len(others) == len(said) >= 10
    assert set(passes) <= set(game.passes)
    assert bool(passes) == bool(game.passes)
    turnlog.ok("verify", "g", "--rules")


@pytest.mark.parametrize(("players", "winners"), [(("ada", "bo"), ["bo"]), (("ada", "bo", "cy"), [])])
def test_the_clock_closes_a_game(players: tuple[str, ...], winners: list[str], turnlog: Turnlog) -> None:
    """Of two the other one wins, as by a resignation."""
    begin(turnlog, "--on-timeout", "close", players=players)
    [game] = at(turnlog, 24, "tick", "--json").json["games"]
    assert [event["kind"] for event in game["events"]] == ["game-closed"]
    assert (game["result"]["winners"], game["result"]["reason"]) == (winners, "ada ran out of time")
    assert turnlog("play", "g", "play Y1").code == 3
    assert overdue(turnlog, 99) == []
    assert "ada ran out of time" in turnlog.ok("list").out


def test_where_the_time_of_several_is_out_nobody_wins(turnlog: Turnlog) -> None:
    """A game closed over the heads of all who were to move has no winner."""
    at_once(turnlog, "--pace", "1h", "--on-timeout", "close")
    result = at(turnlog, 2, "tick", "--json").json["games"][0]["result"]
    assert (result["winners"], result["reason"]) == ([], "several seats ran out of time")


def test_a_game_that_cannot_be_read_holds_up_no_other(turnlog: Turnlog) -> None:
    """It is named, and the clock goes on in the rest."""
    begin(turnlog)
    begin(turnlog, name="other")
    with sqlite3.connect(turnlog.db) as connection:
        [(guard,)] = connection.execute("select sql from sqlite_schema where name = 'events_keep'").fetchall()
        connection.execute("drop trigger events_keep")
        connection.execute("update events set actor = 'nobody' where game = 'g'")
        connection.execute(guard)
    connection.close()
    done = at(turnlog, 30, "tick", "--json").json
    assert [game["game"] for game in done["games"]] == ["other"]
    assert [failed["game"] for failed in done["failed"]] == ["g"]
    with freeze_time(START + timedelta(hours=30)):
        assert turnlog("tick", "g").code == 6


# races ------------------------------------------------------------------------------------------------


def test_a_late_move_beats_a_tick_that_is_under_way(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Played while the bot thinks, it stands, and the tick writes nothing."""
    begin(turnlog)
    real = engines.clocks._played_by_bot

    def thinking(turn: Turn) -> Choice:
        log = Session(str(turnlog.db)).writer()
        Table(log, "g").play(words_of("play Y2"), now=_micros(30))
        log.close()
        return real(turn)

    monkeypatch.setattr("engines.clocks._played_by_bot", thinking)
    assert at(turnlog, 30, "tick", "--json").json == {
        "games": [], "failed": [], "notices": {"delivered": 0, "undelivered": 0}
    }  # fmt: skip
    assert moves(turnlog) == [("ada", "play Y2", "person")]
    assert deadlines(turnlog, 31) == {"bo": ("2026-03-03T18:00:00.000Z", 23)}


@pytest.mark.parametrize("on_timeout", ["bot", "close"])
def test_a_tick_beats_a_move_that_is_under_way(
    on_timeout: str, turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The move is told that somebody was first, and is not played."""
    begin(turnlog, "--on-timeout", on_timeout)
    real = Table._decided

    def slow(self: Table, *what: Any) -> Any:
        monkeypatch.setattr(Table, "_decided", real)
        log = Session(str(turnlog.db)).writer()
        assert engines.clocks.time_out(log, "g", now=_micros(30)) is not None
        log.close()
        return real(self, *what)

    monkeypatch.setattr(Table, "_decided", slow)
    refused = turnlog("play", "g", "play Y2", "--json")
    assert (refused.code, refused.error["code"]) == (4, "conflict")
    assert [by for _, _, by in moves(turnlog)] == (["bot"] if on_timeout == "bot" else [])


def test_two_ticks_at_once_act_once(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second finds nothing left to do."""
    begin(turnlog, "--on-timeout", "close")
    real = engines.clocks.close_by_clock

    def slow(table: Table, *what: Any, **more: Any) -> Any:
        monkeypatch.setattr("engines.clocks.close_by_clock", real)
        log = Session(str(turnlog.db)).writer()
        assert engines.clocks.time_out(log, "g", now=_micros(30)) is not None
        log.close()
        return real(table, *what, **more)

    monkeypatch.setattr("engines.clocks.close_by_clock", slow)
    done = at(turnlog, 30, "tick", "--json").json
    assert (done["games"], done["failed"]) == ([], [])
    assert [event["kind"] for event in turnlog.ok("log", "g", "--json").lines] == ["game-created", "game-closed"]


def _micros(hours: float) -> int:
    return int((START + timedelta(hours=hours)).timestamp()) * 1_000_000


# elsewhere --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("on_timeout", ["bot", "close"])
def test_a_transcript_plays_what_the_clock_did(on_timeout: str, turnlog: Turnlog, tmp_path: Path) -> None:
    """Moves of the clock are no persons': an undo of one move takes the same back when it is played again."""
    begin(turnlog, "--on-timeout", on_timeout, "--undo", "own")
    at(turnlog, 1, "play", "g", "play Y1")
    at(turnlog, 30, "tick")
    if on_timeout == "bot":
        assert [by for _, _, by in moves(turnlog)] == ["person", "bot", "bot"]
        at(turnlog, 31, "undo", "g", "--as", "ada")
        at(turnlog, 32, "play", "g", "play Y2")
        at(turnlog, 70, "tick")
    script = tmp_path / "g.txt"
    turnlog.ok("export", "g", "--format", "transcript", "--output", script)
    assert "--pace 1d" in script.read_text()
    other = ("--db", tmp_path / "other.db")
    turnlog.ok("import", script, *other)
    [copy] = [game["game"] for game in turnlog.ok("list", "--json", *other).lines]
    told = [turnlog.ok("log", game, "--json", *where).lines for game, where in (("g", ()), (copy, other))]
    kept = [
        [(event["kind"], event["seat"], event["move"], event.get("by"), event["stands"]) for event in events]
        for events in told
    ]
    assert kept[0] == kept[1]
    assert turnlog.json("show", "g")["view"] == turnlog.json("show", copy, *other)["view"]
    assert turnlog.json("show", "g")["result"] == turnlog.json("show", copy, *other)["result"]


def test_a_script_cannot_claim_the_clock_where_there_is_none(turnlog: Turnlog, tmp_path: Path) -> None:
    """Without a pace `clock` is no word of a script."""
    script = tmp_path / "g.txt"
    script.write_text("create power-vacuum -p ada -p bo -o first=ada --seed 1\nclock ada: point\n")
    assert "line 2" in turnlog("run", script, "--json").error["message"]


def test_a_fork_has_no_clock(turnlog: Turnlog) -> None:
    """It is there to think in."""
    begin(turnlog)
    turnlog.ok("fork", "g", "--id", "f")
    assert "clock" not in turnlog.json("show", "f")
    assert [game["game"] for game in at(turnlog, 99, "tick", "--json").json["games"]] == ["g"]


def test_an_imported_game_keeps_its_clock_and_a_seats_log_has_none(turnlog: Turnlog, tmp_path: Path) -> None:
    """A log of one seat cannot be played on, so nothing ever happens in it."""
    begin(turnlog)
    at(turnlog, 1, "play", "g", "play Y1")
    other = ("--db", tmp_path / "other.db")
    for number, words in enumerate([(), ("--as", "bo")]):
        file = tmp_path / f"{number}.jsonl"
        turnlog.ok("export", "g", "--output", file, *words)
        turnlog.ok("import", file, *other)
    listed = {game["game"]: game["overdue"] for game in at(turnlog, 99, "list", "--json", *other).lines}
    assert listed == {"g": ["bo"], "g-as-2": []}
    assert [game["game"] for game in at(turnlog, 99, "tick", "--json", *other).json["games"]] == ["g"]


def test_an_import_that_brings_a_game_up_to_date_brings_its_clock_along(turnlog: Turnlog, tmp_path: Path) -> None:
    """Also where moves and undos come in at once."""
    begin(turnlog)
    file, other = tmp_path / "g.jsonl", ("--db", tmp_path / "other.db")
    turnlog.ok("export", "g", "--output", file)
    turnlog.ok("import", file, *other)
    at(turnlog, 1, "play", "g", "play Y1")
    at(turnlog, 2, "undo", "g")
    at(turnlog, 3, "play", "g", "play Y2")
    file.unlink()
    turnlog.ok("export", "g", "--output", file)
    turnlog.ok("import", file, *other)
    clocks = [at(turnlog, 4, "show", "g", "--json", *where).json["clock"] for where in ((), other)]
    assert clocks[0] == clocks[1]
    assert clocks[0]["deadlines"][0]["due"] == "2026-03-02T15:00:00.000Z"


def test_a_file_with_an_impossible_clock_is_refused(turnlog: Turnlog, tmp_path: Path) -> None:
    """Its pace would make every seat overdue at once, or never."""
    begin(turnlog)
    [row] = [json.loads(line) for line in turnlog.ok("export", "g").out.splitlines()]
    for pace, kind in ((0, "bot"), (-5, "bot"), (9_000_000, "bot"), (60, "explode")):
        row["data"]["clock"] = {"pace": pace, "on_timeout": kind}
        data = msgjson.encode(row["data"]).decode()
        columns = (row[name] for name in ("game", "seq", "at", "kind", "actor", "schema", "request"))
        row["digest"] = chained(ROOT, *columns, data).hex()
        file = tmp_path / "forged.jsonl"
        file.write_text(msgjson.encode(row).decode() + "\n")
        refused = turnlog("import", file, "--db", tmp_path / "other.db", "--json")
        assert (refused.code, refused.error["code"]) == (6, "bad-entry")


def test_a_repeated_creation_has_to_have_the_same_clock(turnlog: Turnlog) -> None:
    """With one request id, another pace is another game."""
    words = ("create", "power-vacuum", "-p", "ada", "-p", "bo", "--request", "r", "--pace")
    assert turnlog.json(*words, "1h")["game"] == turnlog.json(*words, "60m")["game"]
    assert turnlog(*words, "2h").code == 4


def test_every_pass_is_a_verb_of_its_game() -> None:
    """What a game declares as its passes can be played in it."""
    for game in all_games():
        assert set(game.passes) <= set(game_of(game.slug).grammar.verbs)
