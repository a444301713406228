"""The log in an SQLite file: the contract of every log, then the file's own guards."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlite_utils import Database

from events import log as log_module
from events import sqlite as sqlite_module
from events.errors import Busy, Damaged, LogError, NoDatabase, NotOurs, Unwritable
from events.log import checked
from events.model import CLOSED, CREATED, MOVED, NOTED, REDONE, UNDONE, Draft
from events.sqlite import APPLICATION_ID, TRIGGERS, VERSION, SqliteLog, open_log
from projections.schema import prepare
from projections.timeline import Timeline, timeline_of
from tests.contract_log import NOW, LogContract, creation, move, started

#: Opening to read and opening to write.
BOTH_WAYS = pytest.mark.parametrize("write", [False, True], ids=["to read", "to write"])


@pytest.fixture
def path(tmp_path: Path) -> str:
    """Where a log may be made."""
    return str(tmp_path / "games.db")


@pytest.fixture
def log(path: str) -> Iterator[SqliteLog]:
    """An empty log, open to be written."""
    opened = open_log(path, prepare, write=True)
    yield opened
    opened.close()


def reads(path: str, *, write: bool = False) -> list[int]:
    """Opens a log, gives the numbers of its rows of game `g`, and closes it."""
    opened = open_log(path, prepare, write=write)
    try:
        return [row.seq for row in opened.rows("g")]
    finally:
        opened.close()


def filled(path: str, moves: int = 2) -> None:
    """Makes a log with a game `g` in the file `path`."""
    opened = open_log(path, prepare, write=True)
    started(opened, "g", moves)
    opened.close()


def executed(path: str, *statements: str) -> None:
    """Changes a file behind the log's back."""
    with closing(sqlite3.connect(path, isolation_level=None)) as raw:
        for statement in statements:
            raw.execute(statement)


def contents(path: str) -> dict[str, bytes]:
    """The bytes of a database's file, and of its write-ahead log if there is anything in it."""
    beside = [path, f"{path}-wal", f"{path}-journal"]
    return {name: Path(name).read_bytes() for name in beside if os.path.isfile(name) and os.path.getsize(name)}


class TestSqliteLog(LogContract):
    """The contract, kept by the SQLite log."""


# the table and its guards -----------------------------------------------------------------------------


@pytest.mark.parametrize("column", ["seq", "at", "schema", "game", "kind", "actor", "data", "digest"])
def test_the_table_takes_no_other_types(log: SqliteLog, column: str) -> None:
    """The table is STRICT and its columns are never null, so a row is read back with the types it has."""
    values: dict[str, Any] = {
        "game": "g",
        "seq": 1,
        "at": NOW,
        "kind": CREATED,
        "actor": "table",
        "schema": 1001,
        "data": "{}",
        "digest": b"",
    }
    insert = f"insert into events ({', '.join(values)}) values ({', '.join(':' + name for name in values)})"
    wrong = "text" if isinstance(values[column], int | bytes) else b"bytes"
    for value in (wrong, None):
        with pytest.raises(sqlite3.IntegrityError, match=r"cannot store|NOT NULL|next seq"):
            log.connection.execute(insert, values | {column: value})
    log.connection.execute(insert, values)
    assert log.last("g") == 1


@pytest.mark.parametrize(
    ("statement", "said"),
    [
        ("update events set data = '{}' where seq = 2", "never changed"),
        ("update events set digest = x'00'", "never changed"),
        ("update events set at = at where seq = 3", "never changed"),
        ("delete from events where seq = 3", "never taken away"),
        ("delete from events", "never taken away"),
        ("insert or replace into events select * from events where seq = 2", "next seq"),
        ("insert or replace into events select * from events where seq = 3", "next seq"),
        ("insert or ignore into events select * from events where seq = 3", "next seq"),
        (
            "insert into events select * from events where seq = 3 "
            "on conflict (game, seq) do update set data = excluded.data",
            "next seq",
        ),
        (
            "insert into events select game, 5, at, kind, actor, schema, null, data, digest "
            "from events where seq = 3",
            "next seq",
        ),
        (
            "insert into events select game, 0, at, kind, actor, schema, null, data, digest "
            "from events where seq = 3",
            "next seq",
        ),
        (
            "insert into events select 'new', 2, at, kind, actor, schema, null, data, digest "
            "from events where seq = 3",
            "next seq",
        ),
    ],
    ids=[
        "update",
        "update of all",
        "update that changes nothing",
        "delete of the last",
        "delete of all",
        "replace",
        "replace of the last",
        "insert or ignore",
        "upsert",
        "a gap",
        "row 0",
        "a game that begins with 2",
    ],
)
def test_the_guards_refuse_all_but_the_next_row(log: SqliteLog, statement: str, said: str) -> None:
    """SQL that changes, takes away, replaces or skips rows is refused, and nothing of it stays."""
    rows = started(log, moves=2)
    with pytest.raises(sqlite3.IntegrityError, match=said):
        log.connection.execute(statement)
    assert list(log.rows("g")) == rows
    assert log.games() == ["g"]


def _gone(name: str) -> list[str]:
    return [f"drop trigger {name}"]


def _hollow(name: str) -> list[str]:
    return [f"drop trigger {name}", TRIGGERS[name].replace(" on events ", " on events when 0 ", 1)]


def _softened(name: str) -> list[str]:
    return [
        f"drop trigger {name}",
        TRIGGERS[name].replace("raise(abort", "raise(ignore").partition(", 'an")[0] + "); end",
    ]


def _elsewhere(name: str) -> list[str]:
    return [
        f"drop trigger {name}",
        "create table decoy as select * from events",
        TRIGGERS[name].replace("on events ", "on decoy "),
    ]


@BOTH_WAYS
@pytest.mark.parametrize("name", TRIGGERS)
@pytest.mark.parametrize("harm", [_gone, _hollow, _softened, _elsewhere], ids=lambda harm: harm.__name__[1:])
def test_a_guard_that_is_not_as_it_was_is_noticed(
    path: str, harm: Callable[[str], list[str]], name: str, write: bool
) -> None:
    """A log whose guard was dropped, hollowed out or moved is not opened, and the guard is named."""
    filled(path)
    if name == "events_next" and harm is _hollow:
        executed(path, f"drop trigger {name}", TRIGGERS[name].replace("when ", "when 0 and ", 1))
    else:
        executed(path, *harm(name))
    with pytest.raises(Damaged, match=name):
        reads(path, write=write)


def test_a_transform_of_sqlite_utils_is_noticed(path: str) -> None:
    """`transform` makes a table anew without its triggers, silently: the next open notices."""
    filled(path)
    with closing(Database(path)) as db:
        db.table("events").transform(types={"at": int})
    with pytest.raises(Damaged, match="guard"):
        reads(path)


# whose file it is -------------------------------------------------------------------------------------


def test_a_log_is_marked_as_ours(path: str) -> None:
    """The file's header says "turn" and the schema's number, for `file` and other programs to read."""
    filled(path)
    header = Path(path).read_bytes()[:100]
    assert header[68:72] == b"turn"
    assert int.from_bytes(header[60:64], "big") == VERSION


def _table(path: str) -> None:
    executed(path, "create table t (x)", "insert into t values (1)")


def _marked(path: str) -> None:
    executed(path, "pragma application_id = 1234", "create table t (x)")


def _marked_and_empty(path: str) -> None:
    executed(path, "pragma application_id = 1234", "create table t (x)", "drop table t")


def _numbered(path: str) -> None:
    executed(path, f"pragma user_version = {VERSION}", "create table events (game, seq)")


def _writing_ahead(path: str) -> None:
    """A file of another program that died with half of its content in the write-ahead log."""
    other = f"{path}.other"
    with closing(sqlite3.connect(other, isolation_level=None)) as raw:
        raw.execute("pragma journal_mode = wal")
        raw.execute("create table t (x)")
        raw.execute("insert into t values (1)")
        shutil.copy(other, path)
        shutil.copy(f"{other}-wal", f"{path}-wal")
    os.remove(other)


def _newer(path: str) -> None:
    filled(path)
    executed(path, f"pragma user_version = {VERSION + 1}")


def _newer_writing_ahead(path: str) -> None:
    """A newer turnlog's file, its last change still in the write-ahead log."""
    other = f"{path}.other"
    _newer(other)
    with closing(sqlite3.connect(other, isolation_level=None)) as raw:
        raw.execute("create table t (x)")
        shutil.copy(other, path)
        shutil.copy(f"{other}-wal", f"{path}-wal")
    os.remove(other)


@BOTH_WAYS
@pytest.mark.parametrize(
    "make",
    [_table, _marked, _marked_and_empty, _numbered, _writing_ahead, _newer, _newer_writing_ahead],
    ids=lambda make: make.__name__[1:],
)
def test_a_file_that_is_not_ours_is_left_as_it_is(path: str, make: Callable[[str], None], write: bool) -> None:
    """Another program's file, and a newer turnlog's, is refused; not a byte of it changes."""
    make(path)
    before = contents(path)
    assert len(before) == (2 if "ahead" in make.__name__ else 1)
    with pytest.raises(NotOurs, match="newer turnlog" if "newer" in make.__name__ else "another program"):
        reads(path, write=write)
    assert contents(path) == before


@BOTH_WAYS
@pytest.mark.parametrize(
    "text",
    [
        b"This is a diary, and no database at all.\n" * 40,
        b"no",
        b"SQLite format 3\0" + b"\xff" * 4096,
        b"\0" * 5000,
    ],
    ids=["a text", "two letters", "nonsense behind a header", "zeros"],
)
def test_a_file_that_is_no_database_is_left_as_it_is(path: str, text: bytes, write: bool) -> None:
    """What is no database is called damaged, and stays what it is."""
    Path(path).write_bytes(text)
    with pytest.raises(Damaged):
        reads(path, write=write)
    assert contents(path) == {path: text}


@pytest.mark.parametrize("make", ["missing", "no bytes", "no tables"])
def test_an_empty_file_becomes_a_log_when_it_is_written(path: str, make: str) -> None:
    """Nothing, an empty file and a database without tables: nothing to read, and fine to write to."""
    if make == "no bytes":
        Path(path).touch()
    elif make == "no tables":
        executed(path, "create table t (x)", "drop table t")
    before = contents(path)
    with pytest.raises(NoDatabase):
        reads(path)
    assert contents(path) == before
    assert os.path.exists(path) == (make != "missing")
    filled(path)
    assert reads(path) == [1, 2, 3]


def test_folders_are_made_for_a_new_log(tmp_path: Path) -> None:
    """The folders above a new log are made with it, but not for one that is only read."""
    path = str(tmp_path / "a" / "b" / "games.db")
    with pytest.raises(NoDatabase):
        reads(path)
    assert not (tmp_path / "a").exists()
    filled(path)
    assert reads(path) == [1, 2, 3]


@pytest.mark.parametrize("name", ["a b", "q?mode=memory", "h#x", "100%", "%41", "\u00e9\u2603", "it's", "a;b&c=d"])
def test_a_log_lies_in_the_file_of_the_very_name(tmp_path: Path, name: str) -> None:
    """No letter of a path means anything to SQLite."""
    filled(str(tmp_path / name))
    assert [entry.name for entry in tmp_path.iterdir()] == [name]
    assert reads(str(tmp_path / name)) == [1, 2, 3]


@BOTH_WAYS
def test_a_folder_is_no_log(tmp_path: Path, write: bool) -> None:
    """A folder in the place of the file is refused in words."""
    with pytest.raises(LogError, match=str(tmp_path)):
        reads(str(tmp_path), write=write)


# reading where nothing can be written -----------------------------------------------------------------


def test_reading_changes_no_byte(path: str) -> None:
    """Whatever is asked of a log that was opened to be read, its file stays the same, and it takes no row."""
    filled(path)
    before = contents(path)
    log = open_log(path, prepare, write=False)
    rows = list(checked(log.rows("g")))
    assert [row.seq for row in rows] == [1, 2, 3]
    assert (log.games(), log.latest(), log.last("g")) == (["g"], "g", 3)
    assert log.row("g", 2) == rows[1]
    assert len(list(log.lines("g"))) == 3
    with pytest.raises(Unwritable):
        log.append("g", [move()], expect=3, at=NOW)
    log.close()
    assert contents(path) == before


def _forbid_files_beside(path: str) -> None:
    """Does what a read-only folder does, to root as well: SQLite cannot make its index of a write-ahead log."""
    os.symlink("nowhere", f"{path}-shm")


def test_a_log_can_be_read_where_sqlite_can_make_no_files(path: str) -> None:
    """Where no file can be made beside it, as in a read-only folder, a log is read all the same."""
    filled(path)
    _forbid_files_beside(path)
    with (
        pytest.raises(sqlite3.OperationalError),
        closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as raw,
    ):
        raw.execute("select 1 from events")
    before = contents(path)
    assert reads(path) == [1, 2, 3]
    assert contents(path) == before


def test_a_log_is_not_read_without_its_newest_rows(tmp_path: Path) -> None:
    """Rows that are still in a write-ahead log that cannot be read: refused, rather than shown without them."""
    log = open_log(str(tmp_path / "live.db"), prepare, write=True)
    started(log, "g", moves=2)
    path = str(tmp_path / "copy.db")
    shutil.copy(tmp_path / "live.db", path)
    shutil.copy(tmp_path / "live.db-wal", f"{path}-wal")
    log.close()
    _forbid_files_beside(path)
    with pytest.raises(Unwritable):
        reads(path)
    os.remove(f"{path}-shm")
    assert reads(path) == [1, 2, 3]


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_read_only_folder_can_be_read(tmp_path: Path) -> None:
    """A log without any right to write to file or folder is read; to write to it is refused in words."""
    folder = tmp_path / "folder"
    path = str(folder / "games.db")
    filled(path)
    os.chmod(path, 0o400)
    os.chmod(folder, 0o500)
    try:
        assert reads(path) == [1, 2, 3]
        with pytest.raises(Unwritable):
            reads(path, write=True)
    finally:
        os.chmod(folder, 0o700)


# transactions -----------------------------------------------------------------------------------------


def test_an_append_is_durable_when_it_returns(log: SqliteLog) -> None:
    """The file is in WAL mode and each commit is synced: `synchronous` is FULL, which is 2."""
    assert log.connection.execute("pragma journal_mode").fetchone() == ("wal",)
    assert log.connection.execute("pragma synchronous").fetchone() == (2,)


def test_a_log_that_was_there_is_durable_too(path: str) -> None:
    """`synchronous` is no property of a file: it is set anew at each open."""
    filled(path)
    log = open_log(path, prepare, write=True)
    assert log.connection.execute("pragma journal_mode").fetchone() == ("wal",)
    assert log.connection.execute("pragma synchronous").fetchone() == (2,)
    log.close()


def test_a_backup_is_written_ahead_once_it_is_played_on(log: SqliteLog, path: str) -> None:
    """A copy is one file without any beside it; in use it is in WAL mode like any other log."""
    rows = started(log, "g", moves=2)
    copy = f"{path}.copy"
    log.copy_to(copy)
    assert [entry for entry in os.listdir(os.path.dirname(path)) if entry.startswith("games.db.copy")] == [
        "games.db.copy"
    ]
    opened = open_log(copy, prepare, write=True)
    assert opened.connection.execute("pragma journal_mode").fetchone() == ("wal",)
    assert list(opened.rows("g")) == rows
    assert opened.append("g", [move()], expect=3, at=NOW)[0].seq == 4
    opened.close()
    assert list(log.rows("g")) == rows


def test_a_reader_sees_whole_batches_only(log: SqliteLog, path: str) -> None:
    """While a batch is being written others read what was there before it, and are not kept waiting."""
    started(log)
    during: list[list[int]] = []
    log.append("g", [move(), move()], expect=1, at=NOW, inside=lambda store, rows: during.append(reads(path)))
    assert during == [[1]]
    assert reads(path) == [1, 2, 3]


def test_what_inside_wrote_goes_with_the_append(log: SqliteLog) -> None:
    """Projections that are written in the append's transaction stand or fall with it."""
    insert = "insert into snapshots values ('g', 1, 1, 'v', x'00', x'00')"

    def fails(store: Any, rows: Any) -> None:
        store.execute(insert)
        raise LookupError

    with pytest.raises(LookupError):
        log.append("g", [creation()], expect=0, at=NOW, inside=fails)
    assert log.connection.execute("select count(*) from snapshots").fetchone() == (0,)
    log.append("g", [creation()], expect=0, at=NOW, inside=lambda store, rows: store.execute(insert) and None)
    assert log.connection.execute("select count(*) from snapshots").fetchone() == (1,)


def test_a_log_held_by_another_writer_is_busy(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who waits too long for another writer is told so; nothing is written, and later it goes."""
    filled(path)
    monkeypatch.setattr(sqlite_module, "_BUSY_MS", 1)
    log = open_log(path, prepare, write=True)
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("begin immediate")
        with pytest.raises(Busy):
            log.append("g", [move()], expect=3, at=NOW)
        assert [row.seq for row in log.rows("g")] == [1, 2, 3]
        other.execute("rollback")
    assert log.append("g", [move()], expect=3, at=NOW)[0].seq == 4
    log.close()


def test_nobody_writes_between_an_appends_look_and_its_rows(path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """An append holds the file from before it looks at the end of its game: who comes in between has to wait."""
    filled(path)
    log = open_log(path, prepare, write=True)
    monkeypatch.setattr(sqlite_module, "_BUSY_MS", 1)
    other = open_log(path, prepare, write=True)
    chained = log_module.chained
    kept_out: list[bool] = []

    def between(*columns: Any) -> bytes:
        monkeypatch.setattr(log_module, "chained", chained)
        with pytest.raises(Busy):
            other.append("h", [creation()], expect=0, at=NOW)
        kept_out.append(True)
        return chained(*columns)

    monkeypatch.setattr(log_module, "chained", between)
    assert log.append("g", [move()], expect=3, at=NOW)[0].seq == 4
    assert kept_out == [True]
    assert other.append("h", [creation()], expect=0, at=NOW)[0].seq == 1
    log.close()
    other.close()


def test_processes_that_make_the_same_new_file_all_succeed(path: str, command: Callable[..., list[str]]) -> None:
    """Four `create`s at once on a file that is not there: each makes its game, in one whole database."""
    games = [f"g{number}" for number in range(4)]
    processes = [
        subprocess.Popen(
            command("--db", path, "create", "power-vacuum", "-p", "ada", "-p", "bo", "--id", game, "--quiet"),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for game in games
    ]
    for process in processes:
        out, err = process.communicate(timeout=60)
        assert process.returncode == 0, out + err
    log = open_log(path, prepare, write=False)
    assert log.games() == games
    for game in games:
        assert len(list(checked(log.rows(game)))) == 1
    log.close()


def test_openings_of_the_same_new_file_are_one(path: str) -> None:
    """Many processes that open a new file to write at the same moment make it once."""
    script = (
        "import sys; from events.sqlite import open_log; from projections.schema import prepare; "
        "sys.stdin.read(); open_log(sys.argv[1], prepare, write=True).close(); print('opened')"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", script, path],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(4)
    ]
    for process in processes:
        assert process.stdin is not None
        process.stdin.close()
        process.stdin = None
    for process in processes:
        out, err = process.communicate(timeout=60)
        assert out == "opened\n", err
    filled(path)
    assert reads(path) == [1, 2, 3]


# views ------------------------------------------------------------------------------------------------


class _Written:
    """A game's drafts, made from a list of what is done in it, whether or not that can be done."""

    def __init__(self) -> None:
        self.timeline = Timeline()
        self.drafts: list[Draft] = []
        self.take(CREATED, '{"slug":"a-game","seats":["ada","bo"],"options":{"x":"1"},"undo":"own"}')

    def take(self, kind: str, data: str) -> None:
        self.drafts.append(Draft(kind, "ada", 1001, data))
        self.timeline.note(kind, len(self.drafts), data)

    def do(self, what: str, count: int) -> None:
        standing = [seq for first, last in self.timeline.standing for seq in range(first, last + 1)][1:]
        if what == MOVED:
            self.take(MOVED, f'{{"seat":{count % 2},"move":{{"n":{count}}},"facts":[{count}],"outcome":null}}')
        elif what == UNDONE and standing:
            first = standing[-min(count, len(standing))]
            self.take(UNDONE, f'{{"first":{first},"last":{standing[-1]}}}')
        elif what == REDONE and self.timeline.undone:
            runs = self.timeline.undone[-1]
            self.take(REDONE, f'{{"first":{runs[0][0]},"last":{runs[-1][1]}}}')
        elif what == NOTED:
            self.take(NOTED, '{"about":1,"text":"x"}')
        elif what == CLOSED and not self.timeline.closed:
            self.take(CLOSED, "{}")


_DONE = st.lists(
    st.tuples(st.sampled_from([MOVED, MOVED, MOVED, UNDONE, UNDONE, REDONE, REDONE, NOTED]), st.integers(1, 4)),
    max_size=30,
)


@given(games=st.lists(_DONE, min_size=1, max_size=2))
@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_the_views_say_what_the_timeline_says(
    games: list[list[tuple[str, int]]], tmp_path_factory: pytest.TempPathFactory
) -> None:
    """After any undoing and redoing `v_moves` marks the moves that stand, and `v_games` counts and dates right."""
    log = open_log(str(tmp_path_factory.mktemp("views") / "games.db"), prepare, write=True)
    try:
        log.connection.execute("pragma synchronous = off")  # not what is claimed here
        for number, done in enumerate(games):
            written = _Written()
            for what, count in done:
                written.do(what, count)
            for seq, draft in enumerate(written.drafts):
                log.append(f"g{number}", [draft], expect=seq, at=(number * 1000 + seq) * 1_000_000)
            _hold_views_to_the_timeline(log, number, len(written.drafts))
    finally:
        log.close()


def _hold_views_to_the_timeline(log: SqliteLog, number: int, events: int) -> None:
    game = f"g{number}"
    timeline = timeline_of(log.rows(game))
    moves = [row for row in log.rows(game) if row.kind == MOVED]
    seen = log.connection.execute(
        "select seq, stands, actor, seat, move, facts, outcome, at from v_moves where game = ? order by seq",
        (game,),
    ).fetchall()
    assert [(seq, stands) for seq, stands, *_ in seen] == [(row.seq, timeline.stands(row.seq)) for row in moves]
    assert sum(stands for _, stands, *_ in seen) == timeline.moves()
    dates = log.connection.execute(
        "select seq, datetime(at / 1000000, 'unixepoch') from events where game = ? order by seq", (game,)
    ).fetchall()
    for (seq, _, actor, seat, move_made, facts, outcome, at), row in zip(seen, moves, strict=True):
        text = f'{{"seat":{seat},"move":{move_made},"facts":{facts},"outcome":{outcome}}}'
        assert (actor, text, at) == ("ada", row.data, dict(dates)[seq])
    assert log.connection.execute("select * from v_games where game = ?", (game,)).fetchall() == [
        (game, "a-game", '["ada","bo"]', '{"x":"1"}', "own", dates[0][1], events, dates[-1][1])
    ]


def test_the_header_of_a_log_says_turn() -> None:
    """The number in the header spells "turn"."""
    assert APPLICATION_ID.to_bytes(4, "big") == b"turn"
