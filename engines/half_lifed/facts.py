"""What can happen, in the order of a round. Only the orders of the deck and of the bag are secret (ruling 2)."""

from typing import Annotated

from engines.kit.game import Fact
from engines.kit.secrecy import Secret

#: A card of the deck, a worker of the bag, as everybody sees them.
HIDDEN_CARD = "c?"
HIDDEN_WORKER = "w?"


def _cards(fact: "DeckShuffled") -> tuple[str, ...]:
    return (HIDDEN_CARD,) * len(fact.cards)


def _workers(fact: "BagFilled") -> tuple[str, ...]:
    return (HIDDEN_WORKER,) * len(fact.workers)


class DepartmentsDrawn(Fact, frozen=True, tag="half-lifed.departments-drawn"):
    """The departments in play, in the set's order."""

    departments: tuple[str, ...]


class DeckShuffled(Fact, frozen=True, tag="half-lifed.deck-shuffled"):
    """The facility cards in play make the deck, the next one first."""

    cards: Annotated[tuple[str, ...], Secret(None, _cards)]


class BagFilled(Fact, frozen=True, tag="half-lifed.bag-filled"):
    """The workers in play are in the bag, the next one first."""

    workers: Annotated[tuple[str, ...], Secret(None, _workers)]


class GoalsLaid(Fact, frozen=True, tag="half-lifed.goals-laid"):
    """The goals that can be claimed."""

    goals: tuple[str, ...]


class FirstPlayerDrawn(Fact, frozen=True, tag="half-lifed.first-player-drawn"):
    """`seat` is 1st player in the first round."""

    seat: int


class RoundBegan(Fact, frozen=True, tag="half-lifed.round-began"):
    """Round `round` begins, with `first` as 1st player."""

    round: int
    first: int


class PiecesDrawn(Fact, frozen=True, tag="half-lifed.pieces-drawn"):
    """The pool: cards and workers drawn, and what last round's cards `pledged`."""

    cards: tuple[str, ...]
    workers: tuple[str, ...]
    pledged: tuple[str, ...]


class PoolSplit(Fact, frozen=True, tag="half-lifed.pool-split"):
    """`seat` splits the pool; the seats of `order` take a pile each."""

    seat: int
    piles: tuple[tuple[str, ...], ...]
    order: tuple[int, ...]


class PilePicked(Fact, frozen=True, tag="half-lifed.pile-picked"):
    """`seat` takes pile `number`, counted from 1, which holds `pieces`."""

    seat: int
    number: int
    pieces: tuple[str, ...]


class InvestorJoined(Fact, frozen=True, tag="half-lifed.investor-joined"):
    """`investor` joins `seat` and pays `money`."""

    seat: int
    investor: str
    money: int


class TurnsBegan(Fact, frozen=True, tag="half-lifed.turns-began"):
    """The clinics are emptied, everybody may act."""


class CardBuilt(Fact, frozen=True, tag="half-lifed.card-built"):
    """`seat` plays `card`, called `name`, face up for `price`; an attachment `on` a card."""

    seat: int
    card: str
    name: str
    price: int
    on: str = ""


class RoomMade(Fact, frozen=True, tag="half-lifed.room-made"):
    """`card` becomes a clinic room of `seat`."""

    seat: int
    card: str


class SpaceActivated(Fact, frozen=True, tag="half-lifed.space-activated"):
    """`piece` goes on `space`, called `name`, for `fee`."""

    seat: int
    space: str
    name: str
    piece: str
    fee: int


class MoneyGained(Fact, frozen=True, tag="half-lifed.money-gained"):
    """An effect gives `seat` `money`."""

    seat: int
    money: int


class MoneyPaid(Fact, frozen=True, tag="half-lifed.money-paid"):
    """An effect costs `seat` `money`."""

    seat: int
    money: int


class WorkerHired(Fact, frozen=True, tag="half-lifed.worker-hired"):
    """`seat` gets a new worker of the supply."""

    seat: int
    worker: str
    colour: str


class BotMade(Fact, frozen=True, tag="half-lifed.bot-made"):
    """`seat` gets a new bot of the supply."""

    seat: int
    bot: str


class BotStationed(Fact, frozen=True, tag="half-lifed.bot-stationed"):
    """`bot` has its home at `card` now."""

    seat: int
    bot: str
    card: str


class PiecePledged(Fact, frozen=True, tag="half-lifed.piece-pledged"):
    """`piece` will be in the next draft; `colour` of a worker."""

    seat: int
    piece: str
    colour: str = ""


class ClinicTaken(Fact, frozen=True, tag="half-lifed.clinic-taken"):
    """`seat` takes a Clinic card."""

    seat: int


class LeakLifted(Fact, frozen=True, tag="half-lifed.leak-lifted"):
    """`leak` is lifted from `card` and gone; what it locked is free."""

    seat: int
    leak: str
    card: str


class Asked(Fact, frozen=True, tag="half-lifed.asked"):
    """Effect `step` of `source` asks `seat` for a `what`: one of `options`; `bot` is the one to be placed."""

    seat: int
    source: str
    step: int
    what: str
    options: tuple[str, ...]
    bot: str = ""


class Chosen(Fact, frozen=True, tag="half-lifed.chosen"):
    """`seat` answers."""

    seat: int
    value: str


class GoalClaimed(Fact, frozen=True, tag="half-lifed.goal-claimed"):
    """`seat` spends `worker` on `goal`, called `name`, and is paid `money`."""

    seat: int
    goal: str
    name: str
    worker: str
    money: int


class LeakPaid(Fact, frozen=True, tag="half-lifed.leak-paid"):
    """`seat` pays `money` and `leak` is gone."""

    seat: int
    leak: str
    money: int


class LeakFed(Fact, frozen=True, tag="half-lifed.leak-fed"):
    """`piece` is discarded for good, and `leak` is gone."""

    seat: int
    leak: str
    piece: str


class LeakCovered(Fact, frozen=True, tag="half-lifed.leak-covered"):
    """`leak` covers `card` and locks the pieces on it."""

    seat: int
    leak: str
    card: str
    locked: tuple[str, ...]


class LeakContained(Fact, frozen=True, tag="half-lifed.leak-contained"):
    """`leak` is tucked under `card`."""

    seat: int
    leak: str
    card: str


class BotGivenUp(Fact, frozen=True, tag="half-lifed.bot-given-up"):
    """`bot` finds no empty station and is gone."""

    seat: int
    bot: str


class TurnEnded(Fact, frozen=True, tag="half-lifed.turn-ended"):
    """`seat` is done."""

    seat: int


class SeatOut(Fact, frozen=True, tag="half-lifed.seat-out"):
    """`seat` has more investors than rooms and is out, with all its pieces."""

    seat: int
    investors: int
    rooms: int


class GoalsDiscarded(Fact, frozen=True, tag="half-lifed.goals-discarded"):
    """The goals claimed this round are gone, with the workers spent on them."""

    goals: tuple[str, ...]


class BotsReturned(Fact, frozen=True, tag="half-lifed.bots-returned"):
    """Each bot is back at its station."""


class HousingAsked(Fact, frozen=True, tag="half-lifed.housing-asked"):
    """`seat` is to say who gets the `free` rooms."""

    seat: int
    free: int


class WorkersHoused(Fact, frozen=True, tag="half-lifed.workers-housed"):
    """`workers` get a room each, those of `lost` are gone for good."""

    seat: int
    workers: tuple[str, ...]
    lost: tuple[str, ...]


class EndReached(Fact, frozen=True, tag="half-lifed.end-reached"):
    """The game ends with this round, for all of `reasons` (words.END_REASONS)."""

    reasons: tuple[str, ...]


class EventResolved(Fact, frozen=True, tag="half-lifed.event-resolved"):
    """`card`, called `name`, pays `seat` `money`."""

    seat: int
    card: str
    name: str
    money: int


class InvestorsRepaid(Fact, frozen=True, tag="half-lifed.investors-repaid"):
    """`seat` pays `money` to its `investors` investors."""

    seat: int
    investors: int
    money: int


class GameEnded(Fact, frozen=True, tag="half-lifed.game-ended"):
    """The game is over: who won, and the money of each seat still in."""

    winners: tuple[int, ...]
    scores: tuple[int | None, ...]


FACTS = (
    DepartmentsDrawn
    | DeckShuffled
    | BagFilled
    | GoalsLaid
    | FirstPlayerDrawn
    | RoundBegan
    | PiecesDrawn
    | PoolSplit
    | PilePicked
    | InvestorJoined
    | TurnsBegan
    | CardBuilt
    | RoomMade
    | SpaceActivated
    | MoneyGained
    | MoneyPaid
    | WorkerHired
    | BotMade
    | BotStationed
    | PiecePledged
    | ClinicTaken
    | LeakLifted
    | Asked
    | Chosen
    | GoalClaimed
    | LeakPaid
    | LeakFed
    | LeakCovered
    | LeakContained
    | BotGivenUp
    | TurnEnded
    | SeatOut
    | GoalsDiscarded
    | BotsReturned
    | HousingAsked
    | WorkersHoused
    | EndReached
    | EventResolved
    | InvestorsRepaid
    | GameEnded
)
