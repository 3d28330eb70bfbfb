"""Real servers: many players at once on one worker and two, a kill between two moves, and what no client sends."""

import asyncio
import os
import random
import signal
import socket
import threading
import time
from pathlib import Path
from typing import Any

import httpx
import pytest

from app.service import check
from app.store.database import open_database
from app.store.schema import game as game_table
from tests.services import Served, serve
from tests.store.rows import all_rows, counts
from tests.web.page import Page
from tests.web.records import FOUR_SUITS, KINDS, LOOP
from tests.web.site import HTMX, Json, as_form, as_json, body

PLAYERS = 40
MOVES = 20


def http(served: Served) -> httpx.AsyncClient:
    """Return a new visitor of a server, with cookies of its own."""
    # So many at once on a busy machine: how long an answer takes is measured elsewhere.
    # Nothing is encrypted here, and each client would read all of the system's certificates.
    return httpx.AsyncClient(base_url=served.url, trust_env=False, timeout=120, verify=False)


def chosen(chance: random.Random, legal: list[list[int]], stock: int, undo: int) -> Any:
    """Return an action that is legal: mostly a move, sometimes the stock or an undo."""
    wishes: list[Any] = list(legal)
    if stock and chance.random() < 0.1:
        wishes = ["deal"]
    if not wishes or (undo and chance.random() < 0.1):
        wishes = ["undo" if undo else "deal"]
    return chance.choice(wishes)


async def play_over_json(served: Served, number: int) -> Json:
    """Play one game of a new player, each move confirmed before the next; return it as it was last confirmed."""
    chance = random.Random(number)
    async with http(served) as client:
        response = await client.post("/api/games", json={"code": KINDS[number % 5]["code"]})
        assert response.status_code == 201, response.text
        game = body(response)
        for _ in range(MOVES):
            wish = as_json(chosen(chance, game["legal"], game["stock"], game["undo"]))
            asked = {"version": game["version"], "nonce": f"{chance.getrandbits(40):x}", **wish}
            response = await client.post(f"/api/games/{game['id']}/actions", json=asked)
            assert response.status_code == 200, response.text
            game = body(response)
        listed = body(await client.get("/api/games"))["games"]
        assert listed == [{**game, "events": []}]
        return game


async def play_over_forms(served: Served, number: int) -> Json:
    """Do the same through the table's form, most actions as htmx sends them."""
    chance = random.Random(number)
    async with http(served) as client:
        address = f"/play/{KINDS[number % 5]['code']}"
        page = Page(await client.get(address))
        for count in range(MOVES):
            wish = chosen(chance, page.legal, page.has("deal") and page.can("deal"), page.can("undo"))
            fields = page.table_fields | as_form(wish)
            if count % 5:
                response = await client.post(address, data=fields, headers=HTMX)
                assert response.status_code == 200, response.text
                page.swap(Page(response))
            else:
                response = await client.post(address, data=fields)
                assert response.status_code == 303, response.text
                page = Page(await client.get(address))
        shown = Page(await client.get(address))
        assert shown.state == page.state
        fields = shown.table_fields
        return {"id": fields["game"], "version": int(fields["version"]), "score": page.score, "moves": page.moves}


@pytest.mark.parametrize("workers", [1, 2])
def test_forty_players_make_twenty_actions_each_at_once_and_every_confirmed_one_is_there(
    database_url: str, workers: int
) -> None:
    """#73: no error on either database, on one worker or two; every stored game replays to what it is said to be."""

    async def everybody(served: Served) -> list[Json]:
        games = [(play_over_forms if number % 2 else play_over_json)(served, number) for number in range(PLAYERS)]
        return await asyncio.gather(*games)

    with serve(database_url, workers) as served:
        games = asyncio.run(everybody(served))
        output = served.output()
    assert "Traceback" not in output
    assert "ERROR" not in output
    engine = open_database(database_url)
    rows = all_rows(engine)
    assert counts(rows) == {"player": PLAYERS, "device": PLAYERS, "game": PLAYERS, "secret": 1, "replay": 0}
    assert [difference for *_, difference in check(engine)] == [""] * PLAYERS
    with engine.connect() as connection:
        kept = {row.id: row for row in connection.execute(game_table.select())}
    for game in games:
        row = kept[int(game["id"], 16)]
        assert (row.version, row.score, row.made) == (game["version"], game["score"], game["moves"])
        assert row.version == MOVES
    engine.dispose()


def test_a_server_killed_between_two_moves_has_lost_none_that_it_confirmed(database_url: str) -> None:
    """#76: kill -9 while eight players move without a pause; the next server over the same database goes on."""
    confirmed: dict[str, Json] = {}
    clients: dict[str, httpx.Cookies] = {}

    async def play_until_it_is_dead(served: Served) -> None:
        async with http(served) as client:
            game = body(await client.post("/api/games", json={"code": FOUR_SUITS}))
            clients[game["id"]] = client.cookies
            while True:
                wish = as_json(LOOP[game["moves"] % 2])
                try:
                    response = await client.post(
                        f"/api/games/{game['id']}/actions", json={"version": game["version"], **wish}
                    )
                except httpx.TransportError:
                    return
                assert response.status_code == 200, response.text
                game = confirmed[game["id"]] = body(response)

    async def everybody(served: Served) -> None:
        playing = [asyncio.ensure_future(play_until_it_is_dead(served)) for _ in range(8)]
        while len(confirmed) < 8 or min(game["version"] for game in confirmed.values()) < 5:
            await asyncio.sleep(0.01)
        os.killpg(served.process.pid, signal.SIGKILL)
        await asyncio.gather(*playing)

    with serve(database_url) as served:
        asyncio.run(everybody(served))
    with serve(database_url) as served:
        for game_id, game in confirmed.items():
            with httpx.Client(base_url=served.url, trust_env=False, cookies=clients[game_id]) as client:
                now = body(client.get(f"/api/games/{game_id}"))
                # One more action may have reached the disk, whose answer was on its way.
                assert game["version"] <= now["version"] <= game["version"] + 1
                if now["version"] == game["version"]:
                    assert now == {**game, "events": []}
                wish = {"version": now["version"], "action": "undo"}
                assert client.post(f"/api/games/{game_id}/actions", json=wish).status_code == 200
    engine = open_database(database_url)
    assert [difference for *_, difference in check(engine)] == [""] * 8
    engine.dispose()


def test_a_server_that_is_told_to_end_answers_what_it_was_sent(sqlite_url: str) -> None:
    """#76: a new release costs nobody a move: what was confirmed is there, and what was not is not."""
    with serve(sqlite_url) as served, httpx.Client(base_url=served.url, trust_env=False) as client:
        game = body(client.post("/api/games", json={"code": FOUR_SUITS}))
        answers: list[int] = []

        def play() -> None:
            version = 0
            while True:
                wish = {"version": version, **as_json(LOOP[version % 2])}
                try:
                    response = client.post(f"/api/games/{game['id']}/actions", json=wish)
                except httpx.TransportError:
                    return
                answers.append(response.status_code)
                version += 1

        playing = threading.Thread(target=play)
        playing.start()
        while len(answers) < 10:
            time.sleep(0.01)
        os.kill(served.process.pid, signal.SIGTERM)
        playing.join()
        served.process.wait(30)
        assert "Traceback" not in served.output()
    assert set(answers) == {200}
    engine = open_database(sqlite_url)
    with engine.connect() as connection:
        (row,) = connection.execute(game_table.select()).all()
    assert len(answers) <= row.version <= len(answers) + 1
    engine.dispose()


RAW = {
    "a line of nonsense": b"nonsense\r\n\r\n",
    "no version": b"GET /\r\n\r\n",
    "an unknown version": b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    "no host": b"GET / HTTP/1.1\r\n\r\n",
    "a method of its own": b"BREW / HTTP/1.1\r\nHost: x\r\n\r\n",
    "bytes that are no UTF-8": b"GET /play/\xff\xfe HTTP/1.1\r\nHost: x\r\n\r\n",
    "a code that is no UTF-8": b"GET /play/%ff%fe%00 HTTP/1.1\r\nHost: x\r\n\r\n",
    "half an escape": b"GET /play/%f HTTP/1.1\r\nHost: x\r\n\r\n",
    "a path above the root": b"GET /static/x/../../app/main.py HTTP/1.1\r\nHost: x\r\n\r\n",
    "a hidden path above the root": b"GET /static/x/..%2f..%2fapp%2fmain.py HTTP/1.1\r\nHost: x\r\n\r\n",
    "a NUL": b"GET /static/x/%00 HTTP/1.1\r\nHost: x\r\n\r\n",
    "two slashes": b"GET //evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "a whole address": b"GET http://evil.example/ HTTP/1.1\r\nHost: x\r\n\r\n",
    "a long code": b"GET /play/" + b"x" * 2_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a very long code": b"GET /play/" + b"x" * 100_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a very long code in the box": b"GET /play?code=" + b"%2f" * 33_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    "a very long cookie": b"GET / HTTP/1.1\r\nHost: x\r\nCookie: pasianssi=" + b"x" * 50_000 + b"\r\n\r\n",
    "a cookie of high bytes": b"GET / HTTP/1.1\r\nHost: x\r\nCookie: pasianssi=\xff.\xff.\xff\r\n\r\n",
    "many cookies": b"GET / HTTP/1.1\r\nHost: x\r\nCookie: " + b"pasianssi=1; " * 3_000 + b"\r\n\r\n",
    "a negative length": b"POST /language HTTP/1.1\r\nHost: x\r\nContent-Length: -5\r\n\r\nhello",
    "a huge length": b"POST /language HTTP/1.1\r\nHost: x\r\nContent-Length: " + b"9" * 30 + b"\r\n\r\nhello",
    "two lengths": b"POST /language HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nhello",
    "a broken chunk": b"POST /language HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nhello\r\n",
    "a huge body in chunks": b"POST /language HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
    + (b"2000\r\n" + b"x" * 8192 + b"\r\n") * 20,
    "a huge body in chunks of JSON": b"POST /api/games HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    + b"Transfer-Encoding: chunked\r\n\r\n"
    + (b"2000\r\n" + b"[" * 8192 + b"\r\n") * 20,
    "an upgrade": b"GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    + b"Sec-WebSocket-Key: x\r\nSec-WebSocket-Version: 13\r\n\r\n",
}
"""Requests that no client of ours sends, byte by byte."""


def sent(served: Served, request: bytes) -> bytes:
    """Return what a server answers to bytes, up to the end of the answer's head at least; nothing where it hangs up."""
    host, _, port = served.url.removeprefix("http://").partition(":")
    with socket.create_connection((host, int(port)), timeout=30) as connection:
        answer = b""
        try:
            connection.sendall(request)
            while b"\r\n\r\n" not in answer and (piece := connection.recv(65536)):
                answer += piece
        except (ConnectionResetError, BrokenPipeError):
            pass
    return answer


def test_bytes_that_no_client_should_send_never_break_a_server(sqlite_url: str) -> None:
    """SS-10, #64: a 4xx, a page or a hung-up connection, never a 500; and nothing is written."""
    with serve(sqlite_url) as served:
        for kind, request in RAW.items():
            answer = sent(served, request)
            if answer:
                assert answer.startswith(b"HTTP/1.1 "), kind
                status = int(answer.split(b" ")[1])
                assert status < 500, (kind, answer)
                if "huge body" in kind:
                    assert status == 413, (kind, answer)
                if kind.startswith(("a long code", "a path", "a hidden path", "a NUL")):
                    assert status == 404, (kind, answer)
            assert b"HTTP/1.1 200" in sent(served, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"), kind
        output = served.output()
        assert "Traceback" not in output
        assert "ERROR" not in output
    engine = open_database(sqlite_url)
    assert counts(all_rows(engine)) == {"player": 0, "device": 0, "game": 0, "secret": 1, "replay": 0}
    engine.dispose()


def test_half_a_body_is_not_taken_for_a_whole_one(sqlite_url: str) -> None:
    """#75: a connection that breaks in the middle of a form makes no move."""
    with serve(sqlite_url) as served:
        host, _, port = served.url.removeprefix("http://").partition(":")
        for path in (f"/play/{FOUR_SUITS}", "/language", "/api/games"):
            with socket.create_connection((host, int(port)), timeout=30) as connection:
                form = b"lift=2.7&onto=9&language=en&nonce=x"
                head = f"POST {path} HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n"
                connection.sendall(head.encode() + form)
        assert b"HTTP/1.1 200" in sent(served, b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n")
        assert "Traceback" not in served.output()
    engine = open_database(sqlite_url)
    assert counts(all_rows(engine))["game"] == 0
    engine.dispose()


def test_nothing_of_this_machine_is_told_by_a_server(sqlite_url: str, tmp_path: Path) -> None:
    """No name of a file or a folder, and no name of the software."""
    with serve(sqlite_url) as served, httpx.Client(base_url=served.url, trust_env=False) as client:
        for path in ("/", "/nowhere", "/api/games/zz", "/static/x/none", "/api/openapi.json", "/healthz"):
            response = client.get(path)
            assert "server" not in response.headers
            assert str(tmp_path) not in response.text
            assert str(Path(__file__).parents[2]) not in response.text
