"""What every set file is held to, whatever its game."""

import re
from pathlib import Path

import pytest

from engines.kit.errors import SetRefused
from engines.kit.game import Game
from engines.kit.setfile import check_values, shipped_document
from engines.registry import all_games
from tests.conftest import Turnlog

EVERY_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)


@EVERY_GAME
@pytest.mark.parametrize(
    "line",
    ["odd = 9000000000000000000", "odd = " + "9" * 5000, "odd = " + "[" * 3000 + "]" * 3000, "schema = "],
    ids=["a huge number", "a number of 5,000 digits", "deep nesting", "no TOML"],
)
def test_a_file_that_is_no_set_is_refused(game: Game, line: str, turnlog: Turnlog, tmp_path: Path) -> None:
    """What no game could bear is refused in words, exit 2."""
    path = tmp_path / "set.toml"
    path.write_text(f"{line}\n")
    persons = [word for name in ("ada", "bo")[: game.seats[1]] for word in ("-p", name)]
    answer = turnlog("create", game.slug, *persons, "--set", path)
    assert answer.code == 2
    assert "set.toml" in answer.err


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ({"cards": [{"vp": 9 * 10**18}]}, "set.cards[1].vp: 9000000000000000000 is out of all bounds"),
        ({"name": "\u001b[31mred"}, "set.name"),
        ({"a\u0007": 1}, "cannot be shown"),
    ],
    ids=["a huge number", "an escape code", "a bell in a key"],
)
def test_values_that_no_game_could_bear_are_named(value: dict[str, object], words: str) -> None:
    """A number beyond all scores or a text that no terminal can show is named with its place."""
    with pytest.raises(SetRefused, match=re.escape(words)):
        check_values(value)


@EVERY_GAME
def test_shipped_sets_say_where_their_parts_come_from(game: Game) -> None:
    """The set that ships with a game can be read as a document and names its schema."""
    assert shipped_document(game)["schema"] == 1
