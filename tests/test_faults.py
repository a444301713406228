"""A sample of the faults that `python -m tests.faults` makes at length; docs/TRUST.md has its figures."""

from pathlib import Path

import pytest

from tests.faults import crashes
from tests.faults.flips import Bench, columns_of
from tests.faults.games import seeded


@pytest.mark.parametrize("name", crashes.COMMANDS)
def test_a_crash_at_any_write_loses_nothing_that_was_told(tmp_path: Path, name: str) -> None:
    """Power is cut, or the process killed, behind a step of a command, with all, nothing or a part of what was not
    synced on the disk: the command is done whole or not at all, done if it had answered, and play goes on.
    """
    bench = crashes.Bench(tmp_path, name)
    states = list(bench.crashes(seeded(name), 1))
    assert {crash.answered for crash in states} == {False, True}
    for crash in seeded(name).sample(states, 8):
        bench.hold_crash(crash)
    bench.hold_crash(states[-1])


@pytest.mark.parametrize("name", ["play", "first"])
def test_a_disk_that_refuses_a_write_is_told_of(tmp_path: Path, name: str) -> None:
    """A full disk, a failing write, sync or deletion: the command says so, and has done nothing or all."""
    bench = crashes.Bench(tmp_path, name)
    refusals = list(bench.refusals())
    for refusal in seeded(name).sample(refusals, 10):
        bench.hold_refusal(refusal)


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    """A database of four games, to be damaged."""
    return Bench(tmp_path_factory.mktemp("flips"))


def test_a_bit_of_any_column_is_found_or_changes_nothing(bench: Bench) -> None:
    """One value of each column of each table: `verify` finds it unless no command says anything else."""
    found = set[str]()
    for table, column in columns_of(bench.whole):
        flip = bench.flip_value(seeded(f"{table}.{column}"), table, column)
        if flip is not None and bench.hold(flip):
            found.add(f"{table}.{column}")
    events = {"game", "seq", "at", "kind", "actor", "schema", "request", "data", "digest"}
    assert found >= {f"events.{column}" for column in events}
    assert found >= {"games.state", "games.to_move", "results.score", "sqlite_schema.sql"}
    assert not any(name.startswith("snapshots") for name in found)


def test_a_bit_of_the_file_is_found_or_changes_nothing(bench: Bench) -> None:
    """Some bytes of the file, and what `recover` then makes of it."""
    chance = seeded("sample")
    found = 0
    for _ in range(15):
        flip = bench.flip_byte(chance)
        found += bench.hold(flip)
    assert found


def test_a_damaged_write_ahead_log_is_found_where_it_can_be(bench: Bench) -> None:
    """More lost than the last transaction is told of; what is left is whole; `recover` reads past the damage."""
    chance = seeded("sample")
    assert sum(bench.hold_log(bench.flip_log(chance)) for _ in range(6))
    for part in (0.1, 0.5, 0.9):
        bench.hold_log(bench.cut_log(int(len(bench.log[1]) * part)), cut=True)
