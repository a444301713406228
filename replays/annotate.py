"""The key moments of a game, found by the program: changes of the lead, the costliest move, lines taken back.

The costliest move is the one over which its seat's prospects fell most. Prospects are the share of games won
when the game's own bot plays on for everybody; for a viewer who does not see all, from guesses at what is hidden.
A few games from moments all over the game tell where to look; there the stretch is halved until a move is left.
The same game always gives the same moments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from math import sqrt
from typing import Any, NamedTuple

from msgspec import Struct, msgpack

from engines.decide import carried_out
from engines.forking import standing
from engines.kit.bots import random_move
from engines.kit.chance import Chance
from engines.kit.offers import legal
from engines.kit.secrecy import REFEREE, Viewer
from engines.seeing import event_seen
from engines.table import Entry, Table
from engines.telling import by_whom
from events.model import MoveMade, MovesUndone
from projections.fold import add_draws, fold
from replays.verifying import MISFITS

#: So many moves that a bot has to choose among are looked at: two fifths to find the stretch, three for the move.
BUDGET = 60_000
#: What any move costs of that, apart from those it was chosen among.
_STEP = 4
#: Games played on from a moment: at first, while a stretch is narrowed down, and to be sure of the move.
_FIRST, _NARROWING, _SURE = 4, (3, 12), (6, 24)
#: From so many moments, at least and at most, games are played on at first.
_MOMENTS = (3, 24)


class KeyMoment(Struct, frozen=True):
    """A moment: after which event, of which kind (`lead`, `fall` or `undone`), and what it is, in words."""

    seq: int
    kind: str
    text: str


def key_moments(table: Table, viewer: Viewer) -> list[KeyMoment]:
    """The key moments of a game as `viewer` may know them, in order."""
    found = [*_leads(table, viewer), *_undone(table, viewer)]
    try:
        fall = _costliest(table, viewer)
    except MISFITS:  # today's rules cannot play on from what older rules, or somebody's hand, wrote
        fall = None
    if fall is not None:
        found.append(fall)
    return sorted(found, key=lambda moment: moment.seq)


def _states(table: Table) -> Iterator[tuple[Entry, Any]]:
    """Each standing event and the state after it, which is the walk's own."""
    projector = table.game.projector
    state = projector.begin(table.created)
    for entry in standing(table):
        event: Any = entry.event
        fold(projector.reducers, state, event.facts)
        yield entry, state


def _spelt(table: Table, event: MoveMade[Any, Any], viewer: Viewer) -> str:
    """A move with its seat, as `viewer` may know it: `lucia's "play R7"`."""
    shown = event_seen(event, viewer, over=table.outcome is not None)
    assert isinstance(shown, MoveMade)
    return f'{table.names[event.seat]}\'s "{table.game.grammar.spell(shown.move)}"'


def _leads(table: Table, viewer: Viewer) -> Iterator[KeyMoment]:
    leader = ""
    for entry, state in _states(table):
        view = table.game.view.present(table.game.concealed(state, viewer), viewer, table.names)
        scores = {name: score for name, score in view["scores"].items() if score is not None}
        best = max(scores.values(), default=0)
        ahead = [name for name, score in scores.items() if score == best]
        if len(scores) > 1 and len(ahead) == 1 and ahead[0] != leader:
            told = ", ".join(f"{name} {score}" for name, score in scores.items())
            verb = "takes the lead from " + leader if leader else "takes the first lead"
            yield KeyMoment(entry.seq, "lead", f"{ahead[0]} {verb} ({told}).")
            leader = ahead[0]


# lines taken back -------------------------------------------------------------------------------------


def _undone(table: Table, viewer: Viewer) -> Iterator[KeyMoment]:
    """Each unbroken run of moves that do not stand at the end, with the move that was made instead."""
    timeline = table.position.timeline
    line: list[tuple[int, MoveMade[Any, Any]]] = []
    undos: list[MovesUndone] = []
    for row in table.log.rows(table.id, 0, table.seq):
        event = table.event(row)
        if isinstance(event, MovesUndone) and line:
            undos.append(event)
        elif isinstance(event, MoveMade):
            stands = timeline.stands(row.seq)
            if line and (stands or undos):
                yield _line_moment(table, viewer, line, event, undos)
                line, undos = [], []
            if not stands:
                line.append((row.seq, event))
    if line:
        yield _line_moment(table, viewer, line, None, undos)


def _line_moment(
    table: Table,
    viewer: Viewer,
    line: Sequence[tuple[int, MoveMade[Any, Any]]],
    instead: MoveMade[Any, Any] | None,
    undos: Sequence[MovesUndone],
) -> KeyMoment:
    (first, move), (last, _) = line[0], line[-1]
    reason = next((undo.reason for undo in undos if undo.reason), "")
    shown = _spelt(table, move, viewer)
    agreed = next((by_whom(table.names, undo) for undo in undos if undo.agreed), "")
    text = f"Taken back{agreed}: {shown}" + (f", and what followed up to event {last}" if last > first else "")
    other = _spelt(table, instead, viewer) if instead is not None else ""
    if other and other != shown:
        text += f"; played then: {other}"
    return KeyMoment(first, "undone", f"{text} ({reason})." if reason else f"{text}.")


# the costliest move -----------------------------------------------------------------------------------


class _Point(Struct):
    """A position before a move: the state there, and the move's entry; at the end, none."""

    entry: Entry | None
    state: bytes


class _Stretch(NamedTuple):
    """Two points, and how far the prospects of a seat that moves between them fell from one to the other."""

    fall: float
    seat: int
    start: int
    end: int


def _costliest(table: Table, viewer: Viewer) -> KeyMoment | None:
    points = _points(table)
    if len(points) < 3 or len(table.names) < 2:
        return None
    playing = _Playing(table, viewer, points)
    stretch = max(_stretches(playing), key=lambda found: (found.fall, -found.start))
    place = _narrowed(playing, stretch)
    playouts = playing.affordable(0.3, 2, _SURE)
    before, after = (playing.prospects(at, playouts)[stretch.seat] for at in (place, place + 1))
    if before - after < 1.5 / sqrt(playouts):  # about twice what luck alone would do
        return None
    entry = points[place].entry
    assert entry is not None
    assert isinstance(entry.event, MoveMade)
    return KeyMoment(
        entry.seq,
        "fall",
        f"The costliest move by the bot's estimate is {_spelt(table, entry.event, viewer)}: before it "
        f"{table.names[stretch.seat]} wins {before:.0%} of the games that the bot plays on, after it {after:.0%}.",
    )


def _points(table: Table) -> list[_Point]:
    found: list[_Point] = []
    previous = b""
    for entry, state in _states(table):
        if isinstance(entry.event, MoveMade) and entry.event.by != "rules":
            found.append(_Point(entry, previous))
        previous = msgpack.encode(state)
    return [*found, _Point(None, previous)]


def _stretches(playing: _Playing) -> Iterator[_Stretch]:
    """The stretches between moments all over the game, for each seat that moves in them."""
    last = len(playing.points) - 1
    moments = min(last + 1, playing.affordable(0.4, _FIRST, _MOMENTS))
    for one, other in pairwise(sorted({round(i * last / (moments - 1)) for i in range(moments)})):
        before, after = playing.prospects(one, _FIRST), playing.prospects(other, _FIRST)
        for seat in sorted({playing.seat(place) for place in range(one, other)}):
            yield _Stretch(before[seat] - after[seat], seat, one, other)


def _narrowed(playing: _Playing, stretch: _Stretch) -> int:
    """The place of the move of a stretch's seat over which most of the fall happens: halved until one is left."""
    _, seat, start, end = stretch
    mine = [place for place in range(start, end) if playing.seat(place) == seat]
    playouts = playing.affordable(0.3, len(mine).bit_length() + 1, _NARROWING)
    while len(mine) > 1:
        middle = mine[len(mine) // 2]
        first, second, third = (playing.prospects(at, playouts)[seat] for at in (start, middle, end))
        if first - second >= second - third:
            end, mine = middle, mine[: len(mine) // 2]
        else:
            start, mine = middle, mine[len(mine) // 2 :]
    return mine[0]


class _Playing:
    """Games that the bot plays on from points of a game."""

    def __init__(self, table: Table, viewer: Viewer, points: list[_Point]) -> None:
        self._table, self._viewer, self.points = table, viewer, points
        self._bot = next(iter(table.game.bots.values()), random_move)
        self._most = 4 * len(points) + 400
        self._known: dict[tuple[int, int], list[float]] = {}
        self._spent = 0
        self.prospects(0, _FIRST)
        #: What a game costs from the middle on.
        self._cost = max(1.0, self._spent / _FIRST / 2)

    def affordable(self, share: float, times: int, bounds: tuple[int, int]) -> int:
        """How often a number of games can be played for a share of the budget, within bounds."""
        least, most = bounds
        return max(least, min(most, int(BUDGET * share / self._cost / times)))

    def seat(self, place: int) -> int:
        """Whose move it is at a place that is not the last."""
        entry = self.points[place].entry
        assert entry is not None
        assert isinstance(entry.event, MoveMade)
        return entry.event.seat

    def prospects(self, place: int, playouts: int) -> list[float]:
        """Each seat's share of the games won from a place."""
        known = self._known.get((place, playouts))
        if known is None:
            known = self._known[place, playouts] = [0.0] * len(self._table.names)
            for playout in range(playouts):
                winners = self._winners(self.points[place], f"annotate/{playout}")
                for seat in winners:
                    known[seat] += 1 / len(winners) / playouts
        return known

    def _winners(self, point: _Point, seed: str) -> tuple[int, ...]:
        game, viewer = self._table.game, self._viewer
        state = msgpack.decode(point.state, type=game.state.State)
        if viewer != REFEREE:
            state = game.view.guess(game.concealed(state, viewer), viewer, Chance(seed))
        draws: dict[str, int] = {}
        for number in range(self._most):
            outcome = game.rules.outcome(state)
            if outcome is not None:
                return outcome.winners
            seat = game.rules.to_move(state)[0]
            move = game.rules.automatic(state, seat) if seat in self._table.created.automatic else None
            self._spent += _STEP
            if move is None:
                moves = legal(game.rules.offers(state, seat))
                self._spent += len(moves)
                move = self._bot(game.concealed(state, seat), seat, moves, Chance(seed, {"bot": number}))
            done = carried_out(game, state, seat, move, Chance(seed, draws))
            add_draws(draws, done.draws)
        return ()
