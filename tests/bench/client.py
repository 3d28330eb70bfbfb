"""The load: connections that each send a request as soon as the last one is answered.

It runs in a process of its own and does as little as it can, since it must be faster than the server: plain sockets,
requests that are made by joining a few texts, and answers of which only the status and the length are read.
"""

import json
import re
import secrets
import selectors
import socket
import sys
import time
from collections import Counter
from collections.abc import Iterator
from itertools import cycle, repeat
from typing import Any

# Both kinds of requests carry what a browser sends with each.
HEADERS = (
    "host: 127.0.0.1:{port}\r\n"
    "user-agent: Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0\r\n"
    "accept: text/html\r\n"
    "accept-language: fi-FI,fi;q=0.9,en;q=0.8\r\n"
    "cookie: pasianssi={cookie}\r\n"
)
FORM = (
    "hx-request: true\r\n"
    "origin: http://127.0.0.1:{port}\r\n"
    "sec-fetch-site: same-origin\r\n"
    "content-type: application/x-www-form-urlencoded\r\n"
    "content-length: "
)
_LENGTH = re.compile(rb"content-length: (\d+)", re.IGNORECASE)


def gets(port: int, address: str, cookie: str) -> Iterator[bytes]:
    """Yield the same request for ever."""
    return repeat(f"GET {address} HTTP/1.1\r\n{HEADERS.format(port=port, cookie=cookie)}\r\n".encode())


def plays(port: int, games: list[dict[str, Any]], stay: int) -> Iterator[bytes]:
    """Yield the forms of actions for ever: ``stay`` of them on one game, then on the next.

    Each accepted action makes the version one greater, so no answer has to be understood.
    """
    turns = [_forms(port, **game) for game in games]
    for turn in cycle(turns):
        for _ in range(stay):
            yield next(turn)


def _forms(port: int, code: str, game: str, cookie: str, version: int, wishes: list[str]) -> Iterator[bytes]:
    head = f"POST /play/{code} HTTP/1.1\r\n{HEADERS.format(port=port, cookie=cookie)}{FORM.format(port=port)}"
    for wish in cycle(wishes):
        body = f"game={game}&version={version}&nonce={secrets.token_urlsafe(6)}&{wish}"
        yield f"{head}{len(body)}\r\n\r\n{body}".encode()
        version += 1


class Connection:
    """One connection that is kept alive."""

    def __init__(self, port: int, requests: Iterator[bytes]) -> None:
        self._requests = requests
        self._received = bytearray()
        self.socket = socket.create_connection(("127.0.0.1", port))
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.sent = 0.0

    def send(self) -> None:
        """Send the next request."""
        self.sent = time.perf_counter()
        self.socket.sendall(next(self._requests))

    def receive(self) -> tuple[str, int] | None:
        """Take in what has come; return the status and the length of the body once the answer is whole."""
        data = self.socket.recv(65536)
        if not data:
            return "closed", 0
        self._received += data
        end = self._received.find(b"\r\n\r\n")
        if end < 0 or not (match := _LENGTH.search(self._received, 0, end)):
            return None
        length = int(match[1])
        if len(self._received) < end + 4 + length:
            return None
        status = self._received[9:12].decode()
        self._received.clear()
        return status, length


def load(connections: list[Connection], seconds: float) -> dict[str, Any]:
    """Send requests for so long, wait for their last answers, and return what was seen."""
    waits: list[float] = []
    statuses: Counter[str] = Counter()
    sizes = largest = 0
    waiting = len(connections)
    with selectors.DefaultSelector() as selector:
        for connection in connections:
            selector.register(connection.socket, selectors.EVENT_READ, connection)
        begun = time.perf_counter()
        for connection in connections:
            connection.send()
        while waiting:
            for key, _ in selector.select():
                connection = key.data
                if not (answer := connection.receive()):
                    continue
                now = time.perf_counter()
                status, length = answer
                statuses[status] += 1
                waits.append(now - connection.sent)
                sizes += length
                largest = max(largest, length)
                if status != "closed" and now - begun < seconds:
                    connection.send()
                else:
                    selector.unregister(connection.socket)
                    waiting -= 1
    taken = time.perf_counter() - begun
    waits.sort()
    return {
        "answers": len(waits),
        "errors": len(waits) - statuses["200"],
        "statuses": statuses,
        "rate": len(waits) / taken,
        "median": waits[len(waits) // 2],
        "p99": waits[len(waits) * 99 // 100],
        "size": sizes / len(waits),
        "largest": largest,
    }


def main() -> None:
    """Read what to do as JSON, do it, and write what was seen as JSON."""
    job = json.load(sys.stdin)
    port = job["port"]
    connections = []
    for one in job["connections"]:
        requests = gets(port, one["get"], one["cookie"]) if "get" in one else plays(port, one["games"], one["stay"])
        connections.append(Connection(port, requests))
    json.dump(load(connections, job["seconds"]), sys.stdout)


if __name__ == "__main__":
    main()
