"""Who may take back what: the undo policies of a game, at the command line, in Power Vacuum."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from engines.creation import Wish, create
from engines.kit.chance import Chance
from engines.kit.errors import Refusal
from engines.kit.notation import words_of
from engines.kit.offers import legal
from engines.registry import game_of
from engines.table import UNDO_POLICIES, Table
from events.model import MoveMade
from events.sqlite import SqliteLog, open_log
from projections.schema import prepare
from tests.conftest import Turnlog

GAME = game_of("power-vacuum")
PER_POLICY = pytest.mark.parametrize("policy", UNDO_POLICIES)

#: Ada leads Y1, bo follows with Y9 and wins; ada has the lowest card and runs the Control Board.
DECK = ["Y1", "Y2", "W1", "W2", "G1", "G2", "R1", "R2", "Y9", "Y8", "W9", "W8", "G9", "G8", "R9", "R8"]
AGENDAS = ["red/green", "red/yellow", "white/brown"]
OPENING = ("ada: play Y1", "bo: play Y9", "bo: point", "ada: transfer white brown", "ada: plug white red")


def new_game(turnlog: Turnlog, policy: str, *names: str) -> None:
    """A game `g` with these cards."""
    stack = turnlog.stack(regime_deck=[DECK], agenda_deck=[AGENDAS])
    persons = [word for name in names or ("ada", "bo") for word in ("-p", name)]
    turnlog.ok(
        "create",
        "power-vacuum",
        *persons,
        *("-o", "first=ada", "--seed", "1", "--stack", stack, "--undo", policy, "--id", "g"),
    )


def refused(turnlog: Turnlog, *words: object) -> str:
    """The text that refuses an undo; nothing was written."""
    before = turnlog.ok("log", "g", "--as", "referee", "--json").out
    answer = turnlog("undo", "g", *words, "--json")
    assert answer.code == 3, answer
    assert answer.out == ""
    assert turnlog.ok("log", "g", "--as", "referee", "--json").out == before
    return answer.error["message"]


def taken_back(turnlog: Turnlog, *words: object) -> tuple[int, int]:
    """The events that an undo takes back."""
    [event] = turnlog.json("undo", "g", *words)["events"]
    return event["first"], event["last"]


# free, off, and what no policy allows -----------------------------------------------------------------


@pytest.mark.parametrize("asker", [["--as", "ada"], ["--as", "bo"], []], ids=["ada", "bo", "nobody"])
def test_free_lets_anybody_take_back_anything(turnlog: Turnlog, asker: list[str]) -> None:
    """With `free`, one or all moves are taken back by whoever asks, whatever was learned."""
    new_game(turnlog, "free")
    turnlog.play("g", *OPENING)
    assert taken_back(turnlog, *asker) == (6, 6)
    assert taken_back(turnlog, "-n", 2, *asker) == (4, 5)
    assert taken_back(turnlog, "--to", 1, *asker) == (2, 3)
    assert "no move to take back" in refused(turnlog, *asker)


def test_free_is_what_a_game_has_that_says_nothing(turnlog: Turnlog) -> None:
    """A game created without --undo is free."""
    turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bo", "--id", "g")
    [event] = turnlog("log", "g", "--json").lines
    assert event["created"]["undo"] == "free"


@pytest.mark.parametrize("words", [[], ["--as", "ada"], ["--as", "bo"], ["-n", "2"], ["--to", "1"]], ids=" ".join)
def test_off_takes_nothing_back(turnlog: Turnlog, words: list[str]) -> None:
    """With `off` no undo is carried out, and the text says that it was chosen so."""
    new_game(turnlog, "off")
    turnlog.play("g", *OPENING[:2])
    assert "--undo off" in refused(turnlog, *words)


def test_a_policy_nobody_knows_is_refused(turnlog: Turnlog) -> None:
    """`create --undo` takes one of the five, and names them."""
    answer = turnlog("create", "power-vacuum", "-p", "ada", "-p", "bo", "--undo", "sometimes", "--json")
    assert answer.code == 2
    assert all(policy in answer.error["message"] for policy in UNDO_POLICIES)


@PER_POLICY
def test_what_was_taken_back_is_played_anew(turnlog: Turnlog, policy: str) -> None:
    """Under each policy that allows it, after an undo another move can be made in its place."""
    new_game(turnlog, policy)
    turnlog.play("g", *OPENING[:3])
    if policy == "off":
        refused(turnlog, "--as", "bo")
        return
    if policy == "ask":
        turnlog.ok("undo", "g", "--as", "bo")
        turnlog.ok("agree", "g", "--as", "ada")
    else:
        assert taken_back(turnlog, "--as", "bo") == (4, 4)
    turnlog.play("g", "bo: capture Y1")
    assert turnlog.view("g")["captured"]["bo"] == ["Y1"]


@PER_POLICY
def test_a_closed_game_stays_as_it_is(turnlog: Turnlog, policy: str) -> None:
    """Once a game is closed by hand, no policy takes anything back."""
    new_game(turnlog, policy)
    turnlog.play("g", *OPENING[:3])
    turnlog.ok("close", "g")
    assert "closed" in refused(turnlog)


# own --------------------------------------------------------------------------------------------------


def test_own_refuses_anothers_move(turnlog: Turnlog) -> None:
    """With `own`, the last move is taken back by its mover; the text names the event and whose it is."""
    new_game(turnlog, "own")
    turnlog.play("g", *OPENING[:1])
    text = refused(turnlog, "--as", "bo")
    assert "event 2 is a move of ada" in text
    assert taken_back(turnlog, "--as", "ada") == (2, 2)


def test_own_ends_where_another_person_acted(turnlog: Turnlog) -> None:
    """A move is taken back only until another seat has moved, and again once that one has taken its own back."""
    new_game(turnlog, "own")
    turnlog.play("g", *OPENING[:2])
    assert "event 3 is a move of bo" in refused(turnlog, "--as", "ada")
    assert taken_back(turnlog, "--as", "bo") == (3, 3)
    assert taken_back(turnlog, "--as", "ada") == (2, 2)


def test_own_takes_back_several_of_ones_own_moves(turnlog: Turnlog) -> None:
    """Two moves of one seat in a row go together; not the one of another seat before them."""
    new_game(turnlog, "own")
    turnlog.play("g", *OPENING)
    assert "event 4 is a move of bo" in refused(turnlog, "--as", "ada", "-n", 3)
    assert "event 4 is a move of bo" in refused(turnlog, "--as", "ada", "--to", 3)
    assert taken_back(turnlog, "--as", "ada", "-n", 2) == (5, 6)
    assert taken_back(turnlog, "--as", "bo", "--to", 2) == (3, 4)


def test_own_without_a_seat_speaks_for_who_moved_last(turnlog: Turnlog) -> None:
    """Where no seat is named the one that moved last is meant, and it reaches no further than its own moves."""
    new_game(turnlog, "own")
    turnlog.play("g", *OPENING[:3])
    assert "event 2 is a move of ada" in refused(turnlog, "-n", 3)
    assert taken_back(turnlog, "-n", 2) == (3, 4)
    assert taken_back(turnlog) == (2, 2)


def test_own_takes_back_what_a_bot_answered(turnlog: Turnlog) -> None:
    """A bot is no other person: its answers go with the move that they answer."""
    new_game(turnlog, "own", "ada", "bot:random")
    answered = turnlog.play("g", "ada: play Y1")
    assert answered["seq"] > 2
    assert taken_back(turnlog, "--as", "ada") == (2, answered["seq"])
    assert turnlog.json("show", "g")["to_move"] == ["ada"]


# the end ----------------------------------------------------------------------------------------------


def played_on(table: Table, chance: Chance, wish: Sequence[str] = ()) -> MoveMade[Any, Any]:
    """A random legal move, of the verb in `wish` if there is one."""
    moves = legal(table.offers(table.to_move[0]))
    moves = [move for move in moves if GAME.grammar.verb(type(move)) in wish] or moves
    move = moves[chance.number("move", len(moves))]
    event = table.play(words_of(GAME.grammar.spell(move)), now=2)[0].event
    assert isinstance(event, MoveMade)
    return event


@pytest.fixture
def log(turnlog: Turnlog) -> Iterator[SqliteLog]:
    """The log of the command line's database, for long games; not synced."""
    opened = open_log(str(turnlog.db), prepare, write=True)
    opened.connection.execute("pragma synchronous = off")
    yield opened
    opened.close()


def started(log: SqliteLog, policy: str, seed: str, names: tuple[str, ...] = ("ada", "bo")) -> Table:
    """A new game `g`, or `g` and the seed."""
    wish = Wish(GAME, names, {"first": "ada"}, policy, seed=seed)
    return create(log, wish, "g" if seed == "1" else f"g{seed}", now=1, secret=lambda: "salt")[0]


@PER_POLICY
def test_after_the_end_only_free_takes_back(turnlog: Turnlog, log: SqliteLog, policy: str) -> None:
    """The move that ended a game is taken back with `free`; with the others it is refused, its own mover too."""
    table, chance = started(log, policy, "1"), Chance("end")
    while table.outcome is None:
        event = played_on(table, chance)
    for asker in ([], ["--as", table.names[event.seat]]):
        if policy == "free":
            assert taken_back(turnlog, *asker) == (table.seq, table.seq)
            assert turnlog.json("show", "g")["result"] is None
            turnlog.ok("redo", "g")
            assert turnlog.json("show", "g")["result"] is not None
        else:
            assert ("off" if policy == "off" else "the game is over") in refused(turnlog, *asker)


# safe -------------------------------------------------------------------------------------------------


def test_safe_refuses_what_taught_somebody(turnlog: Turnlog) -> None:
    """With `safe`, a card that was played stays: the text says who learned something, and by which event."""
    new_game(turnlog, "safe")
    turnlog.play("g", *OPENING[:1])
    assert "bo learned something by event 2" in refused(turnlog, "--as", "ada")


def test_safe_refuses_a_reveal(turnlog: Turnlog) -> None:
    """An Agenda that was laid open taught the others what it is."""
    new_game(turnlog, "safe")
    turnlog.play("g", "ada: reveal red green")
    assert "bo learned something by event 2" in refused(turnlog, "--as", "ada")


@pytest.mark.parametrize(
    "moves",
    [
        OPENING[:3],
        (*OPENING[:2], "bo: capture Y1"),
        OPENING[:4],
        OPENING,
    ],
    ids=lambda moves: moves[-1],
)
def test_safe_takes_back_what_taught_nobody(turnlog: Turnlog, moves: Sequence[str]) -> None:
    """A point, a capture, a transfer and a plug in mid-round follow from what all can see."""
    new_game(turnlog, "safe")
    turnlog.play("g", *moves)
    mover = moves[-1].partition(":")[0]
    other = "bo" if mover == "ada" else "ada"
    assert "own moves only" in refused(turnlog, "--as", other)
    assert taken_back(turnlog, "--as", mover) == (len(moves) + 1, len(moves) + 1)
    turnlog.play("g", moves[-1])


def test_safe_looks_at_all_that_would_be_taken_back(turnlog: Turnlog) -> None:
    """Several moves go together if none of them taught anybody, and stay together if one did."""
    new_game(turnlog, "safe")
    turnlog.play("g", *OPENING)
    assert taken_back(turnlog, "--as", "ada", "-n", 2) == (5, 6)
    assert "ada learned something by event 3" in refused(turnlog, "--as", "bo", "-n", 2)
    assert taken_back(turnlog, "--as", "bo") == (4, 4)


def test_safe_counts_what_a_bot_answered(turnlog: Turnlog) -> None:
    """A plug teaches nobody, but the card that a bot leads on it has taught its mover: it stays."""
    new_game(turnlog, "safe", "ada", "bot:random")
    turnlog.play("g", "ada: play Y1", "ada: transfer white brown")
    assert taken_back(turnlog, "--as", "ada") == (5, 5)
    turnlog.play("g", "ada: transfer white brown")
    plug, lead, *_ = turnlog.play("g", "ada: plug white red")["events"]
    assert (plug["seat"], lead["seat"], lead["move"][:4]) == ("ada", "bot:random", "play")
    assert f"ada learned something by event {lead['seq']}" in refused(turnlog, "--as", "ada")


def test_safe_takes_nothing_back_that_drew_cards(turnlog: Turnlog) -> None:
    """Alone, turning the own Agenda deals the cards: who has seen them does not choose anew."""
    turnlog.ok("create", "power-vacuum", "-p", "ada", "--undo", "safe", "--id", "g", "--seed", "1")
    turnlog.play("g", turnlog.json("moves", "g")["moves"][0])
    assert "ada learned something by event 2" in refused(turnlog, "--as", "ada")


#: Verbs that teach always and never; a plug teaches when it ends the round.
TEACHING = {"play": True, "reveal": True, "point": False, "capture": False, "transfer": False}


@pytest.mark.parametrize("names", [("ada", "bo"), ("ada", "bo", "cy")], ids=["two", "three"])
def test_safe_goes_by_what_was_learned_at_every_move(
    turnlog: Turnlog, log: SqliteLog, names: tuple[str, ...]
) -> None:
    """Through a round and into the next: plays and reveals always teach, point, capture and transfer never, a plug
    only where it ends the round. The refusal names a seat that learned and the event.
    """
    table, chance = started(log, "safe", "1", names), Chance("verbs")
    seen: set[tuple[str, bool]] = set()
    while table.state.round == 1 or table.state.played == []:
        event = played_on(table, chance, ("reveal", "capture", "point") if chance.number("wish", 2) else ())
        verb = GAME.grammar.verb(type(event.move))
        ends = any(type(fact).__name__ == "LevelsMarked" for fact in event.facts)
        assert verb in TEACHING or verb == "plug"
        answer = turnlog("undo", "g", "--as", names[event.seat], "--dry-run", "--json")
        if TEACHING.get(verb, ends):
            assert answer.code == 3, event
            found = re.search(r"but (\w+) learned something by event (\d+)", answer.error["message"])
            assert found
            assert found[1] in names
            assert int(found[2]) == table.seq
            if not ends:
                assert found[1] != names[event.seat]  # the mover knew the own card and Agenda
        else:
            assert answer.code == 0, event
            assert answer.json["events"][0]["first"] == table.seq
        seen.add((verb, ends))
    assert seen == {*((verb, False) for verb in (*TEACHING, "plug")), ("plug", True)}


# what a refusal tells ---------------------------------------------------------------------------------


def secrets_of(table: Table, asker: int) -> set[str]:
    """The cards and Agendas that a seat cannot know of: those of the other hands, and hidden ones."""
    state = table.state
    cards = {card for seat in range(state.seats) if seat != asker for card in state.hands[seat]}
    hidden = {state.agendas[seat] for seat in range(state.seats) if seat != asker and not state.revealed[seat]}
    return cards - set(state.played) | hidden


@pytest.mark.parametrize("number", range(4))
def test_a_refusal_tells_the_asker_no_secret(tmp_path: Path, number: int) -> None:
    """Whatever an asker is told about what others learned, no card or Agenda hidden from it is in the text."""
    log = open_log(str(tmp_path / "games.db"), prepare, write=True)
    log.connection.execute("pragma synchronous = off")
    ends = {"ada": "", "bo": "", "cy": ""}
    names = tuple(ends)[: 2 + number % 2]
    for seed in range(2, 8):
        table, chance = started(log, "safe", str(seed), names), Chance(f"{number}/{seed}")
        while table.state.round == 1:
            event = played_on(table, chance, ("reveal",) if number < 2 else ())
            text = ""
            try:
                table.undo(now=3, seat=event.seat, dry_run=True)
                table = Table(log, table.id)  # a dry run leaves it as it would be
            except Refusal as refusal:
                text = f"{refusal} {refusal.hint}"
            told = set(re.findall(r"\b[YWGRB][1-9]\b|\b[a-z]+/[a-z]+\b", text))
            assert not told & secrets_of(table, event.seat), text
        ends[names[event.seat]] += text
    log.close()
    if number < 2:  # all Agendas were open, so what was learned first is what ada was dealt
        assert re.search(r"ada is dealt( [YWGR]\?){3}", ends["bo"]), ends
        assert "?" not in ends["ada"]
