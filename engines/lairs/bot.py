"""A stand-in until the player is written."""

from collections.abc import Sequence

from engines.kit.chance import Chance
from engines.kit.notation import Move
from engines.lairs.state import State


def greedy(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    """Any move."""
    return moves[chance.number("bot", len(moves))]


BOTS = {"greedy": greedy}
