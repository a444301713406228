"""`simulate`: the same games however they are played, counted rightly, kept whole."""

import csv
import gc
import os
import signal
import statistics
import struct
import subprocess
import sys
import threading
import time
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

import cli.simulating
from engines.kit.chance import Chance
from engines.kit.errors import WorkerLost
from engines.parallel import processes
from engines.power_vacuum.bot import BOTS
from engines.registry import all_games
from engines.tally import wilson
from tests.conftest import Turnlog

SEATS = ("-p", "bot:greedy", "-p", "bot:random", "-p", "bot:random")
THREE = ("simulate", "power-vacuum", *SEATS)
PAIR = ("simulate", "power-vacuum", "-p", "bot:random", "-p", "bot:random")


def sheet(turnlog: Turnlog, *words: object) -> list[dict[str, str]]:
    """The lines of the CSV that a simulation prints."""
    return list(csv.DictReader(turnlog.ok(*words, "--csv", "-", "-q").out.splitlines()))


def local_cluster(workers: int) -> AbstractContextManager[Any]:
    """A Dask cluster in this process. Its loop has ten seconds to start in, which a busy machine may not keep."""
    from distributed import LocalCluster

    for _ in range(5):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ResourceWarning)  # where one does not start, what was begun is left
            with suppress(AssertionError):
                return LocalCluster(
                    n_workers=workers,
                    threads_per_worker=1,
                    processes=False,
                    protocol="tcp",
                    dashboard_address=":0",
                )
            gc.collect()
    raise AssertionError("no cluster starts here")


@pytest.fixture(scope="module")
def scheduler() -> Iterator[str]:
    """The address of a Dask scheduler with two workers; a machine that is busy may take its time."""
    import dask

    with pytest.MonkeyPatch.context() as patient, dask.config.set({"distributed.comm.timeouts.connect": "120s"}):
        patient.setattr("engines.cluster.PATIENCE", 120)
        with local_cluster(2) as cluster:
            yield cluster.scheduler_address


# the same games --------------------------------------------------------------------------------------------


def test_the_games_do_not_depend_on_who_plays_them(turnlog: Turnlog, scheduler: str) -> None:
    """One process, two, a cluster, kept or not, kept already: the same moves and results."""
    words = (*THREE, "-n", 24, "--seed", "same")
    alone = turnlog.ok(*words, "--workers", 1, "--csv", "-").out

    for how in (["--workers", 2, "--keep"], ["--dask", scheduler], ["--keep"]):
        assert turnlog.ok(*words, *how, "--csv", "-").out == alone, how
    assert len({line["digest"] for line in csv.DictReader(alone.splitlines())}) == 24


def test_more_games_begin_with_the_fewer_and_another_seed_plays_others(turnlog: Turnlog) -> None:
    """Game n depends on the seed and n alone."""
    few = sheet(turnlog, *PAIR, "-n", 2)

    assert sheet(turnlog, *PAIR, "-n", 4)[:2] == few
    assert turnlog.json(*PAIR, "-n", 2)["digest"] != turnlog.json(*PAIR, "-n", 2, "--seed", "2")["digest"]


def test_a_simulated_game_is_the_one_that_create_plays(turnlog: Turnlog) -> None:
    """`create` with a game's seed plays and ends it as it was counted, and as it was kept."""
    line = sheet(turnlog, *THREE, "-n", 3, "--keep")[2]

    turnlog.ok("create", "power-vacuum", *SEATS, "--seed", line["seed"], "--id", "again")
    kept = f"{turnlog.json(*THREE, '-n', 3, '--keep')['kept']['last']}"

    def moves(game: str) -> list[Any]:
        return [(one["seat"], one["move"], one["facts"]) for one in turnlog.ok("log", game, "--json").lines]

    result = turnlog.json("show", "again")["result"]
    assert moves("again") == moves(kept)
    assert len(moves("again")) == int(line["moves"]) + 1
    assert result == turnlog.json("show", kept)["result"]
    assert list(result["scores"].values()) == [int(line[f"score_{seat}"]) for seat in (1, 2, 3)]


def test_options_sets_and_stacks_are_taken_as_by_create(turnlog: Turnlog, tmp_path: Path) -> None:
    """They change the games; what `create` refuses is refused."""
    stack = turnlog.stack(first_player=["bot:random"])
    stacked = turnlog.json(*THREE, "-n", 2, "--stack", stack)
    optional = turnlog.json(*THREE, "-n", 2, "-o", "first=bot:random")
    assert stacked["digest"] == optional["digest"] != turnlog.json(*THREE, "-n", 2)["digest"]
    bad = tmp_path / "set.toml"
    bad.write_text("x = 1\n")
    assert turnlog(*THREE, "--set", bad).code == 2
    assert turnlog(*THREE, "-o", "colour=red").code == 2


def test_processes_are_started_where_they_pay(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """A short run stays in one process; a long one goes on in as many as there are cores."""
    started: list[int] = []

    def processes(count: int) -> AbstractContextManager[Any]:
        started.append(count)
        return real(count)

    real = cli.simulating.processes
    monkeypatch.setattr(cli.simulating, "processes", processes)
    monkeypatch.setattr(cli.simulating, "cores", lambda: 2)
    short = turnlog.json(*PAIR, "-n", 6)
    assert not started
    monkeypatch.setattr(cli.simulating, "PROBE", -1)
    monkeypatch.setattr(cli.simulating, "WORTH", -1)

    assert turnlog.json(*PAIR, "-n", 6) == short
    assert started == [2]


# the counting ----------------------------------------------------------------------------------------------


def test_the_summary_is_what_the_games_come_to(turnlog: Turnlog) -> None:
    """Counted anew from the CSV: lengths, wins, scores and their interval, of each seat."""
    lines = sheet(turnlog, *THREE, "-n", 30)
    document = turnlog.json(*THREE, "-n", 30)

    moves = [int(line["moves"]) for line in lines]
    assert document["moves"] == {
        "min": min(moves),
        "mean": round(statistics.mean(moves), 1),
        "median": statistics.median(moves),
        "max": max(moves),
        "sd": round(statistics.stdev(moves), 2),
    }
    assert (document["asked"], document["games"], document["stuck"], document["failed"]) == (30, 30, 0, 0)
    for number, seat in enumerate(document["seats"], 1):
        scores = [int(line[f"score_{number}"]) for line in lines]
        winners = [line["winners"].split() for line in lines]
        wins = sum(1 / len(won) for won in winners if str(number) in won)
        half = 1.959964 * statistics.stdev(scores) / 30**0.5
        mean = statistics.mean(scores)
        assert seat["wins"] == pytest.approx(wins, abs=0.005)
        assert seat["share"] == pytest.approx(wins / 30, abs=0.0001)
        assert seat["share_interval"] == pytest.approx(wilson(wins, 30), abs=0.0001)
        assert seat["mean_score"] == pytest.approx(mean, abs=0.005)
        assert seat["mean_score_interval"] == pytest.approx([mean - half, mean + half], abs=0.01)
        assert seat["score"]["median"] == statistics.median(scores)
        assert (seat["score"]["min"], seat["score"]["max"]) == (min(scores), max(scores))
    assert sum(seat["wins"] for seat in document["seats"]) == pytest.approx(30, abs=0.02)


@pytest.mark.parametrize(
    ("wins", "games", "interval"),
    [(8, 10, (0.4902, 0.9433)), (0, 10, (0.0, 0.2775)), (10, 10, (0.7225, 1.0))],
)
def test_the_interval_of_a_share_is_wilsons(wins: int, games: int, interval: tuple[float, float]) -> None:
    """As tables of it have it."""
    assert wilson(wins, games) == pytest.approx(interval, abs=0.0001)


def test_rotating_parts_a_bot_from_its_place(turnlog: Turnlog) -> None:
    """Each bot sits everywhere in turn; seats are counted by place, bots by name."""
    lines = sheet(turnlog, *THREE, "-n", 12, "--rotate")
    document = turnlog.json(*THREE, "-n", 12, "--rotate")

    assert [line["name_1"] for line in lines[:4]] == ["bot:greedy", "bot:random", "bot:random", "bot:greedy"]
    assert [seat["name"] for seat in document["seats"]] == ["seat 1", "seat 2", "seat 3"]
    wins: Counter[str] = Counter()
    for line in lines:
        for seat in line["winners"].split():
            wins[line[f"name_{seat}"].partition("#")[0]] += 1 / len(line["winners"].split())  # pyright: ignore
    greedy, chance = document["bots"]
    assert (greedy["name"], greedy["seats"], chance["name"], chance["seats"]) == ("bot:greedy", 1, "bot:random", 2)
    assert greedy["wins"] == pytest.approx(wins["bot:greedy"], abs=0.005)
    assert chance["wins"] == pytest.approx(wins["bot:random"], abs=0.005)
    assert chance["share"] == pytest.approx(wins["bot:random"] / 24, abs=0.0001)
    text = turnlog.ok(*THREE, "-n", 12, "--rotate").out
    assert max(map(len, text.splitlines())) <= 80
    assert [line.split()[0] for line in text.splitlines()[-2:]] == ["bot:greedy", "bot:random"]


def test_a_bot_against_itself_wins_its_fair_share(turnlog: Turnlog) -> None:
    """What its seats win of each other is no evidence: the interval is that of all it won."""
    (bot,) = turnlog.json(*PAIR, "-n", 10)["bots"]

    assert bot["wins"] == 10
    assert bot["share"] == 0.5
    assert bot["share_interval"] == pytest.approx([0.3612, 0.5], abs=0.0001)


def test_speed_is_told_apart_from_the_answer(turnlog: Turnlog) -> None:
    """On stderr, and not with --quiet."""
    assert " moves a second" in turnlog.ok(*PAIR, "-n", 2).err
    assert turnlog.ok(*PAIR, "-n", 2, "-q").err == ""


# files -----------------------------------------------------------------------------------------------------


def test_a_csv_file_holds_no_formula_and_replaces_nothing(turnlog: Turnlog, tmp_path: Path) -> None:
    """A text that a spreadsheet would run is written with an apostrophe."""
    path = tmp_path / "games.csv"
    words = (*PAIR, "-n", 2, "--seed", "=1+1", "--csv", path)

    turnlog.ok(*words)

    first, *lines = path.read_text().splitlines()
    assert first == "number,seed,moves,reason,winners,digest,name_1,score_1,name_2,score_2"
    assert [line.split(",")[1] for line in lines] == ["'=1+1/0", "'=1+1/1"]
    assert "exists already" in turnlog(*words).err
    assert turnlog(*PAIR, "--csv", tmp_path / "no" / "x.csv").code == 2
    assert turnlog(*PAIR, "--csv", "-", "--json").code == 2


def test_the_picture_shows_the_games(turnlog: Turnlog, tmp_path: Path) -> None:
    """A PNG or an SVG, of seats or, where those rotate, of bots; the same games give the same picture."""
    paths = [tmp_path / name for name in ("a.png", "a.svg", "b.svg", "c.svg")]
    for path, *more in zip(paths, ("-q", "-q", "-q", "--rotate"), strict=True):
        turnlog.ok(*THREE, *more, "-n", 5, "--plot", path)

    assert paths[0].read_bytes().startswith(b"\x89PNG")
    seats, again, bots = (path.read_text() for path in paths[1:])
    assert seats == again
    assert "<!-- bot:random#2 -->" in seats
    assert "<!-- bot:random -->" in bots
    assert "<!-- bot:random#2 -->" not in bots
    assert turnlog(*THREE, "--plot", paths[0]).code == 2
    assert turnlog(*THREE, "--plot", tmp_path / "a.gif").code == 2


@pytest.mark.parametrize(
    ("words", "module", "extra"),
    [
        (("--plot", "x.png"), "matplotlib", "turnlog[plot]"),
        (("--dask", "tcp://127.0.0.1:1"), "distributed", "turnlog[dask]"),
    ],
    ids=["plot", "dask"],
)
def test_a_missing_extra_is_named(
    turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch, words: tuple[str, ...], module: str, extra: str
) -> None:
    """It says what to install, before any game is played."""
    monkeypatch.delitem(sys.modules, "cli.plotting", raising=False)
    monkeypatch.setitem(sys.modules, module, None)

    answer = turnlog(*PAIR, *words)

    assert answer.code == 2
    assert f"pip install '{extra}'" in answer.err
    assert not Path("x.png").exists()


# keeping ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", [game.slug for game in all_games()])
def test_kept_games_are_whole(turnlog: Turnlog, slug: str) -> None:
    """They verify, the rules make them again, and the lists are those that `rebuild` makes."""
    words = ("simulate", slug, "-p", "bot:random", "-p", "bot:random", "-n", 2, "--keep")
    document = turnlog.json(*words)

    kept = document["kept"]
    assert kept["written"] == 2
    assert [row["game"] for row in reversed(turnlog.ok("list", "--json").lines)] == [kept["last"], kept["first"]]
    turnlog.ok("verify", "--all", "--rules")
    answer = turnlog.json("verify", kept["first"], "--rules")
    assert answer["rules"] is None or not answer["rules"].get("difference"), answer
    lists = turnlog.ok("list", "--json").out, turnlog.ok("standings").out
    turnlog.ok("rebuild")
    assert (turnlog.ok("list", "--json").out, turnlog.ok("standings").out) == lists
    again = turnlog.json(*words)
    assert again.pop("kept")["written"] == 0
    assert again == {key: value for key, value in document.items() if key != "kept"}


def test_a_longer_run_goes_on_from_what_was_kept(turnlog: Turnlog) -> None:
    """Only what is not there is played; a note on a kept game changes nothing of the summary."""
    turnlog.ok(*PAIR, "-n", 3, "--keep")
    first = turnlog.json(*PAIR, "-n", 3, "--keep")["kept"]["first"]
    turnlog.ok("note", first, 1, "well played")

    document = turnlog.json(*PAIR, "-n", 5, "--keep")

    assert document["kept"]["written"] == 2
    assert document["digest"] == turnlog.json(*PAIR, "-n", 5)["digest"]
    others = [
        (*PAIR, "-n", 5, "--keep", *more) for more in (["--seed", "2"], ["--rotate"], ["-o", "first=bot:random"])
    ]
    assert [turnlog.json(*words)["kept"]["written"] for words in others] == [5, 5, 5]


def test_another_game_of_a_kept_ones_id_is_a_conflict(turnlog: Turnlog) -> None:
    """It is not counted as one of the plan's."""
    first = turnlog.json(*PAIR, "-n", 1, "--keep", "--db", turnlog.db.with_name("other.db"))["kept"]["first"]
    turnlog.ok("create", "power-vacuum", "-p", "a", "-p", "b", "--id", first)

    answer = turnlog(*PAIR, "-n", 2, "--keep")

    assert answer.code == 4
    assert first in answer.err


# what goes wrong -------------------------------------------------------------------------------------------


def test_a_game_that_fails_is_named_and_the_others_are_counted(
    turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its number, seed and error; nothing of it is kept, and the exit code is 1."""

    def frail(view: Any, seat: int, moves: list[Any], chance: Chance) -> Any:
        if chance.number("frail", 3) == 0:
            raise ValueError("too frail")
        return moves[0]

    monkeypatch.setitem(BOTS, "frail", frail)  # pyright: ignore
    words = ("simulate", "power-vacuum", "-p", "bot:frail", "-p", "bot:random", "-n", 12, "--keep")
    answer = turnlog(*words, "--json", "-q")

    document = answer.json
    assert answer.code == 1
    assert 1 < document["failed"] < 11
    assert document["games"] + document["failed"] == 12
    failure = document["failures"][0]
    assert failure["error"] == "ValueError: too frail"
    assert failure["seed"] == f"1/{failure['number']}"
    assert document["kept"]["written"] == document["games"] == len(turnlog.ok("list", "--json").lines)
    assert answer.error["code"] == "games-failed"
    assert f"game {failure['number']} (seed {failure['seed']})" in answer.error["message"]


def started(command: Callable[..., list[str]], db: Path, *words: object) -> "subprocess.Popen[str]":
    """A long simulation in a process group of its own, once two games of its two processes have been read."""
    process = subprocess.Popen(
        command(*PAIR, "-n", 100_000, "--workers", 2, "--csv", "-", "--db", db, *words),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stdout is not None
    for _ in range(3):
        process.stdout.readline()
    return process


def read(process: "subprocess.Popen[str]") -> tuple[str, str]:
    """The rest of what it and its processes say, once the last of them has ended."""
    assert process.stdout is not None
    assert process.stderr is not None
    out, err = process.stdout.read(), process.stderr.read()
    process.wait()
    return out, err


def test_an_interrupted_run_tells_what_it_played_and_goes_on_later(
    turnlog: Turnlog, command: Callable[..., list[str]]
) -> None:
    """Ctrl-C, which all its processes get, leaves whole games and whole lines."""
    with started(command, turnlog.db, "--keep") as process:
        os.killpg(process.pid, signal.SIGINT)
        out, err = read(process)

    assert process.returncode == 130
    assert "Traceback" not in err
    told, interrupted = err.strip().splitlines()[-2:]
    numbers = [0, 1, *(int(line.partition(",")[0]) for line in out.splitlines())]
    assert numbers == list(range(len(numbers)))
    counted = int(told.partition(" games in ")[0])
    assert interrupted == f"turnlog: interrupted after {counted} of 100000 games"
    turnlog.ok("verify", "--all")
    kept = len(turnlog.ok("list", "--json").lines)
    assert len(numbers) <= counted <= kept <= len(numbers) + 1  # one may have been on its way
    document = turnlog.json(*PAIR, "-n", kept + 2, "--keep")
    assert document["kept"]["written"] == 2


def test_a_killed_run_takes_its_processes_with_it(turnlog: Turnlog, command: Callable[..., list[str]]) -> None:
    """None goes on, holding the output open."""
    with started(command, turnlog.db) as process:
        process.kill()
        read(process)

    assert process.returncode == -signal.SIGKILL


def test_a_killed_worker_ends_the_run(turnlog: Turnlog, command: Callable[..., list[str]]) -> None:
    """What came before is told, and that it was killed."""
    with started(command, turnlog.db) as process:
        for child in psutil.Process(process.pid).children():
            if "spawn_main" in " ".join(child.cmdline()):
                child.kill()
        _, err = read(process)

    assert process.returncode == 1
    assert " games in " in err
    assert "a process that played games was killed" in err
    assert "Traceback" not in err


def torn() -> None:
    """In a worker: begins to answer, and is killed."""
    pipe = sys._getframe(1).f_locals["pipe"]
    os.write(pipe.fileno(), struct.pack("!i", 1 << 20))
    os.kill(os.getpid(), signal.SIGKILL)


def test_a_worker_that_is_killed_in_mid_answer_ends_the_run() -> None:
    """Nobody waits for the rest of what it began to say, and the other worker is stopped."""

    def played() -> None:
        with processes(2) as pool:
            pool.submit(time.sleep, 600)
            pool.submit(torn).result()

    with pytest.raises(WorkerLost):
        played()


def test_a_cluster_that_is_not_there_is_refused(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """No scheduler, no address at all: not found."""
    monkeypatch.setattr("engines.cluster.PATIENCE", 1)
    for address in ("tcp://127.0.0.1:1", "nonsense", ""):
        answer = turnlog(*PAIR, "--dask", address, "--json")
        assert (answer.code, answer.error["code"]) == (5, "no-cluster"), address
    assert turnlog(*PAIR, "--dask", "tcp://127.0.0.1:1", "--workers", 2).code == 2


def test_a_cluster_without_workers_is_refused(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """The message says how to start some."""
    monkeypatch.setattr("engines.cluster.PATIENCE", 0.5)
    with local_cluster(0) as cluster:
        answer = turnlog(*PAIR, "--dask", cluster.scheduler_address)

    assert answer.code == 5
    assert f"dask worker {cluster.scheduler_address}" in answer.err


def test_a_cluster_of_another_version_is_refused(
    turnlog: Turnlog, scheduler: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its games might be others."""
    monkeypatch.setattr(
        "engines.cluster.version",
        lambda name: "9.9" if threading.current_thread() is not threading.main_thread() else "1.0",
    )

    answer = turnlog(*PAIR, "--dask", scheduler)

    assert answer.code == 4
    assert "has turnlog 9.9, this is 1.0" in answer.err
