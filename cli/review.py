"""The commands that look back: log, replay, export, import, verify."""

import os
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from importlib.util import find_spec
from itertools import chain
from typing import IO, Any

from cli.commands import iso, put, say
from cli.comparing import note_document, note_words, viewing
from cli.documents import event_document, named, result
from cli.playing import wrapped
from cli.progress import progress
from cli.session import Session, game_id, prepare, viewer_name
from engines.kit.boards import drawn
from engines.kit.errors import BadSetup, NoSuchSlug
from engines.kit.secrecy import REFEREE, Viewer
from engines.seeing import event_seen
from engines.table import Entry, Table
from events.errors import LogError, NoSuchEvent, Unreachable
from events.log import Database
from events.model import MOVED
from replays.annotate import key_moments
from replays.export import jsonl, transcript
from replays.html import html
from replays.importing import Imported, import_jsonl, import_transcript, read_lines
from replays.markdown import markdown
from replays.rulecheck import check_rules
from replays.seatlog import seat_log
from replays.stepping import Step, steps
from replays.verifying import Report, file_faults
from replays.verifying import verify as verify_game
from replays.walk import notes_by_event, sentences

#: `log --follow` looks for news so often, in seconds.
_POLL = 0.5


def log(session: Session, game: str, seat: str | None, follow: bool, notes: bool = False) -> None:
    """Tells what happened."""
    reader = session.reader()
    try:
        found = game_id(reader, game)
        table = Table(reader, found)
        viewer = viewing(table, seat)
        seen = _tell_events(session, table, viewer, 0, notes=notes)
        while follow:
            sys.stdout.flush()
            try:
                reader.wait(_POLL)
                if reader.last(found) > seen:
                    seen = _tell_events(session, Table(reader, found), viewer, seen, notes=notes)
            except Unreachable as error:
                session.warn("the database is out of reach; it is asked again", why=str(error))
                reader.close()
                reader = _reached_again(session)
    finally:
        reader.close()


def log_documents(
    table: Table, viewer: Viewer, after: int, upto: int, *, notes: bool = False
) -> Iterator[dict[str, Any]]:
    """The events behind row `after`, up to row `upto`, as `viewer` may read them.

    With `notes` each note that is about one of them is told beneath it, and not as an event.
    """
    over = table.outcome is not None
    timeline = table.position.timeline
    beneath = notes_by_event(table) if notes else {}
    told_beneath = {note.seq for about, group in beneath.items() if about > after for note in group}
    for row in table.log.rows(table.id, after, min(upto, table.seq)):
        if row.seq in told_beneath:
            continue
        event = event_seen(table.event(row), viewer, over=over)
        document = event_document(table.game, table.names, Entry(row.seq, event))
        document["at"] = iso(row.at)
        document["stands"] = row.kind != MOVED or timeline.stands(row.seq)
        document["told"] = sentences(table, event)
        if notes:
            document["notes"] = [note_document(table, note) for note in beneath.get(row.seq, [])]
        yield document


def log_lines(document: dict[str, Any]) -> Iterator[str]:
    """An event of the log in words."""
    mark, undone = (" ", "") if document["stands"] else ("~", " (undone)")
    for number, sentence in enumerate(document["told"]):
        head = f"{document['seq']:>4}{mark} " if number == 0 else f"    {mark} "
        yield from wrapped(head, sentence + (undone if number == 0 else ""))
    for note in document.get("notes", ()):
        yield from wrapped("      > ", note_words(note))


def _reached_again(session: Session) -> Database:
    """The log, as soon as its server is there again."""
    while True:
        time.sleep(_POLL)
        with suppress(Unreachable):
            return session.reader()


def _tell_events(session: Session, table: Table, viewer: Viewer, after: int, *, notes: bool) -> int:
    """Tells the events after row `after`; gives the last row of the game."""
    for document in log_documents(table, viewer, after, table.seq, notes=notes):
        if session.json:
            put(document)
        else:
            say(log_lines(document))
    return table.seq


def replay(
    session: Session,
    game: str,
    seat: str | None,
    span: tuple[int, int | None, int],
    speed: float,
    undone: bool,
    plain: bool,
) -> None:
    """Walks through the boards."""
    parted = span[1] is not None or span[2] != 1  # a part of the game, as text
    if not (plain or parted or session.json or session.quiet) and _on_a_terminal():
        if find_spec("textual") is not None:
            _player(session, game, seat, span[0], speed)
            return
        sys.stderr.write("turnlog: the player comes with the extra turnlog[tui]; this is plain text\n")
    reader = session.reader()
    try:
        found = game_id(reader, game)
        table = Table(reader, found)
        viewer = viewing(table, seat)
        first, last, every = span
        check_span(table, first, last)
        for number, step in enumerate(steps(table, undone=undone, first=first, last=last)):
            if number % every == 0:
                if number and speed > 0:  # which "nan" is not
                    sys.stdout.flush()
                    time.sleep(1 / speed)
                _show_step(session, table, step, viewer)
    finally:
        reader.close()


def check_span(table: Table, first: int, last: int | None) -> None:
    """Holds a part of a game to its events.

    :raises NoSuchEvent, BadSetup: it is none
    """
    for name, seq in (("from", first), ("to", last)):
        if seq is not None and not 1 <= seq <= table.seq:
            raise NoSuchEvent(f"{table.id} (--{name})", seq, table.seq)
    if last is not None and last < first:
        raise BadSetup(f"--to {last} lies before --from {first}", "events are walked through in order")


def _on_a_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def _player(session: Session, game: str, seat: str | None, first: int, speed: float) -> None:
    """Starts the terminal player."""
    from cli.viewer import Player

    reader = session.reader()
    try:
        found = game_id(reader, game)
        table = Table(reader, found)

        def note(about: int, text: str) -> Table:
            writer = session.writer()
            try:
                Table(writer, found).note(about, text, now=session.clock())
            finally:
                writer.close()
            return Table(reader, found)

        if not 1 <= first <= table.seq:
            raise NoSuchEvent(f"{found} (--from)", first, table.seq)
        writable = session.in_postgresql or os.access(session.path, os.W_OK)
        viewer = viewing(table, seat)
        everybody: list[Viewer] = [REFEREE, *range(len(table.names)), None]
        at = everybody.index(viewer)
        viewers = [viewer] if table.created.seen_by else everybody[at:] + everybody[:at]
        Player(table, viewers, first, speed, note if writable else None).run()
    finally:
        reader.close()


def _show_step(session: Session, table: Table, step: Step, viewer: Viewer) -> None:
    if session.json:
        put(step_document(table, step, viewer))
    else:
        say(step_lines(table, step, viewer, colour=session.colour))


def step_lines(table: Table, step: Step, viewer: Viewer, *, colour: bool) -> Iterator[str]:
    """An event of a walk and the board after it, as `viewer` may know it."""
    event = event_seen(step.entry.event, viewer, over=table.outcome is not None)
    state = table.game.concealed(step.state, viewer)
    yield f"---- event {step.entry.seq}{'' if step.stands else ' (undone)'} ".ljust(80, "-")
    for sentence in sentences(table, event):
        yield from wrapped("", sentence)
    yield ""
    yield drawn(table.game.drawn.board(state, viewer, table.names), colour=colour)
    yield ""


def step_document(table: Table, step: Step, viewer: Viewer) -> dict[str, Any]:
    """An event of a walk and the game after it, as `viewer` may know it."""
    game, names = table.game, table.names
    event = event_seen(step.entry.event, viewer, over=table.outcome is not None)
    outcome = game.rules.outcome(step.state)
    return {
        "game": table.id,
        "seq": step.entry.seq,
        "at": iso(step.at),
        "as": viewer_name(names, viewer),
        "stands": step.stands,
        "event": event_document(game, names, Entry(step.entry.seq, event)),
        "told": sentences(table, event),
        "to_move": [] if outcome else named(names, game.rules.to_move(step.state)),
        "view": game.view.present(game.concealed(step.state, viewer), viewer, names),
        "result": result(names, outcome),
    }


#: Who a file is for: nobody in particular (None), or a viewer.
For = tuple[Viewer] | None


def _jsonl(table: Table, viewer: For) -> Iterator[str]:
    return jsonl(table.log, table.id) if viewer in (None, (REFEREE,)) else seat_log(table, viewer[0])


def _transcript(table: Table, viewer: For) -> Iterator[str]:
    if viewer not in (None, (REFEREE,)):
        raise BadSetup(
            "a transcript plays the game again, so it holds all secrets", "leave --as out, or take another format"
        )
    return transcript(table.log, table.id)


def _open_view(table: Table, viewer: For) -> Viewer:
    """Unasked, a report or page holds what a spectator sees, and everything once the game is over."""
    if viewer is not None:
        return viewer[0]
    if table.created.seen_by:
        return viewing(table, None)
    return REFEREE if table.outcome is not None else None


def _markdown(table: Table, viewer: For) -> Iterator[str]:
    return markdown(table, _open_view(table, viewer))


def _html(table: Table, viewer: For) -> Iterator[str]:
    return html(table, _open_view(table, viewer))


FORMATS: dict[str, Callable[[Table, For], Iterator[str]]] = {
    "jsonl": _jsonl,
    "transcript": _transcript,
    "markdown": _markdown,
    "html": _html,
}


def form_of(format_: str) -> Callable[[Table, For], Iterator[str]]:
    """What makes the lines of a game's file.

    :raises BadSetup: no format is called so
    """
    form = FORMATS.get(format_)
    if form is None:
        raise BadSetup(f"no format is called {format_[:40]!r}", "the formats: " + ", ".join(FORMATS))
    return form


def export(session: Session, game: str, format_: str, seat: str | None, output: str | None) -> None:
    """Writes a game out."""
    form = form_of(format_)
    reader = session.reader()
    try:
        table = Table(reader, game_id(reader, game))
        write_out(session, form(table, None if seat is None else (viewing(table, seat),)), format_, output)
    finally:
        reader.close()


def write_out(session: Session, lines: Iterable[str], format_: str, output: str | None) -> None:
    """Writes a game's lines to standard output, or to a new file, and tells so."""
    if output is None:
        sys.stdout.writelines(f"{line}\n" for line in lines)
        return
    _write_new(output, lines)
    if session.json:
        put({"output": output, "format": format_})
    elif not session.quiet:
        say([f"Written to {output}."])


def _write_new(output: str, lines: Iterable[str]) -> None:
    """Writes a new file; nothing is left of it if that fails half-way."""
    try:
        file = open(output, "x", encoding="utf-8")  # noqa: SIM115 -- closed below, so that only opening is excused
    except FileExistsError as error:
        raise BadSetup(f"{output} exists already", "name a file that is not there yet") from error
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL in it
        raise BadSetup(f"{output!r} cannot be written: {getattr(error, 'strerror', None) or error}") from error
    try:
        with file:
            file.writelines(f"{line}\n" for line in lines)
    except OSError as error:
        os.remove(output)
        raise BadSetup(f"{output} cannot be written: {error.strerror}") from error
    except BaseException:
        os.remove(output)
        raise


@contextmanager
def _opened(file: str) -> Generator[IO[bytes]]:
    if file == "-":
        yield sys.stdin.buffer
        return
    try:
        opened = open(file, "rb")  # noqa: SIM115 -- closed below, so that only opening is excused
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL in it
        raise BadSetup(f"{file!r} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    with opened:
        yield opened


def import_file(session: Session, file: str) -> None:
    """Takes a game in."""
    with _opened(file) as opened:
        lines = read_lines(opened)
        first = next(lines, b"")
        with ExitStack() as stack:
            done = _imported(
                session, lambda: stack.enter_context(closing(session.writer(create=True))), first, lines
            )
    if session.json:
        put({"game": done.game, "events": done.events, "new": done.new})
    else:
        news = "nothing new in it" if not done.new else f"{done.new} of them new here"
        say([f"Game {done.game}: {done.events} events, {news}."])


def _texts(lines: Iterator[bytes]) -> Iterator[str]:
    for line in lines:
        try:
            yield line.decode()
        except UnicodeDecodeError as error:
            raise BadSetup("the file is no text in UTF-8") from error


def _imported(session: Session, writer: Callable[[], Database], first: bytes, lines: Iterator[bytes]) -> Imported:
    if first.lstrip()[:1] == b"{" or not first:
        return import_jsonl(writer, chain([first] if first else [], lines))
    return import_transcript(
        writer,
        _texts(chain([first], lines)),
        clock=session.clock,
        ids=session.ids,
        secret=session.secrets,
        prepare=prepare,
    )


def verify(session: Session, game: str | None, rules: bool = False) -> None:
    """Holds logs to what was written; with `rules` tells what today's rules would make otherwise, too."""
    reader = session.reader()
    try:
        if game is not None:
            _tell_report(session, reader, verify_game(reader, game_id(reader, game)), rules)
            return
        _verify_all(session, reader, rules)
    finally:
        reader.close()


def _verify_all(session: Session, reader: Database, rules: bool) -> None:
    faults: list[Exception] = [*file_faults(reader)]
    if not session.json:
        say(str(fault) for fault in faults)
    games = reader.games()
    with progress("games", len(games)) as tick:
        for done, found in enumerate(games, 1):
            try:
                _tell_report(session, reader, verify_game(reader, found), rules)
            except (LogError, NoSuchSlug) as damaged:
                faults.append(damaged)
                if not session.json:
                    say([f"{found}: {damaged}"])
            tick(done)
    if faults:
        raise faults[0]
    if not session.json and not session.quiet:
        say([f"All {len(games)} games are whole."])


def _tell_report(session: Session, reader: Database, report: Report, rules: bool) -> None:
    checked = check_rules(Table(reader, report.game)) if rules and not report.seen_by else None
    found = checked.difference if checked else None
    if session.json:
        document = {**report._asdict(), "ok": True}
        if checked:
            document["rules"] = {"events": checked.events, "differs": found._asdict() if found else None}
        put(document)
        return
    if session.quiet and not found:
        return
    over = ", over" if report.over else ""
    say([f"{report.game}: whole; {report.events} events, {report.moves} moves stand{over}."])
    if rules and report.seen_by:
        say(wrapped("  ", f"It is the log as {report.seen_by} saw it, so that the rules cannot be asked."))
    elif found:
        say(wrapped("  ", f"Today's rules make event {found.seq} otherwise: {found.why}"))
    elif checked:
        say([f"  Today's rules make the same of all {checked.events} events that stand."])


def annotate(session: Session, game: str, seat: str | None) -> None:
    """Tells the key moments of a game."""
    reader = session.reader()
    try:
        table = Table(reader, game_id(reader, game))
        viewer = _open_view(table, None if seat is None else (viewing(table, seat),))
        moments = key_moments(table, viewer)
        if session.json:
            put([{"seq": m.seq, "kind": m.kind, "text": m.text} for m in moments])
            return
        for moment in moments:
            say(wrapped(f"{moment.seq:>4}  ", moment.text))
        if not moments and not session.quiet:
            say(["No moment stands out yet."])
    finally:
        reader.close()
