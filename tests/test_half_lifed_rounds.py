"""Half-Lifed through commands: goals, the end of a round, elimination, the end of the game."""

from tests.conftest import Turnlog
from tests.half_lifed import Plants

RICH = {"money = 5\n": "money = 30\n"}
ONE_CARD = {"cards = 3\nworkers = 3": "cards = 1\nworkers = 3"}


def test_two_seats_claim_one_goal_in_a_round_and_no_third_the_round_after(turnlog: Turnlog) -> None:
    """Both are paid; at the round's end the goal is gone, and both workers."""
    plants = Plants(
        turnlog,
        "w16 w17 w31 w32 w46 w47",
        names="ada bo cy",
        goals="g3 g11 g13 g15",
        changes=RICH,
    ).deal(ada="w16 w17", bo="w31 w32", cy="w46 w47")
    plants.play("ada: claim g11 w16", "bo: claim g11 w31")
    assert [plants.seat(name)["money"] for name in ("ada", "bo", "cy")] == [50, 50, 30]
    assert plants.view["goals"][1]["claimed"] == ["ada", "bo"]
    assert plants.at("ada", "w16") == "g11"
    assert "each goal once a seat" in plants.refused("ada: claim g11 w17")
    plants.done()
    plants.rooms_given()
    assert [goal["id"] for goal in plants.view["goals"]] == ["g3", "g13", "g15"]
    assert (plants.at("ada", "w16"), plants.at("bo", "w31")) == (None, None)
    plants.deal()
    worker = plants.seat("cy")["workers"][0]["id"]
    assert "no goal that lies out" in plants.refused(f"cy: claim g11 {worker}")
    assert "no goal that lies out" in plants.refused("ada: claim g11 w17")


def test_a_goal_takes_a_parked_worker_only(turnlog: Turnlog) -> None:
    """Not one on a space; workers spent need no room (ruling 11)."""
    plants = Plants(turnlog, "w16 w17 w18", goals="g3 g11 g15", changes=RICH).deal(ada="w16 w17 w18")
    plants.play("ada: activate hq1 w16")
    assert "no parked worker" in plants.refused("ada: claim g11 w16")
    plants.play("ada: claim g11 w17")
    plants.done()
    assert plants.seat("ada")["house"] == 0
    assert [plants.at("ada", worker) for worker in ("w16", "w17", "w18")] == ["clinic", None, "clinic"]


def test_goals_count_what_they_demand(turnlog: Turnlog) -> None:
    """Beds for Everybody: 8 rooms, Clinic cards too; Rainbow Coalition: 6 workers of 5 colours."""
    plants = Plants(
        turnlog,
        "w1 w16 w31 w46 w61 w62 c16 c17 c18 c19 c20 c21",
        goals="g3 g8 g15",
        changes=RICH,
    ).deal(ada="w1 w16 w31 w46 w61 w62 c16 c17 c18 c19 c20 c21", bo="")
    plants.play("ada: claim g8 w62")
    assert plants.seat("ada")["money"] == 50
    assert plants.seat("ada")["claimed"] == ["g8"]


def test_a_goal_for_leaks_counts_contained_ones(turnlog: Turnlog) -> None:
    """Known to Inspectors: a Leak and three action cards."""
    plants = Plants(
        turnlog, "c1 c16 c17 c18 c4 c31 w16 w17 w18 w31 w32 w33", goals="g3 g7 g19", changes=RICH
    ).deal(ada="c1 c4 c16 c17 w16 w17")
    plants.play("ada: build c1", "ada: build c4", "ada: build c16")
    assert "1 Leak, and you have 0" in plants.refused("ada: claim g19 w16")
    plants.done()
    plants.rooms_given()
    plants.deal(ada="l1").play("ada: leak l1 contain c4")
    worker = plants.seat("ada")["workers"][0]["id"]
    plants.play(f"ada: claim g19 {worker}")
    assert "g19" in plants.seat("ada")["claimed"]


def test_more_investors_than_rooms_and_a_seat_is_out(turnlog: Turnlog) -> None:
    """3 investors, 2 rooms: out, with all it has; the game goes on between the others."""
    plants = Plants(turnlog, "c70 c65 c16 w61 w62 c31 c32 c46 c47 c48 c49", names="ada bo cy", changes=RICH)
    plants.deal(ada="c70 w61", bo="c65", cy="c16")
    plants.play("ada: build c70", "ada: activate hq2 w61")
    assert plants.seat("ada")["investors"] == 3
    answer = plants.done()
    assert plants.told(answer, "seat-out") == [
        {"type": "half-lifed.seat-out", "seat": 0, "investors": 3, "rooms": 2}
    ]
    seat = plants.seat("ada")
    assert (seat["out"], seat["cards"], seat["workers"], seat["investors"]) == (True, [], [], 0)
    plants.rooms_given()
    view = plants.view
    assert view["scores"]["ada"] is None
    assert view["first"] == "bo"
    assert len([piece for piece in view["pool"] if piece[0] in "cw"]) == 12
    assert "one a seat" in plants.refused(f"bo: split {' '.join(view['pool'])} / - / -")
    plants.deal(bo=" ".join(view["pool"][:4])).done("bo", "cy")
    plants.rooms_given()
    assert (plants.view["first"], plants.view["round"]) == ("cy", 3)


def test_the_token_passes_over_a_seat_that_is_out(turnlog: Turnlog) -> None:
    """Clockwise over seats still in (ruling 1)."""
    plants = Plants(turnlog, "c70 w61", names="ada bo cy", changes=RICH)
    plants.deal(bo="c70 w61").play("bo: build c70", "bo: activate hq2 w61")
    plants.done()
    plants.rooms_given()
    assert plants.view["first"] == "cy"


def test_one_seat_left_wins_whatever_its_money(turnlog: Turnlog) -> None:
    """Less money, but in (ruling 13)."""
    plants = Plants(turnlog, "c70 w61", changes=RICH).deal(ada="c70 w61")
    plants.play("ada: build c70", "ada: activate hq2 w61")
    assert plants.seat("ada")["money"] > 50
    answer = plants.done() or plants.turnlog.json("show", "g")
    answer = plants.rooms_given() or answer
    assert answer["result"]["winners"] == ["bo"]
    assert answer["result"]["scores"] == {"ada": None, "bo": 30}
    assert "only one plant is left" in answer["result"]["reason"]


def test_all_out_at_once_and_nobody_wins(turnlog: Turnlog) -> None:
    """No winner, no scores (ruling 13)."""
    plants = Plants(turnlog, "c16 c46 w16 w31", changes=ONE_CARD | {"clinics = 2": "clinics = 0"})
    plants.deal(ada="c16 w16", bo="c46 w31")
    plants.play("ada: build c16", "bo: build c46", "ada: activate hq2 w16", "bo: activate hq2 w31")
    result = plants.done()["result"]
    assert result == {
        "winners": [],
        "scores": {"ada": None, "bo": None},
        "reason": "every plant is out of the game",
    }


def test_rooms_short_and_some_free_ask_who_gets_one(turnlog: Turnlog) -> None:
    """4 workers, 2 free rooms: exactly two are named, the others are gone for good."""
    plants = Plants(turnlog, "w16 w17 w18 w31 w32 w33").deal(ada="w16 w17 w18 w31")
    plants.play("ada: activate hq1 w18")
    answer = plants.done()
    assert answer["to_move"] == ["ada"]
    assert plants.seat("ada")["house"] == 2
    for move, why in (
        ("house w16", "free for 2 and no more: name 2, not 1"),
        ("house w16 w17 w18", "name 2, not 3"),
        ("house w16 w16", "named twice"),
        ("house w16 w99", "no worker of yours"),
    ):
        assert why in plants.refused(f"ada: {move}")
    assert len(plants.legal("ada")) == 6
    answer = plants.play("ada: house w31 w18")
    housed = plants.told(answer, "workers-housed")[0]
    assert (housed["workers"], housed["lost"]) == (["w31", "w18"], ["w16", "w17"])
    assert [worker["id"] for worker in plants.seat("ada")["workers"]] == ["w31", "w18"]
    assert plants.view["bag"] == 75 - 12


def test_several_seats_give_out_rooms_at_the_same_time(turnlog: Turnlog) -> None:
    """In any order; the round ends with the last."""
    plants = Plants(turnlog, "c16 c46 w16 w17 w18 w31 w32 w33", changes=ONE_CARD)
    plants.deal(ada="c16 w16 w17 w18", bo="c46 w31 w32 w33").play("ada: build c16", "bo: build c46")
    assert plants.done()["to_move"] == ["ada", "bo"]
    assert plants.play("bo: house w33 w31")["to_move"] == ["ada"]
    assert plants.view["round"] == 1
    plants.play("ada: house w16 w17")
    assert plants.view["round"] == 2


def test_investors_take_rooms_ahead_of_workers(turnlog: Turnlog) -> None:
    """Two rooms, an investor: one worker is housed; with no room free all are lost without a question."""
    plants = Plants(turnlog, "w16 w17 w31 w32").deal(ada="w16 w17")
    plants.play("ada: activate hq2 w16")
    plants.done()
    assert plants.seat("ada")["house"] == 1
    plants.play("ada: house w17")
    assert [worker["id"] for worker in plants.seat("ada")["workers"]] == ["w17"]
    assert plants.seat("ada")["free_rooms"] == 0
    plants.deal(ada="")
    plants.play("ada: activate hq2 w17")
    answer = plants.done()
    lost = [fact for fact in plants.told(answer, "workers-housed") if fact["seat"] == 0]
    assert lost == [{"type": "half-lifed.workers-housed", "seat": 0, "workers": [], "lost": ["w17"]}]


def test_workers_leave_the_clinic_at_the_turns_start(turnlog: Turnlog) -> None:
    """During the draft they are still in bed; then they are parked, and the rooms empty (ruling 4)."""
    plants = Plants(turnlog, "w16 w17").deal(ada="w16 w17")
    plants.done()
    plants.rooms_given()
    assert plants.at("ada", "w16") == "clinic"
    plants.deal(ada="")
    assert plants.at("ada", "w16") == "parked"
    assert plants.seat("ada")["free_rooms"] == 2


def test_the_fifteenth_card_ends_the_game_with_the_round(turnlog: Turnlog) -> None:
    """In mid-round nothing stops; rooms, Clinic cards and attachments count (ruling 9)."""
    changes = {"clinics = 2": "clinics = 12"}
    plants = Plants(turnlog, "c16 c29 c18 w16 w31", changes=changes).deal(ada="c16 c29 c18 w16", bo="w31")
    plants.play("ada: build c16", "ada: build c29 on c16", "ada: room c18")
    assert plants.seat("ada")["facility"] == 15
    shown = turnlog.json("show", "g")
    assert shown["result"] is None
    plants.play("bo: activate hq1 w31", "ada: activate c16 w16", "ada: done")
    answer = plants.done()
    assert answer["result"]["reason"] == "a facility has 15 cards or more"
    assert answer["result"]["winners"] == ["ada"]


def test_the_end_resolves_events_and_repays_investors(turnlog: Turnlog) -> None:
    """Events and scoring attachments pay, then $10 an investor, even below 0 (ruling 10); most money wins."""
    changes = {"clinics = 2": "clinics = 12", "money = 5\n": "money = 7\n"}
    plants = Plants(turnlog, "c28 c16 c30 w16 w31", changes=changes).deal(ada="c28 c16 c30 w16")
    plants.play("ada: build c28", "ada: build c16", "ada: build c30 on c16", "ada: activate hq2 w16")
    before = plants.seat("ada")
    answer = plants.done()
    answer = plants.rooms_given() or answer
    assert answer["result"]["scores"]["ada"] == before["money"] + 8 + 7 - 10 == before["reckoning"]
    resolved = [(fact["card"], fact["money"]) for fact in plants.told(answer, "event-resolved")]
    assert [one for one in resolved if one[0] in ("c28", "c30")] == [("c28", 8), ("c30", 7)]
    assert plants.told(answer, "investors-repaid")[0]["money"] == 10


def test_money_may_end_below_nothing(turnlog: Turnlog) -> None:
    """The last $10 is paid by those who do not have it (ruling 10)."""
    changes = {
        "clinics = 2": "clinics = 15",
        "money = 5\n": "money = 0\n",
        '["investor"] }': '["investor", "pay 9"] }',
    }
    plants = Plants(turnlog, "w16 w31", changes=changes).deal(ada="w16", bo="w31")
    plants.play("ada: activate hq2 w16")
    answer = plants.done()
    assert answer["result"]["scores"]["ada"] == -9
    assert answer["result"]["winners"] == ["bo"]


def test_the_bag_ends_the_game_when_it_cannot_fill_the_next_draw(turnlog: Turnlog) -> None:
    """A full draw for the seats still in is compared: 30 workers a round, 15 left after the second (ruling 12)."""
    plants = Plants(turnlog, changes={"cards = 3\nworkers = 3": "cards = 1\nworkers = 15"})
    for _ in range(2):
        assert plants.view["phase"] == "split"
        answer = plants.deal().done()
        answer = plants.rooms_given() or answer
    assert answer["result"]["reason"] == "the deck or the bag cannot fill the next draw"


def test_all_reasons_of_an_end_are_told(turnlog: Turnlog) -> None:
    """75 cards in the first round: a full facility, and an empty deck."""
    plants = Plants(turnlog, changes={"cards = 3\nworkers = 3": "cards = 15\nworkers = 15"}, names="a b c d e")
    answer = plants.deal().done()
    answer = plants.rooms_given() or answer
    reason = answer["result"]["reason"]
    assert reason == "a facility has 15 cards or more and the deck or the bag cannot fill the next draw"


def test_ties_go_to_the_most_workers_and_then_are_shared(turnlog: Turnlog) -> None:
    """Level on money: parked, placed and housed workers count (ruling 13)."""
    draw = "w16 w17 w18 w19 w31 w32 c16 c17 c18 c19 c20 c21"
    plants = Plants(turnlog, draw, changes={"clinics = 2": "clinics = 15"}).deal(ada="w16 w17 w18 w19")
    plants.done()
    result = turnlog.json("show", "g")["result"]
    assert result["scores"]["ada"] == result["scores"]["bo"] == 5
    assert result["winners"] == ["ada"]


def test_level_in_all_and_the_win_is_shared(turnlog: Turnlog) -> None:
    """Same money, same number of workers."""
    plants = Plants(turnlog, "w16 w17 w18 w31 w32 w33", changes={"clinics = 2": "clinics = 15"})
    plants.deal(ada="w16 w17 w18", bo="w31 w32 w33 " + " ".join(p for p in plants.view["pool"] if p[0] == "c"))
    plants.done()
    assert turnlog.json("show", "g")["result"]["winners"] == ["ada", "bo"]


def test_a_worker_spent_on_a_goal_breaks_no_tie(turnlog: Turnlog) -> None:
    """Level on money, three workers drafted each; the one spent is controlled no more (ruling 13)."""
    changes = {"clinics = 2": "clinics = 15", "money = 5\n": "money = 24\n"}
    changes['"Petty Cash", does = ["gain 3"]'] = '"Petty Cash", does = ["gain 20"]'
    plants = Plants(turnlog, "w16 w17 w18 w31 w32 w33", goals="g3 g11 g15", changes=changes)
    plants.deal(ada="w16 w17 w18", bo="w31 w32 w33 " + " ".join(p for p in plants.view["pool"] if p[0] == "c"))
    plants.play("ada: claim g11 w16", "bo: activate hq1 w31")
    result = plants.done()["result"]
    assert result["scores"] == {"ada": 44, "bo": 44}
    assert result["winners"] == ["bo"]


def test_a_worker_locked_under_a_leak_breaks_no_tie(turnlog: Turnlog) -> None:
    """Six workers drafted each and level on money; the locked one is not controlled (ruling 13)."""
    changes = {
        "money = 5\n": "money = 30\n",
        "clinics = 2": "clinics = 9",
        "of_each_colour = 15": "of_each_colour = 3",
        'price = 4, does = ["gain 8", "pledge leak"]': 'price = 5, does = ["pledge leak"]',
        '"Boil It Anyway", kind = "action", price = 5, does = ["gain 6"]': (
            '"Boil It Anyway", kind = "action", price = 5, does = ["gain 0"]'
        ),
    }
    plants = Plants(turnlog, "c2 c18 c16 c17 c31 c32 w4 w5 w7 w8 w10 w11", changes=changes)
    plants.deal(ada="c18 w4 w7 w10", bo="c2 c16 c17 c31 c32 w5 w8 w11")
    plants.play("ada: build c18", "bo: build c2")
    plants.done()
    workers = [piece for piece in plants.view["pool"] if piece[0] == "w"]
    plants.deal(ada=f"l1 {' '.join(workers[:3])}")
    plants.play("ada: activate c18 w4", "ada: leak l1 cover c18")
    result = plants.done()["result"]
    assert result["reason"].endswith("the deck or the bag cannot fill the next draw")
    assert result["scores"] == {"ada": 25, "bo": 25}
    assert result["winners"] == ["bo"]
