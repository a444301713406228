"""The lists that users query: `games`, a row a game, and `results`, a row a seat of a finished game.

Both are written in the transaction that appends, from the events alone, and equal to what `rebuild`
makes out of the whole log. The view `standings` sums the results up.
The clocks of games that have one are kept likewise (`projections.turns`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec

from events.errors import Damaged
from events.log import Query, Store
from events.model import Clock, Outcome, Row
from projections.timeline import Timeline


class _Head(msgspec.Struct):
    next: tuple[int, ...] = ()
    outcome: Outcome | None = None


class _Clock(NamedTuple):
    """A game's pace, and the seats whose clocks run."""

    pace: int
    seats: tuple[int, ...]


class _Created(_Head):
    slug: str = ""
    seats: tuple[str, ...] = ()
    clock: Clock | None = None
    seen_by: str = ""


_RESULT = "game, seat, slug, name, score, won, shared"

_heads: msgspec.json.Decoder[_Head] = msgspec.json.Decoder(_Head)
_creations: msgspec.json.Decoder[_Created] = msgspec.json.Decoder(_Created)


def _data(query: Query, game: str, seq: int) -> str:
    for (data,) in query("select data from events where game = ? and seq = ?", (game, seq)):
        return data
    raise LookupError(seq)


def update(store: Store, game: str, timeline: Timeline, rows: Sequence[Row]) -> None:
    """Brings the lists up to date with `rows`, the newest ones of `game`, after which `timeline` holds."""
    row = rows[-1]
    if timeline.changed < rows[0].seq:  # comments only
        store.execute(
            "update games set events = ?, touched = ?, digest = ? where game = ?",
            (row.seq, row.at, row.digest.hex().upper(), game),
        )
        return
    values, results, clock = _entry(store.execute, game, timeline, row)
    if clock is not None:
        from projections.turns import keep_clocks

        keep_clocks(store, game, clock.pace, rows, clock.seats)
    if rows[0].seq == 1:
        values["created"] = rows[0].at
        store.execute(
            f"insert into games ({', '.join(values)}) values ({', '.join('?' * len(values))})",
            tuple(values.values()),
        )
    else:
        store.execute(
            f"update games set {', '.join(f'{name} = ?' for name in values)} where game = ?",
            (*values.values(), game),
        )
        store.execute("delete from results where game = ?", (game,))
    for result in results:
        store.execute(f"insert into results ({_RESULT}) values (?, ?, ?, ?, ?, ?, ?)", result)


def _entry(
    query: Query, game: str, timeline: Timeline, row: Row
) -> tuple[dict[str, Any], list[tuple[str | int | None, ...]], _Clock | None]:
    """The row of a game in the list, but for when it was created, its results and its clock; `row` is its last."""
    created = _creations.decode(_data(query, game, 1))
    head = _heads.decode(_data(query, game, timeline.head)) if timeline.head > 1 else created
    outcome, state = head.outcome, "over" if head.outcome else "playing"
    if timeline.closed:
        outcome, state = _heads.decode(_data(query, game, timeline.closed)).outcome, "closed"
    names = created.seats
    for seat in (*head.next, *(outcome.winners if outcome else ())):
        if not 0 <= seat < len(names):
            raise Damaged(game, timeline.closed or timeline.head, f"it has no seat {seat}")
    to_move = [names[seat] for seat in head.next] if state == "playing" else []
    values: dict[str, Any] = {
        "game": game,
        "slug": created.slug,
        "seats": msgspec.json.encode(names).decode(),
        "events": row.seq,
        "moves": timeline.moves(),
        "state": state,
        "to_move": msgspec.json.encode(to_move).decode(),
        "winners": msgspec.json.encode([names[seat] for seat in outcome.winners] if outcome else []).decode(),
        "reason": outcome.reason if outcome else "",
        "touched": row.at,
        "digest": row.digest.hex().upper(),
    }
    results: list[tuple[str | int | None, ...]] = []
    if outcome is not None and state != "closed":
        for seat, name in enumerate(names):
            won = seat in outcome.winners
            shared = won and len(outcome.winners) > 1
            results.append((game, seat, created.slug, name, outcome.scores[seat], int(won), int(shared)))
    clock = None
    if created.clock is not None and not created.seen_by:
        clock = _Clock(created.clock.pace, head.next if to_move else ())
    return values, results, clock


def difference(query: Query, timeline: Timeline, first: Row, last: Row) -> str | None:
    """What the lists say of a game otherwise than its log, whose first and last rows are given."""
    game = first.game
    values, results, clock = _entry(query, game, timeline, last)
    values["created"] = first.at
    listed = list(query(f"select {', '.join(values)} from games where game = ?", (game,)))
    if len(listed) != 1:
        return "it is not in the list of games"
    for (name, value), found in zip(values.items(), listed[0], strict=True):
        if found != value:
            return f"the list of games has {name} {found!r}, the log {value!r}"
    if list(query(f"select {_RESULT} from results where game = ? order by seat", (game,))) != results:
        return "its rows in the results are not those of its log"
    clocks = [seat for (seat,) in query("select seat from clocks where game = ? order by seat", (game,))]
    if clocks != sorted(clock.seats if clock is not None else ()):
        return "the clocks that run in it are not those of its log"
    return None


def forget(store: Store, game: str) -> None:
    """Takes a game out of the lists, before they are made anew."""
    for table in ("games", "results", "clocks"):
        store.execute(f"delete from {table} where game = ?", (game,))
