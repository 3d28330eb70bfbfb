"""Simple Simon: 1, 2 or 4 suits (SS-1 to SS-7)."""

from dataclasses import replace

from app.engine.rules import Rules, any_card, one_rank_higher, one_suit_sequence

FOUR_SUITS = Rules(
    game="simple-simon",
    prefix="SS1",
    variant="S4",
    choice=("suits", 4),
    sets="SHDC",
    layout=(8, 8, 8, 7, 6, 5, 4, 3, 2, 1),
    down=(0,) * 10,
    lift=one_suit_sequence,
    build=one_rank_higher,
    vacant=any_card,
    best_in_any_suit=False,
    points={"moved": -1, "removed": 100},
    start=500,
)
TWO_SUITS = replace(FOUR_SUITS, variant="S2", choice=("suits", 2), sets="SSHH")
ONE_SUIT = replace(FOUR_SUITS, variant="S1", choice=("suits", 1), sets="SSSS")
