"""Did a seat learn something by moves that are to be taken back? Computed, not declared.

For every seat, the mover too: the state before the moves with veils over what the seat may not see; each
move, as the seat saw it, is checked and carried out there again, with a chance that raises. A veil that is
touched, a draw, a refusal or a fact that differs from the recorded one: the seat learned something.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from engines.decide import refusal
from engines.kit.chance import DrawnAgain, NoChance
from engines.kit.game import Game
from engines.kit.offers import legal
from engines.kit.secrecy import Hidden, Veil, seen, veiled
from events.model import Event, MoveMade, Outcome


class Lesson(Struct, frozen=True):
    """What a seat learned: by which event, of whose move, and from which fact if it came to one."""

    seq: int
    seat: int
    mover: int
    fact: Any


def lessons(game: Game, seats: int, before: Any, moves: Sequence[tuple[int, Event]]) -> Iterator[Lesson]:
    """What seats learned by `moves`, made one after another on the state `before`; at most one a seat."""
    for seat in range(seats):
        state = veiled(before, game.concealed(before, seat))
        for seq, event in moves:
            if isinstance(event, MoveMade):
                learned = _lesson(game, state, seat, event)
                if learned is not None:
                    yield Lesson(seq, seat, event.seat, learned[0])
                    break


def _lesson(game: Game, state: Any, seat: int, event: MoveMade[Any, Any]) -> tuple[Any] | None:
    """The fact that taught (None where the move itself did) in a tuple, or None if nothing was learned."""
    move = seen(event.move, seat, event.seat)
    recorded: Iterable[Any] = [seen(fact, seat, event.seat) for fact in event.facts]
    reducers = game.projector.reducers
    fact = None
    try:
        if not _expected(game, state, seat, event, move):
            return (None,)
        rule = game.rules.play(state, event.seat, move, NoChance())
        for fact in recorded:
            again = next(rule, None)
            if again is None or not same(again, fact):
                return (fact,)
            reducers[type(fact)](state, fact)
        if next(rule, None) is not None:
            return (fact,)
    except (Hidden, DrawnAgain, ValueError, LookupError):
        return (fact,)
    return None


def _expected(game: Game, state: Any, seat: int, event: MoveMade[Any, Any], move: Any) -> bool:
    """Whether the seat knew that the move could be made; of a secret one, that one which looks so could."""
    offers = game.rules.offers(state, event.seat)
    if move == event.move:
        return refusal(game, offers, move) is None
    return any(seen(other, seat, event.seat) == move for other in legal(offers) if type(other) is type(move))


class Foreseen(Struct, frozen=True):
    """What a mover can know in advance: the first facts, whether they are all, and if so who moves next."""

    facts: tuple[Any, ...]
    whole: bool
    next: tuple[int, ...] = ()
    outcome: Outcome | None = None


def foreseen(game: Game, state: Any, seat: int, move: Any) -> Foreseen:
    """What the mover can know in advance of a legal move: the facts up to the first that chance or a hidden
    thing decides.
    """
    looked_at = veiled(state, game.concealed(state, seat))
    reducers = game.projector.reducers
    facts: list[Any] = []
    try:
        for fact in game.rules.play(looked_at, seat, move, NoChance()):
            if tells_hidden(seen(fact, seat, seat)):
                return Foreseen(tuple(facts), False)
            reducers[type(fact)](looked_at, fact)
            facts.append(fact)
        outcome = game.rules.outcome(looked_at)
        return Foreseen(tuple(facts), True, () if outcome else game.rules.to_move(looked_at), outcome)
    except (Hidden, DrawnAgain):
        return Foreseen(tuple(facts), False)


def tells_hidden(value: Any) -> bool:
    """Whether a value holds something that is veiled: a hidden thing laid open."""
    if isinstance(value, Veil):
        return True
    if isinstance(value, Struct):
        return any(tells_hidden(getattr(value, name)) for name in value.__struct_fields__)
    return isinstance(value, (list, tuple)) and any(map(tells_hidden, value))  # pyright: ignore[reportUnknownArgumentType]


def same(one: Any, other: Any) -> bool:
    """Whether two values are equal, veiled texts by what they cover."""
    if isinstance(one, Veil) or isinstance(other, Veil):
        return str.__str__(one) == str.__str__(other)
    if isinstance(one, Struct):
        return type(one) is type(other) and all(
            same(getattr(one, name), getattr(other, name)) for name in one.__struct_fields__
        )
    if isinstance(one, (list, tuple)):
        return len(one) == len(other) and all(map(same, one, other))  # pyright: ignore[reportUnknownArgumentType]
    return one == other
