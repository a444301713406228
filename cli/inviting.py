"""Tokens: `invite` makes, lists and revokes them, and the server knows people by them.

A token is 256 random bits, told once; the database keeps its digest. In a link it stands behind the #, which a
browser sends to nobody.
"""

import hmac
import secrets
from collections.abc import Sequence
from hashlib import sha256
from typing import Any

from cli.commands import iso, put, say
from cli.session import Session, game_id, seat_of
from engines.kit.errors import BadSetup, Refusal
from engines.table import Table
from events.log import Database
from projections.access import (
    Grant,
    Role,
    grant_of,
    grants,
    is_public,
    keep_grants,
    open_seat,
    revoke,
    set_public,
    shut_seat,
    take_seat,
)

#: Where the server is, unless it is said.
URL = "http://127.0.0.1:8765"


class SeatTaken(Refusal):
    """Somebody sits at the seat already, or it is not to be taken."""


def digest_of(token: str) -> bytes:
    """What is kept of a token. It is random enough that nothing slower is needed."""
    return sha256(b"turnlog token " + token.encode("utf-8", "surrogatepass")).digest()


def new_token(log: Database, game: str | None, role: Role, seat: int | None, now: int) -> str:
    """Makes a token; it is told now or never."""
    return new_tokens(log, game, [(role, seat)], now)[0]


def new_tokens(log: Database, game: str | None, wanted: Sequence[tuple[Role, int | None]], now: int) -> list[str]:
    """Makes tokens for roles and seats, all at once."""
    tokens = [secrets.token_urlsafe(32) for _ in wanted]
    keep_grants(log, [Grant(digest_of(token), game, *one, now) for token, one in zip(tokens, wanted, strict=True)])
    return tokens


def taken(log: Database, game: str, seat: int, now: int) -> str | None:
    """A token for an open seat; None if it is not open any more."""
    token = secrets.token_urlsafe(32)
    return token if take_seat(log, Grant(digest_of(token), game, "seat", seat, now, used=now)) else None


def seat_to_open(table: Table, said: str) -> int:
    """The seat of a game that goes on.

    :raises Refusal: there is none, a program plays it, or the game is over
    """
    if table.outcome is not None:
        raise BadSetup(f"game {table.id} is over", "seats are taken in games that go on")
    role, seat = role_of(table, said)
    if seat is None:
        raise BadSetup(f"{role} is no seat", "name a seat")
    return seat


def open_to_take(session: Session, game: str, who: str) -> None:
    """Lets anybody take a seat."""
    log = session.writer()
    try:
        table = Table(log, game_id(log, game))
        seat = seat_to_open(table, who)
        set_open(log, table, seat, True)
        document = offered_document(table, seat, True)
    finally:
        log.close()
    say_offered(session, document)


def say_offered(session: Session, document: dict[str, Any]) -> None:
    """Tells that anybody may take a seat."""
    if session.json:
        put(document)
    elif not session.quiet:
        say([f"Anybody may take {document['seat']}'s seat in game {document['game']} now; the lobby has it."])


def offered_document(table: Table, seat: int, wanted: bool) -> dict[str, Any]:
    """Whether anybody may take a seat."""
    return {"game": table.id, "seat": table.names[seat], "open": wanted}


def set_open(log: Database, table: Table, seat: int, wanted: bool) -> None:
    """Lets anybody take a seat, or nobody.

    :raises SeatTaken: somebody sits there
    """
    if wanted and not open_seat(log, table.id, seat):
        raise SeatTaken(
            f"somebody sits at {table.names[seat]}'s seat already", "make their tokens void first: invite --revoke"
        )
    if not wanted:
        shut_seat(log, table.id, seat)


def known(log: Database, token: str) -> Grant | None:
    """What a token grants; None if it is none of ours, or void."""
    digest = digest_of(token)
    grant = grant_of(log, digest)
    return grant if grant is not None and hmac.compare_digest(grant.digest, digest) else None


def role_of(table: Table, said: str) -> tuple[Role, int | None]:
    """The role and seat that an invitation is for.

    :raises NoSuchSeat: there is no such seat; BadSetup: a program plays it
    """
    if said == "spectator":
        return "spectator", None
    if said == "owner":
        return "owner", None
    seat = seat_of(table.names, said)
    if table.player(seat) != "person":
        raise BadSetup(f"{table.names[seat]} is played by the program, so that nobody can be invited to its seat")
    return "seat", seat


def invited(names: tuple[str, ...], role: Role, seat: int | None) -> str:
    """Whom a token is for, in a word."""
    return role if seat is None else names[seat]


def token_document(game: str, who: str, token: str, url: str) -> dict[str, Any]:
    """A new token, with the link that takes a browser in."""
    return {"game": game, "for": who, "token": token, "link": f"{url.rstrip('/')}/join#{token}"}


def grants_document(log: Database, table: Table) -> dict[str, Any]:
    """The tokens of a game, by what they are for and when; not by themselves, since nobody knows them."""

    def time(at: int | None) -> str | None:
        return None if at is None else iso(at)

    return {
        "game": table.id,
        "public": is_public(log, table.id),
        "tokens": [
            {
                "for": invited(table.names, grant.role, grant.seat),
                "created": iso(grant.created),
                "used": time(grant.used),
                "revoked": time(grant.revoked),
            }
            for grant in grants(log, table.id)
        ],
    }


def invite(session: Session, game: str, who: str, void: bool, url: str | None) -> None:
    """Makes a token for a seat, a spectator or the owner; or makes theirs void."""
    log = session.writer()
    try:
        table = Table(log, game_id(log, game))
        role, seat = role_of(table, who)
        name = invited(table.names, role, seat)
        if void:
            count = revoke(log, table.id, role, seat, session.clock())
            say_token(session, {"game": table.id, "for": name, "revoked": count})
            return
        token = new_token(log, table.id, role, seat, session.clock())
        say_token(session, token_document(table.id, name, token, url or URL))
    finally:
        log.close()


def say_token(session: Session, document: dict[str, Any]) -> None:
    """Tells of a new token, or how many are void now."""
    if session.json:
        put(document)
    elif "revoked" in document:
        if not session.quiet:
            count, who, game = document["revoked"], document["for"], document["game"]
            say([f"{count} token{'s' * (count != 1)} of {who} in game {game} will not be taken any more."])
    elif session.quiet:
        say([document["link"]])
    else:
        say(
            [
                f"For {document['for']} in game {document['game']}; it is shown this once:",
                f"  {document['link']}",
                f"  as a token for programs: {document['token']}",
            ]
        )


def invite_to_server(session: Session, void: bool) -> None:
    """Makes a token that starts games on the server, or makes all of those void."""
    log = session.writer(create=True)
    try:
        if void:
            count = revoke(log, None, "server", None, session.clock())
            if session.json:
                put({"for": "server", "revoked": count})
            elif not session.quiet:
                say([f"{count} token{'s' * (count != 1)} for starting games will not be taken any more."])
            return
        token = new_token(log, None, "server", None, session.clock())
        if session.json:
            put({"for": "server", "token": token})
        else:
            say([token if session.quiet else f"It starts games on the server, and is shown this once: {token}"])
    finally:
        log.close()


def list_tokens(session: Session, game: str) -> None:
    """Lists the tokens of a game."""
    log = session.reader()
    try:
        table = Table(log, game_id(log, game))
        document = grants_document(log, table)
    finally:
        log.close()
    say_tokens(session, document)


def say_tokens(session: Session, document: dict[str, Any]) -> None:
    """Lists the tokens of a game."""
    if session.json:
        put(document)
        return
    if document["public"]:
        say(["Anybody may watch."])
    for token in document["tokens"]:
        ended = f", revoked {token['revoked']}" if token["revoked"] else ""
        used = f"used {token['used']}" if token["used"] else "not used yet"
        say([f"{token['for']:<22} made {token['created']}, {used}{ended}"])
    if not document["tokens"] and not session.quiet:
        say([f"Nobody is invited yet: `turnlog invite {document['game']} SEAT` does it."])


def open_to_all(session: Session, game: str, public: bool) -> None:
    """Lets anybody watch a game on the server, or nobody without a token."""
    log = session.writer()
    try:
        found = Table(log, game_id(log, game)).id
        set_public(log, found, public)
    finally:
        log.close()
    say_opened(session, {"game": found, "public": public})


def say_opened(session: Session, document: dict[str, Any]) -> None:
    """Tells who may watch a game."""
    if session.json:
        put(document)
    elif not session.quiet:
        who = "Anybody may" if document["public"] else "Nobody may without a token"
        say([f"{who} watch game {document['game']}."])
