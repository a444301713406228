"""A command costs what its own game costs: neither other games nor a game's length fill the memory."""

import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec import json

from engines.table import Table
from events.model import UNDONE, Draft, MovesUndone
from events.sqlite import SqliteLog, open_log
from projections.readmodels import update
from projections.schema import prepare
from projections.timeline import timeline_of
from tests.conftest import Turnlog


@pytest.fixture
def log(turnlog: Turnlog) -> SqliteLog:
    """A log with one game `g`, in which a move was made and taken back."""
    turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bo", "--id", "g", "--seed", "1")
    turnlog.play("g", turnlog.json("moves", "g")["moves"][0])
    turnlog.ok("undo", "g")
    return open_log(str(turnlog.db), prepare, write=True)


def grown(log: SqliteLog, game: str, events: int) -> None:
    """Another game like `g`, its move made and taken back until it has so many events."""
    created, move, undo = (Draft(r.kind, r.actor, r.schema, r.data, None) for r in log.rows("g"))
    drafts = [created]
    for seq in range(2, events, 2):
        data = json.encode(MovesUndone(first=seq, last=seq, seat=None, asked="n 1")).decode()
        drafts += [move, Draft(UNDONE, undo.actor, undo.schema, data, None)]
    log.append_new([(game, drafts)], at=1, inside=lambda store, rows: update(store, game, timeline_of(rows), rows))


def peak(work: Callable[[], object]) -> int:
    """The most memory that was held while something was done, in bytes."""
    tracemalloc.start()
    try:
        work()
        return tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    "words",
    [["verify"], ["export", "--format", "jsonl"], ["export", "--format", "transcript"]],
    ids=" ".join,
)
def test_memory_does_not_grow_with_the_length_of_a_game(
    turnlog: Turnlog, log: SqliteLog, tmp_path: Path, words: list[str]
) -> None:
    """What is held of a game of 4,401 events is what is held of one of 1,101: less than half as much again, where
    all of them would be four times as much.
    """
    peaks: list[int] = []
    for game, events in (("warm", 11), ("short", 1_101), ("long", 4_401)):
        grown(log, game, events)
        output = ["--output", str(tmp_path / game)] if words[0] == "export" else []
        peaks.append(peak(lambda game=game, output=output: turnlog.ok(words[0], game, *words[1:], *output)))
    log.close()
    assert peaks[2] < 1.5 * peaks[1]


def test_a_command_on_one_game_reads_no_row_of_another(turnlog: Turnlog, log: SqliteLog) -> None:
    """Each query that a command on one game asks finds its rows by an index: none scans the log or the list."""
    grown(log, "another", 101)
    queries: list[str] = []
    log.connection.set_trace_callback(queries.append)
    Table(log, "g").play(turnlog.json("moves", "g")["moves"][0].split(), now=9, request="r")
    Table(log, "g").undo(now=9, request="r2")
    Table(log, "g").redo(now=9, request="r3")
    assert log.games("g", 6) == ["g"]
    log.connection.set_trace_callback(None)
    asked = [query for query in queries if query.startswith("select")]
    assert len(asked) > 20
    for query in asked:
        plan = [step[3] for step in log.connection.execute(f"explain query plan {query}")]
        assert not [step for step in plan if step.startswith("SCAN") and "CONSTANT" not in step], query
    log.close()
