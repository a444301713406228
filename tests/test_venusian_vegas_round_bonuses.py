"""The last hand: each kind of round bonus, played through commands (ruling 13)."""

import pytest

from tests.conftest import Turnlog
from tests.vegas import CARDS, Vegas, last_hand, own_set

TRACKS = {"T": "team", "G": "game", "I": "inspector", "B": "bot", "M": "mobster"}


def test_the_last_holder_is_asked_for_the_order(turnlog: Turnlog) -> None:
    """One seat holds cards: it reveals them in the order it likes, and is asked even for the last one."""
    table = last_hand(turnlog, "G2 M4")
    assert table.to_move == ["ada"]
    assert table.moves == ["order G2", "order M4"]
    assert "not in your hand" in table.refused("order T13")
    table.play("order M4")
    assert table.moves == ["order G2"]
    assert table.view()["discards"][-1] == "M4"


@pytest.mark.parametrize("card", ["T1", "G2", "I3", "B4", "M5"])
def test_1_to_5_gain_1_vp(turnlog: Turnlog, card: str) -> None:
    """The table holds: 1 VP, less than in a trick."""
    table = last_hand(turnlog, f"{card} M13")
    table.play(f"order {card}")
    assert table.scores == [1, 0]


@pytest.mark.parametrize("card", ["T10", "G11", "I12", "B13", "M10"])
def test_10_to_13_raise_the_suits_track_twice(turnlog: Turnlog, card: str) -> None:
    """Two steps, each scored and counted as a track increase."""
    table = last_hand(turnlog, f"{card} M3", rise="game")
    before = table.view()
    table.play(f"order {card}")
    after = table.view()
    track = TRACKS[card[0]]
    assert after["tracks"]["ada"][track] == before["tracks"]["ada"][track] + 2
    assert after["increases"]["ada"] == before["increases"]["ada"] + 2
    # Team, Game and Mobster stood on 2, so the second step reaches a VP space
    assert after["scores"]["ada"] == (1 if track in ("team", "game", "mobster") else 0)


def test_game_takes_2_vp_from_a_named_seat(turnlog: Turnlog) -> None:
    """With two seats that have VP the holder chooses; a seat without is refused."""
    table = last_hand(turnlog, "G6 G1", "bo", "cy", "di", bot=["bo", "cy"])
    table.play("order G6")
    assert table.moves == ["steal bo", "steal cy"]
    assert "di has no VP" in table.refused("steal di")
    assert "another seat" in table.refused("steal ada")
    assert "no seat" in table.refused("steal zoe")
    table.play("steal cy")
    assert table.scores == [2, 2, 0, 0]
    assert table.to_move == ["ada"]


def test_game_takes_2_vp_unasked_from_the_only_seat_that_has_some(turnlog: Turnlog) -> None:
    """One outcome is no question; with nobody to rob nothing happens."""
    table = last_hand(turnlog, "G7 G8", "bo", "cy", bot=["cy"])
    table.play("order G8")
    assert table.scores == [2, 0, 0]
    table.play("order G7")
    assert table.scores == [2, 0, 0]
    assert table.view()["round"] == 2


def test_game_takes_what_there_is(turnlog: Turnlog) -> None:
    """Of a seat with 1 VP the bonus takes 1."""
    hands = {"ada": "T1 T2 T3 T4 T5 T6 T8 G9 M6", "bo": "G1 G2 G3 G4 G5 I1 M7"}
    table = Vegas(turnlog, hands, raises={"ada": "team game", "bo": "bot game"})
    table.cards("T1")
    table.play("play M7 with bot", "decline", "bonus T1")  # bo: 2 VP
    table.cards("T2", "G1")
    table.play("decline")
    for lead, card in zip(("T3", "T4", "T5", "T6"), ("G2", "G3", "G4", "G5"), strict=True):
        table.cards(lead, card)
        table.play("decline")
    table.cards("T8", "I1")
    table.play("decline", "order M6")
    assert table.scores == [3, 2]
    table.play("order G9")
    assert table.scores == [5, 0]


def test_inspector_makes_the_others_lose_2_vp(turnlog: Turnlog) -> None:
    """Each other seat loses 2, and none falls below 0."""
    table = last_hand(turnlog, "I9 G1", "bo", "cy", "di", bot=["bo", "di"])
    assert table.scores == [0, 2, 0, 2]
    table.play("order I9")
    assert table.scores == [0, 0, 0, 0]
    assert table.to_move == ["ada"]


def test_bot_raises_any_track(turnlog: Turnlog) -> None:
    """The holder chooses one track of the five."""
    table = last_hand(turnlog, "B6 G1")
    table.play("order B6")
    assert table.moves == [f"raise {track}" for track in TRACKS.values()]
    assert "1 track" in table.refused("raise team bot")
    assert "no track" in table.refused("raise money")
    before = table.view()["increases"]["ada"]
    table.play("raise bot")
    assert table.view()["tracks"]["ada"]["bot"] == 2
    assert table.view()["increases"]["ada"] == before + 1
    assert table.moves == ["order G1"]


def test_mobster_gains_3_vp(turnlog: Turnlog) -> None:
    """Plainly 3 VP."""
    table = last_hand(turnlog, "M8 G1")
    table.play("order M8")
    assert table.scores == [3, 0]


def test_team_turns_two_cards_and_takes_their_round_bonuses(turnlog: Turnlog) -> None:
    """The top two of the deck, in that order; they lie among the discards then."""
    table = last_hand(turnlog, "T6 G1", deck="M9 B3 I1")
    table.play("order T6")
    assert table.scores == [4, 0]
    assert table.view()["discards"][-3:] == ["T6", "M9", "B3"]
    assert table.moves == ["order G1"]
    assert "turns M9 and B3" in table.told()


def test_a_turned_team_card_turns_its_own_two_first(turnlog: Turnlog) -> None:
    """Each turned card is taken wholly before the next one, choices among them."""
    table = last_hand(turnlog, "T6 G1", deck="T7 M6 B8 B1 I10")
    answer = table.play("order T6")
    facts = answer["events"][0]["facts"]
    taken = [fact["card"] for fact in facts if fact["type"].endswith("round-bonus-taken")]
    assert taken == ["T6", "T7", "B8"]  # T7's own two, B8 and B1, come before M6; B8 asks
    assert table.view()["turned"] == ["B1", "M6"]
    assert table.moves[0] == "raise team"
    answer = table.play("raise inspector")
    facts = answer["events"][0]["facts"]
    taken = [fact["card"] for fact in facts if fact["type"].endswith("round-bonus-taken")]
    assert taken == ["B1", "M6"]
    assert table.scores == [4, 0]


def test_a_deck_that_runs_out_turns_what_it_has(turnlog: Turnlog) -> None:
    """With one card left one is turned, with none the bonus is empty."""
    top = ["G1", "T7", "T8", "M1"]
    ada = ["T6", *(f"I{number}" for number in range(2, 14))]
    rest = [card for card in CARDS if card not in top and card not in ada]
    rest.sort(key="T9".__ne__)  # bo has T9 in front
    hands = {"ada": " ".join([*ada[1:], ada[0]])}
    hands |= {name: " ".join(rest[i * 12 : i * 12 + 12]) for i, name in enumerate(("bo", "cy", "di", "ed"))}
    table = Vegas(
        turnlog,
        hands,
        raises={"ada": "team game bot"},
        deck=" ".join(top),
        hand=12,
        components=own_set(turnlog, {"tracks.team": "[12, 13, 13, 13, 13]"}),
    )
    assert table.view()["deck"] == 4
    for number in range(2, 14):
        table.cards(f"I{number}")
        for _ in range(4):
            moves = table.moves
            table.play("play T9" if "play T9" in moves else moves[0])
        table.play("bonus T9" if "bonus T9" in table.moves else "decline")  # draws G1
    assert table.moves == ["order T6", "order G1"]
    answer = table.play("order T6")
    turned = [f["cards"] for f in answer["events"][0]["facts"] if f["type"].endswith("cards-turned")]
    assert turned == [["T7", "T8"], ["M1"], []]
    assert table.scores[0] == 1
    assert "The deck is empty: ada turns no card." in table.told()


def test_with_nobody_holding_cards_there_are_no_round_bonuses(turnlog: Turnlog) -> None:
    """Equal hands run out together: the round is over at once."""
    table = Vegas(turnlog, {"ada": "T1 T2 T3 T4 T5 T6 T7", "bo": "G1 G2 G3 G4 G5 G6 G7"})
    table.play_out()
    assert "nobody holds cards" in table.told()
    assert table.view()["round"] == 2
    assert table.scores == [0, 0]
