"""What a server does in time, as `tick` does: it acts for seats whose time is out, and delivers notices."""

from __future__ import annotations

from collections.abc import Callable
from threading import Event, Thread

from cli.failures import EXPECTED
from cli.session import Session
from cli.ticking import tick

#: It looks for what is due so often, in seconds.
PERIOD = 1.0
#: When the server stops it waits so long for a notice under way; what breaks off is delivered later.
_GRACE = 5.0


class Clockwork(Thread):
    """A thread that does what is due, until it is stopped. Several servers on one database do each thing once.

    :param acted: called in this thread when something was done in a game
    :param programs: whether programs that were allowed may play their seats
    """

    def __init__(self, session: Session, acted: Callable[[], object], *, programs: bool) -> None:
        super().__init__(name="clockwork", daemon=True)
        self._session, self._acted, self._programs = session, acted, programs
        self._stopped = Event()
        self._failed: set[str] = set()

    def run(self) -> None:
        """Looks for what is due, time and again."""
        while not self._stopped.wait(PERIOD):
            try:
                self._act()
            except EXPECTED as error:
                self._tell_once({repr(error)})

    def _act(self) -> None:
        log = self._session.writer()
        try:
            done = tick(self._session, log, programs=self._programs)
        finally:
            log.close()
        if done.acted:
            self._acted()
        self._tell_once({f"{game}: {error}" for game, error in done.failed})

    def _tell_once(self, failures: set[str]) -> None:
        """Warns of what failed, but not each second of the same."""
        for failure in failures - self._failed:
            self._session.warn("the clock cannot act", why=failure)
        self._failed = failures

    def stop(self) -> None:
        """Stops it, once what it is doing is done."""
        self._stopped.set()
        self.join(_GRACE)
