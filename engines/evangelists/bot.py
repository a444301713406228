"""A player better than chance: plans its turn ahead, follows when it pays, puts its leaves in order at the end."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from engines.evangelists.geography import distances, within
from engines.evangelists.moves import (
    Arrange,
    Boat,
    End,
    Follow,
    Interview,
    Keep,
    Leaf,
    Place,
    Rearrange,
    Strong,
    Tradition,
    Travel,
    Weak,
)
from engines.evangelists.offers import FLIPPED, REACH
from engines.evangelists.prospects import Heard, Pages, Prospects
from engines.evangelists.state import State, back, gospel, is_back, matching
from engines.kit.chance import Chance
from engines.kit.notation import Move
from engines.kit.search import Aid

#: What a place near good things is worth, by the octagons it takes to get there.
_WAY = (0.5, 0.38, 0.25)
#: Of two cards chosen among four, each is better than the average one by so much.
_CHOICE = 1.5
#: So many ways to keep are thought through; in company a slip costs less, and time more.
_LIKELY, _LIKELY_AMONG_OTHERS = 40, 6
#: What a follow token is worth in the first round, falling to nothing.
_TOKEN = 2.0


class Stand(NamedTuple):
    """Where a turn has come to: the pawn, the boats, octagons, what was done, codex and interviews."""

    pawn: str
    boats: tuple[str, ...]
    octagons: int
    done: frozenset[str]
    pages: Pages
    heard: Heard
    hope: float = 0.0


class Planner:
    """One decision: the seat's view, and what everything in it is worth."""

    def __init__(self, view: State, seat: int) -> None:
        self.view, self.seat = view, seat
        self.prospects = Prospects(view, seat)
        self.lines = view.components.lines
        self.ways = distances(self.lines)
        self.here = self.stand()
        self._row = sorted(gospel(view, seat), key=lambda card: card.number)
        self._now = self.prospects.value(self._row, self.here.heard, self.here.pages)
        self._gains: dict[str, float] = {}
        self._appeal: dict[str, float] = {}
        self._best: dict[Stand, float] = {}
        self._shifts: dict[tuple[Pages, Heard], tuple[Move, Pages]] = {}
        self._settled: dict[tuple[Pages, Heard, str], Pages] = {}
        self._places: dict[tuple[str, frozenset[str]], float] = {}

    def stand(self) -> Stand:
        """Where the turn has come to in the view."""
        view, seat = self.view, self.seat
        return Stand(
            view.pawns[seat],
            tuple(sorted(view.boats)),
            view.octagons if view.turn == seat else 0,
            frozenset(view.limits),
            tuple((leaf.name, leaf.slots[0], leaf.slots[1]) for leaf in view.codices[seat]),
            Heard(tuple(view.interviews[seat]), view.marks[seat]),
        )

    # what cards and places promise --------------------------------------------------------------------

    def gain(self, card: str) -> float:
        """What one more card would add; of a back, what the cards with it add on average."""
        known = self._gains.get(card)
        if known is None:
            if is_back(card):
                pool = [self.gain(name) for name in self.unseen() if back(self.view.components, name) == card]
                known = sum(pool) / len(pool) + _CHOICE if pool else 0.0
            else:
                cards = sorted([*self._row, self.view.components.traditions[card]], key=lambda card: card.number)
                known = self.prospects.value(cards, self.here.heard, self.here.pages) - self._now
            self._gains[card] = known
        return known

    def unseen(self) -> list[str]:
        """The traditions whose place the seat does not know."""
        view = self.view
        seen = {card for cards in view.traditions.values() for card in cards}
        seen.update(card for codex in view.codices for leaf in codex for card in leaf.slots)
        return [card for card in view.components.traditions if card not in seen]

    def haul(self, city: str, count: int) -> float:
        """What the best `count` cards of a city would add."""
        gains = sorted((self.gain(card) for card in self.view.traditions[city]), reverse=True)
        return sum(gains[:count])

    def appeal(self, city: str) -> float:
        """What a visit to a city in a later turn is good for."""
        if self.prospects.final:
            return 0.0
        known = self._appeal.get(city)
        if known is None:
            known = self._appeal[city] = self._visit(city)
        return known

    def _visit(self, city: str) -> float:
        free = sum(not card for page in self.here.pages for card in page[1:])
        witness = self.view.components.hosts[city]
        interview = 0.0
        if self.prospects.open_to(witness, self.here.heard):
            interview = matching(self.view, self.seat, witness) * self.prospects.each_mark(witness)
        return self.haul(city, min(2, free)) + interview

    def place(self, space: str, done: frozenset[str]) -> float:
        """What it is worth to end a turn on a space."""
        key = (space, done)
        known = self._places.get(key)
        if known is None:
            ways = self.ways[space]
            known = max(
                self.appeal(city)
                * _WAY[min((ways[city] + REACH - 1) // REACH, len(_WAY) - 1)]
                * (0.5 if f"tradition {city}" in done else 1.0)
                for city in self.view.components.cities
            )
            self._places[key] = known
        return known

    # planning a turn ----------------------------------------------------------------------------------

    def best(self, stand: Stand) -> float:
        """What the best way to go on from here leads to."""
        known = self._best.get(stand)
        if known is None:
            known = self.rest(stand)
            for _, later in self.ahead(stand):
                known = max(known, self.best(later))
            self._best[stand] = known
        return known

    def rest(self, stand: Stand) -> float:
        """What it is worth to end the turn here."""
        return self.prospects.worth(stand.pages, stand.heard) + stand.hope + self.place(stand.pawn, stand.done)

    def settle(self, stand: Stand) -> float:
        """What codex and interviews are worth, wherever the pawn stands."""
        return self.prospects.worth(stand.pages, stand.heard)

    def ahead(self, stand: Stand) -> Iterator[tuple[Move, Stand]]:
        """The moves that are worth a thought, and where they lead."""
        yield from self._sailing(stand)
        if stand.octagons:
            yield from self._travelling(stand)
            yield from self._telling(stand)
            yield from self._hearing(stand)
            yield from self._ordering(stand)

    def _travelling(self, stand: Stand) -> Iterator[tuple[Move, Stand]]:
        if "travel" in stand.done:
            return
        done = stand.done | {"travel"}
        near = self.worth_a_trip(stand, stand.boats if "boat" not in stand.done else ())
        for space in near:
            yield Travel(space), stand._replace(pawn=space, octagons=stand.octagons - 1, done=done)
        if stand.octagons > 1:
            for city in self.view.components.cities:
                if city != stand.pawn and city not in near:
                    later = stand._replace(pawn=city, octagons=stand.octagons - 2, done=done)
                    yield Travel(city, strong=True), later

    def worth_a_trip(self, stand: Stand, boats: Sequence[str]) -> list[str]:
        """Cities near by, the waypoints with a boat, and the one waypoint that is best to end a turn on."""
        near = within(self.lines, stand.pawn, REACH)
        cities = self.view.components.cities
        waypoints = [space for space in near if space not in cities and space not in boats]
        best = max(waypoints, key=lambda space: self.place(space, stand.done), default=None)
        return [space for space in near if space in cities or space in boats or space == best]

    def _sailing(self, stand: Stand) -> Iterator[tuple[Move, Stand]]:
        if "boat" in stand.done or stand.pawn not in stand.boats:
            return
        left = [boat for boat in stand.boats if boat != stand.pawn]
        for space in self.worth_a_trip(stand, ()):
            if space not in left:  # nobody is bumped in a plan
                boats = tuple(sorted([*left, space]))
                yield Boat(space), stand._replace(pawn=space, boats=boats, done=stand.done | {"boat"})

    def _telling(self, stand: Stand) -> Iterator[tuple[Move, Stand]]:
        city = stand.pawn
        cards = self.view.traditions.get(city, ())
        limit = f"tradition {city}"
        free = sum(not card for page in stand.pages for card in page[1:])
        if not cards or limit in stand.done or not free:
            return
        later = stand._replace(octagons=stand.octagons - 1, done=stand.done | {limit})
        if any(is_back(card) for card in cards):
            yield Tradition(), later._replace(hope=stand.hope + self.haul(city, 1))
            if later.octagons and free > 1:
                both = later._replace(octagons=later.octagons - 1, hope=stand.hope + self.haul(city, 2))
                yield Tradition(), both
        else:
            for _, kept in self.keeping(later, cards):
                yield Tradition(), kept

    def keeping(
        self, stand: Stand, cards: Sequence[str], *, wide: bool = False
    ) -> Iterator[tuple[tuple[str, ...], Stand]]:
        """Cards that may be kept: none, each one in its best slot, each pair one after the other.

        :param wide: the last card named may go into any slot
        """
        yield (), stand
        free = sum(not card for page in stand.pages for card in page[1:])
        if not free:
            return
        for one in cards:
            first = self.settled(stand.pages, stand.heard, one)
            for pages in placed(stand.pages, one) if wide else (first,):
                yield (spelt(stand.pages, pages),), stand._replace(pages=pages)
            if not stand.octagons or free == 1:
                continue
            for other in cards:
                if other != one:
                    second = self.settled(first, stand.heard, other)
                    for pages in placed(first, other) if wide else (second,):
                        named = (spelt(stand.pages, first), spelt(first, pages))
                        yield named, stand._replace(pages=pages, octagons=stand.octagons - 1)

    def settled(self, pages: Pages, heard: Heard, card: str) -> Pages:
        """The codex with a card in the slot where it is worth most."""
        key = (pages, heard, card)
        known = self._settled.get(key)
        if known is None:
            known = max(placed(pages, card), key=lambda later: self.prospects.worth(later, heard))
            self._settled[key] = known
        return known

    def _hearing(self, stand: Stand) -> Iterator[tuple[Move, Stand]]:
        witness = self.view.components.hosts.get(stand.pawn, "")
        if not witness or not self.prospects.open_to(witness, stand.heard):
            return
        for strong in (False, True):
            if stand.octagons > strong:
                yield Interview(), self.told(stand, witness, strong)._replace(octagons=stand.octagons - 1 - strong)

    def told(self, stand: Stand, witness: str, strong: bool) -> Stand:
        """The stand after an interview, with the marks to be expected."""
        known = self.view.components.traditions
        cards = sum(witness in known[card].witnesses for page in stand.pages for card in page[1:] if card)
        marks = cards * self.prospects.each_mark(witness, strong)
        held = stand.heard.witnesses
        return stand._replace(
            heard=Heard(held if witness in held else (*held, witness), stand.heard.marks + marks)
        )

    def _ordering(self, stand: Stand) -> Iterator[tuple[Move, Stand]]:
        early = self.view.rounds - 1 if self.prospects.alone else self.view.rounds
        if "rearrange" in stand.done or self.view.round < early:
            return
        done = stand.done | {"rearrange"}
        move, pages = self.shift(stand.pages, stand.heard)
        yield move, stand._replace(pages=pages, octagons=stand.octagons - 1, done=done)
        if stand.octagons > 1:
            order = self.prospects.arranged(stand.pages, stand.heard)
            if order != stand.pages:
                yield (
                    ordered(stand.pages, order),
                    stand._replace(pages=order, octagons=stand.octagons - 2, done=done),
                )

    def shift(self, pages: Pages, heard: Heard) -> tuple[Move, Pages]:
        """The best weak rearrangement."""
        key = (pages, heard)
        known = self._shifts.get(key)
        if known is None:
            known = max(shifted(pages), key=lambda one: self.prospects.worth(one[1], heard))
            self._shifts[key] = known
        return known

    # decisions ----------------------------------------------------------------------------------------

    def turn(self) -> Move:
        """The first move of the best plan."""
        choice: Move = End()
        most = self.rest(self.here)
        for move, later in self.ahead(self.here):
            value = self.best(later)
            if value > most + 1e-9:
                choice, most = move, value
        return choice

    def keep(self) -> Move:
        """The cards to keep; of those that go back, the one that is least use to us lies open."""
        city = self.here.pawn
        cards = self.view.traditions[city]
        alone = self.prospects.alone
        ways = self.keeping(self.here, cards, wide=alone)
        likely = sorted(ways, key=lambda way: self.prospects.worth(way[1].pages, way[1].heard), reverse=True)
        named, _ = max(
            (*likely[: _LIKELY if alone else _LIKELY_AMONG_OTHERS], ((), self.here)),
            key=lambda way: self.best(way[1]),
        )
        rest = [card for card in cards if all(card != name.partition(":")[0] for name in named)]
        return Keep(named, min(rest, key=self.gain) if rest else "")

    def strength(self) -> Move:
        """Weak or strong, whatever the octagon is better used for."""
        witness = self.view.interviewing
        weak = self.best(self.told(self.here, witness, strong=False))
        paid = self.here._replace(octagons=self.here.octagons - 1)
        return Strong() if self.best(self.told(paid, witness, strong=True)) > weak else Weak()

    def follow(self, moves: Sequence[Move]) -> Move:
        """The follow that adds most, if it adds more than its token is worth."""
        pursuit = self.view.pursuit
        assert pursuit is not None
        left = (self.view.rounds - self.view.round) / self.view.rounds
        price = 0.0 if pursuit.strong else _TOKEN * left
        worth = self.rest if pursuit.action == "travel" else self.settle
        choice, most = moves[-1], worth(self.here) + price
        for move in moves:
            if isinstance(move, Follow):
                value = worth(self.followed(move, pursuit.action, pursuit.witness))
                if value > most:
                    choice, most = move, value
        return choice

    def followed(self, move: Follow, action: str, witness: str) -> Stand:
        """The stand after a follow."""
        here = self.here
        if action == "travel":
            return here._replace(pawn=move.what[0])
        if action == "tradition":
            card, slot = move.what[0].split(":")
            return here._replace(pages=filled(here.pages, card, slot))
        if action == "interview":
            marks = matching(self.view, self.seat, witness) + 2 * (witness in here.heard.witnesses)
            return here._replace(heard=here.heard._replace(marks=here.heard.marks + marks))
        wanted = (move.what[0], move.to, move.flip)
        pages = next(p for m, p in shifted(here.pages) if (m.leaf, m.to, m.flip) == wanted)
        return here._replace(pages=pages)

    def growth(self) -> Move:
        """The end at which the row of numbers has more room."""
        numbers = [
            self.view.components.traditions[card].number for page in self.here.pages for card in page[1:] if card
        ]
        last = len(self.view.components.traditions)
        return Leaf("left" if numbers and numbers[0] - 1 > last - numbers[-1] else "right")


def placed(pages: Pages, card: str) -> Iterator[Pages]:
    """The codex with a card in each of its empty slots."""
    for place, (name, left, right) in enumerate(pages):
        if not left:
            yield (*pages[:place], (name, card, right), *pages[place + 1 :])
        if not right:
            yield (*pages[:place], (name, left, card), *pages[place + 1 :])


def filled(pages: Pages, card: str, slot: str) -> Pages:
    """The codex with a card in one slot."""
    return tuple(
        page if page[0] != slot[0] else (page[0], card, page[2]) if slot[1] == "1" else (page[0], page[1], card)
        for page in pages
    )


def spelt(before: Pages, after: Pages) -> str:
    """The card that came into a slot, as it is typed."""
    for (name, left, right), (_, to_left, to_right) in zip(before, after, strict=True):
        if left != to_left:
            return f"{to_left}:{name}1"
        if right != to_right:
            return f"{to_right}:{name}2"
    raise AssertionError("no card was placed")


def shifted(pages: Pages) -> Iterator[tuple[Rearrange, Pages]]:
    """All weak rearrangements."""
    for place, (name, left, right) in enumerate(pages):
        rest = pages[:place] + pages[place + 1 :]
        for to in range(len(pages)):
            if to != place:
                yield Rearrange(name, to + 1), (*rest[:to], pages[place], *rest[to:])
        if left != right:
            yield Rearrange(name, flip=True), (*rest[:place], (name, right, left), *rest[place:])


def ordered(before: Pages, after: Pages) -> Arrange:
    """The move that makes one order of another."""
    lay = {page[0]: page for page in before}
    return Arrange(tuple(page[0] if lay[page[0]] == page else page[0] + FLIPPED for page in after))


def greedy(view: State, seat: int, moves: Sequence[Move], chance: Chance) -> Move:
    """Chooses by what the rest of the turn can come to."""
    if len(moves) == 1:
        return moves[0]
    planner = Planner(view, seat)
    if view.phase == "place":
        return max(moves, key=lambda move: planner.appeal(move.city) if isinstance(move, Place) else 0.0)
    if view.phase == "keep":
        return planner.keep()
    if view.phase == "strength":
        return planner.strength()
    if view.phase == "follow":
        return planner.follow(moves)
    if view.phase == "growth":
        return planner.growth()
    return planner.turn()


BOTS = {"greedy": greedy}


def standings(state: State) -> list[float]:
    """What each seat's gospel, interviews and place are worth."""
    planners = [Planner(state, seat) for seat in range(state.seats)]
    return [planner.rest(planner.here) for planner in planners]


def clock(state: State) -> int:
    """The turns so far."""
    return state.round * state.seats + (state.turn - state.first) % state.seats


AID = Aid(standings, clock, stray=0, patience=50, doubt=2.0)
