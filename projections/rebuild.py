"""Making the lists anew from the whole log; what the appends wrote is equal to it."""

from collections.abc import Callable

from events.errors import Damaged
from events.log import Database
from events.model import Row
from projections.readmodels import forget, update
from projections.timeline import Timeline


def rebuild(log: Database, progress: Callable[[int], None] = lambda done: None) -> tuple[int, list[str]]:
    """Empties snapshots and lists and makes the lists anew, all in one transaction.

    :param progress: called with the number of games done
    :return: the number of games, and the ids of those that cannot be read
    """
    broken: list[str] = []
    with log.writing() as store:
        for table in ("snapshots", "games", "results", "clocks"):
            store.execute(f"delete from {table}")
        games = log.games()
        for done, game in enumerate(games, 1):
            timeline = Timeline()
            rows: list[Row] = list(log.rows(game))
            try:
                for row in rows:
                    timeline.note(row.kind, row.seq, row.data)
                update(store, game, timeline, rows)
            except (ValueError, LookupError, RecursionError, Damaged):
                forget(store, game)
                broken.append(game)
            progress(done)
    return len(games), broken
