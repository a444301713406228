"""Requests to take moves back, in JSON and in words; what a viewer may not know of the moves is not told."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import structs

from engines.kit.secrecy import Viewer
from engines.learning import Lesson
from engines.seeing import event_seen
from engines.table import Table
from engines.telling import joined, taught
from events.model import MoveMade
from projections.takebacks import Takeback

#: So many moves are named in a text; JSON has all.
NAMED = 5


def takeback_document(table: Table, takeback: Takeback | None, viewer: Viewer) -> dict[str, Any] | None:
    """A request as `viewer` may know it. `moves` and `learned` are there as long as it is pending."""
    if takeback is None:
        return None
    names = table.names
    document: dict[str, Any] = {
        "state": takeback.state,
        "kind": "redo" if takeback.redo else "undo",
        "asked_by": names[takeback.seat],
        "first": takeback.first,
        "last": takeback.last,
        "reason": takeback.reason,
        "agreed": [names[seat] for seat in takeback.agreed],
        "waiting_for": [names[seat] for seat in takeback.waiting],
        "refused_by": None if takeback.by is None else names[takeback.by],
    }
    if takeback.state == "asked":
        document["moves"] = [
            {"seq": seq, "seat": names[move.seat], "move": table.game.grammar.spell(move.move)}
            for seq, move in _moves(table, takeback, viewer)
        ]
        document["learned"] = [
            {"seat": names[lesson.seat], "seq": lesson.seq, "told": told}
            for lesson, told in _learned(table, takeback, viewer)
        ]
    return document


def takeback_lines(table: Table, takeback: Takeback | None, viewer: Viewer, *, how: bool = True) -> Iterator[str]:
    """A request as `viewer` may know it, in sentences; of a granted one the log tells.

    :param how: whether to say by which command it is answered
    """
    if takeback is None or takeback.state == "granted":
        return
    names = table.names
    asker = names[takeback.seat]
    if takeback.state == "lapsed":
        yield f"{asker}'s takeback request lapsed."
    elif takeback.state == "withdrawn":
        yield f"{asker}'s takeback request is withdrawn."
    elif takeback.state == "refused":
        assert takeback.by is not None
        yield f"{names[takeback.by]} does not agree: {asker}'s takeback request is over."
    else:
        yield from _asked_lines(table, takeback, viewer, how=how)


def _asked_lines(table: Table, takeback: Takeback, viewer: Viewer, *, how: bool) -> Iterator[str]:
    names = table.names
    moves = [
        f"event {seq} ({names[move.seat]}: {table.game.grammar.spell(move.move)})"
        for seq, move in _moves(table, takeback, viewer)
    ]
    if len(moves) > NAMED:
        moves = [*moves[:NAMED], f"{len(moves) - NAMED} more"]
    back = "put back" if takeback.redo else "take back"
    why = f". Why: {takeback.reason}" if takeback.reason else ""
    yield f"{names[takeback.seat]} asks to {back} {joined(moves)}{why}."
    for lesson, told in _learned(table, takeback, viewer):
        yield f"{names[lesson.seat]} learned something by event {lesson.seq}" + (f": {told}" if told else ".")
    if takeback.agreed:
        yield f"Agreed: {joined([names[seat] for seat in takeback.agreed])}."
    waiting = joined([names[seat] for seat in takeback.waiting])
    yield f"Waiting for {waiting}" + (f": turnlog agree {table.id} --as SEAT, or with --no." if how else ".")


def _moves(table: Table, takeback: Takeback, viewer: Viewer) -> Iterator[tuple[int, MoveMade[Any, Any]]]:
    for seq, event in table.asked_about(takeback):
        shown = event_seen(event, viewer, over=False)
        assert isinstance(shown, MoveMade)
        yield seq, shown


def _learned(table: Table, takeback: Takeback, viewer: Viewer) -> Iterator[tuple[Lesson, str | None]]:
    """What persons learned, and by what, as far as both the person and `viewer` saw it."""
    for lesson in table.lessons_of(takeback):
        if lesson.fact is None:  # the move itself: its first consequence stands for it
            moves = dict(_moves(table, takeback, lesson.seat))
            lesson = structs.replace(lesson, fact=next(iter(moves[lesson.seq].facts), None))
        yield lesson, taught(table.game, table.names, lesson, viewer)
