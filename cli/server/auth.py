"""Who asks: a token in the Authorization header of a program, or in the cookie of a browser.

Without a right to a game there is no such game. The referee's view is nobody's before the game is over.
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from cli.inviting import digest_of, known
from cli.session import seat_of
from engines.kit.errors import Refusal
from engines.kit.secrecy import REFEREE, Viewer
from engines.table import Table
from events.errors import NoSuchGame
from events.log import Database
from projections.access import Grant, is_public

#: A cookie's name is this, the game's id and what the token is for: several people may sit at one browser, and it
#: may look after the game as well. An id holds no dot.
COOKIE = "turnlog."


class WrongToken(Refusal):
    """The token is none of this server's, or it was revoked."""


class NoRight(Refusal):
    """Whoever asks may not do that."""


def cookie_of(grant: Grant) -> str:
    """The name of the cookie that keeps a game's token."""
    owner = ".owner" if grant.role == "owner" else ""
    return f"{COOKIE}{grant.game}{owner if grant.seat is None else f'.{grant.seat + 1}'}"


class Presented(NamedTuple):
    """The tokens that came with a request.

    :param bearer: of the Authorization header
    :param cookies: by game
    :param seat: which seat is meant, where a browser has several
    """

    bearer: str | None = None
    cookies: Mapping[str, Sequence[str]] = {}
    seat: int | None = None


class Access(NamedTuple):
    """What somebody may do in a game: watch it at least.

    :param seat: the seat that is theirs; of several the one that was named, or the first
    :param owner: whether they look after the game
    """

    seat: int | None = None
    owner: bool = False
    grants: tuple[Grant, ...] = ()

    @property
    def seats(self) -> list[int]:
        """All seats that are theirs."""
        return sorted({grant.seat for grant in self.grants if grant.seat is not None})

    def acting(self) -> int:
        """The seat that is acted for.

        :raises NoRight: it is no seat's token
        """
        if self.seat is None:
            raise NoRight("only a seat can do that", "ask for an invitation to a seat, and use its token")
        return self.seat

    def owning(self) -> None:
        """Holds them to be the game's owner.

        :raises NoRight: they are not
        """
        if not self.owner:
            raise NoRight(
                "only the owner of a game can do that", "use the token that its creation gave for the owner"
            )

    def viewer(self, table: Table, said: str | None) -> Viewer:
        """The viewer that `said` means: unsaid a seat itself, or a spectator.

        :param table: the game as it stands now
        :raises NoRight: those are another one's eyes, and the game is not over
        """
        if said is None:
            return self.seat
        if said == "spectator":
            return None
        viewer = REFEREE if said == "referee" else seat_of(table.names, said)
        if viewer not in self.seats and not all_open(table):
            raise NoRight(
                f"what {said} sees is not for you while the game goes on",
                "leave `as` out to see what you may",
            )
        return viewer


def all_open(table: Table) -> bool:
    """Whether nothing of a game is secret any more: it is over, and no fork of one that may go on."""
    return table.outcome is not None and table.created.origin is None


class Door(NamedTuple):
    """How the server knows people.

    :param starter: the digest of a token that starts games, good as long as this process runs
    :param open: whether anybody may start games
    """

    starter: bytes | None
    open: bool

    def access(self, log: Database, presented: Presented, game: str) -> Access:
        """What whoever asks may do in a game.

        :raises WrongToken: the bearer's token is none of ours; NoSuchGame: there is none that they may know of;
            NoRight: the seat that they named is another one's
        """
        found = [grant for grant in self._grants(log, presented, game) if grant.game == game]
        if not found and not is_public(log, game):
            raise NoSuchGame(game if len(game) <= 64 else game[:61] + "...")
        access = Access(None, any(grant.role == "owner" for grant in found), tuple(found))
        if presented.seat is not None and presented.seat not in access.seats:
            raise NoRight("that seat is not yours", "open the link of its invitation in this browser")
        return access._replace(
            seat=presented.seat if presented.seat is not None else next(iter(access.seats), None)
        )

    def _grants(self, log: Database, presented: Presented, game: str) -> list[Grant]:
        bearer = self.bearer(log, presented)
        if bearer is not None:
            return [bearer]
        cookies = presented.cookies.get(game, ())
        return [grant for token in cookies if (grant := known(log, token)) is not None]

    def bearer(self, log: Database, presented: Presented) -> Grant | None:
        """What the bearer's token grants, None if there is none.

        :raises WrongToken: it is none of ours
        """
        if presented.bearer is None:
            return None
        digest = digest_of(presented.bearer)
        if self.starter is not None and hmac.compare_digest(self.starter, digest):
            return Grant(digest, None, "server", None, 0)
        grant = known(log, presented.bearer)
        if grant is None:
            raise WrongToken("this token is not known here, or was revoked", "ask for a new invitation")
        return grant

    def games(self, log: Database, presented: Presented) -> list[str]:
        """The games that whoever asks has a token of."""
        bearer = self.bearer(log, presented)
        if bearer is not None:
            return [bearer.game] if bearer.game is not None else []
        return [game for game in presented.cookies if self._grants(log, presented, game)]

    def check_starting(self, log: Database, presented: Presented) -> str:
        """Holds one who starts a game to the right to do so; gives a name of their token, to tell requests apart.

        :raises NoRight, WrongToken: there is none
        """
        grant = self.bearer(log, presented)
        if grant is not None and grant.role == "server":
            return grant.digest.hex()
        if not self.open:
            raise NoRight(
                "games are started here with a token of the server's",
                "whoever runs it makes one with `turnlog invite --starter`",
            )
        return ""
