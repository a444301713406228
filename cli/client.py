"""The command line as a client: the commands of `--server URL`, which do over HTTP what they do on a file.

Boards and reports are made by the server with the code that the commands use; nothing is worded a second time.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2
import msgspec
from msgspec import json

from cli.commands import SCREENFUL, listed_lines, put, say, say_standings
from cli.comparing import say_notes
from cli.connection import WAITS, Connection, decoded, safe, shown
from cli.corresponding import say_orders, say_subscription
from cli.failures import FromServer
from cli.inviting import say_offered, say_opened, say_token, say_tokens
from cli.playing import Play, typed_words, wrapped
from cli.review import log_lines, write_out
from cli.server.auth import COOKIE
from cli.session import Session
from cli.tokens import Kept, check_token, keep_tokens, kept_tokens
from engines.kit.errors import BadSetup
from events.errors import Unreachable
from replays.wishes import CreateLine, options_of, stack_of

#: So much of a game is asked for at a time.
_PAGE = 500
#: Those who are no seats, as `--as` names them.
_WATCHING = ("spectator", "referee")


class _Seen(NamedTuple):
    """A game on the server, the token to look at it with, and whose eyes to ask for; None: the token's own."""

    game: str
    token: str | None
    eyes: str | None


class Client:
    """The server of a session, and the tokens that are kept for it."""

    def __init__(self, session: Session, *, patient: bool = True) -> None:
        assert session.server is not None
        self.session = session
        self.connection = Connection(session.server, patient=patient)
        self._given = os.environ.get("TURNLOG_TOKEN") or None
        if self._given is not None:
            check_token(self._given)
        self.tokens = [] if self._given else [one for one in kept_tokens() if one.server == session.server]

    # whose game, whose token ------------------------------------------------------------------------------

    def _cookies(self) -> Mapping[str, str]:
        return {f"{COOKIE}{one.game}": one.token for one in self.tokens if one.game is not None}

    def listed(self, **query: Any) -> list[dict[str, Any]]:
        """A page of the games that are public or that there is a token of."""
        answer = self.connection.ask("GET", "/api/g", token=self._given, cookies=self._cookies(), query=query)
        return decoded(self.connection.server, answer)

    def _game(self, said: str) -> str:
        """The id that was meant: an id, a unique beginning of one that there is a token of, or `@`.

        :raises BadSetup: it fits several
        """
        if said == "@":
            for row in self.listed():
                return row["game"]
            raise FromServer(
                "no-such-game", "there is no game here that you may see", "`turnlog login` lists yours", 5
            )
        known = {one.game for one in self.tokens if one.game is not None}
        fits = sorted(game for game in known if game.startswith(said))
        if said in known or not said or not fits:
            return said
        if len(fits) > 1:
            raise BadSetup(
                f"{said!r} is the beginning of several games: {', '.join(fits)}", "write more of the id"
            )
        return fits[0]

    def _of(self, game: str) -> list[Kept]:
        return [one for one in self.tokens if one.game == game]

    def _to_move(self, game: str, seats: Sequence[Kept]) -> Kept | None:
        """Of several seats of one's own the only one that is to move."""
        to_move = self.document("GET", f"/api/g/{game}", seats[0].token, query={"as": "spectator"})["to_move"]
        fits = [one for one in seats if one.who in to_move]
        return fits[0] if len(fits) == 1 else None

    def seen(self, said: str, seat: str | None, *, moving: bool = False) -> _Seen:
        """What `GAME` and `--as` mean for a command that reads.

        Unsaid it is the seat's own view, of several seats that of the one to move if `moving`, else a spectator's.
        """
        game = self._game(said)
        if self._given is not None:
            return _Seen(game, self._given, seat)
        mine = self._of(game)
        seats = [one for one in mine if one.seat is not None]
        if seat is not None:
            fits = [one for one in seats if _is(one, seat)] or seats or mine
            return _Seen(game, fits[0].token if fits else None, seat)
        if len(seats) > 1:
            mover = self._to_move(game, seats) if moving else None
            return _Seen(game, (mover or seats[0]).token, None if mover else "spectator")
        token = next((one.token for one in (*seats, *mine)), None)
        return _Seen(game, token, None)

    def acting(self, said: str, seat: str | None) -> tuple[str, str | None]:
        """The game and the token of a command that acts for a seat.

        :raises BadSetup: there is no token of that seat, or of several
        """
        if seat in _WATCHING:
            raise BadSetup(f"a {seat} cannot act in a game", "name a seat with --as")
        game = self._game(said)
        if self._given is not None:
            if seat is not None:
                self._check_given(seat)
            return game, self._given
        mine = self._of(game)
        seats = [one for one in mine if one.seat is not None]
        if seat is not None:
            fits = [one for one in seats if _is(one, seat)]
            if not fits:
                raise BadSetup(
                    f"you have no token of seat {seat[:40]!r} in game {game}",
                    "`turnlog login LINK` keeps that of an invitation; `turnlog login` lists yours",
                )
            return game, fits[0].token
        if len(seats) > 1:
            mover = self._to_move(game, seats)
            if mover is None:
                names = ", ".join(one.who for one in seats)
                raise BadSetup(f"several seats of game {game} are yours", f"say which with --as: {names}")
            return game, mover.token
        return game, next((one.token for one in (*seats, *mine)), None)

    def _check_given(self, seat: str) -> None:
        assert self._given is not None
        found = granted(self.connection.server, self._given)
        if found["seat"] is None or not _fits(found["for"], found["seat"], seat):
            raise BadSetup(f"the token of TURNLOG_TOKEN is for {found['for']}, not for {seat[:40]!r}")

    def owning(self, said: str) -> tuple[str, str | None]:
        """The game and the token of a command that looks after it: the owner's, if there is one."""
        game = self._game(said)
        mine = sorted(self._of(game), key=lambda one: one.who != "owner")
        return game, self._given or (mine[0].token if mine else None)

    def starting(self) -> str | None:
        """A token that starts games."""
        return self._given or next((one.token for one in self.tokens if one.game is None), None)

    # asking ---------------------------------------------------------------------------------------------

    @property
    def words(self) -> str:
        """What is accepted: a document, or words as they are printed."""
        if self.session.json:
            return "application/json"
        return "text/plain" + ";quiet=1" * self.session.quiet + ";colour=1" * self.session.colour

    def print(self, method: str, path: str, token: str | None, **how: Any) -> None:
        """Prints an answer."""
        answer = self.connection.ask(method, path, token=token, accept=self.words, **how)
        sys.stdout.write(shown(answer.text) + "\n" * self.session.json)

    def document(self, method: str, path: str, token: str | None, **how: Any) -> Any:
        """An answer's document."""
        return decoded(self.connection.server, self.connection.ask(method, path, token=token, **how))

    def seq(self, seen: _Seen) -> int:
        """The number of a game's last event."""
        return self.document("GET", f"/api/g/{seen.game}", seen.token, query={"as": seen.eyes})["seq"]


def _is(one: Kept, seat: str) -> bool:
    return one.seat is not None and _fits(one.who, one.seat, seat)


def _fits(name: str, number: int, said: str) -> bool:
    return said.casefold() == name.casefold() or said == str(number)


@contextmanager
def _client(session: Session, *, patient: bool = True) -> Generator[Client]:
    client = Client(session, patient=patient)
    try:
        yield client
    finally:
        client.connection.close()


def granted(server: str, token: str) -> dict[str, Any]:
    """What a token is for: `game`, `for` and `seat`."""
    connection = Connection(server)
    try:
        return decoded(server, connection.ask("GET", "/api/who", token=token))
    finally:
        connection.close()


# reading ------------------------------------------------------------------------------------------------


def list_games(session: Session, seat: str | None, unfinished: bool, limit: int | None) -> None:
    """Lists games."""
    if limit is None and not session.json and sys.stdout.isatty():
        limit = SCREENFUL
    with _client(session) as client:
        number = 0
        for number, row in enumerate(_rows(client, seat, unfinished), 1):
            if limit is not None and number > limit:
                if not session.json and not session.quiet:
                    say([f"Games touched before these are left out: `turnlog list --limit {10 * limit}`."])
                break
            if session.json:
                put(row)
            else:
                say(listed_lines(row))
        if not number and not session.json and not session.quiet:
            say(
                [
                    "No such game here that you may see."
                    if seat or unfinished
                    else "No games here that you may see."
                ]
            )


def _rows(client: Client, seat: str | None, unfinished: bool) -> Iterator[dict[str, Any]]:
    offset = 0
    while page := client.listed(player=seat, open=unfinished, offset=offset):
        yield from page
        offset += len(page)
        if len(page) < _PAGE:
            break


def show(session: Session, game: str, seat: str | None, at: int | None) -> None:
    """Draws the board."""
    with _client(session) as client:
        seen = client.seen(game, seat)
        client.print("GET", f"/api/g/{seen.game}", seen.token, query={"as": seen.eyes, "at": at})


def moves(session: Session, game: str, seat: str | None, at: int | None) -> None:
    """Lists the legal moves of a seat."""
    with _client(session) as client:
        seen = client.seen(game, seat, moving=True)
        client.print("GET", f"/api/g/{seen.game}/moves", seen.token, query={"as": seen.eyes, "at": at})


def log(session: Session, game: str, seat: str | None, follow: bool, notes: bool = False) -> None:
    """Tells what happened, and goes on as it happens."""
    with _client(session) as client:
        seen = client.seen(game, seat)
        last = client.seq(seen)
        for after in range(0, last, _PAGE):
            query = {"as": seen.eyes, "after": after, "notes": notes or None}
            for document in client.document("GET", f"/api/g/{seen.game}/log", seen.token, query=query):
                if document["seq"] <= last:
                    _tell(session, document)
        if follow:
            for document in _followed(client, seen, last):
                _tell(session, document)


def _tell(session: Session, document: dict[str, Any]) -> None:
    if session.json:
        put(document)
    else:
        say(log_lines(document))


def _followed(client: Client, seen: _Seen, after: int) -> Iterator[dict[str, Any]]:
    """The events behind `after` as they happen; a connection that breaks is made anew.

    :raises Unreachable: nobody answers any more; FromServer: it is no longer for this reader
    """
    failures = 0
    while True:
        sys.stdout.flush()
        try:
            query = {"as": seen.eyes, "after": after}
            with client.connection.stream(f"/api/g/{seen.game}/events", token=seen.token, query=query) as answer:
                failures = 0
                for line in _lines(answer):
                    if line.startswith(b"data: "):
                        document = safe(json.decode(line[6:]))
                        after = document["seq"]
                        yield document
                        sys.stdout.flush()
        except (httpx2.RequestError, msgspec.MsgspecError, Unreachable) as error:
            if failures == len(WAITS):
                raise Unreachable(f"{client.connection.server} does not answer any more: {error}") from error
        time.sleep(WAITS[min(failures, len(WAITS) - 1)])
        failures += 1


def _lines(answer: httpx2.Response) -> Iterator[bytes]:
    """The lines of a stream as they come; a text in one may hold other ends of lines than `\\n`."""
    rest = b""
    for some in answer.iter_bytes():
        *whole, rest = (rest + some).split(b"\n")
        yield from whole


def replay(
    session: Session,
    game: str,
    seat: str | None,
    span: tuple[int, int | None, int],
    speed: float,
    undone: bool,
    plain: bool,
) -> None:
    """Walks through the boards, as text always."""
    first, last, every = span
    words = None if session.json else "colour" if session.colour else "plain"
    with _client(session) as client:
        seen = client.seen(game, seat)
        end = client.seq(seen) if last is None else last
        number = 0
        for start in range(first, max(first, end) + 1, _PAGE):
            to = min(end, start + _PAGE - 1)
            query = {
                "as": seen.eyes,
                "from": start,
                "to": to if last is not None else max(start, to),
                "undone": undone or None,
                "words": words,
            }
            for document in client.document("GET", f"/api/g/{seen.game}/replay", seen.token, query=query):
                if number % every == 0:
                    if number and speed > 0:
                        sys.stdout.flush()
                        time.sleep(1 / speed)
                    if session.json:
                        put(document)
                    else:
                        say([document["words"]])
                number += 1


def export(session: Session, game: str, format_: str, seat: str | None, output: str | None) -> None:
    """Writes a game out."""
    with _client(session) as client:
        seen = client.seen(game, seat)
        query = {"as": seen.eyes, "format": format_}
        text = client.connection.ask(
            "GET", f"/api/g/{seen.game}/export", token=seen.token, query=query, accept="*/*"
        ).text
    write_out(session, shown(text).removesuffix("\n").split("\n"), format_, output)


def notes(session: Session, game: str) -> None:
    """Lists the notes on a game."""
    with _client(session) as client:
        seen = client.seen(game, None)
        say_notes(session, seen.game, client.document("GET", f"/api/g/{seen.game}/notes", seen.token))


def standings(session: Session, slug: str | None) -> None:
    """Lists who won how often, in public games."""
    with _client(session) as client:
        say_standings(session, client.document("GET", "/api/standings", None, query={"slug": slug}))


# acting -------------------------------------------------------------------------------------------------


def play(session: Session, asked: Play) -> None:
    """Plays a move."""
    body = {"move": typed_words(asked.words), "dry_run": asked.dry_run}
    _change(session, asked.game, asked.seat, "play", body, asked.request, asked.expect)


def _change(
    session: Session,
    game: str,
    seat: str | None,
    what: str,
    body: dict[str, Any],
    request: str | None,
    expect: int | None,
) -> None:
    """Asks for a change that is made once however often it is asked for, and prints the answer."""
    with _client(session) as client:
        found, token = client.acting(game, seat)
        key = request if request is not None else str(uuid4())
        client.print("POST", f"/api/g/{found}/{what}", token, body=body, key=key, expect=expect)


def undo(
    session: Session,
    game: str,
    seat: str | None,
    count: int,
    to: int | None,
    reason: str,
    expect: int | None,
    request: str | None,
    dry_run: bool,
) -> None:
    """Takes moves back."""
    body = {"n": count, "to": to, "reason": reason, "dry_run": dry_run}
    _change(session, game, seat, "undo", body, request, expect)


def redo(
    session: Session,
    game: str,
    seat: str | None,
    count: int,
    expect: int | None,
    request: str | None,
    dry_run: bool,
) -> None:
    """Puts moves back."""
    _change(session, game, seat, "redo", {"n": count, "dry_run": dry_run}, request, expect)


def agree(
    session: Session,
    game: str,
    seat: str | None,
    no: bool,
    withdraw: bool,
    expect: int | None,
    request: str | None,
    dry_run: bool,
) -> None:
    """Answers a request to take moves back."""
    body = {"refuse": no, "withdraw": withdraw, "dry_run": dry_run}
    _change(session, game, seat, "agree", body, request, expect)


def note(session: Session, game: str, seq: int, text: str, seat: str | None) -> None:
    """Comments on an event, as a seat; unsaid as the game's owner, if there is a token of that."""
    with _client(session) as client:
        found, token = client.acting(game, seat) if seat is not None else client.owning(game)
        client.print("POST", f"/api/g/{found}/notes", token, body={"about": seq, "text": text})


def close(session: Session, game: str, seat: str | None, reason: str) -> None:
    """Closes a game: as its owner abandons it, as a seat resigns."""
    with _client(session) as client:
        found, token = client.acting(game, seat) if seat is not None else client.owning(game)
        client.print("POST", f"/api/g/{found}/close", token, body={"reason": reason, "abandon": seat is None})


def create(session: Session, asked: CreateLine, request: str | None, dry_run: bool, public: bool = False) -> None:
    """Starts a game, keeps its tokens, and tells the links to send."""
    for said, option in ((asked.id, "--id"), (asked.set, "--set"), (dry_run, "--dry-run")):
        if said:
            raise BadSetup(f"{option} is for games in a file", "a server gives ids, and has the sets that ship")
    body: dict[str, Any] = {
        "slug": asked.slug,
        "players": asked.persons,
        "options": options_of(asked.options),
        "undo": asked.undo,
        "seed": asked.seed,
        "stack": None if asked.stack is None else stack_of(asked.stack),
        "pace": asked.pace,
        "on_timeout": asked.on_timeout,
        "public": public,
    }
    with _client(session) as client:
        keep_tokens([])  # what cannot be kept is not asked for
        made = client.document("POST", "/api/g", client.starting(), body=body, key=request or str(uuid4()))
        server, tokens = client.connection.server, made["tokens"]
    seats: dict[str, str] = tokens["seats"]
    names = made["events"][0]["created"]["seats"]
    if session.json:
        put(made)
    elif session.quiet:
        say([made["game"]])
    else:
        say(wrapped("", f"Game {made['game']}: {asked.slug} with {', '.join(names)}."))
        say(f"{name}: {server}/join#{token}" for name, token in seats.items())
        say([f"Look at it: turnlog show {made['game']}"])
    keep_tokens(
        [Kept(server, made["game"], role, None, tokens[role]) for role in ("owner", "spectator")]
        + [Kept(server, made["game"], name, names.index(name) + 1, token) for name, token in seats.items()]
    )


# while a seat is away -----------------------------------------------------------------------------------


def leave_order(session: Session, game: str, move: tuple[str, ...], seat: str | None) -> None:
    """Leaves a standing order."""
    with _client(session) as client:
        found, token = client.acting(game, seat)
        say_orders(
            session, client.document("POST", f"/api/g/{found}/orders", token, body={"move": typed_words(move)})
        )


def drop_order(session: Session, game: str, number: int, seat: str | None) -> None:
    """Takes a standing order back."""
    with _client(session) as client:
        found, token = client.acting(game, seat)
        say_orders(session, client.document("POST", f"/api/g/{found}/orders/drop", token, body={"number": number}))


def list_orders(session: Session, game: str, seat: str | None) -> None:
    """Lists the standing orders of a seat."""
    with _client(session) as client:
        found, token = client.acting(game, seat)
        say_orders(session, client.document("GET", f"/api/g/{found}/orders", token))


def notify(session: Session, game: str, seat: str, command: str | None, webhook: str | None, off: bool) -> None:
    """Says how a seat is told of news, or shows it."""
    if command is not None:
        raise BadSetup("a server starts no commands of yours", "--webhook URL has it call an address")
    with _client(session) as client:
        found, token = client.acting(game, seat)
        path = f"/api/g/{found}/notices"
        if webhook is None and not off:
            say_subscription(session, client.document("GET", path, token))
        else:
            say_subscription(session, client.document("PUT", path, token, body={"webhook": webhook}))


# who may ------------------------------------------------------------------------------------------------


def invite(session: Session, game: str, who: str, void: bool, url: str | None) -> None:
    """Makes a token for a seat, a spectator or the owner; or makes theirs void."""
    if url is not None:
        raise BadSetup("--url is for links to be made from a file", "the server knows where it is reached")
    with _client(session) as client:
        found, token = client.owning(game)
        path = f"/api/g/{found}/tokens" + "/revoke" * void
        say_token(session, client.document("POST", path, token, body={"for": who}))


def list_tokens(session: Session, game: str) -> None:
    """Lists the tokens of a game."""
    with _client(session) as client:
        found, token = client.owning(game)
        say_tokens(session, client.document("GET", f"/api/g/{found}/tokens", token))


def open_to_all(session: Session, game: str, public: bool) -> None:
    """Lets anybody watch a game, or nobody without a token."""
    with _client(session) as client:
        found, token = client.owning(game)
        say_opened(session, client.document("PUT", f"/api/g/{found}/public", token, body={"public": public}))


def open_to_take(session: Session, game: str, who: str) -> None:
    """Lets anybody take a seat."""
    with _client(session) as client:
        found, token = client.owning(game)
        say_offered(session, client.document("PUT", f"/api/g/{found}/seats", token, body={"for": who}))


# what the shell offers ----------------------------------------------------------------------------------


def offered_games(session: Session, incomplete: str) -> list[tuple[str, str]]:
    """The ids of the games that may be seen, with what they are."""
    with _client(session, patient=False) as client:
        rows = client.listed()
    return [
        (row["game"], f"{row['slug']}: {', '.join(row['seats'])}")
        for row in rows
        if row["game"].startswith(incomplete)
    ]


def offered_seats(session: Session, game: str, incomplete: str) -> list[str]:
    """The seats of a game."""
    with _client(session, patient=False) as client:
        seen = client.seen(game, None)
        names = client.document("GET", f"/api/g/{seen.game}", seen.token, query={"as": seen.eyes})["seats"]
    return [name for name in names if name.startswith(incomplete)]


def offered_words(session: Session, game: str, seat: str | None, before: list[str], incomplete: str) -> list[str]:
    """The words that may come next in a move."""
    with _client(session, patient=False) as client:
        seen = client.seen(game, seat, moving=True)
        query = {"as": seen.eyes, "line": " ".join([*before, incomplete])}
        return client.document("GET", f"/api/g/{seen.game}/complete", seen.token, query=query)["words"]
