"""Abilities: sets, order, nesting, and every question that the rulebook answers, through commands."""

import pytest

from tests.conftest import Turnlog
from tests.theory_of_power import facts, moves, reserve, seat, start, supporters, waiting

OTHER = "boar boar rhino elephant monitor"


# order and nesting ------------------------------------------------------------------------------------


def losing_a_jackal(turnlog: Turnlog) -> None:
    """Ada has Jackal, Owl, Hyena and Monitor, and bo poaches the Jackal."""
    start(turnlog, "jackal owl hyena monitor bear", "rhino boar boar camel turtle", rich=True)
    turnlog.play("g", "attract jackal", "skip s1", "food", "attract owl", "food", "attract hyena", "food")
    turnlog.play("g", "attract monitor", "poach s1", "skip s1")


def test_what_an_ability_sets_off_comes_before_the_rest(turnlog: Turnlog) -> None:
    """The rulebook's example: the Owl feeds the Monitor, whose ability comes before the Hyena's."""
    losing_a_jackal(turnlog)
    assert waiting(turnlog) == [("ada", "s2"), ("ada", "s3")]
    assert moves(turnlog) == ["use s2", "use s3", "skip s2", "skip s3"]
    turnlog.play("g", "use s2")
    assert moves(turnlog) == ["feed s2", "feed s3", "feed s4"]
    turnlog.play("g", "feed s4")
    assert waiting(turnlog) == [("ada", "s4"), ("ada", "s4"), ("ada", "s3")]
    error = turnlog("play", "g", "use s3", "--json").error
    assert "no ability of 's3' waits" in error["message"]
    food, influence = reserve(turnlog, "ada")
    turnlog.play("g", "use s4", "use s4")
    assert reserve(turnlog, "ada") == (food, influence + 2)
    turnlog.play("g", "use s3")
    assert reserve(turnlog, "ada") == (food + 2, influence + 2)
    assert supporters(turnlog, "ada")["s4"] == ("monitor", 2, 0)
    assert turnlog.json("show", "g")["to_move"] == ["ada"]


def test_the_other_order_is_open_too(turnlog: Turnlog) -> None:
    """The Hyena first, then the Owl; or neither."""
    losing_a_jackal(turnlog)
    turnlog.play("g", "use s3", "use s2", "feed s2")
    assert supporters(turnlog, "ada")["s2"] == ("owl", 2, 0)
    assert waiting(turnlog) == []


def test_abilities_may_be_skipped(turnlog: Turnlog) -> None:
    """Optional ones go by at their owner's wish."""
    losing_a_jackal(turnlog)
    before = reserve(turnlog, "ada")
    turnlog.play("g", "skip s2", "skip s3")
    assert reserve(turnlog, "ada") == before
    assert waiting(turnlog) == []


def test_the_stack_is_shown_in_words(turnlog: Turnlog) -> None:
    """The board says who waits for what, and what each would do."""
    losing_a_jackal(turnlog)
    shown = turnlog.ok("show", "g", "--as", "ada").out
    assert "Waiting, the next first" in shown
    assert "owl s2" in shown
    assert "take 2 Food" in shown
    turnlog.play("g", "use s2")
    assert "asks which supporter is fed" in turnlog.ok("show", "g", "--as", "bo").out


def test_the_seat_whose_turn_it_is_comes_first(turnlog: Turnlog) -> None:
    """Of one set, first the player in turn, then clockwise (ruling 11)."""
    start(turnlog, "iguana owl lynx gecko bear", "rhino boar boar camel turtle", rich=True)
    turnlog.play("g", "attract iguana", "skip s1", "food", "attract owl", "poach s1")
    assert waiting(turnlog) == [("bo", "s1"), ("ada", "s2")]
    assert moves(turnlog) == ["use s1", "skip s1"]
    assert "not ada's turn" in turnlog("play", "g", "use s2", "--as", "ada", "--json").error["message"]
    turnlog.play("g", "use s1", "ada: use s2", "ada: feed s2")
    assert supporters(turnlog, "ada")["s2"] == ("owl", 2, 0)


def test_a_waiting_ability_lapses_with_its_card(turnlog: Turnlog) -> None:
    """Ruling 6: the Crocodile takes the Owl, so what the Owl would do for its owner lapses."""
    start(turnlog, "owl ferret lynx gecko bear", "crocodile boar boar camel ferret", rich=True)
    turnlog.play("g", "attract owl", "attract ferret", "attract gecko")
    turnlog.play("g", "attract crocodile eat s2")
    # bo's own ferret leaves and the crocodile joins, both in bo's set
    assert waiting(turnlog) == [("bo", "s2"), ("bo", "s4")]
    turnlog.play("g", "use s4", "choose s1", "skip s2")
    assert supporters(turnlog, "bo")["s1"] == ("owl", 0, 0)
    assert waiting(turnlog) == []


# losing a supporter -----------------------------------------------------------------------------------


def test_owl_and_hippo_feed_four(turnlog: Turnlog) -> None:
    """Two acts of feeding, each 1 and 1 more."""
    start(turnlog, "jackal owl hippo lynx bear", "rhino boar boar camel turtle", rich=True)
    turnlog.play("g", "attract jackal", "skip s1", "food", "attract owl", "food", "attract hippo")
    turnlog.play("g", "poach s1", "skip s1", "use s2", "feed s3")
    assert supporters(turnlog, "ada")["s3"] == ("hippo", 4, 0)


def test_a_lost_owl_feeds_nobody(turnlog: Turnlog) -> None:
    """First the card is lost, then abilities are looked at."""
    start(turnlog, "gecko owl lynx turtle bear", "rhino boar boar camel turtle", rich=True)
    turnlog.play("g", "attract gecko", "food", "attract owl", "poach s2")
    assert waiting(turnlog) == []
    assert turnlog.json("show", "g")["to_move"] == ["ada"]


def test_an_arriving_hyena_does_not_see_what_it_eats(turnlog: Turnlog) -> None:
    """Ruling 7: the loss is over when the predator is placed; a standing one sees it."""
    start(turnlog, "gecko hyena hyena jackal bear", OTHER, rich=True)
    turnlog.play("g", "attract gecko", "food", "attract hyena eat s1")
    assert waiting(turnlog) == []
    turnlog.play("g", "food", "attract jackal", "skip s3", "food", "attract hyena eat s3")
    assert waiting(turnlog) == [("ada", "s2")]
    food = reserve(turnlog, "ada")[0]
    turnlog.play("g", "use s2")
    assert reserve(turnlog, "ada")[0] == food + 2


def test_an_eaten_card_leaves(turnlog: Turnlog) -> None:
    """A Ferret fed to a predator draws its two cards."""
    start(turnlog, "ferret bear lynx gecko owl", OTHER, deck="peacock peacock", rich=True)
    turnlog.play("g", "attract ferret", "food", "attract bear eat s1", "use s1")
    assert seat(turnlog, "ada")["hand"].count("peacock") == 2


@pytest.mark.parametrize("contacts", [0, 5])
def test_a_lost_boar_costs_compromat_up_to_five(turnlog: Turnlog, contacts: int) -> None:
    """Mandatory, so done by itself; with five Compromat it happens and takes none."""
    start(turnlog, "boar lynx turtle gecko bear", "rhino elephant owl camel turtle", rich=True)
    turnlog.play("g", "attract boar", "food")
    for _ in range(contacts):
        turnlog.play("g", "contacts", "food")
    turnlog.play("g", "food")
    answer = turnlog.play("g", "poach s1")
    assert "compromat-taken" in facts(answer)
    assert seat(turnlog, "ada")["compromat"] == min(contacts + 1, 5)
    assert seat(turnlog, "bo")["vp"] == 2


def test_without_compromat_the_boar_costs_nothing(turnlog: Turnlog) -> None:
    """The option: what is about Compromat is ignored."""
    other = "boar hippo rhino elephant monitor"
    start(turnlog, "boar lynx turtle gecko bear", other, rich=True, options=["compromat=off"])
    turnlog.play("g", "attract boar")
    answer = turnlog.play("g", "poach s1")
    assert "compromat-taken" not in facts(answer)
    assert "compromat-taken" not in facts(turnlog.play("g", "contacts"))
    assert seat(turnlog, "ada")["compromat"] == 0
    assert "no Compromat" in turnlog.ok("show", "g").out


# joining ----------------------------------------------------------------------------------------------


def test_an_elephant_is_fed_four_and_a_hippo_makes_it_five(turnlog: Turnlog) -> None:
    """One mandatory act; the Hippo's share is part of it."""
    start(turnlog, "elephant elephant hippo gecko bear", "boar boar rhino lynx monitor", rich=True)
    turnlog.play("g", "attract elephant", "food", "attract hippo", "food")
    answer = turnlog.play("g", "attract elephant")
    assert facts(answer).count("supporter-fed") == 1
    assert supporters(turnlog, "ada") == {
        "s1": ("elephant", 4, 0),
        "s2": ("hippo", 0, 0),
        "s3": ("elephant", 5, 0),
    }


def test_an_eagle_feeds_a_faction_and_itself(turnlog: Turnlog) -> None:
    """One act each, the faction of one's choice; the Chameleon is of it."""
    start(turnlog, "eagle peacock chameleon gecko owl", OTHER, rich=True)
    turnlog.play("g", "attract chameleon", "food", "attract peacock", "food", "attract gecko", "food")
    turnlog.play("g", "attract eagle", "skip s2", "use s4")
    assert moves(turnlog) == [f"choose {f}" for f in ("herbivore", "carnivore", "reptile", "bird")]
    turnlog.play("g", "choose bird")
    assert {one: laid for one, (_, laid, _) in supporters(turnlog, "ada").items()} == {
        "s1": 1,
        "s2": 1,
        "s3": 0,
        "s4": 1,
    }


def test_a_lynx_draws_for_each_carnivore_and_itself(turnlog: Turnlog) -> None:
    """Two carnivores and a Chameleon: three cards."""
    start(turnlog, "lynx jackal chameleon gecko owl", OTHER, rich=True)
    turnlog.play("g", "attract jackal", "skip s1", "food", "attract chameleon", "food", "attract lynx", "use s3")
    assert len(seat(turnlog, "ada")["hand"]) == 2 + 3


def test_a_crocodile_takes_a_supporter(turnlog: Turnlog) -> None:
    """Of appetite up to 2, its tokens to the reserve; there being none, the ability is dropped."""
    start(turnlog, "crocodile crocodile camel gecko owl", "turtle camel iguana rhino monitor", rich=True)
    answer = turnlog.play("g", "attract crocodile")
    assert "ability-dropped" in facts(answer)
    turnlog.play("g", "attract turtle", "food", "attract iguana", "skip s3", "food", "attract camel", "feed s3")
    food = reserve(turnlog, "ada")[0]
    turnlog.play("g", "attract crocodile", "use s5")
    assert moves(turnlog) == ["choose s3", "choose s4"]
    turnlog.play("g", "choose s3")
    assert reserve(turnlog, "ada")[0] == food - 4 + 1
    assert waiting(turnlog) == [("ada", "s3")]


def test_gecko_and_peacock_look_at_attracting_another(turnlog: Turnlog) -> None:
    """As a standing supporter only, and only when its owner attracts; a poached reptile draws nothing."""
    start(turnlog, "gecko iguana peacock owl bear", "monitor cobra boar rhino camel", rich=True)
    turnlog.play("g", "attract gecko")
    assert len(seat(turnlog, "ada")["hand"]) == 4
    turnlog.play("g", "attract monitor", "attract iguana")
    assert waiting(turnlog) == [("ada", "s3"), ("ada", "s1")]
    turnlog.play("g", "use s1", "skip s3")
    assert len(seat(turnlog, "ada")["hand"]) == 4
    turnlog.play("g", "food", "poach s2")
    assert waiting(turnlog) == []
    turnlog.play("g", "food", "attract peacock", "food", "attract owl")
    food = reserve(turnlog, "ada")[0]
    turnlog.play("g", "use s4")
    assert reserve(turnlog, "ada")[0] == food + 1


# the Penguin ------------------------------------------------------------------------------------------


def penguin(turnlog: Turnlog, hand: str, deck: str = "") -> None:
    """Ada has a Hippo, a Penguin and a Pelican that feeds by contacts."""
    start(turnlog, hand, "boar boar rhino elephant monitor", deck=deck, rich=True)


def test_a_fed_penguin_attracts_at_once_and_once(turnlog: Turnlog) -> None:
    """Fed to six tokens it attracts one supporter of appetite 3, paid with three of them."""
    penguin(turnlog, "hippo penguin camel turtle turtle", "lynx camel camel hippo hippo")
    turnlog.play("g", "attract hippo", "food", "attract penguin", "food", "attract camel", "feed s2")
    assert supporters(turnlog, "ada")["s2"] == ("penguin", 2, 0)
    turnlog.play("g", "food", "contacts", "food", "attract camel", "feed s2")
    assert moves(turnlog) == ["use s2", "skip s2"]
    turnlog.play("g", "skip s2", "food", "attract camel", "feed s2")
    assert supporters(turnlog, "ada")["s2"] == ("penguin", 6, 0)
    assert waiting(turnlog) == [("ada", "s2")]
    turnlog.play("g", "use s2")
    assert moves(turnlog) == ["choose lynx", "choose turtle"]
    before = reserve(turnlog, "ada")
    turnlog.play("g", "choose turtle")
    assert reserve(turnlog, "ada") == before
    assert supporters(turnlog, "ada")["s2"] == ("penguin", 3, 0)
    assert "turtle" in [card for card, *_ in supporters(turnlog, "ada").values()]
    assert turnlog.json("show", "g")["to_move"] == ["bo"]


def test_a_penguin_without_a_fitting_card_is_only_skipped(turnlog: Turnlog) -> None:
    """It is asked all the same, so that nobody learns what is in the hand."""
    penguin(turnlog, "hippo penguin camel camel gecko")
    turnlog.play("g", "attract hippo", "food", "attract penguin", "food", "attract camel", "feed s2", "food")
    turnlog.play("g", "attract camel", "feed s2")
    assert moves(turnlog) == ["skip s2"]
    assert "no card of appetite 3" in turnlog("play", "g", "use s2", "--json").error["message"]
    turnlog.play("g", "skip s2")


# the Chameleon ----------------------------------------------------------------------------------------


def test_a_chameleon_is_one_faction_at_a_time(turnlog: Turnlog) -> None:
    """Named bird for the Peacock it gives the Gecko nothing; left out, it is what sets off most."""
    start(turnlog, "gecko peacock chameleon chameleon owl", OTHER, rich=True)
    turnlog.play("g", "attract gecko", "food", "attract peacock", "food", "attract chameleon chameleon bird")
    assert waiting(turnlog) == [("ada", "s2")]
    turnlog.play("g", "use s2", "food", "attract chameleon chameleon reptile")
    assert waiting(turnlog) == [("ada", "s1")]
    turnlog.play("g", "use s1")
    error = turnlog("play", "g", "attract owl chameleon bird", "--json", "--as", "ada").error
    assert "turn" in error["message"]


def test_a_chameleon_as_bird_is_paid_off_supporters_but_eats_nobody(turnlog: Turnlog) -> None:
    """The tokens are the faction's, eating is a property."""
    start(turnlog, "elephant chameleon chameleon gecko owl", "boar boar rhino lynx monitor", rich=True)
    turnlog.play("g", "attract elephant", "food")
    error = turnlog("play", "g", "attract chameleon eat s1 chameleon carnivore", "--json").error
    assert "no predator" in error["message"]
    error = turnlog("play", "g", "attract chameleon from s1:food s1:food chameleon reptile", "--json").error
    assert "only for a bird" in error["message"]
    before = reserve(turnlog, "ada")
    turnlog.play("g", "attract chameleon from s1:food s1:food chameleon bird")
    assert reserve(turnlog, "ada") == before
    assert supporters(turnlog, "ada")["s1"] == ("elephant", 2, 0)


def test_a_chameleon_is_no_bird_for_anothers_rhino(turnlog: Turnlog) -> None:
    """Its owner says otherwise (ruling 12)."""
    start(turnlog, "chameleon gecko owl lynx bear", "rhino boar boar elephant monitor", rich=True)
    turnlog.play("g", "attract chameleon", "attract rhino", "food")
    influence = reserve(turnlog, "bo")[1]
    turnlog.play("g", "poach s1 chameleon bird")
    assert reserve(turnlog, "bo")[1] == influence - 2


def test_an_arriving_chameleon_is_asked_for_where_it_matters(turnlog: Turnlog) -> None:
    """Poached with a Cobra about, it may be a herbivore; taken by the Crocodile it is asked (ruling 12)."""
    start(turnlog, "chameleon chameleon owl lynx bear", "cobra crocodile boar elephant monitor", rich=True)
    turnlog.play("g", "attract chameleon", "attract cobra", "attract chameleon")
    turnlog.play("g", "poach s1 chameleon herbivore")
    assert waiting(turnlog) == [("bo", "s2")]
    turnlog.play("g", "use s2", "food", "attract crocodile", "use s4", "choose s3")
    assert moves(turnlog) == [f"choose {f}" for f in ("herbivore", "carnivore", "reptile", "bird")]
    turnlog.play("g", "choose bird")
    assert waiting(turnlog) == []


# the Turtle -------------------------------------------------------------------------------------------


def test_a_turtle_swaps_with_tokens_and_the_swappers_arrival_first(turnlog: Turnlog) -> None:
    """Tokens stay on the cards; first the swapper's arrival, then the other's, then the rest (ruling 10)."""
    start(turnlog, "woodpecker turtle owl lynx gecko", "iguana hyena boar rhino camel", rich=True)
    turnlog.play("g", "attract woodpecker", "use s1", "feed s1", "attract iguana", "skip s2")
    turnlog.play("g", "attract owl", "attract hyena", "attract turtle", "use s5")
    assert moves(turnlog) == ["choose s1", "choose s3"]
    turnlog.play("g", "choose s1")
    assert moves(turnlog) == ["choose s2", "choose s4"]
    turnlog.play("g", "choose s2")
    assert supporters(turnlog, "bo")["s1"] == ("woodpecker", 0, 1)
    assert waiting(turnlog) == [("ada", "s2"), ("bo", "s1"), ("ada", "s3"), ("bo", "s4")]
    turnlog.play("g", "use s2", "bo: use s1", "bo: feed s4", "ada: skip s3", "bo: use s4")
    assert supporters(turnlog, "bo")["s4"] == ("hyena", 0, 1)
    assert turnlog.json("show", "g")["to_move"] == ["bo"]


def test_the_other_uses_what_it_received_before_it_is_taken_back(turnlog: Turnlog) -> None:
    """The rulebook's exception: a received Crocodile takes the Iguana back, whose ability bo uses first."""
    start(turnlog, "iguana turtle owl lynx gecko", "crocodile boar boar rhino camel", rich=True)
    turnlog.play("g", "attract iguana", "skip s1", "attract crocodile", "skip s2", "attract turtle")
    turnlog.play("g", "use s3", "choose s1", "choose s2")
    assert waiting(turnlog) == [("ada", "s2"), ("bo", "s1")]
    influence = reserve(turnlog, "bo")[1]
    turnlog.play("g", "ada: use s2", "ada: choose s1")
    assert turnlog.json("show", "g")["to_move"] == ["bo"]
    turnlog.play("g", "bo: use s1")
    assert reserve(turnlog, "bo")[1] == influence + 1
    assert supporters(turnlog, "ada")["s1"] == ("iguana", 0, 0)
    assert waiting(turnlog) == [("ada", "s1")]
    turnlog.play("g", "use s1")
    assert turnlog.json("show", "g")["to_move"] == ["bo"]


def test_what_a_swap_brings_does_not_see_what_it_costs(turnlog: Turnlog) -> None:
    """A received Owl or Hyena was no supporter yet when the other one was lost (rulings 7 and 10)."""
    start(turnlog, "hyena turtle lynx gecko bear", "owl boar boar rhino camel", rich=True)
    turnlog.play("g", "attract hyena", "attract owl", "attract turtle", "use s3", "choose s1", "choose s2")
    assert supporters(turnlog, "ada").keys() == {"s2", "s3"}
    assert waiting(turnlog) == []
    assert turnlog.json("show", "g")["to_move"] == ["bo"]


# Leaders' and the rest --------------------------------------------------------------------------------


def test_a_goat_takes_food_from_another(turnlog: Turnlog) -> None:
    """By its name, out of a reserve; with nothing to take it is dropped."""
    start(turnlog, "gecko owl lynx turtle bear", "hamster boar boar rhino camel", leaders="goat rabbit")
    turnlog.play("g", "contacts")
    assert moves(turnlog) == ["use goat", "skip goat"]
    turnlog.play("g", "use goat", "choose bo")
    assert (reserve(turnlog, "ada")[0], reserve(turnlog, "bo")[0]) == (4, 4)
    assert seat(turnlog, "ada")["compromat"] == 1


def test_contacts_abilities_in_any_order_then_compromat(turnlog: Turnlog) -> None:
    """A Bear's two effects, a Pelican's feeding, a Cobra's Influence."""
    start(turnlog, "bear pelican cobra gecko owl", OTHER, rich=True)
    turnlog.play("g", "attract bear", "food", "attract pelican", "food", "attract cobra", "food", "contacts")
    assert waiting(turnlog) == [("ada", "s1"), ("ada", "s2"), ("ada", "s3")]
    rows = turnlog.view("g")["waiting"]
    assert rows[-1]["status"] == "later"
    food, influence = reserve(turnlog, "ada")
    turnlog.play("g", "use s3", "use s1", "use s2", "feed s2")
    assert reserve(turnlog, "ada") == (food + 1, influence + 1)
    assert supporters(turnlog, "ada")["s2"] == ("pelican", 1, 0)
    assert len(seat(turnlog, "ada")["hand"]) == 6


def test_a_wolf_returns_compromat_if_there_is_any(turnlog: Turnlog) -> None:
    """What cannot be done in full is dropped."""
    start(turnlog, "wolf wolf gecko owl bear", OTHER, rich=True)
    assert "ability-dropped" in facts(turnlog.play("g", "attract wolf"))
    turnlog.play("g", "food", "contacts", "food", "attract wolf", "use s2")
    assert seat(turnlog, "ada")["compromat"] == 0


def test_of_two_abilities_of_a_card_the_one_that_can_be_used_is_meant(turnlog: Turnlog) -> None:
    """A mandatory one that cannot be done in full does not stand in the way of the other."""
    gain = '{ trigger = "joins", effects = [{ kind = "gain", influence = 1 }], source = "house" },'
    take = (
        '{ trigger = "joins", mandatory = true, effects = [{ kind = "take", appetite = 1 }], source = "house" },'
    )
    start(turnlog, "iguana turtle lynx gecko bear", OTHER, rich=True, changes=[(gain, take + gain)])
    turnlog.play("g", "attract iguana")
    assert moves(turnlog) == ["use s1", "skip s1"]
    influence = reserve(turnlog, "ada")[1]
    turnlog.play("g", "use s1")
    assert reserve(turnlog, "ada")[1] == influence + 1
    assert turnlog.json("show", "g")["to_move"] == ["bo"]
