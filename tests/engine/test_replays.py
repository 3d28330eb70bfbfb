"""Recorded games of an independent implementation, action by action, through :func:`app.engine.replay.replay`."""

import pytest

from app.engine.codes import parse_code
from app.engine.position import Position
from app.engine.replay import replay
from tests.engine.tables import Record, document, lines

SCENARIOS = lines("scenarios.jsonl")
GAMES = lines("games.jsonl")
CODED = lines("coded_games.jsonl")
ACTIONS = lines("actions.jsonl")
EXAMPLES = [document("example_simple_simon.json"), document("example_scorpion.json")]

RULE_OF_REASON = {
    "face-down": "face-down",
    "same-column": "same-column",
    "group-mixed-suits": "mixed-suits",
    "group-not-descending": "not-a-sequence",
    "no-stock": "stock-empty",
    "onto-ace": "onto-ace",
    "wrong-rank": "wrong-rank",
    "wrong-suit": "wrong-suit",
    "no-such-card": "no-card",
    "empty-needs-king": "king-only",
}
"""Our key for each reason that the data gives in words of its own."""


def name(record: Record) -> str:
    return str(record["id"])


def test_no_record_is_missing_from_the_data() -> None:
    assert [len(records) for records in (SCENARIOS, GAMES, CODED, ACTIONS, EXAMPLES)] == [58, 61, 40, 15, 2]


@pytest.mark.parametrize("record", [*SCENARIOS, *ACTIONS], ids=name)
def test_every_action_does_what_the_independent_implementation_expects(record: Record) -> None:
    """G-2, G-3, G-4, G-6, G-7, G-10, SS-3 to SS-7, SC-2 to SC-9: 58 small tables and 15 long sequences."""
    expected, result = record["expect"], replay(record)
    steps = [{key: step[key] for key in ("ok", "score", "moves")} for step in result["steps"]]
    assert steps == [{key: step[key] for key in ("ok", "score", "moves")} for step in expected["steps"]]
    for key in ("score", "moves", "removed", "won", "columns", "undo", "redo"):
        if key in expected:
            assert result[key] == expected[key], key
    if "legal_moves" in expected:
        assert sorted(result["legal_moves"]) == sorted(expected["legal_moves"])


@pytest.mark.parametrize("record", SCENARIOS, ids=name)
def test_every_refusal_names_the_rule_that_the_independent_implementation_hints_at(record: Record) -> None:
    """SS-9: the reminder of the rule that refused a move."""
    reasons = [step.get("reason") for step in record["expect"]["steps"]]
    rules = [step.get("rule") for step in replay(record)["steps"]]
    assert rules == [reason and RULE_OF_REASON[reason] for reason in reasons]


@pytest.mark.parametrize("record", [*GAMES, *CODED, *EXAMPLES], ids=name)
def test_every_recorded_game_is_won_with_the_same_score_after_each_move(record: Record) -> None:
    """G-4, SS-6, SC-8: the score after each move, the suits in the order of their removal, and the win."""
    result = replay(record)
    assert [step["ok"] for step in result["steps"]] == [True] * record["n_moves"]
    assert [step["score"] for step in result["steps"]] == record["scores"]
    assert [step["moves"] for step in result["steps"]] == list(range(1, record["n_moves"] + 1))
    assert (result["score"], result["moves"]) == (record["final_score"], record["n_moves"])
    assert result["removed"] == record["removed"]
    assert result["won"]
    assert (result["columns"], result["stock"]) == ([[]] * len(record["columns"]), [])
    assert (result["undo"], result["redo"]) == (min(record["n_moves"], 100), 0)


@pytest.mark.parametrize("record", [*CODED, *ACTIONS, *EXAMPLES], ids=name)
def test_every_coded_record_lies_as_its_code_deals(record: Record) -> None:
    """SS-10: the code of a record deals the cards of the record."""
    dealt = parse_code(record["code"]).deal()
    assert dealt == Position.read(record["columns"], record["stock"], [])
    assert dealt.names(hidden="?{}") == record["columns"]


@pytest.mark.parametrize("record", CODED, ids=name)
def test_a_code_alone_stands_for_its_position(record: Record) -> None:
    short = {"id": record["id"], "code": record["code"], "moves": record["moves"]}
    assert replay(short) == replay(record)


def test_the_example_of_simple_simon_moves_twelve_cards_to_an_empty_column_and_ends_at_851() -> None:
    """SS-4, SS-5, SS-6: SS1-S1-AAAAABD is won in 49 moves, 500 - 49 + 400."""
    record = document("example_simple_simon.json")
    tables = [replay({**record, "moves": record["moves"][:count]})["columns"] for count in range(49)]
    groups_to_empty = [
        len(columns[source]) - at
        for columns, (source, at, target) in zip(tables, record["moves"], strict=True)
        if not columns[target]
    ]
    assert max(groups_to_empty) == 12
    assert (record["code"], replay(record)["score"]) == ("SS1-S1-AAAAABD", 851)


def test_the_example_of_scorpion_ends_at_695() -> None:
    """SC-8: SC1-C-AAAAABE under classic rules, won in 49 moves."""
    result = replay(document("example_scorpion.json"))
    assert (result["score"], result["moves"], result["won"]) == (695, 49, True)


def test_the_long_sequences_hold_every_kind_of_action_accepted_and_refused() -> None:
    """G-6, G-7, G-10: without these in them the sequences would prove little."""
    outcomes = {
        (wish if isinstance(wish, str) else str(wish[0]) if wish[0] == "auto" else "move", step["ok"])
        for record in ACTIONS
        for wish, step in zip(record["actions"], replay(record)["steps"], strict=True)
    }
    kinds = ("move", "auto", "deal", "undo", "redo")
    assert outcomes >= {(kind, ok) for kind in kinds for ok in (True, False)} - {("undo", False)}
    assert max(len(record["actions"]) for record in ACTIONS) > 300
