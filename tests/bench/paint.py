"""From the moment a dragged card is let go of to the paint that shows it in its new place, measured in the page.

Beside the program's own page stand, in the same run and by turns, a page whose script does nothing but move the same
cards, and a server that answers without work. A move there and back again is dragged a hundred times on each.
"""

import os
import random
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from statistics import median, quantiles

from playwright.sync_api import Browser, CDPSession, Page, sync_playwright

from tests.bench.server import sqlite
from tests.bench.table import Figure, times
from tests.browser.player import PHONE, Player
from tests.services import chromium_path, serve
from tests.web.records import EXAMPLES, FOUR_SUITS, LOOP, Record

MOVES = int(os.environ.get("BENCH_MOVES", "100"))
TURN = 10
"""So many moves on one page, then as many on the next: what the machine does besides meets all of them alike."""

LATENCY = 300
HAND = 200
"""Milliseconds that a hand takes to drag at least: in less time, the card before would still glide."""

# Notes for each release of the pointer when a frame was painted after which the cards lie in their column, and when one
# that holds the server's answer was. What is posted in a frame's callback is heard when that frame is painted.
WATCH = """() => {
    const painted = (test, done) => requestAnimationFrame(() => {
        if (!test()) return painted(test, done);
        const {port1, port2} = new MessageChannel();
        port1.onmessage = () => done(performance.now());
        port2.postMessage(0);
    });
    const size = () => document.getElementById("c9").children.length;
    const version = () => document.querySelector("#table input[name=version]").value;
    let before = null;
    addEventListener("pointerdown", () => (before = [size(), version()]), true);
    addEventListener("pointerup", event => {
        const [cards, known] = before;
        const since = moment => moment - event.timeStamp;
        window.note = new Promise(done => painted(() => size() !== cards, local => {
            if (window.bare) done([since(local), 0]);
            else painted(() => version() !== known, confirmed => done([since(local), since(confirmed)]));
        }));
    }, true);
}"""

# The least that a page could do: the card follows the pointer, and is put at the end of the other column.
BARE = """() => {
    window.bare = true;
    document.documentElement.classList.add("script");
    let card = null, from = null, at = null, frame = 0;
    addEventListener("pointerdown", event => { card = event.target; from = at = event; });
    addEventListener("pointermove", event => {
        at = event;
        frame ||= requestAnimationFrame(() => {
            frame = 0;
            const [x, y] = [at.clientX - from.clientX, at.clientY - from.clientY];
            if (card) card.style.transform = `translate(${x}px, ${y}px)`;
        });
    });
    addEventListener("pointerup", () => {
        card.style.transform = "";
        document.getElementById(card.parentElement.id === "c9" ? "c2" : "c9").lastElementChild.before(card);
        card = null;
    });
}"""

PLACES = """([source, at, target]) => {
    const card = document.getElementById(`c${source}`).children[at].getBoundingClientRect();
    const end = document.getElementById(`c${target}`).getBoundingClientRect();
    return [card.x + card.width / 2, card.y + 8, end.x + end.width / 2];
}"""


LONG = """() => {
    window.tasks = [];
    const note = list => tasks.push(...list.getEntries().map(task => task.duration));
    new PerformanceObserver(note).observe({type: "longtask"});
}"""


class Played:
    """A page on which the move is made, and what it noted."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.local: list[float] = []
        self.confirmed: list[float] = []
        self._made = 0

    def play(self) -> None:
        """Drag the card of the turn, at a random moment of a frame, and note the times."""
        x, y, to = self.page.evaluate(PLACES, LOOP[self._made % 2])
        mouse = self.page.mouse
        mouse.move(x, y)
        mouse.down()
        for step in (0.5, 1.0):
            mouse.move(x + (to - x) * step, y + 20)
        self.page.wait_for_timeout(HAND + random.uniform(0, 17))
        mouse.up()
        local, confirmed = self.page.evaluate("() => window.note")
        self._made += 1
        if self._made > len(LOOP):  # The first moves warm up, and let a canned answer be canned.
            self.local.append(local)
            self.confirmed.append(confirmed)


def figures() -> Iterator[Figure]:
    """Measure on localhost, then with latency."""
    with ExitStack() as stack:
        real = stack.enter_context(serve(stack.enter_context(sqlite())))
        canned = stack.enter_context(serve(stack.enter_context(sqlite()), program=("-m", "tests.bench.canned")))
        driver = stack.enter_context(sync_playwright())
        browser = driver.chromium.launch(executable_path=chromium_path())
        for latency in (0, LATENCY):
            yield from _compared(browser, real.url, canned.url, latency)
        for record in EXAMPLES:
            yield _long_tasks(browser, real.url, record)
        browser.close()


def _long_tasks(browser: Browser, address: str, record: Record) -> Figure:
    """Play a whole game by taps at the size of a phone, and tell how often the page was deaf for more than 50 ms."""
    player = Player(browser, address, size=PHONE)
    table = player.table(record["code"])
    table.page.evaluate(LONG)
    for move in record["moves"]:
        table.do(move)
        table.page.wait_for_timeout(HAND)
    tasks: list[float] = table.page.evaluate("tasks")
    player.leave()
    name = f"tasks over 50 ms in a game of {record['code']} by taps, {len(record['moves'])} actions"
    return Figure(name, f"{len(tasks)}, the longest {max(tasks):.0f} ms" if tasks else "0", "0")


def _compared(browser: Browser, real: str, canned: str, latency: int) -> Iterator[Figure]:
    random.seed(latency)
    with ExitStack() as stack:
        page, still, tin, bare = (
            Played(stack.enter_context(_page(browser, address, latency, **options)))
            for address, options in (
                (real, {}),
                (real, {"still": True}),
                (canned, {}),
                (real, {"bare": True}),
            )
        )
        for _ in range(MOVES // TURN):
            for one in (page, bare, still, tin):
                for _ in range(TURN):
                    one.play()
    where = f"with {latency} ms of latency" if latency else "on localhost"
    yield Figure(f"paint of a purely local move, {where}", _spread(bare.local))
    yield Figure(f"paint of a dropped card, {where}", _spread(page.local))
    yield Figure(f"paint of a dropped card, {where}, motion off", _spread(still.local))
    yield Figure(f"dropped card / local move, {where}", _ratio(page.local, bare.local), "≤ 1.25")
    yield Figure(f"dropped card / local move, {where}, motion off", _ratio(still.local, bare.local), "≤ 1.25")
    yield Figure(f"paint of the answer, {where}", _spread(page.confirmed))
    yield Figure(f"paint of a canned answer, {where}", _spread(tin.confirmed))
    yield Figure(f"answer / canned answer, {where}", _ratio(page.confirmed, tin.confirmed), "≤ 1.25")


def _ratio(one: list[float], other: list[float]) -> str:
    return times(median(one) / median(other))


def _spread(found: list[float]) -> str:
    return f"median {median(found):.1f} ms, 9 of 10 within {quantiles(found, n=10)[-1]:.1f} ms"


@contextmanager
def _page(browser: Browser, address: str, latency: int, *, still: bool = False, bare: bool = False) -> Iterator[Page]:
    context = browser.new_context(
        viewport={"width": 1280, "height": 800},
        base_url=address,
        locale="fi",
        reduced_motion="reduce" if still else "no-preference",
    )
    page = context.new_page()
    if bare:
        page.route("**/table.js", lambda route: route.abort())
    page.goto(f"/play/{FOUR_SUITS}")
    page.evaluate(WATCH)
    if bare:
        page.evaluate(BARE)
    session: CDPSession = context.new_cdp_session(page)
    session.send("Network.enable")
    network = {"offline": False, "latency": latency, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.emulateNetworkConditions", network)
    yield page
    context.close()
