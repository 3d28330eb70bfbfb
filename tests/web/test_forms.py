"""The table as a form: with script its answers are what changed, without it a redirect or the whole page."""

import random
import time
from statistics import median

import pytest

from app.engine.cards import LETTERS, RANKS
from app.engine.rules import Rule
from app.store.preferences import DEFAULTS
from app.web.i18n import translations
from app.web.security import Signer
from app.web.words import words
from tests.store.rows import counts
from tests.web.page import Page
from tests.web.records import (
    CODED,
    EXAMPLES,
    FOUR_SUITS,
    KINDS,
    LOOP,
    ONE_SUIT,
    SCORPION,
    Record,
    hidden,
    loop,
    name_of,
)
from tests.web.site import HTMX, Browser, Site, as_form, body

LANGUAGES = ["fi", "en"]
EXAMPLE, SCORPION_EXAMPLE = EXAMPLES
STALE = {
    "fi": "Tämä pöytä oli vanhentunut, joten mitään ei tehty. Tässä on pöytä sellaisena kuin se nyt on.",
    "en": "This table was out of date, so nothing was done. Here is how it stands now.",
}
WON = {"fi": "Voitit pelin!", "en": "You won!"}


def said(language: str, sentence: str) -> str:
    """Return a sentence of the program in a language."""
    return str(translations(language).gettext(sentence))


# What an answer holds


@pytest.mark.parametrize("record", KINDS, ids=name_of)
def test_an_answer_to_htmx_holds_the_changed_columns_the_status_and_the_message_and_no_more(
    client: Browser, record: Record
) -> None:
    """Only what changed travels, and what did not change is not sent."""
    page = client.open(f"/play/{record['code']}")
    sizes = []
    for move in record["moves"]:
        before, beside = page.columns, page.beside()
        response = client.submit(page, move, htmx=True)
        answer = Page(response)
        page.swap(answer)
        ids = [node["id"] for node in answer.root.children if not isinstance(node, str)]
        others = [name for name, shown in page.beside().items() if shown != beside[name]]
        assert ids == [*(f"c{index}" for index in answer.changed), "status", *others, "message"]
        assert answer.changed == [index for index in range(len(before)) if page.columns[index] != before[index]]
        assert answer.message
        if len(answer.changed) == 2 and sum(map(len, answer.columns)) <= 20:
            sizes.append(len(response.content))
    # Some 2 KB for two columns of ten cards; how much turns on what is legal, and on how long the cards' names are.
    assert median(sizes) <= 2048
    assert max(sizes) <= 2800
    assert page.state == client.open(f"/play/{record['code']}").state


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_answer_says_what_was_done(site: Site, language: str) -> None:
    client = site.browser(language)
    page = client.open(f"/play/{FOUR_SUITS}")
    card = page.column(2)[7]
    name = words(language).cards[LETTERS[card]]
    answer = Page(client.submit(page, LOOP[0], htmx=True))
    told = {"fi": "{} → sarake 10.", "en": "{} → column 10."}[language]
    assert answer.message == told.format(name[0].upper() + name[1:])
    undone = Page(client.post(page.table_address, data=answer.table_fields | {"action": "undo"}, headers=HTMX))
    assert undone.message == said(language, "The latest move was taken back.")


# Refusals


def refusals(client: Browser) -> list[tuple[str, object, Rule]]:
    """Return deals, refused actions on them and the rules that refuse them."""
    classic = client.begin(SCORPION)
    relaxed = client.begin(SCORPION.replace("-C-", "-R-"))
    wrong_suit = next(move for move in relaxed["legal"] if move not in classic["legal"])
    deal = body(client.get(f"/api/deals/{FOUR_SUITS}"))
    no_place = next(
        ["auto", source, len(cards) - 1]
        for source, cards in enumerate(deal["columns"])
        if all(onto[-1] != f"{RANKS[RANKS.index(cards[-1][0]) + 1 :][:1]}{cards[-1][1]}" for onto in deal["columns"])
    )
    onto_ace = next(
        (source, len(cards) - 1, target)
        for source, cards in enumerate(classic["columns"])
        for target, others in enumerate(classic["columns"])
        if source != target and others[-1][0] == "A"
    )
    return [
        (FOUR_SUITS, [0, 7, 0], Rule.SAME_COLUMN),
        (FOUR_SUITS, [0, 0, 1], Rule.NOT_A_SEQUENCE),
        (FOUR_SUITS, [0, 20, 1], Rule.NO_CARD),
        (FOUR_SUITS, ["auto", 0, 0], Rule.NOT_A_SEQUENCE),
        (FOUR_SUITS, no_place, Rule.NO_PLACE),
        (FOUR_SUITS, "deal", Rule.STOCK_EMPTY),
        (FOUR_SUITS, "undo", Rule.NOTHING_TO_UNDO),
        (FOUR_SUITS, "redo", Rule.NOTHING_TO_REDO),
        (SCORPION, [0, 0, 5], Rule.FACE_DOWN),
        (SCORPION, wrong_suit, Rule.WRONG_SUIT),
        (SCORPION, list(onto_ace), Rule.ONTO_ACE),
    ]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("htmx", [True, False], ids=["with script", "without script"])
def test_a_refused_action_names_its_rule_and_its_cards_and_changes_nothing(
    site: Site, language: str, htmx: bool
) -> None:
    """G-10, SS-9, #22: on a deal that is not saved, and on a saved game; no column travels, and no row is written."""
    program = site.browser()
    for code, wish, rule in refusals(program):
        for saved in (False, True):
            client = site.browser(language)
            page = client.open(f"/play/{code}")
            if saved:
                page = client.press(client.press(page, page.legal[0]), "undo")
            if saved and rule is Rule.NOTHING_TO_REDO:
                continue
            before = site.rows
            response = client.submit(page, wish, htmx=htmx)
            assert response.status_code == 422, (rule, response.text)
            assert site.rows == before
            answer = Page(response)
            assert answer.message.startswith(words(language).rule(rule)), (rule, answer.message)
            assert bool(client.cookie) == saved
            if htmx:
                assert answer.changed == []
                page.swap(answer)
                assert page.state == client.open(f"/play/{code}").state
            else:
                assert answer.language == language
                assert answer.state == page.state
                # Nothing is lost by a refusal: from its own page the game goes on.
                assert client.submit(answer, "redo" if saved else answer.legal[0]).status_code == 303


@pytest.mark.parametrize(
    ("language", "king_only", "wrong_suit"),
    [
        ("fi", "Tyhjään sarakkeeseen voi siirtää vain kuninkaan", "Sääntö: korttien on oltava samaa maata"),
        ("en", "Only a king can be moved to an empty column", "Rule: the cards must be of the same suit"),
    ],
)
def test_the_two_fixed_sentences_stand_to_the_letter_before_the_cards_and_columns(
    site: Site, language: str, king_only: str, wrong_suit: str
) -> None:
    """SC-4, SS-9: the rule first, and in a second sentence which cards and columns it refused."""
    client = site.browser(language)
    page = client.open(f"/play/{SCORPION}")
    told: set[str] = set()
    column = {"fi": "sarake", "en": "column"}[language]
    for move in SCORPION_EXAMPLE["moves"]:
        ends = [cards[-1] if cards else "" for cards in page.columns]
        for source, card in enumerate(ends):
            for target, end in enumerate(ends):
                to_empty = card and not end and card[0] != "K"
                other_suit = card and end and RANKS.index(end[0]) == RANKS.index(card[0]) + 1 and end[1] != card[1]
                sentence = king_only if to_empty else wrong_suit
                if not (to_empty or other_suit) or sentence in told:
                    continue
                answer = Page(client.submit(page, [source, len(page.column(source)) - 1, target], htmx=True))
                assert answer.id("message").all("strong")[0].text == sentence
                name = words(language).cards[LETTERS[card]]
                detail = answer.message.removeprefix(sentence).strip()
                assert detail.startswith(f"{name[0].upper()}{name[1:]}, ")
                for number in (source + 1, target + 1):
                    assert f"{column} {number}" in detail
                told.add(sentence)
        page = client.press(page, move)
    assert told == {king_only, wrong_suit}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_button_pressed_without_a_card_asks_for_one_and_changes_nothing(site: Site, language: str) -> None:
    client = site.browser(language)
    page = client.open(f"/play/{FOUR_SUITS}")
    before = site.rows
    sentence = said(language, "Choose a card first, then the column that it goes to.")
    for fields in ({"onto": "3"}, {"action": "auto"}):
        response = client.post(page.table_address, data=page.table_fields | fields)
        answer = Page(response)
        assert (response.status_code, answer.message, answer.state) == (422, sentence, page.state)
        short = client.post(page.table_address, data=page.table_fields | fields, headers=HTMX)
        assert (short.status_code, Page(short).message) == (422, sentence)
    assert site.rows == before


def test_a_player_who_wants_no_reminders_is_told_only_that_the_move_was_refused(client: Browser) -> None:
    """SS-9: with interactive rules off the cards simply go back; a screen reader still hears that they did."""
    saved = client.post("/settings", data={**DEFAULTS, "rules": "off", "language": "fi"})
    assert saved.status_code == 303
    page = client.open(f"/play/{FOUR_SUITS}")
    response = client.submit(client.press(page, LOOP[0]), [0, 0, 1], htmx=True)
    answer = Page(response)
    assert response.status_code == 422
    assert answer.message
    assert words("fi").rule(Rule.NOT_A_SEQUENCE) not in response.text
    assert answer.moves == 1


# Old pages, lost answers


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_action_from_an_old_page_changes_nothing_and_brings_the_whole_table_with_a_notice(
    site: Site, language: str
) -> None:
    """#70: tabs A and B show one game; A moves; B's move is stale, and B then shows A's table."""
    client = site.browser(language)
    page = client.press(client.open(f"/play/{FOUR_SUITS}"), LOOP[0])
    tab = client.open(f"/play/{FOUR_SUITS}")
    now = client.press(page, LOOP[1])
    before = site.rows
    for wish in ([0, 7, 3], ["auto", 1, 7], "undo", "redo", "deal"):
        with_script = client.submit(tab, wish, htmx=True)
        answer = Page(with_script)
        assert (with_script.status_code, answer.message) == (409, STALE[language])
        assert answer.changed == list(range(10))
        shown = client.open(f"/play/{FOUR_SUITS}")
        shown.swap(answer)
        assert shown.state == now.state
        without_script = client.submit(tab, wish)
        whole = Page(without_script)
        assert (without_script.status_code, whole.message, whole.state) == (409, STALE[language], now.state)
    assert site.rows == before
    assert client.press(whole, "undo").moves == 1


@pytest.mark.parametrize("htmx", [True, False], ids=["with script", "without script"])
def test_of_two_tabs_that_both_begin_a_deal_the_second_gets_the_firsts_table(either_site: Site, htmx: bool) -> None:
    """G-8, #70: one first attempt for a player and a deal; nothing is lost, nothing is overwritten."""
    client = either_site.browser()
    client.press(client.open(f"/play/{ONE_SUIT}"), client.open(f"/play/{ONE_SUIT}").legal[0])
    first, second = client.open(f"/play/{FOUR_SUITS}"), client.open(f"/play/{FOUR_SUITS}")
    assert first.table_fields["game"] == second.table_fields["game"] == ""
    now = client.press(first, LOOP[0])
    before = either_site.rows
    response = client.submit(second, first.legal[-1], htmx=htmx)
    answer = Page(response)
    assert (response.status_code, answer.message) == (409, STALE["fi"])
    assert answer.columns == now.columns
    assert answer.table_fields["game"] == now.table_fields["game"]
    assert either_site.rows == before
    assert counts(before)["game"] == 2


@pytest.mark.parametrize("wishes", [[], ["undo"]], ids=["first action", "later action"])
def test_a_form_sent_twice_is_done_once_and_answered_twice(either_site: Site, wishes: list[str]) -> None:
    """#72: two clicks within 30 ms, one effect; the second answer shows the same table as the first."""
    client = either_site.browser()
    client.press(client.open(f"/play/{ONE_SUIT}"), client.open(f"/play/{ONE_SUIT}").legal[0])
    page = client.open(f"/play/{FOUR_SUITS}")
    for wish in [LOOP[0], *wishes]:
        first, second = client.submit(page, wish, htmx=True), client.submit(page, wish, htmx=True)
        assert (first.status_code, second.status_code) == (200, 200)
        answers = Page(first), Page(second)
        for answer in answers:
            shown = client.open(f"/play/{FOUR_SUITS}")
            shown.swap(answer)
            assert shown.state == client.open(f"/play/{FOUR_SUITS}").state
        # The page that asks again may know less, so it is shown the whole table.
        assert answers[1].changed == list(range(10))
        assert answers[0].message == answers[1].message
        page = client.open(f"/play/{FOUR_SUITS}")
    assert (page.moves, page.table_fields["version"]) == (1 - len(wishes), str(1 + len(wishes)))
    assert counts(either_site.rows)["game"] == 2


@pytest.mark.parametrize("wish", ["undo", "redo", "deal", LOOP[0]], ids=str)
def test_two_clicks_at_once_are_one_action(either_site: Site, wish: object) -> None:
    """#26, #72: both requests are under way before either is answered."""
    client = either_site.browser()
    code = SCORPION if wish == "deal" else FOUR_SUITS
    page = client.open(f"/play/{code}")
    page = client.press(client.press(page, page.legal[0]), "undo")
    if wish == "undo":
        page = client.press(page, "redo")
    fields = page.table_fields | as_form(wish)
    answers = either_site.together(client.http.post(page.table_address, data=fields) for _ in range(5))
    assert [answer.status_code for answer in answers] == [303] * 5
    after = client.open(f"/play/{code}")
    assert after.table_fields["version"] == str(int(page.table_fields["version"]) + 1)


def test_double_tap_on_every_card_moves_only_those_that_have_a_best_column(client: Browser) -> None:
    """SS-7, #15, #22: what automatic placement refuses changes nothing."""
    page = client.open(f"/play/{FOUR_SUITS}")
    best = page.best
    for index, column in enumerate(page.columns):
        for at in range(len(column)):
            response = client.submit(client.open(f"/play/{FOUR_SUITS}"), ["auto", index, at])
            assert (response.status_code == 303) == (f"{index}.{at}" in best)
            if response.status_code == 303:
                back = client.press(client.open(f"/play/{FOUR_SUITS}"), "undo")
                assert back.columns == page.columns


# The win


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("record", EXAMPLES, ids=name_of)
def test_the_response_that_makes_the_win_shows_it_and_a_reload_still_does(
    site: Site, record: Record, language: str
) -> None:
    """G-4, G-7, #2, #26, #29, #30: undo out of the win, win again, look again: one game, won once."""
    client = site.browser(language)
    game = client.play(client.begin(record["code"]), *record["moves"][:-1])
    page = client.open(f"/play/{record['code']}")
    assert WON[language] not in page.text
    answer = Page(client.submit(page, record["moves"][-1], htmx=True))
    assert WON[language] in answer.source
    page.swap(answer)
    assert (page.score, page.moves, page.has("won")) == (record["final_score"], 49, True)
    for _ in range(2):
        page = client.open(f"/play/{record['code']}")
        assert WON[language] in page.text
        assert page.columns == [[]] * len(record["columns"])
    back = Page(client.submit(page, "undo", htmx=True))
    assert WON[language] not in back.source
    page.swap(back)
    assert (page.score, page.moves) == (record["scores"][-2], 48)
    assert not page.has("won")
    page = client.press(page, record["moves"][-1])
    assert WON[language] in page.text
    row = site.rows["game"]
    assert len(row) == 1
    listed = client.open("/games")
    assert [one["status"] for one in body(client.get("/api/games"))["games"]] == ["won"]
    assert str(page.score) in listed.text
    assert client.game(game)["status"] == "won"


def test_a_removed_run_cannot_be_moved_back_and_a_won_table_takes_nothing(client: Browser) -> None:
    """G-2, #6: no card is ever taken from the places."""
    record = EXAMPLE
    game = client.play(client.begin(record["code"]), *record["moves"])
    page = client.open(f"/play/{record['code']}")
    assert page.legal == []
    for lift in ("foundation", "10.0", "S", "runs.0"):
        response = client.post(page.table_address, data=page.table_fields | {"lift": lift, "onto": "0"})
        assert response.status_code == 422
    for source in range(10):
        response = client.submit(page, [source, 0, (source + 1) % 10])
        assert response.status_code == 422
        assert Page(response).message.startswith(words("fi").rule(Rule.NO_CARD))
    assert client.game(game) == {**game, "events": []}


# Saving


def test_looking_writes_nothing_at_any_address(site: Site, client: Browser) -> None:
    """Link previews and crawlers cost no row; a visitor with games costs none by looking either."""
    player = site.browser()
    game = player.play(player.begin(FOUR_SUITS), LOOP[0])
    addresses = [
        *("/", "/new/simple-simon", "/new/scorpion", "/games", f"/games/{game['id']}", "/settings", "/help", "/docs"),
        *("/rules/simple-simon", "/rules/scorpion", "/play", f"/play?code={ONE_SUIT}", f"/play/{ONE_SUIT}", "/play/x"),
        *(f"/play/{FOUR_SUITS}", f"/play/{SCORPION}", "/nowhere", "/healthz", "/api/openapi.json", "/api/games"),
        *(f"/api/deals/{ONE_SUIT}", f"/api/games/{game['id']}", "/my-data", "/my-data/export", "/my-data/delete"),
        *(f"/games/{game['id']}/look-back", f"/games/{game['id']}/look-back?at=1", f"/games/{game['id']}/share"),
        *("/games?shown=won", f"/games?deleted={game['id']}", f"/replay/{'A' * 22}"),
    ]
    before = site.rows
    for address in addresses:
        for method in ("GET", "HEAD"):
            assert client.ask(method, address).headers.get("set-cookie") is None
            player.ask(method, address)
            assert site.rows == before, (method, address)
    assert client.cookie is None


@pytest.mark.parametrize("secure", [False, True], ids=["http", "https"])
def test_the_first_action_saves_the_game_and_sets_the_cookie(site: Site, secure: bool) -> None:
    """The cookie is HttpOnly and SameSite=Lax, lives for 400 days, and is Secure where the page is."""
    client = site.browser(address=f"http{'s' if secure else ''}://pasianssi.test")
    page = client.open(f"/play/{FOUR_SUITS}")
    assert (page.table_fields["game"], page.table_fields["version"]) == ("", "0")
    response = client.submit(page, LOOP[0])
    cookie, *parts = response.headers["set-cookie"].split("; ")
    assert cookie.startswith("pasianssi=")
    assert sorted(part.lower() for part in parts) == sorted(
        ["httponly", "max-age=34560000", "path=/", "samesite=lax", *(["secure"] if secure else [])]
    )
    assert counts(site.rows) == {"player": 1, "device": 1, "game": 1, "replay": 0, "secret": 1}
    page = client.open(f"/play/{FOUR_SUITS}")
    assert (page.moves, page.can("undo")) == (1, True)
    assert client.submit(page, LOOP[1]).headers.get("set-cookie") is None
    # Another visitor sees the cards dealt, not this one's game.
    assert site.browser().open(f"/play/{FOUR_SUITS}").moves == 0


def test_undo_and_redo_lists_outlive_a_reload_and_a_restart_of_the_server(either_site: Site) -> None:
    """G-6, G-7, #25: redo is kept until another action is made, and a refused one is none (G-10)."""
    client = either_site.browser()
    page = client.open(f"/play/{FOUR_SUITS}")
    for move in loop(4):
        page = client.press(page, move)
    page = client.press(client.press(page, "undo"), "undo")
    either_site.restart()
    page = client.open(f"/play/{FOUR_SUITS}")
    assert (page.moves, page.score, page.can("undo"), page.can("redo")) == (2, 498, True, True)
    assert client.submit(page, [0, 0, 1]).status_code == 422
    page = client.press(client.press(client.open(f"/play/{FOUR_SUITS}"), "redo"), "redo")
    assert (page.moves, page.score, page.can("redo")) == (4, 496, False)
    page = client.press(client.press(page, "undo"), LOOP[1])
    assert (page.moves, page.can("redo")) == (4, False)


def test_score_moves_buttons_and_columns_never_get_out_of_step(client: Browser) -> None:
    """#23, #24: after each of 60 undos and redos, what htmx made of the page is what the state says."""
    chance = random.Random(7)
    record = next(one for one in CODED if one["code"].startswith("SC1-R"))
    game = client.play(client.begin(record["code"]), *record["moves"][:30])
    page = client.open(f"/play/{record['code']}")
    for _ in range(60):
        wish = chance.choice([one for one in ("undo", "redo") if page.can(one)])
        page.swap(Page(client.submit(page, wish, htmx=True)))
        game = client.game(game)
        expected = (game["score"], game["moves"], game["columns"], game["legal"], game["undo"] > 0, game["redo"] > 0)
        assert page.state == expected
        assert game["score"] == ([0, *record["scores"]])[game["moves"]]
        assert page.can("deal") == bool(game["stock"])


def test_the_score_below_zero_is_written_with_a_minus_sign(client: Browser) -> None:
    """SS-6, #32: 501 moves there and back: −1, not 0."""
    client.play(client.begin(FOUR_SUITS), *loop(501))
    page = client.open(f"/play/{FOUR_SUITS}")
    assert (page.id("score").text, page.moves) == ("−1", 501)
    assert "−1" in client.open("/games").text


# Attempts


def test_starting_again_keeps_the_old_attempt_and_a_second_press_makes_no_second_one(either_site: Site) -> None:
    """G-8, #72: the old attempt stays among the saved games; the new one is listed from its first action on."""
    client = either_site.browser()
    old = client.press(client.open(f"/play/{FOUR_SUITS}"), LOOP[0])
    old_id = old.table_fields["game"]
    for _ in range(3):
        response = client.post(f"/play/{FOUR_SUITS}/restart")
        assert (response.status_code, response.headers["location"]) == (303, f"/play/{FOUR_SUITS}")
    assert counts(either_site.rows)["game"] == 2
    fresh = client.open(f"/play/{FOUR_SUITS}")
    assert (fresh.moves, fresh.score, fresh.can("undo")) == (0, 500, False)
    assert fresh.table_fields["game"] not in ("", old_id)
    assert f"/games/{old_id}" in client.open("/games").source
    assert f"/games/{fresh.table_fields['game']}" not in client.open("/games").source
    fresh = client.press(fresh, LOOP[0])
    assert f"/games/{fresh.table_fields['game']}" in client.open("/games").source
    kept = client.open(f"/games/{old_id}")
    assert (kept.moves, kept.table_fields["game"]) == (1, old_id)


def test_many_presses_of_start_again_at_once_make_one_new_attempt(either_site: Site) -> None:
    """G-8, #72."""
    client = either_site.browser()
    client.press(client.open(f"/play/{FOUR_SUITS}"), LOOP[0])
    answers = either_site.together(client.http.post(f"/play/{FOUR_SUITS}/restart") for _ in range(8))
    assert [answer.status_code for answer in answers] == [303] * 8
    assert counts(either_site.rows)["game"] == 2


def test_starting_again_an_unplayed_deal_writes_nothing(site: Site, client: Browser) -> None:
    before = site.rows
    assert client.post(f"/play/{FOUR_SUITS}/restart").status_code == 303
    assert site.rows == before
    assert client.cookie is None


def test_a_deals_address_shows_the_attempt_that_was_played_last(client: Browser) -> None:
    """G-8: won or not; an older attempt that is played on becomes the one that is shown."""
    record = EXAMPLE
    won = client.play(client.begin(record["code"]), *record["moves"])
    address = f"/play/{record['code']}"
    assert client.open(address).has("won")
    client.post(f"{address}/restart")
    page = client.press(client.open(address), record["moves"][0])
    assert (client.open(address).moves, client.open(address).has("won")) == (1, False)
    old = client.open(f"/games/{won['id']}")
    assert old.has("won")
    client.press(old, "undo")
    assert client.open(address).table_fields["game"] == won["id"]
    client.press(page, "undo")
    assert client.open(address).table_fields["game"] == page.table_fields["game"]
    assert client.open("/").source.count(f'href="{address}"') >= 1


def test_a_games_own_address_plays_on_that_very_game(client: Browser) -> None:
    older = client.play(client.begin(FOUR_SUITS), LOOP[0])
    newer = client.play(client.begin(FOUR_SUITS), *loop(3))
    assert client.open(f"/play/{FOUR_SUITS}").moves == 3
    page = client.press(client.open(f"/games/{older['id']}"), LOOP[1])
    assert page.moves == 2
    assert (client.game(older)["moves"], client.game(newer)["moves"]) == (2, 3)


def test_a_stranger_who_opens_a_games_address_is_sent_to_its_deal_and_told_no_more(site: Site) -> None:
    owner, stranger, other = site.browser(), site.browser(), site.browser()
    game = owner.play(owner.begin(SCORPION), *SCORPION_EXAMPLE["moves"][:20])
    other.play(other.begin(FOUR_SUITS), LOOP[0])
    for visitor in (stranger, other):
        response = visitor.get(f"/games/{game['id']}")
        assert (response.status_code, response.headers["location"]) == (303, f"/play/{SCORPION}")
        assert response.text == ""
        page = visitor.open(f"/games/{game['id']}")
        assert (page.moves, page.columns) == (0, hidden(SCORPION_EXAMPLE["columns"]))


@pytest.mark.parametrize("htmx", [True, False], ids=["with script", "without script"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_a_form_with_another_players_game_is_refused_with_a_message(site: Site, language: str, htmx: bool) -> None:
    """One player cannot change another's games, and is not told whether they are there."""
    owner, thief = site.browser(), site.browser(language)
    game = owner.play(owner.begin(FOUR_SUITS), LOOP[0])
    page = thief.press(thief.open(f"/play/{FOUR_SUITS}"), LOOP[0])
    before = site.rows
    answers = []
    for game_id in (game["id"], "1234567"):
        fields = page.table_fields | {"game": game_id, "action": "undo"}
        response = thief.post(page.table_address, data=fields, headers=HTMX if htmx else None)
        assert response.status_code == 404
        answers.append(response.text)
        sentence = said(language, "This browser has no such game. Load the page again to see the deal.")
        assert sentence in (Page(response).message if htmx else Page(response).text)
    assert answers[0] == answers[1]
    assert site.rows == before


# A cookie that is gone or was never given


@pytest.mark.parametrize("htmx", [True, False], ids=["with script", "without script"])
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize(
    "cookie",
    [
        None,
        *("", "x", "..", "1.1.1", "x" * 5000, "a.b.c.d", "\xe4.\xf6.\xe5", "1.1." + "0" * 32, "zz.zz." + "0" * 32),
        *("tampered device", "tampered time", "tampered signature", "other key", "unknown device"),
    ],
)
def test_a_cookie_deleted_or_forged_in_the_middle_of_a_game_gives_a_message_and_changes_nothing(
    site: Site, cookie: str | None, language: str, htmx: bool
) -> None:
    """#75: no silence, no login page inside the table, and nobody else's game."""
    client = site.browser(language)
    page = client.press(client.open(f"/play/{FOUR_SUITS}"), LOOP[0])
    assert client.cookie is not None
    device, issued, signature = client.cookie.split(".")
    forged = {
        "tampered device": f"{int(device, 16) + 1:x}.{issued}.{signature}",
        "tampered time": f"{device}.{int(issued, 16) + 1:x}.{signature}",
        "tampered signature": f"{device}.{issued}.{signature[:-1]}{'1' if signature[-1] == '0' else '0'}",
        "other key": Signer("another key").cookie(int(device, 16)),
        "unknown device": site.app.state.signer.cookie(12345),
    }
    client.forget()
    headers = dict(HTMX) if htmx else {}
    if cookie is not None:
        headers["Cookie"] = f"pasianssi={forged.get(cookie, cookie)}"
    before = site.rows
    fields = page.table_fields | {"action": "undo"}
    raw = {name.encode(): value.encode("latin-1") for name, value in headers.items()}
    response = client.post(page.table_address, data=fields, headers=raw)
    assert response.status_code == 404
    answer = Page(response)
    sentence = said(language, "This browser has no such game. Load the page again to see the deal.")
    assert sentence in (answer.message if htmx else answer.text)
    assert site.rows == before
    shown = Page(client.get(f"/play/{FOUR_SUITS}", headers=raw))
    assert (shown.moves, shown.table_fields["game"]) == (0, "")


def test_the_cookie_is_given_anew_when_it_is_a_week_old(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    client = site.browser()
    client.press(client.open(f"/play/{FOUR_SUITS}"), LOOP[0])
    old = client.cookie
    week = time.time() + 7 * 24 * 3600 + 60
    monkeypatch.setattr("app.web.security.time.time", lambda: week)
    page = client.open(f"/play/{FOUR_SUITS}")
    assert client.cookie not in (None, old)
    assert page.moves == 1
    renewed = client.cookie
    assert client.press(page, LOOP[1]).moves == 2
    assert client.cookie == renewed
