"""Events told in sentences, as a match report does."""

from __future__ import annotations

from collections.abc import Sequence

from engines.kit.game import Game
from engines.kit.secrecy import Viewer, seen
from engines.learning import Lesson
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
        why = f": {event.reason}" if isinstance(event, MovesUndone) and event.reason else ""
        return [f"{_events(event.first, event.last)} {back}{by_whom(names, event)}{why}."]
    if isinstance(event, Noted):
        by = "" if event.seat is None else f" by {names[event.seat]}"
        return [f"Note on event {event.about}{by}: {event.text}"]
    return [f"The game is closed: {event.outcome.reason}."]


def by_whom(names: Names, event: MovesUndone | MovesRedone) -> str:
    """Who took moves back or put them back, and who agreed; begins with a blank, empty if nobody is named."""
    if event.seat is None:
        return ""
    if not event.agreed:
        return f" by {names[event.seat]}"
    return f" at {names[event.seat]}'s request, agreed by {joined([names[seat] for seat in event.agreed])}"


def taught(game: Game, names: Names, lesson: Lesson, viewer: Viewer) -> str | None:
    """The fact by which a seat learned something, in the words in which `viewer` knows it; None where it was the
    move itself.
    """
    return None if lesson.fact is None else game.drawn.tell(seen(lesson.fact, viewer, lesson.mover), names)


def joined(words: Sequence[str]) -> str:
    """Words as a sentence has them: `ada, bo and cy`."""
    *others, last = words
    return f"{', '.join(others)} and {last}" if others else last


def _events(first: int, last: int) -> str:
    return f"Event {first} is" if first == last else f"Events {first} to {last} are"
