"""A game into the database: JSON lines are checked whole before a byte is written, a transcript is played.

The same game again is a no-op; a game that has grown since is brought up to date; another game under its
id is refused.
"""

import os
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import IO, NamedTuple

import msgspec
from msgspec import json

from engines.creation import check_id
from engines.kit.errors import BadSetup, Refusal
from events.digest import ROOT, chained
from events.errors import Damaged, GameExists, RequestReused
from events.log import Database, Store
from events.model import Row
from events.sqlite import open_log
from projections.readmodels import update
from projections.timeline import Timeline, timeline_of
from replays.foreign import Inspector, check_values
from replays.scripts import run_script
from replays.verifying import Auditor

#: A longer line is refused unread.
LONGEST_LINE = 16_000_000
#: In microseconds: the year 10000, of which no date can be made any more.
LATEST = 253_402_300_000_000_000
#: More events than this are no game.
MOST_EVENTS = 10_000_000


class BadEntry(Damaged):
    """An entry of a file is not right; nothing was imported."""

    def __init__(self, number: int, why: str) -> None:
        Exception.__init__(self, f"entry {number} of the file is not right: {why}; nothing was imported")
        self.hint = "export the game again from where it was played"
        self.game, self.seq, self.why = "", number, why


class Imported(NamedTuple):
    """What an import did: the game, its events, how many of them are new here."""

    game: str
    events: int
    new: int


class _Line(msgspec.Struct, forbid_unknown_fields=True):
    game: str
    seq: int
    at: int
    kind: str
    actor: str
    schema: int
    request: str | None
    data: msgspec.Raw
    digest: str


_lines: json.Decoder[_Line] = json.Decoder(_Line)


def read_lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a file that are not empty.

    :raises BadEntry: one is too long
    """
    for number in range(1, MOST_EVENTS):
        text = file.readline(LONGEST_LINE + 1)
        if not text:
            return
        if len(text) > LONGEST_LINE:
            raise BadEntry(number, f"its line is longer than {LONGEST_LINE} bytes")
        if text.strip():
            yield text
    raise BadEntry(MOST_EVENTS, "no game has so many events")


def _row(number: int, text: bytes) -> Row:
    try:
        line = _lines.decode(text)
        data = bytes(line.data).decode()
        digest = bytes.fromhex(line.digest)
    except (msgspec.MsgspecError, RecursionError, ValueError) as error:
        raise BadEntry(number, f"it cannot be read: {error}") from error
    if not (0 <= line.at < LATEST and 0 < line.schema < 2**31):
        raise BadEntry(number, "a number in it is out of all bounds")
    return Row(line.game, line.seq, line.at, line.kind, line.actor, line.schema, line.request, data, digest)


def _checked_rows(lines: Iterable[bytes]) -> list[Row]:
    """All rows of a file, held to the chain and the fold.

    :raises BadEntry: with the number of the first entry that is not right
    """
    rows: list[Row] = []
    previous = ROOT
    auditor: Auditor | None = None
    inspector: Inspector | None = None
    requests: set[str] = set()
    for number, text in enumerate(lines, 1):
        row = _row(number, text)
        if rows and row.game != rows[0].game:
            raise BadEntry(number, f"it belongs to game {row.game[:64]!r}, the ones before to {rows[0].game!r}")
        if row.seq != number:
            raise BadEntry(number, f"it is numbered {row.seq}")
        digest = chained(
            previous, row.game, row.seq, row.at, row.kind, row.actor, row.schema, row.request, row.data
        )
        if digest != row.digest:
            raise BadEntry(number, "its content does not match its digest")
        try:
            check_values(row)
            if auditor is None:
                check_id(row.game)
                auditor = Auditor(row)
                inspector = Inspector(auditor.game)
            assert inspector is not None
            inspector.take(row, auditor.take(row), auditor.state)
        except Damaged as damaged:
            raise BadEntry(number, damaged.why) from damaged
        except Refusal as refused:
            raise BadEntry(number, str(refused)) from refused
        if row.request is not None:
            if row.request in requests:
                raise BadEntry(number, f"its request id {row.request[:64]!r} stands before it already")
            requests.add(row.request)
        previous = digest
        rows.append(row)
    if auditor is None:
        raise BadEntry(1, "the file is empty")
    try:
        auditor.report()
    except Damaged as damaged:
        raise BadEntry(damaged.seq, damaged.why) from damaged
    return rows


def import_jsonl(opened: Callable[[], Database], lines: Iterable[bytes]) -> Imported:
    """Imports the log of a game.

    :param opened: opens the log to write to; called once the file is known to be right
    :raises BadEntry: the file is not right; GameExists: another game has its id
    """
    rows = _checked_rows(lines)
    log = opened()
    game = rows[0].game
    known = list(log.rows(game))
    shared = min(len(known), len(rows))
    if known[:shared] != rows[:shared]:
        raise GameExists(game, "belongs to another game of this database")
    new = rows[len(known) :]
    asked = rows[0].request
    other = None if asked is None or known else log.asked(asked, None)
    if asked is not None and other is not None:
        raise RequestReused(asked, other.game, other.seq)
    if new:
        copy_game(log, new, timeline_of(known))
    return Imported(game, len(rows), len(new))


def copy_game(log: Database, rows: Sequence[Row], timeline: Timeline) -> None:
    """Appends rows of another log, checked before, and lists them; `timeline` is of what is here already."""

    def inside(store: Store, written: Sequence[Row]) -> None:
        for row in written:
            timeline.note(row.kind, row.seq, row.data)
        update(store, rows[0].game, timeline, written)

    log.copy(rows, inside)


def import_transcript(
    opened: Callable[[], Database],
    lines: Iterable[str],
    *,
    clock: Callable[[], int],
    ids: Callable[[], str],
    secret: Callable[[], str],
    prepare: Callable[[str], None],
) -> Imported:
    """Plays a transcript aside and imports the game that comes of it: all of it or nothing.

    :param opened: opens the log to write to; called once the whole transcript has been played
    :raises ScriptStopped: a line is refused
    """
    with tempfile.TemporaryDirectory() as folder:
        aside = open_log(os.path.join(folder, "aside.db"), prepare, write=True)
        aside.connection.execute("pragma synchronous = off")  # it is not to be kept
        try:
            game = ""
            for played in run_script(lambda: aside, lines, clock=clock, ids=ids, secret=secret):
                if game not in ("", played.table.id):
                    raise BadSetup("the transcript creates several games", "`turnlog run` plays such a script")
                game = played.table.id
            if not game:
                raise BadSetup("the file holds no game", "`import` takes what `export` wrote: jsonl or transcript")
            rows = list(aside.rows(game))
            log = opened()
            if log.last(game):
                raise GameExists(game)
            copy_game(log, rows, Timeline())
        finally:
            aside.close()
    return Imported(game, len(rows), len(rows))
