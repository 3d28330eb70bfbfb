"""The time at which a game was deleted: it is kept for a while, so that the deletion can be undone."""

import sqlalchemy as sa
from alembic import op

revision = "20261130_deleted"
down_revision = "20261130_settings"


def upgrade() -> None:
    op.add_column("game", sa.Column("deleted", sa.BigInteger))
