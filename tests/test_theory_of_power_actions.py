"""The four actions and their payments, as a player types them (rulebook, "Available Actions" to "Suppliers")."""

import pytest

from tests.conftest import Turnlog
from tests.theory_of_power import facts, moves, reserve, seat, start, supporters, waiting

OTHER = "boar boar rhino elephant monitor"


# Get Food ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cards", "food"),
    [
        ("", 0),
        ("gecko", 1),
        ("gecko owl", 2),
        ("owl owl", 3),
        ("gecko owl owl", 4),
        ("gecko iguana owl owl", 6),
        ("gecko iguana owl owl camel", 7),
    ],
)
def test_food_for_cards_and_for_two_of_one_faction(turnlog: Turnlog, cards: str, food: int) -> None:
    """1 Food a card, 3 for two of one faction; nothing discarded brings nothing."""
    start(turnlog, "gecko iguana owl owl camel", OTHER)
    turnlog.play("g", f"food {cards}".strip())
    assert reserve(turnlog, "ada") == (3 + food, 0)
    assert len(seat(turnlog, "ada")["hand"]) == 5 - len(cards.split())
    assert sorted(turnlog.view("g")["discard"][-len(cards.split()) :] if cards else []) == sorted(cards.split())


@pytest.mark.parametrize(
    ("move", "food"),
    [
        ("food chameleon gecko", 3),
        ("food chameleon owl", 3),
        ("food chameleon owl chameleon bird", 3),
        ("food chameleon owl chameleon reptile", 2),
        ("food owl camel chameleon chameleon", 6),
        ("food owl camel chameleon chameleon chameleon bird bird", 5),
        ("food chameleon chameleon", 3),
    ],
)
def test_chameleons_are_of_the_faction_said_or_that_pays_most(turnlog: Turnlog, move: str, food: int) -> None:
    """One faction each in the order named; left out, the way that pays most (ruling 3)."""
    start(turnlog, "chameleon chameleon gecko owl camel", OTHER)
    turnlog.play("g", move)
    assert reserve(turnlog, "ada")[0] == 3 + food


@pytest.mark.parametrize(
    ("move", "says"),
    [
        ("food owl", "not in your hand"),
        ("food turtle turtle", "turtle is only once in your hand"),
        ("food gecko gecko gecko", "gecko is only twice in your hand"),
        ("food dodo", "no Animal"),
        ("food gecko cards 1", "symbol of the Free"),
        ("food gecko gecko influence 1", "symbol of the Rulers"),
        ("food gecko chameleon bird", "for each card"),
        ("attract elephant", "not in your hand"),
        ("attract turtle food 3 influence 1", "exactly 3"),
        ("attract turtle influence 1", "too little"),
        ("attract turtle food 4", "exactly 3"),
        ("attract gecko eat s1", "no predator"),
        ("attract jackal eat s1", "no supporter of yours"),
        ("attract gecko from s1:food", "only for a bird"),
        ("attract gecko chameleon bird", "only a card of any faction"),
        ("poach s1", "no supporter on the table"),
        ("pass", "cannot be done now"),
        ("use s1", "cannot be done now"),
    ],
)
def test_refusals_say_what_is_wrong(turnlog: Turnlog, move: str, says: str) -> None:
    """A move that is not legal is refused in words, and changes nothing."""
    start(turnlog, "gecko gecko turtle jackal camel", OTHER)
    before = turnlog.view("g", "ada")
    answer = turnlog("play", "g", move, "--json")
    assert answer.code == 3
    assert says in answer.error["message"]
    assert turnlog.view("g", "ada") == before


# Attract Supporter ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("move", "left"),
    [
        ("attract turtle", (0, 1)),
        ("attract turtle food 1", (1, 0)),
        ("attract turtle influence 2", (1, 0)),
        ("attract turtle food 2 influence 1", (0, 1)),
    ],
)
def test_any_combination_pays_the_appetite(turnlog: Turnlog, move: str, left: tuple[int, int]) -> None:
    """What is left out comes from the reserve, Food first; the sum is the price (ruling 4)."""
    start(turnlog, "iguana iguana turtle gecko gecko", OTHER)
    turnlog.play("g", "attract iguana", "use s1", "food", "food gecko gecko", "food")
    turnlog.play("g", "attract iguana", "use s2", "food")
    assert reserve(turnlog, "ada") == (2, 2)
    turnlog.play("g", move)
    assert reserve(turnlog, "ada") == left


def test_a_bear_eats_a_gecko(turnlog: Turnlog) -> None:
    """The rulebook's example: the Gecko's Food and Influence come back, 1 Food is paid, the Bear stays."""
    start(turnlog, "gecko camel woodpecker bear lynx", OTHER, rich=True)
    turnlog.play(
        "g", "attract gecko", "food", "attract camel", "food", "attract woodpecker", "use s3", "feed s1", "food"
    )
    assert supporters(turnlog, "ada")["s1"] == ("gecko", 1, 1)
    food, influence = reserve(turnlog, "ada")
    turnlog.play("g", "attract bear eat s1")
    assert reserve(turnlog, "ada") == (food + 1 - 1, influence + 1)
    assert supporters(turnlog, "ada")["s4"] == ("bear", 0, 0)
    assert "s1" not in supporters(turnlog, "ada")
    assert turnlog.view("g")["discard"][-1] == "gecko"


def test_equal_appetites_cost_nothing_and_greater_ones_are_not_eaten(turnlog: Turnlog) -> None:
    """A predator eats what has at most its own appetite; the difference is paid."""
    start(turnlog, "bear turtle jackal lynx hyena", OTHER, rich=True)
    turnlog.play("g", "attract turtle", "food", "attract bear")
    turnlog.play("g", "food")
    assert "more appetite" in turnlog("play", "g", "attract hyena eat s1", "--json").error["message"]
    before = reserve(turnlog, "ada")
    turnlog.play("g", "attract hyena eat s2")
    assert reserve(turnlog, "ada") == before
    assert [card for card, *_ in supporters(turnlog, "ada").values()] == ["turtle", "hyena"]


def test_a_bird_is_paid_with_tokens_on_supporters(turnlog: Turnlog) -> None:
    """Tokens on supporters and in the reserve combine; the former go to the supply (rulebook, "Birds")."""
    start(turnlog, "elephant owl hippo peacock penguin", OTHER, rich=True)
    turnlog.play("g", "attract elephant", "food")
    assert supporters(turnlog, "ada")["s1"] == ("elephant", 4, 0)
    food, influence = reserve(turnlog, "ada")
    turnlog.play("g", "attract owl from s1:food influence 1", "food")
    assert reserve(turnlog, "ada") == (food, influence - 1)
    turnlog.play("g", "attract peacock from s1:food s1:food", "food")
    assert supporters(turnlog, "ada")["s1"] == ("elephant", 1, 0)
    for move, says in (
        ("attract penguin from s1:food s1:food", "lie 1 food"),
        ("attract penguin from s1:influence", "lie 0 influence"),
        ("attract penguin from s1:food s1:food s1:food", "more than that"),
        ("attract penguin from s9:food", "no supporter of yours"),
        ("attract penguin from s1", "no token"),
        ("attract hippo from s1:food", "only for a bird"),
    ):
        assert says in turnlog("play", "g", move, "--json").error["message"]


def test_an_eagle_eats_and_is_paid_off_supporters(turnlog: Turnlog) -> None:
    """Predator and bird combine; the eaten card's tokens cannot be named, they are in the reserve (ruling 4)."""
    start(turnlog, "elephant woodpecker jackal eagle owl", OTHER, rich=True)
    turnlog.play("g", "attract elephant", "food", "attract woodpecker", "use s2", "feed s2", "food")
    assert supporters(turnlog, "ada")["s2"] == ("woodpecker", 0, 1)
    food, influence = reserve(turnlog, "ada")
    error = turnlog("play", "g", "attract eagle eat s2 from s2:influence", "--json").error
    assert "no supporter of yours with tokens" in error["message"]
    turnlog.play("g", "attract eagle eat s2 from s1:food s1:food influence 1", "skip s3")
    assert reserve(turnlog, "ada") == (food, influence)
    assert supporters(turnlog, "ada") == {"s1": ("elephant", 2, 0), "s3": ("eagle", 0, 0)}


def test_the_same_animal_may_be_attracted_twice(turnlog: Turnlog) -> None:
    """There is no limit on identical supporters."""
    start(turnlog, "gecko gecko camel owl bear", OTHER)
    turnlog.play("g", "attract gecko", "food", "attract gecko", "use s1", "food")
    assert [card for card, *_ in supporters(turnlog, "ada").values()] == ["gecko", "gecko"]


# Suppliers --------------------------------------------------------------------------------------------


def test_a_supplier_feeds_another_supporter(turnlog: Turnlog) -> None:
    """The only other one without asking, else `feed S`; never itself; nothing if it is the first."""
    start(turnlog, "camel camel camel pelican gecko", OTHER, rich=True)
    turnlog.play("g", "attract camel", "food")
    assert supporters(turnlog, "ada") == {"s1": ("camel", 0, 0)}
    turnlog.play("g", "attract camel", "food")
    assert supporters(turnlog, "ada")["s1"] == ("camel", 1, 0)
    turnlog.play("g", "attract camel")
    assert moves(turnlog) == ["feed s1", "feed s2"]
    assert "not possible" in turnlog("play", "g", "feed s3", "--json").error["message"]
    turnlog.play("g", "feed s2", "food")
    assert supporters(turnlog, "ada")["s2"] == ("camel", 1, 0)


def test_a_supplier_does_not_feed_when_poached(turnlog: Turnlog) -> None:
    """The property looks at attracting only (ruling 9)."""
    start(turnlog, "camel gecko owl lynx bear", "gecko boar boar rhino monitor", rich=True)
    turnlog.play("g", "attract camel", "attract gecko", "food")
    turnlog.play("g", "poach s1")
    assert supporters(turnlog, "bo") == {"s1": ("camel", 0, 0), "s2": ("gecko", 0, 0)}


# Poach Supporter --------------------------------------------------------------------------------------


def test_poaching_costs_appetite_and_tokens_in_influence(turnlog: Turnlog) -> None:
    """Food does not poach; the tokens on the card go to the poacher's reserve; the id stays."""
    start(turnlog, "elephant gecko owl lynx bear", "hamster boar boar rhino monitor", rich=True)
    turnlog.play("g", "attract elephant")
    assert "poach s1" in moves(turnlog)
    food, influence = reserve(turnlog, "bo")
    turnlog.play("g", "poach s1")
    after = reserve(turnlog, "bo")
    assert after == (food + 4, influence - 8)
    assert supporters(turnlog, "bo")["s1"][0] == "elephant"
    assert supporters(turnlog, "ada") == {}


def test_a_rhino_makes_birds_cheaper_never_below_nothing(turnlog: Turnlog) -> None:
    """2 less for a bird, not under 0; other factions cost the same."""
    start(turnlog, "woodpecker owl lynx gecko bear", "rhino boar boar monitor turtle", rich=True)
    turnlog.play("g", "attract woodpecker", "use s1", "feed s1", "attract rhino")
    turnlog.play("g", "attract gecko", "food", "attract owl")
    influence = reserve(turnlog, "bo")[1]
    turnlog.play("g", "poach s4", "food")
    assert reserve(turnlog, "bo")[1] == influence
    turnlog.play("g", "poach s1", "skip s1", "food")
    assert reserve(turnlog, "bo")[1] == influence + 1
    turnlog.play("g", "poach s3")
    assert reserve(turnlog, "bo")[1] == influence


def test_poaching_needs_the_influence(turnlog: Turnlog) -> None:
    """The refusal names price and purse."""
    start(turnlog, "gecko owl lynx camel bear", OTHER)
    turnlog.play("g", "attract gecko")
    error = turnlog("play", "g", "poach s1", "--json").error
    assert "costs 1 Influence, and you have 0" in error["message"]
    turnlog.play("g", "food")
    assert "your own supporter" in turnlog("play", "g", "poach s1", "--json").error["message"]


# Seek Contacts ----------------------------------------------------------------------------------------


def test_contacts_draw_to_five_then_abilities_then_compromat(turnlog: Turnlog) -> None:
    """The order of ruling 15; Compromat counts minus 1."""
    start(turnlog, "hamster gecko owl lynx bear", OTHER, deck="peacock")
    turnlog.play("g", "attract hamster", "food")
    answer = turnlog.play("g", "contacts")
    assert "cards-drawn" in facts(answer)
    assert seat(turnlog, "ada")["hand"][-1] == "peacock"
    assert waiting(turnlog) == [("ada", "s1")]
    assert seat(turnlog, "ada")["compromat"] == 0
    answer = turnlog.play("g", "use s1")
    assert facts(answer).index("tokens-gained") < facts(answer).index("compromat-taken")
    ada = seat(turnlog, "ada")
    assert (ada["food"], ada["compromat"], ada["vp"]) == (3, 1, 0)


def test_contacts_with_a_full_hand_still_cost(turnlog: Turnlog) -> None:
    """With five cards nothing is drawn, but Compromat is taken; never more than five."""
    start(turnlog, "hamster gecko owl lynx bear", OTHER)
    for number in range(1, 7):
        answer = turnlog.play("g", "contacts")
        assert "cards-drawn" not in facts(answer)
        assert seat(turnlog, "ada")["compromat"] == min(number, 5)
        turnlog.play("g", "food")


def test_the_discards_become_the_deck(turnlog: Turnlog) -> None:
    """An empty deck is made of the discards, by the draw `reshuffle`; with both empty no card is drawn."""
    start(turnlog, "gecko owl lynx camel bear", OTHER, more={"reshuffle": [["rhino"]]})
    drawn = 0
    while turnlog.view("g")["deck"]:
        hand = seat(turnlog, turnlog.json("show", "g")["to_move"][0])["hand"]
        turnlog.play("g", "food " + " ".join(hand) if hand else "contacts")
        drawn += 1
        assert drawn < 100
    who = turnlog.json("show", "g")["to_move"][0]
    hand = seat(turnlog, who)["hand"]
    if len(hand) < 5:
        answer = turnlog.play("g", "contacts")
        assert "deck-reshuffled" in facts(answer)
    assert sum(turnlog.view("g")["supply"].values()) < 80


def test_what_can_be_typed_is_shown_within_80_columns(turnlog: Turnlog) -> None:
    """The long patterns of the moves are broken into lines."""
    start(turnlog, "gecko gecko turtle jackal camel", OTHER)
    for command in ("show", "moves"):
        lines = turnlog.ok(command, "g", "--as", "ada").out.splitlines()
        assert max(map(len, lines)) <= 80
        assert "[from S:KIND...]" in " ".join(lines)
