"""Rows out of a database's pages, whatever is left of the file: no table has to be there, no tree to be whole.

Each page is read as if it were a leaf of a table; what has the shape of a row of ours is given, whether it
is true or not. For events the hash chain tells the true ones. The file is only read. Also here: whether a
write-ahead log was damaged, which SQLite itself takes for the end of what was written.
"""

from __future__ import annotations

import mmap
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from struct import iter_unpack, unpack_from
from typing import Any, NamedTuple

from events.model import Row

#: What turnlog's databases have, tried where the header says otherwise.
PAGE_SIZE = 4096
#: A row with more bytes is none of ours.
_LONGEST = 64_000_000
_MAGIC = b"SQLite format 3\x00"
_WAL_HEADER, _FRAME_HEADER = 32, 24
#: The columns of `events` and of `games`: text, number, bytes, null.
_EVENT, _LISTED = re.compile("tnnttn[t0]tb"), re.compile("tttnntt[t0][t0]nn[t0]")
_NUMBERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8, 8: 0, 9: 0}

_Content = bytes | mmap.mmap


class Listed(NamedTuple):
    """What a row of the list says of a game. `digest` is that of its last event, in hex digits."""

    game: str
    slug: str
    events: int
    digest: str


def found_rows(path: str) -> Iterator[Row | Listed]:
    """All that looks like an event or like a row of the list in a database and its write-ahead log.

    The same one may come several times; those of the file come first.

    :raises OSError: it cannot be read
    """
    with ExitStack() as opened:
        file, wal = _mapped(opened, path), _mapped(opened, f"{path}-wal")
        for size in sorted({_page_size(file), PAGE_SIZE}):
            pages = {number: (number - 1) * size for number in range(1, -(-len(file) // size) + 1)}
            yield from _rows(file, size, pages.items(), pages)
            frames = [(unpack_from(">I", wal, at)[0], at + _FRAME_HEADER) for at in _frames(wal, size)]
            yield from _rows(wal, size, frames, dict(frames))


def _mapped(opened: ExitStack, path: str) -> _Content:
    if not os.path.exists(path) or not os.path.getsize(path):
        return b""
    with open(path, "rb") as file:
        return opened.enter_context(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))


def _page_size(file: _Content) -> int:
    size = int.from_bytes(file[16:18], "big")
    return size if file[:16] == _MAGIC and size >= 512 and size & (size - 1) == 0 else PAGE_SIZE


def _frames(wal: _Content, size: int) -> range:
    """Where the frames of a write-ahead log begin."""
    return range(_WAL_HEADER, len(wal) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size)


def _rows(
    content: _Content, size: int, pages: Iterable[tuple[int, int]], places: Mapping[int, int]
) -> Iterator[Row | Listed]:
    """The rows on `pages`, numbers with places in the content; overflow pages are found by `places`."""
    for number, place in pages:
        page = content[place : place + size]
        for pointer in range(108 if number == 1 else 8, len(page) - 1, 2):
            at = int.from_bytes(page[pointer : pointer + 2], "big")
            if not pointer < at < len(page):
                break  # behind the last cell
            length, at = _varint(page, at)
            _, at = _varint(page, at)  # the rowid
            if 20 < length < _LONGEST:
                row = _row(_payload(content, size, places, page, at, length))
                if row is not None:
                    yield row


def _payload(content: _Content, size: int, places: Mapping[int, int], page: bytes, at: int, length: int) -> bytes:
    """The bytes of a row; fewer of them, where an overflow page is missing."""
    most, least = size - 35, (size - 12) * 32 // 255 - 23
    if length <= most:
        return page[at : at + length]
    local = least + (length - least) % (size - 4)
    local = local if local <= most else least
    parts, missing, following = [page[at : at + local]], length - local, page[at + local : at + local + 4]
    while missing > 0:
        place = places.get(int.from_bytes(following, "big"))
        if place is None:
            break
        following = content[place : place + 4]
        parts.append(content[place + 4 : place + 4 + min(missing, size - 4)])
        missing -= size - 4
    return b"".join(parts)


def _varint(content: bytes, at: int) -> tuple[int, int]:
    """A number of SQLite's variable length, and where it ends."""
    value = 0
    for byte in content[at : at + 8]:
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    return value << 8 | int.from_bytes(content[at : at + 1], "big"), at + 1


def _letter(kind: int) -> str:
    if kind > 11:
        return "t" if kind % 2 else "b"
    return "0" if kind == 0 else "n" if kind in _NUMBERS else "-"


def _row(payload: bytes) -> Row | Listed | None:
    end, at = _varint(payload, 0)
    if not 9 < end < 100:
        return None
    kinds: list[int] = []
    while at < end:
        kind, at = _varint(payload, at)
        kinds.append(kind)
    shape = "".join(map(_letter, kinds))
    event = _EVENT.fullmatch(shape)
    if not event and not _LISTED.fullmatch(shape):
        return None
    values: list[Any] = []
    for kind in kinds:
        length = _NUMBERS.get(kind, 0) if kind < 12 else (kind - 12) // 2
        content = payload[at : at + length]
        at += length
        if kind > 11 and kind % 2:
            try:
                values.append(content.decode())
            except UnicodeDecodeError:
                return None
        elif kind > 11:
            values.append(content)
        else:
            values.append(
                None if kind == 0 else kind - 8 if kind in (8, 9) else int.from_bytes(content, signed=True)
            )
    return Row(*values) if event else Listed(values[0], values[1], values[3], values[11] or "")


def wal_fault(path: str) -> str | None:
    """What is wrong with the write-ahead log beside a database; None where nothing can be seen to be.

    SQLite takes the first frame whose checksum does not hold for the end, as it is after a power cut. A cut
    leaves one transaction behind it at most, since each is synced before the next; more of them are damage.
    """
    found = _wal_fault(f"{path}-wal")
    return found if found and found == _wal_fault(f"{path}-wal") else None  # else it was just being written


def _wal_fault(path: str) -> str | None:
    with ExitStack() as opened:
        wal = bytes(_mapped(opened, path))
    if len(wal) <= _WAL_HEADER + _FRAME_HEADER:
        return None
    order = "<" if wal[3] & 1 == 0 else ">"
    sums = _summed(order, (0, 0), wal[:24])
    if wal[:3] != b"\x37\x7f\x06" or wal[3] not in (0x82, 0x83) or wal[24:32] != _packed(sums):
        return "the header of its write-ahead log is damaged, so none of it is read"
    size = int.from_bytes(wal[8:12], "big")
    salt, ended, lost = wal[16:24], 0, 0
    for number, at in enumerate(_frames(wal, size), 1):
        head, page = wal[at : at + _FRAME_HEADER], wal[at + _FRAME_HEADER : at + _FRAME_HEADER + size]
        if not ended:
            sums = _summed(order, sums, head[:8] + page)
            ended = 0 if head[8:16] == salt and head[16:] == _packed(sums) else number
        if ended and head[8:16] == salt and any(head[4:8]):
            lost += 1
    if lost < 2:
        return None
    return f"frame {ended} of its write-ahead log is damaged, and {lost} transactions from there on are not read"


def _summed(order: str, sums: tuple[int, int], content: bytes) -> tuple[int, int]:
    one, two = sums
    for first, second in iter_unpack(f"{order}II", content):
        one = one + first + two & 0xFFFFFFFF
        two = two + second + one & 0xFFFFFFFF
    return one, two


def _packed(sums: tuple[int, int]) -> bytes:
    return sums[0].to_bytes(4, "big") + sums[1].to_bytes(4, "big")
