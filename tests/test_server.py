"""The server: its documents are the command line's, and both work on one file."""

from collections.abc import Iterator

import pytest

from tests.conftest import Turnlog
from tests.served import STARTER, Web, invited, serving

MATCH = {"slug": "power-vacuum", "players": ["lucia", "fritz"], "options": {"first": "lucia"}, "seed": "1"}


@pytest.fixture
def web(turnlog: Turnlog) -> Iterator[Web]:
    """A server on the database of the command line."""
    with serving(turnlog.db) as web:
        yield web


@pytest.fixture
def game(turnlog: Turnlog, web: Web) -> str:
    """A game of lucia, who is to move, and fritz."""
    turnlog.ok(
        "create", "power-vacuum", "-p", "lucia", "-p", "fritz", "-o", "first=lucia", "--seed", "1", "--id", "g1"
    )
    return "g1"


@pytest.fixture
def lucia(turnlog: Turnlog, game: str) -> str:
    """Lucia's token."""
    return invited(turnlog, game, "lucia")


def test_documents_are_those_of_the_command_line(turnlog: Turnlog, web: Web, game: str, lucia: str) -> None:
    """`show`, `moves`, `log`, `replay`, `notes`, `games`, `rules` answer over HTTP what they print with --json."""
    turnlog.ok("note", game, 1, "a deal like any other")
    card = web.ok("GET", f"/api/g/{game}/moves", lucia)["moves"][0]
    web.ok("POST", f"/api/g/{game}/play", lucia, {"move": card})
    eyes = ("--as", "lucia")
    assert web.ok("GET", f"/api/g/{game}", lucia) == turnlog.json("show", game, *eyes)
    assert web.ok("GET", f"/api/g/{game}?at=1", lucia) == turnlog.json("show", game, *eyes, "--at", 1)
    assert web.ok("GET", f"/api/g/{game}?as=spectator", lucia) == turnlog.json("show", game)
    assert web.ok("GET", f"/api/g/{game}/moves?at=1", lucia) == turnlog.json("moves", game, *eyes, "--at", 1)
    assert web.ok("GET", f"/api/g/{game}/log", lucia) == turnlog.ok("log", game, *eyes, "--json").lines
    assert (
        web.ok("GET", f"/api/g/{game}/replay?from=2", lucia)
        == turnlog.ok("replay", game, *eyes, "--from", 2, "--json").lines
    )
    assert web.ok("GET", f"/api/g/{game}/notes", lucia) == turnlog.json("notes", game)
    assert web.ok("GET", "/api/g", lucia) == turnlog.ok("list", "--json").lines
    assert web.ok("GET", "/api/games") == turnlog.json("games")
    assert web.ok("GET", "/api/games/lairs") == turnlog.json("rules", "lairs")
    for form in ("html", "markdown", "jsonl"):
        out = turnlog.ok("export", game, "--format", form, *eyes).out
        assert web("GET", f"/api/g/{game}/export?format={form}", lucia).text == out


def test_what_is_played_over_http_is_played_in_the_file(turnlog: Turnlog, web: Web, game: str, lucia: str) -> None:
    """A move, an undo and a redo answer as the commands do, and commands go on from there."""
    card = turnlog.json("moves", game)["moves"][0]
    played = web.ok("POST", f"/api/g/{game}/play", lucia, {"move": card.split()})
    assert (played["seq"], played["to_move"], played["events"][0]["move"]) == (2, ["fritz"], card)
    turnlog.play(game, turnlog.json("moves", game)["moves"][0])
    assert web.ok("POST", f"/api/g/{game}/undo", lucia, {"n": 2, "reason": "slip"})["to_move"] == ["lucia"]
    assert turnlog.json("redo", game)["seq"] == 5
    turnlog.ok("verify", game)


def test_a_game_is_started_with_tokens_for_all(turnlog: Turnlog, web: Web) -> None:
    """Its creator gets a token for the owner, for spectators and for each seat that a person plays."""
    made = web.ok("POST", "/api/g", STARTER, {**MATCH, "players": ["lucia", "bot:greedy"]})
    game, tokens = made["game"], made["tokens"]
    assert list(tokens["seats"]) == ["lucia"]
    seats = {who: web.ok("GET", f"/api/g/{game}", tokens[who])["as"] for who in ("owner", "spectator")}
    assert seats == {"owner": "spectator", "spectator": "spectator"}
    assert web.ok("GET", f"/api/g/{game}", tokens["seats"]["lucia"])["as"] == "lucia"
    assert turnlog.json("show", game)["seats"] == ["lucia", "bot:greedy"]
