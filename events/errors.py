"""What can go wrong with a log. One root, a class a cause, the data as attributes.

Every text says what was wrong, what was expected and what to do; the command line turns the
class into an exit code and adds nothing.
"""

from __future__ import annotations


class LogError(Exception):
    """Something about a log or its file. `hint` says what to do, if there is more to say."""

    hint: str | None = None

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class NoSuchGame(LogError):
    """No game of that id is in the database."""

    def __init__(self, game: str) -> None:
        super().__init__(
            f"there is no game {game!r} in this database",
            "`turnlog list` shows the games that are there; --db or TURNLOG_DB names another database",
        )
        self.game = game


class NoSuchEvent(LogError):
    """The game has no event of that number."""

    def __init__(self, game: str, seq: int, last: int) -> None:
        super().__init__(f"game {game} has no event {seq}", f"its events are numbered 1 to {last}")
        self.game, self.seq, self.last = game, seq, last


class Conflict(LogError):
    """Another writer was first: the log does not end where the command expected."""

    def __init__(self, game: str, expected: int, found: int) -> None:
        super().__init__(
            f"game {game} stands at event {found}, not at {expected} as expected: nothing was written",
            f"look at it with `turnlog show {game}` and say it again",
        )
        self.game, self.expected, self.found = game, expected, found


class RequestReused(LogError):
    """A request id came back with another content."""

    def __init__(self, request: str, game: str, seq: int) -> None:
        super().__init__(
            f"request {request!r} was used before for something else (game {game}, event {seq}): "
            "nothing was written",
            "give every new command a request id of its own",
        )
        self.request, self.game, self.seq = request, game, seq


class GameExists(LogError):
    """The id of a new or imported game belongs to another game."""

    def __init__(self, game: str, why: str = "is taken") -> None:
        super().__init__(f"the id {game!r} {why}: nothing was written", "choose another id")
        self.game = game


class Busy(LogError):
    """Another process held the database for too long."""

    def __init__(self, path: str) -> None:
        super().__init__(
            f"{path} is being written to by another process: nothing was written", "try again in a moment"
        )


class Damaged(LogError):
    """An event is not what was written. `seq` is 0 where the whole file is meant."""

    def __init__(self, game: str, seq: int, why: str, hint: str | None = None) -> None:
        where = f"event {seq} of game {game} is damaged" if seq else f"{game} is damaged"
        super().__init__(
            f"{where}: {why}",
            hint
            or "restore a backup, or take what is whole into a new database with `turnlog recover`; "
            "`turnlog verify --all` says which games are",
        )
        self.game, self.seq, self.why = game, seq, why


class TooNew(Damaged):
    """An event that a newer turnlog wrote: nothing is wrong with it, and nothing here can read it."""

    def __init__(self, game: str, seq: int, schema: int, known: int) -> None:
        why = f"it was written by a newer turnlog (schema {schema}, this one knows {known})"
        super().__init__(game, seq, why)
        self.args = (f"event {seq} of game {game} cannot be read: {why}",)
        self.hint = "install the newer turnlog; the game was left as it is"


class NoDatabase(LogError):
    """There is no file, or no game in it yet."""


class NotOurs(LogError):
    """The file is no turnlog database, or one of a newer turnlog."""


class Unwritable(LogError):
    """The file can be read but not written, or its folder cannot be made."""


class BadAddress(LogError):
    """The address of a database on a server is none. What it says is not told: a password may be in it."""


class Unreachable(LogError):
    """A server is not to be reached, has no such database, or was lost before anything was done."""


class InDoubt(LogError):
    """A server has not answered, and may have done what it was asked."""


class Denied(LogError):
    """The database's server does not let this user in, or not do that."""
