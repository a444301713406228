"""The greedy bot: better than chance, and awake to who is about to win."""

from typing import Any

from engines.creation import Wish, begun
from engines.kit.chance import Chance
from engines.kit.offers import legal
from engines.registry import game_of
from engines.simulation import Plan, simulate
from engines.theory_of_power.bot import greedy
from engines.theory_of_power.moves import Attract, Poach
from engines.theory_of_power.state import State, Supporter
from engines.theory_of_power.view import conceal
from tests.theory_of_power import SLUG


def test_greedy_beats_random() -> None:
    """In a dozen games it loses hardly any."""
    done = list(simulate(Plan(SLUG, ("bot:greedy", "bot:random"), "test"), range(12)))
    assert sum(one.outcome is not None and one.outcome.winners == (0,) for one in done) >= 10


def chosen(hand: str, mine: str, theirs: str, food: int, influence: int) -> Any:
    """What the bot of the first seat does in a position without Leaders."""
    game = game_of(SLUG)
    _, state = begun(Wish(game, ("ada", "bo"), {"leaders": "none"}, seed="bot"), lambda: "salt")
    assert isinstance(state, State)
    state.phase, state.turn = "action", 0
    state.hands = [hand.split(), []]
    state.food, state.influence = [food, 0], [influence, 0]
    number = 0
    for seat, cards in enumerate((mine, theirs)):
        for card in cards.split():
            number += 1
            state.supporters[seat].append(Supporter(f"s{number}", card))
    state.born = number
    state.symbols = [[9, 9], [9, 9]]
    view = conceal(state, 0)
    return greedy(view, 0, legal(game.rules.offers(state, 0)), Chance("b"))


def test_it_takes_the_winning_point() -> None:
    """With seven points it attracts the eighth."""
    seven = "gecko iguana lynx lynx turtle penguin monitor"
    assert isinstance(chosen("bear owl owl", seven, "gecko", 2, 0), Attract)


def test_it_poaches_from_who_is_about_to_win() -> None:
    """Against seven points it takes one away rather than attract a cheap card."""
    move = chosen("hamster", "lynx", "gecko iguana lynx lynx turtle penguin monitor", 1, 3)
    assert isinstance(move, Poach)
