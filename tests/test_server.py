"""The server: its documents are the command line's, and both work on one file."""

import json
import re
import time
from collections.abc import Iterator
from typing import Any

import pytest
from starlette.routing import Route

from cli.server import operations
from tests.conftest import Turnlog
from tests.served import STARTER, Web, invited, serving

MATCH = {"slug": "power-vacuum", "players": ["lucia", "fritz"], "options": {"first": "lucia"}, "seed": "1"}

ASKING = "create power-vacuum -p lucia -p fritz -o first=lucia --seed 1 --id g --undo ask"


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


def test_a_request_that_comes_twice_is_done_once(turnlog: Turnlog, web: Web, game: str, lucia: str) -> None:
    """With one Idempotency-Key the first answer is given again; with it and another move, none is made."""
    card, other = turnlog.json("moves", game)["moves"][:2]
    path = f"/api/g/{game}/play"
    first = web.ok("POST", path, lucia, {"move": card}, idempotency_key="k1")
    assert web.ok("POST", path, lucia, {"move": card}, idempotency_key="k1") == first
    assert web.error("POST", path, lucia, {"move": other}, idempotency_key="k1") == (409, "request-reused")
    assert turnlog.json("play", game, card, "--as", "lucia", "--request", "k1") == first
    assert turnlog.json("show", game)["seq"] == 2


def test_a_move_on_what_has_gone_on_is_refused(turnlog: Turnlog, web: Web, game: str, lucia: str) -> None:
    """If-Match holds the ETag of what the asker saw; notes do not count."""
    seen = web("GET", f"/api/g/{game}", lucia).headers["etag"]
    turnlog.ok("note", game, 1, "a note")
    card = turnlog.json("moves", game)["moves"][0]
    assert web("GET", f"/api/g/{game}", lucia).headers["etag"] == seen
    played = web("POST", f"/api/g/{game}/play", lucia, {"move": card}, if_match=seen)
    assert played.headers["etag"] == '"3"'
    assert web.error("POST", f"/api/g/{game}/undo", lucia, {}, if_match=seen) == (412, "conflict")
    assert web.ok("POST", f"/api/g/{game}/undo", lucia, {}, if_match='"3"')["seq"] == 4


def test_a_game_that_is_started_twice_with_one_key_is_one(turnlog: Turnlog, web: Web) -> None:
    """Its tokens, which nobody knows any more, are made anew; a key that could be guessed is not taken."""
    made = [web.ok("POST", "/api/g", STARTER, MATCH, idempotency_key="a-key-of-16-signs") for _ in range(2)]
    assert made[0]["game"] == made[1]["game"]
    assert [row["game"] for row in turnlog.ok("list", "--json").lines] == [made[0]["game"]]
    for one in made:
        assert web.ok("GET", f"/api/g/{one['game']}", one["tokens"]["seats"]["fritz"])["as"] == "fritz"
    assert web.error("POST", "/api/g", STARTER, MATCH, idempotency_key="short") == (400, "bad-setup")
    changed = MATCH | {"undo": "off"}
    again = web.error("POST", "/api/g", STARTER, changed, idempotency_key="a-key-of-16-signs")
    assert again == (409, "request-reused")


def test_a_dry_run_writes_nothing(turnlog: Turnlog, web: Web, game: str, lucia: str) -> None:
    """It tells what the command tells."""
    card = turnlog.json("moves", game)["moves"][0]
    told = web.ok("POST", f"/api/g/{game}/play", lucia, {"move": card, "dry_run": True})
    assert told == turnlog.json("play", game, card, "--dry-run")
    assert turnlog.json("show", game)["seq"] == 1


def test_a_seat_resigns_and_an_owner_abandons(turnlog: Turnlog, web: Web, game: str, lucia: str) -> None:
    """As `close` does with and without a seat."""
    owner = invited(turnlog, game, "owner")
    assert web.error("POST", f"/api/g/{game}/close", owner, {}) == (403, "no-right")
    assert web.error("POST", f"/api/g/{game}/close", lucia, {"abandon": True}) == (403, "no-right")
    closed = web.ok("POST", f"/api/g/{game}/close", owner, {"abandon": True, "reason": "rain"})
    assert closed["result"]["reason"] == "abandoned: rain"
    assert web.error("POST", f"/api/g/{game}/close", lucia, {}) == (422, "refusal")


def test_an_answer_in_words_is_what_a_command_prints(turnlog: Turnlog, web: Web, game: str, lucia: str) -> None:
    """`Accept: text/plain`, short with quiet=1, coloured with colour=1; what is wrong is a document always."""

    def said(method: str, path: str, body: Any = None, how: str = "") -> str:
        answer = web(method, f"/api/g/{game}{path}", lucia, body, accept=f"text/plain{how}")
        assert answer.headers["content-type"] == "text/plain; charset=utf-8"
        return answer.text

    eyes = (game, "--as", "lucia")
    assert said("GET", "") == turnlog.ok("show", *eyes).out
    assert said("GET", "?at=1", how=";quiet=1") == turnlog.ok("show", *eyes, "--at", 1, "-q").out
    assert said("GET", "/moves") == turnlog.ok("moves", *eyes).out
    walked = web.ok("GET", f"/api/g/{game}/replay?words=plain", lucia)
    assert "".join(f"{one['words']}\n" for one in walked) == turnlog.ok("replay", *eyes, "--plain").out
    assert "\x1b[" in said("GET", "", how="; colour=1")
    card, *_ = turnlog.json("moves", *eyes)["moves"]
    dry = said("POST", "/play", {"move": card, "dry_run": True})
    assert dry == turnlog.ok("play", game, card, "--dry-run").out
    played = web("POST", f"/api/g/{game}/play", lucia, {"move": card}, accept="text/plain", idempotency_key="k")
    assert played.text == turnlog.ok("play", game, card, "--as", "lucia", "--request", "k").out
    assert said("GET", "/moves") == turnlog.ok("moves", *eyes).out
    answer = web("POST", f"/api/g/{game}/play", lucia, {"move": card}, accept="text/plain")
    assert (answer.status_code, answer.json()["error"]["code"]) == (422, "not-yours")


def test_a_takeback_is_asked_for_and_agreed_to(turnlog: Turnlog, web: Web) -> None:
    """Under the policy ask: the request is in the documents, each answer is one of the command's."""
    turnlog.ok(*ASKING.split())
    lucia, fritz = (invited(turnlog, "g", who) for who in ("lucia", "fritz"))
    card = web.ok("GET", "/api/g/g/moves", lucia)["moves"][0]
    web.ok("POST", "/api/g/g/play", lucia, {"move": card})
    for answer, state in (({"refuse": True}, "refused"), ({}, "granted")):
        asked = web.ok("POST", "/api/g/g/undo", lucia, {"reason": "slip"})
        assert (asked["events"], asked["takeback"]["state"]) == ([], "asked")
        assert web.ok("GET", "/api/g/g", fritz)["takeback"]["moves"] == [{"seq": 2, "seat": "lucia", "move": card}]
        assert web.error("POST", "/api/g/g/agree", fritz, {"refuse": True, "withdraw": True})[0] == 400
        answered = web.ok("POST", "/api/g/g/agree", fritz, answer, idempotency_key=state)
        assert answered["takeback"]["state"] == state
        assert web.ok("POST", "/api/g/g/agree", fritz, answer, idempotency_key=state) == answered
    assert turnlog.json("show", "g")["to_move"] == ["lucia"]
    web.ok("POST", "/api/g/g/play", lucia, {"move": card})
    web.ok("POST", "/api/g/g/undo", lucia, {})
    assert web.ok("POST", "/api/g/g/agree", lucia, {"withdraw": True})["takeback"]["state"] == "withdrawn"


def test_a_seat_leaves_orders_and_is_told_of_news(turnlog: Turnlog, web: Web, game: str, lucia: str) -> None:
    """As `orders` and `notify` do; orders are nobody else's to see, and a webhook leads to the internet."""
    fritz = invited(turnlog, game, "fritz")
    card = turnlog.json("show", game, "--as", "fritz")["view"]["hand"][0]
    left = web.ok("POST", f"/api/g/{game}/orders", fritz, {"move": f"play {card} if legal"})
    assert left == turnlog.json("orders", game, "--as", "fritz")
    assert left["orders"] == [{"number": 1, "move": f"play {card}", "dropped": None}]
    assert web.ok("GET", f"/api/g/{game}/orders", lucia)["orders"] == []
    assert web.error("POST", f"/api/g/{game}/orders", lucia, {"move": "play Y1"}) == (422, "refusal")
    assert web.ok("POST", f"/api/g/{game}/orders/drop", fritz, {"number": 1})["orders"] == []
    assert web.error("POST", f"/api/g/{game}/orders/drop", fritz, {"number": 1}) == (400, "bad-setup")
    path = f"/api/g/{game}/notices"
    assert web.error("PUT", path, fritz, {"webhook": "http://127.0.0.1/"}) == (400, "bad-setup")
    told = web.ok("PUT", path, fritz, {"webhook": "https://example.org/turns"})
    assert len(told.pop("secret")) == 32
    assert told == web.ok("GET", path, fritz) == turnlog.json("notify", game, "fritz")
    assert web.ok("PUT", path, fritz, {"webhook": None})["means"] is None


def test_the_server_acts_on_time(turnlog: Turnlog) -> None:
    """For a seat whose time is out, as `tick` does for a file, and those who watch are told."""
    clock = [1_700_000_000_000_000]
    with serving(turnlog.db, clock=lambda: clock[0]) as web:
        made = web.ok("POST", "/api/g", STARTER, MATCH | {"pace": "10m", "on_timeout": "bot"})
        path, token = f"/api/g/{made['game']}", made["tokens"]["spectator"]
        shown = web.ok("GET", path, token)["clock"]
        assert shown["deadlines"] == [{"seat": "lucia", "due": "2023-11-14T22:23:20.000Z", "seconds_left": 600}]
        clock[0] += 601_000_000
        assert web.ok("GET", "/api/g", token)[0]["overdue"] == ["lucia"]
        while web.ok("GET", path, token)["to_move"] == ["lucia"]:
            time.sleep(0.05)
        [*_, moved] = web.ok("GET", f"{path}/log", token)
        assert moved["remark"].startswith("lucia's time ran out")


def test_a_token_says_what_it_is_for(turnlog: Turnlog, web: Web, game: str, lucia: str) -> None:
    """A seat by name and number, a spectator, one that starts games."""
    assert web.ok("GET", "/api/who", lucia) == {"game": game, "for": "lucia", "seat": 1}
    spectator = invited(turnlog, game, "spectator")
    assert web.ok("GET", "/api/who", spectator) == {"game": game, "for": "spectator", "seat": None}
    assert web.ok("GET", "/api/who", STARTER) == {"game": None, "for": "server", "seat": None}


def test_standings_count_public_games_only(turnlog: Turnlog, web: Web) -> None:
    """What anybody may ask for tells nothing of other games."""
    words = "create half-lifed -p ada -p bot:random --seed 3 --id"
    for game in ("open", "shut"):
        turnlog.ok(*words.split(), game, *(["--public"] if game == "open" else []))
        while moves := turnlog.json("moves", game, "--as", "ada")["moves"]:
            turnlog.ok("play", game, moves[0], "--as", "ada")
    assert [row["games"] for row in turnlog.json("standings")] == [2, 2]
    assert [row["games"] for row in web.ok("GET", "/api/standings")] == [1, 1]
    assert web.ok("GET", "/api/standings?slug=lairs") == []
    assert web.error("GET", "/api/standings?slug=none") == (404, "no-such-slug")


def test_a_list_comes_in_pages(turnlog: Turnlog, web: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    """So do a log and a replay: each goes on behind what was had."""
    monkeypatch.setattr(operations, "PAGE", 2)
    for number in range(3):
        turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bot:random", "--id", f"p{number}", "--public")
    pages = [web.ok("GET", f"/api/g?offset={offset}") for offset in (0, 2)]
    assert [len(page) for page in pages] == [2, 1]
    assert pages[0] + pages[1] == turnlog.ok("list", "--json").lines
    turnlog.play("p0", turnlog.json("moves", "p0")["moves"][0])
    whole = turnlog.ok("log", "p0", "--json").lines
    assert web.ok("GET", "/api/g/p0/log") == whole[:2]
    assert web.ok("GET", "/api/g/p0/log?after=2") == whole[2:4]
    steps = turnlog.ok("replay", "p0", "--json").lines
    assert web.ok("GET", "/api/g/p0/replay?from=2") == steps[1:3]


# the description --------------------------------------------------------------------------------------


def test_the_description_is_of_what_there_is(web: Web) -> None:
    """Each route of the interface is in the OpenAPI document, and each of that is a route."""
    described = web.ok("GET", "/openapi.json")
    found = {(method.upper(), path) for path, methods in described["paths"].items() for method in methods}
    routes: Any = web.client.app.routes  # pyright: ignore[reportFunctionMemberAccess]
    there = {
        (method, route.path)
        for route in routes
        if isinstance(route, Route) and route.path.startswith("/api/")
        for method in (route.methods or set()) - {"HEAD"}
    }
    assert found == there


def test_every_reference_of_the_description_leads_somewhere(web: Web) -> None:
    """It stands alone, and every operation tells its errors."""
    described = web.ok("GET", "/openapi.json")
    references = set(re.findall(r'"#/components/schemas/([^"]+)"', json.dumps(described)))
    assert references <= set(described["components"]["schemas"])
    operations = [one for methods in described["paths"].values() for one in methods.values()]
    assert len({one["operationId"] for one in operations}) == len(operations)
    assert all({"400", "429", "500"} <= set(one["responses"]) for one in operations)
