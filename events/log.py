"""What a log of events promises, whatever keeps it.

- Rows of a game are numbered from 1 without a gap; none is ever changed or taken away.
- An append is all or nothing, and durable when it returns.
- An append names the row it follows; another writer in between is a `Conflict`.
- A request id stands on the first row of what it asked for and is unique in its game, and among
  creations in the whole log.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, Protocol

from msgspec import json

from events.digest import ROOT, chained
from events.errors import Conflict, Damaged, GameExists
from events.model import Draft, Row

#: The largest seq or time that a log can hold.
MOST = 2**63 - 1

#: The columns of `events`, in the order in which a `Row` and the hash chain have them.
COLUMNS = "game, seq, at, kind, actor, schema, request, data, digest"


class Done(Protocol):
    """What a statement gave: its rows, or how many it changed."""

    @property
    def rowcount(self) -> int: ...

    def __iter__(self) -> Iterator[Any]: ...


class Store(Protocol):
    """A transaction that writes, for projections: plain SQL, as every database has it, with `?` parameters."""

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> Done: ...


#: Asks the database: a store's `execute`, or `select` of a log.
Query = Callable[[str, Sequence[Any]], Iterable[Any]]

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


class Database(EventLog, Protocol):
    """A log with the projections beside it, in tables.

    What is asked of them is SQL that SQLite and PostgreSQL understand alike: `on conflict`, no function on
    JSON, no row numbers. What they do not have alike is said in `events.sqlite` and `events.postgres`.
    """

    @property
    def path(self) -> str:
        """Where it is, as anybody may be told."""
        ...

    @property
    def lost(self) -> bool:
        """Whether it has to be opened anew: its connection is gone."""
        ...

    def row(self, game: str, seq: int) -> Row | None:
        """One row, or None."""
        ...

    def lines(self, game: str) -> Iterator[str]:
        """Each row of a game as one line of JSON, `data` as it lies and `digest` in hex digits."""
        ...

    def append_new(self, games: Sequence[tuple[str, Sequence[Draft]]], *, at: int, inside: Inside) -> None:
        """Appends whole new games, all in one transaction.

        :param inside: called for each of them
        :raises GameExists: an id is taken; none is written
        """
        ...

    def copy(self, rows: Sequence[Row], inside: Inside | None = None) -> None:
        """Appends rows of another log as they are; their chain has been checked.

        :raises Conflict: the game ended elsewhere meanwhile
        """
        ...

    def select(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Any]:
        """The rows of any query, for projections; the database's complaints as errors of ours."""
        ...

    def writing(self, game: str | None = None) -> AbstractContextManager[Store]:
        """One transaction for projections: written when the block ends, undone by what is raised in it.

        :param game: nobody else writes anything about this game meanwhile; None: about any game
        """
        ...

    def reading(self) -> AbstractContextManager[None]:
        """One moment of the log: what others append meanwhile is not seen before the block ends."""
        ...

    def wait(self, seconds: float) -> None:
        """Waits until others may have appended something: so long, or until the database tells of it."""
        ...


def following(
    game: str, drafts: Sequence[Draft], end: tuple[int, bytes] | None, expect: int, at: int
) -> list[tuple[Any, ...]]:
    """The columns of the rows that `drafts` become.

    :param end: number and digest of the game's last row, None where it has none
    :raises Conflict: that is not row `expect`; GameExists: it is there, and a new game was expected
    """
    seq, digest = end or (0, ROOT)
    if seq != expect:
        raise GameExists(game) if expect == 0 else Conflict(game, expect, seq)
    ready: list[tuple[Any, ...]] = []
    for draft in drafts:
        seq += 1
        columns = (game, seq, at, draft.kind, draft.actor, draft.schema, draft.request, draft.data)
        digest = chained(digest, *columns)
        ready.append((*columns, digest))
    return ready


def begins_with(beginning: str) -> tuple[str, tuple[str, ...]]:
    """A condition on `game`, answered by an index, that holds for ids that begin so; and its values."""
    return ("game >= ? and game < ?", (beginning, f"{beginning}\U0010ffff")) if beginning else ("true", ())


class _Quoted(dict[str | None, str]):
    """Texts as JSON, each made once: a log names few kinds and actors."""

    def __missing__(self, text: str | None) -> str:
        self[text] = quoted = json.encode(text).decode()
        return quoted


#: The columns that `as_lines` wants.
LINE = "seq, at, kind, actor, schema, request, data, digest"


def as_lines(game: str, found: Iterable[Sequence[Any]]) -> Iterator[str]:
    """Rows of a game, as the columns of `LINE`, each as one line of JSON."""
    quoted = _Quoted()
    name = quoted[game]
    for seq, at, kind, actor, schema, request, data, digest in found:
        yield (
            f'{{"game":{name},"seq":{seq},"at":{at},"kind":{quoted[kind]},"actor":{quoted[actor]},'
            f'"schema":{schema},"request":{quoted[request]},"data":{data},"digest":"{digest.hex()}"}}'
        )


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
