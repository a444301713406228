"""The state of a game, the questions asked of it, and the set of components it is made of."""

from collections.abc import Mapping
from typing import Any, Literal

from msgspec import Struct

from engines.kit.errors import SetRefused
from engines.kit.game import Names, Options
from engines.kit.notation import Grammar
from engines.kit.setfile import typed
from engines.kit.tricks import Played, following, led_suit
from engines.kit.tricks import winning as winning_play
from engines.power_vacuum import APPLIANCES, SOLO_BOTS
from engines.power_vacuum.facts import HIDDEN_AGENDA

Phase = Literal["setup", "aim", "turn", "spoils", "transfer", "plug", "over"]

HAND = 8
PIECE = 10
PIECES = 4
CONSPIRATOR = 14
#: A hand must hold so many cards for its Agenda to be revealed.
FEWEST_TO_REVEAL = 5
SUPPLY = "supply"
SOCKETS = (*APPLIANCES, SUPPLY)
SPY = "B"
TRUMP = "R"

#: Solo (rulebook, "Difficulty Levels"): the markers of the bots and of the person.
DIFFICULTY = {"easier": (5, 8), "medium": (7, 6), "harder": (8, 5)}
#: Solo: the Agendas of the bots as (most, least), and the pair of the person.
BOT_AGENDAS = (("red", "white"), ("yellow", "white"))
OWN_PAIR = ("green", "brown")

Source = Literal["published", "house"]


class _Regime(Struct, forbid_unknown_fields=True):
    suits: list[str]
    highest: int
    source: Source


class _Spy(Struct, forbid_unknown_fields=True):
    card: str
    disguise: str
    source: Source


class _Agendas(Struct, forbid_unknown_fields=True):
    pairs: list[str]
    source: Source


class _Document(Struct, forbid_unknown_fields=True):
    schema: Literal[1]
    name: str
    regime: _Regime
    spies: list[_Spy]
    agendas: _Agendas


class Set(Struct, frozen=True):
    """The components: all Regime cards, the disguise of each Spy, all Agendas."""

    name: str
    cards: tuple[str, ...]
    disguises: dict[str, str]
    agendas: tuple[str, ...]


def load_set(document: Mapping[str, Any], grammar: Grammar) -> Set:
    """The set out of a TOML document.

    :raises SetRefused: it is not whole; the place is named
    """
    raw = typed(document, _Document)
    if sorted(raw.regime.suits) != ["G", "R", "W", "Y"] or raw.regime.highest != 9:
        raise SetRefused("regime: the suits are Y, W, G and R, numbered 1 to 9")
    if len(raw.spies) != 4:
        raise SetRefused(f"spies: there are 4, not {len(raw.spies)}")
    for place, spy in enumerate(raw.spies, 1):
        grammar.check_name(spy.card, f"spies {place}, card")
        if spy.card[0] != SPY or spy.card[1:] not in list("123456789"):
            raise SetRefused(f"spies {place}, card: {spy.card!r} is not B and a number from 1 to 9")
        if spy.disguise not in raw.regime.suits:
            raise SetRefused(f"spies {place}, disguise: {spy.disguise!r} is none of Y, W, G, R")
    names = [spy.card for spy in raw.spies]
    if len(set(names)) < len(names):
        raise SetRefused("spies: a card is named twice: " + ", ".join(names))
    pairs = [f"{one}/{other}" for i, one in enumerate(APPLIANCES) for other in APPLIANCES[i + 1 :]]
    if sorted(raw.agendas.pairs) != sorted(pairs):
        raise SetRefused("agendas, pairs: each pair of the Appliances once: " + " ".join(pairs))
    cards = [f"{suit}{number}" for suit in "YWGR" for number in range(1, raw.regime.highest + 1)]
    return Set(
        raw.name,
        (*cards, *names),
        {spy.card: spy.disguise for spy in raw.spies},
        tuple(raw.agendas.pairs),
    )


class State(Struct):
    """A game as it stands. Seats are numbers from 0, lists by seat unless said.

    `revealed` holds (most, least) of an open Agenda, or an empty tuple; `trick` the plays in order;
    `board` the seats that are still to run the Control Board, the next one first; `tokens` are points
    not yet made into Statue pieces; `aside` counts Regime cards that are out of the round.
    `open_agenda` is the one that set the cable; alone it lies at the bottom of `agenda_deck`, which bots
    turn over into `agenda_discards`.
    """

    components: Set
    seats: int
    solo: bool
    appliances: list[str]
    phase: Phase = "setup"
    round: int = 0
    starter: int = 0
    turn: int = 0
    levels: dict[str, int] = {}
    cable: list[str] = []
    hands: list[list[str]] = []
    agendas: list[str] = []
    revealed: list[tuple[str, ...]] = []
    markers: list[int] = []
    trick: list[tuple[int, str]] = []
    winner: int = 0
    board: list[int] = []
    captured: list[list[str]] = []
    played: list[str] = []
    aside: int = 0
    tokens: list[int] = []
    pieces: list[int] = []
    most: list[str] = []
    least: list[str] = []
    agenda_deck: list[str] = []
    agenda_discards: list[str] = []
    open_agenda: str = ""
    winners: list[int] = []


def begin(names: Names, options: Options, components: Set) -> State:
    """The state before the set-up."""
    seats = len(names)
    solo = bool(options["difficulty"])
    state = State(
        components=components,
        seats=seats,
        solo=solo,
        appliances=options["appliances"].split(",")[:seats],
        hands=[[] for _ in names],
        agendas=[HIDDEN_AGENDA] * seats,
        revealed=[()] * seats,
        markers=[CONSPIRATOR] * seats,
        captured=[[] for _ in names],
        aside=len(components.cards),
        tokens=[0] * seats,
        pieces=[0] * seats,
    )
    if solo:
        bots, own = DIFFICULTY[options["difficulty"]]
        state.markers = [own] + [bots] * len(SOLO_BOTS)
        state.agendas = [agenda(*OWN_PAIR), *(agenda(*pair) for pair in BOT_AGENDAS)]
        state.revealed = [(), *BOT_AGENDAS]
    return state


# questions --------------------------------------------------------------------------------------------

_ORDER = {card: place for place, card in enumerate(s + n for s in "YWGRB" for n in "123456789?")}


def in_order(cards: list[str]) -> list[str]:
    """Cards sorted by suit (Y W G R B) and number; backs behind the cards of their suit."""
    return sorted(cards, key=_ORDER.__getitem__)


def back(state: State, card: str) -> str:
    """What others see of a card in hand: the back of its suit, for a Spy that of its disguise."""
    return (state.components.disguises[card] if card[0] == SPY else card[0]) + "?"


def agenda(one: str, other: str) -> str:
    """The Agenda of two Appliances, as it is spelt."""
    first, second = sorted((one, other), key=APPLIANCES.index)
    return f"{first}/{second}"


def playable(state: State, seat: int) -> list[str]:
    """The cards of a hand that may be played now (rulebook, "Playing a Trick"; ruling 4)."""
    hand = state.hands[seat]
    if not state.trick:
        return hand
    led = led_suit(state.trick)
    if led == SPY:
        return hand
    follows = following(hand, led)
    return follows + following(hand, SPY) if follows else hand


def winning(trick: list[Played]) -> Played:
    """The winning play of a trick: Spies beat Red, Red beats the rest, else the led suit (ruling 5)."""
    trumped = any(card[0] == TRUMP for _, card in trick)
    return winning_play(trick, (SPY, TRUMP) if trumped else (led_suit(trick),), _ORDER)


def lowest(trick: list[tuple[int, str]]) -> tuple[int, ...]:
    """The seats that played the lowest number, the last to play first (ruling 6)."""
    number = min(card[1] for _, card in trick)
    return tuple(seat for seat, card in reversed(trick) if card[1] == number)


def open_sockets(state: State) -> list[str]:
    """The four sockets without a plug."""
    return [socket for socket in SOCKETS if socket not in state.cable]


def transfers(state: State) -> list[tuple[str, str]]:
    """The ways one Power can go along the cable; none when both ends are empty."""
    one, other = state.cable
    ways: list[tuple[str, str]] = []
    for source, target in ((one, other), (other, one)):
        if source == SUPPLY or state.levels[source] > 0:
            ways.append((source, target))
    return ways


def score(state: State, seat: int) -> int:
    """A seat's points: tokens, and 10 for each Statue piece (ruling 10)."""
    return state.tokens[seat] + PIECE * state.pieces[seat]


def is_bot(state: State, seat: int) -> bool:
    """Whether a seat is one of solo's bots."""
    return state.solo and seat > 0


def pieces(state: State) -> dict[str, int]:
    """The 40 Regime cards wherever they lie, none of them twice; alone, the Agendas of the deck, too."""
    lying = [card for group in (*state.hands, *state.captured) for card in group]
    lying += state.played + [card for _, card in state.trick]
    whole = [card for card in lying if card[1] != "?"]
    agendas = [a for a in state.agenda_deck + state.agenda_discards if a != HIDDEN_AGENDA]
    return {
        "regime cards": len(lying) + state.aside,
        "regime cards that are there twice": len(whole) - len(set(whole)),
        "agendas that are there twice": len(agendas) - len(set(agendas)),
    }
