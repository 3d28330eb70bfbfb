"""Finnish and English: which one a reader gets, and that every sentence is there in both."""

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import jinja2
import pytest
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import read_po

from app.engine.cards import LETTERS
from app.engine.rules import Rule
from app.settings import ROOT
from app.web.i18n import LANGUAGES, negotiated
from app.web.render import view
from app.web.words import words
from tests.web.page import Page
from tests.web.records import EXAMPLES, FOUR_SUITS, LOOP, SCORPION, loop
from tests.web.site import HTMX, Browser, Site, body

HEADERS = {
    "": "fi",
    "fi": "fi",
    "en": "en",
    "FI": "fi",
    "en-GB": "en",
    "en-GB,en;q=0.9,fi;q=0.8": "en",
    "fi-FI,fi;q=0.9,en-US;q=0.8,en;q=0.7": "fi",
    "fi;q=0.3,en;q=0.5": "en",
    "en;q=0.5,fi;q=0.5": "en",
    "fi;q=0.5,en;q=0.5": "fi",
    "sv": "fi",
    "sv,en;q=0.1": "en",
    "sv,fi;q=0.1,en;q=0.2": "en",
    "en;q=0": "fi",
    "en;q=0,fi;q=0": "fi",
    "*": "fi",
    "*;q=0.5,en;q=0.1": "en",
    "en; q=0.8": "en",
    "english": "fi",
    "e": "fi",
    ",,,": "fi",
    ";": "fi",
    "en;q=x": "fi",
    "en;q=nan": "fi",
    "en;q=-1": "fi",
    "en;q": "fi",
    "x" * 100_000: "fi",
    "en," * 30_000: "en",
    "\xe4\xf6": "fi",
}


@pytest.mark.parametrize(("header", "language"), HEADERS.items(), ids=lambda value: repr(value)[:40])
def test_the_browsers_wish_decides_and_else_finnish(client: Browser, header: str, language: str) -> None:
    """The header as browsers, and as nobody, send it."""
    assert negotiated(header) == language
    response = client.get("/", headers={b"Accept-Language": header.encode("latin-1")})
    assert Page(response).language == language


def test_the_switch_is_remembered_for_the_player_at_every_address(site: Site, client: Browser) -> None:
    """A Finnish browser, a player who chose English: pages, pieces, refusals, faults and problems are English."""
    page = client.open("/")
    switch = next(form for form in page.root.all("form") if form["action"] == "/language")
    assert [button["value"] for button in switch.all("button", name="language")] == list(LANGUAGES)
    response = client.post("/language", data={"language": "en", "back": switch.all("input", name="back")[0]["value"]})
    assert (response.status_code, response.headers["location"]) == (303, "/")
    for address in ("/", "/games", "/settings", "/rules/scorpion", f"/play/{FOUR_SUITS}", "/help", "/docs"):
        assert client.open(address).language == "en", address
    for address in ("/play/x", "/nowhere", "/new/x", "/games/zz", "/rules/x"):
        assert Page(client.get(address)).language == "en", address
    table = client.open(f"/play/{FOUR_SUITS}")
    assert Page(client.submit(table, "undo", htmx=True)).message.startswith("There is nothing to undo")
    assert Page(client.post(table.table_address, data={}, headers=HTMX)).message.startswith("Something in the request")
    assert Page(client.ask("PUT", "/")).language == "en"
    problem = client.get("/api/games/zz")
    assert body(problem)["title"] == "There is no such page."
    game = client.play(client.begin(FOUR_SUITS), LOOP[0])
    assert body(client.act({**game, "version": 0}, "undo"))["title"].startswith("This table was out of date")
    refused = body(client.act(game, "redo"))
    assert refused["title"] == refused["detail"] == "There is nothing to redo"
    site.restart()
    assert client.open("/").language == "en"
    client.post("/language", data={"language": "fi", "back": "/"})
    assert client.open("/").language == "fi"
    assert site.browser("en").open("/").language == "en"


READ = ["/", "/rules/simple-simon", "/rules/scorpion", "/examples/simple-simon", "/help", "/privacy", "/daily"]


@pytest.mark.parametrize("path", READ)
def test_a_page_to_read_names_its_addresses_in_each_language_and_they_speak_it_to_everyone(
    site: Site, path: str
) -> None:
    """Issue 4, first impression: ``hreflang``; such an address remembers nothing."""
    reader = site.browser("en")
    plain = reader.open(path)
    links = {one["hreflang"]: one["href"] for one in plain.root.all("link", rel="alternate")}
    origin = str(reader.http.base_url).rstrip("/")
    wished = {language: f"{origin}{path}?language={language}" for language in LANGUAGES}
    assert links == {**wished, "x-default": f"{origin}{path}"}
    assert plain.language == "en"
    for language, address in wished.items():
        page = reader.open(address.removeprefix(origin))
        assert page.language == language
        assert {one["hreflang"]: one["href"] for one in page.root.all("link", rel="alternate")} == links
    assert reader.open(f"{path}?language=sv").language == "en"
    assert reader.cookie is None
    assert reader.open(path).language == "en"


# The catalogues


def catalogue(language: str) -> Catalog:
    """Return the sentences of a language."""
    with (ROOT / "app" / "locale" / language / "LC_MESSAGES" / "messages.po").open("rb") as source:
        return read_po(source, locale=language)


def sentences(found: Catalog) -> dict[tuple[str | None, str | tuple[str, ...]], Message]:
    """Return the messages of a catalogue by their contexts and ids."""
    return {
        (one.context, tuple(one.id) if isinstance(one.id, (list, tuple)) else one.id): one for one in found if one.id
    }


@pytest.fixture(scope="module")
def extracted(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    """The sentences that stand in the code and in the templates now."""
    template = tmp_path_factory.mktemp("messages") / "messages.pot"
    command = ["extract", "--mapping-file", "pyproject.toml", "--output-file", str(template), "."]
    subprocess.run(
        [sys.executable, "-m", "babel.messages.frontend", *command], cwd=ROOT, check=True, capture_output=True
    )
    with template.open("rb") as source:
        return read_po(source)


@pytest.mark.parametrize(
    ("sent", "status"), [({"headers": {"Origin": "http://evil.example"}}, 403), ({"content": b"x" * 100_000}, 413)]
)
def test_what_is_refused_unheard_is_told_in_the_language_that_was_chosen(
    client: Browser, sent: dict[str, Any], status: int
) -> None:
    """A stranger is told in the browser's language, and the database is not asked."""
    assert Page(client.post("/language", **sent)).language == "fi"
    client.post("/language", data={"language": "en", "back": "/"})
    refused = Page(client.post("/language", **sent))
    assert (refused.status, refused.language) == (status, "en")


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_catalogues_hold_exactly_the_sentences_of_the_code_and_the_templates(
    extracted: Catalog, language: str
) -> None:
    """A sentence that was changed or added lands together with its translation."""
    assert len(sentences(extracted)) > 100
    assert sentences(catalogue(language)).keys() == sentences(extracted).keys()


def placeholders(text: str) -> list[str]:
    """Return what is put into a sentence."""
    return sorted(re.findall(r"%\(\w+\)s|\{\w+\}|%(?!\()", text))


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_translation_is_whole_and_holds_what_is_put_into_it(language: str) -> None:
    for (_, message_id), message in sentences(catalogue(language)).items():
        assert not message.fuzzy, message_id
        ids = message_id if isinstance(message_id, tuple) else (message_id,)
        texts = message.string if isinstance(message.string, (list, tuple)) else (message.string,)
        if language == "fi":
            assert len(texts) == len(ids)
            assert all(text and text.strip() for text in texts), message_id
        for original, text in zip(ids, texts, strict=False):
            if text:
                assert placeholders(text) == placeholders(original), message_id
                assert text[:1].isspace() == original[:1].isspace(), message_id
                assert (text[-1] in ".!?") == (original[-1] in ".!?"), message_id


def test_nothing_but_names_is_the_same_in_both_languages() -> None:
    same = {message_id for (_, message_id), one in sentences(catalogue("fi")).items() if one.string == message_id}
    assert same <= {"Simple Simon", "Scorpion", "OpenAPI"}


CARDS = {
    "AS": ("pataässä", "ace of spades"),
    "3H": ("hertta 3", "3 of hearts"),
    "TD": ("ruutu 10", "10 of diamonds"),
    "JC": ("ristisotilas", "jack of clubs"),
    "QS": ("patarouva", "queen of spades"),
    "KH": ("herttakuningas", "king of hearts"),
}


@pytest.mark.parametrize("index", [0, 1], ids=LANGUAGES)
def test_cards_are_named_as_people_name_them(site: Site, index: int) -> None:
    """Finnish card names are single words for the court and the ace."""
    named = words(LANGUAGES[index]).cards
    assert {card: named[LETTERS[card]] for card in CARDS} == {card: names[index] for card, names in CARDS.items()}
    page = site.browser(LANGUAGES[index]).open(f"/play/{FOUR_SUITS}")
    for column, cards in enumerate(page.columns):
        shown = [node["aria-label"] for node in page.id(f"c{column}").all("input", name="lift")]
        assert shown == [named[LETTERS[card]] for card in cards]


# Every page


def everything(client: Browser) -> list[Page]:
    """Return every page, and every piece of one, that the program can show."""
    addresses = [
        *("/", "/new/scorpion", "/games", "/rules/simple-simon", "/rules/scorpion", "/help", "/settings", "/docs"),
        *("/play/x", "/play/SS1-S9-AAAAAAA", "/nowhere", f"/play/{SCORPION}", f"/play/{FOUR_SUITS}"),
    ]
    pages = [Page(client.get(address)) for address in addresses]
    record = EXAMPLES[1]
    won = client.play(client.begin(record["code"]), *record["moves"])
    client.play(client.begin(FOUR_SUITS), *loop(3), "undo")
    pages += [Page(client.get(address)) for address in ("/", "/games", "/new/simple-simon", f"/play/{record['code']}")]
    pages += [Page(client.get(address)) for address in ("/statistics", "/daily", "/privacy")]
    for game in ("simple-simon", "scorpion"):
        pages += [Page(client.get(f"/examples/{game}?step={step}")) for step in range(0, 50, 7)]
    own = [f"/games/{won['id']}/look-back?at=3", f"/games/{won['id']}/share", "/my-data", "/my-data/delete"]
    pages += [Page(client.get(address)) for address in own]
    table = client.open(f"/play/{FOUR_SUITS}")
    for wish in ([0, 0, 1], ["auto", 0, 0], "deal", "redo", "undo"):
        for htmx in (True, False):
            response = client.submit(table, wish, htmx=htmx)
            if response.status_code != 303:
                pages.append(Page(response))
        table = client.open(f"/play/{FOUR_SUITS}")
    scorpion = client.open(f"/play/{SCORPION}".replace("AAAAABE", "AAAAABD"))
    pages.append(Page(client.submit(scorpion, "deal", htmx=True)))
    pages.append(Page(client.post(table.table_address, data={}, headers=HTMX)))
    return pages


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_page_holds_a_sentence_of_the_other_language(site: Site, language: str) -> None:
    finnish = sentences(catalogue("fi"))
    wrong = set()
    for (_, message_id), message in finnish.items():
        pair = {"en": message_id, "fi": message.string}
        text = pair["fi" if language == "en" else "en"]
        if (
            isinstance(text, str)
            and " " in text
            and len(text) > 8
            and not placeholders(text)
            and pair["fi"] != pair["en"]
        ):
            wrong.add(text)
    assert len(wrong) > 50
    # The two sentences that the source fixes are quoted by the English rules too.
    wrong -= {words("fi").rule(rule) for rule in (Rule.KING_ONLY, Rule.WRONG_SUIT)}
    for page in everything(site.browser(language)):
        shown = [value for node in page.root.walk() for name, value in node.attributes.items() if name != "lang"]
        shown += [child for node in page.root.walk() for child in node.children if isinstance(child, str)]
        text = "\n".join(shown)
        assert not [one for one in wrong if one in text], page.address
        if page.root.all("html"):
            assert page.language == language


def test_every_template_is_rendered_in_every_language_it_is_written_for(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A template that no page uses is dead, and one that no test renders may be broken."""
    loaded: set[str] = set()
    get_source = jinja2.FileSystemLoader.get_source

    def recording(self: jinja2.FileSystemLoader, environment: jinja2.Environment, template: str) -> object:
        loaded.add(template)
        return get_source(self, environment, template)

    monkeypatch.setattr(jinja2.FileSystemLoader, "get_source", recording)
    view.cache_clear()
    folder = Path(ROOT, "templates")
    for language in LANGUAGES:
        loaded.clear()
        everything(site.browser(language))
        names = {file.relative_to(folder).as_posix() for file in folder.rglob("*.html")}
        others = {name for name in names if re.search(r"\.(fi|en)\.html$", name) and f".{language}." not in name}
        assert len(others) == 2
        assert loaded == names - others


def test_no_sentence_of_a_page_is_written_into_a_template(site: Site) -> None:
    """What a reader sees of the settings differs in every line between the languages."""
    client, other = site.browser("fi"), site.browser("en")
    for address in ("/settings", "/help", "/games", "/new/scorpion"):
        finnish, english = client.open(address), other.open(address)
        same = {legend.text for legend in finnish.root.all("legend")} & {one.text for one in english.root.all("legend")}
        assert not same
        assert finnish.root.all("h1")[0].text != english.root.all("h1")[0].text
