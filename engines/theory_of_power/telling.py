"""A fact told in a sentence."""

from typing import Any

from engines.kit.game import Names


def tell(fact: Any, names: Names) -> str | None:
    """A fact in a sentence, like a match report; None where it speaks for itself."""
    return None
