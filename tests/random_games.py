"""Random games of any game, without a log: the raw material of the shared suite."""

import os
from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from msgspec import msgpack

from engines.creation import Wish, begun
from engines.decide import carried_out
from engines.kit.bots import bot_of
from engines.kit.chance import Chance
from engines.kit.game import Game
from engines.kit.offers import legal
from engines.registry import all_games
from events.model import Event, GameCreated, MoveMade
from projections.fold import add_draws

#: Games of each kind that the suite plays; more by TURNLOG_GAMES for a long run.
GAMES = int(os.environ.get("TURNLOG_GAMES", "2"))
MOST_MOVES = 20_000


class Case(NamedTuple):
    """A game with a number of persons and options."""

    game: Game
    persons: int
    options: Mapping[str, str] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """The persons' names."""
        return ("ada", "bo", "cy", "di", "ed")[: self.persons]


def cases() -> list[Case]:
    """Every game with every number of persons."""
    return [Case(game, persons) for game in all_games() for persons in range(game.seats[0], game.seats[1] + 1)]


def case_id(case: Case) -> str:
    """How a case is called among the tests."""
    options = "".join(f"-{key}={value}" for key, value in case.options.items())
    return f"{case.game.slug}-{case.persons}{options}"


class Moment(NamedTuple):
    """A game after an event. `state` is the game's own: copy it to keep it."""

    created: GameCreated[Any, Any]
    event: Event
    state: Any
    draws: dict[str, int]


def copied(game: Game, state: Any) -> Any:
    """A state of its own."""
    return msgpack.decode(msgpack.encode(state), type=game.state.State)


def random_game(case: Case, seed: str, *, bot: str | None = None) -> Iterator[Moment]:
    """A game of random moves, or of the moves of one of the game's bots, event by event."""
    game, rules = case.game, case.game.rules
    created, state = begun(Wish(game, case.names, case.options, seed=seed), lambda: "salt")
    draws = dict(created.draws)
    yield Moment(created, created, state, draws)
    choice = Chance(f"{seed}/choice")
    player = bot_of(game, f"bot:{bot}") if bot else None
    for number in range(MOST_MOVES):
        if rules.outcome(state) is not None:
            return
        seat = game_seat(rules.to_move(state), choice)
        by = "rules" if seat in created.automatic else "person"
        move = rules.automatic(state, seat) if by == "rules" else None
        if move is None:
            moves = legal(rules.offers(state, seat))
            assert moves, f"{seat} is to move and has no move"
            if player is None:
                move = moves[choice.number("move", len(moves))]
            else:
                move = player(game.concealed(state, seat), seat, moves, Chance(seed, {"bot": number}))
        done = carried_out(game, state, seat, move, Chance(seed, draws))
        add_draws(draws, done.draws)
        event: MoveMade[Any, Any] = MoveMade(
            seat=seat, move=move, facts=done.facts, by=by, draws=done.draws, next=done.next, outcome=done.outcome
        )
        yield Moment(created, event, state, draws)
    raise AssertionError(f"no end after {MOST_MOVES} moves")


def game_seat(to_move: tuple[int, ...], choice: Chance) -> int:
    """One of the seats to move."""
    return to_move[choice.number("seat", len(to_move))] if len(to_move) > 1 else to_move[0]
