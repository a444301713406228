"""Which programs the user has agreed to run as bots: a file of the user's own, from names to commands.

A log, a script or a database names such a program and never a command, so that nothing that comes from elsewhere
can start what its user did not name here, with `create -p exec:COMMAND` or `allow`.
"""

from __future__ import annotations

import os
import re
import shlex
import shutil
from collections.abc import Callable, Iterable
from pathlib import Path

import msgspec
from msgspec import json

from cli.private import write_private
from cli.session import Session
from engines.kit.errors import BadSetup, ProgramRefused
from engines.kit.game import PROGRAM
from engines.programs import Command, RunningPrograms, called

#: Seconds for an answer, unless TURNLOG_BOT_TIME says otherwise.
BOT_TIME = 10.0

#: Seconds for a command that is told of a turn.
NOTICE_TIME = 5.0

LONGEST_NAME = 30

#: Commands that are told of turns have names of their own: no seat can name one.
NOTIFIER = "notify:"

_NAMED = re.compile(r"([\w.+-]+)=(.*)", re.DOTALL)

Commands = dict[str, list[str]]


def _file() -> Path:
    given = os.environ.get("TURNLOG_PROGRAMS")
    if given:
        return Path(given)
    from platformdirs import user_config_path

    return user_config_path("turnlog", appauthor=False) / "programs.json"


def allowed() -> Commands:
    """The commands that the user agreed to, by name.

    :raises ProgramRefused: the file is not the user's alone, or cannot be read
    """
    file = _file()
    try:
        with file.open("rb") as opened:
            about = os.fstat(opened.fileno())
            text = opened.read()
        if about.st_uid != os.getuid() or about.st_mode & 0o022:
            raise ProgramRefused(
                f"{file} says which programs may be started, and others than you may write to it",
                f"make it yours alone: chmod 600 {shlex.quote(str(file))}",
            )
        return json.decode(text, type=Commands)
    except FileNotFoundError:
        return {}
    except (OSError, msgspec.MsgspecError) as error:
        raise ProgramRefused(f"{file} cannot be read: {error}", "remove it and agree anew") from error


def _keep(commands: Commands) -> None:
    file = _file()
    try:
        write_private(file, commands)
    except OSError as error:
        raise ProgramRefused(f"{file} cannot be written: {error.strerror}") from error


def _understood(said: str) -> tuple[str, list[str]]:
    """The name and the words of `[NAME=]COMMAND`, its program and the files among its words as absolute paths."""
    named = _NAMED.fullmatch(said)
    try:
        words = shlex.split(named[2] if named else said)
    except ValueError as error:
        raise BadSetup(f"{said[:60]!r}: a quotation is not closed") from error
    if not words:
        raise BadSetup(f"{PROGRAM} needs a program", "write exec:./mybot, or exec:NAME=COMMAND")
    program = shutil.which(words[0])
    if program is None:
        raise BadSetup(
            f"{words[0][:60]!r} is no program that can be started",
            "name an executable file (./mybot; chmod +x makes one) or an interpreter: 'exec:python3 mybot.py'",
        )
    words = [os.path.abspath(word) if os.path.isfile(word) else word for word in words]
    words[0] = os.path.abspath(program)
    file = os.path.basename(_main_file(words))
    name = named[1] if named else re.sub(r"[^\w.+-]", "-", file)[:LONGEST_NAME]
    if len(name) > LONGEST_NAME:
        raise BadSetup(f"a program's name has at most {LONGEST_NAME} characters, not {len(name)}")
    return name, words


def _main_file(words: list[str]) -> str:
    """The program itself where the first word is its interpreter."""
    return next((word for word in words[1:] if os.path.isabs(word) and os.path.isfile(word)), words[0])


def allow(said: str) -> str:
    """Agrees to a command, `[NAME=]COMMAND`, and gives its name, which meant another one before perhaps.

    :raises BadSetup: it is no command that can be started
    """
    name, words = _understood(said)
    _keep(allowed() | {name: words})
    return name


def forget(name: str) -> None:
    """Takes the agreement to a program back.

    :raises BadSetup: there was none
    """
    commands = allowed()
    if commands.pop(name, None) is None:
        raise BadSetup(f"no program is called {name[:40]!r}", "`turnlog allow` lists them")
    _keep(commands)


def seats_named(persons: tuple[str, ...], *, keep: bool = True) -> tuple[str, ...]:
    """The seats' names, where `exec:COMMAND` has become `exec:NAME`: naming a command is agreeing to it.

    :param keep: whether the agreement is kept
    :raises BadSetup: a command is none, or its name means another one here
    """
    return tuple(_seat_named(p.removeprefix(PROGRAM), keep) if p.startswith(PROGRAM) else p for p in persons)


def _seat_named(said: str, keep: bool) -> str:
    commands = allowed()
    if said in commands:
        return PROGRAM + said
    name, words = _understood(said)
    before = commands.get(name)
    if before is None and keep:
        _keep(commands | {name: words})
    elif before not in (None, words):
        raise BadSetup(
            f"{name} is the name of another program here: {shlex.join(before)}",
            f"name this one otherwise, exec:NAME=COMMAND, or let the name mean it: turnlog allow {name}=COMMAND",
        )
    return PROGRAM + name


def notifier_named(said: str) -> str:
    """The name of a command that is to be told of turns: naming a command is agreeing to it.

    :raises BadSetup: it is none, or its name means another one here
    """
    name, words = _understood(said)
    commands = allowed()
    before = commands.get(NOTIFIER + name)
    if before not in (None, words):
        raise BadSetup(
            f"{name} is the name of another command here: {shlex.join(before)}",
            f"name this one otherwise, NAME=COMMAND, or forget that one: turnlog allow --forget {NOTIFIER}{name}",
        )
    _keep(commands | {NOTIFIER + name: words})
    return name


def notifier(name: str) -> Command:
    """The command of that name that the user agreed to have told of turns.

    :raises ProgramRefused: there is none
    """
    words = allowed().get(NOTIFIER + name)
    if not words:
        raise ProgramRefused(
            f"you have not agreed here to run the command {name[:40]!r}",
            "if you want it: turnlog notify GAME SEAT --command 'NAME=COMMAND'",
        )
    return Command(words, os.path.dirname(_main_file(words)), NOTICE_TIME)


def _command(name: str) -> Command:
    words = allowed().get(name)
    if not words:
        raise ProgramRefused(
            f"{PROGRAM}{name} is played by a program that you have not agreed to run here",
            f"if you have it and trust it: turnlog allow {shlex.quote(name + '=COMMAND')}",
        )
    return Command(words, os.path.dirname(_main_file(words)), _seconds())


def _seconds() -> float:
    said = os.environ.get("TURNLOG_BOT_TIME")
    try:
        seconds = float(said) if said else BOT_TIME
    except ValueError:
        seconds = 0
    if not 0 < seconds <= 86_400:
        raise BadSetup(f"TURNLOG_BOT_TIME is a number of seconds up to a day, not {str(said)[:40]!r}")
    return seconds


def commands_of(persons: Iterable[str]) -> dict[str, Command]:
    """The commands of the programs among the persons, by name.

    :raises ProgramRefused: the user has not agreed to one; BadSetup: TURNLOG_BOT_TIME is no time
    """
    return {called(person): _command(called(person)) for person in persons if person.startswith(PROGRAM)}


def running(session: Session, command: Callable[[str], Command] = _command) -> RunningPrograms:
    """The programs of a command line, started when they are asked.

    :param command: the command that a name stands for; unsaid, the one that the user agreed to
    """
    return RunningPrograms(command, session.debug if session.log_level == "debug" else None)
