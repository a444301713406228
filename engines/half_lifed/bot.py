"""A player better than chance: values what it could build, hire or house, and takes the best thing first."""

from collections.abc import Iterable, Sequence
from typing import cast

from engines.half_lifed.effects import NEW
from engines.half_lifed.moves import Activate, Build, Choose, Claim, Done, House, Leak, Pick, Room, Split, Station
from engines.half_lifed.state import (
    Plant,
    State,
    card_of,
    colour_of,
    colour_of_department,
    controlled,
    fee_of,
    room_count,
    spaces,
)
from engines.half_lifed.worth import Worth
from engines.kit.chance import Chance
from engines.kit.notation import Move
from engines.kit.search import Aid

#: So many random splits are weighed besides the listed ones.
_SPLITS = 30


def greedy(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    """Chooses the move that looks best one step ahead."""
    if view.phase == "split":
        return best_split(view, seat, chance)
    worth = Worth(view, seat)
    if view.phase == "draft":
        return max(moves, key=lambda m: pile_worth(worth, view.piles[cast("Pick", m).number - 1]))
    if view.phase == "house":
        return best_housing(view, view.plants[seat])
    return best_of_turn(worth, moves)


# split and draft --------------------------------------------------------------------------------------


def pile_worth(worth: Worth, pile: Iterable[str]) -> float:
    """What a pile is worth to a seat: its pieces, the cards as far as money reaches."""
    pieces = list(pile)
    money = worth.plant.money + 4 + 10 * sum(piece[0] == "i" for piece in pieces)
    total = 0.0
    cards = sorted((p for p in pieces if p[0] == "c"), key=lambda card: -worth.card(card))
    for card in cards:
        price = card_of(worth.state, card).price
        if price <= money and worth.card(card) > worth.room():
            money -= price
            total += worth.card(card)
        else:
            total += worth.room()
    workers = [p for p in pieces if p[0] == "w"]
    total += sum(worth.worker(worker) * (0.9**place) for place, worker in enumerate(workers))
    return total + sum(worth.other(p) for p in pieces if p[0] in "bil")


def best_split(view: State, seat: int, chance: Chance) -> Split:
    """The split whose leftover is best for the one who splits, when the others take their best piles."""
    there = [s for s, plant in enumerate(view.plants) if not plant.out]
    place = there.index(seat)
    order = [Worth(view, there[(place - step) % len(there)]) for step in range(1, len(there) + 1)]
    candidates = [even_split(view.pool, len(there), chance) for _ in range(_SPLITS)]
    values = [{piece: piece_worth(worth, piece) for piece in view.pool} for worth in order]
    return max(candidates, key=lambda split: leftover(values, split.pieces))


def even_split(pool: Sequence[str], seats: int, chance: Chance) -> Split:
    """A split with as many cards on each pile: a pile of many would end the game for all; the rest by chance."""
    piles: list[list[str]] = [[] for _ in range(seats)]
    for place, card in enumerate(chance.shuffle("bot", [piece for piece in pool if piece[0] == "c"])):
        piles[place % seats].append(card)
    for piece in pool:
        if piece[0] != "c":
            piles[chance.number("bot", seats)].append(piece)
    return Split(tuple(map(tuple, piles)))


def piece_worth(worth: Worth, piece: str) -> float:
    """What a piece adds to a pile, roughly."""
    if piece[0] == "c":
        return max(worth.card(piece), worth.room())
    return worth.worker(piece) if piece[0] == "w" else worth.other(piece)


def leftover(values: list[dict[str, float]], piles: tuple[tuple[str, ...], ...]) -> float:
    """What is left for the last one, against what the others take."""
    left = list(piles)
    taken = 0.0
    for value in values[:-1]:
        best = max(left, key=lambda pile: sum(map(value.__getitem__, pile)))
        left.remove(best)
        taken += sum(map(values[-1].__getitem__, best))
    return sum(map(values[-1].__getitem__, left[0])) - 0.5 * taken / max(1, len(values) - 1)


# a turn -----------------------------------------------------------------------------------------------


def best_of_turn(worth: Worth, moves: Sequence[Move]) -> Move:
    """Answers first, then goals, then what earns most; the rest of the cards become rooms."""
    kinds: dict[type[Move], list[Move]] = {}
    for move in moves:
        kinds.setdefault(type(move), []).append(move)
    if Choose in kinds:
        return best_choice(worth, cast("list[Choose]", kinds[Choose]))
    if Station in kinds:
        stations = cast("list[Station]", kinds[Station])
        return max(stations, key=lambda move: worth.space(move.card))
    if Claim in kinds:
        return best_claim(worth, cast("list[Claim]", kinds[Claim]))
    chosen = best_work(worth, kinds)
    if chosen is not None:
        return chosen
    if Leak in kinds:
        return best_answer(worth, cast("list[Leak]", kinds[Leak]))
    if Room in kinds:
        rooms = cast("list[Room]", kinds[Room])
        return min(rooms, key=lambda move: worth.card(move.card))
    return kinds[Done][0]


def best_work(worth: Worth, kinds: dict[type[Move], list[Move]]) -> Move | None:
    """The best card to build, or else the best space to run; None if neither pays."""
    room = worth.room()
    builds = cast("list[Build]", kinds.get(Build, []))
    built = max(builds, key=lambda move: build_worth(worth, move), default=None)
    if built is not None and build_worth(worth, built) > room:
        return built
    runs = cast("list[Activate]", kinds.get(Activate, []))
    run = max(runs, key=lambda move: run_worth(worth, move), default=None)
    if run is not None and run_worth(worth, run) > 0:
        return run
    return None


def build_worth(worth: Worth, move: Build) -> float:
    """A card's worth where it would lie."""
    value = worth.card(move.card)
    if move.on:
        value += (
            worth.boost(move.card) if card_of(worth.state, move.on).kind == "action" else -worth.boost(move.card)
        )
        value -= 0.3 * card_of(worth.state, move.on).price / 10
    return value


def run_worth(worth: Worth, move: Activate) -> float:
    """What running a space gives; a worker is better used where its colour is free."""
    value = worth.effects(move.space) - fee_of(worth.state, worth.plant, move.space, move.piece)
    if move.piece[0] == "b":
        return value + 1
    if move.space[0] == "h":
        colour = colour_of(worth.state, move.piece)
        open_to_it = [card for card in worth.free_spaces if worth.colour(card) == colour]
        return value - (0.6 if open_to_it else 0.0)
    return value


def best_claim(worth: Worth, claims: list[Claim]) -> Claim:
    """The dearest goal, for the worker that is of least use."""
    goals = worth.state.components.goals
    return max(claims, key=lambda move: (goals[int(move.goal[1:]) - 1].money, -worth.worker(move.worker)))


def best_choice(worth: Worth, choices: list[Choose]) -> Choose:
    """The best station, a new bot rather than a moved one, the Leak on the dearest card."""
    asked = worth.plant.asked
    assert asked is not None
    if asked.what == "home":
        return max(choices, key=lambda move: worth.space(move.value))
    if asked.what == "bot":
        return next(move for move in choices if move.value == NEW)
    covered = {leak: card for card, leak in worth.plant.covers.items()}

    def dearness(move: Choose) -> int:
        return card_of(worth.state, covered[move.value]).price if move.value in covered else -1

    return max(choices, key=dearness)


def best_answer(worth: Worth, leaks: list[Leak]) -> Leak:
    """The answer to a Leak that costs least."""

    def cost(move: Leak) -> float:
        if move.contain:
            return -1.0
        if move.pay:
            return float(worth.leak_price)
        if move.discard:
            return worth.worker(move.discard) + 0.5 if move.discard[0] == "w" else 3.0 * worth.left + 2
        return worth.space(move.cover) * (worth.left + 0.5) + 1.0

    return min(leaks, key=cost)


def best_housing(view: State, plant: Plant) -> House:
    """Workers of the colours of the own spaces first, each space once."""
    workers = controlled(plant)
    chosen: list[str] = []
    for space in sorted(spaces(view, plant), key=lambda card: -card_of(view, card).price):
        colour = colour_of_department(view, card_of(view, space).department)
        fit = next((w for w in workers if w not in chosen and colour_of(view, w) == colour), None)
        if fit is not None:
            chosen.append(fit)
    chosen += [worker for worker in workers if worker not in chosen]
    return House(tuple(chosen[: plant.free]))


BOTS = {"greedy": greedy}


# for the search ---------------------------------------------------------------------------------------

#: The order in which a quick player does things; what is last it does only when nothing else is left.
_EAGER: tuple[type[Move], ...] = (Choose, Station, Claim, Leak, Build, Activate, Room)


def quick(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    """A player for playouts: any sensible kind of move first, of its kind any one."""
    if view.phase == "split":
        return even_split(view.pool, sum(not plant.out for plant in view.plants), chance)
    kinds: dict[type[Move], list[Move]] = {}
    for move in moves:
        kinds.setdefault(type(move), []).append(move)
    for kind in _EAGER:
        if kind in kinds:
            return kinds[kind][chance.number("quick", len(kinds[kind]))]
    return moves[chance.number("quick", len(moves))]


def standings(state: State) -> list[float]:
    """The money that each seat may come to, fitted to games between greedy bots."""
    return [
        plant.money
        + sum(1.0 + 2.0 * card_of(state, card).price for card in plant.cards)
        + 2.0 * len(controlled(plant))
        + 2.0 * sum(1 for home in plant.bots.values() if home)
        - 9.0 * len(plant.investors)
        + 3.0 * room_count(plant)
        for plant in state.plants
    ]


def clock(state: State) -> int:
    """The round."""
    return state.round


AID = Aid(standings, clock, policy=quick)
