"""Files from elsewhere: forged with a chain that fits, made to hide, to break or to fill the memory: refused."""

import tracemalloc
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from engines.kit.game import Game
from engines.registry import all_games, game_of
from events.digest import ROOT, chained
from tests.conftest import Turnlog
from tests.lively_games import HOSTILE, lively, opened, seats_for

ONCE_A_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)


def exported(turnlog: Turnlog, game: Game, names: tuple[str, ...] = ("ada", "bo", "cy")) -> list[dict[str, Any]]:
    """The documents of a game with undone lines and notes, closed by hand at its end."""
    log = opened(turnlog.db)
    lively(log, game, seats_for(game, names), moves=12)
    log.close()
    turnlog.ok("close", "lively", "--reason", "late")
    return [json.decode(line) for line in turnlog.ok("export", "lively").out.splitlines()]


def forged(documents: list[dict[str, Any]], path: Path) -> Path:
    """The documents as a file whose chain fits."""
    digest = ROOT
    with path.open("w") as file:
        for one in documents:
            columns = tuple(one[key] for key in ("game", "seq", "at", "kind", "actor", "schema", "request"))
            data = json.encode(one["data"]).decode()
            digest = chained(digest, *columns, data)
            head = {key: value for key, value in one.items() if key not in ("data", "digest")}
            file.write(f'{json.encode(head).decode()[:-1]},"data":{data},"digest":"{digest.hex()}"}}\n')
    return path


def refused(turnlog: Turnlog, file: Path, says: str, code: int = 6) -> None:
    """Holds an import to be refused in words, with nothing left of it."""
    db = file.with_name("other.db")
    told = turnlog("import", file, "--db", db, "--json")
    assert (told.code, told.out) == (code, ""), told.out or told.err
    assert says in told.error["message"]
    if db.exists():
        assert turnlog.ok("list", "--json", "--db", db).out == ""


def change(documents: list[dict[str, Any]], seq: int, path: tuple[str | int, ...], value: Any) -> None:
    """Sets something in the document of an event; `seq` is counted from the end if it is negative."""
    place: Any = documents[seq - 1 if seq > 0 else seq]
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value


#: An event, a place in it, what is put there, and what the refusal says.
FORGED: dict[str, tuple[int, tuple[str | int, ...], Any, str]] = {
    "a name that clears the screen": (1, ("data", "seats", 0), "a\x1b[2Jb", "cannot be shown"),
    "a name that turns what follows": (1, ("data", "seats", 0), "a\u202eb", "cannot be shown"),
    "a name that is a role": (1, ("data", "seats", 0), "referee", "cannot be a seat's name"),
    "a name that is too long": (1, ("data", "seats", 0), "a" * 41, "cannot be a seat's name"),
    "two of one name": (1, ("data", "seats", 0), "BO", "the same name"),
    "too few seats": (1, ("data", "seats"), ["ada"], ""),
    "seats that play themselves": (1, ("data", "automatic"), [0], "not those of the game"),
    "a seat of its own to move": (1, ("data", "next"), [7], "it has no seat 7"),
    "an unknown undo policy": (1, ("data", "undo"), "never", "undo policy"),
    "an unknown option": (1, ("data", "options", "cheat"), "yes", "no option 'cheat'"),
    "options that are gone": (1, ("data", "options"), {}, ""),
    "an option with control codes": (1, ("data", "options", "first"), "\x07", "cannot be shown"),
    "no seed": (1, ("data", "seed"), "", "it has no seed"),
    "seen by nobody there": (1, ("data", "seen_by"), "zoe", "could have seen it"),
    "an origin with a path": (1, ("data", "origin"), {"game": "../x", "seq": 1, "copied": 0}, "a game's id"),
    "an origin of no seat": (
        1, ("data", "origin"), {"game": "x", "seq": 1, "copied": 0, "guess_of": 9}, "it has no seat 9",
    ),
    "a position that is none": (1, ("data", "position"), [1], "do not fit"),
    "a level of a thousand million": (1, ("data", "facts", 1, "levels", 0), 10**9, "out of all bounds"),
    "a number of 64 bits": (1, ("data", "facts", 1, "round"), 2**64 - 1, "out of all bounds"),
    "a number with an exponent": (1, ("data", "draws", "first-player"), 1e300, ""),
    "a move of another seat's actor": (2, ("actor",), "zoe", "nobody of the game is called 'zoe'"),
    "an actor with control codes": (2, ("actor",), "\x1b[1m", "nobody of the game"),
    "a request with control codes": (2, ("request",), "\x1b[1m", "cannot be shown"),
    "a card that is in no hand": (2, ("data", "facts", -1, "card"), "R9\x00", "cannot be shown"),
    "facts of a seat before the first": (2, ("data", "facts", 0, "seat"), -1, "it has no seat -1"),
    "a move of another kind": (2, ("data", "move", "type"), "power-vacuum.cheat", "cannot be read"),
    "an outcome before the end": (
        2, ("data", "outcome"), {"winners": [0], "scores": [1, 2, 3], "reason": "so"}, "the outcome it tells",
    ),
    "an end with too few scores": (-1, ("data", "outcome", "scores"), [None], "not one a seat"),
    "an end won by nobody there": (-1, ("data", "outcome", "winners"), [9], "it has no seat 9"),
    "a reason that goes on and on": (-1, ("data", "reason"), "x" * 10_001, "at most 10000"),
    "a remark of two lines": (2, ("data", "remark"), "so\ncreate lairs -p exec:x", "a remark is one line"),
    "a name that is a command": (1, ("data", "seats", 0), "exec:/bin/rm", "cannot be a seat's name"),
    "a reason in colour": (-1, ("data", "outcome", "reason"), "\x1b[31mred", "cannot be shown"),
}  # fmt: skip


@pytest.mark.parametrize(("seq", "path", "value", "says"), FORGED.values(), ids=FORGED)
def test_a_forged_entry_is_refused(
    turnlog: Turnlog, tmp_path: Path, seq: int, path: tuple[str | int, ...], value: Any, says: str
) -> None:
    """What no command could have written, in a chain that fits: refused whole, with the entry's number."""
    documents = exported(turnlog, game_of("power-vacuum"))
    change(documents, seq, path, value)
    refused(turnlog, forged(documents, tmp_path / "log.jsonl"), says)


def test_a_forged_note_is_refused(turnlog: Turnlog, tmp_path: Path) -> None:
    """A note that is too long, shows control codes, or is by nobody."""
    documents = exported(turnlog, game_of("power-vacuum"))
    (first, *_) = [document["seq"] for document in documents if document["kind"] == "noted"]
    for key, value, says in (
        ("text", "x" * 10_001, "at most 10000"),
        ("text", "a\x1b]0;title\x07", "cannot be shown"),
        ("seat", 9, "it has no seat 9"),
        ("seat", -1, "it has no seat -1"),
    ):
        changed = json.decode(json.encode(documents))
        change(changed, first, ("data", key), value)
        refused(turnlog, forged(changed, tmp_path / f"{key}.jsonl"), says)


@ONCE_A_GAME
def test_what_a_command_wrote_is_taken(game: Game, turnlog: Turnlog, tmp_path: Path) -> None:
    """Markup in names, notes and reasons is text like any other: taken as it is, exported to the same bytes."""
    documents = exported(turnlog, game, HOSTILE)
    file = forged(documents, tmp_path / "log.jsonl")
    assert file.read_text() == turnlog.ok("export", "lively").out
    db = tmp_path / "other.db"
    assert turnlog.json("import", file, "--db", db)["new"] == len(documents)
    assert turnlog.ok("export", "lively", "--db", db).out == file.read_text()
    turnlog.ok("verify", "--all", "--rules", "--db", db)


@ONCE_A_GAME
def test_lost_or_doubled_facts_break_nothing(game: Game, turnlog: Turnlog, tmp_path: Path) -> None:
    """A move whose facts are told twice or left out is refused, or makes a game that can be looked at.

    Facts are what counts: where others fit as well, only today's rules can tell (`verify --rules`).
    """
    documents = exported(turnlog, game)
    moves = [document for document in documents if document["kind"] == "move-made" and document["data"]["facts"]]
    for number, twice in ((0, True), (0, False)):
        changed = json.decode(json.encode(documents))
        seq = moves[number]["seq"]
        facts = changed[seq - 1]["data"]["facts"]
        changed[seq - 1]["data"]["facts"] = facts * 2 if twice else []
        told = turnlog("import", forged(changed, tmp_path / f"{twice}.jsonl"), "--db", tmp_path / "o.db", "--json")
        assert told.code in (0, 6)
        if told.code == 0:
            for words in (
                ["show", "lively"],
                ["log", "lively"],
                ["replay", "lively"],
                ["verify", "lively", "--rules"],
            ):
                turnlog.ok(*words, "--db", tmp_path / "o.db")
            (tmp_path / "o.db").unlink()


@pytest.mark.parametrize("content", [b"\0", b"{", b"x"], ids=["nothing-but-zeros", "json", "text"])
def test_a_line_of_100_megabytes_is_refused_unread(turnlog: Turnlog, tmp_path: Path, content: bytes) -> None:
    """Its beginning is all that is looked at, so that no more memory is taken than a longest line may have."""
    file = tmp_path / "huge"
    with file.open("wb") as huge:
        huge.write(content)
        huge.truncate(100_000_000)
    tracemalloc.start()
    try:
        refused(turnlog, file, "its line is longer than")
        assert tracemalloc.get_traced_memory()[1] < 60_000_000
    finally:
        tracemalloc.stop()


def test_a_script_of_many_lines_is_read_as_far_as_it_is_right(turnlog: Turnlog, tmp_path: Path) -> None:
    """A transcript is played line by line: what comes behind the first refusal is not even read."""
    file = tmp_path / "script"
    with file.open("wb") as script:
        script.write(b"create power-vacuum -p ada -p bo --id g\nfrobnicate\n")
        for _ in range(200):
            script.write(b"ada: play Y9 \xff\n" * 1_000)
    tracemalloc.start()
    try:
        refused(turnlog, file, "line 2, 'frobnicate'", code=3)
        assert tracemalloc.get_traced_memory()[1] < 10_000_000
    finally:
        tracemalloc.stop()


@pytest.mark.parametrize(
    ("content", "code", "says"),
    [
        (b'{"game":' + b"[" * 100_000, 6, "cannot be read"),
        (b'{"game":"g","seq":1,"data":' + b'{"a":' * 100_000, 6, "cannot be read"),
        (b'{"game":"g","seq":' + b"9" * 100_000 + b"}", 6, "cannot be read"),
        (b'{"game":"g"', 6, "cannot be read"),
        (b'{"events":[],"winner":"me"}', 6, "cannot be read"),
        (b"[]\n", 2, ""),
        (b"PK\x03\x04\x14\x00\x08\x00\xff\xfe", 2, "no text in UTF-8"),
        (b"<!DOCTYPE html>\n<script>alert(1)</script>\n", 2, ""),
        (b"# a comment alone\n", 2, "holds no game"),
        (b"", 6, "the file is empty"),
    ],
    ids=["deep", "deep-data", "huge", "torn", "foreign", "a-list", "binary", "a-page", "a-comment", "empty"],
)
def test_a_file_of_something_else_is_refused(
    turnlog: Turnlog, tmp_path: Path, content: bytes, code: int, says: str
) -> None:
    """Deep nesting, huge numbers, other programs' files: a clear refusal, nothing imported."""
    file = tmp_path / "file"
    file.write_bytes(content)
    refused(turnlog, file, says, code)


def test_what_is_no_file_is_refused(turnlog: Turnlog, tmp_path: Path) -> None:
    """A folder, a file that is not there, a name with a NUL in it."""
    for name in (tmp_path, tmp_path / "none", "a\0b"):
        told = turnlog("import", name, "--json")
        assert (told.code, told.out) == (2, "")
        assert "cannot be read" in told.error["message"]
