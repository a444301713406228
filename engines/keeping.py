"""Games of a simulation in the log: each whole, under an id that its plan and number make.

So a plan that is played again finds what it kept before, and a longer one goes on from there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from msgspec import json

from engines.kit.setfile import shipped_set
from engines.registry import game_of
from engines.simulation import MOST_MOVES, Plan, Result, Simulated, digest_of
from events.digest import fingerprint
from events.errors import GameExists
from events.log import Database, Store, checked
from events.model import GameCreated, MoveMade, Row
from projections.readmodels import update
from projections.timeline import Timeline

#: So many events, at least, are appended at once.
BATCH = 2_000


class Keeper:
    """The games of a plan in a log.

    :param clock: integer microseconds UTC
    """

    def __init__(self, log: Database, plan: Plan, clock: Callable[[], int]) -> None:
        self._log, self._plan, self._clock = log, plan, clock
        self._game = game_of(plan.slug)
        components = shipped_set(self._game) if plan.components is None else plan.components
        about = (*plan._replace(components=components), self._game.rules_version)
        self._mark = fingerprint(json.encode(about, order="sorted").decode())[:8]
        self._waiting: list[Simulated] = []
        self.written = 0

    def id_of(self, number: int) -> str:
        """The id of a game of the plan."""
        return f"sim-{self._mark}-{number:06}"

    def has(self, number: int) -> bool:
        """Whether the game is in the log."""
        return self._log.last(self.id_of(number)) > 0

    def joined(self, played: Iterator[Result], count: int) -> Iterator[Result]:
        """All games of the plan, in order: what was kept before, read, and what is played now, kept."""
        one = next(played, None)
        for number in range(count):
            if one is not None and one.number == number:
                self._take(one)
                yield one
                one = next(played, None)
            else:
                yield self._read(number)

    def _take(self, one: Result) -> None:
        if isinstance(one, Simulated):
            self._waiting.append(one)
            if sum(len(game.drafts) for game in self._waiting) >= BATCH:
                self.flush()

    def flush(self) -> None:
        """Appends what waits to be."""
        waiting = [game for game in self._waiting if not self.has(game.number)]
        if waiting:
            games = [(self.id_of(game.number), game.drafts) for game in waiting]
            self._log.append_new(games, at=self._clock(), inside=_listed)
            self.written += len(waiting)
        self._waiting.clear()

    def _read(self, number: int) -> Simulated:
        """A game that was kept.

        :raises GameExists: another game has its id
        """
        codec = self._game.projector.codec
        rows = checked(self._log.rows(self.id_of(number)))
        created = codec.decode(next(rows))
        if not isinstance(created, GameCreated) or created.seed != self._plan.wish(number).seed:
            raise GameExists(self.id_of(number))
        moves: list[tuple[int, Any]] = []
        outcome, forfeits = created.outcome, [0] * len(created.seats)
        for row in rows:
            event = codec.decode(row)
            if outcome is not None or len(moves) == MOST_MOVES or not isinstance(event, MoveMade):
                break  # what somebody did with it since
            moves.append((event.seat, event.move))
            forfeits[event.seat] += bool(event.remark)
            outcome = event.outcome
        return Simulated(number, created.seats, outcome, len(moves), digest_of(moves), tuple(forfeits))


def _listed(store: Store, rows: Iterable[Row]) -> None:
    written = list(rows)
    last = written[-1].seq
    update(store, written[0].game, Timeline(seq=last, changed=last, standing=[(1, last)]), written)
