"""Two browsers and a command line play a game together over a server, and a third person watches.

What the watcher's browser received is recorded on the way and searched for what only players can know.
`TURNLOG_WHOLE=1` plays each game to its end, otherwise it is begun only.
"""

from __future__ import annotations

import os
import re
import select
import socket
import threading
from collections.abc import Iterator
from contextlib import ExitStack, closing, suppress
from pathlib import Path
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.keys import Keys

from cli.server.app import STATIC
from engines.kit.chance import Chance
from engines.registry import all_games
from tests.chromium import CHROMIUM, DRIVER, started
from tests.conftest import Turnlog
from tests.served import Thread, invited
from tests.test_browser import Tab
from tests.test_client import Client

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="pages are tested in chromium and chromedriver, which are not installed here"
)

WHOLE = bool(os.environ.get("TURNLOG_WHOLE"))
BEGUN = 8
#: What was received is searched each time that so many moves were made.
SEARCHED = 10


class Recorder:
    """A line to the server that keeps what the server says. It has a host, and so cookies, of its own."""

    def __init__(self, url: str) -> None:
        self._port = int(url.rpartition(":")[2])
        self._listening = socket.create_server(("127.0.0.1", 0))
        self._heard: list[bytes] = []
        self.url = f"http://localhost:{self._listening.getsockname()[1]}"
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                ours, _ = self._listening.accept()
                threading.Thread(target=self._pass, args=(ours,), daemon=True).start()

    def _pass(self, ours: socket.socket) -> None:
        """Passes on what both sides of a connection say, until one of them ends it."""
        with ours, socket.create_connection(("127.0.0.1", self._port)) as theirs, suppress(OSError):
            other = {ours: theirs, theirs: ours}
            while True:
                for source in select.select(list(other), [], [])[0]:
                    some = source.recv(65536)
                    if not some:
                        return
                    if source is theirs:
                        self._heard.append(some)
                    other[source].sendall(some)

    def close(self) -> None:
        """Takes no more connections."""
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        self._thread.join()

    def heard(self) -> str:
        """All that came so far."""
        return b"".join(self._heard).decode(errors="replace")


def words(text: str) -> set[str]:
    """The names in a text, such as `Y1` or `open-door`; numbers alone name nothing."""
    return {word for word in re.findall(r"[\w'-]+", text) if len(word) > 1 and re.search("[a-zA-Z]", word)}


class Secrets:
    """What players know and a spectator does not, as the command line tells it to each of them."""

    def __init__(self, turnlog: Turnlog) -> None:
        self._turnlog = turnlog
        self._open = set[str]()
        for file in (*STATIC.iterdir(), *(STATIC.parent / "templates").iterdir()):
            self._open |= words(file.read_text("utf-8"))
        self._known = set[str]()

    def look(self) -> None:
        """Takes in what can be known now."""
        for how in ([], ["--json"]):
            for command in ("show", "log"):
                self._open |= words(self._turnlog.ok(command, "g1", *how).out)
                self._known |= words(self._turnlog.ok(command, "g1", "--as", "referee", *how).out)
        self._open |= words(self._turnlog.ok("export", "g1", "--format", "html", "--as", "spectator").out)

    def found(self, text: str) -> set[str]:
        """The secrets in a text."""
        return (self._known - self._open) & words(text)

    def count(self) -> int:
        """So many names are secret."""
        return len(self._known - self._open)


@pytest.fixture(scope="module")
def browsers(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[webdriver.Chrome]]:
    """Two browsers of their own."""
    running = [started(tmp_path_factory.mktemp("profile")) for _ in range(2)]
    yield running
    for browser in running:
        browser.quit()


def type_in(tab: Tab, move: str, seq: int) -> None:
    """Types a move in the line, once the page shows the event after which it is due."""
    tab.until(lambda: tab.text("#where") == f"now, event {seq}" and tab.browser.title.startswith("Your turn"))
    line = tab.find("#line")
    line.clear()
    line.send_keys(move, Keys.ESCAPE, Keys.ENTER)


@pytest.mark.timeout(1800 if WHOLE else 120)
@pytest.mark.parametrize("slug", [game.slug for game in all_games()])
def test_two_browsers_and_a_command_line_play_while_somebody_watches(
    turnlog: Turnlog,
    browsers: list[webdriver.Chrome],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    slug: str,
) -> None:
    """All see the same game, each as they may; where only two can play, browser and command line share a seat."""
    game = next(game for game in all_games() if game.slug == slug)
    names = ("lucia", "fritz", "ada")[: game.seats[1]]
    turnlog.ok("create", slug, *(word for name in names for word in ("-p", name)), "--seed", 7, "--id", "g1")
    chance = Chance("whole games")
    with ExitStack() as stack:
        url = stack.enter_context(Thread(turnlog.db))
        recorder = stack.enter_context(closing(Recorder(url)))
        tabs = {name: Tab(browser, url) for name, browser in zip(names, browsers, strict=False)}
        watching = Tab(browsers[1], recorder.url)
        client = Client(turnlog, url, tmp_path / "ada", monkeypatch)
        client.join(names[-1])
        for name, tab in tabs.items():
            with tab:
                tab.join(invited(turnlog, "g1", name))
        with watching:
            watching.join(invited(turnlog, "g1", "spectator"))
        secrets = Secrets(turnlog)
        made, shown = 0, _shown(turnlog)
        while shown["result"] is None and (WHOLE or made < BEGUN):
            if made % SEARCHED == 0:
                _search(secrets, recorder)
            name = shown["to_move"][chance.number("seat", len(shown["to_move"]))]
            legal = turnlog.json("moves", "g1", "--as", name)["moves"]
            move = legal[chance.number("move", len(legal))]
            if name in tabs and not (name == client_seat(names) and made % 2):
                with tabs[name] as tab:
                    type_in(tab, move, shown["seq"])
                    tab.until(lambda seq=shown["seq"]: _shown(turnlog)["seq"] > seq)
            else:
                client.ok("play", "g1", move, "--as", name)
            made, shown = made + 1, _shown(turnlog)
        if shown["result"] is None:
            _search(secrets, recorder)
        for name, tab in {**tabs, "spectator": watching}.items():
            with tab:
                tab.until(lambda tab=tab: tab.text("#where") == f"now, event {shown['seq']}")
                board = turnlog.ok("show", "g1", "--as", name, "-q").out
                tab.until(lambda tab=tab, board=board: _lacking(tab, board) == [])
        assert (
            client.ok("show", "g1", "-q", "--as", names[-1]).out
            == turnlog.ok("show", "g1", "-q", "--as", names[-1]).out
        )
        for browser in browsers:
            for handle in browser.window_handles[1:]:
                browser.switch_to.window(handle)
                browser.close()
            browser.switch_to.window(browser.window_handles[0])
    turnlog.ok("verify", "g1")


#: All the text of a page, open or folded away.
ALL = "return document.body.textContent"


def client_seat(names: tuple[str, ...]) -> str:
    """The seat that the command line plays: one of its own, or every other move of the second browser's."""
    return names[-1]


def _lacking(tab: Tab, board: str) -> list[str]:
    """The words of a board that a page does not show."""
    text = tab.script(ALL)
    return [word for word in sorted(words(board)) if word not in text]


def _shown(turnlog: Turnlog) -> Any:
    return turnlog.json("show", "g1")


def _search(secrets: Secrets, recorder: Recorder) -> None:
    secrets.look()
    assert secrets.count() > 0
    heard = recorder.heard()
    assert {
        secret: re.search(rf".{{0,60}}\b{re.escape(secret)}\b.{{0,60}}", heard) for secret in secrets.found(heard)
    } == {}
