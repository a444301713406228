"""The shipped set meets what is published; another set is taken, and refused with the card and the field named."""

import tomllib
from collections import Counter
from typing import Any

import pytest

from engines.kit.setfile import shipped_set
from engines.registry import game_of
from engines.theory_of_power.components import Animal, Leader, Set
from tests.conftest import Turnlog
from tests.theory_of_power import SHIPPED, SLUG


@pytest.fixture(scope="module")
def components() -> Set:
    """The shipped set."""
    return shipped_set(game_of(SLUG))


def effects(card: Animal | Leader, trigger: str) -> list[Any]:
    """The effects of a card's abilities of a trigger."""
    return [effect for one in card.abilities if one.trigger == trigger for effect in one.effects]


def kinds(card: Animal | Leader, trigger: str) -> list[str]:
    """What a card does on a trigger."""
    return [type(effect).__struct_config__.tag for effect in effects(card, trigger)]


def mandatory(card: Animal, trigger: str) -> bool:
    """Whether what a card does on a trigger is mandatory."""
    return all(one.mandatory for one in card.abilities if one.trigger == trigger)


def test_fifteen_cards_a_faction_in_five_to_seven_kinds(components: Set) -> None:
    """60 in all."""
    for faction in ("herbivore", "carnivore", "reptile", "bird"):
        kinds_of = [one for one in components.animals.values() if one.faction == faction]
        assert 5 <= len(kinds_of) <= 7
        assert sum(one.copies for one in kinds_of) == 15


@pytest.mark.parametrize(
    ("card", "faction", "predator"),
    [
        ("bear", "carnivore", True),
        ("gecko", "reptile", False),
        ("peacock", "bird", False),
        ("eagle", "bird", True),
        ("crocodile", "reptile", True),
        ("lynx", "carnivore", True),
        ("owl", "bird", False),
        ("hyena", "carnivore", True),
        ("monitor", "reptile", False),
        ("hippo", "herbivore", False),
        ("elephant", "herbivore", False),
        ("boar", "herbivore", False),
        ("penguin", "bird", False),
        ("camel", "herbivore", False),
        ("chameleon", "reptile", False),
        ("turtle", "reptile", False),
        ("iguana", "reptile", False),
        ("woodpecker", "bird", False),
        ("rhino", "herbivore", False),
        ("jackal", "carnivore", True),
    ],
)
def test_factions_and_predators(components: Set, card: str, faction: str, predator: bool) -> None:
    """What the rulebook lets slip of each card."""
    one = components.animals[card]
    assert (one.faction, one.predator) == (faction, predator)


def test_published_numbers_and_abilities(components: Set) -> None:
    """Row by row of the published constraints."""
    a = components.animals
    assert a["bear"].appetite == 2
    assert all(one.predator for one in a.values() if one.faction == "carnivore")
    assert a["gecko"].appetite == 1
    assert [(one.trigger, one.faction) for one in a["gecko"].abilities] == [("attracts", "reptile")]
    assert kinds(a["gecko"], "attracts") == ["draw"]
    assert [(one.trigger, one.faction) for one in a["peacock"].abilities] == [("attracts", "bird")]
    assert kinds(a["peacock"], "attracts") not in ([], ["draw"])
    assert a["eagle"].appetite >= 2
    assert [one.whom for one in effects(a["eagle"], "joins")] == ["faction"]
    assert [one.appetite for one in effects(a["crocodile"], "joins")] == [2]
    assert [one.each for one in effects(a["lynx"], "joins")] == ["carnivore"]
    assert [(one.whom, one.times) for one in effects(a["owl"], "loses")] == [("one", 2)]
    assert kinds(a["hyena"], "loses")
    assert kinds(a["monitor"], "fed")
    assert [one.food for one in effects(a["hippo"], "feeding")] == [1]
    assert mandatory(a["hippo"], "feeding")
    assert [(one.whom, one.food, one.times) for one in effects(a["elephant"], "joins")] == [("self", 4, 1)]
    assert mandatory(a["elephant"], "joins")
    assert kinds(a["boar"], "leaves") == ["compromat"]
    assert mandatory(a["boar"], "leaves")
    assert a["boar"].vp == 2
    assert [(one.trigger, one.tokens) for one in a["penguin"].abilities] == [("fed", 3)]
    assert [one.appetite for one in effects(a["penguin"], "fed")] == [3]
    assert a["camel"].supplier
    assert a["chameleon"].wild
    assert kinds(a["turtle"], "joins") == ["swap"]
    assert kinds(a["iguana"], "joins")
    assert kinds(a["woodpecker"], "joins")
    assert [(one.trigger, one.faction) for one in a["rhino"].abilities] == [("poaching", "bird")]
    assert [one.count for one in effects(a["rhino"], "poaching")] == [2]


def test_halves_appetites_and_the_whole_vocabulary(components: Set) -> None:
    """A double half, nine of appetite 1, five of 4 or more; each trigger, property and effect is on some card."""
    animals = list(components.animals.values())
    doubles = [one for one in animals if one.left and one.right]
    assert doubles
    assert all(one.left == one.right for one in doubles)
    assert sum(one.copies for one in animals if one.appetite == 1) >= 9
    assert sum(one.copies for one in animals if one.appetite >= 4) >= 5
    cards = [*animals, *components.leaders.values()]
    triggers = {ability.trigger for card in cards for ability in card.abilities}
    assert len(triggers) == 10
    done = {type(effect) for card in cards for ability in card.abilities for effect in ability.effects}
    assert len(done) == 11
    assert any(one.supplier for one in animals)


def test_leaders(components: Set) -> None:
    """Eight, two a faction, each with a condition of its own, and the published icons."""
    leaders = components.leaders
    assert Counter(one.faction for one in leaders.values()) == dict.fromkeys(
        ("herbivore", "carnivore", "reptile", "bird"), 2
    )
    assert len({str(one.victory) for one in leaders.values()}) == 8
    icons = {icon: {n for n, one in leaders.items() if icon in one.icons} for icon in ("easy", "sword", "calm")}
    assert icons == {
        "easy": {"rabbit", "viper", "sparrow", "tiger"},
        "sword": {"goat", "viper", "alligator", "raven"},
        "calm": {"rabbit", "sparrow", "mongoose", "tiger"},
    }
    rabbit, viper, goat = leaders["rabbit"], leaders["viper"], leaders["goat"]
    assert (rabbit.victory.count, rabbit.victory.faction) == (4, "herbivore")
    assert [one.food for one in effects(rabbit, "setup")] == [2]
    assert (viper.victory.count, viper.victory.appetite_from, viper.victory.appetite_to) == (3, 0, 1)
    assert [one.influence for one in effects(viper, "setup")] == [1]
    assert (goat.victory.count, goat.victory.appetite_from) == (3, 4)
    assert [one.food for one in effects(goat, "contacts")] == [1]


def test_no_card_is_named_in_the_engine() -> None:
    """What a card does is wholly in the set; `chameleon` is a word of the notation."""
    names = [one["name"] for one in tomllib.loads(SHIPPED.read_text("utf-8"))["animals"]]
    for path in SHIPPED.parent.glob("*.py"):
        text = path.read_text("utf-8")
        assert not [name for name in names if f'"{name}"' in text and name != "chameleon"], path


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ('name = "bear"\nfaction = "carnivore"', 'name = "bear"\nfaction = "fish"', "animals, bear"),
        ("appetite = 1\n", "appetite = 7\n", "$.appetite"),
        ("appetite = 3\npredator = true", "appetite = 3", "animals, lynx, predator"),
        ('kind = "take"', 'kind = "grab"', "animals, crocodile"),
        ('trigger = "fed", tokens = 3', 'trigger = "joins", tokens = 3', "animals, penguin, abilities, tokens"),
        (
            'trigger = "fed", effects = [{ kind = "gain", influence = 1 }]',
            'trigger = "fed", mandatory = true, effects = [{ kind = "feed", whom = "self", food = 1 }]',
            "animals, monitor, abilities, mandatory",
        ),
        ('trigger = "feeding"', 'trigger = "fed"', "animals, hippo, abilities, effects"),
        ('name = "wolf"', 'name = "bear"', "animals, bear, name"),
        ('name = "wolf"', 'name = "goat"', "goat, name"),
        ('name = "wolf"', 'name = "s7"', "animals, s7, name"),
        ('name = "wolf"', 'name = "bird"', "animals, bird, name"),
        ("copies = 3", "copies = 2", "15 cards"),
        ('icons = ["calm"]', 'icons = ["calm", "easy"]', "leaders, icons"),
        ('left = "free"\nright = "free"', 'left = "free"\nright = "rulers"', "animals, ferret, right"),
    ],
)
def test_a_set_that_is_not_whole_is_refused(turnlog: Turnlog, old: str, new: str, says: str) -> None:
    """The card and the field are named."""
    text = SHIPPED.read_text("utf-8")
    assert old in text
    path = turnlog.db.with_name("bad.toml")
    path.write_text(text.replace(old, new), "utf-8")
    answer = turnlog("create", SLUG, "-p", "ada", "-p", "bo", "--set", path, "--json")
    assert answer.code == 2
    assert says.replace("$", "card") in answer.error["message"]


def test_another_set_is_played(turnlog: Turnlog) -> None:
    """A set of the same schema, recorded in the game."""
    path = turnlog.db.with_name("own.toml")
    path.write_text(SHIPPED.read_text("utf-8").replace("hamster", "shrew"), "utf-8")
    turnlog.json("create", SLUG, "-p", "ada", "-p", "bo", "--id", "g", "--set", path, "--seed", 1)
    path.unlink()
    assert "shrew" in turnlog.ok("export", "g", "--format", "jsonl", "--as", "referee").out
