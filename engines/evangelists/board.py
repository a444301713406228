"""The board drawn, of what a viewer may see; it adds nothing to that. Facts are told in `telling.py`."""

from collections.abc import Iterator
from typing import cast, get_args

from engines.evangelists.components import PLACE, Tradition
from engines.evangelists.geography import within
from engines.evangelists.offers import REACH
from engines.evangelists.scoring import Reckoning, Track, reckoned, recorded
from engines.evangelists.state import (
    BLACK,
    OCTAGONS,
    WHITE,
    CodexLeaf,
    State,
    is_back,
    solitaire,
)
from engines.evangelists.telling import tell
from engines.kit.boards import Board, Line, Panel, Span, Tone, fit, line, panel
from engines.kit.game import Names
from engines.kit.secrecy import REFEREE, Viewer

__all__ = ["board", "tell"]

_DISCS = {"": "o", WHITE: "+", BLACK: "x"}
_STATUS = {"": "no cube", WHITE: "alive", BLACK: "dead"}
_BOAT = "~"
_NAME = 12
_SLOT = 6


def board(state: State, viewer: Viewer, names: Names) -> Board:
    """The board: what is to be done, the map, what lies in the cities, the gospels, the reckoning."""
    rows: list[tuple[Panel, ...]] = [(heading(state, names),), (map_panel(state),)]
    if state.phase == "keep" and viewer in (state.asking, REFEREE):
        rows.append((looking_panel(state),))
    rows.append((cities_panel(state, viewer),))
    rows.append((witnesses_panel(state), key_panel(state)))
    rows += [(gospel_panel(state, seat, names),) for seat in range(state.seats)]
    rows.append((reckoning_panel(state, names),))
    return Board(tuple(rows))


# what is to be done -----------------------------------------------------------------------------------


def heading(state: State, names: Names) -> Panel:
    """The round, who is to do what, the bag."""
    title = f"The Acts of the Evangelists, round {state.round} of {state.rounds}"
    bag = f"bag: {state.bag[WHITE]} white, {state.bag[BLACK]} black; {state.removed} white out of the game"
    if solitaire(state):
        bag += f"; {len(state.flips)} witnesses to flip"
    over = state.phase == "over"
    return panel(
        title + (", the game is over" if over else ""),
        (line("  ", Span(_due(state, names), "strong")), line("  ", Span(bag, "dim"))),
    )


def _due(state: State, names: Names) -> str:
    who = fit(names[state.asking], 20).rstrip()
    if state.phase == "place":
        return f"{who} places a pawn: place CITY"
    if state.phase == "turn":
        done = ", ".join(limit.replace(" ", " in ") for limit in state.limits)
        return f"{who}'s turn, octagons {_octagons(state)}" + (f"; done: {done}" if done else "")
    if state.phase == "keep":
        return f"{who} looks in {state.pawns[state.asking]}: keep CARD:SLOT open CARD"
    if state.phase == "strength":
        return f"{who} interviews {state.interviewing}: weak, or strong for another octagon"
    if state.phase == "follow" and state.pursuit is not None:
        price = "free" if state.pursuit.strong else "for a token"
        what = " or ".join((state.pursuit.witness, *state.pursuit.cards)).removeprefix(" or ")
        return f"{who} may follow ({price}): {state.pursuit.action}" + (f" {what}" if what else "")
    if state.phase == "growth":
        return f"{who} adds a leaf: leaf left, or leaf right"
    return "won by " + " and ".join(names[seat] for seat in state.winners) if state.winners else "not won"


def _octagons(state: State) -> str:
    return "[" + "#" * state.octagons + "." * (OCTAGONS - state.octagons) + "]"


# the map ----------------------------------------------------------------------------------------------


def map_panel(state: State) -> Panel:
    """The map's picture with cards left, discs, boats and pawns in their places."""
    moves = _moves_on_the_map(state)
    lines: list[Line] = []
    for row in state.components.picture:
        spans: list[Span] = []
        end = 0
        for match in PLACE.finditer(row):
            spans.append(Span(row[end : match.start()]))
            spans += _place(state, match[1], len(match[0]), moves.get(match[1]))
            end = match.end()
        lines.append(line("  ", *spans, Span(row[end:])))
    legend = "[cards, witness + alive x dead o no cube]  (waypoint)  ~ boat  1.. pawns"
    lines.append(line("  ", Span(legend, "dim")))
    return panel("Map", lines)


def _moves_on_the_map(state: State) -> dict[str, str]:
    if state.phase == "place":
        return {city: f"place {city}" for city in state.components.cities if city not in state.pawns}
    if state.phase == "turn" and "travel" not in state.limits and state.octagons:
        near = within(state.components.lines, state.pawns[state.turn], REACH)
        return {space: f"travel {space}" for space in near}
    return {}


def _place(state: State, space: str, width: int, move: str | None) -> Iterator[Span]:
    name = state.components.names[space]
    witness = state.components.hosts.get(space)
    boat = _BOAT if space in state.boats else ""
    pawns = "".join(str(seat + 1) for seat, where in enumerate(state.pawns) if where == space)
    inside = width - 2
    yield Span("[" if witness else "(", "plain", move, name)
    if witness is not None:
        disc = _DISCS[state.discs[witness]]
        yield Span(str(len(state.traditions[space])), "plain", move, f"traditions left in {name}")
        yield Span(disc, _tone(state, witness), move, f"{witness}: {_STATUS[state.discs[witness]]}")
        yield Span(" ")
        inside -= 3
    yield Span(boat, "cyan", move, "a boat")
    yield Span(pawns, "strong", move, "pawns")
    yield Span(" " * (inside - len(boat) - len(pawns)) + ("]" if witness else ")"), "plain", move, name)


def _tone(state: State, witness: str) -> Tone:
    colour = state.components.witnesses[witness].colour
    return cast("Tone", colour) if colour in get_args(Tone) else "plain"


# cards ------------------------------------------------------------------------------------------------


def _motifs(state: State, card: Tradition) -> str:
    return "".join(state.components.motifs[motif] for motif in card.motifs)


def _themes(state: State, card: Tradition) -> str:
    return "".join(state.components.themes[theme].lower() for theme in card.themes)


def _witnesses(state: State, card: Tradition) -> str:
    return "".join(state.components.witnesses[witness].code for witness in card.witnesses)


def _card(state: State, name: str, mark: str, width: int) -> Span:
    """A tradition in short: `t7*WL/kc/Jn`, or the theme on its back."""
    if is_back(name):
        code = state.components.themes[name[:-1]].lower()
        return Span(f"{code}?".ljust(width), "dim", None, f"a closed card, {name[:-1]}")
    card = state.components.traditions[name]
    text = f"{name}{mark}{_motifs(state, card)}/{_themes(state, card)}/{_witnesses(state, card)}"
    return Span(text.ljust(width), "plain", None, _in_full(card))


def _in_full(card: Tradition) -> str:
    return f"{card.title}: {', '.join(card.motifs)}; {', '.join(card.themes)}; {', '.join(card.witnesses)}"


def looking_panel(state: State) -> Panel:
    """The cards that are looked at, with their names."""
    city = state.pawns[state.asking]
    lines: list[Line] = []
    for name in state.traditions[city]:
        card = state.components.traditions[name]
        words = f"{fit(name, 4)}{card.title}"
        lines.append(line("  ", Span(words, "strong", None, _in_full(card))))
        lines.append(
            line(
                "      ",
                f"motifs {', '.join(card.motifs)}; themes {', '.join(card.themes)}; ",
                f"told by {', '.join(card.witnesses)}",
            )
        )
    return panel(f"You look in {city}", lines, held=True)


def cities_panel(state: State, viewer: Viewer) -> Panel:
    """What lies in each city, as far as the viewer knows it; open cards are marked."""
    lines: list[Line] = []
    for city in state.components.cities:
        shown = [
            _card(state, card, "*" if card == state.open[city] else " ", 3 if is_back(card) else 16)
            for card in state.traditions[city]
        ]
        lines.append(line("  ", fit(city, 12), *(shown or [Span("empty", "dim")])))
    lines.append(line("  ", Span("motifs/themes/witnesses; * lies open; k? is closed, k on its back", "dim")))
    return panel("Traditions", lines)


def witnesses_panel(state: State) -> Panel:
    """City, witness, cube and interview cards left."""
    lines: list[Line] = []
    for city in state.components.cities:
        slug = state.components.hosts[city]
        witness = state.components.witnesses[slug]
        left = state.interview_cards[slug]
        lines.append(
            line(
                "  ",
                fit(city, 12),
                Span(f"{witness.code} {fit(slug, 11)}", _tone(state, slug), None, witness.name),
                f"{_STATUS[state.discs[slug]]:<8}{left} card{'s' if left != 1 else ''} left",
            )
        )
    return panel("Eyewitnesses", lines)


def key_panel(state: State) -> Panel:
    """What the letters mean."""
    motifs = [f"{code} {motif}" for motif, code in state.components.motifs.items()]
    themes = [f"{code.lower()} {theme}" for theme, code in state.components.themes.items()]
    height = max(len(motifs), len(themes))
    pairs = zip(motifs + [""] * (height - len(motifs)), themes + [""] * (height - len(themes)), strict=True)
    return panel("Motifs     Themes", (line(f"{fit(one, 11)}{fit(other, 12).rstrip()}") for one, other in pairs))


# gospels ----------------------------------------------------------------------------------------------


def gospel_panel(state: State, seat: int, names: Names) -> Panel:
    """A seat's standing in a line, its leaves in a row."""
    theme = state.themes[seat]
    heard = " ".join(state.components.witnesses[w].code for w in state.interviews[seat]) or "none"
    title = f"{seat + 1} {fit(names[seat], 24).rstrip()}, at {state.pawns[seat] or 'no city yet'}" + (
        ", to move" if seat == state.asking and state.phase != "over" else ""
    )
    head = line(
        "  ",
        f"theme {theme} ({state.components.themes[theme].lower()}), marks {state.marks[seat]}, ",
        f"tokens {state.tokens[seat]}, interviews {heard}",
    )
    return panel(title, (head, *_rows(state, state.codices[seat])))


def _rows(state: State, codex: list[CodexLeaf]) -> Iterator[Line]:
    labels = (f"{leaf.name}{place}" for leaf in codex for place in (1, 2))
    yield _row(labels, "dim")
    cards = [state.components.traditions.get(card) for leaf in codex for card in leaf.slots]
    yield _row((f"t{c.number}" if c else "." for c in cards), "strong")
    if any(cards):
        for shown in (_motifs, _themes, _witnesses):
            yield _row((shown(state, c) if c else "" for c in cards), "plain")


def _row(texts: Iterator[str], tone: Tone) -> Line:
    spans: list[Span] = [Span("  |")]
    for place, text in enumerate(texts):
        spans += [Span(fit(text, _SLOT), tone), Span("|" if place % 2 else " ")]
    return tuple(spans)


# the reckoning ----------------------------------------------------------------------------------------


def reckoning_panel(state: State, names: Names) -> Panel:
    """The devices as they stand, and what they would score now: value and points."""
    now = reckoned(state)
    heads = "".join(fit(track.device, _width(track)) for track in now.tracks)
    lines = [line("  ", Span(f"{'':<{_NAME}}{heads}{'theme':<10}{'ties':<5}{'marks':<6}total", "dim"))]
    scores = recorded(state, now.totals)
    for seat, name in enumerate(names):
        lines.append(line("  ", fit(name, _NAME - 1), " ", *_counted(state, now, seat), f"{scores[seat]:>5}"))
    return panel("If the game ended now" if state.phase != "over" else "The final reckoning", lines)


def _width(track: Track) -> int:
    return len(track.device) + 2


def _counted(state: State, now: Reckoning, seat: int) -> Iterator[str]:
    for track in now.tracks:
        yield f"{track.values[seat]} = {track.points[seat]}".ljust(_width(track))
    bonus = f" +{now.bonus[seat]}" if now.bonus[seat] else ""
    yield f"{now.matching[seat]} = {now.theme_points[seat]}{bonus}".ljust(10)
    yield f"{-sum(track.ties[seat] for track in now.tracks):<5}{state.marks[seat]:<6}"
