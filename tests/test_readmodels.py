"""The lists of games and results: written by each append, and equal to what the whole log makes."""

import shutil
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import json

from engines.creation import Wish, close_game, create
from engines.kit.errors import Refusal
from engines.kit.notation import words_of
from engines.kit.offers import legal
from engines.registry import game_of
from engines.table import Table
from events.errors import NoSuchEvent
from events.model import Clock
from events.sqlite import SqliteLog, open_log
from projections.rebuild import rebuild
from projections.schema import prepare
from tests.conftest import Turnlog

GAME = game_of("power-vacuum")

TABLES = {
    "games": "game",
    "results": "game, seat",
    "clocks": "game, seat",
    "standings": "slug, name",
    "v_games": "game",
}


def opened(path: Path) -> SqliteLog:
    """The log, to write; not synced, since nothing here asks what survives a power cut."""
    log = open_log(str(path), prepare, write=True)
    log.connection.execute("pragma synchronous = off")
    return log


def dump(log: SqliteLog) -> dict[str, list[Any]]:
    """All rows of the lists and of what is made of them."""
    return {
        table: log.connection.execute(f"select * from {table} order by {order}").fetchall()
        for table, order in TABLES.items()
    }


def play(table: Table, choice: int = 0) -> None:
    """A legal move, if there is one."""
    if table.to_move:
        moves = legal(table.offers(table.to_move[0]))
        table.play(words_of(GAME.grammar.spell(moves[choice % len(moves)])), now=2 + table.seq)


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with a game `over` that ended, one `near` its end, one of bots that ended, and a young one."""
    path = tmp_path_factory.mktemp("lists") / "games.db"
    log = opened(path)
    for game, names in (("over", ("ada", "bo")), ("near", ("bo", "ada")), ("young", ("ada", "cy", "bo"))):
        clock = None if game == "over" else Clock(3600)
        table, _ = create(log, Wish(GAME, names, seed="5", clock=clock), game, now=1, secret=lambda: "salt")
        while game != "young" and table.outcome is None:
            play(table)
        if game == "near":
            table.undo(now=3)
    create(log, Wish(GAME, ("bot:random", "bot:random"), seed="5"), "bots", now=1, secret=lambda: "salt")
    states = dict(log.connection.execute("select game, state from games"))
    assert states == {"over": "over", "near": "playing", "young": "playing", "bots": "over"}
    log.close()
    return path


#: What may be done to a game; each takes a number to choose by.
COMMANDS: dict[str, Callable[[Table, int], Any]] = {
    "play": play,
    "play more": lambda table, choice: [play(table, choice) for _ in range(3)],
    "undo": lambda table, choice: table.undo(now=3 + choice, count=1 + choice % 4),
    "undo to": lambda table, choice: table.undo(now=3, to=1 + choice % table.seq),
    "redo": lambda table, choice: table.redo(now=4, count=1 + choice % 2),
    "note": lambda table, choice: table.note(1 + choice % table.seq, "why?", now=5 + choice),
    "dry run": lambda table, choice: table.undo(now=6, dry_run=True),
    "close": lambda table, choice: close_game(
        table.log, table.id, seat=choice % 3 - 1 if choice % 3 else None, reason="", now=7
    ),
}

_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["over", "near", "young", "bots"]),
        st.sampled_from([*COMMANDS, "play", "play", "undo", "redo"]),
        st.integers(0, 200),
    ),
    max_size=25,
)


@given(steps=_STEPS)
@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)
def test_the_lists_are_what_rebuild_makes(
    steps: list[tuple[str, str, int]], template: Path, tmp_path: Path
) -> None:
    """After any commands on several games, refused ones among them, `rebuild` changes no row of any list."""
    path = tmp_path / "games.db"
    shutil.copy(template, path)
    log = opened(path)
    try:
        for game, command, choice in steps:
            with suppress(Refusal, NoSuchEvent):
                COMMANDS[command](Table(log, game), choice)
            _hold_to_the_log(log, game)
        before = dump(log)
        games, broken = rebuild(log)
        assert (games, broken) == (4, [])
        assert dump(log) == before
    finally:
        log.close()


def _hold_to_the_log(log: SqliteLog, game: str) -> None:
    """The lists say of a game what its table says."""
    table = Table(log, game)
    timeline, names, outcome = table.position.timeline, table.names, table.outcome
    [listed] = log.connection.execute(
        "select slug, seats, events, moves, state, to_move, winners, reason, created, touched, digest "
        "from games where game = ?",
        (game,),
    ).fetchall()
    first, last = log.row(game, 1), log.row(game, timeline.seq)
    assert first is not None
    assert last is not None
    state = "closed" if timeline.closed else "over" if outcome else "playing"
    assert listed == (
        "power-vacuum",
        json.encode(names).decode(),
        timeline.seq,
        timeline.moves(),
        state,
        json.encode([names[seat] for seat in table.to_move]).decode(),
        json.encode([names[seat] for seat in outcome.winners] if outcome else []).decode(),
        outcome.reason if outcome else "",
        first.at,
        last.at,
        last.digest.hex().upper(),
    )
    results = log.connection.execute(
        "select seat, slug, name, score, won, shared from results where game = ? order by seat", (game,)
    ).fetchall()
    assert results == [
        (
            seat,
            "power-vacuum",
            name,
            outcome.scores[seat],
            seat in outcome.winners,
            seat in outcome.winners and len(outcome.winners) > 1,
        )
        for seat, name in enumerate(names)
        if outcome is not None and state == "over"
    ]


@pytest.fixture
def lists(turnlog: Turnlog, template: Path) -> Turnlog:
    """The command line on a copy of that database."""
    shutil.copy(template, turnlog.db)
    return turnlog


def test_undoing_the_end_takes_the_results_back(lists: Turnlog) -> None:
    """The last move of a finished game undone: it counts in no standings and is open again, until the redo."""
    finished = lists.ok("standings", "--json").json
    listed = {game["game"]: game for game in lists("list", "--json").lines}
    assert listed["over"]["state"] == "over"
    assert listed["over"]["winners"]
    assert {row["name"]: row["games"] for row in finished} == {
        "ada": 1,
        "bo": 1,
        "bot:random": 1,
        "bot:random#2": 1,
    }
    assert sum(row["wins"] for row in finished if row["name"] in ("ada", "bo")) >= 1

    lists.ok("undo", "over")
    assert {row["name"] for row in lists.ok("standings", "--json").json} == {"bot:random", "bot:random#2"}
    assert {game["game"] for game in lists("list", "--open", "--json").lines} == {"over", "near", "young"}
    game = next(game for game in lists("list", "--json").lines if game["game"] == "over")
    assert (game["state"], game["winners"], game["reason"]) == ("playing", [], "")
    assert game["to_move"] == lists.json("show", "over")["to_move"] != []

    lists.ok("redo", "over")
    assert lists.ok("standings", "--json").json == finished
    game = next(game for game in lists("list", "--json").lines if game["game"] == "over")
    assert game["winners"] == listed["over"]["winners"]


def test_the_end_counts_once_however_often_it_comes(lists: Turnlog) -> None:
    """A game ended, undone and ended again by another move has one result a seat."""
    move = lists.json("moves", "near")["moves"][0]
    for _ in range(3):
        lists.play("near", move)
        assert {row["name"]: row["games"] for row in lists.ok("standings", "--json").json}["ada"] == 2
        lists.ok("undo", "near")
        assert {row["name"]: row["games"] for row in lists.ok("standings", "--json").json}["ada"] == 1


def test_a_closed_game_counts_in_no_standings(lists: Turnlog) -> None:
    """Resigning ends a game and names a winner, but no result comes of it."""
    before = lists.ok("standings", "--json").json
    lists.ok("close", "near", "--as", "ada")
    game = next(game for game in lists("list", "--json").lines if game["game"] == "near")
    assert (game["state"], game["winners"], game["to_move"]) == ("closed", ["bo"], [])
    assert lists.ok("standings", "--json").json == before


def test_rebuild_makes_lost_lists_anew(lists: Turnlog) -> None:
    """Lists that were emptied or spoilt come back as they were, by the command."""
    log = opened(lists.db)
    before = dump(log)
    log.connection.execute("delete from results")
    log.connection.execute("delete from games where game in ('over', 'young')")
    log.connection.execute("update games set moves = 999, state = 'over', winners = '[\"cy\"]'")
    log.connection.execute("insert into results values ('none', 0, 'chess', 'ada', 1, 1, 0)")
    assert dump(log) != before
    log.close()
    assert lists.json("rebuild") == {"games": 4, "broken": []}
    log = opened(lists.db)
    assert dump(log) == before
    assert log.connection.execute("select count(*) from snapshots").fetchone() == (0,)
    log.close()


def test_a_rebuild_that_fails_changes_nothing(lists: Turnlog) -> None:
    """The lists are made anew in one transaction: what breaks it off leaves them as they were."""

    class Broken(Exception):
        pass

    def breaks(done: int) -> None:
        if done == 3:
            raise Broken

    log = opened(lists.db)
    before = dump(log), log.connection.execute("select * from snapshots").fetchall()
    assert before[1]
    with pytest.raises(Broken):
        rebuild(log, breaks)
    assert (dump(log), log.connection.execute("select * from snapshots").fetchall()) == before
    log.close()


def test_a_game_that_cannot_be_read_is_in_no_list(lists: Turnlog) -> None:
    """`rebuild` leaves out a game whose log makes no sense, says which, and lists the others."""
    log = opened(lists.db)
    log.connection.execute("drop trigger events_keep")
    log.connection.execute("update events set data = '[]' where game = 'near' and kind = 'moves-undone'")
    log.connection.execute(
        "create trigger events_keep before update on events "
        "begin select raise(abort, 'an event is never changed'); end"
    )
    log.close()
    answer = lists.ok("rebuild", "--json")
    assert answer.json == {"games": 4, "broken": ["near"]}
    assert "near" in answer.err
    assert {game["game"] for game in lists("list", "--json").lines} == {"over", "young", "bots"}
