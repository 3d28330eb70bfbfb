"""Looking back: every step of a game, going on from it, and sharing it as a replay."""

import re
from collections.abc import Callable

import pytest

from tests.web.page import Page, still_columns
from tests.web.records import CODED, FOUR_SUITS, LOOP, SCORPION, WON, hidden, loop, names_under
from tests.web.site import Browser, Json, Site, body

HIDING = next(record for record in CODED if record["code"].startswith("SC1"))


def columns(page: Page) -> list[list[str]]:
    assert [node["id"] for node in page.root.all("div", role="group")] == [f"c{index}" for index in page.changed]
    return still_columns(page.root)


def step(client: Browser, game: Json, at: int) -> Page:
    return client.open(f"/games/{game['id']}/look-back?at={at}")


@pytest.mark.parametrize("record", [WON, HIDING], ids=lambda record: record["code"])
def test_every_step_shows_the_table_the_score_the_moves_and_what_happened(client: Browser, record: Json) -> None:
    """The same tables as when it was played; hidden cards stay hidden until their step (G-11)."""
    game = client.begin(record["code"])
    states = [game]
    for move in record["moves"]:
        game = client.play(game, move)
        states.append(game)
    for at in {0, 1, 2, len(states) // 2, len(states) // 2 + 1, len(states) - 2, len(states) - 1}:
        page, wanted = step(client, game, at), states[at]
        assert columns(page) == wanted["columns"]
        assert page.id("score").text.replace("−", "-") == str(wanted["score"])
        assert page.id("moves").text == f"{at} / {len(states) - 1}"
        told = page.id("message").text
        if at == 0:
            assert told == "Kortit niin kuin ne jaettiin."
        else:
            points = wanted["score"] - states[at - 1]["score"]
            assert ("pistettä." in told or "piste." in told) == bool(points)
            assert re.search("sarake|Varapakka", told)
            assert page.id("status")["data-moved"]
        places = [place["class"] for place in page.id("places").all("li") if "class" in place.attributes]
        assert places == [f"{suit}K" for suit in wanted["runs"]]


def test_no_step_names_a_card_that_lies_face_down_at_that_step(client: Browser) -> None:
    """G-11: nor one that was turned up later, or taken back."""
    record = HIDING
    game = client.play(client.begin(record["code"]), *record["moves"])
    page = step(client, game, 0)
    assert columns(page) == hidden(record["columns"])
    shown = {match[2] + match[1] for match in re.finditer(r"class=([SHDC])([A23456789TJQK])\b", page.source)}
    assert not shown & names_under(record["columns"], record["stock"])


def test_the_steps_are_walked_by_plain_forms(client: Browser) -> None:
    game = client.play(client.begin(FOUR_SUITS), *loop(5))
    page = client.open(f"/games/{game['id']}/look-back")
    for at, (previous, following) in {0: (0, 1), 3: (2, 4), 5: (4, 5)}.items():
        page = step(client, game, at)
        buttons = {button["class"]: button for button in page.id("buttons").all("button", name="at")}
        assert {name: int(button["value"]) for name, button in buttons.items()} == {
            "first": 0,
            "previous": previous,
            "next": following,
            "last": 5,
        }
        out = {name for name, button in buttons.items() if "disabled" in button.attributes}
        assert out == {0: {"first", "previous"}, 3: set(), 5: {"next", "last"}}[at]
        slider = page.id("slider").all("input")[0]
        assert (slider["type"], slider["min"], slider["max"], slider["value"]) == ("range", "0", "5", str(at))
        assert page.id("slider")["method"] == page.id("buttons")["method"] == "get"
        assert page.id("slider")["action"] == page.id("buttons")["action"] == f"/games/{game['id']}/look-back"


def test_what_is_undone_is_no_step(client: Browser) -> None:
    """Looking back covers the moves that stand."""
    game = client.play(client.begin(FOUR_SUITS), *loop(5), "undo", "undo")
    assert step(client, game, 3).id("moves").text == "3 / 3"
    assert client.get(f"/games/{game['id']}/look-back?at=4").status_code == 404
    client.play(game, "undo", "undo", "undo")
    assert columns(step(client, game, 0)) == body(client.get(f"/api/deals/{FOUR_SUITS}"))["columns"]


def test_a_long_game_is_looked_back_on_beyond_what_can_be_undone(client: Browser) -> None:
    """G-6: the first moves of a game of 130 can be undone no more, and yet are seen."""
    game = client.play(client.begin(FOUR_SUITS), *loop(130))
    for at in (0, 1, 29, 64, 65, 66, 129, 130):
        page = step(client, game, at)
        assert (page.id("score").text, page.id("moves").text) == (str(500 - at), f"{at} / 130")


@pytest.mark.parametrize("language", ["fi", "en"])
def test_another_players_game_is_not_looked_back_on(either_site: Site, language: str) -> None:
    owner = either_site.browser()
    game = owner.play(owner.begin(FOUR_SUITS), LOOP[0])
    for who in (either_site.browser(language), either_site.browser(language)):
        for what in ("look-back", "share"):
            response = who.get(f"/games/{game['id']}/{what}")
            assert (response.status_code, response.headers["location"]) == (303, f"/play/{FOUR_SUITS}")
        assert who.open(f"/games/{game['id']}/look-back").moves == 0


# Going on from a step


def test_going_on_from_a_step_begins_a_new_attempt_there_and_keeps_the_old_one(either_site: Site) -> None:
    """G-8: the new one can be undone to its beginning, and is listed from its first action."""
    client = either_site.browser()
    game = client.play(client.begin(FOUR_SUITS), *loop(5))
    response = client.post(f"/games/{game['id']}/go-on", data={"at": "3"})
    assert (response.status_code, response.headers["location"]) == (303, f"/play/{FOUR_SUITS}")
    page = client.open(f"/play/{FOUR_SUITS}")
    assert (page.moves, page.score, page.can("undo"), page.can("redo")) == (3, 497, True, False)
    assert page.columns == columns(step(client, game, 3))
    assert [one["id"] for one in body(client.get("/api/games"))["games"]] == [game["id"]]
    page = client.press(page, LOOP[1])
    for moves in (3, 2, 1, 0):
        page = client.press(page, "undo")
        assert page.moves == moves
    assert [one["moves"] for one in body(client.get("/api/games"))["games"]] == [0, 5]
    assert client.game(game) == {**game, "events": []}


def test_going_on_twice_from_one_step_makes_one_new_attempt(either_site: Site) -> None:
    """#72: and starting again after it begins at the deal, not there."""
    client = either_site.browser()
    game = client.play(client.begin(FOUR_SUITS), *loop(5))
    for at in ("3", "3", "2", "3"):
        client.post(f"/games/{game['id']}/go-on", data={"at": at})
    assert len(either_site.rows["game"]) == 3
    assert client.open(f"/play/{FOUR_SUITS}").moves == 3
    client.post(f"/play/{FOUR_SUITS}/restart")
    assert client.open(f"/play/{FOUR_SUITS}").moves == 0
    assert len(either_site.rows["game"]) == 4


def test_of_a_long_game_no_more_than_a_hundred_actions_can_be_undone_after_going_on(client: Browser) -> None:
    """G-6."""
    game = client.play(client.begin(FOUR_SUITS), *loop(130))
    client.post(f"/games/{game['id']}/go-on", data={"at": "120"})
    page = client.press(client.open(f"/play/{FOUR_SUITS}"), LOOP[0])
    begun = body(client.get("/api/games"))["games"][0]
    assert (page.moves, begun["undo"]) == (121, 100)


def test_a_page_of_the_deal_from_before_plays_nothing_into_an_attempt_that_goes_on(site: Site, client: Browser) -> None:
    """#70: a tab that shows the deal, unsaved, is out of date."""
    first = client.open(f"/play/{FOUR_SUITS}")
    game = client.play(client.begin(FOUR_SUITS), *loop(2))
    client.post(f"/games/{game['id']}/go-on", data={"at": "2"})
    before = site.rows
    assert client.submit(first, LOOP[0]).status_code == 409
    assert site.rows == before


def test_nobody_goes_on_from_anothers_game(either_site: Site) -> None:
    owner, other = either_site.browser(), either_site.browser()
    game = owner.play(owner.begin(FOUR_SUITS), *loop(3))
    other.play(other.begin(SCORPION), "deal")
    before = either_site.rows
    for who in (other, either_site.browser()):
        assert who.post(f"/games/{game['id']}/go-on", data={"at": "1"}).status_code == 404
    assert either_site.rows == before


# Sharing


def shared(client: Browser) -> tuple[Json, str]:
    """Return a won game that is shared, and the address of its replay on this site."""
    game = client.play(client.begin(WON["code"]), *WON["moves"])
    mine = f"/games/{game['id']}/share"
    assert client.open(mine).root.all("form", action=mine)
    response = client.post(mine)
    assert (response.status_code, response.headers["location"]) == (303, mine)
    address = client.open(mine).id("share-address")["value"]
    assert re.fullmatch("http://pasianssi.test/replay/[A-Za-z0-9_-]{22}", address)
    odd = client.get(mine, headers={"Host": "x/y"})
    assert Page(odd).id("share-address")["value"].startswith("http://pasianssi.test")
    return game, address.removeprefix("http://pasianssi.test")


@pytest.mark.parametrize("language", ["fi", "en"])
def test_a_shared_game_is_seen_by_a_stranger_and_nothing_of_its_player(either_site: Site, language: str) -> None:
    owner, stranger = either_site.browser(), either_site.browser(language)
    owner.play(owner.begin(SCORPION), "deal")
    game, address = shared(owner)
    before = either_site.rows
    for at in (0, 7, len(WON["moves"])):
        page = stranger.open(f"{address}?at={at}")
        assert page.language == language
        assert columns(page) == columns(step(owner, game, at))
        assert game["id"] not in page.source
        assert SCORPION not in page.source
        assert f"/play/{WON['code']}" in [link["href"] for link in page.root.all("a")]
        posting = {form["action"] for form in page.root.all("form") if form["method"] == "post"}
        assert posting == {"/language"}
    assert stranger.cookie is None
    assert either_site.rows == before
    assert stranger.ask("HEAD", address).status_code == 200
    assert "set-cookie" not in stranger.get(address).headers
    assert page.root.all("meta", name="robots")[0]["content"] == "noindex"


def test_a_withdrawn_replay_is_as_if_it_had_never_been(either_site: Site) -> None:
    owner, stranger = either_site.browser(), either_site.browser()
    game, address = shared(owner)
    for who in (stranger, either_site.browser()):
        assert who.post(f"/games/{game['id']}/withdraw").status_code == 404
        assert who.post(f"/games/{game['id']}/share").status_code == 404
    assert stranger.get(address).status_code == 200
    assert owner.post(f"/games/{game['id']}/withdraw").status_code == 303
    gone, never = stranger.get(address), stranger.get("/replay/" + "A" * 22)
    assert (gone.status_code, never.status_code) == (404, 404)
    assert gone.text.replace(address, "") == never.text.replace("/replay/" + "A" * 22, "")
    assert owner.get(address).status_code == 404
    assert owner.post(f"/games/{game['id']}/share").status_code == 303
    assert owner.open(f"/games/{game['id']}/share").id("share-address")["value"] != f"http://pasianssi.test{address}"


TAMPERED: dict[str, Callable[[str], str]] = {
    "shorter": lambda token: token[:-1],
    "longer": lambda token: token + "A",
    "in the other case": str.swapcase,
    "backwards": lambda token: token[::-1],
    "one letter differs": lambda token: ("B" if token[0] == "A" else "A") + token[1:],
    "with no such step": lambda token: f"{token}?at=x",
}


@pytest.mark.parametrize("change", TAMPERED.values(), ids=TAMPERED)
def test_an_address_that_was_tampered_with_shows_nothing(client: Browser, change: Callable[[str], str]) -> None:
    _, address = shared(client)
    token = address.rpartition("/")[2]
    assert client.get(f"/replay/{change(token)}").status_code == 404


def test_a_deleted_game_is_shared_no_more_even_when_it_comes_back(client: Browser) -> None:
    game, address = shared(client)
    client.ask("DELETE", f"/api/games/{game['id']}")
    assert client.get(address).status_code == 404
    client.post(f"/games/{game['id']}/bring-back")
    assert client.get(address).status_code == 404
    assert not client.open(f"/games/{game['id']}/share").has("share-address")


def test_only_a_won_game_can_be_shared_and_sharing_twice_gives_one_address(either_site: Site) -> None:
    client = either_site.browser()
    game = client.play(client.begin(FOUR_SUITS), LOOP[0])
    assert "Vain voitetun pelin kulun voi jakaa." in client.open(f"/games/{game['id']}/share").text
    response = client.post(f"/games/{game['id']}/share")
    assert (response.status_code, "Vain voitetun" in response.text) == (404, True)
    won, address = shared(client)
    either_site.together(client.http.post(f"/games/{won['id']}/share") for _ in range(5))
    assert client.open(f"/games/{won['id']}/share").id("share-address")["value"].endswith(address)
    assert len(either_site.rows["replay"]) == 1


def test_a_replay_shows_the_game_as_it_stands(client: Browser) -> None:
    """G-7: a win that is undone is in progress again, and its player can still withdraw the address."""
    game, address = shared(client)
    client.play(game, "undo")
    assert client.open(address).id("moves").text == f"0 / {len(WON['moves']) - 1}"
    assert client.get(f"{address}?at={len(WON['moves'])}").status_code == 404
    assert client.open(f"/games/{game['id']}/share").has("share-address")
    assert client.post(f"/games/{game['id']}/withdraw").status_code == 303
