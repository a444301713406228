"""One small function a fact: the only code that changes a state. Old logs are bound to it."""

from collections.abc import Callable
from typing import Any

from engines.lairs.cubes import Penalty, fatigue, sort_cubes, spend
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
from engines.lairs.state import State

#: Raised when the reducers change what a state is; snapshots of another version are void.
VERSION = 1


def _nothing(state: State, fact: Any) -> None:
    """The fact is told, and what it leads to follows as other facts."""


def _treasures_shuffled(state: State, fact: TreasuresShuffled) -> None:
    state.display, state.deck = list(fact.display), list(fact.deck)


def _lair_built(state: State, fact: LairBuilt) -> None:
    state.lairs[fact.seat] = fact.lair
    state.built.append(fact.seat)


def _building_done(state: State, fact: BuildingDone) -> None:
    state.phase, state.turn = "first", fact.seat


def _first_named(state: State, fact: FirstNamed) -> None:
    state.first = fact.first


def _turn_began(state: State, fact: TurnBegan) -> None:
    state.phase, state.turn, state.round = "act", fact.seat, fact.round
    baskets = state.cubes[fact.seat]
    baskets.fresh += baskets.spent
    sort_cubes(baskets.fresh)
    baskets.spent, baskets.fatigued = baskets.fatigued, []


def _space_learned(state: State, fact: SpaceLearned) -> None:
    state.known[fact.seat][fact.space] = fact.walls
    if fact.feature:
        state.features[fact.seat][fact.space] = fact.feature


def _feature_located(state: State, fact: FeatureLocated) -> None:
    state.features[fact.seat][fact.space] = fact.feature


def _cubes_spent(state: State, fact: CubesSpent) -> None:
    for cube in fact.cubes:
        spend(state.cubes[fact.seat], cube)
    _penalty_paid(state)


def _hustle_began(state: State, fact: HustleBegan) -> None:
    state.steps = fact.steps


def _hustle_ended(state: State, fact: HustleEnded) -> None:
    state.phase, state.steps = "act", 0


def _moved(state: State, fact: Moved) -> None:
    state.at[fact.seat], state.peering = fact.space, ""
    state.steps = max(0, state.steps - 1)
    state.phase = "step" if state.steps else "act"


def _peered(state: State, fact: Peered) -> None:
    state.phase, state.peering = "enter", fact.space


def _stayed(state: State, fact: Stayed) -> None:
    state.phase, state.peering = "act", ""


def _penalty_due(state: State, fact: PenaltyDue) -> None:
    state.phase, state.penalty = "penalty", Penalty(fact.act, fact.count, fact.of)


def _cubes_fatigued(state: State, fact: CubesFatigued) -> None:
    for cube in fact.cubes:
        fatigue(state.cubes[fact.seat], cube)
    _penalty_paid(state)


def _penalty_paid(state: State) -> None:
    if state.phase == "penalty":
        state.phase, state.penalty = "act", None


def _check_due(state: State, fact: CheckDue) -> None:
    state.phase = "check"


def _dice_rolled(state: State, fact: DiceRolled) -> None:
    state.phase = "act"


def _monster_hurt(state: State, fact: MonsterHurt) -> None:
    state.hurt[fact.seat][fact.space] = fact.target


def _monster_defeated(state: State, fact: MonsterDefeated) -> None:
    state.monsters[fact.seat] += 1
    state.gone[fact.seat].append(fact.space)
    state.hurt[fact.seat].pop(fact.space, None)


def _trap_disarmed(state: State, fact: TrapDisarmed) -> None:
    state.traps[fact.seat] += 1
    state.gone[fact.seat].append(fact.space)


def _trap_sprung(state: State, fact: TrapSprung) -> None:
    state.sprung[fact.seat] += 1
    state.gone[fact.seat].append(fact.space)


def _chest_opened(state: State, fact: ChestOpened) -> None:
    state.chests[fact.seat] += 1
    state.gone[fact.seat].append(fact.space)
    state.phase = "take"


def _treasure_drawn(state: State, fact: TreasureDrawn) -> None:
    del state.deck[0]
    state.drawn[fact.seat].append(fact.card)


def _treasure_taken(state: State, fact: TreasureTaken) -> None:
    state.display.remove(fact.card)
    state.taken[fact.seat].append(fact.card)
    state.phase = "act"


def _display_refilled(state: State, fact: DisplayRefilled) -> None:
    del state.deck[0]
    state.display.insert(fact.place, fact.card)


def _cubes_conserved(state: State, fact: CubesConserved) -> None:
    baskets = state.cubes[fact.seat]
    for cube in fact.cubes:
        baskets.fresh.remove(cube)
        baskets.conserved.append(cube)
    sort_cubes(baskets.conserved)


def _exited(state: State, fact: Exited) -> None:
    state.exits.append(fact.seat)


def _keep_due(state: State, fact: KeepDue) -> None:
    state.phase, state.keeping = "keep", list(fact.seats)


def _treasures_kept(state: State, fact: TreasuresKept) -> None:
    state.keeping.remove(fact.seat)
    state.kept[fact.seat] = list(fact.cards)


def _seat_scored(state: State, fact: SeatScored) -> None:
    state.drawn[fact.seat], state.kept[fact.seat] = list(fact.drawn), list(fact.kept)


def _game_ended(state: State, fact: GameEnded) -> None:
    state.phase, state.winners = "over", list(fact.winners)


REDUCERS: dict[type[Any], Callable[[State, Any], None]] = {
    TreasuresShuffled: _treasures_shuffled,
    LairBuilt: _lair_built,
    BuildingDone: _building_done,
    FirstNamed: _first_named,
    TurnBegan: _turn_began,
    SpaceLearned: _space_learned,
    FeatureLocated: _feature_located,
    CubesSpent: _cubes_spent,
    HustleBegan: _hustle_began,
    HustleEnded: _hustle_ended,
    Moved: _moved,
    Peered: _peered,
    Stayed: _stayed,
    Struck: _nothing,
    PenaltyDue: _penalty_due,
    CubesFatigued: _cubes_fatigued,
    PenaltyVoid: _nothing,
    CheckDue: _check_due,
    DiceRolled: _dice_rolled,
    MonsterHurt: _monster_hurt,
    MonsterDefeated: _monster_defeated,
    TrapDisarmed: _trap_disarmed,
    TrapSprung: _trap_sprung,
    ChestOpened: _chest_opened,
    TreasureDrawn: _treasure_drawn,
    TreasureTaken: _treasure_taken,
    DisplayRefilled: _display_refilled,
    CubesConserved: _cubes_conserved,
    Exited: _exited,
    TurnEnded: _nothing,
    KeepDue: _keep_due,
    TreasuresKept: _treasures_kept,
    SeatScored: _seat_scored,
    GameEnded: _game_ended,
}
