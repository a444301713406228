"""Games that are worth reviewing: bots, lines taken back and put back, notes, and names that try to be script."""

from functools import cache
from pathlib import Path

import pytest
from typer import main as typer_main

from engines.creation import Wish, create
from engines.kit.bots import random_move
from engines.kit.chance import Chance
from engines.kit.game import Game
from engines.kit.notation import words_of
from engines.kit.offers import legal
from engines.registry import all_games
from engines.table import Table
from events.sqlite import SqliteLog, open_log
from projections.schema import prepare
from replays import annotate

# Typer makes its commands anew at every call, which would be most of a test's time; they never change.
typer_main.get_command = cache(typer_main.get_command)

#: Seats' names that are markup, a part of the page's template, Markdown, or too long for a narrow screen.
HOSTILE = ("</script><img src=x onerror=boom()>", "%DATA% &amp; *b* [x](y) | `_z_`", "M" * 40)
NOTES = (
    "<script>document.title = 'pwned'</script>",
    "A calm set-up.\nOn two lines, </blockquote><b>bold</b>.",
    "javascript:alert(1) <img src=x onerror=boom()> # `no` | *heading*",
)
REASON = "<b>slip</b> of the *tongue*"

#: In microseconds: when such a game begins. Each move takes a minute.
BEGUN = 1_700_000_000_000_000
MINUTE = 60_000_000


def opened(path: Path) -> SqliteLog:
    """A log to write, not synced: nothing here asks what survives a power cut."""
    log = open_log(str(path), prepare, write=True)
    log.connection.execute("pragma synchronous = off")
    return log


def seats_for(game: Game, names: tuple[str, ...], bots: int = 0) -> tuple[str, ...]:
    """As many of the names as can sit at the game, the last `bots` of them bots."""
    count = max(game.seats[0], min(len(names), game.seats[1]))
    persons = names[: max(1, count - bots)]
    return (*persons, *("bot:random",) * (count - len(persons)))


def play_on(table: Table, moves: int, seed: str = "lively") -> int:
    """Plays so many random moves of persons, if the game goes on as long; gives how many it were."""
    choice = Chance(f"{seed}/choice")
    for number in range(moves):
        if not table.to_move:
            return number
        seat = table.to_move[choice.number("seat", len(table.to_move))]
        offered = legal(table.offers(seat))
        move = offered[choice.number("move", len(offered))]
        table.play(words_of(table.game.grammar.spell(move)), now=table.seq * MINUTE + BEGUN, seat=seat)
    return moves


def lively(log: SqliteLog, game: Game, persons: tuple[str, ...], *, moves: int, game_id: str = "lively") -> Table:
    """A game with undone lines, a redo and notes, the first of them on a move that was taken back."""
    wish = Wish(game, persons, seed="lively")
    table, _ = create(log, wish, game_id, now=BEGUN, secret=lambda: "salt")
    for number, part in enumerate((3, 2, 2, max(1, moves - 7))):
        play_on(table, part, f"lively/{number}")
        now = table.seq * MINUTE + BEGUN
        if number == 0:
            table.note(table.position.timeline.head, NOTES[0], now=now, seat=0)
            table.undo(now=now, count=2, reason=REASON)
        elif number == 1:
            table.undo(now=now)
            table.redo(now=now)
        elif number == 2:
            table.undo(now=now)
    table.note(1, NOTES[1], now=now)
    table.note(2, NOTES[2], now=now, seat=0)
    return table


def think_little(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lets key moments be found out with few games of random moves: how good they are is another test's matter."""
    for name, few in {"_FIRST": 1, "_NARROWING": (1, 1), "_SURE": (1, 1), "_MOMENTS": (2, 2)}.items():
        monkeypatch.setattr(annotate, name, few)
    for game in all_games():
        monkeypatch.setitem(game.__dict__, "bots", {"random": random_move})
