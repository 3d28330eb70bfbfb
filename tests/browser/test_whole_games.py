"""Whole games in a real browser, to the win: by taps, by drags, without script."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Players
from tests.browser.player import Player
from tests.browser.pointers import Finger
from tests.browser.table import Table
from tests.web.records import EXAMPLES, KINDS, Record, name_of

EXAMPLE = EXAMPLES[0]
WON = {"fi": "Voitit pelin!", "en": "You won!"}


def shows_the_win(table: Table, record: Record, language: str = "fi") -> None:
    """Check that the page shows a won game with its figures."""
    expect(table.page.locator("#won").get_by_role("heading", name=WON[language])).to_be_visible()
    expect(table.score).to_have_text(str(record["final_score"]))
    expect(table.moves).to_have_text(str(record["n_moves"]))
    assert table.columns == [[] for _ in record["columns"]]


@pytest.mark.parametrize("language", ["fi", "en"])
def test_the_example_is_played_by_taps_to_851_points_and_the_win_is_shown_at_once_and_after_a_reload(
    players: Players, language: str
) -> None:
    """G-2, G-4, G-9, SS-3 to SS-6; #2."""
    table = players(language=language).table(EXAMPLE["code"])
    table.is_to_stay()

    for move, score in zip(EXAMPLE["moves"], EXAMPLE["scores"], strict=True):
        table.do(move)
        assert table.score.inner_text() == str(score)

    assert EXAMPLE["final_score"] == 851
    shows_the_win(table, EXAMPLE, language)
    table.has_stayed()
    assert table.saved()["status"] == "won"

    table.page.reload()
    shows_the_win(table, EXAMPLE, language)


def test_without_script_the_example_is_played_by_choosing_cards_and_pressing_columns(players: Players) -> None:
    """G-4, SS-3 to SS-6, "Plain form"."""
    table = players(java_script_enabled=False).table(EXAMPLE["code"])
    for source, at, target in EXAMPLE["moves"]:
        table.card(source, at).check()
        table.button(target).click()
    shows_the_win(table, EXAMPLE)
    table.page.reload()
    shows_the_win(table, EXAMPLE)


@pytest.mark.parametrize("record", KINDS, ids=name_of)
def test_a_game_of_every_kind_and_variant_is_played_by_drags_to_the_win(player: Player, record: Record) -> None:
    """G-2, G-4, SC-2 to SC-8, SS-3 to SS-6."""
    table = player.table(record["code"])
    for wish, score in zip(record["moves"], record["scores"], strict=True):
        table.do(wish, drag=True)
        assert table.score.inner_text() == str(score).replace("-", "−")
    shows_the_win(table, record)


def test_a_whole_game_is_played_by_taps_on_a_small_touch_phone(players: Players) -> None:
    """#49; WCAG 2.5.8: where a strip is lower than 24 pixels, the first tap on it spreads the column."""
    table = players(size=(320, 568), touch=True, is_mobile=True, device_scale_factor=2).table(EXAMPLE["code"])
    finger = Finger(table.page)
    for source, at, target in EXAMPLE["moves"]:
        version = table.version
        small = table.box(source, at).height < 24
        table.tap(source, at, finger)
        if small:
            expect(table.column(source)).to_have_class("column spread")
            assert table.box(source, at).height >= 24
            table.tap(source, at, finger)
        expect(table.card(source, at)).to_be_checked()
        table.tap(target, pointer=finger)
        table.answered(version + 1)
    shows_the_win(table, EXAMPLE)


def test_double_tap_undo_redo_and_the_stock_need_no_page_load(player: Player) -> None:
    """G-6, G-7, SC-6, SC-9; #47."""
    table = player.table("SC1-R-AAAAABE")
    table.is_to_stay()
    start = table.columns

    table.do("deal")
    dealt = table.columns
    assert [len(column) for column in dealt] == [8, 8, 8, 7, 7, 7, 7]
    expect(table.page.locator("#deal")).to_be_disabled()
    column, at, _ = table.best[0]
    table.do(["auto", column, at])
    moved = table.columns
    assert moved != dealt
    table.do("undo")
    assert table.columns == dealt
    table.do("undo")
    assert table.columns == start
    expect(table.page.locator("#undo")).to_be_disabled()
    table.do("redo")
    table.do("redo")
    assert table.columns == moved
    table.agrees()
    expect(table.page.locator("#redo")).to_be_disabled()
    table.has_stayed()
