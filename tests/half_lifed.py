"""What the tests of Half-Lifed share: a game with its chance stacked, and a draft that deals what is wished."""

from importlib.resources import files
from typing import Any

from tests.conftest import Turnlog

ALL = (
    "waste-management",
    "reactor",
    "turbine-hall",
    "security",
    "public-relations",
    "research",
)


class Plants:
    """A game `g` of Half-Lifed. `draw` is the beginning of deck and bag; `changes` replace texts of the set."""

    def __init__(
        self,
        turnlog: Turnlog,
        draw: str = "",
        *,
        names: str = "ada bo",
        without: str = "research",
        goals: str = "",
        changes: dict[str, str] | None = None,
    ) -> None:
        self.turnlog, self.names = turnlog, names.split()
        pieces = draw.split()
        stack: dict[str, list[Any]] = {
            "deck": [[piece for piece in pieces if piece[0] == "c"]],
            "bag": [[piece for piece in pieces if piece[0] == "w"]],
            "first_player": [self.names[0]],
            "departments": [[key for key in ALL if key != without]],
        }
        if goals:
            stack["goals"] = [goals.split()]
        words: list[str] = ["-o", "waste=off"] if without == "waste-management" else []
        if without == "waste-management":
            del stack["departments"]
        if changes:
            text = files("engines.half_lifed").joinpath("set.toml").read_text("utf-8")
            for old, new in changes.items():
                assert old in text
                text = text.replace(old, new)
            path = turnlog.db.with_name("set.toml")
            path.write_text(text)
            words += ["--set", str(path)]
        seats = [word for name in self.names for word in ("-p", name)]
        turnlog.json("create", "half-lifed", *seats, "--id", "g", "--stack", turnlog.stack(**stack), *words)

    @property
    def view(self) -> Any:
        """The view of `show --json`."""
        return self.turnlog.view("g")

    def seat(self, name: str) -> Any:
        """A seat as the view has it."""
        return next(seat for seat in self.view["seats"] if seat["name"] == name)

    def card(self, name: str, card: str) -> Any:
        """A face-up card of a seat."""
        return next(one for one in self.seat(name)["cards"] if one["id"] == card)

    def at(self, name: str, worker: str) -> str | None:
        """Where a worker of a seat is; None if the seat has it no more."""
        return next((one["at"] for one in self.seat(name)["workers"] if one["id"] == worker), None)

    def deal(self, **wished: str) -> "Plants":
        """Splits and drafts so that each seat named gets what is wished; the last other seat in gets the rest."""
        view = self.view
        there = [seat["name"] for seat in view["seats"] if not seat["out"]]
        piles = {name: wished.get(name, "").split() for name in there}
        taken = [piece for pile in piles.values() for piece in pile]
        others = [name for name in there if name not in wished] or there
        piles[others[-1]] += [piece for piece in view["pool"] if piece not in taken]
        split = " / ".join(" ".join(piles[name]) or "-" for name in there)
        answer = self.turnlog.play("g", f"{view['first']}: split {split}")
        while self.view["phase"] == "draft":
            name = answer["to_move"][0]
            answer = self.turnlog.play("g", f"{name}: pick {there.index(name) + 1}")
        return self

    def play(self, *moves: str) -> Any:
        """Plays moves written `ada: build c1`."""
        return self.turnlog.play("g", *moves)

    def refused(self, move: str) -> str:
        """The message that refuses a move by the rules; nothing is changed."""
        before = self.view
        name, _, words = move.partition(": ")
        answer = self.turnlog("play", "g", words, "--as", name, "--json")
        assert answer.code == 3, answer
        assert self.view == before
        return answer.error["message"]

    def legal(self, name: str, verb: str = "") -> list[str]:
        """The moves on offer to a seat, of one verb."""
        moves = self.turnlog.json("moves", "g", "--as", name)["moves"]
        return [move for move in moves if move.startswith(verb)]

    def done(self, *names: str) -> Any:
        """Makes rooms of what is left of the draft and ends the turns of these seats, or of all."""
        answer: Any = None
        for name in names or self.names:
            seat = self.seat(name)
            if not seat["done"]:
                rooms = [f"{name}: room {card['id']}" for card in seat["drafted"]]
                answer = self.play(*rooms, f"{name}: done")
        return answer

    def rooms_given(self) -> Any:
        """The first workers get the rooms wherever `house` is asked."""
        answer: Any = None
        for name in self.names:
            if self.view["phase"] == "house" and self.seat(name)["house"]:
                answer = self.play(f"{name}: {self.legal(name)[0]}")
        return answer

    def told(self, answer: Any, kind: str) -> list[Any]:
        """The facts of one kind in an answer."""
        facts = [fact for event in answer["events"] for fact in event["facts"]]
        return [fact for fact in facts if fact["type"] == f"half-lifed.{kind}"]
