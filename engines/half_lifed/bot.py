"""A player better than chance."""

from collections.abc import Sequence

from engines.half_lifed.state import State
from engines.kit.chance import Chance
from engines.kit.notation import Move


def greedy(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    return moves[chance.number("bot", len(moves))]


BOTS = {"greedy": greedy}
