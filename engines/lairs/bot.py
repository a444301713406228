"""A player better than chance: opens what it finds, fights when the odds are good, explores what is nearest,
and heads for the exit once it may leave.
"""

from collections.abc import Callable, Sequence
from functools import lru_cache
from heapq import heappop, heappush
from typing import Any, NamedTuple

from engines.kit.chance import Chance
from engines.kit.notation import Move
from engines.kit.search import Aid
from engines.lairs.builder import distances, random_lair
from engines.lairs.cubes import PERCEPTION, QUICKNESS, spendable
from engines.lairs.lair import GOALS, HAZARDS, NEIGHBOURS, lair_of
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
from engines.lairs.state import State, collection, deeds, hazard_here, may_exit, standing, target
from engines.lairs.treasures import Treasure, best_four, collection_points

#: So many lairs are made, and the one with the longest ways is built.
_DRAFTS = 4
#: A fight is taken on with such a chance, or with less when all cubes are there.
_GOOD, _FAIR = 0.8, 0.45
#: What a step into a known hazard weighs, and how much nearer a chest or a monster seems than it is.
_HAZARD_COST, _CHEST_PULL, _MONSTER_PULL = 5, 4, 3
#: Once it may leave, a goal this near is still fetched as long as the rival is far from leaving.
_NEAR, _RIVAL_FAR = 2, 2


class _Way(NamedTuple):
    """A way to a space: its weight and the spaces on it, without the one stood in."""

    weight: int
    spaces: tuple[str, ...]


def greedy(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    """Chooses the move that looks best."""
    return _CHOOSERS[view.phase](view, seat, moves, chance)


def _build(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    drafts = [chance.made("bot", random_lair, lambda _: None) for _ in range(_DRAFTS)]
    return Build(max(drafts, key=_length_of_ways))


def _length_of_ways(line: str) -> int:
    """How far all goals are from the start."""
    lair = lair_of(line)
    steps = distances(lair, lair.places("start")[0])
    return sum(steps[space] for kind in GOALS for space in lair.places(kind))


def _first(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    return First(view.names[seat])


# odds -------------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def odds(faces: tuple[int, ...], dice: int, needed: int) -> float:
    """The chance that so many dice reach a sum."""
    if needed <= 0:
        return 1.0
    if dice == 0:
        return 0.0
    return sum(odds(faces, dice - 1, needed - face) for face in faces) / len(faces)


def _dice(view: State, needed: int, budget: int, wish: float) -> int | None:
    """The fewest dice that reach a sum with such a chance, or None if there are not so many."""
    for dice in range(1, budget + 1):
        if odds(view.components.faces, dice, needed) >= wish:
            return dice
    return None


def _check(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    """A check that is due: good odds if they can be paid, else all that helps."""
    here = view.at[seat]
    needed, budget = target(view, seat, here), spendable(view.cubes[seat])
    dice = _dice(view, needed, budget, _GOOD) or min(budget, needed)
    verb = Fight if standing(view, seat, here) == "monster" else Disarm
    return verb(dice or None)


# ways -------------------------------------------------------------------------------------------------


def _ways(view: State, seat: int) -> dict[str, _Way]:
    """The lightest way to each space that is Known or borders on a Known one."""
    known = view.known[seat]
    found: dict[str, _Way] = {}
    open_: list[tuple[int, int, str, tuple[str, ...]]] = [(0, 0, view.at[seat], ())]
    while open_:
        weight, length, space, spaces = heappop(open_)
        if space in found:
            continue
        found[space] = _Way(weight, spaces)
        if space not in known:
            continue
        for letter, other in NEIGHBOURS[space].items():
            if letter not in known[space] and other not in found:
                step = _HAZARD_COST if standing(view, seat, other) in HAZARDS else 1
                heappush(open_, (weight + step, length + 1, other, (*spaces, other)))
    del found[view.at[seat]]
    return found


def _goal(view: State, seat: int, ways: dict[str, _Way]) -> _Way | None:
    """The way to what is worth most for its distance."""
    leaving = wants_to_leave(view, seat, ways)
    best: tuple[int, _Way] | None = None
    for space, way in ways.items():
        feature = standing(view, seat, space)
        weight = way.weight
        if feature == "exit" and leaving:
            return way
        if feature == "chest" and view.chests[seat] < 3:
            weight -= _CHEST_PULL
        elif feature == "monster":
            weight -= _MONSTER_PULL
        elif space in view.known[seat]:
            continue
        if best is None or weight < best[0]:
            best = weight, way
    return best[1] if best else None


def wants_to_leave(view: State, seat: int, ways: dict[str, _Way]) -> bool:
    """Whether a seat heads for the exit: as soon as it may, but for a goal beside it and a rival far behind."""
    if not may_exit(view, seat):
        return False
    rival = 1 - seat
    if view.exits or view.chests[rival] + view.monsters[rival] > _RIVAL_FAR:
        return True
    near = [space for space, way in ways.items() if way.weight <= _NEAR and space in view.known[seat]]
    return not any(standing(view, seat, space) == "chest" for space in near)


def _letter(view: State, seat: int, space: str) -> str:
    """The direction of a neighbouring space."""
    return next(letter for letter, other in NEIGHBOURS[view.at[seat]].items() if other == space)


# a turn -----------------------------------------------------------------------------------------------


def _act(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    if Open() in moves:
        return Open()
    ways = _ways(view, seat)
    if Exit() in moves and wants_to_leave(view, seat, ways):
        return Exit()
    hazard = hazard_here(view, seat)
    if hazard:
        move = _face(view, seat, hazard)
        if move is not None:
            return move
    way = _goal(view, seat, ways)
    move = _travel(view, seat, way.spaces, moves) if way else None
    return move or _rest(moves)


def _face(view: State, seat: int, hazard: str) -> Move | None:
    """Fights or disarms what stands here, waits for more cubes, or (None) goes on."""
    needed, budget = target(view, seat, view.at[seat]), spendable(view.cubes[seat])
    dice = _dice(view, needed, budget, _GOOD)
    if hazard == "trap":
        held = [view.components.treasures[slug] for slug in collection(view, seat)]
        wanted = any(card.bonus is not None and card.bonus.per == "trap" for card in held)
        return Disarm(dice) if wanted and dice else None
    if dice:
        return Fight(dice)
    whole = not view.cubes[seat].spent
    if whole and budget and odds(view.components.faces, budget, needed) >= _FAIR:
        return Fight(budget)
    return End()


def _travel(view: State, seat: int, spaces: tuple[str, ...], moves: Sequence[Move]) -> Move | None:
    """The action that goes along a way, or None if none is good now."""
    baskets = view.cubes[seat]
    budget = spendable(baskets)
    there = baskets.fresh + baskets.conserved
    first = spaces[0]
    letter = _letter(view, seat, first)
    if standing(view, seat, first) in HAZARDS:
        dice = _dice(view, target(view, seat, first), budget - 1, _FAIR)
        rested = not baskets.spent and not baskets.fatigued
        return Creep(letter) if (dice or rested) and Creep(letter) in moves else None
    back = [number for number, space in enumerate(spaces) if Backtrack(space) in moves]
    if back and back[-1] >= (1 if QUICKNESS in there else 2):
        return Backtrack(spaces[back[-1]])
    if Hustle(letter) in moves and QUICKNESS in there:
        return Hustle(letter)
    if first not in view.known[seat] and PERCEPTION in there and Peer(letter) in moves:
        return Peer(letter)
    if len(spaces) > 2 and budget >= 2 and Hustle(letter) in moves:
        return Hustle(letter)
    return Creep(letter) if Creep(letter) in moves else None


def _rest(moves: Sequence[Move]) -> Move:
    """Saves the cubes that are left, or ends."""
    saved = [move for move in moves if isinstance(move, Conserve)]
    return max(saved, key=lambda move: len(move.cubes)) if saved else End()


def _step(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    way = _goal(view, seat, _ways(view, seat))
    if way is None or standing(view, seat, way.spaces[0]) in HAZARDS:
        return Stop()
    return Step(_letter(view, seat, way.spaces[0]))


def _enter(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    """Into what was peered at, if it is harmless or can be beaten."""
    if Stay() not in moves:
        return Enter()
    feature = standing(view, seat, view.peering)
    if feature not in HAZARDS:
        return Enter()
    dice = _dice(view, target(view, seat, view.peering), spendable(view.cubes[seat]), _GOOD)
    return Enter() if feature == "monster" and dice else Stay()


#: How little a cube is missed that a penalty takes: spent ones least, conserved ones most.
_MISSED = {
    "s:white": 0,
    "s:perception": 1,
    "s:quickness": 2,
    "white": 3,
    "perception": 4,
    "quickness": 5,
    "c:white": 7,
    "c:perception": 8,
    "c:quickness": 9,
}


def _penalty(view: State, seat: int, moves: Sequence[Any], chance: Chance) -> Move:
    sets: list[Fatigue] = list(moves)
    return min(sets, key=lambda move: sum(_MISSED[cube] for cube in move.cubes))


# treasures --------------------------------------------------------------------------------------------


def _worth(view: State, seat: int, slugs: Sequence[str]) -> int:
    cards: list[Treasure] = [view.components.treasures[slug] for slug in slugs]
    done = deeds(view, seat)._replace(exited=True)
    best = best_four(cards, done)
    return collection_points(best, len(cards) - len(best), done)


def _take(view: State, seat: int, moves: Sequence[Any], chance: Chance) -> Move:
    taken: list[Take] = list(moves)
    held = collection(view, seat)
    return max(taken, key=lambda move: _worth(view, seat, [*held, move.treasure]))


def _keep(view: State, seat: int, moves: Sequence[Any], chance: Chance) -> Move:
    cards = [view.components.treasures[slug] for slug in collection(view, seat)]
    return Keep(tuple(card.slug for card in best_four(cards, deeds(view, seat))))


_CHOOSERS: dict[str, Callable[[State, int, Sequence[Move], Chance], Move]] = {
    "build": _build,
    "first": _first,
    "act": _act,
    "step": _step,
    "enter": _enter,
    "check": _check,
    "penalty": _penalty,
    "take": _take,
    "keep": _keep,
}

BOTS = {"greedy": greedy}


def standings(state: State) -> list[float]:
    """What was done towards leaving, and leaving."""
    return [
        float(2 * state.chests[seat] + 2 * state.monsters[seat] + 3 * (seat in state.exits)) for seat in range(2)
    ]


def clock(state: State) -> int:
    """The round."""
    return state.round


#: A race: whoever strays or tries things out loses it.
AID = Aid(standings, clock, span=20, stray=3, patience=25, doubt=1.0)
