"""Deleting: a game is marked and hidden at first, so that its deletion can be undone; everything goes at once."""

from sqlalchemy import Connection, delete, select, update

from app.store.games import STANDS
from app.store.schema import device, game, now_in_milliseconds, player, replay


def remove(connection: Connection, player_id: int, game_id: int) -> bool:
    """Delete one of a player's games, until it is brought back or pruned; return whether there was one.

    Where it was shared, that is withdrawn for good.
    """
    mine = update(game).where(game.c.id == game_id, game.c.player_id == player_id, STANDS)
    if not connection.execute(mine.values(deleted=now_in_milliseconds())).rowcount:
        return False
    connection.execute(delete(replay).where(replay.c.game_id == game_id))
    return True


def bring_back(connection: Connection, player_id: int, game_id: int) -> bool:
    """Undo the deletion of one of a player's games; return whether there was one."""
    gone = update(game).where(game.c.id == game_id, game.c.player_id == player_id, ~STANDS)
    return bool(connection.execute(gone.values(deleted=None)).rowcount)


def is_removed(connection: Connection, player_id: int, game_id: int) -> bool:
    """Return whether one of a player's games is deleted and can still be brought back."""
    query = select(game.c.id).where(game.c.id == game_id, game.c.player_id == player_id, ~STANDS)
    return connection.execute(query).first() is not None


def prune(connection: Connection, older_than: int) -> int:
    """Delete for good the games that were deleted before a time; return how many."""
    return connection.execute(delete(game).where(game.c.deleted < older_than)).rowcount


def remove_everything(connection: Connection, player_id: int) -> None:
    """Delete a player for good, with all devices and games."""
    # Whoever is writing a move holds its game; to wait for them in the order of ids keeps the peace.
    connection.execute(select(game.c.id).where(game.c.player_id == player_id).order_by(game.c.id).with_for_update())
    connection.execute(select(player.c.id).where(player.c.id == player_id).with_for_update())
    mine = select(game.c.id).where(game.c.player_id == player_id)
    connection.execute(delete(replay).where(replay.c.game_id.in_(mine)))
    for table in (game, device):
        connection.execute(delete(table).where(table.c.player_id == player_id))
    connection.execute(delete(player).where(player.c.id == player_id))
