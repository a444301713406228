"""The server's pages in a browser: people who play by clicks, keys and typed lines, and watch each other do so.

Two hosts of one machine, `127.0.0.1` and `localhost`, have cookies of their own: two people in one browser.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from engines.registry import all_games
from tests.chromium import CHROMIUM, CONTRAST, DRIVER, resize
from tests.conftest import Turnlog
from tests.lively_games import HOSTILE, NOTES, lively, opened, seats_for
from tests.served import Thread, invited

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="pages are tested in chromium and chromedriver, which are not installed here"
)

CREATE = ("create", "power-vacuum", "-p", "lucia", "-p", "fritz", "-o", "first=lucia", "--seed", "3", "--id", "g1")

#: Lets the page ask for its parts in vain, so that it stays as it is.
DEAF = """
    window.hearing = window.fetch;
    const deaf = new Promise(() => {});
    window.fetch = (what, ...more) => String(what).includes("/live") ? deaf : hearing(what, ...more);
"""
#: Lets the first answer to a move get lost after the server has carried it out.
LOSSY = """
    const real = window.fetch;
    window.sent = [];
    window.fetch = async (what, ...more) => {
      if (!String(what).endsWith("/play")) return real(what, ...more);
      window.sent.push(more[0].headers["Idempotency-Key"]);
      const answer = await real(what, ...more);
      if (window.sent.length === 1) throw new TypeError("lost");
      return answer;
    };
"""


class Tab:
    """A tab of somebody's browser."""

    def __init__(self, browser: webdriver.Chrome, origin: str) -> None:
        self.browser, self.origin = browser, origin
        browser.switch_to.new_window("tab")
        self._handle = browser.current_window_handle
        resize(browser, 1280, 900)

    def __enter__(self) -> Tab:
        self.browser.switch_to.window(self._handle)
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def go(self, path: str) -> None:
        """Opens a page, and waits until its script has begun."""
        self.browser.get(self.origin + path)
        self.until(lambda: self.script("return document.readyState") == "complete")

    def join(self, token: str) -> None:
        """Opens the link of an invitation, which leads to the game's page."""
        self.go(f"/join#{token}")
        self.until(lambda: "/g/" in self.browser.current_url)
        self.until(lambda: self.text("#where").startswith("now"))

    def script(self, text: str, *arguments: object) -> Any:
        """What a script in the page gives."""
        return self.browser.execute_script(text, *arguments)

    def until(self, true: Callable[[], object]) -> None:
        """Waits for something to come true."""
        WebDriverWait(self.browser, 20, 0.03).until(lambda _: true())

    def find(self, selector: str) -> WebElement:
        """The first element that a selector fits, once it is there."""
        return WebDriverWait(self.browser, 20, 0.03).until(
            lambda browser: next(iter(browser.find_elements(By.CSS_SELECTOR, selector)), None), selector
        )

    def text(self, selector: str) -> str:
        """What can be read there; nothing where there is nothing."""
        return self.script("return document.querySelector(arguments[0])?.innerText ?? ''", selector)

    def click(self, selector: str, times: int = 1) -> None:
        """Clicks where a person would."""
        for _ in range(times):
            self.find(selector).click()

    def press(self, *keys: str) -> None:
        """Presses keys, whatever has the focus."""
        ActionChains(self.browser).send_keys(*keys).perform()

    def told(self, *texts: str) -> None:
        """Waits until the page has told something."""
        self.until(lambda: all(text in self.text("#told") for text in texts))

    @property
    def line(self) -> str:
        """What stands in the line for moves."""
        return self.script("return document.getElementById('line').value")

    @property
    def focused(self) -> str:
        """What has the focus: its id, or its text."""
        return self.script("return document.activeElement.id || document.activeElement.innerText")


@pytest.fixture
def table(turnlog: Turnlog) -> Turnlog:
    """Game g1 of two persons; lucia is to move, and holds Y1, Y3, G2 ..."""
    turnlog.ok(
        *["create", "power-vacuum", "-p", "lucia", "-p", "fritz", "-o", "first=lucia", "--seed", "3", "--id", "g1"]
    )
    return turnlog


@pytest.fixture
def served(turnlog: Turnlog) -> Iterator[str]:
    """The address of a server on the database, at which anybody may start games."""
    with Thread(turnlog.db, open_=True) as url:
        yield url


@pytest.fixture
def sit(browser: webdriver.Chrome, served: str) -> Iterator[Callable[..., Tab]]:
    """Opens tabs: one is `localhost`, another one `127.0.0.1`. No page does what their policy forbids."""
    first = browser.current_window_handle
    browser.get_log("browser")

    def sit_down(host: str = "127.0.0.1") -> Tab:
        return Tab(browser, served.replace("127.0.0.1", host))

    yield sit_down
    for handle in browser.window_handles:
        if handle != first:
            browser.switch_to.window(handle)
            browser.execute_cdp_cmd("Network.clearBrowserCookies", {})
            browser.close()
    browser.switch_to.window(first)
    complaints = [entry["message"] for entry in browser.get_log("browser")]
    assert [
        text for text in complaints if not re.search(r"the server responded with a status of 4|ERR_", text)
    ] == []


def moves(turnlog: Turnlog, verb: str = "play") -> list[str]:
    """The legal moves of the seat to move in game g1, of one verb."""
    return [move for move in turnlog.json("moves", "g1")["moves"] if move.startswith(verb)]


def last_move(turnlog: Turnlog) -> str:
    """The last move that was made in game g1, if any was."""
    made = [event["move"] for event in turnlog.ok("log", "g1", "--json").lines if event["move"]]
    return made[-1] if made else ""


def last_move_count(turnlog: Turnlog) -> int:
    """So many moves stand in game g1."""
    return turnlog.ok("list", "--json").lines[0]["moves"]


# playing ----------------------------------------------------------------------------------------------


def test_moves_by_click_by_list_and_by_line(table: Turnlog, sit: Callable[..., Tab]) -> None:
    """A first click chooses, a second one plays; the line completes as the shell does; an undo takes it back."""
    first, second, third, *_ = moves(table)
    with sit() as lucia:
        lucia.join(invited(table, "g1", "lucia"))
        assert lucia.browser.title == "Your turn - Power Vacuum"
        piece = f"#hand .piece[data-move='{first}']"
        lucia.click(piece)
        assert (lucia.line, last_move_count(table)) == (first, 0)
        assert lucia.find(piece).get_attribute("aria-pressed") == "true"
        lucia.click(piece)
        lucia.told(f"lucia plays {first.split()[1]}.")
        assert (last_move(table), lucia.line) == (first, "")
        lucia.until(lambda: lucia.browser.title == "fritz to move - Power Vacuum")

        lucia.click("[data-act=undo]")
        lucia.told("taken back by lucia")
        lucia.until(lambda: lucia.find("#told .undone .tag").is_displayed())
        lucia.click(f".move[data-move='{second}']", times=2)
        lucia.until(lambda: last_move(table) == second)
        lucia.click("[data-act=undo]")
        lucia.until(lambda: lucia.browser.title.startswith("Your turn"))
        assert lucia.find("[data-act=redo]").is_displayed()

        lucia.click("#line")
        lucia.press("pl")
        lucia.until(lambda: lucia.text("#words") == "play")
        lucia.press(Keys.ARROW_DOWN, Keys.ENTER)
        lucia.until(lambda: third.split()[1] in lucia.text("#words").split())
        assert lucia.line == "play "
        words = third.split()[1]
        lucia.press(words)
        lucia.until(lambda: lucia.line == third)
        lucia.press(Keys.ENTER)
        lucia.until(lambda: last_move(table) == third)


def test_two_people_see_each_other_play(table: Turnlog, sit: Callable[..., Tab]) -> None:
    """What one plays the other is told at once, and whose turn it is stands in the title."""
    lucia, fritz = sit("127.0.0.1"), sit("localhost")
    fritz.join(invited(table, "g1", "fritz"))
    assert fritz.browser.title == "lucia to move - Power Vacuum"
    assert "not your turn" in fritz.text("#moves")
    with lucia:
        lucia.join(invited(table, "g1", "lucia"))
        lucia.click(f"#hand .piece[data-move='{moves(table)[-1]}']", times=2)
    with fritz:
        fritz.until(lambda: fritz.browser.title == "Your turn - Power Vacuum")
        fritz.told(f"lucia plays {last_move(table).split()[1]}.")
        answer = moves(table)[0]
        fritz.click(f"[data-move='{answer}']", times=2)
        fritz.until(lambda: last_move(table) == answer)
    with lucia:
        lucia.told(f"fritz plays {answer.split()[1]}.")


def test_a_refused_move_stays_in_the_line(table: Turnlog, sit: Callable[..., Tab]) -> None:
    """With what was wrong beside it, and what can be done, as the command line says it."""
    with sit() as lucia:
        lucia.join(invited(table, "g1", "lucia"))
        lucia.press("/", "play Q9", Keys.ENTER)
        error = table("play", "g1", "play", "Q9", "--as", "lucia", "--json").error
        lucia.until(lambda: error["message"] in lucia.text("#said"))
        assert error["hint"] in lucia.text("#said")
        assert lucia.line == "play Q9"
        assert lucia.find("#said").get_attribute("role") == "alert"
        assert lucia.find("#line").get_attribute("aria-describedby") == "said"


def test_a_move_that_somebody_overtook_is_not_made_unseen(table: Turnlog, sit: Callable[..., Tab]) -> None:
    """The page says so, and keeps the move; said once more, it is made."""
    move = moves(table)[-1]
    with sit() as lucia:
        lucia.join(invited(table, "g1", "lucia"))
        lucia.script(DEAF)
        table.ok("play", "g1", move)
        table.ok("undo", "g1")
        lucia.click(f".move[data-move='{move}']", times=2)
        lucia.until(lambda: "Somebody was first" in lucia.text("#said"))
        assert last_move_count(table) == 0
        lucia.script("window.fetch = hearing")
        table.ok("note", "g1", "1", "look")
        lucia.told("look")
        lucia.until(lambda: lucia.find("[data-act=redo]").is_displayed())
        lucia.click("#play .main")
        lucia.until(lambda: last_move_count(table) == 1)


def test_an_answer_that_was_lost_is_asked_for_again(table: Turnlog, sit: Callable[..., Tab]) -> None:
    """With the same key, so that the move is made once."""
    with sit() as lucia:
        lucia.join(invited(table, "g1", "lucia"))
        lucia.script(LOSSY)
        lucia.click(f".move[data-move='{moves(table)[-1]}']", times=2)
        lucia.until(lambda: lucia.line == "")
        assert len({*lucia.script("return window.sent")}) == 1
        assert len(lucia.script("return window.sent")) == 2
        assert last_move_count(table) == 1


def test_a_piece_of_several_moves_narrows_the_list(turnlog: Turnlog, sit: Callable[..., Tab]) -> None:
    """To those that have it in them; one of them is chosen and played there."""
    turnlog.ok(*["create", "half-lifed", "-p", "lucia", "-p", "fritz", "--seed", "3", "--id", "g1"])
    for _ in range(30):
        offered = moves(turnlog, "")
        busy = [move for move in offered if move.startswith("activate ")]
        if len({move.split()[2] for move in busy}) > 1:
            break
        turnlog.ok("play", "g1", *offered[-1].split(), "--as", turnlog.json("show", "g1")["to_move"][0])
    mover = turnlog.json("show", "g1")["to_move"][0]
    space = busy[0].split()[1]
    fitting = [move for move in offered if space in move.split()]
    assert len(fitting) > 1
    with sit() as player:
        player.join(invited(turnlog, "g1", mover))
        player.click(f".piece[data-find='\"{space}\"']")
        listed = "return [...document.querySelectorAll('.move')].map((one) => one.dataset.move)"
        player.until(lambda: player.script(listed) == fitting)
        assert player.focused == fitting[0]
        player.press(Keys.ENTER, Keys.ENTER)
        player.until(lambda: last_move(turnlog) == fitting[0])


def test_by_keyboard_alone(table: Turnlog, sit: Callable[..., Tab]) -> None:
    """Everything can be reached; a list's move is chosen and played with Enter, and the focus is not lost."""
    with sit() as lucia:
        lucia.join(invited(table, "g1", "lucia"))
        lucia.press(Keys.TAB)
        assert lucia.focused == "To your move"
        lucia.press(Keys.ENTER)
        lucia.until(lambda: lucia.focused == "line")
        reached: set[str] = set()
        for _ in range(60):
            lucia.press(Keys.TAB)
            reached.add(lucia.focused)
        assert {"find", "slider", "line", *moves(table)} <= reached
        lucia.script("document.querySelector(`.move[data-move^='play']`).focus()")
        move = lucia.focused
        lucia.press(Keys.ENTER, Keys.ENTER)
        lucia.until(lambda: last_move(table) == move)
        lucia.until(lambda: "not your turn" in lucia.text("#moves"))
        assert lucia.focused == "line"


# watching ---------------------------------------------------------------------------------------------


def test_looking_back_while_the_game_goes_on(table: Turnlog, sit: Callable[..., Tab]) -> None:
    """The board of the past stays, what happens is told; a key leads back to now."""
    for _ in range(4):
        table.ok("play", "g1", *moves(table, "")[-1].split())
    with sit() as viewer:
        viewer.join(invited(table, "g1", "spectator"))
        now = viewer.text("#board")
        viewer.press(Keys.ARROW_LEFT, Keys.ARROW_LEFT, Keys.ARROW_LEFT)
        viewer.until(lambda: "You look back at event 2 of 5" in viewer.text("#status"))
        past = viewer.text("#board")
        assert past != now
        assert viewer.find("#told [aria-current]").get_attribute("data-seq") == "2"
        table.ok("play", "g1", *moves(table, "")[-1].split())
        viewer.until(lambda: "of 6" in viewer.text("#where"))
        viewer.until(lambda: viewer.find("#told [data-seq='6']"))
        assert viewer.text("#board") == past
        viewer.press(Keys.END)
        viewer.until(lambda: viewer.text("#where") == "now, event 6")
        assert viewer.text("#board") not in (now, past)
        viewer.click("#told [data-seq='5'] a")
        viewer.until(lambda: viewer.text("#board") == now)
        assert viewer.browser.current_url.endswith("at=5")


def test_what_a_spectator_gets_holds_no_secret(table: Turnlog, sit: Callable[..., Tab]) -> None:
    """Neither the page nor what it asks for later; nor has it anything to act with."""
    hands = table.view("g1", "referee")["hands"]
    with sit() as viewer:
        viewer.join(invited(table, "g1", "spectator"))
        table.ok("note", "g1", "1", "so it begins")
        viewer.told("so it begins")
        source = viewer.browser.page_source
        assert not [card for hand in hands.values() for card in hand if re.search(rf"\b{card}\b", source)]
        assert not viewer.browser.find_elements(By.CSS_SELECTOR, "#line, [data-act=undo], .piece, .move")


def test_consent_is_asked_for_and_given_on_the_pages(turnlog: Turnlog, sit: Callable[..., Tab]) -> None:
    """The one who is asked sees what is asked, and answers with a button; the other one sees that."""
    turnlog.ok(
        *[
            "create",
            "power-vacuum",
            "-p",
            "lucia",
            "-p",
            "fritz",
            "-o",
            "first=lucia",
            "--seed",
            "3",
            "--undo",
            "ask",
            "--id",
            "g1",
        ]
    )
    turnlog.ok("play", "g1", *moves(turnlog)[-1].split())
    lucia, fritz = sit("127.0.0.1"), sit("localhost")
    fritz.join(invited(turnlog, "g1", "fritz"))
    with lucia:
        lucia.join(invited(turnlog, "g1", "lucia"))
        assert lucia.text("[data-act=undo]") == "Ask to undo"
        lucia.click("[data-act=undo]")
        lucia.until(lambda: "Waiting for fritz." in lucia.text("#acts"))
        assert lucia.find("[data-act=withdraw]").is_displayed()
    with fritz:
        fritz.until(lambda: fritz.browser.title.startswith("Your answer"))
        assert "lucia asks to take back event 2" in fritz.text(".asked")
        fritz.click("[data-act=agree]")
    with lucia:
        lucia.told("agreed by fritz")
        lucia.until(lambda: lucia.browser.title.startswith("Your turn"))


def test_an_order_is_left_and_carried_out(table: Turnlog, sit: Callable[..., Tab]) -> None:
    """By one who is not to move; it can be taken back, and is played when their turn comes."""
    card = table.json("show", "g1", "--as", "fritz")["view"]["hand"][0]
    lead = next(move for move in moves(table) if move.split()[1][0] == card[0])
    with sit() as fritz:

        def leave(order: str) -> None:
            fritz.find("#order").clear()
            fritz.find("#order").send_keys(order, Keys.ENTER)

        fritz.join(invited(table, "g1", "fritz"))
        fritz.click("details.more summary")
        leave(f"play {card}")
        fritz.until(lambda: f"Standing order 1: play {card}" in fritz.text("#status"))
        fritz.click("[data-act=drop]")
        fritz.until(lambda: "Standing order" not in fritz.text("#status"))
        leave("nonsense")
        fritz.until(lambda: "'nonsense' is no move of this game" in fritz.text("#said"))
        leave(f"play {card} if legal")
        fritz.until(lambda: f"Standing order 1: play {card}" in fritz.text("#status"))
        table.play("g1", f"lucia: {lead}")
        fritz.told(f"lucia plays {lead.split()[1]}.", f"fritz plays {card}.")
        fritz.until(lambda: "Standing order" not in fritz.text("#status"))
    assert last_move(table) == f"play {card}"


def test_the_end_is_told(table: Turnlog, sit: Callable[..., Tab]) -> None:
    """How it ended stands where the turn stood, and everybody's eyes are lent."""
    with sit() as lucia:
        lucia.join(invited(table, "g1", "lucia"))
        lucia.click(".more summary")
        lucia.click("[data-act=resign]")
        lucia.browser.switch_to.alert.accept()
        lucia.until(lambda: lucia.browser.title == "Over - Power Vacuum")
        assert "Won by fritz" in lucia.text("#status")
        lucia.go("/g/g1")
        assert "referee" in lucia.text(".eyes")
        lucia.click(".more summary")
        lucia.find("#note").send_keys("a pity")
        lucia.click("#note-form button")
        lucia.told("a pity")


# the lobby --------------------------------------------------------------------------------------------


def test_a_game_is_started_and_an_open_seat_taken(turnlog: Turnlog, sit: Callable[..., Tab]) -> None:
    """From the lobby both get to the game's page, each with a seat; the seat is nobody else's any more."""
    lucia, fritz = sit("127.0.0.1"), sit("localhost")
    with lucia:
        lucia.go("/")
        Select(lucia.find("#slug")).select_by_value("power-vacuum")
        lucia.find("#seat-1").send_keys("lucia")
        lucia.find("#seat-2").send_keys("a guest")
        Select(lucia.find("#others")).select_by_value("open")
        lucia.click("#create .main")
        lucia.until(lambda: "/g/" in lucia.browser.current_url)
        assert "lucia" in lucia.text(".eyes [aria-current]")
    with fritz:
        fritz.go("/")
        assert "lucia, a guest" in fritz.text("[aria-labelledby=open]")
        fritz.click("[data-act=take]")
        fritz.until(lambda: "/g/" in fritz.browser.current_url)
        assert fritz.text(".eyes [aria-current]") == "a guest"
        fritz.go("/")
        assert "No seat is open" in fritz.text("[aria-labelledby=open]")
        assert "you are a guest" in fritz.text("[aria-labelledby=mine]")
    game = turnlog.ok("list", "--json").lines[0]
    assert game["seats"] == ["lucia", "a guest"]
    mover = lucia if game["to_move"] == ["lucia"] else fritz
    with mover:
        mover.go("/")
        assert mover.browser.title == "Your turn - turnlog"
        assert mover.text(".games .yours strong") == "Your turn"
        game_id, [seat] = game["game"], game["to_move"]
        turnlog.play(game_id, turnlog.json("moves", game_id, "--as", seat)["moves"][0])
        mover.script("document.dispatchEvent(new Event('visibilitychange'))")
        mover.until(lambda: mover.browser.title == "turnlog")
        assert "1 moves" in mover.text("[aria-labelledby=mine]")


def test_links_are_made_and_results_are_listed(table: Turnlog, sit: Callable[..., Tab]) -> None:
    """An owner's page makes links that work; a public game that is over is among the results."""
    owner, guest = sit("127.0.0.1"), sit("localhost")
    with owner:
        owner.join(invited(table, "g1", "owner"))
        owner.click(".more summary")
        owner.click("[data-act=invite][data-who=fritz]")
        link: str = owner.find(".seats input").get_attribute("value") or ""
        owner.click("[data-act=public]")
        owner.until(lambda: "Anybody may watch" in owner.text("#said"))
    with guest:
        guest.go("/")
        assert "lucia, fritz" in guest.text("[aria-labelledby=public]")
        guest.join(link.partition("#")[2])
        assert guest.text(".eyes [aria-current]") == "fritz"
        table.ok("close", "g1", "--as", "fritz")
        guest.until(lambda: guest.browser.title.startswith("Over"))
        guest.go("/")
        assert "won by lucia" in guest.text("[aria-labelledby=over]")


def test_several_people_at_one_browser_choose_as_whom(table: Turnlog, sit: Callable[..., Tab]) -> None:
    """Each seat has its own view of the page, and acts for itself."""
    with sit() as both:
        for who in ("lucia", "fritz"):
            both.join(invited(table, "g1", who))
        both.find(".eyes").find_element(By.LINK_TEXT, "fritz").click()
        both.until(lambda: both.browser.title == "lucia to move - Power Vacuum")
        table.ok("play", "g1", *moves(table)[-1].split())
        answer = moves(table)[0]
        both.click(f"[data-move='{answer}']", times=2)
        both.until(lambda: last_move(table) == answer)


def test_a_link_on_another_site_leads_to_the_own_seat(table: Turnlog, sit: Callable[..., Tab]) -> None:
    """Though a browser sends no cookie along with the first request."""
    with sit() as lucia:
        lucia.join(invited(table, "g1", "lucia"))
        lucia.browser.get(lucia.origin.replace("127.0.0.1", "localhost"))
        lucia.script("location.href = arguments[0]", f"{lucia.origin}/g/g1")
        lucia.until(lambda: lucia.text(".eyes [aria-current]") == "lucia")


# pages as such ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_game_fits_every_screen(game: Any, turnlog: Turnlog, sit: Callable[..., Tab]) -> None:
    """At 360 px the page is no wider than the screen; all can be read, light and dark; no name is markup."""
    log = opened(turnlog.db)
    table = lively(log, game, seats_for(game, HOSTILE), moves=14)
    seat = table.to_move[0] if table.to_move else 0
    log.close()
    with sit() as viewer:
        viewer.join(invited(turnlog, table.id, str(seat + 1)))
        for width, height, dark in ((1280, 900, False), (360, 740, True)):
            resize(viewer.browser, width, height, dark=dark)
            assert viewer.script("return document.documentElement.scrollWidth") <= width
            ratio, where = viewer.script(CONTRAST)
            assert ratio >= 4.5, where
        assert not viewer.browser.find_elements(By.CSS_SELECTOR, "img, body script, #told b, .eyes b")
        assert "pwned" not in viewer.browser.title
        source = viewer.text("#told") + viewer.text("header")
        assert NOTES[0] in source
        assert HOSTILE[0] in source
        resize(viewer.browser, 360, 740)
        viewer.go("/")
        assert viewer.script("return document.documentElement.scrollWidth") <= 360
