"""Refusals: what somebody asked for cannot be done, and why.

A text that is no move, a move that is not legal now and a text that fits several moves are told
apart, as are set-ups that cannot be played.
"""

from collections.abc import Sequence


class Refusal(Exception):
    """Asked for and refused; nothing was changed. `hint` says what can be done instead."""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.hint = hint


class MoveRefused(Refusal):
    """A move was refused. `nearest` are the legal moves most like it, spelt out."""

    def __init__(self, message: str, nearest: Sequence[str] = (), hint: str | None = None) -> None:
        if hint is None and nearest:
            hint = "legal now: " + ", ".join(nearest)
        super().__init__(message, hint)
        self.nearest = tuple(nearest)


class InvalidMove(MoveRefused):
    """The text is no move of this game."""


class IllegalMove(MoveRefused):
    """A move of this game, but not now; the message names the rule."""


class AmbiguousMove(MoveRefused):
    """The text fits several moves."""


class StackMisfit(Refusal):
    """A stacked outcome does not fit the draw it is meant for."""


class SetupRefused(Refusal):
    """The game's rules do not allow these seats or options."""


class BadSetup(Refusal):
    """What was typed to set a game up is no name, option, value or stack at all."""


class SetRefused(BadSetup):
    """A set of components is not whole; the message names the place in it."""


class SheetRefused(Refusal):
    """A sheet filled in by a player breaks the game's rules."""


class ProgramRefused(Refusal):
    """A program that plays a seat may not be started, or cannot be."""


class NoSuchSlug(Refusal):
    """No game of that slug is installed."""


class GamesFailed(Refusal):
    """Some games of a simulation raised an error; the others were played and counted."""


class WorkerLost(Refusal):
    """What played games elsewhere is gone, and the games it played with it."""


class NoCluster(Refusal):
    """There is no scheduler at an address, or it has no workers."""


class OtherVersion(Refusal):
    """A worker has another version of turnlog: its games might be others."""
