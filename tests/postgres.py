"""A PostgreSQL server for the tests: Debian's, in a folder of its own, reached by a socket in it only.

All workers of a run share it. Whoever needs it first starts it, and a watcher that ends it when the run is over,
however that ends. Where PostgreSQL is not installed its tests are skipped, but not in continuous integration.
"""

from __future__ import annotations

import fcntl
import os
import pwd
import subprocess
import tempfile
from glob import glob
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

#: The user who needs a password, and what it is.
CAREFUL, PASSWORD = "careful", "pass word:@/?#%"

_HBA = f"local all {CAREFUL} scram-sha-256\nlocal all all trust\n"
_SETTINGS = "-c listen_addresses= -c fsync=off -c max_connections=60 -c lc_messages=C"
#: Ends the server and takes its folder away when the process that the tests belong to is gone.
_WATCHER = """(while kill -0 "$1" || [ -d "/proc/$1" ]; do sleep 0.3; done
"$2/pg_ctl" -D "$3/data" -m immediate stop; rm -rf "$3") </dev/null >/dev/null 2>&1 &"""


class Postgres:
    """A server whose databases are made one a test."""

    def __init__(self, folder: str, binaries: str) -> None:
        self.folder, self.binaries = folder, binaries
        self._numbers = count(1)

    def url(self, database: str, user: str = "turnlog") -> str:
        """The address of a database."""
        return f"postgresql://{user}@/{database}?host={self.folder}"

    def execute(self, *statements: str, database: str = "postgres") -> list[Any]:
        """What somebody with an SQL tool does; gives the rows of the last statement, if it has any."""
        with psycopg.connect(self.url(database), autocommit=True) as connection:
            for statement in statements:
                done = connection.execute(statement.encode())
            return done.fetchall() if done.description else []

    def new(self, **options: str) -> str:
        """Makes an empty database and gives its name."""
        name = f"t{os.getpid()}_{next(self._numbers)}"
        self.execute(f"create database {name} " + " ".join(f"{key} {value}" for key, value in options.items()))
        return name

    def run(self, program: str, *words: str) -> str:
        """What a program of PostgreSQL's own says."""
        return _as_user([f"{self.binaries}/{program}", *words])

    def restart(self) -> None:
        """Stops the server at once, as if the machine had lost power, and starts it again."""
        self.stop()
        self.start()

    def stop(self) -> None:
        """Stops it in the middle of whatever it does."""
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-m", "immediate", "stop")

    def start(self) -> None:
        """Starts it."""
        options = f"{_SETTINGS} -k {self.folder}"
        self.run("pg_ctl", "-D", f"{self.folder}/data", "-w", "-l", f"{self.folder}/log", "-o", options, "start")


def _user() -> dict[str, Any]:
    """Whom PostgreSQL's programs run as: not as root, which they refuse."""
    if os.geteuid() != 0:
        return {}
    names = {entry.pw_name: entry for entry in pwd.getpwall()}
    entry = names.get("postgres") or names["nobody"]
    return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}


def _as_user(words: list[str]) -> str:
    done = subprocess.run(words, capture_output=True, text=True, cwd="/", check=False, **_user())
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def started(shared: Path, run: int) -> Postgres:
    """The server of this run of tests.

    :param shared: a folder that all workers of the run have
    :param run: the process with whose end the run ends
    """
    found = sorted(glob("/usr/lib/postgresql/*/bin/initdb") + glob("/usr/pgsql-*/bin/initdb"))
    if not found:
        why = "PostgreSQL's programs are not installed in /usr/lib/postgresql (Debian's package: postgresql)"
        if os.environ.get("CI") or os.environ.get("TURNLOG_POSTGRES"):
            pytest.fail(why)
        pytest.skip(why)
    binaries = os.path.dirname(found[-1])
    with open(shared / "postgres.lock", "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        place = shared / "postgres"
        if not place.exists():
            place.write_text(_made(binaries, run))
        return Postgres(place.read_text(), binaries)


def _made(binaries: str, run: int) -> str:
    folder = tempfile.mkdtemp(prefix="turnlog-pg-")
    owner = _user()
    if owner:
        os.chown(folder, owner["user"], owner["group"])
    watching = ["sh", "-c", _WATCHER, "watcher", str(run), binaries, folder]
    subprocess.run(watching, start_new_session=True, check=True, cwd="/", **owner)
    server = Postgres(folder, binaries)
    server.run("initdb", "-D", f"{folder}/data", "-U", "turnlog", "-E", "UTF8", "--locale", "C.UTF-8", "--no-sync")
    Path(folder, "data", "pg_hba.conf").write_text(_HBA)
    server.start()
    server.execute(f"create role {CAREFUL} login password '{PASSWORD}'")
    return folder
