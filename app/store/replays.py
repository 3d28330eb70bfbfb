"""Replays: a finished game is shared at an address that cannot be guessed, until that is withdrawn."""

import secrets

from sqlalchemy import Connection, delete, insert, select

from app.store.games import Saved, find
from app.store.schema import game, replay

CHANCE = 16
"""The bytes of chance in a token: 128 bits, and 22 letters."""


def token_of(connection: Connection, game_id: int) -> str | None:
    """Return the token at which a game is shared, or None."""
    return connection.scalar(select(replay.c.token).where(replay.c.game_id == game_id))


def shared(connection: Connection, token: str) -> Saved | None:
    """Return the game that is shared at a token, or None."""
    game_id = connection.scalar(select(replay.c.game_id).where(replay.c.token == token))
    return None if game_id is None else find(connection, game_id)


def share(connection: Connection, player_id: int, game_id: int) -> str | None:
    """Share one of a player's games, if it is won; return its token, or None.

    A game that is shared already keeps its token, whether it is won or not any more.
    """
    # The lock lets of two presses at once the second find the first one's token.
    connection.execute(select(game.c.id).where(game.c.id == game_id).with_for_update())
    one = find(connection, game_id)
    if one is None or one.player_id != player_id:
        return None
    if token := token_of(connection, game_id):
        return token
    if not one.game.won:
        return None
    token = secrets.token_urlsafe(CHANCE)
    connection.execute(insert(replay), {"token": token, "game_id": game_id})
    return token


def withdraw(connection: Connection, player_id: int, game_id: int) -> bool:
    """Share one of a player's games no more; return whether it is the player's."""
    one = find(connection, game_id)
    if one is None or one.player_id != player_id:
        return False
    connection.execute(delete(replay).where(replay.c.game_id == game_id))
    return True
