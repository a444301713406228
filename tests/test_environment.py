"""Games as PettingZoo environments: its own tests, and that nothing is offered or seen but what a seat may."""

import pickle
import re
import sys
from collections.abc import Callable
from copy import deepcopy
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from gymnasium.utils.env_checker import data_equivalence
from msgspec import json
from pettingzoo.test import api_test, render_test, seed_test

from benchmarks import learning
from engines.environment import env, numbered
from engines.features import column
from engines.kit.chance import Chance
from engines.kit.errors import BadSetup, IllegalMove, SetupRefused
from engines.registry import all_games
from tests.conftest import Turnlog
from tests.random_games import Case, case_id, cases, copied

EVERY_CASE = pytest.mark.parametrize("case", cases(), ids=case_id)
ONCE_A_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
DOCUMENT = Path(__file__).parent.parent / "docs" / "RL.md"

#: PettingZoo says this of every environment with an action mask that is not on its own list of names.
MASKED = (
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be"),
)


def masked(test: Callable[..., None]) -> Callable[..., None]:
    """Lets a test of PettingZoo's speak of masks."""
    for mark in MASKED:
        test = mark(test)
    return test


def seats_of(game: Any) -> int:
    """Three seats, or what comes nearest to it."""
    return min(max(3, game.seats[0]), game.seats[1])


def randomly(game: Any, chance: Chance) -> int | None:
    """A legal action of the agent to move; None for one whose game is over."""
    *_, terminated, truncated, _ = game.last(observe=False)
    actions = sorted(game.moves())
    return None if terminated or truncated else actions[chance.number("action", len(actions))]


def ended(game: Any, seed: int) -> dict[str, float]:
    """The rewards of a random game, played to its end."""
    game.reset(seed=seed)
    rewards: dict[str, float] = {}
    chance = Chance(f"ended/{seed}")
    for agent in game.agent_iter():
        rewards[agent] = rewards.get(agent, 0) + game.last(observe=False)[1]
        game.step(randomly(game, chance))
    return rewards


@masked
@ONCE_A_GAME
@pytest.mark.parametrize("observation", ["dict", "flat"])
def test_pettingzoo_accepts_it(game: Any, observation: Any) -> None:
    """The library's own tests of the interface and of seeds pass."""

    def make() -> Any:
        return env(game.slug, seats_of(game), observation=observation)

    api_test(make(), num_cycles=40)
    seed_test(make, num_cycles=20)


@masked
@pytest.mark.parametrize("slug", ["power-vacuum", "evangelists"])
def test_a_game_for_one_is_an_environment_of_one_agent(slug: str) -> None:
    """Alone there is one agent; seats that the rules play are none."""
    game = env(slug, 1)
    api_test(game, num_cycles=40)
    assert game.possible_agents == ["seat_1"]


@EVERY_CASE
def test_a_whole_game_is_observed_within_its_space(case: Case) -> None:
    """Each observation of a random game is in its space, and two views that differ are observed differently."""
    game: Any = env(case.game.slug, case.persons)
    game.reset(seed=5)
    raw = game.unwrapped
    chance = Chance("whole")
    views: set[bytes] = set()
    observations: set[bytes] = set()
    for number, agent in enumerate(game.agent_iter()):
        if number % 3 == 0:
            observed = game.observe(agent)
            assert game.observation_space(agent).contains(observed)
            seat = int(agent.removeprefix("seat_")) - 1
            views.add(agent.encode() + json.encode(case.game.concealed(raw._state, seat)))
            observations.add(b"".join(array.tobytes() for array in observed["observation"].values()))
        game.step(randomly(game, chance))
    assert len(observations) == len(views) > 5


@EVERY_CASE
def test_what_is_hidden_is_not_observed(case: Case) -> None:
    """A guess at what a seat cannot see changes neither its observation nor its mask."""
    game: Any = env(case.game.slug, case.persons, observation="flat")
    game.reset(seed=6)
    raw = game.unwrapped
    chance = Chance("hidden")
    different = 0
    for number, _ in enumerate(game.agent_iter(45)):
        if number % 9 == 0:
            for agent in raw.agents:
                seat = int(agent.removeprefix("seat_")) - 1
                seen = copied(case.game, case.game.concealed(raw._state, seat))
                guessing = deepcopy(raw)
                guessing._state = case.game.view.guess(seen, seat, chance)
                different += guessing._state != raw._state
                assert data_equivalence(guessing.observe(agent), raw.observe(agent))
        game.step(randomly(game, chance))
    assert different


@ONCE_A_GAME
def test_it_is_the_game_of_the_command_line(game: Any, turnlog: Turnlog) -> None:
    """A seed deals what `create --seed` deals; the actions are what `moves` lists, the board what `show` draws."""
    seats = seats_of(game)
    table: Any = env(game.slug, seats, render_mode="ansi")
    table.reset(seed=7)
    names = [word for n in range(1, seats + 1) for word in ("-p", f"seat_{n}")]
    turnlog.ok("create", game.slug, *names, "--seed", "7", "--id", "g")
    chance = Chance("command line")
    for agent in table.agent_iter(12):
        listed = turnlog.ok("moves", "g", "--as", agent, "--json").json
        moves = table.moves()
        assert sorted(moves.values()) == sorted(listed["moves"])
        assert table.infos[agent] == {"complete": listed["complete"]}
        mask = table.observe(agent)["action_mask"]
        assert sorted(mask.nonzero()[0]) == sorted(moves)
        others = [other for other in table.agents if other != agent]
        assert not any(table.observe(other)["action_mask"].any() for other in others)
        assert table.render() in turnlog.ok("show", "g", "--as", agent).out
        action = randomly(table, chance)
        turnlog.ok("play", "g", moves[action], "--as", agent)
        table.step(action)


def test_an_action_means_the_same_move_everywhere() -> None:
    """A move's action follows from its spelling alone; where two meet, the later one takes the next free."""
    assert column("play R7", 4096) == 1294
    assert numbered(["play R7", "play B1"], 4096)[1294] == "play R7"
    assert numbered(["c", "a", "b"], 3) == numbered(["b", "c", "a"], 3)
    assert sorted(numbered(["a", "b", "c"], 3)) == [0, 1, 2]
    with pytest.raises(BadSetup, match=r"more moves .* \(3\)"):
        numbered(["a", "b", "c", "d"], 3)


@pytest.mark.parametrize(("zero_sum", "total"), [(False, 1), (True, 0)])
def test_the_winners_share_one(zero_sum: bool, total: int) -> None:
    """At the end the winners share a reward of one; with `zero_sum` all rewards add up to nothing."""
    game: Any = env("venusian-vegas", 2, zero_sum=zero_sum)
    for seed in range(3):
        rewards = ended(game, seed)
        assert sum(rewards.values()) == pytest.approx(total)
        game.reset(seed=seed)
        chance = Chance(f"ended/{seed}")
        while not any(game.terminations.values()):
            game.step(randomly(game, chance))
        infos = game.infos
        best = max(info["score"] for info in infos.values())
        for agent, info in infos.items():
            won = agent in info["winners"]
            assert rewards[agent] == won / len(info["winners"]) - zero_sum / 2
            assert info["score"] == best or not won
            assert info["reason"]


def test_a_game_is_cut_off_after_so_many_moves() -> None:
    """Cut off is not ended: all agents are truncated, and nobody has won."""
    game: Any = env("lairs", 2, max_moves=10)
    game.reset(seed=1)
    chance = Chance("cut")
    for _ in range(10):
        assert not any(game.truncations.values())
        game.step(randomly(game, chance))
    assert game.truncations == {"seat_1": True, "seat_2": True}
    assert not any(game.terminations.values())
    assert not any(game.rewards.values())


def test_an_illegal_action_loses_or_is_refused() -> None:
    """Wrapped, as PettingZoo does it, the game ends as lost; the bare environment refuses and goes on."""
    game: Any = env("power-vacuum", 3)
    with pytest.raises(AttributeError, match="before reset"):
        _ = game.agents
    game.reset(seed=1)
    raw = game.unwrapped
    agent = game.agent_selection
    illegal = next(action for action in range(4096) if action not in game.moves())
    before = deepcopy(raw.observe(agent))
    with pytest.raises(IllegalMove, match=f"action {illegal} is no legal move of {agent}") as refused:
        raw.step(illegal)
    assert set(refused.value.nearest) <= set(game.moves().values())
    assert data_equivalence(raw.observe(agent), before)
    with pytest.raises(AssertionError, match="not in action space"):
        game.step(4096)
    game.step(illegal)
    assert all(game.terminations.values())
    assert game.rewards == {name: -1 if name == agent else 0 for name in game.possible_agents}


def test_seeds_make_series_of_games() -> None:
    """A seed repeats a whole series of games; without one no two environments play the same."""

    def deals(seed: int | None) -> list[bytes]:
        game: Any = env("theory-of-power", 2, observation="flat")
        game.reset(seed=seed)
        first = game.observe("seat_1")["observation"].tobytes()
        game.reset()
        return [first, game.observe("seat_1")["observation"].tobytes()]

    assert deals(3) == deals(3)
    assert len({*deals(3), *deals(4), *deals(None), *deals(None)}) == 8


def test_bots_play_the_seats_they_are_given() -> None:
    """Seats of bots are no agents, and it is harder to win against better ones."""

    def won(bot: str) -> float:
        game: Any = env("power-vacuum", 3, bots={1: bot, 3: bot})
        assert game.possible_agents == ["seat_2"]
        return sum(ended(game, seed)["seat_2"] for seed in range(12))

    assert won("greedy") < won("random") < 12


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"observation": "words"}, "dict or flat, not 'words'"),
        ({"bots": {1: "greedy", 2: "greedy"}}, "leave one"),
        ({"bots": {3: "greedy"}}, "seats 1 to 2"),
        ({"bots": {1: "genius"}}, "no bot is called 'genius'"),
        ({"options": {"speed": "9"}}, "no option 'speed'"),
        ({"actions": 0}, "numbers from 1"),
    ],
)
def test_settings_that_make_no_game_are_refused(settings: dict[str, Any], message: str) -> None:
    """What cannot be played is said when the environment is made."""
    with pytest.raises(BadSetup, match=message):
        env("lairs", 2, **settings)
    with pytest.raises(SetupRefused, match="2 to 2 seats, not 3"):
        env("lairs", 3)


def test_options_are_the_games_own() -> None:
    """An option does what it does at the table."""
    game: Any = env("lairs", 2, options={"rounds": "1"})
    ended(game, 2)
    assert game.unwrapped._state.round == 1


def test_an_environment_can_be_copied_and_pickled() -> None:
    """A copy in the middle of a game goes on as the original does: for search, and for other processes."""
    game: Any = env("half-lifed", 2)
    game.reset(seed=4)
    chance = Chance("copy")
    for _ in range(10):
        game.step(randomly(game, chance))
    copies = [deepcopy(game), pickle.loads(pickle.dumps(game.unwrapped))]  # noqa: S301 -- our own
    for _ in range(10):
        action = randomly(game, chance)
        for one in (game, *copies):
            one.step(action)
        for one in copies:
            assert one.agent_selection == game.agent_selection
            assert data_equivalence(one.observe("seat_1"), game.observe("seat_1"))


def test_boards_are_rendered(capsys: pytest.CaptureFixture[str]) -> None:
    """The library's own test of rendering passes; human eyes get the board that the other mode gives."""
    render_test(lambda render_mode: env("power-vacuum", 2, render_mode=render_mode))
    capsys.readouterr()
    boards = []
    for mode in ("ansi", "human"):
        game: Any = env("power-vacuum", 2, render_mode=mode)
        game.reset(seed=1)
        game.step(min(game.moves()))
        boards.append(game.render())
    assert capsys.readouterr().out == f"{boards[0]}\n\n" * 2
    assert boards[1] is None


def test_the_documents_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    """The example of docs/RL.md does what is said beneath it."""
    code, printed = re.findall(r"```(?:python|text)\n(.*?)```", DOCUMENT.read_text(), re.S)[:2]
    exec(compile(code, str(DOCUMENT), "exec"), {})  # noqa: S102 -- our own page
    assert capsys.readouterr().out == printed


def test_the_learner_among_the_benchmarks_learns(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It plays, and a game that was won makes what it did in it likelier."""
    monkeypatch.setattr(learning, "TEST_GAMES", 2)
    learning.main("power-vacuum", "2", "random", "1")
    assert re.fullmatch(
        r"power-vacuum, 2 seats, random: \d+\.\d% won after 0 games of training\n", capsys.readouterr().out
    )
    game: Any = env("power-vacuum", 2, bots={2: "random"}, observation="flat")
    game.reset(seed=1)
    seen = game.observe("seat_1")
    policy = learning.Policy(4096, len(seen["observation"]), 0.5)
    action, change = policy.choose(seen)
    for _ in range(50):
        policy.learn([change], 1.0)
    assert [policy.choose(seen)[0] for _ in range(20)].count(action) > 15


def test_without_the_extra_it_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who lacks the libraries is told which extra brings them."""
    monkeypatch.delitem(sys.modules, "engines.environment")
    monkeypatch.setitem(sys.modules, "pettingzoo.utils", None)
    with pytest.raises(ModuleNotFoundError, match=r"pip install 'turnlog\[rl\]'"):
        import_module("engines.environment")
