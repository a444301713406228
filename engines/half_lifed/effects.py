"""The interpreter of effects: each word of the vocabulary is carried out here, once.

An activation is all or nothing: `can_run` says beforehand whether all of it can be done, whatever is chosen. An
effect that leaves something open asks, and the rest waits for the answer (ruling 16); the place is kept in the
question.
"""

from collections.abc import Callable, Iterator

from engines.half_lifed.components import Effect
from engines.half_lifed.facts import (
    Asked,
    BotMade,
    BotStationed,
    Chosen,
    ClinicTaken,
    InvestorJoined,
    LeakLifted,
    MoneyGained,
    MoneyPaid,
    PiecePledged,
    WorkerHired,
)
from engines.half_lifed.state import (
    INVESTOR,
    Plant,
    State,
    bots_at_station,
    card_of,
    colour_of,
    colour_of_department,
    controlled,
    counted,
    effects_of,
    empty_stations,
    next_id,
)
from engines.kit.game import Fact

#: What `station` offers besides the bots that are there.
NEW = "new"


def amount_of(state: State, plant: Plant, effect: Effect, more: int = 0) -> int:
    """The money of a `gain`, with so many more of what it counts."""
    return effect.amount * (counted(state, plant, effect.per) + more if effect.per else 1)


def can_run(state: State, plant: Plant, source: str, money: int) -> str | None:
    """None if all that `source` says can be carried out with `money`, else the sentence that says what cannot.

    What an effect counts is counted as those before it leave it, at the least that a choice may leave.
    """
    more: dict[str, int] = {}
    for effect in effects_of(state, plant, source):
        match effect.do:
            case "gain":
                money += amount_of(state, plant, effect, more.get(effect.per, 0))
            case "investor":
                money += INVESTOR
                more["investors"] = more.get("investors", 0) + 1
            case "pay":
                money -= effect.amount
                if money < 0:
                    return f"it costs ${effect.amount}, and you are ${-money} short"
            case "bot" | "station":
                if not empty_stations(state, plant):
                    return "its bot needs an empty station, and you have none"
                if effect.do == "bot" or not bots_at_station(plant):
                    more["bots"] = more.get("bots", 0) + 1
            case "lift":
                if not liftable(plant):
                    return "it lifts a Leak, and none covers a card of yours or is contained"
                more["leaks"] = more.get("leaks", 0) - 1
            case "worker":
                more["workers"] = more.get("workers", 0) + 1
                if _colour(state, source) not in {colour_of(state, worker) for worker in controlled(plant)}:
                    more["colours"] = 1
            case "clinic":
                more["rooms"] = more.get("rooms", 0) + 1
            case "pledge":
                pass
    return None


def liftable(plant: Plant) -> list[str]:
    """The Leaks that can be lifted: those that cover a card or are contained."""
    return [*plant.covers.values(), *plant.holds.values()]


def run(state: State, seat: int, source: str, step: int = 0) -> Iterator[Fact]:
    """Carries out the effects of `source` from number `step` on, up to the first that asks."""
    plant = state.plants[seat]
    effects = effects_of(state, plant, source)
    for place in range(step, len(effects)):
        yield from _PERFORM[effects[place].do](state, seat, source, place, effects[place])
        if plant.asked is not None:
            return


def choose(state: State, seat: int, value: str) -> Iterator[Fact]:
    """Carries out what was asked for with the answer, and what comes after it."""
    plant = state.plants[seat]
    asked = plant.asked
    assert asked is not None
    yield Chosen(seat, value)
    if asked.what == "leak":
        yield lifted(plant, seat, value)
    elif asked.what == "home":
        yield BotStationed(seat, asked.bot, value)
    else:
        yield from place_bot(state, seat, value, asked.source, asked.step)
    if plant.asked is None:
        yield from run(state, seat, asked.source, asked.step + 1)


def _gain(state: State, seat: int, source: str, step: int, effect: Effect) -> Iterator[Fact]:
    yield MoneyGained(seat, amount_of(state, state.plants[seat], effect))


def _pay(state: State, seat: int, source: str, step: int, effect: Effect) -> Iterator[Fact]:
    yield MoneyPaid(seat, effect.amount)


def _colour(state: State, source: str) -> str:
    """New workers have the colour of the card that brings them; at the HQ that of the first department."""
    key = state.departments[0] if source[0] == "h" else card_of(state, source).department
    return colour_of_department(state, key)


def _worker(state: State, seat: int, source: str, step: int, effect: Effect) -> Iterator[Fact]:
    yield WorkerHired(seat, next_id(state, "w"), _colour(state, source))


def _pledge(state: State, seat: int, source: str, step: int, effect: Effect) -> Iterator[Fact]:
    letter = effect.piece[0]
    yield PiecePledged(seat, next_id(state, letter), _colour(state, source) if letter == "w" else "")


def _clinic(state: State, seat: int, source: str, step: int, effect: Effect) -> Iterator[Fact]:
    yield ClinicTaken(seat)


def _investor(state: State, seat: int, source: str, step: int, effect: Effect) -> Iterator[Fact]:
    yield InvestorJoined(seat, next_id(state, "i"), INVESTOR)


def _bot(state: State, seat: int, source: str, step: int, effect: Effect) -> Iterator[Fact]:
    yield from place_bot(state, seat, NEW, source, step)


def _station(state: State, seat: int, source: str, step: int, effect: Effect) -> Iterator[Fact]:
    """A bot that is at its station moves, or a new one comes."""
    bots = bots_at_station(state.plants[seat])
    if bots:
        yield Asked(seat, source, step, "bot", (*bots, NEW))
    else:
        yield from place_bot(state, seat, NEW, source, step)


def place_bot(state: State, seat: int, bot: str, source: str, step: int) -> Iterator[Fact]:
    """A bot, perhaps a new one, goes to an empty station: the only one, or one that is asked for."""
    if bot == NEW:
        bot = next_id(state, "b")
        yield BotMade(seat, bot)
    homes = empty_stations(state, state.plants[seat])
    if len(homes) == 1:
        yield BotStationed(seat, bot, homes[0])
    else:
        yield Asked(seat, source, step, "home", tuple(homes), bot)


def _lift(state: State, seat: int, source: str, step: int, effect: Effect) -> Iterator[Fact]:
    plant = state.plants[seat]
    leaks = liftable(plant)
    if len(leaks) == 1:
        yield lifted(plant, seat, leaks[0])
    else:
        yield Asked(seat, source, step, "leak", tuple(leaks))


def lifted(plant: Plant, seat: int, leak: str) -> Fact:
    """A Leak is lifted from the card it covers or is contained by."""
    card = next(card for leaks in (plant.covers, plant.holds) for card, one in leaks.items() if one == leak)
    return LeakLifted(seat, leak, card)


_PERFORM: dict[str, Callable[[State, int, str, int, Effect], Iterator[Fact]]] = {
    "gain": _gain,
    "pay": _pay,
    "worker": _worker,
    "bot": _bot,
    "station": _station,
    "clinic": _clinic,
    "investor": _investor,
    "lift": _lift,
    "pledge": _pledge,
}
