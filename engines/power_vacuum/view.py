"""What a seat may see, and a guess at what it may not. Views are built by copying in what may be seen."""

from __future__ import annotations

from typing import Any

from engines.kit.chance import Chance
from engines.kit.game import Names
from engines.kit.secrecy import REFEREE, Viewer
from engines.power_vacuum.facts import HIDDEN_AGENDA
from engines.power_vacuum.state import APPLIANCES, State, back, in_order, is_bot, score


def conceal(state: State, viewer: Viewer) -> State:
    """The state as `viewer` may see it: other hands as backs, hidden Agendas as `?/?` (ruling 21)."""
    seats = range(state.seats)
    return State(
        components=state.components,
        seats=state.seats,
        solo=state.solo,
        appliances=list(state.appliances),
        phase=state.phase,
        round=state.round,
        starter=state.starter,
        turn=state.turn,
        levels=dict(state.levels),
        cable=list(state.cable),
        hands=[list(state.hands[s]) if s == viewer else backs_of(state, s) for s in seats],
        agendas=[
            state.agendas[s] if s == viewer or state.revealed[s] or state.solo else HIDDEN_AGENDA for s in seats
        ],
        revealed=list(state.revealed),
        markers=list(state.markers),
        trick=list(state.trick),
        winner=state.winner,
        board=list(state.board),
        captured=[list(cards) for cards in state.captured],
        played=list(state.played),
        aside=state.aside,
        tokens=list(state.tokens),
        pieces=list(state.pieces),
        most=list(state.most),
        least=list(state.least),
        agenda_deck=[a if a == state.open_agenda else HIDDEN_AGENDA for a in state.agenda_deck],
        agenda_discards=list(state.agenda_discards),
        open_agenda=state.open_agenda,
        winners=list(state.winners),
    )


def backs_of(state: State, seat: int) -> list[str]:
    """A hand from behind: sorted, but for a bot's row, which lies in its order."""
    backs = [card if card[1] == "?" else back(state, card) for card in state.hands[seat]]
    return backs if is_bot(state, seat) else in_order(backs)


def guess(state: State, viewer: Viewer, chance: Chance) -> State:
    """A whole state that looks to `viewer` as this one does: hidden cards by their backs, hidden Agendas."""
    whole = conceal(state, viewer)
    shown = {card for hand in whole.hands for card in hand if card[1] != "?"}
    shown.update(whole.played, (card for _, card in whole.trick), *whole.captured)
    pool = chance.shuffle("guess-cards", [card for card in state.components.cards if card not in shown])
    for seat, hand in enumerate(whole.hands):
        for place, card in enumerate(hand):
            if card[1] == "?":
                hand[place] = next(c for c in pool if back(state, c) == card)
                pool.remove(hand[place])
        if not is_bot(state, seat):
            whole.hands[seat] = in_order(hand)
    open_agendas = {*whole.agendas, *whole.agenda_deck, *whole.agenda_discards, whole.open_agenda}
    hidden = chance.shuffle("guess-agendas", [a for a in state.components.agendas if a not in open_agendas])
    whole.agendas = [hidden.pop() if a == HIDDEN_AGENDA else a for a in whole.agendas]
    whole.agenda_deck = [hidden.pop() if a == HIDDEN_AGENDA else a for a in whole.agenda_deck]
    return whole


def present(state: State, viewer: Viewer, names: Names) -> dict[str, Any]:
    """The view for `show --json`, of a concealed state; seats by name."""
    own = viewer is not None and viewer != REFEREE
    return {
        "round": state.round,
        "phase": state.phase,
        "starter": names[state.starter],
        "levels": {appliance: state.levels.get(appliance, 0) for appliance in APPLIANCES},
        "cable": list(state.cable),
        "trick": [{"seat": names[seat], "card": card} for seat, card in state.trick],
        "hand": list(state.hands[viewer]) if own and viewer is not None else [],
        "hands": {
            name: list(state.hands[seat]) if viewer == REFEREE else backs_of(state, seat)
            for seat, name in enumerate(names)
        },
        "appliances": dict(zip(names, state.appliances, strict=True)),
        "agendas": {
            name: {
                "agenda": state.agendas[seat],
                "most": state.revealed[seat][0] if state.revealed[seat] else None,
                "least": state.revealed[seat][1] if state.revealed[seat] else None,
                "marker": state.markers[seat],
            }
            for seat, name in enumerate(names)
        },
        "captured": {name: list(state.captured[seat]) for seat, name in enumerate(names)},
        "statues": dict(zip(names, state.pieces, strict=True)),
        "scores": {name: score(state, seat) for seat, name in enumerate(names)},
        "control_board": [names[seat] for seat in state.board],
        "played": list(state.played),
    }
