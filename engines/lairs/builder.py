"""Lairs made by chance: all walls are used, features lie apart, hazards stand in the ways.

`below` gives a number from 0 to its argument - 1: the game's chance, a bot's own, or a guess's.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeVar

from engines.lairs.lair import (
    BORDERS,
    FEATURES,
    FEWEST_WALLS,
    GOALS,
    NEIGHBOURS,
    SPACES,
    WALLS,
    Border,
    Lair,
    component_faults,
    one_line,
    peril_faults,
    reach_faults,
    rows_of_lair,
    safe_spaces,
)

Below = Callable[[int], int]
T = TypeVar("T")

#: So many places are looked at for a feature, and the one that lies farthest from others is taken.
_CANDIDATES = 3
#: The Exit is at least so many steps from the Start.
_FAR = 5
#: At least so many of the four goals lie behind a hazard.
_GUARDED = 2
#: So many lairs are tried for a guess that keeps all rules of building.
_TRIES = 300


def random_lair(below: Below) -> str:
    """A legal lair in one line; no two are alike."""
    while True:
        walls = maze(below)
        lair = Lair(scattered(below, walls), walls)
        if not peril_faults(lair) and interesting(lair):
            return one_line(rows_of_lair(lair))


def interesting(lair: Lair) -> bool:
    """Whether the exit is far and hazards stand in the ways to some of the goals."""
    start, exit_ = lair.places("start")[0], lair.places("exit")[0]
    if distances(lair, start)[exit_] < _FAR:
        return False
    unguarded = safe_spaces(lair, start, 0, 0)
    return sum(space not in unguarded for kind in GOALS for space in lair.places(kind)) >= _GUARDED


def shuffled(below: Below, items: Iterable[T]) -> list[T]:
    """The items in a random order."""
    out = list(items)
    for last in range(len(out) - 1, 0, -1):
        other = below(last + 1)
        out[last], out[other] = out[other], out[last]
    return out


def maze(below: Below) -> frozenset[Border]:
    """All 20 walls, and every space still in reach: a tree of open borders is kept open, walls on others."""
    return frozenset(closable(shuffled(below, BORDERS), ())[:WALLS])


def closable(borders: Sequence[Border], open_: Iterable[Border]) -> list[Border]:
    """Those of the borders that can all be walls, when `open_` are none and the earlier ones open the ways."""
    root = {space: space for space in SPACES}

    def find(space: str) -> str:
        while root[space] != space:
            root[space] = root[root[space]]
            space = root[space]
        return space

    for space, letter in open_:
        root[find(space)] = find(NEIGHBOURS[space][letter])
    left: list[Border] = []
    for space, letter in borders:
        one, other = find(space), find(NEIGHBOURS[space][letter])
        if one == other:
            left.append((space, letter))
        else:
            root[one] = other
    return left


def scattered(below: Below, walls: frozenset[Border]) -> dict[str, str]:
    """Each feature in a space of its own, away from those of its kind; chests like dead ends."""
    bare = Lair({}, walls)
    ends = {space for space in SPACES if len(bare.beside(space)) == 1}
    features: dict[str, str] = {}
    for feature, count in FEATURES.items():
        for _ in range(count):
            free = [space for space in SPACES if space not in features]
            some = [free[below(len(free))] for _ in range(_CANDIDATES)]
            features[max(some, key=lambda space: _room(space, feature, features, ends))] = feature
    return features


def _room(space: str, feature: str, features: Mapping[str, str], ends: set[str]) -> float:
    """How well a feature lies in a space: far from its kind and from the Start, a chest in a dead end."""
    room = min((apart(space, other) for other in features), default=0) / 2
    alike = [other for other, kind in features.items() if kind in (feature, "start")]
    room += min((apart(space, other) for other in alike), default=0)
    if space in ends:
        room += 1 if feature == "chest" else -2
    return room


def apart(one: str, other: str) -> int:
    """Steps between two spaces if there were no walls."""
    return abs(ord(one[0]) - ord(other[0])) + abs(ord(one[1]) - ord(other[1]))


def distances(lair: Lair, start: str) -> dict[str, int]:
    """How many steps each space is from a space."""
    found = {start: 0}
    open_ = [start]
    for space in open_:
        for other in lair.beside(space):
            if other not in found:
                found[other] = found[space] + 1
                open_.append(other)
    return found


# guesses ----------------------------------------------------------------------------------------------


def lair_like(below: Below, known: Mapping[str, str], seen: Mapping[str, str]) -> str:
    """A lair in one line that agrees with an Explorer's map; a legal one where one is found.

    :param known: the walls of the Known spaces
    :param seen: the features of Known spaces, and those located in others
    """
    best = ""
    for _ in range(_TRIES):
        lair = Lair(_features_like(below, known, seen), _walls_like(below, known))
        best = best or one_line(rows_of_lair(lair))
        if not (component_faults(lair) or reach_faults(lair) or peril_faults(lair)):
            return one_line(rows_of_lair(lair))
    return best


def _walls_like(below: Below, known: Mapping[str, str]) -> frozenset[Border]:
    """The walls that are known, and others up to a number from 17 to 20 where nothing is known."""
    walls: set[Border] = set()
    open_: set[Border] = set()
    unknown: list[Border] = []
    for space, letter in BORDERS:
        other = NEIGHBOURS[space][letter]
        if space in known or other in known:
            there = letter in known[space] if space in known else {"e": "w", "s": "n"}[letter] in known[other]
            (walls if there else open_).add((space, letter))
        else:
            unknown.append((space, letter))
    wanted = FEWEST_WALLS + below(WALLS - FEWEST_WALLS + 1) - len(walls)
    walls.update(closable(shuffled(below, unknown), open_)[: max(0, wanted)])
    return frozenset(walls)


def _features_like(below: Below, known: Mapping[str, str], seen: Mapping[str, str]) -> dict[str, str]:
    features = {space: feature for space, feature in seen.items() if feature}
    free = shuffled(below, [space for space in SPACES if space not in known and space not in features])
    for feature, count in FEATURES.items():
        missing = count - sum(kind == feature for kind in features.values())
        for _ in range(missing):
            features[free.pop()] = feature
    return features
