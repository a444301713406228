"""Whatever is handed to a parser, from the command line, a file or the environment: read, or refused in words.

Never a fault of ours; an exit code of the design; and nothing written where it was refused.
"""

import contextlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from cli.fuzzing import typed
from engines.kit.errors import Refusal
from engines.kit.notation import words_of
from engines.registry import all_games
from events.digest import ROOT
from events.model import CREATED, KINDS
from tests.conftest import Answer, Turnlog
from tests.lively_games import opened
from tests.test_foreign import forged

GAMES = [game.slug for game in all_games()]

#: Texts that have broken parsers elsewhere.
NASTY = [
    *(
        "",
        " ",
        "\t",
        "\n",
        "-",
        "--",
        "/",
        "@",
        "@@",
        "#",
        "=",
        "==",
        ":",
        '"',
        "'",
        "\\",
        "{",
        "[",
        "{}",
        "[]",
        "null",
    ),
    *(
        "0",
        "-0",
        "-1",
        "1e400",
        "nan",
        "inf",
        "9" * 19,
        "9" * 5000,
        "0x10",
        "1_000",
        "٣",
        "²",
        "+1",
        "1.0",
        "true",
    ),
    *(
        "\x00",
        "a\x00b",
        "\x1b[2J",
        "\x1b]0;x\x07",
        "\x7f",
        "\x85",
        "\u200b",
        "\u202ea\u202c",
        "\u2028",
        "\ufeff",
        "\ufffe",
    ),
    *(
        "\ud800",
        "\udcff",
        "a\udfffb",
        "\U0010ffff",
        "e\u0301" * 50,
        "👩‍👩‍👧",
        "ﬀ",
        "İ",
        "ß",
        "\r\n",
        "x" * 100_000,
    ),
    *("--json", "--db", "-p", "$(id)", "`id`", "%s%n", "'; drop table events; --", "../../etc/passwd", "[" * 2000),
]
texts = st.one_of(
    st.sampled_from(NASTY), st.text(max_size=20), st.text(st.characters(max_codepoint=0x2030), max_size=8)
)
encodable = texts.map(lambda text: text.encode("utf-8", "replace").decode())

SETTINGS = settings(
    deadline=None,
    derandomize=True,
    max_examples=40,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.data_too_large],
)


@pytest.fixture
def played(turnlog: Turnlog, monkeypatch: pytest.MonkeyPatch) -> Iterator[Turnlog]:
    """A database with a game `g` of three seats and a move, synced no more."""
    opened(turnlog.db).close()
    turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bo", "-p", "cy", "--id", "g", "--seed", "7")
    turnlog.ok("play", "g", turnlog.json("moves", "g")["moves"][0])
    monkeypatch.chdir(turnlog.db.parent)
    return turnlog


def refused_or_done(turnlog: Turnlog, words: list[str], codes: tuple[int, ...] = (2, 3, 4, 5)) -> Answer:
    """Runs a command that may be refused: in words that a terminal can show, with the file as it was."""
    before = log_of(turnlog)
    answer = Answer(*typed(words))
    assert answer.code in (0, *codes), (words, answer.err)
    if answer.code:
        assert answer.err.strip(), words
        assert answer.err.replace("\n", "").isprintable(), (words, answer.err)
        assert log_of(turnlog) == before, words
    return answer


def log_of(turnlog: Turnlog) -> list[Any]:
    """All events, with their digests."""
    log = opened(turnlog.db)
    with contextlib.closing(log):
        return list(log.select("select * from events order by rowid"))


# the command line -------------------------------------------------------------------------------------

#: Commands with a place (None) for a text that is parsed.
PLACES: list[list[str | None]] = [
    ["show", None],
    ["show", "g", "--as", None],
    ["show", "g", "--at", None],
    ["moves", "g", "--as", None],
    ["play", "g", None],
    ["play", "g", "play", None],
    ["play", "g", "--as", None, "play", "R1"],
    ["play", "g", "--expect", None, "play", "R1"],
    ["play", "g", "--request", None, "play", "R1"],
    ["play", "g", "--json", None],
    ["undo", "g", "--to", None, "--dry-run"],
    ["undo", "g", "-n", None, "--dry-run"],
    ["undo", "g", "--dry-run", "--reason", None],
    ["undo", "g", "--dry-run", "--request", None],
    ["redo", "g", "--request", None],
    ["log", None, "--as", "ada"],
    ["replay", "g", "--plain", "--from", None],
    ["replay", "g", "--plain", "--step", None],
    ["replay", "g", "--plain", "--to", None],
    ["export", "g", "--format", None],
    ["export", "g", "--as", None],
    ["diff", "g", None, "1"],
    ["diff", "g", None],
    ["fork", "g", "--id", "g", "--at", None],
    ["fork", "g", "--at", "1", "--same-chance", "--as", None],
    ["note", "g", None, "text"],
    ["note", "g", "99", None],
    ["close", "none", "--reason", None],
    ["import", None],
    ["run", None],
    ["rules", None],
    ["rules", "lairs", "--check", None],
    ["list", "--player", None],
    ["standings", None],
    ["verify", None],
    ["create", None, "-p", "ada", "--dry-run"],
    ["create", "power-vacuum", "-p", None, "-p", "bo", "--dry-run"],
    ["create", "power-vacuum", "-p", "ada", "-p", "bo", "--id", None, "--dry-run"],
    ["create", "power-vacuum", "-p", "ada", "-p", "bo", "--seed", None, "--dry-run"],
    ["create", "power-vacuum", "-p", "ada", "-p", "bo", "--undo", None, "--dry-run"],
    ["create", "power-vacuum", "-p", "ada", "-p", "bo", "-o", None, "--dry-run"],
    ["create", "power-vacuum", "-p", "ada", "-p", "bo", "--stack", None, "--dry-run"],
    ["create", "power-vacuum", "-p", "ada", "-p", "bo", "--set", None, "--dry-run"],
    ["create", "power-vacuum", "-p", "ada", "-p", "bo", "--id", "g", "--request", None],
    ["simulate", "power-vacuum", "-n", "1", "-p", None],
    ["--log-level", None, "list"],
    [None],
]


@settings(SETTINGS, max_examples=150)
@given(place=st.sampled_from(PLACES), text=texts, json=st.booleans())
def test_any_word_is_read_or_refused(played: Turnlog, place: list[str | None], text: str, json: bool) -> None:
    """A text wherever a command parses one: an id, a seat, a number, a move, a file, an option, a slug."""
    words = [text if word is None else word for word in place] + ["--json"] * json
    answer = refused_or_done(played, words)
    if json and answer.code and "--" not in words:
        assert set(answer.error) == {"code", "message", "hint"}


@SETTINGS
@given(
    name=st.sampled_from(
        ["TURNLOG_DB", "TURNLOG_TRACEBACK", "NO_COLOR", "TURNLOG_GAMES", "COLUMNS", "XDG_DATA_HOME"]
    ),
    text=texts.filter(lambda text: "\0" not in text),
)
def test_any_environment_is_read_or_refused(played: Turnlog, name: str, text: str) -> None:
    """No value of a variable is a fault of ours; a database that cannot be one is refused."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setenv(name, text if name != "TURNLOG_DB" else f"missing/{text[:50]}")
        answer = Answer(*typed(["show", "g"]))
    assert answer.code in ((2, 5) if name == "TURNLOG_DB" else (0,)), answer.err


# files ------------------------------------------------------------------------------------------------

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.sampled_from([2**63, -(2**64), 10**400])
    | st.floats()
    | encodable,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(encodable, inner, max_size=4),
    max_leaves=8,
)
contents = st.one_of(
    st.binary(max_size=60),
    encodable.map(str.encode),
    st.sampled_from(
        [
            b"\xef\xbb\xbf",
            b"\xff\xfe{\x00}\x00",
            b"\x80\x81",
            b"\r\n\r\n",
            b"{}\r\n{}\r\n",
            b"{" * 100_000,
            b'{"a":' * 50_000,
            b"[" * 100_000,
            b'{"game":"g","game":"g"}',
            b"\x00" * 1000,
            b"create power-vacuum -p ada -p bo --id h\r\nada: play R1\r\n",
            b"\xef\xbb\xbfcreate power-vacuum -p ada -p bo --id h\n",
            b"a" * 200_000,
        ]
    ),
)


@SETTINGS
@given(command=st.sampled_from(["import", "run"]), content=contents)
def test_any_file_is_taken_in_or_refused(played: Turnlog, command: str, content: bytes) -> None:
    """Any bytes as a log, a transcript or a script; what is refused whole leaves no database behind."""
    file = Path("file")
    file.write_bytes(content)
    for where in (played.db, Path("none.db")):
        there = where.exists()
        answer = Answer(*typed(["--db", str(where), command, str(file)]))
        assert answer.code in (0, 2, 3, 4, 5, 6), answer.err
        if not there:
            assert answer.code == 0 or not where.exists() or command == "run"
            for left in Path().glob("none.db*"):
                left.unlink()


heads = st.sampled_from(["", "ada: ", "1: ", "zoe: ", "undo ", "note ", "create "])
tails = st.sampled_from(["", "\r", " --to", ' "'])
lines = st.lists(
    st.one_of(
        st.sampled_from(["undo", "redo", "undo -n 1", "undo --to 1", "redo -n x", "note 1 hi", "# no", "close"]),
        st.sampled_from(['note 1 "\\ud800"', 'close "\\u0000"', "undo --reason '", "create"]),
        st.builds("{}{}{}".format, heads, encodable, tails),
    ),
    max_size=5,
)


@SETTINGS
@given(lines=lines)
def test_any_script_is_played_or_stops_with_its_line(played: Turnlog, lines: list[str]) -> None:
    """A script goes on as far as it is right; the line that stops it is named."""
    script = Path("script")
    script.write_text("\n".join(lines), encoding="utf-8", newline="")
    before = log_of(played)
    answer = Answer(*typed(["run", str(script), "--game", "g"]))
    assert answer.code in (0, 2, 3, 4, 5), answer.err
    assert log_of(played)[: len(before)] == before
    assert answer.code == 0 or "line " in answer.err or "holds no command" in answer.err


@SETTINGS
@given(
    content=st.one_of(contents, values.map(str).map(lambda t: t.encode("utf-8", "replace"))),
    slug=st.sampled_from(GAMES),
)
@example(content=b"a = " + b"[" * 5000, slug="lairs")
@example(content=b"a." * 5000 + b"b = 1", slug="power-vacuum")
@example(content=b"a = 1\na = 2\n", slug="evangelists")
@example(content=b"\xef\xbb\xbfa = 1", slug="half-lifed")
@example(content=b"a = 1" + b"0" * 5000, slug="theory-of-power")
def test_any_set_is_taken_or_refused(played: Turnlog, content: bytes, slug: str) -> None:
    """Any file as a set: no TOML, TOML bombs, and TOML that is no set."""
    Path("set").write_bytes(content)
    answer = refused_or_done(played, ["create", slug, "-p", "ada", "-p", "bo", "--set", "set", "--id", "h"])
    assert answer.code == 2


@settings(SETTINGS, max_examples=20)
@given(
    document=values,
    slug=st.sampled_from(GAMES),
    draw=st.sampled_from(["dice", "first-player", "regime-deck", "x"]),
)
def test_any_stack_is_taken_or_refused(played: Turnlog, document: Any, slug: str, draw: str) -> None:
    """Any JSON as a stack, or as the outcomes of a draw."""
    from json import dumps

    for stack in (dumps(document), dumps({draw: document}), dumps({draw: [document]})):
        Path("stack").write_text(stack, encoding="utf-8")
        refused_or_done(played, ["create", slug, "-p", "ada", "-p", "bo", "--stack", "stack", "--dry-run"])
        if stack.startswith("{"):
            refused_or_done(played, ["create", slug, "-p", "ada", "-p", "bo", "--stack", stack, "--dry-run"])


row_values = st.fixed_dictionaries(
    {},
    optional={
        "game": st.just("h") | encodable,
        "seq": st.just(1) | st.integers(),
        "at": st.just(1) | st.integers(),
        "kind": st.sampled_from(list(KINDS.values())) | encodable,
        "actor": st.just("table") | encodable,
        "schema": st.just(1001) | st.integers(),
        "request": st.none() | encodable,
        "data": values,
    },
)


@SETTINGS
@given(changes=row_values)
def test_any_forged_row_is_taken_or_refused(played: Turnlog, changes: dict[str, Any]) -> None:
    """A row of any values, its digest made for it: refused as not right, never a fault."""
    whole = {"game": "h", "seq": 1, "at": 1, "kind": CREATED, "actor": "table", "schema": 1001, "request": None}
    with contextlib.suppress(TypeError, OverflowError, UnicodeEncodeError):  # what no file can hold
        file = forged([{**whole, "data": {}, "digest": ROOT.hex(), **changes}], Path("forged"))
        refused_or_done(played, ["import", str(file)], (2, 3, 4, 6))


# moves ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_any_words_that_are_a_move_are_spelt_back(game: Any) -> None:
    """Each game's notation reads any words as a move or refuses them, and what it reads it spells to itself."""
    words = st.sampled_from([*game.grammar.verbs, *NASTY[:30], "a", "R7", "1", "to", "with", "/", "-"]) | encodable

    @settings(SETTINGS, max_examples=80)
    @given(verb=st.sampled_from(game.grammar.verbs), rest=st.lists(words, max_size=6))
    def holds(verb: str, rest: list[str]) -> None:
        try:
            move = game.grammar.parse([verb, *rest])
        except Refusal as refused:
            text = str(refused)
        else:
            text = game.grammar.spell(move)
            assert game.grammar.parse(words_of(text)) == move
        assert text.strip()

    holds()


# what was found ---------------------------------------------------------------------------------------


def test_an_empty_request_is_none(played: Turnlog) -> None:
    """An empty request id would make the next command with an empty one the same command."""
    for words in (
        ["play", "g", "--request", "", "x"],
        ["undo", "g", "--request", ""],
        ["redo", "g", "--request", ""],
    ):
        answer = refused_or_done(played, words)
        assert (answer.code, "a request id has 1 to" in answer.err) == (2, True)
    create = ["create", "lairs", "-p", "ada", "-p", "bo", "--request"]
    assert [refused_or_done(played, [*create, word]).code for word in ("", "\x1b", "x" * 201)] == [2, 2, 2]


@pytest.mark.parametrize("make", [None, b""], ids=["no-file", "an-empty-file"])
def test_where_no_game_was_created_none_is_listed(turnlog: Turnlog, make: bytes | None) -> None:
    """A file that is not there and one without anything in it are the same: no games."""
    if make is not None:
        turnlog.db.write_bytes(make)
    assert "No games yet" in turnlog.ok("list").out
    assert (turnlog.ok("list", "--json").out, turnlog.ok("list", "--quiet").out) == ("", "")


@pytest.mark.parametrize(
    ("command", "content"),
    [
        (["import", "file"], b"{}"),
        (["import", "file"], b"create power-vacuum -p ada -p bo\nada: frobnicate\n"),
        (["run", "file"], b"frobnicate\n"),
        (["run", "file"], b"create power-vacuum -p ada -p ada\n"),
        (["run", "file", "--game", "g"], b"undo\n"),
        (["create", "power-vacuum", "-p", "ada", "-p", "ada"], b""),
        (["create", "power-vacuum", "-p", "ada", "-p", "bo", "--request", ""], b""),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else None,
)
def test_what_is_refused_makes_no_database(
    turnlog: Turnlog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str], content: bytes
) -> None:
    """A file is made with its first game, not before."""
    monkeypatch.chdir(tmp_path)
    Path("file").write_bytes(content)
    assert turnlog(*command).code in (2, 3, 5, 6)
    assert not turnlog.db.exists()
