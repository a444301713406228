"""What an event is. One action, one event, one row.

An event says what was asked and, as facts, all that followed from it, chance included: replaying
it draws no random number and asks no rule. The types are generic over a game's set of components
(S), its moves (M) and its facts (F), so that the codec checks all of a document at once.
"""

from collections.abc import Sequence
from typing import Any, Generic, Literal, TypeVar

import msgspec

#: The type variables of a game: its component set, its moves, its facts.
S = TypeVar("S")
M = TypeVar("M")
F = TypeVar("F")

#: Who decided a move: a person, a bot that plays a seat, or the rules for a seat without a player.
By = Literal["person", "bot", "rules"]

CREATED = "game-created"
MOVED = "move-made"
UNDONE = "moves-undone"
REDONE = "moves-redone"
NOTED = "noted"
CLOSED = "game-closed"

#: Kinds that do not change a game: `--expect` and undo look past them.
COMMENTS = frozenset({NOTED})


class Outcome(msgspec.Struct, frozen=True):
    """How a game ended: the seats that won (none, one, or several that share), each seat's score, why."""

    winners: tuple[int, ...]
    scores: tuple[int | None, ...]
    reason: str


class Origin(msgspec.Struct, frozen=True):
    """Where a forked game came from: a game and the event after which it parted.

    `copied` events of it stand at the new log's beginning; 0 if it begins with a guess, as `guess_of` (a seat,
    None for a spectator) might make it. `foreign` of the copied ones were drawn by another chance than the new
    log's seed.
    """

    game: str
    seq: int
    copied: int
    guess_of: int | None = None
    same_chance: bool = False
    foreign: int = 0


class Clock(msgspec.Struct, frozen=True):
    """How long a seat may take to decide, in seconds, and what happens then.

    `bot`: a bot of the game moves for it; `skip`: it passes; `close`: the game is closed.
    """

    pace: int
    on_timeout: Literal["bot", "skip", "close"] = "bot"


class GameCreated(msgspec.Struct, Generic[S, F], frozen=True, kw_only=True):
    """The first event of a game: all that the set-up chose or drew.

    `seed`, `salt` and `stack` are secret; `seed_digest` is the fingerprint of salt and seed and open
    from the start, so that anybody can check the deal once the game is over. `next` are the seats to move,
    `automatic` those that the rules play. A fork with a guess begins at `position`, a state, and has no facts.
    `seen_by` marks the log of a viewer (a seat's name or `spectator`), which can be reviewed and not played on.
    `clock` is there where seats have a limited time.
    """

    slug: str
    rules: int
    seats: tuple[str, ...]
    options: dict[str, str]
    undo: str
    set: S
    seed: str
    salt: str
    stack: dict[str, list[Any]]
    seed_digest: str
    facts: tuple[F, ...]
    draws: dict[str, int]
    next: tuple[int, ...]
    automatic: tuple[int, ...] = ()
    outcome: Outcome | None = None
    origin: Origin | None = None
    position: Any = None
    seen_by: str = ""
    clock: Clock | None = None


class MoveMade(msgspec.Struct, Generic[M, F], frozen=True, kw_only=True):
    """A seat's move and all that followed from it.

    `draws` counts what chance drew, by name; `next` are the seats to move afterwards; `outcome` is
    there when the move ended the game.
    """

    seat: int
    move: M
    facts: tuple[F, ...]
    by: By = "person"
    draws: dict[str, int] = {}
    next: tuple[int, ...] = ()
    outcome: Outcome | None = None
    remark: str = ""


class MovesUndone(msgspec.Struct, frozen=True, kw_only=True):
    """Takes back the standing moves from `first` to `last`. `asked` is the request in words, `seat` who asked.

    `agreed` are the seats that agreed to it, in that order, where the undo policy wants their consent.
    """

    first: int
    last: int
    seat: int | None = None
    asked: str = ""
    reason: str = ""
    agreed: tuple[int, ...] = ()


class MovesRedone(msgspec.Struct, frozen=True, kw_only=True):
    """Puts back what the last undo that still counts took away. `agreed` as in `MovesUndone`."""

    first: int
    last: int
    seat: int | None = None
    asked: str = ""
    agreed: tuple[int, ...] = ()


class Noted(msgspec.Struct, frozen=True, kw_only=True):
    """A reviewer's comment on an event. It changes nothing and survives undo."""

    about: int
    text: str
    seat: int | None = None


class GameClosed(msgspec.Struct, frozen=True, kw_only=True):
    """A game ended by hand: a seat resigned, or it was abandoned."""

    seat: int | None = None
    reason: str = ""
    outcome: Outcome


Event = GameCreated[Any, Any] | MoveMade[Any, Any] | MovesUndone | MovesRedone | Noted | GameClosed

KINDS: dict[type[Any], str] = {
    GameCreated: CREATED,
    MoveMade: MOVED,
    MovesUndone: UNDONE,
    MovesRedone: REDONE,
    Noted: NOTED,
    GameClosed: CLOSED,
}


class Deed(msgspec.Struct, Generic[F], frozen=True):
    """What a fold needs of a creation or a move, and all it decodes."""

    facts: tuple[F, ...]
    draws: dict[str, int] = {}


class Taken(msgspec.Struct, frozen=True):
    """What a timeline needs of an undo or a redo."""

    first: int
    last: int


class Draft(msgspec.Struct, frozen=True):
    """An event on its way into the log: encoded, without its place."""

    kind: str
    actor: str
    schema: int
    data: str
    request: str | None = None


class Row(msgspec.Struct, frozen=True):
    """An event as it lies in the log. `at` is integer microseconds UTC, `data` JSON text."""

    game: str
    seq: int
    at: int
    kind: str
    actor: str
    schema: int
    request: str | None
    data: str
    digest: bytes


Drafts = Sequence[Draft]
