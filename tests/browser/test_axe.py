"""axe-core on every page: both languages, light and dark, the table at its start, in the middle and won."""

from functools import cache
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Players
from tests.browser.player import DESKTOP, Player
from tests.web.records import EXAMPLES, ONE_SUIT, SCORPION

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]

PAGES = {
    "front": "/",
    "new Simple Simon": "/new/simple-simon",
    "new Scorpion": "/new/scorpion",
    "games": "/games",
    "won games": "/games?shown=won",
    "a game deleted": "/games?deleted={deleted}",
    "looking back at the deal": "/games/{won}/look-back",
    "looking back in the middle": "/games/{won}/look-back?at=30",
    "looking back at the win": "/games/{won}/look-back?at=49",
    "looking back at a game in progress": "/games/{begun}/look-back?at=1",
    "looking back at hidden cards": "/games/{other}/look-back",
    "looking back on Scorpion": "/games/{other}/look-back?at=60",
    "nothing to share yet": "/games/{begun}/share",
    "to be shared": "/games/{other}/share",
    "shared": "/games/{won}/share",
    "a replay": "{replay}?at=20",
    "rules of Simple Simon": "/rules/simple-simon",
    "rules of Scorpion": "/rules/scorpion",
    "help": "/help",
    "settings": "/settings",
    "statistics": "/statistics",
    "deals of the days": "/daily",
    "example of Simple Simon": "/examples/simple-simon?step=20",
    "example of Scorpion": "/examples/scorpion?step=35",
    "privacy": "/privacy",
    "my data": "/my-data",
    "deleting my data": "/my-data/delete",
    "JSON": "/docs",
    "no such page": "/no/such/page",
    "no such code": "/play/SS9-S1-AAAAABD",
}

RUN = """async only => {
    const found = await axe.run(document, {
        runOnly: only, rules: {"target-size": {enabled: true}}, resultTypes: ["violations"],
    });
    const told = node => `${node.target} ${node.failureSummary}`;
    return found.violations.map(one => [one.id, ...one.nodes.slice(0, 4).map(told)]);
}"""


@cache
def axe() -> str:
    """Return the source of axe-core."""
    return (Path(__file__).parent / "vendor" / "axe.min.js").read_text(encoding="utf-8")


def violations(page: Page) -> list[Any]:
    """Return what axe-core finds wrong on a page by day, and in its colours by night."""
    # What DevTools evaluates is no script of the page, so that its CSP holds, and is tested, as it is.
    page.evaluate(axe())
    page.emulate_media(color_scheme="light")
    found: list[Any] = page.evaluate(RUN, {"type": "tag", "values": TAGS})
    page.emulate_media(color_scheme="dark")
    # Nothing but colours changes with the night.
    found += page.evaluate(RUN, {"type": "rule", "values": ["color-contrast"]})
    return found


@pytest.mark.parametrize("language", ["fi", "en"])
def test_no_page_breaks_a_rule(players: Players, language: str) -> None:
    """WCAG 2.2 AA."""
    player = players(language=language)
    player.provokes("404")
    won, other = (player.play_ahead(record["code"], record["moves"])["id"] for record in EXAMPLES)
    begun = player.play_ahead(SCORPION, ["deal"])["id"]
    deleted = player.play_ahead(ONE_SUIT, [[1, 7, 7]])["id"]
    player.context.request.post(f"/games/{deleted}/delete")
    player.context.request.post(f"/games/{won}/share")
    page = player.page(f"/games/{won}/share")
    replay = page.locator("#share-address").input_value()
    wrong = {}
    for name, address in PAGES.items():
        page.goto(address.format(won=won, other=other, begun=begun, deleted=deleted, replay=replay))
        expect(page.locator("html")).to_have_attribute("lang", language)
        if found := violations(page):
            wrong[name] = found
    assert wrong == {}


# What is picked up, refused or opened differs from game to game in nothing that a rule of axe-core could see.
@pytest.mark.parametrize("size", [DESKTOP, (360, 640)], ids=["desktop", "phone"])
@pytest.mark.parametrize("language", ["fi", "en"])
def test_no_table_breaks_a_rule_at_its_start_in_the_middle_and_won(
    players: Players, language: str, size: tuple[int, int]
) -> None:
    """WCAG 2.2 AA: with a card in the hand, with a refusal, and with the sheet of keys too."""
    player = players(language=language, size=size, reduced_motion="reduce")
    player.provokes("422")
    wrong = {}
    for record in EXAMPLES:
        code, moves = record["code"], record["moves"]
        for name, ahead in (("start", None), ("middle", moves[: len(moves) * 2 // 3]), ("won", moves)):
            table = player.table(code, ahead)
            if found := violations(table.page):
                wrong[f"{code} {name}"] = found
            table.page.close()
    table = player.table(ONE_SUIT, [[1, 7, 7]])
    table.tap(2, 7)
    expect(table.card(2, 7)).to_be_checked()
    if found := violations(table.page):
        wrong["a card in the hand"] = found
    table.tap(7)
    expect(table.message.locator("strong")).to_be_visible()
    if found := violations(table.page):
        wrong["a refusal"] = found
    table.card(2, 7).focus()
    table.page.keyboard.press("h")
    expect(table.page.locator("#sheet")).to_be_visible()
    if found := violations(table.page):
        wrong["the sheet of keys"] = found
    assert wrong == {}


def test_axe_sees_what_is_wrong(player: Player) -> None:
    """The test of the test: a small, nameless button beside another is found."""
    page = player.page("/help")
    page.evaluate("""() => document.querySelector("main").insertAdjacentHTML("beforeend",
        "<button id=a></button><button id=b>b</button>")""")
    page.evaluate("""() => { for (const id of ["a", "b"]) Object.assign(document.getElementById(id).style,
        {width: "10px", height: "10px", minHeight: 0, padding: 0}); }""")
    assert {one[0] for one in violations(page)} >= {"button-name", "target-size"}
