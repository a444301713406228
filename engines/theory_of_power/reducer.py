"""One small function a fact: the only code that changes a state. Old logs are bound to it."""

from collections.abc import Callable
from typing import Any

from engines.theory_of_power import facts as f
from engines.theory_of_power.facts import BACK
from engines.theory_of_power.stack import Later, Pool, Running, running, taken_out
from engines.theory_of_power.state import State, Supporter, in_order

#: Raised when the reducers change what a state is; snapshots of another version are void.
VERSION = 1

_FOOD, _INFLUENCE, _COMPROMAT = range(3)


# moving pieces about ----------------------------------------------------------------------------------


def _out_of_hand(state: State, seat: int, card: str) -> None:
    hand = state.hands[seat]
    hand.remove(card if card in hand else BACK)


def _into_hand(state: State, seat: int, cards: tuple[str, ...]) -> None:
    del state.deck[: len(cards)]
    state.hands[seat] = in_order(state, [*state.hands[seat], *cards])


def _to_reserve(state: State, seat: int, food: int, influence: int) -> None:
    state.food[seat] += food
    state.influence[seat] += influence


def _from_supply(state: State, food: int, influence: int) -> None:
    state.supply[_FOOD] -= food
    state.supply[_INFLUENCE] -= influence


def _lift(state: State, owner: int, supporter: str) -> Supporter:
    """Takes a supporter away from its owner."""
    mine = state.supporters[owner]
    one = next(one for one in mine if one.id == supporter)
    mine.remove(one)
    return one


def _number(supporter: Supporter) -> int:
    return int(supporter.id[1:])


def _place(state: State, seat: int, one: Supporter) -> None:
    state.supporters[seat].append(one)
    state.supporters[seat].sort(key=_number)


# set-up -----------------------------------------------------------------------------------------------


def _first_player_chosen(state: State, fact: f.FirstPlayerChosen) -> None:
    state.first = state.turn = fact.seat


def _deck_shuffled(state: State, fact: f.DeckShuffled) -> None:
    state.deck = list(fact.cards)


def _cards_dealt(state: State, fact: f.CardsDealt) -> None:
    _into_hand(state, fact.seat, fact.cards)


def _discard_due(state: State, fact: f.DiscardDue) -> None:
    state.phase, state.turn = "discard", fact.seat


def _cards_discarded(state: State, fact: f.CardsDiscarded) -> None:
    for card in fact.cards:
        _out_of_hand(state, fact.seat, card)
    state.discards += fact.cards


def _leaders_dealt(state: State, fact: f.LeadersDealt) -> None:
    state.dealt[fact.seat] = list(fact.leaders)
    for leader in fact.leaders:
        state.aside.remove(leader)


def _leader_due(state: State, fact: f.LeaderDue) -> None:
    state.phase, state.turn = "leader", fact.seat


def _leader_kept(state: State, fact: f.LeaderKept) -> None:
    dealt = state.dealt[fact.seat]
    (dealt if fact.leader in dealt else state.aside).remove(fact.leader)
    state.aside = sorted(state.aside + dealt)
    state.dealt[fact.seat] = []
    state.leaders[fact.seat] = fact.leader


# actions ----------------------------------------------------------------------------------------------


def _turn_began(state: State, fact: f.TurnBegan) -> None:
    state.phase, state.turn, state.action = "action", fact.seat, 1
    state.turns += 1


def _second_action_due(state: State, fact: f.SecondActionDue) -> None:
    state.action = 2


def _turn_passed(state: State, fact: f.TurnPassed) -> None:
    pass


def _food_got(state: State, fact: f.FoodGot) -> None:
    for card in fact.cards:
        _out_of_hand(state, fact.seat, card)
    state.discards += fact.cards
    _to_reserve(state, fact.seat, fact.food, fact.influence)
    _from_supply(state, fact.food, fact.influence)


def _contacts_sought(state: State, fact: f.ContactsSought) -> None:
    state.stack.append(Later("compromat"))


def _cards_drawn(state: State, fact: f.CardsDrawn) -> None:
    _into_hand(state, fact.seat, fact.cards)


def _deck_reshuffled(state: State, fact: f.DeckReshuffled) -> None:
    state.deck = [*state.deck, *fact.cards]
    state.discards.clear()


def _tokens_gained(state: State, fact: f.TokensGained) -> None:
    _to_reserve(state, fact.seat, fact.food, fact.influence)
    _from_supply(state, fact.food, fact.influence)


def _tokens_stolen(state: State, fact: f.TokensStolen) -> None:
    _to_reserve(state, fact.victim, -fact.food, -fact.influence)
    _to_reserve(state, fact.seat, fact.food, fact.influence)


def _supporter_eaten(state: State, fact: f.SupporterEaten) -> None:
    one = _lift(state, fact.seat, fact.id)
    state.discards.append(one.card)
    _to_reserve(state, fact.seat, one.food, one.influence)


def _supporter_attracted(state: State, fact: f.SupporterAttracted) -> None:
    _out_of_hand(state, fact.seat, fact.card)
    _to_reserve(state, fact.seat, -fact.food, -fact.influence)
    _from_supply(state, -fact.food, -fact.influence)
    for token in fact.tokens:
        supporter, _, kind = token.partition(":")
        one = next(one for one in state.supporters[fact.seat] if one.id == supporter)
        if kind == "food":
            one.food -= 1
            _from_supply(state, -1, 0)
        else:
            one.influence -= 1
            _from_supply(state, 0, -1)
    state.born += 1
    _place(state, fact.seat, Supporter(fact.id, fact.card))


def _supporter_poached(state: State, fact: f.SupporterPoached) -> None:
    _to_reserve(state, fact.seat, 0, -fact.price)
    _from_supply(state, 0, -fact.price)
    _won_over(state, fact.seat, fact.owner, fact.id)


def _supporter_taken(state: State, fact: f.SupporterTaken) -> None:
    _won_over(state, fact.seat, fact.owner, fact.id)


def _won_over(state: State, seat: int, owner: int, supporter: str) -> None:
    """A supporter changes owner; the tokens on it go to the new one's reserve (ruling 8)."""
    one = _lift(state, owner, supporter)
    _to_reserve(state, seat, one.food, one.influence)
    one.food = one.influence = 0
    _place(state, seat, one)


def _supporters_swapped(state: State, fact: f.SupportersSwapped) -> None:
    given = _lift(state, fact.seat, fact.given)
    received = _lift(state, fact.owner, fact.id)
    _place(state, fact.seat, received)
    _place(state, fact.owner, given)


def _supporter_fed(state: State, fact: f.SupporterFed) -> None:
    one = next(one for one in state.supporters[fact.seat] if one.id == fact.id)
    one.food += fact.food
    one.influence += fact.influence
    _from_supply(state, fact.food, fact.influence)


def _symbols_counted(state: State, fact: f.SymbolsCounted) -> None:
    state.symbols[fact.seat] = [fact.free, fact.rulers]


def _compromat_taken(state: State, fact: f.CompromatTaken) -> None:
    state.compromat[fact.seat] += fact.count
    state.supply[_COMPROMAT] -= fact.count


def _compromat_returned(state: State, fact: f.CompromatReturned) -> None:
    state.compromat[fact.seat] -= fact.count
    state.supply[_COMPROMAT] += fact.count


# the stack --------------------------------------------------------------------------------------------


def _abilities_set_off(state: State, fact: f.AbilitiesSetOff) -> None:
    state.stack.append(Pool(fact.first, list(fact.waiting)))


def _ability_begun(state: State, fact: f.AbilityBegun) -> None:
    taken_out(state.stack, fact.ability)
    state.stack.append(Running(fact.ability))


def _no_longer_waits(state: State, fact: f.AbilitySkipped | f.AbilityLapsed | f.AbilityDropped) -> None:
    taken_out(state.stack, fact.ability)


def _set_brought_forward(state: State, fact: f.SetBroughtForward) -> None:
    for ability in fact.waiting:
        taken_out(state.stack, ability)
    state.stack.append(Pool(fact.first, list(fact.waiting)))


def _question_asked(state: State, fact: f.QuestionAsked) -> None:
    top = running(state.stack)
    top.asking, top.asked = fact.question, fact.seat


def _answered(state: State, fact: f.Answered) -> None:
    top = running(state.stack)
    top.picks.append(fact.answer)
    top.asking = ""


def _effect_dropped(state: State, fact: f.EffectDropped) -> None:
    pass


def _effect_done(state: State, fact: f.EffectDone) -> None:
    top = running(state.stack)
    top.step += 1
    top.picks.clear()
    top.caused += fact.caused


def _top_off(state: State, fact: f.SetSettled | f.AbilityDone | f.LaterDue) -> None:
    state.stack.pop()


def _game_won(state: State, fact: f.GameWon) -> None:
    state.phase, state.winner = "over", fact.seat
    state.stack.clear()


REDUCERS: dict[type[Any], Callable[[State, Any], None]] = {
    f.FirstPlayerChosen: _first_player_chosen,
    f.DeckShuffled: _deck_shuffled,
    f.CardsDealt: _cards_dealt,
    f.DiscardDue: _discard_due,
    f.CardsDiscarded: _cards_discarded,
    f.LeadersDealt: _leaders_dealt,
    f.LeaderDue: _leader_due,
    f.LeaderKept: _leader_kept,
    f.TurnBegan: _turn_began,
    f.SecondActionDue: _second_action_due,
    f.TurnPassed: _turn_passed,
    f.FoodGot: _food_got,
    f.ContactsSought: _contacts_sought,
    f.CardsDrawn: _cards_drawn,
    f.DeckReshuffled: _deck_reshuffled,
    f.TokensGained: _tokens_gained,
    f.TokensStolen: _tokens_stolen,
    f.SupporterEaten: _supporter_eaten,
    f.SupporterAttracted: _supporter_attracted,
    f.SupporterPoached: _supporter_poached,
    f.SupporterTaken: _supporter_taken,
    f.SupportersSwapped: _supporters_swapped,
    f.SupporterFed: _supporter_fed,
    f.SymbolsCounted: _symbols_counted,
    f.CompromatTaken: _compromat_taken,
    f.CompromatReturned: _compromat_returned,
    f.AbilitiesSetOff: _abilities_set_off,
    f.AbilityBegun: _ability_begun,
    f.AbilitySkipped: _no_longer_waits,
    f.AbilityLapsed: _no_longer_waits,
    f.AbilityDropped: _no_longer_waits,
    f.SetSettled: _top_off,
    f.SetBroughtForward: _set_brought_forward,
    f.QuestionAsked: _question_asked,
    f.Answered: _answered,
    f.EffectDropped: _effect_dropped,
    f.EffectDone: _effect_done,
    f.AbilityDone: _top_off,
    f.LaterDue: _top_off,
    f.GameWon: _game_won,
}
