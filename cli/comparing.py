"""The commands that set games and moments side by side: diff, fork, notes."""

from __future__ import annotations

from typing import Any

from msgspec import json

from cli.commands import put, say
from cli.documents import batch_document, event_document
from cli.playing import answer, wrapped
from cli.session import Session, game_id, viewer_of
from engines.forking import at_event, standing
from engines.forking import fork as start_fork
from engines.kit.errors import BadSetup
from engines.kit.secrecy import REFEREE, Viewer
from engines.seeing import event_seen
from engines.table import Entry, Table
from engines.telling import told
from events.model import Noted
from replays.diff import Change, parting, view_changes
from replays.walk import note_text, notes_by_event


def note_document(table: Table, note: Noted) -> dict[str, Any]:
    """A note for scripts."""
    return {
        "about": note.about,
        "seat": None if note.seat is None else table.names[note.seat],
        "text": note.text,
    }


def notes(session: Session, game: str) -> None:
    """Lists the notes on a game."""
    log = session.reader()
    try:
        table = Table(log, game_id(log, game))
        found = [note for _, group in sorted(notes_by_event(table).items()) for note in group]
        if session.json:
            put([note_document(table, note) for note in found])
            return
        for note in found:
            say(wrapped(f"{note.about:>4}  ", note_text(table.names, note)))
        if not found and not session.quiet:
            say([f'No notes yet: turnlog note {table.id} SEQ "what you think of it"'])
    finally:
        log.close()


def fork(
    session: Session, game: str, at: int | None, seat: str | None, same_chance: bool, new_id: str | None
) -> None:
    """Starts a game from a moment of another one."""
    log = session.writer()
    try:
        source = Table(log, game_id(log, game), at=at)
        viewer = REFEREE if seat is None else viewer_of(source.names, seat)
        table, entries = start_fork(
            source,
            new_id or session.ids(),
            viewer=viewer,
            same_chance=same_chance,
            now=session.clock(),
            secret=session.secrets,
        )
        shown: Viewer = None if viewer == REFEREE else viewer
        if session.json:
            put(batch_document(table, entries, shown) | {"origin": {"game": source.id, "seq": source.seq}})
            return
        if session.quiet:
            say([table.id])
            return
        say([f"Game {table.id}: {source.game.title} from event {source.seq} of game {source.id}."])
        answer(session, table, entries, shown)
    finally:
        log.close()


def diff(session: Session, what: list[str], seat: str | None) -> None:
    """Tells what differs between two moments or two games."""
    log = session.reader()
    try:
        if len(what) == 3:
            table = Table(log, game_id(log, what[0]))
            one, other = (at_event(table, _event_number(word)) for word in what[1:])
        elif len(what) == 2:
            one, other = (Table(log, game_id(log, word)) for word in what)
        else:
            raise BadSetup("diff takes GAME A B or GAME GAME", "`turnlog diff @ 5 9`")
        viewer = viewer_of(one.names, seat)
        if len(what) == 3:
            _diff_moments(session, one, other, viewer)
        else:
            _diff_games(session, one, other, viewer)
    finally:
        log.close()


def _event_number(word: str) -> int:
    if word.isascii() and word.isdigit() and len(word) < 19:
        return int(word)
    raise BadSetup(f"{word[:40]!r} is no event's number", "diff takes GAME A B or GAME GAME")


def _diff_moments(session: Session, one: Table, other: Table, viewer: Viewer) -> None:
    """What happened from one moment to a later one, and what it changed."""
    found = view_changes(one, other, viewer)
    between = [e for e in standing(other) if e.seq > one.seq and one.position.timeline.head < e.seq]
    seen = [Entry(seq, event_seen(event, viewer, over=False)) for seq, event in between]
    if session.json:
        put(
            {
                "games": [one.id, other.id],
                "at": [one.seq, other.seq],
                "first_event": event_document(other.game, other.names, seen[0]) if seen else None,
                "paths": [_change(change) for change in found],
            }
        )
        return
    for seq, event in seen:
        for number, sentence in enumerate(told(other.game, other.names, event)):
            say(wrapped(f"{seq:>4}  " if number == 0 else "      ", sentence))
    _tell_changes(found, f"event {one.seq}", f"event {other.seq}")


def _diff_games(session: Session, one: Table, other: Table, viewer: Viewer) -> None:
    found = view_changes(one, other, viewer)
    parted = parting(one, other, viewer)
    sides = [(one, parted.one), (other, parted.other)] if parted else []
    if session.json:
        put(
            {
                "games": [one.id, other.id],
                "at": [one.seq, other.seq],
                "first_event": [_document(table, entry, viewer) for table, entry in sides] or None,
                "paths": [_change(change) for change in found],
            }
        )
        return
    if not parted:
        say(["The standing events of the two games are the same."])
    for table, entry in sides:
        if entry is None:
            say([f"{table.id} has no further event."])
            continue
        say([f"{table.id}, event {entry.seq}, is the first that differs:"])
        for sentence in told(table.game, table.names, event_seen(entry.event, viewer, over=False)):
            say(wrapped("      ", sentence))
    _tell_changes(found, one.id, other.id)


def _document(table: Table, entry: Entry | None, viewer: Viewer) -> Any:
    if entry is None:
        return None
    seen = Entry(entry.seq, event_seen(entry.event, viewer, over=False))
    return event_document(table.game, table.names, seen)


def _change(change: Change) -> dict[str, Any]:
    return {"path": change.path, "a": change.before, "b": change.after}


def _tell_changes(found: list[Change], one: str, other: str) -> None:
    if not found:
        say(["Nothing that is seen differs."])
        return
    say(["", f"Seen at {one} and at {other}:"])
    for change in found:
        before, after = (json.encode(value).decode() for value in (change.before, change.after))
        say(wrapped("  ", f"{change.path}: {before} -> {after}"))
