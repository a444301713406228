"""What a seat may ask for."""

from typing import Annotated

from engines.kit.notation import Move, Values
from engines.theory_of_power import FACTIONS


class Discard(Move, frozen=True, tag="theory-of-power.discard"):
    """Set-up: discard down to five cards."""

    cards: tuple[str, ...]


class Leader(Move, frozen=True, tag="theory-of-power.leader"):
    """Set-up: keep one of the two Leaders dealt."""

    name: str


class Food(Move, frozen=True, tag="theory-of-power.food"):
    """Get Food: discard `discarded`, taking `cards` cards and `influence` Influence instead of Food."""

    discarded: tuple[str, ...]
    cards: int = 0
    influence: int = 0
    chameleon: Annotated[tuple[str, ...], Values(*FACTIONS)] = ()


class Attract(Move, frozen=True, tag="theory-of-power.attract"):
    """Attract Supporter: play a card, feeding a supporter to it, paying as said."""

    card: str
    eat: str | None = None
    food: int | None = None
    influence: int | None = None
    from_: tuple[str, ...] = ()
    chameleon: Annotated[str | None, Values(*FACTIONS)] = None


class Poach(Move, frozen=True, tag="theory-of-power.poach"):
    """Poach Supporter: take another player's supporter for Influence."""

    supporter: str
    chameleon: Annotated[str | None, Values(*FACTIONS)] = None


class Contacts(Move, frozen=True, tag="theory-of-power.contacts"):
    """Seek Contacts."""


class Use(Move, frozen=True, tag="theory-of-power.use"):
    """Use a waiting ability."""

    source: str


class Skip(Move, frozen=True, tag="theory-of-power.skip"):
    """Let a waiting ability go by."""

    source: str


class Feed(Move, frozen=True, tag="theory-of-power.feed"):
    """Say which supporter is fed."""

    supporter: str


class Choose(Move, frozen=True, tag="theory-of-power.choose"):
    """Answer what an ability asks."""

    value: str


class Pass(Move, frozen=True, tag="theory-of-power.pass"):
    """Do without the second action."""


MOVES = Discard | Leader | Food | Attract | Poach | Contacts | Use | Skip | Feed | Choose | Pass
