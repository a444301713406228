"""Exported pages in a browser: every registered game stepped through, resized, and tempted to mischief."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from itertools import groupby, pairwise
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from selenium import webdriver
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.webelement import WebElement
from selenium.webdriver.support.ui import Select, WebDriverWait

from engines.kit.boards import drawn, plain
from engines.kit.game import Game
from engines.kit.secrecy import REFEREE, Viewer
from engines.registry import all_games
from replays.html import html
from replays.walk import Told, note_text, notes_by_event, walk
from tests.chromium import CHROMIUM, CONTRAST, DRIVER, resize
from tests.lively_games import HOSTILE, NOTES, REASON, lively, opened, seats_for, think_little

pytestmark = pytest.mark.skipif(
    not (CHROMIUM and DRIVER), reason="pages are tested in chromium and chromedriver, which are not installed here"
)
EVERY_GAME = pytest.mark.parametrize("page", all_games(), ids=lambda game: game.slug, indirect=True)
ANY_GAME = pytest.mark.parametrize("page", all_games()[:1], ids=lambda game: game.slug, indirect=True)

#: All boards that the page shows, step by step, by its own button: what `drawn` would show of their panels.
ALL_BOARDS = """
    const click = (id) => document.getElementById(id).click();
    click("first");
    const found = [];
    for (let step = 0; step < arguments[0]; step++) {
      const current = document.querySelectorAll("#told li[aria-current]");
      found.push([
        [...current].map((item) => item.dataset.seq).join(),
        [...document.querySelectorAll("#board h3, #board pre")].map((part) => part.textContent).join("\\n"),
        document.getElementById("now").textContent,
      ]);
      click("next");
    }
    return found;
"""
#: Where the page says that it is: the marked events of the list, the text beside the slider, the slider's own.
AT = """
    const marked = document.querySelectorAll("#told li[aria-current='step']");
    return [
      [...marked].map((item) => item.dataset.seq),
      document.getElementById("where").textContent,
      document.getElementById("slider").getAttribute("aria-valuetext"),
    ];
"""
#: How wide the page is at most, for any viewer, at each fifth event, others for each viewer.
WIDEST = """
    const slider = document.getElementById("slider"), select = document.getElementById("viewer");
    let widest = 0;
    for (const option of select.options) {
      select.value = option.value;
      select.dispatchEvent(new Event("change"));
      for (let step = Number(option.value) % 5; step <= slider.max; step += 5) {
        slider.value = step;
        slider.dispatchEvent(new Event("input"));
        widest = Math.max(widest, document.documentElement.scrollWidth);
      }
    }
    return widest;
"""
#: What the page's list tells.
ALL_TOLD = "return [...document.querySelectorAll('#told .text')].map((text) => text.textContent)"
#: Each event of the list: whether it is set apart, and all that it says.
ALL_ITEMS = """
    const items = [...document.querySelectorAll("#told li")];
    return items.map((item) => [item.classList.contains("undone"), item.innerText]);
"""


class Page:
    """An exported page in the browser, with the game it was made of."""

    def __init__(self, browser: webdriver.Chrome, game: Game, folder: Path) -> None:
        self.browser, self.game = browser, game
        self.log = opened(folder / f"{game.slug}.db")
        persons = seats_for(game, HOSTILE, bots=1)
        self.table = lively(self.log, game, persons, moves=14)
        self.steps = list(walk(self.table, REFEREE))
        self.seqs = [step.seq for step in self.steps]
        with pytest.MonkeyPatch.context() as patched:
            think_little(patched)
            self.text = "\n".join(html(self.table, REFEREE))
        self.file = folder / f"{game.slug}.html"
        self.file.write_text(self.text)

        self.opened = False

    def open(self, link: str = "", width: int = 1280, height: int = 900, *, dark: bool = False) -> None:
        """Opens the page anew."""
        self.browser.get("about:blank")
        self.browser.get_log("browser")
        self.browser.get_log("performance")
        resize(self.browser, width, height, dark=dark)
        self.browser.get(self.file.as_uri() + link)
        self.opened = True

    def script(self, text: str, *arguments: object) -> Any:
        """What a script in the page gives."""
        return self.browser.execute_script(text, *arguments)

    def find(self, selector: str) -> WebElement:
        """The first element that a selector fits."""
        return self.browser.find_element(By.CSS_SELECTOR, selector)

    def click(self, selector: str) -> None:
        """Clicks where a person would."""
        self.find(selector).click()

    def press(self, *keys: str) -> None:
        """Presses keys, whatever has the focus."""
        ActionChains(self.browser).send_keys(*keys).perform()

    @property
    def at(self) -> int:
        """The event the page is at: marked in the list, told beside the slider, and told by it."""
        current, where, told = self.script(AT)
        (seq,) = current
        assert where.removesuffix(" (undone)") == f"event {seq} of {self.seqs[-1]}"
        assert told == f"event {seq}"
        return int(seq)

    def shows(self, viewer: Viewer) -> None:
        """Holds every board and sentence that the page shows to what `viewer` is shown elsewhere."""
        steps = list(walk(self.table, viewer))
        for found, step in zip(self.script(ALL_BOARDS, len(steps)), steps, strict=True):
            assert found == [str(step.seq), board_text(step), "\n".join(step.sentences)]

    def silent(self) -> None:
        """Holds the page to have neither complained nor asked anybody for anything."""
        if not self.opened:
            return
        assert self.browser.get_log("browser") == []
        messages = str(self.browser.get_log("performance"))
        asked = re.findall(r'"Network\.requestWillBeSent".*?"url":"(.*?)"', messages)
        assert asked, "the log of requests is empty: not even the page itself is in it"
        assert {url.partition("#")[0] for url in asked} <= {self.file.as_uri(), "data:,"}


def board_text(step: Told) -> str:
    """A board as the page has it: titles and lines of its panels, one after another."""
    parts: list[str] = []
    for panel in (panel for row in step.board.rows for panel in row):
        if panel.title:
            parts.append(panel.title)
        if panel.lines:
            parts.append("".join(plain(line) + "\n" for line in panel.lines))
    return "\n".join(parts)


@pytest.fixture(scope="session")
def pages(browser: webdriver.Chrome, tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, Page]]:
    """The pages made so far, by slug."""
    made: dict[str, Page] = {}
    yield made
    for page in made.values():
        page.log.close()


@pytest.fixture
def page(
    request: pytest.FixtureRequest,
    browser: webdriver.Chrome,
    pages: dict[str, Page],
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Page]:
    """The page of a game. Whatever a test does with it, it neither complains nor asks anybody for anything."""
    game: Game = request.param
    if game.slug not in pages:
        pages[game.slug] = Page(browser, game, tmp_path_factory.mktemp("page"))
    pages[game.slug].opened = False
    yield pages[game.slug]
    pages[game.slug].silent()


@EVERY_GAME
def test_every_step_shows_the_terminals_board(page: Page) -> None:
    """Stepped through from the first event to the last, the page has the terminal's boards and sentences."""
    page.open()
    assert page.at == page.seqs[-1]
    page.shows(REFEREE)
    assert page.at == page.seqs[-1]


@EVERY_GAME
def test_the_seat_can_be_switched(page: Page) -> None:
    """Each seat, spectator and referee see their own boards and sentences, chosen from the list or with a key."""
    page.open()
    select = Select(page.find("#viewer"))
    names = [*page.table.names, "spectator"]
    assert [option.text.strip() for option in select.options] == ["all (referee)", *names]
    viewers: list[Viewer] = [*range(len(page.table.names)), None]
    for place, viewer in enumerate(viewers, 1):
        if place == 1:
            select.select_by_index(place)
        else:
            page.script("document.activeElement.blur()")
            page.press("v")
        if viewer in (0, None):
            page.shows(viewer)
        told = [" ".join(step.sentences) for step in walk(page.table, viewer)]
        assert (
            page.script("return [...document.querySelectorAll('#told .text')].map((t) => t.textContent)") == told
        )
    page.press("v")
    assert page.find("#viewer").get_attribute("value") == "0"


def turns(steps: list[Told], key: str) -> list[int]:
    """The first event, and each after which other seats are to move, or another round is on."""
    changed = [step.seq for before, step in pairwise(steps) if getattr(before, key) != getattr(step, key)]
    return [steps[0].seq, *changed]


@EVERY_GAME
def test_buttons_and_keys_walk(page: Page) -> None:
    """Buttons and their keys go by events, turns and rounds, to the ends, and no further."""
    page.open()
    seqs = page.seqs
    for first, forward, back, last in (
        ("#first", "#next", "#back", "#last"),
        (Keys.HOME, Keys.ARROW_RIGHT, Keys.ARROW_LEFT, Keys.END),
    ):

        def do(*which: str, keys: bool = first != "#first") -> int:
            if keys:
                page.press(*which)
            else:
                for selector in which:
                    page.click(selector)
            return page.at

        assert do(first) == seqs[0]
        assert do(back) == seqs[0]
        assert do(forward, forward) == seqs[2]
        assert do(back) == seqs[1]
        assert do(last, forward) == seqs[-1]
    by_turn = turns(page.steps, "to_move")
    page.press(Keys.HOME, "]")
    assert page.at == by_turn[1]
    page.click("#turn-next")
    assert page.at == by_turn[2]
    by_round = turns(page.steps, "round")
    page.press(Keys.HOME)
    assert page.find("#round-next").is_displayed() == (len(by_round) > 1)
    if len(by_round) > 1:
        page.click("#round-next")
        assert page.at == by_round[1]
        page.press("{")
        assert page.at < by_round[1]


@EVERY_GAME
def test_the_slider_seeks(page: Page) -> None:
    """A click on the middle of the slider goes to the middle of the game, the arrow keys from there by one."""
    page.open()
    page.click("#slider")
    middle = page.seqs.index(page.at)
    assert abs(middle - (len(page.seqs) - 1) / 2) <= 1
    page.press(Keys.ARROW_RIGHT)
    assert page.at == page.seqs[middle + 1]
    page.press(Keys.HOME)
    assert page.at == page.seqs[0]


@EVERY_GAME
def test_every_event_has_a_link(page: Page) -> None:
    """`#seq` opens the page at that event, a note's at the event it is about, with the board on the screen."""
    undone = next(step.seq for step in page.steps if not step.stands)
    noted = notes_by_event(page.table)[1][0].seq
    for link, seq in ((undone, undone), (noted, 1), (10**9, page.seqs[-1])):
        page.open(f"#{link}", width=360, height=740)
        assert page.at == seq
        assert page.script("return scrollY") == 0
    assert "(undone)" not in page.find("#where").text
    page.script("location.hash = arguments[0]", f"#{undone}")
    WebDriverWait(page.browser, 5).until(lambda _: page.at == undone)
    assert "(undone)" in page.find("#where").text
    page.press(Keys.ARROW_LEFT)
    before = page.seqs[page.seqs.index(undone) - 1]
    assert page.script("return location.hash") == f"#{before}"
    page.click(f"#told li[data-seq='{before}'] > a")
    assert page.at == before


@EVERY_GAME
def test_undone_moves_are_side_lines(page: Page) -> None:
    """Moves that were taken back are set apart, and told to be undone in words as well."""
    page.open()
    for step, (marked, text) in zip(page.steps, page.script(ALL_ITEMS), strict=True):
        assert marked != step.stands
        assert ("(undone)" in text) != step.stands
    assert any(not step.stands for step in page.steps)
    reason = next(step for step in page.steps if REASON in " ".join(step.sentences))
    assert REASON in page.find(f"#told li[data-seq='{reason.seq}']").text


@EVERY_GAME
def test_light_and_dark_can_be_read(page: Page) -> None:
    """The page is as bright as the system is, and every text stands out from its ground."""
    grounds: list[float] = []
    for dark in (False, True):
        page.open("#2", dark=dark)
        colour = page.script("return getComputedStyle(document.body).backgroundColor")
        grounds.append(sum(map(int, re.findall(r"\d+", colour)[:3])) / 3)
        least, where = page.script(CONTRAST)
        assert least >= 4.5, f"{where!r} has a contrast of {least:.1f} in {'dark' if dark else 'light'}"
    assert grounds[0] > 200
    assert grounds[1] < 60


@EVERY_GAME
def test_a_narrow_screen_scrolls_one_way_only(page: Page) -> None:
    """At 360 px nothing of the page is out of sight sideways, and the board is on the first screen."""
    page.open(width=360, height=740)
    assert page.script(WIDEST) <= 360
    assert page.script("return document.getElementById('board').getBoundingClientRect().top") < 600
    for control in page.browser.find_elements(By.CSS_SELECTOR, "#player button, #player select, #player input"):
        if control.is_displayed():
            assert control.rect["x"] >= 0
            assert control.rect["x"] + control.rect["width"] <= 360


@EVERY_GAME
def test_no_name_or_note_runs_or_makes_an_element(page: Page) -> None:
    """Names, notes and reasons are texts: they are all there to read, and nothing in them came to life."""
    page.open()
    page.shows(REFEREE)
    assert page.script("return document.title") == f"{page.game.title}: game {page.table.id}"
    assert page.script("return [...document.scripts].map((s) => s.id || s.type)") == ["data", ""]
    assert page.script("return document.querySelectorAll('img, b, em, iframe, object, form, base').length") == 0
    assert page.script("return [...document.links].every((a) => /#\\d+$/.test(a.href))")
    text = page.script(
        "return document.querySelector('header').textContent + document.querySelector('main').textContent"
    )
    for said in (*NOTES, *page.table.names):
        assert said in text
    policy = page.find("meta[http-equiv]").get_attribute("content") or ""
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


@EVERY_GAME
def test_a_keyboard_is_enough(page: Page) -> None:
    """Every control is reached with Tab, shows that it is, and does its work from there."""
    page.open("#1")
    reached: list[str] = []
    for _ in range(40):
        page.press(Keys.TAB)
        focused = page.browser.switch_to.active_element
        name = focused.get_attribute("id") or ""
        if name == "told":
            break
        reached.append(name)
        if name in ("first", "slider", "viewer"):
            assert page.script("return getComputedStyle(document.activeElement).outlineStyle") == "solid"
        if name == "next":
            page.press(Keys.ENTER)
            assert page.at == page.seqs[1]
            page.press(Keys.ARROW_RIGHT)
            assert page.at == page.seqs[2]
        if name == "viewer":
            page.press(Keys.ARROW_DOWN)
            assert focused.get_attribute("value") == "1"
            assert page.at == page.seqs[2]
    shown = page.script(
        "return [...document.querySelectorAll('#player button, #player select, #player input')]"
        ".filter((c) => c.checkVisibility()).map((c) => c.id)"
    )
    assert [name for name in reached if name in shown] == shown
    assert name == "told"
    page.press(Keys.TAB, Keys.ENTER)
    assert page.at == page.seqs[0]


@EVERY_GAME
def test_a_screen_reader_is_told(page: Page) -> None:
    """Controls have names, the slider says where it is, what happens is told as it is stepped to."""
    page.open()
    for control in page.browser.find_elements(By.CSS_SELECTOR, "button, select, input"):
        assert control.accessible_name or not control.is_displayed()
    assert page.find("#slider").aria_role == "slider"
    assert page.find("#told").aria_role == "region"
    assert page.find("#told").accessible_name == "What happened"
    assert page.find("#player").accessible_name == "Walk through the game"
    assert page.find("#now").get_attribute("aria-live") == "polite"
    assert page.find("html").get_attribute("lang") == "en"
    assert page.find("#now").text == "\n".join(page.steps[-1].sentences)


@ANY_GAME
def test_it_plays_on_by_itself(page: Page) -> None:
    """Play steps on at the chosen speed until it is stopped, or the game is over; from the end it starts anew."""
    page.open()
    wait = WebDriverWait(page.browser, 20, poll_frequency=0.05)
    Select(page.find("#speed")).select_by_value("400")
    page.click("#play")
    assert page.find("#play").text == "Pause"
    wait.until(lambda _: page.find("#slider").get_attribute("value") in ("1", "2"))
    page.click("#play")
    assert page.find("#play").text == "Play"
    assert page.at in page.seqs[1:4]
    Select(page.find("#speed")).select_by_value("120")
    page.script("document.activeElement.blur()")
    page.press(" ")
    wait.until(lambda _: page.find("#play").text == "Play")
    assert page.at == page.seqs[-1]


@ANY_GAME
def test_a_page_for_one_seat_has_no_other(page: Page, monkeypatch: pytest.MonkeyPatch) -> None:
    """A page made for a seat shows that seat's boards, and the list of who sees holds nobody else."""
    own = page.file.with_name("own.html")
    think_little(monkeypatch)
    own.write_text("\n".join(html(page.table, 0)))
    whole, page.file = page.file, own
    try:
        page.open()
        assert [option.text for option in Select(page.find("#viewer")).options] == [page.table.names[0]]
        page.shows(0)
        page.silent()
    finally:
        page.file, page.opened = whole, False


# without scripts --------------------------------------------------------------------------------------


class Item(NamedTuple):
    """An event in the page's list, as its HTML has it."""

    seq: str
    undone: bool
    text: str
    notes: list[str]
    links: list[str]


class Reader(HTMLParser):
    """What a browser without scripts makes of a page: its list of events, headings, what stands in noscript."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.items: list[Item] = []
        self.headings: list[str] = []
        self.board = ""
        self.tags: set[str] = set()
        self._open: list[tuple[str, str]] = []
        self._parts: dict[str, str] = {}

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        given = {key: value or "" for key, value in attrs}
        if tag == "li" and "id" in given:
            self.items.append(Item(given["id"], "undone" in given.get("class", ""), "", [], []))
        if tag == "a" and self.items and self._open and self._open[-1][0] == "li":
            self.items[-1].links.append(given["href"])
        if tag == "blockquote":
            self.items[-1].notes.append("")
        if tag == "h3":
            self.headings.append("")
        if tag not in ("meta", "link", "input"):
            self._open.append((tag, given.get("class", "")))

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop()[0] == tag

    def handle_data(self, data: str) -> None:
        within = [tag for tag, _ in self._open]
        if self._open and self._open[-1] == ("span", "text"):
            self.items[-1] = self.items[-1]._replace(text=self.items[-1].text + data)
        elif "blockquote" in within:
            self.items[-1].notes[-1] += data
        elif "h3" in within:
            self.headings[-1] += data
        elif "noscript" in within and "pre" in within:
            self.board += data


@EVERY_GAME
def test_without_scripts_the_whole_game_is_told(page: Page) -> None:
    """The HTML holds every event with its number as a link, notes, side lines, rounds and the last board."""
    reader = Reader()
    reader.feed(page.text)
    assert [item.seq for item in reader.items] == [str(seq) for seq in page.seqs]
    for item, step in zip(reader.items, page.steps, strict=True):
        assert item.text == " ".join(step.sentences)
        assert item.undone != step.stands
        assert item.links == [f"#{step.seq}"]
    written = notes_by_event(page.table)
    for item in reader.items:
        assert item.notes == [note_text(page.table.names, note) for note in written.get(int(item.seq), [])]
    assert len(NOTES) == sum(len(item.notes) for item in reader.items)
    rounds = [number for number, _ in groupby(step.round for step in page.steps)]
    assert reader.headings == [f"Round {number}" for number in rounds if number]
    assert reader.board == drawn(page.steps[-1].board)
    assert not reader.tags & {"img", "b", "iframe", "object", "form"}


@ANY_GAME
def test_a_browser_without_scripts_shows_it(page: Page) -> None:
    """With scripts off the controls are gone, the last board is there and the list runs down the page."""
    page.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": True})
    try:
        page.open(width=360, height=740)
        assert not page.find("#player").is_displayed()
        assert page.find("noscript pre").text.split() == drawn(page.steps[-1].board).split()
        assert len(page.browser.find_elements(By.CSS_SELECTOR, "#told li")) == len(page.steps)
    finally:
        page.browser.execute_cdp_cmd("Emulation.setScriptExecutionDisabled", {"value": False})


@EVERY_GAME
def test_nothing_in_the_file_names_another_place(page: Page) -> None:
    """No address of the network stands in the page where a browser would follow it."""
    outside = re.sub(r'<script type="application/json".*?</script>', "", page.text, flags=re.S)
    assert not re.search(r"(?:src|href|action|url\()\s*=?\s*[\"']?\s*(?:https?:)?//", outside)
    assert "@import" not in outside
