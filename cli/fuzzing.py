"""The command `fuzz`: games played at random, legally and not, until something gives way."""

import gc
import io
import os
import sys
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager, redirect_stderr, redirect_stdout
from tempfile import TemporaryDirectory
from typing import NamedTuple

from cli.commands import put, say
from cli.faults import report_fault
from cli.playing import wrapped
from cli.progress import progress
from cli.session import Session
from engines.kit.errors import BadSetup, GamesFailed
from engines.registry import all_games, game_of
from replays.fuzzing import Fault, Fuzzed, fuzzed, report

#: So many games of each slug are played, if nothing else is asked for.
GAMES = 10


class Fuzz(NamedTuple):
    """What was asked for. Games are numbered from `first`; `seconds` goes on until they are over."""

    slugs: tuple[str, ...]
    games: int | None
    seconds: int | None
    seed: str
    first: int
    steps: int
    out: str


class Finding(NamedTuple):
    """A failure that was written down: how often it was met, and in which file."""

    key: str
    slug: str
    number: int
    file: str
    times: int


def typed(words: Sequence[str]) -> tuple[int, str, str]:
    """Carries out a command line in this process, with nothing on its standard input."""
    from cli.app import run_app
    from cli.main import fast_play

    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err), _no_input():
        try:
            code = fast_play(list(words))
            code = run_app(list(words)) if code is None else code
        except Exception as fault:
            report_fault(fault)
            code = 1
    return code, out.getvalue(), err.getvalue()


@contextmanager
def _no_input() -> Generator[None]:
    before = sys.stdin
    sys.stdin = io.TextIOWrapper(io.BytesIO())
    try:
        yield
    finally:
        sys.stdin = before


def fuzz(session: Session, asked: Fuzz) -> None:
    """Plays, and tells what was found."""
    gc.enable()  # it may take long
    slugs = asked.slugs or tuple(game.slug for game in all_games())
    for slug in slugs:
        game_of(slug)  # says so if there is no such game
    if asked.games is not None and asked.seconds is not None:
        raise BadSetup("--games and --seconds are two ways to say how long", "give one of them")
    findings: dict[str, Finding] = {}
    played: dict[str, list[int]] = {slug: [0, 0, 0] for slug in slugs}
    digests: list[str] = []
    try:
        for one in _games(session, asked, slugs):
            figures = played[one.slug]
            figures[:] = [figures[0] + 1, figures[1] + one.steps, figures[2] + one.refused]
            digests.append(one.digest)
            if one.fault is not None:
                _find(asked, one, one.fault, findings)
    except KeyboardInterrupt:
        sys.stderr.write("turnlog: interrupted\n")
    _tell(session, asked, played, digests, list(findings.values()))


def _games(session: Session, asked: Fuzz, slugs: Sequence[str]) -> Iterator[Fuzzed]:
    """The games, one of each slug in turn."""
    end = None if asked.seconds is None else session.clock() + asked.seconds * 1_000_000
    count = asked.games or GAMES
    start = session.clock()
    with TemporaryDirectory() as folder, progress("fuzz", asked.seconds or count * len(slugs)) as tick:
        number, done = asked.first, 0
        while number < asked.first + count if end is None else session.clock() < end:
            for slug in slugs:
                if end is not None and session.clock() >= end:
                    return
                yield fuzzed(slug, number, asked.seed, folder, typed, steps=asked.steps)
                done += 1
                tick(done if end is None else (session.clock() - start) // 1_000_000)
            number += 1


def _find(asked: Fuzz, one: Fuzzed, fault: Fault, findings: dict[str, Finding]) -> None:
    """Writes a failure down, the first time that it is met."""
    known = findings.get(fault.key)
    if known is not None:
        findings[fault.key] = known._replace(times=known.times + 1)
        return
    file = os.path.join(asked.out, f"fuzz-{one.slug}-{one.number}")
    how = f"turnlog fuzz {one.slug} --seed {_quoted(asked.seed)} --first {one.number} --games 1"
    how += f" --steps {asked.steps}"
    try:
        os.makedirs(asked.out, exist_ok=True)
        _write(f"{file}.jsonl", "".join(f"{line}\n" for line in fault.lines))
        _write(f"{file}.txt", report(fault, how))
    except OSError as error:
        raise BadSetup(f"{file} cannot be written: {error.strerror}", "--out names a folder") from error
    findings[fault.key] = Finding(fault.key, one.slug, one.number, f"{file}.jsonl", 1)


def _write(path: str, text: str) -> None:
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def _quoted(word: str) -> str:
    from shlex import quote

    return quote(word)


def _tell(
    session: Session, asked: Fuzz, played: dict[str, list[int]], digests: list[str], findings: list[Finding]
) -> None:
    from events.digest import fingerprint

    if session.json:
        put(
            {
                "seed": asked.seed,
                "first": asked.first,
                "games": {
                    slug: dict(zip(("games", "steps", "refused"), n, strict=True)) for slug, n in played.items()
                },
                "digest": fingerprint("".join(digests))[:16],
                "findings": [finding._asdict() for finding in findings],
            }
        )
    else:
        for slug, (games, steps, refused) in played.items():
            say([f"{slug:<18} {games:>6} games  {steps:>8} steps, {refused} refused"])
        for finding in findings:
            say(wrapped("", f"{finding.file}: {finding.key}, {finding.times} times"))
    if findings:
        raise GamesFailed(
            f"{len(findings)} faults were found; the first one is in {findings[0].file}",
            "`turnlog import` takes the file, the .txt beside it tells the steps",
        )
