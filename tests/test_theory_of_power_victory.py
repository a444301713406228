"""Set-up, communities, the second action, victory, Leaders and options, through commands."""

from typing import Any

import pytest

from tests.conftest import Turnlog
from tests.theory_of_power import SLUG, facts, moves, reserve, seat, start, supporters, waiting

TWO = ("-p", "ada", "-p", "bo")
OTHER = "boar boar rhino elephant monitor"


# set-up -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_the_set_up(turnlog: Turnlog, seats: int) -> None:
    """5, 6, 7, 8 cards from the first player on; the others discard to five; 3 Food; the Leaders after that."""
    names = ["ada", "bo", "cy", "di"][:seats]
    stack = turnlog.stack(first_player=[["bo"]], leader_deck=[["goat", "raven", "viper", "tiger"]])
    turnlog.json(
        "create", SLUG, *(w for n in names for w in ("-p", n)), "--id", "g", "--seed", 3, "--stack", stack
    )
    order = [*names[1:], names[0]]
    for number, name in enumerate(order):
        assert len(seat(turnlog, name)["hand"]) == 5 + number
        assert reserve(turnlog, name) == (3, 0)
    for number, name in enumerate(order[1:], 1):
        assert turnlog.json("show", "g")["to_move"] == [name]
        hand = seat(turnlog, name)["hand"]
        error = turnlog("play", "g", "discard", *hand[: number + 1], "--json").error
        assert "discard exactly" in error["message"]
        turnlog.play("g", "discard " + " ".join(hand[:number]))
        assert len(seat(turnlog, name)["hand"]) == 5
    assert turnlog.json("show", "g")["to_move"] == ["bo"]
    assert moves(turnlog) == ["leader goat", "leader raven"]
    assert seat(turnlog, order[1], "spectator")["leaders_dealt"] == ["viper", "tiger"]
    turnlog.play("g", "leader raven")
    assert turnlog.view("g")["seats"][1]["leader"] == "raven"
    turnlog.play("g", "leader viper")
    assert reserve(turnlog, order[1]) == (3, 1)
    for _ in order[2:]:
        turnlog.play("g", moves(turnlog)[0])
    assert turnlog.json("show", "g")["to_move"] == ["bo"]
    view = turnlog.view("g")
    assert view["deck"] + len(view["discard"]) + 5 * seats == 60


def test_hands_and_deck_are_hidden(turnlog: Turnlog) -> None:
    """Others see sizes; what is drawn is its seat's secret, in the log and the narration too."""
    start(turnlog, "hamster gecko owl lynx bear", OTHER, deck="peacock")
    turnlog.play("g", "attract hamster", "food", "contacts", "skip s1")
    assert seat(turnlog, "ada", "bo")["hand"] == 5
    assert seat(turnlog, "ada", "spectator")["hand"] == 5
    assert "peacock" in seat(turnlog, "ada")["hand"]
    for viewer in ("bo", "spectator"):
        for command in ("show", "log"):
            assert "peacock" not in turnlog.ok(command, "g", "--as", viewer).out
    assert "peacock" in turnlog.ok("log", "g", "--as", "ada").out


@pytest.mark.parametrize(
    ("icon", "leaders"),
    [
        ("easy", {"rabbit", "viper", "sparrow", "tiger"}),
        ("sword", {"goat", "viper", "alligator", "raven"}),
        ("calm", {"rabbit", "sparrow", "mongoose", "tiger"}),
    ],
)
def test_leaders_of_an_icon_are_dealt_at_random(turnlog: Turnlog, icon: str, leaders: set[str]) -> None:
    """One each, without a choice."""
    turnlog.json("create", SLUG, *TWO, "-p", "cy", "-p", "di", "--id", "g", "-o", f"leaders={icon}")
    for _ in range(3):
        turnlog.play("g", moves(turnlog)[0])
    assert {one["leader"] for one in turnlog.view("g")["seats"]} == leaders


def test_the_training_variant(turnlog: Turnlog) -> None:
    """5 Food, no Leaders, no communities; with Leaders it is refused."""
    answer = turnlog("create", SLUG, *TWO, "-o", "training=on", "-o", "leaders=easy", "--json")
    assert answer.code == 2
    assert "training" in answer.error["message"]
    stack = turnlog.stack(first_player=[["ada"]], animal_deck=[["ferret", "ferret", "gecko", "jackal", "owl"]])
    turnlog.json("create", SLUG, *TWO, "--id", "g", "--seed", 1, "-o", "training=on", "--stack", stack)
    turnlog.play("g", moves(turnlog)[0])
    assert reserve(turnlog, "ada") == (5, 0)
    turnlog.play("g", "attract ferret", "food", "attract ferret", "food", "attract gecko")
    ada = seat(turnlog, "ada")
    assert (ada["symbols"], ada["leader"]) == ({"free": 0, "rulers": 0}, None)


# communities ------------------------------------------------------------------------------------------


def test_two_symbols_of_three_cards_draw_three(turnlog: Turnlog) -> None:
    """One left, one right, one double half of the Free: two symbols; the second draws three cards at once."""
    start(turnlog, "camel ferret hyena owl bear", OTHER, rich=True)
    turnlog.play("g", "attract camel", "food", "attract hyena", "food")
    assert seat(turnlog, "ada")["symbols"] == {"free": 1, "rulers": 0}
    answer = turnlog.play("g", "attract ferret")
    assert "cards-drawn" in facts(answer)
    assert seat(turnlog, "ada")["symbols"]["free"] == 2
    assert len(seat(turnlog, "ada")["hand"]) == 5


def test_doubles_alone_make_one_symbol_less(turnlog: Turnlog) -> None:
    """Two cards with both halves close one symbol between them."""
    start(turnlog, "ferret ferret lynx owl eagle", OTHER, rich=True)
    turnlog.play("g", "attract ferret", "food")
    assert seat(turnlog, "ada")["symbols"]["free"] == 0
    turnlog.play("g", "attract ferret")
    assert seat(turnlog, "ada")["symbols"]["free"] == 1


def rulers(turnlog: Turnlog, bo: str = OTHER, deck: str = "") -> None:
    """Ada has two symbols of the Rulers."""
    start(turnlog, "iguana iguana cobra cobra peacock", bo, deck=deck, rich=True)
    turnlog.play(
        "g", "attract iguana", "skip s1", "food", "attract cobra", "food", "attract iguana", "skip s3", "food"
    )


def test_the_second_symbol_of_the_rulers_brings_influence_each_time(turnlog: Turnlog) -> None:
    """2 Influence at once, and again when the second symbol is assembled again."""
    rulers(turnlog, bo="crocodile boar boar elephant monitor")
    influence = reserve(turnlog, "ada")[1]
    turnlog.play("g", "attract cobra")
    assert reserve(turnlog, "ada")[1] == influence + 2
    turnlog.play("g", "poach s4")
    assert seat(turnlog, "ada")["symbols"]["rulers"] == 1
    turnlog.play("g", "poach s4")
    assert seat(turnlog, "ada")["symbols"]["rulers"] == 2
    assert reserve(turnlog, "ada")[1] == influence + 2 - 2 + 2


def test_three_symbols_of_the_rulers_are_two_points_as_long_as_they_last(turnlog: Turnlog) -> None:
    """+2, and lost with the symbol."""
    rulers(turnlog, deck="hippo lynx owl bear gecko")
    turnlog.play("g", "attract cobra", "food", "contacts")
    turnlog.play("g", *(f"skip {one}" for _, one in waiting(turnlog) if one.startswith("s")), "food")
    turnlog.play("g", "attract hippo", "food", "attract peacock")
    ada = seat(turnlog, "ada")
    assert (ada["symbols"]["rulers"], ada["vp"]) == (3, 6 - 1 + 2)
    turnlog.play("g", "poach s1", "skip s1")
    ada = seat(turnlog, "ada")
    assert (ada["symbols"]["rulers"], ada["vp"]) == (2, 5 - 1)


def test_get_food_with_both_communities_and_a_second_action(turnlog: Turnlog) -> None:
    """The rulebook's example, with 3 Free and 1 Rulers symbols: 1 Food and 2 cards; 1 Influence; 1 Food."""
    start(
        turnlog, "ferret ferret hyena jackal iguana", "boar boar rhino elephant monitor",
        deck="cobra hippo hippo owl owl gecko lynx turtle", rich=True,
    )  # fmt: skip
    turnlog.play("g", "attract iguana", "skip s1", "food", "attract hyena", "food", "attract ferret", "food")
    turnlog.play("g", "attract ferret", "food")
    assert seat(turnlog, "ada")["symbols"]["free"] == 2
    assert seat(turnlog, "ada")["hand"] == ["hippo", "hippo", "jackal", "cobra"]
    turnlog.play("g", "attract cobra", "food", "contacts", "skip s5", "food")
    turnlog.play("g", "attract jackal", "skip s6")
    ada = seat(turnlog, "ada")
    assert ada["symbols"] == {"free": 3, "rulers": 1}
    assert turnlog.json("show", "g")["to_move"] == ["ada"]
    turnlog.play("g", "pass", "food", "contacts", "skip s5")
    hand = seat(turnlog, "ada")["hand"]
    assert hand.count("hippo") == hand.count("owl") == 2
    assert "gecko" in hand
    turnlog.play("g", "pass", "food")
    for move, says in (
        ("food hippo owl gecko influence 1", "at most 0"),
        ("food hippo hippo owl owl influence 1 cards 3", "at most 2"),
    ):
        assert says in turnlog("play", "g", move, "--json").error["message"]
    food, influence = reserve(turnlog, "ada")
    answer = turnlog.play("g", "food hippo hippo owl owl gecko cards 2 influence 1")
    assert reserve(turnlog, "ada") == (food + 2, influence + 1)
    assert len(seat(turnlog, "ada")["hand"]) == len(hand) - 5 + 2
    assert "second-action-due" in facts(answer)
    assert "pass" in moves(turnlog)
    turnlog.play("g", "contacts", "skip s5")
    assert turnlog.json("show", "g")["to_move"] == ["bo"]


# victory ----------------------------------------------------------------------------------------------

BOARS = "boar elephant elephant boar gecko"


def test_eight_points_and_the_leader_win_at_once(turnlog: Turnlog) -> None:
    """The Rabbit's four herbivores worth eight points; the game is over within the action."""
    start(turnlog, BOARS, "lynx owl rhino iguana monitor", rich=True)
    turnlog.play("g", "attract boar", "food", "attract elephant", "food", "attract elephant", "food")
    answer = turnlog.play("g", "attract boar")
    assert facts(answer)[-1] == "game-won"
    assert answer["result"] == {
        "winners": ["ada"],
        "scores": {"ada": 8, "bo": 0},
        "reason": "8 points and has what the rabbit wants",
    }
    assert turnlog("play", "g", "food", "--json").code == 3
    assert "ada has won" in turnlog.ok("show", "g").out


def test_eight_points_without_the_leaders_condition_do_not_win(turnlog: Turnlog) -> None:
    """Play goes on, until both hold at one time."""
    start(turnlog, "gecko owl lynx camel bear", "boar boar elephant elephant hamster", rich=True)
    turnlog.play("g", "food", "attract boar", "food", "attract boar", "food", "attract elephant", "food")
    answer = turnlog.play("g", "attract elephant")
    assert answer["result"] is None
    assert seat(turnlog, "bo")["vp"] == 8
    assert turnlog.view("g")["seats"][1]["leader_condition_met"] is False
    assert "not met, 0 of 3" in turnlog.ok("show", "g").out


def test_without_leaders_eight_points_win(turnlog: Turnlog) -> None:
    """Only the first condition counts: ada plays what she can pay until she has it."""
    start(turnlog, "boar boar elephant elephant iguana", "lynx owl rhino camel monitor")
    assert seat(turnlog, "ada")["leader"] is None
    answer: dict[str, Any] = {"result": None, "to_move": ["ada"]}
    for _ in range(100):
        hand = seat(turnlog, "ada")["hand"]
        can = [move for move in moves(turnlog) if move.startswith(("attract", "skip", "feed", "choose"))]
        answer = turnlog.play("g", can[0] if can else "food " + " ".join(hand[-2:]) if hand else "contacts")
        if answer["result"]:
            break
        if answer["to_move"] == ["bo"]:
            turnlog.play("g", "food")
    assert answer["result"]["winners"] == ["ada"]
    assert answer["result"]["scores"]["ada"] >= 8
    assert answer["result"]["reason"].endswith("points")


def test_a_win_in_anothers_turn_ends_the_action(turnlog: Turnlog) -> None:
    """Bo's Turtle gives ada what she lacks: she wins before bo's arrivals are used (ruling 16)."""
    start(turnlog, "boar elephant elephant gecko lynx", "turtle boar rhino iguana monitor", rich=True)
    turnlog.play("g", "attract boar", "attract boar", "attract elephant", "attract iguana", "skip s4")
    turnlog.play("g", "attract elephant", "food", "attract gecko", "attract turtle")
    assert seat(turnlog, "ada")["vp"] == 7
    turnlog.play("g", "use s7", "choose s2")
    answer = turnlog.play("g", "choose s6")
    assert answer["result"]["winners"] == ["ada"]
    assert turnlog.view("g")["waiting"] == []
    assert supporters(turnlog, "ada")["s2"][0] == "boar"


def test_compromat_counts_against_the_eight(turnlog: Turnlog) -> None:
    """A point less each."""
    start(turnlog, BOARS, "lynx owl rhino iguana monitor", rich=True)
    turnlog.play("g", "contacts", "food", "attract boar", "food", "attract elephant", "food")
    turnlog.play("g", "attract elephant", "food")
    answer = turnlog.play("g", "attract boar")
    assert answer["result"] is None
    assert seat(turnlog, "ada")["vp"] == 7


def test_of_two_at_once_the_seat_in_turn_wins(turnlog: Turnlog) -> None:
    """Bo's swap gives both what their Leaders want: it is bo's turn, so bo wins (ruling 16)."""
    start(
        turnlog, "elephant elephant boar gecko lynx", "rhino rhino boar woodpecker woodpecker",
        deck="camel turtle owl owl owl", rich=True,
    )  # fmt: skip
    turnlog.play("g", "attract elephant", "attract rhino", "attract elephant", "attract rhino")
    turnlog.play("g", "attract boar", "attract boar", "attract gecko", "attract woodpecker", "skip s8")
    turnlog.play("g", "attract lynx", "skip s9", "attract woodpecker", "skip s10", "food", "contacts")
    turnlog.play("g", "food", "attract camel", "feed s2", "food", "attract turtle", "use s12", "choose s11")
    assert (seat(turnlog, "ada")["vp"], seat(turnlog, "bo")["vp"]) == (8, 9)
    answer = turnlog.play("g", "choose s7")
    view = turnlog.view("g")
    assert [one["leader_condition_met"] for one in view["seats"]] == [True, True]
    assert answer["result"]["winners"] == ["bo"]
    assert answer["result"]["scores"] == {"ada": 8, "bo": 9}
