"""A game told step by step for one viewer: what reports, pages and the terminal player are made of."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from msgspec import Struct

from engines.kit.boards import Board
from engines.kit.secrecy import Viewer
from engines.seeing import event_seen
from engines.table import Table
from engines.telling import told
from events.model import NOTED, Event, GameClosed, GameCreated, Noted
from replays.stepping import Step, steps


class Told(Struct, frozen=True):
    """One event as a viewer may know it.

    :param round: the view's `round`, 0 where a game has none
    :param to_move: names
    :param stands: false for a move that was taken back
    """

    seq: int
    at: int
    event: Event
    sentences: tuple[str, ...]
    round: int
    to_move: tuple[str, ...]
    stands: bool
    board: Board


class Note(NamedTuple):
    """A note and the event it is itself."""

    seq: int
    said: Noted


def walk(table: Table, viewer: Viewer, *, undone: bool = True) -> Iterator[Told]:
    """Each event of a game but the notes, with the board after it."""
    for (told_one,) in walk_for(table, (viewer,), undone=undone):
        yield told_one


def walk_for(table: Table, viewers: Sequence[Viewer], *, undone: bool = True) -> Iterator[tuple[Told, ...]]:
    """Each event of a game but the notes, as each of `viewers` may know it."""
    over = table.outcome is not None
    for step in steps(table, undone=undone):
        if not isinstance(step.entry.event, Noted):
            round_, to_move = _moment(table, step, viewers[0])
            yield tuple(_told_step(table, step, viewer, round_, to_move, over=over) for viewer in viewers)


def _moment(table: Table, step: Step, viewer: Viewer) -> tuple[int, tuple[str, ...]]:
    """The round and who is to move after a step; both are open to everybody."""
    game, names = table.game, table.names
    view = game.view.present(game.concealed(step.state, viewer), viewer, names)
    ended = isinstance(step.entry.event, GameClosed) or game.rules.outcome(step.state) is not None
    to_move = () if ended else tuple(names[seat] for seat in game.rules.to_move(step.state))
    return int(view.get("round") or 0), to_move


def _told_step(
    table: Table, step: Step, viewer: Viewer, round_: int, to_move: tuple[str, ...], *, over: bool
) -> Told:
    game = table.game
    event = event_seen(step.entry.event, viewer, over=over)
    board = game.drawn.board(game.concealed(step.state, viewer), viewer, table.names)
    told_ = tuple(sentences(table, event))
    return Told(step.entry.seq, step.at, event, told_, round_, to_move, step.stands, board)


def sentences(table: Table, event: Event) -> list[str]:
    """An event that has been made readable for its viewer, in sentences; of a fork, where it came from, too."""
    lines = told(table.game, table.names, event)
    if isinstance(event, GameCreated) and event.origin is not None:
        origin = event.origin
        begun = f"This game goes on from event {origin.seq} of game {origin.game}"
        if not origin.copied:
            who = "a spectator" if origin.guess_of is None else table.names[origin.guess_of]
            begun += f", with a guess at what {who} could not see"
        lines.append(f"{begun}.")
    return lines


def notes_by_event(table: Table) -> dict[int, list[Note]]:
    """The notes on a game, by the event they are about, in the order they were written.

    A note on a note is one on the same event.
    """
    found: dict[int, list[Note]] = {}
    about: dict[int, int] = {}
    for row in table.log.rows(table.id, 0, table.seq):
        if row.kind == NOTED:
            event = table.event(row)
            assert isinstance(event, Noted)
            about[row.seq] = about.get(event.about, event.about)
            found.setdefault(about[row.seq], []).append(Note(row.seq, event))
    return found


def note_text(names: Sequence[str], note: Note) -> str:
    """A note with its author."""
    return note.said.text if note.said.seat is None else f"{names[note.said.seat]}: {note.said.text}"


def result_words(table: Table) -> str:
    """How a game ended, in a sentence or two."""
    outcome = table.outcome
    if outcome is None:
        return "The game goes on."
    winners = ", ".join(table.names[seat] for seat in outcome.winners)
    ended = f"Won by {winners}: {outcome.reason}." if winners else f"Nobody won: {outcome.reason}."
    scores = zip(table.names, outcome.scores, strict=True)
    scored = ", ".join(f"{name} {score}" for name, score in scores if score is not None)
    return f"{ended} Scores: {scored}." if scored else ended
