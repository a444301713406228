"""What a seat may do now, and the sentences that refuse the rest. A rule behind an offer never refuses."""

from collections.abc import Iterable
from itertools import combinations, islice

from engines.half_lifed.effects import can_run
from engines.half_lifed.moves import (
    Activate,
    Build,
    Choose,
    Claim,
    Done,
    House,
    Leak,
    Pick,
    Room,
    Split,
    Station,
)
from engines.half_lifed.state import (
    Plant,
    State,
    bots_at_station,
    card_of,
    colour_of,
    controlled,
    counted,
    empty_stations,
    fee_of,
    goal_of,
    homeless,
    in_waste,
    leak_price,
    possible_hosts,
    price_of,
    seats_in,
    spaces,
)
from engines.half_lifed.words import needs_said
from engines.kit.offers import Offer, Offers

#: At most so many ways to give out rooms are listed.
MOST_LISTED = 60

_DONE = Done()


def offers(state: State, seat: int) -> Offers:
    """What `seat`, one of those to move, may do."""
    if state.phase == "split":
        return (split_offer(state),)
    if state.phase == "draft":
        return (pick_offer(state),)
    plant = state.plants[seat]
    if state.phase == "house":
        return (house_offer(state, plant),)
    if plant.asked is not None:  # ruling 16
        return (choose_offer(plant),)
    return turn_offers(state, plant)


# split and draft --------------------------------------------------------------------------------------


def split_offer(state: State) -> Offer:
    """All drawn pieces into one pile a seat still in; too many ways to list."""
    pool = state.pool
    piles = len(seats_in(state))

    def why_not(move: Split) -> str | None:
        if len(move.pieces) != piles:
            return f"split into {piles} piles, one a seat, parted by /; these are {len(move.pieces)}"
        named = [piece for pile in move.pieces for piece in pile]
        for piece in named:
            if piece not in pool:
                return f"{piece!r} is not in the pool, which is: {' '.join(pool)}"
            if named.count(piece) > 1:
                return f"{piece} stands twice in the split; each piece goes on one pile"
        left = [piece for piece in pool if piece not in named]
        return f"every piece goes on a pile; left over: {' '.join(left)}" if left else None

    pattern = " / ".join(["PIECES"] * piles)
    pattern = f"split {pattern} (each piece of the pool once; - for an empty pile)"
    return Offer(Split, pattern, why_not, lambda: sample_splits(pool, piles), complete=False)


def sample_splits(pool: list[str], piles: int) -> list[Split]:
    """Some splits: dealt in turn, to and fro, in blocks, by kind, and one with all on a pile."""
    found: dict[Split, None] = {}
    for shift in range(3):
        order = pool[shift:] + pool[:shift]
        dealt = [order[pile::piles] for pile in range(piles)]
        found[_split(dealt)] = None
        fro: list[list[str]] = [[] for _ in range(piles)]
        for place, piece in enumerate(order):
            turn, pile = divmod(place, piles)
            fro[pile if turn % 2 == 0 else piles - 1 - pile].append(piece)
        found[_split(fro)] = None
        each = -(-len(order) // piles)
        found[_split([order[pile * each : (pile + 1) * each] for pile in range(piles)])] = None
    kinds: list[list[str]] = [[] for _ in range(piles)]
    for piece in pool:
        kinds["cwbil".index(piece[0]) % piles].append(piece)
    found[_split(kinds)] = None
    found[_split([pool, *([[]] * (piles - 1))])] = None
    return list(found)


def _split(piles: Iterable[Iterable[str]]) -> Split:
    return Split(tuple(tuple(pile) for pile in piles))


def pick_offer(state: State) -> Offer:
    """The piles nobody took."""
    free = [number for number, taker in enumerate(state.takers, 1) if taker < 0]

    def why_not(move: Pick) -> str | None:
        if move.number in free:
            return None
        if not 1 <= move.number <= len(state.takers):
            return f"there is no pile {move.number}; the piles are numbered 1 to {len(state.takers)}"
        return f"pile {move.number} is taken; free: {', '.join(map(str, free))}"

    return Offer(Pick, "pick NUMBER", why_not, lambda: map(Pick, free))


# turns ------------------------------------------------------------------------------------------------


def turn_offers(state: State, plant: Plant) -> Offers:
    """Everything a turn consists of, in any order."""
    return (
        build_offer(state, plant),
        room_offer(plant),
        activate_offer(state, plant),
        station_offer(state, plant),
        claim_offer(state, plant),
        leak_offer(state, plant),
        done_offer(state, plant),
    )


def build_offer(state: State, plant: Plant) -> Offer:
    """Drafted cards that can be paid for, attachments on their hosts."""

    def moves() -> list[Build]:
        found: list[Build] = []
        hosts: list[str] | None = None
        for card in plant.todo:
            if price_of(state, plant, card) > plant.money:
                continue
            if card_of(state, card).kind == "attachment":
                hosts = possible_hosts(state, plant) if hosts is None else hosts
                found += [Build(card, host) for host in hosts]
            else:
                found.append(Build(card))
        return found

    def why_not(move: Build) -> str | None:
        return why_not_build(state, plant, move)

    return Offer(Build, "build CARD [on CARD]", why_not, moves)


def why_not_build(state: State, plant: Plant, move: Build) -> str | None:
    """The sentence that refuses to build."""
    if move.card not in plant.todo:
        return _not_drafted(plant, move.card)
    price = price_of(state, plant, move.card)
    name = card_of(state, move.card).name
    if price > plant.money:
        return f"{name} costs ${price} and you have ${plant.money}; `room {move.card}` is free"
    if card_of(state, move.card).kind != "attachment":
        return f"{name} is no attachment: build it without `on`" if move.on else None
    hosts = possible_hosts(state, plant)
    if move.on in hosts:
        return None
    if not hosts:
        return f"{name} is an attachment, and no face-up card of yours can take it; `room {move.card}` is free"
    wanted = f"build {move.card} on CARD, one of {', '.join(hosts)}"
    if not move.on:
        return f"{name} is an attachment: {wanted}"
    return f"{move.on!r} takes no attachment: it is to be an own open card without one. {wanted.capitalize()}"


def _not_drafted(plant: Plant, card: str) -> str:
    there = f"left to play: {', '.join(plant.todo)}" if plant.todo else "all of yours are played"
    return f"{card!r} is no card you drafted this round; {there}"


def room_offer(plant: Plant) -> Offer:
    """Any drafted card."""

    def why_not(move: Room) -> str | None:
        return None if move.card in plant.todo else _not_drafted(plant, move.card)

    return Offer(Room, "room CARD", why_not, lambda: map(Room, plant.todo))


def activate_offer(state: State, plant: Plant) -> Offer:
    """Free spaces with the workers that can pay for them, or the space's own bot."""

    def moves() -> list[Activate]:
        found: list[Activate] = []
        pieces = [*plant.parked, *bots_at_station(plant)]
        if pieces:
            for space in all_spaces(state, plant):
                if space not in plant.used:
                    found += usable(space, pieces)
        return found

    def usable(space: str, pieces: list[str]) -> list[Activate]:
        reasons: dict[int, str | None] = {}
        found: list[Activate] = []
        for piece in pieces:
            if piece[0] == "b" and plant.bots[piece] != space:
                continue
            money = plant.money - fee_of(state, plant, space, piece)
            if money not in reasons:
                reasons[money] = "" if money < 0 else can_run(state, plant, space, money)
            if reasons[money] is None:
                found.append(Activate(space, piece))
        return found

    def why_not(move: Activate) -> str | None:
        return why_not_activate(state, plant, move)

    return Offer(Activate, "activate SPACE PIECE", why_not, moves)


def all_spaces(state: State, plant: Plant) -> list[str]:
    """The HQ's four spaces and the open action cards."""
    return [*(space.id for space in state.components.hq), *spaces(state, plant)]


def why_not_activate(state: State, plant: Plant, move: Activate) -> str | None:
    """The sentence that refuses to run a space with a piece."""
    space, piece = move.space, move.piece
    if space not in all_spaces(state, plant):
        if space in plant.covers:
            return f"{space} lies under Leak {plant.covers[space]} and is out of play"
        if space in plant.cards:
            return f"{space} is no action card: it has no space"
        return f"{space!r} is no space of yours; yours are {', '.join(all_spaces(state, plant))}"
    if space in plant.used:
        return f"{space} was run this round: one worker or bot a space and round"
    if piece in plant.bots:
        if piece not in bots_at_station(plant):
            return f"{piece} is not on its station: a bot runs its own card once a round"
        if plant.bots[piece] != space:
            return f"{piece} runs the card it is stationed at, {plant.bots[piece]}, and no other"
    elif piece not in plant.parked:
        there = f"yours are {', '.join(plant.parked)}" if plant.parked else "you have none"
        return f"{piece!r} is no parked worker of yours; {there}"
    fee = fee_of(state, plant, space, piece)
    if fee > plant.money:
        return f"{piece} is {colour_of(state, piece)}, which costs ${fee} on {space}, and you have ${plant.money}"
    cannot = can_run(state, plant, space, plant.money - fee)
    return None if cannot is None else f"{space} cannot be carried out in full: {cannot}"


def station_offer(state: State, plant: Plant) -> Offer:
    """Bots without a home, and empty stations."""
    bots = homeless(plant)

    def moves() -> list[Station]:
        return [Station(bot, card) for bot in bots for card in empty_stations(state, plant)] if bots else []

    def why_not(move: Station) -> str | None:
        if move.bot not in bots:
            if move.bot in plant.bots:
                return f"{move.bot} has its station already, at {plant.bots[move.bot]}"
            return f"{move.bot!r} is no bot of yours that waits for a station"
        homes = empty_stations(state, plant)
        if move.card in homes:
            return None
        empty = f"empty: {', '.join(homes)}" if homes else "none of yours is empty"
        return f"{move.card!r} is no empty station: an open action card of yours without a bot; {empty}"

    return Offer(Station, "station BOT CARD", why_not, moves)


def claim_offer(state: State, plant: Plant) -> Offer:
    """Goals whose demand is met, each once a seat, for a parked worker."""

    def moves() -> list[Claim]:
        if not plant.parked:
            return []
        goals = [goal for goal in state.goals if goal not in plant.claimed and not unmet(state, plant, goal)]
        return [Claim(goal, worker) for goal in goals for worker in plant.parked]

    def why_not(move: Claim) -> str | None:
        if move.goal not in state.goals:
            return f"{move.goal!r} is no goal that lies out; those are {', '.join(state.goals) or 'none'}"
        if move.goal in plant.claimed:
            return f"you claimed {move.goal} already: each goal once a seat"
        missing = unmet(state, plant, move.goal)
        if missing:
            return f"{goal_of(state, move.goal).name} demands {missing}"
        if move.worker in plant.parked:
            return None
        there = f"yours are {', '.join(plant.parked)}" if plant.parked else "you have none"
        return f"{move.worker!r} is no parked worker of yours to spend; {there}"

    return Offer(Claim, "claim GOAL WORKER", why_not, moves)


def unmet(state: State, plant: Plant, goal: str) -> str:
    """What a goal demands and a seat lacks, in words; empty if it is met."""
    missing: list[str] = []
    for need in goal_of(state, goal).needs:
        have = counted(state, plant, need.things)
        if have < need.least:
            missing.append(f"{needs_said([need])}, and you have {have}")
    return "; ".join(missing)


# Leaks ------------------------------------------------------------------------------------------------


def answers(state: State, plant: Plant, leak: str) -> list[Leak]:
    """All answers to a Leak: pay, discard, cover, contain."""
    found = [Leak(leak, pay=True)] if plant.money >= leak_price(state, plant) else []
    found += [Leak(leak, discard=piece) for piece in (*plant.parked, *bots_at_station(plant))]
    found += [Leak(leak, cover=card) for card in dearest(state, plant)]
    found += [Leak(leak, contain=card) for card in containers(state, plant)]
    return found


def dearest(state: State, plant: Plant) -> list[str]:
    """The open action cards of the highest printed price, Waste Management's aside (ruling 6)."""
    cards = [card for card in spaces(state, plant) if not in_waste(state, card)]
    most = max((card_of(state, card).price for card in cards), default=0)
    return [card for card in cards if card_of(state, card).price == most]


def containers(state: State, plant: Plant) -> list[str]:
    """Waste Management's open action cards that contain no Leak yet."""
    return [card for card in spaces(state, plant) if card not in plant.holds and in_waste(state, card)]


def leak_offer(state: State, plant: Plant) -> Offer:
    """The answers to each loose Leak."""

    def moves() -> list[Leak]:
        return [answer for leak in plant.loose for answer in answers(state, plant, leak)]

    def why_not(move: Leak) -> str | None:
        return why_not_answer(state, plant, move)

    pattern = "leak LEAK pay | leak LEAK discard PIECE | leak LEAK cover CARD | leak LEAK contain CARD"
    return Offer(Leak, pattern, why_not, moves)


def why_not_answer(state: State, plant: Plant, move: Leak) -> str | None:
    """The sentence that refuses an answer to a Leak."""
    if move.leak not in plant.loose:
        there = f"those are {', '.join(plant.loose)}" if plant.loose else "you have none"
        return f"{move.leak!r} is no Leak of yours that waits for an answer; {there}"
    given = [move.pay, bool(move.discard), bool(move.cover), bool(move.contain)].count(True)
    if given != 1:
        return f"a Leak gets one answer, not {given}: pay, discard PIECE, cover CARD or contain CARD"
    if move.pay:
        price = leak_price(state, plant)
        return None if plant.money >= price else f"paying for a Leak costs ${price}, and you have ${plant.money}"
    if move.discard:
        pieces = [*plant.parked, *bots_at_station(plant)]
        wanted = "a parked worker or a bot on its station"
        return _one_of(move.discard, pieces, f"{wanted} can be discarded")
    if move.cover:
        rule = "your most expensive open action card, Waste Management's aside, can be covered"
        return _one_of(move.cover, dearest(state, plant), rule)
    rule = "an open Waste Management action card without a Leak can contain one"
    return _one_of(move.contain, containers(state, plant), rule)


def _one_of(said: str, options: list[str], rule: str) -> str | None:
    if said in options:
        return None
    return f"{said!r} will not do: {rule}; " + (f"now {', '.join(options)}" if options else "you have none")


# choices, the end of a turn, housing ------------------------------------------------------------------


def choose_offer(plant: Plant) -> Offer:
    """What an effect leaves open."""
    asked = plant.asked
    assert asked is not None

    def why_not(move: Choose) -> str | None:
        return _one_of(move.value, list(asked.options), f"{asked.source} asks for a {asked.what}")

    return Offer(Choose, "choose VALUE", why_not, lambda: map(Choose, asked.options))


def due(state: State, plant: Plant) -> list[str]:
    """What is still to be done before `done` (ruling 5), as it is typed."""
    found: list[str] = []
    if plant.asked is not None:
        found.append(f"choose {' | '.join(plant.asked.options)}")
    if plant.todo:
        found.append(f"build or room {' '.join(plant.todo)}")
    bots = homeless(plant)
    if bots and empty_stations(state, plant):
        found.append(f"station {' '.join(bots)}")
    if plant.loose and answers(state, plant, plant.loose[0]):
        found.append(f"leak {' '.join(plant.loose)}")
    return found


def done_offer(state: State, plant: Plant) -> Offer:
    """The end of the turn, once all that was drafted is played and no Leak can be answered."""
    left = due(state, plant)

    def why_not(move: Done) -> str | None:
        return f"before you are done: {'; '.join(left)}" if left else None

    return Offer(Done, "done", why_not, lambda: () if left else (_DONE,))


def house_offer(state: State, plant: Plant) -> Offer:
    """Who gets a room: exactly as many as are free."""
    workers = controlled(plant)
    free = plant.free

    def why_not(move: House) -> str | None:
        for worker in move.worker:
            if worker not in workers:
                return f"{worker!r} is no worker of yours without a room; those are {', '.join(workers)}"
            if move.worker.count(worker) > 1:
                return f"{worker} is named twice; a worker needs one room"
        if len(move.worker) != free:
            return f"rooms are free for {free} and no more: name {free}, not {len(move.worker)}"
        return None

    listed = list(islice(combinations(workers, free), MOST_LISTED + 1))
    moves = [House(chosen) for chosen in listed[:MOST_LISTED]]
    pattern = f"house {' '.join(['WORKER'] * free)} (of {', '.join(workers)})"
    return Offer(House, pattern, why_not, lambda: moves, complete=False)
