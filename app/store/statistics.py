"""What came of a player's games, counted from the games themselves: no count is kept that could come to differ."""

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Text, case, cast, func, select

from app.engine.games import GAMES
from app.engine.rules import Rules
from app.store.games import STANDS
from app.store.schema import game

WON_PATTERN = "%//" + "_" * GAMES[0].places
"""What the text of a won position is like (G-4): the stock is dealt, and behind it stand all the runs."""


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


_won = game.c.position.like(WON_PATTERN)
_BEGINNING = 6
"""So many characters of a code tell game and variant; that the next hyphen may be among them does no harm."""


def _beginning(rules: Rules) -> str:
    return f"{rules.prefix}-{rules.variant}-"[:_BEGINNING]


_variant = func.substr(game.c.code, 1, _BEGINNING)
_ranked_by_moves = [_beginning(rules) for rules in GAMES if rules.ranked_by == "moves"]
_value = case((_variant.in_(_ranked_by_moves), game.c.made), else_=game.c.score)


def _joined(column: ColumnElement[int]) -> ColumnElement[str]:
    return func.aggregate_strings(cast(column, Text), ",")


def tallies(connection: Connection, player_id: int) -> list[Tally]:
    """Return what came of a player's games, for each set of rules that was played, in the order in which it is offered.

    The database goes over the games once.  It joins ids and values in no certain order, so ids are sorted here.
    """
    query = (
        select(
            _variant.label("variant"),
            _won.label("won"),
            _joined(game.c.id),
            func.min(game.c.made),
            func.sum(game.c.made),
            _joined(_value),
        )
        .where(*_counted(player_id))
        .group_by("won", "variant")
    )
    found = {(row[0], bool(row[1])): row[2:] for row in connection.execute(query)}
    tallied = []
    for rules in GAMES:
        won, others = (found.get((_beginning(rules), result)) for result in (True, False))
        if won or others:
            tallied.append(_tally(rules, won or ("", 0, 0, ""), others[0] if others else ""))
    return tallied


def _tally(rules: Rules, won: Sequence[Any], others: str) -> Tally:
    ids, fewest_moves, all_moves, values = won
    won_ids = _numbers(ids)
    in_order = sorted(won_ids + _numbers(others))
    results = "".join(map("01".__getitem__, map(set(won_ids).__contains__, in_order)))
    return Tally(rules, results, fewest_moves, int(all_moves), Counter(_numbers(values)))


def _numbers(joined: str) -> list[int]:
    # The reader of JSON is written in C: thousands of numbers cost it a tenth of what int() takes.
    numbers: list[int] = json.loads(f"[{joined}]")
    return numbers


def marks(connection: Connection, player_id: int, codes: Iterable[str]) -> dict[str, bool]:
    """Return those of some deals that a player has played, and whether an attempt at them is won."""
    won = func.max(case((_won, 1), else_=0))
    query = select(game.c.code, won).where(*_counted(player_id), game.c.code.in_(list(codes))).group_by(game.c.code)
    return {code: bool(one) for code, one in connection.execute(query)}
