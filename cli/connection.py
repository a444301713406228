"""A connection to a server that never leaves a doubt: what is asked twice with one key is done once.

A request that was lost is asked again with the same key until there is an answer. Where patience ends, the error
says whether it may have been done, and how to ask again.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import Any, cast

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
#: With these it was not done.
_NOT_DONE = (429, 503)
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
        """What a turnlog server answers, an error too."""
        sent = False  # whether the server may have done it, and its answer was lost
        last: httpx2.Response | None = None
        why = ""
        try:
            for number, wait in enumerate((*self._waits, None), 1):
                try:
                    answer = self._http.send(request)
                except (httpx2.ConnectError, httpx2.ConnectTimeout) as error:
                    why = str(error) or type(error).__name__
                except httpx2.RequestError as error:
                    sent, why = True, str(error) or type(error).__name__
                else:
                    last, why = answer, f"it answered with status {answer.status_code}"
                    if not _again(answer):
                        break
                    sent = sent or answer.status_code not in _NOT_DONE
                    if wait is not None:
                        wait = max(wait, _seconds(answer.headers.get("retry-after", "")))
                if wait is None or (sent and not repeatable) or (not sent and last is None and number == BRIEF):
                    break
                time.sleep(wait)
        except KeyboardInterrupt:
            if sent and key is not None:
                sys.stderr.write(f"turnlog: it may have been done; ask again with --request {key}\n")
            raise
        if last is not None and _is_ours(last) and (last.status_code not in _AGAIN or not sent):
            return last
        if sent and request.method != "GET":
            raise InDoubt(
                f"{self.server} has not answered, and may have done it: {why}",
                "look with `turnlog show`" if key is None else f"ask again with --request {key}: it is done once",
            )
        if last is not None and not _again(last):
            raise _foreign(self.server, last)
        raise Unreachable(f"{self.server} does not answer: {why}", "is the address right, and the server running?")

    @contextmanager
    def stream(self, path: str, *, token: str | None, query: Mapping[str, Any]) -> Generator[httpx2.Response]:
        """A stream of events, as long as it lasts.

        :raises FromServer: the server refused; Unreachable: it is too busy, or none is there
        """
        headers = {"accept": "text/event-stream"} | ({"authorization": f"Bearer {token}"} if token else {})
        params = {name: _text(value) for name, value in query.items() if value is not None}
        timeout = httpx2.Timeout(_ALIVE, connect=_CONNECTED)
        with self._http.stream("GET", path, params=params, headers=headers, timeout=timeout) as answer:
            if not answer.is_success or not _is_ours(answer):
                answer.read()
                if _again(answer):
                    raise Unreachable(f"{self.server} answers with status {answer.status_code}")
                raise _refused(self.server, answer)
            yield answer


def _text(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


def _seconds(said: str) -> float:
    return min(float(said), 30.0) if said.isascii() and said.isdigit() else 0.0


def _is_ours(answer: httpx2.Response) -> bool:
    return "turnlog" in answer.headers


def _again(answer: httpx2.Response) -> bool:
    """Whether it is worth asking again: later, or because something between us and the server failed."""
    return answer.status_code in _AGAIN or (answer.status_code >= 500 and not _is_ours(answer))


def _refused(server: str, answer: httpx2.Response) -> FromServer:
    """What the server refused, as it would be said here."""
    if not _is_ours(answer):
        return _foreign(server, answer)
    error = decoded(server, answer, _Refused).error
    return FromServer(
        error.code, shown(error.message), error.hint and shown(error.hint), _CODES.get(answer.status_code, 3)
    )


def _foreign(server: str, answer: httpx2.Response) -> FromServer:
    return FromServer(
        "no-turnlog-server",
        f"{server} answered with status {answer.status_code}, and not as a turnlog server does",
        "is the address right?",
        5,
    )


def decoded(server: str, answer: httpx2.Response, kind: Any = Any) -> Any:
    """The document of an answer.

    :raises FromServer: it is none
    """
    try:
        return safe(json.decode(answer.content, type=kind))
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        raise _foreign(server, answer) from None


#: What a terminal would act on, but for colours, tabs and the ends of lines.
_ACTED_ON = re.compile("\x1b(?!\\[[0-9;]*m)|[\x00-\x08\x0b-\x1a\x1c-\x1f\x7f-\x9f]")


def shown(text: str) -> str:
    """A text of a server's as it can be shown on a terminal."""
    return _ACTED_ON.sub("?", text)


def safe(document: Any) -> Any:
    """A document all of whose texts can be shown on a terminal."""
    if isinstance(document, str):
        return shown(document)
    if isinstance(document, list):
        return [safe(one) for one in cast("list[Any]", document)]
    if isinstance(document, dict):
        return {key: safe(one) for key, one in cast("dict[str, Any]", document).items()}
    return document
