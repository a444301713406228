"""How things are timed: in turn, so that what slows the machine slows all of them; never with the collector on."""

from __future__ import annotations

import gc
import os
import statistics
import time
from collections.abc import Callable, Sequence
from typing import NamedTuple

#: Does a piece of work once and says how many seconds a unit of it took.
Work = Callable[[], float]


class Sizes(NamedTuple):
    """How much is measured."""

    runs: int
    events: int
    games: int
    transactions: int


FULL = Sizes(runs=15, events=10_000, games=50, transactions=100)
#: Enough to see that everything runs; its figures say nothing.
QUICK = Sizes(runs=1, events=120, games=1, transactions=1)


class Target(NamedTuple):
    """A target of the design and its figure, in words, and whether it is met (None: not known)."""

    what: str
    target: str
    figure: str
    met: bool | None


class Beside(NamedTuple):
    """turnlog beside a peer: both figures in words, and how many times as fast turnlog is."""

    what: str
    ours: str
    peer: str
    theirs: str
    times: float | None = None


def seconds(work: Callable[[], object], units: int = 1) -> float:
    """How long `work` takes, a unit."""
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        work()
        return (time.perf_counter() - start) / units
    finally:
        gc.enable()


def interleaved(runs: int, *works: Work) -> list[tuple[float, ...]]:
    """The times of all works, in turn, `runs` times, after one round that does not count."""
    for work in works:
        work()
    return [tuple(work() for work in works) for _ in range(runs)]


def median(samples: Sequence[tuple[float, ...]], which: int) -> float:
    """The median time of one of the works."""
    return statistics.median(sample[which] for sample in samples)


def ratio(samples: Sequence[tuple[float, ...]], one: int, other: int) -> float:
    """The median of one's time over other's, taken pair by pair."""
    return statistics.median(sample[one] / sample[other] for sample in samples)


def rate(seconds_a_unit: float) -> str:
    """So many a second, in words."""
    return f"{1 / seconds_a_unit:,.0f}/s"


def micro(seconds_a_unit: float) -> str:
    """A time in words."""
    return f"{seconds_a_unit * 1e6:,.2f} us" if seconds_a_unit < 1e-5 else f"{seconds_a_unit * 1e6:,.0f} us"


def installed_environment() -> dict[str, str]:
    """The environment of an installed program, which keeps its bytecode."""
    return {key: value for key, value in os.environ.items() if key != "PYTHONDONTWRITEBYTECODE"}
