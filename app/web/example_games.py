"""The example games, move by move, with what is to be said at their turns (issue 6, "Examples").

They are those of ``tests/data/example_simple_simon.json`` and ``example_scorpion.json``.
"""

from collections.abc import Mapping
from typing import NamedTuple

from app.web.words import N_


class ExampleGame(NamedTuple):
    """A won game: the code of its deal, its actions, each as :func:`app.engine.moves.parse_action` reads it; notes.

    A note is a sentence of the catalogues, for the step that an action leads to; step 0 is the deal.
    """

    code: str
    actions: str
    notes: Mapping[int, str]


SIMPLE_SIMON = ExampleGame(
    "SS1-S1-AAAAABD",
    """
    1.7-7 2.6-3 5.4-3 5.3-0 5.1-2 1.6-5 1.5-4 1.4-5 5.0-1 8.1-4 8.0-7 3.6-4 3.5-6 1.3-4 0.7-4
    1.2-0 3.4-1 3.3-7 4.4-1 7.2-4 4.3-3 7.1-4 7.0-3 1.1-4 0.6-1 4.2-0 4.1-3 0.5-9 4.0-0 3.2-6
    6.3-2 3.1-5 5.0-6 2.4-9 2.3-4 2.2-6 2.1-0 0.4-2 0.3-2 0.2-6 9.0-6 6.2-5 0.1-6 6.1-0 0.0-6
    1.0-6 6.0-2 2.0-4 3.0-5
    """,
    {
        0: N_(
            "The deal: all cards are spades, so a sequence that descends by one always moves as a group. The "
            "game begins with 500 points."
        ),
        1: N_("The first move costs a point, as every move will. The 5 goes onto a 6, and a 4 comes free."),
        2: N_("Two cards go in one move: 9 and 8 are in sequence and of one suit."),
        4: N_("The ace goes onto a 2. Nothing can ever be placed on the ace, but the cards below it are freed."),
        9: N_("Column 6 is empty: any card or group may go there. It is kept in reserve for a long time."),
        11: N_("A second empty column, column 9. There is no stock and no spare place: only such columns make room."),
        15: N_(
            "With 2 and ace the sequence in column 5 reaches from king to ace: the first run leaves the table "
            "by itself and brings 100 points. That it leaves is no move."
        ),
        23: N_("A third empty column. The sequences in columns 4 and 5 grow side by side."),
        28: N_(
            "Six cards from 8 to 3 move onto a 9 at once. Cards that lie in sequence cost one point together, "
            "which is why long groups are worth their making."
        ),
        31: N_("Ten cards go onto the jack, and the second run is complete: it leaves, for 100 points more."),
        32: N_("The queen goes to an empty column and leaves it with the next move, onto a king."),
        35: N_("A king goes onto no other card: it needs an empty column, and four stand ready."),
        42: N_(
            "King to 2: a group of 12 cards moves to an empty column in one move. In this game a group has no "
            "limit, and moving it away sets the 5 under it free."
        ),
        47: N_("Seven cards go onto the 8: queen to ace now lie in order, and only their king is missing."),
        48: N_("Queen to ace go onto their king: the third run leaves."),
        49: N_(
            "The last ace completes the fourth run, and the table is empty. 500 − 49 + 4 × 100 = 851 points, "
            "in 49 moves."
        ),
    },
)

SCORPION = ExampleGame(
    "SC1-C-AAAAABE",
    """
    1.3-5 2.3-5 0.5-5 4.1-5 5.2-2 2.4-1 0.3-2 0.2-3 1.18-3 6.0-1 1.5-3 3.27-0 0.3-4 4.4-2 5.1-1
    3.22-5 2.2-3 2.1-1 3.9-1 1.10-5 5.12-2 0.1-5 4.3-0 2.10-4 3.6-2 5.8-3 3.5-5 1.4-3 1.2-3
    2.4-1 4.2-2 1.6-4 5.3-3 3.10-6 4.0-3 deal 3.3-0 3.2-5 3.1-2 3.0-5 0.9-5 2.6-0 2.3-0 0.4-2
    1.1-0 0.9-1 1.0-0 6.11-0 0.0-6
    """,
    {
        0: N_(
            "The deal: 12 cards lie face down in columns 1 to 4, and the stock has 3. The rules are the "
            "classic ones: a card goes only onto the next higher one of its own suit."
        ),
        1: N_(
            "The 3 of clubs goes onto the 4 of clubs and takes three cards along, though they are not in "
            "sequence. A hidden card lies bare and turns up: 5 points for the suit, 5 for the card."
        ),
        5: N_("21 cards move at once. Only the first of them, the 8 of spades, decides whether they may."),
        8: N_("The 2 of hearts goes onto its 3, and the next hidden card of column 1 turns up."),
        10: N_("Column 7 is empty. In Scorpion only a king may be moved there, so it waits for one."),
        18: N_("All that hid the king of diamonds is gone: the last hidden card of column 3 turns up."),
        34: N_(
            "The king of clubs goes to the empty column with all that lies on it, 15 cards. That brings no "
            "points, since it lies on no card of its suit."
        ),
        36: N_(
            "The stock is dealt: a card each onto columns 1, 2 and 3. It can be dealt at any time, but only "
            "once; it is one move, and brings no points."
        ),
        37: N_("The queen of spades goes onto the king that has just been dealt, and takes 13 cards along."),
        41: N_("Hearts are complete from king to ace: the first run leaves the table, for 100 points."),
        44: N_("The 10 of diamonds and what lies on it complete the second run."),
        45: N_("The last hidden card of all turns up, the 6 of spades."),
        48: N_("Spades leave as the third run."),
        49: N_(
            "The 2 and the ace of clubs complete the last run: won with 695 points in 49 moves. 460 of them "
            "are for hidden cards and runs, as in every won game that was never undone."
        ),
    },
)

EXAMPLE_GAMES: Mapping[str, ExampleGame] = {"simple-simon": SIMPLE_SIMON, "scorpion": SCORPION}
"""The example of each game, by the game's name in addresses."""
