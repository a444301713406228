"""Golden logs: games of every kind as a version of turnlog wrote them, which every later version must read alike.

    python -m tests.golden_logs

writes those of today's version once, and refuses where they lie already: they are never made anew. A version
that changes what is written gets a folder of its own, and keeps reading the older ones. A game's logs lie behind
one another in one file; what `xz -dc FILE | grep '"game":"ID"'` gives, `turnlog import` takes.
"""

import lzma
import sys
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from hashlib import blake2b
from itertools import count
from pathlib import Path
from shutil import copytree
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

import msgspec
from msgspec import json, structs

from engines.creation import Wish, close_game, create
from engines.forking import fork
from engines.kit.bots import bot_of
from engines.kit.chance import Chance
from engines.kit.game import Game
from engines.kit.notation import words_of
from engines.kit.offers import legal
from engines.kit.secrecy import REFEREE, Viewer
from engines.registry import all_games
from engines.table import Table
from events.model import Outcome
from events.sqlite import SqliteLog
from replays.export import jsonl
from replays.seatlog import seat_log
from replays.stepping import steps
from tests.lively_games import opened

LOGS = Path(__file__).parent / "golden" / "logs"
#: The folder of what today's version writes.
TODAY = LOGS / "v1"
#: Digests are kept after each so many events, and after the last one.
EVERY = 10

NAMES = ("ada", "bo", "cy", "di", "ed")
BEGUN, MINUTE = 1_700_000_000_000_000, 60_000_000

#: Options and stacks with which each game is played once more, with its fewest seats that take them.
SPECIAL: Mapping[str, tuple[tuple[int, dict[str, str], dict[str, list[Any]]], ...]] = {
    "power-vacuum": (
        (1, {"difficulty": "harder"}, {}),
        (2, {"first": "bo", "appliances": "green,red"}, {"regime-deck": [["Y9", "W9", "G9"]]}),
    ),
    "venusian-vegas": (),
    "half-lifed": ((2, {"waste": "off"}, {}),),
    "lairs": ((2, {"rounds": "6"}, {"dice": [[1], [2]]}),),
    "theory-of-power": (
        (2, {"leaders": "none", "compromat": "off"}, {}),
        (3, {"training": "on"}, {"first-player": ["cy"]}),
        (2, {"leaders": "sword"}, {}),
    ),
    "evangelists": (),
}


class Golden(msgspec.Struct, frozen=True):
    """What a golden log must be found to say: `states` are digests by event number, see `digests`."""

    events: int
    moves: int
    outcome: Outcome | None
    to_move: tuple[int, ...]
    states: dict[str, str]


@cache
def _defaults(record: type[msgspec.Struct]) -> list[tuple[str, Any]]:
    """The fields of a struct, by name, with their defaults."""
    return sorted(
        (
            (field.name, field.default if field.default_factory is msgspec.NODEFAULT else field.default_factory())
            for field in structs.fields(record)
        ),
        key=lambda field: field[0],
    )


def plain(value: Any) -> Any:
    """A state as builtins in one order only, without fields that are at their default.

    So a state may grow fields: as long as an old log leaves them alone, its digests stay.
    """
    if isinstance(value, msgspec.Struct):
        given = ((name, default, getattr(value, name)) for name, default in _defaults(type(value)))
        return {name: plain(field) for name, default, field in given if field != default}
    if isinstance(value, dict):
        return {str(key): plain(value[key]) for key in sorted(value, key=str)}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    return value


def digests(game: Game, state: Any, seats: int) -> str:
    """Digests of a state as the referee, the spectator and each seat see it."""
    viewers: list[Viewer] = [REFEREE, None, *range(seats)]
    return " ".join(
        blake2b(json.encode(plain(game.concealed(state, viewer))), digest_size=5).hexdigest() for viewer in viewers
    )


def golden(table: Table) -> Golden:
    """What is to be known of a game."""
    states = {
        str(step.entry.seq): digests(table.game, step.state, len(table.names))
        for step in steps(table, undone=True)
        if step.entry.seq % EVERY == 0 or step.entry.seq == table.seq
    }
    return Golden(table.seq, table.position.timeline.moves(), table.outcome, table.to_move, states)


class Known(NamedTuple):
    """A golden log: its game's id, its text, and what it says."""

    id: str
    text: bytes
    golden: Golden


def versions() -> list[str]:
    """The versions whose logs are kept."""
    return sorted(path.name for path in LOGS.iterdir())


def slugs(version: str) -> list[str]:
    """The games of a version."""
    return sorted(path.stem for path in (LOGS / version).glob("*.json"))


def known(version: str, slug: str) -> list[Known]:
    """The golden logs of a game."""
    folder = LOGS / version
    table = json.decode((folder / f"{slug}.json").read_bytes(), type=dict[str, Golden])
    texts: dict[str, list[bytes]] = {name: [] for name in table}
    for line in lzma.decompress((folder / f"{slug}.jsonl.xz").read_bytes()).splitlines(keepends=True):
        texts[json.decode(line, type=_Of).game].append(line)
    return [Known(name, b"".join(texts[name]), found) for name, found in table.items()]


class _Of(msgspec.Struct):
    game: str


# writing ----------------------------------------------------------------------------------------------


class _Writer:
    def __init__(self, log: SqliteLog, game: Game) -> None:
        self.log, self.game = log, game
        self._texts = count()
        self.texts: dict[str, str] = {}

    def secret(self) -> str:
        """Another one each time, the same ones each time."""
        return f"{self.game.slug}/{next(self._texts)}"

    def begin(self, name: str, persons: tuple[str, ...], **more: Any) -> Table:
        wish = Wish(self.game, persons, seed=self.secret(), **more)
        return create(self.log, wish, f"{self.game.slug}-{name}", now=BEGUN, secret=self.secret)[0]

    def play(self, table: Table, moves: int = 100_000, lively: bool = True) -> Table:
        """Plays on, well and badly in turns; if `lively` with lines taken back and put back, and notes."""
        choice = Chance(f"{table.id}/{table.seq}")
        bot = bot_of(self.game, f"bot:{next(iter(self.game.bots))}")
        assert bot is not None
        for number in range(moves):
            if not table.to_move:
                break
            seat = table.to_move[choice.number("seat", len(table.to_move))]
            offered = legal(table.offers(seat))
            if choice.number("well", 3):
                move = bot(table.game.concealed(table.state, seat), seat, offered, choice)
            else:
                move = offered[choice.number("move", len(offered))]
            now = BEGUN + table.seq * MINUTE
            table.play(words_of(self.game.grammar.spell(move)), now=now, seat=seat, request=f"{table.id}/{number}")
            if lively and table.to_move and number % 12 == 11:
                self._look_back(table, number // 12, now)
        return table

    def _look_back(self, table: Table, turn: int, now: int) -> None:
        last = table.position.timeline.head
        if turn % 4 == 0:
            table.undo(now=now, count=2, reason="a slip")
        elif turn % 4 == 1:
            table.undo(now=now, count=1)
            table.undo(now=now, count=1)
            table.redo(now=now, count=2)
        elif turn % 4 == 2:
            table.note(last, f"event {last}: \u201cwhy?\u201d", now=now, seat=0)
        else:
            table.undo(now=now)
            table.redo(now=now)
            table.note(1, "a calm beginning", now=now)

    def close(self, table: Table, seat: int | None) -> None:
        close_game(self.log, table.id, seat=seat, reason="it is late", now=BEGUN + table.seq * MINUTE)

    def fork(self, source: Table, name: str, viewer: Viewer, *, same_chance: bool = False) -> Table:
        return fork(
            source,
            f"{self.game.slug}-{name}",
            viewer=viewer,
            same_chance=same_chance,
            now=BEGUN,
            secret=self.secret,
        )[0]

    def kinds(self) -> None:
        """Games of every kind."""
        fewest, most = self.game.seats
        for seats in range(fewest, most + 1):
            self.play(self.begin(f"seats-{seats}", NAMES[:seats]))
        for number, (seats, options, stack) in enumerate(SPECIAL[self.game.slug], 1):
            self.play(self.begin(f"special-{number}", NAMES[:seats], options=options, stack=stack), lively=False)
        bots = tuple(f"bot:{bot}" for bot in self.game.bots)
        self.play(self.begin("bots", ("ada", *(bots * most)[: max(2, fewest) - 1])))
        two = NAMES[: max(2, fewest)]
        self.close(self.play(self.begin("resigned", two, undo="own"), 9), 0)
        self.close(self.play(self.begin("abandoned", two, undo="off"), 5, lively=False), None)
        going = self.play(self.begin("going-on", two), 20)
        going.undo(now=BEGUN, count=3)
        self.play(self.fork(Table(self.log, going.id, at=15), "forked", REFEREE), 8)
        self.play(self.fork(going, "same-chance", REFEREE, same_chance=True), 8)
        self.play(self.fork(going, "guessed", 1), 8)
        seen = seat_log(going, 0)
        self.texts[f"{self.game.slug}-going-on-as-1"] = "".join(f"{line}\n" for line in seen)

    def all(self) -> Iterator[tuple[str, str]]:
        """Each game's id and text."""
        self.kinds()
        for name in self.log.games():
            yield name, "".join(f"{line}\n" for line in jsonl(self.log, name))
        yield from self.texts.items()


def write(say: Callable[[str], object]) -> int:
    """Writes the logs of today's version; gives the exit code."""
    from replays.importing import import_jsonl

    if TODAY.exists():
        say(f"{TODAY} is there already: golden logs are written once; another version needs another folder\n")
        return 2
    with TemporaryDirectory() as aside:
        made = Path(aside) / "made"
        made.mkdir()
        for game in all_games():
            log, other = (opened(Path(aside) / f"{game.slug}-{number}.db") for number in (1, 2))
            texts = dict(sorted(_Writer(log, game).all()))
            for text in texts.values():
                import_jsonl(lambda log=other: log, text.encode().splitlines())
            table = {name: golden(Table(other, name)) for name in texts}
            (made / f"{game.slug}.json").write_bytes(json.format(json.encode(table), indent=1) + b"\n")
            (made / f"{game.slug}.jsonl.xz").write_bytes(lzma.compress("".join(texts.values()).encode()))
            log.close()
            other.close()
            say(f"{game.slug}: {len(table)} games, {sum(found.events for found in table.values())} events\n")
        copytree(made, TODAY)
    return 0


if __name__ == "__main__":
    sys.exit(write(sys.stderr.write))
