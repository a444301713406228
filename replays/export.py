"""A game out of the database: the log itself as JSON lines, or a transcript that plays it again."""

import shlex
from collections.abc import Iterator
from typing import Any

from msgspec import json

from engines.clocks import by_clock, spelt
from engines.forking import foreign_events
from engines.kit.errors import Refusal
from engines.kit.game import BOT, PROGRAM, Game
from engines.kit.setfile import shipped_set
from engines.registry import game_of
from events.codec import check_seats
from events.log import Database
from events.model import Event, GameCreated, MoveMade, MovesRedone, MovesUndone, Noted
from projections.position import first_row, slug_of
from replays.scripts import CLOCK, quoted


def jsonl(log: Database, game_id: str) -> Iterator[str]:
    """The rows of the log, one a line, as they lie; `import` takes them.

    :raises NoSuchGame: there is no such game
    """
    first_row(log, game_id)
    return log.lines(game_id)


def transcript(log: Database, game_id: str) -> Iterator[str]:
    """A script that plays the same game again, its narration as comments.

    It holds what a referee knows: seed and stack stand in its first line.
    """
    game = game_of(slug_of(first_row(log, game_id)))
    created = game.projector.codec.decode(first_row(log, game_id))
    if isinstance(created, GameCreated) and created.set != shipped_set(game):
        raise Refusal(
            f"game {game_id} was played with a set of its own, which a script cannot carry",
            "`--format jsonl` takes it out as it is",
        )
    if isinstance(created, GameCreated) and (
        created.seen_by or created.position is not None or foreign_events(created)
    ):
        raise Refusal(
            f"game {game_id} began otherwise than by a `create`, so no script plays it again",
            "`--format jsonl` takes it out as it is",
        )
    yield f"# {game.title}: a transcript. `turnlog run` or `turnlog import` plays it again."
    names = created.seats if isinstance(created, GameCreated) else ()
    for row in log.rows(game_id):
        event = game.projector.codec.decode(row)
        check_seats(row, event, len(names))
        yield from script_of(game, names, event)


def script_of(game: Game, names: tuple[str, ...], event: Event) -> Iterator[str]:
    """The lines of a script that make one event, what followed from it as comments."""
    if isinstance(event, GameCreated):
        yield create_line(game, event)
        yield from _comments(game, names, event.facts)
        return
    if isinstance(event, MoveMade):
        if event.by != "rules":
            head = CLOCK if by_clock(names, event) else ""
            yield f"{head}{names[event.seat]}: {game.grammar.spell(event.move)}"
        yield from _comments(game, names, event.facts)
        if event.remark:
            yield f"#   {event.remark}"
        return
    head = "" if event.seat is None else f"{names[event.seat]}: "
    if isinstance(event, MovesUndone):
        plain = "\n" not in event.reason and not event.reason.lstrip().startswith('"')
        reason = event.reason if plain else quoted(event.reason)
        reason = f" --reason {shlex.quote(reason)}" if reason else ""
        yield f"{head}undo {_dashed(event.asked)}{reason}"
        yield from _agreements(names, event)
    elif isinstance(event, MovesRedone):
        yield f"{head}redo"
        yield from _agreements(names, event)
    elif isinstance(event, Noted):
        yield f"{head}note {event.about} {quoted(event.text)}"
    elif by_clock(names, event):
        yield f"{CLOCK}{head}close"
    else:
        yield f"{head}close {quoted(event.reason)}" if event.reason else f"{head}close"


def _agreements(names: tuple[str, ...], event: MovesUndone | MovesRedone) -> Iterator[str]:
    for seat in event.agreed:
        yield f"{names[seat]}: agree"


def create_line(game: Game, event: GameCreated[Any, Any]) -> str:
    """The `create` that makes a game like this one."""
    words = ["create", game.slug]
    persons = [name for seat, name in enumerate(event.seats) if seat not in event.automatic]
    for name in persons:
        words += ["-p", name.partition("#")[0] if name.startswith((BOT, PROGRAM)) else name]
    defaults = {option.name: option.default for option in game.options}
    for key, value in event.options.items():
        if value != defaults.get(key):
            words += ["-o", f"{key}={value}"]
    words += ["--seed", event.seed]
    if event.undo != "free":
        words += ["--undo", event.undo]
    if event.clock is not None:
        words += ["--pace", spelt(event.clock.pace), "--on-timeout", event.clock.on_timeout]
    if event.stack:
        words += ["--stack", json.encode(event.stack).decode()]
    if any(name.startswith((BOT, PROGRAM)) for name in persons):
        words.append("--bots-wait")
    return shlex.join(words)


def _dashed(asked: str) -> str:
    kind, _, number = asked.partition(" ")
    return f"--to {number}" if kind == "to" else f"-n {number}"


def _comments(game: Game, names: tuple[str, ...], facts: tuple[Any, ...]) -> Iterator[str]:
    for fact in facts:
        told = game.drawn.tell(fact, names)
        if told:
            yield f"#   {told}"
