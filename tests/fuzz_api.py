"""Schemathesis on the server's own description, as a seat and as the owner: `python -m tests.fuzz_api [EXAMPLES]`.

It comes with the extra `fuzz-api`, which the tests go without. The stream, which does not end, is left out.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from cli.inviting import new_token
from cli.session import now
from engines.creation import Wish, create
from engines.registry import game_of
from tests.lively_games import opened
from tests.served import Thread

CLOSE = "/api/g/{game}/close"
CONFIG = Path(__file__).with_name("schemathesis.toml")


def fuzz(url: str, token: str, examples: str, *words: str) -> int:
    """Runs it with one token and gives its exit code."""
    command = [
        *(str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(CONFIG)),
        *("run", f"{url}/openapi.json", "--header", f"Authorization: Bearer {token}"),
        *("--phases", "coverage,fuzzing", "--max-examples", examples, *words),
    ]
    return subprocess.run(command, check=False).returncode


def main(examples: str) -> int:
    """Runs it with each token, the end of the game last."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "games.db")
        log = opened(path)
        wish = Wish(game_of("power-vacuum"), ("ada", "bot:random"))
        create(log, wish, "g1", now=now(), secret=lambda: "salt")
        seat, owner = (new_token(log, "g1", *who, now()) for who in (("seat", 0), ("owner", None)))
        log.close()
        with Thread(path) as url:
            left_out = ("--exclude-path", "/api/g/{game}/events", "--exclude-path", CLOSE)
            codes = [fuzz(url, token, examples, *left_out) for token in (seat, owner)]
            return max(*codes, fuzz(url, seat, examples, "--include-path", CLOSE))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1] if len(sys.argv) > 1 else "50"))
