"""The terminal player of `replay`, made with Textual: the extra `turnlog[tui]`, loaded only when it is started."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Container, VerticalScroll
from textual.events import Resize
from textual.widgets import Footer, Input, Label, OptionList, Static
from textual.widgets.option_list import Option

from cli.session import viewer_name
from engines.kit.boards import Board, Line, drawn_lines
from engines.kit.errors import Refusal
from engines.kit.secrecy import Viewer
from engines.table import Table
from events.errors import LogError
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

#: Events a second, slowest and fastest.
_SLOWEST, _FASTEST = 0.25, 16.0
#: From so many columns on, what happened stands beside the board; from so many lines on, beneath it.
_WIDE, _TALL = 116, 36


def styled(spans: Line) -> Text:
    """A line of a board."""
    return Text.assemble(*((span.text, _STYLES.get(span.tone, span.tone)) for span in spans))


def board_text(board: Board) -> Text:
    """A board as the terminal shows it."""
    return Text("\n").join(styled(line) for line in drawn_lines(board))


class Prompt(Input):
    """A line to type in; Escape leaves it."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("enter", "submit", "Do it"),
        Binding("escape", "app.leave", "Leave"),
    ]


class Player(App[None]):
    """Walks through one game.

    :param viewers: whose eyes the game can be seen with, the one to begin with first
    :param first: the event to begin at
    :param speed: events a second, played on from the start; 0 waits for keys
    :param note: writes a note about an event and gives the table as it is then
    """

    CSS = """
    #board { padding: 0 1; overflow: auto auto; scrollbar-size: 1 1; }
    #drawn { width: auto; text-wrap: nowrap; }
    #told { width: 80; max-width: 100%; }
    #story { border: none; scrollbar-size-vertical: 1; }
    #where { dock: top; height: 1; width: 100%; background: $panel; padding: 0 1; }
    #where { text-wrap: nowrap; text-overflow: ellipsis; }
    Prompt { dock: bottom; display: none; margin-bottom: 1; }
    Screen.-wide #both { layout: horizontal; }
    Screen.-wide #board { width: 84; height: 1fr; }
    Screen.-wide #story { width: 1fr; height: 1fr; border-left: solid $primary; }
    Screen.-narrow #both { layout: vertical; }
    Screen.-narrow #board { width: 1fr; height: 1fr; padding: 0; scrollbar-size: 0 0; }
    Screen.-narrow #story { width: 1fr; height: 40%; border-top: solid $primary; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("right", "step(1)", "Step", priority=True, key_display="\u2190\u2192"),
        Binding("left", "step(-1)", "Back", priority=True, show=False),
        Binding("right_square_bracket", "turn(1)", "Turn", key_display="[]"),
        Binding("left_square_bracket", "turn(-1)", "Last turn", show=False),
        Binding("right_curly_bracket", "round(1)", "Round", key_display="{}"),
        Binding("left_curly_bracket", "round(-1)", "Last round", show=False),
        Binding("home", "end(False)", "First", show=False, priority=True),
        Binding("end", "end(True)", "Last", show=False, priority=True),
        Binding("g", "ask('go')", "Go"),
        Binding("space", "play", "Play", key_display="spc"),
        Binding("plus", "speed(2)", "Faster", key_display="+", show=False),
        Binding("minus", "speed(0.5)", "Slower", key_display="-", show=False),
        Binding("v", "viewer", "Seat"),
        Binding("s", "story", "Log"),
        Binding("slash", "ask('search')", "Find", key_display="/"),
        Binding("n", "again", "Next"),
        Binding("a", "ask('note')", "Note"),
        Binding("q", "quit", "Quit"),
    ]

    def __init__(
        self,
        table: Table,
        viewers: Sequence[Viewer],
        first: int = 1,
        speed: float = 0,
        note: Callable[[int, str], Table] | None = None,
    ) -> None:
        super().__init__()
        self.table = table
        self.viewers = list(viewers)
        self.viewer = self.viewers[0]
        self.first = first
        self._note = note
        self.at = 0
        self.speed = min(_FASTEST, max(_SLOWEST, speed or 1.0))
        self.playing = speed > 0
        self.asked = ""
        self.sought = ""
        self.steps: list[Told] = []
        self._texts: list[str] = []
        #: Whether what happened is shown; None as the terminal's size has it.
        self._story: bool | None = None

    def compose(self) -> ComposeResult:
        """The board, what happened, and a line to type in."""
        yield Label(id="where")
        with Container(id="both"):
            with VerticalScroll(id="board"):
                yield Static(id="drawn")
                yield Static(id="told")
            yield OptionList(id="story")
        yield Prompt(id="prompt")
        yield Footer(compact=True)

    def on_mount(self) -> None:
        """Loads the game."""
        self._timer = self.set_interval(1 / self.speed, self._tick, pause=not self.playing)
        self._load()
        self.go(next((i for i, step in enumerate(self.steps) if step.seq >= self.first), 0))

    def on_resize(self, event: Resize) -> None:
        """Lays the screen out for its size."""
        self._lay_out(event.size.width, event.size.height)

    def _lay_out(self, width: int, height: int) -> None:
        wide = width >= _WIDE
        self.screen.set_class(wide, "-wide")
        self.screen.set_class(not wide, "-narrow")
        story = self.query_one("#story", OptionList)
        story.display = (wide or height >= _TALL) if self._story is None else self._story
        self._focus()

    def _focus(self) -> None:
        """The keys that scroll go to what happened, or where that is not shown, to the board."""
        story = self.query_one("#story", OptionList)
        self.screen.set_focus(story if story.display else self.query_one("#board", VerticalScroll))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """While a line is typed, its keys are its own."""
        typing = any(prompt.display for prompt in self.query(Prompt))
        return not typing or action in ("leave", "submit")

    def _load(self) -> None:
        self.steps = list(walk(self.table, self.viewer))
        notes = notes_by_event(self.table)
        story = self.query_one("#story", OptionList)
        story.clear_options()
        self._texts = []
        options: list[Option] = []
        for step in self.steps:
            text = Text(f"{step.seq:>4}  " + (" ".join(step.sentences) or "..."))
            if not step.stands:
                text = Text("  ~ ") + text
                text.stylize("dim")
            for note in notes.get(step.seq, []):
                said = note_text(self.table.names, note).replace("\n", "\n        ")
                text.append(f"\n      > {said}", "italic")
            self._texts.append(text.plain.casefold())
            options.append(Option(text, id=str(step.seq)))
        story.add_options(options)
        self._noted = {note.seq: about for about, group in notes.items() for note in group}

    def go(self, to: int) -> None:
        """Shows step `to`, or the nearest there is."""
        if not self.query("#drawn"):  # it was quit meanwhile
            return
        self.at = max(0, min(len(self.steps) - 1, to))
        step = self.steps[self.at]
        self.query_one("#drawn", Static).update(board_text(step.board))
        self.query_one("#told", Static).update(Text("\n" + "\n".join(step.sentences)))
        story = self.query_one("#story", OptionList)
        story.highlighted = self.at
        story.scroll_to_highlight()
        undone = "" if step.stands else " (undone)"
        playing = f"  playing, {self.speed:g} a second" if self.playing else ""
        self.query_one("#where", Label).update(
            Text(
                f"{self.table.game.title}, game {self.table.id}: event {step.seq}{undone} of "
                f"{self.steps[-1].seq}, seen by {viewer_name(self.table.names, self.viewer)}{playing}"
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
        """Plays on by itself, or stops that; from the last event on, from the first one."""
        self.playing = not self.playing
        if self.playing and self.at + 1 == len(self.steps):
            self.at = 0
        if self.playing:
            self._timer.resume()
        else:
            self._timer.pause()
        self.go(self.at)

    def _tick(self) -> None:
        if self.at + 1 < len(self.steps):
            self.go(self.at + 1)
        else:
            self.action_play()
            self.action_end(True)

    def action_speed(self, factor: float) -> None:
        """Plays faster or slower."""
        self.speed = max(_SLOWEST, min(_FASTEST, self.speed * factor))
        self._timer.stop()
        self._timer = self.set_interval(1 / self.speed, self._tick, pause=not self.playing)
        self.go(self.at)
        if not self.playing:
            self.notify(f"Plays at {self.speed:g} events a second.")

    def action_viewer(self) -> None:
        """Sees the game as the next seat does, the spectator, or the referee."""
        self.viewer = self.viewers[(self.viewers.index(self.viewer) + 1) % len(self.viewers)]
        at = self.at
        self._load()
        self.go(at)

    def action_story(self) -> None:
        """Shows or hides what happened."""
        self._story = not self.query_one("#story", OptionList).display
        self._lay_out(self.size.width, self.size.height)
        self.go(self.at)

    def action_ask(self, what: str) -> None:
        """Opens the line to type in."""
        if what == "note" and self._note is None:
            self.notify("This database cannot be written to, so no note can be added.", severity="warning")
            return
        if self.playing:
            self.action_play()
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
        self.refresh_bindings()

    def action_leave(self) -> None:
        """Closes the line to type in."""
        self.query_one("#prompt", Prompt).display = False
        self._focus()
        self.refresh_bindings()

    @on(Input.Submitted)
    def answer(self, event: Input.Submitted) -> None:
        """Does what was typed."""
        self.action_leave()
        text = event.value.strip()
        if not text:
            return
        if self.asked == "go":
            self._go_to(text)
        elif self.asked == "search":
            self.sought = text.casefold()
            self.action_again()
        else:
            self._add_note(text)

    def _add_note(self, text: str) -> None:
        assert self._note is not None
        try:
            self.table = self._note(self.steps[self.at].seq, text)
        except (Refusal, LogError) as refused:
            self.notify(str(refused), severity="error", markup=False)
            return
        at = self.at
        self._load()
        self.go(at)

    def _go_to(self, text: str) -> None:
        seq = int(text) if text.isascii() and text.isdigit() and len(text) < 19 else 0
        seq = self._noted.get(seq, seq)
        found = [i for i, step in enumerate(self.steps) if step.seq == seq]
        if found:
            self.go(found[0])
        else:
            last = self.steps[-1].seq
            self.notify(f"There is no event {text[:20]!r}: 1 to {last}.", severity="warning", markup=False)

    def action_again(self) -> None:
        """To the next event of which the text sought is told, or noted."""
        if not self.sought:
            self.action_ask("search")
            return
        for offset in range(1, len(self.steps) + 1):
            place = (self.at + offset) % len(self.steps)
            if self.sought in self._texts[place]:
                self.go(place)
                return
        self.notify(f"Nothing tells of {self.sought[:30]!r}.", severity="warning", markup=False)

    @on(OptionList.OptionSelected)
    @on(OptionList.OptionHighlighted)
    def chosen(self, event: OptionList.OptionHighlighted | OptionList.OptionSelected) -> None:
        """Goes to an event that was picked in the list."""
        if event.option_index != self.at:
            self.go(event.option_index)
