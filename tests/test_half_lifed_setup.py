"""Half-Lifed through commands: the set-up, the split and the draft, and sets of components."""

import pytest

from tests.conftest import Turnlog
from tests.half_lifed import Plants

SIX = "c16 c17 c31 c32 c46 c47 w16 w17 w31 w32 w46 w47"


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
@pytest.mark.parametrize("waste", ["on", "off"])
def test_every_number_of_seats_is_set_up(turnlog: Turnlog, seats: int, waste: str) -> None:
    """$5 and two rooms a seat, one goal more than seats, 75 cards and workers, 3 of each drawn a seat."""
    names = ["ada", "bo", "cy", "di", "ed"][:seats]
    people = [word for name in names for word in ("-p", name)]
    turnlog.json("create", "half-lifed", *people, "--id", "g", "-o", f"waste={waste}", "--seed", seats)
    view = turnlog.view("g")
    assert [goal["money"] for goal in view["goals"]] == [25, 20] + [15] * (seats - 1)
    assert (view["round"], view["deck"], view["bag"]) == (1, 75 - 3 * seats, 75 - 3 * seats)
    assert len(view["pool"]) == 6 * seats
    assert len(view["departments"]) == 5
    if waste == "off":
        assert "waste-management" not in view["departments"]
        assert not any("Leak" in goal["needs"] for goal in view["goals"])
    for seat in view["seats"]:
        assert (seat["money"], seat["rooms"], seat["cards"], seat["workers"]) == (5, 2, [], [])
    assert view["scores"] == dict.fromkeys(names, 5)
    assert turnlog.json("show", "g")["to_move"] == [view["first"]]


def test_one_seat_and_six_are_refused(turnlog: Turnlog) -> None:
    """2 to 5 seats."""
    assert turnlog("create", "half-lifed", "-p", "ada").code == 3
    assert turnlog("create", "half-lifed", *(word for name in "abcdef" for word in ("-p", name))).code == 3


def test_departments_may_be_stacked_by_name(turnlog: Turnlog) -> None:
    """The first five of the shuffled six are in play."""
    names = ["Research", "reactor", "Turbine Hall", "security", "public-relations"]
    stack = turnlog.stack(departments=[names])
    turnlog.json("create", "half-lifed", "-p", "ada", "-p", "bo", "--id", "g", "--stack", stack)
    departments = turnlog.view("g")["departments"]
    assert departments == ["reactor", "turbine-hall", "security", "public-relations", "research"]


@pytest.mark.parametrize(
    ("draw", "item"),
    [("deck", "c1"), ("bag", "w1"), ("goals", "g6"), ("deck", "c99")],
)
def test_a_stack_of_what_is_not_in_play_is_refused(turnlog: Turnlog, draw: str, item: str) -> None:
    """Without Waste Management neither its cards and workers nor goals that ask for Leaks are there."""
    stack = turnlog.stack(**{draw: [[item]]})
    answer = turnlog("create", "half-lifed", "-p", "a", "-p", "b", "-o", "waste=off", "--stack", stack, "--json")
    assert answer.code == 3
    assert item in answer.error["message"]


def test_the_draft_goes_counter_clockwise_and_the_first_player_comes_last(turnlog: Turnlog) -> None:
    """From the right of the 1st player; the last pile needs no pick (ruling 1)."""
    stack = turnlog.stack(first_player=["bo"])
    people = [word for name in ("ada", "bo", "cy", "di") for word in ("-p", name)]
    turnlog.json("create", "half-lifed", *people, "--id", "g", "--stack", stack, "--seed", 1)
    pool = turnlog.view("g")["pool"]
    answer = turnlog.play("g", f"bo: split {' '.join(pool[:12])} / {' '.join(pool[12:])} / - / -")
    view = turnlog.view("g")
    assert view["order"] == ["ada", "di", "cy", "bo"]
    assert view["piles"] == [pool[:12], pool[12:], [], []]
    assert answer["to_move"] == ["ada"]
    assert turnlog("play", "g", "pick 1", "--as", "cy").code == 3
    turnlog.play("g", "ada: pick 2", "di: pick 1")
    assert turnlog.view("g")["piles"] == [None, None, [], []]
    answer = turnlog.play("g", "cy: pick 3")
    assert answer["to_move"] == ["ada", "bo", "cy", "di"]
    assert turnlog.view("g")["phase"] == "turns"


@pytest.mark.parametrize(
    ("split", "why"),
    [
        ("c16 c17 c31 c32 c46 c47 w16 w17 w31 w32 w46 w47", "2 piles"),
        (f"{SIX} / - / -", "2 piles"),
        ("c16 c17 c31 c32 c46 c47 / w16 w17 w31 w32 w46", "left over: w47"),
        (f"{SIX} / c16", "twice"),
        (f"{SIX} / c90", "not in the pool"),
    ],
)
def test_a_split_takes_each_piece_once(turnlog: Turnlog, split: str, why: str) -> None:
    """All drawn pieces, into one pile a seat."""
    assert why in Plants(turnlog, SIX).refused(f"ada: split {split}")


def test_a_pile_can_be_picked_once(turnlog: Turnlog) -> None:
    """A pile that is taken, or is not there, is refused with those that are free."""
    plants = Plants(turnlog, names="ada bo cy")
    pool = plants.view["pool"]
    plants.play(f"ada: split {' '.join(pool)} / - / -", "cy: pick 2")
    assert "pile 2 is taken; free: 1, 3" in plants.refused("bo: pick 2")
    assert "no pile 4" in plants.refused("bo: pick 4")
    assert plants.legal("bo") == ["pick 1", "pick 3"]


def test_the_token_goes_clockwise(turnlog: Turnlog) -> None:
    """Round after round the next seat is 1st player."""
    plants = Plants(turnlog, names="ada bo cy")
    for first in ("ada", "bo", "cy"):
        assert plants.view["first"] == first
        view = plants.view
        piles = [" ".join(view["pool"][i::3]) for i in range(3)]
        plants.deal(ada=piles[0], bo=piles[1], cy=piles[2]).done()
        plants.rooms_given()
    assert plants.view["round"] == 4


def test_order_of_deck_and_bag_are_hidden(turnlog: Turnlog) -> None:
    """Neither the view, the log nor an export of a seat tells what comes next (ruling 2)."""
    Plants(turnlog, SIX + " c48")
    for viewer in ("ada", "bo", "spectator"):
        shown = turnlog.ok("log", "g", "--as", viewer, "--json").out
        assert '"c48"' not in shown
        assert shown.count("c?") == 75
        assert turnlog.view("g", viewer)["deck"] == 69
        exported = turnlog.ok("export", "g", "--format", "jsonl", "--as", viewer).out
        assert exported.count('"c48"') == 1  # as a component of the set, which is open
    assert '"c48"' in turnlog.ok("log", "g", "--as", "referee", "--json").out


@pytest.mark.parametrize(
    ("old", "new", "place"),
    [
        ('kind = "event", price = 2, scores = ["8"]', 'kind = "event", price = 2', "an event scores"),
        ('does = ["gain 3"] },\n    { name = "Warm', 'does = ["win"] },\n    { name = "Warm', "hq, Petty Cash"),
        ('"gain 5", "pledge investor"', '"gain 5", "pledge leak"', "only cards of the department"),
        ('"Control Rod Raffle"', '"Core Sample by Hand"', "is named 2 times"),
        ("of_each_colour = 15", "of_each_colour = 2", "draw, workers"),
        ("cards = 3\n", "cards = 16\n", "draw, cards"),
        ('needs = ["4 bots"]', 'needs = ["4 cows"]', "goals, Full Automation"),
        ('"Full Automation", money = 25', '"Full Automation", money = 30', "goals, Full Automation"),
        ('"Full Automation", money = 25, needs = ["4 bots"]', '"Full", money = 25, needs = ["1 leaks"]', ""),
        ('needs = ["6 actions"] },', 'needs = ["6 actions", "1 leaks"] },\n', ""),
        ('"off-colour -2"', '"off-white -2"', "changes no price"),
        ('works = ["build -1"]', 'works = ["build money -1"]', "'money' is no kind"),
        ('"Turbo Button", kind = "attachment"', '"Turbo Button", kind = "upgrade"', "only an attachment"),
        ('colour = "red"', 'colour = "mauve"', "'mauve' is none of"),
        ('key = "reactor"', 'key = "bots"', "departments, 'bots'"),
        ("waste = true", "waste = false", "one of them with waste = true"),
        ("[start]", "[start]\nluck = 1", "luck"),
        ('scores = ["8"]', 'scores = ["8 or 9"]', "is no money"),
        ('"pay 2", "clinic"', '"pay two", "clinic"', "'two' is no number"),
        ('works = ["build -1"]', 'works = [" "]', "Duct Tape Budget: ' ' changes no price"),
        ('works = ["build -1"]', 'works = ["build "]', "Duct Tape Budget: 'build ' changes no price"),
        ('name = "Warm Handshake"', 'name = "Petty Cash"', "hq, spaces: 'Petty Cash' is named 2 times"),
        ('name = "Warm Handshake"', 'name = ""', "hq, spaces: '' is no name"),
        ('name = "Warm Handshake"', 'name = "Warm\\u001b[2J"', "hq, spaces: 'Warm\\x1b[2J' is no name"),
        ('does = ["investor"]', "does = []", "hq, Warm Handshake: a space does something"),
        ('does = ["investor"]', 'does = ["pledge leak"]', "hq, Warm Handshake: only cards of the department"),
        ('does = ["gain 1 per departments"]', 'does = ["gain 2 per money"]', "money is counted by goals"),
        ('does = ["pay 4", "station"]', 'does = ["bot", "station"]', "one effect of"),
        ('boost = ["gain 2"] },\n    { name = "Warning', 'boost = ["bot"] },\n    { name = "Warning', "a boost"),
        (
            '"Quiet Settlement", kind = "event", price = 2',
            '"Quiet Settlement", kind = "event", price = 200',
            "price",
        ),
    ],
)
def test_a_set_is_checked_whole(turnlog: Turnlog, old: str, new: str, place: str) -> None:
    """What is wrong in a set is named with its place; no game starts."""
    from importlib.resources import files

    text = files("engines.half_lifed").joinpath("set.toml").read_text("utf-8")
    assert old in text
    path = turnlog.db.with_name("set.toml")
    path.write_text(text.replace(old, new))
    answer = turnlog("create", "half-lifed", "-p", "a", "-p", "b", "--set", path, "--json")
    if place:
        assert answer.code == 2, answer
        assert place in answer.error["message"]
    else:  # five goals of the tier: four are still left that ask for no Leak
        assert answer.code == 0, answer


def test_a_game_is_played_with_the_set_it_was_made_of(turnlog: Turnlog) -> None:
    """`--set` replaces cards, HQ and start; the game records it."""
    plants = Plants(turnlog, changes={"money = 5\n": "money = 7\n", "clinics = 2": "clinics = 4"})
    assert (plants.seat("ada")["money"], plants.seat("ada")["rooms"]) == (7, 4)


def test_no_seat_is_done_while_the_next_round_is_drafted(turnlog: Turnlog) -> None:
    """`done` of the view is about the turn at hand: in split and draft nobody has ended one."""
    plants = Plants(turnlog, SIX).deal(ada="w16 w17", bo="w31 w32")
    for phase in ("split", "draft"):
        if plants.view["phase"] == "turns":
            plants.done("ada")
            assert [seat["done"] for seat in plants.view["seats"]] == [True, False]
            plants.done("bo")
            plants.rooms_given()
        else:
            plants.play(f"bo: split {' '.join(plants.view['pool'])} / -")
        assert plants.view["phase"] == phase
        assert [seat["done"] for seat in plants.view["seats"]] == [False, False]
