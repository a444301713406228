"""`replay` and `log`: from any event on, with or without what was undone, as text, as JSON, in a terminal."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from cli import review, viewer
from engines.kit.game import Game
from engines.registry import all_games, game_of
from replays import stepping
from tests.conftest import Turnlog
from tests.lively_games import BEGUN, NOTES, REASON, lively, opened, play_on, seats_for

ONCE_A_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
SEATS = ("ada", "bo", "cy")


def play_lively(turnlog: Turnlog, game: Game, moves: int = 12) -> None:
    """Puts a game with undone lines and notes into the database."""
    log = opened(turnlog.db)
    lively(log, game, seats_for(game, SEATS), moves=moves)
    log.close()


@pytest.fixture
def played(turnlog: Turnlog) -> Turnlog:
    """The command line on a game of Power Vacuum with undone lines and notes."""
    play_lively(turnlog, game_of("power-vacuum"), 24)
    return turnlog


def documents(turnlog: Turnlog, *words: object) -> list[Any]:
    """What `replay --json` gives."""
    return turnlog.ok("replay", "lively", "--json", *words).lines


@ONCE_A_GAME
def test_a_replay_from_anywhere_is_a_part_of_the_whole(game: Game, turnlog: Turnlog) -> None:
    """Begun at any event, with undone moves or without, it shows what the replay of all shows from there on."""
    play_lively(turnlog, game)
    for undone in ([], ["--undone"]):
        whole = documents(turnlog, "--as", "referee", *undone)
        last = turnlog.json("show", "lively")["seq"]
        for first in range(1, last + 1):
            part = documents(turnlog, "--as", "referee", "--from", first, *undone)
            assert part == [step for step in whole if step["seq"] >= first]


@ONCE_A_GAME
def test_each_step_is_the_board_of_that_moment(game: Game, turnlog: Turnlog) -> None:
    """The view after each event, undone ones too, is what `show --at` that event gives, for every viewer."""
    play_lively(turnlog, game)
    names = turnlog.json("show", "lively")["seats"]
    for viewer_name in (names[0], "spectator", "referee"):
        for step in documents(turnlog, "--undone", "--as", viewer_name):
            assert step["view"] == turnlog.view("lively", viewer_name, "--at", step["seq"])
            assert step["as"] == viewer_name


def test_what_was_undone_is_left_out_unless_asked_for(played: Turnlog) -> None:
    """Without `--undone` only what stands at the end is walked through; with it all, marked."""
    rows = played.ok("log", "lively", "--json").lines
    gone = {row["seq"] for row in rows if not row["stands"]}
    taking_back = {row["seq"] for row in rows if row["kind"] in ("moves-undone", "moves-redone")}
    assert gone
    assert taking_back
    whole = documents(played, "--undone")
    assert [step["seq"] for step in whole] == [row["seq"] for row in rows]
    assert {step["seq"] for step in whole if not step["stands"]} == gone
    assert {step["seq"] for step in documents(played)} == {row["seq"] for row in rows} - gone - taking_back
    text = played.ok("replay", "lively", "--plain", "--undone").out
    assert f"---- event {min(gone)} (undone) ---" in text
    assert "(undone)" not in played.ok("replay", "lively", "--plain").out


def test_from_to_and_step_choose_events(played: Turnlog) -> None:
    """`--from` and `--to` are the first and last event, `--step N` shows each Nth of those between."""
    every = [step["seq"] for step in documents(played, "--undone")]
    for first, last, step in ((1, 1, 1), (4, 9, 1), (5, 12, 3), (len(every), len(every), 2)):
        chosen = documents(played, "--undone", "--from", first, "--to", last, "--step", step)
        assert [each["seq"] for each in chosen] == every[first - 1 : last : step]
    text = played.ok("replay", "lively", "--from", 9, "--to", 12, "--plain").out
    assert [line[:13].rstrip() for line in text.splitlines() if line.startswith("----")] == [
        f"---- event {step['seq']}" for step in documents(played, "--from", 9, "--to", 12)
    ]


def test_speed_waits_between_steps_only(played: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """`--speed N` waits a Nth of a second between two steps; 0 waits for nothing."""
    waits: list[float] = []
    monkeypatch.setattr(review.time, "sleep", waits.append)
    steps = documents(played, "--speed", 4)
    assert waits == [0.25] * (len(steps) - 1)
    waits.clear()
    documents(played, "--speed", 0)
    assert waits == []


def test_a_step_has_its_shape(played: Turnlog) -> None:
    """Each document says where it is, who looks, what happened, who is to move, and how it ended."""
    step = documents(played, "--as", "ada")[1]
    keys = {"game", "seq", "at", "as", "stands", "event", "told", "to_move", "view", "result"}
    assert set(step) == keys
    assert step["game"] == "lively"
    assert step["event"]["kind"] == "move-made"
    assert step["told"]
    assert set(step["to_move"]) <= set(SEATS)
    assert step["result"] is None


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--from", 0], 5, "has no event 0"),
        (["--from", 999], 5, "has no event 999"),
        (["--to", 999], 5, "has no event 999"),
        (["--from", 9, "--to", 3], 2, "lies before --from 9"),
        (["--step", 0], 2, "step"),
        (["--speed", -1], 2, "speed"),
        (["--as", "nobody"], 5, "there is no seat 'nobody'"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else None,
)
def test_what_cannot_be_walked_is_refused(played: Turnlog, words: list[object], code: int, says: str) -> None:
    """A range that is not there, a step or speed that is none: refused in words, nothing is printed."""
    told = played("replay", "lively", "--json", *words)
    assert (told.code, told.out) == (code, "")
    assert says in told.error["message"]
    assert played("replay", "other").code == 5


def test_a_walk_loads_where_it_begins(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Near the end of a long game a few facts are folded, not all; a whole walk loads no position on its way."""
    log = opened(turnlog.db)
    table = lively(log, game_of("power-vacuum"), SEATS, moves=150)
    for _ in range(5):
        table.undo(now=BEGUN, count=20)
        play_on(table, 20, f"again/{table.seq}")
        table.note(table.seq, "hm", now=BEGUN)
    last = table.seq
    log.close()
    folded: list[int] = []
    loaded: list[int] = []
    fold, load = stepping.fold, stepping.load

    def counted(reducers: Any, state: Any, facts: Any) -> None:
        folded.append(1)
        fold(reducers, state, facts)

    def noticed(*arguments: Any) -> Any:
        loaded.append(arguments[-1])
        return load(*arguments)

    monkeypatch.setattr(stepping, "fold", counted)
    monkeypatch.setattr(stepping, "load", noticed)
    documents(turnlog, "--from", last - 3)
    assert len(folded) <= 4
    assert len(loaded) == 1
    whole = documents(turnlog, "--undone", "--as", "referee")
    assert len(loaded) == 1
    assert len(folded) < 2 * last
    assert [step for step in whole if step["seq"] > last - 40] == documents(
        turnlog, "--undone", "--as", "referee", "--from", last - 39
    )


# in a terminal ----------------------------------------------------------------------------------------


@pytest.fixture
def terminal(monkeypatch: pytest.MonkeyPatch) -> list[viewer.Player]:
    """Standard input and output are a terminal, on which players are only noted, not run."""
    started: list[viewer.Player] = []
    monkeypatch.setattr(review, "_on_a_terminal", lambda: True)
    monkeypatch.setattr(viewer.Player, "run", lambda self: started.append(self))
    return started


def test_on_a_terminal_a_player_is_started(played: Turnlog, terminal: list[viewer.Player]) -> None:
    """It begins at `--from`, looks as `--as`, plays at `--speed`, and every viewer can be switched to."""
    assert played.ok("replay", "lively", "--as", "bo", "--from", 5, "--speed", 2).out == ""
    (player,) = terminal
    assert (player.viewer, player.first, player.speed, player.playing) == (1, 5, 2, True)
    assert sorted(player.viewers, key=str) == sorted([-1, 0, 1, 2, None], key=str)
    assert played("replay", "lively", "--from", 999).code == 5
    assert len(terminal) == 1


@pytest.mark.parametrize("words", [["--plain"], ["--json"], ["--quiet"], ["--to", 5], ["--step", 2]], ids=str)
def test_a_terminal_can_have_text(played: Turnlog, terminal: list[viewer.Player], words: list[object]) -> None:
    """Asked for plain text, JSON or a part of the game, no player is started."""
    assert played.ok("replay", "lively", *words).out
    assert terminal == []


def test_without_the_extra_it_is_text(
    played: Turnlog, terminal: list[viewer.Player], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where Textual is not installed, the text is shown and stderr says which extra has the player."""
    monkeypatch.setattr(review, "find_spec", lambda name: None)
    told = played.ok("replay", "lively")
    assert "---- event 1 ---" in told.out
    assert "turnlog[tui]" in told.err
    assert terminal == []


# the log with its notes -------------------------------------------------------------------------------


def test_notes_stand_beneath_their_events(played: Turnlog) -> None:
    """`log --notes` tells each note once, beneath its event, one that was taken back too; JSON has them in it."""
    plain = played.ok("log", "lively").out
    text = played.ok("log", "lively", "--notes").out
    assert "Note on event" in plain
    assert "Note on event" not in text
    beneath = {row["seq"]: row["notes"] for row in played.ok("log", "lively", "--notes", "--json").lines}
    written = {note["about"]: note for group in beneath.values() for note in group}
    assert sorted(note["text"] for note in written.values()) == sorted(NOTES)
    assert all(about in beneath for about in written)
    undone = [row["seq"] for row in played.ok("log", "lively", "--json").lines if not row["stands"]]
    assert set(undone) & set(written)
    lines = text.splitlines()
    (place,) = [number for number, line in enumerate(lines) if NOTES[0] in line]
    assert lines[place].startswith("      > ada: ")
    assert any("~" in line[:6] for line in lines[:place])


def test_a_note_on_a_note_stands_with_it(played: Turnlog) -> None:
    """A note about a note is listed where that one is."""
    seq = played.json("note", "lively", 4, "odd")["seq"]
    played.ok("note", "lively", seq, "not odd at all", "--as", "bo")
    (event,) = [row for row in played.ok("log", "lively", "--notes", "--json").lines if row["seq"] == 4]
    assert [note["text"] for note in event["notes"]][-2:] == ["odd", "not odd at all"]
    assert [note["seq"] for note in event["notes"]][-2:] == [seq, seq + 1]
    assert "bo: not odd at all" in played.ok("export", "lively", "--format", "markdown").out


def test_notes_are_listed_by_their_events(played: Turnlog) -> None:
    """`notes` lists them in the order of the game, with who wrote them; where there are none, it says how."""
    notes = played.json("notes", "lively")
    assert [note["about"] for note in notes] == sorted(note["about"] for note in notes)
    assert {"seq", "about", "seat", "text"} == set(notes[0])
    assert {note["seat"] for note in notes} == {"ada", None}
    assert "A calm set-up." in played.ok("notes", "lively").out
    played.ok("create", "power-vacuum", "-p", "ada", "--id", "fresh")
    assert "turnlog note fresh" in played.ok("notes", "fresh").out
    assert played.ok("notes", "fresh", "--quiet").out == ""


def test_a_log_followed_tells_new_notes(
    played: Turnlog, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With `--follow --notes` a note that comes later, on an event told before, is told when it comes."""
    session = review.Session(db=str(played.db))
    rounds: list[Callable[[], None]] = [lambda: add("first later note"), lambda: add("second later note")]

    def add(text: str) -> None:
        log = opened(Path(session.path))
        review.Table(log, "lively").note(2, text, now=BEGUN)
        log.close()

    def sleep(_: float) -> None:
        if not rounds:
            raise KeyboardInterrupt
        rounds.pop(0)()

    monkeypatch.setattr(review.time, "sleep", sleep)
    with pytest.raises(KeyboardInterrupt):
        review.log(session, "lively", None, True, True)
    told = capsys.readouterr().out
    assert told.count("first later note") == 1
    assert told.index("first later note") < told.index("second later note")


def test_reasons_are_told(played: Turnlog) -> None:
    """Why something was taken back is told with it."""
    assert any(REASON in line for line in played.ok("log", "lively").out.splitlines())
