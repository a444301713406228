"""What a seat may see, and a guess at what it may not. Views are built by copying in what may be seen."""

from typing import Any

from engines.evangelists.facts import HIDDEN_WITNESS
from engines.evangelists.scoring import Reckoning, reckoned, recorded
from engines.evangelists.state import EMPTY, CodexLeaf, State, back, in_order, is_back
from engines.kit.chance import Chance
from engines.kit.game import Names
from engines.kit.secrecy import REFEREE, Viewer


def conceal(state: State, viewer: Viewer) -> State:
    """The state as `viewer` may see it: unseen traditions as backs, the witness deck closed (ruling 14)."""
    looked = state.looked[viewer] if viewer is not None else ()
    return State(
        components=state.components,
        seats=state.seats,
        rounds=state.rounds,
        phase=state.phase,
        round=state.round,
        first=state.first,
        turn=state.turn,
        asking=state.asking,
        octagons=state.octagons,
        limits=list(state.limits),
        pawns=list(state.pawns),
        boats=list(state.boats),
        discs=dict(state.discs),
        bag=dict(state.bag),
        removed=state.removed,
        interview_cards=dict(state.interview_cards),
        undealt=state.undealt,
        traditions={
            city: list(cards if city in looked else state.lying[city]) for city, cards in state.traditions.items()
        },
        lying={city: list(cards) for city, cards in state.lying.items()},
        open=dict(state.open),
        looked=[list(cities) for cities in state.looked],
        twins=list(state.twins),
        themes=list(state.themes),
        codices=[[CodexLeaf(leaf.name, list(leaf.slots)) for leaf in codex] for codex in state.codices],
        tokens=list(state.tokens),
        marks=list(state.marks),
        interviews=[list(cards) for cards in state.interviews],
        interviewing=state.interviewing,
        pursuit=state.pursuit,
        queue=list(state.queue),
        flips=[HIDDEN_WITNESS] * len(state.flips),
        flipped=list(state.flipped),
        winners=list(state.winners),
    )


def guess(state: State, viewer: Viewer, chance: Chance) -> State:
    """A whole state that looks to `viewer` as this one does: traditions by their backs, the witness deck."""
    whole = conceal(state, viewer)
    known = {card for cards in whole.traditions.values() for card in cards}
    written = [card for codex in whole.codices for leaf in codex for card in leaf.slots]
    pool = chance.shuffle(
        "guess-traditions",
        [card for card in whole.components.traditions if card not in known and card not in written],
    )
    for city, cards in whole.traditions.items():
        for place, card in enumerate(cards):
            if is_back(card):
                cards[place] = next(c for c in pool if back(whole.components, c) == card)
                pool.remove(cards[place])
        whole.traditions[city] = in_order(cards)
    left = [witness for witness in whole.components.witnesses if witness not in whole.flipped]
    whole.flips = chance.shuffle("guess-witnesses", left) if whole.flips else []
    return whole


def seen(state: State, viewer: int) -> dict[str, list[str]]:
    """The traditions a seat knows in each city by having looked, or since they lay open once."""
    found: dict[str, list[str]] = {}
    for city, cards in state.traditions.items():
        lies_open = state.open[city] if city not in state.looked[viewer] else EMPTY
        faces = [card for card in cards if not is_back(card) and card != lies_open]
        if faces:
            found[city] = faces
    return found


def present(state: State, viewer: Viewer, names: Names) -> dict[str, Any]:
    """The view for `show --json`, of a concealed state; seats by name."""
    reckoning = reckoned(state)
    own = viewer if viewer is not None and viewer != REFEREE else None
    over = state.phase == "over"
    view: dict[str, Any] = {
        "round": state.round,
        "rounds": state.rounds,
        "phase": state.phase,
        "first": names[state.first],
        "turn": None if state.phase in ("place", "over") else names[state.turn],
        "octagons": state.octagons,
        "done": list(state.limits),
        "map": _map(state),
        "bag": dict(state.bag),
        "interviews": dict(state.interview_cards),
        "seats": [_seat(state, seat, name, own, reckoning) for seat, name in enumerate(names)],
        "devices": {name: _devices(reckoning, seat) for seat, name in enumerate(names)},
        "flipped": list(state.flipped),
        "following": _following(state, names),
        "seen": seen(state, own) if own is not None else {},
        "looking": list(state.traditions[state.pawns[own]])
        if own is not None and state.phase == "keep" and state.asking == own
        else [],
        "winners": [names[seat] for seat in state.winners] if over else [],
        "scores": dict(zip(names, recorded(state, reckoning.totals), strict=True)),
    }
    if viewer == REFEREE:
        view["traditions"] = {city: list(cards) for city, cards in state.traditions.items()}
    return view


def _map(state: State) -> dict[str, Any]:
    parts = state.components
    return {
        "boats": sorted(state.boats),
        "discs": {witness: state.discs[witness] or None for witness in parts.witnesses},
        "witnesses": dict(parts.hosts),
        "cards": {city: len(cards) for city, cards in state.lying.items()},
        "backs": {
            city: sorted(card if is_back(card) else back(parts, card) for card in cards)
            for city, cards in state.lying.items()
        },
        "open": {city: card or None for city, card in state.open.items()},
    }


def _seat(state: State, seat: int, name: str, own: int | None, reckoning: Reckoning) -> dict[str, Any]:
    active = seat == state.turn and state.phase not in ("place", "growth", "over")
    shown: dict[str, Any] = {
        "name": name,
        "space": state.pawns[seat] or None,
        "tokens": state.tokens[seat],
        "octagons": state.octagons if active else 0,
        "marks": state.marks[seat],
        "theme": state.themes[seat],
        "leaves": [
            {
                "name": leaf.name,
                "slots": {f"{leaf.name}{place}": card or None for place, card in enumerate(leaf.slots, 1)},
            }
            for leaf in state.codices[seat]
        ],
        "interviews": list(state.interviews[seat]),
        "devices": _devices(reckoning, seat),
        "score": reckoning.totals[seat],
    }
    if seat == own:
        shown["seen"] = seen(state, seat)
    return shown


def _devices(reckoning: Reckoning, seat: int) -> dict[str, Any]:
    return {track.device: track.values[seat] for track in reckoning.tracks} | {
        "points": {track.device: track.points[seat] for track in reckoning.tracks},
        "ties": sum(track.ties[seat] for track in reckoning.tracks),
        "matching": reckoning.matching[seat],
        "theme": reckoning.theme_points[seat],
        "bonus": reckoning.bonus[seat],
    }


def _following(state: State, names: Names) -> dict[str, Any] | None:
    if state.pursuit is None:
        return None
    return {
        "action": state.pursuit.action,
        "strong": state.pursuit.strong,
        "witness": state.pursuit.witness or None,
        "cards": [card for card in state.pursuit.cards if card in state.twins],
        "waiting": [names[seat] for seat in state.queue],
    }
