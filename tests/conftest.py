"""What all tests share: the command line, called in this process, on a database of its own."""

import json
import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import pytest

from cli.app import run_app
from cli.main import fast_play

if TYPE_CHECKING:
    from tests.postgres import Postgres

# A shell lets what it starts in the background ignore interrupts, and all that is started there inherits that.
signal.signal(signal.SIGINT, signal.default_int_handler)


class Answer(NamedTuple):
    """What a command gave."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        """The one JSON document on stdout."""
        return json.loads(self.out)

    @property
    def lines(self) -> list[Any]:
        """The JSON documents on stdout, one a line."""
        return [json.loads(line) for line in self.out.splitlines()]

    @property
    def error(self) -> dict[str, Any]:
        """The error document on stderr."""
        return json.loads(self.err)["error"]


class Turnlog:
    """The command line on one database: `turnlog("show", "g1", "--json")`."""

    def __init__(self, db: Path, capsys: pytest.CaptureFixture[str], place: str | None = None) -> None:
        self.db = db
        #: Where it is, if that need not be a file.
        self.place = place or str(db)
        self._capsys = capsys

    def __call__(self, *words: object) -> Answer:
        """Runs a command as typed, `play` by the way a person's `play` takes."""
        arguments = [str(word) for word in words]
        self._capsys.readouterr()
        code = fast_play(arguments)
        if code is None:
            code = run_app(arguments)
        out, err = self._capsys.readouterr()
        return Answer(code, out, err)

    def ok(self, *words: object) -> Answer:
        """Runs a command that must succeed."""
        answer = self(*words)
        assert answer.code == 0, f"{words}: {answer.err or answer.out}"
        return answer

    def json(self, *words: object) -> Any:
        """The JSON answer of a command that must succeed."""
        return self.ok(*words, "--json").json

    def play(self, game: str, *moves: str) -> Any:
        """Plays moves written `play R7` or `lucia: play R7`; gives the last one's JSON answer."""
        answer: Any = None
        for move in moves:
            seat, colon, rest = move.rpartition(": ")
            answer = self.json("play", game, rest, *(["--as", seat] if colon else []))
        return answer

    def view(self, game: str, viewer: str = "spectator", *more: object) -> Any:
        """The view of `show --json`."""
        return self.json("show", game, "--as", viewer, *more)["view"]

    def stack(self, **draws: list[Any]) -> str:
        """A stack's file; `regime_deck=` stands for the draw `regime-deck`."""
        path = self.db.with_name(f"stack-{len(list(self.db.parent.iterdir()))}.json")
        path.write_text(json.dumps({name.replace("_", "-"): outcomes for name, outcomes in draws.items()}))
        return str(path)


#: A test by the command line that is held to on both kinds of database.
ON_BOTH = pytest.mark.parametrize("turnlog", ["sqlite", "postgres"], indirect=True)


@pytest.fixture
def turnlog(
    request: pytest.FixtureRequest,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> Turnlog:
    """The command line on an empty database: a file, unless the test is asked for on PostgreSQL."""
    place = str(tmp_path / "games.db")
    if getattr(request, "param", "sqlite") == "postgres":
        server: Postgres = request.getfixturevalue("postgres")
        place = server.url(server.new())
    monkeypatch.setenv("TURNLOG_DB", place)
    monkeypatch.setenv("TURNLOG_PROGRAMS", str(tmp_path / "programs.json"))
    monkeypatch.setenv("TURNLOG_TOKENS", str(tmp_path / "tokens.json"))
    for name in ("NO_COLOR", "TURNLOG_SERVER", "TURNLOG_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    return Turnlog(tmp_path / "games.db", capsys, place)


@pytest.fixture(scope="session")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Chromium without a window."""
    from tests.chromium import started  # most tests need none

    driver = started(tmp_path_factory.mktemp("profile"))
    yield driver
    driver.quit()


@pytest.fixture
def command() -> Callable[..., list[str]]:
    """The installed command as an argument list, for tests that need a process of its own."""

    def words(*arguments: object) -> list[str]:
        return [os.path.join(os.path.dirname(sys.executable), "turnlog"), *map(str, arguments)]

    return words


@pytest.fixture(scope="session")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> "Postgres":
    """A PostgreSQL server, shared by the workers of this run."""
    from tests.postgres import started

    base = tmp_path_factory.getbasetemp()
    worker = "PYTEST_XDIST_WORKER" in os.environ
    return started(base.parent if worker else base, os.getppid() if worker else os.getpid())
