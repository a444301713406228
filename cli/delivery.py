"""Delivering notices: to commands that the user agreed to, and to webhooks on the public internet.

A delivery has so many seconds in all; then its connection is cut, or its command killed with all that it started.
A notice holds nothing secret: which game, which seat, which event, and what kind of news.
"""

from __future__ import annotations

import hmac
import os
import signal
import socket
import ssl
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from subprocess import DEVNULL, PIPE, Popen
from threading import Event, Thread
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from msgspec import json

from cli.programs import NOTICE_TIME, notifier
from engines.kit.errors import BadSetup, Refusal
from engines.programs import open_environment
from projections.notices import Claim, Notice, Subscription

#: Set to 1, webhooks may lead to this machine itself: for tests, and where a relay runs beside turnlog.
LOOPBACK = "TURNLOG_WEBHOOK_LOOPBACK"
LONGEST_URL = 1_000

#: Where an IPv6 address stands for an IPv4 one that its network reaches.
_TRANSLATED = [ip_network(network) for network in ("64:ff9b::/96", "64:ff9b:1::/48", "::/96")]
#: Where such addresses were once sent to be translated.
_RELAY = ip_network("192.88.99.0/24")
_SECOND = 1_000_000


class Failed(Exception):
    """A notice was not delivered."""


class Delivered(NamedTuple):
    """A notice, and why it was not delivered, None if it was."""

    notice: Notice
    failure: str | None


def checked_url(url: str) -> str:
    """A webhook's address, held to what is ever called.

    :raises BadSetup: it is no such address
    """
    try:
        _parted(url)
    except Failed as failed:
        raise BadSetup(
            f"{url[:80]!r} cannot be a webhook: {failed}", "for example https://example.org/turns"
        ) from failed
    return url


def _parted(url: str) -> SplitResult:
    try:
        parts = urlsplit(url)
        host, port = parts.hostname, parts.port
    except ValueError as error:
        raise Failed(f"it is no address ({error})") from error
    if len(url) > LONGEST_URL or not url.isascii() or not url.isprintable() or " " in url:
        raise Failed(f"an address has at most {LONGEST_URL} characters, all of them ASCII")
    if parts.scheme not in ("http", "https") or not host or port == 0:
        raise Failed("it has to begin with https:// or http:// and a host")
    if parts.username is not None or parts.password is not None:
        raise Failed("it must hold no name and no password")
    with suppress(ValueError):
        _check_public(host)
    return parts


def _check_public(address: str) -> None:
    """Holds an IP address to the public internet.

    :raises Failed: it is an address of some network's own; ValueError: it is no IP address
    """
    ip: IPv4Address | IPv6Address | None = ip_address(address.partition("%")[0])
    if isinstance(ip, IPv6Address):
        inner = ip.ipv4_mapped
        translated = any(ip in network for network in _TRANSLATED) and not ip.is_loopback
        stands_for_another = ip.sixtofour is not None or ip.teredo is not None or translated
        ip = inner if inner is not None else None if stands_for_another else ip
    if ip is not None and ip.is_loopback and os.environ.get(LOOPBACK) == "1":
        return
    if ip is None or not ip.is_global or ip.is_multicast or ip in _RELAY:
        raise Failed(f"{address} is no address of the public internet")


class _Delivery(Thread, ABC):
    """One notice on its way."""

    def __init__(self, notice: Notice, body: bytes, ended: Callable[[_Delivery], None]) -> None:
        super().__init__(daemon=True)
        self.notice, self.body, self._ended = notice, body, ended
        self.failure: str | None = f"it was not done within {NOTICE_TIME:g} s"
        self._stopped = False

    def run(self) -> None:
        """Delivers it."""
        failure = None
        try:
            self.deliver()
        except (OSError, HTTPException, Failed, Refusal, UnicodeError) as error:
            failure = str(error) or type(error).__name__
        if not self._stopped:
            self.failure = failure
        self._ended(self)

    @abstractmethod
    def deliver(self) -> None:
        """Delivers it. :raises Failed, OSError, HTTPException, Refusal: that failed"""

    def stop(self) -> None:
        """Breaks it off."""
        self._stopped = True


class _ByCommand(_Delivery):
    def __init__(self, notice: Notice, body: bytes, ended: Callable[[_Delivery], None], name: str) -> None:
        super().__init__(notice, body, ended)
        self._name = name
        self._process: Popen[bytes] | None = None

    def deliver(self) -> None:
        command = notifier(self._name)
        self._process = Popen(  # noqa: S603 -- a command that the user agreed to, without a shell
            command.words,
            stdin=PIPE,
            stdout=DEVNULL,
            stderr=DEVNULL,
            cwd=command.folder,
            env=open_environment(),
            start_new_session=True,
        )
        if self._stopped:
            self.stop()
        self._process.communicate(self.body)
        self._kill()  # what it left running
        if self._process.returncode:
            raise Failed(f"the command ended with exit code {self._process.returncode}")

    def stop(self) -> None:
        super().stop()
        self._kill()

    def _kill(self) -> None:
        if self._process is not None:
            with suppress(ProcessLookupError, PermissionError):  # macOS: none but a dead one is left
                os.killpg(self._process.pid, signal.SIGKILL)


class _ByWebhook(_Delivery):
    def __init__(
        self, notice: Notice, body: bytes, ended: Callable[[_Delivery], None], to: Subscription, now: int
    ) -> None:
        super().__init__(notice, body, ended)
        self._url = to.target
        self._headers = {
            "Content-Type": "application/json",
            "User-Agent": "turnlog",
            "Turnlog-Notice": notice.id,
            **signature(to.secret, body, now // _SECOND),
        }
        self._socket: socket.socket | None = None

    def deliver(self) -> None:
        parts = _parted(self._url)
        host = parts.hostname or ""
        secure = parts.scheme == "https"
        found = socket.getaddrinfo(host, parts.port or (443 if secure else 80), type=socket.SOCK_STREAM)
        addresses = [found_address for *_, found_address in found]
        for address in addresses:
            _check_public(str(address[0]))
        address = addresses[0]
        # Connected to what was looked at: asked again, the name might mean another machine.
        self._socket = socket.create_connection((str(address[0]), int(address[1])), NOTICE_TIME)
        with self._socket:
            if secure:
                context = ssl.create_default_context()
                self._socket = context.wrap_socket(self._socket, server_hostname=host)
            connection = HTTPConnection(host)
            connection.sock = self._socket
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            connection.request("POST", path, self.body, {"Host": parts.netloc, **self._headers})
            status = connection.getresponse().status
            if not 200 <= status < 300:
                raise Failed(f"it answered with status {status}")

    def stop(self) -> None:
        super().stop()
        if self._socket is not None:
            with suppress(OSError):
                self._socket.shutdown(socket.SHUT_RDWR)


def signature(secret: str, body: bytes, seconds: int) -> dict[str, str]:
    """The headers that prove where a notice comes from: HMAC-SHA256 over the time, a full stop and the body."""
    signed = hmac.new(secret.encode(), f"{seconds}.".encode() + body, "sha256").hexdigest()
    return {"Turnlog-Timestamp": str(seconds), "Turnlog-Signature": f"sha256={signed}"}


def deliver(claims: Sequence[Claim], now: int) -> list[Delivered]:
    """Delivers notices, all at a time, and tells how that went. Takes no longer than one of them may."""
    under_way: list[_Delivery] = []
    all_ended = Event()
    left: set[_Delivery] = set()

    def ended(one: _Delivery) -> None:
        left.discard(one)
        if not left:
            all_ended.set()

    for notice, to, seat in claims:
        document = {"id": notice.id, "game": notice.game, "seat": seat, "seq": notice.seq, "kind": notice.kind}
        body = json.encode(document) + b"\n"
        if to.means == "command":
            under_way.append(_ByCommand(notice, body, ended, to.target))
        else:
            under_way.append(_ByWebhook(notice, body, ended, to, now))
    left.update(under_way)
    for one in under_way:
        one.start()
    if under_way:
        all_ended.wait(NOTICE_TIME)
    for one in tuple(left):
        one.stop()
    return [Delivered(one.notice, one.failure) for one in under_way]
