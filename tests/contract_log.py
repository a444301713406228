"""What any `EventLog` must do. A store's tests inherit these with a fixture `log`: an empty log of theirs.

Only what `events.log` promises is used here, so nothing is known of files, SQL or games.
"""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import structs

from events.digest import ROOT, chained
from events.errors import Conflict, Damaged, GameExists, RequestReused
from events.log import EventLog, Store, checked
from events.model import CREATED, MOVED, NOTED, Draft, Row

#: A moment, in microseconds UTC.
NOW = 1_700_000_000_000_000


def creation(request: str | None = None, slug: str = "a-game") -> Draft:
    """The first event of a game."""
    return Draft(CREATED, "table", 1001, f'{{"slug":"{slug}"}}', request)


def move(text: str = "x", request: str | None = None) -> Draft:
    """A later event; `text` tells it apart."""
    return Draft(MOVED, "ada", 1001, f'{{"seat":0,"move":"{text}"}}', request)


def started(log: EventLog, game: str = "g", moves: int = 0) -> list[Row]:
    """A game with a creation and some moves, each appended on its own."""
    rows = log.append(game, [creation()], expect=0, at=NOW)
    for seq in range(1, moves + 1):
        rows += log.append(game, [move(f"m{seq}")], expect=seq, at=NOW + seq)
    return rows


def held(log: EventLog) -> dict[str, list[Row]]:
    """All that is in a log."""
    return {game: list(log.rows(game)) for game in log.games()}


class LogContract:
    """Any log passes these. A subclass has a fixture `log` that gives an empty one."""

    def test_an_empty_log_holds_nothing(self, log: EventLog) -> None:
        """A log that nothing was appended to has no games, no rows and no latest game."""
        assert log.games() == []
        assert log.latest() is None
        assert log.last("g") == 0
        assert list(log.rows("g")) == []
        assert log.asked("r", "g") is None
        assert log.asked("r", None) is None

    def test_rows_are_numbered_from_one_without_a_gap(self, log: EventLog) -> None:
        """Batches of any length, in turn with another game's, are numbered 1, 2, 3 in their own game."""
        log.append("g", [creation(), move(), move()], expect=0, at=NOW)
        log.append("other", [creation()], expect=0, at=NOW)
        log.append("g", [move()], expect=3, at=NOW)
        log.append("other", [move(), move()], expect=1, at=NOW)
        log.append("g", [move(), move()], expect=4, at=NOW)
        assert [row.seq for row in log.rows("g")] == [1, 2, 3, 4, 5, 6]
        assert [row.seq for row in log.rows("other")] == [1, 2, 3]
        assert (log.last("g"), log.last("other")) == (6, 3)

    def test_a_row_is_read_back_as_it_was_written(self, log: EventLog) -> None:
        """Every column comes back: the time, the actor's name, the request and the text to the letter."""
        data = '{"text":"\u00e9 \u2603 \U0001f0a1 \\u0000 \\n","number":1.50}'
        draft = Draft(MOVED, "zo\u00eb 'x' \"y\"", 7003, data, "request \u2603")
        first = log.append("g", [creation("r")], expect=0, at=NOW)
        second = log.append("g", [draft], expect=1, at=NOW - 5)
        assert second == [
            Row("g", 2, NOW - 5, MOVED, draft.actor, 7003, draft.request, data, second[0].digest),
        ]
        assert list(log.rows("g")) == first + second

    @pytest.mark.parametrize("expect", [0, 1, 2, 4, 99], ids="expect={}".format)
    def test_an_append_that_expects_another_end_writes_nothing(self, log: EventLog, expect: int) -> None:
        """Behind a log of three rows only `expect` 3 appends; else both numbers are named, nothing is written."""
        started(log, moves=2)
        before = held(log)
        with pytest.raises(GameExists if expect == 0 else Conflict) as refused:
            log.append("g", [move(), move()], expect=expect, at=NOW)
        assert refused.value.game == "g"
        if isinstance(refused.value, Conflict):
            assert (refused.value.expected, refused.value.found) == (expect, 3)
        assert held(log) == before
        assert log.append("g", [move()], expect=3, at=NOW)[0].seq == 4

    def test_a_game_that_is_not_there_has_no_end_to_append_to(self, log: EventLog) -> None:
        """An append behind row 2 of an unknown game is a conflict with 0, and starts no game."""
        with pytest.raises(Conflict) as refused:
            log.append("g", [move()], expect=2, at=NOW)
        assert refused.value.found == 0
        assert log.games() == []
        assert log.last("g") == 0

    def test_the_id_of_a_game_is_given_once(self, log: EventLog) -> None:
        """A second creation under an id is refused as `GameExists`, and the first game stays."""
        before = started(log)
        with pytest.raises(GameExists) as refused:
            log.append("g", [creation(slug="another")], expect=0, at=NOW)
        assert refused.value.game == "g"
        assert list(log.rows("g")) == before

    def test_a_batch_is_written_whole_or_not_at_all(self, log: EventLog) -> None:
        """A batch whose last row cannot be written leaves none of its rows."""
        started(log)
        log.append("g", [move(request="used")], expect=1, at=NOW)
        before = held(log)
        with pytest.raises(RequestReused):
            log.append("g", [move("new"), move("newer"), move(request="used")], expect=2, at=NOW)
        assert held(log) == before

    def test_a_request_is_used_once_in_a_game(self, log: EventLog) -> None:
        """The second row of a game with a request id is refused, the creation's id included."""
        log.append("g", [creation("create")], expect=0, at=NOW)
        log.append("g", [move(request="r"), move()], expect=1, at=NOW)
        before = held(log)
        for request in ("r", "create"):
            with pytest.raises(RequestReused) as refused:
                log.append("g", [move(request=request)], expect=3, at=NOW)
            assert (refused.value.request, refused.value.game) == (request, "g")
        assert held(log) == before

    def test_a_request_may_come_back_in_another_game(self, log: EventLog) -> None:
        """Moves of two games may carry the same request id, and one that another game was created with."""
        log.append("g", [creation("create")], expect=0, at=NOW)
        log.append("g", [move(request="r")], expect=1, at=NOW)
        started(log, "other")
        log.append("other", [move("theirs", request="r")], expect=1, at=NOW)
        log.append("other", [move(request="create")], expect=2, at=NOW)
        mine, theirs = log.asked("r", "g"), log.asked("r", "other")
        assert mine is not None
        assert theirs is not None
        assert (mine.game, mine.seq, theirs.game, theirs.seq) == ("g", 2, "other", 2)

    def test_a_request_creates_one_game_in_the_whole_log(self, log: EventLog) -> None:
        """A second creation with a request id is refused whatever its game is called."""
        log.append("g", [creation("r")], expect=0, at=NOW)
        before = held(log)
        with pytest.raises(RequestReused):
            log.append("other", [creation("r"), move()], expect=0, at=NOW)
        assert held(log) == before
        assert log.last("other") == 0

    def test_a_request_is_found_where_it_stands(self, log: EventLog) -> None:
        """`asked` finds a request in its game, or among creations, and nothing else."""
        [first] = log.append("g", [creation("create")], expect=0, at=NOW)
        second, _ = log.append("g", [move(request="r"), move()], expect=1, at=NOW)
        assert log.asked("create", None) == first
        assert log.asked("create", "g") == first
        assert log.asked("r", "g") == second
        assert log.asked("r", None) is None
        assert log.asked("r", "other") is None
        assert log.asked("R", "g") is None

    def test_inside_is_called_once_with_the_rows(self, log: EventLog) -> None:
        """What is to happen in the transaction is handed the store and all rows of the batch, once."""
        calls: list[list[Row]] = []

        def inside(store: Store, rows: Sequence[Row]) -> None:
            calls.append(list(rows))

        rows = log.append("g", [creation(), move()], expect=0, at=NOW, inside=inside)
        assert calls == [rows]
        assert [row.seq for row in rows] == [1, 2]

    @pytest.mark.parametrize("expect", [0, 2], ids=["a new game", "a game that is there"])
    def test_what_inside_raises_undoes_the_append(self, log: EventLog, expect: int) -> None:
        """An error inside passes through as it is, no row stays, and the log takes the same append afterwards."""

        class Boom(Exception):
            pass

        boom = Boom()

        def inside(store: Store, rows: Sequence[Row]) -> None:
            raise boom

        started(log, "g", moves=1)
        game = "g" if expect else "new"
        drafts = [move(request="r") if expect else creation("r"), move()]
        before, latest = held(log), log.latest()
        with pytest.raises(Boom) as raised:
            log.append(game, drafts, expect=expect, at=NOW, inside=inside)
        assert raised.value is boom
        assert (held(log), log.latest()) == (before, latest)
        assert log.asked("r", game) is None
        assert [row.seq for row in log.append(game, drafts, expect=expect, at=NOW)] == [expect + 1, expect + 2]

    @pytest.mark.parametrize(
        ("after", "upto", "seqs"),
        [
            (0, None, [1, 2, 3, 4, 5]),
            (2, None, [3, 4, 5]),
            (0, 2, [1, 2]),
            (1, 4, [2, 3, 4]),
            (3, 4, [4]),
            (0, 99, [1, 2, 3, 4, 5]),
            (0, 2**70, [1, 2, 3, 4, 5]),
            (5, None, []),
            (99, None, []),
            (3, 3, []),
            (4, 2, []),
            (0, 0, []),
        ],
        ids=lambda value: "all" if value is None else str(value),
    )
    def test_rows_are_those_behind_one_up_to_another(
        self, log: EventLog, after: int, upto: int | None, seqs: list[int]
    ) -> None:
        """`rows` gives those with `after < seq <= upto`, in order, of the one game."""
        started(log, "g", moves=4)
        started(log, "h", moves=4)
        rows = list(log.rows("g", after, upto))
        assert [row.seq for row in rows] == seqs
        assert all(row.game == "g" for row in rows)

    @pytest.mark.parametrize(
        ("beginning", "found"),
        [
            ("", ["B", "a%b", "ab", "ab_c", "abc", "b"]),
            ("a", ["a%b", "ab", "ab_c", "abc"]),
            ("ab", ["ab", "ab_c", "abc"]),
            ("abc", ["abc"]),
            ("ab_", ["ab_c"]),
            ("a%", ["a%b"]),
            ("b", ["b"]),
            ("B", ["B"]),
            ("abcd", []),
            ("_", []),
            ("*", []),
        ],
        ids=lambda value: value or "nothing" if isinstance(value, str) else "",
    )
    def test_games_are_found_by_their_beginning(self, log: EventLog, beginning: str, found: list[str]) -> None:
        """Ids come in order, by a plain beginning: no letter of it means another."""
        for game in ("b", "abc", "a%b", "B", "ab_c", "ab"):
            started(log, game)
        assert log.games(beginning) == found
        assert log.games(beginning, 1) == found[:1]

    def test_the_latest_game_is_the_one_last_appended_to(self, log: EventLog) -> None:
        """A move in an older game makes it the latest; a refused append does not."""
        started(log, "g")
        started(log, "h")
        assert log.latest() == "h"
        log.append("g", [move()], expect=1, at=NOW - 99)
        assert log.latest() == "g"
        with pytest.raises(Conflict):
            log.append("h", [move()], expect=7, at=NOW)
        assert log.latest() == "g"

    def test_every_game_is_a_chain_of_its_own(self, log: EventLog) -> None:
        """Each digest follows from the row before it; games written in turn do not touch each other's chain."""
        started(log, "g", moves=2)
        started(log, "h", moves=2)
        log.append("g", [move(), move()], expect=3, at=NOW)
        for game in ("g", "h"):
            rows = list(log.rows(game))
            assert list(checked(rows)) == rows
            previous = ROOT
            for row in rows:
                columns = (row.game, row.seq, row.at, row.kind, row.actor, row.schema, row.request, row.data)
                assert row.digest == chained(previous, *columns)
                previous = row.digest
        assert not {row.digest for row in log.rows("g")} & {row.digest for row in log.rows("h")}

    def test_the_end_of_a_chain_is_checked_from_the_digest_before_it(self, log: EventLog) -> None:
        """Rows from the middle pass with the digest before them or on trust, and with no other."""
        rows = started(log, moves=4)
        assert list(checked(log.rows("g", 2), rows[1].digest, 2)) == rows[2:]
        assert list(checked(log.rows("g", 2), None, 2)) == rows[2:]
        with pytest.raises(Damaged):
            list(checked(log.rows("g", 2), rows[0].digest, 2))

    @pytest.mark.parametrize(
        "change",
        [
            {"game": "h"},
            {"at": NOW},
            {"kind": NOTED},
            {"actor": "bo"},
            {"schema": 1002},
            {"request": "r"},
            {"request": ""},
            {"data": '{"seat":1,"move":"m2"}'},
            {"digest": b"\0" * 32},
        ],
        ids=lambda change: "-".join(f"{name}={value}"[:20] for name, value in change.items()),
    )
    def test_any_change_of_a_row_breaks_the_chain(self, log: EventLog, change: dict[str, Any]) -> None:
        """A column that is not what was written is told with the number of its row."""
        rows = started(log, moves=4)
        rows[2] = structs.replace(rows[2], **change)
        with pytest.raises(Damaged) as damaged:
            list(checked(rows))
        assert damaged.value.seq == 3

    @pytest.mark.parametrize(
        ("order", "seq"),
        [
            ([0, 1, 3, 4], 3),
            ([1, 2, 3, 4], 1),
            ([0, 2, 1, 3, 4], 2),
            ([0, 1, 1, 2, 3, 4], 3),
        ],
        ids=["one is missing", "the first is missing", "two change places", "one stands twice"],
    )
    def test_a_chain_has_every_row_once_in_order(self, log: EventLog, order: list[int], seq: int) -> None:
        """The first number that is not there where it should be is told."""
        rows = started(log, moves=4)
        with pytest.raises(Damaged) as damaged:
            list(checked(rows[number] for number in order))
        assert damaged.value.seq == seq
