"""A small true picture of a table, as SVG: light enough that a page shows fifty of them.

Cards that touch are drawn together: a column is one shape, its edges are the dashes of one broad line, and the indices
of a suit are one text whose letters have places of their own.
"""

from functools import lru_cache
from typing import NamedTuple

from markupsafe import Markup

from app.engine.cards import NAMES, SUITS
from app.engine.position import Position

HEIGHT = 840
"""The height of every picture, in its own units; the width follows from the columns."""

_TOP = 150  # Where the columns begin, below the stock and the places.
_STRIP = 72  # What is seen of a covered card where there is room.
_INDEX = 50  # The strip that an index needs.
_EDGE = 6  # How broad the edge of a card is drawn.
_BASE = 58  # How far below the top of a card its index stands.
_SMALL = "h80v110h-80z"  # A card beside the columns.
_SYMBOLS = dict(zip(SUITS, "♠♥♦♣", strict=True))


class _Size(NamedTuple):
    """How wide the cards of a picture are, how high, and how far apart the columns begin."""

    width: int
    height: int
    step: int


class _Letters(NamedTuple):
    """The indices of one suit: letters, and the place of each."""

    text: list[str]
    x: list[int]
    y: list[int]


@lru_cache(maxsize=2_000)
def picture(position: Position, places: int) -> Markup:
    """Return the picture of a table with so many places for runs; of a face-down card it tells nothing (G-11)."""
    columns = position.columns
    size = _Size(100, 150, 120) if len(columns) > 8 else _Size(140, 200, 170)
    width = size.step * len(columns) - (size.step - size.width)
    slots, faces, backs = [], [], []
    edges: dict[int, list[str]] = {}
    letters = {suit: _Letters([], [], []) for suit in SUITS}
    for place in range(places):
        left = width - 100 * (places - place) + 10
        if place < len(position.runs):
            suit = position.runs[place]
            faces.append(f"M{left} 5{_SMALL}")
            _write(letters[suit], _SYMBOLS[suit], [left + 17], 83)
        else:
            slots.append(f"M{left} 5{_SMALL}")
    backs += [f"M{5 + 30 * card} 5{_SMALL}" for card in range(len(position.stock))]
    for index, cards in enumerate(columns):
        left, down, count = index * size.step, position.down[index], len(cards)
        if not count:
            slots.append(f"M{left} {_TOP}h{size.width}v{size.height}h-{size.width}z")
            continue
        strip = min(_STRIP, (HEIGHT - _TOP - size.height - 5) // max(1, count - 1))
        if down:
            height = strip * down if count > down else strip * (down - 1) + size.height
            backs.append(f"M{left} {_TOP}h{size.width}v{height}h-{size.width}z")
        if count > down:
            height = strip * (count - down - 1) + size.height
            faces.append(f"M{left} {_TOP + strip * down}h{size.width}v{height}h-{size.width}z")
        if count > 1:
            edge = f"M{left + size.width // 2} {_TOP + strip - _EDGE // 2}v{strip * (count - 2) + _EDGE}"
            edges.setdefault(strip, []).append(edge)
        # Where cards lie very close, only the last one shows its index.
        for at in range(down if strip >= _INDEX else max(down, count - 1), count):
            name = NAMES[cards[at]]
            rank, suit = name[0], name[1]
            first = left + 7
            xs = [first, first + 20, left + size.width // 2 + 4] if rank == "T" else [first, left + size.width // 2 + 4]
            _write(letters[suit], ("10" if rank == "T" else rank) + _SYMBOLS[suit], xs, _TOP + strip * at + _BASE)
    drawn = {"slots": slots, "backs": backs, "faces": faces}
    shapes = [f'<path class="{name}" d="{"".join(parts)}"/>' for name, parts in drawn.items() if parts]
    for strip, parts in edges.items():
        dashes = f'stroke-width="{size.width}" stroke-dasharray="{_EDGE} {strip - _EDGE}"'
        shapes.append(f'<path class="edges" {dashes} d="{"".join(parts)}"/>')
    texts = [_text(suit, written) for suit, written in letters.items() if written.text]
    frame = f'<svg class="picture" viewBox="-5 -5 {width + 10} {HEIGHT + 10}" aria-hidden="true">'
    return Markup(f"{frame}{''.join(shapes)}{''.join(texts)}</svg>")


def _write(letters: _Letters, text: str, xs: list[int], y: int) -> None:
    letters.text.append(text)
    letters.x.extend(xs)
    letters.y.extend([y] * len(xs))


def _text(suit: str, letters: _Letters) -> str:
    xs, ys = " ".join(map(str, letters.x)), " ".join(map(str, letters.y))
    return f'<text class="{suit}" x="{xs}" y="{ys}">{"".join(letters.text)}</text>'
