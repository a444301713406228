"""A plain `play` is read without Typer: whenever that way takes an argument list, Typer reads the same in it."""

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

import cli.playing
from cli.app import run_app
from cli.main import fast_play, plain_play
from tests.conftest import Turnlog

#: What a way of reading an argument list came to: its exit code, and what it would have played.
Read = tuple[int | None, list[tuple[Any, ...]], str]


def read(way: Callable[[list[str]], int | None], arguments: list[str]) -> Read:
    """What `way` makes of the arguments, with nothing played."""
    taken: list[tuple[Any, ...]] = []

    def capture(session: Any, asked: Any) -> None:
        options = (session.db or None, session.json, session.quiet, session.log_level, session.log_file)
        taken.append((options, session.path, asked))

    out, err = io.StringIO(), io.StringIO()
    with pytest.MonkeyPatch.context() as patched, contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        patched.setattr(cli.playing, "play", capture)
        code = way(list(arguments))
    return code, taken, out.getvalue() + err.getvalue()


words = st.one_of(
    st.sampled_from(
        ["g", "@", "play", "play Y1", "Y1", "R9", "-", "", " ", "show", "2", "--", "#", "é", "\ud800"]
    ),
    st.text(max_size=6),
)
numbers = st.one_of(
    st.sampled_from(["0", "7", "007", "1" * 18, "1" * 19, "9" * 30, "-1", "+1", " 1", "1_0", "٣", "²", "x", ""]),
    st.integers().map(str),
)
options = st.one_of(
    st.sampled_from([["--json"], ["--quiet"], ["--dry-run"], ["-q"], ["--help"], ["--as=lucia"], ["--db=x"]]),
    st.tuples(st.sampled_from(["--as", "--request", "--db"]), words).map(list),
    st.tuples(st.just("--expect"), numbers).map(list),
    st.sampled_from(
        [["--as"], ["--expect"], ["--db"], ["--log-level", "info"], ["--expect=3"], ["--jso"], ["-j"]]
    ),
)


@st.composite
def argument_lists(draw: st.DrawFn) -> list[str]:
    """A `play` with options between its words, or nothing of the kind."""
    parts: list[list[str]] = [
        [word] for word in ["play", draw(words), *draw(st.lists(words, min_size=1, max_size=4))]
    ]
    if draw(st.integers(0, 4)) == 0:
        parts = [[draw(words)] for _ in range(draw(st.integers(0, 4)))]
    for option in draw(st.lists(options, max_size=4)):
        parts.insert(draw(st.integers(0, len(parts))), option)
    return [word for part in parts for word in part]


@given(argument_lists())
@settings(max_examples=300, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@example(["play", "g", "play", "Y1"])
@example(
    ["--db", "x", "--json", "--quiet", "play", "g", "--as", "2", "play", "--expect", "007", "Y1", "--dry-run"]
)
@example(["play", "--request", "r", "--as", "", "g", "", ""])
@example(["--db", "", "play", "g", "m"])
@example(["--db", "play", "play", "g", "m"])
@example(["play", "g", "-", "-"])
@example(["play", "g", "m", "--json", "--json", "--dry-run", "--dry-run"])
@example(["play", "g", "\ud800"])
@example(["play", "g", "m", "--as", "\ud800"])
@example(["play", "g", "m", "--expect", "0"])
def test_a_plain_play_means_what_typer_reads(arguments: list[str]) -> None:
    """Accepted by the short way, an argument list gives the same session and play, or error, as by Typer."""
    if plain_play(arguments) is None:
        assert fast_play(arguments) is None
        return

    assert read(fast_play, arguments) == read(run_app, arguments)


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        pytest.param(
            ["play", "g", "play", "Y1"],
            {"words": ["g", "play", "Y1"]},
            id="shortest",
        ),
        pytest.param(
            ["--db", "x.db", "play", "g", "play Y1", "--as", "lucia", "--expect", "4", "--request", "r", "--json"],
            {
                "words": ["g", "play Y1"],
                "db": "x.db",
                "seat": "lucia",
                "expect": "4",
                "request": "r",
                "json": True,
            },
            id="all-that-is-plain",
        ),
        pytest.param(
            ["play", "@", "plug", "red", "supply", "--dry-run", "--quiet"],
            {"words": ["@", "plug", "red", "supply"], "dry_run": True, "quiet": True},
            id="flags",
        ),
    ],
)
def test_what_people_type_is_plain(arguments: list[str], expected: dict[str, Any]) -> None:
    """The common spellings take the short way, so that the test above is not about nothing."""
    assert plain_play(arguments) == expected
    code, taken, said = read(fast_play, arguments)
    assert (code, len(taken), said) == (0, 1, "")
    assert read(run_app, arguments) == (code, taken, said)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["show", "g"],
        ["play"],
        ["play", "g"],
        ["play", "g", "--help"],
        ["play", "g", "m", "-h"],
        ["play", "g", "m", "-q"],
        ["play", "g", "m", "--as=lucia"],
        ["play", "g", "m", "--as"],
        ["play", "g", "m", "--as", "-x"],
        ["play", "g", "m", "--as", "a", "--as", "b"],
        ["play", "g", "m", "--expect", "x"],
        ["play", "g", "m", "--expect", "-1"],
        ["play", "g", "m", "--expect", ""],
        ["play", "g", "m", "--expect", "9" * 19],
        ["play", "g", "m", "--expect", "٣"],
        ["play", "g", "m", "--"],
        ["--", "play", "g", "m"],
        ["--log-level", "info", "play", "g", "m"],
        ["--as", "lucia", "play", "g", "m"],
        ["--dry-run", "play", "g", "m"],
    ],
    ids=" ".join,
)
def test_all_else_goes_to_typer(arguments: list[str]) -> None:
    """Whatever is not plain, and every error, is Typer's to read."""
    assert plain_play(arguments) is None
    assert fast_play(arguments) is None


def test_completion_is_never_taken_for_a_play(turnlog: Turnlog, command: Callable[..., list[str]]) -> None:
    """With _TURNLOG_COMPLETE set, words that read like a play play nothing: they are Typer's to complete."""
    turnlog.json("create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--id", "g", "--seed", 1)
    move = turnlog.json("moves", "g")["moves"][-1]
    words = ["play", "g", *move.split()]
    assert plain_play(words) is not None
    line = " ".join(["turnlog", *words[:3], ""])
    environment = {
        **os.environ, "_TURNLOG_COMPLETE": "complete_bash", "COMP_WORDS": line, "COMP_CWORD": "4",
    }  # fmt: skip

    done = subprocess.run(command(*words), env=environment, capture_output=True, text=True, check=False)

    assert move.split()[1] in done.stdout.split()
    assert turnlog.json("show", "g")["seq"] == 1


#: What a plain `play` must not load: most of its time would go there.
HEAVY = ("typer", "click", "rich", "sqlite_utils", "structlog", "hashlib", "_hashlib", "secrets", "random",
         "platformdirs", "importlib.metadata", "inspect", "typing_extensions", "subprocess", "engines.programs",
         "cli.programs", "psycopg", "events.postgres")  # fmt: skip

_PROBE = f"""
import sys
import cli.main
code = cli.main.fast_play(sys.argv[1:])
sys.stdout.flush()
sys.stderr.write(" ".join(name for name in {HEAVY!r} if name in sys.modules))
sys.exit(code)
"""


@pytest.mark.parametrize("more", [[], ["--json"], ["--as", "1", "--expect", "1", "--request", "r"]], ids=" ".join)
def test_a_plain_play_loads_nothing_heavy(turnlog: Turnlog, tmp_path: Path, more: list[str]) -> None:
    """From the first import to the answer: no Typer, Rich, sqlite-utils, structlog, hashlib, secrets, random."""
    turnlog.json(
        "create", "power-vacuum", "-p", "lucia", "-p", "fritz", "-o", "first=lucia", "--id", "g", "--seed", 1
    )
    move = turnlog.json("moves", "g")["moves"][-1]

    done = subprocess.run(
        [sys.executable, "-c", _PROBE, "play", "g", move, *more],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout
    assert turnlog.json("show", "g")["seq"] == 2


def test_the_installed_command_plays_and_tells_its_exit_code(
    turnlog: Turnlog, command: Callable[..., list[str]]
) -> None:
    """The process itself: what it prints and how it ends, for a move that is played and one that is refused."""
    turnlog.json("create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--id", "g", "--seed", 1)
    move = turnlog.json("moves", "g")["moves"][-1]

    refused = subprocess.run(command("play", "g", "nonsense"), capture_output=True, text=True, check=False)
    played = subprocess.run(command("play", "g", move), capture_output=True, text=True, check=False)

    assert (refused.returncode, refused.stdout) == (3, "")
    assert refused.stderr.startswith("turnlog: 'nonsense' is no move of this game\n")
    assert (played.returncode, played.stderr) == (0, "")
    assert move.split()[1] in played.stdout
