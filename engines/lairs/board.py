"""The board drawn. It gets what a viewer may see and adds nothing to it."""

from collections import Counter
from collections.abc import Sequence

from engines.kit.boards import WIDTH, Board, Line, Panel, Span, Tone, fit, line, panel
from engines.kit.game import Names
from engines.kit.secrecy import REFEREE, Viewer
from engines.lairs.cubes import COLOURS
from engines.lairs.facts import HIDDEN
from engines.lairs.lair import (
    COLUMNS,
    HAZARDS,
    LETTER_OF,
    NEIGHBOURS,
    ROWS,
    SPACES,
    TITLES,
    lair_of,
    rows_of_lair,
)
from engines.lairs.offered import backtrack_cost, offers
from engines.lairs.state import (
    SEATS,
    State,
    collection,
    hazard_here,
    map_rows,
    may_exit,
    open_ways,
    score,
    standing,
    target,
)
from engines.lairs.telling import tell
from engines.lairs.treasures import bonus_text

__all__ = ["board", "tell"]

_TONES: dict[str, Tone] = {
    "S": "cyan",
    "E": "green",
    "C": "yellow",
    "M": "red",
    "T": "magenta",
    "?": "dim",
}
_NAMES = {"S": "Start", "E": "Exit", "C": "Chest", "M": "Monster", "T": "Trap", "?": "Unknown", " ": "Empty"}
_CUBE_TONES: dict[str, Tone] = {"white": "white", "quickness": "yellow", "perception": "green"}
_BASKETS = ("fresh", "conserved", "spent", "fatigued")
_WIDE = 31
#: So many spaces are named where something can go; `moves` lists all.
_LISTED = 10


def board(state: State, viewer: Viewer, names: Names) -> Board:
    """The board: maps and lairs side by side, mats, Treasures, what can be done."""
    rows: list[tuple[Panel, ...]] = [(panel(_title(state, names), ()),)]
    if state.phase == "build" and not state.built:
        rows.append((panel("", [line("  Both seats build a lair, in any order and in secret.")]),))
    else:
        rows.append(tuple(map_panels(state, viewer, names)))
    rows.append((mats_panel(state, names),))
    rows.append((display_panel(state),))
    rows += [(collection_panel(state, seat, viewer, names),) for seat in range(SEATS) if collection(state, seat)]
    asked = asked_panel(state, viewer, names)
    if asked:
        rows.append((asked,))
    return Board(tuple(rows))


def _title(state: State, names: Names) -> str:
    turn = "the last turn" if state.exits else f"round {state.round} of {state.rounds}"
    what = {
        "build": "the lairs are being built",
        "first": f"{names[state.turn]} names the first Explorer",
        "keep": "the end, Treasures are chosen",
        "over": "the game is over",
    }.get(state.phase, f"{turn}, {names[state.turn]} explores")
    return f"Lairs: {what}"


# maps -------------------------------------------------------------------------------------------------


def map_panels(state: State, viewer: Viewer, names: Names) -> list[Panel]:
    """The map of each Explorer, the viewer's own first, and the lairs that the viewer may see."""
    order = list(range(SEATS)) if viewer in (None, REFEREE, 0) else [1, 0]
    panels = [
        _map_panel(
            state,
            seat,
            _whose(seat, viewer, names, "map"),
            map_rows(state, seat),
            _ways_on_the_map(state, seat) if seat == viewer else {},
        )
        for seat in order
    ]
    for builder in order:
        if state.lairs[builder] not in ("", HIDDEN):
            title = _whose(builder, viewer, names, "lair")
            panels.append(_map_panel(state, 1 - builder, title, _lair_rows(state, builder), {}))
    return panels


def _ways_on_the_map(state: State, seat: int) -> dict[str, str]:
    """What the spaces stand for: going to one beside the tracker, or back to another one."""
    verb = "step" if state.phase == "step" else "creep"
    beside = NEIGHBOURS.get(state.at[seat], {})
    back = {space: f"backtrack {space}" for space in SPACES}
    return back | {space: f"{verb} {letter}" for letter, space in beside.items()}


def _whose(seat: int, viewer: Viewer, names: Names, what: str) -> str:
    return f"your {what}" if seat == viewer else f"{fit(names[seat], 9).strip()}'s {what}"


def _lair_rows(state: State, builder: int) -> list[str]:
    """A lair as it stands: what is out of the game is not drawn."""
    lair = lair_of(state.lairs[builder])
    left = {space: kind for space, kind in lair.features.items() if space not in state.gone[1 - builder]}
    return rows_of_lair(lair._replace(features=left))


def _map_panel(state: State, explorer: int, title: str, rows: Sequence[str], ways: dict[str, str]) -> Panel:
    """Thirteen rows with the names of rows and columns; `v` and `>` point to the tracker, an `@` if it can."""
    here = state.at[explorer]
    marks = "".join("v " if here[1:] == column else "  " for column in COLUMNS)
    lines = [
        line("   ", Span(marks.rstrip(), "strong", None, "the tracker's column")),
        line("   " + " ".join(COLUMNS)),
    ]
    for number, text in enumerate(rows):
        name = ROWS[number // 2] if number % 2 else " "
        mark = ">" if number % 2 and here[:1] == name else " "
        lines.append(
            line(Span(f"{mark}{name}", "strong" if mark == ">" else "plain"), *_spans(text, number, here, ways))
        )
    return panel(title, lines)


def _spans(text: str, number: int, here: str, ways: dict[str, str]) -> list[Span]:
    if number % 2 == 0:
        return [Span(text)]
    out: list[Span] = []
    for place, letter in enumerate(text):
        space = ROWS[number // 2] + COLUMNS[place // 2] if place % 2 else ""
        if space and space == here and letter == " ":
            out.append(Span("@", "strong", None, "the tracker"))
        elif space:
            tone = "strong" if space == here else _TONES.get(letter, "plain")
            out.append(Span(letter, tone, ways.get(space), f"{space}, {_NAMES[letter]}"))
        else:
            out.append(Span(letter))
    return out


# mats -------------------------------------------------------------------------------------------------


def mats_panel(state: State, names: Names) -> Panel:
    """Each seat's baskets, achievements, place and points, one column a seat."""
    seats = range(SEATS)
    lines = [_row("", [Span(fit(names[seat], _WIDE), _strong(state, seat)) for seat in seats])]
    for basket in _BASKETS:
        cells = [getattr(state.cubes[seat], basket) for seat in seats]
        lines.append(line(f"  {basket:<11}", *_cubes(cells[0]), "  ", *_cubes(cells[1])))
    lines.append(_row("tracker", [Span(fit(_place(state, seat), _WIDE)) for seat in seats]))
    lines.append(_row("done", [Span(fit(_done(state, seat), _WIDE)) for seat in seats]))
    lines.append(_row("hazards", [Span(fit(_hazards(state, seat), _WIDE)) for seat in seats]))
    lines.append(_row("points", [Span(fit(_points(state, seat), _WIDE)) for seat in seats]))
    return panel("Mats", lines)


def _strong(state: State, seat: int) -> Tone:
    return "strong" if state.turn == seat and state.round and state.phase not in ("keep", "over") else "plain"


def _row(title: str, cells: list[Span]) -> Line:
    return line(f"  {title:<11}", cells[0], "  ", cells[1])


def _cubes(cubes: list[str]) -> list[Span]:
    """A basket's cubes in words, filled up to the width of a column."""
    counts = Counter(cubes)
    spans: list[Span] = []
    for colour in COLOURS:
        if counts[colour]:
            text = colour if counts[colour] == 1 else f"{counts[colour]} {colour}"
            spans += [Span(", ")] * bool(spans) + [Span(text, _CUBE_TONES[colour])]
    if not spans:
        spans = [Span("-", "dim")]
    width = sum(len(span.text) for span in spans)
    return [*spans, Span(" " * (_WIDE - width))]


def _place(state: State, seat: int) -> str:
    here = state.at[seat]
    if seat in state.exits:
        return "has left the lair"
    if not here:
        return "not in the lair yet"
    feature = standing(state, seat, here)
    leaves = may_exit(state, seat) and state.phase not in ("keep", "over")
    return f"{here}, {TITLES[feature] if feature else 'Empty'}" + ", free to exit" * leaves


def _done(state: State, seat: int) -> str:
    done = {"Chest": state.chests[seat], "Monster": state.monsters[seat], "Trap": state.traps[seat]}
    return ", ".join(f"{count} {thing}{'s' * (count != 1)}" for thing, count in done.items())


def _hazards(state: State, seat: int) -> str:
    met = [
        f"{space} {LETTER_OF[standing(state, seat, space)]}{target(state, seat, space)}"
        for space in SPACES
        if standing(state, seat, space) in HAZARDS
    ]
    return ", ".join(met) if met else "none known"


def _points(state: State, seat: int) -> str:
    more = " and hidden Treasures" if HIDDEN in state.drawn[seat] else ""
    return f"{score(state, seat)}{more}"


# treasures --------------------------------------------------------------------------------------------


def display_panel(state: State) -> Panel:
    """The display, with the move that takes a card."""
    monster, trap = state.components.monster, state.components.trap
    targets = f"Targets: {monster.name} {monster.target}, {trap.name} {trap.target}."
    lines = [_treasure(state, slug, f"take {slug}") for slug in state.display]
    lines.append(line("  ", Span(_cut(f"{len(state.deck)} more in the deck. {targets}", 2), "dim")))
    return panel("Display", lines)


def collection_panel(state: State, seat: int, viewer: Viewer, names: Names) -> Panel:
    """A collection: those drawn are hidden from others."""
    title = "Your collection" if seat == viewer else f"{names[seat]}'s collection"
    hidden = state.drawn[seat].count(HIDDEN)
    lines = [
        _treasure(state, slug, None, "down" if _face_down(state, seat, slug) else "")
        for slug in collection(state, seat)
        if slug != HIDDEN
    ]
    if hidden:
        lines.append(line("  ", Span(f"{hidden} hidden", "dim")))
    return panel(title, lines)


def _face_down(state: State, seat: int, slug: str) -> bool:
    return bool(state.kept[seat]) and HIDDEN not in state.kept[seat] and slug not in state.kept[seat]


def _treasure(state: State, slug: str, move: str | None, note: str = "") -> Line:
    card = state.components.treasures[slug]
    kind = f"{card.keyword} {card.type}"
    tail = "face-down, 1" if note else f"{card.base}  {bonus_text(card)}"
    return line("  ", Span(fit(slug, 26), "plain", move, card.name), f" {fit(kind, 18)} ", _cut(tail, 48))


def _cut(text: str, used: int) -> str:
    """A text that another set can make too long, in what is left of a line."""
    return fit(text, WIDTH - used).rstrip()


# what is asked ----------------------------------------------------------------------------------------


def asked_panel(state: State, viewer: Viewer, names: Names) -> Panel | None:
    """What can be done now, for the seat to move."""
    if viewer is None or viewer == REFEREE or state.phase == "over":
        return None
    if state.phase == "build":
        if viewer in state.built:
            return None
        words = [
            "build random                  a lair is made for you",
            "build @FILE                   your own map: S E C M T, walls - and |",
            "turnlog rules lairs --blank   a blank map; --check FILE tells its faults",
        ]
        return panel("You can", [line("  ", word) for word in words], held=True)
    if state.phase == "keep":
        if viewer not in state.keeping:
            return None
        keep = "  keep and the four Treasures that stay face-up, the others score 1 each"
        return panel("You can", [line(keep)], held=True)
    if viewer != state.turn:
        return None
    return panel("You can", [line("  ", text) for text in _ways(state, viewer, names)], held=True)


def _ways(state: State, seat: int, names: Names) -> list[str]:
    """Each verb that is open now, with what it may be about."""
    if state.phase == "first":
        return [f"first {name}" if " " not in name else f'first "{name}"' for name in names]
    if state.phase == "penalty":
        assert state.penalty is not None
        return [
            f"fatigue CUBE...   (the penalty: {state.penalty})",
            "white is a Fresh cube, c:white a conserved one, s:white a spent one",
        ]
    if state.phase == "enter":
        stay = [] if hazard_here(state, seat) else ["stay   (outside)"]
        return [f"enter   (into {state.peering}, free)", *stay]
    if state.phase == "step":
        count = f"{state.steps} move{'s' * (state.steps > 1)} of the Hustle left"
        return [f"step {'/'.join(open_ways(state, seat))}   {count}; or stop"]
    if state.phase == "take":
        return ["take TREASURE   one of the display"]
    if state.phase == "check":
        return [_check_words(state, seat) + "   now, with or without dice"]
    return _act_words(state, seat)


def _act_words(state: State, seat: int) -> list[str]:
    open_verbs: dict[str, list[str]] = {}
    for offer in offers(state, seat):
        moves = list(offer.moves())
        if moves:
            open_verbs[offer.verb.__name__.lower()] = [
                str(getattr(move, "dir_", getattr(move, "space", ""))) for move in moves
            ]
    lines: list[str] = []
    for verb, note in (
        ("open", "the Chest here, free"),
        ("exit", "free, ends your turn"),
        ("creep", "any cube"),
        ("hustle", "any two cubes or quickness, up to three moves"),
        ("peer", "any two cubes or perception"),
        ("backtrack", str(backtrack_cost(state)).replace(" one ", " ").removesuffix(" cube")),
    ):
        if verb in open_verbs:
            some = open_verbs[verb]
            what = "/".join(some if len(some) <= _LISTED else [*some[:_LISTED], ".."])
            lines.append(f"{verb} {what}".strip() + f"   ({note})")
    if "fight" in open_verbs or "disarm" in open_verbs:
        lines.append(_check_words(state, seat) + "   (a cube a die)")
    if "conserve" in open_verbs:
        lines.append("conserve CUBE...   (Fresh cubes for the next turn, ends this one)")
    return [*lines, "end"]


def _check_words(state: State, seat: int) -> str:
    here = state.at[seat]
    verb = "fight" if standing(state, seat, here) == "monster" else "disarm"
    return f"{verb} dice N, Target {target(state, seat, here)}"
