"""What a seat may see, and a guess at what it may not. Views are built by copying in what may be seen."""

from __future__ import annotations

from typing import Any

from engines.kit.chance import Chance
from engines.kit.game import Names
from engines.kit.secrecy import REFEREE, Viewer
from engines.venusian_vegas.facts import HIDDEN
from engines.venusian_vegas.state import TRACKS, State, in_order, level


def conceal(state: State, viewer: Viewer) -> State:
    """The state as `viewer` may see it: of other hands and the deck the number of cards alone (ruling 15)."""
    return State(
        components=state.components,
        seats=state.seats,
        names=list(state.names),
        rounds=state.rounds,
        phase=state.phase,
        round=state.round,
        first=state.first,
        leader=state.leader,
        turn=state.turn,
        trump=state.trump,
        rank=state.rank,
        scores=list(state.scores),
        increases=list(state.increases),
        spaces=[dict(spaces) for spaces in state.spaces],
        tokens=[dict(tokens) for tokens in state.tokens],
        hands=[list(hand) if seat == viewer else [HIDDEN] * len(hand) for seat, hand in enumerate(state.hands)],
        deck=[HIDDEN] * len(state.deck),
        trick=list(state.trick),
        laid=dict(state.laid),
        winner=state.winner,
        claims=list(state.claims),
        claimed=list(state.claimed),
        choices=list(state.choices),
        turned=list(state.turned),
        discards=list(state.discards),
        winners=list(state.winners),
    )


def guess(state: State, viewer: Viewer, chance: Chance) -> State:
    """A whole state that looks to `viewer` as this one does: the cards it does not see lie anywhere."""
    whole = conceal(state, viewer)
    shown = {card for hand in whole.hands for card in hand}
    shown.update(whole.discards, (card for _, card in whole.trick))
    unseen = chance.shuffle("guess", [card for card in state.components.cards if card not in shown])
    for seat, hand in enumerate(whole.hands):
        whole.hands[seat] = in_order([unseen.pop() if card == HIDDEN else card for card in hand])
    whole.deck = unseen
    return whole


def present(state: State, viewer: Viewer, names: Names) -> dict[str, Any]:
    """The view for `show --json`, of a concealed state; seats by name, spaces of tracks from 1."""
    own = viewer is not None and viewer != REFEREE
    view: dict[str, Any] = {
        "round": state.round,
        "rounds": state.rounds,
        "phase": state.phase,
        "leader": names[state.leader] if state.round else None,
        "trump": state.trump,
        "rank": state.rank,
        "tracks": dict(zip(names, map(dict, state.spaces), strict=True)),
        "values": {
            name: {track: level(state, seat, track) for track in TRACKS} for seat, name in enumerate(names)
        },
        "tokens": dict(zip(names, map(dict, state.tokens), strict=True)),
        "increases": dict(zip(names, state.increases, strict=True)),
        "hand": list(state.hands[viewer]) if own and viewer is not None else [],
        "hands": {name: len(state.hands[seat]) for seat, name in enumerate(names)},
        "deck": len(state.deck),
        "trick": _trick(state, names),
        "claims": [{"seat": names[seat], "claim": claim} for claim, seat in state.claims],
        "choices": [{"seat": names[seat], "choice": choice} for choice, seat in state.choices],
        "turned": list(state.turned),
        "discards": list(state.discards),
        "scores": dict(zip(names, state.scores, strict=True)),
    }
    if viewer == REFEREE:
        view["cards"] = {name: list(state.hands[seat]) for seat, name in enumerate(names)}
    return view


def _trick(state: State, names: Names) -> list[dict[str, Any]]:
    tokens = {seat: (token, blank) for token, (seat, blank) in state.laid.items()}
    return [
        {
            "seat": names[seat],
            "card": card,
            "token": tokens[seat][0] if seat in tokens else None,
            "blank": seat in tokens and tokens[seat][1],
        }
        for seat, card in state.trick
    ]
