"""The look in figures: the contrast of the design tokens, and what a page weighs."""

import gzip
import re
from pathlib import Path

import pytest

from tests.web.records import ONE_SUIT, SCORPION
from tests.web.site import Browser

STATIC = Path(__file__).parents[2] / "static"
SCHEMES = ("light", "dark")

TEXT, LARGE_OR_EDGE, INDEX = 4.5, 3.0, 7.0
"""What WCAG 2.2 asks of text (AA), of edges and marks (AA), and of index and suits, which are to be AAA here."""

PAIRS = [
    ("ink", "page", TEXT),
    ("ink", "raised", TEXT),
    ("soft", "page", TEXT),
    ("soft", "raised", TEXT),
    ("accent", "page", TEXT),
    ("accent", "raised", TEXT),
    ("on-accent", "accent", TEXT),
    ("felt-ink", "felt", TEXT),
    ("felt-ink", "felt-deep", TEXT),
    ("felt-soft", "felt", TEXT),
    ("felt-soft", "felt-deep", TEXT),
    ("edge", "page", LARGE_OR_EDGE),
    ("edge", "raised", LARGE_OR_EDGE),
    ("focus", "page", LARGE_OR_EDGE),
    ("mark", "felt", LARGE_OR_EDGE),
    ("mark", "felt-deep", LARGE_OR_EDGE),
    *((ink, paper, INDEX) for ink in ("black", "red", "blue", "green") for paper in ("card", "card-picked")),
]


def tokens() -> dict[str, tuple[str, str]]:
    """Return the colours of the design tokens, by day and by night."""
    root = re.search(r":root \{(.*?)\n\}", (STATIC / "style.css").read_text(encoding="utf-8"), re.DOTALL)
    assert root
    found = re.findall(r"--([\w-]+): (?:light-dark\((#\w{6}), (#\w{6})\)|(#\w{6}));", root[1])
    return {name: (day or both, night or both) for name, day, night, both in found}


def luminance(colour: str) -> float:
    """Return the relative luminance of a colour, as WCAG 2.2 defines it."""
    channels = [int(colour[start : start + 2], 16) / 255 for start in (1, 3, 5)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """Return the contrast of two colours, from 1 to 21."""
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def test_contrast_is_measured_as_wcag_defines_it() -> None:
    """Black on white has 21, and #767676 is the palest grey that text may have on white."""
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#767676", "#ffffff") >= TEXT > contrast("#777777", "#ffffff")


@pytest.mark.parametrize("scheme", SCHEMES)
@pytest.mark.parametrize(("ink", "paper", "least"), PAIRS)
def test_every_pair_of_colours_keeps_its_contrast(ink: str, paper: str, least: float, scheme: str) -> None:
    """WCAG 2.2 AA, and AAA for what a card is known by."""
    colours, which = tokens(), SCHEMES.index(scheme)
    assert contrast(colours[ink][which], colours[paper][which]) >= least


def links(text: str) -> set[str]:
    """Return the static files that a text names, by their addresses on this site."""
    return set(re.findall(r'(?:href|src)="(/static/[^"]+)"', text))


def test_only_what_cannot_be_used_is_faded() -> None:
    """A text that is seen through has less contrast than its colours; WCAG asks for none of what is disabled."""
    rules = [rule for file in STATIC.rglob("*.css") for rule in re.findall(r"([^{}]+)\{([^{}]*)\}", file.read_text())]
    faded = [selector for selector, body in rules if re.search(r"opacity: 0?\.\d", body)]
    assert faded
    assert [selector for selector in faded if "disabled" not in selector] == []


@pytest.mark.parametrize("code", [ONE_SUIT, SCORPION])
def test_a_first_visit_to_a_table_is_light(client: Browser, code: str) -> None:
    """At most 60 KB compressed: page, styles, script, htmx, cards and fonts."""
    page = client.get(f"/play/{code}")
    assert page.headers["content-encoding"] == "gzip"
    seen = links(page.text)
    waiting, weight = sorted(seen), len(gzip.compress(page.content))
    while waiting:
        address = waiting.pop()
        response = client.get(address)
        assert response.status_code == 200, address
        fonts = address.endswith((".woff2", ".png"))
        weight += len(response.content if fonts else gzip.compress(response.content))
        folder = address.rpartition("/")[0]
        named: list[str] = []
        if address.endswith(".css"):
            named = re.findall(r'url\("(?!data:)([^"]+)"\)', response.text)
        elif address.endswith(".js") and "vendor" not in address:
            named = re.findall(r'(?:from|import) "(\./[^"]+)"', response.text)
        for name in named:
            found = f"{folder}/{name.removeprefix('./')}"
            if found not in seen:
                seen.add(found)
                waiting.append(found)
    assert len(seen) > 12, seen
    assert weight <= 60_000


def test_pages_are_kept_for_their_reader_alone_and_static_files_for_ever(client: Browser) -> None:
    """What depends on the cookie and the language is never another reader's, and is asked for again."""
    for address in ("/", f"/play/{ONE_SUIT}", "/games", "/nowhere", "/api/games"):
        headers = client.get(address).headers
        assert headers["cache-control"] == "private, no-cache", address
        assert {"Accept-Language", "Cookie"} <= set(headers["vary"].replace(" ", "").split(",")), address
    for address in links(client.get("/").text):
        assert "immutable" in client.get(address).headers["cache-control"], address
