"""Saved games: their rows as values, and the statements that read and write them."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import Any, NamedTuple

from sqlalchemy import (
    ARRAY,
    BigInteger,
    ColumnElement,
    Connection,
    Dialect,
    Executable,
    FromClause,
    Select,
    and_,
    bindparam,
    column,
    delete,
    func,
    insert,
    select,
    update,
    values,
)
from sqlalchemy.exc import DBAPIError

from app.engine.codes import Code, parse_code
from app.engine.game import Game
from app.engine.position import Position
from app.store.preferences import DEFAULTS, read, write
from app.store.schema import device, game, new_id, now_in_milliseconds, player


class Saved(NamedTuple):
    """One attempt of a player at a deal.

    ``version`` counts the accepted actions; ``nonce`` came with the latest of them, whose text stands after it.
    ``played`` is the time of that action, or of the start, in milliseconds since 1970.
    """

    id: int
    player_id: int
    code: Code
    attempt: int
    game: Game
    version: int
    nonce: str | None
    played: int


class Player(NamedTuple):
    """Who is playing; ``language`` is None until the player chooses one."""

    id: int
    language: str | None = None
    settings: Mapping[str, str] = DEFAULTS


COLUMNS = tuple(column for column in game.c if column.name not in ("deleted", "won"))
"""What :func:`saved` reads of a row."""

STANDS: ColumnElement[bool] = game.c.deleted.is_(None)
"""What every question for games asks of them: a deleted game is kept for a while, and is nowhere to be seen."""

_NO_ID = -1


@cache
def _of_devices(size: int) -> Select[Any]:
    """Return the question for games of devices: for the ids in two arrays, or, where ``size`` is not 0, for so many.

    A database without arrays is asked for one of few sizes, so that no question is made anew.  It is asked for pairs:
    to look for each game among all the devices would take the longer, the more ask at once.
    """
    asked: FromClause
    if size:
        pairs: list[Any] = [(bindparam(f"game{number}"), bindparam(f"device{number}")) for number in range(size)]
        asked = values(column("game", BigInteger), column("device", BigInteger), name="asked").data(pairs).cte()
    else:
        ids = [bindparam(name, type_=ARRAY(BigInteger)) for name in ("games", "devices")]
        asked = func.unnest(*ids).table_valued("game", "device").render_derived("asked")
    return (
        select(*COLUMNS, device.c.id.label("device_id"), player.c.language, player.c.settings, player.c.latest)
        .select_from(asked)
        .join(game, game.c.id == asked.c.game)
        .join(device, and_(device.c.id == asked.c.device, device.c.player_id == game.c.player_id))
        .join(player, player.c.id == game.c.player_id)
        .where(STANDS)
        .order_by(game.c.id)
        .with_for_update(of=game)
    )


class Locked(NamedTuple):
    """A game that is locked until the commit, its player, and the id of the game that the player played last."""

    player: Player
    saved: Saved
    latest: int | None


def lock(connection: Connection, keys: Sequence[tuple[int, int]]) -> dict[tuple[int, int], Locked]:
    """Return, by device and game, those of the asked games that belong to the device's player, locked until the commit.

    Locks are taken in the order of ids, so that no two processes can wait for each other.
    """
    parameters: dict[str, Any]
    if _has_arrays(connection):
        devices, ids = zip(*keys, strict=True)
        size, parameters = 0, {"devices": list(devices), "games": list(ids)}
    else:
        size, parameters = 1 << (len(keys) - 1).bit_length(), {}
        padding = [(_NO_ID, _NO_ID)] * (size - len(keys))
        for number, (device_id, game_id) in enumerate([*keys, *padding]):
            parameters[f"device{number}"], parameters[f"game{number}"] = device_id, game_id
    found = {}
    for row in _execute(connection, _of_devices(size), [parameters]):
        *columns, device_id, language, settings, latest = row
        one = saved(columns)
        found[device_id, one.id] = Locked(Player(one.player_id, language, read(settings)), one, latest)
    return found


def _has_arrays(connection: Connection) -> bool:
    return connection.dialect.name == "postgresql"


_CHANGED = ("words", "made", "floor", "position", "score", "version", "nonce", "played")
_VALUES = {"row": game.c.id, **{name: game.c[name] for name in _CHANGED}}

_change = update(game).where(game.c.id == bindparam("row")).values({name: bindparam(name) for name in _CHANGED})

# The driver of PostgreSQL takes as long for each game as for many in arrays.
_new = (
    func.unnest(*[bindparam(name, type_=ARRAY(column.type)) for name, column in _VALUES.items()])
    .table_valued(*_VALUES)
    .render_derived("new")
)
_change_many = update(game).where(game.c.id == _new.c.row).values({name: _new.c[name] for name in _CHANGED})


def saved(row: Sequence[Any]) -> Saved:
    """Return the game of a row with the table's columns."""
    row_id, player_id, code_text, attempt, words, made, floor, position, score, version, nonce, played = row
    code = parse_code(code_text)
    state = Game(code.rules, Position.trusted(position), score, words, made, floor)
    return Saved(row_id, player_id, code, attempt, state, version, nonce, played)


def _state(one: Saved) -> dict[str, Any]:
    state = one.game
    return {
        "words": state.words,
        "made": state.made,
        "floor": state.floor,
        "position": state.position.text,
        "score": state.score,
        "version": one.version,
        "nonce": one.nonce,
        "played": one.played,
    }


def advanced(before: Saved, state: Game, nonce: str | None) -> Saved:
    """Return a saved game after an accepted action."""
    row_id, player_id, code, attempt, _, version, _, _ = before
    return Saved(row_id, player_id, code, attempt, state, version + 1, nonce, now_in_milliseconds())


def change(connection: Connection, games: Iterable[Saved]) -> None:
    """Write the new states of games, all in one statement."""
    rows = [{"row": one.id, **_state(one)} for one in games]
    if _has_arrays(connection):
        _execute(connection, _change_many, [{name: [row[name] for row in rows] for name in rows[0]}])
    else:
        _execute(connection, _change, rows)


def _execute(connection: Connection, statement: Executable, rows: list[dict[str, Any]]) -> list[Any]:
    """Execute a statement of a move, and return the rows that it answers with.

    The driver is asked directly, with what the statement was compiled to, once for each database: the way through
    :meth:`Connection.execute` costs more than the statements themselves.
    """
    dialect, driver = connection.dialect, connection.connection
    text, order = _compiled(statement, dialect)
    parameters = [[row[name] for name in order] for row in rows] if order else rows
    cursor = driver.cursor()
    try:
        if len(parameters) > 1:
            cursor.executemany(text, parameters)
        else:
            cursor.execute(text, parameters[0])
        return list(cursor.fetchall()) if cursor.description else []
    except dialect.loaded_dbapi.Error as error:
        if dialect.is_disconnect(error, driver, cursor):
            connection.invalidate(error)
        raise DBAPIError(text, None, error) from error
    finally:
        cursor.close()


@cache
def _compiled(statement: Executable, dialect: Dialect) -> tuple[str, Sequence[str]]:
    """Return a statement as text for a database, and the order of its values where they have no names."""
    compiled: Any = statement.compile(dialect=dialect)  # type: ignore[attr-defined]
    return str(compiled), compiled.positiontup or ()


def add(connection: Connection, player_id: int, code: Code, attempt: int, state: Game) -> Saved:
    """Write a new attempt without an action, and return it."""
    one = Saved(new_id(), player_id, code, attempt, state, 0, None, now_in_milliseconds())
    row = {"id": one.id, "player_id": player_id, "code": code.text, "attempt": attempt, **_state(one)}
    connection.execute(insert(game), row)
    return one


def _read(connection: Connection, query: Select[Any]) -> list[Saved]:
    return [saved(row) for row in connection.execute(query)]


def find(connection: Connection, game_id: int) -> Saved | None:
    """Return the game with an id, whoever its player is, or None."""
    return next(iter(_read(connection, select(*COLUMNS).where(game.c.id == game_id, STANDS))), None)


def attempts(connection: Connection, player_id: int, code: Code, *, to_write: bool = False) -> list[Saved]:
    """Return a player's attempts at a deal, the most recently played first; locked until the commit if ``to_write``."""
    query = select(*COLUMNS).where(game.c.player_id == player_id, game.c.code == code.text, STANDS)
    query = query.order_by(game.c.played.desc(), game.c.attempt.desc())
    return _read(connection, query.with_for_update() if to_write else query)


def last_attempt(connection: Connection, player_id: int, code: Code) -> int:
    """Return the number of a player's last attempt at a deal, deleted ones counted, or 0."""
    query = select(func.max(game.c.attempt)).where(game.c.player_id == player_id, game.c.code == code.text)
    return connection.scalar(query) or 0


def newest(connection: Connection, player_id: int, count: int, before: int | None = None) -> list[Saved]:
    """Return up to ``count`` of a player's games that have an action, newest first, of ids below ``before``."""
    query = select(*COLUMNS).where(game.c.player_id == player_id, game.c.version > 0, STANDS)
    if before is not None:
        query = query.where(game.c.id < before)
    return _read(connection, query.order_by(game.c.id.desc()).limit(count))


def latest(connection: Connection, player_id: int) -> Saved | None:
    """Return the most recently played of a player's games that have an action, or None."""
    query = select(*COLUMNS).where(game.c.player_id == player_id, game.c.version > 0, STANDS)
    noted = query.join(player, player.c.latest == game.c.id).where(player.c.id == player_id)
    if found := _read(connection, noted):
        return found[0]
    # None is noted in an old database or after games were brought in, and the noted one may be deleted.
    return next(iter(_read(connection, query.order_by(game.c.played.desc(), game.c.id.desc()).limit(1))), None)


_note_latest = update(player).where(player.c.id == bindparam("row")).values(latest=bindparam("game"))


def note_latest(connection: Connection, latest: Mapping[int, int | None]) -> None:
    """Note which game each player has played last, by their ids; None has it looked for."""
    # In the order of ids no two processes can wait for each other.
    rows = [{"row": player_id, "game": game_id} for player_id, game_id in sorted(latest.items())]
    connection.execute(_note_latest, rows)


def has_played(connection: Connection, player_id: int, prefix: str) -> bool:
    """Return whether a player has a game with an action whose code begins with ``prefix``."""
    query = select(game.c.id).where(game.c.player_id == player_id, game.c.version > 0, STANDS)
    return connection.execute(query.where(game.c.code.startswith(prefix)).limit(1)).first() is not None


def everything(connection: Connection) -> tuple[int, Iterable[Sequence[Any]]]:
    """Return how many games are kept, and the row of each of them in turn, for :func:`saved`."""
    count = connection.scalar(select(func.count()).select_from(game)) or 0
    return count, connection.execution_options(yield_per=500).execute(select(*COLUMNS).order_by(game.c.id))


def prune(connection: Connection, older_than: int) -> int:
    """Delete attempts that never had an action and were begun before a time; return how many."""
    unplayed = delete(game).where(game.c.version == 0, game.c.played < older_than)
    return connection.execute(unplayed).rowcount


def player_of(connection: Connection, device_id: int) -> Player | None:
    """Return the player to whom a device belongs, or None."""
    query = select(player.c.id, player.c.language, player.c.settings).join(device).where(device.c.id == device_id)
    row = connection.execute(query).first()
    return Player(row.id, row.language, read(row.settings)) if row else None


def add_player(connection: Connection) -> tuple[Player, int]:
    """Write a new player with a first device; return the player and the device's id."""
    one, device_id = Player(new_id()), new_id()
    connection.execute(insert(player), {"id": one.id})
    connection.execute(insert(device), {"id": device_id, "player_id": one.id})
    return one, device_id


def set_language(connection: Connection, player_id: int, language: str) -> None:
    """Remember the language that a player chose."""
    connection.execute(update(player).where(player.c.id == player_id).values(language=language))


def set_settings(connection: Connection, player_id: int, settings: Mapping[str, str]) -> None:
    """Remember the settings that a player chose."""
    connection.execute(update(player).where(player.c.id == player_id).values(settings=write(settings)))
