"""The commands that start, change and list games."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing
from functools import cache
from itertools import islice
from typing import Any, NamedTuple

from msgspec import json

from cli.documents import (
    batch_document,
    event_document,
    moves_document,
    show_document,
    takeback_words,
    what_next,
)
from cli.playing import answer, board_text, wrapped
from cli.session import SeatPrograms, Session, acting_seat, game_id, viewer_name, viewer_of
from engines.creation import begun, check_wish, close_game
from engines.creation import create as start
from engines.kit.boards import WIDTH
from engines.kit.errors import BadSetup
from engines.kit.game import PROGRAM
from engines.kit.offers import Offers
from engines.kit.secrecy import REFEREE, Viewer
from engines.registry import game_of
from engines.seeing import event_seen
from engines.table import Entry, Table, check_request
from engines.telling import told
from events.errors import NoDatabase
from events.log import MOST, Database
from events.model import GameCreated
from projections.access import set_public
from projections.takebacks import Takeback, pending
from replays.scripts import Played, run_script
from replays.wishes import CreateLine, wish_of


def put(document: Any) -> None:
    """One line of JSON."""
    sys.stdout.write(json.encode(document).decode() + "\n")


def say(lines: Iterable[str]) -> None:
    """Lines of text."""
    for line in lines:
        sys.stdout.write(line + "\n")


def create(session: Session, asked: CreateLine, request: str | None, dry_run: bool, public: bool = False) -> None:
    """Starts a game."""
    game = game_of(asked.slug)
    if any(person.startswith(PROGRAM) for person in asked.persons):
        from cli.programs import seats_named

        asked = asked._replace(persons=seats_named(asked.persons, keep=not dry_run))
    wish = wish_of(game, asked)
    new_id = asked.id or session.ids()
    if dry_run:
        created, _ = begun(wish, session.secrets)
        _dry_creation(session, asked, created)
        return
    if not session.there:  # what is refused makes no file
        check_wish(wish, new_id)
        if request is not None:
            check_request(request)
    log = session.writer(create=True)
    programs = SeatPrograms(session)
    try:
        table, entries = start(
            log,
            wish,
            new_id,
            now=session.clock(),
            secret=session.secrets,
            request=request,
            programs=programs,
        )
        if public:
            set_public(log, table.id, True)
        session.say("created", game=table.id, slug=table.game.slug, seats=table.names)
        if session.quiet and not session.json:
            say([table.id])
            return
        if not session.json:
            seats = ", ".join(table.names)
            say(wrapped("", f"Game {table.id}: {table.game.title} with {seats}."))
        answer(session, table, entries, None)
        if not session.json and not session.quiet and table.to_move:
            name = table.names[table.to_move[0]]
            say([f"Look at it: turnlog show {table.id} --as {_shell(name)}"])
    finally:
        programs.close()
        log.close()


def _dry_creation(session: Session, asked: CreateLine, created: GameCreated[Any, Any]) -> None:
    game = game_of(created.slug)
    seen = event_seen(created, None, over=False)
    if session.json:
        put(
            {
                "game": asked.id,
                "seq": 1,
                "events": [event_document(game, created.seats, Entry(1, seen))],
                "to_move": [created.seats[seat] for seat in created.next],
                "result": None,
            }
        )
        return
    say(["Nothing is written, this would happen:", *told(game, created.seats, seen)])


def _shell(word: str) -> str:
    from shlex import quote

    return quote(word)


def _what_next(table: Table) -> list[str]:
    return [row for text in what_next(table) for row in wrapped("", text)]


def _takeback(table: Table, takeback: Takeback | None, viewer: Viewer) -> list[str]:
    return [row for text in takeback_words(table, takeback, viewer) for row in wrapped("", text)]


def show(session: Session, game: str, seat: str | None, at: int | None) -> None:
    """Draws the board."""
    log = session.reader()
    try:
        table = Table(log, game_id(log, game), at=at)
        viewer = viewer_of(table.names, seat)
        if session.json:
            put(shown_document(table, viewer, at, session.clock()))
            return
        say(show_lines(table, viewer, at, session.clock(), quiet=session.quiet, colour=session.colour))
    finally:
        log.close()


def shown_document(table: Table, viewer: Viewer, at: int | None, now: int) -> dict[str, Any]:
    """The answer to `show`, with the clock if the game is looked at as it stands."""
    from cli.ticking import clock_document

    return show_document(table, viewer) | (clock_document(table, now) if at is None else {})


def show_lines(
    table: Table, viewer: Viewer, at: int | None, now: int, *, quiet: bool, colour: bool
) -> Iterator[str]:
    """The board, and unless `quiet` what there is to know of the game and to type."""
    from cli.ticking import clock_lines, orders_lines

    yield board_text(table, viewer, colour=colour)
    if quiet:
        return
    yield ""
    yield f"Game {table.id}, event {table.seq}, seen by {viewer_name(table.names, viewer)}."
    yield from _what_next(table)
    if at is None:
        own = orders_lines(table, viewer) if viewer is not None and viewer != REFEREE else []
        for line in (*clock_lines(table, now), *own):
            yield from wrapped("", line)
    yield from _takeback(table, table.pending, viewer)
    if viewer is None and table.to_move:
        yield f"As a seat sees it: turnlog show {table.id} --as {_shell(table.names[table.to_move[0]])}"


def moves(session: Session, game: str, seat: str | None, at: int | None) -> None:
    """Lists the legal moves of a seat."""
    log = session.reader()
    try:
        table = Table(log, game_id(log, game), at=at)
        viewer = viewer_of(table.names, seat)
        mover = viewer if viewer != REFEREE else None
        if seat is None and table.to_move:
            mover = table.to_move[0]
        offers = table.offers(mover) if mover is not None else ()
        if session.json:
            put(moves_document(table, mover, offers))
            return
        say(moves_lines(table, offers, quiet=session.quiet))
    finally:
        log.close()


def moves_lines(table: Table, offers: Offers, *, quiet: bool) -> Iterator[str]:
    """What can be played, by its patterns; without a move, what is waited for."""
    if not offers and not quiet:
        yield from _what_next(table)
    for offer in offers:
        spelt = [table.game.grammar.spell(move) for move in offer.moves()]
        if quiet:
            yield from spelt
        elif spelt:
            yield from wrapped("", offer.pattern + ("" if offer.complete else "   (some of them)"))
            yield from in_columns(spelt)


def in_columns(texts: list[str]) -> list[str]:
    """Texts side by side in rows of at most 80 columns, set in by four."""
    rows = ["   "]
    for text in texts:
        if len(rows[-1]) + 3 + len(text) > WIDTH and rows[-1].strip():
            rows.append("   ")
        rows[-1] += f"   {text}" if rows[-1].strip() else f" {text}"
    return rows


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
    log = session.writer()
    try:
        table = Table(log, game_id(log, game))
        asker = acting_seat(table, seat)
        entries = table.undo(
            now=session.clock(),
            seat=asker,
            count=count,
            to=to,
            reason=reason,
            expect=expect,
            request=request,
            dry_run=dry_run,
        )
        answer(session, table, entries, asker, dry_run=dry_run)
        session.say("undone", game=table.id, seq=table.seq)
    finally:
        log.close()


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
    log = session.writer()
    try:
        table = Table(log, game_id(log, game))
        asker = acting_seat(table, seat)
        entries = table.redo(
            now=session.clock(), seat=asker, count=count, expect=expect, request=request, dry_run=dry_run
        )
        answer(session, table, entries, asker, dry_run=dry_run)
        session.say("redone", game=table.id, seq=table.seq)
    finally:
        log.close()


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
    log = session.writer()
    try:
        table = Table(log, game_id(log, game))
        by = acting_seat(table, seat)
        entries = table.agree(
            now=session.clock(),
            seat=by,
            no=no,
            withdraw=withdraw,
            expect=expect,
            request=request,
            dry_run=dry_run,
        )
        answer(session, table, entries, by, dry_run=dry_run)
        session.say("answered", game=table.id, seq=table.seq)
    finally:
        log.close()


def note(session: Session, game: str, seq: int, text: str, seat: str | None) -> None:
    """Comments on an event."""
    log = session.writer()
    try:
        table = Table(log, game_id(log, game))
        by = acting_seat(table, seat)
        answer(session, table, table.note(seq, text, now=session.clock(), seat=by), by)
    finally:
        log.close()


def close(session: Session, game: str, seat: str | None, reason: str) -> None:
    """Closes a game. A game that cannot be folded any more can still be closed."""
    from engines.kit.errors import Refusal
    from events.errors import Damaged

    log = session.writer()
    try:
        found = game_id(log, game)
        resigning = None
        if seat is not None:
            resigning = acting_seat(Table(log, found), seat)
        names, event = close_game(log, found, seat=resigning, reason=reason, now=session.clock())
        try:
            table = Table(log, found)
            answer(session, table, [Entry(table.seq, event)], resigning)
        except (Damaged, Refusal):
            session.warn("closed a game that cannot be read any more", game=found)
            if session.json:
                put(unreadable_document(log, found))
            else:
                say([f"Game {found} with {', '.join(names)} is closed: {event.outcome.reason}."])
    finally:
        log.close()


def unreadable_document(log: Database, game: str) -> dict[str, Any]:
    """The answer to a `close` of a game of which nothing more can be told."""
    return {"game": game, "seq": log.last(game), "events": [], "to_move": [], "result": None}


def run_file(session: Session, file: str, game: str | None) -> None:
    """Plays a script."""
    with ExitStack() as stack:
        programs = stack.enter_context(closing(SeatPrograms(session)))

        @cache
        def log() -> Database:
            return stack.enter_context(closing(session.writer(create=True)))

        table = None
        if game is not None:
            reader = stack.enter_context(closing(session.reader()))
            table = Table(log(), game_id(reader, game), programs=programs)
        last: Played | None = None
        for last in run_script(
            log,
            script_lines(file),
            clock=session.clock,
            ids=session.ids,
            secret=session.secrets,
            table=table,
            programs=programs,
        ):
            _told_line(session, last)
        if last is None:
            raise BadSetup(f"{file} holds no command", "a script begins with `create SLUG -p NAME ...`")
        if not session.json and not session.quiet:
            say([f"Game {last.table.id}.", *_what_next(last.table)])


def _told_line(session: Session, played: Played) -> None:
    table = played.table
    if session.json:
        put(batch_document(table, played.entries, None))
    elif not session.quiet:
        over = table.outcome is not None
        for seq, event in played.entries:
            sentences = told(table.game, table.names, event_seen(event, None, over=over))
            for number, sentence in enumerate(sentences):
                say(wrapped(f"{seq:>4}  " if number == 0 else "      ", sentence))
        say(_takeback(table, table.takeback, None))


def script_lines(file: str) -> Iterator[str]:
    """The lines of a script's file, - for standard input.

    :raises BadSetup: it cannot be read
    """
    try:
        if file == "-":
            yield from sys.stdin
            return
        with open(file, encoding="utf-8") as lines:
            yield from lines
    except OSError as error:
        raise BadSetup(f"{file} cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise BadSetup(f"{file} is no text in UTF-8") from error


#: So many games are listed on a terminal, unless more are asked for.
SCREENFUL = 50

_LISTED = [
    "game",
    "slug",
    "seats",
    "state",
    "to_move",
    "winners",
    "reason",
    "events",
    "moves",
    "created",
    "touched",
]


class Wanted(NamedTuple):
    """Which games a list is to hold.

    :param seat: only those with a seat of that name
    :param within: a condition that holds for those games only, and what is bound in it
    :param limit: so many at most, all of them if it is None
    """

    seat: str | None = None
    unfinished: bool = False
    within: tuple[str, Sequence[Any]] | None = None
    limit: int | None = None
    offset: int = 0


def among(games: Sequence[str]) -> tuple[str, Sequence[str]]:
    """The condition that a game is one of these, and what is bound in it."""
    return f"game in ({', '.join('?' * len(games)) or 'null'})", games


def listed(log: Database, wanted: Wanted, now: int) -> Iterator[dict[str, Any]]:
    """The documents of `list` at a moment, the last touched first, one by one."""
    where, values = ["true"], list[Any]()
    if wanted.seat is not None:  # the database leaves out most; what it leaves is looked at in `_with_seat`
        where.append("seats like ? escape '!'")
        begins = json.encode(wanted.seat[:64]).decode()[:-1]
        values.append("%" + "".join(f"!{letter}" if letter in "!%_" else letter for letter in begins) + "%")
    if wanted.unfinished:
        where.append("state = 'playing'")
    if wanted.within is not None:
        where.append(wanted.within[0])
        values += wanted.within[1]
    chosen = f"select {', '.join(_LISTED)} from games where {' and '.join(where)} order by touched desc, game"
    late: dict[str, list[int]] = {}
    with log.reading():
        for game, seat in log.select("select game, seat from clocks where due <= ? order by game, seat", (now,)):
            late.setdefault(game, []).append(seat)
        asked = pending(log.select)
        for columns in islice(_with_seat(log.select(chosen, values), wanted.seat), wanted.offset, _end(wanted)):
            row = dict(zip(_LISTED, columns, strict=True))
            names = row["seats"] = json.decode(row["seats"])
            takeback = asked.get(row["game"])
            yield row | {
                "to_move": json.decode(row["to_move"]),
                "winners": json.decode(row["winners"]),
                "created": iso(row["created"]),
                "touched": iso(row["touched"]),
                "overdue": [names[seat] for seat in late.get(row["game"], ())],
                "takeback": None if takeback is None else _asked_document(takeback, names),
            }


def _end(wanted: Wanted) -> int | None:
    return None if wanted.limit is None else wanted.offset + wanted.limit


def _with_seat(rows: Iterable[Sequence[Any]], name: str | None) -> Iterator[Sequence[Any]]:
    return (row for row in rows if name is None or name in json.decode(row[2]))


def _asked_document(takeback: Takeback, names: Sequence[str]) -> dict[str, Any]:
    """A request to take moves back, as a list tells it."""
    return {
        "asked_by": names[takeback.seat],
        "first": takeback.first,
        "last": takeback.last,
        "agreed": [names[seat] for seat in takeback.agreed],
        "waiting_for": [names[seat] for seat in takeback.waiting],
    }


def list_games(session: Session, seat: str | None, unfinished: bool, limit: int | None) -> None:
    """Lists the games of the database: `limit` of them, all if it is None; on a terminal then a screenful."""
    try:
        log = session.reader()
    except NoDatabase:  # no file, or an empty one: a list of no games
        if not session.json and not session.quiet:
            say([f"No games yet at {session.shown}: `turnlog create` starts one."])
        return
    try:
        if limit is None and not session.json and sys.stdout.isatty():
            limit = SCREENFUL
        number = 0
        wanted = Wanted(seat, unfinished, limit=None if limit is None else min(limit + 1, MOST))
        for number, row in enumerate(listed(log, wanted, session.clock()), 1):
            if limit is not None and number > limit:
                if not session.json and not session.quiet:
                    say([f"Games touched before these are left out: `turnlog list --limit {10 * limit}`."])
                break
            if session.json:
                put(row)
                continue
            say(listed_lines(row))
        if not number and not session.json and not session.quiet:
            asked = seat is not None or unfinished
            say(["No such game here." if asked else "No games here yet: `turnlog create` starts one."])
    finally:
        log.close()


def listed_lines(row: dict[str, Any]) -> list[str]:
    """A game of the list in words."""
    late = f" (overdue: {', '.join(row['overdue'])})" if row["overdue"] else ""
    state = f"{', '.join(row['to_move'])} to move{late}" if row["state"] == "playing" else row["reason"]
    takeback = row["takeback"]
    if takeback is not None:
        waiting = ", ".join(takeback["waiting_for"])
        state += f"; {takeback['asked_by']}'s takeback request waits for {waiting}"
    seats = ", ".join(row["seats"])
    return [f"{row['game']:<10} {row['slug']:<15} {row['moves']:>4} moves  {seats}", f"{'':10} {state}"]


def iso(at: int) -> str:
    """A time of the log as ISO 8601 in UTC."""
    from datetime import UTC, datetime, timedelta

    moment = datetime.fromtimestamp(0, UTC) + timedelta(microseconds=at)  # no float has all microseconds
    return moment.isoformat(timespec="milliseconds").replace("+00:00", "Z")


_STANDINGS = ["slug", "name", "games", "wins", "shared", "mean_score", "best_score"]


def standings_rows(log: Database, slug: str | None, *, public: bool = False) -> list[dict[str, Any]]:
    """The documents of `standings`, with `public` of what anybody may watch only."""
    where = ["true"]
    if public:
        where.append("game in (select game from public_games)")
    if slug is not None:
        where.append("slug = ?")
    found = log.select(
        f"""select slug, name, count(*), sum(won), sum(shared), avg(score), max(score) from results
        where {" and ".join(where)} group by slug, name order by slug, sum(won) desc, count(*), name""",
        () if slug is None else (slug,),
    )
    rows = [dict(zip(_STANDINGS, columns, strict=True)) for columns in found]
    for row in rows:
        if row["mean_score"] is not None:
            row["mean_score"] = round(row["mean_score"], 2)
    return rows


def standings(session: Session, slug: str | None) -> None:
    """Lists who won how often."""
    if slug is not None:
        game_of(slug)  # says so if there is no such game
    log = session.reader()
    try:
        say_standings(session, standings_rows(log, slug))
    finally:
        log.close()


def say_standings(session: Session, rows: list[dict[str, Any]]) -> None:
    """Tells who won how often."""
    if session.json:
        put(rows)
        return
    if not rows:
        say([] if session.quiet else ["No game is finished yet."])
        return
    say([f"{'game':<18}{'name':<22}{'games':>6}{'wins':>6}{'shared':>8}{'mean score':>12}{'best':>7}"])
    for row in rows:
        mean = "" if row["mean_score"] is None else f"{row['mean_score']:.2f}"
        best = "" if row["best_score"] is None else f"{row['best_score']:g}"
        say(
            [
                f"{row['slug']:<18}{row['name']:<22}{row['games']:>6}{row['wins']:>6}{row['shared']:>8}"
                f"{mean:>12}{best:>7}"
            ]
        )


def rebuild(session: Session) -> None:
    """Makes the lists anew."""
    from cli.progress import progress
    from projections.rebuild import rebuild as make_anew

    log = session.writer()
    try:
        with progress("games", len(log.games())) as tick:
            games, broken = make_anew(log, tick)
        for game in broken:
            session.warn("a game cannot be read, so no list has it", game=game)
        if session.json:
            put({"games": games, "broken": broken})
        else:
            say([f"The lists are made anew from {games} games."])
    finally:
        log.close()
