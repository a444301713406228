"""Old logs: what any version of turnlog wrote is read by this one as it was then, and can be played on."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from msgspec import json

import events.codec
from cli.session import Session
from engines.kit.chance import Chance
from engines.kit.game import Game
from engines.registry import all_games, game_of
from engines.table import Table
from events.codec import Codec, Upcaster
from events.digest import ROOT, chained
from events.model import CREATED, MOVED
from replays.stepping import steps
from tests import golden_logs
from tests.conftest import Turnlog
from tests.golden_logs import EVERY, Known, digests, known, slugs, versions

OLD = [(version, slug) for version in versions() for slug in slugs(version)]
EVERY_GAME = pytest.mark.parametrize(("version", "slug"), OLD, ids=["-".join(one) for one in OLD])
ONCE_A_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)


def taken_in(turnlog: Turnlog, log: Known) -> Any:
    """Imports a golden log."""
    file = turnlog.db.with_name(f"{log.id}.jsonl")
    file.write_bytes(log.text)
    answer = turnlog.json("import", file)
    assert answer == {"game": log.id, "events": log.golden.events, "new": log.golden.events}
    return log.id


def old_game(turnlog: Turnlog, game: Game, name: str) -> str:
    """Imports one of a game's golden logs of the first version; gives its id."""
    return taken_in(turnlog, next(log for log in known("v1", game.slug) if log.id == f"{game.slug}-{name}"))


def play(turnlog: Turnlog, game_id: str, moves: int) -> Any:
    """Plays so many of the offered moves, as long as the game goes on; gives the last answer."""
    answer: Any = None
    for number in range(moves):
        to_move = turnlog.json("show", game_id)["to_move"]
        if not to_move:
            break
        offered = turnlog.json("moves", game_id, "--as", to_move[0])["moves"]
        answer = turnlog.json("play", game_id, offered[number * 7 % len(offered)], "--as", to_move[0])
    return answer


# the golden logs --------------------------------------------------------------------------------------


@EVERY_GAME
def test_an_old_log_is_read_as_it_was_written(version: str, slug: str, turnlog: Turnlog) -> None:
    """It is taken in, folds to the same states for everybody, is found whole, and comes out again to the byte."""
    logs = known(version, slug)
    for log in logs:
        taken_in(turnlog, log)
    reader = Session(str(turnlog.db)).reader()
    try:
        for log in logs:
            _folds_to(Table(reader, log.id), log)
    finally:
        reader.close()
    whole = turnlog.ok("verify", "--all", "--json").lines
    assert {report["game"]: report["ok"] for report in whole} == {log.id: True for log in logs}
    for log in logs:
        assert turnlog.ok("export", log.id).out.encode() == log.text, log.id


def _folds_to(table: Table, log: Known) -> None:
    found, seats = log.golden, len(table.names)
    assert (table.seq, table.position.timeline.moves()) == (found.events, found.moves), log.id
    assert (table.outcome, table.to_move) == (found.outcome, found.to_move), log.id
    told = {
        str(step.entry.seq): digests(table.game, step.state, seats)
        for step in steps(table, undone=True)
        if str(step.entry.seq) in found.states
    }
    assert told == found.states, log.id
    assert digests(table.game, table.state, seats) == found.states[str(found.events)], log.id
    middle = found.events // 2 // EVERY * EVERY
    if middle:
        then = Table(table.log, log.id, at=middle)
        assert digests(then.game, then.state, seats) == found.states[str(middle)], f"--at {middle} of {log.id}"


@ONCE_A_GAME
def test_an_old_game_is_played_on(game: Game, turnlog: Turnlog) -> None:
    """Where it was not over, it is shown, played, taken back and put back, and stays whole."""
    for name in ("going-on", "guessed"):
        old = old_game(turnlog, game, name)
        before = turnlog.view(old, "referee")
        play(turnlog, old, 6)
        after = turnlog.view(old, "referee")
        turnlog.ok("undo", old, "-n", "6")
        assert turnlog.view(old, "referee") == before != after
        turnlog.ok("redo", old)
        assert turnlog.view(old, "referee") == after
        assert turnlog.json("verify", old)["ok"]
    for name, why in (("going-on-as-1", "ada saw it"), ("resigned", "closed"), ("bots", "over")):
        refused = turnlog("play", old_game(turnlog, game, name), "anything", "--json")
        assert (refused.code, why in refused.error["message"]) == (3, True)


def test_every_game_has_golden_logs() -> None:
    """Of each game there are whole games of every number of seats, and the other kinds."""
    for game in all_games():
        names = {log.id.removeprefix(f"{game.slug}-") for version, slug in OLD if slug == game.slug
                 for log in known(version, slug) if log.golden.events > 5}  # fmt: skip
        seats = {f"seats-{count}" for count in range(game.seats[0], game.seats[1] + 1)}
        assert seats | {"bots", "forked", "guessed", "same-chance", "resigned", "abandoned", "going-on"} <= names


def test_golden_logs_are_never_written_anew(capsys: pytest.CaptureFixture[str]) -> None:
    """The writer refuses where they lie, and touches nothing."""
    before = {path: path.stat().st_mtime_ns for path in golden_logs.LOGS.rglob("*")}
    said: list[str] = []
    assert golden_logs.write(said.append) == 2
    assert "written once" in said[0]
    assert before == {path: path.stat().st_mtime_ns for path in golden_logs.LOGS.rglob("*")}


# a made-up older schema -------------------------------------------------------------------------------


def lowered(text: bytes, lower: Upcaster, schema: int) -> list[dict[str, Any]]:
    """The rows of a log as a version before `lower`'s would have written them, in a chain of their own."""
    rows, digest = [json.decode(line) for line in text.splitlines()], ROOT
    for row in rows:
        row["data"] = lower(row["kind"], row["data"])
        row["schema"] = schema
        columns = (row[name] for name in ("game", "seq", "at", "kind", "actor", "schema", "request"))
        digest = chained(digest, *columns, json.encode(row["data"]).decode())
        row["digest"] = digest.hex()
    return rows


def unchanged(kind: str, document: dict[str, Any]) -> dict[str, Any]:
    """A document as it is."""
    return document


def lower_game(kind: str, document: dict[str, Any]) -> dict[str, Any]:
    """In the game's made-up first schema facts were called what happened, and had other tags."""
    document = dict(document)
    if kind in (CREATED, MOVED):
        document["happened"] = [
            {"its-name": fact.pop("type").replace(".", ".old-")} | fact
            for fact in map(dict, document.pop("facts"))
        ]
    return document


def lift_game(kind: str, document: dict[str, Any]) -> dict[str, Any]:
    """Lifts it to today's."""
    document["facts"] = [
        {"type": fact.pop("its-name").replace(".old-", ".")} | fact for fact in document.pop("happened")
    ]
    return document


def lower_envelope(kind: str, document: dict[str, Any]) -> dict[str, Any]:
    """In the made-up first envelope draws were pairs, and who undid or noted was said by `by`."""
    document = dict(document)
    if kind in (CREATED, MOVED):
        document["draws"] = [[name, count] for name, count in document["draws"].items()]
    else:
        document["by"] = document.pop("seat")
    return document


def lift_envelope(kind: str, document: dict[str, Any]) -> dict[str, Any]:
    """Lifts it to today's."""
    if kind in (CREATED, MOVED):
        document["draws"] = dict(document["draws"])
    else:
        document["seat"] = document.pop("by")
    return document


def a_later_version(
    monkeypatch: pytest.MonkeyPatch,
    game: Game,
    game_lifts: Mapping[int, Upcaster],
    envelope: Mapping[int, Upcaster],
) -> None:
    """Makes this a turnlog that has changed its documents since."""
    monkeypatch.setattr(events.codec, "ENVELOPE", 1 + len(envelope))
    monkeypatch.setattr(events.codec, "ENVELOPE_UPCASTERS", envelope)
    old = game.projector
    new = Codec[Any, Any, Any](
        game.state.Set, game._module("moves").MOVES, old.codec.fact_type, 1 + len(game_lifts), game_lifts
    )
    monkeypatch.setitem(game.__dict__, "projector", old._replace(codec=new))


CHANGES = {
    "game": ((lower_game,), {1: lift_game}, {}),
    "envelope": ((lower_envelope,), {}, {1: lift_envelope}),
    "both": ((lower_game, lower_envelope), {1: lift_game}, {1: lift_envelope}),
}


@pytest.mark.parametrize(
    ("slug", "change"),
    [*((game.slug, "both") for game in all_games()), ("power-vacuum", "game"), ("power-vacuum", "envelope")],
)
def test_a_log_of_an_older_schema_is_lifted(
    slug: str, change: str, turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A log of a made-up older schema is taken in as it is, read as today's and played on in today's."""
    game, (lowers, game_lifts, envelope) = game_of(slug), CHANGES[change]
    log = next(log for log in known("v1", game.slug) if log.id == f"{game.slug}-going-on")

    def lower(kind: str, document: dict[str, Any]) -> dict[str, Any]:
        for one in lowers:
            document = one(kind, document)
        return document

    rows = lowered(log.text, lower, 1001)
    a_later_version(monkeypatch, game, game_lifts, envelope)
    file = turnlog.db.with_name("old.jsonl")
    file.write_text("".join(json.encode(row).decode() + "\n" for row in rows))
    assert turnlog.json("import", file)["events"] == log.golden.events
    assert turnlog.ok("export", log.id).out == file.read_text()
    reader = Session(str(turnlog.db)).reader()
    try:
        _folds_to(Table(reader, log.id), log)
    finally:
        reader.close()

    before = turnlog.view(log.id, "referee")
    play(turnlog, log.id, 4)
    turnlog.ok("undo", log.id, "-n", "6")
    turnlog.ok("redo", log.id)
    turnlog.ok("undo", log.id, "-n", "4")
    assert turnlog.view(log.id, "referee") == before
    turnlog.ok("note", log.id, "3", "an old event")
    assert turnlog.json("verify", log.id)["ok"]
    for words in (("log",), ("replay", "--json"), ("export", "--as", "ada")):
        turnlog.ok(words[0], log.id, *words[1:])
    written = [json.decode(line) for line in turnlog.ok("export", log.id).out.splitlines()]
    schemas = [row["schema"] for row in written]
    today = (1 + len(envelope)) * 1000 + 1 + len(game_lifts)
    assert schemas == [1001] * len(rows) + [today] * (len(written) - len(rows))
    assert written[: len(rows)] == rows
    turnlog.ok("import", turnlog.db.with_name("old.jsonl"), "--db", turnlog.db.with_name("other.db"))


def lies(turnlog: Turnlog, game_id: str) -> str:
    """The rows of a game, whether they can be read or not."""
    reader = Session(str(turnlog.db)).reader()
    try:
        return "".join(f"{line}\n" for line in reader.lines(game_id))
    finally:
        reader.close()


@pytest.mark.parametrize("lifts", [({1: unchanged}, {}), ({}, {1: unchanged})], ids=["game", "envelope"])
def test_a_game_that_a_newer_turnlog_went_on_with_is_left_alone(
    lifts: Any, turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is refused in words by every command, closing it among them, and not a byte of it changes."""
    [game, *_] = all_games()
    old = old_game(turnlog, game, "going-on")
    with monkeypatch.context() as newer:
        a_later_version(newer, game, *lifts)
        play(turnlog, old, 1)
    written = lies(turnlog, old)
    file = turnlog.db.with_name("newer.jsonl")
    file.write_text(written)
    commands = (("show",), ("log",), ("moves",), ("play", "anything"), ("undo",), ("redo",), ("note", "1", "x"),
                ("close",), ("fork",), ("replay",), ("verify",), ("export",))  # fmt: skip
    for words in commands:
        answer = turnlog(words[0], old, *words[1:], "--json")
        assert (answer.code, answer.error["code"]) == (6, "too-new"), words
        assert "written by a newer turnlog" in answer.error["message"]
        assert answer.error["hint"].startswith("install the newer turnlog")
    refused = turnlog("import", file, "--db", turnlog.db.with_name("other.db"), "--json")
    assert (refused.code, "by a newer turnlog" in refused.error["message"]) == (6, True)
    turnlog.ok("rebuild")
    turnlog.ok("list")
    assert lies(turnlog, old) == written
    a_later_version(monkeypatch, game, *lifts)
    assert turnlog.json("verify", old)["ok"]


# rules that change in the middle of a game ------------------------------------------------------------

Patch = Callable[[pytest.MonkeyPatch, Game, list[Any]], int]


def another_deal(patched: pytest.MonkeyPatch, game: Game, log: list[Any]) -> int:
    """Today the set-up and all rules draw otherwise."""
    set_up, rule = game.rules.setup, game.rules.play
    patched.setattr(
        game.rules, "setup", lambda state, names, options, _: set_up(state, names, options, Chance("?"))
    )
    patched.setattr(
        game.rules, "play", lambda state, seat, move, chance: rule(state, seat, move, Chance("?", chance._before))
    )
    return 1


def a_move_forbidden(patched: pytest.MonkeyPatch, game: Game, log: list[Any]) -> int:
    """Today the move that was made last is none any more, unless it is the only one."""
    offers = game.rules.offers
    [*_, last] = [event for event in log if event["kind"] == "move-made" and event["stands"]]
    seat = game_seats(log).index(last["seat"])

    def fewer(state: Any, mover: int) -> Any:
        return [
            type(offer)(
                offer.verb,
                offer.pattern,
                lambda move, offer=offer: (
                    "it was forbidden since" if spelt(mover, move) == last["move"] else offer.refusal(move)
                ),
                lambda offer=offer: [move for move in offer.moves() if spelt(mover, move) != last["move"]],
                offer.complete,
            )
            for offer in offers(state, mover)
        ]

    def spelt(mover: int, move: Any) -> str | None:
        return game.grammar.spell(move) if mover == seat else None

    patched.setattr(game.rules, "offers", fewer)
    first = next(event for event in log if (event["seat"], event["move"]) == (last["seat"], last["move"])
                 and event["stands"])  # fmt: skip
    return first["seq"]


def game_seats(log: list[Any]) -> list[str]:
    """The seats of a game, from its log."""
    return log[0]["created"]["seats"]


@ONCE_A_GAME
@pytest.mark.parametrize("change", [another_deal, a_move_forbidden], ids=lambda change: change.__name__)
def test_rules_may_change_while_a_game_goes_on(
    game: Game, change: Patch, turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The old game stands as it stood and goes on by the new rules; `verify --rules` names the change."""
    old = old_game(turnlog, game, "forked" if change is a_move_forbidden else "going-on")
    log = turnlog.ok("log", old, "--as", "referee", "--json").lines
    shown = turnlog.ok("show", old, "--as", "referee").out.splitlines()[:-1]
    monkeypatch.setattr(game, "rules_version", game.rules_version + 1)
    seq = change(monkeypatch, game, log)

    assert turnlog.ok("log", old, "--as", "referee", "--json").lines == log
    assert turnlog.ok("show", old, "--as", "referee").out.splitlines()[: len(shown)] == shown
    report = turnlog.json("verify", old, "--rules")
    assert (report["ok"], report["rules"]["differs"]["seq"]) == (True, seq)
    before = turnlog.view(old, "referee")
    play(turnlog, old, 5)
    turnlog.ok("undo", old, "-n", "7")
    turnlog.ok("redo", old)
    turnlog.ok("undo", old, "-n", "5")
    assert turnlog.view(old, "referee") == before
    play(turnlog, old, 10)
    report = turnlog.json("verify", old, "--rules")
    assert (report["ok"], report["rules"]["differs"]["seq"]) == (True, seq)
