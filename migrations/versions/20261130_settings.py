"""Settings of a player."""

import sqlalchemy as sa
from alembic import op

revision = "20261130_settings"
down_revision = "20261130_first"


def upgrade() -> None:
    op.add_column("player", sa.Column("settings", sa.Text, nullable=False, server_default="{}"))
