"""A log that is not what was written: it is noticed, named, and nothing is built on it."""

import os
import random
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import json, msgpack

from engines.creation import Wish, create
from engines.kit.notation import words_of
from engines.kit.offers import legal
from engines.registry import game_of
from engines.table import Table
from events.digest import chained
from events.model import Draft
from events.sqlite import TRIGGERS, SqliteLog, open_log
from projections import position
from projections.schema import prepare
from tests.conftest import Answer, Turnlog

GAME = game_of("power-vacuum")

#: The rows of game `g`: the creation, twelve moves, an undo. Rows 1 and 6 carry a request.
CREATION, MIDDLE, LAST = 1, 6, 14

#: One byte of a column changed, as an SQL expression.
ONE_BYTE = {
    "game": "'h'",
    "seq": "seq + 64",
    "at": "at + 1",
    "kind": "replace(kind, 'e', 'f')",
    "actor": "replace(actor, 'a', 'b')",
    "schema": "schema + 1",
    "request": "coalesce(request, '') || 'x'",
    "data": "substr(data, 1, length(data) - 5) || '~' || substr(data, -4)",
    "digest": "cast(x'00' || substr(digest, 2) as blob)",
}


def changed(db: Path, *statements: str) -> None:
    """Changes a database behind the program's back; its guards are there again afterwards."""
    with closing(sqlite3.connect(db, isolation_level=None)) as raw:
        for name in TRIGGERS:
            raw.execute(f"drop trigger {name}")
        for statement in statements:
            raw.execute(statement)
            assert raw.execute("select changes()").fetchone() != (0,), f"{statement!r} changed nothing"
        for sql in TRIGGERS.values():
            raw.execute(sql)


def rows(db: Path) -> list[Any]:
    """All that is in the log, as it lies."""
    with closing(sqlite3.connect(db)) as raw:
        raw.text_factory = bytes
        return raw.execute("select * from events order by game, seq").fetchall()


def opened(db: Path) -> SqliteLog:
    """The log, to write; not synced, since nothing here asks what survives a power cut."""
    log = open_log(str(db), prepare, write=True)
    log.connection.execute("pragma synchronous = off")
    return log


def started(log: SqliteLog, game: str, *, request: str | None = None) -> Table:
    """A new game of ada and adam."""
    wish = Wish(GAME, ("ada", "adam"), seed="7")
    return create(log, wish, game, now=1, secret=lambda: "salt", request=request)[0]


def play_moves(table: Table, count: int, *, request: str | None = None) -> None:
    """Plays the first legal move, several times."""
    for _ in range(count):
        move = legal(table.offers(table.to_move[0]))[0]
        table.play(words_of(GAME.grammar.spell(move)), now=2, request=request)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a game `g` of fourteen events and a game `whole` of three."""
    path = tmp_path_factory.mktemp("damage") / "games.db"
    log = opened(path)
    table = started(log, "g", request="create")
    play_moves(table, MIDDLE - 2)
    play_moves(table, 1, request="move")
    play_moves(table, LAST - 1 - MIDDLE)
    table.undo(now=3, seat=0)
    play_moves(started(log, "whole"), 2)
    log.close()
    return path


@pytest.fixture
def played(turnlog: Turnlog, template: Path) -> Turnlog:
    """The command line on a copy of that database."""
    shutil.copy(template, turnlog.db)
    return turnlog


def hold_to_damage(turnlog: Turnlog, seq: int) -> None:
    """Event `seq` of game `g` is told to be damaged, by every command that builds on it; nothing is appended."""
    before = rows(turnlog.db)
    for words in (["verify"], ["play", "point"], ["undo"], ["show"]):
        answer = turnlog(words[0], "g", *words[1:], "--json")
        assert answer.code == 6, f"{words}: {answer}"
        assert answer.error["code"] == "damaged"
        assert f"event {seq} of game g is damaged" in answer.error["message"], words
        assert answer.out == ""
    assert turnlog("verify", "--all").code == 6
    assert rows(turnlog.db) == before
    turnlog.ok("note", "whole", 1, "the other game goes on")


@pytest.mark.parametrize("seq", [CREATION, MIDDLE, LAST - 1, LAST], ids=["creation", "middle", "move", "undo"])
@pytest.mark.parametrize("column", ONE_BYTE)
def test_a_byte_of_a_row_is_noticed(played: Turnlog, column: str, seq: int) -> None:
    """One byte changed in any column: `verify` names the event, and no command goes on with the game."""
    played.ok("verify", "g")
    changed(played.db, f"update events set {column} = {ONE_BYTE[column]} where game = 'g' and seq = {seq}")
    hold_to_damage(played, seq)


@pytest.mark.parametrize("seq", [CREATION, MIDDLE, LAST])
def test_a_text_that_is_no_text_is_noticed(played: Turnlog, seq: int) -> None:
    """A byte that makes a row's text no UTF-8 is damage of that event, not only of the file."""
    changed(
        played.db,
        "update events set data = cast(cast(substr(data, 1, 9) as blob) || x'ff' "
        f"|| cast(substr(data, 11) as blob) as text) where game = 'g' and seq = {seq}",
    )
    hold_to_damage(played, seq)


@pytest.mark.parametrize("slug", ["power-vacuun", "", "..", "power_vacuum"])
def test_a_changed_slug_is_damage(played: Turnlog, slug: str) -> None:
    """A creation that names another game now is damaged: nobody is told to install that game."""
    changed(played.db, f"update events set data = json_set(data, '$.slug', '{slug}') where game = 'g' and seq = 1")
    hold_to_damage(played, 1)


@pytest.mark.parametrize("seq", [CREATION, 2, MIDDLE, LAST - 1])
def test_a_row_taken_out_is_noticed(played: Turnlog, seq: int) -> None:
    """A row that is not there any more is named, whatever follows it."""
    changed(played.db, f"delete from events where game = 'g' and seq = {seq}")
    hold_to_damage(played, seq)


@pytest.mark.parametrize("left", [13, 7, 1])
def test_a_log_cut_off_at_its_end_is_noticed(played: Turnlog, left: int) -> None:
    """What is left of a log is a whole chain, but the list of games knows that it went on."""
    changed(played.db, f"delete from events where game = 'g' and seq > {left}")
    hold_to_damage(played, left + 1)


def test_a_game_taken_out_whole_is_noticed(played: Turnlog) -> None:
    """A game without a single row left is not there, and missed by `verify --all`."""
    changed(played.db, "delete from events where game = 'g'")
    assert played("show", "g").code == 5
    answer = played("verify", "--all", "--json")
    assert answer.code == 6
    assert "event 1 of game g is damaged" in answer.error["message"]


def test_two_rows_that_changed_places_are_noticed(played: Turnlog) -> None:
    """Each row is whole, but not where it was."""
    changed(
        played.db,
        "update events set seq = 100 where game = 'g' and seq = 5",
        "update events set seq = 5 where game = 'g' and seq = 6",
        "update events set seq = 6 where game = 'g' and seq = 100",
    )
    hold_to_damage(played, 5)


def test_an_event_with_a_digest_made_for_it_is_noticed(played: Turnlog) -> None:
    """Who changes the last event and reckons its digest anew still differs from the list of games."""
    with closing(sqlite3.connect(played.db)) as raw:
        game, seq, at, kind, _, schema, request, data, _ = raw.execute(
            "select * from events where game = 'g' and seq = ?", (LAST,)
        ).fetchone()
        [previous] = raw.execute("select digest from events where game = 'g' and seq = ?", (LAST - 1,)).fetchone()
    digest = chained(previous, game, seq, at, kind, "adam", schema, request, data)
    changed(
        played.db,
        f"update events set actor = 'adam', digest = x'{digest.hex()}' where game = 'g' and seq = {LAST}",
    )
    answer = played("verify", "g", "--json")
    assert answer.code == 6
    assert f"event {LAST} of game g is damaged" in answer.error["message"]


def test_verify_holds_all_rows_to_the_chain(played: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """A load checks the newest rows only; `verify` finds a byte changed before those."""
    monkeypatch.setattr(position, "WATCHED", 4)
    changed(played.db, "update events set actor = 'bo' where game = 'g' and seq = 3")
    assert played("show", "g").code == 0
    answer = played("verify", "g", "--json")
    assert answer.code == 6
    assert "event 3 of game g" in answer.error["message"]


@pytest.mark.parametrize("watched", [1, 2, 4, LAST - 1])
@pytest.mark.parametrize("back", [0, 1, 3])
def test_a_load_watches_the_newest_rows(
    played: Turnlog, monkeypatch: pytest.MonkeyPatch, watched: int, back: int
) -> None:
    """A change in the last rows that a load watches is noticed; one before them is left to `verify`."""
    monkeypatch.setattr(position, "WATCHED", watched)
    changed(played.db, f"update events set actor = 'bo' where game = 'g' and seq = {LAST - back}")
    assert played("show", "g").code == (6 if back < watched else 0)
    assert played("verify", "g").code == 6


def test_a_damaged_game_can_still_be_closed(played: Turnlog) -> None:
    """`close` asks nothing of what is damaged: the game is out of the way, and stays damaged."""
    changed(played.db, f"update events set at = at + 1 where game = 'g' and seq = {MIDDLE}")
    before = rows(played.db)
    played.ok("close", "g")
    assert len(rows(played.db)) == len(before) + 1
    assert [game["state"] for game in played("list", "--json").lines if game["game"] == "g"] == ["closed"]
    assert played("close", "g").code == 3
    assert played("verify", "g").code == 6


# the file itself --------------------------------------------------------------------------------------


def flipped(db: Path, place: int, bit: int) -> None:
    """Changes one bit of a file."""
    content = bytearray(db.read_bytes())
    content[place] ^= bit
    db.write_bytes(content)
    for beside in (f"{db}-wal", f"{db}-shm"):  # left by a reader; empty, and of another file now
        if os.path.exists(beside):
            os.remove(beside)


@pytest.mark.parametrize("seq", [CREATION, MIDDLE, LAST])
def test_a_bit_of_a_row_in_the_file_is_noticed(played: Turnlog, seq: int) -> None:
    """A bit that changes in the file itself, in the text of an event, is damage of that event."""
    with closing(sqlite3.connect(played.db)) as raw:
        [text] = raw.execute("select data from events where game = 'g' and seq = ?", (seq,)).fetchone()
    beginning = text[:60].encode()
    place = played.db.read_bytes().find(beginning)
    assert place > 0
    flipped(played.db, place + len(beginning) // 2, 1)
    hold_to_damage(played, seq)


SHOW = ["show", "g", "--as", "referee", "--json"]


@pytest.mark.parametrize("part", range(8))
def test_any_bit_of_the_file_is_noticed_or_changes_nothing(played: Turnlog, part: int, tmp_path: Path) -> None:
    """Whatever bit changes, no command fails in another way than by saying so, and no wrong board is shown."""
    board = played.ok("show", "g", "--as", "referee", "--json").out
    whole = tmp_path / "whole.db"
    shutil.copy(played.db, whole)
    size = whole.stat().st_size
    chance = random.Random(part)  # noqa: S311 -- the same bits in each run
    for _ in range(6):
        place = chance.randrange(size * part // 8, size * (part + 1) // 8)
        shutil.copy(whole, played.db)
        flipped(played.db, place, 1 << chance.randrange(8))
        before = played.db.read_bytes()
        answers = {words[0]: played(*words) for words in (["verify", "--all"], ["list"], SHOW)}
        assert answers["show"].out in (board, ""), f"bit in byte {place}"
        assert played.db.read_bytes() == before
        answers["undo"] = played("undo", "g")
        answers["rebuild"] = played("rebuild")
        codes = {name: answer.code for name, answer in answers.items()}
        assert set(codes.values()) <= {0, 2, 5, 6}, f"bit in byte {place}: {answers}"
        if 6 in (codes["show"], codes["undo"]):
            assert codes["verify"] == 6, f"bit in byte {place}: {answers}"


@pytest.mark.parametrize("part", [0.001, 0.01, 0.1, 0.3, 0.5, 0.7, 0.9, 0.99])
def test_a_file_cut_off_is_noticed(played: Turnlog, part: float) -> None:
    """A file that lost its end is damaged, for every command; none makes it any worse."""
    content = played.db.read_bytes()
    played.db.write_bytes(content[: int(len(content) * part)])
    before = played.db.read_bytes()
    for words in (["verify", "g"], ["verify", "--all"], ["show", "g"], ["play", "g", "point"], ["undo", "g"]):
        answer = played(*words, "--json")
        assert answer.code == 6, f"{words}: {answer}"
        assert answer.error["code"] == "damaged"
    assert played.db.read_bytes() == before


# snapshots --------------------------------------------------------------------------------------------

#: Every snapshot's row changed, as SQL; each leaves the log as it is.
SNAPSHOTS_CHANGED = {
    "deleted": "delete from snapshots",
    "newest deleted": "delete from snapshots where seq = (select max(seq) from snapshots)",
    "state emptied": "update snapshots set state = x''",
    "state cut off": "update snapshots set state = substr(state, 1, length(state) - 1)",
    "state of another moment": "update snapshots set state = (select state from snapshots order by seq limit 1)",
    "a letter of the state": "update snapshots set state = cast(replace(cast(state as text), 'Y', 'W') as blob)",
    "timeline emptied": "update snapshots set timeline = x''",
    "timeline of another moment": (
        "update snapshots set timeline = (select timeline from snapshots order by seq limit 1)"
    ),
    "a byte of the timeline": (
        "update snapshots set timeline = cast(substr(timeline, 1, length(timeline) - 1) || x'00' as blob)"
    ),
    "another head": "update snapshots set head = head - 1",
    "another seq": "update snapshots set seq = seq - 1",
    "another version": "update snapshots set version = version || 'x'",
    "another version's state": (
        "update snapshots set version = case version when 'power-vacuum x' then '' else 'power-vacuum x' end"
    ),
    "another game's": "update snapshots set game = 'h'",
}


@pytest.fixture(scope="module")
def snapped_template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a game `g` of forty events, an undo among them, and a snapshot every eight."""
    path = tmp_path_factory.mktemp("snapped") / "games.db"
    log = opened(path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(position, "EVERY", 8)
        table = started(log, "g")
        play_moves(table, 20)
        table.undo(now=3, count=3)
        play_moves(table, 18)
    assert log.connection.execute("select count(*) from snapshots").fetchone() == (5,)
    log.close()
    return path


@pytest.fixture
def snapped(turnlog: Turnlog, snapped_template: Path, monkeypatch: pytest.MonkeyPatch) -> Turnlog:
    """The command line on a copy of that database; more snapshots come as often."""
    monkeypatch.setattr(position, "EVERY", 8)
    shutil.copy(snapped_template, turnlog.db)
    return turnlog


def shown(turnlog: Turnlog) -> tuple[Answer, Answer, list[bytes]]:
    """What `show` says to the referee, now and at an event, and the state at every event."""
    log = open_log(str(turnlog.db), prepare, write=False)
    states = [msgpack.encode(Table(log, "g", at=seq).state) for seq in range(1, log.last("g") + 1)]
    log.close()
    return turnlog.ok(*SHOW), turnlog.ok(*SHOW, "--at", 30), states


@pytest.mark.parametrize("harm", SNAPSHOTS_CHANGED)
def test_no_harm_to_snapshots_changes_what_is_shown(snapped: Turnlog, harm: str) -> None:
    """Snapshots are a cache: whatever becomes of them, boards and moves are those of the log, then and now."""
    before = shown(snapped)
    with closing(sqlite3.connect(snapped.db, isolation_level=None)) as raw:
        raw.execute(SNAPSHOTS_CHANGED[harm])
        assert raw.execute("select changes()").fetchone() != (0,)
    assert shown(snapped) == before
    snapped.ok("verify", "--all")
    log = opened(snapped.db)
    table = Table(log, "g")
    table.undo(now=3, count=2)
    table.redo(now=3)
    play_moves(table, 8)
    log.close()
    before = shown(snapped)
    with closing(sqlite3.connect(snapped.db, isolation_level=None)) as raw:
        raw.execute("delete from snapshots")
    assert shown(snapped) == before


def test_snapshots_are_used(snapped: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """What follows from these tests would follow from nothing if no snapshot were ever read."""
    decoded: list[int] = []
    codec = GAME.projector.codec
    deed = codec.deed
    monkeypatch.setattr(codec, "deed", lambda row: decoded.append(row.seq) or deed(row))
    with_snapshots = snapped.ok(*SHOW)
    assert 1 not in decoded
    with closing(sqlite3.connect(snapped.db, isolation_level=None)) as raw:
        raw.execute("delete from snapshots")
    assert snapped.ok(*SHOW) == with_snapshots
    assert 1 in decoded


def test_snapshots_of_another_reducer_version_are_void(snapped: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Reducers that make other states have another version, and then no old snapshot is read: all is folded."""
    reducers = dict(GAME.projector.reducers)
    of_play = next(kind for kind in reducers if kind.__name__ == "CardPlayed")
    old = reducers[of_play]

    def counts_cards(state: Any, fact: Any) -> None:
        old(state, fact)
        state.tokens[0] += 100

    def points() -> int:
        return snapped.ok(*SHOW).json["view"]["scores"]["ada"]

    before = points()
    reducers[of_play] = counts_cards
    same = GAME.projector._replace(reducers=reducers)
    monkeypatch.setattr(GAME, "projector", same)
    kept = points()
    monkeypatch.setattr(GAME, "projector", same._replace(version=f"{same.version} and more"))
    anew = points()
    with closing(sqlite3.connect(snapped.db, isolation_level=None)) as raw:
        cards = raw.execute(
            "select count(*) from v_moves where game = 'g' and stands and move ->> 'type' = 'power-vacuum.play'"
        ).fetchone()[0]
    assert anew == before + 100 * cards
    assert kept < anew  # with the version unchanged, the old snapshots would have been believed


# events that fit the chain and no game ----------------------------------------------------------------


#: What somebody who can write the file might append: a kind and a document, and what is said of it.
FORGED = {
    "a note by nobody": ("noted", {"about": 1, "text": "x", "seat": 9}, "it has no seat 9"),
    "a redo by nobody": ("moves-redone", {"first": 2, "last": 2, "seat": -2}, ""),
    "a move of nobody": (
        "move-made",
        {"seat": 9, "move": {"type": "power-vacuum.point"}, "facts": []},
        "it has no seat 9",
    ),
    "somebody else is next": (
        "move-made",
        {"seat": 0, "move": {"type": "power-vacuum.point"}, "facts": [], "next": [7]},
        "it has no seat 7",
    ),
    "won by nobody": (
        "game-closed",
        {"seat": None, "reason": "", "outcome": {"winners": [9], "scores": [None, None], "reason": "x"}},
        "it has no seat 9",
    ),
}


@pytest.mark.parametrize(("kind", "document", "says"), FORGED.values(), ids=FORGED)
def test_a_forged_event_is_damage_for_every_command(
    played: Turnlog, kind: str, document: dict[str, Any], says: str
) -> None:
    """An event whose chain fits and that names a seat the game has not: said by whoever comes upon it."""
    log = opened(played.db)
    last = log.last("g")
    log.append("g", [Draft(kind, "table", 1001, json.encode(document).decode())], expect=last, at=1)
    log.close()
    for words in (
        ["verify", "g"],
        ["log", "g"],
        ["log", "g", "--json"],
        ["replay", "g", "--undone"],
        ["verify", "--all"],
    ):
        answer = played(*words)
        assert answer.code == 6, (words, answer)
        assert f"event {last + 1} of game g is damaged: {says}" in answer.err
    for words in (
        *(["export", "g", "--format", form] for form in ("jsonl", "transcript", "markdown", "html")),
        *(["annotate", "g"], ["notes", "g"], ["diff", "g", "1", str(last)], ["list"], ["undo", "g"], ["rebuild"]),
    ):
        assert played(*words).code in (0, 3, 6), words


def test_a_number_of_more_than_64_bits_is_damage(played: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Facts that fold to a number which no state can be kept with: said, not a fault."""
    monkeypatch.setattr(position, "EVERY", 1)
    log = opened(played.db)
    last = log.last("g")
    created = json.decode(next(log.rows("g")).data)
    begun = next(fact for fact in created["facts"] if "round" in fact)
    document = {"seat": 0, "move": {"type": "power-vacuum.point"}, "facts": [{**begun, "round": 2**70}]}
    log.append("g", [Draft("move-made", "ada", 1001, json.encode(document).decode())], expect=last, at=1)
    log.close()
    assert "more than 64 bits" in played("verify", "g").err
    for words in (
        ["replay", "g", "--undone"],
        ["show", "g", "--json"],
        ["play", "g", "point"],
        ["note", "g", "1", "x"],
    ):
        assert played(*words).code in (0, 3, 6), words
