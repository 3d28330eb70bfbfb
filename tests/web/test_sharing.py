"""Sharing a deal: its address on the table and at the win, its preview, its picture, and what a friend's visit does."""

from collections.abc import Callable, Iterator
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser as Chromium
from playwright.sync_api import Page as Tab
from playwright.sync_api import expect, sync_playwright

from app.engine.cards import LETTERS
from app.engine.codes import parse_code
from app.engine.position import Position
from app.web.preview import HEIGHT, WIDTH, table_picture
from tests.services import chromium_path, serve
from tests.web.page import Page
from tests.web.records import EXAMPLES, FOUR_SUITS, LOOP, SCORPION, WON, hidden
from tests.web.site import Browser, Site, body

LANGUAGES = ["fi", "en"]


def meta(page: Page) -> dict[str, str]:
    """Return the Open Graph of a page."""
    return {one["property"]: one["content"] for one in page.root.all("meta") if "property" in one.attributes}


# The preview


@pytest.mark.parametrize("code", [FOUR_SUITS, SCORPION])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_deals_link_shows_a_chat_its_title_a_description_and_a_picture(site: Site, language: str, code: str) -> None:
    """Whoever makes the preview is a stranger: the addresses are whole, and no row is written."""
    before = site.rows
    page = site.browser(language).open(f"/play/{code}")
    shown = meta(page)
    game, rules = {
        (FOUR_SUITS, "fi"): ("Simple Simon", "4 maata"),
        (FOUR_SUITS, "en"): ("Simple Simon", "4 suits"),
        (SCORPION, "fi"): ("Scorpion", "klassiset säännöt"),
        (SCORPION, "en"): ("Scorpion", "classic rules"),
    }[code, language]
    assert shown["og:title"] == f"{game}, {rules}"
    assert code in shown["og:description"]
    assert shown["og:url"] == f"http://pasianssi.test/play/{code}"
    assert shown["og:image"] == f"http://pasianssi.test/play/{code}/picture.png"
    assert (shown["og:image:width"], shown["og:image:height"]) == ("1200", "630")
    assert code in shown["og:image:alt"]
    assert (shown["og:locale"], shown["og:locale:alternate"]) == {
        "fi": ("fi_FI", "en_GB"),
        "en": ("en_GB", "fi_FI"),
    }[language]
    assert page.root.all("meta", name="twitter:card")[0]["content"] == "summary_large_image"
    assert page.root.all("link", rel="canonical")[0]["href"] == shown["og:url"]
    assert site.browser().get(shown["og:image"]).status_code == 200
    assert site.rows == before


@pytest.mark.parametrize(
    ("host", "site_name"),
    [
        ("example.org", "http://example.org"),
        ("example.org:8443", "http://example.org:8443"),
        ("192.168.1.5:8000", "http://192.168.1.5:8000"),
        ("[::1]:8000", "http://[::1]:8000"),
        *((bad, "http://pasianssi.test:80") for bad in ('"><script>', "a b", "[", "a@b", "x/y", "")),
    ],
)
def test_the_shared_address_is_that_of_the_reader_and_never_what_is_no_name(
    client: Browser, host: str, site_name: str
) -> None:
    response = client.get(f"/play/{FOUR_SUITS}", headers={"Host": host})
    assert response.status_code == 200
    assert meta(Page(response))["og:url"].removesuffix(f"/play/{FOUR_SUITS}") in (site_name, "http://pasianssi.test")
    assert "<script>" not in response.text


def test_over_https_the_shared_address_is_https(site: Site) -> None:
    page = site.browser(address="https://pasianssi.test").open(f"/play/{FOUR_SUITS}")
    assert meta(page)["og:url"].startswith("https://pasianssi.test/play/")
    assert page.id("share-address")["value"] == f"https://pasianssi.test/play/{FOUR_SUITS}"


# The picture


@pytest.mark.parametrize("code", [FOUR_SUITS, SCORPION, "SS1-S1-AAAAAAA", "SC1-R-ZZZZZZZ"])
def test_the_picture_of_a_deal_is_a_png_that_is_kept(client: Browser, code: str) -> None:
    response = client.get(f"/play/{code}/picture.png")
    assert (response.status_code, response.headers["content-type"]) == (200, "image/png")
    assert response.headers["cache-control"] == "public, max-age=2592000"
    assert len(response.content) < 100_000
    with Image.open(BytesIO(response.content)) as picture:
        assert (picture.format, picture.size) == ("PNG", (WIDTH, HEIGHT))
    head = client.ask("HEAD", f"/play/{code}/picture.png")
    assert (head.status_code, head.content) == (200, b"")
    assert client.cookie is None


def test_the_picture_holds_nothing_of_the_hidden_cards() -> None:
    """G-11: two deals that differ only in what nobody may see have the same picture; others have not."""
    position = parse_code(SCORPION).deal()
    columns = (position.columns[0][2::-1] + position.columns[0][3:], *position.columns[1:])
    unseen = Position(columns, position.down, position.stock[::-1])
    assert unseen != position
    assert table_picture("x", "y", unseen) == table_picture("x", "y", position)
    seen = Position((position.columns[0][:-1] + LETTERS["AC"], *position.columns[1:]), position.down, position.stock)
    assert table_picture("x", "y", seen) != table_picture("x", "y", position)


@pytest.mark.parametrize(
    ("address", "status", "leads"),
    [
        (f"/play/{SCORPION.lower()}/picture.png", 301, f"/play/{SCORPION}/picture.png"),
        ("/play/SS1-S3-AAAAABD/picture.png", 404, None),
        ("/play/x/picture.png", 404, None),
        (f"/play/{'A' * 2000}/picture.png", 404, None),
        ("/play/%00/picture.png", 404, None),
        (f"/play/{SCORPION}/picture.jpg", 301, f"/play/{SCORPION}"),
    ],
)
def test_a_picture_of_no_deal_is_not_there(client: Browser, address: str, status: int, leads: str | None) -> None:
    response = client.get(address)
    assert (response.status_code, response.headers.get("location")) == (status, leads)


# On the table and at the win


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_and_the_win_share_the_deals_address_without_script_too(site: Site, language: str) -> None:
    """#65: a button opens the sheet, whose field holds the address, on the very answer that wins."""
    name = {"fi": "Jaa linkki", "en": "Share the deal"}[language]
    client = site.browser(language)
    page = client.open(f"/play/{SCORPION}")
    openers = [button for button in page.root.all("button", popovertarget="share") if button.text == name]
    assert [button["type"] for button in openers] == ["button"]
    assert page.id("share-address")["value"] == f"http://pasianssi.test/play/{SCORPION}"
    for move in EXAMPLES[1]["moves"][:-1]:
        response = client.submit(page, move, htmx=True)
        page.swap(Page(response))
    assert not page.id("outcome").all("button")
    page.swap(Page(client.submit(page, EXAMPLES[1]["moves"][-1], htmx=True)))
    won = page.id("won")
    assert [button.text for button in won.all("button", popovertarget="share")] == [name]
    game = next(link["href"] for link in client.open("/games").root.all("a") if link["href"].startswith("/games/"))
    assert client.open(game).id("share-address")["value"] == f"http://pasianssi.test/play/{SCORPION}"


def test_a_friends_visit_writes_nothing_until_the_first_move(site: Site, client: Browser) -> None:
    """What the owner did is not to be seen: the friend gets the cards dealt."""
    client.play(client.begin(SCORPION), *EXAMPLES[1]["moves"][:20])
    before, friend = site.rows, site.browser("en")
    page = friend.open(f"/play/{SCORPION}")
    friend.get(f"/play/{SCORPION}/picture.png")
    assert (page.moves, page.columns) == (0, hidden(EXAMPLES[1]["columns"]))
    assert friend.cookie is None
    assert site.rows == before
    assert friend.press(page, EXAMPLES[1]["moves"][0]).moves == 1
    assert len(site.rows["game"]) == len(before["game"]) + 1


# What installs the program


def test_the_manifest_names_icons_that_are_there(client: Browser) -> None:
    page = client.open("/")
    address = page.root.all("link", rel="manifest")[0]["href"]
    response = client.get(address)
    assert response.status_code == 200
    assert response.headers["content-type"].startswith("application/manifest+json")
    manifest = body(response)
    assert client.get(manifest["start_url"]).status_code == 200
    folder = address.rpartition("/")[0]
    sizes = set()
    for icon in manifest["icons"]:
        found = client.get(f"{folder}/{icon['src']}")
        assert (found.status_code, found.headers["content-type"].partition(";")[0]) == (200, icon["type"])
        if icon["type"] == "image/png":
            with Image.open(BytesIO(found.content)) as picture:
                assert "x".join(map(str, picture.size)) == icon["sizes"]
        sizes.add(icon["sizes"])
    assert {"192x192", "512x512"} <= sizes
    assert client.get(page.root.all("link", rel="apple-touch-icon")[0]["href"]).status_code == 200


# In a browser


@pytest.fixture(scope="module")
def chromium() -> Iterator[Chromium]:
    """A real browser."""
    with sync_playwright() as playwright:
        one = playwright.chromium.launch(executable_path=chromium_path(), args=["--no-sandbox", "--disable-gpu"])
        yield one
        one.close()


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the program, in a process of its own."""
    with serve(f"sqlite:///{tmp_path_factory.mktemp('sharing')}/games.db") as served:
        yield served.url


def tab(chromium: Chromium, prepared: str) -> Tab:
    """Return an empty page of a browser that was changed by a script beforehand."""
    one = chromium.new_context(locale="en-GB", viewport={"width": 360, "height": 640}).new_page()
    one.add_init_script(prepared)
    return one


def at_a_deal(one: Tab, address: str) -> str:
    """Open the sheet of a deal's address, and return that address."""
    one.goto(f"{address}/play/{FOUR_SUITS}")
    one.locator("html.script").wait_for()
    one.locator("#menu-button").click()
    one.get_by_role("button", name="Share the deal").click()
    return f"{address}/play/{FOUR_SUITS}"


def at_a_replay(one: Tab, address: str) -> str:
    """Win a game, share it as a replay, and return that address."""
    ask = one.context.request
    game = ask.post(f"{address}/api/games", data={"code": WON["code"]}).json()
    for source, at, target in WON["moves"]:
        move = {"version": game["version"], "action": "move", "from": source, "at": at, "to": target}
        game = ask.post(f"{address}/api/games/{game['id']}/actions", data=move).json()
    one.goto(f"{address}/games/{game['id']}/share")
    one.get_by_role("button", name="Make the address").click()
    link = one.get_by_role("link", name="Look at it as others see it").get_attribute("href")
    assert link
    return link


SHARED = pytest.mark.parametrize("shared", [at_a_deal, at_a_replay])

REFUSES = "Object.defineProperty(navigator, 'clipboard', { value: undefined });"


@SHARED
@pytest.mark.parametrize(
    ("prepared", "said"),
    [
        (
            "navigator.clipboard.writeText = async (text) => { window.written = text; };",
            "The address was copied.",
        ),
        (
            REFUSES + "document.execCommand = (name) => { const field = document.activeElement; window.written = "
            "name === 'copy' && field.value.slice(field.selectionStart, field.selectionEnd); return true; };",
            "The address was copied.",
        ),
        (
            REFUSES + "document.execCommand = () => false;",
            "The browser does not let a page copy. The address is selected: copy it by hand.",
        ),
        (
            REFUSES + "document.execCommand = () => { throw new Error(); };",
            "The browser does not let a page copy. The address is selected: copy it by hand.",
        ),
    ],
    ids=["clipboard", "without HTTPS", "refused", "broken"],
)
def test_the_address_is_copied_without_https_too_or_left_selected(
    chromium: Chromium, address: str, shared: Callable[[Tab, str], str], prepared: str, said: str
) -> None:
    """#65: of a deal and of a replay alike."""
    one = tab(chromium, prepared)
    wanted = shared(one, address)
    expect(one.locator("#send")).to_be_hidden()
    one.locator("#copy").click()
    expect(one.locator("#copied")).to_have_text(said)
    if said.startswith("The address was"):
        assert one.evaluate("window.written") == wanted
    else:
        selected = "document.activeElement.value.slice(document.activeElement.selectionStart)"
        assert one.evaluate(selected) == wanted
    one.keyboard.press("Escape")
    expect(one.locator("#share")).to_be_hidden()
    one.context.close()


@SHARED
def test_where_the_browser_can_send_the_address_it_is_asked_to(
    chromium: Chromium, address: str, shared: Callable[[Tab, str], str]
) -> None:
    one = tab(chromium, "navigator.share = async (data) => { window.sent = data; };")
    wanted = shared(one, address)
    one.locator("#send").click()
    expect(one.locator("#share")).to_be_hidden()
    sent = one.evaluate("window.sent")
    assert sent["url"] == wanted
    assert "Simple Simon" in sent["title"]
    one.context.close()


def test_after_a_new_deal_the_address_bar_shows_its_code_and_back_leads_to_the_earlier_game(
    chromium: Chromium, address: str
) -> None:
    """G-8: two deals, one after the other; the first still stands as it was left."""
    one = tab(chromium, "")
    one.goto(f"{address}/play/{FOUR_SUITS}")
    one.locator("html.script").wait_for()
    source, at, target = LOOP[0]
    one.locator(f'input[value="{source}.{at}"]').click()
    one.locator(f"#c{target}").click()
    expect(one.locator("#moves")).to_have_text("1")
    one.locator("#menu-button").click()
    one.get_by_role("link", name="New game").click()
    one.get_by_role("button", name="Hard").click()
    one.wait_for_url("**/play/SS1-S4-*")
    dealt = one.url.rpartition("/")[2]
    assert dealt != FOUR_SUITS
    assert dealt in one.locator("h1").inner_text()
    one.go_back()
    one.go_back()
    one.wait_for_url(f"**/play/{FOUR_SUITS}")
    expect(one.locator("#moves")).to_have_text("1")
    one.context.close()
