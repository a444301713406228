"""What is hidden stays hidden: no command shows a lair, a drawn Treasure or a choice to who may not see it."""

import json
from pathlib import Path

import pytest

from tests.conftest import Turnlog
from tests.lairs_tables import CHESTS, LAIR, begun, changed, moves, one_line, refused, travel, turns

DECK = ["scroll-of-harmony", "moon-shard", "sun-shard", "tranquil-goblet", "clouded-orb", "brimming-horn"]

#: A row of bo's lair that lucia does not come to know in these tests, in all spellings.
SECRET = ["|  E|  T|  M|", "|..E|..T|..M|", one_line(LAIR), LAIR, LAIR.replace("\n", "\\n")]


def started(turnlog: Turnlog) -> None:
    """bo's lair is LAIR; lucia has seen its north only; lucia's lair is another."""
    other = changed(LAIR, ("E4", " "), ("E3", "T"), ("E6", " "), ("D6", "M"))
    begun(turnlog, "-o", "rounds=4", lucia=other, treasure_deck=[DECK])
    travel(turnlog, "lucia", "sseennO")


def everything_shown(turnlog: Turnlog, viewer: str) -> str:
    """What all reading commands give to a viewer."""
    told: list[str] = []
    for words in (
        ("show", "g"),
        ("log", "g"),
        ("export", "g", "--format", "jsonl"),
        ("export", "g", "--format", "transcript"),
        ("export", "g", "--format", "markdown"),
        ("export", "g", "--format", "html"),
        ("replay", "g", "--speed", "0"),
        ("show", "g", "--json"),
        ("log", "g", "--json"),
        ("replay", "g", "--speed", "0", "--json"),
    ):
        answer = turnlog(*words, "--as", viewer)
        told += [answer.out, answer.err]
    return "\n".join(told)


@pytest.mark.parametrize("viewer", ["lucia", "spectator"])
def test_no_command_shows_a_lair_to_who_explores_it(turnlog: Turnlog, viewer: str) -> None:
    """Case table: a spectator or the Explorer asks for the lair before it is explored."""
    started(turnlog)
    shown = everything_shown(turnlog, viewer)
    assert len(shown) > 10_000
    for secret in SECRET:
        assert secret not in shown


def test_the_builder_and_the_referee_see_the_lair(turnlog: Turnlog) -> None:
    started(turnlog)
    assert turnlog.view("g", "bo")["lairs"] == {"bo": LAIR}
    assert set(turnlog.view("g", "referee")["lairs"]) == {"lucia", "bo"}
    assert turnlog.view("g", "spectator")["lairs"] == {}
    assert SECRET[0] in turnlog.ok("show", "g", "--as", "bo").out


def test_only_the_owner_sees_a_drawn_treasure(turnlog: Turnlog) -> None:
    """What was taken from the display was seen by all (ruling 14)."""
    started(turnlog)
    assert turnlog.view("g", "lucia")["collection"] == ["tranquil-goblet", "scroll-of-harmony"]
    for viewer in ("bo", "spectator"):
        view = turnlog.view("g", viewer)
        assert view["collections"]["lucia"] == ["?", "scroll-of-harmony"]
        assert view["scores"]["lucia"] == 0
        del view["treasures"]
        assert "tranquil-goblet" not in json.dumps(view)
        for words in (
            ("show", "g"),
            ("log", "g"),
            ("log", "g", "--json"),
            ("export", "g", "--format", "transcript"),
        ):
            out = turnlog(*words, "--as", viewer).out
            log = "\n".join(line for line in out.splitlines() if '"kind":"game-created"' not in line)
            assert "tranquil-goblet" not in log


def test_errors_and_completions_do_not_depend_on_the_lair(turnlog: Turnlog) -> None:
    """The same refusals and the same moves in games whose lairs differ where nobody has been."""
    answers: list[object] = []
    for bo in (LAIR, changed(LAIR, ("F6", " "), ("F5", "T"), ("E6", " "), ("D6", "M"))):
        begun(turnlog, bo=bo)
        travel(turnlog, "lucia", "sseennO")
        turns(turnlog, 2)
        tried = ["backtrack E6", "peer s", "creep n", "hustle x", "fight", "open", "exit", "step n", "enter"]
        refusals = [refused(turnlog, move) for move in tried]
        answers.append((refusals, moves(turnlog), turnlog.ok("show", "g", "--as", "lucia").out))
        turnlog.db.unlink()
        for path in turnlog.db.parent.glob("games.db-*"):
            path.unlink()
    assert answers[0] == answers[1]


def test_a_dry_run_does_not_look_behind_a_wall_of_fog(turnlog: Turnlog) -> None:
    """An Unknown space is not told in advance, a Known one is."""
    begun(turnlog)
    answer = turnlog.json("play", "g", "creep", "s", "--dry-run")
    assert [f["type"] for f in answer["events"][0]["facts"]] == ["lairs.cubes-spent"]
    turnlog.play("g", "creep s")
    answer = turnlog.json("play", "g", "creep", "n", "--dry-run")
    assert [f["type"] for f in answer["events"][0]["facts"]] == ["lairs.cubes-spent", "lairs.moved"]


def test_a_safe_undo_takes_back_what_taught_nobody(turnlog: Turnlog) -> None:
    """A step into a Known space can be taken back, one into an Unknown space cannot."""
    begun(turnlog, "--undo", "safe")
    turnlog.play("g", "creep s", "creep n")
    turnlog.ok("undo", "g")
    answer = turnlog("undo", "g")
    assert answer.code == 3
    assert "learns about B1" in answer.err


def test_a_safe_undo_takes_back_a_lair_and_a_choice_that_nobody_saw(turnlog: Turnlog) -> None:
    """Others see of a secret move that it was made; a lair that chance made has been seen by its owner."""
    turnlog.json("create", "lairs", "-p", "lucia", "-p", "bo", "--id", "g", "--undo", "safe")
    turnlog.play("g", f"lucia: build {one_line(LAIR)}")
    turnlog.ok("undo", "g", "--as", "lucia")
    turnlog.play("g", "lucia: build random")
    assert "lucia learned something by event 4" in turnlog("undo", "g", "--as", "lucia").err
    turnlog.play("g", f"bo: build {one_line(LAIR)}")
    turnlog.ok("undo", "g", "--as", "bo")
    assert turnlog.json("show", "g")["to_move"] == ["bo"]


def test_a_safe_undo_takes_back_a_secret_keep(turnlog: Turnlog) -> None:
    """As long as the rival has still to choose; then all is laid out."""
    begun(turnlog, "--undo", "safe", treasure_deck=[DECK])
    travel(turnlog, "bo", CHESTS)
    travel(turnlog, "lucia", CHESTS)
    turnlog.play("g", "lucia: exit", "bo: exit")
    four = turnlog.view("g", "lucia")["collection"][:4]
    turnlog.play("g", f"lucia: keep {' '.join(four)}")
    turnlog.ok("undo", "g", "--as", "lucia")
    assert turnlog.json("show", "g")["to_move"] == ["lucia", "bo"]
    assert turnlog.view("g", "lucia")["kept"]["lucia"] == []


@pytest.mark.parametrize("lair", ["random", one_line(LAIR)], ids=["random", "typed"])
def test_an_exported_log_does_not_tell_whether_chance_made_a_lair(turnlog: Turnlog, lair: str) -> None:
    """The rival's log says nothing of draws that a secret move made; the whole log does."""
    turnlog.json("create", "lairs", "-p", "lucia", "-p", "bo", "--id", "g")
    turnlog.play("g", f"lucia: build {lair}")
    for viewer in ("bo", "spectator"):
        assert turnlog.ok("export", "g", "--as", viewer).lines[-1]["data"]["draws"] == {}
    drawn = {"random-lair": 1} if lair == "random" else {}
    for whole in ("lucia", "referee"):
        assert turnlog.ok("export", "g", "--as", whole).lines[-1]["data"]["draws"] == drawn


def test_a_build_is_not_told_to_the_rival(turnlog: Turnlog) -> None:
    """Neither whether it was typed or random, nor the map."""
    turnlog.json("create", "lairs", "-p", "lucia", "-p", "bo", "--id", "g", "--seed", 1)
    turnlog.play("g", "lucia: build random", f"bo: build {one_line(LAIR)}")
    for number in (1, 2):
        event = turnlog.ok("log", "g", "--json", "--as", "spectator").lines[number]
        assert event["move"] == "build ?"
        assert event["facts"][0]["lair"] == "?"


def test_the_choice_of_four_is_secret_until_both_have_chosen(turnlog: Turnlog) -> None:
    """Ruling 13: in both orders."""
    begun(turnlog, treasure_deck=[DECK])
    travel(turnlog, "bo", CHESTS)
    travel(turnlog, "lucia", CHESTS)
    turnlog.play("g", "lucia: exit", "bo: exit")
    four = turnlog.view("g", "lucia")["collection"][:4]
    turnlog.play("g", f"lucia: keep {' '.join(four)}")
    assert turnlog.json("show", "g")["to_move"] == ["bo"]
    for viewer in ("bo", "spectator"):
        view = turnlog.view("g", viewer)
        assert view["kept"] == {"lucia": ["?"] * 4, "bo": []}
        assert view["collections"]["lucia"].count("?") == 3
        assert turnlog.ok("log", "g", "--json", "--as", viewer).lines[-1]["move"] == "keep ? ? ? ?"
    assert turnlog.view("g", "lucia")["kept"]["lucia"] == four
    turnlog.play("g", f"bo: {turnlog.json('moves', 'g')['moves'][0]}")
    view = turnlog.view("g")
    assert view["kept"]["lucia"] == four
    assert "?" not in view["collections"]["lucia"]


def test_lairs_stay_closed_after_the_end(turnlog: Turnlog) -> None:
    """Ruling 14 has no end: a lair may be used again."""
    begun(turnlog, "-o", "rounds=1")
    turns(turnlog, 2)
    assert turnlog.json("show", "g")["result"]
    shown = everything_shown(turnlog, "spectator")
    assert not any(secret in shown for secret in SECRET)


def test_a_seats_log_is_imported_and_shows_the_same(turnlog: Turnlog, tmp_path: Path) -> None:
    started(turnlog)
    log = turnlog.ok("export", "g", "--format", "jsonl", "--as", "lucia").out
    path = tmp_path / "lucia.jsonl"
    path.write_text(log)
    other = str(tmp_path / "other.db")
    turnlog.ok("import", path, "--db", other)
    shown = turnlog.json("show", "g", "--as", "lucia", "--db", other)
    assert shown["view"]["maps"] == turnlog.view("g", "lucia")["maps"]
    assert shown["view"]["collection"] == turnlog.view("g", "lucia")["collection"]
    assert shown["view"]["lairs"] == turnlog.view("g", "lucia")["lairs"]
