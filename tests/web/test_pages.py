"""The pages: the front page, the dialogs, deals and codes, my games, rules, help, settings, and what is around them."""

import re
from datetime import datetime
from urllib.parse import quote
from zoneinfo import ZoneInfo

import httpx
import pytest

from app.engine.codes import CodeFault, daily_code
from app.engine.games.scorpion import CLASSIC
from app.engine.games.simple_simon import FOUR_SUITS as FOUR_SUITS_RULES
from app.store.preferences import DEFAULTS, SETTINGS
from app.web.words import words
from tests.services import Postgres
from tests.web.page import Page
from tests.web.records import FOUR_SUITS, LOOP, ONE_SUIT, SCORPION, loop
from tests.web.site import HTMX, Browser, Site, body

LANGUAGES = ["fi", "en"]


def links(page: Page) -> list[str]:
    """Return where the links of a page lead."""
    return [link["href"] for link in page.root.all("a")]


# New games


def test_a_players_first_game_of_simple_simon_is_dealt_with_one_suit_unasked(site: Site, client: Browser) -> None:
    """SS-2: none is saved yet; dealing alone saves none, and a played one does."""
    for _ in range(2):
        response = client.get("/new/simple-simon")
        assert response.status_code == 303
        assert response.headers["location"].startswith("/play/SS1-S1-")
    scorpion = client.begin(SCORPION)
    client.play(scorpion, "deal")
    assert client.get("/new/simple-simon").headers["location"].startswith("/play/SS1-S1-")
    client.begin(FOUR_SUITS)
    assert client.get("/new/simple-simon").status_code == 303
    client.press(client.open(f"/play/{FOUR_SUITS}"), LOOP[0])
    assert client.get("/new/simple-simon").status_code == 200
    assert site.browser().get("/new/simple-simon").status_code == 303


def test_a_link_to_a_code_wins_over_the_first_game_of_one_suit(client: Browser) -> None:
    """SS-2."""
    assert client.open(f"/play/{FOUR_SUITS}").columns[0]
    assert "4 maata" in client.open(f"/play/{FOUR_SUITS}").text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_dialogs_ask_in_the_words_of_the_rules(site: Site, language: str) -> None:
    """SS-2, SC-3: "Kuinka monta maata?" with its three answers; classic rules are the first."""
    client = site.browser(language)
    client.play(client.begin(FOUR_SUITS), LOOP[0])
    asked = {
        "fi": (
            ("Kuinka monta maata?", ["Helppo", "Keskitaso", "Vaikea"]),
            ("Millä säännöillä?", ["Klassiset säännöt", "Helpotetut säännöt"]),
        ),
        "en": (
            ("How many suits?", ["Easy", "Medium", "Hard"]),
            ("Which rules?", ["Classic rules", "Relaxed rules"]),
        ),
    }[language]
    values = (["S1", "S2", "S4"], ["C", "R"])
    for game, (question, names), variants in zip(("simple-simon", "scorpion"), asked, values, strict=True):
        page = client.open(f"/new/{game}")
        assert page.root.all("legend")[0].text == question
        buttons = page.root.all("button", name="variant")
        assert [button["value"] for button in buttons] == variants
        assert all(button.text.startswith(name) for button, name in zip(buttons, names, strict=True))
        assert page.language == language


@pytest.mark.parametrize(
    ("game", "variant", "prefix"),
    [
        *(("simple-simon", f"S{suits}", f"SS1-S{suits}-") for suits in (1, 2, 4)),
        *(("scorpion", rules, f"SC1-{rules}-") for rules in "CR"),
    ],
)
def test_a_choice_leads_to_a_random_deal_and_writes_nothing(
    site: Site, client: Browser, game: str, variant: str, prefix: str
) -> None:
    """SS-2, SC-3, #13, #61, #72: two presses lead to two deals, of which none is saved before its first action."""
    before = site.rows
    codes = set()
    for _ in range(20):
        response = client.post(f"/new/{game}", data={"variant": variant})
        assert (response.status_code, response.headers["cache-control"]) == (303, "no-store")
        location = response.headers["location"]
        assert re.fullmatch(f"/play/{prefix}[A-Z]{{7}}", location)
        codes.add(location)
    assert len(codes) == 20
    assert site.rows == before
    page = client.open(location)
    cards = [card for column in page.columns for card in column]
    assert len(cards) == (52 if game == "simple-simon" else 49)
    if game == "simple-simon":
        suits = {"S1": {"S": 52}, "S2": {"S": 26, "H": 26}, "S4": dict.fromkeys("SHDC", 13)}[variant]
        assert {suit: sum(card[1] == suit for card in cards) for suit in suits} == suits


# Deals and their codes


@pytest.mark.parametrize(
    ("code", "game", "choice"),
    [
        ("SS1-S1-AAAAABD", "Simple Simon", {"fi": "1 maa", "en": "1 suit"}),
        ("SS1-S2-AAAAABD", "Simple Simon", {"fi": "2 maata", "en": "2 suits"}),
        ("SS1-S4-AAAAABD", "Simple Simon", {"fi": "4 maata", "en": "4 suits"}),
        ("SC1-C-AAAAABD", "Scorpion", {"fi": "klassiset säännöt", "en": "classic rules"}),
        ("SC1-R-AAAAABD", "Scorpion", {"fi": "helpotetut säännöt", "en": "relaxed rules"}),
    ],
)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_table_always_names_its_game_its_rules_its_code_its_score_and_its_moves(
    site: Site, language: str, code: str, game: str, choice: dict[str, str]
) -> None:
    """G-9, SS-10, #14, #65: before the first move, during play, and after a refused move."""
    client = site.browser(language)
    page = client.open(f"/play/{code}")
    played = client.press(page, page.legal[0])
    refused = Page(client.submit(played, "redo"))
    for shown, moves in ((page, 0), (played, 1), (refused, 1)):
        heading = shown.root.all("h1")[0].text
        assert heading.startswith(game)
        assert choice[language] in heading
        assert code in heading
        assert shown.moves == moves
        assert isinstance(shown.score, int)
        for word in {"fi": ["Pisteet", "Siirrot"], "en": ["Score", "Moves"]}[language]:
            assert word in shown.text
    title = page.root.all("title")[0].text
    assert game in title
    assert code in title
    description = page.root.all("meta", name="description")[0]["content"]
    assert code in description
    assert choice[language] in description


FORGIVEN = [
    *("ss1-s4-aaaaabd", "Ss1-S4-AaAaAbD", "SS1S4AAAAABD", "ss1s4aaaaabd", "SS1-S4AAAAABD", "SS1S4-AAAAABD"),
    *(
        " SS1-S4-AAAAABD",
        "SS1-S4-AAAAABD ",
        "SS1 - S4 - AAAAABD",
        "S S 1 S 4 A A A A A B D",
        "\u00a0SS1-S4-AAAAABD\u2003",
    ),
    *("SS1\u2013S4\u2013AAAAABD", "SS1\u2014S4\u2212AAAAABD", "SS1_S4_AAAAABD", "SS1.S4.AAAAABD", "SS1--S4--AAAAABD"),
    *(
        "https://example.org/play/SS1-S4-AAAAABD",
        "http://example.org/play/ss1-s4-aaaaabd?x=1#y",
        "/play/SS1-S4-AAAAABD",
    ),
    *("Kokeile: https://example.org/play/SS1-S4-AAAAABD !", "https://example.org/SS1-S4-AAAAABD/SC1-C-AAAAABD"),
]


@pytest.mark.parametrize("typed", FORGIVEN)
@pytest.mark.parametrize("through_box", [True, False], ids=["in the box", "in the address"])
def test_what_a_person_types_or_pastes_leads_to_the_canonical_address(
    client: Browser, typed: str, through_box: bool
) -> None:
    """SS-10, #64: case, white space, dashes and a link around the code are forgiven."""
    if through_box:
        response = client.get("/play", params={"code": typed})
        assert response.status_code == 303
        address = response.headers["location"]
    else:
        address = f"/play/{quote(typed, safe='')}"
    response = client.get(address, follow_redirects=True)
    assert (response.status_code, response.url.path) == (200, f"/play/{FOUR_SUITS}")
    assert [one.status_code for one in response.history] == ([301] if address != f"/play/{FOUR_SUITS}" else [])


@pytest.mark.parametrize("text", ["", " ", "\u3000"])
def test_an_empty_box_leads_to_the_front_page(client: Browser, text: str) -> None:
    response = client.get("/play", params={"code": text})
    assert (response.status_code, response.headers["location"]) == (303, "/")
    assert client.get("/play").headers["location"] == "/"


WRONG = [
    ("SS9-S1-AAAAABD", CodeFault.GAME),
    ("ß1-S1-AAAAABD", CodeFault.GAME),
    ("klondike/abc", CodeFault.GAME),
    ("SS1-S3-AAAAABD", CodeFault.SUITS),
    ("SS1-C-AAAAABD", CodeFault.SUITS),
    ("SC1-S1-AAAAABD", CodeFault.RULES),
    ("SC1-X-AAAAABD", CodeFault.RULES),
    ("SS1-S1-", CodeFault.TOO_FEW),
    ("SS1-S1-AAAAAB", CodeFault.TOO_FEW),
    ("SS1-S1-AAAAABDE", CodeFault.TOO_MANY),
    ("SS1-S1-AAAAAB0", CodeFault.NOT_LETTERS),
    ("SS1-S1-ÄÄAAABD", CodeFault.NOT_LETTERS),
    ("x" * 2000, CodeFault.GAME),
    ("SS1-S1-" + "A" * 2000, CodeFault.TOO_MANY),
    ("%", CodeFault.GAME),
    ("🂡", CodeFault.GAME),
]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(("typed", "fault"), WRONG)
def test_a_text_that_is_no_code_gets_a_page_that_shows_it_and_says_what_is_wrong_with_it(
    site: Site, language: str, typed: str, fault: CodeFault
) -> None:
    """SS-10, #64: a 404 in the reader's language, with the box to try again; never a 500."""
    client = site.browser(language)
    response = client.get(f"/play/{quote(typed, safe='')}")
    page = Page(response)
    assert (page.status, page.language) == (404, language)
    assert page.root.all("h1")[0].text == words(language).code_fault(fault)
    assert page.root.all("code")[0].text == typed[:200]
    box = next(form for form in page.root.all("form") if form["action"] == "/play")
    assert box["method"] == "get"
    assert box.all("input", name="code")[0]["value"] == typed[:200]
    head = client.ask("HEAD", f"/play/{quote(typed, safe='')}")
    assert (head.status_code, head.content) == (404, b"")


def test_the_first_deal_of_all_is_shuffled(client: Browser) -> None:
    """#64: number 0 is a deal like any other."""
    page = client.open("/play/SS1-S4-AAAAAAA")
    ranks = [card[0] for column in page.columns for card in column]
    assert ranks != list("A23456789TJQK") * 4
    assert sorted(ranks) == sorted("A23456789TJQK" * 4)


def test_a_restart_address_that_is_opened_leads_to_its_deal(client: Browser) -> None:
    response = client.get(f"/play/{FOUR_SUITS}/restart")
    assert (response.status_code, response.headers["location"]) == (301, f"/play/{FOUR_SUITS}")


# The front page and my games


def test_the_front_page_leads_on_with_the_latest_game(client: Browser) -> None:
    assert "Jatka viimeisintä peliä" not in client.open("/").text
    client.play(client.begin(FOUR_SUITS), LOOP[0])
    older = client.play(client.begin(SCORPION), "deal")
    client.play(client.begin(ONE_SUIT), client.begin(ONE_SUIT)["legal"][0])
    client.begin("SS1-S2-ZZZZZZZ")
    page = client.open("/")
    assert "Jatka viimeisintä peliä" in page.text
    assert f"/play/{ONE_SUIT}" in links(page)
    assert "/play/SS1-S2-ZZZZZZZ" not in links(page)
    client.play(older, "undo")
    assert f"/play/{SCORPION}" in links(client.open("/"))
    assert {"/new/simple-simon", "/new/scorpion", "/rules/simple-simon", "/rules/scorpion", "/games"} <= set(
        links(page)
    )


@pytest.mark.parametrize("zone", ["Pacific/Kiritimati", "Etc/GMT+12", "Europe/Helsinki"])
def test_the_deals_of_the_day_are_those_of_the_servers_time_zone(sqlite_url: str, zone: str) -> None:
    """#68: the first two zones are 26 hours apart, so never on the same day."""
    with Site(sqlite_url, timezone=zone) as site:
        days: list[str] = []
        while len(days) < 2 or days[0] != days[-1]:  # Midnight may come between.
            days = [datetime.now(ZoneInfo(zone)).date().isoformat()]
            page = site.browser().open("/")
            days.append(datetime.now(ZoneInfo(zone)).date().isoformat())
        wanted = [daily_code(rules, days[0]).text for rules in (FOUR_SUITS_RULES, CLASSIC)]
        assert [link for link in links(page) if link.startswith("/play/")] == [f"/play/{code}" for code in wanted]
        assert all(code in page.text for code in wanted)


def test_my_games_are_listed_newest_first_in_pages_with_what_came_of_them(site: Site, client: Browser) -> None:
    """51 games: unplayed attempts are not among them, and neither are another player's."""
    assert "Ei vielä pelejä" in client.open("/games").text
    other = site.browser()
    other.play(other.begin(SCORPION), "deal")
    ids = []
    for _ in range(51):
        client.begin(FOUR_SUITS)
        ids.append(client.play(client.begin(FOUR_SUITS), LOOP[0])["id"])
    newest_first = [f"/games/{one}" for one in sorted(ids, key=lambda one: int(one, 16), reverse=True)]
    first = client.open("/games")
    listed = [link for link in links(first) if re.fullmatch("/games/[0-9a-f]+", link)]
    assert listed == newest_first[:50]
    assert "pisteet 499, siirtomäärä 1" in first.text
    assert "kesken" in first.text
    older = next(link for link in links(first) if link.startswith("/games?before="))
    second = client.open(older)
    assert [link for link in links(second) if re.fullmatch("/games/[0-9a-f]+", link)] == newest_first[50:]
    assert not [link for link in links(second) if link.startswith("/games?before=")]
    assert client.open(newest_first[50]).moves == 1


# Rules, help, settings


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", ["simple-simon", "scorpion"])
def test_the_rules_are_there_in_either_language_with_the_numbers_of_the_engine(
    site: Site, language: str, game: str
) -> None:
    """SS-6, SC-8, #12."""
    page = site.browser(language).open(f"/rules/{game}")
    assert page.language == language
    assert page.address == f"/rules/{game}"
    assert len(page.text) > 4000
    other = {"simple-simon": "/rules/scorpion", "scorpion": "/rules/simple-simon"}[game]
    assert other in links(page)
    for number in {"simple-simon": ["500", "851", "−1", "+100"], "scorpion": ["+5", "+100", "460"]}[game]:
        assert number in page.text
    assert "{" not in page.text
    assert "%" not in page.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_help_page_says_that_there_are_no_hints_and_no_judgement(site: Site, language: str) -> None:
    """G-5: deliberate, and stated."""
    page = site.browser(language).open("/help")
    sentence = {"fi": "ei ilmoita pelin jumiutuneen", "en": "never tells that a game is stuck"}[language]
    assert sentence in page.text


def test_no_page_of_a_game_judges_it(client: Browser) -> None:
    """G-5: nothing is said about a table on which nothing can be moved any more."""
    with_stock = client.open(f"/play/{SCORPION}")
    assert not re.search("voita[ta]|ratkea|jumi|hävi", with_stock.text)
    # A Scorpion table that is played on at random until nothing is legal is still in progress, and says no more.
    game = client.play(client.begin(SCORPION), "deal")
    while game["legal"]:
        game = client.play(game, game["legal"][0])
    assert game["status"] == "playing"
    stuck = client.open(f"/play/{SCORPION}")
    assert stuck.legal == []
    assert not re.search("voita[ta]|ratkea|jumi|hävi", stuck.text)


def test_every_setting_is_remembered_and_shown(client: Browser) -> None:
    """The settings of the product, each with its default."""
    for chosen in (
        DEFAULTS,
        {name: values[-1] for name, values in SETTINGS.items()},
        {name: values[len(values) // 2] for name, values in SETTINGS.items()},
        DEFAULTS,
    ):
        response = client.post("/settings", data={**chosen, "language": "fi"})
        assert (response.status_code, response.headers["location"]) == (303, "/settings")
        page = client.open("/settings")
        checked = {field["name"]: field["value"] for field in page.root.all("input") if "checked" in field.attributes}
        assert checked == {**chosen, "language": "fi"}


@pytest.mark.parametrize(
    ("path", "light", "dark"), [("/", "#f8f4eb", "#131a17"), ("/play/SS1-S4-AAAAABD", "#2f6b57", "#1a3f34")]
)
def test_the_browsers_bar_has_the_colour_of_the_page_by_the_device_or_by_the_setting(
    client: Browser, path: str, light: str, dark: str
) -> None:
    """Spec "Settings": a theme that is chosen is the theme of all that is seen."""

    def colours() -> dict[str, str]:
        metas = client.open(path).root.all("meta", name="theme-color")
        return {meta.attributes.get("media", ""): meta["content"] for meta in metas}

    assert colours() == {"(prefers-color-scheme: light)": light, "(prefers-color-scheme: dark)": dark}
    for theme, colour in (("light", light), ("dark", dark)):
        client.post("/settings", data={**DEFAULTS, "theme": theme, "language": "fi"})
        assert colours() == {"": colour}


def test_settings_are_each_players_own(site: Site, client: Browser) -> None:
    client.post("/settings", data={**DEFAULTS, "theme": "dark", "language": "en"})
    assert client.open("/settings").language == "en"
    assert site.browser().open("/settings").language == "fi"
    page = site.browser().open("/settings")
    checked = {field["name"]: field["value"] for field in page.root.all("input") if "checked" in field.attributes}
    assert checked == {**DEFAULTS, "language": "fi"}


def test_the_page_of_the_json_interface_names_every_address(client: Browser) -> None:
    page = client.open("/docs")
    described = body(client.get("/api/openapi.json"))
    for path, methods in described["paths"].items():
        for method in methods:
            assert f"{method.upper()} {path}" in page.text


# Around the pages


ADDRESSES = [
    *("/", "/games", "/new/scorpion", "/rules/scorpion", "/rules/simple-simon", "/help", "/settings", "/docs"),
    *(
        "/games?shown=won",
        "/my-data",
        "/my-data/export",
        "/my-data/delete",
        f"/replay/{'A' * 22}",
        "/games/1/look-back",
    ),
    *("/statistics", "/daily", "/daily/2026-01", "/daily/2025-01"),
    *("/privacy", "/examples/scorpion", "/examples/simple-simon?step=49", "/examples/scorpion?step=50"),
    *(f"/play/{FOUR_SUITS}", f"/play/{SCORPION}", f"/play/{FOUR_SUITS.lower()}", "/play/x", "/nowhere"),
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_pages_answer_head_as_they_answer_get(client: Browser, address: str) -> None:
    """Link checkers and previews ask with HEAD first."""
    with_body, without = client.get(address), client.ask("HEAD", address)
    assert without.status_code == with_body.status_code
    assert without.content == b""
    assert without.headers.get("location") == with_body.headers.get("location")
    assert without.headers.get("content-type") == with_body.headers.get("content-type")


def test_static_files_are_kept_for_ever_under_the_digest_of_what_is_here_and_under_no_other(client: Browser) -> None:
    page = client.open(f"/play/{FOUR_SUITS}")
    addresses = [link["href"] for link in page.root.all("link", rel="stylesheet")]
    addresses += [script["src"] for script in page.root.all("script")]
    assert len(addresses) >= 3
    for address in addresses:
        _, _, digest, name = address.split("/", 3)
        assert re.fullmatch("[0-9a-f]{12}", digest)
        response = client.get(address)
        assert response.status_code == 200
        assert response.headers["cache-control"] == "public, max-age=31536000, immutable"
        assert response.headers["content-type"].startswith(("text/css", "text/javascript"))
        old = client.get(f"/static/0123456789ab/{name}")
        assert (old.status_code, old.headers["cache-control"]) == (200, "no-cache")
        assert old.content == response.content
        same = client.get(address, headers={"If-None-Match": response.headers["etag"]})
        assert (same.status_code, same.content) == (304, b"")


@pytest.mark.parametrize("where", ["page", "fragment"])
def test_every_hx_attribute_is_one_that_htmx_knows(client: Browser, where: str) -> None:
    """#72: a misspelt attribute does nothing, without a word."""
    page = client.open(f"/play/{FOUR_SUITS}")
    shown = page if where == "page" else Page(client.submit(page, LOOP[0], htmx=True))
    used = {name for node in shown.root.walk() for name in node.attributes if name.startswith(("hx-", "data-hx-"))}
    source = client.get(next(one["src"] for one in page.root.all("script") if "htmx" in one["src"])).text
    assert used <= {"hx-post", "hx-get", "hx-swap", "hx-swap-oob", "hx-target", "hx-config", "hx-status:422"}
    assert all(name.removeprefix("hx-") in source for name in used)
    assert where == "page" or "hx-swap-oob" in used


def test_the_server_says_that_it_is_alive(either_site: Site) -> None:
    response = either_site.browser().get("/healthz")
    assert (response.status_code, response.json()) == (200, {"status": "ok"})


@pytest.mark.parametrize("language", LANGUAGES)
def test_without_its_database_the_server_says_so_and_goes_on_when_it_is_back(
    postgres_server: Postgres, postgres_url: str, language: str
) -> None:
    """#75: a 503 with Retry-After and a sentence, for a page, a piece of one and a program; then all is as it was."""
    sentence = {
        "fi": "Palvelin ei voi juuri nyt tallentaa. Mitään vahvistettua ei ole kadonnut; "
        "yritä hetken kuluttua uudelleen.",
        "en": "The server cannot write just now. Nothing that was confirmed is lost; try again in a moment.",
    }[language]
    name = postgres_url.rpartition("/")[2]
    with Site(postgres_url) as site:
        client = site.browser(language)
        page = client.press(client.open(f"/play/{FOUR_SUITS}"), LOOP[0])
        game = {"id": page.table_fields["game"], "version": 1}
        with postgres_server.connect() as admin:
            admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS false".encode())
            end_connections(postgres_server, name)
            answers: dict[str, httpx.Response] = {
                "health": client.get("/healthz"),
                "page": client.get(f"/play/{FOUR_SUITS}"),
                "form": client.submit(page, LOOP[1]),
                "fragment": client.submit(page, LOOP[1], htmx=True),
                "json": client.act(game, LOOP[1]),
                "json page": client.get("/api/games"),
            }
            admin.execute(f"ALTER DATABASE {name} ALLOW_CONNECTIONS true".encode())
        for kind, response in answers.items():
            assert (response.status_code, response.headers["retry-after"]) == (503, "5"), kind
            if kind.startswith("json"):
                assert response.headers["content-type"] == "application/problem+json"
                assert body(response)["title"] == sentence
            else:
                assert sentence in (Page(response).message if kind == "fragment" else Page(response).text)
        assert client.get("/healthz").status_code == 200
        assert client.open(f"/play/{FOUR_SUITS}").state == page.state
        assert client.press(page, LOOP[1]).moves == 2


def end_connections(server: Postgres, name: str) -> None:
    """Break every connection to a database, as a restart of its server does."""
    with server.connect() as admin:
        admin.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [name])


def test_a_broken_connection_costs_no_request(postgres_server: Postgres, postgres_url: str) -> None:
    """The server of the database was restarted between two moves, or between two looks: nobody notices."""
    name = postgres_url.rpartition("/")[2]
    with Site(postgres_url) as site:
        client = site.browser()
        game = client.begin(FOUR_SUITS)
        page = client.open(f"/play/{FOUR_SUITS}")
        for move in loop(3):
            end_connections(postgres_server, name)
            game = client.play(game, move)
            end_connections(postgres_server, name)
            assert client.game(game)["moves"] == game["moves"]
            end_connections(postgres_server, name)
            page = client.open(f"/play/{FOUR_SUITS}")
            assert page.moves == game["moves"]
            end_connections(postgres_server, name)
            assert client.get("/healthz").status_code == 200
        end_connections(postgres_server, name)
        assert client.submit(page, "undo", htmx=True).status_code == 200


def test_htmx_is_told_of_a_broken_table_by_a_line_and_not_by_a_page(client: Browser) -> None:
    response = client.post("/play/x", data={}, headers=HTMX)
    assert response.status_code == 404
    assert Page(response).message == "Sivua ei ole."
