"""The state of a game, the questions asked of it, and the set of components it is made of."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from engines.kit.errors import SetRefused
from engines.kit.game import Names, Options
from engines.kit.notation import Grammar
from engines.kit.setfile import typed
from engines.lairs.cubes import COLOURS, CUBES, Baskets, Penalty
from engines.lairs.facts import HIDDEN
from engines.lairs.lair import FEATURES, HAZARDS, LETTER_OF, NEIGHBOURS, SPACES, border, drawn_rows, lair_of
from engines.lairs.treasures import FACE_UP, TYPES, Bonus, Deeds, Treasure, best_four, collection_points

Phase = Literal["build", "first", "act", "step", "enter", "check", "penalty", "take", "keep", "over"]
Source = Literal["published", "house"]

SEATS = 2
CARDS = 22
DISPLAY = 3
#: Points for so many defeated Monsters, and for exiting first and second (ruling 12).
MONSTER_POINTS = (0, 0, 2, 6)
EXIT_POINTS = (4, 2)
#: Chests and Monsters that allow to exit, any of these.
EXIT_CRITERIA = ((3, 0), (0, 3), (2, 2))
#: The largest number that a component shows.
MOST = 99


class Strike(Struct, frozen=True, forbid_unknown_fields=True):
    """What a hazard does to the Explorer it strikes."""

    act: Literal["fatigue", "spend"]
    count: int
    of: str

    @property
    def penalty(self) -> Penalty:
        """The penalty."""
        return Penalty(self.act, self.count, self.of)


class Hazard(Struct, frozen=True, forbid_unknown_fields=True):
    """A Monster or Trap card. `reward` is a feature that is located when the Monster is defeated, or empty."""

    name: str
    target: int
    strike: Strike
    source: Source
    reward: Literal["", "exit"] = ""


class _Dice(Struct, forbid_unknown_fields=True):
    faces: tuple[int, ...]
    source: Source


class _Slots(Struct, forbid_unknown_fields=True):
    slots: int
    source: Source


class Price(Struct, frozen=True, forbid_unknown_fields=True):
    """What a Backtrack costs: any `cubes`, or one of the colour `attribute`."""

    cubes: int
    attribute: str
    source: Source


class _Card(Struct, forbid_unknown_fields=True):
    name: str
    type: str
    keyword: str
    base: int
    source: Source
    bonus: Bonus | None = None


class _Document(Struct, forbid_unknown_fields=True):
    schema: Literal[1]
    name: str
    dice: _Dice
    conserved: _Slots
    backtrack: Price
    monster: Hazard
    trap: Hazard
    treasures: list[_Card]


class Set(Struct, frozen=True):
    """The components: a die's faces, Conserved slots, a Backtrack's price, hazards, Treasures by slug."""

    name: str
    faces: tuple[int, ...]
    slots: int
    backtrack: Price
    monster: Hazard
    trap: Hazard
    treasures: dict[str, Treasure]

    def hazard(self, feature: str) -> Hazard:
        """The card of a kind of hazard."""
        return self.monster if feature == "monster" else self.trap


def load_set(document: Mapping[str, Any], grammar: Grammar) -> Set:
    """The set out of a TOML document.

    :raises SetRefused: it is not whole; the place is named
    """
    raw = typed(document, _Document)
    if len(raw.dice.faces) != 6 or not any(raw.dice.faces) or any(not 0 <= f <= MOST for f in raw.dice.faces):
        raise SetRefused(f"dice, faces: a die has six faces, numbers from 0 to {MOST}, not all of them 0")
    if not 1 <= raw.conserved.slots <= len(CUBES):
        raise SetRefused(f"conserved, slots: a number from 1 to {len(CUBES)}, not {raw.conserved.slots}")
    if not 1 <= raw.backtrack.cubes <= len(CUBES):
        raise SetRefused(f"backtrack, cubes: a number from 1 to {len(CUBES)}, not {raw.backtrack.cubes}")
    if raw.backtrack.attribute not in ("", *COLOURS[1:]):
        raise SetRefused(
            f"backtrack, attribute: {', '.join(COLOURS[1:])} or empty, not {raw.backtrack.attribute!r}"
        )
    _check_text(raw.name, "name")
    _check_hazard(raw.monster, "monster")
    _check_hazard(raw.trap, "trap")
    if raw.trap.reward:
        raise SetRefused("trap, reward: only a Monster has one")
    if len(raw.treasures) != CARDS:
        raise SetRefused(f"treasures: there are {CARDS}, not {len(raw.treasures)}")
    keywords = {card.keyword for card in raw.treasures}
    treasures: dict[str, Treasure] = {}
    for place, card in enumerate(raw.treasures, 1):
        where = f"treasures {place}"
        slug = "-".join(card.name.lower().split())
        grammar.check_name(slug, f"{where}, name")
        _check_text(card.name, f"{where}, name")
        _check_text(card.keyword, f"{where}, keyword")
        if slug in treasures:
            raise SetRefused(f"{where}, name: {card.name!r} is there twice")
        if card.type not in TYPES:
            raise SetRefused(f"{where}, type: {card.type!r} is none of {', '.join(TYPES)}")
        if not 0 <= card.base <= MOST:
            raise SetRefused(f"{where}, base: a score from 0 to {MOST}, not {card.base}")
        _check_bonus(card.bonus, keywords, f"{where}, bonus")
        treasures[slug] = Treasure(slug, card.name, card.type, card.keyword, card.base, card.bonus)
    return Set(raw.name, raw.dice.faces, raw.conserved.slots, raw.backtrack, raw.monster, raw.trap, treasures)


def _check_text(text: str, place: str) -> None:
    if not text.isprintable():
        raise SetRefused(f"{place}: {text!r} is more than one line")


def _check_hazard(hazard: Hazard, place: str) -> None:
    _check_text(hazard.name, f"{place}, name")
    if not 1 <= hazard.target <= MOST:
        raise SetRefused(f"{place}, target: a number from 1 to {MOST}, not {hazard.target}")
    strike = hazard.strike
    if not 1 <= strike.count <= len(CUBES):
        raise SetRefused(f"{place}, strike, count: a number from 1 to {len(CUBES)}, not {strike.count}")
    if strike.of not in ("any", "fresh", *COLOURS):
        raise SetRefused(f"{place}, strike, of: one of any, fresh, {', '.join(COLOURS)}, not {strike.of!r}")
    if strike.act == "spend" and strike.count != 1:
        raise SetRefused(f"{place}, strike: a penalty spends one cube, not {strike.count}")


def _check_bonus(bonus: Bonus | None, keywords: set[str], place: str) -> None:
    if bonus is None:
        return
    allowed = {"type": set(TYPES), "keyword": keywords - {""}}.get(bonus.per, {""})
    if bonus.of not in allowed:
        names = ", ".join(sorted(allowed)) if allowed != {""} else "empty"
        raise SetRefused(f"{place}, of: for {bonus.per!r} it is {names}, not {bonus.of!r}")
    if not 1 <= bonus.points <= MOST:
        raise SetRefused(f"{place}, points: a number from 1 to {MOST}, not {bonus.points}")


class State(Struct):
    """A game as it stands. Seats are numbers from 0, lists by seat.

    `lairs` are by Builder, in one line; `built` the seats that have finished, in order. By Explorer: `at` the
    tracker, `known` the walls of each Known space, `features` what is known to have been in a space or was
    located there, `gone` the spaces whose feature is out of the game, `hurt` the Targets of Monsters that a
    roll has lowered. `drawn` and `taken` are a collection: from the deck and from the display. `first` explores
    first; `steps` is what is left of a Hustle, `peering` the space peered at.
    """

    components: Set
    names: list[str]
    rounds: int
    phase: Phase = "build"
    round: int = 0
    first: int = 0
    turn: int = 0
    lairs: list[str] = []
    built: list[int] = []
    cubes: list[Baskets] = []
    at: list[str] = []
    known: list[dict[str, str]] = []
    features: list[dict[str, str]] = []
    gone: list[list[str]] = []
    hurt: list[dict[str, int]] = []
    chests: list[int] = []
    monsters: list[int] = []
    traps: list[int] = []
    sprung: list[int] = []
    steps: int = 0
    peering: str = ""
    penalty: Penalty | None = None
    deck: list[str] = []
    display: list[str] = []
    drawn: list[list[str]] = []
    taken: list[list[str]] = []
    exits: list[int] = []
    keeping: list[int] = []
    kept: list[list[str]] = []
    winners: list[int] = []


def begin(names: Names, options: Options, components: Set) -> State:
    """The state before the set-up: all cubes are Spent (ruling 15)."""
    return State(
        components=components,
        names=list(names),
        rounds=int(options["rounds"]),
        lairs=[""] * SEATS,
        cubes=[Baskets(spent=list(CUBES)) for _ in names],
        at=[""] * SEATS,
        known=[{} for _ in names],
        features=[{} for _ in names],
        gone=[[] for _ in names],
        hurt=[{} for _ in names],
        chests=[0] * SEATS,
        monsters=[0] * SEATS,
        traps=[0] * SEATS,
        sprung=[0] * SEATS,
        deck=list(components.treasures),
        drawn=[[] for _ in names],
        taken=[[] for _ in names],
        kept=[[] for _ in names],
    )


# questions --------------------------------------------------------------------------------------------


def standing(state: State, seat: int, space: str) -> str:
    """The feature that the Explorer knows to be in a space and that is still there, or nothing."""
    return "" if space in state.gone[seat] else state.features[seat].get(space, "")


def is_empty(state: State, seat: int, space: str) -> bool:
    """Whether a space is Known and Empty; Start and Exit never are (ruling 2)."""
    return space in state.known[seat] and not standing(state, seat, space)


def hazard_here(state: State, seat: int) -> str:
    """The kind of hazard that stands in the Explorer's space, or nothing."""
    feature = standing(state, seat, state.at[seat])
    return feature if feature in HAZARDS else ""


def open_ways(state: State, seat: int) -> dict[str, str]:
    """The spaces beside the Explorer's, by direction, to which no wall bars the way."""
    here = state.at[seat]
    walls = state.known[seat][here]
    return {letter: space for letter, space in NEIGHBOURS[here].items() if letter not in walls}


def backtracks(state: State, seat: int) -> list[str]:
    """Where a Backtrack can end: Known spaces that Known Empty ones lead to (ruling 2), in order."""
    known, here = state.known[seat], state.at[seat]
    found = {here}
    open_ = [here]
    while open_:
        space = open_.pop()
        for letter, other in NEIGHBOURS[space].items():
            if other not in found and other in known and letter not in known[space]:
                found.add(other)
                if not standing(state, seat, other):
                    open_.append(other)
    found.discard(here)
    return [space for space in SPACES if space in found]


def target(state: State, seat: int, space: str) -> int:
    """The current Target of the hazard in a space (ruling 9)."""
    card = state.components.hazard(state.features[seat][space])
    return state.hurt[seat].get(space, card.target)


def may_exit(state: State, seat: int) -> bool:
    """Whether a seat has what it takes to exit."""
    chests, monsters = state.chests[seat], state.monsters[seat]
    return any(chests >= c and monsters >= m for c, m in EXIT_CRITERIA)


def collection(state: State, seat: int) -> list[str]:
    """A seat's Treasures: those drawn, then those taken from the display."""
    return state.drawn[seat] + state.taken[seat]


def deeds(state: State, seat: int) -> Deeds:
    """What bonuses may refer to."""
    return Deeds(state.monsters[seat], state.traps[seat], state.chests[seat], seat in state.exits)


def open_points(state: State, seat: int) -> int:
    """Points for Monsters and exiting."""
    return MONSTER_POINTS[state.monsters[seat]] + exit_points(state, seat)


def exit_points(state: State, seat: int) -> int:
    """Points for exiting."""
    return EXIT_POINTS[state.exits.index(seat)] if seat in state.exits else 0


def treasure_points(state: State, seat: int) -> int:
    """What a collection scores as it stands: with the chosen cards face-up, or the best ones before that."""
    held = collection(state, seat)
    cards = [state.components.treasures[slug] for slug in held if slug != HIDDEN]
    if state.kept[seat] and HIDDEN not in state.kept[seat]:
        face_up = tuple(state.components.treasures[slug] for slug in state.kept[seat])
    else:
        face_up = best_four(cards, deeds(state, seat))
    return collection_points(face_up, len(held) - len(face_up), deeds(state, seat))


def score(state: State, seat: int) -> int:
    """A seat's points; hidden Treasures are not counted before they are laid out."""
    if HIDDEN in state.drawn[seat]:
        return open_points(state, seat)
    return open_points(state, seat) + treasure_points(state, seat)


def must_keep(state: State, seat: int) -> bool:
    """Whether a seat holds more Treasures than can stay face-up."""
    return len(collection(state, seat)) > FACE_UP


def map_rows(state: State, seat: int) -> list[str]:
    """The Explorer's map: `?` for Unknown spaces, walls and features as far as known."""
    known = state.known[seat]
    letters: dict[str, str] = {}
    for space in SPACES:
        feature = standing(state, seat, space)
        if feature:
            letters[space] = LETTER_OF[feature]
        elif space not in known:
            letters[space] = "?"
    walls = {border(space, letter) for space in known for letter in known[space] if letter in NEIGHBOURS[space]}
    return drawn_rows(letters, walls)


def pieces(state: State) -> dict[str, int]:
    """The Treasures, each there once; the cubes; the features of both lairs, wherever they are."""
    cards = [*state.deck, *state.display]
    for seat in range(SEATS):
        cards += collection(state, seat)
    counted = {
        "treasures": len(cards),
        "treasures that are there twice": len(cards) - len(set(cards)),
        "cubes": sum(len(b.fresh + b.conserved + b.spent + b.fatigued) for b in state.cubes),
    }
    for seat in range(SEATS):
        line = state.lairs[1 - seat]
        lying: Mapping[str, str] = lair_of(line).features if line else {}
        taken = {"chest": state.chests, "monster": state.monsters, "trap": state.traps}
        for feature, count in FEATURES.items():
            there = [space for space, kind in lying.items() if kind == feature]
            left = sum(space not in state.gone[seat] for space in there) if line else count
            out = taken[feature][seat] if feature in taken else 0
            counted[f"{feature} {seat}"] = left + out + (state.sprung[seat] if feature == "trap" else 0)
    return counted
