"""Playing: what is legal on a table, what an action does to it, and how that is taken back."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from app.engine.cards import RUN, RUN_LENGTH, RUNS, SUIT
from app.engine.moves import Auto, Command, InvalidMove, Move
from app.engine.position import Position, number, numeral
from app.engine.rules import Rule, Rules, guests, joins, kin, newcomers

DEAL_WORD = "-"
"""The first letter of a word that deals the stock; it is no numeral."""


class Moved(NamedTuple):
    """The group ``cards``, letters from the most covered on, went from ``source`` index ``at`` onto ``target``."""

    source: int
    at: int
    target: int
    cards: str


class Suited(NamedTuple):
    """The group was placed on a card of its own suit (SC-8)."""

    column: int


class Dealt(NamedTuple):
    """A stock card was dealt face up onto a column (SC-6)."""

    column: int
    card: str


class Removed(NamedTuple):
    """A full run left a column for one of the places (G-2)."""

    column: int
    suit: str


class Flipped(NamedTuple):
    """A hidden card turned up (SC-5)."""

    column: int
    card: str


Group = tuple[int, int, str, list[int]]
"""A group that can move: its column and place, its first card, and the columns that take it, from the left.

It has no names, since to make a named tuple takes longer than to find the group.  Groups share their lists of columns.
"""

Event = Moved | Suited | Dealt | Removed | Flipped


def kind(event: Event) -> str:
    """Return the name of an event's kind: ``moved``, ``suited``, ``dealt``, ``removed`` or ``flipped``."""
    return _KINDS[type(event)]


_KINDS = {event: event.__name__.lower() for event in (Moved, Suited, Dealt, Removed, Flipped)}


class Step(NamedTuple):
    """What an action did: the position after it, the events, their worth, and the word that the history keeps."""

    position: Position
    events: tuple[Event, ...]
    points: int
    word: str


def refusal(rules: Rules, position: Position, move: Move) -> Rule | None:
    """Return the first rule that ``move`` breaks, by the order of :class:`Rule`, or None when it is legal.

    Raises :class:`InvalidMove` where a column does not exist.
    """
    source, at, target = move
    columns = position.columns
    if not 0 <= target < len(columns):
        raise InvalidMove(f"no column {target}")
    if rule := _no_card(position, source, at):
        return rule
    if source == target:
        return Rule.SAME_COLUMN
    if rule := _no_lift(rules, position, source, at):
        return rule
    column, card = columns[target], columns[source][at]
    return rules.build(column[-1], card) if column else rules.vacant(card)


def _no_card(position: Position, source: int, at: int) -> Rule | None:
    if not 0 <= source < len(position.columns) or at < 0:
        raise InvalidMove(f"no column {source} or no place {at}")
    return None if at < len(position.columns[source]) else Rule.NO_CARD


def _no_lift(rules: Rules, position: Position, source: int, at: int) -> Rule | None:
    return Rule.FACE_DOWN if at < position.down[source] else rules.lift(position.columns[source][at:])


def groups(rules: Rules, position: Position) -> Iterator[Group]:
    """Yield every group that can move, ordered by its place."""
    columns, down = position.columns, position.down
    companies, guest_table, uppers = kin(rules.build), guests(rules.build), joins(rules.lift)
    ends: dict[str | None, list[int]] = {}
    empty = []
    for target, column in enumerate(columns):
        if not column:
            empty.append(target)
        elif (guest := guest_table[column[-1]]) in ends:
            ends[guest].append(target)
        else:
            ends[guest] = [target]
    welcome = newcomers(rules.vacant) if empty else frozenset()
    for source, column in enumerate(columns):
        at = bottom = down[source]
        if uppers is not None and column:
            at = len(column) - 1
            while at > bottom and column[at - 1] in uppers[column[at]]:
                at -= 1
        for card in column[at:]:
            if (company := companies[card]) in ends:
                targets = ends[company]
                if card in welcome:
                    targets = sorted([*targets, *empty])
                if source in targets:
                    targets = [target for target in targets if target != source]
                if targets:
                    yield source, at, card, targets
            elif card in welcome:
                yield source, at, card, empty
            at += 1


def legal(rules: Rules, position: Position) -> list[Move]:
    """Return every legal move of cards, ordered by source, place and target; dealing the stock is not among them."""
    move = tuple.__new__  # The constructor of a named tuple would take longer than finding the move.
    return [move(Move, (source, at, to)) for source, at, _, targets in groups(rules, position) for to in targets]


def best(rules: Rules, position: Position, auto: Auto) -> Move | Rule:
    """Return the move of a group to its best column (SS-7, SC-9), or the rule that refuses it.

    Raises :class:`InvalidMove` where the column does not exist.
    """
    source, at = auto
    if rule := _no_card(position, source, at) or _no_lift(rules, position, source, at):
        return rule
    moves = [Move(source, at, target) for target in range(len(position.columns))]
    taken = [move.target for move in moves if refusal(rules, position, move) is None]
    target = choose(rules, position, (source, at, position.columns[source][at], taken))
    return Rule.NO_PLACE if target is None else Move(source, at, target)


def choose(rules: Rules, position: Position, group: Group) -> int | None:
    """Return the best of the columns that take a group, or None (SS-7, SC-9).

    Its own suit comes first, where it makes the longest sequence of that suit; then, in a game that allows it, a card
    of another suit; then an empty column, unless the group fills its own column alone.
    """
    columns, (_, at, card, targets) = position.columns, group
    chosen, most = None, 0
    for target in targets:
        column = columns[target]
        if not column:
            value = 1 if at else 0
        elif column[-1] + card in RUNS:
            value = 2 + (_sequence(position, target) if len(targets) > 1 else 1)  # One alone needs no measuring.
        else:
            value = 2 if rules.best_in_any_suit else 0
        if value > most:
            chosen, most = target, value
    return chosen


def _sequence(position: Position, column: int) -> int:
    """Return how many face-up cards at a column's end are in suit and in sequence."""
    cards, length = position.columns[column][position.down[column] :], 1
    while length < len(cards) and cards[-length - 1 :] in RUNS:
        length += 1
    return length


def play(rules: Rules, position: Position, action: Move | Auto | Command) -> Step | Rule:
    """Return what a move, an automatic placement or the dealing of the stock does, or the rule that refuses it.

    Consequences follow in one order: cards are placed, full runs leave the columns that received cards (G-2, SC-7), and
    hidden cards that lie bare turn up (SC-5).  Raises :class:`InvalidMove` where a column does not exist.
    """
    if isinstance(action, Move):
        return refusal(rules, position, action) or _move(rules, position, action)
    if isinstance(action, Auto):
        chosen = best(rules, position, action)
        return chosen if isinstance(chosen, Rule) else _move(rules, position, chosen)
    return _deal(rules, position) if position.stock else Rule.STOCK_EMPTY


def _move(rules: Rules, position: Position, move: Move) -> Step:
    source, at, target = move
    columns = list(position.columns)
    group, onto = columns[source][at:], columns[target]
    events: list[Event] = [Moved(source, at, target, group)]
    if onto and onto[-1] + group[0] in RUNS:
        events.append(Suited(target))
    columns[source] = columns[source][:at]
    columns[target] = onto + group
    after, (left, received) = _settle(position, columns, position.stock, (target,), (source, target), events)
    word = numeral(source) + numeral(len(group)) + numeral(target) + numeral(left + 2 * received)
    return Step(after, tuple(events), worth(rules, events), word)


def _deal(rules: Rules, position: Position) -> Step:
    columns = list(position.columns)
    events: list[Event] = []
    for column, card in zip(rules.stock_to, position.stock, strict=True):
        columns[column] += card
        events.append(Dealt(column, card))
    after, outcomes = _settle(position, columns, "", rules.stock_to, rules.stock_to, events)
    return Step(after, tuple(events), worth(rules, events), DEAL_WORD + "".join(map(numeral, outcomes)))


def _settle(
    before: Position,
    columns: list[str],
    stock: str,
    received: tuple[int, ...],
    touched: tuple[int, ...],
    events: list[Event],
) -> tuple[Position, list[int]]:
    """Remove the full runs of the columns that received cards, then turn up what lies bare in those touched.

    Adds the events, and returns the position and an outcome for each touched column: 1 if a card turned up, and 2 for
    each run removed.
    """
    down, runs = before.down, before.runs
    outcomes = [0] * len(touched)
    for column in received:
        while suit := _full_run(columns[column], down[column]):
            columns[column] = columns[column][:-RUN_LENGTH]
            runs += suit
            outcomes[touched.index(column)] += 2
            events.append(Removed(column, suit))
    for order, column in enumerate(touched):
        if 0 < down[column] == len(columns[column]):
            down = (*down[:column], down[column] - 1, *down[column + 1 :])
            outcomes[order] += 1
            events.append(Flipped(column, columns[column][-1]))
    return Position(tuple(columns), down, stock, runs), outcomes


def _full_run(column: str, down: int) -> str | None:
    """Return the suit of the run at a column's end, all its cards face up, or None (G-2)."""
    if len(column) - down < RUN_LENGTH or column[-RUN_LENGTH:] not in RUNS:
        return None
    return SUIT[column[-1]]


def worth(rules: Rules, events: list[Event]) -> int:
    """Return the points that ``events`` are worth together (SS-6, SC-8)."""
    points = rules.points
    return sum([points[name] for event in events if (name := _KINDS[type(event)]) in points])


def take_back(rules: Rules, position: Position, word: str) -> Position:
    """Return the position before the action that ``word`` remembers: the one inverse of the events (G-6).

    No rule is asked: the word holds what followed from the action, and the rest is to be seen on the table.
    """
    dealing = word[0] == DEAL_WORD
    if dealing:
        outcomes = dict(zip(rules.stock_to, map(number, word[1:]), strict=True))
    else:
        source, size, target, outcome = map(number, word)
        outcomes = {source: outcome & 1, target: outcome >> 1}
    columns, down, runs = list(position.columns), list(position.down), position.runs
    for column, outcome in reversed(outcomes.items()):
        down[column] += outcome & 1
        for _ in range(outcome >> 1):
            columns[column] += RUN[runs[-1]]
            runs = runs[:-1]
    if dealing:
        stock = "".join([columns[column][-1] for column in rules.stock_to])
        for column in rules.stock_to:
            columns[column] = columns[column][:-1]
        return Position(tuple(columns), tuple(down), stock, runs)
    columns[source] += columns[target][-size:]
    columns[target] = columns[target][:-size]
    return Position(tuple(columns), tuple(down), position.stock, runs)


def history(rules: Rules, words: Iterable[str]) -> Iterator[Move | Command]:
    """Yield the actions that ``words`` remember, from the deal on; the sizes of the columns tell all that they need."""
    sizes = list(rules.layout)
    for word in words:
        if word[0] == DEAL_WORD:
            yield Command.DEAL
            for column, outcome in zip(rules.stock_to, map(number, word[1:]), strict=True):
                sizes[column] += 1 - RUN_LENGTH * (outcome >> 1)
        else:
            source, size, target, outcome = map(number, word)
            sizes[source] -= size
            yield Move(source, sizes[source], target)
            sizes[target] += size - RUN_LENGTH * (outcome >> 2)


def action_of(position: Position, word: str) -> Move | Command:
    """Return the action that ``word`` remembers, for the position before it."""
    if word[0] == DEAL_WORD:
        return Command.DEAL
    source, size, target, _ = map(number, word)
    return Move(source, len(position.columns[source]) - size, target)
