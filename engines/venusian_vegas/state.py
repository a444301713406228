"""The state of a game, the questions asked of it, and the set of components it is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from engines.kit.errors import SetRefused
from engines.kit.game import Names, Options
from engines.kit.notation import Grammar
from engines.kit.setfile import typed
from engines.kit.tricks import Played, clockwise, following, led_suit
from engines.kit.tricks import winning as winning_play
from engines.venusian_vegas.facts import HIDDEN, Choice, Claim, Question

#: The suits by letter; a suit's track has its name, and so has its token (Team has none).
TRACK_OF = {"T": "team", "G": "game", "I": "inspector", "B": "bot", "M": "mobster"}
SUITS = tuple(TRACK_OF)
TRACKS = tuple(TRACK_OF.values())
TOKENS = TRACKS[1:]
NO_TRUMP = "none"
SPACES = 5
HIGHEST = 13
#: A set gives at most so many VP for a card, or tokens for a space.
MOST = 20
ROUNDS, ROUNDS_OF_TWO = 4, 3

_CARDS = [f"{suit}{number}" for suit in SUITS for number in range(1, HIGHEST + 1)]
_ORDER = {card: place for place, card in enumerate([*_CARDS, HIDDEN])}
HIGH_WINS = {card: int(card[1:]) for card in _CARDS}
LOW_WINS = {card: -number for card, number in HIGH_WINS.items()}

Phase = Literal["start", "over"] | Question
Bonus = Literal["points", "ability", "raise"]
Source = Literal["published", "house"]


# the set ----------------------------------------------------------------------------------------------


class _Cards(Struct, forbid_unknown_fields=True):
    suits: list[str]
    highest: int
    source: Source


class _Bonuses(Struct, forbid_unknown_fields=True):
    points_to: int
    trick_points: int
    round_points: int
    ability_to: int
    source: Source


class _PerTrack(Struct, forbid_unknown_fields=True):
    team: list[int]
    game: list[int]
    inspector: list[int]
    bot: list[int]
    mobster: list[int]
    source: Source


class _Tokens(Struct, forbid_unknown_fields=True):
    supply: Literal["unlimited"]
    source: Source


class _Document(Struct, forbid_unknown_fields=True):
    schema: Literal[1]
    name: str
    cards: _Cards
    bonuses: _Bonuses
    tracks: _PerTrack
    vp_spaces: _PerTrack
    tokens: _Tokens


class Set(Struct, frozen=True):
    """The components: the cards and what they give, what each space of a track gives, the VP spaces."""

    name: str
    cards: tuple[str, ...]
    points_to: int
    trick_points: int
    round_points: int
    ability_to: int
    levels: dict[str, tuple[int, ...]]
    vp_spaces: dict[str, tuple[int, ...]]


def load_set(document: Mapping[str, Any], grammar: Grammar) -> Set:
    """The set out of a TOML document.

    :raises SetRefused: it is not whole; the place is named
    """
    raw = typed(document, _Document)
    if sorted(raw.cards.suits) != sorted(SUITS) or raw.cards.highest != HIGHEST:
        raise SetRefused(f"cards: the suits are {', '.join(SUITS)}, numbered 1 to {HIGHEST}")
    if not 0 <= raw.bonuses.points_to <= raw.bonuses.ability_to <= HIGHEST:
        raise SetRefused(
            f"bonuses: numbers run up to points_to, then up to ability_to, then to {HIGHEST}: "
            f"got {raw.bonuses.points_to} and {raw.bonuses.ability_to}"
        )
    for place in ("trick_points", "round_points"):
        if not 0 <= getattr(raw.bonuses, place) <= MOST:
            raise SetRefused(f"bonuses, {place}: a number from 0 to {MOST}; got {getattr(raw.bonuses, place)}")
    for track in TRACKS:
        _check_levels(track, getattr(raw.tracks, track))
        _check_vp_spaces(track, getattr(raw.vp_spaces, track))
    return Set(
        raw.name,
        tuple(_CARDS),
        raw.bonuses.points_to,
        raw.bonuses.trick_points,
        raw.bonuses.round_points,
        raw.bonuses.ability_to,
        {track: tuple(getattr(raw.tracks, track)) for track in TRACKS},
        {track: tuple(getattr(raw.vp_spaces, track)) for track in TRACKS},
    )


def _check_levels(track: str, levels: list[int]) -> None:
    fewest, most = (2, HIGHEST) if track == "team" else (0, MOST)
    if len(levels) != SPACES or levels != sorted(levels) or not fewest <= levels[0] <= levels[-1] <= most:
        raise SetRefused(
            f"tracks, {track}: {SPACES} numbers from {fewest} to {most}, none smaller than the one before it; "
            f"got {levels}"
        )


def _check_vp_spaces(track: str, spaces: list[int]) -> None:
    if len(set(spaces)) < len(spaces) or not all(2 <= space <= SPACES for space in spaces):
        raise SetRefused(f"vp_spaces, {track}: different spaces from 2 to {SPACES}; got {spaces}")


# the state --------------------------------------------------------------------------------------------


class State(Struct):
    """A game as it stands. Seats are numbers from 0, lists by seat unless said.

    `first` was drawn at the set-up, `leader` led the round's first trick. `spaces` are where the markers
    stand, from 1. `trick` holds the plays in order, `laid` by colour the seat that played the token and
    whether it is blank. What remains to be done, the next first: `claims` on a complete trick, `choices`
    that a bonus leaves open, `turned` cards whose round bonus is to come; `claimed` are the bonuses taken of
    the trick. `deck` has its top first; `discards` are the cards that are out until the next round.
    """

    components: Set
    seats: int
    names: list[str]
    rounds: int
    phase: Phase = "start"
    round: int = 0
    first: int = 0
    leader: int = 0
    turn: int = 0
    trump: str = NO_TRUMP
    rank: Literal["high", "low"] = "high"
    scores: list[int] = []
    increases: list[int] = []
    spaces: list[dict[str, int]] = []
    tokens: list[dict[str, int]] = []
    hands: list[list[str]] = []
    deck: list[str] = []
    trick: list[Played] = []
    laid: dict[str, tuple[int, bool]] = {}
    winner: int = 0
    claims: list[Claim] = []
    claimed: list[Played] = []
    choices: list[Choice] = []
    turned: list[str] = []
    discards: list[str] = []
    winners: list[int] = []


def begin(names: Names, options: Options, components: Set) -> State:
    """The state before the set-up."""
    seats = len(names)
    return State(
        components=components,
        seats=seats,
        names=list(names),
        rounds=ROUNDS_OF_TWO if seats == 2 else ROUNDS,
        scores=[0] * seats,
        increases=[0] * seats,
        spaces=[dict.fromkeys(TRACKS, 1) for _ in names],
        tokens=[dict.fromkeys(TOKENS, 0) for _ in names],
        hands=[[] for _ in names],
        deck=list(components.cards),
    )


# questions --------------------------------------------------------------------------------------------


def place(card: str) -> int:
    """Where a card stands in a sorted hand."""
    return _ORDER[card]


def in_order(cards: list[str]) -> list[str]:
    """Cards sorted by suit (T G I B M) and number; hidden ones last."""
    return sorted(cards, key=_ORDER.__getitem__)


def level(state: State, seat: int, track: str) -> int:
    """What a seat's track gives: a hand size, or a number of tokens."""
    return state.components.levels[track][state.spaces[seat][track] - 1]


def bonus_kind(components: Set, card: str) -> Bonus:
    """What kind of bonuses a card carries."""
    number = int(card[1:])
    if number <= components.points_to:
        return "points"
    return "ability" if number <= components.ability_to else "raise"


def playable(state: State, seat: int) -> list[str]:
    """The cards of a hand that may be played now: those of the led suit, or any if there is none."""
    hand = state.hands[seat]
    return following(hand, led_suit(state.trick)) or hand if state.trick else hand


def winning(state: State) -> Played:
    """The play that wins the trick, with the indicators as they stand (ruling 10)."""
    led = led_suit(state.trick)
    suits = (led,) if state.trump == NO_TRUMP else (state.trump, led)
    return winning_play(state.trick, suits, HIGH_WINS if state.rank == "high" else LOW_WINS)


def next_to_play(state: State) -> int | None:
    """The seat that plays next to the trick, seats without cards being skipped; None if it is complete."""
    lead, last = state.trick[0][0], state.trick[-1][0]
    for seat in clockwise(state.seats, (last + 1) % state.seats):
        if seat == lead:
            break
        if state.hands[seat]:
            return seat
    return None


def others(state: State, seat: int) -> list[int]:
    """The other seats, clockwise."""
    return clockwise(state.seats, seat)[1:]


def others_with_cards(state: State, seat: int) -> list[int]:
    """The other seats that hold cards, clockwise."""
    return [other for other in others(state, seat) if state.hands[other]]


def others_with_points(state: State, seat: int) -> list[int]:
    """The other seats that have VP, clockwise."""
    return [other for other in others(state, seat) if state.scores[other]]


def furthest_behind(state: State) -> int:
    """The seat with the fewest VP plus track increases, to begin the next round (ruling 4)."""
    first = (state.leader + 1) % state.seats if state.round else state.first
    return min(clockwise(state.seats, first), key=lambda seat: state.scores[seat] + state.increases[seat])


def seat_named(state: State, text: str) -> int | None:
    """The seat of a name, or of a number from 1."""
    if text in state.names:
        return state.names.index(text)
    number = int(text) if text.isascii() and text.isdigit() and len(text) <= 2 else 0
    return number - 1 if 1 <= number <= state.seats else None


def pieces(state: State) -> dict[str, int]:
    """The 65 cards wherever they lie, none of them twice."""
    lying = [card for hand in state.hands for card in hand]
    lying += state.deck + state.discards + [card for _, card in state.trick]
    whole = [card for card in lying if card != HIDDEN]
    return {"cards": len(lying), "cards that are there twice": len(whole) - len(set(whole))}
