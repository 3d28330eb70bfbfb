"""The program in this process, and the browsers and programs that use it."""

import asyncio
from collections.abc import Coroutine, Iterable, Mapping, MutableMapping
from types import TracebackType
from typing import Any, Self, TypeVar

import httpx
from fastapi import FastAPI
from sqlalchemy import Engine

from app.main import create_app
from app.settings import Settings
from tests.store.rows import Rows, all_rows
from tests.web.page import Page

T = TypeVar("T")

Json = dict[str, Any]
"""A game, a deal or a problem, as the JSON interface shows it."""

Wish = Any
"""An action as the recorded games write it: ``[0, 7, 3]``, ``["auto", 0, 7]``, ``"deal"``, ``"undo"`` or ``"redo"``."""

HTMX = {"HX-Request": "true"}
ADDRESS = "http://pasianssi.test"


class Site:
    """One server's life after another over one database, without a network."""

    def __init__(self, database_url: str, **settings: Any) -> None:
        self.database_url = database_url
        self._settings = Settings(database_url=database_url, **settings)
        self._runner = asyncio.Runner()
        self._start()

    def _start(self) -> None:
        self.app: FastAPI = create_app(self._settings)
        self._life = self.app.router.lifespan_context(self.app)
        self.run(self._life.__aenter__())

    def stop(self) -> None:
        """Let the server end as it does at a SIGTERM."""
        self.run(self._life.__aexit__(None, None, None))

    def restart(self) -> None:
        """End the server and start another over the same database; the browsers stay."""
        self.stop()
        self._start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
        self._runner.close()

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        """Serve a request, with whichever server is alive."""
        await self.app(scope, receive, send)

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Return what a coroutine gave."""
        return self._runner.run(work)

    def together(self, works: Iterable[Coroutine[Any, Any, T]]) -> list[T]:
        """Return what several coroutines gave that ran at once."""

        async def all_of_them() -> list[T]:
            return await asyncio.gather(*works)

        return self.run(all_of_them())

    @property
    def engine(self) -> Engine:
        """The database of the server that is alive."""
        engine: Engine = self.app.state.engine
        return engine

    @property
    def rows(self) -> Rows:
        """Every row of every table."""
        return all_rows(self.engine)

    def browser(self, language: str = "fi", address: str = ADDRESS, **headers: str) -> "Browser":
        """Return a new visitor with cookies of its own."""
        return Browser(self, {"Accept-Language": language, **headers}, address)


class Browser:
    """One visitor: what it asks for, and the cookie that it keeps."""

    def __init__(self, site: Site, headers: Mapping[str, str], address: str) -> None:
        self.site = site
        transport = httpx.ASGITransport(site, raise_app_exceptions=False)
        self.http = httpx.AsyncClient(transport=transport, base_url=address, headers=dict(headers))

    def ask(self, method: str, path: str, **options: Any) -> httpx.Response:
        """Return the answer to one request; redirects are not followed."""
        return self.site.run(self.http.request(method, path, **options))

    def get(self, path: str, **options: Any) -> httpx.Response:
        """Return the answer to a GET."""
        return self.ask("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        """Return the answer to a POST."""
        return self.ask("POST", path, **options)

    @property
    def cookie(self) -> str | None:
        """The cookie that names this device, if it was given one."""
        return self.http.cookies.get("pasianssi")

    @cookie.setter
    def cookie(self, value: str) -> None:
        self.forget()
        self.http.cookies.set("pasianssi", value, domain=self.http.base_url.host)

    def forget(self) -> None:
        """Delete the cookie, as a reader may."""
        self.http.cookies.clear()

    # JSON

    def begin(self, code: str) -> Json:
        """Return a new attempt at a deal, made over JSON."""
        response = self.post("/api/games", json={"code": code})
        assert response.status_code == 201, response.text
        return body(response)

    def act(self, game: Json, wish: Wish, **more: Any) -> httpx.Response:
        """Return the answer to an action on a game, at the version in which the game is given."""
        return self.post(f"/api/games/{game['id']}/actions", json={"version": game["version"], **as_json(wish), **more})

    def play(self, game: Json, *wishes: Wish) -> Json:
        """Return a game after actions that are all accepted."""
        for wish in wishes:
            response = self.act(game, wish)
            assert response.status_code == 200, response.text
            game = body(response)
        return game

    def game(self, game: Json) -> Json:
        """Return a game as it now stands."""
        response = self.get(f"/api/games/{game['id']}")
        assert response.status_code == 200, response.text
        return body(response)

    # Pages

    def open(self, path: str) -> Page:
        """Return the page at an address, redirects followed; it must be there."""
        response = self.get(path, follow_redirects=True)
        assert response.status_code == 200, (response.status_code, response.text)
        return Page(response)

    def submit(self, page: Page, wish: Wish, *, htmx: bool = False) -> httpx.Response:
        """Return the answer to an action by the form around a page's table; redirects are not followed."""
        return self.post(page.table_address, data=page.table_fields | as_form(wish), headers=HTMX if htmx else None)

    def press(self, page: Page, wish: Wish) -> Page:
        """Return the page that an accepted action leads to, without script."""
        response = self.submit(page, wish)
        assert response.status_code == 303, (response.status_code, response.text)
        return self.open(response.headers["location"])


def body(response: httpx.Response) -> Json:
    """Return the object that an answer holds."""
    value = response.json()
    assert isinstance(value, dict)
    return value


def as_json(wish: Wish) -> Json:
    """Return an action in the words of the JSON interface."""
    match wish:
        case str():
            return {"action": wish}
        case ["auto", source, at]:
            return {"action": "auto", "from": source, "at": at}
        case [source, at, target]:
            return {"action": "move", "from": source, "at": at, "to": target}
    raise ValueError(wish)


def as_form(wish: Wish) -> dict[str, str]:
    """Return an action as the fields that choosing a card and pressing a button add to the form around a table."""
    match wish:
        case str():
            return {"action": wish}
        case ["auto", source, at]:
            return {"lift": f"{source}.{at}", "action": "auto"}
        case [source, at, target]:
            return {"lift": f"{source}.{at}", "onto": str(target)}
    raise ValueError(wish)
