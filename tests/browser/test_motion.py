"""Motion: it explains, it never stands in the way, and it is not there for those who do not want it."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Players
from tests.browser.player import Player
from tests.browser.pointers import Mouse
from tests.browser.table import Table, until
from tests.web.records import EXAMPLES, FOUR_SUITS, LOOP, ONE_SUIT, SCORPION

EXAMPLE = {record["code"]: record["moves"] for record in EXAMPLES}
MOVING = "tableau => tableau.getAnimations({subtree: true}).length"
ENDLESS = 60_000  # ms
SLOW = """duration => {
    // Every motion is made to last, so that a test can come between; what is drawn is all that it changes.
    const animate = Element.prototype.animate;
    window.animated = [];
    Element.prototype.animate = function (frames, options) {
        animated.push(options.pseudoElement ?? "");
        return animate.call(this, frames, {...options, duration});
    };
}"""


def slowed(player: Player, code: str = ONE_SUIT, ahead: list[object] | None = None, duration: int = ENDLESS) -> Table:
    """Sit down at a table each of whose motions lasts for that many milliseconds."""
    player.context.add_init_script(f"({SLOW})({duration})")
    return player.table(code, ahead)


def moving(table: Table) -> int:
    """Return how many drawings are on their way."""
    count: int = table.tableau.evaluate(MOVING)
    return count


def test_a_tapped_card_is_seen_to_glide_and_lies_at_its_place_at_once(player: Player) -> None:
    """The card itself is where it belongs while its drawing is on the way."""
    table = slowed(player)
    source, at, target = EXAMPLE[ONE_SUIT][0]
    table.do([source, at, target])
    expect(table.moves).to_have_text("1")
    assert moving(table) > 0
    cards = table.column(target).locator("input")
    home, landed = cards.nth(0).bounding_box(), cards.last.bounding_box()
    assert home
    assert landed
    assert landed["x"] == pytest.approx(home["x"])


@pytest.mark.parametrize("code", [ONE_SUIT, SCORPION])
def test_the_next_move_is_taken_while_every_motion_before_it_is_still_under_way(player: Player, code: str) -> None:
    """Moves and flips, one after another, and in Scorpion the stock."""
    table = slowed(player, code)
    for number, move in enumerate([*EXAMPLE[code][:8], *(["deal"] if code == SCORPION else [])], 1):
        table.do(move)
        expect(table.moves).to_have_text(str(number))
    assert moving(table) > 0
    table.agrees()


@pytest.mark.parametrize("wish", ["undo", "redo", "deal"])
def test_what_the_page_could_not_foresee_is_seen_to_happen_too(player: Player, wish: str) -> None:
    """Undo, redo and the stock glide like any move."""
    table = slowed(player, SCORPION, [*EXAMPLE[SCORPION][:2], *(["undo"] if wish == "redo" else [])])
    before = table.moves.inner_text()
    assert moving(table) == 0
    table.do(wish)
    expect(table.moves).not_to_have_text(before)
    assert moving(table) > 0


def test_a_run_is_seen_to_leave_for_its_place(player: Player) -> None:
    """G-2: the thirteen cards fly, out of reach and out of the way of a screen reader."""
    moves = EXAMPLE[ONE_SUIT]
    last = len(moves) - 1
    table = slowed(player, ONE_SUIT, moves[:last])
    table.do(moves[last])
    flight = table.page.locator(".flight > *")
    expect(flight).to_have_count(13)
    assert table.page.locator(".flight").get_attribute("inert") is not None
    assert table.page.locator(".flight [name]").count() == 0


@pytest.mark.parametrize(
    ("device", "setting", "moves"),
    [
        ("no-preference", "device", True),
        ("reduce", "device", False),
        ("reduce", "on", True),
        ("no-preference", "off", False),
    ],
)
def test_motion_is_as_the_device_or_the_player_wants_it(
    players: Players, device: str, setting: str, moves: bool
) -> None:
    """The setting wins over the device."""
    player = players(reduced_motion=device)
    player.choose(motion=setting)
    table = slowed(player, ONE_SUIT)
    table.do(EXAMPLE[ONE_SUIT][0])
    expect(table.moves).to_have_text("1")
    table.do("undo")
    expect(table.moves).to_have_text("0")
    assert bool(table.page.evaluate("animated.length")) is moves
    assert bool(moving(table)) is moves


def test_after_resizing_in_the_middle_of_motion_everything_lies_right(player: Player) -> None:
    """#56: nothing is sent, no drawing is left between two places."""
    table = slowed(player)
    table.do(EXAMPLE[ONE_SUIT][0])
    expect(table.moves).to_have_text("1")
    sent = len(table.posts)
    for number in range(20):
        table.page.set_viewport_size({"width": 700 + number * 30, "height": 900 - number * 20})
    table.page.set_viewport_size({"width": 640, "height": 360})  # a phone that is turned
    expect(table.tableau).to_be_visible()
    table.rests()
    assert moving(table) == 0
    assert len(table.posts) == sent


def test_the_latest_move_stays_marked_also_when_the_page_is_loaded_again(player: Player) -> None:
    """The mark is on the cards that moved, until the next action."""
    source, at, target = EXAMPLE[ONE_SUIT][0]
    table = player.table(ONE_SUIT)
    table.do([source, at, target])
    expect(table.moves).to_have_text("1")
    marked = table.tableau.locator(".last")
    expect(marked).to_have_count(1)
    assert marked.evaluate("card => card.parentElement.id") == f"c{target}"
    table.page.reload()
    expect(table.tableau.locator(".last")).to_have_count(1)
    table.do("undo")
    expect(table.moves).to_have_text("0")
    assert marked.evaluate_all("cards => cards.map(card => card.parentElement.id)") == [f"c{source}"]


FRAMES = """() => {
    // Where the one card of the last column is drawn in each painted frame from the release of the pointer on.
    window.frames_seen = [];
    const above = card => [card, card.parentElement].some(one => Number(getComputedStyle(one).zIndex) > 1);
    const note = () => {
        const card = document.querySelector("#c9 > input:nth-last-child(2)");
        const {x} = card.getBoundingClientRect();
        const drawn = x + new DOMMatrix(getComputedStyle(card, "::before").transform).e;
        frames_seen.push([drawn, above(card)]);
        frame();
    };
    const frame = () => requestAnimationFrame(() => {
        const {port1, port2} = new MessageChannel();
        port1.onmessage = note;
        port2.postMessage(0);
    });
    addEventListener("pointerup", frame, true);
}"""


def test_a_dropped_card_is_seen_to_go_from_where_it_was_let_go_of_to_its_place_and_nowhere_else(player: Player) -> None:
    """No frame shows it anywhere off its way, nor under another column."""
    table = slowed(player, FOUR_SUITS, duration=1500)  # also a machine that paints seldom paints it on its way
    source, at, target = LOOP[0]
    assert target == 9
    card, end = table.boxes([(source, at), (target, None)])
    table.page.evaluate(FRAMES)
    table.lift(source, at, end.x - card.x - 20, 60, Mouse(table.page))
    table.page.mouse.up()
    table.answered(1)
    until(table.page, f"Math.abs(frames_seen.at(-1)[0] - {end.x}) < 0.5")
    seen = [x for x, _ in table.page.evaluate("frames_seen")]
    assert seen[0] == pytest.approx(end.x - 20, abs=1)
    assert seen[-1] == pytest.approx(end.x, abs=1)
    assert seen == sorted(seen)
    on_its_way = [above for x, above in table.page.evaluate("frames_seen") if x < end.x - 1]
    assert len(on_its_way) > 2
    assert all(on_its_way)
