"""Replays: the addresses at which games are shared to be looked at."""

import sqlalchemy as sa
from alembic import op

revision = "20261130_replay"
down_revision = "20261130_deleted"

ID = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def upgrade() -> None:
    op.create_table(
        "replay",
        sa.Column("token", sa.String(22), nullable=False),
        sa.Column("game_id", ID, nullable=False),
        sa.PrimaryKeyConstraint("token", name="pk_replay"),
        sa.ForeignKeyConstraint(["game_id"], ["game.id"], name="fk_replay_game_id"),
        sa.UniqueConstraint("game_id", name="uq_replay_game_id"),
    )
