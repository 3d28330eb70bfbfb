"""What must stay flat: the length of a game, the number of stored games, of a player's games, of worker processes.

All of it is CPU of the server for a request over HTTP, two cases in turn within each round.
"""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager
from functools import cache, partial
from statistics import median
from typing import Any

from sqlalchemy import Engine, select

from app.engine.codes import Code
from app.engine.game import Game
from app.engine.moves import Move
from app.engine.position import Position
from app.store import schema
from tests.bench.players import FIRST_ID, KEY, Loop, Playing, loops, store
from tests.bench.server import CLIENT_CORE, Round, drive, memory, opened, pin, serving, sqlite, unpin
from tests.bench.table import Figure, micro, times
from tests.services import Served, postgres, serve

CONNECTIONS = 64
ROUNDS = 5
SECONDS = 2.0
MANY = int(os.environ.get("BENCH_GAMES", "1000000"))
ACTIVE = min(10_000, MANY // 2)


def figures() -> Iterator[Figure]:
    """Measure each kind of growth."""
    pin(CLIENT_CORE)
    try:
        yield from _length()
        yield from _stored()
        yield from _lists("SQLite", sqlite())
        yield from _lists("PostgreSQL", _postgres())
    finally:
        unpin()
    yield from _workers("SQLite", sqlite())
    yield from _workers("PostgreSQL", _postgres())


def _in_turn(small: Callable[[int], Round], large: Callable[[int], Round]) -> tuple[float, float, float]:
    """Return the CPU of a request in both cases, and the median of the rounds' ratios of the second to the first."""
    rounds = [(small(number).cpu, large(number).cpu) for number in range(ROUNDS + 1)][1:]
    one, other = (median(column) for column in zip(*rounds, strict=True))
    return one, other, median([large / small for small, large in rounds])


# The length of a game

SHORT, LONG = 1, 1_001
STAY = 10
EACH = 10
"""Each game is played for a few actions only, so that it stays as short or as long as it is meant to be."""


def _length() -> Iterator[Figure]:
    for action in ("move", "undo", "redo"):
        with sqlite() as database_url, opened(database_url) as engine:
            short_games, long_games = (
                store(engine, CONNECTIONS * (ROUNDS + 1), EACH, partial(_game, length=length, action=action), first_id)
                for length, first_id in ((SHORT, FIRST_ID), (LONG, 2 * FIRST_ID))
            )
            with serving(database_url) as served:
                short, long, ratio = _in_turn(
                    partial(_play_length, served, short_games, action=action),
                    partial(_play_length, served, long_games, action=action),
                )
        yield Figure(
            f"{action} number {LONG - 1} of a game over number {SHORT}, CPU",
            f"{times(ratio)} ({micro(long)} over {micro(short)})",
            "≤ 1.2",
        )


@cache
def _long(deal: int, length: int) -> Game:
    return loops(CONNECTIONS)[deal].at(length)


def _game(number: int, length: int, action: str) -> tuple[Code, Game]:
    deal = number % CONNECTIONS
    now, later = _long(deal, length), _long(deal, length + STAY)
    game = {"move": now, "undo": later, "redo": now._replace(words=later.words)}[action]
    return loops(CONNECTIONS)[deal].code, game


def _play_length(served: Served, games: Callable[[int], Playing], number: int, action: str) -> Round:
    jobs = []
    for connection in range(CONNECTIONS):
        first = (number * CONNECTIONS + connection) * EACH
        mine = [games(n).job(*(_wishes(n) if action == "move" else [action])) for n in range(first, first + EACH)]
        jobs.append({"games": mine, "stay": STAY})
    return drive(served, jobs, SECONDS / 2)


def _wishes(number: int) -> tuple[Move, Move]:
    loop: Loop = loops(CONNECTIONS)[number % CONNECTIONS]
    return loop.forth, loop.back


# The number of stored games

OF_A_PLAYER = 50
USUAL = 61


def _usual(number: int) -> tuple[Code, Game]:
    """Return a game of the length that games have."""
    deal = number % CONNECTIONS
    return loops(CONNECTIONS)[deal].code, _long(deal, USUAL)


def _stored() -> Iterator[Figure]:
    with ExitStack() as stack:
        few_url, many_url, none_url = (stack.enter_context(sqlite()) for _ in range(3))
        few_engine, many_engine = (stack.enter_context(opened(url)) for url in (few_url, many_url))
        few_stored = store(few_engine, 100, 1, _usual)
        many_stored = store(many_engine, MANY // OF_A_PLAYER, OF_A_PLAYER, _usual)
        few = [(number, few_stored(number)) for number in range(CONNECTIONS)]
        # Those who play are spread evenly over all that is stored.
        many = [(number, many_stored(number)) for number in range(0, MANY, MANY // ACTIVE)]
        few_server, many_server, none_server = (
            stack.enter_context(serving(url)) for url in (few_url, many_url, none_url)
        )
        drive(none_server, [{"get": f"/play/{few[0][1].code.text}", "cookie": ""}], 0.01)
        least = memory(none_server.process.pid)
        one, other, ratio = _in_turn(
            lambda _: _play_on(few_server, few_engine, few), lambda _: _play_on(many_server, many_engine, many)
        )
        used = memory(many_server.process.pid)
    yield Figure(
        f"a move with {MANY} stored games and {ACTIVE} in play over one with 100, CPU",
        f"{times(ratio)} ({micro(other)} over {micro(one)})",
        "≤ 1.2",
    )
    yield Figure(
        "memory of that server over one with an empty database after its first page",
        f"{times(used / least)} ({used / 2**20:.0f} over {least / 2**20:.0f} MiB)",
        "≤ 1.5",
    )


def _play_on(served: Served, engine: Engine, games: list[tuple[int, Playing]], seconds: float = SECONDS) -> Round:
    """Play each game for one move and then the next, from where the last round left them."""
    with engine.connect() as connection:
        # All of them are read here, though few are in play: a list of ten thousand ids is more than a statement takes.
        query = select(schema.game.c.id, schema.game.c.version).where(schema.game.c.version > USUAL)
        versions = dict(connection.execute(query).tuples().all())
    jobs: list[dict[str, Any]] = [{"games": [], "stay": 1} for _ in range(CONNECTIONS)]
    for at, (number, one) in enumerate(games):
        loop, version = loops(CONNECTIONS)[number % CONNECTIONS], versions.get(one.id, USUAL)
        wishes = (loop.back, loop.forth) if (version - USUAL) % 2 else (loop.forth, loop.back)
        jobs[at % CONNECTIONS]["games"].append(one._replace(game=one.game._replace(made=version)).job(*wishes))
    return drive(served, jobs, seconds)


# The number of a player's games


def _lists(name: str, database: AbstractContextManager[str]) -> Iterator[Figure]:
    with database as database_url:
        with opened(database_url) as engine:
            few = store(engine, 1, 10, _usual_or_won)(0)
            many = store(engine, 1, 10_000, _usual_or_won, 2 * FIRST_ID)(0)
            few_won = store(engine, 1, 10, _first_won, 3 * FIRST_ID)(0)
            many_won = store(engine, 1, 10_000, _first_won, 4 * FIRST_ID)(0)
        with serving(database_url) as served:
            for address, small, large, aim in (
                ("/games", few, many, "≤ 2"),
                ("/games?shown=won", few_won, many_won, "≤ 2"),
                ("/statistics", few, many, "≤ 5"),
            ):
                one, other, ratio = _in_turn(
                    partial(_look, served, small, address), partial(_look, served, large, address)
                )
                yield Figure(
                    f"{name}: {address} of a player with 10 000 games over one with 10, CPU",
                    f"{times(ratio)} ({micro(other)} over {micro(one)})",
                    aim,
                )


def _look(served: Served, who: Playing, address: str, _round: int) -> Round:
    return drive(served, [{"get": address, "cookie": who.cookie}] * 2, SECONDS / 2)


def _usual_or_won(number: int) -> tuple[Code, Game]:
    """Return a game of the usual length; every third is won, and no two of them by the same score."""
    code, game = _usual(number)
    if number % 3:
        return code, game
    empty = Position(("",) * len(code.rules.layout), (0,) * len(code.rules.layout), runs=code.rules.sets)
    return code, game._replace(position=empty, score=400 + number % 500)


def _first_won(number: int) -> tuple[Code, Game]:
    """Return a game of the usual length; only a player's first ten are won, which are the last that a list shows."""
    return _usual_or_won(0 if number < 10 else 1)


# The number of worker processes


def _workers(name: str, database: AbstractContextManager[str]) -> Iterator[Figure]:
    # On all cores, which they share with the client: only their CPU is compared.
    with database as database_url, opened(database_url) as engine, ExitStack() as stack:
        stored = store(engine, CONNECTIONS, 1, _usual)
        games = [(number, stored(number)) for number in range(CONNECTIONS)]
        servers = [stack.enter_context(serve(database_url, workers, {"SECRET_KEY": KEY})) for workers in (1, 2)]
        one, other, ratio = _in_turn(*[lambda _, s=server: _play_on(s, engine, games) for server in servers])
    yield Figure(
        f"{name}: CPU of a move with 2 workers over 1", f"{times(ratio)} ({micro(other)} over {micro(one)})", "≤ 1.15"
    )


@contextmanager
def _postgres() -> Iterator[str]:
    with postgres(fsync=True) as server:
        yield server.new_database()
