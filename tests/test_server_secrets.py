"""What the server sends to a seat or a spectator holds what that viewer may know, and no more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from msgspec import msgpack

from cli.server.auth import Presented
from cli.server.stream import Reader
from engines.creation import Wish, create
from engines.kit.game import Game
from engines.kit.notation import words_of
from engines.kit.offers import legal
from engines.kit.secrecy import Viewer
from engines.registry import game_of
from tests.conftest import Turnlog
from tests.lively_games import BEGUN, opened, think_little
from tests.served import Web, serving
from tests.test_page_secrets import NAMES, ONCE_A_GAME, SALT, SEED, said, started, viewers
from tests.two_worlds import World, common_moves, world

ROUTES = (
    "",
    "?at=1",
    "/moves",
    "/log",
    "/replay?undone=true",
    "/notes",
    "/export",
    "/export?format=markdown",
    "/export?format=html",
)


@pytest.fixture(autouse=True)
def _quick_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    """Key moments are looked for, but with bots that do not think."""
    think_little(monkeypatch)


class Eyes:
    """Somebody with a token of a game in a database of its own, who asks for all there is."""

    def __init__(self, turnlog: Turnlog, stack: ExitStack, path: Path, game: str, who: str) -> None:
        self.game = game
        self.token = turnlog.json("--db", path, "invite", game, who)["token"]
        self.web: Web = stack.enter_context(serving(path, clock=lambda: BEGUN))

    def asked(self, routes: Sequence[str] = ROUTES) -> Iterator[tuple[str, bytes]]:
        """What each route answers; the stream, too."""
        for route in routes:
            yield route, self.web("GET", f"/api/g/{self.game}{route}", self.token).content
        for page in ("", "/live", "/live?at=1", "/live?find=a"):
            yield f"page{page}", self.web("GET", f"/g/{self.game}{page}", self.token).content
        yield "events", b"\n".join(self.streamed(0))

    def streamed(self, after: int) -> list[bytes]:
        """What is streamed to them behind an event."""
        hub = self.web.client.app.state.serving.hub  # pyright: ignore[reportFunctionMemberAccess]
        reader = Reader(Presented(self.token), self.game, None)
        assert self.web.client.portal is not None
        return [made.data for made in self.web.client.portal.call(hub.told, reader, after)]

    def refused(self, move: str) -> Iterator[tuple[str, bytes]]:
        """What is answered to moves that are none."""
        for body in ({"move": "frobnicate"}, {"move": [*move.split(), "x"]}, {"move": "play ?"}):
            yield "play", self.web("POST", f"/api/g/{self.game}/play", self.token, body).content
        yield "undo", self.web("POST", f"/api/g/{self.game}/undo", self.token, {"n": 999}).content


@ONCE_A_GAME
def test_answers_are_the_same_in_every_world_that_looks_the_same(
    game: Game, turnlog: Turnlog, tmp_path: Path
) -> None:
    """Two games that differ in hidden things only, played alike, are answered with the same bytes to a viewer:
    views, moves, logs, streams, files, refusals, and what follows on the viewer's own moves.
    """
    table = started(tmp_path / "real.db", game, 12)
    differed = 0
    for viewer in (0, None):
        worlds = world(table, viewer, 1), world(table, viewer, 2)
        differed += msgpack.encode(worlds[0].table.state) != msgpack.encode(worlds[1].table.state)
        with ExitStack() as stack:
            eyes = [Eyes(turnlog, stack, at.path, "game", said(table, viewer)) for at in worlds]
            for number in range(4):
                chosen = next(common_moves(*worlds, viewer), None)
                if chosen is None:
                    break
                _play(worlds, eyes, viewer, chosen[0], game.grammar.spell(chosen[1]), number)
            for at in worlds:
                at.table.note(1, "a note", now=BEGUN + 9)
            for mine, theirs in zip(eyes[0].asked(), eyes[1].asked(), strict=True):
                assert mine == theirs, f"{mine[0]} as {said(table, viewer)}"
                assert b"of world" not in mine[1]
        for at in worlds:
            at.table.log.close()
    assert differed, "no viewer has anything to guess at, so that nothing was tried"
    table.log.close()


def _play(
    worlds: tuple[World, World], eyes: list[Eyes], viewer: Viewer, seat: int, move: str, number: int
) -> None:
    """Plays a move in both worlds, over HTTP where it is the viewer's own."""
    got: list[list[tuple[str, bytes]]] = []
    for at, asker in zip(worlds, eyes, strict=True):
        answers = list(asker.refused(move)) if viewer is not None else []
        if seat == viewer:
            answer = asker.web("POST", "/api/g/game/play", asker.token, {"move": move})
            assert answer.is_success
            answers.append(("play", answer.content))
            at.table._forget()
        else:
            at.table.play(words_of(move), now=BEGUN + number, seat=seat, bots=False)
        got.append(answers)
    assert got[0] == got[1]


def test_no_hidden_card_goes_over_the_network(turnlog: Turnlog, tmp_path: Path) -> None:
    """Of a game of Power Vacuum, watched move by move by everybody: no card of another hand, no Agenda that is not
    revealed, is in what was received before it was open; nor the seed and salt before the end.
    """
    wish = Wish(game_of("power-vacuum"), NAMES, seed=SEED)
    table, _ = create(opened(tmp_path / "real.db"), wish, "real", now=BEGUN, secret=lambda: SALT)
    with ExitStack() as stack:
        path = Path(table.log.path)
        eyes = {viewer: Eyes(turnlog, stack, path, "real", said(table, viewer)) for viewer in viewers(table)}
        searched = 0
        for _ in range(8):
            seat = table.to_move[0]
            move = table.game.grammar.spell(legal(table.offers(seat))[0])
            answer = eyes[seat].web("POST", "/api/g/real/play", eyes[seat].token, {"move": move})
            assert answer.is_success
            table._forget()
            for viewer, asker in eyes.items():
                others = [seat for seat in range(len(table.names)) if seat != viewer]
                hidden = [card for seat in others for card in table.state.hands[seat]]
                hidden += [table.state.agendas[seat] for seat in others if not table.state.revealed[seat]]
                received = [data.decode() for _, data in asker.asked(("", "/moves", "/log"))]
                received += [answer.text] if seat == viewer else []
                for text in received:
                    assert SEED not in text
                    assert SALT not in text
                    for secret in hidden:
                        assert not re.search(rf"(?<!\w){re.escape(secret)}(?!\w)", text)
                        searched += 1
    assert searched > 1_000
    table.log.close()
