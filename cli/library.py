"""The commands about games as such: what can be played, rules."""

import re
from collections.abc import Iterator
from importlib.resources import files
from shlex import join
from textwrap import wrap
from typing import Any

from cli.commands import put, say
from cli.session import Session
from engines.kit.boards import WIDTH
from engines.kit.bots import bot_names
from engines.kit.errors import BadSetup, SheetRefused
from engines.kit.game import PROGRAM, Game, SheetModule
from engines.kit.notation import move_types
from engines.kit.setfile import file_text, shipped_document
from engines.registry import all_games, game_of

_ITEM = re.compile(r"\s*(?:[-*]|\d+\.) +")
_CODE = "    "


def games(session: Session) -> None:
    """Lists the games that can be played."""
    if session.json:
        put(games_document())
        return
    for game in all_games():
        fewest, most = game.seats
        seats = f"{fewest} to {most} seats" if fewest < most else f"{fewest} seats"
        say([f"{game.slug:<18}{game.title}, {seats}"])
    if not session.quiet:
        say(["", "`turnlog rules SLUG` teaches one, `turnlog create SLUG -p NAME -p NAME` starts one."])


def games_document() -> list[dict[str, Any]]:
    """The games that can be played."""
    return [{"slug": g.slug, "title": g.title, "seats": list(g.seats), "bots": bot_names(g)} for g in all_games()]


def house_parts(document: Any, place: str = "") -> list[str]:
    """The places of a set's document that are marked as house."""
    found: list[str] = []
    if isinstance(document, dict):
        if document.get("source") == "house":  # pyright: ignore[reportUnknownMemberType]
            found.append(place)
        for key, value in document.items():  # pyright: ignore[reportUnknownVariableType]
            found += house_parts(value, f"{place}.{key}" if place else str(key))  # pyright: ignore[reportUnknownArgumentType]
    elif isinstance(document, list):
        for number, value in enumerate(document, 1):  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
            name = value.get("name", number) if isinstance(value, dict) else number  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            found += house_parts(value, f"{place} {name}")
    return found


def rules(session: Session, slug: str) -> None:
    """Teaches a game."""
    document = rules_document(slug)
    if session.json:
        put(document)
        return
    game = game_of(slug)
    guide, house = document["guide"], document["house"]
    options = (
        f"- `-o {o.name}=VALUE`: {o.help}" + (f" (unasked: {o.default})" if o.default else "")
        for o in game.options
    )
    draws = (f"- `{name}`: {what}" for name, what in game.draws.items())
    lines = [
        *(guide.rstrip(), "", "## Options", *(options if game.options else ["- none"])),
        *("", "## Chance draws, for --stack", *draws),
        *(
            "",
            "## Bots",
            "- " + ", ".join(f"`{bot}`" for bot in bot_names(game)) + "; `bot:mcts:1000` thinks longer",
        ),
        *("", "## House parts of the set", "- " + (", ".join(house) or "none")),
    ]
    say(reflowed("\n".join(lines)))


def rules_document(slug: str) -> dict[str, Any]:
    """What there is to know of a game before it is played.

    :raises NoSuchSlug: there is none
    """
    game = game_of(slug)
    return {
        "slug": game.slug,
        "title": game.title,
        "seats": list(game.seats),
        "options": [
            {"name": o.name, "default": o.default, "choices": o.choices, "help": o.help} for o in game.options
        ],
        "draws": dict(game.draws),
        "moves": [game.grammar.pattern(move) for move in _moves(game)],
        "bots": bot_names(game),
        "house": house_parts(shipped_document(game)),
        "guide": files(game.package).joinpath("guide.md").read_text("utf-8"),
    }


def reflowed(markdown: str) -> Iterator[str]:
    """The lines of a Markdown text, its paragraphs and items filled anew to 80 columns."""
    item: list[str] = []

    def filled() -> list[str]:
        if not item:
            return []
        lead = _ITEM.match(item[0])
        indent = len(lead.group()) if lead else 0
        text = " ".join(line.strip() for line in item)
        first = item[0][: len(item[0]) - len(item[0].lstrip())]
        done = wrap(text, WIDTH, initial_indent=first, subsequent_indent=" " * indent, break_on_hyphens=False)
        item.clear()
        return done

    for line in markdown.rstrip().splitlines():
        if not line.strip() or line[0] in "|#" or (not item and line.startswith(_CODE)):
            yield from filled()
            yield line
        else:
            if _ITEM.match(line):
                yield from filled()
            item.append(line)
    yield from filled()


def _sheet(slug: str) -> SheetModule:
    sheet = game_of(slug).sheet
    if sheet is None:
        raise BadSetup(f"{slug} has no sheet to be filled in", f"`turnlog rules {slug}` teaches it")
    return sheet


def blank_sheet(session: Session, slug: str) -> None:
    """Prints the blank sheet of a game."""
    text = _sheet(slug).blank()
    if session.json:
        put({"slug": slug, "blank": text})
    else:
        say([text])


def check_sheet(session: Session, slug: str, path: str) -> None:
    """Finds all faults of a sheet in a file, without a game.

    :raises SheetRefused: it has some; they have been told
    """
    faults = _sheet(slug).check_file(file_text(path))
    if session.json:
        put({"slug": slug, "file": path, "legal": not faults, "faults": faults})
    else:
        say(faults or [f"{path} is legal."])
    if faults:
        raise SheetRefused(f"{path} is not legal: {len(faults)} fault{'s' * (len(faults) > 1)}")


def _moves(game: Game) -> tuple[Any, ...]:
    from importlib import import_module

    return move_types(import_module(f"{game.package}.moves").MOVES)


def allow(session: Session, command: str | None, forgotten: str | None) -> None:
    """Agrees to a program, takes an agreement back, or lists what is agreed to."""
    from cli import programs

    if command is not None and forgotten is not None:
        raise BadSetup("a program is either agreed to or forgotten")
    if forgotten is not None:
        programs.forget(forgotten)
    if command is not None:
        programs.allow(command)
    agreed = programs.allowed()
    if session.json:
        put({"programs": agreed})
        return
    seats = {
        name if name.startswith(programs.NOTIFIER) else PROGRAM + name: words for name, words in agreed.items()
    }
    say(f"{name}  {join(words)}" for name, words in seats.items())
    if not agreed and not session.quiet:
        say(["No program may be started: `turnlog allow ./mybot` agrees to one."])
