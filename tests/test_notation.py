"""The notation that a game gets from the declaration of its moves: what is spelt is read back as the same move."""

from typing import Annotated, Any

import pytest
from hypothesis import HealthCheck, assume, example, given, settings
from hypothesis import strategies as st

from engines.kit.errors import AmbiguousMove, InvalidMove, SetRefused
from engines.kit.notation import Grammar, Move, move_types, words_of
from engines.kit.secrecy import Secret

#: No test here is about how fast a machine is.
unhurried = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])


class Say(Move, frozen=True, tag="made-up.say"):
    """Required text and number."""

    word: str
    number: int


class Give(Move, frozen=True, tag="made-up.give"):
    """Options of each kind, a required tuple, names with an underscore."""

    from_: str
    names: tuple[str, ...]
    with_: str | None = None
    to: int | None = None
    strong: bool = False
    and_: tuple[str, ...] = ()
    level: int = 3
    how: str = "well"


class Split(Move, frozen=True, tag="made-up.split"):
    """Tuples of tuples, required and not."""

    piles: tuple[tuple[str, ...], ...]
    into: tuple[tuple[str, ...], ...] | None = None
    blank: bool = False


class Spare(Move, frozen=True, tag="made-up.spare"):
    """Nothing but options, one with a secret."""

    card: Annotated[str | None, Secret("", lambda move: "?")] = None
    pieces: tuple[str, ...] | None = None
    twice: bool = False


class End(Move, frozen=True, tag="made-up.end"):
    """A verb alone."""


MOVES = Say | Give | Split | Spare | End
GRAMMAR = Grammar(move_types(MOVES))
#: Words that mean something else in a move of this game.
RESERVED = {"-", "/", "with", "to", "strong", "and", "level", "how", "into", "blank", "card", "pieces", "twice"}

anything = st.one_of(
    st.sampled_from(["R7", "a b", "", "two\nlines", ' "', '"', '"x" y', "\\", "-", "/", "to", "@", "\t", "\x1c"]),
    st.text(max_size=8),
)  # fmt: skip
names = anything.filter(lambda word: word not in RESERVED)
numbers = st.integers(0, 999_999_999)
tuples = st.lists(names, max_size=4).map(tuple)
piles = st.lists(tuples, min_size=1, max_size=4).map(tuple)

moves = st.one_of(
    st.builds(Say, anything, numbers),
    st.builds(
        Give, anything, tuples, with_=st.none() | anything, to=st.none() | numbers, strong=st.booleans(),
        and_=tuples, level=numbers, how=anything,
    ),
    st.builds(Split, piles, into=st.none() | piles, blank=st.booleans()),
    st.builds(Spare, card=st.none() | anything, pieces=st.none() | tuples, twice=st.booleans()),
    st.just(End()),
)  # fmt: skip


@unhurried
@given(moves)
@example(Give("", (), with_="", to=0, strong=True, and_=("a b",), level=0, how=""))
@example(Give("with", ("a", "b"), with_="to", to=7))
@example(Split(((), ("a",), ())))
@example(Split(((),), into=((),)))
@example(Spare(pieces=()))
@example(Say('"', 0))
def test_what_is_spelt_is_read_back(move: Any) -> None:
    """parse and spell are inverse, for every kind of field and for words of any sort."""
    text = GRAMMAR.spell(move)

    assert GRAMMAR.parse(words_of(text)) == move
    assert GRAMMAR.spell(GRAMMAR.parse(words_of(text))) == text


@unhurried
@given(moves, moves)
def test_two_moves_are_never_spelt_alike(one: Any, other: Any) -> None:
    """A text means one move."""
    assume(one != other)

    assert words_of(GRAMMAR.spell(one)) != words_of(GRAMMAR.spell(other))


@pytest.mark.parametrize(
    ("move", "text"),
    [
        (End(), "end"),
        (Say("R7", 3), "say R7 3"),
        (Say("two words", 0), 'say "two words" 0'),
        (Say("two\nlines", 12), 'say "two\\nlines" 12'),
        (Say("", 1), 'say "" 1'),
        (Give("a", ()), "give a"),
        (Give("a", ("b", "c")), "give a b c"),
        (Give("a", ("b",), with_="game", to=3, strong=True), "give a b with game to 3 strong"),
        (Give("a", (), and_=("x", "y"), level=4), "give a and x y level 4"),
        (Split((("a", "b"), ("c",))), "split a b / c"),
        (Split(((), ("c",))), "split - / c"),
        (Split((("a",),), into=((), ()), blank=True), "split a into - / - blank"),
        (Spare(), "spare"),
        (Spare(pieces=()), "spare pieces"),
        (Spare(card="R7", twice=True), "spare card R7 twice"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_how_moves_are_written(move: Any, text: str) -> None:
    """Required fields in order, options by name, flags alone, piles parted by a slash, `-` for an empty one."""
    assert GRAMMAR.spell(move) == text
    assert GRAMMAR.parse(words_of(text)) == move


@pytest.mark.parametrize(
    ("text", "move"),
    [
        ("  say   R7\t3 ", Say("R7", 3)),
        ("SAY R7 3", Say("R7", 3)),
        ("sa R7 3", Say("R7", 3)),
        ("say R7 007", Say("R7", 7)),
        ("give a b strong to 3 with game", Give("a", ("b",), with_="game", to=3, strong=True)),
        ("give a STRONG", Give("a", ("STRONG",))),
        ("give a to 3 Strong", Give("a", (), to=3, strong=True)),
        ("give a level 3", Give("a", ())),
        ('say "R7" 3', Say("R7", 3)),
        ('say "\\u0052" 3', Say("R", 3)),
        ("spare", Spare()),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_other_ways_to_write_a_move(text: str, move: Any) -> None:
    """Blanks, capitals of verbs and options, the beginning of a verb, options in any order."""
    assert GRAMMAR.parse(words_of(text)) == move


@pytest.mark.parametrize(
    ("text", "error", "says"),
    [
        ("", InvalidMove, "a move is needed"),
        ("   ", InvalidMove, "a move is needed"),
        ("dance", InvalidMove, "'dance' is no move of this game"),
        ("sayy R7 3", InvalidMove, "'sayy' is no move of this game"),
        ("x" * 1000, InvalidMove, "..."),
        ("s R7 3", AmbiguousMove, "'s' may be say or split or spare"),
        ("sp a", AmbiguousMove, "'sp' may be split or spare"),
        ("say", InvalidMove, "'say' lacks its WORD"),
        ("say R7", InvalidMove, "'say' lacks its NUMBER"),
        ("say R7 x", InvalidMove, "'x' is no number for number"),
        ("say R7 -1", InvalidMove, "'-1' is no number"),
        ("say R7 +1", InvalidMove, "'+1' is no number"),
        ("say R7 1.0", InvalidMove, "'1.0' is no number"),
        ("say R7 ٣", InvalidMove, "is no number"),
        ("say R7 ²", InvalidMove, "is no number"),
        ("say R7 1234567890", InvalidMove, "is no number"),
        ("say R7 3 4", InvalidMove, "'4' is too much in a move 'say'"),
        ("end now", InvalidMove, "'now' is too much in a move 'end'"),
        ("give a to 3 to 4", InvalidMove, "'to' stands twice in the move"),
        ("give a strong strong", InvalidMove, "'strong' stands twice"),
        ("give a with", InvalidMove, "'give' lacks its WITH"),
        ("give a to", InvalidMove, "'give' lacks its TO"),
        ("split", InvalidMove, "an empty part is written '-'"),
        ("split /", InvalidMove, "an empty part is written '-'"),
        ("split a /", InvalidMove, "an empty part is written '-'"),
        ("split a / / b", InvalidMove, "an empty part is written '-'"),
        ("split a -", InvalidMove, "'-' stands alone"),
        ("split a into", InvalidMove, "an empty part is written '-'"),
        ('say "R7 3', InvalidMove, "is no JSON string"),
        ('say "\\q" 3', InvalidMove, "is no JSON string"),
    ],
    ids=lambda value: repr(value)[:30] if isinstance(value, str) else "",
)
def test_what_is_no_move(text: str, error: type[Exception], says: str) -> None:
    """Told what is wrong, with how it is written."""
    with pytest.raises(error) as refused:
        GRAMMAR.parse(words_of(text))

    assert says in str(refused.value)
    assert len(str(refused.value)) < 200


def test_a_refused_move_tells_how_it_is_written() -> None:
    """The hint names the verb's pattern; of no known verb, all verbs; of an ambiguous one, those that fit."""
    with pytest.raises(InvalidMove) as lacking:
        GRAMMAR.parse(["give"])
    assert lacking.value.hint == (
        "it is written: give FROM NAMES... [with WITH] [to TO] [strong] [and AND...] [level LEVEL] [how HOW]"
    )
    with pytest.raises(InvalidMove) as unknown:
        GRAMMAR.parse(["dance"])
    assert unknown.value.hint == "its moves begin with: say, give, split, spare, end"
    with pytest.raises(AmbiguousMove) as short:
        GRAMMAR.parse(["sp"])
    assert short.value.nearest == ("split", "spare")
    assert GRAMMAR.pattern(Split) == "split PILES... / PILES... [into INTO... / INTO...] [blank]"


chaos = st.lists(
    st.one_of(
        st.sampled_from(["say", "give", "split", "spare", "end", "s", "SAY", *sorted(RESERVED), "a", "7", "With"]),
        st.text(max_size=5),
    ),
    max_size=9,
)  # fmt: skip


@unhurried
@given(chaos)
@example(["give", "a", "With", "b", "with", "c"])
@example(["split", "a", "b", "/", "-", "into", "c", "/", "d", "blank"])
def test_any_words_are_a_move_or_refused(words: list[str]) -> None:
    """Nothing but InvalidMove and AmbiguousMove comes of other words; a move that is read is spelt and read."""
    try:
        move = GRAMMAR.parse(words)
    except (InvalidMove, AmbiguousMove):
        return

    assert GRAMMAR.parse(words_of(GRAMMAR.spell(move))) == move


@unhurried
@given(st.text(max_size=40))
@example('a"b c"')
@example('"a""b"')
@example('"a"b')
def test_any_text_is_words_or_refused(text: str) -> None:
    """A text is parted into words, or refused for a JSON string that is none; blanks are in no bare word."""
    try:
        words = words_of(text)
    except InvalidMove:
        words = None

    if '"' not in text:
        assert words == text.split()


# names --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["R7", "red", "rat-king", "a/b", "--", "x@y", 'x"y', "7", "é", "With", "say"])
def test_a_name_that_can_be_typed_is_taken(name: str) -> None:
    """Names of one word that mean nothing else."""
    GRAMMAR.check_name(name, "cards 1")


@pytest.mark.parametrize(
    "name", ["", "a b", "two\nlines", " ", "\t", "a\x1cb", '"a', '"a"', "@a", "@", *sorted(RESERVED)]
)
def test_a_name_that_would_break_the_notation_is_refused(name: str) -> None:
    """A set with such a name is refused, with the place where it stands."""
    with pytest.raises(SetRefused) as refused:
        GRAMMAR.check_name(name, "cards 3, name")

    assert str(refused.value).startswith("cards 3, name: ")


@unhurried
@given(anything)
@example("With")
@example("end")
@example("0")
def test_a_name_that_is_taken_comes_back_from_every_field(name: str) -> None:
    """What `check_name` lets through is one bare word, and the same in every kind of field, beside any other."""
    try:
        GRAMMAR.check_name(name, "here")
    except SetRefused:
        return

    for move in (
        Say(name, 1),
        Give(name, (name, name), with_=name, and_=(name,), how=name, strong=True),
        Split(((name,), (), (name, name)), into=((name,),), blank=True),
        Spare(card=name, pieces=(name,), twice=True),
    ):
        text = GRAMMAR.spell(move)
        assert '"' not in text.replace(name, "")
        assert GRAMMAR.parse(text.split()) == move
        assert GRAMMAR.parse(words_of(text)) == move
