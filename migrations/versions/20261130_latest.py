"""The game that a player played last, so that it is found among thousands without an index that moves would change."""

import sqlalchemy as sa
from alembic import op

revision = "20261130_latest"
down_revision = "20261130_replay"


def upgrade() -> None:
    op.add_column("player", sa.Column("latest", sa.BigInteger))
