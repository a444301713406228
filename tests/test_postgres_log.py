"""The log in PostgreSQL: the contract of every log, then its own guards, errors, and many writers at once."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from threading import Barrier
from typing import Any

import psycopg
import pytest

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
from events.log import checked
from events.model import Row
from events.postgres import GUARDS, PostgresLog, open_log, shown
from projections.postgres import TABLES
from tests.contract_log import NOW, LogContract, creation, move, started
from tests.postgres import CAREFUL, PASSWORD, Postgres

#: Opening to read and opening to write.
BOTH_WAYS = pytest.mark.parametrize("write", [False, True], ids=["to read", "to write"])


def opened(url: str, *, write: bool = True) -> PostgresLog:
    """The log at an address."""
    return open_log(url, lambda: TABLES, write=write)


@pytest.fixture
def name(postgres: Postgres) -> str:
    """An empty database."""
    return postgres.new()


@pytest.fixture
def log(postgres: Postgres, name: str) -> Iterator[PostgresLog]:
    """An empty log, open to be written."""
    with closing(opened(postgres.url(name))) as log:
        yield log


@pytest.fixture
def other(postgres: Postgres, name: str, log: PostgresLog) -> Iterator[PostgresLog]:
    """The same log, opened once more, by somebody impatient."""
    with closing(opened(postgres.url(name))) as other:
        other.connection.execute("set lock_timeout to '50ms'")
        yield other


class TestPostgresLog(LogContract):
    """The contract, kept by the PostgreSQL log."""


# guards -----------------------------------------------------------------------------------------------

COPIED = "insert into events (game, seq, at, kind, actor, schema, data, digest) select"


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("update events set data = '{}' where seq = 2", "never changed"),
        ("update events set at = at", "never changed"),
        ("delete from events where seq = 3", "never taken away"),
        ("truncate events", "never taken away"),
        (f"{COPIED} game, 3, at, kind, actor, schema, data, digest from events where seq = 3", "next seq"),
        (
            f"{COPIED} game, seq, at, kind, actor, schema, data, digest from events where seq = 3 "
            "on conflict (game, seq) do update set data = excluded.data",
            "next seq",
        ),
        (f"{COPIED} game, 5, at, kind, actor, schema, data, digest from events where seq = 3", "next seq"),
        (f"{COPIED} 'new', 2, at, kind, actor, schema, data, digest from events where seq = 3", "next seq"),
        (f"{COPIED} game, null, at, kind, actor, schema, data, digest from events where seq = 3", "next seq"),
        (f"{COPIED} game, 4, at, kind, null, schema, data, digest from events where seq = 3", "not-null"),
    ],
    ids=[
        "update",
        "no change",
        "delete",
        "truncate",
        "twice",
        "upsert",
        "gap",
        "begins with 2",
        "null",
        "no actor",
    ],
)
@pytest.mark.parametrize("role", ["origin", "replica"])
def test_the_guards_refuse_all_but_the_next_row(log: PostgresLog, role: str, statement: str, said: str) -> None:
    """SQL that changes, takes away, replaces or skips rows is refused, also where other triggers are put off."""
    rows = started(log, moves=2)
    log.connection.execute(f"set session_replication_role = {role}".encode())
    with pytest.raises(psycopg.Error, match=said):
        log.connection.execute(statement.encode())
    assert list(log.rows("g")) == rows
    assert log.games() == ["g"]


def _hollow(name: str) -> str:
    return f"create or replace function {name}() returns trigger language plpgsql as 'begin return new; end'"


@BOTH_WAYS
@pytest.mark.parametrize(
    "harm",
    [
        "drop trigger events_next on events",
        "alter table events disable trigger events_whole",
        "alter table events enable replica trigger events_stay",
        _hollow("events_keep"),
        "drop trigger events_keep on events; create trigger events_keep before update of kind on events "
        "for each row execute function events_keep(); alter table events enable always trigger events_keep",
        "drop trigger events_keep on events; create trigger events_keep before update on events for each row "
        "when (false) execute function events_keep(); alter table events enable always trigger events_keep",
        "alter table events rename to kept",
    ],
    ids=["dropped", "disabled", "put off", "hollow", "of one column", "never", "elsewhere"],
)
def test_a_guard_that_is_not_as_it_was_is_noticed(
    postgres: Postgres, name: str, log: PostgresLog, harm: str, write: bool
) -> None:
    """A log whose guard was dropped, disabled or hollowed out is not opened, and the guard is named."""
    postgres.execute("set search_path to turnlog", harm, database=name)
    with pytest.raises(Damaged, match="|".join(GUARDS)):
        opened(postgres.url(name), write=write)


def test_what_inside_wrote_goes_with_the_append(log: PostgresLog) -> None:
    """Projections that are written in the append's transaction stand or fall with it."""

    def fails(store: Any, rows: Sequence[Row]) -> None:
        store.execute("insert into public_games (game) values (?)", ("g",))
        assert list(store.execute("select game from public_games")) == [("g",)]
        raise LookupError

    with pytest.raises(LookupError):
        log.append("g", [creation()], expect=0, at=NOW, inside=fails)
    assert list(log.select("select game from public_games")) == []
    assert log.games() == []


# whose database it is ---------------------------------------------------------------------------------


@BOTH_WAYS
@pytest.mark.parametrize(
    ("made", "said"),
    [
        ("create schema turnlog; create table turnlog.events (x int)", "another program"),
        ("create schema turnlog; create table turnlog.about as select 99 as version", "newer turnlog"),
    ],
    ids=["another program", "newer"],
)
def test_a_schema_that_is_not_ours_is_left_as_it_is(
    postgres: Postgres, name: str, made: str, said: str, write: bool
) -> None:
    """Another program's tables, and a newer turnlog's, are refused, and none is added."""
    tables = "select count(*) from information_schema.tables where table_schema = 'turnlog'"
    before = postgres.execute(made, tables, database=name)
    with pytest.raises(NotOurs, match=said):
        opened(postgres.url(name), write=write)
    assert postgres.execute(tables, database=name) == before


def test_a_database_that_is_not_in_utf_8_is_refused(postgres: Postgres) -> None:
    """It could not hold every name."""
    name = postgres.new(encoding="'LATIN1'", template="template0", locale="'C'")
    with pytest.raises(NotOurs, match="UTF-8"):
        opened(postgres.url(name))


def test_reading_makes_and_changes_nothing(postgres: Postgres, name: str) -> None:
    """Nothing of ours is made to be read, and a log that was opened to be read takes no row."""
    with pytest.raises(NoDatabase):
        opened(postgres.url(name), write=False)
    assert postgres.execute("select to_regnamespace('turnlog')::text", database=name) == [(None,)]
    with closing(opened(postgres.url(name))) as log:
        rows = started(log)
    with closing(opened(postgres.url(name), write=False)) as log:
        with pytest.raises(Unwritable):
            log.append("g", [move()], expect=1, at=NOW)
        with pytest.raises(Unwritable), log.writing() as store:
            store.execute("delete from games")
        assert list(log.rows("g")) == rows


def test_openings_of_a_new_database_are_one(postgres: Postgres, name: str) -> None:
    """Many that open an empty database to write at the same moment make its tables once."""
    ready = Barrier(6)

    def opens(number: int) -> None:
        ready.wait()
        with closing(opened(postgres.url(name))) as log:
            log.append(f"g{number}", [creation()], expect=0, at=NOW)

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(opens, range(6)))
    with closing(opened(postgres.url(name), write=False)) as log:
        assert log.games() == [f"g{number}" for number in range(6)]
        assert list(log.select("select count(*) from about")) == [(1,)]


def test_an_append_is_durable_when_it_returns(postgres: Postgres, name: str) -> None:
    """Whatever the database's default is, a commit waits until it is on the disk."""
    postgres.execute(f"alter database {name} set synchronous_commit to off")
    with closing(opened(postgres.url(name))) as log:
        assert log.connection.execute("show synchronous_commit").fetchone() == ("on",)


# writers at once --------------------------------------------------------------------------------------


def test_writers_of_one_game_wait_and_those_of_others_do_not(log: PostgresLog, other: PostgresLog) -> None:
    """While a game is being written nobody else writes about it, or about all games; about others anybody may."""
    started(log)
    done: list[bool] = []

    def meanwhile(store: Any, rows: Sequence[Row]) -> None:
        assert other.append("h", [creation()], expect=0, at=NOW)[0].seq == 1
        assert [row.seq for row in other.rows("g")] == [1]
        with pytest.raises(Busy):
            other.append("g", [move()], expect=1, at=NOW)
        for game in ("g", None):
            with pytest.raises(Busy), other.writing(game):
                raise AssertionError("it had to wait")
        done.append(True)

    log.append("g", [move()], expect=1, at=NOW, inside=meanwhile)
    with log.writing(), pytest.raises(Busy):
        other.append("h", [move()], expect=1, at=NOW)
    assert done == [True]
    assert other.append("g", [move()], expect=2, at=NOW)[0].seq == 3


def test_a_new_game_is_made_once(postgres: Postgres, name: str, log: PostgresLog) -> None:
    """Of two that create a game with one request at the same moment, the second is told of the first."""
    ready = Barrier(2)

    def creates(game: str) -> str | None:
        with closing(opened(postgres.url(name))) as mine:
            ready.wait()
            try:
                mine.append(game, [creation("r")], expect=0, at=NOW)
            except RequestReused as reused:
                return reused.game
            return None

    with ThreadPoolExecutor(2) as threads:
        told = list(threads.map(creates, ("a", "b")))
    made = log.games()
    assert len(made) == 1
    assert sorted(told, key=str) == sorted([None, *made], key=str)


RACER = """
import sys
from events.errors import Conflict
from events.postgres import open_log
from projections.postgres import TABLES
from tests.contract_log import NOW, move

log = open_log(sys.argv[1], lambda: TABLES, write=True)
sys.stdin.read()
for number in range(25):
    for game in ("g", "h"):
        while True:
            try:
                log.append(game, [move(f"{sys.argv[2]} {number}"), move()], expect=log.last(game), at=NOW)
                break
            except Conflict:
                pass
"""


def test_processes_that_race_for_two_games_lose_nothing(postgres: Postgres, name: str, log: PostgresLog) -> None:
    """Rows are numbered without a gap, batches lie together, and each process finds all of its own in order."""
    for game in ("g", "h"):
        started(log, game)
    processes = [
        subprocess.Popen([sys.executable, "-c", RACER, postgres.url(name), str(one)], stdin=subprocess.PIPE)
        for one in range(3)
    ]
    for process in processes:
        process.communicate(b"", timeout=60)
        assert process.returncode == 0
    for game in ("g", "h"):
        rows = list(checked(log.rows(game)))
        said = [row.data.split('"')[-2] for row in rows[1:]]
        assert set(said[1::2]) == {"x"}
        for one in range(3):
            assert [text for text in said if text.startswith(f"{one} ")] == [
                f"{one} {number}" for number in range(25)
            ]
        assert len(rows) == 1 + 2 * 3 * 25


def test_an_append_is_told_of(log: PostgresLog, other: PostgresLog) -> None:
    """Game and event, once it is there and not otherwise; of a game with a long name that there is something."""
    other.connection.execute("listen turnlog")
    started(log, "g", moves=1)
    with pytest.raises(Conflict):
        log.append("g", [move()], expect=7, at=NOW)
    log.copy([Row("h \u2603", 1, NOW, "game-created", "table", 1001, None, "{}", b"")])
    log.append_new([("new", [creation(), move()])], at=NOW, inside=lambda store, rows: None)
    started(log, "long" * 1000)
    told = [one.payload for one in other.connection.notifies(timeout=10, stop_after=5)]
    assert told == ["1 g", "2 g", "1 h \u2603", "2 new", ""]


# what goes wrong --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("moment", "error"), [("before", Unreachable), ("at the end", InDoubt)], ids=["before", "at the end"]
)
def test_a_connection_that_is_lost_leaves_nothing_half_done(
    postgres: Postgres, name: str, log: PostgresLog, moment: str, error: type[LogError]
) -> None:
    """It is told in words; the log has to be opened anew, and takes the same append then."""
    rows = started(log)
    end = f"select pg_terminate_backend({log.connection.info.backend_pid})"
    if moment == "before":
        postgres.execute(end)
    with pytest.raises(error, match="was lost"):
        log.append("g", [move(request="r")], expect=1, at=NOW, inside=lambda *_: postgres.execute(end) and None)
    assert log.lost
    with closing(opened(postgres.url(name))) as again:
        assert not again.lost
        assert list(again.rows("g")) == rows
        assert again.append("g", [move(request="r")], expect=1, at=NOW)[0].seq == 2


def test_a_statement_that_takes_too_long_is_no_damage(log: PostgresLog, other: PostgresLog) -> None:
    """Where the database's owner lets none take long, who waits for a writer is told that it is busy."""
    other.connection.execute("set lock_timeout to 0")
    other.connection.execute("set statement_timeout to '30ms'")
    with log.writing("g"), pytest.raises(Busy):
        other.append("g", [creation()], expect=0, at=NOW)
    assert other.append("g", [creation()], expect=0, at=NOW)[0].seq == 1


def test_a_name_that_postgresql_has_no_letters_for(log: PostgresLog) -> None:
    """U+0000 is in no text of PostgreSQL: nothing is called so, and nothing is written so."""
    started(log)
    assert (log.last("g\0"), list(log.rows("g\0")), log.games("g\0"), log.asked("\0", "g")) == (0, [], [], None)
    with pytest.raises(Unwritable, match="NUL"):
        log.append("g", [move("\0")], expect=1, at=NOW)
    assert log.last("g") == 1


def test_a_user_without_rights_is_told_so(postgres: Postgres, name: str, log: PostgresLog) -> None:
    """Somebody who may not read the tables."""
    postgres.execute("create role stranger login")
    with pytest.raises(Denied, match="permission denied"):
        opened(postgres.url(name, "stranger"), write=False)


def careful(postgres: Postgres, name: str, password: str) -> str:
    """The address for the user who needs a password, written as it has to be."""
    return postgres.url(name, f"{CAREFUL}:" + "".join(f"%{byte:02x}" for byte in password.encode()))


@pytest.mark.parametrize(
    "right",
    [f"grant create on database {{}} to {CAREFUL}", f"create schema turnlog authorization {CAREFUL}"],
    ids=["to make a schema", "in the schema that is there"],
)
def test_who_has_the_password_is_let_in(postgres: Postgres, name: str, right: str) -> None:
    """Any letters may be in it; it is shown to nobody. No more rights are needed than to make the tables."""
    postgres.execute(right.format(name), database=name)
    with closing(opened(careful(postgres, name, PASSWORD))) as log:
        started(log)
        assert log.path == postgres.url(name, CAREFUL)


WRONG: list[tuple[str, Callable[[Postgres, str], str], type[LogError]]] = [
    ("wrong password", lambda postgres, name: careful(postgres, name, "s3cr3t"), Denied),
    ("no user", lambda postgres, name: postgres.url(name, "nobody:s3cr3t"), Denied),
    ("no database", lambda postgres, name: postgres.url("missing", "turnlog:s3cr3t"), Unreachable),
    ("no server", lambda postgres, name: "postgresql://ada:s3cr3t@127.0.0.1:1/x", Unreachable),
    ("no socket", lambda postgres, name: "postgres://ada:s3cr3t@/x?host=/nowhere", Unreachable),
    ("no host", lambda postgres, name: "postgresql://ada:s3cr3t@host.invalid/x", Unreachable),
    ("a slash", lambda postgres, name: "postgresql://ada:s3cr3t/s3cr3t@127.0.0.1:1/x", BadAddress),
    ("number and slash", lambda postgres, name: "postgresql://ada:12/s3cr3t@127.0.0.1:1/x", BadAddress),
    ("an at sign", lambda postgres, name: "postgresql://ada:s3cr3t@s3cr3t@127.0.0.1:1/x", BadAddress),
    ("per cent", lambda postgres, name: "postgresql://ada:s3cr3t%@127.0.0.1:1/x", BadAddress),
    ("no port", lambda postgres, name: "postgresql://ada@127.0.0.1:s3cr3t/x", BadAddress),
    ("unknown option", lambda postgres, name: "postgresql://127.0.0.1:1/x?pasword=s3cr3t", BadAddress),
    ("as an option", lambda postgres, name: "postgresql://127.0.0.1:1/x?password=s3cr3t", Unreachable),
]


@pytest.mark.parametrize(("make", "error"), [case[1:] for case in WRONG], ids=[case[0] for case in WRONG])
def test_an_address_that_leads_nowhere_tells_no_password(
    postgres: Postgres, name: str, make: Callable[[Postgres, str], str], error: type[LogError]
) -> None:
    """Neither in what is said nor in what is done about it."""
    url = make(postgres, name)
    with pytest.raises(error) as raised:
        opened(url)
    assert raised.value.hint
    assert "s3cr3t" not in f"{raised.value} {raised.value.hint} {raised.value!r}"
    if error is not BadAddress:
        assert "s3cr3t" not in shown(url)


def test_a_log_is_open_to_nobody_else(postgres: Postgres) -> None:
    """The tests' own server listens on no port of this machine."""
    assert postgres.execute("show listen_addresses") == [("",)]
    assert os.path.exists(f"{postgres.folder}/.s.PGSQL.5432")
