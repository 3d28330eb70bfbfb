"""Rendering: templates in the reader's language, and the table piece by piece, so that only changes travel."""

import secrets
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, lru_cache
from hashlib import sha256
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from app.engine.cards import NAMES
from app.engine.moves import Move
from app.engine.play import best_moves, legal
from app.engine.position import Position
from app.service import Saved
from app.settings import ROOT
from app.web.i18n import LANGUAGES, translations
from app.web.words import words

NONCE_BYTES = 6


def static(name: str) -> str:
    """Return the address of a static file, which a browser may keep for ever: another content has another address."""
    return f"/static/{static_digest()}/{name}"


@cache
def static_digest() -> str:
    """Return a digest of all static files; it is a folder of their addresses, so that they can name each other."""
    digest = sha256()
    for file in sorted((ROOT / "static").rglob("*.*")):
        digest.update(file.read_bytes())
    return digest.hexdigest()[:12]


def grouped(moves: Iterable[Move]) -> str:
    """Return moves as the page's script reads them: ``1.5-678`` for each group, with its targets a digit each."""
    targets: dict[str, str] = {}
    for source, at, target in moves:
        group = f"{source}.{at}"
        targets[group] = targets.get(group, "") + str(target)
    return " ".join([f"{group}-{digits}" for group, digits in targets.items()])


@dataclass(frozen=True, slots=True)
class Message:
    """What the line at the table says: a result, a notice, or the rule that refused and what it refused."""

    text: str = ""
    notice: bool = False
    rule: str = ""
    detail: str = ""


class View:
    """The templates of one language."""

    def __init__(self, language: str) -> None:
        self.language = language
        self.words = words(language)
        templates: Any = Environment(
            loader=FileSystemLoader(ROOT / "templates"),
            autoescape=True,
            undefined=StrictUndefined,
            trim_blocks=True,
            lstrip_blocks=True,
            extensions=["jinja2.ext.i18n"],
        )
        templates.install_gettext_translations(translations(language), newstyle=True)
        templates.globals.update(
            language=language,
            languages=LANGUAGES,
            words=self.words,
            static=static,
            column=self.column,
            nonce=lambda: secrets.token_urlsafe(NONCE_BYTES),
        )
        self._templates = templates
        self._pieces: Any = templates.get_template("table.html").module
        self._card = lru_cache(maxsize=40_000)(self._pieces.card)
        self._back = self._pieces.back()

    def page(self, template: str, **values: Any) -> str:
        """Return a template rendered with ``values``."""
        return str(self._templates.get_template(template).render(values))

    def answer(self, saved: Saved, message: Message, changed: Iterable[int]) -> str:
        """Return what a table shows anew after an action: the ``changed`` columns, the status and the message."""
        columns = [self.column(saved.game.position, index, swap=True) for index in changed]
        return "".join([*columns, self._pieces.status(**table(saved), swap=True), self._pieces.message(message, True)])

    def column(self, position: Position, index: int, *, swap: bool = False) -> Markup:
        """Return a column of the table; ``swap`` marks it as one that replaces what the page shows.

        Of its face-down cards only their number is told (G-11), and a card is known by its place (G-12).
        """
        cards, down = position.columns[index], position.down[index]
        names = self.words.cards
        faces = [self._card(index, at, NAMES[cards[at]][::-1], names[cards[at]]) for at in range(down, len(cards))]
        content = Markup("").join([self._back] * down + faces)
        return Markup(self._pieces.column(index, self.words.column(index, cards, down), content, swap))


view = cache(View)
"""The templates of a language, made once."""


def table(saved: Saved) -> dict[str, Any]:
    """Return what the table's templates show of a game."""
    game = saved.game
    moves = legal(game.rules, game.position)
    return {
        "saved": saved,
        "game": game,
        "legal": grouped(moves),
        "best": grouped(best_moves(game.rules, game.position, moves)),
    }


def changed_columns(before: Position, after: Position) -> list[int]:
    """Return the columns in which two positions differ."""
    return [
        index
        for index in range(len(after.columns))
        if before.columns[index] != after.columns[index] or before.down[index] != after.down[index]
    ]
