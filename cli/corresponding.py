"""Standing orders and notices: what a seat leaves behind for the time that it is not there."""

from __future__ import annotations

from typing import Any

from cli.commands import put, say
from cli.playing import typed_words, wrapped
from cli.session import Session, acting_seat, game_id, seat_of
from cli.ticking import orders_lines
from engines.kit.errors import BadSetup, IllegalMove, Refusal
from engines.table import SeatNeeded, Table
from events.errors import Conflict
from events.sqlite import SqliteLog
from projections import notices, orders

#: An order is carried out if it is legal: to say so changes nothing.
_IF_LEGAL = ["if", "legal"]
#: So often an order is tried to be left while the game goes on.
_MOST_TRIES = 20


def _seat(table: Table, said: str | None) -> int:
    seat = acting_seat(table, said)
    if seat is None:
        persons = [one for one in range(len(table.names)) if table.player(one) == "person"]
        if len(persons) != 1:
            raise SeatNeeded("standing orders are a seat's own", "say which seat with --as SEAT")
        seat = persons[0]
    return seat


def leave_order(session: Session, game: str, move: tuple[str, ...], seat: str | None) -> None:
    """Leaves a standing order."""
    log = session.writer()
    try:
        found = game_id(log, game)
        table = Table(log, found)
        mover = _seat(table, seat)
        for _ in range(_MOST_TRIES):
            if orders.leave(log, found, mover, _order(table, mover, move), table.seq):
                _tell_orders(session, table, mover)
                return
            table = Table(log, found)
        raise Conflict(found, table.seq, log.last(found))
    finally:
        log.close()


def _order(table: Table, seat: int, move: tuple[str, ...]) -> str:
    """The order as it is kept.

    :raises Refusal: it is no move of the game, or the seat can move by itself, or has left too many
    """
    words = typed_words(move)
    if words[-2:] == _IF_LEGAL:
        words = words[:-2]
    spelt = table.game.grammar.spell(table.game.grammar.parse(words))
    if table.created.seen_by or table.outcome is not None:
        raise IllegalMove(f"game {table.id} does not go on: nothing is left to be ordered in it")
    if table.player(seat) != "person":
        raise Refusal(f"{table.names[seat]} is played by the program and takes no orders")
    if seat in table.to_move:
        raise Refusal(
            f"{table.names[seat]} is to move now: an order is for later", f"`turnlog play {table.id} {spelt}`"
        )
    waiting = [one for one in orders.standing(table.log, table.id, seat) if one.dropped is None]
    if len(waiting) >= orders.MOST:
        raise Refusal(f"at most {orders.MOST} orders of a seat wait", "--drop N takes one back")
    return spelt


def drop_order(session: Session, game: str, number: int, seat: str | None) -> None:
    """Takes a standing order back."""
    log = session.writer()
    try:
        table = Table(log, game_id(log, game))
        mover = _seat(table, seat)
        if not orders.withdraw(log, table.id, mover, number):
            raise BadSetup(f"{table.names[mover]} has no standing order {number}", "--list shows them")
        _tell_orders(session, table, mover)
    finally:
        log.close()


def list_orders(session: Session, game: str, seat: str | None) -> None:
    """Lists the standing orders of a seat."""
    log = session.reader()
    try:
        table = Table(log, game_id(log, game))
        _tell_orders(session, table, _seat(table, seat))
    finally:
        log.close()


def _tell_orders(session: Session, table: Table, seat: int) -> None:
    if session.json:
        left = [order._asdict() for order in orders.standing(table.log, table.id, seat)]
        put({"game": table.id, "seat": table.names[seat], "orders": left})
        return
    lines = orders_lines(table, seat)
    say(row for line in lines for row in wrapped("", line))
    if not lines and not session.quiet:
        say([f"{table.names[seat]} has left no standing orders."])


def notify(session: Session, game: str, seat: str, command: str | None, webhook: str | None, off: bool) -> None:
    """Says how a seat is told of news, or shows it."""
    asking = command is None and webhook is None and not off
    log = session.reader() if asking else session.writer()
    try:
        table = Table(log, game_id(log, game))
        mover = seat_of(table.names, seat)
        secret = None
        if off:
            notices.unsubscribe(log, table.id, mover)
        elif command is not None:
            from cli.programs import notifier_named

            notices.subscribe(log, notices.Subscription(table.id, mover, "command", notifier_named(command), ""))
        elif webhook is not None:
            secret = subscribe_webhook(session, log, table, mover, webhook)
        _tell_subscription(session, table, mover, secret)
    finally:
        log.close()


def subscribe_webhook(session: Session, log: SqliteLog, table: Table, seat: int, url: str) -> str:
    """Lets a seat be told by a webhook, and gives the secret that its notices are signed with, told this once.

    :raises BadSetup: no webhook can be there
    """
    from cli.delivery import checked_url

    secret = session.secrets()
    notices.subscribe(log, notices.Subscription(table.id, seat, "webhook", checked_url(url), secret))
    return secret


def _tell_subscription(session: Session, table: Table, seat: int, secret: str | None) -> None:
    name = table.names[seat]
    found = notices.subscription(table.log, table.id, seat)
    if session.json:
        document: dict[str, Any] = {
            "game": table.id,
            "seat": name,
            "means": found.means if found else None,
            "target": found.target if found else None,
        }
        put(document | ({"secret": secret} if secret else {}))
        return
    if found is None:
        say([f"{name} is told of nothing."])
        return
    say(wrapped("", f"{name} is told by the {found.means} {found.target}, whenever `turnlog tick` runs."))
    if secret:
        say([f"Its notices are signed with the secret {secret}, which is not told again."])
