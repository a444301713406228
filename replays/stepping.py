"""Walking through a log: each event with the state after it, and whether it stands.

A walk begins at the position that stands before its first event, wherever that is, and folds on from there. One
through what was taken back keeps states on its way, so that an undo goes back to one of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import msgpack

from engines.table import Entry, Table
from events.errors import Damaged
from events.model import COMMENTS, Event, GameClosed, GameCreated, MoveMade, Row
from projections.fold import fold, packed
from projections.position import first_row, load
from projections.timeline import Timeline

#: A walk through undone moves keeps a state every so many moves.
_KEPT_EVERY = 16


class Step(NamedTuple):
    """An event, the time it was written, and the state after it. The state is the walk's own: do not keep it."""

    entry: Entry
    at: int
    state: Any
    stands: bool


def steps(table: Table, *, undone: bool = False, first: int = 1, last: int | None = None) -> Iterator[Step]:
    """The events of a game from `first` to `last`; moves taken back and what took them back only if `undone`.

    The state of an undone move is the one after it; after an undo it is the one gone back to.
    """
    last = table.seq if last is None else min(last, table.seq)
    return _all(table, first, last) if undone else _standing(table, first, last)


def _standing(table: Table, first: int, last: int) -> Iterator[Step]:
    timeline = table.position.timeline
    state = _before(table, first)
    for row in table.log.rows(table.id, first - 1, last):
        event = table.event(row)
        if isinstance(event, MoveMade | GameCreated):
            if not timeline.stands(row.seq):
                continue
            state = _after(table, state, row, event)
        elif not (row.kind in COMMENTS or isinstance(event, GameClosed)):
            continue
        yield Step(Entry(row.seq, event), row.at, state, True)


def _before(table: Table, first: int) -> Any:
    """The state after the last standing move before row `first`; None before the creation."""
    earlier = [min(end, first - 1) for begin, end in table.position.timeline.standing if begin < first]
    # Whatever stands now before a move that stands now stood when it was made.
    return _loaded(table, earlier[-1]) if earlier else None


def _loaded(table: Table, seq: int) -> Any:
    return load(table.log, table.game.projector, first_row(table.log, table.id), seq).state


def _after(table: Table, state: Any, row: Row, event: GameCreated[Any, Any] | MoveMade[Any, Any]) -> Any:
    projector = table.game.projector
    if isinstance(event, GameCreated):
        state = projector.begin(event)
    try:
        fold(projector.reducers, state, event.facts)
    except (ValueError, LookupError, TypeError, AttributeError, AssertionError) as error:
        raise Damaged(row.game, row.seq, f"its facts do not fit the game before it ({error!r})") from error
    return state


def _all(table: Table, first: int, last: int) -> Iterator[Step]:
    final = table.position.timeline
    walked = _Walked(table, first)
    for row in table.log.rows(table.id, first - 1, last):
        event = table.event(row)
        state = walked.take(row, event)
        stands = final.stands(row.seq) if isinstance(event, MoveMade | GameCreated) else True
        yield Step(Entry(row.seq, event), row.at, state, stands)


class _Walked:
    """The state along a log, undone moves and all."""

    def __init__(self, table: Table, first: int) -> None:
        self._table = table
        self._timeline = Timeline()
        self._state: Any = None
        #: Moves and the states after them, encoded.
        self._kept: list[tuple[int, bytes]] = []
        if first > 1:
            position = load(table.log, table.game.projector, first_row(table.log, table.id), first - 1)
            self._timeline, self._state = position.timeline, position.state
            self._keep(position.timeline.head)

    def take(self, row: Row, event: Event) -> Any:
        """The state after one more row."""
        head = self._timeline.head
        self._timeline.note(row.kind, row.seq, row.data)
        if isinstance(event, MoveMade | GameCreated):
            self._fold(row, event)
        elif self._timeline.head != head:
            self._go_back()
        return self._state

    def _fold(self, row: Row, event: GameCreated[Any, Any] | MoveMade[Any, Any]) -> None:
        self._state = _after(self._table, self._state, row, event)
        if not self._kept or row.seq - self._kept[-1][0] >= _KEPT_EVERY:
            self._keep(row.seq)

    def _keep(self, seq: int) -> None:
        self._kept.append((seq, packed(self._state, self._table.id, seq)))

    def _go_back(self) -> None:
        """To where the timeline's head is now, by way of the last kept state that stands."""
        table, timeline = self._table, self._timeline
        while self._kept and not timeline.stands(self._kept[-1][0]):
            self._kept.pop()
        if not self._kept:  # before the walk's own beginning
            self._state = _loaded(table, timeline.seq)
            self._keep(timeline.head)
            return
        seq, state = self._kept[-1]
        self._state = msgpack.decode(state, type=table.game.state.State)
        for begin, end in timeline.after(seq):
            for row in table.log.rows(table.id, begin - 1, end):
                event = table.event(row)
                assert isinstance(event, MoveMade)
                self._fold(row, event)
