"""What a seat may ask for."""

from engines.kit.notation import Move


class Reveal(Move, frozen=True, tag="power-vacuum.reveal"):
    """Lay the Agenda open before playing a card, betting on `most` and `least`."""

    most: str
    least: str


class Play(Move, frozen=True, tag="power-vacuum.play"):
    """Play a card to the trick."""

    card: str


class Point(Move, frozen=True, tag="power-vacuum.point"):
    """The trick's winner takes a point."""


class Capture(Move, frozen=True, tag="power-vacuum.capture"):
    """The trick's winner keeps a card of the trick for the next round."""

    card: str


class Transfer(Move, frozen=True, tag="power-vacuum.transfer"):
    """Move one Power along the cable."""

    from_: str
    to: str


class Plug(Move, frozen=True, tag="power-vacuum.plug"):
    """Move one plug of the cable to an open socket."""

    socket: str
    to: str


class Aim(Move, frozen=True, tag="power-vacuum.aim"):
    """Solo: turn the own Agenda."""

    most: str
    least: str


MOVES = Reveal | Play | Point | Capture | Transfer | Plug | Aim
