"""What a seat may ask for, in the order of the rulebook."""

from engines.kit.notation import Move


class Place(Move, frozen=True, tag="evangelists.place"):
    """Set-up: put the pawn in a city."""

    city: str


class Travel(Move, frozen=True, tag="evangelists.travel"):
    """Move the pawn one or two spaces, or (strong) to any city."""

    space: str
    strong: bool = False


class Boat(Move, frozen=True, tag="evangelists.boat"):
    """Sail with the boat on the pawn's space; `bump` is where a boat met at the end goes."""

    space: str
    bump: str = ""


class Tradition(Move, frozen=True, tag="evangelists.tradition"):
    """Look at the traditions of the city."""


class Keep(Move, frozen=True, tag="evangelists.keep"):
    """Keep none, one or two of the cards looked at (`t7:a2`), and leave one of the others open."""

    cards: tuple[str, ...]
    open_: str = ""


class Interview(Move, frozen=True, tag="evangelists.interview"):
    """Take the interview card of the city's witness."""


class Weak(Move, frozen=True, tag="evangelists.weak"):
    """Make the interview a weak one."""


class Strong(Move, frozen=True, tag="evangelists.strong"):
    """Make the interview a strong one."""


class Rearrange(Move, frozen=True, tag="evangelists.rearrange"):
    """Move one leaf to place `to` from the left, or flip it."""

    leaf: str
    to: int = 0
    flip: bool = False


class Arrange(Move, frozen=True, tag="evangelists.arrange"):
    """Put all leaves in a new order; a leaf with `~` is flipped."""

    leaves: tuple[str, ...]


class Follow(Move, frozen=True, tag="evangelists.follow"):
    """Follow the action of the seat whose turn it is: with a space, a card and its slot, a leaf, or nothing."""

    what: tuple[str, ...]
    to: int = 0
    flip: bool = False


class Pass(Move, frozen=True, tag="evangelists.pass"):
    """Do not follow."""


class Leaf(Move, frozen=True, tag="evangelists.leaf"):
    """Growth: add a leaf at the `left` or `right` end."""

    side: str


class End(Move, frozen=True, tag="evangelists.end"):
    """End the turn."""


MOVES = (
    Place
    | Travel
    | Boat
    | Tradition
    | Keep
    | Interview
    | Weak
    | Strong
    | Rearrange
    | Arrange
    | Follow
    | Pass
    | Leaf
    | End
)
