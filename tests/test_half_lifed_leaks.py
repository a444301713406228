"""Half-Lifed through commands: Leaks and the four answers to them."""

from tests.conftest import Turnlog
from tests.half_lifed import Plants

RICH = {"money = 5\n": "money = 30\n"}
#: Three cards that each pledge a Leak: Barrel Rolling, Midnight Pipeline, Sludge Futures.
LEAKS = "c1 c2 c7"


def leaking(turnlog: Turnlog, own: str = "", leaks: int = 1, changes: dict[str, str] | None = None) -> Plants:
    """A second round in which ada, with the `own` cards built, gets so many Leaks; bo built what pledged them."""
    pledging = LEAKS.split()[:leaks]
    draw = f"{own} {' '.join(pledging)} w1 w16 w17 w31 w32 w33 w46 w47 w48 w61 w62 w63"
    plants = Plants(turnlog, draw, changes=RICH | (changes or {}))
    plants.deal(ada=f"{own} w16 w17", bo=" ".join([*pledging, "w1"]))
    for card in own.split():
        host = [move for move in plants.legal("ada", f"build {card}") if move.split()[1] == card]
        plants.play(f"ada: {host[0]}")
    plants.play(*(f"bo: build {card}" for card in pledging))
    plants.done()
    plants.rooms_given()
    got = [piece for piece in plants.view["pool"] if piece[0] == "l"]
    assert len(got) == leaks
    return plants.deal(ada=" ".join(got))


def test_a_leak_is_paid_for(turnlog: Turnlog) -> None:
    """$5, and it is gone; `done` waits as long as there is an answer."""
    plants = leaking(turnlog)
    assert plants.seat("ada")["leaks"] == [{"id": "l1", "state": "loose", "card": None}]
    assert "leak l1" in plants.refused("ada: done")
    money = plants.seat("ada")["money"]
    plants.play("ada: leak l1 pay")
    assert plants.seat("ada")["money"] == money - 5
    assert plants.seat("ada")["leaks"] == []
    plants.play("ada: done")


def test_a_leak_takes_a_parked_worker(turnlog: Turnlog) -> None:
    """The worker is gone for good; one on a space cannot be discarded."""
    plants = leaking(turnlog)
    plants.play("ada: activate hq1 w16")
    assert "a parked worker or a bot on its station" in plants.refused("ada: leak l1 discard w16")
    plants.play("ada: leak l1 discard w17")
    assert plants.at("ada", "w17") is None
    assert plants.seat("ada")["leaks"] == []


def test_a_leak_takes_a_bot_on_its_station(turnlog: Turnlog) -> None:
    """Not one that has run its space."""
    plants = leaking(turnlog, "c16")
    plants.play("ada: activate hq4 w16", "ada: activate c16 b1")
    assert "leak l1 discard b1" not in plants.legal("ada", "leak")
    assert plants.refused("ada: leak l1 discard b1")
    plants.turnlog.ok("undo", "g", "-n", 1)
    plants.play("ada: leak l1 discard b1")
    assert plants.seat("ada")["bots"] == []
    assert plants.legal("ada", "activate c16")


def test_a_leak_covers_a_card_of_the_highest_printed_price(turnlog: Turnlog) -> None:
    """Of open action cards outside Waste Management; upgrades lower no printed price; ties are free (ruling 6)."""
    plants = leaking(turnlog, "c16 c18 c20 c23 c4")
    assert plants.legal("ada", "leak l1 cover") == ["leak l1 cover c18", "leak l1 cover c20"]
    for card in ("c16", "c23", "c4"):
        assert "most expensive open action card" in plants.refused(f"ada: leak l1 cover {card}")
    facility = plants.seat("ada")["facility"]
    plants.play("ada: leak l1 cover c20")
    seat = plants.seat("ada")
    assert seat["facility"] == facility - 1
    assert plants.card("ada", "c20")["covered"]
    assert seat["leaks"] == [{"id": "l1", "state": "covers", "card": "c20"}]
    assert "lies under Leak l1" in plants.refused("ada: activate c20 w16")


def test_a_covered_card_locks_the_worker_on_it(turnlog: Turnlog) -> None:
    """No room is needed, and it is not controlled (ruling 7)."""
    plants = leaking(turnlog, "c18")
    plants.play("ada: activate c18 w16", "ada: leak l1 cover c18")
    assert {"id": "w16", "colour": "red", "at": "c18", "locked": True} in plants.seat("ada")["workers"]
    plants.done()
    plants.rooms_given()
    assert plants.at("ada", "w16") == "c18"


def test_a_covered_card_locks_its_bot_at_the_station(turnlog: Turnlog) -> None:
    """It runs nothing and cannot be discarded."""
    plants = leaking(turnlog, "c18", leaks=2)
    plants.play("ada: activate hq4 w16", "ada: leak l1 cover c18")
    assert plants.seat("ada")["bots"] == [{"id": "b1", "home": "c18", "at": "locked"}]
    assert plants.refused("ada: leak l2 discard b1")
    assert plants.refused("ada: activate c18 b1")


def test_an_attachment_on_a_covered_card_still_works_and_counts(turnlog: Turnlog) -> None:
    """The covered card does not count; Drip Tray on it still lowers the price of a Leak."""
    plants = leaking(turnlog, "c18 c14", leaks=2)
    assert plants.seat("ada")["facility"] == 2 + 2
    plants.play("ada: leak l1 cover c18")
    assert plants.seat("ada")["facility"] == 2 + 1
    money = plants.seat("ada")["money"]
    plants.play("ada: leak l2 pay")
    assert plants.seat("ada")["money"] == money - 4
    assert plants.refused("ada: build c29 on c18")


def test_an_attachment_on_a_covered_card_still_scores(turnlog: Turnlog) -> None:
    """Warning Sticker pays its $7 at the end, an event under a Leak cannot be."""
    plants = leaking(turnlog, "c18 c30")
    before = plants.seat("ada")["reckoning"] - plants.seat("ada")["money"]
    plants.play("ada: leak l1 cover c18")
    assert plants.seat("ada")["reckoning"] - plants.seat("ada")["money"] == before == 7


def test_a_leak_is_contained(turnlog: Turnlog) -> None:
    """Under an own open Waste Management action card without one; that card still runs and counts."""
    plants = leaking(turnlog, "c6 c18", leaks=2)
    assert "Waste Management action card" in plants.refused("ada: leak l1 contain c18")
    facility = plants.seat("ada")["facility"]
    plants.play("ada: leak l1 contain c6")
    assert plants.seat("ada")["leaks"][-1] == {"id": "l1", "state": "contained", "card": "c6"}
    assert plants.seat("ada")["facility"] == facility
    assert "without a Leak" in plants.refused("ada: leak l2 contain c6")
    plants.play("ada: activate c6 w16")
    assert not plants.card("ada", "c6")["covered"]


def test_containing_when_it_is_the_only_answer_is_due(turnlog: Turnlog) -> None:
    """No money, worker, bot or card: `done` is refused until the Leak is contained."""
    plants = leaking(turnlog, "c6", changes={"money = 30\n": "money = 3\n", '"gain 2", "worker"': '"gain 0"'})
    for worker in [worker["id"] for worker in plants.seat("ada")["workers"]]:
        space = next((m for m in plants.legal("ada", "activate") if m.endswith(worker) and "hq" not in m), None)
        if space is None and plants.legal("ada", "activate hq1"):
            space = f"activate hq1 {worker}"
        assert space is not None
        plants.play(f"ada: {space}")
    assert plants.seat("ada")["money"] < 5
    assert plants.legal("ada", "leak") == ["leak l1 contain c6"]
    assert plants.legal("ada", "done") == []
    assert "leak l1" in plants.refused("ada: done")
    plants.play("ada: leak l1 contain c6", "ada: done")


def test_a_leak_without_an_answer_stays_and_counts(turnlog: Turnlog) -> None:
    """`done` is possible then; the Leak stays, and is to be answered in the next turn (ruling 5)."""
    plants = leaking(turnlog, changes={"money = 30\n": "money = 4\n", '"gain 3"': '"gain 0"'})
    plants.play("ada: activate hq1 w16", "ada: activate hq3 w17")
    assert plants.legal("ada") == ["done"]
    plants.done()
    plants.rooms_given()
    assert plants.seat("ada")["leaks"] == [{"id": "l1", "state": "loose", "card": None}]
    plants.deal(ada="")
    assert "leak l1" in plants.refused("ada: done")
    plants.play("ada: leak l1 discard w16", "ada: done")


def test_one_answer_a_leak(turnlog: Turnlog) -> None:
    """None or two are refused."""
    plants = leaking(turnlog, "c16")
    assert "one answer, not 0" in plants.refused("ada: leak l1")
    assert "one answer, not 2" in plants.refused("ada: leak l1 pay cover c16")
    assert "no Leak of yours" in plants.refused("ada: leak l9 pay")


def test_lifting_frees_the_card_and_what_it_locked(turnlog: Turnlog) -> None:
    """Mop and Pray lifts: the only Leak is no question, of two one is chosen (ruling 7)."""
    plants = leaking(turnlog, "c3 c18 c6", leaks=2)
    assert "it lifts a Leak, and none" in plants.refused("ada: activate c3 w16")
    plants.play("ada: activate c18 w16", "ada: leak l1 cover c18", "ada: leak l2 contain c6")
    plants.play("ada: activate c3 w17")
    assert plants.seat("ada")["asked"] == ["l1", "l2"]
    plants.play("ada: choose l1")
    assert not plants.card("ada", "c18")["covered"]
    assert plants.card("ada", "c18")["worker"] == "w16"
    assert "was run this round" in plants.refused("ada: activate c18 w91")
    plants.done()
    plants.rooms_given()
    plants.deal(ada="")
    one = next(w["id"] for w in plants.seat("ada")["workers"])
    answer = plants.play(f"ada: activate c3 {one}")
    assert plants.told(answer, "leak-lifted")[0]["leak"] == "l2"


def test_a_worker_locked_in_an_earlier_round_is_parked_when_it_is_freed(turnlog: Turnlog) -> None:
    """Its space is free again, too."""
    plants = leaking(turnlog, "c3 c18")
    plants.play("ada: activate c18 w16", "ada: leak l1 cover c18")
    plants.done()
    plants.rooms_given()
    plants.deal(ada="")
    one = next(w["id"] for w in plants.seat("ada")["workers"] if not w["locked"])
    plants.play(f"ada: activate c3 {one}")
    assert plants.at("ada", "w16") == "parked"
    plants.play("ada: activate c18 w16")


def test_leaks_count_for_cards_that_ask_for_them(turnlog: Turnlog) -> None:
    """Loose, covering or contained, a Leak is yours: Swimming Hole gains $2 each."""
    plants = leaking(turnlog, "c4 c18", leaks=2)
    plants.play("ada: leak l1 cover c18", "ada: leak l2 contain c4")
    money = plants.seat("ada")["money"]
    plants.play("ada: activate c4 w16")
    assert plants.seat("ada")["money"] == money - 2 + 2 + 4


def test_a_leak_that_is_lifted_counts_no_more(turnlog: Turnlog) -> None:
    """Money never goes below nothing: $9 a Leak after lifting one is paid for the others only (ruling 10)."""
    changes = {'"gain 4", "lift"': '"lift", "gain 9 per leaks", "pay 34"'}
    plants = leaking(turnlog, "c3 c6", changes=changes)
    plants.play("ada: leak l1 contain c6")
    assert plants.seat("ada")["money"] == 27
    assert "it costs $34, and you are $9 short" in plants.refused("ada: activate c3 w16")
