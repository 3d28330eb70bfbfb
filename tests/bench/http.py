"""A durable move over HTTP beside an empty request to the same application, 64 connections each with its own game."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from sqlalchemy import Engine, func, make_url, select, text

from app.store.schema import game
from tests.bench.players import Playing, loops, store
from tests.bench.server import CLIENT_CORE, Round, cpu, drive, opened, pin, serving, sqlite, stat, unpin
from tests.bench.table import Figure, micro, times
from tests.services import Served, postgres

CONNECTIONS = 64
ROUNDS = 3
SECONDS = float(os.environ.get("BENCH_SECONDS", "5"))

EACH = 8
"""Games of a connection in a round; it stays on one for as many actions as a long game has."""
STAY = 100


def figures() -> Iterator[Figure]:
    """Measure on SQLite, then on PostgreSQL with its fsync on."""
    # The client, and PostgreSQL, get the core that the server does not use.
    pin(CLIENT_CORE)
    try:
        with sqlite() as database_url:
            yield from _figures("SQLite", database_url, "≥ 0.85")
        with postgres(fsync=True) as server:
            yield from _figures("PostgreSQL", server.new_database(), "≥ 0.50")
    finally:
        unpin()


def _figures(name: str, database_url: str, aim: str) -> Iterator[Figure]:
    deals = loops(CONNECTIONS)
    # Every round has new games, so that all rounds are alike; one more of each kind is for warming up.
    per_round = CONNECTIONS * EACH
    sets = 2 * (ROUNDS + 1)
    with opened(database_url) as engine:
        stored = store(
            engine, CONNECTIONS * sets, EACH, lambda n: (deals[n % CONNECTIONS].code, deals[n % CONNECTIONS].game)
        )
        before = _versions(engine)
        empty, moves, undos = [], [], []
        database_cpu = 0.0
        with serving(database_url) as served:
            for number in range(ROUNDS + 1):
                seconds = SECONDS if number else 1.0
                first = 2 * number * per_round
                empty.append(drive(served, [{"get": "/empty", "cookie": stored(0).cookie}] * CONNECTIONS, seconds))
                used = _database_cpu(engine)
                moves.append(_play(served, stored, first, seconds, undo=False))
                database_cpu = (_database_cpu(engine) - used) / moves[-1].answers
                undos.append(_play(served, stored, first + per_round, seconds, undo=True))
        played = moves + undos
        answered = sum(r.answers - r.errors for r in played)
        errors = sum(r.errors for r in played + empty)
        lost = answered - (_versions(engine) - before)
    yield from _told(name, aim, empty[1:], moves[1:], undos[1:])
    yield Figure(f"{name}: errors; confirmed moves that are not stored", f"{errors}; {lost}", "0; 0")
    if database_cpu:
        yield Figure(f"{name}: CPU of the database server a move", micro(database_cpu))


def _told(name: str, aim: str, empty: list[Round], moves: list[Round], undos: list[Round]) -> Iterator[Figure]:
    cost, undo_cost = median([r.cpu for r in moves]), median([r.cpu for r in undos])
    rate = median([r.rate for r in moves])
    yield Figure(
        f"{name}: empty request, CPU; a second",
        f"{micro(median([r.cpu for r in empty]))}; {median([r.rate for r in empty]):.0f}",
    )
    yield Figure(f"{name}: durable move, CPU; a second", f"{micro(cost)}; {rate:.0f}")
    by_cpu = [e.cpu / m.cpu for e, m in zip(empty, moves, strict=True)]
    by_rate = [m.rate / e.rate for e, m in zip(empty, moves, strict=True)]
    yield Figure(f"{name}: empty over move, CPU", times(median(by_cpu)), aim)
    yield Figure(f"{name}: move over empty, throughput", times(median(by_rate)), aim)
    yield Figure(
        f"{name}: 99th percentile of a move over its median",
        f"{median([m.p99 / m.median for m in moves]):.1f} "
        f"({median([m.p99 for m in moves]) * 1e3:.0f} over {median([m.median for m in moves]) * 1e3:.0f} ms)",
        "≤ 4",
    )
    yield Figure(f"{name}: a move and its undo in turn, CPU an action", micro(undo_cost))
    yield Figure(
        f"{name}: answer to a move, uncompressed; the largest",
        f"{median([m.size for m in moves]):.0f}; {max(m.largest for m in moves)} bytes",
        "≤ 2048",
    )


def _play(served: Served, stored: Callable[[int], Playing], first: int, seconds: float, *, undo: bool) -> Round:
    deals, jobs = loops(CONNECTIONS), []
    for connection in range(CONNECTIONS):
        mine = []
        for number in range(first + connection * EACH, first + (connection + 1) * EACH):
            loop = deals[number % CONNECTIONS]
            mine.append(stored(number).job(loop.forth, "undo" if undo else loop.back))
        jobs.append({"games": mine, "stay": STAY})
    return drive(served, jobs, seconds)


def _versions(engine: Engine) -> int:
    """Return how many actions are stored; each that is accepted makes a version one greater."""
    with engine.connect() as connection:
        return int(connection.scalar(select(func.sum(game.c.version))) or 0)


def _database_cpu(engine: Engine) -> float:
    """Return the CPU seconds of the database's own processes: none where the database is a file."""
    if make_url(engine.url).get_backend_name() == "sqlite":
        return 0.0
    with engine.connect() as connection:
        backend = connection.scalar(text("SELECT pg_backend_pid()"))
    return cpu(int(stat(int(str(backend)))[1])) if Path("/proc").is_dir() else 0.0
