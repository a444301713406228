"""The README's sessions are real: each command is run, and prints what is shown there."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from cli.app import app
from tests.conftest import Turnlog

README = Path(__file__).parent.parent / "README.md"


class Shown(NamedTuple):
    """A command of a session and what is shown of its answer."""

    command: str
    answer: str


def sessions() -> Iterator[Shown]:
    """The commands of all console blocks, in order."""
    for block in re.findall(r"```console\n(.*?)```", README.read_text(), re.S):
        for part in re.split(r"^\$ ", block, flags=re.M)[1:]:
            command, _, answer = part.partition("\n")
            yield Shown(command, answer)


def test_the_sessions_are_real(turnlog: Turnlog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of the README answers as shown."""
    monkeypatch.chdir(tmp_path)
    ran = 0
    for shown in sessions():
        words = shlex.split(shown.command)
        if words[0] == "cat":
            Path(words[1]).write_text(shown.answer)
            continue
        answer = turnlog(*words[1:])
        assert (answer.out + answer.err).rstrip() == shown.answer.rstrip(), shown.command
        ran += 1
    assert ran >= 8


def test_every_command_is_told_of() -> None:
    """The README mentions each command."""
    text = README.read_text()
    for command in app.registered_commands:
        name = command.name or getattr(command.callback, "__name__", "")
        assert re.search(rf"`[^`]*\b{name}\b", text), f"README does not tell of `{name}`"


def refresh() -> None:
    """Pastes today's answers into the README: `python -m tests.test_readme`."""
    import os
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory() as folder:
        os.environ["TURNLOG_DB"] = f"{folder}/games.db"

        def answered(block: re.Match[str]) -> str:
            out = ""
            for part in re.split(r"^\$ ", block.group(1), flags=re.M)[1:]:
                command, _, shown = part.partition("\n")
                if command.startswith("cat "):
                    Path(folder, command.split()[1]).write_text(shown)
                else:
                    ran = subprocess.run(
                        shlex.split(command), cwd=folder, capture_output=True, text=True, check=False
                    )
                    shown = (ran.stdout + ran.stderr).rstrip() + "\n"
                out += f"$ {command}\n{shown}"
            return f"```console\n{out}```"

        README.write_text(re.sub(r"```console\n(.*?)```", answered, README.read_text(), flags=re.S))


if __name__ == "__main__":
    refresh()
