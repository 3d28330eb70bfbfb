"""Every screen: from the narrowest phone on, long columns, zoom, and nothing that jumps."""

from itertools import pairwise

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Players
from tests.browser.pointers import Finger
from tests.browser.table import of_class
from tests.web.records import EXAMPLES, FOUR_SUITS, SCORPION, Record

LONG, LONG_MOVES = "SC1-R-AAAAABD", [
    [4, 2, 1], [6, 6, 1], [2, 4, 1], [6, 5, 1], [3, 6, 4], [6, 2, 1], [6, 0, 1], [0, 4, 1],
]  # fmt: skip
"""Moves after which the second column of a deal holds 25 cards, 3 of them face down."""

AREA = "() => [document.documentElement.scrollWidth, innerWidth, document.documentElement.scrollHeight, innerHeight]"

INDEX = """card => {
    // What of the index is drawn, by the lines that the browser has laid it on: a card's face is drawn by its ::before.
    const style = getComputedStyle(card, "::before");
    const size = parseFloat(style.fontSize);
    return {top: parseFloat(style.paddingTop), height: parseFloat(style.lineHeight) || size, width: card.offsetWidth};
}"""


def no_sideways_scroll(page: Page) -> None:
    """Check that a page is not wider than its window."""
    width, window, _, _ = page.evaluate(AREA)
    assert width <= window


@pytest.mark.parametrize("code", [FOUR_SUITS, SCORPION])
@pytest.mark.parametrize(
    "size", [(320, 568), (360, 640), (390, 844), (844, 390), (640, 360), (1024, 768), (3840, 2160)]
)
def test_all_columns_are_seen_on_every_screen_without_scrolling_sideways(
    players: Players, size: tuple[int, int], code: str
) -> None:
    """#52; WCAG 1.4.10."""
    table = players(size=size).table(code)
    no_sideways_scroll(table.page)
    boxes = table.boxes([(column, None) for column in range(len(table.columns))])
    for left, right in pairwise(boxes):
        assert left.x + left.width <= right.x + 0.5
    assert boxes[0].x >= 0
    assert boxes[-1].x + boxes[-1].width <= size[0]
    # Every card that lies there can be touched, and the first columns are seen without scrolling at all.
    for column, cards in enumerate(table.columns):
        for at, card in enumerate(cards):
            box = table.box(column, at)
            assert card == "??" or box.height >= 12, (column, at, box)
    assert boxes[0].y < size[1]


@pytest.mark.parametrize(
    "page", ["/", "/help", "/settings", "/games", "/rules/scorpion", "/rules/simple-simon", "/docs"]
)
def test_no_page_scrolls_sideways_on_the_narrowest_screen(players: Players, page: str) -> None:
    """#52; WCAG 1.4.10."""
    no_sideways_scroll(players(size=(320, 568)).page(page))


@pytest.mark.parametrize("size", [(360, 640), (844, 390)])
def test_of_25_cards_in_a_column_every_one_shows_its_index_and_can_be_tapped(
    players: Players, size: tuple[int, int]
) -> None:
    """#51: strips down to 12 pixels, no scroll needed to drop."""
    table = players(size=size, touch=True, is_mobile=True).table(LONG, LONG_MOVES)
    cards = table.columns[1]
    assert len(cards) == 25
    boxes = table.boxes([(1, at) for at in range(25)])
    for at, (card, box) in enumerate(zip(cards, boxes, strict=True)):
        if card == "??":
            continue
        assert box.height >= 12, (at, box)
        index = table.card(1, at).evaluate(INDEX)
        assert index["top"] + index["height"] <= box.height + 1, (at, index, box)
        # What is under the finger at the strip is the card itself.
        hit = table.page.evaluate("([x, y]) => document.elementFromPoint(x, y)?.value", list(box.strip))
        assert hit == f"1.{at}"
    _, _, height, window = table.page.evaluate(AREA)
    assert boxes[-1].y + 24 <= window
    assert height <= window + 1


@pytest.mark.parametrize("size", [(360, 640), (844, 390)])
def test_a_tap_on_a_small_strip_spreads_its_column_and_the_next_tap_picks_up(
    players: Players, size: tuple[int, int]
) -> None:
    """#51, #49; WCAG 2.5.8: under 24 pixels the first tap spreads the column."""
    table = players(size=size, touch=True, is_mobile=True).table(LONG, LONG_MOVES)
    finger = Finger(table.page)
    assert table.box(1, 12).height < 24
    table.tap(1, 12, finger)
    expect(table.column(1)).to_have_class(of_class("spread"))
    expect(table.picked).to_have_count(0)
    boxes = table.boxes([(1, at) for at in range(3, 25)])
    assert min(box.height for box in boxes) >= 24
    no_sideways_scroll(table.page)
    assert table.posts == []
    _, at, target = next(move for move in table.legal if move[0] == 1 and move[1] < 12)
    table.tap(1, at, finger)
    expect(table.card(1, at)).to_be_checked()
    expect(table.picked).to_have_count(25 - at)
    table.tap(target, pointer=finger)
    table.answered(len(LONG_MOVES) + 1)
    expect(table.column(1)).not_to_have_class(of_class("spread"))
    table.agrees()


def test_a_card_is_dragged_from_and_onto_a_long_column_without_scrolling(players: Players) -> None:
    """#51."""
    table = players(size=(360, 640), touch=True, is_mobile=True).table(LONG, LONG_MOVES)
    finger = Finger(table.page)
    move = next(one for one in table.legal if one[0] == 1)
    before = table.columns
    table.drag(move, finger)
    table.answered(len(LONG_MOVES) + 1)
    assert table.columns != before
    table.agrees()
    assert table.page.evaluate("() => scrollY") == 0


def test_at_a_zoom_of_400_percent_a_game_can_be_played(players: Players) -> None:
    """WCAG 1.4.10: a window of 1280 × 1024 at 400 % is one of 320 × 256 CSS pixels."""
    table = players(size=(320, 256), device_scale_factor=4).table(EXAMPLES[0]["code"])
    no_sideways_scroll(table.page)
    for source, at, target in EXAMPLES[0]["moves"][:10]:
        version = table.version
        # A strip may have to be scrolled to, as on any page at such a zoom.
        table.card(source, at).scroll_into_view_if_needed()
        table.tap(source, at)
        expect(table.card(source, at)).to_be_checked()
        table.column(target).locator("> :nth-last-child(2), > :only-child").first.scroll_into_view_if_needed()
        table.tap(target)
        table.answered(version + 1)
    table.agrees()
    expect(table.moves).to_have_text("10")


SHIFTS = """() => {
    window.shifts = [];
    new PerformanceObserver(list => {
        const told = ({value, sources}) => [value, ...sources.map(one => one.node?.nodeName)];
        shifts.push(...list.getEntries().map(told));
    }).observe({type: "layout-shift", buffered: true});
    // The observer is told after the frame that it is about.
    const frame = () => new Promise(requestAnimationFrame);
    return frame().then(frame).then(() => new Promise(done => setTimeout(() => done(shifts))));
}"""

FRAME = """() => ["h1, #score, #moves, #message, #undo, #redo, #deal, #places, .tableau, .column"]
    .flatMap(all => [...document.querySelectorAll(all)])
    .map(one => [one, one.getBoundingClientRect()])
    .map(([one, {x, y, width}]) => [one.id || one.nodeName, x, y, width])"""


@pytest.mark.parametrize("size", [(1280, 800), (360, 640)])
@pytest.mark.parametrize("record", EXAMPLES, ids=["simple-simon", "scorpion"])
def test_nothing_jumps_after_the_first_paint(players: Players, record: Record, size: tuple[int, int]) -> None:
    """As specified: "No layout shift after first paint"; and while cards go nothing but cards does."""
    player = players(size=size)
    player.provokes("422")
    table = player.table(record["code"])
    assert table.page.evaluate(SHIFTS) == []
    frame = table.page.evaluate(FRAME)
    for move in record["moves"][:8]:
        table.do(move, drag=True)
        assert table.page.evaluate(FRAME) == frame
    ends = [[column, len(cards) - 1] for column, cards in enumerate(table.columns) if cards]
    table.drag(next([*end, to] for end in ends for to in range(7) if end[0] != to and [*end, to] not in table.legal))
    expect(table.message.locator("strong")).to_be_visible()
    assert table.page.evaluate(FRAME) == frame
