"""What a log of events promises, whatever keeps it.

- Rows of a game are numbered from 1 without a gap; none is ever changed or taken away.
- An append is all or nothing, and durable when it returns.
- An append names the row it follows; another writer in between is a `Conflict`.
- A request id stands on the first row of what it asked for and is unique in its game, and among
  creations in the whole log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Protocol

from events.digest import ROOT, chained
from events.errors import Damaged
from events.model import Draft, Row


class Store(Protocol):
    """The transaction of an append, for projections that are written in it: plain SQL with `?` parameters."""

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Iterable[Any]: ...


#: Called inside the appending transaction with the rows just written; what it raises undoes them.
Inside = Callable[[Store, Sequence[Row]], None]


class EventLog(Protocol):
    """An append-only log of the events of many games."""

    def append(
        self, game: str, drafts: Sequence[Draft], *, expect: int, at: int, inside: Inside | None = None
    ) -> list[Row]:
        """Appends `drafts` after row `expect` (0 for a new game), all in one transaction.

        :param at: integer microseconds UTC
        :raises Conflict: the game ends at another row, GameExists: a new game's id is taken
        """
        ...

    def rows(self, game: str, after: int = 0, upto: int | None = None) -> Iterator[Row]:
        """The rows of a game with `after < seq <= upto`, in order, as they lie."""
        ...

    def last(self, game: str) -> int:
        """The number of a game's last row; 0 where there is no such game."""
        ...

    def asked(self, request: str, game: str | None) -> Row | None:
        """The row a request id stands on: of a game, or (None) of a creation."""
        ...

    def games(self, beginning: str = "", most: int | None = None) -> list[str]:
        """The ids of all games that begin so, in order; the first `most` of them, if that is given."""
        ...

    def latest(self) -> str | None:
        """The game last appended to."""
        ...

    def close(self) -> None:
        """Lets go of the log."""
        ...


def checked(rows: Iterable[Row], previous: bytes | None = ROOT, after: int = 0) -> Iterator[Row]:
    """The rows again, each held to the chain.

    :param previous: the digest of row `after`; None takes the first row's on trust
    :raises Damaged: a row is not what was written, or one is missing
    """
    for row in rows:
        after += 1
        if row.seq != after:
            raise Damaged(row.game, after, f"it is missing; the next one there is {row.seq}")
        if previous is not None and row.digest != chained(
            previous, row.game, row.seq, row.at, row.kind, row.actor, row.schema, row.request, row.data
        ):
            raise Damaged(row.game, row.seq, "its content does not match its digest")
        previous = row.digest
        yield row
