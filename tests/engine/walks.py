"""Walks through a game in which the engine and the plain reading of the rules do the same and are compared."""

import random
from collections import Counter

from app.engine.cards import RANKS, names
from app.engine.game import Game, act, start
from app.engine.moves import Action, Auto, Command, Move, parse_action
from app.engine.play import Step, action_of, best, legal, play, take_back
from app.engine.position import Position
from app.engine.rules import Rule, Rules
from tests.engine.reference import Table
from tests.engine.tables import best_moves, kinds

POINTS = {
    "simple-simon": {"moved": -1, "removed": 100},
    "scorpion": {"suited": 5, "flipped": 5, "removed": 100},
    "wasp": {"suited": 5, "flipped": 5, "removed": 100},
}
"""What events are worth, from the tables of the rule pages (SS-6, SC-8)."""

UNDO, REDO, DEAL = Command.UNDO, Command.REDO, Command.DEAL


class Walk:
    """A game of the engine, and the same game by the plain reading."""

    def __init__(self, rules: Rules, position: Position, table: Table) -> None:
        self.deal = position
        self.game: Game = start(rules, position)
        self.table = table
        self.compare()

    def do(self, action: Action) -> bool:
        """Do an action in both, compare what came of it, and return whether it was accepted."""
        assert parse_action(action.text) == action
        before = self.game
        answer, expected = act(before, action), self.expected(action)
        if isinstance(answer, Rule):
            assert (str(answer), action) == (expected, action)
        else:
            assert (None, action) == (expected, action)
            self.game = answer.game
            gained = self.game.score - before.score
            assert (-gained if action is UNDO else gained) == self.worth(kinds(answer.events))
        self.compare()
        return not isinstance(answer, Rule)

    def expected(self, action: Action) -> str | None:
        """Do an action by the plain reading, and return the key of the rule that refuses it, or None."""
        if isinstance(action, Move):
            return self.table.move(*action)
        if isinstance(action, Auto):
            return self.table.auto(*action)
        return {UNDO: self.table.undo, REDO: self.table.redo, DEAL: self.table.deal}[action]()

    def worth(self, events: list[str]) -> int:
        """Return what events are worth."""
        points = POINTS[self.game.rules.game]
        return sum([points.get(event, 0) for event in events])

    def compare(self) -> None:
        """Compare everything that a player can see, and the hidden cards too."""
        game, now = self.game, self.table.now
        assert game.position.names(hidden="?{}") == self.table.names()
        assert (names(game.position.stock), list(game.position.runs)) == (now.stock, now.runs)
        assert (game.score, game.made) == (now.score, now.moves)
        assert (game.undoable, game.redoable) == (len(self.table.past), len(self.table.future))
        assert game.won == (len(now.runs) == 4)

    def check_everything(self) -> None:
        """Check all that must hold of a game at any time."""
        self.check_cards()
        self.check_text()
        self.check_legal()
        self.check_best()
        self.check_history()

    def check_cards(self) -> None:
        """The same 52 cards lie in the columns, the stock and the removed runs."""
        position = self.game.position
        cards = Counter([*names("".join(position.columns)), *names(position.stock)])
        cards.update(rank + suit for suit in position.runs for rank in RANKS)
        assert cards == Counter(rank + suit for suit in self.game.rules.sets for rank in RANKS)

    def check_text(self) -> None:
        """The text of the position is one line of ASCII, and reads back."""
        text = self.game.position.text
        assert text.isascii()
        assert text.isprintable()
        assert text.strip() == text
        assert Position.parse(text) == Position.trusted(text) == self.game.position
        assert all(parse_action(move.text) == move for move in legal(self.game.rules, self.game.position))

    def check_legal(self) -> None:
        """The legal moves are those that are accepted, of all that can be named; the others are refused by a rule."""
        rules, columns = self.game.rules, self.game.position.columns
        moves = legal(rules, self.game.position)
        assert moves == sorted(moves)
        assert set(map(tuple, moves)) == self.table.legal()
        accepted = []
        for source, column in enumerate(columns):
            for at in range(len(column) + 2):
                for target in range(len(columns)):
                    answer = act(self.game, Move(source, at, target))
                    if isinstance(answer, Rule):
                        assert str(answer) == self.table.refusal(source, at, target)
                    else:
                        accepted.append(Move(source, at, target))
        assert accepted == moves

    def check_best(self) -> None:
        """A double tap moves to the best column by the plain reading, which is the one that is shown."""
        rules, position = self.game.rules, self.game.position
        chosen = []
        for source, column in enumerate(position.columns):
            for at in range(len(column) + 1):
                answer, expected = best(rules, position, Auto(source, at)), self.table.best(source, at)
                if isinstance(answer, Rule):
                    assert str(answer) == expected
                else:
                    assert answer == (source, at, expected)
                    chosen.append(answer)
        assert best_moves(rules, position) == chosen

    def check_history(self) -> None:
        """The position is what the words play from the deal, the score their events' worth; each is undone."""
        game, position, score = self.game, self.deal, 500 if self.game.rules.game == "simple-simon" else 0
        for index in range(game.made):
            word = game.word(index)
            step = play(game.rules, position, action_of(position, word))
            assert isinstance(step, Step)
            assert step.word == word
            assert len(word) == 4
            assert take_back(game.rules, step.position, word) == position
            position = step.position
            score += self.worth(kinds(step.events))
        assert (position, score) == (game.position, game.score)

    def stroll(self, chance: random.Random, actions: int) -> None:
        """Do many actions at random, most of them legal."""
        for _ in range(actions):
            self.do(self.wish(chance))

    def wish(self, chance: random.Random) -> Action:
        """Return an action at random: most often a legal move, but any other too."""
        columns = self.game.position.columns
        moves = legal(self.game.rules, self.game.position)
        dice = chance.random()
        if dice < 0.6 and moves:
            return chance.choice(moves)
        if dice < 0.9:
            source = chance.randrange(len(columns))
            at = chance.randrange(len(columns[source]) + 1)
            return Auto(source, at) if dice < 0.75 else Move(source, at, chance.randrange(len(columns)))
        return chance.choice([UNDO, UNDO, UNDO, REDO, REDO, DEAL])
