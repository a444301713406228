"""A concealed state drawn for people."""

from engines.kit.boards import Board, panel
from engines.kit.game import Names
from engines.kit.secrecy import Viewer
from engines.theory_of_power.state import State
from engines.theory_of_power.telling import tell

__all__ = ["board", "tell"]


def board(state: State, viewer: Viewer, names: Names) -> Board:
    """The board."""
    return Board(((panel("x", ()),),))
