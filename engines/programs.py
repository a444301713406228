"""Programs from outside that play seats: JSON over standard input and output, a line for a line.

A program gets what its seat may see and nothing else, has a time limit, and answers within a bounded line.
One that breaks off, is late or answers what is no legal move forfeits its move to a random one; the reason goes
into the log, in words of ours alone, since the log is public and a program's own words might tell its cards.
docs/BOTS.md has the protocol.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from queue import Empty, SimpleQueue
from subprocess import DEVNULL, PIPE, Popen
from threading import Lock, Thread, current_thread, main_thread
from typing import Any, NamedTuple, TypeVar

import msgspec
from msgspec import json

from engines.decide import resolved
from engines.kit.bots import Choice, Turn, random_move
from engines.kit.errors import MoveRefused, ProgramRefused
from engines.kit.game import PROGRAM
from engines.kit.notation import words_of
from engines.kit.offers import legal, listed

#: The version of the protocol.
VERSION = 1

OTHER_VERSION = f"it does not speak version {VERSION} of the protocol"

#: An answer has at most so many bytes.
LONGEST_ANSWER = 1_000_000

#: So much of what a program writes to its standard error is kept for the program's own log.
KEPT_STDERR = 4_000

#: A program that fails so often in a row is not asked again in the same game.
MOST_FAILURES = 3

#: Where games and tokens are, and passwords.
_OPENING = {"TURNLOG_DB", "TURNLOG_TOKEN", "TURNLOG_TOKENS", "PGPASSWORD"}

T = TypeVar("T")

#: Told of what goes on: an event's name and its values.
Tell = Callable[..., None]


class Command(NamedTuple):
    """How a program is started: its words, the first an absolute path, the folder it runs in, its time.

    :param seconds: the time for an answer, the first included
    """

    words: Sequence[str]
    folder: str
    seconds: float


class _Greeting(msgspec.Struct):
    turnlog: int


class _Said(msgspec.Struct):
    move: str


class _Failure(Exception):
    """A program failed to answer; the text says how, and is fit for the log."""


def open_environment() -> dict[str, str]:
    """This process's environment, without what opens games: a program is told what its seat sees and no more."""
    return {name: value for name, value in os.environ.items() if name not in _OPENING}


def question(turn: Turn, seconds: float) -> dict[str, Any]:
    """What a program is asked: the keys of `show --json` and `moves --json` for its seat, and a little more."""
    game, created = turn.game, turn.created
    return {
        "game": turn.game_id,
        "slug": game.slug,
        "seq": turn.seq,
        "seat": turn.name,
        "seats": created.seats,
        "to_move": [created.seats[seat] for seat in turn.to_move],
        "options": created.options,
        "view": game.view.present(turn.view, turn.seat, created.seats),
        **listed(game.grammar, turn.offers),
        "seconds": seconds,
        "chance": turn.chance.number("program", 1 << 32),
    }


class RunningPrograms:
    """The programs of one command, each started when it is first asked. `close` ends them.

    :param command: the command that a name stands for; raises ProgramRefused where there is none
    :param tell: for the program's own log, at its most talkative; None drops what programs write to standard error
    """

    def __init__(self, command: Callable[[str], Command], tell: Tell | None) -> None:
        self._command, self._tell = command, tell
        self._seats: dict[str, _Seat] = {}
        self._starting = Lock()

    def check(self, name: str) -> None:
        """Makes sure that a seat's program may be started.

        :raises ProgramRefused: it may not
        """
        self._command(called(name))

    def choose(self, turn: Turn) -> Choice:
        """The program's move, or a random one with a remark that says why.

        :raises ProgramRefused: the program may not or cannot be started
        """
        seat = self._seats.get(turn.name)
        if seat is None:
            seat = self._seats[turn.name] = _Seat(
                turn.name, self._command(called(turn.name)), self._tell, self._starting
            )
        try:
            said = seat.asked(question(turn, seat.command.seconds))
            return Choice(resolved(turn.game, turn.offers, words_of(said)))
        except _Failure as failure:
            why = str(failure)
        except MoveRefused as refused:
            why = "its move is not legal"
            if self._tell is not None:
                self._tell("illegal move of a program", seat=turn.name, why=str(refused)[:300])
        return Choice(
            random_move(turn.view, turn.seat, legal(turn.offers), turn.chance),
            f"{turn.name} forfeits its move ({why}); a random one is played.",
        )

    def close(self) -> None:
        """Ends all programs, and what they have started."""
        for seat in self._seats.values():
            seat.stop()

    def kill(self) -> None:
        """Ends all programs, and what they have started, waits for none and lets none start: for a process's end.

        One that another thread is just starting is waited for until it can be ended. A signal's handler may call
        this: signals that end a process wait while a program is being started.
        """
        self._starting.acquire()
        for seat in tuple(self._seats.values()):
            seat.kill()


def called(name: str) -> str:
    """The name of the program that plays a seat."""
    return name.removeprefix(PROGRAM).partition("#")[0]


class _Seat:
    """A seat's program: started when it is asked, and again when it has failed, but not for ever.

    Failures are counted game by game, so that no game depends on those that were played before it.
    """

    def __init__(self, name: str, command: Command, tell: Tell | None, starting: Lock) -> None:
        self._name, self.command, self._tell, self._starting = name, command, tell, starting
        self._process: _Process | None = None
        self._other_version = False
        self._game = ""
        self._failures = 0

    def asked(self, document: dict[str, Any]) -> str:
        """The answer to a question.

        :raises _Failure: there is none; ProgramRefused: the program cannot be started
        """
        if document["game"] != self._game:
            self._game, self._failures = document["game"], 0
        if self._other_version:
            raise _Failure(OTHER_VERSION)
        if self._failures == MOST_FAILURES:
            raise _Failure(f"it failed {MOST_FAILURES} times in a row and is not asked again")
        try:
            said = self._answer(document)
        except _Failure as failure:
            self.stop()
            self._failures += 1
            if self._tell is not None:
                self._tell("a program failed", seat=self._name, why=str(failure))
            raise
        self._failures = 0
        return said

    def _answer(self, document: dict[str, Any]) -> str:
        if self._process is None:
            with _held_signals(), self._starting:
                self._process = _Process(self.command, keep_stderr=self._tell is not None)
            greeting = self._process.exchange({"turnlog": VERSION, "seat": self._name}, self.command.seconds)
            read = _read(greeting, _Greeting)
            if read is None or read.turnlog != VERSION:
                self._other_version = True
                raise _Failure(OTHER_VERSION)
        said = _read(self._process.exchange(document, self.command.seconds), _Said)
        if said is None:
            raise _Failure("its answer is not of the form of an answer")
        return said.move

    def kill(self) -> None:
        """Ends the program without waiting for it."""
        if self._process is not None:
            self._process.kill()

    def stop(self) -> None:
        """Ends the program."""
        if self._process is None:
            return
        wrote = self._process.stop()
        self._process = None
        if wrote and self._tell is not None:
            self._tell("a program wrote to its standard error", seat=self._name, text=wrote)


@contextmanager
def _held_signals() -> Generator[None]:
    """Holds back what ends this process, so that no program is left that was started and is not known yet."""
    if current_thread() is not main_thread():
        yield  # no handler runs here
        return
    came: list[int] = []
    heard: dict[int, Any] = {}

    def hold(number: int, _: object) -> None:
        came.append(number)

    try:
        for number in (signal.SIGINT, signal.SIGTERM):
            heard[number] = signal.signal(number, hold)
        yield
    finally:
        for number in reversed(heard):  # the one that raises last
            signal.signal(number, heard[number])
        for number in came:
            signal.raise_signal(number)


def _read(answer: bytes, kind: type[T]) -> T | None:
    try:
        return json.decode(answer, type=kind)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


class _Process:
    """A program that runs, in a session of its own, so that all that it starts ends with it.

    :raises ProgramRefused: it cannot be started
    """

    def __init__(self, command: Command, *, keep_stderr: bool) -> None:
        try:
            self._process = Popen(  # noqa: S603 -- a command that the user agreed to, without a shell
                command.words,
                stdin=PIPE,
                stdout=PIPE,
                stderr=PIPE if keep_stderr else DEVNULL,
                cwd=command.folder,
                env=open_environment(),
                start_new_session=True,
            )
        except OSError as error:
            raise ProgramRefused(
                f"{command.words[0]} cannot be started: {error.strerror}",
                "it has to be a program, or a script whose first line names its interpreter",
            ) from error
        self._answers: SimpleQueue[bytes | None] = SimpleQueue()
        self._threads: list[Thread] = []
        self._stderr = b""
        if keep_stderr:
            self._in_background(self._drain)

    def _in_background(self, work: Callable[..., None], *what: Any) -> None:
        thread = Thread(target=work, args=what, daemon=True)
        self._threads = [one for one in self._threads if one.is_alive()] + [thread]
        thread.start()

    def exchange(self, document: dict[str, Any], seconds: float) -> bytes:
        """The line that answers a line.

        :raises _Failure: none in time, none at all, or one that is too long
        """
        self._in_background(self._converse, json.encode(document) + b"\n")
        try:
            answer = self._answers.get(timeout=seconds)
        except Empty:
            raise _Failure(f"no answer within {seconds:g} s") from None
        if answer is None:
            raise _Failure("it ended without an answer")
        if len(answer) > LONGEST_ANSWER:
            raise _Failure(f"its answer is longer than {LONGEST_ANSWER} bytes")
        return answer

    def _converse(self, line: bytes) -> None:
        """Writes a line and waits for one: apart, so that no full or empty pipe holds up the time limit."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        answer = b""
        with suppress(OSError, ValueError):  # it reads no more, or has been stopped meanwhile
            self._process.stdin.write(line)
            self._process.stdin.flush()
            answer = self._process.stdout.readline(LONGEST_ANSWER + 1)
        self._answers.put(answer or None)

    def _drain(self) -> None:
        assert self._process.stderr is not None
        while some := os.read(self._process.stderr.fileno(), 65536):
            self._stderr += some[: KEPT_STDERR - len(self._stderr)]

    def kill(self) -> None:
        """Kills the program and all that it started."""
        with suppress(ProcessLookupError, PermissionError):  # macOS: none but a dead one is left
            os.killpg(self._process.pid, signal.SIGKILL)

    def stop(self) -> str:
        """Kills the program and all that it started; gives the beginning of what it wrote to standard error."""
        self.kill()
        self._process.wait()
        for thread in self._threads:
            with suppress(RuntimeError):  # an interrupt came while it was being started
                thread.join(1)  # one that left its session and keeps a pipe open is not waited for
        if not any(thread.is_alive() for thread in self._threads):
            for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
                if pipe is not None:
                    with suppress(OSError):  # what it did not read is left
                        pipe.close()
        return self._stderr.decode(errors="replace")
