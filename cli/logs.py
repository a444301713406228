"""The program's own log: warnings to stderr, and JSON lines where `--log-file` says."""

import logging
import sys
from typing import TYPE_CHECKING, Any

import structlog

if TYPE_CHECKING:
    from cli.session import Session

LEVELS = ("debug", "info", "warning", "error")


class _Appended:
    """A file that each line is appended to, and that is open no longer than that."""

    def __init__(self, path: str) -> None:
        self._path = path

    def write(self, text: str) -> None:
        """Appends a text."""
        with open(self._path, "a", encoding="utf-8") as file:
            file.write(text)

    def flush(self) -> None:
        """Nothing is held back."""


def logger(session: "Session") -> Any:
    """A logger that writes as the session asks."""
    if session.log_file is None:
        renderer: Any = structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty() and session.colour)
        stream: Any = sys.stderr
    else:
        renderer = structlog.processors.JSONRenderer()
        stream = _Appended(session.log_file)

    def stamped(_: Any, __: str, event: Any) -> Any:
        event["at"] = session.clock()
        return event

    return structlog.wrap_logger(
        structlog.WriteLogger(stream),
        processors=[structlog.processors.add_log_level, stamped, renderer],
        wrapper_class=structlog.make_filtering_bound_logger(getattr(logging, session.log_level.upper())),
    )
