"""What a screen reader hears: roles and names alone, with which a whole game can be played."""

from typing import Any

from playwright.sync_api import Locator, expect

from tests.browser.player import Player
from tests.browser.table import Table
from tests.web.records import EXAMPLES, KINDS, ONE_SUIT, SCORPION

SUITS = {"S": "pata", "H": "hertta", "D": "ruutu", "C": "risti"}
COURTS = {"A": "ässä", "J": "sotilas", "Q": "rouva", "K": "kuningas"}


def card_name(card: str) -> str:
    """Return a card's name in Finnish words."""
    suit = SUITS[card[1]]
    return f"{suit}{COURTS[card[0]]}" if card[0] in COURTS else f"{suit} {card[0].replace('T', '10')}"


def column_name(index: int, cards: list[str]) -> str:
    """Return a column's name in Finnish words."""
    if not cards:
        return f"Sarake {index + 1}, tyhjä"
    parts = [f"Sarake {index + 1}", f"{len(cards)} kortti" + ("a" if len(cards) > 1 else "")]
    if down := cards.count("??"):
        parts.append(f"{down} piilossa")
    return ", ".join([*parts, f"päällimmäinen {card_name(cards[-1])}"])


def activate(one: Locator) -> None:
    """Do what a screen reader does to the element under its cursor: it asks for its action, whatever lies over it."""
    one.evaluate("element => element.click()")


def test_a_whole_game_is_played_by_roles_and_names_alone(player: Player) -> None:
    """#57: the recorded game says where the cards are, and they are found there by what they are called."""
    record = next(one for one in KINDS if one["code"].startswith("SS1-S4"))
    table = player.table(record["code"])
    columns = [list(column) for column in record["columns"]]
    page = table.page
    for number, (source, at, target) in enumerate(record["moves"], 1):
        group = page.get_by_role("group", name=column_name(source, columns[source]), exact=True)
        card = group.get_by_role("radio", name=card_name(columns[source][at]), exact=True)
        activate(card)
        expect(card).to_be_checked()
        onto = page.get_by_role("group", name=column_name(target, columns[target]), exact=True)
        activate(onto.get_by_role("button", name=f"Sarakkeeseen {target + 1}", exact=True))
        table.answered(number)
        columns[target] += columns[source][at:]
        del columns[source][at:]
        run = [rank + columns[target][-1][1] for rank in "KQJT98765432A"]
        if columns[target][-13:] == run:
            del columns[target][-13:]
    expect(page.get_by_role("heading", name="Voitit pelin!")).to_be_visible()
    for index in range(10):
        expect(page.get_by_role("group", name=f"Sarake {index + 1}, tyhjä", exact=True)).to_be_attached()


def test_columns_are_named_groups_with_their_number_size_hidden_cards_and_end(player: Player) -> None:
    """#57: "Sarake 3, 7 korttia, päällimmäinen hertta 3"; G-11."""
    table = player.table(SCORPION)
    for index, cards in enumerate(table.columns):
        group = table.page.get_by_role("group", name=column_name(index, cards), exact=True)
        expect(group).to_have_count(1)
        assert [one.get_attribute("aria-label") for one in group.get_by_role("radio").all()] == [
            card_name(card) for card in cards if card != "??"
        ]


def test_finished_places_the_stock_and_empty_columns_are_announced(player: Player) -> None:
    """#57."""
    table = player.table(EXAMPLES[0]["code"], EXAMPLES[0]["moves"][:35])
    runs = len(table.saved()["runs"])
    expect(table.page.get_by_role("list", name=f"Valmiita sarjoja: {runs}/4", exact=True)).to_be_visible()
    empty = [index for index, column in enumerate(table.columns) if not column]
    assert empty
    for index in empty:
        expect(table.page.get_by_role("group", name=f"Sarake {index + 1}, tyhjä", exact=True)).to_be_visible()
    other = player.table(SCORPION)
    expect(other.page.get_by_role("button", name="Varapakka 3", exact=True)).to_be_enabled()


def listen(table: Table) -> None:
    """Note from now on every text that a live region comes to hold."""
    table.page.evaluate("""() => {
        window.heard = [];
        for (const region of document.querySelectorAll("[role=status], [role=alert], [aria-live]")) {
            const note = () => region.textContent.trim() && heard.push(region.textContent.trim());
            new MutationObserver(note).observe(region, {childList: true, characterData: true, subtree: true});
        }
    }""")


def heard(table: Table) -> list[str]:
    """Return what was said since it was asked for last."""
    said: list[str] = table.page.evaluate("() => heard.splice(0)")
    return said


def test_every_result_is_spoken_once(player: Player) -> None:
    """#47, #57: what moved, what turned up, a run, a deal, an undo: one text each."""
    record = EXAMPLES[1]
    table = player.table(record["code"])
    listen(table)
    spoken: list[tuple[Any, list[str]]] = []
    for wish in record["moves"]:
        if isinstance(wish, str):
            table.do(wish)
        else:
            # A drag picks up and puts down; what is picked up is spoken too, as its own text.
            table.do(wish, drag=True)
        spoken.append((wish, heard(table)))
    for wish, texts in spoken:
        told = [text for text in texts if " nostettu." not in text and "→" in text]
        assert len(told) == 1, (wish, texts)
        assert len(texts) <= 2, (wish, texts)
    all_of_it = " ".join(text for _, texts in spoken for text in texts)
    for sentence in ("Esiin kääntyi", "Sarja poistui pelistä: ", "→ sarake "):
        assert sentence in all_of_it
    table.do("undo")
    assert heard(table) == ["Viimeisin siirto kumottiin."]


def test_a_refusal_is_spoken_once(player: Player) -> None:
    """SS-9."""
    player.provokes("422")
    table = player.table(ONE_SUIT)
    table.tap(2, 7)
    expect(table.card(2, 7)).to_be_checked()
    listen(table)
    table.tap(7)
    expect(table.message.locator("strong")).to_be_visible()
    said = heard(table)
    assert len(said) == 1
    assert said[0].startswith("Sääntö: kortti asetetaan täsmälleen yhtä arvoa suuremman kortin päälle")


def test_the_columns_that_take_a_picked_up_card_are_spoken_and_can_be_found(player: Player) -> None:
    """SS-9 for the ears: a sentence, and a description of each column's button."""
    table = player.table(ONE_SUIT)
    source, at, _ = table.legal[0]
    targets = sorted(target for one, place, target in table.legal if [one, place] == [source, at])
    listen(table)
    activate(table.card(source, at))
    expect(table.card(source, at)).to_be_checked()
    name = card_name(table.columns[source][at])
    assert heard(table) == [f"{name} nostettu. Sopii sarakkeisiin: {', '.join(str(one + 1) for one in targets)}."]
    for index in range(10):
        expected = "kortti sopii" if index in targets else ""
        expect(table.button(index)).to_have_accessible_description(expected)
    activate(table.button(targets[0]))
    table.answered(1)
    for index in range(10):
        expect(table.button(index)).to_have_accessible_description("")


def test_the_page_has_its_landmarks_and_one_heading_of_the_first_rank(player: Player) -> None:
    """WCAG 1.3.1."""
    page = player.table(ONE_SUIT).page
    expect(page.get_by_role("main")).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_have_count(1)
    expect(page.get_by_role("heading", level=1)).to_contain_text("Simple Simon")
    expect(page.get_by_role("heading", level=1)).to_contain_text(ONE_SUIT)
