"""What can happen, in the order of a round. Hands and agendas are secret, all else is open."""

from typing import Annotated

from engines.kit.game import Fact
from engines.kit.secrecy import Secret

#: A card seen from behind shows its suit's back; an Agenda shows nothing.
HIDDEN_AGENDA = "?/?"


def _backs(fact: "CardsDealt") -> tuple[str, ...]:
    return fact.backs


def _agenda(_: object) -> str:
    return HIDDEN_AGENDA


def _agendas(fact: "AgendasShuffled") -> tuple[str, ...]:
    return (HIDDEN_AGENDA,) * len(fact.deck)


class StarterDrawn(Fact, frozen=True, tag="power-vacuum.starter-drawn"):
    """`seat` starts the first round."""

    seat: int


class RoundBegan(Fact, frozen=True, tag="power-vacuum.round-began"):
    """Round `round` begins; `levels` is the Power at red, green, yellow, white, brown."""

    round: int
    starter: int
    levels: tuple[int, ...]


class AimDue(Fact, frozen=True, tag="power-vacuum.aim-due"):
    """Solo: `seat` is to turn its Agenda."""

    seat: int


class Aimed(Fact, frozen=True, tag="power-vacuum.aimed"):
    """Solo: `seat`'s Agenda now says `most` and `least`."""

    seat: int
    most: str
    least: str


class CardsDealt(Fact, frozen=True, tag="power-vacuum.cards-dealt"):
    """`seat` is dealt `cards`; `backs` are what the others see of them, sorted (a bot's in their order)."""

    seat: int
    cards: Annotated[tuple[str, ...], Secret("seat", _backs)]
    backs: tuple[str, ...]


class AgendaDealt(Fact, frozen=True, tag="power-vacuum.agenda-dealt"):
    """`seat` is dealt an Agenda."""

    seat: int
    agenda: Annotated[str, Secret("seat", _agenda)]


class AgendasShuffled(Fact, frozen=True, tag="power-vacuum.agendas-shuffled"):
    """Solo: the Agenda deck is shuffled anew."""

    deck: Annotated[tuple[str, ...], Secret(None, _agendas)]


class CableSet(Fact, frozen=True, tag="power-vacuum.cable-set"):
    """The cable connects the two Appliances of the turned `agenda`, which goes to the bottom."""

    agenda: str


class TurnBegan(Fact, frozen=True, tag="power-vacuum.turn-began"):
    """`seat` is to play a card."""

    seat: int


class AgendaRevealed(Fact, frozen=True, tag="power-vacuum.agenda-revealed"):
    """`seat`'s Agenda lies open; `marker` is what a right half is worth, 14 for a conspirator."""

    seat: int
    most: str
    least: str
    marker: int


class CardPlayed(Fact, frozen=True, tag="power-vacuum.card-played"):
    """`seat` plays `card`; a bot's from `place` of its row, counted from 0 (None: a hand has no order)."""

    seat: int
    card: str
    place: int | None = None


class TrickWon(Fact, frozen=True, tag="power-vacuum.trick-won"):
    """`seat` wins the trick with `card`; the seats of `lowest` are to run the Control Board, in that order."""

    seat: int
    card: str
    lowest: tuple[int, ...]


class PointTaken(Fact, frozen=True, tag="power-vacuum.point-taken"):
    """`seat` takes a point for the trick."""

    seat: int


class CardCaptured(Fact, frozen=True, tag="power-vacuum.card-captured"):
    """`seat` keeps `card` for the next round."""

    seat: int
    card: str


class TrickCleared(Fact, frozen=True, tag="power-vacuum.trick-cleared"):
    """The rest of the trick is cleared away."""


class BoardTaken(Fact, frozen=True, tag="power-vacuum.board-taken"):
    """`seat` is to run the Control Board."""

    seat: int


class PowerMoved(Fact, frozen=True, tag="power-vacuum.power-moved"):
    """One Power goes from socket `source` to socket `target`."""

    seat: int
    source: str
    target: str


class NothingMoved(Fact, frozen=True, tag="power-vacuum.nothing-moved"):
    """No Power is at either end of the cable, so none moves."""

    seat: int


class PlugMoved(Fact, frozen=True, tag="power-vacuum.plug-moved"):
    """`seat` moves the plug at `socket` to `to`."""

    seat: int
    socket: str
    to: str


class AgendaTurned(Fact, frozen=True, tag="power-vacuum.agenda-turned"):
    """Solo: the top Agenda is turned for a bot and discarded; `plugged` if the cable goes where it says."""

    seat: int
    agenda: str
    plugged: bool


class LevelsMarked(Fact, frozen=True, tag="power-vacuum.levels-marked"):
    """The Appliances with the most and the least Power; both empty when all are level."""

    most: tuple[str, ...]
    least: tuple[str, ...]


class PowerGrabbed(Fact, frozen=True, tag="power-vacuum.power-grabbed"):
    """`seat` takes the Power of its Appliance as points."""

    seat: int
    points: int


class AgendaScored(Fact, frozen=True, tag="power-vacuum.agenda-scored"):
    """`seat` scores its Agenda: which halves were right, and the points."""

    seat: int
    most_right: bool
    least_right: bool
    points: int


class PieceTaken(Fact, frozen=True, tag="power-vacuum.piece-taken"):
    """`seat` trades 10 points for piece `piece` (1 to 4) of its Statue."""

    seat: int
    piece: int


class GameEnded(Fact, frozen=True, tag="power-vacuum.game-ended"):
    """A Statue is complete and the round over: the seats that won, all seats' points."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]


FACTS = (
    StarterDrawn
    | RoundBegan
    | AimDue
    | Aimed
    | CardsDealt
    | AgendaDealt
    | AgendasShuffled
    | CableSet
    | TurnBegan
    | AgendaRevealed
    | CardPlayed
    | TrickWon
    | PointTaken
    | CardCaptured
    | TrickCleared
    | BoardTaken
    | PowerMoved
    | NothingMoved
    | PlugMoved
    | AgendaTurned
    | LevelsMarked
    | PowerGrabbed
    | AgendaScored
    | PieceTaken
    | GameEnded
)
