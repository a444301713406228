"""`eventsourcing` with its SQLite recorder: appends of the same documents, rebuilding of aggregates as long."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID

from eventsourcing.application import Application
from eventsourcing.domain import Aggregate, event
from msgspec import json

from benchmarks.tables import NOW, power_vacuum, random_moves, writer
from benchmarks.timing import Beside, Sizes, Work, interleaved, median, micro, ratio, seconds
from projections.position import first_row, load


class Recorded(Aggregate):
    """A game that only counts its moves: the least that a rebuilt aggregate can do."""

    @event("Began")
    def __init__(self) -> None:
        self.moves = 0

    @event("Moved")
    def move(self, document: dict[str, Any]) -> None:
        """Takes in one move, as turnlog's log has it."""
        self.moves += 1


def compare(folder: Path, sizes: Sizes) -> Iterator[Beside]:
    """Both write WAL with `synchronous=FULL`; each event is made, encoded and appended."""
    path = folder / "eventsourcing.db"
    application = Application[UUID](env={"PERSISTENCE_MODULE": "eventsourcing.sqlite", "SQLITE_DBNAME": str(path)})
    try:
        for batch in (1, 100):
            yield _append(application, folder, sizes, batch)
        yield _rebuild(application, folder, sizes)
    finally:
        application.close()


def _append(application: Application[UUID], folder: Path, sizes: Sizes, batch: int) -> Beside:
    codec = power_vacuum().projector.codec
    moves = [move for _, move in zip(range(batch), random_moves(0), strict=False)]
    documents = [json.decode(codec.encode(move)) for move in moves]
    rounds = sizes.transactions * (4 if batch == 1 else 1)
    log = writer(folder / f"beside{batch}.db")
    recorded = Recorded()
    last = 0

    def ours() -> None:
        nonlocal last
        for _ in range(rounds):
            last += len(log.append("g", [codec.draft(move, "ada") for move in moves], expect=last, at=NOW))

    def theirs() -> None:
        for _ in range(rounds):
            for document in documents:
                recorded.move(document)
            application.save(recorded)

    try:
        samples = interleaved(sizes.runs, _each(ours, rounds * len(moves)), _each(theirs, rounds * len(moves)))
    finally:
        log.close()
    what = f"append, {'one event' if batch == 1 else len(moves)} a transaction"
    return _row(what, samples)


def _rebuild(application: Application[UUID], folder: Path, sizes: Sizes) -> Beside:
    path = folder / "whole.db"
    log = writer(path)
    try:
        log.connection.execute("delete from snapshots")
        games = log.games()
        firsts = [first_row(log, game) for game in games]
        events = sum(log.last(game) for game in games)
        ids: list[UUID] = []
        for game in games:
            recorded = Recorded()
            for row in log.rows(game, after=1):
                recorded.move(json.decode(row.data))
            application.save(recorded)
            ids.append(recorded.id)

        def ours() -> None:
            for first in firsts:
                load(log, power_vacuum().projector, first)

        def theirs() -> None:
            for id_ in ids:
                application.repository.get(id_)

        samples = interleaved(sizes.runs, _each(ours, events), _each(theirs, events))
    finally:
        log.close()
    return _row(f"rebuild {len(games)} games, {events:,} events", samples)


def _each(work: Any, units: int) -> Work:
    return lambda: seconds(work, units)


def _row(what: str, samples: list[tuple[float, ...]]) -> Beside:
    return Beside(
        what,
        f"{micro(median(samples, 0))} an event",
        "eventsourcing",
        f"{micro(median(samples, 1))} an event",
        ratio(samples, 1, 0),
    )
