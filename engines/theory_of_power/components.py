"""What a set of components can say: Animals, Leaders, and the vocabulary of their abilities.

The engine knows triggers, conditions and effects; what a card does is wholly in the set.
"""

import re
from collections import Counter
from collections.abc import Mapping
from typing import Annotated, Any, Literal, TypeVar

from msgspec import Meta, Struct

from engines.kit.errors import SetRefused
from engines.kit.notation import Grammar
from engines.kit.setfile import typed
from engines.theory_of_power import FACTIONS

Source = Literal["published", "house"]
Faction = Literal["herbivore", "carnivore", "reptile", "bird"]
Community = Literal["free", "rulers"]
Icon = Literal["easy", "sword", "calm"]
Count = Annotated[int, Meta(ge=1, le=20)]
Number = Annotated[int, Meta(ge=0, le=20)]

#: When an ability is set off. `joins leaves fed contacts` look at its own card; `attracts captures loses` at
#: another supporter of its owner's: attracted; poached, taken or swapped; lost. `feeding poaching` hold all the
#: time. `setup` is a Leader's.
Trigger = Literal[
    "joins", "leaves", "fed", "contacts", "attracts", "captures", "loses", "feeding", "poaching", "setup"
]
STANDING: tuple[Trigger, ...] = ("feeding", "poaching")
LEADERS_OWN: tuple[Trigger, ...] = ("setup", "contacts", "attracts", "captures", "loses", "feeding", "poaching")

CARDS_A_FACTION = 15
LEADERS = 8
LEADERS_AN_ICON = 4


class _Effect(Struct, frozen=True, forbid_unknown_fields=True, tag_field="kind"):
    pass


class Draw(_Effect, frozen=True, tag="draw"):
    """Draw cards: `count`, for each own supporter of faction `each` if that is said."""

    count: Count = 1
    each: Faction | None = None


class Gain(_Effect, frozen=True, tag="gain"):
    """Take tokens from the supply into the reserve."""

    food: Number = 0
    influence: Number = 0


class FeedOn(_Effect, frozen=True, tag="feed"):
    """Feed from the supply, `times` acts: the card itself, one own supporter, one other than the card, or each
    of a faction of one's choice.
    """

    whom: Literal["self", "one", "other", "faction"]
    food: Number = 0
    influence: Number = 0
    times: Count = 1


class Compromise(_Effect, frozen=True, tag="compromat"):
    """Take Compromat."""

    count: Count = 1


class Cleanse(_Effect, frozen=True, tag="cleanse"):
    """Return Compromat to the supply."""

    count: Count = 1


class Steal(_Effect, frozen=True, tag="steal"):
    """Take tokens out of another player's reserve."""

    food: Number = 0
    influence: Number = 0


class Take(_Effect, frozen=True, tag="take"):
    """Take another player's supporter of an appetite up to `appetite`."""

    appetite: Count


class Swap(_Effect, frozen=True, tag="swap"):
    """Swap another own supporter for another player's."""


class Recruit(_Effect, frozen=True, tag="attract"):
    """Attract a supporter of appetite `appetite` from hand for as many of the card's own tokens, Food first."""

    appetite: Count


class More(_Effect, frozen=True, tag="more"):
    """Each act of feeding by the owner gives so much more Food."""

    food: Count = 1


class Discount(_Effect, frozen=True, tag="discount"):
    """Poaching costs the owner so much less."""

    count: Count = 1


Effect = Draw | Gain | FeedOn | Compromise | Cleanse | Steal | Take | Swap | Recruit | More | Discount


class Ability(Struct, frozen=True, forbid_unknown_fields=True):
    """What a card does: when, under which condition, whether it must.

    :param faction: of the supporter that is attracted, captured, lost or poached; None for any
    :param tokens: `fed`: so many tokens must lie on the card then
    """

    trigger: Trigger
    effects: tuple[Effect, ...]
    source: Source
    mandatory: bool = False
    faction: Faction | None = None
    tokens: Number = 0


class Animal(Struct, frozen=True, forbid_unknown_fields=True):
    """An Animal card; `wild`: of any one faction when asked. Halves are `left` and `right`."""

    name: str
    faction: Faction
    appetite: Annotated[int, Meta(ge=1, le=5)]
    copies: Count
    source: Source
    predator: bool = False
    supplier: bool = False
    wild: bool = False
    left: Community | None = None
    right: Community | None = None
    vp: Number = 1
    abilities: tuple[Ability, ...] = ()


class Condition(Struct, frozen=True, forbid_unknown_fields=True):
    """What a Leader wants: `count` supporters that have all that is named; or so many different factions, or
    tokens on supporters, if `of` says so.
    """

    count: Count
    of: Literal["supporters", "factions", "tokens"] = "supporters"
    faction: Faction | None = None
    appetite_from: Number = 0
    appetite_to: Number = 20
    predator: bool = False
    supplier: bool = False
    tokens: Number = 0


class Leader(Struct, frozen=True, forbid_unknown_fields=True):
    """A Leader card; `faction` is the kind it is drawn as, and brings nothing."""

    name: str
    faction: Faction
    victory: Condition
    icons: tuple[Icon, ...]
    source: Source
    left: Community | None = None
    right: Community | None = None
    abilities: tuple[Ability, ...] = ()


class Set(Struct, frozen=True):
    """The components: all Animals and Leaders by name."""

    name: str
    animals: dict[str, Animal]
    leaders: dict[str, Leader]


class _Document(Struct, forbid_unknown_fields=True):
    schema: Literal[1]
    name: str
    animals: list[dict[str, Any]]
    leaders: list[dict[str, Any]]


def cards_of(components: Set) -> list[str]:
    """All Animal cards, each as often as it is there."""
    return [animal.name for animal in components.animals.values() for _ in range(animal.copies)]


def card_of(components: Set, name: str) -> Animal | Leader:
    """An Animal or a Leader by name."""
    return components.animals.get(name) or components.leaders[name]


T = TypeVar("T", Animal, Leader)


def load_set(document: Mapping[str, Any], grammar: Grammar) -> Set:
    """The set out of a TOML document.

    :raises SetRefused: it is not whole; the card and the field are named
    """
    raw = typed(document, _Document)
    animals = _read("animals", raw.animals, Animal, grammar)
    leaders = _read("leaders", raw.leaders, Leader, grammar)
    both = sorted(animals.keys() & leaders.keys())
    if both:
        raise SetRefused(f"leaders, {both[0]}, name: an Animal is called so, too")
    for animal in animals.values():
        _check_animal(animal)
    for leader in leaders.values():
        _check_leader(leader)
    _check_counts(animals, leaders)
    return Set(raw.name, animals, leaders)


def _read(part: str, raw: list[dict[str, Any]], shape: type[T], grammar: Grammar) -> dict[str, T]:
    found: dict[str, T] = {}
    for number, item in enumerate(raw, 1):
        place = f"{part}, {item.get('name', f'number {number}')}"
        try:
            card = typed(item, shape)
        except SetRefused as refused:
            raise SetRefused(f"{place}: {str(refused).replace('`set', '`card')}") from refused
        grammar.check_name(card.name, f"{place}, name")
        if re.fullmatch(r"s\d+", card.name) or ":" in card.name:
            raise SetRefused(f"{place}, name: s and a number is a supporter's own name, and ':' parts a token's")
        if card.name in found:
            raise SetRefused(f"{place}, name: another of the {part} is called so")
        if card.left and card.right and card.left != card.right:
            raise SetRefused(f"{place}, right: a card with two halves has both of one community")
        for ability in card.abilities:
            _check_ability(f"{place}, abilities", ability)
        found[card.name] = card
    return found


#: The effects that may set off an ability of the same trigger, and so on without end if nobody can say no.
_AGAIN: dict[Trigger, tuple[type[Any], ...]] = {
    "fed": (FeedOn, Take, Swap),
    "leaves": (Take, Swap),
    "loses": (Take, Swap),
    "captures": (Take, Swap),
}


def _check_ability(place: str, ability: Ability) -> None:
    if not ability.effects:
        raise SetRefused(f"{place}, effects: an ability has at least one")
    for effect in ability.effects:
        standing = isinstance(effect, More | Discount)
        fits = {"feeding": More, "poaching": Discount}.get(ability.trigger)
        if standing != (fits is not None) or (fits is not None and not isinstance(effect, fits)):
            raise SetRefused(f"{place}, effects: this effect does not go with the trigger {ability.trigger!r}")
        if isinstance(effect, Gain | FeedOn | Steal) and not effect.food + effect.influence:
            raise SetRefused(f"{place}, effects: food or influence must be more than 0")
    if ability.mandatory and any(isinstance(e, _AGAIN.get(ability.trigger, ())) for e in ability.effects):
        raise SetRefused(
            f"{place}, mandatory: this may set itself off again without end, so its owner must decide"
        )
    if ability.tokens and ability.trigger != "fed":
        raise SetRefused(f"{place}, tokens: that is a condition of the trigger 'fed' only")
    if ability.faction and ability.trigger not in ("attracts", "captures", "loses", "poaching"):
        raise SetRefused(f"{place}, faction: the trigger {ability.trigger!r} looks at the card itself")


def _needs_itself(ability: Ability) -> bool:
    return any(isinstance(e, Recruit) or (isinstance(e, FeedOn) and e.whom == "self") for e in ability.effects)


def _check_animal(animal: Animal) -> None:
    place = f"animals, {animal.name}"
    if animal.faction == "carnivore" and not animal.predator:
        raise SetRefused(f"{place}, predator: every carnivore is one")
    for ability in animal.abilities:
        if ability.trigger == "setup":
            raise SetRefused(f"{place}, abilities, trigger: 'setup' is for Leaders")
        if ability.trigger == "leaves" and _needs_itself(ability):
            raise SetRefused(f"{place}, abilities, effects: the card is gone when it 'leaves'")


def _check_leader(leader: Leader) -> None:
    place = f"leaders, {leader.name}"
    for ability in leader.abilities:
        if ability.trigger not in LEADERS_OWN:
            raise SetRefused(f"{place}, abilities, trigger: a Leader has one of {', '.join(LEADERS_OWN)}")
        if _needs_itself(ability):
            raise SetRefused(f"{place}, abilities, effects: a Leader is no supporter and holds no tokens")
        if ability.trigger == "setup" and not all(isinstance(e, Draw | Gain) for e in ability.effects):
            raise SetRefused(f"{place}, abilities, effects: in the set-up a Leader draws or gains")


def _check_counts(animals: dict[str, Animal], leaders: dict[str, Leader]) -> None:
    count = Counter({animal.name: animal.copies for animal in animals.values()})
    for faction in FACTIONS:
        there = sum(count[a.name] for a in animals.values() if a.faction == faction)
        if there != CARDS_A_FACTION:
            raise SetRefused(f"animals: {CARDS_A_FACTION} cards are {faction}s, not {there}: see their copies")
    if len(leaders) != LEADERS:
        raise SetRefused(f"leaders: there are {LEADERS}, not {len(leaders)}")
    for icon in ("easy", "sword", "calm"):
        there = sum(icon in leader.icons for leader in leaders.values())
        if there != LEADERS_AN_ICON:
            raise SetRefused(f"leaders, icons: {LEADERS_AN_ICON} carry {icon!r}, not {there}")
