"""A server with a socket: streams that follow a game whoever plays it, stopping, and being killed."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpx2
import pytest

from tests.conftest import Turnlog
from tests.served import Thread, invited, serving, streamed
from tests.test_kill import hold_whole

CREATE = "create power-vacuum -p ada -p bot:random -p bot:random -o first=ada --seed 5 --id g"


@pytest.fixture
def ada(turnlog: Turnlog) -> str:
    """Ada's token in the game g, in which two bots answer her."""
    turnlog.ok(*CREATE.split())
    return invited(turnlog, "g", "ada")


def bearer(token: str) -> dict[str, str]:
    """The header that a program sends."""
    return {"authorization": f"Bearer {token}"}


@contextmanager
def stream(url: str, token: str, **more: str) -> Iterator[Iterator[tuple[int, str]]]:
    """The events of g as they come."""
    headers = {name.replace("_", "-"): value for name, value in more.items()} | bearer(token)
    with httpx2.stream("GET", f"{url}/api/g/g/events", headers=headers, timeout=60) as answer:
        assert answer.status_code == 200
        yield streamed(answer.iter_lines())


def take(events: Iterator[tuple[int, str]], last: int) -> list[str]:
    """What comes up to an event."""
    found: list[str] = []
    for number, data in events:
        found.append(data)
        if number == last:
            return found
    raise AssertionError(f"the stream ended before event {last}")


def test_a_stream_tells_what_the_log_tells_as_it_happens(turnlog: Turnlog, ada: str) -> None:
    """Whoever plays, by a command or over HTTP; one who comes back goes on after the event that was had last."""
    with Thread(turnlog.db) as url:
        with stream(url, ada) as events, stream(url, invited(turnlog, "g", "spectator")) as watched:
            got = take(events, 1)
            seq = turnlog.play("g", turnlog.json("moves", "g")["moves"][0])["seq"]
            got += take(events, seq)
            answer = httpx2.post(f"{url}/api/g/g/undo", json={}, headers=bearer(ada)).json()
            assert answer["seq"] == seq + 1
            got += take(events, seq + 1)
            seen = take(watched, seq + 1)
        told = turnlog.ok("log", "g", "--as", "ada", "--json").lines
        stood = [document | {"stands": True} for document in told]  # as it was when it happened
        assert [json.loads(data) for data in got] == stood
        assert len(seen) == len(got)
        assert seen[0] != got[0]
        with stream(url, ada, last_event_id=str(seq)) as events:
            assert take(events, seq + 1) == got[-1:]


def test_a_revoked_token_ends_its_stream(turnlog: Turnlog, ada: str) -> None:
    """Nothing that happens afterwards is told to it."""
    with Thread(turnlog.db) as url, stream(url, ada) as events:
        take(events, 1)
        turnlog.ok("invite", "g", "ada", "--revoke")
        turnlog.play("g", turnlog.json("moves", "g")["moves"][0])
        assert list(events) == []


def test_a_server_that_stops_ends_its_streams(turnlog: Turnlog, ada: str) -> None:
    """Who reads one comes back with the event that was had last, and misses nothing."""
    server = Thread(turnlog.db)
    with server as url, stream(url, ada) as events:
        take(events, 1)
        server.stop()
        assert list(events) == []
    seq = turnlog.play("g", turnlog.json("moves", "g")["moves"][0])["seq"]
    with Thread(turnlog.db) as url, stream(url, ada, last_event_id="1") as events:
        assert len(take(events, seq)) == seq - 1


class Process:
    """The installed command, serving."""

    def __init__(self, words: list[str]) -> None:
        self.process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        self.said: Any = json.loads(self.process.stdout.readline())
        self.url: str = self.said["url"]

    def stop(self, number: int) -> tuple[str, str]:
        """Sends a signal, and gives what was said until the end."""
        self.process.send_signal(number)
        return self.process.communicate()


def test_the_command_serves_until_it_is_told_to_stop(
    turnlog: Turnlog, command: Callable[..., list[str]], ada: str
) -> None:
    """It tells address and token as JSON, starts games for who has the token, and stops like any command."""
    server = Process(command("--db", turnlog.db, "serve", "--port", 0, "--json"))
    body = {"slug": "power-vacuum", "players": ["a", "b"]}
    answer = httpx2.post(f"{server.url}/api/g", json=body, headers=bearer(server.said["token"]))
    assert answer.status_code == 201
    assert httpx2.get(f"{server.url}/api/games", headers={"host": "evil.example"}).status_code == 400
    with stream(server.url, ada) as events:
        take(events, 1)
        out, err = server.stop(signal.SIGTERM)
    assert (server.process.returncode, out, err) == (0, "", "")


def test_others_who_close_the_file_do_not_cut_the_server_off(
    turnlog: Turnlog, command: Callable[..., list[str]], ada: str
) -> None:
    """A process that opens a file beside its connections, and closes it, loses their locks: the next to close the
    database would take the write-ahead log away under the server.
    """
    server = Process(command("--db", turnlog.db, "serve", "--port", 0, "--json"))
    look = (
        "import sqlite3, sys; c = sqlite3.connect(sys.argv[1]); c.execute('select count(*) from games'); c.close()"
    )
    body = {"slug": "power-vacuum", "players": ["a", "b"]}
    with stream(server.url, ada) as events:
        take(events, 1)
        for seq in (2, 3):
            answer = httpx2.post(f"{server.url}/api/g", json=body, headers=bearer(server.said["token"]))
            assert answer.status_code == 201
            subprocess.run([sys.executable, "-c", look, str(turnlog.db)], check=True)
            answer = httpx2.post(f"{server.url}/api/g", json=body, headers=bearer(server.said["token"]))
            assert answer.status_code == 201
            turnlog.ok("note", "g", 1, "one more")
            take(events, seq)
        out, err = server.stop(signal.SIGTERM)
    assert (out, err) == ("", "")
    turnlog.ok("verify", "--all")


def test_a_move_is_made_once_however_often_the_server_is_killed(
    turnlog: Turnlog, command: Callable[..., list[str]], ada: str
) -> None:
    """Killed while it plays, sooner or later after it was asked; asked again with the same key the next one has
    made the move once, and gives the answer that was lost.
    """
    words = command("--db", turnlog.db, "serve", "--port", 0, "--json")
    keys: list[str] = []
    for delay in (0.0, 0.004, 0.012):
        move = turnlog.json("moves", "g")["moves"][0]
        keys.append(f"key-{len(keys)}")
        headers = bearer(ada) | {"idempotency-key": keys[-1]}
        first = Process(words)
        killer = subprocess.Popen(["sh", "-c", f"sleep {delay}; kill -9 {first.process.pid}"])
        with suppress(httpx2.TransportError):
            httpx2.post(f"{first.url}/api/g/g/play", json={"move": move}, headers=headers)
        killer.wait()
        first.process.communicate()
        hold_whole(turnlog.db, [1])
        with serving(turnlog.db) as web:
            answers = [
                web.ok("POST", "/api/g/g/play", ada, {"move": move}, idempotency_key=keys[-1]) for _ in range(2)
            ]
        assert answers[0] == answers[1]
        assert answers[0]["events"][0]["move"] == move
    requests = [row.request for row in hold_whole(turnlog.db, [1]) if row.request]
    assert requests == keys


def test_a_port_that_is_taken(turnlog: Turnlog) -> None:
    """It is said, with what can be done."""
    with Thread(turnlog.db) as url:
        answer = turnlog("serve", "--port", url.rpartition(":")[2], "--json")
    assert answer.code == 2
    assert "--port 0" in answer.error["hint"]
