"""The key moments of a game, found by the program: changes of the lead, the costliest move, lines taken back.

The costliest move is the one after which its seat's prospects fell most. Prospects are the share of games won
when the game's own bot plays on for everybody; for a viewer who does not see all, from guesses at what is hidden.
The same game always gives the same moments.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import Any

from msgspec import Struct, msgpack

from engines.decide import carried_out
from engines.forking import standing
from engines.kit.chance import Chance
from engines.kit.offers import legal
from engines.kit.secrecy import REFEREE, Viewer
from engines.table import Entry, Table
from events.model import MoveMade, MovesUndone
from projections.fold import add_draws, fold

#: So many moves of the bot are spent on finding the costliest move.
BUDGET = 24_000
PLAYOUTS = 6
#: A smaller fall is no moment.
LEAST_FALL = 0.25


class KeyMoment(Struct, frozen=True):
    """A moment: after which event, of which kind (`lead`, `fall` or `undone`), and what it is, in words."""

    seq: int
    kind: str
    text: str


def key_moments(table: Table, viewer: Viewer) -> list[KeyMoment]:
    """The key moments of a game as `viewer` may know them, in order."""
    found = [*_leads(table, viewer), *_undone(table)]
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


def _undone(table: Table) -> Iterator[KeyMoment]:
    codec = table.game.projector.codec
    for row in table.log.rows(table.id):
        if row.kind == "moves-undone":
            event = codec.decode(row)
            assert isinstance(event, MovesUndone)
            why = f": {event.reason}" if event.reason else ""
            yield KeyMoment(event.first, "undone", f"The line from event {event.first} on was taken back{why}.")


class _Point(Struct):
    """A position before a move: the state and draws there, and the move's entry."""

    entry: Entry
    state: bytes
    draws: dict[str, int]


def _costliest(table: Table, viewer: Viewer) -> KeyMoment | None:
    points = _points(table)
    if len(points) < 2:
        return None
    cost = max(1, len(points)) * PLAYOUTS
    sample = max(2, min(len(points), BUDGET // cost))  # a playout is about as long as the game
    chosen = sorted({round(i * (len(points) - 1) / (sample - 1)) for i in range(sample)})
    worth = {place: _prospects(table, points[place], viewer) for place in chosen}
    best: tuple[float, int] | None = None
    for one, other in pairwise(chosen):
        for seat in range(len(table.names)):
            fall = worth[one][seat] - worth[other][seat]
            mine = [p for p in range(one, other) if points[p].entry.event.seat == seat]  # type: ignore[union-attr]
            if mine and (best is None or fall > best[0]):
                best = (fall, mine[-1])
    if best is None or best[0] < LEAST_FALL:
        return None
    fall, place = best
    entry = points[place].entry
    assert isinstance(entry.event, MoveMade)
    name = table.names[entry.event.seat]
    spelt = table.game.grammar.spell(entry.event.move)
    return KeyMoment(entry.seq, "fall", f"{name}'s prospects fall by {fall:.0%} about here ({spelt}).")


def _points(table: Table) -> list[_Point]:
    found: list[_Point] = []
    previous = b""
    draws: dict[str, int] = {}
    for entry, state in _states(table):
        if isinstance(entry.event, MoveMade) and entry.event.by != "rules":
            found.append(_Point(entry, previous, dict(draws)))
        event: Any = entry.event
        add_draws(draws, event.draws)
        previous = msgpack.encode(state)
    return found


def _prospects(table: Table, point: _Point, viewer: Viewer) -> list[float]:
    """Each seat's share of the games that the bot plays on from a point."""
    shares = [0.0] * len(table.names)
    for playout in range(PLAYOUTS):
        for seat in _winners(table, point, viewer, f"annotate/{playout}"):
            shares[seat] += 1 / PLAYOUTS
    return shares


def _winners(table: Table, point: _Point, viewer: Viewer, seed: str) -> tuple[int, ...]:
    game = table.game
    bot = next(iter(game.bots.values()))
    state = msgpack.decode(point.state, type=game.state.State)
    if viewer != REFEREE:
        state = game.view.guess(game.concealed(state, viewer), viewer, Chance(seed))
    draws: dict[str, int] = {}
    for number in range(BUDGET):
        outcome = game.rules.outcome(state)
        if outcome is not None:
            return outcome.winners
        seat = game.rules.to_move(state)[0]
        move = game.rules.automatic(state, seat) if seat in table.created.automatic else None
        if move is None:
            view = game.concealed(state, seat)
            move = bot(view, seat, legal(game.rules.offers(state, seat)), Chance(seed, {"bot": number}))
        done = carried_out(game, state, seat, move, Chance(seed, draws))
        add_draws(draws, done.draws)
    return ()
