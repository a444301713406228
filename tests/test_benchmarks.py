"""`python -m benchmarks` runs and writes its tables where they belong; of the figures nothing is claimed."""

import subprocess
import sys
from pathlib import Path

from benchmarks.__main__ import BEGIN, END, PEERS, RESULTS


def bench(into: Path) -> subprocess.CompletedProcess[str]:
    """The smallest run, its tables put into a file."""
    return subprocess.run(
        [sys.executable, "-m", "benchmarks", "--quick", "--into", str(into)],
        cwd=RESULTS.parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )


def test_every_target_and_peer_has_a_row_between_the_marks_and_the_rest_of_the_file_stays(tmp_path: Path) -> None:
    into = tmp_path / "results.md"
    before, _, rest = RESULTS.read_text().partition(BEGIN)
    into.write_text(f"{before}{BEGIN}\nold figures\n{END}{rest.partition(END)[2]}")

    done = bench(into)

    assert done.returncode == 0, done.stderr
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in done.stdout.splitlines()]
    targets = [row[0] for row in rows if len(row) == 4]
    for what in ("`turnlog play`", "append, one", "append, 100", "rebuild", "undo", "redo", "self-play", "export"):
        assert any(target.startswith(what) for target in targets), what
    peers = [row for row in rows if len(row) == 5]
    for module, name, missing in PEERS:
        found = [row for row in peers if row[2].startswith(name)]
        assert found, module
        assert (missing() is None) == (found[0][4] != ""), name
    assert into.read_text() == f"{before}{BEGIN}\n\n{done.stdout}\n{END}{rest.partition(END)[2]}"


def test_a_file_without_marks_is_refused_before_anything_is_measured(tmp_path: Path) -> None:
    into = tmp_path / "results.md"
    into.write_text("no marks\n")

    done = bench(into)

    assert done.returncode == 1
    assert BEGIN in done.stderr
    assert done.stdout == ""
    assert into.read_text() == "no marks\n"
