"""Half-Lifed: a nuclear plant run for its investors, for 2 to 5 seats, all at the same time."""

from engines.kit.game import Game, Option

GAME = Game(
    "half-lifed",
    "Half-Lifed",
    __name__,
    seats=(2, 5),
    passes=("done",),
    options=(
        Option(
            "waste",
            "on",
            "on: five of the six departments are drawn; off: Waste Management, and with it every Leak, stays out",
            ("on", "off"),
        ),
    ),
    draws={
        "departments": "the six departments shuffled, of which the first five are in play",
        "deck": "the facility cards of the departments in play, drawn from the front",
        "bag": "the workers of the departments in play, drawn from the front",
        "goals": "the goals shuffled; the first ones of each tier are laid out",
        "first-player": "the seat that is 1st player in the first round",
    },
)
