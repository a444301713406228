"""pyspiel, OpenSpiel's C++ games: random self-play of its trick-taking games, driven from Python."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pyspiel

from benchmarks.tables import self_play
from benchmarks.timing import Beside, Sizes, Work, interleaved, median, rate, ratio, seconds

_GAMES = ("hearts", "euchre")


def _random_play(name: str, games: int) -> Work:
    game = pyspiel.load_game(name)
    choice = random.Random(1)  # noqa: S311 -- stands in for players

    def work() -> float:
        moves = 0

        def play_all() -> None:
            nonlocal moves
            for _ in range(games):
                state = game.new_initial_state()
                while not state.is_terminal():
                    moves += not state.is_chance_node()
                    state.apply_action(choice.choice(state.legal_actions()))

        return seconds(play_all) / moves

    return work


def compare(folder: Path, sizes: Sizes) -> Iterator[Beside]:
    """Random self-play; the deal is played through, players' moves are counted."""
    works = [_random_play(name, sizes.games * 4) for name in _GAMES]
    samples = interleaved(sizes.runs, self_play(sizes.games), *works)
    for which, name in enumerate(_GAMES, 1):
        yield Beside(
            "random self-play, moves",
            rate(median(samples, 0)),
            f"pyspiel (C++): {name}",
            rate(median(samples, which)),
            ratio(samples, which, 0),
        )
