"""Cards in words: what an ability does, what a Leader wants, what waits on the stack."""

from collections.abc import Callable
from typing import Any, NamedTuple

from engines.kit.game import Names
from engines.theory_of_power.components import (
    Ability,
    Animal,
    Cleanse,
    Compromise,
    Condition,
    Discount,
    Draw,
    Effect,
    FeedOn,
    Gain,
    Leader,
    More,
    Recruit,
    Steal,
    Swap,
    Take,
)
from engines.theory_of_power.stack import Later, Pool, Running, Waiting, in_turn
from engines.theory_of_power.state import SUPPLY, State, ability_of


class Row(NamedTuple):
    """A line of what remains to be done, the next first; `status` is waiting, running or later."""

    seat: str
    source: str
    card: str
    does: str
    mandatory: bool
    status: str
    asks: str


def tokens(food: int, influence: int) -> str:
    """Tokens in words: `1 Food and 2 Influence`."""
    parts = [f"{count} {kind}" for count, kind in ((food, "Food"), (influence, "Influence")) if count]
    return " and ".join(parts) or "nothing"


def _cards(count: int) -> str:
    return "a card" if count == 1 else f"{count} cards"


def _fed(effect: FeedOn) -> str:
    whom = {
        "self": "itself",
        "one": "one of your supporters",
        "other": "another of your supporters",
        "faction": "each of your supporters of one faction",
    }[effect.whom]
    times = {1: "", 2: ", twice"}.get(effect.times, f", {effect.times} times")
    return f"feed {whom} {tokens(effect.food, effect.influence)}{times}"


_EFFECTS: dict[type[Any], Callable[[Any], str]] = {
    Draw: lambda e: f"draw {_cards(e.count)}" + (f" for each of your {e.each}s" if e.each else ""),
    Gain: lambda e: f"take {tokens(e.food, e.influence)}",
    FeedOn: _fed,
    Compromise: lambda e: f"take {e.count} Compromat",
    Cleanse: lambda e: f"return {e.count} Compromat",
    Steal: lambda e: f"take {tokens(e.food, e.influence)} from another player's reserve",
    Take: lambda e: f"take another player's supporter of appetite {e.appetite} or less",
    Swap: lambda _: "swap another supporter of yours for another player's",
    Recruit: lambda e: f"attract a card of appetite {e.appetite} for {e.appetite} tokens off itself",
    More: lambda e: f"{e.food} more Food",
    Discount: lambda e: f"{e.count} Influence less",
}


def does(ability: Ability) -> str:
    """What an ability does."""
    return ", ".join(_effect(effect) for effect in ability.effects)


def _effect(effect: Effect) -> str:
    return _EFFECTS[type(effect)](effect)


def when(ability: Ability) -> str:
    """When an ability is set off."""
    kind = ability.faction or "supporter"
    return {
        "joins": "joins you",
        "leaves": "leaves you",
        "fed": "fed" + (f" to {ability.tokens} tokens or more" if ability.tokens else ""),
        "contacts": "contacts",
        "attracts": f"you attract another {kind}",
        "captures": f"you poach, take or swap in a {kind}",
        "loses": f"you lose another {kind}",
        "feeding": "each feeding of yours",
        "poaching": f"you poach a {kind}",
        "setup": "set-up",
    }[ability.trigger]


def ability_text(ability: Ability) -> str:
    """An ability in a line."""
    must = " (mandatory)" if ability.mandatory and ability.trigger != "feeding" else ""
    return f"{when(ability)}: {does(ability)}{must}"


def card_text(card: Animal | Leader) -> str:
    """All that a card does, in a line."""
    parts: list[str] = []
    if isinstance(card, Animal):
        parts += ["counts as any one faction"] if card.wild else []
        parts += ["predator"] if card.predator else []
        parts += ["supplier"] if card.supplier else []
        parts += [f"{card.vp} points"] if card.vp != 1 else []
    return "; ".join([*parts, *(ability_text(ability) for ability in card.abilities)])


def wants(condition: Condition) -> str:
    """A Leader's condition."""
    if condition.of == "factions":
        return f"supporters of {condition.count} factions"
    if condition.of == "tokens":
        return f"{condition.count} tokens on your supporters"
    kinds = [condition.faction or ""]
    kinds += ["predator"] if condition.predator else []
    kinds += ["supplier"] if condition.supplier else []
    kind = " ".join(filter(None, kinds)) or "supporter"
    text = f"{condition.count} {kind}s"
    if condition.appetite_from and condition.appetite_to < 20:
        text += f" of appetite {condition.appetite_from} to {condition.appetite_to}"
    elif condition.appetite_from:
        text += f" of appetite {condition.appetite_from} or more"
    elif condition.appetite_to < 20:
        text += f" of appetite {condition.appetite_to}" + (" or less" if condition.appetite_to > 1 else "")
    return text + (f" with {condition.tokens} tokens or more each" if condition.tokens else "")


_ASKS = {
    "feed": "which supporter is fed",
    "seat": "which player",
    "faction": "which faction",
    "card": "which card of the hand",
    "own": "which supporter to give",
    "other": "which supporter of another player's",
}


def waiting_rows(state: State, names: Names) -> list[Row]:
    """What remains to be done in words, the next first."""
    rows: list[Row] = []
    for frame in reversed(state.stack):
        if isinstance(frame, Running):
            asks = _ASKS.get(frame.asking, "")
            rows.append(_row(state, frame.ability, names, "running", asks))
            rows += [_row(state, one, names, "waiting") for one in frame.caused]
        elif isinstance(frame, Pool):
            order = in_turn(frame, state.seats)
            rows += [_row(state, one, names, "waiting") for one in order]
        else:
            rows.append(_later(state, frame, names))
    return rows


def _row(state: State, one: Waiting, names: Names, status: str, asks: str = "") -> Row:
    ability = ability_of(state, one)
    text = f"as a Supplier, {does(ability)}" if one.ability == SUPPLY else does(ability)
    return Row(names[one.owner], one.source, one.card, text, ability.mandatory, status, asks)


def _later(state: State, frame: Later, names: Names) -> Row:
    text = {"compromat": "take 1 Compromat"}[frame.what]
    return Row(names[state.turn], "contacts", "contacts", text, True, "later", "")
