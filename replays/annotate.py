"""The key moments of a game, found by the program: changes of the lead, the costliest move, lines taken back.

The costliest move is the one over which its seat's prospects fell most. Prospects are the share of games won
when the game's own bot plays on for everybody; for a viewer who does not see all, from guesses at what is hidden.
A few games from moments all over the game tell where to look, more of them there tell which move it was.
The same game always gives the same moments.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
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
from events.model import MoveMade, MovesUndone
from projections.fold import add_draws, fold

#: So many moves that a bot has to choose among are looked at, half of them to find where to look.
BUDGET = 200_000
#: What any move of a bot costs of that, apart from those it chooses among.
_STEP = 4
#: Games from each moment: at first, and where it is looked at closely.
PLAYOUTS, CLOSE_PLAYOUTS = 6, 24
#: So many stretches of the game are looked at closely.
_STRETCHES = 3
#: A smaller fall is no moment.
LEAST_FALL = 0.25


class KeyMoment(Struct, frozen=True):
    """A moment: after which event, of which kind (`lead`, `fall` or `undone`), and what it is, in words."""

    seq: int
    kind: str
    text: str


def key_moments(table: Table, viewer: Viewer) -> list[KeyMoment]:
    """The key moments of a game as `viewer` may know them, in order."""
    found = [*_leads(table, viewer), *_undone(table, viewer)]
    fall = _costliest(table, viewer)
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
    codec, timeline = table.game.projector.codec, table.position.timeline
    line: list[tuple[int, MoveMade[Any, Any]]] = []
    undos: list[MovesUndone] = []
    for row in table.log.rows(table.id, 0, table.seq):
        event = codec.decode(row)
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
    text = f"Taken back: {shown}" + (f", and what followed up to event {last}" if last > first else "")
    other = _spelt(table, instead, viewer) if instead is not None else ""
    if other and other != shown:
        text += f"; played then: {other}"
    return KeyMoment(first, "undone", f"{text} ({reason})." if reason else f"{text}.")


# the costliest move -----------------------------------------------------------------------------------


class _Point(Struct):
    """A position before a move: the state there, and the move's entry; at the end, none."""

    entry: Entry | None
    state: bytes

    @property
    def seat(self) -> int | None:
        """Whose move it is."""
        return self.entry.event.seat if self.entry and isinstance(self.entry.event, MoveMade) else None


class _Fall(NamedTuple):
    """How far a seat's prospects fell between two points."""

    depth: float
    seat: int
    start: int
    end: int


def _costliest(table: Table, viewer: Viewer) -> KeyMoment | None:
    points = _points(table)
    if len(points) < 2 or len(table.names) < 2:
        return None
    playing = _Playing(table, viewer, most=4 * len(points) + 400)
    worth = playing.worth(points, PLAYOUTS, _spread(playing, points))
    falls = sorted(_falls(points, worth), key=lambda fall: (-fall.depth, fall.start))
    close: list[_Fall] = []
    for stretch in falls[:_STRETCHES]:
        mine = [place for place in range(stretch.start, stretch.end) if points[place].seat == stretch.seat]
        looked = playing.worth(points, CLOSE_PLAYOUTS, [p for place in mine for p in (place, place + 1)])
        close += [
            _Fall(looked[place][stretch.seat] - looked[place + 1][stretch.seat], stretch.seat, place, place + 1)
            for place in mine
            if place in looked and place + 1 in looked
        ]
    worst = max(close, key=lambda fall: (fall.depth, -fall.start), default=None)
    if worst is None or worst.depth < LEAST_FALL:
        return None
    entry = points[worst.start].entry
    assert entry is not None
    assert isinstance(entry.event, MoveMade)
    name = table.names[worst.seat]
    before = playing.known(worst.start, CLOSE_PLAYOUTS)[worst.seat]
    return KeyMoment(
        entry.seq,
        "fall",
        f"The costliest move by the bot's estimate is {_spelt(table, entry.event, viewer)}: before it {name} wins "
        f"{before:.0%} of the games that the bot plays on, after it {before - worst.depth:.0%}.",
    )


def _points(table: Table) -> list[_Point]:
    found: list[_Point] = []
    previous = b""
    for entry, state in _states(table):
        if isinstance(entry.event, MoveMade) and entry.event.by != "rules":
            found.append(_Point(entry, previous))
        previous = msgpack.encode(state)
    return [*found, _Point(None, previous)]


def _spread(playing: _Playing, points: list[_Point]) -> list[int]:
    """Places all over the game, as many as half of the budget allows, found out by playing from its beginning."""
    playing.worth(points, PLAYOUTS, [0])
    cost = max(1, playing.spent) / 2  # a game from the middle is half as long
    sample = max(2, min(len(points), int(BUDGET / 2 / cost)))
    return sorted({round(i * (len(points) - 1) / (sample - 1)) for i in range(sample)})


def _falls(points: list[_Point], worth: dict[int, list[float]]) -> Iterator[_Fall]:
    for one, other in pairwise(sorted(worth)):
        for seat in {points[place].seat for place in range(one, other)} - {None}:
            assert seat is not None
            yield _Fall(worth[one][seat] - worth[other][seat], seat, one, other)


class _Playing:
    """Games that the bot plays on from points of a game; `spent` counts what they cost."""

    def __init__(self, table: Table, viewer: Viewer, most: int) -> None:
        self._table, self._viewer, self._most = table, viewer, most
        self._bot = next(iter(table.game.bots.values()), random_move)
        self._known: dict[tuple[int, int], list[float]] = {}
        self.spent = 0

    def known(self, place: int, playouts: int) -> list[float]:
        """What was found out about a point."""
        return self._known[place, playouts]

    def worth(self, points: list[_Point], playouts: int, places: Sequence[int]) -> dict[int, list[float]]:
        """Each seat's share of the games won from each place, as far as the budget goes."""
        for place in places:
            if (place, playouts) not in self._known and self.spent < BUDGET:
                self._known[place, playouts] = self._prospects(points[place], playouts)
        return {place: self._known[place, playouts] for place in places if (place, playouts) in self._known}

    def _prospects(self, point: _Point, playouts: int) -> list[float]:
        shares = [0.0] * len(self._table.names)
        for playout in range(playouts):
            winners = self._winners(point, f"annotate/{playout}")
            for seat in winners:
                shares[seat] += 1 / len(winners) / playouts
        return shares

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
            self.spent += _STEP
            if move is None:
                moves = legal(game.rules.offers(state, seat))
                self.spent += len(moves)
                move = self._bot(game.concealed(state, seat), seat, moves, Chance(seed, {"bot": number}))
            done = carried_out(game, state, seat, move, Chance(seed, draws))
            add_draws(draws, done.draws)
        return ()
