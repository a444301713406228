"""The commands about databases: a copy of a whole one, and what is whole out of a damaged one."""

import os
import shutil
from collections import deque
from typing import Any

from cli.commands import put, say
from cli.progress import progress
from cli.session import Session, prepare
from engines.kit.errors import BadSetup, NoSuchSlug
from events.errors import Damaged, TooNew
from events.log import checked
from events.sqlite import SqliteLog, open_log, written_aside
from replays.recovering import Recovered
from replays.recovering import recover as recovered
from replays.verifying import file_faults, verify


def backup(session: Session, file: str, force: bool) -> None:
    """Copies the database; with `force` a damaged one, too.

    :raises BadSetup: it is on a server
    """
    if session.in_postgresql:
        raise BadSetup(
            f"{session.shown} is no file that could be copied",
            "pg_dump makes a backup; `turnlog export` writes a game, which `import` takes into any database",
        )
    try:
        log = open_log(session.path, prepare, write=False)
        try:
            log.copy_to(file, *(() if force else (lambda: _hold_whole(log),)))
        finally:
            log.close()
    except Damaged:
        if not force:
            raise
        _copy_as_it_is(session.path, file)
    if session.json:
        put({"backup": file, "bytes": os.path.getsize(file)})
    else:
        say([f"Copied to {file}, {os.path.getsize(file)} bytes."])


def _hold_whole(log: SqliteLog) -> None:
    """Holds the database to all that `verify --all` holds it to.

    :raises Damaged: it is not whole
    """
    try:
        faults = file_faults(log)
        if faults:
            raise faults[0]
        games = log.games()
        with progress("games", len(games)) as tick:
            for done, game in enumerate(games, 1):
                try:
                    verify(log, game)
                except (NoSuchSlug, TooNew):  # of what cannot be read here only the chain can be held
                    deque(checked(log.rows(game)), 0)
                tick(done)
    except Damaged as damaged:
        damaged.hint = (
            "nothing was copied: --force copies a damaged database, `turnlog recover` takes what is whole"
        )
        raise


def _copy_as_it_is(path: str, file: str) -> None:
    """Copies what SQLite cannot open, byte by byte, its write-ahead log beside it."""
    with written_aside(file) as aside:
        if os.path.exists(f"{path}-wal"):
            with written_aside(f"{file}-wal") as beside:
                shutil.copyfile(f"{path}-wal", beside)
        shutil.copyfile(path, aside)


def recover(session: Session, file: str, into: str | None, partial: bool) -> None:
    """Writes what is whole of a damaged database into a new one.

    :raises BadSetup: that is on a server
    :raises Damaged: a game is not whole; what became of each has been told
    """
    if any(session._replace(db=place).in_postgresql for place in (file, into)):
        raise BadSetup(
            "a database on a server is no file of which whole games could be taken",
            "restore a dump of pg_dump's; `turnlog verify --all` says which games are damaged",
        )
    stem, ending = os.path.splitext(file)
    into = into or f"{stem}.recovered{ending}"
    games: list[Recovered] = []
    for game in recovered(file, into, prepare, partial=partial, clock=session.clock):
        games.append(game)
        if not session.json and not (session.quiet and game.whole):
            say([_told(game)])
    lost = sum(not game.whole for game in games)
    if session.json:
        put({"recovered": into, "games": [_document(game) for game in games]})
    elif not session.quiet or lost:
        say([f"{sum(game.written for game in games)} of {len(games)} games are written to {into}."])
    if lost:
        raise Damaged(file, 0, f"{lost} of its {len(games)} games are not whole", _hint(games))


def _document(game: Recovered) -> dict[str, Any]:
    return {**game._asdict(), "whole": game.whole, "why": game.why or None}


def _told(game: Recovered) -> str:
    if game.whole:
        return f"{game.game}: whole; {game.events} events."
    if not game.events:
        return f"{game.game}: lost; event 1: {game.why}."
    written = "" if game.written else ", not written"
    return f"{game.game}: cut at event {game.events + 1}: {game.why}; {game.events} events before it{written}."


def _hint(games: list[Recovered]) -> str | None:
    if any(game.events and not game.written for game in games):
        return "--partial --into ANOTHER takes their beginnings, too"
    return "a backup may have the rest"
