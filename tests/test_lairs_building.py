"""Building lairs: every rule of building, maps as files and lines, the random builder, who explores first."""

import pytest

from engines.lairs.lair import lair_of, safe_spaces
from tests.conftest import Turnlog
from tests.lairs_tables import LAIR, built, changed, lair_file, moves, one_line, refused

WALLED_CORNER = changed(LAIR, ("A1", " "), ("C3", "S"), ("B1s", "-"), ("B2s", "-"))
#: D4's chest lies behind the Traps D1.. of a corridor: C3 and D3 around it.
TWO_TRAPS = changed(LAIR, ("D1", " "), ("E4", " "), ("D3", "T"), ("C4", "T"), ("E4n", "-"))


def created(turnlog: Turnlog, *more: object) -> None:
    turnlog.json("create", "lairs", "-p", "lucia", "-p", "bo", "--id", "g", "--seed", 1, *more)


def test_the_set_up_has_all_components(turnlog: Turnlog) -> None:
    """Six Spent cubes a seat, three Treasures open, 19 in the deck, nobody in a lair."""
    created(turnlog)
    view = turnlog.view("g")
    assert len(view["display"]) == 3
    assert view["deck"] == 19
    assert len(view["treasures"]) == 22
    for seat in ("lucia", "bo"):
        assert view["cubes"][seat]["spent"] == ["white"] * 4 + ["quickness", "perception"]
        assert view["at"][seat] is None
        assert view["achievements"][seat] == {"chests": 0, "monsters": 0, "traps": 0}
    assert view["scores"] == {"lucia": 0, "bo": 0}


def test_the_stacked_deck_begins_with_the_display(turnlog: Turnlog) -> None:
    created(turnlog, "--stack", turnlog.stack(treasure_deck=[["sun-shard", "moon-shard", "tranquil-goblet"]]))
    assert turnlog.view("g")["display"] == ["sun-shard", "moon-shard", "tranquil-goblet"]


def test_both_build_in_any_order_and_the_first_to_finish_names_the_explorer(turnlog: Turnlog) -> None:
    created(turnlog)
    assert turnlog.json("show", "g")["to_move"] == ["lucia", "bo"]
    turnlog.play("g", f"bo: build {one_line(LAIR)}")
    assert turnlog.json("show", "g")["to_move"] == ["lucia"]
    assert turnlog("play", "g", f"build {one_line(LAIR)}", "--as", "bo").code == 3
    answer = turnlog.play("g", "lucia: build random")
    assert answer["to_move"] == ["bo"]
    assert moves(turnlog) == ["first lucia", "first bo"]
    assert turnlog.play("g", "first lucia")["to_move"] == ["lucia"]


@pytest.mark.parametrize(("said", "explorer"), [("first bo", "bo"), ("first 2", "bo"), ("first 1", "lucia")])
def test_the_first_explorer_is_named_or_numbered(turnlog: Turnlog, said: str, explorer: str) -> None:
    built(turnlog)
    assert turnlog.play("g", said)["to_move"] == [explorer]


def test_nobody_else_can_be_named(turnlog: Turnlog) -> None:
    built(turnlog)
    assert "there is no seat 'fritz'" in refused(turnlog, "first fritz")


@pytest.mark.parametrize("text", [LAIR, LAIR + "\n\n", LAIR.replace("\n", "\r\n"), one_line(LAIR), LAIR.lower()])
def test_a_map_is_a_file_of_lines_or_one_line(turnlog: Turnlog, text: str) -> None:
    created(turnlog)
    turnlog.ok("play", "g", "build", "@" + lair_file(turnlog, text), "--as", "lucia")
    assert turnlog.view("g", "lucia")["lairs"] == {"lucia": LAIR}


@pytest.mark.parametrize("walls", [17, 18, 19, 20])
def test_17_to_20_walls_are_accepted(turnlog: Turnlog, walls: int) -> None:
    created(turnlog)
    turnlog.play("g", f"lucia: build {one_line(with_walls(walls))}")


@pytest.mark.parametrize("text", [LAIR, one_line(LAIR)], ids=["lines", "one line"])
def test_a_lair_goes_through_a_transcript(turnlog: Turnlog, text: str) -> None:
    """A map with line ends is a JSON string there."""
    created(turnlog)
    turnlog.ok("play", "g", "build", "@" + lair_file(turnlog, text), "--as", "lucia")
    script = lair_file(turnlog, turnlog.ok("export", "g", "--format", "transcript").out, "script.txt")
    other = str(turnlog.db.with_name("other.db"))
    turnlog.ok("run", script, "--db", other)
    shown = turnlog.json("show", "@", "--as", "lucia", "--db", other)
    assert shown["view"]["lairs"] == {"lucia": LAIR}


def with_walls(count: int) -> str:
    """The lair with so many walls: it has 18."""
    extra = [("C2e", "|"), ("A3e", "|"), ("B3e", "|")]
    less = [("D1s", " "), ("F4e", " ")]
    return changed(LAIR, *extra[: max(0, count - 18)], *less[: max(0, 18 - count)])


def test_16_and_21_walls_are_refused(turnlog: Turnlog) -> None:
    created(turnlog)
    assert "16 walls: at least 17" in refused(turnlog, f"build {one_line(with_walls(16))}", "lucia")
    assert "21 walls: there are only 20" in refused(turnlog, f"build {one_line(with_walls(21))}", "lucia")


def test_a_walled_off_corner_is_refused(turnlog: Turnlog) -> None:
    """The rulebook's legality example: the spaces of a corner cannot be reached."""
    created(turnlog)
    message = refused(turnlog, f"build {one_line(WALLED_CORNER)}", "lucia")
    assert "A1, B1, B2: are walled off" in message


def test_a_chest_behind_two_traps_is_refused(turnlog: Turnlog) -> None:
    """The first Peril example: a Trap on every way but two are needed."""
    created(turnlog)
    corridor = changed(LAIR, ("D1", " "), ("F6", " "), ("D3", "T"), ("C4", "T"), ("D4", "T"), ("E4", "C"))
    corridor = changed(corridor, ("E4w", "|"), ("E4s", "-"), ("D1s", " "), ("E2e", " "))
    message = refused(turnlog, f"build {one_line(corridor)}", "lucia")
    assert "E4 (Chest): every way there from the Start passes two Traps" in message
    assert "A3" not in message


def test_a_chest_behind_a_monster_and_a_trap_is_legal(turnlog: Turnlog) -> None:
    """The second Peril example: one of each is fine."""
    created(turnlog)
    corridor = changed(
        LAIR, ("B2", " "), ("E6", "M"), ("F6", " "), ("D3", "T"), ("D4", "M"), ("E4", "C"), ("A4", "T")
    )
    corridor = changed(corridor, ("E4w", "|"), ("E4s", "-"), ("D1s", " "), ("E2e", " "), ("C4s", "-"))
    turnlog.play("g", f"lucia: build {one_line(corridor)}")


def test_an_illegal_way_does_no_harm_beside_a_legal_one(turnlog: Turnlog) -> None:
    """The third Peril example: D4 has a way through two Traps and one through none."""
    created(turnlog)
    turnlog.play("g", f"lucia: build {one_line(changed(LAIR, ('D1', ' '), ('D3', 'T')))}")


def test_two_monsters_on_every_way_are_refused_too(turnlog: Turnlog) -> None:
    created(turnlog)
    lair = changed(LAIR, ("B2", " "), ("B1", "M"), ("B5", " "), ("C1", "M"), ("B2w", "|"))
    message = refused(turnlog, f"build {one_line(lair)}", "lucia")
    assert message.count("passes two Monsters") == 4  # the Exit and all Chests


def test_a_way_may_pass_other_goals_and_the_exit(turnlog: Turnlog) -> None:
    """Ruling 5: the only way to F1 leads over the Exit E2 and the Chest E1."""
    created(turnlog)
    lair = changed(LAIR, ("F2", " "), ("F1", "C"), ("F1e", "|"), ("E1s", " "), ("A3", " "), ("E1", "C"))
    turnlog.play("g", f"lucia: build {one_line(lair)}")


def test_all_faults_are_told_at_once(turnlog: Turnlog) -> None:
    """Counts, walls, a corner and perils, each with its spaces."""
    created(turnlog)
    lair = changed(
        LAIR, ("A3", " "), ("F6", "E"), ("A5e", "|"), ("A4", " "), ("A4e", "|"), ("B1", "T"), ("C1", "T")
    )
    lair = changed(lair, ("B2w", "|"))
    message = refused(turnlog, f"build {one_line(lair)}", "lucia")
    assert "2 Exits (E2, F6) instead of 1" in message
    assert "2 Chests (D4, F2) instead of 3" in message
    assert "4 Traps (B1, C1, D1, E4) instead of 3" in message
    assert "21 walls" in message
    assert "A5: is walled off" in message
    assert "D4 (Chest): every way there from the Start passes two Traps" in message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("hello", "the map has 1 row of text instead of 13"),
        (LAIR.replace("|S|", "|S"), "row 2 of the text has 12 characters instead of 13"),
        (changed(LAIR, ("A1", "X")), "A1: 'X' is no feature"),
        (changed(LAIR, ("A1e", "-")), "'-' on the border between A1 and A2"),
        (changed(LAIR, ("A1s", "|")), "'|' on the border between A1 and B1"),
        (changed(LAIR, ("F1w", " ")), "the outer wall '|' is missing"),
        ("*" + LAIR[1:], "row 1, character 1 of the text: '*' stands where a post '+' belongs"),
    ],
)
def test_what_is_no_map_is_refused_with_its_place(turnlog: Turnlog, text: str, says: str) -> None:
    created(turnlog)
    answer = turnlog("play", "g", "build", "@" + lair_file(turnlog, text), "--as", "lucia", "--json")
    assert answer.code == 3
    assert says in answer.error["message"]


# sheets without a game --------------------------------------------------------------------------------


def test_a_blank_map_is_drawn_without_a_game(turnlog: Turnlog) -> None:
    blank = turnlog.ok("rules", "lairs", "--blank").out.splitlines()
    assert len(blank) == 13
    assert blank[0] == blank[-1] == "+-+-+-+-+-+-+"
    assert blank[1] == "|           |"
    assert turnlog.json("rules", "lairs", "--blank")["blank"] == "\n".join(blank)


def test_a_map_is_checked_without_a_game(turnlog: Turnlog) -> None:
    good, bad = lair_file(turnlog, LAIR), lair_file(turnlog, WALLED_CORNER, "bad.txt")
    assert "is legal" in turnlog.ok("rules", "lairs", "--check", good).out
    assert turnlog.json("rules", "lairs", "--check", good)["legal"] is True
    answer = turnlog("rules", "lairs", "--check", bad)
    assert answer.code == 3
    assert "A1, B1, B2: are walled off" in answer.out
    document = turnlog("rules", "lairs", "--check", bad, "--json").json
    assert document["legal"] is False
    assert len(document["faults"]) == 1
    assert turnlog("rules", "lairs", "--check", "nowhere.txt").code == 2


def test_other_games_have_no_sheet(turnlog: Turnlog) -> None:
    assert turnlog("rules", "power-vacuum", "--blank").code == 2
    assert turnlog("rules", "power-vacuum", "--check", "x").code == 2


# the random builder -----------------------------------------------------------------------------------


def random_lairs(turnlog: Turnlog, count: int) -> list[str]:
    lairs: list[str] = []
    for number in range(count):
        turnlog.json("create", "lairs", "-p", "lucia", "-p", "bo", "--id", f"r{number}", "--seed", number)
        turnlog.play(f"r{number}", "lucia: build random")
        lairs.append(turnlog.view(f"r{number}", "lucia")["lairs"]["lucia"])
    return lairs


def test_random_lairs_are_legal_use_all_walls_and_differ(turnlog: Turnlog) -> None:
    lairs = random_lairs(turnlog, 12)
    assert len(set(lairs)) == 12
    for lair in lairs:
        turnlog.ok("rules", "lairs", "--check", lair_file(turnlog, lair))
        rows = lair.splitlines()
        inner = sum(row[1:-1].count("|") for row in rows[1::2]) + sum(row.count("-") for row in rows[2:-1:2])
        assert inner == 20


def test_random_lairs_spread_their_features(turnlog: Turnlog) -> None:
    """No two chests side by side in most lairs, and features in all four quarters of all lairs together."""
    lairs = random_lairs(turnlog, 12)
    touching = 0
    quarters: set[tuple[bool, bool]] = set()
    for lair in lairs:
        rows = lair.splitlines()
        places = [(r, c) for r in range(6) for c in range(6) if rows[2 * r + 1][2 * c + 1] == "C"]
        quarters |= {(r < 3, c < 3) for r, c in places}
        touching += any(abs(r - s) + abs(c - d) == 1 for r, c in places for s, d in places)
    assert touching <= 3
    assert len(quarters) == 4


def test_hazards_guard_goals_in_random_lairs(turnlog: Turnlog) -> None:
    """Two of the four goals at least cannot be reached without meeting a hazard."""
    for text in random_lairs(turnlog, 12):
        lair = lair_of(one_line(text))
        free = safe_spaces(lair, lair.places("start")[0], 0, 0)
        goals = lair.places("chest") + lair.places("exit")
        assert sum(space not in free for space in goals) >= 2


def test_a_random_lair_can_be_stacked(turnlog: Turnlog) -> None:
    created(turnlog, "--stack", turnlog.stack(random_lair=[one_line(LAIR), one_line(WALLED_CORNER)]))
    turnlog.play("g", "lucia: build random")
    assert turnlog.view("g", "lucia")["lairs"]["lucia"] == LAIR
    answer = turnlog("play", "g", "build", "random", "--as", "bo")
    assert answer.code == 3
    assert "walled off" in answer.err
    assert turnlog.json("show", "g")["to_move"] == ["bo"]
