"""12-0-12: Theory of Power: supporters, their abilities and a leader's ambition, for 2 to 4 seats."""

from engines.kit.errors import BadSetup
from engines.kit.game import Game, Names, Option

FACTIONS = ("herbivore", "carnivore", "reptile", "bird")
COMMUNITIES = ("free", "rulers")


def _check(names: Names, options: dict[str, str]) -> None:
    """The training variant is played without Leaders (ruling 1)."""
    if options["training"] == "off":
        options["leaders"] = options["leaders"] or "choose"
    elif options["leaders"] not in ("", "none"):
        raise BadSetup(
            f"the training variant has no Leaders, so leaders={options['leaders']} does not go with it",
            "leave option leaders out, or say leaders=none",
        )
    else:
        options["leaders"] = "none"


GAME = Game(
    "theory-of-power",
    "12-0-12: Theory of Power",
    __name__,
    seats=(2, 4),
    passes=("pass", "skip"),
    options=(
        Option(
            "leaders",
            "",
            "choose (default): keep one of two; easy, sword, calm: one of those four at random; none",
            ("", "choose", "easy", "sword", "calm", "none"),
        ),
        Option("training", "off", "no Leaders, 5 Food, no communities", ("off", "on")),
        Option("compromat", "on", "off: a faster game without Compromat", ("on", "off")),
    ),
    draws={
        "animal-deck": "the 60 Animals, dealt from the front: the first player's five, the next one's six, ..",
        "leader-deck": "the Leaders, dealt from the front in turn order: two a seat, or one where none is chosen",
        "first-player": "the seat that starts",
        "reshuffle": "the discards, when they become the new deck",
    },
    check=_check,
)
