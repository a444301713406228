"""Programs from outside play seats: they see what their seat sees, and whatever they do, the game goes on."""

import ast
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import psutil
import pytest

from engines.registry import all_games
from tests.conftest import Turnlog

SAMPLE = Path(__file__).parent.parent / "examples" / "bot.py"

#: The beginning of each program here: it greets unless told otherwise, and notes that it was started.
PRELUDE = """#!{python} -IS
import json, os, sys, time
def ask():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit()
def say(answer):
    print(json.dumps(answer), flush=True)
with open(__file__ + ".started", "a") as started:
    started.write("once\\n")
"""
GREETS = "ask(); say({'turnlog': 1})\n"
FIRST = "while 1: say({'move': ask()['moves'][0]})\n"


class Programs:
    """Programs written for a test, in a folder of their own."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, source: str) -> str:
        """Makes a program and gives its path."""
        path = self.folder / name
        path.write_text(PRELUDE.format(python=sys.executable) + source)
        path.chmod(0o755)
        return str(path)

    def starts(self, name: str) -> int:
        """How often it was started."""
        noted = self.folder / f"{name}.started"
        return len(noted.read_text().splitlines()) if noted.exists() else 0


@pytest.fixture
def programs(tmp_path: Path) -> Programs:
    """Where programs are written."""
    folder = tmp_path / "bots"
    folder.mkdir()
    return Programs(folder)


@pytest.fixture
def good(programs: Programs) -> str:
    """A program that plays the first legal move."""
    return programs.write("good", GREETS + FIRST)


def duel(turnlog: Turnlog, program: str, game: str = "g", seed: object = 1) -> None:
    """A game in which lucia is to move, and the program after her."""
    turnlog.ok(
        "create", "power-vacuum", "-p", "lucia", "-p", f"exec:{program}", "-o", "first=lucia", "--seed", seed,
        "--id", game,
    )  # fmt: skip


def lucia_plays(turnlog: Turnlog, game: str = "g") -> Any:
    """Plays the first legal move of lucia, and gives the answer."""
    return turnlog.json("play", game, turnlog.json("moves", game, "--as", "lucia")["moves"][0], "--as", "lucia")


def remarks(answer: Any) -> list[str]:
    """What is remarked in an answer."""
    return [event["remark"] for event in answer["events"] if "remark" in event]


# whole games ---------------------------------------------------------------------------------------------


def test_the_sample_is_short_and_stands_alone() -> None:
    """At most 30 lines of Python that import nothing but Python's own."""
    source = SAMPLE.read_text()
    imported = {
        name.name for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import) for name in node.names
    }

    assert len(source.splitlines()) <= 30
    assert imported <= sys.stdlib_module_names
    assert "ImportFrom" not in ast.dump(ast.parse(source))


@pytest.mark.parametrize("slug", [game.slug for game in all_games()])
def test_the_sample_plays_each_game_to_its_end(turnlog: Turnlog, slug: str) -> None:
    """A whole game of programs in one command: no move is forfeited, and the log is whole."""
    command = f"exec:{sys.executable} -IS {SAMPLE}"

    made = turnlog.json("create", slug, "-p", command, "-p", command, "--id", "g", "--seed", 1)

    assert made["result"] is not None
    assert remarks(made) == []
    created = made["events"][0]["created"]
    assert created["seats"][:2] == ["exec:bot.py", "exec:bot.py#2"]
    assert str(SAMPLE.parent) not in json.dumps(turnlog.ok("export", "g").out)
    turnlog.ok("verify", "g", "--rules")


@pytest.mark.parametrize("slug", [game.slug for game in all_games()])
def test_a_program_is_handed_what_its_seat_sees(turnlog: Turnlog, programs: Programs, slug: str) -> None:
    """Each question has the view of `show --json` and the moves of `moves --json` for its seat, at that event."""
    program = programs.write(
        "nosy",
        GREETS + "with open(__file__ + '.asked', 'a') as asked:\n"
        "    for line in sys.stdin:\n"
        "        asked.write(line); asked.flush()\n"
        "        moves = json.loads(line)['moves']\n"
        "        say({'move': moves[len(moves) // 2]})\n",
    )
    turnlog.ok("create", slug, "-p", f"exec:{program}", "-p", "bot:random", "--id", "g", "--seed", 3)
    questions = [json.loads(line) for line in Path(program + ".asked").read_text().splitlines()]
    assert len(questions) > 3
    assert len({question["chance"] for question in questions}) == len(questions)

    for question in questions[:4] + questions[4::20]:
        at = ("--as", "exec:nosy", "--at", question["seq"])
        shown, moves = turnlog.json("show", "g", *at), turnlog.json("moves", "g", *at)
        rest = {"options", "seconds", "chance"}
        assert question.keys() == (shown.keys() | moves.keys() | rest) - {"as", "result"}
        assert {key: question[key] for key in shown.keys() & question.keys()} == {
            key: shown[key] for key in shown.keys() & question.keys()
        }
        assert {key: question[key] for key in moves} == moves


def test_a_program_learns_no_hidden_card(turnlog: Turnlog, programs: Programs) -> None:
    """All that a program is sent while lucia holds her cards names none of them, nor the seed."""
    program = programs.write(
        "nosy",
        "with open(__file__ + '.asked', 'a') as asked:\n"
        "    for line in sys.stdin:\n"
        "        asked.write(line); asked.flush()\n"
        "        question = json.loads(line)\n"
        "        say({'turnlog': 1} if 'moves' not in question else {'move': question['moves'][0]})\n",
    )
    duel(turnlog, program, seed="a seed of its own")
    for _ in range(4):
        lucia_plays(turnlog)
    sent = Path(program + ".asked").read_text()
    hidden = turnlog.view("g", "lucia")["hand"]

    assert len(hidden) >= 3
    assert sent.count('"moves"') >= 3
    assert [card for card in hidden if re.search(rf"\b{card}\b", sent)] == []
    open_to_it = turnlog.view("g", "exec:nosy")["hand"]
    assert [card for card in open_to_it if not re.search(rf"\b{card}\b", sent)] == []
    assert "a seed of its own" not in sent


# one that fails ------------------------------------------------------------------------------------------

LATE = "no answer within 0.2 s"
ENDED = "it ended without an answer"
NO_FORM = "its answer is not of the form of an answer"
TOO_LONG = "its answer is longer than 1000000 bytes"
ILLEGAL = "its move is not legal"
NO_VERSION = "it does not speak version 1 of the protocol"

MISBEHAVIOUR = {
    "crashes-at-start": ("sys.exit(3)", ENDED),
    "crashes-when-asked": (GREETS + "ask(); 1 / 0", ENDED),
    "sleeps": (GREETS + "time.sleep(60)", LATE),
    "sleeps-at-start": ("time.sleep(60)", LATE),
    "dribbles": (GREETS + "while 1: sys.stdout.write('x'); sys.stdout.flush(); time.sleep(0.01)", LATE),
    "talks-nonsense": (GREETS + "ask(); print('hello', flush=True); time.sleep(60)", NO_FORM),
    "no-text": (GREETS + "ask(); say({'move': 7}); time.sleep(60)", NO_FORM),
    "no-move": (GREETS + "ask(); say({'moves': 'play R7'}); time.sleep(60)", NO_FORM),
    "nested": (GREETS + "ask(); print('[' * 100000, flush=True); time.sleep(60)", NO_FORM),
    "no-utf8": (GREETS + 'ask(); os.write(1, b\'{"move":"\\xff"}\\n\'); time.sleep(60)', NO_FORM),
    "surrogate": (GREETS + 'ask(); os.write(1, b\'{"move":"\\\\ud800"}\\n\'); time.sleep(60)', NO_FORM),
    "dies-while-writing": (GREETS + 'ask(); os.write(1, b\'{"move":"pla\')', NO_FORM),
    "illegal": (GREETS + "while ask(): say({'move': 'play Z9'})", ILLEGAL),
    "empty": (GREETS + "while ask(): say({'move': ''})", ILLEGAL),
    "broken-quotation": (GREETS + 'while ask(): say({"move": \'play "\\\\x"\'})', ILLEGAL),
    "codes": (GREETS + "while ask(): say({'move': 'play \\x1b[31m' + 'x' * 5000})", ILLEGAL),
    "huge-line": (GREETS + "ask(); print('x' * 3_000_000, flush=True); time.sleep(60)", TOO_LONG),
    "endless-line": (GREETS + "ask()\nwhile 1: os.write(1, b'x' * 65536)", TOO_LONG),
    "other-version": ("ask(); say({'turnlog': 2})\n" + FIRST, NO_VERSION),
    "no-greeting": ("while ask(): say({'move': ''})", NO_VERSION),
    "closes-its-input": ("ask(); os.close(0); say({'turnlog': 1}); time.sleep(60)", ENDED),
    "closes-its-output": (GREETS + "os.close(1); ask(); time.sleep(60)", ENDED),
}


@pytest.mark.parametrize(("source", "why"), MISBEHAVIOUR.values(), ids=MISBEHAVIOUR)
def test_a_program_that_fails_forfeits_its_move(
    turnlog: Turnlog, programs: Programs, monkeypatch: pytest.MonkeyPatch, source: str, why: str
) -> None:
    """A random legal move is made for it; the log and the answer say why."""
    if why == LATE:
        monkeypatch.setenv("TURNLOG_BOT_TIME", "0.2")
    duel(turnlog, programs.write("bad", source))

    played = lucia_plays(turnlog)

    said = f"exec:bad forfeits its move ({why}); a random one is played."
    assert remarks(played)[0] == said
    forfeited = next(event for event in played["events"] if "remark" in event)
    assert (forfeited["seat"], forfeited["by"]) == ("exec:bad", "bot")
    legal = turnlog.json("moves", "g", "--as", "exec:bad", "--at", forfeited["seq"] - 1)["moves"]
    assert forfeited["move"] in legal
    assert said in " ".join(turnlog.ok("log", "g").out.split())


def test_the_random_move_is_the_same_again(turnlog: Turnlog, programs: Programs) -> None:
    """A whole game of forfeits depends on its seed alone, and is one of random moves."""
    program = programs.write("bad", "ask(); say({'turnlog': 2})")

    def played(seed: int) -> list[Any]:
        line = ("create", "power-vacuum", "-p", f"exec:{program}", "-p", "bot:random", "--seed", seed)
        return [event["move"] for event in turnlog.json(*line)["events"]]

    assert played(1) == played(1) != played(2)


def test_a_program_that_crashes_now_and_then_forfeits_those_moves_only(
    turnlog: Turnlog, programs: Programs
) -> None:
    """It is started again for the move after; one that answers in between is asked for the whole game."""
    program = programs.write("frail", GREETS + "for _ in range(2): say({'move': ask()['moves'][0]})\nask()\n")

    made = turnlog.json("create", "power-vacuum", "-p", f"exec:{program}", "-p", "bot:random", "--id", "g")

    moves = [event for event in made["events"] if event["seat"] == "exec:frail"]
    assert made["result"] is not None
    assert [("remark" in event) for event in moves] == [number % 3 == 2 for number in range(len(moves))]
    assert {event["remark"] for event in moves if "remark" in event} == {
        f"exec:frail forfeits its move ({ENDED}); a random one is played."
    }
    assert programs.starts("frail") == (len(moves) + 2) // 3


@pytest.mark.parametrize(
    ("source", "starts", "why"),
    [
        pytest.param("sys.exit()", 3, "it failed 3 times in a row and is not asked again", id="crashes"),
        pytest.param("ask(); say({'turnlog': 9})", 1, NO_VERSION, id="version"),
    ],
)
def test_a_program_that_only_fails_is_not_started_for_ever(
    turnlog: Turnlog, programs: Programs, source: str, starts: int, why: str
) -> None:
    """A whole game is played for it, with so many starts."""
    program = programs.write("bad", source)

    made = turnlog.json("create", "power-vacuum", "-p", f"exec:{program}", "-p", "bot:random", "--id", "g")

    moves = [event for event in made["events"] if event["seat"] == "exec:bad"]
    assert len(remarks(made)) == len(moves) > starts
    assert remarks(made)[-1] == f"exec:bad forfeits its move ({why}); a random one is played."
    assert programs.starts("bad") == starts


def test_a_forfeit_is_told_wherever_the_game_is(turnlog: Turnlog, programs: Programs, tmp_path: Path) -> None:
    """In `play`, log, replay, report, page, transcript, a seat's log, and after an import elsewhere."""
    duel(turnlog, programs.write("bad", "sys.exit(1)"))
    move = turnlog.json("moves", "g")["moves"][0]
    said = f"exec:bad forfeits its move ({ENDED}); a random one is played."

    def words(text: str) -> str:
        return " ".join(text.replace("\\", "").replace("#", " ").split())

    assert said in words(turnlog.ok("play", "g", move).out)
    for command in (
        ["log", "g"],
        ["log", "g", "--as", "lucia", "--json"],
        ["replay", "g", "--plain"],
        *(["export", "g", "--format", form] for form in ("jsonl", "markdown", "html", "transcript")),
        ["export", "g", "--format", "jsonl", "--as", "lucia"],
    ):
        assert said in words(turnlog.ok(*command).out), command
    file = tmp_path / "game.jsonl"
    file.write_text(turnlog.ok("export", "g").out)
    elsewhere = ("--db", tmp_path / "other.db")
    turnlog.ok("import", file, *elsewhere)
    assert said in words(turnlog.ok("log", "g", *elsewhere).out)


def test_a_program_sees_how_a_move_may_be_typed(turnlog: Turnlog, programs: Programs) -> None:
    """An answer is read as a person's text is: capitals do not matter."""
    program = programs.write("loud", GREETS + "while 1: say({'move': ask()['moves'][0].upper(), 'why': 'so'})\n")
    duel(turnlog, program)

    assert remarks(lucia_plays(turnlog)) == []


@pytest.mark.parametrize("said", ["0", "-1", "soon", "nan", "1e9"])
def test_the_time_for_an_answer_is_a_number_of_seconds(
    turnlog: Turnlog, good: str, monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    """Nothing else is taken from TURNLOG_BOT_TIME."""
    monkeypatch.setenv("TURNLOG_BOT_TIME", said)

    refused = turnlog("create", "power-vacuum", "-p", "lucia", "-p", f"exec:{good}", "--json")

    assert (refused.code, refused.error["code"]) == (2, "bad-setup")
    assert "TURNLOG_BOT_TIME" in refused.error["message"]


# its process ---------------------------------------------------------------------------------------------


def test_one_process_serves_a_command(turnlog: Turnlog, programs: Programs, good: str) -> None:
    """A game's moves, and a simulation's games, are all asked of one process a seat."""
    turnlog.ok("create", "power-vacuum", "-p", f"exec:{good}", "-p", "bot:random", "--id", "g")
    assert programs.starts("good") == 1

    def simulated(program: str) -> Any:
        words = ("simulate", "power-vacuum", "-p", program, "-p", "bot:random", "-n", 3, "--workers", 1)
        return turnlog.json(*words)

    first = simulated(f"exec:{good}")
    assert programs.starts("good") == 2
    assert first == simulated("exec:good")


def test_what_was_started_is_gone_after_the_command(turnlog: Turnlog, programs: Programs, tmp_path: Path) -> None:
    """The program, and a process that it started: nobody holds the pipe open any more."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    reading = os.open(pipe, os.O_RDONLY | os.O_NONBLOCK)
    program = programs.write(
        "breeder",
        f"held = os.open({str(pipe)!r}, os.O_WRONLY)\n"
        "os.write(held, b'here')\n"
        "if os.fork() == 0: time.sleep(600)\n" + GREETS + FIRST,
    )
    duel(turnlog, program)

    assert remarks(lucia_plays(turnlog)) == []

    os.set_blocking(reading, True)
    assert os.read(reading, 100) == b"here"
    assert os.read(reading, 100) == b""
    os.close(reading)


def test_an_interrupt_ends_the_program_and_writes_nothing(
    turnlog: Turnlog, programs: Programs, tmp_path: Path, command: Callable[..., list[str]]
) -> None:
    """Ctrl-C while a program thinks."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = programs.write(
        "thinker", GREETS + f"held = os.open({str(pipe)!r}, os.O_WRONLY); os.write(held, b'x'); time.sleep(600)\n"
    )
    duel(turnlog, program)
    move = turnlog.json("moves", "g")["moves"][0]
    running = subprocess.Popen(command("play", "g", move), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    with open(pipe, "rb") as reading:
        assert reading.read(1) == b"x"
        running.send_signal(signal.SIGINT)
        out, err = running.communicate()
        assert reading.read() == b""

    assert (running.returncode, out, err) == (130, b"", b"turnlog: interrupted\n")
    assert turnlog.json("show", "g")["seq"] == 1


def test_an_interrupt_while_a_program_is_being_started_ends_it(
    turnlog: Turnlog, programs: Programs, good: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Ctrl-C between its start and the moment when it is known: it does not go on alone."""
    started: list[int] = []

    class Interrupted(subprocess.Popen[bytes]):
        def __init__(self, *words: Any, **how: Any) -> None:
            super().__init__(*words, **how)
            started.append(self.pid)
            signal.raise_signal(signal.SIGINT)

    duel(turnlog, good)
    move = turnlog.json("moves", "g")["moves"][0]
    monkeypatch.setattr("engines.programs.Popen", Interrupted)

    with pytest.raises(KeyboardInterrupt):
        turnlog("play", "g", move)
    assert len(started) == 1
    assert not psutil.pid_exists(started[0])
    assert turnlog.json("show", "g")["seq"] == 1


def test_its_environment_opens_no_games(
    turnlog: Turnlog, programs: Programs, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Neither the database's address nor a token or password is handed on; the rest is."""
    monkeypatch.setenv("TURNLOG_TOKEN", "secret")
    monkeypatch.setenv("PGPASSWORD", "secret")
    monkeypatch.setenv("HARMLESS", "yes")
    told = tmp_path / "environment"
    program = programs.write(
        "curious", GREETS + f"open({str(told)!r}, 'w').write(json.dumps(dict(os.environ)))\n" + FIRST
    )
    duel(turnlog, program)

    assert remarks(lucia_plays(turnlog)) == []

    environment = json.loads(told.read_text())
    assert environment["HARMLESS"] == "yes"
    assert not {"TURNLOG_DB", "TURNLOG_TOKEN", "TURNLOG_TOKENS", "PGPASSWORD"} & set(environment)


def test_its_standard_error_goes_to_our_log_at_its_most_talkative(
    turnlog: Turnlog, programs: Programs, tmp_path: Path
) -> None:
    """A flood of it holds nobody up and is cut; unasked it is dropped."""
    program = programs.write(
        "chatty",
        "sys.stderr.write('thinking aloud ' * 100_000)\n" + GREETS + FIRST,
    )
    line = ("create", "power-vacuum", "-p", f"exec:{program}", "-p", "bot:random")
    quiet = turnlog.ok(*line)
    log = tmp_path / "log.jsonl"
    turnlog.ok("--log-level", "debug", "--log-file", log, *line)

    assert (quiet.err, "forfeits" in quiet.out) == ("", False)
    (entry,) = [e for e in map(json.loads, log.read_text().splitlines()) if e["level"] == "debug"]
    assert (entry["seat"], entry["text"][:14]) == ("exec:chatty", "thinking aloud")
    assert len(entry["text"]) == 4000


# simulating ----------------------------------------------------------------------------------------------


def test_a_simulation_with_programs_is_the_same_in_any_number_of_processes(
    turnlog: Turnlog, programs: Programs
) -> None:
    """Each has a program of its own; where one fails, so do no other games than those in which it fails again."""
    program = programs.write(
        "moody",
        GREETS + "while 1:\n"
        "    question = ask()\n"
        "    if question['game'] == 'game-2' or question['chance'] % 50 == 0: sys.exit()\n"
        "    say({'move': question['moves'][question['chance'] % len(question['moves'])]})\n",
    )
    words = ("simulate", "power-vacuum", "-p", f"exec:{program}", "-p", "bot:greedy", "-n", 5, "--rotate", "-q")
    parted = turnlog.json(*words, "--workers", 2)
    kept = turnlog.json(*words, "--workers", 1, "--keep")
    last = kept.pop("kept")["last"]

    assert kept == parted
    assert turnlog.json(*words, "--keep")["bots"] == kept["bots"]
    asked = [line for line in turnlog.ok("log", last, "--json").lines if line["seat"] == "exec:moody"]
    assert sum("remark" in line for line in asked) < len(asked) / 2 < kept["bots"][0]["forfeits"]


def test_a_simulated_program_plays_as_create_lets_it(turnlog: Turnlog, good: str) -> None:
    """A kept game is the one that `create` makes with its seed."""
    seats = ("-p", f"exec:{good}", "-p", "bot:random")
    kept = turnlog.json("simulate", "power-vacuum", *seats, "-n", 1, "--keep")["kept"]["first"]
    turnlog.ok("create", "power-vacuum", *seats, "--seed", "1/0", "--id", "again")

    def facts(game: str) -> list[Any]:
        return [(one["seat"], one["facts"]) for one in turnlog.ok("log", game, "--json").lines]

    assert facts(kept) == facts("again")
    turnlog.ok("verify", kept, "--rules")


def test_forfeits_are_counted_by_a_simulation(turnlog: Turnlog, programs: Programs, good: str) -> None:
    """As many as are remarked in the logs of its games, of each seat and bot; told in the text too."""
    program = programs.write(
        "moody",
        GREETS + "while 1:\n"
        "    question = ask()\n"
        "    say({'move': question['moves'][0] if question['chance'] % 3 else 'no move'})\n",
    )
    words = ("simulate", "power-vacuum", "-p", f"exec:{program}", "-p", f"exec:{good}", "-n", 4, "--rotate")
    counted = turnlog.json(*words, "--keep")

    logged = [
        [line for line in turnlog.ok("log", row["game"], "--json").lines if "remark" in line]
        for row in turnlog.ok("list", "--json").lines
    ]
    total = sum(map(len, logged))
    assert total > 0
    assert {line["seat"] for lines in logged for line in lines} == {"exec:moody"}
    assert [(bot["name"], bot["forfeits"]) for bot in counted["bots"]] == [("exec:moody", total), ("exec:good", 0)]
    assert sum(seat["forfeits"] for seat in counted["seats"]) == total
    assert 0 < counted["seats"][0]["forfeits"] < total
    assert f"Moves forfeited: exec:moody {total}." in turnlog.ok(*words).out
    assert (
        "forfeited"
        not in turnlog.ok("simulate", "power-vacuum", "-p", "exec:good", "-p", "bot:random", "-n", 1).out
    )


def test_a_cluster_starts_no_programs(turnlog: Turnlog, programs: Programs, good: str) -> None:
    """They are on this machine; it is said at once, and no agreement is kept."""
    refused = turnlog(
        "simulate",
        "power-vacuum",
        "-p",
        f"exec:{good}",
        "-p",
        "bot:random",
        "--dask",
        "tcp://127.0.0.1:1",
        "--json",
    )

    assert (refused.code, refused.error["code"]) == (2, "bad-setup")
    assert "on this machine only" in refused.error["message"]
    assert turnlog.json("allow") == {"programs": {}}
    assert programs.starts("good") == 0


@pytest.mark.parametrize("workers", [1, 2])
def test_a_simulation_of_a_program_that_cannot_be_started_is_refused(
    turnlog: Turnlog, good: str, workers: int
) -> None:
    """Wherever it was to play: no game is made up for it."""
    turnlog.ok("allow", good)
    Path(good).write_bytes(b"\x00\x01 what is this")

    refused = turnlog(
        "simulate", "power-vacuum", "-p", "exec:good", "-p", "bot:random", "--workers", workers, "--json", "-q"
    )

    assert (refused.code, refused.error["code"], refused.out) == (3, "program-refused", "")
    assert f"{good} cannot be started" in refused.error["message"]


@pytest.mark.parametrize("ended", [signal.SIGINT, signal.SIGKILL, None], ids=["interrupted", "killed", "finished"])
def test_a_workers_programs_end_with_it(
    turnlog: Turnlog,
    programs: Programs,
    tmp_path: Path,
    command: Callable[..., list[str]],
    ended: signal.Signals | None,
) -> None:
    """However the simulation ends, with what they started: nobody holds the pipe open any more."""
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    program = programs.write(
        "breeder",
        f"held = os.open({str(pipe)!r}, os.O_WRONLY)\n"
        "os.write(held, b'x')\n"
        "if os.fork() == 0: time.sleep(600)\n" + GREETS + FIRST,
    )
    words = ("simulate", "power-vacuum", "-p", f"exec:{program}", "-p", "bot:random", "--workers", 2)
    running = subprocess.Popen(
        command(*words, "-n", 4 if ended is None else 1_000_000), stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    with open(pipe, "rb") as reading:
        assert reading.read(1) == b"x"
        if ended is not None:
            running.send_signal(ended)
        running.communicate()
        assert set(reading.read()) <= {ord("x")}

    assert running.returncode == {signal.SIGINT: 130, signal.SIGKILL: -9, None: 0}[ended]


# taking back, forking ------------------------------------------------------------------------------------


def test_a_redo_asks_nobody(turnlog: Turnlog, programs: Programs, good: str) -> None:
    """Undo takes the program's answer back with the move, redo puts the same one back without starting it."""
    duel(turnlog, good)
    answered = lucia_plays(turnlog)
    before = turnlog.view("g", "referee")
    starts = programs.starts("good")

    undone = turnlog.json("undo", "g")
    assert (undone["events"][0]["first"], undone["to_move"]) == (answered["events"][0]["seq"], ["lucia"])
    turnlog.ok("redo", "g")

    assert turnlog.view("g", "referee") == before
    assert programs.starts("good") == starts == 1


def test_a_fork_is_played_on_by_the_same_program(turnlog: Turnlog, programs: Programs, good: str) -> None:
    """At an event where the program is to move, it moves at once."""
    duel(turnlog, good)
    seq = lucia_plays(turnlog)["events"][0]["seq"]

    made = turnlog.json("fork", "g", "--at", seq, "--id", "f")

    assert made["events"][0]["seat"] == "exec:good"
    assert programs.starts("good") == 2


def test_a_dry_run_starts_nothing(turnlog: Turnlog, programs: Programs, good: str) -> None:
    """Neither a `play` nor a `create` that is only tried; nor is the agreement kept."""
    turnlog.ok("create", "power-vacuum", "-p", f"exec:{good}", "-p", "bot:random", "--dry-run")
    assert turnlog.json("allow") == {"programs": {}}
    duel(turnlog, good)
    turnlog.ok("play", "g", turnlog.json("moves", "g")["moves"][0], "--dry-run")

    assert programs.starts("good") == 0


# names and agreement -------------------------------------------------------------------------------------


def test_a_seat_is_called_by_its_program(turnlog: Turnlog, programs: Programs, good: str) -> None:
    """By the file's name, its interpreter aside, or by the name that is given; a second one is numbered."""
    spaced = programs.write("my bot!", GREETS + FIRST)

    made = turnlog.json(
        "create", "half-lifed", "--id", "g", "-p", f"exec:{good}", "-p", "exec:good", "-p", "lucia",
        "-p", f"exec:deep={good} --depth 9", "-p", f"exec:{sys.executable} -IS {shlex.quote(spaced)}",
    )  # fmt: skip

    seats = ["exec:good", "exec:good#2", "lucia", "exec:deep", "exec:my-bot-"]
    assert made["events"][0]["created"]["seats"] == seats
    assert turnlog.json("allow")["programs"] == {
        "good": [good],
        "deep": [good, "--depth", "9"],
        "my-bot-": [sys.executable, "-IS", spaced],
    }
    assert turnlog.json("show", "g", "--as", "exec:good#2")["as"] == "exec:good#2"
    assert turnlog.json("show", "g", "--as", "2")["as"] == "exec:good#2"
    assert len(turnlog.ok("list", "-p", "exec:deep", "--json").lines) == 1


def test_a_file_is_named_from_where_one_stands(
    turnlog: Turnlog, programs: Programs, monkeypatch: pytest.MonkeyPatch, good: str, tmp_path: Path
) -> None:
    """Agreed to by a path from here, it is found from elsewhere, and runs in its own folder."""
    programs.write(
        "homely", GREETS + "open('here', 'w').close()\n" + "while 1: say({'move': ask()['moves'][0]})\n"
    )
    monkeypatch.chdir(programs.folder)
    duel(turnlog, "./homely")
    monkeypatch.chdir(tmp_path)

    assert remarks(lucia_plays(turnlog)) == []
    assert (programs.folder / "here").exists()


@pytest.mark.parametrize(
    ("said", "what"),
    [
        pytest.param("exec:", "needs a program", id="nothing"),
        pytest.param("exec:./nowhere", "'./nowhere' is no program", id="not-found"),
        pytest.param("exec:no-such-program-anywhere", "is no program", id="not-on-the-path"),
        pytest.param("exec:{folder}/plain", "is no program", id="not-executable"),
        pytest.param("exec:{folder}", "is no program", id="a-folder"),
        pytest.param("exec:'{good}", "a quotation is not closed", id="quotation"),
        pytest.param("exec:good={good} --fast", "good is the name of another program here", id="name-taken"),
        pytest.param(f"exec:{'n' * 31}={{good}}", "at most 30 characters", id="long-name"),
    ],
)
def test_what_is_no_program_is_refused(
    turnlog: Turnlog, programs: Programs, good: str, said: str, what: str
) -> None:
    """By `create`, with what to do; no game is made."""
    (programs.folder / "plain").write_text("no program")
    turnlog.ok("allow", good)

    refused = turnlog(
        "create", "lairs", "-p", "lucia", "-p", said.format(folder=programs.folder, good=good), "--json"
    )

    assert (refused.code, refused.error["code"]) == (2, "bad-setup")
    assert what in refused.error["message"]
    assert turnlog.ok("list", "--json").lines == []


def test_a_program_that_cannot_be_started_is_no_forfeit(turnlog: Turnlog, programs: Programs, good: str) -> None:
    """Removed, or without an interpreter's line: nothing is played, and it can be put right."""
    duel(turnlog, good)
    move = turnlog.json("moves", "g")["moves"][0]
    source = Path(good).read_text()
    for broken in (lambda: Path(good).write_bytes(b"\x00\x01 what is this"), Path(good).unlink):
        broken()
        refused = turnlog("play", "g", move, "--json")
        assert (refused.code, refused.error["code"]) == (3, "program-refused")
        assert f"{good} cannot be started" in refused.error["message"]
    assert turnlog.json("show", "g")["seq"] == 1

    Path(good).write_text(source)
    Path(good).chmod(0o755)
    assert remarks(turnlog.json("play", "g", move)) == []


@pytest.fixture
def elsewhere(turnlog: Turnlog, good: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Turnlog:
    """Another user's place, who imported game g of lucia and a program and agreed to nothing."""
    duel(turnlog, good)
    lucia_plays(turnlog)
    file = tmp_path / "g.jsonl"
    file.write_text(turnlog.ok("export", "g").out)
    monkeypatch.setenv("TURNLOG_DB", str(tmp_path / "elsewhere.db"))
    monkeypatch.setenv("TURNLOG_PROGRAMS", str(tmp_path / "elsewhere" / "programs.json"))
    turnlog.ok("import", file)
    return turnlog


def test_a_log_from_elsewhere_starts_nothing(elsewhere: Turnlog, programs: Programs, good: str) -> None:
    """It can be read and taken back; where the program is to move, the command is refused with the way out."""
    starts = programs.starts("good")
    for command in ("show", "moves", "log", "verify", "export", "undo", "redo", "undo"):
        elsewhere.ok(command, "g")
    elsewhere.ok("replay", "g", "--plain")
    before = elsewhere.json("show", "g")["seq"]
    move = elsewhere.json("moves", "g")["moves"][0]
    for command in (["play", "g", move], ["fork", "g", "--at", "2"]):
        refused = elsewhere(*command, "--json")
        assert (refused.code, refused.error["code"]) == (3, "program-refused")
        assert "exec:good is played by a program that you have not agreed to run here" in refused.error["message"]
        assert "turnlog allow good=COMMAND" in refused.error["hint"]
    assert (elsewhere.json("show", "g")["seq"], programs.starts("good")) == (before, starts)

    elsewhere.ok("allow", good)
    assert remarks(elsewhere.json("play", "g", move)) == []
    assert programs.starts("good") == starts + 1

    elsewhere.ok("allow", "--forget", "good")
    assert elsewhere.json("allow") == {"programs": {}}
    assert elsewhere("fork", "g", "--at", "2").code == 3


@pytest.mark.parametrize("command", ["run", "import"])
def test_a_script_from_elsewhere_starts_nothing(
    elsewhere: Turnlog, programs: Programs, good: str, tmp_path: Path, command: str
) -> None:
    """It cannot name a command at all, nor a program that was not agreed to."""
    starts = programs.starts("good")
    script = tmp_path / "script.txt"
    for seat, code in ((f"exec:{good}", 2), ("'exec:good --fast'", 2), (f"exec:good={good}", 2), ("exec:good", 3)):
        script.write_text(f"create power-vacuum -p {seat} -p bot:random\n")
        refused = elsewhere(command, script)
        assert refused.code == code, seat
        assert ("--bots-wait" if (command, code) == ("import", 3) else "turnlog allow") in refused.err
    assert [row["game"] for row in elsewhere.ok("list", "--json").lines] == ["g"]
    assert programs.starts("good") == starts


def test_a_script_is_played_with_a_program_that_was_agreed_to(
    turnlog: Turnlog, programs: Programs, good: str, tmp_path: Path
) -> None:
    """By its name; an import plays only what is written, and starts nothing even then."""
    turnlog.ok("allow", good)
    script = tmp_path / "script.txt"
    script.write_text("create power-vacuum -p exec:good -p exec:good --seed 1 --id g\n")

    assert turnlog("import", script).code == 3
    assert programs.starts("good") == 0
    turnlog.ok("run", script)
    assert turnlog.json("show", "g")["result"] is not None
    assert programs.starts("good") == 2

    script.write_text(turnlog.ok("export", "g", "--format", "transcript").out)
    turnlog.ok("import", script, "--db", tmp_path / "other.db")
    assert turnlog.json("show", "@", "--db", tmp_path / "other.db")["view"] == turnlog.view("g")
    assert programs.starts("good") == 2


def test_the_agreement_is_the_users_alone(turnlog: Turnlog, good: str, tmp_path: Path) -> None:
    """Its file is nobody else's to read; one that others may write to is not believed."""
    file = tmp_path / "programs.json"
    duel(turnlog, good)
    assert file.stat().st_mode & 0o777 == 0o600

    file.chmod(0o622)
    refused = turnlog("play", "g", turnlog.json("moves", "g")["moves"][0], "--json")
    assert (refused.code, refused.error["code"]) == (3, "program-refused")
    assert "others than you may write to it" in refused.error["message"]

    file.chmod(0o600)
    file.write_text("{")
    assert turnlog("allow").code == 3


def test_agreements_are_listed_changed_and_taken_back(turnlog: Turnlog, good: str) -> None:
    """`allow` lists; a command agreed to under a known name takes its place."""
    assert "turnlog allow ./mybot" in turnlog.ok("allow").out
    turnlog.ok("allow", good)
    assert turnlog.ok("allow", f"good={good} 'a b'").out == f"exec:good  {good} 'a b'\n"
    assert turnlog("allow", "--forget", "nobody").code == 2
    assert turnlog("allow", good, "--forget", "good").code == 2
    assert turnlog.json("allow", "--forget", "good") == {"programs": {}}


def test_a_person_can_move_for_a_program(turnlog: Turnlog, programs: Programs, good: str, tmp_path: Path) -> None:
    """As for a bot, with --as: so a transcript's moves are played, and nothing is started for them."""
    script = tmp_path / "script.txt"
    script.write_text("create power-vacuum -p lucia -p exec:good -o first=exec:good --id g --bots-wait\n")
    turnlog.ok("run", script)

    answer = turnlog.json("play", "g", turnlog.json("moves", "g")["moves"][0], "--as", "exec:good")

    assert (answer["events"][0]["by"], answer["to_move"]) == ("bot", ["lucia"])
    assert programs.starts("good") == 0
