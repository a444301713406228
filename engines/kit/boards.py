"""A board is data: rows of panels, a panel is lines of spans. Drawn here as plain or coloured text.

A span is a text with a tone, perhaps the move it stands for and a long name. Tone says nothing that
the text does not, so a board without colour loses nothing. Boards fit 80 columns.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from msgspec import Struct

#: What a span is, to be coloured by: the seat to move, a thing of no account, the colours of suits.
Tone = Literal[
    "plain",
    "strong",
    "dim",
    "good",
    "bad",
    "red",
    "green",
    "yellow",
    "blue",
    "magenta",
    "cyan",
    "white",
    "brown",
]

_ANSI: dict[Tone, str] = {
    "plain": "",
    "strong": "1",
    "dim": "2",
    "good": "32",
    "bad": "31",
    "red": "91",
    "green": "92",
    "yellow": "93",
    "blue": "94",
    "magenta": "95",
    "cyan": "96",
    "white": "97;1",
    "brown": "33",
}

WIDTH = 80
_GAP = 3


class Span(Struct, frozen=True):
    """A text in a tone. `move` is the move it stands for, `name` its name in full."""

    text: str
    tone: Tone = "plain"
    move: str | None = None
    name: str | None = None


Line = tuple[Span, ...]


class Panel(Struct, frozen=True):
    """Lines under a title. `held` is what the viewer has in hand, or is asked about: to be kept in sight."""

    title: str
    lines: tuple[Line, ...]
    held: bool = False


class Board(Struct, frozen=True):
    """Rows of panels; the panels of a row stand side by side where they fit."""

    rows: tuple[tuple[Panel, ...], ...]


def line(*parts: str | Span) -> Line:
    """A line of spans and plain texts."""
    return tuple(part if isinstance(part, Span) else Span(part) for part in parts)


def panel(title: str, lines: Iterable[Line], *, held: bool = False) -> Panel:
    """A panel."""
    return Panel(title, tuple(lines), held)


def columns(text: str) -> int:
    """How many columns of a terminal a text takes: two for the wide letters of East Asia, none for accents."""
    if text.isascii():
        return len(text)
    from unicodedata import combining, east_asian_width

    return sum(2 if east_asian_width(c) in "WF" else 0 if combining(c) else 1 for c in text)


def fit(text: str, width: int) -> str:
    """The text in exactly `width` columns: cut with a `~` or filled with blanks."""
    if columns(text) > width:
        while columns(text) > width - 1:
            text = text[:-1]
        text += "~"
    return text + " " * (width - columns(text))


def joined(spans: Iterable[Span], gap: str = " ") -> list[Span]:
    """The spans with a gap between them."""
    out: list[Span] = []
    for span in spans:
        if out:
            out.append(Span(gap))
        out.append(span)
    return out


def plain(spans: Line) -> str:
    """A line's text."""
    return "".join(span.text for span in spans)


def _coloured(spans: Line) -> str:
    return "".join(
        f"\x1b[{_ANSI[span.tone]}m{span.text}\x1b[0m" if _ANSI[span.tone] else span.text for span in spans
    )


def _titled(one: Panel) -> list[Line]:
    title = (line(Span(one.title, "strong")),) if one.title else ()
    return [*title, *one.lines]


def _beside(panels: Sequence[Panel]) -> list[list[Panel]]:
    """The panels of a row in as many rows as 80 columns need."""
    rows: list[list[Panel]] = [[]]
    used = 0
    for one in panels:
        width = max((columns(plain(spans)) for spans in _titled(one)), default=0)
        if rows[-1] and used + _GAP + width > WIDTH:
            rows.append([])
            used = 0
        used += width + (_GAP if rows[-1] else 0)
        rows[-1].append(one)
    return rows


def drawn_lines(board: Board) -> list[Line]:
    """The board as lines of at most 80 columns, panels side by side where they fit, a blank line between rows."""
    out: list[Line] = []
    for row in board.rows:
        for panels in _beside(row):
            stacks = [_titled(one) for one in panels]
            widths = [max((columns(plain(spans)) for spans in stack), default=0) for stack in stacks]
            for index in range(max(map(len, stacks), default=0)):
                spans: list[Span] = []
                for stack, width in zip(stacks, widths, strict=True):
                    cell = stack[index] if index < len(stack) else ()
                    spans += [*cell, Span(" " * (width - columns(plain(cell)) + _GAP))]
                out.append(tuple(spans))
            out.append(())
    return out[:-1]


def drawn(board: Board, *, colour: bool = False) -> str:
    """The board as text of at most 80 columns, with ANSI colours if asked for."""
    lines = drawn_lines(board)
    return "\n".join((_coloured(spans) if colour else plain(spans)).rstrip() for spans in lines)
