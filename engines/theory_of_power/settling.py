"""The interpreter of abilities: settles the stack from the top until somebody is asked, or nothing is left.

set       its owner uses or skips what waits; a mandatory ability alone begins by itself (ruling 5)
running   effect by effect: what it asks is answered, it is done; what it set off becomes a set on top
later     a part of the action that had to wait
"""

from collections.abc import Callable, Generator, Iterator

from engines.kit.chance import Chance
from engines.kit.game import Fact
from engines.theory_of_power import happenings
from engines.theory_of_power.components import Swap, Take
from engines.theory_of_power.effects import can, can_all, perform, question
from engines.theory_of_power.facts import (
    AbilitiesSetOff,
    AbilityBegun,
    AbilityDone,
    AbilityDropped,
    AbilityLapsed,
    Answered,
    EffectDone,
    EffectDropped,
    LaterDue,
    QuestionAsked,
    SetBroughtForward,
    SetSettled,
)
from engines.theory_of_power.stack import Later, Pool, Running, Waiting, due, waiting_of
from engines.theory_of_power.state import SUPPLY, State, ability_of, found, mine


def set_off(state: State, first: int, waiting: list[Waiting]) -> Iterator[Fact]:
    """What happened has set off these abilities: one set (ruling 5)."""
    if waiting:
        yield AbilitiesSetOff(first, tuple(waiting))


def settle(state: State, chance: Chance) -> Iterator[Fact]:
    """Settles until a seat is to decide or the stack is empty."""
    while state.stack:
        top = state.stack[-1]
        if isinstance(top, Running):
            if top.asking:
                return
            yield from carry_on(state, top, chance)
        elif isinstance(top, Later):
            yield LaterDue(top.what)
            yield from _LATER[top.what](state)
        elif top.waiting:
            asked = yield from look_through(state, top)
            if asked:
                return
        else:
            yield SetSettled()


def _take_contacts_compromat(state: State) -> Iterator[Fact]:
    return happenings.take_compromat(state, state.turn, 1)


_LATER: dict[str, Callable[[State], Iterator[Fact]]] = {"compromat": _take_contacts_compromat}


# a set ------------------------------------------------------------------------------------------------


def stands(state: State, ability: Waiting) -> bool:
    """Whether the card of a waiting ability is still its owner's; one that `leaves` needs not be (ruling 6)."""
    return (
        ability.source in state.components.leaders
        or mine(state, ability.owner, ability.source) is not None
        or ability_of(state, ability).trigger == "leaves"
    )


def look_through(state: State, pool: Pool) -> Generator[Fact, None, bool]:
    """What of a set goes by itself: lapsed, impossible, alone and mandatory. Returns: is its owner asked?"""
    lapsed = [one for one in pool.waiting if not stands(state, one)]
    for one in lapsed:
        yield AbilityLapsed(one)
    if lapsed:
        return False
    mine = due(pool, state.seats)
    if not any(can_all(state, one) for one in mine):
        for one in mine:
            yield AbilityDropped(one)
        return False
    if len(mine) == 1 and ability_of(state, mine[0]).mandatory:
        yield AbilityBegun(mine[0])
        return False
    return True


# an ability that is carried out -----------------------------------------------------------------------


def carry_on(state: State, run: Running, chance: Chance) -> Iterator[Fact]:
    """The next thing of an ability that is being carried out."""
    ability = ability_of(state, run.ability)
    owner = run.ability.owner
    if run.step == len(ability.effects):
        caused = list(run.caused)
        swapped = any(one.rank > 1 for one in caused)
        yield AbilityDone()
        # rulings 10 and 11: after a swap the swapper's come first, else those of the seat whose turn it is
        yield from set_off(state, owner if swapped else state.turn, caused)
        return
    effect = ability.effects[run.step]
    if not run.picks and not can(state, run.ability, effect):
        yield from drop(run)
        return
    arrivals = arrivals_in_the_way(state, run) if isinstance(effect, Take | Swap) else []
    if arrivals:
        yield SetBroughtForward(arrivals[0].owner, tuple(arrivals))
        return
    asked = question(state, run, effect)
    if asked is None:
        yield from perform(state, run, effect, chance)
    elif not asked.answers:
        yield from drop(run)
    elif len(asked.answers) == 1 and ability.mandatory:
        yield Answered(asked.seat, asked.answers[0])
    else:
        yield QuestionAsked(asked.seat, asked.kind)


def drop(run: Running) -> Iterator[Fact]:
    """An effect that can no longer be done is dropped."""
    yield EffectDropped(run.ability.owner, run.ability.card)
    yield EffectDone(())


def arrivals_in_the_way(state: State, run: Running) -> list[Waiting]:
    """The waiting arrival of the supporter that the ability has picked from another player (ruling 10)."""
    for supporter in run.picks:
        there = found(state, supporter)
        if there is not None and there[0] != run.ability.owner:
            waiting = waiting_of(state.stack, supporter, there[0])
            return [one for one in waiting if one.ability != SUPPLY and ability_of(state, one).trigger == "joins"]
    return []
