"""What befalls supporters, whoever causes it, and the abilities that each happening sets off.

Each generator yields facts and returns what they set off, to be settled as one set (ruling 5).
"""

from collections.abc import Generator, Iterator

from engines.kit.chance import Chance
from engines.kit.game import Fact
from engines.theory_of_power import COMMUNITIES, FACTIONS
from engines.theory_of_power.components import Ability, Animal, Cleanse, Compromise, Discount, More, Trigger
from engines.theory_of_power.facts import (
    CardsDrawn,
    CompromatReturned,
    CompromatTaken,
    DeckReshuffled,
    SupporterAttracted,
    SupporterFed,
    SupporterPoached,
    SupportersSwapped,
    SupporterTaken,
    SymbolsCounted,
    TokensGained,
)
from engines.theory_of_power.stack import Waiting
from engines.theory_of_power.state import (
    MOST_COMPROMAT,
    SUPPLY,
    State,
    Supporter,
    animal,
    in_order,
    is_of,
    sources,
    standing,
    symbols,
)

Happening = Generator[Fact, None, list[Waiting]]

#: The second symbol of the Free, of the Rulers.
FREE_CARDS = 3
RULERS_INFLUENCE = 2


# what is set off --------------------------------------------------------------------------------------


def counts(state: State, ability: Ability) -> bool:
    """Whether an ability is in the game: without Compromat, what is about nothing else is not."""
    return state.with_compromat or not all(isinstance(e, Compromise | Cleanse) for e in ability.effects)


def own_abilities(state: State, owner: int, one: Supporter, trigger: Trigger, rank: int = 1) -> list[Waiting]:
    """The abilities of a supporter itself that `trigger` sets off."""
    tokens = one.food + one.influence
    return [
        Waiting(owner, one.id, one.card, number, rank)
        for number, ability in enumerate(animal(state, one.card).abilities)
        if ability.trigger == trigger and tokens >= ability.tokens and counts(state, ability)
    ]


def watching(
    state: State, owner: int, trigger: Trigger, one: Supporter, as_faction: str, rank: int = 1, but: str = ""
) -> list[Waiting]:
    """The abilities of a seat's others, save `but`, and its Leader's, that look at what befalls `one`."""
    card = animal(state, one.card)
    found: list[Waiting] = []
    for source, other in sources(state, owner, but or one.id):
        for number, ability in enumerate(other.abilities):
            if ability.trigger == trigger and _looks_at(ability, card, as_faction) and counts(state, ability):
                found.append(Waiting(owner, source, other.name, number, rank))
    return found


def _looks_at(ability: Ability, card: Animal, as_faction: str) -> bool:
    if ability.faction is None:
        return True
    # ruling 12: a card of any faction is of the one said, or of what helps its owner most
    return as_faction == ability.faction if as_faction else is_of(card, ability.faction)


def faction_matters(state: State, seat: int, trigger: Trigger, but: str = "") -> bool:
    """Whether an arriving card's faction decides what of a seat it sets off."""
    return any(
        ability.trigger == trigger and ability.faction
        for _, card in sources(state, seat, but)
        for ability in card.abilities
    )


def best_faction(state: State, seat: int, trigger: Trigger, card: Animal, but: str = "") -> str:
    """The faction that a card of any is taken to be if nothing is said: what sets off most, else its own."""

    def sets_off(faction: str) -> int:
        return sum(
            ability.trigger == trigger and ability.faction == faction
            for _, other in sources(state, seat, but)
            for ability in other.abilities
        )

    return max((card.faction, *FACTIONS), key=sets_off)


def losing(state: State, owner: int, one: Supporter, rank: int = 1, come: str = "") -> list[Waiting]:
    """What the loss of `one`, which has gone, sets off: its own abilities, its owner's others' (ruling 8).

    What has `come` in its place was no supporter yet, and does not see the loss (ruling 7).
    """
    return own_abilities(state, owner, one, "leaves", rank) + watching(state, owner, "loses", one, "", rank, come)


# cards and communities --------------------------------------------------------------------------------


def draw(state: State, seat: int, count: int, chance: Chance) -> Iterator[Fact]:
    """A seat draws cards; the discards become the deck when it has run out (ruling 2)."""
    while count > 0:
        if not state.deck:
            if not state.discards:
                return
            yield DeckReshuffled(tuple(chance.shuffle("reshuffle", state.discards)))
        cards = in_order(state, state.deck[:count])
        yield CardsDrawn(seat, tuple(cards))
        count -= len(cards)


def count_symbols(state: State, seat: int, chance: Chance) -> Iterator[Fact]:
    """Symbols follow from the cards; each second one brings its bonus at once (ruling 13)."""
    now = symbols(state, seat)
    free, rulers = (now[community] for community in COMMUNITIES)
    free_before, rulers_before = state.symbols[seat]
    if (free, rulers) == (free_before, rulers_before):
        return
    yield SymbolsCounted(seat, free, rulers)
    yield from draw(state, seat, FREE_CARDS * (free // 2 - free_before // 2), chance)
    seconds = rulers // 2 - rulers_before // 2
    if seconds > 0:
        yield TokensGained(seat, 0, RULERS_INFLUENCE * seconds, "rulers")


# Compromat --------------------------------------------------------------------------------------------


def take_compromat(state: State, seat: int, count: int) -> Iterator[Fact]:
    """A seat takes Compromat, but never more than five."""
    if state.with_compromat:
        yield CompromatTaken(seat, min(count, MOST_COMPROMAT - state.compromat[seat]))


def return_compromat(state: State, seat: int, count: int) -> Iterator[Fact]:
    """A seat returns Compromat."""
    if state.with_compromat:
        yield CompromatReturned(seat, count)


# supporters -------------------------------------------------------------------------------------------


def feed(state: State, seat: int, one: Supporter, food: int, influence: int) -> Happening:
    """One act of feeding; what standing abilities add is a part of it (ruling 9)."""
    extra = sum(effect.food for _, effect in standing(state, seat, "feeding") if isinstance(effect, More))
    yield SupporterFed(seat, one.id, one.card, food + extra, influence, extra)
    return own_abilities(state, seat, one, "fed")


def attract(state: State, fact: SupporterAttracted, chance: Chance) -> Happening:
    """A card becomes a supporter from hand; a Supplier's feeding is settled before the rest (ruling 9)."""
    seat = fact.seat
    yield fact
    one = state.supporters[seat][-1]
    caused = own_abilities(state, seat, one, "joins")
    caused += watching(state, seat, "attracts", one, fact.as_faction)
    if animal(state, one.card).supplier and len(state.supporters[seat]) > 1:
        caused.insert(0, Waiting(seat, one.id, one.card, SUPPLY, 0))
    yield from count_symbols(state, seat, chance)
    return caused


def change_owner(state: State, fact: SupporterPoached | SupporterTaken, chance: Chance) -> Happening:
    """A supporter is poached or taken; its tokens go to the taker (ruling 8)."""
    yield fact
    one = next(one for one in state.supporters[fact.seat] if one.id == fact.id)
    caused = losing(state, fact.owner, one)
    caused += own_abilities(state, fact.seat, one, "joins")
    caused += watching(state, fact.seat, "captures", one, fact.as_faction)
    for seat in (fact.seat, fact.owner):
        yield from count_symbols(state, seat, chance)
    return caused


def swap(state: State, fact: SupportersSwapped, chance: Chance) -> Happening:
    """Two supporters change places: the swapper's arrival, the other's, the rest (ruling 10)."""
    yield fact
    seat, other = fact.seat, fact.owner
    received = next(one for one in state.supporters[seat] if one.id == fact.id)
    given = next(one for one in state.supporters[other] if one.id == fact.given)
    caused = own_abilities(state, seat, received, "joins", 0) + own_abilities(state, other, given, "joins", 1)
    caused += watching(state, seat, "captures", received, fact.as_faction, 2) + losing(
        state, seat, given, 2, received.id
    )
    caused += watching(state, other, "captures", given, fact.given_as, 2) + losing(
        state, other, received, 2, given.id
    )
    for one in (seat, other):
        yield from count_symbols(state, one, chance)
    return caused


# poaching ---------------------------------------------------------------------------------------------


def discount(state: State, seat: int, card: Animal) -> int:
    """How much less the poaching of a card costs a seat; a card of any faction is of the dearest (ruling 12)."""
    by_faction = dict.fromkeys(FACTIONS if card.wild else (card.faction,), 0)
    for ability, effect in standing(state, seat, "poaching"):
        if isinstance(effect, Discount):
            for faction in by_faction:
                if ability.faction in (None, faction):
                    by_faction[faction] += effect.count
    return min(by_faction.values())


def price(state: State, seat: int, one: Supporter) -> int:
    """The Influence that a supporter costs a seat that poaches it."""
    card = animal(state, one.card)
    return max(0, card.appetite + one.food + one.influence - discount(state, seat, card))
