"""Half-Lifed on the screen: boards, narration, the bot, the rules in our words."""

import re

from tests.conftest import Turnlog
from tests.half_lifed import Plants

RICH = {"money = 5\n": "money = 30\n"}


def shown(plants: Plants, viewer: str = "ada") -> str:
    """The board as text."""
    return plants.turnlog.ok("show", "g", "--as", viewer).out


def test_the_pool_and_the_piles_are_shown_with_what_each_holds(turnlog: Turnlog) -> None:
    """Cards with price and effect, the others by colour and kind; then piles, free and taken."""
    plants = Plants(turnlog, "c16 c29 w16 w31", names="ada bo cy")
    text = shown(plants)
    assert re.search(r"Pool\n.*c16 Control Rod Raffle +act red +\$2 +gain \$4", text)
    assert "w16 red  w31 blue" in text
    pool = plants.view["pool"]
    plants.play(f"ada: split c16 w16 / {' '.join(p for p in pool if p not in ('c16', 'w16'))} / -", "cy: pick 2")
    text = shown(plants, "bo")
    assert re.search(r"Pile 1\n  c16 Control Rod Raffle", text)
    assert "Pile 2: taken by cy" in text
    assert re.search(r"Pile 3\n  empty", text)


def test_what_can_be_typed_is_told_within_80_columns(turnlog: Turnlog) -> None:
    """By `show` and by `moves` above its list, also the longest patterns: five piles, rooms for few of many."""
    plants = Plants(turnlog, names="ada bo cy di ed")
    for command in ("show", "moves"):
        rows = turnlog.ok(command, "g").out.splitlines()
        assert max(len(row) for row in rows if not row.startswith("    split")) <= 80, command
    plants.deal(ada=" ".join(piece for piece in plants.view["pool"] if piece[0] == "w"), bo="")
    plants.done()
    assert plants.seat("ada")["house"] == 2
    text = shown(plants)
    assert "house WORKER WORKER (of " in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_plant_shows_what_is_on_its_cards(turnlog: Turnlog) -> None:
    """Worker, bot, attachment; the clinic; what is still due, as it is typed."""
    plants = Plants(turnlog, "c16 c29 c17 w16 w17 w31", changes=RICH).deal(ada="c16 c29 c17 w16 w17 w31")
    plants.play("ada: build c16", "ada: build c29 on c16", "ada: activate c16 w16", "ada: activate hq4 w17")
    text = shown(plants)
    assert re.search(r"c16 Control Rod Raffle +act red +w16 b1 \+c29 +gain \$4", text)
    assert re.search(r"c29 Turbo Button +att red +on c16 +its host: gain \$2", text)
    assert "HQ      hq4 w17 red" in text
    assert "parked  w31 blue" in text
    assert "still due: build or room c17" in text
    plants.play("ada: room c17")
    assert "nothing: done" in shown(plants)
    assert "3 rooms (2 Clinic cards and c17)" in shown(plants)
    plants.play("ada: done")
    assert re.search(r"^ada: .*, done$", shown(plants), re.M)


def test_a_bot_that_ran_its_card_is_told_from_one_that_can(turnlog: Turnlog) -> None:
    """Both are at their card."""
    plants = Plants(turnlog, "c16 w16 w17", changes=RICH).deal(ada="c16 w16 w17")
    plants.play("ada: build c16", "ada: activate hq4 w17")
    assert re.search(r"c16 Control Rod Raffle +act red +b1 +gain \$4", shown(plants))
    plants.play("ada: activate c16 b1")
    assert re.search(r"c16 Control Rod Raffle +act red +b1 ran +gain \$4", shown(plants))
    plants.done()
    assert re.search(r"c16 Control Rod Raffle +act red +b1 +gain \$4", shown(plants))


def test_goals_claimed_are_shown_when_they_are_gone(turnlog: Turnlog) -> None:
    """Cards pay for them: who counts them needs to see them."""
    plants = Plants(turnlog, "w16 w17", goals="g3 g11 g15", changes=RICH).deal(ada="w16 w17")
    plants.play("ada: claim g11 w16")
    plants.done()
    plants.rooms_given()
    assert [goal["id"] for goal in plants.view["goals"]] == ["g3", "g15"]
    assert re.search(r"^  goals +g11 claimed$", shown(plants), re.M)


def test_money_below_nothing_and_one_of_a_thing_are_well_written(turnlog: Turnlog) -> None:
    """-$5, never $-5; one investor, one room."""
    changes = {"clinics = 2": "clinics = 1", "money = 5\n": "money = 0\n", '"pay 2", "clinic"': '"clinic"'}
    changes |= {'does = ["investor"]': 'does = ["investor", "pay 9"]', "cards = 3\nworkers": "cards = 14\nworkers"}
    plants = Plants(turnlog, "w16", changes=changes)
    plants.deal(ada="w16", bo="").play("ada: activate hq2 w16")
    assert re.search(r"^ada: \$1, 1 of 15 cards, -\$9 if it ended now", shown(plants), re.M)
    assert "1 room (1 Clinic card): 1 for investors" in shown(plants)
    plants.done()
    assert re.search(r"^ada: -\$9, 1 of 15 cards$", shown(plants), re.M)
    log = re.sub(r"\s+", " ", turnlog.ok("log", "g").out)
    assert "ada pays $10 to 1 investor." in log
    assert "ada -$9" in log


def test_leaks_are_shown_where_they_are(turnlog: Turnlog) -> None:
    """Loose, on a covered card, under a container."""
    draw = "c1 c2 c6 c18 c16 c17 w1 w16 w17 w31 w32 w33"
    plants = Plants(turnlog, draw, changes=RICH).deal(ada="c6 c18 w16 w17", bo="c1 c2 w1 w31")
    plants.play("ada: build c6", "ada: build c18", "bo: build c1", "bo: build c2")
    plants.done()
    plants.rooms_given()
    plants.deal(ada="l1 l2")
    assert re.search(r"Leaks +l1 l2 to be answered", shown(plants))
    assert "still due: leak l1 l2" in shown(plants)
    plants.play("ada: leak l1 cover c18", "ada: leak l2 contain c6")
    assert re.search(r"c18 Boil It Anyway .* covered by l1: out of play", shown(plants))
    assert re.search(r"c6 +Glowing Orphanage +act green +l2 ", shown(plants))


def test_the_course_of_a_game_is_told(turnlog: Turnlog) -> None:
    """Sentences, with who and how much."""
    plants = Plants(turnlog, "c16 c70 w16 w17 w18", goals="g3 g11 g15", changes=RICH)
    plants.deal(ada="c16 c70 w16 w17 w18")
    plants.play("ada: build c16", "ada: activate c16 w16", "ada: claim g11 w17", "ada: build c70")
    plants.done()
    log = turnlog.ok("log", "g").out
    for sentence in (
        "ada builds Control Rod Raffle (c16) for $2.",
        "ada sends w16 to Control Rod Raffle (c16).",
        "ada claims Rainy Day Fund (g11) with w17: $20.",
        "Investor i1 joins ada and pays $10.",
        "Claimed goals are gone: g11, and the workers spent on them.",
        "ada has no bed to offer; no room for w18 and w16, gone for good.",
        "Round 2 begins; bo draws and splits.",
    ):
        assert sentence in re.sub(r"\s+", " ", log), sentence


def test_the_greedy_bot_beats_random_seats(turnlog: Turnlog) -> None:
    """By far, also with more than one opponent."""
    for others in (1, 3):
        seats = [word for _ in range(others) for word in ("-p", "bot:random")]
        answer = turnlog.json("simulate", "half-lifed", "-p", "bot:greedy", *seats, "-n", 10, "--seed", "s")
        assert answer["seats"][0]["wins"] >= 9, answer


def test_a_game_of_bots_is_over_in_a_few_rounds(turnlog: Turnlog) -> None:
    """Bots answer each other until the end, in the transaction that creates the game."""
    seats = [word for _ in range(4) for word in ("-p", "bot:greedy")]
    turnlog.ok("create", "half-lifed", *seats, "--id", "g", "--seed", 3)
    assert turnlog.view("g")["round"] in range(3, 7)
    assert turnlog.json("show", "g")["result"]["winners"]


def test_the_rules_are_told(turnlog: Turnlog) -> None:
    """`turnlog rules` teaches options, draws, moves, and what is house."""
    text = turnlog.ok("rules", "half-lifed").out
    for word in ("waste", "departments", "first-player", "leak LEAK", "House"):
        assert word in text
