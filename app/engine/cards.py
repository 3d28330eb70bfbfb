"""The cards: one letter each inside the engine, a rank and a suit at its edge.

A card is a letter, so that a column is a string and Python's string searches do the work of the rules:
"in suit and in sequence" is ``group in RUNS``, "goes on it in suit" is ``top + card in RUNS``, "completes a run"
is ``column.endswith(RUN[suit])``.  Identical cards of 1- and 2-suit decks are the same letter (G-12).
"""

from itertools import product
from string import ascii_letters

SUITS = "SHDC"
"""Spades, hearts, diamonds, clubs, in the order of the deck."""

RANKS = "A23456789TJQK"
"""Ace, the lowest, to king, the highest."""

NAMES = {letter: rank + suit for letter, (suit, rank) in zip(ascii_letters, product(SUITS, RANKS), strict=False)}
"""The name of each card's letter: rank then suit, such as ``4H``."""

LETTERS = {name: letter for letter, name in NAMES.items()}
"""The letter of each card's name."""

SUIT = {letter: name[1] for letter, name in NAMES.items()}
"""The suit of each card's letter."""

RANK = {letter: RANKS.index(name[0]) for letter, name in NAMES.items()}
"""The rank of each card's letter, 0 for an ace to 12 for a king."""

ACE, KING = RANK[LETTERS["AS"]], RANK[LETTERS["KS"]]

RUN = {suit: "".join(LETTERS[rank + suit] for rank in reversed(RANKS)) for suit in SUITS}
"""The full run of each suit, king to ace (G-2)."""

RUN_LENGTH = len(RANKS)

RUNS = " ".join(RUN.values())
"""All full runs; a group in it is of one suit and descends by one (SS-4)."""


def names(cards: str) -> list[str]:
    """Return the names of a string of card letters, in its order."""
    return [NAMES[card] for card in cards]
