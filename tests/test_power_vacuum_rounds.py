"""Power Vacuum: set-up, Agendas, the end of a round, Statues, the next round, the end of the game. Rulebook,
"Setup" and "Agenda Cards" to "Win the Game"; rulings 2, 3 and 9 to 13, 21.
"""

import json
from collections.abc import Mapping, Sequence
from typing import Any

import pytest

from tests.conftest import Turnlog
from tests.power_vacuum_tables import (
    APPLIANCES,
    SEATS,
    START,
    cards,
    deal,
    duel,
    duel_hands,
    facts_of,
    filled,
    kinds_of,
    legal,
    levels,
    logged,
    moves_of,
    play,
    refused,
    run,
    start,
    steered,
)

#: Agendas of lucia (white) and fritz (red), and the cable.
DUEL = ("red/white", "yellow/brown", "red/green")


def start_duel(turnlog: Turnlog, *winners: str, agendas: Sequence[str] = DUEL, options: Sequence[str] = ()) -> str:
    """Creates a game of lucia and fritz with the hands of `duel` for so many rounds."""
    deals = [(duel_hands(w), list(agendas[:2]), agendas[2]) for w in winners]
    (hands, mine, cable), *more = deals
    return start(turnlog, hands, agendas=mine, cable=cable, rounds=more, options=options)


def duelled(
    turnlog: Turnlog,
    wanted: tuple[int, ...],
    winners: str = "LLLLLLLL",
    *,
    agendas: Sequence[str] = DUEL,
    reveals: Mapping[tuple[str, int], str] | None = None,
) -> tuple[str, Any]:
    """A round of lucia and fritz that ends with the levels `wanted`; gives the game and the last move's answer."""
    game = start_duel(turnlog, winners, agendas=agendas)
    return game, run(turnlog, game, duel(winners, steered(wanted), reveals=reveals))[-1]


# set-up -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 3, 4, 5])
def test_the_set_up_for_2_to_5_seats(turnlog: Turnlog, count: int) -> None:
    """Eight cards and one Agenda each, two Power at all five Appliances, the cable by the next Agenda."""
    agendas = ["red/green", "red/yellow", "red/white", "red/brown", "green/yellow", "green/white"]
    stack = turnlog.stack(agenda_deck=[agendas])
    names = SEATS[:count]
    turnlog.json("create", "power-vacuum", *(w for n in names for w in ("-p", n)), "--stack", stack, "--id", "g")

    view = turnlog.view("g", "referee")

    dealt = [card for name in names for card in view["hands"][name]]
    assert [len(view["hands"][name]) for name in names] == [8] * count
    assert len(set(dealt)) == 8 * count
    assert {card[0] for card in dealt} <= set("YWGRB")
    assert levels(view) == dict.fromkeys(APPLIANCES, 2)
    assert [view["agendas"][name]["agenda"] for name in names] == agendas[:count]
    assert view["cable"] == agendas[count].split("/")
    assert {(a["most"], a["least"], a["marker"]) for a in view["agendas"].values()} == {(None, None, 14)}
    assert view["scores"] == view["statues"] == dict.fromkeys(names, 0)
    assert (view["round"], view["phase"], view["trick"], view["played"]) == (1, "turn", [], [])
    assert turnlog.json("show", "g")["to_move"] == [view["starter"]]


@pytest.mark.parametrize("count", [0, 6])
def test_other_numbers_of_seats_are_refused(turnlog: Turnlog, count: int) -> None:
    """The box holds five Appliance boards."""
    names = [*SEATS, "sixth"][:count]
    answer = turnlog("create", "power-vacuum", *(w for n in names for w in ("-p", n)), "--json")

    assert (answer.code, answer.out, answer.error["code"]) == (3, "", "setup-refused")
    assert answer.error["message"] == f"power-vacuum is for 1 to 5 seats, not {count}"


def test_hands_are_dealt_seat_by_seat_from_the_front(turnlog: Turnlog) -> None:
    """`regime-deck` deals a whole hand at a time; a hand is kept sorted Y W G R B."""
    hands = ["B1 R9 Y2 G1 W3 Y1 R1 W1", "Y9 Y8 Y7 W9 W8 W7 G9 G8", "B4 B3 B2 R2 R3 R4 R5 R6"]
    game = start(turnlog, hands)

    view = turnlog.view(game, "referee")

    assert view["hands"]["lucia"] == cards("Y1 Y2 W1 W3 G1 R1 R9 B1")
    assert view["hands"]["fritz"] == cards("Y7 Y8 Y9 W7 W8 W9 G8 G9")
    assert view["hands"]["bertrand"] == cards("R2 R3 R4 R5 R6 B2 B3 B4")


def test_all_forty_cards_and_ten_agendas_there_are(turnlog: Turnlog) -> None:
    """Five seats hold all forty Regime cards, each once, and five of the ten Agendas, all different."""
    turnlog.json("create", "power-vacuum", *(w for n in SEATS for w in ("-p", n)), "--id", "g", "--seed", 5)

    view = turnlog.view("g", "referee")

    assert sorted(card for hand in view["hands"].values() for card in hand) == sorted(
        [f"{suit}{n}" for suit in "YWGR" for n in range(1, 10)] + ["B1", "B2", "B3", "B4"]
    )
    pairs = [a["agenda"] for a in view["agendas"].values()] + ["/".join(view["cable"])]
    assert len(set(pairs)) == 6
    order = {name: place for place, name in enumerate(APPLIANCES)}
    assert all(order[one] < order[other] for one, other in (pair.split("/") for pair in pairs))


@pytest.mark.parametrize(("spelt", "meant"), [("white/red", "red/white"), ("red/white", "red/white")])
def test_a_stack_may_write_an_agenda_in_either_order(turnlog: Turnlog, spelt: str, meant: str) -> None:
    """An Agenda is an unordered pair, always shown in the order red green yellow white brown."""
    game = start(turnlog, ["", ""], agendas=[spelt, "yellow/brown"], cable="brown/green")

    assert turnlog.view(game, "lucia")["agendas"]["lucia"]["agenda"] == meant
    assert turnlog.view(game)["cable"] == ["green", "brown"]


# options ------------------------------------------------------------------------------------------------


def test_the_first_player_is_drawn(turnlog: Turnlog) -> None:
    """`first-player` is drawn among the seats (ruling 3): over some seeds each one starts, and the same seed
    starts the same one.
    """
    starters: dict[int, str] = {}
    for seed in [*range(12), 0, 1]:
        game = f"g{seed}-{seed in starters}"
        turnlog.json("create", "power-vacuum", "-p", "a", "-p", "b", "-p", "c", "--seed", seed, "--id", game)
        starter = turnlog.view(game)["starter"]
        assert starters.setdefault(seed, starter) == starter
    assert set(starters.values()) == {"a", "b", "c"}


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["-o", "first=fritz"], id="by-name"),
        pytest.param(["-o", "first=2"], id="by-number"),
        pytest.param(["--stack", '{"first-player": ["fritz"]}'], id="stacked"),
    ],
)
def test_the_first_player_named(turnlog: Turnlog, words: list[str]) -> None:
    """Option `first`, or a stacked `first-player`, names the starting seat."""
    names = [w for n in SEATS[:3] for w in ("-p", n)]
    answer = turnlog.json("create", "power-vacuum", *names, *words)

    assert answer["to_move"] == ["fritz"]
    assert facts_of(answer, "starter-drawn") == [{"seat": 1}]


def test_the_appliances_of_the_seats(turnlog: Turnlog) -> None:
    """Unasked white, red, yellow, green, brown from the first seat on (ruling 2); `appliances` assigns others."""
    names = [w for n in SEATS for w in ("-p", n)]
    turnlog.json("create", "power-vacuum", *names, "--id", "unasked")
    turnlog.json(
        "create", "power-vacuum", *names, "--id", "asked", "-o", "appliances=brown,green,red,white,yellow"
    )
    turnlog.json("create", "power-vacuum", *names[:4], "--id", "two", "-o", "appliances=brown,green")

    assert turnlog.view("unasked")["appliances"] == {
        "lucia": "white", "fritz": "red", "bertrand": "yellow", "ana": "green", "emil": "brown",
    }  # fmt: skip
    assert list(turnlog.view("asked")["appliances"].values()) == ["brown", "green", "red", "white", "yellow"]
    assert turnlog.view("two")["appliances"] == {"lucia": "brown", "fritz": "green"}


@pytest.mark.parametrize(
    ("option", "code", "says"),
    [
        pytest.param("appliances=white", 2, "option appliances names 2 or more", id="too-few-appliances"),
        pytest.param("appliances=white,white", 2, "option appliances names 2 or more", id="an-appliance-twice"),
        pytest.param("appliances=white,pink", 2, "option appliances names 2 or more", id="no-such-appliance"),
        pytest.param("appliances=", 2, "option appliances names 2 or more", id="no-appliances"),
        pytest.param("first=nobody", 2, "option first names a seat, not 'nobody'", id="no-such-seat"),
        pytest.param("first=3", 2, "option first names a seat, not '3'", id="no-such-number"),
        pytest.param("first=0", 2, "option first names a seat, not '0'", id="seats-count-from-1"),
        pytest.param("first=0000000012", 2, "option first names a seat, not '0000000012'", id="noughts"),
        pytest.param(
            "difficulty=medium", 3, "option difficulty is for a game of one seat", id="difficulty-is-solo"
        ),
        pytest.param("difficulty=hard", 2, "option difficulty is one of", id="no-such-difficulty"),
        pytest.param("colour=red", 2, "power-vacuum has no option 'colour'", id="no-such-option"),
    ],
)
def test_options_that_make_no_game(turnlog: Turnlog, option: str, code: int, says: str) -> None:
    """A wrong option is refused with its name, and no game is made."""
    answer = turnlog("create", "power-vacuum", "-p", "lucia", "-p", "fritz", "-o", option, "--json")

    assert (answer.code, answer.out) == (code, "")
    assert answer.error["message"].startswith(says)
    assert turnlog.ok("list", "--json").lines == []


# what a seat sees ---------------------------------------------------------------------------------------


def test_the_backs_of_other_hands_sorted(turnlog: Turnlog) -> None:
    """Another seat's hand shows as its backs sorted Y W G R, Spies by their disguise (rulings 1 and 21)."""
    game = start(turnlog, ["Y1", "B1 B2 B3 B4 R9 G9 W9 Y9"])

    for viewer in ("lucia", "spectator"):
        assert turnlog.view(game, viewer)["hands"]["fritz"] == cards("Y? Y? W? W? G? G? R? R?")
    assert turnlog.view(game, "fritz")["hand"] == cards("Y9 W9 G9 R9 B1 B2 B3 B4")
    assert turnlog.view(game)["hand"] == []


def test_a_hidden_agenda_is_its_seats_own_secret(turnlog: Turnlog) -> None:
    """Nobody but its seat and a referee sees a hidden Agenda; a revealed one all see."""
    game = start(turnlog, ["", ""], agendas=["red/white", "yellow/brown"])
    for viewer, seen in (("lucia", "red/white"), ("referee", "red/white"), ("fritz", "?/?"), ("spectator", "?/?")):
        assert turnlog.view(game, viewer)["agendas"]["lucia"]["agenda"] == seen

    play(turnlog, game, "reveal white red")

    for viewer in ("lucia", "referee", "fritz", "spectator"):
        assert turnlog.view(game, viewer)["agendas"]["lucia"] == {
            "agenda": "red/white", "most": "white", "least": "red", "marker": 8,
        }  # fmt: skip
        assert turnlog.view(game, viewer)["agendas"]["fritz"]["most"] is None


# revealing ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("held", [8, 7, 6, 5])
def test_an_agenda_is_revealed_with_five_cards_or_more(turnlog: Turnlog, held: int) -> None:
    """The marker goes to the number of cards in hand; the turn goes on with a card (example: Lucia with seven)."""
    game = start_duel(turnlog, "LLLLLLLL")
    moves = duel("LLLLLLLL", steered(START))
    run(turnlog, game, [*moves[: moves.index(f"lucia: play R{held + 1}")], "reveal red white"])

    view = turnlog.view(game)

    assert view["agendas"]["lucia"] == {"agenda": "red/white", "most": "red", "least": "white", "marker": held}
    assert len(view["hands"]["lucia"]) == held
    assert turnlog.json("show", game)["to_move"] == ["lucia"]
    assert legal(turnlog, game) == [f"play R{n}" for n in range(2, held + 2)]


def test_an_agenda_is_not_revealed_with_four_cards(turnlog: Turnlog) -> None:
    """Case: a hand of 4, `reveal`: refused; a conspirator's marker and Agenda stay."""
    game = start_duel(turnlog, "LLLLLLLL")
    moves = duel("LLLLLLLL", steered(START))
    run(turnlog, game, moves[: moves.index("lucia: play R5")])
    assert len(turnlog.view(game, "lucia")["hand"]) == 4

    error = refused(turnlog, game, "reveal red white")

    assert error["message"].startswith("with 4 cards in hand your Agenda stays hidden")
    assert legal(turnlog, game) == ["play R2", "play R3", "play R4", "play R5"]
    assert turnlog.view(game, "lucia")["agendas"]["lucia"]["marker"] == 14


@pytest.mark.parametrize(
    ("move", "says"),
    [
        pytest.param("reveal red brown", "your Agenda is red/white", id="another-agenda"),
        pytest.param("reveal yellow brown", "your Agenda is red/white", id="the-other-seats-agenda"),
        pytest.param("reveal red red", "your Agenda is red/white", id="one-appliance-twice"),
        pytest.param("reveal red supply", "your Agenda is red/white", id="the-supply"),
    ],
)
def test_only_the_own_agenda_is_revealed(turnlog: Turnlog, move: str, says: str) -> None:
    """Both directions of the own pair are on offer, nothing else."""
    game = start(turnlog, ["", ""], agendas=["red/white", "yellow/brown"])

    assert [m for m in legal(turnlog, game) if m.startswith("reveal")] == ["reveal red white", "reveal white red"]
    assert refused(turnlog, game, move)["message"].startswith(says)


def test_an_agenda_is_revealed_once_and_on_the_own_turn_only(turnlog: Turnlog) -> None:
    """Revealed, its direction stays; a card played, it is too late; out of turn it is refused."""
    game = start(turnlog, filled(["Y1", "Y2"], avoid="Y"), agendas=["red/white", "yellow/brown"])
    assert refused(turnlog, game, "reveal yellow brown", seat="fritz")["code"] == "not-yours"

    play(turnlog, game, "lucia: reveal red white")
    error = refused(turnlog, game, "reveal white red")
    assert error["message"] == "your Agenda is revealed already, and its direction stays"
    play(turnlog, game, "lucia: play Y1, fritz: reveal yellow brown, fritz: play Y2")

    assert "cannot be done now" in refused(turnlog, game, "reveal brown yellow")["message"]
    assert turnlog.view(game)["agendas"]["fritz"]["marker"] == 8


# scoring ------------------------------------------------------------------------------------------------

#: Levels at a round's end, by which halves of lucia's red/white are right when white shall have the most.
BOTH, MOST, LEAST, NEITHER = (1, 2, 2, 4, 2), (2, 1, 2, 4, 2), (1, 4, 2, 2, 2), (2, 1, 4, 2, 2)


@pytest.mark.parametrize(
    ("wanted", "held", "right", "points"),
    [
        pytest.param(BOTH, 8, (True, True), 16, id="both-at-8"),
        pytest.param(BOTH, 7, (True, True), 14, id="both-at-7"),
        pytest.param(BOTH, 6, (True, True), 12, id="both-at-6"),
        pytest.param(BOTH, 5, (True, True), 10, id="both-at-5"),
        pytest.param(MOST, 8, (True, False), 8, id="most-at-8"),
        pytest.param(LEAST, 5, (False, True), 5, id="least-at-5"),
        pytest.param(NEITHER, 6, (False, False), 0, id="neither-at-6"),
    ],
)
def test_each_right_half_scores_the_marker(
    turnlog: Turnlog, wanted: tuple[int, ...], held: int, right: tuple[bool, bool], points: int
) -> None:
    """A revealed Agenda scores 5 to 8 a right half, by the cards held when it was revealed."""
    _, answer = duelled(turnlog, wanted, reveals={("lucia", held): "reveal white red"})

    assert facts_of(answer, "agenda-scored")[0] == {
        "seat": 0, "most_right": right[0], "least_right": right[1], "points": points,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("wanted", "turned", "points"),
    [
        pytest.param(BOTH, ("white", "red"), 14, id="both-turned-round"),
        pytest.param((4, 2, 2, 1, 2), ("red", "white"), 14, id="both-as-it-lies"),
        pytest.param(MOST, None, 0, id="most-only"),
        pytest.param(LEAST, None, 0, id="least-only"),
        pytest.param(NEITHER, None, 0, id="neither"),
    ],
)
def test_a_conspirator_scores_14_or_nothing(
    turnlog: Turnlog, wanted: tuple[int, ...], turned: tuple[str, str] | None, points: int
) -> None:
    """A hidden Agenda is turned at the round's end in the direction that scores, if one does (ruling 9)."""
    _, answer = duelled(turnlog, wanted)

    revealed = facts_of(answer, "agenda-revealed")[0]
    assert (revealed["seat"], revealed["marker"]) == (0, 14)
    assert {revealed["most"], revealed["least"]} == {"red", "white"}
    if turned is not None:
        assert (revealed["most"], revealed["least"]) == turned
    assert facts_of(answer, "agenda-scored")[0]["points"] == points


@pytest.mark.parametrize(
    ("wanted", "most", "least"),
    [
        pytest.param((1, 2, 2, 4, 2), ["white"], ["red"], id="one-each"),
        pytest.param((3, 1, 3, 1, 2), ["red", "yellow"], ["green", "white"], id="ties-are-friendly"),
        pytest.param((2, 2, 2, 2, 3), ["brown"], ["red", "green", "yellow", "white"], id="four-least"),
        pytest.param((2, 0, 2, 2, 2), ["red", "yellow", "white", "brown"], ["green"], id="four-most"),
    ],
)
def test_the_appliances_with_most_and_least_power_are_marked(
    turnlog: Turnlog, wanted: tuple[int, ...], most: list[str], least: list[str]
) -> None:
    """All that are level at the top, and at the bottom, get a marker; each starts again with 1, 3 or else 2."""
    # An odd sum cannot be reached by eight turns along the two Appliances alone: the Supply comes in.
    game, answer = duelled(turnlog, wanted)

    assert facts_of(answer, "levels-marked") == [{"most": most, "least": least}]
    assert levels(turnlog.view(game)) == {a: 1 if a in most else 3 if a in least else 2 for a in APPLIANCES}
    assert turnlog.view(game)["round"] == 2


@pytest.mark.parametrize(
    ("reveals", "points"),
    [
        pytest.param({}, [14, 14], id="hidden"),
        pytest.param({("lucia", 8): "reveal white red", ("fritz", 5): "reveal brown yellow"}, [16, 10], id="open"),
    ],
)
@pytest.mark.parametrize("level", [2, 3])
def test_all_level_makes_every_half_right(
    turnlog: Turnlog, level: int, reveals: dict[tuple[str, int], str], points: list[int]
) -> None:
    """All five level: no markers, all Agendas right in both halves, and all start again at 2 (ruling 12)."""
    game, answer = duelled(turnlog, (level,) * 5, reveals=reveals)

    assert facts_of(answer, "levels-marked") == [{"most": [], "least": []}]
    assert [fact["points"] for fact in facts_of(answer, "agenda-scored")] == points
    assert all(fact["most_right"] and fact["least_right"] for fact in facts_of(answer, "agenda-scored"))
    assert levels(turnlog.view(game)) == dict.fromkeys(APPLIANCES, 2)


def test_the_rulebooks_end_of_round_scoring(turnlog: Turnlog) -> None:
    """Case: levels Brown 4, White 3, Yellow 3, Red 2, Green 2; red: hidden brown/red, no trick; white:
    yellow/green at 7, two points; yellow: hidden white/red, four points. Red 16, white 12, yellow 7.
    """
    game = start(
        turnlog,
        ["R9 R8 R7 R6 R5 R4 R3 R2", "Y1 W1 G1 Y2 W2 G2 Y3 W3", "B4 B3 B2 B1 Y9 W9 G9 Y8"],
        seats=["lucia", "bertrand", "fritz"],
        agendas=["yellow/green", "red/brown", "red/white"],
        options=["appliances=white,red,yellow"],
    )
    tricks = [
        "lucia: play R9, bertrand: play Y1, fritz: play Y9, lucia: capture R9",
        "lucia: reveal yellow green, lucia: play R8, bertrand: play W1, fritz: play W9, lucia: capture W1",
        "lucia: play R7, bertrand: play G1, fritz: play G9, lucia: point",
        "lucia: play R6, bertrand: play Y2, fritz: play Y8, lucia: point",
        "lucia: play R5, bertrand: play Y3, fritz: play B4, fritz: point",
        "fritz: play B3, lucia: play R4, bertrand: play W2, fritz: point",
        "fritz: play B2, lucia: play R3, bertrand: play W3, fritz: point",
        "fritz: play B1, lucia: play R2, bertrand: play G2, fritz: point",
    ]
    board = steered((2, 2, 3, 3, 4))

    moves = [move for trick, turn in zip(tricks, board, strict=True) for move in (*moves_of(trick), *turn)]
    answer = run(turnlog, game, moves)[-1]

    assert facts_of(answer, "levels-marked") == [{"most": ["brown"], "least": ["red", "green"]}]
    assert [fact["points"] for fact in facts_of(answer, "power-grabbed")] == [3, 2, 3]
    assert facts_of(answer, "agenda-revealed")[0] == {"seat": 1, "most": "brown", "least": "red", "marker": 14}
    assert [fact["points"] for fact in facts_of(answer, "agenda-scored")] == [7, 14, 0]
    assert turnlog.view(game)["scores"] == {"lucia": 12, "bertrand": 16, "fritz": 7}


def test_a_round_ends_in_the_rulebooks_order(turnlog: Turnlog) -> None:
    """After eight tricks: levels, Power, hidden Agendas, scoring, Statues, and the next round's set-up."""
    game, answer = duelled(turnlog, BOTH, reveals={("lucia", 8): "reveal white red"})

    assert kinds_of(answer) == [
        "plug-moved",
        "levels-marked",
        "power-grabbed", "power-grabbed",
        "agenda-revealed",
        "agenda-scored", "agenda-scored",
        "piece-taken", "piece-taken",
        "round-began",
        "cards-dealt", "cards-dealt",
        "agenda-dealt", "agenda-dealt",
        "cable-set",
        "turn-began",
    ]  # fmt: skip
    assert facts_of(answer, "agenda-revealed")[0]["seat"] == 1, "lucia's lay open"
    assert len(logged(turnlog, game, "trick-won")) == 8


def test_the_power_of_the_own_appliance_is_grabbed(turnlog: Turnlog) -> None:
    """Each seat scores the Power of its own Appliance; that of Appliances without a player goes to nobody."""
    game, answer = duelled(turnlog, (1, 2, 4, 2, 3))

    assert facts_of(answer, "power-grabbed") == [{"seat": 0, "points": 2}, {"seat": 1, "points": 1}]
    assert turnlog.view(game)["scores"] == {"lucia": 8 + 2, "fritz": 1}


def test_the_appliances_option_moves_the_grab(turnlog: Turnlog) -> None:
    """With other Appliances assigned the same levels score otherwise."""
    game = start_duel(turnlog, "LLLLLLLL", options=["appliances=yellow,brown"])

    run(turnlog, game, duel("LLLLLLLL", steered((1, 2, 4, 2, 3))))

    assert turnlog.view(game)["scores"] == {"lucia": 8 + 4, "fritz": 3}


# Statue pieces ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("winners", "taken"),
    [
        pytest.param("FLLLLLLL", [(0, 1), (1, 1), (0, 2)], id="from-lucia"),
        pytest.param("LLLLLLLF", [(1, 1), (0, 1), (0, 2)], id="from-fritz"),
    ],
)
def test_statue_pieces_are_taken_one_at_a_time_from_the_last_tricks_winner(
    turnlog: Turnlog, winners: str, taken: list[tuple[int, int]]
) -> None:
    """One piece at a time in turn order, round after round while anyone holds ten points (ruling 10)."""
    # lucia: 7 tricks, 16 of the Agenda, 4 Power; fritz: 1 trick, 14 of a conspiracy, 0 Power.
    game, answer = duelled(
        turnlog, (0, 2, 0, 4, 2), winners,
        agendas=("red/white", "yellow/white", "red/green"),
        reveals={("lucia", 8): "reveal white red"},
    )  # fmt: skip

    assert [(f["seat"], f["piece"]) for f in facts_of(answer, "piece-taken")] == taken
    view = turnlog.view(game)
    assert view["scores"] == {"lucia": 7 + 16 + 4, "fritz": 1 + 14}
    assert view["statues"] == {"lucia": 2, "fritz": 1}, "a piece counts 10, the rest are kept"


def test_less_than_ten_points_buy_no_piece(turnlog: Turnlog) -> None:
    """Nine points are kept as they are."""
    game, answer = duelled(turnlog, (2, 3, 2, 1, 2), agendas=("red/white", "yellow/brown", "red/green"))

    assert facts_of(answer, "piece-taken") == []
    assert turnlog.view(game)["scores"] == {"lucia": 9, "fritz": 2}
    assert turnlog.view(game)["statues"] == {"lucia": 0, "fritz": 0}


# the next round -----------------------------------------------------------------------------------------


def test_a_new_round_is_set_up_anew(turnlog: Turnlog) -> None:
    """New cards, new Agendas hidden at 14, the cable by the next Agenda, an empty table, points kept."""
    hands, other = duel_hands("LLLLLLLL"), ["Y9 W9 G9 B4 Y8 W8 G8 B3", "Y7 W7 G7 R9 Y6 W6 G6 R8"]
    game = start(
        turnlog, hands, agendas=list(DUEL[:2]), rounds=[(other, ["green/brown", "red/yellow"], "white/brown")]
    )
    run(turnlog, game, duel("LLLLLLLL", steered(BOTH), reveals={("lucia", 6): "reveal white red"}))

    view = turnlog.view(game, "referee")

    assert (view["round"], view["phase"], view["trick"], view["played"]) == (2, "turn", [], [])
    assert view["hands"] == {
        "lucia": cards("Y8 Y9 W8 W9 G8 G9 B3 B4"), "fritz": cards("Y6 Y7 W6 W7 G6 G7 R8 R9"),
    }  # fmt: skip
    assert view["agendas"] == {
        "lucia": {"agenda": "green/brown", "most": None, "least": None, "marker": 14},
        "fritz": {"agenda": "red/yellow", "most": None, "least": None, "marker": 14},
    }
    assert view["cable"] == ["white", "brown"]
    assert view["scores"] == {"lucia": 8 + 4 + 12, "fritz": 1}
    assert legal(turnlog, game)[-2:] == ["reveal red yellow", "reveal yellow red"]


def test_the_next_seat_starts_the_next_round(turnlog: Turnlog) -> None:
    """Round n+1 starts with the seat after the one that started round n, whoever won tricks (ruling 13)."""
    hands = filled(["R9 R8 R7 R6 R5 R4 R3 R2", "Y3 W3 Y2 W2 G2 Y1 W1 G1", "Y9 Y8 Y7 W9 W8 W7 G9 G8"])
    aside = ["red/brown", "yellow/brown", "white/brown"]
    game = start(turnlog, hands, agendas=aside, first="bertrand", rounds=[(hands, aside, "red/green")] * 2)
    starters = []
    for first in ("bertrand", "lucia", "fritz"):
        view = turnlog.view(game)
        starters.append(view["starter"])
        assert turnlog.json("show", game)["to_move"] == [first]
        now = tuple(view["levels"][a] for a in APPLIANCES)
        wanted = (3, 2, 2, 1, 2) if now == START else now
        order = [SEATS[(SEATS.index(first) + step) % 3] for step in range(3)]
        moves = []
        for number, board in enumerate(steered(wanted, now=now)):
            mine = {seat: cards(hand)[number] for seat, hand in zip(SEATS, hands, strict=False)}
            moves += [f"{seat}: play {mine[seat]}" for seat in order] + ["lucia: point", *board]
            order = ["lucia", "fritz", "bertrand"]
        run(turnlog, game, moves)
    assert starters == ["bertrand", "lucia", "fritz"]
    assert [fact["starter"] for fact in logged(turnlog, game, "round-began")] == [2, 0, 1, 2]


def start_and_capture(turnlog: Turnlog, second: str) -> tuple[str, list[str]]:
    """A game in which lucia captures three cards and fritz one, and the moves of its first round.

    :param second: how the deck of the second round is to begin
    """
    game = start(
        turnlog, duel_hands("LLLLFLLL"), agendas=list(DUEL[:2]), rounds=[([second], list(DUEL[:2]), DUEL[2])]
    )
    spoils = {1: "capture {lucia}", 2: "capture {fritz}", 3: "capture {lucia}", 5: "capture {fritz}"}
    return game, duel("LLLLFLLL", steered(START), spoils=spoils)


def test_captured_cards_are_in_the_next_hand(turnlog: Turnlog) -> None:
    """Example: three captured, five new cards make a hand of eight; the new ones come in seat order."""
    game, moves = start_and_capture(turnlog, "W9 W8 W7 W6 W5 G9 G8 G7 G6 G5 G4 G3")
    captured = [move.split()[-1] for move in moves if "capture" in move]
    assert [card[0] for card in captured] == ["R", captured[1][0], "R", "B"]

    run(turnlog, game, moves[:-1])
    view = turnlog.view(game)
    assert view["captured"] == {"lucia": captured[:3], "fritz": captured[3:]}
    assert not {*captured} & {*view["played"]}
    answer = turnlog.play(game, moves[-1])

    assert facts_of(answer, "cards-dealt")[0] == {
        "seat": 0, "cards": cards("W? W? W? W? W?"), "backs": cards("W? W? W? W? W?"),
    }, "fritz, who moved, is told no more than he may see"  # fmt: skip
    assert facts_of(answer, "cards-dealt")[1] == {
        "seat": 1, "cards": cards("G3 G4 G5 G6 G7 G8 G9"), "backs": ["G?"] * 7,
    }  # fmt: skip
    view = turnlog.view(game, "referee")
    assert sorted(view["hands"]["lucia"]) == sorted([*captured[:3], *cards("W5 W6 W7 W8 W9")])
    assert sorted(view["hands"]["fritz"]) == sorted([*captured[3:], *cards("G3 G4 G5 G6 G7 G8 G9")])
    assert view["captured"] == {"lucia": [], "fritz": []}
    assert view["scores"]["lucia"] == 4 + 2 + 14, "four points of seven tricks won; nothing for a capture"


def test_captured_cards_are_not_dealt_again(turnlog: Turnlog) -> None:
    """They are no part of the deck: by chance no card is there twice, and a stack that names one is refused."""
    game, moves = start_and_capture(turnlog, "")
    run(turnlog, game, moves)
    view = turnlog.view(game, "referee")
    dealt = [card for hand in view["hands"].values() for card in hand]
    assert len(dealt) == len(set(dealt)) == 16
    assert {m.split()[-1] for m in moves if "capture" in m} <= set(dealt)


def test_a_stacked_deck_that_names_a_captured_card_is_refused_at_that_move(turnlog: Turnlog) -> None:
    """The move that ends the round is refused with exit 3 and nothing is appended; others can still be made."""
    game, moves = start_and_capture(turnlog, "B1")
    assert "fritz: capture B1" in moves
    run(turnlog, game, moves[:-1])
    last = moves[-1].removeprefix("fritz: ")

    error = refused(turnlog, game, last)

    assert error["code"] == "stack-misfit"
    assert error["message"] == "the stack's outcome 2 of 'regime-deck' does not fit: 'B1' is not there"
    assert last in legal(turnlog, game)


# the end of the game ------------------------------------------------------------------------------------

#: The levels of a second round that begins as a first one does.
LEVEL = steered(START)


def test_a_completed_statue_wins_after_the_round_and_not_in_the_middle_of_it(turnlog: Turnlog) -> None:
    """Forty points in the middle of a round end nothing; at its end the fourth piece ends the game."""
    game = start_duel(turnlog, "LLLLLLLL", "LLLLLLLL")
    first = duel("LLLLLLLL", steered((0, 1, 1, 9, 2)), reveals={("lucia", 8): "reveal white red"})
    run(turnlog, game, first)
    assert turnlog.view(game)["scores"] == {"lucia": 8 + 16 + 9, "fritz": 0}
    assert turnlog.view(game)["statues"] == {"lucia": 3, "fritz": 0}
    second = duel("LLLLLLLL", steered((3, 2, 2, 3, 1), now=(3, 2, 2, 1, 2)), leader="fritz")
    last = max(place for place, move in enumerate(second) if move.startswith("lucia: play"))

    run(turnlog, game, second[:last])
    shown = turnlog.json("show", game)
    assert shown["view"]["scores"]["lucia"] == 40
    assert (shown["result"], shown["to_move"], shown["view"]["statues"]["lucia"]) == (None, ["lucia"], 3)
    answer = run(turnlog, game, second[last:])[-1]

    assert [fact["piece"] for fact in facts_of(answer, "piece-taken")] == [4]
    assert facts_of(answer, "game-ended") == [{"winners": [0], "scores": [41 + 3, 3]}]
    assert (answer["to_move"], answer["result"]) == (
        [],
        {"winners": ["lucia"], "scores": {"lucia": 44, "fritz": 3}, "reason": "completed the Statue"},
    )


@pytest.mark.parametrize(
    ("winners", "result"),
    [
        pytest.param(
            "LLLLLFFF",
            {
                "winners": ["lucia"],
                "scores": {"lucia": 2 * (5 + 2 + 16), "fritz": 2 * (3 + 2 + 16)},
                "reason": "most points of those who completed their Statue",
            },
            id="the-higher-total-wins",
        ),
        pytest.param(
            "LLLLFFFF",
            {
                "winners": ["lucia", "fritz"],
                "scores": {"lucia": 44, "fritz": 44},
                "reason": "Statues completed in the same round, level on points",
            },
            id="a-tie-is-shared",
        ),
    ],
)
def test_two_finishers(turnlog: Turnlog, winners: str, result: dict[str, Any]) -> None:
    """Of several who finish in one round the higher total wins; level again they share the win (ruling 11)."""
    reveals = {("lucia", 8): "reveal white red", ("fritz", 8): "reveal yellow brown"}
    game = start_duel(turnlog, winners, winners)
    run(turnlog, game, duel(winners, LEVEL, reveals=reveals))

    answer = run(turnlog, game, duel(winners, LEVEL, reveals=reveals, leader="fritz"))[-1]

    assert answer["result"] == result
    assert turnlog.json("show", game)["result"] == result
    assert turnlog.view(game)["statues"] == {"lucia": 4, "fritz": 4}, "only one piece of each level"


def test_a_game_that_is_over_takes_no_move(turnlog: Turnlog) -> None:
    """Over, nobody is to move, `moves` is empty and every seat's move is refused."""
    reveals = {("lucia", 8): "reveal white red"}
    game = start_duel(turnlog, "LLLLLLLL", "LLLLLLLL")
    run(turnlog, game, duel("LLLLLLLL", steered(BOTH), reveals=reveals))
    assert turnlog.view(game)["scores"]["lucia"] == 28
    again = steered((2, 2, 2, 3, 2), now=(3, 2, 2, 1, 2))
    answer = run(turnlog, game, duel("LLLLLLLL", again, leader="fritz", reveals=reveals))[-1]
    assert answer["result"]["scores"]["lucia"] == 28 + 8 + 16 + 3

    document = turnlog.json("moves", game)

    assert (document["seat"], document["moves"], document["complete"]) == (None, [], True)
    for seat in ("lucia", "fritz"):
        assert turnlog.json("moves", game, "--as", seat)["moves"] == []
        error = refused(turnlog, game, "play R9", seat=seat)
        assert (error["code"], error["message"]) == ("illegal-move", "the game is over: completed the Statue")
    view = turnlog.view(game)
    assert (view["phase"], view["hands"]) == ("over", {"lucia": [], "fritz": []})
    assert [row["state"] for row in turnlog.ok("list", "--json").lines] == ["over"]


def test_a_whole_game_of_two_by_script(turnlog: Turnlog) -> None:
    """A script creates a game and plays it to its end: a round to each, and lucia's Statue first."""
    hands = [*duel_hands("LLLLLFFF")]
    stack = {
        "regime-deck": [deal(*hands)] * 3,
        "agenda-deck": [["red/white", "yellow/brown", "red/green"]] * 3,
        "first-player": ["lucia"],
    }
    rounds = [
        # white most, red least: lucia 5 + 4 + 12; fritz 3 + 1 + 0
        duel("LLLLLFFF", steered(BOTH), reveals={("lucia", 6): "reveal white red"}),
        # yellow most, brown least: lucia 5 + 1 + 0; fritz 3 + 2 + 14 by conspiracy; levels begin at 3 2 2 1 2
        duel("LLLLLFFF", steered((2, 2, 4, 1, 0), now=(3, 2, 2, 1, 2)), leader="fritz"),
        # white most, red least again: lucia 5 + 6 + 16; fritz 3; levels begin at 2 2 1 2 3
        duel(
            "LLLLLFFF", steered((0, 1, 1, 6, 2), now=(2, 2, 1, 2, 3)), reveals={("lucia", 8): "reveal white red"}
        ),
    ]
    script = turnlog.db.with_name("game.txt")
    script.write_text(
        f"# a whole game\ncreate power-vacuum -p lucia -p fritz --seed s --id g --stack '{json.dumps(stack)}'\n\n"
        + "\n# the next round\n".join("\n".join(moves) for moves in rounds)
    )

    answers = turnlog.ok("run", script, "--json").lines

    assert len(answers) == 1 + sum(map(len, rounds))
    assert [a["result"] for a in answers[:-1]] == [None] * (len(answers) - 1)
    assert answers[-1]["result"] == {
        "winners": ["lucia"],
        "scores": {"lucia": 21 + 6 + 27, "fritz": 4 + 19 + 3},
        "reason": "completed the Statue",
    }
    assert [fact["round"] for fact in logged(turnlog, "g", "round-began")] == [1, 2, 3]
    assert turnlog.ok("verify", "g", "--json").json["over"] is True
