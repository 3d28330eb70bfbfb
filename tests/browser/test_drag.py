"""Dragging with a mouse, a finger and a pen: where cards fall, what is shown meanwhile, and every way to let it be."""

from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Players, Sitting
from tests.browser.player import PHONE, Player
from tests.browser.pointers import Finger, Mouse, Pen, Pointer
from tests.browser.table import Table, of_class, until
from tests.web.records import EXAMPLES, FOUR_SUITS, ONE_SUIT, SCORPION

FIRST = [1, 7, 7]
"""A legal first move of :data:`ONE_SUIT`: a 5 onto a 6."""


def test_the_first_action_on_a_fresh_page_can_be_a_drag_onto_a_column_that_was_not_touched(sitting: Sitting) -> None:
    """#37, #46; SS-3."""
    table, pointer = sitting.at(ONE_SUIT)
    before = table.columns
    table.drag(FIRST, pointer)
    table.answered(1)
    before[7].append(before[1].pop())
    assert table.columns == before
    table.agrees()


def test_cards_fall_on_the_column_that_they_overlap_most_not_on_the_one_under_the_pointer(sitting: Sitting) -> None:
    """#35: the pointer is beside the column, and 60 % of the card over it."""
    table, pointer = sitting.at(ONE_SUIT)
    card, end = table.boxes([(1, 7), (7, None)])
    # The card is held at its left edge and lies 40 % too far to the left: the pointer is left of the column.
    x, y = card.x + 3, card.strip[1]
    to_x, to_y = x + (end.x - card.x) - 0.4 * card.width, y + (end.y - card.y)
    assert to_x < end.x - 5
    pointer.down(x, y)
    pointer.move((x + to_x) / 2, (y + to_y) / 2)
    pointer.move(to_x, to_y)
    pointer.up()
    table.answered(1)
    assert [len(column) for column in table.columns] == [8, 7, 8, 7, 6, 5, 4, 4, 2, 1]


LAST_STEP = """([x, y]) => {
    // The pointer's last step and its release, with no frame between them.
    const to = {clientX: x, clientY: y, pointerId: 1, isPrimary: true, button: 0, bubbles: true};
    document.querySelector(".tableau").dispatchEvent(new PointerEvent("pointermove", {...to, button: -1, buttons: 1}));
    document.querySelector(".tableau").dispatchEvent(new PointerEvent("pointerup", to));
}"""


def test_cards_fall_where_the_pointer_was_let_go_of_also_when_no_frame_has_shown_them_there(player: Player) -> None:
    """#35: a fast hand is at its place before the picture is."""
    table = player.table(ONE_SUIT)
    card, end = table.boxes([(1, 7), (7, None)])
    x, y = card.strip
    table.lift(1, 7, 40, 20, Mouse(table.page))
    table.page.evaluate(LAST_STEP, [x + end.x - card.x, y + end.y - card.y])
    table.answered(1)
    assert [len(column) for column in table.columns] == [8, 7, 8, 7, 6, 5, 4, 4, 2, 1]
    table.page.mouse.up()


def test_a_drop_far_below_a_short_column_is_a_drop_on_that_column(sitting: Sitting) -> None:
    """#35: a column reaches to the bottom of the table."""
    table, pointer = sitting.at(ONE_SUIT)
    card, end = table.boxes([(1, 7), (7, None)])
    table.lift(1, 7, end.x - card.x, 770 - card.strip[1], pointer)
    pointer.up()
    table.answered(1)
    assert [len(column) for column in table.columns] == [8, 7, 8, 7, 6, 5, 4, 4, 2, 1]


@pytest.mark.parametrize("way", [(8.0, 60.0), (0.0, -400.0)], ids=["on its own column", "nowhere"])
def test_a_drop_on_its_own_column_or_nowhere_puts_the_cards_back_and_sends_nothing(
    sitting: Sitting, way: tuple[float, float]
) -> None:
    """G-3, SS-8."""
    table, pointer = sitting.at(ONE_SUIT)
    before = table.columns
    box = table.box(1, 7)
    table.lift(1, 7, *way, pointer)
    expect(table.card(1, 7)).to_have_class(of_class("dragging"))
    pointer.up()
    expect(table.tableau.locator(".dragging")).to_have_count(0)
    expect(table.picked).to_have_count(0)
    table.rests()
    assert table.box(1, 7) == box
    assert table.columns == before
    the_next_move_works(table, sent=0)


def the_next_move_works(table: Table, sent: int) -> None:
    """Check that nothing was sent but this many actions, and that the table is alive."""
    assert len(table.posts) == sent
    version = table.version
    table.tap_move(table.legal[0])
    table.answered(version + 1)
    assert len(table.posts) == sent + 1
    table.agrees()


def test_a_group_is_dragged_whole_and_every_card_is_there_once(sitting: Sitting) -> None:
    """#10, #46; "shows all the cards of the group, and never a duplicate"."""
    table, pointer = sitting.at(SCORPION)
    column, at, _ = next(move for move in table.legal if len(table.columns[move[0]]) - move[1] >= 2)
    places = [(column, index) for index in range(at, len(table.columns[column]))]
    before = table.boxes(places)
    count = table.page.locator("#table input[name=lift], #table i").count()
    table.lift(column, at, 37, -25, pointer)
    expect(table.tableau.locator(".dragging")).to_have_count(len(places))
    # The cards that are drawn are the cards themselves, moved as far as the pointer was.
    for old, new in zip(before, table.boxes(places), strict=True):
        assert (round(new.x - old.x), round(new.y - old.y)) == (37, -25)
    assert table.page.locator("#table input[name=lift], #table i").count() == count
    assert table.page.locator("body > *").filter(has=table.page.locator(".SA")).count() == 1
    pointer.move(*table.box(column, at).strip)
    pointer.up()


def by_escape(table: Table) -> None:
    table.page.keyboard.press("Escape")


def by_blur(table: Table) -> None:
    table.page.evaluate("dispatchEvent(new Event('blur'))")


@pytest.mark.parametrize("give_up", [by_escape, by_blur])
def test_escape_and_the_loss_of_the_window_end_a_drag_as_if_it_had_not_begun(
    sitting: Sitting, give_up: Callable[[Table], None]
) -> None:
    """#43, #41."""
    table, pointer = sitting.at(ONE_SUIT)
    ends_without_a_move(table, lambda: give_up(table), pointer.up, pointer)


def test_the_release_of_a_drag_that_was_given_up_is_no_tap(player: Player) -> None:
    """#43: the pointer is over the very card again when it is let go of."""
    table = player.table(ONE_SUIT)
    x, y = table.lift(1, 7, 60, 60)
    table.page.keyboard.press("Escape")
    table.mouse.move(x - 60, y - 60)
    # The release comes long after the key, as a hand's does.
    table.page.evaluate("() => new Promise(done => setTimeout(done, 80))")
    table.mouse.up()
    table.page.evaluate("() => new Promise(done => setTimeout(done))")
    expect(table.tableau.locator("input:checked")).to_have_count(0)
    expect(table.picked).to_have_count(0)
    the_next_move_works(table, sent=0)


def test_a_tap_works_after_a_drag_that_was_let_go_of_outside_the_window(player: Player) -> None:
    """#41: its release was never heard."""
    table = player.table(ONE_SUIT)
    table.lift(1, 7, 60, 60)
    table.page.evaluate("dispatchEvent(new Event('blur'))")
    table.page.evaluate(
        "addEventListener('pointerup', event => event.stopImmediatePropagation(), {capture: true, once: true})"
    )
    table.mouse.move(2, 2)
    table.mouse.up()
    table.tap(1, 7)
    expect(table.card(1, 7)).to_be_checked()
    assert table.posts == []


def test_the_right_button_ends_a_drag_as_if_it_had_not_begun(player: Player) -> None:
    """#43."""
    table = player.table()
    ends_without_a_move(table, table.mouse.other_button, table.mouse.up)


def test_a_second_finger_ends_a_drag_as_if_it_had_not_begun(players: Players) -> None:
    """#41."""
    table = players(touch=True).table()
    finger = Finger(table.page)
    ends_without_a_move(table, lambda: finger.down(900, 700), finger.up, finger)


def test_a_cancelled_touch_ends_a_drag_and_leaves_no_ghost_and_a_live_table(players: Players) -> None:
    """#41."""
    table = players(touch=True).table()
    finger = Finger(table.page)
    ends_without_a_move(table, finger.cancel, lambda: None, finger)


def ends_without_a_move(
    table: Table, give_up: Callable[[], None], afterwards: Callable[[], None], pointer: Pointer | None = None
) -> None:
    """Drag a card over a column that would take it, give the drag up, and check that nothing came of it."""
    before, box = table.columns, table.box(1, 7)
    table.lift(1, 7, *table.way(FIRST), pointer)
    expect(table.tableau.locator(".dragging")).to_have_count(1)
    give_up()
    expect(table.tableau.locator(".dragging")).to_have_count(0)
    afterwards()
    expect(table.picked).to_have_count(0)
    assert table.columns == before
    table.rests()
    assert table.box(1, 7) == box
    the_next_move_works(table, sent=0)


def test_a_card_that_is_dragged_by_a_finger_does_not_scroll_the_page_and_the_background_does(
    players: Players,
) -> None:
    """#40."""
    table = players(size=(375, 300), touch=True, is_mobile=True).table()
    finger = Finger(table.page)
    scrolled = "() => scrollY"
    assert table.page.evaluate("() => document.documentElement.scrollHeight - innerHeight") > 60

    x, y = table.lift(9, 0, -20, 100, finger, steps=6)
    assert table.page.evaluate(scrolled) == 0
    finger.move(x, y - 200)
    finger.up()
    assert table.page.evaluate(scrolled) == 0

    # Below the short columns lies nothing but the background.
    x, y = table.box(9).x + 10, 280
    finger.down(x, y)
    for step in range(1, 7):
        finger.move(x, y - 25 * step)
    finger.up()
    until(table.page, "scrollY > 30")
    assert table.posts == []


def test_a_card_is_dragged_300_pixels_down_on_a_phone_and_the_page_stays(players: Players) -> None:
    """#40."""
    table = players(size=PHONE, touch=True, is_mobile=True).table()
    finger = Finger(table.page)
    table.lift(9, 0, 0, 300, finger, steps=6)
    assert table.page.evaluate("() => scrollY") == 0
    expect(table.card(9, 0)).to_have_class(of_class("dragging"))
    finger.up()
    assert table.posts == []


def test_a_finished_place_can_be_neither_dragged_from_nor_dropped_on(player: Player) -> None:
    """#6, G-2."""
    # The fifteenth move of the example removes the first run.
    table = player.table(EXAMPLES[0]["code"], EXAMPLES[0]["moves"][:15])
    place = table.page.locator(".places li").first.bounding_box()
    assert place
    before = table.columns
    table.mouse.down(place["x"] + 5, place["y"] + 5)
    table.mouse.move(400, 400)
    table.mouse.up()
    at = next(index for index, column in enumerate(before) if column)
    card = table.box(at, len(before[at]) - 1)
    table.lift(at, len(before[at]) - 1, place["x"] - card.x, place["y"] - card.y - 40)
    table.mouse.up()
    expect(table.tableau.locator(".dragging")).to_have_count(0)
    assert table.columns == before
    assert table.posts == []


def test_a_press_that_strays_a_few_pixels_is_a_tap(sitting: Sitting) -> None:
    """#34."""
    table, pointer = sitting.at(ONE_SUIT)
    x, y = table.box(1, 7).strip
    pointer.down(x, y)
    pointer.move(x + 3, y + 3)
    pointer.up()
    expect(table.card(1, 7)).to_be_checked()
    expect(table.picked).to_have_count(1)
    assert table.posts == []


def test_a_pen_that_hovers_moves_nothing(player: Player) -> None:
    """#46."""
    table = player.table(FOUR_SUITS)
    pen = Pen(table.page)
    x, y = table.box(0, 7).strip
    pen.move(x, y)
    pen.move(x + 200, y)
    expect(table.picked).to_have_count(0)
    assert table.posts == []


def test_the_table_that_is_resized_under_a_drag_sends_nothing_and_is_right_after_it(player: Player) -> None:
    """#56: twenty sizes while a card is dragged, then a drop where the column now is."""
    table = player.table()
    x, y = table.lift(1, 7, 30, 30)
    for step in range(20):
        table.page.set_viewport_size({"width": 700 + 40 * (step % 10), "height": 560 + 20 * (step % 7)})
    assert table.posts == []
    expect(table.tableau.locator(".dragging")).to_have_count(1)
    table.page.set_viewport_size({"width": 1000, "height": 700})
    card, end = table.boxes([(1, 7), (7, None)])
    table.mouse.move(x + end.x - card.x, y + end.y - card.y)
    table.mouse.up()
    table.answered(1)
    table.agrees()
    expect(table.tableau.locator("[style]:not([style=''])")).to_have_count(0)


def test_the_table_that_is_resized_while_idle_sends_nothing_and_stays_right(player: Player) -> None:
    """#56."""
    table = player.table()
    before = table.columns
    for step in range(20):
        table.page.set_viewport_size({"width": 320 + 97 * (step % 10), "height": 480 + 60 * (step % 7)})
    assert table.columns == before
    the_next_move_works(table, sent=0)
