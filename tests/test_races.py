"""Two who act at once: one of them is first, the other is told, and nothing is written twice or by halves."""

import json
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from benchmarks.races import Writer, race
from engines import table as table_module
from engines.kit.errors import IllegalMove, Refusal
from engines.kit.notation import words_of
from engines.registry import game_of
from engines.table import Table
from events import sqlite as sqlite_module
from events.errors import Conflict
from events.log import checked
from events.model import Row
from events.sqlite import SqliteLog, open_log
from projections.schema import prepare
from tests.conftest import Answer, Turnlog

GAME = game_of("power-vacuum")

#: Ada begins, and Y1 was played and Y9 taken back: bo may play Y9 or Y8, undo Y1 or redo Y9.
DECK = ["Y1", "Y2", "W2", "W3", "G1", "G2", "R1", "R2", "Y9", "Y8", "W1", "W8", "G9", "G8", "R9", "R8"]
AGENDAS = ["red/green", "red/yellow", "white/brown"]


def begun(turnlog: Turnlog, game: str) -> list[object]:
    """The words that create a game with this deal."""
    stack = turnlog.stack(regime_deck=[DECK], agenda_deck=[AGENDAS])
    players = ["-p", "ada", "-p", "bo", "-o", "first=ada"]
    return ["create", "power-vacuum", *players, "--seed", "1", "--stack", stack, "--id", game]


@pytest.fixture
def game(turnlog: Turnlog) -> Turnlog:
    """A game `g` of four events: two moves, the second one taken back."""
    turnlog.ok(*begun(turnlog, "g"))
    turnlog.play("g", "play Y1", "play Y9")
    turnlog.ok("undo", "g")
    return turnlog


@pytest.fixture
def logs(game: Turnlog) -> Iterator[tuple[SqliteLog, SqliteLog]]:
    """The same log opened twice, as by two processes."""
    both = (open_log(str(game.db), prepare, write=True), open_log(str(game.db), prepare, write=True))
    yield both
    for log in both:
        log.close()


def rows(turnlog: Turnlog) -> list[Row]:
    """All rows of the log."""
    log = open_log(str(turnlog.db), prepare, write=False)
    found = [row for game in log.games() for row in log.rows(game)]
    log.close()
    return found


def conflicted(turnlog: Turnlog, *words: object) -> str:
    """The text of a command that came too late; nothing was written."""
    before = rows(turnlog)
    answer = turnlog(*words, "--json")
    assert answer.code == 4, answer
    assert answer.out == ""
    assert rows(turnlog) == before
    return answer.error["message"]


def played(table: Table, text: str, expect: int | None = None) -> list[int]:
    """The rows of a move."""
    return [entry.seq for entry in table.play(words_of(text), now=9, expect=expect)]


# two tables -------------------------------------------------------------------------------------------

ACTS: dict[str, Callable[[Table], Any]] = {
    "play": lambda table: played(table, "play Y8"),
    "undo": lambda table: table.undo(now=9),
    "undo to": lambda table: table.undo(now=9, to=1),
    "redo": lambda table: table.redo(now=9),
    "note": lambda table: table.note(1, "hm", now=9),
}


@pytest.mark.parametrize("late", ACTS)
@pytest.mark.parametrize("early", ACTS)
def test_who_looked_before_another_wrote_is_told(logs: tuple[SqliteLog, SqliteLog], early: str, late: str) -> None:
    """A table that was loaded before another one appended writes nothing, whatever both of them do. It has the
    game as it is now afterwards, and goes on from there.
    """
    mine, theirs = (Table(log, "g") for log in logs)
    ACTS[early](theirs)
    before = list(logs[0].rows("g"))
    with pytest.raises(Conflict) as conflict:
        played(mine, "play Y8", 4) if late == "play" else ACTS[late](mine)
    assert (conflict.value.expected, conflict.value.found) == (4, 5)
    assert list(logs[0].rows("g")) == before
    assert (mine.seq, mine.state) == (5, Table(logs[0], "g").state)
    try:
        ACTS[late](mine)
    except Refusal:
        assert list(logs[0].rows("g")) == before
    else:
        assert logs[0].last("g") == 6
        assert mine.state == Table(logs[1], "g").state
    assert len(list(checked(logs[1].rows("g")))) == mine.seq


@pytest.mark.parametrize(
    ("early", "refusal"),
    [("note", None), ("play", IllegalMove), ("redo", IllegalMove), ("undo", Conflict), ("undo to", Conflict)],
)
def test_a_move_that_was_overtaken_is_decided_again(
    logs: tuple[SqliteLog, SqliteLog], early: str, refusal: type[Exception] | None
) -> None:
    """A move that names no event it expects is decided on what stands then: it goes, or is illegal now, or it is
    a conflict if its seat is no longer to move. It never stands on a game that was another one.
    """
    mine, theirs = (Table(log, "g") for log in logs)
    ACTS[early](theirs)
    before = list(logs[0].rows("g"))
    if refusal is None:
        assert played(mine, "play Y8") == [6]
    else:
        with pytest.raises(refusal):
            played(mine, "play Y8")
        assert list(logs[0].rows("g")) == before
    assert len(list(checked(logs[1].rows("g")))) == mine.seq
    assert mine.state == Table(logs[1], "g").state


@pytest.mark.parametrize(
    ("theirs", "mine"),
    [
        (["play", "g", "play Y9"], ["play", "g", "play Y8", "--expect", "4"]),
        (["undo", "g"], ["play", "g", "play Y8"]),
    ],
    ids=["another event than expected", "not to move any more"],
)
def test_a_process_that_was_first_is_told_of_at_the_command_line(
    game: Turnlog,
    command: Callable[..., list[str]],
    monkeypatch: pytest.MonkeyPatch,
    theirs: list[str],
    mine: list[str],
) -> None:
    """A `play` that another process overtakes, after it has read the game and before it writes, ends with exit
    code 4, and the log holds what the other one did only.
    """
    resolved = table_module.resolved

    def overtaken(*arguments: Any) -> Any:
        monkeypatch.setattr(table_module, "resolved", resolved)
        subprocess.run(command("--db", game.db, *theirs), check=True, capture_output=True)
        return resolved(*arguments)

    before = len(rows(game))
    monkeypatch.setattr(table_module, "resolved", overtaken)
    answer = game(*mine, "--json")
    assert answer.code == 4
    assert answer.error["code"] == "conflict"
    assert "stands at event 5, not at 4" in answer.error["message"]
    assert len(rows(game)) == before + 1
    assert len(game.view("g")["trick"]) == (2 if theirs[0] == "play" else 0)


# --expect ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("dry", [[], ["--dry-run"]], ids=["", "dry run"])
@pytest.mark.parametrize(
    "words", [["play", "g", "play Y8"], ["undo", "g"], ["redo", "g"]], ids=lambda words: words[0]
)
def test_expect_names_the_last_event_that_changed_the_game(
    game: Turnlog, words: list[str], dry: list[str]
) -> None:
    """A command goes with the number of the last move or undo, and with no other: not that of a note, not an older
    or a later one.
    """
    game.ok("note", "g", 2, "well played")
    for wrong in (0, 1, 3, 5, 6):
        text = conflicted(game, *words, "--expect", wrong, *dry)
        assert f"stands at event 4, not at {wrong}" in text
    game.ok(*words, "--expect", 4, *dry)
    assert len(rows(game)) == (5 if dry else 6)


# --request --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "how", [[], ["--json"], ["--json", "--as", "bo"]], ids=lambda how: " ".join(how) or "text"
)
@pytest.mark.parametrize(
    "words",
    [
        ["play", "g", "play Y8"],
        ["play", "g", "PLAY", "y8"],
        ["undo", "g", "-n", "1"],
        ["undo", "g", "--to", "1"],
        ["redo", "g"],
    ],
    ids=" ".join,
)
def test_a_request_said_twice_is_done_once(game: Turnlog, words: list[str], how: list[str]) -> None:
    """The second time nothing is written and the answer is the same to the byte, also when the game has gone on,
    and whatever event the command expected.
    """
    asked = [*words, "--request", "r1", "--expect", "4", *how]
    first = game.ok(*asked)
    after = rows(game)
    assert len(after) == 5
    assert game(*asked) == first
    assert game(*asked) == first
    assert rows(game) == after
    game.ok("note", "g", 1, "hm")
    to_move = game.json("show", "g")["to_move"]
    while game.json("show", "g")["to_move"] == to_move:
        game.play("g", game.json("moves", "g")["moves"][0])
    after = rows(game)
    assert game(*asked) == first
    assert rows(game) == after


def test_a_request_of_several_events_is_answered_whole(turnlog: Turnlog) -> None:
    """A move with what bots played on it, and a redo of two undos, are answered with all of their events."""
    turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bot:random", "--id", "g", "--seed", "3")
    lengths = set[int]()
    for number in range(6):
        move = turnlog.json("moves", "g")["moves"][0]
        first = turnlog("play", "g", move, "--request", f"play {number}", "--json")
        assert turnlog("play", "g", move, "--request", f"play {number}", "--json") == first
        assert [event["by"] for event in first.json["events"][1:]] in ([], ["bot"], ["bot", "bot"])
        lengths.add(len(first.json["events"]))
    assert lengths > {1}
    for _ in range(3):
        turnlog.ok("undo", "g")
    back = turnlog.ok("redo", "g", "-n", 2, "--request", "back", "--json")
    turnlog.ok("redo", "g")
    assert [event["kind"] for event in back.json["events"]] == ["moves-redone"] * 2
    assert turnlog("redo", "g", "-n", 2, "--request", "back", "--json") == back


def test_an_answer_does_not_depend_on_the_clock(logs: tuple[SqliteLog, SqliteLog]) -> None:
    """A command is answered with its own events, even if the next ones came within the same microsecond."""
    table = Table(logs[0], "g")
    undone = table.undo(now=9, request="undo")
    table.redo(now=9)
    table.undo(now=9)
    redone = table.redo(now=9, request="redo")
    table.redo(now=9)
    assert Table(logs[1], "g").undo(now=10, request="undo") == undone
    assert Table(logs[1], "g").redo(now=10, request="redo") == redone
    assert len(undone) == len(redone) == 1


@pytest.mark.parametrize("players", [["ada", "bo"], ["bot:random", "ada"], ["ada"]], ids=" ".join)
def test_a_creation_said_twice_makes_one_game(turnlog: Turnlog, players: list[str]) -> None:
    """Id, seed and salt are drawn once: the second `create` of a request answers with the game of the first."""
    words = ["create", "power-vacuum", *(word for name in players for word in ("-p", name)), "--request", "new"]
    first = turnlog.ok(*words, "--json")
    after = rows(turnlog)
    assert turnlog(*words, "--json") == first
    assert rows(turnlog) == after
    turnlog.play("@", turnlog.json("moves", "@")["moves"][0])
    assert turnlog(*words, "--json") == first
    assert len({row.game for row in rows(turnlog)}) == 1


@pytest.mark.parametrize(
    "words",
    [
        ["play", "g", "play Y9"],
        ["play", "g", "play Y8", "--as", "ada"],
        ["undo", "g"],
        ["redo", "g"],
    ],
    ids=" ".join,
)
def test_a_request_with_another_content_is_refused(game: Turnlog, words: list[str]) -> None:
    """A request id that comes back with another move, seat or command is a conflict: nothing is written."""
    game.ok("play", "g", "play Y8", "--request", "r1")
    text = conflicted(game, *words, "--request", "r1")
    assert "'r1' was used before" in text
    assert "game g, event 5" in text


@pytest.mark.parametrize(
    "words",
    [
        ["undo", "g", "-n", "2"],
        ["undo", "g", "--to", "2"],
        ["undo", "g", "--as", "bo"],
        ["undo", "g"],
        ["undo", "g", "--as", "ada", "--reason", "slip of the hand"],
        ["redo", "g", "--as", "ada"],
        ["play", "g", "play Y1"],
    ],
    ids=" ".join,
)
def test_an_undo_with_another_content_is_refused(game: Turnlog, words: list[str]) -> None:
    """How far, by whom and why an undo was asked for belongs to its request."""
    game.ok("undo", "g", "--as", "ada", "--request", "r1")
    conflicted(game, *words, "--request", "r1")


@pytest.mark.parametrize(
    "words", [["redo", "g", "-n", "2"], ["redo", "g", "--as", "ada"], ["redo", "g"], ["undo", "g"]], ids=" ".join
)
def test_a_redo_with_another_content_is_refused(game: Turnlog, words: list[str]) -> None:
    """How much and by whom a redo was asked for belongs to its request."""
    game.ok("redo", "g", "--as", "bo", "--request", "r1")
    conflicted(game, *words, "--request", "r1")


@pytest.mark.parametrize(
    "change",
    [
        ["-p", "ada", "-p", "cy"],
        ["-p", "bo", "-p", "ada"],
        ["-p", "ada", "-p", "bo", "-p", "cy"],
        ["-p", "ada", "-p", "bo", "-o", "first=bo"],
        ["-p", "ada", "-p", "bo", "--seed", "2"],
        ["-p", "ada", "-p", "bo", "--undo", "own"],
        ["-p", "ada", "-p", "bo", "--stack", "{}"],
        ["-p", "ada", "-p", "bo", "--set", "SET"],
    ],
    ids=" ".join,
)
def test_a_creation_with_another_content_is_refused(turnlog: Turnlog, change: list[str], tmp_path: Path) -> None:
    """A `create` that asks for another game under a request id that was used makes none."""
    if "SET" in change:
        text = (Path(game_of("power-vacuum").rules.__file__ or "").parent / "set.toml").read_text("utf-8")
        (tmp_path / "set.toml").write_text(text.replace("(2024)", "(of ours)"))
        change = [*change[:-1], str(tmp_path / "set.toml")]
    seed = [] if "--seed" in change else ["--seed", "1"]
    stack = [] if "--stack" in change else ["--stack", turnlog.stack(agenda_deck=[AGENDAS])]
    first = ["--seed", "1", "--stack", turnlog.stack(agenda_deck=[AGENDAS])]
    turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bo", *first, "--request", "new")
    text = conflicted(turnlog, "create", "power-vacuum", *change, *seed, *stack, "--request", "new")
    assert "'new' was used before" in text


def test_a_request_is_used_up_by_what_was_done_only(game: Turnlog) -> None:
    """A refused command, one that came too late and a dry run leave their request id free."""
    for words, code in (
        (["play", "g", "play W1"], 3),
        (["play", "g", "play Y8", "--expect", "1"], 4),
        (["play", "g", "play Y8", "--dry-run"], 0),
        (["undo", "g", "-n", "9"], 3),
        (["undo", "g", "--dry-run"], 0),
    ):
        assert game(*words, "--request", "r1").code == code
    game.ok("play", "g", "play Y9", "--request", "r1")
    assert [row.request for row in rows(game)] == [None, None, None, None, "r1"]


def test_a_request_belongs_to_its_game(game: Turnlog) -> None:
    """Two games may be played on with the same request ids."""
    game.ok(*begun(game, "other"))
    first = game.ok("play", "g", "play Y8", "--request", "r1", "--json")
    game.ok("play", "other", "play Y1", "--request", "r1")
    assert game("play", "g", "play Y8", "--request", "r1", "--json") == first


# reading while another writes -------------------------------------------------------------------------


class Interference:
    """Lets another writer act when the log is asked for the nth time; gives the number of times it was asked."""

    def __init__(self, db: Path, monkeypatch: pytest.MonkeyPatch, act: Callable[[Table], Any]) -> None:
        self.db, self.act = db, act
        self.asked, self.when = 0, -1
        for name in ("last", "rows", "row", "select", "games", "latest", "lines"):
            monkeypatch.setattr(SqliteLog, name, self._watched(getattr(SqliteLog, name)))

    def _watched(self, method: Callable[..., Any]) -> Callable[..., Any]:
        def asked(*arguments: Any, **named: Any) -> Any:
            self.asked += 1
            if self.asked == self.when + 1:
                self.when = -1
                other = open_log(str(self.db), prepare, write=True)
                self.act(Table(other, "g"))
                other.close()
            return method(*arguments, **named)

        return asked

    def during(self, when: int, call: Callable[[], Answer]) -> tuple[Answer, bool]:
        """What a command answers when the other one acts, and whether it did."""
        self.asked, self.when = 0, when
        answer = call()
        acted, self.when = self.when == -1, -1
        return answer, acted


@pytest.mark.parametrize(
    "words",
    [
        ["show", "g", "--as", "referee"],
        ["moves", "g"],
        ["log", "g"],
        ["replay", "g"],
        ["export", "g"],
        ["verify", "g"],
        ["verify", "--all"],
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("act", ["play", "undo"])
def test_what_is_read_while_another_writes_is_of_one_moment(
    game: Turnlog, monkeypatch: pytest.MonkeyPatch, words: list[str], act: str
) -> None:
    """Whenever another process appends, a reading command answers as before that or as after it, and never finds
    damage where none is.
    """
    json_flag = [] if words[0] == "export" else ["--json"]
    kept = game.db.read_bytes()
    before = game.ok(*words, *json_flag)
    interference = Interference(game.db, monkeypatch, ACTS[act])
    for when in range(100):
        _lay(game.db, kept)
        answer, acted = interference.during(when, lambda: game(*words, *json_flag))
        after = game.ok(*words, *json_flag)
        if not acted:
            assert when > 1
            break
        assert _timeless(answer) in (_timeless(before), _timeless(after)), f"at {when}"
        assert len(rows(game)) == 5
    else:
        pytest.fail("asked without end")


@pytest.mark.parametrize("late", ACTS)
def test_whenever_another_writes_one_of_both_is_first(
    game: Turnlog, monkeypatch: pytest.MonkeyPatch, late: str
) -> None:
    """Whenever another process appends during a command, the command is done on what it wrote, or refused; never
    is there a row that was made without knowing the one before it. A move goes whenever its seat can still move.
    """
    words = {
        "play": ["play", "g", "play Y8"],
        "undo": ["undo", "g"],
        "undo to": ["undo", "g", "--to", "1"],
        "redo": ["redo", "g"],
        "note": ["note", "g", "1", "hm"],
    }[late]
    kept = game.db.read_bytes()
    interference = Interference(game.db, monkeypatch, ACTS["note"])
    codes: list[int] = []
    for when in range(100):
        _lay(game.db, kept)
        answer, acted = interference.during(when, lambda: game(*words, "--json"))
        if not acted:
            assert answer.code == 0
            break
        codes.append(answer.code)
        assert answer.code in (0, 4), f"at {when}: {answer}"
        assert len(rows(game)) == (6 if answer.code == 0 else 5)
        game.ok("verify", "g")
    assert set(codes) == ({0} if late == "play" else {0, 4})


def _lay(db: Path, content: bytes) -> None:
    """The database as it was."""
    for beside in ("-wal", "-shm"):
        db.with_name(db.name + beside).unlink(missing_ok=True)
    db.write_bytes(content)


def _timeless(answer: Answer) -> tuple[int, str, str]:
    """An answer without the time at which the other one acted."""
    lines = []
    for line in answer.out.splitlines():
        document = json.loads(line)
        for name in ("at", "touched", "digest"):
            document.pop(name, None)
        lines.append(json.dumps(document))
    return answer.code, "\n".join(lines), answer.err


# many processes ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "writers",
    [
        [Writer("g"), Writer("g"), Writer("g")],
        [Writer("g", expect=True), Writer("g", expect=True)],
        [Writer("g0"), Writer("g1", pause=0.01), Writer("g2", script=True)],
    ],
    ids=["one game", "one game, each naming the event it expects", "a game each"],
)
def test_processes_that_play_at_once_lose_nothing(tmp_path: Path, writers: list[Writer]) -> None:
    """Every command that was acknowledged is in the log once, under its number and request, and nothing else is;
    said twice it is answered the same. In a game of its own nobody is ever refused.
    """
    told = race(tmp_path / "games.db", writers, 20)
    assert sum(len(one.seqs) for one in told) >= 20
    for one, written in zip(writers, told, strict=True):
        assert one.game == "g" or not written.refused


SAME = {
    "create": ["create", "power-vacuum", "-p", "ada", "-p", "cy"],
    "create with an id": ["create", "power-vacuum", "-p", "ada", "-p", "cy", "--id", "new"],
    "play": ["play", "g", "play Y8"],
    "undo": ["undo", "g", "--as", "ada"],
    "redo": ["redo", "g"],
}


@pytest.mark.parametrize("words", [SAME["create"], SAME["play"], SAME["undo"]], ids=" ".join)
def test_processes_that_say_the_same_request_get_the_same_answer(
    game: Turnlog, command: Callable[..., list[str]], words: list[str]
) -> None:
    """Three processes with the same request at once: it is done once, and all get the same answer to the byte."""
    words = [*words, "--request", "same", "--json"]
    before = len(rows(game))
    processes = [
        subprocess.Popen(
            command(*words, "--db", game.db), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(3)
    ]
    answers = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0, 0, 0], answers
    assert len(rows(game)) == before + 1
    assert set(answers) == {(game.ok(*words).out, "")}


@pytest.mark.parametrize("words", SAME.values(), ids=SAME)
def test_who_is_overtaken_by_its_own_request_gets_its_answer(
    game: Turnlog, command: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """Another process does the very same after a command has looked whether it was done, before it writes."""
    words = [*words, "--request", "same", "--json"]
    append = SqliteLog.append
    told: list[str] = []

    def overtaken(*arguments: Any, **named: Any) -> Any:
        monkeypatch.setattr(SqliteLog, "append", append)
        other = [*command("--db", game.db), *words]
        told.append(subprocess.run(other, check=True, capture_output=True, text=True).stdout)
        return append(*arguments, **named)

    before = len(rows(game))
    monkeypatch.setattr(SqliteLog, "append", overtaken)
    assert [game.ok(*words).out] == told
    assert len(rows(game)) == before + 1


@pytest.mark.parametrize("words", SAME.values(), ids=SAME)
def test_who_is_overtaken_by_another_use_of_its_request_is_told(
    game: Turnlog, command: Callable[..., list[str]], monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """Another process uses the request for something else just then: nothing more is written."""
    append = SqliteLog.append
    create = words[0] == "create"
    other = ["create", "power-vacuum", "-p", "di", "-p", "ed"] if create else ["play", "g", "play Y9"]
    before = len(rows(game))

    def overtaken(*arguments: Any, **named: Any) -> Any:
        monkeypatch.setattr(SqliteLog, "append", append)
        said = command("--db", game.db, *other, "--request", "same")
        subprocess.run(said, check=True, capture_output=True)
        return append(*arguments, **named)

    monkeypatch.setattr(SqliteLog, "append", overtaken)
    answer = game(*words, "--request", "same", "--json")
    assert answer.code == 4
    assert answer.error["code"] == "request-reused"
    assert len(rows(game)) == before + 1


@pytest.mark.parametrize(
    "words",
    [["play", "g", "play Y8"], ["undo", "g"], ["note", "g", "1", "hm"], SAME["create"], ["rebuild"]],
    ids=" ".join,
)
def test_a_database_that_others_hold_too_long_is_a_conflict_in_words(
    game: Turnlog, monkeypatch: pytest.MonkeyPatch, words: list[str]
) -> None:
    """The wait for other processes is bounded; then the command ends with exit code 4 and says so in words that
    are not SQLite's. Reading goes on meanwhile.
    """
    monkeypatch.setattr(sqlite_module, "_BUSY_MS", 20)
    other = sqlite3.connect(game.db, isolation_level=None)
    other.execute("begin immediate")
    answer = game(*words, "--json")
    assert answer.code == 4
    assert answer.error["code"] == "busy"
    assert "is being written to by another process: nothing was written" in answer.error["message"]
    assert "locked" not in answer.err
    assert game.ok("verify", "g").out.startswith("g: whole; 4 events")
    other.close()
    game.ok(*words)
