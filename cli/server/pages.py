"""The pages for browsers: the lobby, and a page a game. They are asked for as the API is, and show what it tells.

A page is whole as it comes, made of the viewer's own documents and panels. The script in it plays through the API
and asks for the same parts again when something happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from markupsafe import Markup

from cli.commands import Wanted, among, listed
from cli.comparing import check_eyes
from cli.library import games_document, reflowed, rules_document
from cli.review import log_documents
from cli.server.auth import Access, all_open
from cli.server.operations import Ask, Moment, Nothing, Operation, Reply
from cli.session import viewer_name
from cli.takebacks import takeback_lines
from cli.ticking import clock_lines, order_words
from engines.consent import ASK
from engines.kit.boards import Board, Line, Panel
from engines.kit.errors import Refusal
from engines.kit.offers import Offers, legal
from engines.kit.pieces import Piece, Pieces, found
from engines.kit.secrecy import Viewer
from engines.table import UNDO_POLICIES, Table
from events.errors import LogError
from events.log import Database
from events.model import MOVED
from projections.access import open_seats
from projections.orders import standing
from replays.walk import result_words

if TYPE_CHECKING:
    from jinja2 import Environment

TEMPLATES = Path(__file__).parent / "templates"

#: So many events are told on a page as it comes, so many of them as news, and so many moves of a verb are listed.
TOLD, NEWS, MOVES_EACH = 200, 6, 60
#: So many public games are in each list of the lobby.
GAMES = 50

_HTML = "text/html; charset=utf-8"


class Searching(Moment, frozen=True):
    """What to look for among the moves, too."""

    find: str = ""


class Seen(NamedTuple):
    """A game as a page shows it.

    :param now: the game as it stands, `table` at the moment looked at
    :param seat: the seat that is played for on the page, if any is
    """

    now: Table
    table: Table
    access: Access
    viewer: Viewer
    seat: int | None
    past: bool


@cache
def _templates() -> Environment:
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    return Environment(
        loader=FileSystemLoader(TEMPLATES), autoescape=True, trim_blocks=True, undefined=StrictUndefined
    )


def rendered(template: str, **context: Any) -> str:
    """A template filled in; whatever text comes in stays text."""
    return _templates().get_template(template).render(context)


def base_style() -> str:
    """The style that these pages share with exported ones."""
    return files("replays").joinpath("page", "base.css").read_text("utf-8")


# a game -----------------------------------------------------------------------------------------------


def game_page(ask: Ask) -> Reply:
    """The page of a game"""
    with ask.reading() as log:
        seen = _seen(ask, log)
        table, names = seen.now, seen.now.names
        told = list(log_documents(table, seen.viewer, max(0, table.seq - TOLD), table.seq))
        choices = [viewer_name(names, seat) for seat in seen.access.seats]
        if all_open(table):
            choices = [*names, "referee"]
        text = rendered(
            "game.html",
            **_parts(seen, ask),
            game=table.id,
            slug=table.game.slug,
            heading=table.game.title,
            seats=names,
            told=told,
            at=seen.table.seq,
            last=table.seq,
            viewer=viewer_name(names, seen.viewer),
            viewers=[*choices, "spectator"],
            seat=None if seen.seat is None else seen.seat + 1,
            owner=seen.access.owner,
            persons=[name for seat, name in enumerate(names) if table.player(seat) == "person"],
            going=table.outcome is None,
            watch=table.created.undo == ASK or table.created.clock is not None,
        )
        return Reply(text, table.position.timeline.changed, _HTML)


def live(ask: Ask) -> Reply:
    """What changes on the page of a game when something happens"""
    with ask.reading() as log:
        seen = _seen(ask, log)
        parts = _parts(seen, ask)
        changed = seen.now.position.timeline.changed
        document = {
            "title": parts.pop("title"),
            "waits": "" if seen.seat in seen.now.to_move else whose_turn(seen.now, seen.seat),
            "seq": seen.now.seq,
            "changed": changed,
            "parts": {name: str(part) for name, part in parts.items() if isinstance(part, Markup)},
        }
        return Reply(document, changed)


def _seen(ask: Ask, log: Database) -> Seen:
    access = ask.access(log)
    now = Table(log, ask.game)
    viewer = access.viewer(now, ask.query.as_)
    check_eyes(now, viewer)
    past = ask.query.at is not None
    table = Table(log, ask.game, at=ask.query.at) if past else now
    return Seen(now, table, access, viewer, viewer if viewer in access.seats else None, past)


def _parts(seen: Seen, ask: Ask) -> dict[str, Any]:
    """The parts of a page that change, by the ids of their places."""
    table, seat = seen.table, seen.seat
    offers = table.offers(seat) if seat is not None and not seen.past else ()
    state = table.game.concealed(table.state, seen.viewer)
    board = table.game.drawn.board(state, seen.viewer, table.names)
    pieces = Pieces(table.game.grammar, legal(offers))
    held = [panel for row in board.rows for panel in row if panel.held]
    rest = Board(tuple(tuple(panel for panel in row if not panel.held) for row in board.rows))
    return {
        "title": _title(seen.now, seen.seat),
        "status": _part("status", **_status(seen, ask)),
        "board": board_html(rest, pieces),
        "hand": Markup("").join(panel_html(panel, pieces) for panel in held),
        "moves": moves_html(table, offers, ask.query.find),
        "acts": _part("acts", **_acts(seen)),
    }


def _part(name: str, **context: Any) -> Markup:
    return Markup(rendered(f"{name}.html", **context))  # noqa: S704 -- a template has escaped it


def _title(table: Table, seat: int | None) -> str:
    """What the window is called: whose turn it is, first."""
    return f"{whose_turn(table, seat)} - {table.game.title}"


def whose_turn(table: Table, seat: int | None) -> str:
    """Whose turn it is, in a few words, for who plays a seat."""
    pending = table.pending
    if table.outcome is not None:
        return "Over"
    if pending is not None and seat in pending.waiting:
        return "Your answer"
    if seat in table.to_move:
        return "Your turn"
    return f"{', '.join(table.names[one] for one in table.to_move)} to move"


def _status(seen: Seen, ask: Ask) -> dict[str, Any]:
    now, viewer = seen.now, seen.viewer
    lines = [] if now.outcome is not None else clock_lines(now, ask.session.clock())
    orders = [] if seen.seat is None else standing(now.log, now.id, seen.seat)
    return {
        "past": seen.table.seq if seen.past else None,
        "last": now.seq,
        "over": now.outcome is not None,
        "turn": result_words(now) if now.outcome is not None else whose_turn(now, seen.seat),
        "lines": lines,
        "orders": [(order.number, order_words(*order)) for order in orders],
        "news": _news(now, viewer, seen.seat) if not seen.past else _news_at(seen),
    }


def _news(table: Table, viewer: Viewer, seat: int | None) -> list[str]:
    """What happened last, of the events since the seat's own last move."""
    documents = list(log_documents(table, viewer, max(0, table.seq - NEWS), table.seq))
    own = None if seat is None else table.names[seat]
    moved = [place for place, one in enumerate(documents) if one["kind"] == MOVED and one["seat"] == own]
    since = documents[moved[-1] :] if moved else documents[-3:]
    return [text for one in since for text in one["told"]]


def _news_at(seen: Seen) -> list[str]:
    seq = seen.table.seq
    return [text for one in log_documents(seen.now, seen.viewer, seq - 1, seq) for text in one["told"]]


def _acts(seen: Seen) -> dict[str, Any]:
    table, seat = seen.now, seen.seat
    pending = table.pending
    asked = {} if pending is None else {"asked": list(takeback_lines(table, pending, seen.viewer, how=False))}
    mine = seat is not None and not seen.past and table.created.seen_by == "" and table.outcome is None
    return {
        "asked": asked.get("asked", []),
        "answer": pending is not None and mine and seat in pending.waiting,
        "withdraw": pending is not None and mine and seat == pending.seat,
        "ask": table.created.undo == ASK,
        "undo": mine and pending is None and _would(lambda: table.undo(now=0, seat=seat, dry_run=True)),
        "redo": mine and pending is None and _would(lambda: table.redo(now=0, seat=seat, dry_run=True)),
    }


def _would(do: Callable[[], object]) -> bool:
    """Whether something would be done, rather than refused."""
    try:
        do()
    except (Refusal, LogError):
        return False
    return True


# boards -----------------------------------------------------------------------------------------------


def board_html(board: Board, pieces: Pieces) -> Markup:
    """A board: rows of panels."""
    rows = (Markup("").join(panel_html(panel, pieces) for panel in row) for row in board.rows if row)
    return Markup("").join(Markup('<div class="row">{}</div>').format(row) for row in rows)


def panel_html(panel: Panel, pieces: Pieces) -> Markup:
    """A panel: its title, and its lines, of which what stands for a legal move can be clicked."""
    title = Markup("<h3>{}</h3>").format(panel.title) if panel.title else Markup("")
    if not panel.lines:
        return Markup('<section class="panel bare">{}</section>').format(title)
    lines = Markup("").join(_line_html(one, pieces) + "\n" for one in panel.lines)
    return Markup('<section class="panel">{}<pre>{}</pre></section>').format(title, lines)


class _Drawn(NamedTuple):
    piece: Piece
    tone: str
    name: str


def _line_html(spans: Line, pieces: Pieces) -> Markup:
    drawn = [_Drawn(piece, span.tone, span.name or "") for span in spans for piece in pieces.of(span)]
    out = Markup("")
    for find, group in groupby(drawn, key=lambda one: one.piece.find):
        parts = list(group)
        if find:
            out += _button_html(find, parts)
        else:
            out += Markup("").join(_toned(one.piece.text, one.tone, one.name) for one in parts)
    return out


def _button_html(find: str, parts: Sequence[_Drawn]) -> Markup:
    """What can be clicked; one of them, though it be of several spans."""
    inside = Markup("").join(_toned(one.piece.text, one.tone, "") for one in parts)
    name = next((one.name for one in parts if one.name), "")
    move = parts[0].piece.move or ""
    return Markup(
        '<button type="button" class="piece" data-find="{}" data-move="{}" title="{}">{}</button>'
    ).format(find, move, ": ".join(text for text in (move, name) if text) or find.replace('"', ""), inside)


def _toned(text: str, tone: str, name: str) -> Markup:
    if tone == "plain" and not name:
        return Markup("{}").format(text)
    return Markup('<span class="t-{}"{}>{}</span>').format(
        tone, Markup(' title="{}"').format(name) if name else "", text
    )


# moves ------------------------------------------------------------------------------------------------


class Group(NamedTuple):
    """The moves of a verb.

    :param more: so many are left out
    """

    pattern: str
    complete: bool
    moves: list[str]
    more: int


def moves_html(table: Table, offers: Offers, sought: str) -> Markup:
    """The legal moves in which something is found, by verb."""
    groups = [group for group in _groups(table, offers, sought) if group.moves]
    count = sum(len(group.moves) + group.more for group in groups)
    return _part("moves", groups=groups, count=count, sought=sought.strip(), turn=bool(offers))


def _groups(table: Table, offers: Offers, sought: str) -> Iterator[Group]:
    for offer in offers:
        spelt = [table.game.grammar.spell(move) for move in offer.moves()]
        fitting = list(found(spelt, sought)) if sought.strip() else spelt
        yield Group(offer.pattern, offer.complete, fitting[:MOVES_EACH], max(0, len(fitting) - MOVES_EACH))


# the lobby --------------------------------------------------------------------------------------------


def lobby(ask: Ask) -> Reply:
    """The games of whoever asks, open seats, public games, results, and a form to start one"""
    with ask.reading() as log:
        held = {game: ask.door.access(log, ask.presented, game) for game in ask.door.games(log, ask.presented)}
        mine = [_mine(row, held[row["game"]]) for row in _listed(ask, log, held)]
        public = _listed(ask, log, _public(log, held, going=True))
        over = _listed(ask, log, _public(log, held, going=False))
        seats = list(open_seats(log))
    playable = [game | {"options": rules_document(game["slug"])["options"]} for game in games_document()]
    text = rendered(
        "lobby.html",
        mine=sorted(mine, key=lambda row: not row["turn"]),
        open_seats=seats,
        public=public,
        over=over,
        playable=playable,
        titles={game["slug"]: game["title"] for game in playable},
        most=max(game["seats"][1] for game in playable),
        bots=sorted({f"bot:{bot}" for game in playable for bot in game["bots"]}),
        policies=UNDO_POLICIES,
        open=ask.door.open,
    )
    return Reply(text, media=_HTML)


def _mine(row: dict[str, Any], access: Access) -> dict[str, Any]:
    """A game of the list, with who is sat there for and whether it is their turn."""
    own = [row["seats"][seat] for seat in access.seats]
    asked = row["takeback"] is not None and any(name in row["takeback"]["waiting_for"] for name in own)
    return row | {"own": own, "turn": asked or any(name in row["to_move"] for name in own)}


def _public(log: Database, held: Iterable[str], *, going: bool) -> list[str]:
    rows = log.select(
        "select game from games join public_games using (game) where (state = 'playing') = ? "
        "order by touched desc limit ?",
        (going, GAMES),
    )
    return [game for (game,) in rows if game not in {*held} or not going]


def _listed(ask: Ask, log: Database, games: Iterable[str]) -> list[dict[str, Any]]:
    return list(listed(log, Wanted(within=among([*games])), ask.session.clock()))


def rules_page(ask: Ask) -> Reply:
    """The rules of a game, for people"""
    document = rules_document(ask.slug)
    return Reply(rendered("rules.html", **document, lines=list(reflowed(document["guide"]))), media=_HTML)


def error_page(status: int, message: str, hint: str | None) -> str:
    """An error for people."""
    return rendered("error.html", status=status, message=message, hint=hint)


PAGES = (
    Operation("GET", "/", lobby, str, Nothing, cost=3, media=(_HTML,)),
    Operation("GET", "/rules/{slug}", rules_page, str, Nothing, media=(_HTML,), free=True),
    Operation("GET", "/g/{game}", game_page, str, Searching, cost=3, media=(_HTML,)),
    Operation("GET", "/g/{game}/live", live, dict, Searching),
)
