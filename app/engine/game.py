"""A game under way: its position, its score, and the history that undo and redo walk."""

from typing import NamedTuple

from app.engine.moves import Action, Command
from app.engine.play import Event, Step, action_of, play, take_back
from app.engine.position import Position
from app.engine.rules import Rule, Rules

UNDO_LIMIT = 100
"""How many of the latest actions can be taken back (G-6)."""

WORD = 4
"""The letters of one word of the history."""


class Game(NamedTuple):
    """One game as a value.

    ``words`` is the whole history, redo tail included, :data:`WORD` letters an action; ``made`` counts the actions that
    stand, which is the number of moves; undo never takes ``made`` below ``floor``.  The invariant: ``position`` is what
    playing the first ``made`` words from the deal gives, and ``score`` what their events are worth from the start.
    """

    rules: Rules
    position: Position
    score: int
    words: str = ""
    made: int = 0
    floor: int = 0

    @property
    def undoable(self) -> int:
        """How many actions can be taken back (G-6)."""
        return self.made - self.floor

    @property
    def redoable(self) -> int:
        """How many undone actions can be made again (G-7)."""
        return len(self.words) // WORD - self.made

    @property
    def won(self) -> bool:
        """Whether all runs are removed (G-4)."""
        return len(self.position.runs) >= self.rules.places

    def word(self, index: int) -> str:
        """Return the word of the action with this index, the first action being 0."""
        return self.words[index * WORD : (index + 1) * WORD]


class Turn(NamedTuple):
    """An action that was made: the game after it, and its events; for an undo, the events that it took back."""

    game: Game
    events: tuple[Event, ...]


def start(rules: Rules, position: Position) -> Game:
    """Return a game that begins at ``position``."""
    return Game(rules, position, rules.start)


def act(game: Game, action: Action) -> Turn | Rule:
    """Return the turn that ``action`` makes, or the rule that refuses it and leaves all as it was (G-6, G-7, G-10).

    Raises :class:`app.engine.moves.InvalidMove` where a column does not exist.
    """
    if action is Command.UNDO:
        return _undo(game) if game.undoable else Rule.NOTHING_TO_UNDO
    if action is Command.REDO:
        return _redo(game) if game.redoable else Rule.NOTHING_TO_REDO
    step = play(game.rules, game.position, action)
    if isinstance(step, Rule):
        return step
    made = game.made + 1
    words = game.words[: game.made * WORD] + step.word
    floor = max(game.floor, made - UNDO_LIMIT)
    return Turn(Game(game.rules, step.position, game.score + step.points, words, made, floor), step.events)


def _undo(game: Game) -> Turn:
    before, step = last_step(game)
    undone = game._replace(position=before, score=game.score - step.points, made=game.made - 1)
    return Turn(undone, step.events)


def _redo(game: Game) -> Turn:
    step = _again(game.rules, game.position, game.word(game.made))
    redone = game._replace(position=step.position, score=game.score + step.points, made=game.made + 1)
    return Turn(redone, step.events)


def last_step(game: Game) -> tuple[Position, Step]:
    """Return the position before the latest action that stands, and what that action did to it."""
    word = game.word(game.made - 1)
    before = take_back(game.rules, game.position, word)
    return before, _again(game.rules, before, word)


def after(game: Game, deal: Position, made: int) -> Game:
    """Return the game as it stood after its first ``made`` actions, with these alone as its history.

    ``deal`` is the position that the game began at; the way there is taken from its nearer end.
    """
    if 2 * made < game.made:
        past = start(game.rules, deal)._replace(words=game.words)
        while past.made < made:
            past = _redo(past).game
    else:
        past = game
        while past.made > made:
            past = _undo(past).game
    return past._replace(words=past.words[: made * WORD], floor=max(0, made - UNDO_LIMIT))


def _again(rules: Rules, position: Position, word: str) -> Step:
    step = play(rules, position, action_of(position, word))
    if isinstance(step, Rule):
        raise ValueError(f"the word {word!r} is not of this position: {step}")
    return step
