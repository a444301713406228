"""Who plays a seat that no person plays: a bot of the game, or a program from outside.

Either is handed what its seat may see and the legal moves, never the state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol

from engines.kit.chance import Chance
from engines.kit.errors import BadSetup, ProgramRefused
from engines.kit.game import BOT, PROGRAM, Bot, Game
from engines.kit.notation import Move
from engines.kit.offers import Offers, legal
from events.model import GameCreated

#: The bot that searches, its playouts a move unless the seat's name says them, and the most it may say.
SEARCH, PLAYOUTS, MOST_PLAYOUTS = "mcts", 200, 100_000


class Turn(NamedTuple):
    """What is asked of who plays a seat.

    :param game_id: the game's id
    :param seq: the number of the last event, of those too that are about to be appended
    :param number: how many moves stand, so that a bot's chance is another one each time
    :param view: the state as the seat may see it
    """

    game: Game
    created: GameCreated[Any, Any]
    game_id: str
    seq: int
    number: int
    seat: int
    to_move: tuple[int, ...]
    view: Any
    offers: Offers

    @property
    def name(self) -> str:
        """The seat's name."""
        return self.created.seats[self.seat]

    @property
    def chance(self) -> Chance:
        """Chance of the seat's own: the same for the same turn."""
        return Chance(f"{self.created.seed}/bots", {"bot": self.number, "program": self.number})


class Choice(NamedTuple):
    """A move chosen, and what is to be remarked about it in the log, where everybody reads it."""

    move: Move
    remark: str = ""


class Programs(Protocol):
    """The programs that play seats named `exec:NAME`."""

    def check(self, name: str) -> None:
        """Makes sure that a seat's program may be started. :raises ProgramRefused: it may not"""
        ...

    def choose(self, turn: Turn) -> Choice:
        """A legal move. :raises ProgramRefused: the program may not or cannot be started"""
        ...


def random_move(view: Any, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    """Any legal move, all equally likely."""
    return moves[chance.number("bot", len(moves))]


def bot_names(game: Game) -> tuple[str, ...]:
    """How the bots of a game are called as seats; a number may follow `bot:mcts:`."""
    return tuple(BOT + name for name in ("random", *game.bots, SEARCH))


def bot_of(game: Game, name: str) -> Bot | None:
    """The bot that plays the seat `name`; None if a person or a program does.

    :raises BadSetup: no bot is called so
    """
    if not name.startswith(BOT):
        return None
    called = name.removeprefix(BOT).partition("#")[0]
    kind, colon, parameter = called.partition(":")
    if kind == SEARCH:
        return _searching(game, parameter if colon else str(PLAYOUTS))
    bots: dict[str, Bot] = {"random": random_move, **game.bots}
    bot = bots.get(called)
    if bot is None:
        raise BadSetup(
            f"no bot is called {called!r} in {game.slug}",
            f"its bots: {', '.join(bot_names(game))}, or with its playouts a move {BOT}{SEARCH}:{PLAYOUTS}",
        )
    return bot


def _searching(game: Game, parameter: str) -> Bot:
    """The search bot with so many playouts a move."""
    digits = parameter.isascii() and parameter.isdecimal() and len(parameter) <= len(str(MOST_PLAYOUTS))
    playouts = int(parameter) if digits else 0
    if not 1 <= playouts <= MOST_PLAYOUTS:
        raise BadSetup(
            f"{BOT}{SEARCH} takes its playouts a move, 1 to {MOST_PLAYOUTS}, not {parameter[:20]!r}",
            f"for example {BOT}{SEARCH}:{PLAYOUTS}",
        )
    from engines.kit.search import Search

    def bot(view: Any, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
        """The move that does best in playouts."""
        return moves[0] if len(moves) == 1 else Search(game, view, seat, chance).best(moves, playouts)

    return bot


def check_programs(names: Sequence[str], programs: Programs | None) -> None:
    """Makes sure that the programs that play some of the seats may be started.

    :raises ProgramRefused: one may not
    """
    for name in names:
        if name.startswith(PROGRAM):
            _started_here(name, programs).check(name)


def _started_here(name: str, programs: Programs | None) -> Programs:
    if programs is None:
        raise ProgramRefused(
            f"{name} is played by a program, and none is started here",
            "with --bots-wait behind `create`, a transcript brings the program's moves along",
        )
    return programs


def chosen(turn: Turn, programs: Programs | None) -> Choice:
    """What the bot or program of the seat to move plays.

    :raises BadSetup: no bot is called so; ProgramRefused: the program may not or cannot be started
    """
    if turn.name.startswith(PROGRAM):
        return _started_here(turn.name, programs).choose(turn)
    bot = bot_of(turn.game, turn.name)
    assert bot is not None, turn.name
    return Choice(bot(turn.view, turn.seat, legal(turn.offers), turn.chance))
