"""The terminal player of `replay`, made with Textual: the extra `turnlog[tui]`, loaded only when it is started."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Footer, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from engines.kit.boards import Board, Line, drawn_lines
from engines.kit.secrecy import REFEREE, Viewer
from engines.table import Table
from replays.walk import Told, note_text, notes_by_event, walk

_STYLES = {
    "plain": "",
    "strong": "bold",
    "dim": "dim",
    "good": "green",
    "bad": "red",
    "brown": "dark_orange3",
    "white": "bold",
}

_SPEEDS = (0.5, 1.0, 2.0, 4.0, 8.0)


def styled(spans: Line) -> Text:
    """A line of a board."""
    return Text.assemble(*((span.text, _STYLES.get(span.tone, span.tone)) for span in spans))


def board_text(board: Board) -> Text:
    """A board as the terminal shows it."""
    return Text("\n").join(styled(line) for line in drawn_lines(board))


class Prompt(Input):
    """A line to type in; Escape leaves it."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "leave", "Leave", show=False)]

    def action_leave(self) -> None:
        """Gives the keys back to the player."""
        self.display = False
        self.screen.set_focus(None)


class Player(App[None]):
    """Walks through one game.

    :param note: writes a note about an event and gives the table as it is then
    """

    CSS = """
    #board { width: 84; padding: 0 1; }
    #story { width: 1fr; border-left: solid $primary; }
    #where { dock: top; height: 1; background: $panel; padding: 0 1; }
    Prompt { dock: bottom; display: none; margin-bottom: 1; }
    OptionList { border: none; height: 1fr; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", "Forward", priority=True),
        Binding("left", "step(-1)", "Back", priority=True),
        Binding("right_square_bracket", "turn(1)", "Next turn", key_display="]"),
        Binding("left_square_bracket", "turn(-1)", "Last turn", key_display="[", show=False),
        Binding("right_curly_bracket", "round(1)", "Next round", key_display="}"),
        Binding("left_curly_bracket", "round(-1)", "Last round", key_display="{", show=False),
        Binding("home", "end(False)", "First", show=False),
        Binding("end", "end(True)", "Last", show=False),
        Binding("g", "ask('go')", "Go to"),
        Binding("space", "play", "Play"),
        Binding("plus", "speed(1)", "Faster", key_display="+", show=False),
        Binding("minus", "speed(-1)", "Slower", key_display="-", show=False),
        Binding("v", "viewer", "Seat"),
        Binding("slash", "ask('search')", "Search", key_display="/"),
        Binding("n", "again", "Again"),
        Binding("a", "ask('note')", "Note"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(
        self, table: Table, viewer: Viewer, first: int = 1, note: Callable[[int, str], Table] | None = None
    ) -> None:
        super().__init__()
        self.table = table
        self.viewers: list[Viewer] = [REFEREE, *range(len(table.names)), None]
        self.viewer = viewer
        self.first = first
        self._note = note
        self.at = 0
        self.speed = 1
        self.playing = False
        self.asked = ""
        self.sought = ""
        self.steps: list[Told] = []

    def compose(self) -> ComposeResult:
        """The board, what happened, and a line to type in."""
        yield Label(id="where")
        with Horizontal():
            with VerticalScroll(id="board"):
                yield Static(id="drawn")
                yield Static(id="told")
            yield OptionList(id="story")
        yield Prompt(id="prompt")
        yield Footer()

    def on_mount(self) -> None:
        """Loads the game."""
        self._timer = self.set_interval(1 / _SPEEDS[self.speed], self._tick, pause=True)
        self._load()
        self.go(next((i for i, step in enumerate(self.steps) if step.seq >= self.first), 0))
        self.query_one("#story", OptionList).focus()

    def _load(self) -> None:
        self.steps = list(walk(self.table, self.viewer))
        notes = notes_by_event(self.table)
        story = self.query_one("#story", OptionList)
        story.clear_options()
        for step in self.steps:
            text = Text(f"{step.seq:>4}  " + (" ".join(step.sentences) or "..."))
            if not step.stands:
                text = Text("  ~ ") + text
                text.stylize("dim")
            for note in notes.get(step.seq, []):
                text.append(f"\n      > {note_text(self.table.names, note)}", "italic")
            story.add_option(Option(text, id=str(step.seq)))

    def go(self, to: int) -> None:
        """Shows step `to`, or the nearest there is."""
        self.at = max(0, min(len(self.steps) - 1, to))
        step = self.steps[self.at]
        self.query_one("#drawn", Static).update(board_text(step.board))
        self.query_one("#told", Static).update(Text("\n" + "\n".join(step.sentences)))
        story = self.query_one("#story", OptionList)
        story.highlighted = self.at
        story.scroll_to_highlight()
        who = "referee" if self.viewer == REFEREE else "spectator"
        if self.viewer is not None and self.viewer != REFEREE:
            who = self.table.names[self.viewer]
        undone = "" if step.stands else " (undone)"
        playing = f"  playing, {_SPEEDS[self.speed]:g} a second" if self.playing else ""
        self.query_one("#where", Label).update(
            Text(
                f"{self.table.game.title}, game {self.table.id}: event {step.seq}{undone} of "
                f"{self.steps[-1].seq}, seen by {who}{playing}"
            )
        )

    # keys ----------------------------------------------------------------------------------------------

    def action_step(self, by: int) -> None:
        """Forward or back one event."""
        self.go(self.at + by)

    def _seek(self, by: int, key: Callable[[Told], object]) -> None:
        here = key(self.steps[self.at])
        to = self.at
        while 0 <= to + by < len(self.steps):
            to += by
            if key(self.steps[to]) != here:
                break
        self.go(to)

    def action_turn(self, by: int) -> None:
        """To where other seats are to move."""
        self._seek(by, lambda step: step.to_move)

    def action_round(self, by: int) -> None:
        """To another round."""
        self._seek(by, lambda step: step.round)

    def action_end(self, last: bool) -> None:
        """To the first or the last event."""
        self.go(len(self.steps) - 1 if last else 0)

    def action_play(self) -> None:
        """Plays on by itself, or stops that."""
        self.playing = not self.playing
        if self.playing:
            self._timer.resume()
        else:
            self._timer.pause()
        self.go(self.at)

    def _tick(self) -> None:
        if self.at + 1 >= len(self.steps):
            self.action_play()
        else:
            self.go(self.at + 1)

    def action_speed(self, by: int) -> None:
        """Plays faster or slower."""
        self.speed = max(0, min(len(_SPEEDS) - 1, self.speed + by))
        self._timer.stop()
        self._timer = self.set_interval(1 / _SPEEDS[self.speed], self._tick, pause=not self.playing)
        self.go(self.at)

    def action_viewer(self) -> None:
        """Sees the game as the next seat does, the spectator, or the referee."""
        self.viewer = self.viewers[(self.viewers.index(self.viewer) + 1) % len(self.viewers)]
        at = self.at
        self._load()
        self.go(at)

    def action_ask(self, what: str) -> None:
        """Opens the line to type in."""
        if what == "note" and self._note is None:
            self.notify("This database cannot be written to, so no note can be added.", severity="warning")
            return
        self.asked = what
        prompt = self.query_one("#prompt", Prompt)
        prompt.placeholder = {
            "go": "the number of an event",
            "search": "a word to look for in what happened",
            "note": f"a note on event {self.steps[self.at].seq}",
        }[what]
        prompt.value = ""
        prompt.display = True
        prompt.focus()

    @on(Input.Submitted)
    def answer(self, event: Input.Submitted) -> None:
        """Does what was typed."""
        prompt = self.query_one("#prompt", Prompt)
        prompt.display = False
        self.query_one("#story", OptionList).focus()
        text = event.value.strip()
        if not text:
            return
        if self.asked == "go":
            self._go_to(text)
        elif self.asked == "search":
            self.sought = text.casefold()
            self.action_again()
        elif self._note is not None:
            self.table = self._note(self.steps[self.at].seq, text)
            at = self.at
            self._load()
            self.go(at)

    def _go_to(self, text: str) -> None:
        found = [i for i, step in enumerate(self.steps) if str(step.seq) == text]
        if found:
            self.go(found[0])
        else:
            self.notify(f"There is no event {text[:20]!r}: 1 to {self.steps[-1].seq}.", severity="warning")

    def action_again(self) -> None:
        """To the next event in which the word sought is told."""
        if not self.sought:
            return
        for offset in range(1, len(self.steps) + 1):
            place = (self.at + offset) % len(self.steps)
            if self.sought in " ".join(self.steps[place].sentences).casefold():
                self.go(place)
                return
        self.notify(f"Nothing tells of {self.sought[:30]!r}.", severity="warning")

    @on(OptionList.OptionSelected)
    @on(OptionList.OptionHighlighted)
    def chosen(self, event: OptionList.OptionHighlighted | OptionList.OptionSelected) -> None:
        """Goes to an event that was picked in the list."""
        if event.option_index != self.at:
            self.go(event.option_index)
