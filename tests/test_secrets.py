"""Secrets: two games that differ in nothing but what a viewer may not know are the same to that viewer.

Whatever a command says to a seat or the spectator is compared to the byte: texts, documents, the order of keys and
moves, numbers, widths, refusals, completions. Time that a command takes is not.
"""

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from msgspec import json, msgpack

from cli.app import app
from cli.session import Session
from engines.creation import Wish, create
from engines.kit.game import Game
from engines.kit.notation import words_of
from engines.kit.offers import legal
from engines.kit.secrecy import Viewer
from engines.registry import all_games
from engines.table import Table
from events.digest import fingerprint
from tests.conftest import Turnlog
from tests.lively_games import BEGUN, MINUTE, opened, play_on, seats_for, think_little
from tests.random_games import Case, random_game
from tests.two_worlds import World, common_moves, world

ONCE_A_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
NAMES = ("ada", "bo", "cy")


@pytest.fixture(autouse=True)
def _quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Key moments are looked for, but with bots that do not think."""
    think_little(monkeypatch)


@pytest.fixture(autouse=True)
def _many_snapshots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short games have snapshots, too."""
    monkeypatch.setattr("projections.position.EVERY", 2)


def said(table: Table, viewer: Viewer) -> str:
    """How a viewer is named on the command line."""
    return "spectator" if viewer is None else table.names[viewer]


def play_alike(worlds: Sequence[World], viewer: Viewer, least: int, most: int) -> None:
    """Plays moves in both worlds that look the same to the viewer, until that seat is to move.

    Where moves may be taken back some are, and a seat that cannot come to its next move goes back to its last.
    """
    one, other = worlds
    free = one.table.created.undo == "free"
    for number in range(most):
        if number >= least and viewer in one.table.to_move:
            return
        found = list(islice(common_moves(one, other, viewer), 4))
        if not found:
            break
        seat, move = found[number % len(found)]
        now = BEGUN + number * MINUTE
        for at in worlds:
            words = words_of(at.table.game.grammar.spell(move))
            at.table.play(words, now=now, seat=seat, request=f"r{number}", bots=False)
            if number == 1:
                at.table.note(1, "a note", now=now, seat=0)
            if number == 1 and free:
                at.table.undo(now=now, reason="a slip")
                at.table.undo(now=now)
                at.table.redo(now=now)
    while free and viewer is not None and viewer not in one.table.to_move and one.table.position.timeline.moves():
        for at in worlds:
            at.table.undo(now=BEGUN + most * MINUTE)


def reads(table: Table, viewer: Viewer, *, pages: bool) -> Iterator[list[str]]:
    """Every command that reads, as the viewer would say it; `pages` with key moments, too."""
    me = said(table, viewer)
    middle = max(1, table.seq // 2)
    for words in (
        ["show", "game", "--as", me],
        ["show", "game", "--as", me, "--at", str(middle)],
        ["moves", "game", "--as", me],
        ["log", "game", "--as", me],
        ["log", "game", "--as", me, "--notes"],
        ["replay", "game", "--as", me, "--plain", "--undone"],
        ["notes", "game"],
        ["diff", "game", str(middle), str(table.seq), "--as", me],
        ["diff", "game", "game", "--as", me],
        ["list"],
        ["standings"],
    ):
        yield words
        yield [*words, "--json"]
    for format_ in ("jsonl", "markdown", "html", "transcript"):
        yield ["export", "game", "--format", format_, "--as", me]
    if viewer is None:  # whom a command speaks to unasked
        for words in (
            ["show", "game"],
            ["log", "game"],
            ["annotate", "game"],
            ["export", "game", "--format", "html"],
        ):
            yield words
    elif viewer == next(iter(table.to_move), None):
        yield ["moves", "game"]


def refusals(table: Table, viewer: int) -> Iterator[list[str]]:
    """Commands of a seat that are refused, or carried out for show only."""
    me = said(table, viewer)
    offered = [table.game.grammar.spell(move) for move in legal(table.offers(viewer))]
    for text in ("", "?", "frobnicate", "9" * 90, *table.game.grammar.verbs):
        yield ["play", "game", text, "--as", me, "--dry-run"]
    for text in offered[:: max(1, len(offered) // 6)]:
        yield ["play", "game", text, "--as", me, "--dry-run"]
        yield ["play", "game", text, "--as", me, "--dry-run", "--json"]
        yield ["play", "game", text.upper() + "x", "--as", me, "--dry-run", "--json"]
        yield ["play", "game", text, "--as", me, "--request", "r0", "--dry-run"]
        yield ["play", "game", text, "--as", me, "--expect", "1", "--dry-run"]
    for count in range(1, 4):
        yield ["undo", "game", "--as", me, "-n", str(count), "--dry-run", "--json"]
    yield ["redo", "game", "--as", me, "--dry-run"]
    yield ["undo", "game", "--as", me, "--to", "1", "--dry-run"]
    yield ["fork", "game", "--as", me, "--same-chance"]
    yield ["note", "game", "99", "nothing", "--as", me]


def foreign_moves(game: Game) -> list[str]:
    """Moves that were legal at other moments."""
    found: dict[str, None] = {}
    for number, moment in enumerate(islice(random_game(Case(game, max(2, game.seats[0])), "foreign"), 60)):
        if number % 6 == 0:
            for seat in game.rules.to_move(moment.state):
                offers = game.rules.offers(moment.state, seat)
                found |= {game.grammar.spell(move): None for move in islice(legal(offers), 3)}
    return list(found)[:10]


def different(one: bytes, other: bytes) -> str:
    """The first place at which two answers differ."""
    place = next(
        (n for n, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other))
    )
    return f"at {place}: {one[max(0, place - 60) : place + 60]!r} and {other[max(0, place - 60) : place + 60]!r}"


Ask = Callable[[Path, list[str]], bytes]


@pytest.fixture
def ask(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Ask:
    """What a command says on a database, its refusal and exit code too; `complete LINE` asks as bash does."""

    def answered(db: Path, words: list[str]) -> bytes:
        monkeypatch.setenv("TURNLOG_DB", str(db))
        if words[0] == "complete":
            return completed(words[1])
        with monkeypatch.context() as patched:
            patched.setattr("time.time_ns", lambda: BEGUN * 2000)
            answer = turnlog(*words)
        return f"{answer.code}\n{answer.out}\n{answer.err}".replace(str(db), "DB").encode()

    def completed(line: str) -> bytes:
        capsys.readouterr()
        with monkeypatch.context() as patched:
            patched.setenv("_TURNLOG_COMPLETE", "complete_bash")
            patched.setenv("COMP_WORDS", line)
            patched.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
            with pytest.raises(SystemExit):
                app([], prog_name="turnlog")
        return f"0\n{capsys.readouterr().out}".encode()

    return answered


MOMENTS = {"early": (0, "free"), "late": (30, "safe")}


@ONCE_A_GAME
@pytest.mark.parametrize("moment", MOMENTS)
def test_a_viewer_is_told_the_same_in_every_world_that_looks_the_same(
    game: Game, moment: str, ask: Ask, tmp_path: Path
) -> None:
    """Each reading command and format, each refusal, dry run and completion: for seats and the spectator, to the
    byte; and what lies in the database besides hidden values has the same numbers, times and snapshots.
    """
    moves, undo = MOMENTS[moment]
    wish = Wish(game, seats_for(game, NAMES), seed="real")
    table, _ = create(opened(tmp_path / "real.db"), wish, "real", now=BEGUN, secret=lambda: "salt")
    play_on(table, moves)
    while not table.to_move:  # it was over sooner
        table.undo(now=BEGUN)
    mover = table.to_move[0]
    differed = asked = moved = snapshots = 0
    for viewer in (mover, None) if moment == "early" else (mover, (mover + 1) % len(table.names)):
        worlds = [world(table, viewer, number, undo=undo) for number in (1, 2)]
        differed += msgpack.encode(worlds[0].table.state) != msgpack.encode(worlds[1].table.state)
        play_alike(worlds, viewer, 3 if undo == "free" else 0, 9)
        moved += viewer in worlds[0].table.to_move
        for words in said_by(worlds[0].table, viewer, moment == "early"):
            one, other = (ask(at.path, words) for at in worlds)
            assert one == other, f"{words}: {different(one, other)}"
            assert one.startswith(b"0\n") or words[0] in ("play", "undo", "redo", "fork", "note", "export"), words
            asked += 1
        assert outlines(worlds[0].table) == outlines(worlds[1].table)
        snapshots += len(list(worlds[0].table.log.select("select 1 from snapshots")))
        for at in worlds:
            at.table.log.close()
    assert differed, "no viewer has anything to guess at, so that nothing was tried"
    assert moved, "no seat was to move, so that no offer was looked at"
    assert asked > 80
    assert snapshots
    table.log.close()


def said_by(table: Table, viewer: Viewer, pages: bool) -> Iterator[list[str]]:
    """All that is tried for a viewer."""
    yield from reads(table, viewer, pages=pages)
    if viewer is not None:
        yield from refusals(table, viewer)
        for text in foreign_moves(table.game):
            yield ["play", "game", text, "--as", said(table, viewer), "--dry-run"]
        for begun in ("", next(iter(table.game.grammar.verbs))):
            yield ["complete", f"turnlog play game --as {said(table, viewer)} {begun} ".replace("  ", " ")]


def outlines(table: Table) -> list[tuple[Any, ...]]:
    """What rows and snapshots there are, without what they hold."""
    rows = "select seq, at, kind, actor, schema, request from events order by seq"
    return [*table.log.select(rows), *table.log.select("select seq, head, version from snapshots")]


@ONCE_A_GAME
def test_what_a_seat_plays_is_answered_the_same(game: Game, ask: Ask, tmp_path: Path) -> None:
    """The answers to a seat's own moves, its undo and redo do not tell what is hidden from it, either."""
    wish = Wish(game, seats_for(game, NAMES), seed="real")
    table, _ = create(opened(tmp_path / "real.db"), wish, "real", now=BEGUN, secret=lambda: "salt")
    play_on(table, 9)
    viewer, answers = table.to_move[0], 0
    worlds = [world(table, viewer, number) for number in (1, 2)]
    for form in ([], ["--json"], ["--quiet"]):
        found = next(((s, m) for s, m in common_moves(worlds[0], worlds[1], viewer) if s == viewer), None)
        if found is None:
            break
        spelt = game.grammar.spell(found[1])
        for words in (["play", "game", spelt], ["undo", "game"], ["redo", "game"]):
            one, other = (ask(at.path, [*words, "--as", said(table, viewer), *form]) for at in worlds)
            assert one == other, f"{words}: {different(one, other)}"
            assert one.startswith(b"0\n")
            answers += 1
        worlds = [World(at.path, Table(at.table.log, "game")) for at in worlds]
    assert answers >= 3
    for at in (*worlds, World(tmp_path, table)):
        at.table.log.close()


# seeds, digests, ids ----------------------------------------------------------------------------------


def every_text(turnlog: Turnlog, game_id: str) -> str:
    """All that the seats and the spectator can read of a game."""
    reader = Session(str(turnlog.db)).reader()
    try:
        table = Table(reader, game_id)
        commands = [
            words for viewer in (None, *range(len(table.names))) for words in reads(table, viewer, pages=True)
        ]
    finally:
        reader.close()
    return "\n".join(turnlog(*(game_id if word == "game" else word for word in words)).out for words in commands)


_HASHES: tuple[Callable[[bytes], Any], ...] = (
    *(lambda text, size=size: hashlib.blake2b(text, digest_size=size) for size in (16, 20, 32, 64)),
    hashlib.sha256, hashlib.sha512, hashlib.sha1, hashlib.md5,
)  # fmt: skip


def confirmed(seeds: range, salts: Sequence[str], text: str) -> set[str]:
    """The seeds of which a digest, plain or with one of the salts, stands in a text."""
    read = set(re.findall(r"(?<![0-9a-f])[0-9a-f]{32,128}(?![0-9a-f])", text.lower()))
    return {
        str(seed)
        for seed in seeds
        for salt in salts
        for said in (f"{salt}{seed}", f"{salt}/{seed}", f"{seed}/{salt}", f"{seed}{salt}")
        for made in _HASHES
        if made(said.encode()).hexdigest() in read
    }


def test_no_digest_confirms_a_guess_at_a_short_seed(turnlog: Turnlog) -> None:
    """A seed of two digits is not found by trying all of them against anything that a seat reads: it is salted."""
    turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bo", "--seed", "42", "--id", "g")
    turnlog.play("g", turnlog.json("moves", "g")["moves"][0])
    text = every_text(turnlog, "g").replace('"g"', '"game"')
    created = json.decode(turnlog.ok("export", "g").out.splitlines()[0])["data"]
    assert len(created["salt"]) == 32
    assert created["seed_digest"] in text
    assert created["salt"] not in text
    known = ["", "g", "ada", "bo", "power-vacuum", "turnlog", "seed", "0", created["seed_digest"]]
    assert confirmed(range(100), known, text) == set()
    # who knows the salt, after the end, finds the seed that was promised and no other
    assert confirmed(range(100), [created["salt"]], text) == {"42"}


def test_two_games_of_one_seed_do_not_look_related(turnlog: Turnlog) -> None:
    """Each game has a salt of its own, so that equal seeds have different digests; ids do not come of the seed."""
    ids = {turnlog.json("create", "lairs", "-p", "ada", "-p", "bo", "--seed", "1")["game"] for _ in range(3)}
    digests = {turnlog.ok("log", one, "--json").lines[0]["created"]["seed_digest"] for one in ids}
    assert len(ids) == len(digests) == 3


def test_what_is_drawn_unasked_cannot_be_guessed(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without --seed, id, seed and salt are drawn apart from each other, seed and salt with 128 bits each."""
    drawn: list[int] = []

    def urandom(count: int) -> bytes:
        drawn.append(count)
        return bytes([len(drawn)]) * count

    with monkeypatch.context() as patched:
        patched.setattr("os.urandom", urandom)
        game = turnlog.json("create", "lairs", "-p", "ada", "-p", "bo")["game"]
    created = json.decode(turnlog.ok("export", game).out.splitlines()[0])["data"]
    assert sorted(drawn) == [8, 16, 16]
    assert len(created["seed"]) == len(created["salt"]) == 32
    assert created["seed"] != created["salt"]
    assert created["seed_digest"] == fingerprint(f"{created['salt']}/{created['seed']}")
