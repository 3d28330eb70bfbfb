"""The keyboard alone: whole games, the focus, the letters, and where they do nothing."""

import pytest
from playwright.sync_api import expect

from tests.browser.player import Player
from tests.browser.table import Table
from tests.web.records import EXAMPLES, ONE_SUIT, SCORPION

EXAMPLE = EXAMPLES[0]


def walk(table: Table, column: int, at: int | None) -> None:
    """Go with the arrows from where the focus is to a card, or, without ``at``, to the end of a column."""
    press = table.page.keyboard.press
    here: list[int] = table.page.evaluate("""() => {
        const all = [...document.activeElement.parentElement.children];
        return [Number(all[0].parentElement.id.slice(1)), all.indexOf(document.activeElement), all.length];
    }""")
    # From an end one comes to an end.
    for _ in range(here[2] - 2 - here[1]):
        press("ArrowDown")
    for _ in range(abs(column - here[0])):
        press("ArrowRight" if column > here[0] else "ArrowLeft")
    end = table.column(column).locator("input").count() - 1
    for _ in range(0 if at is None else end - at):
        press("ArrowUp")


def test_a_whole_game_is_played_by_arrows_and_enter(player: Player) -> None:
    """As specified: "Keyboard": the focus is seen, and survives every answer."""
    table = player.table(EXAMPLE["code"])
    table.card(0, 7).focus()
    press = table.page.keyboard.press
    for number, (source, at, target) in enumerate(EXAMPLE["moves"]):
        walk(table, source, at)
        expect(table.card(source, at)).to_be_focused()
        press("Enter" if number % 2 else "Space")
        expect(table.card(source, at)).to_be_checked()
        walk(table, target, None)
        press("Enter")
        table.answered(number + 1)
        assert table.page.evaluate("() => document.activeElement.closest('.column') !== null"), number
    expect(table.page.get_by_role("heading", name="Voitit pelin!")).to_be_visible()
    expect(table.score).to_have_text("851")


def test_a_game_is_reached_and_begun_by_the_tab_key(player: Player) -> None:
    """WCAG 2.1.1: the cards are one stop of the Tab key, or a few, never out of reach."""
    table = player.table(ONE_SUIT)
    for _ in range(25):
        table.page.keyboard.press("Tab")
        if table.page.evaluate("() => document.activeElement.matches('#table .column > *')"):
            break
    assert table.page.evaluate("() => document.activeElement.matches('#table .column > *')")


def test_the_focus_is_seen_wherever_it_is(player: Player) -> None:
    """WCAG 2.4.7: a card, the button of an empty column, a command."""
    table = player.table(EXAMPLE["code"], EXAMPLE["moves"][:35])
    empty = next(index for index, column in enumerate(table.columns) if not column)
    full = next(index for index, column in enumerate(table.columns) if column)
    seen = """(element, part) => {
        const {outlineStyle, outlineWidth, boxShadow} = getComputedStyle(element, part);
        return [outlineStyle, outlineWidth, boxShadow].join();
    }"""
    table.page.keyboard.press("Tab")
    for one, part in (
        (table.card(full, 0), "::before"),
        (table.button(empty), ""),
        (table.page.locator("#undo"), ""),
    ):
        table.page.locator("h1").click()
        before = one.evaluate(seen, part)
        one.focus()
        table.page.keyboard.press("Shift")
        assert one.evaluate(seen, part) != before


def test_escape_lets_go_and_enter_on_the_card_in_the_hand_too(player: Player) -> None:
    """As specified: "Esc lets go"."""
    table = player.table(ONE_SUIT)
    table.card(1, 7).focus()
    for key in ("Escape", "Enter"):
        table.page.keyboard.press("Enter")
        expect(table.card(1, 7)).to_be_checked()
        table.page.keyboard.press(key)
        expect(table.card(1, 7)).not_to_be_checked()
        expect(table.picked).to_have_count(0)
    assert table.posts == []


@pytest.mark.parametrize("upper", [False, True], ids=["small letters", "Caps Lock"])
def test_a_letter_each_deals_undoes_and_redoes(player: Player, upper: bool) -> None:
    """Caps Lock makes no difference."""
    table = player.table(SCORPION)
    press = table.page.keyboard.press
    table.card(4, 6).focus()
    for number, key in enumerate("dur", 1):
        press(key.upper() if upper else key)
        table.answered(number)
    assert table.saved()["stock"] == 0
    assert [len(column) for column in table.columns] == [8, 8, 8, 7, 7, 7, 7]
    expect(table.card(4, 6)).to_be_focused()


@pytest.mark.parametrize("key", ["h", "H", "?"])
def test_a_letter_opens_the_sheet_of_keys_and_closes_it(player: Player, key: str) -> None:
    """As specified: "The keys on a help sheet"."""
    table = player.table(SCORPION)
    table.card(4, 6).focus()
    sheet = table.page.locator("#sheet")
    expect(sheet).to_be_hidden()
    table.page.keyboard.press(key)
    expect(sheet).to_be_visible()
    for word in ("kumoa", "tee uudelleen", "jaa varapakka", "uusi peli", "aloita alusta"):
        expect(sheet).to_contain_text(word)
    table.page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()


def test_a_letter_leads_to_a_new_game_and_another_starts_again(player: Player) -> None:
    """G-8."""
    table = player.table(SCORPION, ["deal"])
    table.card(4, 6).focus()
    table.page.keyboard.press("s")
    expect(table.moves).to_have_text("0")
    expect(table.page.locator("#deal")).to_be_enabled()
    table.card(4, 6).focus()
    table.page.keyboard.press("n")
    expect(table.page.get_by_role("group", name="Millä säännöillä?")).to_be_visible()


@pytest.mark.parametrize("modifier", ["Control", "Alt", "Meta"])
def test_with_a_modifier_a_letter_is_not_ours(player: Player, modifier: str) -> None:
    """As specified: "never with a modifier held"."""
    table = player.table(SCORPION, ["deal"])
    table.card(4, 6).focus()
    # The browser's own meaning of such keys, a new window say, is no business of the page: only the page hears them.
    table.form.evaluate(
        """(form, modifier) => {
        for (const key of ["u", "r", "d", "n", "s", "h", "ArrowLeft", "Enter"]) {
            const held = {ctrlKey: modifier === "Control", altKey: modifier === "Alt", metaKey: modifier === "Meta"};
            const event = new KeyboardEvent("keydown", {key, bubbles: true, cancelable: true, ...held});
            document.activeElement.dispatchEvent(event);
        }
    }""",
        modifier,
    )
    expect(table.card(4, 6)).to_be_focused()
    expect(table.page.locator("#sheet")).to_be_hidden()
    assert table.posts == []
    table.page.keyboard.press("u")
    table.answered(2)


def test_outside_the_table_a_letter_does_nothing(player: Player) -> None:
    """WCAG 2.1.4."""
    table = player.table(SCORPION, ["deal"])
    address = table.page.url
    table.page.locator(".top a").first.focus()
    for key in "urdnsh?":
        table.page.keyboard.press(key)
    expect(table.page.locator("#sheet")).to_be_hidden()
    assert table.posts == []
    assert table.page.url == address
    table.card(4, 6).focus()
    table.page.keyboard.press("u")
    table.answered(2)


def test_the_focus_stays_on_undo_while_it_is_pressed_again_and_again(player: Player) -> None:
    """As specified: "Visible focus that survives swaps"."""
    table = player.table(ONE_SUIT, EXAMPLE["moves"][:4])
    undo = table.page.locator("#undo")
    undo.focus()
    for number in range(1, 4):
        table.page.keyboard.press("Enter")
        table.answered(4 + number)
        expect(undo).to_be_focused()
    expect(table.moves).to_have_text("1")


def test_a_refused_move_by_keys_leaves_the_focus_on_the_table(player: Player) -> None:
    """As specified: "Keyboard": the hand is empty, and the next key works."""
    player.provokes("422")
    table = player.table(ONE_SUIT)
    table.card(2, 7).focus()
    table.page.keyboard.press("Enter")
    walk(table, 7, None)
    table.page.keyboard.press("Enter")
    expect(table.message.locator("strong")).to_be_visible()
    assert table.page.evaluate("() => document.activeElement.closest('.column') !== null")
    table.page.keyboard.press("ArrowRight")
    assert table.page.evaluate("() => document.activeElement.closest('.column') !== null")


def test_a_tap_after_esc_begins_anew(player: Player) -> None:
    """A card that was let go of is picked up again by the next tap, however soon, and goes nowhere."""
    table = player.table()
    column, at, _ = table.best[0]
    table.tap(column, at)
    expect(table.picked).not_to_have_count(0)
    table.page.keyboard.press("Escape")
    expect(table.picked).to_have_count(0)
    table.tap(column, at)
    expect(table.picked).not_to_have_count(0)
    assert table.posts == []
