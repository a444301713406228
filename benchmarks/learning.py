"""Can a policy be learnt from what an environment shows? `python -m benchmarks.learning [SLUG SEATS BOT GAMES]`.

A linear policy, trained by REINFORCE: a legal action's weight is a sum over what is observed, and a game that is
won makes its actions likelier. Small on purpose: what it learns, it owes to actions and columns that mean the same
in every position.
"""

import sys
from typing import Any

import numpy as np

from engines.environment import env

RATE = 0.3
TEST_GAMES = 400


class Policy:
    """Weights by action and column, and the reward it is used to."""

    def __init__(self, actions: int, columns: int, usual: float) -> None:
        self.weights = np.zeros((actions, columns), np.float32)
        self.usual = usual
        self.chance = np.random.default_rng(0)

    def choose(self, seen: dict[str, Any]) -> tuple[int, Any]:
        """An action, and what its weights are to be changed by if it was a good one."""
        columns = np.flatnonzero(seen["observation"])
        inputs = np.tanh(seen["observation"][columns] / 3)
        inputs /= np.linalg.norm(inputs)
        legal = np.flatnonzero(seen["action_mask"])
        place = np.ix_(legal, columns)
        likely = np.exp(self.weights[place] @ inputs)
        likely /= likely.sum()
        chosen = self.chance.choice(len(legal), p=likely)
        return int(legal[chosen]), (place, np.outer((np.arange(len(legal)) == chosen) - likely, inputs))

    def learn(self, changes: list[Any], reward: float) -> None:
        """Makes the actions of a game likelier, or less so if its reward was below what is usual."""
        better = reward - self.usual
        self.usual += better / 100
        for place, change in changes:
            self.weights[place] += RATE * better * change


def played(game: Any, policy: Policy, seed: int) -> tuple[list[Any], float]:
    """One game of `seat_1` against bots."""
    game.reset(seed=seed)
    changes: list[Any] = []
    reward = 0.0
    for _ in game.agent_iter():
        seen, reward, terminated, truncated, _ = game.last()
        action = None
        if not terminated and not truncated:
            action, change = policy.choose(seen)
            changes.append(change)
        game.step(action)
    return changes, reward


def main(slug: str = "power-vacuum", seats: str = "3", bot: str = "random", games: str = "2000") -> None:
    """Trains, and says how many games are won before, on the way and at the end; the test games are others."""
    count = int(seats)
    game = env(slug, count, bots=dict.fromkeys(range(2, count + 1), bot), observation="flat")
    space: Any = game.observation_space("seat_1")
    policy = Policy(4096, space["observation"].shape[0], 1 / count)
    for number in range(int(games) + 1):
        if number % 500 == 0:
            won = sum(played(game, policy, 1_000_000 + test)[1] for test in range(TEST_GAMES)) / TEST_GAMES
            print(f"{slug}, {count} seats, {bot}: {won:.1%} won after {number} games of training", flush=True)
        policy.learn(*played(game, policy, number))


if __name__ == "__main__":
    main(*sys.argv[1:])
