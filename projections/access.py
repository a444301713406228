"""Who may reach a game over the network: tokens, of which only digests are kept, and games open to everybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from events.sqlite import SqliteLog

#: What a token is good for: to act and read as one seat; to watch; to look after a game; to start games.
Role = Literal["seat", "spectator", "owner", "server"]

#: That a token was used is written down at most so often, in microseconds.
USED_EVERY = 3_600_000_000

_COLUMNS = "digest, game, role, seat, created, used, revoked"


class Grant(NamedTuple):
    """What a token grants. Times are integer microseconds UTC.

    :param game: None for a token that starts games
    :param seat: the seat of a seat's token
    """

    digest: bytes
    game: str | None
    role: Role
    seat: int | None
    created: int
    used: int | None = None
    revoked: int | None = None


def keep_grants(log: SqliteLog, new: Sequence[Grant]) -> None:
    """Writes the digests of new tokens down."""
    with log.writing() as connection:
        connection.executemany(f"insert into tokens ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?)", new)


def grant_of(log: SqliteLog, digest: bytes) -> Grant | None:
    """What the token of that digest grants; None if there is none or it was revoked."""
    found = log.select(f"select {_COLUMNS} from tokens where digest = ? and revoked is null", (digest,))
    return next((Grant(*columns) for columns in found), None)


def grants(log: SqliteLog, game: str | None) -> list[Grant]:
    """All tokens of a game (None: those that start games), the revoked ones too, the oldest first."""
    found = log.select(f"select {_COLUMNS} from tokens where game is ? order by created, digest", (game,))
    return [Grant(*columns) for columns in found]


def revoke(log: SqliteLog, game: str | None, role: Role, seat: int | None, now: int) -> int:
    """Makes all tokens of a role void and gives how many those were."""
    with log.writing() as connection:
        return connection.execute(
            "update tokens set revoked = ? where game is ? and role = ? and seat is ? and revoked is null",
            (now, game, role, seat),
        ).rowcount


def note_use(log: SqliteLog, digest: bytes, now: int) -> None:
    """Writes down when a token was used last."""
    with log.writing() as connection:
        connection.execute("update tokens set used = ? where digest = ?", (now, digest))


def set_public(log: SqliteLog, game: str, public: bool) -> None:
    """Opens a game to spectators without a token, or shuts it again."""
    change = (
        "insert or ignore into public_games (game) values (?)"
        if public
        else ("delete from public_games where game = ?")
    )
    with log.writing() as connection:
        connection.execute(change, (game,))


def is_public(log: SqliteLog, game: str) -> bool:
    """Whether anybody may watch."""
    return next(log.select("select 1 from public_games where game = ?", (game,)), None) is not None
