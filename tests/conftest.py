"""Databases and the program in this process, for every suite but the engine's, which needs none of them.

What these fixtures need is imported inside them, so that the engine's own suite runs where nothing but the engine is.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from tests.services import Postgres
    from tests.web.site import Browser, Site


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[Postgres]:
    """A real PostgreSQL server, one for each process that runs tests."""
    from tests.services import postgres

    with postgres() as server:
        yield server


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """The address of a SQLite database that is not there yet."""
    return f"sqlite:///{tmp_path}/games.db"


@pytest.fixture
def postgres_url(postgres_server: Postgres) -> Iterator[str]:
    """The address of a new, empty PostgreSQL database."""
    url = postgres_server.new_database()
    yield url
    with postgres_server.connect() as connection:
        connection.execute(f"DROP DATABASE {url.rpartition('/')[2]} WITH (FORCE)".encode())


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a new, empty database, once of either kind."""
    url: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    return url


@pytest.fixture
def site(sqlite_url: str) -> Iterator[Site]:
    """The program in this process, on SQLite."""
    from tests.web.site import Site

    with Site(sqlite_url) as one:
        yield one


@pytest.fixture
def either_site(database_url: str) -> Iterator[Site]:
    """The program in this process, once on SQLite and once on PostgreSQL."""
    from tests.web.site import Site

    with Site(database_url) as one:
        yield one


@pytest.fixture
def client(site: Site) -> Browser:
    """A first visitor of the program on SQLite; ``site.browser()`` brings others."""
    return site.browser()
