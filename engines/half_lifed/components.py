"""The set of components: departments with their cards, the HQ, goals; effects as data, parsed from short texts.

An effect is written as in `gain 3`, `pay 2`, `gain 1 per bots`, `worker`, `bot`, `station`, `clinic`, `investor`,
`lift`, `pledge leak`. The vocabulary is small, and the engine implements each word once (`effects.py`).
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Literal

from msgspec import Struct

from engines.kit.errors import SetRefused
from engines.kit.notation import Grammar
from engines.kit.setfile import typed

Kind = Literal["action", "upgrade", "event", "attachment"]
Do = Literal["gain", "pay", "worker", "bot", "station", "clinic", "investor", "lift", "pledge"]
Source = Literal["published", "house"]

DEPARTMENTS = 6
IN_PLAY = 5
CARDS = 15
TIERS = (25, 20, 15)
#: What the board has room for.
LONGEST_NAME = 20
#: So many goals of each tier, at least, ask for no Leak.
GOALS_A_TIER = 4
COLOURS = ("red", "green", "yellow", "blue", "magenta", "cyan", "white", "brown")
PLEDGES = ("worker", "bot", "investor", "leak")
#: Kinds of cards as counted things.
KINDS: dict[str, Kind] = {
    "actions": "action",
    "upgrades": "upgrade",
    "events": "event",
    "attachments": "attachment",
}
#: What can be counted besides the cards of a kind and of a department.
COUNTED = ("cards", "rooms", "workers", "bots", "investors", "leaks", "goals", "departments", "colours", "money")
#: What a standing price change may be about: building, a worker of another colour, paying for a Leak.
PRICES = ("build", "off-colour", "leak")
#: Effects that may ask for a card, a bot or a Leak; a space holds one of them at most.
ASKING = ("bot", "station", "lift")


class Effect(Struct, frozen=True):
    """One thing a card does. `per` is a counted thing, `piece` what is added to the next draft."""

    do: Do
    amount: int = 0
    per: str = ""
    piece: str = ""


class Change(Struct, frozen=True):
    """A standing change of a price: of building `things` (of all, if empty), of another colour, of a Leak."""

    price: str
    amount: int
    things: str = ""


class Money(Struct, frozen=True):
    """Money at the end of the game, perhaps for each counted thing."""

    amount: int
    per: str = ""


class Card(Struct, frozen=True):
    """A facility card; `boost` is what an attachment adds to its host's space."""

    id: str
    name: str
    department: str
    kind: Kind
    price: int
    effects: tuple[Effect, ...] = ()
    boost: tuple[Effect, ...] = ()
    changes: tuple[Change, ...] = ()
    scores: tuple[Money, ...] = ()


class Department(Struct, frozen=True):
    """A department with the colour of its workers; `waste` if its cards add and contain Leaks."""

    key: str
    name: str
    colour: str
    waste: bool


class Need(Struct, frozen=True):
    """A goal's demand: at least so many of a counted thing."""

    things: str
    least: int


class Goal(Struct, frozen=True):
    """A goal and the money it pays."""

    id: str
    name: str
    money: int
    needs: tuple[Need, ...]


class Space(Struct, frozen=True):
    """A space of the HQ."""

    id: str
    name: str
    effects: tuple[Effect, ...]


class Set(Struct, frozen=True):
    """All components. Cards, goals and workers are numbered in the order of the file."""

    name: str
    departments: tuple[Department, ...]
    cards: tuple[Card, ...]
    goals: tuple[Goal, ...]
    hq: tuple[Space, ...]
    start_money: int
    start_clinics: int
    draw_cards: int
    draw_workers: int
    of_each_colour: int


class _Card(Struct, forbid_unknown_fields=True):
    name: str
    kind: Kind
    price: int
    does: list[str] = []
    boost: list[str] = []
    works: list[str] = []
    scores: list[str] = []


class _Department(Struct, forbid_unknown_fields=True):
    key: str
    name: str
    colour: str
    source: Source
    cards: list[_Card]
    waste: bool = False


class _Goal(Struct, forbid_unknown_fields=True):
    name: str
    money: int
    needs: list[str]


class _Goals(Struct, forbid_unknown_fields=True):
    source: Source
    cards: list[_Goal]


class _Space(Struct, forbid_unknown_fields=True):
    name: str
    does: list[str]


class _Hq(Struct, forbid_unknown_fields=True):
    source: Source
    spaces: list[_Space]


class _Start(Struct, forbid_unknown_fields=True):
    money: int
    clinics: int
    source: Source


class _Draw(Struct, forbid_unknown_fields=True):
    cards: int
    workers: int
    of_each_colour: int
    source: Source


class _Document(Struct, forbid_unknown_fields=True):
    schema: Literal[1]
    name: str
    start: _Start
    draw: _Draw
    hq: _Hq
    goals: _Goals
    departments: list[_Department]


def load_set(document: Mapping[str, Any], grammar: Grammar) -> Set:
    """The set out of a TOML document.

    :raises SetRefused: it is not whole; the place is named
    """
    raw = typed(document, _Document)
    _check_departments(raw.departments)
    keys = tuple(department.key for department in raw.departments)
    things = frozenset((*COUNTED, *KINDS, *keys))
    cards = tuple(_cards(raw.departments, things))
    _check_names([card.name for card in cards], "departments, cards")
    goals = tuple(_goals(raw.goals, things))
    _check_names([goal.name for goal in goals], "goals")
    _check_tiers(goals)
    hq = tuple(_spaces(raw.hq, things))
    _check_numbers(raw)
    return Set(
        raw.name,
        tuple(Department(d.key, d.name, d.colour, d.waste) for d in raw.departments),
        cards,
        goals,
        hq,
        raw.start.money,
        raw.start.clinics,
        raw.draw.cards,
        raw.draw.workers,
        raw.draw.of_each_colour,
    )


def _check_numbers(raw: _Document) -> None:
    """The first draw can be filled with every number of seats."""
    for place, number, least, most in (
        ("start, money", raw.start.money, 0, 99),
        ("start, clinics", raw.start.clinics, 0, 99),
        ("draw, cards", raw.draw.cards, 1, CARDS),
        ("draw, of_each_colour", raw.draw.of_each_colour, 1, 99),
        ("draw, workers", raw.draw.workers, 1, raw.draw.of_each_colour),
    ):
        if not least <= number <= most:
            raise SetRefused(f"{place}: {number} is no number from {least} to {most}")


def _check_names(names: list[str], place: str) -> None:
    for name, count in Counter(names).items():
        if count > 1:
            raise SetRefused(f"{place}: {name!r} is named {count} times")
        if not name.isascii() or not name.isprintable() or not 1 <= len(name) <= LONGEST_NAME:
            raise SetRefused(f"{place}: {name!r} is no name: 1 to {LONGEST_NAME} printable ASCII characters")


def _check_departments(departments: list[_Department]) -> None:
    if len(departments) != DEPARTMENTS or sum(d.waste for d in departments) != 1:
        raise SetRefused(f"departments: there are {DEPARTMENTS}, one of them with waste = true")
    for field in ("key", "name", "colour"):
        _check_names([getattr(department, field) for department in departments], f"departments, {field}")
    for department in departments:
        key = department.key
        if not key.replace("-", "").isalpha() or key != key.lower() or key in COUNTED or key in KINDS:
            raise SetRefused(
                f"departments, {key!r}: a key is in small letters, with - between, and no counted thing"
            )
        if department.colour not in COLOURS:
            raise SetRefused(f"departments, {key}: {department.colour!r} is none of {', '.join(COLOURS)}")
        if len(department.cards) != CARDS:
            raise SetRefused(f"departments, {key}: it has {CARDS} cards, not {len(department.cards)}")


def _cards(departments: list[_Department], things: frozenset[str]) -> Iterator[Card]:
    number = 0
    for department in departments:
        for raw in department.cards:
            number += 1
            place = f"departments, {department.key}, {raw.name}"
            card = Card(
                f"c{number}",
                raw.name,
                department.key,
                raw.kind,
                raw.price,
                _effects(raw.does, place, things),
                _effects(raw.boost, place, things),
                tuple(_change(text, place, things) for text in raw.works),
                tuple(_money(text, place, things) for text in raw.scores),
            )
            _check_card(card, department.waste, place)
            yield card


def _check_card(card: Card, waste: bool, place: str) -> None:
    if not 0 <= card.price <= 99:
        raise SetRefused(f"{place}: a price of {card.price} is none from 0 to 99")
    if card.kind == "action" and not card.effects:
        raise SetRefused(f"{place}: an action card does something")
    if card.boost and card.kind != "attachment":
        raise SetRefused(f"{place}: only an attachment has a boost")
    if card.scores and card.kind not in ("event", "attachment"):
        raise SetRefused(f"{place}: only an event or an attachment scores")
    if card.kind == "event" and not card.scores:
        raise SetRefused(f"{place}: an event scores")
    if not waste and any(effect.piece == "leak" for effect in (*card.effects, *card.boost)):
        raise SetRefused(f"{place}: only cards of the department with waste = true add Leaks")
    if any(effect.do in ASKING for effect in card.boost):
        raise SetRefused(f"{place}: a boost is nothing that may ask ({', '.join(ASKING)})")


def _goals(raw: _Goals, things: frozenset[str]) -> Iterator[Goal]:
    for number, goal in enumerate(raw.cards, 1):
        place = f"goals, {goal.name}"
        if goal.money not in TIERS or not goal.needs:
            raise SetRefused(f"{place}: a goal pays one of {', '.join(map(str, TIERS))} and needs something")
        needs: list[Need] = []
        for text in goal.needs:
            least, _, counted = text.partition(" ")
            needs.append(Need(_thing(counted, place, things), _number(least, place)))
        yield Goal(f"g{number}", goal.name, goal.money, tuple(needs))


def _spaces(hq: _Hq, things: frozenset[str]) -> Iterator[Space]:
    if len(hq.spaces) != 4:
        raise SetRefused(f"hq: it has 4 spaces, not {len(hq.spaces)}")
    _check_names([space.name for space in hq.spaces], "hq, spaces")
    for number, raw in enumerate(hq.spaces, 1):
        place = f"hq, {raw.name}"
        space = Space(f"hq{number}", raw.name, _effects(raw.does, place, things))
        if not space.effects:
            raise SetRefused(f"{place}: a space does something")
        if any(effect.piece == "leak" for effect in space.effects):
            raise SetRefused(f"{place}: only cards of the department with waste = true add Leaks")
        yield space


def asks_for_leaks(goal: Goal) -> bool:
    """Whether a goal can be met with Waste Management only."""
    return any(need.things == "leaks" for need in goal.needs)


def _check_tiers(goals: tuple[Goal, ...]) -> None:
    for tier in TIERS:
        count = sum(goal.money == tier and not asks_for_leaks(goal) for goal in goals)
        if count < GOALS_A_TIER:
            raise SetRefused(f"goals: {GOALS_A_TIER} or more of ${tier} ask for no Leak, not {count}")


def _number(text: str, place: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) <= 3):
        raise SetRefused(f"{place}: {text!r} is no number")
    return int(text)


def _thing(text: str, place: str, things: frozenset[str]) -> str:
    if text not in things:
        raise SetRefused(f"{place}: {text!r} cannot be counted; what can: {', '.join(sorted(things))}")
    return text


def _effects(texts: list[str], place: str, things: frozenset[str]) -> tuple[Effect, ...]:
    effects = tuple(_effect(text, place, things) for text in texts)
    if sum(effect.do in ASKING for effect in effects) > 1:
        raise SetRefused(f"{place}: one effect of {', '.join(ASKING)} at most")
    return effects


def _effect(text: str, place: str, things: frozenset[str]) -> Effect:
    match text.split():
        case ["gain", amount, "per", counted]:
            if counted == "money":  # it would grow without end
                raise SetRefused(f"{place}: {text!r}: money is counted by goals and at the end only")
            return Effect("gain", _number(amount, place), _thing(counted, place, things))
        case ["gain", amount]:
            return Effect("gain", _number(amount, place))
        case ["pay", amount]:
            return Effect("pay", _number(amount, place))
        case ["worker" | "bot" | "station" | "clinic" | "investor" | "lift" as do]:
            return Effect(do)
        case ["pledge", piece] if piece in PLEDGES:
            return Effect("pledge", piece=piece)
        case _:
            raise SetRefused(
                f"{place}: {text!r} is no effect",
                "one is: gain N [per THINGS], pay N, worker, bot, station, clinic, investor, lift, pledge PIECE",
            )


def _change(text: str, place: str, things: frozenset[str]) -> Change:
    price, *counted, amount = text.split() if len(text.split()) > 1 else ("", "", "")
    if price not in PRICES or len(counted) > (price == "build") or not amount.startswith(("-", "+")):
        raise SetRefused(f"{place}: {text!r} changes no price", "written like: build -1, build events -1, leak -2")
    if counted and (counted[0] in COUNTED or counted[0] not in things):
        raise SetRefused(f"{place}: {counted[0]!r} is no kind of card and no department")
    number = _number(amount[1:], place)
    return Change(price, -number if amount[0] == "-" else number, counted[0] if counted else "")


def _money(text: str, place: str, things: frozenset[str]) -> Money:
    match text.split():
        case [amount, "per", counted]:
            return Money(_number(amount, place), _thing(counted, place, things))
        case [amount]:
            return Money(_number(amount, place))
        case _:
            raise SetRefused(f"{place}: {text!r} is no money", "written like: 5, or 2 per bots")
