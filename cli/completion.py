"""What the shell offers: slugs, game ids, seats, legal moves. Never more than the seat at hand may know."""

import os
from collections.abc import Callable
from typing import Any

import typer

from cli.session import Session, game_id, seat_of
from engines.kit.errors import Refusal
from engines.table import UNDO_POLICIES, Table
from events.errors import LogError
from events.log import Database, begins_with


def _session(ctx: typer.Context) -> Session:
    before: dict[str, Any] = ctx.parent.params if ctx.parent else {}
    db, server = (ctx.params.get(name) or before.get(name) for name in ("db", "server"))
    return Session(db, server=server or (None if db else os.environ.get("TURNLOG_SERVER") or None))


def _from_server(session: Session, ask: Callable[[Session], list[Any]]) -> list[Any]:
    """What a server offers; nothing where it offers none, or does not answer."""
    from cli.tokens import server_url

    try:
        return ask(session._replace(server=server_url(session.server or "")))
    except (LogError, Refusal):
        return []


def _log(session: Session) -> Database | None:
    if not session.there:
        return None
    try:
        return session.reader()
    except LogError:
        return None


def _said(ctx: typer.Context) -> str:
    # Behind an option that still lacks its value Typer leaves the arguments as they are.
    return str(ctx.params.get("game") or next(iter(ctx.args), "@"))


def _table(ctx: typer.Context, log: Database) -> Table | None:
    try:
        return Table(log, game_id(log, _said(ctx)))
    except (LogError, Refusal):
        return None


def slugs(incomplete: str) -> list[tuple[str, str]]:
    """The games that can be played."""
    from engines.registry import all_games

    return [(game.slug, game.title) for game in all_games() if game.slug.startswith(incomplete)]


def policies(incomplete: str) -> list[str]:
    """Who may take moves back."""
    return [policy for policy in UNDO_POLICIES if policy.startswith(incomplete)]


def games(ctx: typer.Context, incomplete: str) -> list[tuple[str, str]]:
    """The ids of the games, the last touched first."""
    session = _session(ctx)
    if session.server is not None:
        from cli.client import offered_games

        return _from_server(session, lambda at: offered_games(at, incomplete))
    log = _log(session)
    if log is None:
        return []
    try:
        begins, bounds = begins_with(incomplete)
        return [
            (game, f"{slug}: {seats}")
            for game, slug, seats in log.select(
                f"select game, slug, seats from games where {begins} order by touched desc limit 50", bounds
            )
        ]
    except LogError:
        return []
    finally:
        log.close()


def seats(ctx: typer.Context, incomplete: str) -> list[str]:
    """The seats of the game at hand."""
    session = _session(ctx)
    if session.server is not None:
        from cli.client import offered_seats

        return _from_server(session, lambda at: offered_seats(at, _said(ctx), incomplete))
    log = _log(session)
    if log is None:
        return []
    try:
        table = _table(ctx, log)
        return [name for name in (table.names if table else ()) if name.startswith(incomplete)]
    finally:
        log.close()


def viewers(ctx: typer.Context, incomplete: str) -> list[str]:
    """The seats, and the two who have none."""
    return seats(ctx, incomplete) + [who for who in ("spectator", "referee") if who.startswith(incomplete)]


def next_words(table: Table, seat: int, before: list[str], incomplete: str) -> list[str]:
    """What may stand behind the words `before` in a legal move of a seat, and begins with `incomplete`."""
    spelt = [table.game.grammar.spell(move).split() for offer in table.offers(seat) for move in offer.moves()]
    nexts = {words[len(before)] for words in spelt if len(words) > len(before) and words[: len(before)] == before}
    return sorted(word for word in nexts if word.startswith(incomplete))


def moves(ctx: typer.Context, incomplete: str) -> list[str]:
    """The next word of the legal moves of the seat named by --as, or of the seat to move."""
    session = _session(ctx)
    said = ctx.params.get("seat")
    before = [str(word) for word in ctx.params.get("move") or ()]
    if session.server is not None:
        from cli.client import offered_words

        seat_said = str(said) if said else None
        return _from_server(session, lambda at: offered_words(at, _said(ctx), seat_said, before, incomplete))
    log = _log(session)
    if log is None:
        return []
    try:
        table = _table(ctx, log)
        if table is None or not table.to_move:
            return []
        seat = seat_of(table.names, str(said)) if said else table.to_move[0]
        return next_words(table, seat, before, incomplete)
    except (LogError, Refusal):
        return []
    finally:
        log.close()
