"""What lies on the table: an immutable value with a text that round-trips."""

from collections.abc import Sequence
from typing import NamedTuple

from app.engine.cards import LETTERS, NAMES, RUN, SUITS

HIDDEN = "??"
"""How a face-down card is shown to people and programs (G-11)."""


class InvalidPosition(ValueError):
    """A text or a list of cards that describes no position."""


def numeral(number: int) -> str:
    """Return a number from 0 on as one character: ``0`` to ``9``, then the characters that follow in ASCII."""
    return chr(48 + number)


def number(character: str) -> int:
    """Return the number that :func:`numeral` wrote."""
    return ord(character) - 48


# Both of them for many numbers at once.
_NUMERALS = bytes([(48 + number) % 256 for number in range(256)])
_NUMBERS = bytes([(character - 48) % 256 for character in range(256)])


class Position(NamedTuple):
    """The cards of a game, each a letter of :mod:`app.engine.cards`.

    ``columns`` run from the most covered card to the end, ``down`` counts the face-down cards at the start of each
    column (so a face-down card above a face-up one cannot be written), ``stock`` has its top card first, and ``runs``
    are the suits of the removed runs in the order of their removal.
    """

    columns: tuple[str, ...]
    down: tuple[int, ...]
    stock: str = ""
    runs: str = ""

    @property
    def text(self) -> str:
        """The position as one line of ASCII without white space at its ends; :meth:`parse` reads it back."""
        down = bytes(self.down).translate(_NUMERALS).decode()
        return f"{','.join(self.columns)}/{down}/{self.stock}/{self.runs}"

    @classmethod
    def parse(cls, text: str) -> "Position":
        """Return the position that :attr:`text` wrote.

        Raises :class:`InvalidPosition` for any other text.
        """
        try:
            position = cls.trusted(text)
        except ValueError as error:
            raise InvalidPosition(f"not the text of a position: {text!r}") from error
        if not (
            len(position.columns) == len(position.down)
            and all(0 <= n <= len(column) for n, column in zip(position.down, position.columns, strict=True))
            and all(letter in NAMES for cards in (*position.columns, position.stock) for letter in cards)
            and all(suit in SUITS for suit in position.runs)
        ):
            raise InvalidPosition(f"not the text of a position: {text!r}")
        return position

    @classmethod
    def trusted(cls, text: str) -> "Position":
        """Return the position of a text that this program wrote itself and kept; nothing is checked."""
        columns, down, stock, runs = text.split("/")
        return cls(tuple(columns.split(",")), tuple(down.encode().translate(_NUMBERS)), stock, runs)

    @classmethod
    def read(cls, columns: Sequence[Sequence[str]], stock: Sequence[str], runs: Sequence[str]) -> "Position":
        """Return the position of these card names, ``?`` before the name of a face-down card.

        Raises :class:`InvalidPosition` where a name is no card, a face-up card is covered by a face-down one,
        or a removed run is of no suit.
        """
        down = []
        for number, column in enumerate(columns):
            hidden = [str(name).startswith("?") for name in column]
            down.append(sum(hidden))
            if any(hidden[down[-1] :]):
                raise InvalidPosition(f"column {number}: a face-down card on a face-up one")
        try:
            letters = tuple("".join(LETTERS[name.removeprefix("?")] for name in column) for column in columns)
            stock_letters = "".join(LETTERS[name.removeprefix("?")] for name in stock)
        except (KeyError, TypeError, AttributeError) as error:
            raise InvalidPosition(f"no such card: {error}") from error
        if unknown := [suit for suit in runs if suit not in list(RUN)]:
            raise InvalidPosition(f"no such suit: {unknown[0]!r}")
        return cls(letters, tuple(down), stock_letters, "".join(runs))

    def names(self, *, hidden: str = HIDDEN) -> list[list[str]]:
        """Return the columns as card names, a face-down card as ``hidden``, its name in place of any ``{}`` in that."""
        return [
            [hidden.format(NAMES[card]) if at < down else NAMES[card] for at, card in enumerate(column)]
            for column, down in zip(self.columns, self.down, strict=True)
        ]
