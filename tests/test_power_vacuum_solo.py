"""Power Vacuum alone: the two Party Apparatuses, their cards, captures and cables. Rulebook, "Solo Mode"; rulings
14 to 20.
"""

from typing import Any

import pytest

from tests.conftest import Turnlog
from tests.power_vacuum_tables import (
    APPLIANCES,
    START,
    cards,
    deal,
    facts_of,
    filled,
    kinds_of,
    legal,
    levels,
    logged,
    play,
    refused,
    run,
    solo,
    steered,
)

#: The Agendas that nobody holds, alone.
SEVEN = ("red/green", "red/yellow", "red/brown", "green/yellow", "green/white", "yellow/brown", "white/brown")

# set-up -------------------------------------------------------------------------------------------------


def test_alone_a_person_sits_as_white_with_red_and_yellow(turnlog: Turnlog) -> None:
    """Seats, Appliances and open Agendas of the solo set-up; the person starts, and turns its Agenda first."""
    game = solo(turnlog, ["", "", ""], aim=None)

    shown = turnlog.json("show", game)

    assert (shown["seats"], shown["to_move"]) == (["lucia", "red", "yellow"], ["lucia"])
    assert shown["view"]["appliances"] == {"lucia": "white", "red": "red", "yellow": "yellow"}
    assert shown["view"]["agendas"] == {
        "lucia": {"agenda": "green/brown", "most": None, "least": None, "marker": 6},
        "red": {"agenda": "red/white", "most": "red", "least": "white", "marker": 7},
        "yellow": {"agenda": "yellow/white", "most": "yellow", "least": "white", "marker": 7},
    }
    assert levels(shown["view"]) == dict.fromkeys(APPLIANCES, 2)
    assert (shown["view"]["phase"], shown["view"]["starter"]) == ("aim", "lucia")


@pytest.mark.parametrize(("aim", "most"), [("aim green brown", "green"), ("aim brown green", "brown")])
def test_the_own_agenda_is_aimed_before_cable_and_deal(turnlog: Turnlog, aim: str, most: str) -> None:
    """At set-up `aim` comes before the cable is set and the cards are dealt (ruling 20), in either direction."""
    game = solo(turnlog, ["", "", ""], aim=None, agendas=[["yellow/brown"]])
    view = turnlog.view(game)
    assert (view["cable"], view["hands"]) == ([], {"lucia": [], "red": [], "yellow": []})
    assert legal(turnlog, game) == ["aim green brown", "aim brown green"]

    answer = play(turnlog, game, aim)

    assert kinds_of(answer) == [
        "aimed", "agendas-shuffled", "cable-set", "cards-dealt", "cards-dealt", "cards-dealt", "turn-began",
    ]  # fmt: skip
    view = turnlog.view(game)
    assert view["agendas"]["lucia"]["most"] == most
    assert view["cable"] == ["yellow", "brown"]
    assert [len(hand) for hand in view["hands"].values()] == [8, 8, 8]
    assert turnlog.json("show", game)["to_move"] == ["lucia"]


@pytest.mark.parametrize("move", ["aim red white", "aim green green", "aim green supply", "play Y1", "point"])
def test_only_the_own_agenda_is_aimed(turnlog: Turnlog, move: str) -> None:
    """Until the Agenda is turned nothing else can be done."""
    refused(turnlog, solo(turnlog, ["", "", ""], aim=None), move)


@pytest.mark.parametrize(
    ("options", "bots", "own"),
    [
        pytest.param([], 7, 6, id="unasked"),
        pytest.param(["difficulty=easier"], 5, 8, id="easier"),
        pytest.param(["difficulty=medium"], 7, 6, id="medium"),
        pytest.param(["difficulty=harder"], 8, 5, id="harder"),
    ],
)
def test_the_markers_by_difficulty(turnlog: Turnlog, options: list[str], bots: int, own: int) -> None:
    """The markers of the rulebook's table."""
    game = solo(turnlog, ["", "", ""], options=options)

    assert [agenda["marker"] for agenda in turnlog.view(game)["agendas"].values()] == [own, bots, bots]


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        pytest.param(["-p", "red"], 3, "alone, red and yellow are the bots' names", id="named-red"),
        pytest.param(["-p", "Yellow"], 3, "alone, red and yellow are the bots' names", id="named-yellow"),
        pytest.param(["-p", "lucia", "-o", "first=lucia"], 3, "alone you start the game", id="first"),
        pytest.param(["-p", "lucia", "-o", "appliances=red,white"], 3, "alone you are White", id="appliances"),
        pytest.param(["-p", "lucia", "-o", "difficulty=hard"], 2, "option difficulty is one of", id="difficulty"),
    ],
)
def test_what_makes_no_solo_game(turnlog: Turnlog, words: list[str], code: int, says: str) -> None:
    """A person is called neither red nor yellow, and starts as White."""
    answer = turnlog("create", "power-vacuum", *words, "--json")

    assert (answer.code, answer.out) == (code, "")
    assert answer.error["message"].startswith(says)


def test_red_and_yellow_may_sit_where_there_are_no_bots(turnlog: Turnlog) -> None:
    """With two seats the names red and yellow are free."""
    answer = turnlog.json("create", "power-vacuum", "-p", "red", "-p", "yellow")

    assert answer["events"][0]["created"]["seats"] == ["red", "yellow"]


def test_cards_are_dealt_white_red_yellow_and_rows_keep_their_order(turnlog: Turnlog) -> None:
    """A bot's row lies as it was dealt, its backs open in that order; the person's hand is sorted (ruling 21)."""
    game = solo(turnlog, ["R1 Y2 B1 Y1 W1 G1 W2 G2", "G9 Y9 Y7 B3 W9 R9 Y8 B2", "B4 Y3"])

    for viewer in ("spectator", "lucia"):
        assert turnlog.view(game, viewer)["hands"]["red"] == cards("G? Y? Y? G? W? R? Y? W?")
        assert turnlog.view(game, viewer)["hands"]["yellow"][:2] == cards("R? Y?")
    assert turnlog.view(game, "referee")["hands"]["red"] == cards("G9 Y9 Y7 B3 W9 R9 Y8 B2")
    assert turnlog.view(game, "lucia")["hand"] == cards("Y1 Y2 W1 W2 G1 G2 R1 B1")


def test_the_deck_is_the_seven_agendas_that_nobody_holds(turnlog: Turnlog) -> None:
    """A stack that turns up a held Agenda does not fit, at the move that would draw it."""
    game = solo(turnlog, ["", "", ""], agendas=[["red/white"]], aim=None)

    error = refused(turnlog, game, "aim green brown")

    assert error["code"] == "stack-misfit"
    assert error["hint"] == "there now: " + " ".join(sorted(SEVEN))


def test_alone_there_is_nothing_to_reveal(turnlog: Turnlog) -> None:
    """Agendas lie open from the start; revealing is not on offer."""
    game = solo(turnlog, ["Y1", "", ""])

    assert not [move for move in legal(turnlog, game) if not move.startswith("play")]
    assert refused(turnlog, game, "reveal green brown")["message"].startswith("alone, Agendas lie open")


# the bots' cards ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("led", "row", "card"),
    [
        pytest.param("Y5", "R9 Y8 G1 Y9 W1 B1 R8 W2", "Y8", id="the-leftmost-of-the-led-suit"),
        pytest.param("Y5", "Y9 Y1 Y2 W1 W2 G1 G2 R1", "Y9", id="leftmost-not-lowest"),
        pytest.param("Y5", "W9 B1 R2 G1 R9 W1 W2 G2", "R2", id="else-the-leftmost-red"),
        pytest.param("Y5", "B1 W9 G1 G2 G3 W1 W2 W3", "B1", id="else-the-leftmost-a-yellow-backed-spy"),
        pytest.param("Y5", "W9 B1 G1 G2 G3 W1 W2 W3", "W9", id="a-yellow-backed-spy-does-not-follow-yellow"),
        pytest.param("R5", "Y9 W9 R1 R9 B4 G1 G2 G3", "R1", id="red-led"),
        pytest.param("R5", "Y9 B4 W9 G9 Y8 W8 G8 Y7", "Y9", id="red-led-none-to-follow-nor-trump"),
        pytest.param("B2", "Y9 R9 B3 B1 W9 G9 R8 Y8", "B3", id="a-spy-led-is-followed-by-the-leftmost-spy"),
        pytest.param("B2", "Y9 R9 W9 G9 R8 R7 R6 R4", "Y9", id="a-spy-led-is-not-trumped"),
    ],
)
def test_what_a_bot_follows_with(turnlog: Turnlog, led: str, row: str, card: str) -> None:
    """It follows with the leftmost that truly is of the led suit, else trumps, else plays its leftmost (15)."""
    rest = "Y3 Y4 W4 W5 G4 G5 Y6 W6"
    game = solo(turnlog, [led, row, rest])

    answer = play(turnlog, game, f"play {led}")

    played = [(event["seat"], event["move"], event["by"]) for event in answer["events"]]
    assert played[:2] == [("lucia", f"play {led}", "person"), ("red", f"play {card}", "rules")]
    assert turnlog.view(game, "referee", "--at", answer["events"][1]["seq"])["hands"]["red"] == [
        other for other in cards(row) if other != card
    ], "the row keeps its order"


def test_a_bot_leads_its_leftmost_card_and_the_other_follows_it(turnlog: Turnlog) -> None:
    """The winner of a trick leads next: a bot its leftmost card; the next one follows that, then the person."""
    game = solo(
        turnlog, ["Y5 W5 W6 W7 G5 G6 G7 G8", "Y9 G9 W1 R1 R2 R3 R4 R5", "Y6 W9 G4 G3 Y1 Y2 Y3 B1"],
        agendas=[["red/green"]],
    )  # fmt: skip

    answer = play(turnlog, game, "play Y5")  # red wins with Y9, and lucia has the lowest card
    assert [event["move"] for event in answer["events"]] == ["play Y5", "play Y9", "play Y6"]
    play(turnlog, game, "transfer red green, plug red brown")

    assert turnlog.view(game)["trick"] == [{"seat": "red", "card": "G9"}, {"seat": "yellow", "card": "G4"}]
    assert turnlog.json("show", game)["to_move"] == ["lucia"]
    assert legal(turnlog, game) == [f"play G{n}" for n in (5, 6, 7, 8)]


def test_bots_move_in_one_transaction_with_the_persons_move_and_go_back_with_it(turnlog: Turnlog) -> None:
    """The bots' plays are events of their own, appended at one; `undo` takes them back together (ruling 19)."""
    game = solo(turnlog, ["Y9 R1", "Y1", "Y2"])
    before = turnlog.view(game, "referee")

    answer = play(turnlog, game, "play Y9")
    assert [(e["seq"], e["seat"]) for e in answer["events"]] == [(3, "lucia"), (4, "red"), (5, "yellow")]
    rows = turnlog.ok("export", game).lines[2:]
    assert len({row["at"] for row in rows}) == 1
    assert [row["actor"] for row in rows] == ["lucia", "rules", "rules"]
    undone = turnlog.json("undo", game)["events"]

    assert [(e["first"], e["last"]) for e in undone] == [(3, 5)]
    assert turnlog.view(game, "referee") == before
    turnlog.json("redo", game)
    assert len(turnlog.view(game)["trick"]) == 3


# the bots' spoils ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("plays", "winner", "kept"),
    [
        pytest.param("Y5 Y9 Y6", "red", None, id="no-1-or-2-a-point"),
        pytest.param("Y1 Y9 Y6", "red", "Y1", id="a-1"),
        pytest.param("Y2 Y9 Y6", "red", "Y2", id="a-2"),
        pytest.param("Y3 Y9 Y8", "red", None, id="a-3-is-too-high"),
        pytest.param("Y2 Y9 Y1", "red", "Y1", id="the-lower-number"),
        pytest.param("Y1 R2 W1", "red", "R2", id="a-red-before-a-lower-number-the-own-card"),
        pytest.param("Y1 W1 R2", "yellow", "R2", id="the-own-red"),
        pytest.param("Y9 R1 R2", "yellow", "R1", id="of-two-reds-the-lower"),
        pytest.param("W1 Y9 W2", "yellow", "W1", id="the-lower-number-earlier"),
        pytest.param("W1 R9 G1", "red", "W1", id="of-two-alike-the-earlier-played"),
        pytest.param("Y5 W1 Y9", "yellow", "W1", id="of-another-suit"),
        pytest.param("R5 W9 B1", "yellow", "B1", id="the-own-spy"),
    ],
)
def test_what_a_bot_captures(turnlog: Turnlog, plays: str, winner: str, kept: str | None) -> None:
    """Under 35 points a winning bot keeps a 1 or 2: a Red first, the lower, the earlier; else a point (16)."""
    own, red, yellow = cards(plays)
    game = solo(turnlog, [own, *filled([red, yellow], avoid=own[0] + "RB")])

    answer = play(turnlog, game, f"play {own}")

    assert [p["card"] for p in facts_of(answer, "card-played")[:3]] == [own, red, yellow]
    seat = {"red": 1, "yellow": 2}[winner]
    assert facts_of(answer, "trick-won")[0]["seat"] == seat
    captured = facts_of(answer, "card-captured")[:1]
    assert captured == ([] if kept is None else [{"seat": seat, "card": kept}])
    assert (facts_of(answer, "point-taken")[:1] == [{"seat": seat}]) is (kept is None)
    assert turnlog.view(game)["captured"][winner] == ([] if kept is None else [kept])


#: Rows of red and yellow for a round in which red wins every trick and lucia, with lower cards, runs the board.
_ROWS = ("R9 R8 R7 R6 R5 Y9 Y8 Y7", "W9 G9 W8 G8 W7 G7 W6 G6")


def red_wins_all(own: str, board: tuple[tuple[str, ...], ...]) -> list[str]:
    """The moves of a round by `_ROWS` in which lucia plays these cards and runs the board so."""
    return [move for card, turn in zip(cards(own), board, strict=True) for move in (f"play {card}", *turn)]


def test_a_bot_with_35_points_captures_no_more(turnlog: Turnlog) -> None:
    """Up to 34 points, Statue pieces among them, it captures a 1 or 2; from 35 on it takes the point."""
    first, second = "W5 W4 G4 G3 W3 Y5 Y4 Y3", "Y1 W4 G4 G3 W3 Y2 Y5 W2"
    game = solo(turnlog, [first, *_ROWS], rounds=[[second, *_ROWS]], agendas=[["red/green"], ["red/green"]])
    run(turnlog, game, red_wins_all(first, steered((8, 1, 1, 0, 2))))
    view = turnlog.view(game)
    assert (view["scores"]["red"], view["statues"]["red"]) == (8 + 8 + 7 + 7, 3)
    play(turnlog, game, "aim green brown")
    board = steered((1, 2, 2, 3, 2), now=(1, 2, 2, 3, 2))
    captured: dict[str, list[str]] = {}
    scores: dict[str, int] = {}
    for card, turn in zip(cards(second), board, strict=True):
        answer = play(turnlog, game, f"play {card}")
        captured[card] = [fact["card"] for fact in facts_of(answer, "card-captured")]
        scores[card] = turnlog.view(game)["scores"]["red"]
        play(turnlog, game, ", ".join(turn))

    assert scores == {"Y1": 30, "W4": 31, "G4": 32, "G3": 33, "W3": 34, "Y2": 34, "Y5": 35, "W2": 36}
    assert {card: kept for card, kept in captured.items() if kept} == {"Y1": ["Y1"], "Y2": ["Y2"]}


def test_captured_cards_lie_leftmost_in_the_bots_next_row(turnlog: Turnlog) -> None:
    """In the order they were taken, the row filled up to eight behind them; it leads the first of them (16)."""
    first = "W5 W2 G4 G1 W3 Y5 Y4 Y1"
    second = ["Y3 Y2 R1 R2 R3 R4 B1 B2", "B4 Y9 W1 G2 R9", "W9 W8 W7 W6 W4 G9 G8 G7"]
    stack = turnlog.stack(regime_deck=[deal(first, *_ROWS), deal(*second)], agenda_deck=[["red/green"]] * 2)
    turnlog.json("create", "power-vacuum", "-p", "lucia", "--stack", stack, "--id", "g")

    run(turnlog, "g", ["aim green brown", *red_wins_all(first, steered((4, 1, 2, 1, 2)))])

    dealt = logged(turnlog, "g", "cards-dealt")[3:]
    assert [fact["cards"] for fact in dealt][1:] == [cards(second[1]), cards(second[2])]
    view = turnlog.view("g", "referee")
    assert view["trick"][0] == {"seat": "red", "card": "W2"}
    assert view["hands"]["red"] == cards("G1 Y1 B4 Y9 W1 G2 R9")


# the bots at the Control Board --------------------------------------------------------------------------

_HIGH, _HELD, _LOW = cards("R9 R8 R7 R6 R5"), cards("W9 G9 W8 G8 W7"), cards("W5 W4 G4 G3 W3")


def bot_at_the_board(
    turnlog: Turnlog,
    agendas: list[list[str]],
    *turns: str,
    bot: str = "red",
    aim: str = "aim green brown",
) -> Any:
    """Lucia runs the board by these turns, after tricks that red won; then the bot does.

    Gives the answer to the play that lets it.
    """
    reds, held, low = _HIGH[: len(turns)], _HELD[: len(turns)], _LOW[: len(turns)]
    red, yellow = ("Y1", "Y9") if bot == "red" else ("Y9", "Y1")
    hands = [
        " ".join([*low, "Y5", *cards("Y2 Y3 Y4 Y6 Y7 Y8 B1")][:8]),
        " ".join([*reds, red, *cards("G1 G2 G5 G6 G7 G8 B3")][:8]),
        " ".join([*held, yellow, *cards("W1 W2 W6 B2 B4 R1 R2")][:8]),
    ]
    solo(turnlog, hands, agendas=agendas, aim=aim)
    for card, turn in zip(low, turns, strict=True):
        play(turnlog, "g", f"play {card}, {turn}")
    return play(turnlog, "g", "play Y5")


@pytest.mark.parametrize(
    ("bot", "aim", "cable", "turn", "way"),
    [
        # red; lucia's Most is green, her Least brown
        pytest.param("red", "green brown", "red/green", "", "green red", id="red-to-itself"),
        pytest.param("red", "green brown", "red/yellow", "", "yellow red", id="red-to-itself-from-the-other"),
        pytest.param("red", "green brown", "red/green", "transfer red green, plug green white", "white red",
                     id="red-to-itself-from-you"),
        pytest.param("red", "green brown", "red/green", "transfer red green, plug green supply", "supply red",
                     id="red-to-itself-from-the-supply"),
        pytest.param("red", "green brown", "green/white", "", "white green", id="red-away-from-you-to-your-most"),
        pytest.param("red", "green brown", "white/brown", "", "white brown", id="red-away-from-you"),
        pytest.param("red", "green brown", "green/white", "transfer green white, plug green supply",
                     "white supply", id="red-away-from-you-to-the-supply"),
        pytest.param("red", "green brown", "green/white", "transfer white green, plug green yellow",
                     "white yellow", id="red-away-from-you-before-the-other"),
        pytest.param("red", "green brown", "green/yellow", "", "green yellow", id="red-away-from-your-most"),
        pytest.param("red", "brown green", "yellow/brown", "", "brown yellow", id="red-away-from-your-other-most"),
        pytest.param("red", "green brown", "green/white", "transfer white green, plug white supply",
                     "green supply", id="red-away-from-your-most-to-the-supply"),
        pytest.param("red", "green brown", "green/white", "transfer white green, plug white brown",
                     "green brown", id="red-from-your-most-to-your-least"),
        pytest.param("red", "green brown", "yellow/brown", "", "yellow brown", id="red-to-your-least"),
        pytest.param("red", "brown green", "green/yellow", "", "yellow green", id="red-to-your-other-least"),
        pytest.param("red", "green brown", "white/brown", "transfer white brown, plug white supply",
                     "supply brown", id="red-to-your-least-from-the-supply"),
        pytest.param("red", "brown green", "green/yellow", "transfer green yellow, plug yellow supply",
                     "supply green", id="red-to-your-other-least-from-the-supply"),
        pytest.param("red", "green brown", "green/yellow", "transfer green yellow, plug green supply",
                     "yellow supply", id="red-away-from-the-other-bot"),
        # yellow
        pytest.param("yellow", "green brown", "red/yellow", "", "red yellow", id="yellow-to-itself"),
        pytest.param("yellow", "green brown", "green/yellow", "", "green yellow", id="yellow-to-itself-from-most"),
        pytest.param("yellow", "green brown", "green/white", "", "white green", id="yellow-away-from-you"),
        pytest.param("yellow", "green brown", "red/green", "", "green red", id="yellow-away-from-your-most"),
        pytest.param("yellow", "brown green", "red/green", "", "red green", id="yellow-to-your-least"),
        pytest.param("yellow", "green brown", "red/green", "transfer red green, plug green supply", "red supply",
                     id="yellow-away-from-the-other-bot"),
    ],
)  # fmt: skip
def test_where_a_bot_transfers_power(
    turnlog: Turnlog, bot: str, aim: str, cable: str, turn: str, way: str
) -> None:
    """To itself; away from you; away from your Most; to your Least; away from the other bot (ruling 17)."""
    deck = [cable, *(agenda for agenda in SEVEN if agenda != cable)]
    answer = bot_at_the_board(turnlog, [deck], *([turn] if turn else []), bot=bot, aim=f"aim {aim}")

    source, target = way.split()
    assert facts_of(answer, "board-taken")[-1] == {"seat": 1 if bot == "red" else 2}
    assert facts_of(answer, "power-moved") == [
        {"seat": 1 if bot == "red" else 2, "source": source, "target": target}
    ]


def test_an_empty_appliance_forces_a_bots_transfer(turnlog: Turnlog) -> None:
    """Green without Power at the other end: red gives it one though it would rather have one (ruling 17)."""
    answer = bot_at_the_board(
        turnlog,
        [["green/yellow", "red/yellow"]],
        "transfer green yellow, plug yellow white",
        "transfer green white, plug white red",
    )

    assert facts_of(answer, "power-moved") == [{"seat": 1, "source": "red", "target": "green"}]


def test_a_bot_between_two_empty_appliances_moves_the_plugs_only(turnlog: Turnlog) -> None:
    """Both ends empty: nothing is transferred, and an Agenda is turned all the same."""
    answer = bot_at_the_board(
        turnlog,
        [["green/yellow", "red/yellow"]],
        "transfer green yellow, plug yellow brown",
        "transfer green brown, plug green yellow",
        "transfer brown yellow, plug yellow white",
        "transfer brown white, plug white red",
        "transfer brown red, plug red green",
    )

    kinds = kinds_of(answer)
    assert kinds[kinds.index("board-taken") :][:3] == ["board-taken", "nothing-moved", "agenda-turned"]
    assert facts_of(answer, "power-moved") == []
    assert turnlog.view("g")["cable"] == ["red", "yellow"]


def test_a_bot_moves_both_plugs_to_the_next_agenda(turnlog: Turnlog) -> None:
    """The top Agenda is turned and both plugs go where it says, even where that moves neither end you left."""
    answer = bot_at_the_board(turnlog, [["red/green", "yellow/brown", "green/white"]])

    assert facts_of(answer, "agenda-turned") == [{"seat": 1, "agenda": "yellow/brown", "plugged": True}]
    assert turnlog.view("g")["cable"] == ["yellow", "brown"]


def test_an_agenda_that_the_cable_shows_already_is_discarded(turnlog: Turnlog) -> None:
    """The turned Agenda equals the cable's place, its plugs in either order: the next one is turned (18)."""
    answer = bot_at_the_board(
        turnlog, [["green/yellow", "red/green", "white/brown"]], "transfer green yellow, plug yellow red"
    )

    assert facts_of(answer, "agenda-turned") == [
        {"seat": 1, "agenda": "red/green", "plugged": False},
        {"seat": 1, "agenda": "white/brown", "plugged": True},
    ]
    assert turnlog.view("g")["cable"] == ["white", "brown"]


#: A round in which lucia wins all tricks and both bots tie for the lowest card of each.
_TIED = ("R2 R3 R4 R5 R6 R7 R8 R9", "Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8", "W1 W2 W3 W4 W5 W6 W7 W8")
_TIED_MOVES = [move for card in cards(_TIED[0]) for move in (f"play {card}", "point")]


def test_the_agenda_deck_is_reshuffled_from_the_discards_when_it_is_empty(turnlog: Turnlog) -> None:
    """The first Agenda is at the bottom and turned last; then the seven discards are shuffled, and one that the
    cable shows already is discarded of the new deck, too (ruling 18).
    """
    again = [SEVEN[0], *SEVEN[:0:-1]]
    game = solo(turnlog, _TIED, agendas=[SEVEN, again])

    answers = run(turnlog, game, _TIED_MOVES[:8])

    board = [facts_of(answer, "agenda-turned") for answer in answers if facts_of(answer, "agenda-turned")]
    assert [[(fact["seat"], fact["agenda"], fact["plugged"]) for fact in turn] for turn in board] == [
        [(2, SEVEN[1], True), (1, SEVEN[2], True)],
        [(2, SEVEN[3], True), (1, SEVEN[4], True)],
        [(2, SEVEN[5], True), (1, SEVEN[6], True)],
        [(2, SEVEN[0], True), (1, SEVEN[0], False), (1, SEVEN[6], True)],
    ]
    assert [fact["deck"] for fact in logged(turnlog, game, "agendas-shuffled")] == [[*SEVEN], again]
    assert [fact["deck"] for fact in logged(turnlog, game, "agendas-shuffled", "lucia")] == [["?/?"] * 7] * 2


# scoring and the next round -----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wanted", "then", "aimed"),
    [
        pytest.param((4, 1, 2, 1, 2), (1, 3, 2, 3, 2), ("brown", "green"), id="brown-lower"),
        pytest.param((2, 2, 2, 1, 3), (2, 2, 2, 3, 1), ("brown", "green"), id="brown-had-the-most"),
        pytest.param((2, 3, 2, 1, 2), (2, 1, 2, 3, 2), ("green", "brown"), id="green-had-the-most"),
    ],
)
def test_a_new_rounds_weaker_of_green_and_brown_becomes_most(
    turnlog: Turnlog, wanted: tuple[int, ...], then: tuple[int, ...], aimed: tuple[str, str]
) -> None:
    """Levels are reset, the weaker of the two becomes Most, then the deck is shuffled and cards dealt (20)."""
    own = "W5 W4 G4 G3 W3 Y5 Y4 Y3"
    game = solo(turnlog, [own, *_ROWS], agendas=[["red/green"], ["yellow/brown"]])

    answer = run(turnlog, game, red_wins_all(own, steered(wanted)))[-1]

    assert facts_of(answer, "round-began") == [{"round": 2, "starter": 1, "levels": [*then]}]
    assert facts_of(answer, "aimed") == [{"seat": 0, "most": aimed[0], "least": aimed[1]}]
    kinds = kinds_of(answer)
    assert kinds[kinds.index("round-began"):][:8] == [
        "round-began", "aimed", "agendas-shuffled", "cable-set", "cards-dealt", "cards-dealt", "cards-dealt",
        "turn-began",
    ]  # fmt: skip
    view = turnlog.view(game)
    assert levels(view) == dict(zip(APPLIANCES, then, strict=True))
    assert (view["cable"], view["starter"]) == (["yellow", "brown"], "red")
    assert [play["seat"] for play in view["trick"]] == ["red", "yellow"], "the bot leads, the other follows"
    assert turnlog.json("show", game)["to_move"] == ["lucia"]


def test_green_and_brown_level_the_person_aims_anew(turnlog: Turnlog) -> None:
    """At a new round with the two level the person chooses, before the deal; captured cards are at hand."""
    own = "W5 W2 G4 G3 W3 Y5 Y4 Y3"
    game = solo(turnlog, [own, *_ROWS], agendas=[["red/green"], ["yellow/brown"]])

    answer = run(turnlog, game, red_wins_all(own, steered(START)))[-1]

    assert kinds_of(answer)[-2:] == ["round-began", "aim-due"]
    shown = turnlog.json("show", game)
    assert (shown["to_move"], shown["view"]["phase"]) == (["lucia"], "aim")
    assert shown["view"]["hands"] == {"lucia": [], "red": ["W?"], "yellow": []}
    refused(turnlog, game, "play W5")
    play(turnlog, game, "aim brown green")
    view = turnlog.view(game)
    assert (view["agendas"]["lucia"]["most"], view["cable"]) == ("brown", ["yellow", "brown"])
    assert view["trick"][0] == {"seat": "red", "card": "W2"}


def test_the_persons_captured_cards_are_in_the_next_hand(turnlog: Turnlog) -> None:
    """A capture of one's own, of a bot's card, and five or more new ones, as for everybody."""
    second = ["G1 G2 G3 G4 G5 G6", _TIED[1], "W1 W2 W4 W5 W6 W7 W8 W9"]
    stack = turnlog.stack(regime_deck=[deal(*_TIED), deal(*second)], agenda_deck=[list(SEVEN)] * 20)
    turnlog.json("create", "power-vacuum", "-p", "lucia", "--stack", stack, "--id", "g")
    turnlog.json("play", "g", "aim green brown")
    moves = ["capture R3" if move == "point" and number == 3 else move for number, move in enumerate(_TIED_MOVES)]
    moves[5] = "capture W3"

    run(turnlog, "g", moves)

    view = turnlog.view("g", "lucia")
    assert view["round"] == 2
    assert view["hand"] == cards("W3 G1 G2 G3 G4 G5 G6 R3")
    assert view["captured"]["lucia"] == []
    assert view["scores"]["lucia"] == 6 + sum(
        fact["points"] for kind in ("power-grabbed", "agenda-scored")
        for fact in logged(turnlog, "g", kind) if fact["seat"] == 0
    )  # fmt: skip


def test_alone_nobody_conspires(turnlog: Turnlog) -> None:
    """Each right half scores the marker, of the bots and the person; markers and Agendas stay for ever."""
    own = "W5 W4 G4 G3 W3 Y5 Y4 Y3"
    game = solo(turnlog, [own, *_ROWS], agendas=[["red/green"], ["red/green"]], options=["difficulty=easier"])

    answer = run(turnlog, game, red_wins_all(own, steered((3, 3, 2, 1, 2))))[-1]

    assert facts_of(answer, "levels-marked") == [{"most": ["red", "green"], "least": ["white"]}]
    assert facts_of(answer, "power-grabbed") == [
        {"seat": 0, "points": 1}, {"seat": 1, "points": 3}, {"seat": 2, "points": 2},
    ]  # fmt: skip
    assert facts_of(answer, "agenda-scored") == [
        {"seat": 0, "most_right": True, "least_right": False, "points": 8},
        {"seat": 1, "most_right": True, "least_right": True, "points": 10},
        {"seat": 2, "most_right": False, "least_right": True, "points": 5},
    ]
    view = turnlog.view(game)
    assert view["scores"] == {"lucia": 1 + 8, "red": 8 + 3 + 10, "yellow": 2 + 5}
    assert [a["marker"] for a in view["agendas"].values()] == [8, 5, 5]
    assert [a["agenda"] for a in view["agendas"].values()] == ["green/brown", "red/white", "yellow/white"]


def test_the_starting_seat_rotates_through_the_bots(turnlog: Turnlog) -> None:
    """Rounds 1 to 4 are started by the person, red, yellow and the person again (rulings 13 and 14)."""
    game = solo(turnlog, _TIED, rounds=[_TIED] * 3, agendas=[SEVEN] * 20)

    run(turnlog, game, _TIED_MOVES * 3)

    assert [fact["starter"] for fact in logged(turnlog, game, "round-began")] == [0, 1, 2, 0]


@pytest.mark.parametrize(
    ("difficulty", "rounds", "result"),
    [
        pytest.param(
            "medium",
            [(8, 18, 8), (17, 21, 8), (26, 30, 26), (35, 41, 28)],
            {
                "winners": ["red"],
                "scores": {"lucia": 35, "red": 41, "yellow": 28},
                "reason": "completed the Statue",
            },
            id="a-bot-wins",
        ),
        pytest.param(
            "easier",
            [(8, 14, 6), (17, 17, 6), (26, 24, 20), (35, 33, 22), (52, 46, 35)],
            {
                "winners": ["lucia"],
                "scores": {"lucia": 52, "red": 46, "yellow": 35},
                "reason": "most points of those who completed their Statue",
            },
            id="the-person-wins",
        ),
    ],
)
def test_a_whole_solo_game_by_script(
    turnlog: Turnlog, difficulty: str, rounds: list[tuple[int, ...]], result: dict[str, Any]
) -> None:
    """A script plays a solo game to its end: lucia takes every trick as a point, the bots run the board."""
    stack = turnlog.stack(regime_deck=[deal(*_TIED)] * 5, agenda_deck=[list(SEVEN)] * 20)
    create = f"create power-vacuum -p lucia -o difficulty={difficulty} --seed solo --id g --stack {stack}"
    script = turnlog.db.with_name("game.txt")
    script.write_text("\n".join([create, "aim green brown", *_TIED_MOVES * len(rounds)]))

    answers = turnlog.ok("run", script, "--json").lines

    scored = dict.fromkeys(("lucia", "red", "yellow"), 0)
    totals = []
    for answer in answers:
        for fact in facts_of(answer):
            kind = fact["type"].removeprefix("power-vacuum.")
            points = {"point-taken": 1, "power-grabbed": fact.get("points"), "agenda-scored": fact.get("points")}
            scored[list(scored)[fact.get("seat", 0)]] += points.get(kind) or 0
            if kind == "agenda-scored" and fact["seat"] == 2:
                totals.append(tuple(scored.values()))
    assert totals == rounds
    assert scored == result["scores"]
    assert answers[-1]["result"] == result
    assert turnlog.ok("verify", "g", "--json").json["over"] is True
