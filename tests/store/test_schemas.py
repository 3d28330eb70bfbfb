"""A database of every released schema: each is brought up to date, and its games go on."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory

from app.service import check
from app.web.security import Signer
from tests.web.records import CODED, Fold, lines, state
from tests.web.site import Site, body

ROOT = Path(__file__).parents[2]
SCHEMAS = sorted((ROOT / "tests" / "data" / "schemas").glob("*.sql"))
DEVICE = 120794603775354079
"""The device of the player whose games these are."""


def unpacked(schema: Path, folder: Path) -> str:
    """Return the address of a database that is as an old program left it."""
    with closing(sqlite3.connect(folder / "old.db")) as database:
        database.executescript(schema.read_text(encoding="utf-8"))
        key = database.execute("SELECT value FROM secret WHERE name = 'cookie'").fetchone()
        assert key == ("5" * 64,)
    return f"sqlite:///{folder}/old.db"


def test_a_database_of_every_released_schema_is_kept_in_the_tests() -> None:
    """#77: a migration lands together with a database as the program before it left one."""
    migrations = ScriptDirectory(str(ROOT / "migrations")).walk_revisions()
    assert [schema.stem for schema in SCHEMAS] == sorted(migration.revision for migration in migrations)


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda path: path.stem)
def test_an_old_database_is_brought_up_to_date_and_every_game_in_it_is_sound(schema: Path, tmp_path: Path) -> None:
    """#77: nothing is lost, and the player's cookie still names the player, who chose English."""
    with Site(unpacked(schema, tmp_path)) as site:
        assert [difference for *_, difference in check(site.engine)] == [""] * 5
        client = site.browser(language="fi")
        client.cookie = Signer("5" * 64).cookie(DEVICE)
        listed = {game["code"]: game for game in body(client.get("/api/games"))["games"]}
        assert {
            code: (game["status"], game["score"], game["moves"], game["undo"], game["redo"])
            for code, game in listed.items()
        } == {
            "SC1-R-YYIEDCU": ("playing", 85, 21, 21, 0),
            "SS1-S1-FQAWHMF": ("won", 846, 54, 54, 0),
            "SS1-S4-AAAAABD": ("playing", 400, 100, 90, 10),
            "SC1-C-FOJYBAH": ("playing", 225, 37, 37, 3),
        }
        assert client.open("/games").language == "en"


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda path: path.stem)
@pytest.mark.parametrize("code", ["SC1-R-YYIEDCU", "SS1-S1-FQAWHMF", "SS1-S4-AAAAABD", "SC1-C-FOJYBAH"])
def test_an_old_game_is_undone_to_its_end_and_made_again(schema: Path, code: str, tmp_path: Path) -> None:
    """G-6, G-7, #77: the undo and redo lists of an old game lead through the very same tables."""
    with Site(unpacked(schema, tmp_path)) as site:
        client = site.browser()
        client.cookie = Signer("5" * 64).cookie(DEVICE)
        found = next(one for one in body(client.get("/api/games"))["games"] if one["code"] == code)
        game = client.play(found, *["redo"] * found["redo"])
        forward = [game]
        while game["undo"]:
            game = client.play(game, "undo")
            forward.insert(0, game)
        assert len(forward) == found["undo"] + found["redo"] + 1
        assert body(client.act(game, "undo"))["rule"] == "nothing-to-undo"
        for expected in forward[1:]:
            fold = Fold(game)
            game = client.play(game, "redo")
            for event in game["events"]:
                fold.add(event)
            assert fold.state == state(game) == state(expected)


@pytest.mark.parametrize("schema", SCHEMAS, ids=lambda path: path.stem)
def test_an_old_game_is_played_on_to_the_win(schema: Path, tmp_path: Path) -> None:
    """#77: the redo list of three is cut by another move, and the game is won as it is in the recorded one."""
    record = next(record for record in CODED if record["code"] == "SC1-C-FOJYBAH")
    with Site(unpacked(schema, tmp_path)) as site:
        client = site.browser()
        client.cookie = Signer("5" * 64).cookie(DEVICE)
        page = client.open("/play/SC1-C-FOJYBAH")
        assert (page.moves, page.score, page.can("redo")) == (37, record["scores"][36], True)
        for move in record["moves"][37:]:
            page = client.press(page, move)
        assert (page.score, page.moves, page.has("won")) == (record["final_score"], record["n_moves"], True)


def test_the_games_in_the_kept_databases_are_those_of_the_recorded_data() -> None:
    codes = {record["code"] for record in lines("coded_games.jsonl")}
    assert codes >= {"SC1-R-YYIEDCU", "SS1-S1-FQAWHMF", "SC1-C-FOJYBAH"}
