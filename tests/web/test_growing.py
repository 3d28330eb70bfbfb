"""Growing past one machine: any process serves any player's next move, and one that dies takes nothing with it."""

import asyncio
import os
import signal
from itertools import count

import httpx

from app.service import check
from app.store.database import open_database
from app.store.schema import game as game_table
from tests.services import Served, serve
from tests.web.records import FOUR_SUITS, LOOP
from tests.web.site import Json, as_json, body

PLAYERS = 12
MOVES = 40


class Balancer:
    """Two servers behind one address, as a player sees them: each request goes to the next that is alive."""

    def __init__(self, servers: list[Served]) -> None:
        self._servers = servers
        self._turn = count()
        self.retries = 0

    async def ask(self, client: httpx.AsyncClient, method: str, path: str, asked: Json | None = None) -> Json:
        """Return an answer; where none came, the same request is sent again, as the page does."""
        first = next(self._turn)
        for attempt in range(2 * len(self._servers)):
            served = self._servers[(first + attempt) % len(self._servers)]
            try:
                response = await client.request(method, f"{served.url}{path}", json=asked)
            except httpx.TransportError:
                self.retries += 1
                continue
            assert response.status_code in (200, 201), response.text
            return body(response)
        raise AssertionError("no server answers")


async def play(balancer: Balancer, moved: asyncio.Event, number: int) -> Json:
    """Play one game, each action with a nonce of its own, its moves in turn on both servers."""
    async with httpx.AsyncClient(trust_env=False, timeout=60, verify=False) as client:
        game = await balancer.ask(client, "POST", "/api/games", {"code": FOUR_SUITS})
        for version in range(MOVES):
            asked = {"version": version, "nonce": f"{number}-{version}", **as_json(LOOP[version % 2])}
            game = await balancer.ask(client, "POST", f"/api/games/{game['id']}/actions", asked)
            assert game["version"] == version + 1
            if version == MOVES // 2:
                moved.set()
        return game


def test_two_servers_on_one_database_serve_every_player_in_turn_and_one_may_be_killed(postgres_url: str) -> None:
    """No state in a process that another needs: no error that a retry does not cure, and nothing confirmed is lost."""

    async def everybody(servers: list[Served]) -> tuple[list[Json], int]:
        balancer, moved = Balancer(servers), asyncio.Event()
        playing = [asyncio.ensure_future(play(balancer, moved, number)) for number in range(PLAYERS)]
        await moved.wait()
        os.killpg(servers[1].process.pid, signal.SIGKILL)
        return await asyncio.gather(*playing), balancer.retries

    with serve(postgres_url) as one, serve(postgres_url) as other:
        games, retries = asyncio.run(everybody([one, other]))
        assert other.process.wait(30) == -signal.SIGKILL
        assert "Traceback" not in one.output()
    assert retries > 0
    engine = open_database(postgres_url)
    assert [difference for *_, difference in check(engine)] == [""] * PLAYERS
    with engine.connect() as connection:
        kept = {row.id: (row.version, row.made) for row in connection.execute(game_table.select())}
    assert kept == {int(game["id"], 16): (MOVES, MOVES) for game in games}
    engine.dispose()
