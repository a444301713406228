"""Golden transcripts are what the games play today."""

from pathlib import Path

import pytest

from events.sqlite import open_log
from projections.schema import prepare
from replays.scripts import run_script
from tests.golden import FOLDER, lines_of, path_of
from tests.random_games import Case, case_id, cases

EVERY_CASE = pytest.mark.parametrize("case", cases(), ids=case_id)


@EVERY_CASE
def test_a_golden_transcript_is_played_today(case: Case) -> None:
    """The greedy bot's game, its narration and its boards have not changed; `python -m tests.golden` if meant."""
    expected = path_of(case).read_text().splitlines()
    for number, (line, golden) in enumerate(zip(lines_of(case), expected, strict=True), 1):
        assert line == golden, f"line {number} of {path_of(case).name}"


@EVERY_CASE
def test_a_golden_transcript_runs_as_a_script(case: Case, tmp_path: Path) -> None:
    """The transcript is a script that plays the game to its end."""
    log = open_log(str(tmp_path / "g.db"), prepare, write=True)
    try:
        with path_of(case).open() as lines:
            *_, last = run_script(lambda: log, lines, clock=lambda: 1, ids=lambda: "g", secret=lambda: "salt")
        assert last.table.outcome is not None
    finally:
        log.close()


def test_no_transcript_is_left_over() -> None:
    """Every file belongs to a case."""
    assert {path.name for path in FOLDER.iterdir()} == {path_of(case).name for case in cases()}
