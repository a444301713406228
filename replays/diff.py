"""What differs between two moments of a game, or between two games."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import zip_longest
from typing import Any, NamedTuple, cast

from msgspec import json

from engines.forking import standing
from engines.kit.errors import BadSetup
from engines.kit.secrecy import Viewer
from engines.seeing import event_seen
from engines.table import Entry, Table
from events.model import GameCreated
from replays.seatlog import position_seen


class Change(NamedTuple):
    """A place in the view, and what stands there on both sides; None where there is nothing."""

    path: str
    before: Any
    after: Any


class Parting(NamedTuple):
    """The first events that are not the same; None on a side whose log ends before."""

    one: Entry | None
    other: Entry | None


def changes(before: Any, after: Any, path: str = "") -> Iterator[Change]:
    """The places at which two documents differ, in order."""
    if isinstance(before, dict) and isinstance(after, dict):
        one, other = cast("dict[str, Any]", before), cast("dict[str, Any]", after)
        for key in [*one, *(key for key in other if key not in one)]:
            yield from changes(one.get(key), other.get(key), f"{path}.{key}" if path else key)
    elif _nested(before) and _nested(after):
        pairs = zip_longest(cast("list[Any]", before), cast("list[Any]", after))
        for place, (left, right) in enumerate(pairs):
            yield from changes(left, right, f"{path}[{place}]")
    elif before != after:
        yield Change(path, before, after)


def _nested(value: Any) -> bool:
    """Whether a value is a list of more than texts and numbers, to be compared place by place."""
    return isinstance(value, list) and any(isinstance(item, dict | list) for item in cast("list[Any]", value))


def view_changes(one: Table, other: Table, viewer: Viewer) -> list[Change]:
    """What `viewer` sees differently at two tables.

    :raises BadSetup: they are tables of different games
    """
    if one.game.slug != other.game.slug:
        raise BadSetup(f"{one.id} is a game of {one.game.slug}, {other.id} one of {other.game.slug}")
    return list(changes(_view(one, viewer), _view(other, viewer)))


def _view(table: Table, viewer: Viewer) -> Any:
    state = table.game.concealed(table.state, viewer)
    return json.decode(json.encode(table.game.view.present(state, viewer, table.names)))


def parting(one: Table, other: Table, viewer: Viewer) -> Parting | None:
    """The first standing events that differ for `viewer`; None if all are the same."""
    for left, right in zip_longest(standing(one), standing(other)):
        if left is None or right is None or _seen(one, left, viewer) != _seen(other, right, viewer):
            return Parting(left, right)
    return None


def _seen(table: Table, entry: Entry, viewer: Viewer) -> tuple[Any, ...]:
    """What a seat can tell of an event: who moved, the move, what followed. Of a creation: all that was chosen."""
    event: Any = event_seen(entry.event, viewer, over=False)
    if isinstance(entry.event, GameCreated):
        begun = position_seen(table, event.position, viewer)
        return (event.slug, event.seats, event.options, event.set, event.facts, begun)
    return (event.seat, event.move, event.facts)
