"""Walking through a log: each event with the state after it, and whether it stands."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from engines.registry import game_of
from engines.table import Entry
from events.model import COMMENTS, GameClosed, GameCreated, MoveMade
from events.sqlite import SqliteLog
from projections.fold import fold
from projections.position import first_row, load, slug_of
from projections.timeline import Timeline, timeline_of


class Step(NamedTuple):
    """An event, the time it was written, and the state after it. The state is the walk's own: do not keep it."""

    entry: Entry
    at: int
    state: Any
    stands: bool


def steps(log: SqliteLog, game_id: str, *, undone: bool = False) -> Iterator[Step]:
    """Each event of a game, in order; moves that were taken back and what took them back only if `undone`.

    The state of an undone move is the one after it; after an undo it is the one gone back to.
    """
    first = first_row(log, game_id)
    game = game_of(slug_of(first))
    projector = game.projector
    final = timeline_of(log.rows(game_id))
    state: Any = None
    for row in log.rows(game_id):
        event = projector.codec.decode(row)
        move = isinstance(event, MoveMade | GameCreated)
        stands = final.stands(row.seq) if move else True
        shown = undone or (stands and (move or row.kind in COMMENTS or isinstance(event, GameClosed)))
        if not shown:
            continue
        if isinstance(event, GameCreated):
            state = projector.begin(event)
        if isinstance(event, MoveMade | GameCreated):
            fold(projector.reducers, state, event.facts)
        elif undone:
            state = load(log, projector, first, row.seq).state
        yield Step(Entry(row.seq, event), row.at, state, stands)


def final_timeline(log: SqliteLog, game_id: str) -> Timeline:
    """What stands at the end of a game's log."""
    return timeline_of(log.rows(game_id))
