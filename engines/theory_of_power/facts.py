"""What can happen. Cards drawn are their seat's secret, the deck's order nobody's to know; all else is open."""

from typing import Annotated

from engines.kit.game import Fact
from engines.kit.secrecy import Secret
from engines.theory_of_power.stack import Waiting

#: A card from behind.
BACK = "?"


def _backs(fact: "CardsDealt | CardsDrawn | DeckShuffled | DeckReshuffled") -> tuple[str, ...]:
    return (BACK,) * len(fact.cards)


Dealt = Annotated[tuple[str, ...], Secret("seat", _backs)]
Order = Annotated[tuple[str, ...], Secret(None, _backs)]


class FirstPlayerChosen(Fact, frozen=True, tag="theory-of-power.first-player-chosen"):
    """`seat` starts."""

    seat: int


class DeckShuffled(Fact, frozen=True, tag="theory-of-power.deck-shuffled"):
    """The Animal deck is shuffled for the game."""

    cards: Order


class CardsDealt(Fact, frozen=True, tag="theory-of-power.cards-dealt"):
    """`seat` is dealt `cards`, sorted, off the deck."""

    seat: int
    cards: Dealt


class DiscardDue(Fact, frozen=True, tag="theory-of-power.discard-due"):
    """`seat` is to discard down to five."""

    seat: int


class CardsDiscarded(Fact, frozen=True, tag="theory-of-power.cards-discarded"):
    """`seat` discards `cards`."""

    seat: int
    cards: tuple[str, ...]


class LeadersDealt(Fact, frozen=True, tag="theory-of-power.leaders-dealt"):
    """`seat` is dealt `leaders`, of which it is to keep one."""

    seat: int
    leaders: tuple[str, ...]


class LeaderDue(Fact, frozen=True, tag="theory-of-power.leader-due"):
    """`seat` is to keep one of its two Leaders."""

    seat: int


class LeaderKept(Fact, frozen=True, tag="theory-of-power.leader-kept"):
    """`seat` plays `leader`."""

    seat: int
    leader: str


class TurnBegan(Fact, frozen=True, tag="theory-of-power.turn-began"):
    """`seat` is to perform an action."""

    seat: int


class SecondActionDue(Fact, frozen=True, tag="theory-of-power.second-action-due"):
    """`seat` may perform a second action."""

    seat: int


class TurnPassed(Fact, frozen=True, tag="theory-of-power.turn-passed"):
    """`seat` does without the second action."""

    seat: int


class FoodGot(Fact, frozen=True, tag="theory-of-power.food-got"):
    """`seat` discards `cards` for `food` and `influence`; cards drawn instead follow."""

    seat: int
    cards: tuple[str, ...]
    food: int
    influence: int


class ContactsSought(Fact, frozen=True, tag="theory-of-power.contacts-sought"):
    """`seat` seeks contacts: its Compromat comes last."""

    seat: int


class CardsDrawn(Fact, frozen=True, tag="theory-of-power.cards-drawn"):
    """`seat` draws `cards`, sorted, off the deck."""

    seat: int
    cards: Dealt


class DeckReshuffled(Fact, frozen=True, tag="theory-of-power.deck-reshuffled"):
    """The discards become the deck."""

    cards: Order


class TokensGained(Fact, frozen=True, tag="theory-of-power.tokens-gained"):
    """`seat` takes tokens from the supply; `why` is the card or community that gives them."""

    seat: int
    food: int
    influence: int
    why: str = ""


class TokensStolen(Fact, frozen=True, tag="theory-of-power.tokens-stolen"):
    """`seat` takes tokens out of `victim`'s reserve."""

    seat: int
    victim: int
    food: int
    influence: int


class SupporterEaten(Fact, frozen=True, tag="theory-of-power.supporter-eaten"):
    """`seat` feeds its supporter `id` to a predator: discarded, its tokens to the reserve."""

    seat: int
    id: str
    card: str
    food: int
    influence: int


class SupporterAttracted(Fact, frozen=True, tag="theory-of-power.supporter-attracted"):
    """`seat` plays `card` as supporter `id`, paying from the reserve and `tokens` (`s3:food`) off supporters.

    `as_faction` is what a card of any faction was said to be.
    """

    seat: int
    card: str
    id: str
    food: int
    influence: int
    tokens: tuple[str, ...] = ()
    as_faction: str = ""


class SupporterPoached(Fact, frozen=True, tag="theory-of-power.supporter-poached"):
    """`seat` takes `owner`'s supporter for `price` Influence; tokens on it come to the reserve."""

    seat: int
    owner: int
    id: str
    card: str
    price: int
    food: int
    influence: int
    as_faction: str = ""


class SupporterTaken(Fact, frozen=True, tag="theory-of-power.supporter-taken"):
    """`seat` takes `owner`'s supporter by an ability; tokens on it come to the reserve."""

    seat: int
    owner: int
    id: str
    card: str
    food: int
    influence: int
    as_faction: str = ""


class SupportersSwapped(Fact, frozen=True, tag="theory-of-power.supporters-swapped"):
    """`seat` gives `given` for `owner`'s `id`; tokens stay on both."""

    seat: int
    given: str
    given_card: str
    owner: int
    id: str
    card: str
    as_faction: str = ""
    given_as: str = ""


class SupporterFed(Fact, frozen=True, tag="theory-of-power.supporter-fed"):
    """One act: tokens from the supply onto `seat`'s supporter `id`; `extra` Food of it by standing abilities."""

    seat: int
    id: str
    card: str
    food: int
    influence: int
    extra: int = 0


class SymbolsCounted(Fact, frozen=True, tag="theory-of-power.symbols-counted"):
    """`seat` has another number of symbols now."""

    seat: int
    free: int
    rulers: int


class CompromatTaken(Fact, frozen=True, tag="theory-of-power.compromat-taken"):
    """`seat` takes `count` Compromat, or none if it has five."""

    seat: int
    count: int


class CompromatReturned(Fact, frozen=True, tag="theory-of-power.compromat-returned"):
    """`seat` returns `count` Compromat."""

    seat: int
    count: int


class AbilitiesSetOff(Fact, frozen=True, tag="theory-of-power.abilities-set-off"):
    """A set of abilities waits; seat `first`'s come first."""

    first: int
    waiting: tuple[Waiting, ...]


class AbilityBegun(Fact, frozen=True, tag="theory-of-power.ability-begun"):
    """A waiting ability is carried out."""

    ability: Waiting


class AbilitySkipped(Fact, frozen=True, tag="theory-of-power.ability-skipped"):
    """Its owner lets an ability go by."""

    ability: Waiting


class AbilityLapsed(Fact, frozen=True, tag="theory-of-power.ability-lapsed"):
    """The card of a waiting ability has left its owner."""

    ability: Waiting


class AbilityDropped(Fact, frozen=True, tag="theory-of-power.ability-dropped"):
    """A waiting ability cannot be carried out in full."""

    ability: Waiting


class SetSettled(Fact, frozen=True, tag="theory-of-power.set-settled"):
    """Nothing of the top set waits any more."""


class SetBroughtForward(Fact, frozen=True, tag="theory-of-power.set-brought-forward"):
    """Waiting abilities of a card that is about to be taken come first."""

    first: int
    waiting: tuple[Waiting, ...]


class QuestionAsked(Fact, frozen=True, tag="theory-of-power.question-asked"):
    """The ability that is carried out asks `seat` something of kind `question`."""

    seat: int
    question: str


class Answered(Fact, frozen=True, tag="theory-of-power.answered"):
    """What the ability asked is answered; by the rules where one answer was possible."""

    seat: int
    answer: str


class EffectDropped(Fact, frozen=True, tag="theory-of-power.effect-dropped"):
    """An effect of the ability that is carried out can no longer be done."""

    seat: int
    card: str


class EffectDone(Fact, frozen=True, tag="theory-of-power.effect-done"):
    """The next effect of the ability is due; `caused` is what this one set off."""

    caused: tuple[Waiting, ...]


class AbilityDone(Fact, frozen=True, tag="theory-of-power.ability-done"):
    """The ability has been carried out."""


class LaterDue(Fact, frozen=True, tag="theory-of-power.later-due"):
    """A part of the action that had to wait is due."""

    what: str


class GameWon(Fact, frozen=True, tag="theory-of-power.game-won"):
    """`seat` meets all that a win asks for; the points of all seats."""

    seat: int
    scores: tuple[int, ...]


FACTS = (
    FirstPlayerChosen
    | DeckShuffled
    | CardsDealt
    | DiscardDue
    | CardsDiscarded
    | LeadersDealt
    | LeaderDue
    | LeaderKept
    | TurnBegan
    | SecondActionDue
    | TurnPassed
    | FoodGot
    | ContactsSought
    | CardsDrawn
    | DeckReshuffled
    | TokensGained
    | TokensStolen
    | SupporterEaten
    | SupporterAttracted
    | SupporterPoached
    | SupporterTaken
    | SupportersSwapped
    | SupporterFed
    | SymbolsCounted
    | CompromatTaken
    | CompromatReturned
    | AbilitiesSetOff
    | AbilityBegun
    | AbilitySkipped
    | AbilityLapsed
    | AbilityDropped
    | SetSettled
    | SetBroughtForward
    | QuestionAsked
    | Answered
    | EffectDropped
    | EffectDone
    | AbilityDone
    | LaterDue
    | GameWon
)
