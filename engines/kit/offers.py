"""Offers: the one source for what is legal, for checks, refusals, completion, bots and the fuzzer.

`offers(state, seat)` says what each verb allows now. A rule behind an offer never refuses.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from msgspec import Struct

from engines.kit.notation import Grammar, Move


class Offer(Struct, frozen=True):
    """What one verb allows a seat now.

    :param pattern: how its moves are written
    :param refusal: the sentence that refuses a move of this verb, or None where it is legal
    :param moves: makes the legal moves; all of them, or (`complete` false) a repeatable sample of each kind
    """

    verb: type[Move]
    pattern: str
    refusal: Callable[[Any], str | None]
    moves: Callable[[], Iterable[Move]]
    complete: bool = True


Offers = Sequence[Offer]


def legal(offers: Offers) -> list[Move]:
    """All moves on offer."""
    return [move for offer in offers for move in offer.moves()]


def listed(grammar: Grammar, offers: Offers) -> dict[str, Any]:
    """What is on offer as JSON has it: the moves spelt, whether they are all, if not how others are written."""
    samples = [offer.pattern for offer in offers if not offer.complete]
    return {
        "moves": [grammar.spell(move) for move in legal(offers)],
        "complete": not samples,
        "pattern": "; ".join(samples) or None,
    }
