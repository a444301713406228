"""A small database of several games, and the command line on it."""

from __future__ import annotations

import io
import json
import random
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from typer import main as typer_main

from cli.app import run_app
from cli.main import fast_play
from engines.creation import Wish, close_game, create
from engines.registry import game_of
from events.sqlite import SqliteLog, open_log
from projections import position
from projections.schema import prepare
from tests.lively_games import BEGUN, play_on

# Typer makes its commands anew at every call, which would be most of the time; they never change.
typer_main.get_command = cache(typer_main.get_command)

#: The games of `made`: with bots; with a note and an undo; closed; over. The first two go on.
GAMES, OPEN = ("alpha", "beta", "gamma", "delta"), ("alpha", "beta")


def seeded(seed: str) -> random.Random:
    """Chance that is the same in each run."""
    return random.Random(seed)  # noqa: S311 -- nothing secret


class Said(NamedTuple):
    """What a command gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)

    @property
    def error(self) -> dict[str, str]:
        """The error document on stderr."""
        return json.loads(self.err)["error"]

    @property
    def message(self) -> str:
        """The error's text."""
        return self.error["message"]


def run(db: Path | str, *words: str, out: io.StringIO | None = None) -> Said:
    """Runs a command in this process; what it raises is a fault of turnlog's and comes out."""
    out, err = out or io.StringIO(), io.StringIO()
    said = [*words, "--json", *(() if words[0] == "recover" else ("--db", str(db)))]
    with redirect_stdout(out), redirect_stderr(err):
        code = fast_play(said)
        if code is None:
            code = run_app(said)
    return Said(code, out.getvalue(), err.getvalue())


def made(path: Path, *, over: bool = True) -> None:
    """A database with `GAMES`, and snapshots in it."""
    log = open_log(str(path), prepare, write=True)
    log.connection.execute("pragma synchronous = off")
    every = position.EVERY
    try:
        position.EVERY = 8
        _begin(log, "alpha", "power-vacuum", ("ada", "bot:random", "bot:random"), moves=5)
        beta = _begin(log, "beta", "evangelists", ("ada", "bo"), moves=9)
        beta.note(2, "why?", now=BEGUN, seat=0)
        beta.undo(now=BEGUN, count=2)
        gamma = _begin(log, "gamma", "venusian-vegas", ("cy", "bo"), moves=4)
        close_game(log, gamma.id, seat=1, reason="late", now=BEGUN)
        if over:
            delta = _begin(log, "delta", "half-lifed", ("bot:random", "bot:random"), moves=0)
            assert delta.outcome is not None
    finally:
        position.EVERY = every
        log.close()


def _begin(log: SqliteLog, game: str, slug: str, seats: tuple[str, ...], *, moves: int) -> Any:
    wish = Wish(game_of(slug), seats, seed="faults")
    table, _ = create(log, wish, game, now=BEGUN, secret=lambda: "salt", request=f"create {game}")
    play_on(table, moves)
    return table
