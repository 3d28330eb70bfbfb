"""Replaying a recorded game: an object of plain data in, one out (spec "Command line")."""

from collections.abc import Mapping, Sequence
from typing import Any

from app.engine.cards import names
from app.engine.codes import InvalidCode, parse_code
from app.engine.game import Game, act, start
from app.engine.games import GAMES
from app.engine.moves import Action, Auto, Command, InvalidMove, Move
from app.engine.play import legal
from app.engine.position import InvalidPosition, Position
from app.engine.rules import Rule, Rules


class InvalidRecord(ValueError):
    """An object that records no game: no such rules, no position, or something that is no move."""


def replay(record: object) -> dict[str, Any]:
    """Return what each action of a recorded game did, and the table at the end.

    ``record`` has ``game`` with ``suits`` or ``rules`` and the ``columns`` and ``stock``, or a ``code`` alone; then
    ``moves`` or ``actions``.  Raises :class:`InvalidRecord` for anything else.
    """
    if not isinstance(record, Mapping):
        raise InvalidRecord("not an object")
    try:
        game = _start(record)
    except (InvalidCode, InvalidPosition) as error:
        raise InvalidRecord(str(error)) from error
    first = _count(record, "start_moves", 0)
    steps = []
    for wish in _list(record, "actions" if "actions" in record else "moves"):
        try:
            turn = act(game, read_action(wish))
        except InvalidMove as error:
            raise InvalidRecord(str(error)) from error
        refused = {"rule": str(turn)} if isinstance(turn, Rule) else {}
        if not isinstance(turn, Rule):
            game = turn.game
        steps.append({"ok": not refused, **refused, "score": game.score, "moves": first + game.made})
    return {
        "id": record.get("id"),
        "steps": steps,
        "score": game.score,
        "moves": first + game.made,
        "removed": list(game.position.runs),
        "won": game.won,
        "undo": game.undoable,
        "redo": game.redoable,
        "columns": game.position.names(hidden="?{}"),
        "stock": names(game.position.stock),
        "legal_moves": [list(move) for move in legal(game.rules, game.position)],
    }


def read_action(wish: object) -> Action:
    """Return the action that ``[from, at, to]``, ``["auto", from, at]``, ``"deal"``, ``"undo"`` or ``"redo"`` asks for.

    Raises :class:`app.engine.moves.InvalidMove` for anything else.
    """
    match wish:
        case "deal" | "undo" | "redo":
            return Command(wish)
        case ["auto", int(source), int(at)] if not _has_bool(wish):
            return Auto(source, at)
        case [int(source), int(at), int(target)] if not _has_bool(wish):
            return Move(source, at, target)
    raise InvalidMove(f"no move: {wish!r}")


def _has_bool(wish: Sequence[object]) -> bool:
    # JSON's true and false are whole numbers to Python, but no places of a table.
    return any(isinstance(item, bool) for item in wish)


def _start(record: Mapping[str, Any]) -> Game:
    if "columns" not in record:
        code = parse_code(_text(record, "code"))
        return start(code.rules, code.deal())
    rules = _rules(record)
    position = Position.read(_columns(record), _list(record, "stock"), _list(record, "start_removed"))
    if len(position.columns) != len(rules.layout):
        raise InvalidRecord(f"{rules.game} has {len(rules.layout)} columns, not {len(position.columns)}")
    if len(position.stock) not in (0, len(rules.stock_to)):
        raise InvalidRecord(f"the stock of {rules.game} has {len(rules.stock_to)} cards, not {len(position.stock)}")
    return start(rules, position)._replace(score=_count(record, "start_score", rules.start))


def _rules(record: Mapping[str, Any]) -> Rules:
    game = _text(record, "game").replace("_", "-")
    for rules in GAMES:
        name, value = rules.choice
        wish = record.get(name)
        # JSON's true equals 1 to Python, but is no number of suits.
        if rules.game == game and type(wish) is type(value) and wish == value:
            return rules
    raise InvalidRecord(f"no such game, or no such suits or rules: {game!r}")


def _columns(record: Mapping[str, Any]) -> list[list[str]]:
    columns = record["columns"]
    if not isinstance(columns, list):
        raise InvalidRecord("columns: not a list")
    return [_list({"columns": column}, "columns") for column in columns]


def _text(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    if not isinstance(value, str):
        raise InvalidRecord(f"{key}: not a text")
    return value


def _list(record: Mapping[str, Any], key: str) -> list[Any]:
    value = record.get(key, [])
    if not isinstance(value, list):
        raise InvalidRecord(f"{key}: not a list")
    return value


def _count(record: Mapping[str, Any], key: str, default: int) -> int:
    value = record.get(key, default)
    if not isinstance(value, int) or isinstance(value, bool):
        raise InvalidRecord(f"{key}: not a whole number")
    return value
