"""The service without a web around it: what it does on either database when several ask at once."""

import asyncio
import threading
import time
from collections.abc import Coroutine, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import pytest
from sqlalchemy import Engine, text, update

from app.engine.codes import parse_code
from app.engine.game import start
from app.engine.moves import Action, Command, InvalidMove, Move
from app.engine.play import legal
from app.engine.rules import Rule
from app.service import Done, Missing, Refused, Service, Stale, check, prune, unsaved
from app.store import games
from app.store.database import WRITES, migrate, open_database
from app.store.schema import game as table
from app.store.writer import Writer, decide
from tests.store.rows import all_rows, counts

FOUR, ONE, SCORPION = (parse_code(text) for text in ("SS1-S4-AAAAABD", "SS1-S1-AAAAABD", "SC1-C-AAAAABD"))
THERE, BACK = Move(2, 7, 9), Move(9, 1, 2)
WEEK = 7 * 24 * 3600 * 1000

T = TypeVar("T")


class House:
    """One process's service and writer over a database that others may use too."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.writer = Writer(engine)
        self.service = Service(engine, self.writer)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run(work)


def at_once(works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
    """Return what several coroutines gave, each of which ran in a thread and a loop of its own."""
    with ThreadPoolExecutor() as threads:
        return list(threads.map(asyncio.run, works))


@pytest.fixture
def houses(database_url: str) -> Iterator[tuple[House, House]]:
    """Two processes over one database."""
    engines = [open_database(database_url) for _ in range(2)]
    migrate(engines[0])
    first, second = (House(engine) for engine in engines)
    yield first, second
    for one in (first, second):
        one.writer.close()
        one.engine.dispose()


@pytest.fixture
def house(houses: tuple[House, House]) -> House:
    return houses[0]


def seated(house: House) -> int:
    """Return the device of a new player."""
    with house.engine.begin() as connection:
        return games.add_player(connection)[1]


def test_a_deal_that_nobody_plays_has_no_row(house: House) -> None:
    saved = house.service.table(None, FOUR)
    assert saved == unsaved(FOUR)
    assert (saved.id, saved.version, saved.game.score) == (0, 0, 500)
    assert house.service.table(house.service.player(seated(house)), FOUR) == saved
    assert counts(all_rows(house.engine))["game"] == 0


def test_a_stranger_has_no_player_no_games_and_no_latest_one(house: House) -> None:
    assert house.service.player(None) is None
    assert house.service.player(12345) is None
    assert house.service.games(None) == ([], None)
    assert house.service.latest(None) is None
    assert not house.service.has_played(None, "SS1")


def test_the_first_action_makes_player_device_and_game_in_one_commit(house: House) -> None:
    outcome, device = house.run(house.service.begin(None, FOUR, None, THERE))
    assert isinstance(outcome, Done)
    assert device is not None
    player = house.service.player(device)
    assert player is not None
    assert player.id == outcome.saved.player_id
    assert house.service.table(player, FOUR) == outcome.saved
    assert counts(all_rows(house.engine)) == {"player": 1, "device": 1, "game": 1, "secret": 0, "replay": 0}


@pytest.mark.parametrize("known", [True, False])
def test_a_first_action_that_is_refused_or_malformed_writes_nothing(house: House, known: bool) -> None:
    """G-10: not even a player."""
    device = seated(house) if known else None
    before = all_rows(house.engine)
    outcome, new_device = house.run(house.service.begin(device, FOUR, None, Move(0, 0, 1)))
    assert isinstance(outcome, Refused)
    assert (outcome.rule, new_device) == (Rule.NOT_A_SEQUENCE, None)
    with pytest.raises(InvalidMove):
        house.run(house.service.begin(device, FOUR, None, Move(0, 0, 10)))
    assert all_rows(house.engine) == before


def test_a_first_action_meets_a_first_attempt_that_another_process_is_just_saving(houses: tuple[House, House]) -> None:
    """G-8, #70: of two tabs on two workers one begins the game, and the other is out of date."""
    first, second = houses
    device = seated(first)
    player = first.service.player(device)
    assert player is not None
    opening = first.engine.connect().execution_options(**{WRITES: True})
    with opening as connection, connection.begin() as transaction:
        theirs = games.add(connection, player.id, FOUR, 1, start(FOUR.rules, FOUR.deal()))
        games.change(connection, [theirs._replace(version=1)])
        answers: list[Any] = []
        asking = threading.Thread(
            target=lambda: answers.append(second.run(second.service.begin(device, FOUR, None, THERE)))
        )
        asking.start()
        wait_until_somebody_waits(first.engine)
        transaction.commit()
    asking.join()
    outcome = answers[0].outcome
    assert isinstance(outcome, Stale)
    assert outcome.saved.id == theirs.id
    assert counts(all_rows(first.engine))["game"] == 1


def wait_until_somebody_waits(engine: Engine) -> None:
    """Wait until another transaction waits for a lock; where that cannot be seen, for a moment."""
    if engine.dialect.name != "postgresql":
        time.sleep(0.2)
        return
    deadline = time.monotonic() + 30
    while time.monotonic() < deadline:
        with engine.connect() as connection:
            if connection.scalar(text("SELECT count(*) FROM pg_locks WHERE NOT granted")):
                return
        time.sleep(0.01)
    raise TimeoutError("nobody waits")


@pytest.mark.parametrize("first_action", [False, True], ids=["of the game", "of the deal"])
def test_a_move_waits_for_the_one_that_another_process_is_making_in_the_same_game(
    houses: tuple[House, House], first_action: bool
) -> None:
    """#70, #73: the row is locked from reading to writing, so that no move is written over.

    A page that was loaded before there was a game asks for the first action of the deal.
    """
    first, second = houses
    device = seated(first)
    saved, _ = first.run(first.service.create(device, FOUR))
    opening = first.engine.connect().execution_options(**{WRITES: True})
    with opening as connection, connection.begin() as transaction:
        outcome = decide(games.Player(saved.player_id), saved, 0, None, THERE)
        assert isinstance(outcome, Done)
        games.change(connection, [outcome.saved])
        answers: list[Any] = []

        def ask() -> None:
            if first_action:
                answers.append(second.run(second.service.begin(device, FOUR, None, Move(1, 7, 7))).outcome)
            else:
                answers.append(second.run(second.service.act(device, saved.id, 0, None, Move(1, 7, 7))))

        asking = threading.Thread(target=ask)
        asking.start()
        wait_until_somebody_waits(first.engine)
        transaction.commit()
    asking.join()
    assert [type(answer) for answer in answers] == [Stale]
    assert first.service.game(saved.id) == outcome.saved


@pytest.mark.parametrize("again", [False, True], ids=["first action", "start again"])
def test_what_shares_a_transaction_with_a_move_in_the_same_game_undoes_nothing(house: House, again: bool) -> None:
    """#70, #73: two tabs, one of which was loaded before there was a game, and whichever comes first."""

    async def both(device: int, saved: games.Saved, move_first: bool) -> list[Any]:
        held, free = threading.Event(), threading.Event()

        def hold(_connection: Any) -> None:
            held.set()
            free.wait(30)

        holding = asyncio.ensure_future(house.writer.write(hold))
        await asyncio.to_thread(held.wait, 30)
        move = house.service.act(device, saved.id, 0, None, THERE)
        other = house.service.restart(device, FOUR) if again else house.service.begin(device, FOUR, None, Move(1, 7, 7))
        works: list[Coroutine[Any, Any, Any]] = [move, other] if move_first else [other, move]
        asked = [asyncio.ensure_future(work) for work in works]
        await asyncio.sleep(0.01)  # Both are in the queue.
        free.set()
        await holding
        return [await one for one in asked]

    for move_first in (True, False):
        device = seated(house)
        saved, _ = house.run(house.service.create(device, FOUR))
        moved, other = house.run(both(device, saved, move_first))[:: 1 if move_first else -1]
        assert isinstance(moved, Done)
        assert house.service.game(saved.id) == moved.saved
        attempts = [one.attempt for one in house.service.games(house.service.player(device))[0]]
        if again:
            table = house.service.table(house.service.player(device), FOUR)
            assert (table.attempt, table.version, attempts) == (2, 0, [1])
        else:
            assert isinstance(other.outcome, Stale)
            assert (other.outcome.saved, attempts) == (moved.saved, [1])


def test_two_processes_move_in_one_game_at_once_and_one_of_each_pair_is_made(houses: tuple[House, House]) -> None:
    """#70, #73: whoever comes second is out of date, twenty times over."""
    device = seated(houses[0])
    saved, _ = houses[0].run(houses[0].service.create(device, FOUR))
    for version in range(20):
        move = (THERE, BACK)[version % 2]
        outcomes = at_once(one.service.act(device, saved.id, version, None, move) for one in houses)
        assert {type(outcome) for outcome in outcomes} == {Done, Stale}
    kept = houses[1].service.game(saved.id)
    assert kept is not None
    assert (kept.version, kept.game.made, kept.game.score) == (20, 20, 480)
    assert [difference for *_, difference in check(houses[1].engine)] == [""]


def test_two_processes_that_begin_new_attempts_at_once_make_each_of_them(houses: tuple[House, House]) -> None:
    """G-8: UNIQUE(player, code, attempt) sends one of two that meet to a next number, and loses none."""
    device = seated(houses[0])

    async def several(one: House) -> None:
        await asyncio.gather(*(one.service.create(device, FOUR) for _ in range(10)))

    at_once(several(one) for one in houses)
    attempts = sorted(row[3] for row in all_rows(houses[0].engine)["game"])
    assert attempts == list(range(1, 21))


def test_two_presses_of_start_again_on_two_workers_make_one_attempt(houses: tuple[House, House]) -> None:
    """G-8, #72."""
    _, device = houses[0].run(houses[0].service.begin(None, FOUR, None, THERE))
    at_once(one.service.restart(device, FOUR) for one in (*houses, *houses))
    assert sorted(row[3] for row in all_rows(houses[0].engine)["game"]) == [1, 2]


def test_the_most_recently_played_attempt_is_the_table_and_the_latest_game(house: House) -> None:
    """G-8: by the time of the last action, or of the start where there is none yet."""
    first, device = house.run(house.service.begin(None, FOUR, None, THERE))
    assert isinstance(first, Done)
    player = house.service.player(device)
    house.run(house.service.restart(device, FOUR))
    again = house.service.table(player, FOUR)
    assert (again.attempt, again.version) == (2, 0)
    assert house.service.latest(player) == first.saved
    moved = house.run(house.service.act(device, first.saved.id, 1, None, BACK))
    assert isinstance(moved, Done)
    assert house.service.table(player, FOUR) == moved.saved == house.service.latest(player)
    house.run(house.service.restart(device, FOUR))
    taken_up = house.service.table(player, FOUR)
    assert (taken_up.id, taken_up.attempt) == (again.id, 2)


def test_a_game_counts_as_played_from_its_first_action_on(house: House) -> None:
    """SS-2: an attempt that was only begun is none."""
    device = seated(house)
    player = house.service.player(device)
    saved, new_device = house.run(house.service.create(device, ONE))
    assert new_device is None
    assert not house.service.has_played(player, "SS1")
    assert house.service.games(player) == ([], None)
    house.run(house.service.act(device, saved.id, 0, None, legal(ONE.rules, ONE.deal())[0]))
    assert house.service.has_played(player, "SS1")
    assert not house.service.has_played(player, "SC1")
    assert [one.id for one in house.service.games(player)[0]] == [saved.id]


def test_a_game_can_be_deleted_by_its_player_alone(house: House) -> None:
    outcome, device = house.run(house.service.begin(None, FOUR, None, THERE))
    assert isinstance(outcome, Done)
    game_id = outcome.saved.id
    for other in (seated(house), None, 12345):
        assert not house.run(house.service.delete(other, game_id))
        assert isinstance(house.run(house.service.act(other, game_id, 1, None, Command.UNDO)), Missing)
    assert house.service.game(game_id) == outcome.saved
    assert house.run(house.service.delete(device, game_id))
    assert house.service.game(game_id) is None
    assert not house.run(house.service.delete(device, game_id))


def test_pruning_deletes_old_attempts_without_an_action_and_no_other(house: House) -> None:
    device = seated(house)
    old, played, young = (house.run(house.service.create(device, FOUR))[0] for _ in range(3))
    house.run(house.service.act(device, played.id, 0, None, THERE))
    house.run(house.service.act(device, played.id, 1, None, Command.UNDO))
    with house.engine.begin() as connection:
        for one in (old, played):
            connection.execute(update(table).where(table.c.id == one.id).values(played=old.played - WEEK - 1))
    assert house.run(prune(house.writer)) == (1, 0)
    assert [house.service.game(one.id) is not None for one in (old, played, young)] == [False, True, True]
    assert house.run(prune(house.writer)) == (0, 0)


DAMAGE: dict[str, tuple[dict[str, Any], str]] = {
    "another table": ({"position": unsaved(ONE).game.position.text}, "the table differs"),
    "no table": ({"position": "damaged"}, "cannot be replayed"),
    "an empty table": ({"position": ""}, "cannot be replayed"),
    "another score": ({"score": 501}, "the score differs"),
    "another deal": ({"code": "SS1-S4-AAAAABE"}, ""),
    "no deal": ({"code": "SS1-S4-AAAAAB"}, "cannot be replayed"),
    "fewer moves": ({"made": 3}, "differs"),
    "more moves": ({"made": 9}, "the counts differ"),
    "fewer than no moves": ({"made": -1}, "the counts differ"),
    "a floor above the moves": ({"floor": 5}, "the counts differ"),
    "a floor below all": ({"floor": -1}, "the counts differ"),
    "a lost word": ({"words": "2190"}, "the counts differ"),
    "half a word": ({"words": "2190912021909120" + "21"}, "differ"),
    "an impossible word": ({"words": "2190" * 5}, "move 2"),
    "a word of nonsense": ({"words": "zzzz" * 5}, "cannot be replayed"),
    "a word of other consequences": ({"words": "2191" + "91202190912021 90".replace(" ", "")}, "move 1 differs"),
    "a redo tail of nonsense": ({"words": "2190912021909120zzzz"}, "cannot be replayed"),
    "a redo tail that is refused": ({"words": "21909120219091202120"}, "move 5"),
}


@pytest.mark.parametrize("damage", DAMAGE)
def test_checking_finds_every_kind_of_damage_and_goes_on_to_the_next_game(house: House, damage: str) -> None:
    """The moves are the truth, and everything else in a row is to follow from them, the redo tail too."""
    device = seated(house)
    ids = []
    for _ in range(3):
        saved, _ = house.run(house.service.create(device, FOUR))
        ids.append(saved.id)
        actions: tuple[Action, ...] = (THERE, BACK, THERE, BACK, THERE, Command.UNDO)
        for version, action in enumerate(actions):
            house.run(house.service.act(device, saved.id, version, None, action))
    assert [found for *_, found in check(house.engine)] == [""] * 3
    ids.sort()
    values, told = DAMAGE[damage]
    with house.engine.begin() as connection:
        connection.execute(update(table).where(table.c.id == ids[1]).values(**values))
    found = list(check(house.engine))
    assert [(done, total, game_id) for done, total, game_id, _ in found] == [(n, 3, ids[n - 1]) for n in (1, 2, 3)]
    first, damaged, last = (difference for *_, difference in found)
    assert (first, last) == ("", "")
    assert damaged
    assert told in damaged
