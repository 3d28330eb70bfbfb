"""Faults that users of like programs met, tried on ours as far as the engine can show them.

A names those of runs, rules and dealing, B those of undo, redo, score and moves. Faults 61 to 68, of deals and codes,
are in ``test_deals.py`` and ``test_codes.py``.
"""

import random

import pytest

from app.engine.codes import numbered, parse_code
from app.engine.game import Game, act, start
from app.engine.games import GAMES
from app.engine.games.scorpion import CLASSIC, RELAXED
from app.engine.games.simple_simon import FOUR_SUITS, ONE_SUIT, TWO_SUITS
from app.engine.moves import Action, Auto, Command, InvalidMove, Move, parse_action
from app.engine.play import Dealt, Flipped, legal
from app.engine.position import Position
from app.engine.replay import InvalidRecord, replay
from app.engine.rules import Rule, Rules
from tests.engine.tables import (
    begin,
    document,
    down,
    game_id,
    kinds,
    lines,
    loop,
    play_on,
    refused,
    scorpion,
    scorpion_example,
    shown,
    simple_simon,
    simple_simon_example,
    turn,
)
from tests.engine.walks import POINTS

UNDO, REDO, DEAL = Command.UNDO, Command.REDO, Command.DEAL


def test_a1_a_run_that_the_stock_completes_leaves_at_once() -> None:
    """Fault 1, SC-7: the dealing brings 0, the run 100, the hidden card of column 1 turns up for 5; one move."""
    done = turn(start(CLASSIC, scorpion(f"?9D {down('KC', '2C')}", "4H", "6S", stock="AC 2H 3H")), DEAL)
    assert kinds(done.events) == ["dealt", "dealt", "dealt", "removed", "flipped"]
    assert (shown(done.game.position), done.game.position.runs) == (["9D", "4H 2H", "6S 3H"], "C")
    assert (done.game.score, done.game.made) == (105, 1)


def test_a2_the_last_run_ends_the_game_in_the_same_answer() -> None:
    """Fault 2, G-4: the win is a fact of the position, so it is there whenever the game is read again."""
    record = document("example_scorpion.json")
    game = start(CLASSIC, Position.read(record["columns"], record["stock"], []))
    for wish in record["moves"]:
        assert not game.won
        game = turn(game, DEAL if wish == "deal" else Move(*wish)).game
    assert game.won
    assert game._replace(position=Position.parse(game.position.text)).won


def test_a4_a_group_of_two_suits_does_not_move_in_the_example_deal() -> None:
    """Fault 4, SS-4: after 4C onto 5S, 5S and 4C do not go onto 6D together; nothing is changed or counted."""
    game = begin(FOUR_SUITS, simple_simon_example(), Move(0, 7, 3))
    before = game.position.text
    assert refused(game, Move(3, 6, 6)) is Rule.MIXED_SUITS
    assert (game.position.text, game.score, game.made) == (before, 499, 1)


@pytest.mark.parametrize("text", ["foundation.0-1", "f.0-1", "-1.0-1", "0.0-foundation", "0.0--1", "runs"])
def test_a6_no_text_names_the_removed_runs_as_a_source_or_target(text: str) -> None:
    """Fault 6, G-2."""
    with pytest.raises(InvalidMove, match="no move"):
        parse_action(text)


@pytest.mark.parametrize("wish", [["foundation", 0, 1], [0, 0, "foundation"], ["auto", "foundation", 0], [10, 0, 1]])
def test_a6_no_record_names_the_removed_runs_as_a_source_or_target(wish: object) -> None:
    """Fault 6, G-2: after a run is removed there is still no such column."""
    record = {"code": "SS1-S1-AAAAABD", "actions": [*document("example_simple_simon.json")["moves"][:15], wish]}
    assert replay({**record, "actions": record["actions"][:15]})["removed"] == ["S"]
    with pytest.raises(InvalidRecord, match=r"no move|no column"):
        replay(record)


@pytest.mark.parametrize(
    ("move", "column"),
    [(Move(1, 7, 9), "9H"), (Move(4, 5, 9), "AH"), (Move(6, 3, 9), "6D 5D")],
    ids=["single-9H", "single-AH", "group-6D-5D"],
)
def test_a7_any_card_or_one_suit_group_goes_to_the_emptied_column_of_the_example_deal(move: Move, column: str) -> None:
    """Fault 7, SS-5: after 5D onto 6D, 9H, AH and the group 6D 5D each go to column 10."""
    game = begin(FOUR_SUITS, simple_simon_example(), Move(9, 0, 6), move)
    assert shown(game.position)[9] == column


@pytest.mark.parametrize("rules", [CLASSIC, RELAXED], ids=game_id)
@pytest.mark.parametrize("empty", range(3))
def test_a8_the_stock_is_dealt_onto_an_empty_column_and_with_hidden_cards_left(rules: Rules, empty: int) -> None:
    """Fault 8, SC-6: always allowed, and the card lands in the empty column even if it is no king."""
    columns = ["?9D 4H", "?8C 6S", "?7D 5S", "?2S TS"]
    columns[empty] = ""
    done = turn(start(rules, scorpion(*columns, stock="3C 2H AD")), DEAL)
    card = ["3C", "2H", "AD"][empty]
    assert shown(done.game.position)[empty] == card
    assert [event.column for event in done.events if isinstance(event, Dealt)] == [0, 1, 2]
    assert (done.game.score, sum(done.game.position.down)) == (0, 3)


@pytest.mark.parametrize("rules", GAMES, ids=game_id)
def test_a10_no_action_loses_or_doubles_a_card(rules: Rules) -> None:
    """Fault 10, G-1: every legal action of 30 deals, and its undo."""
    for number in range(30):
        game = start(rules, numbered(rules, number * 977).deal())
        deck = sorted("".join(game.position.columns) + game.position.stock)
        actions: list[Action] = [*legal(rules, game.position), *([DEAL] if game.position.stock else [])]
        for action in actions:
            done = turn(game, action).game
            assert sorted("".join(done.position.columns) + done.position.stock) == deck
            assert turn(done, UNDO).game.position == game.position


def test_a11_the_rules_of_a_game_are_its_own() -> None:
    """Fault 11, SC-3: classic and relaxed games of one deal side by side, an action each in turn."""
    position = scorpion("8S", "2C 7H", "9D", "8D")
    classic, relaxed = start(CLASSIC, position), start(RELAXED, position)
    for _ in range(2):
        assert refused(classic, Move(1, 1, 0)) is Rule.WRONG_SUIT
        assert turn(relaxed, Move(1, 1, 0)).game.rules is RELAXED
        assert turn(classic, Move(3, 0, 2)).game.rules is CLASSIC
    mixed = replay({"code": "SC1-R-AAAAABD", "moves": []})["legal_moves"]
    assert mixed != replay({"code": "SC1-C-AAAAABD", "moves": []})["legal_moves"]


@pytest.mark.parametrize(
    ("rules", "suits"),
    [(ONE_SUIT, {"S": 52}), (TWO_SUITS, {"S": 26, "H": 26}), (FOUR_SUITS, dict.fromkeys("SHDC", 13))],
)
def test_a13_there_are_one_two_and_four_suits(rules: Rules, suits: dict[str, int]) -> None:
    """Fault 13, SS-2."""
    cards = [name for column in numbered(rules, 29).deal().names() for name in column]
    assert {suit: sum(card[1] == suit for card in cards) for suit in {card[1] for card in cards}} == suits


def test_a14_the_code_and_the_rules_say_which_rules_are_in_play() -> None:
    """Fault 14, SS-10."""
    assert [(numbered(rules, 29).text, rules.game, rules.choice) for rules in GAMES] == [
        ("SS1-S1-AAAAABD", "simple-simon", ("suits", 1)),
        ("SS1-S2-AAAAABD", "simple-simon", ("suits", 2)),
        ("SS1-S4-AAAAABD", "simple-simon", ("suits", 4)),
        ("SC1-C-AAAAABD", "scorpion", ("rules", "classic")),
        ("SC1-R-AAAAABD", "scorpion", ("rules", "relaxed")),
    ]


def test_a15_a_double_tap_of_every_card_of_the_example_deal_moves_only_5d() -> None:
    """Fault 15, SS-7: no column is empty yet and no other card has a place of its suit."""
    game = start(FOUR_SUITS, simple_simon_example())
    moved, rules = [], set()
    for source, column in enumerate(game.position.names()):
        for at, card in enumerate(column):
            answer = act(game, Auto(source, at))
            if isinstance(answer, Rule):
                rules.add(answer)
            else:
                moved.append((card, shown(answer.game.position)[6]))
    assert moved == [("5D", "JD 3H 5C 6D 5D")]
    assert rules == {Rule.NO_PLACE, Rule.NOT_A_SEQUENCE}


def test_b16_relaxed_points_grow_for_ever_and_simple_simon_only_loses() -> None:
    """Fault 16, SC-11, SS-6: 41 moves bring 105 points without a run or a flip."""
    game = begin(RELAXED, scorpion_example(), Move(1, 5, 6))
    scores = [game.score]
    for number in range(40):
        done = turn(game, Move(4, 7, 6) if number % 2 else Move(6, 7, 4))
        assert not {"removed", "flipped"} & set(kinds(done.events))
        game = done.game
        scores.append(game.score)
    assert scores == [5 + 5 * (number // 2) for number in range(41)]
    assert (game.made, game.score) == (41, 105)
    assert [loop(moves).score for moves in range(5)] == [500, 499, 498, 497, 496]


def test_b18_undo_hides_a_turned_up_card_and_bars_it() -> None:
    """Fault 18, G-11: it cannot be taken by its place, and its name is gone."""
    position = scorpion("?KH 9D", "TD", "", "?QH JH")
    game = begin(CLASSIC, position, Move(0, 1, 1))
    assert turn(game, Move(0, 0, 2)).game.made == 2
    undone = turn(game, UNDO).game
    assert "KH" not in [name for column in undone.position.names() for name in column]
    assert refused(undone, Move(0, 0, 2)) is Rule.FACE_DOWN
    assert undone.position == position


def test_b19_a_run_that_turns_up_a_card_needs_one_undo() -> None:
    """Fault 19, G-6: move, run and flip go back together."""
    position = scorpion(f"?9D {down('KH', '2H')}", "5C AH")
    game = begin(CLASSIC, position, Move(1, 1, 0))
    assert (game.score, game.undoable) == (110, 1)
    undone = turn(game, UNDO).game
    assert (undone.position, undone.score, undone.made, undone.undoable) == (position, 0, 0, 0)


def test_b22_a_double_tap_that_finds_no_place_counts_as_nothing() -> None:
    """Fault 22, SS-7, G-10: 9H in the example deal: 0 moves, 500 points, nothing to undo, the redo list kept."""
    game = start(FOUR_SUITS, simple_simon_example())
    assert refused(game, Auto(1, 7)) is Rule.NO_PLACE
    result = replay({"game": "simple-simon", "suits": 4, "columns": game.position.names(), "actions": [["auto", 1, 7]]})
    assert (result["moves"], result["score"], result["undo"], result["redo"]) == (0, 500, 0, 0)
    undone = play_on(loop(2), UNDO, UNDO)
    assert refused(undone, Auto(1, 7)) is Rule.NO_PLACE
    assert play_on(undone, REDO, REDO) == loop(2)


@pytest.mark.parametrize("record", lines("coded_games.jsonl")[::4], ids=lambda record: str(record["id"]))
def test_b23_score_and_moves_keep_step_with_the_table_over_undo_and_redo(record: dict[str, object]) -> None:
    """Fault 23, G-6, G-7: 50 random undos and redos, each compared with the scores of the recorded game."""
    moves, scores = record["moves"], record["scores"]
    assert isinstance(moves, list)
    assert isinstance(scores, list)
    code = parse_code(str(record["code"]))
    game = begin(code.rules, code.deal(), *[DEAL if wish == "deal" else Move(*wish) for wish in moves])
    chance = random.Random(str(record["code"]))
    for _ in range(50):
        action = chance.choice([UNDO, UNDO, REDO])
        if game.undoable if action is UNDO else game.redoable:
            game = turn(game, action).game
            assert game.score == [code.rules.start, *scores][game.made]
    assert game.made < len(moves)


@pytest.mark.parametrize("record", lines("coded_games.jsonl"), ids=lambda record: str(record["id"]))
def test_b24_the_score_is_the_worth_of_all_events_from_the_start(record: dict[str, object]) -> None:
    """Fault 24, SS-6, SC-8: recomputed after each action by the tables of the rule pages."""
    moves, scores = record["moves"], record["scores"]
    assert isinstance(moves, list)
    assert isinstance(scores, list)
    code = parse_code(str(record["code"]))
    game, log = start(code.rules, code.deal()), list[str]()
    for wish, score in zip(moves, scores, strict=True):
        done = turn(game, DEAL if wish == "deal" else Move(*wish))
        game = done.game
        log += kinds(done.events)
        assert game.score == score == code.rules.start + sum([POINTS[code.rules.game].get(kind, 0) for kind in log])


def test_b25_a_game_that_is_kept_and_read_again_still_has_its_redo_list() -> None:
    """Fault 25, G-7: the history is a text, and nothing but an action changes it."""
    game = play_on(loop(6), UNDO, UNDO)
    kept = (game.position.text, game.score, game.words, game.made, game.floor)
    text, score, words, made, floor = kept
    again = Game(FOUR_SUITS, Position.parse(text), score, words, made, floor)
    assert again == game
    assert play_on(again, REDO, REDO) == loop(6)


def test_b26_undo_is_refused_where_there_is_nothing_to_undo() -> None:
    """Fault 26, G-6: at the start, twice after one action, after the stock, and after a win until the start again."""
    for rules in GAMES:
        assert refused(start(rules, numbered(rules, 1).deal()), UNDO) is Rule.NOTHING_TO_UNDO
        assert refused(start(rules, numbered(rules, 1).deal()), REDO) is Rule.NOTHING_TO_REDO
    assert refused(play_on(loop(1), UNDO), UNDO) is Rule.NOTHING_TO_UNDO
    dealt = begin(CLASSIC, scorpion_example(), DEAL, UNDO)
    assert refused(dealt, UNDO) is Rule.NOTHING_TO_UNDO
    won = begin(CLASSIC, scorpion(down("KC", "2C"), "AC", runs="SHD"), Move(1, 0, 0))
    assert refused(play_on(won, UNDO), UNDO) is Rule.NOTHING_TO_UNDO


def test_b29_a_game_that_is_undone_after_its_win_can_be_won_again() -> None:
    """Fault 29, G-7: in progress in between, by redo and by another move too."""
    won = begin(FOUR_SUITS, simple_simon(down("KC", "3C"), "2C AC", runs="SHD"), Move(1, 0, 0))
    undone = play_on(won, UNDO)
    assert [game.won for game in (won, undone, play_on(undone, REDO))] == [True, False, True]
    otherwise = play_on(undone, Move(1, 1, 2), Move(1, 0, 0), Move(2, 0, 0))
    assert (otherwise.won, otherwise.score, otherwise.redoable) == (True, 597, 0)


def test_b30_the_deal_of_a_won_game_begins_unwon() -> None:
    """Fault 30, G-8: starting again is a new game of the same cards."""
    code = parse_code("SS1-S1-AAAAABD")
    won = replay(document("example_simple_simon.json"))
    again = start(code.rules, code.deal())
    assert won["won"]
    assert (again.won, again.score, again.made, again.undoable) == (False, 500, 0, 0)


def test_b32_the_score_goes_below_zero_and_the_example_ends_at_851() -> None:
    """Fault 32, SS-6: 501 moves there and back leave -1."""
    assert loop(501).score == -1
    assert replay(document("example_simple_simon.json"))["score"] == 500 - 49 + 400


def test_b33_undo_costs_nothing() -> None:
    """Fault 33, G-6: 500 points and 0 moves again, however often."""
    game = loop(0)
    for _ in range(10):
        game = play_on(game, Move(9, 0, 6), UNDO)
        assert (game.score, game.made) == (500, 0)


def test_a_flip_names_the_card_that_turns_up() -> None:
    """SC-5, G-11: with its column."""
    position = scorpion("?KH 9D", "TD")
    assert turn(start(CLASSIC, position), Move(0, 1, 1)).events[-1] == Flipped(0, position.columns[0][0])
