"""Whether a game is won, as the database finds it in the position, and an index of the won games."""

import sqlalchemy as sa
from alembic import op

revision = "20261130_won"
down_revision = "20261130_latest"


def upgrade() -> None:
    # PostgreSQL has an index only of what is stored; SQLite adds a column to a table only where it is not.
    stored = op.get_bind().dialect.name == "postgresql"
    op.add_column("game", sa.Column("won", sa.Boolean, sa.Computed("position LIKE '%//____'", persisted=stored)))
    op.create_index(
        "ix_game_won",
        "game",
        ["player_id", "id"],
        sqlite_where=sa.text("won = 1"),
        postgresql_where=sa.text("won"),
    )
