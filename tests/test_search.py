"""The bot that searches: its name, that it plays every game, is repeatable, strong, and knows only its view."""

from typing import Any

import pytest

from engines.creation import Wish, begun
from engines.decide import carried_out
from engines.kit.bots import bot_of, random_move
from engines.kit.chance import Chance
from engines.kit.game import Game
from engines.kit.offers import legal
from engines.kit.search import Search
from engines.registry import all_games
from engines.simulation import Plan, simulate
from projections.fold import add_draws
from tests.conftest import Turnlog

ONCE_A_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)


def played(game: Game, moves: int, seed: str) -> Any:
    """A state after so many random moves by two seats, earlier if there is a choice of one only."""
    created, state = begun(Wish(game, ("bot:random", "bot:random"), {}, seed=seed), lambda: "id")
    draws = dict(created.draws)
    for number in range(moves):
        seat = game.rules.to_move(state)[0]
        move = random_move(None, seat, legal(game.rules.offers(state, seat)), Chance(seed, {"bot": number}))
        add_draws(draws, carried_out(game, state, seat, move, Chance(created.seed, draws)).draws)
    return state


@ONCE_A_GAME
def test_it_plays_every_game(turnlog: Turnlog, game: Game) -> None:
    """It answers a person's moves, with legal ones, as its name says it."""
    turnlog.ok("create", game.slug, "-p", "ada", "-p", "bot:mcts:8", "--seed", "3", "--id", "g")
    answers = 0
    for _ in range(4):
        shown = turnlog.json("show", "g")
        if "ada" not in shown["to_move"]:
            break
        moves = turnlog.json("moves", "g", "--as", "ada")["moves"]
        told = turnlog.json("play", "g", moves[-1], "--as", "ada")
        answers += sum(event["seat"] == "bot:mcts:8" for event in told["events"])
    assert turnlog.json("show", "g")["seats"] == ["ada", "bot:mcts:8"]
    turnlog.ok("verify", "g", "--rules")
    assert answers > 0


@ONCE_A_GAME
def test_it_knows_only_what_its_seat_sees(game: Game) -> None:
    """In every world that looks the same to its seat it makes the same move; and the same again."""
    bot = bot_of(game, "bot:mcts:8")
    assert bot is not None
    for number in range(0, 40, 13):
        state = played(game, number, "hidden")
        if game.rules.outcome(state) is not None:
            break
        seat = game.rules.to_move(state)[0]
        view = game.concealed(state, seat)
        choices: list[Any] = []
        for world in range(2):
            other = game.view.guess(view, seat, Chance(f"world{world}"))
            moves = legal(game.rules.offers(other, seat))
            choices.append(bot(game.concealed(other, seat), seat, moves, Chance("luck")))
        assert choices[0] == choices[1]


@ONCE_A_GAME
def test_a_search_leaves_the_view_alone(game: Game) -> None:
    """Nothing that the search tries is tried on the view it was handed."""
    state = played(game, 11, "view")
    seat = game.rules.to_move(state)[0]
    view = game.concealed(state, seat)
    before = repr(view)
    moves = legal(game.rules.offers(state, seat))
    assert Search(game, view, seat, Chance("luck")).best(moves, 12) in [
        *moves,
        game.bots["greedy"](view, seat, moves, Chance("luck")),
    ]
    assert repr(view) == before


def test_it_is_stronger_than_greedy() -> None:
    """With few playouts already, in the game where they are cheapest; the figures are in benchmarks/RESULTS.md."""
    wins = 0.0
    for seats in (("bot:mcts:20", "bot:greedy"), ("bot:greedy", "bot:mcts:20")):
        for one in simulate(Plan("power-vacuum", seats, "strong"), range(5)):
            assert one.outcome is not None
            me = seats.index("bot:mcts:20")
            wins += (me in one.outcome.winners) / len(one.outcome.winners)
    assert wins >= 7


def test_the_same_seed_plays_the_same_games() -> None:
    """Searching is repeatable."""
    plan = Plan("venusian-vegas", ("bot:mcts:4", "bot:random"), "again")
    assert list(simulate(plan, [0])) == list(simulate(plan, [0]))


def test_two_of_them_are_told_apart(turnlog: Turnlog) -> None:
    """The second one of a name has a number, as other bots have."""
    turnlog.ok("create", "power-vacuum", "-p", "bot:mcts:2", "-p", "ada", "-p", "bot:mcts:2", "--id", "g")
    assert turnlog.json("show", "g")["seats"] == ["bot:mcts:2", "ada", "bot:mcts:2#2"]


@pytest.mark.parametrize(
    "name",
    ["bot:mcts:0", "bot:mcts:", "bot:mcts:x", "bot:mcts:-5", "bot:mcts:²", "bot:mcts:100001", "bot:mcts:9 9"],
)
def test_playouts_that_cannot_be(turnlog: Turnlog, name: str) -> None:
    """Refused as any wrong seat is, saying what would do."""
    told = turnlog("create", "power-vacuum", "-p", "ada", "-p", name, "--json")
    assert told.code == 2
    assert "playouts" in told.error["message"] + str(told.error["hint"])
    assert turnlog.ok("list", "--json").out == ""


def test_a_number_behind_another_bot(turnlog: Turnlog) -> None:
    """Only the search takes one."""
    told = turnlog("create", "power-vacuum", "-p", "ada", "-p", "bot:greedy:5", "--json")
    assert told.code == 2
    assert "bot:mcts" in told.error["hint"]
