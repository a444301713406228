"""Trick-taking, as far as games share it: seats in order, the led suit, who must follow, who wins.

A card is a text that begins with its suit's letter; a trick is its plays in order, the lead first. What is
trump, which cards may be played besides and how numbers rank is a game's own: it comes as an order of strengths.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

#: A seat and the card that it played.
Played = tuple[int, str]


def clockwise(seats: int, first: int) -> list[int]:
    """All seats in turn order, from `first`."""
    return [*range(first, seats), *range(first)]


def led_suit(trick: Sequence[Played]) -> str:
    """The suit of the lead; empty while nothing is played."""
    return trick[0][1][0] if trick else ""


def following(hand: Sequence[str], led: str) -> list[str]:
    """The cards of a hand that follow the led suit; a seat that has none need not follow."""
    return [card for card in hand if card[0] == led]


def winning(trick: Sequence[Played], suits: Sequence[str], strength: Mapping[str, int]) -> Played:
    """The play that wins so far: the strongest of the first of `suits` that was played.

    :param suits: the suits that can win, the best first; one of them was played
    :param strength: of each card within its suit; greater wins, and an earlier play beats an equal one
    """
    for suit in suits:
        best: Played | None = None
        for play in trick:
            if play[1][0] == suit and (best is None or strength[play[1]] > strength[best[1]]):
                best = play
        if best is not None:
            return best
    raise ValueError(f"no card of {' '.join(suits)} was played")
