"""Standing orders and notices: what a seat leaves behind for the time that it is not there."""

from __future__ import annotations

from typing import Any

from cli.commands import put, say
from cli.playing import typed_words, wrapped
from cli.session import Session, acting_seat, game_id, seat_of
from cli.ticking import order_words
from engines.kit.errors import BadSetup, IllegalMove, Refusal
from engines.table import SeatNeeded, Table
from events.errors import Conflict
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
        table = Table(log, game_id(log, game))
        mover = _seat(table, seat)
        leave(table, mover, typed_words(move))
        _tell_orders(session, table, mover)
    finally:
        log.close()


def leave(table: Table, seat: int, words: list[str]) -> None:
    """Leaves a standing order of a seat.

    :raises Refusal: it is no move of the game, or the seat can move by itself, or has left too many
    """
    log, game = table.log, table.id
    for _ in range(_MOST_TRIES):
        if orders.leave(log, game, seat, _order(table, seat, words), table.seq):
            return
        table = Table(log, game)
    raise Conflict(game, table.seq, log.last(game))


def _order(table: Table, seat: int, words: list[str]) -> str:
    """The order as it is kept."""
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
        drop(table, mover, number)
        _tell_orders(session, table, mover)
    finally:
        log.close()


def drop(table: Table, seat: int, number: int) -> None:
    """Takes a standing order of a seat back.

    :raises BadSetup: it has left none of that number
    """
    if not orders.withdraw(table.log, table.id, seat, number):
        raise BadSetup(f"{table.names[seat]} has no standing order {number}", "--list shows them")


def list_orders(session: Session, game: str, seat: str | None) -> None:
    """Lists the standing orders of a seat."""
    log = session.reader()
    try:
        table = Table(log, game_id(log, game))
        _tell_orders(session, table, _seat(table, seat))
    finally:
        log.close()


def orders_document(table: Table, seat: int) -> dict[str, Any]:
    """The standing orders of a seat."""
    left = [order._asdict() for order in orders.standing(table.log, table.id, seat)]
    return {"game": table.id, "seat": table.names[seat], "orders": left}


def _tell_orders(session: Session, table: Table, seat: int) -> None:
    say_orders(session, orders_document(table, seat))


def say_orders(session: Session, document: dict[str, Any]) -> None:
    """Tells the standing orders of a seat."""
    if session.json:
        put(document)
        return
    left = document["orders"]
    say(row for one in left for row in wrapped("", order_words(one["number"], one["move"], one["dropped"])))
    if not left and not session.quiet:
        say([f"{document['seat']} has left no standing orders."])


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
            secret = subscribe_webhook(session, table, mover, webhook)
        say_subscription(session, subscription_document(table, mover, secret))
    finally:
        log.close()


def subscribe_webhook(session: Session, table: Table, seat: int, url: str) -> str:
    """Lets a seat be told by a webhook, and gives the secret that its notices are signed with, told this once.

    :raises BadSetup: no webhook can be there
    """
    from cli.delivery import checked_url

    secret = session.secrets()
    notices.subscribe(table.log, notices.Subscription(table.id, seat, "webhook", checked_url(url), secret))
    return secret


def subscription_document(table: Table, seat: int, secret: str | None) -> dict[str, Any]:
    """How a seat is told of news; a new `secret` is told this once."""
    found = notices.subscription(table.log, table.id, seat)
    document: dict[str, Any] = {
        "game": table.id,
        "seat": table.names[seat],
        "means": found.means if found else None,
        "target": found.target if found else None,
    }
    return document | ({"secret": secret} if secret else {})


def say_subscription(session: Session, document: dict[str, Any]) -> None:
    """Tells how a seat is told of news."""
    if session.json:
        put(document)
        return
    name, means, target = document["seat"], document["means"], document["target"]
    if means is None:
        say([f"{name} is told of nothing."])
        return
    say(wrapped("", f"{name} is told by the {means} {target}, whenever `turnlog tick` runs or a server does."))
    if "secret" in document:
        say([f"Its notices are signed with the secret {document['secret']}, which is not told again."])
