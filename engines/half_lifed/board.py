"""The board drawn, and facts told. Both get what a viewer may see and add nothing to it."""

from collections.abc import Callable, Iterable, Iterator
from textwrap import wrap
from typing import Any

from engines.half_lifed.components import LONGEST_NAME
from engines.half_lifed.facts import (
    Asked,
    BotGivenUp,
    BotMade,
    BotStationed,
    CardBuilt,
    Chosen,
    ClinicTaken,
    DepartmentsDrawn,
    EndReached,
    EventResolved,
    FirstPlayerDrawn,
    GameEnded,
    GoalClaimed,
    GoalsDiscarded,
    GoalsLaid,
    HousingAsked,
    InvestorJoined,
    InvestorsRepaid,
    LeakContained,
    LeakCovered,
    LeakFed,
    LeakLifted,
    LeakPaid,
    MoneyGained,
    MoneyPaid,
    PiecePledged,
    PiecesDrawn,
    PilePicked,
    PoolSplit,
    RoomMade,
    RoundBegan,
    SeatOut,
    SpaceActivated,
    TurnEnded,
    TurnsBegan,
    WorkerHired,
    WorkersHoused,
)
from engines.half_lifed.offers import due
from engines.half_lifed.state import (
    ENOUGH_CARDS,
    Plant,
    State,
    attachment_on,
    card_of,
    colour_of,
    colour_of_department,
    facility_size,
    goal_of,
    number,
    price_of,
    reckoned,
    room_count,
)
from engines.half_lifed.words import END_REASONS, card_said, dollars, effects_said, needs_said, some
from engines.kit.boards import WIDTH, Board, Line, Panel, Span, Tone, fit, joined, line, panel
from engines.kit.game import Names
from engines.kit.secrecy import Viewer

_PHASES = {
    "setup": "being set up",
    "split": "the pool is split",
    "draft": "the draft",
    "turns": "everybody's turn",
    "house": "rooms are given out",
    "over": "the game is over",
}
_KINDS = {"action": "act", "upgrade": "upg", "event": "evt", "attachment": "att"}
#: Columns of a card's line before its price or what is on it, and of these.
_HEAD = 39
_PRICE, _ON_CARD = 4, 12


def board(state: State, viewer: Viewer, names: Names) -> Board:
    """The board: goals and HQ, pool or piles, a panel a plant."""
    rows: list[tuple[Panel, ...]] = [
        (head_panel(state, names),),
        (goals_panel(state, names), hq_panel(state)),
    ]
    if state.pool:
        rows.append((panel("Pool", piece_lines(state, state.pool)),))
    if state.phase == "draft":
        rows += [(pile_panel(state, place, names),) for place in range(len(state.piles))]
    rows += [(plant_panel(state, seat, name),) for seat, name in enumerate(names)]
    return Board(tuple(rows))


def head_panel(state: State, names: Names) -> Panel:
    """Where the game stands."""
    coloured: list[Span] = []
    for key in state.departments:
        colour = colour_of_department(state, key)
        coloured.append(Span(f"{key} ({colour})", _tone(colour)))
    lines = [line("  ", *row) for row in _rows(coloured, ", ", WIDTH - 2)]
    stock = f"deck {len(state.deck)} cards, bag {len(state.bag)} workers, 1st player {names[state.first]}"
    lines.append(line("  ", fit(stock, min(len(stock), WIDTH - 2))))
    if state.pledges and state.phase != "over":
        lines += [
            line("  in the next draft: ", *row)
            for row in _rows([_piece(state, piece) for piece in state.pledges], " ", WIDTH - 21)
        ]
    return panel(f"Half-Lifed, round {state.round}: {_PHASES[state.phase]}", lines)


def goals_panel(state: State, names: Names) -> Panel:
    """The goals that lie out, and who claimed them this round."""
    lines: list[Line] = []
    for goal in state.goals:
        one = goal_of(state, goal)
        lines.append(line(f"  {goal:<4}${one.money} {fit(one.name, LONGEST_NAME)} ", needs_said(one.needs)))
        claimed = [name for name, plant in zip(names, state.plants, strict=True) if goal in plant.claimed]
        if claimed:
            text = fit(f"claimed by {', '.join(claimed)}", 44).rstrip()
            lines.append(line("      ", Span(f"{text}, gone after this round"[:70], "dim")))
    return panel("Goals", lines or [line("  ", Span("all are gone", "dim"))])


def hq_panel(state: State) -> Panel:
    """What everybody's HQ can do."""
    spaces = [f"  {space.id} {effects_said(space.effects)}" for space in state.components.hq]
    return panel("HQ: any worker, no fee", map(line, spaces))


def pile_panel(state: State, place: int, names: Names) -> Panel:
    """A pile of the draft."""
    title = f"Pile {place + 1}"
    taker = state.takers[place]
    if taker >= 0:
        return panel(f"{title}: taken by {names[taker]}", ())
    pile = state.piles[place]
    return panel(title, piece_lines(state, pile) if pile else [line("  ", Span("empty", "dim"))])


def piece_lines(state: State, pieces: Iterable[str]) -> list[Line]:
    """Cards a line each, the others together."""
    lines: list[Line] = []
    others: list[Span] = []
    for piece in pieces:
        if piece[0] == "c":
            lines += card_lines(state, piece, f"${card_of(state, piece).price}")
        else:
            others.append(_piece(state, piece))
    return lines + [line("  ", *row) for row in _rows(others, "  ", WIDTH - 2)]


# a plant ----------------------------------------------------------------------------------------------


def plant_panel(state: State, seat: int, name: str) -> Panel:
    """A plant: money, rooms, cards with what is on them, workers, what is still due."""
    plant = state.plants[seat]
    if plant.out:
        return panel(f"{name}: out of the game", ())
    return panel(plant_title(state, seat, name), plant_lines(state, plant))


def plant_title(state: State, seat: int, name: str) -> str:
    """The first line of a plant."""
    plant = state.plants[seat]
    title = (
        f"{fit(name, min(len(name), 20))}: {dollars(plant.money)}, {facility_size(plant)} of {ENOUGH_CARDS} cards"
    )
    if state.phase == "over":
        return f"{title}, winner" if seat in state.winners else title
    title += f", {dollars(reckoned(state, seat))} if it ended now"
    if state.phase == "turns":
        title += ", done" if plant.done else ", to act"
    return title


def plant_lines(state: State, plant: Plant) -> Iterator[Line]:
    """All that lies in a plant."""
    yield from room_lines(state, plant)
    if state.phase == "turns":
        at_hq = [(piece, space) for piece, space in plant.placed.items() if space[0] == "h"]
        yield from _labelled("HQ", [Span(f"{space} {_piece(state, piece).text}") for piece, space in at_hq])
    for card in plant.cards:
        yield from card_lines(state, card, "", plant)
    yield from worker_lines(state, plant)
    waiting = [_piece(state, bot) for bot, home in plant.bots.items() if not home]
    yield from _labelled("bots", waiting, " without a station")
    yield from _labelled("Leaks", [Span(leak, "bad") for leak in plant.loose], " to be answered")
    if plant.todo:
        yield line("  drafted, to be played:")
        for card in plant.todo:
            yield from card_lines(state, card, f"${price_of(state, plant, card)}")
    if state.phase == "turns" and not plant.done:
        left = due(state, plant)
        for row in wrap("; ".join(left), WIDTH - 14) if left else ["nothing: done"]:
            yield line("  still due: ", Span(row, "strong"))
    if plant.free >= 0:
        yield line("  still due: ", Span(f"house WORKER...: beds for {plant.free} of them", "strong"))


def room_lines(state: State, plant: Plant) -> Iterator[Line]:
    """The clinic: its rooms, and who is in them."""
    rooms, investors, housed = room_count(plant), len(plant.investors), len(plant.housed)
    free = rooms - investors - housed
    text = f"{some(rooms, 'room')} ({some(plant.clinics, 'Clinic card')}"
    text += f" and {' '.join(sorted(plant.rooms, key=number))}" if plant.rooms else ""
    text += f"): {investors} for investors, {housed} for workers, {max(free, 0)} free"
    text += f"; {-free} short" if free < 0 else ""
    for place, row in enumerate(wrap(text, WIDTH - 10)):
        yield line("  clinic  " if place == 0 else " " * 10, row)
    yield from _labelled("in beds", [_piece(state, worker) for worker in plant.housed])


def worker_lines(state: State, plant: Plant) -> Iterator[Line]:
    """Workers that stand on no card, and the goals claimed."""
    yield from _labelled("parked", [_piece(state, worker) for worker in plant.parked])
    spent: list[Span] = []
    for worker, goal in plant.spent.items():
        spent += [_piece(state, worker), Span(f"on {goal}")]
    yield from _labelled("spent", spent)
    yield from _labelled("goals", [Span(goal) for goal in plant.claimed], " claimed")


def _labelled(label: str, spans: list[Span], after: str = "") -> Iterator[Line]:
    for place, row in enumerate(_rows(spans, " ", WIDTH - 28)):
        yield line(f"  {label if place == 0 else '':<8}", *row, after)


def card_lines(state: State, card: str, price: str, plant: Plant | None = None) -> Iterator[Line]:
    """A card: id, name, kind, colour, price or what is on it, and what it does."""
    one = card_of(state, card)
    colour = colour_of_department(state, one.department)
    covered = plant is not None and card in plant.covers
    tone: Tone = "dim" if covered else "plain"
    text = f"covered by {plant.covers[card]}: out of play" if plant and covered else card_said(one)
    head = line(
        f"  {card:<4}",
        Span(fit(one.name, LONGEST_NAME), tone),
        f" {_KINDS[one.kind]} ",
        Span(fit(colour, 7), _tone(colour), None, one.department),
        " ",
        *(on_card(state, card, plant) if plant else [Span(price)]),
    )
    indent = _HEAD + (_ON_CARD if plant else _PRICE)
    room = indent - sum(len(span.text) for span in head)
    rows = wrap(text, WIDTH - indent, break_on_hyphens=False) or [""]
    if room > 0:
        yield (*head, Span(" " * room), Span(rows.pop(0), tone))
    else:
        yield head
    for row in rows:
        yield line(" " * indent, Span(row, tone))


def on_card(state: State, card: str, plant: Plant) -> list[Span]:
    """What is on a card: worker, bot and whether it ran, contained Leak, attachment; an attachment's card."""
    placed = [piece for piece, space in plant.placed.items() if space == card]
    spans: list[Span] = [_id(state, piece) for piece in placed if piece[0] == "w"]
    spans += [Span(f"{bot} ran") for bot in placed if bot[0] == "b"]
    spans += [_id(state, bot) for bot, home in plant.bots.items() if home == card and bot not in plant.placed]
    spans += [_id(state, piece) for piece, at in plant.locked.items() if at == card and piece[0] == "w"]
    if card in plant.holds:
        spans.append(Span(plant.holds[card], "bad", None, "a contained Leak"))
    attachment = attachment_on(plant, card)
    if attachment:
        spans.append(Span(f"+{attachment}", "plain", None, "its attachment"))
    if card in plant.hosts:
        spans.append(Span(f"on {plant.hosts[card]}"))
    return joined(spans)


def _tone(colour: str) -> Tone:
    return colour  # type: ignore[return-value]


def _id(state: State, piece: str) -> Span:
    return Span(piece, _tone(colour_of(state, piece)) if piece[0] == "w" else "plain")


def _piece(state: State, piece: str) -> Span:
    """A piece with what it is."""
    match piece[0]:
        case "w":
            colour = colour_of(state, piece)
            return Span(f"{piece} {colour}", _tone(colour))
        case "c":
            return Span(f"{piece} {card_of(state, piece).name}")
        case letter:
            return Span(f"{piece} {({'b': 'bot', 'i': 'investor', 'l': 'Leak'})[letter]}")


def _rows(spans: Iterable[Span], gap: str, width: int) -> list[list[Span]]:
    """Spans in rows of at most `width` columns."""
    rows: list[list[Span]] = []
    used = 0
    for span in spans:
        if rows and used + len(gap) + len(span.text) <= width:
            rows[-1] += [Span(gap), span]
            used += len(gap) + len(span.text)
        else:
            rows.append([span])
            used = len(span.text)
    return rows


# told -------------------------------------------------------------------------------------------------


def tell(fact: Any, names: Names) -> str | None:
    """A fact in a sentence, like a match report; None where it speaks for itself."""
    teller = _TELLERS.get(fact.__class__)
    return teller(fact, names) if teller else None


def _list(words: Iterable[str]) -> str:
    every = list(words)
    return every[0] if len(every) == 1 else ", ".join(every[:-1]) + " and " + every[-1]


def _drawn(fact: PiecesDrawn, names: Names) -> str:
    more = f"; last round's deals add {' '.join(fact.pledged)}" if fact.pledged else ""
    return f"The pool: cards {' '.join(fact.cards)}, workers {' '.join(fact.workers)}{more}."


def _split(fact: PoolSplit, names: Names) -> str:
    piles = " / ".join(" ".join(pile) or "-" for pile in fact.piles)
    return f"{names[fact.seat]} splits: {piles}. Picking: {', then '.join(names[seat] for seat in fact.order)}."


def _built(fact: CardBuilt, names: Names) -> str:
    price = f"for ${fact.price}" if fact.price else "for nothing"
    return f"{names[fact.seat]} builds {fact.name} ({fact.card}){' on ' + fact.on if fact.on else ''} {price}."


def _activated(fact: SpaceActivated, names: Names) -> str:
    fee = f", for ${fact.fee}" if fact.fee else ""
    return f"{names[fact.seat]} sends {fact.piece} to {fact.name} ({fact.space}){fee}."


def _pledged(fact: PiecePledged, names: Names) -> str:
    what = {"b": "a bot", "i": "an investor", "l": "a Leak", "w": f"a {fact.colour} worker"}[fact.piece[0]]
    return f"The next draft will have {what} more ({fact.piece})."


def _covered(fact: LeakCovered, names: Names) -> str:
    locked = f", and locks {_list(fact.locked)} in" if fact.locked else ""
    return f"Leak {fact.leak} runs over {names[fact.seat]}'s {fact.card}{locked}."


def _housed(fact: WorkersHoused, names: Names) -> str:
    name = names[fact.seat]
    beds = f"{name} puts {_list(fact.workers)} to bed" if fact.workers else f"{name} has no bed to offer"
    lost = f"; no room for {_list(fact.lost)}, gone for good" if fact.lost else ""
    return f"{beds}{lost}."


def _ended(fact: GameEnded, names: Names) -> str:
    scores = ", ".join(
        f"{name} {'out' if score is None else dollars(score)}"
        for name, score in zip(names, fact.scores, strict=True)
    )
    if not fact.winners:
        return f"The game is over, and nobody wins. {scores}."
    verb = "wins" if len(fact.winners) == 1 else "share the win"
    return f"The game is over: {_list(names[seat] for seat in fact.winners)} {verb}. {scores}."


def _asked(fact: Asked, names: Names) -> str:
    what = {"bot": "which bot", "home": "at which card", "leak": "which Leak"}[fact.what]
    return f"{names[fact.seat]} is to choose {what}: {', '.join(fact.options)}."


def _goals_discarded(fact: GoalsDiscarded, names: Names) -> str:
    return f"Claimed goals are gone: {', '.join(fact.goals)}, and the workers spent on them."


_TELLERS: dict[type[Any], Callable[[Any, Names], str | None]] = {
    DepartmentsDrawn: lambda f, n: f"Departments in play: {', '.join(f.departments)}.",
    GoalsLaid: lambda f, n: f"Goals: {', '.join(f.goals)}.",
    FirstPlayerDrawn: lambda f, n: f"{n[f.seat]} is 1st player.",
    RoundBegan: lambda f, n: f"Round {f.round} begins; {n[f.first]} draws and splits.",
    PiecesDrawn: _drawn,
    PoolSplit: _split,
    PilePicked: lambda f, n: f"{n[f.seat]} takes pile {f.number}: {' '.join(f.pieces) or 'nothing at all'}.",
    InvestorJoined: lambda f, n: f"Investor {f.investor} joins {n[f.seat]} and pays ${f.money}.",
    TurnsBegan: lambda f, n: "The clinics empty, and everybody goes to work.",
    CardBuilt: _built,
    RoomMade: lambda f, n: f"{n[f.seat]} makes {f.card} a clinic room.",
    SpaceActivated: _activated,
    MoneyGained: lambda f, n: f"{n[f.seat]} gains ${f.money}.",
    MoneyPaid: lambda f, n: f"{n[f.seat]} pays ${f.money}.",
    WorkerHired: lambda f, n: f"{n[f.seat]} hires {f.worker}, {f.colour}.",
    BotMade: lambda f, n: f"{n[f.seat]} gets bot {f.bot}.",
    BotStationed: lambda f, n: f"{n[f.seat]} stations {f.bot} at {f.card}.",
    PiecePledged: _pledged,
    ClinicTaken: lambda f, n: f"{n[f.seat]} adds a Clinic card.",
    LeakLifted: lambda f, n: f"{n[f.seat]} lifts Leak {f.leak} from {f.card}.",
    Asked: _asked,
    Chosen: lambda f, n: f"{n[f.seat]} chooses {f.value}.",
    GoalClaimed: lambda f, n: f"{n[f.seat]} claims {f.name} ({f.goal}) with {f.worker}: ${f.money}.",
    LeakPaid: lambda f, n: f"{n[f.seat]} pays ${f.money} to be rid of Leak {f.leak}.",
    LeakFed: lambda f, n: f"{n[f.seat]} throws {f.piece} at Leak {f.leak}; neither is seen again.",
    LeakCovered: _covered,
    LeakContained: lambda f, n: f"{n[f.seat]} tucks Leak {f.leak} under {f.card}.",
    BotGivenUp: lambda f, n: f"{n[f.seat]} has no station for {f.bot} and scraps it.",
    TurnEnded: lambda f, n: f"{n[f.seat]} is done.",
    SeatOut: lambda f, n: (
        f"{n[f.seat]} has {some(f.investors, 'investor')} and {some(f.rooms, 'room')}, and is out of the game."
    ),
    GoalsDiscarded: _goals_discarded,
    HousingAsked: lambda f, n: f"{n[f.seat]} has beds for {f.free} and is to say for whom.",
    WorkersHoused: _housed,
    EndReached: lambda f, n: f"This was the last round: {_list(END_REASONS[reason] for reason in f.reasons)}.",
    EventResolved: lambda f, n: f"{n[f.seat]}'s {f.name} pays ${f.money}.",
    InvestorsRepaid: lambda f, n: f"{n[f.seat]} pays ${f.money} to {some(f.investors, 'investor')}.",
    GameEnded: _ended,
}
