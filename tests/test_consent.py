"""Undo policy `ask`: a takeback is a request, and one event once all other persons have agreed."""

import subprocess
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import sqlite_utils
from msgspec import json

from engines.creation import Wish, create
from engines.kit.game import Game
from engines.kit.notation import words_of
from engines.registry import all_games
from engines.table import Table
from events.digest import ROOT, chained
from events.sqlite import SqliteLog, open_log
from projections.schema import prepare
from tests.conftest import ON_BOTH, Answer, Turnlog
from tests.lively_games import BEGUN, opened, play_on, seats_for
from tests.two_worlds import common_moves, world

ONCE_A_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)

#: Ada leads Y1, bo follows with Y9, cy with Y5; bo wins the trick.
DECK = ["Y1", "Y2", "W1", "W2", "G1", "G2", "R1", "R2", "Y9", "Y8", "W9", "W8", "G9", "G8", "R9", "R8", "Y5", "W6"]
OPENING = ("ada: play Y1", "bo: play Y9")


def new_game(turnlog: Turnlog, *names: str, undo: str = "ask", id_: str = "g") -> None:
    """A game in which ada has played Y1 and bo Y9, if it is theirs; cy is to move."""
    persons = [word for name in names or ("ada", "bo", "cy") for word in ("-p", name)]
    stack = turnlog.stack(regime_deck=[DECK])
    words = ("-o", "first=ada", "--seed", "1", "--stack", stack, "--undo", undo, "--id", id_)
    turnlog.ok("create", "power-vacuum", *persons, *words)
    turnlog.play(id_, *OPENING[: 2 if len(names or OPENING) > 1 and "bo" in (names or ("bo",)) else 1])


@pytest.fixture
def game(turnlog: Turnlog) -> Turnlog:
    """Ada, bo and cy at a table; two moves are made."""
    new_game(turnlog)
    return turnlog


@pytest.fixture
def asked(game: Turnlog) -> Turnlog:
    """Bo has asked to take its last move back."""
    game.ok("undo", "g", "--as", "bo")
    return game


def events(turnlog: Turnlog, id_: str = "g") -> list[Any]:
    """What the log holds."""
    return turnlog.ok("log", id_, "--as", "referee", "--json").lines


def pending(turnlog: Turnlog, *words: object) -> Any:
    """What `show` tells of a request."""
    return turnlog.json("show", "g", *words)["takeback"]


# asking -----------------------------------------------------------------------------------------------


@ON_BOTH
def test_an_undo_asks_and_writes_nothing(game: Turnlog) -> None:
    """It names the move, what each person learned by it and who is waited for; the log stays as it is."""
    before = events(game)
    answer = game.json("undo", "g", "--as", "bo", "--reason", "a slip")
    assert answer["events"] == []
    assert answer["takeback"] == {
        "state": "asked",
        "kind": "undo",
        "asked_by": "bo",
        "first": 3,
        "last": 3,
        "reason": "a slip",
        "agreed": [],
        "waiting_for": ["ada", "cy"],
        "refused_by": None,
        "moves": [{"seq": 3, "seat": "bo", "move": "play Y9"}],
        "learned": [
            {"seat": "ada", "seq": 3, "told": "bo plays Y9."},
            {"seat": "cy", "seq": 3, "told": "bo plays Y9."},
        ],
    }
    assert pending(game) == answer["takeback"]
    assert events(game) == before


def test_a_request_is_told_in_words(game: Turnlog) -> None:
    """The asker, the moves, the reason, what was learned and how to answer, in `undo`, `show` and `list`."""
    told = game.ok("undo", "g", "--as", "ada", "-n", 2, "--reason", "oops").out.replace("\n", " ")
    assert "ada asks to take back event 2 (ada: play Y1) and event 3 (bo: play Y9). Why: oops." in told
    assert "bo learned something by event 2: ada plays Y1." in told
    assert "Waiting for bo and cy: turnlog agree g --as SEAT, or with --no." in told
    shown = game.ok("show", "g", "--as", "cy").out.replace("\n", " ")
    assert "ada asks to take back event 2" in shown
    game.ok("agree", "g", "--as", "cy")
    assert "Agreed: cy. Waiting for bo:" in game.ok("show", "g").out.replace("\n", " ")
    assert "cy to move; ada's takeback request waits for bo\n" in game.ok("list").out
    [row] = game.ok("list", "--json").lines
    assert row["takeback"] == {"asked_by": "ada", "first": 2, "last": 3, "agreed": ["cy"], "waiting_for": ["bo"]}


def test_who_moved_last_asks_where_nobody_is_named(game: Turnlog) -> None:
    """Without --as the request is that of the seat whose move was the last."""
    assert game.json("undo", "g")["takeback"]["asked_by"] == "bo"


def test_of_many_moves_a_text_names_five(game: Turnlog) -> None:
    """JSON has all of them."""
    for _ in range(4):
        game.play("g", game.json("moves", "g")["moves"][0])
    answer = game.json("undo", "g", "--to", 1)
    assert [move["seq"] for move in answer["takeback"]["moves"]] == [2, 3, 4, 5, 6, 7]
    told = game.ok("show", "g").out.replace("\n", " ")
    assert "and 1 more" in told
    assert "event 7" not in told.split("asks to take back")[1].split(".")[0]


def test_games_of_other_policies_know_no_requests(turnlog: Turnlog) -> None:
    """Their answers have no such key, and there is nothing to agree to."""
    new_game(turnlog, undo="free")
    answer = turnlog("agree", "g", "--as", "ada", "--json")
    assert answer.code == 3
    assert "--undo free" in answer.error["message"]
    assert "takeback" not in turnlog.json("show", "g")
    assert "takeback" not in turnlog.json("undo", "g")


# answering --------------------------------------------------------------------------------------------


def test_when_all_have_agreed_it_is_one_event(asked: Turnlog) -> None:
    """It says who asked and who agreed, in that order; the position is the one before."""
    assert asked.json("agree", "g", "--as", "cy")["events"] == []
    answer = asked.json("agree", "g", "--as", "ada")
    [event] = answer["events"]
    assert (event["kind"], event["seat"], event["first"], event["last"]) == ("moves-undone", "bo", 3, 3)
    assert event["agreed"] == ["cy", "ada"]
    assert answer["to_move"] == ["bo"]
    assert answer["takeback"]["state"] == "granted"
    assert pending(asked) is None
    asked.ok("verify", "g")


@ON_BOTH
def test_the_event_is_told_everywhere(asked: Turnlog) -> None:
    """The log, the match report and the page name the asker and those who agreed."""
    asked.ok("agree", "g", "--as", "ada")
    sentence = "Event 3 is taken back at bo's request, agreed by ada and cy."
    assert sentence in asked.ok("agree", "g", "--as", "cy").out
    assert sentence in asked.ok("log", "g").out
    assert sentence in json.encode(events(asked)).decode()
    asked.play("g", "bo: play Y8")
    page = asked.ok("export", "g", "--format", "html").out
    assert "taken back at bo" in page
    assert "agreed by ada and cy" in page
    report = asked.ok("export", "g", "--format", "markdown").out
    assert "Taken back at bo's request, agreed by ada and cy" in report
    data = [json.decode(line)["data"] for line in asked.ok("export", "g").out.splitlines()]
    assert data[3]["agreed"] == [0, 2]


def test_the_last_one_that_is_waited_for_need_not_be_named(asked: Turnlog) -> None:
    """With two it is asked which one."""
    assert asked("agree", "g").code == 2
    asked.ok("agree", "g", "--as", "ada")
    assert asked.json("agree", "g")["events"][0]["agreed"] == ["ada", "cy"]


def test_agreeing_twice_counts_once(asked: Turnlog) -> None:
    """The other one is still waited for."""
    asked.ok("agree", "g", "--as", "ada")
    assert asked.json("agree", "g", "--as", "ada")["takeback"]["waiting_for"] == ["cy"]


@ON_BOTH
@pytest.mark.parametrize("agreed", [False, True], ids=["at once", "after agreeing"])
def test_one_no_ends_a_request(asked: Turnlog, agreed: bool) -> None:
    """Also that of a seat that had agreed before; the moves stand."""
    if agreed:
        asked.ok("agree", "g", "--as", "ada")
    before = events(asked)
    assert (
        "ada does not agree: bo's takeback request is over.\n" in asked.ok("agree", "g", "--as", "ada", "--no").out
    )
    assert pending(asked) is None
    assert asked("agree", "g", "--as", "cy").code == 3
    assert events(asked) == before


@pytest.mark.parametrize("seat", [[], ["--as", "bo"]], ids=["unnamed", "named"])
def test_the_asker_withdraws(asked: Turnlog, seat: list[str]) -> None:
    """Only the asker can, and need not be named."""
    assert asked.json("agree", "g", "--withdraw", *seat)["takeback"]["state"] == "withdrawn"
    assert pending(asked) is None
    assert "no takeback request is pending" in asked("agree", "g", "--withdraw", "--json").error["message"]


@pytest.mark.parametrize(
    ("words", "code", "text"),
    [
        (["agree", "g", "--as", "bo"], 3, "bo asked for it"),
        (["agree", "g", "--as", "bo", "--no"], 3, "bo asked for it"),
        (["agree", "g", "--as", "ada", "--withdraw"], 3, "the request is bo's"),
        (["agree", "g", "--as", "ada", "--withdraw", "--no"], 2, "say one of them"),
        (["agree", "g", "--as", "spectator"], 2, "cannot act"),
        (["agree", "g", "--as", "nobody"], 5, "no seat 'nobody'"),
        (["agree", "none", "--as", "ada"], 5, "no game"),
        (["undo", "g", "--as", "ada"], 3, "bo's takeback request is pending"),
        (["undo", "g", "--as", "bo", "-n", "3"], 3, "only 2 moves"),
        (["redo", "g", "--as", "bo"], 3, "nothing can be redone"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_refused_changes_nothing(asked: Turnlog, words: list[str], code: int, text: str) -> None:
    """The request waits on, and the text says what was wrong."""
    before = pending(asked)
    answer = asked(*words, "--json")
    assert answer.code == code
    assert text in answer.error["message"]
    assert pending(asked) == before


def test_an_asker_may_ask_for_something_else(asked: Turnlog) -> None:
    """The new request takes the old one's place, without its agreements; the same one again changes nothing."""
    asked.ok("agree", "g", "--as", "ada")
    assert asked.json("undo", "g", "--as", "bo")["takeback"]["agreed"] == ["ada"]
    answer = asked.json("undo", "g", "--as", "bo", "-n", 2)
    assert (answer["takeback"]["first"], answer["takeback"]["agreed"]) == (2, [])


def test_a_closed_or_finished_game_is_not_asked_about(asked: Turnlog) -> None:
    """A request ends with the game."""
    asked.ok("close", "g")
    assert pending(asked) is None
    for words in (["agree", "g", "--as", "ada"], ["undo", "g", "--as", "ada"]):
        answer = asked(*words, "--json")
        assert answer.code == 3
        assert "was closed" in answer.error["message"]


# nobody to ask ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("others", [["bot:random"], []], ids=["a bot", "seats of the rules"])
def test_without_another_person_it_is_granted_at_once(turnlog: Turnlog, others: list[str]) -> None:
    """Bots and seats that the rules play are not asked, cannot ask and cannot answer."""
    persons = [word for name in ("ada", *others) for word in ("-p", name)]
    turnlog.ok("create", "power-vacuum", *persons, "--seed", "1", "--undo", "ask", "--id", "g")
    turnlog.play("g", turnlog.json("moves", "g")["moves"][0])
    seats = turnlog.json("show", "g")["seats"]
    answer = turnlog("undo", "g", "--as", seats[1], "--json")
    assert answer.code == 3
    assert "no person" in answer.error["message"]
    [event] = turnlog.json("undo", "g", "--request", "r")["events"]
    assert (event["seat"], event.get("agreed")) == ("ada", None)
    assert turnlog.json("undo", "g", "--request", "r")["events"] == [event]
    [event] = turnlog.json("redo", "g")["events"]
    assert (event["kind"], event["seat"]) == ("moves-redone", "ada")


def test_a_bot_among_persons_is_not_asked(turnlog: Turnlog) -> None:
    """The one other person is enough."""
    new_game(turnlog, "ada", "bo", "bot:random")
    assert turnlog.json("undo", "g", "--as", "ada")["takeback"]["waiting_for"] == ["bo"]
    assert turnlog("agree", "g", "--as", "bot:random").code == 3
    assert len(turnlog.json("agree", "g", "--as", "bo")["events"]) == 1


# lapsing ----------------------------------------------------------------------------------------------


@ON_BOTH
def test_a_move_voids_a_request(asked: Turnlog) -> None:
    """Who moved is told, again when the command is said again; there is nothing left to agree to."""
    move = asked.json("moves", "g")["moves"][0]
    asked.ok("agree", "g", "--as", "ada")
    dry = asked.ok("play", "g", move, "--dry-run").out
    assert "bo's takeback request lapsed." in dry
    assert pending(asked)["agreed"] == ["ada"]
    words = ["play", "g", move, "--as", "cy", "--request", "r"]
    told = asked.ok(*words)
    assert "bo's takeback request lapsed.\n" in told.out
    assert asked(*words) == told
    assert asked.json(*words)["takeback"]["state"] == "lapsed"
    assert pending(asked) is None
    assert [row["takeback"] for row in asked.ok("list", "--json").lines] == [None]
    answer = asked("agree", "g", "--as", "cy", "--json")
    assert answer.code == 3
    assert "bo's takeback request lapsed" in answer.error["message"]
    after = asked.json("play", "g", asked.json("moves", "g")["moves"][0])
    assert after["takeback"] is None


def test_a_note_voids_nothing(asked: Turnlog) -> None:
    """It does not change the game; the request is still there once the lists were made anew."""
    asked.ok("note", "g", 3, "hm")
    asked.ok("rebuild")
    asked.ok("agree", "g", "--as", "ada")
    assert asked.json("agree", "g", "--as", "cy")["events"][0]["seq"] == 5


def test_an_earlier_moment_shows_no_request(asked: Turnlog) -> None:
    """`--at` shows it where it was made, and not before."""
    assert pending(asked, "--at", 2) is None
    assert pending(asked, "--at", 3)["asked_by"] == "bo"


# redo -------------------------------------------------------------------------------------------------


def test_a_redo_needs_the_same_consent(asked: Turnlog) -> None:
    """Nobody puts back alone what was taken back together; the event says who agreed."""
    for seat in ("ada", "cy"):
        asked.ok("agree", "g", "--as", seat)
    answer = asked.json("redo", "g", "--as", "bo")
    assert answer["events"] == []
    assert answer["takeback"]["kind"] == "redo"
    assert answer["takeback"]["moves"] == [{"seq": 3, "seat": "bo", "move": "play Y9"}]
    assert "bo asks to put back event 3 (bo: play Y9)." in asked.ok("show", "g").out
    for seat in ("ada", "cy"):
        answer = asked.json("agree", "g", "--as", seat)
    assert answer["events"][0]["kind"] == "moves-redone"
    assert "Event 3 is put back at bo's request, agreed by ada and cy." in asked.ok("log", "g").out
    assert answer["to_move"] == ["cy"]


def test_several_redos_are_asked_for_together(turnlog: Turnlog) -> None:
    """Each undo that is put back is an event of its own, as ever."""
    new_game(turnlog, "ada", "bo")
    for _ in range(2):
        turnlog.ok("undo", "g", "--as", "ada")
        turnlog.ok("agree", "g")
    assert [move["seq"] for move in turnlog.json("redo", "g", "-n", 2, "--as", "ada")["takeback"]["moves"]] == [
        2,
        3,
    ]
    answer = turnlog.json("agree", "g", "--request", "r")
    assert [(event["first"], event["agreed"]) for event in answer["events"]] == [(2, ["bo"]), (3, ["bo"])]
    assert turnlog.json("agree", "g", "--request", "r") == answer


# said again, expected, dry ----------------------------------------------------------------------------


@ON_BOTH
def test_a_command_said_again_is_answered_alike(game: Turnlog) -> None:
    """Whatever became of the request since: no second one is made, and nothing is agreed to twice."""
    words = [
        ["undo", "g", "--as", "bo", "--request", "r1", "--json"],
        ["agree", "g", "--as", "ada", "--request", "r2", "--json"],
        ["agree", "g", "--as", "cy", "--request", "r3", "--json"],
    ]
    answers = [game.ok(*line) for line in words]
    log = events(game)
    assert [game.ok(*line) for line in words] == answers
    game.play("g", "bo: play Y8")
    assert [game.ok(*line) for line in words] == answers
    assert pending(game) is None
    assert events(game)[: len(log)] == [*log[:2], log[2], log[3]]


@pytest.mark.parametrize(
    "words",
    [
        ["undo", "g", "--as", "bo", "-n", "2"],
        ["undo", "g", "--as", "bo", "--reason", "slip"],
        ["undo", "g"],
        ["agree", "g", "--as", "ada"],
        ["redo", "g"],
        ["play", "g", "play Y5"],
    ],
    ids=" ".join,
)
def test_a_request_id_with_another_content_is_refused(game: Turnlog, words: list[str]) -> None:
    """It stays bound to the undo that was asked for with it, though no event has it."""
    game.ok("undo", "g", "--as", "bo", "--request", "r1")
    answer = game(*words, "--request", "r1", "--json")
    assert (answer.code, answer.error["code"]) == (4, "request-reused")


def test_a_request_id_of_a_move_is_none_of_an_undo(game: Turnlog) -> None:
    """The other way about."""
    game.ok("play", "g", game.json("moves", "g")["moves"][0], "--request", "r1")
    assert game("undo", "g", "--request", "r1").code == 4


def test_expect_is_asked_for_requests_and_answers(game: Turnlog) -> None:
    """It names the event that changed the game last."""
    for words in (
        ["undo", "g", "--as", "bo"],
        ["agree", "g", "--as", "ada"],
        ["agree", "g", "--as", "ada", "--no"],
    ):
        assert game(*words, "--expect", 2).code == 4
        game.ok(*words, "--expect", 3)


def test_a_dry_run_writes_nothing(game: Turnlog) -> None:
    """It tells the request, or the event, that would be made."""
    answer = game.json("undo", "g", "--as", "bo", "--dry-run", "--request", "r")
    assert (answer["dry_run"], answer["takeback"]["waiting_for"]) == (True, ["ada", "cy"])
    assert pending(game) is None
    game.ok("undo", "g", "--as", "bo", "--request", "r")
    game.ok("agree", "g", "--as", "ada")
    for words, state in ((["--no"], "refused"), (["--withdraw"], "withdrawn"), ([], "granted")):
        seat = [] if words == ["--withdraw"] else ["--as", "cy"]
        answer = game.json("agree", "g", *seat, *words, "--dry-run")
        assert answer["takeback"]["state"] == state
        assert len(answer["events"]) == (state == "granted")
    assert pending(game)["agreed"] == ["ada"]
    assert len(events(game)) == 3


# out and in -------------------------------------------------------------------------------------------


def test_requests_do_not_travel(asked: Turnlog, tmp_path: Path) -> None:
    """A fork, and the game taken into another database, have none; a copy of the file has it."""
    asked.ok("fork", "g", "--id", "forked")
    assert asked.json("show", "forked")["takeback"] is None
    file = tmp_path / "g.jsonl"
    asked.ok("export", "g", "-O", file)
    asked.ok("import", file, "--db", tmp_path / "other.db")
    assert pending(asked, "--db", tmp_path / "other.db") is None
    asked.ok("backup", tmp_path / "copy.db")
    assert pending(asked, "--db", tmp_path / "copy.db")["asked_by"] == "bo"


def test_a_transcript_plays_the_consent_again(asked: Turnlog, tmp_path: Path) -> None:
    """The undo, each agreement, and the redo stand in it as lines of a script."""
    for seat in ("cy", "ada"):
        asked.ok("agree", "g", "--as", seat)
    asked.ok("redo", "g", "--as", "cy")
    for seat in ("ada", "bo"):
        asked.ok("agree", "g", "--as", seat)
    script = asked.ok("export", "g", "--format", "transcript").out
    assert "bo: undo -n 1\ncy: agree\nada: agree\ncy: redo\nada: agree\nbo: agree\n" in script
    (tmp_path / "g.txt").write_text(script)
    copy = asked.json("import", tmp_path / "g.txt")["game"]
    told = [event["told"] for event in events(asked, copy)]
    assert told == [event["told"] for event in events(asked)]
    asked.ok("verify", copy)


def test_a_script_asks_refuses_and_withdraws(game: Turnlog, tmp_path: Path) -> None:
    """`run` tells what becomes of requests; a word that is none stops it."""
    lines = ["bo: undo", "ada: agree --no", "bo: undo", "bo: agree --withdraw", "bo: undo", "agree --perhaps"]
    (tmp_path / "s.txt").write_text("\n".join(lines))
    answer = game("run", tmp_path / "s.txt", "--game", "g")
    assert answer.code == 2
    assert "ada does not agree: bo's takeback request is over." in answer.out
    assert "bo's takeback request is withdrawn." in answer.out
    assert "agree [--no | --withdraw]" in answer.err
    assert pending(game)["asked_by"] == "bo"


def forged(turnlog: Turnlog, change: Callable[[dict[str, Any]], None]) -> str:
    """The log of the game with its last event changed and the chain made whole again."""
    rows = [json.decode(line) for line in turnlog.ok("export", "g").out.splitlines()]
    change(rows[-1])
    digest = ROOT
    for row in rows:
        row["game"] = "forged"
        data = json.encode(row["data"]).decode()
        columns = (row["game"], row["seq"], row["at"], row["kind"], row["actor"], row["schema"], None, data)
        digest = chained(digest, *columns)
        row |= {"request": None, "digest": digest.hex()}
    return "\n".join(json.encode(row).decode() for row in rows)


@pytest.mark.parametrize("agreed", [None, [], [0], [0, 1], [0, 2, 2], [0, 2, 7]], ids=str)
def test_an_import_holds_undos_to_consent(asked: Turnlog, tmp_path: Path, agreed: list[int] | None) -> None:
    """What not all others agreed to, or the asker, or nobody asked for, is refused; the true log is taken."""
    for seat in ("ada", "cy"):
        asked.ok("agree", "g", "--as", seat)

    def change(row: dict[str, Any]) -> None:
        row["data"] |= {"seat": None} if agreed is None else {"agreed": agreed}

    file = tmp_path / "forged.jsonl"
    file.write_text(forged(asked, lambda row: None))
    asked.ok("import", file, "--db", tmp_path / "other.db")
    file.write_text(forged(asked, change))
    answer = asked("import", file, "--json")
    assert answer.code == 6
    assert "entry 4" in answer.error["message"]


def test_no_agreement_is_imported_where_none_is_asked_for(turnlog: Turnlog, tmp_path: Path) -> None:
    """In a game of another policy nobody agreed to an undo."""
    new_game(turnlog, undo="own")
    turnlog.ok("undo", "g")
    (tmp_path / "g.jsonl").write_text(forged(turnlog, lambda row: row["data"].update(agreed=[0, 2])))
    assert turnlog("import", tmp_path / "g.jsonl").code == 6


def test_a_file_from_before_there_were_requests_is_brought_up_to_date(turnlog: Turnlog) -> None:
    """Its games read on; the first command makes the tables that it lacks."""
    new_game(turnlog, undo="free")
    before = turnlog.ok("log", "g", "--json").out
    db = sqlite_utils.Database(turnlog.db)
    for table in ("takebacks", "takeback_answers"):
        db.table(table).drop()
    db.execute("delete from _sqlite_migrations where name = 'takebacks'")
    db.execute("pragma user_version = 1")
    db.close()
    assert turnlog.ok("log", "g", "--json").out == before
    new_game(turnlog, id_="h")
    assert turnlog.json("undo", "h", "--as", "bo")["takeback"]["state"] == "asked"


# races ------------------------------------------------------------------------------------------------


@contextmanager
def first(monkeypatch: pytest.MonkeyPatch, db: Path, act: Callable[[Table], Any]) -> Generator[None]:
    """Lets another process act once, just before the next transaction begins."""
    waiting = [act]

    def late(method: Callable[..., Any]) -> Callable[..., Any]:
        def begun(*arguments: Any, **named: Any) -> Any:
            if waiting:
                other = open_log(str(db), prepare, write=True)
                waiting.pop()(Table(other, "g"))
                other.close()
            return method(*arguments, **named)

        return begun

    with monkeypatch.context() as patched:
        for name in ("append", "writing"):
            patched.setattr(SqliteLog, name, late(getattr(SqliteLog, name)))
        yield
    assert not waiting


def plays(table: Table) -> None:
    """Cy moves."""
    table.play(["play", "Y5"], now=9)


def asks_for_more(table: Table) -> None:
    """Bo asks for two moves instead."""
    table.undo(now=9, seat=1, count=2)


RACES: dict[str, tuple[list[str], Callable[[Table], Any], int, int]] = {
    "agree, agree": (["agree", "g", "--as", "ada"], lambda table: table.agree(now=9, seat=2), 0, 4),
    "agree, the same": (["agree", "g", "--as", "ada"], lambda table: table.agree(now=9, seat=0), 0, 3),
    "agree, no": (["agree", "g", "--as", "ada"], lambda table: table.agree(now=9, seat=2, no=True), 3, 3),
    "agree, withdrawn": (["agree", "g", "--as", "ada"], lambda table: table.agree(now=9, withdraw=True), 3, 3),
    "agree, another": (["agree", "g", "--as", "ada"], asks_for_more, 4, 3),
    "agree, play": (["agree", "g", "--as", "ada"], plays, 3, 4),
    "agree, note": (["agree", "g", "--as", "ada"], lambda table: table.note(1, "hm", now=9), 0, 4),
    "expected, agree": (
        ["agree", "g", "--as", "ada", "--expect", "3"], lambda table: table.agree(now=9, seat=2), 4, 3
    ),
    "no, play": (["agree", "g", "--as", "ada", "--no"], plays, 3, 4),
    "undo, play": (["undo", "g", "--as", "bo", "-n", "2"], plays, 4, 4),
    "play, agree": (["play", "g", "play Y5"], lambda table: table.agree(now=9, seat=0), 0, 4),
}  # fmt: skip


@pytest.mark.parametrize("race", RACES)
def test_of_two_at_once_one_is_first(asked: Turnlog, monkeypatch: pytest.MonkeyPatch, race: str) -> None:
    """Who is second is answered by what stands then: nothing is half done, and nobody agrees unseen."""
    words, act, code, rows = RACES[race]
    with first(monkeypatch, asked.db, act):
        answer = asked(*words, "--json")
    assert (answer.code, len(events(asked))) == (code, rows)
    asked.ok("verify", "g")
    request = pending(asked)
    if race == "agree, agree":
        assert answer.json["events"][0]["agreed"] == ["cy", "ada"]
    elif race == "agree, another":
        assert (request["first"], request["agreed"]) == (2, [])
    elif race == "play, agree":
        assert answer.json["takeback"]["agreed"] == ["ada"]
        assert request is None
    elif race == "agree, note":
        assert request["agreed"] == ["ada"]


def test_the_last_agreement_and_a_move_at_once(asked: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Either the move stands or it is taken back, never both."""
    asked.ok("agree", "g", "--as", "ada")
    with first(monkeypatch, asked.db, plays):
        assert asked("agree", "g", "--as", "cy").code == 3
    assert [event["kind"] for event in events(asked)][2:] == ["move-made", "move-made"]


def test_a_move_and_the_last_agreement_at_once(asked: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """The other way about: the seat whose turn it no longer is is told so."""
    asked.ok("agree", "g", "--as", "ada")
    with first(monkeypatch, asked.db, lambda table: table.agree(now=9, seat=2)):
        assert asked("play", "g", "play Y5", "--as", "cy").code == 4
    assert [event["kind"] for event in events(asked)][2:] == ["move-made", "moves-undone"]


def test_one_request_id_at_once_is_answered_once(asked: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is overtaken by its own command gets its answer; by another one, a refusal."""
    with first(monkeypatch, asked.db, lambda table: table.agree(now=9, seat=0, request="r")):
        answer = asked.ok("agree", "g", "--as", "ada", "--request", "r", "--json")
    assert asked("agree", "g", "--as", "ada", "--request", "r", "--json") == answer
    with first(monkeypatch, asked.db, lambda table: table.agree(now=9, withdraw=True, request="s")):
        assert asked("play", "g", "play Y5", "--request", "s").code == 4
    assert len(events(asked)) == 3


def test_processes_that_agree_at_once_make_one_event(asked: Turnlog, command: Callable[..., list[str]]) -> None:
    """Both agreements count, whichever comes first."""
    processes = [
        subprocess.Popen(
            command("agree", "g", "--as", seat, "--json", "--db", asked.db),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for seat in ("ada", "cy")
    ]
    answers = [process.communicate(timeout=60) for process in processes]
    assert [process.returncode for process in processes] == [0, 0], answers
    assert sorted(len(json.decode(out)["events"]) for out, _ in answers) == [0, 1]
    assert sorted(events(asked)[3]["agreed"]) == ["ada", "cy"]
    asked.ok("verify", "g")


# every game -------------------------------------------------------------------------------------------


#: Games whose first moves show nobody anything that was not known.
FACE_DOWN = ("half-lifed", "evangelists")


@ONCE_A_GAME
def test_every_game_is_taken_back_by_consent(game: Game, turnlog: Turnlog, tmp_path: Path) -> None:
    """Moves of any game are asked about, told to all, taken back and put back; its log is taken in elsewhere."""
    names = seats_for(game, ("ada", "bo", "cy"))
    log = opened(turnlog.db)
    table, _ = create(log, Wish(game, names, undo="ask", seed="consent"), "g", now=BEGUN, secret=lambda: "salt")
    play_on(table, 4)
    log.close()
    before, said = turnlog.view("g", "referee"), list[Answer]()
    asked = turnlog.json("undo", "g", "--as", names[0], "-n", 3)["takeback"]
    assert len(asked["moves"]) >= 3
    assert bool(asked["learned"]) == (game.slug not in FACE_DOWN)
    for viewer in (*names, "spectator", "referee"):
        said.append(turnlog.ok("show", "g", "--as", viewer))
        assert "asks to take back" in said[-1].out
    for name in names[1:]:
        turnlog.ok("agree", "g", "--as", name)
    assert turnlog.view("g", "referee", "--at", asked["first"] - 1) == turnlog.view("g", "referee") != before
    turnlog.ok("redo", "g", "--as", names[1])
    for name in (names[0], *names[2:]):
        turnlog.ok("agree", "g", "--as", name)
    assert turnlog.view("g", "referee") == before
    for form, ending in (("jsonl", "jsonl"), ("transcript", "txt")):
        turnlog.ok("export", "g", "--format", form, "-O", tmp_path / f"g.{ending}")
        turnlog.ok("import", tmp_path / f"g.{ending}", "--db", tmp_path / f"{form}.db")


@ONCE_A_GAME
def test_a_request_gives_no_secret_away(game: Game, turnlog: Turnlog, tmp_path: Path) -> None:
    """In two games that differ in nothing but what a viewer may not know, it is told to that viewer alike."""
    wish = Wish(game, seats_for(game, ("ada", "bo", "cy")), seed="real")
    table, _ = create(opened(tmp_path / "real.db"), wish, "real", now=BEGUN, secret=lambda: "salt")
    play_on(table, 7)
    looked = 0
    for viewer in (table.to_move[0], None):
        worlds = [world(table, viewer, number, undo="ask") for number in (1, 2)]
        made = 0
        while made < 3:
            found = next(common_moves(worlds[0], worlds[1], viewer), None)
            if found is None:
                break
            for at in worlds:
                words = words_of(at.table.game.grammar.spell(found[1]))
                at.table.play(words, now=BEGUN, seat=found[0], bots=False)
            made += 1
        me, asker = ("spectator", 0) if viewer is None else (table.names[viewer], viewer)
        answers = list[tuple[str, ...]]()
        for at in worlds:
            at.table.undo(now=BEGUN, seat=asker, count=made)
            shows = (turnlog.ok("show", "game", "--as", me, "--db", at.path, *form) for form in ((), ("--json",)))
            answers.append(tuple(show.out for show in shows))
            at.table.log.close()
        assert answers[0] == answers[1]
        assert "asks to take back" in answers[0][0]
        looked += 1
    table.log.close()
    assert looked == 2
