"""Forks, differences and seats' logs of every game: what they take along, what they guess, what they give away."""

from pathlib import Path
from typing import Any

import pytest
from msgspec import json, msgpack

from engines.forking import at_event, standing
from engines.kit.game import Game
from engines.registry import all_games, game_of
from engines.table import Table
from tests.conftest import Turnlog
from tests.lively_games import lively, opened, play_on, seats_for

ONCE_A_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
SEATS = ("ada", "bo", "cy")


def play_lively(turnlog: Turnlog, game: Game, moves: int = 10, bots: int = 0) -> None:
    """Puts a game with undone lines and notes into the database."""
    log = opened(turnlog.db)
    lively(log, game, seats_for(game, SEATS, bots=bots), moves=moves)
    log.close()


def went_on(turnlog: Turnlog, game_id: str, moves: int, seed: str = "on") -> bytes:
    """The state of a game after it went on with random moves, the same ones where the same are legal."""
    log = opened(turnlog.db)
    table = Table(log, game_id)
    play_on(table, moves, seed)
    state = msgpack.encode(table.state)
    log.close()
    return state


def facts(turnlog: Turnlog, game_id: str) -> list[Any]:
    """What happened in a game as it stands, event by event."""
    log = opened(turnlog.db)
    table = Table(log, game_id)
    found: list[Any] = [(entry.event.seat, entry.event.facts) for entry in standing(table)[1:]]  # type: ignore[union-attr]
    log.close()
    return found


def created(turnlog: Turnlog, game_id: str) -> Any:
    """The creation of a game, as it lies in the log."""
    return json.decode(turnlog.ok("export", game_id).out.splitlines()[0])["data"]


@pytest.fixture
def played(turnlog: Turnlog) -> Turnlog:
    """The command line on a game of Power Vacuum with undone lines and notes."""
    play_lively(turnlog, game_of("power-vacuum"), 24)
    return turnlog


# forks of the referee ---------------------------------------------------------------------------------


@ONCE_A_GAME
def test_a_fork_at_each_event_stands_where_that_event_left_the_game(game: Game, turnlog: Turnlog) -> None:
    """Whatever the event is - a move, one that was undone, an undo, a redo, a note - the fork stands as it did."""
    play_lively(turnlog, game)
    last = turnlog.json("show", "lively")["seq"]
    for seq in range(1, last + 1):
        answer = turnlog.json("fork", "lively", "--at", seq, "--id", f"f{seq}")
        assert answer["origin"] == {"game": "lively", "seq": seq}
        assert turnlog.view(f"f{seq}", "referee") == turnlog.view("lively", "referee", "--at", seq)
        origin = created(turnlog, f"f{seq}")["origin"]
        assert (origin["game"], origin["seq"], origin["guess_of"]) == ("lively", seq, None)
        assert origin["copied"] == turnlog.json("show", f"f{seq}")["seq"]
    assert facts(turnlog, f"f{last}") == facts(turnlog, "lively")
    turnlog.ok("verify", "--all", "--rules")


@ONCE_A_GAME
def test_the_same_chance_draws_the_same(game: Game, turnlog: Turnlog) -> None:
    """Played on alike, a fork with the same chance comes to the same state, seed and all."""
    play_lively(turnlog, game)
    turnlog.ok("fork", "lively", "--id", "alike", "--same-chance")
    assert created(turnlog, "alike")["seed_digest"] == created(turnlog, "lively")["seed_digest"]
    assert went_on(turnlog, "alike", 40) == went_on(turnlog, "lively", 40)
    assert facts(turnlog, "alike") == facts(turnlog, "lively")


def test_new_chance_is_new(played: Turnlog) -> None:
    """A fork without the same chance has a seed of its own, and the next deal is another one."""
    played.ok("fork", "lively", "--id", "one")
    played.ok("fork", "lively", "--id", "two")
    seeds = {created(played, name)["seed"] for name in ("lively", "one", "two")}
    assert len(seeds) == 3
    assert len({went_on(played, name, 120) for name in ("lively", "one", "two")}) == 3
    played.ok("verify", "--all")


def test_a_fork_of_a_fork_tells_where_it_came_from(played: Turnlog) -> None:
    """Forks can be forked, copies of copies; each names the game it was made of, and tells of it."""
    played.ok("fork", "lively", "--at", 9, "--id", "child")
    went_on(played, "child", 3)
    played.ok("fork", "child", "--id", "grandchild")
    assert created(played, "grandchild")["origin"]["game"] == "child"
    assert facts(played, "grandchild") == facts(played, "child")
    assert "goes on from event 9 of game lively." in played.ok("log", "child").out
    assert "goes on from event" in played.ok("export", "child", "--format", "markdown").out
    assert played.json("verify", "grandchild", "--rules")["rules"]["differs"] is None
    assert played("export", "child", "--format", "transcript").code == 3


def test_bots_answer_after_a_fork(turnlog: Turnlog) -> None:
    """A fork at an event after which a bot is to move begins with the bot's answer."""
    turnlog.ok(
        "create", "power-vacuum", "-p", "ada", "-p", "bot:greedy", "-o", "first=ada", "--seed", "1", "--id", "g"
    )
    turnlog.play("g", turnlog.json("moves", "g")["moves"][0])
    (asked,) = [row["seq"] for row in turnlog.ok("log", "g", "--json").lines if row["seat"] == "ada"]
    answer = turnlog.json("fork", "g", "--at", asked, "--id", "f")
    assert answer["events"]
    assert {event["seat"] for event in answer["events"]} <= {"bot:greedy", "ada"}
    assert answer["events"][0]["seat"] == "bot:greedy"
    assert answer["to_move"] == ["ada"]
    assert "bot:greedy plays" in turnlog.ok("fork", "g", "--at", asked).out


# forks with a guess -----------------------------------------------------------------------------------


@ONCE_A_GAME
def test_a_guess_looks_to_the_seat_as_the_game_does(game: Game, turnlog: Turnlog) -> None:
    """A fork as a seat or spectator shows that viewer the same view, moves and board."""
    play_lively(turnlog, game)
    names = turnlog.json("show", "lively")["seats"]
    for number, viewer in enumerate((*names, "spectator")):
        answer = turnlog.json("fork", "lively", "--as", viewer, "--id", f"guess{number}")
        assert turnlog.view(f"guess{number}", viewer) == turnlog.view("lively", viewer)
        if viewer in answer["to_move"]:
            mine = turnlog.json("moves", "lively", "--as", viewer)["moves"]
            assert turnlog.json("moves", f"guess{number}", "--as", viewer)["moves"] == mine
        text = turnlog.ok("show", f"guess{number}", "--as", viewer).out
        assert text.splitlines()[0] == turnlog.ok("show", "lively", "--as", viewer).out.splitlines()[0]
        assert "with a guess at what" in turnlog.ok("log", f"guess{number}").out
    turnlog.ok("verify", "--all", "--rules")


@ONCE_A_GAME
def test_a_guess_is_played_to_its_end(game: Game, turnlog: Turnlog) -> None:
    """A game that began with a guess is a whole game: bots play it out, it verifies and can be taken back."""
    play_lively(turnlog, game, bots=1)
    person = turnlog.json("show", "lively")["seats"][0]
    turnlog.ok("fork", "lively", "--as", person, "--id", "guess")
    went_on(turnlog, "guess", 3_000)
    shown = turnlog.json("show", "guess")
    assert shown["result"] is not None or shown["to_move"]
    turnlog.ok("undo", "guess")
    turnlog.ok("redo", "guess")
    turnlog.ok("verify", "guess", "--rules")
    turnlog.ok("fork", "guess", "--as", person, "--id", "again")
    turnlog.ok("fork", "guess", "--at", 1, "--id", "first")


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["lively", "--id", "lively"], 4, "is taken"),
        (["lively", "--id", "no good"], 2, "cannot be a game's id"),
        (["lively", "--at", 999], 5, "has no event 999"),
        (["lively", "--at", 0], 5, "has no event 0"),
        (["other"], 5, "there is no game 'other'"),
        (["lively", "--as", "nobody"], 5, "there is no seat 'nobody'"),
        (["lively", "--as", "ada", "--same-chance"], 3, "hidden from a seat"),
        (["lively", "--as", "spectator", "--same-chance"], 3, "hidden from a seat"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else None,
)
def test_what_cannot_be_forked_is_refused(played: Turnlog, words: list[object], code: int, says: str) -> None:
    """In words, with the exit code of its kind, and nothing is written."""
    before = played.ok("list", "--json").out
    told = played("fork", *words, "--json")
    assert (told.code, told.out) == (code, "")
    assert says in told.error["message"]
    assert played.ok("list", "--json").out == before


# differences ------------------------------------------------------------------------------------------


def test_two_moments_differ_by_what_happened_between(played: Turnlog) -> None:
    """The events between them are told in the game's words, then the places of the view with both values."""
    rows = {row["seq"]: row for row in played.ok("log", "lively", "--json").lines}
    standing_rows = [row for row in rows.values() if row["kind"] == "move-made" and row["stands"]]
    a, b = standing_rows[3]["seq"], standing_rows[6]["seq"]
    text = played.ok("diff", "lively", a, b).out
    between = [row for row in standing_rows if a < row["seq"] <= b]
    assert len(between) == 3
    told, _, seen = text.partition(f"Seen at event {a} and at event {b}:")
    for row in between:
        assert f"{row['seq']:>4}  {row['told'][0]}"[:60] in told
    answer = played.json("diff", "lively", a, b)
    assert answer["first_event"][0] is None
    assert answer["first_event"][1]["seq"] == between[0]["seq"]
    before, after = (played.view("lively", "spectator", "--at", seq) for seq in (a, b))
    for change in answer["paths"]:
        assert change["path"] in seen
        assert value_at(before, change["path"]) == change["a"]
        assert value_at(after, change["path"]) == change["b"]


def value_at(view: Any, path: str) -> Any:
    """What stands in a view at a path as `diff` writes it: `hands.ada`, `trick[1].card`; None if nothing does."""
    value = view
    for part in path.replace("[", ".[").split("."):
        try:
            value = value[int(part[1:-1])] if part.startswith("[") else value[part]
        except (KeyError, IndexError):
            return None
    return value


def test_back_and_across_an_undo(played: Turnlog) -> None:
    """Backwards, and to where an undo went, the events that are not there any more are told as such."""
    forth = played.json("diff", "lively", 9, 12)
    back = played.json("diff", "lively", 12, 9)
    assert [(c["path"], c["a"], c["b"]) for c in forth["paths"]] == [
        (c["path"], c["b"], c["a"])
        for c in sorted(back["paths"], key=lambda c: [d["path"] for d in forth["paths"]].index(c["path"]))
    ]
    assert back["first_event"] == forth["first_event"][::-1]
    assert "(not at event 9)" in played.ok("diff", "lively", 12, 9).out
    undo = next(row for row in played.ok("log", "lively", "--json").lines if row["kind"] == "moves-undone")
    answer = played.json("diff", "lively", undo["seq"] - 1, undo["seq"])
    assert answer["first_event"][0]["seq"] == undo["first"]
    assert answer["first_event"][1] is None


def test_the_same_does_not_differ(played: Turnlog) -> None:
    """A moment and itself, a game and itself: nothing, in words and as JSON."""
    for words in (("lively", 7, 7), ("lively", "lively")):
        assert "Nothing that is seen differs." in played.ok("diff", *words).out
        answer = played.json("diff", *words)
        assert (answer["first_event"], answer["paths"]) == (None, [])
    assert "are the same." in played.ok("diff", "lively", "lively").out


def test_two_games_differ_from_the_first_event_that_is_not_the_same(played: Turnlog) -> None:
    """It is told for both games; a game that has no further event is said to have none."""
    played.ok("fork", "lively", "--id", "other")
    last = played.json("show", "other")["seq"]
    assert played.json("diff", "lively", "other")["first_event"] is None
    went_on(played, "other", 1)
    answer = played.json("diff", "lively", "other")
    assert answer["first_event"][0] is None
    assert answer["first_event"][1]["seq"] == last + 1
    text = played.ok("diff", "lively", "other").out
    assert "lively has no further event." in text
    assert f"other, event {last + 1}, is the first that differs:" in text


def test_a_difference_gives_nothing_away(turnlog: Turnlog) -> None:
    """Two guesses at the same position are the same to whoever guessed; a referee is told where they differ."""
    play_lively(turnlog, game_of("power-vacuum"))
    for name in ("one", "two"):
        turnlog.ok("fork", "lively", "--as", "ada", "--id", name)
    for viewer in ("ada", "spectator"):
        answer = turnlog.json("diff", "one", "two", "--as", viewer)
        assert (answer["first_event"], answer["paths"]) == (None, [])
    assert turnlog.json("diff", "one", "two", "--as", "referee")["paths"]
    hidden = turnlog.view("lively", "referee")["hands"]["bo"]
    text = turnlog.ok("diff", "lively", 1, 5, "--as", "ada").out
    played = {card for row in turnlog.ok("log", "lively").out.split() for card in [row.strip(".;,")]}
    assert not any(card in text.split() for card in hidden if card not in played)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["lively"], 2, "diff takes"),
        (["lively", 1, 2, 3], 2, "diff takes"),
        (["lively", 1, "x"], 2, "no event's number"),
        (["lively", 1, -2], 2, ""),
        (["lively", 1, 10**30], 2, "no event's number"),
        (["lively", 1, 999], 5, "has no event 999"),
        (["lively", "other"], 5, "there is no game 'other'"),
        (["lively", 1, 2, "--as", "nobody"], 5, "there is no seat"),
        (["lively", "solo"], 2, "is a game of"),
    ],
    ids=lambda value: " ".join(map(str, value)) if isinstance(value, list) else None,
)
def test_what_cannot_be_compared_is_refused(played: Turnlog, words: list[object], code: int, says: str) -> None:
    """Too few or too many words, events and games that are not there, games of different kinds."""
    played.ok("create", all_games()[0].slug, *("-p", "ada", "-p", "bo"), "--id", "solo")
    told = played("diff", *words, "--json")
    assert (told.code, told.out) == (code, "")
    assert says in told.error["message"]


# seats' logs ------------------------------------------------------------------------------------------


@ONCE_A_GAME
def test_a_seats_log_is_what_the_seat_saw(game: Game, turnlog: Turnlog, tmp_path: Path) -> None:
    """Imported, it shows at each event what the seat saw then, tells the same, and is exported as it came."""
    play_lively(turnlog, game)
    last = turnlog.json("show", "lively")["seq"]
    names = turnlog.json("show", "lively")["seats"]
    for viewer in (names[0], names[-1], "spectator"):
        file = tmp_path / f"{viewer}.jsonl"
        turnlog.ok("export", "lively", "--as", viewer, "-O", file)
        imported = turnlog.json("import", file)
        assert imported["events"] == last
        seen = imported["game"]
        for seq in range(1, last + 1):
            assert turnlog.view(seen, viewer, "--at", seq) == turnlog.view("lively", viewer, "--at", seq)
        assert turnlog.ok("log", seen).out == turnlog.ok("log", "lively", "--as", viewer).out
        assert (
            turnlog.ok("replay", seen, "--plain").out
            == turnlog.ok("replay", "lively", "--plain", "--as", viewer).out
        )
        assert turnlog.ok("export", seen).out == file.read_text()
        assert turnlog.ok("export", seen, "--as", viewer).out == file.read_text()
        turnlog.ok("verify", seen)
        turnlog.ok("fork", seen, "--as", viewer, "--id", f"on-{seen}")
        assert turnlog.view(f"on-{seen}", viewer) == turnlog.view("lively", viewer)


@pytest.fixture
def seats_log(played: Turnlog, tmp_path: Path) -> Turnlog:
    """The command line on a database with the log of ada alone, as game `lively-as-1`."""
    file = tmp_path / "ada.jsonl"
    played.ok("export", "lively", "--as", "ada", "-O", file)
    alone = Turnlog(tmp_path / "alone.db", played._capsys)
    alone.ok("import", file, "--db", alone.db)
    return alone


@pytest.mark.parametrize(
    "words",
    [
        ["play", "point"],
        ["undo"],
        ["redo"],
        ["fork"],
        ["fork", "--same-chance", "--as", "ada"],
        ["fork", "--as", "bo"],
        ["fork", "--as", "referee"],
        ["export", "--as", "bo"],
        ["export", "--as", "bo", "--format", "html"],
        ["export", "--as", "referee", "--format", "markdown"],
        ["export", "--format", "transcript"],
        ["replay", "--as", "referee"],
        ["log", "--as", "bo"],
        ["annotate", "--as", "referee"],
    ],
    ids=" ".join,
)
def test_a_seats_log_is_not_played_on_nor_seen_by_others(seats_log: Turnlog, words: list[str]) -> None:
    """It is refused in words, with what can be done instead, and nothing is written."""
    before = seats_log.ok("export", "lively-as-1", "--db", seats_log.db).out
    told = seats_log(words[0], "lively-as-1", *words[1:], "--json", "--db", seats_log.db)
    assert (told.code, told.out) == (3, "")
    assert told.error["hint"]
    assert seats_log.ok("export", "lively-as-1", "--db", seats_log.db).out == before


def test_a_seats_log_is_reviewed(seats_log: Turnlog) -> None:
    """Notes, pages, reports, key moments and the question to the rules: as the seat knew the game, unasked."""
    db = ("--db", seats_log.db)
    seats_log.ok("note", "lively-as-1", 3, "should have known", *db)
    for format_ in ("html", "markdown"):
        assert "should have known" in seats_log.ok("export", "lively-as-1", "--format", format_, *db).out
    assert "As ada saw it." in seats_log.ok("export", "lively-as-1", "--format", "markdown", *db).out
    assert [m["kind"] for m in seats_log.json("annotate", "lively-as-1", *db)]
    report = seats_log.json("verify", "lively-as-1", "--rules", *db)
    assert (report["ok"], report["seen_by"]) == (True, "ada")
    assert "cannot be asked" in seats_log.ok("verify", "lively-as-1", "--rules", *db).out


def test_the_log_of_a_guess_gives_no_guess_away(played: Turnlog, tmp_path: Path) -> None:
    """A fork with a guess begins at a position, in which a seat's log masks what the seat cannot see."""
    played.ok("fork", "lively", "--as", "ada", "--id", "guess")
    whole = created(played, "guess")["position"]
    file = tmp_path / "bo.jsonl"
    played.ok("export", "guess", "--as", "bo", "-O", file)
    seen = json.decode(file.read_text().splitlines()[0])["data"]["position"]
    assert seen != whole
    assert seen["hands"][1] == whole["hands"][1]
    assert all("?" in card for card in seen["hands"][0])
    name = played.json("import", file)["game"]
    assert played.view(name, "bo") == played.view("guess", "bo")


def test_a_moment_is_an_event(played: Turnlog) -> None:
    """The library's way to a moment refuses a number that is no event's."""
    log = opened(played.db)
    table = Table(log, "lively")
    assert at_event(table, 3).seq == 3
    with pytest.raises(Exception, match="has no event 0"):
        at_event(table, 0)
    log.close()
