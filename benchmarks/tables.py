"""Databases to measure on."""

from pathlib import Path

from cli.session import prepare
from engines.creation import Wish, create
from engines.kit.chance import Chance
from engines.kit.notation import words_of
from engines.kit.offers import legal
from engines.registry import game_of
from engines.table import Table
from events.sqlite import SqliteLog, open_log

GAME = "g"


def grown(path: Path, events: int) -> None:
    """A game of Power Vacuum with so many events: random moves, some of them taken back."""
    log = open_log(str(path), prepare, write=True)
    try:
        wish = Wish(game_of("power-vacuum"), ("ada", "bo", "cy", "di", "ed"), seed="bench")
        table, _ = create(log, wish, GAME, now=1, secret=lambda: "salt")
        choice = Chance("bench/choice")
        log.connection.execute("pragma synchronous = off")  # the measured commands are durable, this is not
        while table.seq < events:
            _one(table, choice)
    finally:
        log.close()


def _one(table: Table, choice: Chance) -> None:
    moves = table.position.timeline.moves()
    if moves > 60 and (not table.to_move or choice.number("back", 5) < 2):
        table.undo(now=1, count=30 if not table.to_move else 1)
        return
    seat = table.to_move[0]
    offered = legal(table.offers(seat))
    move = offered[choice.number("move", len(offered))]
    table.play(words_of(table.game.grammar.spell(move)), now=1, seat=seat)


def reader(path: Path) -> SqliteLog:
    """The log of a measured database, read-only."""
    return open_log(str(path), prepare, write=False)


def writer(path: Path) -> SqliteLog:
    """The log of a measured database."""
    return open_log(str(path), prepare, write=True)
