"""One clock: what a log, a list or a report says of time comes from the session's clock and from nowhere else."""

import ast
import datetime
import json
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NoReturn

import msgspec
import pytest
from freezegun import freeze_time

import cli.session
from cli import review
from cli.app import app
from cli.session import Session
from engines.table import Table
from events.digest import ROOT, chained
from replays.importing import LATEST
from tests.conftest import Turnlog

#: Far from now, so that no other clock can pass for it.
FROZEN = "2071-03-04T05:06:07Z"
MICROSECONDS = 3_192_671_167_000_000

COMMANDS = {info.name or info.callback.__name__ for info in app.registered_commands if info.callback}


def every_command(folder: Path) -> dict[str, list[list[str]]]:
    """Words that make each command succeed, on a database that holds nothing yet, in this order."""
    script, jsonl = folder / "script.txt", folder / "log.jsonl"
    script.write_text("create power-vacuum -p ana -p emil --id by-script --seed 2\nnote 1 hello\n")
    return {
        "games": [["games"]],
        "rules": [["rules", "power-vacuum"]],
        "create": [["create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--id", "g", "--seed", "1"]],
        "agree": [["create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--id", "asked", "--seed", "1",
                   "--undo", "ask"], ["play", "asked", "MOVE"], ["undo", "asked"], ["agree", "asked"]],
        "moves": [["moves", "g"]],
        "play": [["play", "g", "MOVE"], ["play", "g", "MOVE", "--json"], ["play", "g", "MOVE", "--dry-run"]],
        "undo": [["undo", "g"]],
        "redo": [["redo", "g"]],
        "run": [["run", str(script)]],
        "show": [["show", "g"], ["show", "g", "--json", "--as", "lucia"]],
        "log": [["log", "g"], ["log", "g", "--json"]],
        "replay": [["replay", "g", "--plain"], ["replay", "g", "--json"]],
        "note": [["note", "g", "1", "hello"]],
        "notes": [["notes", "g"]],
        "export": [["export", "g", "--output", str(jsonl)]]
        + [["export", "g", "--format", form] for form in ("jsonl", "transcript", "markdown", "html")]
        + [["export", "g", "--as", "lucia"]],
        "import": [["import", str(jsonl)], ["import", str(jsonl), "--db", str(folder / "other.db")],
                   ["import", str(script), "--db", str(folder / "other.db")]],
        "diff": [["diff", "g", "1", "2"]],
        "fork": [["fork", "g", "--id", "forked"]],
        "annotate": [["annotate", "g"]],
        "verify": [["verify", "g", "--rules"], ["verify", "--all"]],
        "close": [["close", "g", "--as", "lucia"]],
        "tick": [["tick"], ["tick", "g", "--json"]],
        "orders": [["orders", "g", "--list", "--as", "lucia"]],
        "notify": [["notify", "g", "lucia", "--webhook", "https://example.org/turns"],
                   ["notify", "g", "lucia", "--off"]],
        "list": [["list"], ["list", "--json"]],
        "standings": [["standings"]],
        "simulate": [["simulate", "power-vacuum", "-p", "bot:random", "-p", "bot:random", "-n", "1"]],
        "allow": [["allow"]],
        "fuzz": [["fuzz", "lairs", "--games", "1", "--steps", "5"]],
        "invite": [["invite", "g", "lucia"], ["invite", "g", "--list"], ["invite", "--starter"]],
        "serve": [],  # it does not end; tests/test_server_stream.py starts it
        "login": [["login"]],
        "logout": [],  # of a server; tests/test_client.py has one
        "rebuild": [["rebuild"]],
        "backup": [["backup", str(folder / "copy.db")]],
        "recover": [["recover", str(folder / "copy.db")]],
    }  # fmt: skip


def run_every_command(turnlog: Turnlog, folder: Path) -> str:
    """Runs them all; gives what they said."""
    script = every_command(folder)
    assert set(script) == COMMANDS, "a command is missing here"
    said = []
    for commands in script.values():
        for words in commands:
            if "MOVE" in words:
                words = [turnlog.json("moves", "g")["moves"][0] if word == "MOVE" else word for word in words]
            said.append(turnlog.ok(*words).out)
    return "\n".join(said)


def cells(path: Path) -> Iterator[tuple[str, str, Any]]:
    """All values of a database with their table and column."""
    connection = sqlite3.connect(path)
    connection.row_factory = sqlite3.Row
    try:
        names = [
            name
            for (name,) in connection.execute("select name from sqlite_schema where type in ('table', 'view')")
        ]
        for name in names:
            for row in connection.execute(f"select * from {name}"):
                yield from ((name, column, row[column]) for column in row.keys())  # noqa: SIM118
    finally:
        connection.close()


def test_frozen_time_is_what_every_command_tells(turnlog: Turnlog, tmp_path: Path) -> None:
    """With the clock frozen, every time in the log, the lists, the reports and the answers is that moment."""
    with freeze_time(FROZEN):
        said = run_every_command(turnlog, tmp_path)

    with sqlite3.connect(turnlog.db) as connection:
        found = connection.execute("select distinct at from events").fetchall()
        touched = connection.execute("select distinct created, touched from games").fetchall()
    connection.close()
    assert found == [(MICROSECONDS,)]
    assert touched == [(MICROSECONDS, MICROSECONDS)]
    for path in (turnlog.db, tmp_path / "other.db", tmp_path / "copy.db"):
        texts = " ".join(str(value) for _, _, value in cells(path) if isinstance(value, str))
        assert set(re.findall(r"\b2\d\d\d-\d\d-\d\d", texts)) <= {"2071-03-04"}
        numbers = {value for _, _, value in cells(path) if isinstance(value, int) and value > 10**9}
        assert numbers == {MICROSECONDS}
    dates = re.findall(r"\b2\d\d\d-\d\d-\d\d[T ]\d\d:\d\d", said)
    assert {date[:10] for date in dates} == {"2071-03-04"}
    assert "2071-03-04T05:06:07.000Z" in said


def test_time_is_told_as_iso_8601_in_utc(turnlog: Turnlog) -> None:
    """list, log and replay tell a moment to the millisecond; a log holds integer microseconds."""
    with freeze_time(FROZEN):
        turnlog.json("create", "power-vacuum", "-p", "lucia", "--id", "g")

    assert turnlog.ok("list", "--json").lines[0]["created"] == "2071-03-04T05:06:07.000Z"
    assert turnlog.ok("log", "g", "--json").lines[0]["at"] == "2071-03-04T05:06:07.000Z"
    assert turnlog.ok("replay", "g", "--json").lines[0]["at"] == "2071-03-04T05:06:07.000Z"
    assert json.loads(turnlog.ok("export", "g").out)["at"] == MICROSECONDS


def test_a_clock_that_goes_back_still_appends(turnlog: Turnlog, tmp_path: Path) -> None:
    """Order is by number, not by time: moves, undo and redo go on after the clock was put back; all verifies."""
    days = ["2071-03-04", "2071-03-03", "1999-01-01", "2071-03-05", "1970-01-01"]
    words = [
        ["create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--id", "g", "--seed", "1"],
        ["play", "g", "MOVE"],
        ["undo", "g"],
        ["redo", "g", "--expect", "3"],
        ["play", "g", "MOVE"],
    ]
    for day, command in zip(days, words, strict=True):
        move = turnlog.json("moves", "g")["moves"][0] if "MOVE" in command else ""
        with freeze_time(day):
            turnlog.ok(*(move if word == "MOVE" else word for word in command))

    assert [event["at"][:10] for event in turnlog.ok("log", "g", "--json").lines] == days
    assert [event["seq"] for event in turnlog.ok("log", "g", "--json").lines] == [1, 2, 3, 4, 5]
    assert len(turnlog.view("g")["trick"]) == 2
    assert turnlog.json("show", "@")["game"] == "g"
    turnlog.ok("verify", "--all")
    file = tmp_path / "log.jsonl"
    turnlog.ok("export", "g", "--output", file)
    turnlog.ok("import", file, "--db", tmp_path / "other.db")
    assert turnlog.ok("export", "g", "--db", tmp_path / "other.db").out == file.read_text()


def test_the_game_last_touched_is_the_one_last_written_to(turnlog: Turnlog) -> None:
    """`@` follows the log, even where the clock was put back."""
    for day, game in (("2071-03-04", "late"), ("2001-01-01", "early")):
        with freeze_time(day):
            turnlog.json("create", "power-vacuum", "-p", "lucia", "--id", game)

    assert turnlog.json("show", "@")["game"] == "early"


def test_the_same_clock_and_chance_make_the_same_file(turnlog: Turnlog, tmp_path: Path) -> None:
    """Two databases made alike hold the same in every table: nothing in them comes from another clock."""
    dumps = []
    for name in ("one", "two"):
        db = tmp_path / f"{name}.db"
        with freeze_time(FROZEN), pytest.MonkeyPatch.context() as patched:
            patched.setenv("TURNLOG_DB", str(db))
            patched.setattr("os.urandom", lambda count: bytes(range(count)))
            turnlog.json("create", "power-vacuum", "-p", "lucia", "-p", "bot:greedy")
            for _ in range(3):
                turnlog.json("play", "@", turnlog.json("moves", "@")["moves"][0])
            turnlog.json("undo", "@")
        dumps.append(list(cells(db)))

    assert len(dumps[0]) > 100
    assert dumps[0] == dumps[1]


@contextmanager
def only_the_sessions_clock() -> Iterator[list[int]]:
    """Every other way to read a clock raises; gives the times that the session's own was read."""
    reads: list[int] = []

    def time_ns() -> int:
        assert sys._getframe(1).f_code is cli.session.now.__code__, "somebody else reads the clock"
        reads.append(MICROSECONDS * 1000 + len(reads))
        return reads[-1]

    def refuse(*_: object, **__: object) -> NoReturn:
        raise AssertionError("a clock is read")

    def told(name: str, known: int) -> Callable[..., Any]:
        real = getattr(time, name)
        return lambda *arguments: real(*arguments) if len(arguments) == known else refuse()

    class Unread(datetime.datetime):
        """Made of a time that is known; of a clock by sqlite-utils only, which notes when it made a table."""

        @classmethod
        def now(cls, tz: datetime.tzinfo | None = None) -> "Unread":
            assert sys._getframe(1).f_globals["__name__"] == "sqlite_utils.migrations", "a clock is read"
            return cls(2071, 3, 4, tzinfo=tz)

        today = utcnow = classmethod(refuse)  # type: ignore[assignment]

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(time, "time_ns", time_ns)
        for name in ("time", "monotonic", "monotonic_ns", "perf_counter", "perf_counter_ns", "process_time",
                     "process_time_ns", "clock_gettime", "clock_gettime_ns"):  # fmt: skip
            patched.setattr(time, name, refuse)
        for name, known in (("localtime", 1), ("gmtime", 1), ("ctime", 1), ("asctime", 1), ("strftime", 2)):
            patched.setattr(time, name, told(name, known))
        patched.setattr(datetime, "datetime", Unread)
        yield reads


def test_no_command_reads_another_clock(turnlog: Turnlog, tmp_path: Path) -> None:
    """Each command runs with every other clock out of order; what is written is what the session's clock told."""
    with only_the_sessions_clock() as reads:
        run_every_command(turnlog, tmp_path)

    assert len(reads) >= 8
    with sqlite3.connect(turnlog.db) as connection:
        written = [at for (at,) in connection.execute("select distinct at from events")]
    connection.close()
    assert {at * 1000 for at in written} <= {1000 * (read // 1000) for read in reads}


@pytest.mark.parametrize(
    "read",
    [
        lambda: time.time(),
        lambda: time.time_ns(),
        lambda: time.monotonic(),
        lambda: time.localtime(),
        lambda: time.strftime("%Y"),
        lambda: datetime.datetime.now(),
        lambda: datetime.datetime.now(datetime.UTC),
    ],
    ids=["time", "time_ns", "monotonic", "localtime", "strftime", "now", "now-utc"],
)
def test_the_trap_catches_a_clock(read: Callable[[], object]) -> None:
    """What the test above relies on: time read by anybody but the session raises."""
    with only_the_sessions_clock() as reads, pytest.raises(AssertionError):
        read()
    assert reads == []


def test_the_trap_lets_the_session_read() -> None:
    """And the session's own clock is not caught."""
    with only_the_sessions_clock() as reads:
        assert cli.session.now() == MICROSECONDS
    assert len(reads) == 1


@pytest.mark.parametrize("package", ["cli", "replays", "engines", "projections", "events"])
def test_the_source_names_no_other_clock(package: str) -> None:
    """`time` and `datetime` are imported where they are needed only: to read the clock once, to wait, to spell."""
    allowed = {
        ("cli/session.py", "time"), ("cli/review.py", "time"), ("cli/commands.py", "datetime"),
        ("cli/client.py", "time"), ("cli/connection.py", "time"), ("cli/server/limits.py", "time"),
        ("replays/markdown.py", "datetime"), ("events/sqlite.py", "time"),
    }  # fmt: skip
    root = Path(cli.session.__file__).parent.parent
    found = set()
    for path in sorted((root / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
            found |= {(str(path.relative_to(root)), name) for name in names if name in ("time", "datetime")}
        assert not re.search(r"current_timestamp|julianday|'now'", path.read_text("utf-8"), re.I), path
    assert found <= allowed


# the calendar -----------------------------------------------------------------------------------------


def play_at(turnlog: Turnlog, *moments: str) -> list[str]:
    """Creates a game at the first moment, plays a move at each further one; gives the times that `log` tells."""
    create = ("create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--id", "g", "--seed", "1")
    for number, moment in enumerate(moments):
        move = () if number == 0 else ("play", "g", turnlog.json("moves", "g")["moves"][0])
        with freeze_time(moment):
            turnlog.ok(*(move or create))
    return [event["at"] for event in turnlog.ok("log", "g", "--json").lines]


CALENDAR = {
    "midnight": ["2024-12-31T23:59:59.999Z", "2025-01-01T00:00:00.000Z", "2025-01-01T00:00:00.500Z"],
    "a leap day": ["2024-02-28T23:59:59.999Z", "2024-02-29T12:00:00.000Z", "2024-03-01T00:00:00.000Z"],
    "a century without one": ["2100-02-28T23:59:59.999Z", "2100-03-01T00:00:00.000Z"],
    "summer time comes": ["2024-03-31T00:59:59.999Z", "2024-03-31T01:00:00.000Z", "2024-03-31T01:30:00.000Z"],
    "summer time goes": ["2024-10-27T00:30:00.000Z", "2024-10-27T01:30:00.000Z", "2024-10-27T02:30:00.000Z"],
    "a leap second's day": ["2016-12-31T23:59:59.999Z", "2017-01-01T00:00:00.000Z"],
    "after 2038": ["2038-01-19T03:14:07.999Z", "2038-01-19T03:14:08.000Z", "2106-02-07T06:28:16.000Z"],
    "ten years ago": ["2014-06-01T10:00:00.000Z", "2014-06-01T10:00:00.000Z", "2024-06-01T10:00:00.000Z"],
    "the clock's beginning": ["1970-01-01T00:00:00.000Z", "1970-01-01T00:00:00.001Z"],
}


@pytest.fixture(params=["UTC", "Europe/Berlin", "America/St_Johns", "Pacific/Kiritimati"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A local time zone, two of them with summer time, one a day ahead."""
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


@pytest.mark.parametrize("name", CALENDAR)
def test_a_moment_is_told_as_it_was_whatever_the_calendar_does(
    name: str, turnlog: Turnlog, tmp_path: Path
) -> None:
    """Logs, lists and reports tell the moments that the clock told; the log is whole and goes elsewhere."""
    moments = CALENDAR[name]
    assert play_at(turnlog, *moments) == moments
    [listed] = turnlog.ok("list", "--json").lines
    assert (listed["created"], listed["touched"]) == (moments[0], moments[-1])
    assert [step["at"] for step in turnlog.ok("replay", "g", "--json").lines] == moments
    assert moments[0][:16].replace("T", " ") + " UTC" in turnlog.ok("export", "g", "--format", "markdown").out
    assert turnlog.json("verify", "g")["ok"]
    file = tmp_path / "log.jsonl"
    turnlog.ok("export", "g", "--output", file)
    turnlog.ok("import", file, "--db", tmp_path / "other.db")
    assert turnlog.ok("log", "g", "--json", "--db", tmp_path / "other.db").lines == turnlog.ok(
        "log", "g", "--json").lines  # fmt: skip


def test_the_local_zone_changes_nothing(zone: str, turnlog: Turnlog, tmp_path: Path) -> None:
    """Through both changes of summer time, in any zone, each command says and writes the same as in UTC."""
    moments = CALENDAR["summer time comes"] + CALENDAR["summer time goes"]
    assert play_at(turnlog, *moments) == moments
    reports = [["export", "g", "--format", form] for form in ("html", "markdown")]
    said = [turnlog.ok(*words).out for words in (["list", "--json"], ["log", "g", "--json"], *reports)]
    at = [json.loads(line)["at"] for line in turnlog.ok("export", "g").out.splitlines()]
    assert time.tzname[0] != "UTC" or zone == "UTC"
    assert [a // 1000 for a in at] == [_milliseconds(moment) for moment in moments]
    assert "2024-03-31 00:59 UTC" in said[-1]
    dates = re.findall(r"2024-\d\d-\d\d[T ]\d\d:\d\d", "\n".join(said))
    assert {date.replace("T", " ") for date in dates} <= {moment[:16].replace("T", " ") for moment in moments}


def _milliseconds(moment: str) -> int:
    told = datetime.datetime.fromisoformat(moment)
    return (told - datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)) // datetime.timedelta(milliseconds=1)


def test_lists_follow_the_times_that_are_told(turnlog: Turnlog) -> None:
    """`list` and completion go by the times they tell, also where the clock was put back; `@` goes by the log."""
    for day, game in (("2024-05-03", "first"), ("2024-05-01", "second"), ("2024-05-02", "third")):
        with freeze_time(day):
            turnlog.json("create", "power-vacuum", "-p", "lucia", "--id", game)
    assert [game["game"] for game in turnlog.ok("list", "--json").lines] == ["first", "third", "second"]
    assert turnlog.json("show", "@")["game"] == "third"
    with freeze_time("2024-04-01"):
        turnlog.ok("note", "first", "1", "earlier than it was made")
    assert [game["game"] for game in turnlog.ok("list", "--json").lines] == ["third", "second", "first"]
    assert turnlog.json("show", "@")["game"] == "first"
    before = turnlog.ok("list", "--json").out
    turnlog.ok("rebuild")
    assert turnlog.ok("list", "--json").out == before


def test_a_repeated_request_has_its_answer_at_any_time(turnlog: Turnlog) -> None:
    """A request said again ten years later, or earlier, has the answer it had; bots' moves of one instant are told
    apart from the next command's.
    """
    with freeze_time(FROZEN):
        turnlog.json("create", "power-vacuum", "-p", "lucia", "-p", "bot:greedy", "--id", "g", "-o", "first=lucia")
        moves = [turnlog.json("moves", "g")["moves"][0]]
        one = turnlog.json("play", "g", moves[0], "--request", "r1")
        moves.append(turnlog.json("moves", "g")["moves"][0])
        two = turnlog.json("play", "g", moves[1], "--request", "r2")
    for moment in ("2081-01-01", "1999-12-31"):
        with freeze_time(moment):
            assert turnlog.json("play", "g", moves[0], "--request", "r1") == one
            assert turnlog.json("play", "g", moves[1], "--request", "r2") == two
    assert one["seq"] < two["seq"]


def test_a_log_followed_is_told_in_order_while_the_clock_goes_back(
    turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """`log --follow` tells each event once, by its number, with the time it has."""
    assert play_at(turnlog, FROZEN) == ["2071-03-04T05:06:07.000Z"]
    days = ["2071-03-03", "1999-01-01", "2080-01-01"]
    moves = iter(days)

    def sleep(_: float) -> None:
        day = next(moves, None)
        if day is None:
            raise KeyboardInterrupt
        log = Session(str(turnlog.db)).writer()
        table = Table(log, "g")
        table.note(1, f"on {day}", now=_milliseconds(f"{day}T00:00:00Z") * 1000)
        log.close()

    monkeypatch.setattr("cli.review.time.sleep", sleep)
    with pytest.raises(KeyboardInterrupt):
        review.log(Session(str(turnlog.db), json=True), "g", None, True)
    told = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert [event["seq"] for event in told] == [1, 2, 3, 4]
    assert [event["at"][:10] for event in told] == ["2071-03-04", *days]


# times in files from elsewhere ------------------------------------------------------------------------

YEAR_10000 = 253_402_300_800_000_000


def at_time(turnlog: Turnlog, at: int) -> Path:
    """A game's file, all of whose events say that they were written at a time."""
    turnlog.ok("create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--id", "g", "--seed", "1")
    turnlog.ok("play", "g", turnlog.json("moves", "g")["moves"][0])
    rows, digest = [json.loads(line) for line in turnlog.ok("export", "g").out.splitlines()], ROOT
    for row in rows:
        row["at"] = at
        data = msgspec.json.encode(row["data"]).decode()
        columns = (row[name] for name in ("game", "seq", "at", "kind", "actor", "schema", "request"))
        digest = chained(digest, *columns, data)
        row["digest"] = digest.hex()
    file = turnlog.db.with_name("forged.jsonl")
    file.write_text("".join(msgspec.json.encode(row).decode() + "\n" for row in rows))
    return file


@pytest.mark.parametrize(
    ("at", "told"),
    [
        (0, "1970-01-01T00:00:00.000Z"),
        (999, "1970-01-01T00:00:00.000Z"),
        (2**31 * 1_000_000, "2038-01-19T03:14:08.000Z"),
        (2**32 * 1_000_000 + 123_999, "2106-02-07T06:28:16.123Z"),
        (LATEST - 1, "9999-12-31T23:46:39.999Z"),
    ],
)
def test_a_file_may_say_any_time_that_has_a_date(at: int, told: str, turnlog: Turnlog, tmp_path: Path) -> None:
    """From 1970 to the year 9999: told to the millisecond, rounded down, and put out again as it came."""
    file = at_time(turnlog, at)
    db = ("--db", tmp_path / "other.db")
    turnlog.ok("import", file, *db)
    assert {event["at"] for event in turnlog.ok("log", "g", "--json", *db).lines} == {told}
    assert turnlog.ok("list", "--json", *db).lines[0]["touched"] == told
    assert told[:16].replace("T", " ") in turnlog.ok("export", "g", "--format", "markdown", *db).out
    assert turnlog.ok("export", "g", *db).out == file.read_text()
    turnlog.ok("undo", "g", *db)
    turnlog.ok("verify", "g", *db)


@pytest.mark.parametrize("at", [-1, -(2**63), LATEST, YEAR_10000, 2**63 - 1, 2**63, 2**70])
def test_a_file_that_says_a_time_without_a_date_is_refused(at: int, turnlog: Turnlog, tmp_path: Path) -> None:
    """Before 1970 or after the year 9999: refused in words, and nothing of it is imported."""
    refused = turnlog("import", at_time(turnlog, at), "--db", tmp_path / "other.db", "--json")
    assert (refused.code, refused.error["code"]) == (6, "bad-entry")
    assert "nothing was imported" in refused.error["message"]
    assert turnlog("list", "--db", tmp_path / "other.db", "--json").out == ""
