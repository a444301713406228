"""Games of Venusian Vegas for tests: stacked hands, and moves as a player types them."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from typing import Any

from tests.conftest import Turnlog

CARDS = [f"{suit}{number}" for suit in "TGIBM" for number in range(1, 14)]
HAND = 7


class Vegas:
    """A game at the table, its set-up done: seats named by `hands`, the first of them leads.

    :param hands: the cards of each seat; those from the eighth on it draws by raising Team in the set-up
    :param raises: what a seat raises in the set-up, where it matters
    :param rise: the free increase of the first round; None leaves the seat to be asked
    :param deck: the cards on top of the deck once the set-up is done
    :param later: the beginnings of the decks of later rounds
    :param hand: the size of the hands that the set deals
    :param components: a set file of one's own
    :param undo: the undo policy
    :param stack: outcomes of other draws
    """

    def __init__(
        self,
        turnlog: Turnlog,
        hands: Mapping[str, str],
        *,
        raises: Mapping[str, str] | None = None,
        rise: str | None = "inspector",
        deck: str = "",
        later: Sequence[str] = (),
        hand: int = HAND,
        components: str | None = None,
        undo: str = "free",
        **stack: list[Any],
    ) -> None:
        self.turnlog, self.game, self.names = turnlog, "g", list(hands)
        cards = {name: held.split() for name, held in hands.items()}
        order = [card for held in cards.values() for card in held[:hand]]
        order += [card for held in cards.values() for card in held[hand:]]
        decks = [order + deck.split(), *(text.split() for text in later)]
        seats = [word for name in hands for word in ("-p", name)]
        file = turnlog.stack(**{"deck": decks, "first_player": [self.names[0]], **stack})
        more = ["--undo", undo, *(["--set", components] if components else [])]
        turnlog.ok("create", "venusian-vegas", *seats, "--id", self.game, "--seed", 1, "--stack", file, *more)
        usual = "game inspector bot" if len(hands) == 5 else "game inspector"
        for name in hands:
            self.play(f"raise {(raises or {}).get(name, usual)}")
        if rise is not None:
            self.play(f"raise {rise}")

    def play(self, *moves: str) -> Any:
        """Plays moves, each by the seat to move."""
        return self.turnlog.play(self.game, *moves)

    def cards(self, *cards: str) -> Any:
        """Plays cards, each by the seat to move."""
        return self.play(*(f"play {card}" for card in cards))

    def view(self, viewer: str = "spectator") -> Any:
        """The view of `show --json`."""
        return self.turnlog.view(self.game, viewer)

    @property
    def moves(self) -> list[str]:
        """The legal moves of the seat to move."""
        return list(self.turnlog.json("moves", self.game)["moves"])

    @property
    def to_move(self) -> list[str]:
        """Who is to move."""
        return list(self.turnlog.json("show", self.game)["to_move"])

    @property
    def scores(self) -> list[int]:
        """The VP of the seats, in order."""
        return [self.view()["scores"][name] for name in self.names]

    @property
    def result(self) -> Any:
        """How the game ended, or None."""
        return self.turnlog.json("show", self.game)["result"]

    def refused(self, move: str) -> str:
        """The sentence that refuses a move; nothing is appended by it."""
        seq = self.turnlog.json("show", self.game)["seq"]
        answer = self.turnlog("play", self.game, move, "--json")
        assert answer.code == 3, answer
        assert self.turnlog.json("show", self.game)["seq"] == seq
        return str(answer.error["message"])

    def told(self, viewer: str = "spectator") -> str:
        """The whole log as a viewer is told it."""
        return self.turnlog.ok("log", self.game, "--as", viewer).out

    def play_out(self) -> None:
        """Plays the first card that may be played, and declines, until the round ends."""
        ended = False
        while not ended:
            moves = self.moves
            answer = self.play("decline" if "decline" in moves else moves[0])
            ended = any(fact["type"].endswith("round-ended") for fact in answer["events"][0]["facts"])


def own_set(turnlog: Turnlog, changes: Mapping[str, str]) -> str:
    """The file of a set that differs from the shipped one: `{"vp_spaces.team": "[2]"}`."""
    text = files("engines.venusian_vegas").joinpath("set.toml").read_text("utf-8")
    for place, value in changes.items():
        section, _, key = place.rpartition(".")
        head, mark, body = text.partition(f"[{section}]") if section else ("", "", text)
        text = head + mark + re.sub(rf"(?m)^{key} = .*$", f"{key} = {value}", body, count=1)
    path = turnlog.db.with_name("set.toml")
    path.write_text(text)
    return str(path)


def last_hand(turnlog: Turnlog, targets: str, *others: str, bot: Sequence[str] = (), **more: Any) -> Vegas:
    """Ada alone holds the two `targets` at the end of round one, having won seven tricks and declined.

    :param others: the other seats, by default bo alone
    :param bot: the seats that get 2 VP each on the way, by a Bot token
    """
    keep, names = targets.split(), others or ("bo",)
    taken = {*keep, *more.get("deck", "").split()}
    leads = [card for card in CARDS if card[0] == "T" and card not in taken][:HAND]
    rest = [card for card in CARDS if card[0] != "T" and card not in taken]
    hands = {"ada": " ".join([*leads, *keep])}
    hands |= {name: " ".join(rest[i * HAND : (i + 1) * HAND]) for i, name in enumerate(names)}
    raises = {"ada": "team mobster", **dict.fromkeys(names, "bot mobster"), **more.pop("raises", {})}
    table = Vegas(turnlog, hands, raises=raises, **more)
    for number, lead in enumerate(leads):
        table.cards(lead)
        using = names[number] if number < len(names) and names[number] in bot else None
        for name in names:
            card = hands[name].split()[number]
            table.play(f"play {card}{' with bot' if name == using else ''}")
        table.play("decline")
        if using:
            table.play(f"bonus {lead}")
    return table
