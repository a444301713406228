"""The Acts of the Evangelists: who knows which tradition, in views, logs, narration, errors and exports."""

import re

from tests.conftest import Turnlog
from tests.evangelists_table import SET, Table


def mentioned(turnlog: Turnlog, viewer: str) -> set[str]:
    """The traditions named in all that `viewer` can read of game g: view, board, log, exports."""
    said = turnlog.ok("show", "g", "--as", viewer, "--json").out
    said += turnlog.ok("show", "g", "--as", viewer).out
    said += turnlog.ok("log", "g", "--as", viewer).out + turnlog.ok("log", "g", "--as", viewer, "--json").out
    said += turnlog.ok("export", "g", "--format", "jsonl", "--as", viewer).out
    # the set is open to all: there a card's name is a key
    return set(re.findall(r"\b(t\d+)\b(?!\":)", said))


def test_closed_traditions_show_their_backs_alone(turnlog: Turnlog) -> None:
    """Everybody sees a theme on each back, in no telling order; the referee sees the cards (ruling 14)."""
    table = Table(turnlog, 2)
    for viewer in ("ada", "spectator"):
        view = table.view(viewer)
        assert view["map"]["backs"]["rome"] == sorted(SET.traditions[f"t{n}"].back + "?" for n in (1, 2, 3, 4))
        assert view["seen"] == {}
        assert "traditions" not in view
    assert table.view("referee")["traditions"]["rome"] == ["t1", "t2", "t3", "t4"]


def test_what_is_looked_at_is_known_to_the_looker_alone(turnlog: Turnlog) -> None:
    """The looker remembers all cards of the city; the others learn what was kept and what lies open."""
    table = Table(turnlog, 3)
    table.play("ada: tradition")
    assert table.view("ada")["seen"] == {"rome": ["t1", "t2", "t3", "t4"]}
    assert table.view("ada")["seats"][0]["seen"] == {"rome": ["t1", "t2", "t3", "t4"]}
    assert table.view("bo")["seen"] == {}
    assert table.view("bo")["looking"] == []
    assert "seen" not in table.view("bo")["seats"][0]
    table.do("ada: keep t2:a1 open t3", "ada: end")
    assert table.view("ada")["seen"] == {"rome": ["t1", "t3", "t4"]}
    assert table.view("bo")["seen"] == {}
    for viewer in ("bo", "cy", "spectator"):
        assert mentioned(turnlog, viewer) == {"t2", "t3"}
    assert mentioned(turnlog, "ada") == {"t1", "t2", "t3", "t4"}


def test_a_card_that_lay_open_is_remembered_by_all(turnlog: Turnlog) -> None:
    """Closed again it is no longer open, but every seat has seen it there."""
    table = Table(turnlog, 2)
    table.do("ada: tradition", "ada: keep open t3", "ada: end", "bo: end", "ada: tradition", "ada: keep open t4")
    view = table.view("bo")
    assert view["map"]["open"]["rome"] == "t4"
    assert view["seen"] == {"rome": ["t3"]}
    assert table.view("ada")["seen"] == {"rome": ["t1", "t2", "t3", "t4"]}
    assert table.view()["seen"] == {}


def test_what_was_seen_stays_known_while_others_take_cards(turnlog: Turnlog) -> None:
    """A card that somebody keeps leaves the memory of those who looked; two lookers know the same."""
    table = Table(turnlog, 2)
    table.do("ada: tradition", "ada: keep open t1", "ada: end", "bo: travel rome strong", "bo: tradition")
    assert table.view("bo")["seen"] == {"rome": ["t1", "t2", "t3", "t4"]}
    table.do("bo: keep t4:a1 open t2")
    assert table.view("ada")["seen"] == table.view("bo")["seen"] == {"rome": ["t1", "t2", "t3"]}


def test_the_board_shows_what_its_viewer_knows(turnlog: Turnlog) -> None:
    """The looker's board has the names of the cards, others' boards the backs."""
    table = Table(turnlog, 2)
    table.play("ada: tradition")
    own = turnlog.ok("show", "g", "--as", "ada").out
    assert "You look in rome" in own
    assert SET.traditions["t1"].title in own
    other = turnlog.ok("show", "g", "--as", "bo").out
    assert "You look" not in other
    assert f"{SET.themes[SET.traditions['t1'].back].lower()}?" in other
    assert "bo" in other


def test_moves_and_errors_do_not_tell_the_others(turnlog: Turnlog) -> None:
    """Only the one who looks is asked what to keep; nobody else's refusal names a card."""
    table = Table(turnlog, 2)
    table.play("ada: tradition")
    answer = turnlog("play", "g", "keep t1:a1 open t2", "--as", "bo", "--json")
    assert answer.code == 3
    assert "t3" not in answer.err
    assert turnlog("moves", "g", "--as", "bo", "--json").json["moves"] == []


def test_a_dry_run_does_not_look(turnlog: Turnlog) -> None:
    """What a look would show, and what the bag would give, is not foretold."""
    Table(turnlog, 2)
    for move in ("tradition", "interview"):
        answer = turnlog.ok("play", "g", move, "--as", "ada", "--dry-run", "--json")
        assert "t1" not in answer.out
        assert "white" not in answer.out


def test_the_witness_deck_is_closed(turnlog: Turnlog) -> None:
    """Alone, the order of the deck shows as it is flipped, and not before."""
    table = Table(turnlog, 1, places=("rome",), witness_deck=[["john", "peter", "mary"]])
    for viewer in ("ada", "spectator"):
        log = turnlog.ok("log", "g", "--as", viewer, "--json").out
        assert '"deck":["?","?","?","?","?","?","?","?","?"]' in log
    assert table.view("ada")["flipped"] == ["john"]
    table.play("end")
    assert table.view("ada")["flipped"] == ["john", "peter"]


def test_a_look_cannot_be_undone_safely(turnlog: Turnlog) -> None:
    """Undo policy `safe` lets a travel be taken back, and refuses a look."""
    file = turnlog.stack(first_player=["ada"])
    turnlog.json("create", "evangelists", "-p", "ada", "-p", "bo", "--id", "g", "--undo", "safe", "--stack", file)
    turnlog.play("g", "place rome", "place philippi", "end", "bo: travel corinth strong")
    turnlog.ok("undo", "g", "--as", "bo")
    turnlog.play("g", "bo: tradition")
    assert turnlog("undo", "g", "--as", "bo").code == 3


def test_a_seats_log_can_be_played_again(turnlog: Turnlog) -> None:
    """What a seat exports is imported and folds to what it sees; the whole log verifies by today's rules."""
    table = Table(turnlog, 3)
    table.do("ada: tradition", "ada: keep t2:a1 t4:b1 open t3", "bo: follow t4:a1", "ada: interview", "ada: end")
    assert turnlog.ok("verify", "g", "--rules").code == 0
    file = turnlog.db.with_name("ada.jsonl")
    file.write_text(turnlog.ok("export", "g", "--format", "jsonl", "--as", "bo").out)
    before = table.view("bo")
    other = turnlog.db.with_name("other.db")
    turnlog.ok("import", file, "--db", other)
    assert turnlog.view("@", "bo", "--db", other) == before


def test_narration_reads_like_a_report(turnlog: Turnlog) -> None:
    """Each thing that happens has its sentence."""
    table = Table(turnlog, 2, bag=["white"])
    table.do("ada: tradition", "ada: keep t2:a1 open t3", "bo: follow t2:b1", "ada: interview", "ada: strong")
    said = " ".join(turnlog.ok("log", "g").out.split())
    for sentence in (
        "ada begins in rome.",
        "ada looks at the traditions of rome.",
        "ada keeps t2 in a1.",
        "Back in rome, t3 lies open.",
        "bo gives ada a follow token.",
        "bo follows and takes the copy of t2 into b1.",
        "A white cube out of the bag: peter is alive.",
    ):
        assert sentence in said
    assert "ada looks at the traditions of rome: t1, t2, t3, t4." in " ".join(
        turnlog.ok("log", "g", "--as", "ada").out.split()
    )
