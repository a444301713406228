"""Standing orders: moves that a seat wants made when it comes to move. Secret to the seat, and no part of the log.

The table carries them out and drops those that have become illegal; here they are left, listed and withdrawn.
"""

from __future__ import annotations

from typing import NamedTuple

from events.log import Database

#: So many orders of a seat may wait.
MOST = 20


class Standing(NamedTuple):
    """An order of a seat. `dropped` is the event after which it was no longer legal, None as long as it waits."""

    number: int
    move: str
    dropped: int | None


def standing(log: Database, game: str, seat: int) -> list[Standing]:
    """The orders of a seat, in the order in which they will be carried out."""
    found = log.select(
        "select number, move, dropped from orders where game = ? and seat = ? order by number", (game, seat)
    )
    return [Standing(*columns) for columns in found]


def leave(log: Database, game: str, seat: int, move: str, seq: int) -> bool:
    """Leaves an order, and forgets those that were dropped; false if the game is not at event `seq` any more."""
    with log.writing(game) as store:
        if log.last(game) != seq:
            return False
        number = max((order.number for order in standing(log, game, seat)), default=0) + 1
        store.execute("delete from orders where game = ? and seat = ? and dropped is not null", (game, seat))
        store.execute(
            "insert into orders (game, seat, number, move) values (?, ?, ?, ?)", (game, seat, number, move)
        )
    return True


def withdraw(log: Database, game: str, seat: int, number: int) -> bool:
    """Takes an order back; false if there is none of that number."""
    with log.writing(game) as store:
        change = "delete from orders where game = ? and seat = ? and number = ?"
        return store.execute(change, (game, seat, number)).rowcount > 0
