"""The deals of the day: by the date in the server's time zone, on a calendar with the player's own marks."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from urllib.parse import quote

import pytest

from app.engine.codes import daily_code
from app.engine.games.scorpion import CLASSIC
from app.engine.games.simple_simon import FOUR_SUITS
from app.web.daily import FIRST_DAY
from tests.web.page import Node, Page
from tests.web.site import Browser, Site

LANGUAGES = ["fi", "en"]
NOON = datetime(2026, 11, 30, 12, tzinfo=UTC)


@pytest.fixture
def at(site: Site) -> Callable[[str], None]:
    """Set the clock of the program to a time, written with its offset."""

    def set_clock(moment: str) -> None:
        time = datetime.fromisoformat(moment).timestamp()
        site.app.state.clock = lambda: time

    return set_clock


def todays(page: Page) -> list[str]:
    """Return where the first list of deals of a page leads."""
    return [link["href"] for link in page.root.all("ul", **{"class": "daily"})[0].all("a")]


def deals(day: str) -> list[str]:
    """Return the addresses of the deals of a day."""
    return [f"/play/{daily_code(rules, day).text}" for rules in (FOUR_SUITS, CLASSIC)]


def cells(page: Page) -> list[Node]:
    """Return the cells of the calendars that hold a day."""
    return [cell for table in page.root.all("table") for cell in table.all("td") if cell.text]


# The day


@pytest.mark.parametrize(
    ("moment", "day"),
    [
        ("2026-11-29T23:59:59+02:00", "2026-11-29"),
        ("2026-11-30T00:00:00+02:00", "2026-11-30"),
        ("2026-11-30T21:59:59+00:00", "2026-11-30"),
        ("2026-11-30T22:00:00+00:00", "2026-12-01"),
        # The night when the clocks go forward: 29 March has 23 hours.
        ("2026-03-28T21:59:59+00:00", "2026-03-28"),
        ("2026-03-28T22:00:00+00:00", "2026-03-29"),
        ("2026-03-29T00:59:59+00:00", "2026-03-29"),
        ("2026-03-29T01:00:00+00:00", "2026-03-29"),
        ("2026-03-29T20:59:59+00:00", "2026-03-29"),
        ("2026-03-29T21:00:00+00:00", "2026-03-30"),
        # The night when they go back: 25 October has 25 hours, and one of them comes twice.
        ("2026-10-24T20:59:59+00:00", "2026-10-24"),
        ("2026-10-24T21:00:00+00:00", "2026-10-25"),
        ("2026-10-25T00:30:00+00:00", "2026-10-25"),
        ("2026-10-25T01:30:00+00:00", "2026-10-25"),
        ("2026-10-25T21:59:59+00:00", "2026-10-25"),
        ("2026-10-25T22:00:00+00:00", "2026-10-26"),
        ("2026-12-31T23:59:59+02:00", "2026-12-31"),
        ("2027-01-01T00:00:00+02:00", "2027-01-01"),
    ],
)
def test_the_day_changes_at_midnight_in_helsinki_also_where_the_clock_changes(
    client: Browser, at: Callable[[str], None], moment: str, day: str
) -> None:
    """#68."""
    at(moment)
    assert todays(client.open("/daily")) == deals(day)
    assert todays(client.open("/")) == deals(day)


@pytest.mark.parametrize(
    ("zone", "day"), [("Pacific/Kiritimati", "2026-12-01"), ("Etc/GMT+12", "2026-11-30"), ("UTC", "2026-11-30")]
)
def test_the_servers_time_zone_is_the_operators_choice(sqlite_url: str, zone: str, day: str) -> None:
    with Site(sqlite_url, timezone=zone) as site:
        site.app.state.clock = NOON.timestamp
        assert todays(site.browser().open("/daily")) == deals(day)


def test_the_deals_of_a_day_are_those_of_the_page_of_codes() -> None:
    """The text that is hashed is of ASCII and holds the date; what it gives is pinned."""
    assert deals("2026-11-30") == [f"/play/{code}" for code in PINNED]


PINNED = ("SS1-S4-OGLWMUH", "SC1-C-NWACPAX")


# The calendar


def test_a_month_holds_each_of_its_days_once_and_leads_to_the_deals_of_those_that_have_come(
    client: Browser, at: Callable[[str], None]
) -> None:
    at("2026-11-18T12:00:00+02:00")
    page = client.open("/daily")
    for number, table in enumerate(page.root.all("table")):
        days = [cell for cell in table.all("td") if cell.text]
        assert [int(cell.text) for cell in days] == list(range(1, 31))
        leads = [cell.all("a")[0]["href"] if cell.all("a") else None for cell in days]
        assert leads[:18] == [deals(f"2026-11-{day:02}")[number] for day in range(1, 19)]
        assert leads[18:] == [None] * 12
        now = [link for cell in days for link in cell.all("a") if "aria-current" in link.attributes]
        assert [link.text for link in now] == ["18"]
        # 1 November 2026 is a Sunday, the last day of its week.
        first_week = table.all("tbody")[0].all("tr")[0].all("td")
        assert [cell.text for cell in first_week] == [""] * 6 + ["1"]


def test_the_months_lead_to_one_another_from_the_first_day_to_today(client: Browser, at: Callable[[str], None]) -> None:
    at("2027-02-03T12:00:00+02:00")
    address, seen = "/daily", []
    while True:
        page = client.open(address)
        months = page.root.all("nav", **{"aria-label": "Kuukaudet"})[0].all("a")
        seen.append(page.root.all("h2", id="month")[0].text)
        assert [link["rel"] for link in months if link["rel"] == "next"] == (["next"] if len(seen) > 1 else [])
        before = [link["href"] for link in months if link["rel"] == "prev"]
        if not before:
            break
        address = before[0]
    assert len(seen) == 14
    assert (seen[0], seen[-1]) == ("Helmikuu 2027", "Tammikuu 2026")
    assert address == f"/daily/{FIRST_DAY:%Y-%m}"
    assert len(cells(page)) == 2 * 31
    assert all(cell.all("a") for cell in cells(page))


def test_todays_month_has_an_address_of_its_own_too(client: Browser, at: Callable[[str], None]) -> None:
    at("2026-11-18T12:00:00+02:00")
    assert client.open("/daily/2026-11").text == client.open("/daily").text


BAD_MONTHS = [
    *("2026-13", "2026-00", "2026-1", "2026-011", "26-11", "2026", "2026-11-30", "x", "-", "2026_11", " 2026-11"),
    *("2025-12", "2026-12", "9999-12", "0000-01", "0001-01", "\u0662\u0660\u0662\u0666-11", "2026-11\n", "\x00"),
    "9" * 2000,
]


@pytest.mark.parametrize("month", BAD_MONTHS)
def test_a_month_without_deals_is_not_there(client: Browser, at: Callable[[str], None], month: str) -> None:
    at("2026-11-30T12:00:00+02:00")
    assert client.get(f"/daily/{quote(month, safe='')}").status_code == 404


# My marks


def test_what_i_played_and_won_is_marked_and_no_one_elses(either_site: Site) -> None:
    either_site.app.state.clock = NOON.timestamp
    client, other = either_site.browser(), either_site.browser("en")
    code = daily_code(CLASSIC, "2026-11-17").text
    page = client.press(client.open(f"/play/{code}"), "deal")
    mine = client.open("/daily")
    assert marks(mine) == {code: "played"}
    assert "17 , pelattu" in mine.text
    assert marks(other.open("/daily")) == {}
    client.press(page, "undo")
    assert marks(client.open("/daily")) == {code: "played"}
    client.begin(daily_code(FOUR_SUITS, "2026-11-16").text)
    assert marks(client.open("/daily")) == {code: "played"}
    assert marks(client.open("/daily/2026-10")) == {}


def marks(page: Page) -> dict[str, str]:
    """Return the marks of a calendar, by the codes of their deals."""
    links = [link for cell in cells(page) for link in cell.all("a") if "class" in link.attributes]
    return {link["href"].removeprefix("/play/"): link["class"] for link in links}


def test_a_won_deal_stays_won_whatever_a_later_attempt_comes_to(either_site: Site) -> None:
    """A game's win is a matter of its position; here one is put there."""
    from sqlalchemy import update

    from app.store.schema import game

    either_site.app.state.clock = NOON.timestamp
    client = either_site.browser()
    code = daily_code(CLASSIC, "2026-11-30").text
    client.play(client.begin(code), "deal")
    with either_site.engine.begin() as connection:
        connection.execute(update(game).values(position=",,,,,,/0000000//SHDC"))
    assert marks(client.open("/daily")) == {code: "won"}
    client.play(client.begin(code), "deal")
    page = client.open("/daily")
    assert marks(page) == {code: "won"}
    assert page.root.all("strong", **{"class": "mark won"})[0].text == "voitettu"


def test_a_daily_deal_begun_a_minute_before_midnight_counts_for_that_day(
    client: Browser, at: Callable[[str], None]
) -> None:
    """#68: whenever it is finished."""
    at("2026-11-29T23:59:00+02:00")
    address = todays(client.open("/daily"))[1]
    page = client.press(client.open(address), "deal")
    at("2026-11-30T00:05:00+02:00")
    client.press(page, page.legal[0])
    shown = client.open("/daily")
    assert marks(shown) == {address.removeprefix("/play/"): "played"}
    assert address == deals("2026-11-29")[1]
    assert not shown.root.all("ul", **{"class": "daily"})[0].all("strong")


# Looking


@pytest.mark.parametrize("language", LANGUAGES)
def test_looking_at_the_calendar_writes_nothing_and_is_read_in_either_language(
    site: Site, at: Callable[[str], None], language: str
) -> None:
    at("2026-11-30T12:00:00+02:00")
    client, before = site.browser(language), site.rows
    page = client.open("/daily")
    assert page.language == language
    assert {"fi": "Tänään 30. marraskuuta", "en": "Today, 30 November"}[language] in page.text
    assert {"fi": "Marraskuu 2026", "en": "November 2026"}[language] in page.text
    assert client.open("/").root.all("a", href="/daily")
    assert client.cookie is None
    assert site.rows == before


def test_every_day_has_deals_of_its_own() -> None:
    days = [(FIRST_DAY + timedelta(days=number)).isoformat() for number in range(1000)]
    assert len({deal for day in days for deal in deals(day)}) == 2000
    assert date.fromisoformat(days[0]) == FIRST_DAY
