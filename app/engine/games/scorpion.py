"""Scorpion: classic and relaxed rules (SC-1 to SC-9, SC-11)."""

from dataclasses import replace

from app.engine.rules import Rules, any_group, king_only, one_rank_higher, one_rank_higher_in_suit

CLASSIC = Rules(
    game="scorpion",
    prefix="SC1",
    variant="C",
    choice=("rules", "classic"),
    sets="SHDC",
    layout=(7,) * 7,
    down=(3, 3, 3, 3, 0, 0, 0),
    lift=any_group,
    build=one_rank_higher_in_suit,
    vacant=king_only,
    best_in_any_suit=True,
    points={"suited": 5, "flipped": 5, "removed": 100},
    start=0,
    stock_to=(0, 1, 2),
)
# Relaxed rules can gain points for ever by moving a group off its suit and back, so moves tell the better game.
RELAXED = replace(CLASSIC, variant="R", choice=("rules", "relaxed"), build=one_rank_higher, ranked_by="moves")
