"""A first game through the command line."""

from tests.conftest import Turnlog


def test_a_move_is_played_and_seen(turnlog: Turnlog) -> None:
    """A created game shows what is played in it."""
    turnlog.json("create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--id", "g", "--seed", 1)
    legal = turnlog.json("moves", "g")["moves"]
    card = legal[0].removeprefix("play ")
    turnlog.play("g", legal[0])
    assert [play["card"] for play in turnlog.view("g")["trick"]] == [card]
