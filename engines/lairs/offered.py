"""What a seat may do now, and the sentences that refuse the rest. Only what the seat sees is looked at."""

from collections.abc import Callable
from itertools import combinations
from typing import Any

from engines.kit.notation import Move
from engines.kit.offers import Offer, Offers
from engines.lairs.cubes import (
    CREEP,
    HUSTLE,
    PEER,
    Baskets,
    Cost,
    can_pay,
    choices,
    conservable,
    named_payment,
    spendable,
    why_not_cost,
    why_not_pay,
)
from engines.lairs.lair import DIRECTION_NAMES, NEIGHBOURS, SPACES, TITLES, faults
from engines.lairs.moves import (
    Backtrack,
    Build,
    Conserve,
    Creep,
    Disarm,
    End,
    Enter,
    Exit,
    Fatigue,
    Fight,
    First,
    Hustle,
    Keep,
    Open,
    Peer,
    Stay,
    Step,
    Stop,
    Take,
)
from engines.lairs.state import (
    State,
    backtracks,
    collection,
    hazard_here,
    may_exit,
    open_ways,
    standing,
)
from engines.lairs.treasures import FACE_UP

RANDOM = "random"
#: A Conserve moves at most so many cubes.
MOST_CONSERVED = 3

_PAY = "[pay CUBES]"


def offers(state: State, seat: int) -> Offers:
    """What `seat`, which is to move, may do."""
    return _OFFERS[state.phase](state, seat)


def backtrack_cost(state: State) -> Cost:
    """What a Backtrack costs (ruling 2)."""
    price = state.components.backtrack
    return Cost("backtrack", price.cubes, price.attribute)


def _always(_: Any) -> None:
    return None


# before play ------------------------------------------------------------------------------------------


def _build_offers(state: State, seat: int) -> Offers:
    return (
        Offer(
            Build,
            "build LAIR (@FILE with a text map; `turnlog rules lairs --blank` draws one) or build random",
            why_not_build,
            lambda: (Build(RANDOM),),
            complete=False,
        ),
    )


def why_not_build(move: Build) -> str | None:
    """All that is wrong with a lair, in one sentence, or None."""
    if move.lair.lower() == RANDOM:
        return None
    wrong = faults(move.lair)
    return f"this lair cannot be built: {'; '.join(wrong)}" if wrong else None


def _first_offers(state: State, seat: int) -> Offers:
    def why_not(move: First) -> str | None:
        if seat_said(state, move.seat) is not None:
            return None
        return f"there is no seat {move.seat[:40]!r}: the first Explorer is {' or '.join(state.names)}"

    return (Offer(First, "first SEAT", why_not, lambda: [First(name) for name in state.names]),)


def seat_said(state: State, said: str) -> int | None:
    """The seat of a name or of a number from 1."""
    if said in state.names:
        return state.names.index(said)
    return int(said) - 1 if said in ("1", "2") else None


# a turn -----------------------------------------------------------------------------------------------


def _act_offers(state: State, seat: int) -> Offers:
    here = hazard_here(state, seat)
    return (
        *_goal_offers(state, seat),
        *_check_offers(state, seat),
        *_moving_offers(state, seat),
        _conserve_offer(state, seat, here),
        Offer(End, "end", _always, lambda: (End(),)),
    )


def _moving_offers(state: State, seat: int) -> Offers:
    baskets = state.cubes[seat]
    ways = open_ways(state, seat)
    unknown = {letter: space for letter, space in ways.items() if space not in state.known[seat]}
    back, price = backtracks(state, seat), backtrack_cost(state)

    def why_not_move(cost: Cost) -> Callable[[Any], str | None]:
        def why_not(move: Creep | Hustle) -> str | None:
            return why_not_way(state, seat, move.dir_) or why_not_cost(baskets, cost, move.pay)

        return why_not

    def why_not_peer(move: Peer) -> str | None:
        wrong = why_not_way(state, seat, move.dir_)
        if wrong is None and move.dir_.lower() not in unknown:
            wrong = f"{ways[move.dir_.lower()]} is Known already: peer at an Unknown space"
        return wrong or why_not_cost(baskets, PEER, move.pay)

    def why_not_back(move: Backtrack) -> str | None:
        if move.space.upper() not in back:
            return why_not_backtrack(state, seat, move.space.upper())
        return why_not_cost(baskets, price, move.pay)

    def affordable(cost: Cost, moves: list[Any]) -> Callable[[], list[Any]]:
        return lambda: moves if can_pay(baskets, cost) else []

    return (
        Offer(Creep, f"creep DIR {_PAY}", why_not_move(CREEP), affordable(CREEP, [*map(Creep, ways)]), False),
        Offer(Hustle, f"hustle DIR {_PAY}", why_not_move(HUSTLE), affordable(HUSTLE, [*map(Hustle, ways)]), False),
        Offer(Peer, f"peer DIR {_PAY}", why_not_peer, affordable(PEER, [*map(Peer, unknown)]), False),
        Offer(
            Backtrack, f"backtrack SPACE {_PAY}", why_not_back, affordable(price, [*map(Backtrack, back)]), False
        ),
    )


def why_not_way(state: State, seat: int, said: str) -> str | None:
    """The sentence that refuses a direction, or None if the way is open."""
    letter = said.lower()
    if letter not in DIRECTION_NAMES:
        return f"{said[:20]!r} is no direction: n, e, s or w"
    here = state.at[seat]
    if letter not in NEIGHBOURS[here]:
        return f"the outer wall is {DIRECTION_NAMES[letter]} of {here}"
    if letter in state.known[seat][here]:
        return f"a wall is {DIRECTION_NAMES[letter]} of {here}"
    return None


def why_not_backtrack(state: State, seat: int, space: str) -> str:
    """The sentence that refuses where a Backtrack shall end."""
    if space not in SPACES:
        return f"{space[:20]!r} is no space; one is written like B4, rows A to F, columns 1 to 6"
    if space == state.at[seat]:
        return f"you are in {space} already"
    if space not in state.known[seat]:
        return f"{space} is Unknown: a Backtrack ends in a Known space"
    return f"no way leads from {state.at[seat]} to {space} through Known Empty spaces alone"


def _conserve_offer(state: State, seat: int, hazard: str) -> Offer:
    slots = state.components.slots
    free = slots - len(state.cubes[seat].conserved)
    sets = [] if hazard else [s for s in conservable(state.cubes[seat], slots) if len(s) <= MOST_CONSERVED]

    def why_not(move: Conserve) -> str | None:
        if hazard:
            return why_not_beside_hazard(state, seat, "conserve")
        cubes = sorted(cube.lower() for cube in move.cubes)
        if any(cubes == sorted(some) for some in sets):
            return None
        if not cubes:
            return "name 1 to 3 Fresh cubes to conserve, like conserve white quickness; or end"
        if len(cubes) > min(free, MOST_CONSERVED):
            return (
                f"at most {MOST_CONSERVED} cubes are conserved at once, and {free} of the {slots} slots "
                f"{'is' if free == 1 else 'are'} free"
            )
        fresh = " ".join(state.cubes[seat].fresh) or "none"
        return f"only Fresh cubes are conserved; yours are {fresh}, not {' '.join(move.cubes)[:60]}"

    return Offer(Conserve, "conserve CUBE...", why_not, lambda: map(Conserve, sets))


def why_not_beside_hazard(state: State, seat: int, what: str) -> str:
    """The sentence that refuses what cannot be done in a space with a hazard (ruling 7)."""
    hazard = hazard_here(state, seat)
    name = state.components.hazard(hazard).name
    verb = "fight" if hazard == "monster" else "disarm"
    return f"you cannot {what} in a space with a {name}: {verb} it, leave its space, or end"


def _step_offers(state: State, seat: int) -> Offers:
    ways = open_ways(state, seat)

    def why_not(move: Step) -> str | None:
        return why_not_way(state, seat, move.dir_)

    return (
        Offer(Step, "step DIR", why_not, lambda: map(Step, ways)),
        Offer(Stop, "stop", _always, lambda: (Stop(),)),
    )


def _enter_offers(state: State, seat: int) -> Offers:
    hazard = hazard_here(state, seat)

    def why_not(move: Stay) -> str | None:
        return why_not_beside_hazard(state, seat, "stay") if hazard else None

    return (
        Offer(Enter, "enter", _always, lambda: (Enter(),)),
        Offer(Stay, "stay", why_not, lambda: () if hazard else (Stay(),)),
    )


# hazards ----------------------------------------------------------------------------------------------


def _check_offers(state: State, seat: int) -> Offers:
    return (
        _check_offer(state, seat, Fight, "monster", "fight"),
        _check_offer(state, seat, Disarm, "trap", "disarm"),
    )


def _check_offer(state: State, seat: int, verb: Any, hazard: str, word: str) -> Offer:
    baskets = state.cubes[seat]
    here = hazard_here(state, seat) == hazard

    def why_not(move: Fight | Disarm) -> str | None:
        if not here:
            return f"no {TITLES[hazard]} is in {state.at[seat]} to {word}"
        return why_not_dice(baskets, move)

    def moves() -> list[Move]:
        if not here:
            return []
        return [verb(), *(verb(dice) for dice in range(1, spendable(baskets) + 1))]

    return Offer(verb, f"{word} [dice N] {_PAY}", why_not, moves, complete=not here)


def why_not_dice(baskets: Baskets, move: Fight | Disarm) -> str | None:
    """The sentence that refuses to buy dice, or None; each die costs one cube."""
    if move.pay:
        why = why_not_pay(baskets, move.pay)
        cubes = len(named_payment(move.pay))
        if why is None and move.dice not in (None, cubes):
            named = f"{cubes} cube{'s are' if cubes != 1 else ' is'} named"
            why = f"{named} for {_dice(move.dice)}: each die costs one cube"
        return why
    if move.dice and move.dice > spendable(baskets):
        return f"each die costs one cube: you can buy {_dice(spendable(baskets))}, not {move.dice}"
    return None


def _dice(count: int) -> str:
    return "1 die" if count == 1 else f"{count} dice"


def _penalty_offers(state: State, seat: int) -> Offers:
    assert state.penalty is not None
    penalty = state.penalty
    sets = choices(state.cubes[seat], penalty)

    def why_not(move: Fatigue) -> str | None:
        cubes = sorted(cube.lower() for cube in move.cubes)
        if any(cubes == sorted(some) for some in sets):
            return None
        return (
            f"the penalty is to {penalty}, and what cannot be taken is any other cube not yet fatigued: name "
            f"{len(sets[0])} that you have, like {' '.join(sets[0])}"
        )

    return (Offer(Fatigue, "fatigue CUBE...", why_not, lambda: map(Fatigue, sets)),)


# goals ------------------------------------------------------------------------------------------------


def _goal_offers(state: State, seat: int) -> Offers:
    feature = standing(state, seat, state.at[seat])
    leaves = feature == "exit" and may_exit(state, seat)

    def why_not_open(move: Open) -> str | None:
        return None if feature == "chest" else f"no closed Chest is in {state.at[seat]}"

    def why_not_exit(move: Exit) -> str | None:
        if feature != "exit":
            return f"the Exit is not in {state.at[seat]}"
        if leaves:
            return None
        return (
            "to exit you need 3 opened Chests, or 3 defeated Monsters, or 2 of each; you have "
            f"{state.chests[seat]} and {state.monsters[seat]}"
        )

    return (
        Offer(Open, "open", why_not_open, lambda: (Open(),) if feature == "chest" else ()),
        Offer(Exit, "exit", why_not_exit, lambda: (Exit(),) if leaves else ()),
    )


def _take_offers(state: State, seat: int) -> Offers:
    def why_not(move: Take) -> str | None:
        if move.treasure.lower() in state.display:
            return None
        return f"{move.treasure[:60]!r} is not in the display, which is {', '.join(state.display)}"

    return (Offer(Take, "take TREASURE", why_not, lambda: map(Take, state.display)),)


def _keep_offers(state: State, seat: int) -> Offers:
    held = collection(state, seat)

    def why_not(move: Keep) -> str | None:
        cards = [card.lower() for card in move.treasures]
        for card in cards:
            if card not in held:
                return f"{card[:60]!r} is not in your collection, which is {', '.join(held)}"
        if len(cards) != FACE_UP or len(set(cards)) != FACE_UP:
            return f"name exactly {FACE_UP} different Treasures that stay face-up, not {len(set(cards))}"
        return None

    return (
        Offer(
            Keep,
            f"keep TREASURE... ({FACE_UP} of them)",
            why_not,
            lambda: map(Keep, combinations(held, FACE_UP)),
        ),
    )


_OFFERS: dict[str, Callable[[State, int], Offers]] = {
    "build": _build_offers,
    "first": _first_offers,
    "act": _act_offers,
    "step": _step_offers,
    "enter": _enter_offers,
    "check": _check_offers,
    "penalty": _penalty_offers,
    "take": _take_offers,
    "keep": _keep_offers,
}
