"""The events table, its guards and the views for people, as migrations.

Apart from the log, so that only a new or an older file loads sqlite-utils.
"""

from sqlite_utils import Database, Migrations

from events.sqlite import APPLICATION_ID, TABLE, TRIGGERS, VERSION

migrations = Migrations("turnlog-events")

_STANDS = """0 = (
    select coalesce(sum(case u.kind when 'moves-undone' then 1 else -1 end), 0) from events u
    where u.game = m.game and u.seq > m.seq and u.kind in ('moves-undone', 'moves-redone')
      and m.seq between u.data ->> 'first' and u.data ->> 'last')"""


@migrations()
def events_table(db: Database) -> None:
    """The log itself, with its guards."""
    db.conn.execute(TABLE)
    for sql in TRIGGERS.values():
        db.conn.execute(sql)
    # A request is unique in its game, and among creations in the whole file.
    db.conn.execute("create unique index events_request on events (game, request) where request is not null")
    db.conn.execute(
        "create unique index events_creation on events (request) where request is not null and seq = 1"
    )
    db.conn.execute("create index events_first on events (game) where seq = 1")


@migrations()
def views(db: Database) -> None:
    """What a log says, for people with an SQLite tool."""
    db.create_view(
        "v_games",
        """select c.game, c.data ->> 'slug' as slug, c.data ->> 'seats' as seats,
            c.data ->> 'options' as options, c.data ->> 'undo' as undo,
            datetime(c.at / 1000000, 'unixepoch') as created,
            (select count(*) from events e where e.game = c.game) as events,
            (select datetime(max(e.at) / 1000000, 'unixepoch') from events e where e.game = c.game) as touched
        from events c where c.seq = 1""",
    )
    db.create_view(
        "v_moves",
        f"""select m.game, m.seq, datetime(m.at / 1000000, 'unixepoch') as at, m.actor,
            m.data ->> 'seat' as seat, m.data -> 'move' as move, m.data -> 'facts' as facts,
            m.data -> 'outcome' as outcome, {_STANDS} as stands
        from events m where m.kind = 'move-made'""",
    )


def prepare(path: str, *more: Migrations) -> None:
    """Makes the file `path` a log of today's schema; `more` are the migrations of other layers."""
    db = Database(path)
    try:
        # Else a power cut could bring back the deleted rollback journal, and that undo all that followed.
        db.conn.execute("pragma synchronous = extra")
        db.enable_wal()
        db.conn.execute("begin exclusive")  # two that start at once: the second finds it done
        for migration in (migrations, *more):
            migration.apply(db)
        db.conn.execute(f"pragma application_id = {APPLICATION_ID}")
        db.conn.execute(f"pragma user_version = {VERSION}")
        db.conn.commit()
    finally:
        db.close()
