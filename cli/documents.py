"""The JSON shapes that scripts rely on, and the same things in words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec import to_builtins

from cli.session import viewer_name
from engines.consent import ASK
from engines.decide import NEAREST
from engines.kit.game import Game
from engines.kit.offers import Offers, listed
from engines.kit.secrecy import Viewer
from engines.seeing import event_seen
from engines.table import Entry, Table
from events.model import (
    KINDS,
    GameClosed,
    GameCreated,
    MoveMade,
    MovesRedone,
    MovesUndone,
    Noted,
    Outcome,
)
from projections.takebacks import Takeback

Names = tuple[str, ...]


def named(names: Names, seats: Iterable[int]) -> list[str]:
    """The names of seats."""
    return [names[seat] for seat in seats]


def result(names: Names, outcome: Outcome | None) -> dict[str, Any] | None:
    """How a game ended: winners by name, scores by name, reason."""
    if outcome is None:
        return None
    return {
        "winners": named(names, outcome.winners),
        "scores": dict(zip(names, outcome.scores, strict=True)),
        "reason": outcome.reason,
    }


def event_document(game: Game, names: Names, entry: Entry) -> dict[str, Any]:
    """An event that has been made readable for its viewer."""
    seq, event = entry
    seat = None if isinstance(event, GameCreated) else event.seat
    document: dict[str, Any] = {
        "seq": seq,
        "kind": KINDS[type(event)],
        "seat": None if seat is None else names[seat],
        "move": game.grammar.spell(event.move) if isinstance(event, MoveMade) else None,
        "facts": to_builtins(event.facts) if isinstance(event, GameCreated | MoveMade) else [],
    }
    if isinstance(event, MoveMade):
        document["by"] = event.by
        if event.remark:
            document["remark"] = event.remark
    elif isinstance(event, MovesUndone | MovesRedone):
        document |= {"first": event.first, "last": event.last}
        if event.agreed:
            document["agreed"] = named(names, event.agreed)
        if isinstance(event, MovesUndone) and event.reason:
            document["reason"] = event.reason
    elif isinstance(event, Noted):
        document |= {"about": event.about, "text": event.text}
    elif isinstance(event, GameClosed):
        document["reason"] = event.outcome.reason
    else:
        document["created"] = creation_document(event)
    return document


def creation_document(event: GameCreated[Any, Any]) -> dict[str, Any]:
    """What was chosen when a game was made; seed, salt and stack are there once they are open."""
    document: dict[str, Any] = {
        "slug": event.slug,
        "seats": list(event.seats),
        "options": event.options,
        "undo": event.undo,
        "rules": event.rules,
        "seed_digest": event.seed_digest,
    }
    if event.seed:
        document |= {"seed": event.seed, "salt": event.salt, "stack": event.stack}
    if event.origin is not None:
        document["origin"] = to_builtins(event.origin)
    return document


def batch_document(
    table: Table, entries: Sequence[Entry], viewer: Viewer, *, dry_run: bool = False
) -> dict[str, Any]:
    """The answer to a command that changes a game; of a dry run, as far as it can be known."""
    over = table.outcome is not None
    seen = [Entry(seq, event_seen(event, viewer, over=over)) for seq, event in entries]
    to_move, outcome = table.to_move, table.outcome
    last = entries[-1].event if entries else None
    if dry_run and isinstance(last, MoveMade):
        to_move, outcome = last.next, last.outcome
    document: dict[str, Any] = {
        "game": table.id,
        "seq": entries[-1].seq if entries else table.seq,
        "events": [event_document(table.game, table.names, entry) for entry in seen],
        "to_move": named(table.names, to_move),
        "result": result(table.names, outcome),
    }
    if table.created.undo == ASK:
        document["takeback"] = _takeback(table, table.takeback, viewer)
    if dry_run:
        document["dry_run"] = True
        document["partial"] = isinstance(last, MoveMade) and bool(last.remark)
    return document


def show_document(table: Table, viewer: Viewer) -> dict[str, Any]:
    """The answer to `show`."""
    state = table.game.concealed(table.state, viewer)
    document = {
        "game": table.id,
        "slug": table.game.slug,
        "seq": table.seq,
        "as": viewer_name(table.names, viewer),
        "to_move": named(table.names, table.to_move),
        "seats": list(table.names),
        "view": table.game.view.present(state, viewer, table.names),
        "result": result(table.names, table.outcome),
    }
    if table.created.undo == ASK:
        document["takeback"] = _takeback(table, table.pending, viewer)
    return document


def _takeback(table: Table, takeback: Takeback | None, viewer: Viewer) -> dict[str, Any] | None:
    from cli.takebacks import takeback_document

    return takeback_document(table, takeback, viewer)


def takeback_words(table: Table, takeback: Takeback | None, viewer: Viewer) -> list[str]:
    """A request to take moves back in sentences, as `viewer` may know it; none if there is none."""
    if takeback is None:
        return []
    from cli.takebacks import takeback_lines

    return list(takeback_lines(table, takeback, viewer))


def moves_document(table: Table, seat: int | None, offers: Offers) -> dict[str, Any]:
    """The answer to `moves`."""
    return {
        "game": table.id,
        "seq": table.seq,
        "seat": None if seat is None else table.names[seat],
        **listed(table.game.grammar, offers),
    }


def what_next(table: Table) -> list[str]:
    """What can be typed next, in words."""
    outcome = table.outcome
    if outcome is not None:
        winners = ", ".join(named(table.names, outcome.winners)) or "nobody"
        scores = ", ".join(
            f"{name} {score}" for name, score in zip(table.names, outcome.scores, strict=True) if score is not None
        )
        return [f"Over: {winners} won, {outcome.reason}." + (f" Scores: {scores}." if scores else "")]
    lines: list[str] = []
    for seat in table.to_move:
        patterns = [offer.pattern for offer in table.offers(seat) if next(iter(offer.moves()), None) is not None]
        lines.append(f"To move: {table.names[seat]} ({'; '.join(patterns[:NEAREST])})")
    return lines
