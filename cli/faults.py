"""Faults of ours: said in one line, with the traceback where `TURNLOG_TRACEBACK` asks for it."""

import os
import sys
import traceback


def report_fault(fault: BaseException) -> None:
    """Says that turnlog itself is at fault. No log was changed by what failed."""
    if os.environ.get("TURNLOG_TRACEBACK"):
        traceback.print_exception(fault)
    place = traceback.extract_tb(fault.__traceback__)[-1] if fault.__traceback__ else None
    where = f" ({os.path.basename(place.filename)}, line {place.lineno})" if place else ""
    sys.stderr.write(
        f"turnlog: a fault of turnlog itself: {type(fault).__name__}: {str(fault)[:300]}{where}\n"
        "  an append is whole or not there at all; TURNLOG_TRACEBACK=1 shows more\n"
    )
