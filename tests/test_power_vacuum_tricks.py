"""Power Vacuum: following, winning a trick, its spoils, and the Control Board. Rulebook, "Playing a Trick" to
"Move a Plug"; rulings 4 to 8.
"""

import pytest

from tests.conftest import Turnlog
from tests.power_vacuum_tables import (
    SEATS,
    cards,
    facts_of,
    filled,
    kinds_of,
    legal,
    levels,
    logged,
    play,
    refused,
    run,
    start,
)

# following ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("led", "hand", "allowed"),
    [
        pytest.param("Y5", "Y1 Y9 W1 W2 G1 G2 R1 R2", "Y1 Y9", id="the-led-suit-must-be-followed"),
        pytest.param("Y5", "W1 W2 W3 G1 G2 G3 R1 R2", "W1 W2 W3 G1 G2 G3 R1 R2", id="without-it-anything-goes"),
        pytest.param("G5", "G1 R1 R2 Y1 Y2 W1 W2 B3", "G1 B3", id="a-red-is-no-exception-a-green-backed-spy-is"),
        pytest.param(
            "G5", "B3 R1 R2 Y1 Y2 W1 W2 W3", "B3 R1 R2 Y1 Y2 W1 W2 W3", id="a-spy-is-not-of-its-disguise"
        ),
        pytest.param("Y5", "Y1 B1 B2 B3 B4 W1 G1 R1", "Y1 B1 B2 B3 B4", id="every-spy-may-always-be-played"),
        pytest.param("R5", "R1 R9 Y1 Y2 W1 W2 G1 B4", "R1 R9 B4", id="red-led-is-followed-too"),
        pytest.param("R5", "Y1 Y2 Y3 W1 W2 G1 G2 B4", "Y1 Y2 Y3 W1 W2 G1 G2 B4", id="red-led-and-none-in-hand"),
        pytest.param("B2", "B1 Y1 Y2 W1 W2 G1 G2 R1", "B1 Y1 Y2 W1 W2 G1 G2 R1", id="a-spy-led-binds-nobody"),
        pytest.param(
            "B2", "Y1 Y2 Y3 W1 W2 W3 R1 R2", "Y1 Y2 Y3 W1 W2 W3 R1 R2", id="a-spy-led-and-no-spy-in-hand"
        ),
        pytest.param("W5", "W9 Y1 Y2 Y3 G1 G2 G3 R9", "W9", id="one-card-to-follow-with"),
    ],
)
def test_what_may_follow(turnlog: Turnlog, led: str, hand: str, allowed: str) -> None:
    """Those cards of a hand may be played on a led card, each is taken, and every other one is refused."""
    game = start(turnlog, [led, hand])
    play(turnlog, game, f"play {led}")

    assert sorted(move for move in legal(turnlog, game) if move.startswith("play")) == sorted(
        f"play {card}" for card in cards(allowed)
    )
    for card in cards(hand):
        if card in cards(allowed):
            assert turnlog.ok("play", game, f"play {card}", "--dry-run", "--json").json["seq"] == 3
        else:
            error = refused(turnlog, game, f"play {card}")
            assert error["code"] == "illegal-move"
            assert error["message"] == f"{led[0]} was led and you have {led[0]}: play one of it, or a Spy"


def test_led_green_with_green_red_and_a_green_backed_spy(turnlog: Turnlog) -> None:
    """Case: led Green, a hand with G, R and a Spy with Green back: R is refused, the Spy accepted."""
    game = start(turnlog, ["G5", "G1 R1 B3"])
    play(turnlog, game, "play G5")

    refused(turnlog, game, "play R1")

    play(turnlog, game, "play B3")
    assert turnlog.view(game)["trick"] == [{"seat": "lucia", "card": "G5"}, {"seat": "fritz", "card": "B3"}]


def test_a_green_back_that_does_not_follow_is_a_spy(turnlog: Turnlog) -> None:
    """A seat with a Spy with Green back and no other Green may play Yellow on Green, its Green back in sight."""
    game = start(turnlog, ["G5", "B3 Y1 Y2 W1 W2 R1 R2 R3"])
    play(turnlog, game, "play G5")
    assert "G?" in turnlog.view(game)["hands"]["fritz"]

    play(turnlog, game, "play Y1")

    assert turnlog.view(game)["hands"]["fritz"] == ["Y?", "W?", "W?", "G?", "R?", "R?", "R?"]


def test_the_starting_player_may_lead_any_card(turnlog: Turnlog) -> None:
    """All eight cards may be led."""
    hand = "Y1 Y2 W1 G1 R1 R9 B1 B4"
    game = start(turnlog, [hand, ""])

    assert {f"play {card}" for card in cards(hand)} == {m for m in legal(turnlog, game) if m.startswith("play")}


@pytest.mark.parametrize(
    ("move", "says"),
    [
        pytest.param("play Y9", "Y9 is not in your hand", id="not-in-hand"),
        pytest.param("play Y0", "'Y0' is no Regime card", id="no-such-number"),
        pytest.param("play B5", "'B5' is no Regime card", id="no-such-spy"),
        pytest.param("play Y?", "'Y?' is no Regime card", id="a-back"),
        pytest.param("play W1", "W1 is not in your hand", id="another-seats-card"),
    ],
)
def test_a_card_not_in_hand_is_refused(turnlog: Turnlog, move: str, says: str) -> None:
    """Only cards of the own hand are played, and the refusal is the same whoever holds the card."""
    game = start(turnlog, ["Y1 Y2 Y3 Y4 Y5 Y6 Y7 Y8", "W1"])

    error = refused(turnlog, game, move)

    assert error["message"].startswith(says)
    assert error["hint"].startswith("legal now: ")


def test_only_the_seat_whose_turn_it_is_plays(turnlog: Turnlog) -> None:
    """Turns go clockwise in the order of creation; out of turn a seat is refused."""
    game = start(turnlog, ["Y1", "Y2", "Y3"], first="fritz")

    for seat, card in (("fritz", "Y2"), ("bertrand", "Y3"), ("lucia", "Y1")):
        assert turnlog.json("show", game)["to_move"] == [seat]
        for other in {"lucia", "fritz", "bertrand"} - {seat}:
            error = refused(turnlog, game, f"play {card}", seat=other)
            assert (error["code"], error["message"]) == ("not-yours", f"it is not {other}'s turn; to move: {seat}")
        play(turnlog, game, f"{seat}: play {card}")


def test_one_card_a_turn(turnlog: Turnlog) -> None:
    """A trick is one card of each seat, shown in the order played."""
    game = start(turnlog, ["Y1", "Y2", "Y3"])

    answer = play(turnlog, game, "play Y1, play Y2, play Y3")

    assert [(p["seat"], p["card"]) for p in turnlog.view(game)["trick"]] == [
        ("lucia", "Y1"),
        ("fritz", "Y2"),
        ("bertrand", "Y3"),
    ]
    assert kinds_of(answer) == ["card-played", "trick-won"]


# winning ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("trick", "winner", "lowest"),
    [
        # The rulebook's examples and the cases of the rulings.
        pytest.param("Y2 Y3 B4", 2, [1], id="rulebook-leading-and-following"),
        pytest.param("Y3 Y4 R2", 3, [3], id="rulebook-trumps"),
        pytest.param("Y5 R7 B3", 3, [3], id="rulebook-spies"),
        # The led suit.
        pytest.param("Y5 Y9 Y1", 2, [3], id="highest-of-the-led-suit"),
        pytest.param("Y2 W9 G9", 1, [1], id="a-higher-number-of-another-suit-wins-nothing"),
        pytest.param("G1 Y8 G2", 3, [1], id="led-green"),
        pytest.param("W4 W3 Y9", 1, [2], id="led-white"),
        # Trumps.
        pytest.param("Y9 R1 Y8", 2, [2], id="the-least-trump-beats-the-highest-card"),
        pytest.param("W9 R3 R5", 3, [2], id="of-two-trumps-the-higher"),
        pytest.param("G9 R5 R3", 2, [3], id="of-two-trumps-the-higher-earlier-one"),
        pytest.param("R4 R2 Y9", 1, [2], id="red-led"),
        pytest.param("R4 R6 R5", 2, [1], id="red-led-and-followed"),
        # Spies beat Red, and only Red.
        pytest.param("Y5 B4 W9", 1, [2], id="a-spy-without-a-red-wins-nothing"),
        pytest.param("Y1 B4 B3", 1, [1], id="two-spies-without-a-red-win-nothing"),
        pytest.param("R9 B1 R8", 2, [2], id="the-least-spy-beats-the-highest-red"),
        pytest.param("R9 B1 B2", 3, [2], id="of-two-spies-the-higher"),
        pytest.param("Y9 B2 R9", 2, [2], id="a-red-played-later-makes-the-spy-win"),
        pytest.param("Y9 R9 B1", 3, [3], id="a-spy-played-after-the-red"),
        # A Spy leads.
        pytest.param("B2 Y9 G9", 1, [1], id="a-spy-led-is-the-led-suit"),
        pytest.param("B2 B3 Y9", 2, [1], id="spies-on-a-spy-led-the-higher"),
        pytest.param("B3 B2 W9", 1, [2], id="spies-on-a-spy-led-the-higher-first"),
        pytest.param("B1 R9 Y9", 1, [1], id="a-red-on-a-spy-led"),
        pytest.param("B1 R9 B2", 3, [1], id="a-red-and-a-spy-on-a-spy-led"),
        # The lowest number, whatever its suit; ties from the last to play backwards.
        pytest.param("Y1 W1 Y9", 3, [2, 1], id="two-lowest-the-later-first"),
        pytest.param("Y9 W1 G1", 1, [3, 2], id="two-lowest-behind-the-winner"),
        pytest.param("Y4 W4 G4", 1, [3, 2, 1], id="all-lowest"),
        pytest.param("R3 B3 Y3", 2, [3, 2, 1], id="all-lowest-of-suits-that-beat-each-other"),
        pytest.param("Y1 R1 W2", 2, [2, 1], id="the-winner-among-the-lowest"),
    ],
)
def test_who_wins_and_who_runs_the_board(turnlog: Turnlog, trick: str, winner: int, lowest: list[int]) -> None:
    """A trick's winner and the seats with its lowest number, by place of play, the one who acts first in front."""
    played = cards(trick)
    game = start(turnlog, filled(played, avoid=played[0][0] + "B"))

    answer = play(turnlog, game, ", ".join(f"play {card}" for card in played))

    assert facts_of(answer, "trick-won") == [
        {"seat": winner - 1, "card": played[winner - 1], "lowest": [place - 1 for place in lowest]}
    ]
    assert answer["to_move"] == [SEATS[winner - 1]]
    acting = []
    answer = play(turnlog, game, "point")
    while answer["to_move"] and turnlog.view(game)["control_board"]:
        acting.append(answer["to_move"][0])
        if turnlog.view(game)["phase"] == "transfer":
            play(turnlog, game, legal(turnlog, game)[0])
        assert turnlog.json("show", game)["to_move"] == acting[-1:]
        answer = play(turnlog, game, legal(turnlog, game)[0])
    assert acting == [SEATS[place - 1] for place in lowest]
    assert answer["to_move"] == [SEATS[winner - 1]], "the winner leads next"


def test_the_rulebooks_leading_and_following_as_told(turnlog: Turnlog) -> None:
    """Lucia leads Y2, Fritz has Yellow and must follow, Bertrand has Yellow and plays a Spy all the same."""
    game = start(turnlog, ["Y2", "Y3 W1 R1", "B4 Y9"])

    play(turnlog, game, "lucia: play Y2")
    refused(turnlog, game, "play R1", seat="fritz")
    play(turnlog, game, "fritz: play Y3, bertrand: play B4, fritz: point")

    assert turnlog.view(game)["scores"] == {"lucia": 0, "fritz": 1, "bertrand": 0}
    assert turnlog.view(game)["control_board"] == ["lucia"]


def test_a_trick_of_two_seats(turnlog: Turnlog) -> None:
    """With two seats a trick is two cards; the trump wins and is the lowest."""
    game = start(turnlog, ["Y9", "R1 W1 W2 W3 W4 W5 W6 W7"])

    answer = play(turnlog, game, "play Y9, play R1")

    assert facts_of(answer, "trick-won") == [{"seat": 1, "card": "R1", "lowest": [1]}]


def test_a_tie_of_four_among_five(turnlog: Turnlog) -> None:
    """Four of five seats played the lowest number: they act from the last to play to the first."""
    game = start(turnlog, ["B1", "W9", "W1", "G1", "R1"])

    answer = play(turnlog, game, "play B1, play W9, play W1, play G1, play R1")

    assert facts_of(answer, "trick-won") == [{"seat": 0, "card": "B1", "lowest": [4, 3, 2, 0]}]
    play(turnlog, game, "point")
    for seat in ("emil", "ana", "bertrand", "lucia"):
        assert turnlog.json("show", game)["to_move"] == [seat]
        if turnlog.view(game)["phase"] == "transfer":
            play(turnlog, game, legal(turnlog, game)[0])
        play(turnlog, game, legal(turnlog, game)[-1])
    assert turnlog.json("show", game)["to_move"] == ["lucia"]


# the spoils ---------------------------------------------------------------------------------------------


def test_the_winner_takes_a_point_or_any_card_of_the_trick(turnlog: Turnlog) -> None:
    """`point` and `capture` of each card of the trick, the own one too, are on offer and nothing else."""
    game = start(turnlog, filled(["Y2", "Y3", "B4"], avoid="YB"))
    play(turnlog, game, "play Y2, play Y3, play B4")

    assert turnlog.json("moves", game)["seat"] == "fritz"
    assert legal(turnlog, game) == ["point", "capture Y2", "capture Y3", "capture B4"]
    error = refused(turnlog, game, "capture Y9")
    assert error["message"] == "'Y9' is not in the trick, which is Y2 Y3 B4: capture one of those"
    refused(turnlog, game, "point", seat="lucia")
    refused(turnlog, game, "transfer red green")


def test_a_point_is_a_point(turnlog: Turnlog) -> None:
    """The winner who takes the point has one more, and captures nothing."""
    game = start(turnlog, filled(["Y2", "Y3"], avoid="YB"))

    answer = play(turnlog, game, "play Y2, play Y3, point")

    assert kinds_of(answer) == ["point-taken", "trick-cleared", "board-taken"]
    view = turnlog.view(game)
    assert view["scores"] == {"lucia": 0, "fritz": 1}
    assert view["captured"] == {"lucia": [], "fritz": []}
    assert (view["trick"], view["played"]) == ([], ["Y2", "Y3"])


@pytest.mark.parametrize("card", ["Y2", "Y3", "B4"])
def test_a_captured_card_is_kept_openly_instead_of_a_point(turnlog: Turnlog, card: str) -> None:
    """A capture scores nothing; which card it was is open to all (ruling 21)."""
    game = start(turnlog, filled(["Y2", "Y3", "B4"], avoid="YB"))

    play(turnlog, game, f"play Y2, play Y3, play B4, capture {card}")

    for viewer in ("spectator", "lucia", "fritz", "bertrand"):
        view = turnlog.view(game, viewer)
        assert view["captured"] == {"lucia": [], "fritz": [card], "bertrand": []}
        assert view["scores"] == {"lucia": 0, "fritz": 0, "bertrand": 0}
    assert turnlog.view(game)["played"] == [c for c in ("Y2", "Y3", "B4") if c != card]
    assert card not in turnlog.view(game, "fritz")["hand"], "it is for the next round"


def test_the_winner_chooses_before_the_board_is_run(turnlog: Turnlog) -> None:
    """First the point or capture, then the Control Board, then the winner leads (ruling 6)."""
    game = start(turnlog, filled(["Y2", "Y3"], avoid="YB"))
    play(turnlog, game, "play Y2, play Y3")

    refused(turnlog, game, "transfer red green", seat="lucia")
    play(turnlog, game, "fritz: point")
    refused(turnlog, game, "play W1", seat="fritz")
    play(turnlog, game, "lucia: transfer red green, lucia: plug red white")

    assert turnlog.json("show", game)["to_move"] == ["fritz"]


#: Agendas for three seats, with the cable at red/green.
AGENDAS_ASIDE = ["red/white", "yellow/brown", "white/brown"]

# the Control Board --------------------------------------------------------------------------------------


def at_the_board(turnlog: Turnlog, cable: str = "red/green") -> str:
    """A game in which lucia is to run the board after the first trick, which fritz won."""
    game = start(turnlog, filled(["Y2", "Y3"], avoid="YB"), cable=cable, agendas=["red/brown", "yellow/brown"])
    play(turnlog, game, "play Y2, play Y3, point")
    return game


@pytest.mark.parametrize(
    ("transfer", "red", "green"),
    [pytest.param("transfer red green", 1, 3, id="away"), pytest.param("transfer green red", 3, 1, id="back")],
)
def test_the_rulebooks_transfer_of_power(turnlog: Turnlog, transfer: str, red: int, green: int) -> None:
    """Example: Red and Green are connected, so one Power goes from Red to Green or vice versa."""
    game = at_the_board(turnlog)
    assert legal(turnlog, game) == ["transfer red green", "transfer green red"]

    play(turnlog, game, transfer)

    assert levels(turnlog.view(game)) == {"red": red, "green": green, "yellow": 2, "white": 2, "brown": 2}


@pytest.mark.parametrize(
    "move",
    ["transfer red white", "transfer white red", "transfer red supply", "transfer red red", "transfer pink red"],
)
def test_power_goes_only_along_the_cable(turnlog: Turnlog, move: str) -> None:
    """A transfer names the two plugged sockets."""
    error = refused(turnlog, at_the_board(turnlog), move)

    assert error["message"] == "the cable connects red and green: Power goes from one of them to the other"


def test_first_the_transfer_then_the_plug(turnlog: Turnlog) -> None:
    """Both steps are done, in this order, by the same seat."""
    game = at_the_board(turnlog)

    refused(turnlog, game, "plug red white")
    play(turnlog, game, "transfer red green")
    refused(turnlog, game, "transfer red green")
    refused(turnlog, game, "play W1", seat="fritz")
    play(turnlog, game, "plug red white")

    assert turnlog.view(game)["cable"] == ["white", "green"]


def test_one_plug_goes_to_any_open_socket(turnlog: Turnlog) -> None:
    """Either plug goes to any of the four open sockets, the Supply's and those of Appliances without a player."""
    game = at_the_board(turnlog)
    play(turnlog, game, "transfer red green")

    assert legal(turnlog, game) == [
        f"plug {plug} {to}" for plug in ("red", "green") for to in ("yellow", "white", "brown", "supply")
    ]


@pytest.mark.parametrize(
    ("move", "says"),
    [
        pytest.param("plug red red", "'red' is no open socket", id="it-cannot-stay"),
        pytest.param("plug red green", "'green' is no open socket", id="not-to-the-other-plug"),
        pytest.param(
            "plug white brown", "no plug is at 'white'; the plugs are at red and green", id="no-plug-there"
        ),
        pytest.param("plug red moon", "'moon' is no open socket", id="no-such-socket"),
    ],
)
def test_a_plug_must_move_to_an_open_socket(turnlog: Turnlog, move: str, says: str) -> None:
    """A plug is one that is plugged, and goes where none is."""
    game = at_the_board(turnlog)
    play(turnlog, game, "transfer red green")

    assert refused(turnlog, game, move)["message"].startswith(says)


#: Y9 leads each trick to W3 and lower: lucia wins all, fritz runs the board eight times.
_WINNING = "Y9 Y8 Y7 Y6 Y5 Y4 R9 R8"
_RUNNING = "W3 W2 W1 G3 G2 G1 W4 G4"


def run_the_board(turnlog: Turnlog, *turns: str, cable: str = "red/green") -> str:
    """A game in which fritz has run the board by these turns, `transfer .., plug ..`, and lucia took points."""
    game = start(turnlog, [_WINNING, _RUNNING], cable=cable, agendas=["red/brown", "yellow/brown"])
    for high, low, turn in zip(cards(_WINNING), cards(_RUNNING), turns, strict=False):
        play(turnlog, game, f"lucia: play {high}, fritz: play {low}, lucia: point, {turn}")
    return game


def next_trick(turnlog: Turnlog, game: str, number: int) -> dict[str, object]:
    """Plays trick `number` up to the board; gives the answer to the point."""
    high, low = cards(_WINNING)[number - 1], cards(_RUNNING)[number - 1]
    return play(turnlog, game, f"lucia: play {high}, fritz: play {low}, lucia: point")


def test_the_supply_gives_and_takes(turnlog: Turnlog) -> None:
    """With a plug at the Supply one Power comes out of it or goes back."""
    game = run_the_board(turnlog, "transfer red green, plug green supply")
    next_trick(turnlog, game, 2)
    assert legal(turnlog, game) == ["transfer red supply", "transfer supply red"]

    play(turnlog, game, "transfer supply red, plug red white")
    next_trick(turnlog, game, 3)
    play(turnlog, game, "transfer white supply")

    assert levels(turnlog.view(game)) == {"red": 2, "green": 3, "yellow": 2, "white": 1, "brown": 2}


def test_an_empty_appliance_is_given_power_without_asking(turnlog: Turnlog) -> None:
    """One end empty: the Power goes there from the other end, recorded, and the plug is asked (ruling 7)."""
    game = run_the_board(turnlog, "transfer red green, plug green white", "transfer red white, plug white yellow")
    assert levels(turnlog.view(game))["red"] == 0

    answer = next_trick(turnlog, game, 3)

    assert kinds_of(answer) == ["point-taken", "trick-cleared", "board-taken", "power-moved"]
    assert facts_of(answer, "power-moved") == [{"seat": 1, "source": "yellow", "target": "red"}]
    assert levels(turnlog.view(game)) == {"red": 1, "green": 3, "yellow": 1, "white": 3, "brown": 2}
    assert {move.split()[0] for move in legal(turnlog, game)} == {"plug"}
    refused(turnlog, game, "transfer red yellow")


def test_an_empty_appliance_at_the_supply_is_given_power(turnlog: Turnlog) -> None:
    """The Supply is never empty, so an empty Appliance at it is given Power without asking (ruling 7)."""
    game = run_the_board(turnlog, "transfer red green, plug green white", "transfer red white, plug white supply")

    answer = next_trick(turnlog, game, 3)

    assert facts_of(answer, "power-moved") == [{"seat": 1, "source": "supply", "target": "red"}]
    assert levels(turnlog.view(game))["red"] == 1


def test_with_both_ends_empty_nothing_is_transferred_and_the_plug_still_moves(turnlog: Turnlog) -> None:
    """Both connected Appliances without Power: nothing happens, and then a plug is moved as ever (ruling 7)."""
    game = run_the_board(
        turnlog,
        "transfer red green, plug green white",
        "transfer red white, plug red brown",
        "transfer brown white, plug white yellow",
        "transfer brown yellow, plug yellow red",
    )
    view = turnlog.view(game)
    assert (view["cable"], levels(view)["red"], levels(view)["brown"]) == (["brown", "red"], 0, 0)

    answer = next_trick(turnlog, game, 5)

    assert kinds_of(answer) == ["point-taken", "trick-cleared", "board-taken", "nothing-moved"]
    assert levels(turnlog.view(game)) == levels(view)
    assert turnlog.json("show", game)["to_move"] == ["fritz"]
    play(turnlog, game, "plug red supply")
    assert turnlog.view(game)["cable"] == ["brown", "supply"]


def test_two_lowest_the_later_one_first_on_the_board_as_it_was(turnlog: Turnlog) -> None:
    """Case: two tie for lowest: the later one acts on the board as the trick left it, the earlier one second."""
    game = start(turnlog, filled(["Y1", "Y9", "W1"], avoid="YB"), agendas=AGENDAS_ASIDE)
    play(turnlog, game, "play Y1, play Y9, play W1, fritz: point")

    assert turnlog.view(game)["control_board"] == ["bertrand", "lucia"]
    assert legal(turnlog, game) == ["transfer red green", "transfer green red"]
    refused(turnlog, game, "transfer red green", seat="lucia")
    play(turnlog, game, "bertrand: transfer red green, bertrand: plug red brown")

    assert turnlog.json("show", game)["to_move"] == ["lucia"]
    assert legal(turnlog, game) == ["transfer brown green", "transfer green brown"]
    play(turnlog, game, "lucia: transfer green brown, lucia: plug green supply")
    assert levels(turnlog.view(game)) == {"red": 1, "green": 2, "yellow": 2, "white": 2, "brown": 3}
    assert turnlog.json("show", game)["to_move"] == ["fritz"]


def test_the_winner_may_run_the_board_too(turnlog: Turnlog) -> None:
    """Case: Y3, Y4, R2: the third seat wins with the lowest card, chooses, and runs the board."""
    game = start(turnlog, filled(["Y3", "Y4", "R2"], avoid="YB"), agendas=AGENDAS_ASIDE)

    play(turnlog, game, "play Y3, play Y4, play R2")
    for move in ("point", "transfer red green", "plug green supply"):
        assert turnlog.json("show", game)["to_move"] == ["bertrand"]
        play(turnlog, game, move)

    assert turnlog.json("show", game)["to_move"] == ["bertrand"]
    assert turnlog.view(game)["scores"]["bertrand"] == 1


def test_the_supply_never_runs_out(turnlog: Turnlog) -> None:
    """More than the 30 small tokens that are left in the Supply are taken from it in one round (ruling 8)."""
    hands = [" ".join(f"{suit}{number}" for number in range(1, 9)) for suit in "YWGR"]
    game = start(turnlog, hands, agendas=["red/white", "yellow/brown", "white/brown", "green/white"])
    first = "lucia"
    moves = []
    plugged = 0
    for number in range(1, 9):
        order = SEATS[SEATS.index(first) : 4] + SEATS[: SEATS.index(first)]
        suits = dict(zip(SEATS, "YWGR", strict=False))
        moves += [f"play {suits[seat]}{number}" for seat in order]
        first = "ana"  # who holds the Reds
        moves.append("ana: point")
        for _ in order:
            if plugged == 0:
                moves += ["transfer green red", "plug green supply"]
            else:
                here, there = ("red", "white") if plugged % 2 else ("white", "red")
                moves += [f"transfer supply {here}", f"plug {here} {there}"]
            plugged += 1

    run(turnlog, game, moves[:-1])  # all but the last plug, which ends the round

    assert plugged == 32
    assert [fact["source"] for fact in logged(turnlog, game, "power-moved")].count("supply") == 31
    assert sum(levels(turnlog.view(game)).values()) == 10 + 31
