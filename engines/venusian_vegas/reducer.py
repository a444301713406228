"""One small function a fact: the only code that changes a state. Old logs are bound to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.venusian_vegas.facts import (
    HIDDEN,
    Asked,
    BonusTaken,
    CardDiscarded,
    CardPlayed,
    CardRevealed,
    CardsDrawn,
    CardStolen,
    CardsTurned,
    CardTaken,
    ChoiceMade,
    ChoicesDue,
    DeckShuffled,
    Declined,
    FirstDrawn,
    GameEnded,
    PointsGained,
    PointsLost,
    PointsPaid,
    PointsStolen,
    RankFlipped,
    RoundBegan,
    RoundBonusTaken,
    RoundEnded,
    TokensCollected,
    TrackRaised,
    TrickCleared,
    TrickWon,
    TrumpSet,
)
from engines.venusian_vegas.state import NO_TRUMP, TOKENS, State, in_order, place

#: Raised when the reducers change what a state is; snapshots of another version are void.
VERSION = 1


def _gain(state: State, seat: int, *cards: str) -> None:
    state.hands[seat] = in_order([*state.hands[seat], *cards])


def _lose(state: State, seat: int, card: str) -> None:
    """A card leaves a hand. Who does not see which one knows no longer what is left."""
    hand = state.hands[seat]
    if card == HIDDEN:
        hand[:] = [HIDDEN] * (len(hand) - 1)
    else:
        hand.remove(card if card in hand else HIDDEN)


def _deck_shuffled(state: State, fact: DeckShuffled) -> None:
    state.deck = list(fact.deck)
    state.discards.clear()


def _first_drawn(state: State, fact: FirstDrawn) -> None:
    state.first = fact.seat


def _round_began(state: State, fact: RoundBegan) -> None:
    state.round, state.leader = fact.round, fact.leader
    state.trump, state.rank = NO_TRUMP, "high"
    if fact.round > 1:
        state.tokens = [dict.fromkeys(TOKENS, 0) for _ in range(state.seats)]


def _asked(state: State, fact: Asked) -> None:
    state.phase, state.turn = fact.question, fact.seat


def _track_raised(state: State, fact: TrackRaised) -> None:
    state.spaces[fact.seat][fact.track] = fact.space
    state.increases[fact.seat] += fact.moved
    state.scores[fact.seat] += fact.points


def _cards_drawn(state: State, fact: CardsDrawn) -> None:
    del state.deck[: len(fact.cards)]
    _gain(state, fact.seat, *fact.cards)


def _tokens_collected(state: State, fact: TokensCollected) -> None:
    for colour in fact.colours:
        state.tokens[fact.seat][colour] += 1


def _card_played(state: State, fact: CardPlayed) -> None:
    _lose(state, fact.seat, fact.card)
    state.trick.append((fact.seat, fact.card))
    if fact.token:
        state.tokens[fact.seat][fact.token] -= 1
        state.laid[fact.token] = (fact.seat, fact.blank)


def _trump_set(state: State, fact: TrumpSet) -> None:
    state.trump = fact.trump


def _rank_flipped(state: State, fact: RankFlipped) -> None:
    state.rank = fact.rank


def _trick_won(state: State, fact: TrickWon) -> None:
    state.winner = fact.seat
    state.claims = list(fact.claims)


def _bonus_taken(state: State, fact: BonusTaken) -> None:
    del state.claims[0]
    state.claimed.append((fact.seat, fact.card))


def _declined(state: State, fact: Declined) -> None:
    del state.claims[0]


def _card_taken(state: State, fact: CardTaken) -> None:
    del state.claims[0]
    state.trick = [play for play in state.trick if play[1] != fact.card]
    # An open card joins the hand, in its order as far as that is seen: nobody learns anything by it.
    hand = state.hands[fact.seat]
    hand.append(fact.card)
    hand.sort(key=lambda card: place(card) if type(card) is str else place(HIDDEN))


def _trick_cleared(state: State, fact: TrickCleared) -> None:
    state.discards += [card for _, card in state.trick]
    state.trick.clear()
    state.laid.clear()
    state.claimed.clear()


def _points_gained(state: State, fact: PointsGained) -> None:
    state.scores[fact.seat] += fact.points


def _points_lost(state: State, fact: PointsLost | PointsPaid) -> None:
    state.scores[fact.seat] -= fact.points


def _choices_due(state: State, fact: ChoicesDue) -> None:
    state.choices = [*fact.choices, *state.choices]


def _choice_made(state: State, fact: ChoiceMade) -> None:
    del state.choices[0]


def _card_discarded(state: State, fact: CardDiscarded) -> None:
    _lose(state, fact.seat, fact.card)
    state.discards.append(fact.card)


def _card_stolen(state: State, fact: CardStolen) -> None:
    _lose(state, fact.victim, fact.lost)
    _gain(state, fact.seat, fact.card)


def _points_stolen(state: State, fact: PointsStolen) -> None:
    state.scores[fact.victim] -= fact.points
    state.scores[fact.seat] += fact.points


def _round_ended(state: State, fact: RoundEnded) -> None:
    if fact.holder is not None:
        state.turn = fact.holder


def _card_revealed(state: State, fact: CardRevealed) -> None:
    _lose(state, fact.seat, fact.card)
    state.discards.append(fact.card)
    state.turned.insert(0, fact.card)


def _cards_turned(state: State, fact: CardsTurned) -> None:
    del state.deck[: len(fact.cards)]
    state.discards += fact.cards
    state.turned = [*fact.cards, *state.turned]


def _round_bonus_taken(state: State, fact: RoundBonusTaken) -> None:
    del state.turned[0]


def _game_ended(state: State, fact: GameEnded) -> None:
    state.phase, state.winners = "over", list(fact.winners)


REDUCERS: dict[type[Any], Callable[[State, Any], None]] = {
    DeckShuffled: _deck_shuffled,
    FirstDrawn: _first_drawn,
    RoundBegan: _round_began,
    Asked: _asked,
    TrackRaised: _track_raised,
    CardsDrawn: _cards_drawn,
    TokensCollected: _tokens_collected,
    CardPlayed: _card_played,
    TrumpSet: _trump_set,
    RankFlipped: _rank_flipped,
    TrickWon: _trick_won,
    BonusTaken: _bonus_taken,
    Declined: _declined,
    CardTaken: _card_taken,
    TrickCleared: _trick_cleared,
    PointsGained: _points_gained,
    PointsLost: _points_lost,
    PointsPaid: _points_lost,
    ChoicesDue: _choices_due,
    ChoiceMade: _choice_made,
    CardDiscarded: _card_discarded,
    CardStolen: _card_stolen,
    PointsStolen: _points_stolen,
    RoundEnded: _round_ended,
    CardRevealed: _card_revealed,
    CardsTurned: _cards_turned,
    RoundBonusTaken: _round_bonus_taken,
    GameEnded: _game_ended,
}
