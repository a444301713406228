"""boardgame.io in Node: one move, one undo and 200 turns of a small trick-taking game, held in memory."""

from __future__ import annotations

import shutil
import statistics
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path

from msgspec import Struct, json

from benchmarks.tables import NOW, play, wish, writer
from benchmarks.timing import Beside, Sizes, micro, seconds
from engines.creation import create
from engines.table import Table

_FOLDER = Path(__file__).parent.parent / "boardgame_io"
_TURNS = 200
_REPEATS = 20


class _Took(Struct):
    """Seconds, as bench.js prints them."""

    move: float
    undo: float
    game: float


def missing() -> str | None:
    """Why it cannot be measured here."""
    if shutil.which("node") is None:
        return "node is not installed"
    if not (_FOLDER / "node_modules" / "boardgame.io").is_dir():
        return "not installed"
    return None


def _theirs() -> _Took:
    done = subprocess.run(
        ["node", "bench.js", str(_TURNS)],  # noqa: S607 -- whichever node is there
        cwd=_FOLDER,
        check=True,
        stdout=subprocess.PIPE,
    )
    return json.decode(done.stdout, type=_Took)


def _ours(path: Path, numbers: Iterator[int], *, durable: bool) -> _Took:
    log = writer(path)
    try:
        if not durable:
            log.connection.execute("pragma synchronous = off")

        def begun() -> Table:
            number = next(numbers)
            return create(log, wish(number), f"t{number}", now=NOW, secret=lambda: "salt")[0]

        def turns() -> None:
            table = begun()
            for _ in range(_TURNS):
                if not table.to_move:
                    table = begun()
                play(table)

        game = seconds(turns)
        table = begun()
        move = seconds(lambda: [play(table) for _ in range(_REPEATS)], _REPEATS)
        undo = seconds(lambda: [table.undo(now=NOW) for _ in range(_REPEATS)], _REPEATS)
        return _Took(move, undo, game)
    finally:
        log.close()


def compare(folder: Path, sizes: Sizes) -> Iterator[Beside]:
    """Ours at a table that stays loaded, each move typed, its event in the file: without the sync, and durable."""
    numbers = count()
    path = folder / "table.db"
    samples = [
        (_ours(path, numbers, durable=False), _ours(path, numbers, durable=True), _theirs())
        for _ in range(max(1, sizes.runs // 3))
    ]
    for field, what in (("move", "one move"), ("undo", "one undo"), ("game", f"a game of {_TURNS} turns")):
        times = [tuple(getattr(took, field) for took in sample) for sample in samples]
        ours, durable, theirs = (statistics.median(column) for column in zip(*times, strict=True))
        yield Beside(
            what,
            f"{micro(ours)} (durable: {micro(durable)})",
            "boardgame.io, in memory",
            micro(theirs),
            statistics.median(theirs / ours for ours, _, theirs in times),
        )
