"""What stands in a database, for tests that ask whether anything changed."""

from typing import Any

from sqlalchemy import Engine, select

from app.store.schema import metadata

Rows = dict[str, list[tuple[Any, ...]]]
"""The rows of each table, in the order of their keys."""


def all_rows(engine: Engine) -> Rows:
    """Return every row of every table."""
    with engine.connect() as connection:
        return {
            table.name: [tuple(row) for row in connection.execute(select(table).order_by(*table.primary_key))]
            for table in metadata.sorted_tables
        }


def counts(rows: Rows) -> dict[str, int]:
    """Return how many rows each table has."""
    return {table: len(found) for table, found in rows.items()}
