"""Undo policy `ask`: moves are taken back once every other person has agreed. Who is asked, what an answer does.

Nothing here writes: the table does, in the transaction in which it finds the request as it was answered.
"""

from __future__ import annotations

from typing import Any

from msgspec import structs

from engines.kit.errors import Refusal
from engines.kit.game import BOT, PROGRAM
from events.model import By, Event, GameCreated, MovesRedone, MovesUndone
from projections.takebacks import Takeback
from projections.timeline import Timeline

#: The undo policy that asks the others.
ASK = "ask"


class NotYours(Refusal):
    """A seat asked for what only another seat, or nobody, may do."""


class SeatNeeded(Refusal):
    """Several seats could be meant and none was named."""


def player_of(created: GameCreated[Any, Any], seat: int) -> By:
    """Who decides for a seat."""
    if created.seats[seat].startswith((BOT, PROGRAM)):
        return "bot"
    return "rules" if seat in created.automatic else "person"


def persons(created: GameCreated[Any, Any]) -> tuple[int, ...]:
    """The seats of persons."""
    return tuple(seat for seat in range(len(created.seats)) if player_of(created, seat) == "person")


def asked_of(created: GameCreated[Any, Any], pending: Takeback | None, wish: Takeback, game_id: str) -> Takeback:
    """The request that comes of a wish whose `waiting` is still empty; granted where there is nobody to ask.

    :raises Refusal: no person asks, or another one's request is pending
    """
    names = created.seats
    everybody = persons(created)
    if wish.seat not in everybody:
        raise NotYours(f"{names[wish.seat]} is no person: with --undo {ASK} persons ask each other")
    if pending is not None and pending.about == wish.about:
        return pending
    if pending is not None and pending.seat != wish.seat:
        raise NotYours(
            f"{names[pending.seat]}'s takeback request is pending: a game has one at a time",
            f"`turnlog agree {game_id} --as {names[wish.seat]}` agrees to it, with --no it is over",
        )
    waiting = tuple(seat for seat in everybody if seat != wish.seat)
    return structs.replace(wish, waiting=waiting, state="asked" if waiting else "granted")


def agreed_to(created: GameCreated[Any, Any], pending: Takeback, seat: int | None, game_id: str) -> Takeback:
    """The request once `seat` has agreed: the only one that is waited for, if none is named.

    :raises Refusal: it is not for that seat to agree
    """
    seat = _answering(created, pending, seat, game_id)
    if seat in pending.agreed:
        return pending
    waiting = tuple(other for other in pending.waiting if other != seat)
    state = "asked" if waiting else "granted"
    return structs.replace(pending, waiting=waiting, agreed=(*pending.agreed, seat), state=state)


def refused_by(created: GameCreated[Any, Any], pending: Takeback, seat: int | None, game_id: str) -> Takeback:
    """The request ended by a no; who has agreed may think better of it.

    :raises Refusal: it is not for that seat to answer
    """
    seat = _answering(created, pending, seat, game_id)
    return structs.replace(pending, state="refused", by=seat)


def withdrawn_by(created: GameCreated[Any, Any], pending: Takeback, seat: int | None) -> Takeback:
    """The request taken back by who made it.

    :raises NotYours: that is another seat
    """
    if seat is not None and seat != pending.seat:
        asker = created.seats[pending.seat]
        raise NotYours(
            f"the request is {asker}'s: {created.seats[seat]} cannot withdraw it", f"--as {asker}, or --no"
        )
    return structs.replace(pending, state="withdrawn")


def _answering(created: GameCreated[Any, Any], pending: Takeback, seat: int | None, game_id: str) -> int:
    names = created.seats
    if seat is None:
        first, *others = pending.waiting
        if others:
            raise SeatNeeded(
                "several seats are asked: " + ", ".join(names[one] for one in pending.waiting),
                "say for which seat with --as SEAT",
            )
        return first
    if seat == pending.seat:
        raise NotYours(
            f"{names[seat]} asked for it: the others are to answer",
            f"`turnlog agree {game_id} --as {names[seat]} --withdraw` takes the request away",
        )
    if seat not in persons(created):
        raise NotYours(f"{names[seat]} is no person, so it is not asked")
    return seat


def granted_events(takeback: Takeback, timeline: Timeline) -> list[Event]:
    """The events that carry out a request."""
    if not takeback.redo:
        return [
            MovesUndone(
                first=takeback.first,
                last=takeback.last,
                seat=takeback.seat,
                asked=takeback.asked,
                reason=takeback.reason,
                agreed=takeback.agreed,
            )
        ]
    count = int(takeback.asked.removeprefix("n "))
    return [
        MovesRedone(
            first=runs[0][0], last=runs[-1][1], seat=takeback.seat, asked=takeback.asked, agreed=takeback.agreed
        )
        for runs in reversed(timeline.undone[-count:])
    ]


def check_agreed(created: GameCreated[Any, Any], event: MovesUndone | MovesRedone) -> None:
    """Holds an event to the policy: under `ask` all other persons have agreed, elsewhere nobody was asked.

    :raises ValueError: no command could have made it
    """
    asked: list[int] = []
    if created.undo == ASK:
        if event.seat is None or event.seat not in persons(created):
            raise ValueError("no person asked for it")
        asked = [seat for seat in persons(created) if seat != event.seat]
    if sorted(event.agreed) != asked:
        raise ValueError("those who agreed to it are not those who had to")
