"""The shared suite: every registered game passes it, with every number of seats, by being registered."""

import re
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from msgspec import json, msgpack

from engines.creation import Wish, create
from engines.decide import carried_out, refusal, resolved
from engines.kit import chance as chance_module
from engines.kit.boards import drawn
from engines.kit.chance import Chance, DrawnAgain
from engines.kit.errors import MoveRefused
from engines.kit.notation import words_of
from engines.kit.offers import legal
from engines.kit.secrecy import REFEREE, seen
from engines.learning import lessons
from engines.registry import all_games
from engines.seeing import event_seen
from engines.table import Table
from events.model import GameCreated, MoveMade, Row
from events.sqlite import open_log
from projections.fold import fold
from projections.schema import prepare
from tests.random_games import GAMES, Case, Moment, case_id, cases, copied, random_game

EVERY_CASE = pytest.mark.parametrize("case", cases(), ids=case_id)
ONCE_A_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)


def viewers(moment: Moment) -> list[int | None]:
    """Every seat, and the spectator."""
    return [*range(len(moment.created.seats)), None]


def sampled(case: Case, seed: str, every: int) -> list[Moment]:
    """Each `every`th moment of a random game, with a state of its own."""
    return [
        moment._replace(state=copied(case.game, moment.state))
        for number, moment in enumerate(random_game(case, seed))
        if number % every == 0
    ]


@EVERY_CASE
def test_random_games_end_with_all_pieces(case: Case) -> None:
    """A random game ends, nobody is ever stuck, and no piece is lost or made."""
    for number in range(GAMES):
        start: Any = None
        moment: Moment | None = None
        for moment in random_game(case, f"end/{number}"):
            pieces = case.game.state.pieces(moment.state)
            start = start or pieces
            assert pieces == start
        assert moment is not None
        outcome = case.game.rules.outcome(moment.state)
        assert outcome is not None
        assert len(outcome.scores) == len(moment.created.seats)
        assert case.game.rules.to_move(moment.state) == ()


@EVERY_CASE
def test_the_fold_of_the_log_is_the_state(case: Case) -> None:
    """Events go through their text and fold to the live state, at every event, without chance or rules."""
    projector = case.game.projector
    state: Any = None
    for moment in random_game(case, "fold"):
        draft = projector.codec.draft(moment.event, "x")
        row = Row("g", 1, 0, draft.kind, "x", draft.schema, None, draft.data, b"")
        event = projector.codec.decode(row)
        assert event == moment.event
        if isinstance(event, GameCreated):
            state = projector.begin(event)
        assert isinstance(event, GameCreated | MoveMade)
        fold(projector.reducers, state, event.facts)
        assert msgpack.encode(state) == msgpack.encode(moment.state)


@EVERY_CASE
def test_a_log_as_a_seat_saw_it_folds_to_what_the_seat_sees(case: Case) -> None:
    """For every seat and the spectator, at every event: the fold of the seen log is the concealed state."""
    game = case.game
    fact_type: Any = tuple[game.projector.codec.fact_type, ...]
    minds: dict[int | None, Any] = {}
    for moment in random_game(case, "seen"):
        event = moment.event
        for viewer in viewers(moment):
            shown = event_seen(event, viewer, over=False)
            if isinstance(shown, GameCreated):
                assert not shown.seed
                assert not shown.salt
                minds[viewer] = game.projector.begin(shown)
            assert isinstance(shown, GameCreated | MoveMade)
            for fact in json.decode(json.encode(shown.facts), type=fact_type):
                game.projector.reducers[type(fact)](minds[viewer], fact)
            concealed = game.concealed(moment.state, viewer)
            assert game.concealed(minds[viewer], viewer) == concealed
            # what is concealed is concealed for good: concealing again finds nothing more to hide
            assert game.concealed(concealed, viewer) == concealed


@EVERY_CASE
def test_nothing_shown_depends_on_what_is_hidden(case: Case) -> None:
    """A guess at the hidden things changes no view, board, offer or refusal of the one who guesses."""
    game = case.game
    for number, moment in enumerate(sampled(case, "guess", 5)):
        names = moment.created.seats
        for viewer in viewers(moment):
            guessed = game.view.guess(
                copied(game, game.concealed(moment.state, viewer)), viewer, Chance(f"g{number}")
            )
            real, other = game.concealed(moment.state, viewer), game.concealed(guessed, viewer)
            assert real == other
            assert game.view.present(real, viewer, names) == game.view.present(other, viewer, names)
            assert game.drawn.board(real, viewer, names) == game.drawn.board(other, viewer, names)
            assert game.state.pieces(guessed) == game.state.pieces(moment.state)
            if viewer is not None and viewer in game.rules.to_move(moment.state):
                offers, offered = game.rules.offers(moment.state, viewer), game.rules.offers(guessed, viewer)
                assert legal(offers) == legal(offered)
                for move in perturbed(case, moment):
                    assert refusal(game, offers, move) == refusal(game, offered, move)


_POOL: dict[str, list[Any]] = {}


def perturbed(case: Case, moment: Moment) -> list[Any]:
    """Moves that were legal at other moments of other games."""
    if case_id(case) not in _POOL:
        _POOL[case_id(case)] = list(
            {
                move
                for other in sampled(case, "pool", 7)
                for seat in case.game.rules.to_move(other.state)
                for move in legal(case.game.rules.offers(other.state, seat))
            }
        )
    return _POOL[case_id(case)][:60]


@EVERY_CASE
def test_every_offer_is_accepted_and_everything_else_refused(case: Case) -> None:
    """Each legal move parses from its text and can be carried out; any other move is refused in words."""
    game = case.game
    for moment in sampled(case, "offers", 9):
        for seat in game.rules.to_move(moment.state):
            if seat in moment.created.automatic:
                continue
            offers = game.rules.offers(moment.state, seat)
            moves = legal(offers)
            assert len(set(moves)) == len(moves)
            for move in moves[:40]:
                assert resolved(game, offers, words_of(game.grammar.spell(move))) == move
                carried_out(game, copied(game, moment.state), seat, move, Chance("x", moment.draws))
            complete = all(offer.complete for offer in offers)
            for move in perturbed(case, moment):
                if move not in moves and complete:
                    sentence = refusal(game, offers, move)
                    assert sentence
                    assert "Hidden" not in sentence
            for nonsense in ("", "?", "frobnicate", "play", "\u2603 \u2603", "9" * 400):
                with pytest.raises(MoveRefused):
                    resolved(game, offers, nonsense.split())


@EVERY_CASE
def test_boards_fit_and_colour_adds_nothing(case: Case) -> None:
    """Boards have at most 80 columns, of printable ASCII, and the same text in colour."""
    game = case.game
    for moment in sampled(case, "boards", 11):
        for viewer in (*viewers(moment), REFEREE):
            board = game.drawn.board(game.concealed(moment.state, viewer), viewer, moment.created.seats)
            text = drawn(board)
            assert text.isascii()
            assert max(map(len, text.splitlines())) <= 80
            coloured = re.sub(r"\x1b\[[0-9;]*m", "", drawn(board, colour=True))
            assert [line.rstrip() for line in coloured.splitlines()] == text.splitlines()
            json.encode(game.view.present(game.concealed(moment.state, viewer), viewer, moment.created.seats))


@EVERY_CASE
def test_everything_that_happens_can_be_told(case: Case) -> None:
    """Each fact is told in a sentence, or not at all, to everybody; masked facts as well."""
    for moment in random_game(case, "told"):
        assert isinstance(moment.event, GameCreated | MoveMade)
        actor = moment.event.seat if isinstance(moment.event, MoveMade) else None
        for viewer in viewers(moment):
            for fact in moment.event.facts:
                told = case.game.drawn.tell(seen(fact, viewer, actor), moment.created.seats)
                assert told is None or (told.strip() == told and told[-1:] in ".!?")


@EVERY_CASE
def test_what_was_drawn_has_taught_somebody(case: Case) -> None:
    """For undo policy `safe`: a move with a draw teaches, and no move makes the reckoning fail."""
    game = case.game
    before: Any = None
    for number, moment in enumerate(random_game(case, "safe")):
        if isinstance(moment.event, MoveMade) and (moment.event.draws or number % 7 == 0):
            found = list(lessons(game, len(moment.created.seats), before, [(number, moment.event)]))
            assert found or not moment.event.draws
        before = copied(game, moment.state)
        if number > 400:
            break


@EVERY_CASE
def test_views_name_the_scores(case: Case) -> None:
    """Every view has `scores` by name; at the end they are those of the outcome."""
    moment = [*random_game(case, "scores")][-1]
    names = moment.created.seats
    view = case.game.view.present(case.game.concealed(moment.state, None), None, names)
    outcome = case.game.rules.outcome(moment.state)
    assert outcome is not None
    assert view["scores"] == dict(zip(names, outcome.scores, strict=True))


@EVERY_CASE
def test_bots_play_to_the_end(case: Case) -> None:
    """Each of the game's bots plays legal moves until a game is over."""
    for bot in case.game.bots:
        last = [*random_game(case, "bots", bot=bot)][-1]
        assert case.game.rules.outcome(last.state) is not None


@EVERY_CASE
def test_undo_to_the_start_and_redo(case: Case, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Taking all back and putting it back gives the same state to the byte, and draws nothing."""
    game = case.game
    log = open_log(str(tmp_path / "g.db"), prepare, write=True)
    try:
        wish = Wish(game, case.names, case.options, seed="undo")
        table, _ = create(log, wish, "g", now=1, secret=lambda: "salt")
        choice = Chance("undo/choice")
        states = [msgpack.encode(table.state)]
        while table.to_move and len(states) < 30:
            seat = table.to_move[0]
            moves = legal(table.offers(seat))
            table.play(words_of(game.grammar.spell(moves[choice.number("m", len(moves))])), now=2, seat=seat)
            states.append(msgpack.encode(table.state))

        def raises(*_: Any) -> Any:
            raise DrawnAgain("again")

        monkeypatch.setattr(chance_module.Chance, "_next", raises)
        for state in reversed(states[:-1]):
            table.undo(now=3)
            assert msgpack.encode(table.state) == state
        for state in states[1:]:
            table.redo(now=4)
            assert msgpack.encode(table.state) == state
        assert msgpack.encode(Table(log, "g").state) == states[-1]
    finally:
        log.close()


@ONCE_A_GAME
def test_the_guide_teaches_every_move(game: Any) -> None:
    """The guide names every verb, says what is house, and the set says of each part where it comes from."""
    guide = files(game.package).joinpath("guide.md").read_text("utf-8")
    for verb in game.grammar.verbs:
        assert re.search(rf"`[^`]*\b{verb}\b", guide), f"the guide does not show {verb!r}"
    assert "house" in guide.lower()
    assert 'source = "published"' in files(game.package).joinpath("set.toml").read_text("utf-8")


@ONCE_A_GAME
def test_every_fact_and_move_has_a_stable_tag(game: Any) -> None:
    """Tags are dotted strings that begin with the slug; every fact type has its reducer."""
    reducers = game.projector.reducers
    for record in reducers:
        assert str(record.__struct_config__.tag).startswith(f"{game.slug}.")
        assert record.__struct_config__.frozen
    assert set(reducers) == set(game.projector.codec.fact_types)
