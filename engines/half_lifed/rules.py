"""The rules, in the rulebook's order. A rule yields facts; each is applied before its next line runs."""

from collections.abc import Iterator
from typing import Any

from engines.half_lifed.components import IN_PLAY, TIERS, asks_for_leaks
from engines.half_lifed.effects import can_run, choose, run
from engines.half_lifed.facts import (
    BagFilled,
    BotGivenUp,
    BotsReturned,
    BotStationed,
    CardBuilt,
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
    LeakPaid,
    PiecesDrawn,
    PilePicked,
    PoolSplit,
    RoomMade,
    RoundBegan,
    SeatOut,
    SpaceActivated,
    TurnEnded,
    TurnsBegan,
    WorkersHoused,
)
from engines.half_lifed.moves import (
    Activate,
    Build,
    Choose,
    Claim,
    Done,
    House,
    Leak,
    Pick,
    Room,
    Split,
    Station,
)
from engines.half_lifed.offers import offers as offers
from engines.half_lifed.state import (
    ENOUGH_CARDS,
    INVESTOR,
    State,
    card_of,
    controlled,
    end_money,
    facility_size,
    fee_of,
    goal_of,
    homeless,
    leak_price,
    price_of,
    room_count,
    seats_in,
    space_of,
    workers_in_set,
)
from engines.half_lifed.words import END_REASONS
from engines.kit.chance import Chance
from engines.kit.game import Fact, Names, Options
from engines.kit.notation import Move
from events.model import Outcome

# set-up -----------------------------------------------------------------------------------------------


def setup(state: State, names: Names, options: Options, chance: Chance) -> Iterator[Fact]:
    """Draws departments, goals and the 1st player, makes deck and bag, and begins the first round."""
    components = state.components
    yield DepartmentsDrawn(draw_departments(state, options, chance))
    cards = [card.id for card in components.cards if card.department in state.departments]
    yield DeckShuffled(tuple(chance.shuffle("deck", cards)))
    workers = [
        f"w{number}"
        for place, department in enumerate(components.departments)
        if department.key in state.departments
        for number in workers_in_set(components, place)
    ]
    yield BagFilled(tuple(chance.shuffle("bag", workers)))
    yield GoalsLaid(draw_goals(state, len(names), chance))
    yield FirstPlayerDrawn(names.index(chance.pick("first-player", names)))
    yield from begin_round(state, state.first)


def draw_departments(state: State, options: Options, chance: Chance) -> tuple[str, ...]:
    """Five of the six, or all but Waste Management (ruling 14); in the set's order."""
    departments = state.components.departments
    if options["waste"] == "off":
        return tuple(d.key for d in departments if not d.waste)
    keys = {d.name.casefold(): d.key for d in departments}
    order = chance.shuffle(
        "departments", [d.key for d in departments], lambda text: keys.get(text.casefold(), text)
    )
    return tuple(d.key for d in departments if d.key in order[:IN_PLAY])


def draw_goals(state: State, seats: int, chance: Chance) -> tuple[str, ...]:
    """One more than seats: one of $25, one of $20, the others of $15."""
    waste = any(d.waste for d in state.components.departments if d.key in state.departments)
    there = [goal.id for goal in state.components.goals if waste or not asks_for_leaks(goal)]
    order = chance.shuffle("goals", there)
    most, middle, least = ([goal for goal in order if goal_of(state, goal).money == tier] for tier in TIERS)
    return (most[0], middle[0], *least[: seats - 1])


# 1. draw and split ------------------------------------------------------------------------------------


def full_draw(state: State) -> tuple[int, int]:
    """The cards and workers a full draw takes for the seats still in."""
    seats = len(seats_in(state))
    return state.components.draw_cards * seats, state.components.draw_workers * seats


def begin_round(state: State, first: int) -> Iterator[Fact]:
    """The 1st player draws; what last round's cards added comes with it."""
    yield RoundBegan(state.round + 1, first)
    cards, workers = full_draw(state)
    yield PiecesDrawn(tuple(state.deck[:cards]), tuple(state.bag[:workers]), tuple(state.pledges))


def play_split(state: State, seat: int, move: Split, chance: Chance) -> Iterator[Fact]:
    """The pool in piles. The draft goes counter-clockwise, the 1st player comes last (ruling 1)."""
    there = seats_in(state)
    place = there.index(seat)
    order = [there[(place - step) % len(there)] for step in range(1, len(there) + 1)]
    yield PoolSplit(seat, move.pieces, tuple(order))


# 2. draft ---------------------------------------------------------------------------------------------


def play_pick(state: State, seat: int, move: Pick, chance: Chance) -> Iterator[Fact]:
    """A pile is taken; the 1st player gets what is left, then everybody's turn begins."""
    yield from take_pile(state, seat, move.number)
    if len(state.order) == 1:
        yield from take_pile(state, state.order[0], state.takers.index(-1) + 1)
        yield TurnsBegan()


def take_pile(state: State, seat: int, number: int) -> Iterator[Fact]:
    """Investors join and pay as soon as they are drafted (ruling 11)."""
    pile = state.piles[number - 1]
    yield PilePicked(seat, number, pile)
    for piece in pile:
        if piece[0] == "i":
            yield InvestorJoined(seat, piece, INVESTOR)


# 3. turns ---------------------------------------------------------------------------------------------


def play_build(state: State, seat: int, move: Build, chance: Chance) -> Iterator[Fact]:
    """A card face up. It activates once for free, if it can in full after its price is paid (ruling 16)."""
    plant = state.plants[seat]
    name = card_of(state, move.card).name
    yield CardBuilt(seat, move.card, name, price_of(state, plant, move.card), move.on)
    if can_run(state, plant, move.card, plant.money) is None:
        yield from run(state, seat, move.card)


def play_room(state: State, seat: int, move: Room, chance: Chance) -> Iterator[Fact]:
    """A card face down."""
    yield RoomMade(seat, move.card)


def play_activate(state: State, seat: int, move: Activate, chance: Chance) -> Iterator[Fact]:
    """A worker, or the space's own bot, runs a space."""
    space = space_of(state, move.space)
    name = space.name if space else card_of(state, move.space).name
    fee = fee_of(state, state.plants[seat], move.space, move.piece)
    yield SpaceActivated(seat, move.space, name, move.piece, fee)
    yield from run(state, seat, move.space)


def play_station(state: State, seat: int, move: Station, chance: Chance) -> Iterator[Fact]:
    """A drafted bot gets its home."""
    yield BotStationed(seat, move.bot, move.card)


def play_claim(state: State, seat: int, move: Claim, chance: Chance) -> Iterator[Fact]:
    """A goal pays, for a worker."""
    goal = goal_of(state, move.goal)
    yield GoalClaimed(seat, move.goal, goal.name, move.worker, goal.money)


def play_leak(state: State, seat: int, move: Leak, chance: Chance) -> Iterator[Fact]:
    """One of the four answers; covering a card locks what is on it (ruling 7)."""
    plant = state.plants[seat]
    if move.pay:
        yield LeakPaid(seat, move.leak, leak_price(state, plant))
    elif move.discard:
        yield LeakFed(seat, move.leak, move.discard)
    elif move.contain:
        yield LeakContained(seat, move.leak, move.contain)
    else:
        on_space = [piece for piece, space in plant.placed.items() if space == move.cover]
        at_home = [b for b, home in plant.bots.items() if home == move.cover and b not in on_space]
        yield LeakCovered(seat, move.leak, move.cover, (*on_space, *at_home))


def play_choose(state: State, seat: int, move: Choose, chance: Chance) -> Iterator[Fact]:
    """An effect goes on."""
    return choose(state, seat, move.value)


def play_done(state: State, seat: int, move: Done, chance: Chance) -> Iterator[Fact]:
    """A turn ends; a bot without an empty station is given up (ruling 5). The last one ends the round."""
    for bot in homeless(state.plants[seat]):
        yield BotGivenUp(seat, bot)
    yield TurnEnded(seat)
    if all(plant.done for plant in state.plants):
        yield from end_round(state)


# 4. end of the round ----------------------------------------------------------------------------------


def end_round(state: State) -> Iterator[Fact]:
    """Investors, goals, bots, clinic: the steps in the rulebook's order."""
    for seat in seats_in(state):
        plant = state.plants[seat]
        if len(plant.investors) > room_count(plant):
            yield SeatOut(seat, len(plant.investors), room_count(plant))
    if state.claimed:
        yield GoalsDiscarded(tuple(state.claimed))
    yield BotsReturned()
    asked = False
    for seat in seats_in(state):
        plant = state.plants[seat]
        free = room_count(plant) - len(plant.investors)
        workers = tuple(controlled(plant))
        if 0 < free < len(workers):
            asked = True
            yield HousingAsked(seat, free)
        elif workers:
            yield WorkersHoused(seat, workers[:free], workers[free:])
    if not asked:
        yield from finish_round(state)


def play_house(state: State, seat: int, move: House, chance: Chance) -> Iterator[Fact]:
    """Who gets a room; the others are gone for good."""
    workers = controlled(state.plants[seat])
    yield WorkersHoused(seat, move.worker, tuple(worker for worker in workers if worker not in move.worker))
    if all(plant.free < 0 for plant in state.plants):
        yield from finish_round(state)


def finish_round(state: State) -> Iterator[Fact]:
    """The end of the game, or the token goes clockwise and the next round begins."""
    reasons = end_reasons(state)
    if reasons:
        yield EndReached(reasons)
        yield from end_game(state)
    else:
        seats = len(state.plants)
        order = [(state.first + step) % seats for step in range(1, seats + 1)]
        yield from begin_round(state, next(seat for seat in order if not state.plants[seat].out))


# the end of the game ----------------------------------------------------------------------------------


def end_reasons(state: State) -> tuple[str, ...]:
    """All reasons why the game ends with this round; none, and it goes on (rulings 12, 13)."""
    there = seats_in(state)
    reasons: list[str] = []
    if any(facility_size(state.plants[seat]) >= ENOUGH_CARDS for seat in there):
        reasons.append("cards")
    cards, workers = full_draw(state)
    if len(state.deck) < cards or len(state.bag) < workers:
        reasons.append("draw")
    if len(there) < 2:
        reasons.append("last" if there else "nobody")
    return tuple(reasons)


def end_game(state: State) -> Iterator[Fact]:
    """Events pay, investors are paid, the most money wins."""
    for seat in seats_in(state):
        for card, money in list(end_money(state, state.plants[seat])):
            yield EventResolved(seat, card, card_of(state, card).name, money)
    for seat in seats_in(state):
        investors = len(state.plants[seat].investors)
        if investors:
            yield InvestorsRepaid(seat, investors, INVESTOR * investors)
    scores = tuple(None if plant.out else plant.money for plant in state.plants)
    yield GameEnded(tuple(winners(state)), scores)


def winners(state: State) -> list[int]:
    """The most money; then the most workers controlled; then shared (ruling 13)."""
    there = seats_in(state)
    best = max(((state.plants[s].money, len(controlled(state.plants[s]))) for s in there), default=None)
    return [s for s in there if (state.plants[s].money, len(controlled(state.plants[s]))) == best]


def outcome(state: State) -> Outcome | None:
    """Who won, once the game is over."""
    if state.phase != "over":
        return None
    scores = tuple(None if plant.out else plant.money for plant in state.plants)
    reason = " and ".join(END_REASONS[reason] for reason in state.reasons)
    return Outcome(tuple(state.winners), scores, reason)


# who is to move ---------------------------------------------------------------------------------------


def to_move(state: State) -> tuple[int, ...]:
    """The seats to decide: in the turns everybody who is not done (ruling 3)."""
    match state.phase:
        case "split":
            return (state.first,)
        case "draft":
            return (state.order[0],)
        case "turns":
            return tuple(seat for seat, plant in enumerate(state.plants) if not plant.done)
        case "house":
            return tuple(seat for seat, plant in enumerate(state.plants) if plant.free >= 0)
        case _:
            return ()


def automatic(state: State, seat: int) -> Move | None:
    """No seat is played by the rules."""
    return None


_RULES: dict[type[Move], Any] = {
    Split: play_split,
    Pick: play_pick,
    Build: play_build,
    Room: play_room,
    Activate: play_activate,
    Station: play_station,
    Claim: play_claim,
    Leak: play_leak,
    Choose: play_choose,
    Done: play_done,
    House: play_house,
}


def play(state: State, seat: int, move: Move, chance: Chance) -> Iterator[Fact]:
    """Carries out a move that is on offer."""
    return _RULES[type(move)](state, seat, move, chance)
