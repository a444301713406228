"""What things cost and how they are paid: Get Food's yield, the attraction of a card."""

from collections import Counter
from typing import NamedTuple

from engines.theory_of_power import FACTIONS
from engines.theory_of_power.components import Animal
from engines.theory_of_power.happenings import best_faction
from engines.theory_of_power.moves import Attract, Food
from engines.theory_of_power.state import State, Supporter, animal, mine, symbols

PAIR_OF_FACTION = 2


class Payment(NamedTuple):
    """How an attraction is paid: from the reserve, off supporters; who is eaten, which faction was said."""

    food: int
    influence: int
    tokens: tuple[str, ...]
    eaten: Supporter | None
    as_faction: str


def why_not_cards(state: State, seat: int, cards: tuple[str, ...]) -> str | None:
    """The sentence that refuses cards that are not in hand as often as named, or None."""
    hand = state.hands[seat]
    for card, count in Counter(cards).items():
        if card not in state.components.animals:
            return f"{card!r} is no Animal of this set; your cards: {' '.join(hand) or 'none'}"
        if hand.count(card) < count:
            times = hand.count(card)
            there = {0: "not", 1: "only once", 2: "only twice"}.get(times, f"only {times} times")
            return f"{card} is {there} in your hand, which is {' '.join(hand) or 'empty'}"
    return None


# Get Food ---------------------------------------------------------------------------------------------


def pairs(state: State, cards: tuple[str, ...], said: tuple[str, ...]) -> int:
    """The pairs of one faction among cards; those of any faction as said, or as pays most (ruling 3)."""
    count: Counter[str] = Counter()
    wild = 0
    factions = iter(said)
    for card in cards:
        one = animal(state, card)
        faction = next(factions, "") if one.wild else one.faction
        if faction:
            count[faction] += 1
        else:
            wild += 1
    odd = min(wild, sum(number % PAIR_OF_FACTION for number in count.values()))
    return sum(number // PAIR_OF_FACTION for number in count.values()) + odd + (wild - odd) // PAIR_OF_FACTION


def harvest(state: State, seat: int, move: Food) -> int | str:
    """The Food that Get Food brings, or the sentence that refuses it (ruling 3)."""
    why = why_not_cards(state, seat, move.discarded)
    if why:
        return why
    wild = sum(animal(state, card).wild for card in move.discarded)
    if len(move.chameleon) > wild:
        return (
            f"chameleon says a faction for each card of any faction discarded: {wild}, not {len(move.chameleon)}"
        )
    if any(faction not in FACTIONS for faction in move.chameleon):
        return f"the factions are {', '.join(FACTIONS)}"
    there = symbols(state, seat) if move.cards or move.influence else {}
    cards, two = len(move.discarded), pairs(state, move.discarded, move.chameleon)
    if move.influence and not there["rulers"]:
        return "Influence for two cards of one faction needs a whole symbol of the Rulers: leave `influence` out"
    if move.cards and not there["free"]:
        return "cards instead of Food need a whole symbol of the Free: leave `cards` out"
    if move.influence > two:
        return f"each Influence takes two discarded cards of one faction: at most {two} of these"
    most = cards - PAIR_OF_FACTION * move.influence
    if move.cards > most:
        return f"a card may be taken instead of 1 Food for each card discarded and not traded: at most {most}"
    return cards + two - 3 * move.influence - move.cards


# attracting -------------------------------------------------------------------------------------------


def payment(state: State, seat: int, move: Attract) -> Payment | str:
    """How an attraction is paid (ruling 4), or the sentence that refuses it."""
    why = why_not_cards(state, seat, (move.card,))
    if why:
        return why
    card = animal(state, move.card)
    if move.chameleon and not card.wild:
        return f"{move.card} is a {card.faction}: only a card of any faction is said to be another"
    if move.chameleon and move.chameleon not in FACTIONS:
        return f"{move.chameleon!r} is no faction; those are {', '.join(FACTIONS)}"
    eaten = None
    if move.eat is not None:
        eaten = _eaten(state, seat, card, move.eat)
        if isinstance(eaten, str):
            return eaten
    price = card.appetite - (animal(state, eaten.card).appetite if eaten else 0)
    why = _why_not_tokens(state, seat, card, move, price)
    if why:
        return why
    food = state.food[seat] + (eaten.food if eaten else 0)
    influence = state.influence[seat] + (eaten.influence if eaten else 0)
    shares = _shares(price - len(move.from_), food, influence, move)
    if isinstance(shares, str):
        return shares
    return Payment(*shares, move.from_, eaten, said_faction(state, seat, card, move))


def said_faction(state: State, seat: int, card: Animal, move: Attract) -> str:
    """The faction that a card of any faction is attracted as."""
    if not card.wild:
        return ""
    if move.chameleon:
        return move.chameleon
    return "bird" if move.from_ else best_faction(state, seat, "attracts", card, move.eat or "")


def _eaten(state: State, seat: int, card: Animal, supporter: str) -> Supporter | str:
    one = mine(state, seat, supporter)
    if not card.predator:
        return f"{card.name} is no predator: it eats nobody"
    if one is None:
        return f"{supporter!r} is no supporter of yours: a predator eats one of those"
    if animal(state, one.card).appetite > card.appetite:
        return f"{one.card} ({supporter}) has more appetite than {card.name}, so it is not eaten by it"
    return one


def _why_not_tokens(state: State, seat: int, card: Animal, move: Attract, price: int) -> str | None:
    if not move.from_:
        return None
    if card.faction != "bird" and not (card.wild and move.chameleon in (None, "bird")):
        return f"only for a bird tokens on supporters pay, and {card.name} is none"
    if len(move.from_) > price:
        return f"{card.name} costs {price}, and {len(move.from_)} tokens off supporters are more than that"
    for token, count in Counter(move.from_).items():
        supporter, _, kind = token.partition(":")
        one = mine(state, seat, supporter) if supporter != move.eat else None
        if kind not in ("food", "influence"):
            return f"{token!r} is no token on a supporter: write s3:food or s3:influence, a word a token"
        if one is None:
            return f"{supporter!r} is no supporter of yours with tokens to pay with"
        there = one.food if kind == "food" else one.influence
        if there < count:
            return f"on {one.card} ({supporter}) lie {there} {kind} tokens, not {count}"
    return None


def _shares(price: int, food: int, influence: int, move: Attract) -> tuple[int, int] | str:
    """What the reserve pays: what is left out is filled up, Food first; the sum is the price exactly."""
    if move.food is not None and move.influence is not None:
        pays = move.food, move.influence
    elif move.food is not None:
        pays = move.food, price - move.food
    elif move.influence is not None:
        pays = price - move.influence, move.influence
    else:
        pays = min(food, price), price - min(food, price)
    there = f"your reserve holds {food} Food and {influence} Influence"
    if sum(pays) != price or min(pays) < 0:
        return f"from the reserve exactly {price} tokens are due, neither more nor less; {there}"
    if pays[0] > food or pays[1] > influence:
        return f"{price} tokens are due from the reserve, and {there}: too little for that"
    return pays
