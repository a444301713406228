"""What a seat may see, and a guess at what it may not. Views are built by copying in what may be seen."""

from collections import Counter
from typing import Any

from engines.kit.chance import Chance
from engines.kit.game import Names
from engines.kit.secrecy import REFEREE, Viewer
from engines.theory_of_power.components import cards_of
from engines.theory_of_power.facts import BACK
from engines.theory_of_power.stack import Frame, Later, Pool, Running
from engines.theory_of_power.state import State, Supporter, in_order, leader_content, points, symbols
from engines.theory_of_power.words import waiting_rows


def conceal(state: State, viewer: Viewer) -> State:
    """The state as `viewer` may see it: other hands and the deck as backs (ruling 17)."""
    return State(
        components=state.components,
        names=list(state.names),
        seats=state.seats,
        leaders_by=state.leaders_by,
        training=state.training,
        with_compromat=state.with_compromat,
        phase=state.phase,
        first=state.first,
        turn=state.turn,
        action=state.action,
        turns=state.turns,
        deck=[BACK] * len(state.deck),
        discards=list(state.discards),
        hands=[list(hand) if seat == viewer else [BACK] * len(hand) for seat, hand in enumerate(state.hands)],
        food=list(state.food),
        influence=list(state.influence),
        compromat=list(state.compromat),
        supporters=[
            [Supporter(one.id, one.card, one.food, one.influence) for one in mine] for mine in state.supporters
        ],
        symbols=[list(counted) for counted in state.symbols],
        dealt=[list(dealt) for dealt in state.dealt],
        leaders=list(state.leaders),
        aside=list(state.aside),
        stack=[_copied(frame) for frame in state.stack],
        born=state.born,
        supply=list(state.supply),
        winner=state.winner,
    )


def _copied(frame: Frame) -> Frame:
    if isinstance(frame, Pool):
        return Pool(frame.first, list(frame.waiting))
    if isinstance(frame, Later):
        return Later(frame.what)
    return Running(
        ability=frame.ability,
        step=frame.step,
        picks=list(frame.picks),
        asking=frame.asking,
        asked=frame.asked,
        caused=list(frame.caused),
    )


def guess(state: State, viewer: Viewer, chance: Chance) -> State:
    """A whole state that looks to `viewer` as this one does: the cards that are nowhere seen, at random."""
    whole = conceal(state, viewer)
    left = Counter(cards_of(state.components))
    left.subtract(whole.discards)
    left.subtract(one.card for mine in whole.supporters for one in mine)
    left.subtract(card for hand in whole.hands for card in hand if card != BACK)
    pool = chance.shuffle("guess-cards", sorted(left.elements()))
    for seat, hand in enumerate(whole.hands):
        known = [card for card in hand if card != BACK]
        hidden = len(hand) - len(known)
        whole.hands[seat] = in_order(whole, known + pool[:hidden])
        del pool[:hidden]
    whole.deck = pool
    return whole


def present(state: State, viewer: Viewer, names: Names) -> dict[str, Any]:
    """The view of a concealed state, for `show --json`; seats by name."""
    over = state.phase == "over"
    return {
        "phase": "settling" if state.stack else state.phase,
        "turn": None if over else names[state.turn],
        "action": state.action,
        "turns": state.turns,
        "first": names[state.first],
        "seats": [_seat(state, seat, viewer, name) for seat, name in enumerate(names)],
        "waiting": [row._asdict() for row in waiting_rows(state, names)],
        "deck": len(state.deck),
        "discard": list(state.discards),
        "leaders_aside": [] if state.leaders_by == "none" else list(state.aside),
        "supply": dict(zip(("food", "influence", "compromat"), state.supply, strict=True)),
        "winner": names[state.winner] if over else None,
        "scores": {name: points(state, seat) for seat, name in enumerate(names)},
    }


def _seat(state: State, seat: int, viewer: Viewer, name: str) -> dict[str, Any]:
    hand = state.hands[seat]
    return {
        "name": name,
        "vp": points(state, seat),
        "food": state.food[seat],
        "influence": state.influence[seat],
        "compromat": state.compromat[seat],
        "hand": list(hand) if viewer in (seat, REFEREE) else len(hand),
        "symbols": symbols(state, seat),
        "supporters": [
            {"id": one.id, "card": one.card, "food": one.food, "influence": one.influence}
            for one in state.supporters[seat]
        ],
        "leader": state.leaders[seat] or None,
        "leader_condition_met": leader_content(state, seat) if state.leaders[seat] else None,
        "leaders_dealt": list(state.dealt[seat]),
    }
