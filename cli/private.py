"""Files that are the user's alone."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import Any

from msgspec import json


def write_private(file: Path, document: Any) -> None:
    """Writes a document in place of what was there, whole or not at all, for nobody else to read.

    :raises OSError: it cannot be written
    """
    file.parent.mkdir(parents=True, exist_ok=True)
    handle, aside = tempfile.mkstemp(dir=file.parent, prefix=file.name)
    with open(handle, "wb") as opened:
        opened.write(json.format(json.encode(document)) + b"\n")
    os.replace(aside, file)
