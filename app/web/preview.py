"""The picture of a deal that a chat shows beside its link (issue 6, "Sharing"): what a stranger sees, and no more."""

from functools import cache, lru_cache
from io import BytesIO

from PIL import Image, ImageChops, ImageDraw, ImageFont

from app.engine.cards import NAMES
from app.engine.codes import Code
from app.engine.position import Position
from app.settings import ROOT

WIDTH, HEIGHT = 1200, 630
"""The size that previews are made for, in pixels."""

_FELT, _FELT_DEEP, _FELT_INK = "#2f6b57", "#1f4f40", "#f5f1e6"
_CARD, _CARD_EDGE = "#fffdf7", "#9a958a"
_BACK, _BACK_LINE, _BACK_GOLD = "#2c4a78", "#dfe6f1", "#d9a53a"
_INKS = {"S": "#18202e", "C": "#18202e", "H": "#9f171a", "D": "#9f171a"}
_SIGNS = {"S": "♠", "H": "♥", "D": "♦", "C": "♣"}
_MARGIN, _HEAD, _FOOT = 48, 116, 36
_SMOOTH = 3
"""Shapes are drawn so many times larger and then made small, which is what smooths their edges."""


@lru_cache(maxsize=64)
def deal_picture(code: Code) -> bytes:
    """Return the picture of a deal as PNG: its cards, the hidden ones as backs, the game's name and the code.

    It holds no word of a language, since whoever makes a preview of a link speaks none.
    """
    return table_picture(_title(code), code.text, code.deal())


def table_picture(title: str, code: str, position: Position) -> bytes:
    """Return the picture of a table as PNG; nothing of its hidden cards is in it (G-11)."""
    picture = _felt().copy()
    pen = ImageDraw.Draw(picture)
    pen.text((_MARGIN, 64), title, _FELT_INK, _font("headings", 52), "lm")
    pen.text((WIDTH - _MARGIN, 66), code, _FELT_INK, _font("headings", 34), "rm")
    _lay(picture, position)
    if position.stock:
        _lay_stock(picture, position)
    file = BytesIO()
    # A palette holds these few colours, at a third of the bytes.
    picture.quantize(128, dither=Image.Dither.NONE).save(file, "PNG", optimize=True)
    return file.getvalue()


def _title(code: Code) -> str:
    return code.rules.game.replace("-", " ").title()


def _lay(picture: Image.Image, position: Position) -> None:
    """Lay the columns: each as wide as its share, its cards in strips, so that the longest just fits."""
    count, longest = len(position.columns), max(map(len, position.columns))
    gap = 96 // count
    width = min((WIDTH - 2 * _MARGIN - (count - 1) * gap) // count, 120)
    height = round(width * 1.4)
    strip = (HEIGHT - _HEAD - _FOOT - height) // (longest - 1)
    left = (WIDTH - count * width - (count - 1) * gap) // 2
    for column, cards in enumerate(position.columns):
        for at, card in enumerate(cards):
            hidden = at < position.down[column]
            drawn = _back(width, height) if hidden else _face(NAMES[card], width, height)
            picture.paste(drawn, (left + column * (width + gap), _HEAD + at * strip), drawn)


def _lay_stock(picture: Image.Image, position: Position) -> None:
    """Lay the stock into the head, a little fanned."""
    width, height = 50, 70
    for order in range(len(position.stock)):
        drawn = _back(width, height)
        picture.paste(drawn, (WIDTH // 2 - 60 + order * 22, 28), drawn)


@cache
def _font(name: str, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(ROOT / "static" / "fonts" / f"{name}.woff2", size)


@cache
def _felt() -> Image.Image:
    """Return the empty table: lighter towards the middle of its upper edge, as on the page."""
    glow = ImageChops.invert(Image.radial_gradient("L")).resize((WIDTH * 2, HEIGHT * 2))
    glow = glow.crop((WIDTH // 2, HEIGHT, WIDTH // 2 + WIDTH, 2 * HEIGHT))
    plain = Image.new("RGB", (WIDTH, HEIGHT), _FELT_DEEP)
    plain.paste(Image.new("RGB", (WIDTH, HEIGHT), _FELT), mask=glow)
    return plain


def _sheet(width: int, height: int) -> tuple[Image.Image, ImageDraw.ImageDraw, int]:
    """Return an empty card, a pen for it, and how large it is drawn; :func:`_small` ends its drawing."""
    card = Image.new("RGBA", (width * _SMOOTH, height * _SMOOTH))
    pen = ImageDraw.Draw(card)
    box = (0, 0, card.width - 1, card.height - 1)
    pen.rounded_rectangle(box, card.width * 0.085, _CARD, _CARD_EDGE, _SMOOTH)
    return card, pen, card.width


def _small(card: Image.Image) -> Image.Image:
    return card.reduce(_SMOOTH)


@cache
def _face(name: str, width: int, height: int) -> Image.Image:
    """Return a card that lies face up: rank and suit in its corner, and the suit, or the court's letter, below."""
    card, pen, size = _sheet(width, height)
    rank, suit = name.replace("T", "10")[:-1], name[-1]
    index = _font("cards", round(size * 0.36))
    pen.text((size * 0.09, size * 0.09), rank, _INKS[suit], index, "lt")
    pen.text((size * 0.92, size * 0.09), _SIGNS[suit], _INKS[suit], index, "rt")
    middle = rank if rank in "JQK" else _SIGNS[suit]
    pen.text((size / 2, card.height * 0.66), middle, _INKS[suit], _font("cards", round(size * 0.74)), "mm")
    return _small(card)


@cache
def _back(width: int, height: int) -> Image.Image:
    """Return a card that lies face down: the looped square of ``static/back.svg``, woven into a lattice."""
    card, pen, size = _sheet(width, height)
    edge = size * 0.045
    pen.rounded_rectangle((edge, edge, size - edge, card.height - edge), size * 0.06, _BACK)
    tiles = 3
    tile = (size - 2 * edge) / tiles
    line = max(2, round(tile * 0.055))
    for row in range(int((card.height - 2 * edge) // tile)):
        for column in range(tiles):
            _loops(pen, edge + column * tile, edge + row * tile + (card.height - 2 * edge) % tile / 2, tile, line)
    return _small(card)


def _loops(pen: ImageDraw.ImageDraw, x: float, y: float, tile: float, line: int) -> None:
    """Draw one looped square: four sides, a ring outside each corner, and a diamond in the middle."""
    near, far, ring = tile * 0.26, tile * 0.74, tile * 0.09
    outwards = {near: -ring, far: ring}
    for one in (near, far):
        pen.line((x + near, y + one, x + far, y + one), _BACK_LINE, line)
        pen.line((x + one, y + near, x + one, y + far), _BACK_LINE, line)
        for other in (near, far):
            middle = (x + one + outwards[one], y + other + outwards[other])
            pen.circle(middle, ring, None, _BACK_LINE, line)
    pen.regular_polygon((x + tile / 2, y + tile / 2, tile * 0.11), 4, 45, _BACK_GOLD)
