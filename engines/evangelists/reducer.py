"""One small function a fact: the only code that changes a state. Old logs are bound to it."""

from collections.abc import Callable
from typing import Any

from engines.evangelists.facts import (
    BoatBumped,
    BoatSailed,
    CardKept,
    CardsReturned,
    CubeDrawn,
    DeviceScored,
    FirstDrawn,
    FollowAsked,
    FollowOffered,
    GameEnded,
    GrowthDue,
    InterviewTaken,
    LeafAdded,
    LeafFlipped,
    LeafMoved,
    LeavesArranged,
    OctagonsSpent,
    Passed,
    PawnMoved,
    PawnPlaced,
    PlaceDue,
    RoundBegan,
    RoundEnded,
    StrengthDue,
    TestimonyHeard,
    ThemesDealt,
    ThemesScored,
    TokenPaid,
    TokensGiven,
    TraditionOpened,
    TraditionsDealt,
    TraditionsLooked,
    TurnBegan,
    TurnResumed,
    TwinTaken,
    WhiteRemoved,
    WitnessDeckShuffled,
    WitnessFlipped,
)
from engines.evangelists.state import (
    EMPTY,
    WHITE,
    CodexLeaf,
    Pursuit,
    State,
    back,
    in_order,
    leaf_of,
)

#: Raised when the reducers change what a state is; snapshots of another version are void.
VERSION = 1


def _traditions_dealt(state: State, fact: TraditionsDealt) -> None:
    state.traditions[fact.city] = list(fact.cards)
    state.lying[fact.city] = list(fact.shown)
    state.undealt -= len(fact.cards)


def _themes_dealt(state: State, fact: ThemesDealt) -> None:
    state.themes = list(fact.themes)


def _first_drawn(state: State, fact: FirstDrawn) -> None:
    state.first = fact.seat


def _tokens_given(state: State, fact: TokensGiven) -> None:
    state.tokens = list(fact.tokens)


def _witness_deck_shuffled(state: State, fact: WitnessDeckShuffled) -> None:
    state.flips = list(fact.deck)


def _turned_up(state: State, city: str, card: str) -> None:
    """From now on everybody knows that `card` lies in `city`."""
    state.open[city] = card
    for lying in (state.traditions, state.lying):
        if card not in lying[city]:
            lying[city].remove(back(state.components, card))
            lying[city] = in_order([*lying[city], card])


def _tradition_opened(state: State, fact: TraditionOpened) -> None:
    _turned_up(state, fact.city, fact.card)


def _place_due(state: State, fact: PlaceDue) -> None:
    state.phase, state.asking = "place", fact.seat


def _pawn_placed(state: State, fact: PawnPlaced) -> None:
    state.pawns[fact.seat] = fact.city


def _round_began(state: State, fact: RoundBegan) -> None:
    state.round = fact.round


def _witness_flipped(state: State, fact: WitnessFlipped) -> None:
    del state.flips[0]
    state.flipped.append(fact.witness)


def _cube_drawn(state: State, fact: CubeDrawn) -> None:
    state.discs[fact.witness] = fact.colour
    if fact.colour == WHITE:  # a black one is made up from the supply at once
        state.bag[WHITE] -= 1


def _turn_began(state: State, fact: TurnBegan) -> None:
    state.phase, state.turn, state.asking = "turn", fact.seat, fact.seat
    state.octagons = fact.octagons
    state.limits.clear()


def _octagons_spent(state: State, fact: OctagonsSpent) -> None:
    state.octagons -= fact.octagons
    if fact.limit:
        state.limits.append(fact.limit)


def _pawn_moved(state: State, fact: PawnMoved) -> None:
    state.pawns[fact.seat] = fact.space


def _boat_sailed(state: State, fact: BoatSailed) -> None:
    # a boat met at the end is the other one of that space until it is bumped
    state.boats[state.boats.index(fact.origin)] = fact.space
    state.pawns[fact.seat] = fact.space


def _boat_bumped(state: State, fact: BoatBumped) -> None:
    state.boats[state.boats.index(fact.space)] = fact.city


def _traditions_looked(state: State, fact: TraditionsLooked) -> None:
    state.phase = "keep"
    if fact.cards != fact.shown:  # a log that does not know them must not lose what it knows
        state.traditions[fact.city] = list(fact.cards)
    if fact.city not in state.looked[fact.seat]:
        state.looked[fact.seat] = sorted([*state.looked[fact.seat], fact.city])


def _into_slot(state: State, seat: int, card: str, slot: str) -> None:
    leaf = leaf_of(state.codices[seat], slot[0])
    assert leaf is not None
    leaf.slots[int(slot[1]) - 1] = card


def _card_kept(state: State, fact: CardKept) -> None:
    for lying in (state.traditions[fact.city], state.lying[fact.city]):
        lying.remove(fact.card if fact.card in lying else back(state.components, fact.card))
    if state.open[fact.city] == fact.card:
        state.open[fact.city] = EMPTY
    _into_slot(state, fact.seat, fact.card, fact.slot)


def _cards_returned(state: State, fact: CardsReturned) -> None:
    if fact.open:
        _turned_up(state, fact.city, fact.open)


def _interview_taken(state: State, fact: InterviewTaken) -> None:
    state.interview_cards[fact.witness] -= 1
    state.interviews[fact.seat].append(fact.witness)
    state.interviewing = fact.witness


def _strength_due(state: State, fact: StrengthDue) -> None:
    state.phase, state.asking = "strength", fact.seat


def _testimony_heard(state: State, fact: TestimonyHeard) -> None:
    state.marks[fact.seat] += fact.marks
    state.interviewing = EMPTY


def _leaf_moved(state: State, fact: LeafMoved) -> None:
    codex = state.codices[fact.seat]
    leaf = leaf_of(codex, fact.leaf)
    assert leaf is not None
    codex.remove(leaf)
    codex.insert(fact.to - 1, leaf)


def _leaf_flipped(state: State, fact: LeafFlipped) -> None:
    leaf = leaf_of(state.codices[fact.seat], fact.leaf)
    assert leaf is not None
    leaf.slots.reverse()


def _leaves_arranged(state: State, fact: LeavesArranged) -> None:
    named = {leaf.name: leaf for leaf in state.codices[fact.seat]}
    state.codices[fact.seat] = [named[name] for name in fact.leaves]
    for name in fact.flipped:
        named[name].slots.reverse()


def _follow_offered(state: State, fact: FollowOffered) -> None:
    state.pursuit = Pursuit(fact.action, fact.strong, fact.witness, fact.cards)
    state.queue = list(fact.order)


def _follow_asked(state: State, fact: FollowAsked) -> None:
    state.phase, state.asking = "follow", fact.seat
    del state.queue[: state.queue.index(fact.seat) + 1]


def _token_paid(state: State, fact: TokenPaid) -> None:
    state.tokens[fact.seat] -= 1
    state.tokens[fact.to] += 1


def _twin_taken(state: State, fact: TwinTaken) -> None:
    state.twins.remove(fact.card)
    _into_slot(state, fact.seat, fact.card, fact.slot)


def _passed(state: State, fact: Passed) -> None:
    """That nothing changes is all there is to it; who is next is a fact of its own."""


def _turn_resumed(state: State, fact: TurnResumed) -> None:
    state.phase, state.asking = "turn", fact.seat
    state.pursuit = None
    state.queue.clear()


def _round_ended(state: State, fact: RoundEnded) -> None:
    for witness in fact.witnesses:
        state.discs[witness] = EMPTY
        state.bag[WHITE] += 1


def _white_removed(state: State, fact: WhiteRemoved) -> None:
    state.bag[WHITE] -= 1
    state.removed += 1


def _growth_due(state: State, fact: GrowthDue) -> None:
    state.phase, state.asking = "growth", fact.seat


def _leaf_added(state: State, fact: LeafAdded) -> None:
    codex = state.codices[fact.seat]
    codex.insert(0 if fact.side == "left" else len(codex), CodexLeaf(fact.leaf, [EMPTY, EMPTY]))


def _scored(state: State, fact: DeviceScored | ThemesScored) -> None:
    """Points follow from what lies in the gospels, which the scoring does not change."""


def _game_ended(state: State, fact: GameEnded) -> None:
    state.phase, state.winners = "over", list(fact.winners)


REDUCERS: dict[type[Any], Callable[[State, Any], None]] = {
    TraditionsDealt: _traditions_dealt,
    ThemesDealt: _themes_dealt,
    FirstDrawn: _first_drawn,
    TokensGiven: _tokens_given,
    WitnessDeckShuffled: _witness_deck_shuffled,
    TraditionOpened: _tradition_opened,
    PlaceDue: _place_due,
    PawnPlaced: _pawn_placed,
    RoundBegan: _round_began,
    WitnessFlipped: _witness_flipped,
    CubeDrawn: _cube_drawn,
    TurnBegan: _turn_began,
    OctagonsSpent: _octagons_spent,
    PawnMoved: _pawn_moved,
    BoatSailed: _boat_sailed,
    BoatBumped: _boat_bumped,
    TraditionsLooked: _traditions_looked,
    CardKept: _card_kept,
    CardsReturned: _cards_returned,
    InterviewTaken: _interview_taken,
    StrengthDue: _strength_due,
    TestimonyHeard: _testimony_heard,
    LeafMoved: _leaf_moved,
    LeafFlipped: _leaf_flipped,
    LeavesArranged: _leaves_arranged,
    FollowOffered: _follow_offered,
    FollowAsked: _follow_asked,
    TokenPaid: _token_paid,
    TwinTaken: _twin_taken,
    Passed: _passed,
    TurnResumed: _turn_resumed,
    RoundEnded: _round_ended,
    WhiteRemoved: _white_removed,
    GrowthDue: _growth_due,
    LeafAdded: _leaf_added,
    DeviceScored: _scored,
    ThemesScored: _scored,
    GameEnded: _game_ended,
}
