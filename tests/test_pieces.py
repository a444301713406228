"""What can be clicked on a board: parts of it that stand for legal moves, and how those are found in the list."""

import pytest

from engines.creation import Wish, create
from engines.kit.boards import Span
from engines.kit.chance import Chance
from engines.kit.game import Game
from engines.kit.notation import Grammar, words_of
from engines.kit.offers import legal
from engines.kit.pieces import Piece, Pieces, found
from engines.registry import all_games, game_of
from tests.conftest import Turnlog
from tests.lively_games import opened, seats_for

GRAMMAR: Grammar = game_of("half-lifed").grammar
SPELT = ["activate hq1 w9", "activate hq1 w10", "activate c1 w9", "build c12", "build c1 on c12", "done"]


def pieces(*spelt: str) -> Pieces:
    """What boards show while these moves are legal."""
    return Pieces(GRAMMAR, [GRAMMAR.parse(words_of(move)) for move in spelt])


@pytest.mark.parametrize(
    ("sought", "expected"),
    [
        ("", SPELT),
        ("act w9", ["activate hq1 w9", "activate c1 w9"]),
        ("C1", ["activate c1 w9", "build c12", "build c1 on c12"]),
        ('"c1"', ["activate c1 w9", "build c1 on c12"]),
        ('"c1" build', ["build c1 on c12"]),
        ('"c', []),
        ("w", ["activate hq1 w9", "activate hq1 w10", "activate c1 w9"]),
    ],
)
def test_moves_are_found_by_their_words(sought: str, expected: list[str]) -> None:
    """By the beginning of a word, in quotes by a whole one; all that is sought has to be there."""
    assert list(found(SPELT, sought)) == expected


@pytest.mark.parametrize(
    ("span", "expected"),
    [
        (Span("hq1 w9 green"), [Piece("hq1", '"hq1"'), Piece(" "), Piece("w9", '"w9"'), Piece(" green")]),
        (Span("  c12 "), [Piece("  "), Piece("c12", '"c12"'), Piece(" ")]),
        (Span("(c1)"), [Piece("("), Piece("c1", '"c1"'), Piece(")")]),
        (Span("w10"), [Piece("w10", '"w10"', "activate hq1 w10")]),
        (Span("done is done"), [Piece("done is done")]),
        (Span("The end", move="done"), [Piece("The end", '"done"', "done")]),
        (Span(" ", move="build c12"), [Piece(" ", '"build" "c12"', "build c12")]),
        (Span("c12", move="discard c12"), [Piece("c12", '"c12"')]),
        (Span("no move", move="room c1"), [Piece("no move")]),
    ],
)
def test_what_a_span_stands_for(span: Span, expected: list[Piece]) -> None:
    """Its own move, where that is legal; else the names in it of which legal moves are made."""
    assert list(pieces(*SPELT).of(span)) == expected


def test_words_of_prose_are_no_pieces() -> None:
    """A name without a digit is one only where it stands alone."""
    grammar = game_of("evangelists").grammar
    shown = Pieces(grammar, [grammar.parse(["place", "rome"]), grammar.parse(["place", "corinth"])])
    assert list(shown.of(Span("from rome on"))) == [Piece("from rome on")]
    assert list(shown.of(Span("rome   "))) == [Piece("rome", '"rome"', "place rome"), Piece("   ")]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_a_board_with_pieces_is_the_board(game: Game, turnlog: Turnlog) -> None:
    """The parts of each span are its text; what one is found by finds the legal moves that it stands for."""
    log = opened(turnlog.db)
    wish = Wish(game, seats_for(game, ("ada", "bo", "cy")), seed="pieces")
    table, _ = create(log, wish, "g1", now=1, secret=lambda: "salt")
    chance = Chance("pieces")
    clicked = 0
    for now in range(2, 42):
        if not table.to_move:
            break
        seat = table.to_move[0]
        moves = legal(table.offers(seat))
        spelt = [game.grammar.spell(move) for move in moves]
        shown = Pieces(game.grammar, moves)
        state = game.concealed(table.state, seat)
        for panel in (panel for row in game.drawn.board(state, seat, table.names).rows for panel in row):
            for span in (span for line in panel.lines for span in line):
                parts = list(shown.of(span))
                assert "".join(part.text for part in parts) == span.text
                for part in parts:
                    matching = {*found(spelt, part.find)} if part.find else set()
                    assert bool(part.find) == bool(matching)
                    assert part.move in (matching if len(matching) == 1 else (None,))
                    clicked += bool(part.find)
        move = spelt[chance.number("move", len(spelt))]
        table.play(words_of(move), now=now, seat=seat)
    log.close()
    assert clicked, "nothing on these boards can be clicked"
