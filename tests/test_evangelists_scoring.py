"""The Acts of the Evangelists: devices read off gospels, ladders, ties, themes, and who wins."""

from collections.abc import Sequence
from itertools import combinations, permutations, product

from hypothesis import given, settings
from hypothesis import strategies as st

from engines.evangelists.scoring import reckoned
from engines.evangelists.state import CodexLeaf, begin
from tests.conftest import Turnlog
from tests.evangelists_table import NAMES, SET, Table, told_by

LADDER = [15, 11, 8, 6, 4, 2, 0]
#: Rows of ten slots, interviews held, themes; by seat.
Drawn = tuple[list[list[str]], list[list[str]], list[str]]


# a slow and plain reckoning, written apart from the engine --------------------------------------------


def slow_inclusio(cards: Sequence[str], held: Sequence[str]) -> int:
    """Each witness held, for whom some three cards side by side all name it."""
    return sum(
        any(all(held_one in SET.traditions[c].witnesses for c in cards[i : i + 3]) for i in range(len(cards) - 2))
        for held_one in set(held)
    )


def slow_emphasis(cards: Sequence[str]) -> int:
    """Each motif for which four cards can be laid out that all show it."""
    return sum(
        any(all(motif in SET.traditions[c].motifs for c in four) for four in combinations(cards, 4))
        for motif in SET.motifs
    )


def slow_chiasm(cards: Sequence[str]) -> int:
    """Each four side by side for which some two different motifs read A B B A."""
    count = 0
    for i in range(len(cards)):
        four = [SET.traditions[c].motifs for c in cards[i : i + 4]]
        if len(four) == 4:
            fits = [
                (a, b)
                for a, b in product(SET.motifs, SET.motifs)
                if a != b and a in four[0] and b in four[1] and b in four[2] and a in four[3]
            ]
            count += bool(fits)
    return count


def slow_chronology(cards: Sequence[str]) -> int:
    """The longest piece of the row that is its own sorted self."""
    best = 0
    for i in range(len(cards)):
        for j in range(i + 3, len(cards) + 1):
            numbers = [SET.traditions[c].number for c in cards[i:j]]
            if numbers == sorted(set(numbers)):
                best = max(best, len(numbers))
    return 9 if best > 9 else best


def slow_points(values: Sequence[int]) -> list[int]:
    """15 for the leader, a level down for each space behind, nothing without a cube."""
    return [0 if not v else (LADDER + [0] * 40)[max(values) - v] for v in values]


def slow_totals(
    gospels: Sequence[Sequence[str]], held: Sequence[Sequence[str]], themes: Sequence[str]
) -> list[int]:
    """The totals of seats without tally marks."""
    totals = [0] * len(gospels)
    tracks = [
        [slow_inclusio(cards, mine) for cards, mine in zip(gospels, held, strict=True)],
        *([slow(cards) for cards in gospels] for slow in (slow_emphasis, slow_chiasm, slow_chronology)),
    ]
    for values in tracks:
        for seat, points in enumerate(slow_points(values)):
            totals[seat] += points
            for other, value in enumerate(values):
                if other != seat and value and value == values[seat]:
                    totals[seat] -= 1
    matching = [
        len([c for c in cards if theme in SET.traditions[c].themes])
        for cards, theme in zip(gospels, themes, strict=True)
    ]
    for seat, points in enumerate(slow_points(matching)):
        totals[seat] += points
        if matching[seat] and matching[seat] >= len(gospels[seat]) - matching[seat]:
            totals[seat] += 5
    return totals


@st.composite
def tables(draw: st.DrawFn) -> Drawn:
    """Codices as rows of ten slots, interviews held, and themes, of two to five seats."""
    seats = draw(st.integers(2, 5))
    slots = st.lists(st.sampled_from(list(SET.traditions)), min_size=0, max_size=10, unique=True)
    rows: list[list[str]] = []
    for _ in range(seats):
        cards = draw(slots)
        rows.append(draw(st.permutations([*cards, *[""] * (10 - len(cards))])))
    held = [draw(st.lists(st.sampled_from(list(SET.witnesses)), unique=True)) for _ in range(seats)]
    themes = draw(st.permutations(list(SET.themes)))[:seats]
    return rows, held, themes


@settings(max_examples=120, deadline=None)
@given(tables())
def test_devices_and_totals_agree_with_a_slow_reckoning(table: Drawn) -> None:
    """On random gospels every track, tie, theme and total is what a plain count finds."""
    rows, held, themes = table
    state = begin(NAMES[: len(rows)], {}, SET)
    state.codices = [[CodexLeaf(name, row[2 * i : 2 * i + 2]) for i, name in enumerate("abcde")] for row in rows]
    state.interviews, state.themes = held, themes
    gospels = [[card for card in row if card] for row in rows]
    found = {track.device: list(track.values) for track in reckoned(state).tracks}
    assert found == {
        "inclusio": [slow_inclusio(cards, mine) for cards, mine in zip(gospels, held, strict=True)],
        "emphasis": [slow_emphasis(cards) for cards in gospels],
        "chiasm": [slow_chiasm(cards) for cards in gospels],
        "chronology": [slow_chronology(cards) for cards in gospels],
    }
    assert list(reckoned(state).totals) == slow_totals(gospels, held, themes)


# played -----------------------------------------------------------------------------------------------


def devices(table: Table, name: str) -> dict[str, int]:
    """A seat's devices as they stand."""
    return table.seat(name)["devices"]


def test_numbers_are_read_over_empty_slots(turnlog: Turnlog) -> None:
    """3 7 _ 9 2 is a chronology of three."""
    table = Table(turnlog, 2, cities={"rome": ["t3", "t7", "t9", "t2"]})
    table.do("ada: tradition", "ada: keep t3:a1 t7:a2 open t2", "ada: end", "bo: end")
    assert devices(table, "ada")["chronology"] == 0  # two are no run
    table.do("ada: tradition", "ada: keep t9:b2 t2:c1")
    assert list(table.slots("ada").values()) == ["t3", "t7", None, "t9", "t2", None]
    assert devices(table, "ada")["chronology"] == 3


def test_ten_rising_cards_count_nine(turnlog: Turnlog) -> None:
    """A run of ten is worth what nine are."""
    table = Table(turnlog, 2, places=("rome", "cyrene"))
    table.do("ada: tradition", "ada: keep t1:a1 t2:a2 open t3", "ada: end", "bo: end")
    table.do("ada: tradition", "ada: keep t3:b1 t4:b2", "ada: travel adria", "ada: end")
    table.do("bo: end", "ada: leaf right", "ada: travel philippi")
    table.do("ada: tradition", "ada: keep t5:c1 t6:c2 open t7", "ada: end")
    table.do("bo: end", "ada: tradition", "ada: keep t7:d1 t8:d2", "ada: travel corinth", "ada: end")
    table.do("bo: end", "ada: leaf right", "ada: tradition")
    assert devices(table, "ada")["chronology"] == 8
    table.do("ada: keep t9:e1 t10:e2 open t11")
    assert devices(table, "ada")["chronology"] == 9
    assert len([card for card in table.slots("ada").values() if card]) == 10


def a_chiasm() -> tuple[str, ...]:
    """Four cards that read A B B A in one order, and are no chiasm with the first two exchanged."""
    for four in permutations(list(SET.traditions)[:14], 4):
        if slow_chiasm(four) and not slow_chiasm((four[1], four[0], *four[2:])):
            return four
    raise AssertionError


def test_a_chiasm_is_read_over_an_empty_slot(turnlog: Turnlog) -> None:
    """A, B, B, A with an empty slot between: one chiasm; flipping the first leaf unmakes it."""
    four = a_chiasm()
    table = Table(turnlog, 2, cities={"rome": four})
    table.do("ada: tradition", f"ada: keep {four[0]}:a1 {four[1]}:a2 open {four[2]}", "ada: end", "bo: end")
    table.do("ada: tradition", f"ada: keep {four[2]}:b2 {four[3]}:c1")
    assert devices(table, "ada")["chiasm"] == 1
    assert devices(table, "ada")["points"]["chiasm"] == 15
    table.do("ada: end", "bo: end", "ada: rearrange a flip")
    assert devices(table, "ada")["chiasm"] == 0


def test_an_inclusio_needs_the_witnesss_card(turnlog: Turnlog) -> None:
    """Three in a row that share a witness count once its interview card is held."""
    peter = told_by("peter")[:4]
    table = Table(turnlog, 2, cities={"rome": peter})
    table.do("ada: tradition", f"ada: keep {peter[0]}:a1 {peter[1]}:a2 open {peter[2]}", "ada: end", "bo: end")
    table.do("ada: tradition", f"ada: keep {peter[2]}:b2 open {peter[3]}")
    assert devices(table, "ada")["inclusio"] == 0
    table.do("ada: interview", "ada: weak")
    assert devices(table, "ada")["inclusio"] == 1


def test_an_emphasis_is_a_motif_on_four_cards_anywhere(turnlog: Turnlog) -> None:
    """Three are none; the fourth makes it, wherever it lies."""
    light = [name for name, card in SET.traditions.items() if "light" in card.motifs][:4]
    table = Table(turnlog, 2, cities={"rome": light})
    table.do("ada: tradition", f"ada: keep {light[0]}:a1 {light[1]}:c2 open {light[2]}", "ada: end", "bo: end")
    table.do("ada: tradition", f"ada: keep {light[2]}:b1 open {light[3]}")
    before = devices(table, "ada")["emphasis"]
    table.do("ada: end", "bo: end", "ada: tradition", f"ada: keep {light[3]}:b2")
    assert devices(table, "ada")["emphasis"] == before + 1


def test_a_tie_costs_one_for_each_other_cube(turnlog: Turnlog) -> None:
    """Values 4, 3, 3, 0 on a track are worth 15, 10, 10, 0 (ruling 11)."""
    table = Table(turnlog, 4)  # rome has t1 to t4, philippi t5 to t8, corinth t9 to t12
    keeps = {"ada": ("t1", "t2", "t3", "t4"), "bo": ("t5", "t6", "t7"), "cy": ("t9", "t10", "t11")}
    for name, cards in keeps.items():
        table.do(f"{name}: tradition", f"{name}: keep {cards[0]}:a1 {cards[1]}:a2 open {cards[2]}", f"{name}: end")
    for name, cards in keeps.items():
        last = f" {cards[3]}:b2" if len(cards) > 3 else ""
        table.do(f"{name}: tradition", f"{name}: keep {cards[2]}:b1{last}", f"{name}: end")
    shown = [devices(table, name) for name in table.names]
    assert [one["chronology"] for one in shown] == [4, 3, 3, 0]
    assert [one["points"]["chronology"] for one in shown] == [15, 11, 11, 0]
    result = table.finish()
    events = turnlog.ok("log", "g", "--json").lines
    scored = {f["device"]: f for f in events[-1]["facts"] if f["type"] == "evangelists.device-scored"}
    chronology = scored["chronology"]
    assert [p - t for p, t in zip(chronology["points"], chronology["ties"], strict=True)] == [15, 10, 10, 0]
    gospels = [list(keeps.get(name, ())) for name in table.names]
    themes = [seat["theme"] for seat in table.view()["seats"]]
    assert list(result["scores"].values()) == slow_totals(gospels, [[]] * 4, themes)
    assert table.view()["scores"] == result["scores"]


def test_a_theme_bonus_for_half_the_gospel(turnlog: Turnlog) -> None:
    """One ladder for all themes; 0 without a match; 5 more from half the cards on (ruling 12)."""
    mercy = [name for name, card in SET.traditions.items() if "mercy" in card.themes]
    other = [name for name, card in SET.traditions.items() if not {"mercy", "signs"} & set(card.themes)]
    cities = {"rome": [mercy[0], *other[:3]], "philippi": [mercy[1], *other[3:6]]}
    table = Table(turnlog, 2, cities=cities, themes=[["mercy", "signs"]])
    table.do("ada: tradition", f"ada: keep {mercy[0]}:a1 {other[0]}:a2 open {other[1]}", "ada: end")
    table.do("bo: tradition", f"bo: keep {other[3]}:a1 open {other[4]}", "bo: end")
    ada, bo = devices(table, "ada"), devices(table, "bo")
    assert (ada["matching"], ada["theme"], ada["bonus"]) == (1, 15, 5)
    assert (bo["matching"], bo["theme"], bo["bonus"]) == (0, 0, 0)
    table.do("ada: tradition", f"ada: keep {other[1]}:b1 open {other[2]}")
    assert (devices(table, "ada")["matching"], devices(table, "ada")["bonus"]) == (1, 0)


def test_most_points_win_and_the_log_ends(turnlog: Turnlog) -> None:
    """With a rising run alone one seat wins; nothing can be played afterwards."""
    table = Table(turnlog, 2, cities={"rome": ["t1", "t2", "t3", "t4"]})
    table.do("ada: tradition", "ada: keep t1:a1 t2:a2 open t3", "ada: end", "bo: end")
    table.do("ada: tradition", "ada: keep t3:b1 open t4")
    result = table.finish()
    assert result["winners"] == ["ada"]
    assert result["reason"] == "most points"
    assert result["scores"] == table.view()["scores"]
    answer = turnlog("play", "g", "end", "--json")
    assert answer.code == 3
    assert "over" in answer.error["message"]


def test_tally_marks_break_a_tie(turnlog: Turnlog) -> None:
    """11 for the theme, the bonus and 4 marks against 15 and the bonus: the marks decide (ruling 13)."""
    one, other = told_by("peter")[:2]
    theme = next(t for t in SET.traditions[one].themes if t not in SET.traditions[other].themes)
    rival = next(t for t in SET.themes if t != theme)
    pair = [name for name, card in SET.traditions.items() if rival in card.themes and name not in (one, other)][:2]
    rest = [name for name in SET.traditions if name not in (one, other, *pair)]
    cities = {"rome": [one, other, *rest[:2]], "philippi": [*pair, *rest[2:4]]}
    table = Table(turnlog, 2, cities=cities, themes=[[theme, rival]], bag=["black"])
    table.do("ada: tradition", f"ada: keep {one}:a1 {other}:a2 open {rest[0]}", "ada: interview", "ada: end")
    table.do("bo: tradition", f"bo: keep {pair[0]}:a1 {pair[1]}:a2 open {rest[2]}")
    result = table.finish()
    assert result["scores"] == {"ada": 11 + 5 + 4, "bo": 15 + 5}
    assert result["winners"] == ["ada"]
    assert "tally marks" in result["reason"]


def test_a_game_without_points_is_shared(turnlog: Turnlog) -> None:
    """Level on points and on tally marks, the win is shared."""
    table = Table(turnlog, 3)
    result = table.finish()
    assert result["winners"] == ["ada", "bo", "cy"]
    assert result["scores"] == {"ada": 0, "bo": 0, "cy": 0}
    assert "level" in result["reason"]
