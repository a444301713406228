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


def random_move(view: Any, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    """Any legal move, all equally likely."""
    return moves[chance.number("bot", len(moves))]


def bot_of(game: Game, name: str) -> Bot | None:
    """The bot that plays the seat `name`; None if a person does.

    :raises BadSetup: no bot is called so
    """
    if not name.startswith(PREFIX):
        return None
    called = name.removeprefix(PREFIX).partition("#")[0]
    bots: dict[str, Bot] = {"random": random_move, **game.bots}
    bot = bots.get(called)
    if bot is None:
        raise BadSetup(
            f"no bot is called {called!r} in {game.slug}",
            "its bots: " + ", ".join(PREFIX + name for name in bots),
        )
    return bot
