"""The vocabulary carried out: of each effect, when it can be done, what it asks, and what it does."""

from collections.abc import Callable, Iterator
from typing import Any, Literal, NamedTuple

from engines.kit.chance import Chance
from engines.kit.game import Fact
from engines.theory_of_power import FACTIONS, happenings
from engines.theory_of_power.components import (
    Cleanse,
    Compromise,
    Draw,
    Effect,
    FeedOn,
    Gain,
    Recruit,
    Steal,
    Swap,
    Take,
)
from engines.theory_of_power.facts import (
    BACK,
    EffectDone,
    SupporterAttracted,
    SupportersSwapped,
    SupporterTaken,
    TokensGained,
    TokensStolen,
)
from engines.theory_of_power.stack import Running, Waiting
from engines.theory_of_power.state import State, Supporter, ability_of, animal, found, mine, of_faction

Kind = Literal["feed", "seat", "faction", "card", "own", "other"]


class Question(NamedTuple):
    """What an effect asks next: of which seat, and what may be answered."""

    kind: Kind
    seat: int
    answers: list[str]


# when an effect can be done in full -------------------------------------------------------------------


def can(state: State, waiting: Waiting, effect: Effect) -> bool:
    """Whether an effect can be done in full, by what all may see."""
    asks = _FIRST_ANSWERS.get(type(effect))
    return asks is None or asks(state, waiting, effect)


def can_all(state: State, waiting: Waiting) -> bool:
    """Whether an ability can be carried out in full, by what all may see."""
    return all(can(state, waiting, effect) for effect in ability_of(state, waiting).effects)


def fed_by(state: State, waiting: Waiting, effect: FeedOn) -> list[Supporter]:
    """The supporters that an effect may feed."""
    but = waiting.source if effect.whom == "other" else None
    of = (waiting.source,) if effect.whom == "self" else None
    return [one for one in state.supporters[waiting.owner] if one.id != but and (of is None or one.id in of)]


def robbed_by(state: State, waiting: Waiting, effect: Steal) -> list[int]:
    """The seats with enough in reserve to be robbed."""
    return [
        seat
        for seat in range(state.seats)
        if seat != waiting.owner and state.food[seat] >= effect.food and state.influence[seat] >= effect.influence
    ]


def taken_by(state: State, waiting: Waiting, effect: Take) -> list[str]:
    """Other players' supporters within the appetite."""
    return [
        one.id
        for seat in range(state.seats)
        if seat != waiting.owner
        for one in state.supporters[seat]
        if animal(state, one.card).appetite <= effect.appetite
    ]


def swapped_by(state: State, waiting: Waiting) -> tuple[list[str], list[str]]:
    """The own supporters that may be given, the others' that may be received."""
    own = [one.id for one in state.supporters[waiting.owner] if one.id != waiting.source]
    others = [one.id for seat in range(state.seats) if seat != waiting.owner for one in state.supporters[seat]]
    return own, others


def recruits(state: State, waiting: Waiting, effect: Recruit) -> list[str]:
    """The cards in hand that may be attracted; their owner's secret."""
    hand = dict.fromkeys(state.hands[waiting.owner])
    return [card for card in hand if card != BACK and animal(state, card).appetite == effect.appetite]


def _holds_tokens(state: State, waiting: Waiting, effect: Recruit) -> bool:
    one = mine(state, waiting.owner, waiting.source)
    return one is not None and one.food + one.influence >= effect.appetite


_FIRST_ANSWERS: dict[type[Any], Callable[[State, Waiting, Any], bool]] = {
    FeedOn: lambda s, w, e: bool(fed_by(s, w, e)),
    Cleanse: lambda s, w, e: not s.with_compromat or s.compromat[w.owner] >= e.count,
    Steal: lambda s, w, e: bool(robbed_by(s, w, e)),
    Take: lambda s, w, e: bool(taken_by(s, w, e)),
    Swap: lambda s, w, e: all(swapped_by(s, w)),
    Recruit: _holds_tokens,
}


# what an effect asks ----------------------------------------------------------------------------------


def question(state: State, run: Running, effect: Effect) -> Question | None:
    """The next question of the effect that is being carried out, or None if all is answered."""
    asks = _ASKS.get(type(effect))
    return None if asks is None else asks(state, run, effect)


def _ask_fed(state: State, run: Running, effect: FeedOn) -> Question | None:
    if run.picks or effect.whom == "self":
        return None
    owner = run.ability.owner
    if effect.whom == "faction":
        return Question("faction", owner, [f for f in FACTIONS if of_faction(state, owner, f)])
    return Question("feed", owner, [one.id for one in fed_by(state, run.ability, effect)])


def _ask_robbed(state: State, run: Running, effect: Steal) -> Question | None:
    if run.picks:
        return None
    robbed = robbed_by(state, run.ability, effect)
    return Question("seat", run.ability.owner, [state.names[seat] for seat in robbed])


def _ask_taken(state: State, run: Running, effect: Take) -> Question | None:
    owner, picks = run.ability.owner, run.picks
    targets = taken_by(state, run.ability, effect)
    if not picks or picks[0] not in targets:
        return Question("other", owner, [] if picks else targets)
    return _ask_factions(run, 1, _choosers(state, [(picks[0], owner, "")]))


def _ask_swapped(state: State, run: Running, effect: Swap) -> Question | None:
    owner, picks = run.ability.owner, run.picks
    own, others = swapped_by(state, run.ability)
    if not picks or picks[0] not in own:
        return Question("own", owner, [] if picks else own)
    if len(picks) == 1 or picks[1] not in others:
        return Question("other", owner, others if len(picks) == 1 else [])
    return _ask_factions(run, 2, _choosers(state, _arrivals(state, owner, *picks[:2])))


def _arrivals(state: State, seat: int, given: str, received: str) -> list[tuple[str, int, str]]:
    """The two arrivals of a swap: who comes to which seat in place of whom."""
    there = found(state, received)
    assert there is not None
    return [(received, seat, given), (given, there[0], received)]


def _choosers(state: State, arrivals: list[tuple[str, int, str]]) -> list[int]:
    """The seats that say of which faction a card is that comes to them, where that matters (ruling 12)."""
    seats: list[int] = []
    for supporter, seat, gone in arrivals:
        there = found(state, supporter)
        assert there is not None
        if animal(state, there[1].card).wild and happenings.faction_matters(state, seat, "captures", gone):
            seats.append(seat)
    return seats


def _ask_factions(run: Running, asked: int, choosers: list[int]) -> Question | None:
    """The next seat's question for a faction, once `asked` others are answered."""
    number = len(run.picks) - asked
    return Question("faction", choosers[number], list(FACTIONS)) if number < len(choosers) else None


def _ask_recruit(state: State, run: Running, effect: Recruit) -> Question | None:
    owner = run.ability.owner
    if not run.picks:
        return Question("card", owner, recruits(state, run.ability, effect))
    wild = animal(state, run.picks[0]).wild and happenings.faction_matters(state, owner, "attracts")
    return _ask_factions(run, 1, [owner] if wild else [])


_ASKS: dict[type[Any], Callable[[State, Running, Any], Question | None]] = {
    FeedOn: _ask_fed,
    Steal: _ask_robbed,
    Take: _ask_taken,
    Swap: _ask_swapped,
    Recruit: _ask_recruit,
}


# what an effect does ----------------------------------------------------------------------------------


def perform(state: State, run: Running, effect: Effect, chance: Chance) -> Iterator[Fact]:
    """Carries out an effect whose questions are answered."""
    caused = yield from _DOES[type(effect)](state, run, effect, chance)
    yield EffectDone(tuple(caused))


def _draw(state: State, run: Running, effect: Draw, chance: Chance) -> happenings.Happening:
    owner = run.ability.owner
    times = 1 if effect.each is None else len(of_faction(state, owner, effect.each))
    yield from happenings.draw(state, owner, effect.count * times, chance)
    return []


def _gain(state: State, run: Running, effect: Gain, chance: Chance) -> happenings.Happening:
    yield TokensGained(run.ability.owner, effect.food, effect.influence, run.ability.card)
    return []


def _feed(state: State, run: Running, effect: FeedOn, chance: Chance) -> happenings.Happening:
    owner = run.ability.owner
    if effect.whom == "faction":
        fed = of_faction(state, owner, run.picks[0])
    else:
        supporter = run.picks[0] if run.picks else run.ability.source
        fed = [one for one in state.supporters[owner] if one.id == supporter]
    caused: list[Waiting] = []
    for one in fed:
        for _ in range(effect.times):
            caused += yield from happenings.feed(state, owner, one, effect.food, effect.influence)
    return caused


def _compromise(state: State, run: Running, effect: Compromise, chance: Chance) -> happenings.Happening:
    yield from happenings.take_compromat(state, run.ability.owner, effect.count)
    return []


def _cleanse(state: State, run: Running, effect: Cleanse, chance: Chance) -> happenings.Happening:
    yield from happenings.return_compromat(state, run.ability.owner, effect.count)
    return []


def _steal(state: State, run: Running, effect: Steal, chance: Chance) -> happenings.Happening:
    victim = state.names.index(run.picks[0])
    yield TokensStolen(run.ability.owner, victim, effect.food, effect.influence)
    return []


def _take(state: State, run: Running, effect: Take, chance: Chance) -> happenings.Happening:
    there = found(state, run.picks[0])
    assert there is not None
    owner, one = there
    as_faction = run.picks[1] if len(run.picks) > 1 else ""
    fact = SupporterTaken(run.ability.owner, owner, one.id, one.card, one.food, one.influence, as_faction)
    return (yield from happenings.change_owner(state, fact, chance))


def _swap(state: State, run: Running, effect: Swap, chance: Chance) -> happenings.Happening:
    seat = run.ability.owner
    given = mine(state, seat, run.picks[0])
    there = found(state, run.picks[1])
    assert given is not None
    assert there is not None
    owner, received = there
    said = iter(run.picks[2:])
    choosers = _choosers(state, _arrivals(state, seat, given.id, received.id))
    as_faction, given_as = (next(said) if one in choosers else "" for one in (seat, owner))
    fact = SupportersSwapped(seat, given.id, given.card, owner, received.id, received.card, as_faction, given_as)
    return (yield from happenings.swap(state, fact, chance))


def _recruit(state: State, run: Running, effect: Recruit, chance: Chance) -> happenings.Happening:
    seat = run.ability.owner
    one = mine(state, seat, run.ability.source)
    assert one is not None
    food = min(one.food, effect.appetite)  # house: Food first
    tokens = [f"{one.id}:food"] * food + [f"{one.id}:influence"] * (effect.appetite - food)
    card = run.picks[0]
    as_faction = run.picks[1] if len(run.picks) > 1 else ""
    fact = SupporterAttracted(seat, card, f"s{state.born + 1}", 0, 0, tuple(tokens), as_faction)
    return (yield from happenings.attract(state, fact, chance))


_DOES: dict[type[Any], Callable[[State, Running, Any, Chance], happenings.Happening]] = {
    Draw: _draw,
    Gain: _gain,
    FeedOn: _feed,
    Compromise: _compromise,
    Cleanse: _cleanse,
    Steal: _steal,
    Take: _take,
    Swap: _swap,
    Recruit: _recruit,
}
