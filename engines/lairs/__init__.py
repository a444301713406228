"""Lairs: two seats each build a lair in secret and explore the other's."""

from engines.kit.errors import BadSetup
from engines.kit.game import Game, Names, Option

#: The most rounds that option `rounds` may ask for.
MOST_ROUNDS = 999


def _check(names: Names, options: dict[str, str]) -> None:
    rounds = options["rounds"]
    if not (rounds.isascii() and rounds.isdigit() and len(rounds) <= 9 and 1 <= int(rounds) <= MOST_ROUNDS):
        raise BadSetup(f"option rounds is a number from 1 to {MOST_ROUNDS}, not {rounds[:20]!r}")
    options["rounds"] = str(int(rounds))


GAME = Game(
    "lairs",
    "Lairs",
    __name__,
    seats=(2, 2),
    passes=("end", "stop"),
    options=(Option("rounds", "40", "after so many rounds a game that nobody leaves ends"),),
    draws={
        "treasure-deck": "the Treasures in order, the first three are the display",
        "dice": "the dice of one check, as a list of numbers",
        "random-lair": "the lair that `build random` makes, as a text map in one line",
    },
    check=_check,
)
