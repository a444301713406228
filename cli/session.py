"""What every command needs: where the database is, how to answer, the clock and the source of ids.

The clock and the ids come in here and nowhere else. Nothing heavy is imported: a `play` passes through.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from engines.kit.bots import Choice, Turn
from engines.kit.errors import BadSetup, Refusal
from engines.kit.secrecy import REFEREE, Viewer
from engines.table import Table
from events.errors import NoSuchGame
from events.log import Database
from events.sqlite import open_log

if TYPE_CHECKING:
    from engines.programs import RunningPrograms

_LETTERS = "abcdefghjkmnpqrstvwxyz23456789"


def now() -> int:
    """Integer microseconds UTC."""
    return time.time_ns() // 1000


def new_id() -> str:
    """A game id of eight letters and digits."""
    return "".join(_LETTERS[byte % len(_LETTERS)] for byte in os.urandom(8))


def secret() -> str:
    """A text nobody can guess."""
    return os.urandom(16).hex()


def prepare(path: str) -> None:
    """Makes a file a database of today's schema."""
    from projections.schema import prepare as prepare_all

    prepare_all(path)


def postgres() -> ModuleType:
    """What is needed for a database on a server; loaded for one only.

    :raises BadSetup: it is not installed
    """
    try:
        from events import postgres
    except ImportError as error:
        raise BadSetup(
            "a database in PostgreSQL needs an extra that is not installed", "pip install 'turnlog[postgres]'"
        ) from error
    return postgres


def _tables() -> str:
    from projections.postgres import TABLES

    return TABLES


class NoSuchSeat(Refusal):
    """The game has no seat of that name or number."""


class Session(NamedTuple):
    """How a command was called.

    :param db: the database's path, or its address in PostgreSQL; None for the user's data folder
    :param server: the server that is asked instead, None if none is
    """

    db: str | None = None
    json: bool = False
    quiet: bool = False
    log_level: str = "warning"
    log_file: str | None = None
    clock: Callable[[], int] = now
    ids: Callable[[], str] = new_id
    secrets: Callable[[], str] = secret
    server: str | None = None

    @property
    def path(self) -> str:
        """Where the database is: `--db`, `TURNLOG_DB`, or the user's data folder. A password may be in it."""
        path = self.db or os.environ.get("TURNLOG_DB")
        if path:
            return path
        from platformdirs import user_data_path

        return str(user_data_path("turnlog", appauthor=False) / "turnlog.db")

    @property
    def in_postgresql(self) -> bool:
        """Whether the database is on a PostgreSQL server, and no file."""
        return self.path.startswith(("postgresql://", "postgres://"))

    @property
    def shown(self) -> str:
        """Where the database is, as anybody may be told."""
        return postgres().shown(self.path) if self.in_postgresql else self.path

    @property
    def there(self) -> bool:
        """Whether there may be a database already: no file is none."""
        return self.in_postgresql or os.path.exists(self.path)

    @property
    def colour(self) -> bool:
        """Whether the answer may be coloured."""
        return sys.stdout.isatty() and not self.quiet and not os.environ.get("NO_COLOR")

    def reader(self) -> Database:
        """The log, read-only."""
        return self._opened(write=False)

    def writer(self, *, create: bool = False) -> Database:
        """The log, to append to; made if `create` and there is none."""
        if not create and not self.there:
            return self.reader()  # says that there is none
        return self._opened(write=True)

    def _opened(self, *, write: bool) -> Database:
        if self.in_postgresql:
            return postgres().open_log(self.path, _tables, write=write)
        return open_log(self.path, prepare, write=write)

    def say(self, event: str, **what: Any) -> None:
        """A line for the program's own log: at info level."""
        if self.log_file is not None or self.log_level in ("debug", "info"):
            from cli.logs import logger

            logger(self).info(event, **what)

    def debug(self, event: str, **what: Any) -> None:
        """A line for the program's own log: at debug level."""
        from cli.logs import logger

        logger(self).debug(event, **what)

    def warn(self, event: str, **what: Any) -> None:
        """A warning, to stderr and the log file."""
        from cli.logs import logger

        logger(self).warning(event, **what)


class SeatPrograms:
    """The programs that play seats in one command; nothing is loaded before one is asked."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._running: RunningPrograms | None = None

    def _loaded(self) -> RunningPrograms:
        if self._running is None:
            from cli.programs import running

            self._running = running(self._session)
        return self._running

    def check(self, name: str) -> None:
        """Makes sure that a seat's program may be started. :raises ProgramRefused: it may not"""
        self._loaded().check(name)

    def choose(self, turn: Turn) -> Choice:
        """A legal move. :raises ProgramRefused: the program may not or cannot be started"""
        return self._loaded().choose(turn)

    def close(self) -> None:
        """Ends those that were started."""
        if self._running is not None:
            self._running.close()


def game_id(log: Database, said: str) -> str:
    """The id that was meant: an id, a unique beginning of one, or `@` for the game last touched.

    :raises NoSuchGame: none; BadSetup: the beginning fits several
    """
    if said == "@":
        latest = log.latest()
        if latest is None:
            raise NoSuchGame("@")
        return latest
    if log.last(said):
        return said
    fits = log.games(said, 6) if said else []
    if len(fits) == 1:
        return fits[0]
    if fits:
        shown = ", ".join(fits[:5]) + (", .." if len(fits) > 5 else "")
        raise BadSetup(f"{said!r} is the beginning of several games: {shown}", "write more of the id")
    raise NoSuchGame(said if len(said) <= 64 else said[:61] + "...")


def seat_of(names: tuple[str, ...], said: str) -> int:
    """The seat of a name, or of a number from 1.

    :raises NoSuchSeat: there is none
    """
    if said in names:
        return names.index(said)
    if said.isascii() and said.isdigit() and 1 <= int(said[:9]) <= len(names):
        return int(said[:9]) - 1
    fits = [seat for seat, name in enumerate(names) if name.casefold() == said.casefold()]
    if len(fits) == 1:
        return fits[0]
    shown = said if len(said) <= 40 else said[:37] + "..."
    seats = ", ".join(f"{number} {name}" for number, name in enumerate(names, 1))
    raise NoSuchSeat(f"there is no seat {shown!r} in this game", f"the seats: {seats}")


def viewer_of(names: tuple[str, ...], said: str | None) -> Viewer:
    """The viewer of `--as`: a seat, `spectator` (also for None) or `referee`."""
    if said is None or said == "spectator":
        return None
    return REFEREE if said == "referee" else seat_of(names, said)


def viewer_name(names: tuple[str, ...], viewer: Viewer) -> str:
    """How a viewer is called."""
    return "spectator" if viewer is None else "referee" if viewer == REFEREE else names[viewer]


def acting_seat(table: Table, said: str | None) -> int | None:
    """The seat of `--as` for a command that acts; None where it was left out.

    :raises Refusal: a spectator or referee cannot act
    """
    if said in ("spectator", "referee"):
        raise BadSetup(f"a {said} cannot act in a game", "name a seat with --as")
    return None if said is None else seat_of(table.names, said)
