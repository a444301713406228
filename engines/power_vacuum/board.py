"""The board drawn, and facts told. Both get what a viewer may see and add nothing to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.kit.boards import WIDTH, Board, Line, Panel, Span, Tone, fit, joined, line, panel
from engines.kit.game import Names
from engines.kit.secrecy import REFEREE, Viewer
from engines.power_vacuum.facts import (
    HIDDEN_AGENDA,
    AgendaDealt,
    AgendaRevealed,
    AgendaScored,
    AgendaTurned,
    Aimed,
    CableSet,
    CardCaptured,
    CardPlayed,
    CardsDealt,
    GameEnded,
    LevelsMarked,
    NothingMoved,
    PieceTaken,
    PlugMoved,
    PointTaken,
    PowerGrabbed,
    PowerMoved,
    RoundBegan,
    StarterDrawn,
    TrickWon,
)
from engines.power_vacuum.state import (
    APPLIANCES,
    CONSPIRATOR,
    FEWEST_TO_REVEAL,
    HAND,
    SOCKETS,
    SUPPLY,
    State,
    back,
    playable,
    score,
    winning,
)

_SUITS: dict[str, tuple[str, Tone]] = {
    "Y": ("Yellow", "yellow"),
    "W": ("White", "white"),
    "G": ("Green", "green"),
    "R": ("Red", "red"),
    "B": ("Brown, a Spy", "brown"),
}
_PIECES = ("foundation", "bottom", "torso", "head")


def _card(state: State, card: str, move: str | None = None) -> Span:
    suit, tone = _SUITS[card[0]]
    name = f"{suit} {card[1]}" if card[1] != "?" else f"a {suit} back"
    if card[0] == "B" and card[1] != "?":
        name += f" with a {_SUITS[back(state, card)[0]][0]} back"
    return Span(card, tone, move, name)


def _appliance(name: str, width: int = 0) -> Span:
    tone: Tone = "dim" if name == SUPPLY else name if name in APPLIANCES else "plain"  # type: ignore[assignment]
    return Span(fit(name, width) if width else name, tone)


def board(state: State, viewer: Viewer, names: Names) -> Board:
    """The board: the Control Board, the trick, a row a seat, the own hand."""
    held = max(map(len, state.hands), default=0)
    number = HAND - held + (state.phase == "turn")
    where = {"over": "the game is over", "aim": "before the deal"}.get(state.phase, f"trick {number} of {HAND}")
    title = f"Power Vacuum, round {state.round} ({names[state.starter]} began), {where}"
    top = (control_board(state), trick_panel(state, names))
    rows = [(panel(fit(title, WIDTH).rstrip(), ()),), top, (seats_panel(state, viewer, names),)]
    if viewer is not None and viewer != REFEREE:
        rows.append((hand_panel(state, viewer),))
    return Board(tuple(rows))


def control_board(state: State) -> Panel:
    """Levels as bars, and the plugs."""
    lines: list[Line] = []
    for socket in SOCKETS:
        plugged = socket in state.cable
        level = state.levels.get(socket, 0)
        bar = "" if socket == SUPPLY else "#" * level
        owner = "=o=" if plugged else " . "
        amount = "  " if socket == SUPPLY else f"{level:2}"
        lines.append(
            line(
                "  ",
                _appliance(socket, 7),
                Span(owner, "strong" if plugged else "dim", None, "a plug of the cable" if plugged else "open"),
                f" {amount} ",
                Span(fit(bar, 10) if len(bar) <= 10 else f"{bar[:9]}+"),
            )
        )
    return panel("Control Board", lines)


def trick_panel(state: State, names: Names) -> Panel:
    """The plays of the trick, the one that wins so far marked."""
    if not state.trick:
        return panel("Trick", (line("  ", Span("no card yet", "dim")),))
    best = winning(state.trick)
    lines = [
        line(
            "  ",
            fit(names[seat], 16),
            " ",
            _card(state, card, f"capture {card}" if state.phase == "spoils" else None),
            Span("  wins" if (seat, card) == best and state.phase == "spoils" else "  best so far", "good")
            if (seat, card) == best
            else Span(""),
        )
        for seat, card in state.trick
    ]
    return panel("Trick", lines)


def seats_panel(state: State, viewer: Viewer, names: Names) -> Panel:
    """A row a seat: Appliance, points, Statue, Agenda, cards."""
    head = f"    {'seat':<12} {'appliance':<9}{'points':>7} {'statue':<7}{'agenda':<21}{'cards'}"
    lines = [line(Span(head, "dim"))]
    for seat, name in enumerate(names):
        turn = state.turn == seat and state.phase != "over"
        statue = "[" + "#" * state.pieces[seat] + "." * (4 - state.pieces[seat]) + "]"
        cards = state.hands[seat]
        captured = state.captured[seat]
        lines.append(
            line(
                Span("  > " if turn else "    ", "strong", None, "to move" if turn else None),
                Span(fit(name, 12), "strong" if turn else "plain"),
                " ",
                _appliance(state.appliances[seat], 9),
                f"{score(state, seat):7} {statue:<7}",
                *_agenda(state, seat),
                *(joined((_card(state, card) for card in cards), "") if seat != viewer else [f"{len(cards)}"]),
            )
            if len(cards) * 2 <= 20
            else line(name)
        )
        if captured:
            lines.append(
                line(
                    " " * 23,
                    Span("captured for the next round: ", "dim"),
                    *joined(_card(state, c) for c in captured),
                )
            )
    if state.phase in ("transfer", "plug"):
        waiting = ", then ".join(names[seat] for seat in state.board)
        lines.append(line(Span(fit(f"  Control Board: {waiting}", WIDTH).rstrip(), "dim")))
    return panel("Seats", lines)


def _agenda(state: State, seat: int) -> list[Span]:
    if state.revealed[seat]:
        most, least = state.revealed[seat]
        text = f"+{most} -{least} {state.markers[seat]}"
        return [Span(fit(text, 21), "plain", None, f"most {most}, least {least}, {state.markers[seat]} a half")]
    if state.agendas[seat] == HIDDEN_AGENDA:
        return [Span(fit("hidden", 21), "dim")]
    if state.solo:
        return [Span(fit(f"{state.agendas[seat]} to aim", 21))]
    return [Span(fit(f"{state.agendas[seat]} hidden", 21), "plain", None, "hidden from the others")]


def hand_panel(state: State, seat: int) -> Panel:
    """The own hand, and the cards of it that may be played now."""
    hand = state.hands[seat]
    cards = joined(_card(state, card, f"play {card}") for card in hand) or [Span("no cards", "dim")]
    lines = [line("  ", *cards)]
    worth = agenda_worth(state, seat)
    if worth:
        lines.append(line("  ", Span(worth, "dim")))
    if state.phase == "turn" and state.turn == seat and state.trick:
        can = playable(state, seat)
        if len(can) < len(hand):
            lines.append(
                line("  ", Span("may be played: ", "dim"), *joined(_card(state, c, f"play {c}") for c in can))
            )
    return panel("Your hand", lines, held=True)


def agenda_worth(state: State, seat: int) -> str:
    """What a hidden Agenda may still bring; empty where it is open or there is none."""
    if state.solo or state.revealed[seat] or state.phase == "over":
        return ""
    cards = len(state.hands[seat])
    if cards < FEWEST_TO_REVEAL:
        return f"You conspire: the Agenda brings {CONSPIRATOR} if both halves are right, else nothing."
    return f"Agenda {state.agendas[seat]}: revealed with {cards} cards in hand a right half brings {cards}."


# told -------------------------------------------------------------------------------------------------


def tell(fact: Any, names: Names) -> str | None:
    """A fact in a sentence, like a match report; None where it speaks for itself."""
    teller = _TELLERS.get(fact.__class__)
    return teller(fact, names) if teller else None


def _list(words: tuple[str, ...]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def _trick_won(fact: TrickWon, names: Names) -> str:
    won = f"{names[fact.seat]} wins the trick with {fact.card}"
    first, *others = (names[seat] for seat in fact.lowest)
    if others:
        low = _list((first, *others))
        return f"{won}; {low} played lowest and run the Control Board in that order."
    if fact.lowest == (fact.seat,):
        return f"{won}, played lowest as well and runs the Control Board."
    return f"{won}; {first} played lowest and runs the Control Board."


def _dealt(fact: CardsDealt, names: Names) -> str:
    return f"{names[fact.seat]} is dealt {' '.join(fact.cards) or 'nothing'}."


def _agenda_dealt(fact: AgendaDealt, names: Names) -> str:
    shown = "an Agenda" if fact.agenda == HIDDEN_AGENDA else f"the Agenda {fact.agenda}"
    return f"{names[fact.seat]} is dealt {shown}."


def _revealed(fact: AgendaRevealed, names: Names) -> str:
    wager = f"most Power for {fact.most}, least for {fact.least}"
    if fact.marker == CONSPIRATOR:
        return f"{names[fact.seat]} turns the hidden Agenda: {wager}."
    return f"{names[fact.seat]} reveals the Agenda: {wager}, {fact.marker} points a half."


def _marked(fact: LevelsMarked, names: Names) -> str:
    if not fact.most:
        return "The round ends. All Appliances are level: every half of every Agenda is right."
    return f"The round ends. Most Power: {_list(fact.most)}. Least: {_list(fact.least)}."


def _scored(fact: AgendaScored, names: Names) -> str:
    halves = {
        (True, True): "both halves are right",
        (True, False): "most is right",
        (False, True): "least is right",
        (False, False): "neither half is right",
    }[fact.most_right, fact.least_right]
    return f"{names[fact.seat]}'s Agenda: {halves}, {fact.points} points."


def _ended(fact: GameEnded, names: Names) -> str:
    winners = _list(tuple(names[seat] for seat in fact.winners))
    scores = ", ".join(f"{name} {points}" for name, points in zip(names, fact.scores, strict=True))
    verb = "wins" if len(fact.winners) == 1 else "share the win"
    return f"The game is over: {winners} {verb}. Points: {scores}."


def _turned(fact: AgendaTurned, names: Names) -> str:
    done = "moves the cable there" if fact.plugged else "which is where the cable is, so it is discarded"
    return (
        f"{names[fact.seat]} turns the Agenda {fact.agenda} and {done}."
        if fact.plugged
        else (f"{names[fact.seat]} turns the Agenda {fact.agenda}, {done}.")
    )


_TELLERS: dict[type[Any], Callable[[Any, Names], str | None]] = {
    StarterDrawn: lambda f, n: f"{n[f.seat]} starts the first round.",
    RoundBegan: lambda f, n: f"Round {f.round} begins; {n[f.starter]} leads.",
    Aimed: lambda f, n: f"{n[f.seat]}'s Agenda: most Power for {f.most}, least for {f.least}.",
    CardsDealt: _dealt,
    AgendaDealt: _agenda_dealt,
    CableSet: lambda f, n: f"The cable connects {f.agenda.replace('/', ' and ')}.",
    AgendaRevealed: _revealed,
    CardPlayed: lambda f, n: f"{n[f.seat]} plays {f.card}.",
    TrickWon: _trick_won,
    PointTaken: lambda f, n: f"{n[f.seat]} takes a point.",
    CardCaptured: lambda f, n: f"{n[f.seat]} captures {f.card} for the next round.",
    PowerMoved: lambda f, n: f"{n[f.seat]} moves a Power from {f.source} to {f.target}.",
    NothingMoved: lambda f, n: f"Both ends of the cable are without Power: {n[f.seat]} moves none.",
    PlugMoved: lambda f, n: f"{n[f.seat]} moves the plug from {f.socket} to {f.to}.",
    AgendaTurned: _turned,
    LevelsMarked: _marked,
    PowerGrabbed: lambda f, n: f"{n[f.seat]} grabs {f.points} Power." if f.points else None,
    AgendaScored: _scored,
    PieceTaken: lambda f, n: f"{n[f.seat]} adds the {_PIECES[f.piece - 1]} to the Statue.",
    GameEnded: _ended,
}
