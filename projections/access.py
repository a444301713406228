"""Who may reach a game over the network: tokens, of which only digests are kept, and games open to everybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from msgspec import json

from events.sqlite import SqliteLog

#: What a token is good for: to act and read as one seat; to watch; to look after a game; to start games.
Role = Literal["seat", "spectator", "owner", "server"]

#: That a token was used is written down at most so often, in microseconds.
USED_EVERY = 3_600_000_000

_COLUMNS = "digest, game, role, seat, created, used, revoked"
_TAKEN = "select 1 from tokens where game = ?1 and seat = ?2 and used is not null and revoked is null"


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


class OpenSeat(NamedTuple):
    """A seat that anybody may take.

    :param names: all seats of the game
    """

    game: str
    slug: str
    names: list[str]
    seat: int

    @property
    def name(self) -> str:
        """The seat's name."""
        return self.names[self.seat]


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
    """Makes all tokens of a role void and gives how many those were; an open seat is open no more."""
    with log.writing() as connection:
        connection.execute("delete from open_seats where game = ? and seat = ?", (game, seat))
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


# open seats -------------------------------------------------------------------------------------------


def open_seats(log: SqliteLog) -> list[OpenSeat]:
    """The seats that anybody may take, of games that go on, the last touched first."""
    found = log.select(
        "select game, slug, seats, seat from open_seats join games using (game) where state = 'playing' "
        "order by touched desc, game, seat limit 500"
    )
    return [OpenSeat(game, slug, json.decode(seats, type=list[str]), seat) for game, slug, seats, seat in found]


def open_seat(log: SqliteLog, game: str, seat: int) -> bool:
    """Lets anybody take a seat; false, and nothing is done, if somebody sits there: its token was used."""
    with log.writing() as connection:
        connection.execute(
            f"insert or ignore into open_seats (game, seat) select ?1, ?2 where not exists ({_TAKEN})",
            (game, seat),
        )
        return bool(
            connection.execute("select 1 from open_seats where game = ? and seat = ?", (game, seat)).fetchone()
        )


def shut_seat(log: SqliteLog, game: str, seat: int) -> bool:
    """Lets nobody take a seat any more; false if it was not open."""
    with log.writing() as connection:
        return connection.execute("delete from open_seats where game = ? and seat = ?", (game, seat)).rowcount > 0


def take_seat(log: SqliteLog, new: Grant) -> bool:
    """Gives an open seat to the holder of a new token, and makes those void that nobody used.

    :return: false, and nothing is done, if it is not open, or somebody sat down there with a token of before
    """
    with log.writing() as connection:
        open_ = connection.execute(
            f"delete from open_seats where game = ?1 and seat = ?2 and not exists ({_TAKEN})", (new.game, new.seat)
        ).rowcount
        if open_:
            connection.execute(
                "update tokens set revoked = ? where game = ? and seat = ? and revoked is null",
                (new.created, new.game, new.seat),
            )
            connection.execute(f"insert into tokens ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?)", new)
        return open_ > 0
