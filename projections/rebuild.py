"""Making the lists anew from the whole log; what the appends wrote is equal to it."""

from collections.abc import Callable

from events.errors import Damaged
from events.model import Row
from events.sqlite import SqliteLog
from projections.readmodels import forget, update
from projections.timeline import Timeline


def rebuild(log: SqliteLog, progress: Callable[[int], None] = lambda done: None) -> tuple[int, list[str]]:
    """Empties snapshots and lists and makes the lists anew, all in one transaction.

    :param progress: called with the number of games done
    :return: the number of games, and the ids of those that cannot be read
    """
    broken: list[str] = []
    with log.writing() as connection:
        connection.execute("delete from snapshots")
        connection.execute("delete from games")
        connection.execute("delete from results")
        connection.execute("delete from clocks")
        games = log.games()
        for done, game in enumerate(games, 1):
            timeline = Timeline()
            rows: list[Row] = list(log.rows(game))
            try:
                for row in rows:
                    timeline.note(row.kind, row.seq, row.data)
                update(connection, game, timeline, rows)
            except (ValueError, LookupError, RecursionError, Damaged):
                forget(connection, game)
                broken.append(game)
            progress(done)
    return len(games), broken
