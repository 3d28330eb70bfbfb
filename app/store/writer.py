"""The one way in which anything is written: a thread that commits together what has gathered.

While one transaction is on its way to the disk, the requests of the next one gather in a queue; so a commit that waits
for the disk is shared by all the moves that came meanwhile, and no answer is given before its commit.  The same code
serves both databases.
"""

import asyncio
import logging
import threading
import time
from collections.abc import Awaitable, Callable
from queue import Empty, SimpleQueue
from typing import Any, NamedTuple, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import SQLAlchemyError

from app.engine.game import Game, act, last_step
from app.engine.moves import Action, Command, InvalidMove
from app.engine.play import Event
from app.engine.rules import Rule
from app.store.database import WRITES
from app.store.games import Locked, Player, Saved, advanced, change, lock, note_latest

GATHERED = 256
"""How many requests share one transaction at most."""

GATHERING = 0.00025
"""The moments of which the writer's wait for company is made, in seconds; who moved alone last is not kept waiting."""

PATIENCE = 4
"""After how many moments in a row in which nobody came the wait is over."""

LONGEST = 20
"""After how many moments the wait is over, whoever may still come."""

WAITING = 4096
"""How many requests may wait; one more is told that the server is busy."""

T = TypeVar("T")

log = logging.getLogger(__name__)


class Wish(NamedTuple):
    """An action that a device asks of a saved game, at the version that it saw."""

    device_id: int
    game_id: int
    version: int
    nonce: str | None
    action: Action


class Done(NamedTuple):
    """The action was made: the game after it and before it, and its events; an undo has the events that it took back.

    ``before`` is None where the action had been made already when it was sent before.
    """

    player: Player
    saved: Saved
    before: Game | None
    events: tuple[Event, ...]


class Refused(NamedTuple):
    """The action breaks a rule, and the game is as it was."""

    player: Player
    saved: Saved
    rule: Rule


class Stale(NamedTuple):
    """The action was asked of an old version; the game is as it was."""

    player: Player
    saved: Saved


class Missing(NamedTuple):
    """The device's player has no such game."""


Outcome = Done | Refused | Stale | Missing


class Unavailable(Exception):
    """The database does not answer, or too much is waiting for it; nothing was written."""


def decide(player: Player, one: Saved, version: int, nonce: str | None, action: Action) -> Outcome:
    """Return what comes of an action; a game that it changes has a new version.

    Raises :class:`app.engine.moves.InvalidMove` where a column does not exist.
    """
    if version != one.version:
        return _again(player, one, version, nonce, action) or Stale(player, one)
    turn = act(one.game, action)
    if isinstance(turn, Rule):
        return Refused(player, one, turn)
    return Done(player, advanced(one, turn.game, _sent(nonce, action)), one.game, turn.events)


def _sent(nonce: str | None, action: Action) -> str | None:
    """Return what is kept of an action that was sent: by its nonce alone, another action could pass for it."""
    return None if nonce is None else f"{nonce} {action.text}"


def _again(player: Player, one: Saved, version: int, nonce: str | None, action: Action) -> Done | None:
    """Return the answer of the latest action once more, if this is the same one sent again, else None."""
    if nonce is None or _sent(nonce, action) != one.nonce or version != one.version - 1:
        return None
    if action is Command.UNDO:
        again = act(one.game, Command.REDO)
        return None if isinstance(again, Rule) else Done(player, one, None, again.events)
    _, step = last_step(one.game)
    return Done(player, one, None, step.events)


class _Job(NamedTuple):
    work: Wish | Callable[[Connection], Any]
    future: asyncio.Future[Any]
    loop: asyncio.AbstractEventLoop


class Writer:
    """The writer thread of one process, over one database."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine.execution_options(**{WRITES: True})
        self._queue: SimpleQueue[_Job | None] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="writer", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Finish what is waiting, then end the thread."""
        self._queue.put(None)
        self._thread.join()

    def act(self, wish: Wish) -> Awaitable[Outcome]:
        """Return what comes of an action, to be awaited until it is on disk.

        Raises :class:`Unavailable`, or :class:`app.engine.moves.InvalidMove` where a column does not exist.
        """
        return self._submit(wish)

    async def write(self, work: Callable[[Connection], T]) -> T:
        """Return what ``work`` returned, once what it wrote is on disk.

        What it raises comes back, and then nothing is written. It may be run twice, when the first transaction failed.
        """
        result: T = await self._submit(work)
        return result

    def _submit(self, work: Wish | Callable[[Connection], Any]) -> asyncio.Future[Any]:
        if self._queue.qsize() >= WAITING:
            raise Unavailable("too many requests are waiting")
        loop = asyncio.get_running_loop()
        future = loop.create_future()
        self._queue.put(_Job(work, future, loop))
        return future

    def _run(self) -> None:
        jobs: list[_Job] = []
        while (job := self._queue.get()) is not None:
            if len(jobs) > 1:
                self._wait_for(len(jobs) - 1)
            jobs, closing = [job], False
            while len(jobs) < GATHERED:
                try:
                    another = self._queue.get_nowait()
                except Empty:
                    break
                if another is None:
                    closing = True
                    break
                jobs.append(another)
            self._serve(jobs)
            if closing:
                return

    def _wait_for(self, company: int) -> None:
        """Wait until as many have come as shared the last transaction, or no more seem to come.

        Where many move at once, the more of them share a transaction, the less each of them costs.
        """
        before = quiet = 0
        for _ in range(LONGEST):
            waiting = self._queue.qsize()
            quiet = quiet + 1 if waiting == before else 0
            if waiting >= company or quiet > PATIENCE:
                return
            before = waiting
            time.sleep(GATHERING)

    def _serve(self, jobs: list[_Job]) -> None:
        results: list[Any]
        try:
            results = self._commit([job.work for job in jobs])
        except Exception:
            # One of them, or the moment, was bad: each is tried once more, alone, so that none fails for its neighbour.
            results = [self._commit_alone(job.work) for job in jobs]
        deliveries: dict[asyncio.AbstractEventLoop, list[tuple[asyncio.Future[Any], Any]]] = {}
        for job, result in zip(jobs, results, strict=True):
            deliveries.setdefault(job.loop, []).append((job.future, result))
        for loop, delivery in deliveries.items():
            loop.call_soon_threadsafe(_deliver, delivery)

    def _commit_alone(self, work: Wish | Callable[[Connection], Any]) -> Any:
        try:
            return self._commit([work])[0]
        except SQLAlchemyError as error:
            log.exception("a write failed")
            return Unavailable(str(error))
        except Exception as error:
            return error

    def _commit(self, works: list[Wish | Callable[[Connection], Any]]) -> list[Any]:
        """Return the results of ``works`` in their order, exceptions among them, after one commit of all."""
        wishes = [work for work in works if isinstance(work, Wish)]
        with self._engine.begin() as connection:
            known = lock(connection, [wish[:2] for wish in wishes]) if wishes else {}
            changed: dict[int, Saved] = {}
            results: list[Any] = [None] * len(works)
            for index, work in enumerate(works):
                if isinstance(work, Wish):
                    results[index] = result = _decide(known, changed, work)
                    if isinstance(result, Done):
                        changed[work.game_id] = result.saved
            if changed:
                change(connection, changed.values())
                # It is written only when a player turns to another game, so it costs a move next to nothing.
                others = {
                    one.player.id: game_id
                    for (_, game_id), one in known.items()
                    if game_id in changed and game_id != one.latest
                }
                if others:
                    note_latest(connection, others)
            # Other works read and write games by themselves, so they come when the moves that share their transaction
            # are written: otherwise each would undo the other's.
            for index, work in enumerate(works):
                if not isinstance(work, Wish):
                    results[index] = _try(connection, work)
        return results


def _decide(known: dict[tuple[int, int], Locked], changed: dict[int, Saved], wish: Wish) -> Outcome | InvalidMove:
    entry = known.get((wish.device_id, wish.game_id))
    if entry is None:
        return Missing()
    player, one, _ = entry
    try:
        return decide(player, changed.get(wish.game_id, one), wish.version, wish.nonce, wish.action)
    except InvalidMove as error:
        return error


def _try(connection: Connection, work: Callable[[Connection], Any]) -> Any:
    try:
        with connection.begin_nested():
            return work(connection)
    except SQLAlchemyError:
        raise
    except Exception as error:
        return error


def _deliver(delivery: list[tuple[asyncio.Future[Any], Any]]) -> None:
    for future, result in delivery:
        if future.done():  # The request was given up while it waited.
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
