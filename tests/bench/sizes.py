"""Sizes and the start: bytes of a game on disk, of a move in the log, of the first page; time to the first answer."""

import asyncio
import gzip
import random
import re
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import cache
from itertools import count
from pathlib import Path
from statistics import median
from urllib.parse import urljoin

import httpx
from sqlalchemy import Engine, event, text

from app.engine.codes import Code, numbered
from app.engine.game import Game, act, start
from app.engine.games import GAMES
from app.engine.moves import Action, Command
from app.engine.play import legal
from app.engine.rules import Rule
from app.service import Done, Service
from app.store import games
from app.store.games import Saved
from app.store.schema import now_in_milliseconds
from app.store.writer import Writer
from tests.bench.players import loops, store
from tests.bench.server import opened, serving, sqlite
from tests.bench.table import Figure, times
from tests.services import ROOT, free_port, postgres


def figures() -> Iterator[Figure]:
    """Measure each size."""
    yield from _disk()
    yield from _log()
    yield from _first_load()
    yield from _start()


# On disk

STORED, OF_A_PLAYER = 2_000, 50
DIFFERENT = 100
"""So many games are really played, by chance; the others are like them."""
STEP = 20


def _disk() -> Iterator[Figure]:
    for length, aim in ((200, "≤ 1200"), (60, "report")):
        with sqlite() as database_url, opened(database_url) as engine:
            none = _size(engine)
            stored = store(engine, STORED // OF_A_PLAYER, OF_A_PLAYER, lambda n: _random_games()[n % DIFFERENT][0])
            # All grow together, a little at a time, as games do that are played side by side.
            for moves in range(STEP, length + 1, STEP):
                with engine.begin() as connection:
                    games.change(connection, [_saved(n, stored(n).id, moves) for n in range(STORED)])
            grown, packed = _size(engine), _size(engine, vacuum=True)
        yield Figure(
            f"bytes on disk for a game of {length} moves, with its indexes: packed; as it grew",
            f"{(packed - none) / STORED:.0f}; {(grown - none) / STORED:.0f}",
            aim,
        )


@cache
def _random_games() -> list[list[tuple[Code, Game]]]:
    """Return games of every variant, as they stand after 0, 20, 40 … 200 moves."""
    found: list[list[tuple[Code, Game]]] = []
    for deal in count():
        code = numbered(GAMES[len(found) % len(GAMES)], deal)
        if (states := _random_game(code, random.Random(deal))) is not None:
            found.append(states)
        if len(found) == DIFFERENT:
            return found
    raise AssertionError


def _random_game(code: Code, chance: random.Random) -> list[tuple[Code, Game]] | None:
    game = start(code.rules, code.deal())
    states = [(code, game)]
    while game.made < 200:
        actions: list[Action] = [*legal(code.rules, game.position)]
        if game.position.stock:
            actions.append(Command.DEAL)
        if not actions:
            return None
        turn = act(game, chance.choice(actions))
        assert not isinstance(turn, Rule)
        game = turn.game
        if game.made % STEP == 0:
            states.append((code, game))
    return states


def _saved(number: int, game_id: int, moves: int) -> Saved:
    code, game = _random_games()[number % DIFFERENT][moves // STEP]
    attempt = number % OF_A_PLAYER + 1
    return Saved(game_id, 0, code, attempt, game, game.made, "abcdefgh", now_in_milliseconds())


def _size(engine: Engine, *, vacuum: bool = False) -> int:
    """Return the bytes of a SQLite database, everything in one file."""
    with engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
        raw = connection.connection.driver_connection
        assert raw is not None
        # The driver's own connection, since neither statement may stand in a transaction.
        if vacuum:
            raw.execute("VACUUM")
        raw.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return int(raw.execute("PRAGMA page_count").fetchone()[0]) * int(raw.execute("PRAGMA page_size").fetchone()[0])


# In the log

SPREAD = 50
"""Of so many stored games only one is played, so that no two of those that are played share a page."""
PLAYED = 64


def _log() -> Iterator[Figure]:
    with sqlite() as database_url, opened(database_url) as engine:
        # Without checkpoints the log only grows.
        engine.dispose()
        event.listen(engine, "connect", lambda raw, _record: raw.execute("PRAGMA wal_autocheckpoint = 0"))
        log = Path(f"{engine.url.database}-wal")
        alone, together = asyncio.run(_bytes_a_move(engine, lambda: log.stat().st_size))
        with engine.connect() as connection:
            page = int(connection.scalar(text("PRAGMA page_size")) or 0)
    yield Figure(
        f"SQLite: bytes in the log for a move alone; with {PLAYED} at once; the least, one page of {page}",
        f"{alone:.0f}; {together:.0f}; {page + 24}",
        "report",
    )
    with postgres(fsync=True) as server, opened(server.new_database()) as engine:

        def written() -> int:
            with engine.connect() as connection:
                query = text("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')")
                return int(connection.scalar(query) or 0)

        alone, together = asyncio.run(_bytes_a_move(engine, written))
    yield Figure(
        f"PostgreSQL: bytes in the log for a move alone; with {PLAYED} at once (no page is new since the checkpoint)",
        f"{alone:.0f}; {together:.0f}",
        "report",
    )


async def _bytes_a_move(engine: Engine, written: Callable[[], int]) -> tuple[float, float]:
    """Return how much is written for a move that is committed alone, and for one of those that come at once."""
    deals = loops(PLAYED)
    stored = store(engine, PLAYED * SPREAD, 1, lambda n: (deals[n // SPREAD].code, deals[n // SPREAD].at(61)))
    played = [stored(number * SPREAD) for number in range(PLAYED)]
    writer = Writer(engine)
    service = Service(engine, writer)

    async def move(number: int, round_: int) -> None:
        one, loop = played[number], deals[number]
        wish = loop.back if round_ % 2 else loop.forth
        outcome = await service.act(one.id, one.id, one.game.made + round_, "abcdefgh", wish)
        assert isinstance(outcome, Done)

    async def all_at_once(round_: int) -> None:
        await asyncio.gather(*[move(number, round_) for number in range(PLAYED)])

    try:
        # The first round meets pages that are new to the log, which PostgreSQL writes whole.
        await all_at_once(0)
        begun = written()
        for number in range(PLAYED):
            await move(number, 1)
        alone = written() - begun
        for round_ in range(2, 6):
            await all_at_once(round_)
        return alone / PLAYED, (written() - begun - alone) / PLAYED / 4
    finally:
        writer.close()


# Over the network

_NAMED = re.compile(
    r"""(?:src|href)="(/static/[^"]+)"|url\(["']?([^)"']+)["']?\)|(?:from|import)\s*\(?["']([^"']+)["']"""
)


def _first_load() -> Iterator[Figure]:
    sent = packed = 0
    with sqlite() as database_url, serving(database_url) as served, httpx.Client(trust_env=False) as client:
        waiting, seen = [f"{served.url}/play/{loops(1)[0].code.text}"], set()
        while waiting:
            address = waiting.pop()
            if address in seen or address.startswith("data:"):
                continue
            seen.add(address)
            answer = client.get(address, headers={"accept-encoding": "gzip"})
            answer.raise_for_status()
            sent += answer.num_bytes_downloaded
            packed += min(len(answer.content), len(gzip.compress(answer.content)))
            if answer.headers["content-type"].startswith("text/"):
                found = ["".join(groups) for groups in _NAMED.findall(answer.text)]
                waiting += [urljoin(address, name) for name in found]
    yield Figure(
        f"first load of a table, all that its page names ({len(seen)} files): as sent; if all of it were compressed",
        f"{sent / 1024:.1f}; {packed / 1024:.1f} KiB",
        "≤ 60",
    )


# The start

STARTS = 5


def _start() -> Iterator[Figure]:
    with sqlite() as database_url:
        with opened(database_url):
            pass
        rounds = [(_import_time(), _start_time(database_url)) for _ in range(STARTS)]
    imported, started = (median(column) for column in zip(*rounds, strict=True))
    ratio = median([start / importing for importing, start in rounds])
    yield Figure(
        "start of the server to its first answer over `import fastapi`",
        f"{times(ratio)} ({started * 1e3:.0f} over {imported * 1e3:.0f} ms)",
        "≤ 3",
    )


def _import_time() -> float:
    begun = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import fastapi"], check=True)
    return time.perf_counter() - begun


def _start_time(database_url: str) -> float:
    port = free_port()
    environment = {"HOST": "127.0.0.1", "PORT": str(port), "DATABASE_URL": database_url}
    begun = time.perf_counter()
    process = subprocess.Popen(
        [sys.executable, "-m", "app", "serve"],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        while process.poll() is None:
            with suppress(ConnectionError), socket.create_connection(("127.0.0.1", port)) as connection:
                connection.sendall(b"GET /healthz HTTP/1.1\r\nhost: localhost\r\n\r\n")
                assert connection.recv(12).endswith(b"200")
                return time.perf_counter() - begun
            time.sleep(0.005)
        raise RuntimeError("The server ended before it answered.")
    finally:
        process.terminate()
        process.wait()
