"""The rules as data: what a game is, and the predicates that a game chooses from.

A predicate answers with the rule that a wish breaks, or None when it breaks none, so that legality and the reminder to
the player are one computation.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise
from typing import Literal

from app.engine.cards import ACE, KING, NAMES, RANK, RUNS, SUIT


class Rule(StrEnum):
    """The rules that can refuse an action, in their order of precedence (spec "Refusals")."""

    STOCK_EMPTY = "stock-empty"
    NO_CARD = "no-card"
    SAME_COLUMN = "same-column"
    FACE_DOWN = "face-down"
    NOT_A_SEQUENCE = "not-a-sequence"
    MIXED_SUITS = "mixed-suits"
    KING_ONLY = "king-only"
    ONTO_ACE = "onto-ace"
    WRONG_RANK = "wrong-rank"
    WRONG_SUIT = "wrong-suit"
    NO_PLACE = "no-place"
    NOTHING_TO_UNDO = "nothing-to-undo"
    NOTHING_TO_REDO = "nothing-to-redo"


Lift = Callable[[str], Rule | None]
Build = Callable[[str, str], Rule | None]
Vacant = Callable[[str], Rule | None]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Rules:
    """One game in one variant.

    ``lift`` asks of a face-up group whether it may be picked up: it may when every two neighbours in it may.  ``build``
    asks of a column's end card and a group's first card, ``vacant`` of a first card alone, for an empty column.
    ``points`` is the worth of each kind of event.  ``stock_to`` are the columns that the stock is dealt to, its top
    card first: at most three, which is what a word of the history holds.  ``ranked_by`` is what tells a better won game
    from another (SC-11).
    """

    game: str
    prefix: str
    variant: str
    choice: tuple[str, str | int]
    sets: str
    layout: tuple[int, ...]
    down: tuple[int, ...]
    lift: Lift
    build: Build
    vacant: Vacant
    best_in_any_suit: bool
    points: Mapping[str, int]
    start: int
    stock_to: tuple[int, ...] = ()
    places: int = 4
    ranked_by: Literal["score", "moves"] = "score"


def any_group(group: str) -> Rule | None:
    """Any face-up card moves, with all that lies on it (SC-2)."""
    return None


def one_suit_sequence(group: str) -> Rule | None:
    """Several cards move together when they descend by one and are of one suit (SS-4)."""
    if group in RUNS:
        return None
    if all(RANK[upper] == RANK[lower] + 1 for upper, lower in pairwise(group)):
        return Rule.MIXED_SUITS
    return Rule.NOT_A_SEQUENCE


def one_rank_higher(top: str, card: str) -> Rule | None:
    """A card goes onto one that is exactly one rank higher, whatever the suits, and never onto an ace (SS-3, G-3)."""
    if RANK[top] == ACE:
        return Rule.ONTO_ACE
    return None if RANK[top] == RANK[card] + 1 else Rule.WRONG_RANK


def one_rank_higher_in_suit(top: str, card: str) -> Rule | None:
    """A card goes onto one of its own suit that is exactly one rank higher (SC-3)."""
    return one_rank_higher(top, card) or (None if SUIT[top] == SUIT[card] else Rule.WRONG_SUIT)


def any_card(card: str) -> Rule | None:
    """An empty column takes any card (SS-5)."""
    return None


def king_only(card: str) -> Rule | None:
    """An empty column takes only a king (SC-4)."""
    return None if RANK[card] == KING else Rule.KING_ONLY


@cache
def guests(build: Build) -> Mapping[str, str]:
    """Return, for each card as the end of a column, the cards that ``build`` lets go onto it."""
    return {top: "".join(card for card in NAMES if build(top, card) is None) for top in NAMES}


@cache
def kin(build: Build) -> Mapping[str, str | None]:
    """Return, for each card, the cards that ``build`` lets go wherever it goes, itself among them, or None for nowhere.

    Raises :class:`ValueError` where two ends of columns that take one card do not take all the same ones.
    """
    companies = set(guests(build).values())
    found = {card: company for company in companies for card in company}
    if len(found) < sum(map(len, companies)):
        raise ValueError(f"{build.__name__} takes cards one by one")
    return dict.fromkeys(NAMES) | found


@cache
def newcomers(vacant: Vacant) -> frozenset[str]:
    """Return the cards that ``vacant`` lets go to an empty column."""
    return frozenset(card for card in NAMES if vacant(card) is None)


@cache
def joins(lift: Lift) -> Mapping[str, str] | None:
    """Return, for each card, those that ``lift`` lets be picked up together with it on them, or None when it is all."""
    uppers = {lower: "".join(upper for upper in NAMES if lift(upper + lower) is None) for lower in NAMES}
    return None if all(len(found) == len(NAMES) for found in uppers.values()) else uppers
