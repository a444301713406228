"""The state of a game and the questions asked of it."""

from collections import Counter
from typing import Literal

from msgspec import Struct

from engines.evangelists.components import Set, Tradition, load_set
from engines.kit.game import Names, Options

__all__ = ["Set", "State", "begin", "load_set", "pieces"]

Phase = Literal["setup", "place", "turn", "keep", "strength", "follow", "growth", "over"]

OCTAGONS = 3
ROUNDS = 6
ROUNDS_OF_FIVE = 5
WHITE, BLACK = "white", "black"
#: Cubes in the bag at the start; the bag always holds that many black ones.
CUBES = {WHITE: 6, BLACK: 2}
#: Interview cards of a witness; alone there is one.
INTERVIEWS, INTERVIEWS_ALONE = 4, 1
LEAVES = "abcde"
FIRST_LEAVES = 3
EMPTY = ""


class CodexLeaf(Struct):
    """A leaf: its name stays with it, its two slots hold a card or nothing, left and right as it lies."""

    name: str
    slots: list[str]


class Pursuit(Struct, frozen=True):
    """An action that can be followed: `cards` are those that were kept, `witness` the one interviewed."""

    action: str
    strong: bool
    witness: str = ""
    cards: tuple[str, ...] = ()


class State(Struct):
    """A game as it stands. Seats are numbers from 0, lists by seat unless said.

    `turn` is the active seat, `asking` the one to decide. `traditions` holds what lies in each city,
    `lying` what everybody knows of it (backs are written `theme?`), both sorted; `looked` the cities a
    seat has looked in; `twins` the secondary deck. `limits` are what the active seat has done this turn.
    `queue` are the seats that may still follow `pursuit`. Alone, `flips` is the witness deck and
    `flipped` what was turned over from it.
    """

    components: Set
    seats: int
    rounds: int
    phase: Phase = "setup"
    round: int = 1
    first: int = 0
    turn: int = 0
    asking: int = 0
    octagons: int = 0
    limits: list[str] = []
    pawns: list[str] = []
    boats: list[str] = []
    discs: dict[str, str] = {}
    bag: dict[str, int] = {}
    removed: int = 0
    interview_cards: dict[str, int] = {}
    undealt: int = 0
    traditions: dict[str, list[str]] = {}
    lying: dict[str, list[str]] = {}
    open: dict[str, str] = {}
    looked: list[list[str]] = []
    twins: list[str] = []
    themes: list[str] = []
    codices: list[list[CodexLeaf]] = []
    tokens: list[int] = []
    marks: list[int] = []
    interviews: list[list[str]] = []
    interviewing: str = ""
    pursuit: Pursuit | None = None
    queue: list[int] = []
    flips: list[str] = []
    flipped: list[str] = []
    winners: list[int] = []


def begin(names: Names, options: Options, components: Set) -> State:
    """The state before the set-up."""
    seats = len(names)
    cards = INTERVIEWS if seats > 1 else INTERVIEWS_ALONE  # ruling 15
    return State(
        components=components,
        seats=seats,
        rounds=ROUNDS_OF_FIVE if seats == 5 else ROUNDS,
        pawns=[EMPTY] * seats,
        boats=list(components.boats),
        discs=dict.fromkeys(components.witnesses, EMPTY),
        bag=dict(CUBES),
        interview_cards=dict.fromkeys(components.witnesses, cards),
        undealt=len(components.traditions),
        traditions={city: [] for city in components.cities},
        lying={city: [] for city in components.cities},
        open=dict.fromkeys(components.cities, EMPTY),
        looked=[[] for _ in names],
        twins=list(components.traditions) if seats > 1 else [],
        themes=[EMPTY] * seats,
        codices=[[CodexLeaf(name, [EMPTY, EMPTY]) for name in LEAVES[:FIRST_LEAVES]] for _ in names],
        tokens=[0] * seats,
        marks=[0] * seats,
        interviews=[[] for _ in names],
    )


# cards ------------------------------------------------------------------------------------------------


def is_back(card: str) -> bool:
    """Whether a tradition is seen from behind."""
    return card.endswith("?")


def back(components: Set, card: str) -> str:
    """A tradition from behind: one of its themes."""
    return f"{components.traditions[card].back}?"


def in_order(cards: list[str]) -> list[str]:
    """Traditions by number, backs behind them by theme."""
    return sorted(cards, key=lambda card: (1, 0, card) if is_back(card) else (0, int(card[1:]), card))


def gospel(state: State, seat: int) -> list[Tradition]:
    """The cards of a seat's codex from left to right; empty slots are skipped."""
    known = state.components.traditions
    return [known[card] for leaf in state.codices[seat] for card in leaf.slots if card]


def leaf_of(codex: list[CodexLeaf], name: str) -> CodexLeaf | None:
    """The leaf of that name."""
    return next((leaf for leaf in codex if leaf.name == name), None)


def slots(codex: list[CodexLeaf]) -> dict[str, str]:
    """What lies in each slot, by the slot's name, from left to right."""
    return {f"{leaf.name}{place}": card for leaf in codex for place, card in enumerate(leaf.slots, 1)}


def empty_slots(codex: list[CodexLeaf]) -> list[str]:
    """The slots without a card, from left to right."""
    return [f"{leaf.name}{place}" for leaf in codex for place, card in enumerate(leaf.slots, 1) if not card]


def matching(state: State, seat: int, witness: str) -> int:
    """How many cards of a seat's gospel name a witness."""
    return sum(witness in card.witnesses for card in gospel(state, seat))


# seats ------------------------------------------------------------------------------------------------


def solitaire(state: State) -> bool:
    """Whether one seat plays alone."""
    return state.seats == 1


def turn_order(state: State, start: int) -> list[int]:
    """All seats clockwise from `start`."""
    return [(start + step) % state.seats for step in range(state.seats)]


def growth_follows(state: State, number: int) -> bool:
    """Whether leaves are added after round `number`: 2 and 4, with five seats 1 and 3."""
    return number in ((1, 3) if state.rounds == ROUNDS_OF_FIVE else (2, 4))


def witness_here(state: State, seat: int) -> str:
    """The witness of the city a seat's pawn is in; empty on a waypoint."""
    return state.components.hosts.get(state.pawns[seat], EMPTY)


def pieces(state: State) -> dict[str, int]:
    """Traditions and their twins, interview cards and white cubes, wherever they are; boats on spaces."""
    written = [card for codex in state.codices for leaf in codex for card in leaf.slots if card]
    lying = [card for cards in state.traditions.values() for card in cards]
    faces = [card for card in (*lying, *written, *state.twins) if not is_back(card)]
    copies = 2 if state.seats > 1 else 1
    whites = list(state.discs.values()).count(WHITE)
    return {
        "traditions": len(lying) + len(written) + len(state.twins) + state.undealt,
        "traditions that are there too often": sum(count > copies for count in Counter(faces).values()),
        "interview cards": sum(state.interview_cards.values()) + sum(map(len, state.interviews)),
        "white cubes": state.bag[WHITE] + whites + state.removed,
        "black cubes in the bag": state.bag[BLACK],
        "boats on spaces of their own": len(set(state.boats)),
    }
