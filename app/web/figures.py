"""The figures of the rules pages: tables that the engine laid and played, so none can show what the rules forbid."""

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from app.engine.codes import parse_code
from app.engine.games.scorpion import CLASSIC
from app.engine.games.simple_simon import FOUR_SUITS
from app.engine.moves import Move
from app.engine.play import Moved, Step, play
from app.engine.position import Position
from app.engine.rules import Rules

Places = set[tuple[int, int]]


class Figure(NamedTuple):
    """A table, and what a move makes of it, with the places of the cards that it moves before and after."""

    game: str
    before: Position
    moving: Places
    after: Position | None = None
    moved: Places = set()  # noqa: RUF012, a default that nobody changes


def _dealt(text: str) -> Figure:
    code = parse_code(text)
    return Figure(code.rules.game, code.deal(), set())


def _played(rules: Rules, columns: list[str], move: Move) -> Figure:
    """Return the figure of a move on a small table, its columns written as names of cards."""
    before = Position.read([column.split() for column in columns], [], [])
    step = play(rules, before, move)
    assert isinstance(step, Step), f"a figure shows a move that is refused: {step}"
    cards = next(len(event.cards) for event in step.events if isinstance(event, Moved))
    moving = {(move.source, move.at + number) for number in range(cards)}
    end = len(step.position.columns[move.target])
    moved = {(move.target, at) for at in range(max(0, end - cards), end)} if step.position.runs == "" else set()
    return Figure(rules.game, before, moving, step.position, moved)


@cache
def figures_of(game: str) -> Mapping[str, Figure]:
    """Return the figures of a game's rules, by their names."""
    return _simple_simon() if game == FOUR_SUITS.game else _scorpion()


def _simple_simon() -> Mapping[str, Figure]:
    return {
        "layout": _dealt("SS1-S4-AAAAABD"),
        "move": _played(FOUR_SUITS, ["KD 8S 7S 6S", "3C 9H"], Move(0, 1, 1)),
        "run": _played(FOUR_SUITS, ["4D KS QS JS TS 9S 8S 7S 6S 5S 4S 3S 2S", "9H AS"], Move(1, 1, 0)),
    }


def _scorpion() -> Mapping[str, Figure]:
    return {
        "layout": _dealt("SC1-C-AAAAABE"),
        "move": _played(CLASSIC, ["?KD 4H 7S", "TD 5H"], Move(0, 1, 1)),
        "run": _played(CLASSIC, ["4S KH QH JH TH 9H 8H 7H 6H 5H 4H 3H 2H", "?9C AH"], Move(1, 1, 0)),
    }
