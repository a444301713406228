"""Getting games out of a damaged database, and not taking one for a backup."""

import os
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import NoReturn

import pytest

from engines import registry
from engines.kit.errors import NoSuchSlug
from replays import verifying
from tests.conftest import Turnlog
from tests.faults.games import GAMES, made
from tests.test_damage import changed


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database of four games."""
    path = tmp_path_factory.mktemp("recover") / "games.db"
    made(path)
    return path


@pytest.fixture
def played(turnlog: Turnlog, template: Path) -> Turnlog:
    """The command line on a copy of it."""
    shutil.copy(template, turnlog.db)
    return turnlog


@pytest.fixture
def new(turnlog: Turnlog) -> Path:
    """Where games are recovered to."""
    return turnlog.db.with_name("new.db")


def logs(turnlog: Turnlog, db: Path) -> dict[str, str]:
    """The log of each game of a database."""
    games = [game["game"] for game in turnlog.ok("list", "--json", "--db", db).lines]
    return {game: turnlog.ok("export", game, "--db", db).out for game in games}


def test_a_whole_database_is_recovered_whole(played: Turnlog, new: Path) -> None:
    """All games, as they were, in a file that can be played on; what it was taken from is not touched."""
    content = played.db.read_bytes()
    answer = played.json("recover", played.db)
    new = played.db.with_name("games.recovered.db")
    assert answer["recovered"] == str(new)
    assert sorted((game["game"], game["whole"], game["written"]) for game in answer["games"]) == [
        (game, True, True) for game in sorted(GAMES)
    ]
    assert played.db.read_bytes() == content
    assert logs(played, new) == logs(played, played.db)
    played.ok("verify", "--all", "--db", new)
    assert played.ok("standings", "--db", new) == played.ok("standings")
    move = played.json("moves", "beta", "--db", new)["moves"][0]
    played.ok("play", "beta", move, "--db", new)


def test_nothing_is_written_over(played: Turnlog, new: Path) -> None:
    """`recover` makes a new file, and leaves nothing beside it when it does not."""
    new.write_text("mine")
    before = set(os.listdir(new.parent))
    answer = played("recover", played.db, "--into", new, "--json")
    assert (answer.code, answer.error["code"]) == (2, "unwritable")
    assert new.read_text() == "mine"
    assert set(os.listdir(new.parent)) == before


def test_a_damaged_game_is_left_out(played: Turnlog, new: Path) -> None:
    """The others are written, and it is said where the damaged one is cut, why, and how to have its beginning."""
    before = logs(played, played.db)
    changed(played.db, "update events set actor = 'cy' where game = 'beta' and seq = 6")
    answer = played("recover", played.db, "--into", new, "--json")
    assert answer.code == 6
    assert "1 of its 4 games are not whole" in answer.error["message"]
    assert "--partial" in answer.error["hint"]
    [beta] = [game for game in answer.json["games"] if not game["whole"]]
    assert beta == {
        "game": "beta",
        "slug": "evangelists",
        "events": 5,
        "why": "its content does not match its digest",
        "written": False,
        "whole": False,
    }
    assert logs(played, new) == {game: log for game, log in before.items() if game != "beta"}
    new.unlink()
    text = played("recover", played.db, "--into", new)
    assert (
        "beta: cut at event 6: its content does not match its digest; 5 events before it, not written." in text.out
    )


def test_the_beginning_of_a_damaged_game_can_be_had(played: Turnlog, new: Path) -> None:
    """With `--partial` what stands before the damage is a game to play on; a note says what is lost."""
    before = played.ok("export", "beta").out.splitlines()
    board = played.ok("show", "beta", "--at", 5, "--as", "referee", "--json").json
    changed(played.db, "update events set actor = 'cy' where game = 'beta' and seq = 6")
    answer = played("recover", played.db, "--into", new, "--partial", "--json")
    assert answer.code == 6
    log = played.ok("export", "beta", "--db", new).out.splitlines()
    assert log[:5] == before[:5]
    assert len(log) == 6
    assert "event 6 and all after it are lost" in played.ok("notes", "beta", "--db", new).out
    shown = played.json("show", "beta", "--as", "referee", "--db", new)
    assert shown["view"] == board["view"]
    played.ok("verify", "--all", "--db", new)
    played.ok("play", "beta", played.json("moves", "beta", "--db", new)["moves"][0], "--db", new)


def test_a_beginning_that_ends_among_the_bots_is_played_on(played: Turnlog, new: Path) -> None:
    """A game cut where a bot was to answer goes on: by what is undone, or by the next move."""
    bots = [move["seq"] for move in played.ok("log", "alpha", "--json").lines if move.get("seat") != "ada"]
    changed(played.db, f"update events set at = at + 1 where game = 'alpha' and seq = {bots[-1]}")
    assert played("recover", played.db, "--into", new, "--partial").code == 6
    played.ok("verify", "alpha", "--db", new)
    played.ok("undo", "alpha", "--db", new)
    played.ok("play", "alpha", played.json("moves", "alpha", "--db", new)["moves"][0], "--db", new)


def test_events_are_found_without_their_table(played: Turnlog, new: Path) -> None:
    """Tables dropped, the header overwritten: as long as the pages hold the rows they are found."""
    before = logs(played, played.db)
    with closing(sqlite3.connect(played.db, isolation_level=None)) as raw:
        raw.execute("pragma secure_delete = off")
        raw.execute("pragma writable_schema = on")
        raw.execute("delete from sqlite_schema")
    content = bytearray(played.db.read_bytes())
    content[:100] = bytes(100)
    played.db.write_bytes(content)
    assert played("verify", "--all").code == 6
    played.ok("recover", played.db, "--into", new)
    assert logs(played, new) == before


@pytest.mark.parametrize("part", [0.7, 0.8, 0.9])
def test_a_file_cut_off_gives_what_is_left(played: Turnlog, new: Path, part: float) -> None:
    """Of a file that lost its end each game is had as far as it goes; its first half is the empty tables'."""
    before = logs(played, played.db)
    content = played.db.read_bytes()
    played.db.write_bytes(content[: int(len(content) * part)])
    answer = played("recover", played.db, "--into", new, "--partial", "--json")
    assert answer.code in (0, 6)
    found = logs(played, new)
    assert found
    for game in answer.json["games"]:
        if game["whole"]:
            assert found[game["game"]] == before[game["game"]]
        elif game["written"]:
            assert found[game["game"]].splitlines()[:-1] == before[game["game"]].splitlines()[: game["events"]]
    played.ok("verify", "--all", "--db", new)


def test_a_log_that_lost_its_end_is_not_whole(played: Turnlog, new: Path) -> None:
    """What is left is a whole chain, but the list of games knows that it went on."""
    changed(played.db, "delete from events where game = 'beta' and seq > 7", "vacuum")
    answer = played("recover", played.db, "--into", new, "--json")
    [beta] = [game for game in answer.json["games"] if game["game"] == "beta"]
    assert (answer.code, beta["events"], beta["why"]) == (
        6,
        7,
        "it is missing: the list of games knows of 12 events",
    )


@pytest.mark.parametrize(
    ("content", "code", "name"),
    [(None, 5, "no-database"), (b"", 6, "damaged"), (b"hello\n" * 9000, 6, "damaged"), ("folder", 2, "not-ours")],
    ids=["none", "empty", "text", "folder"],
)
def test_what_holds_no_game_is_refused(
    turnlog: Turnlog, new: Path, content: bytes | str | None, code: int, name: str
) -> None:
    """Where there is nothing to recover no new file is made."""
    if isinstance(content, str):
        turnlog.db.mkdir()
    elif content is not None:
        turnlog.db.write_bytes(content)
    answer = turnlog("recover", turnlog.db, "--into", new, "--json")
    assert (answer.code, answer.error["code"]) == (code, name)
    assert not new.exists()


def test_a_game_that_is_not_installed_is_taken_by_its_chain(
    played: Turnlog, new: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What cannot be folded here is copied as it is; `verify --all` names it and goes on to the other games."""

    def missing(slug: str) -> NoReturn:
        raise NoSuchSlug(f"no game {slug!r} is installed")

    before, shipped = logs(played, played.db), registry.game_of
    with monkeypatch.context() as patch:
        for module in (verifying, registry):
            patch.setattr(
                module, "game_of", lambda slug: missing(slug) if slug == "evangelists" else shipped(slug)
            )
        found = played("verify", "--all")
        assert found.code == 5
        assert "beta: no game 'evangelists' is installed" in found.out
        assert "gamma: whole" in found.out
        played.ok("recover", played.db, "--into", new)
        played.ok("backup", new.with_name("backup.db"))
    assert logs(played, new) == before


# backup -----------------------------------------------------------------------------------------------


def test_a_damaged_database_is_no_backup(played: Turnlog, new: Path) -> None:
    """`backup` names the damage and copies nothing; with `--force` it copies what is there."""
    changed(played.db, "update events set actor = 'cy' where game = 'beta' and seq = 6")
    answer = played("backup", new, "--json")
    assert answer.code == 6
    assert "event 6 of game beta is damaged" in answer.error["message"]
    assert "--force" in answer.error["hint"]
    assert not new.exists()
    played.ok("backup", new, "--force")
    assert played("verify", "beta", "--db", new).code == 6
    played.ok("verify", "gamma", "--db", new)


def test_a_file_that_cannot_be_opened_is_copied_by_force(played: Turnlog, new: Path) -> None:
    """Byte by byte, its write-ahead log beside it."""
    content = bytearray(played.db.read_bytes())
    content[:16] = b"\xff" * 16
    played.db.write_bytes(content)
    beside = Path(f"{played.db}-wal")
    beside.write_bytes(b"left")
    assert played("backup", new).code == 6
    played.ok("backup", new, "--force")
    assert new.read_bytes() == content
    assert Path(f"{new}-wal").read_bytes() == b"left"


def test_a_backup_leaves_other_files_alone(played: Turnlog, new: Path) -> None:
    """What lies beside the new file keeps its content, whatever it is called."""
    part = new.with_name(f"{new.name}.part")
    part.write_text("mine")
    played.ok("backup", new)
    assert part.read_text() == "mine"
    played.ok("verify", "--all", "--db", new)


# the lists --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "harm",
    [
        "update games set to_move = '[\"bo\"]' where game = 'beta'",
        "update games set state = 'over' where game = 'beta'",
        "update games set touched = touched + 1 where game = 'beta'",
        "update games set events = 3 where game = 'beta'",
        "delete from games where game = 'beta'",
        "update results set score = score + 1 where game = 'delta'",
        "delete from results where game = 'delta'",
        "insert into results select 'beta', seat, slug, name, score, won, shared from results",
    ],
)
def test_a_list_that_says_otherwise_than_the_log_is_found(played: Turnlog, harm: str) -> None:
    """`verify` holds the lists to the log, and `rebuild` makes them right."""
    before = played.ok("list", "--json").out, played.ok("standings").out
    with closing(sqlite3.connect(played.db, isolation_level=None)) as raw:
        raw.execute(harm)
    answer = played("verify", "--all", "--json")
    assert answer.code == 6
    assert ("delta" if "delta" in harm else "beta") in answer.error["message"]
    played.ok("rebuild")
    played.ok("verify", "--all")
    assert (played.ok("list", "--json").out, played.ok("standings").out) == before


@pytest.mark.parametrize(
    ("harm", "named"),
    [
        ("drop view standings", "view 'standings'"),
        ("drop index events_request", "index 'events_request'"),
        ("delete from _sqlite_migrations where name = 'lists'", "migration 'lists'"),
    ],
)
def test_a_part_of_the_file_that_is_gone_is_found(played: Turnlog, harm: str, named: str) -> None:
    """`verify --all` knows what belongs into a file, and minds nothing that others added."""
    with closing(sqlite3.connect(played.db, isolation_level=None)) as raw:
        raw.execute("create table mine (a)")
        raw.execute("create index mine_too on games (slug)")
        played.ok("verify", "--all")
        raw.execute(harm)
    answer = played("verify", "--all", "--json")
    assert answer.code == 6
    assert named in answer.error["message"]


def test_a_file_format_that_nobody_writes_is_found(played: Turnlog) -> None:
    """SQLite only takes such a file for one that cannot be written."""
    content = bytearray(played.db.read_bytes())
    content[18] = 3
    played.db.write_bytes(content)
    for words in (["verify", "--all"], ["play", "beta", *played.json("moves", "beta")["moves"][0].split()]):
        answer = played(*words, "--json")
        assert answer.code == 6
        assert "file format 3" in answer.error["message"]
