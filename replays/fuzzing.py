"""Random play at one game, legal and not, and all that can be held to after each step.

A fuzzed game depends on its seed, slug and number alone, wherever it is played. Its steps are plain data: carried
out again they do the same, so that a failure is told by its steps, and by fewer of them if some do not matter.
"""

from __future__ import annotations

import os
import re
import shutil
import traceback
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any, NamedTuple

from msgspec import json, msgpack

from engines.creation import Wish, close_game, create
from engines.decide import carried_out, refusal, resolved
from engines.forking import at_event, fork
from engines.kit.boards import WIDTH, columns, drawn
from engines.kit.chance import Chance
from engines.kit.errors import Refusal
from engines.kit.game import Game
from engines.kit.notation import words_of
from engines.kit.offers import legal
from engines.kit.secrecy import REFEREE, Viewer
from engines.registry import game_of
from engines.table import UNDO_POLICIES, Entry, Table
from engines.telling import told
from events.digest import fingerprint
from events.errors import Conflict, Damaged, LogError, RequestReused
from events.sqlite import SqliteLog, open_log
from projections.rebuild import rebuild
from projections.schema import prepare
from replays.export import jsonl, transcript
from replays.importing import import_jsonl, import_transcript
from replays.rulecheck import check_rules
from replays.seatlog import seat_log
from replays.verifying import verify

#: So often, at most, a failing game is played again to find out which steps matter.
MOST_RERUNS = 120
#: When a fuzzed game begins, in microseconds.
BEGUN = 1_700_000_000_000_000

#: Carries out a command line and gives its exit code, what it said and what it complained of.
Command = Callable[[Sequence[str]], tuple[int, str, str]]

#: What each kind of step does, and how often it is taken in a thousand.
DEEDS = {
    "play": 560,
    "perturb": 110,
    "garbage": 30,
    "undo": 70,
    "undo-to": 25,
    "redo": 50,
    "stale": 15,
    "note": 10,
    "fork": 18,
    "look": 18,
    "offers": 20,
    "copy": 12,
    "transcript": 4,
    "verify": 8,
    "forget": 8,
    "rebuild": 4,
    "close": 1,
    "type": 31,
}

_DEEDS = [deed for deed, weight in DEEDS.items() for _ in range(weight)]

NAMES = ("ada", "bo", "Cy-2", "d i", "Émile")
GARBAGE = (
    *(
        "",
        " ",
        "?",
        "-",
        "/",
        "@",
        "9" * 400,
        "-1",
        "0",
        "1e9",
        "play",
        '"',
        '"\\u0000"',
        '"\\ud800"',
        "{}",
        "[" * 300,
    ),
    *(
        "\x00",
        "\x1b[2J",
        "\u202eabc",
        "\ufeff",
        "\u2028",
        "\u2603 \u2603",
        "a" * 5000,
        "'; drop table events",
        "%s%n",
    ),
)
#: What only a command line can be handed: another encoding's bytes, and words that look like options.
UNTYPED = ("\udcff", "--", "-x", "--as", "--json=1", "--at=x", "@missing", "@/", "1" * 30, "٣", "nan")


class Violation(Exception):
    """Something that must hold did not."""


def hold(truth: bool, claim: str) -> None:
    """Holds to a claim.

    :raises Violation: it is not true
    """
    if not truth:
        raise Violation(claim)


class Step(NamedTuple):
    """One step: its deed, its seat (-1 is nobody), a text and a number as the deed has it."""

    deed: str
    seat: int = -1
    text: str = ""
    number: int = 0

    def told(self) -> str:
        """The step in a line of ASCII."""
        who = f" seat {self.seat + 1}" if self.seat >= 0 else ""
        return f"{self.deed}{who} {self.number} {self.text!a}"


class Setup(NamedTuple):
    """How a fuzzed game begins."""

    slug: str
    persons: tuple[str, ...]
    options: dict[str, str]
    undo: str
    seed: str


class Fault(NamedTuple):
    """A failure: what went wrong and where, the steps to it, and the log of the game before the last one."""

    key: str
    what: str
    setup: Setup
    steps: tuple[Step, ...]
    lines: tuple[str, ...]


class Fuzzed(NamedTuple):
    """What came of a fuzzed game. `digest` stands for its steps and what became of each."""

    slug: str
    number: int
    steps: int
    refused: int
    digest: str
    fault: Fault | None


class Arena:
    """A game under test, its database and another one to carry it to.

    :param command: the command line, for steps that are typed
    """

    def __init__(self, folder: str, setup: Setup, command: Command) -> None:
        self.folder, self.setup, self.command = folder, setup, command
        self.game: Game = game_of(setup.slug)
        self.path = os.path.join(folder, "fuzz.db")
        self._blank = os.path.join(folder, "blank.db")
        if not os.path.exists(self._blank):
            prepare(self._blank)
        self._beside = 0
        self._now = BEGUN
        self.log = self._opened(self.path)
        wish = Wish(self.game, setup.persons, setup.options, setup.undo, setup.seed)
        self.table, _ = create(self.log, wish, "g", now=self._tick(), secret=self._secret)
        self.stale = self.table
        self.forks = 0
        self._begun()

    def close(self) -> None:
        """Lets go of the files and removes them."""
        self.log.close()
        for name in os.listdir(self.folder):
            if not name.startswith("blank.db"):
                os.remove(os.path.join(self.folder, name))

    def _opened(self, path: str) -> SqliteLog:
        shutil.copy(self._blank, path)
        log = open_log(path, prepare, write=True)
        log.connection.execute("pragma synchronous = off")  # it is not to be kept
        return log

    @contextmanager
    def _another(self) -> Generator[SqliteLog]:
        """An empty database."""
        self._beside += 1
        path = os.path.join(self.folder, f"beside-{self._beside}.db")
        log = self._opened(path)
        try:
            yield log
        finally:
            log.close()
            for name in (path, f"{path}-wal", f"{path}-shm"):
                if os.path.exists(name):
                    os.remove(name)

    def _tick(self) -> int:
        self._now += 1_000_000
        return self._now

    def _secret(self) -> str:
        return fingerprint(f"{self.setup.seed}/{self._tick()}")[:32]

    def _begun(self) -> None:
        """Another game is looked at from here on."""
        self.pieces = self.game.state.pieces(self.table.state)
        self.states: dict[int, bytes] = {}
        self.hold_position()

    # what must hold -----------------------------------------------------------------------------------

    def hold_position(self, *, anew: bool = False) -> None:
        """Holds the position to what is always true: pieces, who may do what, the fold of the log."""
        table, rules = self.table, self.game.rules
        state = msgpack.encode(table.state)
        head = table.position.timeline.head
        hold(self.states.setdefault(head, state) == state, f"the state after event {head} is another one now")
        hold(self.game.state.pieces(table.state) == self.pieces, "pieces are lost or made")
        outcome = rules.outcome(table.state)
        hold((outcome is None) == bool(rules.to_move(table.state)), "a game is over where nobody is to move")
        for seat in table.to_move:
            hold(0 <= seat < len(table.names), "a seat is to move that is not there")
            if table.player(seat) == "person":
                hold(bool(legal(table.offers(seat))), f"{table.names[seat]} is to move and has no move")
        if outcome is not None:
            hold(len(outcome.scores) == len(table.names), "an outcome has a score a seat")
        if anew:
            fresh = Table(self.log, table.id)
            hold(msgpack.encode(fresh.state) == state, "the fold of the log is another state")
            hold(fresh.position.timeline == table.position.timeline, "the log's timeline is another one")
            hold(fresh.position.draws == table.position.draws, "the log counts other draws")

    def _mark(self) -> tuple[Any, ...]:
        """What a refused step must leave as it is."""
        table = self.table
        (rows,) = self.log.select("select count(*), max(rowid) from events")
        return (table.id, table.seq, rows, msgpack.encode(table.state), msgpack.encode(table.position.timeline))

    def carry_out(self, step: Step) -> str:
        """Carries a step out and holds to what must be true after it; gives what became of it in a word.

        :raises Violation: something that must hold did not; any other error is a fault as well
        """
        before = self._mark()
        deed: Callable[[Step], str] = getattr(self, f"_{step.deed.replace('-', '_')}")
        try:
            became = deed(step)
        except Damaged:
            raise
        except (Refusal, LogError) as refused:
            hold(bool(str(refused).strip()), "a refusal says nothing")
            hold("Hidden" not in str(refused), "a refusal speaks of the program's insides")
            became = "refused"
        if became in ("refused", "told"):
            hold(self._mark() == before, f"the step was {became}, and something changed")
        self.hold_position(anew=became not in ("done", "told", "refused") or self.table.seq % 8 == 0)
        return became

    # the deeds ----------------------------------------------------------------------------------------

    def _seat(self, step: Step) -> int | None:
        return step.seat if 0 <= step.seat < len(self.table.names) else None

    def _viewer(self, step: Step) -> Viewer:
        """A seat or the spectator."""
        return self._seat(step)

    def _play(self, step: Step) -> str:
        """Plays a text; `number` 1 says it twice with one request id, 2 expects another event, 3 is a dry run."""
        table, seat = self.table, self._seat(step)
        offers = table.offers(seat) if seat is not None else ()
        listed = {self.game.grammar.spell(move) for move in legal(offers)}
        words = words_of(step.text)
        request = f"r-{table.seq}" if step.number == 1 else None
        expect = table.position.timeline.changed + 1 if step.number == 2 else None
        try:
            done = table.play(
                words, now=self._tick(), seat=seat, expect=expect, request=request, dry_run=step.number == 3
            )
        except Conflict:
            hold(expect is not None, "nobody else is here, and yet there is a conflict")
            return "refused"
        except Refusal as refused:
            hold(step.text not in listed, f"a move on offer was refused: {refused}")
            raise
        hold(expect is None, "a move was played on another event than was expected")
        self._hold_move(done, offers, listed)
        if step.number == 3:
            return "told"
        self._hold_written(done)
        if request is not None:
            self._hold_again(step, words, seat, request, done)
        return "done"

    def _hold_move(self, done: Sequence[Entry], offers: Any, listed: set[str]) -> None:
        move: Any = done[0].event
        spelt = self.game.grammar.spell(move.move)
        closed = all(offer.complete for offer in offers if offer.verb is type(move.move))
        # Where a game lets capitals and an order be typed as one likes, words are all that is compared.
        known = {tuple(sorted(text.casefold().split())) for text in listed}
        said = tuple(sorted(spelt.casefold().split()))
        hold(not offers or not closed or said in known, f"{spelt!r} was played and is not on offer")
        hold(self.game.grammar.parse(words_of(spelt)) == move.move, f"{spelt!r} is read as another move")
        for _, event in done:
            told(self.game, self.table.names, event)

    def _hold_written(self, done: Sequence[Entry]) -> None:
        """Holds that the log has just these entries at its end."""
        codec = self.game.projector.codec
        rows = list(self.log.rows(self.table.id, done[0].seq - 1))
        hold([Entry(row.seq, codec.decode(row)) for row in rows] == list(done), "the log holds other events")

    def _hold_again(self, step: Step, words: list[str], seat: int | None, request: str, done: list[Entry]) -> None:
        again = Table(self.log, self.table.id).play(words, now=self._tick(), seat=seat, request=request)
        hold(again == done, "a repeated request has another answer")
        try:
            Table(self.log, self.table.id).undo(now=self._tick(), request=request)
        except RequestReused:
            return
        raise Violation("a request id was taken for another command")

    _perturb = _garbage = _play

    def _stale(self, step: Step) -> str:
        """Plays by a table that was loaded some steps before; nothing it does may be lost or doubled."""
        table, self.stale = self.stale, Table(self.log, self.table.id)
        if table.id != self.table.id:
            return "told"
        before = self.table.seq
        try:
            done = table.play(words_of(step.text), now=self._tick(), seat=self._seat(step))
        except Conflict:
            return "refused"
        self._reload()
        hold(done[0].seq == before + 1, "a table that was overtaken wrote elsewhere")
        self._hold_written(done)
        return "reloaded"

    def _reload(self) -> None:
        self.table = Table(self.log, self.table.id)

    def _undo(self, step: Step) -> str:
        return self._taken_back(step, max(1, step.number), None)

    def _undo_to(self, step: Step) -> str:
        return self._taken_back(step, 1, step.number)

    def _taken_back(self, step: Step, count: int, to: int | None) -> str:
        table = self.table
        moves = table.position.timeline.moves()
        done = table.undo(now=self._tick(), seat=self._seat(step), reason=step.text, count=count, to=to)
        self._hold_written(self._agreed(done))
        hold(table.created.undo != "off", "a move was taken back with --undo off")
        hold(table.position.timeline.moves() < moves, "an undo took nothing back")
        return "undone"

    def _agreed(self, done: list[Entry]) -> list[Entry]:
        """What was written, where others are to agree once they all have."""
        while not done:
            asked = self.table.takeback
            hold(asked is not None and asked == self.table.pending, "neither was it done nor asked for")
            assert asked is not None
            done = self.table.agree(now=self._tick(), seat=asked.waiting[-1])
        return done

    def _redo(self, step: Step) -> str:
        table = self.table
        moves = table.position.timeline.moves()
        done = table.redo(now=self._tick(), seat=self._seat(step), count=max(1, step.number))
        self._hold_written(self._agreed(done))
        hold(table.position.timeline.moves() > moves, "a redo put nothing back")
        return "redone"

    def _note(self, step: Step) -> str:
        before = msgpack.encode(self.table.state)
        self._hold_written(self.table.note(step.number, step.text, now=self._tick(), seat=self._seat(step)))
        hold(msgpack.encode(self.table.state) == before, "a note changed the game")
        return "noted"

    def _fork(self, step: Step) -> str:
        """Forks at an event for the referee (text "referee", or "same" with the same chance) or a viewer."""
        source = at_event(self.table, step.number) if step.number else self.table
        viewer = REFEREE if step.text in ("referee", "same") else self._viewer(step)
        self.forks += 1
        made, _ = fork(
            source,
            f"g-{self.forks}",
            viewer=viewer,
            same_chance=step.text == "same",
            now=self._tick(),
            secret=self._secret,
        )
        assert made.created.origin is not None
        begun = Table(self.log, made.id, at=made.created.origin.copied or 1)
        one, other = (self.game.concealed(table.state, viewer) for table in (source, begun))
        hold(one == other, "a fork begins with something else than its viewer saw")
        hold(self.game.state.pieces(begun.state) == self.pieces, "a fork has other pieces")
        verify(self.log, made.id)
        self.table = self.stale = made
        self._begun()
        return "forked"

    def _look(self, step: Step) -> str:
        """Holds what a viewer sees: in views and boards, under a guess, and as the fold of the log it may read."""
        table, game, viewer = self.table, self.game, self._viewer(step)
        shown = game.concealed(table.state, viewer)
        guessed = game.view.guess(_copied(game, shown), viewer, Chance(f"look/{table.seq}"))
        other = game.concealed(guessed, viewer)
        hold(game.concealed(shown, viewer) == shown, "what is concealed can be concealed more")
        hold(other == shown, "a guess shows something else")
        hold(game.state.pieces(guessed) == self.pieces, "a guess has other pieces")
        views = [json.encode(game.view.present(one, viewer, table.names)) for one in (shown, other)]
        hold(views[0] == views[1], "a view shows what is hidden")
        boards = [drawn(game.drawn.board(one, viewer, table.names)) for one in (shown, other)]
        hold(boards[0] == boards[1], "a board shows what is hidden")
        hold(max(map(columns, boards[0].splitlines())) <= WIDTH, "a board is too wide")
        if viewer is not None and viewer in table.to_move:
            pair = (table.offers(viewer), game.rules.offers(guessed, viewer))
            moves = [legal(offers) for offers in pair]
            hold(moves[0] == moves[1], "offers tell what is hidden")
            for spelt in words_of(step.text):
                move = game.grammar.parse(words_of(spelt))
                hold(
                    refusal(game, pair[0], move) == refusal(game, pair[1], move), "a refusal tells what is hidden"
                )
        with self._another() as log:
            known = import_jsonl(lambda: log, (line.encode() for line in seat_log(table, viewer))).game
            self._hold_seen(Table(log, known), table, viewer)
            at = 1 + step.number % table.seq
            self._hold_seen(Table(log, known, at=at), Table(self.log, table.id, at=at), viewer)
        return "told"

    def _hold_seen(self, seen: Table, whole: Table, viewer: Viewer) -> None:
        one, other = (self.game.concealed(table.state, viewer) for table in (seen, whole))
        hold(one == other, "the log as a viewer saw it folds to something else than it sees")

    def _offers(self, step: Step) -> str:
        """Carries out moves on offer, each on a copy of the state."""
        table, game = self.table, self.game
        for seat in table.to_move:
            offers = table.offers(seat)
            moves = legal(offers)
            hold(len(set(moves)) == len(moves), "a move is offered twice")
            for move in moves[step.number % (1 + len(moves) // 12) :: 1 + len(moves) // 12]:
                spelt = game.grammar.spell(move)
                hold(resolved(game, offers, words_of(spelt)) == move, f"{spelt!r} is read as another move")
                aside = _copied(game, table.state)
                carried_out(game, aside, seat, move, Chance("aside", table.position.draws))
                hold(game.state.pieces(aside) == self.pieces, f"{spelt!r} loses or makes pieces")
        return "told"

    def _copy(self, step: Step) -> str:
        """Carries the log to another database; with a number, with a byte of it changed there."""
        lines = [line.encode() for line in jsonl(self.log, self.table.id)]
        with self._another() as log:
            if step.number:
                at = step.number % len(lines)
                place = step.number % len(lines[at])
                lines[at] = (
                    lines[at][:place] + bytes([lines[at][place] ^ 1 << step.number % 8]) + lines[at][place + 1 :]
                )
                try:
                    import_jsonl(lambda: log, lines)
                except (Refusal, LogError):
                    hold(not log.games(), "an import was refused, and something is there")
                    return "told"
            else:
                import_jsonl(lambda: log, lines)
            hold(list(log.rows(self.table.id)) == list(self.log.rows(self.table.id)), "an import has other rows")
            hold(import_jsonl(lambda: log, lines).new == 0, "an import done twice adds something")
        return "told"

    def _transcript(self, step: Step) -> str:
        """Plays the transcript in another database."""
        origin = self.table.created.origin
        try:
            lines = list(transcript(self.log, self.table.id))
        except Refusal:
            hold(origin is not None, "a game that was created has no transcript")
            raise
        with self._another() as log:
            try:
                played = import_transcript(
                    lambda: log, lines, clock=self._tick, ids=lambda: "t", secret=self._secret, prepare=prepare
                )
            except Refusal as refused:
                raise Violation(f"a transcript does not play: {refused}") from refused
            again = Table(log, played.game)
            hold(again.seq == self.table.seq, "a transcript makes another number of events")
            hold(
                msgpack.encode(again.state) == msgpack.encode(self.table.state), "a transcript makes another game"
            )
        return "told"

    def _verify(self, step: Step) -> str:
        report = verify(self.log, self.table.id)
        hold(report.events == self.table.seq, "verify counts other events")
        found = check_rules(self.table).difference
        hold(found is None, f"today's rules make something else: {found}")
        return "told"

    def _forget(self, step: Step) -> str:
        """Deletes the snapshots, or some of them."""
        with self.log.writing() as connection:
            connection.execute("delete from snapshots where seq % ? = 0", (1 + step.number % 3,))
        self._reload()
        return "reloaded"

    def _rebuild(self, step: Step) -> str:
        lists = ("select * from games order by game", "select * from results order by game, seat")
        before = [list(self.log.select(sql)) for sql in lists]
        hold(rebuild(self.log)[1] == [], "a game cannot be listed")
        hold([list(self.log.select(sql)) for sql in lists] == before, "lists made anew are other ones")
        self._reload()
        return "reloaded"

    def _close(self, step: Step) -> str:
        close_game(self.log, self.table.id, seat=self._seat(step), reason=step.text, now=self._tick())
        self._reload()
        hold(self.table.to_move == (), "somebody is to move in a closed game")
        return "closed"

    def _type(self, step: Step) -> str:
        """Types a command line: it must answer in words, with an exit code that is no fault of ours."""
        words: list[str] = json.decode(step.text, type=list[str])
        words = [word.replace("\ufffe", "\udcff") for word in words]  # JSON holds no half of a pair
        before = self._mark()
        code, out, err = self.command(["--db", self.path, *words])
        self._reload()
        hold(
            code in (0, 2, 3, 4, 5) or (code == 6 and words[0] == "import"), f"a command ended with {code}: {err}"
        )
        shown = f"{out}{err}".replace("\n", "")
        hold(shown.isprintable() or words[0] == "export", f"a command showed control codes: {shown!a}")
        if code:
            hold(bool(err.strip()) or words == [], "a command failed without a word")
            hold(self._mark() == before, f"a command ended with {code}, and something changed")
        if "--json" in words and "--" not in words:
            for line in err.splitlines() if code else out.splitlines() if words[0] != "export" else ():
                json.decode(line)
        return f"exit {code}"


def _copied(game: Game, state: Any) -> Any:
    """A state of its own."""
    return msgpack.decode(msgpack.encode(state), type=game.state.State)


# choosing what to do ----------------------------------------------------------------------------------


class _Chooser:
    """Chooses steps by chance."""

    def __init__(self, chance: Chance) -> None:
        self._chance = chance
        self._pool: list[str] = ["play"]

    def number(self, bound: int) -> int:
        """A number below `bound`."""
        return self._chance.number("n", bound)

    def one(self, of: Sequence[Any]) -> Any:
        """One of several."""
        return of[self.number(len(of))]

    def setup(self, slug: str, seed: str) -> Setup:
        """A game to be created."""
        game = game_of(slug)
        fewest, most = game.seats
        persons = [NAMES[seat] for seat in range(fewest + self.number(most - fewest + 1))]
        for seat in range(1, len(persons)):
            if self.number(8) == 0:
                persons[seat] = "bot:random"
        options = {o.name: self.one(o.choices) for o in game.options if o.choices and self.number(2)}
        try:
            game.chosen(game.seated(tuple(persons))[: len(persons)], options)
        except Refusal:  # they do not go together
            options = {}
        return Setup(slug, tuple(persons), options, self.one(("free", *UNDO_POLICIES)), seed)

    def step(self, arena: Arena) -> Step:
        """A step to be taken now."""
        deed = self.one(_DEEDS)
        table = arena.table
        seat = self.number(len(table.names) + 1) - 1
        some = 1 + self.number(table.seq)
        match deed:
            case "play" | "stale":
                return self._move(arena, deed)
            case "perturb":
                return self._perturbed(arena)
            case "garbage":
                return Step(deed, seat, self._garbage())
            case "undo":
                return Step(deed, seat, "" if self.number(3) else "why not", 1 + self.number(1 + self.number(6)))
            case "undo-to":
                return Step(deed, seat, "", some + self.number(2))
            case "redo":
                return Step(deed, seat, "", 1 + self.number(1 + self.number(3)))
            case "note":
                return Step(deed, seat, self.one(("a note", "two\nlines", self._garbage())), some)
            case "fork":
                return Step(deed, seat, self.one(("referee", "same", "")), self.one((0, some)))
            case "look":
                moves = (json.encode(self.one(self._pool)).decode() for _ in range(4))
                return Step(deed, seat, " ".join(moves), some)
            case "copy":
                return Step(deed, number=self.one((0, 1 + self.number(1_000_000))))
            case "close":
                return Step(deed, seat, self.one(("", "late")))
            case "type":
                return Step(deed, text=json.encode(self._typed(arena)).decode())
            case _:
                return Step(deed, seat, "", some)

    def _move(self, arena: Arena, deed: str) -> Step:
        table = arena.table
        seats = [seat for seat in table.to_move if table.player(seat) == "person"]
        if not seats:
            return Step(deed, self.number(len(table.names)), self.one(self._pool))
        seat = self.one(seats)
        text = arena.game.grammar.spell(self.one(legal(table.offers(seat))))
        if len(self._pool) < 400:
            self._pool.append(text)
        else:
            self._pool[self.number(400)] = text
        return Step(deed, seat, text, 0 if deed == "stale" else max(0, self.number(24) - 20))

    def _perturbed(self, arena: Arena) -> Step:
        """A move of another moment or seat, or one with a word too many, too few or another."""
        table = arena.table
        seat = self.one(table.to_move) if table.to_move and self.number(5) else self.number(len(table.names))
        words = self.one(self._pool).split()
        if self.number(2) and seat in table.to_move:
            words = arena.game.grammar.spell(self.one(legal(table.offers(seat)) or [None])).split() or words
        at, other = self.number(len(words)), self.one(self._pool).split()
        match self.number(7):
            case 0:
                words[at:at] = [self.one(other)]
            case 1:
                words[at] = self.one(other)
            case 2:
                del words[at]
            case 3:
                words = [word.swapcase() for word in words]
            case 4:
                words[at] = self.one((self._garbage(), words[at][:-1], words[at] * 2, str(self.number(100))))
            case 5:
                words += words[at:]
            case _:
                pass
        return Step("perturb", seat, " ".join(words))

    def _garbage(self) -> str:
        if self.number(2):
            return self.one(GARBAGE)
        points = (self.number(0x250) if self.number(3) else self.number(0xD800) for _ in range(self.number(12)))
        return "".join(map(chr, points))

    def _typed(self, arena: Arena) -> list[str]:
        """A command line, right or wrong."""
        table = arena.table
        some = str(1 + self.number(table.seq))
        seat = self.one((*table.names, "1", "spectator", "referee", some))
        move = self.one(self._pool)
        lines: tuple[list[str], ...] = (
            ["show", "G", "--as", seat, "--at", some],
            ["moves", "G", "--as", seat],
            ["log", "G", "--as", seat, "--notes"],
            ["replay", "G", "--plain", "--from", some, "--as", seat, "--undone"],
            ["export", "G", "--format", self.one(("jsonl", "transcript"))],
            ["export", "G", "--as", seat],
            ["diff", "G", some, "1", "--as", seat],
            ["notes", "G"],
            ["verify", "G", "--rules"],
            ["list", "--player", seat],
            ["standings"],
            ["rules", table.game.slug],
            [
                "create",
                table.game.slug,
                "-p",
                "x",
                "-p",
                "y",
                "--seed",
                some,
                "--id",
                f"c{table.seq}",
                "--undo",
                "own",
            ],
            ["play", "G", move, "--as", seat],
            ["play", "G", *move.split(), "--dry-run"],
            ["undo", "G", "-n", "1", "--as", seat],
            ["agree", "G", "--as", seat],
            ["undo", "G", "--to", some],
            ["redo", "G"],
            ["note", "G", some, "typed", "--as", seat],
            ["fork", "G", "--at", some, "--id", f"f{table.seq}", "--same-chance"],
            ["import", arena.path],
            ["rebuild"],
        )
        words = [table.id if word == "G" else word for word in self.one(lines)]
        if self.number(2):
            words.append("--json")
        if self.number(2):
            at = 1 + self.number(len(words))
            words[at : at + self.number(2)] = [self.one((*UNTYPED, self._garbage(), "g", "@"))]
        return [word.replace("\udcff", "\ufffe") for word in words]


# a game, and what went wrong in it --------------------------------------------------------------------


def fuzzed(slug: str, number: int, seed: str, folder: str, command: Command, *, steps: int) -> Fuzzed:
    """Plays game `number` of a slug and a seed for so many steps, and some more that hold what came of it.

    :param folder: an empty one, for databases
    """
    chooser = _Chooser(Chance(f"{seed}/{slug}/{number}"))
    setup = chooser.setup(slug, f"{seed}/{number}")
    last: list[Step] = []
    count = 0

    def choose(arena: Arena) -> Step | None:
        nonlocal count
        if last:
            return last.pop()
        count += 1
        if count < steps and (arena.table.to_move or chooser.number(10)):
            return chooser.step(arena)
        if count >= 2 * steps:
            return None
        count = 2 * steps
        last.extend(Step(deed) for deed in ("rebuild", "transcript", "copy", "verify"))
        last.extend(Step("look", seat) for seat in range(-1, len(arena.table.names)))
        return last.pop()

    taken, became, fault = _run(setup, folder, command, choose)
    digest = fingerprint(json.encode((setup, taken, became)).decode())[:16]
    if fault is not None:
        fault = _shortened(fault, folder, command)
    return Fuzzed(slug, number, len(taken), became.count("refused"), digest, fault)


def _run(
    setup: Setup, folder: str, command: Command, choose: Callable[[Arena], Step | None]
) -> tuple[list[Step], list[str], Fault | None]:
    """Plays a game by steps as they are chosen; gives them, what became of each, and how the game failed."""
    taken: list[Step] = []
    became: list[str] = []
    before = ("", 0)
    arena: Arena | None = None
    try:
        try:
            arena = Arena(folder, setup, command)
        except Refusal:  # options that do not go together
            return taken, became, None
        while (step := choose(arena)) is not None:
            before = (arena.table.id, arena.table.seq)
            taken.append(step)
            became.append(arena.carry_out(step))
    except Exception as error:
        lines = islice(arena.log.lines(before[0]), before[1]) if arena is not None else ()
        return taken, became, Fault(_key(error), _told(error), setup, tuple(taken), tuple(lines))
    finally:
        if arena is not None:
            arena.close()
    return taken, became, None


def _key(error: Exception) -> str:
    """What is the same of two failures by one cause."""
    if isinstance(error, Violation):
        return re.sub(r"\d+|'.*'", "#", str(error))
    place = traceback.extract_tb(error.__traceback__)[-1]
    return f"{type(error).__name__} in {os.path.basename(place.filename)}, {place.name}"


def _told(error: Exception) -> str:
    return "".join(traceback.format_exception(error))


def _shortened(fault: Fault, folder: str, command: Command) -> Fault:
    """The same failure by fewer steps, as far as leaving some out in turn finds them."""
    reruns = 0
    size = len(fault.steps) // 2
    while size:
        at = 0
        while at < len(fault.steps) - 1 and reruns < MOST_RERUNS:
            fewer = [*fault.steps[:at], *fault.steps[at + size :]]
            reruns += 1
            again = rerun(fault.setup, fewer, folder, command)
            if again is not None and again.key == fault.key and len(again.steps) < len(fault.steps):
                fault = again
            else:
                at += size
        size //= 2
    return fault


def rerun(setup: Setup, steps: Iterable[Step], folder: str, command: Command) -> Fault | None:
    """Carries steps out; gives how the game failed, None if it did not."""
    rest = iter(steps)
    return _run(setup, folder, command, lambda _: next(rest, None))[2]


def report(fault: Fault, how: str) -> str:
    """A failure as a text in ASCII: its steps, what was raised, and how it is made again."""
    lines = [
        f"# {fault.key!a}",
        f"# again: {how}",
        f"# begun with: {fault.setup!a}",
        *(step.told() for step in fault.steps),
        "",
        fault.what.encode("ascii", "backslashreplace").decode(),
    ]
    return "\n".join(lines)
