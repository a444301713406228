"""`python -m benchmarks.serving [load | kills]`: a server, many who watch and play, and what became of it.

`load`: games with streams that watch them, moves at a steady rate; how long a move takes, and how long until
everybody who watches has it. `kills`: the server is killed while it makes a move, started again, killed again,
while two players and a command that follows go on as the command line does. Afterwards each log is held to its
chain, to what was acknowledged, and to what was watched.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import urlsplit
from uuid import uuid4

from benchmarks.tables import reader, writer
from cli.connection import Connection
from cli.inviting import new_token
from cli.session import now, secret
from engines.creation import create
from engines.registry import game_of
from engines.table import Table
from events.errors import Unreachable
from replays.verifying import verify
from replays.wishes import CreateLine, wish_of

SLUGS = ("power-vacuum", "venusian-vegas", "half-lifed", "lairs", "theory-of-power", "evangelists")
TURNLOG = str(Path(sys.executable).with_name("turnlog"))

#: A line of a stream has at most so many bytes.
LONGEST = 1 << 24


class Served(NamedTuple):
    """A game: the tokens of its seats by name, and that of a spectator."""

    game: str
    seats: dict[str, str]
    spectator: str


def games(db: Path, count: int, slugs: Sequence[str] = SLUGS) -> list[Served]:
    """So many games of two persons, of all kinds in turn."""
    log = writer(db)
    made: list[Served] = []
    for number in range(count):
        asked = CreateLine(slugs[number % len(slugs)], ("ada", "bo"), seed=str(number))
        table, _ = create(log, wish_of(game_of(asked.slug), asked), f"g{number}", now=now(), secret=secret)
        seats = {name: new_token(log, table.id, "seat", seat, now()) for seat, name in enumerate(table.names)}
        made.append(Served(table.id, seats, new_token(log, table.id, "spectator", None, now())))
    log.close()
    return made


def start(db: Path, port: int = 0) -> tuple[subprocess.Popen[str], str]:
    """A server, once it listens, and its address."""
    process = subprocess.Popen(
        [TURNLOG, "--db", str(db), "serve", "--port", str(port), "--rate", "10000", "--json"],
        stdout=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    return process, json.loads(process.stdout.readline())["url"]


def quantiles(seconds: Sequence[float]) -> str:
    """The median, the 99th hundredth and the most, in milliseconds."""
    hundredths = statistics.quantiles(seconds, n=100, method="inclusive")
    p50, p99, most = (1000 * one for one in (hundredths[49], hundredths[98], max(seconds)))
    return f"p50 {p50:.1f} ms, p99 {p99:.1f} ms, at most {most:.1f} ms"


# load ---------------------------------------------------------------------------------------------------


class Watcher:
    """A stream that is read as it comes: what it was told, and when."""

    def __init__(self, served: Served) -> None:
        self.served = served
        self.told: dict[int, float] = {}
        self.order: list[int] = []

    async def watch(self, host: str, port: int) -> None:
        """Reads until the stream ends."""
        reader_, writer_ = await asyncio.open_connection(host, port, limit=LONGEST)
        writer_.write(
            f"GET /api/g/{self.served.game}/events HTTP/1.1\r\nHost: {host}\r\n"
            f"Authorization: Bearer {self.served.spectator}\r\n\r\n".encode()
        )
        if not (status := await reader_.readline()).startswith(b"HTTP/1.1 200"):
            raise RuntimeError(f"{status!r} {await reader_.read()!r}")
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            while line := await reader_.readline():
                if line.startswith(b"id: "):
                    seq = int(line[4:])
                    self.told[seq] = time.perf_counter()
                    self.order.append(seq)
        writer_.close()


async def ask(host: str, port: int, token: str, method: str, path: str, body: Any = None) -> Any:
    """One request, on a connection of its own as a command has; the answer's document."""
    reader_, writer_ = await asyncio.open_connection(host, port, limit=LONGEST)
    sent = b"" if body is None else json.dumps(body).encode()
    writer_.write(
        f"{method} {path} HTTP/1.1\r\nHost: {host}\r\nAuthorization: Bearer {token}\r\nConnection: close\r\n"
        f"Content-Type: application/json\r\nIdempotency-Key: {uuid4()}\r\n"
        f"Content-Length: {len(sent)}\r\n\r\n".encode()
        + sent
    )
    head = await reader_.readuntil(b"\r\n\r\n")
    document = json.loads(await reader_.read())
    writer_.close()
    if not head.startswith(b"HTTP/1.1 200"):
        raise RuntimeError(f"{method} {path}: {document}")
    return document


class Load:
    """Moves at a steady rate in games that are watched."""

    def __init__(self, served: list[Served], url: str, watchers: int, seed: int = 1) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None
        assert parts.port is not None
        self.host, self.port = parts.hostname, parts.port
        self.served = served
        self.watchers = [Watcher(served[number % len(served)]) for number in range(watchers)]
        self.answered: dict[str, dict[int, float]] = defaultdict(dict)
        self.took: list[float] = []
        self.late = 0
        self._chance = random.Random(seed)  # noqa: S311 -- stands in for players
        self._idle = list(served)

    async def move(self, one: Served) -> None:
        """A random move of whoever is to move; in a game that is over none."""
        where = (self.host, self.port)
        path = f"/api/g/{one.game}"
        shown = await ask(*where, one.spectator, "GET", path)
        if not shown["to_move"]:
            return
        token = one.seats[shown["to_move"][0]]
        moves = (await ask(*where, token, "GET", f"{path}/moves"))["moves"]
        move = self._chance.choice(moves)
        begun = time.perf_counter()
        done = await ask(*where, token, "POST", f"{path}/play", {"move": move.split()})
        ended = time.perf_counter()
        self.took.append(ended - begun)
        for event in done["events"]:
            self.answered[one.game][event["seq"]] = begun
        self._idle.append(one)

    async def run(self, rate: float, seconds: float) -> None:
        """Plays so many moves a second for so long."""
        watching = [asyncio.create_task(one.watch(self.host, self.port)) for one in self.watchers]
        while not all(one.told for one in self.watchers):
            for task in watching:
                if task.done():
                    raise RuntimeError("a stream ended before it told anything") from task.exception()
            await asyncio.sleep(0.1)
        print(f"{len(watching)} streams watch {len(self.served)} games", flush=True)
        playing: set[asyncio.Task[None]] = set()
        begun = time.perf_counter()
        for number in range(round(rate * seconds)):
            due = begun + number / rate
            if (wait := due - time.perf_counter()) > 0:
                await asyncio.sleep(wait)
            if not self._idle:
                self.late += 1
                continue
            one = self._idle.pop(self._chance.randrange(len(self._idle)))
            task = asyncio.create_task(self.move(one))
            playing.add(task)
            task.add_done_callback(playing.discard)
        await asyncio.gather(*playing)
        await asyncio.sleep(2)
        for task in watching:
            task.cancel()
        await asyncio.gather(*watching, return_exceptions=True)


def load(count: int, watchers: int, rate: float, seconds: float) -> None:
    """Runs it and tells the figures."""
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "games.db"
        served = games(db, count)
        process, url = start(db)
        try:
            run = Load(served, url, watchers)
            asyncio.run(run.run(rate, seconds))
        finally:
            process.terminate()
            process.wait()
        told: list[float] = []
        log = reader(db)
        for one in run.watchers:
            last = log.last(one.served.game)
            assert one.order == list(range(1, last + 1)), f"{one.served.game}: {one.order} of {last}"
            told += [one.told[seq] - at for seq, at in run.answered[one.served.game].items()]
        for one in served:
            verify(log, one.game)
            seqs = {row.seq for row in log.rows(one.game)}
            assert set(run.answered[one.game]) <= seqs, f"{one.game}: an acknowledged move is lost"
        kinds = Counter(Table(log, one.game).game.slug for one in served if run.answered[one.game])
        log.close()
    print(f"{len(run.took)} moves in {seconds:g} s, {run.late} that had no game to be made in; {dict(kinds)}")
    print(f"a move, from the request to its answer: {quantiles(run.took)}")
    print(f"from the request until a stream had its event ({len(told)} times): {quantiles(told)}")
    print("no event was lost, doubled or out of order; every acknowledged move stands in a log that is whole")


# kills --------------------------------------------------------------------------------------------------


class Player:
    """A seat that plays at random, with the command line's own connection, and remembers what was acknowledged."""

    def __init__(self, url: str, one: Served, name: str, moving: threading.Event) -> None:
        self.one, self.name = one, name
        self.connection = Connection(url)
        self.acknowledged: dict[str, int] = {}
        self._moving = moving

    def step(self, chance: random.Random) -> bool:
        """Makes a move if it is to move; false when the game is over."""
        path, token = f"/api/g/{self.one.game}", self.one.seats[self.name]
        shown = json.loads(self.connection.ask("GET", path, token=token).content)
        if not shown["to_move"]:
            return False
        if self.name not in shown["to_move"]:
            time.sleep(0.01)
            return True
        moves = json.loads(self.connection.ask("GET", f"{path}/moves", token=token).content)["moves"]
        key = str(uuid4())
        self._moving.set()
        answer = self.connection.ask(
            "POST", f"{path}/play", token=token, body={"move": chance.choice(moves).split()}, key=key
        )
        self.acknowledged[key] = json.loads(answer.content)["events"][0]["seq"]
        return True


class Killed:
    """A server that is killed and started again at its old address."""

    def __init__(self, db: Path) -> None:
        self.db = db
        self.process, self.url = start(db)
        self.kills = 0

    def kill(self) -> None:
        """Kills it and starts it again."""
        self.process.kill()
        self.process.wait()
        self.kills += 1
        self.process, _ = start(self.db, urlsplit(self.url).port or 0)


@contextmanager
def following(url: str, served: Sequence[Served], folder: Path) -> Iterator[list[Path]]:
    """`turnlog log --follow` of each game; the files that it writes."""
    files = [folder / f"{one.game}.followed" for one in served]
    with_output = [(one, file.open("w")) for one, file in zip(served, files, strict=True)]
    processes = [
        subprocess.Popen(
            [TURNLOG, "log", one.game, "--follow", "--json", "--server", url],
            env={"TURNLOG_TOKEN": one.spectator, "PATH": "", "HOME": str(folder)},
            stdout=output,
        )
        for one, output in with_output
    ]
    try:
        yield files
    finally:
        for process in processes:
            process.terminate()
            process.wait()
        for _, output in with_output:
            output.close()


def kills(count: int, seed: int = 1) -> None:
    """Kills the server so often in mid-move, and holds everybody to one history."""
    chance = random.Random(seed)  # noqa: S311 -- stands in for players
    with tempfile.TemporaryDirectory() as folder:
        db = Path(folder) / "games.db"
        served = games(db, 4, ("theory-of-power", "power-vacuum"))
        killed = Killed(db)
        moving, over = threading.Event(), threading.Event()
        players = [Player(killed.url, one, name, moving) for one in served for name in one.seats]
        faults: list[BaseException] = []

        def play(player: Player, seed: int) -> None:
            mine = random.Random(seed)  # noqa: S311 -- stands in for players
            while not over.is_set():
                try:
                    if not player.step(mine):
                        return
                except Unreachable:  # nothing was asked
                    continue
                except BaseException as error:
                    faults.append(error)
                    return

        with following(killed.url, served, Path(folder)) as files:
            threads = [
                threading.Thread(target=play, args=(player, number)) for number, player in enumerate(players)
            ]
            for thread in threads:
                thread.start()
            while killed.kills < count and any(thread.is_alive() for thread in threads):
                moving.clear()
                if moving.wait(10):
                    time.sleep(chance.uniform(0, 0.02))
                    killed.kill()
            over.set()
            for thread in threads:
                thread.join()
            wanted = {file: _last(db, one.game) for file, one in zip(files, served, strict=True)}
            deadline = time.monotonic() + 60
            while any(_seqs(file)[-1:] != [last] for file, last in wanted.items()) and time.monotonic() < deadline:
                time.sleep(0.2)
            for file, last in wanted.items():
                assert _seqs(file) == list(range(1, last + 1)), f"{file.name}: {_seqs(file)} of {last}"
        killed.process.terminate()
        killed.process.wait()
        assert not faults, faults
        log = reader(db)
        made = 0
        for one in served:
            verify(log, one.game)
            at = {row.request: row.seq for row in log.rows(one.game) if row.request is not None}
            acknowledged = {
                key: seq for player in players if player.one is one for key, seq in player.acknowledged.items()
            }
            assert at == acknowledged, f"{one.game}: {at} but acknowledged {acknowledged}"
            made += len(at)
        log.close()
    print(
        f"{killed.kills} kills in mid-move, {made} moves: each made once and acknowledged, followed without a gap"
    )


def _last(db: Path, game: str) -> int:
    log = reader(db)
    try:
        return log.last(game)
    finally:
        log.close()


def _seqs(file: Path) -> list[int]:
    return [json.loads(line)["seq"] for line in file.read_text().splitlines(keepends=True) if line.endswith("\n")]


def main() -> None:
    """Runs what is asked for."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.serving")
    commands = parser.add_subparsers(dest="what", required=True)
    loading = commands.add_parser("load")
    loading.add_argument("--games", type=int, default=200)
    loading.add_argument("--streams", type=int, default=1000)
    loading.add_argument("--rate", type=float, default=50)
    loading.add_argument("--seconds", type=float, default=120)
    killing = commands.add_parser("kills")
    killing.add_argument("--kills", type=int, default=100)
    said = parser.parse_args()
    if said.what == "load":
        load(said.games, said.streams, said.rate, said.seconds)
    else:
        kills(said.kills)


if __name__ == "__main__":
    main()
