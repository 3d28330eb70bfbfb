"""Help, and what is stored: the pages that explain the program itself (issue 6, "Rules, examples, help")."""

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.engine.cards import RANKS
from app.engine.codes import LETTERS
from app.engine.game import UNDO_LIMIT
from app.engine.games.scorpion import CLASSIC, RELAXED
from app.engine.games.simple_simon import FOUR_SUITS, ONE_SUIT, TWO_SUITS
from app.web.security import COOKIE, COOKIE_AGE
from app.web.show import GET, show
from app.web.visitor import TheVisitor

router = APIRouter(include_in_schema=False)

WINNABLE = ((FOUR_SUITS, 94), (TWO_SUITS, 95), (ONE_SUIT, 95), (CLASSIC, 12), (RELAXED, None))
"""Roughly how many of 100 random deals can be won, as measured once; None stands for nearly all."""

_SAME_RANK = len(CLASSIC.sets) - 1
_SAME_SUIT = len(RANKS) - 1
# Of the 51 cards that can follow a card, each is as likely; and 51 times a card follows another.
PAIRS = (_SAME_RANK, _SAME_SUIT)
"""How many pairs of neighbours in a shuffled deck of four suits are of one rank, and of one suit, on the average."""

DAY = 24 * 3600


@router.api_route("/help", methods=GET)
def help_page(request: Request, visitor: TheVisitor) -> Response:
    """Explain the keys, the settings and the codes, and why there are no hints (G-5)."""
    return show(visitor, request, "help.html", undo_limit=UNDO_LIMIT, letters=LETTERS, winnable=WINNABLE, pairs=PAIRS)


@router.api_route("/privacy", methods=GET)
def privacy(request: Request, visitor: TheVisitor) -> Response:
    """Say what is stored, and that nobody else is told."""
    return show(visitor, request, "privacy.html", cookie=COOKIE, days=COOKIE_AGE // DAY)
