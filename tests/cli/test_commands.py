"""The command line: each command as a process of its own, and its many ways to be asked wrongly in this one."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from sqlalchemy import update

from app.__main__ import main
from app.store.database import open_database
from app.store.schema import game as table
from tests.services import free_port, serve
from tests.store.rows import all_rows, counts
from tests.web.records import ACTIONS, CODED, EXAMPLES, FOUR_SUITS, LOOP, Record, lines, loop, name_of
from tests.web.site import Site, as_json, body

ROOT = Path(__file__).parents[2]
DATA = ROOT / "tests" / "data"
DEALS: list[Record] = json.loads((DATA / "deals.json").read_text(encoding="utf-8"))


SETTINGS = ("HOST", "PORT", "WORKERS", "DATABASE_URL", "SECRET_KEY", "BODY_LIMIT", "TIMEZONE")


def environment(**settings: str) -> dict[str, str]:
    """Return the environment of a command: none of this process's settings, and these."""
    return {**{name: value for name, value in os.environ.items() if name not in SETTINGS}, **settings}


def run(*arguments: str, stdin: str | None = None, **settings: str) -> subprocess.CompletedProcess[str]:
    """Return what became of a command."""
    return subprocess.run(
        [sys.executable, "-m", "app", *arguments],
        cwd=ROOT,
        env=environment(**settings),
        input=stdin if stdin is not None else "",
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
    )


Command = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def command(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Command:
    """Run a command in this process, which takes no time to start; it must not come to serving."""

    def served(*_: object, **__: object) -> None:
        raise AssertionError("a server was started")

    def ran(*arguments: str, stdin: str = "", **settings: str) -> subprocess.CompletedProcess[str]:
        for name in SETTINGS:
            monkeypatch.delenv(name, raising=False)
        for name, value in settings.items():
            monkeypatch.setenv(name, value)
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        monkeypatch.setattr("uvicorn.run", served)
        try:
            status = main(list(arguments))
        except SystemExit as ended:  # argparse ends a command so.
            status = int(str(ended.code))
        captured = capsys.readouterr()
        return subprocess.CompletedProcess(arguments, status, captured.out, captured.err)

    return ran


def assert_wrong(ended: subprocess.CompletedProcess[str], *words: str) -> None:
    """Check that a command ended with status 2 and one clear line, and no traceback."""
    assert ended.returncode == 2, ended
    assert len(ended.stderr.splitlines()) == 1, ended.stderr
    assert ended.stderr.startswith("pasianssi: ")
    for word in words:
        assert word in ended.stderr


# deal


def test_a_deal_is_printed_column_by_column(tmp_path: Path) -> None:
    """SS-1, SC-1, G-11: hidden cards and the stock are not told here either; no database is needed or made."""
    simple, scorpion = EXAMPLES
    ended = run("deal", simple["code"].lower(), DATABASE_URL=f"sqlite:///{tmp_path}/none.db")
    expected = [f"{number:>2}: {' '.join(column)}" for number, column in enumerate(simple["columns"], 1)]
    assert (ended.returncode, ended.stdout.splitlines()) == (0, [simple["code"], *expected])
    ended = run("deal", scorpion["code"], DATABASE_URL=f"sqlite:///{tmp_path}/none.db")
    assert ended.stdout.splitlines()[1].strip() == "1: ?? ?? ?? 7S 5H JH TC"
    assert ended.stdout.splitlines()[-1] == "stock: 3"
    assert not (tmp_path / "none.db").exists()


@pytest.mark.parametrize("seed", ["0", "1", "random"])
def test_a_code_deals_the_same_cards_in_every_process(seed: str) -> None:
    """SS-10, #62: whatever Python's own hashing does."""
    deal = DEALS[0]
    ended = run("deal", deal["code"], PYTHONHASHSEED=seed)
    assert [line.split(": ")[1].split() for line in ended.stdout.splitlines()[1:]] == deal["columns"]


@pytest.mark.parametrize(
    "code", ["", "x", "SS1-S3-AAAAABD", "SS1-S1-AAAAAB", "SS1S1AAAAABD", "\u00df1-S1-AAAAABD", "x" * 5000]
)
def test_what_is_no_code_is_told_in_one_line(command: Command, code: str) -> None:
    assert_wrong(command("deal", code))


def test_a_command_that_is_asked_wrongly_ends_its_process_with_status_2(tmp_path: Path) -> None:
    assert_wrong(run("deal", "x"))
    assert_wrong(run("replay", "-", stdin="{"), "line 1:")
    assert_wrong(run("serve", PORT="x"), "PORT")
    assert_wrong(run("check", DATABASE_URL=f"sqlite:///{tmp_path}"), "DATABASE_URL")


# replay


@pytest.mark.parametrize("name", ["scenarios.jsonl", "games.jsonl", "coded_games.jsonl", "actions.jsonl"])
def test_every_recorded_game_is_replayed_from_a_file_and_from_standard_input(name: str) -> None:
    """One line of JSON for each, with what every action did."""
    records = lines(name)
    ended = run("replay", str(DATA / name))
    assert (ended.returncode, ended.stderr) == (0, "")
    answers = [json.loads(line) for line in ended.stdout.splitlines()]
    assert [answer["id"] for answer in answers] == [record["id"] for record in records]
    for record, answer in zip(records, answers, strict=True):
        if "expect" in record:
            expected = record["expect"]
            assert [(step["ok"], step["score"], step["moves"]) for step in answer["steps"]] == [
                (step["ok"], step["score"], step["moves"]) for step in expected["steps"]
            ]
            assert answer["columns"] == expected["columns"]
        else:
            assert [step["score"] for step in answer["steps"]] == record["scores"]
            assert (answer["won"], answer["removed"]) == (True, record["removed"])
    again = run("replay", "-", stdin=(DATA / name).read_text(encoding="utf-8"))
    assert (again.returncode, again.stdout) == (0, ended.stdout)


@pytest.mark.parametrize("record", EXAMPLES, ids=name_of)
@pytest.mark.parametrize("indent", [None, 2])
def test_one_object_is_replayed_however_many_lines_it_takes(record: Record, indent: int | None) -> None:
    ended = run("replay", "-", stdin=json.dumps(record, indent=indent))
    assert ended.returncode == 0
    assert json.loads(ended.stdout)["score"] == record["final_score"]


GOOD = json.dumps({"code": FOUR_SUITS, "moves": [LOOP[0]]})


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("{", 1),
        ("nonsense", 1),
        ("[]", 1),
        ('{"code": "x", "moves": []}', 1),
        ('{"code": "SS1-S4-AAAAABD", "moves": [[0, 0]]}', 1),
        ('{"code": "SS1-S4-AAAAABD", "moves": [[0, 7, 10]]}', 1),
        ('{"code": "SS1-S4-AAAAABD", "moves": ["fly"]}', 1),
        ('{"code": "SS1-S4-AAAAABD", "moves": [[0, true, 1]]}', 1),
        ('{"game": "spider", "suits": 4, "columns": [], "stock": []}', 1),
        (f"{GOOD}\n{GOOD}\n{{\n", 3),
        (f"{GOOD}\n\n\nnull\n", 4),
        (f"{GOOD}\n{GOOD}\n" + '{"code": "SS1-S4-AAAAABD", "moves": [[10, 0, 1]]}\n' + GOOD, 3),
        (f"{GOOD}\n" + "[" * 100_000, 2),
        ("[" * 100_000, 1),
        ('{"code": "SS1-S4-AAAAABD", "moves": [[' + "9" * 5000 + ", 0, 1]]}", 1),
    ],
)
def test_what_is_no_record_is_told_with_the_number_of_its_line(command: Command, text: str, line: int) -> None:
    """Status 2; what came before it is printed."""
    ended = command("replay", "-", stdin=text)
    assert_wrong(ended, f"line {line}:")
    assert len(ended.stdout.splitlines()) == sum(one == GOOD for one in text.split("\n")[: line - 1])


def test_a_file_that_is_not_there_or_cannot_be_read_is_told_in_one_line(command: Command, tmp_path: Path) -> None:
    (tmp_path / "latin").write_bytes(b'{"id": "\xe4"}')
    (tmp_path / "empty").write_bytes(b"")
    for file in ("none.jsonl", "", "latin", "empty"):
        ended = command("replay", str(tmp_path / file))
        assert_wrong(ended, str(tmp_path / file))
        assert ended.stdout == ""


def test_a_reader_that_has_enough_ends_the_command_quietly() -> None:
    """`pasianssi replay FILE | head -1`: a broken pipe is no error to tell of."""
    process = subprocess.Popen(
        [sys.executable, "-m", "app", "replay", str(DATA / "actions.jsonl")],
        cwd=ROOT,
        env=environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    assert json.loads(process.stdout.readline())["id"] == ACTIONS[0]["id"]
    process.stdout.close()
    told = process.stderr.read()
    process.stderr.close()
    process.wait(60)
    assert told == b""
    short = subprocess.run(
        ["sh", "-c", f'"{sys.executable}" -m app deal {FOUR_SUITS} | true'],
        cwd=ROOT,
        env=environment(),
        capture_output=True,
        timeout=60,
    )
    assert short.stderr == b""


# check, backup, prune


def some_games(database_url: str) -> str:
    """Put three played games and an unplayed attempt into a database, and return its address."""
    with Site(database_url) as site:
        client = site.browser()
        for record in (CODED[0], EXAMPLES[1]):
            client.play(client.begin(record["code"]), *record["moves"])
        client.play(client.begin(FOUR_SUITS), *loop(5), "undo")
        client.begin(FOUR_SUITS)
    return database_url


@pytest.fixture
def played(database_url: str) -> str:
    """The address of a database of either kind with some games in it."""
    return some_games(database_url)


@pytest.fixture
def played_sqlite(sqlite_url: str) -> str:
    """The address of a SQLite database with some games in it."""
    return some_games(sqlite_url)


def test_checking_a_sound_database_says_how_many_games_it_holds(played: str) -> None:
    ended = run("check", DATABASE_URL=played)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "4 games checked, 0 wrong\n", "")


def test_checking_names_each_damaged_game_and_ends_with_status_1(played: str) -> None:
    engine = open_database(played)
    ids = [row[0] for row in all_rows(engine)["game"]]
    with engine.begin() as connection:
        connection.execute(update(table).where(table.c.id == ids[0]).values(score=7))
        connection.execute(update(table).where(table.c.id == ids[2]).values(position="damaged"))
    engine.dispose()
    ended = run("check", DATABASE_URL=played)
    assert ended.returncode == 1
    damaged = ended.stdout.splitlines()
    assert [line.partition(":")[0] for line in damaged[:-1]] == [f"{ids[0]:x}", f"{ids[2]:x}"]
    assert damaged[-1] == "4 games checked, 2 wrong"
    assert ended.stderr == ""


def test_a_backup_of_postgresql_is_left_to_its_own_tools(postgres_url: str, tmp_path: Path) -> None:
    assert_wrong(run("backup", str(tmp_path / "copy.db"), DATABASE_URL=postgres_url), "pg_dump")
    assert not (tmp_path / "copy.db").exists()


def test_a_backup_is_a_database_that_goes_on_where_it_was_made(played_sqlite: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.db"
    ended = run("backup", str(copy), DATABASE_URL=played_sqlite)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "", "")
    engine, other = open_database(played_sqlite), open_database(f"sqlite:///{copy}")
    assert all_rows(other) == all_rows(engine)
    engine.dispose()
    other.dispose()
    assert run("check", DATABASE_URL=f"sqlite:///{copy}").stdout == "4 games checked, 0 wrong\n"


@pytest.mark.parametrize("name", ["none/copy.db", ".", "text"])
def test_a_backup_that_cannot_be_written_is_told_in_one_line(
    command: Command, sqlite_url: str, tmp_path: Path, name: str
) -> None:
    (tmp_path / "text").write_text("not a database, but something that somebody may need " * 100)
    assert_wrong(command("backup", str(tmp_path / name), DATABASE_URL=sqlite_url), str(tmp_path / name))
    assert (tmp_path / "text").read_text().startswith("not a database")


def test_a_backup_onto_the_database_itself_harms_nothing(played_sqlite: str) -> None:
    run("backup", played_sqlite.removeprefix("sqlite:///"), DATABASE_URL=played_sqlite)
    assert run("check", DATABASE_URL=played_sqlite).stdout == "4 games checked, 0 wrong\n"


def test_a_backup_made_while_the_server_writes_is_sound_and_holds_what_was_confirmed_before(
    sqlite_url: str, tmp_path: Path
) -> None:
    """#76: and the server goes on meanwhile."""
    with serve(sqlite_url) as served, httpx.Client(base_url=served.url, trust_env=False) as http:
        game = body(http.post("/api/games", json={"code": FOUR_SUITS}))
        states = [game]
        enough = threading.Event()

        def play() -> None:
            while not enough.is_set():
                state = states[-1]
                wish = {"version": state["version"], **as_json(LOOP[state["moves"] % 2])}
                response = http.post(f"/api/games/{game['id']}/actions", json=wish)
                assert response.status_code == 200
                states.append(body(response))

        playing = threading.Thread(target=play)
        playing.start()
        while len(states) < 20:
            time.sleep(0.01)
        confirmed = states[-1]["version"]
        ended = run("backup", str(tmp_path / "copy.db"), DATABASE_URL=sqlite_url)
        sent = len(states)
        enough.set()
        playing.join()
        assert ended.returncode == 0, ended.stderr
        assert len(states) >= sent
    copy = open_database(f"sqlite:///{tmp_path}/copy.db")
    (row,) = all_rows(copy)["game"]
    assert confirmed <= dict(zip(table.c.keys(), row, strict=True))["version"] <= states[-1]["version"]
    copy.dispose()
    assert run("check", DATABASE_URL=f"sqlite:///{tmp_path}/copy.db").stdout == "1 games checked, 0 wrong\n"


PRUNED = "{} attempts without an action and 0 games that were deleted long ago are gone\n"


def test_pruning_deletes_attempts_without_an_action_that_are_a_week_old(played_sqlite: str) -> None:
    assert run("prune", DATABASE_URL=played_sqlite).stdout == PRUNED.format(0)
    engine = open_database(played_sqlite)
    with engine.begin() as connection:
        connection.execute(update(table).values(played=table.c.played - 8 * 24 * 3600 * 1000))
    ended = run("prune", DATABASE_URL=played_sqlite)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, PRUNED.format(1), "")
    assert counts(all_rows(engine))["game"] == 3
    engine.dispose()


# serve and the settings


@contextmanager
def started(*arguments: str, **settings: str) -> Iterator[subprocess.Popen[str]]:
    """Run a command for as long as the context lasts."""
    process = subprocess.Popen(
        [sys.executable, "-m", "app", *arguments],
        cwd=ROOT,
        env=environment(**settings),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


def wait_for(address: str, process: subprocess.Popen[str]) -> httpx.Response:
    """Return the answer of a server, once it answers."""
    deadline = time.monotonic() + 30
    with httpx.Client(trust_env=False, timeout=5) as http:
        while time.monotonic() < deadline and process.poll() is None:
            try:
                return http.get(address)
            except httpx.TransportError:
                time.sleep(0.05)
    raise AssertionError("the server did not answer")


@pytest.mark.parametrize("arguments", [["serve"], []], ids=["serve", "nothing"])
def test_serving_is_the_default_and_obeys_host_port_and_database(tmp_path: Path, arguments: list[str]) -> None:
    """It ends at a SIGTERM with status 0, and by then all is on disk."""
    port, database = free_port(), tmp_path / "folder" / "games.db"
    settings = {"HOST": "127.0.0.2", "PORT": str(port), "DATABASE_URL": f"sqlite:///{database}"}
    with started(*arguments, **settings) as process:
        assert wait_for(f"http://127.0.0.2:{port}/healthz", process).json() == {"status": "ok"}
        with httpx.Client(trust_env=False, timeout=5) as http:
            with pytest.raises(httpx.ConnectError):
                http.get(f"http://127.0.0.1:{port}/healthz")
            game = body(http.post(f"http://127.0.0.2:{port}/api/games", json={"code": FOUR_SUITS}))
        os.kill(process.pid, signal.SIGTERM)
        output, _ = process.communicate(timeout=30)
        assert process.returncode in (0, -signal.SIGTERM), output
        assert "Traceback" not in output
        assert not re.search("ERROR|WARNING", output)
    engine = open_database(f"sqlite:///{database}")
    assert [row[0] for row in all_rows(engine)["game"]] == [int(game["id"], 16)]
    engine.dispose()


@pytest.mark.parametrize(
    ("settings", "name"),
    [
        *(({"PORT": value}, "PORT") for value in ("x", "-1", "65536", "8000.0", "1e3", " 8000", "9" * 5000, "\u0668")),
        *(({"WORKERS": value}, "WORKERS") for value in ("x", "0", "-1", "1000000")),
        *(({"BODY_LIMIT": value}, "BODY_LIMIT") for value in ("x", "0", "1 MB")),
        *(
            ({"TIMEZONE": value}, "TIMEZONE")
            for value in ("Nowhere", "../etc/passwd", "/etc/localtime", "Europe", "\u00e4")
        ),
        *(
            ({"DATABASE_URL": value}, "DATABASE_URL")
            for value in (
                *("nonsense", "mysql://u:secret@h/d", "sqlite:games.db", "postgresql:/x", "://", "file.db"),
                *(
                    "postgresql://u:secret@h:port/d",
                    "postgresql://u:secret@127.0.0.1:1/d",
                    "sqlite:////proc/none/games.db",
                ),
            )
        ),
    ],
)
@pytest.mark.parametrize("name_of_command", ["serve", "check"])
def test_a_setting_that_cannot_be_obeyed_is_told_in_one_line_with_its_name(
    command: Command, name_of_command: str, settings: dict[str, str], name: str, tmp_path: Path
) -> None:
    """Status 2, before anything is started; a password is not repeated."""
    ended = command(
        name_of_command, **{"DATABASE_URL": f"sqlite:///{tmp_path}/games.db", "PORT": str(free_port()), **settings}
    )
    assert_wrong(ended, name)
    assert ended.stdout == ""
    assert "secret" not in ended.stderr


def test_an_empty_variable_counts_as_absent(command: Command, tmp_path: Path) -> None:
    empty = {"PORT": "", "WORKERS": "", "HOST": "", "TIMEZONE": "", "SECRET_KEY": "", "BODY_LIMIT": ""}
    ended = command("check", DATABASE_URL=f"sqlite:///{tmp_path}/games.db", **empty)
    assert (ended.returncode, ended.stdout) == (0, "0 games checked, 0 wrong\n")


def test_a_port_that_is_taken_ends_the_server_with_a_message(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/games.db"
    with serve(url) as served:
        ended = run("serve", DATABASE_URL=url, PORT=served.url.rpartition(":")[2])
        assert ended.returncode != 0
        assert "address already in use" in ended.stdout + ended.stderr
        assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    "arguments", [["fly"], ["deal"], ["replay"], ["backup"], ["deal", "a", "b"], ["--fly"], ["check", "x"]]
)
def test_a_command_that_is_none_is_told_with_how_it_is_used(command: Command, arguments: list[str]) -> None:
    ended = command(*arguments)
    assert ended.returncode == 2
    assert "usage: pasianssi" in ended.stderr
    assert "Traceback" not in ended.stderr


def test_help_names_every_command(command: Command) -> None:
    ended = command("--help")
    assert ended.returncode == 0
    for name in ("serve", "deal", "replay", "check", "backup", "prune"):
        assert name in ended.stdout


def test_the_program_is_installed_under_its_own_name() -> None:
    ended = subprocess.run(
        [Path(sys.executable).with_name("pasianssi"), "deal", FOUR_SUITS],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (ended.returncode, ended.stdout.splitlines()[0]) == (0, FOUR_SUITS)
