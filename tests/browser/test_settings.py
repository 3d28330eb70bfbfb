"""Settings: each chosen on the page of settings, at once in force, and kept."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Players
from tests.browser.player import Player
from tests.browser.table import Table, of_class
from tests.web.records import FOUR_SUITS, ONE_SUIT


def choose(page: Page, setting: str, value: str) -> None:
    """Choose a value by its name on the page of settings, and save."""
    page.goto("/settings")
    page.get_by_role("group", name=setting, exact=True).get_by_role("radio", name=value, exact=True).check()
    page.get_by_role("button", name="Tallenna").click()
    chosen = page.get_by_role("group", name=setting, exact=True).get_by_role("radio", name=value, exact=True)
    expect(chosen).to_be_checked()


def look(one: Locator, what: str, part: str = "") -> str:
    """Return how an element is drawn, or a part of it such as ``::before``."""
    found: str = one.evaluate("(e, [what, part]) => getComputedStyle(e, part)[what]", [what, part])
    return found


@pytest.mark.parametrize("script", [True, False], ids=["with script", "without script"])
@pytest.mark.parametrize(
    ("setting", "value", "name", "word"),
    [
        ("Kaksoisnapautus", "Pois", "double-tap", "off"),
        ("Automaattinen sijoittelu", "Päällä", "automatic", "on"),
        ("Sijoitteluapu", "Pois", "help", "off"),
        ("Vuorovaikutteiset säännöt", "Pois", "rules", "off"),
        ("Ulkoasu", "Tumma", "theme", "dark"),
        ("Neljä väriä", "Päällä", "suits", "four"),
        ("Vasenkätinen", "Päällä", "hand", "left"),
        ("Animaatiot", "Pois", "motion", "off"),
    ],
)
def test_every_setting_is_chosen_by_name_in_force_at_once_and_kept(
    players: Players, setting: str, value: str, name: str, word: str, script: bool
) -> None:
    """As specified: "Settings", SS-7 to SS-9: the page tells its script and its looks by an attribute."""
    player = players(java_script_enabled=script)
    page = player.page()
    choose(page, setting, value)
    root = page.locator("html")
    expect(root).to_have_attribute(f"data-{name}", word)
    page.close()
    fresh = player.page(f"/play/{ONE_SUIT}")
    expect(fresh.locator("html")).to_have_attribute(f"data-{name}", word)
    fresh.goto("/settings")
    group = fresh.get_by_role("group", name=setting, exact=True)
    expect(group.get_by_role("radio", name=value, exact=True)).to_be_checked()


def test_the_defaults_are_those_of_the_source(player: Player) -> None:
    """SS-7, SS-8, SS-9."""
    page = player.page("/settings")
    for setting, value in (
        ("Kaksoisnapautus", "Päällä"),
        ("Automaattinen sijoittelu", "Pois"),
        ("Sijoitteluapu", "Päällä"),
        ("Vuorovaikutteiset säännöt", "Päällä"),
        ("Ulkoasu", "Laitteen mukaan"),
        ("Neljä väriä", "Pois"),
        ("Vasenkätinen", "Pois"),
        ("Animaatiot", "Laitteen mukaan"),
        ("Kieli", "Suomi"),
    ):
        group = page.get_by_role("group", name=setting, exact=True)
        expect(group.get_by_role("radio", name=value, exact=True)).to_be_checked()


def test_the_language_is_chosen_and_kept_on_every_page_and_the_table_speaks_it(player: Player) -> None:
    """As specified: "Language"."""
    page = player.page("/settings")
    page.get_by_role("group", name="Kieli").get_by_role("radio", name="English").check()
    page.get_by_role("button", name="Tallenna").click()
    expect(page.get_by_role("heading", name="Settings")).to_be_visible()
    table = player.table(ONE_SUIT)
    expect(table.page.locator("html")).to_have_attribute("lang", "en")
    table.do([1, 7, 7])
    expect(table.message).to_contain_text("5 of spades → column 8.")


def test_without_double_tap_a_second_tap_lets_go_and_sends_nothing(player: Player) -> None:
    """SS-7."""
    player.choose(double_tap="off")
    table = player.table(FOUR_SUITS)
    source, at, _ = table.best[0]
    table.double_tap(source, at)
    expect(table.picked).to_have_count(0)
    table.tap(source, at)
    expect(table.card(source, at)).to_be_checked()
    assert table.posts == []


def drop_in_the_head(table: Table, source: int, at: int) -> None:
    """Drag a card to where no column is."""
    box = table.box(source, at)
    table.lift(source, at, 0, 2 - box.strip[1] - box.height - 200)
    table.mouse.up()


def test_with_automatic_placement_a_drop_on_no_column_goes_to_the_best_place(player: Player) -> None:
    """SS-8."""
    player.choose(automatic="on")
    table = player.table(FOUR_SUITS)
    source, at, target = table.best[0]
    before = table.columns
    drop_in_the_head(table, source, at)
    table.answered(1)
    assert table.columns[target] == before[target] + before[source][at:]
    table.agrees()


def test_with_automatic_placement_a_drop_on_a_column_that_does_not_take_it_goes_to_the_best_place(
    player: Player,
) -> None:
    """SS-8."""
    player.choose(automatic="on")
    table = player.table(FOUR_SUITS)
    source, at, target = table.best[0]
    before = table.columns
    wrong = next(column for column in range(9, -1, -1) if column != source and [source, at, column] not in table.legal)
    table.drag([source, at, wrong])
    table.answered(1)
    assert table.columns[target] == before[target] + before[source][at:]
    table.agrees()


def test_with_automatic_placement_a_drop_on_a_column_that_takes_it_stays_there(player: Player) -> None:
    """SS-8: a place of another suit is as good when the player chose it."""
    player.choose(automatic="on")
    table = player.table(FOUR_SUITS)
    best = {(source, at): target for source, at, target in table.best}
    source, at, target = next(move for move in table.legal if best.get((move[0], move[1])) not in (None, move[2]))
    before = table.columns
    table.drag([source, at, target])
    table.answered(1)
    assert table.columns[target] == before[target] + before[source][at:]


def test_with_automatic_placement_a_drop_on_its_own_column_goes_back_and_sends_nothing(player: Player) -> None:
    """SS-8."""
    player.choose(automatic="on")
    table = player.table(FOUR_SUITS)
    source, at, _ = table.best[0]
    before = table.columns
    table.lift(source, at, 5, 40)
    table.mouse.up()
    expect(table.tableau.locator(".dragging")).to_have_count(0)
    assert table.columns == before
    assert table.posts == []


def test_with_automatic_placement_cards_without_a_good_place_go_back_and_the_rule_is_told(player: Player) -> None:
    """SS-8, G-10."""
    player.provokes("422")
    player.choose(automatic="on")
    table = player.table(FOUR_SUITS)
    placed = [move[:2] for move in table.best]
    before = table.columns
    source, at = next([c, len(cards) - 1] for c, cards in enumerate(before) if [c, len(cards) - 1] not in placed)
    drop_in_the_head(table, source, at)
    expect(table.message.locator("strong")).to_have_text("Näille korteille ei löydy paikkaa muista sarakkeista")
    assert table.columns == before
    expect(table.moves).to_have_text("0")


def test_the_columns_that_take_the_card_are_lit_while_it_is_dragged_and_while_it_is_picked_up(player: Player) -> None:
    """SS-9."""
    table = player.table(FOUR_SUITS)
    source, at, _ = table.legal[0]
    targets = {target for one, place, target in table.legal if [one, place] == [source, at]}
    end = table.column(min(targets)).locator("input").last
    unlit = look(end, "boxShadow", "::before")

    table.lift(source, at, 10, 30)
    lit = table.tableau.locator(".target").evaluate_all("all => all.map(one => one.id)")
    assert set(lit) == {f"c{target}" for target in targets}
    assert look(end, "boxShadow", "::before") != unlit
    table.page.keyboard.press("Escape")
    table.mouse.up()
    expect(table.tableau.locator(".target")).to_have_count(0)
    assert look(end, "boxShadow", "::before") == unlit

    table.tap(source, at)
    expect(table.column(min(targets))).to_have_class(of_class("target"))
    assert look(end, "boxShadow", "::before") != unlit


def test_without_placement_help_no_column_looks_different_while_a_card_is_in_the_hand(player: Player) -> None:
    """SS-9."""
    player.choose(help="off")
    table = player.table(FOUR_SUITS)
    source, at, target = table.legal[0]
    end = table.column(target).locator("input").last
    unlit = [look(end, what, "::before") for what in ("boxShadow", "outline", "backgroundColor", "borderColor")]
    table.tap(source, at)
    expect(table.card(source, at)).to_be_checked()
    assert unlit == [look(end, what, "::before") for what in ("boxShadow", "outline", "backgroundColor", "borderColor")]


def test_without_interactive_rules_a_refused_move_goes_back_without_a_word_to_see_and_with_one_to_hear(
    player: Player,
) -> None:
    """SS-9, "A refused move"."""
    player.provokes("422")
    player.choose(rules="off")
    table = player.table(ONE_SUIT)
    before = table.columns
    table.drag([2, 7, 7])
    told = table.message.get_by_text("Siirto hylättiin.")
    expect(told).to_be_attached()
    box = told.bounding_box()
    assert box
    assert max(box["width"], box["height"]) <= 1
    expect(table.message).to_have_attribute("role", "status")
    assert table.columns == before
    assert "Sääntö" not in table.message.inner_text()


@pytest.mark.parametrize(
    ("theme", "device", "dark"),
    [
        ("device", "light", False),
        ("device", "dark", True),
        ("light", "dark", False),
        ("dark", "light", True),
    ],
)
def test_the_appearance_is_that_of_the_device_unless_it_is_chosen(
    players: Players, theme: str, device: str, dark: bool
) -> None:
    """As specified: "Appearance"."""
    player = players(color_scheme=device)
    player.choose(theme=theme)
    page = player.page("/settings")
    colour = [int(part) for part in look(page.locator("body"), "backgroundColor")[4:-1].split(",")]
    assert (sum(colour) < 200) is dark


def test_four_colours_give_each_suit_a_colour_of_its_own_and_two_do_not(players: Players) -> None:
    """#54."""
    colours = []
    for suits in ("two", "four"):
        player = players()
        player.choose(suits=suits)
        table = player.table(FOUR_SUITS)
        found = [look(table.tableau.locator(f"[class^={suit}]").first, "color", "::before") for suit in "SHDC"]
        colours.append(len(set(found)))
    assert colours == [2, 4]


def test_a_left_handed_table_is_mirrored_and_played_the_same(player: Player) -> None:
    """As specified: "Left-handed table (mirrored)"."""
    player.choose(hand="left")
    table = player.table(ONE_SUIT)
    boxes = table.boxes([(column, None) for column in range(10)])
    assert [box.x for box in boxes] == sorted((box.x for box in boxes), reverse=True)
    table.drag([1, 7, 7])
    table.answered(1)
    table.do([2, 6, 3])
    table.agrees()
    # The arrows follow the eye: the second column is to the left of the first.
    table.card(0, 7).focus()
    table.page.keyboard.press("ArrowLeft")
    expect(table.card(1, 6)).to_be_focused()


@pytest.mark.parametrize(
    ("motion", "device", "moves"),
    [
        ("device", "no-preference", True),
        ("device", "reduce", False),
        ("on", "reduce", True),
        ("off", "no-preference", False),
    ],
)
def test_cards_glide_only_where_the_setting_or_else_the_device_wants_it(
    players: Players, motion: str, device: str, moves: bool
) -> None:
    """As specified: "Motion"; ``prefers-reduced-motion``."""
    player = players(reduced_motion=device)
    player.choose(motion=motion)
    table = player.table(ONE_SUIT)
    table.form.evaluate("""form => {
        window.glides = 0;
        const animate = Element.prototype.animate;
        Element.prototype.animate = function (...all) { glides += 1; return animate.apply(this, all); };
    }""")
    table.do([1, 7, 7])
    expect(table.message).to_contain_text("Pata 5 → sarake 8.")
    assert (table.page.evaluate("() => window.glides") > 0) is moves
