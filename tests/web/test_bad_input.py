"""Bad input to every address: a 4xx with a clear message in the reader's language, and nothing changes."""

import json
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, urlencode

import httpx
import pytest
from starlette.routing import Route

from app.store.preferences import DEFAULTS
from app.web import api, daily, examples, explained, look_back, my_data, my_games, pages, sharing, statistics
from tests.web.page import Page
from tests.web.records import FOUR_SUITS, LOOP, loop
from tests.web.site import HTMX, Browser, Site, body

MEGABYTE = 1_000_000
ACTIONS = "/api/games/{game}/actions"
TABLE = f"/play/{FOUR_SUITS}"
DEEP = "[" * 30_000
JSON_TYPE = {"Content-Type": "application/json"}
FORM_TYPE = {"Content-Type": "application/x-www-form-urlencoded"}


@dataclass
class Stage:
    """A player with a game of four moves at which one is undone, and another player with another game."""

    site: Site
    client: Browser
    game: str
    other: str

    def filled(self, text: str) -> str:
        """Put the ids of the games where a text names them."""
        return text.replace("{game}", self.game).replace("{other}", self.other)


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with Site(f"sqlite:///{tmp_path_factory.mktemp('bad')}/games.db") as site:
        client, other = site.browser(), site.browser()
        game = client.play(client.begin(FOUR_SUITS), *loop(4), "undo")
        others = other.play(other.begin(FOUR_SUITS), LOOP[0])
        yield Stage(site, client, game["id"], others["id"])


@dataclass
class Bad:
    """A request that must not be understood."""

    method: str
    path: str
    content: bytes | None = None
    headers: dict[str, str] | None = None
    status: tuple[int, ...] = (400, 404, 422)

    def __str__(self) -> str:
        shown = (self.content or b"").decode("utf-8", "backslashreplace")
        return f"{self.method} {self.path} {shown}"[:90].encode("unicode_escape").decode()


def as_json(path: str, value: object, *status: int) -> Bad:
    return Bad("POST", path, json.dumps(value).encode(), JSON_TYPE, status or (400, 422))


def raw_json(path: str, text: str | bytes, *status: int) -> Bad:
    content = text if isinstance(text, bytes) else text.encode()
    return Bad("POST", path, content, JSON_TYPE, status or (400, 422))


def as_form(path: str, fields: dict[str, str] | str, *status: int) -> Bad:
    content = fields if isinstance(fields, str) else urlencode(fields, safe="{}")
    return Bad("POST", path, content.encode(), FORM_TYPE, status or (400, 404, 409, 422))


NO_NUMBERS: list[Any] = [None, "1", "", 1.5, 1.0, True, False, -1, 10**400, [1], {}, float("nan"), float("inf")]
# A place beyond a column, however far, is no malformed wish: it holds no card.
NO_PLACES: list[Any] = [value for value in NO_NUMBERS if value != 10**400]
NO_TEXTS: list[Any] = [None, 1, 1.5, True, ["x"], {"x": "y"}]
NO_BODIES: list[str | bytes] = [
    *("", " ", "null", "true", "1", '"text"', "[]", "{}", "[{}]", "{", "{]", "{'code': 'x'}", "NaN", "\x00", DEEP),
    *(b"\xff\xfe{}", b'{"code": "\xff"}', '{"code": "\\ud800"}', '{"\\ud800": 1, "version": 1}', '{"a":' * 9000),
]
NO_IDS = [
    "zz",
    "-1",
    "0x1",
    "+1",
    "1_0",
    "1" * 17,
    "8" + "0" * 15,
    "f" * 5000,
    "\u0663",
    " 1",
    "1 ",
    "\x00",
    "é",
    "G",
    "🂡",
]
NO_CODES = [
    "x",
    "XX1-S1-AAAAABD",
    "SS1-S3-AAAAABD",
    "SS1-S4-AAAAAB",
    "SS1-S4-AAAAABDD",
    "SS1-S4-AAAAAB0",
    "\x00",
    "\u017fS1-S4-AAAAABD",
]

MOVE = {"version": 5, "action": "move", "from": 9, "at": 1, "to": 2}
AUTO = {"version": 5, "action": "auto", "from": 9, "at": 1}
SETTINGS = {**DEFAULTS, "language": "en"}
FORM = {"game": "{game}", "version": "5", "nonce": "abcdefgh", "lift": "2.7", "onto": "9"}


def without(fields: dict[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in fields.items() if key != name}


NEW_GAMES = [
    *(raw_json("/api/games", text) for text in NO_BODIES),
    *(as_json("/api/games", {"code": value}) for value in [*NO_TEXTS, *NO_CODES, "", "x" * 60_000, FOUR_SUITS + "\n"]),
    *(
        as_json("/api/games", {"game": value, "suits": 4})
        for value in [*NO_TEXTS, "", "spider", "SIMPLE-SIMON", "scorpion"]
    ),
    *(
        as_json("/api/games", {"game": "simple-simon", "suits": value})
        for value in [*NO_NUMBERS, 0, 3, 5, "4"]
        if value != 1.0
    ),
    *(as_json("/api/games", {"game": "scorpion", "rules": value}) for value in [*NO_TEXTS, "", "Classic", "wasp"]),
    as_json("/api/games", {"game": "simple-simon"}),
    as_json("/api/games", {"game": "simple-simon", "rules": "classic"}),
    as_json("/api/games", {"code": FOUR_SUITS, "game": "simple-simon", "suits": 4}),
    as_json("/api/games", {"code": FOUR_SUITS, "player": 1}),
    as_json("/api/games", [{"code": FOUR_SUITS}]),
    Bad("POST", "/api/games", json.dumps({"code": FOUR_SUITS}).encode(), {"Content-Type": "text/plain"}),
    Bad("POST", "/api/games", f"code={FOUR_SUITS}".encode(), FORM_TYPE),
    Bad("POST", "/api/games", f"code={FOUR_SUITS}".encode(), {"Content-Type": "multipart/form-data; boundary=x"}),
]
ON_GAMES = [
    *(raw_json(ACTIONS, text) for text in NO_BODIES),
    *(as_json(ACTIONS, {**MOVE, name: value}) for name in ("version", "from", "to") for value in NO_NUMBERS),
    *(as_json(ACTIONS, {**AUTO, "from": value}) for value in NO_NUMBERS),
    *(as_json(ACTIONS, {**wish, "at": value}) for wish in (MOVE, AUTO) for value in NO_PLACES),
    *(as_json(ACTIONS, without(MOVE, name)) for name in MOVE),
    *(as_json(ACTIONS, without(AUTO, name)) for name in AUTO),
    *(as_json(ACTIONS, {**MOVE, name: value}) for name in ("from", "to") for value in (10, 11, 255, 999, 2**31, 2**63)),
    *(as_json(ACTIONS, {**MOVE, "action": value}) for value in [*NO_TEXTS, "", "MOVE", "delete", "deal ", "move\x00"]),
    *(
        as_json(ACTIONS, {**MOVE, "nonce": value})
        for value in [*NO_TEXTS[1:], "", " ", "a b", "é", "\x00", "a\n", "x" * 100]
    ),
    *(as_json(ACTIONS, {**MOVE, name: 1}) for name in ("From", "source", "target", "game", "events", "score")),
    *(as_json(ACTIONS, {"version": 5, "action": action, "from": 1}) for action in ("deal", "undo", "redo")),
    *(as_json(ACTIONS, {"version": version, "action": "undo"}, 409) for version in (0, 4, 6, 999_999_999)),
    as_json(ACTIONS, {**AUTO, "to": 2}),
    as_json(ACTIONS, [MOVE]),
    Bad("POST", ACTIONS, json.dumps(MOVE).encode(), {"Content-Type": "text/plain"}),
    Bad("POST", ACTIONS, urlencode(MOVE).encode(), FORM_TYPE),
    *(as_json(f"/api/games/{quote(one, safe='{}')}/actions", MOVE, 404) for one in [*NO_IDS, "0", "1"]),
    as_json("/api/games/{other}/actions", {"version": 1, "action": "undo"}, 404),
]
ON_TABLES = [
    *(as_form(TABLE, without(FORM, name)) for name in ("version", "lift", "onto")),
    *(
        as_form(TABLE, {**FORM, "version": text})
        for text in ["", "-1", "5.0", "5e0", "\u0665", "5 ", "9" * 10, "9" * 5000, "NaN", "\x00"]
    ),
    *(as_form(TABLE, {**FORM, "version": text}, 409) for text in ["0", "4", "6"]),
    *(
        as_form(TABLE, {**FORM, "lift": text})
        for text in [
            "",
            "2",
            "2.",
            ".7",
            "-2.7",
            "2.-7",
            "2.7.7",
            "a.b",
            "2,7",
            "1000.7",
            "2.1000",
            "10.0",
            "foundation",
            "\u0662.\u0667",
        ]
    ),
    *(
        as_form(TABLE, {**FORM, "lift": text})
        for text in ["2_0.7", "+2.7", "2.7-9", "\x00", "deal", "undo", "2.7\n", "S4", "x" * 5000]
    ),
    *(
        as_form(TABLE, {**FORM, "onto": text})
        for text in ["10", "-1", "x", "9.0", "999", "\u0669", "2", "9-9", "\x00", "9" * 5000]
    ),
    *(
        as_form(TABLE, {**without(FORM, "onto"), "action": text})
        for text in ["", "move", "DEAL", "undo ", "delete", "auto\x00"]
    ),
    *(as_form(TABLE, {**FORM, "nonce": text}) for text in ["x" * 100, "a b", "é", "\x00", "a\n"]),
    *(as_form(TABLE, {**FORM, "game": text}) for text in NO_IDS),
    *(as_form(TABLE, {**FORM, "game": text}, 404) for text in ["0", "1", "{other}"]),
    *(as_form(f"/play/{quote(code)}", FORM, 404) for code in NO_CODES),
    *(
        as_form(TABLE, urlencode(FORM, safe="{}") + f"&{name}=%00")
        for name in ("game", "version", "nonce", "lift", "onto")
    ),
    *(as_form(TABLE, text) for text in ["", "&&&", "=", "%", "%ff=%ff", "x" * 5000, "a=1&" * 1000, "\x00"]),
    Bad("POST", TABLE, b"\xff\xfe\x00", FORM_TYPE),
    Bad("POST", TABLE, json.dumps(FORM).encode(), JSON_TYPE),
    Bad(
        "POST",
        TABLE,
        b'--x\r\nContent-Disposition: form-data; name="action"\r\n\r\nundo\r\n--x--',
        {"Content-Type": "multipart/form-data; boundary=x"},
    ),
]

NO_STEPS = ["", "-1", "x", "4", "99", "1.0", "\u0661", " 1", "9" * 9, "9" * 5000, "\x00"]
NO_TOKENS = ["x", "A" * 21, "A" * 22, "A" * 23, "A" * 5000, "-" * 22, "é" * 22, "\x00" * 22, "A" * 21 + "\n", "{" * 22]


def on_games(method: str, what: str, content: bytes | None = None, *, others: bool = True) -> list[Bad]:
    """Return requests for something of a game by ids that are none, and by another player's."""
    ids = [*NO_IDS, "0", "1", *(["{other}"] if others else [])]
    headers = FORM_TYPE if content else None
    return [Bad(method, f"/games/{quote(one, safe='{}')}/{what}", content, headers, (404,)) for one in ids]


KEPT = {
    "code": FOUR_SUITS,
    "attempt": 1,
    "moves": [LOOP[0], LOOP[1]],
    "made": 1,
    "undo": 1,
    "begun": "2026-11-30T10:00:00.000+00:00",
    "played": "2026-11-30T10:00:01.500+00:00",
}
WRITTEN = {"format": "pasianssi", "version": 1, "language": "fi", "settings": {}, "games": [KEPT]}


def multipart(content: bytes, head: bytes = b'Content-Disposition: form-data; name="file"; filename="x"') -> Bad:
    body = b"--x\r\n" + head + b"\r\n\r\n" + content + b"\r\n--x--\r\n"
    return Bad("POST", "/my-data/import", body, {"Content-Type": "multipart/form-data; boundary=x"}, (422,))


IMPORTS = [
    *(raw_json("/my-data/import", text, 422) for text in NO_BODIES),
    *(
        as_json("/my-data/import", {**WRITTEN, name: value}, 422)
        for name in ("format", "version")
        for value in NO_NUMBERS
    ),
    *(as_json("/my-data/import", {**WRITTEN, "version": value}, 422) for value in (0, 2, 10**400)),
    *(as_json("/my-data/import", {**WRITTEN, "language": value}, 422) for value in [*NO_TEXTS[1:], "sv", "FI"]),
    *(
        as_json("/my-data/import", {**WRITTEN, "settings": value}, 422)
        for value in [*NO_TEXTS[1:4], {"theme": "x"}, "x"]
    ),
    *(
        as_json("/my-data/import", {**WRITTEN, "games": value}, 422)
        for value in [*NO_TEXTS[:4], {}, [[]], ["x"], [None]]
    ),
    *(
        as_json("/my-data/import", {**WRITTEN, "games": [KEPT, game]}, 422)
        for game in [
            *(without(KEPT, name) for name in KEPT),
            *({**KEPT, "code": value} for value in [*NO_TEXTS, *NO_CODES, ""]),
            *({**KEPT, name: value} for name in ("attempt", "made", "undo") for value in NO_NUMBERS),
            *({**KEPT, "attempt": value} for value in (0, 10**7)),
            *({**KEPT, "made": value} for value in (0, 3, 2**63)),
            *({**KEPT, "undo": value} for value in (0.5, 2, 101)),
            *({**KEPT, "moves": value} for value in [*NO_TEXTS, [], {}, [[]], [LOOP[0], [0, 0, 0]], [LOOP[1]]]),
            *(
                {**KEPT, "moves": [value]}
                for value in [*NO_NUMBERS, "undo", "redo", "deal", ["auto", 2, 7], [2, 7, 10]]
            ),
            *({**KEPT, "moves": [[2, 7, value]]} for value in NO_NUMBERS if value != [1]),
            *({**KEPT, name: value} for name in ("begun", "played") for value in [*NO_NUMBERS, *NO_TEXTS, "yesterday"]),
            *(
                {**KEPT, "played": text}
                for text in ("2026-11-30T10:00:00", "1969-01-01T00:00:00Z", "0001-01-01T00:00:00Z")
            ),
            {**KEPT, "moves": loop(201), "made": 201, "undo": 101},
            {**KEPT, "moves": loop(201), "made": 100, "undo": 1},
        ]
    ),
    multipart(b""),
    multipart(b"{"),
    multipart(b"\xff\xfe\x00"),
    multipart(json.dumps(WRITTEN).encode(), b'Content-Disposition: form-data; name="other"'),
    Bad("POST", "/my-data/import", json.dumps(WRITTEN).encode(), FORM_TYPE, (422,)),
    Bad("POST", "/my-data/import", b"", {"Content-Type": "multipart/form-data"}, (422,)),
    Bad("POST", "/my-data/import", b"--x", {"Content-Type": "multipart/form-data; boundary=x"}, (422,)),
]

EVERY: dict[str, list[Bad]] = {
    "GET /": [
        Bad("GET", "/index.html", status=(404,)),
        Bad("GET", "/%00", status=(404,)),
        Bad("GET", "/%ff", status=(404,)),
    ],
    "GET /new/{game}": [
        Bad("GET", f"/new/{quote(name)}", status=(404,)) for name in ("x", "Scorpion", "\x00", "é" * 500)
    ],
    "POST /new/{game}": [
        *(
            as_form("/new/scorpion", {"variant": value}, 422)
            for value in ("", "S4", "c", "CC", "\x00", "é", "x" * 5000)
        ),
        *(
            as_form("/new/simple-simon", text, 400, 422)
            for text in ("", "variant", "a=1&" * 1000, "variant=S4&variant=S3")
        ),
        as_form("/new/spider", {"variant": "S4"}, 404),
        Bad("POST", "/new/scorpion", b'{"variant": "C"}', JSON_TYPE, (422,)),
        Bad("POST", "/new/scorpion", b"variant=\xff", FORM_TYPE, (422,)),
    ],
    "GET /play": [],  # Whatever is typed leads to the deal's own address, which says what is wrong with it.
    "GET /play/{code}": [
        Bad("GET", f"/play/{quote(code)}", status=(404,)) for code in [*NO_CODES, "", " ", "🂡", "%", "x" * 5000]
    ],
    "GET /play/{code}/picture.png": [
        Bad("GET", f"/play/{quote(code)}/picture.png", status=(404,)) for code in [*NO_CODES, " ", "🂡", "%", "x" * 5000]
    ],
    "POST /play/{code}": ON_TABLES,
    "POST /play/{code}/restart": [
        *(Bad("POST", f"/play/{quote(code)}/restart", status=(404,)) for code in NO_CODES),
        *(Bad(method, f"{TABLE}/restart/x", status=(404, 405)) for method in ("POST", "PUT")),
    ],
    "GET /games": [
        *(Bad("GET", f"/games?{name}={quote(one)}", status=(404,)) for one in NO_IDS for name in ("before", "deleted")),
        *(Bad("GET", f"/games?shown={quote(text)}", status=(404,)) for text in ("x", "WON", "\x00", "é" * 500)),
    ],
    "GET /games/{game_id}": [
        Bad("GET", f"/games/{quote(one, safe='{}')}", status=(404,)) for one in [*NO_IDS, "0", "1"]
    ],
    "POST /games/{game_id}/delete": [
        *on_games("POST", "delete"),
        *(as_form("/games/{game}/delete", {"shown": text}, 422) for text in ("x", "\x00")),
        *(as_form("/games/{game}/delete", {"before": text}, 404) for text in NO_IDS),
        as_form("/games/{game}/delete", "a=1&" * 1000, 400),
    ],
    "POST /games/{game_id}/bring-back": [
        *on_games("POST", "bring-back"),
        Bad("POST", "/games/{game}/bring-back", status=(404,)),  # It is not deleted.
    ],
    "GET /games/{game_id}/look-back": [
        *on_games("GET", "look-back", others=False),
        *(Bad("GET", f"/games/{{game}}/look-back?at={quote(text)}", status=(404,)) for text in NO_STEPS),
    ],
    "POST /games/{game_id}/go-on": [
        *on_games("POST", "go-on", b"at=1"),
        *(as_form("/games/{game}/go-on", {"at": text}, 404, 422) for text in NO_STEPS),
        *(as_form("/games/{game}/go-on", text, 400, 422) for text in ("", "at", "a=1&" * 1000)),
    ],
    "GET /games/{game_id}/share": on_games("GET", "share", others=False),
    "POST /games/{game_id}/share": [
        *on_games("POST", "share"),
        Bad("POST", "/games/{game}/share", status=(404,)),  # It is not won.
    ],
    "POST /games/{game_id}/withdraw": on_games("POST", "withdraw"),
    "GET /replay/{token}": [Bad("GET", f"/replay/{quote(token)}", status=(404,)) for token in NO_TOKENS],
    "GET /my-data": [Bad("GET", "/my-data/x", status=(404,))],
    "GET /my-data/export": [Bad("GET", "/my-data/export/x", status=(404,))],
    "POST /my-data/import": IMPORTS,
    "GET /my-data/delete": [Bad("GET", "/my-data/delete/x", status=(404,))],
    "POST /my-data/delete": [Bad("POST", "/my-data/delete/x", status=(404,))],
    "GET /rules/{game}": [
        Bad("GET", f"/rules/{quote(name)}", status=(404,)) for name in ("x", "Scorpion", "\x00", "scorpion.fi")
    ],
    "GET /help": [Bad("GET", "/help/x", status=(404,))],
    "GET /examples/{game}": [
        *(Bad("GET", f"/examples/{quote(name)}", status=(404,)) for name in ("x", "Scorpion", "\x00")),
        *(
            Bad("GET", f"/examples/scorpion?step={quote(step)}", status=(404,))
            for step in ("x", "-1", "50", "", "\x00", "9" * 5000)
        ),
    ],
    "GET /privacy": [Bad("GET", "/privacy/x", status=(404,))],
    "GET /statistics": [Bad("GET", "/statistics/x", status=(404,))],
    "GET /daily": [Bad("GET", "/daily/2026-11/x", status=(404,))],
    "GET /daily/{month}": [
        Bad("GET", f"/daily/{quote(month, safe='')}", status=(404,))
        for month in ("x", "2026-13", "2025-12", "9999-12", "\x00", "é", "9" * 5000, "2026-11-30")
    ],
    "GET /settings": [Bad("GET", "/settings/x", status=(404,))],
    "POST /settings": [
        *(as_form("/settings", without(SETTINGS, name), 422) for name in SETTINGS),
        *(as_form("/settings", {**SETTINGS, name: text}, 422) for name in SETTINGS for text in ("", "ON", "x", "\x00")),
        *(as_form("/settings", text, 400, 422) for text in ("", "language=fi", "a=1&" * 1000)),
        Bad("POST", "/settings", json.dumps(SETTINGS).encode(), JSON_TYPE, (422,)),
    ],
    "GET /docs": [Bad("GET", "/docs/x", status=(404,)), Bad("GET", "/redoc", status=(404,))],
    "POST /language": [
        *(
            as_form("/language", {"language": value, "back": "/"}, 422)
            for value in ("", "de", "FI", "fi-FI", "\x00", "é", "x" * 5000)
        ),
        *(as_form("/language", text, 400, 422) for text in ("", "back=/", "a=1&" * 1000, "language=fi&language=xx")),
        Bad("POST", "/language", b'{"language": "fi"}', JSON_TYPE, (422,)),
        Bad("POST", "/language", b"language=\xff", FORM_TYPE, (422,)),
    ],
    "GET /api/deals/{code}": [
        Bad("GET", f"/api/deals/{quote(code)}", status=(404,)) for code in [*NO_CODES, "", " ", "x" * 5000]
    ],
    "POST /api/games": NEW_GAMES,
    "GET /api/games": [Bad("GET", f"/api/games?before={quote(one, safe='{}')}", status=(404, 422)) for one in NO_IDS],
    "GET /api/games/{game_id}": [
        Bad("GET", f"/api/games/{quote(one, safe='{}')}", status=(404,)) for one in [*NO_IDS, "0", "1", "{other}"]
    ],
    "DELETE /api/games/{game_id}": [
        Bad("DELETE", f"/api/games/{quote(one, safe='{}')}", status=(404,)) for one in [*NO_IDS, "0", "1", "{other}"]
    ],
    "POST /api/games/{game_id}/actions": ON_GAMES,
    "GET /api/openapi.json": [Bad("GET", "/api/openapi.yaml", status=(404,)), Bad("GET", "/api", status=(404,))],
    "GET /healthz": [Bad("GET", "/healthz/x", status=(404,))],
    "GET /static": [
        Bad("GET", f"/static/{name}", status=(404, 405))
        for name in (
            "",
            "x",
            "x/",
            "x/y.css",
            "x/%2e%2e/app/main.py",
            "%2e%2e/%2e%2e/etc/passwd",
            "x/%00",
            "x/" + "y" * 3000,
            "x/vendor",
        )
    ],
}


def check(stage: Stage, response: httpx.Response, statuses: tuple[int, ...], language: str = "fi") -> None:
    """Check that an answer is an error of these statuses, with a message that a person or a program can read."""
    assert response.status_code in statuses, (response.status_code, response.text[:2000])
    assert len(response.content) < 20_000, "an answer to nonsense is short"
    if response.request.method == "HEAD":
        assert response.content == b""
    elif response.url.path.startswith("/api"):
        assert response.headers["content-type"] == "application/problem+json"
        problem = body(response)
        assert (problem["type"], problem["status"]) == ("about:blank", response.status_code)
        assert len(problem["title"]) > 10
        assert "rule" not in problem
    else:
        page = Page(response)
        assert page.language == language
        assert len(page.root.all("h1")[0].text) > 10 or page.message


BADS = [bad for bads in EVERY.values() for bad in bads]
CASES = [pytest.param(bad, id=f"{bad} #{number}") for number, bad in enumerate(BADS)]


@pytest.mark.parametrize("bad", CASES)
def test_a_request_that_makes_no_sense_is_refused_with_a_message_and_changes_nothing(stage: Stage, bad: Bad) -> None:
    """G-10, #6, #64: missing, wrong type, negative, huge, unknown, malformed, another player's, out of date."""
    before = stage.site.rows
    content = None if bad.content is None else stage.filled(bad.content.decode("latin-1")).encode("latin-1")
    response = stage.client.ask(bad.method, stage.filled(bad.path), content=content, headers=bad.headers)
    check(stage, response, bad.status)
    assert stage.site.rows == before


ONLY_GET = ("/api/deals", "/api/games", "/healthz")
"""Addresses that answer GET and not HEAD: no crawler asks for them."""


def every_route(site: Site) -> set[str]:
    """Return the method and the path of every address of the program."""
    found = set()
    modules = (api, daily, examples, explained, look_back, my_data, my_games, pages, sharing, statistics)
    routers = [module.router for module in modules]
    for route in [*site.app.routes, *(route for router in routers for route in router.routes)]:
        if isinstance(route, Route):
            path = route.path.replace(":path", "")
            found |= {f"{method} {path}" for method in (route.methods or ()) if method != "HEAD"}
    return {*found, "GET /static"}


def test_no_address_of_the_program_is_missing_from_these_tests(stage: Stage) -> None:
    assert EVERY.keys() == every_route(stage.site)


async def in_chunks(content: bytes) -> AsyncIterator[bytes]:
    for start in range(0, len(content), 8192):
        yield content[start : start + 8192]


STATE_CHANGING = [key.split(" ") for key in EVERY if key.split(" ")[0] in ("POST", "DELETE")]


@pytest.mark.parametrize(("method", "path"), STATE_CHANGING, ids=lambda value: str(value))
@pytest.mark.parametrize("content_type", ["application/json", "application/x-www-form-urlencoded"])
@pytest.mark.parametrize("chunked", [False, True], ids=["with its length told", "in chunks"])
def test_a_body_of_a_megabyte_is_refused_and_changes_nothing(
    stage: Stage, method: str, path: str, content_type: str, chunked: bool
) -> None:
    """A limit on request bodies, also where the length is not told beforehand."""
    address = path.replace("{code}", FOUR_SUITS).replace("{game}", "scorpion").replace("{game_id}", stage.game)
    unread = ("/restart", "/bring-back", "/share", "/withdraw", "/my-data/delete")
    reads_no_body = method == "DELETE" or address.endswith(unread)
    before = stage.site.rows
    size = my_data.IMPORT_LIMIT if address == my_data.IMPORT else MEGABYTE
    filler = b'{"code": "' + b"x" * size + b'"}' if content_type == "application/json" else b"action=" + b"x" * size
    headers = {"Content-Type": content_type}
    if chunked and reads_no_body:
        address, method = "/api/games", "POST"  # What is not read needs no limit.
    content = in_chunks(filler) if chunked else filler
    check(stage, stage.client.ask(method, address, content=content, headers=headers), (413,))
    assert stage.site.rows == before


def test_a_body_just_within_the_limit_is_read(tmp_path: Any) -> None:
    with Site(f"sqlite:///{tmp_path}/games.db", body_limit=1000) as site:
        client = site.browser()
        asked = json.dumps({"code": FOUR_SUITS}).encode()
        for chunked in (False, True):
            for size, status in ((1000, 201), (1001, 413)):
                padded = asked + b" " * (size - len(asked))
                content = in_chunks(padded) if chunked else padded
                response = client.post("/api/games", content=content, headers=JSON_TYPE)
                assert response.status_code == status, (chunked, size)


@pytest.mark.parametrize("length", ["-1", "x", "1.5", "9" * 400, "9" * 5000, ""])
def test_a_length_that_is_no_number_is_refused(stage: Stage, length: str) -> None:
    before = stage.site.rows
    headers = {**JSON_TYPE, "Content-Length": length}
    check(stage, stage.client.post("/api/games", content=b'{"code": "SS1-S4-AAAAABD"}', headers=headers), (400, 413))
    assert stage.site.rows == before


@pytest.mark.parametrize("key", EVERY, ids=str)
@pytest.mark.parametrize("method", ["HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "GET", "POST", "BREW"])
def test_a_method_that_an_address_does_not_know_is_refused_and_changes_nothing(
    stage: Stage, key: str, method: str
) -> None:
    """RFC 9110: a 405 that names the methods which are allowed; pages answer HEAD as they answer GET."""
    path = key.split(" ")[1]
    address = path.replace("{code}", FOUR_SUITS).replace("{game}", "scorpion").replace("{game_id}", stage.game)
    address = address.replace("/static", "/static/x/style.css")
    known = {one.split(" ")[0] for one in EVERY if one.split(" ")[1] == path}
    if path == "/play/{code}/restart":
        known.add("GET")  # An address with a code in it leads to the code's deal.
    if "GET" in known and not path.startswith(ONLY_GET):
        known.add("HEAD")
    before = stage.site.rows
    if method in known:
        method = "BREW"
    response = stage.client.ask(method, address)
    check(stage, response, (405,))
    assert stage.site.rows == before
    assert path == "/static" or set(response.headers["allow"].split(", ")) == known


def test_a_refused_form_answers_htmx_with_a_line_for_the_table(stage: Stage) -> None:
    """#75: a 4xx never puts a page inside the table, and is never silent."""
    before = stage.site.rows
    for language in ("fi", "en"):
        for bad in ON_TABLES:
            if bad.path != TABLE:
                continue
            content = stage.filled((bad.content or b"").decode("latin-1")).encode("latin-1")
            headers = {**(bad.headers or {}), **HTMX, "Accept-Language": language}
            response = stage.client.post(TABLE, content=content, headers=headers)
            assert response.status_code in bad.status
            answer = Page(response)
            assert len(answer.message) > 10, bad
            assert not answer.root.all("body")
    assert stage.site.rows == before


def test_the_answer_to_a_thousand_mistakes_is_short(stage: Stage) -> None:
    many = {f"field-{number}": number for number in range(3000)}
    for asked in (many, {"x" * 60_000: 1}):
        response = stage.client.post("/api/games", json=asked)
        check(stage, response, (422,))
        assert len(response.content) < 10_000
