"""Recorded games of an independent implementation, action by action, over JSON and over plain forms."""

import pytest

from tests.web.page import Page
from tests.web.records import ACTIONS, CODED, EXAMPLES, KINDS, Fold, Record, hidden, name_of, state
from tests.web.site import Browser, Json, Site, body


def play_over_json(client: Browser, record: Record) -> Json:
    """Play a won game to its end; after each move compare the score, and the table with what the events tell."""
    game = client.begin(record["code"])
    assert game["columns"] == hidden(record["columns"])
    fold = Fold(game)
    for number, (move, score) in enumerate(zip(record["moves"], record["scores"], strict=True), 1):
        assert move == "deal" or move in game["legal"]
        game = client.play(game, move)
        for event in game["events"]:
            fold.add(event)
        assert state(game) == fold.state
        assert (game["score"], game["moves"], game["version"]) == (score, number, number)
        assert game["status"] == ("won" if number == record["n_moves"] else "playing")
    return game


@pytest.mark.parametrize("record", [*CODED, *EXAMPLES], ids=name_of)
def test_every_coded_game_is_won_over_json_and_its_events_tell_all(client: Browser, record: Record) -> None:
    """G-2, G-4, SS-6, SC-8, #10, #24: score, table and runs follow from the events alone, after each move."""
    game = play_over_json(client, record)
    assert (game["score"], game["moves"], game["runs"]) == (
        record["final_score"],
        record["n_moves"],
        record["removed"],
    )
    assert (game["undo"], game["redo"], game["legal"]) == (min(record["n_moves"], 100), 0, [])
    assert client.game(game) == {**game, "events": []}


@pytest.mark.parametrize("record", KINDS, ids=name_of)
def test_a_game_of_each_kind_is_won_over_json_on_either_database(either_site: Site, record: Record) -> None:
    """G-4, SS-6, SC-8: the same code serves SQLite and PostgreSQL."""
    client = either_site.browser()
    game = play_over_json(client, record)
    assert client.game(game) == {**game, "events": []}


@pytest.mark.parametrize("record", ACTIONS, ids=name_of)
def test_every_long_sequence_does_over_json_what_the_independent_implementation_expects(
    client: Browser, record: Record
) -> None:
    """G-6, G-7, G-10, SS-7, SC-9: with undo, redo, double taps and refused actions among the moves."""
    expected = record["expect"]
    game = client.begin(record["code"])
    tables = [game["columns"]]  # after each action that stands, and those that can be made again
    for wish, step in zip(record["actions"], expected["steps"], strict=True):
        response = client.act(game, wish)
        assert response.status_code == (200 if step["ok"] else 422), (wish, response.text)
        if not step["ok"]:
            assert body(response)["rule"]
            continue
        before, game = game, body(response)
        assert (game["score"], game["moves"], game["version"]) == (step["score"], step["moves"], before["version"] + 1)
        if wish in ("undo", "redo"):
            assert game["columns"] == tables[game["moves"]]
            assert bool(game["events"]) == (wish == "redo")
        else:
            fold = Fold(before)
            for event in game["events"]:
                fold.add(event)
            assert state(game) == fold.state
            tables[game["moves"] :] = [game["columns"]]
    assert client.game(game) == {**game, "events": []}
    assert game["columns"] == hidden(expected["columns"])
    assert (game["score"], game["moves"], game["runs"]) == (expected["score"], expected["moves"], expected["removed"])
    assert (game["undo"], game["redo"]) == (expected["undo"], expected["redo"])
    assert game["status"] == ("won" if expected["won"] else "playing")


@pytest.mark.parametrize("record", KINDS, ids=name_of)
def test_a_game_of_each_kind_is_won_over_plain_forms(client: Browser, record: Record) -> None:
    """G-4, G-9: choose a card, press a button, follow the redirect; the page shows what JSON tells of the same game."""
    page = client.open(f"/play/{record['code']}")
    assert page.columns == hidden(record["columns"])
    for number, (move, score) in enumerate(zip(record["moves"], record["scores"], strict=True), 1):
        assert "Voitit pelin!" not in page.text
        page = client.press(page, move)
        assert (page.score, page.moves) == (score, number)
        assert record["code"] in page.text
        game = client.game({"id": page.table_fields["game"]})
        assert (page.columns, page.legal) == (game["columns"], game["legal"])
    assert page.columns == [[]] * len(record["columns"])
    assert "Voitit pelin!" in page.text


@pytest.mark.parametrize("record", KINDS, ids=name_of)
def test_a_game_of_each_kind_is_won_by_pieces_that_htmx_swaps(client: Browser, record: Record) -> None:
    """G-4, #2: what changed, put into the page that is there, is always the page that a reload shows."""
    page = client.open(f"/play/{record['code']}")
    for number, (move, score) in enumerate(zip(record["moves"], record["scores"], strict=True), 1):
        response = client.submit(page, move, htmx=True)
        assert response.status_code == 200, response.text
        page.swap(Page(response))
        assert (page.score, page.moves) == (score, number)
        assert ("Voitit pelin!" in page.text) == (number == record["n_moves"])
    reloaded = client.open(f"/play/{record['code']}")
    assert page.state == reloaded.state
    assert "Voitit pelin!" in reloaded.text
