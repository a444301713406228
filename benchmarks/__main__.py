"""`make bench`: each target of the design beside its figure, and turnlog beside other libraries, in one run.

The tables are printed and put into RESULTS.md between two marks; what stands around them is written by hand.
"""

from __future__ import annotations

import argparse
import os
import platform
import sqlite3
import sys
import tempfile
from collections.abc import Callable, Iterator
from importlib import import_module
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from benchmarks.targets import targets
from benchmarks.timing import FULL, QUICK, Beside, Sizes, Target

RESULTS = Path(__file__).with_name("RESULTS.md")
BEGIN = "<!-- what follows is written by `make bench` -->"
END = "<!-- what precedes is written by `make bench` -->"


def _installed(module: str) -> Callable[[], str | None]:
    return lambda: None if find_spec(module) else "not installed"


def _boardgame() -> str | None:
    return import_module("benchmarks.peers.boardgame").missing()


#: Our module for each peer, the peer's name, and what says why it cannot be measured here.
PEERS: tuple[tuple[str, str, Callable[[], str | None]], ...] = (
    ("event_store", "eventsourcing", _installed("eventsourcing")),
    ("boardgame", "boardgame.io", _boardgame),
    ("self_play", "rlcard", _installed("rlcard")),
    ("compiled_play", "pyspiel", _installed("pyspiel")),
    ("chess_replay", "python-chess", _installed("chess")),
)
#: The packages of PEERS and the modules they are imported by.
_PACKAGES = {"eventsourcing": "eventsourcing", "rlcard": "rlcard", "open_spiel": "pyspiel", "chess": "chess"}


def _machine() -> str:
    """The machine, how busy it is, and the versions of all that is compared."""
    known = Path("/proc/cpuinfo").read_text().splitlines() if Path("/proc/cpuinfo").exists() else []
    models = [line.partition(":")[2].strip() for line in known if line.startswith("model name")]
    model = models[0] if models else platform.processor() or platform.machine()
    packages = [f"{package} {version(package)}" for package, module in _PACKAGES.items() if find_spec(module)]
    return (
        f"{platform.system()} on {model}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end; "
        + ", ".join((f"Python {platform.python_version()}", f"SQLite {sqlite3.sqlite_version}", *packages))
        + ". Medians of interleaved runs; B is `python -I -S -c pass`."
    )


def _besides(folder: Path, sizes: Sizes) -> Iterator[Beside]:
    for module, name, missing in PEERS:
        why = missing()
        if why is not None:
            yield Beside("", "", name, why)
            continue
        yield from import_module(f"benchmarks.peers.{module}").compare(folder, sizes)


def _target_line(row: Target) -> str:
    met = {True: "yes", False: "**no**", None: "not known"}[row.met]
    return f"| {row.what} | {row.target} | {row.figure} | {met} |"


def _beside_line(row: Beside) -> str:
    times = "" if row.times is None else f"{row.times:.2g}" if row.times < 10 else f"{row.times:.0f}"
    return f"| {row.what} | {row.ours} | {row.peer} | {row.theirs} | {times} |"


def measured(sizes: Sizes) -> Iterator[str]:
    """The lines of both tables, each as soon as it is known."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        yield "| what | target | here | met |"
        yield "|---|---|---|---|"
        yield from map(_target_line, targets(folder, sizes))
        yield ""
        yield "| what | turnlog | beside | the peer | turnlog is so many times as fast |"
        yield "|---|---|---|---|---|"
        yield from map(_beside_line, _besides(folder, sizes))
        yield ""
        yield _machine()


def around(path: Path) -> tuple[str, str]:
    """What stands before and after the tables in a file.

    :raises SystemExit: it has no marks to put them between
    """
    before, begin, rest = path.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        sys.exit(f"{path} has no place for the tables: expected the line {BEGIN} and later {END}")
    return before + BEGIN, END + after


def main() -> None:
    """Measures everything, prints it and writes it down."""
    parser = argparse.ArgumentParser("python -m benchmarks", description="Measures turnlog's speed targets.")
    parser.add_argument("--quick", action="store_true", help="sizes so small that the figures say nothing")
    parser.add_argument("--into", type=Path, default=RESULTS, metavar="FILE", help="where the tables go")
    said = parser.parse_args()
    around(said.into)
    lines: list[str] = []
    for line in measured(QUICK if said.quick else FULL):
        print(line, flush=True)
        lines.append(line)
    before, after = around(said.into)
    text = "\n".join(lines)
    said.into.write_text(f"{before}\n\n{text}\n\n{after}")


if __name__ == "__main__":
    main()
