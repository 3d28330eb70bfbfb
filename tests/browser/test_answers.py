"""The time between a wish and its answer: what is shown meanwhile, and what when the answer is a refusal or none."""

import time
from typing import Any
from urllib.parse import parse_qs

import pytest
from playwright.sync_api import Route, expect
from starlette.datastructures import Headers

from app.web.errors import Fault, fault_response
from tests.browser.conftest import Players
from tests.browser.player import Player
from tests.browser.table import PATIENCE, Table
from tests.web.records import FOUR_SUITS, KINDS, ONE_SUIT, SCORPION

FIRST, SECOND = [1, 7, 7], [2, 6, 3]
"""Two legal moves of :data:`ONE_SUIT` that can follow each other."""

ILLEGAL = [2, 7, 7]

GIVES_UP = 15_000
"""Milliseconds within which the page has tried often enough; it is a limit, no measure."""


class Gate:
    """Holds every action that a page sends until it is told what becomes of it."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self.held: list[Route] = []
        table.page.route("**/play/*", self._hold)

    def _hold(self, route: Route) -> None:
        if route.request.method == "POST":
            self.held.append(route)
        else:
            route.continue_()

    def wait(self) -> Route:
        """Return the next action that is held, once it is there."""
        deadline = time.monotonic() + PATIENCE / 1000
        while not self.held:
            assert time.monotonic() < deadline, "the page sent nothing"
            # Whatever the page has sent arrives while anything is asked of the page.
            self._table.form.evaluate("() => new Promise(requestAnimationFrame)")
        return self.held.pop(0)

    def open(self) -> None:
        """Let the next action go to the server."""
        self.wait().continue_()


def moved(columns: list[list[str]], *moves: list[int]) -> list[list[str]]:
    """Return columns after moves that remove no run and turn no card up."""
    after = [list(column) for column in columns]
    for source, at, target in moves:
        after[target] += after[source][at:]
        del after[source][at:]
    return after


def form_of(post: Any) -> dict[str, list[str]]:
    """Return the fields of a request."""
    return parse_qs(post.post_data or "", keep_blank_values=True)


@pytest.mark.parametrize("way", ["drag", "tap_move"])
def test_a_moved_card_lies_where_it_was_put_before_the_answer_and_nothing_is_lit_meanwhile(
    player: Player, way: str
) -> None:
    """As specified: "What the player sees is immediate"; SS-9."""
    table = player.table()
    gate, before = Gate(table), table.columns
    getattr(table, way)(FIRST)
    held = gate.wait()
    assert table.columns == moved(before, FIRST)
    assert table.version == 0
    table.tap(2, 6)
    expect(table.card(2, 6)).to_be_checked()
    expect(table.tableau.locator(".target")).to_have_count(0)
    held.continue_()
    table.answered(1)
    # What was picked up meanwhile stays in the hand, and now its columns are lit.
    expect(table.card(2, 6)).to_be_checked()
    expect(table.tableau.locator(".target").first).to_be_visible()
    assert table.columns == moved(before, FIRST)
    table.agrees()


def test_with_300_milliseconds_of_latency_every_move_is_seen_before_it_is_confirmed(player: Player) -> None:
    """As specified: "With 300 ms of latency the table stays usable and honest"."""
    table = player.table()
    session = player.context.new_cdp_session(table.page)
    network = {"offline": False, "latency": 300, "downloadThroughput": -1, "uploadThroughput": -1}
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", network)
    # The page notes by itself what it shows at each change: the cards of column 8, and the confirmed version.
    table.form.evaluate("""form => {
        window.seen = [];
        const cards = () => document.getElementById("c7").children.length - 1;
        const note = () => seen.push(`${cards()} ${form.elements.version.value}`);
        new MutationObserver(note).observe(form, {childList: true, subtree: true});
    }""")
    before = table.columns
    table.drag(FIRST)
    table.tap_move(SECOND)
    table.answered(2)
    seen = table.page.evaluate("() => window.seen")
    assert seen[0] == "4 0"
    assert not any(line.startswith("3 ") for line in seen)
    assert table.columns == moved(before, FIRST, SECOND)
    table.agrees()


def test_two_quick_moves_are_made_in_order_one_after_another(player: Player) -> None:
    """The second is sent when the first is answered, with the version that the answer brought."""
    table = player.table()
    gate, before = Gate(table), table.columns
    table.drag(FIRST)
    table.drag(SECOND)
    assert table.columns == moved(before, FIRST, SECOND)
    first = gate.wait()
    assert len(table.posts) == 1
    first.continue_()
    table.answered(1)
    assert table.columns == moved(before, FIRST, SECOND)
    gate.open()
    table.answered(2)
    assert table.columns == moved(before, FIRST, SECOND)
    table.agrees()
    assert [form_of(post)["version"] for post in table.posts] == [["0"], ["1"]]
    assert [form_of(post)["onto"] for post in table.posts] == [["7"], ["3"]]


def test_a_refused_move_goes_back_and_the_rule_is_told_and_then_which_cards(player: Player) -> None:
    """SS-9, G-10."""
    player.provokes("422")
    table = player.table(ONE_SUIT, [SECOND])
    table.do("undo")
    gate, before, version = Gate(table), table.columns, table.version
    table.drag(ILLEGAL)
    assert table.columns == moved(before, ILLEGAL)
    gate.open()
    expect(table.message.locator("strong")).to_have_text(
        "Sääntö: kortti asetetaan täsmälleen yhtä arvoa suuremman kortin päälle"
    )
    expect(table.message).to_contain_text("Pata 8, sarake 3 → pata 6, sarake 8.")
    assert table.columns == before
    assert table.version == version
    expect(table.page.locator("#redo")).to_be_enabled()
    table.agrees()


def test_the_two_fixed_sentences_stand_to_the_letter(player: Player) -> None:
    """SC-4."""
    player.provokes("422")
    table = player.table(SCORPION)
    # One rank higher but of another suit: the columns say where that is.
    columns = table.columns
    ranks = "A23456789TJQK"
    source, at, target = next(
        (source, at, target)
        for target, onto in enumerate(columns)
        for source, column in enumerate(columns)
        for at, card in enumerate(column)
        if source != target
        and card != "??"
        and ranks.index(card[0]) + 1 == ranks.index(onto[-1][0])
        and card[1] != onto[-1][1]
    )
    table.drag([source, at, target])
    expect(table.message.locator("strong")).to_have_text("Sääntö: korttien on oltava samaa maata")
    assert table.columns == columns


def test_a_refusal_lets_every_later_move_go_back_with_one_message(player: Player) -> None:
    """As specified: "a refusal lets the rest go back with one message"."""
    player.provokes("422")
    table = player.table()
    gate, before = Gate(table), table.columns
    table.drag(ILLEGAL)
    table.drag(FIRST)
    table.drag(SECOND)
    assert len(table.columns[7]) == 5
    gate.open()
    expect(table.message.locator("p")).to_have_count(1)
    expect(table.message.locator("strong")).to_be_visible()
    assert table.columns == before
    table.page.unroute_all()
    table.do(FIRST)
    assert len(table.posts) == 2
    table.agrees()


def test_offline_the_player_is_told_and_the_card_returns_and_online_the_game_goes_on(player: Player) -> None:
    """#75: nothing that was confirmed is lost."""
    player.provokes_an_outage("ERR_INTERNET_DISCONNECTED")
    table = player.table(ONE_SUIT, [FIRST])
    before = table.columns
    player.context.set_offline(True)
    table.drag(SECOND)
    expect(table.message).to_contain_text("Palvelin ei ole vielä vastannut")
    assert table.columns == moved(before, SECOND)
    expect(table.message).to_contain_text("Palvelin ei vastaa", timeout=GIVES_UP)
    assert table.columns == before
    player.context.set_offline(False)
    table.agrees()
    table.do(SECOND)
    assert table.columns == moved(before, SECOND)
    table.agrees()


def test_a_connection_that_comes_back_while_the_page_still_tries_makes_the_move(player: Player) -> None:
    """The player has nothing to do but wait."""
    player.provokes_an_outage("ERR_INTERNET_DISCONNECTED")
    table = player.table(ONE_SUIT, [FIRST])
    before = table.columns
    player.context.set_offline(True)
    table.drag(SECOND)
    expect(table.message).to_contain_text("Palvelin ei ole vielä vastannut")
    player.context.set_offline(False)
    table.answered(2)
    expect(table.message).not_to_contain_text("Palvelin")
    assert table.columns == moved(before, SECOND)
    table.agrees()


def test_an_answer_that_is_lost_after_its_commit_is_asked_for_again_and_the_move_is_made_once(
    player: Player,
) -> None:
    """The nonce."""
    player.provokes_an_outage("ERR_FAILED")
    table = player.table(ONE_SUIT, [FIRST])
    before = table.columns
    lost: list[int] = []

    def lose_the_first_answer(route: Route) -> None:
        if lost or route.request.method != "POST":
            route.continue_()
            return
        lost.append(route.fetch().status)
        route.abort()

    table.page.route("**/play/*", lose_the_first_answer)
    table.drag(SECOND)
    table.answered(2)
    assert lost == [200]
    assert len(table.posts) == 2
    assert len({form_of(post)["nonce"][0] for post in table.posts}) == 1
    assert table.columns == moved(before, SECOND)
    expect(table.moves).to_have_text("2")
    table.agrees()
    table.do("undo")
    assert table.columns == before


def test_a_lost_answer_lets_the_move_that_was_made_meanwhile_follow_in_order(player: Player) -> None:
    """One after another, even when the first has to be asked for twice."""
    player.provokes_an_outage("ERR_FAILED")
    table = player.table()
    gate, before = Gate(table), table.columns
    table.drag(FIRST)
    table.drag(SECOND)
    first = gate.wait()
    first.fetch()
    first.abort()
    gate.open()
    gate.open()
    table.answered(2)
    assert table.columns == moved(before, FIRST, SECOND)
    assert [form_of(post)["onto"][0] for post in table.posts] == ["7", "7", "3"]
    table.agrees()


OURS = bytes(fault_response(Fault(503), "/play/x", Headers({"hx-request": "true"}), "fi").body).decode()
PROXY = "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>"
LOGIN = "<!doctype html><title>Wi-Fi</title><h1>Sign in to the network</h1><form><input name=name></form>"


@pytest.mark.parametrize(
    ("status", "body", "told"),
    [
        (503, OURS, "ei voi juuri nyt tallentaa"),
        (502, PROXY, "Palvelin ei vastaa"),
        (500, "Internal Server Error", "Palvelin ei vastaa"),
        (429, "<h1>Too Many Requests</h1>", "Palvelin ei vastaa"),
        (403, "<h1>Forbidden</h1>", "Palvelin ei vastaa"),
        (200, LOGIN, "Palvelin ei vastaa"),
    ],
    ids=["503 of ours", "502 of a proxy", "500 in plain text", "429 of a proxy", "403 of a proxy", "a login page"],
)
def test_an_answer_that_is_none_of_the_table_is_told_in_words_and_the_card_returns(
    player: Player, status: int, body: str, told: str
) -> None:
    """#75."""
    if status >= 400:
        player.provokes(str(status))
    table = player.table(ONE_SUIT, [FIRST])
    before, title = table.columns, table.page.title()
    table.page.route("**/play/*", lambda route: route.fulfill(status=status, body=body, content_type="text/html"))
    table.drag(SECOND)
    expect(table.message).to_contain_text(told)
    expect(table.message.locator("p")).to_be_visible()
    assert table.columns == before
    assert table.page.title() == title
    assert table.page.locator("h1").count() == 1
    table.page.unroute_all()
    table.do(SECOND)
    assert table.columns == moved(before, SECOND)
    table.agrees()


def test_a_second_tab_that_is_out_of_date_changes_nothing_and_gets_the_table_with_a_notice(player: Player) -> None:
    """#70."""
    player.provokes("409")
    one, other = player.table(ONE_SUIT, [FIRST]), player.table()
    one.do(SECOND)
    other.drag([9, 0, 2])
    other.answered(2)
    expect(other.message.locator("p")).to_have_text(
        "Tämä pöytä oli vanhentunut, joten mitään ei tehty. Tässä on pöytä sellaisena kuin se nyt on."
    )
    assert other.columns == one.columns
    other.agrees()
    other.do("undo")
    assert other.version == 3


def test_without_the_cookie_a_move_is_told_not_to_be_made_and_the_card_returns(player: Player) -> None:
    """#75."""
    player.provokes("404")
    table = player.table(ONE_SUIT, [FIRST])
    before = table.columns
    player.context.clear_cookies()
    table.drag(SECOND)
    expect(table.message.locator("p")).to_have_text(
        "Tällä selaimella ei ole tätä peliä. Lataa sivu uudelleen, niin näet jaon."
    )
    assert table.columns == before


TWICE = "button => { button.click(); button.click(); }"


def test_two_clicks_on_undo_undo_twice_and_two_on_the_stock_deal_once(player: Player) -> None:
    """#72, #26, SC-6: each click is one wish, in order; what cannot be done any more is refused."""
    player.provokes("422")
    table = player.table(SCORPION)
    # Both in one moment: an answer that came between them would disable the button.
    table.page.locator("#deal").evaluate(TWICE)
    expect(table.message).to_contain_text("Varapakkaa ei ole enää")
    assert table.saved()["moves"] == 1
    table.page.locator("#undo").evaluate(TWICE)
    expect(table.message).to_contain_text("Kumottavaa ei ole")
    assert table.version == 2
    table.agrees()


def test_an_undone_turn_hides_the_card_again_and_leaves_no_trace_of_it_on_the_page(player: Player) -> None:
    """G-11, #18."""
    record = next(one for one in KINDS if one["code"].startswith("SC1-C"))
    wishes: list[Any] = []
    flipped: dict[str, Any] = {}
    watcher = player.play_ahead(record["code"], [])
    for wish in record["moves"]:
        game = player.go_on(watcher, wish)
        flips = [event for event in game["events"] if event["event"] == "flipped"]
        if flips:
            flipped = flips[0]
            player.go_on(game, "undo")
            break
        watcher, wishes = game, [*wishes, wish]
    table = player.table(record["code"])
    before = table.columns
    assert before[flipped["column"]][-1] != flipped["card"]
    table.do(wish)
    assert table.columns[flipped["column"]][-1] == flipped["card"]
    face = flipped["card"][::-1]
    assert face in table.page.content()
    name = table.card(flipped["column"], len(table.columns[flipped["column"]]) - 1).get_attribute("aria-label")
    assert name
    assert name.lower() in table.page.content().lower()
    table.do("undo")
    assert table.columns == before
    content = table.page.content()
    assert f'"{face}' not in content
    assert f"{face} " not in content
    assert f'"{name}"' not in content
    assert name.lower() not in table.message.inner_text().lower()
    table.do("redo")
    assert table.columns[flipped["column"]][-1] == flipped["card"]


def test_a_card_of_a_deck_with_equal_cards_is_known_by_its_place(player: Player) -> None:
    """G-12: of two equal cards on the table the one that is touched is picked up, and moves."""
    table = player.table()
    before = table.columns
    where = [(column, at) for column, cards in enumerate(before) for at, card in enumerate(cards) if card == "5S"]
    assert len(where) == 4
    values = table.tableau.locator("input[name=lift]").evaluate_all("all => all.map(one => one.value)")
    assert len(set(values)) == 52
    assert (1, 7) in where
    table.tap(1, 7)
    expect(table.tableau.locator("input:checked")).to_have_value("1.7")
    expect(table.picked).to_have_count(1)
    table.tap(7)
    table.answered(1)
    assert form_of(table.posts[0])["lift"] == ["1.7"]
    assert table.columns == moved(before, FIRST)
    # By its new place it is a card like any other.
    expect(table.card(7, 3)).to_have_value("7.3")


def test_a_double_tap_that_waits_for_an_answer_never_sends_another_card_than_the_one_that_was_tapped(
    player: Player,
) -> None:
    """G-12: an undo on its way brings another card to the place; the wish is let go of, and told."""
    table = player.table(FOUR_SUITS, [[9, 0, 3], [0, 7, 9]])
    gate = Gate(table)
    start = player.table(FOUR_SUITS).columns
    assert table.columns[9] == ["2C"]
    for _ in range(2):
        table.page.locator("#undo").click()
    # Where the 2 of clubs is tapped, the 9 of spades lies when both are answered, and it has a best column.
    table.double_tap(9, 0)
    gate.open()
    gate.open()
    table.answered(4)
    expect(table.message).to_contain_text("Viimeisin siirto kumottiin")
    assert len(table.posts) == 2
    assert moved(table.columns, [9, 0, 3], [0, 7, 9]) == start
    table.agrees()


def test_without_a_network_at_the_first_move_no_game_is_lost_since_none_was_begun(players: Players) -> None:
    """#75: a stranger's very first move."""
    player = players()
    player.provokes_an_outage("ERR_INTERNET_DISCONNECTED")
    table = player.table()
    before = table.columns
    player.context.set_offline(True)
    table.tap_move(FIRST)
    expect(table.message).to_contain_text("Palvelin ei vastaa", timeout=GIVES_UP)
    assert table.columns == before
    player.context.set_offline(False)
    table.do(FIRST)
    table.agrees()
