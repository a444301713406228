"""The rules, in the rulebook's order. A rule yields facts; each is applied before its next line runs."""

from collections.abc import Iterator
from typing import Any

from engines.kit.chance import Chance
from engines.kit.game import Fact, Names, Options
from engines.kit.notation import Move
from engines.theory_of_power import happenings
from engines.theory_of_power.components import Draw, Gain, cards_of
from engines.theory_of_power.facts import (
    AbilityBegun,
    AbilitySkipped,
    Answered,
    CardsDealt,
    CardsDiscarded,
    CompromatReturned,
    CompromatTaken,
    ContactsSought,
    DeckShuffled,
    DiscardDue,
    FirstPlayerChosen,
    FoodGot,
    GameWon,
    LeaderDue,
    LeaderKept,
    LeadersDealt,
    SecondActionDue,
    SupporterAttracted,
    SupporterEaten,
    SupporterFed,
    SupporterPoached,
    SupportersSwapped,
    SupporterTaken,
    TokensGained,
    TurnBegan,
    TurnPassed,
)
from engines.theory_of_power.moves import (
    Attract,
    Choose,
    Contacts,
    Discard,
    Feed,
    Food,
    Leader,
    Pass,
    Poach,
    Skip,
    Use,
)
from engines.theory_of_power.offers import meant, offers
from engines.theory_of_power.payment import Payment, harvest, payment
from engines.theory_of_power.settling import set_off, settle
from engines.theory_of_power.stack import Pool, Waiting
from engines.theory_of_power.state import (
    HAND,
    THREE,
    State,
    animal,
    asked_seat,
    clockwise,
    count_of,
    found,
    has_won,
    in_order,
    leader_content,
    points,
    sources,
)
from events.model import Outcome

__all__ = ["automatic", "offers", "outcome", "play", "setup", "to_move"]

FOOD = 3
TRAINING_FOOD = 5


# set-up -----------------------------------------------------------------------------------------------


def setup(state: State, names: Names, options: Options, chance: Chance) -> Iterator[Fact]:
    """Chooses the first player, deals Food and cards: one card more a seat (rulebook, set-up steps 1 to 6)."""
    yield FirstPlayerChosen(names.index(chance.pick("first-player", names)))
    yield DeckShuffled(tuple(chance.shuffle("animal-deck", cards_of(state.components))))
    for number, seat in enumerate(clockwise(state, state.first)):
        yield TokensGained(seat, TRAINING_FOOD if state.training else FOOD, 0)
        yield CardsDealt(seat, tuple(in_order(state, state.deck[: HAND + number])))
    yield DiscardDue((state.first + 1) % state.seats)


def play_discard(state: State, seat: int, move: Discard, chance: Chance) -> Iterator[Fact]:
    """A seat discards down to five; after the last one the Leaders are dealt."""
    yield CardsDiscarded(seat, tuple(in_order(state, move.cards)))
    following = (seat + 1) % state.seats
    if following != state.first:
        yield DiscardDue(following)
    else:
        yield from deal_leaders(state, chance)


def deal_leaders(state: State, chance: Chance) -> Iterator[Fact]:
    """Two a seat to choose from, or one of those with an icon, or none (ruling 1)."""
    order = clockwise(state, state.first)
    leaders = state.components.leaders
    if state.leaders_by == "none":
        yield TurnBegan(state.first)
    elif state.leaders_by == "choose":
        deck = chance.shuffle("leader-deck", list(leaders))
        for number, seat in enumerate(order):
            yield LeadersDealt(seat, tuple(deck[2 * number : 2 * number + 2]))
        yield LeaderDue(state.first)
    else:
        deck = chance.shuffle("leader-deck", [n for n, one in leaders.items() if state.leaders_by in one.icons])
        for number, seat in enumerate(order):
            yield from keep_leader(state, seat, deck[number], chance)
        yield TurnBegan(state.first)


def keep_leader(state: State, seat: int, leader: str, chance: Chance) -> Iterator[Fact]:
    """A seat's Leader lies open; what it brings in the set-up comes at once."""
    yield LeaderKept(seat, leader)
    for ability in state.components.leaders[leader].abilities:
        for effect in ability.effects if ability.trigger == "setup" else ():
            if isinstance(effect, Gain):
                yield TokensGained(seat, effect.food, effect.influence, leader)
            elif isinstance(effect, Draw):
                yield from happenings.draw(state, seat, effect.count, chance)


def play_leader(state: State, seat: int, move: Leader, chance: Chance) -> Iterator[Fact]:
    """A seat keeps one of its two Leaders; after the last one the first turn begins."""
    yield from keep_leader(state, seat, move.name, chance)
    following = (seat + 1) % state.seats
    yield LeaderDue(following) if following != state.first else TurnBegan(following)


# the four actions -------------------------------------------------------------------------------------


def play_food(state: State, seat: int, move: Food, chance: Chance) -> Iterator[Fact]:
    """Get Food: cards for Food, with the communities' bonuses (ruling 3)."""
    food = harvest(state, seat, move)
    assert isinstance(food, int)
    yield FoodGot(seat, tuple(in_order(state, move.discarded)), food, move.influence)
    yield from happenings.draw(state, seat, move.cards, chance)


def play_attract(state: State, seat: int, move: Attract, chance: Chance) -> Iterator[Fact]:
    """Attract Supporter: eat, pay, place; then all that was set off is one set (ruling 7)."""
    paid = payment(state, seat, move)
    assert isinstance(paid, Payment)
    caused: list[Waiting] = []
    eaten = paid.eaten
    if eaten is not None:
        yield SupporterEaten(seat, eaten.id, eaten.card, eaten.food, eaten.influence)
        caused += happenings.losing(state, seat, eaten)
        yield from happenings.count_symbols(state, seat, chance)
    number = f"s{state.born + 1}"
    fact = SupporterAttracted(seat, move.card, number, paid.food, paid.influence, paid.tokens, paid.as_faction)
    caused += yield from happenings.attract(state, fact, chance)
    yield from set_off(state, seat, caused)


def play_poach(state: State, seat: int, move: Poach, chance: Chance) -> Iterator[Fact]:
    """Poach Supporter: Influence for another player's supporter."""
    there = found(state, move.supporter)
    assert there is not None
    owner, one = there
    card = animal(state, one.card)
    said = ""
    if card.wild:
        said = move.chameleon or happenings.best_faction(state, seat, "captures", card)
    price = happenings.price(state, seat, one)
    fact = SupporterPoached(seat, owner, one.id, one.card, price, one.food, one.influence, said)
    caused = yield from happenings.change_owner(state, fact, chance)
    yield from set_off(state, seat, caused)


def play_contacts(state: State, seat: int, move: Contacts, chance: Chance) -> Iterator[Fact]:
    """Seek Contacts: cards, then abilities, then Compromat (ruling 15)."""
    yield ContactsSought(seat)
    yield from happenings.draw(state, seat, HAND - len(state.hands[seat]), chance)
    waiting = [
        Waiting(seat, source, card.name, number, 1)
        for source, card in sources(state, seat)
        for number, ability in enumerate(card.abilities)
        if ability.trigger == "contacts" and happenings.counts(state, ability)
    ]
    yield from set_off(state, seat, waiting)


def play_pass(state: State, seat: int, move: Pass, chance: Chance) -> Iterator[Fact]:
    """A seat does without its second action."""
    yield TurnPassed(seat)


def end_action(state: State) -> Iterator[Fact]:
    """A second action with three symbols of the Free (ruling 14), else the next seat's turn."""
    if state.action == 1 and count_of(state, state.turn, "free") >= THREE:
        yield SecondActionDue(state.turn)
    else:
        yield TurnBegan((state.turn + 1) % state.seats)


# abilities --------------------------------------------------------------------------------------------


def waiting_as(state: State, move: Use | Skip) -> Waiting:
    """The ability that waits in the top set and is meant."""
    top = state.stack[-1]
    assert isinstance(top, Pool)
    return meant(state, top, move)


def play_use(state: State, seat: int, move: Use, chance: Chance) -> Iterator[Fact]:
    """A waiting ability is used."""
    yield AbilityBegun(waiting_as(state, move))


def play_skip(state: State, seat: int, move: Skip, chance: Chance) -> Iterator[Fact]:
    """A waiting ability goes by."""
    yield AbilitySkipped(waiting_as(state, move))


def play_answer(state: State, seat: int, move: Feed | Choose, chance: Chance) -> Iterator[Fact]:
    """What an ability asks is answered."""
    yield Answered(seat, move.supporter if isinstance(move, Feed) else move.value)


# victory ----------------------------------------------------------------------------------------------

#: After these somebody may have won; no other fact changes points or what a Leader wants.
_DECISIVE = (
    SupporterAttracted,
    SupporterEaten,
    SupporterFed,
    SupporterPoached,
    SupporterTaken,
    SupportersSwapped,
    CompromatReturned,
    CompromatTaken,
)


def victory(state: State) -> Fact | None:
    """Who has won: first asked is the seat whose turn it is, then clockwise (ruling 16)."""
    for seat in clockwise(state, state.turn):
        if has_won(state, seat):
            return GameWon(seat, tuple(points(state, one) for one in range(state.seats)))
    return None


# what the table asks ----------------------------------------------------------------------------------

_SETTING_UP: dict[type[Move], Any] = {Discard: play_discard, Leader: play_leader}
_ACTIONS: dict[type[Move], Any] = {
    Food: play_food,
    Attract: play_attract,
    Poach: play_poach,
    Contacts: play_contacts,
    Pass: play_pass,
    Use: play_use,
    Skip: play_skip,
    Feed: play_answer,
    Choose: play_answer,
}


def play(state: State, seat: int, move: Move, chance: Chance) -> Iterator[Fact]:
    """Carries out a move that is on offer, and all that follows from it until somebody is asked."""
    for fact in _followed(state, seat, move, chance):
        yield fact
        if isinstance(fact, _DECISIVE):
            won = victory(state)
            if won is not None:
                yield won
                return


def _followed(state: State, seat: int, move: Move, chance: Chance) -> Iterator[Fact]:
    if type(move) in _SETTING_UP:
        yield from _SETTING_UP[type(move)](state, seat, move, chance)
        return
    yield from _ACTIONS[type(move)](state, seat, move, chance)
    yield from settle(state, chance)
    if state.stack:
        return
    if isinstance(move, Pass):
        yield TurnBegan((seat + 1) % state.seats)
    else:
        yield from end_action(state)


def to_move(state: State) -> tuple[int, ...]:
    """The seat to decide."""
    return () if state.phase == "over" else (asked_seat(state),)


def automatic(state: State, seat: int) -> Move | None:
    """No seat is played by the rules."""
    return None


def outcome(state: State) -> Outcome | None:
    """Who won, once somebody has."""
    if state.phase != "over":
        return None
    scores = tuple(points(state, seat) for seat in range(state.seats))
    leader = state.leaders[state.winner]
    also = f" and has what the {leader} wants" if leader and leader_content(state, state.winner) else ""
    return Outcome((state.winner,), scores, f"{scores[state.winner]} points{also}")
