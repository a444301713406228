"""The rules, in the rulebook's order. A rule yields facts; each is applied before its next line runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engines.kit.chance import Chance
from engines.kit.game import Fact, Names, Options
from engines.kit.notation import Move
from engines.kit.offers import Offer, Offers
from engines.kit.tricks import clockwise, following, led_suit
from engines.power_vacuum.facts import (
    AgendaDealt,
    AgendaRevealed,
    AgendaScored,
    AgendasShuffled,
    AgendaTurned,
    AimDue,
    Aimed,
    BoardTaken,
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
    TrickCleared,
    TrickWon,
    TurnBegan,
)
from engines.power_vacuum.moves import Aim, Capture, Play, Plug, Point, Reveal, Transfer
from engines.power_vacuum.state import (
    APPLIANCES,
    CONSPIRATOR,
    FEWEST_TO_REVEAL,
    HAND,
    OWN_PAIR,
    PIECE,
    PIECES,
    SPY,
    TRUMP,
    State,
    agenda,
    back,
    in_order,
    is_bot,
    lowest,
    open_sockets,
    playable,
    score,
    transfers,
    winning,
)
from events.model import Outcome

#: A bot with so many points no longer captures.
BOT_WANTS_POINTS = 35

_PLAYS = {f"{suit}{number}": Play(f"{suit}{number}") for suit in "YWGRB" for number in range(1, 10)}
_POINT = Point()


# set-up -----------------------------------------------------------------------------------------------


def setup(state: State, names: Names, options: Options, chance: Chance) -> Iterator[Fact]:
    """Draws the starting player and begins the first round."""
    if not state.solo:
        first = options["first"]
        yield StarterDrawn(names.index(first or chance.pick("first-player", names)))
    yield from begin_round(state, state.starter, (2,) * len(APPLIANCES), chance)


def begin_round(state: State, starter: int, levels: tuple[int, ...], chance: Chance) -> Iterator[Fact]:
    """Resets the levels, deals, sets the cable; alone, the own Agenda is turned first (ruling 20)."""
    yield RoundBegan(state.round + 1, starter, levels)
    if not state.solo:
        yield from deal_cards(state, chance)
        yield from deal_agendas(state, chance)
        yield TurnBegan(starter)
        return
    one, other = (state.levels[appliance] for appliance in OWN_PAIR)
    if one == other:
        yield AimDue(0)  # the deal waits for the answer
        return
    most, least = OWN_PAIR if one < other else OWN_PAIR[::-1]
    yield Aimed(0, most, least)
    yield from set_table_for_solo(state, chance)


def deal_cards(state: State, chance: Chance) -> Iterator[Fact]:
    """Shuffles all but the captured cards and fills each hand up to eight, seat by seat."""
    captured = {card for hand in state.hands for card in hand}
    deck = chance.shuffle("regime-deck", [c for c in state.components.cards if c not in captured])
    for seat in range(state.seats):
        count = HAND - len(state.hands[seat])
        cards, deck = deck[:count], deck[count:]
        if not is_bot(state, seat):
            cards = in_order(cards)
        backs = [back(state, card) for card in cards]
        yield CardsDealt(seat, tuple(cards), tuple(backs if is_bot(state, seat) else in_order(backs)))


def deal_agendas(state: State, chance: Chance) -> Iterator[Fact]:
    """Deals an Agenda to each seat; the next one sets the cable."""
    deck = _agenda_deck(chance, state.components.agendas)
    for seat in range(state.seats):
        yield AgendaDealt(seat, deck[seat])
    yield CableSet(deck[state.seats])


def set_table_for_solo(state: State, chance: Chance) -> Iterator[Fact]:
    """Shuffles the seven Agendas that nobody holds, sets the cable by the first, deals the cards."""
    yield from shuffle_solo_deck(state, [a for a in state.components.agendas if a not in state.agendas], chance)
    yield CableSet(state.agenda_deck[0])
    yield from deal_cards(state, chance)
    yield TurnBegan(state.starter)


def shuffle_solo_deck(state: State, agendas: list[str], chance: Chance) -> Iterator[Fact]:
    """Makes a new Agenda deck."""
    yield AgendasShuffled(tuple(_agenda_deck(chance, agendas)))


def _agenda_deck(chance: Chance, agendas: tuple[str, ...] | list[str]) -> list[str]:
    # A stack may write the halves of an Agenda in either order.
    return chance.shuffle("agenda-deck", agendas, spelling=_spelt_agenda)


def _spelt_agenda(text: str) -> str:
    one, slash, other = text.partition("/")
    return agenda(one, other) if slash and one in APPLIANCES and other in APPLIANCES else text


def play_aim(state: State, seat: int, move: Aim, chance: Chance) -> Iterator[Fact]:
    """Solo: the own Agenda is turned, then cable and cards come."""
    yield Aimed(seat, move.most, move.least)
    yield from set_table_for_solo(state, chance)


# playing a trick --------------------------------------------------------------------------------------


def play_reveal(state: State, seat: int, move: Reveal, chance: Chance) -> Iterator[Fact]:
    """The Agenda lies open; its marker shows the number of cards in hand."""
    yield AgendaRevealed(seat, move.most, move.least, len(state.hands[seat]))


def play_card(state: State, seat: int, move: Play, chance: Chance) -> Iterator[Fact]:
    """A card is played; the last one of a trick settles who won it."""
    yield CardPlayed(seat, move.card, state.hands[seat].index(move.card) if is_bot(state, seat) else None)
    if len(state.trick) < state.seats:
        yield TurnBegan((seat + 1) % state.seats)
        return
    winner, card = winning(state.trick)
    yield TrickWon(winner, card, lowest(state.trick))
    if is_bot(state, winner):
        kept = bot_capture(state, winner)
        yield from take_spoils(state, winner, kept, chance)


def play_point(state: State, seat: int, move: Point, chance: Chance) -> Iterator[Fact]:
    """The winner takes a point."""
    yield from take_spoils(state, seat, None, chance)


def play_capture(state: State, seat: int, move: Capture, chance: Chance) -> Iterator[Fact]:
    """The winner keeps a card of the trick."""
    yield from take_spoils(state, seat, move.card, chance)


def take_spoils(state: State, seat: int, card: str | None, chance: Chance) -> Iterator[Fact]:
    """A point, or a captured card; then the Control Board."""
    yield PointTaken(seat) if card is None else CardCaptured(seat, card)
    yield TrickCleared()
    yield from run_control_board(state, chance)


# the Control Board ------------------------------------------------------------------------------------


def run_control_board(state: State, chance: Chance) -> Iterator[Fact]:
    """The next seat of those with the lowest card runs the board; after the last one the trick is over."""
    while state.board:
        seat = state.board[0]
        yield BoardTaken(seat)
        ways = transfers(state)
        if is_bot(state, seat):
            yield from run_board_for_bot(state, seat, chance)
            continue
        if len(ways) == 1:  # ruling 7: one way is no question
            yield PowerMoved(seat, *ways[0])
        elif not ways:
            yield NothingMoved(seat)
        return
    if any(state.hands):
        yield TurnBegan(state.winner)
    else:
        yield from end_round(state, chance)


def play_transfer(state: State, seat: int, move: Transfer, chance: Chance) -> Iterator[Fact]:
    """One Power goes along the cable."""
    yield PowerMoved(seat, move.from_, move.to)


def play_plug(state: State, seat: int, move: Plug, chance: Chance) -> Iterator[Fact]:
    """One plug goes to an open socket; then the next seat runs the board, or the trick is over."""
    yield PlugMoved(seat, move.socket, move.to)
    yield from run_control_board(state, chance)


# end of the round and scoring -------------------------------------------------------------------------


def end_round(state: State, chance: Chance) -> Iterator[Fact]:
    """The steps of a round's end, in the rulebook's order."""
    yield check_power_levels(state)
    yield from grab_power(state)
    if not state.solo:
        yield from reveal_hidden_agendas(state)
    yield from score_agendas(state)
    yield from acquire_statue_pieces(state)
    if PIECES in state.pieces:
        yield win_the_game(state)
    else:
        yield from begin_round(state, (state.starter + 1) % state.seats, next_levels(state), chance)


def check_power_levels(state: State) -> Fact:
    """Marks the Appliances with the most and the least Power; none when all are level (ruling 12)."""
    most, least = max(state.levels.values()), min(state.levels.values())
    if most == least:
        return LevelsMarked((), ())
    return LevelsMarked(
        tuple(a for a in APPLIANCES if state.levels[a] == most),
        tuple(a for a in APPLIANCES if state.levels[a] == least),
    )


def halves_right(state: State, most: str, least: str) -> tuple[bool, bool]:
    """Which halves of an Agenda are right; both when all Appliances are level."""
    level = not state.most
    return level or most in state.most, level or least in state.least


def grab_power(state: State) -> Iterator[Fact]:
    """Each seat takes the Power of its Appliance."""
    for seat in range(state.seats):
        yield PowerGrabbed(seat, state.levels[state.appliances[seat]])


def reveal_hidden_agendas(state: State) -> Iterator[Fact]:
    """A hidden Agenda is turned in the direction that scores, if one does (ruling 9)."""
    for seat in range(state.seats):
        if not state.revealed[seat]:
            one, other = state.agendas[seat].split("/")
            turned = all(halves_right(state, other, one))
            yield AgendaRevealed(seat, *((other, one) if turned else (one, other)), CONSPIRATOR)


def score_agendas(state: State) -> Iterator[Fact]:
    """Each right half scores the marker; a conspirator needs both."""
    for seat in range(state.seats):
        most, least = halves_right(state, *state.revealed[seat])
        marker = state.markers[seat]
        points = CONSPIRATOR * (most and least) if marker == CONSPIRATOR else marker * (most + least)
        yield AgendaScored(seat, most, least, points)


def acquire_statue_pieces(state: State) -> Iterator[Fact]:
    """One piece at a time in turn order from the winner of the last trick (ruling 10)."""
    order = clockwise(state.seats, state.winner)
    while takers := [s for s in order if state.tokens[s] >= PIECE and state.pieces[s] < PIECES]:
        for seat in takers:
            yield PieceTaken(seat, state.pieces[seat] + 1)


def win_the_game(state: State) -> Fact:
    """The one who finished the Statue; of several the one with the most points, or those (ruling 11)."""
    scores = tuple(score(state, seat) for seat in range(state.seats))
    best = max(scores[seat] for seat in range(state.seats) if state.pieces[seat] == PIECES)
    winners = [s for s in range(state.seats) if state.pieces[s] == PIECES and scores[s] == best]
    return GameEnded(tuple(winners), scores)


def next_levels(state: State) -> tuple[int, ...]:
    """The Power each Appliance begins the next round with."""
    return tuple(1 if a in state.most else 3 if a in state.least else 2 for a in APPLIANCES)


# solo mode --------------------------------------------------------------------------------------------


def automatic(state: State, seat: int) -> Move | None:
    """The card that a bot plays: it follows, else trumps, else plays its leftmost (ruling 15)."""
    if not is_bot(state, seat) or state.phase != "turn":
        return None
    hand = state.hands[seat]
    led = led_suit(state.trick)
    for suit in (led, TRUMP) if led not in ("", SPY) else (led,):
        follows = following(hand, suit)
        if follows:
            return Play(follows[0])
    return Play(hand[0])


def bot_capture(state: State, seat: int) -> str | None:
    """The card that a winning bot keeps: a 1 or 2, a Red first, then the lower, then the earlier (ruling 16)."""
    if score(state, seat) >= BOT_WANTS_POINTS:
        return None
    small = [card for _, card in state.trick if card[1] in "12"]
    return min(small, key=lambda card: (card[0] != TRUMP, card[1]), default=None)


def run_board_for_bot(state: State, seat: int, chance: Chance) -> Iterator[Fact]:
    """A bot's transfer (ruling 17), then Agendas are turned until one moves the cable (ruling 18)."""
    ways = transfers(state)
    if ways:
        yield PowerMoved(seat, *next(way for wish in bot_wishes(state, seat) for way in ways if wish(*way)))
    else:
        yield NothingMoved(seat)
    plugged = False
    while not plugged:
        if not state.agenda_deck:
            yield from shuffle_solo_deck(state, state.agenda_discards, chance)
        turned = state.agenda_deck[0]
        plugged = set(turned.split("/")) != set(state.cable)
        yield AgendaTurned(seat, turned, plugged)


def bot_wishes(state: State, seat: int) -> list[Callable[[str, str], bool]]:
    """What a bot would like of a transfer from `source` to `target`, the dearest first; any at last."""
    itself, you = state.appliances[seat], state.appliances[0]
    most, least = state.revealed[0]
    other = state.appliances[3 - seat]
    return [
        lambda source, target: target == itself,
        lambda source, target: source == you,
        lambda source, target: source == most,
        lambda source, target: target == least,
        lambda source, target: source == other,
        lambda source, target: True,
    ]


# what a seat may do now -------------------------------------------------------------------------------


def to_move(state: State) -> tuple[int, ...]:
    """The seat to decide."""
    return () if state.phase == "over" else (state.turn,)


def offers(state: State, seat: int) -> Offers:
    """What `seat`, whose turn it is, may do."""
    return _OFFERS[state.phase](state, seat)


def _turn_offers(state: State, seat: int) -> Offers:
    cards = playable(state, seat)

    def why_not(move: Play) -> str | None:
        return None if move.card in cards else why_not_play(state, seat, move.card)

    def why_not_shown(move: Reveal) -> str | None:
        return why or _why_not_directed(state.agendas[seat], move.most, move.least)

    why = why_not_reveal(state, seat)
    shown = () if why else [Reveal(most, least) for most, least in _directions(state.agendas[seat])]
    return (
        Offer(Play, "play CARD", why_not, lambda: [_PLAYS[card] for card in cards]),
        Offer(Reveal, "reveal MOST LEAST", why_not_shown, lambda: shown),
    )


def why_not_play(state: State, seat: int, card: str) -> str:
    """The sentence that refuses a card."""
    if card not in state.components.cards:
        return f"{card!r} is no Regime card; one is written like Y7 (Y W G R, 1 to 9) or B2 (a Spy)"
    if card not in state.hands[seat]:
        return f"{card} is not in your hand"
    led = led_suit(state.trick)
    return f"{led} was led and you have {led}: play one of it, or a Spy"


def why_not_reveal(state: State, seat: int) -> str | None:
    """The sentence that refuses to reveal the Agenda, or None."""
    if state.solo:
        return "alone, Agendas lie open from the start: there is nothing to reveal"
    if state.revealed[seat]:
        return "your Agenda is revealed already, and its direction stays"
    if len(state.hands[seat]) < FEWEST_TO_REVEAL:
        return (
            f"with {len(state.hands[seat])} cards in hand your Agenda stays hidden: it can be revealed with "
            f"{FEWEST_TO_REVEAL} or more"
        )
    return None


def _directions(pair: str) -> list[tuple[str, str]]:
    one, other = pair.split("/")
    return [(one, other), (other, one)]


def _why_not_directed(pair: str, most: str, least: str) -> str | None:
    if (most, least) in _directions(pair):
        return None
    return f"your Agenda is {pair}: name its two Appliances, the one that shall have most Power first"


def _spoils_offers(state: State, seat: int) -> Offers:
    cards = [card for _, card in state.trick]

    def never(move: Point) -> None:
        return None

    def why_not(move: Capture) -> str | None:
        if move.card in cards:
            return None
        return f"{move.card!r} is not in the trick, which is {' '.join(cards)}: capture one of those"

    return (
        Offer(Point, "point", never, lambda: [_POINT]),
        Offer(Capture, "capture CARD", why_not, lambda: map(Capture, cards)),
    )


def _transfer_offers(state: State, seat: int) -> Offers:
    ways = transfers(state)

    def why_not(move: Transfer) -> str | None:
        if (move.from_, move.to) in ways:
            return None
        one, other = state.cable
        return f"the cable connects {one} and {other}: Power goes from one of them to the other"

    return (Offer(Transfer, "transfer FROM TO", why_not, lambda: [Transfer(*way) for way in ways]),)


def _plug_offers(state: State, seat: int) -> Offers:
    targets = open_sockets(state)

    def why_not(move: Plug) -> str | None:
        if move.socket not in state.cable:
            return f"no plug is at {move.socket!r}; the plugs are at {' and '.join(state.cable)}"
        if move.to not in targets:
            return f"{move.to!r} is no open socket; open are {', '.join(targets)}"
        return None

    return (
        Offer(
            Plug,
            "plug SOCKET TO",
            why_not,
            lambda: [Plug(socket, to) for socket in state.cable for to in targets],
        ),
    )


def _aim_offers(state: State, seat: int) -> Offers:
    pair = agenda(*OWN_PAIR)

    def why_not(move: Aim) -> str | None:
        return _why_not_directed(pair, move.most, move.least)

    return (
        Offer(Aim, "aim MOST LEAST", why_not, lambda: [Aim(most, least) for most, least in _directions(pair)]),
    )


_OFFERS: dict[str, Callable[[State, int], Offers]] = {
    "turn": _turn_offers,
    "spoils": _spoils_offers,
    "transfer": _transfer_offers,
    "plug": _plug_offers,
    "aim": _aim_offers,
}

_RULES: dict[type[Move], Any] = {
    Reveal: play_reveal,
    Play: play_card,
    Point: play_point,
    Capture: play_capture,
    Transfer: play_transfer,
    Plug: play_plug,
    Aim: play_aim,
}


def play(state: State, seat: int, move: Move, chance: Chance) -> Iterator[Fact]:
    """Carries out a move that is on offer."""
    return _RULES[type(move)](state, seat, move, chance)


def outcome(state: State) -> Outcome | None:
    """Who won, once a Statue is complete and the round over."""
    if state.phase != "over":
        return None
    scores = tuple(score(state, seat) for seat in range(state.seats))
    finished = sum(pieces == PIECES for pieces in state.pieces)
    if len(state.winners) > 1:
        reason = "Statues completed in the same round, level on points"
    elif finished > 1:
        reason = "most points of those who completed their Statue"
    else:
        reason = "completed the Statue"
    return Outcome(tuple(state.winners), scores, reason)
