"""Moves to text and back, from the declaration of their structs: no parser a game.

The tag's last part is the verb; one verb is one struct. Fields without a default follow in order: a text
or a number is one word, a tuple takes the words up to the next option's name, a tuple of tuples is parted
by `/`, with `-` for an empty part. A field with a default is its name and a value, a bool its name alone.
Numbers are plain digits. A word with a blank in it is written as a JSON string.
`parse` and `spell` are inverse.

An option declared as `Annotated[..., Values("a", "b")]` is one only before one of its values; elsewhere its
word may be a component's name.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from types import UnionType
from typing import Annotated, Any, Union, cast, get_args, get_origin

import msgspec
from msgspec import Struct, structs

from engines.kit.errors import AmbiguousMove, InvalidMove, SetRefused

#: Numbers in a move have at most so many digits.
DIGITS = 9

_WORD = re.compile(r'"(?:[^"\\]|\\.)*"|\S+')
_PARTED = "/"
_EMPTY = "-"


class Move(Struct, frozen=True):
    """What a seat asks to do. Subclasses are tagged `slug.verb`."""


class Values:
    """Marks an option whose values are known by the rules: `Annotated[str | None, Values("red", "blue")]`."""

    def __init__(self, *values: str) -> None:
        self.values = values


class _Field(Struct, frozen=True):
    name: str  # the attribute
    word: str  # the name in text
    kind: str  # "text", "number", "flag", "words" or "parts"
    default: Any
    values: tuple[str, ...] = ()  # all that it may be, if the rules say so


class _Verb(Struct, frozen=True):
    word: str
    move: type[Move]
    fields: tuple[_Field, ...]
    options: dict[str, _Field]


def words_of(text: str) -> list[str]:
    """The words of a text: parted by blanks, a JSON string being one word.

    :raises InvalidMove: a JSON string is broken
    """
    return [_unquoted(word) for word in _WORD.findall(text)]


def _unquoted(word: str) -> str:
    if len(word) < 2 or word[0] != '"':
        return word
    try:
        return msgspec.json.decode(word, type=str)
    except msgspec.MsgspecError as error:
        raise InvalidMove(f"{word} is no JSON string: {error}") from error


def _quoted(word: str) -> str:
    if word and word[0] != '"' and not any(c.isspace() for c in word):
        return word
    return msgspec.json.encode(word).decode()


def _values(hint: Any) -> tuple[str, ...]:
    extras = get_args(hint)[1:] if get_origin(hint) is Annotated else ()
    return next((extra.values for extra in extras if isinstance(extra, Values)), ())


def _kind(hint: Any) -> str:
    if get_origin(hint) is Annotated:
        hint = get_args(hint)[0]
    if get_origin(hint) in (Union, UnionType):
        hint = next(arg for arg in get_args(hint) if arg is not type(None))
    if get_origin(hint) is tuple:
        return "parts" if get_origin(get_args(hint)[0]) is tuple else "words"
    return {bool: "flag", int: "number"}.get(hint, "text")


class Grammar:
    """The notation of one game.

    :param moves: the game's move types
    """

    def __init__(self, moves: Iterable[type[Move]]) -> None:
        self._verbs: dict[str, _Verb] = {}
        self._of: dict[type[Move], _Verb] = {}
        for move in moves:
            word = str(move.__struct_config__.tag).rpartition(".")[2]
            fields: list[_Field] = []
            options: dict[str, _Field] = {}
            for f in structs.fields(move):
                default = f.default_factory() if f.default_factory is not msgspec.NODEFAULT else f.default
                field = _Field(f.name, f.name.rstrip("_"), _kind(f.type), default, _values(f.type))
                if default is msgspec.NODEFAULT:
                    fields.append(field)
                else:
                    options[field.word] = field
            verb = _Verb(word, move, tuple(fields), options)
            self._verbs[word] = self._of[move] = verb
        options_of_all = [option for v in self._verbs.values() for option in v.options.values()]
        self._reserved = {_PARTED, _EMPTY} | {o.word for o in options_of_all if not o.values}
        self._reserved |= {value for o in options_of_all for value in o.values}

    @property
    def verbs(self) -> tuple[str, ...]:
        """All verbs."""
        return tuple(self._verbs)

    def verb(self, move: type[Move]) -> str:
        """The verb of a move type."""
        return self._of[move].word

    def check_name(self, name: str, place: str) -> None:
        """Holds a component's name to what a word of a move can be.

        :raises SetRefused: it would not come back from text; `place` says where it stands
        """
        if not name or any(c.isspace() for c in name) or name[0] in '"@':
            raise SetRefused(f"{place}: {name!r} cannot be typed as one word")
        if name in self._reserved:
            raise SetRefused(f"{place}: {name!r} means something else in a move of this game")

    def names_in(self, move: Move) -> set[str]:
        """The words of a move that name something: its texts and what its tuples hold, but for plain numbers."""
        verb = self._of[type(move)]
        names: set[str] = set()
        for field in (*verb.fields, *verb.options.values()):
            value = getattr(move, field.name)
            if field.kind == "parts":
                names.update(word for part in value for word in part)
            elif field.kind == "words":
                names.update(value)
            elif field.kind == "text" and value:
                names.add(value)
        return {name for name in names if not name.isdigit()}

    def spell(self, move: Move) -> str:
        """The text of a move: the shortest that parses to it."""
        verb = self._of[type(move)]
        words = [verb.word]
        for field in verb.fields:
            words += self._spelt(field, getattr(move, field.name))
        for field in verb.options.values():
            value = getattr(move, field.name)
            if value != field.default:
                words.append(field.word)
                if field.kind != "flag":
                    words += self._spelt(field, value)
        return " ".join(words)

    @staticmethod
    def _spelt(field: _Field, value: Any) -> list[str]:
        if field.kind == "words":
            return [_quoted(word) for word in value]
        if field.kind == "parts":
            parts = [" ".join(_quoted(word) for word in part) or _EMPTY for part in value]
            return [f" {_PARTED} ".join(parts)]
        return [_quoted(str(value))]

    def parse(self, words: Sequence[str]) -> Move:
        """The move that the words say.

        :raises InvalidMove: they say none, AmbiguousMove: the verb is cut too short
        """
        if not words:
            raise InvalidMove("a move is needed", hint="the moves begin with: " + ", ".join(self._verbs))
        verb = self._find(words[0])
        rest = list(words[1:])
        values: dict[str, Any] = {}
        for field in verb.fields:
            values[field.name] = self._take(verb, field, rest)
        while rest:
            word = rest.pop(0)
            field = verb.options.get(word) or verb.options.get(word.lower())
            if field is None:
                raise InvalidMove(f"{word!r} is too much in a move {verb.word!r}", hint=self._usage(verb))
            if field.name in values:
                raise InvalidMove(f"{field.word!r} stands twice in the move", hint=self._usage(verb))
            values[field.name] = True if field.kind == "flag" else self._take(verb, field, rest)
        return verb.move(**values)

    def _find(self, word: str) -> _Verb:
        said = word.lower()
        if said in self._verbs:
            return self._verbs[said]
        fits = [verb for verb in self._verbs if verb.startswith(said)]
        if len(fits) == 1:
            return self._verbs[fits[0]]
        if fits:
            raise AmbiguousMove(f"{_shown(word)} may be " + " or ".join(fits), fits, hint="write the verb out")
        raise InvalidMove(
            f"{_shown(word)} is no move of this game", hint="its moves begin with: " + ", ".join(self._verbs)
        )

    def _take(self, verb: _Verb, field: _Field, rest: list[str]) -> Any:
        if field.kind in ("words", "parts"):
            taken: list[str] = []
            while rest and not self._is_option(verb, rest):
                taken.append(rest.pop(0))
            return tuple(taken) if field.kind == "words" else self._parted(verb, taken)
        if not rest:
            raise InvalidMove(f"{verb.word!r} lacks its {field.word.upper()}", hint=self._usage(verb))
        word = rest.pop(0)
        if field.kind == "text":
            return word
        if not (word.isascii() and word.isdigit() and len(word) <= DIGITS):
            raise InvalidMove(
                f"{_shown(word)} is no number for {field.word}: plain digits, at most {DIGITS}",
                hint=self._usage(verb),
            )
        return int(word)

    @staticmethod
    def _is_option(verb: _Verb, rest: list[str]) -> bool:
        field = verb.options.get(rest[0])
        return field is not None and (not field.values or (rest[1:2] != [] and rest[1] in field.values))

    def _parted(self, verb: _Verb, words: list[str]) -> tuple[tuple[str, ...], ...]:
        parts: list[list[str]] = [[]]
        for word in words:
            if word == _PARTED:
                parts.append([])
            else:
                parts[-1].append(word)
        out: list[tuple[str, ...]] = []
        for part in parts:
            if part == [_EMPTY]:
                out.append(())
            elif part and _EMPTY not in part:
                out.append(tuple(part))
            else:
                raise InvalidMove("an empty part is written '-', and '-' stands alone", hint=self._usage(verb))
        return tuple(out)

    def _usage(self, verb: _Verb) -> str:
        return f"it is written: {self.pattern(verb.move)}"

    def pattern(self, move: type[Move]) -> str:
        """How a move is written, fields in capitals."""
        verb = self._of[move]
        shapes = {"words": "{}...", "parts": "{}... / {}..."}
        words = [verb.word]
        words += [shapes.get(f.kind, "{}").replace("{}", f.word.upper()) for f in verb.fields]
        for f in verb.options.values():
            value = shapes.get(f.kind, "{}").replace("{}", f.word.upper())
            words.append(f"[{f.word}]" if f.kind == "flag" else f"[{f.word} {value}]")
        return " ".join(words)


def _shown(word: str) -> str:
    return repr(word if len(word) <= 40 else word[:37] + "...")


def move_types(union: Any) -> tuple[type[Move], ...]:
    """The members of a union of move types, or the one type itself."""
    return cast("tuple[type[Move], ...]", get_args(union) or (union,))
