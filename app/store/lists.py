"""A player's games as they are listed: of each row no more is read than a list shows."""

from typing import NamedTuple

from sqlalchemy import Connection, select

from app.engine.codes import Code, parse_code
from app.engine.position import Position
from app.store.games import STANDS
from app.store.schema import game


class Listed(NamedTuple):
    """One attempt of a player at a deal, without its moves; ``played`` is in milliseconds since 1970."""

    id: int
    code: Code
    attempt: int
    position: Position
    score: int
    made: int
    played: int

    @property
    def won(self) -> bool:
        """Whether all runs are removed (G-4)."""
        return len(self.position.runs) >= self.code.rules.places


_COLUMNS = (game.c.id, game.c.code, game.c.attempt, game.c.position, game.c.score, game.c.made, game.c.played)


def listed(
    connection: Connection, player_id: int, count: int, before: int | None = None, won: bool | None = None
) -> list[Listed]:
    """Return up to ``count`` of a player's games that have an action, newest first, of ids below ``before``.

    ``won`` leaves those that are won, or those that are not.
    """
    query = select(*_COLUMNS).where(game.c.player_id == player_id, game.c.version > 0, STANDS)
    if before is not None:
        query = query.where(game.c.id < before)
    if won is not None:
        query = query.where(game.c.won if won else ~game.c.won)
    rows = connection.execute(query.order_by(game.c.id.desc()).limit(count))
    return [
        Listed(row_id, parse_code(code), attempt, Position.trusted(position), score, made, played)
        for row_id, code, attempt, position, score, made, played in rows
    ]
