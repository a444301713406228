"""What a seat may see, and a guess at what it may not. Views are built by copying in what may be seen."""

from collections.abc import Callable
from typing import Any

from msgspec import structs, to_builtins

from engines.kit.chance import Chance
from engines.kit.game import Names
from engines.kit.secrecy import REFEREE, Viewer
from engines.lairs.builder import Below, lair_like
from engines.lairs.facts import HIDDEN
from engines.lairs.lair import HAZARDS, SPACES, rows_of
from engines.lairs.state import SEATS, State, collection, map_rows, score, standing, target
from engines.lairs.treasures import bonus_text


def conceal(state: State, viewer: Viewer) -> State:
    """The state as `viewer` may see it: other lairs, the deck, other drawn Treasures hidden (ruling 14)."""
    seats = range(SEATS)
    over = state.phase == "over"
    return State(
        components=state.components,
        names=list(state.names),
        rounds=state.rounds,
        phase=state.phase,
        round=state.round,
        first=state.first,
        turn=state.turn,
        lairs=[state.lairs[s] if s == viewer or s not in state.built else HIDDEN for s in seats],
        built=list(state.built),
        cubes=[structs.replace(b, **{k: list(v) for k, v in structs.asdict(b).items()}) for b in state.cubes],
        at=list(state.at),
        known=[dict(spaces) for spaces in state.known],
        features=[dict(spaces) for spaces in state.features],
        gone=[list(spaces) for spaces in state.gone],
        hurt=[dict(spaces) for spaces in state.hurt],
        chests=list(state.chests),
        monsters=list(state.monsters),
        traps=list(state.traps),
        sprung=list(state.sprung),
        steps=state.steps,
        peering=state.peering,
        penalty=state.penalty,
        deck=[HIDDEN] * len(state.deck),
        display=list(state.display),
        drawn=[_cards(state.drawn[s], s == viewer or over) for s in seats],
        taken=[list(cards) for cards in state.taken],
        exits=list(state.exits),
        keeping=list(state.keeping),
        kept=[_cards(state.kept[s], s == viewer or over) for s in seats],
        winners=list(state.winners),
    )


def _cards(cards: list[str], shown: bool) -> list[str]:
    return list(cards) if shown else [HIDDEN] * len(cards)


def guess(state: State, viewer: Viewer, chance: Chance) -> State:
    """A whole state that looks to `viewer` as this one does: hidden Treasures, hidden lairs."""
    whole = conceal(state, viewer)
    shown = {*whole.display}
    for seat in range(SEATS):
        shown.update(collection(whole, seat))
    pool = chance.shuffle("guess-treasures", [card for card in whole.components.treasures if card not in shown])
    for cards in (*whole.drawn, whole.deck):
        cards[:] = [pool.pop() if card == HIDDEN else card for card in cards]
    for seat in range(SEATS):
        if HIDDEN in whole.kept[seat]:
            whole.kept[seat] = chance.shuffle("guess-kept", collection(whole, seat))[: len(whole.kept[seat])]
        if whole.lairs[seat] == HIDDEN:
            whole.lairs[seat] = chance.made("guess-lair", _like(whole, 1 - seat), lambda _: None)
    return whole


def _like(state: State, explorer: int) -> Callable[[Below], str]:
    """Makes lairs that agree with an Explorer's map."""
    return lambda below: lair_like(below, state.known[explorer], state.features[explorer])


def present(state: State, viewer: Viewer, names: Names) -> dict[str, Any]:
    """The view of a concealed state, for `show --json`; seats by name, maps as text."""
    own = viewer is not None and viewer != REFEREE
    seats = range(SEATS)
    return {
        "round": state.round,
        "rounds": state.rounds,
        "phase": state.phase,
        "explorer": names[state.turn] if state.round and state.phase not in ("keep", "over") else None,
        "built": [names[seat] for seat in state.built],
        "at": {names[s]: state.at[s] or None for s in seats},
        "cubes": {names[s]: to_builtins(state.cubes[s]) for s in seats},
        "maps": {names[s]: "\n".join(map_rows(state, s)) for s in seats},
        "known": {names[s]: [space for space in SPACES if space in state.known[s]] for s in seats},
        "lairs": {
            names[s]: "\n".join(rows_of(state.lairs[s]))
            for s in seats
            if s in state.built and state.lairs[s] != HIDDEN
        },
        "targets": {names[s]: _targets(state, s) for s in seats},
        "hazards": {
            kind: {"name": state.components.hazard(kind).name, "target": state.components.hazard(kind).target}
            for kind in HAZARDS
        },
        "achievements": {
            names[s]: {"chests": state.chests[s], "monsters": state.monsters[s], "traps": state.traps[s]}
            for s in seats
        },
        "display": list(state.display),
        "deck": len(state.deck),
        "collection": collection(state, viewer) if own and viewer is not None else [],
        "collections": {names[s]: collection(state, s) for s in seats},
        "kept": {names[s]: list(state.kept[s]) for s in seats},
        "treasures": {
            slug: {
                "name": card.name,
                "type": card.type,
                "keyword": card.keyword,
                "base": card.base,
                "bonus": bonus_text(card),
            }
            for slug, card in state.components.treasures.items()
        },
        "steps": state.steps,
        "peering": state.peering or None,
        "penalty": to_builtins(state.penalty),
        "exits": [names[seat] for seat in state.exits],
        "scores": {names[s]: score(state, s) for s in seats},
    }


def _targets(state: State, seat: int) -> dict[str, int]:
    """The Targets of the hazards that the Explorer knows to stand somewhere, by space."""
    return {space: target(state, seat, space) for space in SPACES if standing(state, seat, space) in HAZARDS}
