"""One bit that changes: in a value of any column of any table, in the file, in its write-ahead log.

Either nothing that a command says changes, or `verify --all` says what is damaged; no command fails in another
way than by saying so, no wrong board is ever shown, and the games that are whole go on.
"""

from __future__ import annotations

import random
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, NamedTuple

from events.sqlite import TRIGGERS
from tests.faults.games import GAMES, OPEN, Said, made, run

#: A header whose application or version is another one's is not known for ours: refused, and named, but as such.
_ANOTHERS = tuple(f"byte {place}," for place in range(60, 72))


class Flip(NamedTuple):
    """A bit that was changed: where, in words."""

    where: str
    game: str | None


class Bench:
    """A database as it was, and what its commands said then."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.whole = folder / "whole.db"
        self.db = folder / "games.db"
        made(self.whole)
        shutil.copy(self.whole, self.db)
        self.boards = {game: self._board(game) for game in GAMES}
        self.lists = self._lists()
        self.exports = {game: run(self.db, "export", game).out for game in GAMES}
        self.moves = {game: run(self.db, "moves", game).json["moves"][0].split() for game in OPEN}
        self.log = self._in_the_log()
        self.logged = {game: run(self.db, "export", game).out for game in OPEN}

    def _board(self, game: str) -> Said:
        return run(self.db, "show", game, "--as", "referee")

    def _lists(self) -> list[Said]:
        return [run(self.db, "list"), run(self.db, "standings")]

    def _in_the_log(self) -> tuple[bytes, bytes]:
        """The database while it is played on: its file and a write-ahead log with a move of each open game."""
        self._reset()
        with closing(sqlite3.connect(self.db)) as held:
            held.execute("select count(*) from events").fetchone()
            for game in OPEN:
                for _ in range(3):
                    move = run(self.db, "moves", game).json["moves"][0].split()
                    assert run(self.db, "play", game, *move).code == 0
            held.rollback()
            return self.db.read_bytes(), Path(f"{self.db}-wal").read_bytes()

    def _reset(self) -> None:
        for beside in self.folder.glob("games*"):
            beside.unlink()
        shutil.copyfile(self.whole, self.db)

    # what is flipped -----------------------------------------------------------------------------------

    def flip_value(self, chance: random.Random, table: str, column: str) -> Flip | None:
        """A bit of a value; None where SQLite itself refuses it."""
        self._reset()
        with closing(sqlite3.connect(self.db, isolation_level=None)) as raw:
            raw.text_factory = bytes
            rows = raw.execute(
                f"select rowid, {column}, typeof({column}) from {table} where {column} is not null"
            ).fetchall()
            if not rows:
                return None
            rowid, value, kind = chance.choice(rows)
            game = _game_of(raw, table, rowid)
            if table == "sqlite_schema":
                raw.execute("pragma writable_schema = on")
            else:
                for name in TRIGGERS:
                    raw.execute(f"drop trigger {name}")
            flipped = _flipped(chance, value)
            bound = "cast(? as text)" if kind == b"text" else "?"
            try:
                raw.execute(f"update {table} set {column} = {bound} where rowid = ?", (flipped, rowid))
            except (sqlite3.IntegrityError, sqlite3.OperationalError):
                return None
            if table != "sqlite_schema":
                for sql in TRIGGERS.values():
                    raw.execute(sql)
        return Flip(f"{table}.{column}, row {rowid}: {value!r} to {flipped!r}", game)

    def flip_byte(self, chance: random.Random) -> Flip:
        """A bit of the file."""
        self._reset()
        content = bytearray(self.db.read_bytes())
        # a tenth in the header, which is so small that chance would hardly find it
        place = chance.randrange(100) if chance.random() < 0.1 else chance.randrange(len(content))
        bit = chance.randrange(8)
        content[place] ^= 1 << bit
        self.db.write_bytes(content)
        return Flip(f"byte {place}, bit {bit}", None)

    def flip_log(self, chance: random.Random) -> Flip:
        """A bit of the write-ahead log of a database that was being played on."""
        place, bit = chance.randrange(len(self.log[1])), chance.randrange(8)
        content = bytearray(self.log[1])
        content[place] ^= 1 << bit
        self._put_log(bytes(content))
        return Flip(f"byte {place}, bit {bit} of the write-ahead log", None)

    def cut_log(self, size: int) -> Flip:
        """A write-ahead log that lost its end."""
        self._put_log(self.log[1][:size])
        return Flip(f"the write-ahead log cut at {size}", None)

    def _put_log(self, content: bytes) -> None:
        self._reset()
        self.db.write_bytes(self.log[0])
        Path(f"{self.db}-wal").write_bytes(content)

    # what has to hold ----------------------------------------------------------------------------------

    def hold(self, flip: Flip, *, thorough: bool = True) -> bool:
        """Whether the flip was found; what else does not hold is raised. Thorough: `recover` and `backup`, too."""
        if thorough:
            self._hold_recovered(flip)
        said = run(self.db, "verify", "--all")
        if flip.where.startswith(_ANOTHERS) and said.code == 2:
            return True
        assert said.code in (0, 6), f"{flip}: {said}"
        boards = {game: self._board(game) for game in GAMES}
        for game, board in boards.items():
            assert board == self.boards[game] or (board.code in (5, 6) and board.out == ""), f"{flip}: {board}"
        if said.code == 0:
            assert boards == self.boards, f"{flip}: a board is gone, and verify says nothing"
            assert self._lists() == self.lists, f"{flip}: {self._lists()}"
        else:
            self._hold_named(flip, said)
            if thorough:
                copy = self.folder / "games.copy.db"
                assert run(self.db, "backup", str(copy)).code == 6, f"{flip}: it was backed up"
                assert not copy.exists(), f"{flip}: a copy was left"
        for game in GAMES if said.code == 6 else OPEN:
            whole = run(self.db, "verify", game) if said.code == 6 else said
            assert whole.code in (0, 5, 6), f"{flip}: {whole}"
            if flip.game not in (None, game):
                assert whole.code == 0, f"{flip}: {whole}"
                assert boards[game] == self.boards[game], f"{flip}: {boards[game]}"
            if game in OPEN:
                played = run(self.db, "play", game, *self.moves[game])
                assert played.code == 0 or (played.code in (5, 6) and said.code == 6), f"{flip}: {played}"
                if whole.code == 0 and flip.game is not None:
                    assert played.code == 0 or game == flip.game, f"{flip}: {played}"
        rebuilt = run(self.db, "rebuild") if thorough else said
        assert rebuilt.code in (0, 6), f"{flip}: {rebuilt}"
        return said.code == 6

    def _hold_named(self, flip: Flip, said: Said) -> None:
        if flip.game is not None and ".game," not in flip.where:
            assert flip.game in said.message or str(self.db) in said.message, f"{flip}: {said}"

    def hold_log(self, flip: Flip, *, cut: bool = False) -> bool:
        """Whether a damaged write-ahead log was found: it is if more than its last transaction is not read.

        What is read is a beginning of what was there, whole batches only, and can be played on.
        """
        said = run(self.db, "verify", "--all")
        assert said.code in (0, 6), f"{flip}: {said}"
        logs = {game: run(self.db, "export", game).out for game in OPEN}
        for game, log in logs.items():
            assert self.logged[game].startswith(log), f"{flip}: {game}"
        if said.code == 0 and not cut:
            assert logs["alpha"] == self.logged["alpha"], f"{flip}: lost, and verify says nothing"
            assert self.logged["beta"][len(logs["beta"]) :].count("\n") <= 1, (
                f"{flip}: lost, and verify says nothing"
            )
        if not cut:
            new = self.folder / "games.new.db"
            assert run(self.db, "recover", str(self.db), "--into", str(new), "--partial").code in (0, 6), flip
            for game in OPEN:
                assert run(new, "export", game).out.count("\n") >= logs[game].count("\n"), f"{flip}: {game}"
        for game in OPEN:
            played = run(self.db, "play", game, *run(self.db, "moves", game).json["moves"][0].split())
            assert played.code == 0, f"{flip}: {played}"
        assert run(self.db, "verify", "--all").code == 0, flip
        return said.code == 6

    def _hold_recovered(self, flip: Flip) -> None:
        """What `recover` takes for whole is what was there; games that `verify` finds whole are."""
        new = self.folder / "games.new.db"
        whole = [game for game in GAMES if run(self.db, "verify", game).code == 0]
        before = self.db.read_bytes()
        said = run(self.db, "recover", str(self.db), "--into", str(new))
        assert said.code in (0, 6), f"{flip}: {said}"
        assert self.db.read_bytes() == before, flip
        if not new.exists():
            assert not whole, f"{flip}: {said}"
            return
        assert run(new, "verify", "--all").code == 0, flip
        taken = [game["game"] for game in said.json["games"] if game["written"]]
        assert set(whole) <= set(taken), f"{flip}: {said}"
        for game in taken:
            assert run(new, "export", game).out == self.exports[game], f"{flip}: {game}"


def columns_of(db: Path) -> Iterator[tuple[str, str]]:
    """All tables of a database with their columns, `sqlite_schema` among them."""
    with closing(sqlite3.connect(db)) as raw:
        tables = [name for (name,) in raw.execute("select name from sqlite_schema where type = 'table'")]
        for table in ("sqlite_schema", *tables):
            for column in raw.execute("select name from pragma_table_info(?)", (table,)):
                yield table, column[0]


def _game_of(raw: sqlite3.Connection, table: str, rowid: int) -> str | None:
    if table not in ("events", "games", "results", "snapshots"):
        return None
    return raw.execute(f"select game from {table} where rowid = ?", (rowid,)).fetchone()[0].decode()


def _flipped(chance: random.Random, value: Any) -> Any:
    """A bit of a value changed."""
    if isinstance(value, int):
        return value ^ 1 << chance.randrange(63)
    if isinstance(value, float):
        return value + 1
    content = bytearray(value or b"\x00")
    content[chance.randrange(len(content))] ^= 1 << chance.randrange(8)
    return bytes(content)
