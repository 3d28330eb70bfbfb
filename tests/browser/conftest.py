"""A real server, a real browser, and the people who sit at it."""

from collections.abc import Callable, Iterator
from typing import Any, Protocol

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.player import Player
from tests.browser.pointers import POINTERS, Pointer
from tests.browser.table import Table
from tests.services import Served, chromium_path, serve


# The browser's driver keeps an event loop running in this thread, which no test of another suite could bear: so server
# and browser live for this folder, not for the whole run.
@pytest.fixture(scope="package")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The program on a database of its own; every test brings players of its own to it."""
    with serve(f"sqlite:///{tmp_path_factory.mktemp('browser')}/games.db") as served:
        yield served


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """The browser that Debian installs."""
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium_path())
        yield browser
        browser.close()


class Players(Protocol):
    """Brings players to the browser: size, touch, language and script as asked for."""

    def __call__(self, **options: Any) -> Player:
        """Bring one."""


@pytest.fixture
def players(chromium: Browser, server: Served) -> Iterator[Players]:
    """Brings as many players as a test needs; none of their pages may have had an error when the test ends."""
    came: list[Player] = []

    def come(**options: Any) -> Player:
        came.append(Player(chromium, server.url, **options))
        return came[-1]

    yield come
    for player in came:
        player.leave()


@pytest.fixture
def player(players: Players) -> Player:
    """A player at a desktop, in Finnish."""
    return players()


class Sitting:
    """A player at a table, with something to point with."""

    def __init__(self, player: Player, pointer: Callable[[Table], Pointer]) -> None:
        self.player = player
        self._pointer = pointer

    def at(self, code: str, ahead: list[Any] | None = None) -> tuple[Table, Pointer]:
        """Sit down at a deal; return the table and what points at it."""
        table = self.player.table(code, ahead)
        return table, self._pointer(table)


@pytest.fixture(params=POINTERS)
def sitting(request: pytest.FixtureRequest, players: Players) -> Sitting:
    """A player with a mouse, one with a finger, one with a pen."""
    player = players(touch=request.param == "touch")
    return Sitting(player, lambda table: POINTERS[request.param](table.page))
