"""Who may reach a game over the network: tokens, of which only digests are kept, and games open to everybody."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from msgspec import json

from events.log import Database, Store

#: What a token is good for: to act and read as one seat; to watch; to look after a game; to start games.
Role = Literal["seat", "spectator", "owner", "server"]

#: That a token was used is written down at most so often, in microseconds.
USED_EVERY = 3_600_000_000

_SHUT = "delete from open_seats where game = ? and seat = ?"
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


def keep_grants(log: Database, new: Sequence[Grant]) -> None:
    """Writes the digests of new tokens down, all of one game, or (None) all for starting games."""
    with log.writing(new[0].game) as store:
        for grant in new:
            _keep(store, grant)


def _keep(store: Store, grant: Grant) -> None:
    store.execute(f"insert into tokens ({_COLUMNS}) values (?, ?, ?, ?, ?, ?, ?)", grant)


def grant_of(log: Database, digest: bytes) -> Grant | None:
    """What the token of that digest grants; None if there is none or it was revoked."""
    found = log.select(f"select {_COLUMNS} from tokens where digest = ? and revoked is null", (digest,))
    return next((Grant(*columns) for columns in found), None)


def grants(log: Database, game: str | None) -> list[Grant]:
    """All tokens of a game (None: those that start games), the revoked ones too, the oldest first."""
    of, values = _equal("game", game)
    found = log.select(f"select {_COLUMNS} from tokens where {of} order by created, digest", values)
    return [Grant(*columns) for columns in found]


def revoke(log: Database, game: str | None, role: Role, seat: int | None, now: int) -> int:
    """Makes all tokens of a role void and gives how many those were; an open seat is open no more."""
    (in_game, games), (of, seats) = _equal("game", game), _equal("seat", seat)
    with log.writing(game) as store:
        store.execute(_SHUT, (game, seat))
        return store.execute(
            f"update tokens set revoked = ? where {in_game} and role = ? and {of} and revoked is null",
            (now, *games, role, *seats),
        ).rowcount


def _equal(column: str, value: str | int | None) -> tuple[str, tuple[str | int, ...]]:
    """A condition that holds where a column has a value, or None, and what is bound in it."""
    return (f"{column} is null", ()) if value is None else (f"{column} = ?", (value,))


def note_use(log: Database, grant: Grant, now: int) -> None:
    """Writes down when a token was used last."""
    with log.writing(grant.game) as store:
        store.execute("update tokens set used = ? where digest = ?", (now, grant.digest))


def set_public(log: Database, game: str, public: bool) -> None:
    """Opens a game to spectators without a token, or shuts it again."""
    change = (
        "insert into public_games (game) values (?) on conflict do nothing"
        if public
        else ("delete from public_games where game = ?")
    )
    with log.writing(game) as store:
        store.execute(change, (game,))


def is_public(log: Database, game: str) -> bool:
    """Whether anybody may watch."""
    return next(log.select("select 1 from public_games where game = ?", (game,)), None) is not None


# open seats -------------------------------------------------------------------------------------------


#: Tokens that somebody has used, and so sits where they are for.
_USED = "select 1 from tokens t where t.used is not null and t.revoked is null"


def open_seats(log: Database) -> list[OpenSeat]:
    """The seats that anybody may take, of games that go on, the last touched first."""
    found = log.select(
        "select game, slug, seats, seat from open_seats o join games using (game) where state = 'playing' "
        f"and not exists ({_USED} and t.game = o.game and t.seat = o.seat) "
        "order by touched desc, game, seat limit 500"
    )
    return [OpenSeat(game, slug, json.decode(seats, type=list[str]), seat) for game, slug, seats, seat in found]


def open_seat(log: Database, game: str, seat: int) -> bool:
    """Lets anybody take a seat; false, and nothing is done, if somebody sits there: its token was used."""
    with log.writing(game) as store:
        if _taken(store, game, seat):
            return any(store.execute("select 1 from open_seats where game = ? and seat = ?", (game, seat)))
        store.execute("insert into open_seats (game, seat) values (?, ?) on conflict do nothing", (game, seat))
        return True


def _taken(store: Store, game: str, seat: int | None) -> bool:
    """Whether somebody sits there."""
    return any(store.execute(f"{_USED} and t.game = ? and t.seat = ?", (game, seat)))


def shut_seat(log: Database, game: str, seat: int) -> bool:
    """Lets nobody take a seat any more; false if it was not open."""
    with log.writing(game) as store:
        return store.execute(_SHUT, (game, seat)).rowcount > 0


def take_seat(log: Database, new: Grant) -> bool:
    """Gives an open seat to the holder of a new token, and makes those void that nobody used.

    :return: false, and nothing is done, if it is not open, or somebody sat down there with a token of before
    """
    with log.writing(new.game) as store:
        if new.game is None or _taken(store, new.game, new.seat):
            return False
        if not store.execute(_SHUT, (new.game, new.seat)).rowcount:
            return False
        store.execute(
            "update tokens set revoked = ? where game = ? and seat = ? and revoked is null",
            (new.created, new.game, new.seat),
        )
        _keep(store, new)
        return True
