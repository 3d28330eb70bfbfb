"""Servers under measurement: started on a core of their own, loaded, and asked what they used."""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from sqlalchemy import Engine

from app.store.database import migrate, open_database
from tests.bench.players import KEY
from tests.services import ROOT, Served, serve

SERVER_CORE, CLIENT_CORE = 0, 1


class Round(NamedTuple):
    """What one round of load showed: CPU seconds of the server an answer, answers a second, waits in seconds, bytes."""

    cpu: float
    rate: float
    median: float
    p99: float
    size: float
    largest: int
    answers: int
    errors: int


def pin(core: int) -> None:
    """Keep this process, and those that it starts, on one core, where the system can do that and there are two."""
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > 1:
        os.sched_setaffinity(0, {core})


def unpin() -> None:
    """Give this process every core again."""
    if hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, range(os.cpu_count() or 1))


def stat(pid: int) -> list[str]:
    """Return the fields of a process's stat file that follow its name."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def family(pid: int) -> list[int]:
    """Return a process and all that descend from it."""
    parents = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                parents[int(entry.name)] = int(stat(int(entry.name))[1])
            except OSError:  # It ended meanwhile.
                continue
    found = [pid]
    for one in found:  # The list grows while it is walked.
        found += [child for child, parent in parents.items() if parent == one]
    return found


def cpu(pid: int) -> float:
    """Return the CPU seconds that a process and its descendants have used, in all threads, user and system together."""
    ticks = sum(int(fields[11]) + int(fields[12]) for fields in map(stat, family(pid)))
    return ticks / os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> int:
    """Return the bytes that a process holds in memory."""
    return int(stat(pid)[21]) * os.sysconf("SC_PAGE_SIZE")


@contextmanager
def sqlite() -> Iterator[str]:
    """Yield the address of a SQLite database in a file of its own."""
    with tempfile.TemporaryDirectory(prefix="pasianssi-bench-") as directory:
        yield f"sqlite:///{directory}/games.db"


@contextmanager
def opened(database_url: str) -> Iterator[Engine]:
    """Yield a database of the newest schema, opened by the program's own code."""
    engine = open_database(database_url)
    try:
        migrate(engine)
        yield engine
    finally:
        engine.dispose()


@contextmanager
def serving(database_url: str, workers: int = 1) -> Iterator[Served]:
    """Serve the program with ``/empty`` beside it on the server's core; several workers on all cores, without it."""
    if workers > 1:
        with serve(database_url, workers, {"SECRET_KEY": KEY}) as served:
            yield served
        return
    environment = {"SECRET_KEY": KEY, "BENCH_CORE": str(SERVER_CORE) if (os.cpu_count() or 1) > 1 else ""}
    with serve(database_url, 1, environment, program=("-m", "tests.bench.app")) as served:
        yield served


def drive(served: Served, connections: Sequence[dict[str, Any]], seconds: float) -> Round:
    """Load a server by a client process of its own."""
    job = {"port": int(served.url.rpartition(":")[2]), "seconds": seconds, "connections": connections}
    before = cpu(served.process.pid)
    client = subprocess.run(
        [sys.executable, "-m", "tests.bench.client"],
        cwd=ROOT,
        input=json.dumps(job),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    used = cpu(served.process.pid) - before
    seen = json.loads(client.stdout)
    if seen["errors"]:
        print(f"errors: {seen['statuses']}", file=sys.stderr)
    figures = {name: seen[name] for name in Round._fields if name in seen}
    return Round(cpu=used / seen["answers"], **figures)
