"""Is a log what was written, and does it make a game? Snapshots are not asked."""

import re
from typing import Any, NamedTuple

import msgspec
from msgspec import msgpack

from engines.kit.errors import Refusal
from engines.kit.secrecy import Hidden
from engines.registry import game_of
from events.codec import check_seats
from events.digest import fingerprint
from events.errors import Damaged
from events.log import Database, checked
from events.model import CREATED, Event, GameClosed, GameCreated, MoveMade, Noted, Row
from events.pages import wal_fault
from events.sqlite import SqliteLog, header_fault
from projections.fold import fold, packed
from projections.position import first_row, slug_of
from projections.readmodels import difference
from projections.timeline import Timeline
from replays.rulecheck import deal_difference

#: What a reducer, a rule or a board raises at what does not fit the game.
MISFITS = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    AssertionError,
    ArithmeticError,
    MemoryError,
    RecursionError,
    StopIteration,
    msgspec.MsgspecError,
    Hidden,
    Refusal,
)
#: Where a number of a document may have more than 64 bits.
_HUGE = re.compile("[0-9]{19}")
#: A state is kept every so many moves, to go back to.
_SAVED_EVERY = 64
_REBUILD = "`turnlog rebuild` makes the lists anew from the log"


class Report(NamedTuple):
    """A whole game: its events, the moves that stand, whether it is over."""

    game: str
    slug: str
    events: int
    moves: int
    over: bool
    seen_by: str = ""


class Auditor:
    """Takes the rows of one game in order and holds them to everything that can be held.

    :raises Damaged: at the first row that is not right
    """

    def __init__(self, first: Row) -> None:
        self.game = game_of(slug_of(first))
        self._id = first.game
        self.timeline = Timeline()
        #: The state after the last creation or move that was taken.
        self.state: Any = None
        self._kept: list[tuple[int, GameCreated[Any, Any] | MoveMade[Any, Any]]] = []
        #: How many of the kept events there were, and the state after them, encoded.
        self._saved: list[tuple[int, bytes]] = []
        self._created: GameCreated[Any, Any] | None = None
        self._seats = 0
        self._dirty = False

    def take(self, row: Row) -> Event:
        """One more row, whose digest has been checked; gives its event."""
        if row.kind == CREATED and row.seq != 1:
            raise Damaged(row.game, row.seq, "a game is created once")
        event = self.game.projector.codec.decode(row)
        try:
            self.timeline.note(row.kind, row.seq, row.data)
        except (ValueError, msgspec.MsgspecError) as error:
            raise Damaged(row.game, row.seq, str(error)) from error
        if isinstance(event, GameCreated):
            self._seats = len(event.seats)
        check_seats(row, event, self._seats)
        if isinstance(event, GameCreated):
            self._begin(row, event)
        elif isinstance(event, MoveMade):
            self._move(row, event)
        elif isinstance(event, Noted):
            if not 1 <= event.about < row.seq:
                raise Damaged(row.game, row.seq, f"it is about event {event.about}, which was not there")
        elif not isinstance(event, GameClosed):
            self._dirty = True
        return event

    def _begin(self, row: Row, event: GameCreated[Any, Any]) -> None:
        if event.seed and fingerprint(f"{event.salt}/{event.seed}") != event.seed_digest:
            raise Damaged(row.game, row.seq, "its seed is not the one that was promised")
        self._created = event
        self._keep(row, event)

    def _move(self, row: Row, event: MoveMade[Any, Any]) -> None:
        self._keep(row, event)
        try:
            outcome = self.game.rules.outcome(self.state)
        except MISFITS as error:
            raise Damaged(row.game, row.seq, f"its facts make no game ({error!r})") from error
        if outcome != event.outcome:
            raise Damaged(row.game, row.seq, "the outcome it tells is not the one its facts make")

    def _keep(self, row: Row, event: GameCreated[Any, Any] | MoveMade[Any, Any]) -> None:
        try:
            if self._dirty or self.state is None:
                self._go_back()
            fold(self.game.projector.reducers, self.state, event.facts)
        except MISFITS as error:
            raise Damaged(row.game, row.seq, f"its facts do not fit the game before it ({error!r})") from error
        self._kept.append((row.seq, event))
        if _HUGE.search(row.data):
            packed(self.state, row.game, row.seq)  # refuses what no state can hold
        if len(self._kept) % _SAVED_EVERY == 0:
            self._saved.append((len(self._kept), packed(self.state, row.game, row.seq)))

    def _go_back(self) -> None:
        """To the state after the last move that stands."""
        assert self._created is not None
        while self._kept and not self.timeline.stands(self._kept[-1][0]):
            self._kept.pop()
        while self._saved and self._saved[-1][0] > len(self._kept):
            self._saved.pop()
        begun = 0
        if self._saved:
            begun, state = self._saved[-1]
            self.state = msgpack.decode(state, type=self.game.state.State)
        else:
            self.state = self.game.projector.begin(self._created)
        for _, event in self._kept[begun:]:
            fold(self.game.projector.reducers, self.state, event.facts)
        self._dirty = False

    def report(self) -> Report:
        """What was found, after the last row.

        :raises Damaged: the game is over, and its seed does not deal what was dealt
        """
        if self._dirty:
            self._go_back()
        timeline = self.timeline
        over = bool(timeline.closed) or self.game.rules.outcome(self.state) is not None
        if over:
            self._check_deal()
        seen_by = self._created.seen_by if self._created else ""
        return Report("", self.game.slug, timeline.seq, timeline.moves(), over, seen_by)

    def _check_deal(self) -> None:
        """Now that the seed is open: it deals what was dealt, the same rules provided."""
        created = self._created
        assert created is not None
        if created.seen_by or created.rules != self.game.rules_version:
            return
        moves = [(seq, event) for seq, event in self._kept if isinstance(event, MoveMade)]
        found = deal_difference(self.game, created, moves)
        if found is not None:
            why = f"the seed of the game does not deal what was dealt: {found.why}"
            raise Damaged(self._id, found.seq, why)


def verify(log: Database, game_id: str) -> Report:
    """Holds one game to its chain, its types, its fold and the lists.

    :raises Damaged: with the first event that is not what was written
    """
    with log.reading():
        first = first_row(log, game_id)
        auditor: Auditor | None = None
        last = first
        known, digest = next(log.select("select events, digest from games where game = ?", (game_id,)), (0, ""))
        for row in checked(log.rows(game_id)):
            auditor = auditor or Auditor(first)
            auditor.take(row)
            if row.seq == known and row.digest.hex().upper() != digest:
                raise Damaged(game_id, row.seq, "it is not the event that the list of games knows")
            last = row
        assert auditor is not None
        if isinstance(known, int) and known > last.seq:
            raise Damaged(game_id, last.seq + 1, f"it is missing: the list of games knows of {known} events")
        report = auditor.report()._replace(game=game_id)
        differs = difference(log.select, auditor.timeline, first, last)
        if differs is not None:
            raise Damaged(f"the list's entry of game {game_id}", 0, differs, _REBUILD)
        return report


def file_faults(log: Database) -> list[Damaged]:
    """What is wrong with the database besides the games that begin in it; of a server's no pages are read."""
    with log.reading():
        faults: list[Damaged] = []
        if isinstance(log, SqliteLog):
            found = (header_fault(log.path), wal_fault(log.path), *page_faults(log))
            faults += [Damaged(log.path, 0, text) for text in found if text is not None]
            faults += schema_faults(log)
        faults += [Damaged(game, 1, "the game's creation is missing") for game in strays(log)]
        return faults


def strays(log: Database) -> list[str]:
    """Games that have rows, or are listed, but no creation: what is left where a game's name was damaged."""
    return [
        game
        for (game,) in log.select(
            """select game from (
                select game from events union select game from games union select game from results
            ) found
            where game not in (select game from events where seq = 1 and kind = 'game-created') order by game"""
        )
    ]


def schema_faults(log: SqliteLog) -> list[Damaged]:
    """Tables, indexes, triggers, views and migrations of ours that are not there as they were made."""
    from projections.schema import MIGRATIONS, SCHEMA, expected  # which loads sqlite-utils

    parts, migrations = expected()
    found = set(log.select(SCHEMA))
    faults = [
        Damaged(log.path, 0, f"its {kind} {name!r} is not as it was made")
        for kind, name, *_ in sorted(parts - found, key=str)
    ]
    lost = migrations - set(log.select(MIGRATIONS)) if not faults else ()
    return faults + [
        Damaged(log.path, 0, f"it does not know of its migration {name!r}") for _, name in sorted(lost)
    ]


def page_faults(log: SqliteLog) -> list[str]:
    """What SQLite itself finds wrong with the file."""
    found = [text for (text,) in log.select("pragma integrity_check(10)")]
    return [] if found == ["ok"] else found
