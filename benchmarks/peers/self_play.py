"""rlcard: random self-play of its uno, as its own `Env.run` plays it."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import rlcard
from rlcard.agents import RandomAgent

from benchmarks.tables import self_play
from benchmarks.timing import Beside, Sizes, Work, interleaved, median, rate, ratio, seconds


def rlcard_uno(games: int) -> Work:
    """Games of uno between two random agents through the environment, which also makes the observations."""
    environment = rlcard.make("uno", config={"seed": 1})
    environment.set_agents([RandomAgent(environment.num_actions) for _ in range(environment.num_players)])

    def work() -> float:
        actions = 0

        def play_all() -> None:
            nonlocal actions
            for _ in range(games):
                trajectories, _payoffs = environment.run(is_training=False)
                actions += sum(len(one) // 2 for one in trajectories)

        return seconds(play_all) / actions

    return work


def _bare_uno(games: int) -> Work:
    game = rlcard.make("uno", config={"seed": 1}).game
    choice = random.Random(1)  # noqa: S311 -- stands in for players

    def work() -> float:
        actions = 0

        def play_all() -> None:
            nonlocal actions
            for _ in range(games):
                game.init_game()
                while not game.is_over():
                    game.step(choice.choice(game.get_legal_actions()))
                    actions += 1

        return seconds(play_all) / actions

    return work


def compare(folder: Path, sizes: Sizes) -> Iterator[Beside]:
    """Random self-play: ours with the event of each move encoded."""
    games = sizes.games * 4
    samples = interleaved(sizes.runs, self_play(sizes.games), rlcard_uno(games), _bare_uno(games))
    for which, what in ((1, "uno, its environment"), (2, "uno, its bare game")):
        yield Beside(
            "random self-play, moves",
            rate(median(samples, 0)),
            f"rlcard: {what}",
            rate(median(samples, which)),
            ratio(samples, which, 0),
        )
