"""The state of a game and the questions asked of it. No rules here about who may do what.

Everything but the orders of the deck and of the bag lies open. Ids are texts of a letter and a number: cards c,
workers w, bots b, investors i, Leaks l, goals g.
"""

from collections.abc import Iterator
from typing import Literal

from msgspec import Struct, field

from engines.half_lifed.components import KINDS, PRICES, Card, Effect, Goal, Set, Space
from engines.half_lifed.components import load_set as load_set
from engines.kit.game import Names, Options

Phase = Literal["setup", "split", "draft", "turns", "house", "over"]

#: Published: what a worker of another colour costs, what paying for a Leak costs, what an investor is about.
OFF_COLOUR = 2
LEAK = 5
INVESTOR = 10
#: So many cards in a facility end the game.
ENOUGH_CARDS = 15


class Question(Struct, frozen=True):
    """What an effect leaves open: effect `step` of `source` asks for a `what` among `options`."""

    source: str
    step: int
    what: str
    options: tuple[str, ...]
    bot: str = ""


class Plant(Struct):
    """What a seat has.

    `todo` are drafted cards not yet played; `cards` lie face up, attachments too, `hosts` says on which card those
    are; `rooms` are cards made rooms, `clinics` counts Clinic cards. Workers are `parked`, `placed` on a space,
    `housed` in the clinic, `spent` on a goal or `locked` under a Leak; bots have a home (`""` until stationed) and
    may be placed or locked, too. Leaks are `loose` until answered, cover a card (`covers`, by card) or are
    contained (`holds`, by card). `used` are the spaces run this round, and the pieces locked on one since.
    `free` rooms are to be given out, if it is not -1.
    """

    money: int = 0
    clinics: int = 0
    rooms: list[str] = []
    cards: list[str] = []
    hosts: dict[str, str] = {}
    todo: list[str] = []
    parked: list[str] = []
    placed: dict[str, str] = {}
    housed: list[str] = []
    spent: dict[str, str] = {}
    locked: dict[str, str] = {}
    bots: dict[str, str] = {}
    investors: list[str] = []
    loose: list[str] = []
    covers: dict[str, str] = {}
    holds: dict[str, str] = {}
    used: list[str] = []
    claimed: list[str] = []
    asked: Question | None = None
    free: int = -1
    done: bool = False
    out: bool = False


class State(Struct):
    """A game as it stands. Seats are numbers from 0.

    `piles` may be empty, `takers` says who took each (-1: nobody yet); `order` are the seats still to take one.
    `pledges` come with the next draw. `colours` holds those of new workers, `made` counts new pieces by letter,
    `gone` is what left the game. `claimed` are the goals claimed this round.
    """

    components: Set
    plants: list[Plant]
    phase: Phase = "setup"
    round: int = 0
    first: int = 0
    departments: list[str] = []
    deck: list[str] = []
    bag: list[str] = []
    goals: list[str] = []
    claimed: list[str] = []
    pool: list[str] = []
    piles: list[tuple[str, ...]] = []
    takers: list[int] = []
    order: list[int] = []
    pledges: list[str] = []
    colours: dict[str, str] = {}
    made: dict[str, int] = field(default_factory=lambda: {"b": 0, "i": 0, "l": 0, "w": 0})
    gone: list[str] = []
    reasons: list[str] = []
    winners: list[int] = []


def begin(names: Names, options: Options, components: Set) -> State:
    """The state before the set-up."""
    return State(
        components=components,
        plants=[Plant(money=components.start_money, clinics=components.start_clinics) for _ in names],
    )


# ids --------------------------------------------------------------------------------------------------


def number(piece: str) -> int:
    """The number of an id."""
    return int(piece[1:])


def card_of(state: State, card: str) -> Card:
    """The card of an id."""
    return state.components.cards[int(card[1:]) - 1]


def goal_of(state: State, goal: str) -> Goal:
    """The goal of an id."""
    return state.components.goals[int(goal[1:]) - 1]


def space_of(state: State, space: str) -> Space | None:
    """The HQ's space of an id, or None: then it is a card."""
    return state.components.hq[int(space[2:]) - 1] if space[0] == "h" else None


def workers_in_set(components: Set, department: int) -> range:
    """The numbers of the workers of a department, by its place in the set."""
    each = components.of_each_colour
    return range(department * each + 1, (department + 1) * each + 1)


def colour_of(state: State, worker: str) -> str:
    """A worker's colour."""
    components = state.components
    place = (int(worker[1:]) - 1) // components.of_each_colour
    return components.departments[place].colour if place < len(components.departments) else state.colours[worker]


def colour_of_department(state: State, key: str) -> str:
    """The colour of a department's workers."""
    return next(d.colour for d in state.components.departments if d.key == key)


def next_id(state: State, letter: str) -> str:
    """The id of the next new piece: the next number (workers go on behind those of the set)."""
    start = len(state.components.departments) * state.components.of_each_colour if letter == "w" else 0
    return f"{letter}{start + state.made[letter] + 1}"


def in_waste(state: State, card: str) -> bool:
    """Whether a card belongs to Waste Management."""
    key = card_of(state, card).department
    return next(d.waste for d in state.components.departments if d.key == key)


# a seat's things --------------------------------------------------------------------------------------


def seats_in(state: State) -> list[int]:
    """The seats that are not out."""
    return [seat for seat, plant in enumerate(state.plants) if not plant.out]


def open_cards(plant: Plant) -> list[str]:
    """The face-up cards no Leak covers, attachments too."""
    return [card for card in plant.cards if card not in plant.covers] if plant.covers else plant.cards


def spaces(state: State, plant: Plant) -> list[str]:
    """The open action cards."""
    return [card for card in open_cards(plant) if card_of(state, card).kind == "action"]


def room_count(plant: Plant) -> int:
    """All rooms."""
    return plant.clinics + len(plant.rooms)


def facility_size(plant: Plant) -> int:
    """What counts towards the 15 cards (ruling 9): open cards, attachments, all rooms."""
    return len(open_cards(plant)) + room_count(plant)


def controlled(plant: Plant) -> list[str]:
    """The workers that are parked, placed or housed; not those spent or locked (ruling 13)."""
    return [*plant.parked, *(piece for piece in plant.placed if piece[0] == "w"), *plant.housed]


def all_leaks(plant: Plant) -> list[str]:
    """Every Leak a seat has."""
    return [*plant.loose, *plant.covers.values(), *plant.holds.values()]


def empty_stations(state: State, plant: Plant) -> list[str]:
    """The open action cards that are no bot's home."""
    homes = plant.bots.values()
    return [card for card in spaces(state, plant) if card not in homes]


def bots_at_station(plant: Plant) -> list[str]:
    """The bots that are at home: with a station, not on a space, not locked."""
    return [
        bot for bot, home in plant.bots.items() if home and bot not in plant.placed and bot not in plant.locked
    ]


def homeless(plant: Plant) -> list[str]:
    """The bots without a station."""
    return [bot for bot, home in plant.bots.items() if not home]


def attachment_on(plant: Plant, card: str) -> str:
    """The attachment on a card, or an empty text."""
    return next((attachment for attachment, host in plant.hosts.items() if host == card), "")


def possible_hosts(state: State, plant: Plant) -> list[str]:
    """The cards that can take an attachment (ruling 15); attachments themselves are none of them."""
    taken = plant.hosts.values()
    return [card for card in open_cards(plant) if card not in taken and card_of(state, card).kind != "attachment"]


def counted(state: State, plant: Plant, things: str) -> int:
    """How many of the counted thing a seat has (components.COUNTED, kinds, departments)."""
    match things:
        case "money":
            return plant.money
        case "cards":
            return len(open_cards(plant))
        case "rooms":
            return room_count(plant)
        case "workers":
            return len(controlled(plant))
        case "bots":
            return sum(bot not in plant.locked for bot in plant.bots)
        case "investors":
            return len(plant.investors)
        case "leaks":
            return len(plant.loose) + len(plant.covers) + len(plant.holds)
        case "goals":
            return len(plant.claimed)
        case "departments":
            return len({card_of(state, card).department for card in open_cards(plant)})
        case "colours":
            return len({colour_of(state, worker) for worker in controlled(plant)})
        case _:
            kind = KINDS.get(things)
            cards = (card_of(state, card) for card in open_cards(plant))
            return sum(card.kind == kind if kind else card.department == things for card in cards)


# prices -----------------------------------------------------------------------------------------------


def _changed(state: State, plant: Plant, price: str, amount: int, card: Card | None = None) -> int:
    assert price in PRICES
    for other in open_cards(plant):
        for change in card_of(state, other).changes:
            if change.price == price and (
                card is None
                or not change.things
                or change.things == card.department
                or KINDS.get(change.things) == card.kind
            ):
                amount += change.amount
    return max(0, amount)


def price_of(state: State, plant: Plant, card: str) -> int:
    """What building a card costs a seat now."""
    one = card_of(state, card)
    return _changed(state, plant, "build", one.price, one)


def leak_price(state: State, plant: Plant) -> int:
    """What paying for a Leak costs a seat now."""
    return _changed(state, plant, "leak", LEAK)


def fee_of(state: State, plant: Plant, space: str, piece: str) -> int:
    """What a piece pays to run a space: nothing for bots, at the HQ, and in the card's own colour."""
    if piece[0] == "b" or space[0] == "h":
        return 0
    if colour_of(state, piece) == colour_of_department(state, card_of(state, space).department):
        return 0
    return _changed(state, plant, "off-colour", OFF_COLOUR)


def effects_of(state: State, plant: Plant, source: str) -> tuple[Effect, ...]:
    """What running a space, or building a card, does: its own effects and the boost on it."""
    space = space_of(state, source)
    if space is not None:
        return space.effects
    effects = card_of(state, source).effects
    attachment = attachment_on(plant, source) if plant.hosts else ""
    return effects + card_of(state, attachment).boost if attachment else effects


def end_money(state: State, plant: Plant) -> Iterator[tuple[str, int]]:
    """The open cards that pay at the end, with the money."""
    for card in open_cards(plant):
        scores = card_of(state, card).scores
        if scores:
            yield (
                card,
                sum(one.amount * (counted(state, plant, one.per) if one.per else 1) for one in scores),
            )


def reckoned(state: State, seat: int) -> int:
    """The money a seat would end with if the game ended now."""
    plant = state.plants[seat]
    return plant.money + sum(money for _, money in end_money(state, plant)) - INVESTOR * len(plant.investors)


# what is conserved ------------------------------------------------------------------------------------


def pieces(state: State) -> dict[str, int]:
    """Cards, workers, bots, investors and Leaks wherever they are, less those made new; none of them twice."""
    lying = [*state.deck, *state.bag, *state.pool, *state.pledges, *state.gone]
    lying += [piece for pile, taker in zip(state.piles, state.takers, strict=True) if taker < 0 for piece in pile]
    for plant in state.plants:
        lying += (*plant.rooms, *plant.cards, *plant.todo, *plant.parked, *plant.housed, *plant.spent)
        lying += [piece for piece in (*plant.placed, *plant.locked) if piece[0] == "w"]
        lying += (*plant.bots, *plant.investors, *all_leaks(plant))
    whole = [piece for piece in lying if piece[1:] != "?"]
    count = {letter: -made for letter, made in state.made.items()} | {"c": 0}
    for piece in lying:
        count[piece[0]] += 1
    return {
        "cards": count["c"],
        "workers": count["w"],
        "bots": count["b"],
        "investors": count["i"],
        "leaks": count["l"],
        "pieces that are there twice": len(whole) - len(set(whole)),
    }
