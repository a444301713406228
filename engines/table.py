"""The table a game is played at: takes what a seat asks, decides, and appends. The only place that appends.

A command is a batch: the move and the moves that bots make on it, all decided first, then appended in one
transaction that names the row it follows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, cast

from msgspec import MsgspecError, Struct, json, structs

from engines.consent import (
    ASK,
    NotYours,
    SeatNeeded,
    agreed_to,
    asked_of,
    granted_events,
    persons,
    player_of,
    refused_by,
    withdrawn_by,
)
from engines.decide import carried_out, refusal, resolved
from engines.kit.bots import Choice, Programs, Turn, chosen
from engines.kit.chance import Chance
from engines.kit.errors import BadSetup, IllegalMove, MoveRefused, Refusal
from engines.kit.game import Game
from engines.kit.notation import Move, words_of
from engines.kit.offers import Offers
from engines.learning import Lesson, foreseen, lessons
from engines.registry import game_of
from engines.telling import taught
from events.codec import check_seats
from events.errors import Conflict, Damaged, LogError, NoSuchEvent, RequestReused
from events.log import Database, Inside, Store, checked
from events.model import (
    MOVED,
    By,
    Event,
    GameClosed,
    GameCreated,
    MoveMade,
    MovesRedone,
    MovesUndone,
    Noted,
    Outcome,
    Row,
)
from projections.fold import add_draws, fold
from projections.position import Position, due, first_row, keep, load, slug_of
from projections.readmodels import update
from projections.takebacks import Answer, Takeback, answered, changed, keep_answer, latest
from projections.takebacks import keep as keep_takeback
from projections.timeline import Run, Timeline

UNDO_POLICIES = ("free", "own", "safe", ASK, "off")

#: The most characters of a note or a reason.
LONGEST_TEXT = 10_000

#: The most characters of a request id.
LONGEST_REQUEST = 200

#: A batch of bots' moves is cut here: a game of bots that never ends must not hang a command.
MOST_MOVES = 20_000

#: So often a move is decided, at most, when other writers keep coming first.
MOST_TRIES = 100

#: So many rows are looked at together for the last moves of persons.
_UNITS = 32

_WAITING = "select seat, number, move from orders where game = ? and dropped is null order by seat, number"


class OrdersChanged(Conflict):
    """A standing order was left or withdrawn while a move was decided on."""

    def __init__(self, game: str) -> None:
        LogError.__init__(
            self, f"the standing orders of game {game} changed meanwhile: nothing was written", "say it again"
        )
        self.game = game


class _Mover(Struct):
    seat: int
    by: By = "person"


_movers: json.Decoder[_Mover] = json.Decoder(_Mover)


class Order(NamedTuple):
    """A move that a seat wants made when it comes to move."""

    seat: int
    number: int
    move: str


class Entry(NamedTuple):
    """An event with its number; the number it would have, in a dry run."""

    seq: int
    event: Event


class Table:
    """One game, loaded and ready to be played.

    :param programs: those that play seats named `exec:NAME`; without, no such seat answers
    :raises NoSuchGame, NoSuchEvent, Damaged, NoSuchSlug: it cannot be loaded
    """

    def __init__(
        self, log: Database, game: str, *, at: int | None = None, programs: Programs | None = None
    ) -> None:
        (first,) = checked([first_row(log, game)])
        self.log, self.id, self._programs = log, game, programs
        self.game = game_of(slug_of(first))
        self._first = first
        self._position: Position | None = load(log, self.game.projector, first, at)
        self._offers: dict[int, Offers] = {}
        self._orders: list[Order] = []
        self._settled: dict[Order, bool] = {}
        #: What the last command did with a request to take moves back: made, answered or voided it.
        self.takeback: Takeback | None = None

    @classmethod
    def started(
        cls,
        log: Database,
        game_id: str,
        game: Game,
        created: GameCreated[Any, Any],
        state: Any,
        *,
        now: int,
        request: str | None,
        bots: bool,
        programs: Programs | None = None,
        moves: Sequence[MoveMade[Any, Any]] = (),
    ) -> tuple[Table, list[Entry]]:
        """A table for a new game: appends its creation, moves made before, and those of bots that are to move.

        :param state: the state after the creation's own facts
        """
        table = cls.__new__(cls)
        table.log, table.id, table.game, table._offers = log, game_id, game, {}
        table._programs, table.takeback = programs, None
        table._orders, table._settled = [], {}
        table._position = Position(game_id, created, Timeline(), state, dict(created.draws))
        events: list[Event] = [created, *moves]
        for move in moves:
            fold(game.projector.reducers, state, move.facts)
            add_draws(table._position.draws, move.draws)
        events += table._answers(dict(table._position.draws), len(moves), len(events), bots)
        table._position.draws = dict(created.draws)  # the append counts the moves' own
        entries = table._append(events, now, request, dry_run=False)
        table._first = first_row(log, game_id)
        return table, entries

    # what is known -------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """What stands; loaded anew after a command that failed half-way."""
        if self._position is None:
            self._position = load(self.log, self.game.projector, self._first)
        return self._position

    def _forget(self) -> None:
        self._position = None
        self._offers.clear()

    @property
    def created(self) -> GameCreated[Any, Any]:
        """The game's creation."""
        return self.position.created

    @property
    def names(self) -> tuple[str, ...]:
        """The seats' names."""
        return self.created.seats

    @property
    def state(self) -> Any:
        """The state as it stands."""
        return self.position.state

    @property
    def seq(self) -> int:
        """The number of the last event."""
        return self.position.timeline.seq

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, or None. A closed game ended by hand."""
        closed = self.position.timeline.closed
        if closed:
            row = self.log.row(self.id, closed)
            assert row is not None
            return cast("GameClosed", self.event(row)).outcome
        return self.game.rules.outcome(self.state)

    @property
    def to_move(self) -> tuple[int, ...]:
        """The seats to move; none when the game is over or closed."""
        if self.position.timeline.closed or self.game.rules.outcome(self.state):
            return ()
        return self.game.rules.to_move(self.state)

    def offers(self, seat: int) -> Offers:
        """What a seat may do now, made once a position."""
        if seat not in self.to_move:
            return ()
        found = self._offers.get(seat)
        if found is None:
            found = self._offers[seat] = self.game.rules.offers(self.state, seat)
        return found

    def player(self, seat: int) -> By:
        """Who decides for a seat."""
        return player_of(self.created, seat)

    def event(self, row: Row) -> Event:
        """The event of a row of this game.

        :raises Damaged: it is none, or names a seat that the game has not
        """
        event = self.game.projector.codec.decode(row)
        check_seats(row, event, len(self.names))
        return event

    def entries(self) -> Iterator[Entry]:
        """All events of the log, in order."""
        for row in self.log.rows(self.id):
            yield Entry(row.seq, self.event(row))

    # playing -------------------------------------------------------------------------------------------

    def play(
        self,
        words: Sequence[str],
        *,
        now: int,
        seat: int | None = None,
        expect: int | None = None,
        request: str | None = None,
        dry_run: bool = False,
        bots: bool = True,
    ) -> list[Entry]:
        """Plays the move that the words say for `seat`, and the moves that bots make on it.

        A move that another writer overtakes is decided again on what stands then, as long as its seat is still
        to move: of several seats that act at once none fails by another's being first.

        :param expect: the last event that changed the game, as the asker knows it
        :param request: makes a repeated command give the first one's answer
        :param dry_run: write nothing, tell what the mover can know in advance
        :param bots: whether bots answer
        :raises Refusal: it cannot be done; Conflict: somebody else was first, and `expect` was given or the seat
            is no longer to move
        """

        def same(event: Event) -> bool:
            return self._is_move(event, words, seat)

        def played() -> list[Entry]:
            self._expect(expect)
            mover = self._seat_to_move(seat)
            for tries in range(1, MOST_TRIES + 1):
                move = resolved(self.game, self.offers(mover), words)
                by = "bot" if self.player(mover) == "bot" else "person"
                if dry_run:
                    pending = self.pending
                    self.takeback = None if pending is None else structs.replace(pending, state="lapsed")
                    return [Entry(self.seq + 1, self._foreseen(mover, move, by))]
                try:
                    return self._append(list(self._decided(mover, move, by, bots)), now, request, False)
                except Conflict:
                    self._forget()
                    if tries == MOST_TRIES or expect is not None or mover not in self.to_move:
                        raise
                except BaseException:
                    self._forget()
                    raise
            raise AssertionError("the last try returns or raises")

        return self._once(request, same, played)

    def _foreseen(self, seat: int, move: Move, by: By) -> MoveMade[Any, Any]:
        """The move as far as its mover can know in advance what follows."""
        found = foreseen(self.game, self.state, seat, move)
        remark = ""
        if not found.whole:
            remark = "What follows depends on chance or on what you cannot see."
        elif any(self.player(one) != "person" for one in found.next):
            remark = "What the program plays on it is not told."
        return MoveMade(
            seat=seat,
            move=move,
            facts=found.facts,
            by=by,
            next=found.next,
            outcome=found.outcome,
            remark=remark,
        )

    def _decided(self, seat: int, move: Move, by: By, bots: bool) -> Iterator[Event]:
        """The move and what bots and the rules make on it. The state is changed."""
        draws = dict(self.position.draws)
        moves = self.position.timeline.moves()
        self._read_orders()
        yield self._made(seat, Choice(move), by, draws)
        yield from self._answers(draws, moves + 1, self.seq + 1, bots)

    def play_for(
        self, seat: int, choose: Callable[[Turn], Choice], *, now: int, most: int, bots: bool = True
    ) -> list[Entry]:
        """Makes moves for a seat whose time ran out, up to `most`, as long as it is to move without a break.

        They are decided on what this table knows: whoever moved meanwhile was first.

        :raises NotYours, IllegalMove: the seat is not to move; Conflict: somebody else was first
        """
        self._seat_to_move(seat)
        draws = dict(self.position.draws)
        moves = self.position.timeline.moves()
        self._read_orders()
        events: list[Event] = []
        try:
            while seat in self.to_move and len(events) < most:
                choice = choose(self._turn(seat, moves + len(events), self.seq + len(events)))
                events.append(self._made(seat, choice, "bot", draws))
            made = len(events)
            events += self._answers(draws, moves + made, self.seq + made, bots)
            return self._append(events, now, None, False)
        except BaseException:
            self._forget()
            raise

    def _read_orders(self) -> None:
        self._orders, self._settled = self.waiting_orders(), {}

    def waiting_orders(self) -> list[Order]:
        """The standing orders of all seats, each seat's in the order in which it left them. They are secret."""
        return [Order(*columns) for columns in self.log.select(_WAITING, (self.id,))]

    def _ordered(self, seat: int) -> Choice | None:
        """The move of the seat's first standing order that is legal; those before it are dropped."""
        for order in self._orders:
            if order.seat == seat and order not in self._settled:
                try:
                    move = resolved(self.game, self.offers(seat), words_of(order.move))
                except MoveRefused:
                    self._settled[order] = False
                else:
                    self._settled[order] = True
                    return Choice(move, f"{self.names[seat]} had left this move as a standing order.")
        return None

    def _made(self, seat: int, choice: Choice, by: By, draws: dict[str, int]) -> MoveMade[Any, Any]:
        created = self.created
        self._offers.clear()
        done = carried_out(self.game, self.state, seat, choice.move, Chance(created.seed, draws, created.stack))
        add_draws(draws, done.draws)
        return done.event(seat, choice.move, by, choice.remark)

    def _answers(self, draws: dict[str, int], moves: int, seq: int, bots: bool) -> Iterator[Event]:
        """The moves of seats that no person plays or that have left orders, as long as one of those is to move.

        :param seq: the last event
        """
        for number in range(moves, moves + MOST_MOVES):
            for seat in self.to_move:
                found = self._move_of(seat, number, seq + number - moves, bots)
                if found is not None:
                    yield self._made(seat, found[0], found[1], draws)
                    break
            else:
                return

    def _move_of(self, seat: int, number: int, seq: int, bots: bool) -> tuple[Choice, By] | None:
        """The move that the program makes for a seat, or None if a person is to make it."""
        player = self.player(seat)
        if player == "person":
            ordered = self._ordered(seat) if self._orders and bots else None
            return (ordered, "person") if ordered is not None else None
        if player == "rules":
            move = self.game.rules.automatic(self.state, seat)
            return (Choice(move), "rules") if move is not None else None
        if not bots:
            return None
        turn = self._turn(seat, number, seq)
        choice = chosen(turn, self._programs)
        why = refusal(self.game, turn.offers, choice.move)
        if why is not None:
            raise AssertionError(f"{self.names[seat]} made an illegal move, {choice.move}: {why}")
        return choice, "bot"

    def _turn(self, seat: int, number: int, seq: int) -> Turn:
        """What is asked of who plays a seat; `number` moves stand, `seq` is the last event."""
        view = self.game.concealed(self.state, seat)
        return Turn(self.game, self.created, self.id, seq, number, seat, self.to_move, view, self.offers(seat))

    # taking back ---------------------------------------------------------------------------------------

    def undo(
        self,
        *,
        now: int,
        seat: int | None = None,
        count: int = 1,
        to: int | None = None,
        reason: str = "",
        expect: int | None = None,
        request: str | None = None,
        dry_run: bool = False,
    ) -> list[Entry]:
        """Takes back the last `count` moves of persons, with what followed on them; or all after event `to`.

        Where others are to agree no event comes of it, but a request: `takeback`.
        :raises Refusal: the game's undo policy forbids it, or there is nothing to take back
        """
        asked = f"to {to}" if to is not None else f"n {count}"
        if self.created.undo == ASK:

            def wished(pending: Takeback | None) -> Takeback:
                check_words(reason, "a reason")
                self._check_undo_open()
                first, last = self._undo_from(seat, count, to), self.position.timeline.head
                return self._wish(pending, seat, first, last, asked, reason)

            said = ("undo", asked, seat, reason)
            return self._by_consent(said, wished, now=now, expect=expect, request=request, dry_run=dry_run)

        def same(event: Event) -> bool:
            said = (asked, seat, reason)
            return isinstance(event, MovesUndone) and (event.asked, event.seat, event.reason) == said

        def undone() -> list[Entry]:
            self._expect(expect)
            check_words(reason, "a reason")
            self._check_undo_open()
            first = self._undo_from(seat, count, to)
            last = self.position.timeline.head
            event = MovesUndone(first=first, last=last, seat=seat, asked=asked, reason=reason)
            return self._append([event], now, request, dry_run)

        return self._once(request, same, undone)

    def redo(
        self,
        *,
        now: int,
        seat: int | None = None,
        count: int = 1,
        expect: int | None = None,
        request: str | None = None,
        dry_run: bool = False,
    ) -> list[Entry]:
        """Puts back what the last `count` undos took away; where others are to agree it asks, as `undo` does.

        :raises Refusal: nothing was undone, or a move was made since
        """
        asked = f"n {count}"
        if self.created.undo == ASK:

            def wished(pending: Takeback | None) -> Takeback:
                runs = [run for runs in self._to_redo(count) for run in runs]
                return self._wish(pending, seat, runs[0][0], runs[-1][1], asked, redo=True)

            said = ("redo", asked, seat)
            return self._by_consent(said, wished, now=now, expect=expect, request=request, dry_run=dry_run)

        def same(event: Event) -> bool:
            return isinstance(event, MovesRedone) and (event.asked, event.seat) == (asked, seat)

        def redone() -> list[Entry]:
            self._expect(expect)
            self._check_open()
            events: list[Event] = [
                MovesRedone(first=runs[0][0], last=runs[-1][1], seat=seat, asked=asked)
                for runs in self._to_redo(count)
            ]
            return self._append(events, now, request, dry_run)

        return self._once(request, same, redone)

    def _to_redo(self, count: int) -> Iterator[list[Run]]:
        """What each of the last `count` undos took away, the last one first."""
        undone = self.position.timeline.undone
        if not undone:
            raise Refusal(
                f"nothing can be redone in game {self.id}",
                "a redo puts back what was undone last, as long as no new move was made",
            )
        if not 1 <= count <= len(undone):
            raise Refusal(f"only {len(undone)} can be redone, not {count}")
        return reversed(undone[-count:])

    def _check_undo_open(self) -> None:
        self._check_open()
        policy = self.created.undo
        if policy == "off":
            raise Refusal(f"game {self.id} was created with --undo off: no move is taken back")
        if policy != "free" and self.game.rules.outcome(self.state):
            raise Refusal(
                f"the game is over, and with --undo {policy} nothing is taken back then",
                "only --undo free still does that",
            )

    def _undo_from(self, seat: int | None, count: int, to: int | None) -> int:
        """The first row that an undo takes back, once its policy has been asked."""
        policy = self.created.undo
        owned = policy in ("own", "safe")
        if count < 1:
            raise Refusal(f"{count} moves cannot be taken back", "-n takes a number from 1")
        first = 0
        units = 0
        for unit, mover in self._units():
            if to is not None and unit <= to:
                break
            if owned and seat is not None and mover != seat:
                raise NotYours(
                    f"with --undo {policy} a seat takes back its own moves only: event {unit} is a move of "
                    f"{self.names[mover]}"
                )
            seat = mover if owned and seat is None else seat
            first, units = unit, units + 1
            if to is None and units == count:
                break
        self._check_undo_reach(first, units, count, to)
        if policy == "safe":
            self._check_safe(first)
        return first

    def _check_undo_reach(self, first: int, units: int, count: int, to: int | None) -> None:
        timeline = self.position.timeline
        if to is not None:
            if not 1 <= to <= timeline.seq:
                raise NoSuchEvent(self.id, to, timeline.seq)
            if not timeline.stands(to):
                raise Refusal(
                    f"event {to} is not a move of game {self.id} that stands before the last one",
                    f"`turnlog log {self.id}` shows the events; those that stand are not marked as undone",
                )
            left = next(timeline.after(to), None)
            if left is None:
                raise Refusal(
                    f"no move stands after event {to} of game {self.id}, so there is nothing to take back"
                )
            if first != left[0]:
                raise Refusal(
                    f"event {to} is in the middle of what the program answered to a move: nothing goes back to it",
                    f"go back to event {timeline_before(timeline, first)}" if first else None,
                )
        elif not units:
            raise Refusal(f"there is no move to take back in game {self.id}")
        elif units < count:
            raise Refusal(f"only {units} moves can be taken back, not {count}")

    def _units(self) -> Iterator[tuple[int, int]]:
        """Each standing move of a person, the last first: its row and seat."""
        for first, end in reversed(self.position.timeline.standing):
            for last in range(end, first - 1, -_UNITS):
                for seq, data in self.log.select(
                    "select seq, data from events where game = ? and kind = ? and seq > ? and seq <= ? "
                    "order by seq desc",
                    (self.id, MOVED, max(first - 1, last - _UNITS), last),
                ):
                    try:
                        mover = _movers.decode(data)
                    except MsgspecError as error:
                        raise Damaged(self.id, seq, f"it cannot be read: {error}") from error
                    if mover.by == "person":
                        yield seq, mover.seat

    def _check_safe(self, first: int) -> None:
        lesson = self.learned(first)
        if lesson is not None:
            asker = next(seat for seq, seat in self._units() if seq <= lesson.seq)
            told = taught(self.game, self.names, lesson, asker)
            raise Refusal(
                "with --undo safe a move is taken back only while no seat has learned anything by it, but "
                f"{self.names[lesson.seat]} learned something by event {lesson.seq}"
                + (f": {told}" if told else "")
            )

    def learned(self, first: int) -> Lesson | None:
        """What some seat learned by the standing moves from row `first` on, or None."""
        return next(self._lessons(first), None)

    def _lessons(self, first: int) -> Iterator[Lesson]:
        before = load(self.log, self.game.projector, self._first, first - 1)
        moves = [
            Entry(row.seq, self.event(row))
            for begin, end in self.position.timeline.after(first - 1)
            for row in self.log.rows(self.id, begin - 1, end)
        ]
        return lessons(self.game, len(self.names), before.state, moves)

    # by consent ----------------------------------------------------------------------------------------

    @property
    def pending(self) -> Takeback | None:
        """The request to take moves back that waits for answers, as the game stands."""
        return self._standing(latest(self.log.select, self.id)) if self.created.undo == ASK else None

    def _standing(self, found: Takeback | None) -> Takeback | None:
        stands = found is not None and found.state == "asked" and found.seq == self.position.timeline.changed
        return found if stands else None

    def asked_about(self, pending: Takeback) -> list[Entry]:
        """The moves that a pending request is about."""
        timeline = self.position.timeline
        runs = list(timeline.after(pending.first - 1))
        if pending.redo:
            count = len(granted_events(pending, timeline))
            runs = [run for undone in reversed(timeline.undone[-count:]) for run in undone]
        rows = (row for first, last in runs for row in self.log.rows(self.id, first - 1, last))
        return [Entry(row.seq, self.event(row)) for row in rows]

    def lessons_of(self, pending: Takeback) -> list[Lesson]:
        """What each person learned first by the moves that a pending request would take back."""
        if pending.redo:
            return []
        return [lesson for lesson in self._lessons(pending.first) if lesson.seat in persons(self.created)]

    def agree(
        self,
        *,
        now: int,
        seat: int | None = None,
        no: bool = False,
        withdraw: bool = False,
        expect: int | None = None,
        request: str | None = None,
        dry_run: bool = False,
    ) -> list[Entry]:
        """Answers the pending request: the last agreement makes the event that was asked for, a no ends it.

        :param withdraw: the asker takes the request away
        :raises Refusal: there is none, or it is not for that seat to answer; Conflict: it is another one now
        """
        about: tuple[Any, ...] | None = None

        def answer_of(pending: Takeback | None) -> Takeback:
            nonlocal about
            if pending is None:
                raise self._nothing_asked()
            if about not in (None, pending.about):
                raise Conflict(self.id, pending.seq, self.seq)
            about = pending.about
            if withdraw:
                return withdrawn_by(self.created, pending, seat)
            answer = refused_by if no else agreed_to
            return answer(self.created, pending, seat, self.id)

        said = ("agree", seat, no, withdraw)
        for last in (*[False] * (MOST_TRIES - 1), True):
            try:
                return self._by_consent(said, answer_of, now=now, expect=expect, request=request, dry_run=dry_run)
            except Conflict:
                if last or expect is not None:
                    raise
        raise AssertionError("the last try returns or raises")

    def _nothing_asked(self) -> Refusal:
        self._check_open()
        if self.created.undo != ASK:
            return Refusal(
                f"game {self.id} was created with --undo {self.created.undo}: nobody's consent is asked for",
                "`create --undo ask` makes a game in which it is",
            )
        found = latest(self.log.select, self.id)
        if found is None or found.state not in ("asked", "lapsed"):
            return Refusal(f"no takeback request is pending in game {self.id}", "`turnlog undo` makes one")
        return Refusal(
            f"{self.names[found.seat]}'s takeback request lapsed: the game has gone on",
            f"`turnlog undo {self.id}` makes another one",
        )

    def _wish(
        self,
        pending: Takeback | None,
        seat: int | None,
        first: int,
        last: int,
        asked: str,
        reason: str = "",
        *,
        redo: bool = False,
    ) -> Takeback:
        """A request as it is made: where no seat is named, by the one whose move is the last that it is about."""
        seq = self.position.timeline.changed
        wish = Takeback(seq, -1 if seat is None else seat, first, last, asked, (), (), reason, redo)
        if seat is None:
            movers = [e.event.seat for e in self.asked_about(wish) if isinstance(e.event, MoveMade)]
            seat = next(mover for mover in reversed(movers) if self.player(mover) == "person")
        return asked_of(self.created, pending, structs.replace(wish, seat=seat), self.id)

    def _by_consent(
        self,
        said: Sequence[Any],
        decide: Callable[[Takeback | None], Takeback],
        *,
        now: int,
        expect: int | None,
        request: str | None,
        dry_run: bool,
    ) -> list[Entry]:
        """Makes or answers a request: `decide` says what becomes of the one that is pending."""
        words = json.encode(said).decode()

        def settled() -> list[Entry]:
            self._expect(expect)
            found = latest(self.log.select, self.id) if self.created.undo == ASK else None
            then = decide(self._standing(found))
            return self._settle(found, then, words, now, request, dry_run)

        before = self._answered_before(request, words)
        if before is not None:
            return before
        try:
            return settled()
        except (Conflict, Refusal):
            self._forget()
            before = self._answered_before(request, words)  # by another process just now
            if before is None:
                raise
            return before

    def _settle(
        self, found: Takeback | None, then: Takeback, said: str, now: int, request: str | None, dry_run: bool
    ) -> list[Entry]:
        """Writes what becomes of the request that was `found`, and the events if it is granted.

        :raises Conflict: the game has gone on, or the request is another one now
        """
        events = granted_events(then, self.position.timeline) if then.state == "granted" else []
        seq = self.seq + len(events)
        then = structs.replace(then, ended=seq if events else 0)
        self.takeback = then

        def inside(store: Store, rows: Sequence[Row]) -> None:
            if latest(store.execute, self.id) != found:
                raise Conflict(self.id, self.position.timeline.changed, changed(store.execute, self.id))
            keep_takeback(store, self.id, then)
            if request is not None:
                keep_answer(store, self.id, request, Answer(said, seq, len(events), then))

        if events or dry_run:
            return self._append(events, now, request, dry_run, inside)
        with self.log.writing(self.id) as store:
            stands = changed(store.execute, self.id)
            if stands != self.position.timeline.changed or (request is not None and self._used(store, request)):
                raise Conflict(self.id, self.position.timeline.changed, stands)
            inside(store, ())
        return []

    def _used(self, store: Store, request: str) -> bool:
        """Whether a command with that request id was carried out before."""
        return bool(self.log.asked(request, self.id) or answered(store.execute, self.id, request))

    def _answered_before(self, request: str | None, said: str) -> list[Entry] | None:
        """The entries of the command about a request that had this request id, as it was answered then; or None.

        :raises RequestReused: that was another command
        """
        if request is None or self.created.undo != ASK:
            return None
        check_request(request)
        found = answered(self.log.select, self.id, request)
        if found is None:
            row = self.log.asked(request, self.id)
            if row is not None:
                raise RequestReused(request, self.id, row.seq)
            return None
        if found.said != said:
            raise RequestReused(request, self.id, found.seq)
        self._position = load(self.log, self.game.projector, self._first, found.seq)
        self._offers.clear()
        self.takeback = found.takeback
        made = self.log.rows(self.id, found.seq - found.events, found.seq) if found.events else ()
        return [Entry(row.seq, self.event(row)) for row in made]

    def _voiding(self, changed_last: int, request: str | None) -> Inside:
        """What an append does to a request that was pending after event `changed_last`: it lapses."""

        def inside(store: Store, rows: Sequence[Row]) -> None:
            used = None if request is None else answered(store.execute, self.id, request)
            if used is not None:
                raise RequestReused(request or "", self.id, used.seq)
            found = latest(store.execute, self.id)
            self.takeback = None
            if found is not None and found.state == "asked" and found.seq == changed_last:
                self.takeback = structs.replace(found, state="lapsed", ended=rows[0].seq)
                keep_takeback(store, self.id, self.takeback)

        return inside

    # closing, notes ------------------------------------------------------------------------------------

    def note(self, about: int, text: str, *, now: int, seat: int | None = None) -> list[Entry]:
        """A comment on event `about`.

        :raises Refusal: there is no such event, or the text is empty
        """
        if not 1 <= about <= self.seq:
            raise NoSuchEvent(self.id, about, self.seq)
        if not text.strip():
            raise Refusal("a note needs a text")
        check_words(text, "a note")
        return self._append([Noted(about=about, text=text, seat=seat)], now, None, False)

    # appending -----------------------------------------------------------------------------------------

    def _append(
        self, events: Sequence[Event], now: int, request: str | None, dry_run: bool, also: Inside | None = None
    ) -> list[Entry]:
        """:param also: what is written in the same transaction, about the request that these events grant"""
        before = self.seq
        entries = [Entry(before + number, event) for number, event in enumerate(events, 1)]
        if dry_run:
            return entries
        position = self.position
        codec = self.game.projector.codec
        drafts = [
            codec.draft(event, actor_of(event, self.names), request if number == 0 else None)
            for number, event in enumerate(events)
        ]
        folded = isinstance(events[0], MoveMade | GameCreated)
        if also is None and self.created.undo == ASK and not isinstance(events[0], Noted):
            also = self._voiding(position.timeline.changed, request)

        def inside(store: Store, rows: Sequence[Row]) -> None:
            for row in rows:
                position.timeline.note(row.kind, row.seq, row.data)
            for event in events:
                if isinstance(event, MoveMade):
                    add_draws(position.draws, event.draws)
            if folded:
                keep(store, self.game.projector, position)
            elif due(position):  # its state is another one now
                keep(store, self.game.projector, load(self.log, self.game.projector, self._first))
            update(store, self.id, position.timeline, rows)
            if folded and rows[0].seq > 1:
                self._settle_orders(store, rows[-1].seq)
            if also is not None:
                also(store, rows)

        try:
            self.log.append(self.id, drafts, expect=before, at=now, inside=inside)
        except BaseException:
            self._forget()
            raise
        self._offers.clear()
        if not folded:
            self._position = None
        return entries

    def _settle_orders(self, store: Store, seq: int) -> None:
        """Takes away the orders that were carried out, and marks those that were dropped.

        :raises OrdersChanged: they are not those that were read when the moves were decided on
        """
        if [Order(*columns) for columns in store.execute(_WAITING, (self.id,))] != self._orders:
            raise OrdersChanged(self.id)
        for order, carried in self._settled.items():
            change = "delete from orders" if carried else "update orders set dropped = ?"
            store.execute(
                f"{change} where game = ? and seat = ? and number = ?",
                (*(() if carried else (seq,)), self.id, order.seat, order.number),
            )

    # checks --------------------------------------------------------------------------------------------

    def _check_open(self) -> None:
        if self.created.seen_by:
            raise Refusal(
                f"game {self.id} is the log as {self.created.seen_by} saw it: it can be reviewed, not played on",
                f"`turnlog fork {self.id}` makes a game of it, with a guess at what was hidden",
            )
        if self.position.timeline.closed:
            outcome = self.outcome
            raise IllegalMove(f"game {self.id} was closed: {outcome.reason if outcome else 'by hand'}")

    def _expect(self, expect: int | None) -> None:
        if expect is not None and expect != self.position.timeline.changed:
            raise Conflict(self.id, expect, self.position.timeline.changed)

    def _seat_to_move(self, seat: int | None) -> int:
        self._check_open()
        to_move = self.to_move
        if not to_move:
            outcome = self.outcome
            raise IllegalMove(
                f"the game is over: {outcome.reason if outcome else ''}",
                hint=f"`turnlog show {self.id}` shows how it ended",
            )
        if seat is None:
            first, *others = to_move
            if others:
                raise SeatNeeded(
                    "several seats are to move: " + ", ".join(self.names[s] for s in to_move),
                    "say for which seat with --as SEAT",
                )
            return first
        if seat not in to_move:
            raise NotYours(
                f"it is not {self.names[seat]}'s turn; to move: " + ", ".join(self.names[s] for s in to_move)
            )
        return seat

    def _once(
        self, request: str | None, same: Callable[[Event], bool], work: Callable[[], list[Entry]]
    ) -> list[Entry]:
        """What `work` appends, or the answer that its request was given before: maybe by another process just now,
        of which a failure tells.

        :param same: whether an event is what is asked for
        """
        if request is None:
            return work()
        before = self._answered(request, same)
        if before is not None:
            return before
        try:
            return work()
        except (Conflict, Refusal, RequestReused):
            before = self._answered(request, same)
            if before is None:
                raise
            return before

    def _answered(self, request: str, same: Callable[[Event], bool]) -> list[Entry] | None:
        """The entries of the command that used `request` before, or None.

        :raises RequestReused: that was another command
        """
        check_request(request)
        row = self.log.asked(request, self.id)
        if row is None:
            found = answered(self.log.select, self.id, request) if self.created.undo == ASK else None
            if found is not None:
                raise RequestReused(request, self.id, found.seq)
            return None
        entries = batch_of(self, row)
        if not same(entries[0].event):
            raise RequestReused(request, self.id, row.seq)
        self._position = load(self.log, self.game.projector, self._first, entries[-1].seq)
        self._offers.clear()
        found = latest(self.log.select, self.id) if self.created.undo == ASK else None
        self.takeback = found if found is not None and found.ended == entries[0].seq else None
        return entries

    def _is_move(self, event: Event, words: Sequence[str], seat: int | None) -> bool:
        if not isinstance(event, MoveMade) or (seat is not None and seat != event.seat):
            return False
        said = self.game.grammar.spell(self.game.grammar.parse(words))
        return said.casefold() == self.game.grammar.spell(event.move).casefold()


def actor_of(event: Event, names: Sequence[str]) -> str:
    """Who is said to have done an event: a seat's name, `rules` or `table`."""
    if isinstance(event, MoveMade) and event.by == "rules":
        return "rules"
    seat = None if isinstance(event, GameCreated) else event.seat
    return "table" if seat is None else names[seat]


def check_words(text: str, what: str) -> None:
    """Holds a text that goes into the log to what every terminal can show.

    :raises Refusal: it is too long, or holds control codes
    """
    if len(text) > LONGEST_TEXT:
        raise Refusal(f"{what} has at most {LONGEST_TEXT} characters, not {len(text)}")
    if not text.replace("\n", "").isprintable():
        raise Refusal(f"{what} holds characters that cannot be shown, such as control codes")


def check_request(request: str) -> None:
    """Holds a request id to what a log takes.

    :raises BadSetup: it is empty, too long, or holds characters that cannot be shown
    """
    if not 1 <= len(request) <= LONGEST_REQUEST or not request.isprintable():
        raise BadSetup(
            f"a request id has 1 to {LONGEST_REQUEST} printable characters, not {request[:40]!r} ({len(request)})",
            "leave --request out where a command need not be repeatable",
        )


def batch_of(table: Table, row: Row) -> list[Entry]:
    """The entries of the command whose first row is `row`: it and what the program made on it."""
    begun = table.event(row)
    entries = [Entry(row.seq, begun)]
    for later in table.log.rows(table.id, row.seq):
        if later.at != row.at or later.request is not None:
            break
        event = table.event(later)
        if isinstance(begun, MovesRedone):  # a redo of n undos is n events
            belongs = isinstance(event, MovesRedone) and begun.asked != f"n {len(entries)}"
        else:
            # A person's move with a remark was made for it, by a standing order.
            answers = isinstance(event, MoveMade) and (event.by != "person" or event.remark)
            belongs = answers and isinstance(begun, MoveMade | GameCreated)
        if not belongs:
            break
        entries.append(Entry(later.seq, event))
    return entries


def timeline_before(timeline: Timeline, seq: int) -> int:
    """The last standing row before row `seq`."""
    return max((min(last, seq - 1) for first, last in timeline.standing if first < seq), default=0)
