"""The history of a game: as actions again, and as the game that it was after each of them."""

import json
from pathlib import Path
from typing import Any

import pytest

from app.engine.codes import parse_code
from app.engine.game import UNDO_LIMIT, Game, act, after, start
from app.engine.moves import Command
from app.engine.play import history
from app.engine.replay import read_action
from app.engine.rules import Rule

DATA = Path(__file__).parents[1] / "data"
RECORDS = [json.loads(line) for line in (DATA / "coded_games.jsonl").read_text(encoding="utf-8").splitlines()]


def played(game: Game, wish: object) -> Game:
    turn = act(game, read_action(wish))
    assert not isinstance(turn, Rule)
    return turn.game


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record["id"])
def test_a_history_tells_the_actions_and_every_game_on_the_way(record: dict[str, Any]) -> None:
    """Also those that are undone; and after each, no more is told than was known then (G-6)."""
    code = parse_code(record["code"])
    deal = code.deal()
    games = [start(code.rules, deal)]
    for move in record["moves"]:
        games.append(played(games[-1], move))
    game = games[-1]
    for undone in (0, 10):
        for _ in range(undone):
            game = played(game, "undo")
        words = [game.word(index) for index in range(game.made + game.redoable)]
        told = [action.value if isinstance(action, Command) else list(action) for action in history(code.rules, words)]
        assert told == record["moves"]
        assert [after(game, deal, made) for made in range(game.made + 1)] == games[: game.made + 1]


def test_of_a_long_game_any_point_is_found_and_a_hundred_actions_can_be_undone_there() -> None:
    """G-6: also at points that undo can no more lead to."""
    code = parse_code("SS1-S4-AAAAABD")
    game = start(code.rules, code.deal())
    for number in range(250):
        game = played(game, [[2, 7, 9], [9, 1, 2]][number % 2])
    for made in (0, 1, 99, 100, 101, 124, 125, 126, 249, 250):
        past = after(game, code.deal(), made)
        assert (past.made, past.score, past.redoable) == (made, 500 - made, 0)
        assert past.undoable == min(made, UNDO_LIMIT)
        assert past.words == game.words[: 4 * made]
