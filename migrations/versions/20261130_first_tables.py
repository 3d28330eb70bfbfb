"""First tables: players, their devices and games, and the key that signs cookies."""

import sqlalchemy as sa
from alembic import op

revision = "20261130_first"
down_revision = None

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "player",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("language", sa.String(2)),
        sa.PrimaryKeyConstraint("id", name="pk_player"),
    )
    op.create_table(
        "device",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_device"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_device_player_id"),
    )
    op.create_index("ix_device_player_id", "device", ["player_id"])
    op.create_table(
        "game",
        sa.Column("id", ID, autoincrement=False, nullable=False),
        sa.Column("player_id", ID, nullable=False),
        sa.Column("code", sa.String(15), nullable=False),
        sa.Column("attempt", sa.Integer, nullable=False),
        sa.Column("words", sa.Text, nullable=False),
        sa.Column("made", sa.Integer, nullable=False),
        sa.Column("floor", sa.Integer, nullable=False),
        sa.Column("position", sa.Text, nullable=False),
        sa.Column("score", sa.Integer, nullable=False),
        sa.Column("version", sa.Integer, nullable=False),
        sa.Column("nonce", sa.String(80)),
        sa.Column("played", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_game"),
        sa.ForeignKeyConstraint(["player_id"], ["player.id"], name="fk_game_player_id"),
        sa.UniqueConstraint("player_id", "code", "attempt", name="uq_game_player_id_code_attempt"),
    )
    op.create_index("ix_game_player_id_id", "game", ["player_id", "id"])
    op.create_table(
        "secret",
        sa.Column("name", sa.String(32), nullable=False),
        sa.Column("value", sa.String(64), nullable=False),
        sa.PrimaryKeyConstraint("name", name="pk_secret"),
    )
