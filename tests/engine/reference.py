"""A second, plain reading of the rules, only for comparison: lists of cards, whole tables kept for undo, no shortcuts.

It is written from the rules, not from the engine, and shares nothing with it but the names of cards and of refusals.
"""

from dataclasses import dataclass, field
from itertools import pairwise
from typing import Literal

RANKS = "A23456789TJQK"
Game = Literal["simple-simon", "classic", "relaxed", "wasp"]


@dataclass(frozen=True)
class Card:
    """A card on the table."""

    name: str
    up: bool = True

    @property
    def rank(self) -> int:
        """The rank, 0 for an ace."""
        return RANKS.index(self.name[0])

    @property
    def suit(self) -> str:
        """The suit's letter."""
        return self.name[1]


def suited(upper: Card, lower: Card) -> bool:
    """Return whether ``lower`` follows ``upper`` in its own suit."""
    return upper.suit == lower.suit and upper.rank == lower.rank + 1


@dataclass
class State:
    """What an undo brings back."""

    columns: list[list[Card]]
    stock: list[str]
    runs: list[str]
    score: int
    moves: int = 0

    def copy(self) -> "State":
        """Return a state that stays as it is when this one changes."""
        columns = [list(column) for column in self.columns]
        return State(columns, list(self.stock), list(self.runs), self.score, self.moves)


@dataclass
class Table:
    """A game under way."""

    game: Game
    now: State
    past: list[State] = field(default_factory=list)
    future: list[State] = field(default_factory=list)

    def refusal(self, source: int, at: int, target: int) -> str | None:
        """Return the key of the first rule that the move breaks, or None."""
        columns = self.now.columns
        if at >= len(columns[source]):
            return "no-card"
        if source == target:
            return "same-column"
        lifted = self.not_liftable(columns[source][at:])
        if lifted is not None:
            return lifted
        first = columns[source][at]
        if not columns[target]:
            needs_king = self.game in ("classic", "relaxed")
            return "king-only" if needs_king and first.name[0] != "K" else None
        end = columns[target][-1]
        if end.name[0] == "A":
            return "onto-ace"
        if end.rank != first.rank + 1:
            return "wrong-rank"
        if self.game in ("classic", "wasp") and end.suit != first.suit:
            return "wrong-suit"
        return None

    def not_liftable(self, group: list[Card]) -> str | None:
        """Return the key of the rule that forbids to pick the group up, or None."""
        if not group[0].up:
            return "face-down"
        if self.game != "simple-simon":
            return None
        for upper, lower in pairwise(group):
            if upper.rank != lower.rank + 1:
                return "not-a-sequence"
        return "mixed-suits" if len({card.suit for card in group}) > 1 else None

    def best(self, source: int, at: int) -> int | str:
        """Return the column that a double tap sends the group to, or the key of the rule that refuses it."""
        columns = self.now.columns
        if at >= len(columns[source]):
            return "no-card"
        lifted = self.not_liftable(columns[source][at:])
        if lifted is not None:
            return lifted
        first = columns[source][at]
        takers = [to for to in range(len(columns)) if to != source and self.refusal(source, at, to) is None]
        own_suit = [to for to in takers if columns[to] and suited(columns[to][-1], first)]
        if own_suit:
            longest = max(self.sequence(to) for to in own_suit)
            return next(to for to in own_suit if self.sequence(to) == longest)
        if self.game == "relaxed":
            others = [to for to in takers if columns[to]]
            if others:
                return others[0]
        empty = [to for to in takers if not columns[to]]
        return empty[0] if empty and at > 0 else "no-place"

    def sequence(self, column: int) -> int:
        """Return how many cards at the column's end descend in one suit, all of them face up."""
        cards = self.now.columns[column]
        length = 1
        while length < len(cards) and cards[-length - 1].up and suited(cards[-length - 1], cards[-length]):
            length += 1
        return length

    def legal(self) -> set[tuple[int, int, int]]:
        """Return every legal move."""
        places = [(source, at) for source, column in enumerate(self.now.columns) for at in range(len(column))]
        return {
            (source, at, target)
            for source, at in places
            for target in range(len(self.now.columns))
            if self.refusal(source, at, target) is None
        }

    def move(self, source: int, at: int, target: int) -> str | None:
        """Make the move, or return the key of the rule that refuses it."""
        rule = self.refusal(source, at, target)
        if rule is not None:
            return rule
        self.remember()
        columns = self.now.columns
        group = columns[source][at:]
        if self.game == "simple-simon":
            self.now.score -= 1
        elif columns[target] and columns[target][-1].suit == group[0].suit:
            self.now.score += 5
        del columns[source][at:]
        columns[target] += group
        self.look_for_runs(target)
        self.turn_up(source)
        self.turn_up(target)
        return None

    def auto(self, source: int, at: int) -> str | None:
        """Double-tap the group, or return the key of the rule that refuses it."""
        target = self.best(source, at)
        return target if isinstance(target, str) else self.move(source, at, target)

    def deal(self) -> str | None:
        """Deal the stock, or return the key of the rule that refuses it."""
        if not self.now.stock:
            return "stock-empty"
        self.remember()
        for column, name in enumerate(self.now.stock):
            self.now.columns[column].append(Card(name))
        self.now.stock = []
        for column in range(3):
            self.look_for_runs(column)
        for column in range(3):
            self.turn_up(column)
        return None

    def look_for_runs(self, column: int) -> None:
        """Remove the full runs at the end of a column that has received cards."""
        cards = self.now.columns[column]
        while len(cards) >= 13:
            last = cards[-13:]
            names = [card.name for card in last]
            if not all(card.up for card in last) or names != [rank + last[0].suit for rank in reversed(RANKS)]:
                return
            del cards[-13:]
            self.now.runs.append(last[0].suit)
            self.now.score += 100

    def turn_up(self, column: int) -> None:
        """Turn up the end of a column if it is hidden."""
        cards = self.now.columns[column]
        if cards and not cards[-1].up:
            cards[-1] = Card(cards[-1].name)
            self.now.score += 5

    def remember(self) -> None:
        """Keep the table for an undo, no more than the latest 100, and count a move."""
        self.past = [*self.past, self.now.copy()][-100:]
        self.future = []
        self.now.moves += 1

    def undo(self) -> str | None:
        """Take the latest action back, or return the key of the rule that refuses it."""
        if not self.past:
            return "nothing-to-undo"
        self.future.append(self.now)
        self.now = self.past.pop()
        return None

    def redo(self) -> str | None:
        """Make the latest undone action again, or return the key of the rule that refuses it."""
        if not self.future:
            return "nothing-to-redo"
        self.past.append(self.now)
        self.now = self.future.pop()
        return None

    def names(self) -> list[list[str]]:
        """Return the columns as names, ``?`` before a hidden card's."""
        return [[card.name if card.up else f"?{card.name}" for card in column] for column in self.now.columns]


def table(game: Game, columns: list[list[str]], stock: list[str]) -> Table:
    """Return a game that begins with these cards, ``?`` before the name of a hidden one."""
    cards = [[Card(name.lstrip("?"), up=name[0] != "?") for name in column] for column in columns]
    return Table(game, State(cards, list(stock), [], 500 if game == "simple-simon" else 0))
