"""Facts told in sentences, like the report of an expedition. Each needs the fact alone."""

from collections import Counter
from collections.abc import Callable, Iterable
from typing import Any

from engines.kit.game import Names
from engines.lairs.facts import (
    HIDDEN,
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
from engines.lairs.lair import DIRECTION_NAMES


def tell(fact: Any, names: Names) -> str | None:
    """A fact in a sentence; None where it speaks for itself."""
    teller = _TELLERS.get(fact.__class__)
    return teller(fact, names) if teller else None


def _list(words: Iterable[str]) -> str:
    *some, last = words
    return f"{', '.join(some)} and {last}" if some else last


def _cubes(cubes: tuple[str, ...]) -> str:
    kinds = {"c": "conserved ", "s": "spent "}
    counts = Counter(cubes)
    told: list[str] = []
    for cube, count in counts.items():
        prefix, _, colour = cube.rpartition(":")
        number, noun = ("a", "cube") if count == 1 else (str(count), "cubes")
        told.append(f"{number} {kinds.get(prefix, '')}{colour} {noun}")
    return _list(told)


def _article(feature: str) -> str:
    return {"start": "the Start", "exit": "the Exit", "": "Empty"}.get(feature, f"a {feature.title()}")


def _learned(fact: SpaceLearned, names: Names) -> str:
    walls = [DIRECTION_NAMES[letter] for letter in fact.walls]
    around = f"walls {_list(walls)}" if len(walls) > 1 else f"a wall {walls[0]}" if walls else "no walls"
    return f"{names[fact.seat]} learns about {fact.space}: {around}, {_article(fact.feature)}."


def _penalty(fact: PenaltyDue, names: Names) -> str:
    kind = {"any": "", "fresh": "Fresh "}.get(fact.of, f"{fact.of} ")
    cubes = f"{fact.count} {kind}cube{'s' * (fact.count != 1)}"
    return f"{names[fact.seat]} is to {fact.act} {cubes} and chooses which."


def _rolled(fact: DiceRolled, names: Names) -> str:
    if not fact.dice:
        return f"{names[fact.seat]} rolls no die against {fact.target}: the check fails."
    total = sum(fact.dice)
    verdict = "it succeeds" if total >= fact.target else "it fails"
    sums = f"{' + '.join(map(str, fact.dice))} = {total}" if len(fact.dice) > 1 else str(total)
    return f"{names[fact.seat]} rolls {sums} against {fact.target}: {verdict}."


def _shuffled(fact: TreasuresShuffled, names: Names) -> str:
    return f"The display is {_list(fact.display)}."


def _built(fact: LairBuilt, names: Names) -> str:
    return f"{names[fact.seat]} has built a lair."


def _first(fact: FirstNamed, names: Names) -> str:
    if fact.seat == fact.first:
        return f"{names[fact.seat]} chooses to explore first."
    return f"{names[fact.seat]} lets {names[fact.first]} explore first."


def _began(fact: TurnBegan, names: Names) -> str:
    last = " It is the last turn of the game." if fact.last else ""
    return f"Round {fact.round}: {names[fact.seat]} refreshes and explores.{last}"


def _drawn(fact: TreasureDrawn, names: Names) -> str:
    card = "a Treasure" if fact.card == HIDDEN else fact.card
    return f"{names[fact.seat]} draws {card} from the deck."


def _keepers(fact: KeepDue, names: Names) -> str:
    return f"{_list(names[seat] for seat in fact.seats)} must choose four Treasures that stay face-up."


def _kept(fact: TreasuresKept, names: Names) -> str:
    if HIDDEN in fact.cards:
        return f"{names[fact.seat]} has chosen the Treasures that stay face-up."
    return f"{names[fact.seat]} keeps {_list(fact.cards)} face-up."


def _scored(fact: SeatScored, names: Names) -> str:
    total = fact.treasures + fact.monsters + fact.exit
    shown = f" for {_list(fact.kept)}" if fact.kept else ""
    return (
        f"{names[fact.seat]} scores {fact.treasures}{shown}, {fact.monsters} for Monsters and {fact.exit} for "
        f"exiting: {total} points."
    )


def _ended(fact: GameEnded, names: Names) -> str:
    winner, *others = fact.winners
    if others:
        return f"The game is over: {_list(names[seat] for seat in fact.winners)} share the win."
    level = " as the first to exit" if fact.scores[0] == fact.scores[1] else ""
    scores = " to ".join(str(points) for points in (fact.scores[winner], fact.scores[1 - winner]))
    return f"The game is over: {names[winner]} wins{level}, {scores}."


_TELLERS: dict[type[Any], Callable[[Any, Names], str | None]] = {
    TreasuresShuffled: _shuffled,
    LairBuilt: _built,
    BuildingDone: lambda f, n: f"Both lairs stand; {n[f.seat]} was first and names the first Explorer.",
    FirstNamed: _first,
    TurnBegan: _began,
    SpaceLearned: _learned,
    FeatureLocated: lambda f, n: f"{n[f.seat]} locates {_article(f.feature)} in {f.space}.",
    CubesSpent: lambda f, n: f"{n[f.seat]} spends {_cubes(f.cubes)}.",
    HustleBegan: lambda f, n: f"{n[f.seat]} hustles.",
    HustleEnded: lambda f, n: f"{n[f.seat]}'s Hustle ends.",
    Moved: lambda f, n: f"{n[f.seat]} is in {f.space}.",
    Peered: lambda f, n: f"{n[f.seat]} may move into {f.space}.",
    Stayed: lambda f, n: f"{n[f.seat]} stays outside.",
    Struck: lambda f, n: f"The {f.name} in {f.space} strikes {n[f.seat]}!",
    PenaltyDue: _penalty,
    CubesFatigued: lambda f, n: f"{n[f.seat]} fatigues {_cubes(f.cubes)}.",
    PenaltyVoid: lambda f, n: f"{n[f.seat]} has no cube left to take.",
    CheckDue: lambda f, n: f"{n[f.seat]} has walked into the {f.name} and must face it now.",
    DiceRolled: _rolled,
    MonsterHurt: lambda f, n: f"The {f.name} in {f.space} is hurt: its Target is now {f.target}.",
    MonsterDefeated: lambda f, n: f"{n[f.seat]} defeats the {f.name} in {f.space}!",
    TrapDisarmed: lambda f, n: f"{n[f.seat]} disarms the {f.name} in {f.space}.",
    TrapSprung: lambda f, n: f"The {f.name} in {f.space} has sprung and is gone.",
    ChestOpened: lambda f, n: f"{n[f.seat]} opens the Chest in {f.space}.",
    TreasureDrawn: _drawn,
    TreasureTaken: lambda f, n: f"{n[f.seat]} takes {f.card} from the display.",
    DisplayRefilled: lambda f, n: f"{f.card} comes into the display.",
    CubesConserved: lambda f, n: f"{n[f.seat]} conserves {_cubes(f.cubes)}.",
    Exited: lambda f, n: f"{n[f.seat]} leaves the lair{', the first to do so' if f.first else ' as well'}!",
    TurnEnded: lambda f, n: f"{n[f.seat]}'s turn is over.",
    KeepDue: _keepers,
    TreasuresKept: _kept,
    SeatScored: _scored,
    GameEnded: _ended,
}
