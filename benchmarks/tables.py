"""Databases and games to measure on."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from benchmarks.timing import Work, seconds
from cli.session import prepare
from engines.creation import Wish, begun, create
from engines.decide import carried_out
from engines.kit.chance import Chance
from engines.kit.game import Game
from engines.kit.notation import words_of
from engines.kit.offers import legal
from engines.registry import game_of
from engines.table import Table
from events.model import Draft, MoveMade
from events.sqlite import SqliteLog, open_log
from projections.fold import add_draws

GAME = "g"
NAMES = ("ada", "bo", "cy", "di", "ed")
#: A time of today's length in digits.
NOW = 1_790_000_000_000_000


def power_vacuum() -> Game:
    """The game that is measured."""
    return game_of("power-vacuum")


def wish(number: int, seats: int = 5) -> Wish:
    """The `number`th game."""
    return Wish(power_vacuum(), NAMES[:seats], seed=f"bench {number}")


def random_moves(number: int, seats: int = 5) -> Iterator[MoveMade[Any, Any]]:
    """The moves of a whole game whose seats move at random, each made as the table makes it."""
    game = power_vacuum()
    rules = game.rules
    created, state = begun(wish(number, seats), lambda: "salt")
    draws = dict(created.draws)
    choice = random.Random(number)  # noqa: S311 -- stands in for players
    while rules.outcome(state) is None:
        seat = rules.to_move(state)[0]
        move = choice.choice(legal(rules.offers(state, seat)))
        done = carried_out(game, state, seat, move, Chance(created.seed, draws))
        add_draws(draws, done.draws)
        yield MoveMade(
            seat=seat, move=move, facts=done.facts, draws=done.draws, next=done.next, outcome=done.outcome
        )


def self_play(games: int) -> Work:
    """Random self-play of Power Vacuum, each move encoded as it goes into the log."""

    def work() -> float:
        moves = 0

        def play_all() -> None:
            nonlocal moves
            encode = power_vacuum().projector.codec.encode
            for number in range(games):
                for move in random_moves(number, 4):
                    encode(move)
                    moves += 1

        return seconds(play_all) / moves

    return work


def drafts(number: int) -> list[Draft]:
    """The moves of a whole game as they go into the log."""
    codec = power_vacuum().projector.codec
    return [codec.draft(move, "ada") for move in random_moves(number)]


def played(path: Path, games: int) -> list[str]:
    """Whole games in a database, and their ids; every move in them stands."""
    log = writer(path)
    try:
        for number in range(games):
            created, state = begun(wish(number), lambda: "salt")
            Table.started(
                log,
                f"{GAME}{number}",
                power_vacuum(),
                created,
                state,
                now=NOW,
                request=None,
                bots=False,
                moves=tuple(random_moves(number)),
            )
    finally:
        log.close()
    return [f"{GAME}{number}" for number in range(games)]


def grown(path: Path, events: int) -> None:
    """One game with so many events: random moves, most of them taken back."""
    log = writer(path)
    try:
        table, _ = create(log, wish(0), GAME, now=NOW, secret=lambda: "salt")
        choice = Chance("bench/choice")
        log.connection.execute("pragma synchronous = off")  # the measured commands are durable, this is not
        while table.seq < events:
            if table.position.timeline.moves() > 60 and (not table.to_move or choice.number("back", 5) < 2):
                table.undo(now=NOW, count=1 if table.to_move else 30)
            else:
                offered = legal(table.offers(table.to_move[0]))
                play(table, offered[choice.number("move", len(offered))])
    finally:
        log.close()


def play(table: Table, move: Any = None) -> None:
    """Plays a legal move, the first on offer if none is named, as typed."""
    seat = table.to_move[0]
    move = legal(table.offers(seat))[0] if move is None else move
    table.play(words_of(table.game.grammar.spell(move)), now=NOW, seat=seat)


def reader(path: Path) -> SqliteLog:
    """The log of a measured database, read-only."""
    return open_log(str(path), prepare, write=False)


def writer(path: Path) -> SqliteLog:
    """The log of a measured database, made if there is none."""
    return open_log(str(path), prepare, write=True)
