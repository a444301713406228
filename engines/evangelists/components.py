"""The set of components: the map, the witnesses, the traditions. Validated whole before a game starts."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

from msgspec import Struct

from engines.evangelists.geography import distances
from engines.kit.errors import SetRefused
from engines.kit.notation import Grammar
from engines.kit.setfile import typed

CITIES = 9
WITNESSES = 9
TRADITIONS = 36
IN_A_CITY = 4
MOTIFS = 5
THEMES = 6
BOATS = 3
FARTHEST = 8
#: A place in the map's picture: `{slug   }`, wide enough for cards left, disc, boat and five pawns.
PLACE = re.compile(r"\{([^\s{}]+) *\}")
PLACE_WIDTH = 11
PICTURE_WIDTH = 78

Source = Literal["published", "house"]


class _Pieces(Struct, forbid_unknown_fields=True):
    white: Literal[6]
    black: Literal[2]
    interviews: Literal[4]
    leaves: Literal[25]
    source: Source


class _Map(Struct, forbid_unknown_fields=True):
    boats: list[str]
    lines: list[str]
    picture: str
    source: Source


class _City(Struct, forbid_unknown_fields=True):
    slug: str
    name: str
    source: Source


class _Waypoint(Struct, forbid_unknown_fields=True):
    slug: str
    name: str
    kind: Literal["sea", "road"]
    source: Source


class _Witness(Struct, forbid_unknown_fields=True):
    slug: str
    name: str
    code: str
    colour: str
    city: str
    source: Source


class _Symbol(Struct, forbid_unknown_fields=True):
    slug: str
    code: str
    source: Source


class _Tradition(Struct, forbid_unknown_fields=True):
    number: int
    title: str
    motifs: list[str]
    themes: list[str]
    back: str
    witnesses: list[str]
    source: Source


class _Document(Struct, forbid_unknown_fields=True):
    schema: Literal[1]
    name: str
    pieces: _Pieces
    map: _Map
    cities: list[_City]
    waypoints: list[_Waypoint]
    witnesses: list[_Witness]
    motifs: list[_Symbol]
    themes: list[_Symbol]
    traditions: list[_Tradition]


class Witness(Struct, frozen=True):
    """An eyewitness: the name, what the board shows for it, its colour, the city of its disc."""

    name: str
    code: str
    colour: str
    city: str


class Tradition(Struct, frozen=True):
    """A tradition card; `back` is the one of its themes that its back shows."""

    number: int
    title: str
    motifs: tuple[str, ...]
    themes: tuple[str, ...]
    back: str
    witnesses: tuple[str, ...]


class Set(Struct, frozen=True):
    """The components. Places, witnesses, motifs and themes go by slug, traditions as `t1` to `t36`.

    `names` are the places' names in full, cities first; `motifs` and `themes` hold the board's code.
    """

    name: str
    cities: tuple[str, ...]
    names: dict[str, str]
    sea: tuple[str, ...]
    boats: tuple[str, ...]
    lines: tuple[tuple[str, str], ...]
    picture: tuple[str, ...]
    witnesses: dict[str, Witness]
    hosts: dict[str, str]
    motifs: dict[str, str]
    themes: dict[str, str]
    traditions: dict[str, Tradition]


def load_set(document: Mapping[str, Any], grammar: Grammar) -> Set:
    """The set out of a TOML document.

    :raises SetRefused: it is not whole; the place is named
    """
    raw = typed(document, _Document)
    spaces = [*raw.cities, *raw.waypoints]
    for kind, parts in _named(raw).items():
        for place, part in enumerate(parts, 1):
            grammar.check_name(part.slug, f"{kind} {place}, slug")
        _once(kind, [part.slug for part in parts])
    _once("spaces", [space.slug for space in spaces])
    _counted("cities", len(raw.cities), CITIES, CITIES)
    _counted("waypoints", len(raw.waypoints), 8, 12)
    sea = [waypoint.slug for waypoint in raw.waypoints if waypoint.kind == "sea"]
    lines = _lines(raw.map.lines, [space.slug for space in spaces])
    _check_map(raw, sea, lines)
    _check_witnesses(raw)
    for kind, symbols, count in (("motifs", raw.motifs, MOTIFS), ("themes", raw.themes, THEMES)):
        _counted(kind, len(symbols), count, count)
        _check_codes(kind, [symbol.code for symbol in symbols], 1)
    _check_traditions(raw)
    for kind, text in _texts(raw):
        if not (text.isascii() and text.isprintable() and 1 <= len(text) <= 60):
            raise SetRefused(f"{kind}: {text!r} is not 1 to 60 printable ASCII characters")
    return Set(
        raw.name,
        tuple(city.slug for city in raw.cities),
        {space.slug: space.name for space in spaces},
        tuple(sea),
        tuple(raw.map.boats),
        lines,
        _picture(raw.map.picture, [space.slug for space in spaces]),
        {w.slug: Witness(w.name, w.code, w.colour, w.city) for w in raw.witnesses},
        {w.city: w.slug for w in raw.witnesses},
        {motif.slug: motif.code for motif in raw.motifs},
        {theme.slug: theme.code for theme in raw.themes},
        {
            f"t{t.number}": Tradition(
                t.number, t.title, tuple(t.motifs), tuple(t.themes), t.back, tuple(t.witnesses)
            )
            for t in raw.traditions
        },
    )


def _named(raw: _Document) -> dict[str, Sequence[_City | _Waypoint | _Witness | _Symbol]]:
    return {
        "cities": raw.cities,
        "waypoints": raw.waypoints,
        "witnesses": raw.witnesses,
        "motifs": raw.motifs,
        "themes": raw.themes,
    }


def _texts(raw: _Document) -> Iterable[tuple[str, str]]:
    yield "name", raw.name
    for kind, parts in (("cities", raw.cities), ("waypoints", raw.waypoints), ("witnesses", raw.witnesses)):
        for place, part in enumerate(parts, 1):
            yield f"{kind} {place}, slug", part.slug
            yield f"{kind} {place}, name", part.name
    for place, tradition in enumerate(raw.traditions, 1):
        yield f"traditions {place}, title", tradition.title


def _once(kind: str, names: list[str]) -> None:
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        raise SetRefused(f"{kind}: {twice[0]!r} is named twice")


def _counted(kind: str, count: int, fewest: int, most: int) -> None:
    if not fewest <= count <= most:
        wanted = str(most) if fewest == most else f"{fewest} to {most}"
        raise SetRefused(f"{kind}: there are {wanted}, not {count}")


def _check_codes(kind: str, codes: list[str], width: int) -> None:
    for place, code in enumerate(codes, 1):
        if len(code) != width or not code.isascii() or not code.isalpha():
            raise SetRefused(f"{kind} {place}, code: {width} plain letters, not {code!r}")
    _once(f"{kind}, code", codes)


def _lines(texts: list[str], spaces: list[str]) -> tuple[tuple[str, str], ...]:
    lines: list[tuple[str, str]] = []
    for place, text in enumerate(texts, 1):
        ends = text.split()
        if len(ends) != 2 or ends[0] == ends[1] or not set(ends) <= set(spaces):
            raise SetRefused(f"map, lines {place}: {text!r} is not two different spaces of the map")
        if (ends[0], ends[1]) in lines or (ends[1], ends[0]) in lines:
            raise SetRefused(f"map, lines {place}: {text!r} is there twice")
        lines.append((ends[0], ends[1]))
    return tuple(lines)


def _check_map(raw: _Document, sea: list[str], lines: tuple[tuple[str, str], ...]) -> None:
    boats = raw.map.boats
    if len(boats) != BOATS or len(set(boats)) < BOATS or not set(boats) <= set(sea):
        raise SetRefused(f"map, boats: {BOATS} different waypoints at sea, not {' '.join(boats) or 'none'}")
    ways = distances(lines)
    for space in (*raw.cities, *raw.waypoints):
        reached = ways.get(space.slug, {})
        if len(reached) < len(raw.cities) + len(raw.waypoints):
            raise SetRefused(f"map, lines: not every space can be reached from {space.slug!r}")
    for one in raw.cities:
        for other in raw.cities:
            if ways[one.slug][other.slug] > FARTHEST:
                raise SetRefused(
                    f"map, lines: {one.slug} and {other.slug} are {ways[one.slug][other.slug]} spaces apart; "
                    f"cities are at most {FARTHEST} apart"
                )


def _check_witnesses(raw: _Document) -> None:
    _counted("witnesses", len(raw.witnesses), WITNESSES, WITNESSES)
    _check_codes("witnesses", [witness.code for witness in raw.witnesses], 2)
    _once("witnesses, colour", [witness.colour for witness in raw.witnesses])
    cities = [city.slug for city in raw.cities]
    for place, witness in enumerate(raw.witnesses, 1):
        if witness.city not in cities:
            raise SetRefused(f"witnesses {place}, city: {witness.city!r} is no city of the map")
    _once("witnesses, city", [witness.city for witness in raw.witnesses])


def _check_traditions(raw: _Document) -> None:
    """Each motif, theme and witness is on as many cards as every device and marks need."""
    if [t.number for t in raw.traditions] != list(range(1, TRADITIONS + 1)):
        raise SetRefused(f"traditions: they are numbered 1 to {TRADITIONS}, in this order")
    known = {kind: {part.slug for part in parts} for kind, parts in _named(raw).items()}
    for place, t in enumerate(raw.traditions, 1):
        for kind, shown, fewest in (
            ("motifs", t.motifs, 2),
            ("themes", t.themes, 2),
            ("witnesses", t.witnesses, 1),
        ):
            if not set(shown) <= known[kind] or len(set(shown)) < len(shown) or not fewest <= len(shown) <= 2:
                wanted = "2" if fewest == 2 else "1 or 2"
                raise SetRefused(f"traditions {place}, {kind}: {wanted} different {kind} of the set, not {shown}")
        if t.back not in t.themes:
            raise SetRefused(f"traditions {place}, back: one of its themes, not {t.back!r}")
    _spread("motifs", known["motifs"], [m for t in raw.traditions for m in t.motifs], 14, 15)
    _spread("themes", known["themes"], [theme for t in raw.traditions for theme in t.themes], 12, 12)
    _spread("themes, on a back,", known["themes"], [t.back for t in raw.traditions], 6, 6)
    _spread("witnesses", known["witnesses"], [w for t in raw.traditions for w in t.witnesses], 6, 6)


def _spread(kind: str, names: set[str], shown: list[str], fewest: int, most: int) -> None:
    counts = Counter(shown)
    for name in sorted(names):
        if not fewest <= counts[name] <= most:
            wanted = str(most) if fewest == most else f"{fewest} to {most}"
            raise SetRefused(f"traditions, {kind} {name!r}: on {wanted} cards, not {counts[name]}")


def _picture(text: str, spaces: list[str]) -> tuple[str, ...]:
    rows = text.strip("\n").split("\n")
    if not text.isascii() or max(map(len, rows)) > PICTURE_WIDTH:
        raise SetRefused(f"map, picture: plain ASCII, at most {PICTURE_WIDTH} columns wide")
    places = [(match[1], len(match[0])) for row in rows for match in PLACE.finditer(row)]
    if sorted(name for name, _ in places) != sorted(spaces):
        raise SetRefused("map, picture: each space has one place {slug   } in it, and nothing else has")
    for name, width in places:
        if width < PLACE_WIDTH:
            raise SetRefused(f"map, picture: the place of {name!r} is {PLACE_WIDTH} columns wide or more")
    return tuple(rows)
