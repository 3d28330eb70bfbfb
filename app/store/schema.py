"""The tables, and the ids of their rows."""

import secrets
import time

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Computed,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
    UniqueConstraint,
    text,
)

# Only a column declared INTEGER is SQLite's own row key, which spares each table a second tree.
Id = BigInteger().with_variant(Integer, "sqlite")

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

player = Table(
    "player",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=False),
    Column("language", String(2)),
    Column("settings", Text, nullable=False, server_default="{}"),
    Column("latest", BigInteger),
)

device = Table(
    "device",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=False),
    Column("player_id", Id, ForeignKey("player.id"), nullable=False, index=True),
)

# No column that a move changes stands in an index: an index entry would have to be moved with each move.  Whether a
# game is won, the database finds in its position (G-4): the stock is dealt, and behind it stand all the runs.  Only the
# move that wins, and its undo, change that, and with it the index of the won games.
game = Table(
    "game",
    metadata,
    Column("id", Id, primary_key=True, autoincrement=False),
    Column("player_id", Id, ForeignKey("player.id"), nullable=False),
    Column("code", String(15), nullable=False),
    Column("attempt", Integer, nullable=False),
    Column("words", Text, nullable=False),
    Column("made", Integer, nullable=False),
    Column("floor", Integer, nullable=False),
    Column("position", Text, nullable=False),
    Column("score", Integer, nullable=False),
    Column("version", Integer, nullable=False),
    Column("nonce", String(80)),
    Column("played", BigInteger, nullable=False),
    Column("deleted", BigInteger),
    Column("won", Boolean, Computed("position LIKE '%//____'")),
    UniqueConstraint("player_id", "code", "attempt"),
    Index(None, "player_id", "id"),
    Index("ix_game_won", "player_id", "id", sqlite_where=text("won = 1"), postgresql_where=text("won")),
)

replay = Table(
    "replay",
    metadata,
    Column("token", String(22), primary_key=True),
    Column("game_id", Id, ForeignKey("game.id"), nullable=False, unique=True),
)

secret = Table(
    "secret",
    metadata,
    Column("name", String(32), primary_key=True),
    Column("value", String(64), nullable=False),
)

EPOCH = 1_767_225_600_000  # 2026-01-01 in UTC, in milliseconds.
_CHANCE = 22


def new_id(moment: int | None = None) -> int:
    """Return an id for a new row: 41 bits of time and 22 of chance, so that no central counter is needed.

    Rows made one after another lie side by side on disk, "newest first" is the order of ids, and any number of
    processes draw ids without asking each other.  The time is now, unless another ``moment`` is given.
    """
    return ((now_in_milliseconds() if moment is None else moment) - EPOCH) << _CHANCE | secrets.randbits(_CHANCE)


def made_at(row_id: int) -> float:
    """Return when a row's id was drawn, in seconds since 1970."""
    return ((row_id >> _CHANCE) + EPOCH) / 1000


def now_in_milliseconds() -> int:
    """Return the time since 1970."""
    return time.time_ns() // 1_000_000
