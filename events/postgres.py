"""The log in a PostgreSQL database, which any number of processes and machines share.

Everything of ours is in a schema of its own, `turnlog`. Whoever writes about a game holds that game's lock until
the transaction ends, so that writers of one game come one after another and those of others are not kept waiting.
Guarded as in SQLite: triggers refuse any change, and their presence is checked at every open. An append tells in
its own transaction, by NOTIFY, how far its game has come.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import Any, NamedTuple

import psycopg
from psycopg import errors
from psycopg.conninfo import conninfo_to_dict
from psycopg.pq import TransactionStatus

from events.errors import (
    BadAddress,
    Busy,
    Conflict,
    Damaged,
    Denied,
    InDoubt,
    LogError,
    NoDatabase,
    NotOurs,
    RequestReused,
    Unreachable,
    Unwritable,
)
from events.log import COLUMNS, LINE, MOST, Inside, as_lines, begins_with, following
from events.model import CREATED, Draft, Row

#: The schema of the database, read models included.
VERSION = 1
#: The channel on which appends are told of.
CHANNEL = "turnlog"

Connection = psycopg.Connection[tuple[Any, ...]]

#: Names are compared as in SQLite: byte by byte.
TABLE = """
create table about (version integer not null);
create table events (
    place bigint generated always as identity,
    game text collate "C" not null,
    seq bigint not null,
    at bigint not null,
    kind text collate "C" not null,
    actor text collate "C" not null,
    schema bigint not null,
    request text collate "C",
    data text collate "C" not null,
    digest bytea not null,
    unique (game, seq)
);
create index events_place on events (place);
create index events_first on events (game) where seq = 1;
create unique index events_request on events (game, request) where request is not null;
create unique index events_creation on events (request) where request is not null and seq = 1;
create view v_games as select c.game, c.data::json ->> 'slug' as slug, c.data::json ->> 'seats' as seats,
    c.data::json ->> 'options' as options, c.data::json ->> 'undo' as undo,
    to_timestamp(c.at / 1000000.0) as created,
    (select count(*) from events e where e.game = c.game) as events,
    (select to_timestamp(max(e.at) / 1000000.0) from events e where e.game = c.game) as touched
from events c where c.seq = 1;
"""


class _Guard(NamedTuple):
    """A trigger on `events`: when it fires (as PostgreSQL numbers it), and what its function does."""

    when: str
    type: int
    body: str


def _refusing(what: str) -> str:
    return f"begin raise exception 'an event is {what}'; end"


GUARDS = {
    "events_keep": _Guard("before update on events for each row", 19, _refusing("never changed")),
    "events_stay": _Guard("before delete on events for each row", 11, _refusing("never taken away")),
    "events_whole": _Guard("before truncate on events for each statement", 34, _refusing("never taken away")),
    "events_next": _Guard(
        "before insert on events for each row",
        7,
        """begin
    if new.seq is distinct from
        (select coalesce(max(seq), 0) + 1 from turnlog.events where game = new.game collate "C")
    then raise exception 'an event takes the next seq of its game'; end if;
    return new;
end""",
    ),
}

#: What the locks of ours are numbered with: "turn" in ASCII, so that no other program's are meant.
_LOCKS = 0x7475726E
_LOCK_ALL = b"select pg_advisory_xact_lock(%s, 0)"
_LOCK_GAME = b"select pg_advisory_xact_lock_shared(%s, 0), pg_advisory_xact_lock(hashtextextended(%s, %s))"
#: So long anybody waits for other writers, at most; so long a writer may be silent before it loses its locks.
_WRITING = b"""set search_path to turnlog, pg_catalog;
set lock_timeout to '15s';
set idle_in_transaction_session_timeout to '60s';
select set_config('synchronous_commit', 'on', false)
    where current_setting('synchronous_commit') in ('off', 'local');"""
_READING = b"set search_path to turnlog, pg_catalog; set default_transaction_read_only to on;"
_INSERT = f"insert into events ({COLUMNS}) values (%s, %s, %s, %s, %s, %s, %s, %s, %s)".encode()
#: A game's id is told in a notification up to so many bytes, of the 8,000 that one may have.
_LONGEST_TOLD = 1_000
#: A connection that only listens is tried to be had again after so many seconds.
_AGAIN = 1.0
#: Nothing is waited for longer than this before it is looked for.
_PATIENCE = 30.0

#: Of the connection; those of the address come first.
_DEFAULTS = {
    "connect_timeout": "10",
    "application_name": "turnlog",
    "keepalives_idle": "30",
    "keepalives_interval": "10",
    "keepalives_count": "3",
}

#: The classes of SQLSTATE where there is no room, and where the connection is gone: closed, stopped, timed out.
_FULL = ("53", "54", "58")
_GONE = ("08", "57P", "25P")
#: What others hold up, for too long.
_HELD_UP = (errors.LockNotAvailable, errors.DeadlockDetected, errors.SerializationFailure, errors.QueryCanceled)

_HINT_ADDRESS = (
    "it is written postgresql://USER:PASSWORD@HOST:PORT/DATABASE, and letters of a password such as @ : / ? # % "
    "as %40 %3A %2F %3F %23 %25"
)


class _Address(NamedTuple):
    """What to connect with, and the same as anybody may be told: without a password."""

    parameters: dict[str, Any]
    shown: str


def _understood(url: str) -> _Address:
    """:raises BadAddress: it is none; what it says is not told, since a password may be in it"""
    try:
        said: dict[str, Any] = conninfo_to_dict(url)
    except (psycopg.Error, UnicodeError):
        raise BadAddress("the address of the database cannot be understood", _HINT_ADDRESS) from None
    host, port, user, name = (str(said.get(key) or "") for key in ("host", "port", "user", "dbname"))
    # Where a password holds a letter that it may not, a part of it is taken for one of these.
    if "@" in host + name or not all(one.isdecimal() for one in port.split(",") if one):
        raise BadAddress("the address of the database cannot be understood", _HINT_ADDRESS)
    at = f"{user}@" if user else ""
    place = "" if host.startswith("/") else f"{host}:{port}" if port else host
    shown = f"postgresql://{at}{place}/{name}" + (f"?host={host}" if host.startswith("/") else "")
    return _Address({**_DEFAULTS, **said, "client_encoding": "utf8"}, shown)


def shown(url: str) -> str:
    """The address of a database as anybody may be told: without a password.

    :raises BadAddress: it is none
    """
    return _understood(url).shown


@contextmanager
def in_words(shown: str) -> Generator[None]:
    """PostgreSQL's complaints as errors of ours."""
    try:
        yield
    except psycopg.Error as error:
        raise _said(shown, error) from error


def _said(shown: str, error: psycopg.Error) -> LogError:
    text = error.diag.message_primary or str(error).strip().partition("\n")[0]
    code = error.sqlstate or ""
    if isinstance(error, _HELD_UP):
        return Busy(shown)
    if isinstance(error, errors.ReadOnlySqlTransaction):
        return Unwritable(f"{shown} cannot be written here: {text}")
    if isinstance(error, errors.InsufficientPrivilege):
        return Denied(f"{shown} does not let this user do that: {text}", "its owner grants the right")
    if code.startswith(_FULL):
        return Unwritable(f"{shown} could not be written: {text}; nothing was written")
    if not code and isinstance(error, psycopg.DataError):
        return Unwritable(f"{shown} cannot hold this: {text}", "leave that character out")
    if code.startswith(_GONE) or (not code and isinstance(error, psycopg.OperationalError)):
        return Unreachable(f"the connection to {shown} was lost ({text}): nothing was written", "say it again")
    return Damaged(shown, 0, text, "restore a dump, or look at the server's own log")


def _not_connected(address: _Address, error: psycopg.Error) -> LogError:
    text = str(error).strip().rpartition("FATAL: ")[2].strip().partition("\n")[0]
    if "database" in text and "does not exist" in text:
        return Unreachable(f"there is no database at {address.shown}: {text}", "`createdb` makes one")
    if any(word in text for word in ("authentication", "password", "pg_hba", "does not exist", "permission")):
        return Denied(
            f"{address.shown} does not let this user in: {text}",
            "the password is in the address, in PGPASSWORD or in ~/.pgpass",
        )
    return Unreachable(f"{address.shown} cannot be reached: {text}", "is the server running there?")


#: Statements as psycopg wants them; they are few, and asked often.
_BOUND: dict[str, bytes] = {}


def _bound(statement: str) -> bytes:
    found = _BOUND.get(statement)
    if found is None:
        found = _BOUND[statement] = statement.replace("%", "%%").replace("?", "%s").encode()
    return found


class _Transaction(NamedTuple):
    """What projections write in."""

    connection: Connection

    def execute(self, sql: str, parameters: Sequence[Any] = (), /) -> psycopg.Cursor[tuple[Any, ...]]:
        """See `Store`."""
        return self.connection.execute(_bound(sql), parameters)


class PostgresLog:
    """A `Database` in PostgreSQL. Made by `open_log`.

    :param path: its address, as anybody may be told
    """

    def __init__(self, path: str, connection: Connection) -> None:
        self.path = path
        self.connection = connection
        self._listens = False

    @property
    def lost(self) -> bool:
        """See `Database.lost`."""
        return self.connection.closed

    def close(self) -> None:
        """Closes the connection. What was appended is durable already."""
        self.connection.close()

    @contextmanager
    def _writing(self, *games: str | None) -> Generator[_Transaction]:
        """A transaction that nobody else writes about these games in; None stands for all there are."""
        connection = self.connection
        try:
            connection.execute(b"begin isolation level read committed")
            for game in games:
                if game is None:
                    connection.execute(_LOCK_ALL, (_LOCKS,))
                else:
                    connection.execute(_LOCK_GAME, (_LOCKS, game, _LOCKS))
            yield _Transaction(connection)
            self._commit()
        finally:
            self._roll_back()

    def _commit(self) -> None:
        try:
            self.connection.execute(b"commit")
        except psycopg.OperationalError as error:
            raise InDoubt(
                f"the connection to {self.path} was lost at the end: what was asked is done wholly or not at all",
                "look with `turnlog log`; said again with its --request, it is done once",
            ) from error

    def _roll_back(self) -> None:
        if self.connection.info.transaction_status not in (TransactionStatus.IDLE, TransactionStatus.UNKNOWN):
            with suppress(psycopg.Error):  # then the server does it
                self.connection.execute(b"rollback")

    @contextmanager
    def _appending(self, game: str, request: str | None, expect: int) -> Generator[_Transaction]:
        with in_words(self.path):
            try:
                with self._writing(game) as store:
                    yield store
            except errors.UniqueViolation as error:  # a request id, seen by another process just now
                asked = request or ""
                other = self.asked(asked, game) or self.asked(asked, None)
                raise RequestReused(
                    asked, other.game if other else game, other.seq if other else expect
                ) from error

    def append(
        self, game: str, drafts: Sequence[Draft], *, expect: int, at: int, inside: Inside | None = None
    ) -> list[Row]:
        """See `EventLog.append`."""
        with self._appending(game, drafts[0].request, expect) as store:
            rows = self._written(game, drafts, expect, at)
            if inside is not None:
                inside(store, rows)
        return rows

    def append_new(self, games: Sequence[tuple[str, Sequence[Draft]]], *, at: int, inside: Inside) -> None:
        """See `Database.append_new`."""
        with in_words(self.path), self._writing(*sorted(game for game, _ in games)) as store:
            for game, drafts in games:
                inside(store, self._written(game, drafts, 0, at))

    def copy(self, rows: Sequence[Row], inside: Inside | None = None) -> None:
        """See `Database.copy`."""
        first = rows[0]
        with self._appending(first.game, first.request, first.seq) as store:
            last = self.last(first.game)
            if last + 1 != first.seq:
                raise Conflict(first.game, first.seq - 1, last)
            self._insert(
                [(r.game, r.seq, r.at, r.kind, r.actor, r.schema, r.request, r.data, r.digest) for r in rows]
            )
            if inside is not None:
                inside(store, rows)

    def _written(self, game: str, drafts: Sequence[Draft], expect: int, at: int) -> list[Row]:
        found = self.select("select seq, digest from events where game = ? order by seq desc limit 1", (game,))
        ready = following(game, drafts, next(found, None), expect, at)
        self._insert(ready)
        return [Row(*columns) for columns in ready]

    def _insert(self, ready: Sequence[tuple[Any, ...]]) -> None:
        """Writes rows of a game, and tells of them when they are committed."""
        with self.connection.cursor() as cursor:
            cursor.executemany(_INSERT, ready)
        game, seq = ready[-1][:2]
        told = f"{seq} {game}" if len(game.encode()) <= _LONGEST_TOLD else ""
        self.connection.execute(b"select pg_notify(%s, %s)", (CHANNEL, told))

    def rows(self, game: str, after: int = 0, upto: int | None = None) -> Iterator[Row]:
        """See `EventLog.rows`."""
        for columns in self.select(
            f"select {COLUMNS} from events where game = ? and seq > ? and seq <= ? order by seq",
            (game, after, MOST if upto is None else min(upto, MOST)),
        ):
            yield Row(*columns)

    def row(self, game: str, seq: int) -> Row | None:
        """See `Database.row`."""
        return next(self.rows(game, min(seq, MOST) - 1, seq), None)

    def select(self, sql: str, parameters: Sequence[Any] = ()) -> Iterator[Any]:
        """See `Database.select`."""
        if any(isinstance(one, str) and "\0" in one for one in parameters):
            return  # PostgreSQL has no such character, so that nothing is called so
        with in_words(self.path):
            yield from self.connection.execute(_bound(sql), parameters)

    @contextmanager
    def writing(self, game: str | None = None) -> Generator[_Transaction]:
        """See `Database.writing`."""
        with in_words(self.path), self._writing(game) as store:
            yield store

    def lines(self, game: str) -> Iterator[str]:
        """See `Database.lines`."""
        return as_lines(game, self.select(f"select {LINE} from events where game = ? order by seq", (game,)))

    def last(self, game: str) -> int:
        """See `EventLog.last`."""
        return next(self.select("select coalesce(max(seq), 0) from events where game = ?", (game,)), (0,))[0]

    def asked(self, request: str, game: str | None) -> Row | None:
        """See `EventLog.asked`."""
        where, values = ("request = ? and seq = 1", (request,))
        if game is not None:
            where, values = ("game = ? and request = ?", (game, request))
        found = next(self.select(f"select {COLUMNS} from events where {where}", values), None)
        return Row(*found) if found else None

    def games(self, beginning: str = "", most: int | None = None) -> list[str]:
        """See `EventLog.games`."""
        begins, bounds = begins_with(beginning)
        found = self.select(
            f"select game from events where seq = 1 and kind = ? and {begins} order by game limit ?",
            (CREATED, *bounds, most),
        )
        return [game for (game,) in found]

    @contextmanager
    def reading(self) -> Generator[None]:
        """See `Database.reading`."""
        if self.connection.info.transaction_status == TransactionStatus.INTRANS:
            yield
            return
        with in_words(self.path):
            self.connection.execute(b"begin isolation level repeatable read read only")
        try:
            yield
        finally:
            self._roll_back()

    def latest(self) -> str | None:
        """See `EventLog.latest`."""
        return next(self.select("select game from events order by place desc limit 1"), (None,))[0]

    def wait(self, seconds: float) -> None:
        """See `Database.wait`: PostgreSQL tells of it, so that `seconds` do not matter."""
        with in_words(self.path):
            if self._listens:
                for _ in self.connection.notifies(timeout=_PATIENCE, stop_after=1):
                    pass
            else:  # what came before is looked for at once
                self.connection.execute(_LISTEN)
                self._listens = True


_LISTEN = f"listen {CHANNEL}".encode()


async def appended(url: str) -> AsyncGenerator[tuple[str, int] | None]:
    """Tells of appends for ever: the game and its last event; None where it may be any, as after each connecting.

    :raises BadAddress: the address is none
    """
    address = _understood(url)
    while True:
        with suppress(psycopg.Error):
            async with await psycopg.AsyncConnection.connect(autocommit=True, **address.parameters) as connection:
                await connection.execute(_LISTEN)
                yield None
                async for notice in connection.notifies():
                    seq, _, game = notice.payload.partition(" ")
                    yield (game, int(seq)) if seq.isdecimal() else None
        await asyncio.sleep(_AGAIN)


# opening ----------------------------------------------------------------------------------------------


def open_log(url: str, tables: Callable[[], str], *, write: bool) -> PostgresLog:
    """Opens the log in a database of a server; to write, its tables are made first if there are none.

    :param tables: gives those of other layers, as SQL
    :raises BadAddress: the address is none; Denied: the server does not let us in
    :raises Unreachable: there is no server, or no such database; NoDatabase: (to read) nothing of ours is in it
    :raises NotOurs: what is there is another program's, or a newer turnlog's; Damaged: its guards are gone
    """
    address = _understood(url)
    try:
        connection = psycopg.connect(autocommit=True, **address.parameters)
    except psycopg.Error as error:
        raise _not_connected(address, error) from None
    try:
        with in_words(address.shown):
            connection.execute(_WRITING if write else _READING)
            if not _version(connection, address.shown):
                if not write:
                    raise NoDatabase(f"{address.shown} holds no games yet", "`turnlog create` starts one")
                _prepare(connection, address.shown, tables())
            _check_guards(connection, address.shown)
    except BaseException:
        connection.close()
        raise
    return PostgresLog(address.shown, connection)


def _version(connection: Connection, shown: str) -> int:
    """The schema version of the database: 0 if there is nothing of ours in it.

    :raises NotOurs: another program's schema is called as ours is, or it is a newer turnlog's
    """
    if connection.info.parameter_status("server_encoding") != "UTF8":
        raise NotOurs(
            f"{shown} is not in UTF-8", "`createdb --encoding UTF8 --template template0` makes one that is"
        )
    ours, any_there = connection.execute(
        b"select to_regclass('turnlog.about') is not null, exists (select 1 from pg_class c "
        b"join pg_namespace n on n.oid = c.relnamespace where n.nspname = 'turnlog')"
    ).fetchone() or (False, False)
    if not ours and any_there:
        raise NotOurs(
            f"the schema turnlog of {shown} is another program's: it was left as it is", "name another database"
        )
    if not ours:
        return 0
    (version,) = connection.execute(b"select max(version) from about").fetchone() or (None,)
    if not version:
        raise Damaged(shown, 0, "it does not say which version its tables are")
    if version > VERSION:
        raise NotOurs(
            f"{shown} was written by a newer turnlog (schema {version}, this one knows {VERSION}): "
            "it was left as it is",
            "install the newer turnlog",
        )
    return version


def _prepare(connection: Connection, shown: str, tables: str) -> None:
    """Makes the tables; where several processes start at once, one of them does."""
    with connection.transaction():
        connection.execute(_LOCK_ALL, (_LOCKS,))
        if _version(connection, shown):
            return
        if connection.execute(b"select to_regnamespace('turnlog')").fetchone() == (None,):
            connection.execute(b"create schema turnlog")
        guards = "".join(
            f"create function {name}() returns trigger language plpgsql as $${guard.body}$$;"
            f"create trigger {name} {guard.when} execute function {name}();"
            f"alter table events enable always trigger {name};"
            for name, guard in GUARDS.items()
        )
        connection.execute(f"{TABLE}{guards}{tables}insert into about values ({VERSION});".encode())


def _check_guards(connection: Connection, shown: str) -> None:
    found = {
        name: tuple(rest)
        for name, *rest in connection.execute(
            b"select t.tgname, t.tgtype, t.tgenabled::text, t.tgqual is null and t.tgattr::text = '', p.prosrc "
            b"from pg_trigger t join pg_proc p on p.oid = t.tgfoid "
            b"where t.tgrelid = to_regclass('turnlog.events') and not t.tgisinternal"
        )
    }
    for name, guard in GUARDS.items():
        if found.get(name) != (guard.type, "A", True, guard.body):
            raise Damaged(shown, 0, f"the guard {name!r} of its events is gone, so they may have been changed")
