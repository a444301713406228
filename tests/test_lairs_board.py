"""The board and what is told beside it: what can be typed, 80 columns whatever the names are."""

from tests.conftest import Turnlog
from tests.lairs_tables import CHESTS, LAIR, MONSTERS, begun, lair_file, travel
from tests.test_lairs_sets import set_file


def shown(turnlog: Turnlog, viewer: str = "lucia") -> str:
    return turnlog.ok("show", "g", "--as", viewer).out


def test_the_last_turn_is_called_so(turnlog: Turnlog) -> None:
    """bo exits in the last round: the turn that lucia still has is none of the rounds."""
    begun(turnlog, "-o", "rounds=8", dice=[[4, 4]] * 6)
    travel(turnlog, "bo", MONSTERS)
    assert shown(turnlog).startswith("Lairs: round 8 of 8, bo explores\n")
    turnlog.play("g", "exit")
    assert shown(turnlog).startswith("Lairs: the last turn, lucia explores\n")


def test_the_mat_says_who_may_exit(turnlog: Turnlog) -> None:
    begun(turnlog)
    travel(turnlog, "lucia", CHESTS[:-1])
    assert "C2, Empty, free to exit" not in shown(turnlog)
    travel(turnlog, "lucia", CHESTS[-1])
    assert "E2, Exit, free to exit" in shown(turnlog, "spectator")
    turnlog.play("g", "exit")
    assert "free to exit" not in shown(turnlog)


def test_a_peer_is_answered_by_enter_or_stay(turnlog: Turnlog) -> None:
    """Each stands as it is typed; beside a hazard only `enter`."""
    begun(turnlog)
    turnlog.play("g", "peer s")
    assert "  enter   (into B1, free)\n  stay " in shown(turnlog)
    turnlog.play("g", "enter", "creep e", "fatigue s:white s:perception", "peer s pay white+white")
    assert "  enter   (into C2, free)\n" in shown(turnlog)
    assert "  stay " not in shown(turnlog)


def test_a_name_of_two_words_is_shown_as_it_is_typed(turnlog: Turnlog) -> None:
    turnlog.json("create", "lairs", "-p", "lucia of bonn", "-p", "bo", "--id", "g")
    turnlog.ok("play", "g", "build", "@" + lair_file(turnlog, LAIR), "--as", "1")
    turnlog.ok("play", "g", "build", "@" + lair_file(turnlog, LAIR), "--as", "bo")
    assert '  first "lucia of bonn"\n  first bo\n' in shown(turnlog, "1")
    assert turnlog.play("g", 'first "lucia of bonn"')["to_move"] == ["lucia of bonn"]


def test_everything_fits_80_columns(turnlog: Turnlog) -> None:
    """What is to be done is told in lines of 80 columns, and a set's long names are cut on the board."""
    path = set_file(
        turnlog,
        ("Hungry Blob", "Unspeakably Gelatinous Blob of the Outer Darkness"),
        ('of = "Harmony"', 'of = "Harmony of the Celestial Spheres"'),
        ('keyword = "Harmony"', 'keyword = "Harmony of the Celestial Spheres"'),
    )
    begun(turnlog, "--set", path, treasure_deck=[["scroll-of-harmony", "tranquil-goblet"]])
    out = shown(turnlog)
    assert "per other Harmony" in out
    assert "Unspeakably" in out
    assert max(map(len, out.splitlines())) <= 80


def test_a_slug_is_not_broken_at_the_end_of_a_line(turnlog: Turnlog) -> None:
    """The display is told in two lines, each slug whole in one of them."""
    display = ["amulet-of-homecoming", "crown-of-the-last-door", "book-of-small-springs"]
    stack = turnlog.stack(treasure_deck=[display])
    out = turnlog.ok("create", "lairs", "-p", "lucia", "-p", "bo", "--stack", stack).out
    assert "\n" in out[out.index(display[0]) : out.index(display[2])]
    for slug in display:
        assert slug in out
