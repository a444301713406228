"""`turnlog serve`: the socket, the process, and what uvicorn does not watch: how long a request takes to come."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import secrets
import signal
import socket
import sys
from collections import Counter
from ipaddress import ip_address
from math import isnan
from typing import Any, ClassVar, NamedTuple

import h11
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from cli.commands import put, say
from cli.inviting import digest_of
from cli.playing import wrapped
from cli.server.app import make_app
from cli.server.auth import Door
from cli.server.limits import Limits, network
from cli.server.stream import Hub
from cli.session import Session
from cli.tokens import server_url
from engines.kit.errors import BadSetup

#: Streams and requests may take so long to end when the server stops, in seconds.
_GRACE = 10
#: A connection on which nothing is asked is kept so long, in seconds.
_IDLE = 20
#: The bytes of a request's head.
_HEAD = 16 * 1024


class Serve(NamedTuple):
    """A `serve` as typed.

    :param url: where people reach it, if a proxy stands before it
    :param proxied: believe what the proxy says of addresses
    :param programs: let programs play that the user allowed
    """

    host: str
    port: int
    url: str | None
    open: bool
    proxied: bool
    rate: float
    programs: bool


class Timed(H11Protocol):
    """A connection that is dropped when a request does not come in whole in time."""

    seconds = Limits().header_seconds
    open_from: ClassVar[Counter[str]] = Counter()
    _late: asyncio.TimerHandle | None = None
    _from = ""

    def connection_made(self, transport: Any) -> None:
        """Begins to wait for the first request; of too many from one address nothing is heard."""
        super().connection_made(transport)
        self._from = network(str((transport.get_extra_info("peername") or ("",))[0]))
        self.open_from[self._from] += 1
        if self.open_from[self._from] > Limits().connections_each and not is_local(self._from):
            self.transport.abort()
        else:
            self._watch()

    def data_received(self, data: bytes) -> None:
        """Takes what came, and waits for the rest."""
        super().data_received(data)
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Waits no more."""
        super().connection_lost(exc)
        self._unwatch()
        self.open_from[self._from] -= 1
        if not self.open_from[self._from]:
            del self.open_from[self._from]

    def _watch(self) -> None:
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._unwatch()
        elif self._late is None:
            self._late = self.loop.call_later(self.seconds, self.transport.abort)

    def _unwatch(self) -> None:
        if self._late is not None:
            self._late.cancel()
            self._late = None


class Server(uvicorn.Server):
    """A server that ends its streams before it waits for what is still being answered."""

    def __init__(self, config: uvicorn.Config, hub: Hub) -> None:
        super().__init__(config)
        self._hub = hub

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """Stops."""
        self._hub.close()
        await super().shutdown(sockets)


def serve(session: Session, asked: Serve) -> None:
    """Serves until it is told to stop.

    :raises BadSetup: the address cannot be had
    """
    # The command line goes without. To look through all that is kept takes long enough to be felt: seldom done.
    gc.enable()
    gc.freeze()
    gc.set_threshold(700, 10, 200)
    if asked.url is not None:
        asked = asked._replace(url=server_url(asked.url))
    if isnan(asked.rate):
        raise BadSetup("--rate is a number of requests a second, and nan is none")
    session.writer(create=True).close()
    bound = listening(asked.host, asked.port)
    port: int = bound.getsockname()[1]
    shown = f"[{asked.host}]" if ":" in asked.host else asked.host
    url = (asked.url or f"http://{shown}:{port}").rstrip("/")
    starter = secrets.token_urlsafe(32)
    limits = Limits(rate=asked.rate)
    door = Door(digest_of(starter), asked.open)
    # What is told of the file's name must not be a part of other words.
    served = session if session.in_postgresql else session._replace(db=os.path.abspath(session.path))
    app = make_app(served, door, url, limits, hosts_of(asked), programs=asked.programs)
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    _allow_files(limits.connections)
    config = uvicorn.Config(
        app,
        loop="asyncio",
        http=Timed,
        ws="none",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=asked.proxied,
        limit_concurrency=limits.connections,
        timeout_keep_alive=_IDLE,
        timeout_graceful_shutdown=_GRACE,
        h11_max_incomplete_event_size=_HEAD,
    )
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _stopped)
    _tell(session, asked, url, starter)
    Server(config, app.state.serving.hub).run(sockets=[bound])
    if not session.json and not session.quiet:
        say(["Stopped."])


def _stopped(number: int, frame: object) -> None:
    """A stop is no fault: uvicorn has ended all that went on when it hands the signal on."""


def listening(host: str, port: int) -> socket.socket:
    """A socket that listens; readers that take nothing are dropped by the system.

    :raises BadSetup: the address cannot be had
    """
    bound = None
    try:
        family = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0][0]
        bound = socket.socket(family, socket.SOCK_STREAM)
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            late = int(Limits().send_seconds * 1000)
            bound.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, late)
        bound.bind((host, port))
        bound.listen(1024)
    except (OSError, UnicodeError) as error:
        if bound is not None:
            bound.close()
        raise BadSetup(
            f"{host} port {port} cannot be listened on: {error}", "take another one; --port 0 takes a free one"
        ) from error
    return bound


def is_local(host: str) -> bool:
    """Whether only this machine reaches the host."""
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def hosts_of(asked: Serve) -> list[str]:
    """The names that the server answers to: a page of another site must not get in under its own."""
    if not is_local(asked.host):
        return ["*"]
    named = [asked.url.partition("://")[2].partition("/")[0].partition(":")[0]] if asked.url else []
    return ["localhost", "127.0.0.1", "::1", "[::1]", *named]


def _allow_files(connections: int) -> None:
    """Lets this process hold so many connections, as far as the system lets it."""
    try:
        import resource
    except ImportError:
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + 256
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(wanted, hard) if hard >= 0 else wanted, hard))


def _tell(session: Session, asked: Serve, url: str, starter: str) -> None:
    if session.json:
        put({"url": url, "token": starter, "db": session.shown})
    elif session.quiet:
        say([url])
    else:
        say(wrapped("", f"Serving {session.shown} at {url} (Ctrl-C stops it)."))
        who = "Anybody may start games." if asked.open else f"Games are started with the token {starter}"
        say([who, "`turnlog invite GAME SEAT` makes a link for a player."])
    sys.stdout.flush()
    if not is_local(asked.host) and not (asked.url or "").startswith("https:"):
        session.warn(
            "tokens go over the network as plain text: put a proxy with TLS before it, and say --url https://...",
            host=asked.host,
        )
