"""Getting games out of a damaged database into a new one.

The damaged file is only read. Whatever looks like an event in it is collected, and the hash chain tells what
is one: a game is taken from its first event on, as far as each next one is there and as it was written.
"""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import tempfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from itertools import chain
from typing import NamedTuple

from engines.kit.errors import NoSuchSlug
from engines.table import Table
from events.digest import ROOT, chained, seal
from events.errors import Damaged, NoDatabase, NotOurs
from events.model import Row
from events.pages import Listed, found_rows
from events.sqlite import SqliteLog, open_log, uri, written_aside
from projections.position import slug_of
from projections.timeline import Timeline
from replays.importing import copy_game
from replays.verifying import Auditor

_TABLES = """
create table found (game text, seq integer, at integer, kind text, actor text, schema integer, request text,
    data text, digest blob, mark blob, unique (game, seq, mark));
create table listed (game text, slug text, events integer, digest text);
"""
#: The game last touched comes last, as it did in the damaged file.
_GAMES = """
select game from (select game, at from found union all select game, 0 from listed)
group by game order by max(at), game
"""
#: What SQLite raises where it cannot read on; the latter where it quotes a damaged schema.
_UNREADABLE = (sqlite3.Error, UnicodeDecodeError)
#: The types of a row that is one: text, number, bytes, null.
_ROW = re.compile("siissi[sN]sb")
_COLUMNS = "game, seq, at, kind, actor, schema, request, data, digest"


class Recovered(NamedTuple):
    """What became of a game: how many events from its beginning are whole, why no more, whether it was written.

    `why` is empty for a whole game.
    """

    game: str
    slug: str
    events: int
    why: str
    written: bool

    @property
    def whole(self) -> bool:
        """Whether nothing is missing."""
        return not self.why


def recover(
    path: str, into: str, prepare: Callable[[str], None], *, partial: bool, clock: Callable[[], int]
) -> Iterator[Recovered]:
    """Writes all whole games of the file `path` into the new database `into`, and tells of each game in turn.

    The new file is there when the last game has been told of. With `partial` the beginning of a damaged game is
    written too; a note at its end says what is missing.

    :raises NoDatabase: there is no such file; NotOurs: it is none
    :raises Damaged: no event is left in it; Unwritable: `into` cannot be written, or is there already
    """
    if not os.path.exists(path):
        raise NoDatabase(f"there is no file {path}", "`turnlog recover FILE` names the damaged database")
    if not os.path.isfile(path):
        raise NotOurs(f"{path} is no file", "`turnlog recover FILE` names the damaged database")
    with (
        written_aside(into) as new,
        tempfile.TemporaryDirectory() as folder,
        closing(_collected(path, folder)) as found,
    ):
        games = [game for (game,) in found.execute(_GAMES)]
        if not games:
            raise Damaged(path, 0, "no event of any game was found in it", "restore a backup")
        log = open_log(new, prepare, write=True)
        try:
            log.connection.execute("pragma synchronous = off")  # it is synced whole at the end
            for game in games:
                yield _recovered(found, log, game, partial, clock)
        finally:
            log.close()


def _collected(path: str, folder: str) -> sqlite3.Connection:
    """All candidates of a file, in a database of their own."""
    found = sqlite3.connect(os.path.join(folder, "found.db"), isolation_level=None)
    found.executescript(_TABLES)
    found.execute("pragma synchronous = off")
    found.execute("begin")
    try:
        for file in (*_merged(path, folder), path):
            for row in chain(found_rows(file), _read_by_sqlite(file)):
                if isinstance(row, Listed):
                    found.execute("insert into listed values (?, ?, ?, ?)", row)
                else:
                    columns = (row.game, row.seq, row.at, row.kind, row.actor, row.schema, row.request, row.data)
                    mark = seal(row.digest, *(column or "" for column in columns))
                    found.execute(
                        "insert or ignore into found values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                        (*columns, row.digest, mark),
                    )
    except OSError as error:
        found.close()
        raise NotOurs(f"{path} cannot be read: {error.strerror}") from error
    found.execute("commit")
    return found


def _read_by_sqlite(path: str) -> Iterator[Row]:
    """What SQLite itself reads, from both ends up to what it cannot: a damaged name is in its index, too."""
    with suppress(*_UNREADABLE), closing(sqlite3.connect(uri(path, "?mode=ro&immutable=1"), uri=True)) as reading:
        for order in ("game, seq", "game desc, seq desc"):
            with suppress(*_UNREADABLE):
                for columns in reading.execute(f"select {_COLUMNS} from events order by {order}"):
                    if _ROW.match("".join(type(column).__name__[0] for column in columns)):
                        yield Row(*columns)


def _merged(path: str, folder: str) -> Iterator[str]:
    """A copy with what SQLite reads of the write-ahead log in it, to be preferred to what SQLite does not read."""
    wal = f"{path}-wal"
    if not os.path.exists(wal) or not os.path.getsize(wal):
        return
    copy = os.path.join(folder, "merged.db")
    shutil.copyfile(path, copy)
    shutil.copyfile(wal, f"{copy}-wal")
    with suppress(*_UNREADABLE), closing(sqlite3.connect(copy)) as merging:
        merging.execute("pragma wal_checkpoint(truncate)")
        yield copy


def _recovered(
    found: sqlite3.Connection, log: SqliteLog, game: str, partial: bool, clock: Callable[[], int]
) -> Recovered:
    rows, slug, why = _beginning(found, game)
    written = bool(rows) and (partial or not why)
    if written:
        copy_game(log, rows, Timeline())
        if why:
            text = f"Recovered: event {len(rows) + 1} and all after it are lost, since {why}."
            with suppress(NoSuchSlug):
                Table(log, game).note(len(rows), text, now=clock())
    return Recovered(game, slug, len(rows), why, written)


def _beginning(found: sqlite3.Connection, game: str) -> tuple[list[Row], str, str]:
    """The events of a game that are whole, its slug, and why they are not all."""
    rows: list[Row] = []
    slug, auditor = "", None
    try:
        for row in _chain(found, game):
            if not rows:
                slug = slug_of(row)
                with suppress(NoSuchSlug):  # of a game that is not installed only the chain can be held
                    auditor = Auditor(row)
            if auditor is not None:
                auditor.take(row)
            rows.append(row)
        if auditor is not None:
            auditor.report()
    except Damaged as damaged:
        return rows[: damaged.seq - 1], slug, damaged.why
    return rows, slug, ""


def _chain(found: sqlite3.Connection, game: str) -> Iterator[Row]:
    """The rows of a game, each one the next of the chain.

    :raises Damaged: something was there behind the last one
    """
    previous, seq = ROOT, 0
    while True:
        seq += 1
        candidates = found.execute(
            f"select {_COLUMNS} from found where game = ? and seq = ? order by rowid", (game, seq)
        ).fetchall()
        following = (Row(*columns) for columns in candidates if chained(previous, *columns[:-1]) == columns[-1])
        row = next(following, None)
        if row is None:
            break
        previous = row.digest
        yield row
    if candidates:
        raise Damaged(game, seq, "its content does not match its digest")
    if found.execute("select 1 from found where game = ? and seq > ?", (game, seq)).fetchone():
        raise Damaged(game, seq, "it is missing")
    known = found.execute(
        "select max(events) from listed where game = ? and events >= ? and digest <> ?",
        (game, seq, previous.hex().upper()),
    ).fetchone()[0]
    if known is not None:
        raise Damaged(game, seq, f"it is missing: the list of games knows of {known} events")
