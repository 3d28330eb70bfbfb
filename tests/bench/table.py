"""What is measured, as lines of a table."""

from typing import NamedTuple


class Figure(NamedTuple):
    """One line: what was measured, what came out, and what issue 5 wants of it."""

    name: str
    value: str
    aim: str = ""


def micro(seconds: float) -> str:
    """Return a short time as text."""
    return f"{seconds * 1e6:.0f} µs"


def times(ratio: float) -> str:
    """Return a ratio as text."""
    return f"{ratio:.2f}"


def print_table(figures: list[Figure]) -> None:
    """Print figures as a table that Markdown understands too."""
    rows = [Figure("figure", "value", "aim"), *figures]
    widths = [max(len(row[i]) for row in rows) for i in range(3)]
    rows.insert(1, Figure(*("-" * width for width in widths)))
    for row in rows:
        print("| " + " | ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) + " |")
