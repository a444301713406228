"""Who may do what on the server: every role asks for everything."""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from typing import Any

import httpx2
import msgspec
import pytest
from httpx2 import Response

from cli.server.operations import OPERATIONS
from tests.conftest import ON_BOTH, Turnlog
from tests.served import STARTER, Thread, Web, invited, serving

ROLES = ("nobody", "wrong", "starter", "other game", "spectator", "seat", "owner")
READERS = {"spectator", "seat", "owner"}
EVERYBODY = {*ROLES} - {"wrong"}

#: Which roles may; what they send.
RIGHTS: dict[str, tuple[set[str], Any]] = {
    "games": ({*ROLES}, None),
    "rules": ({*ROLES}, None),
    "standings": ({*ROLES}, None),
    "list_games": (EVERYBODY, None),
    "create": ({"starter"}, {"slug": "power-vacuum", "players": ["a", "b"]}),
    "who": (EVERYBODY - {"nobody"}, None),
    "join": (READERS | {"other game"}, None),
    "show": (READERS, None),
    "moves": (READERS, None),
    "complete": (READERS, None),
    "log": (READERS, None),
    "replay": (READERS, None),
    "notes": (READERS, None),
    "export": (READERS, None),
    "play": ({"seat"}, {"move": "?"}),
    "undo": ({"seat"}, {}),
    "redo": ({"seat"}, {}),
    "agree": ({"seat"}, {}),
    "orders": ({"seat"}, None),
    "order": ({"seat"}, {"move": "play Y1"}),
    "drop_order": ({"seat"}, {"number": 1}),
    "notice": ({"seat"}, None),
    "notify": ({"seat"}, {"webhook": None}),
    "note": ({"seat", "owner"}, {"about": 1, "text": "so it begins"}),
    "tokens": ({"owner"}, None),
    "invite": ({"owner"}, {"for": "fritz"}),
    "uninvite": ({"owner"}, {"for": "fritz"}),
    "open_seats": (EVERYBODY, None),
    "offer": ({"owner"}, {"for": "fritz"}),
    "take": (READERS, {"for": "fritz"}),
    "publish": ({"owner"}, {"public": False}),
    "close": ({"seat"}, {"reason": "enough"}),
}


@pytest.fixture
def web(turnlog: Turnlog) -> Iterator[Web]:
    """A server with games g1 and g2; lucia is to move in g1."""
    for game in ("g1", "g2"):
        turnlog.ok(*f"create power-vacuum -p lucia -p fritz -o first=lucia --seed 1 --id {game}".split())
    with serving(turnlog.place) as web:
        yield web


def token_of(turnlog: Turnlog, role: str) -> str | None:
    """The token that somebody in a role has."""
    if role == "other game":
        return invited(turnlog, "g2", "lucia")
    if role in READERS:
        return invited(turnlog, "g1", "lucia" if role == "seat" else role)
    return {"nobody": None, "wrong": "x" * 43, "starter": STARTER}[role]


def answers(web: Web, token: str | None, move: str) -> Iterator[tuple[Any, Response]]:
    """Every operation, with what is answered to one who asks for it in game g1."""
    for operation in sorted(OPERATIONS, key=lambda one: list(RIGHTS).index(one.name)):
        body = RIGHTS[operation.name][1]
        body = {"move": move} if operation.name == "play" else body
        path = operation.path.replace("{game}", "g1").replace("{slug}", "lairs")
        yield operation, web(operation.method, path, token, body)


@pytest.mark.parametrize("role", ROLES)
def test_a_role_may_do_what_it_may_and_nothing_else(turnlog: Turnlog, web: Web, role: str) -> None:
    """What is answered has the shape that the OpenAPI document says; without a right to a game there is none."""
    token = token_of(turnlog, role)
    move = turnlog.json("moves", "g1")["moves"][0]
    for operation, answer in answers(web, token, move):
        if role in RIGHTS[operation.name][0]:
            if operation.name == "agree":  # it may; nobody has asked for anything
                assert (answer.status_code, answer.json()["error"]["code"]) == (422, "refusal")
                continue
            if operation.name == "take" and role != "owner":  # only the owner has opened one
                assert (answer.status_code, answer.json()["error"]["code"]) == (409, "seat-taken")
                continue
            assert answer.status_code == operation.status, f"{operation.name}: {answer.text}"
            if operation.answer is not str:
                msgspec.convert(answer.json(), operation.answer)
            continue
        hidden = role in ("nobody", "starter", "other game") and operation.path.startswith("/api/g/{game}")
        expected = 401 if role == "wrong" else 404 if hidden else 403
        assert answer.status_code == expected, f"{operation.name}: {answer.text}"
        if expected == 404:
            other = web(
                operation.method, operation.path.replace("{game}", "none"), token, answer_body(operation, move)
            )
            assert answer.text == other.text.replace("none", "g1"), "a private game is as one that is not there"
        if expected == 401:
            assert answer.headers["www-authenticate"] == "Bearer"
    allowed = {"wrong": 401}.get(role, 200 if role in READERS else 404)
    assert web("HEAD", "/api/g/g1/events", token).status_code == allowed


def answer_body(operation: Any, move: str) -> Any:
    """What is sent for an operation."""
    return {"move": move} if operation.name == "play" else RIGHTS[operation.name][1]


def test_anybody_watches_a_public_game_as_a_spectator(turnlog: Turnlog, web: Web) -> None:
    """And nothing more; it is listed and counted for all, and a private one is not."""
    turnlog.ok(*["create", "power-vacuum", "-p", "ada", "-p", "bo", "--id", "g3", "--public"])
    assert web.ok("GET", "/api/g/g3")["as"] == "spectator"
    assert web.ok("GET", "/api/g/g3/moves")["moves"] == []
    assert [row["game"] for row in web.ok("GET", "/api/g")] == ["g3"]
    for eyes in ("ada", "1", "referee"):
        assert web.error("GET", f"/api/g/g3?as={eyes}") == (403, "no-right")
    assert web.error("POST", "/api/g/g3/play", None, {"move": "play Y1"}) == (403, "no-right")
    turnlog.ok("invite", "g3", "--private")
    assert web.error("GET", "/api/g/g3") == (404, "no-such-game")
    mine = invited(turnlog, "g3", "ada")
    assert [row["game"] for row in web.ok("GET", "/api/g", mine)] == ["g3"]


def test_other_eyes_are_lent_when_the_game_is_over(turnlog: Turnlog, web: Web) -> None:
    """While a game goes on a seat sees as itself or as a spectator; afterwards as a referee, too."""
    lucia, owner = (invited(turnlog, "g1", who) for who in ("lucia", "owner"))
    for route in ("", "/log", "/replay", "/moves", "/export", "/notes"):
        for token, eyes in ((lucia, "fritz"), (lucia, "referee"), (owner, "referee"), (owner, "lucia")):
            assert web.error("GET", f"/api/g/g1{route}?as={eyes}", token) == (403, "no-right")
        assert web("HEAD", "/api/g/g1/events?as=referee", lucia).status_code == 403
    assert web.error("GET", "/api/g/g1/export?format=transcript", lucia) == (400, "bad-setup")
    web.ok("POST", "/api/g/g1/close", lucia, {"reason": "late"})
    assert web.ok("GET", "/api/g/g1?as=referee", lucia) == turnlog.json("show", "g1", "--as", "referee")
    assert (
        web("GET", "/api/g/g1/export?format=transcript&as=referee", owner).text
        == turnlog.ok("export", "g1", "--format", "transcript").out
    )


def test_a_fork_never_opens_the_game_that_it_came_from(turnlog: Turnlog, web: Web) -> None:
    """It knows what is hidden there, so that its end opens nothing."""
    turnlog.ok("fork", "g1", "--same-chance", "--id", "g4")
    turnlog.ok("close", "g4")
    for who in ("lucia", "owner"):
        assert web.error("GET", "/api/g/g4/log?as=referee", invited(turnlog, "g4", who)) == (403, "no-right")


# tokens -----------------------------------------------------------------------------------------------


def test_a_token_is_told_once_and_kept_as_a_digest(turnlog: Turnlog, web: Web) -> None:
    """Neither the database nor its side files hold it; it is long and random; its use is written down."""
    tokens = [invited(turnlog, "g1", "lucia") for _ in range(3)]
    assert len({*tokens}) == 3
    assert all(len(token) >= 43 for token in tokens)
    web.ok("GET", "/api/g/g1", tokens[0])
    kept = b"".join(path.read_bytes() for path in turnlog.db.parent.glob("games.db*"))
    assert not any(token.encode() in kept for token in tokens)
    listed = turnlog.json("invite", "g1", "--list")["tokens"]
    assert [token["for"] for token in listed] == ["lucia"] * 3
    assert [token["used"] is None for token in listed] == [False, True, True]
    assert "lucia" in turnlog.ok("invite", "g1", "--list").out


def test_a_revoked_token_is_taken_no_more(turnlog: Turnlog, web: Web) -> None:
    """By the command and by the owner over HTTP alike; those of others stay good."""
    lucia, fritz, owner = (invited(turnlog, "g1", who) for who in ("lucia", "fritz", "owner"))
    assert turnlog.json("invite", "g1", "lucia", "--revoke")["revoked"] == 1
    assert web.error("GET", "/api/g/g1", lucia) == (401, "wrong-token")
    assert web.ok("POST", "/api/g/g1/tokens/revoke", owner, {"for": "2"})["revoked"] == 1
    assert web.error("GET", "/api/g/g1", fritz) == (401, "wrong-token")
    again = web.ok("POST", "/api/g/g1/tokens", owner, {"for": "fritz"})
    assert again["link"] == f"http://testserver/join#{again['token']}"
    assert web.ok("GET", "/api/g/g1", again["token"])["as"] == "fritz"


def test_tokens_that_start_games(turnlog: Turnlog, web: Web) -> None:
    """They are made by the command, start games and do nothing else; revoked, not even that."""
    starter = turnlog.ok("invite", "--starter", "--quiet").out.strip()
    game = web.ok("POST", "/api/g", starter, {"slug": "power-vacuum", "players": ["a", "b"]})["game"]
    assert web.error("GET", f"/api/g/{game}", starter) == (404, "no-such-game")
    turnlog.ok("invite", "--starter", "--revoke")
    assert web.error("POST", "/api/g", starter, {"slug": "power-vacuum", "players": ["a", "b"]}) == (
        401,
        "wrong-token",
    )
    with serving(turnlog.db, open_=True) as open_web:
        assert open_web("POST", "/api/g", None, {"slug": "power-vacuum", "players": ["a", "b"]}).status_code == 201


@pytest.mark.parametrize(
    ("words", "code"),
    [
        ("invite g1 --open", 2),
        ("invite g1 lucia --open --revoke", 2),
        ("invite g1", 2),
        ("invite", 2),
        ("invite g1 --revoke", 2),
        ("invite g1 lucia --list", 2),
        ("invite g1 lucia --starter", 2),
        ("invite g1 nobody", 5),
        ("invite none lucia", 5),
        ("invite g5 bot:random", 2),
    ],
)
def test_invitations_that_make_no_sense(turnlog: Turnlog, web: Web, words: str, code: int) -> None:
    """They are refused, with what can be said instead."""
    turnlog.ok(*["create", "power-vacuum", "-p", "ada", "-p", "bot:random", "--id", "g5"])
    answer = turnlog(*words.split(), "--json")
    assert answer.code == code
    assert answer.error["message"]


# open seats -------------------------------------------------------------------------------------------


@ON_BOTH
def test_an_open_seat_is_taken_once(turnlog: Turnlog, web: Web) -> None:
    """By whoever is first, with a token of their own as a cookie; those that nobody used are void, then."""
    unused = invited(turnlog, "g1", "fritz")
    assert turnlog.json("invite", "g1", "fritz", "--open") == {"game": "g1", "seat": "fritz", "open": True}
    (seat,) = web.ok("GET", "/api/seats")
    assert seat == {"game": "g1", "slug": "power-vacuum", "seats": ["lucia", "fritz"], "seat": "fritz"}
    assert web.error("POST", "/api/g/g1/seats", None, {"for": "lucia"}) == (409, "seat-taken")
    assert web.error("POST", "/api/g/g2/seats", None, {"for": "fritz"}) == (404, "no-such-game")
    assert web.ok("POST", "/api/g/g1/seats", None, {"for": "fritz"}) == {"game": "g1", "for": "fritz"}
    assert web.ok("GET", "/api/g/g1")["as"] == "fritz"
    web.client.cookies.clear()
    assert web.error("POST", "/api/g/g1/seats", None, {"for": "fritz"}) == (404, "no-such-game")
    assert web.ok("GET", "/api/seats") == []
    assert web.error("GET", "/api/g/g1", unused) == (401, "wrong-token")
    assert turnlog("invite", "g1", "fritz", "--open").code == 3


@ON_BOTH
def test_two_who_click_at_once(turnlog: Turnlog, web: Web) -> None:
    """Of many who ask for a seat at the same time one gets it."""
    turnlog.ok("invite", "g1", "fritz", "--open")
    turnlog.ok("invite", "g1", "--public")

    def sit_down(_: int) -> int:
        return httpx2.post(f"{url}/api/g/g1/seats", json={"for": "fritz"}).status_code

    with Thread(turnlog.place) as url, ThreadPoolExecutor(8) as pool:
        statuses = list(pool.map(sit_down, range(8)))
    assert sorted(statuses) == [200] + [409] * 7


@ON_BOTH
def test_a_seat_where_somebody_sits_is_not_given_away(turnlog: Turnlog, web: Web) -> None:
    """Neither opened, nor taken where they sat down after it was opened; shut it is not open; a bot's never is."""
    owner, lucia, fritz = (invited(turnlog, "g1", who) for who in ("owner", "lucia", "fritz"))
    web.ok("GET", "/api/g/g1", lucia)
    assert web.error("PUT", "/api/g/g1/seats", owner, {"for": "lucia"}) == (409, "seat-taken")
    web.ok("PUT", "/api/g/g1/seats", owner, {"for": "fritz"})
    assert len(web.ok("GET", "/api/seats")) == 1
    web.ok("GET", "/api/who", fritz)  # as `login` asks
    assert web.ok("GET", "/api/seats") == []
    assert web.error("POST", "/api/g/g1/seats", None, {"for": "fritz"}) == (404, "no-such-game")
    assert web.error("POST", "/api/g/g1/seats", lucia, {"for": "fritz"}) == (409, "seat-taken")
    assert web.ok("GET", "/api/g/g1", fritz)["as"] == "fritz"
    assert web.ok("PUT", "/api/g/g1/seats", owner, {"for": "fritz", "open": False})["open"] is False
    assert web.ok("GET", "/api/seats") == []
    turnlog.ok("invite", "g2", "fritz", "--open")
    turnlog.ok("invite", "g2", "fritz", "--revoke")
    assert web.ok("GET", "/api/seats") == []
    assert web.error("PUT", "/api/g/g1/seats", owner, {"for": "spectator"}) == (400, "bad-setup")
    turnlog.ok("close", "g2")
    assert turnlog("invite", "g2", "fritz", "--open").code == 2


@pytest.mark.parametrize("use", ["who", "join", "events"])
def test_whatever_a_token_is_used_for_counts(turnlog: Turnlog, web: Web, use: str) -> None:
    """Who has only asked what it is for, joined in a browser or begun to follow sits there."""
    owner, lucia = (invited(turnlog, "g1", who) for who in ("owner", "lucia"))
    method, path = {
        "who": ("GET", "/api/who"),
        "join": ("POST", "/api/join"),
        "events": ("HEAD", "/api/g/g1/events"),
    }[use]
    assert web(method, path, lucia).is_success
    assert web.error("PUT", "/api/g/g1/seats", owner, {"for": "lucia"}) == (409, "seat-taken")


def test_an_end_that_opened_everything_is_not_taken_back(turnlog: Turnlog, web: Web) -> None:
    """Else the game would go on with all that was hidden known; a lost answer to an earlier undo is told still."""
    lucia, fritz = (invited(turnlog, "g1", who) for who in ("lucia", "fritz"))
    card = turnlog.json("moves", "g1")["moves"][0]
    web.ok("POST", "/api/g/g1/play", lucia, {"move": card})
    undone = web.ok("POST", "/api/g/g1/undo", lucia, {}, idempotency_key="k")
    while shown := web.ok("GET", "/api/g/g1", lucia)["to_move"]:
        mover = lucia if shown == ["lucia"] else fritz
        web.ok("POST", "/api/g/g1/play", mover, {"move": web.ok("GET", "/api/g/g1/moves", mover)["moves"][0]})
    assert web.ok("GET", "/api/g/g1?as=referee", lucia)["as"] == "referee"
    assert web.error("POST", "/api/g/g1/undo", lucia, {}) == (422, "refusal")
    assert web.ok("POST", "/api/g/g1/undo", lucia, {}, idempotency_key="k")["events"] == undone["events"]


# browsers ---------------------------------------------------------------------------------------------


def test_a_browser_keeps_its_tokens_in_cookies_that_no_script_reads(turnlog: Turnlog, web: Web) -> None:
    """A seat and the owner's part of a game in one browser; other games stay what they were."""
    seat, owner = invited(turnlog, "g1", "lucia"), invited(turnlog, "g1", "owner")
    cookie = web("POST", "/api/join", seat).headers["set-cookie"].lower()
    assert all(word in cookie for word in ("httponly", "samesite=strict", "path=/"))
    assert web.ok("GET", "/api/g/g1")["as"] == "lucia"
    assert web.error("GET", "/api/g/g1/tokens") == (403, "no-right")
    assert web.ok("POST", "/api/join", owner) == {"game": "g1", "for": "owner"}
    assert web.ok("GET", "/api/g/g1/tokens")["tokens"]
    assert web.ok("GET", "/api/g/g1")["as"] == "lucia"
    assert web.error("GET", "/api/g/g2") == (404, "no-such-game")
    assert [row["game"] for row in web.ok("GET", "/api/g")] == ["g1"]
    turnlog.ok("invite", "g1", "lucia", "--revoke")
    assert web.ok("GET", "/api/g/g1")["as"] == "spectator"


def test_several_people_may_sit_at_one_browser(turnlog: Turnlog, web: Web) -> None:
    """Each seat has a cookie of its own; which one acts is said by a header, and it cannot be another one's."""
    for who in ("lucia", "fritz"):
        web.ok("POST", "/api/join", invited(turnlog, "g1", who))
    move = turnlog.json("moves", "g1")["moves"][0]
    ours = {"sec_fetch_site": "same-origin"}
    assert [web.ok("GET", f"/api/g/g1?as={who}")["as"] for who in ("lucia", "fritz")] == ["lucia", "fritz"]
    assert web.error("POST", "/api/g/g1/play", None, {"move": move}, turnlog_seat="2", **ours)[0] == 422
    assert web.ok("POST", "/api/g/g1/play", None, {"move": move}, turnlog_seat="1", **ours)["game"] == "g1"
    turnlog.ok("invite", "g1", "fritz", "--revoke")
    assert web.error("GET", "/api/g/g1?as=fritz") == (403, "no-right")
    assert web.error("POST", "/api/g/g1/undo", None, {}, turnlog_seat="2", **ours) == (403, "no-right")


@pytest.mark.parametrize("role", ROLES)
def test_who_sees_which_page(turnlog: Turnlog, web: Web, role: str) -> None:
    """Whoever may watch a game sees its page, with the eyes that the API lends; to others there is none."""
    token = token_of(turnlog, role)
    sent = {"authorization": f"Bearer {token}"} if token else {}
    status = 401 if role == "wrong" else 200 if role in READERS else 404
    for path in ("/g/g1", "/g/g1/live"):
        answer = web.client.get(path, headers=sent)
        assert answer.status_code == status
        assert ("Y1" in answer.text or "Your hand" in answer.text) == (role == "seat")
        assert web.client.get(f"{path}?as=fritz", headers=sent).status_code == (403 if status == 200 else status)
    assert web.client.get("/", headers=sent).status_code == (401 if role == "wrong" else 200)
    other = web.client.get("/g/none", headers=sent)
    assert role in READERS or web.client.get("/g/g1", headers=sent).text == other.text.replace("none", "g1")


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 403),
        ({"origin": "http://evil.example"}, 403),
        ({"origin": "null"}, 403),
        ({"sec_fetch_site": "cross-site"}, 403),
        ({"sec_fetch_site": "same-site", "origin": "http://testserver"}, 403),
        ({"origin": "http://testserver"}, 200),
        ({"sec_fetch_site": "same-origin"}, 200),
    ],
)
def test_another_sites_page_cannot_use_a_cookie(
    turnlog: Turnlog, web: Web, headers: dict[str, str], status: int
) -> None:
    """What changes a game by a cookie comes from a page of ours."""
    web.ok("POST", "/api/join", invited(turnlog, "g1", "lucia"))
    answer = web("POST", "/api/g/g1/notes", None, {"about": 1, "text": "hm"}, **headers)
    assert answer.status_code == status


def test_tokens_of_long_ago_are_noted_as_used_again(turnlog: Turnlog, web: Web) -> None:
    """That a token was used is written down again after an hour, not at each request."""
    token = invited(turnlog, "g1", "lucia")

    def used() -> str:
        return turnlog.json("invite", "g1", "--list")["tokens"][0]["used"]

    web.ok("GET", "/api/g/g1", token)
    first = used()
    web.ok("GET", "/api/g/g1", token)
    assert used() == first
    with serving(turnlog.db, clock=lambda: time.time_ns() // 1000 + 2 * 3_600_000_000) as later:
        later.ok("GET", "/api/g/g1", token)
    assert used() > first


def test_a_database_of_an_older_schema_is_brought_up_to_date(turnlog: Turnlog) -> None:
    """One that knows no tokens yet gets the tables for them when it is opened; its games stay as they are."""
    turnlog.ok("create", "power-vacuum", "-p", "lucia", "-p", "fritz", "--id", "g1")
    before = turnlog.ok("log", "g1", "--json").out
    with closing(sqlite3.connect(turnlog.db, isolation_level=None)) as raw:
        raw.execute("drop table tokens")
        raw.execute("drop table public_games")
        assert raw.execute("delete from _sqlite_migrations where name = 'access'").rowcount == 1
        raw.execute("pragma user_version = 1")
    assert turnlog.ok("log", "g1", "--json").out == before
    assert turnlog.json("invite", "g1", "lucia")["token"]
    turnlog.ok("verify", "--all")
