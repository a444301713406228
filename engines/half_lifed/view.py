"""What a seat may see, and a guess at what it may not: all but the orders of deck and bag is open (ruling 2)."""

from typing import Any

from engines.half_lifed.components import Card
from engines.half_lifed.facts import HIDDEN_CARD, HIDDEN_WORKER
from engines.half_lifed.offers import due
from engines.half_lifed.state import (
    Plant,
    State,
    attachment_on,
    card_of,
    colour_of,
    colour_of_department,
    facility_size,
    goal_of,
    price_of,
    reckoned,
    room_count,
    workers_in_set,
)
from engines.half_lifed.words import changes_said, effects_said, needs_said, scores_said
from engines.kit.chance import Chance
from engines.kit.game import Names
from engines.kit.secrecy import Viewer


def conceal(state: State, viewer: Viewer) -> State:
    """The state as anybody sees it: the deck and the bag from behind."""
    return State(
        components=state.components,
        plants=[conceal_plant(plant) for plant in state.plants],
        phase=state.phase,
        round=state.round,
        first=state.first,
        departments=list(state.departments),
        deck=[HIDDEN_CARD] * len(state.deck),
        bag=[HIDDEN_WORKER] * len(state.bag),
        goals=list(state.goals),
        claimed=list(state.claimed),
        pool=list(state.pool),
        piles=list(state.piles),
        takers=list(state.takers),
        order=list(state.order),
        pledges=list(state.pledges),
        colours=dict(state.colours),
        made=dict(state.made),
        gone=list(state.gone),
        reasons=list(state.reasons),
        winners=list(state.winners),
    )


def conceal_plant(plant: Plant) -> Plant:
    """A plant lies open."""
    return Plant(
        money=plant.money,
        clinics=plant.clinics,
        rooms=list(plant.rooms),
        cards=list(plant.cards),
        hosts=dict(plant.hosts),
        todo=list(plant.todo),
        parked=list(plant.parked),
        placed=dict(plant.placed),
        housed=list(plant.housed),
        spent=dict(plant.spent),
        locked=dict(plant.locked),
        bots=dict(plant.bots),
        investors=list(plant.investors),
        loose=list(plant.loose),
        covers=dict(plant.covers),
        holds=dict(plant.holds),
        used=list(plant.used),
        claimed=list(plant.claimed),
        asked=plant.asked,
        free=plant.free,
        done=plant.done,
        out=plant.out,
    )


def guess(state: State, viewer: Viewer, chance: Chance) -> State:
    """Deck and bag in some order; what is in them follows from what is not."""
    whole = conceal(state, viewer)
    seen = set(whole.pool) | {piece for pile in whole.piles for piece in pile} | set(whole.gone)
    for plant in whole.plants:
        seen.update(plant.rooms, plant.cards, plant.todo, plant.parked, plant.placed, plant.housed)
        seen.update(plant.spent, plant.locked)
    cards = [card.id for card in state.components.cards if card.department in state.departments]
    workers = [
        f"w{number}"
        for place, department in enumerate(state.components.departments)
        if department.key in state.departments
        for number in workers_in_set(state.components, place)
    ]
    whole.deck = chance.shuffle("guess-deck", [card for card in cards if card not in seen])
    whole.bag = chance.shuffle("guess-bag", [worker for worker in workers if worker not in seen])
    return whole


# shown ------------------------------------------------------------------------------------------------


def present(state: State, viewer: Viewer, names: Names) -> dict[str, Any]:
    """The view for `show --json`, of a concealed state; seats by name."""
    return {
        "round": state.round,
        "phase": state.phase,
        "first": names[state.first],
        "departments": list(state.departments),
        "pool": list(state.pool),
        "piles": [
            list(pile) if taker < 0 else None for pile, taker in zip(state.piles, state.takers, strict=True)
        ],
        "order": [names[seat] for seat in state.order],
        "pledges": list(state.pledges),
        "goals": [present_goal(state, goal, names) for goal in state.goals],
        "deck": len(state.deck),
        "bag": len(state.bag),
        "seats": [present_seat(state, seat, name) for seat, name in enumerate(names)],
        "scores": {
            name: None if plant.out else plant.money for name, plant in zip(names, state.plants, strict=True)
        },
        "pieces": {
            piece: describe(state, piece)
            for piece in (*state.pool, *state.pledges, *(p for pile in state.piles for p in pile))
        },
    }


def describe(state: State, piece: str) -> dict[str, Any]:
    """A piece in words that a program can read."""
    match piece[0]:
        case "c":
            return present_card(state, card_of(state, piece))
        case "w":
            return {"kind": "worker", "colour": colour_of(state, piece)}
        case letter:
            return {"kind": {"b": "bot", "i": "investor", "l": "leak"}[letter]}


def present_card(state: State, card: Card) -> dict[str, Any]:
    """A card as it is printed."""
    return {
        "name": card.name,
        "kind": card.kind,
        "department": card.department,
        "colour": colour_of_department(state, card.department),
        "price": card.price,
        "does": effects_said(card.effects),
        "boost": effects_said(card.boost),
        "works": changes_said(card.changes),
        "scores": scores_said(card.scores),
    }


def present_goal(state: State, goal: str, names: Names) -> dict[str, Any]:
    """A goal and who claimed it this round."""
    one = goal_of(state, goal)
    return {
        "id": goal,
        "name": one.name,
        "money": one.money,
        "needs": needs_said(one.needs),
        "claimed": [name for name, plant in zip(names, state.plants, strict=True) if goal in plant.claimed],
    }


def present_seat(state: State, seat: int, name: str) -> dict[str, Any]:
    """A plant; where each worker, bot and Leak is."""
    plant = state.plants[seat]
    places = dict.fromkeys(plant.parked, "parked") | plant.placed | dict.fromkeys(plant.housed, "clinic")
    places |= plant.spent | plant.locked
    return {
        "name": name,
        "money": plant.money,
        "cards": [present_own(state, plant, card) for card in plant.cards],
        "drafted": [
            {"id": card, "cost": price_of(state, plant, card), **present_card(state, card_of(state, card))}
            for card in plant.todo
        ],
        "rooms": room_count(plant),
        "free_rooms": room_count(plant) - len(plant.investors) - len(plant.housed),
        "workers": [
            {"id": worker, "colour": colour_of(state, worker), "at": place, "locked": worker in plant.locked}
            for worker, place in places.items()
            if worker[0] == "w"
        ],
        "bots": [
            {
                "id": bot,
                "home": home or None,
                "at": "locked" if bot in plant.locked else "space" if bot in plant.placed else "station",
            }
            for bot, home in plant.bots.items()
        ],
        "investors": len(plant.investors),
        "leaks": [
            *({"id": leak, "state": "loose", "card": None} for leak in plant.loose),
            *({"id": leak, "state": "covers", "card": card} for card, leak in plant.covers.items()),
            *({"id": leak, "state": "contained", "card": card} for card, leak in plant.holds.items()),
        ],
        "facility": facility_size(plant),
        "claimed": list(plant.claimed),
        "used": [space for space in plant.used if space[0] in "ch"],
        "reckoning": None if plant.out else reckoned(state, seat) if state.phase != "over" else plant.money,
        "due": due(state, plant) if state.phase == "turns" and not plant.done else [],
        "asked": list(plant.asked.options) if plant.asked else [],
        "house": max(plant.free, 0),
        "out": plant.out,
        "done": plant.out or (plant.done and state.phase not in ("split", "draft")),
    }


def present_own(state: State, plant: Plant, card: str) -> dict[str, Any]:
    """A face-up card and what is on it."""
    on_space = [piece for piece, space in plant.placed.items() if space == card]
    return {
        "id": card,
        **present_card(state, card_of(state, card)),
        "covered": card in plant.covers,
        "leak": plant.covers.get(card) or plant.holds.get(card),
        "worker": next((piece for piece in on_space if piece[0] == "w"), None),
        "bot": next((bot for bot, home in plant.bots.items() if home == card), None),
        "attachment": attachment_on(plant, card) or None,
        "on": plant.hosts.get(card),
    }
