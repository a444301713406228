"""Would today's rules have made the same log? Asked of each standing move, with the recorded chance.

A log stays valid whatever the answer: facts are not re-run when it is loaded. This only tells where the rules
have changed since, or where a game was dealt otherwise than its seed says.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple, cast

from msgspec import msgpack

from engines.decide import applied, refusal
from engines.forking import foreign_events, standing
from engines.kit.chance import Chance
from engines.kit.errors import Refusal
from engines.kit.game import Game
from engines.table import Table
from events.model import GameCreated, MoveMade
from projections.fold import add_draws, fold
from replays.misfits import MISFITS


class Difference(NamedTuple):
    """The first event that today's rules make otherwise, and how, in words."""

    seq: int
    why: str


class Checked(NamedTuple):
    """How many events were asked about, and the first difference, if there is one."""

    events: int
    difference: Difference | None


def check_rules(table: Table) -> Checked:
    """Asks today's rules for each standing event of a game.

    Events that a fork copied are asked only whether they are legal, since their chance was another one.
    :raises Refusal: it is the log of a viewer, whose rules would have to know what is hidden
    """
    created = table.created
    if created.seen_by:
        raise Refusal(f"game {table.id} is the log as {created.seen_by} saw it: the rules cannot be asked of it")
    game = table.game
    entries = standing(table)
    state = game.projector.begin(created)
    draws = dict(created.draws)
    foreign = foreign_events(created)
    if created.position is None and not foreign:
        why = _set_up_difference(game, created)
        if why is not None:
            return Checked(1, Difference(1, why))
    fold(game.projector.reducers, state, created.facts)
    for number, (seq, event) in enumerate(entries[1:], 2):
        assert isinstance(event, MoveMade)
        why = _legality_difference(game, created.seats, state, event)
        if why is None and number > foreign:
            why = _move_difference(game, created, state, event, draws)
        if why is not None:
            return Checked(number, Difference(seq, why))
        fold(game.projector.reducers, state, event.facts)
        add_draws(draws, event.draws)
    return Checked(len(entries), None)


def deal_difference(
    game: Game, created: GameCreated[Any, Any], moves: Iterable[tuple[int, MoveMade[Any, Any]]]
) -> Difference | None:
    """The first event whose draws are not those that the game's seed makes; moves that drew nothing are not asked.

    :param moves: the moves that stand, with their numbers
    """
    state = game.projector.begin(created)
    draws = dict(created.draws)
    foreign = foreign_events(created)
    if created.position is None and not foreign:
        why = _set_up_difference(game, created)
        if why is not None:
            return Difference(1, why)
    fold(game.projector.reducers, state, created.facts)
    for number, (seq, event) in enumerate(moves, 2):
        if event.draws and number > foreign:
            why = _move_difference(game, created, state, event, draws)
            if why is not None:
                return Difference(seq, why)
        fold(game.projector.reducers, state, event.facts)
        add_draws(draws, event.draws)
    return None


def _set_up_difference(game: Game, created: GameCreated[Any, Any]) -> str | None:
    state = game.state.begin(created.seats, created.options, created.set)
    chance = Chance(created.seed, {}, created.stack)
    try:
        facts = tuple(applied(game, state, game.rules.setup(state, created.seats, created.options, chance)))
    except Refusal as refused:
        return f"today the set-up is refused: {refused}"
    except MISFITS as error:
        return f"today the set-up fails ({error!r})."
    return _facts_difference(game, created.seats, created.facts, facts)


def _legality_difference(game: Game, names: tuple[str, ...], state: Any, event: MoveMade[Any, Any]) -> str | None:
    spelt = game.grammar.spell(event.move)
    if event.by != "rules":
        why = refusal(game, game.rules.offers(state, event.seat), event.move)
        return None if why is None else f"today {spelt!r} is refused: {why}"
    if game.rules.automatic(state, event.seat) != event.move:
        return f"today the rules would not play {spelt!r} for {names[event.seat]}"
    return None


def _move_difference(
    game: Game, created: GameCreated[Any, Any], state: Any, event: MoveMade[Any, Any], draws: dict[str, int]
) -> str | None:
    """How the facts that a move makes today differ from the recorded ones."""
    aside = msgpack.decode(msgpack.encode(state), type=game.state.State)
    chance = Chance(created.seed, draws, created.stack)
    try:
        facts = tuple(applied(game, aside, game.rules.play(aside, event.seat, event.move, chance)))
    except Refusal as refused:
        return f"today the move is refused: {refused}"
    except MISFITS as error:
        return f"today the rules fail at the move ({error!r})."
    return _facts_difference(game, created.seats, event.facts, facts)


def _facts_difference(
    game: Game, names: tuple[str, ...], recorded: tuple[Any, ...], today: tuple[Any, ...]
) -> str | None:
    for place in range(max(len(recorded), len(today))):
        was = recorded[place] if place < len(recorded) else None
        now = today[place] if place < len(today) else None
        if was != now:
            return f"recorded is: {_told(game, names, was)} Today it would be: {_told(game, names, now)}"
    return None


def _told(game: Game, names: tuple[str, ...], fact: Any) -> str:
    if fact is None:
        return "nothing more."
    return game.drawn.tell(fact, names) or f"{cast('Any', type(fact)).__struct_config__.tag}."
