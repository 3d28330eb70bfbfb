"""What breaks under the program: a full disk, a failing commit, a database that is locked, restarted or killed."""

import asyncio
import os
import signal
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import httpx
import psycopg
import pytest
from sqlalchemy import Connection, Engine, event, make_url, text
from sqlalchemy.exc import OperationalError

from app.store.database import backup, migrate, open_database
from app.store.schema import new_id
from tests.services import Postgres
from tests.store.rows import all_rows
from tests.web.page import Page
from tests.web.records import FOUR_SUITS, LOOP, ONE_SUIT, SCORPION, loop
from tests.web.site import HTMX, Browser, Json, Site, body

BUSY = "Palvelin ei voi juuri nyt tallentaa. Mitään vahvistettua ei ole kadonnut; yritä hetken kuluttua uudelleen."


@contextmanager
def on_begin(engine: Engine, *pragmas: str) -> Iterator[None]:
    """Give each transaction these pragmas for as long as the context lasts."""

    def give(connection: Connection) -> None:
        for pragma in pragmas:
            connection.exec_driver_sql(f"PRAGMA {pragma}")

    event.listen(engine, "begin", give)
    try:
        yield
    finally:
        event.remove(engine, "begin", give)


@contextmanager
def failing_commits(engine: Engine) -> Iterator[None]:
    """Let the disk refuse every commit for as long as the context lasts."""

    def fail(connection: Connection) -> None:
        raise OperationalError("COMMIT", {}, sqlite3.OperationalError("disk I/O error"))

    event.listen(engine, "commit", fail)
    try:
        yield
    finally:
        event.remove(engine, "commit", fail)


def assert_busy(response: httpx.Response) -> None:
    """Check that an answer says that nothing could be written, as its reader can show it."""
    assert (response.status_code, response.headers["retry-after"]) == (503, "5"), response.text
    if response.headers["content-type"] == "application/problem+json":
        assert body(response) == {"type": "about:blank", "title": BUSY, "status": 503}
    else:
        page = Page(response)
        assert BUSY in (page.message if page.has("message") else page.text)


def writing(client: Browser, game: Json) -> list[Callable[[], httpx.Response]]:
    """Return every request that writes."""
    page = client.open(f"/play/{FOUR_SUITS}")
    fresh = client.open(f"/play/{ONE_SUIT}")
    stranger = client.site.browser()
    return [
        lambda: client.act(game, "undo"),
        lambda: client.submit(page, "undo", htmx=True),
        lambda: client.submit(page, "undo"),
        lambda: client.submit(fresh, fresh.legal[0], htmx=True),
        lambda: stranger.submit(fresh, fresh.legal[0]),
        lambda: client.post("/api/games", json={"code": SCORPION}),
        lambda: stranger.post("/api/games", json={"code": SCORPION}),
        lambda: client.post(f"/play/{FOUR_SUITS}/restart"),
        lambda: client.post("/language", data={"language": "fi", "back": "/"}),
        lambda: client.ask("DELETE", f"/api/games/{game['id']}"),
    ]


def test_when_nothing_can_be_committed_every_request_says_so_and_nothing_changes(either_site: Site) -> None:
    """#75, #76: a 503 with Retry-After and a sentence; reading goes on; afterwards all works again."""
    client = either_site.browser()
    game = client.play(client.begin(FOUR_SUITS), LOOP[0])
    requests = writing(client, game)
    before = either_site.rows
    with failing_commits(either_site.engine):
        for request in requests:
            response = request()
            assert_busy(response)
            assert "set-cookie" not in response.headers
    assert either_site.rows == before
    for request in requests[1:2]:
        assert request().status_code == 200
    assert client.game(game)["moves"] == 0


def test_on_a_full_disk_no_move_is_confirmed_and_afterwards_the_game_goes_on(site: Site) -> None:
    """#76: SQLite is given no page more than it has; what was confirmed before is what is there."""
    client = site.browser()
    game = client.begin(FOUR_SUITS)
    with on_begin(site.engine, "max_page_count = 1"):  # Less than there are means: no more than there are.
        refused = None
        for move in loop(1200):
            response = client.act(game, move)
            if response.status_code != 200:
                refused = response
                break
            game = body(response)
        assert refused is not None
        assert_busy(refused)
        assert client.game(game) == {**game, "events": []}
        page = client.open(f"/play/{FOUR_SUITS}")
        assert_busy(client.submit(page, LOOP[game["moves"] % 2], htmx=True))
        assert_busy(client.post("/api/games", json={"code": FOUR_SUITS}))
        assert client.get("/healthz").status_code == 200
    with on_begin(site.engine, "max_page_count = 1000000"):
        again = client.play(game, LOOP[game["moves"] % 2])
    assert (again["moves"], again["version"]) == (game["moves"] + 1, game["version"] + 1)


@contextmanager
def locked(site: Site) -> Iterator[sqlite3.Connection]:
    """Hold SQLite's write lock, as another process may."""
    path = make_url(site.database_url).database
    assert path is not None
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other
        with suppress(sqlite3.OperationalError):
            other.execute("ROLLBACK")


def test_a_move_waits_for_the_transaction_of_another_process(site: Site) -> None:
    """#73: "database is locked" is waited out."""
    client = site.browser()
    game = client.begin(FOUR_SUITS)
    with locked(site) as other:
        releasing = threading.Timer(0.3, lambda: other.execute("COMMIT"))
        releasing.start()
        assert client.play(game, LOOP[0])["moves"] == 1
        releasing.join()


def test_while_another_process_keeps_the_lock_reading_goes_on_and_a_move_is_a_503(site: Site) -> None:
    """#73: not for ever, and never as a 500; and it works again without a restart of the server."""
    client = site.browser()
    game = client.play(client.begin(FOUR_SUITS), LOOP[0])

    def impatient(connection: Connection) -> None:
        driver: Any = connection.connection.driver_connection
        driver.execute("PRAGMA busy_timeout = 20")

    event.listen(site.engine, "begin", impatient, insert=True)
    with locked(site):
        assert client.open(f"/play/{FOUR_SUITS}").moves == 1
        assert client.game(game)["moves"] == 1
        assert_busy(client.act(game, "undo"))
        assert_busy(client.submit(client.open(f"/play/{FOUR_SUITS}"), "undo", htmx=True))
    assert client.play(game, "undo")["moves"] == 0


def test_when_too_many_requests_wait_one_more_is_told_so(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    client = site.browser()
    game = client.begin(FOUR_SUITS)
    before = site.rows
    monkeypatch.setattr("app.store.writer.WAITING", 0)
    assert_busy(client.act(game, LOOP[0]))
    assert_busy(client.post("/language", data={"language": "fi", "back": "/"}, headers=HTMX))
    assert site.rows == before
    monkeypatch.undo()
    assert client.play(game, LOOP[0])["moves"] == 1


def test_a_request_that_is_given_up_while_it_waits_harms_nobody(site: Site) -> None:
    """#75: the network failed between a move and its answer: the move is made, and sent again it is not made twice."""
    client = site.browser()
    game = client.begin(FOUR_SUITS)
    path, asked = (
        f"/api/games/{game['id']}/actions",
        {"version": 0, "nonce": "n", "action": "move", "from": 2, "at": 7, "to": 9},
    )

    async def give_up() -> None:
        with locked(site):
            lost = asyncio.ensure_future(client.http.post(path, json=asked))
            await asyncio.sleep(0.1)
            lost.cancel()
            await asyncio.gather(lost, return_exceptions=True)

    site.run(give_up())
    response = client.post(path, json=asked)
    assert (response.status_code, body(response)["version"]) == (200, 1)
    assert client.game(game)["moves"] == 1


def test_postgresql_killed_between_two_moves_costs_none_that_was_confirmed(
    postgres_server: Postgres, postgres_url: str
) -> None:
    """#76: kill -9 on one of its processes makes PostgreSQL start anew from its log; then the next moves work."""
    with Site(postgres_url) as site:
        client = site.browser()
        game = client.play(client.begin(FOUR_SUITS), *loop(3))
        with postgres_server.connect() as admin:
            found = admin.execute(
                "SELECT pid FROM pg_stat_activity WHERE datname = %s", [postgres_url.rpartition("/")[2]]
            ).fetchall()
        # The death of one makes the server end all the others, and begin anew.
        os.kill(int(str(found[0][0])), signal.SIGKILL)
        wait_until_it_answers(postgres_server)
        assert client.game(game)["moves"] == 3
        game = client.play(game, *loop(5)[3:])
        assert client.open(f"/play/{FOUR_SUITS}").moves == 5


def wait_until_it_answers(server: Postgres) -> None:
    """Wait until PostgreSQL has noticed the death of its process, and has started anew."""
    deadline = time.monotonic() + 30
    lost = False
    while time.monotonic() < deadline:
        try:
            with server.connect() as connection:
                if (
                    lost
                    or not connection.execute("SELECT 1 FROM pg_stat_activity WHERE datname LIKE 'test_%'").fetchall()
                ):
                    return
        except psycopg.OperationalError:
            lost = True
        time.sleep(0.02)
    raise TimeoutError("PostgreSQL did not start anew")


def test_two_new_games_that_draw_the_same_id_are_both_made(either_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ids are drawn by lot: one that is taken costs another try, not a request."""
    client = either_site.browser()
    taken = client.play(client.begin(FOUR_SUITS), LOOP[0])
    draws = iter([int(taken["id"], 16)])
    monkeypatch.setattr("app.store.games.new_id", lambda: next(draws, None) or new_id())
    page = client.open(f"/play/{ONE_SUIT}")
    assert client.submit(page, page.legal[0]).status_code == 303
    draws = iter([int(taken["id"], 16)])
    monkeypatch.setattr("app.store.games.new_id", lambda: next(draws, None) or new_id())
    assert client.post("/api/games", json={"code": SCORPION}).status_code == 201
    assert len(either_site.rows["game"]) == 3
    assert client.game(taken)["moves"] == 1


def test_a_backup_ends_although_every_one_of_its_steps_meets_another_write(tmp_path: Path) -> None:
    """A copy that began anew with every write of a busy server would never be done."""
    engine = open_database(f"sqlite:///{tmp_path}/games.db")
    migrate(engine)
    with closing(sqlite3.connect(tmp_path / "games.db")) as other:
        other.execute("CREATE TABLE filler (data BLOB)")
        other.execute("INSERT INTO filler SELECT zeroblob(30000000)")
        other.commit()
        steps: list[tuple[int, int]] = []

        def write(left: int, total: int) -> None:
            steps.append((left, total))
            assert len(steps) < 100, "the copy begins anew for ever"
            other.execute("INSERT INTO player (id) VALUES (?)", [len(steps)])
            other.commit()

        backup(engine, tmp_path / "copy.db", write)
        assert len(steps) > 3
        assert steps[-1][0] == 0
    engine.dispose()
    copy = open_database(f"sqlite:///{tmp_path}/copy.db")
    assert all_rows(copy)["player"] == []
    with copy.connect() as connection:
        assert connection.scalar(text("PRAGMA integrity_check")) == "ok"
        assert connection.scalar(text("SELECT count(*) FROM filler")) == 1
    copy.dispose()
