"""Rendering: templates in the reader's language, and the table piece by piece, so that only changes travel."""

import random
import re
from collections.abc import Collection, Iterable
from functools import cache, partial
from hashlib import sha256
from typing import Any, Literal, NamedTuple

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from app.engine.cards import NAMES, RUN_LENGTH
from app.engine.game import Game, last_step
from app.engine.play import Dealt, Event, Flipped, Moved, Removed, choose, groups
from app.engine.position import Position
from app.service import Saved
from app.settings import ROOT
from app.web.i18n import LANGUAGES, translations
from app.web.words import words

NONCE_BYTES = 6
"""A nonce is to differ from others, not to be secret: so much chance does, and needs no call of the system."""

# To look up the names of places and columns takes less time than to make them.
_PLACES = [[f"{column}.{at}" for at in range(len(NAMES))] for column in range(10)]
_DIGITS = "0123456789"


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


class Message(NamedTuple):
    """What the line at the table says.

    Its kind is ``result``, ``notice``, ``refused``, which tells the ``rule`` that refused and what it refused as text,
    or ``quiet``, which is heard by a screen reader and not shown; without a kind it says nothing.
    """

    text: str = ""
    kind: Literal["", "result", "notice", "refused", "quiet"] = ""
    rule: str = ""


NO_MESSAGE = Message()


class View:
    """The templates of one language.

    A table is made of pieces.  Each is rendered by its template once and kept, one with holes as a shape: what a move
    costs is filling these.
    """

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
            names=NAMES,
            column=self.column,
            table=self.table,
            still=self.still,
            message=self.message,
        )
        self._templates = templates
        self._piece = cache(self._render_piece)
        self._any_shape = cache(self._render_shape)
        self._shape = cache(partial(self._render_shape, "table.html"))
        names = self.words.cards
        self._ends = {card: str(escape(name)) for card, name in names.items()}
        self._faces, self._marked = (
            {card: self._render_piece("face", NAMES[card][::-1], name, marked) for card, name in names.items()}
            for marked in (False, True)
        )

    def page(self, template: str, **values: Any) -> str:
        """Return a template rendered with ``values``."""
        return str(self._templates.get_template(template).render(values))

    def table(self, saved: Saved, moved: str) -> Markup:
        """Return what a table shows beside its columns."""
        status = self._status(saved, moved, legal_groups(saved.game), False)
        return Markup("".join([status, *self._beside(saved, None, False)]))

    def answer(self, saved: Saved, before: Game | None, moved: str, legal: str, message: Message) -> str:
        """Return what a table shows anew after an action: what differs from the game ``before``, or all of it."""
        position = saved.game.position
        changed = range(len(position.columns)) if before is None else changed_columns(before.position, position)
        columns = [self._column(position, index, True) for index in changed]
        beside = self._beside(saved, before, True)
        return "".join([*columns, self._status(saved, moved, legal, True), *beside, self._message(message, True)])

    def _beside(self, saved: Saved, before: Game | None, swap: bool) -> list[str]:
        """Return the pieces beside the columns in which a game differs from the one ``before``, or all of them."""
        game, old, piece = saved.game, before, self._piece
        pieces = []
        if old is None or saved.version <= 1:
            pieces.append(self._render_piece("game", saved.id, swap))
        if old is None or old.position.runs != game.position.runs:
            pieces.append(piece("places", game.rules.places, game.position.runs, swap))
        if game.rules.stock_to and (old is None or old.position.stock != game.position.stock):
            pieces.append(piece("stock", len(game.position.stock), swap))
        if old is None or bool(old.undoable) != bool(game.undoable):
            pieces.append(piece("undo", bool(game.undoable), swap))
        if old is None or bool(old.redoable) != bool(game.redoable):
            pieces.append(piece("redo", bool(game.redoable), swap))
        if old is None or old.won != game.won:
            pieces.append(self._render_piece("outcome", saved, swap))
        return pieces

    def column(self, position: Position, index: int) -> Markup:
        """Return a column of the table."""
        return Markup(self._column(position, index, False))

    def _column(self, position: Position, index: int, swap: bool) -> str:
        """Return a column of the table; ``swap`` marks it, like every piece, as one that replaces what the page shows.

        Of its face-down cards only their number is told (G-11), and a card is known by its place (G-12).
        """
        cards, down = position.columns[index], position.down[index]
        shape = self._shape("column", index, len(cards), down, HOLE, swap)
        return self._filled(shape, cards, [self._faces[card] for card in cards[down:]])

    def _filled(self, shape: str, cards: str, faces: list[str]) -> str:
        """Return a column whose name, unless all its cards are hidden, tells the one at its end."""
        return shape % ((self._ends[cards[-1]], *faces) if faces else ())

    def still(self, position: Position, marked: Collection[tuple[int, int]] = (), ids: bool = False) -> Markup:
        """Return the columns of a table to look at; ``marked`` are places.

        Nothing of it can be pressed or sent.  Only a table that is alone on its page can have the ``ids`` of a table.
        """
        columns = []
        for index, cards in enumerate(position.columns):
            down = position.down[index]
            shape = self._shape("still", index, len(cards), down, HOLE, ids)
            places = range(down, len(cards))
            faces = [(self._marked if (index, at) in marked else self._faces)[cards[at]] for at in places]
            columns.append(self._filled(shape, cards, faces))
        return Markup("".join(columns))

    def _status(self, saved: Saved, moved: str, legal: str, swap: bool) -> str:
        """Return what changes with every action: version and nonce of the form, score and moves, and what is legal.

        ``data-legal`` is what :func:`legal_groups` says, ``data-moved`` what :func:`moved_cards` says.
        """
        # Every value is a number or made of our own characters, so that none needs escaping.
        return self._shape("status", HOLES, swap) % {
            "legal": legal,
            "moved": moved,
            "version": saved.version,
            "nonce": random.randbytes(NONCE_BYTES).hex(),
            "score": self.words.number(saved.game.score),
            "moves": saved.game.made,
        }

    def message(self, message: Message) -> Markup:
        """Return the line that says what came of an action."""
        return Markup(self._message(message, False))

    def fault(self, sentence: str) -> str:
        """Return what a table shows of a request that failed: the line alone."""
        return self._message(Message(sentence, "notice"), True)

    def _message(self, message: Message, swap: bool) -> str:
        shape = self._shape("message", HOLES, message.kind, swap)
        return shape % {"rule": escape(message.rule), "text": escape(message.text)}

    def piece(self, template: str, name: str, *values: Any) -> str:
        """Return what a macro of a template makes of ``values``."""
        return str(getattr(self._templates.get_template(template).module, name)(*values))

    def shape(self, template: str, name: str, *values: Any) -> str:
        """Return a piece with holes, which is made once and kept: it is filled by ``%``."""
        return self._any_shape(template, name, *values)

    def _render_piece(self, name: str, *values: Any) -> str:
        return self.piece("table.html", name, *values)

    def _render_shape(self, template: str, name: str, *values: Any) -> str:
        text = self.piece(template, name, *values).replace("%", "%%")
        return _MARKED.sub(lambda hole: f"%({hole[1]})s" if hole[1] else "%s", text)


# Holes are marked by a character that no text of ours contains: so braces and signs of percent stay what they are.
_MARKED = re.compile("\0(\\w*)\0")


class _Holes:
    """Stands for every value of a shape: what ``hole.score`` leaves open is filled by the value of that name."""

    def __getattr__(self, name: str) -> Markup:
        return Markup(f"\0{name}\0")


HOLES = _Holes()
"""What a shape is rendered with in place of values that have names."""

HOLE = Markup("\0\0")
"""What a shape is rendered with in place of values that are told in the order of their holes."""

view = cache(View)
"""The templates of a language, made once."""


def legal_groups(game: Game) -> str:
    """Return each group that can move with the columns that take it, for the page's help and its immediate answers.

    They are a digit each: ``1.5-678``, or ``1.5+678`` where the first of them is the best one.
    """
    rules, position, legal = game.rules, game.position, []
    for group in groups(rules, position):
        source, at, _, targets = group
        best = choose(rules, position, group)
        first, sign = (targets[0], "-") if best is None else (best, "+")
        told = f"{_PLACES[source][at]}{sign}{first}"
        if len(targets) > 1:
            told += "".join([_DIGITS[target] for target in targets if target != first])
        legal.append(told)
    return " ".join(legal)


def moved_cards(start: Position, events: Iterable[Event], *, undone: bool = False) -> str:
    """Return which cards an action moved, for the page's marks and motion; ``start`` is the position before it.

    ``1.5>6.7`` is a group from its old place to its new one, ``s`` the stock, ``p0`` to ``p3`` the places, and ``2.3!``
    a card that turned up.  An undone action is told the other way round.
    """
    sizes, runs = [len(column) for column in start.columns], len(start.runs)
    steps = []
    for event in events:
        match event:
            case Moved():
                source, at, target, cards = event
                steps.append((f"{source}.{at}", f"{target}.{sizes[target]}"))
                sizes[source] = at
                sizes[target] += len(cards)
            case Dealt(column):
                steps.append(("s", f"{column}.{sizes[column]}"))
                sizes[column] += 1
            case Removed(column):
                sizes[column] -= RUN_LENGTH
                steps.append((f"{column}.{sizes[column]}", f"p{runs}"))
                runs += 1
            case Flipped(column) if not undone:
                steps.append((f"{column}.{sizes[column] - 1}!", ""))
    return " ".join([f"{b}>{a}" if undone else f"{a}>{b}".removesuffix(">") for a, b in steps])


def latest_moved(game: Game) -> str:
    """Return which cards the latest action that stands moved."""
    if not game.made:
        return ""
    start, step = last_step(game)
    return moved_cards(start, step.events)


def changed_columns(before: Position, after: Position) -> list[int]:
    """Return the columns in which two positions differ."""
    both = zip(before.columns, before.down, after.columns, after.down, strict=True)
    return [index for index, (old, old_down, new, new_down) in enumerate(both) if old != new or old_down != new_down]
