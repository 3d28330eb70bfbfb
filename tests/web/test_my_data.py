"""My data: taken out, brought in, and deleted."""

import json

import pytest

from app.service import PART, check
from app.store.preferences import DEFAULTS
from app.web.my_data import IMPORT_LIMIT
from tests.store.rows import counts
from tests.web.page import Page
from tests.web.records import CODED, FOUR_SUITS, LOOP, SCORPION, WON, loop
from tests.web.site import Browser, Json, Site, body

DEALT = next(record for record in CODED if record["code"].startswith("SC1") and "deal" in record["moves"])
NO_EXPORT = {"fi": "ei ole Pasianssin kirjoittama", "en": "not one that Pasianssi wrote"}


def export(client: Browser) -> Json:
    response = client.get("/my-data/export")
    assert response.status_code == 200
    assert response.headers["content-type"] == "application/json"
    assert response.headers["content-disposition"] == 'attachment; filename="pasianssi.json"'
    return body(response)


def bring_in(client: Browser, written: Json, status: int = 200) -> Page:
    """Return the page that sending a file by the plain form leads to."""
    file = {"file": ("pasianssi.json", json.dumps(written).encode(), "application/json")}
    response = client.post("/my-data/import", files=file)
    assert response.status_code == status, response.text
    return Page(response)


def games(client: Browser) -> list[Json]:
    """Return all of a player's games, but for what another database gives anew."""
    return [{**game, "id": "", "version": 0} for game in body(client.get("/api/games"))["games"]]


def played(site: Site) -> Browser:
    """Return a player with games of every kind, at every turn of their undo and redo lists."""
    client = site.browser()
    client.play(client.begin(WON["code"]), *WON["moves"])
    client.play(client.begin(DEALT["code"]), *DEALT["moves"][:60], "undo", "undo", "undo")
    client.play(client.begin(FOUR_SUITS), *loop(130), *["undo"] * 40, *loop(10))
    client.play(client.begin(FOUR_SUITS), *loop(3), "undo", "undo", "undo")
    client.begin(SCORPION)
    client.post("/settings", data={**DEFAULTS, "theme": "dark", "language": "en"})
    return client


def test_what_is_taken_out_is_brought_in_elsewhere_as_it_was(either_site: Site) -> None:
    """G-6, G-7: undo and redo lists too; unplayed attempts are no games."""
    client, other = played(either_site), either_site.browser()
    written = export(client)
    page = bring_in(other, written)
    assert "4 peliä tuotiin." in page.text
    assert games(other) == games(client)
    again = export(other)
    assert again == written
    assert other.open("/settings").language == "en"
    assert other.open("/").root.all("html")[0]["data-theme"] == "dark"
    assert [difference for *_, difference in check(either_site.engine) if difference] == []
    long = next(game for game in body(other.get("/api/games"))["games"] if game["moves"] == 100)
    assert long["undo"] == 70
    game = other.play(long, *["undo"] * 70)
    assert body(other.act(game, "undo"))["rule"] == "nothing-to-undo"


def test_bringing_a_file_in_twice_adds_nothing(either_site: Site) -> None:
    client = played(either_site)
    written = export(client)
    before = games(client)
    for _ in range(2):
        page = bring_in(client, written)
        assert "0 games were brought in. 4 were here already." in page.text
    assert games(client) == before


def test_a_game_whose_number_is_taken_by_another_becomes_the_next_attempt_once(either_site: Site) -> None:
    client, other = either_site.browser(), either_site.browser()
    for who, moves in ((client, 3), (other, 5)):
        for _ in range(2):  # Two attempts of the very same moves are two games.
            who.play(who.begin(FOUR_SUITS), *loop(moves))
    written = export(client)
    for added in (2, 0):
        assert f"{added} peliä tuotiin" in bring_in(other, written).text
        assert [game["moves"] for game in games(other)] == [5, 5, 3, 3]
    assert sorted(game["attempt"] for game in export(other)["games"]) == [1, 2, 3, 4]


def test_a_deleted_game_is_not_taken_out_and_comes_back_with_a_file(either_site: Site) -> None:
    client = either_site.browser()
    game = client.play(client.begin(FOUR_SUITS), *loop(3))
    written = export(client)
    client.ask("DELETE", f"/api/games/{game['id']}")
    assert export(client)["games"] == []
    bring_in(client, written)
    assert [one["moves"] for one in games(client)] == [3]


def test_a_stranger_takes_out_an_empty_file_and_becomes_a_player_by_bringing_one_in(site: Site) -> None:
    stranger = site.browser()
    empty = {"format": "pasianssi", "version": 1, "language": None, "settings": dict(DEFAULTS), "games": []}
    assert export(stranger) == empty
    assert site.rows["player"] == []
    bring_in(stranger, export(stranger))
    assert stranger.cookie
    assert len(site.rows["player"]) == 1


def test_a_program_can_send_the_file_as_json(client: Browser) -> None:
    client.play(client.begin(FOUR_SUITS), *loop(3))
    assert client.post("/my-data/import", json=export(client)).status_code == 200


@pytest.mark.parametrize("language", ["fi", "en"])
def test_what_is_wrong_with_a_file_is_said_and_nothing_of_it_is_brought_in(site: Site, language: str) -> None:
    client = site.browser(language)
    client.play(client.begin(FOUR_SUITS), *loop(3))
    written = export(client)
    good, before = written["games"][0], site.rows

    def told(**changed: object) -> str:
        return bring_in(client, {**written, "games": [good, {**good, **changed}]}, 422).text

    words = {
        "fi": ("peli numero 2", "siirtoa 2 ei voi tehdä", "ei ole pelikoodi", "eivät sovi", "ajat eivät kelpaa"),
        "en": ("number 2", "move 2 cannot be made", "no game code", "do not fit", "times are not right"),
    }[language]
    for sentence, changed in (
        (words[1], {"moves": [LOOP[0], LOOP[0]]}),
        (words[2], {"code": "<script>alert(1)</script>"}),
        (words[3], {"made": 4}),
        (words[4], {"played": "<b>"}),
    ):
        page = told(**changed)
        assert words[0] in page
        assert sentence in page
        assert "<script>alert" not in page
    assert NO_EXPORT[language] in bring_in(client, {"games": []}, 422).text
    assert site.rows == before


def test_a_time_that_is_yet_to_come_counts_as_now(client: Browser) -> None:
    """Clocks differ; a list is not to be led by a game of the year 9999."""
    client.play(client.begin(FOUR_SUITS), *loop(3))
    written = export(client)
    to_come = "9999-12-31T23:59:59Z"
    written["games"][0] |= {"begun": to_come, "played": to_come, "moves": [LOOP[0]], "made": 1, "undo": 1}
    bring_in(client, written)
    assert all(game["played"] < "2100" for game in export(client)["games"])
    assert client.get("/games").status_code == 200


def test_many_games_begun_at_one_moment_are_all_brought_in(either_site: Site) -> None:
    client = either_site.browser()
    client.play(client.begin(FOUR_SUITS), LOOP[0])
    written = export(client)
    written["games"] = [{**written["games"][0], "attempt": number} for number in range(1, 3001)]
    assert "2999 peliä tuotiin. 1 oli täällä jo." in bring_in(client, written).text
    assert len(export(client)["games"]) == 3000


def test_bringing_in_what_was_cut_off_once_more_adds_the_rest(either_site: Site) -> None:
    """A file is written in parts, so that other players need not wait for all of it."""
    client, other = played(either_site), either_site.browser()
    written = export(client)
    written["games"] = written["games"] * (PART // 2)
    some = {**written, "games": written["games"][:PART]}
    assert f"{PART} peliä tuotiin." in bring_in(other, some).text
    assert f"{PART} games were brought in. {PART} were here already." in bring_in(other, written).text
    assert "0 games were brought in." in bring_in(other, written).text
    assert len(export(other)["games"]) == 2 * PART


def test_what_a_player_takes_out_after_many_thousands_of_games_can_be_brought_in(client: Browser) -> None:
    """Forty thousand games of 150 moves are under the limit."""
    client.play(client.begin(FOUR_SUITS), *loop(150))
    assert 40_000 * len(client.get("/my-data/export").content) < IMPORT_LIMIT


def test_a_file_larger_than_other_requests_is_heard_here_alone(client: Browser) -> None:
    padded = json.dumps({"format": "pasianssi", "version": 1, "games": []}).encode() + b" " * 1_000_000
    headers = {"Content-Type": "application/json"}
    assert client.post("/my-data/import", content=padded, headers=headers).status_code == 200
    assert client.post("/api/games", content=padded, headers=headers).status_code == 413


def test_everything_is_deleted_after_a_page_that_asks(either_site: Site) -> None:
    client, other = played(either_site), either_site.browser()
    won = next(game for game in body(client.get("/api/games"))["games"] if game["status"] == "won")
    client.post(f"/games/{won['id']}/share")
    gone = body(client.get("/api/games"))["games"][0]
    client.ask("DELETE", f"/api/games/{gone['id']}")
    other.play(other.begin(SCORPION), "deal")
    kept = counts(either_site.rows)
    asked = client.open("/my-data/delete")
    assert asked.root.all("form", action="/my-data/delete")[0]["method"] == "post"
    assert counts(either_site.rows) == kept
    cookie = client.cookie
    page = Page(client.post("/my-data/delete"))
    assert "Everything that was kept of you here was deleted." in page.text
    assert client.cookie is None
    left = counts(either_site.rows)
    assert (left["player"], left["device"], left["game"], left["replay"]) == (1, 1, 1, 0)
    assert cookie
    client.cookie = cookie
    assert games(client) == []
    assert client.post("/my-data/delete").status_code == 200
    assert counts(either_site.rows) == left
    assert len(games(other)) == 1
    client.play(client.begin(FOUR_SUITS), LOOP[0])
    assert len(games(client)) == 1
