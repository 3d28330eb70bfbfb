"""Statistics: what came of my games, in figures and in pictures that are drawn here (issue 6, "Statistics")."""

from collections.abc import Mapping
from itertools import groupby
from typing import NamedTuple

from babel.numbers import format_percent
from fastapi import APIRouter, Request
from starlette.responses import Response

from app.service import Tally
from app.web.show import GET, show
from app.web.visitor import TheService, TheVisitor

router = APIRouter(include_in_schema=False)

MOST_BARS = 20
STEPS = (1, 2, 5, 10, 20, 25, 50, 100, 200, 250, 500)
"""How wide a bar of a distribution can be, in points or moves; beyond them it grows by thousands."""


class Bar(NamedTuple):
    """One bar of a picture: its first and last value or game, how many games it stands for, how many of them won."""

    first: int
    last: int
    games: int
    won: int

    @property
    def label(self) -> str:
        """What the bar stands for, as a reader sees it: with the sign of a minus, which is no dash."""
        ends = [self.first] if self.first == self.last else [self.first, self.last]
        return "–".join(map(str, ends)).replace("-", "−")


class Picture(NamedTuple):
    """Bars side by side, in a picture 100 high and as wide as its bars: each is 10 wide, with 2 between."""

    bars: list[Bar]

    @property
    def width(self) -> int:
        """The width of the picture, in its own units."""
        return len(self.bars) * 12 - 2

    @property
    def all_games(self) -> str:
        """The outline of the bars."""
        return self._outline([bar.games for bar in self.bars])

    @property
    def won_games(self) -> str:
        """The outline of what is won of the bars."""
        return self._outline([bar.won for bar in self.bars])

    def _outline(self, heights: list[int]) -> str:
        scale = 96 / max(bar.games for bar in self.bars)
        # A single game among thousands is seen too.
        bars = [(at * 12, max(round(scale * height), 3)) for at, height in enumerate(heights) if height]
        return "".join([f"M{left} 100v-{height}h10v{height}z" for left, height in bars])


def over_time(results: str) -> Picture:
    """Return how games went, in the order in which they were begun: each bar as many games as the others, or fewer."""
    size = -(-len(results) // MOST_BARS)
    parts = [(at, results[at : at + size]) for at in range(0, len(results), size)]
    return Picture([Bar(at + 1, at + len(part), len(part), part.count("1")) for at, part in parts])


def distribution(values: Mapping[int, int]) -> Picture:
    """Return how often won games came to which value; bars without a game stand between those with one."""
    low, high = min(values), max(values)
    step = next((step for step in STEPS if high // step - low // step < MOST_BARS), 0)
    step = step or -(-(high - low) // (1000 * (MOST_BARS - 1))) * 1000
    counts = [0] * (high // step - low // step + 1)
    for value, count in values.items():
        counts[value // step - low // step] += count
    first = low // step * step
    return Picture([Bar(first + n * step, first + (n + 1) * step - 1, count, count) for n, count in enumerate(counts)])


@router.api_route("/statistics", methods=GET)
def statistics(request: Request, service: TheService, visitor: TheVisitor) -> Response:
    """Show what came of my games, by game and variant."""
    tallies = service.tallies(visitor.player)
    games = [(game, list(group)) for game, group in groupby(tallies, key=lambda tally: tally.rules.game)]

    def share(*some: Tally) -> str:
        ratio = sum(tally.won for tally in some) / sum(tally.played for tally in some)
        return format_percent(ratio, locale=visitor.view.language)

    return show(
        visitor, request, "statistics.html", games=games, share=share, over_time=over_time, distribution=distribution
    )
