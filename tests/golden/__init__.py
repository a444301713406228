"""Golden transcripts: a game of the greedy bot for every game and number of seats, read by people.

    python -m tests.golden

writes them anew; a change of a rule, a sentence or a board shows as a difference to be read.
"""

from collections.abc import Iterator
from pathlib import Path

from engines.kit.boards import drawn
from engines.kit.secrecy import REFEREE
from events.model import GameCreated
from replays.export import script_of
from tests.random_games import Case, case_id, random_game

FOLDER = Path(__file__).parent / "transcripts"

#: The board is drawn after each so many events.
_EVERY = 40


def path_of(case: Case) -> Path:
    """Where a case's transcript lies."""
    return FOLDER / f"{case_id(case)}.txt"


def lines_of(case: Case) -> Iterator[str]:
    """The transcript of a case, with the referee's board now and then and at the end."""
    game = case.game
    bot = next(iter(game.bots))
    names: tuple[str, ...] = ()
    board = ""
    for number, moment in enumerate(random_game(case, "golden", bot=bot)):
        if isinstance(moment.event, GameCreated):
            names = moment.event.seats
        yield from script_of(game, names, moment.event)
        board = drawn(game.drawn.board(moment.state, REFEREE, names))
        if number % _EVERY == 0:
            yield from (f"#| {line}".rstrip() for line in board.splitlines())
    yield from (f"#| {line}".rstrip() for line in board.splitlines())
