"""Two people, each in a browser of their own: what one shares the other sees, and nothing more."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import Players
from tests.browser.player import Player
from tests.web.records import EXAMPLES, ONE_SUIT

EXAMPLE = EXAMPLES[0]
TOTAL = len(EXAMPLE["moves"])


@pytest.fixture
def owner(players: Players) -> Player:
    """A player who has won the example game."""
    return players()


@pytest.fixture
def friend(players: Players) -> Player:
    """Someone else, who reads English."""
    return players(language="en")


def test_a_won_game_is_shared_looked_at_and_withdrawn(owner: Player, friend: Player) -> None:
    """The replay shows every step to whoever has its address, and is gone when it is withdrawn."""
    game = owner.play_ahead(EXAMPLE["code"], EXAMPLE["moves"])
    page = owner.page(f"/games/{game['id']}/share")
    page.locator("main form button").click()
    address = page.locator("#share-address").input_value()

    seen = friend.page(address)
    expect(seen.locator("html")).to_have_attribute("lang", "en")
    expect(seen.locator("#onward")).to_have_count(0)
    seen.locator("#buttons .last").click()
    expect(seen.locator("#score")).to_have_text(str(EXAMPLE["final_score"]))
    seen.locator("#buttons .first").click()
    expect(seen.locator("#moves")).to_have_text(f"0 / {TOTAL}")
    for step in (1, 2, 3):
        seen.locator("#buttons .next").click()
        expect(seen.locator("#moves")).to_have_text(f"{step} / {TOTAL}")
        expect(seen.locator("#score")).to_have_text(str(EXAMPLE["scores"][step - 1]))
    assert friend.context.cookies() == []

    friend.provokes("404")
    page.locator("main form button").click()
    expect(page.locator("#share-address")).to_have_count(0)
    assert seen.goto(address).status == 404  # type: ignore[union-attr]


def test_the_address_of_a_game_leads_anyone_else_to_its_deal_alone(owner: Player, friend: Player) -> None:
    """What the owner did there is the owner's; the friend plays the very same cards from their start."""
    game = owner.play_ahead(ONE_SUIT, EXAMPLE["moves"][:5])
    for address in (f"/games/{game['id']}", f"/games/{game['id']}/look-back"):
        page = friend.page(address)
        if address.endswith("look-back"):
            assert game["id"] not in page.content()
        else:
            assert page.url.endswith(f"/play/{ONE_SUIT}")
            expect(page.locator("#moves")).to_have_text("0")
        page.close()
    assert friend.context.cookies() == []
    table = friend.table(ONE_SUIT)
    table.do(EXAMPLE["moves"][0])
    expect(table.moves).to_have_text("1")
    owners = owner.table(ONE_SUIT)
    expect(owners.moves).to_have_text("5")


@pytest.mark.parametrize("language", ["fi", "en"])
@pytest.mark.parametrize("width", [320, 390])
def test_on_a_phone_the_steps_of_a_game_take_two_rows_and_leave_the_rest_to_the_cards(
    players: Players, language: str, width: int
) -> None:
    player = players(language=language, size=(width, 640))
    game = player.play_ahead(EXAMPLE["code"], EXAMPLE["moves"])
    player.context.request.post(f"/games/{game['id']}/share")
    page = player.page(f"/games/{game['id']}/share")
    replay = page.locator("#share-address").input_value()
    for address in (replay, f"/games/{game['id']}/look-back"):
        page.goto(address)
        expect(page.locator("#slider button")).to_be_hidden()
        tops = page.locator("#steps > *").evaluate_all("all => all.map(one => one.getBoundingClientRect().bottom)")
        assert len(tops) == 3
        assert len({round(top) for top in tops}) == 2


def test_one_goes_on_from_a_point_of_an_old_game_and_the_old_one_stays(owner: Player) -> None:
    """A new attempt begins there, with the undo list of the moves before; the won game is won as before."""
    game = owner.play_ahead(EXAMPLE["code"], EXAMPLE["moves"])
    page = owner.page(f"/games/{game['id']}/look-back?at=10")
    expect(page.locator("#moves")).to_have_text(f"10 / {TOTAL}")
    page.locator("#onward button").click()
    expect(page.locator("#moves")).to_have_text("10")
    expect(page.locator("#score")).to_have_text(str(EXAMPLE["scores"][9]))
    page.locator("#undo").click()
    expect(page.locator("#moves")).to_have_text("9")
    old = owner.page(f"/games/{game['id']}")
    expect(old.locator("#won")).to_be_visible()
    games = owner.context.request.get("/api/games").json()["games"]
    assert [one["moves"] for one in games] == [9, TOTAL]
