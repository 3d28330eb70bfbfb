"""Game codes: one deal for ever, in 15 or 14 characters that a person can type (spec "Codes", SS-10)."""

import re
from collections.abc import Callable
from enum import StrEnum
from functools import lru_cache
from hashlib import sha256
from string import ascii_lowercase, ascii_uppercase
from typing import NamedTuple
from unicodedata import category

from app.engine.games import GAMES
from app.engine.position import Position
from app.engine.rules import Rules
from app.engine.shuffle import deal

LETTERS = 7
"""How many letters name a deal."""

DEALS = 26**LETTERS
"""How many deals each game has."""


class CodeFault(StrEnum):
    """What can be wrong with a code, in the order of blame: game, variant, letters, hyphens."""

    GAME = "unknown-game"
    SUITS = "unknown-suits"
    RULES = "unknown-rules"
    NOT_LETTERS = "not-letters"
    TOO_FEW = "too-few-letters"
    TOO_MANY = "too-many-letters"
    HYPHENS = "wrong-hyphens"


class InvalidCode(ValueError):
    """A text that is no game code; ``fault`` says why."""

    def __init__(self, fault: CodeFault, text: str) -> None:
        super().__init__(f"{fault}: {text!r}")
        self.fault = fault


class Code(NamedTuple):
    """One deal of one game in one variant."""

    rules: Rules
    letters: str

    @property
    def text(self) -> str:
        """The canonical form, such as ``SS1-S4-AAAAABD``; :func:`parse_code` reads it back."""
        return f"{self.rules.prefix}-{self.rules.variant}-{self.letters}"

    def deal(self) -> Position:
        """Return the cards that the code deals; the variant is no part of the seed."""
        return deal(self.rules, f"{self.rules.prefix}-{self.letters}")


_RULES = {(rules.prefix, rules.variant): rules for rules in GAMES}
_VARIANTS = {rules.prefix: tuple(variant for prefix, variant in _RULES if prefix == rules.prefix) for rules in GAMES}
_VARIANT_FAULT = {"suits": CodeFault.SUITS, "rules": CodeFault.RULES}
_CANONICAL = re.compile(rf"([A-Z0-9]{{3}})-([A-Z0-9]+)-([A-Z]{{{LETTERS}}})")
_COMPACT = re.compile(
    "|".join(f"({prefix})({'|'.join(variants)})([A-Z]{{{LETTERS}}})" for prefix, variants in _VARIANTS.items())
)
_UPPER = str.maketrans(ascii_lowercase, ascii_uppercase)
# Four characters have the Unicode property Dash without being in its category Pd: a swung dash, a superscript, a
# subscript and the mathematical minus.
_DASHES = "_.\u2053\u207b\u208b\u2212"
_LINK_PARTS = re.compile("(?:[ /?#&=]|%[0-9A-F]{2}|%)+")


@lru_cache(maxsize=10_000)
def parse_code(text: str) -> Code:
    """Return the code that ``text`` writes in its canonical form, in either case.

    The codes that are being played come with every request and again with every row, so they are remembered.

    Raises :class:`InvalidCode` for anything else.
    """
    upper = text.translate(_UPPER)
    if (match := _CANONICAL.fullmatch(upper)) and (rules := _RULES.get((match[1], match[2]))):
        return Code(rules, match[3])
    raise InvalidCode(_fault(upper), text)


def read_code(text: str) -> Code:
    """Return the code that a person typed or pasted, forgiving case, white space, dashes and a link around it.

    Raises :class:`InvalidCode` for anything else.
    """
    spaced = "".join(map(_tidy, text)).translate(_UPPER)
    tidy = spaced.replace(" ", "")
    # White space ends a link, or stands inside it where a line was broken; so words come first.
    words = _LINK_PARTS.split(spaced) if "/" in tidy else []
    parts = [part.strip("-") for part in _LINK_PARTS.split(tidy)] if "/" in tidy else [tidy]
    for part in (*words, *parts):
        if match := _COMPACT.fullmatch(part.replace("-", "")):
            prefix, variant, letters = filter(None, match.groups())
            return Code(_RULES[prefix, variant], letters)
    # Of a link without a code, the part that begins like one is what its sender meant.
    blamed = next((part for part in parts if part.startswith(tuple(_VARIANTS))), parts[-1])
    raise InvalidCode(_fault(blamed), text)


def _tidy(character: str) -> str:
    if character.isspace():
        return " "
    return "-" if category(character) == "Pd" or character in _DASHES else character


def _fault(tidy: str) -> CodeFault:
    """Return what is wrong with an upper-case text that is no code."""
    tidy = tidy.strip("-")
    prefix = next((prefix for prefix in _VARIANTS if tidy.startswith(prefix)), None)
    if prefix is None:
        return CodeFault.GAME
    rest = tidy[len(prefix) :].lstrip("-")
    part = rest.partition("-")[0]
    variant = next((v for v in _VARIANTS[prefix] if (part == v if "-" in rest else rest.startswith(v))), None)
    if variant is None:
        return _VARIANT_FAULT[_RULES[prefix, _VARIANTS[prefix][0]].choice[0]]
    letters = rest[len(variant) :].replace("-", "")
    if not re.fullmatch("[A-Z]*", letters):
        return CodeFault.NOT_LETTERS
    if len(letters) != LETTERS:
        return CodeFault.TOO_FEW if len(letters) < LETTERS else CodeFault.TOO_MANY
    return CodeFault.HYPHENS


def numbered(rules: Rules, number: int) -> Code:
    """Return the code of a deal's number, from 0 to :data:`DEALS` − 1, in base 26."""
    letters = ""
    for _ in range(LETTERS):
        number, digit = divmod(number, 26)
        letters = ascii_uppercase[digit] + letters
    return Code(rules, letters)


def random_code(rules: Rules, below: Callable[[int], int]) -> Code:
    """Return a code drawn by ``below``, which gives a number from 0 to its argument − 1 (``secrets.randbelow``)."""
    return numbered(rules, below(DEALS))


def daily_code(rules: Rules, day: str) -> Code:
    """Return the deal of a day, written as ``2026-11-30``, for a game."""
    digest = sha256(f"daily/{rules.prefix}/{day}".encode("ascii")).digest()
    return numbered(rules, int.from_bytes(digest[:8], "big") % DEALS)
