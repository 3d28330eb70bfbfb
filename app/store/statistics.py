"""What came of a player's games, counted from the games themselves: no count is kept that could come to differ."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import compress
from string import ascii_letters, ascii_lowercase
from typing import NamedTuple

from sqlalchemy import ColumnElement, Connection, Text, case, cast, func, select

from app.engine.games import GAMES
from app.engine.rules import Rules
from app.store.games import STANDS
from app.store.schema import game


class Tally(NamedTuple):
    """What came of the games that a player played by one set of rules.

    ``results`` has a letter for each game, in the order in which they were begun: 1 for a won one, 0 for any other.
    The rest is of the won games: ``values`` counts them by what ranks them, score or moves (SC-11).
    """

    rules: Rules
    results: str
    fewest_moves: int
    all_moves: int
    values: Mapping[int, int]

    @property
    def best_score(self) -> int | None:
        """The best score of a won game, or None where scores are not compared."""
        return max(self.values, default=0) if self.rules.ranked_by == "score" else None

    @property
    def all_scores(self) -> int | None:
        """The sum of the scores of the won games, or None where scores are not compared."""
        if self.rules.ranked_by != "score":
            return None
        return sum(value * games for value, games in self.values.items())

    @property
    def played(self) -> int:
        """How many games were played."""
        return len(self.results)

    @property
    def won(self) -> int:
        """How many games are won."""
        return self.results.count("1")

    @property
    def _streaks(self) -> list[int]:
        # The newest unfinished game may be won yet, so it neither adds to a streak nor breaks one.
        before, _, after = self.results.rpartition("0")
        return [len(wins) for wins in (before + after).split("0")]

    @property
    def streak(self) -> int:
        """How many games were won one after another up to now; every unwon game but the newest ends a streak."""
        return self._streaks[-1]

    @property
    def longest_streak(self) -> int:
        """The longest streak there was."""
        return max(self._streaks)


def _counted(player_id: int) -> tuple[ColumnElement[bool], ...]:
    """Return what makes a game one that counts: it is the player's, has had an action, and is not deleted."""
    return game.c.player_id == player_id, game.c.version > 0, STANDS


_BEGINNING = 6
"""So many characters of a code tell game and variant; that the next hyphen may be among them does no harm."""


def _beginning(rules: Rules) -> str:
    return f"{rules.prefix}-{rules.variant}-"[:_BEGINNING]


_variant = func.substr(game.c.code, 1, _BEGINNING)

# In the texts below each set of rules is a letter: a large one where the game is won.
_LETTERS = [(rules, letter, letter.upper()) for rules, letter in zip(GAMES, ascii_lowercase, strict=False)]
_letter = case({_beginning(rules): letter for rules, letter, _ in _LETTERS}, value=_variant)


def tallies(connection: Connection, player_id: int) -> list[Tally]:
    """Return what came of a player's games, for each set of rules that was played, in the order in which it is offered.

    The database goes over the games once, in the order in which they were begun, and joins what it finds into two
    texts: to sort thousands of games into groups, or to send a row for each, would take twice as long.
    """
    columns = (_letter.label("letter"), game.c.won, game.c.made, game.c.score)
    one = select(*columns).where(*_counted(player_id)).order_by(game.c.id).subquery().c
    mark = case((one.won, func.upper(one.letter)), else_=one.letter)
    win = case((one.won, cast(one.made, Text) + "," + cast(one.score, Text)))
    joined = select(func.aggregate_strings(mark, ""), func.aggregate_strings(win, ","))
    marks, wins = (text or "" for text in connection.execute(joined).one())
    # The reader of JSON is written in C: thousands of numbers cost it a tenth of what int() takes.
    numbers: list[int] = json.loads(f"[{wins}]")
    winners = list(filter(str.isupper, marks))
    tallied = []
    for rules, letter, large in _LETTERS:
        others = ascii_letters.replace(letter, "").replace(large, "")
        if results := marks.translate(str.maketrans(letter + large, "01", others)):
            of_these = [winner == large for winner in winners]
            moves, scores = (list(compress(numbers[first::2], of_these)) for first in (0, 1))
            values = Counter(moves if rules.ranked_by == "moves" else scores)
            tallied.append(Tally(rules, results, min(moves, default=0), sum(moves), values))
    return tallied


def marks(connection: Connection, player_id: int, codes: Iterable[str]) -> dict[str, bool]:
    """Return those of some deals that a player has played, and whether an attempt at them is won."""
    won = func.max(case((game.c.won, 1), else_=0))
    query = select(game.c.code, won).where(*_counted(player_id), game.c.code.in_(list(codes))).group_by(game.c.code)
    return {code: bool(one) for code, one in connection.execute(query)}
