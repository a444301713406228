"""Since when each seat has been to move, and the read model `clocks` that is made of it.

A seat is to move since the event that made it so: a move of another seat, its own move if it is still to move
behind it, or an undo or redo, after which everybody who is to move decides anew. Notes change nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

import msgspec

from events.log import Database, Store
from events.model import COMMENTS, CREATED, MOVED, REDONE, UNDONE, Row
from projections.timeline import Timeline

_SECOND = 1_000_000


class Turn(NamedTuple):
    """Since which event a seat has been to move, and since when, in microseconds UTC."""

    seq: int
    since: int


Turns = Mapping[int, Turn]


class Running(NamedTuple):
    """A clock that runs: `due` is when the seat's time is out."""

    seat: int
    seq: int
    since: int
    due: int


class _Head(msgspec.Struct):
    next: tuple[int, ...] = ()
    seat: int | None = None


_heads: msgspec.json.Decoder[_Head] = msgspec.json.Decoder(_Head)


def after_move(before: Turns, row: Row) -> dict[int, Turn]:
    """The turns after a creation or a move, `before` those that were."""
    head = _heads.decode(row.data)
    anew = Turn(row.seq, row.at)
    return {seat: anew if seat == head.seat else before.get(seat, anew) for seat in head.next}


def turns_of(rows: Iterable[Row]) -> tuple[Timeline, dict[int, Turn]]:
    """The timeline and the turns after all of `rows`, the whole log of a game.

    :raises ValueError: as `Timeline.note`
    """
    timeline = Timeline()
    turns: dict[int, Turn] = {}
    nexts: dict[int, tuple[int, ...]] = {}
    for row in rows:
        timeline.note(row.kind, row.seq, row.data)
        if row.kind in (CREATED, MOVED):
            turns = after_move(turns, row)
            nexts[row.seq] = tuple(turns)
        elif row.kind in (UNDONE, REDONE):
            turns = dict.fromkeys(nexts[timeline.head], Turn(row.seq, row.at))
        elif row.kind not in COMMENTS:
            turns = {}
    return timeline, turns


def keep_clocks(store: Store, game: str, pace: int, rows: Sequence[Row], to_move: Sequence[int]) -> None:
    """Brings the clocks of a game up to date with its newest `rows`, after which `to_move` are to move.

    :param pace: in seconds
    """
    if not to_move:
        stop_clocks(store, game)
        return
    changing = [row for row in rows if row.kind not in COMMENTS]
    last = changing[-1]
    if last.kind in (UNDONE, REDONE):
        turns = dict.fromkeys(to_move, Turn(last.seq, last.at))
    elif rows[0].seq > 1 and any(row.kind != MOVED for row in changing):  # what an import brought
        turns = turns_of(_rows(store, game))[1]
    elif rows[0].seq == 1:
        turns = turns_of(rows)[1]
    else:
        turns = {
            seat: Turn(seq, since)
            for seat, seq, since in store.execute("select seat, seq, since from clocks where game = ?", (game,))
        }
        for row in changing:
            turns = after_move(turns, row)
    stop_clocks(store, game)
    for seat in to_move:
        turn = turns[seat]
        store.execute(
            "insert into clocks (game, seat, seq, since, due) values (?, ?, ?, ?, ?)",
            (game, seat, turn.seq, turn.since, turn.since + pace * _SECOND),
        )


def stop_clocks(store: Store, game: str) -> None:
    """Takes a game's clocks away."""
    store.execute("delete from clocks where game = ?", (game,))


def _rows(store: Store, game: str) -> Iterable[Row]:
    columns = "game, seq, at, kind, actor, schema, request, data, digest"
    for row in store.execute(f"select {columns} from events where game = ? order by seq", (game,)):
        yield Row(*row)


def running(log: Database, game: str) -> list[Running]:
    """The clocks that run in a game, the first to be out first."""
    return [
        Running(*columns)
        for columns in log.select(
            "select seat, seq, since, due from clocks where game = ? order by due, seat", (game,)
        )
    ]


def overdue(log: Database, now: int) -> list[str]:
    """The games in which a seat's time is out, the longest first."""
    found = log.select("select game from clocks where due <= ? group by game order by min(due), game", (now,))
    return [game for (game,) in found]
