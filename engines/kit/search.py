"""A bot that searches, for any game: information-set Monte Carlo tree search.

It guesses what its seat cannot see, again and again, and plays each guess on: along a tree of the moves that did
well, then by the game's own quick bot to a horizon, where it looks who is ahead. Its own moves share the playouts
by sequential halving, and the nth playout of each is in the same guessed world with the same luck, so that they
are compared like with like. The method: Cowling, Powley and Whitehouse, "Information Set Monte Carlo Tree Search"
(2012); Karnin, Koren and Somekh, "Almost Optimal Exploration in Multi-Armed Bandits" (2013).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import ceil, log, log2, sqrt
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import msgpack

from engines.kit.chance import Chance
from engines.kit.notation import Move
from engines.kit.offers import legal

if TYPE_CHECKING:
    from engines.kit.game import Bot, Game

#: A playout goes on for so many moves at most.
MOST_MOVES = 400
#: What winning is worth against the score's lead, of 1.
WIN = 0.75
#: How curious the search is among the moves of a place.
CURIOSITY = 0.4
#: Each own move gets this many playouts at least; of more moves a sample is tried.
FEWEST = 4


def _still(_: Any) -> int:
    return 0


def _nobody(_state: Any, _seat: int) -> Move | None:
    return None


class Aid(NamedTuple):
    """What a game tells the search; without it playouts go on to the end of the game.

    :param standings: how well each seat stands in a game that is not over, in any unit
    :param clock: a number that grows as the game goes on, the round for instance
    :param span: a playout stops when the clock has gone on by so much
    :param policy: plays the playouts, `greedy` without it; quick, and content with a whole state for a view
    :param stray: how often a playout leaves its way, in percent
    :param patience: after so many visits a place in the tree is worth a second move, after four times as many 3
    :param doubt: a move is only preferred to the policy's own if it did better by so many standard errors
    """

    standings: Callable[[Any], Sequence[float]] | None = None
    clock: Callable[[Any], int] = _still
    span: int = 1
    policy: Bot | None = None
    stray: int = 10
    patience: int = 1
    doubt: float = 0.5


class _Node:
    """A place in the tree: how often each move was tried there, and what it brought its mover in all."""

    __slots__ = ("tried", "visits")

    def __init__(self) -> None:
        self.visits = 0
        self.tried: dict[Move, list[float]] = {}


class Search:
    """One decision of a seat."""

    def __init__(self, game: Game, view: Any, seat: int, chance: Chance) -> None:
        self.game, self.view, self.seat, self.chance = game, view, seat, chance
        aid = game.aid or Aid()
        self.policy = aid.policy or game.bots["greedy"]
        self.aid = aid
        self.until = aid.clock(view) + aid.span
        self.seed = str(chance.number("bot", 1 << 32))
        self._worlds: list[bytes] = []
        self._tree: dict[tuple[Move, ...], _Node] = {}
        self._usual = [1.0]
        self.automatic: Callable[[Any, int], Move | None] = getattr(game.rules, "automatic", _nobody)

    # the own moves -------------------------------------------------------------------------------------

    def best(self, moves: Sequence[Move], playouts: int) -> Move:
        """The move that does best in so many playouts."""
        plain = self.policy(self.view, self.seat, moves, self.chance)
        others = [move for move in moves if move != plain]
        room = max(1, playouts // FEWEST - 1)
        while len(others) > room:
            others.pop(self.chance.number("bot", len(others)))
        if not others:
            return plain
        rivals = [plain, *others]
        results: dict[Move, list[float]] = {move: [] for move in rivals}
        rounds = ceil(log2(len(rivals)))
        left = playouts
        for done in range(rounds):
            each = max(1, left // (rounds - done) // len(rivals))
            for move in rivals:
                start = len(results[move])
                results[move] += [self._playout(move, world) for world in range(start, start + each)]
            left -= each * len(rivals)
            rivals.sort(key=lambda move: -_mean(results[move]))
            rivals = rivals[: (len(rivals) + 1) // 2]
            if plain not in rivals:
                rivals.append(plain)
            if len(rivals) == 1:
                break
        return rivals[0] if self._is_better(results[rivals[0]], results[plain]) else plain

    def _is_better(self, one: Sequence[float], plain: Sequence[float]) -> bool:
        """Whether a move did clearly better than the plain one in the worlds that both were played in."""
        gains = [a - b for a, b in zip(one, plain, strict=False)]
        mean = _mean(gains)
        spread = sum((gain - mean) ** 2 for gain in gains) / max(1, len(gains) - 1)
        return mean > self.aid.doubt * sqrt(spread / len(gains))

    # one playout ---------------------------------------------------------------------------------------

    def _world(self, number: int) -> bytes:
        while number >= len(self._worlds):
            luck = Chance(f"{self.seed}/{len(self._worlds)}/guess")
            self._worlds.append(msgpack.encode(self.game.view.guess(self.view, self.seat, luck)))
        return self._worlds[number]

    def _playout(self, move: Move, world: int) -> float:
        """What a move brings in a guessed world, from 0 to 1."""
        game = self.game
        rules, reducers = game.rules, game.projector.reducers
        state = msgpack.decode(self._world(world), type=game.state.State)
        luck = Chance(f"{self.seed}/{world}/luck")
        stray = Chance(f"{self.seed}/{world}/stray")
        path: tuple[Move, ...] | None = ()
        steps: list[tuple[_Node, Move, int]] = []
        seat = self.seat
        clock, until = self.aid.clock, self.until
        for step in range(MOST_MOVES):
            if step:
                if rules.outcome(state) is not None or clock(state) >= until:
                    break
                seat = rules.to_move(state)[0]
                played = self.automatic(state, seat)
                if played is None:
                    moves = legal(rules.offers(state, seat))
                    if path is None or len(moves) == 1:
                        played = self._strayed(state, seat, moves, stray)
                    else:
                        node = self._tree.get(path)
                        if node is None:
                            node = self._tree[path] = _Node()
                        played, known = self._picked(node, state, seat, moves, stray)
                        steps.append((node, played, seat))
                        if not known:
                            path = None
                move = played
            for fact in rules.play(state, seat, move, luck):
                reducers[type(fact)](state, fact)
            if path is not None:
                path = (*path, move)
        values = self._values(state)
        for node, played, mover in steps:
            node.visits += 1
            tried = node.tried.setdefault(played, [0.0, 0.0])
            tried[0] += 1
            tried[1] += values(mover)
        return values(self.seat)

    def _strayed(self, state: Any, seat: int, moves: list[Move], stray: Chance) -> Move:
        if len(moves) == 1:
            return moves[0]
        if stray.number("stray", 100) < self.aid.stray:
            return moves[stray.number("move", len(moves))]
        return self.policy(state, seat, moves, stray)

    def _picked(self, node: _Node, state: Any, seat: int, moves: list[Move], stray: Chance) -> tuple[Move, bool]:
        """The move to go on with in the tree, and whether it was tried before; more are tried as visits come."""
        tried = node.tried
        if not tried:
            return self.policy(state, seat, moves, stray), False
        there = set(moves)
        known = [move for move in tried if move in there]
        if not known or len(known) < min(len(moves), sqrt(node.visits / self.aid.patience)):
            fresh = [move for move in moves if move not in tried]
            if fresh:
                return fresh[stray.number("move", len(fresh))], False
        log_visits = log(node.visits + 1)

        def promise(move: Move) -> float:
            visits, total = tried[move]
            return total / visits + CURIOSITY * sqrt(log_visits / visits)

        return max(known, key=promise), True

    def _values(self, state: Any) -> Callable[[int], float]:
        """How well each seat stands, from 0 to 1."""
        outcome = self.game.rules.outcome(state)
        if outcome is None:
            if self.aid.standings is None:
                return lambda seat: 0.5
            leads = _leads(self.aid.standings(state))
            return lambda seat: self._squashed(leads[seat])
        leads = _leads([score or 0.0 for score in outcome.scores])
        share = 1 / max(1, len(outcome.winners))
        return lambda seat: WIN * share * (seat in outcome.winners) + (1 - WIN) * self._squashed(leads[seat])

    def _squashed(self, lead: float) -> float:
        """A lead as a number from 0 to 1, by what leads are usual."""
        usual = sum(self._usual) / len(self._usual)
        if len(self._usual) < 64:
            self._usual.append(abs(lead))
        return 0.5 + 0.5 * lead / (abs(lead) + usual)


def _leads(standings: Sequence[float]) -> list[float]:
    """By how much each seat is ahead of the best other; alone, how well it stands."""
    if len(standings) == 1:
        return [standings[0]]
    best, second = sorted(standings, reverse=True)[:2]
    return [one - (second if one == best else best) for one in standings]


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
