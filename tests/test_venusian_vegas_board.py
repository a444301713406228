"""The board tells what there is to see and what to type; the bot is better than chance."""

import pytest

from engines.decide import carried_out
from engines.kit.boards import drawn
from engines.kit.chance import NoChance
from engines.registry import game_of
from tests.conftest import Turnlog
from tests.random_games import Case, copied, random_game
from tests.vegas import Vegas, last_hand

GAME = game_of("venusian-vegas")


def test_the_board_shows_trick_indicators_tracks_tokens_hand_and_discards(turnlog: Turnlog) -> None:
    """Tracks are bars with the VP spaces marked, hands are sorted by suit."""
    hands = {"ada": "T9 M1 T13 G12 G3 I4 B1", "bo": "T4 T5 M6 B7 B3 B4 B5"}
    table = Vegas(turnlog, hands, raises={"ada": "game mobster", "bo": "bot game"}, rise="game")
    table.cards("T9", "T4")
    table.play("decline")
    table.cards("G3 with game trump M", "B7 with bot blank")
    lines = turnlog.ok("show", "g", "--as", "ada").out.splitlines()
    shown = [" ".join(line.split()) for line in lines]
    assert "Venusian Vegas, round 1 of 3" in shown
    assert "trump Mobster (M) ada G3 game token wins" in shown
    assert "rank high wins bo B7 bot token, blank" in shown
    assert "> ada            0     3     5  #..** 7   ###** 2   #..** 0   #..** 0   ##.** 1" in lines
    assert "bo 0 2 5 #..** 7 ##.** 1 #..** 0 ##.** 1 #..** 0" in shown
    assert "tokens o - - o" in shown
    assert "Team T13 T 4 9" in shown
    assert "bonus B7 take a token" in shown


def test_reached_vp_spaces_are_marked(turnlog: Turnlog) -> None:
    """`$` for one reached, `*` for one ahead."""
    table = last_hand(turnlog, "M10 G1")
    table.play("order M10")
    assert "###$*" in turnlog.ok("show", table.game).out


@pytest.mark.parametrize("seats", [2, 4])
def test_the_board_names_every_verb_that_can_be_played(seats: int) -> None:
    """Whoever is to move reads there what to type, whatever is asked."""
    asked: set[str] = set()
    for number in range(6):
        for moment in random_game(Case(GAME, seats), f"verbs/{number}"):
            for seat in GAME.rules.to_move(moment.state):
                text = drawn(GAME.drawn.board(GAME.concealed(moment.state, seat), seat, moment.created.seats))
                prompt = text[text.index("To move:") : text.index("Your hand")]
                assert moment.created.seats[seat] in prompt
                for offer in GAME.rules.offers(moment.state, seat):
                    assert GAME.grammar.verb(offer.verb) in prompt
                    asked.add(GAME.grammar.verb(offer.verb))
    assert asked == set(GAME.grammar.verbs) - (set() if seats > 2 else {"steal"})


def test_a_bot_round_bonus_with_all_tracks_at_the_top_asks_nothing() -> None:
    """Each track would give the same 1 VP: one outcome is no question."""
    moment = next(m for m in random_game(Case(GAME, 2), "top") if m.state.phase == "play")
    state = copied(GAME, moment.state)
    state.spaces[0] = dict.fromkeys(state.spaces[0], 5)
    state.phase, state.turn, state.trick = "order", 0, []
    state.hands[0] = ["B6", "G1"]
    done = carried_out(GAME, state, 0, GAME.grammar.parse(["order", "B6"]), NoChance())
    assert state.phase == "order"
    assert state.scores[0] == moment.state.scores[0] + 1
    assert state.increases[0] == moment.state.increases[0]
    assert done.next == (0,)


def test_the_rules_fit_80_columns(turnlog: Turnlog) -> None:
    """What `rules` adds to the guide too: options, draws, bots, house parts."""
    lines = turnlog.ok("rules", "venusian-vegas").out.splitlines()
    assert max(map(len, lines)) <= 80
    assert "- `deck`: all 65 cards, shuffled for each round and drawn from the front, whole" in lines
    assert lines[-1] == "- vp_spaces, tokens"


@pytest.mark.parametrize("seats", [2, 5])
def test_the_greedy_bot_beats_random_seats(turnlog: Turnlog, seats: int) -> None:
    """It wins nearly always."""
    others = ["-p", "bot:random"] * (seats - 1)
    out = turnlog.ok("simulate", "venusian-vegas", "-p", "bot:greedy", *others, "-n", 10).out
    row = next(line for line in out.splitlines() if line.startswith("bot:greedy"))
    assert float(row.split()[1]) >= 8
