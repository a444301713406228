"""The rules, in the rulebook's order. A rule yields facts; each is applied before its next line runs."""

from collections.abc import Generator, Iterator
from typing import Any

from engines.kit.chance import Chance
from engines.kit.game import Fact, Names, Options
from engines.kit.notation import Move
from engines.lairs import offered
from engines.lairs.builder import random_lair
from engines.lairs.cubes import (
    CREEP,
    HUSTLE,
    PEER,
    Cost,
    Penalty,
    choices,
    in_spending_order,
    named_payment,
    payment,
)
from engines.lairs.facts import (
    BuildingDone,
    CheckDue,
    ChestOpened,
    CubesConserved,
    CubesFatigued,
    CubesSpent,
    DiceRolled,
    DisplayRefilled,
    Exited,
    FeatureLocated,
    FirstNamed,
    GameEnded,
    HustleBegan,
    HustleEnded,
    KeepDue,
    LairBuilt,
    MonsterDefeated,
    MonsterHurt,
    Moved,
    Peered,
    PenaltyDue,
    PenaltyVoid,
    SeatScored,
    SpaceLearned,
    Stayed,
    Struck,
    TrapDisarmed,
    TrapSprung,
    TreasureDrawn,
    TreasuresKept,
    TreasuresShuffled,
    TreasureTaken,
    TurnBegan,
    TurnEnded,
)
from engines.lairs.lair import HAZARDS, NEIGHBOURS, faults, lair_of, one_line, rows_of
from engines.lairs.moves import (
    Backtrack,
    Build,
    Conserve,
    Creep,
    Disarm,
    End,
    Enter,
    Exit,
    Fatigue,
    Fight,
    First,
    Hustle,
    Keep,
    Open,
    Peer,
    Stay,
    Step,
    Stop,
    Take,
)
from engines.lairs.offered import RANDOM, backtrack_cost, seat_said
from engines.lairs.state import (
    DISPLAY,
    SEATS,
    State,
    collection,
    exit_points,
    must_keep,
    open_points,
    score,
    standing,
    target,
    treasure_points,
)
from events.model import Outcome

#: The moves of a Hustle.
STEPS = 3


# set-up and building ----------------------------------------------------------------------------------


def setup(state: State, names: Names, options: Options, chance: Chance) -> Iterator[Fact]:
    """Shuffles the Treasures and lays out the display."""
    deck = chance.shuffle("treasure-deck", state.deck)
    yield TreasuresShuffled(tuple(deck[:DISPLAY]), tuple(deck[DISPLAY:]))


def play_build(state: State, seat: int, move: Build, chance: Chance) -> Iterator[Fact]:
    """A lair is built; the first to finish is asked once both stand."""
    drawn = move.lair.lower() == RANDOM
    line = chance.made("random-lair", random_lair, _misfit) if drawn else move.lair
    yield LairBuilt(seat, one_line(rows_of(line)))
    if len(state.built) == SEATS:
        yield BuildingDone(state.built[0])


def _misfit(line: str) -> str | None:
    return "; ".join(faults(line)) or None


def play_first(state: State, seat: int, move: First, chance: Chance) -> Iterator[Fact]:
    """The first Explorer is named."""
    first = seat_said(state, move.seat)
    assert first is not None
    yield FirstNamed(seat, first)
    yield from begin_turn(state, first)


# learning about and locating --------------------------------------------------------------------------


def learn(state: State, seat: int, space: str) -> Iterator[Fact]:
    """A space becomes completely Known: walls first, then the feature."""
    lair = lair_of(state.lairs[1 - seat])
    yield SpaceLearned(seat, space, lair.walls_of(space), lair.features.get(space, ""))


def locate(state: State, seat: int, feature: str) -> Iterator[Fact]:
    """A feature's place is disclosed and nothing else; its space stays Unknown."""
    for space in lair_of(state.lairs[1 - seat]).places(feature):
        if space not in state.features[seat]:
            yield FeatureLocated(seat, space, feature)


# checks, penalties ------------------------------------------------------------------------------------


def roll(state: State, seat: int, move: Fight | Disarm, chance: Chance) -> Generator[Fact, None, int]:
    """Buys dice with cubes and rolls them, and gives their total; without a die the check fails."""
    cubes = dice_payment(state, seat, move)
    if cubes:
        yield CubesSpent(seat, cubes)
    faces = state.components.faces
    dice = tuple(chance.dice("dice", faces, len(cubes))) if cubes else ()
    yield DiceRolled(seat, dice, target(state, seat, state.at[seat]))
    return sum(dice)


def dice_payment(state: State, seat: int, move: Fight | Disarm) -> tuple[str, ...]:
    """The cubes that buy the dice, one a die."""
    if move.pay:
        return named_payment(move.pay)
    return payment(state.cubes[seat], Cost("check", move.dice, ""), "") if move.dice else ()


def strike(state: State, seat: int, space: str) -> Iterator[Fact]:
    """The hazard in a space strikes: its penalty is paid, or asked for where there is a choice."""
    card = state.components.hazard(state.features[seat][space])
    yield Struck(seat, space, card.name)


def suffer(state: State, seat: int, penalty: Penalty) -> Iterator[Fact]:
    """A penalty takes cubes; what leaves no choice is carried out (ruling 8)."""
    sets = choices(state.cubes[seat], penalty)
    if len(sets) > 1:
        yield PenaltyDue(seat, "spend" if penalty.act == "spend" else "fatigue", penalty.count, penalty.of)
    elif sets[0]:
        yield from take_cubes(seat, penalty, sets[0])
    else:
        yield PenaltyVoid(seat)


def take_cubes(seat: int, penalty: Penalty, cubes: tuple[str, ...]) -> Iterator[Fact]:
    """The cubes of a penalty are fatigued, or spent where it says so and they can be."""
    if penalty.act == "spend" and not cubes[0].startswith("s:"):
        yield CubesSpent(seat, in_spending_order(cubes))
    else:
        yield CubesFatigued(seat, cubes)


def play_fatigue(state: State, seat: int, move: Fatigue, chance: Chance) -> Iterator[Fact]:
    """The choice that a penalty left open."""
    assert state.penalty is not None
    yield from take_cubes(seat, state.penalty, tuple(cube.lower() for cube in move.cubes))


# on your turn -----------------------------------------------------------------------------------------


def begin_turn(state: State, seat: int) -> Iterator[Fact]:
    """Refreshes the cubes; on the very first turn the Start becomes Known (ruling 15)."""
    yield TurnBegan(seat, state.round + (seat == state.first), last=bool(state.exits))
    if not state.at[seat]:
        start = lair_of(state.lairs[1 - seat]).places("start")[0]
        yield from learn(state, seat, start)
        yield Moved(seat, start)


def end_turn(state: State, seat: int) -> Iterator[Fact]:
    """The other seat's turn, or the end: one full turn after an exit, or no rounds left (rulings 11, 12)."""
    yield TurnEnded(seat)
    left = bool(state.exits)
    if (left and state.exits[0] != seat) or (not left and seat != state.first and state.round >= state.rounds):
        yield from end_game(state)
    else:
        yield from begin_turn(state, 1 - seat)


# the actions ------------------------------------------------------------------------------------------


def pay(state: State, seat: int, cost: Cost, named: str) -> Iterator[Fact]:
    """Spends the cubes that an action costs."""
    yield CubesSpent(seat, payment(state.cubes[seat], cost, named))


def move_into(state: State, seat: int, space: str) -> Iterator[Fact]:
    """The process of creeping: learn about an Unknown space, move in, meet its feature."""
    unknown = space not in state.known[seat]
    if unknown:
        yield from learn(state, seat, space)
    yield Moved(seat, space)
    feature = standing(state, seat, space)
    if not feature:
        return
    if state.steps:
        yield HustleEnded(seat)
    if feature not in HAZARDS:
        return
    card = state.components.hazard(feature)
    if unknown:
        yield from strike(state, seat, space)
        yield from suffer(state, seat, card.strike.penalty)
    else:
        yield CheckDue(seat, space, card.name)  # ruling 6


def _beside(state: State, seat: int, letter: str) -> str:
    return NEIGHBOURS[state.at[seat]][letter.lower()]


def play_creep(state: State, seat: int, move: Creep, chance: Chance) -> Iterator[Fact]:
    """One space further."""
    yield from pay(state, seat, CREEP, move.pay)
    yield from move_into(state, seat, _beside(state, seat, move.dir_))


def play_hustle(state: State, seat: int, move: Hustle, chance: Chance) -> Iterator[Fact]:
    """The first of up to three moves."""
    yield from pay(state, seat, HUSTLE, move.pay)
    yield HustleBegan(seat, STEPS)
    yield from move_into(state, seat, _beside(state, seat, move.dir_))


def play_step(state: State, seat: int, move: Step, chance: Chance) -> Iterator[Fact]:
    """A further move of a Hustle."""
    yield from move_into(state, seat, _beside(state, seat, move.dir_))


def play_stop(state: State, seat: int, move: Stop, chance: Chance) -> Iterator[Fact]:
    """A Hustle ends early."""
    yield HustleEnded(seat)


def play_backtrack(state: State, seat: int, move: Backtrack, chance: Chance) -> Iterator[Fact]:
    """Through Known Empty spaces into a Known one (ruling 2)."""
    yield from pay(state, seat, backtrack_cost(state), move.pay)
    yield from move_into(state, seat, move.space.upper())


def play_peer(state: State, seat: int, move: Peer, chance: Chance) -> Iterator[Fact]:
    """Learns about the next space; moving in is asked."""
    yield from pay(state, seat, PEER, move.pay)
    space = _beside(state, seat, move.dir_)
    yield from learn(state, seat, space)
    yield Peered(seat, space)


def play_enter(state: State, seat: int, move: Enter, chance: Chance) -> Iterator[Fact]:
    """Into the space peered at, for free."""
    yield from move_into(state, seat, state.peering)


def play_stay(state: State, seat: int, move: Stay, chance: Chance) -> Iterator[Fact]:
    """Stays outside."""
    yield Stayed(seat)


def play_conserve(state: State, seat: int, move: Conserve, chance: Chance) -> Iterator[Fact]:
    """Saves cubes, which ends the turn."""
    yield CubesConserved(seat, tuple(cube.lower() for cube in move.cubes))
    yield from end_turn(state, seat)


def play_end(state: State, seat: int, move: End, chance: Chance) -> Iterator[Fact]:
    """The turn is over."""
    yield from end_turn(state, seat)


# hazards ----------------------------------------------------------------------------------------------


def play_fight(state: State, seat: int, move: Fight, chance: Chance) -> Iterator[Fact]:
    """A check against the Monster; a failed one lowers its Target, and it strikes (ruling 9)."""
    space, card = state.at[seat], state.components.monster
    needed = target(state, seat, space)
    total = yield from roll(state, seat, move, chance)
    if total >= needed:
        yield MonsterDefeated(seat, space, card.name)
        if card.reward:
            yield from locate(state, seat, card.reward)
        return
    if total:
        yield MonsterHurt(seat, space, needed - total, card.name)
    yield from strike(state, seat, space)
    yield from suffer(state, seat, card.strike.penalty)


def play_disarm(state: State, seat: int, move: Disarm, chance: Chance) -> Iterator[Fact]:
    """A check against the Trap; it is gone either way."""
    space, card = state.at[seat], state.components.trap
    total = yield from roll(state, seat, move, chance)
    if total >= card.target:
        yield TrapDisarmed(seat, space, card.name)
        return
    yield from strike(state, seat, space)
    yield TrapSprung(seat, space, card.name)
    yield from suffer(state, seat, card.strike.penalty)


# goals ------------------------------------------------------------------------------------------------


def play_open(state: State, seat: int, move: Open, chance: Chance) -> Iterator[Fact]:
    """A Treasure from the deck; one from the display is to be taken."""
    yield ChestOpened(seat, state.at[seat])
    yield TreasureDrawn(seat, state.deck[0])


def play_take(state: State, seat: int, move: Take, chance: Chance) -> Iterator[Fact]:
    """A Treasure from the display, and the gap is refilled."""
    card = move.treasure.lower()
    place = state.display.index(card)
    yield TreasureTaken(seat, card)
    if state.deck:
        yield DisplayRefilled(state.deck[0], place)


def play_exit(state: State, seat: int, move: Exit, chance: Chance) -> Iterator[Fact]:
    """Out of the lair, which ends the turn (ruling 11)."""
    yield Exited(seat, first=not state.exits)
    yield from end_turn(state, seat)


# the end ----------------------------------------------------------------------------------------------


def end_game(state: State) -> Iterator[Fact]:
    """Who holds too many Treasures is asked which stay face-up (ruling 13)."""
    asked = tuple(seat for seat in range(SEATS) if must_keep(state, seat))
    if asked:
        yield KeepDue(asked)
    else:
        yield from settle_scores(state)


def play_keep(state: State, seat: int, move: Keep, chance: Chance) -> Iterator[Fact]:
    """The choice of one seat; nothing is laid out before both have chosen."""
    others = [other for other in state.keeping if other != seat]
    yield TreasuresKept(seat, tuple(card.lower() for card in move.treasures))
    if not others:
        yield from settle_scores(state)


def settle_scores(state: State) -> Iterator[Fact]:
    """Collections are laid out and scored; ties go to who exited first."""
    for seat in range(SEATS):
        kept = tuple(state.kept[seat] or collection(state, seat))
        points = treasure_points(state, seat)
        left = exit_points(state, seat)
        yield SeatScored(seat, tuple(state.drawn[seat]), kept, points, open_points(state, seat) - left, left)
    scores = tuple(score(state, seat) for seat in range(SEATS))
    best = tuple(seat for seat in range(SEATS) if scores[seat] == max(scores))
    yield GameEnded((state.exits[0],) if len(best) > 1 and state.exits else best, scores)


# what the table asks ----------------------------------------------------------------------------------


def to_move(state: State) -> tuple[int, ...]:
    """The seats to decide: those that are still building or choosing, or the Explorer."""
    if state.phase == "build":
        return tuple(seat for seat in range(SEATS) if seat not in state.built)
    if state.phase == "keep":
        return tuple(state.keeping)
    return () if state.phase == "over" else (state.turn,)


offers = offered.offers

_RULES: dict[type[Move], Any] = {
    Build: play_build,
    First: play_first,
    Creep: play_creep,
    Hustle: play_hustle,
    Step: play_step,
    Stop: play_stop,
    Backtrack: play_backtrack,
    Peer: play_peer,
    Enter: play_enter,
    Stay: play_stay,
    Fight: play_fight,
    Disarm: play_disarm,
    Fatigue: play_fatigue,
    Open: play_open,
    Take: play_take,
    Exit: play_exit,
    Conserve: play_conserve,
    End: play_end,
    Keep: play_keep,
}


def play(state: State, seat: int, move: Move, chance: Chance) -> Iterator[Fact]:
    """Carries out a move that is on offer."""
    return _RULES[type(move)](state, seat, move, chance)


def outcome(state: State) -> Outcome | None:
    """Who won, once both collections are laid out."""
    if state.phase != "over":
        return None
    scores = tuple(score(state, seat) for seat in range(SEATS))
    if scores[0] != scores[1]:
        reason = "most points"
    elif state.exits:
        reason = "level on points, the first to exit wins"
    else:
        reason = "level on points, and nobody exited"
    if not state.exits:
        reason += f"; round {state.rounds} was the last"
    return Outcome(tuple(state.winners), scores, reason)
