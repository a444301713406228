"""Effects, price changes and demands in words: what is printed on a card, said shortly."""

from collections.abc import Iterable
from itertools import groupby

from engines.half_lifed.components import Card, Change, Effect, Money, Need

_DO = {
    "worker": "new worker",
    "bot": "new bot",
    "station": "station a bot",
    "clinic": "Clinic card",
    "investor": "take an investor",
    "lift": "lift a Leak",
}
_ONE = {
    "actions": "action",
    "upgrades": "upgrade",
    "events": "event",
    "attachments": "attachment",
    "cards": "open card",
    "rooms": "room",
    "workers": "worker",
    "bots": "bot",
    "investors": "investor",
    "leaks": "Leak",
    "goals": "goal claimed",
    "departments": "department",
    "colours": "colour of workers",
    "money": "$",
}


def dollars(money: int) -> str:
    """An amount of money, below nothing too."""
    return f"${money}" if money >= 0 else f"-${-money}"


def some(count: int, thing: str) -> str:
    """So many of a thing."""
    return f"{count} {thing}" if count == 1 else f"{count} {thing}s"


def _per(things: str) -> str:
    return f" per {_ONE.get(things, things + ' card')}" if things else ""


def effect_said(effect: Effect, times: int) -> str:
    """An effect that is carried out so many times in a row."""
    match effect.do:
        case "gain":
            said = f"gain ${effect.amount}{_per(effect.per)}"
        case "pay":
            said = f"pay ${effect.amount}"
        case "pledge":
            piece = "Leak" if effect.piece == "leak" else effect.piece
            return f"next draft +{times} {piece}{'s' if times > 1 else ''}"
        case do:
            said = _DO[do]
    return f"{times} times {said}" if times > 1 else said


def effects_said(effects: Iterable[Effect]) -> str:
    """Effects in their order."""
    return ", ".join(effect_said(effect, len(list(same))) for effect, same in groupby(effects))


def changes_said(changes: Iterable[Change]) -> str:
    """Price changes."""
    said: list[str] = []
    for change in changes:
        what = {
            "build": f"{change.things or 'cards'}",
            "off-colour": "other colours",
            "leak": "paying Leaks",
        }[change.price]
        said.append(f"{what} {'-' if change.amount < 0 else '+'}${abs(change.amount)}")
    return ", ".join(said)


def scores_said(scores: Iterable[Money]) -> str:
    """Money at the end."""
    return " + ".join(f"${one.amount}{_per(one.per)}" for one in scores)


def needs_said(needs: Iterable[Need]) -> str:
    """What a goal demands."""
    said: list[str] = []
    for need in needs:
        things = _ONE.get(need.things, need.things + " card")
        if need.things == "money":
            said.append(f"${need.least}")
        elif need.things == "colours":
            said.append(f"workers of {need.least} colours")
        elif need.things == "goals":
            said.append(f"{need.least} goals claimed")
        else:
            said.append(f"{need.least} {things}{'s' if need.least != 1 else ''}")
    return ", ".join(said)


def card_said(card: Card) -> str:
    """All that is printed on a card, after its name and price."""
    parts = [effects_said(card.effects)]
    if card.boost:
        parts.append(f"its host: {effects_said(card.boost)}")
    parts.append(changes_said(card.changes))
    if card.scores:
        parts.append(f"at the end {scores_said(card.scores)}")
    return "; ".join(part for part in parts if part)


#: Why a game ends, by the log's word for it.
END_REASONS = {
    "cards": "a facility has 15 cards or more",
    "draw": "the deck or the bag cannot fill the next draw",
    "last": "only one plant is left",
    "nobody": "every plant is out of the game",
}
