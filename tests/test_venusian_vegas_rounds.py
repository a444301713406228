"""The set-up, the start of a round, tracks and what they bring (rulings 1 to 7)."""

from typing import Any

import pytest

from tests.conftest import Turnlog
from tests.vegas import CARDS, Vegas, last_hand, own_set

NAMES = ("ada", "bo", "cy", "di", "ed")
TRACKS = ("team", "game", "inspector", "bot", "mobster")


def created(turnlog: Turnlog, seats: int, first: str = "ada", *more: object, **stack: list[Any]) -> None:
    """A game of so many seats, its deck in the order of the cards."""
    words = [word for name in NAMES[:seats] for word in ("-p", name)]
    file = turnlog.stack(**{"deck": [CARDS], "first_player": [first], **stack})
    turnlog.ok("create", "venusian-vegas", *words, "--id", "g", "--stack", file, *more)


def hands(*sizes: int) -> dict[str, int]:
    """Sizes of hands by name."""
    return dict(zip(NAMES, sizes, strict=False))


# set-up -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_everyone_is_dealt_seven_cards_in_seat_order(turnlog: Turnlog, seats: int) -> None:
    """Whole hands from the front of the deck; no VP, no tokens, every marker on its first space."""
    created(turnlog, seats)
    view = turnlog.view("g")
    assert view["hands"] == dict.fromkeys(NAMES[:seats], 7)
    assert view["deck"] == 65 - 7 * seats
    assert turnlog.view("g", "ada")["hand"] == [f"T{number}" for number in range(1, 8)]
    assert turnlog.view("g", "bo")["hand"] == [*(f"T{number}" for number in range(8, 14)), "G1"]
    assert view["scores"] == view["increases"] == dict.fromkeys(NAMES[:seats], 0)
    for name in NAMES[:seats]:
        assert view["tracks"][name] == dict.fromkeys(TRACKS, 1)
        assert set(view["tokens"][name].values()) == {0}
    assert view["rounds"] == (3 if seats == 2 else 4)
    assert view["trump"] == "none"
    assert view["rank"] == "high"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_each_seat_raises_its_tracks_from_the_drawn_one_on(turnlog: Turnlog, seats: int) -> None:
    """Two different ones, three with five seats; clockwise from the first seat, who then has the rise."""
    created(turnlog, seats, "bo")
    tracks = "game bot mobster" if seats == 5 else "game bot"
    asked = []
    for _ in range(seats):
        asked += turnlog.json("show", "g")["to_move"]
        turnlog.play("g", f"raise {tracks}")
    assert asked == [*NAMES[1:seats], "ada"]
    view = turnlog.view("g")
    assert set(view["increases"].values()) == {len(tracks.split())}
    assert view["round"] == 1
    assert turnlog.json("show", "g")["to_move"] == ["bo"]


@pytest.mark.parametrize(
    ("seats", "move", "why"),
    [
        (2, "raise team", "2 different tracks are raised now; got team"),
        (2, "raise team team", "2 different tracks"),
        (2, "raise team game bot", "2 different tracks"),
        (2, "raise", "got none"),
        (2, "raise team gold", "'gold' is no track"),
        (5, "raise team game", "3 different tracks"),
        (2, "play T1", "cannot be done now"),
    ],
)
def test_other_raises_of_the_set_up_are_refused(turnlog: Turnlog, seats: int, move: str, why: str) -> None:
    """The sentence says how many, and how they are called."""
    created(turnlog, seats)
    answer = turnlog("play", "g", move, "--json")
    assert answer.code == 3
    assert why in answer.error["message"]


def test_the_tracks_of_the_set_up_come_in_any_order(turnlog: Turnlog) -> None:
    """`moves` lists each pair once and says so."""
    created(turnlog, 2)
    moves = turnlog.json("moves", "g")
    assert len(moves["moves"]) == 10
    assert not moves["complete"]
    assert "any order" in moves["pattern"]
    turnlog.play("g", "raise mobster game")
    assert turnlog.view("g")["tracks"]["ada"] == {**dict.fromkeys(TRACKS, 1), "game": 2, "mobster": 2}
    turnlog.play("g", "raise BOT Team")  # capitals do not matter in any order
    assert turnlog.view("g")["tracks"]["bo"] == {**dict.fromkeys(TRACKS, 1), "bot": 2, "team": 2}


def test_the_income_of_the_set_up_comes_at_once(turnlog: Turnlog) -> None:
    """Team draws up to nine, a token track hands out the difference."""
    created(turnlog, 3)
    turnlog.play("g", "raise team inspector")
    view = turnlog.view("g")
    assert view["hands"] == hands(9, 7, 7)
    assert turnlog.view("g", "ada")["hand"][-2:] == ["G9", "G10"]  # 21 cards were dealt before
    assert view["tokens"]["ada"] == {"game": 0, "inspector": 1, "bot": 0, "mobster": 0}
    turnlog.play("g", "raise bot mobster")
    assert turnlog.view("g")["tokens"]["bo"] == {"game": 0, "inspector": 0, "bot": 1, "mobster": 1}


def test_a_vp_space_scores_in_the_set_up_too(turnlog: Turnlog) -> None:
    """With a set whose second Game space is a VP space."""
    created(turnlog, 2, "ada", "--set", own_set(turnlog, {"vp_spaces.game": "[2]"}))
    turnlog.play("g", "raise team game")
    assert turnlog.view("g")["scores"] == {"ada": 1, "bo": 0}


@pytest.mark.parametrize("seats", [1, 6])
def test_other_numbers_of_seats_are_refused(turnlog: Turnlog, seats: int) -> None:
    """2 to 5 can play."""
    words = [word for number in range(seats) for word in ("-p", f"seat-{number}")]
    answer = turnlog("create", "venusian-vegas", *words, "--json")
    assert answer.code == 3
    assert "2 to 5 seats" in answer.error["message"]


# a round's start --------------------------------------------------------------------------------------


def test_the_seat_furthest_behind_raises_one_track_and_leads(turnlog: Turnlog) -> None:
    """In round one all are level, so the drawn first seat does; the others' hands are as they were."""
    table = Vegas(turnlog, {"ada": "T1", "bo": "", "cy": ""}, rise=None)
    assert table.to_move == ["ada"]
    assert table.moves == [f"raise {track}" for track in TRACKS]
    assert "1 track is raised now" in table.refused("raise team bot")
    table.play("raise game")
    assert table.to_move == ["ada"]
    assert table.moves[0].startswith("play")
    assert table.view()["leader"] == "ada"
    assert table.view()["increases"] == {"ada": 3, "bo": 2, "cy": 2}


@pytest.mark.parametrize(("track", "cards", "tokens"), [("team", 9, 0), ("mobster", 7, 1)])
def test_what_the_free_increase_brings_comes_in_the_same_event(
    turnlog: Turnlog, track: str, cards: int, tokens: int
) -> None:
    """Everyone draws up and collects after it: with Team nine cards, with Mobster a token."""
    table = Vegas(turnlog, {"ada": "T1", "bo": ""}, rise=None)
    answer = table.play(f"raise {track}")
    assert len(answer["events"]) == 1
    assert table.view()["hands"] == hands(cards, 7)
    assert table.view()["tokens"]["ada"]["mobster"] == tokens


def test_fewest_vp_plus_increases_is_furthest_behind(turnlog: Turnlog) -> None:
    """Ada has an increase more than the others, bo 2 VP: cy rises in round two."""
    hands = {"ada": "T1 T2 T3 T4 T5 T7 T8", "bo": "T9 B1 B2 B3 B4 B5 B10", "cy": "M1 M2 M3 M4 M5 M7 M8"}
    table = Vegas(turnlog, hands)
    table.cards("T1", "T9", "M1")
    table.play("bonus T1")
    table.play_out()
    assert table.view()["round"] == 2
    assert table.scores == [0, 2, 0]
    assert table.to_move == ["cy"]


def test_level_seats_go_clockwise_after_the_last_rounds_leader(turnlog: Turnlog) -> None:
    """With nothing scored the rise goes round: ada, bo, cy, and ada again once all are level."""
    small = own_set(turnlog, {"tracks.team": "[2, 2, 2, 2, 2]"})
    table = Vegas(turnlog, {"ada": "T1 T2", "bo": "B1 B2", "cy": "M1 M2"}, rise=None, components=small, hand=2)
    rising = []
    for _ in range(4):
        rising += table.to_move
        table.play("raise inspector")
        table.play_out()
    assert rising == ["ada", "bo", "cy", "ada"]


def test_a_new_round_starts_afresh(turnlog: Turnlog) -> None:
    """All cards are shuffled again, the indicators reset, tokens go back and come anew up to the tracks."""
    table = Vegas(
        turnlog,
        {"ada": "T1 T2 T3 T4 T5 T7 T8", "bo": "B1 B7 B3 B4 B5 B6 B10"},
        raises={"ada": "game inspector", "bo": "game bot"},
        rise="bot",
        later=["M1 M2 M3 M4 M5 M6 M7 I1 I2 I3 I4 I5 I6 I7 G1 G2"],
    )
    table.cards("T8 with game trump G", "B7 with bot")
    table.play("bonus B7", "token mobster", "decline")
    table.cards("T7 with inspector", "B1")
    assert table.view()["tokens"] == {
        "ada": {"game": 0, "inspector": 0, "bot": 1, "mobster": 1},
        "bo": {"game": 1, "inspector": 0, "bot": 0, "mobster": 0},
    }
    table.play_out()
    view = table.view()
    assert (view["round"], view["trump"], view["rank"], view["discards"]) == (2, "none", "high", [])
    assert view["hands"] == hands(0, 0)
    assert view["deck"] == 65
    assert {count for tokens in view["tokens"].values() for count in tokens.values()} == {0}
    assert table.to_move == ["bo"]
    table.play("raise team")
    view = table.view()
    assert table.view("ada")["hand"] == ["M1", "M2", "M3", "M4", "M5", "M6", "M7"]
    assert table.view("bo")["hand"] == ["G1", "G2", "I1", "I2", "I3", "I4", "I5", "I6", "I7"]
    assert view["hands"] == hands(7, 9)
    assert view["deck"] == 65 - 16
    assert view["tokens"] == {
        "ada": {"game": 1, "inspector": 1, "bot": 1, "mobster": 0},
        "bo": {"game": 1, "inspector": 0, "bot": 1, "mobster": 0},
    }


# tracks -----------------------------------------------------------------------------------------------


def test_vp_spaces_score_when_they_are_reached(turnlog: Turnlog) -> None:
    """The fourth and the fifth space (house), 1 VP each, counted as increases."""
    table = last_hand(turnlog, "M10 G1", rise="inspector")
    before = table.view()["increases"]["ada"]
    table.play("order M10")  # Mobster from 2 to 4
    assert table.view()["tracks"]["ada"]["mobster"] == 4
    assert table.scores[0] == 1
    assert table.view()["increases"]["ada"] == before + 2
    assert "to space 4, a VP space: 1 VP" in table.told()


def test_a_raise_at_the_top_scores_instead(turnlog: Turnlog) -> None:
    """Raise Team twice at its top: 2 VP, no track increase counted."""
    table = last_hand(turnlog, "T10 T11", rise="team", deck="G1 G2")
    table.play("order T10")  # from 3 to the top, over both VP spaces
    assert table.view()["tracks"]["ada"]["team"] == 5
    assert table.scores[0] == 2
    increases = table.view()["increases"]["ada"]
    table.play("order T11")
    assert table.scores[0] == 4
    assert table.view()["increases"]["ada"] == increases
    assert table.view()["tracks"]["ada"]["team"] == 5
    assert "is at its top already: 1 VP instead" in table.told()


@pytest.mark.parametrize("space", [4, 5])
@pytest.mark.parametrize(
    ("track", "values"),
    [
        ("team", [7, 9, 11, 12, 13]),
        ("game", [0, 1, 2, 2, 3]),
        ("inspector", [0, 1, 2, 2, 3]),
        ("bot", [0, 1, 2, 3, 4]),
        ("mobster", [0, 1, 2, 3, 4]),
    ],
)
def test_each_space_gives_what_the_rulebook_says(
    turnlog: Turnlog, track: str, values: list[int], space: int
) -> None:
    """One step in the set-up, perhaps one at the start, two by a round bonus; the next round brings the rest."""
    suit = track[0].upper()
    more = "T10 M1" if track == "team" and space == 5 else ""  # drawn at the start
    table = last_hand(
        turnlog,
        f"{suit}12 G1",
        raises={"ada": "team mobster" if track == "team" else f"team {track}"},
        rise=track if space == 5 else "game" if track != "game" else "bot",
        deck=more,
    )

    def given() -> tuple[int, int]:
        view = table.view()
        count = view["hands"]["ada"] if track == "team" else view["tokens"]["ada"][track]
        assert view["values"]["ada"][track] == values[view["tracks"]["ada"][track] - 1]
        return view["tracks"]["ada"][track], count

    if track != "team":
        assert given() == (space - 2, values[space - 3])
    table.play(f"order {suit}12", "order G1", *(["order T10", "order M1"] if more else []))
    assert table.to_move == ["bo"]
    table.play("raise inspector")
    assert given() == (space, values[space - 1])
