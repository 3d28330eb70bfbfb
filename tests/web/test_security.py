"""Who may ask for what: other sites, other players, scripts in what is typed, and the headers of every answer."""

import tracemalloc
from collections.abc import Iterator
from urllib.parse import quote

import httpx
import pytest

from app.engine.cards import LETTERS
from app.web.security import COOKIE, Signer
from app.web.words import words
from tests.web.page import Page
from tests.web.records import CODED, EXAMPLES, FOUR_SUITS, LOOP, SCORPION, WON, hidden, names_under
from tests.web.site import HTMX, Browser, Json, Site, body

FOREIGN: list[dict[str, str]] = [
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Origin": "http://pasianssi.test.evil.example"},
    {"Origin": "http://evil.example/pasianssi.test"},
    {"Origin": "http://pasianssi.test:8080"},
    {"Origin": "pasianssi.test"},
    {"Origin": ""},
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "cross-site", "Origin": "http://pasianssi.test"},
    {"Sec-Fetch-Site": "same-site", "Origin": "http://other.pasianssi.test"},
]
OWN: list[dict[str, str]] = [
    {},
    {"Origin": "http://pasianssi.test"},
    {"Origin": "http://pasianssi.test", "Sec-Fetch-Site": "same-origin"},
    {"Sec-Fetch-Site": "none"},
]


def state_changing(client: Browser) -> Iterator[tuple[str, str, dict[str, object]]]:
    """Yield requests that change something when they are heard: method, address, and what is sent."""
    game = client.play(client.begin(FOUR_SUITS), LOOP[0])
    page = client.open(f"/play/{FOUR_SUITS}")
    yield "POST", page.table_address, {"data": page.table_fields | {"action": "undo"}}
    yield "POST", f"/play/{FOUR_SUITS}/restart", {}
    yield "POST", "/language", {"data": {"language": "en", "back": "/"}}
    yield "POST", "/settings", {"data": {**chosen(client), "theme": "dark"}}
    yield "POST", "/api/games", {"json": {"code": FOUR_SUITS}}
    now = client.game(game)
    wish = "redo" if now["redo"] else "undo"
    yield "POST", f"/api/games/{game['id']}/actions", {"json": {"version": now["version"], "action": wish}}
    won = client.play(client.begin(WON["code"]), *WON["moves"])
    mine = f"/games/{won['id']}"
    yield "POST", f"{mine}/share", {}
    yield "POST", f"{mine}/withdraw", {}
    yield "POST", f"{mine}/go-on", {"data": {"at": "3"}}
    yield "POST", f"{mine}/delete", {}
    yield "POST", f"{mine}/bring-back", {}
    yield "POST", "/my-data/import", {"json": {"format": "pasianssi", "version": 1, "language": "fi", "games": []}}
    yield "DELETE", f"/api/games/{game['id']}", {}
    yield "POST", "/new/scorpion", {"data": {"variant": "C"}}
    yield "POST", "/my-data/delete", {}


def chosen(client: Browser) -> dict[str, str]:
    """Return what the settings' form would send as it is."""
    page = client.open("/settings")
    form = next(one for one in page.root.all("form") if one["action"] == "/settings")
    return {field["name"]: field["value"] for field in form.all("input") if "checked" in field.attributes}


@pytest.mark.parametrize("headers", FOREIGN, ids=str)
def test_a_state_change_from_another_origin_is_refused_at_every_address(site: Site, headers: dict[str, str]) -> None:
    """The cookie is SameSite=Lax; this holds where a browser sends it all the same."""
    client = site.browser()
    for method, address, sent in list(state_changing(client)):
        before = site.rows
        response = client.ask(method, address, headers=headers, **sent)
        assert response.status_code == 403, (method, address)
        sentence = "Pyyntö tuli toiselta sivustolta, joten sitä ei toteutettu."
        if address.startswith("/api"):
            assert response.headers["content-type"] == "application/problem+json"
            assert body(response)["title"] == sentence
        else:
            assert sentence in Page(response).text
            short = client.ask(method, address, headers={**headers, **HTMX}, **sent)
            assert (short.status_code, Page(short).message) == (403, sentence)
        assert site.rows == before


@pytest.mark.parametrize("headers", OWN, ids=str)
def test_the_sites_own_pages_and_programs_without_a_browser_are_heard(site: Site, headers: dict[str, str]) -> None:
    client = site.browser()
    for method, address, sent in state_changing(client):
        before = site.rows
        response = client.ask(method, address, headers=headers, **sent)
        assert response.status_code < 400, (method, address, response.text)
        assert (site.rows != before) == (address != "/new/scorpion")


def test_reading_is_open_to_links_from_other_sites(client: Browser) -> None:
    """A link to a deal is shared in chats: following it is no state change."""
    for headers in FOREIGN:
        for address in ("/", f"/play/{FOUR_SUITS}", f"/api/deals/{FOUR_SUITS}"):
            assert client.get(address, headers=headers).status_code == 200


SCRIPTS = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "'-alert(1)-'",
    "<svg/onload=alert(1)>",
    "{{ 7 * 7 }}",
    "{% raw %}",
    "%(code)s",
    "{0.__class__}",
    "javascript:alert(1)",
    "&lt;b&gt;",
    "\u202egnp.exe",
]


@pytest.mark.parametrize("typed", SCRIPTS)
def test_what_was_typed_is_shown_as_text_and_never_as_markup(site: Site, typed: str) -> None:
    """SS-10, #64: the 404 page shows what was typed, escaped, in the sentence and in the box to try again."""
    for language in ("fi", "en"):
        client = site.browser(language)
        page = Page(client.get(f"/play/{quote(typed, safe='')}"))
        assert page.status == 404
        assert page.root.all("code")[0].text == " ".join(typed.split())
        assert page.root.all("input", name="code")[0]["value"] == typed
        assert not [node for node in page.root.walk() if node.tag in ("svg", "img")]
        assert all("src" in script.attributes for script in page.root.all("script"))
        assert not [name for node in page.root.walk() for name in node.attributes if name.startswith("on")]
        told = client.post("/api/games", json={"code": typed})
        assert body(told)["code"] == typed
        assert told.headers["x-content-type-options"] == "nosniff"
        assert "text/html" not in told.headers["content-type"]


@pytest.mark.parametrize(
    "back",
    [
        *(
            "//evil.example",
            "///evil.example",
            "/\\evil.example",
            "\\/evil.example",
            "https://evil.example",
            "evil.example",
        ),
        *("javascript:alert(1)", "/\t/evil.example", "/\n/evil.example", "\t//evil.example", " //evil.example", ""),
        *("/\r\nSet-Cookie: x=y", "http:evil.example", "/\x00", "?x", "data:text/html,x", "/\u2028/evil"),
    ],
)
def test_the_language_switch_leads_nowhere_but_to_this_site(client: Browser, back: str) -> None:
    response = client.post("/language", data={"language": "en", "back": back})
    assert response.status_code == 303
    location = response.headers["location"]
    assert location == "/" or (location.startswith("/") and location[1:2] not in ("/", "\\"))
    assert httpx.URL("http://pasianssi.test/games").join(location).host == "pasianssi.test"
    assert response.headers.get_list("set-cookie")[0].startswith("pasianssi=")
    assert len(response.headers.get_list("set-cookie")) == 1


@pytest.mark.parametrize("back", ["/", "/games", f"/play/{FOUR_SUITS}", "/games?before=1a2b", "/rules/scorpion"])
def test_the_language_switch_leads_back_to_where_it_stood(client: Browser, back: str) -> None:
    assert client.post("/language", data={"language": "en", "back": back}).headers["location"] == back


def answers(site: Site, client: Browser) -> dict[str, httpx.Response]:
    """Return an answer of every kind."""
    game = client.play(client.begin(FOUR_SUITS), LOOP[0])
    page = client.open(f"/play/{FOUR_SUITS}")
    stylesheet = page.root.all("link", rel="stylesheet")[0]["href"]
    fields = page.table_fields
    broken = site.browser()
    return {
        "page": client.get("/"),
        "table": client.get(f"/play/{FOUR_SUITS}"),
        "head": client.ask("HEAD", f"/play/{FOUR_SUITS}"),
        "fragment": client.post(page.table_address, data=fields | {"action": "undo"}, headers=HTMX),
        "refused": client.post(page.table_address, data=fields | {"version": "2", "action": "deal"}, headers=HTMX),
        "stale": client.post(page.table_address, data=fields | {"version": "7", "action": "deal"}),
        "redirect": client.get(f"/play/{FOUR_SUITS.lower()}"),
        "see other": client.post("/new/scorpion", data={"variant": "C"}),
        "no page": client.get("/nowhere"),
        "no code": client.get("/play/x"),
        "no method": client.ask("PUT", "/"),
        "foreign": client.post("/language", headers={"Origin": "null"}),
        "too large": client.post("/language", content=b"x" * 100_000),
        "unreadable": client.post("/language", data={"language": "xx"}),
        "json": client.get(f"/api/games/{game['id']}"),
        "json problem": client.get("/api/games/zz"),
        "json deleted": client.ask("DELETE", f"/api/games/{game['id']}"),
        "openapi": client.get("/api/openapi.json"),
        "static": client.get(stylesheet),
        "no static": client.get("/static/x/y.css"),
        "health": client.get("/healthz"),
        "json unreadable": broken.post("/api/games", content=b"{", headers={"Content-Type": "application/json"}),
    }


def test_every_kind_of_answer_bears_the_headers_that_protect_its_reader(site: Site, client: Browser) -> None:
    for kind, response in answers(site, client).items():
        assert_protected(kind, response)


def assert_protected(kind: str, response: httpx.Response) -> None:
    """Check the headers of an answer, each of which stands once."""
    headers = response.headers
    assert headers.get_list("x-content-type-options") == ["nosniff"], kind
    assert headers.get_list("referrer-policy") == ["same-origin"], kind
    assert headers.get_list("cross-origin-opener-policy") == ["same-origin"], kind
    policies = headers.get_list("content-security-policy")
    assert len(policies) == 1, kind
    policy = dict(part.strip().split(" ", 1) for part in policies[0].split(";"))
    assert policy["default-src"] == "'none'"
    assert policy["frame-ancestors"] == "'none'"
    assert policy["base-uri"] == "'none'"
    assert policy["form-action"] == "'self'"
    assert policy["script-src"] == "'self'"
    assert "unsafe" not in policies[0]
    assert "http" not in policies[0]
    assert "server" not in headers
    assert "x-powered-by" not in headers


@pytest.mark.parametrize("language", ["fi", "en"])
def test_a_bug_of_our_own_is_a_500_with_the_same_headers_and_no_traceback(
    site: Site, language: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = site.browser(language)

    def broken(*_: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr(type(site.app.state.service), "table", broken)
    monkeypatch.setattr(type(site.app.state.service), "games", broken)
    sentence = {
        "fi": "Palvelimella tapahtui virhe. Mitään vahvistettua ei ole kadonnut.",
        "en": "Something went wrong here. Nothing that was confirmed is lost.",
    }[language]
    page = client.get(f"/play/{FOUR_SUITS}")
    assert (page.status_code, sentence in Page(page).text) == (500, True)
    program = client.get("/api/games")
    assert (program.status_code, program.headers["content-type"]) == (500, "application/problem+json")
    assert body(program)["title"] == sentence
    for response in (page, program):
        assert "secret detail" not in response.text
        assert "Traceback" not in response.text
        assert_protected("500", response)


NAMED = ("canonical", "alternate")
"""Links that name an address and load nothing."""


def test_no_page_asks_anything_of_another_site(client: Browser) -> None:
    """No trackers, no third-party requests: whatever a page loads is its own."""
    addresses = [
        "/",
        "/new/scorpion",
        f"/play/{FOUR_SUITS}",
        f"/play/{SCORPION}",
        "/games",
        "/settings",
        "/help",
        "/statistics",
        "/daily",
        "/privacy",
        "/examples/scorpion?step=36",
        "/docs",
    ]
    addresses += ["/rules/simple-simon", "/rules/scorpion", "/play/x", "/nowhere"]
    for address in addresses:
        page = Page(client.get(address))
        loaded = [node["src"] for node in page.root.walk() if "src" in node.attributes]
        loaded += [node["href"] for node in page.root.all("link") if node["rel"] not in NAMED]
        assert loaded
        for one in loaded:
            assert one.startswith("/static/"), one
            assert client.get(one).status_code == 200, one
        # A policy without 'unsafe-inline' would drop these without a word.
        assert not [node for node in page.root.walk() if "style" in node.attributes]
        assert not page.root.all("style")
        assert all("src" in script.attributes for script in page.root.all("script"))
        for form in page.root.all("form"):
            assert form["action"].startswith("/")
            assert not form["action"].startswith("//")


def test_cookies_that_were_not_signed_here_leave_nothing_behind() -> None:
    """A stranger who sends large ones without end fills no memory."""
    signer, many = Signer("one key"), 2_000
    good = signer.cookie(1)
    tracemalloc.start()
    try:
        for number in range(many):
            assert signer.device_in(f"{COOKIE}={number}{'x' * 10_000}.{number:x}; other={number}") is None
        assert tracemalloc.get_traced_memory()[0] < 1_000_000
    finally:
        tracemalloc.stop()
    assert signer.device_in(f"other=1; {COOKIE}={good}") == signer.device(good)


def test_a_signature_names_one_device_under_one_key(site: Site) -> None:
    signer, other = Signer("one key"), Signer("another key")
    cookie = signer.cookie(2**62)
    device = signer.device(cookie)
    assert device is not None
    assert device.id == 2**62
    assert other.device(cookie) is None
    parts = cookie.split(".")
    for index in range(3):
        changed = list(parts)
        changed[index] = ("0" if changed[index][0] != "0" else "1") + changed[index][1:]
        assert signer.device(".".join(changed)) is None
    for wrong in (
        "",
        ".",
        "..",
        cookie[:-1],
        cookie + "0",
        cookie.upper(),
        f" {cookie}",
        parts[0],
        ".".join(parts[:2]),
    ):
        assert signer.device(wrong) is None, wrong


def test_a_key_of_the_environment_signs_in_place_of_the_kept_one(sqlite_url: str) -> None:
    """SECRET_KEY: with another key no old cookie counts; with the same one it does."""
    with Site(sqlite_url, secret_key="first") as site:
        client = site.browser()
        client.play(client.begin(FOUR_SUITS), LOOP[0])
        cookie = client.cookie
        assert cookie is not None
        assert site.rows["secret"] == []
    for key, games in (("first", 1), ("second", 0), ("", 0)):
        with Site(sqlite_url, secret_key=key) as site:
            client = site.browser()
            client.cookie = cookie
            assert len(body(client.get("/api/games"))["games"]) == games


# G-11: what lies face down is told to nobody


def told(answer: httpx.Response) -> set[str]:
    """Return every word of an answer that could name a card, but for the ids and nonces, which are drawn by lot."""
    if answer.headers["content-type"].startswith("text/html"):
        page = Page(answer)
        words = {word for node in page.root.walk() for word in node.attributes.get("class", "").split()}
        for node in page.root.walk():
            for name, value in node.attributes.items():
                if name not in ("value", "href", "action", "content") and not name.startswith("data-"):
                    words.add(value.lower())
            words |= {child.strip().lower() for child in node.children if isinstance(child, str)}
        return words
    return set(strings(answer.json()))


def strings(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for one in value:
            yield from strings(one)
    elif isinstance(value, dict):
        for key, one in value.items():
            if key not in ("id", "code"):
                yield from strings(one)


NAMES_OF = {
    card: [words(language).cards[letter].lower() for language in ("fi", "en")] for card, letter in LETTERS.items()
}
"""What each card is called in either language."""


def assert_untold(answer: httpx.Response, secret: set[str]) -> None:
    """Check that an answer names none of the secret cards, in any way in which cards are named."""
    found = told(answer)
    for card in secret:
        assert not {card, card[::-1]} & found
        assert not [text for text in found for name in NAMES_OF[card] if name in text], card


@pytest.mark.parametrize("index", [0, 1], ids=["classic", "relaxed"])
def test_a_card_that_lies_face_down_is_named_in_no_answer_until_it_is_turned_up(site: Site, index: int) -> None:
    """G-11, SC-5, #18: nor the stock; undoing a turn hides the card again, and a form that names it is refused."""
    record = [next(one for one in CODED if one["code"].startswith(prefix)) for prefix in ("SC1-C", "SC1-R")][index]
    client = site.browser()
    secret = names_under(record["columns"], record["stock"])
    assert len(secret) == 15
    code = record["code"]
    game = client.begin(code)
    for move in record["moves"]:
        response = client.act(game, move)
        page = client.get(f"/play/{code}", headers={"Accept-Language": "fi" if move else "en"})
        stale = client.act(game, move)
        game = body(response)
        turned = {event["card"] for event in game["events"] if event["event"] in ("flipped", "dealt")}
        assert turned <= secret
        if turned:
            undone = client.act(game, "undo")
            seen = [undone, client.get(f"/play/{code}"), client.get(f"/api/games/{game['id']}")]
            for answer in seen:
                assert_untold(answer, secret)
            for column, cards in enumerate(body(undone)["columns"]):
                if "??" in cards:
                    named = client.act(body(undone), [column, cards.index("??"), (column + 1) % 7])
                    assert body(named)["rule"] == "face-down"
                    assert_untold(named, secret)
            response = client.act(body(undone), "redo")
            again = body(response)
            assert again == {**game, "version": again["version"]}
            game = again
            page = client.get(f"/play/{code}")
        secret -= turned
        assert sum(cards.count("??") for cards in game["columns"]) + game["stock"] == len(secret)
        for answer in (response, page, stale, client.get("/api/games"), client.get(f"/api/deals/{code}")):
            if answer.request.url.path != f"/api/deals/{code}":
                assert_untold(answer, secret)
    assert secret == set()
    fresh: Json = body(client.get(f"/api/deals/{code}"))
    assert fresh["columns"] == hidden(record["columns"])


def test_pieces_that_htmx_swaps_name_no_card_that_lies_face_down(site: Site) -> None:
    """G-11, #18: the answers with script, forward and back again."""
    record = EXAMPLES[1]
    client = site.browser()
    page = client.open(f"/play/{record['code']}")
    secret = names_under(record["columns"], record["stock"])
    for move in record["moves"]:
        response = client.submit(page, move, htmx=True)
        page.swap(Page(response))
        undone = client.submit(page, "undo", htmx=True)
        assert_untold(undone, secret)
        page.swap(Page(undone))
        page.swap(Page(client.submit(page, "redo", htmx=True)))
        faces = {card for column in page.columns for card in column}
        secret -= faces
        assert_untold(response, secret)
    assert not secret
