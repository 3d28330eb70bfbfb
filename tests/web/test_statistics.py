"""Statistics: counted from the games themselves, whatever was undone, replayed or reloaded."""

from collections.abc import Sequence

import pytest
from sqlalchemy import update

from app.engine.codes import Code, numbered, parse_code
from app.engine.game import Game, act, start
from app.engine.games import GAMES
from app.engine.games.scorpion import CLASSIC, RELAXED
from app.engine.games.simple_simon import FOUR_SUITS, ONE_SUIT, TWO_SUITS
from app.engine.position import Position
from app.engine.replay import read_action
from app.engine.rules import Rule, Rules
from app.service import Tally
from app.store import games, schema
from app.store.statistics import _beginning, tallies
from app.web.statistics import MOST_BARS, Bar, distribution, over_time
from tests.web.page import Node, Page
from tests.web.records import CODED, EXAMPLES, KINDS, LOOP, Record, name_of
from tests.web.records import FOUR_SUITS as FOUR_SUITS_CODE
from tests.web.records import SCORPION as SCORPION_CODE
from tests.web.site import Browser, Site

LANGUAGES = ["fi", "en"]


def played(record: Record, moves: int | None = None) -> Game:
    """Return a recorded game after so many moves, or all."""
    code = parse_code(record["code"])
    game = start(code.rules, code.deal())
    for move in record["moves"][:moves]:
        turn = act(game, read_action(move))
        assert not isinstance(turn, Rule)
        game = turn.game
    return game


def keep(site: Site, player_id: int, states: Sequence[tuple[Code, Game]]) -> None:
    """Keep games of a player, begun one after another, as they stand."""
    with site.engine.begin() as connection:
        attempts: dict[str, int] = {}
        for number, (code, state) in enumerate(states):
            attempts[code.text] = attempts.get(code.text, 0) + 1
            one = games.add(connection, player_id, code, attempts[code.text], state)
            # Of those begun within a millisecond chance would decide the order.
            row = update(schema.game).where(schema.game.c.id == one.id)
            connection.execute(row.values(id=(player_id >> 30) + number, version=max(1, state.made)))


def player_of(site: Site) -> int:
    """Return a new player's id."""
    with site.engine.begin() as connection:
        return games.add_player(connection)[0].id


def tally(site: Site, player_id: int) -> dict[Rules, Tally]:
    """Return what came of a player's games, by rules."""
    with site.engine.connect() as connection:
        return {one.rules: one for one in tallies(connection, player_id)}


WON = {record["code"][:6]: played(record) for record in KINDS}
ONE = parse_code(EXAMPLES[0]["code"])


def one_suit(results: str) -> list[tuple[Code, Game]]:
    """Return games of one suit, each won (1) or not (0)."""
    lost = start(ONE.rules, ONE.deal())
    return [(numbered(ONE_SUIT, n), WON["SS1-S1"] if one == "1" else lost) for n, one in enumerate(results)]


# What counts


@pytest.mark.parametrize("record", CODED, ids=name_of)
def test_a_won_game_is_known_by_the_text_of_its_position_and_no_earlier_state_is(record: Record) -> None:
    """G-4: what SQL asks is what the engine says, at every move."""
    code = parse_code(record["code"])
    game = start(code.rules, code.deal())
    for move in record["moves"]:
        assert not game.won
        assert not looks_won(game.position)
        turn = act(game, read_action(move))
        assert not isinstance(turn, Rule)
        game = turn.game
    assert game.won
    assert looks_won(game.position)


def looks_won(position: Position) -> bool:
    """Return what LIKE says of a position's text, by the pattern of the column ``won``."""
    before, slashes, runs = position.text[:-4], position.text[-6:-4], position.text[-4:]
    return bool(before) and slashes == "//" and len(runs) == 4


def test_all_games_end_with_the_same_number_of_runs() -> None:
    assert {rules.places for rules in GAMES} == {4}


def test_the_beginning_of_a_code_tells_game_and_variant() -> None:
    assert len({numbered(rules, 0).text[:6] for rules in GAMES}) == len(GAMES)
    assert [numbered(rules, 0).text[:6] for rules in GAMES] == [_beginning(rules) for rules in GAMES]


@pytest.mark.parametrize("record", KINDS, ids=name_of)
def test_a_game_counts_from_its_first_action_and_as_won_while_it_is(either_site: Site, record: Record) -> None:
    """#29, #30, #79, G-7: an undo after the win, another win, reloads and a new attempt never count twice."""
    client = either_site.browser()
    rules = parse_code(record["code"]).rules
    game = client.begin(record["code"])
    assert tally_of(client, rules) is None
    game = client.play(game, record["moves"][0])
    assert tally_of(client, rules) == ("1", "0")
    game = client.play(game, *record["moves"][1:])
    for _ in range(3):
        client.open(f"/play/{record['code']}")
        assert tally_of(client, rules) == ("1", "1")
    game = client.play(game, "undo")
    assert tally_of(client, rules) == ("1", "0")
    game = client.play(game, "redo")
    assert tally_of(client, rules) == ("1", "1")
    client.post(f"/play/{record['code']}/restart")
    assert tally_of(client, rules) == ("1", "1")
    client.play(client.begin(record["code"]), record["moves"][0])
    assert tally_of(client, rules) == ("2", "1")
    assert tally_of(either_site.browser(), rules) is None


def tally_of(client: Browser, rules: Rules) -> tuple[str, str] | None:
    """Return how many games of a variant the page says were played and won, or None where it does not name it."""
    page = client.open("/statistics")
    if not page.has(f"{rules.prefix}-{rules.variant}"):
        return None
    measures = measures_of(section(page, rules))
    return measures["Pelattu"], measures["Voitettu"]


def section(page: Page, rules: Rules) -> Node:
    """Return the part of the page that tells of a variant."""
    return page.root.all("section", **{"aria-labelledby": f"{rules.prefix}-{rules.variant}"})[0]


def measures_of(node: Node) -> dict[str, str]:
    """Return the figures of a part of the page."""
    names, values = node.all("dt"), node.all("dd")
    return {name.text: value.text for name, value in zip(names, values, strict=True)}


def test_every_variant_has_figures_of_its_own(either_site: Site) -> None:
    player = player_of(either_site)
    lost = [(parse_code(record["code"]), played(record, 3)) for record in KINDS]
    won = [(parse_code(record["code"]), played(record)) for record in CODED]
    keep(either_site, player, lost + won)
    found = tally(either_site, player)
    assert list(found) == list(GAMES)
    for rules, one in found.items():
        states = [state for code, state in won if code.rules is rules]
        assert one.results == "0" + "1" * len(states)
        assert (one.played, one.won) == (len(states) + 1, len(states))
        scores = [state.score for state in states]
        assert (one.best_score, one.all_scores) == ((None, None) if rules is RELAXED else (max(scores), sum(scores)))
        assert one.fewest_moves == min(state.made for state in states)
        assert one.all_moves == sum(state.made for state in states)
        values = [state.made if rules is RELAXED else state.score for state in states]
        assert one.values == {value: values.count(value) for value in values}


def test_relaxed_scorpion_is_never_ranked_by_score(either_site: Site) -> None:
    """SC-11: its fewest moves are told and drawn, and no score is."""
    assert [rules for rules in GAMES if rules.ranked_by == "moves"] == [RELAXED]
    client = either_site.browser()
    for record in KINDS:
        if record["code"].startswith("SC1"):
            client.play(client.begin(record["code"]), *record["moves"])
    page = client.open("/statistics")
    relaxed, classic = (section(page, rules) for rules in (RELAXED, CLASSIC))
    assert "Paras tulos" in measures_of(classic)
    assert "Voitettujen pelien pisteet" in classic.text
    assert not [name for name in measures_of(relaxed) if "tulos" in name or "Pisteet" in name]
    assert "Vähiten siirtoja" in measures_of(relaxed)
    assert "Voitettujen pelien siirtomäärät" in relaxed.text
    assert "pisteet" not in relaxed.text


def test_a_deleted_game_counts_again_only_when_it_is_brought_back(either_site: Site) -> None:
    """Neither in the statistics nor on the calendar: both ask the same of a game."""
    client = either_site.browser()
    game = client.play(client.begin(FOUR_SUITS_CODE), LOOP[0])
    client.post(f"/games/{game['id']}/delete")
    assert tally_of(client, FOUR_SUITS) is None
    client.post(f"/games/{game['id']}/bring-back")
    assert tally_of(client, FOUR_SUITS) == ("1", "0")


# Streaks


@pytest.mark.parametrize(
    ("results", "now", "longest"),
    [
        ("1", 1, 1),
        ("0", 0, 0),
        ("111", 3, 3),
        ("1110", 3, 3),
        ("11100", 0, 3),
        ("10110", 2, 2),
        ("1010111", 4, 4),
        ("0111010", 1, 3),
        ("11011", 4, 4),
        ("110110", 2, 2),
        ("00", 0, 0),
        ("001", 1, 1),
    ],
)
def test_a_streak_is_broken_by_every_unwon_game_but_the_newest_one(
    either_site: Site, results: str, now: int, longest: int
) -> None:
    player = player_of(either_site)
    keep(either_site, player, one_suit(results))
    one = tally(either_site, player)[ONE_SUIT]
    assert (one.results, one.streak, one.longest_streak) == (results, now, longest)


def test_a_streak_is_of_one_variant(either_site: Site) -> None:
    player = player_of(either_site)
    lost = [(numbered(TWO_SUITS, n), start(TWO_SUITS, numbered(TWO_SUITS, n).deal())) for n in range(3)]
    mixed = [one for pair in zip(one_suit("111"), lost, strict=True) for one in pair]
    keep(either_site, player, mixed)
    found = tally(either_site, player)
    assert (found[ONE_SUIT].streak, found[TWO_SUITS].streak) == (3, 0)


# The pictures


def test_results_over_time_hold_every_game_once() -> None:
    assert over_time("101").bars == [Bar(1, 1, 1, 1), Bar(2, 2, 1, 0), Bar(3, 3, 1, 1)]
    for number in (1, 19, 20, 21, 40, 41, 999, 10_000):
        results = ("110" * number)[:number]
        bars = over_time(results).bars
        assert len(bars) <= MOST_BARS
        assert sum(bar.games for bar in bars) == number
        assert sum(bar.won for bar in bars) == results.count("1")
        assert [bar.first for bar in bars] == [1, *(bar.last + 1 for bar in bars[:-1])]


@pytest.mark.parametrize(
    "values",
    [
        {851: 1},
        {-3: 2, 4: 1},
        {841: 3, 851: 2, 849: 1},
        {-100_000: 1, 899: 5},
        {460: 1, 1_000_000: 1},
        dict.fromkeys(range(400, 900), 1),
    ],
    ids=str,
)
def test_a_distribution_holds_every_game_once_in_bars_of_one_width(values: dict[int, int]) -> None:
    bars = distribution(values).bars
    assert 1 <= len(bars) <= MOST_BARS
    assert len({bar.last - bar.first for bar in bars}) == 1
    assert bars[0].games > 0
    assert bars[-1].games > 0
    for bar in bars:
        assert bar.games == sum(count for value, count in values.items() if bar.first <= value <= bar.last)
    assert sum(bar.games for bar in bars) == sum(values.values())


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_page_draws_no_inline_style_and_tells_every_picture_as_a_table(site: Site, language: str) -> None:
    client = site.browser(language)
    client.play(client.begin(EXAMPLES[0]["code"]), *EXAMPLES[0]["moves"])
    client.play(client.begin(FOUR_SUITS_CODE), LOOP[0])
    client.play(client.begin(SCORPION_CODE), "deal")
    page = client.open("/statistics")
    assert page.language == language
    assert not [node for node in page.root.walk() if "style" in node.attributes]
    pictures, tables = page.root.all("svg"), page.root.all("table")
    assert len(pictures) == len(tables) == 4
    assert all(picture["aria-hidden"] == "true" for picture in pictures)
    assert "851" in page.text
    assert {"fi": "100 %", "en": "100%"}[language] in page.text.replace("\xa0", " ")
    assert {"fi": "Pelattu 2, voitettu 1", "en": "2 played, 1 won"}[language] in page.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_stranger_has_no_statistics_and_gets_no_cookie(site: Site, language: str) -> None:
    client, before = site.browser(language), site.rows
    sentence = {"fi": "Ei vielä pelejä", "en": "No games yet"}[language]
    assert sentence in client.open("/statistics").text
    assert client.cookie is None
    assert site.rows == before


def test_negative_scores_have_the_sign_of_a_minus(site: Site) -> None:
    player = player_of(site)
    won = WON["SS1-S4"]._replace(score=-120)
    keep(site, player, [(numbered(FOUR_SUITS, 1), won)])
    client = site.browser()
    client.play(client.begin(FOUR_SUITS_CODE), LOOP[0])
    with site.engine.begin() as connection:
        mine = update(schema.game).where(schema.game.c.player_id == player)
        connection.execute(mine.values(player_id=max(one[0] for one in site.rows["player"])))
    text = client.open("/statistics").text
    assert "−120" in text
    assert "-120" not in text


def test_a_picture_of_few_bars_is_small_and_one_of_many_as_wide_as_there_is_room(site: Site) -> None:
    """Issue 4: one game is a bar, not a wall."""
    client = site.browser()
    for number in range(1, 7):
        client.play(client.begin(FOUR_SUITS_CODE), LOOP[0])
        (picture,) = client.open("/statistics").root.all("svg")
        assert (picture.attributes.get("class") == "few") is (number < 6), number
