"""The games that can be played: those that ship with turnlog, and others by the entry point `turnlog.games`.

A game that ships lies in the folder of its slug, so that it is found without a look at what is installed.
"""

from __future__ import annotations

from importlib import import_module
from importlib.util import find_spec

from engines.kit.errors import NoSuchSlug
from engines.kit.game import Game

GROUP = "turnlog.games"

_found: dict[str, Game] = {}


def game_of(slug: str) -> Game:
    """The game of a slug.

    :raises NoSuchSlug: none is installed
    """
    game = _found.get(slug)
    if game is None:
        game = _found[slug] = _shipped(slug) or _installed(slug)
    return game


def all_games() -> list[Game]:
    """All games that can be played, by slug."""
    from importlib.metadata import entry_points

    return [game_of(point.name) for point in sorted(entry_points(group=GROUP), key=lambda p: p.name)]


def _shipped(slug: str) -> Game | None:
    folder = slug.replace("-", "_")
    if not folder.isidentifier() or find_spec(f"engines.{folder}") is None:
        return None
    game = getattr(import_module(f"engines.{folder}"), "GAME", None)
    return game if isinstance(game, Game) and game.slug == slug else None


def _installed(slug: str) -> Game:
    from importlib.metadata import entry_points

    for point in entry_points(group=GROUP):
        if point.name == slug:
            game = point.load()
            if isinstance(game, Game):
                return game
    raise NoSuchSlug(
        f"no game {slug!r} is installed", "the games: " + ", ".join(p.name for p in entry_points(group=GROUP))
    )
