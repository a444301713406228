"""`python -m benchmarks.limits`: each command on one game among 10,000 (1,000,000 events), and on the game alone.

Also how much memory a game of 1,000 and of 10,000 events takes to export and to verify. A command is a whole
process; its time is the median of a few runs, in turn on both databases, its memory the most that it held.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from benchmarks.tables import NAMES, NOW, power_vacuum, random_moves, reader, wish, writer
from benchmarks.timing import installed_environment
from engines.creation import begun
from events.log import Store
from events.model import Draft, MovesUndone, Row
from projections.readmodels import update
from projections.timeline import timeline_of

#: The game that the commands are about, and the beginning of its id, which fits no other.
MEASURED = "measured-game"
BEGINNING = "meas"
#: Every so many games is a whole one; the others are still being played.
WHOLE = 10
#: So many different games there are, each under many ids.
DIFFERENT = 40


class Cost(NamedTuple):
    """What a command took: seconds, and the most memory it held, in megabytes."""

    seconds: float
    megabytes: float


def _game(number: int) -> list[Draft]:
    """A whole game, its seats moving at random."""
    codec = power_vacuum().projector.codec
    seats = 2 + number % 4
    created, _ = begun(wish(number, seats), lambda: "salt")
    moves = [codec.draft(move, NAMES[move.seat]) for move in random_moves(number, seats)]
    return [codec.draft(created, "table"), *moves]


def _listed(store: Store, rows: Sequence[Row]) -> None:
    update(store, rows[0].game, timeline_of(rows), rows)


def filled(path: Path, games: int, events: int) -> None:
    """A database of so many games and about so many events, the measured one first."""
    different = [_game(number) for number in range(min(games, DIFFERENT))]
    whole = sum(len(different[number % len(different)]) for number in range(0, games, WHOLE))
    rest = max(2, (events - whole) // max(1, games - len(range(0, games, WHOLE))))

    def made() -> Iterator[tuple[str, list[Draft]]]:
        for number in range(games):
            game = different[number % len(different)]
            name = f"{number * 7919 % games:05}-game"  # ids are not in order of time
            yield name, game if number % WHOLE == 0 else game[: rest + number % 21 - 10]

    log = writer(path)
    log.connection.execute("pragma synchronous = off")  # the measured commands are durable, this is not
    try:
        log.append_new([(MEASURED, _game(1)[:100])], at=NOW, inside=_listed)
        waiting = made()
        for at in range(1, games + 1):
            batch = list(islice(waiting, 200))
            if not batch:
                break
            log.append_new(batch, at=NOW + at, inside=_listed)
    finally:
        log.close()


def long(path: Path, events: int) -> None:
    """A database of one game of so many events, its first move made and taken back again and again."""
    codec = power_vacuum().projector.codec
    created, move, *_ = _game(0)
    drafts = [created]
    for seq in range(2, events, 2):
        drafts += [move, codec.draft(MovesUndone(first=seq, last=seq, seat=None, asked="n 1"), "table")]
    log = writer(path)
    try:
        log.append_new([("g", drafts)], at=NOW, inside=_listed)
    finally:
        log.close()


def _aside(work: Callable[..., None], *arguments: object) -> None:
    """Something done in a process of its own: what is measured later begins with the memory of this one."""
    process = get_context("spawn").Process(target=work, args=arguments)
    process.start()
    process.join()
    if process.exitcode:
        sys.exit(f"{work.__name__} failed")


def _ran(db: Path, words: Sequence[str], environment: dict[str, str]) -> Cost:
    """A command as a process of its own; its answer goes into a file.

    :raises SystemExit: it failed
    """
    command = [str(Path(sys.executable).with_name("turnlog")), *words]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        process = subprocess.Popen(
            command, env={**environment, "TURNLOG_DB": str(db)}, stdout=out, stderr=err, stdin=subprocess.DEVNULL
        )
        _, status, usage = os.wait4(process.pid, 0)
        took = time.perf_counter() - start
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            err.seek(0)
            sys.exit(f"{words} on {db} ended with {process.returncode}: {err.read().decode()}")
    return Cost(took, usage.ru_maxrss / 1024)


def _legal(db: Path) -> list[str]:
    done = subprocess.run(
        [str(Path(sys.executable).with_name("turnlog")), "moves", MEASURED, "--json"],
        env={**os.environ, "TURNLOG_DB": str(db)},
        check=True,
        capture_output=True,
    )
    return ["play", MEASURED, json.loads(done.stdout)["moves"][0]]


def _said(*words: str) -> Callable[[Path], list[str]]:
    return lambda db: list(words)


def _backup(db: Path) -> list[str]:
    target = db.with_name(f"{db.stem}.backup")
    target.unlink(missing_ok=True)
    return ["backup", str(target)]


#: Commands whose work is about one game, and those that are about all of them.
ONE: dict[str, Callable[[Path], list[str]]] = {
    "play": _legal,
    "undo": _said("undo", MEASURED),
    "redo": _said("redo", MEASURED),
    "create": _said("create", "power-vacuum", "-p", "ada", "-p", "bo"),
    "show": _said("show", MEASURED),
    "show, by a beginning of its id": _said("show", BEGINNING),
    "show @": _said("show", "@"),
    "moves": _said("moves", MEASURED),
    "log": _said("log", MEASURED),
    "export": _said("export", MEASURED),
    "verify GAME": _said("verify", MEASURED),
    "list --limit 20": _said("list", "--limit", "20"),
    "list --open --limit 20": _said("list", "--open", "--limit", "20"),
}
ALL: dict[str, Callable[[Path], list[str]]] = {
    "list": _said("list"),
    "list --json": _said("list", "--json"),
    "list -p ada": _said("list", "-p", "ada"),
    "standings": _said("standings"),
    "verify --all": _said("verify", "--all"),
    "backup": _backup,
    "rebuild": _said("rebuild"),
}
COMPLETION = "completion of an id"


def _completed(environment: dict[str, str]) -> dict[str, str]:
    """The environment in which the shell asks for the ids that begin like the measured one."""
    typed = {"COMP_WORDS": f"turnlog show {BEGINNING}", "COMP_CWORD": "2"}
    return {**environment, "_TURNLOG_COMPLETE": "complete_bash", **typed}


def _together(costs: Sequence[Cost]) -> str:
    took = statistics.median(cost.seconds for cost in costs)
    return f"{took * 1e3:,.0f} ms | {max(cost.megabytes for cost in costs):.0f} MB"


def commands(alone: Path, full: Path, runs: int) -> Iterator[str]:
    """A row of the table for each command."""
    environment = installed_environment()
    for what, made in (*ONE.items(), (COMPLETION, _said()), *ALL.items()):
        asked = _completed(environment) if what == COMPLETION else environment
        times = 1 if what in ("verify --all", "rebuild", "backup") else runs
        if times > 1:
            _ran(alone, made(alone), asked)
        costs = [(_ran(alone, made(alone), asked), _ran(full, made(full), asked)) for _ in range(times)]
        ratio = statistics.median(big.seconds / small.seconds for small, big in costs)
        small, big = ([pair[which] for pair in costs] for which in (0, 1))
        yield f"| `{what}` | {_together(small)} | {_together(big)} | {ratio:.2f} |"


def lengths(folder: Path, events: Sequence[int]) -> Iterator[str]:
    """A row of the table for what is done with a whole game, in which every move was taken back."""
    environment = installed_environment()
    paths = [folder / f"long{count}.db" for count in events]
    for path, count in zip(paths, events, strict=True):
        _aside(long, path, count + 1)
    asked: dict[str, list[str]] = {
        **{
            f"export --format {name}": ["export", "g", "--format", name]
            for name in ("jsonl", "transcript", "markdown")
        },
        "log": ["log", "g"],
        "verify": ["verify", "g"],
        "verify --rules": ["verify", "g", "--rules"],
        "replay": ["replay", "g"],
    }
    for what, words in asked.items():
        costs = [_ran(path, words, environment) for path in paths]
        yield f"| `{what}` | " + " | ".join(_together([cost]) for cost in costs) + " |"


def _counted(path: Path) -> str:
    log = reader(path)
    try:
        games, events = (next(log.select(f"select {what} from games"))[0] for what in ("count(*)", "sum(events)"))
    finally:
        log.close()
    return f"{games:,} games, {events:,} events, {path.stat().st_size / 1e6:,.0f} MB"


def main() -> None:
    """Measures everything and prints it."""
    parser = argparse.ArgumentParser("python -m benchmarks.limits", description="Measures a large database.")
    parser.add_argument("--games", type=int, default=10_000)
    parser.add_argument("--events", type=int, default=1_000_000)
    parser.add_argument("--runs", type=int, default=5)
    parser.add_argument("--dir", type=Path, help="where the databases are made and left, or found")
    said = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder: Path = said.dir or Path(name)
        alone, full = folder / "alone.db", folder / "full.db"
        if not full.exists():
            _aside(filled, alone, 0, 0)
            _aside(filled, full, said.games, said.events)
        print(f"{_counted(full)}\n\n| command | alone | | among all | | times |\n|---|---|---|---|---|---|")
        for line in commands(alone, full, said.runs):
            print(line, flush=True)
        print("\n| on one game | 1,000 events | | 10,000 events | |\n|---|---|---|---|---|")
        for line in lengths(folder, (1_000, 10_000)):
            print(line, flush=True)


if __name__ == "__main__":
    main()
