"""A player better than chance: tries each move on what it sees, and looks what that is worth.

It weighs points, what its Leader still wants, the cards it could pay for, and how near others are to winning.
A question that its own move leads to is answered in thought; what others will do is not thought through, but
for a win that lies open: a point they can poach.
"""

from collections.abc import Sequence
from typing import Any

from engines.kit.chance import Chance
from engines.kit.notation import Move
from engines.kit.search import Aid
from engines.theory_of_power.components import (
    Cleanse,
    Compromise,
    Condition,
    Draw,
    Effect,
    FeedOn,
    Gain,
    Recruit,
    Steal,
    Swap,
    Take,
)
from engines.theory_of_power.effects import question
from engines.theory_of_power.facts import BACK
from engines.theory_of_power.happenings import price
from engines.theory_of_power.moves import Choose, Discard, Feed, Food, Leader
from engines.theory_of_power.reducer import REDUCERS
from engines.theory_of_power.rules import play
from engines.theory_of_power.stack import Pool, Running
from engines.theory_of_power.state import (
    VICTORY,
    State,
    ability_of,
    animal,
    is_of,
    points,
    progress,
    symbols,
)
from engines.theory_of_power.view import conceal

WIN = 100_000.0
#: What things are worth, a point of the eight being 10.
POINT, WANTED, SYMBOL = 10.0, 7.0, 1.5
FOOD, MORE_FOOD, INFLUENCE, LAID = 1.6, 0.5, 1.2, 0.8
PLANNED, CARD = (7.0, 6.0, 5.0, 4.0), 1.2
#: How bad it is that another is so many steps from winning.
DANGER = (0.0, 30.0, 12.0, 6.0, 3.0, 1.0)
OPEN_WIN = 400.0
#: After so many turns a seat it doubts its judgement, more each turn, lest two play to and fro for ever.
PATIENCE, DOUBT = 15, 1.5
#: How much of what a Leader wants a hand holds as a rule.
FAIR_FIT = 0.5


def greedy(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    """Chooses the move after which things look best."""
    if len(moves) == 1:
        return moves[0]
    if isinstance(moves[0], Discard):
        return Discard(tuple(_worst_first(view, seat)[: len(moves[0].cards)]))
    if isinstance(moves[0], Leader):
        return max(moves, key=lambda move: _hand_fits(view, seat, move))
    tried = [move for move in moves if not isinstance(move, Food)]
    if len(tried) < len(moves):
        tried += _harvests(view, seat)
    doubt = round(100 * DOUBT * max(0, view.turns - PATIENCE * view.seats) / view.seats) + 1
    return max(tried, key=lambda move: _after(view, seat, move) + chance.number("bot", doubt) / 100)


# choosing among cards ---------------------------------------------------------------------------------


def _victory(view: State, seat: int) -> Condition | None:
    leader = view.leaders[seat]
    return view.components.leaders[leader].victory if leader else None


def _matches(view: State, card: str, wanted: Condition | None) -> bool:
    """Whether a card brings nearer what a Leader wants."""
    if wanted is None or card == BACK or wanted.of != "supporters":
        return False
    one = animal(view, card)
    return (
        is_of(one, wanted.faction)
        and wanted.appetite_from <= one.appetite <= wanted.appetite_to
        and (one.predator or not wanted.predator)
        and (one.supplier or not wanted.supplier)
    )


def _worst_first(view: State, seat: int) -> list[str]:
    """The own hand, the cards that are best discarded first."""
    wanted = _victory(view, seat)
    hand = [card for card in view.hands[seat] if card != BACK]
    return sorted(
        hand, key=lambda card: animal(view, card).appetite - 3 * _matches(view, card, wanted), reverse=True
    )


def _hand_fits(view: State, seat: int, move: Any) -> float:
    """How well a Leader goes with the hand; the wish of one that looks at no kind fits any hand fairly."""
    wanted = view.components.leaders[move.name].victory
    if wanted.of != "supporters":
        return FAIR_FIT
    return sum(_matches(view, card, wanted) for card in view.hands[seat]) / wanted.count


def _harvests(view: State, seat: int) -> list[Food]:
    """Get Food with the one, two, three.. worst cards, and with two of one faction."""
    worst = _worst_first(view, seat)
    ways = {tuple(sorted(worst[:count])) for count in range(1, len(worst) + 1)}
    for place, card in enumerate(worst):
        for other in worst[place + 1 :]:
            if animal(view, card).faction == animal(view, other).faction:
                ways.add(tuple(sorted((card, other))))
    found = [Food(cards) for cards in sorted(ways)]
    there = symbols(view, seat)
    if there["free"]:
        found += [Food(cards, cards=len(cards)) for cards in sorted(ways)]
    if there["rulers"]:
        found += [
            Food(cards, influence=1)
            for cards in sorted(ways)
            if len(cards) == 2 and animal(view, cards[0]).faction == animal(view, cards[1]).faction
        ]
    return found


# looking ahead ----------------------------------------------------------------------------------------


def _after(view: State, seat: int, move: Move) -> float:
    """What the seat's position is worth after a move, its own answers to questions chosen best."""
    state = conceal(view, seat)
    for fact in play(state, seat, move, Chance("bot")):
        REDUCERS[type(fact)](state, fact)
    top = state.stack[-1] if state.stack else None
    if isinstance(top, Running) and top.asking and top.asked == seat:
        asked = question(state, top, ability_of(state, top.ability).effects[top.step])
        if asked is not None and asked.answers and len(top.picks) < 3:
            verb = Feed if asked.kind == "feed" else Choose
            return max(_after(state, seat, verb(answer)) for answer in asked.answers)
    return _worth(state, seat)


def _worth(state: State, seat: int) -> float:
    """How good a position is for a seat."""
    if state.winner >= 0:
        return WIN if state.winner == seat else -WIN
    worth = POINT * points(state, seat) + _standing(state, seat) + _plan(state, seat) + _pending(state, seat)
    for other in range(state.seats):
        if other != seat:
            worth -= _danger(state, other)
    return worth


def _standing(state: State, seat: int) -> float:
    """What lies in front of a seat besides points."""
    worth = 0.0
    wanted = _victory(state, seat)
    if wanted is not None:
        worth += WANTED * progress(state, seat, wanted)
    worth += SYMBOL * sum(symbols(state, seat).values())
    for one in state.supporters[seat]:
        worth += LAID * (one.food + one.influence) + 0.5 * len(animal(state, one.card).abilities)
    return worth


def _plan(state: State, seat: int) -> float:
    """What hand and reserve are worth together: the cards that could be paid, the cheaper ones first."""
    wanted = _victory(state, seat)
    budget = state.food[seat] + state.influence[seat]
    worth = INFLUENCE * min(state.influence[seat], 6)
    planned = spare = 0
    hand = [
        (2, False) if card == BACK else (animal(state, card).appetite, _matches(state, card, wanted))
        for card in state.hands[seat]
    ]
    for appetite, matches in sorted(hand, key=lambda card: card[0] - 2 * card[1]):
        if appetite <= budget and planned < len(PLANNED):
            budget -= appetite
            worth += PLANNED[planned] + (WANTED / 2 if matches else 0.0)
            planned += 1
        else:
            worth += (CARD + 2.0 * matches) if spare < 4 else 0.4
            spare += 1
    return worth + FOOD * min(budget, 4) + MORE_FOOD * max(0, budget - 4)


def _pending(state: State, seat: int) -> float:
    """What waits on the stack, roughly."""
    worth = 0.0
    for frame in state.stack:
        if isinstance(frame, Running):
            effects = ability_of(state, frame.ability).effects[frame.step :]
            worth += sum(map(_rough, effects)) * (1 if frame.ability.owner == seat else -1)
            waiting = frame.caused
        else:
            waiting = frame.waiting if isinstance(frame, Pool) else []
        for one in waiting:
            rough = sum(map(_rough, ability_of(state, one).effects))
            worth += 0.9 * rough * (1 if one.owner == seat else -1)
    return worth


def _rough(effect: Effect) -> float:
    """What an effect is worth on the whole."""
    if isinstance(effect, Draw):
        return 1.5 * effect.count * (2 if effect.each else 1)
    if isinstance(effect, Gain | Steal):
        return 1.6 * effect.food + 2.5 * effect.influence
    if isinstance(effect, FeedOn):
        return LAID * (effect.food + effect.influence) * effect.times
    return _ROUGH.get(effect.__class__, 0.0)


_ROUGH: dict[type[Any], float] = {
    Compromise: -POINT,
    Cleanse: POINT,
    Take: 1.5 * POINT,
    Swap: 2.0,
    Recruit: POINT,
}


def _danger(state: State, other: int) -> float:
    """How bad the position of another is: steps to the win, and a win that lies open."""
    wanted = _victory(state, other)
    lacks = max(0, VICTORY - points(state, other))
    misses = wanted.count - progress(state, other, wanted) if wanted else 0
    steps = max(lacks, misses)
    worth = 3.0 * points(state, other) + 0.8 * (state.food[other] + 1.5 * state.influence[other])
    worth += DANGER[min(steps, len(DANGER) - 1)]
    return worth + (OPEN_WIN if steps <= 1 and _can_poach_to_win(state, other, wanted) else 0.0)


def _can_poach_to_win(state: State, other: int, wanted: Condition | None) -> bool:
    """Whether another could win by poaching in its next turn."""
    met = wanted is None or progress(state, other, wanted) >= wanted.count
    return any(
        price(state, other, one) <= state.influence[other]
        and points(state, other) + animal(state, one.card).vp >= VICTORY
        and (met or _matches(state, one.card, wanted))
        for seat in range(state.seats)
        if seat != other
        for one in state.supporters[seat]
    )


BOTS = {"greedy": greedy}


def standings(state: State) -> list[float]:
    """How near each seat is to winning: the log-odds of it, fitted to games between greedy bots."""
    return [_odds(state, seat) for seat in range(state.seats)]


def _odds(state: State, seat: int) -> float:
    wanted = _victory(state, seat)
    met = progress(state, seat, wanted) if wanted else 0
    return (
        0.12 * points(state, seat)
        + 0.4 * (points(state, seat) >= VICTORY - 1)
        + (0.13 * met + 0.2 * (met >= wanted.count) if wanted else 0.0)
        + 0.12 * state.food[seat]
        + 0.37 * state.influence[seat]
        - 0.24 * state.compromat[seat]
        + 0.09 * len(state.hands[seat])
        + 0.35 * sum(symbols(state, seat).values())
        + sum(
            0.08 * (one.food + one.influence) + 0.25 * len(animal(state, one.card).abilities)
            for one in state.supporters[seat]
        )
    )


def clock(state: State) -> int:
    """The turns so far."""
    return state.turns


AID = Aid(standings, clock, span=4)
