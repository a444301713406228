"""Standing orders: moves left for the time when a seat comes to move, which nobody else is shown before."""

import json
from pathlib import Path
from typing import Any

import pytest

from cli.session import Session
from engines.table import Table
from projections import orders
from tests.conftest import ON_BOTH, Turnlog

#: Ada begins; bo has to follow with Y9 or Y8, and wins the trick with either.
DECK = ["Y1", "Y2", "W2", "W3", "G1", "G2", "R1", "R2", "Y9", "Y8", "W1", "W8", "G9", "G8", "R9", "R8"]
LEFT = "bo had left this move as a standing order."


@pytest.fixture
def game(turnlog: Turnlog) -> Turnlog:
    """A game `g` in which ada begins."""
    stack = turnlog.stack(regime_deck=[DECK])
    players = ("-p", "ada", "-p", "bo", "-o", "first=ada")
    turnlog.ok("create", "power-vacuum", *players, "--seed", "1", "--stack", stack, "--id", "g")
    return turnlog


def leave(turnlog: Turnlog, *moves: str) -> None:
    """Leaves orders of bo's."""
    for move in moves:
        turnlog.ok("orders", "g", move, "--as", "bo")


def left(turnlog: Turnlog, seat: str = "bo") -> list[tuple[int, str, int | None]]:
    """The orders of a seat."""
    found = turnlog.json("orders", "g", "--list", "--as", seat)
    assert (found["game"], found["seat"]) == ("g", seat)
    return [(order["number"], order["move"], order["dropped"]) for order in found["orders"]]


def events(answer: Any) -> list[tuple[Any, ...]]:
    """Who moved what, and what is remarked of it."""
    return [(event["seat"], event["move"], event["by"], event.get("remark")) for event in answer["events"]]


@ON_BOTH
def test_an_order_is_carried_out_when_its_seat_comes_to_move(game: Turnlog) -> None:
    """In the same batch as the move that made it so, one after another as long as the seat is to move."""
    leave(game, "play Y9", "point if legal")
    assert left(game) == [(1, "play Y9", None), (2, "point", None)]
    answer = game.play("g", "play Y1")
    assert events(answer) == [
        ("ada", "play Y1", "person", None),
        ("bo", "play Y9", "person", LEFT),
        ("bo", "point", "person", LEFT),
    ]
    assert left(game) == []
    assert LEFT in game.ok("log", "g").out
    assert game.json("verify", "g", "--rules")["rules"]["differs"] is None


@ON_BOTH
def test_an_order_that_is_no_longer_legal_is_dropped_and_the_next_one_tried(game: Turnlog) -> None:
    """The seat is told of it, until it leaves another one."""
    leave(game, "play R9", "play Y8", "play W1")
    answer = game.play("g", "play Y1")
    assert [event["move"] for event in answer["events"]] == ["play Y1", "play Y8"]
    assert left(game) == [(1, "play R9", 3), (3, "play W1", 3)]
    assert "Standing order 1: play R9 (dropped at event 3: not legal any more)" in game.ok(
        "show", "g", "--as", "bo"
    ).out  # fmt: skip
    game.play("g", "point")
    leave(game, "play W8")
    assert left(game) == [(4, "play W8", None)]


def test_nobody_else_is_shown_an_order(game: Turnlog, tmp_path: Path) -> None:
    """What anybody but its seat is told before it is played is the same to the byte as without it."""

    def told() -> list[str]:
        viewers = [word for who in ("ada", "spectator", "referee") for word in ([*["g", "--as"], who],)]
        said = [game.ok(command, *words).out for command in ("show", "log", "moves") for words in viewers]
        said += [game.ok("show", *words, "--json").out for words in viewers]
        said += [
            game.ok("export", "g", "--format", form).out for form in ("jsonl", "transcript", "markdown", "html")
        ]
        said += [game.ok("play", "g", "play Y1", "--dry-run", *more).out for more in ((), ("--json",))]
        said += [
            game.ok("list", "--json").out,
            game.ok("orders", "g", "--as", "ada").out,
            game.ok("verify", "g").out,
        ]
        return said

    before = told()
    leave(game, "play Y9", "play Y8")
    assert told() == before
    assert left(game, "ada") == []
    game.ok("export", "g", "--output", tmp_path / "g.jsonl")
    game.ok("import", tmp_path / "g.jsonl", "--db", tmp_path / "other.db")
    assert game.json("orders", "g", "--as", "bo", "--db", tmp_path / "other.db")["orders"] == []


def test_the_numbers_of_orders_are_a_seats_own(game: Turnlog) -> None:
    """They tell nothing of what other seats have left."""
    leave(game, "play Y9", "play Y8")
    game.play("g", "play Y1")
    game.ok("orders", "g", "play", "Y2", "--as", "ada")
    assert left(game, "ada") == [(1, "play Y2", None)]


@ON_BOTH
def test_an_order_is_undone_like_any_move_and_not_carried_out_again(game: Turnlog) -> None:
    """It is a move of its seat: with the policy `own` ada cannot take hers back behind it."""
    leave(game, "play Y9")
    game.play("g", "play Y1")
    game.ok("undo", "g")
    assert game.json("show", "g")["to_move"] == ["bo"]
    game.ok("undo", "g")
    game.ok("redo", "g")
    assert left(game) == []
    game.ok("undo", "g")
    assert [event["move"] for event in game.play("g", "play Y1")["events"]] == ["play Y1"]


def test_an_undo_carries_out_nothing(game: Turnlog) -> None:
    """An order that is left waits until a move is made after which its seat is to move."""
    game.play("g", "play Y1")
    game.ok("undo", "g")
    leave(game, "point")
    game.ok("redo", "g")
    assert game.json("show", "g")["to_move"] == ["bo"]
    assert left(game) == [(1, "point", None)]
    assert [event["move"] for event in game.play("g", "play Y9")["events"]] == ["play Y9", "point"]


@ON_BOTH
def test_an_order_is_withdrawn(game: Turnlog) -> None:
    """By its number, and by its own seat only."""
    leave(game, "play Y9", "play Y8")
    assert game("orders", "g", "--drop", "1", "--as", "ada").code == 2
    assert game.json("orders", "g", "--drop", "1", "--as", "bo")["orders"] == [
        {"number": 2, "move": "play Y8", "dropped": None}
    ]
    assert [event["move"] for event in game.play("g", "play Y1")["events"]] == ["play Y1", "play Y8"]


@pytest.mark.parametrize(
    ("words", "code", "why"),
    [
        (("play Y1", "--as", "ada"), 3, "ada is to move now"),
        (("play", "--as", "bo"), 3, "CARD"),
        (("dance", "--as", "bo"), 3, "dance"),
        (("if legal", "--as", "bo"), 3, ""),
        (("play Y9",), 2, "a seat's own"),
        (("play Y9", "--as", "referee"), 2, "referee"),
        (("play Y9", "--as", "cy"), 5, "cy"),
        (("play Y9", "--list", "--as", "bo"), 2, "say one of"),
        (("--drop", "7", "--as", "bo"), 2, "no standing order 7"),
    ],
)
def test_what_is_no_order_is_refused(words: tuple[str, ...], code: int, why: str, game: Turnlog) -> None:
    """With what is wrong with it; nothing is left."""
    refused = game("orders", "g", *words, "--json")
    assert (refused.code, why in refused.error["message"]) == (code, True), refused
    assert left(game) == []


def test_a_seat_has_only_so_many_orders(game: Turnlog) -> None:
    """Twenty."""
    leave(game, *["play Y9"] * orders.MOST)
    assert game("orders", "g", "play Y8", "--as", "bo").code == 3
    assert len(left(game)) == orders.MOST


def test_a_closed_game_takes_no_orders(game: Turnlog) -> None:
    """Nothing more happens in it."""
    game.ok("close", "g")
    assert game("orders", "g", "play Y9", "--as", "bo").code == 3


def test_a_bot_takes_no_orders(turnlog: Turnlog) -> None:
    """The one person's seat need not be named."""
    players = ("-p", "ada", "-p", "bot:random", "-o", "first=ada")
    turnlog.ok("create", "power-vacuum", *players, "--seed", "1", "--id", "g")
    assert "is to move now" in turnlog("orders", "g", "play Y1").err
    assert "played by the program" in turnlog("orders", "g", "play Y1", "--as", "bot:random").err


def test_a_repeated_request_has_the_whole_answer(game: Turnlog) -> None:
    """With the moves that were ordered, and once only."""
    leave(game, "play Y9")
    first = game.json("play", "g", "play Y1", "--request", "r")
    leave_nothing = game.json("play", "g", "play Y1", "--request", "r")
    assert first == leave_nothing
    assert len(first["events"]) == 2


def test_bots_answer_an_order(turnlog: Turnlog) -> None:
    """It goes the way that their own moves go: all in one batch."""
    players = ("-p", "ada", "-p", "bo", "-p", "bot:random", "-o", "first=ada")
    turnlog.ok("create", "power-vacuum", *players, "--seed", "4", "--id", "g")
    leave(turnlog, *(f"play {card}" for card in turnlog.view("g", "bo")["hand"]))
    answer = turnlog.play("g", turnlog.json("moves", "g")["moves"][0])
    assert [event["seat"] for event in answer["events"][:3]] == ["ada", "bo", "bot:random"]


# races ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("change", ["withdraw", "leave"])
def test_orders_that_change_while_a_move_is_decided_on_count(
    change: str, game: Turnlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was withdrawn in time is never carried out, what was left in time is."""
    if change == "withdraw":
        leave(game, "play Y9")
    real = Table._decided

    def slow(self: Table, *what: Any) -> Any:
        monkeypatch.setattr(Table, "_decided", real)
        decided = list(real(self, *what))
        log = Session(str(game.db)).writer()
        if change == "withdraw":
            assert orders.withdraw(log, "g", 1, 1)
        else:
            assert orders.leave(log, "g", 1, "play Y8", 1)
        log.close()
        return decided

    monkeypatch.setattr(Table, "_decided", slow)
    answer = game.play("g", "play Y1")
    expected = ["play Y1"] if change == "withdraw" else ["play Y1", "play Y8"]
    assert [event["move"] for event in answer["events"]] == expected
    assert left(game) == []


@ON_BOTH
def test_an_order_is_left_at_the_event_that_was_looked_at(game: Turnlog) -> None:
    """Where the game has gone on it is looked at again, so that none is left for a turn that has begun."""
    log = Session().writer()
    game.play("g", "play Y1")
    assert not orders.leave(log, "g", 1, "play Y9", 1)
    log.close()
    assert json.loads(game("orders", "g", "play Y9", "--as", "bo", "--json").err)["error"]["code"] == "refusal"
