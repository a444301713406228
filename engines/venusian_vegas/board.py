"""The board drawn, and facts told. Both get what a viewer may see and add nothing to it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

from engines.kit.boards import Board, Line, Panel, Span, Tone, fit, joined, line, panel
from engines.kit.game import Names
from engines.kit.secrecy import REFEREE, Viewer
from engines.kit.tricks import led_suit
from engines.venusian_vegas.facts import (
    HIDDEN,
    BonusTaken,
    CardDiscarded,
    CardPlayed,
    CardsDrawn,
    CardStolen,
    CardsTurned,
    CardTaken,
    DeckShuffled,
    Declined,
    FirstDrawn,
    GameEnded,
    PointsGained,
    PointsLost,
    PointsPaid,
    PointsStolen,
    RankFlipped,
    RoundBegan,
    RoundBonusTaken,
    RoundEnded,
    TokensCollected,
    TrackRaised,
    TrickWon,
    TrumpSet,
)
from engines.venusian_vegas.offering import setup_raises, ways, why_not_bonus
from engines.venusian_vegas.state import (
    HIGHEST,
    NO_TRUMP,
    SPACES,
    SUITS,
    TOKENS,
    TRACK_OF,
    TRACKS,
    Set,
    State,
    bonus_kind,
    in_order,
    level,
    playable,
    winning,
)

_TONES: dict[str, Tone] = {"T": "green", "G": "yellow", "I": "blue", "B": "cyan", "M": "magenta"}
_TRACK_TONES: dict[str, Tone] = {track: _TONES[suit] for suit, track in TRACK_OF.items()}
_SUIT_NAMES = {suit: track.title() for suit, track in TRACK_OF.items()}

_TRICK_ABILITIES = {
    "T": "draw a card",
    "G": "pay 1 VP, steal a card",
    "I": "the others discard a card each",
    "B": "take a token",
    "M": "the others lose 1 VP each",
}
_ROUND_ABILITIES = {
    "T": "turn two cards, take their round bonuses",
    "G": "take 2 VP from another seat",
    "I": "the others lose 2 VP each",
    "B": "raise any track",
    "M": "3 VP",
}


def trick_bonus(components: Set, card: str) -> str:
    """What the trick bonus of a card is, in a few words."""
    kind = bonus_kind(components, card)
    if kind == "points":
        return f"{components.trick_points} VP"
    return f"raise {TRACK_OF[card[0]]}" if kind == "raise" else _TRICK_ABILITIES[card[0]]


def round_bonus(components: Set, card: str) -> str:
    """What the round bonus of a card is, in a few words."""
    kind = bonus_kind(components, card)
    if kind == "points":
        return f"{components.round_points} VP"
    return f"raise {TRACK_OF[card[0]]} twice" if kind == "raise" else _ROUND_ABILITIES[card[0]]


def _card(state: State, card: str, move: str | None = None) -> Span:
    if card == HIDDEN:
        return Span(card, "dim", None, "a card that you do not see")
    trick, last = trick_bonus(state.components, card), round_bonus(state.components, card)
    name = f"{_SUIT_NAMES[card[0]]} {card[1:]}; in a trick: {trick}; at a round's end: {last}"
    return Span(card, _TONES[card[0]], move, name)


# the board --------------------------------------------------------------------------------------------


def board(state: State, viewer: Viewer, names: Names) -> Board:
    """The board: indicators and trick, the seats' tracks and tokens, what is asked, the hand, the discards."""
    title = f"Venusian Vegas, round {state.round} of {state.rounds}" if state.round else "Venusian Vegas, set-up"
    rows: list[tuple[Panel, ...]] = [
        (panel(title + (", the game is over" if state.phase == "over" else ""), ()),),
        (indicators_panel(state), trick_panel(state, names)),
        (seats_panel(state, names),),
    ]
    if state.phase != "over":
        rows.append((asked_panel(state, viewer, names),))
    cards = [hand_panel(state, seat, viewer, names) for seat in range(state.seats) if viewer in (seat, REFEREE)]
    rows.append((*cards, discards_panel(state)))
    return Board(tuple(rows))


def indicators_panel(state: State) -> Panel:
    """Trump, rank, the led suit and how many cards the deck has."""
    trump, led = state.trump, led_suit(state.trick)
    lines = [
        line("  trump  ", _suit(trump) if trump != NO_TRUMP else Span("none")),
        line("  rank   ", Span(f"{state.rank} wins", "plain" if state.rank == "high" else "strong")),
        line("  led    ", _suit(led) if led else Span("-", "dim")),
        line("  deck   ", f"{len(state.deck)} cards"),
    ]
    return panel("Indicators", lines)


def _suit(suit: str) -> Span:
    return Span(f"{_SUIT_NAMES[suit]} ({suit})", _TONES[suit])


def trick_panel(state: State, names: Names) -> Panel:
    """The plays of the trick with their tokens, the one that wins so far marked."""
    if not state.trick:
        return panel("Trick", (line("  ", Span("no card yet", "dim")),))
    tokens = {seat: (token, blank) for token, (seat, blank) in state.laid.items()}
    settled = bool(state.claims or state.choices or state.claimed)
    best = state.winner if settled else winning(state)[0]
    lines: list[Line] = []
    for seat, card in state.trick:
        token, blank = tokens.get(seat, ("", False))
        laid = f"{token} token{', blank' if blank else ''}" if token else ""
        mark = ("wins" if settled else "best so far") if seat == best else ""
        shown = _card(state, card, f"{state.phase} {card}" if state.phase in ("bonus", "take") else None)
        lines.append(
            line(
                "  ",
                fit(names[seat], 12),
                " ",
                shown,
                " " * (5 - len(card)),
                Span(f"{laid:<23}", _TRACK_TONES.get(token, "plain")),
                Span(mark, "good"),
            )
        )
    return panel("Trick", lines)


def seats_panel(state: State, names: Names) -> Panel:
    """Two rows a seat: VP, increases, cards and tracks as bars with what they give; below them the tokens."""
    head = f"  {'seat':<12} {'VP':>3} {'rises':>5} {'cards':>5}  " + "".join(f"{track:<10}" for track in TRACKS)
    lines = [line(Span(head.rstrip(), "dim"))]
    for seat, name in enumerate(names):
        turn = state.turn == seat and state.phase != "over"
        won = state.phase == "over" and seat in state.winners
        lines.append(
            line(
                Span("> " if turn else "* " if won else "  ", "strong", None, "to move" if turn else None),
                Span(fit(name, 12), "strong" if turn or won else "plain"),
                f" {state.scores[seat]:3} {state.increases[seat]:5} {len(state.hands[seat]):5}  ",
                *(_bar(state, seat, track) for track in TRACKS),
            )
        )
        if any(state.tokens[seat].values()):
            tokens = [Span(f"{_tokens(state.tokens[seat][t], t):<10}", _TRACK_TONES[t]) for t in TOKENS]
            lines.append(line(Span(f"{'tokens':>30}  ", "dim"), " " * 10, *tokens))
    legend = "# reached  . ahead  * VP space ahead  $ reached; then what the track gives"
    lines.append(line("  ", Span(legend, "dim")))
    return panel("Seats" + (", * won" if state.phase == "over" else ""), lines)


def _bar(state: State, seat: int, track: str) -> Span:
    stands, points = state.spaces[seat][track], state.components.vp_spaces[track]
    bar = "".join(
        ("$" if space in points else "#") if space <= stands else "*" if space in points else "."
        for space in range(1, SPACES + 1)
    )
    gives = level(state, seat, track)
    name = f"{track}, space {stands} of {SPACES}: {gives} {'cards' if track == 'team' else 'tokens'} a round"
    move = f"raise {track}" if state.phase in ("rise", "raise") and state.turn == seat else None
    return Span(f"{bar} {gives:<4}", _TRACK_TONES[track], move, name)


def _tokens(count: int, colour: str) -> str:
    return "-" if not count else "o" * count if count <= 8 else f"o x{count}"


# what is asked ----------------------------------------------------------------------------------------


def asked_panel(state: State, viewer: Viewer, names: Names) -> Panel:
    """What the seat to move is asked, and what it types."""
    return panel(f"To move: {names[state.turn]}", _ASKED[state.phase](state, viewer))


def _says(text: str, *lines: Line) -> list[Line]:
    return [line("  ", text), *lines]


def _choices(state: State, verb: str, texts: dict[str, str]) -> list[Line]:
    """A line for each move of a verb with a card, and what it gives."""
    return [
        line("    ", f"{verb} ", _card(state, card, f"{verb} {card}"), " " * (5 - len(card)), Span(text, "dim"))
        for card, text in texts.items()
    ]


def _asked_setup(state: State, viewer: Viewer) -> list[Line]:
    count = setup_raises(state)
    return _says(f"raises {count} different tracks: raise {' '.join(['TRACK'] * count)}")


def _asked_rise(state: State, viewer: Viewer) -> list[Line]:
    return _says("is furthest behind: raises a track and leads: raise TRACK")


def _asked_play(state: State, viewer: Viewer) -> list[Line]:
    seat = state.turn
    text = "plays a card" if state.trick else "leads a card"
    lines = _says(f"{text}: play CARD")
    ready = [token for token, count in state.tokens[seat].items() if count and token not in state.laid]
    if ready:
        lines.append(line("  ", f"or with a token ({', '.join(ready)}): play CARD with TOKEN"))
        lines.append(line("  ", "a token that shall only block its colour: play CARD with TOKEN blank"))
    if "game" in ready:
        lines.append(line("  ", f"a game token sets the trump: with game trump SUIT ({' '.join(SUITS)} or none)"))
    can = playable(state, seat)
    if seat == viewer and len(can) < len(state.hands[seat]):
        cards = joined(_card(state, card, f"play {card}") for card in can)
        lines.append(line("  ", Span("you must follow: ", "dim"), *cards))
    return lines


def _asked_bonus(state: State, viewer: Viewer) -> list[Line]:
    seat = state.turn
    due = "for the Bot token" if state.claimed or seat != state.winner else "for the trick"
    cards = [card for _, card in state.trick if why_not_bonus(state, seat, card) is None]
    return _says(
        f"takes a bonus {due}, or none: bonus CARD, or decline",
        *_choices(state, "bonus", {card: trick_bonus(state.components, card) for card in cards}),
    )


def _asked_take(state: State, viewer: Viewer) -> list[Line]:
    return _says("takes a card of the trick for the Mobster token: take CARD, or decline")


def _asked_discard(state: State, viewer: Viewer) -> list[Line]:
    return _says("discards a card, face up: discard CARD")


def _asked_steal(state: State, viewer: Viewer) -> list[Line]:
    what = "a random card" if state.phase == "steal-card" else "2 VP, or what there is,"
    lines: list[Line] = []
    for name in ways(state, state.phase, state.turn):
        seat = state.names.index(name)
        has = f"{len(state.hands[seat])} cards" if state.phase == "steal-card" else f"{state.scores[seat]} VP"
        # A name that is not one plain word is best typed as the seat's number.
        word = name if name.isascii() and " " not in name and '"' not in name else str(seat + 1)
        lines.append(line("    ", Span(f"steal {word}", "plain", f"steal {word}", name), Span(f"  {has}", "dim")))
    return _says(f"takes {what} from another seat: steal SEAT", *lines)


def _asked_token(state: State, viewer: Viewer) -> list[Line]:
    return _says(f"takes a token of any colour: token COLOUR ({', '.join(TOKENS)})")


def _asked_order(state: State, viewer: Viewer) -> list[Line]:
    cards = state.hands[state.turn] if viewer in (state.turn, REFEREE) else []
    return _says(
        "reveals the last hand in any order, for the round bonuses: order CARD",
        *_choices(state, "order", {card: round_bonus(state.components, card) for card in cards}),
    )


def _asked_raise(state: State, viewer: Viewer) -> list[Line]:
    return _says("raises any track: raise TRACK")


_ASKED: dict[str, Callable[[State, Viewer], list[Line]]] = {
    "setup": _asked_setup,
    "rise": _asked_rise,
    "play": _asked_play,
    "bonus": _asked_bonus,
    "take": _asked_take,
    "discard": _asked_discard,
    "steal-card": _asked_steal,
    "token": _asked_token,
    "order": _asked_order,
    "steal-points": _asked_steal,
    "raise": _asked_raise,
}


# cards ------------------------------------------------------------------------------------------------


def hand_panel(state: State, seat: int, viewer: Viewer, names: Names) -> Panel:
    """A hand sorted by suit, and what the numbers give."""
    hand = state.hands[seat]
    verb = {"play": "play", "discard": "discard", "order": "order"}.get(state.phase, "")
    lines: list[Line] = []
    for suit in SUITS:
        cards = [card for card in hand if card[0] == suit]
        if cards:
            spans = [
                _card(state, card, f"{verb} {card}" if verb and state.turn == seat else None) for card in cards
            ]
            lines.append(line("  ", Span(fit(_SUIT_NAMES[suit], 10), _TONES[suit]), *joined(spans)))
    if not lines:
        lines.append(line("  ", Span("no cards", "dim")))
    if seat == viewer:
        lines.append(line("  ", Span(_numbers(state.components), "dim")))
    own = seat == viewer
    return panel("Your hand" if own else f"Hand of {fit(names[seat], 20).rstrip()}", lines, held=own)


def _numbers(components: Set) -> str:
    low, mid = components.points_to, components.ability_to
    kinds = ((1, low, f"{components.trick_points} VP"), (low + 1, mid, "ability"), (mid + 1, HIGHEST, "raise"))
    return "  ".join(f"{first}-{last} {gives}" for first, last, gives in kinds if first <= last)


def discards_panel(state: State) -> Panel:
    """The cards that are out until the next round, by suit."""
    lines: list[Line] = []
    for suit in SUITS:
        cards = in_order([card for card in state.discards if card[0] == suit])
        if cards:
            spans = [Span(card[1:], _TONES[suit], None, _card(state, card).name) for card in cards]
            lines.append(line("  ", Span(f"{suit}  ", _TONES[suit]), *joined(spans)))
    return panel("Discards", lines or [line("  ", Span("none", "dim"))])


# told -------------------------------------------------------------------------------------------------


def tell(fact: Any, names: Names) -> str | None:
    """A fact in a sentence, like a match report; None where it speaks for itself."""
    teller = _TELLERS.get(fact.__class__)
    return teller(fact, names) if teller else None


def _list(words: list[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def _raised(fact: TrackRaised, names: Names) -> str:
    who, track = names[fact.seat], fact.track.title()
    if not fact.moved:
        return f"{who}'s {track} track is at its top already: {fact.points} VP instead."
    scored = f", a VP space: {fact.points} VP" if fact.points else ""
    return f"{who} raises {track} to space {fact.space}{scored}."


def _drawn(fact: CardsDrawn, names: Names) -> str:
    count = len(fact.cards)
    if not count:
        return f"The deck is empty: {names[fact.seat]} draws no card."
    if fact.cards[0] == HIDDEN:
        return f"{names[fact.seat]} draws {'a card' if count == 1 else f'{count} cards'}."
    return f"{names[fact.seat]} draws {' '.join(in_order(list(fact.cards)))}."


def _collected(fact: TokensCollected, names: Names) -> str:
    words = [
        f"{_a(colour)} token" if count == 1 else f"{count} {colour} tokens"
        for colour, count in Counter(fact.colours).items()
    ]
    return f"{names[fact.seat]} gets {_list(words)}."


def _a(colour: str) -> str:
    return f"an {colour}" if colour[0] in "aeiou" else f"a {colour}"


def _played(fact: CardPlayed, names: Names) -> str:
    if not fact.token:
        return f"{names[fact.seat]} plays {fact.card}."
    token = f"with a blank {fact.token} token that only blocks" if fact.blank else f"with {_a(fact.token)} token"
    return f"{names[fact.seat]} plays {fact.card} {token}."


def _trump(fact: TrumpSet, names: Names) -> str:
    return "There is no trump now." if fact.trump == NO_TRUMP else f"{_SUIT_NAMES[fact.trump]} is trump now."


def _rank(fact: RankFlipped, names: Names) -> str:
    return f"The Rank Indicator flips: {fact.rank} wins now."


def _declined(fact: Declined, names: Names) -> str:
    return f"{names[fact.seat]} takes no {'bonus' if fact.claim == 'bonus' else 'card'}."


def _stolen(fact: CardStolen, names: Names) -> str:
    card = fact.card if fact.card != HIDDEN else fact.lost
    return f"{names[fact.seat]} steals {'a card' if card == HIDDEN else card} from {names[fact.victim]}."


def _round_ended(fact: RoundEnded, names: Names) -> str:
    if fact.holder is None:
        return f"Round {fact.round} ends: nobody holds cards."
    return f"Round {fact.round} ends: {names[fact.holder]} alone holds cards, and reveals them."


def _turned(fact: CardsTurned, names: Names) -> str:
    if not fact.cards:
        return f"The deck is empty: {names[fact.seat]} turns no card."
    return f"{names[fact.seat]} turns {_list([*fact.cards])} from the deck."


def _ended(fact: GameEnded, names: Names) -> str:
    winners = _list([names[seat] for seat in fact.winners])
    verb = "wins" if len(fact.winners) == 1 else "share the win"
    scores = ", ".join(
        f"{name} {points} VP ({rises} track increases)"
        for name, points, rises in zip(names, fact.scores, fact.increases, strict=True)
    )
    return f"The game is over: {winners} {verb}. {scores}."


_TELLERS: dict[type[Any], Callable[[Any, Names], str | None]] = {
    DeckShuffled: lambda f, n: f"All {len(f.deck)} cards are shuffled.",
    FirstDrawn: lambda f, n: f"{n[f.seat]} is drawn to be first.",
    RoundBegan: lambda f, n: f"Round {f.round} begins: no trump, high wins. {n[f.leader]} is furthest behind.",
    TrackRaised: _raised,
    CardsDrawn: _drawn,
    TokensCollected: _collected,
    CardPlayed: _played,
    TrumpSet: _trump,
    RankFlipped: _rank,
    TrickWon: lambda f, n: f"{n[f.seat]} wins the trick with {f.card}.",
    BonusTaken: lambda f, n: f"{n[f.seat]} takes the bonus of {f.card}.",
    Declined: _declined,
    CardTaken: lambda f, n: f"{n[f.seat]} takes {f.card} out of the trick.",
    PointsGained: lambda f, n: f"{n[f.seat]} gains {f.points} VP.",
    PointsLost: lambda f, n: f"{n[f.seat]} loses {f.points} VP.",
    PointsPaid: lambda f, n: f"{n[f.seat]} pays {f.points} VP.",
    CardDiscarded: lambda f, n: f"{n[f.seat]} discards {f.card}.",
    CardStolen: _stolen,
    PointsStolen: lambda f, n: f"{n[f.seat]} takes {f.points} VP from {n[f.victim]}.",
    RoundEnded: _round_ended,
    CardsTurned: _turned,
    RoundBonusTaken: lambda f, n: f"{n[f.seat]} takes the round bonus of {f.card}.",
    GameEnded: _ended,
}
