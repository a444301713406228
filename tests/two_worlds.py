"""Games that differ in nothing but what a viewer may not know: all that the viewer is shown must be the same."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import structs, to_builtins

from engines.decide import carried_out
from engines.kit.chance import Chance
from engines.kit.offers import legal
from engines.kit.secrecy import Viewer
from engines.seeing import facts_seen
from engines.table import Table
from events.model import Origin
from tests.lively_games import BEGUN, opened
from tests.random_games import copied


class World(NamedTuple):
    """A database with a game that looks to a viewer as the other world's does."""

    path: Path
    table: Table


def world(table: Table, viewer: Viewer, number: int, *, undo: str = "free") -> World:
    """A game that begins where `table` stands, with one of `viewer`'s guesses at what is hidden, and a chance and
    salt of its own. The fingerprint of its seed is the same as of all such games, and fits none.
    """
    game = table.game
    whole = game.view.guess(game.concealed(table.state, viewer), viewer, Chance(f"world/{number}"))
    created = structs.replace(
        table.created,
        facts=(),
        draws={},
        position=to_builtins(whole),
        next=game.rules.to_move(whole),
        origin=Origin("real", table.seq, 0, viewer),
        undo=undo,
        seed=f"seed of world {number}" * number,
        salt=f"salt of world {number}" * number,
        seed_digest="0" * 64,
    )
    path = Path(table.log.path).with_name(f"world-{viewer}-{number}.db")
    begun, _ = Table.started(opened(path), "game", game, created, whole, now=BEGUN, request=None, bots=False)
    return World(path, begun)


def _seen_facts(table: Table, seat: int, move: Any, viewer: Viewer) -> Any:
    """What `viewer` would see of a move, if it were made."""
    state = copied(table.game, table.state)
    done = carried_out(table.game, state, seat, move, Chance(table.created.seed, dict(table.position.draws)))
    return facts_seen(done.facts, viewer, seat), done.next, done.outcome, table.game.concealed(state, viewer)


def common_moves(one: World, other: World, viewer: Viewer) -> Iterator[tuple[int, Any]]:
    """The moves that can be made in both worlds and look the same in both."""
    for seat in one.table.to_move:
        mine, theirs = (legal(at.table.offers(seat)) for at in (one, other))
        for move in mine:
            if move in theirs and _seen_facts(one.table, seat, move, viewer) == _seen_facts(
                other.table, seat, move, viewer
            ):
                yield seat, move
