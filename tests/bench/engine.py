"""The engine alone: recorded games played through, beside the Scorpion engine of the PyPI package ``soliterm``.

What is compared, in one process and in turn: the same recorded games of Scorpion, classic rules, up to the first action
that completes a run, because soliterm leaves full runs on the table.  At each position both list all their legal moves,
which are compared once before anything is timed.  Each action is made through the function that each program itself
calls for a player's action, with all that belongs to it: the check of legality, the score, and the history that undo
needs (``act`` here; ``attempt_move`` and ``click`` there).  Ours answers with events too, theirs with a line of status.
"""

import json
import time
from collections.abc import Callable, Iterator
from functools import partial
from statistics import median
from typing import Any, NamedTuple

from soliterm.engine import Card, Solitaire, new_solitaire

from app.engine.cards import NAMES, RANKS
from app.engine.codes import parse_code
from app.engine.game import Game, act, start
from app.engine.games import GAMES
from app.engine.games.scorpion import CLASSIC
from app.engine.moves import Action, Command, Move
from app.engine.play import legal
from app.engine.position import Position
from app.engine.replay import read_action
from app.engine.rules import Rule, Rules
from tests.bench.table import Figure
from tests.services import ROOT

ROUNDS = 7
SECONDS = 0.2
"""How long one contender works in one round, at least."""


class Record(NamedTuple):
    """A recorded game: the game before each action, and the action."""

    games: list[Game]
    actions: list[Action]


class Contender(NamedTuple):
    """One engine on one set of games: its two kinds of work, and how many of each are done by one call."""

    name: str
    apply: Callable[[], None]
    moves: Callable[[], None]
    size: int


def _records(rules: Rules) -> list[Record]:
    found = []
    with (ROOT / "tests/data/coded_games.jsonl").open(encoding="utf-8") as lines:
        for entry in map(json.loads, lines):
            code = parse_code(entry["code"])
            if code.rules is rules:
                found.append(_record(code.deal(), rules, entry))
    return found


def _record(position: Position, rules: Rules, entry: dict[str, Any]) -> Record:
    game = start(rules, position)
    record = Record([], [])
    for wish in entry["moves"]:
        action = read_action(wish)
        turn = act(game, action)
        assert not isinstance(turn, Rule)
        record.games.append(game)
        record.actions.append(action)
        game = turn.game
    return record


def _without_runs(record: Record) -> Record:
    """Return a record up to the action that completes the first run, which is left out."""
    after = [*record.games[1:], None]
    keep = next(n for n, game in enumerate(after) if game is None or game.position.runs)
    return Record(record.games[:keep], record.actions[:keep])


# Ours


def _ours(name: str, records: list[Record]) -> Contender:
    def apply() -> None:
        for games, actions in records:
            game = games[0]
            for action in actions:
                turn = act(game, action)
                assert not isinstance(turn, Rule)
                game = turn.game

    def moves() -> None:
        for games, _ in records:
            for game in games:
                legal(game.rules, game.position)

    return Contender(name, apply, moves, sum(len(record.actions) for record in records))


# Theirs: slot 0 is the stock, slots 1 to 7 are the columns.


def _card(letter: str, face_up: bool) -> Card:
    name = NAMES[letter]
    return Card(RANKS.index(name[0]) + 1, name[1], face_up)


def _theirs_at(position: Position) -> Solitaire:
    table = new_solitaire("scorpion", 1)
    # Their stock is dealt from its end.
    table.slots[0].cards[:] = [_card(letter, False) for letter in reversed(position.stock)]
    for slot, column, down in zip(table.slots[1:], position.columns, position.down, strict=True):
        slot.cards[:] = [_card(letter, at >= down) for at, letter in enumerate(column)]
    return table


def _their_action(game: Game, action: Action) -> Callable[[Solitaire], bool]:
    if isinstance(action, Move):
        source, at, target = action
        size = len(game.position.columns[source]) - at
        return lambda table: table.attempt_move(source + 1, target + 1, size)
    assert action is Command.DEAL
    return lambda table: table.click(0)


def _compare(game: Game, table: Solitaire) -> None:
    """Make sure that both engines stand at the same table and see the same moves."""
    position = game.position
    assert [slot.cards for slot in table.slots] == [slot.cards for slot in _theirs_at(position).slots]
    ours = {
        (move.source + 1, move.target + 1, len(position.columns[move.source]) - move.at)
        for move in legal(game.rules, position)
    }
    assert ours == set(table.legal_moves())


def _theirs(records: list[Record]) -> Contender:
    walks = []
    for games, actions in records:
        theirs = [_their_action(game, action) for game, action in zip(games, actions, strict=True)]
        walks.append((_theirs_at(games[0].position), theirs))
        table = walks[-1][0].clone()
        for game, action in zip(games, theirs, strict=True):
            _compare(game, table)
            action(table)
    tables = [_theirs_at(game.position) for record in records for game in record.games]

    def apply() -> None:
        for first, actions in walks:
            table = first.clone()  # One copy for some forty actions, since theirs changes the table in place.
            for action in actions:
                assert action(table)

    def moves() -> None:
        for table in tables:
            table.legal_moves()

    return Contender("soliterm, Scorpion", apply, moves, sum(len(record.actions) for record in records))


def _rate(work: Callable[[], None], count: int) -> float:
    """Return how many pieces of work are done in a second of CPU."""
    done, begun = 0, time.process_time()
    while (taken := time.process_time() - begun) < SECONDS:
        work()
        done += count
    return done / taken


def figures() -> Iterator[Figure]:
    """Measure every variant of ours, then both engines on the same games."""
    same = [_without_runs(record) for record in _records(CLASSIC)]
    contenders = [_ours(f"{rules.game}, {rules.choice[1]}", _records(rules)) for rules in GAMES]
    contenders += [_ours("the games compared, ours", same), _theirs(same)]
    rates: dict[str, list[tuple[float, float]]] = {contender.name: [] for contender in contenders}
    for _ in range(ROUNDS):
        for contender in contenders:
            measure = partial(_rate, count=contender.size)
            rates[contender.name].append((measure(contender.apply), measure(contender.moves)))
    for name, rounds in rates.items():
        applied, listed, both = (
            median(column) for column in zip(*[(a, m, _both(a, m)) for a, m in rounds], strict=True)
        )
        yield Figure(
            f"engine: {name}: moves applied; legal-move lists; both, a second",
            f"{applied:.0f}; {listed:.0f}; {both:.0f}",
        )
    ratios = [_both(*ours) / _both(*theirs) for ours, theirs in zip(*list(rates.values())[-2:], strict=True)]
    yield Figure("engine: apply + legal moves, ours over soliterm's", f"{median(ratios):.1f}", "≥ 10")


def _both(applied: float, listed: float) -> float:
    """Return how often in a second a move is applied and the legal moves are listed after it."""
    return 1 / (1 / applied + 1 / listed)
