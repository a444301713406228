"""A player better than chance: wants its Agenda right, its own Appliance strong, and tricks for points."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from engines.kit.chance import Chance
from engines.kit.notation import Move
from engines.kit.search import Aid
from engines.power_vacuum.moves import Aim, Capture, Play, Plug, Point, Reveal, Transfer
from engines.power_vacuum.state import HAND, SPY, SUPPLY, TRUMP, State, score, winning

#: What a Power is worth at the own Appliance, and in the direction of a half of the Agenda.
_OWN, _HALF = 1.0, 2.0
#: From so many cards left on, a hidden Agenda that is right in one half is better laid open.
_REVEAL_AT = 5


def _agenda(view: State, seat: int) -> tuple[str, str]:
    """The direction to work for: the revealed one, or that which the levels are nearer to."""
    if view.revealed[seat]:
        most, least = view.revealed[seat]
        return most, least
    one, other = view.agendas[seat].split("/")
    return (one, other) if view.levels[one] >= view.levels[other] else (other, one)


def _worth(view: State, seat: int, levels: dict[str, int]) -> float:
    """How good the levels are for a seat."""
    most, least = _agenda(view, seat)
    highest = max(value for name, value in levels.items() if name != most)
    lowest = min(value for name, value in levels.items() if name != least)
    top, bottom = levels[most] - highest, lowest - levels[least]
    worth = _OWN * levels[view.appliances[seat]]
    for lead in (top, bottom):
        worth += _HALF * max(-2, min(2, lead)) + (3.0 if lead >= 0 else 0.0)
    return worth


def _transferred(view: State, source: str, target: str) -> dict[str, int]:
    levels = dict(view.levels)
    for socket, change in ((source, -1), (target, 1)):
        if socket != SUPPLY:
            levels[socket] += change
    return levels


def _best(moves: Sequence[Any], worth: Callable[[Any], float]) -> Any:
    return max(moves, key=worth)


def _plug_worth(view: State, seat: int, move: Plug) -> float:
    """A good cable offers us something and the others little; its ends are weighed by what they allow us."""
    cable = [move.to if socket == move.socket else socket for socket in view.cable]
    now = _worth(view, seat, view.levels)
    gains = [
        _worth(view, seat, _transferred(view, source, target)) - now
        for source, target in (cable, cable[::-1])
        if source == SUPPLY or view.levels[source] > 0
    ]
    return sum(gains)


def _card_worth(view: State, seat: int, card: str, chance: Chance) -> float:
    """Win when it can be won cheaply, run the board otherwise; keep trumps and Spies for later."""
    number = int(card[1])
    cost = number + (4 if card[0] == TRUMP else 2 if card[0] == SPY else 0)
    if not view.trick:
        return number - 2.0 * (card[0] in (TRUMP, SPY)) if number >= 8 or number <= 2 else 5.0 - cost / 2
    trick = [*view.trick, (seat, card)]
    last = len(trick) == view.seats
    wins = winning(trick)[0] == seat
    low = all(card[1] <= other[1] for _, other in view.trick)
    return (10.0 if last else 4.0 + number / 3) * wins + (5.0 if last else 5.0 - number / 2) * low - cost / 4


def greedy(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    """Chooses the move that looks best one step ahead."""
    kinds: dict[type[Move], list[Any]] = {}
    for move in moves:
        kinds.setdefault(type(move), []).append(move)
    if Reveal in kinds and _should_reveal(view, seat):
        return Reveal(*_agenda(view, seat))
    if Play in kinds:
        return _best(kinds[Play], lambda move: _card_worth(view, seat, move.card, chance))
    if Point in kinds:
        strong: list[Capture] = [
            move
            for move in kinds[Capture]
            if (move.card[0] == TRUMP and move.card[1] >= "8") and len(view.captured[seat]) < 2
        ]
        return strong[0] if strong and sum(map(len, view.hands)) >= view.seats else Point()
    if Transfer in kinds:
        return _best(kinds[Transfer], lambda m: _worth(view, seat, _transferred(view, m.from_, m.to)))
    if Plug in kinds:
        return _best(kinds[Plug], lambda move: _plug_worth(view, seat, move))
    if Aim in kinds:
        return _best(kinds[Aim], lambda m: view.levels[m.most] - view.levels[m.least])
    return moves[chance.number("bot", len(moves))]


def _should_reveal(view: State, seat: int) -> bool:
    """Reveal at the last moment, unless both halves look safe for a conspiracy; early when both are right."""
    most, least = _agenda(view, seat)
    highest, lowest = max(view.levels.values()), min(view.levels.values())
    top, bottom = view.levels[most] == highest, view.levels[least] == lowest
    cards = len(view.hands[seat])
    if cards == HAND:
        return False
    return cards == _REVEAL_AT and not (top and bottom and highest > lowest + 2)


BOTS = {"greedy": greedy}


def standings(state: State) -> list[float]:
    """Points."""
    return [float(score(state, seat)) for seat in range(state.seats)]


def clock(state: State) -> int:
    """The round."""
    return state.round


AID = Aid(standings, clock)
