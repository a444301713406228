"""A player better than chance: weighs each bonus in VP, wins tricks that pay, and keeps cards for the last hand.

All numbers are VP as guessed; what a seat cannot see is not looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engines.kit.chance import Chance
from engines.kit.notation import Move
from engines.kit.search import Aid
from engines.kit.tricks import led_suit
from engines.kit.tricks import winning as winning_play
from engines.venusian_vegas.moves import Bonus, Decline, Discard, Order, Play, Raise, Steal, Take, Token
from engines.venusian_vegas.state import (
    HIGH_WINS,
    HIGHEST,
    LOW_WINS,
    NO_TRUMP,
    SPACES,
    TRACK_OF,
    State,
    bonus_kind,
    others,
    seat_named,
)

#: What a card in hand is worth, and what each step of a track brings in a round.
_CARD = 1.2
_STEP = {"team": 2.6, "game": 0.5, "inspector": 0.5, "bot": 1.2, "mobster": 1.1}
#: What each step is worth for each round to come, all in all: fitted to games between greedy bots.
_LASTING = {"team": 1.8, "game": 1.2, "inspector": 1.5, "bot": 0.8, "mobster": 1.9}
#: What giving a token away costs, by colour.
_TOKEN = {"game": 0.3, "inspector": 0.3, "bot": 0.9, "mobster": 0.8}
#: What a bonus is worth that somebody may yet play into a trick.
_UNSEEN = 1.5


def _rounds_left(view: State) -> int:
    """The rounds that an increase made now still brings income in."""
    now = view.phase in ("setup", "rise")
    return view.rounds - view.round + now if view.round else view.rounds


def raise_worth(view: State, seat: int, track: str) -> float:
    """What an increase of a track is worth."""
    space, components = view.spaces[seat][track], view.components
    if space == SPACES:
        return 1.0
    levels = components.levels[track]
    income = (levels[space] > levels[space - 1]) * _STEP[track] * _rounds_left(view)
    ahead = sum(point > space + 1 for point in components.vp_spaces[track])
    return (space + 1 in components.vp_spaces[track]) + 0.2 * ahead * _rounds_left(view) + income + 0.1


def _trick_worth(view: State, seat: int, card: str) -> float:
    """What a trick bonus is worth to a seat."""
    kind = bonus_kind(view.components, card)
    if kind == "points":
        return view.components.trick_points
    if kind == "raise":
        return raise_worth(view, seat, TRACK_OF[card[0]])
    rivals = others(view, seat)
    if card[0] == "I":
        return 0.5 * sum(bool(view.hands[rival]) for rival in rivals)
    if card[0] == "M":
        return 0.5 * sum(bool(view.scores[rival]) for rival in rivals)
    return {"T": _CARD if view.deck else 0.0, "G": _CARD - 0.5, "B": _TOKEN["bot"]}[card[0]]


def _round_worth(view: State, seat: int, card: str) -> float:
    """What a round bonus is worth to a seat."""
    kind = bonus_kind(view.components, card)
    if kind == "points":
        return view.components.round_points
    if kind == "raise":
        return 2 * raise_worth(view, seat, TRACK_OF[card[0]])
    rivals = others(view, seat)
    if card[0] in "GI":
        losses = [min(2, view.scores[rival]) for rival in rivals]
        return 1.4 * max(losses) if card[0] == "G" else 0.5 * sum(losses)
    return {"T": 3.0, "B": max(raise_worth(view, seat, track) for track in _STEP), "M": 3.0}[card[0]]


def _keep_worth(view: State, seat: int, card: str) -> float:
    """What it is worth to hold a card: its round bonus, as likely as this seat is to hold the last hand."""
    mine = len(view.hands[seat])
    most = max(len(view.hands[rival]) for rival in others(view, seat))
    likely = 0.7 if mine > most else 0.35 if mine == most else 0.15
    return likely * _round_worth(view, seat, card)


def _play_worth(view: State, seat: int, move: Play) -> float:
    """What a play promises: the bonuses it may win, less what the card and the token are worth elsewhere."""
    card = move.card
    rank = ("low" if view.rank == "high" else "high") if _flips(move) else view.rank
    trump = view.trump if move.trump is None else move.trump
    trick = [*view.trick, (seat, card)]
    suits = (led_suit(trick),) if trump == NO_TRUMP else (trump, led_suit(trick))
    strength = HIGH_WINS if rank == "high" else LOW_WINS
    wins = winning_play(trick, suits, strength)[0] == seat
    last = _is_last(view, seat)
    likely = (1.0 if last else _holds(card, rank, trump) ** (view.seats - len(trick))) if wins else 0.0
    there = sorted((_trick_worth(view, seat, other) for _, other in view.trick), reverse=True)
    best = max([*there, 0.0 if last else _UNSEEN])
    worth = likely * best - 0.3 * _trick_worth(view, seat, card) - _keep_worth(view, seat, card)
    if move.with_ is None:
        return worth
    worth -= _TOKEN[move.with_]
    if move.blank:
        return worth - 1.0
    if move.with_ == "bot":
        second = there[1] if len(there) > 1 else 0.0
        worth += likely * second + (1 - likely) * best
    if move.with_ == "mobster":
        worth += 0.7 + max(_keep_worth(view, seat, other) for _, other in trick)
    return worth


def _flips(move: Play) -> bool:
    return move.with_ == "inspector" and not move.blank


def _is_last(view: State, seat: int) -> bool:
    """Whether nobody plays to the trick after this seat."""
    if not view.trick:
        return False
    lead = view.trick[0][0]
    for rival in others(view, seat):
        if rival == lead:
            break
        if view.hands[rival]:
            return False
    return True


def _holds(card: str, rank: str, trump: str) -> float:
    """How likely one more seat does not beat a card that wins so far."""
    number = int(card[1:])
    likely = (number if rank == "high" else HIGHEST + 1 - number) / HIGHEST
    return likely if trump in (NO_TRUMP, card[0]) else likely * 0.8


def _victim_worth(view: State, move: Steal) -> float:
    """Rob the seat that is ahead, and has something."""
    victim = seat_named(view, move.seat)
    assert victim is not None
    if view.phase == "steal-card":
        return view.scores[victim] + 0.3 * len(view.hands[victim])
    return 10 * min(2, view.scores[victim]) + view.scores[victim]


_WORTH: dict[type[Move], Callable[[State, int, Any], float]] = {
    Raise: lambda view, seat, move: sum(raise_worth(view, seat, track) for track in move.tracks),
    Play: _play_worth,
    Bonus: lambda view, seat, move: _trick_worth(view, seat, move.card),
    Take: lambda view, seat, move: 0.1 + _keep_worth(view, seat, move.card),
    Decline: lambda view, seat, move: 0.0,
    Discard: lambda view, seat, move: -_keep_worth(view, seat, move.card),
    Steal: lambda view, seat, move: _victim_worth(view, move),
    Token: lambda view, seat, move: _TOKEN[move.colour],
    # Rob the others before they lose their VP otherwise.
    Order: lambda view, seat, move: (move.card[0] == "G") - 0.5 * (move.card[0] == "I"),
}


def greedy(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    """Chooses the move that looks best one step ahead."""
    return max(moves, key=lambda move: _WORTH[type(move)](view, seat, move))


BOTS = {"greedy": greedy}


def standings(state: State) -> list[float]:
    """VP, and what the tracks will bring."""
    return [
        state.scores[seat]
        + sum(
            state.components.levels[track][space - 1] * _LASTING[track] * _rounds_left(state)
            for track, space in state.spaces[seat].items()
        )
        for seat in range(state.seats)
    ]


def clock(state: State) -> int:
    """The round."""
    return state.round


AID = Aid(standings, clock)
