"""`make bench`: each target of the design beside its figure, all taken in this run.

Whole processes are timed in turn with the thing they are compared to, so that a slow machine slows both.
"""

import os
import random
import shutil
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.tables import GAME, grown, reader, writer
from cli.session import prepare
from engines.creation import Wish, begun
from engines.decide import carried_out
from engines.kit.chance import Chance
from engines.kit.offers import legal
from engines.registry import game_of
from engines.table import Table
from events.digest import ROOT, chained
from events.model import Draft, MoveMade
from events.sqlite import open_log
from projections.fold import add_draws
from projections.position import first_row, load

_RUNS = 21
_INSERT = "insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?)"


def seconds(work: Callable[[], object]) -> float:
    """How long `work` takes."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def paired(one: Callable[[], object], other: Callable[[], object], runs: int = _RUNS) -> float:
    """The median of one's time over other's, taken in turn."""
    one(), other()
    return statistics.median(seconds(one) / seconds(other) for _ in range(runs))


def command(*words: str) -> list[str]:
    """The installed command."""
    return [str(Path(sys.executable).with_name("turnlog")), *words]


def play_latency(folder: Path) -> float:
    """A `play` on a game of 500 events, whole process, over a bare Python process."""
    path = folder / "play.db"
    grown(path, 500)
    environment = {**os.environ, "TURNLOG_DB": str(path)}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)  # an installed program has its bytecode

    def play() -> None:
        log = reader(path)
        try:
            table = Table(log, GAME)
            move = table.game.grammar.spell(legal(table.offers(table.to_move[0]))[0])
        finally:
            log.close()
        moves.append(move)

    moves: list[str] = []
    ratios: list[float] = []
    for _ in range(_RUNS):
        play()
        bare = seconds(lambda: subprocess.run([sys.executable, "-I", "-S", "-c", "pass"], check=True))
        took = seconds(
            lambda: subprocess.run(
                command("play", GAME, *moves[-1].split()),
                env=environment,
                check=True,
                stdout=subprocess.DEVNULL,
            )
        )
        ratios.append(took / bare)
    return statistics.median(ratios)


def append_speed(folder: Path, batch: int) -> float:
    """The speed of `append` over that of bare sqlite3 with ready rows, `batch` a transaction."""
    data = '{"seat":0,"move":{"type":"power-vacuum.play","card":"R7"},"facts":[],"by":"person","draws":{}}'
    ours, raw = folder / f"ours{batch}.db", folder / f"raw{batch}.db"
    log, bare = open_log(str(ours), prepare, write=True), open_log(str(raw), prepare, write=True).connection
    drafts = [Draft("move-made", "ada", 1001, data)] * batch
    rounds = 400 if batch == 1 else 40
    done = {"ours": 0, "raw": 0}
    rows: list[tuple[Any, ...]] = []
    digest = ROOT
    for seq in range(1, rounds * batch * (_RUNS // 3 + 2) + 1):
        columns = ("g", seq, 1, "move-made", "ada", 1001, None, data)
        digest = chained(digest, *columns)
        rows.append((*columns, digest))

    def append() -> None:
        for _ in range(rounds):
            log.append("g", drafts, expect=done["ours"], at=1)
            done["ours"] += batch

    def write() -> None:
        for _ in range(rounds):
            bare.execute("begin immediate")
            bare.executemany(_INSERT, rows[done["raw"] : done["raw"] + batch])
            bare.execute("commit")
            done["raw"] += batch

    try:
        return 1 / paired(append, write, _RUNS // 3)
    finally:
        log.close()
        bare.close()


def rebuild_cost(path: Path) -> float:
    """Loading a game of 10,000 events from its rows alone, over a bare `select` of them."""
    log = writer(path)
    try:
        log.connection.execute("delete from snapshots")
        game = game_of("power-vacuum")
        first = first_row(log, GAME)
        return paired(
            lambda: load(log, game.projector, first),
            lambda: log.connection.execute("select * from events where game = ?", (GAME,)).fetchall(),
            9,
        )
    finally:
        log.close()


def export_cost(path: Path) -> float:
    """Microseconds an event of a jsonl export."""
    log = reader(path)
    try:
        runs = [seconds(lambda: "".join(f"{line}\n" for line in log.lines(GAME))) for _ in range(9)]
        return statistics.median(runs) * 1e6 / log.last(GAME)
    finally:
        log.close()


def undo_cost(path: Path) -> float:
    """An undo and its redo over two moves, at 10,000 events, in one process."""
    log = writer(path)
    try:

        def played() -> None:
            table = Table(log, GAME)
            seat = table.to_move[0]
            move = legal(table.offers(seat))[0]
            table.play(table.game.grammar.spell(move).split(), now=1, seat=seat)

        def back() -> None:
            Table(log, GAME).undo(now=1)

        return paired(back, played, 15)
    finally:
        log.close()


def self_play(seats: int, games: int) -> float:
    """Moves a second of random self-play of Power Vacuum, each encoded as it goes into the log."""
    game = game_of("power-vacuum")
    codec, rules = game.projector.codec, game.rules
    moves = 0
    start = time.perf_counter()
    for number in range(games):
        created, state = begun(Wish(game, tuple("abcde"[:seats]), seed=str(number)), lambda: "salt")
        draws = dict(created.draws)
        choice = random.Random(number)  # noqa: S311 -- a stand-in for players
        while rules.outcome(state) is None:
            seat = rules.to_move(state)[0]
            offered = legal(rules.offers(state, seat))
            move = choice.choice(offered)
            done = carried_out(game, state, seat, move, Chance("s", draws))
            add_draws(draws, done.draws)
            codec.encode(
                MoveMade(
                    seat=seat, move=move, facts=done.facts, draws=done.draws, next=done.next, outcome=done.outcome
                )
            )
            moves += 1
    return moves / (time.perf_counter() - start)


def main() -> None:
    """Measures everything and prints a table."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        long, rebuilt = folder / "long.db", folder / "rebuilt.db"
        grown(long, 10_000)
        shutil.copyfile(long, rebuilt)
        rows = [
            ("`play` on 500 events, whole process", "at most 8 B, stretch 5.5", f"{play_latency(folder):.1f} B"),
            ("append, one event a transaction", "at least 0.9 of raw", f"{append_speed(folder, 1):.2f}"),
            ("append, 100 a transaction", "at least 0.8 of raw", f"{append_speed(folder, 100):.2f}"),
            ("rebuild a game of 10,000 events", "3 times a bare select", f"{rebuild_cost(rebuilt):.1f}"),
            ("undo at 10,000 events", "as a play", f"{undo_cost(long):.2f} of it"),
            ("export of 10,000 events as jsonl", "1 microsecond an event", f"{export_cost(long):.2f}"),
            ("self-play of Power Vacuum, 4 random seats", "110-130k moves/s known", f"{self_play(4, 60):,.0f}"),
        ]
    print(f"Python {sys.version.split()[0]}, SQLite {sqlite3.sqlite_version}, B is `python -I -S -c pass`\n")
    print("| what | target | here |\n|---|---|---|")
    for row in rows:
        print(f"| {' | '.join(row)} |")


if __name__ == "__main__":
    main()
