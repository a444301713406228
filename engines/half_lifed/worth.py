"""What things are worth to a seat, in money at the end: estimates for bots, made of what the seat sees."""

from functools import cached_property

from engines.half_lifed.components import KINDS, Effect, Need
from engines.half_lifed.effects import liftable
from engines.half_lifed.state import (
    ENOUGH_CARDS,
    State,
    card_of,
    colour_of,
    colour_of_department,
    controlled,
    counted,
    effects_of,
    empty_stations,
    facility_size,
    goal_of,
    leak_price,
    price_of,
    room_count,
    seats_in,
    spaces,
)

#: Cards a seat adds a round, about; how often a space is run of the times it could be.
_CARDS_A_ROUND = 3.6
_USE = 0.7
#: How the things of events and of counting spaces grow until the end.
_GROWTH = 0.25


def plural(kind: str) -> str:
    """A kind of card as a counted thing."""
    return next(things for things, one in KINDS.items() if one == kind)


class Worth:
    """The estimates of one seat at one moment."""

    def __init__(self, state: State, seat: int) -> None:
        self.state, self.seat, self.plant = state, seat, state.plants[seat]
        self._cards: dict[str, float] = {}

    @cached_property
    def left(self) -> float:
        """The rounds to come after this one."""
        state = self.state
        most = max(facility_size(state.plants[seat]) + len(state.plants[seat].todo) for seat in seats_in(state))
        if state.phase in ("split", "draft"):
            most += int(_CARDS_A_ROUND)
        by_cards = max(0.0, (ENOUGH_CARDS - most) / _CARDS_A_ROUND)
        by_deck = len(state.deck) // (state.components.draw_cards * max(1, len(seats_in(state))))
        return min(by_cards, float(by_deck))

    @cached_property
    def last(self) -> bool:
        """Whether this is the last round, as it looks."""
        return self.left <= 0

    @cached_property
    def free_spaces(self) -> list[str]:
        """The own cards' spaces that can still be run this round."""
        return [card for card in spaces(self.state, self.plant) if card not in self.plant.used]

    @cached_property
    def leak_price(self) -> int:
        """What paying for a Leak costs."""
        return leak_price(self.state, self.plant)

    def colour(self, card: str) -> str:
        """The colour of a card's department."""
        return colour_of_department(self.state, card_of(self.state, card).department)

    @cached_property
    def _colours(self) -> set[str]:
        return {colour_of(self.state, worker) for worker in controlled(self.plant)}

    # rooms and workers

    @cached_property
    def _jobs(self) -> int:
        """Workers that the spaces, the HQ and a goal or two can use."""
        bots = sum(1 for home in self.plant.bots.values() if home)
        return max(2, len(spaces(self.state, self.plant)) - bots + 3)

    @cached_property
    def _short(self) -> int:
        """Rooms lacking for the workers that have a job, at this round's end."""
        staff = min(len(controlled(self.plant)), self._jobs)
        return staff + len(self.plant.investors) - room_count(self.plant)

    def room(self) -> float:
        """A room more."""
        saved = 60.0 if len(self.plant.investors) > room_count(self.plant) else 0.0
        if self.last:
            return saved + self.pull(("rooms",)) + self.scored("rooms")
        value = 3.2 * min(self.left, 2.0) if self._short > 0 else 0.6
        return saved + value + self.pull(("rooms",)) + self.scored("rooms")

    def worker(self, worker: str) -> float:
        """A worker more, or one less."""
        state, plant = self.state, self.plant
        colour = colour_of(state, worker)
        fits = any(self.colour(card) == colour for card in spaces(state, plant))
        value = 3.4 if fits else 2.6
        if len(controlled(plant)) >= self._jobs + 2:
            value *= 0.4
        return value + 0.15 * self.pull(("workers",))

    # what effects give

    def effects(self, source: str) -> float:
        """Running a space once."""
        return sum(self.effect(one, source) for one in effects_of(self.state, self.plant, source))

    def effect(self, effect: Effect, source: str) -> float:
        """One effect."""
        match effect.do:
            case "gain":
                return effect.amount * (counted(self.state, self.plant, effect.per) if effect.per else 1)
            case "pay":
                return -float(effect.amount)
            case "worker":
                return (2.5 if not self.last else 0.5) + self.pull(("workers",))
            case "clinic":
                return 0.3 * self.room()
            case "bot" | "station":
                best = max((self.space(card) for card in empty_stations(self.state, self.plant)), default=0.0)
                return best * (self.left + 0.9) * 0.9 + self.pull(("bots",)) + self.scored("bots")
            case "investor":
                return self.investor() - 0.5
            case "lift":
                return 2.5 * min(self.left, 2.0) + 0.1
            case "pledge":
                return {"leak": -1.0, "bot": 0.6, "investor": 0.1, "worker": 0.5}[effect.piece] * (not self.last)

    def investor(self) -> float:
        """An investor more: money now, a room for good, and the money back at the end."""
        plant = self.plant
        if room_count(plant) - len(plant.investors) < 1:
            return -60.0
        wanted = self.pull(("investors",)) + self.scored("investors")
        short = max((card_of(self.state, c).price for c in plant.todo), default=0) > plant.money
        return wanted - 1.0 - 2.0 * self.left + (3.0 * min(self.left, 2.0) if short else 0.0)

    def other(self, piece: str) -> float:
        """A bot, an investor, a Leak of a pile."""
        match piece[0]:
            case "b":
                return self.effect(Effect("bot"), "hq1") if empty_stations(self.state, self.plant) else 3.0
            case "i":
                return self.investor()
            case _:
                return -4.0 + self.scored("leaks") + self.pull(("leaks",))

    def space(self, card: str) -> float:
        """What a space gives each time it is run, by rough count."""
        if self.idle(card):
            return 0.5
        return sum(
            self.effect(one, card) if one.do not in ("bot", "station") else 4.0
            for one in effects_of(self.state, self.plant, card)
        )

    def idle(self, card: str) -> bool:
        """Whether a card lifts Leaks, and there is none to lift."""
        lifts = any(one.do == "lift" for one in card_of(self.state, card).effects)
        return lifts and not liftable(self.plant)

    # cards

    def card(self, card: str) -> float:
        """What building a card would bring, its price taken off."""
        value = self._cards.get(card)
        if value is None:
            value = self._cards[card] = self._card(card)
        return value

    def _card(self, card: str) -> float:
        one = card_of(self.state, card)
        value = -float(price_of(self.state, self.plant, card))
        gained = {plural(one.kind), one.department, "cards"}
        departments = {card_of(self.state, other).department for other in self.plant.cards}
        if one.department not in departments:
            gained.add("departments")
        for effect in () if self.idle(card) else one.effects:
            per = effect.per in gained
            now = self.effect(effect, card) + (effect.amount if per else 0)
            value += now
            if one.kind == "action":
                again = (now if effect.do not in ("bot", "station") else 3.5) * (1 + _GROWTH * bool(effect.per))
                fee = 0.0 if self.colour(card) in self._colours else 0.6 / max(1, len(one.effects))
                value += (again - fee) * _USE * (self.left + 0.6)
        for money in one.scores:
            count = counted(self.state, self.plant, money.per) + (money.per in gained) if money.per else 1
            value += money.amount * count * (1 + _GROWTH * 0.5 * self.left * bool(money.per))
        for change in one.changes:
            often = {"build": 1.5 if not change.things else 0.6, "off-colour": 1.2, "leak": 0.4}[change.price]
            value -= change.amount * often * self.left
        value += sum(self.scored(things) for things in gained)
        return value + self.pull(tuple(gained))

    def boost(self, card: str) -> float:
        """What an attachment's boost adds while its host is run."""
        gain = sum(self.effect(one, card) for one in card_of(self.state, card).boost)
        return gain * _USE * (self.left + 0.8)

    # events and goals

    def scored(self, things: str) -> float:
        """What one more of a thing brings at the end by cards that lie open."""
        if things not in self._scoring:
            return 0.0
        return float(self._scoring[things])

    @cached_property
    def _scoring(self) -> dict[str, int]:
        found: dict[str, int] = {}
        for card in self.plant.cards:
            if card not in self.plant.covers:
                for money in card_of(self.state, card).scores:
                    if money.per:
                        found[money.per] = found.get(money.per, 0) + money.amount
        return found

    def pull(self, things: tuple[str, ...]) -> float:
        """What one more of some things is worth for goals not yet claimed."""
        return sum(
            value / max(1, lacking) ** 1.3
            for needs, lacking, value in self._goals
            if any(t in needs for t in things)
        )

    @cached_property
    def _goals(self) -> list[tuple[set[str], int, float]]:
        """Of each goal that may still be claimed: the things it lacks, how many, and what it is worth."""
        found: list[tuple[set[str], int, float]] = []
        for goal in self.state.goals:
            if goal in self.plant.claimed:
                continue
            one = goal_of(self.state, goal)
            lacks = {need.things: self._lacks(need) for need in one.needs}
            lacking = sum(lacks.values())
            if 0 < lacking <= 1 + 3 * (self.left + 1):
                found.append(({things for things, n in lacks.items() if n}, lacking, 0.5 * (one.money - 3)))
        return found

    def _lacks(self, need: Need) -> int:
        have = counted(self.state, self.plant, need.things)
        return max(0, need.least - have) if need.things != "money" else max(0, need.least - have + 5) // 6
