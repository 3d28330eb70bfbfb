"""Tables that the engine's tests play on, and short ways to write them."""

import json
from pathlib import Path
from typing import Any

from hypothesis import HealthCheck, settings

from app.engine.cards import RANKS
from app.engine.game import Game, Turn, act, start
from app.engine.games import GAMES
from app.engine.games.simple_simon import FOUR_SUITS
from app.engine.moves import Action, Move
from app.engine.play import Event, choose, groups, kind
from app.engine.position import Position
from app.engine.rules import Rule, Rules

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
Record = dict[str, Any]

STEADY = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
"""How property tests run: a busy machine is no failure."""


def document(name: str) -> Any:
    """Return what a JSON file of the test data holds."""
    return json.loads((DATA / name).read_text(encoding="utf-8"))


def lines(name: str) -> list[Record]:
    """Return what each line of a JSON lines file of the test data holds."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def game_id(rules: Rules) -> str:
    """Return how a game in one variant is called in the names of tests."""
    return f"{rules.prefix}-{rules.variant}"


def rules_of(prefix: str, variant: str) -> Rules:
    """Return the rules that a code's first two parts name."""
    return next(rules for rules in GAMES if (rules.prefix, rules.variant) == (prefix, variant))


def down(first: str, last: str) -> str:
    """Return the cards of one suit from ``first`` down to ``last``: ``down("4H", "2H")`` is ``4H 3H 2H``."""
    ranks = RANKS[RANKS.index(last[0]) : RANKS.index(first[0]) + 1]
    return " ".join(rank + first[1] for rank in reversed(ranks))


def simple_simon(*columns: str, runs: str = "") -> Position:
    """Return a Simple Simon table with these columns, then empty ones."""
    return Position.read([column.split() for column in columns] + [[]] * (10 - len(columns)), [], runs)


def scorpion(*columns: str, stock: str = "", runs: str = "") -> Position:
    """Return a Scorpion table with these columns, ``?`` before a hidden card, then empty columns."""
    return Position.read([column.split() for column in columns] + [[]] * (7 - len(columns)), stock.split(), runs)


def shown(position: Position) -> list[str]:
    """Return the columns in the notation of :func:`scorpion`, without the empty ones at the right."""
    columns = [" ".join(column) for column in position.names(hidden="?{}")]
    while columns and not columns[-1]:
        columns.pop()
    return columns


def begin(rules: Rules, position: Position, *actions: Action) -> Game:
    """Return the game that begins at ``position`` after these actions, each of which must be accepted."""
    return play_on(start(rules, position), *actions)


def play_on(game: Game, *actions: Action) -> Game:
    """Return the game after these actions, each of which must be accepted."""
    for action in actions:
        game = turn(game, action).game
    return game


def turn(game: Game, action: Action) -> Turn:
    """Return the turn that an action makes, which must be accepted."""
    made = act(game, action)
    assert isinstance(made, Turn), f"{action} is refused: {made}"
    return made


def refused(game: Game, action: Action) -> Rule:
    """Return the rule that refuses an action, which must be refused."""
    rule = act(game, action)
    assert isinstance(rule, Rule), f"{action} is accepted: {rule}"
    return rule


def best_moves(rules: Rules, position: Position) -> list[Move]:
    """Return, of each group that can move, its move to its best column if it has one: what a page shows as best."""
    chosen = [(group, choose(rules, position, group)) for group in groups(rules, position)]
    return [Move(*group[:2], target) for group, target in chosen if target is not None]


def kinds(events: tuple[Event, ...]) -> list[str]:
    """Return the kinds of events in their order."""
    return [kind(event) for event in events]


def simple_simon_example() -> Position:
    """Return SS-EX, the deal on the source's page of Simple Simon."""
    return simple_simon(
        "AS KH AC 4D KD 6C TH 4C",
        "3D 2D 4S 9C AD 7C 8D 9H",
        "JH 6S 8H 5H 2S 3C 6H KS",
        "JS 7D 2C TS 9D TD 5S",
        "2H 9S KC 8C QS AH",
        "QC 7H TC JC QH",
        "JD 3H 5C 6D",
        "8S 4H QD",
        "3S 7S",
        "5D",
    )


def scorpion_example() -> Position:
    """Return SC-EX, the deal on the source's page of Scorpion; which hidden card lies where is our invention."""
    return scorpion(
        "?2S ?4S ?5S 3D JH TH 3S",
        "?8S ?TS ?QS QH 3C 4H 7S",
        "?AH ?2D ?5D AS 7D 7H 3H",
        "?JD ?AC ?2C KD 8H 7C 9S",
        "6H 8C JS 4C 9C 8D 5C",
        "6D QC KH 4D KS 9H JC",
        "AD QD 9D 6S 2H TD 5H",
        stock="6C TC KC",
    )


def loop_move(number: int) -> Move:
    """Return the move of this number, from 0 on, of 5D onto 6D and back in SS-EX."""
    return Move(6, 4, 9) if number % 2 else Move(9, 0, 6)


def loop(moves: int) -> Game:
    """Return SS-EX after 5D has gone onto 6D and back, over and over: always legal, and -1 each time."""
    return begin(FOUR_SUITS, simple_simon_example(), *(loop_move(number) for number in range(moves)))
