"""What codes deal: the deals of an independent implementation, pinned ones of our own, and their fairness."""

import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from hashlib import sha256
from itertools import pairwise
from secrets import randbelow
from statistics import mean, stdev

import pytest

from app.engine.cards import RANKS, names
from app.engine.codes import DEALS, Code, numbered, parse_code, random_code
from app.engine.game import start
from app.engine.games import GAMES
from app.engine.games.scorpion import CLASSIC, RELAXED
from app.engine.games.simple_simon import FOUR_SUITS, ONE_SUIT, TWO_SUITS
from app.engine.moves import Action, Command
from app.engine.play import Step, legal, play
from app.engine.position import Position
from app.engine.rules import Rules
from app.engine.shuffle import shuffled
from tests.engine.tables import ROOT, Record, document, game_id

PINNED = {
    "SS1-S1-AAAAAAA": (
        "4S KS 5S AS 7S 5S QS AS 5S 8S 7S 3S 2S 4S 6S 8S 6S KS 3S 9S 3S 7S 2S JS 6S 5S "
        "AS TS KS 9S 4S 4S 8S 9S QS AS JS JS QS 7S 6S TS 2S 9S TS KS 8S TS QS JS 3S 2S"
    ),
    "SS1-S2-PASIANS": (
        "8H AH JS 8S 3H 2S 6S 5H QS TS 2S AS 6H QS KS TH 9H JH 2H 6S 8S JS 4S 3S 2H 5S "
        "4H AS TH 3H 7S KH 8H 3S QH 9H 7H 7S QH 9S KS 5H 6H JH TS 9S 7H KH 4H AH 5S 4S"
    ),
    "SS1-S4-AAAAAAA": (
        "4C KD 5S AS 7S 5C QS AD 5H 8C 7D 3C 2H 4D 6H 8S 6D KC 3H 9C 3S 7C 2D JC 6C 5D "
        "AC TS KH 9S 4S 4H 8D 9H QH AH JH JS QD 7H 6S TC 2S 9D TD KS 8H TH QC JD 3D 2C"
    ),
    # Step 4 of the scheme throws a word away in this one.
    "SS1-S4-AAEBOBZ": (
        "TC 3D QS 3C 6C 5C TH JS 3H 5S AC 6S KD JC AD 5H KH 2D 8H 4C AH 9H 2C TS 5D JD "
        "2H 9D 9S 9C 6H 8S 4H TD 7S 2S 7C QC AS 4S 3S 8D QH 7D 6D 8C KC KS QD JH 7H 4D"
    ),
    "SS1-S4-ZZZZZZZ": (
        "AS 9D 2S 4S 6D 5C JD 2H AH KS 7C QD 4D 4C 7D QC KD TC TD 9S AD 3D 3H 8S AC JS "
        "QH JH TS 2C 7H TH 9H 9C 3C KC JC 2D 5H 6C 6H 8D KH 3S QS 5S 6S 8C 4H 8H 5D 7S"
    ),
    "SC1-C-AAAAAAA": (
        "9H KD 8S AH 7D JS 5S 3C QD 5H 3D 9D 4H AD 5C JC TC KH JD TD AC 2H 9S 9C AS 4C "
        "8C 3H 6H 2S 7C 4S TS 4D 2C 2D 6S 6D QH 8D QC KS JH TH 8H 6C QS 5D 7H KC 7S 3S"
    ),
    "SC1-C-PASIANS": (
        "8H 4S TC AH QC QS JH 3C TS QD 6C 5C TH 4H 5H KD KH 3D 3S 9H 3H 6H 8D 4C AD 7S "
        "6D 5S 7D 7C KS TD 8C JS AC QH 2D JD 5D 7H 6S AS 4D 8S 2H 9C JC 2C 9D 2S KC 9S"
    ),
    "SC1-R-ZZZZZZZ": (
        "6D AD 4S 2D 7H 8D KC 9H 2H 6C 7C KH 7D 4D 4C 8C AS JD 9C 2S 3H TS 4H 7S QC KS "
        "2C 3S QD 6H 3C JC JS 5C AC 5D JH 5H 6S QS 9D 5S 8H KD 8S TH QH 3D TC AH 9S TD"
    ),
}
"""The deck that each code shuffles, in the order in which it is dealt. These never change."""

PINNED_DIGESTS = {
    "SS1": "791d1c40905865f5c1a92550efad48843d5800c5f31fe8ad92c33c335975d379",
    "SC1": "8816901011c37305fb9253e0216dcb666e6b3a2ba1ca8a8fccd6825233569d58",
}
"""The SHA-256 of 1000 decks of four suits, spread over all deals, one a line. These never change."""


def deck(position: Position) -> list[str]:
    """Return the cards of a deal in the order in which they were dealt."""
    return names("".join(position.columns) + position.stock)


@pytest.mark.parametrize("expected", document("deals.json"), ids=lambda expected: str(expected["code"]))
def test_a_code_deals_what_the_independent_implementation_deals(expected: Record) -> None:
    """SS-1, SS-10, SC-1: every column, every hidden card and the stock."""
    dealt = parse_code(expected["code"]).deal()
    assert [names(column) for column in dealt.columns] == expected["columns"]
    assert list(dealt.down) == expected["down"]
    assert names(dealt.stock) == expected["stock"]
    assert dealt.runs == ""


@pytest.mark.parametrize("code", PINNED)
def test_a_pinned_code_deals_its_deck_for_ever(code: str) -> None:
    """SS-10: what a link dealt once it deals always."""
    assert deck(parse_code(code).deal()) == PINNED[code].split()


@pytest.mark.parametrize("rules", [FOUR_SUITS, CLASSIC], ids=game_id)
def test_a_thousand_deals_are_pinned_by_their_digest(rules: Rules) -> None:
    """SS-10: spread evenly over the 26^7 deals of a game."""
    digest = sha256()
    for number in range(1000):
        digest.update((" ".join(deck(numbered(rules, number * 8_031_811).deal())) + "\n").encode("ascii"))
    assert digest.hexdigest() == PINNED_DIGESTS[rules.prefix]


@pytest.mark.parametrize("expected", document("perft.json"), ids=lambda expected: str(expected["code"]))
def test_a_deal_has_as_many_sequences_of_actions_as_the_independent_implementation_counts(expected: Record) -> None:
    """SS-3, SS-4, SS-5, SC-2, SC-3, SC-4, SC-6: all sequences of 1, 2 and 3 legal actions."""
    code = parse_code(expected["code"])
    assert [sequences(code.rules, code.deal(), depth) for depth in (1, 2, 3)] == expected["depth"]


def sequences(rules: Rules, position: Position, depth: int) -> int:
    """Return how many sequences of this many legal actions begin at a position."""
    moves = legal(rules, position)
    if depth == 1:
        return len(moves) + bool(position.stock)
    actions: list[Action] = [*moves, *([Command.DEAL] if position.stock else [])]
    steps = [play(rules, position, action) for action in actions]
    return sum([sequences(rules, step.position, depth - 1) for step in steps if isinstance(step, Step)])


def test_simple_simon_deals_ten_columns_face_up_and_no_stock() -> None:
    """SS-1: 8, 8, 8, 7, 6, 5, 4, 3, 2 and 1 cards."""
    for rules in (ONE_SUIT, TWO_SUITS, FOUR_SUITS):
        dealt = numbered(rules, 12_345).deal()
        assert [len(column) for column in dealt.columns] == [8, 8, 8, 7, 6, 5, 4, 3, 2, 1]
        assert (dealt.down, dealt.stock, dealt.runs) == ((0,) * 10, "", "")


def test_scorpion_deals_seven_columns_of_seven_twelve_cards_hidden_and_three_in_the_stock() -> None:
    """SC-1: columns 1 to 4 have 3 cards face down; 37 cards are visible; 4 places wait."""
    for rules in (CLASSIC, RELAXED):
        dealt = numbered(rules, 12_345).deal()
        assert [len(column) for column in dealt.columns] == [7] * 7
        assert dealt.down == (3, 3, 3, 3, 0, 0, 0)
        assert (len(dealt.stock), dealt.runs, rules.places) == (3, "", 4)
        cards = [name for column in dealt.names() for name in column]
        assert (cards.count("??"), len(cards) - cards.count("??")) == (12, 37)


@pytest.mark.parametrize(
    ("rules", "sets"),
    [(ONE_SUIT, "SSSS"), (TWO_SUITS, "SSHH"), (FOUR_SUITS, "SHDC"), (CLASSIC, "SHDC"), (RELAXED, "SHDC")],
    ids=lambda value: game_id(value) if isinstance(value, Rules) else value,
)
def test_a_deal_is_one_deck_of_the_suits_that_its_variant_names(rules: Rules, sets: str) -> None:
    """G-1, SS-2, SC-1 and fault 13: 52 spades; 26 spades and 26 hearts; 13 of each."""
    expected = Counter(rank + suit for suit in sets for rank in RANKS)
    for number in (0, 1, 29, DEALS // 2, DEALS - 1):
        assert Counter(deck(numbered(rules, number).deal())) == expected


def test_the_letters_of_a_code_give_the_same_shuffle_in_every_variant_of_a_game() -> None:
    """SS-10: the variant is no part of the seed, the game is."""
    letters = "PASIANS"
    ranks = [[name[0] for name in deck(Code(rules, letters).deal())] for rules in (ONE_SUIT, TWO_SUITS, FOUR_SUITS)]
    assert ranks[0] == ranks[1] == ranks[2]
    assert Code(CLASSIC, letters).deal() == Code(RELAXED, letters).deal()
    assert deck(Code(FOUR_SUITS, letters).deal()) != deck(Code(CLASSIC, letters).deal())


@pytest.mark.parametrize("rules", GAMES, ids=game_id)
def test_code_zero_deals_a_shuffled_deck(rules: Rules) -> None:
    """Fault 64: elsewhere seed 0 was an unshuffled deck."""
    in_order = [rank + suit for suit in rules.sets for rank in RANKS]
    zero = deck(Code(rules, "AAAAAAA").deal())
    assert sum(name == place for name, place in zip(zero, in_order, strict=True)) < 26
    assert zero != deck(Code(rules, "AAAAAAB").deal())


def test_every_process_deals_the_same_cards() -> None:
    """Fault 62: three processes, each with its own order of hashing, deal the pinned decks."""
    program = (
        "from app.engine.codes import parse_code\n"
        f"for code in {sorted(PINNED)}:\n"
        "    print(code, parse_code(code).deal().text)\n"
    )
    expected = [f"{code} {parse_code(code).deal().text}" for code in sorted(PINNED)]
    for seed in ("0", "random", "4294967295"):
        ran = subprocess.run(
            [sys.executable, "-c", program],
            cwd=ROOT,
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert ran.stdout.splitlines() == expected


def test_two_hundred_random_codes_are_at_least_195_different_ones() -> None:
    """Fault 61: no debug seed is left in, and no two that follow each other are equal."""
    codes = [random_code(FOUR_SUITS, randbelow).text for _ in range(200)]
    assert len(set(codes)) >= 195
    assert all(code != later for code, later in pairwise(codes))


def test_a_random_code_is_drawn_from_all_the_deals() -> None:
    """SS-10: uniformly from all 26^7, so both ends can come."""
    asked: list[int] = []

    def lowest(below: int) -> int:
        asked.append(below)
        return 0

    assert random_code(CLASSIC, lowest).text == "SC1-C-AAAAAAA"
    assert random_code(ONE_SUIT, lambda below: below - 1).text == "SS1-S1-ZZZZZZZ"
    assert asked == [26**7]


DECKS = 20_000
CARDS = 52


def spread(decks: Iterable[str]) -> tuple[list[float], list[int]]:
    """Return chi-square of the cards at each place over :data:`DECKS` decks, and each deck's neighbours of a rank."""
    counts = [Counter[str]() for _ in range(CARDS)]
    neighbours = []
    for cards in decks:
        for place, card in enumerate(cards):
            counts[place][card] += 1
        ranks = [name[0] for name in names(cards)]
        neighbours.append(sum(rank == after for rank, after in pairwise(ranks)))
    expected = DECKS / CARDS
    kinds = sorted(set().union(*counts))
    chi_squares = [sum((count[card] - expected) ** 2 / expected for card in kinds) for count in counts]
    return chi_squares, neighbours


def fair(chi_squares: list[float], neighbours: list[int]) -> bool:
    """Return whether figures are those of a fair shuffle, by bounds that fair ones break once in 100 000 times."""
    # A place has 51 degrees of freedom, and all 52 together, since rows and columns are both fixed, 51 * 51. The
    # standard deviation of chi-square is the root of twice its degrees of freedom.
    together = abs(sum(chi_squares) - 51 * 51) < 4.5 * (2 * 51 * 51) ** 0.5
    # One neighbour in 17 is of the same rank, so 3 of the 51 pairs are.
    pairs = abs(mean(neighbours) - 3) < 4.5 * stdev(neighbours) / len(neighbours) ** 0.5
    return together and pairs and max(chi_squares) < 115


@pytest.mark.parametrize("rules", [FOUR_SUITS, CLASSIC], ids=game_id)
def test_every_card_lies_at_every_place_equally_often(rules: Rules) -> None:
    """Fault 67: chi-square over fixed codes spread over all deals; the same decks each time, so it never flakes."""
    codes = (numbered(rules, number * (DEALS // DECKS)) for number in range(DECKS))
    assert fair(*spread(shuffled(rules, f"{code.rules.prefix}-{code.letters}") for code in codes))


@pytest.mark.parametrize("highest", [lambda place: 51, lambda place: place - 1], ids=["naive", "cyclic"])
def test_the_statistic_of_fairness_notices_the_two_classic_faults_of_a_shuffle(highest: Callable[[int], int]) -> None:
    """Fault 67: a swap with any place, and a swap with lower places only, are both unfair."""
    chance = random.Random(67)

    def decks() -> Iterable[str]:
        for _ in range(DECKS):
            cards = list(shuffled(FOUR_SUITS, "SS1-AAAAAAA"))
            for place in range(51, 0, -1):
                other = chance.randint(0, highest(place))
                cards[place], cards[other] = cards[other], cards[place]
            yield "".join(cards)

    assert not fair(*spread(decks()))


def test_every_game_begins_with_the_score_of_its_rules() -> None:
    """SS-6, SC-8: 500 points, and 0."""
    scores = [start(rules, numbered(rules, 7).deal()).score for rules in GAMES]
    assert scores == [500, 500, 500, 0, 0]
