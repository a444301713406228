"""What a server does in time, as `tick` does: it acts for seats whose time is out, and delivers notices."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

from cli.failures import EXPECTED
from cli.session import Session
from cli.ticking import act, deliver_notices
from events.log import Database

#: It looks for what is due so often, in seconds.
PERIOD = 1.0
#: When the server stops it waits so long for a notice under way; what breaks off is delivered later.
_GRACE = 5.0


class Clockwork:
    """Does what is due, until it is stopped. Several servers on one database do each thing once.

    Notices, which may take long to deliver, hold up no clock: there is a thread for each.

    :param acted: called in a thread when something was done in a game
    :param programs: whether programs that were allowed may play their seats
    """

    def __init__(self, session: Session, acted: Callable[[], object], *, programs: bool) -> None:
        self._session, self._acted, self._programs = session, acted, programs
        self._stopped = Event()
        self._threads = [
            Thread(target=self._go_on, args=(work,), name=f"turnlog-{work.__name__}", daemon=True)
            for work in (self.act, self.deliver)
        ]

    def start(self) -> None:
        """Begins."""
        for thread in self._threads:
            thread.start()

    def _go_on(self, work: Callable[[Database], set[str]]) -> None:
        """Does something time and again; of what fails it warns, but not each second of the same."""
        before: set[str] = set()
        while not self._stopped.wait(PERIOD):
            try:
                log = self._session.writer()
                try:
                    failures = work(log)
                finally:
                    log.close()
            except EXPECTED as error:
                failures = {repr(error)}
            for failure in failures - before:
                self._session.warn("what is due cannot be done", why=failure)
            before = failures

    def act(self, log: Database) -> set[str]:
        """Acts for seats whose time is out; gives what failed."""
        done, failed = act(self._session, log, programs=self._programs)
        if done:
            self._acted()
        return {f"{game}: {error}" for game, error in failed}

    def deliver(self, log: Database) -> set[str]:
        """Delivers notices; those that fail are warned of one by one."""
        deliver_notices(self._session, log)
        return set()

    def stop(self) -> None:
        """Stops it, once what it is doing is done."""
        self._stopped.set()
        for thread in self._threads:
            thread.join(_GRACE)
