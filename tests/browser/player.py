"""A person at a browser: a cookie jar of one's own, and an eye on everything that goes wrong on any page."""

from typing import Any

from playwright.sync_api import Browser, BrowserContext, Page

from tests.browser.table import PATIENCE, Table
from tests.web.records import ONE_SUIT
from tests.web.site import Json

DESKTOP = (1280, 800)
PHONE = (375, 667)


class Player:
    """One of them, whose pages speak ``language``."""

    def __init__(
        self,
        chromium: Browser,
        address: str,
        *,
        size: tuple[int, int] = DESKTOP,
        language: str = "fi",
        touch: bool = False,
        **options: Any,
    ) -> None:
        self.address = address
        self.context: BrowserContext = chromium.new_context(
            viewport={"width": size[0], "height": size[1]},
            locale=language,
            has_touch=touch,
            base_url=address,
            **options,
        )
        self.context.set_default_timeout(PATIENCE)
        self._faults: list[str] = []
        self._provoked: list[str] = []
        self.context.on("console", lambda line: self._console(line.type, line.text))
        self.context.on(
            "weberror", lambda error: self._faults.append(f"script error: {getattr(error.error, 'stack', error.error)}")
        )

    def _console(self, kind: str, text: str) -> None:
        if kind in ("error", "warning"):
            self._faults.append(f"console {kind}: {text}")

    def provokes(self, text: str) -> None:
        """Expect the browser's own line about a refusal or an outage that the test is about to cause."""
        self._provoked.append(text)

    def provokes_an_outage(self, error: str) -> None:
        """Expect the browser's line about a request without an answer, and that of htmx about the same."""
        self._provoked += [error, "htmx:error: Failed to fetch"]

    def leave(self) -> None:
        """Close every page, and see that nothing went wrong on any: no script error, no violation of the CSP."""
        self.context.close()
        faults = [fault for fault in self._faults if not any(text in fault for text in self._provoked)]
        assert faults == [], faults
        idle = [text for text in self._provoked if not any(text in fault for fault in self._faults)]
        assert idle == [], f"expected, and never seen: {idle}"

    def page(self, address: str = "") -> Page:
        """Open a page."""
        page = self.context.new_page()
        if address:
            page.goto(address)
        return page

    def table(self, code: str = ONE_SUIT, ahead: list[Any] | None = None) -> Table:
        """Sit down at a deal, after some moves have been made there."""
        if ahead:
            self.play_ahead(code, ahead)
        page = self.context.new_page()
        table = Table(page, self.context.request, self.address)
        page.goto(f"/play/{code}")
        return table

    def play_ahead(self, code: str, wishes: list[Any]) -> Json:
        """Make moves without a page, as a program does."""
        game = self._api("", {"code": code})
        for wish in wishes:
            game = self.go_on(game, wish)
        return game

    def go_on(self, game: Json, wish: Any) -> Json:
        """Make one more move without a page."""
        if isinstance(wish, str):
            action: Json = {"action": wish}
        elif wish[0] == "auto":
            action = {"action": "auto", "from": wish[1], "at": wish[2]}
        else:
            action = {"action": "move", "from": wish[0], "at": wish[1], "to": wish[2]}
        return self._api(f"/{game['id']}/actions", {"version": game["version"], **action})

    def _api(self, path: str, body: Json) -> Json:
        response = self.context.request.post(f"/api/games{path}", data=body)
        assert response.ok, response.text()
        game: Json = response.json()
        return game

    def choose(self, **settings: str) -> None:
        """Choose settings as the page of settings sends them; the others stay as they are at first."""
        from app.store.preferences import DEFAULTS

        form = {"language": "fi", **DEFAULTS, **{name.replace("_", "-"): value for name, value in settings.items()}}
        response = self.context.request.post("/settings", form=dict(form))
        assert response.ok, response.text()
