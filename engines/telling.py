"""Events told in sentences, as a match report does."""

from __future__ import annotations

from engines.kit.game import Game
from events.model import Event, GameCreated, MoveMade, MovesRedone, MovesUndone, Noted

Names = tuple[str, ...]


def told(game: Game, names: Names, event: Event) -> list[str]:
    """An event that has been made readable for its viewer, in sentences."""
    if isinstance(event, GameCreated | MoveMade):
        sentences = [game.drawn.tell(fact, names) for fact in event.facts]
        lines = [sentence for sentence in sentences if sentence]
        if isinstance(event, MoveMade) and event.remark:
            lines.append(event.remark)
        return lines
    if isinstance(event, MovesUndone | MovesRedone):
        back = "taken back" if isinstance(event, MovesUndone) else "put back"
        by = "" if event.seat is None else f" by {names[event.seat]}"
        why = f": {event.reason}" if isinstance(event, MovesUndone) and event.reason else ""
        return [f"{_events(event.first, event.last)} {back}{by}{why}."]
    if isinstance(event, Noted):
        by = "" if event.seat is None else f" by {names[event.seat]}"
        return [f"Note on event {event.about}{by}: {event.text}"]
    return [f"The game is closed: {event.outcome.reason}."]


def _events(first: int, last: int) -> str:
    return f"Event {first} is" if first == last else f"Events {first} to {last} are"
