"""One small function a fact: the only code that changes a state. Old logs are bound to it."""

from collections.abc import Callable
from typing import Any

from engines.half_lifed.facts import (
    Asked,
    BagFilled,
    BotGivenUp,
    BotMade,
    BotsReturned,
    BotStationed,
    CardBuilt,
    Chosen,
    ClinicTaken,
    DeckShuffled,
    DepartmentsDrawn,
    EndReached,
    EventResolved,
    FirstPlayerDrawn,
    GameEnded,
    GoalClaimed,
    GoalsDiscarded,
    GoalsLaid,
    HousingAsked,
    InvestorJoined,
    InvestorsRepaid,
    LeakContained,
    LeakCovered,
    LeakFed,
    LeakLifted,
    LeakPaid,
    MoneyGained,
    MoneyPaid,
    PiecePledged,
    PiecesDrawn,
    PilePicked,
    PoolSplit,
    RoomMade,
    RoundBegan,
    SeatOut,
    SpaceActivated,
    TurnEnded,
    TurnsBegan,
    WorkerHired,
    WorkersHoused,
)
from engines.half_lifed.state import Plant, Question, State, all_leaks

#: Raised when the reducers change what a state is; snapshots of another version are void.
VERSION = 1


def _departments_drawn(state: State, fact: DepartmentsDrawn) -> None:
    state.departments = list(fact.departments)


def _deck_shuffled(state: State, fact: DeckShuffled) -> None:
    state.deck = list(fact.cards)


def _bag_filled(state: State, fact: BagFilled) -> None:
    state.bag = list(fact.workers)


def _goals_laid(state: State, fact: GoalsLaid) -> None:
    state.goals = list(fact.goals)


def _first_player_drawn(state: State, fact: FirstPlayerDrawn) -> None:
    state.first = fact.seat


def _round_began(state: State, fact: RoundBegan) -> None:
    state.round, state.first, state.phase = fact.round, fact.first, "split"
    state.piles, state.takers = [], []


def _pieces_drawn(state: State, fact: PiecesDrawn) -> None:
    del state.deck[: len(fact.cards)]
    del state.bag[: len(fact.workers)]
    state.pledges.clear()
    state.pool = [*fact.cards, *fact.workers, *fact.pledged]


def _pool_split(state: State, fact: PoolSplit) -> None:
    state.pool.clear()
    state.piles = list(fact.piles)
    state.takers = [-1] * len(fact.piles)
    state.order, state.phase = list(fact.order), "draft"


def _pile_picked(state: State, fact: PilePicked) -> None:
    state.takers[fact.number - 1] = fact.seat
    state.order.remove(fact.seat)
    plant = state.plants[fact.seat]
    for piece in fact.pieces:
        match piece[0]:
            case "c":
                plant.todo.append(piece)
            case "w":
                plant.parked.append(piece)
            case "b":
                plant.bots[piece] = ""
            case "l":
                plant.loose.append(piece)
            case _:
                plant.investors.append(piece)


def _investor_joined(state: State, fact: InvestorJoined) -> None:
    plant = state.plants[fact.seat]
    plant.money += fact.money
    if fact.investor not in plant.investors:  # not of a pile, but out of the supply
        plant.investors.append(fact.investor)
        state.made["i"] += 1


def _turns_began(state: State, fact: TurnsBegan) -> None:
    state.phase = "turns"
    for plant in state.plants:
        if not plant.out:
            plant.parked, plant.housed, plant.done = plant.housed + plant.parked, [], False


def _card_built(state: State, fact: CardBuilt) -> None:
    plant = state.plants[fact.seat]
    plant.todo.remove(fact.card)
    plant.cards.append(fact.card)
    plant.money -= fact.price
    if fact.on:
        plant.hosts[fact.card] = fact.on


def _room_made(state: State, fact: RoomMade) -> None:
    plant = state.plants[fact.seat]
    plant.todo.remove(fact.card)
    plant.rooms.append(fact.card)


def _space_activated(state: State, fact: SpaceActivated) -> None:
    plant = state.plants[fact.seat]
    if fact.piece in plant.parked:
        plant.parked.remove(fact.piece)
    plant.placed[fact.piece] = fact.space
    plant.used.append(fact.space)
    plant.money -= fact.fee


def _money_gained(state: State, fact: MoneyGained) -> None:
    state.plants[fact.seat].money += fact.money


def _money_paid(state: State, fact: MoneyPaid) -> None:
    state.plants[fact.seat].money -= fact.money


def _worker_hired(state: State, fact: WorkerHired) -> None:
    state.made["w"] += 1
    state.colours[fact.worker] = fact.colour
    state.plants[fact.seat].parked.append(fact.worker)


def _bot_made(state: State, fact: BotMade) -> None:
    state.made["b"] += 1
    state.plants[fact.seat].bots[fact.bot] = ""


def _bot_stationed(state: State, fact: BotStationed) -> None:
    state.plants[fact.seat].bots[fact.bot] = fact.card


def _piece_pledged(state: State, fact: PiecePledged) -> None:
    state.made[fact.piece[0]] += 1
    state.pledges.append(fact.piece)
    if fact.colour:
        state.colours[fact.piece] = fact.colour


def _clinic_taken(state: State, fact: ClinicTaken) -> None:
    state.plants[fact.seat].clinics += 1


def _leak_lifted(state: State, fact: LeakLifted) -> None:
    plant = state.plants[fact.seat]
    (plant.covers if fact.card in plant.covers else plant.holds).pop(fact.card)
    state.gone.append(fact.leak)
    for piece in [piece for piece, card in plant.locked.items() if card == fact.card]:
        del plant.locked[piece]
        if piece in plant.used:  # it stood on the space, this round
            plant.used.remove(piece)
            plant.placed[piece] = fact.card
        elif piece[0] == "w":
            plant.parked.append(piece)


def _asked(state: State, fact: Asked) -> None:
    state.plants[fact.seat].asked = Question(fact.source, fact.step, fact.what, fact.options, fact.bot)


def _chosen(state: State, fact: Chosen) -> None:
    state.plants[fact.seat].asked = None


def _goal_claimed(state: State, fact: GoalClaimed) -> None:
    plant = state.plants[fact.seat]
    plant.parked.remove(fact.worker)
    plant.spent[fact.worker] = fact.goal
    plant.claimed.append(fact.goal)
    plant.money += fact.money
    if fact.goal not in state.claimed:
        state.claimed.append(fact.goal)


def _leak_paid(state: State, fact: LeakPaid) -> None:
    plant = state.plants[fact.seat]
    plant.money -= fact.money
    plant.loose.remove(fact.leak)
    state.gone.append(fact.leak)


def _leak_fed(state: State, fact: LeakFed) -> None:
    plant = state.plants[fact.seat]
    plant.loose.remove(fact.leak)
    if fact.piece in plant.bots:
        del plant.bots[fact.piece]
    else:
        plant.parked.remove(fact.piece)
    state.gone += (fact.leak, fact.piece)


def _leak_covered(state: State, fact: LeakCovered) -> None:
    plant = state.plants[fact.seat]
    plant.loose.remove(fact.leak)
    plant.covers[fact.card] = fact.leak
    for piece in fact.locked:
        plant.locked[piece] = fact.card
        if plant.placed.pop(piece, ""):
            plant.used.append(piece)


def _leak_contained(state: State, fact: LeakContained) -> None:
    plant = state.plants[fact.seat]
    plant.loose.remove(fact.leak)
    plant.holds[fact.card] = fact.leak


def _bot_given_up(state: State, fact: BotGivenUp) -> None:
    del state.plants[fact.seat].bots[fact.bot]
    state.gone.append(fact.bot)


def _turn_ended(state: State, fact: TurnEnded) -> None:
    state.plants[fact.seat].done = True


def _seat_out(state: State, fact: SeatOut) -> None:
    plant = state.plants[fact.seat]
    workers = [piece for piece in (*plant.placed, *plant.locked) if piece[0] == "w"]
    state.gone += (*plant.rooms, *plant.cards, *plant.todo, *plant.parked, *plant.housed, *plant.spent)
    state.gone += (*workers, *plant.bots, *plant.investors, *all_leaks(plant))
    state.plants[fact.seat] = Plant(claimed=plant.claimed, done=True, out=True)


def _goals_discarded(state: State, fact: GoalsDiscarded) -> None:
    state.goals = [goal for goal in state.goals if goal not in fact.goals]
    state.claimed.clear()
    for plant in state.plants:
        state.gone += plant.spent
        plant.spent.clear()


def _bots_returned(state: State, fact: BotsReturned) -> None:
    for plant in state.plants:
        plant.placed = {piece: space for piece, space in plant.placed.items() if piece[0] != "b"}
        plant.used.clear()


def _housing_asked(state: State, fact: HousingAsked) -> None:
    state.phase = "house"
    state.plants[fact.seat].free = fact.free


def _workers_housed(state: State, fact: WorkersHoused) -> None:
    plant = state.plants[fact.seat]
    plant.parked, plant.placed, plant.housed, plant.free = [], {}, list(fact.workers), -1
    state.gone += fact.lost


def _end_reached(state: State, fact: EndReached) -> None:
    state.reasons = list(fact.reasons)


def _event_resolved(state: State, fact: EventResolved) -> None:
    state.plants[fact.seat].money += fact.money


def _investors_repaid(state: State, fact: InvestorsRepaid) -> None:
    state.plants[fact.seat].money -= fact.money


def _game_ended(state: State, fact: GameEnded) -> None:
    state.winners, state.phase = list(fact.winners), "over"


REDUCERS: dict[type[Any], Callable[[Any, Any], None]] = {
    DepartmentsDrawn: _departments_drawn,
    DeckShuffled: _deck_shuffled,
    BagFilled: _bag_filled,
    GoalsLaid: _goals_laid,
    FirstPlayerDrawn: _first_player_drawn,
    RoundBegan: _round_began,
    PiecesDrawn: _pieces_drawn,
    PoolSplit: _pool_split,
    PilePicked: _pile_picked,
    InvestorJoined: _investor_joined,
    TurnsBegan: _turns_began,
    CardBuilt: _card_built,
    RoomMade: _room_made,
    SpaceActivated: _space_activated,
    MoneyGained: _money_gained,
    MoneyPaid: _money_paid,
    WorkerHired: _worker_hired,
    BotMade: _bot_made,
    BotStationed: _bot_stationed,
    PiecePledged: _piece_pledged,
    ClinicTaken: _clinic_taken,
    LeakLifted: _leak_lifted,
    Asked: _asked,
    Chosen: _chosen,
    GoalClaimed: _goal_claimed,
    LeakPaid: _leak_paid,
    LeakFed: _leak_fed,
    LeakCovered: _leak_covered,
    LeakContained: _leak_contained,
    BotGivenUp: _bot_given_up,
    TurnEnded: _turn_ended,
    SeatOut: _seat_out,
    GoalsDiscarded: _goals_discarded,
    BotsReturned: _bots_returned,
    HousingAsked: _housing_asked,
    WorkersHoused: _workers_housed,
    EndReached: _end_reached,
    EventResolved: _event_resolved,
    InvestorsRepaid: _investors_repaid,
    GameEnded: _game_ended,
}
