"""Real servers for tests and benchmarks: PostgreSQL, the program itself, and where the browser is."""

import getpass
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

import httpx
import psycopg

ROOT = Path(__file__).resolve().parent.parent
PATIENCE = 30.0  # Seconds that a server may take to start; a loaded machine is slow, not broken.


def free_port() -> int:
    """Return a TCP port that nothing listens on."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def chromium_path() -> str:
    """Return the path of the browser: $CHROMIUM, or what Debian installs, or Google's."""
    for name in (os.environ.get("CHROMIUM"), "chromium", "google-chrome"):
        if name and (path := shutil.which(name)):
            return path
    raise FileNotFoundError("No browser was found: install the Debian package chromium, or set CHROMIUM.")


# --- PostgreSQL -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Postgres:
    """A running PostgreSQL server."""

    user: str
    port: int

    def url(self, database: str = "postgres") -> str:
        """Return the address of one of its databases, as SQLAlchemy and DATABASE_URL want it."""
        return f"postgresql+psycopg://{self.user}@127.0.0.1:{self.port}/{database}"

    def connect(self, database: str = "postgres") -> psycopg.Connection[tuple[object, ...]]:
        """Open a plain connection that commits each statement by itself."""
        return psycopg.connect(
            host="127.0.0.1",
            port=self.port,
            user=self.user,
            dbname=database,
            autocommit=True,
            connect_timeout=5,
        )

    def new_database(self) -> str:
        """Create an empty database and return its address."""
        name = f"test_{uuid4().hex}"
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name}".encode())
        return self.url(name)


def _postgres_programs() -> Path:
    """Return the directory of the newest installed server's programs, which Debian keeps out of PATH."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3])) or [
        Path(path) for path in [shutil.which("initdb")] if path
    ]
    if not found:
        raise FileNotFoundError("PostgreSQL's server was not found: install the Debian package postgresql.")
    return found[-1].parent


@contextmanager
def postgres(*, fsync: bool = False) -> Iterator[Postgres]:
    """Run a PostgreSQL server of its own, empty, for as long as the context lasts.

    Without fsync a power cut would lose data, which no test minds; a benchmark of durable moves does.
    """
    programs = _postgres_programs()
    # The server refuses to run as root, so root lends it the account that the Debian package made.
    account = "postgres" if os.geteuid() == 0 else None
    user = account or getpass.getuser()
    environment = {"PATH": os.defpath, "LC_ALL": "C.UTF-8"}

    with tempfile.TemporaryDirectory(prefix="pasianssi-postgres-") as name:
        directory = Path(name)
        if account:
            entry = pwd.getpwnam(account)
            os.chown(directory, entry.pw_uid, entry.pw_gid)
        data, log = directory / "data", directory / "log"

        def start(program: str, *arguments: str) -> subprocess.Popen[bytes]:
            with log.open("ab") as output:
                return subprocess.Popen(
                    [programs / program, "-D", data, *arguments],
                    cwd=directory,
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=subprocess.STDOUT,
                    user=account,
                    group=account,
                    extra_groups=[] if account else None,
                    # A Ctrl-C at the terminal is the tests' to handle, which stop the server last.
                    start_new_session=True,
                )

        initdb = start("initdb", "--no-sync", "--auth=trust", "--encoding=UTF8", "--locale=C.UTF-8", "-U", user)
        try:
            status = initdb.wait(PATIENCE)
        finally:
            initdb.kill()  # Nothing, once it has ended.
        if status:
            raise RuntimeError(f"initdb failed:\n{log.read_text(errors='replace')}")

        server = Postgres(user, free_port())
        process = start(
            "postgres",
            *("-c", "listen_addresses=127.0.0.1", "-c", f"port={server.port}"),
            *("-c", "unix_socket_directories=", "-c", f"fsync={'on' if fsync else 'off'}"),
        )
        try:
            deadline = time.monotonic() + PATIENCE
            while True:
                try:
                    server.connect().close()
                    break
                except psycopg.OperationalError:
                    if process.poll() is not None or time.monotonic() > deadline:
                        raise RuntimeError(f"PostgreSQL did not start:\n{log.read_text(errors='replace')}") from None
                    time.sleep(0.05)
            yield server
        finally:
            # SIGINT ends open connections and then the server; SIGQUIT does it at once. Its children stand in
            # process groups of their own and go with it, so it is never simply killed.
            process.send_signal(signal.SIGINT)
            try:
                process.wait(10)
            except subprocess.TimeoutExpired:
                process.send_signal(signal.SIGQUIT)
                process.wait(10)


# --- The program itself -----------------------------------------------------------------------------------


@dataclass(frozen=True)
class Served:
    """The program, serving in a process of its own."""

    url: str
    process: subprocess.Popen[bytes]
    log: Path

    def output(self) -> str:
        """Return what it has printed so far."""
        return self.log.read_text(errors="replace")


@contextmanager
def serve(
    database_url: str,
    workers: int = 1,
    env: Mapping[str, str] | None = None,
    program: Sequence[str] = ("-m", "app", "serve"),
) -> Iterator[Served]:
    """Run `python -m app serve`, or another program of Python, on a free port for as long as the context lasts.

    What it printed is added to an exception that leaves the context, so that a failure shows it.
    """
    port = free_port()
    environment = {
        **os.environ,
        "PYTHONUNBUFFERED": "1",
        "HOST": "127.0.0.1",
        "PORT": str(port),
        "DATABASE_URL": database_url,
        "WORKERS": str(workers),
        **(env or {}),
    }
    with tempfile.TemporaryDirectory(prefix="pasianssi-serve-") as directory:
        # A file takes any amount of output; a pipe that nobody reads would fill and stop the server.
        log = Path(directory, "log")
        with log.open("wb") as output:
            process = subprocess.Popen(
                [sys.executable, *program],
                cwd=ROOT,
                env=environment,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,
            )
        served = Served(f"http://127.0.0.1:{port}", process, log)
        try:
            _wait_until_healthy(served)
            yield served
        except BaseException as error:
            error.add_note(f"The server's output:\n{served.output()}")
            raise
        finally:
            _end(process)


def _wait_until_healthy(served: Served) -> None:
    deadline = time.monotonic() + PATIENCE
    # A proxy named in the environment has no business with the loopback address.
    with httpx.Client(trust_env=False, timeout=5) as client:
        while True:
            with suppress(httpx.TransportError):
                if client.get(f"{served.url}/healthz").is_success:
                    return
            if (status := served.process.poll()) is not None:
                raise RuntimeError(f"The server ended with status {status} before it answered.")
            if time.monotonic() > deadline:
                raise TimeoutError(f"The server did not answer /healthz within {PATIENCE:.0f} seconds.")
            time.sleep(0.05)


def _end(process: subprocess.Popen[bytes]) -> None:
    """Ask the whole process group to end, and end by force what is left of it."""
    # The group bears the process's number and is its own, since it was started in a session of its own.
    # A worker can outlive its parent, so the group is waited for, not only the process.
    for sent in (signal.SIGTERM, signal.SIGKILL):
        deadline = time.monotonic() + 10
        try:
            os.killpg(process.pid, sent)
            while time.monotonic() < deadline:
                process.poll()
                os.killpg(process.pid, 0)
                time.sleep(0.02)
        except ProcessLookupError:
            return
