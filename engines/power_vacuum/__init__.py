"""Power Vacuum: trick-taking for 2 to 5 seats, and solo against the two Party Apparatuses."""

from engines.kit.errors import BadSetup, SetupRefused
from engines.kit.game import Game, Names, Option

APPLIANCES = ("red", "green", "yellow", "white", "brown")
SOLO_BOTS = ("red", "yellow")


def _seating(persons: Names) -> Names:
    """Alone, a person sits with the two bots (ruling 14)."""
    if len(persons) != 1:
        return persons
    if persons[0].casefold() in SOLO_BOTS:
        raise SetupRefused("alone, red and yellow are the bots' names: take another one")
    return persons + SOLO_BOTS


def _check(names: Names, options: dict[str, str]) -> None:
    colours = [colour.strip() for colour in options["appliances"].split(",")]
    solo = len(names) == 1
    unknown = [colour for colour in colours if colour not in APPLIANCES]
    if unknown or len(set(colours)) < len(colours) or len(colours) < len(names):
        raise BadSetup(
            f"option appliances names {len(names)} or more different Appliances, not {options['appliances']!r}",
            "the Appliances are " + ", ".join(APPLIANCES),
        )
    options["appliances"] = ",".join(colours)
    if solo and options["appliances"] != GAME.options[0].default:
        raise SetupRefused("alone you are White and the bots Red and Yellow: leave option appliances out")
    if solo and options["first"]:
        raise SetupRefused("alone you start the game: leave option first out")
    if not solo and options["difficulty"]:
        raise SetupRefused("option difficulty is for a game of one seat")
    if solo:
        options["difficulty"] = options["difficulty"] or "medium"
    first = options["first"]
    if first.isdigit() and first.isascii() and len(first) <= 9 and 1 <= int(first) <= len(names):
        options["first"] = names[int(first) - 1]
    elif first and first not in names:
        fits = [name for name in names if name.casefold() == first.casefold()]
        if len(fits) == 1:
            options["first"] = fits[0]
            return
        raise BadSetup(f"option first names a seat, not {first!r}", "the seats: " + ", ".join(names))


GAME = Game(
    "power-vacuum",
    "Power Vacuum",
    __name__,
    seats=(1, 5),
    options=(
        Option(
            "appliances",
            "white,red,yellow,green,brown",
            "the Appliances of the seats, in order",
        ),
        Option("first", "", "the seat that starts, instead of a drawn one"),
        Option("difficulty", "", "alone: easier, medium (default) or harder", ("", "easier", "medium", "harder")),
    ),
    draws={
        "regime-deck": "the Regime cards that are shuffled for a round, dealt from the front, seat by seat",
        "agenda-deck": "the Agendas, dealt from the front, one a seat; the next one sets the cable",
        "first-player": "the seat that starts",
    },
    seating=_seating,
    check=_check,
)
