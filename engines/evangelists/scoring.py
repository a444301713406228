"""Literary devices read off a gospel, and what a game is worth as it stands."""

from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from engines.evangelists.components import Tradition
from engines.evangelists.state import State, gospel, solitaire

#: Points by the distance to the leader of a track; farther behind there are none.
LADDER = (15, 11, 8, 6, 4, 2, 0)
#: A run of the same witness, of rising numbers, and a motif count from these on.
LONGEST_CHRONOLOGY = 9
FEWEST_IN_A_RUN = 3
FEWEST_FOR_EMPHASIS = 4
THEME_BONUS = 5
#: Alone: points for 1, 2, 3.. of a kind; chronology counts from 3 on.
ALONE = {
    "inclusio": (8, 11, 15),
    "emphasis": (8, 11, 15),
    "chiasm": (8, 11, 15),
    "chronology": (0, 0, 6, 8, 11, 15),
}
ALONE_THEME = (4, 6, 8, 11, 15)
ALONE_TO_WIN = 100


# devices ----------------------------------------------------------------------------------------------


def inclusio(cards: Sequence[Tradition], interviews: Iterable[str]) -> int:
    """Witnesses whose card is held and whom three cards or more in a row share; one a witness."""
    return sum(
        longest_run([witness in card.witnesses for card in cards]) >= FEWEST_IN_A_RUN for witness in interviews
    )


def longest_run(shown: Iterable[bool]) -> int:
    """The longest run of what is true."""
    best = run = 0
    for true in shown:
        run = run + 1 if true else 0
        best = max(best, run)
    return best


def emphasis(cards: Sequence[Tradition]) -> int:
    """Motifs on four cards or more."""
    shown = [motif for card in cards for motif in card.motifs]
    return sum(shown.count(motif) >= FEWEST_FOR_EMPHASIS for motif in set(shown))


def chiasm(cards: Sequence[Tradition]) -> int:
    """Windows of four cards A B B A with different motifs A and B; one a window."""
    return sum(map(is_chiasm, cards, cards[1:], cards[2:], cards[3:]))


def is_chiasm(first: Tradition, second: Tradition, third: Tradition, fourth: Tradition) -> bool:
    """Whether four cards in a row have one motif without and another within."""
    for outer in first.motifs:
        if outer in fourth.motifs:
            for inner in second.motifs:
                if inner != outer and inner in third.motifs:
                    return True
    return False


def chronology(cards: Sequence[Tradition]) -> int:
    """The longest run of rising numbers, at most 9; 0 where it has fewer than three cards."""
    best = run = previous = 0
    for card in cards:
        run = run + 1 if card.number > previous else 1
        previous = card.number
        best = max(best, run)
    return min(best, LONGEST_CHRONOLOGY) if best >= FEWEST_IN_A_RUN else 0


#: The tracks in the rulebook's order, each from cards and interviews to a value.
DEVICES: dict[str, Callable[[Sequence[Tradition], Sequence[str]], int]] = {
    "inclusio": inclusio,
    "emphasis": lambda cards, interviews: emphasis(cards),
    "chiasm": lambda cards, interviews: chiasm(cards),
    "chronology": lambda cards, interviews: chronology(cards),
}


# ladders ----------------------------------------------------------------------------------------------


def ladder(values: Sequence[int]) -> tuple[int, ...]:
    """Points by the distance to the highest value; a value of 0 is not on the ladder (ruling 11)."""
    highest = max(values)
    return tuple(
        LADDER[min(highest - value, len(LADDER) - 1)] if value else 0  # the last rung is 0
        for value in values
    )


def shared_spaces(values: Sequence[int]) -> tuple[int, ...]:
    """How many other cubes stand on each one's space of a track."""
    return tuple(values.count(value) - 1 if value else 0 for value in values)


def fixed(steps: Sequence[int], value: int) -> int:
    """Alone: the points of a value."""
    return steps[min(value, len(steps)) - 1] if value else 0


# what a game is worth ---------------------------------------------------------------------------------


class Track(NamedTuple):
    """A device track by seat: values, points, other cubes on the same space."""

    device: str
    values: tuple[int, ...]
    points: tuple[int, ...]
    ties: tuple[int, ...]


class Reckoning(NamedTuple):
    """All that counts, by seat: the tracks, cards that match the theme, their points, the bonus, the totals."""

    tracks: tuple[Track, ...]
    matching: tuple[int, ...]
    theme_points: tuple[int, ...]
    bonus: tuple[int, ...]
    totals: tuple[int, ...]


def reckoned(state: State) -> Reckoning:
    """The game as it would score now (ruling 13)."""
    gospels = [gospel(state, seat) for seat in range(state.seats)]
    alone = solitaire(state)
    tracks: list[Track] = []
    for device, value_of in DEVICES.items():
        values = tuple(map(value_of, gospels, state.interviews))
        points = (fixed(ALONE[device], values[0]),) if alone else ladder(values)
        tracks.append(Track(device, values, points, shared_spaces(values)))
    matching = tuple(
        sum(theme in card.themes for card in cards) for theme, cards in zip(state.themes, gospels, strict=True)
    )
    theme_points = (fixed(ALONE_THEME, matching[0]),) if alone else ladder(matching)
    bonus = tuple(
        THEME_BONUS if count and count * 2 >= len(cards) else 0  # ruling 12
        for count, cards in zip(matching, gospels, strict=True)
    )
    totals = tuple(
        state.marks[seat]
        + sum(track.points[seat] - track.ties[seat] for track in tracks)
        + theme_points[seat]
        + bonus[seat]
        for seat in range(state.seats)
    )
    return Reckoning(tuple(tracks), matching, theme_points, bonus, totals)


def recorded(state: State, totals: tuple[int, ...]) -> tuple[int, ...]:
    """Scores as a game that is over records them: alone, what a loss lacks of 100 (ruling 15)."""
    lost = state.phase == "over" and solitaire(state) and totals[0] < ALONE_TO_WIN
    return (totals[0] - ALONE_TO_WIN,) if lost else totals
