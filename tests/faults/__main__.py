"""The long run: `python -m tests.faults`. It prints what did not hold, and its figures for docs/TRUST.md."""

from __future__ import annotations

import sys
import tempfile
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

from tests.faults import crashes
from tests.faults.flips import Bench, columns_of
from tests.faults.games import seeded

#: So many flips of each kind, and so many a task.
VALUES, BYTES, LOG, TASK = 5_000, 5_000, 500, 125
#: So many random parts of what was not synced, after each step.
PARTS = 5
#: A write-ahead log is cut off at every so many bytes.
CUT = 997


class Tally:
    """What a task found."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []

    def hold(self, name: str, check: Callable[[], bool | None]) -> None:
        """Counts a fault that was met; keeps what a check that failed said."""
        try:
            found = check()
        except Exception as error:
            self.wrong.append(f"{name}: {type(error).__name__}: {error}"[:600])
        else:
            self.counts[name + {True: ": found", False: ": nothing changed", None: ""}[found]] += 1


def values(number: int, tally: Tally) -> None:
    """Bits of values, column by column."""
    chance = seeded(f"values {number}")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        columns = list(columns_of(bench.whole))
        for done in range(TASK):
            flip = None
            while flip is None:  # SQLite itself refuses some, and some columns hold nothing
                table, column = chance.choice(columns)
                flip = bench.flip_value(chance, table, column)
            tally.hold(f"a bit of a value of `{table}`", lambda: bench.hold(flip, thorough=done % 10 == 0))  # noqa: B023 -- called at once


def file_bytes(number: int, tally: Tally) -> None:
    """Bits of the file."""
    chance = seeded(f"bytes {number}")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        for done in range(TASK):
            flip = bench.flip_byte(chance)
            tally.hold("a bit of the file", lambda: bench.hold(flip, thorough=done % 10 == 0))  # noqa: B023 -- called at once


def log_bytes(number: int, tally: Tally) -> None:
    """Bits of the write-ahead log."""
    chance = seeded(f"log {number}")
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        for _ in range(TASK):
            flip = bench.flip_log(chance)
            tally.hold("a bit of the write-ahead log", lambda: bench.hold_log(flip))  # noqa: B023 -- called at once


def cut_logs(number: int, tally: Tally) -> None:
    """Write-ahead logs that lost their end."""
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder))
        for size in range(number, len(bench.log[1]), CUT):
            flip = bench.cut_log(size)

            def check() -> None:
                bench.hold_log(flip, cut=True)  # noqa: B023 -- called at once

            tally.hold("the write-ahead log cut off", check)


def crashed(number: int, tally: Tally) -> None:
    """Crashes behind each step of a command, and each step refused."""
    name = list(crashes.COMMANDS)[number]
    with tempfile.TemporaryDirectory() as folder:
        bench = crashes.Bench(Path(folder), name)
        for crash in bench.crashes(seeded(name), PARTS):
            tally.hold(f"a crash in `{name}`", lambda: bench.hold_crash(crash))  # noqa: B023 -- called at once
        for refusal in bench.refusals():
            tally.hold(f"a refusal in `{name}`", lambda: bench.hold_refusal(refusal))  # noqa: B023 -- called at once


def task(run: Callable[[int, Tally], None], number: int) -> Tally:
    """One task."""
    tally = Tally()
    run(number, tally)
    return tally


def main() -> int:
    """Runs all of it; 1 if anything did not hold."""
    counts: Counter[str] = Counter()
    wrong = 0
    tasks = [(crashed, number) for number in range(len(crashes.COMMANDS))] + [(cut_logs, 1)]
    tasks += [(values, n) for n in range(VALUES // TASK)] + [(file_bytes, n) for n in range(BYTES // TASK)]
    tasks += [(log_bytes, n) for n in range(LOG // TASK)]
    with ProcessPoolExecutor(2) as pool:
        for done, tally in enumerate(pool.map(task, *zip(*tasks, strict=True)), 1):
            print(f"{done} of {len(tasks)} tasks, {sum(counts.values())} faults", file=sys.stderr, flush=True)
            counts += tally.counts
            wrong += len(tally.wrong)
            for fault in tally.wrong:
                print(fault, flush=True)
    for name, count in sorted(counts.items()):
        print(f"| {name} | {count:,} |")
    print(f"{wrong} did not hold")
    return int(wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
