"""Match reports and key moments: what they tell of a game, that nothing in them is markup, that they repeat."""

import re
from typing import Any

import pytest
from markdown_it import MarkdownIt
from markdown_it.token import Token

from engines.kit.boards import drawn
from engines.kit.game import Game
from engines.kit.secrecy import REFEREE
from engines.registry import all_games, game_of
from engines.table import Table
from events.model import MoveMade
from replays import annotate
from replays.walk import walk
from tests.conftest import Turnlog
from tests.lively_games import BEGUN, HOSTILE, NOTES, REASON, lively, opened, play_on, seats_for, think_little

ONCE_A_GAME = pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)


def play_lively(turnlog: Turnlog, game: Game, names: tuple[str, ...] = HOSTILE, moves: int = 16) -> None:
    """Puts a game with undone lines, notes and hostile names into the database."""
    log = opened(turnlog.db)
    lively(log, game, seats_for(game, names), moves=moves)
    log.close()


# reports ----------------------------------------------------------------------------------------------


class Report:
    """A report as a reader of Markdown sees it: its headings, paragraphs, quotations, lists, tables and fences."""

    def __init__(self, text: str) -> None:
        self.tokens = MarkdownIt("commonmark").enable("table").parse(text)
        self.kinds = {token.type for token in self._all(self.tokens)}

    def _all(self, tokens: list[Token]) -> list[Token]:
        return [one for token in tokens for one in (token, *self._all(token.children or []))]

    def texts(self, *within: str) -> list[str]:
        """The texts of the paragraphs, headings or cells whose nearest block is one of `within`."""
        found: list[str] = []
        blocks: list[str] = []
        for token in self.tokens:
            if token.nesting == 1:
                blocks.append(token.type.removesuffix("_open"))
            elif token.nesting == -1:
                blocks.pop()
            elif (
                token.type == "inline"
                and (blocks[-2] if blocks[-1] == "paragraph" and len(blocks) > 1 else blocks[-1]) in within
            ):
                found.append(
                    "".join(child.content if child.type != "softbreak" else " " for child in token.children or [])
                )
        return found

    @property
    def fence(self) -> str:
        """What stands between fences."""
        (found,) = [token.content for token in self.tokens if token.type == "fence"]
        return found.rstrip("\n")


def flat(text: str) -> str:
    """The text on one line, as a report has it."""
    return " ".join(text.split())


@ONCE_A_GAME
def test_a_report_tells_the_whole_game_as_text(
    game: Game, turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every standing event, round by round, notes with their events, the board; names and notes are text."""
    think_little(monkeypatch)
    play_lively(turnlog, game)
    log = opened(turnlog.db)
    table = Table(log, "lively")
    steps = list(walk(table, REFEREE, undone=False))
    report = Report(turnlog.ok("export", "lively", "--format", "markdown", "--as", "referee").out)
    told = report.texts("paragraph")
    for step in steps:
        assert flat(f"{step.seq} {' '.join(step.sentences)}") in told
    assert any(flat(", ".join(table.names)) in text for text in told)
    quoted = report.texts("blockquote")
    listed = report.texts("list_item")
    for note in NOTES:
        assert any(text.endswith(flat(note)) for text in [*quoted, *listed])
    assert any(
        text.endswith(flat(NOTES[0])) and text.startswith("Event ") for text in listed
    )  # its move was undone
    assert report.fence == drawn(steps[-1].board)
    headings = report.texts("heading")
    assert headings[0] == f"{game.title}: game lively"
    rounds = list(dict.fromkeys(f"Round {step.round}" if step.round else "The game" for step in steps))
    assert [heading for heading in headings if heading in rounds] == rounds
    assert {"Result", "Notes on what was taken back", "The board now"} <= set(headings)
    assert report.kinds <= {
        *("heading_open", "heading_close", "paragraph_open", "paragraph_close", "inline", "text", "text_special"),
        *("strong_open", "strong_close", "blockquote_open", "blockquote_close", "fence", "softbreak"),
        *("bullet_list_open", "bullet_list_close", "list_item_open", "list_item_close"),
    }
    log.close()


def test_a_report_of_a_finished_game_has_its_result(turnlog: Turnlog) -> None:
    """Who won and why, a table of scores, key moments, each round, the board at the end; all that was hidden."""
    turnlog.ok("create", "power-vacuum", "-p", "bot:greedy", "-p", "bot:random", "--seed", "4", "--id", "g")
    result = turnlog.json("show", "g")["result"]
    text = turnlog.ok("export", "g", "--format", "markdown").out
    report = Report(text)
    assert f"Won by {', '.join(result['winners'])}: {result['reason']}." in report.texts("paragraph")
    cells = report.texts("td")
    assert dict(zip(cells[::2], cells[1::2], strict=True)) == {n: str(s) for n, s in result["scores"].items()}
    assert {"Key moments", "Round 1", "Round 2", "The board at the end"} <= set(report.texts("heading"))
    assert "With all that was hidden." in text
    assert not re.search(r"is dealt \S*\?", text)


def test_a_report_of_a_closed_game(turnlog: Turnlog) -> None:
    """Resigned or abandoned: it says so, and nobody has a score."""
    play_lively(turnlog, game_of("power-vacuum"), ("ada", "bo", "cy"))
    turnlog.ok("close", "lively", "--reason", "*late*")
    report = Report(turnlog.ok("export", "lively", "--format", "markdown").out)
    assert "Nobody won: abandoned: *late*." in report.texts("paragraph")
    assert "table_open" not in report.kinds
    assert "Nobody won: abandoned" in turnlog.ok("export", "lively", "--format", "html").out


def test_who_a_report_is_for_is_told(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """A seat by its own name, capitals and all, and never as markup."""
    think_little(monkeypatch)
    play_lively(turnlog, game_of("power-vacuum"), ("Ada *B*", "BO", "cy"))
    for viewer, words in (("Ada *B*", "As Ada *B* saw it."), ("spectator", "As a spectator saw it.")):
        report = Report(turnlog.ok("export", "lively", "--format", "markdown", "--as", viewer).out)
        assert any(words in text for text in report.texts("paragraph"))
        assert "em_open" not in report.kinds


def test_no_board_ends_its_fence(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the board holds backticks, its fence is longer than those."""
    think_little(monkeypatch)
    play_lively(turnlog, game_of("power-vacuum"), ("```", "`````", "cy"))
    log = opened(turnlog.db)
    board = list(walk(Table(log, "lively"), None, undone=False))[-1].board
    log.close()
    assert Report(turnlog.ok("export", "lively", "--format", "markdown").out).fence == drawn(board)


@pytest.mark.parametrize(
    ("words", "code", "says"),
    [
        (["--format", "pdf"], 2, "no format is called 'pdf'"),
        (["--format", "markdown", "--as", "nobody"], 5, "there is no seat"),
        (["--format", "transcript", "--as", "1"], 2, "holds all secrets"),
        (["--format", "html", "--output", "/"], 2, ""),
        (["--format", "html", "--output", "/no/such/folder/x.html"], 2, "cannot be written"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else None,
)
def test_what_cannot_be_exported_is_refused(turnlog: Turnlog, words: list[str], code: int, says: str) -> None:
    """A format, viewer or file that cannot be: in words, and nothing is written."""
    turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bo", "--id", "g")
    told = turnlog("export", "g", *words, "--json")
    assert (told.code, told.out) == (code, "")
    assert says in told.error["message"]
    assert turnlog("export", "other").code == 5


def test_a_file_is_whole_or_not_there(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """An export that fails half-way leaves no file; one that is there already is not touched."""
    turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bo", "--id", "g")
    file = turnlog.db.with_name("out.txt")
    turnlog.ok("fork", "g", "--id", "f")
    assert turnlog("export", "f", "--format", "transcript", "-O", file).code == 3
    assert not file.exists()
    file.write_text("mine")
    assert turnlog("export", "g", "--format", "markdown", "-O", file).code == 2
    assert file.read_text() == "mine"


# key moments ------------------------------------------------------------------------------------------


def moments(turnlog: Turnlog, game_id: str, *words: object) -> list[Any]:
    """What `annotate` finds."""
    return turnlog.json("annotate", game_id, *words)


def test_changes_of_the_lead_are_where_the_scores_say(turnlog: Turnlog) -> None:
    """Each is at the event after which somebody else is ahead of all others, with the scores as they stand."""
    turnlog.ok("create", "power-vacuum", "-p", "bot:greedy", "-p", "bot:random", "--seed", "4", "--id", "g")
    leader = ""
    expected: list[tuple[int, str]] = []
    for step in turnlog.ok("replay", "g", "--json", "--as", "referee").lines:
        scores = step["view"]["scores"]
        ahead = [name for name, score in scores.items() if score == max(scores.values())]
        if len(ahead) == 1 and ahead[0] != leader:
            leader = ahead[0]
            expected.append((step["seq"], leader))
    found = [moment for moment in moments(turnlog, "g") if moment["kind"] == "lead"]
    assert [(moment["seq"], moment["text"].split(" takes the ")[0]) for moment in found] == expected
    assert "takes the first lead (" in found[0]["text"]
    for moment in found:
        scores = turnlog.view("g", "referee", "--at", moment["seq"])["scores"]
        assert ", ".join(f"{name} {score}" for name, score in scores.items()) in moment["text"]


def test_lines_taken_back_are_told_with_what_came_instead(
    turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A line names its first move, how far it went, why it was taken back, the move made then; a redo ends it."""
    think_little(monkeypatch)
    play_lively(turnlog, game_of("power-vacuum"), ("ada", "bo", "cy"))
    rows = turnlog.ok("log", "lively", "--json").lines
    gone = [row for row in rows if not row["stands"]]
    put_back = [row["first"] for row in rows if row["kind"] == "moves-redone"]
    found = [moment for moment in moments(turnlog, "lively") if moment["kind"] == "undone"]
    assert {moment["seq"] for moment in found} <= {row["seq"] for row in gone}
    assert not {moment["seq"] for moment in found} & set(put_back)
    first = found[0]
    assert first["seq"] == gone[0]["seq"]
    assert f'{gone[0]["seat"]}\'s "{gone[0]["move"]}"' in first["text"]
    assert f"and what followed up to event {gone[1]['seq']}" in first["text"]
    assert first["text"].endswith(f"({REASON}).")
    after = next(row for row in rows if row["seq"] > gone[1]["seq"] and row["kind"] == "move-made")
    assert (
        after["move"] == gone[0]["move"] or f'played then: {after["seat"]}\'s "{after["move"]}"' in first["text"]
    )


@ONCE_A_GAME
def test_the_costliest_move_is_found(game: Game, turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wherever in the game a seat's prospects fall, the move that they fall over is named with them."""
    play_lively(turnlog, game, ("ada", "bo", "cy"), moves=40)
    log = opened(turnlog.db)
    table = Table(log, "lively")
    moves = [
        (entry.seq, entry.event.seat)
        for entry in annotate.standing(table)
        if isinstance(entry.event, MoveMade) and entry.event.by != "rules"
    ]
    log.close()
    for place in (0, len(moves) // 3, len(moves) - 1):
        seq, seat = moves[place]

        def prospects(_: Any, at: int, playouts: int, place: int = place, seat: int = seat) -> list[float]:
            return [(0.8 if at <= place else 0.1) if one == seat else 0.1 for one in range(3)]

        monkeypatch.setattr(annotate._Playing, "prospects", prospects)
        (fall,) = [moment for moment in moments(turnlog, "lively") if moment["kind"] == "fall"]
        row = turnlog.ok("log", "lively", "--json").lines[seq - 1]
        assert fall["seq"] == seq
        assert f'{row["seat"]}\'s "{row["move"]}"' in fall["text"]
        assert f"{row['seat']} wins 80% of the games" in fall["text"]
        assert "after it 10%" in fall["text"]


def test_luck_is_no_moment(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """A fall that may as well be luck is not told."""
    play_lively(turnlog, game_of("power-vacuum"), ("ada", "bo", "cy"))
    monkeypatch.setattr(annotate._Playing, "prospects", lambda _, at, playouts: [0.5 - at / 100, 0.2, 0.2])
    assert not [moment for moment in moments(turnlog, "lively") if moment["kind"] == "fall"]


def test_the_same_game_has_the_same_moments(turnlog: Turnlog) -> None:
    """Asked again, of an imported copy, or of the same game with later notes, the answer is the same."""
    turnlog.ok("create", "power-vacuum", "-p", "bot:greedy", "-p", "bot:random", "--seed", "4", "--id", "g")
    found = moments(turnlog, "g")
    file = turnlog.db.with_name("g.jsonl")
    turnlog.ok("export", "g", "-O", file)
    copy = turnlog.db.with_name("copy.db")
    turnlog.ok("import", file, "--db", copy)
    turnlog.ok("note", "g", 5, "a note", "--db", copy)
    assert moments(turnlog, "g", "--db", copy) == found
    assert moments(turnlog, "g") == found
    assert moments(turnlog, "g", "--as", "spectator") == moments(turnlog, "g", "--as", "spectator")
    text = turnlog.ok("annotate", "g").out
    for moment in found:
        assert f"{moment['seq']:>4}  " in text
        assert moment["text"].split()[0] in text
    assert max(map(len, text.splitlines())) <= 80


def test_a_game_without_moments_says_so(turnlog: Turnlog) -> None:
    """A new game has none yet, in words or as JSON; --quiet says nothing."""
    turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bo", "--id", "g")
    assert moments(turnlog, "g") == []
    assert turnlog.ok("annotate", "g").out == "No moment stands out yet.\n"
    assert turnlog.ok("annotate", "g", "--quiet").out == ""
    assert turnlog("annotate", "other").code == 5
    assert turnlog("annotate", "g", "--as", "nobody").code == 5


def test_moments_are_found_where_todays_rules_cannot_play_on(
    turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Lead and undone lines come from the log alone; that no bot can play on from it is no fault."""
    game = game_of("power-vacuum")
    log = opened(turnlog.db)
    table = lively(log, game, ("ada", "bo", "cy"), moves=30)
    play_on(table, 30)
    table.undo(now=BEGUN)
    log.close()

    def broken(*_: Any) -> Any:
        raise KeyError("gone")

    monkeypatch.setattr(game.rules, "offers", broken)
    assert {moment["kind"] for moment in moments(turnlog, "lively")} == {"lead", "undone"}


@ONCE_A_GAME
def test_pages_and_reports_show_the_moments(game: Game, turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> None:
    """What `annotate` finds stands in the page, with a link and beneath its event, and in the report."""
    think_little(monkeypatch)
    play_lively(turnlog, game, ("ada", "bo", "cy"))
    found = moments(turnlog, "lively")
    assert found
    page = turnlog.ok("export", "lively", "--format", "html").out
    report = Report(turnlog.ok("export", "lively", "--format", "markdown").out).texts("list_item")
    for moment in found:
        assert f'<a href="#{moment["seq"]}">{moment["seq"]}</a> ' in page
        assert (
            page.count(
                moment["text"]
                .replace('"', "&quot;")
                .replace("'", "&#x27;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
            )
            == 2
        )
        assert f"Event {moment['seq']}: {flat(moment['text'])}" in report
