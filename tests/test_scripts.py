"""Scripts, transcripts and logs as files: what goes out comes in again, and what is not right stays out."""

import contextlib
import io
import json
import shutil
import sqlite3
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cli.app import run_app
from events.digest import chained
from tests.conftest import Answer, Turnlog
from tests.power_vacuum_tables import deal

HANDS = deal("Y2 Y9 W1 W2 W3 G1 G2 R1", "Y3 Y8 W4 W5 W6 G3 G4 R2")
CREATE = f"""create power-vacuum -p lucia -p fritz --seed s -o first=lucia --id g --stack '{
    json.dumps({"regime-deck": [HANDS], "agenda-deck": [["red/white", "yellow/brown", "red/green"]]})
}'"""


@pytest.fixture
def script(tmp_path: Path) -> Callable[..., Path]:
    """Writes lines to a script's file."""

    def written(*lines: str) -> Path:
        path = tmp_path / "script.txt"
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    return written


def from_stdin(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch, text: bytes, *words: object) -> Answer:
    """Runs a command that reads standard input."""
    with monkeypatch.context() as patched:
        patched.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text), encoding="utf-8"))
        return turnlog(*words)


def count(turnlog: Turnlog, path: Path | None = None) -> int:
    """How many events the database holds."""
    path = path or turnlog.db
    if not path.exists():
        return 0
    connection = sqlite3.connect(path)
    try:
        return connection.execute("select count(*) from events").fetchone()[0]
    finally:
        connection.close()


# run ----------------------------------------------------------------------------------------------------

WHOLE = [
    "# a game",
    CREATE,
    "",
    "lucia: play Y2",
    "   2: play Y3   ",
    "  # fritz wins",
    "point",
    "1: transfer red green",
    "plug green supply",
    "fritz: undo",
    "redo",
    'lucia: note 4 "a fine move"',
    "note 2 unquoted words do, too",
    'fritz: close "bored"',
]


def test_a_script_is_played(turnlog: Turnlog, script: Callable[..., Path]) -> None:
    """create, moves with SEAT as name, number or nothing, undo, redo, note, close, blank lines and comments."""
    answers = turnlog.ok("run", script(*WHOLE), "--json").lines

    events = [event for answer in answers for event in answer["events"]]
    assert [(event["kind"], event["seat"], event["move"]) for event in events] == [
        ("game-created", None, None),
        ("move-made", "lucia", "play Y2"),
        ("move-made", "fritz", "play Y3"),
        ("move-made", "fritz", "point"),
        ("move-made", "lucia", "transfer red green"),
        ("move-made", "lucia", "plug green supply"),
        ("moves-undone", "fritz", None),
        ("moves-redone", None, None),
        ("noted", "lucia", None),
        ("noted", None, None),
        ("game-closed", "fritz", None),
    ]
    assert [event.get("text") for event in events if event["kind"] == "noted"] == [
        "a fine move", "unquoted words do, too",
    ]  # fmt: skip
    assert answers[-1]["result"]["reason"] == "fritz resigned: bored"
    assert turnlog.json("show", "g")["seq"] == 11


def test_a_script_comes_from_standard_input(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """`run -` plays what is piped in."""
    answer = from_stdin(turnlog, monkeypatch, "\n".join(WHOLE).encode(), "run", "-")

    assert (answer.code, answer.err) == (0, "")
    assert "lucia plays Y2." in answer.out
    assert turnlog.json("show", "g")["seq"] == 11


def test_a_script_goes_on_with_a_game(turnlog: Turnlog, script: Callable[..., Path]) -> None:
    """--game names the game that a script without `create` plays."""
    turnlog.ok("run", script(*WHOLE[:4]))
    turnlog.ok("create", "power-vacuum", "-p", "ana", "--id", "other")

    turnlog.ok("run", script("fritz: play Y3", "point"), "--game", "g")

    assert turnlog.json("show", "g")["seq"] == 4
    assert turnlog.json("show", "other")["seq"] == 1


def test_a_script_may_create_several_games(turnlog: Turnlog, script: Callable[..., Path]) -> None:
    """Each `create` goes on with its own game."""
    turnlog.ok("run", script(CREATE, "play Y2", "create power-vacuum -p ana --id h", "aim green brown"))

    assert [turnlog.json("show", game)["seq"] for game in ("g", "h")] == [2, 2]


def test_bots_answer_in_a_script(turnlog: Turnlog, script: Callable[..., Path]) -> None:
    """A script of a person's moves alone is enough: bots play as they would on the command line."""
    answers = turnlog.ok(
        "run", script("create power-vacuum -p lucia --seed 1 --id g", "aim green brown", "play R2"), "--json"
    ).lines

    assert [event["seat"] for event in answers[-1]["events"]][:3] == ["lucia", "red", "yellow"]


@pytest.mark.parametrize(
    ("line", "code", "says"),
    [
        pytest.param("lucia: play Y9", 3, "it is not lucia's turn", id="not-yours"),
        pytest.param("fritz: play W4", 3, "Y was led and you have Y", id="illegal"),
        pytest.param("fritz: dance", 3, "'dance' is no move of this game", id="no-move"),
        pytest.param("fritz:", 3, "'?' is no move of this game", id="no-words"),
        pytest.param('play "Y3', 3, "is no JSON string", id="an-open-quotation"),
        pytest.param("undo -n 5", 3, "only 1 moves can be taken back", id="undo-too-far"),
        pytest.param("redo", 3, "nothing can be redone", id="nothing-to-redo"),
        pytest.param("note 1", 3, "a note needs a text", id="an-empty-note"),
        pytest.param("create power-vacuum", 3, "power-vacuum is for 1 to 5 seats", id="no-seats"),
        pytest.param("nobody: play Y3", 2, "there is no seat 'nobody'", id="no-such-seat"),
        pytest.param("3: play Y3", 2, "there is no seat 3", id="no-such-number"),
        pytest.param("9" * 40 + ": play Y3", 2, "there is no seat 999999999", id="a-huge-number"),
        pytest.param("undo --far 5", 2, "'--far' is not understood here", id="an-unknown-option"),
        pytest.param("undo -n", 2, "'-n' is not understood here", id="an-option-without-value"),
        pytest.param("undo -n x", 2, "-n takes a number", id="no-number"),
        pytest.param("undo -n " + "9" * 30, 2, "-n takes a number", id="too-large-a-number"),
        pytest.param("note x text", 2, "the event takes a number", id="a-note-on-nothing"),
        pytest.param("create", 2, "`create` needs the game's slug", id="create-nothing"),
        pytest.param("create power-vacuum -p", 2, "-p needs a value", id="create-without-value"),
        pytest.param(
            "create power-vacuum -p a --fast", 2, "'--fast' is not understood", id="create-unknown-option"
        ),
        pytest.param("create power-vacuum -p 'a", 2, "a quotation is not closed", id="create-open-quotation"),
        pytest.param("play " + "x" * 1_000_001, 2, "the line is too long", id="too-long"),
        pytest.param("create power-vacuum -p a --id g", 4, "the id 'g' is taken", id="the-same-id"),
        pytest.param("note 99 text", 5, "game g has no event 99", id="no-such-event"),
        pytest.param("undo --to 99", 5, "game g has no event 99", id="undo-to-no-event"),
        pytest.param("create chess -p a", 5, "no game 'chess' is installed", id="no-such-game"),
    ],
)
def test_a_script_stops_at_the_first_refusal(
    turnlog: Turnlog, script: Callable[..., Path], line: str, code: int, says: str
) -> None:
    """It names the line, ends with the exit code of what refused it, and keeps what came before."""
    path = script("# a comment counts", CREATE, "lucia: play Y2", "", line, "fritz: play Y3")

    told = turnlog("run", path, "--json")

    assert told.code == code
    assert told.error["code"] == "script-stopped"
    assert told.error["message"].startswith(f"line 5, {line if len(line) <= 60 else line[:57] + '...'!r}: ")
    assert says in told.error["message"]
    assert [answer["seq"] for answer in told.lines] == [1, 2], "what was played before is told"
    assert count(turnlog) == 2
    assert turnlog.view("g")["trick"] == [{"seat": "lucia", "card": "Y2"}]


def test_a_script_of_moves_alone_needs_a_game(turnlog: Turnlog, script: Callable[..., Path]) -> None:
    """Before a `create` and without --game there is nothing to play."""
    told = turnlog("run", script("# nothing", "play Y2"), "--json")

    assert (told.code, told.out) == (2, "")
    assert told.error["message"] == "line 2, 'play Y2': no game was created yet"


# transcripts --------------------------------------------------------------------------------------------


def exported(turnlog: Turnlog, game: str, format_: str, db: Path | None = None) -> str:
    """What `export` writes to stdout."""
    return turnlog.ok("export", game, "--format", format_, *(["--db", db] if db else [])).out


def play_some(turnlog: Turnlog, game: str, moves: int) -> None:
    """So many moves, one of those on offer each, for whoever is to move."""
    for number in range(moves):
        document = turnlog.json("moves", game)
        if document["moves"]:
            move = document["moves"][(7 * number) % len(document["moves"])]
            turnlog.json("play", game, move, "--as", document["seat"])


def with_all_kinds(turnlog: Turnlog) -> str:
    """A game with every kind of event in its log."""
    turnlog.json("create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--id", "g", "--seed", "7")
    play_some(turnlog, "g", 6)
    turnlog.ok("undo", "g", "-n", 2, "--as", "fritz", "--reason", 'it\'s "late" # so')
    turnlog.ok("redo", "g", "--as", "1")
    turnlog.ok("undo", "g", "--to", 3)
    turnlog.ok("note", "g", 3, 'he said "no": # really\nand went', "--as", "lucia")
    turnlog.ok("note", "g", 1, "\\ by nobody")
    play_some(turnlog, "g", 3)
    turnlog.ok("undo", "g")
    turnlog.ok("undo", "g")
    turnlog.ok("redo", "g", "-n", 2)
    turnlog.ok("close", "g", "--as", "fritz", "--reason", 'no more "time"')
    kinds = {event["kind"] for event in turnlog.ok("log", "g", "--json").lines}
    assert len(kinds) == 6
    return "g"


def created(*words: str, moves: int = 0) -> Callable[[Turnlog], str]:
    """A game made by `create` with these words, and some moves of it."""

    def made(turnlog: Turnlog) -> str:
        turnlog.json("create", "power-vacuum", *words, "--id", "g")
        play_some(turnlog, "g", moves)
        return "g"

    return made


def solo_with_undo(turnlog: Turnlog) -> str:
    """A solo game with the bots' moves taken back and put back."""
    turnlog.json("create", "power-vacuum", "-p", "eva", "-o", "difficulty=harder", "--id", "g", "--seed", "x y")
    play_some(turnlog, "g", 5)
    turnlog.ok("undo", "g", "-n", 2)
    turnlog.ok("redo", "g")
    play_some(turnlog, "g", 8)
    return "g"


GAMES = {
    "every-kind-of-event": with_all_kinds,
    "solo": solo_with_undo,
    "five-seats": created(*(w for n in "abcde" for w in ("-p", n)), "--seed", "5", moves=14),
    "bots": created("-p", "bot:greedy", "-p", "bot:random", "--seed", "3"),
    "bots-of-one-kind": created("-p", "bot:random", "-p", "bot:random", "--seed", "4"),
    "a-person-and-bots": created("-p", "bot:greedy", "-p", "ana", "-p", "bot:random", "--seed", "5", moves=12),
    "odd-names": created("-p", "Ana Lucia", "-p", 'o"neil', "-p", "é's", "-p", "create", "--seed", "6", moves=9),
    "options": created(
        "-p", "a", "-p", "b", "--seed", "'", "--undo", "off", "-o", "first=b", "-o", "appliances=red,brown",
        moves=5,
    ),
    "a-stack": created("-p", "a", "-p", "b", "--seed", "s", "--stack", '{"first-player":["b"]}', moves=5),
    "a-secret-seed": created("-p", "a", "-p", "b", moves=5),
}  # fmt: skip


def choices(turnlog: Turnlog, db: Path) -> dict[str, Any]:
    """What was chosen when the game last touched was made; its salt is drawn anew each time."""
    made = turnlog.ok("log", "@", "--json", "--as", "referee", "--db", db).lines[0]["created"]
    return {key: value for key, value in made.items() if key not in ("salt", "seed_digest")}


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_transcript_plays_the_same_game(
    turnlog: Turnlog, tmp_path: Path, game: Callable[[Turnlog], str]
) -> None:
    """export, run (or import) in an empty database, export: the same bytes, and the same board."""
    text = exported(turnlog, game(turnlog), "transcript")
    file = tmp_path / "transcript.txt"
    file.write_text(text, encoding="utf-8")
    board = turnlog.view("g", "referee")
    here = turnlog.json("show", "g")
    chosen = choices(turnlog, turnlog.db)

    for command in ("run", "import"):
        other = tmp_path / f"{command}.db"
        turnlog.ok(command, file, "--db", other)

        assert exported(turnlog, "@", "transcript", other) == text
        assert turnlog.view("@", "referee", "--db", other) == board
        there = turnlog.json("show", "@", "--db", other)
        assert (there["seq"], there["result"]) == (here["seq"], here["result"])
        assert choices(turnlog, other) == chosen
        turnlog.ok("verify", "--all", "--db", other)


def test_a_transcript_is_a_script_people_can_read(turnlog: Turnlog) -> None:
    """The create line, a line a move, what followed as comments."""
    turnlog.ok(
        "create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--seed", "7", "-o", "first=lucia", "--id", "g"
    )
    move = next(move for move in turnlog.json("moves", "g")["moves"] if move.startswith("play"))
    turnlog.play("g", move)

    lines = exported(turnlog, "g", "transcript").splitlines()

    assert lines[0] == "# Power Vacuum: a transcript. `turnlog run` or `turnlog import` plays it again."
    assert lines[1] == "create power-vacuum -p lucia -p fritz -o first=lucia --seed 7"
    assert [line for line in lines[2:] if not line.startswith("#")] == [f"lucia: {move}"]
    assert f"#   lucia plays {move.split()[1]}." in lines


texts = st.text(min_size=1, max_size=30)


@given(name=texts, seed=texts, reason=texts, note=texts)
@settings(
    max_examples=20,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@example(name="create x", seed="a b", reason="a\nb", note="a\nb")
@example(name="x", seed="a\nb", reason="", note="")
@example(name="undo", seed="'", reason='"', note='"')
@example(name="12a", seed="-", reason="-n 3", note="# x")
@example(name="a b", seed="--undo", reason=" x ", note='"a" b')
@example(name="\\", seed="\\", reason="\\", note="\\")
def test_any_text_survives_a_transcript(
    turnlog: Turnlog, tmp_path: Path, name: str, seed: str, reason: str, note: str
) -> None:
    """Whatever a seat, a seed, a reason and a note may hold, the transcript plays the same game."""
    for path in tmp_path.glob("*.db*"):
        path.unlink()
    made = turnlog("create", "power-vacuum", f"--player={name}", "-p", "other", f"--seed={seed}", "--id", "g")
    if made.code != 0:
        assert made.code == 2
        return
    play_some(turnlog, "g", 2)
    turnlog("undo", "g", f"--reason={reason}")
    turnlog("note", "g", "1", "--as", "1", "--", note)
    turnlog("close", "g", "--as", "1", f"--reason={reason}")
    text = exported(turnlog, "g", "transcript")
    file = tmp_path / "transcript.txt"
    file.write_bytes(text.encode())

    turnlog.ok("import", file, "--db", tmp_path / "other.db")

    assert exported(turnlog, "@", "transcript", tmp_path / "other.db") == text


def test_a_refused_transcript_imports_nothing(turnlog: Turnlog, script: Callable[..., Path]) -> None:
    """`import` of a script takes all of it or nothing."""
    told = turnlog("import", script(CREATE, "lucia: play Y2", "lucia: play Y9"), "--json")

    assert (told.code, told.out) == (3, "")
    assert told.error["message"].startswith("line 3, 'lucia: play Y9': it is not lucia's turn")
    assert count(turnlog) == 0


def test_a_transcript_of_several_games_is_run_not_imported(turnlog: Turnlog, script: Callable[..., Path]) -> None:
    """An import takes one game."""
    told = turnlog("import", script(CREATE, CREATE.replace("--id g", "--id h")), "--json")

    assert (told.code, count(turnlog)) == (2, 0)
    assert told.error["message"].endswith("the transcript creates several games")


# logs ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES.values(), ids=GAMES)
def test_a_log_is_imported_as_it_was_exported(
    turnlog: Turnlog, tmp_path: Path, game: Callable[[Turnlog], str]
) -> None:
    """export, import into an empty database, export: the same bytes; again is a no-op; lists come out the same."""
    text = exported(turnlog, game(turnlog), "jsonl")
    file, other = tmp_path / "log.jsonl", tmp_path / "other.db"
    file.write_text(text, encoding="utf-8")
    events = text.count("\n")

    first = turnlog.json("import", file, "--db", other)
    again = turnlog.json("import", file, "--db", other)

    assert (first, again) == (
        {"game": "g", "events": events, "new": events},
        {"game": "g", "events": events, "new": 0},
    )
    assert exported(turnlog, "g", "jsonl", other) == text
    assert turnlog.ok("list", "--json", "--db", other).out == turnlog.ok("list", "--json").out
    assert turnlog.json("standings", "--db", other) == turnlog.json("standings")
    turnlog.ok("verify", "--all", "--db", other)


def test_a_log_comes_from_standard_input_and_from_a_file_that_export_wrote(
    turnlog: Turnlog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`export --output` and `import -`."""
    with_all_kinds(turnlog)
    file = tmp_path / "log.jsonl"
    assert turnlog.json("export", "g", "--output", file) == {"output": str(file), "format": "jsonl"}
    assert file.read_text() == exported(turnlog, "g", "jsonl")

    answer = from_stdin(turnlog, monkeypatch, file.read_bytes(), "import", "-", "--db", tmp_path / "other.db")

    assert (answer.code, answer.err) == (0, "")
    assert exported(turnlog, "g", "jsonl", tmp_path / "other.db") == file.read_text()


def test_a_grown_game_brings_only_its_new_events(turnlog: Turnlog, tmp_path: Path) -> None:
    """Imported again after it went on, a game is brought up to date; an older file of it changes nothing."""
    file, grown, other = tmp_path / "log.jsonl", tmp_path / "grown.jsonl", tmp_path / "other.db"
    created("-p", "a", "-p", "b", "--seed", "1", moves=4)(turnlog)
    file.write_text(exported(turnlog, "g", "jsonl"))
    turnlog.ok("undo", "g")
    play_some(turnlog, "g", 3)
    grown.write_text(exported(turnlog, "g", "jsonl"))
    turnlog.ok("import", file, "--db", other)

    assert turnlog.json("import", grown, "--db", other) == {"game": "g", "events": 9, "new": 4}
    assert turnlog.json("import", file, "--db", other) == {"game": "g", "events": 5, "new": 0}

    assert exported(turnlog, "g", "jsonl", other) == grown.read_text()
    assert turnlog.json("show", "g", "--as", "a", "--db", other) == turnlog.json("show", "g", "--as", "a")
    play_some(turnlog, "g", 1)
    turnlog.ok("play", "g", turnlog.json("moves", "g", "--db", other)["moves"][0], "--db", other)


def test_another_game_under_the_id_is_refused(turnlog: Turnlog, tmp_path: Path) -> None:
    """An import never mixes two games, whether they differ from the start or part later."""
    other = tmp_path / "other.db"
    file = tmp_path / "log.jsonl"
    created("-p", "a", "-p", "b", "--seed", "1", moves=2)(turnlog)
    file.write_text(exported(turnlog, "g", "jsonl"))
    turnlog.ok("import", file, "--db", other)
    for db in (turnlog.db, other):
        legal = turnlog.json("moves", "g", "--db", db)["moves"]
        turnlog.ok("play", "g", legal[0 if db == other else -1], "--db", db)
    file.write_text(exported(turnlog, "g", "jsonl"))
    before = exported(turnlog, "g", "jsonl", other)
    third = tmp_path / "third.db"
    turnlog.ok("create", "power-vacuum", "-p", "z", "--id", "g", "--db", third)

    for db in (other, third):
        told = turnlog("import", file, "--db", db, "--json")
        assert (told.code, told.out, told.error["code"]) == (4, "", "game-exists")

    assert exported(turnlog, "g", "jsonl", other) == before
    assert count(turnlog, third) == 1


def test_a_request_known_from_another_game_is_a_conflict(turnlog: Turnlog, tmp_path: Path) -> None:
    """A creation's request is unique in a database: a log that brings it again is refused, as no damage."""
    file, other = tmp_path / "log.jsonl", tmp_path / "other.db"
    turnlog.ok("create", "power-vacuum", "-p", "a", "--id", "g", "--request", "r")
    file.write_text(exported(turnlog, "g", "jsonl"))
    turnlog.ok("create", "power-vacuum", "-p", "b", "--id", "h", "--request", "r", "--db", other)

    told = turnlog("import", file, "--db", other, "--json")

    assert (told.code, told.out, told.error["code"]) == (4, "", "request-reused")
    assert count(turnlog, other) == 1


# entries that are not right -----------------------------------------------------------------------------

#: Changes a log's documents, whose digests are made to fit again afterwards.
Edit = Callable[[list[dict[str, Any]]], None]


def sealed(documents: Sequence[dict[str, Any]]) -> list[bytes]:
    """The documents as lines, in a chain that fits: what somebody who forges a log would write."""
    previous = b""
    lines = []
    for document in documents:
        data = json.dumps(document["data"], separators=(",", ":"), ensure_ascii=False)
        columns = (document[key] for key in ("game", "seq", "at", "kind", "actor", "schema", "request"))
        game, seq, when, kind, actor, schema, request = columns
        previous = chained(previous, game, seq, when, kind, actor, schema, request, data)
        head = {key: value for key, value in document.items() if key not in ("data", "digest")}
        lines.append(f'{json.dumps(head)[:-1]}, "data":{data}, "digest":"{previous.hex()}"}}'.encode())
    return lines


def forged(edit: Edit) -> Callable[[list[bytes]], list[bytes]]:
    """A log with an edit and a chain that fits it."""

    def made(lines: list[bytes]) -> list[bytes]:
        documents = [json.loads(line) for line in lines]
        edit(documents)
        return sealed(documents)

    return made


def of(number: int, key: str, value: Any) -> Edit:
    """Sets a column of entry `number`."""

    def edit(documents: list[dict[str, Any]]) -> None:
        documents[number - 1][key] = value

    return edit


def within(number: int, value: Any, *path: str | int) -> Edit:
    """Sets something inside the data of entry `number`."""

    def edit(documents: list[dict[str, Any]]) -> None:
        place: Any = documents[number - 1]["data"]
        for step in path[:-1]:
            place = place[step]
        place[path[-1]] = value

    return edit


def at(number: int, change: Callable[[bytes], bytes]) -> Callable[[list[bytes]], list[bytes]]:
    """Changes the text of entry `number`."""

    def made(lines: list[bytes]) -> list[bytes]:
        return [change(line) if place == number else line for place, line in enumerate(lines, 1)]

    return made


def rename(documents: list[dict[str, Any]]) -> None:
    """Gives a game an id that cannot be typed."""
    for document in documents:
        document["game"] = "../x"


def twice(documents: list[dict[str, Any]]) -> None:
    """Lets two events stand for one request."""
    documents[2]["request"] = documents[3]["request"] = "r"


def again(number: int, kind: str, of_number: int) -> Edit:
    """Makes entry `number` an event like another one."""
    return lambda documents: documents[number - 1].update(kind=kind, data=documents[of_number - 1]["data"])


def instead(kind: str, **data: Any) -> Edit:
    """Makes the last entry another event."""
    return lambda documents: documents[-1].update(kind=kind, data=data)


def nest(line: bytes) -> bytes:
    """Puts deeply nested lists into the data of a line."""
    return line.replace(b'"facts":[', b'"facts":' + b"[" * 50_000, 1)


BROKEN: dict[str, tuple[Callable[[list[bytes]], list[bytes]], int, str]] = {
    "torn-line": (at(3, lambda line: line[: len(line) // 2]), 3, "it cannot be read"),
    "torn-last-line": (at(5, lambda line: line[:-2]), 5, "it cannot be read"),
    "changed-byte": (at(2, lambda line: line.replace(b"play", b"plbz", 1)), 2, "its content does not match"),
    "changed-time": (at(4, lambda line: line.replace(b'"at":1', b'"at":2', 1)), 4, "its content does not match"),
    "changed-digest": (at(3, lambda line: line[:-66] + b"0" * 64 + b'"}'), 3, "its content does not match"),
    "short-digest": (at(3, lambda line: line[:-66] + b'00"}'), 3, "its content does not match"),
    "digest-of-other-letters": (at(3, lambda line: line[:-66] + b"x" * 64 + b'"}'), 3, "it cannot be read"),
    "missing-line": (lambda lines: lines[:2] + lines[3:], 3, "it is numbered 4"),
    "missing-first-line": (lambda lines: lines[1:], 1, "it is numbered 2"),
    "swapped-lines": (lambda lines: [*lines[:1], lines[2], lines[1], *lines[3:]], 2, "it is numbered 3"),
    "doubled-line": (lambda lines: [*lines[:2], *lines[1:]], 3, "it is numbered 2"),
    "another-game-behind": (lambda lines: [*lines, lines[0].replace(b'"g"', b'"h"', 1)], 6, "belongs to game 'h'"),
    "unknown-column": (at(2, lambda line: line[:-1] + b',"more":1}'), 2, "it cannot be read"),
    "missing-column": (at(2, lambda line: line.replace(b'"actor"', b'"acted"', 1)), 2, "it cannot be read"),
    "no-object": (at(2, lambda line: b"[1, 2]"), 2, "it cannot be read"),
    "bytes-in-a-line": (at(2, lambda line: line[:40] + b"\xff\xfe" + line[40:]), 2, "it cannot be read"),
    "a-nul": (at(2, lambda line: line[:40] + b"\0" + line[40:]), 2, "it cannot be read"),
    "deep-nesting": (at(2, nest), 2, ""),
    "huge-time": (at(2, lambda line: line.replace(b'"at":', b'"at":' + b"9" * 40, 1)), 2, "out of all bounds"),
    "huge-number": (at(2, lambda line: line.replace(b'"seq":', b'"seq":' + b"9" * 5000, 1)), 2, ""),
    "nothing": (lambda lines: [], 1, "the file is empty"),
    "blank-lines": (lambda lines: [b"", b"   ", b""], 1, "the file is empty"),
    # with a chain that fits
    "foreign-kind": (forged(of(3, "kind", "game-won")), 3, "no event is of the kind 'game-won'"),
    "negative-time": (forged(of(3, "at", -1)), 3, "a number in it is out of all bounds"),
    "late-time": (forged(of(3, "at", 2**62)), 3, "a number in it is out of all bounds"),
    "the-year-10000": (forged(of(3, "at", 253_402_300_800_000_000)), 3, "a number in it is out of all bounds"),
    "newer-schema": (forged(of(3, "schema", 999_001)), 3, "it was written by a newer turnlog"),
    "schema-zero": (forged(of(3, "schema", 0)), 3, "a number in it is out of all bounds"),
    "id-of-other-signs": (forged(rename), 1, "cannot be a game's id"),
    "creation-twice": (forged(again(3, "game-created", 1)), 3, "created once"),
    "no-creation": (forged(again(1, "move-made", 2)), 1, "does not begin with"),
    "unknown-game": (forged(within(1, "chess", "slug")), 1, "no game 'chess' is installed"),
    "unknown-fact": (forged(within(2, "power-vacuum.card-eaten", "facts", 0, "type")), 2, "it cannot be read"),
    "fact-of-other-type": (forged(within(2, "zero", "facts", 0, "seat")), 2, "it cannot be read"),
    "fact-that-does-not-fit": (forged(within(2, "R9", "facts", 0, "card")), 2, "its facts do not fit"),
    "fact-of-no-seat": (forged(within(2, 7, "facts", 0, "seat")), 2, "its facts do not fit"),
    "move-of-no-seat": (forged(within(2, 7, "seat")), 2, "it has no seat 7"),
    "move-of-a-negative-seat": (forged(within(2, -1, "seat")), 2, "it has no seat -1"),
    "outcome-made-up": (
        forged(within(5, {"winners": [0], "scores": [9, 9], "reason": "so"}, "outcome")),
        5,
        "the outcome it tells",
    ),
    "wrong-seed": (forged(within(1, "another", "seed")), 1, "its seed is not the one that was promised"),
    "request-twice": (forged(twice), 4, "its request id 'r' stands before it already"),
    "undo-of-nothing": (
        forged(instead("moves-undone", first=9, last=9)), 5, "it undoes 9 to 9",
    ),
    "undo-of-the-creation": (
        forged(instead("moves-undone", first=1, last=4)), 5, "it undoes 1 to 4",
    ),
    "redo-of-nothing": (
        forged(instead("moves-redone", first=2, last=4)), 5, "it redoes 2 to 4",
    ),
    "note-on-the-future": (
        forged(instead("noted", about=9, text="x")), 5, "it is about event 9",
    ),
}  # fmt: skip


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> tuple[list[bytes], Path]:
    """The lines of a log of five events, and a database that holds another game; made once."""
    folder = tmp_path_factory.mktemp("made")
    file, db, there = folder / "log.jsonl", folder / "games.db", folder / "there.db"
    script = folder / "script.txt"
    script.write_text(f"{CREATE}\nplay Y2\nplay Y3\npoint\ntransfer red green\n")
    with contextlib.redirect_stdout(io.StringIO()):
        assert run_app(["run", str(script), "--db", str(db)]) == 0
        assert run_app(["export", "g", "--output", str(file), "--db", str(db)]) == 0
        assert run_app(["create", "power-vacuum", "-p", "z", "--id", "there", "--db", str(there)]) == 0
    lines = file.read_bytes().splitlines()
    assert len(lines) == 5
    return lines, there


@pytest.mark.parametrize(("broken", "number", "says"), BROKEN.values(), ids=BROKEN)
def test_an_entry_that_is_not_right_is_refused(
    turnlog: Turnlog,
    tmp_path: Path,
    made: tuple[list[bytes], Path],
    broken: Callable[[list[bytes]], list[bytes]],
    number: int,
    says: str,
) -> None:
    """The file is refused whole with the number of the first entry that is not right: exit 6."""
    lines, there = made
    shutil.copy(there, turnlog.db)
    entries = broken(list(lines))
    assert entries != lines
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"\n".join(entries) + b"\n")

    told = turnlog("import", file, "--json")

    assert (told.code, told.out, told.error["code"]) == (6, "", "bad-entry")
    assert told.error["message"].startswith(f"entry {number} of the file is not right: ")
    assert told.error["message"].endswith("; nothing was imported")
    assert says in told.error["message"]
    assert count(turnlog) == 1
    assert [row["game"] for row in turnlog.ok("list", "--json").lines] == ["there"]


def test_a_log_forged_as_these_tests_do_is_taken_where_nothing_is_wrong(
    turnlog: Turnlog, tmp_path: Path, made: tuple[list[bytes], Path]
) -> None:
    """The forger's chain fits: what is refused above is refused for its content."""
    file = tmp_path / "log.jsonl"
    file.write_bytes(b"\n".join(forged(of(3, "at", 5))(made[0])))

    assert turnlog.json("import", file)["new"] == 5


def test_a_line_of_17_megabytes_is_refused_unread(turnlog: Turnlog, tmp_path: Path) -> None:
    """No line is longer than a game needs, wherever it stands."""
    created("-p", "a", "-p", "b", "--seed", "1")(turnlog)
    (line,) = exported(turnlog, "g", "jsonl").encode().splitlines()
    file = tmp_path / "log.jsonl"

    for number, content in ((1, b"{" + b" " * 17_000_000 + b"}"), (2, line + b"\n" + b"x" * 17_000_000)):
        file.write_bytes(content)
        told = turnlog("import", file, "--db", tmp_path / "other.db", "--json")
        assert (told.code, told.error["code"]) == (6, "bad-entry")
        assert told.error["message"].startswith(
            f"entry {number} of the file is not right: its line is longer than"
        )
        assert count(turnlog, tmp_path / "other.db") == 0


def test_a_binary_file_is_refused(turnlog: Turnlog, tmp_path: Path) -> None:
    """What is neither a log nor a script is told so; a database is none of them."""
    file = tmp_path / "file"
    created("-p", "a")(turnlog)
    for content, code in (
        (bytes(range(256)) * 10, 2),
        (turnlog.db.read_bytes(), 2),
        (b"{" + bytes(range(256)), 6),
    ):
        file.write_bytes(content)
        told = turnlog("import", file, "--db", tmp_path / "other.db", "--json")
        assert (told.code, told.out) == (code, "")
        assert count(turnlog, tmp_path / "other.db") == 0
