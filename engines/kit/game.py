"""What a game is to the rest of the program: a few facts about it, and its modules, loaded when used.

engines/<game>/
    __init__.py   GAME = Game(...): cheap to import
    moves.py      MOVES: what a seat may ask
    facts.py      FACTS: what can happen, with its secrecy
    state.py      State, begin, Set, load_set, pieces
    reducer.py    REDUCERS, VERSION: the only code that changes a state
    rules.py      setup, offers, play, automatic
    view.py       conceal, guess, present
    board.py      board, tell
    bot.py        BOTS, and AID for the bot that searches
    set.toml      the components
    guide.md      the rules in our words
    sheet.py      blank, check_file: only where players fill in a sheet that can be checked without a game
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cached_property
from importlib import import_module
from typing import TYPE_CHECKING, Any, Protocol, cast

from msgspec import Struct, convert

from engines.kit.boards import Board
from engines.kit.chance import Chance
from engines.kit.errors import BadSetup, SetupRefused
from engines.kit.notation import Grammar, Move, move_types
from engines.kit.offers import Offers
from engines.kit.secrecy import REFEREE, Viewer
from events.codec import Codec, Upcaster
from events.model import GameCreated, Outcome
from projections.position import Projector

if TYPE_CHECKING:
    from engines.kit.search import Aid

#: Names that mean somebody else than a seat.
RESERVED_NAMES = frozenset({"referee", "spectator", "owner", "server", "rules", "table"})

#: A seat whose name begins so is played by a bot of the game, or by a program from outside.
BOT = "bot:"
PROGRAM = "exec:"

_PROGRAM_SEAT = re.compile(PROGRAM + r"[\w.+-]+(#\d+)?")

Options = Mapping[str, str]
Names = tuple[str, ...]


class Option(Struct, frozen=True):
    """A choice made at creation. `choices` are the values it may have, None for free text."""

    name: str
    default: str
    help: str
    choices: tuple[str, ...] | None = None


class Fact(Struct, frozen=True):
    """What can happen. Subclasses are tagged `slug.what-happened`."""


class StateModule(Protocol):
    """`state.py`: the state, how it begins, and the set it is made of."""

    State: type[Struct]
    Set: type[Struct]

    def begin(self, names: Names, options: Options, components: Any) -> Any:
        """The state before the set-up's first fact."""
        ...

    def load_set(self, document: Mapping[str, Any], grammar: Grammar) -> Any:
        """A set out of a TOML document. :raises SetRefused: with the place in it"""
        ...

    def pieces(self, state: Any) -> Mapping[str, int]:
        """What is conserved, counted by kind: the same at every moment of a game, set-up included."""
        ...


class RulesModule(Protocol):
    """`rules.py`. Each fact a rule yields has been applied by the time its next line runs."""

    def setup(self, state: Any, names: Names, options: Options, chance: Chance) -> Iterator[Fact]:
        """Sets the game up."""
        ...

    def to_move(self, state: Any) -> tuple[int, ...]:
        """The seats that are to decide; none when the game is over."""
        ...

    def offers(self, state: Any, seat: int) -> Offers:
        """What a seat may do now."""
        ...

    def play(self, state: Any, seat: int, move: Move, chance: Chance) -> Iterator[Fact]:
        """Carries out a move that is on offer."""
        ...

    def automatic(self, state: Any, seat: int) -> Move | None:
        """The move the rules make for a seat that no player has, or None."""
        ...

    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended, or None."""
        ...


class ViewModule(Protocol):
    """`view.py`: what a seat may see, and a guess at what it may not."""

    def conceal(self, state: Any, viewer: Viewer) -> Any:
        """The state as `viewer` may see it, of the state's own type."""
        ...

    def guess(self, state: Any, viewer: Viewer, chance: Chance) -> Any:
        """A whole state that looks to `viewer` as this one does."""
        ...

    def present(self, state: Any, viewer: Viewer, names: Names) -> dict[str, Any]:
        """The view of a concealed state, for `show --json`."""
        ...


class BoardModule(Protocol):
    """`board.py`: a concealed state drawn, and a fact told."""

    def board(self, state: Any, viewer: Viewer, names: Names) -> Board:
        """The board."""
        ...

    def tell(self, fact: Any, names: Names) -> str | None:
        """A fact in a sentence, or None if it needs none."""
        ...


class SheetModule(Protocol):
    """`sheet.py`, which a game may have: a sheet that a player fills in."""

    def blank(self) -> str:
        """The sheet with nothing in it."""
        ...

    def check_file(self, text: str) -> list[str]:
        """All that is wrong with a sheet filled in; nothing if it is legal."""
        ...


#: A bot: handed what its seat sees, the seat, the legal moves and chance of its own; gives one of the moves.
Bot = Callable[[Any, int, Sequence[Move], Chance], Move]


class Game:
    """A game that can be played.

    :param slug: its name on the command line and in the log
    :param seats: how many persons can play it, fewest and most
    :param draws: its chance draws by name, with what each is
    :param package: the folder of its modules, as a dotted name
    :param rules: the version of its rules, recorded in each game
    :param schema: the number of its documents, `upcasters` lift older ones
    :param passes: the verbs with which a seat does as little as it can, the least first
    :param seating: from the persons' names to all seats' names, where the rules add seats
    """

    def __init__(
        self,
        slug: str,
        title: str,
        package: str,
        *,
        seats: tuple[int, int],
        options: tuple[Option, ...] = (),
        draws: Mapping[str, str],
        rules: int = 1,
        schema: int = 1,
        upcasters: Mapping[int, Upcaster] | None = None,
        passes: tuple[str, ...] = (),
        seating: Callable[[Names], Names] | None = None,
        check: Callable[[Names, dict[str, str]], None] | None = None,
    ) -> None:
        self.slug, self.title, self.package = slug, title, package
        self.seats, self.options, self.draws = seats, options, draws
        self.rules_version, self.schema, self.upcasters = rules, schema, upcasters or {}
        self.passes, self.seating, self._check = passes, seating, check

    def _module(self, name: str) -> Any:
        return import_module(f"{self.package}.{name}")

    @cached_property
    def state(self) -> StateModule:
        """The module `state`."""
        return cast("StateModule", self._module("state"))

    @cached_property
    def rules(self) -> RulesModule:
        """The module `rules`."""
        return cast("RulesModule", self._module("rules"))

    @cached_property
    def view(self) -> ViewModule:
        """The module `view`."""
        return cast("ViewModule", self._module("view"))

    @cached_property
    def drawn(self) -> BoardModule:
        """The module `board`."""
        return cast("BoardModule", self._module("board"))

    @cached_property
    def sheet(self) -> SheetModule | None:
        """The module `sheet`, None where the game has none."""
        from importlib.util import find_spec

        return cast("SheetModule", self._module("sheet")) if find_spec(f"{self.package}.sheet") else None

    @cached_property
    def bots(self) -> Mapping[str, Bot]:
        """The game's own bots, by name."""
        return cast("Mapping[str, Bot]", self._module("bot").BOTS)

    @cached_property
    def aid(self) -> Aid | None:
        """What the game tells the bot that searches, None if nothing."""
        return getattr(self._module("bot"), "AID", None)

    @cached_property
    def grammar(self) -> Grammar:
        """The notation of its moves."""
        return Grammar(move_types(self._module("moves").MOVES))

    @cached_property
    def projector(self) -> Projector:
        """What the fold needs."""
        reducer = self._module("reducer")
        state = self.state

        def begin(created: GameCreated[Any, Any]) -> Any:
            if created.position is not None:
                return convert(created.position, state.State)
            return state.begin(created.seats, created.options, created.set)

        return Projector(
            Codec(
                state.Set,
                self._module("moves").MOVES,
                self._module("facts").FACTS,
                self.schema,
                self.upcasters,
            ),
            reducer.REDUCERS,
            state.State,
            begin,
            f"{self.slug} {reducer.VERSION}",
        )

    def concealed(self, state: Any, viewer: Viewer) -> Any:
        """The state as `viewer` may see it; the referee sees the state itself."""
        return state if viewer == REFEREE else self.view.conceal(state, viewer)

    def seated(self, persons: Names) -> Names:
        """The names of all seats.

        :raises SetupRefused: too few, too many, or names that cannot be told apart
        """
        fewest, most = self.seats
        if not fewest <= len(persons) <= most:
            raise SetupRefused(
                f"{self.slug} is for {fewest} to {most} seats, not {len(persons)}",
                "name each seat with -p NAME; `-p bot:greedy` is played by the program",
            )
        names: list[str] = []
        for name in persons:
            check_seat_name(name)
            if name.startswith((BOT, PROGRAM)) and name in names:
                name = f"{name}#{sum(n.partition('#')[0] == name for n in names) + 1}"
            names.append(name)
        all_names = self.seating(tuple(names)) if self.seating else tuple(names)
        if len({name.casefold() for name in all_names}) < len(all_names):
            raise BadSetup("two seats have the same name: " + ", ".join(all_names), "name each differently")
        return all_names

    def chosen(self, names: Names, given: Options) -> dict[str, str]:
        """All options with their values.

        :raises BadSetup: an option or a value that is not there
        """
        options = {option.name: option for option in self.options}
        chosen = {option.name: option.default for option in self.options}
        for name, value in given.items():
            option = options.get(name)
            if option is None:
                raise BadSetup(
                    f"{self.slug} has no option {name!r}",
                    "its options: " + (", ".join(options) or "none"),
                )
            if option.choices is not None and value not in option.choices:
                raise BadSetup(f"option {name} is one of {', '.join(filter(None, option.choices))}, not {value!r}")
            chosen[name] = value
        if self._check is not None:
            self._check(names, chosen)
        return chosen


def check_seat_name(name: str) -> None:
    """Holds a name to what can be typed and told apart.

    A program's seat has a name, never a command: a log or a script can name no command.

    :raises BadSetup: it cannot be a seat's name
    """
    rule = (
        "a name has 1 to 40 printable characters, is no number, does not begin with - # or @, has no ':' (but for "
        f"bot:NAME and exec:NAME) and is none of {', '.join(sorted(RESERVED_NAMES))}"
    )
    bad = (
        not 1 <= len(name) <= 40
        or not name.isprintable()
        or name != name.strip()
        or name.isdigit()
        or (":" in name and not name.startswith(BOT) and not _PROGRAM_SEAT.fullmatch(name))
        or name.startswith(("-", "#", "@"))
        or name.casefold() in RESERVED_NAMES
    )
    if bad:
        if name.startswith(PROGRAM):
            rule = (
                "here a program is exec:NAME, by the name that it has in `turnlog allow`: letters, digits, . _ + -"
            )
        shown = name if len(name) <= 40 else name[:37] + "..."
        raise BadSetup(f"{shown!r} cannot be a seat's name", rule)
