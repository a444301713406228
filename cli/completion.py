"""What the shell offers: slugs, game ids, seats, legal moves. Never more than the seat at hand may know."""

from typing import Any

import typer

from cli.session import Session, game_id, seat_of
from engines.kit.errors import Refusal
from engines.table import UNDO_POLICIES, Table
from events.errors import LogError
from events.log import Database, begins_with


def _log(ctx: typer.Context) -> Database | None:
    before: dict[str, Any] = ctx.parent.params if ctx.parent else {}
    session = Session(ctx.params.get("db") or before.get("db"))
    if not session.there:
        return None
    try:
        return session.reader()
    except LogError:
        return None


def _table(ctx: typer.Context, log: Database) -> Table | None:
    # Behind an option that still lacks its value Typer leaves the arguments as they are.
    said = ctx.params.get("game") or next(iter(ctx.args), "@")
    try:
        return Table(log, game_id(log, str(said)))
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
    log = _log(ctx)
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
    log = _log(ctx)
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
    log = _log(ctx)
    if log is None:
        return []
    try:
        table = _table(ctx, log)
        if table is None or not table.to_move:
            return []
        said = ctx.params.get("seat")
        seat = seat_of(table.names, str(said)) if said else table.to_move[0]
        return next_words(table, seat, [str(word) for word in ctx.params.get("move") or ()], incomplete)
    except (LogError, Refusal):
        return []
    finally:
        log.close()
