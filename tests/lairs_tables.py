"""Tables of Lairs for tests: a lair with all that the rulebook's examples need, and ways to play through it."""

from typing import Any

from engines.kit.offers import legal
from engines.table import Table
from events.sqlite import open_log
from projections.schema import prepare
from tests.conftest import Turnlog

#: Chests A3 D4 F2, Monsters B2 B5 E6, Traps D1 E4 F6, Start A1, Exit E2; 18 walls.
LAIR = """
+-+-+-+-+-+-+
|S|  C      |
+ +-+ + +-+-+
|  M|    M  |
+ + + + +-+ +
|       |   |
+-+ + + + +-+
|T     C|   |
+-+ + + +-+ +
|  E|  T|  M|
+-+-+ + + +-+
|  C    |  T|
+-+-+-+-+-+-+
""".strip()

#: What `travel` takes from the display if it is there.
WANTED = ("scroll-of-harmony", "moon-shard", "sun-shard", "ember-shard")

#: Ways of `travel` from the Start to the Exit: over the chests, two of each, the monsters, everything.
CHESTS = "sseennOesssOwsswOennws"
TWO_OF_EACH = "seFsennOeseFwssOwws"
MONSTERS = "seFseneeFeswsesFnwnenwwsswws"
EVERYTHING = "seFsennOeseFeswsesFnwnenwwssOwsswOennws"


def one_line(text: str) -> str:
    """A map as scripts write it."""
    return text.replace("\n", "/").replace(" ", ".")


def lair_file(turnlog: Turnlog, text: str, name: str = "lair.txt") -> str:
    """A file with a map."""
    path = turnlog.db.with_name(name)
    path.write_text(text)
    return str(path)


def changed(text: str, *changes: tuple[str, str]) -> str:
    """A map with other letters: `("A1", "S")` a space, `("A1e", "|")` a border, named by a space and n e s w."""
    rows = [list(row) for row in text.splitlines()]
    for where, letter in changes:
        row, column = 2 * "ABCDEF".index(where[0]) + 1, 2 * "123456".index(where[1]) + 1
        down, right = {"n": (-1, 0), "e": (0, 1), "s": (1, 0), "w": (0, -1), "": (0, 0)}[where[2:]]
        rows[row + down][column + right] = letter
    return "\n".join("".join(row) for row in rows)


def built(turnlog: Turnlog, *more: object, lucia: str = LAIR, bo: str = LAIR, **stack: list[Any]) -> None:
    """A game `g` of lucia and bo with both lairs built; lucia was first and is to name the first Explorer."""
    options = ["--stack", turnlog.stack(**stack)] if stack else []
    turnlog.json("create", "lairs", "-p", "lucia", "-p", "bo", "--id", "g", "--seed", 1, *options, *more)
    turnlog.play("g", f"lucia: build {one_line(lucia)}", f"bo: build {one_line(bo)}")


def begun(turnlog: Turnlog, *more: object, **stack: Any) -> None:
    """The same, with lucia on her first turn."""
    built(turnlog, *more, **stack)
    turnlog.play("g", "first lucia")


def turns(turnlog: Turnlog, count: int = 1) -> None:
    """Ends so many turns."""
    turnlog.play("g", *["end"] * count)


def refused(turnlog: Turnlog, move: str, seat: str | None = None) -> str:
    """The sentence that refuses a move."""
    answer = turnlog("play", "g", move, "--json", *(["--as", seat] if seat else []))
    assert answer.code == 3, answer.out or answer.err
    return answer.error["message"]


def moves(turnlog: Turnlog, verb: str = "") -> list[str]:
    """The legal moves on offer, of one verb."""
    return [m for m in turnlog.json("moves", "g")["moves"] if m.split()[0] == verb or not verb]


def cubes(turnlog: Turnlog, seat: str = "lucia") -> tuple[str, str, str, str]:
    """A seat's baskets Fresh, Conserved, Spent, Fatigued, each as initials: `wwwwqp`."""
    baskets = turnlog.view("g")["cubes"][seat]
    fresh, conserved, spent, fatigued = (
        "".join(cube[0] for cube in baskets[name]) for name in ("fresh", "conserved", "spent", "fatigued")
    )
    return fresh, conserved, spent, fatigued


def facts(answer: Any) -> list[str]:
    """What the last move led to, without the slug."""
    return [fact["type"].removeprefix("lairs.") for fact in answer["events"][-1]["facts"]]


def fact(answer: Any, name: str) -> Any:
    """The one fact of that name."""
    (found,) = [f for f in answer["events"][-1]["facts"] if f["type"] == f"lairs.{name}"]
    return found


def travel(turnlog: Turnlog, seat: str, ways: str) -> None:
    """Creeps along `nesw` letters, ending turns where cubes are short; `F` and `D` face hazards with two dice,
    `O` opens a chest and takes a wanted Treasure. Penalties take the first choice there is.

    Played at the table itself, without the command line: it is the way to what a test is about.
    """
    log = open_log(str(turnlog.db), prepare, write=True)
    try:
        _Traveller(Table(log, "g"), ("lucia", "bo").index(seat)).go(ways)
    finally:
        log.close()


class _Traveller:
    def __init__(self, table: Table, seat: int) -> None:
        self.table, self.seat = table, seat

    def go(self, ways: str) -> None:
        for letter in ways:
            self.wait(1 if letter in "nesw" else 0 if letter == "O" else 2)
            if letter == "O":
                self.play("open")
                display = self.table.state.display
                wanted = [slug for slug in WANTED if slug in display] or display
                self.play(f"take {wanted[0]}")
            else:
                self.play({"F": "fight dice 2", "D": "disarm dice 2"}.get(letter, f"creep {letter}"))
            if self.table.state.phase == "penalty":
                self.play("fatigue " + " ".join(legal(self.table.offers(self.seat))[0].cubes))

    def wait(self, needed: int) -> None:
        """Ends turns until the seat is to move with so many Fresh cubes."""
        while self.table.to_move != (self.seat,) or len(self.table.state.cubes[self.seat].fresh) < needed:
            self.play("end", self.table.to_move[0])

    def play(self, move: str, seat: int | None = None) -> None:
        self.table.play(move.split(), now=1, seat=self.seat if seat is None else seat)
