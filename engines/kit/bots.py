"""Bots that play any game, and how a bot is found by name.

A bot is handed what its seat may see and the legal moves, never the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engines.kit.chance import Chance
from engines.kit.errors import BadSetup
from engines.kit.game import Bot, Game
from engines.kit.notation import Move

PREFIX = "bot:"
#: The bot that searches, its playouts a move unless the seat's name says them, and the most it may say.
SEARCH, PLAYOUTS, MOST_PLAYOUTS = "mcts", 200, 100_000


def random_move(view: Any, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    """Any legal move, all equally likely."""
    return moves[chance.number("bot", len(moves))]


def bot_names(game: Game) -> tuple[str, ...]:
    """How the bots of a game are called as seats; a number may follow `bot:mcts:`."""
    return tuple(PREFIX + name for name in ("random", *game.bots, SEARCH))


def bot_of(game: Game, name: str) -> Bot | None:
    """The bot that plays the seat `name`; None if a person does.

    :raises BadSetup: no bot is called so
    """
    if not name.startswith(PREFIX):
        return None
    called = name.removeprefix(PREFIX).partition("#")[0]
    kind, colon, parameter = called.partition(":")
    if kind == SEARCH:
        return _searching(game, parameter if colon else str(PLAYOUTS))
    bots: dict[str, Bot] = {"random": random_move, **game.bots}
    bot = bots.get(called)
    if bot is None:
        raise BadSetup(
            f"no bot is called {called!r} in {game.slug}",
            f"its bots: {', '.join(bot_names(game))}, or with its playouts a move {PREFIX}{SEARCH}:{PLAYOUTS}",
        )
    return bot


def _searching(game: Game, parameter: str) -> Bot:
    """The search bot with so many playouts a move."""
    if not (parameter.isdecimal() and parameter.isascii() and len(parameter) <= len(str(MOST_PLAYOUTS))) or not (
        1 <= (playouts := int(parameter)) <= MOST_PLAYOUTS
    ):
        raise BadSetup(
            f"{PREFIX}{SEARCH} takes its playouts a move, 1 to {MOST_PLAYOUTS}, not {parameter[:20]!r}",
            f"for example {PREFIX}{SEARCH}:{PLAYOUTS}",
        )
    from engines.kit.search import Search

    def bot(view: Any, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
        """The move that does best in playouts."""
        return moves[0] if len(moves) == 1 else Search(game, view, seat, chance).best(moves, playouts)

    return bot
