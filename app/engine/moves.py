"""What a player may ask for, and the words in which a game remembers what was done."""

from enum import Enum
from typing import NamedTuple


class InvalidMove(ValueError):
    """A text or a request that names no move of this table (malformed, unlike a refused move)."""


class Move(NamedTuple):
    """The cards of column ``source`` from index ``at`` to its end go onto column ``target``; all counted from 0."""

    source: int
    at: int
    target: int

    @property
    def text(self) -> str:
        """The move as text, such as ``1.5-6``; :func:`parse_action` reads it back."""
        return f"{self.source}.{self.at}-{self.target}"


class Auto(NamedTuple):
    """The same cards go to their best column (SS-7, SC-9): a double tap, or an automatic placement (SS-8)."""

    source: int
    at: int

    @property
    def text(self) -> str:
        """The action as text, such as ``1.5``; :func:`parse_action` reads it back."""
        return f"{self.source}.{self.at}"


class Command(Enum):
    """The actions that name no card: dealing the stock, undo and redo (SC-6, G-6, G-7)."""

    DEAL = "deal"
    UNDO = "undo"
    REDO = "redo"

    @property
    def text(self) -> str:
        """The action's one word; :func:`parse_action` reads it back."""
        return self.value


Action = Move | Auto | Command

COMMANDS = frozenset(command.value for command in Command)


def parse_action(text: str) -> Action:
    """Return the action that an action's ``text`` wrote; raise :class:`InvalidMove` for any other text."""
    try:
        if text in COMMANDS:
            return Command(text)
        cards, onto, target = text.partition("-")
        source, at = map(_count, cards.split("."))
        return Move(source, at, _count(target)) if onto else Auto(source, at)
    except ValueError as error:
        raise InvalidMove(f"no move: {text!r}") from error


def _count(digits: str) -> int:
    # Only ASCII digits pass, and few: int() would also take signs, spaces, underscores and digits of other scripts.
    if not (digits.isascii() and digits.isdigit() and len(digits) < 4):
        raise ValueError(digits)
    return int(digits)
