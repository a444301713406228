"""Each kind of trick bonus, played through commands (ruling 12), and who may take which (ruling 11)."""

from typing import Any

import pytest

from tests.conftest import Turnlog
from tests.vegas import CARDS, Vegas, own_set

TRACKS = {"T": "team", "G": "game", "I": "inspector", "B": "bot", "M": "mobster"}

#: Ada leads T13 and wins; bo and cy have no Team.
ADA = "T13 T12 T11 T10 T2 T3 T4"
CY = "M1 M2 M3 M4 M5 I1 I2"


def won(turnlog: Turnlog, card: str, *, bo: str = "B1 B2 B3 B4 B5 G1", **more: Any) -> Vegas:
    """A trick of three that ada won, in which bo played `card`; ada is to take a bonus."""
    cards = [other for other in bo.split() if other != card]
    table = Vegas(turnlog, {"ada": ADA, "bo": " ".join([card, *cards]), "cy": CY}, **more)
    table.cards("T13", card, "M1")
    assert table.to_move == ["ada"]
    return table


@pytest.mark.parametrize("card", ["T1", "G2", "I3", "B4", "M5"])
def test_1_to_5_gain_2_vp(turnlog: Turnlog, card: str) -> None:
    """2 VP to the winner, nothing to the seat that played the card."""
    cy = CY.replace(card, "I4")
    table = Vegas(turnlog, {"ada": ADA, "bo": f"{card} B9 B10 B11 B12 B13 G9", "cy": cy})
    table.cards("T13", card, "M1")
    table.play(f"bonus {card}")
    assert table.scores == [2, 0, 0]
    assert table.to_move == ["ada"]


@pytest.mark.parametrize("card", ["T5", "G10", "I11", "B12", "M13"])
def test_10_to_13_raise_the_winners_own_track(turnlog: Turnlog, card: str) -> None:
    """The suit's track of the winner, one step; its income waits for the next round (ruling 6)."""
    if card == "T5":  # Team is led and won by ada: bo follows with a 10
        ada, card = "T13 T12 T11 T9 T2 T3 T4", "T10"
    else:
        ada = ADA
    table = Vegas(turnlog, {"ada": ada, "bo": f"{card} B1 B2 B3 B4 B5 G1", "cy": CY})
    table.cards("T13", card, "M1")
    before = table.view()
    table.play(f"bonus {card}")
    after = table.view()
    track = TRACKS[card[0]]
    assert after["tracks"]["ada"][track] == before["tracks"]["ada"][track] + 1
    assert after["tracks"]["bo"] == before["tracks"]["bo"]
    assert after["increases"]["ada"] == before["increases"]["ada"] + 1
    assert after["tokens"] == before["tokens"]
    assert after["hands"] == before["hands"]


def test_the_income_of_a_bonus_comes_at_the_next_rounds_start(turnlog: Turnlog) -> None:
    """Ada raises Bot in round one and has a Bot token in round two."""
    table = won(turnlog, "B12")
    table.play("bonus B12")
    assert table.view()["tokens"]["ada"]["bot"] == 0
    table.play_out()
    assert table.view()["round"] == 2
    table.play("raise mobster")
    assert table.view()["tokens"]["ada"]["bot"] == 1


def test_team_draws_a_card(turnlog: Turnlog) -> None:
    """The top card of the deck, seen by the winner alone."""
    table = won(turnlog, "T6", deck="M13 G13")
    table.play("bonus T6")
    assert table.view()["hands"] == {"ada": 7, "bo": 6, "cy": 6}
    assert "M13" in table.view("ada")["hand"]
    assert "ada draws M13" in table.told("ada")
    assert "ada draws a card" in table.told("bo")
    assert "M13" not in table.told("bo")


def test_team_draws_nothing_from_an_empty_deck(turnlog: Turnlog) -> None:
    """The bonus may be taken for nothing; an empty deck gives no card (ruling 7)."""
    table = won_with_empty_deck(turnlog)
    assert table.view()["deck"] == 0
    table.play("bonus T6")
    assert table.view()["hands"]["ada"] == 12
    assert "The deck is empty: ada draws no card." in table.told()


def won_with_empty_deck(turnlog: Turnlog) -> Vegas:
    """Five hands of thirteen, by a set that deals them; ada won a trick with T6 in it."""
    ada = ["T13", *(f"I{number}" for number in range(2, 14))]
    rest = sorted((card for card in CARDS if card not in ada), key="T6".__ne__)
    hands = {"ada": " ".join(ada)}
    hands |= {name: " ".join(rest[i * 13 : i * 13 + 13]) for i, name in enumerate(("bo", "cy", "di", "ed"))}
    table = Vegas(turnlog, hands, hand=13, components=own_set(turnlog, {"tracks.team": "[13, 13, 13, 13, 13]"}))
    table.cards("T13", "T6")
    for _ in range(3):
        table.play(table.moves[0])
    return table


def test_a_game_bonus_without_the_vp_is_refused(turnlog: Turnlog) -> None:
    """It costs 1 VP, and a score is never less than 0."""
    table = won(turnlog, "G6")
    assert "costs 1 VP and you have none" in table.refused("bonus G6")
    assert table.moves == ["bonus M1", "decline"]


def test_game_pays_1_vp_and_steals_a_random_card(turnlog: Turnlog) -> None:
    """Paid first, then the winner names the seat; the victim sees what it lost, a third seat does not."""
    table = Vegas(
        turnlog,
        {"ada": ADA, "bo": "G6 G1 B2 B3 B4 B5 B1", "cy": CY},
        stolen_card=["I2"],
        raises={"bo": "bot game"},
    )
    table.cards("T13", "G1", "M1")
    table.play("bonus G1")
    table.cards("T12", "G6", "M2")
    table.play("bonus G6")
    assert table.scores == [1, 0, 0]
    assert table.moves == ["steal bo", "steal cy"]
    assert "another seat" in table.refused("steal ada")
    table.play("steal 3")  # a seat's number will do
    assert "I2" in table.view("ada")["hand"]
    assert "I2" not in table.view("cy")["hand"]
    assert table.view()["hands"] == {"ada": 6, "bo": 5, "cy": 4}
    for viewer in ("ada", "cy"):
        assert "ada steals I2 from cy" in table.told(viewer)
    for viewer in ("bo", "spectator"):
        assert "ada steals a card from cy" in table.told(viewer)
        assert "I2" not in table.told(viewer)


def test_a_game_bonus_with_one_seat_to_rob_asks_nothing(turnlog: Turnlog) -> None:
    """In a game of two the other seat is robbed at once."""
    table = Vegas(turnlog, {"ada": ADA, "bo": "G1 G9 B1 B2 B3 B4 B5"}, stolen_card=["B5"])
    table.cards("T13", "G1")
    table.play("bonus G1")
    table.cards("T12", "G9")
    table.play("bonus G9")
    assert table.scores == [1, 0]
    assert "B5" in table.view("ada")["hand"]
    assert table.to_move == ["ada"]
    assert table.moves[0].startswith("play")


def test_a_stacked_theft_that_does_not_fit_is_refused(turnlog: Turnlog) -> None:
    """At that move, and without a word about the hand."""
    table = Vegas(turnlog, {"ada": ADA, "bo": "G1 G9 B1 B2 B3 B4 B5"}, stolen_card=["I1"])
    table.cards("T13", "G1")
    table.play("bonus G1")
    table.cards("T12", "G9")
    refused = table.refused("bonus G9")
    assert "'stolen-card' does not fit" in refused
    assert "B1" not in refused
    assert table.moves == ["bonus G9", "decline"]


def test_a_game_bonus_needs_somebody_to_rob(turnlog: Turnlog) -> None:
    """With nobody else holding a card it is refused, and only declining is left."""
    table = Vegas(
        turnlog,
        {"ada": "T1 T2 T3 T4 T5 T7 T8 T9 T10", "bo": "G1 B2 B3 B4 B5 B10 G7"},
        raises={"ada": "team mobster"},
    )
    table.cards("T1", "G1")
    table.play("bonus G1")
    for lead, card in zip(("T2", "T3", "T4", "T5", "T7"), ("B2", "B3", "B4", "B5", "B10"), strict=True):
        table.cards(lead, card)
        table.play("decline")
    table.cards("T8", "G7")
    assert "no other seat holds one" in table.refused("bonus G7")
    assert table.moves == ["decline"]
    assert table.to_move == ["ada"]


def test_inspector_makes_each_other_seat_discard(turnlog: Turnlog) -> None:
    """Clockwise from the taker, each chooses a card of its own; it lies open."""
    table = won(turnlog, "I8")
    table.play("bonus I8")
    assert table.to_move == ["bo"]
    assert set(table.moves) == {f"discard {card}" for card in table.view("bo")["hand"]}
    assert "not in your hand" in table.refused("discard T2")
    table.play("discard B3")
    assert table.to_move == ["cy"]
    table.play("discard M4")
    assert table.view()["discards"] == ["B3", "M4", "T13", "I8", "M1"]
    assert table.view()["hands"] == {"ada": 6, "bo": 5, "cy": 5}
    assert table.to_move == ["ada"]


def test_an_inspector_bonus_takes_the_only_card_unasked_and_skips_empty_hands(turnlog: Turnlog) -> None:
    """One card is no choice; a seat without cards discards none."""
    table = Vegas(
        turnlog,
        {"ada": "T1 T2 T3 T4 T5 T7 T8 T9 T10", "bo": "B1 B2 B3 B4 B5 I6 I7"},
        raises={"ada": "team mobster"},
    )
    for lead, card in zip(("T1", "T2", "T3", "T4", "T5"), ("B1", "B2", "B3", "B4", "B5"), strict=True):
        table.cards(lead, card)
        table.play("decline")
    table.cards("T7", "I6")
    table.play("bonus I6")  # bo's last card, I7, goes at once, and the round is over
    assert "bo discards I7" in table.told()
    assert table.moves == ["order T8", "order T9", "order T10"]


def test_bot_takes_a_token_of_any_colour(turnlog: Turnlog) -> None:
    """The winner names the colour; there is no Team token."""
    table = won(turnlog, "B7")
    table.play("bonus B7")
    assert table.moves == ["token game", "token inspector", "token bot", "token mobster"]
    assert "no token" in table.refused("token team")
    before = table.view()["tokens"]["ada"]["mobster"]
    table.play("token mobster")
    assert table.view()["tokens"]["ada"]["mobster"] == before + 1
    assert table.to_move == ["ada"]


def test_mobster_makes_the_others_lose_1_vp(turnlog: Turnlog) -> None:
    """Each other seat loses 1, none falls below 0, the taker keeps its own."""
    hands = {"ada": "T13 T1 T3 T4 T5 T6 T7", "bo": "M6 B1 B2 B3 B4 B5 B10", "cy": "T12 T2 M1 M2 M3 M4 M5"}
    table = Vegas(turnlog, hands)
    table.cards("T1", "B1", "T12")
    table.play("bonus T1")  # cy: 2 VP
    table.cards("T2", "T13", "B2")
    table.play("bonus T2")  # ada: 2 VP
    table.cards("T3", "M6", "M1")
    table.play("bonus M6")
    assert table.scores == [2, 0, 1]


def test_every_bonus_but_game_may_be_taken_for_nothing(turnlog: Turnlog) -> None:
    """A Mobster bonus with nobody to lose VP is legal."""
    table = won(turnlog, "M9")
    table.play("bonus M9")
    assert table.scores == [0, 0, 0]


def test_the_winner_takes_a_bonus_of_another_seat_or_declines(turnlog: Turnlog) -> None:
    """The own card is refused, as is a card that is not there; declining gives nothing."""
    table = won(turnlog, "G2")
    assert "your own card" in table.refused("bonus T13")
    assert "not in the trick" in table.refused("bonus M7")
    assert table.moves == ["bonus G2", "bonus M1", "decline"]
    table.play("decline")
    assert table.scores == [0, 0, 0]
    assert table.view()["discards"] == ["T13", "G2", "M1"]
    assert table.to_move == ["ada"]
