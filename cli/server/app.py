"""The application: requests in, documents or errors out. What is asked is done in worker threads."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from anyio import CapacityLimiter, to_thread
from msgspec import json
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.trustedhost import TrustedHostMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, HTMLResponse, Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles

from cli.failures import EXPECTED, error_name, exit_code, said_of
from cli.inviting import SeatTaken, digest_of
from cli.server import openapi
from cli.server.auth import COOKIE, Door, NoRight, Presented, WrongToken
from cli.server.clockwork import Clockwork
from cli.server.limits import Defence, Limits, Meter, TooLarge, TooMany, error_bytes
from cli.server.operations import OPERATIONS, Ask, Operation, Reply, Since, Strict, Words
from cli.server.pages import PAGES, base_style, error_page, rendered
from cli.server.stream import Hub, Made, Reader
from cli.session import Session
from engines.kit.errors import BadSetup, Refusal
from events.errors import Busy, Conflict, Denied, InDoubt, Unreachable

STATIC = Path(__file__).parent / "static"

#: A browser keeps a token so long, in seconds.
_COOKIE_SECONDS = 180 * 24 * 3600
#: Requests that read, that write, and that cost much, are carried out so many at once.
_READERS, _WRITERS, _HEAVY = 6, 4, 2


_AGAIN = "ask again in a moment, with the same Idempotency-Key"


class WrongMedia(Refusal):
    """What came is not JSON."""


_STATUSES: tuple[tuple[type[Exception], int], ...] = (
    (WrongToken, 401),
    (NoRight, 403),
    (TooLarge, 413),
    (SeatTaken, 409),
    (WrongMedia, 415),
    (TooMany, 429),
    (Busy, 503),
    (Unreachable, 503),
    (Denied, 503),
    (InDoubt, 504),
)
_BY_EXIT_CODE = {2: 400, 3: 422, 4: 409, 5: 404}


class Serving:
    """What all requests share."""

    def __init__(self, session: Session, door: Door, url: str, limits: Limits, programs: bool) -> None:
        self.session, self.door, self.url, self.limits = session, door, url, limits
        self._programs = programs
        self.meter = Meter(limits.rate)
        self.hub = Hub(session, door, limits)
        self._readers, self._writers, self._heavy = map(CapacityLimiter, (_READERS, _WRITERS, _HEAVY))

    async def asked(self, request: Request, operation: Operation) -> Response:
        """Answers a request."""
        presented = presented_by(request)
        self.meter.take(self.asker(request, presented), operation.cost)
        if operation.writes:
            check_origin(request, presented)
        ask = Ask(
            session=self.session,
            door=self.door,
            presented=presented,
            url=self.url,
            game=request.path_params.get("game", ""),
            slug=request.path_params.get("slug", ""),
            query=query_of(request, operation.query),
            body=None if operation.body is None else await body_of(request, operation.body),
            expect=expected(request) if "If-Match" in operation.headers else None,
            request=key_of(request) if "Idempotency-Key" in operation.headers else None,
            programs=self._programs,
            words=words_wanted(request) if "text/plain" in operation.media else None,
            trust=self.meter.trust,
        )
        limiter = self._writers if operation.writes else self._readers if operation.cost < 10 else self._heavy
        reply = await to_thread.run_sync(operation.run, ask, limiter=limiter)
        if operation.writes:
            self.hub.poke()
        return response(
            reply, operation.status, secure=request.url.scheme == "https" or self.url.startswith("https")
        )

    def asker(self, request: Request, presented: Presented) -> object:
        """Whom a request counts for."""
        tokens = (
            [presented.bearer] if presented.bearer else presented.cookies.get(request.path_params.get("game", ""))
        )
        digest = digest_of(tokens[0]) if tokens else None
        return self.meter.asker(digest, request.client.host if request.client else "")

    async def events(self, request: Request) -> Response:
        """Streams a game's events."""
        presented = presented_by(request)
        self.meter.take(self.asker(request, presented))
        query = query_of(request, Since)
        last = request.headers.get("last-event-id", "")
        after = int(last) if re.fullmatch(r"[0-9]{1,15}", last) else query.after
        reader = Reader(presented, request.path_params["game"], query.as_)
        ask = Ask(self.session, self.door, presented, self.url, reader.game, trust=self.meter.trust)
        await to_thread.run_sync(ask.come_in, limiter=self._readers)
        first = await self.hub.told(reader, after)
        if request.method == "HEAD":
            return Response(media_type="text/event-stream")
        asker = self.asker(request, presented)  # a token that was just taken counts for itself
        self.hub.join(asker, reader.game)
        return StreamingResponse(
            self._stream(asker, reader, after, first),
            media_type="text/event-stream",
            headers={"x-accel-buffering": "no"},
        )

    async def _stream(self, asker: object, reader: Reader, after: int, made: list[Made]) -> AsyncGenerator[bytes]:
        try:
            yield b"retry: 2000\n\n"
            while not self.hub.closed:
                if made:
                    yield b"".join(b"id: %d\ndata: %b\n\n" % one for one in made)
                    after = made[-1].seq
                elif not await self.hub.beyond(reader.game, after):
                    yield b":\n\n"
                try:
                    made = await self.hub.told(reader, after)
                except EXPECTED:
                    return  # it is not for this reader any more; who asks again is told why
        finally:
            self.hub.leave(asker, reader.game)

    def error(self, error: Exception, request: Request) -> Response:
        """An error as the command line says it, without names of files."""
        status = next((status for kind, status in _STATUSES if isinstance(error, kind)), 0)
        if not status:
            status = _BY_EXIT_CODE.get(exit_code(error), 500)
        if isinstance(error, Conflict) and "if-match" in request.headers:
            status = 412
        if status == 500:
            self.session.warn("cannot answer", error=repr(error))
        headers = {401: {"www-authenticate": "Bearer"}, 429: {"retry-after": "2"}, 503: {"retry-after": "2"}}
        said, hint = (text and text.replace(self.session.shown, "the database") for text in said_of(error))
        if isinstance(error, Unreachable | InDoubt | Denied):  # what its server says is not for everybody
            self.session.warn("the database cannot be had", why=said)
            said, hint = "the database cannot be had at the moment: nothing is known of what was asked", _AGAIN
        body = error_bytes(error_name(error), said or "", hint)
        return Response(body, status, headers.get(status), "application/json")


# reading a request ------------------------------------------------------------------------------------


def presented_by(request: Request) -> Presented:
    """The tokens that came with a request.

    :raises WrongToken: the Authorization header is of another kind
    """
    header = request.headers.get("authorization")
    cookies: dict[str, list[str]] = {}
    for name, token in request.cookies.items():
        if name.startswith(COOKIE):
            cookies.setdefault(name.removeprefix(COOKIE).partition(".")[0], []).append(token)
    if header is None:
        said = request.headers.get("turnlog-seat", "")
        return Presented(None, cookies, int(said) - 1 if re.fullmatch("[0-9]{1,3}", said) else None)
    kind, _, token = header.partition(" ")
    if kind.lower() != "bearer" or not token.strip():
        raise WrongToken("the Authorization header holds no bearer token", "it is written: Bearer TOKEN")
    return Presented(token.strip())


def check_origin(request: Request, presented: Presented) -> None:
    """Holds what a browser asks for to pages of ours.

    :raises NoRight: another site's page asks
    """
    site, origin = request.headers.get("sec-fetch-site"), request.headers.get("origin")
    if site is not None:
        ours = site == "same-origin"
    elif origin is not None:
        ours = urlsplit(origin).netloc == request.headers.get("host")
    else:
        ours = presented.bearer is not None or not presented.cookies
    if not ours:
        raise NoRight("a page of another site asks for this", "go to this server's own pages")


def words_wanted(request: Request) -> Words | None:
    """How an answer is wanted in words: `Accept: text/plain`, with the parameters `quiet=1` and `colour=1`."""
    media, *parameters = request.headers.get("accept", "").replace(" ", "").split(";")
    return Words("quiet=1" in parameters, "colour=1" in parameters) if media == "text/plain" else None


def query_of(request: Request, query: type[Strict]) -> Any:
    """The parameters behind the question mark.

    :raises BadSetup: one is not known, or not what it should be
    """
    said = request.query_params
    if len(said) < len(said.multi_items()):
        raise BadSetup("a parameter is said twice", "/openapi.json describes them")
    return _understood(lambda: msgspec.convert(dict(said), query, strict=False), "the parameters")


async def body_of(request: Request, body: type[Strict]) -> Any:
    """The document that came.

    :raises BadSetup, WrongMedia: it is none, or not what it should be
    """
    if request.headers.get("content-type", "").partition(";")[0].strip().lower() != "application/json":
        raise WrongMedia("what is sent has to be JSON", "set Content-Type: application/json")
    content = await request.body()
    return _understood(lambda: json.decode(content, type=body), "what is sent")


def _understood(read: Callable[[], Any], what: str) -> Any:
    try:
        return read()
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise BadSetup(f"{what} cannot be understood: {error}", "/openapi.json describes it") from error


def expected(request: Request) -> int | None:
    """The event of `If-Match`.

    :raises BadSetup: it names none
    """
    said = request.headers.get("if-match")
    if said is None:
        return None
    found = re.fullmatch(r'("?)([0-9]{1,15})\1', said)
    if found is None:
        raise BadSetup(
            f"If-Match holds an event's number in quotes, not {said[:40]!r}", "take the ETag of an answer"
        )
    return int(found[2])


def key_of(request: Request) -> str | None:
    """The `Idempotency-Key`.

    :raises BadSetup: it is too long, or cannot be written
    """
    said = request.headers.get("idempotency-key")
    if said is not None and not re.fullmatch(r"[!-~]{1,200}", said):
        raise BadSetup("an Idempotency-Key has 1 to 200 visible ASCII characters", "take a random UUID")
    return said


def response(reply: Reply, status: int, *, secure: bool) -> Response:
    """A reply as it is sent."""
    headers = {"vary": "Accept, Authorization, Cookie"}
    if reply.changed is not None:
        headers["etag"] = f'"{reply.changed}"'
    if reply.file is not None:
        headers["content-disposition"] = f'attachment; filename="{reply.file}"'
    body = reply.document if isinstance(reply.document, str) else json.encode(reply.document)
    answer = Response(body, status, headers, reply.media)
    if reply.cookie is not None:
        name, token = reply.cookie
        answer.set_cookie(name, token, _COOKIE_SECONDS, secure=secure, httponly=True, samesite="strict")
    return answer


# the application --------------------------------------------------------------------------------------


def make_app(
    session: Session,
    door: Door,
    url: str,
    limits: Limits | None = None,
    hosts: Sequence[str] = ("*",),
    *,
    programs: bool = False,
) -> Starlette:
    """The application on the database of `session`.

    :param url: where it is reached, for links
    :param hosts: the names it is reached under
    :param programs: whether programs of this machine that its user allowed may play seats
    """
    limits = limits or Limits()
    serving = Serving(session, door, url, limits, programs)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncGenerator[None]:
        run = asyncio.create_task(serving.hub.run())
        poke = partial(asyncio.get_running_loop().call_soon_threadsafe, serving.hub.poke)
        clockwork = Clockwork(session, poke, programs=programs)
        clockwork.start()
        yield
        await to_thread.run_sync(clockwork.stop)
        await serving.hub.end()
        await run

    def answered(answer: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        async def endpoint(request: Request) -> Response:
            try:
                return await answer(request)
            except EXPECTED as error:
                return serving.error(error, request)

        return endpoint

    described = json.encode(openapi.document())

    async def describe(request: Request) -> Response:
        return Response(described, media_type="application/json")

    async def join_page(request: Request) -> Response:
        return FileResponse(STATIC / "join.html")

    style = base_style()

    async def base(request: Request) -> Response:
        return Response(style, media_type="text/css")

    by_path: dict[str, dict[str, Operation]] = {}
    for operation in OPERATIONS:
        by_path.setdefault(operation.path, {})[operation.method] = operation
    routes: list[BaseRoute] = [
        Route(path, answered(partial(_asked, serving, operations)), methods=list(operations), name=path)
        for path, operations in by_path.items()
    ]
    routes += [
        Route("/api/g/{game}/events", answered(serving.events), methods=["GET"], name="events"),
        Route("/openapi.json", describe, name="openapi"),
        Route("/join", join_page, name="join-page"),
        *(
            Route(page.path, shown(serving, page), methods=["GET"], name=page.run.__name__.replace("_", "-"))
            for page in PAGES
        ),
        Route("/static/base.css", base, name="base-style"),
        Mount("/static", StaticFiles(directory=STATIC), name="static"),
    ]
    app = Starlette(
        routes=routes,
        middleware=[
            Middleware(Defence, session=session, limits=limits),
            Middleware(TrustedHostMiddleware, allowed_hosts=list(hosts), www_redirect=False),
        ],
        exception_handlers={HTTPException: _no_route},
        lifespan=lifespan,
    )
    app.state.serving = serving
    return app


def shown(serving: Serving, page: Operation) -> Callable[[Request], Awaitable[Response]]:
    """The endpoint of a page, whose errors are pages, too."""

    async def endpoint(request: Request) -> Response:
        if (
            request.headers.get("sec-fetch-site") == "cross-site"
            and request.headers.get("sec-fetch-dest") == "document"
        ):
            return HTMLResponse(rendered("again.html"))  # asked for from another site a page gets no cookies
        try:
            return await serving.asked(request, page)
        except EXPECTED as error:
            if page.media[0] == "application/json":
                return serving.error(error, request)
            return error_response(serving.error(error, request))

    return endpoint


def error_response(answer: Response) -> Response:
    """An error for people, made of the one for programs."""
    error = json.decode(answer.body)["error"]
    page = error_page(answer.status_code, error["message"], error["hint"])
    kept = {name: answer.headers[name] for name in ("retry-after", "www-authenticate") if name in answer.headers}
    return HTMLResponse(page, answer.status_code, kept)


async def _asked(serving: Serving, operations: dict[str, Operation], request: Request) -> Response:
    return await serving.asked(request, operations["GET" if request.method == "HEAD" else request.method])


async def _no_route(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    message = "there is nothing here" if error.status_code == 404 else error.detail
    body = error_bytes("no-such-page" if error.status_code == 404 else "not-allowed", message, "see /openapi.json")
    answer = Response(body, error.status_code, error.headers, "application/json")
    return error_response(answer) if "text/html" in request.headers.get("accept", "") else answer
