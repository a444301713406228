"""The terminal player of `replay`: every key does what the footer says, in small terminals and large ones."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot
from textual.widgets import Footer, Input, OptionList, Static

from cli.viewer import Player, Prompt, board_text
from engines.kit.boards import drawn
from engines.kit.game import Game
from engines.kit.secrecy import REFEREE, Viewer
from engines.registry import all_games, game_of
from engines.table import Table
from events.sqlite import SqliteLog
from replays.walk import Told, walk
from tests.lively_games import BEGUN, NOTES, lively, opened, seats_for

ONCE_A_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
SIZES = pytest.mark.parametrize(
    "size", [(80, 24), (80, 40), (120, 40), (40, 12)], ids=lambda size: "x".join(map(str, size))
)

Driven = Callable[[Pilot[None]], Awaitable[None]]


class Watched(Player):
    """A player on a game that also keeps what it told its user."""

    told: list[str]

    def notify(self, message: str, **_: object) -> None:  # type: ignore[override]
        """Keeps what would be shown for some seconds."""
        self.told.append(message)


def everybody(table: Table) -> list[Viewer]:
    """Those who can look: the referee, each seat, a spectator."""
    return [REFEREE, *range(len(table.names)), None]


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    """An empty log."""
    made = opened(tmp_path / "g.db")
    yield made
    made.close()


@pytest.fixture
def table(log: SqliteLog) -> Table:
    """A game of Power Vacuum with undone lines and notes."""
    return lively(log, game_of("power-vacuum"), ("ada", "bo", "<b>cy[/]"), moves=40)


def drive(
    table: Table,
    keys: Driven,
    *,
    size: tuple[int, int] = (120, 40),
    first: int = 1,
    speed: float = 0,
    writable: bool = True,
) -> Watched:
    """Runs a player on a terminal of that size while `keys` are pressed."""

    def note(about: int, text: str) -> Table:
        table.note(about, text, now=BEGUN)
        return Table(table.log, table.id)

    player = Watched(table, everybody(table), first, speed, note if writable else None)
    player.told = []

    async def run() -> None:
        async with player.run_test(size=size) as pilot:
            await pilot.pause()
            await keys(pilot)

    asyncio.run(run())
    return player


def step(pilot: Pilot[None]) -> Told:
    """The step that the player is at; what it shows on the screen is held to it."""
    player = pilot.app
    assert isinstance(player, Player)
    at = player.steps[player.at]
    assert text_of(pilot, "#drawn").rstrip() == board_text(at.board).plain.rstrip()
    assert text_of(pilot, "#told").strip() == "\n".join(at.sentences)
    assert player.query_one("#story", OptionList).highlighted == player.at
    assert f"event {at.seq}{'' if at.stands else ' (undone)'} of " in text_of(pilot, "#where")
    return at


async def enter(pilot: Pilot[None], key: str, text: str) -> None:
    """Opens the line to type in, and enters a text there."""
    await pilot.press(key)
    pilot.app.query_one("#prompt", Input).value = text
    await pilot.press("enter")


def text_of(pilot: Pilot[None], selector: str) -> str:
    """The text of a part of the screen."""
    return str(pilot.app.query_one(selector, Static).render())


def lines_of(pilot: Pilot[None]) -> list[str]:
    """The lines of the list of what happened."""
    story = pilot.app.query_one("#story", OptionList)
    return [str(story.get_option_at_index(number).prompt) for number in range(story.option_count)]


@ONCE_A_GAME
def test_every_game_can_be_walked_through(game: Game, log: SqliteLog) -> None:
    """Forward and back, to the last event and the first and no further, with the board of `show`."""
    played = lively(log, game, seats_for(game, ("ada", "bo", "cy"), bots=1), moves=12)
    expected = [each.seq for each in walk(played, REFEREE)]

    async def keys(pilot: Pilot[None]) -> None:
        assert step(pilot).seq == 1
        await pilot.press("right", "right", "right")
        assert step(pilot).seq == expected[3]
        await pilot.press("end", "right")
        assert step(pilot).seq == expected[-1]
        shown = Table(log, played.id)
        board = game.drawn.board(shown.state, REFEREE, shown.names)
        assert text_of(pilot, "#drawn").split() == drawn(board).split()
        await pilot.press("left", "left")
        assert step(pilot).seq == expected[-3]
        await pilot.press("home", "left")
        assert step(pilot).seq == 1

    drive(played, keys)


@SIZES
def test_the_footer_names_keys_that_work(table: Table, size: tuple[int, int]) -> None:
    """Each key of the footer is bound and enabled, in every size; the log stands beside, beneath, or is hidden."""

    async def keys(pilot: Pilot[None]) -> None:
        player = pilot.app
        shown = [binding for _, binding, enabled, _ in player.screen.active_bindings.values() if enabled]
        named = {binding.key for binding in shown if binding.show}
        assert {"right", "g", "space", "v", "s", "slash", "n", "a", "q"} <= named
        assert {"right_square_bracket", "right_curly_bracket"} <= named
        assert player.query(Footer)
        board, story = player.query_one("#board"), player.query_one("#story")
        if size == (120, 40):
            assert story.region.x >= board.region.right
        elif size == (80, 40):
            assert story.region.y >= board.region.bottom
        else:
            assert not story.display
        assert board.region.width >= min(80, size[0])
        hidden = not story.display
        await pilot.press("s")
        assert story.display == hidden
        await pilot.press("right", "s", "right")
        assert step(pilot).seq == 3

    drive(table, keys, size=size)


def test_turns_and_rounds(table: Table) -> None:
    """`]` and `[` go to where others are to move, `}` and `{` to where another round is on."""
    steps = list(walk(table, REFEREE))

    async def keys(pilot: Pilot[None]) -> None:
        await pilot.press("]")
        there = next(number for number, each in enumerate(steps) if each.to_move != steps[0].to_move)
        assert step(pilot).seq == steps[there].seq
        await pilot.press("[")
        assert step(pilot).seq == steps[there - 1].seq
        await pilot.press("}")
        later = [each.seq for each in steps if each.round != steps[0].round]
        assert step(pilot).seq == (later[0] if later else steps[-1].seq)
        await pilot.press("{")
        assert step(pilot).round == steps[0].round

    drive(table, keys)


def test_go_to_an_event(table: Table) -> None:
    """`g` asks for a number and goes there, for a note's to the event it is about; another number is refused."""
    note = next(row.seq for row in table.log.rows(table.id) if row.kind == "noted" and '"about":2' in row.data)

    async def keys(pilot: Pilot[None]) -> None:
        await pilot.press("g", "1", "2", "enter")
        assert step(pilot).seq == 12
        await enter(pilot, "g", str(note))
        assert step(pilot).seq == 2
        for wrong in ("0", "99", "x"):
            await enter(pilot, "g", wrong)
            assert step(pilot).seq == 2
        await pilot.press("g", "escape", "right")
        assert step(pilot).seq == 3
        await pilot.press("g", "enter", "right")
        assert step(pilot).seq == 4

    player = drive(table, keys)
    assert len(player.told) == 3
    assert all("There is no event" in text for text in player.told)


def test_while_a_line_is_typed_its_keys_are_its_own(table: Table) -> None:
    """Arrows, `q`, `v`, blanks and brackets go into the line; Escape leaves it and changes nothing."""

    async def keys(pilot: Pilot[None]) -> None:
        await pilot.press("right", "slash", "q", "v", "space", "]", "n", "left", "x", "home", "y")
        prompt = pilot.app.query_one("#prompt", Prompt)
        assert prompt.display
        assert prompt.value == "yqv ]xn"
        assert pilot.app.is_running
        await pilot.press("escape")
        assert not prompt.display
        assert step(pilot).seq == 2
        await pilot.press("right")
        assert step(pilot).seq == 3

    drive(table, keys)


def test_search_and_again(table: Table) -> None:
    """`/` finds the next event that tells of a word, or is noted with it, in any case; `n` the one after."""
    steps = list(walk(table, REFEREE))
    tells = [each.seq for each in steps if "wins the trick" in " ".join(each.sentences)]

    async def keys(pilot: Pilot[None]) -> None:
        await enter(pilot, "slash", "WINS the trick")
        assert step(pilot).seq == tells[0]
        await pilot.press("n")
        assert step(pilot).seq == tells[1]
        await pilot.press("end", "n")
        assert step(pilot).seq == tells[0]
        await enter(pilot, "slash", "calm")
        assert step(pilot).seq == 1
        await enter(pilot, "slash", "zzz")
        assert step(pilot).seq == 1

    player = drive(table, keys)
    assert player.told == ["Nothing tells of 'zzz'."]


def test_the_seat_is_switched(table: Table) -> None:
    """`v` goes from the referee to each seat, the spectator and around; the event stays, what is seen changes."""

    async def keys(pilot: Pilot[None]) -> None:
        await pilot.press("right", "right")
        for viewer, name in [*enumerate(table.names), (None, "spectator"), (REFEREE, "referee")]:
            await pilot.press("v")
            at = step(pilot)
            assert text_of(pilot, "#where").endswith(f"seen by {name}")
            expected = list(walk(table, viewer))
            assert at == expected[2]
            assert " ".join(expected[0].sentences) in lines_of(pilot)[0]

    drive(table, keys)


def test_a_note_is_written_and_shown(table: Table) -> None:
    """`a` writes a note into the log about the event shown, which is then shown with it, whatever it says."""
    last = table.seq

    async def keys(pilot: Pilot[None]) -> None:
        await pilot.press("right", "right")
        await enter(pilot, "a", "[bold]why[/] not W9?")
        assert step(pilot).seq == 3
        assert lines_of(pilot)[2].endswith("> [bold]why[/] not W9?")
        await pilot.press("a", "space", "enter", "right")
        assert step(pilot).seq == 4

    drive(table, keys)
    assert table.log.last(table.id) == last + 1
    row = table.log.row(table.id, last + 1)
    assert row is not None
    assert row.kind == "noted"
    assert '"about":3' in row.data


def test_a_note_that_is_refused_is_told(table: Table) -> None:
    """Where the table refuses a note, or the database cannot be written to, the player says so and goes on."""

    async def keys(pilot: Pilot[None]) -> None:
        await enter(pilot, "a", "x" * 10_001)
        await pilot.press("right")
        assert step(pilot).seq == 2

    assert ["at most 10000" in text for text in drive(table, keys).told] == [True]

    async def others(pilot: Pilot[None]) -> None:
        await pilot.press("a", "right")
        assert step(pilot).seq == 2

    assert ["cannot be written" in text for text in drive(table, others, writable=False).told] == [True]


def test_notes_and_undone_moves_in_the_log(table: Table) -> None:
    """Moves taken back are dimmed and marked, notes stand beneath their events as they were written."""

    async def keys(pilot: Pilot[None]) -> None:
        player = pilot.app
        assert isinstance(player, Player)
        story = player.query_one("#story", OptionList)
        for number, each in enumerate(player.steps):
            prompt = story.get_option_at_index(number).prompt
            text = str(prompt)
            assert text.startswith("  ~ ") != each.stands
            assert ("dim" in str(getattr(prompt, "spans", ""))) != each.stands
        assert any(not each.stands for each in player.steps)
        shown = "\n".join(lines_of(pilot))
        for note in NOTES:
            assert note.splitlines()[0] in shown

    drive(table, keys)


def test_it_begins_where_it_was_told_to(table: Table) -> None:
    """`--from` and `--speed` are where it begins and whether it plays."""

    async def keys(pilot: Pilot[None]) -> None:
        player = pilot.app
        assert isinstance(player, Player)
        assert player.playing
        assert player.speed == 0.5
        assert step(pilot).seq == 9

    drive(table, keys, first=9, speed=0.5)


def test_the_list_can_be_walked_with_its_own_keys(table: Table) -> None:
    """Up and down go through the list of what happened, and the board follows."""

    async def keys(pilot: Pilot[None]) -> None:
        await pilot.press("down", "down", "up")
        assert step(pilot).seq == 2

    drive(table, keys)


def test_quit(table: Table) -> None:
    """`q` ends it."""

    async def keys(pilot: Pilot[None]) -> None:
        await pilot.press("q")
        await pilot.pause()

    assert drive(table, keys).return_code == 0
