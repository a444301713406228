"""Whole games between bots: for measuring bots and games.

Game n of a plan depends on the plan and n alone, wherever and in whatever order it is played: as `create` with its
seed would play it. Nothing is written here; what would be can be asked for.
"""

from __future__ import annotations

from _blake2 import blake2b
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple, TypeAlias

from msgspec import json

from engines.creation import Wish, begun
from engines.decide import carried_out, refusal
from engines.kit.bots import Choice, Programs, Turn, bot_of, chosen, random_move
from engines.kit.chance import Chance
from engines.kit.errors import BadSetup, ProgramRefused
from engines.kit.game import PROGRAM
from engines.kit.offers import legal
from engines.programs import Command
from engines.registry import game_of
from engines.table import actor_of
from events.digest import fingerprint
from events.model import Draft, Event, Outcome
from projections.fold import add_draws

#: A game of more moves is called stuck.
MOST_MOVES = 100_000


class Plan(NamedTuple):
    """Which games are played: all that another process needs to play them.

    :param rotate: whether the persons move up a seat from game to game
    :param programs: what those stand for that play seats named `exec:NAME`, by name
    """

    slug: str
    persons: tuple[str, ...]
    seed: str = "1"
    options: Mapping[str, str] = {}
    stack: Mapping[str, list[Any]] = {}
    components: Any = None
    rotate: bool = False
    programs: Mapping[str, Command] = {}

    def seated(self, number: int) -> tuple[str, ...]:
        """The persons of game `number`, in the order of its seats."""
        first = number % len(self.persons) if self.rotate and self.persons else 0
        return self.persons[first:] + self.persons[:first]

    def wish(self, number: int) -> Wish:
        """What to ask for to play game `number` again."""
        return Wish(
            game_of(self.slug),
            self.seated(number),
            self.options,
            seed=f"{self.seed}/{number}",
            stack=self.stack,
            components=self.components,
        )


class Simulated(NamedTuple):
    """A game that was played.

    :param number: from 0
    :param outcome: None where it had no end within `MOST_MOVES` moves
    :param digest: 16 hex digits over all its moves
    :param forfeits: how many moves each seat's program forfeited
    :param drafts: its events, ready to be appended, where they were asked for
    """

    number: int
    names: tuple[str, ...]
    outcome: Outcome | None
    moves: int
    digest: str
    forfeits: tuple[int, ...]
    drafts: tuple[Draft, ...] = ()


class Failed(NamedTuple):
    """A game that could not be played to its end: its number, and what was raised."""

    number: int
    error: str


Result: TypeAlias = Simulated | Failed


def check(plan: Plan, count: int) -> None:
    """Sets up the last of `count` games.

    :raises BadSetup: a seat is no bot; BadSetup, SetupRefused, StackMisfit: the plan makes no game
    """
    wish = plan.wish(count - 1)
    for name in plan.persons:
        if not name.startswith(PROGRAM) and bot_of(wish.game, name) is None:
            raise BadSetup(f"{name!r} is no bot", "in a simulation every seat is one: -p bot:greedy -p bot:random")
    begun(wish, str)


def simulate(
    plan: Plan, numbers: Iterable[int], *, drafts: bool = False, programs: Programs | None = None
) -> Iterator[Simulated]:
    """Plays the games of these numbers, one after the other.

    :raises ProgramRefused: a seat's program may not or cannot be started
    """
    for number in numbers:
        yield _played(plan.wish(number), number, drafts, programs)


def results(
    plan: Plan, numbers: Iterable[int], *, drafts: bool = False, programs: Programs | None = None
) -> list[Result]:
    """Plays the games of these numbers; one that fails does not stop the others.

    :raises ProgramRefused: a seat's program may not or cannot be started
    """
    game_of(plan.slug)
    done: list[Result] = []
    for number in numbers:
        try:
            done += simulate(plan, (number,), drafts=drafts, programs=programs)
        except ProgramRefused:
            raise
        except Exception as error:
            done.append(Failed(number, f"{type(error).__name__}: {error}"[:300]))
    return done


def digest_of(moves: list[tuple[int, Any]]) -> str:
    """The digest of a game's seats and moves."""
    return blake2b(json.encode(moves), digest_size=8).hexdigest()


def _played(wish: Wish, number: int, drafts: bool, programs: Programs | None) -> Simulated:
    game = wish.game
    created, state = begun(wish, lambda: fingerprint(f"salt of {wish.seed}"))
    names, seed, rules = created.seats, created.seed, game.rules
    bots = [bot_of(game, name) for name in names]
    draws, forfeits = dict(created.draws), [0] * len(names)
    to_move, outcome = created.next, created.outcome
    moves: list[tuple[int, Any]] = []
    events: list[Event] = [created]
    while outcome is None and len(moves) < MOST_MOVES:
        for seat in to_move:
            if seat in created.automatic:
                move = rules.automatic(state, seat)
                if move is None:
                    continue
                choice = Choice(move)
                break
            count, offers = len(moves), rules.offers(state, seat)
            if bots[seat] is random_move:  # looks at nothing, and chooses among what is legal
                choice = Choice(random_move(None, seat, legal(offers), Chance(f"{seed}/bots", {"bot": count})))
                break
            view = game.concealed(state, seat)
            turn = Turn(game, created, f"game-{number}", count + 1, count, seat, to_move, view, offers)
            choice = chosen(turn, programs)
            why = refusal(game, offers, choice.move)
            if why is not None:
                raise AssertionError(f"{names[seat]} made an illegal move, {choice.move}: {why}")
            break
        else:
            raise AssertionError("no seat that is to move can")
        done = carried_out(game, state, seat, choice.move, Chance(seed, draws, created.stack))
        add_draws(draws, done.draws)
        moves.append((seat, choice.move))
        forfeits[seat] += bool(choice.remark)
        to_move, outcome = done.next, done.outcome
        if drafts:
            by = "rules" if seat in created.automatic else "bot"
            events.append(done.event(seat, choice.move, by, choice.remark))
    codec = game.projector.codec
    return Simulated(
        number,
        names,
        outcome,
        len(moves),
        digest_of(moves),
        tuple(forfeits),
        tuple(codec.draft(event, actor_of(event, names)) for event in events) if drafts else (),
    )
