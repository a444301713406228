"""Treasures: a small vocabulary of bonuses, and what a collection is worth."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal, NamedTuple

from msgspec import Struct

#: The types of Treasures, in the rulebook's order.
TYPES = ("Book", "Statue", "Scroll", "Amulet", "Cup", "Shard", "Crown", "Orb")
#: At most so many Treasures stay face-up; each other one scores `FACE_DOWN`.
FACE_UP = 4
FACE_DOWN = 1

Per = Literal["type", "keyword", "monster", "trap", "chest", "exit"]


class Bonus(Struct, frozen=True, forbid_unknown_fields=True):
    """`points` for each of what `per` counts: other face-up cards of a type or keyword `of`, or deeds.

    With `once` they are scored once however many there are.
    """

    points: int
    per: Per
    of: str = ""
    once: bool = False


class Treasure(Struct, frozen=True):
    """A card: its slug, name, type, keyword, base score and bonus."""

    slug: str
    name: str
    type: str
    keyword: str
    base: int
    bonus: Bonus | None = None


class Deeds(NamedTuple):
    """What an Explorer has done: what bonuses may refer to."""

    monsters: int = 0
    traps: int = 0
    chests: int = 0
    exited: bool = False


def bonus_points(card: Treasure, face_up: Iterable[Treasure], deeds: Deeds) -> int:
    """What a face-up card scores beyond its base; only other face-up cards count (ruling 13)."""
    bonus = card.bonus
    if bonus is None:
        return 0
    others = [other for other in face_up if other.slug != card.slug]
    count = {
        "type": sum(other.type == bonus.of for other in others),
        "keyword": sum(other.keyword == bonus.of for other in others),
        "monster": deeds.monsters,
        "trap": deeds.traps,
        "chest": deeds.chests,
        "exit": int(deeds.exited),
    }[bonus.per]
    return bonus.points * (min(count, 1) if bonus.once else count)


def collection_points(face_up: Sequence[Treasure], face_down: int, deeds: Deeds) -> int:
    """What a collection scores."""
    return face_down * FACE_DOWN + sum(card.base + bonus_points(card, face_up, deeds) for card in face_up)


def best_four(cards: Sequence[Treasure], deeds: Deeds) -> tuple[Treasure, ...]:
    """The cards that score most face-up, in their order."""
    if len(cards) <= FACE_UP:
        return tuple(cards)
    from itertools import combinations

    return max(combinations(cards, FACE_UP), key=lambda some: collection_points(some, 0, deeds))


def bonus_text(card: Treasure) -> str:
    """A card's bonus in words."""
    bonus = card.bonus
    if bonus is None:
        return "no bonus"
    what: Mapping[str, str] = {
        "type": f"other {bonus.of}",
        "keyword": f"other {bonus.of} item",
        "monster": "defeated Monster",
        "trap": "disarmed Trap",
        "chest": "opened Chest",
    }
    if bonus.per == "exit":
        return f"+{bonus.points} if you exit"
    if bonus.once:
        return f"+{bonus.points} with any {what[bonus.per]}"
    return f"+{bonus.points} per {what[bonus.per]}"
