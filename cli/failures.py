"""Errors as exit codes.

2 usage, 3 refused by the rules, 4 conflict, 5 not found, 6 log damaged; 1 is a fault of ours.
"""

from __future__ import annotations

import re
import sys

from cli.session import NoSuchSeat
from engines.kit.errors import BadSetup, GamesFailed, NoCluster, NoSuchSlug, OtherVersion, Refusal, WorkerLost
from engines.table import SeatNeeded
from events.errors import (
    Busy,
    Conflict,
    Damaged,
    GameExists,
    InDoubt,
    LogError,
    NoDatabase,
    NoSuchEvent,
    NoSuchGame,
    RequestReused,
    Unreachable,
)

EXPECTED = (Refusal, LogError)


class FromServer(Refusal):
    """What a server refused: the name of its error, its words, and the exit code they would have here."""

    def __init__(self, name: str, message: str, hint: str | None, code: int) -> None:
        super().__init__(message, hint)
        self.name, self.code = name, code


_CODES: tuple[tuple[tuple[type[Exception], ...], int], ...] = (
    ((NoSuchGame, NoSuchEvent, NoSuchSlug, NoSuchSeat, NoDatabase, NoCluster, Unreachable), 5),
    ((Conflict, RequestReused, GameExists, Busy, OtherVersion, InDoubt), 4),
    ((Damaged,), 6),
    ((BadSetup, SeatNeeded), 2),
    ((GamesFailed, WorkerLost), 1),
    ((Refusal,), 3),
    ((LogError,), 2),
)


def check_encoding(word: str) -> None:
    """Holds an argument to UTF-8: other bytes could be neither stored nor shown.

    :raises BadSetup: it is none
    """
    if not word.isascii():
        try:
            word.encode()
        except UnicodeEncodeError as error:
            raise BadSetup(f"{word!r} is not in UTF-8", "set your terminal to UTF-8") from error


def exit_code(error: Exception) -> int:
    """The exit code of an error; of a script that stopped, that of what stopped it."""
    error = getattr(error, "cause", error)
    if isinstance(error, FromServer):
        return error.code
    return next((code for kinds, code in _CODES if isinstance(error, kinds)), 1)


def error_name(error: Exception) -> str:
    """The error's name for scripts: `illegal-move`, `no-such-game`."""
    if isinstance(error, FromServer):
        return error.name
    return re.sub(r"(?<!^)(?=[A-Z])", "-", type(error).__name__).lower()


def _showable(text: str) -> str:
    """The text with escapes for what a terminal would act on: a file's name may hold anything."""
    if text.isprintable():
        return text
    return "".join(c if c.isprintable() or c == "\n" else ascii(c)[1:-1] for c in text)


def said_of(error: Exception) -> tuple[str, str | None]:
    """What was wrong and what to do, as it can be shown anywhere."""
    hint = getattr(error, "hint", None)
    return _showable(str(error)), None if hint is None else _showable(hint)


def report(error: Exception, *, json: bool) -> int:
    """Says on stderr what was wrong and gives the exit code."""
    said, hint = said_of(error)
    if json:
        from msgspec.json import encode

        document = {"error": {"code": error_name(error), "message": said, "hint": hint}}
        sys.stderr.write(encode(document).decode() + "\n")
    else:
        sys.stderr.write(f"turnlog: {said}\n" + (f"  {hint}\n" if hint else ""))
    return exit_code(error)
