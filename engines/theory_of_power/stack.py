"""What remains to be done, as data: abilities that wait in sets, and abilities half carried out.

The top of the stack is settled before what lies under it. Nothing here knows this game's words: a source is
whatever carries an ability, an owner is a seat, a step is the place in the ability's list of effects.
"""

from collections.abc import Sequence

from msgspec import Struct


class Waiting(Struct, frozen=True):
    """An ability that was set off: number `ability` of the card `card`, which is or was `source` of seat `owner`.

    Of a set the lowest `rank` is settled first.
    """

    owner: int
    source: str
    card: str
    ability: int
    rank: int = 0


class Pool(Struct, tag="set"):
    """A set: abilities set off together. Of one rank, seat `first`'s are settled first, then clockwise."""

    first: int
    waiting: list[Waiting] = []


class Running(Struct, tag="running"):
    """An ability that is being carried out.

    `picks` are the answers so far to what the effect of number `step` asks; `asking` is the kind of question
    that is open, "" for none, and `asked` the seat that answers; `caused` what it has set off so far.
    """

    ability: Waiting
    step: int = 0
    picks: list[str] = []
    asking: str = ""
    asked: int = 0
    caused: list[Waiting] = []


class Later(Struct, tag="later"):
    """A part of an action that comes once all above is settled."""

    what: str


Frame = Pool | Running | Later


def in_turn(pool: Pool, seats: int) -> list[Waiting]:
    """The abilities of a set in the order in which their owners decide."""
    return sorted(pool.waiting, key=lambda one: (one.rank, (one.owner - pool.first) % seats))


def due(pool: Pool, seats: int) -> list[Waiting]:
    """The abilities of a set whose owner decides next: of the lowest rank, one owner's."""
    if not pool.waiting:
        return []
    rank = min(one.rank for one in pool.waiting)
    turn = min((one.owner - pool.first) % seats for one in pool.waiting if one.rank == rank)
    return [one for one in pool.waiting if one.rank == rank and (one.owner - pool.first) % seats == turn]


def waiting_of(stack: Sequence[Frame], source: str, owner: int) -> list[Waiting]:
    """All abilities of a source that wait for its owner, the top ones last."""
    return [
        one
        for frame in stack
        if isinstance(frame, Pool)
        for one in frame.waiting
        if one.source == source and one.owner == owner
    ]


def taken_out(stack: Sequence[Frame], ability: Waiting) -> None:
    """Removes a waiting ability from the highest set that holds it."""
    for frame in reversed(stack):
        if isinstance(frame, Pool) and ability in frame.waiting:
            frame.waiting.remove(ability)
            return


def running(stack: Sequence[Frame]) -> Running:
    """The ability that is being carried out on top of the stack."""
    top = stack[-1]
    assert isinstance(top, Running)
    return top
