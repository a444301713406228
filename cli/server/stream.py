"""A game's events as they happen, to many readers at once.

One thread looks after the whole database: it notices what anybody appended, in this process or another one (a
PostgreSQL server tells of it), and makes each event once for all who see it alike. A reader asks for what lies
behind the event it had last, so that nothing waits for a slow one; and its right to look is asked anew each time.
"""

from __future__ import annotations

import asyncio
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from concurrent.futures import ThreadPoolExecutor
from contextlib import aclosing, suppress
from typing import NamedTuple, TypeVar

from msgspec import json

from cli.comparing import check_eyes
from cli.failures import EXPECTED
from cli.review import log_documents
from cli.server.auth import Door, Presented
from cli.server.limits import Limits, TooMany
from cli.session import Session, postgres
from engines.kit.secrecy import Viewer
from engines.table import Table
from events.errors import Unreachable
from events.log import Database
from events.sqlite import SqliteLog

#: How often the database is asked for news, in seconds; this process tells its own at once.
PERIOD = 0.15
#: A silent stream says that it is there so often, in seconds.
HEARTBEAT = 15.0
#: So many events are made at a time, and so many makings are kept.
PAGE, KEPT = 200, 512

T = TypeVar("T")


class Reader(NamedTuple):
    """Who reads which game. `said` is as whom."""

    presented: Presented
    game: str
    said: str | None


class Made(NamedTuple):
    """An event as it is sent."""

    seq: int
    data: bytes


class News:
    """What was appended to an SQLite file since it was last asked."""

    def __init__(self, log: SqliteLog) -> None:
        self._log = log
        self._version = -1
        self._row: int = next(log.select("select coalesce(max(rowid), 0) from events"))[0]

    def games(self) -> dict[str, int]:
        """The games that go on, with their last event."""
        version = next(self._log.select("pragma data_version"))[0]
        if version == self._version:
            return {}
        self._version = version
        found = list(
            self._log.select(
                "select game, max(seq), max(rowid) from events where rowid > ? group by game", (self._row,)
            )
        )
        self._row = max((row for _, _, row in found), default=self._row)
        return {game: seq for game, seq, _ in found}


class Hub:
    """All streams of a server."""

    def __init__(self, session: Session, door: Door, limits: Limits) -> None:
        self._session, self._door, self._limits = session, door, limits
        self._thread = ThreadPoolExecutor(1, "turnlog-stream")
        self._log: Database | None = None
        self._news: News | None = None
        self._tables: OrderedDict[str, Table] = OrderedDict()
        self._made: OrderedDict[tuple[str, int, Viewer, int], list[Made]] = OrderedDict()
        self._askers: Counter[Hashable] = Counter()
        self._games: Counter[str] = Counter()
        self._latest: dict[str, int] = {}
        self._waiting: dict[str, set[asyncio.Future[None]]] = {}
        self._poked = asyncio.Event()
        self.closed = False

    # readers -------------------------------------------------------------------------------------------

    def join(self, asker: Hashable, game: str) -> None:
        """Counts a stream that begins.

        :raises TooMany: there are too many
        """
        if self._askers[asker] >= self._limits.streams_each or self._askers.total() >= self._limits.streams:
            raise TooMany(
                f"too many streams: {self._limits.streams_each} of one asker are kept open", "close one of them"
            )
        self._askers[asker] += 1
        self._games[game] += 1

    def leave(self, asker: Hashable, game: str) -> None:
        """Counts a stream that ended."""
        self._askers[asker] -= 1
        if not self._askers[asker]:
            del self._askers[asker]
        self._games[game] -= 1
        if not self._games[game]:
            del self._games[game]
            self._latest.pop(game, None)

    async def told(self, reader: Reader, after: int) -> list[Made]:
        """The next events behind `after`, none if there is none yet.

        :raises Refusal, LogError: they are not for this reader, or cannot be read
        """
        return await self._in_thread(lambda: self._tell(reader, after))

    async def beyond(self, game: str, after: int) -> bool:
        """Waits until a game has an event behind `after`; false if it took too long, or the server stops."""
        if self.closed or self._latest.get(game, 0) > after:
            return not self.closed
        told = asyncio.get_running_loop().create_future()
        self._waiting.setdefault(game, set()).add(told)
        try:
            async with asyncio.timeout(HEARTBEAT):
                await told
        except TimeoutError:
            return False
        finally:
            waiting = self._waiting[game]
            waiting.discard(told)
            if not waiting:
                del self._waiting[game]
        return not self.closed

    # news ----------------------------------------------------------------------------------------------

    def poke(self) -> None:
        """Says that there may be news."""
        self._poked.set()

    async def run(self) -> None:
        """Passes news on until the server stops."""
        if self._session.in_postgresql:
            await self._hear()
            return
        look = self._look
        while not self.closed:
            try:
                async with asyncio.timeout(PERIOD):
                    await self._poked.wait()
            except TimeoutError:
                if not self._games:
                    continue
            self._poked.clear()
            try:
                news = await self._in_thread(look)
            except EXPECTED as error:
                self._session.warn("cannot look for news", error=repr(error))
                look = self._last  # the file is opened anew, and what was missed is looked for
                await asyncio.sleep(PERIOD)
                continue
            look = self._look
            self._pass_on(news)

    async def _hear(self) -> None:
        """Passes on what the database itself tells of, until the server stops."""
        listening = asyncio.create_task(self._listen())
        while not self.closed:
            await self._poked.wait()
            self._poked.clear()
        listening.cancel()
        with suppress(asyncio.CancelledError):
            await listening

    async def _listen(self) -> None:
        async with aclosing(postgres().appended(self._session.path)) as news:
            async for told in news:
                if self.closed:
                    return
                try:
                    self._pass_on(await self._in_thread(self._last) if told is None else dict([told]))
                except EXPECTED as error:
                    self._session.warn("cannot look for news", error=repr(error))

    def _pass_on(self, news: dict[str, int]) -> None:
        for game, seq in news.items():
            if game in self._games:
                self._latest[game] = seq
                self._wake(game)

    def _wake(self, game: str) -> None:
        for told in self._waiting.get(game, ()):
            if not told.done():
                told.set_result(None)

    def close(self) -> None:
        """Ends all streams; their readers go on elsewhere from the event they had."""
        self.closed = True
        self._poked.set()
        for game in list(self._waiting):
            self._wake(game)

    async def end(self) -> None:
        """Closes the database."""
        self.close()
        await self._in_thread(self._close_log)
        self._thread.shutdown()

    # in the thread -------------------------------------------------------------------------------------

    async def _in_thread(self, work: Callable[[], T]) -> T:
        return await asyncio.get_running_loop().run_in_executor(self._thread, work)

    def _opened(self) -> Database:
        if self._log is not None and self._log.lost:
            self._let_go()
        if self._log is None:
            self._log = self._session.reader()
            if isinstance(self._log, SqliteLog):
                self._news = News(self._log)  # from here on: before anybody has read anything
        return self._log

    def _close_log(self) -> None:
        if self._log is not None:
            self._log.close()

    def _look(self) -> dict[str, int]:
        self._opened()
        assert self._news is not None
        return self._news.games()

    def _let_go(self) -> None:
        self._close_log()
        self._log = None
        self._tables.clear()  # which read it

    def _last(self) -> dict[str, int]:
        self._let_go()  # where one connection was lost, this one may have been
        log = self._opened()
        return {game: log.last(game) for game in list(self._games)}

    def _tell(self, reader: Reader, after: int) -> list[Made]:
        try:
            return self._next(reader, after)
        except Unreachable:  # the connection was lost since it was used last
            return self._next(reader, after)

    def _next(self, reader: Reader, after: int) -> list[Made]:
        log = self._opened()
        access = self._door.access(log, reader.presented, reader.game)
        table = self._table(log, reader.game)
        viewer = access.viewer(table, reader.said)
        check_eyes(table, viewer)
        key = (reader.game, table.seq, viewer, after)
        made = self._made.get(key)
        if made is None:
            documents = log_documents(table, viewer, after, after + PAGE)
            made = [Made(document["seq"], json.encode(document)) for document in documents]
            self._made[key] = made
            if len(self._made) > KEPT:
                self._made.popitem(last=False)
        return made

    def _table(self, log: Database, game: str) -> Table:
        table = self._tables.get(game)
        if table is None or log.last(game) > table.seq:
            table = self._tables[game] = Table(log, game)
            if len(self._tables) > KEPT:
                self._tables.popitem(last=False)
        return table
