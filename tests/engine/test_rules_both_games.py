"""The rules that both games share: G-1 to G-12, as far as the engine can show them."""

from collections import Counter

import pytest

from app.engine.cards import NAMES, RANKS, SUITS, names
from app.engine.codes import parse_code
from app.engine.game import act
from app.engine.games import GAMES
from app.engine.games.scorpion import CLASSIC, RELAXED
from app.engine.games.simple_simon import FOUR_SUITS, ONE_SUIT
from app.engine.moves import Action, Auto, Command, InvalidMove, Move
from app.engine.play import Dealt, Flipped, Moved, Removed, Suited, legal
from app.engine.position import Position
from app.engine.replay import replay
from app.engine.rules import Rule, Rules
from tests.engine.tables import (
    begin,
    document,
    down,
    game_id,
    kinds,
    lines,
    loop,
    loop_move,
    play_on,
    refused,
    scorpion,
    scorpion_example,
    shown,
    simple_simon,
    simple_simon_example,
    turn,
)

UNDO, REDO, DEAL = Command.UNDO, Command.REDO, Command.DEAL


def test_the_cards_are_those_of_one_deck_without_jokers() -> None:
    """G-1: 52 names of a rank and a suit, each a letter of its own."""
    assert sorted(NAMES.values()) == sorted(rank + suit for rank in "A23456789TJQK" for suit in "SHDC")
    assert len(set(NAMES)) == 52


@pytest.mark.parametrize("record", [*lines("coded_games.jsonl")], ids=lambda record: str(record["id"]))
def test_the_same_cards_lie_on_the_table_after_every_action(record: dict[str, object]) -> None:
    """G-1 and fault 10: columns, stock and removed runs together, to the win and all the way back."""
    code = parse_code(str(record["code"]))
    game = begin(code.rules, code.deal())
    deck = cards_of(game.position)
    assert sum(deck.values()) == 52
    moves = record["moves"]
    assert isinstance(moves, list)
    for wish in moves:
        game = turn(game, DEAL if wish == "deal" else Move(*wish)).game
        assert cards_of(game.position) == deck
    while game.undoable:
        game = turn(game, UNDO).game
        assert cards_of(game.position) == deck


def cards_of(position: Position) -> Counter[str]:
    """Return the cards of the columns, the stock and the removed runs."""
    runs = [rank + suit for suit in position.runs for rank in RANKS]
    return Counter([*names("".join(position.columns)), *names(position.stock), *runs])


@pytest.mark.parametrize(
    ("rules", "position"),
    [
        (FOUR_SUITS, simple_simon(f"9D {down('KH', '2H')}", "5C AH")),
        (ONE_SUIT, simple_simon(f"9S {down('KS', '2S')}", "5S AS")),
        (CLASSIC, scorpion(f"9D {down('KH', '2H')}", "5C AH")),
        (RELAXED, scorpion(f"9D {down('KH', '2H')}", "5C AH")),
    ],
    ids=["SS1-S4", "SS1-S1", "SC1-C", "SC1-R"],
)
def test_a_full_run_leaves_in_the_action_that_put_its_last_card_in_place(rules: Rules, position: Position) -> None:
    """G-2: king to ace of one suit at a column's end; the removal is no move of its own."""
    done = turn(begin(rules, position), Move(1, 1, 0))
    suit = "S" if rules is ONE_SUIT else "H"
    assert done.events[-1] == Removed(0, suit)
    assert done.game.position.runs == suit
    assert [len(column) for column in done.game.position.columns[:2]] == [1, 1]
    assert (done.game.made, done.game.undoable) == (1, 1)


@pytest.mark.parametrize("rules", [FOUR_SUITS, CLASSIC, RELAXED], ids=game_id)
def test_a_run_that_is_joined_in_its_middle_leaves_too(rules: Rules) -> None:
    """G-2: the last card put in place need not be the ace."""
    position = (simple_simon if rules is FOUR_SUITS else scorpion)(down("KC", "8C"), down("7C", "AC"))
    done = turn(begin(rules, position), Move(1, 0, 0))
    assert (shown(done.game.position), done.game.position.runs) == ([], "C")


@pytest.mark.parametrize("place", range(12))
@pytest.mark.parametrize("rules", [FOUR_SUITS, RELAXED], ids=game_id)
def test_thirteen_cards_of_mixed_suits_never_leave(rules: Rules, place: int) -> None:
    """G-2: one card of another suit anywhere in the sequence keeps it on the table."""
    run = [rank + "H" for rank in reversed(RANKS)]
    run[place] = run[place][0] + "D"
    position = (simple_simon if rules is FOUR_SUITS else scorpion)(" ".join(run[:12]), "AH")
    done = turn(begin(rules, position), Move(1, 0, 0))
    assert (shown(done.game.position), done.game.position.runs) == ([" ".join(run)], "")


def test_twelve_cards_without_their_king_never_leave() -> None:
    """G-2: only from king to ace."""
    done = turn(begin(FOUR_SUITS, simple_simon(down("QH", "2H"), "AH")), Move(1, 0, 0))
    assert shown(done.game.position) == [down("QH", "AH")]


@pytest.mark.parametrize("rules", [FOUR_SUITS, CLASSIC], ids=game_id)
def test_only_the_column_that_received_cards_is_looked_at(rules: Rules) -> None:
    """G-2: a run that lies elsewhere, or that a move uncovers, stays."""
    table = simple_simon if rules is FOUR_SUITS else scorpion
    game = begin(rules, table(f"{down('KH', 'AH')} 4S", "5S", down("KD", "AD")), Move(0, 13, 1))
    assert shown(game.position) == [down("KH", "AH"), "5S 4S", down("KD", "AD")]
    assert game.position.runs == ""


def test_the_look_for_runs_is_repeated_until_the_end_of_the_column_holds_none() -> None:
    """G-2: one card completes a run on top of another; both leave in one action, and one undo brings both back."""
    position = simple_simon(f"4S {down('KS', 'AS')} {down('KS', '2S')}", "5S AS")
    done = turn(begin(ONE_SUIT, position), Move(1, 1, 0))
    assert kinds(done.events) == ["moved", "suited", "removed", "removed"]
    assert (shown(done.game.position), done.game.position.runs) == (["4S", "5S"], "SS")
    assert (done.game.score, done.game.made) == (500 - 1 + 200, 1)
    assert turn(done.game, UNDO).game[:3] == (ONE_SUIT, position, 500)


def test_two_runs_of_different_suits_leave_one_column_together_and_come_back_in_place() -> None:
    """G-2, G-6: the order of removal is that of the look, from the end of the column on."""
    position = scorpion(f"?9D {down('KD', 'AD')} {down('KH', '2H')}", "AH")
    done = turn(begin(CLASSIC, position), Move(1, 0, 0))
    assert (done.game.position.runs, shown(done.game.position)) == ("HD", ["9D"])
    assert done.game.score == 5 + 200 + 5
    assert turn(done.game, UNDO).game.position == position


@pytest.mark.parametrize("rules", GAMES, ids=game_id)
@pytest.mark.parametrize("place", [-1, 10, 11, 999])
def test_no_action_names_the_places_of_the_removed_runs(rules: Rules, place: int) -> None:
    """G-2 and fault 6: no card is put on them, or taken from them, by hand."""
    game = begin(rules, (simple_simon if rules.prefix == "SS1" else scorpion)("KS", "5H", runs="HD"))
    for action in (Move(place, 0, 0), Move(0, 0, place), Auto(place, 0)):
        with pytest.raises(InvalidMove, match="no column"):
            act(game, action)
    with pytest.raises(InvalidMove, match="no place"):
        act(game, Move(0, -1, 1))


@pytest.mark.parametrize("rules", GAMES, ids=game_id)
def test_nothing_is_moved_onto_an_ace(rules: Rules) -> None:
    """G-3: not even a king, whatever the suits."""
    for ace in "AS", "AH", "AD", "AC":
        for card in NAMES.values():
            game = begin(rules, (simple_simon if rules.prefix == "SS1" else scorpion)(ace, card))
            assert refused(game, Move(1, 0, 0)) is Rule.ONTO_ACE


@pytest.mark.parametrize("rules", GAMES, ids=game_id)
def test_moving_cards_onto_their_own_column_is_refused(rules: Rules) -> None:
    """G-3: it is no move, even where the cards would follow the one below them."""
    game = begin(rules, (simple_simon if rules.prefix == "SS1" else scorpion)("KS 5H 4H"))
    for at in range(3):
        assert refused(game, Move(0, at, 0)) is Rule.SAME_COLUMN


@pytest.mark.parametrize("rules", GAMES, ids=game_id)
def test_the_fourth_run_wins_in_the_action_that_completes_it(rules: Rules) -> None:
    """G-4 and fault 2: no card is left, and the turn's own answer shows the win."""
    suits = rules.sets
    table = simple_simon if rules.prefix == "SS1" else scorpion
    game = begin(rules, table(down("K" + suits[3], "2" + suits[3]), "A" + suits[3], runs=suits[:3]))
    assert not game.won
    won = turn(game, Move(1, 0, 0)).game
    assert won.won
    assert (shown(won.position), won.position.stock, won.position.runs) == ([], "", suits)
    assert not turn(won, UNDO).game.won


def test_three_runs_are_no_win() -> None:
    """G-4: all four."""
    position = simple_simon(down("KD", "2D"), "AD", down("KC", "AC"), runs="SH")
    assert not begin(FOUR_SUITS, position, Move(1, 0, 0)).won


def test_a_table_on_which_nothing_moves_is_neither_lost_nor_judged() -> None:
    """G-5: no action is legal, yet nothing is said of the game but what lies there."""
    stuck = {"game": "simple-simon", "suits": 4, "columns": [[f"K{suit}"] for suit in "SHDCSHDCSH"]}
    result = replay({**stuck, "moves": [[0, 0, 1]]})
    assert (result["legal_moves"], result["won"]) == ([], False)
    table = {"columns", "stock", "removed", "legal_moves"}
    assert set(result) == table | {"id", "steps", "score", "moves", "won", "undo", "redo"}


def test_a_game_in_which_nothing_moves_any_more_goes_on_by_undo() -> None:
    """G-5, G-8: what helps then is the player's to choose."""
    columns = "3D", "4H", "8S", "8H", "8D", "8C", "KS 3H"
    game = begin(CLASSIC, scorpion(*columns), Move(6, 1, 1))
    assert legal(CLASSIC, game.position) == []
    assert not game.won
    assert shown(turn(game, UNDO).game.position) == list(columns)


def test_undo_takes_back_cards_flips_runs_score_and_moves_of_scorpion() -> None:
    """G-6 and fault 19: one undo for a move that completes a run and turns up two hidden cards."""
    position = scorpion(f"?9D {down('KH', '2H')}", "?5C AH", "TD")
    game = begin(CLASSIC, position)
    done = turn(game, Move(1, 1, 0))
    moved = Moved(1, 1, 0, position.columns[1][1])
    turned = {Flipped(0, position.columns[0][0]), Flipped(1, position.columns[1][0])}
    assert done.events[:3] == (moved, Suited(0), Removed(0, "H"))
    assert (len(done.events), set(done.events[3:])) == (5, turned)
    assert (done.game.score, done.game.made, shown(done.game.position)) == (115, 1, ["9D", "5C", "TD"])
    undone = turn(done.game, UNDO)
    assert (undone.game.position, undone.game.score, undone.game.made) == (position, 0, 0)
    assert undone.events == done.events


def test_undo_takes_back_cards_runs_score_and_moves_of_simple_simon() -> None:
    """G-6 and fault 33: it costs nothing and counts as nothing."""
    position = simple_simon(f"9D {down('KH', '2H')}", "5C AH")
    done = begin(FOUR_SUITS, position, Move(1, 1, 0))
    assert (done.score, done.made) == (599, 1)
    undone = turn(done, UNDO).game
    assert (undone.position, undone.score, undone.made) == (position, 500, 0)


def test_undo_takes_back_the_dealing_of_the_stock_whole() -> None:
    """G-6, SC-6: the cards return to the stock in their order, with the run and the flip that followed."""
    position = scorpion("", f"?5D {down('KH', '2H')}", "AS", stock="3C AH 7S")
    done = turn(begin(CLASSIC, position), DEAL)
    assert kinds(done.events) == ["dealt", "dealt", "dealt", "removed", "flipped"]
    assert turn(done.game, UNDO).game[:3] == (CLASSIC, position, 0)


@pytest.mark.parametrize("rules", [FOUR_SUITS, CLASSIC, RELAXED], ids=game_id)
def test_undo_and_redo_walk_a_whole_won_game_back_and_forth(rules: Rules) -> None:
    """G-6, G-7: each position, score and number of moves comes again exactly."""
    games = (record for record in lines("coded_games.jsonl") if record["n_moves"] <= 100)
    record = next(record for record in games if record["code"].startswith(game_id(rules)))
    code = parse_code(record["code"])
    game = begin(code.rules, code.deal())
    seen = [(game.position, game.score, game.made)]
    for wish in record["moves"]:
        game = turn(game, DEAL if wish == "deal" else Move(*wish)).game
        seen.append((game.position, game.score, game.made))
    assert game.won
    for expected in reversed(seen[:-1]):
        game = turn(game, UNDO).game
        assert (game.position, game.score, game.made) == expected
    assert refused(game, UNDO) is Rule.NOTHING_TO_UNDO
    for expected in seen[1:]:
        game = turn(game, REDO).game
        assert (game.position, game.score, game.made) == expected
    assert refused(game, REDO) is Rule.NOTHING_TO_REDO
    assert game.won


def test_exactly_the_100_most_recent_actions_can_be_taken_back() -> None:
    """G-6: the 101st action pushes the oldest out for good."""
    assert [loop(moves).undoable for moves in (0, 1, 99, 100, 101, 250)] == [0, 1, 99, 100, 100, 100]
    game = loop(101)
    for _ in range(100):
        game = turn(game, UNDO).game
    assert (game.made, game.score, game.undoable, game.redoable) == (1, 499, 0, 100)
    assert refused(game, UNDO) is Rule.NOTHING_TO_UNDO


def test_after_150_moves_40_undone_and_10_more_there_are_70_to_undo() -> None:
    """G-6: not 100, for what was pushed out stays out."""
    game = play_on(loop(150), *[UNDO] * 40)
    assert (game.made, game.undoable, game.redoable) == (110, 60, 40)
    game = play_on(game, *map(loop_move, range(110, 120)))
    assert (game.made, game.undoable, game.redoable) == (120, 70, 0)
    game = play_on(game, *[UNDO] * 70)
    assert (game.made, game.score) == (50, 450)
    assert refused(game, UNDO) is Rule.NOTHING_TO_UNDO


def test_redo_does_not_lengthen_what_can_be_undone_beyond_100() -> None:
    """G-6, G-7."""
    game = play_on(loop(130), *[UNDO] * 100, *[REDO] * 100)
    assert (game.undoable, game.redoable, game) == (100, 0, loop(130))


def test_redo_goes_forward_until_another_action_is_made() -> None:
    """G-7: a new action cuts off what was undone, even where it is the same action again."""
    game = play_on(loop(3), UNDO, UNDO)
    assert game.redoable == 2
    again = play_on(game, REDO)
    assert (again.made, again.redoable) == (2, 1)
    other = play_on(game, Move(0, 7, 3))
    assert (other.made, other.redoable) == (2, 0)
    assert refused(other, REDO) is Rule.NOTHING_TO_REDO
    same = play_on(game, loop_move(1))
    assert (same.made, same.redoable) == (2, 0)


def test_redo_makes_the_action_with_its_events_again() -> None:
    """G-7: what turns up and what leaves does so again."""
    game = begin(CLASSIC, scorpion(f"?9D {down('KH', '2H')}", "?5C AH"))
    done = turn(game, Move(1, 1, 0))
    assert turn(play_on(done.game, UNDO), REDO) == done


def test_undo_works_after_a_win_and_the_game_is_then_in_progress_again() -> None:
    """G-7 and fault 29."""
    record = document("example_simple_simon.json")
    moves = [*record["moves"], "undo"]
    result = replay({**record, "moves": None, "actions": moves})
    assert (result["won"], result["score"], result["moves"], result["redo"]) == (False, 752, 48, 1)
    again = replay({**record, "actions": [*moves, "redo"]})
    assert (again["won"], again["score"], again["moves"], again["redo"]) == (True, 851, 49, 0)


def test_score_and_moves_stand_beside_the_table_after_each_action() -> None:
    """G-9: the game has them, and with them its code and rules."""
    code = parse_code("SS1-S4-AAAAABD")
    game = begin(code.rules, code.deal())
    assert (game.score, game.made, game.rules.choice, code.text) == (500, 0, ("suits", 4), "SS1-S4-AAAAABD")


REFUSED: list[Action] = [Move(0, 0, 1), Move(0, 99, 1), Move(3, 0, 3), Auto(1, 7), Auto(0, 0), Command.DEAL]


def test_refused_actions_change_nothing_and_keep_the_redo_list() -> None:
    """G-10: no score, no move, no undo entry, no loss of the redo list."""
    game = play_on(loop(6), UNDO, UNDO)
    kept = tuple(game)
    for action in REFUSED:
        refused(game, action)
        assert tuple(game) == kept
    assert play_on(game, REDO, REDO) == loop(6)


def test_a_record_with_refused_actions_ends_like_one_without_them() -> None:
    """G-10: the same table, score, moves, undo and redo."""
    record = {"game": "simple-simon", "suits": 4, "columns": simple_simon_example().names()}
    accepted: list[object] = [[9, 0, 6], [6, 4, 9], [9, 0, 6], [6, 4, 9], "undo", "undo"]
    wrong: list[object] = [[0, 0, 1], ["auto", 1, 7], "deal", [0, 99, 3], [2, 0, 2], ["auto", 0, 0]]
    mixed = [wish for pair in zip(accepted, wrong, strict=True) for wish in pair] + wrong
    with_wrong, without = (replay({**record, "actions": actions}) for actions in (mixed, accepted))
    refusals = [step for step in with_wrong["steps"] if not step["ok"]]
    assert len(refusals) == 12
    assert {**with_wrong, "steps": 0} == {**without, "steps": 0}
    assert (with_wrong["undo"], with_wrong["redo"]) == (2, 2)


def test_hidden_cards_are_shown_as_nothing_but_hidden() -> None:
    """G-11: the names for people and programs say nothing about a face-down card."""
    position = scorpion_example()
    cards = [name for column in position.names() for name in column]
    hidden = {"2S", "4S", "5S", "8S", "TS", "QS", "AH", "2D", "5D", "JD", "AC", "2C"}
    assert cards.count("??") == 12
    assert hidden.isdisjoint(cards)
    assert {"6C", "TC", "KC"}.isdisjoint(cards)
    assert len(set(cards)) == 38


def test_undoing_a_turn_hides_the_card_again() -> None:
    """G-11 and fault 18: a card that a move turned up is hidden and cannot be taken after its undo."""
    game = begin(CLASSIC, scorpion("?4H 9D", "TD", "5H"))
    flipped = turn(game, Move(0, 1, 1)).game
    assert flipped.position.names()[0] == ["4H"]
    undone = turn(flipped, UNDO).game
    assert undone.position.names()[0] == ["??", "9D"]
    assert refused(undone, Move(0, 0, 2)) is Rule.FACE_DOWN
    assert refused(undone, Auto(0, 0)) is Rule.FACE_DOWN


def test_events_name_a_hidden_card_only_when_it_turns_up() -> None:
    """G-11: nothing that is still hidden after an action stands in its events."""
    position = scorpion_example()
    game = begin(CLASSIC, position)
    for action in (Move(1, 5, 6), Move(6, 4, 2), DEAL):
        done = turn(game, action)
        after = done.game.position
        still = "".join(column[:n] for column, n in zip(after.columns, after.down, strict=True)) + after.stock
        named = [part for event in done.events for part in event if isinstance(part, str)]
        assert not set(still) & set("".join(named))
        game = done.game
    assert [type(event) for event in done.events] == [Dealt] * 3


def test_identical_cards_are_known_by_their_places() -> None:
    """G-12: of two equal cards the one at the named place moves, and undo brings that one back."""
    position = simple_simon("KS 5S", "QS 5S", "6S")
    for source, left in ((0, ["KS", "QS 5S", "6S 5S"]), (1, ["KS 5S", "QS", "6S 5S"])):
        game = begin(ONE_SUIT, position, Move(source, 1, 2))
        assert shown(game.position) == left
        assert turn(game, UNDO).game.position == position


def test_identical_cards_are_the_same_letter() -> None:
    """G-12: nothing tells two equal cards apart but where they lie."""
    aces = [column[0] for column in simple_simon("AS", "AS", "AS", "AS").columns[:4]]
    assert len(set(aces)) == 1
    assert SUITS == "SHDC"
