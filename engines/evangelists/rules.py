"""The rules, in the rulebook's order. A rule yields facts; each is applied before its next line runs."""

from collections.abc import Callable, Iterator
from typing import Any

from engines.evangelists.components import IN_A_CITY
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
from engines.evangelists.moves import (
    Arrange,
    Boat,
    End,
    Follow,
    Interview,
    Keep,
    Leaf,
    Pass,
    Place,
    Rearrange,
    Strong,
    Tradition,
    Travel,
    Weak,
)
from engines.evangelists.offers import bumped_to, can_follow, follow_order, offers, returned_open
from engines.evangelists.scoring import ALONE_TO_WIN, reckoned, recorded
from engines.evangelists.state import (
    BLACK,
    LEAVES,
    OCTAGONS,
    WHITE,
    Pursuit,
    State,
    back,
    growth_follows,
    in_order,
    matching,
    solitaire,
    turn_order,
    witness_here,
)
from engines.kit.chance import Chance
from engines.kit.game import Fact, Names, Options
from engines.kit.notation import Move
from events.model import Outcome

__all__ = ["automatic", "offers", "outcome", "play", "setup", "to_move"]

#: Tally marks a matching card, by strength and by the witness's cube.
MARKS = {(False, WHITE): 3, (False, BLACK): 2, (True, WHITE): 5, (True, BLACK): 3}
#: Tally marks of a follower who holds the witness's card.
FOLLOWER_WITH_CARD = 2


# set-up -----------------------------------------------------------------------------------------------


def setup(state: State, names: Names, options: Options, chance: Chance) -> Iterator[Fact]:
    """Deals traditions and themes, draws who is first, gives tokens; alone, opens a tradition a city."""
    deck = chance.shuffle("traditions", list(state.components.traditions))
    for place, city in enumerate(state.components.cities):
        cards = in_order(deck[place * IN_A_CITY : (place + 1) * IN_A_CITY])
        backs = in_order([back(state.components, card) for card in cards])
        yield TraditionsDealt(city, tuple(cards), tuple(backs))
    yield ThemesDealt(tuple(chance.shuffle("themes", list(state.components.themes))[: state.seats]))
    if solitaire(state):
        yield from set_up_alone(state, chance)
    else:
        yield FirstDrawn(names.index(chance.pick("first-player", names)))
        order = turn_order(state, state.first)
        given = dict.fromkeys(order[1:], 1) | {order[-1]: 2}  # ruling 2
        yield TokensGiven(tuple(given.get(seat, 0) for seat in range(state.seats)))
    yield PlaceDue(state.first)


def set_up_alone(state: State, chance: Chance) -> Iterator[Fact]:
    """A witness deck, and one random tradition open in each city (ruling 15)."""
    yield WitnessDeckShuffled(tuple(chance.shuffle("witness-deck", list(state.components.witnesses))))
    for city in state.components.cities:
        yield TraditionOpened(city, chance.pick("open-traditions", state.traditions[city]))


def play_place(state: State, seat: int, move: Place, chance: Chance) -> Iterator[Fact]:
    """A pawn is placed; after the last one the first round begins."""
    yield PawnPlaced(seat, move.city)
    later = [other for other in turn_order(state, state.first) if not state.pawns[other]]
    if later:
        yield PlaceDue(later[0])
    else:
        yield from begin_round(state, 1, chance)


def begin_round(state: State, number: int, chance: Chance) -> Iterator[Fact]:
    """A round begins; alone, a witness is flipped and a cube drawn for it unless it has one."""
    yield RoundBegan(number)
    if solitaire(state):
        witness = state.flips[0]
        yield WitnessFlipped(witness)
        yield from draw_cube(state, witness, chance)
    yield TurnBegan(state.first, OCTAGONS)


def draw_cube(state: State, witness: str, chance: Chance) -> Iterator[Fact]:
    """A witness without a cube gets one out of the bag (rulings 6 and 16)."""
    if not state.discs[witness]:
        cubes = [WHITE] * state.bag[WHITE] + [BLACK] * state.bag[BLACK]
        yield CubeDrawn(witness, chance.pick("bag", cubes))


# the active seat's actions ----------------------------------------------------------------------------


def play_travel(state: State, seat: int, move: Travel, chance: Chance) -> Iterator[Fact]:
    """One or two spaces, or any city."""
    yield OctagonsSpent(seat, "travel", 1 + move.strong, "travel")
    yield PawnMoved(seat, state.pawns[seat], move.space, move.strong)
    yield from offer_follow(state, Pursuit("travel", move.strong))


def play_boat(state: State, seat: int, move: Boat, chance: Chance) -> Iterator[Fact]:
    """Pawn and boat sail; a boat met at the end makes room. Nobody follows."""
    origin = state.pawns[seat]
    city = bumped_to(state, origin, move)
    yield OctagonsSpent(seat, "boat", 0, "boat")
    yield BoatSailed(seat, origin, move.space)
    if city:
        yield BoatBumped(move.space, city)


def play_tradition(state: State, seat: int, move: Tradition, chance: Chance) -> Iterator[Fact]:
    """Looks at the cards of the city; what to keep is asked next."""
    city = state.pawns[seat]
    yield OctagonsSpent(seat, "tradition", 1, f"tradition {city}")
    yield TraditionsLooked(seat, city, tuple(state.traditions[city]), tuple(state.lying[city]))


def play_keep(state: State, seat: int, move: Keep, chance: Chance) -> Iterator[Fact]:
    """Kept cards go into their slots, the others back; one of those lies open (ruling 4)."""
    city = state.pawns[seat]
    kept = [named.split(":") for named in move.cards]
    opened = returned_open(state, city, [card for card, _ in kept], move.open_)
    for number, (card, slot) in enumerate(kept):
        if number:
            yield OctagonsSpent(seat, "keep", 1)
        yield CardKept(seat, city, card, slot)
    yield CardsReturned(seat, city, len(kept), opened)
    if kept:
        yield from offer_follow(state, Pursuit("tradition", len(kept) > 1, cards=tuple(c for c, _ in kept)))
    else:
        yield TurnResumed(seat)  # ruling 3: nothing was kept that could be followed


def play_interview(state: State, seat: int, move: Interview, chance: Chance) -> Iterator[Fact]:
    """The card, the cube, then weak or strong; with one octagon it is weak (ruling 6)."""
    witness = witness_here(state, seat)
    yield OctagonsSpent(seat, "interview", 1)
    yield InterviewTaken(seat, witness)
    yield from draw_cube(state, witness, chance)
    if state.octagons:
        yield StrengthDue(seat)
    else:
        yield from hear(state, seat, strong=False)


def play_weak(state: State, seat: int, move: Weak, chance: Chance) -> Iterator[Fact]:
    """A weak interview."""
    yield from hear(state, seat, strong=False)


def play_strong(state: State, seat: int, move: Strong, chance: Chance) -> Iterator[Fact]:
    """A strong interview."""
    yield OctagonsSpent(seat, "strong", 1)
    yield from hear(state, seat, strong=True)


def hear(state: State, seat: int, *, strong: bool) -> Iterator[Fact]:
    """Tally marks for each card of the witness."""
    witness = state.interviewing
    cards = matching(state, seat, witness)
    yield TestimonyHeard(seat, witness, cards, cards * MARKS[strong, state.discs[witness]], strong)
    yield from offer_follow(state, Pursuit("interview", strong, witness=witness))


def play_rearrange(state: State, seat: int, move: Rearrange, chance: Chance) -> Iterator[Fact]:
    """One leaf is moved or flipped."""
    yield OctagonsSpent(seat, "rearrange", 1, "rearrange")
    yield LeafFlipped(seat, move.leaf) if move.flip else LeafMoved(seat, move.leaf, move.to)
    yield from offer_follow(state, Pursuit("rearrange", strong=False))


def play_arrange(state: State, seat: int, move: Arrange, chance: Chance) -> Iterator[Fact]:
    """All leaves are put in a new order, any of them flipped."""
    yield OctagonsSpent(seat, "arrange", 2, "rearrange")
    flipped = tuple(name[:-1] for name in move.leaves if name.endswith("~"))
    yield LeavesArranged(seat, tuple(name.rstrip("~") for name in move.leaves), flipped)
    yield from offer_follow(state, Pursuit("rearrange", strong=True))


def play_end(state: State, seat: int, move: End, chance: Chance) -> Iterator[Fact]:
    """The next seat's turn, or the end of the round."""
    following = (seat + 1) % state.seats
    if following != state.first:
        yield TurnBegan(following, OCTAGONS)
    else:
        yield from end_round(state, chance)


# follows ----------------------------------------------------------------------------------------------


def offer_follow(state: State, pursuit: Pursuit) -> Iterator[Fact]:
    """Asks the seats that can follow an action, one after another (ruling 8)."""
    order = follow_order(state, pursuit)
    if order:
        yield FollowOffered(pursuit.action, pursuit.strong, tuple(order), pursuit.witness, pursuit.cards)
    yield from ask_next(state)


def ask_next(state: State) -> Iterator[Fact]:
    """The next seat that still can follow, or the turn goes on."""
    for seat in state.queue:
        if state.pursuit is not None and can_follow(state, seat, state.pursuit):
            yield FollowAsked(seat)
            return
    yield TurnResumed(state.turn)


def play_follow(state: State, seat: int, move: Follow, chance: Chance) -> Iterator[Fact]:
    """Pays a token for a weak action, and does its part."""
    pursuit = state.pursuit
    assert pursuit is not None
    if not pursuit.strong:
        yield TokenPaid(seat, state.turn)
    yield from _FOLLOWING[pursuit.action](state, seat, move, pursuit)
    yield from ask_next(state)


def follow_travel(state: State, seat: int, move: Follow, pursuit: Pursuit) -> Iterator[Fact]:
    """One space."""
    yield PawnMoved(seat, state.pawns[seat], move.what[0], following=True)


def follow_tradition(state: State, seat: int, move: Follow, pursuit: Pursuit) -> Iterator[Fact]:
    """The copy of a kept card."""
    card, slot = move.what[0].split(":")
    yield TwinTaken(seat, card, slot)


def follow_interview(state: State, seat: int, move: Follow, pursuit: Pursuit) -> Iterator[Fact]:
    """Marks for holding the witness's card and for each matching card (ruling 7)."""
    cards = matching(state, seat, pursuit.witness)
    bonus = FOLLOWER_WITH_CARD if pursuit.witness in state.interviews[seat] else 0
    yield TestimonyHeard(seat, pursuit.witness, cards, cards + bonus, following=True, bonus=bonus)


def follow_rearrange(state: State, seat: int, move: Follow, pursuit: Pursuit) -> Iterator[Fact]:
    """One leaf is moved or flipped."""
    leaf = move.what[0]
    yield LeafFlipped(seat, leaf, following=True) if move.flip else LeafMoved(seat, leaf, move.to, following=True)


def play_pass(state: State, seat: int, move: Pass, chance: Chance) -> Iterator[Fact]:
    """Does not follow."""
    yield Passed(seat)
    yield from ask_next(state)


# the end of a round -----------------------------------------------------------------------------------


def end_round(state: State, chance: Chance) -> Iterator[Fact]:
    """White cubes go back, one leaves the game; then growth, a new round or the scoring (ruling 12)."""
    alive = tuple(witness for witness, cube in state.discs.items() if cube == WHITE)
    yield RoundEnded(state.round, alive)
    yield WhiteRemoved()
    if state.round == state.rounds:
        yield from score(state)
    elif growth_follows(state, state.round):
        yield GrowthDue(state.first)
    else:
        yield from begin_round(state, state.round + 1, chance)


def play_leaf(state: State, seat: int, move: Leaf, chance: Chance) -> Iterator[Fact]:
    """A leaf is added at an end; after the last seat the next round begins."""
    yield LeafAdded(seat, LEAVES[len(state.codices[seat])], move.side)
    following = (seat + 1) % state.seats
    if following != state.first:
        yield GrowthDue(following)
    else:
        yield from begin_round(state, state.round + 1, chance)


# scoring ----------------------------------------------------------------------------------------------


def score(state: State) -> Iterator[Fact]:
    """The tracks, the themes, and who won: most points, then most tally marks, then shared (ruling 13)."""
    reckoning = reckoned(state)
    for track in reckoning.tracks:
        yield DeviceScored(*track)
    yield ThemesScored(reckoning.matching, reckoning.theme_points, reckoning.bonus)
    totals = reckoning.totals
    if solitaire(state):
        won = totals[0] >= ALONE_TO_WIN
        yield GameEnded((0,) if won else (), tuple(state.marks), (totals[0] - (0 if won else ALONE_TO_WIN),))
        return
    best = max(zip(totals, state.marks, strict=True))
    winners = tuple(s for s in range(state.seats) if (totals[s], state.marks[s]) == best)
    yield GameEnded(winners, tuple(state.marks), totals)


def outcome(state: State) -> Outcome | None:
    """Who won, once all rounds are over."""
    if state.phase != "over":
        return None
    totals = reckoned(state).totals
    scores = recorded(state, totals)
    if solitaire(state):
        reason = f"{totals[0]} points alone, {ALONE_TO_WIN} are needed"
    elif len(state.winners) > 1:
        reason = "most points, level on tally marks too"
    elif totals.count(max(totals)) > 1:
        reason = "most tally marks of those level on points"
    else:
        reason = "most points"
    return Outcome(tuple(state.winners), scores, reason)


# carrying out -----------------------------------------------------------------------------------------

_FOLLOWING: dict[str, Callable[[State, int, Follow, Pursuit], Iterator[Fact]]] = {
    "travel": follow_travel,
    "tradition": follow_tradition,
    "interview": follow_interview,
    "rearrange": follow_rearrange,
}

_RULES: dict[type[Move], Any] = {
    Place: play_place,
    Travel: play_travel,
    Boat: play_boat,
    Tradition: play_tradition,
    Keep: play_keep,
    Interview: play_interview,
    Weak: play_weak,
    Strong: play_strong,
    Rearrange: play_rearrange,
    Arrange: play_arrange,
    Follow: play_follow,
    Pass: play_pass,
    Leaf: play_leaf,
    End: play_end,
}


def play(state: State, seat: int, move: Move, chance: Chance) -> Iterator[Fact]:
    """Carries out a move that is on offer."""
    return _RULES[type(move)](state, seat, move, chance)


def to_move(state: State) -> tuple[int, ...]:
    """The seat to decide."""
    return () if state.phase == "over" else (state.asking,)


def automatic(state: State, seat: int) -> Move | None:
    """Every seat is a player's."""
    return None
