"""Notices: a seat is told of its turn and other news, by a command or a webhook, and no `play` waits for that."""

import hmac
import json
import os
import socket
import sqlite3
import threading
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest
from freezegun import freeze_time

import cli.delivery
from cli.session import Session
from projections import notices
from tests.conftest import ON_BOTH, Answer, Turnlog

START = datetime(2026, 3, 1, 12, 0, tzinfo=UTC)
DECK = ["Y1", "Y2", "W2", "W3", "G1", "G2", "R1", "R2", "Y9", "Y8", "W1", "W8", "G9", "G8", "R9", "R8"]


def at(turnlog: Turnlog, hours: float, *words: object) -> Answer:
    """A command that succeeds, so many hours after the start."""
    with freeze_time(START + timedelta(hours=hours)):
        return turnlog.ok(*words)


@pytest.fixture
def game(turnlog: Turnlog) -> Turnlog:
    """A game `g` in which ada begins and each seat has ten hours."""
    players = ("-p", "ada", "-p", "bo", "-o", "first=ada", "--pace", "10h")
    stack = turnlog.stack(regime_deck=[DECK])
    at(turnlog, 0, "create", "power-vacuum", *players, "--seed", "1", "--stack", stack, "--id", "g")
    return turnlog


@pytest.fixture
def heard(game: Turnlog, tmp_path: Path) -> Path:
    """What bo's command was told, a notice a line."""
    game.ok("notify", "g", "bo", "--command", f"sh -c 'cat >> {tmp_path}/heard'")
    return tmp_path / "heard"


def told(heard: Path) -> list[tuple[str, int]]:
    """The kinds and events of what was told."""
    lines = heard.read_text().splitlines() if heard.exists() else []
    return [(notice["kind"], notice["seq"]) for notice in map(json.loads, lines)]


def counted(turnlog: Turnlog, hours: float) -> tuple[int, int]:
    """How many notices a tick delivered, and how many it could not."""
    done = at(turnlog, hours, "tick", "--json").json["notices"]
    return done["delivered"], done["undelivered"]


def queued(turnlog: Turnlog) -> int:
    """How many notices wait."""
    with sqlite3.connect(turnlog.db) as connection:
        [(count,)] = connection.execute("select count(*) from notices").fetchall()
    connection.close()
    return count


# what is told -----------------------------------------------------------------------------------------


@ON_BOTH
def test_a_seat_is_told_of_its_turn_once(game: Turnlog, heard: Path) -> None:
    """Not by the play itself but by the next tick; a notice holds nothing secret."""
    assert counted(game, 0) == (0, 0)
    at(game, 1, "play", "g", "play", "Y1")
    assert told(heard) == []
    assert counted(game, 1) == (1, 0)
    assert counted(game, 2) == (0, 0)
    notice = {"id": "g-2-turn-2", "game": "g", "seat": "bo", "seq": 2, "kind": "turn"}
    assert json.loads(heard.read_text()) == notice


def test_a_turn_that_is_over_is_not_told(game: Turnlog, heard: Path) -> None:
    """Nor is what a seat did itself; an undo that gives it the turn back is."""
    at(game, 1, "play", "g", "play", "Y1")
    at(game, 1, "play", "g", "play", "Y9")  # bo is still to move, by its own doing
    assert counted(game, 1) == (0, 0)
    at(game, 1, "play", "g", "point")
    at(game, 2, "undo", "g", "--as", "ada")
    assert counted(game, 2) == (1, 0)
    assert told(heard) == [("turn", 5)]


@ON_BOTH
def test_a_seat_is_told_when_its_time_is_nearly_out_and_when_the_clock_moved(game: Turnlog, heard: Path) -> None:
    """When a tenth is left; and that the game is over."""
    at(game, 0, "play", "g", "play", "Y1")
    assert counted(game, 8.9) == (1, 0)
    assert counted(game, 9) == (1, 0)
    assert counted(game, 9.5) == (0, 0)
    at(game, 9.6, "close", "g")
    assert counted(game, 9.6) == (1, 0)
    assert told(heard) == [("turn", 2), ("time", 2), ("over", 3)]


@ON_BOTH
def test_a_seat_is_told_of_an_order_that_was_dropped(game: Turnlog, heard: Path) -> None:
    """Which one it was, it looks up."""
    game.ok("orders", "g", "play R9", "--as", "bo")
    at(game, 0, "play", "g", "play", "Y1")
    assert counted(game, 0) == (2, 0)
    assert sorted(told(heard)) == [("dropped", 2), ("turn", 2)]
    assert "R9" not in heard.read_text()


@ON_BOTH
def test_a_seat_is_told_nothing_more_once_that_is_off(game: Turnlog, heard: Path) -> None:
    """What was still to be told is forgotten, too."""
    assert game.json("notify", "g", "2") == {"game": "g", "seat": "bo", "means": "command", "target": "sh"}
    at(game, 0, "play", "g", "play", "Y1")
    assert game.json("notify", "g", "bo", "--off")["means"] is None
    assert counted(game, 1) == (0, 0)
    assert told(heard) == []


# commands ---------------------------------------------------------------------------------------------


def test_a_command_that_was_not_agreed_to_here_is_not_run(
    game: Turnlog, heard: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database names it and holds no command: in another user's hands it starts nothing."""
    assert str(heard) not in game.db.read_bytes().decode("latin-1")
    at(game, 0, "play", "g", "play", "Y1")
    assert "notify:sh" in game.ok("allow").out
    game.ok("allow", "--forget", "notify:sh")
    assert counted(game, 0) == (0, 1)
    assert told(heard) == []
    refused = game("create", "power-vacuum", "-p", "ada", "-p", "exec:notify:sh", "--json")
    assert refused.code == 2


def test_a_name_means_one_command(game: Turnlog, heard: Path) -> None:
    """Another one under the same name is refused; named otherwise it is taken."""
    again = game("notify", "g", "ada", "--command", "sh -c true", "--json")
    assert (again.code, "another command" in again.error["message"]) == (2, True)
    assert game.json("notify", "g", "ada", "--command", "mine=sh -c true")["target"] == "mine"
    assert game("notify", "g", "ada", "--command", "no-such-program-here").code == 2
    assert game("notify", "g", "ada", "--off", "--command", "sh").code == 2


def test_a_command_that_hangs_is_killed_with_all_that_it_started(
    game: Turnlog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """And tried again later; so is one that fails."""
    monkeypatch.setattr("cli.delivery.NOTICE_TIME", 0.5)
    game.ok("notify", "g", "ada", "--command", f"hang=sh -c 'sleep 600 & echo $! > {tmp_path}/pid; wait'")
    game.ok("notify", "g", "bo", "--command", "fail=sh -c 'exit 3'")
    at(game, 0, "close", "g")
    assert counted(game, 0) == (0, 2)
    child = int((tmp_path / "pid").read_text())
    for _ in range(100):
        if not Path(f"/proc/{child}").exists() or " Z " in Path(f"/proc/{child}/stat").read_text():
            break
        threading.Event().wait(0.05)
    else:
        os.kill(child, 9)
        pytest.fail("the command's child still runs")
    assert queued(game) == 2


# webhooks ---------------------------------------------------------------------------------------------


class Hook:
    """A webhook on this machine, that answers with `status` and notes what it was sent."""

    def __init__(self) -> None:
        self.status = 204
        self.got: list[tuple[str, dict[str, str], bytes]] = []
        hook = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                hook.got.append((self.path, dict(self.headers), body))
                self.send_response(hook.status)
                self.send_header("Location", "/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Nothing is printed."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_port}/turns?for=me"


@pytest.fixture
def hook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Hook]:
    """A webhook that may be called."""
    monkeypatch.setenv("TURNLOG_WEBHOOK_LOOPBACK", "1")
    one = Hook()
    thread = threading.Thread(target=one.server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield one
    one.server.shutdown()
    thread.join()
    one.server.server_close()


def test_a_webhook_gets_a_signed_notice(game: Turnlog, hook: Hook) -> None:
    """By the secret that was told once, over the time and the body."""
    secret = game.json("notify", "g", "ada", "--webhook", hook.url)["secret"]
    assert secret not in game.ok("notify", "g", "ada", "--json").out
    assert counted(game, 1) == (1, 0)
    [(path, headers, body)] = hook.got
    assert path == "/turns?for=me"
    assert json.loads(body) == {"id": "g-1-turn-1", "game": "g", "seat": "ada", "seq": 1, "kind": "turn"}
    sent = int((START + timedelta(hours=1)).timestamp())
    assert headers["Turnlog-Timestamp"] == str(sent)
    signed = hmac.new(secret.encode(), f"{sent}.".encode() + body, "sha256").hexdigest()
    assert headers["Turnlog-Signature"] == f"sha256={signed}"
    assert headers["Turnlog-Notice"] == "g-1-turn-1"


@pytest.mark.parametrize("status", [302, 404, 500])
def test_what_is_not_taken_is_said_again_later_and_not_for_ever(status: int, turnlog: Turnlog, hook: Hook) -> None:
    """After one minute, five, twenty-five and so on, with the same id; a redirect is followed nowhere."""
    at(
        turnlog,
        0,
        "create",
        "power-vacuum",
        "-p",
        "ada",
        "-p",
        "bo",
        "-o",
        "first=ada",
        "--seed",
        "1",
        "--id",
        "g",
    )
    turnlog.ok("notify", "g", "ada", "--webhook", hook.url)
    hook.status = status
    minutes, wait = 0.0, 1
    for tries in range(1, notices.MOST_TRIES + 1):
        assert counted(turnlog, minutes / 60) == (0, 1), tries
        assert counted(turnlog, (minutes + wait - 0.5) / 60) == (0, 0)
        minutes, wait = minutes + wait, wait * 5
    assert queued(turnlog) == 0
    assert {(path, json.loads(body)["id"]) for path, _, body in hook.got} == {("/turns?for=me", "g-1-turn-1")}
    assert len(hook.got) == notices.MOST_TRIES


def test_a_notice_survives_whoever_was_delivering_it(game: Turnlog, hook: Hook) -> None:
    """Claimed and then lost, it is told later; and no two claim it at once."""
    game.ok("notify", "g", "ada", "--webhook", hook.url)
    log = Session(str(game.db)).writer()
    now = int(START.timestamp()) * 1_000_000
    notices.gather(log, now)
    assert [claim.notice.id for claim in notices.claimed(log, now, 9)] == ["g-1-turn-1"]
    assert notices.claimed(log, now, 9) == []
    log.close()
    assert counted(game, 0) == (0, 0)
    assert counted(game, 0.02) == (1, 0)


@pytest.mark.parametrize(
    "url",
    [
        "http://127.0.0.1/", "http://10.0.0.1/", "https://192.168.1.9:8080/x", "http://169.254.169.254/latest",
        "http://[::1]/", "http://[fe80::1]/", "http://[fc00::1]/", "http://[::ffff:127.0.0.1]/", "http://0.0.0.0/",
        "http://[64:ff9b:1::a00:1]/", "http://[::127.0.0.1]/", "http://192.88.99.1/", "http://[64:ff9b::a00:1]/",
        "http://[2002:7f00:1::]/", "http://100.64.0.1/", "http://224.0.0.1/",
        "ftp://example.org/", "file:///etc/passwd", "https://", "https://me:secret@example.org/", "example.org",
        "https://example.org/a b", "https://example.org:99999/", "https://example.org/\u00e9",
        "https://example.org/" + "a" * 1000,
    ],
)  # fmt: skip
def test_an_address_that_is_none_of_the_internets_is_refused(url: str, game: Turnlog) -> None:
    """At once, where it can be seen."""
    refused = game("notify", "g", "ada", "--webhook", url, "--json")
    assert (refused.code, refused.error["code"]) == (2, "bad-setup")
    assert game.json("notify", "g", "ada")["means"] is None


@pytest.mark.parametrize(
    "address", ["127.0.0.1", "10.1.2.3", "169.254.169.254", "::1", "fd00::1", "::ffff:10.0.0.1"]
)
def test_a_name_that_means_a_private_address_is_not_called(
    address: str, game: Turnlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Not even where another address of it is public."""
    called: list[Any] = []
    family = socket.AF_INET6 if ":" in address else socket.AF_INET
    found = [(socket.AF_INET, 1, 6, "", ("93.184.216.34", 443)), (family, 1, 6, "", (address, 443))]
    monkeypatch.setattr("cli.delivery.socket.getaddrinfo", lambda *_, **__: found)
    monkeypatch.setattr("cli.delivery.socket.create_connection", lambda *what: called.append(what))
    game.ok("notify", "g", "ada", "--webhook", "https://turns.example/")
    assert counted(game, 0) == (0, 1)
    assert called == []


def test_what_is_called_is_the_address_that_was_looked_at(game: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that changes its meaning in between leads nowhere else: it is asked for once."""
    asked, called = [], []

    def getaddrinfo(host: str, port: int, **_: Any) -> list[Any]:
        asked.append(host)
        return [(socket.AF_INET, 1, 6, "", ("93.184.216.34", port))]

    def create_connection(address: Any, *_: Any) -> None:
        called.append(address)
        raise ConnectionRefusedError("refused")

    monkeypatch.setattr("cli.delivery.socket.getaddrinfo", getaddrinfo)
    monkeypatch.setattr("cli.delivery.socket.create_connection", create_connection)
    game.ok("notify", "g", "ada", "--webhook", "http://turns.example:8080/")
    assert counted(game, 0) == (0, 1)
    assert (asked, called) == (["turns.example"], [("93.184.216.34", 8080)])


def test_an_address_that_never_ends_its_answer_is_cut_off(game: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """There is so much time in all, however it is spent."""
    monkeypatch.setenv("TURNLOG_WEBHOOK_LOOPBACK", "1")
    monkeypatch.setattr("cli.delivery.NOTICE_TIME", 0.3)
    with socket.create_server(("127.0.0.1", 0)) as server:  # accepts, by its backlog, and says nothing
        game.ok("notify", "g", "ada", "--webhook", f"http://127.0.0.1:{server.getsockname()[1]}/")
        assert counted(game, 0) == (0, 1)
    assert queued(game) == 1


def test_an_answer_of_nonsense_is_no_success(game: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever answers, only a status from 200 on and below 300 counts."""
    monkeypatch.setenv("TURNLOG_WEBHOOK_LOOPBACK", "1")
    with socket.create_server(("127.0.0.1", 0)) as server:

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(4096)
                connection.sendall(b"hello\r\n\r\n")

        thread = threading.Thread(target=answer)
        thread.start()
        game.ok("notify", "g", "ada", "--webhook", f"http://127.0.0.1:{server.getsockname()[1]}/")
        assert counted(game, 0) == (0, 1)
        thread.join()


def test_a_play_knows_nothing_of_notices(game: Turnlog, heard: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It queues and delivers nothing."""
    monkeypatch.setattr(cli.delivery, "deliver", lambda *_: pytest.fail("a play delivers"))
    at(game, 0, "play", "g", "play", "Y1")
    assert queued(game) == 0
