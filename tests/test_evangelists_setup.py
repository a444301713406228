"""The Acts of the Evangelists: the set, the set-up of every number of seats, rounds and growth."""

from collections import Counter
from importlib.resources import files

import pytest

from engines.evangelists.geography import distances
from tests.conftest import Turnlog
from tests.evangelists_table import NAMES, SET, Table

SET_TEXT = files("engines.evangelists").joinpath("set.toml").read_text("utf-8")


def test_the_set_has_the_counts_of_the_box() -> None:
    """Nine cities and witnesses, five motifs, six themes, 36 traditions in the order of the story, three boats."""
    assert len(SET.cities) == len(SET.witnesses) == 9
    assert 8 <= len(SET.names) - len(SET.cities) <= 12
    assert (len(SET.motifs), len(SET.themes)) == (5, 6)
    assert [card.number for card in SET.traditions.values()] == list(range(1, 37))
    assert list(SET.traditions) == [f"t{number}" for number in range(1, 37)]
    assert len(set(SET.boats)) == 3
    assert set(SET.boats) <= set(SET.sea)
    assert sorted(SET.hosts) == sorted(SET.cities)
    assert len({witness.colour for witness in SET.witnesses.values()}) == 9


def test_motifs_themes_and_witnesses_are_spread_evenly() -> None:
    """A motif is on 14 or 15 cards, a theme on 12 and 6 backs, a witness on 6 cards."""
    cards = SET.traditions.values()
    motifs = Counter(motif for card in cards for motif in card.motifs)
    assert sorted(motifs.values()) == [14, 14, 14, 15, 15]
    assert set(Counter(theme for card in cards for theme in card.themes).values()) == {12}
    assert set(Counter(card.back for card in cards).values()) == {6}
    assert Counter(w for card in cards for w in card.witnesses) == dict.fromkeys(SET.witnesses, 6)
    for card in cards:
        assert len(set(card.motifs)) == len(set(card.themes)) == 2
        assert card.back in card.themes
        assert len(set(card.witnesses)) == len(card.witnesses) <= 2


def test_cities_are_near_enough() -> None:
    """All spaces hang together, and every city is within eight spaces of every other."""
    ways = distances(SET.lines)
    assert all(len(ways[space]) == len(SET.names) for space in SET.names)
    assert max(ways[one][other] for one in SET.cities for other in SET.cities) <= 8


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("white = 6", "white = 7", "pieces.white"),
        ("schema = 1", "schema = 1\ncolour = 2", "colour"),
        ('boats = ["adria", "crete", "cyprus"]', 'boats = ["adria", "crete", "rome"]', "map, boats"),
        ('"rome appian", "rome melita"', '"rome appian", "rome rome"', "map, lines 2"),
        ('"rome appian", "rome melita"', '"rome appian", "appian rome"', "map, lines 2"),
        ('"rome appian", "rome melita", ', "", "from 'rome'"),
        ('motifs = ["water", "flock"]', 'motifs = ["water", "water"]', "traditions 1, motifs"),
        ('themes = ["kingdom", "prophecy"]', 'themes = ["kingdom", "mercy"]', "traditions 1, back"),
        ('witnesses = ["mary"]', 'witnesses = ["peter"]', "witnesses"),
        ('slug = "rome"', 'slug = "strong"', "cities 1, slug"),
        ('slug = "philippi"', 'slug = "rome"', "cities: 'rome' is named twice"),
        ("{adria    }", "{adri     }", "map, picture"),
        ("{adria    }", "{adria}", "map, picture"),
        ('code = "Pe"', 'code = "P"', "witnesses 1, code"),
        ('colour = "magenta"', 'colour = "red"', "witnesses, colour"),
        ('city = "philippi"', 'city = "rome"', "witnesses, city"),
        ("number = 36", "number = 37", "numbered 1 to 36"),
    ],
)
def test_a_set_that_is_not_whole_is_refused(turnlog: Turnlog, old: str, new: str, said: str) -> None:
    """Unknown keys, counts that do not add up and names used twice are named with where they stand."""
    assert old in SET_TEXT
    file = turnlog.db.with_name("set.toml")
    file.write_text(SET_TEXT.replace(old, new, 1))
    answer = turnlog("create", "evangelists", "-p", "ada", "-p", "bo", "--set", file, "--json")
    assert answer.code == 2
    assert said in answer.error["message"]


def test_a_set_of_ones_own_is_played_with(turnlog: Turnlog) -> None:
    """A set of the same schema is played with, and recorded in the game."""
    file = turnlog.db.with_name("set.toml")
    file.write_text(SET_TEXT.replace('"The birth in Bethlehem"', '"Something else"'))
    turnlog.ok("create", "evangelists", "-p", "ada", "--set", file, "--id", "g")
    turnlog.ok("play", "g", "place rome")
    assert turnlog.ok("verify", "g").code == 0


@pytest.mark.parametrize(
    ("seats", "tokens", "rounds"),
    [(2, [0, 2], 6), (3, [0, 1, 2], 6), (4, [0, 1, 1, 2], 6), (5, [0, 1, 1, 1, 2], 5)],
)
def test_the_setup_of_a_number_of_seats(turnlog: Turnlog, seats: int, tokens: list[int], rounds: int) -> None:
    """Tokens by turn order (rulings 1 and 2), four cards a city, three leaves, open themes, no cube on a disc."""
    table = Table(turnlog, seats, places=())
    view = table.view()
    assert (view["round"], view["rounds"]) == (1, rounds)
    assert [seat["tokens"] for seat in view["seats"]] == tokens
    assert view["map"]["cards"] == dict.fromkeys(SET.cities, 4)
    assert view["map"]["boats"] == sorted(SET.boats)
    assert view["map"]["discs"] == dict.fromkeys(SET.witnesses)
    assert view["bag"] == {"white": 6, "black": 2}
    assert view["interviews"] == dict.fromkeys(SET.witnesses, 4)
    assert len({seat["theme"] for seat in view["seats"]}) == seats
    for seat in view["seats"]:
        assert [leaf["name"] for leaf in seat["leaves"]] == ["a", "b", "c"]
        assert [card for leaf in seat["leaves"] for card in leaf["slots"].values()] == [None] * 6
        assert (seat["marks"], seat["interviews"], seat["space"]) == (0, [], None)
    assert all(card is None for card in view["map"]["open"].values())


def test_tokens_and_turns_go_by_the_first_player(turnlog: Turnlog) -> None:
    """The drawn seat is first, the one before it last with two tokens; turns and placing go clockwise."""
    table = Table(turnlog, 3, places=(), first_player=["cy"])
    assert [seat["tokens"] for seat in table.view()["seats"]] == [1, 2, 0]
    assert table.view()["first"] == "cy"
    for name, city in (("cy", "rome"), ("ada", "corinth"), ("bo", "ephesus")):
        assert table.to_move() == [name]
        table.play(f"place {city}")
    for name in ("cy", "ada", "bo", "cy"):
        assert table.to_move() == [name]
        table.play("end")


def test_deals_follow_the_stack_in_seat_order_and_the_sets_order(turnlog: Turnlog) -> None:
    """Four traditions to each city in the set's order, a theme to each seat in order of creation."""
    table = Table(turnlog, 2, first_player=["bo"], themes=[["signs", "mercy"]])
    assert [seat["theme"] for seat in table.view()["seats"]] == ["signs", "mercy"]
    whole = table.view("referee")["traditions"]
    assert [card for city in SET.cities for card in whole[city]] == list(SET.traditions)


def test_no_two_pawns_begin_in_the_same_city(turnlog: Turnlog) -> None:
    """A city that is taken, a waypoint and an unknown place are refused."""
    table = Table(turnlog, 2, places=())
    table.play("ada: place rome")
    table.refused("bo: place rome", "another pawn is in rome", "philippi")
    table.refused("bo: place adria", "no city")
    table.refused("bo: place narnia", "no city")
    assert "place rome" not in table.moves("bo")
    assert len(table.moves("bo")) == 8


def test_a_stack_that_does_not_fit_is_refused(turnlog: Turnlog) -> None:
    """A tradition named twice and an unknown theme are refused, and no game is made."""
    for stack in ({"traditions": [["t1", "t1"]]}, {"themes": [["joy"]]}, {"first_player": ["zoe"]}):
        answer = turnlog(
            "create", "evangelists", "-p", "ada", "-p", "bo", "--stack", turnlog.stack(**stack), "--json"
        )
        assert answer.code == 3
    assert turnlog.ok("list", "--json").lines == []


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_rounds_and_growth(turnlog: Turnlog, seats: int) -> None:
    """Six rounds with growth after 2 and 4; with five seats five, with growth after 1 and 3, in turn order."""
    table = Table(turnlog, seats)
    grown: list[tuple[int, str]] = []
    while table.to_move():
        if table.phase == "growth":
            grown.append((table.round, table.to_move()[0]))
            table.play("leaf left" if table.round < 3 else "leaf right")
        else:
            table.play("end")
    rounds = (1, 3) if seats == 5 else (2, 4)
    assert grown == [(number, name) for number in rounds for name in NAMES[:seats]]
    view = table.view()
    assert view["round"] == (5 if seats == 5 else 6)
    assert [[leaf["name"] for leaf in seat["leaves"]] for seat in view["seats"]] == [list("dabce")] * seats


def test_growth_is_left_or_right_and_nothing_else(turnlog: Turnlog) -> None:
    """A leaf goes to an end; the turn does not go on before it does."""
    table = Table(turnlog, 2)
    for _ in range(4):
        table.play("end")
    table.refused("ada: leaf middle", "left", "right")
    table.refused("ada: end", "cannot be done now")
    assert table.moves() == ["leaf left", "leaf right"]
    table.play("ada: leaf right", "bo: leaf left")
    assert [leaf["name"] for leaf in table.seat("ada")["leaves"]] == list("abcd")
    assert [leaf["name"] for leaf in table.seat("bo")["leaves"]] == list("dabc")
    assert table.view()["round"] == 3


def test_witnesses_die_as_the_game_goes_on(turnlog: Turnlog) -> None:
    """At a round's end white cubes go back and one leaves the game; black ones stay (ruling 6)."""
    table = Table(turnlog, 2, bag=["white", "black"])
    table.do("ada: interview", "ada: weak")
    assert table.view()["map"]["discs"]["peter"] == "white"
    assert table.view()["bag"] == {"white": 5, "black": 2}
    table.do("ada: end", "bo: interview", "bo: weak")
    assert table.view()["map"]["discs"]["joanna"] == "black"
    assert table.view()["bag"] == {"white": 5, "black": 2}
    table.do("bo: end")
    view = table.view()
    assert view["round"] == 2
    assert (view["map"]["discs"]["peter"], view["map"]["discs"]["joanna"]) == (None, "black")
    assert view["bag"] == {"white": 5, "black": 2}
    table.until("ada", 6)
    assert table.view()["bag"] == {"white": 1, "black": 2}
    assert table.view()["map"]["discs"]["joanna"] == "black"


def test_a_cube_that_is_not_in_the_bag_is_refused(turnlog: Turnlog) -> None:
    """A stacked cube is a pick (ruling 16); one that is not there is refused at that move, nothing appended."""
    table = Table(turnlog, 2, bag=["green"])
    table.refused("ada: interview", "'bag'", "white")
    assert table.seat("ada")["interviews"] == []


def test_octagons_left_over_are_lost(turnlog: Turnlog) -> None:
    """Each turn begins with three octagons, whatever was left."""
    table = Table(turnlog, 2)
    assert (table.seat("ada")["octagons"], table.seat("bo")["octagons"]) == (3, 0)
    table.do("ada: travel appian", "ada: end")
    assert (table.seat("ada")["octagons"], table.seat("bo")["octagons"]) == (0, 3)
    table.do("bo: end")
    assert table.seat("ada")["octagons"] == 3
