"""The database: how it is opened, brought to the newest schema, and asked whether it is alive."""

import secrets
import sqlite3
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TypeVar

from alembic import command
from alembic.config import Config
from sqlalchemy import Connection, Engine, create_engine, event, insert, make_url, select, text
from sqlalchemy.exc import DBAPIError

from app.settings import ROOT
from app.store.schema import secret

WRITES = "writes"
"""The execution option of a connection whose transactions write."""

BUSY_TIMEOUT = 30
"""How long SQLite waits for another process's transaction, in seconds."""

T = TypeVar("T")

_LOCK = 7_401_996_301
"""The key of PostgreSQL's advisory lock: any number, the same in every process."""


class NotSqlite(Exception):
    """The database is no SQLite file."""


def open_database(database_url: str) -> Engine:
    """Return the engine of a SQLite or PostgreSQL database; SQLite's folder is made when it is missing."""
    url = make_url(database_url.replace("postgres://", "postgresql://", 1))
    if url.drivername == "postgresql":
        url = url.set(drivername="postgresql+psycopg")
    if url.get_backend_name() != "sqlite":
        return create_engine(url)
    if url.database and not url.database.startswith(":"):
        Path(url.database).parent.mkdir(parents=True, exist_ok=True)
    engine = create_engine(url, connect_args={"timeout": BUSY_TIMEOUT})
    event.listen(engine, "connect", _set_up_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _set_up_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    # Python's driver would begin transactions by itself, and late: _begin_sqlite does it instead.
    connection.isolation_level = None
    # FULL means that what is committed is on disk, also when the machine loses power.
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    _use_wal(connection)


def _use_wal(connection: sqlite3.Connection) -> None:
    """Turn to the write-ahead log, in which readers and the writer do not wait for each other."""
    deadline = time.monotonic() + BUSY_TIMEOUT
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            # Processes that turn a new database to it together meet a lock for which SQLite does not wait by itself.
            if "locked" not in str(error) or time.monotonic() > deadline:
                raise
            time.sleep(0.02)


def _begin_sqlite(connection: Connection) -> None:
    # A transaction that turns from reading to writing can meet a lock that no waiting resolves, so writers say so at
    # once.
    writes = connection.get_execution_options().get(WRITES, False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


@contextmanager
def _alone(engine: Engine) -> Iterator[Connection]:
    """Yield a connection in a transaction that only one process at a time can hold."""
    with engine.connect().execution_options(**{WRITES: True}) as connection, connection.begin():
        if connection.dialect.name == "postgresql":
            connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": _LOCK})
        yield connection


def migrate(engine: Engine) -> None:
    """Bring the database to the newest schema; of processes that start together, one does it and the others wait."""
    with _alone(engine) as connection:
        config = Config(toml_file=ROOT / "pyproject.toml")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")


def signing_key(engine: Engine) -> str:
    """Return the key that signs cookies, kept in the database: one for all its processes, made by the first."""
    with _alone(engine) as connection:
        key = connection.scalar(select(secret.c.value).where(secret.c.name == "cookie"))
        if key is None:
            key = secrets.token_hex(32)
            connection.execute(insert(secret), {"name": "cookie", "value": key})
        return str(key)


def read(engine: Engine, question: Callable[[Connection], T]) -> T:
    """Return what a question to the database answers; it is asked once more where the connection had broken."""
    try:
        with engine.connect() as connection:
            return question(connection)
    except DBAPIError as error:
        if not error.connection_invalidated:
            raise
        # The database was restarted.  With this connection all that were made before have been given up.
        with engine.connect() as connection:
            return question(connection)


def answers(engine: Engine) -> bool:
    """Return whether the database answers."""
    return read(engine, lambda connection: bool(connection.scalar(text("SELECT 1")) == 1))


def backup(engine: Engine, file: Path, progress: Callable[[int, int], None]) -> None:
    """Copy a SQLite database in use to ``file``; ``progress`` is called with the pages left and the pages in all."""
    with engine.connect() as connection:
        source = connection.connection.driver_connection
        if not isinstance(source, sqlite3.Connection):
            raise NotSqlite
        # A transaction that has read keeps one state in view: without it, every write would begin the copying anew.
        connection.execute(select(secret.c.name)).all()
        with closing(sqlite3.connect(file)) as target:
            source.backup(target, pages=1000, progress=lambda _status, left, total: progress(left, total))
