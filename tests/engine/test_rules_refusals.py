"""The refusals: each key, and their order of precedence where several apply (spec "Refusals")."""

import pytest

from app.engine.game import Game, start
from app.engine.games import GAMES
from app.engine.games.scorpion import CLASSIC, RELAXED
from app.engine.games.simple_simon import FOUR_SUITS, ONE_SUIT
from app.engine.moves import Action, Auto, Command, InvalidMove, Move
from app.engine.play import legal, play
from app.engine.position import Position
from app.engine.replay import replay
from app.engine.rules import Rule, Rules
from tests.engine.tables import (
    begin,
    game_id,
    refused,
    scorpion,
    scorpion_example,
    shown,
    simple_simon,
    simple_simon_example,
    turn,
)

KEYS = [
    "stock-empty",
    "no-card",
    "same-column",
    "face-down",
    "not-a-sequence",
    "mixed-suits",
    "king-only",
    "onto-ace",
    "wrong-rank",
    "wrong-suit",
    "no-place",
    "nothing-to-undo",
    "nothing-to-redo",
]


def test_the_keys_are_those_of_the_table_in_its_order() -> None:
    """SS-9: one key for each reason."""
    assert [str(rule) for rule in Rule] == KEYS


def name(value: str | Rules | Position | Action) -> str:
    """Return how a part of a case is called in its test's name."""
    if isinstance(value, Rules):
        return game_id(value)
    if isinstance(value, Position):
        return ",".join(shown(value))[:15].replace(" ", "_")
    return value if isinstance(value, str) else value.text


CASES: list[tuple[str, Rules, Position, Action]] = [
    ("stock-empty", FOUR_SUITS, simple_simon_example(), Command.DEAL),
    ("stock-empty", CLASSIC, scorpion("KS"), Command.DEAL),
    ("no-card", FOUR_SUITS, simple_simon("6S", "5H"), Move(2, 0, 0)),
    ("no-card", FOUR_SUITS, simple_simon("6S", "5H"), Move(1, 1, 0)),
    ("no-card", FOUR_SUITS, simple_simon("6S", "5H"), Move(1, 10**9, 0)),
    ("no-card", CLASSIC, scorpion("6S", "5S"), Auto(1, 1)),
    ("same-column", FOUR_SUITS, simple_simon("6S 5H"), Move(0, 1, 0)),
    ("same-column", CLASSIC, scorpion("6S 5S"), Move(0, 0, 0)),
    ("face-down", CLASSIC, scorpion("6S", "?5S 9D"), Move(1, 0, 0)),
    ("face-down", RELAXED, scorpion("6S", "?5S 9D"), Auto(1, 0)),
    ("not-a-sequence", FOUR_SUITS, simple_simon("6S", "5H 3H"), Move(1, 0, 0)),
    ("not-a-sequence", FOUR_SUITS, simple_simon("6S", "5H 3H"), Auto(1, 0)),
    ("mixed-suits", FOUR_SUITS, simple_simon("6S", "5H 4D"), Move(1, 0, 0)),
    ("mixed-suits", FOUR_SUITS, simple_simon("6S", "5H 4D"), Auto(1, 0)),
    ("king-only", CLASSIC, scorpion("6S 5H"), Move(0, 1, 1)),
    ("king-only", RELAXED, scorpion("6S QH"), Move(0, 1, 1)),
    ("onto-ace", FOUR_SUITS, simple_simon("AS", "2H"), Move(1, 0, 0)),
    ("onto-ace", CLASSIC, scorpion("AS", "2S"), Move(1, 0, 0)),
    ("onto-ace", RELAXED, scorpion("AS", "KS"), Move(1, 0, 0)),
    ("wrong-rank", FOUR_SUITS, simple_simon("6S", "4S"), Move(1, 0, 0)),
    ("wrong-rank", ONE_SUIT, simple_simon("6S", "6S"), Move(1, 0, 0)),
    ("wrong-rank", RELAXED, scorpion("6S", "7H"), Move(1, 0, 0)),
    ("wrong-rank", CLASSIC, scorpion("2S", "AS", "KS"), Move(2, 0, 0)),
    ("wrong-suit", CLASSIC, scorpion("8S", "7H"), Move(1, 0, 0)),
    ("no-place", FOUR_SUITS, simple_simon_example(), Auto(1, 7)),
    ("no-place", CLASSIC, scorpion("8S", "7H"), Auto(1, 0)),
    ("nothing-to-undo", CLASSIC, scorpion_example(), Command.UNDO),
    ("nothing-to-undo", FOUR_SUITS, simple_simon_example(), Command.UNDO),
    ("nothing-to-redo", CLASSIC, scorpion_example(), Command.REDO),
    ("nothing-to-redo", FOUR_SUITS, simple_simon_example(), Command.REDO),
]


@pytest.mark.parametrize(("key", "rules", "position", "action"), CASES, ids=name)
def test_each_key_refuses_its_case(key: str, rules: Rules, position: Position, action: Action) -> None:
    """SS-9, G-10: the answer is the key."""
    assert str(refused(start(rules, position), action)) == key


def test_every_key_has_a_case() -> None:
    assert {key for key, *_ in CASES} == set(KEYS)


PRECEDENCE: list[tuple[str, str, Rules, Position, Action]] = [
    ("no-card", "same-column", FOUR_SUITS, simple_simon("6S"), Move(1, 0, 1)),
    ("no-card", "same-column", CLASSIC, scorpion("6S"), Move(0, 1, 0)),
    ("no-card", "king-only", CLASSIC, scorpion("6S"), Move(1, 0, 2)),
    ("no-card", "onto-ace", CLASSIC, scorpion("AS"), Move(1, 0, 0)),
    ("no-card", "no-place", FOUR_SUITS, simple_simon("6S"), Auto(1, 0)),
    ("same-column", "face-down", CLASSIC, scorpion("?6S 5S"), Move(0, 0, 0)),
    ("same-column", "not-a-sequence", FOUR_SUITS, simple_simon("6S 9S"), Move(0, 0, 0)),
    ("same-column", "mixed-suits", FOUR_SUITS, simple_simon("6S 5H"), Move(0, 0, 0)),
    ("same-column", "onto-ace", FOUR_SUITS, simple_simon("2S AS"), Move(0, 0, 0)),
    ("same-column", "wrong-rank", FOUR_SUITS, simple_simon("6S 9S"), Move(0, 1, 0)),
    ("face-down", "king-only", CLASSIC, scorpion("?6S 5S"), Move(0, 0, 1)),
    ("face-down", "onto-ace", CLASSIC, scorpion("?6S 5S", "AH"), Move(0, 0, 1)),
    ("face-down", "wrong-rank", RELAXED, scorpion("?6S 5S", "9H"), Move(0, 0, 1)),
    ("face-down", "wrong-suit", CLASSIC, scorpion("?6S 5S", "7H"), Move(0, 0, 1)),
    ("face-down", "no-place", CLASSIC, scorpion("?6S 5S"), Auto(0, 0)),
    ("not-a-sequence", "mixed-suits", FOUR_SUITS, simple_simon("8S 7H 5C", ""), Move(0, 0, 1)),
    ("not-a-sequence", "onto-ace", FOUR_SUITS, simple_simon("8S 6S", "AH"), Move(0, 0, 1)),
    ("not-a-sequence", "wrong-rank", FOUR_SUITS, simple_simon("8S 6S", "5H"), Move(0, 0, 1)),
    ("not-a-sequence", "no-place", FOUR_SUITS, simple_simon("8S 6S", *["KH"] * 9), Auto(0, 0)),
    ("mixed-suits", "onto-ace", FOUR_SUITS, simple_simon("8S 7H", "AH"), Move(0, 0, 1)),
    ("mixed-suits", "wrong-rank", FOUR_SUITS, simple_simon("8S 7H", "5H"), Move(0, 0, 1)),
    ("mixed-suits", "no-place", FOUR_SUITS, simple_simon("8S 7H", *["KH"] * 9), Auto(0, 0)),
    ("onto-ace", "wrong-rank", FOUR_SUITS, simple_simon("AH", "8S"), Move(1, 0, 0)),
    ("onto-ace", "wrong-rank", CLASSIC, scorpion("AH", "8H"), Move(1, 0, 0)),
    ("onto-ace", "wrong-suit", CLASSIC, scorpion("AH", "KS"), Move(1, 0, 0)),
    ("wrong-rank", "wrong-suit", CLASSIC, scorpion("9H", "7S"), Move(1, 0, 0)),
]


@pytest.mark.parametrize(("first", "later", "rules", "position", "action"), PRECEDENCE, ids=name)
def test_of_several_refusals_the_first_in_the_order_is_the_answer(
    first: str, later: str, rules: Rules, position: Position, action: Action
) -> None:
    """SS-9: the order of precedence."""
    assert KEYS.index(first) < KEYS.index(later)
    assert str(refused(start(rules, position), action)) == first


def test_an_empty_stock_is_the_answer_of_a_game_without_one_and_of_one_that_is_dealt() -> None:
    """SC-6, SS-1."""
    assert refused(begin(RELAXED, scorpion_example(), Command.DEAL), Command.DEAL) is Rule.STOCK_EMPTY
    assert refused(start(ONE_SUIT, simple_simon_example()), Command.DEAL) is Rule.STOCK_EMPTY


@pytest.mark.parametrize(
    "action",
    [
        Move(10, 0, 0),
        Move(0, 0, 10),
        Move(-1, 0, 0),
        Move(0, 0, -1),
        Move(0, -1, 1),
        Move(9, 0, 10**30),
        Move(9, 99, 10),
        Auto(10, 0),
        Auto(-1, 0),
        Auto(0, -1),
    ],
    ids=lambda action: action.text,
)
def test_a_column_that_does_not_exist_is_malformed_and_no_refusal(action: Action) -> None:
    """G-10: so it is told apart from a refused move, even where no card lies at the source."""
    with pytest.raises(InvalidMove, match="no column"):
        play(FOUR_SUITS, simple_simon_example(), action)


def test_no_game_refuses_for_a_reason_of_another_game() -> None:
    """SS-4, SC-2, SC-4: over every triple of both examples, Simple Simon knows nothing of kings, Scorpion of groups."""
    answers: dict[str, set[Rule]] = {}
    for rules in GAMES:
        game = start(rules, simple_simon_example() if rules.prefix == "SS1" else scorpion_example())
        accepted = set(legal(rules, game.position))
        for move in triples(game):
            if move not in accepted:
                answers.setdefault(rules.prefix + rules.variant, set()).add(refused(game, move))
    lifted = {Rule.NO_CARD, Rule.SAME_COLUMN}
    built = {Rule.ONTO_ACE, Rule.WRONG_RANK}
    for simple in ("SS1S1", "SS1S2", "SS1S4"):
        assert answers[simple] == lifted | {Rule.NOT_A_SEQUENCE} | built
    assert answers["SC1C"] == lifted | {Rule.FACE_DOWN, Rule.WRONG_SUIT, Rule.WRONG_RANK}
    assert answers["SC1R"] == lifted | {Rule.FACE_DOWN, Rule.WRONG_RANK}


def triples(game: Game) -> list[Move]:
    """Return every move that can be named on a table, one place beyond each column included."""
    columns = game.position.columns
    return [
        Move(source, at, target)
        for source, column in enumerate(columns)
        for at in range(len(column) + 1)
        for target in range(len(columns))
    ]


def test_a_refusal_stands_in_the_record_of_a_replay_by_its_key() -> None:
    """SS-9, G-10."""
    record = {"game": "scorpion", "rules": "classic", "columns": [["8S"], ["7H"], [], [], [], [], []]}
    steps = replay({**record, "moves": [[1, 0, 0], [1, 0, 2], "deal"]})["steps"]
    assert steps == [
        {"ok": False, "rule": key, "score": 0, "moves": 0} for key in ("wrong-suit", "king-only", "stock-empty")
    ]


def test_an_accepted_action_gives_no_rule() -> None:
    record = {"game": "scorpion", "rules": "relaxed", "columns": [["8S"], ["7H"], [], [], [], [], []]}
    assert replay({**record, "moves": [[1, 0, 0]]})["steps"] == [{"ok": True, "score": 0, "moves": 1}]
    assert turn(start(RELAXED, scorpion("8S", "7H")), Move(1, 0, 0)).game.made == 1
