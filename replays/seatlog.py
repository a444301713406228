"""The log of a game as one viewer knew it: unknown values as their masks, importable and replayable as such.

Its rows are chained anew, since the digests of the whole log are functions of hidden cards, and its id is one of
its own, so that it can lie beside the game itself.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import convert, json, structs, to_builtins

from engines.kit.errors import Refusal
from engines.kit.secrecy import Viewer
from engines.seeing import event_seen
from engines.table import Table
from events.digest import ROOT, chained
from events.model import GameCreated

#: How a seat without one is called.
SPECTATOR = "spectator"


def seat_log_id(game: str, viewer: Viewer) -> str:
    """The id of a viewer's log of a game."""
    return f"{game[:54]}-as-{SPECTATOR[:4] if viewer is None else viewer + 1}"


def seat_log(table: Table, viewer: Viewer) -> Iterator[str]:
    """The lines of the log as `viewer` (a seat, or None for a spectator) may read it.

    :raises Refusal: it is a viewer's log already, and another one's
    """
    name = SPECTATOR if viewer is None else table.names[viewer]
    seen_by = table.created.seen_by
    if seen_by == name:
        return table.log.lines(table.id)
    if seen_by:
        raise Refusal(f"game {table.id} is the log as {seen_by} saw it: what {name} saw is not in it")
    return _lines(table, viewer, name)


def _lines(table: Table, viewer: Viewer, name: str) -> Iterator[str]:
    codec = table.game.projector.codec
    over = table.outcome is not None
    game = seat_log_id(table.id, viewer)
    digest = ROOT
    for row in table.log.rows(table.id, 0, table.seq):
        event = event_seen(table.event(row), viewer, over=over)
        if isinstance(event, GameCreated):
            event = structs.replace(event, seen_by=name, position=position_seen(table, event.position, viewer))
        data = codec.encode(event)
        digest = chained(digest, game, row.seq, row.at, row.kind, row.actor, codec.schema, None, data)
        head = json.encode(
            {
                "game": game,
                "seq": row.seq,
                "at": row.at,
                "kind": row.kind,
                "actor": row.actor,
                "schema": codec.schema,
                "request": None,
            }
        ).decode()
        yield f'{head[:-1]},"data":{data},"digest":"{digest.hex()}"}}'


def position_seen(table: Table, position: Any, viewer: Viewer) -> Any:
    """The state that a fork with a guess begins at, as `viewer` may see it."""
    if position is None:
        return None
    return to_builtins(table.game.concealed(convert(position, table.game.state.State), viewer))
