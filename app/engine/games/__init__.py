"""The games that are offered, each variant a record of data.

One more game is one more file, and a name in the tuple below (SC-10).
"""

from app.engine.games.scorpion import CLASSIC, RELAXED
from app.engine.games.simple_simon import FOUR_SUITS, ONE_SUIT, TWO_SUITS

GAMES = (ONE_SUIT, TWO_SUITS, FOUR_SUITS, CLASSIC, RELAXED)
"""Every game in every variant, in the order in which they are offered."""
