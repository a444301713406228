"""The end of a game and its ties (ruling 14), what a seat sees (ruling 15), and sets of one's own."""

import pytest

from engines.registry import game_of
from tests.conftest import Turnlog
from tests.random_games import GAMES, Case, random_game
from tests.vegas import CARDS, Vegas, own_set

#: A set that deals two cards, so that a round has two tricks.
TWO = {"tracks.team": "[2, 2, 2, 2, 2]"}


# the end ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("seats", "rounds"), [(2, 3), (3, 4), (4, 4), (5, 4)])
def test_the_game_has_four_rounds_or_three_with_two_seats(turnlog: Turnlog, seats: int, rounds: int) -> None:
    """After the last one nobody is to move, and the log says who won."""
    names = ("ada", "bo", "cy", "di", "ed")[:seats]
    hands = dict.fromkeys(names, "")
    raises = dict.fromkeys(names, "game bot mobster" if seats == 5 else "game bot")
    table = Vegas(turnlog, hands, rise=None, raises=raises, hand=2, components=own_set(turnlog, TWO))
    for number in range(1, rounds + 1):
        assert table.view()["round"] == number
        table.play("raise inspector")
        table.play_out()
    assert table.to_move == []
    assert table.view()["phase"] == "over"
    assert "The game is over" in table.told()
    assert "the game is over" in turnlog("play", "g", "decline").err


def rising(turnlog: Turnlog, hands: dict[str, str], *later: str) -> Vegas:
    """A game of two-card hands, in whose first round the first seat is to rise."""
    return Vegas(turnlog, hands, rise=None, later=later, hand=2, components=own_set(turnlog, TWO))


def test_the_most_vp_wins(turnlog: Turnlog) -> None:
    """Bo took a bonus of 2 VP; ada has more track increases."""
    table = rising(turnlog, {"ada": "T1 T2", "bo": "T3 T4"})
    table.play("raise bot")
    table.cards("T1", "T3")
    table.play("bonus T1")
    table.play_out()
    for _ in range(2):
        table.play("raise bot")
        table.play_out()
    assert table.result == {"winners": ["bo"], "scores": {"ada": 0, "bo": 2}, "reason": "most VP"}
    assert table.view()["increases"] == {"ada": 4, "bo": 3}
    assert "The game is over: bo wins. ada 0 VP (4 track increases), bo 2 VP" in table.told()


def test_level_on_vp_the_most_track_increases_win(turnlog: Turnlog) -> None:
    """Ada rose in rounds one and three, bo in round two."""
    table = rising(turnlog, {"ada": "", "bo": ""})
    for _ in range(3):
        table.play("raise bot")
        table.play_out()
    assert table.view()["increases"] == {"ada": 4, "bo": 3}
    assert table.result["winners"] == ["ada"]
    assert table.result["scores"] == {"ada": 0, "bo": 0}
    assert table.result["reason"] == "level on VP, most track increases"


def test_level_on_both_the_win_is_shared(turnlog: Turnlog) -> None:
    """Bo raised a track by a bonus, so that both end with four increases and no VP."""
    table = rising(turnlog, {"ada": "T10 T2", "bo": "T11 T4"})
    table.play("raise bot")
    table.cards("T10", "T11")
    table.play("bonus T10")
    table.play_out()
    assert table.to_move == ["bo"]  # level at three; ada led the last round
    table.play("raise bot")
    table.play_out()
    table.play("raise mobster")
    table.play_out()
    assert table.view()["increases"] == {"ada": 4, "bo": 4}
    assert table.result["winners"] == ["ada", "bo"]
    assert table.result["reason"] == "level on VP and on track increases"
    assert "ada and bo share the win" in table.told()


# what a seat sees -------------------------------------------------------------------------------------


def test_hands_and_the_deck_are_secret_and_all_else_is_open(turnlog: Turnlog) -> None:
    """A seat sees its own hand, of the others the number of cards; the referee sees all."""
    table = Vegas(turnlog, {"ada": "T1 T2 T3 T4 T5 T6 T7", "bo": "B1 B2 B3 B4 B5 B6 B7"}, deck="M1 M2")
    assert table.view("ada")["hand"] == ["T1", "T2", "T3", "T4", "T5", "T6", "T7"]
    assert table.view()["hand"] == []
    for viewer, hidden in (("ada", "B"), ("bo", "T"), ("spectator", "T")):
        shown = turnlog.ok("show", "g", "--as", viewer, "--json").out
        assert not any(f'"{hidden}{number}"' in shown for number in range(1, 8))
        assert '"M1"' not in shown
        assert f"{hidden}3" not in turnlog.ok("show", "g", "--as", viewer).out
    assert table.view("referee")["cards"]["bo"] == ["B1", "B2", "B3", "B4", "B5", "B6", "B7"]
    for name in ("round", "trump", "rank", "tracks", "tokens", "increases", "trick", "discards", "scores"):
        assert table.view("ada")[name] == table.view("bo")[name] == table.view()[name]
    assert table.view()["hands"] == {"ada": 7, "bo": 7}


def test_a_log_as_a_seat_knew_it_names_no_hidden_card(turnlog: Turnlog) -> None:
    """Exports of a seat and of nobody hold the cards that were seen and no other."""
    Vegas(turnlog, {"ada": "T1 T2 T3 T4 T5 T6 T7", "bo": "B1 B2 B3 B4 B5 B6 B7"}, deck="M1 M2").cards("T3")
    for viewer, known in (("ada", "T"), ("bo", "B"), ("spectator", "")):
        exported = turnlog.ok("export", "g", "--format", "jsonl", "--as", viewer).out
        facts = exported[exported.index('"facts"') :]
        assert '"T3"' in facts
        for suit in "TB":
            assert (f'"{suit}5"' in facts) == (suit == known)
        assert '"M1"' not in facts


def test_a_card_taken_openly_and_then_stolen_is_known_to_two(turnlog: Turnlog) -> None:
    """Cy takes T9 out of the trick for all to see; which card bo steals from it later, ada does not learn."""
    hands = {"ada": "T9 T1 T2 G6 G2 G3 G4", "bo": "T4 T13 T12 B1 B2 B3 B4", "cy": "M13 M1 M2 M3 M4 M5 M6"}
    table = Vegas(turnlog, hands, raises={"cy": "mobster bot"}, stolen_card=["T9"])
    table.cards("T9", "T13", "M1 with mobster")
    table.play("bonus M1", "take T9")
    table.cards("B1", "M2", "G6")
    table.play("bonus G6", "steal cy")
    assert "bo steals T9 from cy" in table.told("cy")
    assert "bo steals T9 from cy" in table.told("bo")
    assert "bo steals a card from cy" in table.told("ada")
    assert "T9" in table.view("bo")["hand"]
    assert "T9" not in table.view("cy")["hand"]


def test_with_undo_safe_what_taught_nobody_is_taken_back(turnlog: Turnlog) -> None:
    """A bonus of VP, a token, a card taken openly and declining teach nothing; a card played does."""
    hands = {"ada": "T9 T1 T2 G1 G2 G3 G4", "bo": "T4 T5 T6 B1 B2 B3 B7", "cy": "M13 M1 M2 M3 M4 M5 M6"}
    table = Vegas(turnlog, hands, raises={"cy": "mobster bot"}, undo="safe")
    table.cards("T9", "T4", "M13 with mobster")
    table.play("bonus T4")
    turnlog.ok("undo", "g")
    table.play("decline", "take T9")
    turnlog.ok("undo", "g")
    table.play("decline")
    turnlog.ok("undo", "g")
    table.play("take M13")
    table.cards("T1")
    refused = turnlog("undo", "g")
    assert refused.code == 3
    assert "learned something" in refused.err


def test_a_dry_run_tells_nothing_of_the_deck(turnlog: Turnlog) -> None:
    """Raising Team draws two cards, which the mover cannot know in advance."""
    turnlog.ok("create", "venusian-vegas", "-p", "ada", "-p", "bo", "--id", "g", "--seed", 5)
    answer = turnlog.json("play", "g", "raise team game", "--dry-run")
    facts = answer["events"][0]["facts"]
    assert not [fact for fact in facts if fact["type"].endswith("cards-drawn")]


# sets of one's own ------------------------------------------------------------------------------------


def test_vp_spaces_of_ones_own(turnlog: Turnlog) -> None:
    """Who owns the box types in where they are; none at all will do."""
    own = own_set(turnlog, {"vp_spaces.bot": "[2, 3]", "vp_spaces.mobster": "[]"})
    table = Vegas(turnlog, {"ada": "", "bo": ""}, raises={"ada": "bot mobster"}, rise=None, components=own)
    assert table.scores == [1, 0]
    assert table.to_move == ["bo"]  # that VP puts ada ahead
    table.play("raise bot")
    assert table.scores == [1, 1]


@pytest.mark.parametrize(
    ("place", "value", "why"),
    [
        ("cards.suits", '["T", "G", "I", "B", "X"]', "cards: the suits are T, G, I, B, M"),
        ("cards.highest", "12", "numbered 1 to 13"),
        ("bonuses.points_to", "10", "bonuses: numbers run up to points_to"),
        ("bonuses.trick_points", "-1", "bonuses, trick_points: a number from 0 to 20; got -1"),
        ("bonuses.trick_points", "9000000000000000000", "trick_points: a number from 0 to 20"),
        ("bonuses.round_points", "21", "bonuses, round_points: a number from 0 to 20; got 21"),
        ("bonuses.round_points", "1" + 30 * "0", "a number of more than 64 bits"),
        ("bonuses.round_points", "1" + 5000 * "0", "a number of more than 64 bits"),
        ("bonuses.round_points", "0x" + 5000 * "f", "a number of more than 64 bits"),
        ("vp_spaces.game", 50_000 * "[", "nested too deeply"),
        ("tracks.bot", "[0, 1, 2, 3]", "tracks, bot: 5 numbers"),
        ("tracks.team", "[7, 9, 11, 12, 14]", "tracks, team: 5 numbers from 2 to 13"),
        ("tracks.game", "[0, 2, 1, 2, 3]", "none smaller than the one before"),
        ("vp_spaces.game", "[1]", "vp_spaces, game: different spaces from 2 to 5"),
        ("vp_spaces.game", "[4, 4]", "vp_spaces, game: different spaces"),
        ("tokens.supply", '"few"', "tokens.supply"),
        ("tokens.source", '"mine"', "tokens.source"),
    ],
)
def test_a_set_that_is_not_whole_is_refused(turnlog: Turnlog, place: str, value: str, why: str) -> None:
    """With the place in the file."""
    path = own_set(turnlog, {place: value})
    answer = turnlog("create", "venusian-vegas", "-p", "ada", "-p", "bo", "--set", path, "--json")
    assert answer.code == 2
    assert why in answer.error["message"]


# random games -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("seats", [2, 3, 4, 5])
def test_in_random_games_no_score_is_under_0_and_every_card_is_used(seats: int) -> None:
    """65 cards at every event, no VP or token under 0, no marker off its track; each card is dealt and played."""
    game = game_of("venusian-vegas")
    used: set[str] = set()
    for number in range(max(GAMES, 8)):
        for moment in random_game(Case(game, seats), f"score/{number}"):
            state = moment.state
            assert game.state.pieces(state) == {"cards": 65, "cards that are there twice": 0}
            assert min(state.scores) >= 0
            assert all(count >= 0 for tokens in state.tokens for count in tokens.values())
            assert all(1 <= space <= 5 for spaces in state.spaces for space in spaces.values())
            used.update(card for _, card in state.trick)
    assert used == set(CARDS)
