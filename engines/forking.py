"""A new game from a moment of another one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from msgspec import structs, to_builtins

from engines.creation import check_id
from engines.kit.bots import Programs
from engines.kit.chance import Chance
from engines.kit.errors import Refusal
from engines.kit.secrecy import REFEREE, Viewer
from engines.table import Entry, Table
from events.digest import fingerprint
from events.errors import NoSuchEvent
from events.model import GameCreated, MoveMade, Origin
from projections.fold import fold


def fork(
    source: Table,
    new_id: str,
    *,
    viewer: Viewer,
    same_chance: bool,
    now: int,
    secret: Callable[[], str],
    programs: Programs | None = None,
) -> tuple[Table, list[Entry]]:
    """Starts a game where `source` stands.

    The referee's fork takes the standing events along; what chance draws from there on is new, unless
    `same_chance`. No clock runs in a fork.
    A seat's or spectator's fork begins with a guess at what that viewer cannot see, and has no past.
    Gives the new table and the entries that are not copies: none, or what bots played at once.
    :raises Refusal: a viewer's log is forked as somebody else, or with a chance it does not know, or a seat's
        program may not be started
    """
    check_id(new_id)
    created = source.created
    if created.seen_by and (viewer == REFEREE or same_chance):
        raise Refusal(
            f"game {source.id} is the log as {created.seen_by} saw it: what was hidden has to be guessed",
            f"`turnlog fork {source.id} --as {created.seen_by}`",
        )
    if same_chance and viewer != REFEREE:
        raise Refusal("the chance to come is hidden from a seat: a guess is forked with new chance")
    seed, salt = (created.seed, created.salt) if same_chance else (secret(), secret())
    shared: dict[str, Any] = {
        "seed": seed,
        "salt": salt,
        "stack": created.stack if same_chance else {},
        "seed_digest": created.seed_digest if same_chance else fingerprint(f"{salt}/{seed}"),
        "seen_by": "",
        "clock": None,
    }
    if viewer != REFEREE:
        return _guessed(source, new_id, viewer, shared, now, programs)
    moves = [entry.event for entry in standing(source)[1:]]
    copied = len(moves) + 1
    foreign = min(copied, foreign_events(created)) if same_chance else copied
    origin = Origin(source.id, source.seq, copied, same_chance=same_chance, foreign=foreign)
    begun: GameCreated[Any, Any] = structs.replace(created, origin=origin, **shared)
    state = source.game.projector.begin(begun)
    fold(source.game.projector.reducers, state, begun.facts)
    table, entries = Table.started(
        source.log,
        new_id,
        source.game,
        begun,
        state,
        now=now,
        request=None,
        bots=True,
        programs=programs,
        moves=cast("list[MoveMade[Any, Any]]", moves),
    )
    return table, entries[len(moves) + 1 :]


def foreign_events(created: GameCreated[Any, Any]) -> int:
    """How many events at the beginning of a game were drawn by another chance than its seed."""
    origin = created.origin
    if origin is None:
        return 0
    return origin.foreign if origin.same_chance else origin.copied  # older logs do not say `foreign`


def _guessed(
    source: Table,
    new_id: str,
    viewer: Viewer,
    shared: dict[str, Any],
    now: int,
    programs: Programs | None,
) -> tuple[Table, list[Entry]]:
    game = source.game
    guess = game.view.guess(game.concealed(source.state, viewer), viewer, Chance(shared["seed"]))
    begun: GameCreated[Any, Any] = structs.replace(
        source.created,
        facts=(),
        draws={},
        position=to_builtins(guess),
        next=game.rules.to_move(guess),
        outcome=game.rules.outcome(guess),
        origin=Origin(source.id, source.seq, 0, viewer),
        **shared,
    )
    table, entries = Table.started(
        source.log, new_id, game, begun, guess, now=now, request=None, bots=True, programs=programs
    )
    return table, entries[1:]


def standing(table: Table) -> list[Entry]:
    """The creation and the moves that stand, in order."""
    return [
        Entry(row.seq, table.event(row))
        for first, last in table.position.timeline.standing
        for row in table.log.rows(table.id, first - 1, last)
    ]


def at_event(table: Table, seq: int) -> Table:
    """The same game as it stood after event `seq`.

    :raises NoSuchEvent: there is none
    """
    if not 1 <= seq <= table.seq:
        raise NoSuchEvent(table.id, seq, table.seq)
    return Table(table.log, table.id, at=seq)
