"""`play`, apart from the other commands: it is typed most, so it is started without any of them."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from msgspec import Struct

from cli.documents import batch_document, takeback_words, what_next
from cli.session import SeatPrograms, Session, acting_seat, game_id
from engines.kit.boards import WIDTH, drawn
from engines.kit.notation import words_of
from engines.kit.secrecy import Viewer
from engines.seeing import event_seen
from engines.table import Entry, Table
from engines.telling import told
from events.model import MoveMade


class Play(Struct, frozen=True):
    """A `play` command as typed."""

    game: str
    words: tuple[str, ...]
    seat: str | None = None
    expect: int | None = None
    request: str | None = None
    dry_run: bool = False


def typed_words(words: Sequence[str]) -> list[str]:
    """The words of a move as typed: `@FILE` is one word with the file's content, other arguments are split."""
    out: list[str] = []
    for word in words:
        if word.startswith("@") and len(word) > 1:
            from engines.kit.setfile import file_text

            out.append(file_text(word[1:]))
        else:
            out += words_of(word)
    return out


def play(session: Session, asked: Play) -> None:
    """Carries out `play` and answers."""
    words = typed_words(asked.words)
    log = session.writer()
    programs = SeatPrograms(session)
    try:
        table = Table(log, game_id(log, asked.game), programs=programs)
        seat = acting_seat(table, asked.seat)
        entries = table.play(
            words,
            now=session.clock(),
            seat=seat,
            expect=asked.expect,
            request=asked.request,
            dry_run=asked.dry_run,
        )
        mover = entries[0].event.seat if isinstance(entries[0].event, MoveMade) else seat
        answer(session, table, entries, mover, dry_run=asked.dry_run)
        if session.log_file is not None or session.log_level in ("debug", "info"):
            session.say("played", game=table.id, seq=entries[-1].seq, events=len(entries), dry_run=asked.dry_run)
    finally:
        programs.close()
        log.close()


def answer(
    session: Session, table: Table, entries: Sequence[Entry], viewer: Viewer, *, dry_run: bool = False
) -> None:
    """Tells what a command did, as `viewer` may know it."""
    if session.json:
        from msgspec.json import encode

        sys.stdout.write(encode(batch_document(table, entries, viewer, dry_run=dry_run)).decode() + "\n")
        return
    lines = answer_lines(table, entries, viewer, quiet=session.quiet, dry_run=dry_run)
    sys.stdout.write("\n".join(lines) + "\n")


def answer_lines(
    table: Table, entries: Sequence[Entry], viewer: Viewer, *, quiet: bool, dry_run: bool = False
) -> list[str]:
    """What a command did in words, as `viewer` may know it."""
    lines: list[str] = ["Nothing is written, this would happen:"] if dry_run else []
    over = table.outcome is not None
    for seq, event in entries:
        for number, sentence in enumerate(told(table.game, table.names, event_seen(event, viewer, over=over))):
            lines += wrapped(f"{seq:>4}  " if number == 0 else "      ", sentence)
    for line in takeback_words(table, table.takeback, viewer):
        lines += wrapped("", line)
    if not quiet and not dry_run:
        for line in what_next(table):
            lines += wrapped("", line)
    return lines


def wrapped(head: str, text: str) -> list[str]:
    """The text in lines of at most 80 columns behind `head`, further lines set in as far."""
    if len(head) + len(text) <= WIDTH and "\n" not in text:
        return [head + text]
    from textwrap import wrap

    rows = wrap(text, WIDTH - len(head), break_on_hyphens=False) or [""]
    return [(head if number == 0 else " " * len(head)) + row for number, row in enumerate(rows)]


def board_text(table: Table, viewer: Viewer, *, colour: bool) -> str:
    """The board as `viewer` may see it."""
    state = table.game.concealed(table.state, viewer)
    return drawn(table.game.drawn.board(state, viewer, table.names), colour=colour)
