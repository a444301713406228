"""Scripts: a game as lines of text that play it.

    create power-vacuum -p lucia -p fritz --seed 7
    lucia: play R7
    fritz: play G2
    undo
    # a comment

`SEAT:` may be left out where one seat is to move. In a game with a clock, `clock SEAT: MOVE` and
`clock [SEAT:] close` are what was done when a seat's time ran out. Where others have to agree to an undo,
`SEAT: agree` does so. A transcript is such a script with every move in it, so that bots do not answer on their own
(`--bots-wait`). A program that plays a seat is `-p exec:NAME`, by the name that the user agreed to: a script names
no commands.
"""

import shlex
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from msgspec import json

from engines.clocks import close_by_clock, remarked
from engines.creation import check_wish, close_game, create
from engines.decide import resolved
from engines.kit.bots import Choice, Programs, Turn
from engines.kit.errors import BadSetup, Refusal
from engines.kit.notation import words_of
from engines.registry import game_of
from engines.table import Entry, Table
from events.errors import LogError
from events.log import Database
from replays.wishes import CreateLine, wish_of

LONGEST_LINE = 1_000_000
#: What a line begins with that was done by the clock.
CLOCK = "clock "


class Played(NamedTuple):
    """A line of a script that was carried out."""

    number: int
    line: str
    table: Table
    entries: list[Entry]


class ScriptStopped(Refusal):
    """A line was refused: the script stops there, what came before stays played."""

    def __init__(self, number: int, line: str, cause: Refusal | LogError) -> None:
        shown = line if len(line) <= 60 else line[:57] + "..."
        super().__init__(f"line {number}, {shown!r}: {cause}", cause.hint)
        self.number, self.cause = number, cause


class _Run:
    def __init__(
        self,
        log: Callable[[], Database],
        clock: Callable[[], int],
        ids: Callable[[], str],
        secret: Callable[[], str],
        table: Table | None,
        programs: Programs | None,
    ) -> None:
        self.log, self.clock, self.ids, self.secret = log, clock, ids, secret
        self.table, self.programs = table, programs
        self.bots = True

    def line(self, text: str) -> list[Entry]:
        """Carries out one line."""
        table = self.table
        seats = () if table is None else tuple(f"{name}:" for name in table.names)
        if text.split(maxsplit=1)[0] == "create" and not text.startswith(seats):
            return self._create(text)
        if table is None:
            raise BadSetup("no game was created yet", "a script begins with `create SLUG -p NAME ...`")
        if text.startswith(CLOCK) and not text.startswith(seats) and table.created.clock is not None:
            return self._clock(table, *_seat_and_rest(table.names, text.removeprefix(CLOCK)))
        seat, text = _seat_and_rest(table.names, text)
        verb, _, rest = text.partition(" ")
        acts = {"undo": self._undo, "redo": self._redo, "agree": self._agree}
        act = {**acts, "note": self._note, "close": self._close}.get(verb)
        if act is not None:
            return act(table, seat, rest)
        return table.play(words_of(text), now=self.clock(), seat=seat, bots=self.bots)

    def _clock(self, table: Table, seat: int | None, text: str) -> list[Entry]:
        if text == "close":
            closed = close_by_clock(table, seat, now=self.clock())
            self.table = closed.table
            return closed.entries
        if seat is None:
            raise BadSetup("`clock` needs the seat whose time ran out", "it is written: clock SEAT: MOVE")

        def choose(turn: Turn) -> Choice:
            return Choice(
                resolved(turn.game, turn.offers, words_of(text)), remarked(turn.name, "it was moved for")
            )

        return table.play_for(seat, choose, now=self.clock(), most=1, bots=self.bots)

    def _create(self, text: str) -> list[Entry]:
        asked = CreateLine.parse(_shell_words(text)[1:])
        self.bots = not asked.bots_wait
        wish, new_id = wish_of(game_of(asked.slug), asked), asked.id or self.ids()
        if self.table is None:  # what is refused makes no file
            check_wish(wish, new_id)
        self.table, entries = create(
            self.log(),
            wish,
            new_id,
            now=self.clock(),
            secret=self.secret,
            bots=self.bots,
            programs=self.programs,
        )
        return entries

    def _undo(self, table: Table, seat: int | None, rest: str) -> list[Entry]:
        given = _options(rest, {"-n": "n", "--to": "to", "--reason": "reason"}, "undo [-n N | --to SEQ]")
        return table.undo(
            now=self.clock(),
            seat=seat,
            count=_number(given.get("n", "1"), "-n"),
            to=_number(given["to"], "--to") if "to" in given else None,
            reason=_text(given.get("reason", "")),
        )

    def _redo(self, table: Table, seat: int | None, rest: str) -> list[Entry]:
        given = _options(rest, {"-n": "n"}, "redo [-n N]")
        return table.redo(now=self.clock(), seat=seat, count=_number(given.get("n", "1"), "-n"))

    def _agree(self, table: Table, seat: int | None, rest: str) -> list[Entry]:
        said = rest.strip()
        if said not in ("", "--no", "--withdraw"):
            raise BadSetup(f"{said[:40]!r} is not understood here", "it is written: agree [--no | --withdraw]")
        return table.agree(now=self.clock(), seat=seat, no=said == "--no", withdraw=said == "--withdraw")

    def _note(self, table: Table, seat: int | None, rest: str) -> list[Entry]:
        about, _, text = rest.partition(" ")
        return table.note(_number(about, "the event"), _text(text), now=self.clock(), seat=seat)

    def _close(self, table: Table, seat: int | None, rest: str) -> list[Entry]:
        _, event = close_game(self.log(), table.id, seat=seat, reason=_text(rest), now=self.clock())
        self.table = Table(self.log(), table.id)
        return [Entry(self.table.seq, event)]


def run_script(
    log: Callable[[], Database],
    lines: Iterable[str],
    *,
    clock: Callable[[], int],
    ids: Callable[[], str],
    secret: Callable[[], str],
    table: Table | None = None,
    programs: Programs | None = None,
) -> Iterator[Played]:
    """Carries out the lines of a script, one after another.

    :param log: opens the log; called once there is something to write
    :param table: the game that the script goes on with, if it does not create one
    :param programs: those that play seats named `exec:NAME` of games that it creates; without, none is started
    :raises ScriptStopped: at the first line that is refused
    """
    run = _Run(log, clock, ids, secret, table, programs)
    for number, raw in enumerate(lines, 1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        try:
            if len(line) > LONGEST_LINE:
                raise BadSetup(f"the line is too long: at most {LONGEST_LINE} characters")
            entries = run.line(line)
        except (Refusal, LogError) as cause:
            raise ScriptStopped(number, line, cause) from cause
        assert run.table is not None
        yield Played(number, line, run.table, entries)


def _shell_words(text: str) -> list[str]:
    try:
        return shlex.split(text)
    except ValueError as error:
        raise BadSetup(f"a quotation is not closed: {error}") from error


def _seat_and_rest(names: tuple[str, ...], text: str) -> tuple[int | None, str]:
    for seat, name in sorted(enumerate(names), key=lambda pair: -len(pair[1])):
        if text.startswith(name + ":"):
            return seat, text[len(name) + 1 :].strip() or "?"
    head, colon, rest = text.partition(":")
    if colon and head.isascii() and head.isdigit():
        if 1 <= int(head[:9]) <= len(names):
            return int(head) - 1, rest.strip() or "?"
        raise BadSetup(f"there is no seat {head[:9]}", f"the seats: {', '.join(names)}")
    if colon and " " not in head and '"' not in head:
        raise BadSetup(f"there is no seat {head[:40]!r}", f"the seats: {', '.join(names)}")
    return None, text


def _options(rest: str, known: dict[str, str], usage: str) -> dict[str, str]:
    words = iter(_shell_words(rest))
    given: dict[str, str] = {}
    for word in words:
        value = next(words, None)
        if word not in known or value is None:
            raise BadSetup(f"{word!r} is not understood here", f"it is written: {usage}")
        given[known[word]] = value
    return given


def _number(text: str, what: str) -> int:
    if text.isascii() and text.isdigit() and len(text) < 19:
        return int(text)
    raise BadSetup(f"{what} takes a number, not {text[:40]!r}")


def _text(rest: str) -> str:
    """The text that a line ends with: as it stands, or the one JSON string that it is."""
    words = words_of(rest) if rest.lstrip().startswith('"') else []
    return words[0] if len(words) == 1 else rest


def quoted(text: str) -> str:
    """A text as a script's line can hold it."""
    return json.encode(text).decode()
