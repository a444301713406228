"""A lair as text and as a grid, and the three rules of building.

The text is 13 rows of 13 characters: odd rows and columns are borders, `+` posts, `-` and `|` walls, and
each space holds a letter or a blank. In one line the rows are joined by `/` and blanks written `.`.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

SIZE = 6
_CHARACTERS = 2 * SIZE + 1

#: A space is its row's letter and its column's number (ruling 1).
ROWS, COLUMNS = "ABCDEF", "123456"
SPACES = tuple(row + column for row in ROWS for column in COLUMNS)
DIRECTIONS = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1)}
DIRECTION_NAMES = {"n": "north", "e": "east", "s": "south", "w": "west"}
OPPOSITE = {"n": "s", "e": "w", "s": "n", "w": "e"}

LETTERS = {"S": "start", "E": "exit", "C": "chest", "M": "monster", "T": "trap"}
LETTER_OF = {feature: letter for letter, feature in LETTERS.items()}
#: How many of each feature a lair holds.
FEATURES = {"start": 1, "exit": 1, "chest": 3, "monster": 3, "trap": 3}
TITLES = {"start": "Start", "exit": "Exit", "chest": "Chest", "monster": "Monster", "trap": "Trap"}
GOALS = ("exit", "chest")
HAZARDS = ("monster", "trap")
WALLS = 20
FEWEST_WALLS = 17

#: Stands on a map for a space that is not Known.
UNKNOWN = "?"

#: A border between two spaces: the northern or western one, and whether the other lies east or south.
Border = tuple[str, str]


def _neighbours() -> dict[str, dict[str, str]]:
    out: dict[str, dict[str, str]] = {}
    for row in range(SIZE):
        for column in range(SIZE):
            out[ROWS[row] + COLUMNS[column]] = {
                letter: ROWS[row + down] + COLUMNS[column + right]
                for letter, (down, right) in DIRECTIONS.items()
                if 0 <= row + down < SIZE and 0 <= column + right < SIZE
            }
    return out


#: The spaces beside a space, by direction, walls or not.
NEIGHBOURS = _neighbours()
#: All borders on which a wall can stand.
BORDERS: tuple[Border, ...] = tuple(
    (space, letter) for space in SPACES for letter in "es" if letter in NEIGHBOURS[space]
)


class Lair(NamedTuple):
    """A lair: its features by space, and the borders that have walls."""

    features: Mapping[str, str]
    walls: frozenset[Border]

    def walls_of(self, space: str) -> str:
        """The directions in which a space has walls, the outer wall among them."""
        return "".join(letter for letter in "nesw" if self.walled(space, letter))

    def walled(self, space: str, letter: str) -> bool:
        """Whether a wall is on that side of a space."""
        beside = NEIGHBOURS[space].get(letter)
        return beside is None or border(space, letter) in self.walls

    def beside(self, space: str) -> list[str]:
        """The spaces next to a space that no wall parts from it."""
        return [other for letter, other in NEIGHBOURS[space].items() if border(space, letter) not in self.walls]

    def places(self, feature: str) -> list[str]:
        """Where a kind of feature lies, in the order of the spaces."""
        return [space for space in SPACES if self.features.get(space) == feature]


def border(space: str, letter: str) -> Border:
    """The border on that side of a space, which is not at the edge."""
    if letter in "es":
        return space, letter
    return NEIGHBOURS[space][letter], OPPOSITE[letter]


# text -------------------------------------------------------------------------------------------------


def rows_of(text: str) -> list[str]:
    """The rows of a typed text, of several lines or in one, blanks as blanks."""
    lines = text.strip("\r\n/ ").upper().replace("\r", "")
    rows = lines.split("\n") if "\n" in lines else lines.split("/")
    return [row.rstrip().replace(".", " ") for row in rows]


def one_line(rows: Iterable[str]) -> str:
    """Rows as one line."""
    return "/".join(rows).replace(" ", ".")


@lru_cache(maxsize=256)
def lair_of(line: str) -> Lair:
    """The lair of a text in one line that has been checked."""
    return read(rows_of(line))


def read(rows: list[str]) -> Lair:
    """The lair that well-formed rows draw."""
    features: dict[str, str] = {}
    walls: set[Border] = set()
    for place, space in enumerate(SPACES):
        row, column = 2 * (place // SIZE) + 1, 2 * (place % SIZE) + 1
        if rows[row][column] in LETTERS:
            features[space] = LETTERS[rows[row][column]]
        if (space, "e") in _BORDERS and rows[row][column + 1] != " ":
            walls.add((space, "e"))
        if (space, "s") in _BORDERS and rows[row + 1][column] != " ":
            walls.add((space, "s"))
    return Lair(features, frozenset(walls))


_BORDERS = frozenset(BORDERS)


def drawn_rows(letters: Mapping[str, str], walls: Iterable[Border]) -> list[str]:
    """Thirteen rows: a letter for each space (a blank if none), the walls, the outer wall."""
    walls = frozenset(walls)
    edge = "+-" * SIZE + "+"
    rows = [edge]
    for row in ROWS:
        spaces, below = "|", "+"
        for column in COLUMNS:
            space = row + column
            spaces += letters.get(space, " ")
            spaces += "|" if column == COLUMNS[-1] or (space, "e") in walls else " "
            below += "-" if (space, "s") in walls else " "
            below += "+"
        rows += [spaces, below]
    rows[-1] = edge
    return rows


def rows_of_lair(lair: Lair) -> list[str]:
    """A lair's rows."""
    return drawn_rows({space: LETTER_OF[feature] for space, feature in lair.features.items()}, lair.walls)


def blank_rows() -> list[str]:
    """The rows of a lair with nothing in it."""
    return drawn_rows({}, ())


# the rules of building --------------------------------------------------------------------------------


def faults(text: str) -> list[str]:
    """All that is wrong with a lair's text, each with its place and the reason; nothing if it is legal."""
    rows = rows_of(text)
    wrong = shape_faults(rows)
    if wrong:
        return wrong
    lair = read(rows)
    return [*component_faults(lair), *reach_faults(lair), *peril_faults(lair)]


def shape_faults(rows: list[str]) -> list[str]:
    """What keeps a text from being a map at all."""
    if len(rows) != _CHARACTERS:
        return [f"the map has {len(rows)} row{'s' * (len(rows) != 1)} of text instead of {_CHARACTERS}"]
    wrong = [
        f"row {number} of the text has {len(row)} characters instead of {_CHARACTERS}"
        for number, row in enumerate(rows, 1)
        if len(row) != _CHARACTERS
    ]
    if wrong:
        return wrong
    for number, row in enumerate(rows):
        for place, letter in enumerate(row):
            fault = _character_fault(number, place, letter)
            if fault:
                wrong.append(fault)
    return wrong


def _character_fault(row: int, column: int, letter: str) -> str | None:
    where = f"row {row + 1}, character {column + 1} of the text"
    if row % 2 and column % 2:
        if letter != " " and letter not in LETTERS:
            space = ROWS[row // 2] + COLUMNS[column // 2]
            return f"{space}: {letter!r} is no feature; a space holds S, E, C, M, T or a blank"
        return None
    if not row % 2 and not column % 2:
        return None if letter == "+" else f"{where}: {letter!r} stands where a post '+' belongs"
    wall = "|" if row % 2 else "-"
    across = row if not row % 2 else column
    if across in (0, _CHARACTERS - 1):
        return None if letter == wall else f"{where}: the outer wall {wall!r} is missing, {letter!r} is there"
    if letter in (wall, " "):
        return None
    return f"{where}: {letter!r} on the border {_sides(row, column)}, which holds a wall {wall!r} or a blank"


def _sides(row: int, column: int) -> str:
    if row % 2:
        name = ROWS[row // 2]
        return f"between {name}{COLUMNS[column // 2 - 1]} and {name}{COLUMNS[column // 2]}"
    name = COLUMNS[column // 2]
    return f"between {ROWS[row // 2 - 1]}{name} and {ROWS[row // 2]}{name}"


def component_faults(lair: Lair) -> list[str]:
    """Use (almost) everything: all features, 17 to 20 walls."""
    wrong: list[str] = []
    for feature, needed in FEATURES.items():
        places = lair.places(feature)
        if len(places) != needed:
            title = TITLES[feature] + "s" * (len(places) != 1)
            where = f" ({', '.join(places)})" if places else ""
            wrong.append(f"{len(places)} {title}{where} instead of {needed}: all features are used")
    if len(lair.walls) < FEWEST_WALLS:
        wrong.append(
            f"{_walls(lair)}: at least {FEWEST_WALLS} of the {WALLS} are used, the outer wall not counted"
        )
    elif len(lair.walls) > WALLS:
        wrong.append(f"{_walls(lair)}: there are only {WALLS}, the outer wall not counted")
    return wrong


def _walls(lair: Lair) -> str:
    return f"{len(lair.walls)} wall{'s' * (len(lair.walls) != 1)}"


def reach_faults(lair: Lair) -> list[str]:
    """No unreachable spaces: each walled-off region with its spaces."""
    starts = lair.places("start")
    if not starts:
        return []
    reached = region(lair, starts[0])
    wrong: list[str] = []
    for space in SPACES:
        if space not in reached:
            shut = region(lair, space)
            reached |= shut
            verb = "is" if len(shut) == 1 else "are"
            names = ", ".join(sorted(shut))
            wrong.append(f"{names}: {verb} walled off, there is no way there from the Start")
    return wrong


def region(lair: Lair, space: str) -> set[str]:
    """All spaces that can be reached from a space."""
    found = {space}
    open_ = [space]
    while open_:
        for other in lair.beside(open_.pop()):
            if other not in found:
                found.add(other)
                open_.append(other)
    return found


def peril_faults(lair: Lair) -> list[str]:
    """The Peril Rule: each Goal has a way that passes one Trap and one Monster at most (ruling 5)."""
    starts = lair.places("start")
    if not starts:
        return []
    reached = region(lair, starts[0])
    legal = safe_spaces(lair, starts[0], 1, 1)
    many = len(lair.features)
    wrong: list[str] = []
    for space in SPACES:
        feature = lair.features.get(space)
        if feature in GOALS and space in reached and space not in legal:
            traps = space in safe_spaces(lair, starts[0], 1, many)
            monsters = space in safe_spaces(lair, starts[0], many, 1)
            what = {
                (True, False): "two Traps",
                (False, True): "two Monsters",
                (True, True): "two Traps or two Monsters",
                (False, False): "two Traps and two Monsters",
            }[traps, monsters]
            wrong.append(f"{space} ({TITLES[feature]}): every way there from the Start passes {what}")
    return wrong


def safe_spaces(lair: Lair, start: str, monsters: int, traps: int) -> set[str]:
    """The spaces to which a way leads that passes no more than so many Monsters and Traps."""
    beside = {space: lair.beside(space) for space in SPACES}
    seen = {(start, 0, 0)}
    open_ = [(start, 0, 0)]
    while open_:
        space, met, sprung = open_.pop()
        for other in beside[space]:
            feature = lair.features.get(other)
            step = (other, met + (feature == "monster"), sprung + (feature == "trap"))
            if step[1] <= monsters and step[2] <= traps and step not in seen:
                seen.add(step)
                open_.append(step)
    return {space for space, _, _ in seen}
