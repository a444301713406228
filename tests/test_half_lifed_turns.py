"""Half-Lifed through commands: what a turn consists of, but for Leaks."""

import pytest

from tests.conftest import Turnlog
from tests.half_lifed import Plants

RICH = {"money = 5\n": "money = 30\n"}


def test_a_card_built_activates_once_for_free_and_leaves_its_space_free(turnlog: Turnlog) -> None:
    """Its price is paid, then it does what it says without a worker (ruling 8); a worker can still run it."""
    plants = Plants(turnlog, "c16 w16").deal(ada="c16 w16")
    plants.play("ada: build c16")
    assert plants.seat("ada")["money"] == 5 - 2 + 4
    assert plants.card("ada", "c16")["worker"] is None
    plants.play("ada: activate c16 w16")
    assert plants.seat("ada")["money"] == 7 + 4
    assert plants.card("ada", "c16")["worker"] == "w16"
    assert plants.at("ada", "w16") == "c16"


def test_a_free_activation_that_cannot_be_carried_out_in_full_is_skipped(turnlog: Turnlog) -> None:
    """Bearing Grinder costs $5; its $3 are then lacking, so no bot comes (ruling 16)."""
    plants = Plants(turnlog, "c36 w31").deal(ada="c36 w31")
    answer = plants.play("ada: build c36")
    assert [fact["type"] for fact in answer["events"][0]["facts"]] == ["half-lifed.card-built"]
    assert plants.seat("ada")["money"] == 0
    assert "in full" in plants.refused("ada: activate c36 w31")


HQ1 = 'does = ["gain 3"] },\n    { name = "Warm'


@pytest.mark.parametrize(
    ("effects", "money"),
    [
        ('"worker", "gain 1 per workers", "pay 9"', 0),
        ('"worker", "gain 2 per colours", "pay 9"', 0),
        ('"worker", "worker", "gain 2 per colours", "pay 10"', None),
        ('"clinic", "gain 1 per rooms", "pay 8"', 0),
        ('"investor", "gain 2 per investors", "pay 17"', 0),
        ('"investor", "gain 2 per investors", "pay 18"', None),
        ('"worker", "gain 1 per workers", "pay 10"', None),
    ],
)
def test_what_a_space_counts_is_counted_as_its_effects_before_leave_it(
    turnlog: Turnlog, effects: str, money: int | None
) -> None:
    """Whether a space can be carried out in full is told as it will be carried out: no more, no less."""
    plants = Plants(turnlog, "w16 w17 w18", changes={HQ1: HQ1.replace('"gain 3"', effects)}).deal(
        ada="w16 w17 w18"
    )
    if money is None:
        assert "cannot be carried out in full" in plants.refused("ada: activate hq1 w16")
    else:
        plants.play("ada: activate hq1 w16")
        assert plants.seat("ada")["money"] == money


def test_a_card_too_dear_is_still_a_room(turnlog: Turnlog) -> None:
    """Any facility card is a room, free."""
    plants = Plants(turnlog, "c19 w16").deal(ada="c19 w16")
    message = plants.refused("ada: build c19")
    assert "costs $7 and you have $5" in message
    assert "room c19" in message
    plants.play("ada: room c19")
    assert (plants.seat("ada")["rooms"], plants.seat("ada")["facility"], plants.seat("ada")["money"]) == (3, 3, 5)
    assert "no card you drafted" in plants.refused("ada: build c19")


def test_another_colour_costs_two_and_with_one_dollar_it_is_refused(turnlog: Turnlog) -> None:
    """The card's own colour is free; any other costs $2; nothing changes by a refusal."""
    plants = Plants(turnlog, "c16 c39 w16 w31", changes={"money = 5\n": "money = 3\n", "gain 4": "gain 0"})
    plants.deal(ada="c16 w16 w31")
    plants.play("ada: build c16")
    assert plants.seat("ada")["money"] == 1
    assert "w31 is blue, which costs $2 on c16, and you have $1" in plants.refused("ada: activate c16 w31")
    assert plants.legal("ada", "activate c16") == ["activate c16 w16"]
    plants.play("ada: activate c16 w16")


def test_another_colour_pays_its_fee_first(turnlog: Turnlog) -> None:
    """$2 before the card pays."""
    plants = Plants(turnlog, "c16 w31").deal(ada="c16 w31")
    plants.play("ada: build c16", "ada: activate c16 w31")
    assert plants.seat("ada")["money"] == 5 - 2 + 4 - 2 + 4


def test_the_headquarters_take_any_colour_for_nothing(turnlog: Turnlog) -> None:
    """`hq1` gains $3; each space once a round."""
    plants = Plants(turnlog, "w16 w31").deal(ada="w16 w31")
    plants.play("ada: activate hq1 w31")
    assert plants.seat("ada")["money"] == 8
    assert "was run this round" in plants.refused("ada: activate hq1 w16")
    assert plants.seat("ada")["used"] == ["hq1"]


def test_an_investor_pays_ten_and_a_clinic_card_costs_two(turnlog: Turnlog) -> None:
    """`hq2` takes an investor, `hq3` a room for $2."""
    plants = Plants(turnlog, "w16 w31").deal(ada="w16 w31")
    plants.play("ada: activate hq2 w16")
    assert (plants.seat("ada")["money"], plants.seat("ada")["investors"]) == (15, 1)
    plants.play("ada: activate hq3 w31")
    assert (plants.seat("ada")["money"], plants.seat("ada")["rooms"]) == (13, 3)


def test_a_bot_is_rented_new_or_moved(turnlog: Turnlog) -> None:
    """`hq4` for $4: one empty station is no question; else `choose b1` or `choose new`, and `choose CARD`."""
    draw = "c16 c46 c47 c48 c49 c50 c17 c35 w16 w32 w33 w34 w35 w36 w17 w31"
    plants = Plants(turnlog, draw, changes=RICH).deal(ada="c16 w16")
    assert "empty station" in plants.refused("ada: activate hq4 w16")
    plants.play("ada: build c16", "ada: activate hq4 w16")
    assert plants.seat("ada")["bots"] == [{"id": "b1", "home": "c16", "at": "station"}]
    plants.done()
    plants.rooms_given()
    plants.deal(ada="c17 c35 w17 w31").play("ada: build c17", "ada: build c35")
    money = plants.seat("ada")["money"]
    plants.play("ada: activate hq4 w17")
    assert plants.seat("ada")["asked"] == ["b1", "new"]
    assert "asks for a bot" in plants.refused("ada: choose b77")
    plants.play("ada: choose b1")
    assert plants.seat("ada")["asked"] == ["c17", "c35"]
    plants.play("ada: choose c35")
    assert plants.seat("ada")["bots"] == [{"id": "b1", "home": "c35", "at": "station"}]
    assert plants.seat("ada")["money"] == money - 4
    turnlog.ok("undo", "g", "-n", 2)
    plants.play("ada: choose new", "ada: choose c17")
    assert [(bot["id"], bot["home"]) for bot in plants.seat("ada")["bots"]] == [("b1", "c16"), ("b2", "c17")]


def test_a_question_comes_first_for_its_seat_and_holds_up_nobody_else(turnlog: Turnlog) -> None:
    """Robot Kindergarten asks for a station; until then nothing else goes for ada, all for bo (ruling 16)."""
    plants = Plants(turnlog, "c77 c76 c16 c17 w76 w16", without="security", changes=RICH, names="ada bo").deal(
        ada="c76 c77 w76"
    )
    plants.play("ada: build c76", "ada: build c77")
    assert plants.legal("ada") == ["choose c76", "choose c77"]
    for move in ("done", "activate hq1 w76"):
        assert "cannot be done now; what can: choose" in plants.refused(f"ada: {move}")
    assert "choose c76 | c77" in plants.seat("ada")["due"]
    plants.play("bo: build c16", "ada: choose c77")
    assert plants.seat("ada")["bots"] == [{"id": "b1", "home": "c77", "at": "station"}]


def test_a_bot_runs_its_own_card_and_no_other(turnlog: Turnlog) -> None:
    """One worker or bot a space and round; the HQ has no bot; bots need no room and go home."""
    plants = Plants(
        turnlog, "c77 c76 c78 w76 w77 w78", without="security", changes=RICH | {"clinics = 2": "clinics = 0"}
    ).deal(ada="c76 c77 c78 w76")
    plants.play("ada: build c76", "ada: build c77", "ada: choose c76", "ada: build c78")
    assert "runs the card it is stationed at, c76" in plants.refused("ada: activate c78 b1")
    assert plants.refused("ada: activate hq1 b1")
    money = plants.seat("ada")["money"]
    plants.play("ada: activate c76 b1")
    assert plants.seat("ada")["money"] == money + 4
    assert plants.seat("ada")["bots"][0]["at"] == "space"
    assert "was run this round" in plants.refused("ada: activate c76 w76")
    plants.done()
    assert plants.seat("ada")["bots"][0] == {"id": "b1", "home": "c76", "at": "station"}
    assert plants.at("ada", "w76") is None


def test_a_drafted_bot_gets_a_station_or_is_given_up(turnlog: Turnlog) -> None:
    """Stolen Prototype pledges a bot; with an empty station `done` waits for it, without one it is scrapped."""
    plants = Plants(turnlog, "c81 w81 c16 c19 c26 c27 c28 c29", without="security", changes=RICH)
    plants.deal(ada="c81").play("ada: build c81")
    plants.done()
    assert plants.view["pledges"] == []
    assert "b1" in plants.view["pool"]
    plants.rooms_given()
    plants.deal(ada="b1")
    assert plants.seat("ada")["bots"] == [{"id": "b1", "home": None, "at": "station"}]
    assert "station b1" in plants.refused("ada: done")
    assert "no empty station" in plants.refused("ada: station b1 c16")
    plants.play("ada: station b1 c81")
    assert "has its station already" in plants.refused("ada: station b1 c81")
    plants.play("ada: done")


def test_a_bot_without_an_empty_station_is_scrapped_by_done(turnlog: Turnlog) -> None:
    """It is gone for good (ruling 5)."""
    plants = Plants(turnlog, "c81 w81", without="security", changes=RICH)
    plants.deal(ada="c81").play("ada: build c81")
    plants.done()
    plants.rooms_given()
    plants.deal(ada="", bo="b1")
    cards = plants.seat("bo")["drafted"]
    answer = plants.play(*(f"bo: room {card['id']}" for card in cards), "bo: done")
    assert plants.told(answer, "bot-given-up") == [{"type": "half-lifed.bot-given-up", "seat": 1, "bot": "b1"}]
    assert plants.seat("bo")["bots"] == []


def test_an_attachment_lies_on_an_own_open_card_without_one(turnlog: Turnlog) -> None:
    """`on` for an attachment and only for it; one a card; never on the HQ or on an attachment (ruling 15)."""
    plants = Plants(turnlog, "c16 c17 c29 c30 c44 w16", changes=RICH).deal(ada="c16 c17 c29 c30 c44 w16")
    assert "no face-up card of yours can take it" in plants.refused("ada: build c29")
    plants.play("ada: build c16")
    for move in ("build c29", "build c29 on hq1", "build c29 on c17"):
        assert "build c29 on CARD, one of c16" in plants.refused(f"ada: {move}").lower().replace("card", "CARD")
    assert "without `on`" in plants.refused("ada: build c17 on c16")
    plants.play("ada: build c29 on c16")
    assert plants.card("ada", "c16")["attachment"] == "c29"
    assert plants.card("ada", "c29")["on"] == "c16"
    assert plants.refused("ada: build c30 on c16")
    assert plants.refused("ada: build c30 on c29")
    assert plants.legal("ada", "build") == ["build c17"]
    assert plants.seat("ada")["facility"] == 4
    money = plants.seat("ada")["money"]
    plants.play("ada: activate c16 w16")  # $4, and $2 of Turbo Button
    assert plants.seat("ada")["money"] == money + 6


def test_an_upgrade_changes_prices_while_it_lies_open(turnlog: Turnlog) -> None:
    """Ignored Alarm takes $2 off Reactor cards, One Suit Fits All $2 off another colour's fee; never below 0."""
    plants = Plants(turnlog, "c16 c19 c23 c24 w31 w32", changes=RICH).deal(ada="c16 c19 c23 c24 w31 w32")
    plants.play("ada: build c23")
    costs = {card["id"]: card["cost"] for card in plants.seat("ada")["drafted"]}
    assert costs == {"c16": 0, "c19": 5, "c24": 0}
    plants.play("ada: build c16", "ada: build c24")
    money = plants.seat("ada")["money"]
    plants.play("ada: activate c16 w31")
    assert plants.seat("ada")["money"] == money + 4


def test_new_workers_come_from_the_supply_in_the_cards_colour(turnlog: Turnlog) -> None:
    """They take the next number behind the set's; pledged ones come with the next draft."""
    plants = Plants(turnlog, "c21 c37 w16", changes=RICH).deal(ada="c21 c37 w16")
    plants.play("ada: build c21")
    seat = plants.seat("ada")
    assert {"id": "w91", "colour": "red", "at": "parked", "locked": False} in seat["workers"]
    plants.play("ada: build c37")
    view = plants.view
    assert view["pledges"] == ["w92", "w93"]
    assert view["pieces"]["w92"] == {"kind": "worker", "colour": "blue"}
    plants.done()
    plants.rooms_given()
    assert plants.view["pool"][-2:] == ["w92", "w93"]
    assert len(plants.view["pool"]) == 14


def test_a_pledged_investor_joins_who_drafts_it_and_pays_at_once(turnlog: Turnlog) -> None:
    """$10, once (ruling 11)."""
    plants = Plants(turnlog, "c22 w16").deal(ada="c22 w16")
    plants.play("ada: build c22")
    plants.done()
    plants.deal(bo="i1")
    assert (plants.seat("bo")["money"], plants.seat("bo")["investors"]) == (15, 1)


def test_money_for_counted_things(turnlog: Turnlog) -> None:
    """Chain Reaction gains $2 and $2 a Reactor card, itself too; Mandatory Searches $1 a worker."""
    plants = Plants(turnlog, "c16 c20 c47 w16 w17 w18", changes=RICH).deal(ada="c16 c20 c47 w16 w17 w18")
    plants.play("ada: build c16")
    before = plants.seat("ada")["money"]
    plants.play("ada: build c20")
    assert plants.seat("ada")["money"] == before - 5 + 2 + 4
    before = plants.seat("ada")["money"]
    plants.play("ada: build c47")
    assert plants.seat("ada")["money"] == before - 4 + 3


def test_done_waits_for_every_drafted_card_and_is_final(turnlog: Turnlog) -> None:
    """What is due is said as it is typed; after `done` a seat is not to move."""
    plants = Plants(turnlog, "c16 c17 w16").deal(ada="c16 c17 w16")
    assert "build or room c16 c17" in plants.refused("ada: done")
    assert plants.seat("ada")["due"] == ["build or room c16 c17"]
    plants.play("ada: room c16", "ada: room c17", "ada: done")
    assert plants.seat("ada")["done"]
    answer = turnlog("play", "g", "activate hq1 w16", "--as", "ada", "--json")
    assert answer.code == 3
    assert "not ada's turn; to move: bo" in answer.error["message"]


def test_a_dry_run_of_the_last_done_stops_at_the_draw(turnlog: Turnlog) -> None:
    """What the deck gives next is nobody's to know in advance; the rest of the round's end is told."""
    plants = Plants(turnlog, "c16 w16").deal(ada="c16 w16")
    plants.done("ada")
    for card in plants.seat("bo")["drafted"]:
        plants.play(f"bo: room {card['id']}")
    answer = turnlog.json("play", "g", "done", "--as", "bo", "--dry-run")
    told = [fact["type"] for event in answer["events"] for fact in event["facts"]]
    assert told[0] == "half-lifed.turn-ended"
    assert told[-1] == "half-lifed.round-began"
    assert "?" not in turnlog.ok("play", "g", "done", "--as", "bo", "--dry-run").out


def test_seats_act_in_any_order_and_the_log_keeps_it(turnlog: Turnlog) -> None:
    """`play` needs --as while several are to move; `moves` without it speaks for the first (rulings 3, 17)."""
    plants = Plants(turnlog, "c16 c17 w16 w17").deal(ada="c16 w16", bo="c17 w17")
    shown = turnlog.json("show", "g")
    assert shown["to_move"] == ["ada", "bo"]
    assert turnlog.json("moves", "g")["seat"] == "ada"
    answer = turnlog("play", "g", "build c16", "--json")
    assert answer.code != 0
    assert "--as" in answer.error["hint"]
    plants.play("bo: build c17", "ada: build c16", "bo: activate hq1 w17", "ada: activate hq1 w16")
    moves = [
        (event["seat"], event["move"]) for event in turnlog.ok("log", "g", "--json").lines if event.get("move")
    ]
    assert [seat for seat, _ in moves[-4:]] == ["bo", "ada", "bo", "ada"]


def test_refusals_say_what_is_wrong(turnlog: Turnlog) -> None:
    """A space that is none, a piece that is none, a goal that is none."""
    plants = Plants(turnlog, "c16 c26 w16", goals="g3 g7 g15", changes=RICH).deal(ada="c16 c26 w16", bo="")
    plants.play("ada: build c26")
    assert "no space of yours" in plants.refused("ada: activate c99 w16")
    assert "no action card" in plants.refused("ada: activate c26 w16")
    assert "no parked worker" in plants.refused("ada: activate hq1 w77")
    assert "no bot of yours" in plants.refused("ada: station b1 c16")
    assert "no goal that lies out; those are g3, g7, g15" in plants.refused("ada: claim g1 w16")
    assert "demands 6 actions, and you have 0" in plants.refused("ada: claim g3 w16")
    assert "no Leak of yours" in plants.refused("ada: leak l1 pay")
    assert turnlog("play", "g", "activate hq1", "--as", "ada").code == 3


@pytest.mark.parametrize("draw", ["c20 c29 c27 c23 w16", "c38 c41 c44 w31"])
def test_every_kind_of_card_can_be_built(turnlog: Turnlog, draw: str) -> None:
    """Actions, upgrades, events and attachments each lie open and count."""
    plants = Plants(turnlog, draw, changes=RICH).deal(ada=draw)
    for move in list(plants.legal("ada", "build")):
        if move in plants.legal("ada", "build"):
            plants.play(f"ada: {move}")
    for card in plants.seat("ada")["drafted"]:
        host = plants.legal("ada", f"build {card['id']}")
        plants.play(f"ada: {host[0]}")
    assert plants.seat("ada")["drafted"] == []
    assert plants.seat("ada")["facility"] == 2 + draw.count("c")
