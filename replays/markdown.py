"""A match report in Markdown: who played, how it ended, what happened round by round, notes, the last board."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

from engines.kit.boards import drawn
from engines.kit.secrecy import REFEREE, Viewer
from engines.table import Table
from replays.annotate import key_moments
from replays.walk import note_text, notes_by_event, walk

_SPECIAL = re.compile(r"([\\`*_\[\]#|<>~&])")


def escaped(text: str) -> str:
    """A text that means itself in Markdown, on one line."""
    return _SPECIAL.sub(r"\\\1", " ".join(text.split())).replace("\\<", "&lt;").replace("\\>", "&gt;")


def day(at: int) -> str:
    """A time of the log as a date and time in UTC."""
    return (datetime.fromtimestamp(0, UTC) + timedelta(microseconds=at)).strftime("%Y-%m-%d %H:%M UTC")


def viewer_words(table: Table, viewer: Viewer) -> str:
    """Who a file is for."""
    if viewer == REFEREE:
        return "with all that was hidden"
    return "as a spectator saw it" if viewer is None else f"as {table.names[viewer]} saw it"


def markdown(table: Table, viewer: Viewer) -> Iterator[str]:
    """The lines of the report, as `viewer` may know the game."""
    created = table.created
    steps = list(walk(table, viewer, undone=False))
    yield f"# {table.game.title}: game {escaped(table.id)}"
    yield ""
    seen_by = viewer_words(table, viewer)
    yield (
        f"Seats: {', '.join(escaped(name) for name in table.names)}. {seen_by[0].upper()}{escaped(seen_by[1:])}."
    )
    moves = table.position.timeline.moves()
    yield f"Begun {day(steps[0].at)}, last event {day(steps[-1].at)}; {moves} moves stand."
    chosen = ", ".join(f"{key} {value}" for key, value in created.options.items() if value)
    if chosen:
        yield f"Options: {escaped(chosen)}."
    yield ""
    yield from _result(table)
    moments = key_moments(table, viewer)
    if moments:
        yield "## Key moments"
        yield ""
        for moment in moments:
            yield f"- Event {moment.seq}: {escaped(moment.text)}"
        yield ""
    notes = notes_by_event(table)
    shown = -1
    for step in steps:
        if step.round != shown:
            shown = step.round
            yield f"## Round {shown}" if shown else "## The game"
            yield ""
        yield f"**{step.seq}** {escaped(' '.join(step.sentences)) or '...'}"
        for note in notes.pop(step.seq, []):
            yield ""
            yield f"> {escaped(note_text(table.names, note))}"
        yield ""
    if notes:
        yield "## Notes on what was taken back"
        yield ""
        for about, group in sorted(notes.items()):
            for note in group:
                yield f"- Event {about}: {escaped(note_text(table.names, note))}"
        yield ""
    yield "## The board at the end" if table.outcome else "## The board now"
    yield ""
    board = drawn(steps[-1].board)
    fence = "`" * max(3, 1 + max(map(len, re.findall("`+", board)), default=0))
    yield f"{fence}text"
    yield board
    yield fence


def _result(table: Table) -> Iterator[str]:
    outcome = table.outcome
    yield "## Result"
    yield ""
    if outcome is None:
        yield "The game goes on."
    else:
        winners = ", ".join(escaped(table.names[seat]) for seat in outcome.winners)
        ended = f"Won by {winners}" if winners else "Nobody won"
        yield f"{ended}: {escaped(outcome.reason)}."
        scored = [(n, s) for n, s in zip(table.names, outcome.scores, strict=True) if s is not None]
        if scored:
            yield ""
            yield "| seat | score |"
            yield "|---|---:|"
            for name, score in scored:
                yield f"| {escaped(name)} | {score} |"
    yield ""
