"""What every set file is held to, whatever its game."""

from pathlib import Path

import pytest

from engines.kit.game import Game
from engines.kit.setfile import shipped_document
from engines.registry import all_games
from tests.conftest import Turnlog

EVERY_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)


@EVERY_GAME
@pytest.mark.parametrize(
    ("line", "words"),
    [("odd = 9000000000000000000", "out of all bounds"), ('odd = "\\u001b[31mred"', "cannot be shown")],
    ids=["a huge number", "an escape code"],
)
def test_a_set_that_no_game_could_bear_is_refused(
    game: Game, line: str, words: str, turnlog: Turnlog, tmp_path: Path
) -> None:
    """A number beyond all scores or a text that no terminal can show is named with its place, exit 2."""
    path = tmp_path / "set.toml"
    path.write_text(f"{line}\n")
    persons = [word for name in ("ada", "bo")[: game.seats[1]] for word in ("-p", name)]
    answer = turnlog("create", game.slug, *persons, "--set", path)
    assert answer.code == 2
    assert "set.odd" in answer.err
    assert words in answer.err


@EVERY_GAME
def test_shipped_sets_say_where_their_parts_come_from(game: Game) -> None:
    """The set that ships with a game can be read as a document and names its schema."""
    assert shipped_document(game)["schema"] == 1
