"""A fact told in a sentence, like a match report; None where it speaks for itself."""

from collections.abc import Callable
from typing import Any

from engines.kit.game import Names
from engines.theory_of_power import facts as f
from engines.theory_of_power.facts import BACK
from engines.theory_of_power.words import tokens


def tell(fact: Any, names: Names) -> str | None:
    """A fact in a sentence, or None if it needs none."""
    teller = _TELLERS.get(fact.__class__)
    return teller(fact, names) if teller else None


def _cards(cards: tuple[str, ...]) -> str:
    """Cards by name, or how many from behind."""
    if not cards:
        return "nothing"
    if BACK in cards:
        return "a card" if len(cards) == 1 else f"{len(cards)} cards"
    return ", ".join(cards)


def _gained(fact: f.TokensGained, names: Names) -> str:
    by = {"": "", "rulers": " for a second symbol of the Rulers"}.get(fact.why, f" by the {fact.why}")
    return f"{names[fact.seat]} takes {tokens(fact.food, fact.influence)}{by}."


def _got(fact: f.FoodGot, names: Names) -> str:
    got = tokens(fact.food, fact.influence)
    if not fact.cards:
        return f"{names[fact.seat]} gets no Food, having discarded nothing."
    return f"{names[fact.seat]} discards {_cards(fact.cards)} and gets {got}."


def _as(faction: str) -> str:
    return f", as a {faction}" if faction else ""


def _attracted(fact: f.SupporterAttracted, names: Names) -> str:
    parts = [tokens(fact.food, fact.influence)] if fact.food or fact.influence else []
    if fact.tokens:
        parts.append("the tokens " + ", ".join(fact.tokens))
    paid = " and ".join(parts) or "nothing"
    return f"{names[fact.seat]} attracts a {fact.card} ({fact.id}) for {paid}{_as(fact.as_faction)}."


def _with_tokens(food: int, influence: int) -> str:
    return f" and the {tokens(food, influence)} on it" if food or influence else ""


def _poached(fact: f.SupporterPoached, names: Names) -> str:
    lying = _with_tokens(fact.food, fact.influence)
    return (
        f"{names[fact.seat]} poaches {names[fact.owner]}'s {fact.card} ({fact.id}){lying} "
        f"for {fact.price} Influence{_as(fact.as_faction)}."
    )


def _taken(fact: f.SupporterTaken, names: Names) -> str:
    lying = _with_tokens(fact.food, fact.influence)
    return f"{names[fact.seat]} takes {names[fact.owner]}'s {fact.card} ({fact.id}){lying}{_as(fact.as_faction)}."


def _swapped(fact: f.SupportersSwapped, names: Names) -> str:
    return (
        f"{names[fact.seat]} swaps {fact.given_card} ({fact.given}){_as(fact.given_as)} for "
        f"{names[fact.owner]}'s {fact.card} ({fact.id}){_as(fact.as_faction)}."
    )


def _eaten(fact: f.SupporterEaten, names: Names) -> str:
    back = f"; {tokens(fact.food, fact.influence)} come back" if fact.food or fact.influence else ""
    return f"{names[fact.seat]} feeds the {fact.card} ({fact.id}) to a predator{back}."


def _fed(fact: f.SupporterFed, names: Names) -> str:
    extra = f" ({fact.extra} of it extra)" if fact.extra else ""
    return f"{names[fact.seat]} feeds the {fact.card} ({fact.id}) {tokens(fact.food, fact.influence)}{extra}."


def _compromat(fact: f.CompromatTaken, names: Names) -> str:
    if not fact.count:
        return f"{names[fact.seat]} has five Compromat and takes no more."
    return f"{names[fact.seat]} takes {fact.count} Compromat."


def _won(fact: f.GameWon, names: Names) -> str:
    scores = ", ".join(f"{name} {points}" for name, points in zip(names, fact.scores, strict=True))
    return f"{names[fact.seat]} takes power and wins. Points: {scores}."


def _waits(fact: f.AbilitiesSetOff, names: Names) -> str:
    shown = dict.fromkeys(f"{names[one.owner]}'s {one.card}" for one in fact.waiting)
    return f"This sets off {', '.join(shown)}."


_TELLERS: dict[type[Any], Callable[[Any, Names], str | None]] = {
    f.FirstPlayerChosen: lambda e, n: f"{n[e.seat]} looked at the stars last and starts.",
    f.CardsDealt: lambda e, n: f"{n[e.seat]} is dealt {_cards(e.cards)}.",
    f.CardsDiscarded: lambda e, n: f"{n[e.seat]} discards {_cards(e.cards)}.",
    f.LeadersDealt: lambda e, n: f"{n[e.seat]} may keep {' or '.join(e.leaders)}.",
    f.LeaderKept: lambda e, n: f"{n[e.seat]} follows the {e.leader}.",
    f.TurnBegan: lambda e, n: f"It is {n[e.seat]}'s turn.",
    f.SecondActionDue: lambda e, n: f"Three symbols of the Free: {n[e.seat]} may act again.",
    f.TurnPassed: lambda e, n: f"{n[e.seat]} does without a second action.",
    f.FoodGot: _got,
    f.ContactsSought: lambda e, n: f"{n[e.seat]} seeks contacts.",
    f.CardsDrawn: lambda e, n: f"{n[e.seat]} draws {_cards(e.cards)}.",
    f.DeckReshuffled: lambda e, n: f"The {len(e.cards)} discards become the new deck.",
    f.TokensGained: _gained,
    f.TokensStolen: lambda e, n: (
        f"{n[e.seat]} takes {tokens(e.food, e.influence)} out of {n[e.victim]}'s reserve."
    ),
    f.SupporterEaten: _eaten,
    f.SupporterAttracted: _attracted,
    f.SupporterPoached: _poached,
    f.SupporterTaken: _taken,
    f.SupportersSwapped: _swapped,
    f.SupporterFed: _fed,
    f.SymbolsCounted: lambda e, n: f"{n[e.seat]} now has {e.free} Free and {e.rulers} Rulers symbols.",
    f.CompromatTaken: _compromat,
    f.CompromatReturned: lambda e, n: f"{n[e.seat]} returns {e.count} Compromat.",
    f.AbilitiesSetOff: _waits,
    f.AbilityBegun: lambda e, n: f"{n[e.ability.owner]} uses the {e.ability.card}.",
    f.AbilitySkipped: lambda e, n: f"{n[e.ability.owner]} lets the {e.ability.card} be.",
    f.AbilityLapsed: lambda e, n: f"The {e.ability.card} has left {n[e.ability.owner]}: its ability lapses.",
    f.AbilityDropped: lambda e, n: f"What {n[e.ability.owner]}'s {e.ability.card} does cannot be done in full.",
    f.SetBroughtForward: lambda e, n: (
        f"{n[e.waiting[0].owner]} may use the {e.waiting[0].card} before it is taken."
    ),
    f.EffectDropped: lambda e, n: f"{n[e.seat]}'s {e.card} can do no more.",
    f.GameWon: _won,
}
