"""Playing tricks: following, indicators, tokens, and what is settled in which order (rulings 8 to 11)."""

import pytest

from tests.conftest import Turnlog
from tests.vegas import Vegas

ADA = "T9 T1 T2 G1 G2 G3 G4"
BO = "T4 T5 T6 B1 B2 B3 B4"
CY = "M13 M1 M2 M3 M4 M5 M6"
HANDS = {"ada": ADA, "bo": BO, "cy": CY}


# who wins ---------------------------------------------------------------------------------------------


def test_the_highest_of_the_led_suit_wins(turnlog: Turnlog) -> None:
    """Lead T9, follow T4 and M13, no trump, high: T9 wins."""
    table = Vegas(turnlog, HANDS)
    table.cards("T9", "T4", "M13")
    assert table.to_move == ["ada"]
    assert "ada wins the trick with T9" in table.told()


def test_numbers_rank_as_numbers(turnlog: Turnlog) -> None:
    """A 10 beats a 9."""
    table = Vegas(turnlog, {"ada": ADA, "bo": "T10 T5 T6 B1 B2 B3 B4", "cy": CY})
    table.cards("T9", "T10", "M13")
    assert table.to_move == ["bo"]


def test_a_trump_beats_the_led_suit(turnlog: Turnlog) -> None:
    """The same with T4 played `with game trump M`: M13 wins, and trump stays for the round."""
    table = Vegas(turnlog, HANDS)
    table.cards("T9", "T4 with game trump M")
    assert table.view()["trump"] == "M"
    table.cards("M13")
    assert table.to_move == ["cy"]
    table.play("bonus T4")
    table.cards("M1", "G1", "B1")
    assert "cy wins the trick with M1" in table.told()
    assert table.view()["trump"] == "M"


def test_the_lowest_wins_under_low_wins(turnlog: Turnlog) -> None:
    """The same with M13 played `with inspector`, no trump: T4 wins, and the rank stays for the round."""
    table = Vegas(turnlog, HANDS)
    table.cards("T9", "T4", "M13 with inspector")
    assert table.view()["rank"] == "low"
    assert table.to_move == ["bo"]
    table.play("decline")
    table.cards("T6", "M1", "T2 with inspector")
    assert table.view()["rank"] == "high"
    assert "bo wins the trick with T6" in table.told()


def test_the_lowest_trump_wins_under_low_wins(turnlog: Turnlog) -> None:
    """Among the trump cards the lowest wins too."""
    hands = {"ada": ADA, "bo": "M12 B5 B6 B1 B2 B3 B4", "cy": CY}
    table = Vegas(turnlog, hands)
    table.cards("T9 with game trump M", "M12 with inspector", "M13")
    assert "bo wins the trick with M12" in table.told()


def test_the_indicators_at_the_end_of_the_trick_decide(turnlog: Turnlog) -> None:
    """A trump that the last card takes away again was never there (ruling 10)."""
    hands = {"ada": ADA, "bo": "M12 B5 B6 B1 B2 B3 B4", "cy": CY}
    table = Vegas(turnlog, hands, raises={"cy": "bot mobster"})
    table.cards("T9 with game trump M", "M12", "M13")
    assert table.to_move == ["cy"]
    table.play("decline")
    # bo's own game token: back to no trump
    table.cards("M1", "G1", "B1 with game trump none")
    assert table.view()["trump"] == "none"
    assert "cy wins the trick with M1" in table.told()


def test_a_trump_that_was_not_played_changes_nothing(turnlog: Turnlog) -> None:
    """With a trump that nobody plays the led suit wins; the present trump may be named."""
    table = Vegas(turnlog, HANDS)
    table.cards("T9 with game trump I", "T4 with inspector blank", "M13")
    table.play("decline")
    table.cards("G1", "B1 with game trump I", "M1")
    assert table.view()["trump"] == "I"
    assert "ada wins the trick with G1" in table.told()


# following --------------------------------------------------------------------------------------------


def test_the_led_suit_must_be_followed(turnlog: Turnlog) -> None:
    """Who holds a T when T was led may not play M3; who holds none plays anything."""
    table = Vegas(turnlog, {"ada": ADA, "bo": "T4 M3 B5 B1 B2 B3 B4", "cy": "M13 M1 M2 G5 M4 M5 M6"})
    table.cards("T9")
    assert [move for move in table.moves if " with " not in move] == ["play T4"]
    assert "Team (T) was led and you have it" in table.refused("play M3")
    table.cards("T4")
    assert len([move for move in table.moves if " with " not in move]) == 7


def test_a_trump_is_no_exception_to_following(turnlog: Turnlog) -> None:
    """With Mobster trump, a Team card is still followed."""
    table = Vegas(turnlog, {"ada": ADA, "bo": "T4 M7 B5 B1 B2 B3 B4", "cy": CY})
    table.cards("T9 with game trump M")
    assert "was led" in table.refused("play M7")


def test_refusals_of_cards_say_why(turnlog: Turnlog) -> None:
    """No card, not in hand, no move of this phase."""
    table = Vegas(turnlog, HANDS)
    assert "is no card" in table.refused("play Z9")
    assert "T4 is not in your hand" in table.refused("play T4")
    assert "cannot be done now" in table.refused("bonus T4")
    table.cards("t9")  # capitals do not matter
    assert table.view()["trick"] == [{"seat": "ada", "card": "T9", "token": None, "blank": False}]


# tokens -----------------------------------------------------------------------------------------------


def test_each_colour_is_played_once_a_trick(turnlog: Turnlog) -> None:
    """A second Game token is refused, and offered again in the next trick."""
    table = Vegas(turnlog, HANDS)
    table.cards("T9", "T4 with game trump M")
    assert "bo played a game token to this trick" in table.refused("play M13 with game trump T")
    assert not [move for move in table.moves if "with game" in move]
    table.cards("M13")
    table.play("decline")
    assert "play M1 with game trump T" in table.moves


def test_a_blank_token_only_blocks(turnlog: Turnlog) -> None:
    """It changes no indicator, asks nothing later, and keeps its colour from the others."""
    raises = {"ada": "bot mobster", "bo": "game inspector", "cy": "bot mobster"}
    table = Vegas(turnlog, HANDS, raises=raises)
    table.cards("T9 with bot blank", "T4 with game blank")
    assert table.view()["trump"] == "none"
    assert "ada played a bot token" in table.refused("play M13 with bot")
    table.cards("M13 with mobster blank")
    assert table.view()["trick"][2] == {"seat": "cy", "card": "M13", "token": "mobster", "blank": True}
    table.play("decline")  # ada, as the winner; no second bonus, no card to take
    assert table.to_move == ["ada"]
    assert table.view()["trick"] == []


def test_a_blank_inspector_token_flips_nothing(turnlog: Turnlog) -> None:
    """High still wins."""
    table = Vegas(turnlog, HANDS)
    table.cards("T9 with inspector blank")
    assert table.view()["rank"] == "high"


@pytest.mark.parametrize(
    ("move", "why"),
    [
        ("play T9 with game", "names a trump or is blank"),
        ("play T9 with game trump M blank", "not both"),
        ("play T9 with game trump X", "is no trump"),
        ("play T9 with inspector trump M", "trump goes with a game token"),
        ("play T9 with bot", "you have no bot token"),
        ("play T9 with team", "is no token"),
        ("play T9 with coin", "is no token"),
        ("play T9 trump M", "trump goes with a token"),
        ("play T9 blank", "blank goes with a token"),
    ],
)
def test_a_token_that_is_played_wrongly_is_refused(turnlog: Turnlog, move: str, why: str) -> None:
    """The sentence says what was wrong and what was expected."""
    table = Vegas(turnlog, HANDS)
    assert why in table.refused(move)


def test_a_token_is_spent_and_back_in_the_supply_after_the_trick(turnlog: Turnlog) -> None:
    """It leaves its seat at once and does not come back in the round."""
    table = Vegas(turnlog, HANDS, rise="mobster")
    assert table.view()["tokens"]["ada"] == {"game": 1, "inspector": 1, "bot": 0, "mobster": 1}
    table.cards("T9 with game trump none")
    assert table.view()["tokens"]["ada"]["game"] == 0
    table.cards("T4", "M13")
    table.play("decline")
    assert table.view()["tokens"]["ada"]["game"] == 0
    assert not [move for move in table.moves if "with game" in move]


def test_a_game_token_offers_each_trump_and_blank(turnlog: Turnlog) -> None:
    """All five suits, `none`, and blank; one card with each token that is held."""
    table = Vegas(turnlog, HANDS)
    moves = [move.removeprefix("play T9") for move in table.moves if move.startswith("play T9")]
    trumps = [f" with game trump {suit}" for suit in ("T", "G", "I", "B", "M", "none")]
    assert moves == ["", *trumps, " with game blank", " with inspector", " with inspector blank"]


# the trick's claims -----------------------------------------------------------------------------------


def test_the_bot_token_takes_a_bonus_after_the_winner(turnlog: Turnlog) -> None:
    """Its seat takes one of another seat's card, the one that the winner took too."""
    hands = {"ada": ADA, "bo": BO, "cy": "M13 M1 M2 M3 M4 M5 M6"}
    table = Vegas(turnlog, hands, raises={"cy": "bot mobster"})
    table.cards("T1", "T4", "M1 with bot")
    assert table.to_move == ["bo"]
    table.play("bonus T1")
    assert table.to_move == ["cy"]
    assert "your own card" in table.refused("bonus M1")
    assert table.moves == ["bonus T1", "bonus T4", "decline"]
    table.play("bonus T1")
    assert table.scores == [0, 2, 2]
    assert table.to_move == ["bo"]


def test_a_winner_with_the_bot_token_takes_a_second_card(turnlog: Turnlog) -> None:
    """Its second bonus is of another card than its first."""
    table = Vegas(turnlog, HANDS, raises={"ada": "bot mobster"})
    table.cards("T9 with bot", "T4", "M1")
    table.play("bonus T4")
    assert table.to_move == ["ada"]
    assert "you took the bonus of T4 already" in table.refused("bonus T4")
    assert table.moves == ["bonus M1", "decline"]
    table.play("bonus M1")
    assert table.scores == [4, 0, 0]


@pytest.mark.parametrize("first", ["bonus T4", "decline"])
def test_in_a_game_of_two_a_winner_with_the_bot_token_has_no_second_bonus(turnlog: Turnlog, first: str) -> None:
    """There is no second card of another seat, whether or not the first was taken."""
    table = Vegas(turnlog, {"ada": ADA, "bo": BO}, raises={"ada": "bot mobster"})
    table.cards("T9 with bot", "T4")
    table.play(first)
    assert table.view()["trick"] == []
    assert table.to_move == ["ada"]


def test_a_winner_that_declines_may_take_any_card_for_the_bot_token(turnlog: Turnlog) -> None:
    """The second bonus is of another card than the first, and there was none."""
    table = Vegas(turnlog, HANDS, raises={"ada": "bot mobster"})
    table.cards("T9 with bot", "T4", "M1")
    table.play("decline")
    assert table.to_move == ["ada"]
    assert table.moves == ["bonus T4", "bonus M1", "decline"]
    table.play("bonus T4")
    assert table.scores == [2, 0, 0]
    assert table.view()["trick"] == []


def test_a_trick_of_two_cards_has_no_second_bonus_with_three_seats_either(turnlog: Turnlog) -> None:
    """Bo is out of cards: ada wins with a Bot token, and only one card of another seat is there."""
    table = Vegas(turnlog, LONG, raises={**LONG_RAISES, "ada": "team bot"}, rise="mobster")
    for lead, card, last in zip(LONG["ada"].split()[:7], LONG["bo"].split(), LONG["cy"].split(), strict=False):
        table.cards(lead, card, last)
        table.play("decline")
    table.cards("G1 with bot", "M8")
    assert [claim["claim"] for claim in table.view()["claims"]] == ["bonus"]
    table.play("bonus M8")
    assert table.to_move == ["ada"]
    assert table.moves[0] == "play G2"


def test_in_a_game_of_two_the_loser_with_the_bot_token_has_its_bonus(turnlog: Turnlog) -> None:
    """Bo lost the trick and takes the bonus of ada's card."""
    table = Vegas(
        turnlog, {"ada": "T9 T5 T2 G1 G2 G3 G4", "bo": "T4 B1 B2 B3 B4 B5 B6"}, raises={"bo": "bot game"}
    )
    table.cards("T5", "T4 with bot")
    table.play("decline")
    assert table.to_move == ["bo"]
    assert table.moves == ["bonus T5", "decline"]
    table.play("bonus T5")
    assert table.scores == [0, 2]


def test_a_bonus_is_asked_even_when_only_declining_is_left(turnlog: Turnlog) -> None:
    """A Game bonus without the VP leaves one move, and it is a move."""
    table = Vegas(turnlog, {"ada": ADA, "bo": "G6 B1 B2 B3 B4 B5 B6"})
    table.cards("T9", "G6")
    assert table.moves == ["decline"]


def test_the_mobster_token_takes_a_card_after_the_bonuses(turnlog: Turnlog) -> None:
    """Any card of the trick, the winning one too: the winner stays the winner and leads."""
    table = Vegas(turnlog, HANDS, raises={"cy": "bot mobster"})
    table.cards("T9", "T4", "M13 with mobster")
    table.play("bonus T4")
    assert table.to_move == ["cy"]
    assert table.moves == ["take T9", "take T4", "take M13", "decline"]
    assert "not in the trick" in table.refused("take T1")
    table.play("take T9")
    assert table.view()["hands"] == {"ada": 6, "bo": 6, "cy": 7}
    assert "T9" in table.view("cy")["hand"]
    assert table.view()["discards"] == ["T4", "M13"]
    assert table.to_move == ["ada"]


def test_the_mobster_token_may_take_its_own_card_or_none(turnlog: Turnlog) -> None:
    """The own card comes back to the hand; declining discards all."""
    table = Vegas(turnlog, HANDS, raises={"cy": "mobster bot", "bo": "mobster bot"})
    table.cards("T9", "T4", "M13 with mobster")
    table.play("decline", "take M13")
    assert "M13" in table.view("cy")["hand"]
    table.cards("T1", "T5 with mobster", "M13")
    table.play("decline", "decline")
    assert table.view()["discards"] == ["T9", "T4", "T1", "T5", "M13"]


def test_winner_bot_and_mobster_are_settled_in_that_order(turnlog: Turnlog) -> None:
    """Whoever played them, and with the choices of each bonus made before the next claim."""
    hands = {"ada": "T9 T1 T2 G1 G2 G3 G4", "bo": "T4 T5 T6 B1 B2 B3 B4", "cy": "I7 I1 I2 I3 I4 I5 I6"}
    table = Vegas(turnlog, hands, raises={"ada": "mobster bot", "bo": "bot game"})
    table.cards("T9 with mobster", "T4 with bot", "I7")
    assert [claim["claim"] for claim in table.view()["claims"]] == ["bonus", "bonus", "take"]
    table.play("bonus I7")
    assert table.to_move == ["bo"]
    table.play("discard B1")
    assert table.to_move == ["cy"]
    table.play("discard I1")
    assert table.to_move == ["bo"]
    table.play("bonus I7")
    assert table.to_move == ["cy"]
    table.play("discard I2", "discard G1")
    assert table.to_move == ["ada"]
    table.play("take I7")
    assert table.view()["hands"] == {"ada": 6, "bo": 5, "cy": 4}
    assert table.view()["claims"] == []


# seats without cards ----------------------------------------------------------------------------------


LONG = {
    "ada": "T1 T2 T3 T4 T5 T6 T7 G1 G2",
    "bo": "B1 B2 B3 B4 B5 B6 I12",
    "cy": "M1 M2 M3 M4 M5 M6 M7 M8 M9",
}
LONG_RAISES = {"ada": "team mobster", "bo": "game bot", "cy": "team inspector"}


def down_to_one(turnlog: Turnlog, deck: str = "") -> Vegas:
    """Bo holds one card, I12, ada T7 to lead and two more, cy three."""
    table = Vegas(turnlog, LONG, raises=LONG_RAISES, deck=deck)
    for number in range(1, 7):
        table.cards(f"T{number}", f"B{number}", f"M{number}")
        table.play("decline")
    return table


def test_a_seat_without_cards_is_skipped(turnlog: Turnlog) -> None:
    """Bo has played its last card: the others play on without it."""
    table = down_to_one(turnlog)
    table.cards("T7", "I12", "M7")
    table.play("decline")
    assert table.view()["hands"] == {"ada": 2, "bo": 0, "cy": 2}
    table.cards("G1")
    assert table.to_move == ["cy"]
    table.cards("M8")
    assert "ada wins the trick with G1" in table.told()


def test_a_seat_without_cards_plays_again_if_it_gets_one(turnlog: Turnlog) -> None:
    """Bo draws a card for its Bot token after its last card, and is in the next trick."""
    table = down_to_one(turnlog, deck="I13")
    table.cards("T7", "I12 with bot", "M7")
    table.play("decline", "bonus T7")
    assert table.view()["hands"] == {"ada": 2, "bo": 1, "cy": 2}
    table.cards("G1")
    assert table.to_move == ["bo"]
    assert table.view("bo")["hand"] == ["I13"]


def test_the_lead_passes_on_from_a_leader_without_cards(turnlog: Turnlog) -> None:
    """Bo wins with its last card: the next seat with cards, clockwise from it, leads."""
    table = down_to_one(turnlog)
    table.cards("T7", "I12 with game trump I", "M7")
    assert table.to_move == ["bo"]
    table.play("decline")
    assert table.view()["hands"] == {"ada": 2, "bo": 0, "cy": 2}
    assert table.to_move == ["cy"]
    table.cards("M8", "G1")
    assert "cy wins the trick with M8" in table.told()


def test_the_round_goes_on_while_two_seats_hold_cards(turnlog: Turnlog) -> None:
    """It is tested when a trick is wholly settled: a card taken back keeps its seat in the round."""
    table = Vegas(
        turnlog,
        {"ada": "T1 T2 T3 T4 T5 T6 T7 T8 T9", "bo": "B1 B2 B3 B4 B5 B6 B10"},
        raises={"ada": "team game", "bo": "mobster game"},
    )
    for number in range(1, 7):
        table.cards(f"T{number}", f"B{number}")
        table.play("decline")
    table.cards("T7", "B10 with mobster")
    table.play("decline", "take T7")
    assert table.view()["hands"] == {"ada": 2, "bo": 1}
    assert table.to_move == ["ada"]
    table.cards("T8", "T7")
    table.play("decline")
    assert table.moves == ["order T9"]
