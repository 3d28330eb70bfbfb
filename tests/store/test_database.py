"""The database: how it is opened, migrated by several processes at once, and kept readable for ever."""

import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import Engine, make_url, select, text
from sqlalchemy.exc import IntegrityError

from app.engine.codes import parse_code
from app.engine.game import Turn, act, start
from app.engine.play import legal
from app.engine.position import Position
from app.store import games
from app.store.database import BUSY_TIMEOUT, WRITES, answers, migrate, open_database, signing_key
from app.store.schema import made_at, metadata, new_id, now_in_milliseconds, secret
from tests.store.rows import all_rows, counts

ROOT = Path(__file__).parents[2]
DEAL = parse_code("SC1-C-AAAAABE")

STARTED_TOGETHER = """
import sys
from app.store.database import migrate, open_database, signing_key

engine = open_database(sys.argv[1])
print("ready", flush=True)
sys.stdin.readline()
migrate(engine)
print(signing_key(engine), flush=True)
"""


@contextmanager
def opened(database_url: str) -> Iterator[Engine]:
    """Open a database for as long as the context lasts."""
    engine = open_database(database_url)
    try:
        yield engine
    finally:
        engine.dispose()


@pytest.fixture
def engine(database_url: str) -> Iterator[Engine]:
    """A new database of either kind, at the newest schema."""
    with opened(database_url) as one:
        migrate(one)
        yield one


@pytest.fixture
def sqlite(sqlite_url: str) -> Iterator[Engine]:
    """A new SQLite database at the newest schema."""
    with opened(sqlite_url) as one:
        migrate(one)
        yield one


def test_migrations_lead_from_nothing_to_the_tables_that_the_code_uses(engine: Engine) -> None:
    assert counts(all_rows(engine)) == {"player": 0, "device": 0, "game": 0, "replay": 0, "secret": 0}


# PostgreSQL writes LIKE in another way when it tells what it computes, which is all that this warns of.
@pytest.mark.filterwarnings("ignore:Computed default on game.won")
def test_migrations_and_metadata_are_the_same_schema(engine: Engine) -> None:
    with engine.connect() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []


def test_migrating_a_database_again_changes_nothing(engine: Engine) -> None:
    key = signing_key(engine)
    migrate(engine)
    assert signing_key(engine) == key


def test_a_move_that_does_not_win_touches_no_index(postgres_url: str) -> None:
    """PostgreSQL tells it: it is "heap-only" (HOT), also with the index of the games that are won."""
    with opened(postgres_url) as engine:
        migrate(engine)
        with engine.begin() as connection:
            player, _ = games.add_player(connection)
            one = games.add(connection, player.id, DEAL, 1, start(DEAL.rules, DEAL.deal()))
            turn = act(one.game, legal(DEAL.rules, one.game.position)[0])
            assert isinstance(turn, Turn)
            told = "SELECT pg_stat_get_xact_tuples_{}updated('game'::regclass)"
            won = turn.game._replace(position=Position(("",) * 7, (0,) * 7, runs="SHDC"))
            for state, counted in ((turn.game, [1, 1]), (won, [2, 1])):
                games.change(connection, [games.advanced(one, state, None)])
                assert [connection.scalar(text(told.format(kind))) for kind in ("", "hot_")] == counted


def test_processes_that_start_together_migrate_once_and_make_one_signing_key(database_url: str) -> None:
    """#73: without a lock one of them finds half of the tables, and each has a key of its own."""
    processes = [
        subprocess.Popen(
            [sys.executable, "-c", STARTED_TOGETHER, database_url],
            cwd=ROOT,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(3)
    ]
    outputs = []
    try:
        for process in processes:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
        for process in processes:
            assert process.stdin is not None
            process.stdin.write("go\n")
            process.stdin.flush()
        outputs = [process.communicate() for process in processes]
    finally:
        for process in processes:
            process.kill()
            process.wait()
    assert [process.returncode for process in processes] == [0] * 3, outputs
    keys = {key.strip() for key, _ in outputs}
    assert len(keys) == 1
    with opened(database_url) as engine, engine.connect() as connection:
        assert connection.scalars(select(secret.c.value)).all() == list(keys)
        assert len(connection.execute(text("SELECT * FROM alembic_version")).all()) == 1


def test_the_signing_key_is_long_and_differs_from_database_to_database(tmp_path: Path) -> None:
    keys = set()
    for number in range(3):
        with opened(f"sqlite:///{tmp_path}/{number}.db") as engine:
            migrate(engine)
            keys.add(signing_key(engine))
    assert [len(key) for key in keys] == [64] * 3


def test_a_plain_address_of_postgresql_is_understood(postgres_url: str) -> None:
    """Hosts hand out postgres:// and postgresql:// addresses, which name no driver."""
    for scheme in ("postgres", "postgresql"):
        with opened(postgres_url.replace("postgresql+psycopg", scheme)) as engine:
            assert answers(engine)


def test_the_folder_of_a_sqlite_database_is_made(tmp_path: Path) -> None:
    with opened(f"sqlite:///{tmp_path}/new/folder/games.db") as engine:
        migrate(engine)
    assert (tmp_path / "new/folder/games.db").is_file()


@pytest.mark.parametrize("writes", [True, False])
def test_sqlite_keeps_what_was_committed_through_a_power_cut_and_waits_for_others(sqlite: Engine, writes: bool) -> None:
    """#73, #76: WAL, synchronous FULL and a busy timeout of at least 5 seconds, on every connection."""
    with sqlite.connect() as held, sqlite.connect().execution_options(**{WRITES: writes}) as connection:
        for one in (held, connection):
            pragmas = [
                one.scalar(text(f"PRAGMA {name}"))
                for name in ("journal_mode", "synchronous", "foreign_keys", "busy_timeout")
            ]
            assert pragmas == ["wal", 2, 1, BUSY_TIMEOUT * 1000]
            one.rollback()
    assert BUSY_TIMEOUT >= 5


def test_a_transaction_of_sqlite_that_writes_says_so_at_once_and_a_reading_one_never_does(sqlite: Engine) -> None:
    """#73: BEGIN IMMEDIATE, since a lock that is asked for late is refused without waiting."""
    path = make_url(str(sqlite.url)).database
    assert path is not None

    with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as other:
        with sqlite.connect() as reader, reader.begin():
            reader.execute(select(secret))
            other.execute("BEGIN IMMEDIATE")
            other.execute("ROLLBACK")
        with (
            sqlite.connect().execution_options(**{WRITES: True}) as writer,
            writer.begin(),
            pytest.raises(sqlite3.OperationalError, match="locked"),
        ):
            other.execute("BEGIN IMMEDIATE")


def test_a_player_has_one_first_attempt_at_a_deal_and_every_game_has_a_player(engine: Engine) -> None:
    """G-8: UNIQUE(player, code, attempt) is what two tabs that both begin meet."""
    fresh = start(DEAL.rules, DEAL.deal())
    with engine.begin() as connection:
        player, _ = games.add_player(connection)
        games.add(connection, player.id, DEAL, 1, fresh)
        games.add(connection, player.id, DEAL, 2, fresh)
    for player_id, attempt in ((player.id, 2), (player.id + 1, 1)):
        with pytest.raises(IntegrityError), engine.begin() as connection:
            games.add(connection, player_id, DEAL, attempt, fresh)
    assert counts(all_rows(engine))["game"] == 2


def test_no_column_that_a_move_changes_stands_in_an_index() -> None:
    """What a move costs must not grow with the number of games stored."""
    moved = {"words", "made", "floor", "position", "score", "version", "nonce", "played"}
    table = metadata.tables["game"]
    indexed = {column.name for index in table.indexes for column in index.columns}
    assert indexed == {"player_id", "id"}
    assert not indexed & moved


def test_ids_grow_with_time_so_that_newest_first_is_their_order(monkeypatch: pytest.MonkeyPatch) -> None:
    now = now_in_milliseconds()
    times = list(range(now, now + 200))
    clock = iter(times)
    monkeypatch.setattr("app.store.schema.now_in_milliseconds", lambda: next(clock))
    ids = [new_id() for _ in times]
    assert ids == sorted(set(ids))
    assert [made_at(one) for one in ids] == [time / 1000 for time in times]
    assert all(0 < one < 2**63 for one in ids)
