"""The rules of Simple Simon, SS-1 to SS-10, as far as the engine can show them (SS-1 and SS-2 also in test_deals)."""

from itertools import product

import pytest

from app.engine.cards import NAMES, RANKS
from app.engine.game import start
from app.engine.games import GAMES
from app.engine.games.simple_simon import FOUR_SUITS, ONE_SUIT, TWO_SUITS
from app.engine.moves import Auto, Command, Move
from app.engine.play import best, groups, legal, refusal
from app.engine.position import Position
from app.engine.rules import Rule, Rules
from tests.engine.tables import (
    begin,
    best_moves,
    down,
    game_id,
    loop,
    refused,
    shown,
    simple_simon,
    simple_simon_example,
    turn,
)

SIMPLE_SIMON = [ONE_SUIT, TWO_SUITS, FOUR_SUITS]


def test_the_example_deal_has_exactly_seven_legal_moves() -> None:
    """SS-3, SS-4: SS-EX allows 4C onto 5S or 5D, 5S, 5D and no other 5 onto a 6, 6D onto 7S, two queens onto KS."""
    position = simple_simon_example()
    moves = [
        (position.names()[source][at], source + 1, target + 1) for source, at, target in legal(FOUR_SUITS, position)
    ]
    assert sorted(moves) == [
        ("4C", 1, 4),
        ("4C", 1, 10),
        ("5D", 10, 7),
        ("5S", 4, 7),
        ("6D", 7, 9),
        ("QD", 8, 3),
        ("QH", 6, 3),
    ]


def test_there_is_no_stock_to_deal() -> None:
    """SS-1: no stock and no spare cell: ten columns are all there is."""
    for rules in SIMPLE_SIMON:
        assert (rules.stock_to, len(rules.layout)) == ((), 10)
        assert refused(start(rules, simple_simon_example()), Command.DEAL) is Rule.STOCK_EMPTY


def test_simple_simon_is_offered_with_one_two_and_four_suits_in_this_order() -> None:
    """SS-2: "Helppo", "Keskitaso", "Vaikea"."""
    offered = [rules for rules in GAMES if rules.game == "simple-simon"]
    assert [rules.choice for rules in offered] == [("suits", 1), ("suits", 2), ("suits", 4)]
    assert [len(set(rules.sets)) for rules in offered] == [1, 2, 4]


@pytest.mark.parametrize("rules", SIMPLE_SIMON, ids=game_id)
def test_a_card_goes_onto_any_card_exactly_one_rank_higher_and_no_other(rules: Rules) -> None:
    """SS-3: whatever the suit; all 52 times 52 pairs."""
    for end, card in product(NAMES.values(), repeat=2):
        fits = RANKS.index(end[0]) == RANKS.index(card[0]) + 1
        assert (refusal(rules, simple_simon(f"2C {end}", f"2D {card}"), Move(1, 1, 0)) is None) == fits


@pytest.mark.parametrize(("card", "end"), [("3H", "4S"), ("QD", "KC"), ("AS", "2H"), ("TC", "JC")])
def test_a_card_of_another_suit_or_of_the_same_lands_on_the_end(card: str, end: str) -> None:
    """SS-3: a 3 of hearts on a 4 of spades, a queen on a king."""
    game = begin(FOUR_SUITS, simple_simon(f"9S {end}", f"9H {card}"), Move(1, 1, 0))
    assert shown(game.position) == [f"9S {end} {card}", "9H"]


def test_only_the_last_card_of_a_column_takes_cards() -> None:
    """SS-3: not one that is covered."""
    assert refusal(FOUR_SUITS, simple_simon("4S 9H", "3S"), Move(1, 0, 0)) is Rule.WRONG_RANK


def test_a_king_goes_only_to_an_empty_column() -> None:
    """SS-3: no card is one rank higher than a king."""
    for end in NAMES.values():
        assert refusal(FOUR_SUITS, simple_simon(end, "5H KS"), Move(1, 1, 0)) is not None
    game = begin(FOUR_SUITS, simple_simon("5H KS"), Move(0, 1, 1))
    assert shown(game.position) == ["5H", "KS"]


@pytest.mark.parametrize("at", range(1, 5))
def test_any_part_of_a_one_suit_sequence_at_the_end_of_a_column_moves_together(at: int) -> None:
    """SS-4: from any of its cards on."""
    column = ["2C", "8H", "7H", "6H", "5H"]
    top = RANKS[RANKS.index(column[at][0]) + 1] + "S"
    game = begin(FOUR_SUITS, simple_simon(" ".join(column), top), Move(0, at, 1))
    assert shown(game.position) == [" ".join(column[:at]), " ".join([top, *column[at:]])]


@pytest.mark.parametrize(
    ("column", "rule"),
    [
        ("8S 7H 6H", Rule.MIXED_SUITS),
        ("8H 7S 6S", Rule.MIXED_SUITS),
        ("8H 7D", Rule.MIXED_SUITS),
        ("8H 7H 6H 5H 4S", Rule.MIXED_SUITS),
        ("8H 6H", Rule.NOT_A_SEQUENCE),
        ("8H 9H", Rule.NOT_A_SEQUENCE),
        ("8H 8H", Rule.NOT_A_SEQUENCE),
        ("8H 7H 7H", Rule.NOT_A_SEQUENCE),
        ("2H AH KH", Rule.NOT_A_SEQUENCE),
        ("AH KH QH", Rule.NOT_A_SEQUENCE),
    ],
)
def test_no_other_group_moves_although_empty_columns_would_allow_it_card_by_card(column: str, rule: Rule) -> None:
    """SS-4: the program never takes a group apart for the player."""
    game = start(FOUR_SUITS, simple_simon(column, "9S", "3C", "2C"))
    for target in (1, 2, 3, 4, 9):
        assert refused(game, Move(0, 0, target)) is rule
    assert refused(game, Auto(0, 0)) is rule


@pytest.mark.parametrize("suit", "SHDC")
def test_a_group_is_placed_like_a_single_card(suit: str) -> None:
    """SS-4: its first card goes onto a card one rank higher, of any suit, or to an empty column."""
    position = simple_simon("2C 8H 7H 6H", f"9{suit}", "TH", "8C", "AC")
    assert refusal(FOUR_SUITS, position, Move(0, 1, 1)) is None
    assert refusal(FOUR_SUITS, position, Move(0, 1, 5)) is None
    assert refusal(FOUR_SUITS, position, Move(0, 1, 2)) is Rule.WRONG_RANK
    assert refusal(FOUR_SUITS, position, Move(0, 1, 3)) is Rule.WRONG_RANK
    assert refusal(FOUR_SUITS, position, Move(0, 1, 4)) is Rule.ONTO_ACE


def test_there_is_no_limit_on_the_size_of_a_group() -> None:
    """SS-4, SS-5: twelve cards go onto a card and to an empty column, and none is empty after that."""
    full = ["5S"] * 8
    game = begin(FOUR_SUITS, simple_simon(f"5C {down('QH', 'AH')}", "KS", *full), Move(0, 1, 1))
    assert shown(game.position)[:2] == ["5C", f"KS {down('QH', 'AH')}"]
    game = begin(FOUR_SUITS, simple_simon(f"5C {down('QH', 'AH')}", "", *full), Move(0, 1, 1))
    assert shown(game.position)[:2] == ["5C", down("QH", "AH")]


@pytest.mark.parametrize("rules", SIMPLE_SIMON, ids=game_id)
def test_an_empty_column_takes_any_card_and_any_one_suit_group(rules: Rules) -> None:
    """SS-5: not only kings, and a whole column too."""
    for card in NAMES.values():
        for at in (0, 1):
            position = simple_simon(("5C " if at else "") + card)
            assert refusal(rules, position, Move(0, at, 9)) is None
    for size in range(2, 13):
        group = " ".join(down("KD", "AD").split()[-size:])
        assert shown(begin(rules, simple_simon(group), Move(0, 0, 9)).position) == [*[""] * 9, group]


@pytest.mark.parametrize(
    ("group", "target"), [("5D", "6D"), ("5D", "6S"), ("5D", ""), ("5D 4D 3D", "6D"), ("5D 4D 3D", "")]
)
def test_each_move_of_a_card_or_group_costs_one_point(group: str, target: str) -> None:
    """SS-6: the same suit brings nothing."""
    game = begin(FOUR_SUITS, simple_simon(f"2C {group}", target), Move(0, 1, 1))
    assert (game.score, game.made) == (499, 1)


def test_each_removed_run_brings_a_hundred_points() -> None:
    """SS-6: the move that completes it still costs its point, the removal none."""
    position = simple_simon(down("KH", "2H"), down("KS", "2S"), "AS AH")
    scores = [500]
    game = start(FOUR_SUITS, position)
    for move in (Move(2, 1, 0), Move(2, 0, 1)):
        game = turn(game, move).game
        scores.append(game.score)
    assert scores == [500, 599, 698]
    assert game.made == 2


def test_the_score_has_no_lower_limit() -> None:
    """SS-6 and fault 32: after 501 moves it is -1, and it comes back by a run."""
    game = loop(501)
    assert (game.score, game.made) == (-1, 501)
    assert loop(1000).score == -500
    low = start(FOUR_SUITS, simple_simon(down("KH", "2H"), "AH"))._replace(score=-1)
    assert turn(low, Move(1, 0, 0)).game.score == 98


def tapped(rules: Rules, position: Position, source: int, at: int) -> int | Rule:
    """Return the column that a double tap sends the group to, or the rule that refuses it."""
    chosen = best(rules, position, Auto(source, at))
    if isinstance(chosen, Rule):
        return chosen
    assert chosen[:2] == (source, at)
    return chosen.target


def test_a_double_tap_continues_the_own_suit_before_it_takes_an_empty_column() -> None:
    """SS-7: a column of its suit further right wins over an empty one further left."""
    assert tapped(FOUR_SUITS, simple_simon("2C 5H", "", "6S", "6H"), 0, 1) == 3
    assert tapped(FOUR_SUITS, simple_simon("2C 5H 4H", "", "6S", "6H"), 0, 1) == 3


def test_a_double_tap_never_picks_a_card_of_another_suit() -> None:
    """SS-7: an empty column before it, and without one nothing moves."""
    assert tapped(FOUR_SUITS, simple_simon("2C 5H", "6S", "6D", ""), 0, 1) == 3
    full = simple_simon("2C 5H", *["6S"] * 9)
    assert refusal(FOUR_SUITS, full, Move(0, 1, 1)) is None
    assert tapped(FOUR_SUITS, full, 0, 1) is Rule.NO_PLACE


@pytest.mark.parametrize("rules", [ONE_SUIT, TWO_SUITS], ids=game_id)
def test_a_double_tap_prefers_the_column_that_makes_the_longest_sequence_of_the_suit(rules: Rules) -> None:
    """SS-7: among several columns of the same suit."""
    position = simple_simon("2S 5S", "6S", "8S 7S 6S", "9S 7S 6S", "7S 6S", "8H 7H 6S")
    assert tapped(rules, position, 0, 1) == 2


@pytest.mark.parametrize("rules", [ONE_SUIT, TWO_SUITS], ids=game_id)
def test_a_double_tap_takes_the_leftmost_of_columns_with_equal_sequences(rules: Rules) -> None:
    """SS-7: then the leftmost; cards that are not in sequence count for nothing."""
    assert tapped(rules, simple_simon("6S", "7S 6S", "2S 5S", "7S 6S", "7S 6S"), 2, 1) == 1
    assert tapped(rules, simple_simon("2S 5S", "KS QS JS 6S", "6S", "3S 6S"), 0, 1) == 1


def test_a_double_tap_counts_no_card_of_another_suit_into_the_sequence() -> None:
    """SS-7: the longest same-suit descending sequence, not the longest descending one."""
    position = simple_simon("2S 5S", "TH 9H 8H 7H 6S", "7S 6S")
    assert tapped(TWO_SUITS, position, 0, 1) == 2


def test_a_double_tap_takes_the_leftmost_of_empty_columns() -> None:
    """SS-7: any card and any group."""
    assert tapped(FOUR_SUITS, simple_simon("9S", "", "2C 5H 4H", ""), 2, 1) == 1
    assert tapped(FOUR_SUITS, simple_simon("2C KH"), 0, 1) == 1


def test_a_double_tap_never_moves_a_whole_column_to_an_empty_one() -> None:
    """SS-7: a group that fills its column alone stays, unless it continues its suit."""
    assert tapped(FOUR_SUITS, simple_simon("5H 4H", "6S"), 0, 0) is Rule.NO_PLACE
    assert tapped(FOUR_SUITS, simple_simon("5H 4H", "6S"), 0, 1) == 2
    assert tapped(FOUR_SUITS, simple_simon("5H 4H", "6S", "6H"), 0, 0) == 2
    # By drag or by tap and tap the player may do so all the same.
    assert refusal(FOUR_SUITS, simple_simon("5H 4H", "6S"), Move(0, 0, 2)) is None


def test_a_double_tap_of_a_group_that_does_not_move_says_why() -> None:
    """SS-7: nothing moves, as after a refused move."""
    assert tapped(FOUR_SUITS, simple_simon("8H 7S"), 0, 0) is Rule.MIXED_SUITS
    assert tapped(FOUR_SUITS, simple_simon("8H 6H"), 0, 0) is Rule.NOT_A_SEQUENCE
    assert tapped(FOUR_SUITS, simple_simon("8H 6H"), 0, 2) is Rule.NO_CARD


def test_a_double_tap_is_the_move_that_it_chooses() -> None:
    """SS-7, SS-8: the same position, events, score and history as by drag."""
    game = start(FOUR_SUITS, simple_simon_example())
    assert turn(game, Auto(9, 0)) == turn(game, Move(9, 0, 6))


@pytest.mark.parametrize("rules", SIMPLE_SIMON, ids=game_id)
def test_the_best_places_that_are_shown_are_those_of_a_double_tap(rules: Rules) -> None:
    """SS-7, SS-8: of each group that has one, and always one of its legal moves."""
    position = simple_simon("2S 6S 5S", "6S", "7S 6S", "8H 7H", "", "KS", "9H 8H", "4S")
    expected = []
    for source, column in enumerate(position.columns):
        for at in range(len(column)):
            chosen = best(rules, position, Auto(source, at))
            if not isinstance(chosen, Rule):
                expected.append(chosen)
    assert best_moves(rules, position) == expected
    assert set(expected) <= set(legal(rules, position))
    assert Move(7, 0, 0) in expected


def test_the_legal_targets_of_a_group_are_the_columns_that_take_it() -> None:
    """SS-9: what placement help highlights is what is accepted, and no more."""
    position = simple_simon("2C 5H 4H", "6S", "6H", "6D 5D", "", "7C", "", "AC", "KS", "5S")
    targets = {(source, at): targets for source, at, _, targets in groups(FOUR_SUITS, position)}
    assert (targets[0, 1], targets[0, 2]) == ([1, 2, 4, 6], [3, 4, 6, 9])
    # A group that may not be picked up is not there at all.
    assert (0, 0) not in targets
    assert [Move(*place, target) for place, taken in targets.items() for target in taken] == legal(FOUR_SUITS, position)
    assert all(targets.values())


def test_a_refused_move_answers_with_the_rule_that_refused_it() -> None:
    """SS-9: what interactive rules remind of."""
    game = start(FOUR_SUITS, simple_simon_example())
    assert refused(game, Move(1, 7, 0)) is Rule.WRONG_RANK
    assert refused(game, Move(1, 7, 4)) is Rule.ONTO_ACE
    assert refused(game, Move(1, 6, 4)) is Rule.NOT_A_SEQUENCE


def test_simple_simon_codes_name_the_number_of_suits() -> None:
    """SS-10: S1, S2 and S4 after SS1."""
    assert [(rules.prefix, rules.variant) for rules in SIMPLE_SIMON] == [("SS1", "S1"), ("SS1", "S2"), ("SS1", "S4")]
