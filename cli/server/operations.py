"""What can be asked over HTTP: one function an operation, each what a command does, and the table of them all.

They run in worker threads, open the log as a command does, and answer with the command's document.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping
from contextlib import contextmanager, suppress
from hashlib import sha256
from itertools import islice
from types import MappingProxyType
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta, Struct, field, json

from cli.commands import (
    Wanted,
    among,
    listed,
    moves_lines,
    show_lines,
    shown_document,
    standings_rows,
    unreadable_document,
)
from cli.comparing import check_eyes, notes_documents
from cli.completion import next_words
from cli.corresponding import drop, leave, orders_document, subscribe_webhook, subscription_document
from cli.documents import batch_document, moves_document
from cli.inviting import (
    SeatTaken,
    grants_document,
    invited,
    new_token,
    new_tokens,
    offered_document,
    role_of,
    seat_to_open,
    set_open,
    taken,
    token_document,
)
from cli.library import games_document, rules_document
from cli.playing import answer_lines
from cli.review import check_span, form_of, log_documents, step_document, step_lines
from cli.server import answers
from cli.server.auth import Access, Door, NoRight, Presented, cookie_of
from cli.server.limits import check_players
from cli.session import SeatPrograms, Session
from engines.creation import close_game
from engines.creation import create as start
from engines.kit.errors import BadSetup, Refusal
from engines.kit.notation import words_of
from engines.kit.secrecy import Viewer
from engines.registry import game_of
from engines.table import Entry, Table
from events.errors import Damaged, LogError
from events.log import Database
from projections import notices
from projections.access import USED_EVERY, Grant, note_use, open_seats, revoke, set_public
from replays.stepping import steps
from replays.wishes import CreateLine, wish_of

#: So many events are in one answer of `log` and `replay`, games in one of `list`.
PAGE = 500
#: An answer in words.
WORDS = "text/plain; charset=utf-8"
#: A key that starts a game gives its tokens to whoever says it again: it must not be guessed.
SHORTEST_KEY = 16

Seq = Annotated[int, Meta(ge=1, le=2**53)]
Count = Annotated[int, Meta(ge=1, le=10_000)]


class Strict(Struct, frozen=True, forbid_unknown_fields=True):
    """What came in; names that are not known are refused."""


class Nothing(Strict, frozen=True):
    """No parameters."""


class Looking(Strict, frozen=True):
    """As whom: `spectator`, the asker's own seat, and `referee` or any seat once the game is over."""

    as_: str | None = field(default=None, name="as")


class Moment(Looking, frozen=True):
    """At which event, too."""

    at: Seq | None = None


class Typing(Looking, frozen=True):
    """What has been typed so far; behind a blank the next word is wanted."""

    line: Annotated[str, Meta(max_length=2000)] = ""


class Since(Looking, frozen=True):
    """From which event on."""

    after: Annotated[int, Meta(ge=0, le=2**53)] = 0


class Reading(Since, frozen=True):
    """Whether each note stands beneath the event it is about, too."""

    notes: bool = False


class Span(Looking, frozen=True):
    """A part of a game; with `words` each event and board as the command prints it, too."""

    from_: Seq = field(default=1, name="from")
    to: Seq | None = None
    undone: bool = False
    words: Literal["plain", "colour"] | None = None


class Form(Looking, frozen=True):
    """A file's format."""

    format: str = "jsonl"


class Listing(Strict, frozen=True):
    """Which games."""

    player: str | None = None
    open: bool = False
    offset: Annotated[int, Meta(ge=0, le=2**53)] = 0


class Slug(Strict, frozen=True):
    """Which game, as `games` lists them."""

    slug: str | None = None


class Creating(Strict, frozen=True):
    """A new game. `stack` is JSON as of `create --stack`; sets of one's own are not taken."""

    slug: str
    players: list[str]
    options: dict[str, str] = {}
    undo: str = "free"
    seed: str | None = None
    stack: dict[str, list[str | list[str | int]]] | None = None
    pace: str | None = None
    on_timeout: str | None = None
    public: bool = False


class Playing(Strict, frozen=True):
    """A move as typed; or its words, of which none is split any further."""

    move: str | list[str]
    dry_run: bool = False


class Undoing(Strict, frozen=True):
    """So many moves of persons, or all after an event."""

    n: Count = 1
    to: Seq | None = None
    reason: str = ""
    dry_run: bool = False


class Redoing(Strict, frozen=True):
    """So many undos."""

    n: Count = 1
    dry_run: bool = False


class Agreeing(Strict, frozen=True):
    """Whether the one who is asked refuses, or the one who asks withdraws."""

    refuse: bool = False
    withdraw: bool = False
    dry_run: bool = False


class Ordering(Strict, frozen=True):
    """A standing order: a move as typed, or its words."""

    move: str | list[str]


class Dropping(Strict, frozen=True):
    """The number of a standing order."""

    number: Seq


class Telling(Strict, frozen=True):
    """A webhook's address; null: tell nothing more."""

    webhook: str | None


class Noting(Strict, frozen=True):
    """A comment on an event."""

    about: Seq
    text: str


class Closing(Strict, frozen=True):
    """Why; and whether the owner abandons the game, rather than a seat resigns."""

    reason: str = ""
    abandon: bool = False


class Inviting(Strict, frozen=True):
    """For a seat (a name or number), `spectator` or `owner`."""

    who: str = field(name="for")


class Offering(Inviting, frozen=True):
    """Which seat, and whether anybody may take it."""

    open: bool = True


class Opening(Strict, frozen=True):
    """Whether anybody may watch."""

    public: bool


class Words(NamedTuple):
    """That an answer is wanted in words, as a command prints it."""

    quiet: bool = False
    colour: bool = False


class Reply(NamedTuple):
    """What is answered: a document, or a text of a media type.

    :param changed: the last event that changed the game
    :param cookie: its name, and the token
    :param file: the name that a browser is to save it under
    """

    document: Any
    changed: int | None = None
    media: str = "application/json"
    cookie: tuple[str, str] | None = None
    file: str | None = None


class Ask(NamedTuple):
    """A request.

    :param programs: whether programs of this machine that its user allowed may play seats
    :param words: how the answer is wanted in words; None: as a document
    """

    session: Session
    door: Door
    presented: Presented
    url: str
    game: str = ""
    slug: str = ""
    query: Any = None
    body: Any = None
    expect: int | None = None
    request: str | None = None
    programs: bool = False
    words: Words | None = None
    trust: Callable[[bytes], None] = lambda digest: None

    def reply(
        self, document: Callable[[], Any], lines: Callable[[Words], Iterable[str]], changed: int | None
    ) -> Reply:
        """The answer as it is wanted: a document, or lines."""
        if self.words is None:
            return Reply(document(), changed)
        return Reply("".join(f"{line}\n" for line in lines(self.words)), changed, media=WORDS)

    @contextmanager
    def reading(self) -> Generator[Database]:
        """The log, read-only."""
        log = self.session.reader()
        try:
            yield log
        finally:
            log.close()

    @contextmanager
    def writing(self) -> Generator[Database]:
        """The log, to append to."""
        log = self.session.writer()
        try:
            yield log
        finally:
            log.close()

    @contextmanager
    def playing(self) -> Generator[SeatPrograms | None]:
        """What plays the seats of programs."""
        programs = SeatPrograms(self.session)
        try:
            yield programs if self.programs else None
        finally:
            programs.close()

    def access(self, log: Database) -> Access:
        """What whoever asks may do in the game.

        :raises WrongToken, NoSuchGame: nothing
        """
        access = self.door.access(log, self.presented, self.game)
        for grant in access.grants:
            self._note_use(grant)
        return access

    def bearer(self, log: Database) -> Grant | None:
        """What the bearer's token grants, of whose use a note is made; None if there is none.

        :raises WrongToken: it is none of ours
        """
        grant = self.door.bearer(log, self.presented)
        if grant is not None:
            self._note_use(grant)
        return grant

    def _note_use(self, grant: Grant) -> None:
        self.trust(grant.digest)
        now = self.session.clock()
        if grant.role != "server" and (grant.used is None or now - grant.used > USED_EVERY):
            with suppress(LogError), self.writing() as writer:
                note_use(writer, grant, now)

    def come_in(self) -> None:
        """Makes a note that somebody uses the game's tokens.

        :raises WrongToken, NoSuchGame: they may not
        """
        with self.reading() as log:
            self.access(log)

    def seen(self, log: Database) -> tuple[Table, Viewer]:
        """The game, and with whose eyes it is looked at.

        :raises WrongToken, NoSuchGame, NoRight: it may not be looked at so
        """
        access = self.access(log)
        table = Table(log, self.game)
        viewer = access.viewer(table, self.query.as_)
        check_eyes(table, viewer)
        return table, viewer


# games ------------------------------------------------------------------------------------------------


def games(ask: Ask) -> Reply:
    """The games that can be played"""
    return Reply(games_document())


def rules(ask: Ask) -> Reply:
    """The rules of a game"""
    return Reply(rules_document(ask.slug))


def create(ask: Ask) -> Reply:
    """Starts a game; the answer has tokens for its owner, its seats and spectators"""
    wanted: Creating = ask.body
    with ask.writing() as log, ask.playing() as programs:
        starter = ask.door.check_starting(log, ask.presented)
        check_players(wanted.players)
        stack = None if wanted.stack is None else json.encode(wanted.stack).decode()
        options = tuple(f"{key}={value}" for key, value in wanted.options.items())
        asked = CreateLine(wanted.slug, tuple(wanted.players), options, wanted.seed, stack, None, wanted.undo)
        asked = asked._replace(pace=wanted.pace, on_timeout=wanted.on_timeout)
        now = ask.session.clock()
        table, entries = start(
            log,
            wish_of(game_of(wanted.slug), asked),
            ask.session.ids(),
            now=now,
            secret=ask.session.secrets,
            request=None if ask.request is None else _request(ask.request, starter),
            programs=programs,
        )
        if wanted.public:
            set_public(log, table.id, True)
        persons = [seat for seat in range(len(table.names)) if table.player(seat) == "person"]
        owner, spectator, *others = new_tokens(
            log, table.id, [("owner", None), ("spectator", None), *(("seat", seat) for seat in persons)], now
        )
        seats = {table.names[seat]: token for seat, token in zip(persons, others, strict=True)}
        tokens = {"owner": owner, "spectator": spectator, "seats": seats}
        ask.session.say("created", game=table.id, slug=table.game.slug)
        return Reply(batch_document(table, entries, None) | {"tokens": tokens})


def _request(key: str, starter: str) -> str:
    """The request id of a creation: nobody can tell the key from it, and each starter's keys are their own."""
    if len(key) < SHORTEST_KEY:
        raise BadSetup(
            f"an Idempotency-Key that starts a game has {SHORTEST_KEY} characters at least, not {len(key)}",
            "take a random UUID",
        )
    return sha256(f"turnlog create {starter} {key}".encode()).hexdigest()


def list_games(ask: Ask) -> Reply:
    """The games that are public or that you have a token of, the last touched first"""
    wanted: Listing = ask.query
    with ask.reading() as log:
        own, values = among(ask.door.games(log, ask.presented))
        within = (f"(game in (select game from public_games) or {own})", values)
        asked = Wanted(wanted.player, wanted.open, within, PAGE, wanted.offset)
        return Reply(list(listed(log, asked, ask.session.clock())))


def standings(ask: Ask) -> Reply:
    """Who won how often, in public games"""
    if ask.query.slug is not None:
        game_of(ask.query.slug)
    with ask.reading() as log:
        return Reply(standings_rows(log, ask.query.slug, public=True))


# reading ----------------------------------------------------------------------------------------------


def show(ask: Ask) -> Reply:
    """A game as you may see it"""
    with ask.reading() as log:
        table, viewer = ask.seen(log)
        changed = table.position.timeline.changed
        at, now = ask.query.at, ask.session.clock()
        moment = table if at is None else Table(log, ask.game, at=at)
        return ask.reply(
            lambda: shown_document(moment, viewer, at, now),
            lambda how: show_lines(moment, viewer, at, now, quiet=how.quiet, colour=how.colour),
            changed,
        )


def moves(ask: Ask) -> Reply:
    """What your seat can play"""
    with ask.reading() as log:
        table, viewer = ask.seen(log)
        changed = table.position.timeline.changed
        moment = table if ask.query.at is None else Table(log, ask.game, at=ask.query.at)
        seat = viewer if viewer is not None and viewer >= 0 else None
        offers = moment.offers(seat) if seat is not None else ()
        return ask.reply(
            lambda: moves_document(moment, seat, offers),
            lambda how: moves_lines(moment, offers, quiet=how.quiet),
            changed,
        )


def complete(ask: Ask) -> Reply:
    """The words that may come next in a move that is being typed; as the shell has them"""
    with ask.reading() as log:
        table, viewer = ask.seen(log)
        seat = viewer if viewer is not None and viewer >= 0 else None
        *before, incomplete = ask.query.line.split(" ")
        words = [] if seat is None else next_words(table, seat, [word for word in before if word], incomplete)
        return Reply({"game": table.id, "seq": table.seq, "words": words[:PAGE]})


def log_of(ask: Ask) -> Reply:
    """What happened, event by event; at most 500 of them: ask again with `after`"""
    with ask.reading() as log:
        table, viewer = ask.seen(log)
        wanted: Reading = ask.query
        found = log_documents(table, viewer, wanted.after, wanted.after + PAGE, notes=wanted.notes)
        return Reply(list(found), table.position.timeline.changed)


def replay(ask: Ask) -> Reply:
    """The boards of a game, event by event; at most 500 of them: ask again with `from`"""
    with ask.reading() as log:
        table, viewer = ask.seen(log)
        asked: Span = ask.query
        check_span(table, asked.from_, asked.to)
        found: list[dict[str, Any]] = []
        walk = steps(table, undone=asked.undone, first=asked.from_, last=asked.to)
        for step in islice(walk, PAGE):
            document = step_document(table, step, viewer)
            if asked.words is not None:
                lines = step_lines(table, step, viewer, colour=asked.words == "colour")
                document["words"] = "\n".join(lines)
            found.append(document)
        return Reply(found)


def notes(ask: Ask) -> Reply:
    """The notes on a game"""
    with ask.reading() as log:
        table, _ = ask.seen(log)
        return Reply(notes_documents(table))


_MEDIA = {
    "jsonl": ("application/x-ndjson", "jsonl"),
    "transcript": ("text/plain", "txt"),
    "markdown": ("text/markdown", "md"),
    "html": ("text/html", "html"),
}


def export(ask: Ask) -> Reply:
    """A game as a file: jsonl, transcript, markdown or html"""
    form = form_of(ask.query.format)
    media, ending = _MEDIA[ask.query.format]
    with ask.reading() as log:
        table, viewer = ask.seen(log)
        text = "".join(f"{line}\n" for line in form(table, (viewer,)))
        return Reply(text, media=f"{media}; charset=utf-8", file=f"{table.id}.{ending}")


# acting -----------------------------------------------------------------------------------------------


def play(ask: Ask) -> Reply:
    """Plays a move for your seat"""
    said = ask.body.move
    words = words_of(said) if isinstance(said, str) else said
    with ask.writing() as log, ask.playing() as programs:
        seat = ask.access(log).acting()
        table = Table(log, ask.game, programs=programs)
        entries = table.play(
            words,
            now=ask.session.clock(),
            seat=seat,
            expect=ask.expect,
            request=ask.request,
            dry_run=ask.body.dry_run,
        )
        ask.session.say(
            "played", game=table.id, seq=entries[-1].seq, events=len(entries), dry_run=ask.body.dry_run
        )
        return _changed(ask, table, entries, seat, dry_run=ask.body.dry_run)


def undo(ask: Ask) -> Reply:
    """Takes moves back, by the game's policy; not when the game is over, and all of it is open"""
    wanted: Undoing = ask.body
    with ask.writing() as log:
        seat = ask.access(log).acting()
        table = Table(log, ask.game)
        check_going_on(table, ask.request)
        entries = table.undo(
            now=ask.session.clock(),
            seat=seat,
            count=wanted.n,
            to=wanted.to,
            reason=wanted.reason,
            expect=ask.expect,
            request=ask.request,
            dry_run=wanted.dry_run,
        )
        return _changed(ask, table, entries, seat, dry_run=wanted.dry_run)


def check_going_on(table: Table, request: str | None = None) -> None:
    """Lets nobody take back the end of a game: what was hidden in it has been open to everybody since.

    :raises Refusal: it is over
    """
    if table.outcome is not None and (request is None or table.log.asked(request, table.id) is None):
        raise Refusal(f"game {table.id} is over, and all of it is open: nothing is taken back any more")


def redo(ask: Ask) -> Reply:
    """Puts moves back"""
    with ask.writing() as log:
        seat = ask.access(log).acting()
        table = Table(log, ask.game)
        entries = table.redo(
            now=ask.session.clock(),
            seat=seat,
            count=ask.body.n,
            expect=ask.expect,
            request=ask.request,
            dry_run=ask.body.dry_run,
        )
        return _changed(ask, table, entries, seat, dry_run=ask.body.dry_run)


def agree(ask: Ask) -> Reply:
    """Answers a request to take moves back, or withdraws it"""
    wanted: Agreeing = ask.body
    if wanted.refuse and wanted.withdraw:
        raise BadSetup("`refuse` is for those who are asked, `withdraw` for who asks", "say one of them")
    with ask.writing() as log:
        seat = ask.access(log).acting()
        table = Table(log, ask.game)
        entries = table.agree(
            now=ask.session.clock(),
            seat=seat,
            no=wanted.refuse,
            withdraw=wanted.withdraw,
            expect=ask.expect,
            request=ask.request,
            dry_run=wanted.dry_run,
        )
        return _changed(ask, table, entries, seat, dry_run=wanted.dry_run)


def note(ask: Ask) -> Reply:
    """Comments on an event, as a seat or as the owner"""
    with ask.writing() as log:
        access = ask.access(log)
        seat = access.seat if access.owner else access.acting()
        table = Table(log, ask.game)
        entries = table.note(ask.body.about, ask.body.text, now=ask.session.clock(), seat=seat)
        return _changed(ask, table, entries, seat)


def close(ask: Ask) -> Reply:
    """Resigns, as a seat; abandons the game, as its owner, where that is said"""
    with ask.writing() as log:
        access = ask.access(log)
        seat = None
        if ask.body.abandon:
            access.owning()
        else:
            seat = access.acting()
        _, event = close_game(log, ask.game, seat=seat, reason=ask.body.reason, now=ask.session.clock())
        try:
            table = Table(log, ask.game)
            return _changed(ask, table, [Entry(table.seq, event)], seat)
        except (Damaged, Refusal):
            ask.session.warn("closed a game that cannot be read any more", game=ask.game)
            return Reply(unreadable_document(log, ask.game))


def _changed(ask: Ask, table: Table, entries: list[Entry], viewer: Viewer, *, dry_run: bool = False) -> Reply:
    return ask.reply(
        lambda: batch_document(table, entries, viewer, dry_run=dry_run),
        lambda how: answer_lines(table, entries, viewer, quiet=how.quiet, dry_run=dry_run),
        table.position.timeline.changed,
    )


# while a seat is away ----------------------------------------------------------------------------------


def orders(ask: Ask) -> Reply:
    """The standing orders of your seat"""
    with ask.reading() as log:
        seat = ask.access(log).acting()
        return Reply(orders_document(Table(log, ask.game), seat))


def order(ask: Ask) -> Reply:
    """Leaves a move to be made when your seat comes to move"""
    said = ask.body.move
    with ask.writing() as log:
        seat = ask.access(log).acting()
        table = Table(log, ask.game)
        leave(table, seat, words_of(said) if isinstance(said, str) else said)
        return Reply(orders_document(table, seat))


def drop_order(ask: Ask) -> Reply:
    """Takes a standing order of your seat back"""
    with ask.writing() as log:
        seat = ask.access(log).acting()
        table = Table(log, ask.game)
        drop(table, seat, ask.body.number)
        return Reply(orders_document(table, seat))


def notice(ask: Ask) -> Reply:
    """How your seat is told of news"""
    with ask.reading() as log:
        seat = ask.access(log).acting()
        return Reply(subscription_document(Table(log, ask.game), seat, None))


def notify(ask: Ask) -> Reply:
    """Has your seat told of news by a webhook, or of nothing more"""
    with ask.writing() as log:
        seat = ask.access(log).acting()
        table = Table(log, ask.game)
        secret = None
        if ask.body.webhook is None:
            notices.unsubscribe(log, table.id, seat)
        else:
            secret = subscribe_webhook(ask.session, table, seat, ask.body.webhook)
        return Reply(subscription_document(table, seat, secret))


# who may ----------------------------------------------------------------------------------------------


def tokens(ask: Ask) -> Reply:
    """The tokens of a game, by what they are for; its owner's to see"""
    with ask.reading() as log:
        ask.access(log).owning()
        return Reply(grants_document(log, Table(log, ask.game)))


def invite(ask: Ask) -> Reply:
    """Makes a token for a seat, a spectator or an owner"""
    with ask.writing() as log:
        ask.access(log).owning()
        table = Table(log, ask.game)
        role, seat = role_of(table, ask.body.who)
        token = new_token(log, table.id, role, seat, ask.session.clock())
        return Reply(token_document(table.id, invited(table.names, role, seat), token, ask.url))


def uninvite(ask: Ask) -> Reply:
    """Makes all tokens of a seat, of spectators or of owners void"""
    with ask.writing() as log:
        ask.access(log).owning()
        table = Table(log, ask.game)
        role, seat = role_of(table, ask.body.who)
        count = revoke(log, table.id, role, seat, ask.session.clock())
        return Reply({"game": table.id, "for": invited(table.names, role, seat), "revoked": count})


def who(ask: Ask) -> Reply:
    """What the token is for that it is asked with"""
    with ask.reading() as log:
        grant = ask.bearer(log)
        if grant is None:
            raise NoRight("no token came with this", "send it as Authorization: Bearer TOKEN")
        names = Table(log, grant.game).names if grant.game is not None else ()
        seat = None if grant.seat is None else grant.seat + 1
        return Reply({"game": grant.game, "for": invited(names, grant.role, grant.seat), "seat": seat})


def open_seats_of(ask: Ask) -> Reply:
    """The seats that anybody may take"""
    with ask.reading() as log:
        ask.door.bearer(log, ask.presented)
        found = [
            {"game": one.game, "slug": one.slug, "seats": one.names, "seat": one.name} for one in open_seats(log)
        ]
        return Reply(found)


def offer(ask: Ask) -> Reply:
    """Lets anybody take a seat, or nobody; not one at which somebody sits"""
    with ask.writing() as log:
        ask.access(log).owning()
        table = Table(log, ask.game)
        seat = seat_to_open(table, ask.body.who)
        set_open(log, table, seat, ask.body.open)
        return Reply(offered_document(table, seat, ask.body.open))


def take(ask: Ask) -> Reply:
    """Sits down at an open seat: its token comes as a cookie, and it is nobody else's any more"""
    with ask.writing() as log:
        ask.door.bearer(log, ask.presented)
        if not any(one.game == ask.game for one in open_seats(log)):
            ask.access(log)  # a game that may not be known of is not there
        table = Table(log, ask.game)
        seat = seat_to_open(table, ask.body.who)
        token = taken(log, table.id, seat, ask.session.clock())
        if token is None:
            raise SeatTaken(f"{table.names[seat]}'s seat is not open any more", "the lobby has those that are")
        ask.session.say("taken", game=table.id)
        cookie = cookie_of(Grant(b"", table.id, "seat", seat, 0))
        return Reply({"game": table.id, "for": table.names[seat]}, cookie=(cookie, token))


def join(ask: Ask) -> Reply:
    """Puts the token that it is asked with into a browser's cookie, where no script can read it"""
    with ask.reading() as log:
        grant = ask.bearer(log)
        if grant is None or grant.game is None:
            raise NoRight("a browser joins with the token of a game", "open the link of the invitation")
        table = Table(log, grant.game)
        document = {"game": table.id, "for": invited(table.names, grant.role, grant.seat)}
        return Reply(document, cookie=(cookie_of(grant), ask.presented.bearer or ""))


def publish(ask: Ask) -> Reply:
    """Lets anybody watch, or nobody without a token"""
    with ask.writing() as log:
        ask.access(log).owning()
        set_public(log, ask.game, ask.body.public)
        return Reply({"game": ask.game, "public": ask.body.public})


#: Headers by name: the schema, and what it says.
Headers = Mapping[str, tuple[Mapping[str, Any], str]]

_NONE: Headers = MappingProxyType({})

_KEY: Headers = {
    "Idempotency-Key": (
        {"type": "string", "minLength": 1, "maxLength": 200, "pattern": "^[!-~]+$"},
        "Said twice with one key, it is done once.",
    )
}
_CHANGES: Headers = {
    **_KEY,
    "If-Match": (
        {"type": "string", "pattern": '^("[0-9]{1,15}"|[0-9]{1,15})$'},
        "Refuse unless that was the last event to change it.",
    ),
}


class Operation(NamedTuple):
    """How a function is asked for.

    :param status: of an answer
    :param cost: how many requests it counts as
    :param headers: those that it listens to besides the token
    :param free: whether no token makes a difference
    """

    method: str
    path: str
    run: Callable[[Ask], Reply]
    answer: Any
    query: type[Strict] = Nothing
    body: type[Strict] | None = None
    cost: int = 1
    status: int = 200
    headers: Headers = _NONE
    media: tuple[str, ...] = ("application/json",)
    free: bool = False

    @property
    def name(self) -> str:
        """The operation's name."""
        return self.run.__name__.removesuffix("_of")

    @property
    def writes(self) -> bool:
        """Whether it changes anything."""
        return self.method != "GET"


_GAME = "/api/g/{game}"
_SAID = ("application/json", "text/plain")

OPERATIONS = (
    Operation("GET", "/api/games", games, list[answers.Playable], free=True),
    Operation("GET", "/api/games/{slug}", rules, answers.Rules, free=True),
    Operation("GET", "/api/standings", standings, list[answers.Standing], Slug, cost=5, free=True),
    Operation("GET", "/api/g", list_games, list[answers.Listed], Listing),
    Operation("POST", "/api/g", create, answers.Created, body=Creating, cost=10, status=201, headers=_KEY),
    Operation("GET", _GAME, show, answers.Shown, Moment, media=_SAID),
    Operation("GET", f"{_GAME}/moves", moves, answers.Moves, Moment, media=_SAID),
    Operation("GET", f"{_GAME}/complete", complete, answers.Completed, Typing),
    Operation("GET", f"{_GAME}/log", log_of, list[answers.Logged], Reading, cost=2),
    Operation("GET", f"{_GAME}/replay", replay, list[answers.Stepped], Span, cost=10),
    Operation("GET", f"{_GAME}/notes", notes, list[answers.Note], Looking),
    Operation(
        "GET", f"{_GAME}/export", export, str, Form, cost=40, media=tuple(media for media, _ in _MEDIA.values())
    ),
    Operation("POST", f"{_GAME}/play", play, answers.Changed, body=Playing, headers=_CHANGES, media=_SAID),
    Operation("POST", f"{_GAME}/undo", undo, answers.Changed, body=Undoing, headers=_CHANGES, media=_SAID),
    Operation("POST", f"{_GAME}/redo", redo, answers.Changed, body=Redoing, headers=_CHANGES, media=_SAID),
    Operation("POST", f"{_GAME}/agree", agree, answers.Changed, body=Agreeing, headers=_CHANGES, media=_SAID),
    Operation("POST", f"{_GAME}/notes", note, answers.Changed, body=Noting, media=_SAID),
    Operation("POST", f"{_GAME}/close", close, answers.Changed, body=Closing, media=_SAID),
    Operation("GET", f"{_GAME}/orders", orders, answers.Orders),
    Operation("POST", f"{_GAME}/orders", order, answers.Orders, body=Ordering),
    Operation("POST", f"{_GAME}/orders/drop", drop_order, answers.Orders, body=Dropping),
    Operation("GET", f"{_GAME}/notices", notice, answers.Told),
    Operation("PUT", f"{_GAME}/notices", notify, answers.Told, body=Telling),
    Operation("GET", f"{_GAME}/tokens", tokens, answers.Tokens),
    Operation("POST", f"{_GAME}/tokens", invite, answers.Invited, body=Inviting, status=201),
    Operation("POST", f"{_GAME}/tokens/revoke", uninvite, answers.Revoked, body=Inviting),
    Operation("GET", "/api/who", who, answers.Who),
    Operation("POST", "/api/join", join, answers.Joined),
    Operation("GET", "/api/seats", open_seats_of, list[answers.OpenSeat]),
    Operation("PUT", f"{_GAME}/seats", offer, answers.Offered, body=Offering),
    Operation("POST", f"{_GAME}/seats", take, answers.Joined, body=Inviting),
    Operation("PUT", f"{_GAME}/public", publish, answers.Published, body=Opening),
)
