"""The log in an SQLite file.

Durable: WAL with `synchronous=FULL`, each append one `BEGIN IMMEDIATE`. Guarded: triggers refuse any
change, and their presence is checked at every open. Reads open the file read-only and work in a
read-only folder. The raw connection carries appends and reads, so that starting up stays cheap.
"""

from __future__ import annotations

import os
import sqlite3
import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing, contextmanager
from typing import Any

from events.errors import (
    Busy,
    Conflict,
    Damaged,
    NoDatabase,
    NotOurs,
    RequestReused,
    Unwritable,
)
from events.files import beginning
from events.log import COLUMNS, LINE, MOST, Inside, as_lines, begins_with, following
from events.model import CREATED, Draft, Row

#: "turn" in ASCII, in the file's header.
APPLICATION_ID = 0x7475726E
#: The schema of the file, read models included; raised with each migration.
VERSION = 3

TABLE = """create table events (
    game text not null,
    seq integer not null,
    at integer not null,
    kind text not null,
    actor text not null,
    schema integer not null,
    request text,
    data text not null,
    digest blob not null,
    unique (game, seq)
) strict"""

TRIGGERS = {
    "events_keep": "create trigger events_keep before update on events "
    "begin select raise(abort, 'an event is never changed'); end",
    "events_stay": "create trigger events_stay before delete on events "
    "begin select raise(abort, 'an event is never taken away'); end",
    "events_next": "create trigger events_next before insert on events "
    "when new.seq is not (select coalesce(max(seq), 0) + 1 from events where game = new.game) "
    "begin select raise(abort, 'an event takes the next seq of its game'); end",
}

_INSERT = f"insert into events ({COLUMNS}) values (?, ?, ?, ?, ?, ?, ?, ?, ?)"
#: So long anybody waits for other processes, at most.
_BUSY_MS = 15_000
#: A waiting writer asks again after a random time of at most so many milliseconds: the first at the beginning,
#: less and less the longer it waits, down to the second. SQLite's own handler asks less often with time, down to
#: ten times a second, so that whoever had waited long hardly ever met the log free: a hot writer starved it.
_ASK_MS = (8, 0.5)
#: After so many milliseconds it asks twice as often as at the beginning.
_HALF_MS = 25
#: What SQLite says where a page of the file is not there, or the disk does not give it.
_UNREADABLE = ("SQLITE_IOERR_READ", "SQLITE_IOERR_SHORT_READ", "SQLITE_IOERR_CORRUPTFS", "SQLITE_IOERR_DATA")

#: Makes a new or older file ready: handed its path.
Prepare = Callable[[str], None]


@contextmanager
def in_words(path: str) -> Generator[None]:
    """SQLite's complaints as errors of ours."""
    try:
        yield
    except (sqlite3.Error, UnicodeDecodeError) as error:  # the latter where SQLite quotes a damaged schema
        text = str(error)
        if "locked" in text or "busy" in text:
            raise Busy(path) from error
        if "readonly" in text or "unable to open" in text:
            fault = header_fault(path)
            if fault is not None:
                raise Damaged(path, 0, fault) from error
            raise Unwritable(f"{path} cannot be opened or written here: {text}") from error
        name = str(getattr(error, "sqlite_errorname", ""))
        if name == "SQLITE_FULL":
            raise Unwritable(f"{path} could not be written: {text}; nothing was written") from error
        if name.startswith("SQLITE_IOERR") and name not in _UNREADABLE:
            raise Unwritable(
                f"{path} could not be written: {text}; what was to be written is there whole or not at all",
                "see to the disk and look with `turnlog log`; said again with its --request, it is done once",
            ) from error
        raise Damaged(path, 0, text) from error


class SqliteLog:
    """A `Database` in an SQLite file. Made by `open_log`."""

    #: A file is not lost.
    lost = False

    def __init__(self, path: str, connection: sqlite3.Connection) -> None:
        self.path = path
        self.connection = connection

    def close(self) -> None:
        """Closes the file. What was appended is durable already."""
        self.connection.close()

    def _begin(self) -> None:
        """Begins a transaction that writes, as soon as no other process has one."""
        connection = self.connection
        connection.execute("pragma busy_timeout = 0")
        try:
            waited = 0.0  # what was slept: no clock is read
            while True:
                try:
                    connection.execute("begin immediate")
                    return
                except sqlite3.OperationalError as error:
                    if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or waited >= _BUSY_MS:
                        raise
                most, least = _ASK_MS
                pause = max(least, most / (1 + waited / _HALF_MS)) * (1 + os.urandom(1)[0]) / 256
                time.sleep(pause / 1000)
                waited += pause
        finally:
            connection.execute(f"pragma busy_timeout = {_BUSY_MS}")

    def append(
        self, game: str, drafts: Sequence[Draft], *, expect: int, at: int, inside: Inside | None = None
    ) -> list[Row]:
        """See `EventLog.append`."""
        connection = self.connection
        with in_words(self.path):
            self._begin()
            try:
                rows = self._written(game, drafts, expect, at)
                if inside is not None:
                    inside(connection, rows)
                connection.execute("commit")
            except sqlite3.IntegrityError as error:
                if "unique" in str(error).lower():  # a request id, seen by another process just now
                    asked = drafts[0].request or ""
                    other = self.asked(asked, game) or self.asked(asked, None)
                    raise RequestReused(
                        asked, other.game if other else game, other.seq if other else expect
                    ) from error
                raise
            finally:
                if connection.in_transaction:
                    connection.execute("rollback")
        return rows

    def append_new(self, games: Sequence[tuple[str, Sequence[Draft]]], *, at: int, inside: Inside) -> None:
        """See `Database.append_new`."""
        with self.writing() as connection:
            for game, drafts in games:
                inside(connection, self._written(game, drafts, 0, at))

    def _written(self, game: str, drafts: Sequence[Draft], expect: int, at: int) -> list[Row]:
        last = self.connection.execute(
            "select seq, digest from events where game = ? order by seq desc limit 1", (game,)
        ).fetchone()
        ready = following(game, drafts, last, expect, at)
        self.connection.executemany(_INSERT, ready)
        return [Row(*columns) for columns in ready]

    def copy(self, rows: Sequence[Row], inside: Inside | None = None) -> None:
        """See `Database.copy`."""
        first = rows[0]
        with in_words(self.path):
            self._begin()
            try:
                last = self.last(first.game)
                if last + 1 != first.seq:
                    raise Conflict(first.game, first.seq - 1, last)
                self.connection.executemany(
                    _INSERT,
                    ((r.game, r.seq, r.at, r.kind, r.actor, r.schema, r.request, r.data, r.digest) for r in rows),
                )
                if inside is not None:
                    inside(self.connection, rows)
                self.connection.execute("commit")
            except sqlite3.IntegrityError as error:
                if first.request is not None and "events.request" in str(error):
                    raise RequestReused(first.request, first.game, first.seq) from error
                raise
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("rollback")

    def rows(self, game: str, after: int = 0, upto: int | None = None) -> Iterator[Row]:
        """See `EventLog.rows`."""
        with in_words(self.path):
            try:
                for columns in self.connection.execute(
                    f"select {COLUMNS} from events where game = ? and seq > ? and seq <= ? order by seq",
                    (game, after, MOST if upto is None else min(upto, MOST)),
                ):
                    after = columns[1]
                    yield Row(*columns)
            except sqlite3.OperationalError as error:
                if "UTF-8" not in str(error):
                    raise
                raise Damaged(game, after + 1, "it is no text in UTF-8") from error

    def row(self, game: str, seq: int) -> Row | None:
        """See `Database.row`."""
        return next(self.rows(game, min(seq, MOST) - 1, seq), None)

    def select(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Any]:
        """See `Database.select`."""
        with in_words(self.path):
            yield from self.connection.execute(sql, parameters)

    @contextmanager
    def writing(self, game: str | None = None) -> Generator[sqlite3.Connection]:
        """See `Database.writing`; nobody else writes anything meanwhile, whatever `game` is."""
        with in_words(self.path):
            self._begin()
            try:
                yield self.connection
                self.connection.execute("commit")
            finally:
                if self.connection.in_transaction:
                    self.connection.execute("rollback")

    def lines(self, game: str) -> Iterator[str]:
        """See `Database.lines`."""
        with in_words(self.path):
            found = self.connection.execute(f"select {LINE} from events where game = ? order by seq", (game,))
            yield from as_lines(game, found)

    def last(self, game: str) -> int:
        """See `EventLog.last`."""
        with in_words(self.path):
            return self.connection.execute(
                "select coalesce(max(seq), 0) from events where game = ?", (game,)
            ).fetchone()[0]

    def asked(self, request: str, game: str | None) -> Row | None:
        """See `EventLog.asked`."""
        where = "game = ? and request = ?" if game is not None else "request = ? and seq = 1"
        with in_words(self.path):
            found = self.connection.execute(
                f"select {COLUMNS} from events where {where}",
                (game, request) if game is not None else (request,),
            ).fetchone()
            return Row(*found) if found else None

    def games(self, beginning: str = "", most: int | None = None) -> list[str]:
        """See `EventLog.games`."""
        begins, bounds = begins_with(beginning)
        return [
            game
            for (game,) in self.select(
                f"select game from events where seq = 1 and kind = ? and {begins} order by game limit ?",
                (CREATED, *bounds, -1 if most is None else most),
            )
        ]

    @contextmanager
    def reading(self) -> Generator[None]:
        """See `Database.reading`."""
        if self.connection.in_transaction:
            yield
            return
        with in_words(self.path):
            self.connection.execute("begin")
        try:
            yield
        finally:
            if self.connection.in_transaction:  # SQLite ends it itself when it cannot read on
                self.connection.execute("rollback")

    def wait(self, seconds: float) -> None:
        """See `Database.wait`: SQLite tells nobody, so it is so long."""
        time.sleep(seconds)

    def copy_to(self, path: str, held: Callable[[], None] = lambda: None) -> None:
        """A copy of the whole file at `path`, consistent even while others append.

        :param held: called at the moment that is copied; what it raises leaves no copy
        :raises Unwritable: something is there already, or it cannot be written
        """
        with written_aside(path) as aside, self.reading(), in_words(path):
            held()
            target = sqlite3.connect(aside)
            try:
                self.connection.backup(target)
                target.execute("pragma journal_mode = delete")
            finally:
                target.close()

    def latest(self) -> str | None:
        """See `EventLog.latest`."""
        with in_words(self.path):
            found = self.connection.execute("select game from events order by rowid desc limit 1").fetchone()
            return found[0] if found else None


@contextmanager
def written_aside(path: str) -> Generator[str]:
    """A place to write a new file at; it is synced and named `path` when the block ends, unless that failed.

    :raises Unwritable: something is at `path` already, or it cannot be written
    """
    if os.path.lexists(path):
        raise Unwritable(f"{path} exists already: nothing was written", "name a file that is not there yet")
    import tempfile  # not on the way of a `play`

    folder, name = os.path.split(os.path.abspath(path))
    try:
        with tempfile.TemporaryDirectory(prefix=".turnlog-", dir=folder) as place:
            aside = os.path.join(place, name)
            yield aside
            _synced(aside)
            open(path, "x").close()  # nothing that came meanwhile is overwritten
            os.replace(aside, path)
        if hasattr(os, "O_DIRECTORY"):
            _synced(folder)
    except FileExistsError as error:
        raise Unwritable(f"{path} exists already: nothing was written", "name another file") from error
    except OSError as error:
        raise Unwritable(f"{path!r} cannot be written: {error.strerror}") from error


def _synced(path: str) -> None:
    file = os.open(path, os.O_RDONLY)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def open_log(path: str, prepare: Prepare, *, write: bool) -> SqliteLog:
    """Opens the log in the file `path`; to write, the file is made or brought up to date first.

    :raises NoDatabase: (to read) there is none, or nothing in it; NotOurs: another program's, or a newer turnlog's
    :raises Damaged: no database, or its guards are gone
    :raises Unwritable: the place cannot be read or written
    """
    if os.path.isdir(path):
        raise NotOurs(f"{path} is a folder, no database", "--db or TURNLOG_DB names a file")
    with in_words(path):
        if write:
            return _open_to_write(path, prepare)
        if not os.path.exists(path):
            raise NoDatabase(
                f"there is no database at {path}",
                "`turnlog create` makes one; --db or TURNLOG_DB names another place",
            )
        connection = _open_to_read(path)
        try:
            version = _version(connection, path)
            if version == VERSION:
                _check_guards(connection, path)
                return SqliteLog(path, connection)
        except BaseException:
            connection.close()
            raise
        connection.close()
        if version == 0:
            raise NoDatabase(f"{path} holds no games yet", "`turnlog create` starts one")
        return _open_to_write(path, prepare)


def _open_to_write(path: str, prepare: Prepare) -> SqliteLog:
    if not os.path.exists(path):
        folder = os.path.dirname(os.path.abspath(path))
        try:
            os.makedirs(folder, exist_ok=True)
        except OSError as error:
            raise Unwritable(f"the folder {folder} cannot be made: {error.strerror}") from error
    elif not os.access(path, os.W_OK):
        raise Unwritable(f"{path} cannot be written here", "reading commands still work on it")
    elif not _marked(path):
        # Closing a writing connection would empty another program's write-ahead log into its file.
        connection = _open_to_read(path)
        try:
            _version(connection, path)
        finally:
            connection.close()
    connection = _connected(path)
    try:
        version = _version(connection, path)
        if version != VERSION:
            connection.close()
            prepare(path)
            connection = _connected(path)
        connection.execute("pragma journal_mode = wal")  # what `copy_to` made is not
        connection.execute("pragma synchronous = full")
        _check_guards(connection, path)
    except BaseException:
        connection.close()
        raise
    return SqliteLog(path, connection)


def uri(path: str, query: str = "") -> str:
    """A path as an SQLite URI; urllib would cost every command its import."""
    return f"file:{path.replace('%', '%25').replace('?', '%3f').replace('#', '%23')}{query}"


def header_fault(path: str) -> str | None:
    """What is wrong with the header of a database where SQLite itself only takes the file for read-only."""
    found = max(beginning(path, 100)[18:20], default=0)
    return f"its header has the file format {found}, not 1 or 2" if found > 2 else None


def _marked(path: str) -> bool:
    """Whether the header of the file says that it is a log of today's schema."""
    header = beginning(path, 100)
    return header[60:64] == VERSION.to_bytes(4, "big") and header[68:72] == APPLICATION_ID.to_bytes(4, "big")


def _connected(path: str, query: str = "") -> sqlite3.Connection:
    connection = sqlite3.connect(uri(path, query), uri=True, isolation_level=None)
    connection.execute(f"pragma busy_timeout = {_BUSY_MS}")
    return connection


def _open_to_read(path: str) -> sqlite3.Connection:
    """A read-only connection, also where the folder is read-only and SQLite cannot make its WAL files."""
    if os.path.exists(f"{path}-journal") and os.access(path, os.W_OK):
        with closing(_connected(path)) as writing:  # rolls back what stopped half-way while the file was made
            writing.execute("select 1 from sqlite_schema").fetchone()
    connection = _connected(path, "?mode=ro")
    try:
        connection.execute("select 1 from sqlite_schema").fetchone()
    except sqlite3.OperationalError:
        connection.close()
        wal = path + "-wal"
        if os.path.exists(wal) and os.path.getsize(wal):
            raise
        return _connected(path, "?mode=ro&immutable=1")
    return connection


def _version(connection: sqlite3.Connection, path: str) -> int:
    """The schema version of the file: 0 for an empty one.

    :raises NotOurs: another program's file, or a newer turnlog's
    """
    application: int = connection.execute("pragma application_id").fetchone()[0]
    version: int = connection.execute("pragma user_version").fetchone()[0]
    if application == 0 and version == 0:
        tables: int = connection.execute("select count(*) from sqlite_schema").fetchone()[0]
        if not tables:
            return 0
    if version and application != APPLICATION_ID and _guards(connection).keys() >= TRIGGERS.keys():
        raise Damaged(path, 0, f"its header has the application id {application}, not {APPLICATION_ID}")
    if not version and application == APPLICATION_ID:
        raise Damaged(path, 0, "its header has no version of its tables")
    if application != APPLICATION_ID:
        raise NotOurs(
            f"{path} is an SQLite file of another program: it was left as it is",
            "--db or TURNLOG_DB names a file of turnlog's own",
        )
    if version > VERSION:
        raise NotOurs(
            f"{path} was written by a newer turnlog (schema {version}, this one knows {VERSION}): "
            "it was left as it is",
            "install the newer turnlog",
        )
    return version


def _guards(connection: sqlite3.Connection) -> dict[str, Any]:
    return dict(
        connection.execute(
            "select name, sql from sqlite_schema where type = 'trigger' and tbl_name = 'events'"
        ).fetchall()
    )


def _check_guards(connection: sqlite3.Connection, path: str) -> None:
    found = _guards(connection)
    for name, sql in TRIGGERS.items():
        if str(found.get(name, "")).lower() != sql:
            raise Damaged(path, 0, f"the guard {name!r} of its events is gone, so they may have been changed")
