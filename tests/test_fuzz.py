"""The command `fuzz`: plays every game, repeats itself by its seed, and writes down what it finds."""

from pathlib import Path
from typing import Any

import pytest

from engines.registry import all_games
from engines.table import Table
from tests.conftest import Turnlog


def test_all_games_are_fuzzed_and_nothing_is_found(turnlog: Turnlog, tmp_path: Path) -> None:
    """A few steps of each game; the database that is set is never touched, nothing is written."""
    told = turnlog.json("fuzz", "--games", "1", "--steps", "12", "--out", tmp_path / "out")
    assert set(told["games"]) == {game.slug for game in all_games()}
    assert all(figures["steps"] >= 12 for figures in told["games"].values())
    assert told["findings"] == []
    assert not turnlog.db.exists()
    assert not (tmp_path / "out").exists()


def test_the_same_seed_makes_the_same_steps(turnlog: Turnlog) -> None:
    """All that is chosen comes from the seed and the game's number."""
    words = ("fuzz", "lairs", "power-vacuum", "--games", "1", "--steps", "15")
    told = [turnlog.json(*words, *more) for more in ((), (), ("--seed", "2"), ("--first", "1"))]
    assert told[0] == told[1]
    assert len({one["digest"] for one in told}) == 3


def test_a_failure_is_written_with_few_steps_and_as_a_log(
    turnlog: Turnlog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A redo that fails is told by the steps it takes, the log before it is imported and played on."""
    redo: Any = Table.redo

    def fails(*arguments: Any, **named: Any) -> None:
        redo(*arguments, **named)
        raise ZeroDivisionError("a fault")

    monkeypatch.setattr(Table, "redo", fails)
    out = tmp_path / "out"
    told = turnlog("fuzz", "lairs", "--games", "3", "--steps", "60", "--out", out, "--json")
    assert told.code == 1
    assert told.error["code"] == "games-failed"
    [finding] = told.json["findings"]
    monkeypatch.setattr(Table, "redo", redo)
    text = Path(finding["file"]).with_suffix(".txt").read_text()
    deeds = [line.split()[0] for line in text.split("\n\n")[0].splitlines() if not line.startswith("#")]
    assert deeds in (["play", "undo", "redo"], ["play", "undo-to", "redo"])
    assert "ZeroDivisionError: a fault" in text
    assert f"turnlog fuzz lairs --seed 1 --first {finding['number']} --games 1 --steps 60" in text
    game = turnlog.json("import", finding["file"])["game"]
    turnlog.ok("verify", game)
    turnlog.ok("redo", game)


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        (["nogame"], 5, "no-such-slug"),
        (["lairs", "--games", "1", "--seconds", "1"], 2, "bad-setup"),
        (["lairs", "--games", "0"], 2, "bad-setup"),
    ],
    ids=["slug", "two-ways", "none"],
)
def test_what_cannot_be_fuzzed_is_refused(turnlog: Turnlog, words: list[str], code: int, error: str) -> None:
    """An unknown game, and two ways to say how long."""
    told = turnlog("fuzz", *words, "--json")
    assert (told.code, told.error["code"]) == (code, error)
