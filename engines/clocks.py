"""Games with a clock: how long a seat may take, and what is done when its time is out.

Nothing here knows the time: whoever calls says what it is, in microseconds UTC.
"""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from engines.creation import close_game
from engines.kit.bots import Choice, Programs, Turn, random_move
from engines.kit.errors import BadSetup
from engines.kit.game import BOT, PROGRAM
from engines.kit.offers import legal
from engines.table import Entry, Table
from events.errors import Conflict
from events.log import Database
from events.model import Clock, GameClosed, MoveMade
from projections.turns import running

#: The shortest and the longest pace, in seconds.
SHORTEST, LONGEST = 10, 100 * 86_400
#: So many moves are made at once, at most, for a seat whose time is out.
MOST_OF_A_TURN = 100

ON_TIMEOUT = ("bot", "skip", "close")

_RAN_OUT = " ran out of time"
_UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86_400}
_PACE = re.compile(r"(\d{1,7})([smhd])", re.ASCII)


def clock_of(pace: str | None, on_timeout: str | None) -> Clock | None:
    """The clock that `--pace` and `--on-timeout` mean; None where there is no pace.

    :raises BadSetup: they mean none
    """
    if pace is None:
        if on_timeout is not None:
            raise BadSetup("--on-timeout says what happens when time is out, and no --pace limits it")
        return None
    found = _PACE.fullmatch(pace)
    seconds = int(found[1]) * _UNITS[found[2]] if found else 0
    if not SHORTEST <= seconds <= LONGEST:
        raise BadSetup(
            f"--pace {pace[:20]!r} is no time that a seat may take",
            f"a number and s, m, h or d, from {spelt(SHORTEST)} to {spelt(LONGEST)}: 10m, 24h, 3d",
        )
    if on_timeout not in (None, *ON_TIMEOUT):
        raise BadSetup(f"--on-timeout is one of {', '.join(ON_TIMEOUT)}, not {on_timeout[:20]!r}")
    return Clock(seconds, on_timeout or "bot")


def spelt(seconds: int) -> str:
    """A pace as it is written."""
    for unit, length in (("d", 86_400), ("h", 3600), ("m", 60)):
        if seconds % length == 0:
            return f"{seconds // length}{unit}"
    return f"{seconds}s"


def out_of_time(names: tuple[str, ...], seat: int | None) -> str:
    """Why the clock closed a game: the time of `seat` was out, or (None) that of several seats at once."""
    return f"{'several seats' if seat is None else names[seat]}{_RAN_OUT}"


def by_clock(names: tuple[str, ...], event: MoveMade[Any, Any] | GameClosed) -> bool:
    """Whether the clock made a person's move, or closed the game."""
    if isinstance(event, GameClosed):
        return not event.reason and event.outcome.reason.endswith(_RAN_OUT)
    return event.by == "bot" and not names[event.seat].startswith((BOT, PROGRAM))


class TimedOut(NamedTuple):
    """What the clock did to a game."""

    table: Table
    entries: list[Entry]


def close_by_clock(table: Table, seat: int | None, *, now: int) -> TimedOut:
    """Closes a game in which the time of `seat`, or (None) of several seats, is out.

    :raises Conflict: somebody moved meanwhile
    """
    why = out_of_time(table.names, seat)
    _, closed = close_game(table.log, table.id, seat=seat, reason="", now=now, why=why, expect=table.seq)
    return TimedOut(Table(table.log, table.id), [Entry(table.seq + 1, closed)])


def time_out(log: Database, game_id: str, *, now: int, programs: Programs | None = None) -> TimedOut | None:
    """Does what the clock of a game says for the seats whose time is out; None if there is none, or not any more.

    Whoever moves before it is written was in time.

    :raises LogError, Refusal: the game cannot be read, or cannot go on
    """
    table = Table(log, game_id, programs=programs)
    # Asked after the table was loaded: where they tell of a later event, the append is refused.
    late = [clock for clock in running(log, game_id) if clock.due <= now]
    clock = table.created.clock
    if not late or clock is None:
        return None
    try:
        if clock.on_timeout == "close":
            seat = late[0].seat if len(late) == 1 else None
            return close_by_clock(table, seat, now=now)
        choose = _skipped if clock.on_timeout == "skip" else _played_by_bot
        return TimedOut(table, table.play_for(late[0].seat, choose, now=now, most=MOST_OF_A_TURN))
    except Conflict:
        return None


def remarked(name: str, what: str) -> str:
    """What the log says of a move that the clock made."""
    return f"{name}'s time ran out: {what}."


def _played_by_bot(turn: Turn) -> Choice:
    name, bot = next(iter(turn.game.bots.items()), ("random", random_move))
    return Choice(
        bot(turn.view, turn.seat, legal(turn.offers), turn.chance), remarked(turn.name, f"bot:{name} moves")
    )


def _skipped(turn: Turn) -> Choice:
    """The least that the seat can do: the first of the game's passes that is on offer, else any move."""
    moves = legal(turn.offers)
    for verb in turn.game.passes:
        for move in moves:
            if turn.game.grammar.verb(type(move)) == verb:
                return Choice(move, remarked(turn.name, "it passes"))
    random = random_move(turn.view, turn.seat, moves, turn.chance)
    return Choice(random, remarked(turn.name, "it cannot pass, so a random move is made"))
