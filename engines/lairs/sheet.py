"""The sheets of the game that exist without one: a blank map, and a check of one filled in."""

from engines.lairs.lair import blank_rows, faults


def blank() -> str:
    """A lair's map with nothing in it but the outer wall."""
    return "\n".join(blank_rows())


def check_file(text: str) -> list[str]:
    """All that is wrong with a lair's map; nothing if it can be built."""
    return faults(text)
