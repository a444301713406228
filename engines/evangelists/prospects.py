"""What a gospel promises: the points it has, and what half-made devices may still become.

The bot's sense of worth. In the last round nothing is promised any more and points alone count.
"""

from collections.abc import Iterator, Sequence
from itertools import chain, combinations
from operator import mul
from typing import NamedTuple

from engines.evangelists.components import Tradition
from engines.evangelists.scoring import (
    ALONE,
    ALONE_THEME,
    DEVICES,
    FEWEST_FOR_EMPHASIS,
    FEWEST_IN_A_RUN,
    THEME_BONUS,
    chiasm,
    chronology,
    fixed,
    ladder,
    shared_spaces,
)
from engines.evangelists.state import BLACK, OCTAGONS, WHITE, State, gospel, solitaire

#: A leaf as name, left and right card; a codex from left to right.
Page = tuple[str, str, str]
Pages = tuple[Page, ...]

#: What a count of matching cards, and a run of rising numbers, is about worth.
_THEME = (0.0, 4.0, 7.0, 10.0, 14.0, 20.0, 20.5)
_RISING = (0.0, 1.0, 3.0, 6.0, 8.5, 11.5, 15.0, 15.5, 16.0, 16.5)
_CHIASM = (0.0, 8.0, 11.0, 15.0)
#: Each further inclusio or emphasis adds so much.
_RUNGS = (8.0, 3.0, 4.0)
#: How near a motif on none, one.. four cards is to an emphasis.
_MOTIF = (0.0, 0.16, 0.41, 0.69, 1.0)
#: How near a run of one, two, three of the same witness is to an inclusio, with and without the card.
_RUN = (0.0, 0.15, 0.45, 1.0)
_NOT_HEARD = 0.7
#: What an interview costs, with the way there; how sure one may be of getting round to it.
_INTERVIEW_COST = 3.0
_SURE = 0.8


class Heard(NamedTuple):
    """What a seat has of its interviews: whose cards, and how many tally marks."""

    witnesses: tuple[str, ...]
    marks: float


class Prospects:
    """The worth of gospels for one seat, as it sees the game."""

    def __init__(self, view: State, seat: int) -> None:
        self.view, self.seat = view, seat
        self.theme = view.themes[seat]
        self.traditions = view.components.traditions
        self.alone = solitaire(view)
        self.final = view.round == view.rounds
        self.octagons_to_come = OCTAGONS * (view.rounds - view.round)
        others = [other for other in range(view.seats) if other != seat] if self.final else []
        cards = [gospel(view, other) for other in others]
        self.rivals = {
            device: [value_of(cards[place], view.interviews[other]) for place, other in enumerate(others)]
            for device, value_of in DEVICES.items()
        }
        self.rival_themes = [
            sum(view.themes[other] in card.themes for card in cards[place]) for place, other in enumerate(others)
        ]
        white, black = view.bag[WHITE], view.bag[BLACK]
        self.alive = white / (white + black)
        self._each = {witness: self.each_mark(witness) for witness in view.discs}
        self._worth: dict[tuple[Pages, Heard], float] = {}
        self._arranged: dict[tuple[Pages, Heard], Pages] = {}

    def worth(self, pages: Pages, heard: Heard) -> float:
        """What a codex with these interviews is worth."""
        key = (pages, heard)
        known = self._worth.get(key)
        if known is None:
            cards = [self.traditions[card] for page in pages for card in page[1:] if card]
            known = self._worth[key] = self.value(cards, heard, pages)
        return known

    def value(self, cards: Sequence[Tradition], heard: Heard, pages: Pages) -> float:
        """What a row of cards is worth; `pages` say how many slots are left."""
        return self.points(cards, heard) if self.final else self.promise(cards, heard, pages)

    def points(self, cards: Sequence[Tradition], heard: Heard) -> float:
        """The points if the game ended now."""
        total = heard.marks
        matching = sum(self.theme in card.themes for card in cards)
        for device, value_of in DEVICES.items():
            value = value_of(cards, heard.witnesses)
            if self.alone:
                total += fixed(ALONE[device], value)
            else:
                values = (value, *self.rivals[device])
                total += ladder(values)[0] - shared_spaces(values)[0]
        total += fixed(ALONE_THEME, matching) if self.alone else ladder((matching, *self.rival_themes))[0]
        return total + (THEME_BONUS if matching and matching * 2 >= len(cards) else 0)

    def promise(self, cards: Sequence[Tradition], heard: Heard, pages: Pages) -> float:
        """Points, and a share of those that are half made."""
        matching = 0
        motifs: dict[str, int] = {}
        witnesses: dict[str, int] = {}
        longest: dict[str, int] = {}
        runs: dict[str, int] = {}
        for card in cards:
            matching += self.theme in card.themes
            for motif in card.motifs:
                motifs[motif] = motifs.get(motif, 0) + 1
            runs = {witness: runs.get(witness, 0) + 1 for witness in card.witnesses}
            for witness, run in runs.items():
                witnesses[witness] = witnesses.get(witness, 0) + 1
                if run > longest.get(witness, 0):
                    longest[witness] = run
        full = sorted((_MOTIF[min(count, FEWEST_FOR_EMPHASIS)] for count in motifs.values()), reverse=True)
        near = sorted((self._near(witness, run, heard) for witness, run in longest.items()), reverse=True)
        return (
            heard.marks
            + _THEME[min(matching, len(_THEME) - 1)]
            + sum(map(mul, _RUNGS, full))
            + sum(map(mul, _RUNGS, near))
            + _RISING[chronology(cards) or min(2, len(cards))]
            + _CHIASM[min(chiasm(cards), 3)]
            + self._unheard(witnesses, heard, pages)
        )

    @staticmethod
    def _near(witness: str, run: int, heard: Heard) -> float:
        share = _RUN[min(run, FEWEST_IN_A_RUN)]
        return share if witness in heard.witnesses else share * _NOT_HEARD

    def _unheard(self, witnesses: dict[str, int], heard: Heard, pages: Pages) -> float:
        """Marks of the interviews that there is still time for, the best first."""
        free = sum(not card for page in pages for card in page[1:])
        time = (self.octagons_to_come - free * 0.7) / _INTERVIEW_COST
        hopes = sorted(
            (count * self._each[witness] for witness, count in witnesses.items() if self.open_to(witness, heard)),
            reverse=True,
        )
        return sum(_SURE * hope * max(0.0, min(1.0, time - place)) for place, hope in enumerate(hopes[:4]))

    def open_to(self, witness: str, heard: Heard) -> bool:
        """Whether a witness can still be interviewed."""
        return witness not in heard.witnesses and self.view.interview_cards[witness] > 0

    def each_mark(self, witness: str, strong: bool = True) -> float:
        """Tally marks to be expected of a matching card."""
        alive, dead = (5, 3) if strong else (3, 2)
        cube = self.view.discs[witness]
        likely = self.alive if not cube else float(cube == WHITE)
        return likely * alive + (1 - likely) * dead

    # arranging ----------------------------------------------------------------------------------------

    def arranged(self, pages: Pages, heard: Heard) -> Pages:
        """A good new order of all leaves: the best that exchanging two and flipping one leads to."""
        key = (pages, heard)
        known = self._arranged.get(key)
        if known is None:
            known = max(
                (self._climbed(start, heard) for start in (pages, self._by_number(pages))),
                key=lambda order: self.worth(order, heard),
            )
            self._arranged[key] = known
        return known

    def _climbed(self, pages: Pages, heard: Heard) -> Pages:
        while True:
            orders = chain(exchanges(pages), *map(flips, exchanges(pages))) if self.alone else exchanges(pages)
            better = max(orders, key=lambda order: self.worth(order, heard))
            if self.worth(better, heard) <= self.worth(pages, heard):
                return pages
            pages = better

    def _by_number(self, pages: Pages) -> Pages:
        def number(card: str) -> int:
            return self.traditions[card].number if card else 0

        risen = [
            (name, right, left) if left and right and number(left) > number(right) else (name, left, right)
            for name, left, right in pages
        ]
        return tuple(sorted(risen, key=lambda page: number(page[1]) + number(page[2])))


def exchanges(pages: Pages) -> Iterator[Pages]:
    """Orders that differ by one leaf flipped, two leaves exchanged, or one moved."""
    yield from flips(pages)
    for one, other in combinations(range(len(pages)), 2):
        order = list(pages)
        order[one], order[other] = order[other], order[one]
        yield tuple(order)
        if other > one + 1:
            between = pages[one + 1 : other]
            yield (*pages[:one], *between, pages[other], pages[one], *pages[other + 1 :])
            yield (*pages[:one], pages[other], pages[one], *between, *pages[other + 1 :])


def flips(pages: Pages) -> Iterator[Pages]:
    """Orders that differ by one leaf flipped."""
    for place, (name, left, right) in enumerate(pages):
        if left != right:
            yield (*pages[:place], (name, right, left), *pages[place + 1 :])
