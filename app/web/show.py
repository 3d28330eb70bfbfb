"""What the modules of pages share: how a page is shown, and in which time zone."""

from datetime import datetime
from zoneinfo import ZoneInfo

from fastapi import Request
from starlette.responses import HTMLResponse

from app.web.sharing import site_of
from app.web.visitor import Visitor

GET = ["GET", "HEAD"]
"""How a page is asked for: crawlers and link checkers ask with HEAD what they would GET."""


def show(visitor: Visitor, request: Request, template: str, code: int = 200, /, **values: object) -> HTMLResponse:
    """Return a page, with its visitor's settings, its address, and where its switch of languages leads back to."""
    path = request.url.path
    usual = {"settings": visitor.settings, "back": path, "here": f"{site_of(request.scope)}{path}"}
    page = visitor.view.page(template, **{**usual, **values})
    return HTMLResponse(page, code)


def zone(request: Request) -> ZoneInfo:
    """Return the server's time zone: in it a day begins, and times are told."""
    return ZoneInfo(request.app.state.settings.timezone)


def told_at(request: Request, milliseconds: int) -> datetime:
    """Return a kept time as one of the server's time zone."""
    return datetime.fromtimestamp(milliseconds / 1000, zone(request))
