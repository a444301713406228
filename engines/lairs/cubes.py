"""Energy cubes: what an action costs, how it is paid, what a penalty can take.

A cube is written `white`, `quickness` or `perception` where it is Fresh, `c:white` in a Conserved slot and
`s:white` in the Spent basket. A conserved cube is spent into Fresh, where it can be spent again (ruling 4).
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import NamedTuple

from msgspec import Struct

QUICKNESS = "quickness"
PERCEPTION = "perception"
COLOURS = ("white", QUICKNESS, PERCEPTION)
#: What each seat has: 4 Basic, 1 Quickness, 1 Perception.
CUBES = ("white", "white", "white", "white", QUICKNESS, PERCEPTION)

CONSERVED, SPENT = "c:", "s:"
#: The order in which cubes are paid that nobody named.
_PAID = ("white", "c:white", QUICKNESS, PERCEPTION, "c:quickness", "c:perception")
#: The order in which cubes are listed.
_LISTED = tuple(prefix + colour for prefix in ("", CONSERVED, SPENT) for colour in COLOURS)
_PLACE = {name: place for place, name in enumerate(_LISTED)}
#: A payment of more cubes than this is no payment.
_MOST = 2 * len(CUBES)


class Baskets(Struct):
    """The cubes of a seat, each basket sorted."""

    fresh: list[str] = []
    conserved: list[str] = []
    spent: list[str] = []
    fatigued: list[str] = []


class Cost(NamedTuple):
    """What an action costs: any `cubes`, or one of the colour `attribute`."""

    action: str
    cubes: int
    attribute: str = ""

    def __str__(self) -> str:
        number = {1: "any cube", 2: "any two cubes"}.get(self.cubes, f"any {self.cubes} cubes")
        return number + (f" or one {self.attribute} cube" if self.attribute else "")


CREEP = Cost("creep", 1)
HUSTLE = Cost("hustle", 2, QUICKNESS)
PEER = Cost("peer", 2, PERCEPTION)


def sort_cubes(cubes: list[str]) -> None:
    """Sorts cubes by colour."""
    cubes.sort(key=_PLACE.__getitem__)


def spendable(baskets: Baskets) -> int:
    """How many cubes can be paid: a conserved one twice (ruling 4)."""
    return len(baskets.fresh) + 2 * len(baskets.conserved)


def can_pay(baskets: Baskets, cost: Cost) -> bool:
    """Whether what costs `cost` can be paid at all."""
    if spendable(baskets) >= cost.cubes:
        return True
    return bool(cost.attribute) and (cost.attribute in baskets.fresh or cost.attribute in baskets.conserved)


def plain_payment(baskets: Baskets, cost: Cost) -> tuple[str, ...] | None:
    """What is paid when no cubes are named, in a fixed order; None if it cannot be paid."""
    if cost.attribute and cost.cubes > 1:
        if cost.attribute in baskets.fresh:
            return (cost.attribute,)
        if cost.attribute in baskets.conserved:
            return (CONSERVED + cost.attribute,)
    if spendable(baskets) < cost.cubes:
        return None
    there = Counter(baskets.fresh)
    there.update(CONSERVED + cube for cube in baskets.conserved)
    paid: list[str] = []
    while len(paid) < cost.cubes:
        cube = next(cube for cube in _PAID if there[cube] > 0)
        there[cube] -= 1
        if cube.startswith(CONSERVED):
            there[cube.removeprefix(CONSERVED)] += 1
        paid.append(cube)
    return in_spending_order(paid)


def in_spending_order(cubes: Sequence[str]) -> tuple[str, ...]:
    """Conserved cubes first: they become Fresh and may be spent again."""
    return tuple(sorted(cubes, key=lambda cube: (not cube.startswith(CONSERVED), _PLACE[cube])))


def named_payment(text: str) -> tuple[str, ...]:
    """The cubes of a text like `white+c:white`; those that are none as they stand."""
    cubes = text.lower().split("+")
    return in_spending_order(cubes) if all(map(_payable, cubes)) else tuple(cubes)


def _payable(cube: str) -> bool:
    return cube in _PLACE and not cube.startswith(SPENT)


def why_not_pay(baskets: Baskets, text: str) -> str | None:
    """The sentence that refuses cubes named to be paid, or None if they are there."""
    cubes = named_payment(text)
    if len(cubes) > _MOST:
        return f"{len(cubes)} cubes are more than can ever be paid at once"
    for cube in cubes:
        if not _payable(cube):
            return (
                f"{cube[:20]!r} is no cube to pay with: name white, quickness or perception, c:white for a "
                "conserved one, joined by +"
            )
    there = Counter(baskets.fresh)
    there.update(CONSERVED + cube for cube in baskets.conserved)
    for cube in cubes:
        if there[cube] <= 0:
            colour = cube.removeprefix(CONSERVED)
            basket = "conserved" if cube.startswith(CONSERVED) else "Fresh"
            return f"you do not have so many {basket} {colour} cubes: {cubes.count(cube)} named"
        there[cube] -= 1
        if cube.startswith(CONSERVED):
            there[cube.removeprefix(CONSERVED)] += 1
    return None


def why_not_cost(baskets: Baskets, cost: Cost, pay: str) -> str | None:
    """The sentence that refuses to do what costs `cost`, or None; `pay` names cubes or is empty."""
    if not can_pay(baskets, cost):
        return f"a {cost.action} costs {cost}, and you can pay {spendable(baskets)}"
    if not pay:
        return None
    why = why_not_pay(baskets, pay)
    if why:
        return why
    cubes = named_payment(pay)
    single = len(cubes) == 1 and cubes[0].removeprefix(CONSERVED) == cost.attribute
    if len(cubes) == cost.cubes or single:
        return None
    return f"a {cost.action} costs {cost}, not {pay[:60]}"


def payment(baskets: Baskets, cost: Cost, pay: str) -> tuple[str, ...]:
    """The cubes that are paid, named or not; they have been found to be there."""
    return named_payment(pay) if pay else plain_payment(baskets, cost) or ()


def spend(baskets: Baskets, cube: str) -> None:
    """Moves a cube: a conserved one into Fresh, a Fresh one into Spent."""
    source, target = baskets.fresh, baskets.spent
    if cube.startswith(CONSERVED):
        source, target, cube = baskets.conserved, baskets.fresh, cube.removeprefix(CONSERVED)
    source.remove(cube)
    target.append(cube)
    sort_cubes(target)


def fatigue(baskets: Baskets, cube: str) -> None:
    """Moves a cube into the Fatigued basket."""
    prefix, _, colour = cube.rpartition(":")
    {"": baskets.fresh, "c": baskets.conserved, "s": baskets.spent}[prefix].remove(colour)
    baskets.fatigued.append(colour)
    sort_cubes(baskets.fatigued)


# penalties --------------------------------------------------------------------------------------------


class Penalty(Struct, frozen=True):
    """What a strike takes: `count` cubes, `of` any kind, Fresh ones (conserved count as such) or a colour."""

    act: str
    count: int
    of: str

    def __str__(self) -> str:
        kind = {"any": "", "fresh": "Fresh "}.get(self.of, f"{self.of} ")
        return f"{self.act} {self.count} {kind}cube{'s' * (self.count != 1)}"


def takeable(baskets: Baskets) -> list[str]:
    """All cubes that are not yet fatigued."""
    return [
        *baskets.fresh,
        *(CONSERVED + cube for cube in baskets.conserved),
        *(SPENT + cube for cube in baskets.spent),
    ]


def meets(penalty: Penalty, cube: str) -> bool:
    """Whether a cube is of the kind that a penalty names."""
    if penalty.act == "spend" and cube.startswith(SPENT):
        return False
    if penalty.of == "any":
        return True
    if penalty.of == "fresh":
        return not cube.startswith(SPENT)
    return cube.rpartition(":")[2] == penalty.of


def choices(baskets: Baskets, penalty: Penalty) -> list[tuple[str, ...]]:
    """The sets of cubes that a penalty can take, each once, forced cubes included (ruling 8)."""
    there = takeable(baskets)
    named = [cube for cube in there if meets(penalty, cube)]
    others = [cube for cube in there if not meets(penalty, cube)]
    first = min(penalty.count, len(named))
    rest = min(penalty.count - first, len(others))
    return sorted(set(_sets(named, first, others, rest)), key=lambda cubes: [_PLACE[cube] for cube in cubes])


def _sets(named: list[str], first: int, others: list[str], rest: int) -> Iterator[tuple[str, ...]]:
    for some in combinations(named, first):
        for more in combinations(others, rest):
            yield tuple(sorted(some + more, key=_PLACE.__getitem__))


def conservable(baskets: Baskets, slots: int) -> list[tuple[str, ...]]:
    """The sets of Fresh cubes that fit into the free ones of so many slots, each once, the smallest first."""
    free = slots - len(baskets.conserved)
    found: dict[tuple[str, ...], None] = {}
    for count in range(1, free + 1):
        found.update(dict.fromkeys(combinations(baskets.fresh, count)))
    return list(found)
