"""`verify`: what today's rules would make of a log, and whether its seed dealt what was dealt, for every game."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from msgspec import json

from engines.forking import standing
from engines.kit.game import Game
from engines.registry import all_games, game_of
from engines.table import Entry, Table
from events.digest import ROOT, chained, fingerprint
from events.sqlite import TRIGGERS
from replays import verifying
from tests.conftest import Turnlog
from tests.lively_games import BEGUN, lively, opened, play_on, seats_for

ONCE_A_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)


def play_lively(turnlog: Turnlog, game: Game) -> list[Entry]:
    """Puts a game with undone lines into the database; gives what stands of it."""
    log = opened(turnlog.db)
    table = lively(log, game, seats_for(game, ("ada", "bo", "cy")), moves=16)
    entries = standing(table)
    log.close()
    return entries


def finish(turnlog: Turnlog, game: Game, *more: object) -> None:
    """Puts a finished game of bots into the database, as game `over`."""
    seats = ["-p", "bot:random"] * game.seats[0]
    turnlog.ok("create", game.slug, *seats, "--seed", "one", "--id", "over", *more)
    assert turnlog.json("show", "over")["result"]


# rules ------------------------------------------------------------------------------------------------


@ONCE_A_GAME
def test_todays_rules_make_the_same_log(game: Game, turnlog: Turnlog) -> None:
    """Of a log written today, undone lines and all, and of a finished one, the rules make the same."""
    entries = play_lively(turnlog, game)
    finish(turnlog, game)
    checked = turnlog.json("verify", "lively", "--rules")["rules"]
    assert checked == {"events": len(entries), "differs": None}
    assert f"make the same of all {len(entries)} events" in turnlog.ok("verify", "lively", "--rules").out
    assert turnlog.json("verify", "over", "--rules")["rules"]["differs"] is None
    assert "rules" not in turnlog.json("verify", "lively")


@ONCE_A_GAME
def test_a_changed_rule_names_the_first_event_it_makes_otherwise(
    game: Game, turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A rule that leaves a fact out is told with its event, both versions in words; exit 0: the log is valid."""
    entries = play_lively(turnlog, game)
    target: Any = entries[-1].event
    first = next(seq for seq, event in entries[1:] if (event.seat, event.move) == (target.seat, target.move))  # type: ignore[union-attr]
    rule = game.rules.play

    def shorter(state: Any, seat: int, move: Any, chance: Any) -> Iterator[Any]:
        done = rule(state, seat, move, chance)
        if (seat, move) == (target.seat, target.move):
            next(done)
            return
        yield from done

    monkeypatch.setattr(game.rules, "play", shorter)
    answer = turnlog("verify", "lively", "--rules", "--json")
    assert answer.code == 0
    differs = answer.json["rules"]["differs"]
    assert differs["seq"] == first
    assert differs["why"].startswith("recorded is: ")
    assert "Today it would be: nothing more." in differs["why"]
    text = turnlog.ok("verify", "--all", "--rules").out
    assert f"Today's rules make event {first} otherwise:" in text
    assert "All 1 games are whole." in text


def test_moves_refused_today_are_told(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """A move that is not on offer any more is named with the sentence that refuses it."""
    game = game_of("power-vacuum")
    entries = play_lively(turnlog, game)
    monkeypatch.setattr(game.rules, "offers", lambda state, seat: ())
    differs = turnlog.json("verify", "lively", "--rules")["rules"]["differs"]
    assert differs["seq"] == entries[1].seq
    spelt = game.grammar.spell(entries[1].event.move)  # type: ignore[union-attr]
    assert differs["why"].startswith(f"today {spelt!r} is refused: ")


def test_a_rule_that_fails_today_is_told(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Rules that cannot cope with an old log are no fault of the log: it is told, and exit 0."""
    game = game_of("power-vacuum")
    entries = play_lively(turnlog, game)

    def broken(*_: Any) -> Iterator[Any]:
        raise KeyError("gone")
        yield

    with monkeypatch.context() as patched:
        patched.setattr(game.rules, "play", broken)
        differs = turnlog.json("verify", "lively", "--rules")["rules"]["differs"]
        assert (differs["seq"], "fail" in differs["why"]) == (entries[1].seq, True)
    with monkeypatch.context() as patched:
        patched.setattr(game.rules, "setup", broken)
        differs = turnlog.json("verify", "lively", "--rules")["rules"]["differs"]
        assert (differs["seq"], "set-up" in differs["why"]) == (1, True)


@ONCE_A_GAME
def test_another_set_up_is_told_of_the_first_event(
    game: Game, turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where today's set-up is another one, the first event differs."""
    play_lively(turnlog, game)
    monkeypatch.setattr(game.rules, "setup", lambda *_: iter(()))
    assert turnlog.json("verify", "lively", "--rules")["rules"]["differs"]["seq"] == 1


# seed and deal ----------------------------------------------------------------------------------------

Forge = Callable[[list[dict[str, Any]]], None]


def forged(turnlog: Turnlog, game_id: str, forge: Forge) -> list[tuple[Any, ...]]:
    """The rows of a game with its documents changed, in a chain that fits again."""
    rows: list[tuple[Any, ...]] = []
    digest = ROOT
    documents = [json.decode(line) for line in turnlog.ok("export", game_id).out.splitlines()]
    forge([document["data"] for document in documents])
    for one in documents:
        data = json.encode(one["data"]).decode()
        columns = tuple(one[key] for key in ("game", "seq", "at", "kind", "actor", "schema", "request"))
        digest = chained(digest, *columns, data)
        rows.append((*columns, data, digest))
    return rows


def as_file(rows: list[tuple[Any, ...]], path: Path) -> Path:
    """The rows as a file that could be imported."""
    keys = ("game", "seq", "at", "kind", "actor", "schema", "request")
    with path.open("w") as file:
        for *columns, data, digest in rows:
            head = json.encode(dict(zip(keys, columns, strict=True))).decode()
            file.write(f'{head[:-1]},"data":{data},"digest":"{digest.hex()}"}}\n')
    return path


def put_in(db: Path, rows: list[tuple[Any, ...]]) -> None:
    """Puts the rows in the place of those of their game, behind the program's back."""
    with closing(sqlite3.connect(db, isolation_level=None)) as raw:
        for name in TRIGGERS:
            raw.execute(f"drop trigger {name}")
        raw.execute("delete from events where game = ?", (rows[0][0],))
        raw.execute("delete from snapshots")
        raw.executemany("insert into events values (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        raw.execute("update games set digest = ? where game = ?", (rows[-1][-1].hex().upper(), rows[0][0]))
        for sql in TRIGGERS.values():
            raw.execute(sql)


def another_seed(documents: list[dict[str, Any]]) -> None:
    """Claims that another seed dealt, with a digest that fits it."""
    documents[0]["seed"] = "two"
    documents[0]["seed_digest"] = fingerprint(f"{documents[0]['salt']}/two")


@ONCE_A_GAME
def test_after_the_end_the_seed_has_to_deal_what_was_dealt(game: Game, turnlog: Turnlog, tmp_path: Path) -> None:
    """A log whose seed was exchanged, its digest and the whole chain with it, is found out: exit 6, no import."""
    finish(turnlog, game)
    assert turnlog.json("verify", "over")["over"] is True
    rows = forged(turnlog, "over", lambda documents: None)
    file = as_file(rows, tmp_path / "same.jsonl")
    assert turnlog.json("import", file)["new"] == 0
    rows = forged(turnlog, "over", another_seed)
    told = turnlog("import", as_file(rows, tmp_path / "forged.jsonl"), "--db", tmp_path / "other.db", "--json")
    assert (told.code, told.error["code"]) == (6, "bad-entry")
    assert "does not deal what was dealt" in told.error["message"]
    assert turnlog.ok("list", "--db", tmp_path / "other.db", "--json").out == ""
    put_in(turnlog.db, rows)
    told = turnlog("verify", "over", "--json")
    assert (told.code, told.error["code"]) == (6, "damaged")
    assert "of game over is damaged: the seed of the game does not deal what was dealt" in told.error["message"]
    assert turnlog("verify", "--all").code == 6


def test_a_promise_is_kept_from_the_start(turnlog: Turnlog, tmp_path: Path) -> None:
    """A seed or salt that is not the one whose digest was open from the start is found out at any time."""
    play_lively(turnlog, game_of("power-vacuum"))
    for key in ("seed", "salt", "seed_digest"):
        rows = forged(turnlog, "lively", lambda documents, key=key: documents[0].update({key: "0" * 32}))
        told = turnlog("import", as_file(rows, tmp_path / f"{key}.jsonl"), "--db", tmp_path / "o.db", "--json")
        assert told.code == 6
        assert "not the one that was promised" in told.error["message"]


def test_a_closed_game_is_held_to_its_seed_too(turnlog: Turnlog, tmp_path: Path) -> None:
    """Closed by hand, a game opens its seed as well, and it has to deal what was dealt."""
    play_lively(turnlog, game_of("power-vacuum"))
    turnlog.ok("close", "lively", "--as", "ada")
    turnlog.ok("verify", "lively")
    rows = forged(turnlog, "lively", another_seed)
    told = turnlog("import", as_file(rows, tmp_path / "f.jsonl"), "--db", tmp_path / "o.db", "--json")
    assert told.code == 6
    assert "does not deal what was dealt" in told.error["message"]


def test_stacked_and_forked_games_deal_what_they_say(turnlog: Turnlog) -> None:
    """Stacks count as what was dealt; a fork is held to the chance it says it has."""
    game = game_of("power-vacuum")
    finish(turnlog, game, "--stack", '{"regime-deck": [["Y9", "W9"]], "first-player": ["bot:random"]}')
    for name, more in (("same", ["--same-chance"]), ("new", []), ("guess", ["--as", "1"])):
        turnlog.ok("fork", "over", "--at", 9, "--id", name, *more)
    report = {row["game"]: row for row in turnlog.ok("verify", "--all", "--rules", "--json").lines}
    assert {name: row["rules"]["differs"] for name, row in report.items()} == dict.fromkeys(report)
    assert all(row["over"] for row in report.values())


def test_a_game_whose_end_was_taken_back_is_not_over(turnlog: Turnlog) -> None:
    """What the last event leaves is what is told, also where it is an undo."""
    log = opened(turnlog.db)
    table = lively(log, game_of("power-vacuum"), ("ada", "bo"), moves=10)
    while table.to_move:
        play_on(table, 50, f"on/{table.seq}")
    assert turnlog.json("verify", "lively")["over"] is True
    table.undo(now=BEGUN)
    assert turnlog.json("verify", "lively")["over"] is False
    table.redo(now=BEGUN)
    assert turnlog.json("verify", "lively")["over"] is True
    log.close()


def test_undos_do_not_make_it_fold_all_anew(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """After an undo the fold goes on from a state near by."""
    log = opened(turnlog.db)
    table = lively(log, game_of("power-vacuum"), ("ada", "bo", "cy"), moves=200)
    for number in range(20):
        table.undo(now=BEGUN)
        play_on(table, 1, f"again/{number}")
    last = table.seq
    assert Table(log, "lively").state == table.state
    log.close()
    folded: list[int] = []
    fold = verifying.fold

    def counted(reducers: Any, state: Any, facts: Any) -> None:
        folded.append(1)
        fold(reducers, state, facts)

    monkeypatch.setattr(verifying, "fold", counted)
    turnlog.ok("verify", "lively")
    assert len(folded) < last + 24 * 64
