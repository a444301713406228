"""A connection to a server that never leaves a doubt: what is asked twice with one key is done once.

A request that was lost is asked again with the same key until there is an answer. Where patience ends, the error
says whether it may have been done, and how to ask again.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any

import httpx2
import msgspec
from msgspec import Struct, json

from cli.failures import FromServer
from events.errors import InDoubt, Unreachable

#: Waits between attempts, in seconds. A server that was never reached is tried only as often as the second says.
WAITS = (0.2, 0.5, 1.0, 2.0, 4.0, 8.0, 15.0, 15.0)
BRIEF = 3
#: A server answers, or a stream says that it is there, within so many seconds.
_ANSWERED, _ALIVE, _CONNECTED = 60.0, 45.0, 10.0

#: What is worth asking again: too many requests, no server behind the proxy, too busy.
_AGAIN = (429, 502, 503, 504)
_CODES = {400: 2, 409: 4, 412: 4, 404: 5, 413: 2, 415: 2, 429: 4, 500: 6, 503: 4, 504: 4}


class _Error(Struct):
    code: str
    message: str
    hint: str | None = None


class _Refused(Struct):
    error: _Error


class Connection:
    """Asks one server.

    :param server: its address, without a slash at the end
    :param patient: whether what is lost is asked again
    """

    def __init__(self, server: str, *, patient: bool = True) -> None:
        self.server = server
        self._waits = WAITS if patient else ()
        self._http = httpx2.Client(
            base_url=server, timeout=httpx2.Timeout(_ANSWERED, connect=_CONNECTED), follow_redirects=False
        )

    def close(self) -> None:
        """Lets go of it."""
        self._http.close()

    def ask(
        self,
        method: str,
        path: str,
        *,
        token: str | None = None,
        cookies: Mapping[str, str] | None = None,
        query: Mapping[str, Any] | None = None,
        body: Any = None,
        key: str | None = None,
        expect: int | None = None,
        accept: str = "application/json",
    ) -> httpx2.Response:
        """An answer that is not an error.

        :param key: the request's own: with it a change may be asked for again
        :raises FromServer: the server refused; Unreachable, InDoubt: it does not answer
        """
        headers = {"accept": accept}
        if token is not None:
            headers["authorization"] = f"Bearer {token}"
        elif cookies:
            headers["cookie"] = "; ".join(f"{name}={value}" for name, value in cookies.items())
        if key is not None:
            headers["idempotency-key"] = key
        if expect is not None:
            headers["if-match"] = f'"{expect}"'
        if body is not None:
            headers["content-type"] = "application/json"
        request = self._http.build_request(
            method,
            path,
            params={name: _text(value) for name, value in (query or {}).items() if value is not None},
            headers=headers,
            content=None if body is None else json.encode(body),
        )
        answer = self._answered(request, repeatable=method == "GET" or key is not None, key=key)
        if answer.is_success:
            return answer
        raise _refused(self.server, answer)

    def _answered(self, request: httpx2.Request, *, repeatable: bool, key: str | None) -> httpx2.Response:
        sent = False  # whether the server may have had it
        why = ""
        try:
            for number, wait in enumerate((*self._waits, None), 1):
                try:
                    answer = self._http.send(request)
                except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                    why = str(error) or type(error).__name__
                except httpx2.TransportError as error:
                    sent, why = True, str(error) or type(error).__name__
                else:
                    if answer.status_code not in _AGAIN or wait is None:
                        return answer
                    if answer.status_code in (502, 504):
                        sent = True
                    why = f"it answered with status {answer.status_code}"
                    wait = max(wait, _seconds(answer.headers.get("retry-after", "")))
                if wait is None or (sent and not repeatable) or (not sent and number == BRIEF):
                    break
                time.sleep(wait)
        except KeyboardInterrupt:
            if sent and key is not None:
                sys.stderr.write(f"turnlog: it may have been done; ask again with --request {key}\n")
            raise
        if not sent or request.method == "GET":
            raise Unreachable(
                f"{self.server} does not answer: {why}", "is the address right, and the server running?"
            )
        raise InDoubt(
            f"{self.server} has not answered, and may have done it: {why}",
            "look with `turnlog show`"
            if key is None
            else f"ask again with --request {key}: it is done once at most",
        )

    @contextmanager
    def stream(self, path: str, *, token: str | None, query: Mapping[str, Any]) -> Generator[httpx2.Response]:
        """A stream of events, as long as it lasts.

        :raises FromServer: the server refused
        """
        headers = {"accept": "text/event-stream"} | ({"authorization": f"Bearer {token}"} if token else {})
        params = {name: _text(value) for name, value in query.items() if value is not None}
        timeout = httpx2.Timeout(_ALIVE, connect=_CONNECTED)
        with self._http.stream("GET", path, params=params, headers=headers, timeout=timeout) as answer:
            if not answer.is_success:
                answer.read()
                raise _refused(self.server, answer)
            yield answer


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _seconds(said: str) -> float:
    return min(float(said), 30.0) if said.isascii() and said.isdigit() else 0.0


def _refused(server: str, answer: httpx2.Response) -> FromServer:
    """What the server refused, as it would be said here."""
    try:
        error = json.decode(answer.content, type=_Refused).error
    except (msgspec.MsgspecError, UnicodeError):
        return FromServer(
            "no-turnlog-server",
            f"{server} answered with status {answer.status_code}, and not as a turnlog server does",
            "is the address right?",
            5,
        )
    return FromServer(error.code, error.message, error.hint, _CODES.get(answer.status_code, 3))
