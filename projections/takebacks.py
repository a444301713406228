"""Requests to take moves back that others have to agree to (undo policy `ask`): what is pending, not history.

A game has one at most. It is bound to the event that changed the game last when it was made: as soon as another
one does, it is void, whether or not its row says so. `rebuild`, exports, imports and forks leave requests alone.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec
from msgspec import json

from events.log import Query, Store
from events.model import COMMENTS

#: What became of a request.
State = Literal["asked", "granted", "refused", "withdrawn", "lapsed"]


class Takeback(msgspec.Struct, frozen=True):
    """A request to take back the standing moves from `first` to `last`, or with `redo` to put those back.

    :param seq: the event that had changed the game last when it was made
    :param seat: who asks
    :param asked: the request in words, as an event has it
    :param agreed: the persons that agreed, in that order; those whose answer is missing are `waiting`
    :param by: the seat that ended it with a no
    :param ended: the event that granted it or made it void
    """

    seq: int
    seat: int
    first: int
    last: int
    asked: str
    waiting: tuple[int, ...]
    agreed: tuple[int, ...] = ()
    reason: str = ""
    redo: bool = False
    state: State = "asked"
    by: int | None = None
    ended: int = 0

    @property
    def about(self) -> tuple[Any, ...]:
        """What is asked for, by whom and when: the same as long as others agree to it."""
        return self.seq, self.seat, self.first, self.last, self.asked, self.reason, self.redo


class Answer(msgspec.Struct, frozen=True):
    """How a command with a request id was answered: what was said, and the last event then.

    :param events: how many events it made, `seq` being the last of them
    """

    said: str
    seq: int
    events: int
    takeback: Takeback


_takebacks = json.Decoder(Takeback)
_answers = json.Decoder(Answer)


def latest(query: Query, game: str) -> Takeback | None:
    """The last request of a game, whatever became of it."""
    return next((_takebacks.decode(data) for (data,) in query(_LATEST, (game,))), None)


_LATEST = "select data from takebacks where game = ?"


def pending(query: Query) -> dict[str, Takeback]:
    """The requests of all games that wait for answers; none where the game has gone on."""
    found = query(
        """select t.game, t.data from takebacks t where t.state = 'asked' and t.seq = (
            select seq from events e where e.game = t.game and e.kind <> 'noted' order by seq desc limit 1)""",
        (),
    )
    return {game: _takebacks.decode(data) for game, data in found}


def changed(query: Query, game: str) -> int:
    """The event that changed a game last."""
    kinds = ", ".join("?" * len(COMMENTS))
    sql = f"select seq from events where game = ? and kind not in ({kinds}) order by seq desc limit 1"
    return next(iter(query(sql, (game, *COMMENTS))))[0]


def keep(store: Store, game: str, takeback: Takeback) -> None:
    """Writes the last request of a game down, in the place of the one before."""
    store.execute(
        "insert into takebacks (game, seq, state, data) values (?, ?, ?, ?) on conflict (game) do update set "
        "seq = excluded.seq, state = excluded.state, data = excluded.data",
        (game, takeback.seq, takeback.state, json.encode(takeback).decode()),
    )


def answered(query: Query, game: str, request: str) -> Answer | None:
    """How the command with that request id was answered, or None."""
    sql = "select data from takeback_answers where game = ? and request = ?"
    return next((_answers.decode(data) for (data,) in query(sql, (game, request))), None)


def keep_answer(store: Store, game: str, request: str, answer: Answer) -> None:
    """Writes down how a command was answered, for the case that it is said again."""
    store.execute(
        "insert into takeback_answers (game, request, data) values (?, ?, ?)",
        (game, request, json.encode(answer).decode()),
    )
