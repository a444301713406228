"""The tables of the projections, as migrations; loaded for a new or an older file only."""

from contextlib import closing
from functools import cache
from sqlite3 import connect
from tempfile import TemporaryDirectory

from sqlite_utils import Database, Migrations

from events import schema as events_schema

SCHEMA = "select type, name, tbl_name, sql from sqlite_schema"
MIGRATIONS = "select migration_set, name from _sqlite_migrations"

migrations = Migrations("turnlog-projections")


@migrations()
def snapshots(db: Database) -> None:
    """The cache of states and timelines."""
    db.table("snapshots").create(
        {"game": str, "seq": int, "head": int, "version": str, "timeline": bytes, "state": bytes},
        pk=("game", "seq"),
        not_null={"game", "seq", "head", "version", "timeline", "state"},
        strict=True,
    )


@migrations()
def lists(db: Database) -> None:
    """The read models `games` and `results`, and `standings` over them."""
    db.table("games").create(
        {
            "game": str,
            "slug": str,
            "seats": str,
            "events": int,
            "moves": int,
            "state": str,
            "to_move": str,
            "winners": str,
            "reason": str,
            "created": int,
            "touched": int,
            "digest": str,
        },
        pk="game",
        not_null={"game", "slug", "seats", "events", "moves", "state", "to_move", "created", "touched"},
        strict=True,
    )
    db.table("games").create_index(["touched"])
    db.table("results").create(
        {"game": str, "seat": int, "slug": str, "name": str, "score": float, "won": int, "shared": int},
        pk=("game", "seat"),
        not_null={"game", "seat", "slug", "name", "won", "shared"},
        strict=True,
    )
    db.create_view(
        "standings",
        """select slug, name, count(*) as games, sum(won) as wins, sum(shared) as shared,
            round(avg(score), 2) as mean_score, max(score) as best_score
        from results group by slug, name order by slug, wins desc, games, name""",
    )


@migrations()
def access(db: Database) -> None:
    """Who may reach a game over the network; no projection of the log, so that `rebuild` leaves it alone."""
    db.table("tokens").create(
        {
            "digest": bytes,
            "game": str,
            "role": str,
            "seat": int,
            "created": int,
            "used": int,
            "revoked": int,
        },
        pk="digest",
        not_null={"digest", "role", "created"},
        strict=True,
    )
    db.table("tokens").create_index(["game"])
    db.table("public_games").create({"game": str}, pk="game", strict=True)


@migrations()
def clocks(db: Database) -> None:
    """The read model `clocks`: a row for each seat that is to move in a game with a clock."""
    db.table("clocks").create(
        {"game": str, "seat": int, "seq": int, "since": int, "due": int},
        pk=("game", "seat"),
        not_null={"game", "seat", "seq", "since", "due"},
        strict=True,
    )
    db.table("clocks").create_index(["due"])


@migrations()
def correspondence(db: Database) -> None:
    """Standing orders and notices. They are no projection of the log, so that `rebuild` leaves them alone."""
    db.table("orders").create(
        {"game": str, "seat": int, "number": int, "move": str, "dropped": int},
        pk=("game", "seat", "number"),
        not_null={"game", "seat", "number", "move"},
        strict=True,
    )
    db.table("subscriptions").create(
        {
            "game": str,
            "seat": int,
            "means": str,
            "target": str,
            "secret": str,
            "seen": int,
            "told_turn": int,
            "told_time": int,
            "told_dropped": int,
            "told_over": int,
        },
        pk=("game", "seat"),
        not_null={"game", "seat", "means", "target", "secret", "seen"}
        | {"told_turn", "told_time", "told_dropped", "told_over"},
        strict=True,
    )
    db.table("notices").create(
        {"game": str, "seat": int, "kind": str, "seq": int, "tries": int, "next_try": int},
        pk=("game", "seat", "kind", "seq"),
        not_null={"game", "seat", "kind", "seq", "tries", "next_try"},
        strict=True,
    )
    db.table("notices").create_index(["next_try"])


@migrations()
def takebacks(db: Database) -> None:
    """Requests to take moves back, and how commands about them were answered; no projection of the log."""
    db.table("takebacks").create(
        {"game": str, "seq": int, "state": str, "data": str},
        pk="game",
        not_null={"game", "seq", "state", "data"},
        strict=True,
    )
    db.table("takeback_answers").create(
        {"game": str, "request": str, "data": str},
        pk=("game", "request"),
        not_null={"game", "request", "data"},
        strict=True,
    )


@migrations()
def open_seats(db: Database) -> None:
    """Seats that anybody may take; no projection of the log."""
    db.table("open_seats").create(
        {"game": str, "seat": int}, pk=("game", "seat"), not_null={"game", "seat"}, strict=True
    )


def prepare(path: str) -> None:
    """Makes a file a whole turnlog database of today's schema."""
    events_schema.prepare(path, migrations)


@cache
def expected() -> tuple[set[tuple[str, str, str, str | None]], set[tuple[str, str]]]:
    """What is in a file of today's schema: types, names, tables and SQL of its parts, and its migrations."""
    with TemporaryDirectory() as folder:
        path = f"{folder}/new.db"
        prepare(path)
        with closing(connect(path)) as new:
            return set(new.execute(SCHEMA)), set(new.execute(MIGRATIONS))
