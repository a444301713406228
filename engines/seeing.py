"""Events as a viewer may read them."""

from __future__ import annotations

from typing import Any

from msgspec import structs

from engines.kit.secrecy import REFEREE, Viewer, seen
from events.model import Event, GameCreated, MoveMade

#: Stands for a seed or salt that is not open yet.
SEALED = ""


def event_seen(event: Event, viewer: Viewer, *, over: bool) -> Event:
    """The event as `viewer` may read it; seed, salt and stack open when the game is `over`."""
    if viewer == REFEREE:
        return event
    if isinstance(event, GameCreated):
        facts = tuple(seen(fact, viewer) for fact in event.facts)
        # A fork with the same chance would open the seed of a game that may still be going on.
        if over and not (event.origin and event.origin.same_chance):
            return structs.replace(event, facts=facts)
        return structs.replace(event, facts=facts, seed=SEALED, salt=SEALED, stack={})
    if isinstance(event, MoveMade):
        facts = facts_seen(event.facts, viewer, event.seat)
        move = seen(event.move, viewer, event.seat)
        # Whether anything was drawn would tell a secret move from another one.
        draws = event.draws if move == event.move else {}
        return structs.replace(event, move=move, facts=facts, draws=draws)
    return event


def facts_seen(facts: tuple[Any, ...], viewer: Viewer, actor: int | None) -> tuple[Any, ...]:
    """Facts as `viewer` may read them; `actor` is the seat whose move they followed from."""
    return tuple(seen(fact, viewer, actor) for fact in facts)
