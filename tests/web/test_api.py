"""The games as JSON: deals, games, actions, what comes again and what is refused."""

import re
from itertools import pairwise
from typing import Any
from urllib.parse import quote

import httpx
import pytest

from app.engine.rules import Rule
from app.web.words import words
from tests.store.rows import counts
from tests.web.records import CODED, EXAMPLES, FOUR_SUITS, LOOP, ONE_SUIT, SCORPION, hidden, loop
from tests.web.site import Browser, Json, Site, body

UNKNOWN = "0123456789abcde"


def assert_problem(response: httpx.Response, status: int, **members: Any) -> Json:
    """Check that an answer is a problem by RFC 9457, and return it."""
    assert (response.status_code, response.headers["content-type"]) == (status, "application/problem+json"), (
        response.text
    )
    problem = body(response)
    assert (problem["type"], problem["status"]) == ("about:blank", status)
    assert isinstance(problem["title"], str)
    assert len(problem["title"]) > 10
    assert {name: problem.get(name) for name in members} == members
    return problem


# Deals


def test_a_deal_is_shown_to_anyone_without_a_cookie_and_nothing_is_written(site: Site, client: Browser) -> None:
    before = site.rows
    for record in [*CODED, *EXAMPLES]:
        response = client.get(f"/api/deals/{record['code']}")
        assert (response.status_code, "set-cookie" in response.headers) == (200, False)
        deal = body(response)
        choice = "suits" if record["code"].startswith("SS") else "rules"
        assert deal.keys() == {"code", "game", choice, "columns", "stock", "legal"}
        assert (deal["code"], deal["game"]) == (record["code"], record["game"].replace("_", "-"))
        assert deal[choice] == record[choice]
        assert (deal["columns"], deal["stock"]) == (hidden(record["columns"]), len(record["stock"]))
    assert site.rows == before


def test_a_deal_is_named_in_either_case(client: Browser) -> None:
    """SS-10: the JSON interface takes the canonical form in either case, and nothing else."""
    assert client.get(f"/api/deals/{FOUR_SUITS.lower()}").json() == client.get(f"/api/deals/{FOUR_SUITS}").json()


@pytest.mark.parametrize(
    ("code", "fault"),
    [
        ("XX1-S1-AAAAABD", "unknown-game"),
        ("SS1-S3-AAAAABD", "unknown-suits"),
        ("SC1-S1-AAAAABD", "unknown-rules"),
        ("SS1-S1-AAAAAB", "too-few-letters"),
        ("SS1-S1-AAAAABDD", "too-many-letters"),
        ("SS1S1AAAAABD", "wrong-hyphens"),
        ("SS1-S1-AAAAAB0", "not-letters"),
        ("SS1S1AAAAABD", "too-few-letters"),
        ("ß1-S1-AAAAABD", "unknown-game"),
        ("SS1-S1-AAAAABD/more", "not-letters"),
        (" SS1-S1-AAAAABD", "unknown-game"),
        ("SS1-S1-AAAAABD\x00", "not-letters"),
        ("x" * 5000, "unknown-game"),
    ],
)
def test_a_text_that_is_no_code_is_a_404_that_says_why(client: Browser, code: str, fault: str) -> None:
    """SS-10, #64: the order of blame is game, variant, letters; the JSON interface forgives nothing but the case."""
    response = client.get(f"/api/deals/{quote(code, safe='')}")
    if code == "SS1S1AAAAABD":
        fault = body(response)["fault"]  # Which part is to blame where the hyphens are missing is not fixed.
    assert_problem(response, 404, code=code[:200], fault=fault)
    begun = client.post("/api/games", json={"code": code})
    assert_problem(begun, 422, code=code[:200], fault=fault)


def test_the_same_letters_are_the_same_shuffle_in_every_variant(client: Browser) -> None:
    """SS-10, #62: only the suits differ; Scorpion's rules do not change the cards."""
    ranks = [
        [[card[0] for card in column] for column in body(client.get(f"/api/deals/SS1-{suits}-AAAAABD"))["columns"]]
        for suits in ("S1", "S2", "S4")
    ]
    assert ranks[0] == ranks[1] == ranks[2]
    classic, relaxed = (body(client.get(f"/api/deals/SC1-{rules}-AAAAABD")) for rules in "CR")
    assert classic["columns"] == relaxed["columns"]
    assert len(relaxed["legal"]) > len(classic["legal"])


# New games


def test_a_new_game_is_made_by_its_code_and_is_always_a_new_attempt(site: Site, client: Browser) -> None:
    """G-8: the first answer brings the cookie; an attempt without an action is neither played nor listed."""
    response = client.post("/api/games", json={"code": FOUR_SUITS.lower()})
    game = body(response)
    assert (response.status_code, response.headers["location"]) == (201, f"/api/games/{game['id']}")
    assert "pasianssi=" in response.headers["set-cookie"]
    deal = body(client.get(f"/api/deals/{FOUR_SUITS}"))
    assert game == {
        **deal,
        "id": game["id"],
        "version": 0,
        "status": "playing",
        "score": 500,
        "moves": 0,
        "undo": 0,
        "redo": 0,
        "runs": [],
        "events": [],
    }
    another = client.begin(FOUR_SUITS)
    assert another == {**game, "id": another["id"]}
    assert another["id"] != game["id"]
    assert client.get("/api/games").json() == {"games": [], "next": None}
    assert counts(site.rows) == {"player": 1, "device": 1, "game": 2, "replay": 0, "secret": 1}
    played = client.play(another, LOOP[0])
    assert client.get("/api/games").json() == {"games": [{**played, "events": []}], "next": None}
    assert client.game(game) == game


@pytest.mark.parametrize(
    ("asked", "game", "choice", "value"),
    [
        *(({"game": "simple-simon", "suits": suits}, "simple-simon", "suits", suits) for suits in (1, 2, 4)),
        *(({"game": "scorpion", "rules": rules}, "scorpion", "rules", rules) for rules in ("classic", "relaxed")),
        ({"game": "scorpion"}, "scorpion", "rules", "classic"),
    ],
)
def test_a_random_game_of_each_kind_is_dealt(client: Browser, asked: Json, game: str, choice: str, value: Any) -> None:
    """SS-2, SC-3: classic rules are Scorpion's default; over JSON nothing is chosen for a first game."""
    made = body(client.post("/api/games", json=asked))
    assert (made["game"], made[choice]) == (game, value)
    assert body(client.get(f"/api/deals/{made['code']}"))["columns"] == made["columns"]


def test_random_games_are_different_deals(client: Browser) -> None:
    """#61: no debugging seed was left in."""
    codes = [body(client.post("/api/games", json={"game": "simple-simon", "suits": 4}))["code"] for _ in range(200)]
    assert len(set(codes)) >= 195
    assert all(before != after for before, after in pairwise(codes))
    assert len({letter for code in codes for letter in code[7:]}) == 26


def test_the_rules_of_a_game_are_those_of_its_row(client: Browser) -> None:
    """SC-3, #11: a relaxed game played between the moves of a classic one changes nothing for it."""
    classic, relaxed = client.begin("SC1-C-AAAAABE"), client.begin("SC1-R-AAAAABE")
    onto_another_suit = next(move for move in relaxed["legal"] if move not in classic["legal"])
    assert_problem(client.act(classic, onto_another_suit), 422, rule="wrong-suit")
    client.play(relaxed, onto_another_suit)
    assert_problem(client.act(classic, onto_another_suit), 422, rule="wrong-suit")


# Actions


@pytest.mark.parametrize("code", [FOUR_SUITS, "SC1-R-AAAAABE"])
def test_an_action_sent_again_with_its_nonce_is_made_once_and_answered_the_same(either_site: Site, code: str) -> None:
    """G-6, G-7, SC-6, #72: each kind of action, its answer lost, is sent again."""
    client = either_site.browser()
    game = client.begin(code)
    automatic = next(["auto", *one[:2]] for one in placed_by_themselves(client, game))
    wishes: list[Any] = [game["legal"][0], "undo", "redo", "undo", automatic, "undo", "redo"]
    wishes += ["deal", "undo", "redo"] if game["stock"] else []
    for number, wish in enumerate(wishes):
        first = client.act(game, wish, nonce=f"nonce-{number}")
        rows = either_site.rows
        again = client.act(game, wish, nonce=f"nonce-{number}")
        assert (first.status_code, again.status_code) == (200, 200), (wish, again.text)
        assert body(again) == body(first)
        assert either_site.rows == rows
        assert body(first)["version"] == number + 1
        game = body(first)


def placed_by_themselves(client: Browser, game: Json) -> list[list[int]]:
    """Return the legal moves of a game that automatic placement makes too."""
    found = []
    for move in game["legal"]:
        one = client.begin(game["code"])
        response = client.act(one, ["auto", *move[:2]])
        if response.status_code == 200:
            found.append(move)
    return found


@pytest.mark.parametrize("made", ["move", "auto", "deal", "undo", "redo"])
@pytest.mark.parametrize("other", ["another move", "another auto", "move", "auto", "deal", "undo", "redo"])
def test_another_action_with_the_nonce_of_the_latest_is_a_conflict(client: Browser, made: str, other: str) -> None:
    """#70, #72: what was not made is never said to be made, whatever nonce it bears."""
    game = client.begin("SC1-R-AAAAABE")
    moves = list({tuple(move[:2]): move for move in game["legal"]}.values())
    wishes: dict[str, Any] = {
        "move": moves[0],
        "auto": ["auto", *moves[0][:2]],
        "another move": moves[1],
        "another auto": ["auto", *moves[1][:2]],
    }
    game = client.play(game, *{"undo": [moves[2]], "redo": [moves[2], "undo"]}.get(made, []))
    if made == other:
        other = "another move"
    response = client.act(game, wishes.get(made, made), nonce="the-same")
    assert response.status_code == 200, response.text
    conflict = client.act(game, wishes.get(other, other), nonce="the-same")
    assert_problem(conflict, 409, game={**body(response), "events": []})


def test_an_old_version_is_a_conflict_that_brings_the_game_as_it_stands(either_site: Site) -> None:
    """#70: tab A moves, tab B is stale: nothing is lost, nothing is made, and B is shown A's table."""
    client = either_site.browser()
    seen = client.begin(FOUR_SUITS)
    now = client.play(seen, *loop(3))
    rows = either_site.rows
    for wish in (LOOP[0], ["auto", 0, 0], "deal", "undo", "redo"):
        problem = assert_problem(client.act(seen, wish), 409, game={**now, "events": []})
        assert (
            problem["title"]
            == "Tämä pöytä oli vanhentunut, joten mitään ei tehty. Tässä on pöytä sellaisena kuin se nyt on."
        )
    assert_problem(client.act({**seen, "version": 999}, "undo"), 409)
    assert either_site.rows == rows
    assert client.play(now, "undo")["moves"] == 2


def test_of_many_actions_at_one_version_at_once_exactly_one_is_made(either_site: Site) -> None:
    """#26, #70: undo twice in parallel, and ten moves of ten tabs."""
    client = either_site.browser()
    game = client.play(client.begin(FOUR_SUITS), *loop(4))
    for wish in ({"action": "undo"}, {"action": "redo"}, {"action": "move", "from": 9, "at": 1, "to": 2}):
        path = f"/api/games/{game['id']}/actions"
        asked = {"version": game["version"], **wish}
        answers = either_site.together(client.http.post(path, json=asked) for _ in range(10))
        if wish["action"] == "move":
            assert {answer.status_code for answer in answers} <= {422, 409}
            continue
        assert sorted(answer.status_code for answer in answers) == [200] + [409] * 9
        game = client.game(game)
    assert (game["moves"], game["version"]) == (4, 6)


def test_a_refused_action_changes_nothing_and_names_the_rule_in_the_readers_language(either_site: Site) -> None:
    """G-3, G-10, SC-4, #22: no score, no move, no undo entry, and the redo list stays."""
    client = either_site.browser()
    game = client.play(client.begin(FOUR_SUITS), *loop(3), "undo")
    rows = either_site.rows
    refused: list[tuple[Any, str]] = [
        ("deal", "stock-empty"),
        ([0, 8, 1], "no-card"),
        ([0, 999, 1], "no-card"),
        ([0, 10**400, 1], "no-card"),
        (["auto", 0, 60], "no-card"),
        ([0, 7, 0], "same-column"),
        ([0, 0, 1], "not-a-sequence"),
    ]
    for wish, rule in refused:
        for language in ("fi", "en"):
            client.http.headers["Accept-Language"] = language
            answer = client.act(game, wish)
            sentence = words(language).rule(Rule(rule))
            assert_problem(answer, 422, rule=rule, title=sentence, detail=sentence)
    assert either_site.rows == rows
    assert client.game(game) == {**game, "events": []}
    assert client.play(game, "redo")["moves"] == 3
    fresh = client.begin(FOUR_SUITS)
    assert_problem(client.act(fresh, "undo"), 422, rule="nothing-to-undo")
    assert_problem(client.act(fresh, "redo"), 422, rule="nothing-to-redo")


def test_the_two_sentences_that_the_source_fixes_are_answered_to_the_letter(client: Browser) -> None:
    """SC-4, SS-9: "Tyhjään sarakkeeseen voi siirtää vain kuninkaan", "Sääntö: korttien on oltava samaa maata"."""
    record = EXAMPLES[1]
    game = client.begin(record["code"])
    told: set[str] = set()
    for move in record["moves"]:
        for source, column in enumerate(game["columns"]):
            for target in range(7):
                if {"wrong-suit", "king-only"} <= told or source == target:
                    continue
                at = len(column) - 1
                end = game["columns"][target][-1:]
                ranks = "A23456789TJQK"
                wrong_suit = end and at >= 0 and ranks.index(end[0][0]) == ranks.index(column[at][0]) + 1
                if at >= 0 and (not end or wrong_suit) and [source, at, target] not in game["legal"]:
                    problem = assert_problem(client.act(game, [source, at, target]), 422)
                    told.add(problem["rule"])
                    assert (
                        problem["title"]
                        == {
                            "king-only": "Tyhjään sarakkeeseen voi siirtää vain kuninkaan",
                            "wrong-suit": "Sääntö: korttien on oltava samaa maata",
                        }[problem["rule"]]
                    )
        game = client.play(game, move)
    assert told == {"king-only", "wrong-suit"}


def test_exactly_the_hundred_latest_actions_can_be_undone_over_restarts_too(either_site: Site) -> None:
    """G-6, G-7: 150 moves, 40 undone, 10 more leaves 70, and the 101st pushes the oldest out for good."""
    client = either_site.browser()
    game = client.play(client.begin(FOUR_SUITS), *loop(101))
    assert (game["undo"], game["score"]) == (100, 399)
    either_site.restart()
    game = client.play(game, *["undo"] * 100)
    assert (game["undo"], game["redo"], game["moves"], game["score"]) == (0, 100, 1, 499)
    assert_problem(client.act(game, "undo"), 422, rule="nothing-to-undo")
    either_site.restart()
    game = client.play(game, *["redo"] * 100, *loop(150)[101:])
    assert (game["moves"], game["undo"]) == (150, 100)
    game = client.play(game, *["undo"] * 40)
    assert (game["moves"], game["undo"], game["redo"]) == (110, 60, 40)
    either_site.restart()
    game = client.play(game, *loop(10))
    assert (game["moves"], game["undo"], game["redo"]) == (120, 70, 0)
    game = client.play(game, *["undo"] * 70)
    assert (game["moves"], game["score"]) == (50, 450)
    assert_problem(client.act(game, "undo"), 422, rule="nothing-to-undo")


def test_undo_and_redo_cost_nothing_and_a_win_undone_is_in_progress_again(client: Browser) -> None:
    """G-6, G-7, #29, #33: undo out of a win, win again: one game, won, with the same score and moves."""
    record = EXAMPLES[0]
    won = client.play(client.begin(record["code"]), *record["moves"])
    assert (won["status"], won["score"], won["moves"]) == ("won", 851, 49)
    back = client.play(won, "undo")
    assert (back["status"], back["score"], back["moves"], back["redo"]) == ("playing", record["scores"][-2], 48, 1)
    assert back["legal"]
    again = client.play(back, record["moves"][-1])
    assert (again["status"], again["score"], again["moves"], again["redo"]) == ("won", 851, 49, 0)
    assert again["columns"] == won["columns"] == [[]] * 10
    assert [(one["id"], one["status"]) for one in body(client.get("/api/games"))["games"]] == [(won["id"], "won")]


def test_a_score_goes_below_zero(client: Browser) -> None:
    """SS-6, #32: 501 moves there and back, and no lower limit."""
    game = client.play(client.begin(FOUR_SUITS), *loop(501))
    assert (game["score"], game["moves"], game["undo"]) == (-1, 501, 100)


# Whose games


@pytest.mark.parametrize("method", ["GET", "DELETE", "POST"])
def test_another_players_game_is_a_404_like_one_that_never_was(either_site: Site, method: str) -> None:
    """One player can neither read nor change another's games, and is not told that they are there."""
    owner, other = either_site.browser(), either_site.browser()
    game = owner.play(owner.begin(FOUR_SUITS), LOOP[0])
    other.play(other.begin(SCORPION), "deal")
    before = either_site.rows
    answers = []
    for who in (other, either_site.browser()):
        for game_id in (game["id"], UNKNOWN, "0", "7" + "f" * 15):
            path = f"/api/games/{game_id}" + ("/actions" if method == "POST" else "")
            options: Json = {"json": {"version": 1, "action": "undo"}} if method == "POST" else {}
            answers.append(assert_problem(who.ask(method, path, **options), 404))
    assert all(answer == answers[0] for answer in answers)
    assert either_site.rows == before
    assert [one["code"] for one in body(other.get("/api/games"))["games"]] == [SCORPION]


def test_a_deleted_game_is_gone_and_nothing_else(either_site: Site) -> None:
    client = either_site.browser()
    kept = client.play(client.begin(FOUR_SUITS), LOOP[0])
    gone = client.play(client.begin(FOUR_SUITS), LOOP[0])
    response = client.ask("DELETE", f"/api/games/{gone['id']}")
    assert (response.status_code, response.content) == (204, b"")
    for answer in (
        client.get(f"/api/games/{gone['id']}"),
        client.act(gone, "undo"),
        client.ask("DELETE", f"/api/games/{gone['id']}"),
    ):
        assert_problem(answer, 404)
    assert [one["id"] for one in body(client.get("/api/games"))["games"]] == [kept["id"]]
    assert client.play(kept, "undo")["moves"] == 0


def test_games_are_listed_newest_first_in_pages(either_site: Site) -> None:
    """51 games make two pages; the unplayed ones between them are not counted."""
    client, other = either_site.browser(), either_site.browser()
    ids = []
    for _ in range(51):
        client.begin(FOUR_SUITS)
        ids.append(client.play(client.begin(FOUR_SUITS), LOOP[0])["id"])
        other.play(other.begin(FOUR_SUITS), LOOP[0])
    newest_first = sorted(ids, key=lambda one: int(one, 16), reverse=True)
    first = body(client.get("/api/games"))
    assert [game["id"] for game in first["games"]] == newest_first[:50]
    second = body(client.get("/api/games", params={"before": first["next"]}))
    assert ([game["id"] for game in second["games"]], second["next"]) == (newest_first[50:], None)
    client.ask("DELETE", f"/api/games/{ids[0]}")
    assert body(client.get("/api/games"))["next"] is None
    assert body(either_site.browser().get("/api/games")) == {"games": [], "next": None}


# Errors and the description


def test_errors_are_told_in_the_readers_language(client: Browser) -> None:
    spoken = {
        "fi": "Sivua ei ole.",
        "en": "There is no such page.",
        "en-GB, fi;q=0.5": "There is no such page.",
        "de": "Sivua ei ole.",
        "de, en;q=0.1": "There is no such page.",
    }
    for header, sentence in spoken.items():
        response = client.get(f"/api/games/{UNKNOWN}", headers={"Accept-Language": header})
        assert_problem(response, 404, title=sentence)


def test_a_player_who_chose_a_language_is_answered_in_it(client: Browser) -> None:
    client.post("/language", data={"language": "en", "back": "/"})
    game = client.begin(FOUR_SUITS)
    assert_problem(client.act(game, "undo"), 422, title="There is nothing to undo")


def test_the_description_tells_every_address_its_answers_and_its_errors(client: Browser) -> None:
    """OpenAPI: enough for a program to be written by it."""
    response = client.get("/api/openapi.json")
    assert response.headers["content-type"] == "application/json"
    described = body(response)
    assert re.fullmatch(r"3\.1\.\d", described["openapi"])
    operations = {
        (method.upper(), path): operation
        for path, methods in described["paths"].items()
        for method, operation in methods.items()
    }
    assert operations.keys() == {
        ("GET", "/api/deals/{code}"),
        ("POST", "/api/games"),
        ("GET", "/api/games"),
        ("GET", "/api/games/{game_id}"),
        ("DELETE", "/api/games/{game_id}"),
        ("POST", "/api/games/{game_id}/actions"),
    }
    for key, operation in operations.items():
        good = {"POST /api/games": "201", "DELETE /api/games/{game_id}": "204"}.get(" ".join(key), "200")
        assert operation["responses"].keys() >= {good, "404", "422", "503"}, key
        assert operation["summary"]
        assert operation["description"]
        assert [parameter["name"] for parameter in operation.get("parameters", []) if parameter["in"] == "path"] == (
            re.findall("{(.*?)}", key[1])
        )
        for status, answer in operation["responses"].items():
            if status >= "400":
                assert list(answer["content"]) == ["application/problem+json"], (key, status)
    assert "409" in operations["POST", "/api/games/{game_id}/actions"]["responses"]
    names = re.findall(r"#/components/schemas/(\w+)", response.text)
    assert set(names) <= described["components"]["schemas"].keys()


def test_an_answer_of_each_kind_has_what_the_description_says(client: Browser) -> None:
    described = body(client.get("/api/openapi.json"))
    schemas = described["components"]["schemas"]
    missing = described["paths"]["/api/games/{game_id}"]["get"]["responses"]["404"]
    schemas["Problem"] = missing["content"]["application/problem+json"]["schema"]
    game = client.play(client.begin(SCORPION), "deal")
    listed = body(client.get("/api/games"))
    deal = body(client.get(f"/api/deals/{ONE_SUIT}"))
    problem = body(client.get(f"/api/games/{UNKNOWN}"))
    for name, answer in (("GameShown", game), ("GamesShown", listed), ("DealShown", deal), ("Problem", problem)):
        schema = schemas[name]
        assert set(schema["required"]) <= answer.keys() <= schema["properties"].keys(), name
