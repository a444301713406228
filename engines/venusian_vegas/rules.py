"""The rules, in the rulebook's order. A rule yields facts; each is applied before its next line runs."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from engines.kit.chance import Chance
from engines.kit.game import Fact, Names, Options
from engines.kit.notation import Move
from engines.kit.offers import Offers
from engines.kit.tricks import clockwise
from engines.venusian_vegas import offering
from engines.venusian_vegas.facts import (
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
    Claim,
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
from engines.venusian_vegas.moves import Bonus, Decline, Discard, Order, Play, Raise, Steal, Take, Token
from engines.venusian_vegas.state import (
    SPACES,
    TOKENS,
    TRACK_OF,
    State,
    bonus_kind,
    furthest_behind,
    level,
    next_to_play,
    others,
    others_with_cards,
    others_with_points,
    seat_named,
    winning,
)
from events.model import Outcome

#: What the abilities are worth (rulebook, the cards).
STEAL_PRICE = 1
ROBBED = 2
TRICK_LOSS, ROUND_LOSS = 1, 2
MOBSTER_GAIN = 3
TURNED = 2


# tracks -----------------------------------------------------------------------------------------------


def raise_track(state: State, seat: int, track: str) -> Fact:
    """One increase: a step up, 1 VP for a VP space; at the top 1 VP instead (ruling 5)."""
    space = state.spaces[seat][track]
    if space == SPACES:
        return TrackRaised(seat, track, space, False, 1)
    return TrackRaised(seat, track, space + 1, True, int(space + 1 in state.components.vp_spaces[track]))


def draw_up(state: State, seat: int) -> Iterator[Fact]:
    """A seat draws up to its Team value."""
    missing = level(state, seat, "team") - len(state.hands[seat])
    if missing > 0:
        yield CardsDrawn(seat, tuple(state.deck[:missing]))


def collect_tokens(state: State, seat: int, *tracks: str) -> Iterator[Fact]:
    """A seat collects tokens up to the value of each of these tracks."""
    held = state.tokens[seat]
    missing = tuple(track for track in tracks for _ in range(level(state, seat, track) - held[track]))
    if missing:
        yield TokensCollected(seat, missing)


# set-up -----------------------------------------------------------------------------------------------


def setup(state: State, names: Names, options: Options, chance: Chance) -> Iterator[Fact]:
    """Deals the hands of round one; then each seat is to raise its tracks, the drawn one first (ruling 3)."""
    yield FirstDrawn(names.index(chance.pick("first-player", names)))
    yield from shuffle(state, chance)
    for seat in range(state.seats):
        yield from draw_up(state, seat)
    yield Asked(state.first, "setup")


def shuffle(state: State, chance: Chance) -> Iterator[Fact]:
    """Shuffles all cards into the deck."""
    yield DeckShuffled(tuple(chance.shuffle("deck", state.components.cards)))


def play_raise(state: State, seat: int, move: Raise, chance: Chance) -> Iterator[Fact]:
    """Tracks are raised: in the set-up, at a round's start, or as a bonus says."""
    return _RAISES[state.phase](state, seat, move, chance)


def raise_in_setup(state: State, seat: int, move: Raise, chance: Chance) -> Iterator[Fact]:
    """A seat's tracks, whose income comes at once; after the last seat the first round begins."""
    for track in move.tracks:
        yield raise_track(state, seat, track)
        yield from draw_up(state, seat) if track == "team" else collect_tokens(state, seat, track)
    following = (seat + 1) % state.seats
    if following == state.first:
        yield from begin_round(state, chance)
    else:
        yield Asked(following, "setup")


# a round ----------------------------------------------------------------------------------------------


def begin_round(state: State, chance: Chance) -> Iterator[Fact]:
    """Tokens go back, the indicators too, all is shuffled again; the seat furthest behind is to raise a track."""
    leader = furthest_behind(state)
    yield RoundBegan(state.round + 1, leader)
    if state.round > 1:  # ruling 4: the hands of round one were dealt in the set-up
        yield from shuffle(state, chance)
    yield Asked(leader, "rise")


def raise_at_start(state: State, seat: int, move: Raise, chance: Chance) -> Iterator[Fact]:
    """The free increase; then, in seat order, everyone draws and collects, and the same seat leads."""
    yield raise_track(state, seat, *move.tracks)
    for each in range(state.seats):
        yield from draw_up(state, each)
        yield from collect_tokens(state, each, *TOKENS)
    yield Asked(seat, "play")


# playing a trick --------------------------------------------------------------------------------------


def begin_trick(state: State, first: int, chance: Chance) -> Iterator[Fact]:
    """The first seat with cards from `first` on leads; with fewer than two such seats the round ends."""
    holders = [seat for seat in clockwise(state.seats, first) if state.hands[seat]]
    if len(holders) > 1:
        yield Asked(holders[0], "play")  # ruling 8
    else:
        yield from end_round(state, holders[0] if holders else None, chance)


def play_card(state: State, seat: int, move: Play, chance: Chance) -> Iterator[Fact]:
    """A card is played, perhaps with a token that works at once; the last card settles who won."""
    yield CardPlayed(seat, move.card, move.with_ or "", move.blank)
    if move.trump is not None:
        yield TrumpSet(seat, move.trump)
    elif move.with_ == "inspector" and not move.blank:
        yield RankFlipped(seat, "low" if state.rank == "high" else "high")
    following = next_to_play(state)
    if following is not None:
        yield Asked(following, "play")
        return
    winner, card = winning(state)
    yield TrickWon(winner, card, claims(state, winner))
    yield from settle_trick(state, chance)


def claims(state: State, winner: int) -> tuple[Claim, ...]:
    """The winner's bonus, then what the Bot and the Mobster token let their seats do (ruling 11)."""
    due: list[Claim] = [("bonus", winner)]
    bot, blank = state.laid.get("bot", (None, True))
    # The winner's second bonus needs a second card of another seat.
    if bot is not None and not blank and (bot != winner or len(state.trick) > 2):
        due.append(("bonus", bot))
    mobster, blank = state.laid.get("mobster", (None, True))
    if mobster is not None and not blank:
        due.append(("take", mobster))
    return tuple(due)


def settle_trick(state: State, chance: Chance) -> Iterator[Fact]:
    """What remains of a trick, up to the next question; then the rest is discarded and the winner leads."""
    yield from make_choices(state, chance)
    if state.choices:
        return
    if state.claims:
        claim, seat = state.claims[0]
        yield Asked(seat, claim)
        return
    yield TrickCleared()
    yield from begin_trick(state, state.winner, chance)


def play_bonus(state: State, seat: int, move: Bonus, chance: Chance) -> Iterator[Fact]:
    """A trick bonus of another seat's card."""
    yield BonusTaken(seat, move.card)
    yield from trick_bonus(state, seat, move.card)
    yield from settle_trick(state, chance)


def play_take(state: State, seat: int, move: Take, chance: Chance) -> Iterator[Fact]:
    """A card of the trick goes to the hand of the Mobster token's seat."""
    yield CardTaken(seat, move.card)
    yield from settle_trick(state, chance)


def play_decline(state: State, seat: int, move: Decline, chance: Chance) -> Iterator[Fact]:
    """A claim on the trick is left."""
    yield Declined(seat, state.claims[0][0])
    yield from settle_trick(state, chance)


# trick bonuses (ruling 12) ----------------------------------------------------------------------------


def trick_bonus(state: State, seat: int, card: str) -> Iterator[Fact]:
    """The trick bonus of a card."""
    kind = bonus_kind(state.components, card)
    if kind == "points":
        yield PointsGained(seat, state.components.trick_points)
    elif kind == "raise":
        yield raise_track(state, seat, TRACK_OF[card[0]])
    else:
        yield from _TRICK_ABILITIES[card[0]](state, seat)


def draw_one(state: State, seat: int) -> Iterator[Fact]:
    """Team: a card from the deck, if it has one."""
    yield CardsDrawn(seat, tuple(state.deck[:1]))


def pay_to_steal(state: State, seat: int) -> Iterator[Fact]:
    """Game: a VP for a random card of a seat that is to be named."""
    yield PointsPaid(seat, STEAL_PRICE)
    yield ChoicesDue((("steal-card", seat),))


def others_discard(state: State, seat: int) -> Iterator[Fact]:
    """Inspector: each other seat with cards is to discard one, clockwise."""
    losers = others_with_cards(state, seat)
    if losers:
        yield ChoicesDue(tuple(("discard", other) for other in losers))


def take_token(state: State, seat: int) -> Iterator[Fact]:
    """Bot: a token of any colour."""
    yield ChoicesDue((("token", seat),))


def others_lose_one(state: State, seat: int) -> Iterator[Fact]:
    """Mobster: each other seat loses 1 VP."""
    return others_lose(state, seat, TRICK_LOSS)


def others_lose(state: State, seat: int, points: int) -> Iterator[Fact]:
    """Each other seat loses VP, as far as it has some."""
    for other in others(state, seat):
        lost = min(points, state.scores[other])
        if lost:
            yield PointsLost(other, lost)


_TRICK_ABILITIES: dict[str, Callable[[State, int], Iterator[Fact]]] = {
    "T": draw_one,
    "G": pay_to_steal,
    "I": others_discard,
    "B": take_token,
    "M": others_lose_one,
}


# choices that a bonus leaves open ---------------------------------------------------------------------


def make_choices(state: State, chance: Chance) -> Iterator[Fact]:
    """Makes each open choice that has one outcome only, up to the first that is a question."""
    while state.choices:
        kind, seat = state.choices[0]
        ways = offering.ways(state, kind, seat)
        if len(ways) > 1:
            yield Asked(seat, kind)
            return
        yield from make_choice(state, ways[0], chance)


def make_choice(state: State, way: str, chance: Chance) -> Iterator[Fact]:
    """Carries out the first open choice."""
    kind, seat = state.choices[0]
    yield ChoiceMade()
    if kind == "discard":
        yield CardDiscarded(seat, way)
    elif kind == "token":
        yield TokensCollected(seat, (way,))
    elif kind == "raise":
        yield raise_track(state, seat, way)
    else:
        victim = seat_named(state, way)
        assert victim is not None
        if kind == "steal-card":
            card = chance.pick("stolen-card", state.hands[victim], secret=True)
            yield CardStolen(seat, victim, card, card)
        else:
            yield PointsStolen(seat, victim, min(ROBBED, state.scores[victim]))


def chosen(state: State, way: str, chance: Chance) -> Iterator[Fact]:
    """A choice that was asked is made; what remains of the trick or of the last hand goes on."""
    yield from make_choice(state, way, chance)
    yield from settle_trick(state, chance) if state.trick else reveal_hand(state, chance)


def play_discard(state: State, seat: int, move: Discard, chance: Chance) -> Iterator[Fact]:
    """The card that an Inspector bonus costs."""
    return chosen(state, move.card, chance)


def play_steal(state: State, seat: int, move: Steal, chance: Chance) -> Iterator[Fact]:
    """The seat that a Game bonus robs."""
    return chosen(state, move.seat, chance)


def play_token(state: State, seat: int, move: Token, chance: Chance) -> Iterator[Fact]:
    """The token that a Bot bonus gives."""
    return chosen(state, move.colour, chance)


def raise_as_bonus(state: State, seat: int, move: Raise, chance: Chance) -> Iterator[Fact]:
    """The track that a Bot bonus raises."""
    return chosen(state, move.tracks[0], chance)


_RAISES: dict[str, Callable[[State, int, Raise, Chance], Iterator[Fact]]] = {
    "setup": raise_in_setup,
    "rise": raise_at_start,
    "raise": raise_as_bonus,
}


# ending a round (ruling 13) ---------------------------------------------------------------------------


def end_round(state: State, holder: int | None, chance: Chance) -> Iterator[Fact]:
    """The last holder reveals its hand; with nobody holding cards the round is over."""
    yield RoundEnded(state.round, holder)
    if holder is None:
        yield from next_round(state, chance)
    else:
        yield Asked(holder, "order")


def play_order(state: State, seat: int, move: Order, chance: Chance) -> Iterator[Fact]:
    """The next card of the last hand."""
    yield CardRevealed(seat, move.card)
    yield from reveal_hand(state, chance)


def reveal_hand(state: State, chance: Chance) -> Iterator[Fact]:
    """The round bonuses of all revealed and turned cards, up to the next question; then the next card or round."""
    seat = state.turn  # whatever is asked at a round's end is asked of the last holder
    yield from make_choices(state, chance)
    while state.turned and not state.choices:
        card = state.turned[0]
        yield RoundBonusTaken(seat, card)
        yield from round_bonus(state, seat, card)
        yield from make_choices(state, chance)
    if state.choices:
        return
    if state.hands[seat]:
        yield Asked(seat, "order")
    else:
        yield from next_round(state, chance)


def round_bonus(state: State, seat: int, card: str) -> Iterator[Fact]:
    """The round bonus of a card."""
    kind = bonus_kind(state.components, card)
    if kind == "points":
        yield PointsGained(seat, state.components.round_points)
    elif kind == "raise":
        yield raise_track(state, seat, TRACK_OF[card[0]])
        yield raise_track(state, seat, TRACK_OF[card[0]])
    else:
        yield from _ROUND_ABILITIES[card[0]](state, seat)


def turn_two(state: State, seat: int) -> Iterator[Fact]:
    """Team: the top two cards of the deck are turned, to have their round bonuses taken."""
    yield CardsTurned(seat, tuple(state.deck[:TURNED]))


def rob(state: State, seat: int) -> Iterator[Fact]:
    """Game: VP of a seat that has some and is to be named."""
    if others_with_points(state, seat):
        yield ChoicesDue((("steal-points", seat),))


def others_lose_two(state: State, seat: int) -> Iterator[Fact]:
    """Inspector: each other seat loses 2 VP."""
    return others_lose(state, seat, ROUND_LOSS)


def raise_any(state: State, seat: int) -> Iterator[Fact]:
    """Bot: any track is raised."""
    yield ChoicesDue((("raise", seat),))


def gain_three(state: State, seat: int) -> Iterator[Fact]:
    """Mobster: 3 VP."""
    yield PointsGained(seat, MOBSTER_GAIN)


_ROUND_ABILITIES: dict[str, Callable[[State, int], Iterator[Fact]]] = {
    "T": turn_two,
    "G": rob,
    "I": others_lose_two,
    "B": raise_any,
    "M": gain_three,
}


# ending the game --------------------------------------------------------------------------------------


def next_round(state: State, chance: Chance) -> Iterator[Fact]:
    """The next round, or after the last one the end."""
    if state.round < state.rounds:
        yield from begin_round(state, chance)
    else:
        yield end_game(state)


def end_game(state: State) -> Fact:
    """Most VP, then most track increases, then shared (ruling 14)."""
    ranks = [*zip(state.scores, state.increases, strict=True)]
    winners = [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
    return GameEnded(tuple(winners), tuple(state.scores), tuple(state.increases))


def outcome(state: State) -> Outcome | None:
    """Who won, once the last round is over."""
    if state.phase != "over":
        return None
    level_on_points = state.scores.count(max(state.scores))
    if level_on_points == 1:
        reason = "most VP"
    elif len(state.winners) == 1:
        reason = "level on VP, most track increases"
    else:
        reason = "level on VP and on track increases"
    return Outcome(tuple(state.winners), tuple(state.scores), reason)


# what a seat may do -----------------------------------------------------------------------------------


def to_move(state: State) -> tuple[int, ...]:
    """The seat to decide."""
    return () if state.phase == "over" else (state.turn,)


def offers(state: State, seat: int) -> Offers:
    """What `seat`, whose turn it is, may do."""
    return offering.OFFERS[state.phase](state, seat)


def automatic(state: State, seat: int) -> Move | None:
    """No seat is without a player."""
    return None


_RULES: dict[type[Move], Any] = {
    Raise: play_raise,
    Play: play_card,
    Bonus: play_bonus,
    Take: play_take,
    Decline: play_decline,
    Discard: play_discard,
    Steal: play_steal,
    Token: play_token,
    Order: play_order,
}


def play(state: State, seat: int, move: Move, chance: Chance) -> Iterator[Fact]:
    """Carries out a move that is on offer."""
    return _RULES[type(move)](state, seat, move, chance)
