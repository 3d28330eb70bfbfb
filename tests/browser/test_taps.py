"""Taps and double taps."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Players, Sitting
from tests.browser.player import PHONE, Player
from tests.browser.pointers import Finger
from tests.web.records import FOUR_SUITS, ONE_SUIT

# The only card of FOUR_SUITS that has a same-suit place is the 5 of diamonds, on its way from column 10 to 7.


def test_a_tapped_card_is_picked_up_and_lies_on_the_column_that_is_tapped_next(sitting: Sitting) -> None:
    """#49."""
    table, pointer = sitting.at(ONE_SUIT)
    table.tap(1, 7, pointer)
    expect(table.card(1, 7)).to_be_checked()
    expect(table.picked).to_have_count(1)
    table.tap(7, pointer=pointer)
    table.answered(1)
    expect(table.picked).to_have_count(0)
    table.agrees()


def test_a_tap_on_the_card_in_the_hand_or_beside_the_table_lets_go_of_it(player: Player) -> None:
    """As specified: "Tap again or Esc to let go"."""
    table = player.table()
    table.tap(1, 7)
    expect(table.picked).to_have_count(1)
    # A second tap is not the second of a double tap when it comes late; here the first was on another card.
    table.tap(1, 6)
    expect(table.card(1, 6)).to_be_checked()
    table.page.keyboard.press("Escape")
    expect(table.picked).to_have_count(0)
    table.tap(1, 7)
    expect(table.picked).to_have_count(1)
    table.page.locator("h1").click()
    expect(table.picked).to_have_count(0)
    expect(table.tableau.locator("input:checked")).to_have_count(0)
    assert table.posts == []


@pytest.mark.parametrize("wobble", [0, 3])
def test_a_double_tap_sends_the_card_to_its_best_column_even_when_the_hand_strays_by_3_pixels(
    sitting: Sitting, wobble: int
) -> None:
    """#34, SS-7: afterwards the page agrees with the server, and undo takes it back."""
    deal = "SS1-S4-AAAAABD"
    table, pointer = sitting.at(deal)
    column, at, target = table.best[0]
    before = table.columns
    table.double_tap(column, at, pointer, wobble)
    table.answered(1)
    assert table.columns[target] == before[target] + before[column][at:]
    table.agrees()
    table.do("undo")
    assert table.columns == before


def test_a_double_tap_without_a_good_place_moves_nothing_and_costs_nothing(player: Player) -> None:
    """#22, SS-7, G-10."""
    player.provokes("422")
    table = player.table(FOUR_SUITS, [[2, 7, 9]])
    table.do("undo")
    before = table.columns
    ends = [[column, len(cards) - 1] for column, cards in enumerate(before)]
    column, at = next(end for end in ends if end not in [move[:2] for move in table.best])
    table.double_tap(column, at)
    expect(table.message).to_contain_text("Näille korteille ei löydy paikkaa")
    assert table.columns == before
    expect(table.moves).to_have_text("0")
    expect(table.score).to_have_text("500")
    expect(table.page.locator("#undo")).to_be_disabled()
    expect(table.page.locator("#redo")).to_be_enabled()


def test_quick_taps_zoom_neither_cards_nor_buttons_and_pinching_still_may(players: Players) -> None:
    """#45; WCAG 1.4.4."""
    player = players(size=PHONE, touch=True, is_mobile=True)
    player.provokes("422")
    table = player.table(ONE_SUIT, [[1, 7, 7]])
    finger = Finger(table.page)
    touch = "e => getComputedStyle(e).touchAction"
    for one in (table.card(3, 6), table.button(3), table.page.locator("#undo")):
        assert one.evaluate(touch) in ("manipulation", "pinch-zoom", "pan-x pan-y pinch-zoom")
    undo = table.page.locator("#undo").bounding_box()
    assert undo
    for _ in range(5):
        table.double_tap(3, 6, finger)
        for _ in range(2):
            table.press(undo["x"] + undo["width"] / 2, undo["y"] + undo["height"] / 2, finger)
    assert table.page.evaluate("() => visualViewport.scale") == 1
    viewport = table.page.locator("meta[name=viewport]").get_attribute("content") or ""
    assert "user-scalable" not in viewport
    assert "maximum-scale" not in viewport


def test_taps_that_a_busy_page_hears_late_mean_what_they_would_have_meant_in_time(player: Player) -> None:
    """#34: three of them come in one moment; the third one touches a new place, and is no double tap."""
    table = player.table()
    table.page.route("**/play/**", lambda route: None if route.request.method == "POST" else route.continue_())
    cards = [table.card(*place).element_handle() for place in ((1, 7), (7, 2), (7, 2))]
    with table.page.expect_request(lambda request: request.method == "POST"):
        table.page.evaluate("cards => cards.forEach(card => card.click())", cards)
    expect(table.card(7, 2)).to_be_checked()
    expect(table.picked).to_have_count(2)
    assert len(table.posts) == 1
    table.page.unroute_all(behavior="ignoreErrors")


def test_two_taps_that_put_a_card_down_and_touch_its_new_place_again_are_no_double_tap(player: Player) -> None:
    """#34: an unsteady hand taps the target twice; the cards stay where the first of these taps put them."""
    table = player.table()
    table.page.route("**/play/**", lambda route: None if route.request.method == "POST" else route.continue_())
    table.tap(1, 7)
    x, y = table.box(7, 2).strip
    table.press(x, y)
    table.press(x, y)
    expect(table.card(7, 2)).to_be_checked()
    expect(table.picked).to_have_count(2)
    assert len(table.posts) == 1
    table.page.unroute_all(behavior="ignoreErrors")
