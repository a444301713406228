"""What a seat may ask for, in the order of a round."""

from engines.kit.notation import Move


class Split(Move, frozen=True, tag="half-lifed.split"):
    """The 1st player divides the pool into one pile a seat."""

    pieces: tuple[tuple[str, ...], ...]


class Pick(Move, frozen=True, tag="half-lifed.pick"):
    """Take a pile, counted from 1."""

    number: int


class Build(Move, frozen=True, tag="half-lifed.build"):
    """Play a drafted card face up; an attachment `on` a card."""

    card: str
    on: str = ""


class Room(Move, frozen=True, tag="half-lifed.room"):
    """Tuck a drafted card under the HQ as a clinic room."""

    card: str


class Activate(Move, frozen=True, tag="half-lifed.activate"):
    """Put a worker, or its own bot, on a space and carry it out."""

    space: str
    piece: str


class Station(Move, frozen=True, tag="half-lifed.station"):
    """Give a drafted bot its home."""

    bot: str
    card: str


class Claim(Move, frozen=True, tag="half-lifed.claim"):
    """Spend a parked worker on a goal whose demand is met."""

    goal: str
    worker: str


class Leak(Move, frozen=True, tag="half-lifed.leak"):
    """Answer a Leak in one of four ways."""

    leak: str
    pay: bool = False
    discard: str = ""
    cover: str = ""
    contain: str = ""


class Choose(Move, frozen=True, tag="half-lifed.choose"):
    """Answer what an effect leaves open."""

    value: str


class Done(Move, frozen=True, tag="half-lifed.done"):
    """End this turn, for good."""


class House(Move, frozen=True, tag="half-lifed.house"):
    """Say which workers get the free rooms; the others are gone."""

    worker: tuple[str, ...]


MOVES = Split | Pick | Build | Room | Activate | Station | Claim | Leak | Choose | Done | House
