"""The set: what it must hold, what is house, and what another set may change: penalties, rewards, prices."""

from importlib.resources import files

import pytest

from tests.conftest import Turnlog
from tests.lairs_tables import begun, cubes, fact, facts, moves, refused, travel, turns

SHIPPED = files("engines.lairs").joinpath("set.toml").read_text("utf-8")
BLOB = 'strike = { act = "fatigue", count = 2, of = "any" }'
PIT = 'strike = { act = "fatigue", count = 2, of = "fresh" }'


def set_file(turnlog: Turnlog, *changes: tuple[str, str]) -> str:
    """The shipped set with other words in it."""
    text = SHIPPED
    for old, new in changes:
        assert old in text
        text = text.replace(old, new, 1)
    path = turnlog.db.with_name("set.toml")
    path.write_text(text)
    return str(path)


# what is shipped --------------------------------------------------------------------------------------


def test_the_shipped_treasures_are_as_ruled(turnlog: Turnlog) -> None:
    """22 cards, eight types each twice at least, three keywords, every kind of bonus, four cards published."""
    turnlog.json("create", "lairs", "-p", "a", "-p", "b", "--id", "g")
    cards = turnlog.view("g")["treasures"]
    assert len(cards) == 22
    types = [card["type"] for card in cards.values()]
    assert set(types) == {"Book", "Statue", "Scroll", "Amulet", "Cup", "Shard", "Crown", "Orb"}
    assert min(types.count(name) for name in set(types)) >= 2
    assert len({card["keyword"] for card in cards.values()}) >= 3
    bonuses = " ".join(card["bonus"] for card in cards.values())
    for kind in ("other Cup", "Harmony item", "defeated Monster", "disarmed Trap", "opened Chest", "if you exit"):
        assert kind in bonuses
    assert cards["tranquil-goblet"] == {
        "name": "Tranquil Goblet",
        "type": "Cup",
        "keyword": "Harmony",
        "base": 1,
        "bonus": "+2 per other Cup",
    }
    assert (cards["scroll-of-harmony"]["base"], cards["scroll-of-harmony"]["bonus"]) == (
        3,
        "+2 per other Harmony item",
    )
    assert cards["scroll-of-harmony"]["keyword"] != "Harmony"
    for shard in ("moon-shard", "sun-shard"):
        assert (cards[shard]["base"], cards[shard]["bonus"]) == (1, "+2 with any other Shard")


def test_rules_tell_what_is_house(turnlog: Turnlog) -> None:
    house = turnlog.json("rules", "lairs")["house"]
    assert {"dice", "conserved", "backtrack"} <= set(house)
    assert sum(place.startswith("treasures") for place in house) == 18


def test_no_card_is_named_in_the_code() -> None:
    """Treasures and hazards are components: the engine knows none of them by name."""
    folder = files("engines.lairs")
    names = [line.split('"')[1] for line in SHIPPED.splitlines() if line.startswith("name = ")][1:]
    assert len(names) == 24
    for module in folder.iterdir():
        if module.name.endswith(".py"):
            code = module.read_text("utf-8").lower()
            for name in names:
                assert name.lower() not in code
                assert "-".join(name.lower().split()) not in code


# what is refused --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("faces = [1, 1, 2, 2, 3, 4]", "faces = [1, 2]", "dice, faces"),
        ("slots = 3", "slots = 0", "conserved, slots"),
        ("cubes = 2", "cubes = 9", "backtrack, cubes"),
        ('attribute = "quickness"', 'attribute = "white"', "backtrack, attribute"),
        ("target = 6", "target = 0", "monster, target"),
        (BLOB, BLOB.replace("any", "blue"), "monster, strike, of"),
        (BLOB, BLOB.replace("2", "7"), "monster, strike, count"),
        (PIT, PIT.replace("fatigue", "spend"), "a penalty spends one cube"),
        (PIT, PIT + '\nreward = "exit"', "trap, reward"),
        ('name = "Sun Shard"', 'name = "Moon Shard"', "treasures 4, name: 'Moon Shard' is there twice"),
        ('name = "Sun Shard"', 'name = "pay"', "treasures 4, name"),
        ('type = "Cup"', 'type = "Mug"', "treasures 1, type"),
        ("base = 1", "base = -1", "treasures 1, base"),
        ('of = "Cup"', 'of = "Mug"', "treasures 1, bonus, of"),
        ('of = "Harmony"', 'of = "Discord"', "treasures 2, bonus, of"),
        ("points = 2", "points = 0", "treasures 1, bonus, points"),
        ("points = 2", "points = 9000000000000000000", "treasures 1, bonus, points"),
        ("base = 1", "base = 9000000000000000000", "treasures 1, base"),
        ("faces = [1, 1, 2, 2, 3, 4]", "faces = [1, 1, 2, 2, 3, 4000000000]", "dice, faces"),
        ("Hungry Blob", "Hungry\\u001b[31m Blob", "monster, name"),
        ("Hungry Blob", "Hungry\\nBlob", "monster, name"),
        ('keyword = "Harmony"', 'keyword = "Har\\nmony"', "treasures 1, keyword"),
        ('per = "monster"', 'per = "monster", of = "Cup"', "bonus, of"),
        ("schema = 1", "schema = 2", "schema"),
        ("base = 1", "price = 1", "price"),
    ],
)
def test_a_set_that_is_not_whole_is_refused_with_its_place(
    turnlog: Turnlog, old: str, new: str, says: str
) -> None:
    answer = turnlog("create", "lairs", "-p", "a", "-p", "b", "--set", set_file(turnlog, (old, new)))
    assert answer.code == 2
    assert says in answer.err


def test_a_set_has_22_treasures(turnlog: Turnlog) -> None:
    path = set_file(turnlog)
    text = SHIPPED + '\n[[treasures]]\nname = "One More"\ntype = "Orb"\nkeyword = ""\nbase = 1\nsource = "house"\n'
    turnlog.db.with_name("set.toml").write_text(text)
    assert "there are 22, not 23" in turnlog("create", "lairs", "-p", "a", "-p", "b", "--set", path).err


# what another set changes -----------------------------------------------------------------------------


def test_a_penalty_may_spend_any_one_cube(turnlog: Turnlog) -> None:
    """A penalty icon of the rulebook: a Fresh cube is spent, a conserved one into Fresh."""
    path = set_file(turnlog, (BLOB, 'strike = { act = "spend", count = 1, of = "any" }'))
    begun(turnlog, "--set", path)
    turnlog.play("g", "conserve quickness", "end")
    turnlog.play("g", "creep s", "creep e")
    assert moves(turnlog) == ["fatigue white", "fatigue perception", "fatigue c:quickness"]
    turnlog.play("g", "fatigue c:quickness")
    assert cubes(turnlog) == ("wwqp", "", "ww", "")
    assert "fight" in moves(turnlog)


def test_what_cannot_be_spent_is_fatigued(turnlog: Turnlog) -> None:
    path = set_file(turnlog, (BLOB, 'strike = { act = "spend", count = 1, of = "any" }'))
    begun(turnlog, "--set", path)
    turnlog.play("g", *["creep s", "creep n"] * 2, "creep s", "creep e")
    assert moves(turnlog) == ["fatigue s:white", "fatigue s:quickness", "fatigue s:perception"]
    turnlog.play("g", "fatigue s:perception")
    assert cubes(turnlog) == ("", "", "wwwwq", "p")


def test_a_penalty_may_name_an_attribute(turnlog: Turnlog) -> None:
    """Fatigue one Quickness cube: taken wherever it is; once fatigued, any other cube."""
    path = set_file(turnlog, (BLOB, 'strike = { act = "fatigue", count = 1, of = "quickness" }'))
    begun(turnlog, "--set", path)
    turnlog.play("g", "hustle s")
    answer = turnlog.play("g", "step e")
    assert fact(answer, "cubes-fatigued")["cubes"] == ["s:quickness"]
    answer = turnlog.play("g", "fight")
    assert moves(turnlog) == ["fatigue white", "fatigue perception"]
    turnlog.play("g", "fatigue perception")
    assert cubes(turnlog) == ("wwww", "", "", "qp")


def test_a_reward_locates_the_exit(turnlog: Turnlog) -> None:
    """Rulebook, locating: its place is told and nothing else; the space stays Unknown."""
    path = set_file(turnlog, (BLOB, BLOB + '\nreward = "exit"'))
    begun(turnlog, "--set", path, dice=[[4, 4]])
    travel(turnlog, "lucia", "seF")
    view = turnlog.view("g")
    assert view["maps"]["lucia"].splitlines()[9] == "|? E ? ? ? ?|"
    assert "E2" not in view["known"]["lucia"]
    assert (
        "located" in turnlog.ok("log", "g").out.lower() or "locates the Exit in E2" in turnlog.ok("log", "g").out
    )
    turns(turnlog, 2)
    assert "E2 is Unknown" in refused(turnlog, "backtrack E2")
    turnlog.play("g", "creep s", "creep s")
    answer = turnlog.play("g", "creep s")
    assert facts(answer) == ["cubes-spent", "space-learned", "moved"]
    assert fact(answer, "space-learned")["walls"] == "es"


def test_prices_and_slots_come_from_the_set(turnlog: Turnlog) -> None:
    path = set_file(turnlog, ("slots = 3", "slots = 1"), ("cubes = 2", "cubes = 1"))
    begun(turnlog, "--set", path)
    turnlog.play("g", "creep s", "backtrack A1")
    assert cubes(turnlog) == ("wwqp", "", "ww", "")
    assert "1 of the 1 slots is free" in refused(turnlog, "conserve white white")
