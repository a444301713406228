"""The command `simulate`: many games between bots, played, counted, written down and drawn."""

import csv
import gc
import os
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from typing import Any, NamedTuple

from cli.commands import put, say
from cli.playing import wrapped
from cli.programs import commands_of, running, seats_named
from cli.progress import progress
from cli.session import Session
from engines.keeping import Keeper
from engines.kit.errors import BadSetup, GamesFailed, WorkerLost
from engines.kit.game import PROGRAM, Game
from engines.parallel import cores, processes, spread
from engines.registry import game_of
from engines.simulation import Failed, Plan, Result, check, results
from engines.tally import Figures, Group, Tally, figures
from replays.wishes import CreateLine, wish_of

#: So many microseconds are played here before the decision whether other processes are worth their start.
PROBE = 500_000

#: They are, if what is left would take longer than this.
WORTH = 1_000_000


class Simulation(NamedTuple):
    """What was asked for. `workers` None is decided here; `csv` - is standard output."""

    create: CreateLine
    games: int
    rotate: bool = False
    workers: int | None = None
    dask: str | None = None
    csv: str | None = None
    plot: str | None = None
    keep: bool = False


def simulate(session: Session, asked: Simulation) -> None:
    """Plays the games and tells what they come to, also if it is interrupted."""
    gc.enable()  # it may take long
    create = asked.create
    game = game_of(create.slug)
    if any(person.startswith(PROGRAM) for person in create.persons):
        if asked.dask is not None:
            raise BadSetup(
                "programs are started on this machine only, not on a cluster's",
                "leave --dask out, or the seats that are exec:",
            )
        create = create._replace(persons=seats_named(create.persons))
    wish = wish_of(game, create)
    plan = Plan(
        game.slug,
        wish.persons,
        create.seed or "",
        wish.options,
        wish.stack,
        wish.components,
        asked.rotate,
        commands_of(wish.persons),
    )
    check(plan, asked.games)
    if asked.csv == "-" and session.json:
        raise BadSetup("--json and --csv - both want standard output", "give --csv a file")
    tally = Tally(plan)
    stopped: KeyboardInterrupt | WorkerLost | None = None
    keeper: Keeper | None = None
    start = session.clock()
    with ExitStack() as stack:
        draw = stack.enter_context(_picture(asked.plot)) if asked.plot is not None else None
        row = stack.enter_context(_sheet(asked.csv, plan)) if asked.csv is not None else None
        numbers = iter(range(asked.games))
        if asked.keep:
            log = stack.enter_context(closing(session.writer(create=True)))
            keeper = Keeper(log, plan, session.clock)
            numbers = (number for number in numbers if not keeper.has(number))
        stream = stack.enter_context(closing(_played(session, asked, plan, numbers)))
        tick = stack.enter_context(progress("games", asked.games))
        try:
            for one in keeper.joined(stream, asked.games) if keeper is not None else stream:
                tally.add(one)
                tick(one.number + 1)
                if row is not None:
                    row(one)
        except (KeyboardInterrupt, WorkerLost) as error:
            stopped = error
        finally:
            if keeper is not None:
                keeper.flush()
        if draw is not None and tally.games:
            draw(game, tally)
    if session.json:
        put(_document(asked, plan, tally, keeper))
    elif asked.csv != "-":
        say(_report(session, asked, game, tally, keeper))
    sys.stdout.flush()
    if not session.quiet:
        _tell_speed(tally, session.clock() - start)
    if stopped is not None:
        if isinstance(stopped, KeyboardInterrupt):
            sys.stderr.write(f"turnlog: interrupted after {tally.games + tally.failed} of {asked.games} games\n")
        raise stopped
    if tally.failed:
        raise _failure(plan, tally)


def _played(
    session: Session, asked: Simulation, plan: Plan, numbers: Iterator[int]
) -> Generator[Result, None, None]:
    """What came of the games of these numbers, in order, wherever they were played."""
    end, drafts = asked.games, asked.keep
    if asked.dask is not None:
        from engines.cluster import cluster

        with cluster(asked.dask) as (executor, width):
            yield from spread(executor, width, plan, numbers, end, drafts=drafts)
        return
    workers = asked.workers
    with closing(running(session, plan.programs.__getitem__)) as programs:
        if workers is None:
            workers = 1
            start = session.clock()
            for played, number in enumerate(numbers, 1):
                yield from results(plan, (number,), drafts=drafts, programs=programs)
                took = session.clock() - start
                if took > PROBE:
                    workers = cores() if took / played * (end - number - 1) > WORTH else 1
                    break
        if workers == 1:
            for number in numbers:
                yield from results(plan, (number,), drafts=drafts, programs=programs)
            return
    with processes(workers) as executor:
        yield from spread(executor, workers, plan, numbers, end, drafts=drafts)


def _failure(plan: Plan, tally: Tally) -> GamesFailed:
    told = "; ".join(f"game {one.number} (seed {plan.seed}/{one.number}): {one.error}" for one in tally.failures)
    more = ", the first ones" if tally.failed > len(tally.failures) else ""
    return GamesFailed(
        f"{tally.failed} of {tally.failed + tally.games} games failed{more}: {told}",
        f"`turnlog create {plan.slug}` with the same seats and such a seed plays one of them again",
    )


def _tell_speed(tally: Tally, took: int) -> None:
    if took > 0:
        seconds = took / 1_000_000
        moves = sum(moves * games for moves, games in tally.moves.items())
        sys.stderr.write(
            f"{tally.games} games in {seconds:.1f} s: {tally.games / seconds:,.1f} games, "
            f"{moves / seconds:,.0f} moves a second\n"
        )


# the answer ------------------------------------------------------------------------------------------------


def _document(asked: Simulation, plan: Plan, tally: Tally, keeper: Keeper | None) -> dict[str, Any]:
    document: dict[str, Any] = {
        "slug": plan.slug,
        "seed": plan.seed,
        "asked": asked.games,
        "games": tally.games,
        "stuck": tally.stuck,
        "failed": tally.failed,
        "failures": [
            {"number": one.number, "seed": f"{plan.seed}/{one.number}", "error": one.error}
            for one in tally.failures
        ],
        "moves": _described(figures(tally.moves), 1),
        "seats": [_described_group(group) for group in tally.seats],
        "bots": [
            {"seats": group.seats, **_described_group(group)} for group in tally.bots.values() if group.games
        ],
        "digest": tally.digest,
    }
    if keeper is not None:
        document["kept"] = {
            "first": keeper.id_of(0),
            "last": keeper.id_of(asked.games - 1),
            "written": keeper.written,
        }
    return document


def _described(found: Figures | None, digits: int = 2) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "min": found.min,
        "mean": round(found.mean, digits),
        "median": found.median,
        "max": found.max,
        "sd": round(found.sd, 2),
    }


def _described_group(group: Group) -> dict[str, Any]:
    score = figures(group.scores)
    interval = group.mean_interval
    return {
        "name": group.name,
        "wins": round(group.wins, 2),
        "share": round(group.share, 4),
        "share_interval": [round(end, 4) for end in group.share_interval],
        "mean_score": round(score.mean, 2) if score else None,
        "mean_score_interval": [round(end, 2) for end in interval] if interval else None,
        "score": _described(score),
        "forfeits": group.forfeits,
    }


def _report(session: Session, asked: Simulation, game: Game, tally: Tally, keeper: Keeper | None) -> Iterator[str]:
    moves = figures(tally.moves)
    if moves is None:
        yield "No game was played."
        return
    yield from wrapped(
        "",
        f"{tally.games} games of {game.title}, {tally.stuck} without an end; moves a game: "
        f"{moves.min} to {moves.max}, {moves.mean:.1f} on average, median {moves.median:g}, "
        f"standard deviation {moves.sd:.1f}.",
    )
    yield from _table("Seats", tally.seats)
    if asked.rotate or any(group.seats > 1 for group in tally.bots.values()):
        yield from _table("Bots (share and score are a seat's)", list(tally.bots.values()))
    if any(group.forfeits for group in tally.bots.values()):
        told = ", ".join(f"{group.name} {group.forfeits}" for group in tally.bots.values() if group.forfeits)
        yield from wrapped("", f"Moves forfeited: {told}. The log of a game that is kept (--keep) says why.")
    if keeper is not None and not session.quiet:
        yield from wrapped(
            "", f"Kept as {keeper.id_of(0)} to {keeper.id_of(asked.games - 1)}, {keeper.written} of them new."
        )


def _table(what: str, groups: Sequence[Group]) -> Iterator[str]:
    yield from ("", what)
    width = max(13, *(len(group.name) for group in groups))
    yield f"{'':<{width}}   wins  share        95 %   score     +-     sd   min median   max"
    for group in groups:
        low, high = group.share_interval
        line = f"{group.wins:>7.1f}{group.share:>7.1%}{f'{low * 100:.1f}-{high * 100:.1f}':>12}"
        score, interval = figures(group.scores), group.mean_interval
        if score is not None:
            half = f"{(interval[1] - interval[0]) / 2:.2f}" if interval else ""
            line += f"{score.mean:>8.2f}{half:>7}{score.sd:>7.1f}{score.min:>6}{score.median:>7g}{score.max:>6}"
        yield f"{group.name:<{width}}{line}"


# files -----------------------------------------------------------------------------------------------------


def _cell(text: str) -> str:
    """A text for a sheet; one that a spreadsheet would take for a formula gets an apostrophe before it."""
    return f"'{text}" if text.startswith(("=", "+", "-", "@", "\t", "\r")) else text


@contextmanager
def _sheet(path: str, plan: Plan) -> Generator[Callable[[Result], None]]:
    """A function that writes a game as a line of a CSV file."""
    names = plan.wish(0).game.seated(plan.persons)
    head = [f"{what}_{seat}" for seat in range(1, len(names) + 1) for what in ("name", "score")]
    with ExitStack() as stack:
        file: Any = sys.stdout if path == "-" else stack.enter_context(_new_file(path))
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["number", "seed", "moves", "reason", "winners", "digest", *head])

        def row(one: Result) -> None:
            seed = _cell(f"{plan.seed}/{one.number}")
            if isinstance(one, Failed):
                writer.writerow([one.number, seed, "", _cell(f"failed: {one.error}"), "", "", *[""] * len(head)])
                return
            outcome = one.outcome
            winners = " ".join(str(seat + 1) for seat in outcome.winners) if outcome else ""
            scores = outcome.scores if outcome else (None,) * len(names)
            seats = [cell for pair in zip(map(_cell, one.names), scores, strict=True) for cell in pair]
            reason = _cell(outcome.reason) if outcome else "no end"
            writer.writerow([one.number, seed, one.moves, reason, winners, one.digest, *seats])

        yield row


def _new_file(path: str, mode: str = "x") -> Any:
    """A file that did not exist.

    :raises BadSetup: it does, or cannot be written
    """
    try:
        return open(path, mode, encoding="utf-8", newline="")
    except FileExistsError as error:
        raise BadSetup(f"{path} exists already", "name a file that is not there yet") from error
    except (OSError, ValueError) as error:  # ValueError: a name with a NUL in it
        raise BadSetup(f"{path!r} cannot be written: {getattr(error, 'strerror', None) or error}") from error


@contextmanager
def _picture(path: str) -> Generator[Callable[[Game, Tally], None]]:
    """A function that draws the games into a file; what hinders it is said before they are played."""
    if not path.endswith((".png", ".svg")):
        raise BadSetup(f"--plot makes a .png or an .svg, not {path!r}")
    try:
        from cli.plotting import drawn
    except ImportError as error:
        raise BadSetup("--plot needs matplotlib, which is not installed", "pip install 'turnlog[plot]'") from error
    _new_file(path).close()
    try:
        yield lambda game, tally: drawn(path, game.title, tally)
    finally:
        if not os.path.getsize(path):
            os.remove(path)
