"""Half-Lifed with several seats that act at once: no move is lost, none fails because another seat was first."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from engines.table import Table
from events.errors import Conflict
from events.sqlite import open_log
from projections.schema import prepare
from tests.conftest import Turnlog
from tests.half_lifed import Plants

#: Each seat is to make at least so many moves.
MOVES = 200
GAMES = 8

#: Plays seat SEAT in all games to their end, each move through a table of its own, and prints how many it made.
PLAYER = """
import sys
from engines.kit.chance import Chance
from engines.kit.notation import words_of
from engines.kit.offers import legal
from engines.table import Table
from events.sqlite import open_log
from projections.schema import prepare

path, seat, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
log = open_log(path, prepare, write=True)
choice = Chance(f"player/{seat}")
made = 0
for number in range(games):
    while True:
        table = Table(log, f"g{number}")
        if table.outcome is not None:
            break
        if seat in table.to_move:
            moves = legal(table.offers(seat))
            move = moves[choice.number("move", len(moves))]
            table.play(words_of(table.game.grammar.spell(move)), now=made, seat=seat)
            made += 1
print(made)
"""


def test_two_processes_playing_two_seats_lose_nothing(turnlog: Turnlog) -> None:
    """200 moves each and more, at the same time, without --expect: all of them stand, in whole games."""
    for number in range(GAMES):
        turnlog.json("create", "half-lifed", "-p", "ada", "-p", "bo", "--id", f"g{number}", "--seed", number)
    players = [
        subprocess.Popen(
            [sys.executable, "-c", PLAYER, str(turnlog.db), str(seat), str(GAMES)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            cwd=Path(__file__).parent.parent,
        )
        for seat in (0, 1)
    ]
    made: list[int] = []
    for player in players:
        out, err = player.communicate(timeout=120)
        assert player.returncode == 0, err
        made.append(int(out))
    assert min(made) >= MOVES
    stands = [0, 0]
    for number in range(GAMES):
        for event in turnlog.ok("log", f"g{number}", "--json").lines:
            if event["kind"] == "move-made":
                stands[["ada", "bo"].index(event["seat"])] += 1
    assert stands == made
    turnlog.ok("verify", "--all", "--rules")


def table_of(turnlog: Turnlog, log: object) -> Table:
    """The game `g`, loaded."""
    return Table(log, "g")  # type: ignore[arg-type]


def test_an_overtaken_move_is_decided_again(turnlog: Turnlog) -> None:
    """Loaded before the other seat's move, played after it: it stands behind it."""
    Plants(turnlog, "c16 c17 w16 w17").deal(ada="c16 w16", bo="c17 w17")
    log = open_log(str(turnlog.db), prepare, write=True)
    try:
        slow, quick = table_of(turnlog, log), table_of(turnlog, log)
        first = quick.play(["build", "c17"], now=1, seat=1)
        second = slow.play(["build", "c16"], now=2, seat=0)
        assert second[0].seq == first[0].seq + 1
        assert slow.state.plants[1].cards == ["c17"]
    finally:
        log.close()


@pytest.mark.parametrize("repeated", [True, False], ids=["the same request", "another request"])
def test_an_overtaken_request_is_answered_once(turnlog: Turnlog, repeated: bool) -> None:
    """The same request that came first elsewhere gives its answer, and is not played twice."""
    Plants(turnlog, "c16 c17 w16 w17").deal(ada="c16 w16", bo="c17 w17")
    log = open_log(str(turnlog.db), prepare, write=True)
    try:
        slow, quick = table_of(turnlog, log), table_of(turnlog, log)
        first = quick.play(["activate", "hq1", "w16"], now=1, seat=0, request="r1")
        if repeated:
            assert slow.play(["activate", "hq1", "w16"], now=2, seat=0, request="r1") == first
        else:
            with pytest.raises(Exception, match="was run this round"):
                slow.play(["activate", "hq1", "w16"], now=2, seat=0, request="r2")
    finally:
        log.close()


def test_with_expect_an_overtaken_move_is_a_conflict(turnlog: Turnlog) -> None:
    """Who names the row it follows wants no other; who is no longer to move is told of the conflict, too."""
    Plants(turnlog, "c16 c17 w16 w17").deal(ada="c16 w16", bo="c17 w17")
    log = open_log(str(turnlog.db), prepare, write=True)
    try:
        slow, quick = table_of(turnlog, log), table_of(turnlog, log)
        expect = slow.seq
        quick.play(["build", "c17"], now=1, seat=1)
        with pytest.raises(Conflict):
            slow.play(["build", "c16"], now=2, seat=0, expect=expect)
        slow, quick = table_of(turnlog, log), table_of(turnlog, log)
        quick.play(["build", "c16"], now=3, seat=0)
        quick.play(["done"], now=4, seat=0)
        with pytest.raises(Conflict):
            slow.play(["activate", "hq1", "w16"], now=5, seat=0)
    finally:
        log.close()


def test_an_undo_in_a_turn_takes_back_the_last_move_whosever_it_is(turnlog: Turnlog) -> None:
    """The log keeps one order for all seats."""
    plants = Plants(turnlog, "c16 c17 w16 w17").deal(ada="c16 w16", bo="c17 w17")
    plants.play("ada: build c16", "bo: build c17")
    turnlog.ok("undo", "g")
    assert [len(plants.seat(name)["cards"]) for name in ("ada", "bo")] == [1, 0]
    assert json.loads(turnlog.ok("show", "g", "--json").out)["to_move"] == ["ada", "bo"]
