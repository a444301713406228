"""Any game as a PettingZoo environment, for programs that learn to play: the extra `turnlog[rl]`.

    from engines.environment import env

    game = env("power-vacuum", 3)
    game.reset(seed=7)

What an agent observes is made of the state concealed for its seat and of nothing else; what it may do are the
legal moves, each under a number that a fingerprint of its spelling gives. docs/RL.md says why.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import wraps
from typing import Any, Literal, ParamSpec, cast

from engines.creation import Wish, begun
from engines.decide import carried_out
from engines.kit.boards import drawn
from engines.kit.bots import bot_of
from engines.kit.chance import Chance
from engines.kit.errors import BadSetup, IllegalMove
from engines.kit.game import Game
from engines.kit.notation import Move
from engines.kit.offers import legal
from engines.kit.setfile import shipped_set
from engines.registry import game_of
from events.model import Outcome
from projections.fold import add_draws

try:
    import numpy as np
    from gymnasium import spaces
    from gymnasium.utils import seeding
    from pettingzoo.utils import wrappers  # pyright: ignore[reportMissingTypeStubs]
    from pettingzoo.utils.env import AECEnv  # pyright: ignore[reportMissingTypeStubs]

    from engines.features import Layout, column
except ModuleNotFoundError as missing:
    raise ModuleNotFoundError(
        f"environments for learning come with an extra that is not installed ({missing}): "
        "`pip install 'turnlog[rl]'`"
    ) from missing

__all__ = ["Environment", "env", "numbered"]

P = ParamSpec("P")

#: What an agent gets for an action that is no legal move, in the wrapped environment.
ILLEGAL_REWARD = -1.0


def numbered(spelt: Iterable[str], actions: int) -> dict[int, str]:
    """Moves by action: each under the number of its spelling's fingerprint, or the next one that is free.

    :raises BadSetup: there are more moves than actions
    """
    taken: dict[int, str] = {}
    for text in sorted(spelt):
        if len(taken) == actions:
            raise BadSetup(f"more moves are legal than there are actions ({actions})", "ask for more: actions=N")
        place = column(text, actions)
        while place in taken:
            place = (place + 1) % actions
        taken[place] = text
    return taken


class Environment(AECEnv[str, Any, Any]):
    """A game as an agent environment cycle. Agents are `seat_1`, `seat_2` and so on, those that nobody else plays.

    :param seats: how many persons and bots play; seats that the rules add are played by the environment
    :param options: the game's options, as in `turnlog create -o`
    :param bots: seats (from 1) that bots of the game play, with the bot's name: `{2: "greedy"}`
    :param observation: a dict of an array for each field of the state, or `flat`: the same as one vector
    :param width: the columns of each array for what has no fixed place in it, such as cards
    :param actions: the size of the action space; the more, the fewer moves share an action
    :param zero_sum: whether each seat's share of a game is taken off its reward
    :param max_moves: after so many moves, those of bots too, a game is cut off
    :raises NoSuchSlug, SetupRefused, BadSetup: no game comes of this
    """

    def __init__(
        self,
        slug: str,
        seats: int,
        *,
        options: Mapping[str, str] | None = None,
        bots: Mapping[int, str] | None = None,
        observation: Literal["dict", "flat"] = "dict",
        width: int = 128,
        actions: int = 4096,
        zero_sum: bool = False,
        max_moves: int = 10_000,
        render_mode: Literal["ansi", "human"] | None = None,
    ) -> None:
        super().__init__()
        game = game_of(slug)
        bots = bots or {}
        numbers = range(1, seats + 1)
        self._persons = tuple(f"bot:{bots[n]}" if n in bots else f"seat_{n}" for n in numbers)
        names = game.seated(self._persons)
        if observation not in ("dict", "flat"):
            raise BadSetup(f"an observation is dict or flat, not {observation!r}")
        if not set(bots) < set(numbers):
            raise BadSetup(f"bots play some of the seats 1 to {seats} and leave one, not {sorted(bots)}")
        if min(width, actions, max_moves) < 1:
            raise BadSetup("width, actions and max_moves are numbers from 1")
        self._slug, self._options = slug, dict(options or {})
        self._flat, self._actions = observation == "flat", actions
        self._zero_sum, self._max_moves = zero_sum, max_moves
        self._seats = {f"seat_{n}": n - 1 for n in numbers if n not in bots}
        self._bots = [bot_of(game, name) for name in names]
        begin = game.state.begin(names, game.chosen(names[:seats], self._options), shipped_set(game))
        self._layout = Layout(begin, len(names), width)
        self.render_mode = render_mode
        self.metadata = {"name": slug, "render_modes": ["ansi", "human"], "is_parallelizable": False}
        self.possible_agents = list(self._seats)
        self.observation_spaces = {agent: self._observed_space() for agent in self.possible_agents}
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(actions) for agent in self.possible_agents
        }
        self._seed = ""
        self._games = 0

    def _observed_space(self) -> spaces.Space[Any]:
        mask = spaces.Box(0, 1, (self._actions,), np.int8)
        return spaces.Dict({"observation": self._layout.space(flat=self._flat), "action_mask": mask})

    @property
    def _game(self) -> Game:  # a game holds modules, which could be neither copied nor pickled
        return game_of(self._slug)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """What the agent's observations are among."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The agent's actions: numbers."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Starts a game: with a seed the one of `turnlog create --seed`, without one the next of its series.

        :param seed: begins a series of games; without any, a seed is drawn that nobody can guess
        :param options: not used: a game's options are chosen once, for the whole environment
        """
        if seed is not None or not self._seed:
            self._seed = str(seeding.np_random()[1] if seed is None else seed)
            self._games = 0
        wish = Wish(
            self._game,
            self._persons,
            self._options,
            seed=f"{self._seed}/{self._games}" if self._games else self._seed,
        )
        self._games += 1
        self._created, self._state = begun(wish, lambda: "environment")
        self._draws = dict(self._created.draws)
        self._count = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self._go_on()
        self._accumulate_rewards()

    def step(self, action: int | None) -> None:
        """Makes the move that an action stands for, then those of bots and rules.

        :raises IllegalMove: it stands for none
        """
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(cast("int", action))
            return
        move = None if action is None else self._legal.get(int(action))
        if move is None:
            raise IllegalMove(f"action {action} is no legal move of {agent}", tuple(self.moves().values())[:5])
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        self._carry_out(self._seats[agent], move)
        self._go_on()
        self._accumulate_rewards()
        if self.render_mode == "human":
            self.render()

    def moves(self) -> dict[int, str]:
        """The legal moves of the agent to move, spelt, by action."""
        return {action: self._game.grammar.spell(move) for action, move in self._legal.items()}

    def observe(self, agent: str) -> dict[str, Any]:
        """What an agent sees, and the mask of its actions: all zeros while others are to move."""
        seat = self._seats[agent]
        concealed = self._game.concealed(self._state, seat)
        mask = np.zeros(self._actions, np.int8)
        if agent == self.agent_selection:
            mask[list(self._legal)] = 1
        return {"observation": self._layout.observed(concealed, seat, flat=self._flat), "action_mask": mask}

    def render(self) -> str | None:
        """The board as the agent to move sees it: a text, or printed for human eyes."""
        seat = self._seats[self.agent_selection]
        shown = self._game.concealed(self._state, seat)
        text = drawn(self._game.drawn.board(shown, seat, self._created.seats))
        if self.render_mode != "human":
            return text
        sys.stdout.write(f"{text}\n\n")
        return None

    def close(self) -> None:
        """Nothing is open."""

    def _go_on(self) -> None:
        """Plays on to where an agent is to move, or to the end."""
        rules = self._game.rules
        self._legal: dict[int, Move] = {}
        self.infos = {agent: {} for agent in self.agents}
        while (outcome := rules.outcome(self._state)) is None and self._count < self._max_moves:
            seat = rules.to_move(self._state)[0]
            agent = f"seat_{seat + 1}"
            if agent in self._seats:
                self._select(agent, seat)
                return
            self._carry_out(seat, self._answer(seat))
        if outcome is None:
            self.truncations = dict.fromkeys(self.agents, True)
        else:
            self._settle(outcome)

    def _select(self, agent: str, seat: int) -> None:
        offers = self._game.rules.offers(self._state, seat)
        by_spelling = {self._game.grammar.spell(move): move for move in legal(offers)}
        self._legal = {action: by_spelling[text] for action, text in numbered(by_spelling, self._actions).items()}
        self.agent_selection = agent
        self.infos[agent]["complete"] = all(offer.complete for offer in offers)

    def _answer(self, seat: int) -> Move:
        """The move of a seat that no agent plays."""
        game, bot = self._game, self._bots[seat]
        if bot is None:
            move = game.rules.automatic(self._state, seat)
            assert move is not None
            return move
        chance = Chance(f"{self._created.seed}/bots", {"bot": self._count})
        return bot(game.concealed(self._state, seat), seat, legal(game.rules.offers(self._state, seat)), chance)

    def _carry_out(self, seat: int, move: Move) -> None:
        chance = Chance(self._created.seed, self._draws)
        done = carried_out(self._game, self._state, seat, move, chance)
        add_draws(self._draws, done.draws)
        self._count += 1

    def _settle(self, outcome: Outcome) -> None:
        """The winners share one; with `zero_sum` each seat has paid its part of that before."""
        names, winners = self._created.seats, outcome.winners
        paid = 1 / len(names) if winners and self._zero_sum else 0.0
        for agent in self.agents:
            seat = self._seats[agent]
            self.rewards[agent] = (1 / len(winners) if seat in winners else 0.0) - paid
            self.infos[agent] |= {
                "score": outcome.scores[seat],
                "winners": [names[winner] for winner in winners],
                "reason": outcome.reason,
            }
        self.terminations = dict.fromkeys(self.agents, True)


def _wrapped(raw: Callable[P, Environment]) -> Callable[P, AECEnv[str, Any, Any]]:
    """A maker of environments in the wrappers that are customary for board games."""

    @wraps(raw)
    def wrapped(*args: P.args, **kwargs: P.kwargs) -> AECEnv[str, Any, Any]:
        ended = wrappers.TerminateIllegalWrapper(raw(*args, **kwargs), illegal_reward=ILLEGAL_REWARD)
        return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(ended))

    return wrapped


#: Makes an `Environment` where an illegal action ends the game as lost, and calls in no sensible order fail.
env = _wrapped(Environment)
