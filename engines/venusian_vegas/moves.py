"""What a seat may ask for."""

from engines.kit.notation import Move


class Raise(Move, frozen=True, tag="venusian-vegas.raise"):
    """Raise tracks: those of the set-up, the one of a round's start, or the one that a bonus leaves open."""

    tracks: tuple[str, ...]


class Play(Move, frozen=True, tag="venusian-vegas.play"):
    """Play a card to the trick, perhaps with a token; a `blank` one only blocks its colour."""

    card: str
    with_: str | None = None
    trump: str | None = None
    blank: bool = False


class Bonus(Move, frozen=True, tag="venusian-vegas.bonus"):
    """Take the trick bonus of a card that another seat played."""

    card: str


class Take(Move, frozen=True, tag="venusian-vegas.take"):
    """Take a card of the trick into the hand, for a Mobster token."""

    card: str


class Decline(Move, frozen=True, tag="venusian-vegas.decline"):
    """Take no bonus, or no card of the trick."""


class Discard(Move, frozen=True, tag="venusian-vegas.discard"):
    """Discard a card, because an Inspector bonus demands it."""

    card: str


class Steal(Move, frozen=True, tag="venusian-vegas.steal"):
    """Name the seat that a Game bonus robs."""

    seat: str


class Token(Move, frozen=True, tag="venusian-vegas.token"):
    """Choose the colour of the token that a Bot bonus gives."""

    colour: str


class Order(Move, frozen=True, tag="venusian-vegas.order"):
    """The last holder reveals the next card of its hand and takes its round bonus."""

    card: str


MOVES = Raise | Play | Bonus | Take | Decline | Discard | Steal | Token | Order
