"""Chance, drawn by name.

The nth standing draw of a name depends on seed, name and n alone: taking back and repeating rolls the
same dice, and padding with other moves changes nothing. Made of BLAKE2b, since Python's own shuffle
may change between versions. A stack fixes the first outcomes of any draw.
"""

from __future__ import annotations

from _blake2 import blake2b
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from engines.kit.errors import StackMisfit

#: From a draw's name to its outcomes, in order: a text for a pick, a list for a shuffle or dice.
Stack = Mapping[str, Sequence[Any]]


class _Stream:
    """Numbers for one draw: blocks of BLAKE2b, rejection sampling."""

    __slots__ = ("_block", "_key", "_label", "_left")

    def __init__(self, key: bytes, name: str, n: int) -> None:
        self._key, self._label, self._block, self._left = key, f"{name}\0{n}\0", 0, b""

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1, all equally likely; `bound` at most 2**32."""
        limit = (1 << 32) // bound * bound
        while True:
            if not self._left:
                self._left = blake2b(f"{self._label}{self._block}".encode(), key=self._key).digest()
                self._block += 1
            word = int.from_bytes(self._left[:4], "big")
            self._left = self._left[4:]
            if word < limit:
                return word % bound

    def shuffled(self, items: Sequence[str]) -> list[str]:
        """The items in a random order."""
        out = list(items)
        for last in range(len(out) - 1, 0, -1):
            other = self.below(last + 1)
            out[last], out[other] = out[other], out[last]
        return out


class Chance:
    """The draws of one move. `draws` counts them by name and goes into the event.

    :param before: how many draws of each name stand already
    """

    def __init__(self, seed: str, before: Mapping[str, int] | None = None, stack: Stack | None = None) -> None:
        self._seed = seed
        self._key = b""
        self._before = before or {}
        self._stack = stack or {}
        self.draws: dict[str, int] = {}

    def _next(self, name: str) -> tuple[_Stream, Any, int]:
        """The stream of the next draw of `name`, its stacked outcome or None, and its number from 1."""
        if not self._key:  # most moves draw nothing
            self._key = blake2b(self._seed.encode(), digest_size=32).digest()
        made = self.draws.get(name, 0)
        n = self._before.get(name, 0) + made
        self.draws[name] = made + 1
        stacked = self._stack.get(name, ())
        return _Stream(self._key, name, n), stacked[n] if n < len(stacked) else None, n + 1

    def shuffle(self, name: str, items: Sequence[str], spelling: Callable[[str], str] | None = None) -> list[str]:
        """The items in a drawn order. A stacked outcome may be a beginning: the rest follows by chance.

        :param spelling: makes of a stacked text the item it means
        :raises StackMisfit: the stacked outcome names what is not there, or too often
        """
        stream, stacked, n = self._next(name)
        if stacked is None:
            return stream.shuffled(items)
        beginning = self._texts(name, n, stacked)
        if spelling is not None:
            beginning = [spelling(text) for text in beginning]
        there = Counter(items)
        for item, count in Counter(beginning).items():
            if count > there[item]:
                often = "is not there" if not there[item] else f"is named {count} times and there {there[item]}"
                raise StackMisfit(
                    f"the stack's outcome {n} of {name!r} does not fit: {item!r} {often}",
                    "there now: " + " ".join(sorted(there.elements())),
                )
        there.subtract(beginning)
        left = [item for item in items if there[item] > 0 and not there.subtract([item])]
        return beginning + stream.shuffled(left)

    def pick(self, name: str, items: Sequence[str], *, secret: bool = False) -> str:
        """One of the items.

        :param secret: whether they are hidden from some seat, so that no refusal may list them
        :raises StackMisfit: the stacked outcome is not among them
        """
        stream, stacked, n = self._next(name)
        if stacked is None:
            return items[stream.below(len(items))]
        texts = self._texts(name, n, [stacked] if isinstance(stacked, str) else stacked)
        if len(texts) != 1 or texts[0] not in items:
            there = "what is there" if secret else f"one of {', '.join(items)}"
            raise StackMisfit(
                f"the stack's outcome {n} of {name!r} does not fit: expected {there}; "
                f"got {' '.join(texts) or 'nothing'}"
            )
        return texts[0]

    def dice(self, name: str, faces: Sequence[int], count: int) -> list[int]:
        """So many dice with these faces, rolled together. A stacked list that is too short goes on by chance.

        :raises StackMisfit: the stacked outcome has more dice, or a number that is no face
        """
        stream, stacked, n = self._next(name)
        rolled: list[Any] = [] if stacked is None else stacked if isinstance(stacked, list) else [stacked]  # pyright: ignore[reportUnknownVariableType]
        if len(rolled) > count or any(type(die) is not int or die not in faces for die in rolled):
            raise StackMisfit(
                f"the stack's outcome {n} of {name!r} does not fit: expected at most {count} numbers of "
                f"{', '.join(map(str, sorted(set(faces))))}; got {stacked!r}"
            )
        return [*rolled, *(faces[stream.below(len(faces))] for _ in range(count - len(rolled)))]

    def made(
        self, name: str, maker: Callable[[Callable[[int], int]], str], misfit: Callable[[str], str | None]
    ) -> str:
        """A text that `maker` makes of random numbers below what it asks, or the stacked one.

        :param misfit: says what is wrong with a stacked text, None if it could have been made
        :raises StackMisfit: the stacked outcome could not have been made
        """
        stream, stacked, n = self._next(name)
        if stacked is None:
            return maker(stream.below)
        why = misfit(stacked) if isinstance(stacked, str) else "it is no text"
        if why is not None:
            raise StackMisfit(f"the stack's outcome {n} of {name!r} does not fit: {why}")
        return cast("str", stacked)

    def number(self, name: str, bound: int) -> int:
        """A number from 0 to `bound` - 1, never stacked: for bots, who draw nothing of the game's own."""
        return self._next(name)[0].below(bound)

    @staticmethod
    def _texts(name: str, n: int, stacked: Any) -> list[str]:
        if isinstance(stacked, list) and all(isinstance(item, str) for item in cast("list[Any]", stacked)):
            return cast("list[str]", stacked)
        raise StackMisfit(f"the stack's outcome {n} of {name!r} is no list of names: {stacked!r}")


class NoChance(Chance):
    """Raises at any draw: for replays, which must not draw."""

    def __init__(self) -> None:
        super().__init__("")

    def _next(self, name: str) -> tuple[_Stream, Any, int]:
        raise DrawnAgain(name)


class DrawnAgain(Exception):
    """Chance was asked where nothing may be drawn."""
