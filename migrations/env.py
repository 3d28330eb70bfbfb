"""Alembic's entry: migrates on the connection that the caller holds, inside its transaction and its lock."""

from alembic import context

from app.settings import Settings
from app.store.database import open_database
from app.store.schema import metadata


def run() -> None:
    """Run the migrations on the caller's connection, or, from Alembic's own command line, on one of the settings."""
    connection = context.config.attributes.get("connection")
    if connection is None:
        with open_database(Settings.from_environment().database_url).begin() as connection:
            context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
            context.run_migrations()
    else:
        context.configure(connection=connection, target_metadata=metadata, render_as_batch=True)
        context.run_migrations()


run()
