"""What can happen, in the order of a round. Hands and deck are secret, all else is open (ruling 15)."""

from typing import Annotated, Literal

from engines.kit.game import Fact
from engines.kit.secrecy import Secret

#: A card that a viewer may not see.
HIDDEN = "?"

#: What a seat is asked; the phase of a game until it has answered.
Question = Literal[
    "setup", "rise", "play", "bonus", "take", "discard", "steal-card", "token", "order", "steal-points", "raise"
]
#: What a bonus or a token of the trick lets a seat do; and the seat.
Claim = tuple[Literal["bonus", "take"], int]
#: What a bonus leaves open, and the seat that is to choose.
Choice = tuple[Literal["discard", "steal-card", "token", "steal-points", "raise"], int]


def _hidden_deck(fact: "DeckShuffled") -> tuple[str, ...]:
    return (HIDDEN,) * len(fact.deck)


def _hidden_cards(fact: "CardsDrawn") -> tuple[str, ...]:
    return (HIDDEN,) * len(fact.cards)


def _hidden_card(_: object) -> str:
    return HIDDEN


class DeckShuffled(Fact, frozen=True, tag="venusian-vegas.deck-shuffled"):
    """All cards are shuffled into the deck, its first on top."""

    deck: Annotated[tuple[str, ...], Secret(None, _hidden_deck)]


class FirstDrawn(Fact, frozen=True, tag="venusian-vegas.first-drawn"):
    """`seat` raises its tracks first, and is the first of level ones in round one."""

    seat: int


class RoundBegan(Fact, frozen=True, tag="venusian-vegas.round-began"):
    """Round `round` begins: no trump, high wins, no tokens; `leader` is furthest behind."""

    round: int
    leader: int


class Asked(Fact, frozen=True, tag="venusian-vegas.asked"):
    """`seat` is to move, and what it is asked."""

    seat: int
    question: Question


class TrackRaised(Fact, frozen=True, tag="venusian-vegas.track-raised"):
    """`seat`'s marker on `track` stands on `space` (1 to 5) after an increase; it `moved`, or was at the top."""

    seat: int
    track: str
    space: int
    moved: bool
    points: int


class CardsDrawn(Fact, frozen=True, tag="venusian-vegas.cards-drawn"):
    """`seat` draws `cards` from the top of the deck, in order; none if the deck is empty."""

    seat: int
    cards: Annotated[tuple[str, ...], Secret("seat", _hidden_cards)]


class TokensCollected(Fact, frozen=True, tag="venusian-vegas.tokens-collected"):
    """`seat` gets tokens of these colours, from its tracks or by a Bot bonus."""

    seat: int
    colours: tuple[str, ...]


class CardPlayed(Fact, frozen=True, tag="venusian-vegas.card-played"):
    """`seat` plays `card`, with a token of colour `token` or none (empty); a `blank` token only blocks."""

    seat: int
    card: str
    token: str = ""
    blank: bool = False


class TrumpSet(Fact, frozen=True, tag="venusian-vegas.trump-set"):
    """`seat` moves the Trump Indicator to a suit's letter or `none`."""

    seat: int
    trump: str


class RankFlipped(Fact, frozen=True, tag="venusian-vegas.rank-flipped"):
    """`seat` flips the Rank Indicator: `high` or `low` wins."""

    seat: int
    rank: Literal["high", "low"]


class TrickWon(Fact, frozen=True, tag="venusian-vegas.trick-won"):
    """`seat` wins the trick with `card`; `claims` are settled one after another."""

    seat: int
    card: str
    claims: tuple[Claim, ...]


class BonusTaken(Fact, frozen=True, tag="venusian-vegas.bonus-taken"):
    """`seat` takes the trick bonus of `card`."""

    seat: int
    card: str


class Declined(Fact, frozen=True, tag="venusian-vegas.declined"):
    """`seat` leaves its claim on the trick: a `bonus` or a card to `take`."""

    seat: int
    claim: Literal["bonus", "take"]


class CardTaken(Fact, frozen=True, tag="venusian-vegas.card-taken"):
    """`seat` takes `card` out of the trick into its hand."""

    seat: int
    card: str


class TrickCleared(Fact, frozen=True, tag="venusian-vegas.trick-cleared"):
    """What is left of the trick is discarded, its tokens go back to the supply."""


class PointsGained(Fact, frozen=True, tag="venusian-vegas.points-gained"):
    """`seat` gains VP."""

    seat: int
    points: int


class PointsLost(Fact, frozen=True, tag="venusian-vegas.points-lost"):
    """`seat` loses VP to another seat's bonus."""

    seat: int
    points: int


class PointsPaid(Fact, frozen=True, tag="venusian-vegas.points-paid"):
    """`seat` pays VP for a bonus."""

    seat: int
    points: int


class ChoicesDue(Fact, frozen=True, tag="venusian-vegas.choices-due"):
    """A bonus leaves these choices open, to be made one after another."""

    choices: tuple[Choice, ...]


class ChoiceMade(Fact, frozen=True, tag="venusian-vegas.choice-made"):
    """The first open choice is made."""


class CardDiscarded(Fact, frozen=True, tag="venusian-vegas.card-discarded"):
    """`seat` discards `card` face up."""

    seat: int
    card: str


class CardStolen(Fact, frozen=True, tag="venusian-vegas.card-stolen"):
    """`seat` takes a card out of `victim`'s hand: `card` as the one sees it, `lost` as the other does."""

    seat: int
    victim: int
    card: Annotated[str, Secret("seat", _hidden_card)]
    lost: Annotated[str, Secret("victim", _hidden_card)]


class PointsStolen(Fact, frozen=True, tag="venusian-vegas.points-stolen"):
    """`seat` takes VP from `victim`."""

    seat: int
    victim: int
    points: int


class RoundEnded(Fact, frozen=True, tag="venusian-vegas.round-ended"):
    """At most one seat holds cards: `holder`, or None."""

    round: int
    holder: int | None


class CardRevealed(Fact, frozen=True, tag="venusian-vegas.card-revealed"):
    """The last holder `seat` reveals `card` of its hand; its round bonus is to be taken."""

    seat: int
    card: str


class CardsTurned(Fact, frozen=True, tag="venusian-vegas.cards-turned"):
    """`seat` turns the top cards of the deck; their round bonuses are to be taken, in that order."""

    seat: int
    cards: tuple[str, ...]


class RoundBonusTaken(Fact, frozen=True, tag="venusian-vegas.round-bonus-taken"):
    """`seat` takes the round bonus of `card`."""

    seat: int
    card: str


class GameEnded(Fact, frozen=True, tag="venusian-vegas.game-ended"):
    """The last round is over: the seats that won, all seats' VP and track increases."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]
    increases: tuple[int, ...]


FACTS = (
    DeckShuffled
    | FirstDrawn
    | RoundBegan
    | Asked
    | TrackRaised
    | CardsDrawn
    | TokensCollected
    | CardPlayed
    | TrumpSet
    | RankFlipped
    | TrickWon
    | BonusTaken
    | Declined
    | CardTaken
    | TrickCleared
    | PointsGained
    | PointsLost
    | PointsPaid
    | ChoicesDue
    | ChoiceMade
    | CardDiscarded
    | CardStolen
    | PointsStolen
    | RoundEnded
    | CardRevealed
    | CardsTurned
    | RoundBonusTaken
    | GameEnded
)
