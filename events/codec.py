"""Events to JSON text and back, by the types of one game.

A row carries the schema number it was written with: a thousand for each change of the event types
here, one for each change that a game made to its own documents. Older documents are lifted by
upcasters, one number at a time, before they are decoded, so the types know only today's shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Generic, cast, get_args

import msgspec
from msgspec import json

from events.errors import Damaged, TooNew
from events.model import (
    CLOSED,
    CREATED,
    KINDS,
    MOVED,
    NOTED,
    REDONE,
    UNDONE,
    Deed,
    Draft,
    Event,
    F,
    GameClosed,
    GameCreated,
    M,
    MoveMade,
    MovesRedone,
    MovesUndone,
    Noted,
    Row,
    S,
    Taken,
)

#: Lifts a raw document of one kind: handed the kind and the document, gives the document of the next number.
Upcaster = Callable[[str, dict[str, Any]], dict[str, Any]]

#: The number of these event types, and how to lift documents of the number before.
ENVELOPE = 1
ENVELOPE_UPCASTERS: Mapping[int, Upcaster] = {}

_STEP = 1000

_encoder = json.Encoder()
_taken = json.Decoder(Taken)


def check_seats(row: Row, event: Event, seats: int) -> None:
    """Holds an event to the seats of its game.

    :raises Damaged: it names another one
    """
    named: list[int | None] = []
    if isinstance(event, GameCreated):
        named += [*event.next, *event.automatic, event.origin.guess_of if event.origin else None]
    else:
        named.append(event.seat)
    if isinstance(event, MoveMade):
        named += event.next
    if isinstance(event, MovesUndone | MovesRedone):
        named += event.agreed
    if isinstance(event, GameCreated | MoveMade | GameClosed) and event.outcome is not None:
        named += event.outcome.winners
        if len(event.outcome.scores) != seats:
            raise Damaged(row.game, row.seq, "its scores are not one a seat")
    for seat in named:
        if seat is not None and not 0 <= seat < seats:
            raise Damaged(row.game, row.seq, f"it has no seat {seat}")


def taken(row_data: str) -> Taken:
    """The range that an undo or redo names.

    :raises ValueError: it names none
    """
    try:
        return _taken.decode(row_data)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise ValueError(f"it cannot be read: {error}") from error


class Codec(Generic[S, M, F]):
    """Encodes and decodes the events of one game.

    :param set_type: the game's component set; `move_type`, `fact_type`: unions of tagged structs
    :param schema: the number of the game's own documents, 1 at first
    :param upcasters: from a game's number to the function that lifts its documents by one
    """

    def __init__(
        self,
        set_type: Any,
        move_type: Any,
        fact_type: Any,
        schema: int = 1,
        upcasters: Mapping[int, Upcaster] | None = None,
    ) -> None:
        self._game_schema = schema
        self._upcasters = upcasters or {}
        self.schema = ENVELOPE * _STEP + schema
        self.fact_type = fact_type
        self._types: dict[str, Any] = {
            CREATED: GameCreated[set_type, fact_type],
            MOVED: MoveMade[move_type, fact_type],
            UNDONE: MovesUndone,
            REDONE: MovesRedone,
            NOTED: Noted,
            CLOSED: GameClosed,
        }
        self._decoders: dict[str, json.Decoder[Any]] = {}
        deed: Any = Deed
        self._deeds: json.Decoder[Deed[F]] = json.Decoder(deed[fact_type])

    @property
    def fact_types(self) -> tuple[type[Any], ...]:
        """All kinds of facts there are."""
        return get_args(self.fact_type) or (self.fact_type,)

    def encode(self, event: Event) -> str:
        """The JSON text of an event, as it goes into the log."""
        return _encoder.encode(event).decode()

    def draft(self, event: Event, actor: str, request: str | None = None) -> Draft:
        """An event made ready to be appended."""
        return Draft(KINDS[type(event)], actor, self.schema, self.encode(event), request)

    def lifts(self, row: Row) -> list[Upcaster]:
        """The upcasters that a row has to go through, in order.

        :raises TooNew: it was written by a newer turnlog; Damaged: no way is known to lift it
        """
        if row.schema == self.schema:
            return []
        envelope, game = divmod(row.schema, _STEP)
        if envelope > ENVELOPE or game > self._game_schema:
            raise TooNew(row.game, row.seq, row.schema, self.schema)
        try:
            lifts = [ENVELOPE_UPCASTERS[number] for number in range(envelope, ENVELOPE)]
            if row.kind in (CREATED, MOVED):
                lifts += [self._upcasters[number] for number in range(game, self._game_schema)]
        except KeyError as error:
            raise Damaged(row.game, row.seq, f"no way is known to read schema {row.schema}") from error
        return lifts

    def _lifted(self, row: Row) -> bytes | str:
        lifts = self.lifts(row)
        if not lifts:
            return row.data
        document: dict[str, Any] = json.decode(row.data)
        try:
            for lift in lifts:
                document = lift(row.kind, document)
        except (LookupError, TypeError, ValueError, AttributeError) as error:
            raise Damaged(row.game, row.seq, f"it is not as schema {row.schema} has it ({error!r})") from error
        return _encoder.encode(document)

    def decode(self, row: Row) -> Event:
        """The event of a row.

        :raises Damaged: the document is not one of this game's events
        """
        decoder = self._decoders.get(row.kind)
        if decoder is None:
            kind = self._types.get(row.kind)
            if kind is None:
                raise Damaged(row.game, row.seq, f"no event is of the kind {row.kind!r}")
            decoder = self._decoders[row.kind] = json.Decoder(kind)
        try:
            return cast(Event, decoder.decode(self._lifted(row)))
        except (msgspec.MsgspecError, RecursionError) as error:
            raise Damaged(row.game, row.seq, f"it cannot be read: {error}") from error

    def deed(self, row: Row) -> Deed[F]:
        """The facts and draws of a creation or move, all that a fold needs.

        :raises Damaged: they are not those of this game
        """
        try:
            return self._deeds.decode(row.data if row.schema == self.schema else self._lifted(row))
        except (msgspec.MsgspecError, RecursionError) as error:
            raise Damaged(row.game, row.seq, f"it cannot be read: {error}") from error
