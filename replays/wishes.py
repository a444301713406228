"""A `create` as it is typed, on the command line or in a script, made into a wish for a game."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
from msgspec import json

from engines.clocks import clock_of
from engines.creation import Wish
from engines.kit.errors import BadSetup
from engines.kit.game import Game
from engines.kit.setfile import file_text, set_from

_SINGLE = ("--seed", "--stack", "--set", "--undo", "--pace", "--on-timeout", "--id")


class CreateLine(NamedTuple):
    """The words of a `create`. `set` is a file's name, `stack` one or JSON that begins with `{`."""

    slug: str
    persons: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    seed: str | None = None
    stack: str | None = None
    set: str | None = None
    undo: str = "free"
    id: str | None = None
    bots_wait: bool = False
    pace: str | None = None
    on_timeout: str | None = None

    @classmethod
    def parse(cls, words: Sequence[str]) -> "CreateLine":
        """Reads the words behind `create` in a script.

        :raises BadSetup: they are not understood
        """
        rest = list(words)
        slug = ""
        many: dict[str, list[str]] = {"-p": [], "-o": []}
        single: dict[str, str] = {}
        bots_wait = False
        while rest:
            word = rest.pop(0)
            if word == "--bots-wait":
                bots_wait = True
            elif word in many or word in _SINGLE:
                if not rest:
                    raise BadSetup(f"{word} needs a value")
                if word in many:
                    many[word].append(rest.pop(0))
                else:
                    single[word[2:].replace("-", "_")] = rest.pop(0)
            elif not slug and not word.startswith("-"):
                slug = word
            else:
                raise BadSetup(
                    f"{word[:40]!r} is not understood in `create`",
                    "it is written: create SLUG -p NAME... [-o KEY=VALUE] [--seed S] [--stack FILE] [--set FILE] "
                    "[--undo POLICY] [--pace TIME] [--on-timeout bot|skip|close] [--id ID] [--bots-wait]",
                )
        if not slug:
            raise BadSetup("`create` needs the game's slug", "`turnlog games` lists them")
        return cls(slug, tuple(many["-p"]), tuple(many["-o"]), bots_wait=bots_wait, **single)


def wish_of(game: Game, asked: CreateLine) -> Wish:
    """The wish that a `create` means.

    :raises BadSetup: an option, the stack, the set or the clock cannot be read
    """
    return Wish(
        game,
        asked.persons,
        options_of(asked.options),
        asked.undo,
        asked.seed,
        stack_of(asked.stack) if asked.stack is not None else {},
        set_from(game, file_text(asked.set), asked.set) if asked.set is not None else None,
        clock=clock_of(asked.pace, asked.on_timeout),
    )


def options_of(said: tuple[str, ...]) -> dict[str, str]:
    """Options by their names.

    :raises BadSetup: one is not written KEY=VALUE
    """
    options: dict[str, str] = {}
    for option in said:
        key, equals, value = option.partition("=")
        if not equals or not key:
            raise BadSetup(f"-o takes KEY=VALUE, not {option[:60]!r}")
        options[key] = value
    return options


def stack_of(said: str) -> dict[str, list[Any]]:
    """The stack in a file, or in the text itself if that begins with `{`.

    :raises BadSetup: it is no JSON object of lists
    """
    text, source = (said, "the stack") if said.lstrip().startswith("{") else (file_text(said), said)
    try:
        return json.decode(text, type=dict[str, list[str | list[str | int]]])
    except (msgspec.MsgspecError, RecursionError) as error:
        raise BadSetup(
            f"{source} is no stack: {error}",
            'a stack is JSON, from a draw to its outcomes: {"first-player": ["lucia"], "regime-deck": [["Y2"]]}',
        ) from error
