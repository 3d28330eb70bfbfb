"""The shuffle of scheme 1, exact for ever: what a code dealt once it deals always (spec "Codes", scheme 1)."""

from collections.abc import Iterator
from hashlib import sha256
from itertools import count

from app.engine.cards import LETTERS, RANKS
from app.engine.position import Position
from app.engine.rules import Rules

_WORDS = 2**32


def _words(seed: str) -> Iterator[int]:
    for block in count():
        digest = sha256(f"{seed}/{block}".encode("ascii")).digest()
        for start in range(0, len(digest), 4):
            yield int.from_bytes(digest[start : start + 4], "big")


def _below(n: int, words: Iterator[int]) -> int:
    # A word in the last, incomplete stretch of n would favour small numbers, so it is thrown away.
    return next(word for word in words if word < _WORDS // n * n) % n


def shuffled(rules: Rules, seed: str) -> str:
    """Return the deck of a game, as card letters, in the order that ``seed`` shuffles it into."""
    deck = [LETTERS[rank + suit] for suit in rules.sets for rank in RANKS]
    words = _words(seed)
    for i in range(len(deck) - 1, 0, -1):
        j = _below(i + 1, words)
        deck[i], deck[j] = deck[j], deck[i]
    return "".join(deck)


def deal(rules: Rules, seed: str) -> Position:
    """Return the position that a game of ``rules`` begins with (SS-1, SC-1)."""
    deck, columns = shuffled(rules, seed), []
    for size in rules.layout:
        columns.append(deck[:size])
        deck = deck[size:]
    return Position(tuple(columns), rules.down, deck)
