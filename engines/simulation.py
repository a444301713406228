"""Whole games between bots, without a log: for measuring bots and games."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engines.creation import Wish, begun
from engines.decide import carried_out
from engines.kit.bots import bot_of
from engines.kit.chance import Chance
from engines.kit.errors import BadSetup
from engines.kit.game import Game
from engines.kit.offers import legal
from events.model import Outcome
from projections.fold import add_draws

#: A game of more moves is called stuck.
MOST_MOVES = 100_000


class Simulated(NamedTuple):
    """A finished game: its number from 0, seats, how it ended, how many moves it took."""

    number: int
    names: tuple[str, ...]
    outcome: Outcome | None
    moves: int


def simulate(
    game: Game, persons: tuple[str, ...], count: int, seed: str, options: Mapping[str, str] | None = None
) -> Iterator[Simulated]:
    """Plays `count` games between bots; game n depends on seed and n alone.

    A game that does not end within `MOST_MOVES` moves has no outcome.
    :raises BadSetup: a seat is no bot
    """
    for name in persons:
        if bot_of(game, name) is None:
            raise BadSetup(f"{name!r} is no bot", "in a simulation every seat is one: -p bot:greedy -p bot:random")
    for number in range(count):
        yield _one(game, Wish(game, persons, options or {}, seed=f"{seed}/{number}"), number)


def _one(game: Game, wish: Wish, number: int) -> Simulated:
    created, state = begun(wish, lambda: "simulation")
    names = created.seats
    bots = [bot_of(game, name) for name in names]
    draws = dict(created.draws)
    rules = game.rules
    for moves in range(MOST_MOVES):
        outcome = rules.outcome(state)
        if outcome is not None:
            return Simulated(number, names, outcome, moves)
        seat = rules.to_move(state)[0]
        bot = bots[seat]
        if bot is None:
            move = rules.automatic(state, seat)
            assert move is not None
        else:
            view = game.concealed(state, seat)
            chance = Chance(f"{created.seed}/bots", {"bot": moves})
            move = bot(view, seat, legal(rules.offers(state, seat)), chance)
        done = carried_out(game, state, seat, move, Chance(created.seed, draws, created.stack))
        add_draws(draws, done.draws)
    return Simulated(number, names, None, MOST_MOVES)
