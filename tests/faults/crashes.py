"""A machine that stops at any write, and a disk that refuses one.

What a command asks of the disk is written down once. From that every state is made in which a crash may leave
the files: what was synced is there; of what was not, all, nothing, or any part, the last write torn. A killed
process is the case in which all is there. In each state the log is whole and ends before the command's events
or behind them; behind, if the command had answered; and the next `play` works.
"""

from __future__ import annotations

import io
import random
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from typing import NamedTuple

from events.model import Row
from tests.faults.disk import DELETE_FAILED, FULL, SYNC_FAILED, TRUNCATE_FAILED, WRITE_FAILED, Step, watched
from tests.faults.games import made, run

_SECTOR = 512

#: Commands on the database of `made`, each in one transaction; `first` makes the database, too.
COMMANDS = {
    "play": ("play", "alpha"),
    "undo": ("undo", "beta"),
    "note": ("note", "beta", "1", "a note"),
    "close": ("close", "beta"),
    "create": ("create", "power-vacuum", "-p", "ada", "-p", "bot:random", "--id", "new", "--seed", "1"),
    "first": ("create", "power-vacuum", "-p", "ada", "-p", "bot:random", "--id", "new", "--seed", "1"),
    "rebuild": ("rebuild",),
}
#: How the disk may refuse what is asked of it.
_REFUSALS = {
    "write": (FULL, WRITE_FAILED),
    "sync": (SYNC_FAILED,),
    "truncate": (TRUNCATE_FAILED,),
    "delete": (DELETE_FAILED,),
}

Files = dict[str, bytes]


class Recorded(NamedTuple):
    """What a command asked of the disk, how much of it before it answered, and the log afterwards."""

    steps: list[Step]
    answered: int
    after: list[Row]


class Crash(NamedTuple):
    """A state of the files after a crash; whether the command had answered."""

    where: str
    answered: bool
    files: Files


class Refusal(NamedTuple):
    """The disk refuses step `number` (once, or from there on) with a code of SQLite's."""

    number: int
    code: int
    for_good: bool


class Bench:
    """A database before a command of `COMMANDS`."""

    def __init__(self, folder: Path, name: str) -> None:
        self.db = folder / "games.db"
        self.whole = folder / "whole.db"
        self.new = name == "first"
        if not self.new:
            made(self.whole, over=False)
        self.reset()
        self.words = COMMANDS[name]
        if name == "play":
            self.words = (*self.words, *self._move("alpha"))
        self.before = self.rows()
        self.recorded = self._record()

    def _move(self, game: str) -> list[str]:
        return run(self.db, "moves", game).json["moves"][0].split()

    def reset(self) -> None:
        """The database as it was before the command."""
        for beside in self.db.parent.glob("games.db*"):
            beside.unlink()
        if not self.new:
            shutil.copyfile(self.whole, self.db)

    def rows(self) -> list[Row]:
        """The whole log, in the order of its appends."""
        if not self.db.exists():
            return []
        with closing(sqlite3.connect(self.db)) as raw:
            if not raw.execute("select count(*) from sqlite_schema where name = 'events'").fetchone()[0]:
                return []
            return [Row(*row) for row in raw.execute("select * from events order by rowid")]

    def _record(self) -> Recorded:
        with watched() as steps:
            out = Answer(steps)
            said = run(self.db, *self.words, out=out)
        assert said.code == 0, said
        assert out.answered is not None
        return Recorded(list(steps), out.answered, self.rows())

    # a crash -------------------------------------------------------------------------------------------

    def crashes(self, chance: random.Random, parts: int) -> Iterator[Crash]:
        """The states of the files after a crash behind each step; `parts` random parts of what was not synced."""
        durable: Files = {} if self.new else {str(self.db): self.whole.read_bytes()}
        pending: list[Step] = []
        seen = set[tuple[int, bool]]()
        for number, step in enumerate([None, *self.recorded.steps]):
            if step is not None and step.what == "sync":
                durable = _applied(durable, [other for other in pending if other.path == step.path])
                pending = [other for other in pending if other.path != step.path]
            elif step is not None and step.what == "delete" and step.place:
                durable = _applied(durable, [step])
                pending = [other for other in pending if other.path != step.path]
            elif step is not None:
                pending.append(step)
            for what, left in _parts(pending, chance, parts):
                files = _applied(durable, left)
                mark = hash(tuple(sorted(files.items())))
                if (mark, number >= self.recorded.answered) not in seen:
                    seen.add((mark, number >= self.recorded.answered))
                    yield Crash(f"behind step {number}: {what}", number >= self.recorded.answered, files)

    def hold_crash(self, crash: Crash) -> None:
        """What is told is there, nothing is there by half, and the games go on."""
        for beside in self.db.parent.glob("games.db*"):
            beside.unlink()
        for path, content in crash.files.items():
            Path(path).write_bytes(content)
        self._hold_whole(crash, answered=crash.answered)

    def _hold_whole(self, fault: Crash | Refusal, *, answered: bool, refused: bool = False) -> None:
        said = run(self.db, "verify", "--all")
        assert said.code == 0 or (said.code == 5 and not self.before), f"{fault}: {said}"
        rows = self.rows()
        done = _events(rows) == _events(self.recorded.after)
        assert rows[: len(self.before)] == self.before, f"{fault}: an event is lost or changed"
        assert done or rows == self.before, f"{fault}: {len(rows)} events, a part of the command's"
        assert done or not answered, f"{fault}: what was told is lost"
        assert not refused or rows == self.before, f"{fault}: it is there, though told not to be"
        if self.new:
            words = [word if word != "new" else "newer" for word in self.words]
        else:
            words = ["play", "beta" if self.words[0] != "close" else "alpha"]
            words += self._move(words[1])
        assert run(self.db, *words).code == 0, f"{fault}: {run(self.db, *words)}"
        assert run(self.db, "verify", "--all").code == 0, f"{fault}: {run(self.db, 'verify', '--all')}"

    # a refusal -----------------------------------------------------------------------------------------

    def refusals(self) -> Iterator[Refusal]:
        """Each step, refused in each way, once or from there on."""
        for number, step in enumerate(self.recorded.steps):
            for code in _REFUSALS[step.what]:
                yield from (Refusal(number, code, for_good) for for_good in (False, True))

    def hold_refusal(self, refusal: Refusal) -> None:
        """The command says that it could not, or has done it; then all is as after a crash."""
        self.reset()

        def answer(number: int, step: Step) -> int:
            if number == refusal.number or (refusal.for_good and number > refusal.number):
                return refusal.code if number == refusal.number else _REFUSALS[step.what][0]
            return 0

        with watched(answer):
            said = run(self.db, *self.words)
        assert said.code in (0, 2), f"{refusal}: {said}"
        assert said.code == 0 or said.error["code"] == "unwritable", f"{refusal}: {said}"
        refused = said.code != 0 and "nothing was written" in said.message
        self._hold_whole(refusal, answered=said.code == 0, refused=refused)


def _events(rows: Sequence[Row]) -> list[tuple[str, int, str]]:
    """Which events they are; a command that is run again has other times and salts in them."""
    return [(row.game, row.seq, row.kind) for row in rows]


class Answer(io.StringIO):
    """An output that notes how many steps were done when something was first said."""

    def __init__(self, steps: list[Step]) -> None:
        super().__init__()
        self._steps = steps
        self.answered: int | None = None

    def write(self, text: str, /) -> int:
        if self.answered is None:
            self.answered = len(self._steps)
        return super().write(text)


def _applied(files: Files, steps: Sequence[Step]) -> Files:
    """The files after some steps, in their order."""
    after = {path: bytearray(content) for path, content in files.items()}
    for step in steps:
        if step.what == "delete":
            after.pop(step.path, None)
            continue
        content = after.setdefault(step.path, bytearray())
        if step.what == "truncate":
            del content[step.place :]
        else:
            content.extend(bytes(max(0, step.place - len(content))))
            content[step.place : step.place + len(step.content)] = step.content
    return {path: bytes(content) for path, content in after.items()}


def _parts(pending: list[Step], chance: random.Random, parts: int) -> Iterator[tuple[str, list[Step]]]:
    """What of the steps not synced a crash may leave: all, as a killed process does, nothing, any part, torn."""
    yield "all is there", pending
    if not pending:
        return
    yield "nothing unsynced is there", []
    if len(pending[-1].content) > _SECTOR:
        cut = chance.randrange(1, len(pending[-1].content) // _SECTOR) * _SECTOR
        torn = pending[-1]._replace(content=pending[-1].content[:cut])
        yield f"the last write is torn at {cut}", [*pending[:-1], torn]
    for _ in range(parts if len(pending) > 1 else 0):
        left = [step for step in pending if chance.random() < 0.5]
        yield f"{len(left)} of {len(pending)} unsynced steps are there", left
