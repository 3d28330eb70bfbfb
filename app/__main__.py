"""The command line: ``python -m app``, also installed as ``pasianssi``."""

import argparse
import asyncio
import json
import os
import sqlite3
import sys
from collections.abc import Iterator
from pathlib import Path

from sqlalchemy import Engine
from sqlalchemy.exc import SQLAlchemyError

from app.engine.codes import InvalidCode, parse_code
from app.engine.replay import replay
from app.settings import InvalidSetting, Settings


def main(arguments: list[str] | None = None) -> int:
    """Run one command; return 0 when it is done, 1 when it found something wrong, 2 when it was asked wrongly."""
    parser = argparse.ArgumentParser(prog="pasianssi", description="Simple Simon and Scorpion in a browser.")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND")
    commands.add_parser("serve", help="serve the games (the default)")
    deal = commands.add_parser("deal", help="print a deal")
    deal.add_argument("code", metavar="CODE")
    again = commands.add_parser("replay", help="replay recorded games: JSON in, JSON lines out")
    again.add_argument("file", metavar="FILE", help="a file, or - for standard input")
    commands.add_parser("check", help="replay every stored game and compare")
    copy = commands.add_parser("backup", help="copy the SQLite database while it is in use")
    copy.add_argument("file", metavar="FILE", type=Path)
    commands.add_parser("prune", help="delete attempts that never had an action, and games deleted long ago")
    asked = parser.parse_args(arguments)
    try:
        status = _run(asked, Settings.from_environment())
        sys.stdout.flush()
    except InvalidSetting as error:
        return _wrong(str(error))
    except BrokenPipeError:
        # Whoever read the output has enough of it; Python's own last flush is to find no broken pipe either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    return status


def _run(asked: argparse.Namespace, settings: Settings) -> int:
    match asked.command:
        case "deal":
            return _deal(asked.code)
        case "replay":
            return _replay(asked.file)
        case "check":
            return _check(settings)
        case "backup":
            return _backup(settings, asked.file)
        case "prune":
            return _prune(settings)
    return _serve(settings)


def _wrong(message: str) -> int:
    print(f"pasianssi: {message}", file=sys.stderr)
    return 2


def _serve(settings: Settings) -> int:
    import uvicorn

    # What is wrong with the database is said here in one line, before any process is started.
    _database(settings).dispose()
    uvicorn.run(
        "app.main:app_from_environment",
        factory=True,
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=10,
    )
    return 0


def _deal(text: str) -> int:
    try:
        code = parse_code(text)
    except InvalidCode as error:
        return _wrong(str(error))
    position = code.deal()
    print(code.text)
    for number, column in enumerate(position.names(), 1):
        print(f"{number:>2}: {' '.join(column)}")
    if position.stock:
        print(f"stock: {len(position.stock)}")
    return 0


def _records(text: str) -> Iterator[tuple[int, str]]:
    """Yield each record's JSON with the number of its line: JSON lines, or one object over the whole file."""
    lines = [(number, line) for number, line in enumerate(text.split("\n"), 1) if line.strip()]
    try:
        json.loads(lines[0][1])
    except (ValueError, IndexError, RecursionError):
        yield 1, text
    else:
        yield from lines


def _replay(file: str) -> int:
    try:
        text = sys.stdin.read() if file == "-" else Path(file).read_text(encoding="utf-8")
    except (OSError, ValueError) as error:
        return _wrong(f"{file}: {error}")
    for number, line in _records(text):
        try:
            print(json.dumps(replay(json.loads(line)), ensure_ascii=False))
        except (ValueError, RecursionError) as error:
            return _wrong(f"{file}, line {number}: {error}")
    return 0


def _database(settings: Settings) -> Engine:
    from app.store.database import migrate, open_database

    try:
        engine = open_database(settings.database_url)
        migrate(engine)
    except (OSError, ValueError, SQLAlchemyError) as error:
        raise InvalidSetting(f"DATABASE_URL: the database cannot be opened: {str(error).splitlines()[0]}") from error
    return engine


def _progress(done: int, total: int) -> None:
    """Show on a terminal how far long work is."""
    if sys.stderr.isatty() and (done % 500 == 0 or done == total):
        print(f"\r{done} / {total}", end="\n" if done == total else "", file=sys.stderr, flush=True)


def _check(settings: Settings) -> int:
    from app.service import check

    wrong = total = 0
    for done, total, game_id, difference in check(_database(settings)):
        _progress(done, total)
        if difference:
            wrong += 1
            print(f"{game_id:x}: {difference}")
    print(f"{total} games checked, {wrong} wrong")
    return 1 if wrong else 0


def _backup(settings: Settings, file: Path) -> int:
    from app.store.database import NotSqlite, backup

    try:
        backup(_database(settings), file, lambda left, total: _progress(total - left, total))
    except NotSqlite:
        return _wrong("backup is for SQLite; PostgreSQL has pg_dump")
    except (OSError, sqlite3.Error) as error:
        return _wrong(f"{file}: {error}")
    return 0


def _prune(settings: Settings) -> int:
    from app.service import prune
    from app.store.writer import Writer

    writer = Writer(_database(settings))
    unplayed, deleted = asyncio.run(prune(writer))
    print(f"{unplayed} attempts without an action and {deleted} games that were deleted long ago are gone")
    writer.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
