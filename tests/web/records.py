"""Recorded games of an independent implementation, and a second opinion on what the events of an action mean."""

import json
from pathlib import Path
from typing import Any

from tests.web.site import Json

DATA = Path(__file__).parents[1] / "data"

Record = dict[str, Any]
Columns = list[list[str]]


def lines(name: str) -> list[Record]:
    """Return what each line of a file of recorded games holds."""
    return [json.loads(line) for line in (DATA / name).read_text(encoding="utf-8").splitlines()]


def document(name: str) -> Record:
    """Return the recorded game that a file holds."""
    record: Record = json.loads((DATA / name).read_text(encoding="utf-8"))
    return record


def name_of(record: Record) -> str:
    """Return the name of a record, for the names of tests."""
    return str(record["id"])


EXAMPLES = [document("example_simple_simon.json"), document("example_scorpion.json")]
CODED = lines("coded_games.jsonl")
ACTIONS = lines("actions.jsonl")
KINDS = list({record["code"][:6]: record for record in CODED}.values())
"""One won game of each kind and variant."""

WON = min(CODED, key=lambda record: len(record["moves"]))
"""The shortest of the games, each of which is won."""

ONE_SUIT = "SS1-S1-AAAAABD"
FOUR_SUITS = "SS1-S4-AAAAABD"
SCORPION = "SC1-C-AAAAABE"


def hidden(columns: Columns) -> Columns:
    """Return columns as a player sees them: without the names of face-down cards."""
    return [["??" if card.startswith("?") else card for card in column] for column in columns]


def names_under(columns: Columns, stock: list[str]) -> set[str]:
    """Return the names of the cards that a player must not learn."""
    return {card[1:] for column in columns for card in column if card.startswith("?")} | set(stock)


class Fold:
    """A table that is told nothing but the events, and the score that they are worth by the rule pages."""

    def __init__(self, game: Json) -> None:
        self.game = game["game"]
        self.columns: Columns = [list(column) for column in game["columns"]]
        self.stock: int = game["stock"]
        self.runs: list[str] = list(game["runs"])
        self.score: int = game["score"]

    def add(self, event: Json) -> None:
        """Take one event of an action in."""
        match event:
            case {"event": "moved", "from": source, "at": at, "to": target, "cards": cards}:
                assert self.columns[source][at:] == cards
                end = self.columns[target][-1:]
                del self.columns[source][at:]
                self.columns[target] += cards
                if self.game == "simple-simon":
                    self.score -= 1
                elif end and end[0][1] == cards[0][1]:
                    self.score += 5
            case {"event": "dealt", "column": column, "card": card}:
                self.columns[column].append(card)
                self.stock -= 1
            case {"event": "removed", "column": column, "suit": suit}:
                assert self.columns[column][-13:] == [rank + suit for rank in "KQJT98765432A"]
                del self.columns[column][-13:]
                self.runs.append(suit)
                self.score += 100
            case {"event": "flipped", "column": column, "card": card}:
                assert self.columns[column][-1] == "??"
                self.columns[column][-1] = card
                self.score += 5
            case _:
                raise AssertionError(event)

    @property
    def state(self) -> tuple[Columns, int, list[str], int]:
        """The table and the score."""
        return self.columns, self.stock, self.runs, self.score


def state(game: Json) -> tuple[Columns, int, list[str], int]:
    """Return the table and the score of a game, to compare with a :class:`Fold`."""
    return game["columns"], game["stock"], game["runs"], game["score"]


LOOP = ([2, 7, 9], [9, 1, 2])
"""Two moves of :data:`FOUR_SUITS` that can follow each other for ever: there and back."""


def loop(moves: int) -> list[list[int]]:
    """Return so many moves there and back of :data:`LOOP`."""
    return [LOOP[number % 2] for number in range(moves)]
