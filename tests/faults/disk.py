"""The disk beneath SQLite: a VFS over the one in use that writes down what is written, and can refuse it.

It sits in the very library that Python's `sqlite3` calls, so what is tested is what is shipped.
"""

from __future__ import annotations

import _sqlite3
import ctypes
from collections.abc import Callable, Generator
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, Structure, byref, c_char_p, c_int, c_int64, c_void_p
from typing import Any, NamedTuple

FULL, WRITE_FAILED, SYNC_FAILED, TRUNCATE_FAILED, DELETE_FAILED = 13, 778, 1034, 1546, 2570

_WRITE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int, c_int64)
_TRUNCATE = CFUNCTYPE(c_int, c_void_p, c_int64)
_SYNC = CFUNCTYPE(c_int, c_void_p, c_int)
#: Names stay pointers: SQLite keeps them, and reads on behind their end.
_OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, c_void_p, c_int, POINTER(c_int))
_DELETE = CFUNCTYPE(c_int, c_void_p, c_void_p, c_int)


class _Methods(Structure):
    """`sqlite3_io_methods`."""

    _fields_ = (
        ("version", c_int),
        ("close", c_void_p),
        ("read", c_void_p),
        ("write", _WRITE),
        ("truncate", _TRUNCATE),
        ("sync", _SYNC),
        ("rest", c_void_p * 13),
    )


class _Vfs(Structure):
    """`sqlite3_vfs`."""

    _fields_ = (
        ("version", c_int),
        ("file_size", c_int),
        ("longest_path", c_int),
        ("following", c_void_p),
        ("name", c_char_p),
        ("data", c_void_p),
        ("open", _OPEN),
        ("delete", _DELETE),
        ("rest", c_void_p * 14),
    )


class Step(NamedTuple):
    """What was asked of the disk: `write` at a place, `truncate` to a size, `sync`, `delete` (1: synced, too)."""

    path: str
    what: str
    place: int = 0
    content: bytes = b""


#: Asked before each step, with its number: what SQLite is answered; 0 carries it out.
Answer = Callable[[int, Step], int]


@contextmanager
def watched(answer: Answer = lambda number, step: 0) -> Generator[list[Step]]:
    """All that SQLite asks of the disk in the block."""
    library = ctypes.CDLL(_sqlite3.__file__)
    library.sqlite3_vfs_find.restype = POINTER(_Vfs)
    below = library.sqlite3_vfs_find(None)
    steps: list[Step] = []
    paths: dict[int, str] = {}
    kept: dict[int, Any] = {}

    def asked(step: Step) -> int:
        steps.append(step)
        return answer(len(steps) - 1, step)

    def opened(_: int, name: int | None, file: int, flags: int, out: Any) -> int:
        code = below.contents.open(below, name, file, flags, out)
        methods = ctypes.cast(file, POINTER(c_void_p))
        if code == 0 and name is not None and methods[0]:
            paths[file] = ctypes.string_at(name).decode()
            if methods[0] not in kept:
                kept[methods[0]] = between(ctypes.cast(methods[0], POINTER(_Methods)).contents)
            methods[0] = ctypes.addressof(kept[methods[0]])
        return code

    def between(true: _Methods) -> _Methods:
        def write(file: int, buffer: int, amount: int, place: int) -> int:
            code = asked(Step(paths[file], "write", place, ctypes.string_at(buffer, amount)))
            return code or true.write(file, buffer, amount, place)

        def truncate(file: int, size: int) -> int:
            return asked(Step(paths[file], "truncate", size)) or true.truncate(file, size)

        def sync(file: int, flags: int) -> int:
            return asked(Step(paths[file], "sync")) or true.sync(file, flags)

        methods = _Methods.from_buffer_copy(true)
        methods.write, methods.truncate, methods.sync = _WRITE(write), _TRUNCATE(truncate), _SYNC(sync)
        return methods

    def delete(_: int, name: int, sync: int) -> int:
        return asked(Step(ctypes.string_at(name).decode(), "delete", sync)) or below.contents.delete(
            below, name, sync
        )

    above = _Vfs.from_buffer_copy(below.contents)
    above.name, above.open, above.delete = b"watched", _OPEN(opened), _DELETE(delete)
    library.sqlite3_vfs_register(byref(above), 1)
    try:
        yield steps
    finally:
        library.sqlite3_vfs_register(below, 1)
        library.sqlite3_vfs_unregister(byref(above))
