"""turnlog on a PostgreSQL database: by the command line, by several servers, and while connections are lost."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx2
import psycopg
import pytest
from freezegun import freeze_time

from engines.kit.game import Game
from engines.registry import all_games
from tests.conftest import Turnlog
from tests.postgres import CAREFUL, PASSWORD, Postgres, started
from tests.served import STARTER, Thread, serving
from tests.test_server_stream import CREATE, Process, bearer, stream, take

ON_POSTGRES = pytest.mark.parametrize("turnlog", ["postgres"], indirect=True)

END = "select pg_terminate_backend(pid) from pg_stat_activity where datname = '{}' and pid <> pg_backend_pid()"


def url_of() -> str:
    """The address of the test's database."""
    return os.environ["TURNLOG_DB"]


def name_of() -> str:
    """Its name."""
    return url_of().partition("@/")[2].partition("?")[0]


# the same as in a file --------------------------------------------------------------------------------


def _told(turnlog: Turnlog, game: Game, db: str) -> Iterator[tuple[Any, ...]]:
    """All that a whole game of bots and one with a person come to, typed on a database."""
    bots = ["-p", "bot:random"] * (game.seats[0] - 1)

    def said(*words: object) -> tuple[Any, ...]:
        return (*words, *turnlog(*words, "--db", db))

    yield said("create", game.slug, "-p", "bot:random", *bots, "--seed", "7", "--id", "whole")
    yield said("create", game.slug, "-p", "ada", *bots, "--seed", "8", "--id", "mine", "--pace", "1h")
    for number in range(2):
        moves = turnlog("moves", "mine", "--as", "ada", "--db", db, "--quiet").out.splitlines()
        if moves:
            yield said("play", "mine", moves[number % len(moves)], "--as", "ada", "--request", f"r{number}")
    yield said("undo", "mine")
    yield said("redo", "mine")
    yield said("play", "mine", "nonsense", "--json")
    yield said("note", "mine", 2, "a \u2603")
    yield said("show", "mine", "--as", "referee", "--json")
    yield said("close", "mine", "--as", "ada", "--reason", "late")
    for one in ("whole", "mine"):
        yield said("export", one)
    for words in (["list", "--json"], ["standings", "--json"], ["log", "whole"], ["verify", "--all"]):
        yield said(*words)


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_every_game_is_told_as_from_a_file(
    game: Game, turnlog: Turnlog, postgres: Postgres, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same commands make the same documents and events, digests included."""
    monkeypatch.setattr(os, "urandom", bytes)  # what is drawn by lot once: ids and salts
    with freeze_time("2026-11-30 12:00", auto_tick_seconds=0):
        found = [list(_told(turnlog, game, db)) for db in (str(tmp_path / "a.db"), postgres.url(postgres.new()))]
    for in_file, on_server in zip(*found, strict=True):
        assert on_server == in_file
    assert found[0][-1][-2].endswith("All 2 games are whole.\n")


@ON_POSTGRES
def test_a_game_goes_from_one_database_to_another(turnlog: Turnlog, tmp_path: Path) -> None:
    """And comes back, on either way, as the very events that it was."""
    turnlog.ok(*CREATE.split())
    turnlog.play("g", turnlog.json("moves", "g")["moves"][0])
    turnlog.ok("undo", "g")
    before, file = turnlog.ok("export", "g").out, tmp_path / "g.jsonl"
    file.write_text(before)
    other = ("--db", tmp_path / "other.db")
    assert turnlog.json("import", file, *other)["new"] == len(before.splitlines())
    move = turnlog.json("moves", "g", *other)["moves"][0]
    turnlog.ok("play", "g", move, *other)
    grown = turnlog.ok("export", "g", *other).out
    file.write_text(grown)
    assert turnlog.json("import", file)["new"] == len(grown.splitlines()) - len(before.splitlines()) > 0
    assert turnlog.json("import", file)["new"] == 0
    assert turnlog.ok("export", "g").out == grown
    script = tmp_path / "g.txt"
    script.write_text(turnlog.ok("export", "g", "--format", "transcript").out)
    assert turnlog.json("import", script)["game"] != "g"
    assert turnlog.ok("verify", "--all").out.endswith("All 2 games are whole.\n")


@ON_POSTGRES
def test_kept_simulations_are_found_again(turnlog: Turnlog) -> None:
    """A longer simulation goes on from what was kept."""
    words = ["simulate", "power-vacuum", *("-p", "bot:random") * 2, "--seed", "1", "--keep", "--json", "-n"]
    assert turnlog.json(*words, 3)["kept"]["written"] == 3
    assert turnlog.json(*words, 5)["kept"]["written"] == 2
    assert len(turnlog.ok("list", "--json").lines) == 5


@ON_POSTGRES
def test_what_only_a_file_can_do_is_refused_with_what_to_do_instead(turnlog: Turnlog, tmp_path: Path) -> None:
    """`backup` and `recover` name pg_dump and `export`."""
    for words in (["backup", tmp_path / "b.db"], ["recover", url_of()], ["recover", "x.db", "--into", url_of()]):
        answer = turnlog(*words, "--json")
        assert (answer.code, answer.error["code"]) == (2, "bad-setup")
        assert "pg_dump" in answer.error["hint"]
    assert list(tmp_path.iterdir()) == []


@ON_POSTGRES
def test_a_dump_is_a_backup(turnlog: Turnlog, postgres: Postgres) -> None:
    """What pg_dump writes makes a whole database again, guards included, that is played on."""
    turnlog.ok(*CREATE.split())
    before, name = turnlog.ok("export", "g").out, postgres.new()
    dump = postgres.run("pg_dump", "-h", postgres.folder, "-U", "turnlog", name_of())
    psql = [
        f"{postgres.binaries}/psql",
        "-h",
        postgres.folder,
        "-U",
        "turnlog",
        "-q",
        "-v",
        "ON_ERROR_STOP=1",
        name,
    ]
    subprocess.run(psql, input=dump, text=True, check=True, stdout=subprocess.DEVNULL)
    restored = ("--db", postgres.url(name))
    assert turnlog.ok("export", "g", *restored).out == before
    turnlog.ok("play", "g", turnlog.json("moves", "g")["moves"][0], *restored)
    turnlog.ok("verify", "--all", *restored)


@ON_POSTGRES
def test_damage_is_told(turnlog: Turnlog, postgres: Postgres) -> None:
    """An event that was changed behind the guards' back is named, and so is a list that says something else."""
    turnlog.ok(*CREATE.split())
    change = "update turnlog.games set moves = 99"
    postgres.execute(change, database=name_of())
    assert "the list of games has moves 99" in turnlog("verify", "g").err
    turnlog.ok("rebuild")
    turnlog.ok("verify", "g")
    guard = "alter table turnlog.events {} trigger events_keep"
    harm = "update turnlog.events set actor = 'bo'"
    postgres.execute(guard.format("disable"), harm, database=name_of())
    assert (turnlog("show", "g").code, turnlog("verify", "--all").code) == (6, 6)
    postgres.execute(guard.format("enable always"), database=name_of())
    answer = turnlog("verify", "g")
    assert answer.code == 6
    assert "event 1 of game g is damaged: its content does not match its digest" in answer.err


# several processes ------------------------------------------------------------------------------------


@contextmanager
def _two_servers(command: Callable[..., list[str]]) -> Iterator[tuple[str, str]]:
    """Two servers on the test's database, one of them a process of its own."""
    process = Process(command("serve", "--port", 0, "--json"))
    try:
        with Thread(url_of()) as url:
            yield url, process.url
    finally:
        process.stop(signal.SIGTERM)


@ON_POSTGRES
def test_two_servers_tell_of_each_others_moves(turnlog: Turnlog, command: Callable[..., list[str]]) -> None:
    """A move through one is streamed by both; said again to the other with its key it is answered alike; a token
    that is revoked at one ends its streams at the other.
    """
    turnlog.ok(*CREATE.split())
    ada = turnlog.json("invite", "g", "ada")["token"]
    with _two_servers(command) as urls, stream(urls[0], ada) as first, stream(urls[1], ada) as second:
        got = [take(first, 1), take(second, 1)]
        for number, (one, another) in enumerate((urls, urls[::-1])):
            move = turnlog.json("moves", "g")["moves"][0]
            headers = bearer(ada) | {"idempotency-key": f"key-{number}"}
            answers = [
                httpx2.post(f"{url}/api/g/g/play", json={"move": move}, headers=headers) for url in (one, another)
            ]
            assert answers[0].status_code == answers[1].status_code == 200
            assert answers[0].json() == answers[1].json()
            seq = answers[0].json()["seq"]
            got = [told + take(events, seq) for told, events in zip(got, (first, second), strict=True)]
        assert got[0] == got[1]
        stood = [document | {"stands": True} for document in turnlog.ok("log", "g", "--as", "ada", "--json").lines]
        assert [json.loads(data) for data in got[0]] == stood
        turnlog.ok("invite", "g", "ada", "--revoke")
        turnlog.play("g", turnlog.json("moves", "g")["moves"][0])
        assert [list(first), list(second)] == [[], []]


@ON_POSTGRES
def test_a_stream_misses_nothing_where_connections_are_lost(turnlog: Turnlog, postgres: Postgres) -> None:
    """It goes on, and who comes later is told all of it."""
    turnlog.ok(*CREATE.split())
    ada = turnlog.json("invite", "g", "ada")["token"]
    with Thread(url_of()) as url:
        with stream(url, ada) as events:
            got = take(events, 1)
            postgres.execute(END.format(name_of()))
            seq = turnlog.play("g", turnlog.json("moves", "g")["moves"][0])["seq"]
            got += take(events, seq)
        postgres.execute(END.format(name_of()))
        with stream(url, ada) as events:
            assert take(events, seq) == got
    assert [json.loads(data)["seq"] for data in got] == list(range(1, seq + 1))


@ON_POSTGRES
def test_a_server_tells_nobody_where_its_database_is(turnlog: Turnlog, postgres: Postgres) -> None:
    """What is asked while it cannot be had is answered 503, without its address."""
    turnlog.ok(*CREATE.split())
    with serving(url_of()) as web:
        assert web("GET", "/api/g/a%00b").status_code == 404
        postgres.execute(f"alter database {name_of()} allow_connections false")
        for path in ("/api/g", "/api/g/g"):
            answer = web("GET", path, STARTER)
            assert (answer.status_code, "retry-after" in answer.headers) == (503, True)
            assert postgres.folder not in answer.text
            assert name_of() not in answer.text
        postgres.execute(f"alter database {name_of()} allow_connections true")
        assert web.ok("GET", "/api/g", STARTER) == []


@ON_POSTGRES
def test_a_lists_pages_hold_what_is_public_or_ones_own(turnlog: Turnlog) -> None:
    """Also by the name of a seat, whatever letters it has, and from an offset on."""
    names = ("a%", "A_", "a", 'q"', "q")
    for number, name in enumerate(names):
        public = ["--public"] if number != 3 else []
        turnlog.ok("create", "power-vacuum", f"--player={name}", "-p", "x", "--id", f"g{number}", *public)
    mine = turnlog.json("invite", "g3", "2")["token"]
    with serving(url_of()) as web:
        for number, name in enumerate(names):
            found = web.client.get("/api/g", params={"player": name}, headers=bearer(mine)).json()
            assert [row["game"] for row in found] == [f"g{number}"]
        everything = [row["game"] for row in web.ok("GET", "/api/g", mine)]
        assert everything == [f"g{number}" for number in (4, 3, 2, 1, 0)]
        assert [row["game"] for row in web.ok("GET", "/api/g?offset=3", mine)] == everything[3:]
        assert [row["game"] for row in web.ok("GET", "/api/g")] == ["g4", "g2", "g1", "g0"]


@ON_POSTGRES
def test_a_followed_log_goes_on(turnlog: Turnlog, postgres: Postgres, command: Callable[..., list[str]]) -> None:
    """As the game goes on, and after a connection that was lost."""
    turnlog.ok(*CREATE.split())
    process = subprocess.Popen(
        command("log", "g", "--follow", "--json"), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    told = [json.loads(process.stdout.readline())["seq"]]
    for lost in (False, True):
        if lost:
            postgres.execute(END.format(name_of()))
        last = turnlog.play("g", turnlog.json("moves", "g")["moves"][0])["seq"]
        while told[-1] < last:
            told.append(json.loads(process.stdout.readline())["seq"])
    process.send_signal(signal.SIGINT)
    out, err = process.communicate()
    assert (told, out) == (list(range(1, last + 1)), "")
    assert "out of reach" in err


@ON_POSTGRES
def test_a_move_is_made_once_whenever_the_connection_is_lost(
    turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After any statement of a `play`, the commit among them: said again with its request it is done once."""
    turnlog.ok(*CREATE.split())
    execute = psycopg.Connection.execute
    left, committed = 0, False

    def breaking(connection: Any, query: Any, *rest: Any, **named: Any) -> Any:
        nonlocal left, committed
        done = execute(connection, query, *rest, **named)
        left -= 1
        if left == 0:
            committed = query == b"commit"
            connection.close()
            raise psycopg.OperationalError("the line is dead")
        return done

    seqs, after_commit = [1], 0
    for statements in range(1, 100):
        move, request = turnlog.json("moves", "g")["moves"][0], f"r{statements}"
        left, committed = statements, False
        with monkeypatch.context() as patched:
            patched.setattr(psycopg.Connection, "execute", breaking)
            answer = turnlog("play", "g", move, "--request", request, "--json")
        if answer.code != 0:
            assert (answer.code, answer.error["code"]) == ((4, "in-doubt") if committed else (5, "unreachable"))
            assert (turnlog.json("show", "g")["seq"] > seqs[-1]) == committed
        after_commit += committed
        done = turnlog.json("play", "g", move, "--request", request)
        assert done["events"][0]["move"] == move
        assert [event["seq"] for event in done["events"]] == list(range(seqs[-1] + 1, done["seq"] + 1))
        seqs.append(done["seq"])
        if answer.code == 0:
            break
    assert after_commit == 1
    assert statements > 15
    turnlog.ok("verify", "g")


def test_what_was_answered_survives_the_servers_end(
    turnlog: Turnlog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A server that is stopped in the middle of an append has it not, and all that was told before."""
    own = started(tmp_path, os.getpid())
    monkeypatch.setenv("TURNLOG_DB", own.url("postgres"))
    turnlog.ok(*CREATE.split())
    moves = turnlog.json("moves", "g")["moves"]
    told = turnlog.json("play", "g", moves[0], "--request", "r1")
    next_move = turnlog.json("moves", "g")["moves"][0]
    with monkeypatch.context() as patched:
        from engines import table

        update = table.update
        patched.setattr(table, "update", lambda *rest: (own.stop(), update(*rest)))
        answer = turnlog("play", "g", next_move, "--request", "r2", "--json")
    assert (answer.code, answer.error["code"]) == (5, "unreachable")
    assert turnlog("show", "g").code == 5
    own.start()
    assert turnlog.json("show", "g")["seq"] == told["seq"]
    assert turnlog.json("play", "g", moves[0], "--request", "r1") == told
    made = turnlog.json("play", "g", next_move, "--request", "r2")
    assert made["events"][0]["seq"] == told["seq"] + 1
    turnlog.ok("verify", "--all")


# what is told -----------------------------------------------------------------------------------------


@ON_POSTGRES
def test_a_password_is_told_nowhere(
    turnlog: Turnlog, postgres: Postgres, command: Callable[..., list[str]], tmp_path: Path
) -> None:
    """Not by a server, nor in lists, errors or the program's own log."""
    postgres.execute(f"grant create on database {name_of()} to {CAREFUL}")
    coded = "".join(f"%{byte:02x}" for byte in PASSWORD.encode())
    shown = postgres.url(name_of(), CAREFUL)
    url = shown.replace("@/", f":{coded}@/")
    log = tmp_path / "log"
    words = ["--db", url, "--log-level", "debug", "--log-file", str(log)]
    said = [turnlog(*words, "list").out]
    assert shown in said[0]
    server = Process(command(*words, "serve", "--port", 0, "--json"))
    assert server.said["db"] == shown
    said += [str(server.said), httpx2.get(f"{server.url}/api/g/none").text, *server.stop(signal.SIGTERM)]
    said += [turnlog(*words, *more.split()).err for more in ("show none", "backup x", "list --json")]
    said += [turnlog("--db", url.replace(coded, coded[:-3]), "show", "none").err, log.read_text()]
    assert "does not let this user in" in said[-2]
    for text in said:
        assert PASSWORD[:6] not in text
        assert coded[:9] not in text


@ON_POSTGRES
def test_what_is_missing_has_its_exit_code(turnlog: Turnlog, postgres: Postgres) -> None:
    """An empty database lists no games; one that is not there, and a server, are said to be missing."""
    assert "No games yet" in turnlog.ok("list").out
    assert (turnlog("show", "g").code, turnlog("play", "g", "point").code) == (5, 5)
    for place in (postgres.url("missing"), "postgresql://127.0.0.1:1/x"):
        for words in (["list"], ["create", "power-vacuum", "-p", "a", "-p", "b"], ["play", "g", "play", "Y1"]):
            answer = turnlog(*words, "--db", place, "--json")
            assert (answer.code, answer.error["code"]) == (5, "unreachable")


def test_without_the_extra_it_is_said_what_to_install(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """As for anything that is an extra."""
    monkeypatch.delattr("events.postgres")
    monkeypatch.delitem(sys.modules, "events.postgres")
    monkeypatch.setitem(sys.modules, "psycopg", None)
    answer = turnlog("list", "--db", "postgresql://127.0.0.1:1/x", "--json")
    assert (answer.code, answer.error["hint"]) == (2, "pip install 'turnlog[postgres]'")
