"""The examples, the figures and the numbers of the rules pages, help, and what is said about what is stored."""

import re
from itertools import pairwise
from urllib.parse import quote

import pytest

from app.engine.cards import RANK, RANKS, RUN_LENGTH, SUIT
from app.engine.codes import LETTERS, numbered, parse_code
from app.engine.game import UNDO_LIMIT, start
from app.engine.games import GAMES
from app.engine.games.scorpion import CLASSIC
from app.engine.games.simple_simon import FOUR_SUITS
from app.engine.play import Dealt, Event, Flipped, Moved, Removed
from app.engine.replay import read_action
from app.engine.rules import Rules
from app.web.example_games import EXAMPLE_GAMES
from app.web.examples import Step, steps_of
from app.web.explained import PAIRS, WINNABLE
from app.web.figures import figures_of
from app.web.i18n import translations
from app.web.security import COOKIE_AGE
from tests.web.page import Node, Page, still_columns
from tests.web.records import EXAMPLES, names_under
from tests.web.site import Browser, Site

LANGUAGES = ["fi", "en"]
NAMES = ["simple-simon", "scorpion"]
RECORDS = dict(zip(NAMES, EXAMPLES, strict=True))


def stills(page: Page) -> list[Node]:
    """Return the tables to look at that a page shows."""
    return [node for node in page.root.all("div") if "still" in node.attributes.get("class", "").split()]


# The examples


@pytest.mark.parametrize("name", NAMES)
def test_an_example_is_the_recorded_game(name: str) -> None:
    record, example = RECORDS[name], EXAMPLE_GAMES[name]
    assert example.code == record["code"]
    assert example.actions.split() == [read_action(move).text for move in record["moves"]]
    steps = steps_of(name)
    assert [step.game.score for step in steps[1:]] == record["scores"]
    assert steps[-1].game.won
    assert set(example.notes) <= set(range(len(steps)))
    assert {0, len(steps) - 1} <= set(example.notes)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_step_shows_its_table_its_score_and_says_what_happened(site: Site, language: str, name: str) -> None:
    client, before = site.browser(language), site.rows
    steps, notes = steps_of(name), EXAMPLE_GAMES[name].notes
    for number, step in enumerate(steps):
        page = client.open(f"/examples/{name}?step={number}")
        position = step.game.position
        assert still_columns(page.root) == position.names()
        told = page.id("told").text
        assert str(step.game.score) in told
        assert bool(page.id("told").all("p", **{"class": "note"})) == (number in notes)
        if number in notes:
            assert translations(language).gettext(notes[number]) in told
        arrows = told.count("→")
        assert arrows == sum(isinstance(event, Moved | Dealt) for event in step.events)
        marked = [card for card in page.root.all("input", type="radio") if "last" in card["class"].split()]
        assert len(marked) == len(step.marked)
    assert client.cookie is None
    assert site.rows == before


@pytest.mark.parametrize("name", NAMES)
def test_the_steps_lead_to_one_another_without_script(client: Browser, name: str) -> None:
    last = len(steps_of(name)) - 1
    for number, wanted in (
        (0, {"next": 1, "last": last}),
        (7, {"first": 0, "prev": 6, "next": 8, "last": last}),
        (last, {"first": 0, "prev": last - 1}),
    ):
        page = client.open(f"/examples/{name}?step={number}")
        steps = page.root.all("nav", **{"class": "steps"})[0].all("a")
        assert {link["rel"]: int(link["href"].partition("?step=")[2]) for link in steps} == wanted
        slider = page.id("at")
        assert (slider["min"], slider["max"], slider["value"]) == ("0", str(last), str(number))
        form = next(form for form in page.root.all("form") if form.all("input", id="at"))
        assert (form["method"], form["action"]) == ("get", f"/examples/{name}")
        assert form.all("button")
    assert client.open(f"/examples/{name}").id("at")["value"] == "0"


@pytest.mark.parametrize(
    "step", ["50", "99", "999", "1000", "-1", "+1", "1.0", "x", " 1", "²", "٣", "\x00", "9" * 5000]
)
@pytest.mark.parametrize("name", NAMES)
def test_a_step_that_is_none_is_not_there(client: Browser, name: str, step: str) -> None:
    assert client.get(f"/examples/{name}?step={quote(step)}").status_code == 404


def test_nothing_of_the_hidden_cards_is_in_a_step(client: Browser) -> None:
    """G-11: neither in the deal nor in the figures of the rules."""
    record = RECORDS["scorpion"]
    for address in ("/examples/scorpion", "/rules/scorpion"):
        page = client.open(address)
        faces = {card["class"].split()[0] for card in stills(page)[0].all("input")}
        assert not {name[1] + name[0] for name in names_under(record["columns"], record["stock"])} & faces


# The figures


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_rules_are_drawn_with_the_pieces_of_the_table(site: Site, language: str, name: str) -> None:
    """Each figure is a table that the engine laid, and what it played there."""
    page = site.browser(language).open(f"/rules/{name}")
    shown = [still_columns(node) for node in stills(page)]
    figures = figures_of(name)
    wanted = [one for figure in figures.values() for one in (figure.before, figure.after) if one]
    assert shown == [position.names() for position in wanted]
    assert figures["layout"].before == parse_code(page.root.all("figcaption")[0].all("code")[0].text).deal()
    run = figures["run"].after
    assert run is not None
    assert len(run.runs) == 1
    assert all(len(figure.all("figcaption")[0].text) > 40 for figure in page.root.all("figure"))
    assert page.root.all("a", href=f"/examples/{name}")


# The numbers


def numbers_of(rules: Rules) -> set[int]:
    """Return every number that the rules of a game may speak of: those of the engine, and what follows from them."""
    cards = sum(rules.layout) + len(rules.stock_to)
    assert cards == len(rules.sets) * len(RANKS)
    suits = {int(one.choice[1]) for one in GAMES if one.choice[0] == "suits"}
    moves = len(steps_of(rules.game)) - 1
    runs = rules.places * rules.points["removed"]
    undone, made = 40, 10
    found = {cards, sum(rules.layout), len(rules.layout), *rules.layout, *rules.points.values(), rules.start}
    found |= {rules.places, RUN_LENGTH, LETTERS, UNDO_LIMIT, undone, made, UNDO_LIMIT - undone + made, runs}
    found |= {abs(worth) for worth in rules.points.values()}
    if rules.stock_to:
        hidden = sum(rules.down)
        found |= {len(rules.stock_to), hidden, max(rules.down), rules.layout[0] - max(rules.down), 0}
        found |= {sum(rules.layout) - hidden, hidden * rules.points["flipped"] + runs + rules.start}
        found |= {len([down for down in rules.down if down]), len([down for down in rules.down if down]) + 1}
        found |= {1, 10, 5, 2}  # The first column; ten columns of five, and two cards: Three Blind Mice, in its source.
    else:
        found |= suits | {rules.places // 2, rules.places // 4}
        found |= {moves, rules.start + moves * rules.points["moved"] + runs}
        found |= {12}  # The group of the example, which a test of its own counts.
    return found


CARD = re.compile(
    r"\b(?:pata|hertta|ruutu|risti)-\d+|\b\d+(?:, \d+)*(?: and \d+)? (?:of|on) (?:spades|hearts|diamonds|clubs|a \d)"
    r"|\b(?:pata|padan)\b|[SC][SC]1(?:-[A-Z0-9]+)*|\bS[124]\b",
    re.IGNORECASE,
)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_number_of_the_rules_is_one_of_the_engine(site: Site, language: str, name: str) -> None:
    """SS-1, SS-6, SC-1, SC-8, G-6, #12: whoever changes a constant is told where a page says otherwise."""
    page = site.browser(language).open(f"/rules/{name}")
    text = CARD.sub(" ", page.root.all("main")[0].text)
    allowed = numbers_of({"simple-simon": FOUR_SUITS, "scorpion": CLASSIC}[name])
    assert {int(number) for number in re.findall(r"\d+", text)} <= {abs(number) for number in allowed}


def test_the_group_of_twelve_goes_to_an_empty_column_in_one_move() -> None:
    """SS-4, SS-5: what the rules and the example say of move 42."""
    steps = steps_of("simple-simon")
    groups = [
        (len(event.cards), number)
        for number, step in enumerate(steps)
        for event in step.events
        if isinstance(event, Moved) and not steps[number - 1].game.position.columns[event.target]
    ]
    assert max(groups) == (12, 42)


def test_the_notes_of_the_examples_tell_true_numbers() -> None:
    simon, scorpion = (steps_of(name) for name in NAMES)
    assert [simon[n].game.score for n in (0, 49)] == [FOUR_SUITS.start, 851]
    assert [len(steps[-1].game.position.runs) for steps in (simon, scorpion)] == [4, 4]
    assert [turns_with(Removed, steps) for steps in (simon, scorpion)] == [[15, 31, 48, 49], [41, 44, 48, 49]]
    assert scorpion[-1].game.score == 695
    assert sum(CLASSIC.down) * CLASSIC.points["flipped"] + 4 * CLASSIC.points["removed"] == 460
    for steps, empty in ((simon, {9: [5], 11: [5, 8], 23: [5, 7, 8]}), (scorpion, {10: [6]})):
        for number, columns in empty.items():
            now = [index for index, column in enumerate(steps[number].game.position.columns) if not column]
            before = [index for index, column in enumerate(steps[number - 1].game.position.columns) if not column]
            assert now == columns
            assert len(before) == len(now) - 1
    moved = {
        n: len(event.cards) for n, step in enumerate(scorpion) for event in step.events if isinstance(event, Moved)
    }
    assert [moved[number] for number in (1, 5, 34, 37)] == [4, 21, 15, 14]
    assert max(turns_with(Flipped, scorpion)) == 45
    assert sum(scorpion[45].game.position.down) == 0
    assert turns_with(Dealt, scorpion) == [36]


def turns_with(kind: type[Event], steps: tuple[Step, ...]) -> list[int]:
    """Return the numbers of the steps in which something of a kind happened."""
    return [number for number, step in enumerate(steps) if any(isinstance(event, kind) for event in step.events)]


# Help, and what is stored


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_tells_the_measured_shares_and_the_engines_numbers(site: Site, language: str) -> None:
    """#67, #83: of random deals, never of one; and why neighbours so often look alike."""
    page = site.browser(language).open("/help")
    shares = [row.all("td")[0].text for row in page.root.all("tbody")[0].all("tr")]
    about, nearly = {"fi": ("noin", "lähes kaikki"), "en": ("about", "nearly all")}[language]
    assert shares == [f"{about} {n}" for n in (94, 95, 95, 12)] + [nearly]
    assert {rules for rules, _ in WINNABLE} == set(GAMES)
    text = CARD.sub(" ", page.root.all("main")[0].text)
    allowed = {UNDO_LIMIT, LETTERS, *PAIRS, 94, 95, 12, 1, 2, 4, 100}
    assert {int(number) for number in re.findall(r"\d+", text)} <= allowed
    addresses = {link["href"] for link in page.root.all("a")}
    wanted = {
        "/settings",
        "/daily",
        "/privacy",
        *(f"/{kind}/{name}" for kind in ("rules", "examples") for name in NAMES),
    }
    assert wanted <= addresses


def test_neighbours_in_a_shuffled_deck_are_as_often_alike_as_the_help_says() -> None:
    """#67: over 2 000 deals; the mean of so many is within a tenth of a pair."""
    ranks = suits = 0
    number = 2000
    for deal in range(number):
        position = start(CLASSIC, numbered(CLASSIC, deal).deal()).position
        deck = "".join(position.columns) + position.stock
        pairs = list(pairwise(deck))
        ranks += sum(RANK[one] == RANK[two] for one, two in pairs)
        suits += sum(SUIT[one] == SUIT[two] for one, two in pairs)
    assert abs(ranks / number - PAIRS[0]) < 0.15
    assert abs(suits / number - PAIRS[1]) < 0.3


@pytest.mark.parametrize("language", LANGUAGES)
def test_what_is_stored_is_said_and_linked_from_every_page(site: Site, language: str) -> None:
    client = site.browser(language)
    page = client.open("/privacy")
    assert page.language == language
    assert "pasianssi" in page.text
    assert str(COOKIE_AGE // 86400) in page.text
    for address in ("/", "/help", "/rules/scorpion", "/games", "/statistics", "/daily"):
        assert "/privacy" in [link["href"] for link in client.open(address).root.all("a")]
    assert client.cookie is None


@pytest.mark.parametrize("address", ["/help", "/privacy", "/daily", "/statistics", *(f"/examples/{n}" for n in NAMES)])
def test_finnish_pages_hold_no_english_sentence(client: Browser, address: str) -> None:
    page: Page = client.open(address)
    assert not re.search(r"\b(the|and|your|with|which|game)\b", page.root.all("main")[0].text.replace("In English", ""))
