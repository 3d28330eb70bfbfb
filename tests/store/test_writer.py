"""The writer thread: what gathers is committed together, nothing is answered before, nobody fails for a neighbour."""

import asyncio
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import Connection, Engine, event, insert
from sqlalchemy.exc import OperationalError

from app.engine.codes import parse_code
from app.engine.game import start
from app.engine.moves import Action, Auto, Command, InvalidMove, Move
from app.engine.play import legal
from app.engine.rules import Rule
from app.store import games
from app.store.database import migrate, open_database
from app.store.games import Player, Saved
from app.store.schema import player as players
from app.store.writer import Done, Missing, Outcome, Refused, Stale, Unavailable, Wish, Writer
from tests.store.rows import all_rows

CODE = parse_code("SS1-S4-AAAAABD")
DEAL = start(CODE.rules, CODE.deal())
MOVE = legal(DEAL.rules, DEAL.position)[0]
REFUSED = Move(0, 0, 1)
NO_COLUMN = Move(0, 0, 10)


class Desk:
    """A writer over a new database, and the players who sit at it."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.writer = Writer(engine)
        self.commits: list[list[asyncio.Future[Any]]] = []
        event.listen(engine, "commit", self._count)
        self.asked: list[asyncio.Future[Any]] = []
        self.answered_early = False

    def _count(self, _connection: Connection) -> None:
        self.commits.append(list(self.asked))
        self.answered_early |= any(one.done() for one in self.asked)

    def seat(self) -> tuple[int, Saved]:
        """Return a new player's device and unplayed game."""
        with self.engine.begin() as connection:
            player, device_id = games.add_player(connection)
            return device_id, games.add(connection, player.id, CODE, 1, DEAL)

    def game(self, one: Saved) -> Saved:
        """Return a game as it is kept."""
        with self.engine.connect() as connection:
            found = games.find(connection, one.id)
        assert found is not None
        return found

    async def gathered(self, *works: Wish | Callable[[Connection], Any]) -> list[Any]:
        """Return what came of works that gathered while the writer was busy; an exception as a value."""
        busy, free = threading.Event(), threading.Event()

        def hold(_connection: Connection) -> None:
            busy.set()
            assert free.wait(30)

        holding = asyncio.ensure_future(self.writer.write(hold))
        await asyncio.to_thread(busy.wait, 30)
        self.asked = [
            asyncio.ensure_future(self.writer.act(work) if isinstance(work, Wish) else self.writer.write(work))
            for work in works
        ]
        await asyncio.sleep(0)  # Each of them takes its place in the queue.
        self.commits.clear()
        free.set()
        await asyncio.gather(holding, return_exceptions=True)  # Where commits fail, its own does.
        return await asyncio.gather(*self.asked, return_exceptions=True)

    def serve(self, *works: Wish | Callable[[Connection], Any]) -> list[Any]:
        """Return what came of works that gathered."""
        return asyncio.run(self.gathered(*works))


@pytest.fixture
def desk(database_url: str) -> Iterator[Desk]:
    engine = open_database(database_url)
    migrate(engine)
    one = Desk(engine)
    yield one
    one.writer.close()
    engine.dispose()


def wish(seat: tuple[int, Saved], action: Action = MOVE, version: int = 0, nonce: str | None = None) -> Wish:
    device_id, one = seat
    return Wish(device_id, one.id, version, nonce, action)


@contextmanager
def failing_commits(engine: Engine, message: str) -> Iterator[None]:
    """Let the disk refuse every commit for as long as the context lasts."""

    def fail(_connection: Connection) -> None:
        raise OperationalError("COMMIT", {}, Exception(message))

    event.listen(engine, "commit", fail)
    try:
        yield
    finally:
        event.remove(engine, "commit", fail)


def test_moves_that_gathered_share_one_commit_and_none_is_answered_before_it(desk: Desk) -> None:
    """#73, #76: thirty moves of thirty players, two commits: the one that held the writer up, and theirs."""
    seats = [desk.seat() for _ in range(30)]
    outcomes = desk.serve(*map(wish, seats))
    assert [type(outcome) for outcome in outcomes] == [Done] * 30
    assert [len(asked) for asked in desk.commits] == [30, 30]
    assert not desk.answered_early
    assert [desk.game(one).version for _, one in seats] == [1] * 30


def test_what_a_move_costs_the_database_does_not_grow_with_how_many_come_at_once(tmp_path: Path) -> None:
    """Reading four times as many games of as many players takes SQLite four times as many steps."""
    engine = open_database(f"sqlite:///{tmp_path}/games.db")
    migrate(engine)
    with engine.begin() as connection:
        keys = []
        for _ in range(256):
            player, device_id = games.add_player(connection)
            keys.append((device_id, games.add(connection, player.id, CODE, 1, DEAL).id))

    def steps(asked: list[tuple[int, int]]) -> int:
        counted: list[None] = []
        with engine.connect() as connection:
            driver: Any = connection.connection.driver_connection
            driver.set_progress_handler(lambda: counted.append(None), 1)
            found = games.lock(connection, asked)
            driver.set_progress_handler(None, 1)
        assert len(found) == len(asked)
        return len(counted)

    assert steps(keys) / steps(keys[:64]) == pytest.approx(4, rel=0.1)
    engine.dispose()


def test_the_wait_for_company_ends_also_when_somebody_comes_in_each_of_its_moments(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After sixty at once it would wait for sixty, and whoever plays alone among many would wait with it."""
    moments = 0

    def nothing(_connection: Connection) -> None:
        pass

    async def come_one_by_one() -> None:
        loop = asyncio.get_running_loop()

        def moment(_seconds: float) -> None:
            nonlocal moments
            moments += 1
            asyncio.run_coroutine_threadsafe(desk.writer.write(nothing), loop)
            time.sleep(0.002)

        await desk.gathered(*[nothing] * 60)
        monkeypatch.setattr("app.store.writer.time", SimpleNamespace(sleep=moment))
        await desk.writer.write(nothing)

    asyncio.run(come_one_by_one())
    assert 0 < moments < 50


def test_a_bad_action_never_fails_its_neighbours(desk: Desk) -> None:
    """G-10: a refused, a stale, a foreign, a malformed and a broken request between two good moves, in one commit."""
    first, refused, stale, foreign, malformed, last = [desk.seat() for _ in range(6)]

    def broken(connection: Connection) -> None:
        games.add_player(connection)
        raise ValueError("broken")

    before = len(all_rows(desk.engine)["player"])
    outcomes = desk.serve(
        wish(first),
        wish(refused, REFUSED),
        wish(stale, version=7),
        Wish(foreign[0], first[1].id, 0, None, MOVE),
        wish(malformed, NO_COLUMN),
        Wish(foreign[0], 12345, 0, None, MOVE),
        broken,
        wish(last),
    )
    kinds: list[type[object]] = [Done, Refused, Stale, Missing, InvalidMove, Missing, ValueError, Done]
    assert [type(outcome) for outcome in outcomes] == kinds
    assert outcomes[1].rule is Rule.NOT_A_SEQUENCE
    assert len(desk.commits) == 2
    versions = [desk.game(one).version for _, one in (first, refused, stale, foreign, malformed, last)]
    assert versions == [1, 0, 0, 0, 0, 1]
    assert len(all_rows(desk.engine)["player"]) == before


def test_a_write_that_the_database_refuses_fails_alone_and_the_others_are_made_once(desk: Desk) -> None:
    first, last = desk.seat(), desk.seat()
    _, one = desk.seat()

    def same_key_again(connection: Connection) -> None:
        connection.execute(insert(players), {"id": one.player_id})

    outcomes = desk.serve(wish(first), same_key_again, wish(last))
    assert [type(outcome) for outcome in outcomes] == [Done, Unavailable, Done]
    assert [desk.game(one).version for one in (first[1], last[1])] == [1, 1]


def test_of_two_moves_on_one_game_in_one_commit_the_second_is_stale_or_goes_on(desk: Desk) -> None:
    """#70: two tabs at once; the second one sees the first one's game, not the row that both read."""
    seat, other = desk.seat(), desk.seat()
    outcomes = desk.serve(
        wish(seat, version=0), wish(seat, version=0), wish(other, version=0), wish(other, Command.UNDO, version=1)
    )
    assert [type(outcome) for outcome in outcomes] == [Done, Stale, Done, Done]
    assert outcomes[1].saved == outcomes[0].saved == desk.game(seat[1])
    assert outcomes[3].saved.game == DEAL._replace(words=outcomes[2].saved.game.words)
    assert (desk.game(seat[1]).version, desk.game(other[1]).version) == (1, 2)


def test_an_action_sent_twice_in_one_commit_is_made_once_and_answered_twice(desk: Desk) -> None:
    """#72: both answers are the same."""
    seat = desk.seat()
    outcomes = desk.serve(wish(seat, nonce="once"), wish(seat, nonce="once"))
    assert isinstance(outcomes[0], Done)
    # The page that asks again may know less: it is told nothing of before, and so is sent the whole table.
    assert outcomes[1] == outcomes[0]._replace(before=None)
    assert desk.game(seat[1]).version == 1


def repeated(desk: Desk, seat: tuple[int, Saved], version: int, action: Action, nonce: str) -> Outcome:
    outcome: Outcome = desk.serve(wish(seat, action, version, nonce))[0]
    return outcome


def stock_seat(desk: Desk) -> tuple[int, Saved]:
    """Return a seat at a game of Scorpion."""
    code = parse_code("SC1-R-AAAAABE")
    with desk.engine.begin() as connection:
        player, device_id = games.add_player(connection)
        return device_id, games.add(connection, player.id, code, 1, start(code.rules, code.deal()))


def test_every_kind_of_action_is_answered_again_and_made_once(desk: Desk) -> None:
    """#72: an answer was lost, the action is sent again with its nonce."""
    seat = stock_seat(desk)
    table = seat[1].game
    first, *others = legal(table.rules, table.position)
    automatic = next(Auto(move.source, move.at) for move in others)
    made: tuple[Action, ...] = (first, Command.UNDO, Command.REDO, Command.UNDO, Command.DEAL, Command.UNDO, automatic)
    for version, action in enumerate(made):
        answer = repeated(desk, seat, version, action, f"nonce{version}")
        assert isinstance(answer, Done), action
        assert (repeated(desk, seat, version, action, f"nonce{version}"), desk.game(seat[1])) == (
            answer._replace(before=None),
            answer.saved,
        )
        assert answer.saved.version == version + 1


def test_another_action_with_the_nonce_of_the_latest_is_stale(desk: Desk) -> None:
    """#70, #72: two buttons of one page pressed in a hurry: what was not made is never said to be made."""
    seat = stock_seat(desk)
    moves = legal(seat[1].game.rules, seat[1].game.position)
    undo, redo, deal = Command.UNDO, Command.REDO, Command.DEAL
    made: list[Action] = [moves[0], undo, moves[-1], undo, redo, deal, undo, undo]
    for version, action in enumerate(made):
        assert isinstance(repeated(desk, seat, version, action, "same"), Done), action
        others: list[Action] = [*moves[:2], *(Auto(move.source, move.at) for move in moves[:2]), *Command]
        for other in others:
            if other != action:
                assert isinstance(repeated(desk, seat, version, other, "same"), Stale), (action, other)
        assert desk.game(seat[1]).version == version + 1


def test_a_nonce_counts_for_the_latest_version_only(desk: Desk) -> None:
    seat = desk.seat()
    assert isinstance(repeated(desk, seat, 0, MOVE, "a"), Done)
    assert isinstance(repeated(desk, seat, 1, Command.UNDO, "b"), Done)
    assert isinstance(repeated(desk, seat, 0, MOVE, "a"), Stale)
    assert isinstance(repeated(desk, seat, 1, Command.UNDO, "a"), Stale)
    assert isinstance(repeated(desk, seat, 2, Command.REDO, "b"), Done)


def test_when_the_commit_fails_nobody_is_told_that_anything_was_done(desk: Desk) -> None:
    """#76: nothing is answered before its commit, so all hear of the failure; and the next moves work again."""
    seats = [desk.seat() for _ in range(3)]

    def add_a_player(connection: Connection) -> Player:
        return games.add_player(connection)[0]

    before = all_rows(desk.engine)
    with failing_commits(desk.engine, "disk I/O error"):
        outcomes = desk.serve(*map(wish, seats), add_a_player)
    assert [type(outcome) for outcome in outcomes] == [Unavailable] * 4
    assert all_rows(desk.engine) == before
    assert [type(outcome) for outcome in desk.serve(*map(wish, seats))] == [Done] * 3


def test_a_writer_that_closes_first_finishes_what_is_waiting(desk: Desk) -> None:
    """#76: a server that is told to end keeps every move that it was sent."""
    seats = [desk.seat() for _ in range(10)]

    async def close_at_once() -> list[Outcome]:
        asked = [asyncio.ensure_future(desk.writer.act(wish(seat))) for seat in seats]
        await asyncio.sleep(0)
        await asyncio.to_thread(desk.writer.close)
        return await asyncio.gather(*asked)

    assert [type(outcome) for outcome in asyncio.run(close_at_once())] == [Done] * 10
    desk.writer = Writer(desk.engine)
    assert [desk.game(one).version for _, one in seats] == [1] * 10
