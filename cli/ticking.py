"""What is to be done in time, by `tick` or by a server: games whose clock has run out, notices that wait."""

from __future__ import annotations

from typing import Any, NamedTuple

from cli.commands import iso, put, say
from cli.documents import batch_document, what_next
from cli.playing import wrapped
from cli.session import SeatPrograms, Session, game_id
from engines.clocks import TimedOut, spelt, time_out
from engines.kit.errors import Refusal
from engines.seeing import event_seen
from engines.table import Table
from engines.telling import told
from events.errors import LogError
from events.log import Database
from projections import notices
from projections.turns import overdue, running

#: So many notices are delivered at a time, and so often in one tick.
AT_A_TIME, MOST_TIMES = 20, 10

_SECOND = 1_000_000


class Ticked(NamedTuple):
    """What was done: games that the clock acted in, those in which it could not, notices delivered or not."""

    acted: list[TimedOut]
    failed: list[tuple[str, Refusal | LogError]]
    delivered: int
    undelivered: int


def tick(session: Session, log: Database, game: str | None = None) -> Ticked:
    """Acts for all seats of a file whose time is out, or for those of one game; then delivers the file's notices.

    Called by several at once it does each thing once. A game in which it fails holds up no other.
    """
    return Ticked(*act(session, log, game), *deliver_notices(session, log))


def act(
    session: Session, log: Database, game: str | None = None, *, programs: bool = True
) -> tuple[list[TimedOut], list[tuple[str, Refusal | LogError]]]:
    """Acts for seats whose time is out; gives what was done, and the games in which that failed.

    :param programs: whether programs that were allowed may play their seats
    """
    now = session.clock()
    acted: list[TimedOut] = []
    failed: list[tuple[str, Refusal | LogError]] = []
    running = SeatPrograms(session)
    try:
        for found in overdue(log, now) if game is None else [game]:
            try:
                while (done := time_out(log, found, now=now, programs=running if programs else None)) is not None:
                    acted.append(done)
            except (Refusal, LogError) as error:
                failed.append((found, error))
    finally:
        running.close()
    return acted, failed


def deliver_notices(session: Session, log: Database) -> tuple[int, int]:
    """Delivers what waits; gives how many notices were delivered, and how many were not."""
    now = session.clock()
    notices.gather(log, now)
    delivered = undelivered = 0
    for _ in range(MOST_TIMES):
        if not notices.waiting(log, now):
            break
        from cli.delivery import deliver

        done = deliver(notices.claimed(log, now, AT_A_TIME), now)
        for notice, failure in done:
            if failure is not None:
                session.warn("a notice was not delivered", notice=notice.id, tries=notice.tries, why=failure)
        over = [one.notice for one in done if one.failure is None or one.notice.tries >= notices.MOST_TRIES]
        notices.settled(log, over)
        failures = sum(one.failure is not None for one in done)
        delivered, undelivered = delivered + len(done) - failures, undelivered + failures
    return delivered, undelivered


def tick_file(session: Session, game: str | None) -> None:
    """Does what is due in the database, and tells it.

    :raises Refusal, LogError: the one game that was named cannot go on
    """
    log = session.writer()
    try:
        done = tick(session, log, None if game is None else game_id(log, game))
        _tell_ticked(session, done)
    finally:
        log.close()
    if game is not None and done.failed:
        raise done.failed[0][1]


def _tell_ticked(session: Session, done: Ticked) -> None:
    for found, error in done.failed:
        session.warn("the clock cannot act in a game", game=found, why=str(error))
    if session.json:
        put(
            {
                "games": [batch_document(one.table, one.entries, None) for one in done.acted],
                "failed": [{"game": found, "message": str(error)} for found, error in done.failed],
                "notices": {"delivered": done.delivered, "undelivered": done.undelivered},
            }
        )
        return
    for one in done.acted:
        _tell(session, one)
    if not session.quiet:
        if not done.acted and not done.failed:
            say(["No seat's time is out."])
        if done.delivered or done.undelivered:
            say([f"Notices: {done.delivered} delivered, {done.undelivered} not."])


def _tell(session: Session, done: TimedOut) -> None:
    table = done.table
    say([f"Game {table.id}:"])
    over = table.outcome is not None
    for seq, event in done.entries:
        for number, sentence in enumerate(told(table.game, table.names, event_seen(event, None, over=over))):
            say(wrapped(f"{seq:>4}  " if number == 0 else "      ", sentence))
    if not session.quiet:
        say(row for line in what_next(table) for row in wrapped("", line))


def clock_document(table: Table, now: int) -> dict[str, Any]:
    """What `show` adds of a game with a clock; nothing of another one."""
    clock = table.created.clock
    if clock is None:
        return {}
    deadlines = [
        {
            "seat": table.names[one.seat],
            "due": iso(one.due),
            "seconds_left": (one.due - now) // _SECOND,
        }
        for one in running(table.log, table.id)
    ]
    return {"clock": {"pace": spelt(clock.pace), "on_timeout": clock.on_timeout, "deadlines": deadlines}}


def clock_lines(table: Table, now: int) -> list[str]:
    """The same in words."""
    lines: list[str] = []
    for one in running(table.log, table.id):
        left = (one.due - now) // _SECOND
        how_long = f"{_lasting(left)} left" if left >= 0 else f"overdue for {_lasting(-left)}"
        lines.append(f"{table.names[one.seat]} has until {iso(one.due)} ({how_long}).")
    return lines


def _lasting(seconds: int) -> str:
    """A time in its two largest units."""
    parts = [
        (seconds // 86_400, "d"),
        (seconds // 3600 % 24, "h"),
        (seconds // 60 % 60, "min"),
        (seconds % 60, "s"),
    ]
    while len(parts) > 1 and not parts[0][0]:
        parts.pop(0)
    return " ".join(f"{number} {unit}" for number, unit in parts[:2] if number) or "0 s"


def orders_lines(table: Table, seat: int) -> list[str]:
    """What a seat is told of its standing orders."""
    from projections.orders import standing

    return [order_words(*order) for order in standing(table.log, table.id, seat)]


def order_words(number: int, move: str, dropped: int | None) -> str:
    """A standing order in words."""
    why = f" (dropped at event {dropped}: not legal any more)" if dropped else ""
    return f"Standing order {number}: {move}{why}"
