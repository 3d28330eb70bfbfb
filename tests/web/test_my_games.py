"""My games: the list with its pictures, and deletion that can be undone."""

import re

import pytest
from sqlalchemy import update

from app.service import DELETED_KEPT, prune
from app.store.schema import game as games
from app.store.schema import now_in_milliseconds
from app.store.writer import Writer
from tests.store.rows import counts
from tests.web.page import Node, Page
from tests.web.records import FOUR_SUITS, KINDS, LOOP, SCORPION, WON, loop
from tests.web.site import HTMX, Browser, Json, Site, body

PLACES = {"♠": "S", "♥": "H", "♦": "D", "♣": "C"}


def listed(page: Page) -> list[str]:
    """Return the ids of the games that a list shows, in its order."""
    matches = [re.fullmatch("/games/([0-9a-f]+)", link["href"]) for link in page.root.all("a")]
    return [match[1] for match in matches if match]


def won_game(client: Browser) -> Json:
    return client.play(client.begin(WON["code"]), *WON["moves"])


def pictures(page: Page) -> list[Node]:
    return [node for node in page.root.all("svg") if node.attributes.get("class") == "picture"]


def drawn(picture: Node) -> list[str]:
    """Return the indices that a picture shows, cards and removed runs alike, in no order."""
    found = []
    for text in picture.all("text"):
        suit, letters = text["class"], text.text
        symbol = next(symbol for symbol, name in PLACES.items() if name == suit)
        assert set(re.sub("[0-9AJQK]", "", letters)) == {symbol}
        places = text["x"].split(), text["y"].split()
        assert len(places[0]) == len(places[1]) == len(letters)
        found += [f"{rank.replace('10', 'T')}{suit}" for rank in letters.split(symbol)[:-1]]
    return sorted(found)


@pytest.mark.parametrize("record", KINDS, ids=lambda record: record["code"][:6])
def test_the_picture_of_a_game_shows_its_table_and_nothing_that_is_hidden(client: Browser, record: Json) -> None:
    """G-11: a face-down card is a back, of which nothing is told; a finished run is its suit alone."""
    game = client.begin(record["code"])
    for move in record["moves"]:
        game = client.play(game, move)
        if game["moves"] % 12 and game["status"] == "playing":
            continue
        picture = pictures(client.open("/games"))[0]
        longest = max(map(len, game["columns"]))
        if longest <= (10 if len(game["columns"]) > 8 else 9):
            shown = [card for column in game["columns"] for card in column if card != "??"] + game["runs"]
            assert drawn(picture) == sorted(shown)
        else:  # Where a column is squeezed, its end alone is named.
            ends = {column[-1] for column in game["columns"] if column}
            assert ends <= set(drawn(picture))
        hidden = sum(card == "??" for column in game["columns"] for card in column) + game["stock"]
        assert bool(hidden) == any(path["class"] == "backs" for path in picture.all("path"))
    assert len(pictures(client.open("/games"))[0].all("text")) == len(set(game["runs"]))


@pytest.mark.parametrize("language", ["fi", "en"])
def test_the_list_tells_of_each_game_what_it_is_and_how_it_stands(site: Site, language: str) -> None:
    client = site.browser(language)
    client.play(client.begin(SCORPION), "deal")
    client.play(client.begin(FOUR_SUITS), *loop(3))
    won_game(client)
    page = client.open("/games")
    items = [node.text for node in page.root.all("ol")[0].all("li")]
    assert WON["code"] in items[0]
    assert {"fi": "voitettu", "en": "won"}[language] in items[0]
    wanted = {
        "fi": ["4 maata", "kesken, sarjat 0/4", "pisteet 497, siirtomäärä 3", FOUR_SUITS, "Katso siirrot", "Poista"],
        "en": ["4 suits", "in progress, runs 0 of 4", "score 497, 3 moves", FOUR_SUITS, "Look back", "Delete"],
    }[language]
    assert all(words in items[1] for words in wanted)
    assert {"fi": "klassiset säännöt", "en": "classic rules"}[language] in items[2]
    assert len(page.root.all("time")) == 3


def test_a_second_attempt_at_a_deal_says_that_it_is_one(client: Browser) -> None:
    """G-8: every attempt at a deal is kept and listed."""
    for _ in range(2):
        client.play(client.begin(FOUR_SUITS), LOOP[0])
    items = [node.text for node in client.open("/games").root.all("ol")[0].all("li")]
    assert ["yritys 2" in item for item in items] == [True, False]


def test_won_and_unfinished_games_have_lists_of_their_own(either_site: Site) -> None:
    client = either_site.browser()
    unfinished = [client.play(client.begin(FOUR_SUITS), LOOP[0])["id"] for _ in range(2)]
    stock = client.play(client.begin(SCORPION), "deal")["id"]
    won = won_game(client)["id"]
    assert listed(client.open("/games")) == [won, stock, *reversed(unfinished)]
    assert listed(client.open("/games?shown=won")) == [won]
    assert listed(client.open("/games?shown=unfinished")) == [stock, *reversed(unfinished)]
    assert listed(either_site.browser().open("/games?shown=won")) == []
    client.play(client.game({"id": won}), "undo")
    assert listed(client.open("/games?shown=won")) == []
    assert "Täällä ei ole pelejä." in client.open("/games?shown=won").text


def test_the_pages_of_a_view_stay_in_the_view(client: Browser) -> None:
    ids = [client.play(client.begin(FOUR_SUITS), LOOP[0])["id"] for _ in range(52)]
    first = client.open("/games?shown=unfinished")
    older = next(link["href"] for link in first.root.all("a") if link.attributes.get("rel") == "next")
    assert older.startswith("/games?shown=unfinished&before=")
    assert listed(first) + listed(client.open(older)) == ids[::-1]
    form = client.open(older).root.all("form", action=f"/games/{ids[0]}/delete")[0]
    sent = {field["name"]: field["value"] for field in form.all("input")}
    response = client.post(form["action"], data=sent)
    assert response.headers["location"] == f"{older}&deleted={ids[0]}"
    assert listed(client.open(response.headers["location"])) == [ids[1]]


# Deleting, and undoing it


def press(client: Browser, page: Page, action: str) -> Page:
    """Return the page that a plain form leads to."""
    form = page.root.all("form", action=action)[0]
    response = client.post(action, data={field["name"]: field["value"] for field in form.all("input")})
    assert response.status_code == 303, response.text
    return client.open(response.headers["location"])


@pytest.mark.parametrize("language", ["fi", "en"])
def test_a_deleted_game_is_brought_back_as_it_was_without_script(site: Site, language: str) -> None:
    client = site.browser(language)
    game = client.play(client.begin(FOUR_SUITS), *loop(5), "undo", "undo")
    kept = client.play(client.begin(SCORPION), "deal")
    page = press(client, client.open("/games"), f"/games/{game['id']}/delete")
    assert {"fi": "Peli poistettiin.", "en": "The game was deleted."}[language] in page.text
    assert listed(page) == [kept["id"]]
    back = press(client, page, f"/games/{game['id']}/bring-back")
    assert listed(back) == [kept["id"], game["id"]]
    assert {"fi": "Peli poistettiin.", "en": "The game was deleted."}[language] not in back.text
    assert client.game(game) == {**game, "events": []}
    assert client.play(game, "redo", "redo")["moves"] == 5


def test_a_deleted_game_is_nowhere_to_be_seen(either_site: Site) -> None:
    """#82: neither listed, nor shown, nor played, nor looked back on, nor counted as played."""
    client, stranger = either_site.browser(), either_site.browser()
    game = won_game(client)
    mine = f"/games/{game['id']}"
    page = client.open(f"/play/{WON['code']}")
    assert client.post(f"{mine}/share").status_code == 303
    assert client.post(f"{mine}/delete").status_code == 303
    before = either_site.rows
    for who in (client, stranger):
        for path in (mine, f"{mine}/look-back", f"{mine}/share", f"/api{mine}"):
            assert who.get(path).status_code == 404, path
        for path, sent in (("delete", {}), ("share", {}), ("withdraw", {}), ("go-on", {"at": "1"})):
            assert who.post(f"{mine}/{path}", data=sent).status_code == 404, path
        assert who.ask("DELETE", f"/api{mine}").status_code == 404
        assert who.act(game, "undo").status_code == 404
    for htmx in (True, False):
        answer = client.submit(page, "undo", htmx=htmx)
        assert answer.status_code == 404
        assert "Tällä selaimella ei ole" in answer.text
    assert listed(client.open("/games")) == body(client.get("/api/games"))["games"] == []
    assert "Jatka viimeisintä" not in client.open("/").text
    assert client.open(f"/play/{WON['code']}").moves == 0
    prefix = "simple-simon" if WON["code"].startswith("SS1") else None
    assert prefix is None or client.get("/new/simple-simon").status_code == 303
    assert either_site.rows == before


def test_a_deal_whose_only_attempt_was_deleted_is_begun_anew_and_the_old_one_comes_back(
    either_site: Site,
) -> None:
    """G-8: the new attempt takes no number that a deleted one has."""
    client = either_site.browser()
    old = client.play(client.begin(FOUR_SUITS), *loop(3))
    client.ask("DELETE", f"/api/games/{old['id']}")
    page = client.press(client.open(f"/play/{FOUR_SUITS}"), LOOP[0])
    assert page.moves == 1
    assert client.post(f"/play/{FOUR_SUITS}/restart").status_code == 303
    assert client.post(f"/games/{old['id']}/bring-back").status_code == 303
    assert [game["moves"] for game in body(client.get("/api/games"))["games"]] == [1, 3]
    assert sorted(row[3] for row in either_site.rows["game"]) == [1, 2, 3]


def test_nobody_deletes_or_brings_back_anothers_game(either_site: Site) -> None:
    owner, other = either_site.browser(), either_site.browser()
    standing, gone = (owner.play(owner.begin(FOUR_SUITS), LOOP[0])["id"] for _ in range(2))
    owner.ask("DELETE", f"/api/games/{gone}")
    other.play(other.begin(SCORPION), "deal")
    before = either_site.rows
    for who in (other, either_site.browser()):
        assert who.post(f"/games/{standing}/delete").status_code == 404
        assert who.post(f"/games/{gone}/bring-back").status_code == 404
        page = who.open(f"/games?deleted={gone}")
        assert "Kumoa poisto" not in page.text
    assert either_site.rows == before
    assert "Kumoa poisto" in owner.open(f"/games?deleted={gone}").text
    assert "Kumoa poisto" not in owner.open(f"/games?deleted={standing}").text


def test_deleting_twice_or_bringing_back_twice_is_a_404_and_does_no_harm(client: Browser) -> None:
    """#72: the second of two clicks."""
    game = client.play(client.begin(FOUR_SUITS), LOOP[0])
    for action in ("delete", "bring-back"):
        assert client.post(f"/games/{game['id']}/{action}").status_code == 303
        again = client.post(f"/games/{game['id']}/{action}", headers=HTMX)
        assert again.status_code == 404
    assert client.game(game)["moves"] == 1


def test_pruning_removes_what_was_deleted_a_month_ago_and_attempts_never_played(either_site: Site) -> None:
    client = either_site.browser()
    ids = [client.play(client.begin(FOUR_SUITS), LOOP[0])["id"] for _ in range(3)]
    client.ask("DELETE", f"/api/games/{ids[0]}")
    client.ask("DELETE", f"/api/games/{ids[1]}")
    fresh = client.begin(SCORPION)["id"]
    with either_site.engine.begin() as connection:
        long_ago = now_in_milliseconds() - DELETED_KEPT - 1000
        connection.execute(update(games).where(games.c.id == int(ids[0], 16)).values(deleted=long_ago))
    writer = Writer(either_site.engine)
    assert either_site.run(prune(writer)) == (0, 1)
    assert either_site.run(prune(writer)) == (0, 0)
    writer.close()
    assert {f"{row[0]:x}" for row in either_site.rows["game"]} == {ids[1], ids[2], fresh}
    assert client.post(f"/games/{ids[0]}/bring-back").status_code == 404
    assert client.post(f"/games/{ids[1]}/bring-back").status_code == 303
    assert counts(either_site.rows)["replay"] == 0


# The latest game


def latest(client: Browser) -> str:
    """Return where the front page leads on to."""
    link: str = client.open("/").root.all("a", **{"class": "button primary"})[0]["href"]
    return link


def test_the_latest_game_is_found_whatever_becomes_of_it(either_site: Site) -> None:
    """Played, undone, left for another, deleted, brought back, brought in from a file."""
    client, other = either_site.browser(), either_site.browser()
    first = client.press(client.open(f"/play/{FOUR_SUITS}"), LOOP[0])
    second = client.play(client.begin(SCORPION), "deal")
    assert latest(client) == f"/play/{SCORPION}"
    client.press(first, "undo")
    assert latest(client) == f"/play/{FOUR_SUITS}"
    client.play(second, "undo")
    client.begin(FOUR_SUITS)
    assert latest(client) == f"/play/{SCORPION}"
    client.ask("DELETE", f"/api/games/{second['id']}")
    assert latest(client) == f"/play/{FOUR_SUITS}"
    client.post(f"/games/{second['id']}/bring-back")
    assert latest(client) == f"/play/{SCORPION}"
    other.play(other.begin(WON["code"]), *WON["moves"])
    client.post("/my-data/import", json=body(other.get("/my-data/export")))
    assert latest(client) == f"/play/{WON['code']}"
    client.play(client.game(second), "redo")
    assert latest(client) == f"/play/{SCORPION}"


def test_of_moves_committed_together_each_player_has_the_own_latest(either_site: Site) -> None:
    players = [either_site.browser() for _ in range(4)]
    simple = [(one, one.begin(FOUR_SUITS), {"action": "move", "from": 2, "at": 7, "to": 9}) for one in players]
    scorpion = [(one, one.begin(SCORPION), {"action": "deal"}) for one in players]
    for code, wishes in ((FOUR_SUITS, simple), (SCORPION, scorpion)):
        answers = either_site.together(
            one.http.post(f"/api/games/{game['id']}/actions", json=wish | {"version": 0}) for one, game, wish in wishes
        )
        assert [answer.status_code for answer in answers] == [200] * 4
        assert [latest(one) for one in players] == [f"/play/{code}"] * 4
