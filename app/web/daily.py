"""The deals of the day: the same for all, by the date where the server is, with my marks on a calendar (issue 6)."""

import re
from calendar import Calendar
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import NamedTuple

from babel.dates import format_date, get_day_names
from fastapi import APIRouter, Request
from starlette.responses import Response

from app.engine.codes import Code, daily_code
from app.engine.games.scorpion import CLASSIC
from app.engine.games.simple_simon import FOUR_SUITS
from app.web.errors import Fault
from app.web.show import GET, show, zone
from app.web.visitor import TheService, TheVisitor, Visitor

router = APIRouter(include_in_schema=False)

DAILY = (FOUR_SUITS, CLASSIC)
"""The games that have a deal of the day, in the variant in which it is dealt."""

FIRST_DAY = date(2026, 1, 1)
"""The first day that has a deal: the beginning of the year in which the program was."""

_MONTH = re.compile("([0-9]{4})-(0[1-9]|1[0-2])")


class Day(NamedTuple):
    """A day of a month on the calendar of one game; ``code`` is None on a day that has no deal, or none yet."""

    day: date
    code: Code | None
    mark: str


def today(request: Request) -> date:
    """Return the date in the server's time zone, by the application's one clock."""
    return datetime.fromtimestamp(request.app.state.clock(), zone(request)).date()


def deals_of(day: date) -> list[Code]:
    """Return the deals of a day, one for each game that has them."""
    return [daily_code(rules, day.isoformat()) for rules in DAILY]


def read_month(text: str, last: date) -> date:
    """Return the first day of a month as an address writes it; raises a 404 for one without deals up to ``last``."""
    if match := _MONTH.fullmatch(text):
        month = (int(match[1]), int(match[2]))
        if (FIRST_DAY.year, FIRST_DAY.month) <= month <= (last.year, last.month):
            return date(*month, 1)
    raise Fault(404)


@router.api_route("/daily", methods=GET)
def this_month(request: Request, service: TheService, visitor: TheVisitor) -> Response:
    """Show today's deals, and the calendar of this month."""
    now = today(request)
    return _shown(request, service, visitor, now.replace(day=1), now)


@router.api_route("/daily/{month}", methods=GET)
def one_month(month: str, request: Request, service: TheService, visitor: TheVisitor) -> Response:
    """Show today's deals, and the calendar of a month that is past."""
    now = today(request)
    return _shown(request, service, visitor, read_month(month, now), now)


def _shown(request: Request, service: TheService, visitor: Visitor, month: date, now: date) -> Response:
    days = [day for week in Calendar().monthdatescalendar(month.year, month.month) for day in week]
    deals = {day: deals_of(day) for day in days if day.month == month.month and FIRST_DAY <= day <= now}
    todays = deals_of(now)
    played = service.marks(visitor.player, [code.text for some in [*deals.values(), todays] for code in some])
    language = visitor.view.language
    before, after = month - timedelta(days=1), (month + timedelta(days=31)).replace(day=1)

    def told(day: date, form: str) -> str:
        return str(format_date(day, form, locale=language))

    return show(
        visitor,
        request,
        "daily.html",
        today=now,
        todays=[(code, _mark(code, played)) for code in todays],
        month=month,
        months=[before if before >= FIRST_DAY else None, after if after <= now else None],
        weekdays=[(get_day_names("short", locale=language)[n], get_day_names(locale=language)[n]) for n in range(7)],
        calendars=[(rules, _weeks(days, month, deals, number, played)) for number, rules in enumerate(DAILY)],
        told=told,
    )


def _weeks(
    days: list[date], month: date, deals: Mapping[date, list[Code]], number: int, played: Mapping[str, bool]
) -> list[list[Day | None]]:
    """Return the weeks of a month for the game of a number; a day of another month is None."""
    cells: list[Day | None] = []
    for day in days:
        code = deals[day][number] if day in deals else None
        cells.append(Day(day, code, _mark(code, played) if code else "") if day.month == month.month else None)
    return [cells[at : at + 7] for at in range(0, len(cells), 7)]


def _mark(code: Code, played: Mapping[str, bool]) -> str:
    """Return what came of a deal: ``won``, ``played``, or nothing where it was not played."""
    return {True: "won", False: "played"}[played[code.text]] if code.text in played else ""
