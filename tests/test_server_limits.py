"""What the server does not take, and what every answer of it carries."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from cli.server import operations
from cli.server.limits import Limits, Meter, TooMany
from cli.server.serving import Timed
from tests.conftest import Turnlog
from tests.served import STARTER, Thread, Web, invited, serving
from tests.test_damage import changed

MATCH = {"slug": "power-vacuum", "players": ["lucia", "fritz"]}


@pytest.fixture
def web(turnlog: Turnlog) -> Iterator[Web]:
    """A server with the game g1; lucia is to move."""
    words = "create power-vacuum -p lucia -p fritz -o first=lucia --seed 1 --id g1"
    turnlog.ok(*words.split())
    with serving(turnlog.db) as web:
        yield web


@pytest.fixture
def lucia(turnlog: Turnlog, web: Web) -> str:
    """Lucia's token."""
    return invited(turnlog, "g1", "lucia")


# bytes, requests, computing ---------------------------------------------------------------------------


def test_a_body_has_a_limit(web: Web, lucia: str) -> None:
    """64 kB are taken, and no more, whether its length is told or not."""
    note = {"about": 1, "text": "x" * 60_000}
    assert web.error("POST", "/api/g/g1/notes", lucia, note) == (422, "refusal")
    note["text"] *= 2
    assert web.error("POST", "/api/g/g1/notes", lucia, note) == (413, "too-large")
    headers = {"authorization": f"Bearer {lucia}", "content-type": "application/json"}
    answer = web.client.post("/api/g/g1/notes", content=iter([b"x" * 40_000] * 2), headers=headers)
    assert answer.status_code == 413


@pytest.mark.parametrize(
    ("content", "media", "status"),
    [
        (b'{"move": "play Y1"', "application/json", 400),
        (b'{"move": 5}', "application/json", 400),
        (b'{"move": "play Y1", "seat": "fritz"}', "application/json", 400),
        (b"[" * 60_000, "application/json", 400),
        (b'{"move": "\xff"}', "application/json", 400),
        (b'{"move": "\\ud800"}', "application/json", 400),
        (b"", "application/json", 400),
        (b'{"move": "play Y1"}', "text/plain", 415),
        (b"move=play", "application/x-www-form-urlencoded", 415),
    ],
)
def test_what_is_no_request_is_refused(web: Web, lucia: str, content: bytes, media: str, status: int) -> None:
    """Nothing but the JSON that is described is taken."""
    headers = {"authorization": f"Bearer {lucia}", "content-type": media}
    assert web.client.post("/api/g/g1/play", content=content, headers=headers).status_code == status


@pytest.mark.parametrize(
    "query",
    [
        "?at=0",
        "?at=x",
        "?at=99999999999999999999",
        "?as=",
        "?as=9",
        "?what=1",
        "?at=99",
        "?at=1&at=1",
        "/log?after=-1",
    ],
)
def test_parameters_that_make_no_sense(web: Web, lucia: str, query: str) -> None:
    """They are refused, and said to be."""
    status, _ = web.error("GET", f"/api/g/g1{query}", lucia)
    assert status in (400, 404)


@pytest.mark.parametrize("header", ['"5', '"x"', '"1", "2"', 'W/"1"', '"' + "9" * 30 + '"'])
def test_a_match_that_names_no_event(web: Web, lucia: str, header: str) -> None:
    """If-Match holds one number in quotes."""
    body = {"move": "play Y1"}
    assert web.error("POST", "/api/g/g1/play", lucia, body, if_match=header) == (400, "bad-setup")


def test_no_file_of_the_servers_is_read(web: Web, lucia: str, tmp_path: Path) -> None:
    """What a command would take from a file, a request cannot name."""
    file = tmp_path / "secret.json"
    file.write_text('{"regime-deck": [["SECRET"]]}')
    answer = web("POST", "/api/g/g1/play", lucia, {"move": ["play", f"@{file}"]})
    assert answer.status_code == 422
    assert "SECRET" not in answer.text
    for more in ({"stack": str(file)}, {"set": str(file)}):
        assert web.error("POST", "/api/g", STARTER, MATCH | more) == (400, "bad-setup")


def test_too_many_requests(turnlog: Turnlog, web: Web, lucia: str) -> None:
    """One asker's requests are counted by the token; tokens that are none count for the address."""
    fritz = invited(turnlog, "g1", "fritz")
    with serving(turnlog.db, Limits(rate=1)) as slow:
        assert [slow("GET", "/api/g/g1", lucia).status_code for _ in range(3)] == [200] * 3
        assert slow("GET", "/api/g/g1", "no token of ours").status_code == 401
        answers = [slow("GET", "/api/g/g1", f"no token {number}") for number in range(40)]
        assert answers[-1].status_code == 429
        assert int(answers[-1].headers["retry-after"]) > 0
        assert slow("GET", "/api/g/g1", lucia).status_code == 200
        assert slow("GET", "/api/g/g1", fritz).status_code == 429


def test_the_meter_forgets_whom_it_has_not_seen_for_long(monkeypatch: pytest.MonkeyPatch) -> None:
    """It holds so many askers and no more; a neighbour of the same IPv6 network is the same asker."""
    monkeypatch.setattr("cli.server.limits.MOST_ASKERS", 3)
    meter = Meter(1)
    askers = [meter.asker(None, f"10.0.0.{number}") for number in range(4)]
    meter.take(askers[0], 4)
    with pytest.raises(TooMany):
        meter.take(askers[0])
    for asker in askers[1:]:
        meter.take(asker)
    meter.take(askers[0])
    assert meter.asker(None, "2001:db8::1") == meter.asker(None, "2001:db8::2")
    assert meter.asker(None, "2001:db8::1") != meter.asker(None, "2001:db8:0:1::1")


@pytest.mark.parametrize(
    "players",
    [
        ["a", "bot:mcts:100000"],
        ["a", "bot:mcts", "bot:mcts:200", "bot:mcts"],
        ["bot:greedy", "bot:greedy"],
        ["a", "exec:/bin/true"],
        ["a", "bot:mcts:nan"],
        ["a", "bot:mcts:" + "9" * 5_000],
        [],
    ],
)
def test_what_would_compute_for_long_is_not_started(turnlog: Turnlog, web: Web, players: list[str]) -> None:
    """Bots that think long, games without a person, programs of the server's machine."""
    before = turnlog.ok("list", "--json").out
    status, _ = web.error("POST", "/api/g", STARTER, MATCH | {"players": players})
    assert status in (400, 422)
    assert turnlog.ok("list", "--json").out == before


def test_streams_have_a_limit(turnlog: Turnlog) -> None:
    """One asker has so many at once."""
    turnlog.ok(*["create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--id", "g1", "--public"])
    with Thread(turnlog.db, Limits(rate=1000, streams_each=2)) as url, Streams(url) as streams:
        assert [streams.open("/api/g/g1/events") for _ in range(3)] == [200, 200, 429]


def test_streams_of_a_token_count_for_it_from_the_first_on(turnlog: Turnlog) -> None:
    """When a server starts anew, all who sit behind one address come back to it with streams at once."""
    turnlog.ok(*["create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--id", "g1"])
    lucia, fritz = (invited(turnlog, "g1", who) for who in ("lucia", "fritz"))
    with Thread(turnlog.db, Limits(rate=1000, streams_each=2)) as url, Streams(url) as streams:
        asked = (lucia, lucia, fritz, fritz, lucia)
        assert [streams.open("/api/g/g1/events", token) for token in asked] == [200, 200, 200, 200, 429]


class Streams:
    """Connections that are kept open, by hand."""

    def __init__(self, url: str) -> None:
        self._port = int(url.rpartition(":")[2])
        self._open: list[socket.socket] = []

    def __enter__(self) -> Streams:
        return self

    def __exit__(self, *_: object) -> None:
        for one in self._open:
            one.close()

    def send(self, text: str) -> socket.socket:
        """Sends something on a new connection."""
        one = socket.create_connection(("127.0.0.1", self._port))
        self._open.append(one)
        one.sendall(text.encode())
        return one

    def open(self, path: str, token: str | None = None) -> int:
        """Asks for a stream and gives the status."""
        bearer = f"Authorization: Bearer {token}\r\n" if token else ""
        one = self.send(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{bearer}\r\n")
        return int(one.recv(1000).split()[1])


_BEGUN = "POST /api/g HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"


@pytest.mark.parametrize("sent", ["", "GET / HT", _BEGUN], ids=["nothing", "half a line", "half a body"])
def test_a_slow_client_is_dropped(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch, sent: str) -> None:
    """A request that does not come in whole ends the connection, however little of it came."""
    monkeypatch.setattr(Timed, "seconds", 0.1)
    with Thread(turnlog.db) as url, Streams(url) as streams:
        one = streams.send(sent)
        try:
            rest = one.recv(1000)
        except ConnectionResetError:
            rest = b""
        assert rest == b""


# every answer -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "path",
    [
        *("/api/games", "/api/g/no", "/nowhere", "/join", "/static/join.js", "/openapi.json"),
        *("/", "/g/no", "/g/g1/live", "/rules/lairs", "/static/base.css"),
    ],
)
def test_every_answer_keeps_strangers_out(web: Web, path: str) -> None:
    """Nothing of another host runs in a page, no page of another host shows it, nothing is kept or told on."""
    headers = web("GET", path).headers
    assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
    assert "frame-ancestors 'none'" in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert headers["cache-control"] == "no-store"
    assert "server" not in headers
    assert "access-control-allow-origin" not in headers


def test_a_page_of_ours_runs_no_script_that_stands_in_it(web: Web, lucia: str) -> None:
    """All scripts are files of this server, and an exported page is a file to save."""
    for path in ("/join", "/", "/g/g1", "/rules/lairs"):
        page = web("GET", path, lucia if path == "/g/g1" else None).text
        assert page.count("<script") == page.count('<script src="/static/') == 1
        assert not re.search(r"<style|\sstyle=|\son\w+=|javascript:|//[a-z]", page), (
            "nothing inline, no other host"
        )
    turned_in = web("GET", "/api/g/g1/export?format=html", lucia)
    assert turned_in.headers["content-disposition"].startswith("attachment")


def test_what_is_not_there_and_what_is_not_allowed(web: Web) -> None:
    """They are errors as all others."""
    assert web.error("GET", "/nowhere") == (404, "no-such-page")
    assert web.error("PATCH", "/api/games") == (405, "not-allowed")


def test_another_name_is_not_answered(turnlog: Turnlog) -> None:
    """A server of this machine answers to this machine's names: another site's page may not pose as it."""
    from cli.server.serving import Serve, hosts_of

    asked = Serve("127.0.0.1", 0, "https://games.example:444/", False, False, 20, False)
    assert set(hosts_of(asked)) == {"localhost", "127.0.0.1", "[::1]", "::1", "games.example"}
    assert hosts_of(asked._replace(host="0.0.0.0")) == ["*"]  # noqa: S104 -- nothing is bound to it


def test_a_fault_is_told_by_its_number_only(
    turnlog: Turnlog, lucia: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What went wrong in us is in our log, under the number that the asker was told; no token is there."""

    def fails(*_: Any) -> Any:
        raise RuntimeError("the inside of it")

    monkeypatch.setattr(operations, "shown_document", fails)
    with serving(turnlog.db, log=tmp_path / "log") as web:
        answer = web("GET", "/api/g/g1?as=lucia", lucia)
        web("GET", f"/api/g/{lucia}", lucia)
        web("GET", f"/{lucia}?{lucia}")
    assert answer.status_code == 500
    assert "inside" not in answer.text
    said = [json.loads(line) for line in (tmp_path / "log").read_text().splitlines()]
    fault = next(line for line in said if line["event"] == "fault")
    assert fault["id"] in answer.json()["error"]["message"]
    assert "the inside of it" in fault["error"]
    assert [line["status"] for line in said if line["event"] == "asked"] == [500, 404, 404]
    assert lucia not in (tmp_path / "log").read_text()


def test_damage_is_named_without_names_of_files(turnlog: Turnlog, web: Web, lucia: str) -> None:
    """A damaged game is said to be one, others go on; where the file lies is nobody's business."""
    turnlog.ok(*["create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--id", "g2", "--public"])
    changed(turnlog.db, "update events set at = at + 1 where game = 'g1'")
    answer = web("GET", "/api/g/g1", lucia)
    assert (answer.status_code, answer.json()["error"]["code"]) == (500, "damaged")
    assert web("GET", "/api/g/g2").status_code == 200
    changed(turnlog.db, "update events set data = 'x' where game = 'g2'")
    assert str(turnlog.db.parent) not in web("GET", "/api/g/g2").text + answer.text


@pytest.mark.parametrize("path", ["/g/no", "/rules/no", "/nowhere", "/g/g1"])
def test_people_are_told_of_errors_on_pages(web: Web, path: str) -> None:
    """With what was wrong, and a way on; programs get documents at the same places of the API."""
    answer = web.client.get(path, headers={"accept": "text/html"})
    assert answer.status_code == 404
    assert answer.headers["content-type"].startswith("text/html")
    assert '<a href="/">' in answer.text
    assert "Traceback" not in answer.text


def test_pages_are_counted_as_requests(turnlog: Turnlog) -> None:
    """Whoever asks for too many is told so on a page, and when to come again."""
    with serving(turnlog.db, Limits(rate=1)) as web:
        answers = [web.client.get("/") for _ in range(4)]
    assert [answer.status_code for answer in answers][-1] == 429
    assert answers[-1].headers["retry-after"]
    assert "too many requests" in answers[-1].text
