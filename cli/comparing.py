"""The commands that set games and moments side by side: diff, fork, notes."""

from __future__ import annotations

from typing import Any

from msgspec import json

from cli.commands import put, say
from cli.documents import batch_document, event_document
from cli.playing import answer, wrapped
from cli.session import SeatPrograms, Session, game_id, viewer_name, viewer_of
from engines.forking import at_event, standing
from engines.forking import fork as start_fork
from engines.kit.errors import BadSetup, Refusal
from engines.kit.secrecy import REFEREE, Viewer
from engines.seeing import event_seen
from engines.table import Entry, Table
from replays.diff import Change, parting, view_changes
from replays.walk import Note, notes_by_event, sentences


def viewing(table: Table, seat: str | None) -> Viewer:
    """Who looks back: `--as`, else a spectator; at a viewer's log that viewer.

    :raises Refusal: it is a viewer's log, and another one's eyes are asked for
    """
    seen_by = table.created.seen_by
    viewer = viewer_of(table.names, seen_by if seat is None and seen_by else seat)
    check_eyes(table, viewer)
    return viewer


def check_eyes(table: Table, viewer: Viewer) -> None:
    """Holds a viewer to what is in the log.

    :raises Refusal: it is another viewer's log
    """
    seen_by = table.created.seen_by
    if seen_by and viewer not in (None, viewer_of(table.names, seen_by)):
        raise Refusal(
            f"game {table.id} is the log as {seen_by} saw it: what {viewer_name(table.names, viewer)} saw is not "
            "in it",
            f"leave --as out, or say --as {seen_by}",
        )


def note_document(table: Table, note: Note) -> dict[str, Any]:
    """A note for scripts."""
    said = note.said
    return {
        "seq": note.seq,
        "about": said.about,
        "seat": None if said.seat is None else table.names[said.seat],
        "text": said.text,
    }


def notes(session: Session, game: str) -> None:
    """Lists the notes on a game."""
    log = session.reader()
    try:
        table = Table(log, game_id(log, game))
        say_notes(session, table.id, notes_documents(table))
    finally:
        log.close()


def notes_documents(table: Table) -> list[dict[str, Any]]:
    """The notes on a game, in the order of the events that they are about."""
    return [note_document(table, note) for _, group in sorted(notes_by_event(table).items()) for note in group]


def note_words(document: dict[str, Any]) -> str:
    """A note with its author."""
    return document["text"] if document["seat"] is None else f"{document['seat']}: {document['text']}"


def say_notes(session: Session, game: str, documents: list[dict[str, Any]]) -> None:
    """Tells the notes on a game."""
    if session.json:
        put(documents)
        return
    for document in documents:
        say(wrapped(f"{document['about']:>4}  ", note_words(document)))
    if not documents and not session.quiet:
        say([f'No notes yet: turnlog note {game} SEQ "what you think of it"'])


def fork(
    session: Session, game: str, at: int | None, seat: str | None, same_chance: bool, new_id: str | None
) -> None:
    """Starts a game from a moment of another one."""
    log = session.writer()
    programs = SeatPrograms(session)
    try:
        source = Table(log, game_id(log, game), at=at)
        viewer = REFEREE if seat is None else viewer_of(source.names, seat)
        seen_by = source.created.seen_by
        if seen_by and seat is not None and viewer not in (REFEREE, viewer_of(source.names, seen_by)):
            raise Refusal(
                f"game {source.id} is the log as {seen_by} saw it: nobody else can guess from it",
                f"`turnlog fork {source.id} --as {seen_by}`",
            )
        table, entries = start_fork(
            source,
            new_id or session.ids(),
            viewer=viewer,
            same_chance=same_chance,
            now=session.clock(),
            secret=session.secrets,
            programs=programs,
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
        programs.close()
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
        viewer = viewing(one, seat)
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
    """What happened from one moment to the other, and what it changed."""
    found = view_changes(one, other, viewer)
    before, after = standing(one), standing(other)
    shared = sum(1 for left, right in zip(before, after, strict=False) if left.seq == right.seq)
    if session.json:
        sides = [next(iter(entries[shared:]), None) for entries in (before, after)]
        _put_diff(one, other, sides if any(sides) else [], viewer, found)
        return
    for mark, entries in (("~", before[shared:]), (" ", after[shared:])):
        for entry in entries:
            gone = f" (not at event {other.seq})" if mark == "~" else ""
            for number, sentence in enumerate(_told(one, entry, viewer)):
                head = f"{entry.seq:>4}{mark} " if number == 0 else f"    {mark} "
                say(wrapped(head, sentence + (gone if number == 0 else "")))
    _tell_changes(found, f"event {one.seq}", f"event {other.seq}")


def _diff_games(session: Session, one: Table, other: Table, viewer: Viewer) -> None:
    """Where two games part, and what is different at their ends."""
    found = view_changes(one, other, viewer)
    parted = parting(one, other, viewer)
    if session.json:
        _put_diff(one, other, list(parted) if parted else [], viewer, found)
        return
    if not parted:
        say(["The standing events of the two games are the same."])
    for table, entry in zip((one, other), parted or (), strict=False):
        if entry is None:
            say([f"{table.id} has no further event."])
            continue
        say([f"{table.id}, event {entry.seq}, is the first that differs:"])
        for sentence in _told(table, entry, viewer):
            say(wrapped("      ", sentence))
    _tell_changes(found, one.id, other.id)


def _put_diff(one: Table, other: Table, first: list[Entry | None], viewer: Viewer, found: list[Change]) -> None:
    """A difference for scripts: the first event that differs on each side (null where there is none further)."""
    put(
        {
            "games": [one.id, other.id],
            "at": [one.seq, other.seq],
            "first_event": [_document(t, e, viewer) for t, e in zip((one, other), first, strict=True)]
            if first
            else None,
            "paths": [_change(change) for change in found],
        }
    )


def _told(table: Table, entry: Entry, viewer: Viewer) -> list[str]:
    return sentences(table, event_seen(entry.event, viewer, over=False))


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
