"""A game told step by step for one viewer: what reports, pages and the terminal player are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from msgspec import Struct

from engines.kit.boards import Board
from engines.kit.secrecy import Viewer
from engines.seeing import event_seen
from engines.table import Table
from engines.telling import told
from events.model import Event, Noted
from replays.stepping import Step, steps


class Told(Struct, frozen=True):
    """One event as a viewer may know it.

    :param round: the view's `round`, 0 where a game has none
    :param scores: by name, as they stand; `to_move` names
    :param stands: false for a move that was taken back
    """

    seq: int
    at: int
    event: Event
    sentences: tuple[str, ...]
    round: int
    scores: dict[str, Any]
    to_move: tuple[str, ...]
    stands: bool
    board: Board


def walk(table: Table, viewer: Viewer, *, undone: bool = True) -> Iterator[Told]:
    """Each event of a game, with the board after it."""
    over = table.outcome is not None
    for step in steps(table.log, table.id, undone=undone):
        yield told_step(table, step, viewer, over=over)


def told_step(table: Table, step: Step, viewer: Viewer, *, over: bool) -> Told:
    """A step as `viewer` may know it."""
    game, names = table.game, table.names
    event = event_seen(step.entry.event, viewer, over=over)
    state = game.concealed(step.state, viewer)
    view = game.view.present(state, viewer, names)
    ended = game.rules.outcome(step.state) is not None
    return Told(
        step.entry.seq,
        step.at,
        event,
        tuple(told(game, names, event)),
        int(view.get("round") or 0),
        view["scores"],
        () if ended else tuple(names[seat] for seat in game.rules.to_move(step.state)),
        step.stands,
        game.drawn.board(state, viewer, names),
    )


def notes_by_event(table: Table) -> dict[int, list[Noted]]:
    """The notes on a game, by the event they are about, in the order they were written."""
    found: dict[int, list[Noted]] = {}
    for row in table.log.rows(table.id):
        if row.kind == "noted":
            event = table.game.projector.codec.decode(row)
            assert isinstance(event, Noted)
            found.setdefault(event.about, []).append(event)
    return found


def note_text(names: Sequence[str], note: Noted) -> str:
    """A note with its author."""
    return note.text if note.seat is None else f"{names[note.seat]}: {note.text}"
