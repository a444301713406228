"""A concealed state as arrays of fixed shape, for programs that learn.

No game is known here: the arrays follow from the state's type and from how it begins. Games have open-ended
things (a card's name, a worker's id, a stack), so what has no fixed place is put into a column by a fingerprint of
its name ("feature hashing"): the same thing has the same column in every array, position and process, and two
things may share one. Needs numpy and gymnasium: imported where learning is asked for, never by a command.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache, partial
from hashlib import blake2b
from math import prod
from typing import Any, NamedTuple, cast

import numpy as np
from gymnasium import spaces
from msgspec import Struct, inspect
from numpy.typing import NDArray

Array = NDArray[np.float32]

#: Numbers of a greater size are cut to it.
LIMIT = 10_000.0
FLAG, NUMBER = (0.0, 1.0), (-LIMIT, LIMIT)
#: A longer text is no name, but a drawing: it is read letter by letter.
LONGEST_NAME = 20
#: What is the same in every game of these seats and options.
CONSTANT = frozenset({"components", "names"})
#: The key of the observing seat.
OWN_SEAT = "own_seat"


@lru_cache(1 << 18)
def column(name: str, width: int) -> int:
    """The column of a name among `width`, the same for ever."""
    return int.from_bytes(blake2b(name.encode(), digest_size=8).digest(), "big") % width


def named_numbers(value: Any, path: str = "") -> Iterator[tuple[str, float]]:
    """A value as numbers by name: a text counts under its own name, a number stands under its place.

    The texts of a list count under their names alone, too, so that a hand is a count of cards whatever its order.
    """
    if isinstance(value, str):
        if len(value) > LONGEST_NAME:
            yield from ((f"{path}.{place}={letter}", 1.0) for place, letter in enumerate(value))
        elif value:
            yield f"{path}={value}", 1.0
    elif isinstance(value, int | float):
        yield path, float(value)
    elif isinstance(value, Struct):
        yield f"{path}={type(value).__name__}", 1.0
        for name in value.__struct_fields__:
            yield from named_numbers(getattr(value, name), f"{path}.{name}")
    elif isinstance(value, Mapping):
        for key, item in cast("Mapping[Any, Any]", value).items():
            yield from named_numbers(item, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        items = cast("list[Any]", value)
        yield f"{path}#", float(len(items))
        for place, item in enumerate(items):
            if isinstance(item, str) and len(item) <= LONGEST_NAME:
                yield f"{path}={item}", 1.0
            yield from named_numbers(item, f"{path}.{place}")


Numbers = Iterable[tuple[int, float]]


class _Field(NamedTuple):
    """A field's array: where it begins in the vector of all, its shape, its bounds, how a value is put into it."""

    name: str
    start: int
    shape: tuple[int, ...]
    bounds: tuple[float, float]
    numbers: Callable[[Any], Numbers]

    @property
    def end(self) -> int:
        """Where the next field begins."""
        return self.start + prod(self.shape)


class Layout:
    """The arrays of a game's states, one for each field of the state: windows of one vector.

    :param begin: the state before the set-up: lists that have an entry for each seat then are by seat
    :param width: the columns of what has no fixed place
    """

    def __init__(self, begin: Struct, seats: int, width: int) -> None:
        self._seats, self._width = seats, width
        self._fields = [_Field(OWN_SEAT, 0, (seats,), FLAG, partial(_one_of, {n: n for n in range(seats)}))]
        described = inspect.type_info(type(begin))
        assert isinstance(described, inspect.StructType)
        for field in described.fields:
            if field.name not in CONSTANT:
                start = self._fields[-1].end
                self._fields.append(self._field(field.name, start, field.type, getattr(begin, field.name)))

    def _field(self, name: str, start: int, kind: inspect.Type, begin: Any) -> _Field:
        words = _words(kind)
        if words:
            places = {word: place for place, word in enumerate(words)}
            return _Field(name, start, (len(words),), FLAG, partial(_one_of, places))
        if _is_number(kind):
            return _Field(name, start, (1,), NUMBER, _number)
        if not isinstance(begin, list) or len(cast("list[Any]", begin)) != self._seats:
            return _Field(name, start, (self._width,), NUMBER, self._hashed)
        if isinstance(kind, inspect.ListType) and _is_number(kind.item_type):
            return _Field(name, start, (self._seats,), NUMBER, self._by_seat)
        return _Field(name, start, (self._seats, self._width), NUMBER, self._hashed_by_seat)

    def _by_seat(self, value: list[float]) -> Numbers:
        return enumerate(value[: self._seats])

    def _hashed(self, value: Any, start: int = 0) -> Numbers:
        width = self._width
        return [(start + column(name, width), number) for name, number in named_numbers(value)]

    def _hashed_by_seat(self, value: list[Any]) -> Numbers:
        for seat, item in enumerate(value[: self._seats]):
            yield from self._hashed(item, seat * self._width)

    def space(self, *, flat: bool) -> spaces.Space[Any]:
        """What is observed: an array for each field, or one vector of them all, in the order of the fields."""
        if flat:
            bounds = np.array([field.bounds for field in self._fields], np.float32)
            low, high = np.repeat(bounds, [prod(field.shape) for field in self._fields], axis=0).T
            return spaces.Box(low, high, dtype=np.float32)
        return spaces.Dict(
            [(field.name, spaces.Box(*field.bounds, field.shape, np.float32)) for field in self._fields]
        )

    def observed(self, concealed: Any, seat: int, *, flat: bool) -> Array | dict[str, Array]:
        """A state as `seat` sees it, which is to say: concealed already."""
        places: list[int] = []
        amounts: list[float] = []
        for field in self._fields:
            start = field.start
            value = seat if field.name == OWN_SEAT else getattr(concealed, field.name)
            for place, amount in field.numbers(value):
                places.append(start + place)
                amounts.append(amount)
        whole = np.bincount(places, amounts, self._fields[-1].end).clip(-LIMIT, LIMIT).astype(np.float32)
        if flat:
            return whole
        return {field.name: whole[field.start : field.end].reshape(field.shape) for field in self._fields}


def _one_of(places: Mapping[Any, int], word: Any) -> Numbers:
    return [(places[word], 1.0)]


def _number(number: float) -> Numbers:
    return [(0, float(number))]


def _is_number(kind: inspect.Type) -> bool:
    return isinstance(kind, inspect.IntType | inspect.BoolType | inspect.FloatType)


def _words(kind: inspect.Type) -> tuple[str, ...]:
    """The words that a field of literals may be, in order; nothing for another field."""
    if isinstance(kind, inspect.LiteralType):
        return tuple(sorted(map(str, kind.values)))
    if isinstance(kind, inspect.UnionType):
        parts = [_words(part) for part in kind.types]
        return tuple(sorted({word for part in parts for word in part})) if all(parts) else ()
    return ()
