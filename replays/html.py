"""A game as one page that carries everything and asks nothing of the network.

The page holds what its viewer may know and no more: as a referee each seat's view, else that viewer's alone.
Boards are the terminal's panels, their lines, panels and boards kept once each. Names and notes get in as text
only, and a policy in the page runs no script but its own.
"""

from __future__ import annotations

import hashlib
import re
from base64 import b64encode
from collections.abc import Hashable, Iterator
from html import escape
from importlib.resources import files
from itertools import groupby
from typing import Any

from msgspec import json

from engines.kit.boards import Board, Line, Span, drawn
from engines.kit.secrecy import REFEREE, Viewer
from engines.table import Table
from replays.annotate import KeyMoment, key_moments
from replays.markdown import day, viewer_words
from replays.walk import Note, Told, note_text, notes_by_event, result_words, walk_for


class _Pool:
    """Values kept once each, in the order they came."""

    def __init__(self) -> None:
        self.values: list[Any] = []
        self._places: dict[Hashable, int] = {}

    def place(self, value: Hashable) -> int:
        """Where the value is kept."""
        found = self._places.get(value)
        if found is None:
            found = self._places[value] = len(self.values)
            self.values.append(value)
        return found


class _Pools:
    def __init__(self) -> None:
        self.spans, self.lines, self.panels, self.boards = _Pool(), _Pool(), _Pool(), _Pool()
        self.texts = _Pool()

    def board(self, board: Board) -> int:
        """Where a board is kept: rows of panels, panels of lines."""
        rows = tuple(
            tuple(
                self.panels.place((panel.title, tuple(self.line(spans) for spans in panel.lines))) for panel in row
            )
            for row in board.rows
        )
        return self.boards.place(rows)

    def line(self, spans: Line) -> int:
        """Where a line is kept: its spans, a plain text without a name as that text alone."""
        return self.lines.place(tuple(self.spans.place(_written(span)) for span in spans))


def _written(span: Span) -> str | tuple[str, ...]:
    tone = "" if span.tone == "plain" else span.tone
    if span.name:
        return (span.text, tone, span.name)
    return (span.text, tone) if tone else span.text


def html(table: Table, viewer: Viewer) -> Iterator[str]:
    """The page, as `viewer` may know the game."""
    pools = _Pools()
    viewers: list[Viewer] = [viewer]
    if viewer == REFEREE:
        viewers += [*range(len(table.names)), None]
    views: list[dict[str, Any]] = [{"name": _label(table, one), "boards": [], "told": []} for one in viewers]
    shown: list[Told] = []
    to_move = _Pool()
    for step in walk_for(table, viewers):
        shown.append(step[0])
        to_move.place(step[0].to_move)
        for view, seen in zip(views, step, strict=True):
            view["boards"].append(pools.board(seen.board))
            view["told"].append([pools.texts.place(text) for text in seen.sentences])
    data = {
        "steps": [[step.seq, step.stands, to_move.place(step.to_move), step.round] for step in shown],
        "notes": {note.seq: about for about, notes in notes_by_event(table).items() for note in notes},
        "views": views,
        "spans": pools.spans.values,
        "lines": pools.lines.values,
        "panels": pools.panels.values,
        "boards": pools.boards.values,
        "texts": pools.texts.values,
    }
    yield _page(table, viewer, shown, data)


def _label(table: Table, viewer: Viewer) -> str:
    if viewer == REFEREE:
        return "all (referee)"
    return "spectator" if viewer is None else table.names[viewer]


def _page(table: Table, viewer: Viewer, steps: list[Told], data: dict[str, Any]) -> str:
    folder = files("replays").joinpath("page")
    style = "".join(folder.joinpath(name).read_text("utf-8") for name in ("base.css", "page.css"))
    script = folder.joinpath("page.js").read_text("utf-8")
    moments = key_moments(table, viewer)
    parts = {
        "TITLE": escape(f"{table.game.title}: game {table.id}"),
        "STYLE": style,
        "STYLE_HASH": _hashed(style),
        "SCRIPT": script,
        "SCRIPT_HASH": _hashed(script),
        "HEAD": "\n".join(_head(table, viewer, steps)),
        "BOARD": f"<pre>{escape(drawn(steps[-1].board))}</pre>",
        "MOMENTS": "\n".join(_moments(moments)),
        "STEPS": "\n".join(_rounds(table, steps, moments)),
        "DATA": json.encode(data).decode().replace("<", "\\u003c").replace(">", "\\u003e"),
    }
    template = folder.joinpath("page.html").read_text("utf-8").rstrip("\n")
    return re.sub(r"%([A-Z_]+)%", lambda found: parts[found.group(1)], template)


def _hashed(text: str) -> str:
    return "sha256-" + b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _head(table: Table, viewer: Viewer, steps: list[Told]) -> Iterator[str]:
    yield f"<p>{escape(', '.join(table.names))}; {escape(viewer_words(table, viewer))}.</p>"
    result = f'<span class="result">{escape(result_words(table))}</span>'
    yield f'<p>{result} <span class="soft">{day(steps[0].at)} to {day(steps[-1].at)}.</span></p>'


def _moments(moments: list[KeyMoment]) -> Iterator[str]:
    if moments:
        yield '<details id="moments" class="sheet" open><summary>Key moments</summary>\n<ul>'
        for moment in moments:
            yield f'<li><a href="#{moment.seq}">{moment.seq}</a> {escape(moment.text)}</li>'
        yield "</ul></details>"


def _rounds(table: Table, steps: list[Told], moments: list[KeyMoment]) -> Iterator[str]:
    """A list a round; of a game without rounds, or before its first one, a list without a heading."""
    notes = notes_by_event(table)
    marked: dict[int, list[str]] = {}
    for moment in moments:
        marked.setdefault(moment.seq, []).append(moment.text)
    for number, group in groupby(steps, key=lambda step: step.round):
        if number:
            yield f"<h3>Round {number}</h3>"
        yield "<ol>"
        for step in group:
            yield from _step(table, step, marked.get(step.seq, []), notes.get(step.seq, []))
        yield "</ol>"


def _step(table: Table, step: Told, moments: list[str], notes: list[Note]) -> Iterator[str]:
    undone = "" if step.stands else ' class="undone"'
    yield f'<li id="{step.seq}"{undone}><a href="#{step.seq}">{step.seq}</a>'
    yield f'<span class="text">{escape(" ".join(step.sentences))}</span>'
    if undone:
        yield '<span class="tag">(undone)</span>'
    for text in moments:
        yield f'<span class="moment">{escape(text)}</span>'
    for note in notes:
        yield f'<blockquote id="{note.seq}">{escape(note_text(table.names, note))}</blockquote>'
    yield "</li>"
