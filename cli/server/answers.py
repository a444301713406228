"""The shapes of the answers, as the OpenAPI document tells them; `cli.documents` makes them."""

from typing import Any, Literal

from msgspec import Struct, field


class Answer(Struct, forbid_unknown_fields=True):
    """A document with these fields and no others."""


class Result(Answer):
    """How a game ended."""

    winners: list[str]
    scores: dict[str, int | float | None]
    reason: str


class Event(Answer, omit_defaults=True):
    """An event as its reader may know it; fields without use for its kind are left out."""

    seq: int
    kind: str
    seat: str | None
    move: str | None
    facts: list[dict[str, Any]]
    by: str = ""
    remark: str = ""
    first: int = 0
    last: int = 0
    agreed: list[str] = []
    reason: str = ""
    about: int = 0
    text: str = ""
    created: dict[str, Any] = {}


class Note(Answer):
    """A note on an event."""

    seq: int
    about: int
    seat: str | None
    text: str


class Logged(Event, omit_defaults=True, kw_only=True):
    """An event of the log, told in sentences; with `notes` asked for, those on it."""

    at: str
    stands: bool
    told: list[str]
    notes: list[Note] = []


class AskedMove(Answer):
    """A move that somebody asks to take back, or to put back."""

    seq: int
    seat: str
    move: str


class Learned(Answer):
    """What somebody learned by the moves, as far as their reader may know it."""

    seat: str
    seq: int
    told: str | None


class Takeback(Answer, omit_defaults=True):
    """A request to take moves back; `moves` and `learned` are there as long as it is pending."""

    state: Literal["asked", "granted", "refused", "withdrawn", "lapsed"]
    kind: Literal["undo", "redo"]
    asked_by: str
    first: int
    last: int
    reason: str
    agreed: list[str]
    waiting_for: list[str]
    refused_by: str | None
    moves: list[AskedMove] = []
    learned: list[Learned] = []


class Changed(Answer, omit_defaults=True):
    """What a command did; under the undo policy `ask` with what became of a request."""

    game: str
    seq: int
    events: list[Event]
    to_move: list[str]
    result: Result | None
    takeback: Takeback | None = None
    dry_run: bool = False
    partial: bool = False


class NewTokens(Answer):
    """Tokens of a new game, shown this once."""

    owner: str
    spectator: str
    seats: dict[str, str]


class Created(Changed, omit_defaults=True, kw_only=True):
    """A new game."""

    tokens: NewTokens


class Deadline(Answer):
    """Until when a seat has to move."""

    seat: str
    due: str
    seconds_left: int


class Clock(Answer):
    """The clock of a game."""

    pace: str
    on_timeout: Literal["bot", "skip", "close"]
    deadlines: list[Deadline]


class Shown(Answer, omit_defaults=True):
    """A game as its viewer may see it; `clock` where there is one, `takeback` under the undo policy `ask`."""

    game: str
    slug: str
    seq: int
    as_: str = field(name="as")
    to_move: list[str]
    seats: list[str]
    view: dict[str, Any]
    result: Result | None
    takeback: Takeback | None = None
    clock: Clock | None = None


class Order(Answer):
    """A standing order; `dropped` is the event after which it was no longer legal."""

    number: int
    move: str
    dropped: int | None


class Orders(Answer):
    """The standing orders of a seat, in the order in which they are carried out."""

    game: str
    seat: str
    orders: list[Order]


class Told(Answer, omit_defaults=True):
    """How a seat is told of news. `secret` signs its notices and is told this once."""

    game: str
    seat: str
    means: Literal["command", "webhook"] | None
    target: str | None
    secret: str = ""


class Moves(Answer):
    """What a seat can play: all of it, or, where not `complete`, some and the pattern."""

    game: str
    seq: int
    seat: str | None
    moves: list[str]
    complete: bool
    pattern: str | None


class Stepped(Answer, omit_defaults=True):
    """An event and the game after it; `words` are both as the command prints them, where they are asked for."""

    game: str
    seq: int
    at: str
    as_: str = field(name="as")
    stands: bool
    event: Event
    told: list[str]
    to_move: list[str]
    view: dict[str, Any]
    result: Result | None
    words: str = ""


class Playable(Answer):
    """A game that can be played, with the fewest and most seats."""

    slug: str
    title: str
    seats: tuple[int, int]
    bots: list[str]


class Option(Answer):
    """An option of a game."""

    name: str
    default: str | None
    choices: list[str] | None
    help: str


class Rules(Answer):
    """What there is to know of a game before it is played."""

    slug: str
    title: str
    seats: tuple[int, int]
    options: list[Option]
    draws: dict[str, str]
    moves: list[str]
    bots: list[str]
    house: list[str]
    guide: str


class Listed(Answer):
    """A game of the list."""

    game: str
    slug: str
    seats: list[str]
    state: Literal["playing", "over", "closed"]
    to_move: list[str]
    winners: list[str]
    reason: str | None
    events: int
    moves: int
    created: str
    touched: str
    overdue: list[str]
    takeback: dict[str, Any] | None


class Standing(Answer):
    """How often somebody won a game."""

    slug: str
    name: str
    games: int
    wins: int
    shared: int
    mean_score: float | None
    best_score: float | None


class Token(Answer):
    """A token that there is, by whom it is for."""

    who: str = field(name="for")
    created: str
    used: str | None
    revoked: str | None


class Tokens(Answer):
    """The tokens of a game, and whether anybody may watch it without."""

    game: str
    public: bool
    tokens: list[Token]


class Invited(Answer):
    """A new token, shown this once."""

    game: str
    who: str = field(name="for")
    token: str
    link: str


class Revoked(Answer):
    """How many tokens are void now."""

    game: str
    who: str = field(name="for")
    revoked: int


class Published(Answer):
    """Whether anybody may watch."""

    game: str
    public: bool


class OpenSeat(Answer):
    """A seat that anybody may take."""

    game: str
    slug: str
    seats: list[str]
    seat: str


class Offered(Answer):
    """Whether anybody may take a seat."""

    game: str
    seat: str
    open: bool


class Completed(Answer):
    """The words that may come next."""

    game: str
    seq: int
    words: list[str]


class Joined(Answer):
    """What a browser's cookie is for now."""

    game: str
    who: str = field(name="for")


class Who(Answer):
    """What the token is for: `server` starts games; a seat has a number from 1."""

    game: str | None
    who: str = field(name="for")
    seat: int | None


class Refused(Answer):
    """What was wrong, and what can be done."""

    code: str
    message: str
    hint: str | None


class Error(Answer):
    """An error."""

    error: Refused
