"""The README is tested like the code: its examples run, its map shows the whole house, its commands are there."""

import doctest
import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text(encoding="utf-8")


def test_the_examples_of_the_readme_do_what_they_say() -> None:
    failed, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert (failed, tried > 5) == (0, True)


def test_the_map_of_the_house_shows_every_room() -> None:
    """A new module that the map does not show cannot land."""
    shown = set(re.findall(r"\b(\w+\.py)\b", README))
    modules = {path.name for path in (ROOT / "app").rglob("*.py") if not path.name.startswith("__")}
    games = {path.name for path in (ROOT / "app" / "engine" / "games").glob("*.py")}
    assert modules - games - shown == set()


def test_every_make_target_that_the_readme_names_is_there() -> None:
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"(?:`|^ {4})make (\w+)", README, re.MULTILINE))
    assert named
    assert named <= targets


def test_every_setting_is_explained() -> None:
    """HOST, PORT and the rest, by the names of the environment."""
    from app.settings import Settings

    assert all(f"`{name.upper()}`" in README for name in Settings.__slots__)


def test_every_dependency_has_its_reason() -> None:
    """Each library that is installed to run stands in the table with a line of why."""
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    dependencies = re.search(r"\ndependencies = \[(.*?)\n\]", project, re.DOTALL)
    assert dependencies
    names = re.findall(r'^\s+"([\w-]+)', dependencies[1], re.MULTILINE)
    table = README[README.index("## Dependencies") :].lower()
    assert len(names) > 8
    assert [name for name in names if name not in table] == []
