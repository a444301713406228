"""Tables of Power Vacuum for tests: stacked decks, moves as typed, a Control Board steered where a test wants it.

Nothing here knows the program's rules: hands are dealt by `--stack`, moves are texts, and what the board does
with a transfer and a plug is written down a second time, from the rulebook.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Any

from tests.conftest import Turnlog

SEATS = ("lucia", "fritz", "bertrand", "ana", "emil")
APPLIANCES = ("red", "green", "yellow", "white", "brown")
SOCKETS = (*APPLIANCES, "supply")
CARDS = (*(f"{suit}{number}" for suit in "YWGR" for number in range(1, 10)), "B1", "B2", "B3", "B4")
#: Agendas that no two of them are alike, for seats whose Agenda is of no account.
AGENDAS = ("red/white", "green/brown", "yellow/brown", "white/brown", "red/brown")
START = (2, 2, 2, 2, 2)


def cards(text: str) -> list[str]:
    """The cards of `Y1 W2 ..`."""
    return text.split()


def filled(hands: Iterable[str], avoid: str = "", size: int = 8) -> list[str]:
    """Hands filled up to `size` with cards that no hand names, none of the suits `avoid`."""
    named = [cards(hand) for hand in hands]
    taken = {card for hand in named for card in hand}
    free = [card for card in CARDS if card not in taken and card[0] not in avoid]
    for hand in named:
        while len(hand) < size:
            hand.append(free.pop(0))
    return [" ".join(hand) for hand in named]


def deal(*hands: str) -> list[str]:
    """One outcome of `regime-deck` that deals these hands, or begins to."""
    return [card for hand in hands for card in cards(hand)]


def start(
    turnlog: Turnlog,
    hands: Sequence[str],
    *,
    agendas: Sequence[str] | None = None,
    cable: str = "red/green",
    first: str = "lucia",
    seats: Sequence[str] = SEATS,
    rounds: Sequence[tuple[Sequence[str], Sequence[str], str]] = (),
    options: Sequence[str] = (),
    game: str = "g",
) -> str:
    """Creates a game of so many seats as hands, which are filled up; `rounds` are (hands, agendas, cable) of the
    next ones, not filled.
    """
    hands, seats = filled(hands), seats[: len(hands)]
    dealt = [(hands, agendas if agendas is not None else _others(cable, len(seats)), cable), *rounds]
    stack = turnlog.stack(
        regime_deck=[deal(*hands) for hands, _, _ in dealt],
        agenda_deck=[[*agendas, cable] for _, agendas, cable in dealt],
    )
    names = [word for seat in seats for word in ("-p", seat)]
    chosen = [word for option in options for word in ("-o", option)]
    turnlog.json(
        "create", "power-vacuum", *names, "-o", f"first={first}", *chosen,
        "--stack", stack, "--seed", "s", "--id", game,
    )  # fmt: skip
    return game


def _others(cable: str, count: int) -> list[str]:
    return [agenda for agenda in AGENDAS if set(agenda.split("/")) != set(cable.split("/"))][:count]


def solo(
    turnlog: Turnlog,
    hands: Sequence[str],
    *,
    agendas: Sequence[Sequence[str]] = (("red/green",),),
    aim: str | None = "aim green brown",
    rounds: Sequence[Sequence[str]] = (),
    options: Sequence[str] = (),
    game: str = "g",
) -> str:
    """Creates a game of one seat, lucia; hands go to lucia, red, yellow, `agendas` are the decks' shuffles."""
    stack = turnlog.stack(
        regime_deck=[deal(*filled(dealt)) for dealt in (hands, *rounds)], agenda_deck=[list(a) for a in agendas]
    )
    chosen = [word for option in options for word in ("-o", option)]
    turnlog.json("create", "power-vacuum", "-p", "lucia", *chosen, "--stack", stack, "--seed", "s", "--id", game)
    if aim is not None:
        turnlog.json("play", game, aim)
    return game


def play(turnlog: Turnlog, game: str, moves: str) -> Any:
    """Plays moves parted by commas, `fritz: play Y2` or `play Y2`; gives the last one's JSON answer."""
    return turnlog.play(game, *moves_of(moves))


def moves_of(text: str) -> list[str]:
    """The moves of `play Y2, play Y3, point`."""
    return [move.strip() for move in text.split(",") if move.strip()]


def run(turnlog: Turnlog, game: str, moves: Iterable[str]) -> list[Any]:
    """Plays many moves as a script; gives the JSON answers, one a move."""
    script = turnlog.db.with_name("moves.txt")
    script.write_text("".join(f"{move}\n" for move in moves))
    return turnlog.ok("run", script, "--game", game, "--json").lines


def facts_of(answer: Any, kind: str | None = None) -> list[dict[str, Any]]:
    """The facts of an answer, those of one kind without their type."""
    found = [fact for event in answer["events"] for fact in event["facts"]]
    if kind is None:
        return found
    name = f"power-vacuum.{kind}"
    return [{k: v for k, v in fact.items() if k != "type"} for fact in found if fact["type"] == name]


def kinds_of(answer: Any) -> list[str]:
    """The kinds of an answer's facts, in order."""
    return [fact["type"].removeprefix("power-vacuum.") for fact in facts_of(answer)]


def logged(turnlog: Turnlog, game: str, kind: str, viewer: str = "referee") -> list[dict[str, Any]]:
    """All facts of one kind in a game's log."""
    return facts_of({"events": turnlog.ok("log", game, "--json", "--as", viewer).lines}, kind)


def legal(turnlog: Turnlog, game: str) -> list[str]:
    """The legal moves of the seat to move."""
    document = turnlog.json("moves", game)
    assert document["complete"] is True
    return document["moves"]


def refused(turnlog: Turnlog, game: str, move: str, *, seat: str | None = None, code: int = 3) -> dict[str, Any]:
    """Plays a move that is refused, and holds that nothing was written; gives the error."""
    before = turnlog.json("show", game)["seq"]
    answer = turnlog("play", game, move, *(["--as", seat] if seat else []), "--json")
    assert (answer.code, answer.out) == (code, "")
    assert turnlog.json("show", game)["seq"] == before
    return answer.error


def levels(view: Any) -> dict[str, int]:
    """The Power at the Control Board."""
    return {appliance: view["levels"][appliance] for appliance in APPLIANCES}


# the Control Board, steered -----------------------------------------------------------------------------


@cache
def steered(
    wanted: tuple[int, ...],
    cable: tuple[str, str] = ("red", "green"),
    now: tuple[int, ...] = START,
    times: int = 8,
) -> tuple[tuple[str, ...], ...]:
    """Moves that take the levels (red, green, yellow, white, brown) from `now` to `wanted` in so many turns."""
    found = _steered(wanted, cable, now, times, set())
    assert found is not None, f"{now} does not become {wanted} in {times} turns"
    return found


def _steered(
    wanted: tuple[int, ...], cable: tuple[str, str], now: tuple[int, ...], left: int, dead: set[Any]
) -> tuple[tuple[str, ...], ...] | None:
    if left == 0:
        return () if now == wanted else None
    key = (cable, now, left)
    if _far(wanted, now) > left or key in dead:
        return None
    for moved, transfer in sorted(_transferred(cable, now), key=lambda way: _far(wanted, way[0])):
        for kept, taken in (cable, cable[::-1]):
            for to in SOCKETS:
                if to not in cable:
                    rest = _steered(wanted, (kept, to), moved, left - 1, dead)
                    if rest is not None:
                        return ((*transfer, f"plug {taken} {to}"), *rest)
    dead.add(key)
    return None


def _far(wanted: tuple[int, ...], now: tuple[int, ...]) -> int:
    more = sum(max(0, w - n) for w, n in zip(wanted, now, strict=True))
    less = sum(max(0, n - w) for w, n in zip(wanted, now, strict=True))
    return max(more, less)


def _transferred(cable: tuple[str, str], now: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], list[str]]]:
    ways = [
        (source, target)
        for source, target in (cable, cable[::-1])
        if source == "supply" or now[APPLIANCES.index(source)]
    ]
    for source, target in ways:
        after = list(now)
        for socket, change in ((source, -1), (target, 1)):
            if socket != "supply":
                after[APPLIANCES.index(socket)] += change
        yield tuple(after), [f"transfer {source} {target}"] if len(ways) == 2 else []
    if not ways:
        yield now, []


# a round of two seats -----------------------------------------------------------------------------------

_REDS = ("R9", "R8", "R7", "R6", "R5", "R4", "R3", "R2")
_LOW = ("Y1", "W1", "G1", "Y2", "W2", "G2", "Y3", "W3")


def duel_hands(winners: str) -> tuple[str, str]:
    """Hands for a round in which lucia (L) and fritz (F, at most 4) win these tricks."""
    spies = winners.count("F")
    fritz = [*(f"B{n}" for n in range(1, spies + 1)), *_LOW[: 8 - spies]]
    return " ".join(_REDS), " ".join(fritz)


def duel(
    winners: str,
    board: Sequence[Sequence[str]],
    *,
    leader: str = "lucia",
    reveals: Mapping[tuple[str, int], str] | None = None,
    spoils: Mapping[int, str] | None = None,
) -> list[str]:
    """The moves of a round of eight tricks won as `winners` says, by the hands of `duel_hands`.

    Lucia plays Reds only and always the higher number, so fritz runs the Control Board after each trick;
    he wins with Spies, which beat Red.

    :param reveals: from a seat and the cards it holds then to its `reveal ..`
    :param spoils: from a trick's number to what its winner takes, `point` if not said; `{lucia}` and `{fritz}`
        stand for the cards they played
    """
    _, hand = duel_hands(winners)
    spies = [card for card in cards(hand) if card[0] == "B"]
    low = [card for card in cards(hand) if card[0] != "B"]
    plays = [spies.pop() if winner == "F" else low.pop() for winner in winners]
    reds = dict(zip(sorted(range(8), key=lambda n: plays[n][1], reverse=True), _REDS, strict=True))
    moves: list[str] = []
    for number, winner in enumerate(winners):
        mine = {"lucia": reds[number], "fritz": plays[number]}
        for seat in (leader, "fritz" if leader == "lucia" else "lucia"):
            reveal = (reveals or {}).get((seat, 8 - number))
            moves += [f"{seat}: {reveal}"] if reveal else []
            moves.append(f"{seat}: play {mine[seat]}")
        leader = "lucia" if winner == "L" else "fritz"
        moves.append(f"{leader}: {(spoils or {}).get(number + 1, 'point').format_map(mine)}")
        moves += [f"fritz: {move}" for move in board[number]]
    return moves
