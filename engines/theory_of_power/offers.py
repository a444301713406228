"""What a seat may do now: the one source for lists of moves, checks and refusals."""

from collections.abc import Callable, Iterator

from engines.kit.offers import Offer, Offers
from engines.theory_of_power import FACTIONS
from engines.theory_of_power.components import Animal, Recruit
from engines.theory_of_power.effects import can_all, question, recruits
from engines.theory_of_power.happenings import faction_matters, price
from engines.theory_of_power.moves import (
    Attract,
    Choose,
    Contacts,
    Discard,
    Feed,
    Food,
    Leader,
    Pass,
    Poach,
    Skip,
    Use,
)
from engines.theory_of_power.payment import harvest, pairs, payment, why_not_cards
from engines.theory_of_power.stack import Pool, Running, Waiting, due
from engines.theory_of_power.state import HAND, State, Supporter, ability_of, animal, found, symbols

_CONTACTS, _PASS = Contacts(), Pass()
#: So many hands to discard are listed in the set-up at most; any other is taken all the same.
MOST_LISTED = 40


def offers(state: State, seat: int) -> Offers:
    """What `seat`, which is to decide, may do."""
    if state.phase == "action" and state.stack:
        top = state.stack[-1]
        return _set_offers(state, top) if isinstance(top, Pool) else _answer_offers(state)
    return _OFFERS[state.phase](state, seat)


# set-up -----------------------------------------------------------------------------------------------


def _discard_offers(state: State, seat: int) -> Offers:
    hand = state.hands[seat]
    count = len(hand) - HAND

    def why_not(move: Discard) -> str | None:
        why = why_not_cards(state, seat, move.cards)
        if why is None and len(move.cards) != count:
            cards = "1 card" if count == 1 else f"{count} cards"
            return f"discard exactly {cards}, so that {HAND} stay in hand; you named {len(move.cards)}"
        return why

    choices = _chosen(hand, count)
    listed = [Discard(cards) for cards in choices[:MOST_LISTED]]
    return (Offer(Discard, "discard CARD...", why_not, lambda: listed, complete=False),)


def _chosen(hand: list[str], count: int) -> list[tuple[str, ...]]:
    """The different ways to choose so many cards of a sorted hand."""
    ways: dict[tuple[str, ...], None] = {(): None}
    for _ in range(count):
        ways = {(*way, card): None for way in ways for card in dict.fromkeys(_behind(hand, way))}
    return list(ways)


def _behind(hand: list[str], way: tuple[str, ...]) -> list[str]:
    """The cards of a hand that may follow those chosen, so that each choice is made in one order."""
    start = 0
    for card in way:
        start = hand.index(card, start) + 1
    return hand[start:]


def _leader_offers(state: State, seat: int) -> Offers:
    dealt = state.dealt[seat]

    def why_not(move: Leader) -> str | None:
        if move.name in dealt:
            return None
        return f"{move.name!r} was not dealt to you: keep {' or '.join(dealt)}"

    return (Offer(Leader, "leader NAME", why_not, lambda: [Leader(name) for name in dealt]),)


# actions ----------------------------------------------------------------------------------------------


def _action_offers(state: State, seat: int) -> Offers:
    def why_not_food(move: Food) -> str | None:
        got = harvest(state, seat, move)
        return got if isinstance(got, str) else None

    def why_not_attract(move: Attract) -> str | None:
        paid = payment(state, seat, move)
        return paid if isinstance(paid, str) else None

    def why_not_poach(move: Poach) -> str | None:
        return _why_not_poach(state, seat, move)

    made = [
        Offer(
            Attract,
            "attract CARD [eat S] [food N] [influence N] [from S:KIND...] [chameleon FACTION]",
            why_not_attract,
            lambda: dict.fromkeys(_attractions(state, seat)),
            complete=False,
        ),
        Offer(Poach, "poach S [chameleon FACTION]", why_not_poach, lambda: _poachings(state, seat)),
        Offer(
            Food,
            "food [CARD...] [cards N] [influence M] [chameleon FACTION...]",
            why_not_food,
            lambda: dict.fromkeys(_harvests(state, seat)),
            complete=False,
        ),
        Offer(Contacts, "contacts", _always, lambda: [_CONTACTS]),
    ]
    if state.action == 2:  # ruling 14: the first action cannot be passed
        made.append(Offer(Pass, "pass", _always, lambda: [_PASS]))
    return made


def _always(move: Contacts | Pass) -> None:
    return None


def _harvests(state: State, seat: int) -> Iterator[Food]:
    """Get Food with a card, two of one faction, the whole hand, and what the communities make of these."""
    hand = state.hands[seat]
    ways = [(card,) for card in dict.fromkeys(hand)]
    ways += [two for two in _chosen(hand, 2) if pairs(state, two, ())]
    ways += [tuple(hand)] if len(hand) > 1 else []
    there = symbols(state, seat)
    yield from map(Food, ways)
    for cards in ways:
        two = pairs(state, cards, ())
        if there["rulers"] and two:
            yield Food(cards, influence=two)
        if there["free"]:
            yield Food(cards, cards=len(cards))
        if there["rulers"] and there["free"] and two and len(cards) > 2:
            yield Food(cards, cards=len(cards) - 2, influence=1)
    yield Food(())


def _attractions(state: State, seat: int) -> Iterator[Attract]:
    """Each card that can be paid: from the reserve, by eating, for birds off supporters, as each faction."""
    food, influence = state.food[seat], state.influence[seat]
    for name in dict.fromkeys(state.hands[seat]):
        card = animal(state, name)
        appetite = card.appetite
        if appetite <= food + influence:
            yield Attract(name)
            first = min(influence, appetite)
            if first > max(0, appetite - food):
                yield Attract(name, influence=first)
            if card.wild and faction_matters(state, seat, "attracts"):
                for faction in FACTIONS:
                    yield Attract(name, chameleon=faction)
        if card.predator:
            yield from _feasts(state, seat, card)
        if card.faction == "bird" or card.wild:
            for tokens in _tokens_for(state, seat, appetite, food + influence):
                yield Attract(name, from_=tokens)


def _feasts(state: State, seat: int, card: Animal) -> Iterator[Attract]:
    """A predator's ways to eat a supporter."""
    for one in state.supporters[seat]:
        due = card.appetite - animal(state, one.card).appetite
        if due < 0:
            continue
        reserve = state.food[seat] + state.influence[seat] + one.food + one.influence
        if due <= reserve:
            yield Attract(card.name, eat=one.id)
        elif card.faction == "bird":
            for tokens in _tokens_for(state, seat, due, reserve, one):
                yield Attract(card.name, eat=one.id, from_=tokens)


def _tokens_for(
    state: State, seat: int, due: int, reserve: int, but: Supporter | None = None
) -> Iterator[tuple[str, ...]]:
    """Tokens on supporters that pay: as few as must be, and as many as can be."""
    there = [
        f"{one.id}:{kind}"
        for one in state.supporters[seat]
        if one is not but
        for kind, count in (("food", one.food), ("influence", one.influence))
        for _ in range(count)
    ]
    fewest, most = max(1, due - reserve), min(due, len(there))
    for count in dict.fromkeys((fewest, most)):
        if fewest <= count <= most:
            yield tuple(there[:count])


def _poachings(state: State, seat: int) -> list[Poach]:
    """The supporters of others that can be paid for, those of any faction as each where that matters."""
    found_ones: list[Poach] = []
    for owner in range(state.seats):
        for one in state.supporters[owner] if owner != seat else ():
            if price(state, seat, one) <= state.influence[seat]:
                found_ones.append(Poach(one.id))
                if animal(state, one.card).wild:
                    found_ones += [Poach(one.id, chameleon=faction) for faction in FACTIONS]
    return found_ones


def _why_not_poach(state: State, seat: int, move: Poach) -> str | None:
    there = found(state, move.supporter)
    if there is None or there[0] == seat:
        whose = "is your own supporter" if there else "is no supporter on the table"
        return f"{move.supporter!r} {whose}: poach another player's by its id, like s3"
    card = animal(state, there[1].card)
    if move.chameleon and not (card.wild and move.chameleon in FACTIONS):
        return f"{card.name} is a {card.faction}: only a card of any faction is said to be one of the four"
    due, have = price(state, seat, there[1]), state.influence[seat]
    if due <= have:
        return None
    return f"{card.name} ({move.supporter}) costs {due} Influence, and you have {have}; Food does not poach"


# abilities --------------------------------------------------------------------------------------------


def _set_offers(state: State, pool: Pool) -> Offers:
    sources = list(dict.fromkeys(one.source for one in due(pool, state.seats)))

    def why_not(move: Use | Skip) -> str | None:
        if move.source not in sources:
            return f"no ability of {move.source!r} waits for you; there wait: {', '.join(sources)}"
        one = meant(state, pool, move)
        if isinstance(move, Use):
            return why_not_use(state, one)
        if not ability_of(state, one).mandatory:
            return None
        return f"what {one.card} ({move.source}) does is mandatory: use {move.source}"

    usable = [source for source in sources if why_not(Use(source)) is None]
    optional = [source for source in sources if why_not(Skip(source)) is None]
    return (
        Offer(Use, "use S", why_not, lambda: [Use(source) for source in usable]),
        Offer(Skip, "skip S", why_not, lambda: [Skip(source) for source in optional]),
    )


def meant(state: State, pool: Pool, move: Use | Skip) -> Waiting:
    """Which ability of a source is used or skipped: of several the first with which that can be done."""
    waiting = [one for one in due(pool, state.seats) if one.source == move.source]
    for one in waiting:
        if why_not_use(state, one) is None if isinstance(move, Use) else not ability_of(state, one).mandatory:
            return one
    return waiting[0]


def why_not_use(state: State, waiting: Waiting) -> str | None:
    """The sentence that refuses to use a waiting ability, or None."""
    ability = ability_of(state, waiting)
    if not can_all(state, waiting):
        return f"what {waiting.card} does cannot be done in full as things stand"
    if ability.mandatory:
        return None
    for effect in ability.effects:
        if isinstance(effect, Recruit) and not recruits(state, waiting, effect):
            return f"no card of appetite {effect.appetite} is in your hand: skip {waiting.source}"
    return None


_ASKED = {
    "seat": "a player to take from",
    "faction": "a faction",
    "card": "a card of your hand",
    "own": "a supporter of yours",
    "other": "another player's supporter",
    "feed": "a supporter of yours to feed",
}


def _answer_offers(state: State) -> Offers:
    top = state.stack[-1]
    assert isinstance(top, Running)
    asked = question(state, top, ability_of(state, top.ability).effects[top.step])
    assert asked is not None
    answers = asked.answers

    def why_not(move: Feed | Choose) -> str | None:
        answer = move.supporter if isinstance(move, Feed) else move.value
        if answer in answers:
            return None
        return (
            f"{answer!r} is not possible: {top.ability.card} asks for {_ASKED[asked.kind]}: {', '.join(answers)}"
        )

    if asked.kind == "feed":
        return (Offer(Feed, "feed S", why_not, lambda: [Feed(one) for one in answers]),)
    return (Offer(Choose, "choose VALUE", why_not, lambda: [Choose(one) for one in answers]),)


_OFFERS: dict[str, Callable[[State, int], Offers]] = {
    "discard": _discard_offers,
    "leader": _leader_offers,
    "action": _action_offers,
}
