"""The rules of Scorpion, SC-1 to SC-11, as far as the engine can show them (SC-1 also in test_deals)."""

from dataclasses import replace
from itertools import product

import pytest

from app.engine.cards import NAMES, RANKS
from app.engine.codes import parse_code
from app.engine.game import start
from app.engine.games import GAMES
from app.engine.games.scorpion import CLASSIC, RELAXED
from app.engine.moves import Auto, Command, Move
from app.engine.play import Dealt, best, legal, refusal
from app.engine.position import Position
from app.engine.replay import replay
from app.engine.rules import Rule, Rules, any_card
from tests.engine.tables import (
    begin,
    best_moves,
    down,
    game_id,
    kinds,
    lines,
    refused,
    scorpion,
    scorpion_example,
    shown,
    turn,
)

SCORPION = [CLASSIC, RELAXED]
DEAL, UNDO, REDO = Command.DEAL, Command.UNDO, Command.REDO


def test_the_example_deal_has_exactly_three_legal_moves_under_classic_rules() -> None:
    """SC-2, SC-3: SC-EX allows 4H onto 5H, 6S onto 7S, 2H onto 3H; and the stock."""
    position = scorpion_example()
    moves = [(position.names()[source][at], source + 1, target + 1) for source, at, target in legal(CLASSIC, position)]
    assert sorted(moves) == [("2H", 7, 3), ("4H", 2, 7), ("6S", 7, 2)]
    assert turn(start(CLASSIC, position), DEAL).game.made == 1


def test_the_example_deal_has_exactly_fourteen_legal_moves_under_relaxed_rules() -> None:
    """SC-3: every 2 onto the 3s, 4 onto the 5s, 6 onto 7S, 8 onto 9S, T onto JC; and the stock."""
    position = scorpion_example()
    moves = legal(RELAXED, position)
    assert len(moves) == 14
    assert set(legal(CLASSIC, position)) < set(moves)
    expected = {
        (source, at, target)
        for source, column in enumerate(position.names())
        for at, card in enumerate(column)
        for target, other in enumerate(position.names())
        if card != "??" and source != target and RANKS.index(other[-1][0]) == RANKS.index(card[0]) + 1
    }
    assert set(moves) == expected
    assert turn(start(RELAXED, position), DEAL).game.made == 1


def test_the_first_move_of_the_source_takes_along_what_lies_on_the_card() -> None:
    """SC-2: 4H from column 2 goes onto 5H in column 7 with 7S, although that is of another suit."""
    game = begin(CLASSIC, scorpion_example(), Move(1, 5, 6))
    assert game.position.names()[1] == ["??", "??", "??", "QH", "3C"]
    assert game.position.names()[6] == ["AD", "QD", "9D", "6S", "2H", "TD", "5H", "4H", "7S"]
    assert (game.score, game.made) == (5, 1)


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_any_face_up_card_moves_with_all_that_lies_on_it_in_order_or_not(rules: Rules) -> None:
    """SC-2: only the first card of the group decides, from the middle of a column too."""
    column = "2D 9S 4H KC AS 4D"
    for at, card in enumerate(column.split()):
        higher = RANKS[RANKS.index(card[0]) + 1] + card[1] if card[0] != "K" else ""
        game = begin(rules, scorpion(column, higher), Move(0, at, 1))
        cards = column.split()
        assert shown(game.position)[0] == " ".join(cards[:at])
        assert shown(game.position)[1] == " ".join([higher, *cards[at:]]).strip()


def test_classic_rules_take_a_card_onto_its_own_suit_one_rank_higher_only() -> None:
    """SC-3: all 52 times 52 pairs."""
    for end, card in product(NAMES.values(), repeat=2):
        fits = RANKS.index(end[0]) == RANKS.index(card[0]) + 1 and end[1] == card[1]
        assert (refusal(CLASSIC, scorpion(f"2C {end}", f"2D {card} 9H"), Move(1, 1, 0)) is None) == fits


def test_relaxed_rules_take_a_card_onto_any_suit_one_rank_higher_only() -> None:
    """SC-3: all 52 times 52 pairs."""
    for end, card in product(NAMES.values(), repeat=2):
        fits = RANKS.index(end[0]) == RANKS.index(card[0]) + 1
        assert (refusal(RELAXED, scorpion(f"2C {end}", f"2D {card} 9H"), Move(1, 1, 0)) is None) == fits


def test_classic_and_relaxed_rules_differ_in_nothing_else() -> None:
    """SC-3 and fault 11: only kings to empty columns, runs of one suit, the same cards, points and stock."""
    alike = replace(
        RELAXED,
        variant=CLASSIC.variant,
        choice=CLASSIC.choice,
        ranked_by=CLASSIC.ranked_by,
        build=CLASSIC.build,
    )
    fields = [name for name in CLASSIC.__slots__ if getattr(alike, name) != getattr(CLASSIC, name)]
    assert fields == []
    assert [rules.choice for rules in GAMES if rules.game == "scorpion"] == [("rules", "classic"), ("rules", "relaxed")]


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_an_empty_column_takes_only_a_king_by_a_move(rules: Rules) -> None:
    """SC-4: alone or with the cards lying on it."""
    for card, more in product(NAMES.values(), ("", " 9D", " 3H KC")):
        rule = refusal(rules, scorpion(f"5S {card}{more}"), Move(0, 1, 6))
        assert rule is (None if card[0] == "K" else Rule.KING_ONLY)


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_a_king_takes_the_cards_on_it_along_to_an_empty_column_for_no_points(rules: Rules) -> None:
    """SC-4, SC-8: a king that lies first in its column may move too."""
    game = begin(rules, scorpion("5S KD 3S 9H"), Move(0, 1, 2))
    assert (shown(game.position), game.score, game.made) == (["5S", "", "KD 3S 9H"], 0, 1)
    game = begin(rules, scorpion("KD 3S"), Move(0, 0, 1))
    assert (shown(game.position), game.score, game.made) == (["", "KD 3S"], 0, 1)


def test_one_rank_lower_of_another_suit_is_refused_for_its_suit_under_classic_rules() -> None:
    """SC-4: a 7 of hearts on an 8 of spades."""
    position = scorpion("8S", "2C 7H")
    assert refusal(CLASSIC, position, Move(1, 1, 0)) is Rule.WRONG_SUIT
    assert refusal(RELAXED, position, Move(1, 1, 0)) is None


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_a_hidden_card_turns_up_when_the_last_face_up_card_on_it_leaves(rules: Rules) -> None:
    """SC-5: that one only, and it is in play at once."""
    game = begin(rules, scorpion("?4C ?8H 9D 2S", "TD", "9H", "3S"), Move(0, 3, 3))
    assert shown(game.position)[0] == "?4C ?8H 9D"
    done = turn(game, Move(0, 2, 1))
    assert kinds(done.events) == ["moved", "suited", "flipped"]
    assert shown(done.game.position)[0] == "?4C 8H"
    game = turn(done.game, Move(0, 1, 2)).game
    assert shown(game.position) == ["4C", "TD 9D", "9H 8H", "3S 2S"]


def test_a_hidden_card_turns_up_after_the_removal_of_a_run() -> None:
    """SC-5, SC-8: +5 for the suit, +100 for the run, +5 for the card."""
    done = turn(begin(CLASSIC, scorpion(f"?5C {down('KS', '2S')}", "AS")), Move(1, 0, 0))
    assert kinds(done.events) == ["moved", "suited", "removed", "flipped"]
    assert (shown(done.game.position), done.game.score) == (["5C"], 110)


def test_a_hidden_card_does_not_move() -> None:
    """SC-2, SC-5: nor do the cards on it by way of it."""
    position = scorpion("?4H 9D", "5H")
    assert refusal(RELAXED, position, Move(0, 0, 1)) is Rule.FACE_DOWN
    assert not [move for move in legal(RELAXED, position) if move.at == 0 and move.source == 0]


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_the_stock_is_dealt_face_up_onto_columns_one_to_three_its_top_card_first(rules: Rules) -> None:
    """SC-6, SC-8: one action, one move, 0 points, even where the cards would follow in suit."""
    position = scorpion("?2D 4C", "8D", "9S", "TH", stock="3C 7D 8S")
    done = turn(start(rules, position), DEAL)
    assert done.events == (Dealt(0, position.stock[0]), Dealt(1, position.stock[1]), Dealt(2, position.stock[2]))
    assert shown(done.game.position) == ["?2D 4C 3C", "8D 7D", "9S 8S", "TH"]
    assert (done.game.score, done.game.made, done.game.position.stock) == (0, 1, "")


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_the_stock_is_dealt_only_once(rules: Rules) -> None:
    """SC-6: and again only after its undo."""
    game = begin(rules, scorpion_example(), DEAL)
    assert refused(game, DEAL) is Rule.STOCK_EMPTY
    undone = turn(game, UNDO).game
    assert len(undone.position.stock) == 3
    assert turn(undone, DEAL).game == game == turn(undone, REDO).game


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_the_stock_is_dealt_at_any_time_onto_empty_columns_and_aces_too(rules: Rules) -> None:
    """SC-6, G-3 and fault 8: with legal moves left, hidden cards left, and on whatever lies there."""
    game = begin(rules, scorpion("", "AS", "?9D 4C", "?5D KH", stock="3C 7D 8S"), DEAL)
    assert shown(game.position) == ["3C", "AS 7D", "?9D 4C 8S", "?5D KH"]
    game = begin(rules, scorpion(stock="3C 7D 8S"), DEAL)
    assert shown(game.position) == ["3C", "7D", "8S"]


@pytest.mark.parametrize("column", range(3))
def test_dealing_the_stock_removes_the_runs_that_it_completes(column: int) -> None:
    """SC-7 and fault 1: at once, +100, the next hidden card of the column turns up for +5, and one move in all."""
    columns = ["4D", "4H", "4S"]
    columns[column] = f"?9H {down('KC', '2C')}"
    stock = ["7D", "7H", "7S"]
    stock[column] = "AC"
    done = turn(start(CLASSIC, scorpion(*columns, stock=" ".join(stock))), DEAL)
    assert kinds(done.events) == ["dealt", "dealt", "dealt", "removed", "flipped"]
    assert shown(done.game.position)[column] == "9H"
    assert (done.game.position.runs, done.game.score, done.game.made) == ("C", 105, 1)


def test_dealing_the_stock_may_complete_three_runs_and_win() -> None:
    """SC-7, G-4: the runs leave from the first column on."""
    columns = [down(f"K{suit}", f"2{suit}") for suit in "CHS"]
    game = begin(CLASSIC, scorpion(*columns, stock="AC AH AS", runs="D"), DEAL)
    assert (game.position.runs, game.score, game.won) == ("DCHS", 300, True)
    assert turn(game, UNDO).game.position == scorpion(*columns, stock="AC AH AS", runs="D")


def test_dealing_the_stock_looks_at_columns_one_to_three_only() -> None:
    """SC-7: a bare run elsewhere stays."""
    run = down("KH", "AH")
    game = begin(CLASSIC, scorpion("2D", "4D", "6D", run, "", "", run, stock="3C 9D 7S"), DEAL)
    assert shown(game.position) == ["2D 3C", "4D 9D", "6D 7S", run, "", "", run]


def test_a_stock_card_covers_a_bare_run_again() -> None:
    """SC-7: the look comes after the cards are dealt."""
    game = begin(CLASSIC, scorpion(down("KH", "AH"), stock="3C 9D 7S"), DEAL)
    assert (shown(game.position)[0], game.position.runs) == (f"{down('KH', 'AH')} 3C", "")


def test_a_run_covered_by_other_cards_stays_and_leaves_when_it_is_moved_bare_to_an_empty_column() -> None:
    """SC-7: neither covered, nor just uncovered, nor moved with its cover."""
    run = down("KS", "AS")
    game = begin(CLASSIC, scorpion(f"{run} 9D", "", "TD"), Move(0, 0, 1))
    assert (shown(game.position), game.score) == (["", f"{run} 9D", "TD"], 0)
    game = turn(game, Move(1, 13, 2)).game
    assert (shown(game.position), game.score) == (["", run, "TD 9D"], 5)
    game = turn(game, Move(1, 0, 0)).game
    assert (shown(game.position), game.score, game.position.runs) == (["", "", "TD 9D"], 105, "S")


def test_a_run_that_comes_complete_at_the_end_of_a_group_leaves() -> None:
    """SC-7: the column that received cards is what counts, not where the run was made."""
    game = begin(CLASSIC, scorpion(f"2D {down('KS', 'AS')}", "3D"), Move(0, 0, 1))
    assert (shown(game.position), game.score) == (["", "3D 2D"], 105)


def test_a_run_with_a_hidden_card_in_it_stays() -> None:
    """SC-7, G-2: all 13 face up."""
    run = down("QS", "2S")
    game = begin(CLASSIC, scorpion(f"?KS {run}", "AS"), Move(1, 0, 0))
    assert (shown(game.position), game.score) == ([f"?KS {run} AS"], 5)


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_a_card_placed_on_its_own_suit_brings_five_points_once_however_many_come_along(rules: Rules) -> None:
    """SC-8: the group's first card counts, not what lies on it."""
    game = begin(rules, scorpion("2C 8H 7H 6H", "9H"), Move(0, 1, 1))
    assert game.score == 5


def test_a_card_placed_on_another_suit_brings_nothing_under_relaxed_rules() -> None:
    """SC-8: although the cards on it are in suit."""
    done = turn(start(RELAXED, scorpion("2C 8H 7H", "9S")), Move(0, 1, 1))
    assert (kinds(done.events), done.game.score) == (["moved"], 0)


def test_a_turned_up_card_brings_five_points() -> None:
    """SC-8: also when a king goes to an empty column, which brings nothing itself."""
    game = begin(CLASSIC, scorpion("?2C KH 3D"), Move(0, 1, 1))
    assert game.score == 5


def test_no_action_costs_points() -> None:
    """SC-8: there is no negative entry in the table, in either variant."""
    for rules in SCORPION:
        assert dict(rules.points) == {"suited": 5, "flipped": 5, "removed": 100}
        assert rules.start == 0


WON = [
    record
    for name in ("games.jsonl", "coded_games.jsonl")
    for record in lines(name)
    if record["game"] == "scorpion" and sum(card[0] == "?" for column in record["columns"] for card in column) == 12
]


@pytest.mark.parametrize("record", WON, ids=lambda record: str(record["id"]))
def test_a_game_won_without_undo_brings_460_points_and_5_for_each_card_placed_in_suit(
    record: dict[str, object],
) -> None:
    """SC-8: 12 times 5 and 4 times 100."""
    rules = next(rules for rules in SCORPION if rules.choice[1] == record["rules"])
    columns, stock, moves = record["columns"], record["stock"], record["moves"]
    assert isinstance(columns, list)
    assert isinstance(stock, list)
    assert isinstance(moves, list)
    game = start(rules, Position.read(columns, stock, []))
    events: list[str] = []
    for wish in moves:
        done = turn(game, DEAL if wish == "deal" else Move(*wish))
        assert done.game.score >= game.score
        game = done.game
        events += kinds(done.events)
    assert (events.count("flipped"), events.count("removed")) == (12, 4)
    assert game.score == 460 + 5 * events.count("suited")


def tapped(rules: Rules, position: Position, source: int, at: int) -> int | Rule:
    """Return the column that a double tap sends the group to, or the rule that refuses it."""
    chosen = best(rules, position, Auto(source, at))
    if isinstance(chosen, Rule):
        return chosen
    assert chosen[:2] == (source, at)
    return chosen.target


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_a_double_tap_continues_the_own_suit_first(rules: Rules) -> None:
    """SC-9: before another suit further left."""
    assert tapped(rules, scorpion("2C 5H KS", "6S", "6D", "6H"), 0, 1) == 3


def test_a_double_tap_takes_the_leftmost_column_of_another_suit_under_relaxed_rules_only() -> None:
    """SC-9: then, relaxed, the leftmost that takes it."""
    position = scorpion("2C 5H KS", "7S", "6S", "6D", "")
    assert tapped(RELAXED, position, 0, 1) == 2
    assert tapped(CLASSIC, position, 0, 1) is Rule.NO_PLACE


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_a_double_tap_sends_a_king_to_the_leftmost_empty_column(rules: Rules) -> None:
    """SC-9: unless it already lies first in its own."""
    assert tapped(rules, scorpion("9S", "5H KD 3S", "", "4D", ""), 1, 1) == 2
    assert tapped(rules, scorpion("9S", "KD 3S", "", ""), 1, 0) is Rule.NO_PLACE
    assert refusal(rules, scorpion("9S", "KD 3S", "", ""), Move(1, 0, 2)) is None


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_a_double_tap_sends_nothing_but_a_king_to_an_empty_column(rules: Rules) -> None:
    """SC-9, SC-4."""
    assert tapped(rules, scorpion("9S 5H"), 0, 1) is Rule.NO_PLACE
    assert tapped(rules, scorpion("9S 5H"), 0, 0) is Rule.NO_PLACE


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_a_double_tap_of_a_hidden_card_or_of_no_card_moves_nothing(rules: Rules) -> None:
    """SC-9."""
    assert tapped(rules, scorpion("?KS 5H"), 0, 0) is Rule.FACE_DOWN
    assert tapped(rules, scorpion("?KS 5H"), 0, 2) is Rule.NO_CARD
    assert tapped(rules, scorpion("?KS 5H"), 1, 0) is Rule.NO_CARD


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_the_best_places_that_are_shown_are_those_of_a_double_tap(rules: Rules) -> None:
    """SC-9: automatic placement and double tap choose alike, among the legal moves."""
    position = begin(rules, scorpion_example(), DEAL).position._replace(columns=("", *scorpion_example().columns[1:]))
    position = position._replace(down=(0, *position.down[1:]))
    chosen = [
        best(rules, position, Auto(source, at))
        for source, column in enumerate(position.columns)
        for at in range(len(column))
    ]
    assert best_moves(rules, position) == [move for move in chosen if not isinstance(move, Rule)]
    assert Move(3, 3, 0) in chosen


@pytest.mark.parametrize("rules", SCORPION, ids=game_id)
def test_the_legal_targets_of_a_group_are_the_columns_that_take_it(rules: Rules) -> None:
    """SC-9: placement help for Scorpion."""
    position = scorpion("2C 5H KS", "6S", "6D", "6H", "", "AS", "5S")
    targets = [move.target for move in legal(rules, position) if move[:2] == (0, 1)]
    assert targets == ([3] if rules is CLASSIC else [1, 2, 3])
    assert [move.target for move in legal(rules, position) if move[:2] == (0, 2)] == [4]


def test_hidden_cards_count_for_nothing_in_the_longest_sequence() -> None:
    """SC-9, G-11: a double tap gives nothing away (only a record with equal cards can show it)."""
    assert tapped(CLASSIC, scorpion("2C 5S", "?8S ?7S 6S", "7S 6S", "6S"), 0, 1) == 2


def test_one_more_game_is_one_more_record_of_data() -> None:
    """SC-10: here only that an empty column's rule is a choice; Wasp itself is played in test_wasp."""
    wasp = replace(CLASSIC, vacant=any_card)
    position = scorpion("9S 5H")
    assert refusal(CLASSIC, position, Move(0, 1, 1)) is Rule.KING_ONLY
    assert refusal(wasp, position, Move(0, 1, 1)) is None


def test_relaxed_games_gain_for_ever_by_moving_a_group_off_its_suit_and_back() -> None:
    """SC-11 and fault 16: by the source's own scoring 41 moves of 4H bring 105 points, and so on without end."""
    there_and_back = [Move(1, 5, 6), *[Move(6, 7, 4), Move(4, 7, 6)] * 20]
    game = begin(RELAXED, scorpion_example(), *there_and_back)
    assert (game.made, game.score, game.position.runs) == (41, 105, "")
    assert game.position.down == scorpion_example().down
    more = begin(RELAXED, scorpion_example(), *there_and_back, *[Move(6, 7, 4), Move(4, 7, 6)] * 100)
    assert (more.made, more.score) == (241, 605)


@pytest.mark.parametrize("record", lines("coded_games.jsonl")[24:32], ids=lambda record: str(record["id"]))
def test_classic_rules_have_no_such_cycle(record: dict[str, object]) -> None:
    """SC-11 and fault 16: what lies on its own suit never leaves it, in any position of eight won games."""
    moves = record["moves"]
    assert isinstance(moves, list)
    code = parse_code(str(record["code"]))
    assert code.rules is CLASSIC
    game = start(CLASSIC, code.deal())
    checked = 0
    for wish in moves:
        columns = game.position.names()
        for source, at, _ in legal(CLASSIC, game.position):
            if at:
                card, under = columns[source][at], columns[source][at - 1]
                assert under == "??" or under[1] != card[1] or RANKS.index(under[0]) != RANKS.index(card[0]) + 1
                checked += 1
        game = turn(game, DEAL if wish == "deal" else Move(*wish)).game
    assert checked > 50


def test_the_rules_of_a_record_are_its_own_whatever_was_played_before() -> None:
    """SC-3 and fault 11: a relaxed game after a classic one, and the other way round."""
    record = {"game": "scorpion", "columns": [["8S"], ["2C", "7H"], [], [], [], [], []], "moves": [[1, 1, 0]]}
    played = [replay({**record, "rules": choice})["steps"][0]["ok"] for choice in ("classic", "relaxed") * 2]
    assert played == [False, True, False, True]
