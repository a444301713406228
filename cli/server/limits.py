"""What one asker may cost: bytes, requests a second, streams, a bot's thinking. And what every answer carries.

All memory here is bounded. What goes wrong in us is told to the asker by a number only; the rest is in our log.
"""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Sequence
from ipaddress import IPv6Address, ip_address
from time import monotonic
from typing import Any, NamedTuple

from msgspec import json
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from cli.session import Session
from engines.kit.bots import PLAYOUTS, SEARCH
from engines.kit.errors import BadSetup, Refusal
from engines.kit.game import BOT, PROGRAM

#: The bucket of one asker holds so many seconds' worth of requests.
BURST = 4
#: So many askers are told apart; beyond that the one who asked longest ago is forgotten.
MOST_ASKERS = 10_000
#: All searching bots of a game together may make so many playouts a move.
MOST_PLAYOUTS = 2 * PLAYOUTS

_SECURITY = (
    (
        b"content-security-policy",
        (
            b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
            b"base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
        ),
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"turnlog", b"1"),  # a client takes no other server's answer for ours
    (b"referrer-policy", b"no-referrer"),
    (b"x-frame-options", b"DENY"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)


class Limits(NamedTuple):
    """What the server takes.

    :param body: bytes of a request
    :param rate: requests a second of one asker, in the long run
    :param connections_each: connections at once of one address, of this machine none is refused
    :param streams: streams at once, and of one asker
    :param header_seconds: until a request has come in whole
    :param send_seconds: until a part of an answer has been taken
    """

    body: int = 64 * 1024
    rate: float = 20.0
    connections: int = 2_500
    connections_each: int = 250
    streams: int = 2_000
    streams_each: int = 16
    header_seconds: float = 15.0
    send_seconds: float = 30.0


class TooLarge(Refusal):
    """The request has too many bytes."""


class TooMany(Refusal):
    """Too many requests or streams of one asker."""


class Meter:
    """Requests of each asker: a token bucket each.

    A token that was taken lately has a bucket of its own; all else counts for the address it comes from.
    """

    def __init__(self, rate: float) -> None:
        self._rate = rate
        self._buckets: OrderedDict[object, tuple[float, float]] = OrderedDict()
        self._trusted: OrderedDict[bytes, None] = OrderedDict()

    def asker(self, digest: bytes | None, address: str) -> object:
        """Who a request counts for."""
        return digest if digest in self._trusted else network(address)

    def trust(self, digest: bytes) -> None:
        """Gives a token that was taken a bucket of its own."""
        self._trusted[digest] = None
        self._trusted.move_to_end(digest)
        if len(self._trusted) > MOST_ASKERS:
            self._trusted.popitem(last=False)

    def take(self, asker: object, cost: float = 1.0) -> None:
        """Counts a request.

        :raises TooMany: there were too many of late
        """
        most = self._rate * BURST
        now = monotonic()
        left, at = self._buckets.get(asker, (most, now))
        left = min(most, left + (now - at) * self._rate)
        enough = left >= min(cost, most)
        self._buckets[asker] = (left - cost if enough else left, now)
        self._buckets.move_to_end(asker)
        if len(self._buckets) > MOST_ASKERS:
            self._buckets.popitem(last=False)
        if not enough:
            raise TooMany(
                f"too many requests: {self._rate:g} a second are taken in the long run", "wait a little and go on"
            )


def network(address: str) -> str:
    """An address as one asker: of IPv6 the /64, which one household has for itself."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return found.exploded[:19]
    return address


def check_players(players: Sequence[str]) -> None:
    """Holds the seats of a new game to what the server is willing to compute.

    :raises BadSetup: no person is to play, or bots that think too long
    """
    if all(name.startswith((BOT, PROGRAM)) for name in players):
        raise BadSetup(
            "a game on the server has a person at least", "`turnlog simulate` plays bots among themselves"
        )
    playouts = 0
    for name in players:
        kind, colon, parameter = name.removeprefix(BOT).partition("#")[0].partition(":")
        if name.startswith(BOT) and kind == SEARCH:
            if colon and not (parameter.isascii() and parameter.isdecimal() and len(parameter) < 9):
                return  # it is refused as no bot's name
            playouts += int(parameter) if colon else PLAYOUTS
    if playouts > MOST_PLAYOUTS:
        raise BadSetup(
            f"the searching bots of a game on the server make at most {MOST_PLAYOUTS} playouts a move together, "
            f"not {playouts}",
            f"for example one bot:{SEARCH}:{PLAYOUTS}",
        )


def error_bytes(code: str, message: str, hint: str | None = None) -> bytes:
    """An error's document."""
    return json.encode({"error": {"code": code, "message": message, "hint": hint}})


class Defence:
    """Wraps the whole application: limits of bytes and time, headers of every answer, faults without internals."""

    def __init__(self, app: ASGIApp, session: Session, limits: Limits) -> None:
        self._app, self._session, self._limits = app, session, limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answers one request."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        began = monotonic()
        status = 0
        taken = 0

        async def counted() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            if taken > self._limits.body:
                raise TooLarge(f"a request has at most {self._limits.body} bytes")
            return message

        async def guarded(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                named = {name for name, _ in message["headers"]}
                message["headers"] = [
                    *message["headers"],
                    *((b"cache-control", b"no-store"),) * (b"cache-control" not in named),
                    *_SECURITY,
                ]
            async with asyncio.timeout(self._limits.send_seconds):
                await send(message)

        try:
            await self._app(scope, counted, guarded)
        except Exception as error:
            if status and isinstance(error, TimeoutError):
                return  # a reader who takes nothing; what was begun is broken off
            number = secrets.token_hex(4)
            self._session.warn("fault", id=number, error=repr(error), **_place(scope, status))
            if not status:
                await _fault(guarded, number)
        finally:
            self._session.say(
                "asked",
                method=scope["method"],
                status=status,
                seconds=round(monotonic() - began, 4),
                **_place(scope, status),
            )


def _place(scope: Scope, status: int) -> dict[str, Any]:
    """Where a request went, in words of ours: a path might hold a token by mistake."""
    place = {"route": getattr(scope.get("route"), "name", "none")}
    game = scope.get("path_params", {}).get("game")
    return place | {"game": game} if game is not None and 0 < status < 400 else place


async def _fault(send: Send, number: str) -> None:
    body = error_bytes(
        "fault", f"a fault of the server's, number {number}", "the one who runs the server finds more in its log"
    )
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 500, "headers": headers})
    await send({"type": "http.response.body", "body": body})
