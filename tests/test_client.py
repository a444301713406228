"""The command line as a client: with `--server` each command does and says what it does on the file."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import threading
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.conftest import Answer, Turnlog
from tests.served import STARTER, Thread, invited

CREATE = "create power-vacuum -p lucia -p fritz -o first=lucia --seed 1 --id g1"
STARTED = "create power-vacuum -p ada -p bot:greedy -o first=ada --undo own --pace 1d"


@pytest.fixture
def url(turnlog: Turnlog) -> Iterator[str]:
    """A server on the file, in which lucia is to move in g1."""
    turnlog.ok(*CREATE.split())
    with Thread(turnlog.db) as url:
        yield url


class Client:
    """Somebody's command line, far from the file: `lucia("play", "g1", "play Y1")`."""

    def __init__(self, turnlog: Turnlog, url: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self._turnlog, self.url, self._monkeypatch = turnlog, url, monkeypatch
        self.tokens = folder / "tokens.json"

    def __call__(self, *words: object) -> Answer:
        """Runs a command, without a file in reach."""
        with self._monkeypatch.context() as far:
            far.setenv("TURNLOG_TOKENS", str(self.tokens))
            far.setenv("TURNLOG_SERVER", self.url)
            far.delenv("TURNLOG_DB")
            return self._turnlog(*words)

    def ok(self, *words: object) -> Answer:
        """Runs a command that must succeed."""
        answer = self(*words)
        assert answer.code == 0, f"{words}: {answer.err or answer.out}"
        return answer

    def join(self, *seats: str, game: str = "g1") -> None:
        """Takes invitations."""
        for seat in seats:
            self.ok("login", f"{self.url}/join#{invited(self._turnlog, game, seat)}")


@pytest.fixture
def client(turnlog: Turnlog, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Client]:
    """Makes somebody with tokens for seats of g1."""

    def made(*seats: str) -> Client:
        folder = tmp_path / "-".join(["of", *seats])
        client = Client(turnlog, url, folder, monkeypatch)
        client.join(*seats)
        return client

    return made


def test_what_is_read_is_what_is_read_in_the_file(turnlog: Turnlog, client: Callable[..., Client]) -> None:
    """To the byte, in words and in JSON, with one's own eyes unless others are asked for."""
    lucia = client("lucia")
    for _ in range(2):
        turnlog.play("g1", turnlog.json("moves", "g1")["moves"][0])
    turnlog.ok("note", "g1", 2, "well led", "--as", "fritz")
    turnlog.ok("undo", "g1")
    for words in (
        "show g1",
        "show g1 --at 2",
        "show g1 -q",
        "moves g1",
        "moves g1 --at 1",
        "log g1",
        "log g1 --notes",
        "replay g1",
        "replay g1 --from 2 --step 2",
        "replay g1 --to 2 --undone",
        "export g1",
        "export g1 --format markdown",
        "orders g1",
    ):
        for how in ([], ["--json"]):
            if how and words.startswith("export"):
                continue
            assert lucia.ok(*words.split(), *how) == turnlog.ok(*words.split(), "--as", "lucia", *how), words
            if "orders" not in words:
                there = lucia.ok(*words.split(), "--as", "spectator", *how)
                assert there == turnlog.ok(*words.split(), "--as", "spectator", *how), words
    turnlog.ok("invite", "g1", "--public")
    for words in (
        "list",
        "notes g1",
        "notes g1 --json",
        "standings",
        "standings --json",
        "list --json",
        "list --open -p lucia",
        "list -p nobody --json",
    ):
        assert lucia.ok(*words.split()) == turnlog.ok(*words.split()), words
    assert lucia("show", "g1", "--as", "fritz", "--json").error["code"] == "no-right"
    assert lucia("show", "g").out == turnlog("show", "g1", "--as", "lucia").out
    assert lucia("show", "@", "-q").out == turnlog("show", "@", "--as", "lucia", "-q").out


def test_what_is_done_is_done_in_the_file(turnlog: Turnlog, client: Callable[..., Client], tmp_path: Path) -> None:
    """Moves, undo, redo, notes, orders and closing answer as they do there; a file's content is read here."""
    lucia, fritz = client("lucia"), client("fritz")
    card = lucia.ok("moves", "g1", "--json").json["moves"][0]
    assert lucia.ok("play", "g1", card, "--dry-run") == turnlog.ok("play", "g1", card, "--dry-run")
    file = tmp_path / "card"
    file.write_text(card.split()[1])
    assert lucia.ok("play", "g1", "play", f"@{file}", "--json", "--expect", 1, "--request", "r").json["seq"] == 2
    assert lucia.ok("play", "g1", card, "--request", "r") == turnlog.ok(
        "play", "g1", card, "--as", "lucia", "--request", "r"
    )
    assert fritz("undo", "g1", "--expect", 1, "--json").error["code"] == "conflict"
    assert lucia.ok("undo", "g1", "--reason", "slip", "--json").json["to_move"] == ["lucia"]
    assert lucia.ok("redo", "g1", "--json").json["to_move"] == ["fritz"]
    refused = lucia("play", "g1", card)
    assert (refused.code, refused.err) == (3, turnlog("play", "g1", card, "--as", "lucia").err)
    wanted = turnlog.json("show", "g1", "--as", "lucia")["view"]["hand"][0]
    left = lucia.ok("orders", "g1", f"play {wanted}")
    assert left == turnlog.ok("orders", "g1", "--as", "lucia")
    assert lucia.ok("orders", "g1", "--drop", 1, "-q").out == ""
    noted = lucia.ok("note", "g1", 2, "so", "it", "begins", "--as", "lucia").out
    assert noted.splitlines()[0].split() == turnlog.ok("log", "g1").out.splitlines()[-1].split()
    assert fritz.ok("close", "g1", "--as", "fritz", "--json").json["result"]["winners"] == ["lucia"]
    turnlog.ok("verify", "g1")


def test_one_who_holds_several_seats_acts_for_the_one_to_move(
    turnlog: Turnlog, client: Callable[..., Client]
) -> None:
    """And says which one where that is not it."""
    both = client("lucia", "fritz")
    for seat in ("lucia", "fritz"):
        card = both.ok("moves", "g1", "--json").json
        assert card["seat"] == seat
        both.ok("play", "g1", card["moves"][0])
    assert both.ok("show", "g1", "--json").json["as"] == "spectator"
    assert both.ok("show", "g1", "--as", "2", "--json").json["as"] == "fritz"
    assert client("lucia")("play", "g1", "play Y1", "--as", "fritz", "--json").error["code"] == "bad-setup"


def test_a_token_of_the_environment(
    turnlog: Turnlog, client: Callable[..., Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    """It goes before those that are kept, and acts for no other seat than its own."""
    nobody = client()
    assert nobody("show", "g1", "--json").error["code"] == "no-such-game"
    monkeypatch.setenv("TURNLOG_TOKEN", invited(turnlog, "g1", "lucia"))
    move = nobody.ok("moves", "g1", "--json").json["moves"][0]
    refused = nobody("play", "g1", move, "--as", "fritz")
    assert (refused.code, "is for lucia" in refused.err) == (2, True)
    assert nobody.ok("play", "g1", move, "--as", "lucia", "--json").json["to_move"] == ["fritz"]
    assert not nobody.tokens.exists()
    monkeypatch.setenv("TURNLOG_TOKEN", "x" * 43)
    wrong = nobody("show", "g1", "--json")
    assert (wrong.code, wrong.error["code"]) == (3, "wrong-token")


def test_tokens_are_kept_for_nobody_else_to_read(turnlog: Turnlog, client: Callable[..., Client]) -> None:
    """0600; a file that others can read is not used; logging in tells what a token is for."""
    lucia = client("lucia")
    assert lucia.tokens.stat().st_mode & 0o777 == 0o600
    assert lucia.ok("login").out == f"{lucia.url}  lucia in game g1\n"
    assert lucia.ok("login", "--json").json == [{"server": lucia.url, "game": "g1", "for": "lucia", "seat": 1}]
    lucia.tokens.chmod(0o644)
    refused = lucia("show", "g1")
    assert (refused.code, "chmod 600" in refused.err) == (2, True)
    lucia.tokens.chmod(0o600)
    assert lucia("logout", lucia.url, "g2").code == 2
    lucia.ok("logout", lucia.url)
    assert lucia("show", "g1", "--json").error["code"] == "no-such-game"
    assert lucia("login", f"{lucia.url}/join#{'x' * 43}", "--json").error["code"] == "wrong-token"
    for nonsense in ("games.example", "ftp://games.example", "http://a:b@games.example", "http://[", "http://"):
        assert lucia("login", nonsense).code == 2


def test_a_game_is_started_and_its_links_are_told(turnlog: Turnlog, client: Callable[..., Client]) -> None:
    """Who starts it keeps its tokens; what a server does not take is refused."""
    host = client()
    assert host("create", "power-vacuum", "-p", "a", "-p", "b").code == 3
    with pytest.MonkeyPatch.context() as given:
        given.setenv("TURNLOG_TOKEN", STARTER)
        said = host.ok(*STARTED.split()).out
    game = said.split()[1].rstrip(":")
    [link] = [line.removeprefix("ada: ") for line in said.splitlines() if line.startswith("ada: ")]
    assert link.startswith(f"{host.url}/join#")
    ada = client("fritz")
    ada.ok("login", link)
    assert ada.ok("show", game, "--json").json["clock"]["pace"] == "1d"
    listed = host.ok("invite", game, "--list", "--json").json["tokens"]
    assert {one["for"] for one in listed} == {"owner", "spectator", "ada"}
    assert host("invite", game, "ada", "--open", "--json").error["code"] == "seat-taken"
    host.ok("invite", game, "--public")
    host.ok("invite", game, "ada", "--revoke")
    assert host.ok("invite", game, "ada", "--open", "--json").json["open"] is True
    assert ada("play", game, "play Y1", "--json").error["code"] == "wrong-token"
    assert host.ok("close", game, "--json").json["result"]["reason"] == "abandoned"
    for option in (["--id", "x"], ["--set", "x"], ["--dry-run"]):
        assert host("create", "power-vacuum", "-p", "a", "-p", "b", *option).code == 2


def test_a_takeback_is_agreed_to_from_afar(turnlog: Turnlog, client: Callable[..., Client]) -> None:
    """With the words that the command has on a file."""
    turnlog.ok(*CREATE.replace("g1", "g2").split(), "--undo", "ask")
    lucia, fritz = client("lucia"), client("fritz")
    for who, seat in ((lucia, "lucia"), (fritz, "fritz")):
        who.join(seat, game="g2")
    lucia.ok("play", "g2", lucia.ok("moves", "g2", "-q").out.splitlines()[0])
    asked = lucia.ok("undo", "g2").out
    assert asked.startswith("lucia asks to take back event 2")
    assert fritz("agree", "g2", "--no").out.startswith("fritz does not agree")
    lucia.ok("undo", "g2")
    assert fritz.ok("agree", "g2", "--json").json["takeback"]["state"] == "granted"


def test_what_a_server_does_not_do_is_said(client: Callable[..., Client]) -> None:
    """Commands of a file, both a file and a server, an address that is none."""
    lucia = client("lucia")
    for words in ("verify g1", "rebuild", "backup x", "fork g1", "run x"):
        refused = lucia(*words.split(), "--json")
        assert (refused.code, "--db FILE" in refused.error["message"]) == (2, True), words
    assert lucia("show", "g1", "--server", lucia.url, "--db", "x").code == 2
    assert lucia("show", "g1", "--server", "games.example").code == 2
    assert lucia("notify", "g1", "lucia", "--command", "true").code == 2
    assert lucia.ok("games", "--json").code == 0
    gone = lucia("show", "g1", "--server", "http://127.0.0.1:1", "--json")
    assert (gone.code, gone.error["code"]) == (5, "unreachable")


@contextmanager
def between(url: str, fault: Callable[[int], str]) -> Generator[tuple[str, list[bytes]]]:
    """A line to the server that fails. Gives its address and the requests that came in.

    :param fault: of the nth request: `ask` (it never arrives), `answer` (the answer is lost), `half` (half of it
        arrives), `gateway` (a proxy answers instead) or nothing
    """
    host, port = url.removeprefix("http://").split(":")
    listening = socket.create_server(("127.0.0.1", 0))
    came: list[bytes] = []

    def serve() -> None:
        while True:
            try:
                ours, _ = listening.accept()
            except OSError:
                return
            with ours:
                request = b""
                while b"\r\n\r\n" not in request:
                    request += ours.recv(65536)
                head, _, body = request.partition(b"\r\n\r\n")
                length = next(
                    (
                        int(line[16:])
                        for line in head.split(b"\r\n")
                        if line.lower().startswith(b"content-length: ")
                    ),
                    0,
                )
                while len(body) < length:
                    body += ours.recv(65536)
                came.append(head)
                wrong = fault(len(came))
                if wrong == "ask":
                    continue
                with socket.create_connection((host, int(port))) as theirs:
                    theirs.sendall(head.replace(b"\r\n", b"\r\nConnection: close\r\n", 1) + b"\r\n\r\n" + body)
                    answer = b"".join(iter(lambda: theirs.recv(65536), b""))
                if wrong == "gateway":
                    ours.sendall(
                        b"HTTP/1.1 502 Bad Gateway\r\nConnection: close\r\nContent-Length: 5\r\n\r\n<html"
                    )
                elif wrong != "answer":
                    ours.sendall(answer[: len(answer) // 2] if wrong == "half" else answer)

    thread = threading.Thread(target=serve, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", came
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody waits long."""
    monkeypatch.setattr("cli.connection.WAITS", (0.0,) * 8)


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("fault", ["ask", "answer", "half", "gateway"])
def test_a_lost_connection_leaves_no_doubt(
    turnlog: Turnlog, client: Callable[..., Client], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """The client asks again with the same key until it knows, and the move is made once."""
    lucia = client("lucia")
    monkeypatch.setenv("TURNLOG_TOKEN", json.loads(lucia.tokens.read_text())[0]["token"])
    move = turnlog.json("moves", "g1")["moves"][0]
    with between(lucia.url, lambda number: fault if number < 4 else "") as (url, came):
        played = lucia.ok("play", "g1", move, "--server", url, "--json").json
    assert played["seq"] == 2
    assert len(came) == 4
    keys = {line for head in came for line in head.split(b"\r\n") if line.lower().startswith(b"idempotency-key")}
    assert len(keys) == 1
    assert turnlog.json("show", "g1")["seq"] == 2


@pytest.mark.usefixtures("hasty")
@pytest.mark.parametrize("fault", ["answer", "gateway"])
def test_where_patience_ends_it_says_how_to_ask_again(
    turnlog: Turnlog, client: Callable[..., Client], monkeypatch: pytest.MonkeyPatch, fault: str
) -> None:
    """With the key of the request; without one (a note) nothing is said twice."""
    lucia = client("lucia")
    monkeypatch.setenv("TURNLOG_TOKEN", json.loads(lucia.tokens.read_text())[0]["token"])
    move = turnlog.json("moves", "g1")["moves"][0]
    with between(lucia.url, lambda number: fault) as (url, came):
        lost = lucia("play", "g1", move, "--server", url, "--json")
        assert (lost.code, lost.error["code"], len(came)) == (4, "in-doubt", 9)
        noted = lucia("note", "g1", 1, "so it begins", "--server", url, "--json")
        assert (noted.code, noted.error["code"], len(came)) == (4, "in-doubt", 10)
        read = lucia("show", "g1", "--server", url, "--json")
        assert (read.code, read.error["code"]) == (5, "unreachable")
    key = lost.error["hint"].partition("--request ")[2].partition(":")[0]
    assert lucia.ok("play", "g1", move, "--request", key, "--json").json["seq"] == 2


@contextmanager
def answering(said: bytes) -> Generator[str]:
    """A server that says one thing to all who ask; its address."""
    listening = socket.create_server(("127.0.0.1", 0))

    def serve() -> None:
        with suppress(OSError):
            while True:
                ours, _ = listening.accept()
                with ours:
                    ours.recv(65536)
                    ours.sendall(said)

    thread = threading.Thread(target=serve)
    thread.start()
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        listening.shutdown(socket.SHUT_RDWR)
        listening.close()
        thread.join()


@pytest.mark.parametrize(
    "head", ["404 Not Found", "200 OK", "204 No Content", "301 Moved", "200 OK\r\nturnlog: 1"]
)
def test_another_sort_of_server_is_told(client: Callable[..., Client], head: str) -> None:
    """What it says is not taken for ours, nor that a move was made; nor is nonsense that says it is ours."""
    lucia = client("lucia")
    with answering(f"HTTP/1.1 {head}\r\nContent-Length: 5\r\nConnection: close\r\n\r\n<html".encode()) as url:
        for command in ("show g1", "list", "log g1", "replay g1", "play g1 play Y1"):
            if "turnlog" in head and command.startswith(("show", "play")):
                continue
            answer = lucia(*command.split(), "--server", url, "--json")
            assert (answer.code, answer.error["code"]) == (5, "no-turnlog-server"), command


def test_nothing_that_a_server_says_acts_on_the_terminal(client: Callable[..., Client]) -> None:
    """Colours come through, and nothing else that begins with an escape."""
    said = "a \x1b[31mred\x1b[0m \x1b]0;title\x07 b\r\n"
    head = f"HTTP/1.1 200 OK\r\nturnlog: 1\r\nContent-Length: {len(said)}\r\nConnection: close\r\n\r\n"
    with answering((head + said).encode()) as url:
        assert client("lucia").ok("show", "g1", "--server", url).out == "a \x1b[31mred\x1b[0m ?]0;title? b?\n"


def test_a_game_whose_tokens_cannot_be_kept_is_not_started(
    turnlog: Turnlog, client: Callable[..., Client], tmp_path: Path
) -> None:
    """Nobody could ever sit down at it."""
    host = client()
    host.tokens = tmp_path / "missing" / "x"
    (tmp_path / "missing").write_text("no folder")
    with pytest.MonkeyPatch.context() as given:
        given.setenv("TURNLOG_TOKEN", STARTER)
        assert host("create", "power-vacuum", "-p", "a", "-p", "b").code == 2
    assert [row["game"] for row in turnlog.ok("list", "--json").lines] == ["g1"]


@pytest.mark.parametrize("token", ["\u00e9", "a b", "a\nb", "x" * 201])
def test_what_can_be_no_token(client: Callable[..., Client], monkeypatch: pytest.MonkeyPatch, token: str) -> None:
    """Is refused before anybody is asked, and told nowhere."""
    lucia = client("lucia")
    monkeypatch.setenv("TURNLOG_TOKEN", token)
    refused = lucia("show", "g1")
    assert (refused.code, token in refused.err) == (2, False)
    assert lucia("login", f"{lucia.url}/join#{token}").code == 2


def test_a_log_is_followed_over_a_break(
    turnlog: Turnlog, tmp_path: Path, command: Callable[..., list[str]]
) -> None:
    """Nothing is lost or told twice when the server starts anew; a revoked token ends it with an error."""
    turnlog.ok(*CREATE.split())
    environment = os.environ | {"TURNLOG_TOKEN": invited(turnlog, "g1", "lucia")}
    del environment["TURNLOG_DB"]
    move = turnlog.json("moves", "g1")["moves"][0]
    first = Thread(turnlog.db)
    with first as url:
        following = subprocess.Popen(
            command("log", "g1", "--follow", "--json", "--server", url),
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert following.stdout is not None
        told = [following.stdout.readline()]
    turnlog.play("g1", move)
    with Thread(turnlog.db, port=first.port):
        told.append(following.stdout.readline())
        turnlog.ok("undo", "g1")
        told.append(following.stdout.readline())
        turnlog.ok("invite", "g1", "lucia", "--revoke")
        turnlog.ok("note", "g1", 1, "for nobody")
        rest, errors = following.communicate()
    seen = turnlog.ok("log", "g1", "--as", "lucia", "--json").lines
    assert [json.loads(line) | {"stands": True} for line in told] == [one | {"stands": True} for one in seen[:3]]
    assert (rest, following.returncode, json.loads(errors)["error"]["code"]) == ("", 3, "wrong-token")
