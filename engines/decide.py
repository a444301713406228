"""Deciding a move: from a text to a legal move, from a move to facts.

Nothing here appends; the table does that with what is decided here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from msgspec import Struct

from engines.kit.chance import Chance
from engines.kit.errors import AmbiguousMove, IllegalMove, MoveRefused
from engines.kit.game import Game
from engines.kit.notation import Move, words_of
from engines.kit.offers import Offers, legal
from events.model import By, MoveMade, Outcome

#: So many nearest legal moves are named by a refusal.
NEAREST = 5


class Decided(Struct, frozen=True):
    """A move carried out on a state: what followed, what was drawn, who is next, how it ended."""

    facts: tuple[Any, ...]
    draws: dict[str, int]
    next: tuple[int, ...]
    outcome: Outcome | None

    def event(self, seat: int, move: Move, by: By, remark: str = "") -> MoveMade[Any, Any]:
        """The event of the move."""
        return MoveMade(
            seat=seat,
            move=move,
            facts=self.facts,
            by=by,
            draws=self.draws,
            next=self.next,
            outcome=self.outcome,
            remark=remark,
        )


def applied(game: Game, state: Any, rule: Iterator[Any]) -> Iterator[Any]:
    """Yields the facts of a rule, each applied before the rule goes on."""
    reducers = game.projector.reducers
    for fact in rule:
        reducers[type(fact)](state, fact)
        yield fact


def carried_out(game: Game, state: Any, seat: int, move: Move, chance: Chance) -> Decided:
    """Carries out a legal move on `state`, which is changed.

    :raises StackMisfit: a stacked outcome does not fit; the state is then of no more use
    """
    reducers = game.projector.reducers
    done: list[Any] = []
    for fact in game.rules.play(state, seat, move, chance):  # `applied`, without a generator's cost
        reducers[type(fact)](state, fact)
        done.append(fact)
    facts = tuple(done)
    outcome = game.rules.outcome(state)
    return Decided(facts, chance.draws, () if outcome else game.rules.to_move(state), outcome)


def resolved(game: Game, offers: Offers, words: Sequence[str]) -> Move:
    """The legal move that the words say; capitals do not matter where one move fits.

    :raises MoveRefused: they say no move, one that is not legal now, or several
    """
    try:
        move = game.grammar.parse(words)
    except MoveRefused as refused:
        if not refused.nearest:
            refused.nearest = nearest(game, offers, " ".join(words))
            if refused.nearest:
                refused.hint = f"{refused.hint}; legal now: {', '.join(refused.nearest)}"
        raise
    why = refusal(game, offers, move)
    if why is None:
        return move
    said = game.grammar.spell(move).casefold()
    listed = legal(offers)
    fits = [m for m in listed if game.grammar.spell(m).casefold() == said]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise AmbiguousMove(f"{said!r} fits several moves", [game.grammar.spell(m) for m in fits])
    meant = respelt(game, listed, move)
    if refusal(game, offers, meant) is None:
        return meant
    raise IllegalMove(why, nearest(game, offers, game.grammar.spell(move)))


def respelt(game: Game, listed: Iterable[Move], move: Move) -> Move:
    """A move that no sample lists, its words in the capitals of those that the listed moves are made of."""
    known: dict[str, set[str]] = {}
    for one in listed:
        for word in words_of(game.grammar.spell(one)):
            known.setdefault(word.casefold(), set()).add(word)
    words = words_of(game.grammar.spell(move))
    for place, word in enumerate(words):
        ways = known.get(word.casefold(), set())
        if len(ways) == 1:
            words[place] = next(iter(ways))
    try:
        return game.grammar.parse(words)
    except MoveRefused:  # a word that is data here and a notation's own there
        return move


def refusal(game: Game, offers: Offers, move: Move) -> str | None:
    """The sentence that refuses a move, or None if it is legal."""
    for offer in offers:
        if offer.verb is type(move):
            return offer.refusal(move)
    verbs = [game.grammar.verb(offer.verb) for offer in offers if next(iter(offer.moves()), None) is not None]
    return f"{game.grammar.verb(type(move))!r} cannot be done now; what can: {', '.join(verbs) or 'nothing'}"


def nearest(game: Game, offers: Offers, text: str) -> tuple[str, ...]:
    """The legal moves most like a text, spelt out."""
    from difflib import get_close_matches

    spelt = [game.grammar.spell(move) for move in legal(offers)]
    near = get_close_matches(text[:100], spelt, NEAREST, 0.0)
    return tuple(near or spelt[:NEAREST])
