"""Facts told in a sentence, like a match report. A teller gets what a viewer may see of a fact, and names."""

from collections.abc import Callable, Sequence
from typing import Any

from engines.evangelists.facts import (
    BoatBumped,
    BoatSailed,
    CardKept,
    CardsReturned,
    CubeDrawn,
    DeviceScored,
    FirstDrawn,
    GameEnded,
    InterviewTaken,
    LeafAdded,
    LeafFlipped,
    LeafMoved,
    LeavesArranged,
    Passed,
    PawnMoved,
    PawnPlaced,
    RoundBegan,
    RoundEnded,
    TestimonyHeard,
    ThemesDealt,
    ThemesScored,
    TokenPaid,
    TraditionOpened,
    TraditionsLooked,
    TurnBegan,
    TwinTaken,
    WhiteRemoved,
    WitnessFlipped,
)
from engines.evangelists.scoring import ALONE_TO_WIN
from engines.evangelists.state import WHITE
from engines.kit.game import Names


def tell(fact: Any, names: Names) -> str | None:
    """A fact in a sentence, or None where it speaks for itself."""
    teller = _TELLERS.get(fact.__class__)
    return teller(fact, names) if teller else None


def _list(words: Sequence[str]) -> str:
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " and " + words[-1]


def _themes_dealt(fact: ThemesDealt, names: Names) -> str:
    themes = [f"{theme} for {name}" for theme, name in zip(fact.themes, names, strict=True)]
    return f"The themes: {_list(themes)}."


def _pawn_moved(fact: PawnMoved, names: Names) -> str:
    if fact.following:
        return f"{names[fact.seat]} follows to {fact.space}."
    return f"{names[fact.seat]} travels {'straight ' if fact.strong else ''}from {fact.origin} to {fact.space}."


def _looked(fact: TraditionsLooked, names: Names) -> str:
    cards = f" of {fact.city}: " + ", ".join(fact.cards) if fact.cards != fact.shown else f" of {fact.city}"
    return f"{names[fact.seat]} looks at the traditions{cards}."


def _returned(fact: CardsReturned, names: Names) -> str | None:
    keeps = "" if fact.kept else f"{names[fact.seat]} keeps none. "
    if not fact.open:
        return keeps.strip() or None
    return f"{keeps}Back in {fact.city}, {fact.open} lies open."


def _cube(fact: CubeDrawn, names: Names) -> str:
    fate = "alive" if fact.colour == WHITE else "dead"
    return f"A {fact.colour} cube out of the bag: {fact.witness} is {fate}."


def _heard(fact: TestimonyHeard, names: Names) -> str:
    who = names[fact.seat]
    cards = f"{fact.cards} card{'s' if fact.cards != 1 else ''}"
    marks = f"{fact.marks} tally mark{'s' if fact.marks != 1 else ''}"
    if fact.following:
        held = f" and {fact.bonus} for holding the card" if fact.bonus else ""
        return f"{who} follows the interview: {marks}, 1 for each of {cards} of {fact.witness}{held}."
    return f"{who}'s {'strong' if fact.strong else 'weak'} interview of {fact.witness}: {cards}, {marks}."


def _leaf_moved(fact: LeafMoved, names: Names) -> str:
    verb = "follows and moves" if fact.following else "moves"
    return f"{names[fact.seat]} {verb} leaf {fact.leaf} to place {fact.to}."


def _leaf_flipped(fact: LeafFlipped, names: Names) -> str:
    verb = "follows and flips" if fact.following else "flips"
    return f"{names[fact.seat]} {verb} leaf {fact.leaf}."


def _arranged(fact: LeavesArranged, names: Names) -> str:
    flipped = f", {_list(fact.flipped)} flipped" if fact.flipped else ""
    return f"{names[fact.seat]} puts the leaves in a new order: {' '.join(fact.leaves)}{flipped}."


def _round_ended(fact: RoundEnded, names: Names) -> str:
    if not fact.witnesses:
        return f"Round {fact.round} ends; no witness has a white cube to give back."
    return f"Round {fact.round} ends; the white cubes of {_list(fact.witnesses)} go back to the bag."


def _device(fact: DeviceScored, names: Names) -> str:
    on = [seat for seat, value in enumerate(fact.values) if value]
    if not on:
        return f"{fact.device.capitalize()}: nobody has one."
    told = [
        f"{names[seat]} {fact.values[seat]}, {fact.points[seat]} points"
        + (f" less {fact.ties[seat]} for the tie" if fact.ties[seat] else "")
        for seat in sorted(on, key=lambda seat: -fact.values[seat])
    ]
    return f"{fact.device.capitalize()}: {'; '.join(told)}."


def _themes_scored(fact: ThemesScored, names: Names) -> str:
    told = [
        f"{name} {fact.matching[seat]} cards, {fact.points[seat]} points"
        + (f" and {fact.bonus[seat]} for half the gospel" if fact.bonus[seat] else "")
        for seat, name in enumerate(names)
    ]
    return f"Themes: {'; '.join(told)}."


def _ended(fact: GameEnded, names: Names) -> str:
    scores = ", ".join(f"{name} {points}" for name, points in zip(names, fact.scores, strict=True))
    if len(names) == 1:
        verdict = f"{names[0]} wins" if fact.winners else f"{names[0]} falls short of {ALONE_TO_WIN}"
        return f"The game is over: {verdict}. Recorded: {fact.scores[0]}."
    winners = _list([names[seat] for seat in fact.winners])
    verb = "wins" if len(fact.winners) == 1 else "share the win"
    return f"The game is over: {winners} {verb}. Points: {scores}."


_TELLERS: dict[type[Any], Callable[[Any, Names], str | None]] = {
    ThemesDealt: _themes_dealt,
    FirstDrawn: lambda f, n: f"{n[f.seat]} is the stenographer, and first all game.",
    TraditionOpened: lambda f, n: f"In {f.city}, {f.card} lies open.",
    PawnPlaced: lambda f, n: f"{n[f.seat]} begins in {f.city}.",
    RoundBegan: lambda f, n: f"Round {f.round} begins.",
    WitnessFlipped: lambda f, n: f"The witness deck shows {f.witness}.",
    CubeDrawn: _cube,
    TurnBegan: lambda f, n: f"{n[f.seat]}'s turn.",
    PawnMoved: _pawn_moved,
    BoatSailed: lambda f, n: f"{n[f.seat]} sails from {f.origin} to {f.space}.",
    BoatBumped: lambda f, n: f"The boat at {f.space} makes room and goes to {f.city}.",
    TraditionsLooked: _looked,
    CardKept: lambda f, n: f"{n[f.seat]} keeps {f.card} in {f.slot}.",
    CardsReturned: _returned,
    InterviewTaken: lambda f, n: f"{n[f.seat]} interviews {f.witness}.",
    TestimonyHeard: _heard,
    LeafMoved: _leaf_moved,
    LeafFlipped: _leaf_flipped,
    LeavesArranged: _arranged,
    TokenPaid: lambda f, n: f"{n[f.seat]} gives {n[f.to]} a follow token.",
    TwinTaken: lambda f, n: f"{n[f.seat]} follows and takes the copy of {f.card} into {f.slot}.",
    Passed: lambda f, n: f"{n[f.seat]} does not follow.",
    RoundEnded: _round_ended,
    WhiteRemoved: lambda f, n: "A white cube leaves the game.",
    LeafAdded: lambda f, n: f"{n[f.seat]} adds leaf {f.leaf} at the {f.side} end.",
    DeviceScored: _device,
    ThemesScored: _themes_scored,
    GameEnded: _ended,
}
