"""What can happen. Lairs, the deck, drawn Treasures and the choice at the end are secret, all else is open.

`seat` is the Explorer unless said; a space is written `A1`, walls are letters of `nesw`, a feature is one
of `start exit chest monster trap` or empty, cubes are words like `white`, `c:white` and `s:white`.
"""

from typing import Annotated, Literal

from engines.kit.game import Fact
from engines.kit.secrecy import Secret

#: Stands for a lair or a Treasure that a viewer may not see.
HIDDEN = "?"

Act = Literal["fatigue", "spend"]


def _one(_: object) -> str:
    return HIDDEN


def _deck(fact: "TreasuresShuffled") -> tuple[str, ...]:
    return (HIDDEN,) * len(fact.deck)


def _kept(fact: "TreasuresKept") -> tuple[str, ...]:
    return (HIDDEN,) * len(fact.cards)


class TreasuresShuffled(Fact, frozen=True, tag="lairs.treasures-shuffled"):
    """The Treasures are shuffled: the display, and the deck below it."""

    display: tuple[str, ...]
    deck: Annotated[tuple[str, ...], Secret(None, _deck)]


class LairBuilt(Fact, frozen=True, tag="lairs.lair-built"):
    """`seat`, the Builder, has finished a lair: its rows joined by `/`, blanks as `.`."""

    seat: int
    lair: Annotated[str, Secret("seat", _one)]


class BuildingDone(Fact, frozen=True, tag="lairs.building-done"):
    """Both lairs stand; `seat`, who finished first, is to name the first Explorer."""

    seat: int


class FirstNamed(Fact, frozen=True, tag="lairs.first-named"):
    """`seat` has named `first` as the first Explorer."""

    seat: int
    first: int


class TurnBegan(Fact, frozen=True, tag="lairs.turn-began"):
    """`seat`'s turn of round `round`: Spent cubes become Fresh, Fatigued ones Spent. `last`: after an exit."""

    seat: int
    round: int
    last: bool = False


class SpaceLearned(Fact, frozen=True, tag="lairs.space-learned"):
    """`space` becomes Known to `seat`: the walls around it and its feature."""

    seat: int
    space: str
    walls: str
    feature: str


class FeatureLocated(Fact, frozen=True, tag="lairs.feature-located"):
    """`seat` learns that `feature` is in `space`, which stays Unknown."""

    seat: int
    space: str
    feature: str


class CubesSpent(Fact, frozen=True, tag="lairs.cubes-spent"):
    """`seat` spends `cubes`: a conserved one into Fresh, a Fresh one into Spent, conserved ones first."""

    seat: int
    cubes: tuple[str, ...]


class HustleBegan(Fact, frozen=True, tag="lairs.hustle-began"):
    """`seat` may move up to `steps` times."""

    seat: int
    steps: int


class HustleEnded(Fact, frozen=True, tag="lairs.hustle-ended"):
    """The moves of `seat`'s Hustle that remain are lost or left out."""

    seat: int


class Moved(Fact, frozen=True, tag="lairs.moved"):
    """`seat`'s tracker is now in `space`."""

    seat: int
    space: str


class Peered(Fact, frozen=True, tag="lairs.peered"):
    """`seat` may move into `space` for free."""

    seat: int
    space: str


class Stayed(Fact, frozen=True, tag="lairs.stayed"):
    """`seat` does not move into the space peered at."""

    seat: int


class Struck(Fact, frozen=True, tag="lairs.struck"):
    """The hazard in `space`, called `name`, strikes `seat`."""

    seat: int
    space: str
    name: str


class PenaltyDue(Fact, frozen=True, tag="lairs.penalty-due"):
    """`seat` is to choose: `count` cubes, `of` (`any`, `fresh` or a colour), to `act`."""

    seat: int
    act: Act
    count: int
    of: str


class CubesFatigued(Fact, frozen=True, tag="lairs.cubes-fatigued"):
    """`seat` fatigues `cubes`."""

    seat: int
    cubes: tuple[str, ...]


class PenaltyVoid(Fact, frozen=True, tag="lairs.penalty-void"):
    """All of `seat`'s cubes are fatigued: there is nothing to take."""

    seat: int


class CheckDue(Fact, frozen=True, tag="lairs.check-due"):
    """`seat` has moved into a Known hazard, called `name`, and must fight or disarm it."""

    seat: int
    space: str
    name: str


class DiceRolled(Fact, frozen=True, tag="lairs.dice-rolled"):
    """`seat` rolls `dice` against `target`."""

    seat: int
    dice: tuple[int, ...]
    target: int


class MonsterHurt(Fact, frozen=True, tag="lairs.monster-hurt"):
    """The Monster in `space` has `target` as its new Target."""

    seat: int
    space: str
    target: int
    name: str


class MonsterDefeated(Fact, frozen=True, tag="lairs.monster-defeated"):
    """The Monster in `space` is defeated."""

    seat: int
    space: str
    name: str


class TrapDisarmed(Fact, frozen=True, tag="lairs.trap-disarmed"):
    """The Trap in `space` is disarmed."""

    seat: int
    space: str
    name: str


class TrapSprung(Fact, frozen=True, tag="lairs.trap-sprung"):
    """The Trap in `space` is out of the game."""

    seat: int
    space: str
    name: str


class ChestOpened(Fact, frozen=True, tag="lairs.chest-opened"):
    """The Chest in `space` is opened; a Treasure of the display is to be taken."""

    seat: int
    space: str


class TreasureDrawn(Fact, frozen=True, tag="lairs.treasure-drawn"):
    """`seat` draws `card` from the deck."""

    seat: int
    card: Annotated[str, Secret("seat", _one)]


class TreasureTaken(Fact, frozen=True, tag="lairs.treasure-taken"):
    """`seat` takes `card` from the display."""

    seat: int
    card: str


class DisplayRefilled(Fact, frozen=True, tag="lairs.display-refilled"):
    """`card` comes from the deck into the gap at `place` of the display, counted from 0."""

    card: str
    place: int


class CubesConserved(Fact, frozen=True, tag="lairs.cubes-conserved"):
    """`seat` moves Fresh `cubes` into Conserved slots."""

    seat: int
    cubes: tuple[str, ...]


class Exited(Fact, frozen=True, tag="lairs.exited"):
    """`seat` leaves the lair, as the first or not."""

    seat: int
    first: bool


class TurnEnded(Fact, frozen=True, tag="lairs.turn-ended"):
    """`seat`'s turn is over."""

    seat: int


class KeepDue(Fact, frozen=True, tag="lairs.keep-due"):
    """`seats` hold more Treasures than can stay face-up and are to choose."""

    seats: tuple[int, ...]


class TreasuresKept(Fact, frozen=True, tag="lairs.treasures-kept"):
    """`seat` has chosen the Treasures that stay face-up."""

    seat: int
    cards: Annotated[tuple[str, ...], Secret("seat", _kept)]


class SeatScored(Fact, frozen=True, tag="lairs.seat-scored"):
    """`seat` lays out its Treasures: those drawn, those that stay face-up; and its points of each kind."""

    seat: int
    drawn: tuple[str, ...]
    kept: tuple[str, ...]
    treasures: int
    monsters: int
    exit: int


class GameEnded(Fact, frozen=True, tag="lairs.game-ended"):
    """The game is over: the seats that won, all seats' points."""

    winners: tuple[int, ...]
    scores: tuple[int, ...]


FACTS = (
    TreasuresShuffled
    | LairBuilt
    | BuildingDone
    | FirstNamed
    | TurnBegan
    | SpaceLearned
    | FeatureLocated
    | CubesSpent
    | HustleBegan
    | HustleEnded
    | Moved
    | Peered
    | Stayed
    | Struck
    | PenaltyDue
    | CubesFatigued
    | PenaltyVoid
    | CheckDue
    | DiceRolled
    | MonsterHurt
    | MonsterDefeated
    | TrapDisarmed
    | TrapSprung
    | ChestOpened
    | TreasureDrawn
    | TreasureTaken
    | DisplayRefilled
    | CubesConserved
    | Exited
    | TurnEnded
    | KeepDue
    | TreasuresKept
    | SeatScored
    | GameEnded
)
