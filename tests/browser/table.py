"""A table in a real browser, read and played the way a person does it.

Only ids, roles, names, values and places are used, so that the look of a page can change without its tests.
"""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from playwright.sync_api import APIRequestContext, Locator, Page, Request, expect

from tests.browser.pointers import Mouse, Pointer
from tests.web.records import Columns
from tests.web.site import Json

PATIENCE = 5_000
"""Milliseconds that anything on a page may take; a loaded machine is slow, not broken."""

STEPS = 2
"""A drag comes in so many steps, since a hand does not jump."""

_COLUMNS = """tableau => [...tableau.children].map(column => [...column.children].slice(0, -1).map(card =>
    card.matches("input") ? card.className.match(/[SHDC][A2-9TJQK]/)[0].split("").reverse().join("") : "??"))"""

_BOXES = """(tableau, places) => places.map(([column, at]) => {
    const all = tableau.children[column].children;
    const element = at === null ? (all[all.length - 2] ?? all[0]) : all[at];
    const {x, y, width, height} = element.getBoundingClientRect();
    return [x, y, width, height];
})"""

# The promise is kept at the very change that is waited for: looking again and again would cost a tenth of a second.
_ANSWERED = """(form, [version, patience]) => new Promise((resolve, reject) => {
    const there = () => form.elements.version.value === version;
    if (there()) return resolve();
    const watch = new MutationObserver(() => there() && (watch.disconnect(), resolve()));
    watch.observe(form, {childList: true, subtree: true});
    setTimeout(() => reject(new Error(`version ${version} did not come`)), patience);
})"""


class Box(NamedTuple):
    """Where an element is, in CSS pixels of the window."""

    x: float
    y: float
    width: float
    height: float

    @property
    def strip(self) -> tuple[float, float]:
        """A point on what is to be seen of a card, however little the next card leaves of it."""
        return self.x + self.width / 2, self.y + min(self.height / 2, 8)


class Table:
    """A page of a table."""

    def __init__(self, page: Page, request: APIRequestContext, address: str) -> None:
        self.page = page
        self._request = request
        self._address = address
        self.posts: list[Request] = []
        page.on("request", self._requested)
        self.loads = 0
        self.mouse = Mouse(page)

    def _requested(self, request: Request) -> None:
        self.loads += request.is_navigation_request()
        if request.method == "POST":
            self.posts.append(request)

    # What it shows

    @property
    def columns(self) -> Columns:
        """The cards of the columns, as JSON has them."""
        columns: Columns = self.tableau.evaluate(_COLUMNS)
        return columns

    @property
    def tableau(self) -> Locator:
        """What holds the columns."""
        return self.page.locator("#table .tableau")

    @property
    def form(self) -> Locator:
        """The form that is the table."""
        return self.page.locator("#table")

    @property
    def score(self) -> Locator:
        """The score."""
        return self.page.locator("#score")

    @property
    def moves(self) -> Locator:
        """The number of moves."""
        return self.page.locator("#moves")

    @property
    def message(self) -> Locator:
        """The line of words, which is spoken too."""
        return self.page.locator("#message")

    @property
    def picked(self) -> Locator:
        """The cards in the hand."""
        return self.tableau.locator(".picked")

    @property
    def best(self) -> list[list[int]]:
        """The best move of each group that has one, as the server says: where there is one, it is told first."""
        return [group[0] for sign, group in self._groups if sign == "+"]

    @property
    def legal(self) -> list[list[int]]:
        """The legal moves, as the server says."""
        return [move for _, group in self._groups for move in group]

    @property
    def _groups(self) -> list[tuple[str, list[list[int]]]]:
        text = self.page.locator("#status").get_attribute("data-legal") or ""
        found = re.findall(r"(\d)\.(\d+)([-+])(\d+)", text)
        return [
            (sign, [[int(column), int(at), int(to)] for to in all_of_them]) for column, at, sign, all_of_them in found
        ]

    @property
    def version(self) -> int:
        """The number of actions that the server has confirmed to this page."""
        return int(self.form.locator("input[name=version]").input_value())

    def card(self, column: int, at: int) -> Locator:
        """A card, by its place."""
        return self.page.locator(f"#c{column} > :nth-child({at + 1})")

    def column(self, column: int) -> Locator:
        """A column."""
        return self.page.locator(f"#c{column}")

    def button(self, column: int) -> Locator:
        """The button of a column, which lies under its cards."""
        return self.page.locator(f"#c{column} > button")

    def box(self, column: int, at: int | None = None) -> Box:
        """Where a card is, or, without ``at``, the end of a column, or the place of an empty one."""
        return self.boxes([(column, at)])[0]

    def boxes(self, places: Iterable[tuple[int, int | None]]) -> list[Box]:
        """Where cards and the ends of columns are."""
        found: list[list[float]] = self.tableau.evaluate(_BOXES, [list(place) for place in places])
        return [Box(*one) for one in found]

    # What the server keeps

    def saved(self) -> Json:
        """The game as the server keeps it."""
        response = self._request.get(f"{self._address}/api/games/{self.form.locator('input[name=game]').input_value()}")
        game: Json = response.json()
        return game

    def agrees(self) -> None:
        """Check that the page shows what the server keeps (G-9)."""
        kept = self.saved()
        assert self.columns == kept["columns"]
        assert self.version == kept["version"]
        expect(self.score).to_have_text(str(kept["score"]).replace("-", "−"))
        expect(self.moves).to_have_text(str(kept["moves"]))

    def answered(self, version: int) -> None:
        """Wait until the page has the server's answer that made this version."""
        self.form.evaluate(_ANSWERED, [str(version), PATIENCE])

    def rests(self) -> None:
        """Wait until every card lies where it belongs: for one frame it is held where it was seen."""
        self.page.evaluate("() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))")

    def is_to_stay(self) -> None:
        """Watch from now on whether the page is loaded anew, or its table replaced."""
        self.loads = 0
        self.form.evaluate("form => form.kept = true")

    def has_stayed(self) -> None:
        """Check that it was not."""
        assert self.loads == 0
        assert self.form.evaluate("form => form.kept")

    # How it is played

    def tap(self, column: int, at: int | None = None, pointer: Pointer | None = None) -> None:
        """Tap a card, or the end or the place of a column."""
        self.press(*self.box(column, at).strip, pointer)

    def press(self, x: float, y: float, pointer: Pointer | None = None) -> None:
        """Tap a point."""
        pointer = pointer or self.mouse
        pointer.down(x, y)
        pointer.up()

    def double_tap(self, column: int, at: int, pointer: Pointer | None = None, wobble: float = 0) -> None:
        """Tap a card twice; ``wobble`` is how far the hand strays during the first press and before the second."""
        pointer = pointer or self.mouse
        x, y = self.box(column, at).strip
        pointer.down(x, y)
        if wobble:
            pointer.move(x + wobble, y)
        pointer.up()
        self.press(x, y + wobble, pointer)

    def tap_move(self, move: list[int], pointer: Pointer | None = None) -> None:
        """Make a move by two taps."""
        source, at, target = move
        card, end = self.boxes([(source, at), (target, None)])
        self.press(*card.strip, pointer)
        self.press(*end.strip, pointer)

    def lift(
        self, column: int, at: int, dx: float, dy: float, pointer: Pointer | None = None, steps: int = STEPS
    ) -> tuple[float, float]:
        """Drag a card this far, and hold it; return the point where the pointer is."""
        pointer = pointer or self.mouse
        x, y = self.box(column, at).strip
        pointer.down(x, y)
        for step in range(1, steps + 1):
            pointer.move(x + dx * step / steps, y + dy * step / steps)
        return x + dx, y + dy

    def way(self, move: list[int]) -> tuple[float, float]:
        """How far a card is from lying a little below the end of a column."""
        source, at, target = move
        card, end = self.boxes([(source, at), (target, None)])
        return end.x - card.x, end.y + 12 - card.y

    def drag(self, move: list[int], pointer: Pointer | None = None) -> None:
        """Make a move by a drag."""
        pointer = pointer or self.mouse
        self.lift(move[0], move[1], *self.way(move), pointer)
        pointer.up()

    def do(self, wish: Any, pointer: Pointer | None = None, *, drag: bool = False) -> None:
        """Do what a recorded game tells, and wait for the answer."""
        version = self.version
        if wish in ("deal", "undo", "redo"):
            self.page.locator(f"#{wish}").click()
        elif wish[0] == "auto":
            self.double_tap(wish[1], wish[2], pointer)
        else:
            (self.drag if drag else self.tap_move)(wish, pointer)
        self.answered(version + 1)


def of_class(name: str) -> re.Pattern[str]:
    """Return what tells one class among others."""
    return re.compile(rf"(^| ){name}( |$)")


def until(page: Page, condition: str) -> None:
    """Wait until a condition in the page's own language holds, which is looked at with every frame.

    The CSP forbids what ``page.wait_for_function`` does.
    """
    page.evaluate(
        f"""patience => new Promise((done, fail) => {{
            const end = performance.now() + patience;
            const look = () => {{
                if ({condition}) done();
                else if (performance.now() > end) fail(new Error("it never was so"));
                else requestAnimationFrame(look);
            }};
            look();
        }})""",
        PATIENCE,
    )
