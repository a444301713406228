"""Events to text and back: today's, yesterday's, tomorrow's, and what is no event at all."""

from collections.abc import Callable, Mapping
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, TypeVar, Union, get_args, get_origin

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from msgspec import Struct, json, structs

from engines.kit.setfile import shipped_set
from engines.registry import all_games, game_of
from events import codec as codec_module
from events.codec import Codec, Upcaster
from events.errors import Damaged
from events.model import (
    CLOSED,
    CREATED,
    KINDS,
    MOVED,
    NOTED,
    REDONE,
    UNDONE,
    Draft,
    Event,
    GameClosed,
    GameCreated,
    MoveMade,
    MovesRedone,
    MovesUndone,
    Noted,
    Outcome,
    Row,
)
from events.sqlite import open_log
from projections.schema import prepare
from tests.conftest import Turnlog

# a made-up game, whose documents changed twice ---------------------------------------------------------
#
# 1: a move was `{"type": "hill.climb", "up": 3}`, a fact `{"type": "hill.climbed", "who": 0, "up": 3}`
# 2: `who` became `seat`
# 3: `up` became `steps`, and facts that nothing was climbed are left out


class Hill(Struct, frozen=True):
    """The components."""

    height: int


class Climb(Struct, frozen=True, tag="hill.climb"):
    """A move."""

    steps: int


class Climbed(Struct, frozen=True, tag="hill.climbed"):
    """A fact."""

    seat: int
    steps: int
    tired: bool = False


class Rested(Struct, frozen=True, tag="hill.rested"):
    """Another one."""

    seat: int


def seats_named(kind: str, document: dict[str, Any]) -> dict[str, Any]:
    """Lifts 1 to 2."""
    for fact in document["facts"]:
        fact["seat"] = fact.pop("who")
    return document


def steps_counted(kind: str, document: dict[str, Any]) -> dict[str, Any]:
    """Lifts 2 to 3."""
    if kind == MOVED:
        document["move"]["steps"] = document["move"].pop("up")
    facts = [fact for fact in document["facts"] if fact.get("up") != 0]
    for fact in facts:
        if "up" in fact:
            fact["steps"] = fact.pop("up")
    return document | {"facts": facts}


def hill(upcasters: Mapping[int, Upcaster] | None = None, schema: int = 3) -> Codec[Any, Any, Any]:
    """The codec of the made-up game."""
    known = {1: seats_named, 2: steps_counted} if upcasters is None else upcasters
    return Codec(Hill, Climb, Climbed | Rested, schema, known)


def row(kind: str, schema: int, data: str | dict[str, Any], seq: int = 7) -> Row:
    """A row of the log."""
    text = data if isinstance(data, str) else json.encode(data).decode()
    return Row("g", seq, 0, kind, "ada", schema, None, text, b"")


CREATION: dict[str, Any] = {
    "slug": "hill",
    "rules": 1,
    "seats": ["ada", "bo"],
    "options": {},
    "undo": "free",
    "set": {"height": 8},
    "seed": "s",
    "salt": "t",
    "stack": {},
    "seed_digest": "d",
    "draws": {"weather": 1},
    "next": [0],
}
MOVE: dict[str, Any] = {"seat": 1, "draws": {"dice": 2}, "next": [0]}
STATES_OF_A_MOVE = {
    1001: {
        "move": {"type": "hill.climb", "up": 3},
        "facts": [{"type": "hill.climbed", "who": 1, "up": 3}, {"type": "hill.climbed", "who": 0, "up": 0}],
    },
    1002: {
        "move": {"type": "hill.climb", "up": 3},
        "facts": [{"type": "hill.climbed", "seat": 1, "up": 3}, {"type": "hill.climbed", "seat": 0, "up": 0}],
    },
    1003: {
        "move": {"type": "hill.climb", "steps": 3},
        "facts": [{"type": "hill.climbed", "seat": 1, "steps": 3}],
    },
}
CLIMBED: MoveMade[Climb, Climbed] = MoveMade(
    seat=1, move=Climb(3), facts=(Climbed(1, 3),), draws={"dice": 2}, next=(0,)
)


@pytest.mark.parametrize("schema", STATES_OF_A_MOVE)
def test_older_documents_are_lifted_to_todays(schema: int) -> None:
    """A move written at any time since the beginning is read as the same event, whole or for the fold."""
    codec = hill()
    assert codec.schema == 1003
    old = row(MOVED, schema, MOVE | STATES_OF_A_MOVE[schema])
    assert codec.decode(old) == CLIMBED
    assert codec.deed(old).facts == CLIMBED.facts
    assert codec.deed(old).draws == {"dice": 2}


@pytest.mark.parametrize("schema", STATES_OF_A_MOVE)
def test_an_older_creation_is_lifted(schema: int) -> None:
    """The facts of a set-up are lifted as those of a move are."""
    old = row(CREATED, schema, CREATION | {"facts": STATES_OF_A_MOVE[schema]["facts"]})
    created = hill().decode(old)
    assert isinstance(created, GameCreated)
    assert created.facts == (Climbed(1, 3),)
    assert created.set == Hill(8)
    assert hill().deed(old).draws == {"weather": 1}


@pytest.mark.parametrize(("schema", "lifted"), [(1001, [1, 2]), (1002, [2]), (1003, [])])
def test_each_step_is_taken_once_in_order(schema: int, lifted: list[int]) -> None:
    """A document goes through the upcasters from its own number on, each made of the one before."""
    taken: list[int] = []

    def noting(number: int, step: Upcaster) -> Upcaster:
        def lift(kind: str, document: dict[str, Any]) -> dict[str, Any]:
            assert kind == MOVED
            taken.append(number)
            return step(kind, document)

        return lift

    codec = hill({1: noting(1, seats_named), 2: noting(2, steps_counted)})
    assert codec.decode(row(MOVED, schema, MOVE | STATES_OF_A_MOVE[schema])) == CLIMBED
    assert taken == lifted


COMMON: dict[str, tuple[dict[str, Any], Event]] = {
    UNDONE: ({"first": 2, "last": 5, "asked": "n 2"}, MovesUndone(first=2, last=5, asked="n 2")),
    REDONE: ({"first": 2, "last": 5}, MovesRedone(first=2, last=5)),
    NOTED: ({"about": 3, "text": "why?"}, Noted(about=3, text="why?")),
    CLOSED: (
        {"outcome": {"winners": [1], "scores": [None, 4], "reason": "ada resigned"}},
        GameClosed(outcome=Outcome((1,), (None, 4), "ada resigned")),
    ),
}


@pytest.mark.parametrize("kind", COMMON)
def test_a_games_upcasters_are_handed_its_own_documents_only(kind: str) -> None:
    """Undo, redo, notes and closings are not the game's: its upcasters never see them, whatever their number."""
    document, event = COMMON[kind]

    def never(kind: str, document: dict[str, Any]) -> dict[str, Any]:
        raise AssertionError(kind)

    for schema in (1001, 1002, 1003):
        assert hill({1: never, 2: never}).decode(row(kind, schema, document)) == event


@pytest.mark.parametrize("kind", [CREATED, MOVED, *COMMON])
def test_a_change_of_the_events_themselves_is_lifted_first(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """When the event types change, documents of all kinds are lifted, before the game lifts its own."""
    documents = {
        CREATED: CREATION | {"facts": STATES_OF_A_MOVE[1001]["facts"]},
        MOVED: MOVE | STATES_OF_A_MOVE[1001],
        **{kind: document for kind, (document, _) in COMMON.items()},
    }
    today = hill().decode(row(kind, 1001, documents[kind]))

    def unwrapped(kind: str, document: dict[str, Any]) -> dict[str, Any]:
        return document["wrapped"]

    monkeypatch.setattr(codec_module, "ENVELOPE", 2)
    monkeypatch.setattr(codec_module, "ENVELOPE_UPCASTERS", {1: unwrapped})
    codec = hill()
    assert codec.schema == 2003
    assert codec.decode(row(kind, 1001, {"wrapped": documents[kind]})) == today
    assert codec.decode(row(kind, 2001, documents[kind])) == today


@pytest.mark.parametrize("schema", [1004, 1999, 2001, 2003, 9001, 10**15, 2**63 - 1])
@pytest.mark.parametrize("kind", [CREATED, MOVED, *COMMON])
def test_documents_of_a_newer_turnlog_are_refused(kind: str, schema: int) -> None:
    """What a newer program wrote is not guessed at, even if it looks like today's: the text says why."""
    documents = {CREATED: CREATION | {"facts": []}, MOVED: MOVE | STATES_OF_A_MOVE[1003]}
    new = row(kind, schema, documents.get(kind) or COMMON[kind][0])
    with pytest.raises(Damaged, match="newer turnlog") as damaged:
        hill().decode(new)
    assert (damaged.value.game, damaged.value.seq) == ("g", 7)
    with pytest.raises(Damaged, match="newer turnlog"):
        hill().deed(new)


@pytest.mark.parametrize("schema", [1, 3, 1000, 0, -999, -(2**62) // 1000 * 1000])
def test_a_number_that_never_was_is_refused(schema: int) -> None:
    """A document from before the first one is damaged."""
    with pytest.raises(Damaged, match="no way is known"):
        hill().decode(row(MOVED, schema, MOVE | STATES_OF_A_MOVE[1003]))


def test_a_step_that_is_missing_is_told() -> None:
    """A game that lost an upcaster cannot read what needs it, and reads what does not."""
    codec = hill({2: steps_counted})
    with pytest.raises(Damaged, match="no way is known"):
        codec.decode(row(MOVED, 1001, MOVE | STATES_OF_A_MOVE[1001]))
    assert codec.decode(row(MOVED, 1002, MOVE | STATES_OF_A_MOVE[1002])) == CLIMBED


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        "null",
        "7",
        '"facts"',
        "{}",
        '{"facts":7}',
        '{"facts":[7]}',
        '{"facts":[{}]}',
        '{"facts":{"who":1}}',
        '{"facts":[],"move":[]}',
        '{"facts":' + "[" * 100_000 + "]" * 100_000 + "}",
        '{"facts":[{"who":' + "[" * 5_000 + "]" * 5_000 + "}]}",
        '{"facts":[{"who":1' + "0" * 5_000 + "}]}",
    ],
    ids=lambda text: text[:24] or "nothing",
)
@pytest.mark.parametrize("schema", [1001, 1002, 1003])
def test_an_older_document_that_is_none_is_damaged(schema: int, text: str) -> None:
    """An upcaster that stumbles over a document says that the event is damaged, not that turnlog is at fault."""
    for read in (hill().decode, hill().deed) if "facts" not in text or schema < 1003 else (hill().decode,):
        with pytest.raises(Damaged) as damaged:
            read(row(MOVED, schema, text))
        assert damaged.value.seq == 7
        assert "no way is known" not in str(damaged.value)


@pytest.mark.parametrize("kind", ["", "move", "Move-Made", "move-made ", "games-created", "\u2603"])
def test_a_kind_nobody_knows_is_damaged(kind: str) -> None:
    """An event of another kind is refused, and the kind is named."""
    with pytest.raises(Damaged, match="no event is of the kind") as damaged:
        hill().decode(row(kind, 1003, MOVE | STATES_OF_A_MOVE[1003]))
    assert repr(kind) in str(damaged.value)


_WRONG: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a tag of another game": lambda d: d | {"facts": [{"type": "dale.climbed", "seat": 1, "steps": 3}]},
    "no tag": lambda d: d | {"facts": [{"seat": 1, "steps": 3}]},
    "a move for a fact": lambda d: d | {"facts": [{"type": "hill.climb", "steps": 3}]},
    "a field is missing": lambda d: d | {"facts": [{"type": "hill.climbed", "seat": 1}]},
    "a text for a number": lambda d: d | {"facts": [{"type": "hill.climbed", "seat": 1, "steps": "3"}]},
    "a broken number": lambda d: d | {"facts": [{"type": "hill.climbed", "seat": 1, "steps": 3.5}]},
    "a number for a flag": lambda d: d | {"facts": [{"type": "hill.climbed", "seat": 1, "steps": 3, "tired": 1}]},
    "null for a list": lambda d: d | {"facts": None},
    "no facts": lambda d: {name: value for name, value in d.items() if name != "facts"},
    "no seat": lambda d: {name: value for name, value in d.items() if name != "seat"},
    "another mover": lambda d: d | {"by": "nobody"},
    "draws in words": lambda d: d | {"draws": {"dice": "two"}},
}


@pytest.mark.parametrize("wrong", _WRONG)
def test_a_document_that_is_no_event_is_damaged(wrong: str) -> None:
    """Types are held to in full: a wrong, missing or foreign field is told with the place where it stands."""
    whole = MOVE | STATES_OF_A_MOVE[1003]
    assert hill().decode(row(MOVED, 1003, whole)) == CLIMBED
    with pytest.raises(Damaged, match="cannot be read") as damaged:
        hill().decode(row(MOVED, 1003, _WRONG[wrong](whole)))
    assert damaged.value.seq == 7


def test_fields_that_a_later_version_added_are_passed_over() -> None:
    """A fact's fields only grow, with defaults: one that is not known is no reason to refuse a log."""
    later = MOVE | {
        "move": {"type": "hill.climb", "steps": 3, "rope": True},
        "facts": [{"type": "hill.climbed", "seat": 1, "steps": 3, "height": 8}],
        "mood": "good",
    }
    assert hill().decode(row(MOVED, 1003, later)) == CLIMBED


def test_the_text_of_an_event_is_what_people_may_rely_on() -> None:
    """Documents are plain JSON with stable dotted tags, all fields spelt out, in the order they are declared."""
    draft = hill().draft(CLIMBED, "bo", "r")
    assert draft == Draft(MOVED, "bo", 1003, draft.data, "r")
    assert draft.data == (
        '{"seat":1,"move":{"type":"hill.climb","steps":3},'
        '"facts":[{"type":"hill.climbed","seat":1,"steps":3,"tired":false}],'
        '"by":"person","draws":{"dice":2},"next":[0],"outcome":null,"remark":""}'
    )


# any event of any game --------------------------------------------------------------------------------

_INTS = st.integers(-(2**63), 2**63 - 1)
_TEXTS = st.text(max_size=12)


def values(hint: Any, names: Mapping[Any, Any] | None = None) -> st.SearchStrategy[Any]:
    """Values of a type as events use them; the type variables of `names` are known."""
    origin, args = get_origin(hint), get_args(hint)
    if isinstance(hint, TypeVar):
        assert names is not None
        known = names[hint]
        return known if isinstance(known, st.SearchStrategy) else values(known)
    if origin is Annotated:
        bounds = next((extra for extra in args[1:] if isinstance(extra, msgspec.Meta)), msgspec.Meta())
        if args[0] is int and (bounds.ge is not None or bounds.le is not None):
            return st.integers(bounds.ge, bounds.le or 2**63 - 1)
        return values(args[0], names)
    if origin in (Union, UnionType):
        return st.one_of([values(arg, names) for arg in args])
    if origin is Literal:
        return st.sampled_from(args)
    if origin in (tuple, list):
        if origin is tuple and args[-1] is not Ellipsis:
            return st.tuples(*(values(arg, names) for arg in args))
        items = st.lists(values(args[0], names), max_size=3)
        return items.map(tuple) if origin is tuple else items
    if origin is dict:
        return st.dictionaries(_TEXTS, values(args[1], names), max_size=3)
    if isinstance(hint, type) and issubclass(hint, Struct):
        fields = {field.name: values(field.type, names) for field in structs.fields(hint)}
        return st.builds(hint, **fields)
    simple = {int: _INTS, str: _TEXTS, bool: st.booleans(), type(None): st.none(), Any: st.none() | _TEXTS}
    return simple[hint]


@pytest.mark.parametrize("game", all_games(), ids=lambda game: game.slug)
def test_any_event_comes_back_from_its_text(game: Any) -> None:
    """Whatever stands in the fields of any event of a game, its text is read as the same event, and written
    as the same text again.
    """
    codec = game.projector.codec
    moves = Union[tuple(game.grammar._of)]  # noqa: UP007 -- the union of a game's moves
    names: dict[Any, Any] = {
        parameter: hint
        for kind, hints in (
            (GameCreated, (st.just(shipped_set(game)), codec.fact_type)),
            (MoveMade, (moves, codec.fact_type)),
        )
        for parameter, hint in zip(kind.__parameters__, hints, strict=True)
    }

    @given(event=st.one_of([values(kind, names) for kind in KINDS]))
    @settings(max_examples=40, deadline=None, database=None, suppress_health_check=[HealthCheck.too_slow])
    def comes_back(event: Event) -> None:
        draft = codec.draft(event, "ada")
        written = row(draft.kind, draft.schema, draft.data)
        assert codec.decode(written) == event
        assert codec.encode(codec.decode(written)) == draft.data
        assert msgspec.json.decode(draft.data) is not None
        if isinstance(event, GameCreated | MoveMade):
            deed = codec.deed(written)
            assert (deed.facts, deed.draws) == (event.facts, event.draws)

    comes_back()


@given(data=st.text() | st.binary().map(lambda raw: raw.decode("latin-1")))
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_other_text_is_damaged(data: str) -> None:
    """No text whatever makes reading fail in another way."""
    for kind in (*KINDS.values(), "other"):
        for schema in (1001, 1003):
            with pytest.raises(Damaged):
                hill().decode(row(kind, schema, data))


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | _TEXTS,
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["facts", "move", "up", "who", "type"]), inner, max_size=4)
    ),
    max_leaves=6,
)


@given(document=_JSON)
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
def test_any_other_document_is_damaged(document: Any) -> None:
    """No JSON whatever makes an upcaster fail in another way. (None of these names a seat, so none is a move.)"""
    for schema in STATES_OF_A_MOVE:
        with pytest.raises(Damaged):
            hill().decode(row(MOVED, schema, json.encode(document).decode()))


# in a log ---------------------------------------------------------------------------------------------

_DEEP = "[" * 100_000 + "]" * 100_000
_HUGE = "9" * 30


def _fact(text: str) -> str:
    return f'{{"seat":0,"move":{{"type":"power-vacuum.point"}},"facts":[{text}]}}'


#: Events that are none, and the commands that find out; the others do not read that far.
ALL = ("verify", "show", "log", "play", "undo")
NO_EVENTS: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "an empty document": (MOVED, "{}", ALL),
    "a list": (MOVED, "[]", ALL),
    "no JSON": (MOVED, "nonsense", ALL),
    "nothing": (MOVED, "", ALL),
    "deep facts": (MOVED, _fact(_DEEP), ALL),
    "a deep field nobody knows": (MOVED, _fact("")[:-1] + f',"more":{_DEEP}}}', ALL),
    "an unknown fact": (MOVED, _fact('{"type":"power-vacuum.strike","seat":0}'), ALL),
    "an unknown move": (MOVED, _fact("").replace("point", "strike"), ("verify", "log")),
    "an unknown seat": (MOVED, _fact("").replace("0", "9"), ("verify",)),
    "a seat out of all bounds": (MOVED, _fact("").replace("0", _HUGE), ("verify",)),
    "a number too long to be read": (MOVED, _fact("").replace("0", "1" + "0" * 5000), ("verify", "log", "undo")),
    "a fact of an unknown seat": (MOVED, _fact('{"type":"power-vacuum.point-taken","seat":9}'), ALL),
    "a fact of a seat out of all bounds": (
        MOVED,
        _fact(f'{{"type":"power-vacuum.point-taken","seat":{_HUGE}}}'),
        ALL,
    ),
    "a card that is not there": (MOVED, _fact('{"type":"power-vacuum.card-played","seat":0,"card":"B9"}'), ALL),
    "an outcome that is none": (
        MOVED,
        _fact("")[:-1] + ',"outcome":{"winners":[0],"scores":[1,2],"reason":"so"}}',
        ("verify",),
    ),
    "an undo of the creation": (UNDONE, '{"first":1,"last":2}', ALL),
    "an undo the wrong way round": (UNDONE, '{"first":2,"last":1}', ALL),
    "an undo before the beginning": (UNDONE, '{"first":-5,"last":2}', ALL),
    "an undo out of all bounds": (UNDONE, f'{{"first":2,"last":{_HUGE}}}', ALL),
    "an undo out of all bounds below": (UNDONE, f'{{"first":-{_HUGE},"last":2}}', ALL),
    "an undo with a deep field nobody knows": (UNDONE, f'{{"first":2,"last":2,"more":{_DEEP}}}', ALL),
    "an undo that is no JSON": (UNDONE, "nonsense", ALL),
    "a redo of nothing": (REDONE, '{"first":2,"last":2}', ALL),
    "a redo out of all bounds": (REDONE, f'{{"first":{_HUGE},"last":{_HUGE}}}', ALL),
    "a note on itself": (NOTED, '{"about":3,"text":"this"}', ("verify",)),
    "a note on nothing": (NOTED, '{"about":0,"text":"nothing"}', ("verify",)),
    "a note out of all bounds": (NOTED, f'{{"about":{_HUGE},"text":"nothing"}}', ("verify",)),
    "a second creation": (CREATED, "{}", ALL),
    "an unknown kind": ("moves-annulled", '{"first":2,"last":2}', ALL),
}


@pytest.mark.parametrize("name", NO_EVENTS)
def test_an_event_that_cannot_be_is_told_as_damage(turnlog: Turnlog, name: str) -> None:
    """An event that lies in an unbroken chain and yet is none is named by `verify` and by what builds on it."""
    kind, data, noticing = NO_EVENTS[name]
    schema = game_of("power-vacuum").projector.codec.schema
    _lay(turnlog, Draft(kind, "ada", schema, data))
    for words in (["verify"], ["show"], ["log"], ["play", "point"], ["undo"]):
        if words[0] == "log" and "seat" in name and words[0] not in noticing:
            continue  # tells of a seat that is not there
        answer = turnlog(words[0], "g", *words[1:], "--json")
        if words[0] in noticing:
            assert answer.code == 6, f"{words}: {answer}"
            assert "event 3 of game g is damaged" in answer.error["message"], words
        else:
            assert answer.code in (0, 3), f"{words}: {answer}"


@pytest.mark.parametrize("kind", [MOVED, UNDONE, NOTED])
def test_an_event_of_a_newer_turnlog_stops_every_command(turnlog: Turnlog, kind: str) -> None:
    """A game that a newer turnlog went on with is left alone, even where its event looks like one of today's."""
    schema = game_of("power-vacuum").projector.codec.schema
    documents = {MOVED: _fact(""), UNDONE: '{"first":2,"last":2}', NOTED: '{"about":1,"text":"new"}'}
    _lay(turnlog, Draft(kind, "ada", schema + 1000, documents[kind]))
    for words in (["verify"], ["show"], ["log"], ["play", "point"], ["undo"]):
        answer = turnlog(words[0], "g", *words[1:], "--json")
        assert answer.code == 6, f"{words}: {answer}"
        assert "newer turnlog" in answer.error["message"]


def _lay(turnlog: Turnlog, draft: Draft) -> None:
    """A game of two events, and a third one behind them."""
    turnlog.ok("create", "power-vacuum", "-p", "ada", "-p", "bo", "--id", "g", "--seed", "1", "-o", "first=ada")
    turnlog.play("g", "play Y1")
    _append(turnlog.db, draft)


def _append(db: Path, draft: Draft) -> None:
    log = open_log(str(db), prepare, write=True)
    try:
        log.append("g", [draft], expect=2, at=0)
    finally:
        log.close()
