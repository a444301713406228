"""A concealed state drawn for people: seats with their supporters, the own hand, what waits, what can be done."""

from collections.abc import Sequence
from textwrap import wrap

from engines.kit.boards import WIDTH, Board, Line, Panel, Span, Tone, fit, line, panel, plain
from engines.kit.game import Names
from engines.kit.secrecy import REFEREE, Viewer
from engines.theory_of_power import COMMUNITIES
from engines.theory_of_power.components import Animal, Leader
from engines.theory_of_power.facts import BACK
from engines.theory_of_power.happenings import price
from engines.theory_of_power.state import (
    VICTORY,
    State,
    Supporter,
    animal,
    leader_content,
    points,
    progress,
    sources,
    symbols,
)
from engines.theory_of_power.telling import tell
from engines.theory_of_power.words import card_text, waiting_rows, wants

__all__ = ["board", "tell"]

_TONES: dict[str, Tone] = {"herbivore": "green", "carnivore": "red", "reptile": "yellow", "bird": "cyan"}
_COMMUNITY = {"free": "F", "rulers": "R"}


def board(state: State, viewer: Viewer, names: Names) -> Board:
    """The board: a heading, a panel a seat, what waits, the own hand."""
    rows: list[tuple[Panel, ...]] = [(panel(_title(state, names), _heading(state, names)),)]
    rows += [(seat_panel(state, seat, viewer, names),) for seat in range(state.seats)]
    if state.stack:
        rows.append((waiting_panel(state, names),))
    if viewer is not None and viewer != REFEREE:
        rows.append((hand_panel(state, viewer),))
    elif viewer == REFEREE:
        rows += [(panel(f"{name}'s hand", _hand_lines(state, seat)),) for seat, name in enumerate(names)]
    return Board(tuple(rows))


def _title(state: State, names: Names) -> str:
    if state.phase == "over":
        return f"Theory of Power: {names[state.winner]} has won"
    if state.phase in ("setup", "discard", "leader"):
        return "Theory of Power: set-up"
    return f"Theory of Power: {names[state.turn]}'s turn" + (", second action" if state.action == 2 else "")


def _heading(state: State, names: Names) -> list[Line]:
    discarded = f", {state.discards[-1]} on top" if state.discards else ""
    lines = [line(f"  deck {len(state.deck)}, discards {len(state.discards)}{discarded}")]
    rules = [] if state.with_compromat else ["no Compromat"]
    rules += ["training: no Leaders, no communities"] if state.training else []
    if rules:
        lines.append(line("  ", Span("; ".join(rules), "dim")))
    if state.phase == "discard":
        over = len(state.hands[state.turn]) - 5
        lines.append(line(f"  {names[state.turn]} discards {over} to keep five: discard CARD..."))
    elif state.phase == "leader":
        lines.append(line(f"  {names[state.turn]} keeps one Leader: leader NAME"))
    return lines


# a seat -----------------------------------------------------------------------------------------------


def seat_panel(state: State, seat: int, viewer: Viewer, names: Names) -> Panel:
    """Reserve, points, symbols, Leader, and a line a supporter."""
    turn = state.phase != "over" and state.turn == seat
    mark = "> " if turn else "  "
    title = f"{mark}{fit(names[seat], 20).rstrip()}: {points(state, seat)} of {VICTORY} points"
    reserve = f"    Food {state.food[seat]}  Influence {state.influence[seat]}"
    if state.with_compromat:
        reserve += f"  Compromat {state.compromat[seat]}"
    reserve += f"  cards {len(state.hands[seat])}"
    lines = [line(reserve), *_leader_lines(state, seat), *_symbol_lines(state, seat)]
    poacher = viewer if viewer is not None and viewer not in (REFEREE, seat) else None
    for one in state.supporters[seat]:
        lines += _supporter(state, one, poacher)
    if not state.supporters[seat] and state.phase in ("action", "over"):
        lines.append(line("    ", Span("no supporters yet", "dim")))
    return panel(title, lines)


def _leader_lines(state: State, seat: int) -> list[Line]:
    leaders = state.components.leaders
    lines: list[Line] = []
    for name in state.dealt[seat]:
        lines += _told(["    may keep ", Span(name, "strong", f"leader {name}"), ": "], _leader(leaders[name]))
    if state.leaders[seat]:
        name = state.leaders[seat]
        wanted = leaders[name].victory
        met = leader_content(state, seat)
        state_of = "met" if met else f"not met, {progress(state, seat, wanted)} of {wanted.count}"
        lines.append(
            line(
                "    Leader ",
                Span(name, "strong", None, card_text(leaders[name])),
                f" wants {wants(wanted)}: ",
                Span(state_of, "good" if met else "bad"),
            )
        )
        text = card_text(leaders[name])
        if text and leaders[name].abilities[0].trigger != "setup":
            lines.append(line("      ", Span(fit(text, 72).rstrip(), "dim")))
    return [_cut(one) for one in lines]


def _cut(one: Line, width: int = 80) -> Line:
    """The line in at most so many columns."""
    out: list[Span] = []
    used = 0
    for span in one:
        room = width - used
        if len(span.text) > room:
            out += [Span(fit(span.text, room), span.tone, span.move, span.name)] if room else []
            break
        out.append(span)
        used += len(span.text)
    return tuple(out)


def _leader(leader: Leader) -> str:
    text = card_text(leader)
    return f"wants {wants(leader.victory)}" + (f"; {text}" if text else "")


def _symbol_lines(state: State, seat: int) -> list[Line]:
    """The halves side by side, as many joined as can be: `[F` is a left edge that wants a right one."""
    lines: list[Line] = []
    counted = symbols(state, seat)
    for community in COMMUNITIES:
        if state.training:
            break
        chain = _arranged(state, seat, community)
        if chain:
            whole = f"    {community.capitalize()} {counted[community]}: "
            lines.append(_cut(line(whole, Span(" ".join(chain), "magenta" if counted[community] else "dim"))))
    return lines


def _arranged(state: State, seat: int, community: str) -> list[str]:
    """The cards with halves, joined by `<>` where two halves make a symbol; best arrangement (ruling 13)."""
    cards = [(source, card) for source, card in sources(state, seat)]
    left = [source for source, card in cards if card.left == community and card.right != community]
    right = [source for source, card in cards if card.right == community and card.left != community]
    both = [source for source, card in cards if card.left == community == card.right]
    # a half on a card's right side is joined to one on the left side of the next card
    chain = "<>".join([*right[:1], *both, *left[:1]])
    pairs = [f"{one}<>{other}" for one, other in zip(right[1:], left[1:], strict=False)]
    rest = right[1 + len(pairs) :] or left[1 + len(pairs) :]
    return [part for part in (chain, *pairs, *(f"({one})" for one in rest)) if part]


def _told(parts: Sequence[str | Span], text: str) -> list[Line]:
    """A line that ends in a text, and as many more as the text needs."""
    start = line(*parts)
    used = len(plain(start))
    first, *rest = wrap(text, WIDTH - used) or [""]
    return [
        line(*start, Span(first, "dim")),
        *(line(" " * used, Span(more, "dim")) for more in rest),
    ]


def _supporter(state: State, one: Supporter, poacher: int | None) -> list[Line]:
    card = animal(state, one.card)
    laid = [f"{one.food}F"] if one.food else []
    laid += [f"{one.influence}I"] if one.influence else []
    parts: list[str | Span] = [
        "    ",
        Span(fit(one.id, 4), "strong"),
        _name(card),
        f" {card.faction[:4]} {card.appetite} ",
        Span(_halves(card), "magenta"),
        " ",
        Span(fit("+".join(laid), 6), "good", None, "tokens on it"),
    ]
    if poacher is not None and state.phase == "action":
        cost = price(state, poacher, one)
        tone: Tone = "good" if cost <= state.influence[poacher] else "dim"
        parts.append(Span(f"poach {cost}I  ", tone, f"poach {one.id}"))
    return _told(parts, card_text(card))


def _name(card: Animal, move: str | None = None) -> Span:
    return Span(fit(card.name, 11), _TONES[card.faction], move, card_text(card))


def _halves(card: Animal | Leader) -> str:
    left = _COMMUNITY.get(card.left or "", " ")
    right = _COMMUNITY.get(card.right or "", " ")
    return f"{left}{'|' if left != ' ' or right != ' ' else ' '}{right}"


# what waits, the own hand -----------------------------------------------------------------------------


def waiting_panel(state: State, names: Names) -> Panel:
    """The stack in words, the next first."""
    lines: list[Line] = []
    for row in waiting_rows(state, names):
        must = " (mandatory)" if row.mandatory and row.status == "waiting" else ""
        status = {"running": "now", "later": "at last"}.get(row.status, "")
        label = row.card if row.source == row.card else f"{row.card} {row.source}"
        lines += _told([f"    {fit(row.seat, 12)} {fit(label, 15)} {fit(status, 7)} "], f"{row.does}{must}")
        if row.asks:
            lines += _told([" " * 41], f"asks {row.asks}")
    return panel("Waiting, the next first", lines)


def hand_panel(state: State, seat: int) -> Panel:
    """The own hand, a line a kind."""
    title = f"Your hand ({len(state.hands[seat])})"
    return panel(title, _hand_lines(state, seat), held=True)


def _hand_lines(state: State, seat: int) -> list[Line]:
    hand = state.hands[seat]
    lines: list[Line] = []
    for name in dict.fromkeys(card for card in hand if card != BACK):
        card = animal(state, name)
        count = hand.count(name)
        parts: list[Span] = [
            Span("    "),
            Span(f"{count}x " if count > 1 else "   "),
            _name(card, f"attract {name}"),
            Span(f" {card.faction} {card.appetite}".ljust(13)),
            Span(_halves(card), "magenta"),
            Span("  "),
        ]
        lines += _told(parts, card_text(card))
    return lines or [line("    ", Span("no cards", "dim"))]
