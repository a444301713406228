"""Which moves of a log stand, after all that was undone and redone.

A timeline is small whatever the length of its log: standing moves are kept as ranges of rows. Undo
takes ranges off the end and keeps them for redo; a new move throws those away.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import msgspec

from events.codec import taken
from events.model import CLOSED, COMMENTS, CREATED, MOVED, REDONE, UNDONE, Row

#: First and last row of an unbroken run of moves.
Run = tuple[int, int]


class Timeline(msgspec.Struct):
    """What stands after row `seq`.

    `standing` are the runs of rows that count, the creation among them; `undone` the runs that each redo
    would put back, the next one last; `changed` the last row that was not a comment.
    """

    seq: int = 0
    changed: int = 0
    closed: int = 0
    standing: list[Run] = []
    undone: list[list[Run]] = []

    @property
    def head(self) -> int:
        """The last standing row; 0 before the creation."""
        return self.standing[-1][1] if self.standing else 0

    def stands(self, seq: int) -> bool:
        """Whether the move in row `seq` counts."""
        return any(first <= seq <= last for first, last in self.standing)

    def after(self, seq: int) -> Iterator[Run]:
        """The standing runs behind row `seq`, the first one cut to begin there."""
        for first, last in self.standing:
            if last > seq:
                yield (max(first, seq + 1), last)

    def moves(self) -> int:
        """How many moves stand."""
        return sum(last - first + 1 for first, last in self.standing) - 1

    def note(self, kind: str, seq: int, data: str) -> None:
        """Takes in one more row.

        :raises ValueError: it is of no known kind, or names moves that are not there to be undone or redone
        """
        if kind in (MOVED, CREATED):
            if self.standing and self.standing[-1][1] == seq - 1:
                self.standing[-1] = (self.standing[-1][0], seq)
            else:
                self.standing.append((seq, seq))
            self.undone.clear()
        elif kind == UNDONE:
            self._undo(taken(data).first, taken(data).last)
        elif kind == REDONE:
            self._redo(taken(data).first, taken(data).last)
        elif kind == CLOSED:
            self.closed = seq
        elif kind in COMMENTS:
            self.seq = seq
            return
        else:
            raise ValueError(f"no event is of the kind {kind!r}")
        self.seq = self.changed = seq

    def _undo(self, first: int, last: int) -> None:
        if last != self.head or not 1 < first <= last:
            raise ValueError(f"it undoes {first} to {last}, but the last move that stands is {self.head}")
        off: list[Run] = []
        while self.standing and self.standing[-1][1] >= first:
            begin, end = self.standing.pop()
            if begin < first:
                self.standing.append((begin, first - 1))
                begin = first
            off.append((begin, end))
        self.undone.append(off[::-1])

    def _redo(self, first: int, last: int) -> None:
        if not self.undone or (self.undone[-1][0][0], self.undone[-1][-1][1]) != (first, last):
            raise ValueError(f"it redoes {first} to {last}, which is not what was undone last")
        for begin, end in self.undone.pop():
            if self.standing[-1][1] == begin - 1:
                self.standing[-1] = (self.standing[-1][0], end)
            else:
                self.standing.append((begin, end))


def timeline_of(rows: Iterable[Row]) -> Timeline:
    """The timeline after all of `rows`, the whole log of a game.

    :raises ValueError: as `Timeline.note`
    """
    timeline = Timeline()
    for row in rows:
        timeline.note(row.kind, row.seq, row.data)
    return timeline
