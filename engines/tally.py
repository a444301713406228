"""What many games come to: counted game by game, so that a million of them need no more memory than a hundred.

Intervals are of 95 %. A game is one observation: of a bot that sits on several seats the wins and scores of a game
are taken together, since they depend on each other.
"""

from __future__ import annotations

from _blake2 import blake2b
from collections import Counter
from collections.abc import Sequence
from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

from engines.simulation import Failed, Plan, Result

#: So many deviations of a normal distribution hold 95 % of it.
DEVIATIONS = NormalDist().inv_cdf(0.975)

#: So many failed games are remembered.
MOST_FAILURES = 10


class Figures(NamedTuple):
    """What describes a set of whole numbers; `sd` is the standard deviation of a sample, 0 of a single one."""

    min: int
    mean: float
    median: float
    max: int
    sd: float


def figures(counts: Counter[int]) -> Figures | None:
    """The figures of the numbers that were counted; None if there are none."""
    size = counts.total()
    if not size:
        return None
    total = sum(value * count for value, count in counts.items())
    squares = sum(value * value * count for value, count in counts.items())
    return Figures(min(counts), total / size, _median(counts, size), max(counts), _deviation(size, total, squares))


def _median(counts: Counter[int], size: int) -> float:
    seen = 0
    below: int | None = None
    for value in sorted(counts):
        seen += counts[value]
        if below is not None:
            return (below + value) / 2
        if 2 * seen > size:
            return value
        if 2 * seen == size:
            below = value
    raise AssertionError("half of the numbers is among them")


def _deviation(size: int, total: int, squares: int) -> float:
    return sqrt((size * squares - total * total) / (size * (size - 1))) if size > 1 else 0.0


def wilson(wins: float, games: int) -> tuple[float, float]:
    """Wilson's interval of a share: 95 % of such intervals hold the true one."""
    share, z = wins / games, DEVIATIONS
    middle = share + z * z / (2 * games)
    half = z * sqrt(share * (1 - share) / games + z * z / (4 * games * games))
    low, high = (middle - half) / (1 + z * z / games), (middle + half) / (1 + z * z / games)
    return max(0.0, low), min(1.0, high)


class Group:
    """The seats of a game that are counted together: one seat, or all of a bot.

    A share is a seat's: what a seat of the group wins of its games, a tie counted as a part of a win.
    """

    def __init__(self, name: str, seats: int) -> None:
        self.name, self.seats = name, seats
        self.games = self.forfeits = 0
        self.scores: Counter[int] = Counter()
        self._wins: Counter[tuple[int, int]] = Counter()
        self._scored = self._total = self._squares = 0

    def add(self, scores: Sequence[int | None], won: int, winners: int, forfeits: int) -> None:
        """A game: the seats' scores, how many of the winners are among them, how many moves they forfeited."""
        self.games += 1
        self.forfeits += forfeits
        if won:
            self._wins[won, winners] += 1
        known = [score for score in scores if score is not None]
        self.scores.update(known)
        if len(known) == self.seats:
            total = sum(known)
            self._scored += 1
            self._total += total
            self._squares += total * total

    @property
    def wins(self) -> float:
        """How many games they won."""
        return sum(count * won / winners for (won, winners), count in self._wins.items())

    @property
    def share(self) -> float:
        """The share of its games that a seat won."""
        return self.wins / (self.games * self.seats)

    @property
    def share_interval(self) -> tuple[float, float]:
        """The interval of the share."""
        low, high = wilson(self.wins, self.games)
        return low / self.seats, high / self.seats

    @property
    def mean_interval(self) -> tuple[float, float] | None:
        """The interval of a seat's mean score; None where there are not two games with scores."""
        if self._scored < 2:
            return None
        mean = self._total / self._scored
        half = DEVIATIONS * _deviation(self._scored, self._total, self._squares) / sqrt(self._scored)
        return (mean - half) / self.seats, (mean + half) / self.seats


class Tally:
    """The games of a plan, counted."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._digest = blake2b(digest_size=8)
        self.games = self.stuck = self.failed = 0
        self.failures: list[Failed] = []
        self.moves: Counter[int] = Counter()
        self.seats: list[Group] = []
        self.bots = {name: Group(name, plan.persons.count(name)) for name in plan.persons}

    @property
    def digest(self) -> str:
        """16 hex digits over all moves of all games."""
        return self._digest.hexdigest()

    def add(self, one: Result) -> None:
        """Counts a game; they come in the order of their numbers."""
        if isinstance(one, Failed):
            self.failed += 1
            if len(self.failures) < MOST_FAILURES:
                self.failures.append(one)
            return
        self.games += 1
        self.stuck += one.outcome is None
        self.moves[one.moves] += 1
        self._digest.update(bytes.fromhex(one.digest))
        winners = one.outcome.winners if one.outcome is not None else ()
        scores = one.outcome.scores if one.outcome is not None else (None,) * len(one.names)
        if not self.seats:
            self.seats = [Group(name, 1) for name in one.names]
        for seat, group in enumerate(self.seats):
            if group.name != one.names[seat]:
                group.name = f"seat {seat + 1}"
            group.add((scores[seat],), seat in winners, len(winners), one.forfeits[seat])
        persons = self._plan.seated(one.number)
        for name, group in self.bots.items():
            its = [seat for seat, person in enumerate(persons) if person == name]
            won, forfeits = sum(seat in winners for seat in its), sum(one.forfeits[seat] for seat in its)
            group.add([scores[seat] for seat in its], won, len(winners), forfeits)
