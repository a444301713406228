"""A game at one moment: loaded from the log, by way of the newest snapshot that still stands.

Snapshots are a cache. One holds the state after a standing move, which is the same for ever, and the
timeline after the row it was written with. Deleting or damaging them changes nothing; those of another
reducer version are void. What is loaded has been held to the chain for the last `WATCHED` rows, so that a
change of the file is noticed before anything is built on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, cast

import msgspec
from msgspec import msgpack

from events.codec import Codec
from events.digest import SEAL, seal
from events.errors import Damaged, NoSuchEvent, NoSuchGame
from events.log import Database, Store, checked
from events.model import CREATED, GameCreated, Row
from projections.fold import Reducers, add_draws, fold, packed
from projections.timeline import Run, Timeline

#: So many rows before the end are held to the chain at each load; `verify` takes all.
WATCHED = 1024
#: A snapshot is written every so many rows.
EVERY = 64


class Projector(NamedTuple):
    """What of a game the fold needs: its codec, reducers and how a state begins.

    `version` names the reducers: snapshots of another version are void.
    """

    codec: Codec[Any, Any, Any]
    reducers: Reducers
    state_type: Any
    begin: Callable[[GameCreated[Any, Any]], Any]
    version: str


class Position(msgspec.Struct):
    """A game after row `timeline.seq`: its creation, what stands, its state and what chance drew so far."""

    game: str
    created: GameCreated[Any, Any]
    timeline: Timeline
    state: Any
    draws: dict[str, int]
    snapped: int = 0

    @property
    def seq(self) -> int:
        """The last row."""
        return self.timeline.seq


class _Snapshot(msgspec.Struct, array_like=True):
    timeline: Timeline
    draws: dict[str, int]


_snapshots: msgpack.Decoder[_Snapshot] = msgpack.Decoder(_Snapshot)
_states: dict[Any, msgpack.Decoder[Any]] = {}


def slug_of(row: Row) -> str:
    """The slug in a creation's row, found before its game is known.

    :raises Damaged: it is no creation
    """

    try:
        if row.kind != CREATED:
            raise Damaged(row.game, row.seq, "the log does not begin with the game's creation")
        return _slugs.decode(row.data).slug
    except (msgspec.MsgspecError, RecursionError) as error:
        raise Damaged(row.game, row.seq, f"it cannot be read: {error}") from error


class _Slug(msgspec.Struct):
    slug: str


_slugs: msgspec.json.Decoder[_Slug] = msgspec.json.Decoder(_Slug)


def first_row(log: Database, game: str) -> Row:
    """The row of a game's creation.

    :raises NoSuchGame: there is none; Damaged: the game has rows, but not this one
    """
    row = log.row(game, 1)
    if row is None:
        raise Damaged(game, 1, "it is missing") if log.last(game) else NoSuchGame(game)
    return row


def load(log: Database, projector: Projector, first: Row, upto: int | None = None) -> Position:
    """The position of the game created in `first`, after row `upto` (the last one, if None).

    :raises NoSuchEvent: the log is shorter or `upto` no event number
    :raises Damaged: the log is not as it was written
    """
    game = first.game
    created = cast("GameCreated[Any, Any]", projector.codec.decode(first))
    listed = next(log.select("select events from games where game = ?", (game,)), (0,))[0]
    last = log.last(game)  # asked after the list, which is never ahead
    if listed > last:
        raise Damaged(game, last + 1, f"it is missing: the list of games knows of {listed} events")
    end = last if upto is None else upto
    if not 1 <= end <= last:
        raise NoSuchEvent(game, end, last)
    timeline, from_snapshot = _timeline(log, projector, game, end)
    start = max(0, end - WATCHED)
    previous = log.row(game, start) if start else None
    tail = list(checked(log.rows(game, start, end), previous.digest if previous else b"", start))
    if len(tail) != end - start:
        raise Damaged(game, start + len(tail) + 1, "it is missing")
    for row in log.rows(game, timeline.seq, start) if timeline.seq < start else ():
        _note(projector, timeline, row)
    for row in tail:
        if row.seq > timeline.seq:
            _note(projector, timeline, row)
    state, draws, done = _state(log, projector, game, timeline) or (projector.begin(created), {}, 0)
    position = Position(game, created, timeline, state, draws, from_snapshot)
    for run in timeline.after(done):
        _apply(log, projector, position, run, tail, start)
    return position


def _note(projector: Projector, timeline: Timeline, row: Row) -> None:
    if row.schema != projector.codec.schema:
        projector.codec.lifts(row)  # what a newer turnlog wrote may mean something else
    try:
        timeline.note(row.kind, row.seq, row.data)
    except (ValueError, msgspec.MsgspecError) as error:
        raise Damaged(row.game, row.seq, str(error)) from error


def _apply(log: Database, projector: Projector, position: Position, run: Run, tail: list[Row], start: int) -> None:
    first, last = run
    rows = log.rows(position.game, first - 1, last) if first <= start else tail[first - start - 1 : last - start]
    deed = projector.codec.deed
    for row in rows:
        done = deed(row)
        try:
            fold(projector.reducers, position.state, done.facts)
        except (ValueError, LookupError, TypeError, AttributeError, AssertionError) as error:
            raise Damaged(row.game, row.seq, f"its facts do not fit the game before it ({error!r})") from error
        add_draws(position.draws, done.draws)


def _timeline(log: Database, projector: Projector, game: str, end: int) -> tuple[Timeline, int]:
    """The newest timeline kept at or before row `end`, and its row; an empty one if there is none."""
    for seq, head, blob in log.select(
        "select seq, head, timeline from snapshots where game = ? and version = ? and seq <= ? order by seq desc",
        (game, projector.version, end),
    ):
        try:
            return _snapshots.decode(_unsealed(blob, game, seq, head, projector.version)).timeline, seq
        except msgspec.MsgspecError:  # a cache: what cannot be read is not there
            continue
    return Timeline(), 0


def _state(
    log: Database, projector: Projector, game: str, timeline: Timeline
) -> tuple[Any, dict[str, int], int] | None:
    """The newest kept state whose move stands, its draws and that move."""
    decoder = _states.get(projector.state_type)
    if decoder is None:
        decoder = _states[projector.state_type] = msgpack.Decoder(projector.state_type)
    about = (game, projector.version)
    kept: list[tuple[int, int]] = [
        (head, seq)
        for head, seq in log.select(
            "select head, seq from snapshots where game = ? and version = ? and head <= ?", (*about, timeline.head)
        )
        if timeline.stands(head)
    ]
    for head, seq in sorted(kept, reverse=True):
        for timeline_blob, state in log.select(
            "select timeline, state from snapshots where game = ? and version = ? and seq = ?", (*about, seq)
        ):
            key = (game, seq, head, projector.version)
            try:
                draws = _snapshots.decode(_unsealed(timeline_blob, *key)).draws
                return decoder.decode(_unsealed(state, *key)), draws, head
            except msgspec.MsgspecError:
                continue
    return None


def _unsealed(blob: bytes, *about: str | int) -> bytes:
    """The content of a sealed blob.

    :raises msgspec.DecodeError: it is not what was written
    """
    content = blob[SEAL:]
    if seal(content, *about) != blob[:SEAL]:
        raise msgspec.DecodeError("its seal is broken")
    return content


def due(position: Position) -> bool:
    """Whether the last snapshot is so long ago that another one is to be written."""
    return position.timeline.seq - position.snapped >= EVERY


def keep(store: Store, projector: Projector, position: Position) -> None:
    """Writes a snapshot of `position`, if one is due."""
    if not due(position):
        return
    key = (position.game, position.timeline.seq, position.timeline.head, projector.version)
    state = packed(position.state, position.game, position.timeline.head)
    contents = (msgpack.encode(_Snapshot(position.timeline, position.draws)), state)
    store.execute(
        "insert into snapshots (game, seq, head, version, timeline, state) values (?, ?, ?, ?, ?, ?) "
        "on conflict (game, seq) do update set head = excluded.head, version = excluded.version, "
        "timeline = excluded.timeline, state = excluded.state",
        (*key, *(seal(content, *key) + content for content in contents)),
    )
    position.snapped = position.timeline.seq
