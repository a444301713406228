"""What stands after any undoing and redoing, held to a plain list; and the state that follows from it."""

import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec import json, msgpack

from engines.creation import Wish, create
from engines.kit.chance import Chance
from engines.kit.errors import Refusal
from engines.kit.notation import words_of
from engines.kit.offers import legal
from engines.registry import game_of
from engines.table import Entry, Table
from events.errors import NoSuchEvent
from events.model import CLOSED, CREATED, MOVED, NOTED, REDONE, UNDONE, GameCreated, Taken
from events.sqlite import SqliteLog, open_log
from projections import position
from projections.fold import add_draws, fold
from projections.position import load
from projections.schema import prepare
from projections.timeline import Timeline
from tests.conftest import Turnlog

GAME = game_of("power-vacuum")


def taken(first: int, last: int) -> str:
    """The document of an undo or redo."""
    return json.encode(Taken(first, last)).decode()


class TimelineMachine(RuleBasedStateMachine):
    """A timeline beside a plain list of the numbers that stand and a list of those that each redo puts back."""

    def __init__(self) -> None:
        super().__init__()
        self.timeline = Timeline()
        self.seq = self.changed = self.closed = 0
        self.standing: list[int] = []
        self.undone: list[list[int]] = []

    def _note(self, kind: str, data: str = "") -> None:
        self.seq += 1
        if kind != NOTED:
            self.changed = self.seq
        self.timeline.note(kind, self.seq, data)

    @initialize()
    def create(self) -> None:
        """The first row."""
        self._note(CREATED)
        self.standing.append(self.seq)

    @rule()
    def move(self) -> None:
        """A move stands, and ends all redo."""
        self._note(MOVED)
        self.standing.append(self.seq)
        self.undone.clear()

    @precondition(lambda self: len(self.standing) > 1)
    @rule(count=st.integers(1, 6))
    def undo(self, count: int) -> None:
        """The last moves that stand go, and are kept for redo."""
        count = min(count, len(self.standing) - 1)
        off = self.standing[-count:]
        self._note(UNDONE, taken(off[0], off[-1]))
        del self.standing[-count:]
        self.undone.append(off)

    @precondition(lambda self: self.undone)
    @rule()
    def redo(self) -> None:
        """What went last comes back."""
        back = self.undone.pop()
        self._note(REDONE, taken(back[0], back[-1]))
        self.standing += back

    @rule()
    def comment(self) -> None:
        """A note changes nothing."""
        self._note(NOTED)

    @rule()
    def close(self) -> None:
        """A closing takes nothing back."""
        self._note(CLOSED)
        self.closed = self.seq

    @rule()
    def reread(self) -> None:
        """A timeline is written into snapshots, and read again as it was."""
        self.timeline = msgpack.decode(msgpack.encode(self.timeline), type=Timeline)

    @rule(kind=st.sampled_from([UNDONE, REDONE]), first=st.integers(-1, 40), last=st.integers(-1, 40))
    def ask_for_what_cannot_be(self, kind: str, first: int, last: int) -> None:
        """Any other range is refused, and nothing changes."""
        undoes = kind == UNDONE and first in self.standing[1:] and last == self.standing[-1]
        between = kind == UNDONE and self.standing[0] < first <= last == self.standing[-1]
        redoes = kind == REDONE and self.undone and (self.undone[-1][0], self.undone[-1][-1]) == (first, last)
        if undoes or between or redoes:
            return
        before = msgpack.encode(self.timeline)
        with pytest.raises(ValueError, match=r"it (un|re)does"):
            self.timeline.note(kind, self.seq + 1, taken(first, last))
        assert msgpack.encode(self.timeline) == before

    @rule(kind=st.sampled_from(["", "move", "moves-annulled"]))
    def ask_for_an_unknown_kind(self, kind: str) -> None:
        """A row of a kind that nobody knows is refused, and nothing changes."""
        before = msgpack.encode(self.timeline)
        with pytest.raises(ValueError, match="kind"):
            self.timeline.note(kind, self.seq + 1, "{}")
        assert msgpack.encode(self.timeline) == before

    @invariant()
    def says_what_the_lists_say(self) -> None:
        """All that can be asked of a timeline follows from the lists."""
        timeline = self.timeline
        assert [seq for seq in range(self.seq + 3) if timeline.stands(seq)] == self.standing
        assert timeline.head == (self.standing[-1] if self.standing else 0)
        assert timeline.moves() == len(self.standing) - 1
        assert (timeline.seq, timeline.changed, timeline.closed) == (self.seq, self.changed, self.closed)
        for seq in range(self.seq + 2):
            behind = [row for first, last in timeline.after(seq) for row in range(first, last + 1)]
            assert behind == [row for row in self.standing if row > seq]
        runs = [[row for first, last in undo for row in range(first, last + 1)] for undo in timeline.undone]
        assert runs == self.undone


def test_a_timeline_says_what_a_plain_list_says() -> None:
    """Whatever is moved, undone, redone, noted and closed: a timeline answers as two plain lists do."""
    run_state_machine_as_test(
        TimelineMachine,
        settings=settings(
            max_examples=60, stateful_step_count=40, deadline=None, suppress_health_check=[HealthCheck.too_slow]
        ),
    )


def test_a_timeline_is_small() -> None:
    """A log of a thousand moves and as many undos and redos of all of them is a few ranges."""
    timeline = Timeline()
    timeline.note(CREATED, 1, "")
    for seq in range(2, 1002):
        timeline.note(MOVED, seq, "")
    for seq in range(1002, 3002, 2):
        timeline.note(UNDONE, seq, taken(2 + seq % 900, 1001))
        timeline.note(REDONE, seq + 1, taken(2 + seq % 900, 1001))
    assert timeline.standing == [(1, 1001)]
    assert timeline.undone == []
    assert timeline.seq == 3001


# through the table ------------------------------------------------------------------------------------


def opened(folder: str | Path) -> SqliteLog:
    """A new log; not synced, since nothing here asks what survives a power cut."""
    log = open_log(str(Path(folder) / "games.db"), prepare, write=True)
    log.connection.execute("pragma synchronous = off")
    return log


def started(log: SqliteLog, names: tuple[str, ...], seed: str = "7") -> tuple[Table, list[Entry]]:
    """A new game `g`."""
    return create(log, Wish(GAME, names, seed=seed), "g", now=1, secret=lambda: "salt")


def folded(log: SqliteLog, standing: list[int]) -> tuple[bytes, dict[str, int]]:
    """The state and the draws that the moves of some rows make, one after another, and nothing else."""
    created = GAME.projector.codec.decode(next(log.rows("g", 0, 1)))
    assert isinstance(created, GameCreated)
    state = GAME.projector.begin(created)
    draws: dict[str, int] = {}
    for row in log.rows("g"):
        if row.seq in standing:
            deed = GAME.projector.codec.deed(row)
            fold(GAME.projector.reducers, state, deed.facts)
            add_draws(draws, deed.draws)
    return msgpack.encode(state), draws


class TableMachine(RuleBasedStateMachine):
    """A game at its table, beside plain lists of what was done: each command's rows, and those taken back."""

    names: tuple[str, ...] = ("ada", "bo")

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.mkdtemp()
        self.log = opened(self.folder)
        self.table, entries = started(self.log, self.names)
        self.standing: list[list[int]] = [[entry.seq for entry in entries]]
        self.undone: list[list[list[int]]] = []
        self.states: dict[int, bytes] = {}
        self.stood: dict[int, list[int]] = {}

    def teardown(self) -> None:
        """Loading at each event gives the fold of what stood then."""
        for seq, standing in self.stood.items():
            table = Table(self.log, "g", at=seq)
            assert (msgpack.encode(table.state), table.position.draws) == folded(self.log, standing)
        self.log.close()
        shutil.rmtree(self.folder)

    @property
    def rows(self) -> list[int]:
        """The rows that stand."""
        return [seq for command in self.standing for seq in command]

    @property
    def last(self) -> int:
        """The last row of the log."""
        return self.log.last("g")

    @rule(choice=st.integers(0, 10))
    def move(self, choice: int) -> None:
        """A legal move, with what the program plays on it."""
        if self.table.to_move:
            moves = legal(self.table.offers(self.table.to_move[0]))
            text = GAME.grammar.spell(moves[choice % len(moves)])
            self.standing.append([entry.seq for entry in self.table.play(words_of(text), now=2)])
            self.undone.clear()

    @rule(count=st.integers(1, 4))
    def undo(self, count: int) -> None:
        """The last moves of persons, with what followed; refused if there are not so many."""
        if count > len(self.standing) - 1:
            with pytest.raises(Refusal):
                self.table.undo(now=3, count=count)
        else:
            self.table.undo(now=3, count=count)
            self.undone.append(self.standing[-count:])
            del self.standing[-count:]

    @rule(data=st.data())
    def undo_to(self, data: Any) -> None:
        """Back to an event; refused if it does not stand, is the last, or stands amid a command's rows."""
        to = data.draw(st.integers(0, self.last + 1), label="to")
        ends = [command[-1] for command in self.standing]
        if to in ends[:-1]:
            self.table.undo(now=3, to=to)
            kept = ends.index(to) + 1
            self.undone.append(self.standing[kept:])
            del self.standing[kept:]
        else:
            with pytest.raises((Refusal, NoSuchEvent)):
                self.table.undo(now=3, to=to)

    @rule(count=st.integers(1, 3))
    def redo(self, count: int) -> None:
        """What the last undos took; refused if a move was made since, or there were not so many."""
        if count > len(self.undone):
            with pytest.raises(Refusal):
                self.table.redo(now=4, count=count)
        else:
            self.table.redo(now=4, count=count)
            for _ in range(count):
                self.standing += self.undone.pop()

    @rule(data=st.data())
    def comment(self, data: Any) -> None:
        """A note on any event."""
        self.table.note(data.draw(st.integers(1, self.last), label="about"), "why?", now=5)

    @rule()
    def leave(self) -> None:
        """The next command finds the game in the file only."""
        self.table = Table(self.log, "g")

    @invariant()
    def the_state_is_the_fold_of_what_stands(self) -> None:
        """At the table, loaded anew, and as it was when it stood so before."""
        rows = self.rows
        expected = folded(self.log, rows)
        for table in (self.table, Table(self.log, "g")):
            assert (msgpack.encode(table.state), table.position.draws) == expected
            assert table.seq == self.last
            assert [seq for seq in range(1, self.last + 1) if table.position.timeline.stands(seq)] == rows
            assert len(table.position.timeline.undone) == len(self.undone)
        assert self.states.setdefault(rows[-1], expected[0]) == expected[0]
        self.stood[self.last] = rows


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """Snapshots every four rows, so that a short game has many; the last eight rows are watched."""
    monkeypatch.setattr(position, "EVERY", 4)
    monkeypatch.setattr(position, "WATCHED", 8)


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("names", [("ada", "bo"), ("ada", "bot:random"), ("ada",)], ids=["two", "bot", "solo"])
def test_a_table_shows_what_a_plain_list_of_moves_makes(names: tuple[str, ...]) -> None:
    """After any moves, undos, redos and notes the state is the fold of the moves that stand, to the byte; going
    back and forth gives the same states again; and each event can be looked back at as it was.
    """
    machine = type("Machine", (TableMachine,), {"names": names})
    run_state_machine_as_test(
        machine,
        settings=settings(
            max_examples=10, stateful_step_count=25, deadline=None, suppress_health_check=[HealthCheck.too_slow]
        ),
    )


def test_a_new_move_ends_the_redo(turnlog: Turnlog) -> None:
    """Undo, then another move: there is nothing left to put back, and the log says what stands."""
    turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bo", "--id", "g", "--seed", "1", "-o", "first=ada")
    turnlog.play("g", "play Y1")
    turnlog.ok("undo", "g")
    turnlog.ok("redo", "g")
    turnlog.ok("undo", "g")
    turnlog.play("g", "play W2")
    answer = turnlog("redo", "g", "--json")
    assert answer.code == 3
    assert "nothing can be redone" in answer.error["message"]
    assert [(e["seq"], e["stands"]) for e in turnlog("log", "g", "--json").lines if e["move"]] == [
        (2, False),
        (6, True),
    ]
    assert [play["card"] for play in turnlog.view("g")["trick"]] == ["W2"]


def test_a_redo_of_several_puts_them_back_in_order(turnlog: Turnlog) -> None:
    """Three undos, and a redo of two of them: what went last comes back first, each as an event of its own."""
    turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bo", "--id", "g", "--seed", "1")
    for _ in range(4):
        turnlog.play("g", turnlog.json("moves", "g")["moves"][0])
    views = {seq: turnlog.view("g", "referee", "--at", seq) for seq in range(1, 6)}
    for _ in range(3):
        turnlog.ok("undo", "g")
    assert turnlog("redo", "g", "-n", 4).code == 3
    back = turnlog.json("redo", "g", "-n", 2)["events"]
    assert [(event["seq"], event["first"], event["last"]) for event in back] == [(9, 3, 3), (10, 4, 4)]
    assert turnlog.view("g", "referee") == views[4]
    turnlog.ok("redo", "g")
    assert turnlog.view("g", "referee") == views[5]


# long logs --------------------------------------------------------------------------------------------


@pytest.fixture
def log(tmp_path: Path) -> Iterator[SqliteLog]:
    """A new log."""
    made = opened(tmp_path)
    yield made
    made.close()


def play_on(table: Table, count: int, chance: Chance | None = None) -> None:
    """Plays the first legal move, or any, several times."""
    for _ in range(count):
        moves = legal(table.offers(table.to_move[0]))
        move = moves[chance.number("move", len(moves)) if chance else 0]
        table.play(words_of(GAME.grammar.spell(move)), now=2)


def deeds_of_a_load(log: SqliteLog, monkeypatch: pytest.MonkeyPatch) -> int:
    """How many moves are decoded when a game is loaded; the state is that of a load without any snapshot."""
    codec = GAME.projector.codec
    deed = codec.deed
    decoded: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(codec, "deed", lambda row: decoded.append(row.seq) or deed(row))
        state = msgpack.encode(Table(log, "g").state)
    projector = GAME.projector._replace(version="none")
    assert state == msgpack.encode(load(log, projector, next(log.rows("g", 0, 1))).state)
    return len(decoded)


@pytest.mark.parametrize(("every", "watched"), [(64, 1024), (16, 20), (7, 64)])
def test_loading_at_every_event_gives_the_fold(
    log: SqliteLog, monkeypatch: pytest.MonkeyPatch, every: int, watched: int
) -> None:
    """In a long game full of undos and redos, each event is looked back at as it was."""
    monkeypatch.setattr(position, "EVERY", every)
    monkeypatch.setattr(position, "WATCHED", watched)
    table, _ = started(log, ("ada", "bo"), "long")
    chance = Chance("long")
    for _ in range(25):
        play_on(table, 5, chance)
        moves = table.position.timeline.moves()
        table.undo(now=3, count=1 + chance.number("undo", moves // 2))
        if chance.number("redo", 3):
            table.redo(now=4)
        table.note(1, "so far", now=5)
    timeline = Timeline()
    snapped = set[int]()
    for row in log.rows("g"):
        timeline.note(row.kind, row.seq, row.data)
        standing = [seq for first, last in timeline.standing for seq in range(first, last + 1)]
        loaded = load(log, GAME.projector, next(log.rows("g", 0, 1)), row.seq)
        assert (msgpack.encode(loaded.state), loaded.draws) == folded(log, standing)
        assert loaded.timeline == timeline
        snapped.add(loaded.snapped)
    assert len(snapped) > table.seq // (every + 7)


def test_a_log_of_undo_and_redo_alone_has_snapshots(log: SqliteLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Hundreds of undos and redos without a move between them: a load still begins near the end of the log."""
    table, _ = started(log, ("ada", "bo"))
    play_on(table, 40)
    for _ in range(120):
        table.undo(now=3)
        table.redo(now=4)
    loaded = Table(log, "g").position
    assert loaded.seq == 281
    assert loaded.seq - loaded.snapped < position.EVERY
    assert deeds_of_a_load(log, monkeypatch) <= 1


def test_a_log_of_notes_has_snapshots(log: SqliteLog) -> None:
    """Hundreds of notes on a short game: a load still begins near the end of the log."""
    table, _ = started(log, ("ada", "bo"))
    play_on(table, 3)
    for _ in range(200):
        table.note(1, "and another thing", now=3)
    loaded = Table(log, "g").position
    assert loaded.seq == 204
    assert loaded.seq - loaded.snapped < position.EVERY


def test_going_far_back_and_forth_reads_few_moves(log: SqliteLog, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of a long game undone and put back, again and again: either way few moves are read to get there."""
    table, _ = started(log, ("ada", "bo"))
    play_on(table, 100)
    for _ in range(70):
        table.undo(now=3, to=3)
        table.redo(now=4)
    assert deeds_of_a_load(log, monkeypatch) <= position.EVERY
    table.undo(now=3, to=3)
    assert deeds_of_a_load(log, monkeypatch) <= 3
    table.redo(now=4)
    table.undo(now=3, to=70)
    assert deeds_of_a_load(log, monkeypatch) <= position.EVERY
