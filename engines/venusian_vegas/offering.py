"""What a seat may do now, and the sentence that refuses anything else."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import combinations

from engines.kit.offers import Offer, Offers
from engines.kit.tricks import led_suit
from engines.venusian_vegas.moves import Bonus, Decline, Discard, Order, Play, Raise, Steal, Take, Token
from engines.venusian_vegas.state import (
    NO_TRUMP,
    SPACES,
    SUITS,
    TOKENS,
    TRACK_OF,
    TRACKS,
    State,
    bonus_kind,
    others_with_cards,
    others_with_points,
    playable,
    seat_named,
)

#: So many tracks are raised in the set-up, with five seats one more.
SETUP_RAISES, SETUP_RAISES_OF_FIVE = 2, 3

TRUMPS = (*SUITS, NO_TRUMP)

_DECLINE = Decline()


def _always(move: object) -> None:
    return None


def _words(words: Sequence[str]) -> str:
    return " ".join(words) or "empty"


# raising ----------------------------------------------------------------------------------------------


def setup_raises(state: State) -> int:
    """How many tracks a seat raises in the set-up."""
    return SETUP_RAISES_OF_FIVE if state.seats == 5 else SETUP_RAISES


def _raise_offers(state: State, seat: int) -> Offers:
    count = setup_raises(state) if state.phase == "setup" else 1

    def why_not(move: Raise) -> str | None:
        for track in move.tracks:
            if track not in TRACKS:
                return f"{track!r} is no track; the tracks are {', '.join(TRACKS)}"
        if len(move.tracks) != count or len(set(move.tracks)) < count:
            which = "1 track is" if count == 1 else f"{count} different tracks are"
            return f"{which} raised now; got {_words(move.tracks) if move.tracks else 'none'}"
        return None

    def moves() -> list[Raise]:
        return [*map(Raise, combinations(TRACKS, count))]

    if count == 1:
        return (Offer(Raise, "raise TRACK", why_not, moves),)
    pattern = f"raise {' '.join(['TRACK'] * count)} ({count} different ones, in any order)"
    return (Offer(Raise, pattern, why_not, moves, complete=False),)


# playing ----------------------------------------------------------------------------------------------


@cache
def plays_with(card: str, token: str | None) -> tuple[Play, ...]:
    """The ways to play a card with a token of a colour, or without one."""
    if token is None:
        return (Play(card),)
    blank = Play(card, token, None, True)
    if token == "game":  # noqa: S105 - a colour
        return (*(Play(card, token, trump) for trump in TRUMPS), blank)
    return (Play(card, token), blank)


def _play_offers(state: State, seat: int) -> Offers:
    cards = playable(state, seat)
    held, laid = state.tokens[seat], state.laid
    tokens: list[str | None] = [None, *(token for token in TOKENS if held[token] and token not in laid)]

    def why_not(move: Play) -> str | None:
        if move.card not in cards:
            return why_not_card(state, seat, move.card)
        return why_not_token(state, seat, move)

    def moves() -> list[Play]:
        return [play for card in cards for token in tokens for play in plays_with(card, token)]

    return (Offer(Play, "play CARD [with TOKEN [trump SUIT] [blank]]", why_not, moves),)


def why_not_card(state: State, seat: int, card: str) -> str:
    """The sentence that refuses to play a card."""
    if card not in state.components.cards:
        return f"{card!r} is no card; one is written like T7 (T G I B M, 1 to 13)"
    if card not in state.hands[seat]:
        return f"{card} is not in your hand"
    led = led_suit(state.trick)
    return f"{TRACK_OF[led].title()} ({led}) was led and you have it: play one of that suit"


def why_not_token(state: State, seat: int, move: Play) -> str | None:
    """The sentence that refuses the token of a play, or None."""
    token = move.with_
    if token is None:
        if move.trump is None and not move.blank:
            return None
        return f"{'blank' if move.blank else 'trump'} goes with a token: play {move.card} with TOKEN ..."
    if token not in TOKENS:
        return f"{token!r} is no token; the tokens are {', '.join(TOKENS)}"
    if not state.tokens[seat][token]:
        held = [f"{colour} {count}" for colour, count in state.tokens[seat].items() if count]
        return f"you have no {token} token; you have {', '.join(held) or 'none at all'}"
    if token in state.laid:
        other = state.names[state.laid[token][0]]
        return f"{other} played a {token} token to this trick: each colour may be played once a trick"
    return _why_not_used(move)


def _why_not_used(move: Play) -> str | None:
    if move.with_ != "game":
        return None if move.trump is None else f"trump goes with a game token, not with {move.with_}"
    if move.trump is not None and move.blank:
        return "a game token names a trump or is blank, not both"
    if move.trump is None and not move.blank:
        suits = ", ".join(TRUMPS)
        return f"a game token names a trump or is blank: with game trump SUIT ({suits}), or with game blank"
    if move.trump is not None and move.trump not in TRUMPS:
        return f"{move.trump!r} is no trump; name one of {', '.join(TRUMPS)}"
    return None


# the trick's claims -----------------------------------------------------------------------------------


def _bonus_offers(state: State, seat: int) -> Offers:
    cards = [card for _, card in state.trick if why_not_bonus(state, seat, card) is None]

    def why_not(move: Bonus) -> str | None:
        return why_not_bonus(state, seat, move.card)

    return (
        Offer(Bonus, "bonus CARD", why_not, lambda: map(Bonus, cards)),
        Offer(Decline, "decline", _always, lambda: [_DECLINE]),
    )


def why_not_bonus(state: State, seat: int, card: str) -> str | None:
    """The sentence that refuses the trick bonus of a card, or None (rulings 11 and 12)."""
    players = {played: player for player, played in state.trick}
    if card not in players:
        return f"{card!r} is not in the trick, which is {_words([*players])}"
    if players[card] == seat:
        return f"{card} is your own card: a bonus is taken of a card that another seat played"
    if (seat, card) in state.claimed:
        return f"you took the bonus of {card} already: the second one is of another card"
    if card[0] == "G" and bonus_kind(state.components, card) == "ability":
        if not state.scores[seat]:
            return f"the bonus of {card} costs 1 VP and you have none"
        if not others_with_cards(state, seat):
            return f"the bonus of {card} steals a card and no other seat holds one"
    return None


def _take_offers(state: State, seat: int) -> Offers:
    cards = [card for _, card in state.trick]

    def why_not(move: Take) -> str | None:
        return None if move.card in cards else f"{move.card!r} is not in the trick, which is {_words(cards)}"

    return (
        Offer(Take, "take CARD", why_not, lambda: map(Take, cards)),
        Offer(Decline, "decline", _always, lambda: [_DECLINE]),
    )


# choices that a bonus leaves open ---------------------------------------------------------------------


def ways(state: State, kind: str, seat: int) -> Sequence[str]:
    """The outcomes that a choice has, as a move names them."""
    if kind == "discard":
        return state.hands[seat]
    if kind == "steal-card":
        return [state.names[other] for other in others_with_cards(state, seat)]
    if kind == "steal-points":
        return [state.names[other] for other in others_with_points(state, seat)]
    if kind == "token":
        return TOKENS
    # With all tracks at their tops each increase is the same 1 VP.
    return TRACKS if min(state.spaces[seat].values()) < SPACES else TRACKS[:1]


def _discard_offers(state: State, seat: int) -> Offers:
    cards = ways(state, "discard", seat)

    def why_not(move: Discard) -> str | None:
        return None if move.card in cards else f"{move.card!r} is not in your hand: discard one of {_words(cards)}"

    return (Offer(Discard, "discard CARD", why_not, lambda: map(Discard, cards)),)


def _steal_offers(state: State, seat: int) -> Offers:
    names = ways(state, state.phase, seat)
    what = "cards" if state.phase == "steal-card" else "VP"

    def why_not(move: Steal) -> str | None:
        victim = seat_named(state, move.seat)
        if victim is None:
            return f"{move.seat!r} is no seat; steal from one of {', '.join(names)}"
        if victim == seat:
            return f"you steal from another seat: {', '.join(names)}"
        if state.names[victim] not in names:
            return f"{state.names[victim]} has no {what}; steal from one of {', '.join(names)}"
        return None

    return (Offer(Steal, "steal SEAT", why_not, lambda: map(Steal, names)),)


def _token_offers(state: State, seat: int) -> Offers:
    def why_not(move: Token) -> str | None:
        return None if move.colour in TOKENS else f"{move.colour!r} is no token; take one of {', '.join(TOKENS)}"

    return (Offer(Token, "token COLOUR", why_not, lambda: map(Token, TOKENS)),)


# the last hand ----------------------------------------------------------------------------------------


def _order_offers(state: State, seat: int) -> Offers:
    hand = state.hands[seat]

    def why_not(move: Order) -> str | None:
        return None if move.card in hand else f"{move.card!r} is not in your hand: reveal one of {_words(hand)}"

    return (Offer(Order, "order CARD", why_not, lambda: map(Order, hand)),)


#: By phase, which is the question that the seat was asked.
OFFERS: dict[str, Callable[[State, int], Offers]] = {
    "setup": _raise_offers,
    "rise": _raise_offers,
    "play": _play_offers,
    "bonus": _bonus_offers,
    "take": _take_offers,
    "discard": _discard_offers,
    "steal-card": _steal_offers,
    "token": _token_offers,
    "order": _order_offers,
    "steal-points": _steal_offers,
    "raise": _raise_offers,
}
