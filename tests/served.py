"""A server in this process, on the database that the command line has, and people who ask it."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn
from httpx2 import Response
from starlette.testclient import TestClient

from cli.inviting import digest_of
from cli.server.app import make_app
from cli.server.auth import Door
from cli.server.limits import Limits
from cli.server.serving import Server, Timed, listening
from cli.session import Session, now
from tests.conftest import Turnlog

URL = "http://testserver"
STARTER = "the-token-that-starts-games"


class Web:
    """Asks as the holder of a token: `web("GET", "/api/g/g1", token)`."""

    def __init__(self, client: TestClient) -> None:
        self.client = client

    def __call__(
        self, method: str, path: str, token: str | None = None, body: Any = None, **headers: str
    ) -> Response:
        """One request; `idempotency_key=` stands for the header."""
        sent = {name.replace("_", "-"): value for name, value in headers.items()}
        if token is not None:
            sent["authorization"] = f"Bearer {token}"
        return self.client.request(method, path, headers=sent, json=body)

    def ok(self, method: str, path: str, token: str | None = None, body: Any = None, **headers: str) -> Any:
        """The document of a request that must succeed."""
        answer = self(method, path, token, body, **headers)
        assert answer.is_success, f"{method} {path}: {answer.status_code} {answer.text[:500]}"
        return answer.json()

    def error(
        self, method: str, path: str, token: str | None = None, body: Any = None, **headers: str
    ) -> tuple[int, str]:
        """The status and code of a request that must fail; nothing but an error's document is answered."""
        answer = self(method, path, token, body, **headers)
        document = answer.json()
        assert list(document) == ["error"]
        assert list(document["error"]) == ["code", "message", "hint"]
        return answer.status_code, document["error"]["code"]


@contextmanager
def serving(
    db: Path | str,
    limits: Limits | None = None,
    *,
    open_: bool = False,
    clock: Callable[[], int] = now,
    log: Path | None = None,
) -> Generator[Web]:
    """A server on a database."""
    session = Session(db=str(db), clock=clock, log_level="info" if log else "error", log_file=log and str(log))
    session.writer(create=True).close()
    door = Door(digest_of(STARTER), open_)
    app = make_app(session, door, URL, limits or Limits(rate=100_000))
    with TestClient(app, base_url=URL) as client:
        yield Web(client)


def invited(turnlog: Turnlog, game: str, who: str) -> str:
    """A token, made by the command line."""
    return turnlog.json("invite", game, who)["token"]


def streamed(lines: Iterator[str]) -> Iterator[tuple[int, str]]:
    """The events of a stream: number and data."""
    number = 0
    for line in lines:
        if line.startswith("id: "):
            number = int(line[4:])
        elif line.startswith("data: "):
            yield number, line[6:]


class Thread:
    """A server with a socket of its own, in a thread of this process."""

    def __init__(
        self, db: Path | str, limits: Limits | None = None, port: int = 0, *, open_: bool = False
    ) -> None:
        session = Session(db=str(db))
        session.writer(create=True).close()
        app = make_app(session, Door(digest_of(STARTER), open_), URL, limits or Limits(rate=100_000))
        self._socket = listening("127.0.0.1", port)
        self.port: int = self._socket.getsockname()[1]
        config = uvicorn.Config(app, http=Timed, log_config=None, server_header=False, timeout_graceful_shutdown=5)
        self.server = Server(config, app.state.serving.hub)
        self._thread = threading.Thread(target=self.server.run, kwargs={"sockets": [self._socket]})

    def __enter__(self) -> str:
        """The address."""
        self._thread.start()
        return f"http://127.0.0.1:{self.port}"

    def stop(self) -> None:
        """Stops it, and waits until it has."""
        self.server.should_exit = True
        self._thread.join()

    def __exit__(self, *_: object) -> None:
        self.stop()
