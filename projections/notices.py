"""Who wants to be told of what, and what is still to be told.

A subscription of a seat remembers the events it was told of. Nothing is written while a game is played: what there
is to tell is found later, from the log, by whoever looks (`gather`), and waits in a queue until it was delivered.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

import msgspec

from events.log import Database
from projections.turns import turns_of

#: It is your turn; your time is nearly out; a standing order of yours was dropped; the game has ended.
Kind = Literal["turn", "time", "dropped", "over"]
Means = Literal["command", "webhook"]

#: A notice is delivered so often at most, and again after so long, five times as long each time; in microseconds.
MOST_TRIES, FIRST_WAIT = 6, 60_000_000
#: A seat's time is nearly out when this part of it is left.
NEARLY = 10


class Subscription(NamedTuple):
    """How a seat is told: by the command of that name, or the webhook at that address, signed with `secret`."""

    game: str
    seat: int
    means: Means
    target: str
    secret: str


class Notice(NamedTuple):
    """Something to be told to a seat, and how often that was tried."""

    game: str
    seat: int
    kind: Kind
    seq: int
    tries: int

    @property
    def id(self) -> str:
        """The same for the same news, however often it is delivered."""
        return f"{self.game}-{self.seat + 1}-{self.kind}-{self.seq}"


class Claim(NamedTuple):
    """A notice that is being delivered: to whom, and the seat's name."""

    notice: Notice
    to: Subscription
    seat: str


class _Told(NamedTuple):
    game: str
    seat: int
    seen: int
    turn: int
    time: int
    dropped: int
    over: int
    events: int
    state: str


def subscribe(log: Database, wanted: Subscription) -> None:
    """Lets a seat be told, in place of how it was told before."""
    with log.writing(wanted.game) as store:
        for table in ("subscriptions", "notices"):
            store.execute(f"delete from {table} where game = ? and seat = ?", (wanted.game, wanted.seat))
        store.execute(
            "insert into subscriptions (game, seat, means, target, secret, seen, told_turn, told_time, "
            "told_dropped, told_over) values (?, ?, ?, ?, ?, 0, 0, 0, 0, 0)",
            wanted,
        )


def unsubscribe(log: Database, game: str, seat: int) -> None:
    """Lets a seat be told of nothing more."""
    with log.writing(game) as store:
        for table in ("subscriptions", "notices"):
            store.execute(f"delete from {table} where game = ? and seat = ?", (game, seat))


def subscription(log: Database, game: str, seat: int) -> Subscription | None:
    """How a seat is told, None if it is not."""
    found = log.select(
        "select game, seat, means, target, secret from subscriptions where game = ? and seat = ?", (game, seat)
    )
    return next((Subscription(*columns) for columns in found), None)


def gather(log: Database, now: int) -> None:
    """Puts into the queue what happened since it was last looked at, and whose time is nearly out at `now`."""
    found = log.select(
        f"""select s.game, s.seat, seen, told_turn, told_time, told_dropped, told_over, g.events, g.state
        from subscriptions s join games g using (game)
        where g.events > seen or exists (
            select 1 from clocks c where c.game = s.game and c.seat = s.seat and c.seq > told_time
            and c.due - (c.due - c.since) / {NEARLY} <= ?)""",
        (now,),
    )
    for told in [_Told(*columns) for columns in found]:
        _gather(log, told, now)


def _gather(log: Database, told: _Told, now: int) -> None:
    latest = _latest(log, told, now)
    about = (told.game, told.seat)
    with log.writing(told.game) as store:
        changed = store.execute(
            "update subscriptions set seen = ?, told_turn = ?, told_time = ?, told_dropped = ?, told_over = ? "
            "where game = ? and seat = ? and seen = ? and told_time = ?",
            (told.events, *(seq for seq, _ in latest.values()), *about, told.seen, told.time),
        ).rowcount
        for kind, (seq, news) in latest.items():
            if changed and news:
                store.execute(
                    "insert into notices (game, seat, kind, seq, tries, next_try) values (?, ?, ?, ?, 0, ?) "
                    "on conflict do nothing",
                    (*about, kind, seq, now),
                )


def _latest(log: Database, told: _Told, now: int) -> dict[Kind, tuple[int, bool]]:
    """Of each kind the event that the seat will have been told of, and whether it is news."""
    try:
        timeline, turns = turns_of(log.rows(told.game, 0, told.events))
    except (ValueError, msgspec.MsgspecError, LookupError):  # a game that cannot be read has no news
        timeline, turns = None, {}
    turn = turns[told.seat].seq if told.seat in turns else told.turn
    over = timeline.changed if timeline is not None and told.state != "playing" else told.over
    (time,) = next(
        log.select(
            f"select seq from clocks where game = ? and seat = ? and due - (due - since) / {NEARLY} <= ?",
            (told.game, told.seat, now),
        ),
        (told.time,),
    )
    (dropped,) = next(
        log.select("select max(dropped) from orders where game = ? and seat = ?", (told.game, told.seat))
    )
    dropped = max(told.dropped, dropped or 0)
    return {
        "turn": (turn, turn > told.turn and not _own(log, told.game, told.seat, turn)),
        "time": (time, time > told.time),
        "dropped": (dropped, dropped > told.dropped),
        "over": (over, over > told.over),
    }


def _names(seats: str) -> list[str]:
    return msgspec.json.decode(seats, type=list[str])


class _Done(msgspec.Struct):
    seat: int | None = None
    by: str = "person"
    remark: str = ""


def _own(log: Database, game: str, seat: int, seq: int) -> bool:
    """Whether the seat did itself what made it to move."""
    row = log.row(game, seq)
    if row is None:
        return False
    done = msgspec.json.decode(row.data, type=_Done)
    return done.seat == seat and done.by == "person" and not done.remark


def claimed(log: Database, now: int, most: int) -> list[Claim]:
    """The notices that are to be delivered now, at most `most`. Each will be due again later, unless `settled`.

    So whoever breaks off in between loses none, and no two deliver the same one at a time.
    """
    with log.writing() as store:
        found = list(
            store.execute(
                """select n.game, n.seat, n.kind, n.seq, n.tries + 1, s.means, s.target, s.secret, g.seats
                from notices n join subscriptions s using (game, seat) join games g using (game)
                where next_try <= ? order by next_try, n.game, n.seat limit ?""",
                (now, most),
            )
        )
        claims = [
            Claim(Notice(*row[:5]), Subscription(row[0], row[1], *row[5:8]), _names(row[8])[row[1]])
            for row in found
        ]
        for notice, *_ in claims:
            store.execute(
                "update notices set tries = ?, next_try = ? where game = ? and seat = ? and kind = ? and seq = ?",
                (notice.tries, now + FIRST_WAIT * 5 ** (notice.tries - 1), *notice[:4]),
            )
    return claims


def settled(log: Database, notices: list[Notice]) -> None:
    """Takes notices out of the queue."""
    with log.writing() as store:
        for notice in notices:
            store.execute("delete from notices where game = ? and seat = ? and kind = ? and seq = ?", notice[:4])


def waiting(log: Database, now: int) -> bool:
    """Whether a notice is to be delivered now."""
    return next(log.select("select 1 from notices where next_try <= ? limit 1", (now,)), None) is not None
