"""What trick-taking games share, whatever the suits are."""

from pathlib import Path

import pytest

from engines.kit import tricks
from engines.kit.tricks import clockwise, following, led_suit, winning

TRICK = [(2, "X3"), (0, "Y9"), (1, "X7")]
STRENGTH = {"X3": 3, "X7": 7, "Y9": 9}


def test_seats_are_in_order_from_any_of_them() -> None:
    """Clockwise is upwards, and round to the first."""
    assert clockwise(4, 0) == [0, 1, 2, 3]
    assert clockwise(4, 2) == [2, 3, 0, 1]


def test_the_first_card_leads() -> None:
    """Its suit is the led one; before it there is none."""
    assert led_suit(TRICK) == "X"
    assert led_suit([]) == ""


def test_who_has_the_led_suit_follows_with_it() -> None:
    """The cards of that suit, in the order of the hand; none is no duty."""
    assert following(["Y1", "X2", "X1"], "X") == ["X2", "X1"]
    assert following(["Y1"], "X") == []


def test_the_strongest_of_the_first_suit_that_was_played_wins() -> None:
    """Strengths may be turned round; suits that nobody played are passed over."""
    assert winning(TRICK, ("X",), STRENGTH) == (1, "X7")
    assert winning(TRICK, ("Y", "X"), STRENGTH) == (0, "Y9")
    assert winning(TRICK, ("Z", "X"), STRENGTH) == (1, "X7")
    assert winning(TRICK, ("X",), {card: -number for card, number in STRENGTH.items()}) == (2, "X3")


def test_the_earlier_of_equal_plays_wins() -> None:
    """As where a card is there twice."""
    assert winning([(0, "X3"), (1, "X3")], ("X",), STRENGTH) == (0, "X3")


def test_a_trick_without_any_of_the_suits_is_an_error() -> None:
    """The led suit is always among them."""
    with pytest.raises(ValueError, match="no card of Z"):
        winning(TRICK, ("Z",), STRENGTH)


def test_the_kit_names_no_game() -> None:
    """Both trick-taking games use it and it knows neither."""
    source = Path(tricks.__file__).read_text().lower()
    for name in ("vacuum", "vegas", "spy", "mobster", "game =="):
        assert name not in source
    games = Path(tricks.__file__).parent.parent
    for folder in ("power_vacuum", "venusian_vegas"):
        assert "from engines.kit.tricks import" in (games / folder / "state.py").read_text()
