"""Sets of components: the one that ships with a game, or one typed in by somebody who owns the box.

A set is validated whole before a game starts; what is wrong is named with its place in the file. What reads
files is imported where it is used: playing a game needs none of it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar, cast

import msgspec

from engines.kit.errors import BadSetup, SetRefused
from engines.kit.game import Game

T = TypeVar("T")


#: A file that a command names holds at most so many characters.
MOST_CHARACTERS = 10_000_000


#: The largest number in a set.
LARGEST = 1_000_000


def file_text(path: str) -> str:
    """The text of a file.

    :raises BadSetup: it cannot be read, is no text or too large
    """
    try:
        with open(path, encoding="utf-8") as file:
            text = file.read(MOST_CHARACTERS + 1)
    except UnicodeDecodeError as error:
        raise BadSetup(f"{path} is no text in UTF-8") from error
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL in it
        raise BadSetup(f"{path!r} cannot be read: {getattr(error, 'strerror', None) or error}") from error
    if len(text) > MOST_CHARACTERS:
        raise BadSetup(f"{path} is too large: at most {MOST_CHARACTERS} characters")
    return text


def shipped_document(game: Game) -> dict[str, Any]:
    """The TOML document of the set that ships with a game."""
    import tomllib
    from importlib.resources import files

    return tomllib.loads(files(game.package).joinpath("set.toml").read_text("utf-8"))


_shipped: dict[str, Any] = {}


def shipped_set(game: Game) -> Any:
    """The set that ships with a game, read once; sets are never changed."""
    if game.slug not in _shipped:
        _shipped[game.slug] = game.state.load_set(shipped_document(game), game.grammar)
    return _shipped[game.slug]


def set_from(game: Game, text: str, source: str) -> Any:
    """A set out of the text of a TOML file; `source` names it in a refusal.

    :raises SetRefused: it is not whole
    """
    import tomllib

    try:
        document = tomllib.loads(text)
        msgspec.msgpack.encode(document)  # what a log can hold
    except tomllib.TOMLDecodeError as error:
        raise SetRefused(f"{source} is no TOML: {error}") from error
    except RecursionError as error:
        raise SetRefused(f"{source} is nested too deeply") from error
    except (ValueError, OverflowError) as error:
        raise SetRefused(f"{source} has a number of more than 64 bits") from error
    try:
        components = game.state.load_set(document, game.grammar)
        check_values(document)
        return components
    except SetRefused as refused:
        raise SetRefused(f"{source}: {refused}", refused.hint) from refused


def check_values(value: Any, place: str = "set") -> None:
    """Holds numbers to what scores can be made of, and texts to what a terminal can show.

    :raises SetRefused: with the place of the first that is not
    """
    if isinstance(value, dict):
        for key, part in cast("dict[str, Any]", value).items():
            check_values(key, place)
            check_values(part, f"{place}.{key}")
    elif isinstance(value, list):
        for number, part in enumerate(cast("list[Any]", value), 1):
            check_values(part, f"{place}[{number}]")
    elif isinstance(value, str):
        if not value.replace("\n", "").isprintable():
            raise SetRefused(
                f"{place}: {value[:40]!r} holds characters that cannot be shown, such as control codes"
            )
    elif isinstance(value, int | float) and not -LARGEST <= value <= LARGEST:
        raise SetRefused(f"{place}: {value} is out of all bounds, at most {LARGEST}")


def typed(document: Mapping[str, Any], shape: type[T]) -> T:
    """The document as `shape`.

    :raises SetRefused: an unknown key, a missing one or a value of another type, with its place
    """
    try:
        return msgspec.convert(document, shape)
    except msgspec.ValidationError as error:
        raise SetRefused(str(error).replace("`$", "`set")) from error
