"""What can happen, in the order of a game. Faces of closed traditions and the witness deck are secret."""

from typing import Annotated

from engines.kit.game import Fact
from engines.kit.secrecy import Secret

#: A witness card of the solitaire's deck from behind.
HIDDEN_WITNESS = "?"


def _shown(fact: "TraditionsDealt | TraditionsLooked") -> tuple[str, ...]:
    return fact.shown


def _deck(fact: "WitnessDeckShuffled") -> tuple[str, ...]:
    return (HIDDEN_WITNESS,) * len(fact.deck)


class TraditionsDealt(Fact, frozen=True, tag="evangelists.traditions-dealt"):
    """`city` gets `cards`, closed; `shown` are their backs, sorted."""

    city: str
    cards: Annotated[tuple[str, ...], Secret(None, _shown)]
    shown: tuple[str, ...]


class ThemesDealt(Fact, frozen=True, tag="evangelists.themes-dealt"):
    """The theme of each seat, open."""

    themes: tuple[str, ...]


class FirstDrawn(Fact, frozen=True, tag="evangelists.first-drawn"):
    """`seat` is first all game."""

    seat: int


class TokensGiven(Fact, frozen=True, tag="evangelists.tokens-given"):
    """The follow tokens each seat starts with."""

    tokens: tuple[int, ...]


class WitnessDeckShuffled(Fact, frozen=True, tag="evangelists.witness-deck-shuffled"):
    """Alone: the order in which witnesses will be flipped."""

    deck: Annotated[tuple[str, ...], Secret(None, _deck)]


class TraditionOpened(Fact, frozen=True, tag="evangelists.tradition-opened"):
    """Alone: `card` lies open in `city` from the start."""

    city: str
    card: str


class PlaceDue(Fact, frozen=True, tag="evangelists.place-due"):
    """`seat` is to place its pawn."""

    seat: int


class PawnPlaced(Fact, frozen=True, tag="evangelists.pawn-placed"):
    """`seat` begins in `city`."""

    seat: int
    city: str


class RoundBegan(Fact, frozen=True, tag="evangelists.round-began"):
    """Round `round` begins."""

    round: int


class WitnessFlipped(Fact, frozen=True, tag="evangelists.witness-flipped"):
    """Alone: `witness` is turned over from the deck."""

    witness: str


class CubeDrawn(Fact, frozen=True, tag="evangelists.cube-drawn"):
    """A cube from the bag says how `witness` fares: `white` is alive, `black` dead."""

    witness: str
    colour: str


class TurnBegan(Fact, frozen=True, tag="evangelists.turn-began"):
    """`seat`'s turn begins, with `octagons` to spend."""

    seat: int
    octagons: int


class OctagonsSpent(Fact, frozen=True, tag="evangelists.octagons-spent"):
    """`seat` pays for `action`; `limit` is what it cannot do again this turn, empty if that was said before."""

    seat: int
    action: str
    octagons: int
    limit: str = ""


class PawnMoved(Fact, frozen=True, tag="evangelists.pawn-moved"):
    """`seat` travels from `origin` to `space`; `strong` is to any city, `following` one space."""

    seat: int
    origin: str
    space: str
    strong: bool = False
    following: bool = False


class BoatSailed(Fact, frozen=True, tag="evangelists.boat-sailed"):
    """`seat` and the boat go from `origin` to `space`."""

    seat: int
    origin: str
    space: str


class BoatBumped(Fact, frozen=True, tag="evangelists.boat-bumped"):
    """The boat that lay at `space` goes to `city`."""

    space: str
    city: str


class TraditionsLooked(Fact, frozen=True, tag="evangelists.traditions-looked"):
    """`seat` looks at the `cards` of `city`; `shown` is what everybody knows of them."""

    seat: int
    city: str
    cards: Annotated[tuple[str, ...], Secret("seat", _shown)]
    shown: tuple[str, ...]


class CardKept(Fact, frozen=True, tag="evangelists.card-kept"):
    """`seat` takes `card` from `city` into `slot` of its codex."""

    seat: int
    city: str
    card: str
    slot: str


class CardsReturned(Fact, frozen=True, tag="evangelists.cards-returned"):
    """The other cards go back to `city`; `open` of them lies open, empty when none went back."""

    seat: int
    city: str
    kept: int
    open: str


class InterviewTaken(Fact, frozen=True, tag="evangelists.interview-taken"):
    """`seat` takes `witness`'s interview card."""

    seat: int
    witness: str


class StrengthDue(Fact, frozen=True, tag="evangelists.strength-due"):
    """`seat` is to say whether the interview is weak or strong."""

    seat: int


class TestimonyHeard(Fact, frozen=True, tag="evangelists.testimony-heard"):
    """`seat` notes `marks` tally marks for `cards` cards of `witness`; `bonus` of them for holding its card."""

    seat: int
    witness: str
    cards: int
    marks: int
    strong: bool = False
    following: bool = False
    bonus: int = 0


class LeafMoved(Fact, frozen=True, tag="evangelists.leaf-moved"):
    """`seat` moves `leaf` to place `to` from the left, counted from 1."""

    seat: int
    leaf: str
    to: int
    following: bool = False


class LeafFlipped(Fact, frozen=True, tag="evangelists.leaf-flipped"):
    """`seat` swaps the two slots of `leaf`."""

    seat: int
    leaf: str
    following: bool = False


class LeavesArranged(Fact, frozen=True, tag="evangelists.leaves-arranged"):
    """`seat` puts its leaves in the order `leaves`; those of `flipped` are flipped."""

    seat: int
    leaves: tuple[str, ...]
    flipped: tuple[str, ...]


class FollowOffered(Fact, frozen=True, tag="evangelists.follow-offered"):
    """An action can be followed: by the seats of `order`, who have not been asked yet."""

    action: str
    strong: bool
    order: tuple[int, ...]
    witness: str = ""
    cards: tuple[str, ...] = ()


class FollowAsked(Fact, frozen=True, tag="evangelists.follow-asked"):
    """`seat` is to follow or to pass."""

    seat: int


class TokenPaid(Fact, frozen=True, tag="evangelists.token-paid"):
    """`seat` gives `to` a follow token."""

    seat: int
    to: int


class TwinTaken(Fact, frozen=True, tag="evangelists.twin-taken"):
    """`seat` takes the copy of `card` into `slot` of its codex."""

    seat: int
    card: str
    slot: str


class Passed(Fact, frozen=True, tag="evangelists.passed"):
    """`seat` does not follow."""

    seat: int


class TurnResumed(Fact, frozen=True, tag="evangelists.turn-resumed"):
    """`seat` goes on with its turn."""

    seat: int


class RoundEnded(Fact, frozen=True, tag="evangelists.round-ended"):
    """Round `round` ends: the white cubes of `witnesses` go back to the bag."""

    round: int
    witnesses: tuple[str, ...]


class WhiteRemoved(Fact, frozen=True, tag="evangelists.white-removed"):
    """A white cube leaves the game."""


class GrowthDue(Fact, frozen=True, tag="evangelists.growth-due"):
    """`seat` is to add a leaf."""

    seat: int


class LeafAdded(Fact, frozen=True, tag="evangelists.leaf-added"):
    """`seat` adds `leaf` at its `left` or `right` end."""

    seat: int
    leaf: str
    side: str


class DeviceScored(Fact, frozen=True, tag="evangelists.device-scored"):
    """A device track: each seat's `values`, `points`, and how many cubes share its space."""

    device: str
    values: tuple[int, ...]
    points: tuple[int, ...]
    ties: tuple[int, ...]


class ThemesScored(Fact, frozen=True, tag="evangelists.themes-scored"):
    """Each seat's number of `matching` cards, its `points`, and its `bonus`."""

    matching: tuple[int, ...]
    points: tuple[int, ...]
    bonus: tuple[int, ...]


class GameEnded(Fact, frozen=True, tag="evangelists.game-ended"):
    """All is scored: who won, each seat's tally `marks` and `scores`."""

    winners: tuple[int, ...]
    marks: tuple[int, ...]
    scores: tuple[int, ...]


FACTS = (
    TraditionsDealt
    | ThemesDealt
    | FirstDrawn
    | TokensGiven
    | WitnessDeckShuffled
    | TraditionOpened
    | PlaceDue
    | PawnPlaced
    | RoundBegan
    | WitnessFlipped
    | CubeDrawn
    | TurnBegan
    | OctagonsSpent
    | PawnMoved
    | BoatSailed
    | BoatBumped
    | TraditionsLooked
    | CardKept
    | CardsReturned
    | InterviewTaken
    | StrengthDue
    | TestimonyHeard
    | LeafMoved
    | LeafFlipped
    | LeavesArranged
    | FollowOffered
    | FollowAsked
    | TokenPaid
    | TwinTaken
    | Passed
    | TurnResumed
    | RoundEnded
    | WhiteRemoved
    | GrowthDue
    | LeafAdded
    | DeviceScored
    | ThemesScored
    | GameEnded
)
