"""What an entry of a file from elsewhere must hold beyond what `verify` asks of our own log.

Whoever writes a file can make its chain whole again. What a command could not have written is refused, as is what
could not be shown: so that nothing that is imported can hide in a terminal, lie about who did what, or break a
command later on.
"""

from __future__ import annotations

import re
from typing import Any, cast

import msgspec
from msgspec import json

from engines.clocks import LONGEST, SHORTEST
from engines.consent import check_agreed
from engines.creation import LONGEST_SEED, check_id
from engines.kit.boards import drawn_lines
from engines.kit.errors import Refusal
from engines.kit.game import Game, check_seat_name
from engines.kit.secrecy import REFEREE, Viewer
from engines.table import UNDO_POLICIES, check_words
from engines.telling import told
from events.errors import Damaged
from events.model import Event, GameClosed, GameCreated, MoveMade, MovesRedone, MovesUndone, Noted, Row
from replays.seatlog import SPECTATOR
from replays.verifying import MISFITS

#: A larger number is none of a game's.
LARGEST = 10_000_000

#: Control codes, and marks that turn the direction of what is written behind them.
_UNSHOWABLE = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
#: Where a text of JSON may hold one of them, or a number that is too large.
_SUSPECT = re.compile(_UNSHOWABLE.pattern + r'|\\[^"\\/n]|\d{8}|\d[eE]')


class Inspector:
    """Looks at the events of one foreign game in turn, after they were held to the chain and the fold."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._created: Any = None
        self._names: tuple[str, ...] = ()
        self._viewer: Viewer = REFEREE
        self._pieces: Any = None

    def take(self, row: Row, event: Event, state: Any) -> None:
        """One more event; `state` is the one after it, if it is a creation or a move.

        :raises Damaged, Refusal: no command could have written it, or it cannot be shown
        """
        if isinstance(event, GameCreated):
            self._begin(event)
        self._check_seats(row, event)
        self._check_words(row, event)
        try:
            self._try(event, state)
        except MISFITS as error:
            raise Damaged(row.game, row.seq, f"what it tells does not fit the game ({error!r})") from error

    def _begin(self, event: GameCreated[Any, Any]) -> None:
        for name in event.seats:
            check_seat_name(name)
        persons = event.seats[: len(event.seats) - len(event.automatic)]
        if self._game.seated(persons) != event.seats or event.automatic != tuple(
            range(len(persons), len(event.seats))
        ):
            raise Refusal("its seats are not those of the game")
        if event.rules == self._game.rules_version:
            self._game.chosen(persons, event.options)
        if event.undo not in UNDO_POLICIES:
            raise Refusal(f"its undo policy is {event.undo[:40]!r}")
        if event.seen_by not in ("", SPECTATOR, *event.seats):
            raise Refusal(f"nobody of that name could have seen it: {event.seen_by[:40]!r}")
        if not event.seen_by and not 1 <= len(event.seed) <= LONGEST_SEED:
            raise Refusal("it has no seed")
        if event.clock is not None and not SHORTEST <= event.clock.pace <= LONGEST:
            raise Refusal(f"its seats have {event.clock.pace} s to decide")
        if event.origin is not None:
            check_id(event.origin.game)
        self._created, self._names = event, event.seats
        if event.seen_by:
            self._viewer = None if event.seen_by == SPECTATOR else event.seats.index(event.seen_by)

    def _check_seats(self, row: Row, event: Event) -> None:
        if isinstance(event, GameCreated | MoveMade):
            for seat in (getattr(fact, "seat", None) for fact in event.facts):
                if isinstance(seat, int) and not 0 <= seat < len(self._names):
                    raise Damaged(row.game, row.seq, f"it has no seat {seat}")
        if row.actor not in ("table", "rules", *self._names):
            raise Damaged(row.game, row.seq, f"nobody of the game is called {row.actor[:40]!r}")

    def _check_words(self, row: Row, event: Event) -> None:
        if row.request is not None and not row.request.isprintable():
            raise Refusal("its request id holds characters that cannot be shown")
        if isinstance(event, Noted):
            check_words(event.text, "a note")
        elif isinstance(event, MoveMade):
            check_words(event.remark, "a remark")
            if "\n" in event.remark:
                raise Refusal("a remark is one line")
        elif isinstance(event, MovesUndone | GameClosed):
            check_words(event.reason, "a reason")

    def _try(self, event: Event, state: Any) -> None:
        """Tells the event and draws the board after it, for those who see most of it."""
        game, names, viewer = self._game, self._names, self._viewer
        if isinstance(event, MovesUndone | MovesRedone):
            check_agreed(self._created, event)
        told(game, names, event)
        if isinstance(event, MovesUndone | MovesRedone | Noted | GameClosed):
            return
        drawn_lines(game.drawn.board(state, viewer, names))
        game.view.present(state, viewer, names)
        if any(not 0 <= seat < len(names) for seat in game.rules.to_move(state)):
            raise ValueError("a seat is to move that is not there")
        if isinstance(event, MoveMade):
            game.grammar.spell(event.move)
        if viewer == REFEREE:  # what others know of the pieces grows
            pieces = game.state.pieces(state)
            if self._pieces is not None and pieces != self._pieces:
                raise ValueError("pieces are lost or made")
            self._pieces = pieces


def check_values(row: Row) -> None:
    """Holds every text and number of an entry to what a game can hold, before anything is made of it.

    :raises Damaged: one cannot be shown, or is too large
    """
    if _SUSPECT.search(row.data):
        try:
            document = json.decode(row.data)
        except (msgspec.MsgspecError, RecursionError) as error:
            raise Damaged(row.game, row.seq, f"it cannot be read: {error}") from error
        _check_values(row, document)


def _check_values(row: Row, value: Any) -> None:
    if isinstance(value, str):
        if _UNSHOWABLE.search(value):
            raise Damaged(row.game, row.seq, "a text in it holds characters that cannot be shown")
    elif isinstance(value, int | float):
        if not -LARGEST <= value <= LARGEST:
            raise Damaged(row.game, row.seq, "a number in it is out of all bounds")
    elif isinstance(value, dict):
        for key, item in cast("dict[str, Any]", value).items():
            _check_values(row, key)
            _check_values(row, item)
    elif isinstance(value, list):
        for item in cast("list[Any]", value):
            _check_values(row, item)
