"""Which parts of a board stand for legal moves: what a span says of itself, and the names that moves are made of.

A word of a move names something if it is the value of a text or of a tuple; verbs, options and plain numbers name
nothing. A name like `hq1`, letters with a digit, is found wherever a board has it as a word; any other one only
where it is all that a span says, since it may be a word of prose as well.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from engines.kit.boards import Span
from engines.kit.notation import Grammar, Move

_NAME = re.compile(r"[A-Za-z]+[0-9][A-Za-z0-9]*")
_WORD = re.compile(r'"([^"]*)"?|(\S+)')


class Piece(NamedTuple):
    """A part of a span.

    :param find: what to look for among the moves, as `found` takes it; empty where it stands for none
    :param move: the move it stands for, if it is the only one
    """

    text: str
    find: str = ""
    move: str | None = None


class Pieces:
    """What the parts of a board stand for, while these moves are legal."""

    def __init__(self, grammar: Grammar, moves: Iterable[Move]) -> None:
        self._by_name: dict[str, list[str]] = {}
        self._by_beginning: dict[str, list[str]] = {}
        for move in moves:
            spelt = grammar.spell(move)
            for name in grammar.names_in(move):
                self._by_name.setdefault(name, []).append(spelt)
            words = spelt.split()
            for end in (1, 2):
                self._by_beginning.setdefault(" ".join(words[:end]), []).append(spelt)

    def of(self, span: Span) -> Iterator[Piece]:
        """The parts of a span, in order; together they are its text."""
        text = span.text
        core = text.strip()
        moves = self._by_beginning.get(span.move or "", [])
        find = " ".join(f'"{word}"' for word in (span.move or "").split())
        if not moves:
            moves, find = self._by_name.get(core, []), f'"{core}"'
        if moves:
            start = text.index(core)
            yield from _filled(text[:start])
            yield _piece(core or text, find, moves)
            yield from _filled(text[start + len(core) :] if core else "")
            return
        end = 0
        for match in _NAME.finditer(text):
            moves = self._by_name.get(match[0], [])
            if moves:
                yield from _filled(text[end : match.start()])
                yield _piece(match[0], f'"{match[0]}"', moves)
                end = match.end()
        yield from _filled(text[end:])


def _filled(text: str) -> Iterator[Piece]:
    if text:
        yield Piece(text)


def _piece(text: str, find: str, moves: list[str]) -> Piece:
    return Piece(text, find, moves[0] if len({*moves}) == 1 else None)


def found(moves: Iterable[str], sought: str) -> Iterator[str]:
    """The moves that have each word sought: as the beginning of a word of theirs, in quotes as a whole word."""
    wanted = [(match[1] or "").casefold() for match in _WORD.finditer(sought) if match[1]]
    begun = [match[2].casefold() for match in _WORD.finditer(sought) if match[2]]
    for move in moves:
        words = move.casefold().split()
        if all(word in words for word in wanted) and all(any(w.startswith(b) for w in words) for b in begun):
            yield move
