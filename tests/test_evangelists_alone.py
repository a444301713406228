"""The Acts of the Evangelists alone: the designer's solitaire, its set-up, its witness deck, its fixed scoring."""

import pytest

from engines.creation import Wish, begun
from engines.decide import carried_out
from engines.evangelists.moves import End
from engines.evangelists.scoring import reckoned
from engines.evangelists.state import CodexLeaf, begin
from engines.kit.chance import Chance
from engines.registry import game_of
from tests.conftest import Turnlog
from tests.evangelists_table import SET, Table, not_told_by, told_by

WITNESSES = ["john", "peter", "mary", "thomas", "simon", "joanna"]


def alone(turnlog: Turnlog, **more: object) -> Table:
    """A solitaire in rome, with witnesses flipped in a known order."""
    draws: dict[str, list[object]] = {"witness_deck": [WITNESSES], **more}  # type: ignore[dict-item]
    return Table(turnlog, 1, places=("rome",), **draws)


def test_the_setup_alone(turnlog: Turnlog) -> None:
    """No tokens, one open card a city, one interview card a witness, six rounds (ruling 15)."""
    cards = [f"t{place * 4 + 2}" for place in range(9)]
    table = Table(turnlog, 1, places=(), witness_deck=[WITNESSES], open_traditions=list(cards))
    view = table.view()
    assert view["map"]["open"] == dict(zip(SET.cities, cards, strict=True))
    assert view["interviews"] == dict.fromkeys(SET.witnesses, 1)
    assert (view["rounds"], view["seats"][0]["tokens"]) == (6, 0)
    assert view["map"]["discs"] == dict.fromkeys(SET.witnesses)
    assert len(table.moves()) == 9


def test_a_witness_is_flipped_before_each_round(turnlog: Turnlog) -> None:
    """It gets a cube from the bag; white ones go back at the round's end, black ones stay."""
    table = alone(turnlog, bag=["white", "black", "white"])
    discs = table.view()["map"]["discs"]
    assert (discs["john"], discs["peter"]) == ("white", None)
    assert table.view()["bag"] == {"white": 5, "black": 2}
    table.play("end")
    discs = table.view()["map"]["discs"]
    assert (discs["john"], discs["peter"]) == (None, "black")
    assert table.view()["bag"] == {"white": 5, "black": 2}
    table.play("end", "leaf right")
    discs = table.view()["map"]["discs"]
    assert (discs["peter"], discs["mary"]) == ("black", "white")
    assert table.view()["flipped"] == ["john", "peter", "mary"]


def test_a_flipped_witness_that_is_dead_draws_no_cube(turnlog: Turnlog) -> None:
    """A black cube stays, so the flip changes nothing."""
    table = alone(turnlog, bag=["white", "black", "white"])
    table.play("interview", "weak", "end")  # the second draw: peter, in rome, is dead; peter is flipped next
    assert table.view()["flipped"] == ["john", "peter"]
    assert table.view()["map"]["discs"]["peter"] == "black"
    table.play("end", "leaf left")
    assert table.view()["map"]["discs"]["mary"] == "white"  # the third draw was still to come


def test_an_interview_finds_the_flipped_cube(turnlog: Turnlog) -> None:
    """The witness flipped this round has its cube; the interview draws none."""
    peter = told_by("peter")
    table = Table(
        turnlog,
        1,
        places=("rome",),
        cities={"rome": [*peter[:2], *not_told_by("peter")[:2]]},
        witness_deck=[["peter"]],
        bag=["white", "black"],
    )
    table.play("tradition", f"keep {peter[0]}:a1 {peter[1]}:a2 open {not_told_by('peter')[0]}", "interview")
    assert table.seat("ada")["marks"] == 6
    assert table.view()["interviews"]["peter"] == 0


def test_the_open_card_can_be_kept(turnlog: Turnlog) -> None:
    """It is kept like any other; another one then lies open."""
    table = Table(turnlog, 1, places=("rome",), open_traditions=["t2"])
    table.play("tradition", "keep t2:a1 open t4")
    assert table.view()["map"]["open"]["rome"] == "t4"


def test_a_loss_is_recorded_as_what_is_lacking(turnlog: Turnlog) -> None:
    """Nobody wins below 100, and the score is the total less 100 (77 is recorded as -23)."""
    table = alone(turnlog)
    result = table.finish()
    assert result["winners"] == []
    assert result["scores"] == {"ada": -100}
    assert table.view()["scores"] == {"ada": -100}
    assert "100" in result["reason"]
    assert "falls short" in turnlog.ok("log", "g").out


def reckon(
    cards: list[str], held: list[str], theme: str, marks: int = 0, phase: str = "turn"
) -> dict[str, object]:
    """Points of a gospel alone: by device, for the theme, the bonus, the total and what is recorded."""
    state = begin(("ada",), {}, SET)
    row = cards + [""] * (10 - len(cards))
    state.codices = [[CodexLeaf(name, row[2 * i : 2 * i + 2]) for i, name in enumerate("abcde")]]
    state.interviews, state.themes, state.marks = [held], [theme], [marks]
    now = reckoned(state)
    found: dict[str, object] = {track.device: track.points[0] for track in now.tracks}
    return found | {"theme": now.theme_points[0], "bonus": now.bonus[0], "total": now.totals[0]}


@pytest.mark.parametrize(("count", "points"), [(2, 0), (3, 6), (4, 8), (5, 11), (6, 15), (9, 15)])
def test_chronology_alone(count: int, points: int) -> None:
    """3, 4, 5, 6 or more cards: 6, 8, 11, 15."""
    assert reckon([f"t{number}" for number in range(1, count + 1)], [], "mercy")["chronology"] == points


@pytest.mark.parametrize(("count", "points"), [(0, 0), (1, 4), (2, 6), (3, 8), (4, 11), (5, 15), (6, 15)])
def test_themes_alone(count: int, points: int) -> None:
    """1 to 5 or more cards: 4, 6, 8, 11, 15, and the bonus when at least half match."""
    matching = [name for name, card in SET.traditions.items() if "mercy" in card.themes][:count]
    others = [name for name, card in SET.traditions.items() if "mercy" not in card.themes]
    found = reckon([*matching, *others[: min(max(1, count), 10 - count)]], [], "mercy")
    assert (found["theme"], found["bonus"]) == (points, 5 if count else 0)
    if count < 5:  # more cards than match
        assert reckon([*matching, *others[: count + 1]], [], "mercy")["bonus"] == 0


@pytest.mark.parametrize(("count", "points"), [(0, 0), (1, 8), (2, 11), (3, 15)])
def test_inclusio_alone(count: int, points: int) -> None:
    """1, 2, 3 or more: 8, 11, 15."""
    cards: list[str] = []
    for witness in ("peter", "mary", "simon"):
        cards += [name for name in told_by(witness) if name not in cards][:3]
    assert reckon(cards, ["peter", "mary", "simon"][:count], "mercy")["inclusio"] == points


def test_alone_ties_cost_nothing_and_marks_count() -> None:
    """The total is devices, theme, bonus and tally marks."""
    found = reckon(["t1", "t2", "t3"], [], "mercy", marks=30)
    assert found["total"] == 30 + sum(int(str(found[key])) for key in found if key != "total")


@pytest.mark.parametrize(("marks", "winners", "score"), [(85, (0,), 100), (84, (), -1), (62, (), -23)])
def test_a_hundred_points_win(marks: int, winners: tuple[int, ...], score: int) -> None:
    """With 15 points of a chronology: 100 is a win, 99 is recorded as -1, 77 as -23."""
    game = game_of("evangelists")
    _, state = begun(Wish(game, ("ada",), seed="x"), lambda: "salt")
    state.phase, state.round, state.marks, state.pawns = "turn", 6, [marks], ["rome"]
    state.codices = [[CodexLeaf("a", ["t1", "t2"]), CodexLeaf("b", ["t3", "t4"]), CodexLeaf("c", ["t5", "t6"])]]
    state.themes = ["none of them"]
    played = reckoned(state).totals[0] - marks
    state.marks = [marks + 15 - played]
    outcome = carried_out(game, state, 0, End(), Chance("x")).outcome
    assert outcome is not None
    assert (outcome.winners, outcome.scores) == (winners, (score,))
