"""The commands, as Typer knows them. Each imports what it needs when it is run."""

import os
import sys
from typing import Annotated, Any

import typer

from cli import completion
from cli.failures import EXPECTED, check_encoding, report
from cli.session import Session

app = typer.Typer(
    name="turnlog",
    help="Play modern board and card games by typed commands; every action is an event in a log.",
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    no_args_is_help=True,
    context_settings={"help_option_names": ["-h", "--help"]},
)

Db = Annotated[
    str | None,
    typer.Option("--db", metavar="FILE", help="The database: a file, or postgresql://... (or TURNLOG_DB)."),
]
Server = Annotated[
    str | None,
    typer.Option("--server", metavar="URL", help="Ask a server instead of a file (or TURNLOG_SERVER)."),
]
Json = Annotated[bool, typer.Option("--json", help="Answer with JSON.")]
Quiet = Annotated[bool, typer.Option("--quiet", "-q", help="Plain and short answers.")]
Game = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="A game's id, a unique beginning of it, or @ for the one last touched.",
        autocompletion=completion.games,
    ),
]
As = Annotated[
    str | None,
    typer.Option(
        "--as",
        metavar="SEAT",
        help="A seat (name or number), spectator (for reading, the default) or referee.",
        autocompletion=completion.viewers,
    ),
]
By = Annotated[
    str | None,
    typer.Option("--as", metavar="SEAT", help="The seat that acts.", autocompletion=completion.seats),
]
At = Annotated[int | None, typer.Option("--at", metavar="SEQ", help="As it stood after that event.")]
Slug = Annotated[
    str, typer.Argument(metavar="SLUG", help="A game, as `games` lists it.", autocompletion=completion.slugs)
]
Persons = Annotated[
    list[str] | None,
    typer.Option("-p", "--player", metavar="NAME", help="A seat; bot:NAME and exec:COMMAND play by themselves."),
]
OptionsGiven = Annotated[
    list[str] | None, typer.Option("-o", "--option", metavar="KEY=VALUE", help="An option of the game.")
]
Stack = Annotated[str | None, typer.Option("--stack", metavar="FILE", help="First outcomes of draws, as JSON.")]
SetFile = Annotated[str | None, typer.Option("--set", metavar="FILE", help="Another set of components, as TOML.")]
Expect = Annotated[
    int | None,
    typer.Option("--expect", metavar="SEQ", help="Refuse unless this event was the last to change it."),
]
Request = Annotated[
    str | None,
    typer.Option("--request", metavar="ID", help="Said twice with one ID, a command is done once."),
]
DryRun = Annotated[bool, typer.Option("--dry-run", help="Tell what would happen, write nothing.")]


def _version(asked: bool) -> None:
    if asked:
        from importlib.metadata import version

        typer.echo(f"turnlog {version('turnlog')}")
        raise typer.Exit


@app.callback()
def turnlog(
    ctx: typer.Context,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
    log_level: Annotated[str, typer.Option("--log-level", help="debug, info, warning or error.")] = "warning",
    log_file: Annotated[
        str | None, typer.Option("--log-file", metavar="FILE", help="Log as JSON lines to this file.")
    ] = None,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="The version.")
    ] = False,
) -> None:
    """Play modern board and card games by typed commands; every action is an event in a log."""
    if log_level not in ("debug", "info", "warning", "error"):
        raise typer.BadParameter(f"{log_level!r} is none of debug, info, warning, error")
    if log_file is not None:
        try:
            open(log_file, "a", encoding="utf-8").close()
        except (OSError, ValueError) as error:
            raise typer.BadParameter(f"{log_file!r} cannot be written: {error}") from error
    ctx.obj = Session(db, json, quiet, log_level, log_file, server=server)


#: These need neither a file nor a server, or a file always.
_WITHOUT = {"games", "rules", "login", "logout", "simulate", "serve", "allow", "fuzz", "recover"}


def _session(
    ctx: typer.Context, db: str | None, json: bool, quiet: bool = False, server: str | None = None
) -> Session:
    """The session of a command. `server` is None for one that knows none as well as where none was said."""
    session: Session = ctx.obj
    db, said = db or session.db, server or session.server
    if db is None and ctx.info_name not in _WITHOUT:
        said = said or os.environ.get("TURNLOG_SERVER") or None
    if said is not None:
        if db is not None:
            raise typer.BadParameter("--db names a file and --server a server: say one of them")
        if "server" not in ctx.params:
            raise typer.BadParameter(f"`{ctx.info_name}` is nothing that a server does: say --db FILE")
        from cli.tokens import server_url

        said = server_url(said)
    return session._replace(db=db, server=said, json=json or session.json, quiet=quiet or session.quiet)


@app.command()
def games(ctx: typer.Context, db: Db = None, json: Json = False, quiet: Quiet = False) -> None:
    """The games that can be played."""
    from cli.library import games as run

    run(_session(ctx, db, json, quiet))


@app.command()
def rules(
    ctx: typer.Context,
    slug: Slug,
    blank: Annotated[bool, typer.Option("--blank", help="Print the game's blank sheet instead.")] = False,
    check: Annotated[
        str | None, typer.Option("--check", metavar="FILE", help="Find all faults of a sheet filled in.")
    ] = None,
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The rules of a game: how it goes, its notation, options and chance draws, what is house."""
    from cli import library

    session = _session(ctx, db, json, quiet)
    if check is not None:
        library.check_sheet(session, slug, check)
    elif blank:
        library.blank_sheet(session, slug)
    else:
        library.rules(session, slug)


@app.command()
def create(
    ctx: typer.Context,
    slug: Slug,
    players: Persons = None,
    options: OptionsGiven = None,
    seed: Annotated[str | None, typer.Option("--seed", metavar="S", help="Fixes all chance.")] = None,
    stack: Stack = None,
    set_: SetFile = None,
    undo: Annotated[
        str,
        typer.Option(
            "--undo",
            metavar="POLICY",
            help="free, own, safe, ask (all others agree) or off.",
            autocompletion=completion.policies,
        ),
    ] = "free",
    id_: Annotated[str | None, typer.Option("--id", metavar="ID", help="The game's id.")] = None,
    public: Annotated[bool, typer.Option("--public", help="On a server, anybody may watch it.")] = False,
    pace: Annotated[
        str | None, typer.Option("--pace", metavar="TIME", help="So long a seat may take: 10m, 24h, 3d.")
    ] = None,
    on_timeout: Annotated[
        str | None,
        typer.Option("--on-timeout", metavar="WHAT", help="What `tick` does then: bot (moves), skip or close."),
    ] = None,
    request: Request = None,
    dry_run: DryRun = False,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Start a game."""
    from replays.wishes import CreateLine

    asked = CreateLine(slug, tuple(players or ()), tuple(options or ()), seed, stack, set_, undo, id_)
    asked = asked._replace(pace=pace, on_timeout=on_timeout)
    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import create as run
    else:
        from cli.commands import create as run
    run(session, asked, request, dry_run, public)


@app.command("list")
def list_(
    ctx: typer.Context,
    seat: Annotated[str | None, typer.Option("--player", "-p", help="Only games with this seat.")] = None,
    open_: Annotated[bool, typer.Option("--open", help="Only games that are not over.")] = False,
    limit: Annotated[
        int | None,
        typer.Option("-n", "--limit", min=1, metavar="N", help="So many at most; 50 on a terminal, else all."),
    ] = None,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The games of the database, the last touched first."""

    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import list_games as run
    else:
        from cli.commands import list_games as run
    run(session, seat, open_, limit)


@app.command()
def show(
    ctx: typer.Context,
    game: Game,
    seat: As = None,
    at: At = None,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The board of a game."""

    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import show as run
    else:
        from cli.commands import show as run
    run(session, game, seat, at)


@app.command()
def moves(
    ctx: typer.Context,
    game: Game,
    seat: As = None,
    at: At = None,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """What can be played now; without --as for the seat to move."""

    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import moves as run
    else:
        from cli.commands import moves as run
    run(session, game, seat, at)


@app.command(context_settings={"ignore_unknown_options": False})
def play(
    ctx: typer.Context,
    game: Game,
    move: Annotated[
        list[str],
        typer.Argument(
            metavar="MOVE...",
            help="A move as `moves` spells it; @FILE stands for a file's content.",
            autocompletion=completion.moves,
        ),
    ],
    seat: By = None,
    expect: Expect = None,
    request: Request = None,
    dry_run: DryRun = False,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play a move."""
    from cli.playing import Play

    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import play as run
    else:
        from cli.playing import play as run
    run(session, Play(game, tuple(move), seat, expect, request, dry_run))


@app.command()
def run(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A script, - for standard input.")],
    game: Annotated[
        str | None,
        typer.Option("--game", metavar="GAME", help="The game to go on with.", autocompletion=completion.games),
    ] = None,
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play a script: `create ...`, `[SEAT:] MOVE`, `undo`, `# comment`; stops at the first refusal."""
    from cli.commands import run_file

    run_file(_session(ctx, db, json, quiet), file, game)


@app.command()
def undo(
    ctx: typer.Context,
    game: Game,
    to: Annotated[int | None, typer.Option("--to", metavar="SEQ", help="The last event that shall stand.")] = None,
    count: Annotated[int, typer.Option("-n", metavar="N", help="So many moves.")] = 1,
    seat: By = None,
    reason: Annotated[str, typer.Option("--reason", help="Why, for the log.")] = "",
    expect: Expect = None,
    request: Request = None,
    dry_run: DryRun = False,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Take back the last move of a person, with what bots answered; under --undo ask, ask the others to agree."""

    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import undo as run
    else:
        from cli.commands import undo as run
    run(session, game, seat, count, to, reason, expect, request, dry_run)


@app.command()
def redo(
    ctx: typer.Context,
    game: Game,
    count: Annotated[int, typer.Option("-n", metavar="N", help="So many undos.")] = 1,
    seat: By = None,
    expect: Expect = None,
    request: Request = None,
    dry_run: DryRun = False,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Put back what was undone last, as long as no new move was made."""

    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import redo as run
    else:
        from cli.commands import redo as run
    run(session, game, seat, count, expect, request, dry_run)


@app.command()
def agree(
    ctx: typer.Context,
    game: Game,
    seat: By = None,
    no: Annotated[bool, typer.Option("--no", help="Do not agree: the moves stand.")] = False,
    withdraw: Annotated[bool, typer.Option("--withdraw", help="Take your own request away.")] = False,
    expect: Expect = None,
    request: Request = None,
    dry_run: DryRun = False,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Agree that moves are taken back, in a game created with --undo ask; `show` tells what is asked for."""

    if no and withdraw:
        raise typer.BadParameter("--no is for those who are asked, --withdraw for who asks: say one of them")
    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import agree as run
    else:
        from cli.commands import agree as run
    run(session, game, seat, no, withdraw, expect, request, dry_run)


@app.command()
def log(
    ctx: typer.Context,
    game: Game,
    seat: As = None,
    follow: Annotated[bool, typer.Option("--follow", "-f", help="Go on as the game goes on.")] = False,
    notes: Annotated[bool, typer.Option("--notes", help="Each note beneath the event it is about.")] = False,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """What happened, event by event."""

    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import log as run
    else:
        from cli.review import log as run
    run(session, game, seat, follow, notes)


@app.command()
def replay(
    ctx: typer.Context,
    game: Game,
    seat: As = None,
    from_: Annotated[int, typer.Option("--from", metavar="SEQ", help="The first event.")] = 1,
    to: Annotated[int | None, typer.Option("--to", metavar="SEQ", help="The last event.")] = None,
    step: Annotated[int, typer.Option("--step", metavar="N", min=1, help="Show each Nth event.")] = 1,
    speed: Annotated[
        float,
        typer.Option("--speed", metavar="N", min=0, max=1000, help="Events a second; 0 waits for nothing."),
    ] = 0,
    undone: Annotated[bool, typer.Option("--undone", help="Walk through what was taken back, too.")] = False,
    plain: Annotated[bool, typer.Option("--plain", help="Text, one event after another, no player.")] = False,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Walk through the boards of a game: a player on a terminal (with the extra turnlog[tui]), else text."""

    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import replay as run
    else:
        from cli.review import replay as run
    run(session, game, seat, (from_, to, step), speed, undone, plain)


@app.command()
def export(
    ctx: typer.Context,
    game: Game,
    format_: Annotated[
        str, typer.Option("--format", metavar="FORMAT", help="jsonl, transcript, markdown or html.")
    ] = "jsonl",
    seat: As = None,
    output: Annotated[
        str | None,
        typer.Option("--output", "-O", metavar="FILE", help="Write to a file, which must not exist."),
    ] = None,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A game as a file: its log (jsonl), a script that plays it (transcript), a report (markdown), a page (html).

    With --as it holds what that viewer may know and no more. Without, jsonl and transcript hold all secrets,
    markdown and html what a spectator sees, and everything once the game is over.
    """

    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import export as run
    else:
        from cli.review import export as run
    run(session, game, format_, seat, output)


@app.command()
def annotate(
    ctx: typer.Context, game: Game, seat: As = None, db: Db = None, json: Json = False, quiet: Quiet = False
) -> None:
    """The key moments of a game: changes of the lead, the costliest move, lines taken back."""
    from cli.review import annotate as run

    run(_session(ctx, db, json, quiet), game, seat)


@app.command()
def diff(
    ctx: typer.Context,
    what: Annotated[
        list[str],
        typer.Argument(metavar="GAME A B | GAME GAME", help="A game and two of its events, or two games."),
    ],
    seat: As = None,
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """What changed between two moments of a game, or differs between two games."""
    from cli.comparing import diff as run

    run(_session(ctx, db, json, quiet), what, seat)


@app.command()
def fork(
    ctx: typer.Context,
    game: Game,
    at: At = None,
    seat: Annotated[
        str | None,
        typer.Option(
            "--as",
            metavar="SEAT",
            help="Guess at what this viewer cannot see; referee (the default) knows all.",
            autocompletion=completion.viewers,
        ),
    ] = None,
    same_chance: Annotated[bool, typer.Option("--same-chance", help="Draw as the old game would.")] = False,
    id_: Annotated[str | None, typer.Option("--id", metavar="ID", help="The new game's id.")] = None,
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A new game from a moment of another one, with new chance."""
    from cli.comparing import fork as run

    run(_session(ctx, db, json, quiet), game, at, seat, same_chance, id_)


@app.command()
def notes(
    ctx: typer.Context,
    game: Game,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """The notes on a game, by the event they are about."""
    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import notes as run
    else:
        from cli.comparing import notes as run
    run(session, game)


@app.command("import")
def import_(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="What `export` wrote, - for standard input.")],
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Take a game in; a file that is not right is refused whole."""
    from cli.review import import_file

    import_file(_session(ctx, db, json, quiet), file)


@app.command()
def verify(
    ctx: typer.Context,
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game.", autocompletion=completion.games)
    ] = None,
    all_: Annotated[bool, typer.Option("--all", help="Every game, and the file itself.")] = False,
    rules_: Annotated[
        bool, typer.Option("--rules", help="Tell, too, which event today's rules would make otherwise.")
    ] = False,
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Hold a log to its chain and its fold."""
    from cli.review import verify as run

    if (game is None) == (not all_):
        raise typer.BadParameter("say one GAME, or --all")
    run(_session(ctx, db, json, quiet), game, rules_)


@app.command()
def note(
    ctx: typer.Context,
    game: Game,
    seq: Annotated[int, typer.Argument(metavar="SEQ", help="The event it is about.")],
    text: Annotated[list[str], typer.Argument(metavar="TEXT...", help="The comment.")],
    seat: By = None,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Comment on an event; a note changes nothing and survives undo."""

    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import note as run
    else:
        from cli.commands import note as run
    run(session, game, seq, " ".join(text), seat)


@app.command()
def close(
    ctx: typer.Context,
    game: Game,
    seat: By = None,
    reason: Annotated[str, typer.Option("--reason", help="Why, for the log.")] = "",
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """End a game by hand: --as SEAT resigns, without it the game is abandoned."""

    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import close as run
    else:
        from cli.commands import close as run
    run(session, game, seat, reason)


@app.command()
def standings(
    ctx: typer.Context,
    slug: Annotated[
        str | None, typer.Argument(metavar="SLUG", help="Only this game.", autocompletion=completion.slugs)
    ] = None,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Who won how often."""
    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import standings as run
    else:
        from cli.commands import standings as run
    run(session, slug)


@app.command()
def simulate(
    ctx: typer.Context,
    slug: Slug,
    players: Persons = None,
    count: Annotated[int, typer.Option("-n", metavar="N", min=1, max=1_000_000, help="So many games.")] = 100,
    options: OptionsGiven = None,
    seed: Annotated[str, typer.Option("--seed", metavar="S", help="The same seed, the same games.")] = "1",
    stack: Stack = None,
    set_: SetFile = None,
    rotate: Annotated[bool, typer.Option("--rotate", help="Bots move up a seat from game to game.")] = False,
    workers: Annotated[
        int | None,
        typer.Option("--workers", metavar="N", min=1, max=1024, help="Processes; unasked, as many as pay."),
    ] = None,
    dask: Annotated[
        str | None,
        typer.Option("--dask", metavar="ADDRESS", help="Play on a Dask cluster (with the extra turnlog[dask])."),
    ] = None,
    csv: Annotated[
        str | None, typer.Option("--csv", metavar="FILE", help="A line a game, - for standard output.")
    ] = None,
    plot: Annotated[
        str | None,
        typer.Option("--plot", metavar="FILE", help="Draw a .png or .svg (with the extra turnlog[plot])."),
    ] = None,
    keep: Annotated[bool, typer.Option("--keep", help="Keep the games in the database.")] = False,
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play many games between bots and count: wins, scores, lengths."""
    from cli.simulating import Simulation
    from cli.simulating import simulate as run
    from replays.wishes import CreateLine

    if dask is not None and workers is not None:
        raise typer.BadParameter("--dask plays on the cluster's workers: leave --workers out")
    create = CreateLine(slug, tuple(players or ()), tuple(options or ()), seed, stack, set_)
    run(_session(ctx, db, json, quiet), Simulation(create, count, rotate, workers, dask, csv, plot, keep))


Url = Annotated[str | None, typer.Option("--url", metavar="URL", help="Where people reach the server, for links.")]


@app.command()
def serve(
    ctx: typer.Context,
    host: Annotated[str, typer.Option("--host", help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option("--port", min=0, max=65535, help="The port; 0 takes a free one.")] = 8765,
    url: Url = None,
    open_: Annotated[bool, typer.Option("--open", help="Anybody may start games.")] = False,
    proxied: Annotated[
        bool, typer.Option("--proxied", help="A proxy on this machine says who asks (X-Forwarded-For).")
    ] = False,
    programs: Annotated[
        bool, typer.Option("--programs", help="Let programs that you allowed play seats named exec:NAME.")
    ] = False,
    rate: Annotated[
        float, typer.Option("--rate", metavar="N", min=0.1, max=100_000, help="Requests a second of one asker.")
    ] = 20,
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Let people on other machines play, over HTTP (with the extra turnlog[server])."""
    from importlib.util import find_spec

    if find_spec("starlette") is None or find_spec("uvicorn") is None:
        raise typer.BadParameter("`serve` comes with the extra: pip install 'turnlog[server]'")
    from cli.server.serving import Serve
    from cli.server.serving import serve as run

    run(_session(ctx, db, json, quiet), Serve(host, port, url, open_, proxied, rate, programs))


@app.command()
def invite(
    ctx: typer.Context,
    game: Annotated[
        str | None, typer.Argument(metavar="GAME", help="The game.", autocompletion=completion.games)
    ] = None,
    seat: Annotated[
        str | None,
        typer.Argument(
            metavar="SEAT", help="A seat (name or number), spectator or owner.", autocompletion=completion.seats
        ),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="Tell which tokens the game has.")] = False,
    revoke: Annotated[
        bool, typer.Option("--revoke", help="Make the tokens of that seat void, and shut it if it is open.")
    ] = False,
    open_: Annotated[bool, typer.Option("--open", help="Let anybody take that seat, from the lobby.")] = False,
    public: Annotated[
        bool | None, typer.Option("--public/--private", help="Whether anybody may watch, without a token.")
    ] = None,
    starter: Annotated[bool, typer.Option("--starter", help="A token that starts games on the server.")] = False,
    url: Url = None,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """A link for a player, a spectator or the owner of a game on the server."""
    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli import client as inviting
    else:
        from cli import inviting
    if starter and game is None and not list_ and public is None:
        if session.server is not None:
            raise typer.BadParameter("--starter is for whoever runs the server, on its file")
        from cli.inviting import invite_to_server

        invite_to_server(session, revoke)
    elif (
        game is None
        or starter
        or (seat is None) == (not list_ and public is None)
        or (seat is None and (revoke or open_))
        or (revoke and open_)
    ):
        raise typer.BadParameter("say GAME SEAT, GAME --list, GAME --public, GAME --private, or --starter")
    elif seat is not None and open_:
        inviting.open_to_take(session, game, seat)
    elif seat is not None:
        inviting.invite(session, game, seat, revoke, url or os.environ.get("TURNLOG_URL"))
    elif list_:
        inviting.list_tokens(session, game)
    else:
        inviting.open_to_all(session, game, bool(public))


@app.command()
def login(
    ctx: typer.Context,
    link: Annotated[
        str | None,
        typer.Argument(metavar="[LINK]", help="An invitation's link, or a server whose token is asked for."),
    ] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Keep the token of an invitation for commands with --server; lists those that are kept."""
    from cli.tokens import login as run

    run(_session(ctx, None, json, quiet), link)


@app.command()
def logout(
    ctx: typer.Context,
    server: Annotated[str, typer.Argument(metavar="URL", help="The server.")],
    game: Annotated[str | None, typer.Argument(metavar="[GAME]", help="Only this game's.")] = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Forget the tokens that are kept for a server."""
    from cli.tokens import logout as run

    run(_session(ctx, None, json, quiet), server, game)


@app.command()
def allow(
    ctx: typer.Context,
    command: Annotated[
        str | None, typer.Argument(metavar="[NAME=]COMMAND", help="A program, with its words.")
    ] = None,
    forget: Annotated[
        str | None, typer.Option("--forget", metavar="NAME", help="Take the agreement to it back.")
    ] = None,
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Agree that a program may play seats (exec:NAME) on this machine; lists those that may."""
    from cli.library import allow as run

    run(_session(ctx, db, json, quiet), command, forget)


@app.command()
def fuzz(
    ctx: typer.Context,
    slugs: Annotated[
        list[str] | None,
        typer.Argument(metavar="[SLUG]...", help="Games, unasked all.", autocompletion=completion.slugs),
    ] = None,
    count: Annotated[
        int | None, typer.Option("--games", metavar="N", min=1, help="So many games of each, unasked 10.")
    ] = None,
    seconds: Annotated[
        int | None, typer.Option("--seconds", metavar="N", min=1, help="Go on for so long, instead.")
    ] = None,
    seed: Annotated[str, typer.Option("--seed", metavar="S", help="The same seed, the same games.")] = "1",
    first: Annotated[int, typer.Option("--first", metavar="N", min=0, help="The number of the first game.")] = 0,
    steps: Annotated[int, typer.Option("--steps", metavar="N", min=1, help="So many a game, at most.")] = 250,
    out: Annotated[str, typer.Option("--out", metavar="FOLDER", help="Where failures are written to.")] = ".",
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Play at random, legally and not, in databases of its own, and hold everything to what must be true.

    A failure is written as a log that `import` takes, with a text of the steps to it.
    """
    from cli.fuzzing import Fuzz
    from cli.fuzzing import fuzz as run

    run(_session(ctx, db, json, quiet), Fuzz(tuple(slugs or ()), count, seconds, seed, first, steps, out))


@app.command()
def tick(
    ctx: typer.Context,
    game: Annotated[
        str | None,
        typer.Argument(metavar="[GAME]", help="Only this game.", autocompletion=completion.games),
    ] = None,
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Act for seats whose time is out, and deliver notices; for cron."""
    from cli.ticking import tick_file as run

    run(_session(ctx, db, json, quiet), game)


@app.command()
def orders(
    ctx: typer.Context,
    game: Game,
    move: Annotated[
        list[str] | None, typer.Argument(metavar="[MOVE...]", help="A move, or MOVE if legal, which is the same.")
    ] = None,
    seat: By = None,
    list_: Annotated[bool, typer.Option("--list", help="Tell which orders the seat has left.")] = False,
    drop: Annotated[int | None, typer.Option("--drop", metavar="N", help="Take that order back.")] = None,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Leave a move to be made when your seat comes to move; nobody else is shown it before."""
    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli import client as corresponding
    else:
        from cli import corresponding
    if bool(move) + (drop is not None) + list_ > 1:
        raise typer.BadParameter("say one of MOVE, --list and --drop N")
    if move:
        corresponding.leave_order(session, game, tuple(move), seat)
    elif drop is not None:
        corresponding.drop_order(session, game, drop, seat)
    else:
        corresponding.list_orders(session, game, seat)


@app.command()
def notify(
    ctx: typer.Context,
    game: Game,
    seat: Annotated[
        str, typer.Argument(metavar="SEAT", help="A seat (name or number).", autocompletion=completion.seats)
    ],
    command: Annotated[
        str | None,
        typer.Option("--command", metavar="[NAME=]COMMAND", help="A command that is told, with its words."),
    ] = None,
    webhook: Annotated[
        str | None, typer.Option("--webhook", metavar="URL", help="An address on the internet that is told.")
    ] = None,
    off: Annotated[bool, typer.Option("--off", help="Tell this seat nothing more.")] = False,
    db: Db = None,
    server: Server = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Have a seat told when it is to move, its time is nearly out, an order was dropped or the game is over."""

    if (command is not None) + (webhook is not None) + off > 1:
        raise typer.BadParameter("say one of --command, --webhook and --off")
    session = _session(ctx, db, json, quiet, server)
    if session.server is not None:
        from cli.client import notify as run
    else:
        from cli.corresponding import notify as run
    run(session, game, seat, command, webhook, off)


@app.command()
def rebuild(ctx: typer.Context, db: Db = None, json: Json = False, quiet: Quiet = False) -> None:
    """Make the lists anew from the log; snapshots are dropped."""
    from cli.commands import rebuild as run

    run(_session(ctx, db, json, quiet))


@app.command()
def backup(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A file that does not exist yet.")],
    force: Annotated[bool, typer.Option("--force", help="Copy it unchecked, damaged or not.")] = False,
    db: Db = None,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Copy the database, also while it is being played on; a damaged one is refused."""
    from cli.keeping import backup as run

    run(_session(ctx, db, json, quiet), file, force)


@app.command()
def recover(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="A damaged database; it is only read.")],
    into: Annotated[
        str | None,
        typer.Option("--into", metavar="NEW", help="The new database; unasked, FILE with .recovered in its name."),
    ] = None,
    partial: Annotated[
        bool, typer.Option("--partial", help="Of a damaged game take the events before the damage.")
    ] = False,
    json: Json = False,
    quiet: Quiet = False,
) -> None:
    """Take all whole games out of a damaged database into a new one."""
    from cli.keeping import recover as run

    run(_session(ctx, None, json, quiet), file, into, partial)


def run_app(arguments: list[str] | None = None) -> int:
    """Runs the command line and gives the exit code."""
    given = sys.argv[1:] if arguments is None else arguments
    try:
        for word in given:
            check_encoding(word)
        code: Any = app(given, standalone_mode=False)
    except typer.Exit as ended:
        return ended.exit_code
    except typer.Abort:
        sys.stderr.write("turnlog: interrupted\n")
        return 130
    except EXPECTED as error:
        return report(error, json="--json" in given)
    except Exception as error:
        said = getattr(error, "format_message", None)
        if said is None or os.environ.get("TURNLOG_TRACEBACK"):
            raise
        return _usage(error, said(), json="--json" in given)
    return code if isinstance(code, int) else 0


def _usage(error: Any, message: str, *, json: bool) -> int:
    """A usage error of Typer's own, in our words."""
    ctx = getattr(error, "ctx", None)
    if ctx is not None and not json and type(error).__name__ == "NoArgsIsHelpError":
        sys.stdout.write(ctx.get_help() + "\n")
        return 2
    where = ctx.command_path if ctx is not None else "turnlog"
    from engines.kit.errors import BadSetup

    return report(BadSetup(message, f"`{where} --help` tells how it is written"), json=json)
