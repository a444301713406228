"""`python -m benchmarks.races`: processes that write to one database at once, as the command line does.

Every race is held to its log afterwards: seqs without a gap, each acknowledged command there exactly once
under its request id, nothing else there, the chain whole. Waiting times are those of acknowledged commands.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import random
import statistics
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Sequence
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from benchmarks.tables import NOW, reader, wish, writer
from cli.main import fast_play
from engines.creation import create
from engines.kit.offers import legal
from engines.table import Table
from events.sqlite import SqliteLog

#: How long anybody may be kept waiting for the others, in seconds, before a race is given up.
PATIENCE = 3_600


class Writer(NamedTuple):
    """One process: the game it plays on, its pause between commands, in seconds, and how it goes about it.

    :param expect: whether it names the event that it expects
    :param script: whether it keeps the database open from move to move, as `run` does
    """

    game: str
    pause: float = 0
    expect: bool = False
    script: bool = False


class Written(NamedTuple):
    """What one process was told: the seq of each request, how long each took, how often it was sent away."""

    seqs: dict[str, int]
    waits: list[float]
    refused: dict[int, int]


def _run(words: list[str]) -> tuple[int, str, str]:
    """A command in this process, as typed."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        code = fast_play(words)
        if code is None:
            from cli.app import run_app

            code = run_app(words)
    return code, out.getvalue(), err.getvalue()


def _position(db: str, game: str) -> tuple[int, int, list[str]]:
    """How many events there are, the last one of a game, and the legal moves of a seat that is to move."""
    log = reader(Path(db))
    try:
        table = Table(log, game)
        seats = table.to_move
        moves = legal(table.offers(seats[0])) if seats else ()
        return _events(log), table.seq, [table.game.grammar.spell(move) for move in moves]
    finally:
        log.close()


def _events(log: SqliteLog) -> int:
    return next(log.select("select max(rowid) from events"))[0]


def _commands(db: str, number: int, mine: Writer, goal: int) -> Written:
    """Plays by the command line until the database holds `goal` events; each fourth command is said twice."""
    choice = random.Random(number)  # noqa: S311 -- stands in for a player
    told = Written({}, [], Counter())
    while True:
        events, seq, moves = _position(db, mine.game)
        if events >= goal:
            return told
        words = ["play", mine.game, choice.choice(moves)] if moves else ["undo", mine.game, "--to", "1"]
        request = f"{number}/{len(told.seqs)}"
        words += ["--json", "--db", db, "--request", request]
        words += ["--expect", str(seq)] if mine.expect else []
        start = time.perf_counter()
        code, out, err = _run(words)
        took = time.perf_counter() - start
        if code:
            if code not in (3, 4) or "locked" in err:
                raise AssertionError(f"{words} ended with {code}: {err}")
            told.refused[code] += 1
            continue
        told.seqs[request] = json.loads(out)["seq"]
        told.waits.append(took)
        if choice.random() < 0.25 and _run(words) != (code, out, err):
            raise AssertionError(f"{words} was answered otherwise the second time")
        time.sleep(mine.pause * 2 * choice.random())


def _script(db: str, number: int, mine: Writer, goal: int) -> Written:
    """Plays on a log that stays open, one transaction behind another."""
    choice = random.Random(number)  # noqa: S311 -- stands in for a player
    told = Written({}, [], Counter())
    log = writer(Path(db))
    try:
        table = Table(log, mine.game)
        while _events(log) < goal:
            request = f"{number}/{len(told.seqs)}"
            seats = table.to_move
            start = time.perf_counter()
            if seats:
                move = choice.choice(legal(table.offers(seats[0])))
                entries = table.play(table.game.grammar.spell(move).split(), now=NOW, request=request)
            else:
                entries = table.undo(now=NOW, to=1, request=request)
            told.seqs[request] = entries[-1].seq
            told.waits.append(time.perf_counter() - start)
    finally:
        log.close()
    return told


def _work(db: str, number: int, mine: Writer, goal: int, start: Any, answers: Any) -> None:
    """A whole process: it begins when all are there."""
    start.wait(PATIENCE)
    try:
        answers.put((number, (_script if mine.script else _commands)(db, number, mine, goal)))
    except BaseException as error:
        answers.put((number, error))
        raise


def race(db: Path, writers: Sequence[Writer], commands: int) -> list[Written]:
    """Lets processes write until `commands` events are there, and holds the log to what each of them was told.

    :raises AssertionError: an acknowledged command is not there exactly once, or something else is
    """
    games = sorted({one.game for one in writers})
    log = writer(db)
    try:
        for number, game in enumerate(games):
            create(log, wish(number), game, now=NOW, secret=lambda: "salt")
    finally:
        log.close()
    context = get_context("spawn")
    start, answers = context.Barrier(len(writers)), context.Queue()
    processes = [
        context.Process(
            target=_work, args=(str(db), number, one, commands + len(games), start, answers), daemon=True
        )
        for number, one in enumerate(writers)
    ]
    for process in processes:
        process.start()
    found = dict(answers.get(timeout=PATIENCE) for _ in processes)
    for process in processes:
        process.join()
    told = [found[number] for number in range(len(writers))]
    for one in told:
        if not isinstance(one, Written):
            raise one
    _check(db, writers, told)
    return told


def _check(db: Path, writers: Sequence[Writer], told: Sequence[Written]) -> None:
    acknowledged = sorted(
        (one.game, seq, request)
        for one, written in zip(writers, told, strict=True)
        for request, seq in written.seqs.items()
    )
    log = reader(db)
    try:
        there = [(row.game, row.seq, row.request) for game in log.games() for row in log.rows(game)]
    finally:
        log.close()
    created = [row for row in there if row[2] is None]
    if created != [(game, 1, None) for game in sorted({one.game for one in writers})]:
        raise AssertionError(f"events without a request: {created}")
    if [row for row in there if row[2] is not None] != acknowledged:
        raise AssertionError("what was acknowledged is not what is there")
    code, _, err = _run(["verify", "--all", "--db", str(db), "--quiet"])
    if code:
        raise AssertionError(f"verify: {err}")


# the long run -----------------------------------------------------------------------------------------


def _hot(index: int) -> float:
    return 0 if index == 0 else 0.05


#: Each race and its writers. A polite writer pauses for 50 ms on average.
RACES: dict[str, Callable[[int], list[Writer]]] = {
    "one game": lambda count: [Writer("g")] * count,
    "one game, `--expect`": lambda count: [Writer("g", expect=True)] * count,
    "a game each": lambda count: [Writer(f"g{number}") for number in range(count)],
    "a game each, one hot": lambda count: [Writer(f"g{number}", _hot(number)) for number in range(count)],
    "a game each, a script hot": lambda count: [
        Writer(f"g{number}", _hot(number), script=number == 0) for number in range(count)
    ],
    "a game each, all but one scripts": lambda count: [
        Writer(f"g{number}", 0.05 if number == 0 else 0, script=number > 0) for number in range(count)
    ],
}


def _line(what: str, writers: Sequence[Writer], told: Sequence[Written]) -> str:
    """A row of the table: writers of one kind together."""
    waits = sorted(wait * 1e3 for one in told for wait in one.waits)
    shares = [len(one.seqs) for one in told]
    away = sum((Counter(one.refused) for one in told), Counter[int]())
    hundredths = statistics.quantiles(waits, n=100, method="inclusive")
    return (
        f"| {what} | {len(writers)} | {sum(shares)} | {min(shares)} to {max(shares)} | {away[4]} | {away[3]} "
        f"| {statistics.median(waits):.0f} | {hundredths[98]:.0f} | {waits[-1]:.0f} |"
    )


def main() -> None:
    """Runs every race and prints a row for each kind of writer in it."""
    parser = argparse.ArgumentParser("python -m benchmarks.races", description="Lets processes race for a log.")
    parser.add_argument("--writers", type=int, default=8)
    parser.add_argument("--commands", type=int, default=2_000)
    parser.add_argument("--only", choices=RACES, help="one of the races")
    parser.add_argument("--dir", type=Path, help="where the databases are made and left")
    said = parser.parse_args()
    print("| race | writers | commands | each | conflicts | refused | p50 ms | p99 ms | most ms |")
    print("|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as name:
        folder = said.dir or Path(name)
        for number, (what, made) in enumerate(RACES.items()):
            if said.only not in (None, what):
                continue
            writers = made(said.writers)
            told = race(folder / f"race{number}.db", writers, said.commands)
            for pause in sorted({one.pause for one in writers}):
                kind = [at for at, one in enumerate(writers) if one.pause == pause]
                name_of = what if len(kind) == len(writers) else f"{what}: the {'polite' if pause else 'hot'}"
                print(_line(name_of, [writers[at] for at in kind], [told[at] for at in kind]), flush=True)


if __name__ == "__main__":
    main()
