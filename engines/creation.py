"""Starting and closing games."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import msgspec
from msgspec import json

from engines.decide import applied
from engines.kit.bots import Programs, bot_of, check_programs
from engines.kit.chance import Chance
from engines.kit.errors import BadSetup, NoSuchSlug, Refusal
from engines.kit.game import Game
from engines.kit.setfile import shipped_set
from engines.table import UNDO_POLICIES, Entry, Table, batch_of, check_request, check_words
from events.codec import ENVELOPE
from events.digest import fingerprint
from events.errors import Conflict, Damaged, GameExists, RequestReused, TooNew
from events.log import Database, Store
from events.model import CLOSED, Clock, Draft, GameClosed, GameCreated, Origin, Outcome, Row
from projections.position import first_row, slug_of
from projections.readmodels import update
from projections.timeline import Timeline

#: The most characters of a seed, of a stack's JSON, of a closing reason.
LONGEST_SEED = 200


class Wish(NamedTuple):
    """What somebody asks for who starts a game. A seed of None is drawn."""

    game: Game
    persons: tuple[str, ...]
    options: Mapping[str, str] = {}
    undo: str = "free"
    seed: str | None = None
    stack: Mapping[str, list[Any]] = {}
    components: Any = None
    origin: Origin | None = None
    clock: Clock | None = None


def begun(wish: Wish, secret: Callable[[], str]) -> tuple[GameCreated[Any, Any], Any]:
    """The creation that a wish makes, and the state after it.

    :param secret: makes a text that nobody can guess
    :raises SetupRefused, BadSetup: seats, options or stack do not make a game
    """
    game = wish.game
    names = game.seated(wish.persons)
    for name in wish.persons:
        bot_of(game, name)
    options = game.chosen(names[: len(wish.persons)], wish.options)
    if wish.undo not in UNDO_POLICIES:
        raise BadSetup(f"--undo is one of {', '.join(UNDO_POLICIES)}, not {wish.undo!r}")
    for draw in wish.stack:
        if draw not in game.draws:
            raise BadSetup(
                f"the stack fixes a draw {draw!r}, which {game.slug} does not have",
                "its draws: " + ", ".join(game.draws),
            )
    seed = secret() if wish.seed is None else wish.seed
    if not 1 <= len(seed) <= LONGEST_SEED or not seed.isprintable():
        raise BadSetup(f"a seed has 1 to {LONGEST_SEED} printable characters, not {seed[:40]!r} ({len(seed)})")
    salt = secret()
    components = shipped_set(game) if wish.components is None else wish.components
    state = game.state.begin(names, options, components)
    chance = Chance(seed, {}, wish.stack)
    facts = tuple(applied(game, state, game.rules.setup(state, names, options, chance)))
    created: GameCreated[Any, Any] = GameCreated(
        slug=game.slug,
        rules=game.rules_version,
        seats=names,
        options=options,
        undo=wish.undo,
        set=components,
        seed=seed,
        salt=salt,
        stack=dict(wish.stack),
        seed_digest=fingerprint(f"{salt}/{seed}"),
        facts=facts,
        draws=chance.draws,
        next=game.rules.to_move(state),
        automatic=tuple(range(len(wish.persons), len(names))),
        outcome=game.rules.outcome(state),
        origin=wish.origin,
        clock=wish.clock,
    )
    return created, state


def check_wish(wish: Wish, game_id: str) -> None:
    """Refuses what `create` would refuse whatever the log holds, so that no file need be made for it.

    :raises SetupRefused, BadSetup, StackMisfit: no game comes of the wish
    """
    check_id(game_id)
    begun(wish, lambda: "seed")


def create(
    log: Database,
    wish: Wish,
    game_id: str,
    *,
    now: int,
    secret: Callable[[], str],
    request: str | None = None,
    bots: bool = True,
    programs: Programs | None = None,
) -> tuple[Table, list[Entry]]:
    """Starts a game; bots that are to move first move in the same transaction.

    :raises GameExists: the id is taken; SetupRefused, BadSetup, StackMisfit: no game comes of the wish;
        ProgramRefused: a seat's program may not or cannot be started
    """
    if request is not None:
        check_request(request)
    before = _created(log, wish, request)
    if before is not None:
        return before
    check_id(game_id)
    created, state = begun(wish, secret)
    if bots:
        check_programs(created.seats, programs)
    try:
        return Table.started(
            log, game_id, wish.game, created, state, now=now, request=request, bots=bots, programs=programs
        )
    except (GameExists, RequestReused):
        before = _created(log, wish, request)  # by another process just now
        if before is None:
            raise
        return before


def _created(log: Database, wish: Wish, request: str | None) -> tuple[Table, list[Entry]] | None:
    """The game that `request` made before, as it began; None if it made none.

    :raises RequestReused: it made another one than is wished for
    """
    row = None if request is None else log.asked(request, None)
    if row is None:
        return None
    table = Table(log, row.game)
    if not _same(table.created, wish):
        raise RequestReused(row.request or "", row.game, row.seq)
    entries = batch_of(table, row)
    return Table(log, row.game, at=entries[-1].seq), entries


def _same(created: GameCreated[Any, Any], wish: Wish) -> bool:
    names = wish.game.seated(wish.persons)
    return (
        created.slug == wish.game.slug
        and created.seats == names
        and created.options == wish.game.chosen(names[: len(wish.persons)], wish.options)
        and created.undo == wish.undo
        and created.clock == wish.clock
        and wish.seed in (None, created.seed)
        and created.stack == dict(wish.stack)
        and created.set == (shipped_set(wish.game) if wish.components is None else wish.components)
    )


def check_id(game_id: str) -> None:
    """Holds a game's id to what can be typed everywhere.

    :raises BadSetup: it is none
    """
    plain = game_id.isascii() and game_id.replace("-", "").replace("_", "").isalnum()
    if not 1 <= len(game_id) <= 64 or not plain or game_id.startswith(("-", "_")):
        shown = game_id if len(game_id) <= 64 else game_id[:61] + "..."
        raise BadSetup(f"{shown!r} cannot be a game's id", "letters, digits, - and _, at most 64")


def close_game(
    log: Database,
    game_id: str,
    *,
    seat: int | None,
    reason: str,
    now: int,
    why: str | None = None,
    expect: int | None = None,
) -> tuple[tuple[str, ...], GameClosed]:
    """Closes a game for good: `seat` resigns, or (None) it is abandoned. Works on a broken game too.

    In a game of two seats the other one wins by a resignation. Gives the seats' names and the event.

    :param why: what happened, if it was neither
    :param expect: the game's last event, as whoever closes it knows it
    :raises Refusal: it is over or closed already; TooNew: a newer turnlog went on with it; Conflict: it went on
    """
    check_words(reason, "a reason")
    row = first_row(log, game_id)
    names = _names(row)
    last = log.last(game_id)
    if expect is not None and last != expect:
        raise Conflict(game_id, expect, last)
    timeline = Timeline(seq=last, changed=last, standing=[(1, 1)])
    schema = ENVELOPE * 1000 + 1
    try:
        table = Table(log, game_id)
    except TooNew:  # it is not broken
        raise
    except (Damaged, NoSuchSlug):
        if any(r.kind == CLOSED for r in log.rows(game_id)):
            raise Refusal(f"game {game_id} is closed already") from None
    else:
        if table.position.timeline.closed:
            raise Refusal(f"game {game_id} is closed already")
        if table.outcome is not None:
            raise Refusal(f"game {game_id} is over already: {table.outcome.reason}")
        timeline, schema = table.position.timeline, table.game.projector.codec.schema
    winners = (1 - seat,) if seat is not None and len(names) == 2 else ()
    if why is None:
        why = f"{names[seat]} resigned" if seat is not None else "abandoned"
    event = GameClosed(
        seat=seat,
        reason=reason,
        outcome=Outcome(winners, (None,) * len(names), f"{why}: {reason}" if reason else why),
    )

    def inside(store: Store, rows: Any) -> None:
        timeline.note(CLOSED, last + 1, "")
        update(store, game_id, timeline, rows)

    draft = Draft(CLOSED, "table" if seat is None else names[seat], schema, json.encode(event).decode(), None)
    log.append(game_id, [draft], expect=last, at=now, inside=inside)
    return names, event


class _Seats(msgspec.Struct):
    seats: tuple[str, ...]


def _names(row: Row) -> tuple[str, ...]:
    slug_of(row)
    return json.decode(row.data, type=_Seats).seats
