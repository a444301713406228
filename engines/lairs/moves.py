"""What a seat may ask for. `pay` and `dice` may be left out; CUBES are joined by `+`."""

from typing import Annotated

from engines.kit.notation import Move
from engines.kit.secrecy import MOVER, Secret
from engines.lairs.facts import HIDDEN


def _lair(_: object) -> str:
    return HIDDEN


def _cards(move: "Keep") -> tuple[str, ...]:
    return (HIDDEN,) * len(move.treasures)


class Build(Move, frozen=True, tag="lairs.build"):
    """Build the own lair: a text map, or `random`."""

    lair: Annotated[str, Secret(MOVER, _lair)]


class First(Move, frozen=True, tag="lairs.first"):
    """The first to finish building names the first Explorer."""

    seat: str


class Creep(Move, frozen=True, tag="lairs.creep"):
    """Move into an adjacent space."""

    dir_: str
    pay: str = ""


class Hustle(Move, frozen=True, tag="lairs.hustle"):
    """Move up to three times; this is the first."""

    dir_: str
    pay: str = ""


class Step(Move, frozen=True, tag="lairs.step"):
    """A further move of a Hustle."""

    dir_: str


class Stop(Move, frozen=True, tag="lairs.stop"):
    """End a Hustle early."""


class Backtrack(Move, frozen=True, tag="lairs.backtrack"):
    """Go through Known Empty spaces into a Known space."""

    space: str
    pay: str = ""


class Peer(Move, frozen=True, tag="lairs.peer"):
    """Learn about an adjacent Unknown space."""

    dir_: str
    pay: str = ""


class Enter(Move, frozen=True, tag="lairs.enter"):
    """Move into the space peered at."""


class Stay(Move, frozen=True, tag="lairs.stay"):
    """Do not move into the space peered at."""


class Fight(Move, frozen=True, tag="lairs.fight"):
    """A check against the Monster here."""

    dice: int | None = None
    pay: str = ""


class Disarm(Move, frozen=True, tag="lairs.disarm"):
    """A check against the Trap here."""

    dice: int | None = None
    pay: str = ""


class Fatigue(Move, frozen=True, tag="lairs.fatigue"):
    """The cubes that a penalty takes."""

    cubes: tuple[str, ...]


class Open(Move, frozen=True, tag="lairs.open"):
    """Open the Chest here."""


class Take(Move, frozen=True, tag="lairs.take"):
    """Take a Treasure of the display out of an opened Chest."""

    treasure: str


class Exit(Move, frozen=True, tag="lairs.exit"):
    """Leave the lair."""


class Conserve(Move, frozen=True, tag="lairs.conserve"):
    """Save Fresh cubes for the next turn, which ends this one."""

    cubes: tuple[str, ...]


class End(Move, frozen=True, tag="lairs.end"):
    """End the turn."""


class Keep(Move, frozen=True, tag="lairs.keep"):
    """At the end: the four Treasures that stay face-up."""

    treasures: Annotated[tuple[str, ...], Secret(MOVER, _cards)]


MOVES = (
    Build
    | First
    | Creep
    | Hustle
    | Step
    | Stop
    | Backtrack
    | Peer
    | Enter
    | Stay
    | Fight
    | Disarm
    | Fatigue
    | Open
    | Take
    | Exit
    | Conserve
    | End
    | Keep
)
