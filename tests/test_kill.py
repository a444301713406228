"""A process that is killed: what it has told is in the log, what it has not is there whole or not at all."""

import json
import shutil
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from engines.table import Table
from events.log import checked
from events.model import Row
from events.sqlite import SqliteLog, open_log
from projections.rebuild import rebuild
from projections.schema import prepare
from replays.verifying import page_faults, verify
from tests.conftest import Turnlog
from tests.test_readmodels import dump

#: Ada against two bots, which answer each of her moves in the same transaction.
CREATE = [
    *("create", "power-vacuum", "-p", "ada", "-p", "bot:random", "-p", "bot:random"),
    *("-o", "first=ada", "--id", "g", "--seed", "5"),
]


def hold_whole(db: Path, told: list[int]) -> list[Row]:
    """The log of `g` is whole and holds what was `told`; batches are whole; the lists say what it says.

    Gives its rows.
    """
    log = open_log(str(db), prepare, write=True)
    try:
        log.connection.execute("pragma synchronous = off")
        assert page_faults(log) == []
        rows = list(checked(log.rows("g")))
        assert set(told) <= {row.seq for row in rows}
        if rows:
            verify(log, "g")
            assert Table(log, "g").to_move in ((0,), ())  # else a bot's answer would be missing
        before = dump(log)
        rebuild(log)
        assert dump(log) == before
        return rows
    finally:
        log.close()


def seqs_of(out: str) -> list[int]:
    """The events that whole lines of JSON told of."""
    return [json.loads(line)["seq"] for line in out.splitlines(keepends=True) if line.endswith("\n")]


# at any time ------------------------------------------------------------------------------------------

#: Plays legal moves by the command line, one after another, and tells of each what `play --json` answers.
PLAYER = """
import contextlib, io, json, random, sys
from cli.app import run_app
from cli.main import fast_play

chance = random.Random(sys.argv[2])
while True:
    out = io.StringIO()
    with contextlib.redirect_stdout(out):
        run_app(["--db", sys.argv[1], "moves", "g", "--json"])
    moves = json.loads(out.getvalue())["moves"]
    if not moves:
        break
    assert fast_play(["play", "g", chance.choice(moves), "--json", "--db", sys.argv[1]]) == 0
    sys.stdout.flush()
"""


def test_what_was_told_survives_a_kill_at_any_time(turnlog: Turnlog) -> None:
    """A process that plays move after move is killed a dozen times, each time a little later after what it told
    last; another one goes on with the game. No event that was told of is lost, and none is there by half.
    """
    turnlog.ok(*CREATE)
    told = [1]
    last = 1
    for number in range(12):
        process = subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(turnlog.db), str(number)], stdout=subprocess.PIPE, text=True
        )
        assert process.stdout is not None
        out = "".join(process.stdout.readline() for _ in range(1 + number % 3))
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.003 * number)
        process.kill()
        out += process.communicate()[0]
        told += seqs_of(out)
        rows = hold_whole(turnlog.db, told)
        assert len(rows) >= max(told)
        assert len(rows) >= last
        last = len(rows)
    assert len(set(told)) == len(told) > 12


def test_the_command_itself_survives_a_kill_at_any_time(
    turnlog: Turnlog, command: Callable[..., list[str]]
) -> None:
    """The installed command is killed a dozen times, sooner or later after its start, and said again with the same
    request: in the end each request was done once, and what was told before a kill is what is told again.
    """
    turnlog.ok(*CREATE)
    rows = hold_whole(turnlog.db, [1])
    for number in range(12):
        move = turnlog.json("moves", "g")["moves"][0]
        words = ["play", "g", move, "--request", f"r{number}", "--json"]
        process = subprocess.Popen(command("--db", turnlog.db, *words), stdout=subprocess.PIPE, text=True)
        with suppress(subprocess.TimeoutExpired):
            process.wait(timeout=0.012 * number)
        process.kill()
        out = process.communicate()[0]
        after = hold_whole(turnlog.db, seqs_of(out))
        assert after[: len(rows)] == rows
        again = turnlog.ok(*words).out
        assert out in (again, "")
        rows = hold_whole(turnlog.db, seqs_of(again))
        assert sum(row.request == f"r{number}" for row in rows) == 1


# at every moment --------------------------------------------------------------------------------------

#: Carries out a command again and again on copies of a database, in a child process that kills itself when it
#: begins its nth statement, or (the last moment of all) when its append has returned; until one is left to end.
ZYGOTE = """
import os, shutil, signal, sqlite3, sys
from cli.app import run_app
from cli.main import fast_play
from events.sqlite import SqliteLog

base, folder, stride, *words = sys.argv[1:]
connect, append = sqlite3.connect, SqliteLog.append
left = -1

def step(*_):
    global left
    if left == 0:
        os.kill(os.getpid(), signal.SIGKILL)
    left -= 1

def watched(*arguments, **named):
    connection = connect(*arguments, **named)
    connection.set_trace_callback(step)
    return connection

def appended(*arguments, **named):
    rows = append(*arguments, **named)
    step()
    return rows

sqlite3.connect, SqliteLog.append = watched, appended
for moment in range(0, 1000, int(stride)):
    place = f"{folder}/{moment:03}"
    os.makedirs(place)
    if os.path.exists(base):
        shutil.copy(base, f"{place}/games.db")
    child = os.fork()
    if child == 0:
        os.dup2(os.open(f"{place}/told", os.O_WRONLY | os.O_CREAT), 1)
        said = [*words, "--db", f"{place}/games.db"]
        left = moment
        code = fast_play(said)
        code = run_app(said) if code is None else code
        sys.stdout.flush()
        os._exit(code)
    status = os.waitpid(child, 0)[1]
    if not os.WIFSIGNALED(status):
        sys.exit(os.waitstatus_to_exitcode(status))
sys.exit("it never ended")
"""

COMMANDS = {
    "play": (["play", "g", "point", "--request", "r1", "--json"], 1),
    "undo": (["undo", "g", "--request", "r1", "--json"], 2),
    "redo": (["redo", "g", "--request", "r1", "--json"], 2),
    "create": ([*CREATE, "--request", "r1", "--json"], 9),
}


@pytest.mark.parametrize("name", COMMANDS)
def test_a_command_killed_at_any_statement_is_done_or_not(turnlog: Turnlog, tmp_path: Path, name: str) -> None:
    """Wherever in its work a command is killed, it is done whole or not at all; said again with its request it is
    done once, and the answer is the one that would have been given.
    """
    words, stride = COMMANDS[name]
    base = tmp_path / "base.db"
    if name != "create":
        _before(turnlog, name)
        shutil.copy(turnlog.db, base)
    before = _rows(base) if name != "create" else []
    folder = tmp_path / "moments"
    subprocess.run([sys.executable, "-c", ZYGOTE, str(base), str(folder), str(stride), *words], check=True)
    *killed, ended = sorted(folder.iterdir())
    done = len(_rows(ended / "games.db"))
    assert done > len(before)
    assert len(killed) > 10
    found = set[int]()
    for place in killed:
        turnlog.db.unlink(missing_ok=True)
        for file in place.glob("games.db*"):
            shutil.copy(file, turnlog.db.with_name(file.name))
        told = (place / "told").read_text() if (place / "told").exists() else ""
        rows = hold_whole(turnlog.db, seqs_of(told))
        assert len(rows) in (len(before), done), place.name
        assert rows[: len(before)] == before
        found.add(len(rows))
        turnlog.ok(*words)
        assert len(hold_whole(turnlog.db, [done])) == done
    if stride == 1:
        assert found == {len(before), done}


def _before(turnlog: Turnlog, name: str) -> None:
    """A game in which ada has won a trick, or an undo may be taken back."""
    turnlog.ok(*CREATE)
    while "point" not in turnlog.json("moves", "g")["moves"]:
        turnlog.play("g", turnlog.json("moves", "g")["moves"][-1])
    if name == "redo":
        turnlog.ok("undo", "g")


def _rows(db: Path) -> list[Row]:
    log: SqliteLog = open_log(str(db), prepare, write=False)
    rows = list(log.rows("g"))
    log.close()
    return rows
