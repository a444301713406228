"""One small function a fact: the only code that changes a state. Old logs are bound to it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engines.power_vacuum.facts import (
    AgendaDealt,
    AgendaRevealed,
    AgendaScored,
    AgendasShuffled,
    AgendaTurned,
    AimDue,
    Aimed,
    BoardTaken,
    CableSet,
    CardCaptured,
    CardPlayed,
    CardsDealt,
    GameEnded,
    LevelsMarked,
    NothingMoved,
    PieceTaken,
    PlugMoved,
    PointTaken,
    PowerGrabbed,
    PowerMoved,
    RoundBegan,
    StarterDrawn,
    TrickCleared,
    TrickWon,
    TurnBegan,
)
from engines.power_vacuum.state import (
    APPLIANCES,
    CONSPIRATOR,
    PIECE,
    SUPPLY,
    State,
    agenda,
    back,
    in_order,
    is_bot,
)

#: Raised when the reducers change what a state is; snapshots of another version are void.
VERSION = 1


def _starter_drawn(state: State, fact: StarterDrawn) -> None:
    state.starter = fact.seat


def _round_began(state: State, fact: RoundBegan) -> None:
    state.round, state.starter, state.turn = fact.round, fact.starter, fact.starter
    state.levels = dict(zip(APPLIANCES, fact.levels, strict=True))
    state.most, state.least = [], []
    state.played.clear()
    state.aside = len(state.components.cards)
    for seat in range(state.seats):
        state.hands[seat] = state.captured[seat]
        state.captured[seat] = []
        state.aside -= len(state.hands[seat])
        if not state.solo:
            state.revealed[seat] = ()
            state.markers[seat] = CONSPIRATOR


def _aim_due(state: State, fact: AimDue) -> None:
    state.phase, state.turn = "aim", fact.seat


def _aimed(state: State, fact: Aimed) -> None:
    state.revealed[fact.seat] = (fact.most, fact.least)


def _cards_dealt(state: State, fact: CardsDealt) -> None:
    hand = state.hands[fact.seat] + list(fact.cards)
    state.hands[fact.seat] = hand if is_bot(state, fact.seat) else in_order(hand)
    state.aside -= len(fact.cards)


def _agenda_dealt(state: State, fact: AgendaDealt) -> None:
    state.agendas[fact.seat] = fact.agenda


def _agendas_shuffled(state: State, fact: AgendasShuffled) -> None:
    state.agenda_deck = list(fact.deck)
    state.agenda_discards.clear()
    state.open_agenda = ""


def _cable_set(state: State, fact: CableSet) -> None:
    state.cable = fact.agenda.split("/")
    if state.solo:
        del state.agenda_deck[0]
        state.agenda_deck.append(fact.agenda)
    state.open_agenda = fact.agenda


def _turn_began(state: State, fact: TurnBegan) -> None:
    state.phase, state.turn = "turn", fact.seat


def _agenda_revealed(state: State, fact: AgendaRevealed) -> None:
    state.agendas[fact.seat] = agenda(fact.most, fact.least)
    state.revealed[fact.seat] = (fact.most, fact.least)
    state.markers[fact.seat] = fact.marker


def _card_played(state: State, fact: CardPlayed) -> None:
    hand = state.hands[fact.seat]
    if fact.place is None:
        hand.remove(fact.card if fact.card in hand else back(state, fact.card))
    else:
        del hand[fact.place]
    state.trick.append((fact.seat, fact.card))


def _trick_won(state: State, fact: TrickWon) -> None:
    state.phase, state.turn, state.winner = "spoils", fact.seat, fact.seat
    state.board = list(fact.lowest)


def _point_taken(state: State, fact: PointTaken) -> None:
    state.tokens[fact.seat] += 1


def _card_captured(state: State, fact: CardCaptured) -> None:
    state.captured[fact.seat].append(fact.card)


def _trick_cleared(state: State, fact: TrickCleared) -> None:
    kept = state.captured[state.winner]
    state.played += [card for _, card in state.trick if card not in kept]
    state.trick.clear()


def _board_taken(state: State, fact: BoardTaken) -> None:
    state.phase, state.turn = "transfer", fact.seat


def _power_moved(state: State, fact: PowerMoved) -> None:
    if fact.source != SUPPLY:
        state.levels[fact.source] -= 1
    if fact.target != SUPPLY:
        state.levels[fact.target] += 1
    state.phase = "plug"


def _nothing_moved(state: State, fact: NothingMoved) -> None:
    state.phase = "plug"


def _plug_moved(state: State, fact: PlugMoved) -> None:
    state.cable[state.cable.index(fact.socket)] = fact.to
    state.board.remove(fact.seat)


def _agenda_turned(state: State, fact: AgendaTurned) -> None:
    del state.agenda_deck[0]
    state.agenda_discards.append(fact.agenda)
    if fact.agenda == state.open_agenda:
        state.open_agenda = ""
    if fact.plugged:
        state.cable = fact.agenda.split("/")
        state.board.remove(fact.seat)


def _levels_marked(state: State, fact: LevelsMarked) -> None:
    state.most, state.least = list(fact.most), list(fact.least)


def _power_grabbed(state: State, fact: PowerGrabbed) -> None:
    state.tokens[fact.seat] += fact.points


def _agenda_scored(state: State, fact: AgendaScored) -> None:
    state.tokens[fact.seat] += fact.points


def _piece_taken(state: State, fact: PieceTaken) -> None:
    state.tokens[fact.seat] -= PIECE
    state.pieces[fact.seat] = fact.piece


def _game_ended(state: State, fact: GameEnded) -> None:
    state.phase, state.winners = "over", list(fact.winners)


REDUCERS: dict[type[Any], Callable[[State, Any], None]] = {
    StarterDrawn: _starter_drawn,
    RoundBegan: _round_began,
    AimDue: _aim_due,
    Aimed: _aimed,
    CardsDealt: _cards_dealt,
    AgendaDealt: _agenda_dealt,
    AgendasShuffled: _agendas_shuffled,
    CableSet: _cable_set,
    TurnBegan: _turn_began,
    AgendaRevealed: _agenda_revealed,
    CardPlayed: _card_played,
    TrickWon: _trick_won,
    PointTaken: _point_taken,
    CardCaptured: _card_captured,
    TrickCleared: _trick_cleared,
    BoardTaken: _board_taken,
    PowerMoved: _power_moved,
    NothingMoved: _nothing_moved,
    PlugMoved: _plug_moved,
    AgendaTurned: _agenda_turned,
    LevelsMarked: _levels_marked,
    PowerGrabbed: _power_grabbed,
    AgendaScored: _agenda_scored,
    PieceTaken: _piece_taken,
    GameEnded: _game_ended,
}
