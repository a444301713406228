"""The hash chain: each row's digest covers the row before it, so a change anywhere shows."""

from __future__ import annotations

from _blake2 import blake2b  # hashlib would load OpenSSL, which no command here needs

from msgspec import json

#: The digest before the first row of a game.
ROOT = b""

#: The length of a seal.
SEAL = 16

_encode = json.encode
_fresh = blake2b(digest_size=32)


def chained(previous: bytes, *columns: str | int | None) -> bytes:
    """32 bytes of BLAKE2b over the previous digest and the JSON array of the row's columns.

    :param columns: game, seq, at, kind, actor, schema, request, data
    """
    digest = _fresh.copy()  # sooner made than one of its own size
    digest.update(previous + _encode(columns))
    return digest.digest()


def seal(content: bytes, *about: str | int) -> bytes:
    """16 bytes of BLAKE2b over a content and what it is about, for caches: a damaged one is not believed."""
    return blake2b(_encode(about) + content, digest_size=SEAL).digest()


def fingerprint(text: str) -> str:
    """64 hex digits of BLAKE2b over a text: the promise that a seed was fixed from the start."""
    return blake2b(text.encode(), digest_size=32).hexdigest()
