"""Ways on the map: cities and waypoints are spaces, lines join them."""

from functools import lru_cache

Lines = tuple[tuple[str, str], ...]


@lru_cache(maxsize=8)
def neighbours(lines: Lines) -> dict[str, tuple[str, ...]]:
    """The spaces one line away from each space, in the order of the lines."""
    joined: dict[str, list[str]] = {}
    for one, other in lines:
        joined.setdefault(one, []).append(other)
        joined.setdefault(other, []).append(one)
    return {space: tuple(others) for space, others in joined.items()}


@lru_cache(maxsize=8)
def distances(lines: Lines) -> dict[str, dict[str, int]]:
    """How many lines apart spaces are: those that can be reached from each space, the nearest first."""
    beside = neighbours(lines)
    out: dict[str, dict[str, int]] = {}
    for start in beside:
        reached = {start: 0}
        queue = [start]
        for space in queue:
            for other in beside[space]:
                if other not in reached:
                    reached[other] = reached[space] + 1
                    queue.append(other)
        out[start] = reached
    return out


def within(lines: Lines, start: str, steps: int) -> list[str]:
    """The other spaces at most `steps` lines from `start`, the nearest first."""
    return [space for space, way in distances(lines)[start].items() if 0 < way <= steps]
