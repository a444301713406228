"""What the shell offers after a tab: commands, game ids, seats, and the legal moves of the seat at hand."""

import os
import subprocess
import sys
from collections.abc import Callable

import pytest

from cli.app import app
from tests.conftest import Turnlog
from tests.power_vacuum_tables import cards, start
from tests.served import Thread, invited

Complete = Callable[[str], list[str]]


@pytest.fixture
def complete(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Complete:
    """What bash is told for a line with a tab at its end; asked as bash does, in this process."""

    def completed(line: str) -> list[str]:
        capsys.readouterr()
        with monkeypatch.context() as patched:
            patched.setenv("_TURNLOG_COMPLETE", "complete_bash")
            patched.setenv("COMP_WORDS", line)
            patched.setenv("COMP_CWORD", str(len(line.split(" ")) - 1))
            with pytest.raises(SystemExit) as ended:
                app([], prog_name="turnlog")
        out, err = capsys.readouterr()
        assert (ended.value.code, err) == (0, "")
        return out.split("\n")[:-1] if out.strip() else []

    return completed


@pytest.fixture
def game(turnlog: Turnlog) -> str:
    """A game in which lucia is to move, with the Agenda red/white."""
    hands = ["Y1 Y2 W1 W2 G1 R1 R9 B1", "Y3 Y4 Y5 W3 W4 G3 G4 B2"]
    return start(turnlog, hands, agendas=["red/white", "yellow/brown"], game="game-1")


def test_commands_are_offered(complete: Complete) -> None:
    """The first word is a command, of those that begin so."""
    assert {"create", "play", "show", "undo", "import", "list"} <= set(complete("turnlog "))
    assert set(complete("turnlog re")) == {"redo", "replay", "rebuild", "recover"}
    assert complete("turnlog sta") == ["standings"]


@pytest.mark.parametrize("command", ["show", "play", "moves", "undo", "redo", "agree", "log", "replay",
                                     "export", "verify", "note", "notes", "close", "fork", "annotate",
                                     "run x --game"])  # fmt: skip
def test_game_ids_are_offered(turnlog: Turnlog, game: str, complete: Complete, command: str) -> None:
    """Where a game is named its id is offered, the last touched first, of those that begin so."""
    turnlog.ok("create", "power-vacuum", "-p", "ana", "--id", "other")
    turnlog.ok("create", "power-vacuum", "-p", "ana", "--id", "game-2")

    assert complete(f"turnlog {command} ") == ["game-2", "other", "game-1"]
    assert complete(f"turnlog {command} ga") == ["game-2", "game-1"]
    assert complete(f"turnlog {command} x") == []


@pytest.mark.parametrize("command", ["create", "rules", "simulate", "standings"])
def test_slugs_are_offered(complete: Complete, command: str) -> None:
    """Where a game to be played is named, those that are installed."""
    assert "power-vacuum" in complete(f"turnlog {command} ")
    assert complete(f"turnlog {command} power-v") == ["power-vacuum"]
    assert complete(f"turnlog {command} nope") == []


def test_undo_policies_are_offered(complete: Complete) -> None:
    """Those that begin so."""
    assert complete("turnlog create lairs --undo ") == ["free", "own", "safe", "ask", "off"]
    assert complete("turnlog create lairs --undo o") == ["own", "off"]


def test_seats_are_offered(turnlog: Turnlog, game: str, complete: Complete) -> None:
    """--as offers the seats of the game that is named; to read, spectator and referee, too."""
    turnlog.ok("create", "power-vacuum", "-p", "ana", "-p", "emil", "--id", "other")
    assert complete("turnlog play @ --as ") == complete("turnlog play other --as ") == ["ana", "emil"]
    assert complete(f"turnlog play {game} --as ") == ["lucia", "fritz"]
    assert complete(f"turnlog undo {game} --as f") == ["fritz"]
    assert complete(f"turnlog show {game} --as ") == ["lucia", "fritz", "spectator", "referee"]
    assert complete("turnlog show @ --as r") == ["referee"]
    assert complete("turnlog show nope --as l") == []


@pytest.mark.parametrize(
    ("line", "offered"),
    [
        pytest.param("", ["play", "reveal"], id="verbs"),
        pytest.param("p", ["play"], id="a-verb-begun"),
        pytest.param("play ", ["B1", "G1", "R1", "R9", "W1", "W2", "Y1", "Y2"], id="cards"),
        pytest.param("play R", ["R1", "R9"], id="a-card-begun"),
        pytest.param("play Y3", [], id="a-card-of-another-hand"),
        pytest.param("play Y1 ", [], id="nothing-behind-a-whole-move"),
        pytest.param("reveal ", ["red", "white"], id="the-own-agenda"),
        pytest.param("reveal red ", ["white"], id="its-other-half"),
        pytest.param("reveal yellow ", [], id="another-agenda"),
        pytest.param("plug ", [], id="not-now"),
    ],
)
def test_legal_moves_are_offered_word_by_word(
    game: str, complete: Complete, line: str, offered: list[str]
) -> None:
    """Each word of a move, of the seat to move or the one that --as names."""
    assert complete(f"turnlog play {game} {line}") == offered
    assert complete(f"turnlog play {game} --as lucia {line}") == offered
    assert complete(f"turnlog play @ {line}") == offered


@pytest.mark.parametrize("who", ["fritz", "2", "spectator", "referee", "nobody"])
def test_who_is_not_to_move_is_offered_no_move(game: str, complete: Complete, who: str) -> None:
    """No other seat's cards are told, by whatever name it is asked."""
    assert complete(f"turnlog play {game} --as {who} ") == []
    assert complete(f"turnlog play {game} --as {who} play ") == []


def test_a_follower_is_offered_what_may_follow(turnlog: Turnlog, game: str, complete: Complete) -> None:
    """Cards in hand that may not be played are not offered."""
    turnlog.play(game, "play Y1")

    assert complete(f"turnlog play {game} play ") == ["B2", "Y3", "Y4", "Y5"]
    assert complete(f"turnlog play {game} --as lucia play ") == []


def test_the_other_moves_of_a_trick_are_offered(turnlog: Turnlog, game: str, complete: Complete) -> None:
    """Spoils, transfer and plug, word by word."""
    turnlog.play(game, "play Y1", "play Y3")
    assert complete(f"turnlog play {game} ") == ["capture", "point"]
    assert complete(f"turnlog play {game} capture ") == ["Y1", "Y3"]
    turnlog.play(game, "point")
    assert complete(f"turnlog play {game} transfer ") == ["green", "red"]
    assert complete(f"turnlog play {game} transfer red ") == ["green"]
    turnlog.play(game, "transfer red green")
    assert complete(f"turnlog play {game} plug red ") == ["brown", "supply", "white", "yellow"]


def test_no_card_is_offered_that_the_seat_does_not_hold(turnlog: Turnlog, complete: Complete) -> None:
    """Along a game, the cards on offer are those of the hand of the seat to move that may be played."""
    turnlog.ok(
        "create", "power-vacuum", *(w for n in ("a", "b", "c") for w in ("-p", n)), "--id", "g", "--seed", 3
    )
    asked = 0
    for number in range(24):
        document = turnlog.json("moves", "g")
        offered = complete("turnlog play g play ")
        hand = turnlog.view("g", document["seat"])["hand"]
        assert set(offered) <= set(hand)
        assert sorted(f"play {card}" for card in offered) == sorted(
            move for move in document["moves"] if move.startswith("play")
        )
        asked += bool(offered)
        turnlog.json("play", "g", document["moves"][number % len(document["moves"])])
    assert asked > 6


def test_the_database_is_the_one_that_is_named(
    turnlog: Turnlog, game: str, complete: Complete, monkeypatch: pytest.MonkeyPatch
) -> None:
    """--db is heeded before and after the command."""
    monkeypatch.setenv("TURNLOG_DB", str(turnlog.db.with_name("none.db")))

    assert complete("turnlog show ") == []
    assert complete(f"turnlog --db {turnlog.db} show ") == [game]
    assert complete(f"turnlog show --db {turnlog.db} ") == [game]
    assert complete(f"turnlog play --db {turnlog.db} {game} play R") == ["R1", "R9"]
    assert not turnlog.db.with_name("none.db").exists()


def test_what_cannot_be_read_offers_nothing(turnlog: Turnlog, game: str, complete: Complete) -> None:
    """A closed game, no database, or one that is none: nothing is offered and nothing said."""
    turnlog.ok("close", game)
    assert complete(f"turnlog play {game} ") == []
    for name, content in (("none.db", None), ("text.db", b"hello\n" * 1000), ("empty.db", b"")):
        path = turnlog.db.with_name(name)
        if content is not None:
            path.write_bytes(content)
        for line in ("show ", "play g ", "play @ play ", "show g --as "):
            offered = complete(f"turnlog --db {path} {line}")
            assert set(offered) <= {"spectator", "referee"}, (name, line)
    assert not turnlog.db.with_name("none.db").exists()


def test_completing_writes_nothing(turnlog: Turnlog, game: str, complete: Complete) -> None:
    """The database is read only."""
    before = turnlog.ok("export", game).out, turnlog.db.read_bytes()

    complete(f"turnlog play {game} play ")
    complete("turnlog undo ")

    assert (turnlog.ok("export", game).out, turnlog.db.read_bytes()) == before


@pytest.mark.parametrize(
    ("shell", "environment", "told"),
    [
        pytest.param(
            "bash", {"COMP_WORDS": "turnlog play game-1 play R", "COMP_CWORD": "4"}, ["R1", "R9"], id="bash"
        ),
        pytest.param("zsh", {"_TYPER_COMPLETE_ARGS": "turnlog play game-1 play R"}, ['"R1"', '"R9"'], id="zsh"),
        pytest.param(
            "fish",
            {"_TYPER_COMPLETE_ARGS": "turnlog play game-1 play R", "_TYPER_COMPLETE_FISH_ACTION": "get-args"},
            ["R1", "R9"],
            id="fish",
        ),
        pytest.param(
            "pwsh",
            {"_TYPER_COMPLETE_ARGS": "turnlog play game-1 play R", "_TYPER_COMPLETE_WORD_TO_COMPLETE": "R"},
            ["R1:::", "R9:::"],
            id="powershell",
        ),
    ],
)
def test_each_shell_is_answered_by_the_installed_command(
    game: str, command: Callable[..., list[str]], shell: str, environment: dict[str, str], told: list[str]
) -> None:
    """The command itself, asked as the shells ask."""
    done = subprocess.run(
        command(),
        env={**os.environ, **environment, "_TURNLOG_COMPLETE": f"complete_{shell}"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert (done.returncode, done.stderr) == (0, "")
    for word in told:
        assert word in done.stdout
    for card in (*cards("Y1 Y2 W1 W2 G1 B1"), *cards("Y3 Y4 Y5 W3 W4 G3 G4 B2")):
        assert card not in done.stdout


def test_the_shells_script_is_given(command: Callable[..., list[str]]) -> None:
    """What `--show-completion` is made of: a script that asks the command back."""
    done = subprocess.run(
        command(),
        env={**os.environ, "_TURNLOG_COMPLETE": "source_bash"},
        capture_output=True,
        text=True,
        check=False,
    )

    assert done.returncode == 0
    assert "_TURNLOG_COMPLETE=complete_bash" in done.stdout
    assert sys.platform != "linux" or "complete -o" in done.stdout


def test_a_server_offers_what_it_lets_one_see(
    turnlog: Turnlog, game: str, complete: Complete, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Games, seats and words of moves of the tokens that are kept; nothing where nobody answers."""
    turnlog.ok("create", "power-vacuum", "-p", "ana", "--id", "other")
    offered = complete("turnlog play game-1 play ")
    with Thread(turnlog.db) as url:
        turnlog.ok("login", f"{url}/join#{invited(turnlog, game, 'lucia')}")
        monkeypatch.delenv("TURNLOG_DB")
        for server in (f" --server {url}", ""):
            if not server:
                monkeypatch.setenv("TURNLOG_SERVER", url)
            assert complete(f"turnlog show{server} ") == ["game-1"]
            assert complete(f"turnlog show{server} game-1 --as ") == ["lucia", "fritz", "spectator", "referee"]
            assert complete(f"turnlog play{server} game-1 play ") == offered
    assert complete("turnlog show ") == complete("turnlog play game-1 ") == []
    monkeypatch.setenv("TURNLOG_SERVER", "nonsense")
    assert complete("turnlog show ") == []
