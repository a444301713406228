"""The state of a game and the questions asked of it. The set is read in `components.py`."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from engines.kit.game import Names, Options
from engines.theory_of_power import COMMUNITIES, FACTIONS
from engines.theory_of_power.components import (
    Ability,
    Animal,
    Condition,
    Effect,
    FeedOn,
    Leader,
    Set,
    Trigger,
    card_of,
    cards_of,
    load_set,
)
from engines.theory_of_power.facts import BACK
from engines.theory_of_power.stack import Frame, Pool, Running, Waiting, due

__all__ = ["Set", "State", "begin", "load_set", "pieces"]

Phase = Literal["setup", "discard", "leader", "action", "over"]

HAND = 5
VICTORY = 8
MOST_COMPROMAT = 5
#: Three symbols of the Rulers are worth so many points; three of the Free allow a second action.
THREE = 3
RULERS_POINTS = 2
#: The number of a Supplier's feeding among a card's abilities: the property counts as an ability without a text.
SUPPLY = -1
_SUPPLIER = Ability(
    trigger="attracts", effects=(FeedOn(whom="other", food=1),), source="published", mandatory=True
)


class Supporter(Struct):
    """An Animal in front of a seat, with the tokens on it. `id` is never used again."""

    id: str
    card: str
    food: int = 0
    influence: int = 0


class State(Struct):
    """A game as it stands. Seats are numbers from 0, lists by seat unless said.

    `leaders_by` is the option `leaders`; `action` is 1 or 2: which action of the turn is due or being performed;
    `symbols` the counts of Free and Rulers as last seen, for the bonus of the second; `dealt` the Leaders of which
    a seat is to keep one; `aside` those nobody plays; `stack` what remains to be done; `born` counts supporters;
    `supply` what is left of the published 40 Food, 20 Influence and 20 Compromat, below 0 where substitutes are
    used (ruling 2).
    """

    components: Set
    names: list[str]
    seats: int
    leaders_by: str = "choose"
    training: bool = False
    with_compromat: bool = True
    phase: Phase = "setup"
    first: int = 0
    turn: int = 0
    action: int = 1
    turns: int = 0
    deck: list[str] = []
    discards: list[str] = []
    hands: list[list[str]] = []
    food: list[int] = []
    influence: list[int] = []
    compromat: list[int] = []
    supporters: list[list[Supporter]] = []
    symbols: list[list[int]] = []
    dealt: list[list[str]] = []
    leaders: list[str] = []
    aside: list[str] = []
    stack: list[Frame] = []
    born: int = 0
    supply: list[int] = []
    winner: int = -1


def begin(names: Names, options: Options, components: Set) -> State:
    """The state before the set-up."""
    seats = len(names)
    return State(
        components=components,
        names=list(names),
        seats=seats,
        leaders_by=options["leaders"],
        training=options["training"] == "on",
        with_compromat=options["compromat"] == "on",
        deck=[BACK] * len(cards_of(components)),
        hands=[[] for _ in names],
        food=[0] * seats,
        influence=[0] * seats,
        compromat=[0] * seats,
        supporters=[[] for _ in names],
        symbols=[[0, 0] for _ in names],
        dealt=[[] for _ in names],
        leaders=[""] * seats,
        aside=sorted(components.leaders) if options["leaders"] != "none" else [],
        supply=[40, 20, 20],
    )


# questions: cards -------------------------------------------------------------------------------------


def animal(state: State, card: str) -> Animal:
    """An Animal card by name."""
    return state.components.animals[card]


def in_order(state: State, cards: Sequence[str]) -> list[str]:
    """Cards by faction, appetite and name; backs last."""
    animals = state.components.animals

    def place(card: str) -> tuple[int, int, str]:
        if card == BACK:
            return len(FACTIONS), 0, card
        one = animals[card]
        return FACTIONS.index(one.faction), one.appetite, card

    return sorted(cards, key=place)


def ability_of(state: State, waiting: Waiting) -> Ability:
    """The ability that waits."""
    if waiting.ability == SUPPLY:
        return _SUPPLIER
    return card_of(state.components, waiting.card).abilities[waiting.ability]


# questions: supporters --------------------------------------------------------------------------------


def found(state: State, supporter: str) -> tuple[int, Supporter] | None:
    """A supporter by id, with its owner."""
    for owner, mine in enumerate(state.supporters):
        for one in mine:
            if one.id == supporter:
                return owner, one
    return None


def mine(state: State, seat: int, supporter: str) -> Supporter | None:
    """A seat's own supporter by id."""
    return next((one for one in state.supporters[seat] if one.id == supporter), None)


def sources(state: State, seat: int, but: str = "") -> Iterator[tuple[str, Animal | Leader]]:
    """What carries a seat's abilities: its supporters by id, but for `but`, then its Leader by name."""
    animals = state.components.animals
    for one in state.supporters[seat]:
        if one.id != but:
            yield one.id, animals[one.card]
    if state.leaders[seat]:
        yield state.leaders[seat], state.components.leaders[state.leaders[seat]]


def standing(state: State, seat: int, trigger: Trigger) -> Iterator[tuple[Ability, Effect]]:
    """The effects that hold all the time for a seat."""
    for _, card in sources(state, seat):
        for ability in card.abilities:
            if ability.trigger == trigger:
                for effect in ability.effects:
                    yield ability, effect


def is_of(card: Animal, faction: str | None) -> bool:
    """Whether a supporter counts as of a faction for its owner (ruling 12); every one is of None."""
    return faction is None or card.faction == faction or card.wild


def of_faction(state: State, seat: int, faction: str | None) -> list[Supporter]:
    """A seat's supporters of a faction."""
    animals = state.components.animals
    return [one for one in state.supporters[seat] if is_of(animals[one.card], faction)]


def clockwise(state: State, first: int) -> list[int]:
    """All seats, from `first` on."""
    return [(first + step) % state.seats for step in range(state.seats)]


# questions: points ------------------------------------------------------------------------------------


def symbols(state: State, seat: int) -> dict[str, int]:
    """The symbols of each community, by the best arrangement of the halves (ruling 13)."""
    return {community: count_of(state, seat, community) for community in COMMUNITIES}


def count_of(state: State, seat: int, community: str) -> int:
    """The whole symbols of one community: of its cards some have a left half only, some a right one, some both."""
    if state.training:
        return 0
    left = right = both = 0
    for _, card in sources(state, seat):
        if card.left == community:
            if card.right == community:
                both += 1
            else:
                left += 1
        elif card.right == community:
            right += 1
    return whole_symbols(left, right, both)


def whole_symbols(left: int, right: int, both: int) -> int:
    """Cards side by side: a chain of cards with both halves closes one more at each end."""
    return both - 1 if both and not left and not right else min(left, right) + both


def points(state: State, seat: int) -> int:
    """A seat's victory points."""
    animals = state.components.animals
    total = sum([animals[one.card].vp for one in state.supporters[seat]]) - state.compromat[seat]
    # three symbols take four cards, one of which may be the Leader
    if len(state.supporters[seat]) >= THREE and count_of(state, seat, "rulers") >= THREE:
        total += RULERS_POINTS
    return total


def progress(state: State, seat: int, condition: Condition) -> int:
    """How much a seat has of what a Leader wants, at most what is wanted."""
    animals = state.components.animals
    mine = state.supporters[seat]
    if condition.of == "tokens":
        have = sum(one.food + one.influence for one in mine)
    elif condition.of == "factions":
        plain = {animals[one.card].faction for one in mine if not animals[one.card].wild}
        have = min(len(FACTIONS), len(plain) + sum(animals[one.card].wild for one in mine))
    else:
        have = sum(_fits(animals[one.card], one, condition) for one in mine)
    return min(have, condition.count)


def _fits(card: Animal, one: Supporter, wanted: Condition) -> bool:
    return (
        is_of(card, wanted.faction)
        and wanted.appetite_from <= card.appetite <= wanted.appetite_to
        and (card.predator or not wanted.predator)
        and (card.supplier or not wanted.supplier)
        and one.food + one.influence >= wanted.tokens
    )


def leader_content(state: State, seat: int) -> bool:
    """Whether the Leader's condition is met; without Leader it is."""
    leader = state.leaders[seat]
    if not leader:
        return True
    victory = state.components.leaders[leader].victory
    return progress(state, seat, victory) >= victory.count


def has_won(state: State, seat: int) -> bool:
    """Whether a seat meets both conditions."""
    return points(state, seat) >= VICTORY and leader_content(state, seat)


# conserved --------------------------------------------------------------------------------------------


def pieces(state: State) -> dict[str, int]:
    """The cards wherever they lie, none more often than it is there; tokens with what the supply has left."""
    lying = [*state.deck, *state.discards, *(card for hand in state.hands for card in hand)]
    lying += [one.card for mine in state.supporters for one in mine]
    count = Counter(card for card in lying if card != BACK)
    there = Counter(cards_of(state.components))
    on_cards = [one for mine in state.supporters for one in mine]
    leaders = [*state.aside, *(name for dealt in state.dealt for name in dealt), *filter(None, state.leaders)]
    return {
        "animals": len(lying),
        "animals that are there too often": sum((count - there).values()),
        "food": state.supply[0] + sum(state.food) + sum(one.food for one in on_cards),
        "influence": state.supply[1] + sum(state.influence) + sum(one.influence for one in on_cards),
        "compromat": state.supply[2] + sum(state.compromat),
        "leaders": len(leaders),
        "leaders that are there twice": len(leaders) - len(set(leaders)),
    }


def asked_seat(state: State) -> int:
    """The seat that decides next: whose turn it is, or whom the top of the stack asks."""
    if state.stack:
        top = state.stack[-1]
        if isinstance(top, Running):
            return top.asked
        if isinstance(top, Pool):
            return due(top, state.seats)[0].owner
    return state.turn
