"""A table of The Acts of the Evangelists for tests: stacked deals, and others who pass unless told otherwise."""

from collections.abc import Mapping, Sequence
from typing import Any

from engines.kit.setfile import shipped_set
from engines.registry import game_of
from tests.conftest import Answer, Turnlog

SET = shipped_set(game_of("evangelists"))
NAMES = ("ada", "bo", "cy", "di", "ed")
#: Where the seats begin unless a test says otherwise.
PLACES = ("rome", "philippi", "corinth", "ephesus", "antioch")
#: What a seat does that a test does not care about.
IDLE = {"follow": "pass", "turn": "end", "growth": "leaf right", "strength": "weak"}
#: What the facts that ask a seat leave to be done.
ASKS = {
    "place-due": "place",
    "turn-began": "turn",
    "turn-resumed": "turn",
    "traditions-looked": "keep",
    "strength-due": "strength",
    "follow-asked": "follow",
    "growth-due": "growth",
}


def told_by(witness: str) -> list[str]:
    """The traditions of a witness, in order."""
    return [name for name, card in SET.traditions.items() if witness in card.witnesses]


def not_told_by(witness: str) -> list[str]:
    """The traditions without a witness, in order."""
    return [name for name in SET.traditions if name not in told_by(witness)]


def dealt(cities: Mapping[str, Sequence[str]]) -> list[str]:
    """A deal that gives cities these cards, the others what is left, in order."""
    named = {card for cards in cities.values() for card in cards}
    rest = [card for card in SET.traditions if card not in named]
    deck: list[str] = []
    for city in SET.cities:
        cards = list(cities.get(city, ()))
        while len(cards) < 4:
            cards.append(rest.pop(0))
        deck += cards
    return deck


class Table:
    """A game `g`; ada is first, pawns stand where `places` says."""

    def __init__(
        self,
        turnlog: Turnlog,
        seats: int,
        *,
        cities: Mapping[str, Sequence[str]] | None = None,
        places: Sequence[str] = PLACES,
        **draws: list[Any],
    ) -> None:
        self.turnlog, self.names = turnlog, NAMES[:seats]
        stack: dict[str, list[Any]] = {"traditions": [dealt(cities or {})], **draws}
        if seats > 1:
            stack.setdefault("first_player", ["ada"])
        persons = [word for name in self.names for word in ("-p", name)]
        file = turnlog.stack(**stack)
        turnlog.json("create", "evangelists", *persons, "--id", "g", "--seed", "1", "--stack", file)
        first = self.names.index(stack["first_player"][0]) if seats > 1 else 0
        self.asked, self.phase, self.round = self.names[first], "place", 1
        for step in range(seats if places else 0):
            seat = (first + step) % seats
            self.play(f"{self.names[seat]}: place {places[seat]}")

    def play(self, *moves: str) -> Any:
        """Moves written `ada: travel adria`, or `end` for whoever is to move; gives the last one's JSON answer."""
        answer: Any = None
        for move in moves:
            answer = self.turnlog.play("g", move)
            self.asked = (answer["to_move"] or [""])[0]
            for fact in answer["events"][-1]["facts"]:
                kind = fact["type"].removeprefix("evangelists.")
                self.phase = ASKS.get(kind, self.phase)
                self.round = fact["round"] if kind == "round-began" else self.round
        return answer

    def view(self, viewer: str = "spectator") -> Any:
        """The view of `show --json`."""
        return self.turnlog.view("g", viewer)

    def seat(self, name: str) -> Any:
        """A seat's part of its own view."""
        return self.view(name)["seats"][self.names.index(name)]

    def to_move(self) -> list[str]:
        """The names of those to move."""
        return [self.asked] if self.asked else []

    def do(self, *moves: str) -> Any:
        """Moves written `ada: travel adria`; until that seat is to move the others idle."""
        answer: Any = None
        for move in moves:
            name, _, text = move.partition(": ")
            self.until(name, growth=text.startswith("leaf"))
            answer = self.play(move)
        return answer

    def until(self, name: str | None, round_: int | None = None, *, growth: bool = False) -> None:
        """Lets seats idle until `name` is to decide, in round `round_` if one is named, or the game is over.

        :param growth: whether to add a leaf is what `name` is to decide
        """
        while self.asked:
            here = self.asked == name and round_ in (None, self.round)
            if here and (growth or self.phase != "growth"):
                return
            self.play(IDLE[self.phase])

    def finish(self) -> Any:
        """Lets everybody idle to the end; the result."""
        self.until(None)
        return self.turnlog.json("show", "g")["result"]

    def refused(self, move: str, *words: str) -> Answer:
        """A move that must be refused with exit code 3, saying `words`; nothing is appended."""
        name, colon, text = move.rpartition(": ")
        if self.to_move() != [name]:
            self.until(name)
        before = self.turnlog.json("show", "g")["seq"]
        answer = self.turnlog("play", "g", text, *(["--as", name] if colon else []), "--json")
        assert answer.code == 3, answer
        for word in words:
            assert word in answer.error["message"] + str(answer.error["hint"]), answer.error
        assert self.turnlog.json("show", "g")["seq"] == before
        return answer

    def moves(self, name: str = "ada") -> list[str]:
        """What `moves` lists for a seat once it is to move."""
        if self.to_move() != [name]:
            self.until(name)
        return self.turnlog.json("moves", "g")["moves"]

    def slots(self, name: str) -> dict[str, str | None]:
        """What lies in a seat's slots, from left to right."""
        return {slot: card for leaf in self.seat(name)["leaves"] for slot, card in leaf["slots"].items()}
