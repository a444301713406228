"""A server in this process, on the database that the command line has, and people who ask it."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from contextlib import contextmanager
from typing import Any

from httpx2 import Response
from starlette.testclient import TestClient

from cli.inviting import digest_of
from cli.server.app import make_app
from cli.server.auth import Door
from cli.server.limits import Limits
from cli.session import Session
from tests.conftest import Turnlog

URL = "http://testserver"
STARTER = "the token that starts games"


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

    def error(self, method: str, path: str, token: str | None = None, body: Any = None, **headers: str) -> Any:
        """The status and code of a request that must fail; nothing but an error's document is answered."""
        answer = self(method, path, token, body, **headers)
        document = answer.json()
        assert list(document) == ["error"]
        assert list(document["error"]) == ["code", "message", "hint"]
        return answer.status_code, document["error"]["code"]


@contextmanager
def serving(turnlog: Turnlog, limits: Limits | None = None, *, open_: bool = False) -> Generator[Web]:
    """A server on the database of `turnlog`."""
    session = Session(db=str(turnlog.db))
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
