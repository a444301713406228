"""Tokens for servers, kept for the commands that are said with `--server`: `login` and `logout`."""

from __future__ import annotations

import os
import re
import shlex
import sys
from ipaddress import ip_address
from pathlib import Path
from urllib.parse import urlsplit

import msgspec
from msgspec import Struct, json

from cli.commands import put, say
from cli.private import write_private
from cli.session import Session
from engines.kit.errors import BadSetup


class Kept(Struct, frozen=True, rename={"who": "for"}):
    """A token and what it is for: a seat's name, `spectator` or `owner` of a game, or `server` to start games.

    :param seat: the seat's number, from 1
    """

    server: str
    game: str | None
    who: str
    seat: int | None
    token: str


def tokens_file() -> Path:
    """Where tokens are kept: `TURNLOG_TOKENS`, or a file in the user's folder of settings."""
    given = os.environ.get("TURNLOG_TOKENS")
    if given:
        return Path(given)
    from platformdirs import user_config_path

    return user_config_path("turnlog", appauthor=False) / "tokens.json"


def kept_tokens() -> list[Kept]:
    """All tokens that are kept, the oldest first.

    :raises BadSetup: others may read them, or they cannot be read
    """
    file = tokens_file()
    try:
        with file.open("rb") as opened:
            about = os.fstat(opened.fileno())
            text = opened.read()
        if about.st_mode & 0o077:
            raise BadSetup(
                f"{file} holds tokens, and others than you may read it",
                f"make it yours alone: chmod 600 {shlex.quote(str(file))}",
            )
        return json.decode(text, type=list[Kept])
    except FileNotFoundError:
        return []
    except (OSError, msgspec.MsgspecError, UnicodeError) as error:
        raise BadSetup(f"{file} cannot be read: {error}", "remove it and log in anew") from error


def keep_tokens(new: list[Kept]) -> None:
    """Keeps tokens, in place of those for the same.

    :raises BadSetup: they cannot be written
    """
    about = {(one.server, one.game, one.who) for one in new}
    _write([one for one in kept_tokens() if (one.server, one.game, one.who) not in about] + new)


def _write(tokens: list[Kept]) -> None:
    try:
        write_private(tokens_file(), tokens)
    except OSError as error:
        raise BadSetup(f"{tokens_file()} cannot be written: {error.strerror}") from error


def server_url(said: str) -> str:
    """The address of a server as it is kept.

    :raises BadSetup: it is none
    """
    try:
        parts = urlsplit(said)
        host, _ = parts.hostname, parts.port
    except ValueError:
        parts, host = urlsplit(""), None
    odd = parts.username is not None or parts.query or parts.fragment or not said.isprintable()
    if parts.scheme not in ("http", "https") or not host or odd:
        raise BadSetup(
            f"{said.partition('#')[0][:80]!r} is no address of a server",
            "it begins with http:// or https://, for example http://127.0.0.1:8765",
        )
    return f"{parts.scheme}://{parts.netloc}{parts.path.rstrip('/')}"


def check_token(token: str) -> None:
    """Holds a token to what one can be.

    :raises BadSetup: it is none; it is not told, since a part of it may be one
    """
    if not re.fullmatch("[!-~]{1,200}", token):
        raise BadSetup(
            "what was given as a token is none", "it is what `turnlog invite` gave: letters, digits, - and _"
        )


def login(session: Session, said: str | None) -> None:
    """Keeps the token of a link, or one that is asked for, once the server has said what it is for."""
    if said is None:
        _list(session)
        return
    address, _, token = said.partition("#")
    server = server_url(address.removesuffix("/join"))
    if not token:
        token = _asked_for(server)
    check_token(token)
    from cli.client import granted

    found = granted(server, token)
    new = Kept(server, found["game"], found["for"], found["seat"], token)
    keep_tokens([new])
    if session.json:
        put(_shown(new))
    elif not session.quiet:
        say([f"Kept for {server}: {_what(new)}."])
        if server.startswith("http:") and not _is_near(server):
            session.warn("the token goes over the network as plain text", server=server)


def _asked_for(server: str) -> str:
    if sys.stdin.isatty():
        from getpass import getpass

        token = getpass(f"Token for {server}: ")
    else:
        token = sys.stdin.readline()
    token = token.strip()
    if not token:
        raise BadSetup(f"no token for {server}", "give an invitation's whole link, or the token on standard input")
    return token


def _is_near(server: str) -> bool:
    host = urlsplit(server).hostname or ""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def _what(one: Kept) -> str:
    if one.game is None:
        return "a token for starting games"
    return f"{one.who} in game {one.game}"


def _shown(one: Kept) -> dict[str, str | int | None]:
    return {"server": one.server, "game": one.game, "for": one.who, "seat": one.seat}


def _list(session: Session) -> None:
    tokens = kept_tokens()
    if session.json:
        put([_shown(one) for one in tokens])
        return
    say([f"{one.server}  {_what(one)}" for one in tokens])
    if not tokens and not session.quiet:
        say(["No tokens are kept: `turnlog login LINK` keeps that of an invitation."])


def logout(session: Session, said: str, game: str | None) -> None:
    """Forgets the tokens for a server, or for one game of it.

    :raises BadSetup: there are none
    """
    server = server_url(said)
    tokens = kept_tokens()
    left = [one for one in tokens if one.server != server or (game is not None and one.game != game)]
    count = len(tokens) - len(left)
    if not count:
        raise BadSetup(
            f"no token is kept for {server}{f' game {game}' if game else ''}", "`turnlog login` lists them"
        )
    _write(left)
    if session.json:
        put({"server": server, "forgotten": count})
    elif not session.quiet:
        say([f"{count} token{'s' * (count != 1)} for {server} forgotten. They are good elsewhere still."])
