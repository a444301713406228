"""What the tests of Theory of Power share: tables with stacked hands, and a set in which two Leaders are rich."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from engines.kit.setfile import shipped_set
from engines.registry import game_of
from tests.conftest import Turnlog

SLUG = "theory-of-power"
SHIPPED = Path(__file__).parent.parent / "engines" / "theory_of_power" / "set.toml"
NAMES = ("ada", "bo", "cy", "di")
#: Rich Leaders bring so much Food and so much Influence.
RICH = 15


def rich_set(turnlog: Turnlog, *changes: tuple[str, str]) -> str:
    """The shipped set, but the rabbit and the viper bring 15 Food and 15 Influence; `changes` change more."""
    text = SHIPPED.read_text("utf-8")
    rich = f'effects = [{{ kind = "gain", food = {RICH}, influence = {RICH} }}]'
    for old, new in (
        ('effects = [{ kind = "gain", food = 2 }], source = "published"', f'{rich}, source = "published"'),
        ('trigger = "setup", effects = [{ kind = "gain", influence = 1 }]', f'trigger = "setup", {rich}'),
        *changes,
    ):
        assert old in text, old
        text = text.replace(old, new)
    path = turnlog.db.with_name("rich.toml")
    path.write_text(text, "utf-8")
    return str(path)


def start(
    turnlog: Turnlog,
    *hands: str,
    deck: str = "",
    leaders: str = "",
    rich: bool = False,
    changes: Sequence[tuple[str, str]] = (),
    options: Sequence[str] = (),
    more: dict[str, list[Any]] | None = None,
) -> str:
    """A game in which seat by seat holds these five cards and ada starts; the deck goes on with `deck`.

    `leaders` are dealt one a seat; `rich` deals the rich ones, ada the rabbit, bo the viper.
    """
    count = Counter({animal.name: animal.copies for animal in _animals()})
    count.subtract(card for hand in (*hands, deck) for card in hand.split())
    assert min(count.values()) >= 0, f"named too often: {-count}"
    spare = [card for card in ("lynx", "rhino", "turtle", "monitor", "owl") for _ in range(count[card])]
    dealt: list[str] = []
    discards: list[str] = []
    for number, hand in enumerate(hands):
        extra, spare = spare[:number], spare[number:]
        dealt += hand.split() + extra
        if number:
            discards.append(f"{NAMES[number]}: discard {' '.join(extra)}")
    names = NAMES[: len(hands)]
    by = "easy" if rich else "none" if not leaders else "choose"
    stack: dict[str, list[Any]] = {
        "first_player": [["ada"]],
        "animal_deck": [dealt + deck.split()],
        **(more or {}),
    }
    if rich:
        stack["leader_deck"] = [["rabbit", "viper"]]
    elif leaders:
        stack["leader_deck"] = [_two_by_two(leaders.split())]
    turnlog.json(
        "create", SLUG, *(word for name in names for word in ("-p", name)), "--id", "g", "--seed", "7",
        "-o", f"leaders={by}", *(word for option in options for word in ("-o", option)),
        "--stack", turnlog.stack(**stack), *(["--set", rich_set(turnlog, *changes)] if rich or changes else []),
    )  # fmt: skip
    turnlog.play("g", *discards)
    if leaders:
        turnlog.play("g", *(f"{name}: leader {one}" for name, one in zip(names, leaders.split(), strict=True)))
    return "g"


def _animals() -> list[Any]:
    return list(shipped_set(game_of(SLUG)).animals.values())


def _two_by_two(kept: list[str]) -> list[str]:
    others = [name for name in shipped_set(game_of(SLUG)).leaders if name not in kept]
    return [name for pair in zip(kept, others, strict=False) for name in pair]


def seat(turnlog: Turnlog, name: str, viewer: str | None = None) -> dict[str, Any]:
    """What the view says of a seat, as that seat sees it."""
    view = turnlog.view("g", viewer or name)
    return next(one for one in view["seats"] if one["name"] == name)


def reserve(turnlog: Turnlog, name: str) -> tuple[int, int]:
    """A seat's Food and Influence."""
    one = seat(turnlog, name)
    return one["food"], one["influence"]


def supporters(turnlog: Turnlog, name: str) -> dict[str, tuple[str, int, int]]:
    """A seat's supporters: id to card, Food and Influence on it."""
    return {one["id"]: (one["card"], one["food"], one["influence"]) for one in seat(turnlog, name)["supporters"]}


def waiting(turnlog: Turnlog) -> list[tuple[str, str]]:
    """What waits: seat and source, the next first."""
    rows = turnlog.view("g")["waiting"]
    return [(row["seat"], row["source"]) for row in rows if row["status"] == "waiting"]


def moves(turnlog: Turnlog) -> list[str]:
    """The moves that are listed."""
    return turnlog.json("moves", "g")["moves"]


def facts(answer: Any) -> list[str]:
    """The kinds of facts of the last event of a command's answer."""
    return [fact["type"].partition(".")[2] for fact in answer["events"][-1]["facts"]]
