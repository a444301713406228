"""The speed targets of the design, each with today's figure."""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import partial
from importlib.util import find_spec
from itertools import cycle, islice
from pathlib import Path
from typing import Any

from benchmarks.tables import (
    GAME,
    NOW,
    drafts,
    grown,
    play,
    played,
    power_vacuum,
    reader,
    self_play,
    writer,
)
from benchmarks.timing import (
    Sizes,
    Target,
    Work,
    installed_environment,
    interleaved,
    median,
    micro,
    rate,
    ratio,
    seconds,
)
from engines.kit.offers import legal
from engines.table import Table
from events.digest import ROOT, chained
from events.sqlite import SqliteLog
from projections.fold import fold
from projections.position import first_row, load
from replays.export import jsonl

_SELECT = "select * from events where game = ?"
_INSERT = "insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def targets(folder: Path, sizes: Sizes) -> Iterator[Target]:
    """Measures them one by one."""
    long, whole = folder / "long.db", folder / "whole.db"
    grown(long, sizes.events)
    games = played(whole, sizes.games)
    rebuilt = folder / "rebuilt.db"
    shutil.copyfile(long, rebuilt)
    yield _play(folder, sizes)
    yield _append(folder, sizes, 1, 0.9)
    yield _append(folder, sizes, 100, 0.8)
    yield _rebuild(rebuilt, [GAME], sizes, "one game, most moves taken back", standing=False)
    yield _rebuild(whole, games, sizes, f"{len(games)} whole games, all moves stand", standing=True)
    yield from _undo(long, sizes)
    yield _self_play(sizes)
    yield _export(long, sizes)


def _play(folder: Path, sizes: Sizes) -> Target:
    path = folder / "play.db"
    events = min(500, sizes.events)
    grown(path, events)
    environment = {**installed_environment(), "TURNLOG_DB": str(path)}
    command = str(Path(sys.executable).with_name("turnlog"))

    def next_move() -> list[str]:
        log = reader(path)
        try:
            table = Table(log, GAME)
            return [GAME, *table.game.grammar.spell(legal(table.offers(table.to_move[0]))[0]).split()]
        finally:
            log.close()

    def ran(*words: str) -> float:
        return seconds(lambda: subprocess.run(words, env=environment, check=True, stdout=subprocess.DEVNULL))

    samples = interleaved(
        sizes.runs * 2,
        lambda: ran(command, "play", *next_move()),
        lambda: ran(sys.executable, "-I", "-S", "-c", "pass"),
    )
    over = ratio(samples, 0, 1)
    return Target(
        f"`turnlog play` on a game of {events} events, whole process, durable",
        "at most 8 B; stretch 5.5 B",
        f"{over:.1f} B ({median(samples, 0) * 1e3:.0f} ms)",
        over <= 8,
    )


def _append(folder: Path, sizes: Sizes, batch: int, least: float) -> Target:
    ours = writer(folder / f"ours{batch}.db")
    raw = writer(folder / f"raw{batch}.db").connection
    rounds = max(1, sizes.transactions // 10) * (4 if batch == 1 else 1)
    runs = sizes.runs * 10  # many short pairs: the disk's speed changes from one to the next
    count = rounds * batch * (runs + 1)
    ready = list(islice(cycle(drafts(0)), count))
    rows: list[tuple[Any, ...]] = []
    digest = ROOT
    for seq, draft in enumerate(ready, 1):
        columns = ("g", seq, NOW, draft.kind, draft.actor, draft.schema, None, draft.data)
        digest = chained(digest, *columns)
        rows.append((*columns, digest))

    def append(place: int) -> None:
        ours.append("g", ready[place : place + batch], expect=place, at=NOW)

    def write(place: int) -> None:
        raw.execute("begin immediate")
        raw.executemany(_INSERT, rows[place : place + batch])
        raw.execute("commit")

    def worked(one: Callable[[int], None]) -> Work:
        places = iter(range(0, count, batch))

        def some() -> None:
            for place in islice(places, rounds):
                one(place)

        return lambda: seconds(some, rounds * batch)

    try:
        samples = interleaved(runs, worked(append), worked(write))
    finally:
        ours.close()
        raw.close()
    of_raw = ratio(samples, 1, 0)
    return Target(
        f"append, {'one event' if batch == 1 else batch} a transaction",
        f"at least {least} of raw `sqlite3`",
        f"{of_raw:.2f} ({micro(median(samples, 0))} an event)",
        of_raw >= least,
    )


def _rebuild(path: Path, games: list[str], sizes: Sizes, what: str, *, standing: bool) -> Target:
    projector = power_vacuum().projector
    log = writer(path)
    try:
        log.connection.execute("delete from snapshots")
        firsts = [first_row(log, game) for game in games]
        events = sum(log.last(game) for game in games)

        def rebuild() -> None:
            for first in firsts:
                load(log, projector, first)

        def select() -> None:
            for game in games:
                log.connection.execute(_SELECT, (game,)).fetchall()

        def folded() -> None:
            for first in firsts:
                state = projector.begin(projector.codec.decode(first))
                for row in log.rows(first.game):
                    fold(projector.reducers, state, projector.codec.deed(row).facts)

        works = [rebuild, select, folded] if standing else [rebuild, select]
        samples = interleaved(sizes.runs, *(partial(seconds, work, events) for work in works))
    finally:
        log.close()
    selects = ratio(samples, 0, 1)
    alone = f"; {ratio(samples, 2, 1):.1f} without the hash chain" if standing else ""
    return Target(
        f"rebuild {events:,} events from the file: {what}",
        "at most 3 bare `select`s of them",
        f"{selects:.1f} ({micro(median(samples, 0))} an event){alone}",
        selects <= 3,
    )


def _undo(path: Path, sizes: Sizes) -> Iterator[Target]:
    log = writer(path)
    try:

        def undo() -> None:
            Table(log, GAME).undo(now=NOW)

        def redo() -> float:
            took = seconds(lambda: Table(log, GAME).redo(now=NOW))
            undo()  # so that the game does not come to its end
            return took

        samples = interleaved(
            sizes.runs * 4, lambda: seconds(lambda: play(Table(log, GAME))), lambda: seconds(undo), redo
        )
        events = log.last(GAME)
    finally:
        log.close()
    for which, name in ((1, "undo"), (2, "redo")):
        plays = ratio(samples, which, 0)
        yield Target(
            f"{name} at {events:,} events",
            "as a `play` there (at most 1.1)",
            f"{plays:.2f} of it ({median(samples, which) * 1e3:.1f} ms, durable)",
            plays <= 1.1,
        )


def _self_play(sizes: Sizes) -> Target:
    what, target = (
        "self-play of Power Vacuum, 4 random seats, encoded, one core",
        "at least 1.5 times rlcard's uno",
    )
    if find_spec("rlcard") is None:
        return Target(what, target, "not measured: rlcard is not installed", None)
    from benchmarks.peers.self_play import rlcard_uno

    samples = interleaved(sizes.runs, self_play(sizes.games), rlcard_uno(sizes.games * 4))
    times = ratio(samples, 1, 0)
    return Target(what, target, f"{times:.1f} times ({rate(median(samples, 0))})", times >= 1.5)


def _export(path: Path, sizes: Sizes) -> Target:
    log: SqliteLog = reader(path)
    try:
        events = log.last(GAME)
        samples = interleaved(
            sizes.runs * 2,
            lambda: seconds(lambda: "".join(f"{line}\n" for line in jsonl(log, GAME)), events),
            lambda: seconds(lambda: log.connection.execute(_SELECT, (GAME,)).fetchall(), events),
        )
    finally:
        log.close()
    took = median(samples, 0)
    return Target(
        f"export of {events:,} events as jsonl",
        "1 us an event",
        f"{micro(took)} ({ratio(samples, 0, 1):.1f} bare `select`s)",
        took <= 1e-6,
    )
