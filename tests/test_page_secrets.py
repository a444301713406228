"""What is exported for a viewer holds what that viewer may know, and no more."""

import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from msgspec import json, msgpack

from engines.creation import Wish, create
from engines.kit.game import Game
from engines.kit.notation import words_of
from engines.kit.secrecy import REFEREE, Viewer
from engines.registry import all_games, game_of
from engines.table import Table
from replays.html import html
from tests.conftest import Turnlog
from tests.lively_games import BEGUN, opened, play_on, seats_for, think_little
from tests.two_worlds import common_moves, world

ONCE_A_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
FORMATS = ("html", "markdown", "jsonl")
NAMES = ("ada", "bo", "cy")
SEED, SALT = "the-seed-of-this-game", "the-salt-of-this-game"


@pytest.fixture(autouse=True)
def _quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Key moments are looked for, but with bots that do not think."""
    think_little(monkeypatch)


def viewers(table: Table) -> list[Viewer]:
    """Every seat, and the spectator."""
    return [*range(len(table.names)), None]


def said(table: Table, viewer: Viewer) -> str:
    """How a viewer is named on the command line."""
    return "spectator" if viewer is None else table.names[viewer]


def started(path: Path, game: Game, moves: int, stack: dict[str, list[Any]] | None = None) -> Table:
    """A game that is going on after some moves, one of them taken back."""
    wish = Wish(game, seats_for(game, NAMES), seed=SEED, stack=stack or {})
    table, _ = create(opened(path), wish, "real", now=BEGUN, secret=lambda: SALT)
    play_on(table, moves)
    table.undo(now=table.seq * 1_000 + BEGUN)
    play_on(table, 1, "other")
    table.note(2, "why that?", now=table.seq * 1_000 + BEGUN)
    assert table.outcome is None
    return table


# other worlds -----------------------------------------------------------------------------------------


@ONCE_A_GAME
def test_an_export_is_the_same_in_every_world_that_looks_the_same(
    game: Game, turnlog: Turnlog, tmp_path: Path
) -> None:
    """Two games that differ in hidden things only, played alike, are exported to the same bytes for a viewer."""
    table = started(tmp_path / "real.db", game, 12)
    differed = 0
    for viewer in (0, None):
        one, other = world(table, viewer, 1), world(table, viewer, 2)
        differed += msgpack.encode(one.table.state) != msgpack.encode(other.table.state)
        for number in range(6):
            chosen = next(common_moves(one, other, viewer), None)
            if chosen is None:
                break
            for at in (one, other):
                words = words_of(game.grammar.spell(chosen[1]))
                at.table.play(words, now=BEGUN + number, seat=chosen[0], bots=False)
        for at in (one, other):
            at.table.note(1, "a note", now=BEGUN + 9)
            if at.table.position.timeline.moves():
                at.table.undo(now=BEGUN + 9)
        for format_, seat in product(FORMATS, (said(table, viewer),)):
            exports = [
                turnlog.ok("--db", at.path, "export", "game", "--format", format_, "--as", seat).out
                for at in (one, other)
            ]
            assert exports[0] == exports[1], f"{format_} for {seat}"
        one.table.log.close()
        other.table.log.close()
    assert differed, "no viewer has anything to guess at, so that nothing was tried"
    table.log.close()


# what must not stand there ----------------------------------------------------------------------------


def exports(turnlog: Turnlog, table: Table, viewer: Viewer) -> Iterator[tuple[str, str]]:
    """Each format that can be made for a viewer, and its text; of jsonl without the set, which names all cards."""
    for format_ in FORMATS:
        out = turnlog.ok(
            "--db", table.log.path, "export", table.id, "--format", format_, "--as", said(table, viewer)
        ).out
        if format_ == "jsonl":
            rows = [json.decode(line) for line in out.splitlines()]
            rows[0]["data"].pop("set")
            out = "\n".join(json.encode(row).decode() for row in rows)
        yield format_, re.sub(r"<style>.*?</style>|<meta[^>]*>", "", out, flags=re.S)


def test_no_hidden_card_of_power_vacuum_stands_in_an_export(turnlog: Turnlog, tmp_path: Path) -> None:
    """No card of another hand that was never played, no Agenda that was never revealed, in any format."""
    table = started(tmp_path / "real.db", game_of("power-vacuum"), 25)
    everything = "\n".join(text for text in exports_of_all(turnlog, table))
    searched = 0
    for viewer in viewers(table):
        others = [seat for seat in range(len(table.names)) if seat != viewer]
        hidden = [card for seat in others for card in table.state.hands[seat]]
        hidden += [table.state.agendas[seat] for seat in others if not table.state.revealed[seat]]
        for format_, text in exports(turnlog, table, viewer):
            for secret in hidden:
                assert secret in everything
                assert not re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", text), f"{secret} in {format_}"
                searched += 1
    assert searched > 100
    table.log.close()


def exports_of_all(turnlog: Turnlog, table: Table) -> Iterator[str]:
    """What a referee is given, in every format."""
    for format_ in FORMATS:
        yield turnlog.ok("--db", table.log.path, "export", table.id, "--format", format_, "--as", "referee").out


@ONCE_A_GAME
def test_seed_salt_and_digests_are_sealed_while_a_game_runs(game: Game, turnlog: Turnlog, tmp_path: Path) -> None:
    """Neither seed nor salt nor a digest of the real log is in an export; the seed's own digest is."""
    table = started(tmp_path / "real.db", game, 8)
    digests = [row.digest.hex() for row in table.log.rows("real")]

    def sealed(text: str) -> None:
        assert SEED not in text
        assert SALT not in text
        assert not any(digest in text for digest in digests)

    for format_, text in exports(turnlog, table, 0):
        sealed(text)
        assert (table.created.seed_digest in text) == (format_ == "jsonl")
    for format_, text in exports(turnlog, table, None):
        sealed(text)
        if format_ == "markdown":  # what is exported unasked is what a spectator may know
            assert turnlog.ok("--db", table.log.path, "export", "real", "--format", format_).out == text
    table.log.close()


def test_a_stack_is_sealed_until_the_game_is_over(turnlog: Turnlog, tmp_path: Path) -> None:
    """What was fixed beforehand is a secret as the seed is; both open at the end, and the digest fits the seed."""
    stack: dict[str, list[Any]] = {"first-player": ["bo"], "regime-deck": [["Y9", "W9", "G9"]]}
    table = started(tmp_path / "real.db", game_of("power-vacuum"), 8, stack)

    def created() -> Any:
        out = turnlog.ok("--db", table.log.path, "export", "real", "--format", "jsonl", "--as", "ada").out
        return json.decode(out.splitlines()[0])["data"]

    assert (created()["seed"], created()["salt"], created()["stack"]) == ("", "", {})
    while table.to_move:
        play_on(table, 50, f"on/{table.seq}")
    assert (created()["seed"], created()["salt"], created()["stack"]) == (SEED, SALT, stack)
    table.undo(now=BEGUN)
    assert (created()["seed"], created()["salt"], created()["stack"]) == ("", "", {})
    table.log.close()


# size -------------------------------------------------------------------------------------------------


@ONCE_A_GAME
def test_a_page_of_500_moves_is_small(game: Game, tmp_path: Path) -> None:
    """With the most seats, seen by everybody, 250 moves make a page of less than half of 1.5 MB; 500, of that.

    A page keeps each line and panel once, so that its second half is never the larger one.
    """
    names = ("ada", "bo", "cy", "di", "ed", "flo", "gus", "hal")[: game.seats[1]]
    table, _ = create(opened(tmp_path / "g.db"), Wish(game, names, seed="1"), "g", now=BEGUN, secret=lambda: SALT)
    moves = 0
    while moves < 250:
        moves += play_on(table, 250 - moves, f"size/{moves}")
        if moves < 250:
            table.undo(now=BEGUN, count=min(30, table.position.timeline.moves()))
    page = "\n".join(html(table, REFEREE))
    assert page.count("<li id=") > 250
    assert len(page.encode()) < 750_000
    table.log.close()
