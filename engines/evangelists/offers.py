"""What a seat may do now: all moves, or a sample, and the sentence that refuses any other."""

from collections.abc import Callable, Iterator
from itertools import combinations

from engines.evangelists.geography import distances, neighbours, within
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
from engines.evangelists.state import (
    EMPTY,
    CodexLeaf,
    Pursuit,
    State,
    empty_slots,
    leaf_of,
    matching,
    slots,
    turn_order,
    witness_here,
)
from engines.kit.offers import Offer, Offers

#: Weak travel, and a boat, go so far; a follower one space.
REACH = 2
MOST_KEPT = 2
FLIPPED = "~"
SIDES = ("left", "right")
ARRANGE_COST = 2

_END = End()
_PASS = Pass()


def _never(move: object) -> None:
    """Refuses nothing."""


def _always(why: str | None) -> Callable[[object], str | None]:
    """Refuses every move of a verb for the same reason, or none."""

    def refusal(move: object) -> str | None:
        return why

    return refusal


# where pawns and boats go -----------------------------------------------------------------------------


def why_not_space(state: State, space: str) -> str | None:
    """The sentence that refuses what is no space of the map."""
    if space in state.components.names:
        return None
    return f"{space!r} is no space of the map; its spaces: {', '.join(state.components.names)}"


def nearest_free(state: State, space: str, origin: str) -> list[str]:
    """The nearest cities without a boat, counted from `space`, when a boat comes there from `origin`."""
    taken = set(state.boats) - {origin}  # ruling 5: the city just left is free
    ways = distances(state.components.lines)[space]
    free = [city for city in state.components.cities if city not in taken]
    nearest = min(ways[city] for city in free)
    return [city for city in free if ways[city] == nearest]


def bumped_to(state: State, origin: str, move: Boat) -> str:
    """Where the boat that is met goes; empty where none is met."""
    if move.space not in state.boats:
        return EMPTY
    return move.bump or nearest_free(state, move.space, origin)[0]


# the active seat --------------------------------------------------------------------------------------


def _travel_offer(state: State, seat: int) -> Offer:
    here = state.pawns[seat]
    near = within(state.components.lines, here, REACH)
    done = "travel" in state.limits

    def why_not(move: Travel) -> str | None:
        if done:
            return "you have travelled this turn: once a turn"
        if state.octagons < 1 + move.strong:
            return _too_dear(state, "a strong travel" if move.strong else "travelling", 1 + move.strong)
        if move.space == here:
            return f"your pawn is at {here} already: travel ends on another space"
        if move.strong and move.space not in state.components.cities:
            return why_not_space(state, move.space) or (
                f"a strong travel ends in a city, and {move.space} is a waypoint; "
                f"the cities: {', '.join(state.components.cities)}"
            )
        if not move.strong and move.space not in near:
            return why_not_space(state, move.space) or (
                f"{move.space} is {distances(state.components.lines)[here][move.space]} spaces away; travel goes "
                f"{REACH} at most, or with `strong` to any city"
            )
        return None

    def moves() -> Iterator[Travel]:
        if not done and state.octagons:
            yield from map(Travel, near)
            if state.octagons > 1:
                yield from (Travel(city, strong=True) for city in state.components.cities if city != here)

    return Offer(Travel, "travel SPACE, travel CITY strong", why_not, moves)


def _too_dear(state: State, what: str, cost: int) -> str:
    return f"{what} takes {cost} octagon{'s' if cost > 1 else ''}, and you have {state.octagons} left"


def _boat_offer(state: State, seat: int) -> Offer:
    here = state.pawns[seat]
    near = within(state.components.lines, here, REACH)
    why = None
    if "boat" in state.limits:
        why = "you have sailed this turn: a boat moves once a turn"
    elif here not in state.boats:
        why = f"no boat lies at {here}; the boats are at {', '.join(sorted(state.boats))}"
    bumps = {} if why else {space: nearest_free(state, space, here) for space in near if space in state.boats}

    def why_not(move: Boat) -> str | None:
        if why:
            return why
        if move.space == here:
            return f"the boat lies at {here} already: it ends on another space"
        if move.space not in near:
            return (
                why_not_space(state, move.space) or f"a boat goes {REACH} spaces at most; {move.space} is farther"
            )
        ends = bumps.get(move.space)
        if ends is None:
            return f"no boat lies at {move.space}, so none is bumped" if move.bump else None
        if move.bump not in ends and (move.bump or len(ends) > 1):
            return f"a boat lies at {move.space}: say where it goes, bump " + " or bump ".join(ends)
        return None

    def moves() -> Iterator[Boat]:
        for space in () if why else near:
            ends = bumps.get(space, ())
            if len(ends) > 1:
                yield from (Boat(space, city) for city in ends)
            else:
                yield Boat(space)

    # where one city is nearest, naming it is as good as leaving it out
    complete = all(len(ends) > 1 for ends in bumps.values())
    return Offer(Boat, "boat SPACE [bump CITY]", why_not, moves, complete)


def _tradition_offer(state: State, seat: int) -> Offer:
    here = state.pawns[seat]
    why = None
    if here not in state.components.cities:
        why = f"{here} is a waypoint: traditions are told in cities"
    elif f"tradition {here}" in state.limits:
        why = f"you have looked in {here} this turn: once a city a turn"
    elif not state.traditions[here]:
        why = f"no tradition is left in {here}"
    elif not state.octagons:
        why = _too_dear(state, "looking", 1)
    return Offer(Tradition, "tradition", _always(why), lambda: () if why else (Tradition(),))


def _interview_offer(state: State, seat: int) -> Offer:
    witness = witness_here(state, seat)
    why = None
    if not witness:
        why = f"{state.pawns[seat]} is a waypoint: witnesses live in cities"
    elif witness in state.interviews[seat]:
        why = f"you hold {witness}'s interview card: a witness is interviewed once a game"
    elif not state.interview_cards[witness]:
        why = f"no interview card of {witness} is left"
    elif not state.octagons:
        why = _too_dear(state, "an interview", 1)
    return Offer(Interview, "interview", _always(why), lambda: () if why else (Interview(),))


def _rearrange_offers(state: State, seat: int) -> Iterator[Offer]:
    codex = state.codices[seat]
    done = "you have rearranged this turn: once a turn" if "rearrange" in state.limits else None
    weak = done or (None if state.octagons else _too_dear(state, "rearranging", 1))
    strong = done or (
        None if state.octagons >= ARRANGE_COST else _too_dear(state, "a new order of all leaves", ARRANGE_COST)
    )

    def why_not(move: Rearrange) -> str | None:
        return weak or why_not_shifted(codex, move.leaf, move.to, move.flip)

    yield Offer(
        Rearrange,
        "rearrange LEAF to N, rearrange LEAF flip",
        why_not,
        lambda: () if weak else (Rearrange(leaf, to, flip) for leaf, to, flip in shifts(codex)),
    )

    def why_not_all(move: Arrange) -> str | None:
        return strong or why_not_arranged(codex, move.leaves)

    yield Offer(
        Arrange,
        "arrange LEAVES (the whole new order, ~ flips: c a~ b)",
        why_not_all,
        lambda: () if strong else map(Arrange, dict.fromkeys(arrangements(codex))),
        complete=bool(strong),
    )


def shifts(codex: list[CodexLeaf]) -> Iterator[tuple[str, int, bool]]:
    """All that one weak rearrangement can do, as leaf, place, flip."""
    for place, leaf in enumerate(codex, 1):
        for to in range(1, len(codex) + 1):
            if to != place:
                yield leaf.name, to, False
        if leaf.slots[0] != leaf.slots[1]:
            yield leaf.name, 0, True


def why_not_shifted(codex: list[CodexLeaf], name: str, to: int, flip: bool) -> str | None:
    """The sentence that refuses a weak rearrangement, or None."""
    leaf = leaf_of(codex, name)
    if leaf is None:
        return f"you have no leaf {name!r}; your leaves: {' '.join(leaf.name for leaf in codex)}"
    if flip == bool(to):
        return f"say what happens to leaf {name}: `to N`, its new place from the left, or `flip`"
    if flip:
        return None if leaf.slots[0] != leaf.slots[1] else f"leaf {name} is empty: flipping it changes nothing"
    if to > len(codex):
        return f"you have {len(codex)} leaves: `to` is a place from 1 to {len(codex)}"
    return f"leaf {name} is at place {to} already" if codex[to - 1] is leaf else None  # ruling 9


def arrangements(codex: list[CodexLeaf]) -> Iterator[tuple[str, ...]]:
    """A sample of new orders: two leaves exchanged, each with one of them flipped as well; the reverse."""
    names = [leaf.name for leaf in codex]
    full = {leaf.name for leaf in codex if leaf.slots[0] != leaf.slots[1]}
    for one, other in combinations(range(len(names)), 2):
        order = list(names)
        order[one], order[other] = order[other], order[one]
        yield tuple(order)
        if order[one] in full:
            order[one] += FLIPPED
            yield tuple(order)
    if full:
        yield tuple(name + FLIPPED if name in full else name for name in reversed(names))


def why_not_arranged(codex: list[CodexLeaf], order: tuple[str, ...]) -> str | None:
    """The sentence that refuses a new order of all leaves, or None."""
    names = [leaf.name for leaf in codex]
    flipped = {name[:-1] for name in order if name.endswith(FLIPPED)}
    bare = [name[:-1] if name.endswith(FLIPPED) else name for name in order]
    if sorted(bare) != sorted(names):
        return f"name each of your leaves once, in the new order; now they lie {' '.join(names)}"
    changes = bare != names or any(leaf.name in flipped and leaf.slots[0] != leaf.slots[1] for leaf in codex)
    return None if changes else "that is how your leaves lie now: a new order changes something"  # ruling 9


def _end_offer(due: str | None = None) -> Offer:
    return Offer(End, "end", _always(due), lambda: () if due else (_END,))


def _turn_offers(state: State, seat: int) -> Offers:
    return (
        _travel_offer(state, seat),
        _boat_offer(state, seat),
        _tradition_offer(state, seat),
        _interview_offer(state, seat),
        *_rearrange_offers(state, seat),
        _end_offer(),
    )


# what an action still asks ----------------------------------------------------------------------------


def _keep_offers(state: State, seat: int) -> Offers:
    cards = state.traditions[state.pawns[seat]]
    most = min(MOST_KEPT, 1 + state.octagons)

    def why_not(move: Keep) -> str | None:
        return why_not_kept(state, seat, move.cards) or why_not_open(state, seat, move)

    return (
        Offer(
            Keep,
            "keep [CARD:SLOT [CARD:SLOT]] [open CARD]",
            why_not,
            lambda: keeps(state, seat),
            complete=most < MOST_KEPT and len(cards) > MOST_KEPT,
        ),
        _end_offer("say first what you keep: `keep CARD:SLOT open CARD`, or `keep open CARD` for none"),
    )


def keeps(state: State, seat: int) -> Iterator[Keep]:
    """Ways to keep: none, or one card anywhere; of two cards each pair in the first two empty slots."""
    cards = state.traditions[state.pawns[seat]]
    free = empty_slots(state.codices[seat])
    yield from (Keep((), card) for card in cards)
    for card in cards:
        rest = [other for other in cards if other != card] or [EMPTY]
        yield from (Keep((f"{card}:{slot}",), opened) for slot in free for opened in rest)
    if state.octagons and len(free) > 1:
        for one, other in combinations(cards, 2):
            rest = [card for card in cards if card not in (one, other)] or [EMPTY]
            for left, right in ((one, other), (other, one)):
                yield from (Keep((f"{left}:{free[0]}", f"{right}:{free[1]}"), opened) for opened in rest)


def why_not_kept(state: State, seat: int, named: tuple[str, ...]) -> str | None:
    """The sentence that refuses the cards and slots of a `keep`, or None."""
    cards = state.traditions[state.pawns[seat]]
    if len(named) > MOST_KEPT:
        return f"two cards can be kept at most, not {len(named)}"
    if len(named) == MOST_KEPT and not state.octagons:
        return "a second card takes another octagon, and you have none left"
    taken: list[str] = []
    for text in named:
        card, colon, slot = text.partition(":")
        if not colon:
            return f"{text!r} is no card with its slot: write it like {cards[0]}:a2"
        if card not in cards:
            return f"{card!r} is none of the cards you look at: {' '.join(cards)}"
        if card in taken or slot in taken:
            return f"{card if card in taken else slot} is named twice"
        why = why_not_slot(state.codices[seat], slot)
        if why:
            return why
        taken += [card, slot]
    return None


def why_not_slot(codex: list[CodexLeaf], slot: str) -> str | None:
    """The sentence that refuses a slot for a card, or None."""
    free = empty_slots(codex)
    if slot in free:
        return None
    known = slots(codex)
    left = f"; empty: {' '.join(free) or 'none'}"
    return (f"slot {slot} holds {known[slot]}" if slot in known else f"{slot!r} is no slot of your leaves") + left


def why_not_open(state: State, seat: int, move: Keep) -> str | None:
    """The sentence that refuses the card of a `keep` that is to lie open, or None (ruling 4)."""
    kept = [named.partition(":")[0] for named in move.cards]
    rest = [card for card in state.traditions[state.pawns[seat]] if card not in kept]
    if not rest:
        return "no card goes back: leave `open` out" if move.open_ else None
    if move.open_ in rest or (not move.open_ and len(rest) == 1):
        return None
    return f"name one of the cards that go back to lie open: {', '.join('open ' + card for card in rest)}"


def returned_open(state: State, city: str, kept: list[str], named: str) -> str:
    """The card that lies open when the others go back; of one card there is no choice."""
    rest = [card for card in state.traditions[city] if card not in kept]
    return named or (rest[0] if rest else EMPTY)


def _strength_offers(state: State, seat: int) -> Offers:
    return (
        Offer(Weak, "weak", _never, lambda: (Weak(),)),
        Offer(Strong, "strong", _never, lambda: (Strong(),)),
        _end_offer("say first how strong the interview is: `weak`, or `strong` for another octagon"),
    )


# follows ----------------------------------------------------------------------------------------------


def follow_order(state: State, pursuit: Pursuit) -> list[int]:
    """The seats that can follow: clockwise; a tradition's nearest to the active pawn first (ruling 8)."""
    order = [seat for seat in turn_order(state, state.turn)[1:] if can_follow(state, seat, pursuit)]
    if pursuit.action == "tradition":
        ways = distances(state.components.lines)[state.pawns[state.turn]]
        order.sort(key=lambda seat: ways[state.pawns[seat]])
    return order


def can_follow(state: State, seat: int, pursuit: Pursuit) -> bool:
    """Whether a seat can pay and its follow would do something."""
    if not pursuit.strong and not state.tokens[seat]:
        return False
    if pursuit.action == "tradition":
        return bool(empty_slots(state.codices[seat])) and any(card in state.twins for card in pursuit.cards)
    if pursuit.action == "interview":
        return pursuit.witness in state.interviews[seat] or matching(state, seat, pursuit.witness) > 0
    return True  # a pawn has a space beside it, and three leaves can always change places


def _follow_offers(state: State, seat: int) -> Offers:
    pursuit = state.pursuit
    assert pursuit is not None
    pattern, why_not, moves = _FOLLOWS[pursuit.action](state, seat, pursuit)
    return Offer(Follow, pattern, why_not, moves), Offer(Pass, "pass", _never, lambda: (_PASS,))


_Following = tuple[str, Callable[[Follow], str | None], Callable[[], Iterator[Follow]]]


def _misread(move: Follow, usage: str, words: int) -> str | None:
    """The sentence that refuses a follow of another shape than `usage`."""
    if len(move.what) == words and not move.to and not move.flip:
        return None
    return f"this action is followed by `{usage}`"


def _follow_travel(state: State, seat: int, pursuit: Pursuit) -> _Following:
    beside = neighbours(state.components.lines)[state.pawns[seat]]

    def why_not(move: Follow) -> str | None:
        why = _misread(move, "follow SPACE", 1) or why_not_space(state, move.what[0])
        if why or move.what[0] in beside:
            return why
        return f"a follower moves one space: {', '.join(beside)}"

    return "follow SPACE (one space)", why_not, lambda: (Follow((space,)) for space in beside)


def _follow_tradition(state: State, seat: int, pursuit: Pursuit) -> _Following:
    cards = [card for card in pursuit.cards if card in state.twins]

    def why_not(move: Follow) -> str | None:
        why = _misread(move, "follow CARD:SLOT", 1)
        if why:
            return why
        card, colon, slot = move.what[0].partition(":")
        if not colon:
            return f"{move.what[0]!r} is no card with its slot: write it like {cards[0]}:a2"
        if card not in cards:
            return f"a copy of {' or '.join(cards)} can be taken, not of {card!r}"
        return why_not_slot(state.codices[seat], slot)

    def moves() -> Iterator[Follow]:
        return (Follow((f"{card}:{slot}",)) for card in cards for slot in empty_slots(state.codices[seat]))

    return "follow CARD:SLOT", why_not, moves


def _follow_interview(state: State, seat: int, pursuit: Pursuit) -> _Following:
    return "follow", lambda move: _misread(move, "follow", 0), lambda: iter((Follow(()),))


def _follow_rearrange(state: State, seat: int, pursuit: Pursuit) -> _Following:
    codex = state.codices[seat]

    def why_not(move: Follow) -> str | None:
        if len(move.what) != 1:
            return "this action is followed by `follow LEAF to N` or `follow LEAF flip`"
        return why_not_shifted(codex, move.what[0], move.to, move.flip)

    def moves() -> Iterator[Follow]:
        return (Follow((leaf,), to, flip) for leaf, to, flip in shifts(codex))

    return "follow LEAF to N, follow LEAF flip", why_not, moves


_FOLLOWS: dict[str, Callable[[State, int, Pursuit], _Following]] = {
    "travel": _follow_travel,
    "tradition": _follow_tradition,
    "interview": _follow_interview,
    "rearrange": _follow_rearrange,
}


# set-up and growth ------------------------------------------------------------------------------------


def _place_offers(state: State, seat: int) -> Offers:
    free = [city for city in state.components.cities if city not in state.pawns]

    def why_not(move: Place) -> str | None:
        if move.city in free:
            return None
        if move.city in state.pawns:
            return f"another pawn is in {move.city}; free: {', '.join(free)}"
        return f"{move.city!r} is no city; pawns begin in one of {', '.join(free)}"

    return (Offer(Place, "place CITY", why_not, lambda: map(Place, free)),)


def _growth_offers(state: State, seat: int) -> Offers:
    def why_not(move: Leaf) -> str | None:
        return (
            None if move.side in SIDES else f"a leaf is added at the left or the right end, not at {move.side!r}"
        )

    return (Offer(Leaf, "leaf left, leaf right", why_not, lambda: map(Leaf, SIDES)),)


_OFFERS: dict[str, Callable[[State, int], Offers]] = {
    "place": _place_offers,
    "turn": _turn_offers,
    "keep": _keep_offers,
    "strength": _strength_offers,
    "follow": _follow_offers,
    "growth": _growth_offers,
}


def offers(state: State, seat: int) -> Offers:
    """What `seat`, who is to decide, may do."""
    return _OFFERS[state.phase](state, seat)
