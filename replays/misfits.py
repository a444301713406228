"""What a reducer, a rule, a board or a bot raises at a log that does not fit the game: an old or a forged one."""

import msgspec

from engines.kit.errors import Refusal
from engines.kit.secrecy import Hidden

MISFITS = (
    ValueError,
    LookupError,
    TypeError,
    AttributeError,
    AssertionError,
    ArithmeticError,
    MemoryError,
    RecursionError,
    StopIteration,
    RuntimeError,  # what a generator makes of a StopIteration inside it
    msgspec.MsgspecError,
    Hidden,
    Refusal,
)
