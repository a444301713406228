"""Where the command line starts.

A plain `play` is read here, without Typer, whose import would be most of its time; everything else, and
every `play` that is not plain, goes to Typer. A test holds the two to the same answers.
"""

from __future__ import annotations

import gc

gc.disable()  # a command is over before a collection would pay

import os  # noqa: E402
import sys  # noqa: E402
from importlib import import_module  # noqa: E402

_VALUED = {"--as": "seat", "--expect": "expect", "--request": "request", "--db": "db"}
_FLAGS = {"--json": "json", "--quiet": "quiet", "--dry-run": "dry_run"}


def plain_play(arguments: list[str]) -> dict[str, str | bool | list[str]] | None:
    """What a plain `play` says: its options by name and its words; None if it is not plain."""
    said: dict[str, str | bool | list[str]] = {}
    words: list[str] = []
    rest = iter(arguments)
    for argument in rest:
        if argument in _VALUED:
            if not words and argument != "--db":
                return None
            value = next(rest, None)
            if value is None or value.startswith("-") or _VALUED[argument] in said:
                return None
            said[_VALUED[argument]] = value
        elif argument in _FLAGS:
            if not words and argument == "--dry-run":
                return None
            said[_FLAGS[argument]] = True
        elif argument.startswith("-") and argument != "-":
            return None
        else:
            words.append(argument)
    expect = said.get("expect")
    if (
        len(words) < 3
        or words[0] != "play"
        or os.environ.get("TURNLOG_SERVER")
        or (isinstance(expect, str) and not (expect.isascii() and expect.isdigit() and len(expect) < 19))
    ):
        return None
    said["words"] = words[1:]
    return said


def _lean_msgspec() -> None:
    """Imports msgspec without typing_extensions, which it asks for but does without.

    That import would cost a `play` as much as starting Python does.
    """
    if "msgspec" not in sys.modules and "typing_extensions" not in sys.modules:
        sys.modules["typing_extensions"] = None  # pyright: ignore[reportArgumentType] -- makes its import fail
        try:
            import_module("msgspec")
        finally:
            del sys.modules["typing_extensions"]


def _play(said: dict[str, str | bool | list[str]]) -> int:
    _lean_msgspec()
    from cli.failures import EXPECTED, check_encoding, report
    from cli.playing import Play, play
    from cli.session import Session

    def text(name: str) -> str | None:
        value = said.get(name)
        return value if isinstance(value, str) else None

    words = said["words"]
    assert isinstance(words, list)
    expect = text("expect")
    session = Session(db=text("db"), json="json" in said, quiet="quiet" in said)
    asked = Play(
        words[0],
        tuple(words[1:]),
        text("seat"),
        None if expect is None else int(expect),
        text("request"),
        "dry_run" in said,
    )
    try:
        for word in (*words, *(value for value in said.values() if isinstance(value, str))):
            check_encoding(word)
        play(session, asked)
    except EXPECTED as error:
        return report(error, json=session.json)
    return 0


def fast_play(arguments: list[str]) -> int | None:
    """Carries out a plain `play` and gives its exit code; None if it is not plain."""
    said = plain_play(arguments)
    return None if said is None else _play(said)


def main() -> None:
    """Runs the command line and ends the process."""
    code = 1
    try:
        played = None if "_TURNLOG_COMPLETE" in os.environ else fast_play(sys.argv[1:])
        if played is None:
            from cli.app import run_app

            played = run_app()
        code = played
        sys.stdout.flush()
        sys.stderr.flush()
    except BrokenPipeError:
        code = 0  # whoever read has read enough
    except KeyboardInterrupt:
        sys.stderr.write("turnlog: interrupted\n")
        code = 130
    except SystemExit as ended:
        if not isinstance(ended.__context__, BrokenPipeError):
            raise
        code = 0  # Typer made an exit of it
    except BaseException as fault:
        from cli.faults import report_fault

        report_fault(fault)
    # The log is closed and durable: nothing is left to tear down.
    os._exit(code)


if __name__ == "__main__":
    main()
