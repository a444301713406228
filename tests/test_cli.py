"""The command line: shapes of its answers, errors and exit codes, how games, seats and moments are named."""

import contextlib
import io
import json
import re
import shlex
import shutil
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest

from cli.app import app, run_app
from tests.conftest import Answer, Turnlog

CHANGE = ["game", "seq", "events", "to_move", "result"]
EVENT = ["seq", "kind", "seat", "move", "facts"]
SHOW = ["game", "slug", "seq", "as", "to_move", "seats", "view", "result"]
MOVES = ["game", "seq", "seat", "moves", "complete", "pattern"]
RESULT = ["winners", "scores", "reason"]
HUGE = "9" * 30


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a game of lucia and fritz, who have not played yet, lucia to move; made once."""
    path = tmp_path_factory.mktemp("made") / "games.db"
    words = "create power-vacuum -p lucia -p fritz -o first=lucia --seed 1 --id game-1 --quiet"
    with contextlib.redirect_stdout(io.StringIO()):
        assert run_app([*words.split(), "--db", str(path)]) == 0
    return path


@pytest.fixture
def game(turnlog: Turnlog, made: Path) -> str:
    """The id of that game, in a copy of that database."""
    shutil.copy(made, turnlog.db)
    return "game-1"


def first_play(turnlog: Turnlog, game: str) -> str:
    """A card that may be played now."""
    return next(move for move in turnlog.json("moves", game)["moves"] if move.startswith("play"))


def rows(turnlog: Turnlog) -> list[Any]:
    """All rows of the log, as they lie."""
    if not turnlog.db.exists():
        return []
    with sqlite3.connect(turnlog.db) as connection:
        found = connection.execute("select * from events order by rowid").fetchall()
    connection.close()
    return found


def tamper(turnlog: Turnlog, sql: str) -> None:
    """Changes the log behind turnlog's back, its guards put back afterwards."""
    connection = sqlite3.connect(turnlog.db)
    guards = connection.execute("select name, sql from sqlite_schema where type = 'trigger'").fetchall()
    for name, _ in guards:
        connection.execute(f"drop trigger {name}")
    assert connection.execute(sql).rowcount == 1
    for _, guard in guards:
        connection.execute(guard)
    connection.commit()
    connection.close()


# shapes -------------------------------------------------------------------------------------------------


def one_document(answer: Answer) -> Any:
    """The one JSON document of an answer, which holds nothing else."""
    assert answer.code == 0
    assert answer.err == ""
    assert answer.out.count("\n") == 1
    assert answer.out.endswith("\n")
    return answer.json


def test_what_changes_a_game_answers_in_one_shape(turnlog: Turnlog, game: str) -> None:
    """create, play, undo and redo: game, seq, events with their seat, move and facts, to_move, result."""
    made = one_document(turnlog("create", "power-vacuum", "-p", "ana", "-p", "emil", "-o", "first=emil", "--json"))
    move = first_play(turnlog, game)
    played = one_document(turnlog("play", game, move, "--json"))
    undone = one_document(turnlog("undo", game, "--json"))
    redone = one_document(turnlog("redo", game, "--json"))

    for document in (made, played, undone, redone):
        assert list(document) == CHANGE
        assert [list(event)[:5] for event in document["events"]] == [EVENT]
        assert document["seq"] == document["events"][-1]["seq"]
        assert document["result"] is None
    assert [made["to_move"], played["to_move"], undone["to_move"], redone["to_move"]] == [
        ["emil"], ["fritz"], ["lucia"], ["fritz"],
    ]  # fmt: skip
    events = [document["events"][0] for document in (made, played, undone, redone)]
    assert [(event["seq"], event["kind"], event["seat"], event["move"]) for event in events] == [
        (1, "game-created", None, None),
        (2, "move-made", "lucia", move),
        (3, "moves-undone", None, None),
        (4, "moves-redone", None, None),
    ]
    assert played["game"] == game
    assert [fact["type"] for fact in events[1]["facts"]] == ["power-vacuum.card-played", "power-vacuum.turn-began"]
    assert (events[2]["facts"], events[3]["facts"]) == ([], [])


def test_show_answers_in_its_shape(turnlog: Turnlog, game: str) -> None:
    """show: game, slug, seq, as, to_move, seats, view with the keys of the rulings page, result."""
    document = one_document(turnlog("show", game, "--json", "--as", "fritz"))

    assert list(document) == SHOW
    assert {key: document[key] for key in SHOW if key != "view"} == {
        "game": game,
        "slug": "power-vacuum",
        "seq": 1,
        "as": "fritz",
        "to_move": ["lucia"],
        "seats": ["lucia", "fritz"],
        "result": None,
    }
    assert {"levels", "cable", "trick", "hand", "hands", "agendas", "scores", "round"} <= set(document["view"])
    assert document["view"]["scores"] == {"lucia": 0, "fritz": 0}


def test_moves_answers_in_its_shape(turnlog: Turnlog, game: str) -> None:
    """moves: game, seq, seat, moves as they are typed, complete, pattern; without --as of the seat to move."""
    document = one_document(turnlog("moves", game, "--json"))

    assert list(document) == MOVES
    assert (document["game"], document["seq"], document["seat"]) == (game, 1, "lucia")
    assert (document["complete"], document["pattern"]) == (True, None)
    hand = turnlog.view(game, "lucia")["hand"]
    assert [move for move in document["moves"] if move.startswith("play")] == [f"play {card}" for card in hand]
    assert turnlog.json("moves", game, "--as", "fritz") == document | {"seat": "fritz", "moves": []}


def test_a_result_has_its_shape(turnlog: Turnlog, game: str) -> None:
    """result: winners by name, each seat's score by name, the reason; the same in every answer."""
    closed = one_document(turnlog("close", game, "--as", "lucia", "--json"))

    assert list(closed["result"]) == RESULT
    assert closed["result"] == {
        "winners": ["fritz"], "scores": {"lucia": None, "fritz": None}, "reason": "lucia resigned",
    }  # fmt: skip
    assert turnlog.json("show", game)["result"] == closed["result"]


def test_lists_are_one_document_a_line(turnlog: Turnlog, game: str) -> None:
    """log, replay and list put one document on each line."""
    turnlog.play(game, first_play(turnlog, game))
    turnlog.json("create", "power-vacuum", "-p", "ana")

    assert [document["seq"] for document in turnlog.ok("log", game, "--json").lines] == [1, 2]
    assert [document["seq"] for document in turnlog.ok("replay", game, "--json").lines] == [1, 2]
    assert [document["seats"] for document in turnlog.ok("list", "--json").lines] == [
        ["ana", "red", "yellow"], ["lucia", "fritz"],
    ]  # fmt: skip


# errors -------------------------------------------------------------------------------------------------

#: Words of a command, its exit code, the error's code. {..} are files and folders; the game is at its first event.
BAD = [
    # usage
    ("nonsense", 2, "bad-setup"),
    ("--nonsense", 2, "bad-setup"),
    ("--log-level loud list", 2, "bad-setup"),
    ("--log-file {folder}/no/x list", 2, "bad-setup"),
    ("show", 2, "bad-setup"),
    ("show game-1 extra", 2, "bad-setup"),
    ("show game-1 --at x", 2, "bad-setup"),
    ("show game-1 --at 1.5", 2, "bad-setup"),
    ("play", 2, "bad-setup"),
    ("play game-1", 2, "bad-setup"),
    ("play game-1 play Y1 --expect x", 2, "bad-setup"),
    ("play game-1 play Y1 --expect ''", 2, "bad-setup"),
    ("play game-1 play Y1 --as spectator", 2, "bad-setup"),
    ("play game-1 play Y1 --as referee", 2, "bad-setup"),
    ("play game-1 @{folder}/missing", 2, "bad-setup"),
    ("play game-1 play @{binary}", 2, "bad-setup"),
    ("play game-1 @{folder}", 2, "bad-setup"),
    ("undo game-1 -n x", 2, "bad-setup"),
    ("create", 2, "bad-setup"),
    ("create power-vacuum -p ''", 2, "bad-setup"),
    ("create power-vacuum -p a -p A", 2, "bad-setup"),
    ("create power-vacuum -p 1 -p b", 2, "bad-setup"),
    ("create power-vacuum -p a:b -p b", 2, "bad-setup"),
    ("create power-vacuum -p bot:nobody -p b", 2, "bad-setup"),
    ("create power-vacuum -p {long} -p b", 2, "bad-setup"),
    ("create power-vacuum -p referee -p b", 2, "bad-setup"),
    ("create power-vacuum -p ' a' -p b", 2, "bad-setup"),
    ("create power-vacuum -p 'a\nb' -p b", 2, "bad-setup"),
    ("create power-vacuum -p a -p b -o x", 2, "bad-setup"),
    ("create power-vacuum -p a -p b -o x=y", 2, "bad-setup"),
    ("create power-vacuum -p a -p b -o =y", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --undo never", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --id ../x", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --id @", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --id {long}", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --seed {long}", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --seed ''", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --stack {folder}/missing", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --stack {text}", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --stack {binary}", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --stack ''", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --stack {open}", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --stack {deep}", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --stack {unknown}", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --set {folder}/missing", 2, "bad-setup"),
    ("create power-vacuum -p a -p b --set {text}", 2, "set-refused"),
    ("run", 2, "bad-setup"),
    ("run {folder}/missing", 2, "bad-setup"),
    ("run {folder}", 2, "bad-setup"),
    ("run {binary}", 2, "bad-setup"),
    ("run {empty}", 2, "bad-setup"),
    ("run {text}", 2, "script-stopped"),
    ("replay game-1 --step 0", 2, "bad-setup"),
    ("replay game-1 --speed -1", 2, "bad-setup"),
    ("replay game-1 --speed fast", 2, "bad-setup"),
    ("export game-1 --format pdf", 2, "bad-setup"),
    ("export game-1 --format ''", 2, "bad-setup"),
    ("export game-1 --output {text}", 2, "bad-setup"),
    ("export game-1 --output {folder}/no/x", 2, "bad-setup"),
    ("export game-1 --output ''", 2, "bad-setup"),
    ("import {folder}/missing", 2, "bad-setup"),
    ("import {folder}", 2, "bad-setup"),
    ("import {binary}", 2, "script-stopped"),
    ("import ''", 2, "bad-setup"),
    ("verify", 2, "bad-setup"),
    ("verify game-1 --all", 2, "bad-setup"),
    ("note game-1", 2, "bad-setup"),
    ("note game-1 1", 2, "bad-setup"),
    ("note game-1 first text", 2, "bad-setup"),
    ("close game-1 --as spectator", 2, "bad-setup"),
    ("rules", 2, "bad-setup"),
    ("simulate power-vacuum -p a -p b", 2, "bad-setup"),
    ("simulate power-vacuum -p bot:nobody -p bot:random", 2, "bad-setup"),
    ("simulate power-vacuum -p bot:random -n 0", 2, "bad-setup"),
    ("simulate power-vacuum -p bot:random -n {huge}", 2, "bad-setup"),
    ("simulate power-vacuum -p bot:random -n 1 -o x", 2, "bad-setup"),
    ("backup", 2, "bad-setup"),
    ("backup {text}", 2, "unwritable"),
    ("backup {folder}", 2, "unwritable"),
    ("backup {folder}/no/x", 2, "unwritable"),
    ("backup ''", 2, "unwritable"),
    ("--db {other} list", 2, "not-ours"),
    ("--db {other} create power-vacuum -p a -p b", 2, "not-ours"),
    ("--db {folder} list", 2, "not-ours"),
    ("--db {folder} play game-1 play Y1", 2, "not-ours"),
    ("--db {text}/x.db create power-vacuum -p a -p b", 2, "unwritable"),
    ("show \ud800", 2, "bad-setup"),
    ("play game-1 play \ud800", 2, "bad-setup"),
    # refused by the rules
    ("play game-1 ''", 3, "invalid-move"),
    ("play game-1 nonsense", 3, "invalid-move"),
    ("play game-1 @", 3, "invalid-move"),
    ("play game-1 play", 3, "invalid-move"),
    ("play game-1 play Y1 Y2", 3, "invalid-move"),
    ("play game-1 '\"open'", 3, "invalid-move"),
    ("play game-1 play {long}", 3, "illegal-move"),
    ("play game-1 play {huge}", 3, "illegal-move"),
    ("play game-1 play ''", 3, "invalid-move"),
    ("play game-1 plug red white", 3, "illegal-move"),
    ("play game-1 p Y1", 3, "ambiguous-move"),
    ("play game-1 play Y1 --as fritz", 3, "not-yours"),
    ("undo game-1", 3, "refusal"),
    ("undo game-1 -n 0", 3, "refusal"),
    ("undo game-1 -n -1", 3, "refusal"),
    ("undo game-1 -n {huge}", 3, "refusal"),
    ("redo game-1", 3, "refusal"),
    ("redo game-1 -n {huge}", 3, "refusal"),
    ("note game-1 1 ''", 3, "refusal"),
    ("create power-vacuum", 3, "setup-refused"),
    ("create power-vacuum -p a -o first=a", 3, "setup-refused"),
    ("create power-vacuum -p a -p b --stack {misfit}", 3, "stack-misfit"),
    ("simulate power-vacuum", 3, "setup-refused"),
    ("run {text} --game game-1", 3, "script-stopped"),
    # conflicts
    ("play game-1 play Y1 --expect 7", 4, "conflict"),
    ("play game-1 play Y1 --expect 0", 4, "conflict"),
    ("play game-1 play Y1 --expect -1", 4, "conflict"),
    ("play game-1 play Y1 --expect {huge}", 4, "conflict"),
    ("undo game-1 --expect 7", 4, "conflict"),
    ("redo game-1 --expect 7", 4, "conflict"),
    ("create power-vacuum -p a -p b --id game-1", 4, "game-exists"),
    # not found
    ("show nope", 5, "no-such-game"),
    ("show ''", 5, "no-such-game"),
    ("show {long}", 5, "no-such-game"),
    ("show game-1 --at 0", 5, "no-such-event"),
    ("show game-1 --at -1", 5, "no-such-event"),
    ("show game-1 --at 2", 5, "no-such-event"),
    ("show game-1 --at {huge}", 5, "no-such-event"),
    ("show game-1 --as nobody", 5, "no-such-seat"),
    ("show game-1 --as ''", 5, "no-such-seat"),
    ("moves nope", 5, "no-such-game"),
    ("moves game-1 --as 3", 5, "no-such-seat"),
    ("moves game-1 --at 99", 5, "no-such-event"),
    ("play nope play Y1", 5, "no-such-game"),
    ("play '' play Y1", 5, "no-such-game"),
    ("play {long} play Y1", 5, "no-such-game"),
    ("play game-1 play Y1 --as nobody", 5, "no-such-seat"),
    ("play game-1 play Y1 --as ''", 5, "no-such-seat"),
    ("play game-1 play Y1 --as 0", 5, "no-such-seat"),
    ("play game-1 play Y1 --as 3", 5, "no-such-seat"),
    ("play game-1 play Y1 --as {huge}", 5, "no-such-seat"),
    ("undo nope", 5, "no-such-game"),
    ("undo game-1 --as nobody", 5, "no-such-seat"),
    ("undo game-1 --to 0", 5, "no-such-event"),
    ("undo game-1 --to {huge}", 5, "no-such-event"),
    ("redo nope", 5, "no-such-game"),
    ("create nope -p a", 5, "no-such-slug"),
    ("create '' -p a", 5, "no-such-slug"),
    ("create ../x -p a", 5, "no-such-slug"),
    ("run {text} --game nope", 5, "no-such-game"),
    ("log nope", 5, "no-such-game"),
    ("log game-1 --as nobody", 5, "no-such-seat"),
    ("replay nope", 5, "no-such-game"),
    ("replay game-1 --from 0", 5, "no-such-event"),
    ("replay game-1 --to 9", 5, "no-such-event"),
    ("replay game-1 --from {huge}", 5, "no-such-event"),
    ("export nope", 5, "no-such-game"),
    ("verify nope", 5, "no-such-game"),
    ("note nope 1 text", 5, "no-such-game"),
    ("note game-1 0 text", 5, "no-such-event"),
    ("note game-1 2 text", 5, "no-such-event"),
    ("note game-1 {huge} text", 5, "no-such-event"),
    ("note game-1 1 text --as nobody", 5, "no-such-seat"),
    ("close nope", 5, "no-such-game"),
    ("close game-1 --as nobody", 5, "no-such-seat"),
    ("standings nope", 5, "no-such-slug"),
    ("rules nope", 5, "no-such-slug"),
    ("rules ''", 5, "no-such-slug"),
    ("simulate nope -p bot:random", 5, "no-such-slug"),
    ("--db {folder}/none.db show @", 5, "no-database"),
    ("--db {folder}/none.db play @ play Y1", 5, "no-database"),
    ("--db {folder}/none.db undo @", 5, "no-database"),
    ("--db {folder}/none.db standings", 5, "no-database"),
    ("--db {folder}/none.db rebuild", 5, "no-database"),
    ("--db {folder}/none.db verify --all", 5, "no-database"),
    ("--db {folder}/none.db backup {folder}/b.db", 5, "no-database"),
    ("--db {empty} show @", 5, "no-database"),
    # damaged
    ("--db {text} list", 6, "damaged"),
    ("--db {binary} show @", 6, "damaged"),
    ("--db {binary} play @ play Y1", 6, "damaged"),
    ("import {empty}", 6, "bad-entry"),
]


@pytest.fixture
def files(tmp_path: Path) -> dict[str, str]:
    """What the bad inputs name."""
    folder = tmp_path / "files"
    folder.mkdir()
    (folder / "text").write_text("hello\nworld\n")
    (folder / "binary").write_bytes(bytes(range(256)) * 8)
    (folder / "empty").write_bytes(b"")
    other = sqlite3.connect(folder / "other")
    other.execute("create table t (a)")
    other.close()
    return {
        "folder": str(folder),
        **{name: str(folder / name) for name in ("text", "binary", "empty", "other")},
        "long": "x" * 5000,
        "huge": HUGE,
        "open": "{",
        "deep": '{"regime-deck":' + "[" * 10_000,
        "unknown": '{"dice":[]}',
        "misfit": '{"regime-deck":[["Y1","Y1"]]}',
    }


def split(command: str, files: dict[str, str]) -> list[str]:
    """The words of a command, its placeholders filled in."""
    words = shlex.split(command)
    for name, value in files.items():
        words = [word.replace(f"{{{name}}}", value) for word in words]
    assert not any(re.search(r"\{[a-z]+\}", word) for word in words)
    return words


@pytest.mark.parametrize(("command", "code", "error"), BAD, ids=[f"{command[:60]!a}" for command, _, _ in BAD])
def test_bad_input(
    turnlog: Turnlog, game: str, files: dict[str, str], command: str, code: int, error: str
) -> None:
    """Told on stderr in words, or as one JSON document, with nothing on stdout and nothing written."""
    words = split(command, files)
    before = rows(turnlog)
    assert len(before) == 1

    said = turnlog(*words)
    as_json = turnlog("--json", *words)

    assert (said.code, said.out) == (code, "")
    assert said.err.startswith("turnlog: ")
    assert "Traceback" not in said.err
    assert "a fault of turnlog itself" not in said.err
    assert (as_json.code, as_json.out, as_json.err.count("\n")) == (code, "", 1)
    assert list(json.loads(as_json.err)) == ["error"]
    assert list(as_json.error) == ["code", "message", "hint"]
    assert as_json.error["code"] == error
    assert as_json.error["message"]
    assert as_json.error["message"] in said.err
    assert as_json.error["hint"] is None or as_json.error["hint"] in said.err
    assert rows(turnlog) == before


def test_an_unknown_word_names_what_is_near(turnlog: Turnlog, game: str) -> None:
    """A refused move tells the rule and the nearest legal moves."""
    hand = turnlog.view(game, "lucia")["hand"]
    absent = next(f"{suit}{n}" for suit in "YWGR" for n in range(1, 10) if f"{suit}{n}" not in hand)

    error = turnlog("play", game, "play", absent, "--json").error

    assert error["message"] == f"{absent} is not in your hand"
    near = error["hint"].removeprefix("legal now: ").split(", ")
    assert 1 <= len(near) <= 5
    assert set(near) <= set(turnlog.json("moves", game)["moves"])


# the database -------------------------------------------------------------------------------------------


def test_options_are_taken_before_and_after_the_command(
    turnlog: Turnlog, tmp_path: Path, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--db, --json and --quiet stand before or after the command, and --db wins over TURNLOG_DB."""
    monkeypatch.setenv("TURNLOG_DB", str(tmp_path / "none.db"))
    here = str(turnlog.db)
    expected = turnlog.ok("--db", here, "--json", "show", game).out
    assert json.loads(expected)["game"] == game

    for words in (
        ["--json", "show", game, "--db", here],
        ["--db", here, "show", "--json", game],
        ["show", "--db", here, game, "--json"],
        ["show", game, f"--db={here}", "--json"],
    ):
        assert turnlog.ok(*words).out == expected
    quiet = turnlog.ok("--quiet", "--db", here, "moves", game).out
    assert quiet == turnlog.ok("moves", game, "--db", here, "-q").out
    assert quiet != turnlog.ok("moves", game, "--db", here).out
    assert turnlog("show", game).code == 5
    move = turnlog.json("moves", game, "--db", here)["moves"][-1]
    assert turnlog.ok("--db", here, "--json", "play", game, move).json["game"] == game


def test_the_users_data_folder_is_the_default(
    turnlog: Turnlog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without --db and TURNLOG_DB the database is in the user's data folder, which is made."""
    monkeypatch.delenv("TURNLOG_DB")
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setattr(sys, "platform", "linux")
    assert turnlog.ok("list", "--json").out == ""

    turnlog.json("create", "power-vacuum", "-p", "ana")

    assert [path.name for path in tmp_path.rglob("turnlog.db")] == ["turnlog.db"]
    assert len(turnlog.ok("list", "--json").lines) == 1


# naming games, seats, moments ---------------------------------------------------------------------------


def test_a_game_is_named_by_id_by_a_unique_beginning_or_as_the_last_touched(turnlog: Turnlog, game: str) -> None:
    """An id, a beginning that one game has, or @; an id wins over longer ones that begin so."""
    turnlog.json("create", "power-vacuum", "-p", "ana", "-p", "emil", "--id", "game-10")
    turnlog.json("create", "power-vacuum", "-p", "ana", "-p", "emil", "--id", "other")

    def named(said: str) -> str:
        return turnlog.json("show", said)["game"]

    assert named("game-1") == "game-1", "it is the beginning of game-10, too"
    assert named("game-10") == "game-10"
    assert named("o") == "other"
    assert named("@") == "other"
    turnlog.play("game-1", first_play(turnlog, "game-1"))
    assert named("@") == "game-1"
    for words in (["show", "game"], ["play", "game", "play Y1"], ["play", "g", "play Y1", "--quiet", "-q"]):
        answer = turnlog(*words, "--json")
        assert (answer.code, answer.error["code"]) == (2, "bad-setup")
        assert answer.error["message"].endswith(" is the beginning of several games: game-1, game-10")
    turnlog.ok("note", "other", 1, "a note touches it")
    assert named("@") == "other"


@pytest.mark.parametrize("said", ["fritz", "2", "Fritz", "02"])
def test_a_seat_is_named_by_name_or_number(turnlog: Turnlog, game: str, said: str) -> None:
    """SEAT is a name, whatever its capitals, or a number from 1."""
    assert turnlog.json("show", game, "--as", said)["as"] == "fritz"
    assert turnlog.json("moves", game, "--as", said)["seat"] == "fritz"
    turnlog.json("play", game, first_play(turnlog, game), "--as", "lucia")
    move = first_play(turnlog, game)
    assert turnlog.json("play", game, move, "--as", said)["events"][0]["seat"] == "fritz"


def test_a_moment_is_named_by_its_event(turnlog: Turnlog, game: str) -> None:
    """--at shows the game as it stood after that event, undone moves and all."""
    move = first_play(turnlog, game)
    before, legal = turnlog.json("show", game), turnlog.json("moves", game)
    turnlog.play(game, move)
    turnlog.json("undo", game)

    assert turnlog.json("show", game, "--at", 1) == before
    assert turnlog.json("moves", game, "--at", 1) == legal
    then = turnlog.json("show", game, "--at", 2)
    assert (then["seq"], then["to_move"], then["view"]["trick"][0]["card"]) == (2, ["fritz"], move.split()[1])
    now = turnlog.json("show", game, "--at", 3)
    assert now == before | {"seq": 3}


def test_a_move_is_typed_as_words_or_as_one(turnlog: Turnlog, game: str) -> None:
    """Words apart, one quoted text, capitals that do not matter, the beginning of a verb, a word out of a file."""
    move = first_play(turnlog, game)
    card = move.split()[1]
    file = turnlog.db.with_name("card")
    file.write_text(card)

    for words in (
        [*move.split()],
        [move],
        [move.lower()],
        ["pla", card],
        ["play", f"@{file}"],
        [f"  play   {card} "],
    ):
        dry = turnlog.ok("play", game, *words, "--dry-run", "--json").json
        assert dry["events"][0]["move"] == move


# dry runs, expectations, requests -----------------------------------------------------------------------


def test_a_dry_run_writes_nothing(turnlog: Turnlog, game: str, tmp_path: Path) -> None:
    """--dry-run of create, play, undo and redo tells what would happen and leaves the file as it is."""
    turnlog.play(game, first_play(turnlog, game))
    turnlog.json("undo", game)
    before, listed = rows(turnlog), turnlog.ok("list", "--json").out

    for words, kind in (
        (["create", "power-vacuum", "-p", "ana", "--id", "new"], "game-created"),
        (["play", game, first_play(turnlog, game)], "move-made"),
        (["redo", game], "moves-redone"),
    ):
        told = turnlog.ok(*words, "--dry-run", "--json").json
        assert [event["kind"] for event in told["events"]] == [kind]
        assert turnlog.ok(*words, "--dry-run").out.startswith("Nothing is written, this would happen:\n")
    turnlog.json("redo", game)
    undone = turnlog.ok("undo", game, "--dry-run", "--json").json
    assert (undone["events"][0]["kind"], undone["seq"]) == ("moves-undone", 5)

    assert rows(turnlog)[:-1] == before
    assert turnlog.json("show", game)["seq"] == 4
    assert [row["game"] for row in turnlog.ok("list", "--json").lines] == [json.loads(listed)["game"]]
    fresh = tmp_path / "fresh.db"
    turnlog.ok("create", "power-vacuum", "-p", "ana", "--dry-run", "--db", fresh)
    assert not fresh.exists()


def test_expect_names_the_last_event_that_changed_the_game(turnlog: Turnlog, game: str) -> None:
    """A note does not count; after an undo its event does."""
    move = first_play(turnlog, game)
    turnlog.ok("note", game, 1, "hello")

    assert turnlog("play", game, move, "--expect", 2).code == 4
    turnlog.ok("play", game, move, "--expect", 1)
    assert turnlog("undo", game, "--expect", 1).code == 4
    turnlog.ok("undo", game, "--expect", 3)
    assert turnlog("redo", game, "--expect", 3).code == 4
    turnlog.ok("redo", game, "--expect", 4)


def test_a_request_is_done_once(turnlog: Turnlog, game: str) -> None:
    """Said twice with one ID a command answers the same and is done once; another command with it is refused."""
    move = first_play(turnlog, game)
    words = ("play", game, move, "--request", "r1", "--expect", 1)
    first = turnlog.ok(*words, "--json")

    assert turnlog.ok(*words, "--json").out == first.out
    assert len(rows(turnlog)) == 2
    other = turnlog("play", game, "play", "Y9" if move != "play Y9" else "Y8", "--request", "r1", "--json")
    assert (other.code, other.error["code"]) == (4, "request-reused")
    undo = ("undo", game, "--request", "r2", "--json")
    assert turnlog.ok(*undo).out == turnlog.ok(*undo).out
    redo = ("redo", game, "--request", "r3", "--json")
    assert turnlog.ok(*redo).out == turnlog.ok(*redo).out
    make = ("create", "power-vacuum", "-p", "ana", "--request", "r1", "--json")
    assert turnlog.ok(*make).out == turnlog.ok(*make).out
    assert len(rows(turnlog)) == 5
    assert turnlog("create", "power-vacuum", "-p", "emil", "--request", "r1").code == 4


# notes and closing --------------------------------------------------------------------------------------


def test_a_note_changes_nothing_and_is_told(turnlog: Turnlog, game: str) -> None:
    """A note stands in the log with its author and the event it is about; the board is as it was."""
    before = turnlog.json("show", game)

    answer = turnlog.json("note", game, 1, "a", "good", "deal", "--as", "fritz")

    assert answer["events"][0] == {
        "seq": 2, "kind": "noted", "seat": "fritz", "move": None, "facts": [], "about": 1, "text": "a good deal",
    }  # fmt: skip
    assert turnlog.json("show", game) == before | {"seq": 2}
    assert "Note on event 1 by fritz: a good deal" in turnlog.ok("log", game).out


@pytest.mark.parametrize(
    ("names", "words", "winners", "reason"),
    [
        pytest.param(["lucia", "fritz"], ["--as", "lucia"], ["fritz"], "lucia resigned", id="the-other-wins"),
        pytest.param(["lucia", "fritz", "ana"], ["--as", "2"], [], "fritz resigned", id="of-three-nobody-wins"),
        pytest.param(["lucia", "fritz"], [], [], "abandoned", id="abandoned"),
        pytest.param(["lucia", "fritz"], ["--reason", "late"], [], "abandoned: late", id="with-a-reason"),
    ],
)
def test_a_game_is_closed(
    turnlog: Turnlog, names: list[str], words: list[str], winners: list[str], reason: str
) -> None:
    """--as resigns, and of two the other wins; without it the game is abandoned; then nothing more is played."""
    turnlog.json("create", "power-vacuum", *(w for n in names for w in ("-p", n)), "--id", "g", "--seed", 1)
    move = first_play(turnlog, "g")

    answer = turnlog.json("close", "g", *words)

    assert (answer["result"]["winners"], answer["result"]["reason"], answer["to_move"]) == (winners, reason, [])
    assert [row["state"] for row in turnlog.ok("list", "--json").lines] == ["closed"]
    for again in (["play", "g", move], ["undo", "g"], ["redo", "g"], ["close", "g"]):
        assert turnlog(*again).code == 3, again
    assert turnlog.json("moves", "g")["moves"] == []
    assert turnlog.json("standings") == [], "a closed game is no finished one"
    turnlog.ok("note", "g", 1, "a pity")


def test_a_broken_game_is_told_of_and_can_still_be_closed(turnlog: Turnlog, game: str) -> None:
    """A changed row is exit 6 with the event named, in every command; closing works, and others go on."""
    turnlog.play(game, first_play(turnlog, game))
    turnlog.json("create", "power-vacuum", "-p", "ana", "--id", "whole")
    tamper(
        turnlog,
        f"update events set data = replace(data, '\"seat\":0', '\"seat\":1') where game = '{game}' and seq = 2",
    )

    for words in (["show", game], ["moves", game], ["play", game, "play Y1"], ["undo", game], ["log", game],
                  ["replay", game], ["verify", game], ["verify", "--all"], ["note", game, 1, "x"]):  # fmt: skip
        answer = turnlog(*words, "--json")
        assert (answer.code, answer.error["code"]) == (6, "damaged"), words
        assert f"event 2 of game {game} is damaged" in answer.error["message"]

    closed = turnlog("close", game, "--json")
    assert (closed.code, closed.json) == (0, {"game": game, "seq": 3, "events": [], "to_move": [], "result": None})
    assert "closed a game that cannot be read any more" in closed.err
    assert turnlog("close", game).code == 3
    turnlog.ok("verify", "whole")
    assert turnlog.json("show", "whole")["seq"] == 1


# lists --------------------------------------------------------------------------------------------------


def test_list_names_the_games_the_last_touched_first(turnlog: Turnlog, game: str) -> None:
    """--player and --open choose; each line tells the state of its game."""
    turnlog.json("create", "power-vacuum", "-p", "ana", "-p", "fritz", "--id", "second", "-o", "first=ana")
    turnlog.json("create", "power-vacuum", "-p", "emil", "--id", "third")
    turnlog.json("close", "third")
    turnlog.play(game, first_play(turnlog, game))

    def listed(*words: str) -> list[str]:
        return [row["game"] for row in turnlog.ok("list", *words, "--json").lines]

    assert listed() == [game, "third", "second"]
    assert listed("--open") == [game, "second"]
    assert listed("--player", "fritz") == [game, "second"]
    assert listed("-p", "lucia", "--open") == [game]
    assert listed("--player", "nobody") == []
    row = turnlog.ok("list", "-p", "lucia", "--json").lines[0]
    assert {key: row[key] for key in ("slug", "state", "to_move", "winners", "events", "moves")} == {
        "slug": "power-vacuum", "state": "playing", "to_move": ["fritz"], "winners": [], "events": 2, "moves": 1,
    }  # fmt: skip
    assert listed("--limit", "2") == [game, "third"]
    assert listed("--open", "-n", "2") == [game, "second"]
    assert listed("--limit", str(10**30)) == listed()
    assert turnlog("list", "--limit", "0").code == 2
    text = turnlog.ok("list").out
    assert "lucia, fritz" in text
    assert "fritz to move" in text
    assert "abandoned" in text


def test_a_terminal_is_shown_the_games_last_touched(turnlog: Turnlog, game: str, monkeypatch: Any) -> None:
    """A list too long for a terminal says that it is cut and how to see more; a pipe and --json get all of it."""
    turnlog.ok("create", "power-vacuum", "-p", "ana", "-p", "fritz", "--id", "second")
    monkeypatch.setattr("cli.commands.SCREENFUL", 1)
    whole = turnlog.ok("list").out.splitlines()
    assert [line.split()[0] for line in whole[::2]] == ["second", game]
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    assert turnlog.ok("list").out.splitlines() == [
        *whole[:2],
        "Games touched before these are left out: `turnlog list --limit 10`.",
    ]
    assert turnlog.ok("list", "--limit", "2").out.splitlines() == whole
    assert turnlog.ok("list", "--quiet").out.splitlines() == whole[:2]
    assert len(turnlog.ok("list", "--json").lines) == 2


def finished(turnlog: Turnlog, seed: int) -> Any:
    """A game of bots, which is over as it is made; gives its answer."""
    return turnlog.json("create", "power-vacuum", "-p", "bot:greedy", "-p", "bot:random", "--seed", seed)


def test_standings_count_finished_games(turnlog: Turnlog, game: str) -> None:
    """A row a name: games, wins, shared wins, mean and best score; only of the slug asked for."""
    assert turnlog.json("standings") == []
    results = [finished(turnlog, seed)["result"] for seed in (1, 2)]

    rows = {row["name"]: row for row in turnlog.json("standings")}

    assert set(rows) == {"bot:greedy", "bot:random"}
    for name, row in rows.items():
        scores = [result["scores"][name] for result in results]
        assert (row["slug"], row["games"], row["best_score"]) == ("power-vacuum", 2, max(scores))
        assert row["wins"] == sum(name in result["winners"] for result in results)
        assert row["mean_score"] == pytest.approx(sum(scores) / 2)
    assert turnlog.json("standings", "power-vacuum") == list(turnlog.json("standings"))
    assert "bot:greedy" in turnlog.ok("standings").out


def test_games_and_rules_teach(turnlog: Turnlog) -> None:
    """`games` lists what there is; `rules` tells guide, moves, options, draws, bots and what is house."""
    (listed,) = [one for one in turnlog.json("games") if one["slug"] == "power-vacuum"]
    assert listed == {
        "slug": "power-vacuum",
        "title": "Power Vacuum",
        "seats": [1, 5],
        "bots": ["bot:random", "bot:greedy", "bot:mcts"],
    }
    assert "power-vacuum" in turnlog.ok("games").out

    taught = turnlog.json("rules", "power-vacuum")
    assert {option["name"] for option in taught["options"]} == {"appliances", "first", "difficulty"}
    assert set(taught["draws"]) == {"regime-deck", "agenda-deck", "first-player"}
    assert "play CARD" in taught["moves"]
    assert taught["house"], "the Spies are house"
    text = turnlog.ok("rules", "power-vacuum").out
    assert taught["guide"].split()[:200] == text.split()[:200]
    for word in (*taught["draws"], "bot:greedy", *taught["house"]):
        assert word in text


def test_a_simulation_is_repeatable(turnlog: Turnlog) -> None:
    """The same seed plays the same games, another one others; nothing is written."""
    words = ("simulate", "power-vacuum", "-p", "bot:greedy", "-p", "bot:random", "-n", 3)

    one = turnlog.ok(*words, "--seed", "x", "--json")

    assert one.json["games"] == 3
    assert [seat["name"] for seat in one.json["seats"]] == ["bot:greedy", "bot:random"]
    assert sum(seat["wins"] for seat in one.json["seats"]) == pytest.approx(3)
    assert turnlog.ok(*words, "--seed", "x", "--json").out == one.out
    assert turnlog.ok(*words, "--seed", "y", "--json").out != one.out
    assert "3 games of Power Vacuum" in turnlog.ok(*words, "--seed", "x").out
    assert not turnlog.db.exists()


def test_rebuild_makes_the_same_lists(turnlog: Turnlog, game: str) -> None:
    """After rebuild, lists and standings are what the appends had written, even where they had been lost."""
    finished(turnlog, 3)
    turnlog.play(game, first_play(turnlog, game))
    turnlog.json("undo", game)
    before = turnlog.ok("list", "--json").out, turnlog.ok("standings", "--json").out
    with sqlite3.connect(turnlog.db) as connection:
        connection.execute("delete from results")
        connection.execute("delete from games")
    connection.close()
    assert turnlog.ok("list", "--json").out == ""

    assert turnlog.json("rebuild") == {"games": 2, "broken": []}

    assert (turnlog.ok("list", "--json").out, turnlog.ok("standings", "--json").out) == before


def test_a_backup_is_a_whole_database(turnlog: Turnlog, game: str, tmp_path: Path) -> None:
    """The copy verifies and can be played on; what it was copied from is as before; no file is overwritten."""
    copy = tmp_path / "copy.db"
    before = rows(turnlog)

    answer = turnlog.json("backup", copy)

    assert answer == {"backup": str(copy), "bytes": copy.stat().st_size}
    turnlog.ok("verify", "--all", "--db", copy)
    assert turnlog.ok("export", game, "--db", copy).out == turnlog.ok("export", game).out
    turnlog.ok("play", game, first_play(turnlog, game), "--db", copy)
    assert turnlog.json("show", game, "--db", copy)["seq"] == 2
    assert rows(turnlog) == before
    assert turnlog("backup", copy).code == 2
    assert turnlog.json("show", game, "--db", copy)["seq"] == 2
    # SQLite's own side files may lie beside a file in use; nothing half-copied does
    left = {path.name for path in tmp_path.glob("copy.db*")} - {"copy.db-wal", "copy.db-shm"}
    assert left == {"copy.db"}


# text ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("words", "environment", "coloured"),
    [
        pytest.param([], {}, True, id="terminal"),
        pytest.param(["--quiet"], {}, False, id="quiet"),
        pytest.param([], {"NO_COLOR": "1"}, False, id="no-color"),
        pytest.param([], {"NO_COLOR": ""}, True, id="no-color-empty"),
    ],
)
def test_colour_is_for_terminals_that_want_it(
    turnlog: Turnlog,
    game: str,
    monkeypatch: pytest.MonkeyPatch,
    words: list[str],
    environment: dict[str, str],
    coloured: bool,
) -> None:
    """On a terminal boards are coloured, but with NO_COLOR or --quiet; the text is the same without."""
    plain = turnlog.ok("show", game, "--as", "lucia", *words).out
    assert "\x1b" not in plain, "a pipe gets plain text"
    with monkeypatch.context() as patched:
        for name, value in environment.items():
            patched.setenv(name, value)
        patched.setattr(sys.stdout, "isatty", lambda: True, raising=False)
        shown = turnlog.ok("show", game, "--as", "lucia", *words).out

    assert ("\x1b[" in shown) is coloured
    bare = re.sub(r"\x1b\[[0-9;]*m", "", shown)
    assert [line.rstrip() for line in bare.splitlines()] == plain.splitlines()


def test_text_fits_80_columns_of_ascii(turnlog: Turnlog, game: str) -> None:
    """Boards, answers, lists and rules are at most 80 columns wide and plain ASCII."""
    turnlog.play(game, first_play(turnlog, game))
    for words in (["show", game], ["show", game, "--as", "lucia"], ["moves", game], ["log", game], ["list"],
                  ["replay", game]):  # fmt: skip
        out = turnlog.ok(*words).out
        assert out.isascii(), words
        assert max(map(len, out.splitlines())) <= 80, words


def test_quiet_is_short(turnlog: Turnlog, game: str) -> None:
    """--quiet gives what a script wants in plain text: the moves alone, the new id alone, the board alone."""
    legal = turnlog.json("moves", game)["moves"]

    assert turnlog.ok("moves", game, "--quiet").out.splitlines() == legal
    new = turnlog.ok("create", "power-vacuum", "-p", "ana", "--quiet").out
    assert turnlog.json("show", "@")["game"] == new.strip()
    assert "To move" in turnlog.ok("show", game).out
    assert "To move" not in turnlog.ok("show", game, "--quiet").out


COMMANDS = sorted(info.name or info.callback.__name__ for info in app.registered_commands if info.callback)


@pytest.mark.parametrize("name", COMMANDS)
@pytest.mark.parametrize("flag", ["--help", "-h"])
def test_every_command_has_help(turnlog: Turnlog, name: str, flag: str) -> None:
    """Its usage, a sentence that says what it does, and a text for each option."""
    answer = turnlog.ok(name, flag)

    usage, _, sentence, *rest = answer.out.splitlines()
    assert usage.startswith("Usage: ")
    assert f" {name} " in usage
    assert sentence.strip()[0].isupper()
    text = " ".join(" ".join([sentence, *rest]).split("Options:")[0].split())
    assert "." in text
    options = answer.out.split("Options:")[1].strip().splitlines()
    for line in options:
        words = line.split("  ")
        assert len([word for word in words if word.strip()]) >= 2 or not line.strip().startswith("-"), line
    assert answer.err == ""


def test_without_words_help_is_shown(turnlog: Turnlog) -> None:
    """`turnlog` alone shows all commands, as --help does."""
    alone = turnlog()

    assert (alone.code, alone.err) == (2, "")
    assert alone.out == turnlog.ok("--help").out
    for name in COMMANDS:
        assert f"\n  {name} " in alone.out


def test_the_version_is_told(turnlog: Turnlog) -> None:
    """--version tells the version and does nothing else."""
    assert turnlog.ok("--version").out == f"turnlog {version('turnlog')}\n"


def test_a_log_file_gets_json_lines(turnlog: Turnlog, game: str, tmp_path: Path) -> None:
    """--log-file at level info notes what was done, one JSON document a line, and stdout is as without."""
    file = tmp_path / "turnlog.log"
    move = first_play(turnlog, game)

    turnlog.ok("--log-level", "info", "--log-file", file, "play", game, move)

    (line,) = file.read_text().splitlines()
    assert {key: json.loads(line)[key] for key in ("event", "level", "game", "seq")} == {
        "event": "played", "level": "info", "game": game, "seq": 2,
    }  # fmt: skip


def test_a_followed_log_goes_on_until_it_is_interrupted(
    turnlog: Turnlog, game: str, command: Callable[..., list[str]]
) -> None:
    """`log --follow` tells what is there and then what comes; interrupted it ends with 130 and no traceback."""
    following = subprocess.Popen(
        command("log", game, "--follow", "--json"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        assert following.stdout is not None
        assert json.loads(following.stdout.readline())["kind"] == "game-created"
        move = first_play(turnlog, game)
        turnlog.play(game, move)
        assert json.loads(following.stdout.readline())["move"] == move

        following.send_signal(signal.SIGINT)
        out, err = following.communicate(timeout=60)
    finally:
        following.kill()

    assert (following.returncode, out) == (130, "")
    assert err in ("", "turnlog: interrupted\n")


def test_a_pipe_that_closes_is_no_fault(command: Callable[..., list[str]], tmp_path: Path) -> None:
    """Whoever reads has read enough: the command ends quietly."""
    pipe = subprocess.Popen(command("rules", "power-vacuum"), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert pipe.stdout is not None
    assert pipe.stderr is not None
    pipe.stdout.close()
    errors = pipe.stderr.read()
    pipe.stderr.close()
    assert (pipe.wait(), errors) == (0, b"")
