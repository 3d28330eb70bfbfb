"""Sharing a deal: the address that a friend needs, what a chat shows beside it, and the picture there (issue 6)."""

import re
from functools import partial

from fastapi import APIRouter
from starlette.datastructures import Headers
from starlette.responses import RedirectResponse, Response
from starlette.types import Scope

from app.web.i18n import LOCALES
from app.web.preview import HEIGHT, WIDTH, deal_picture
from app.web.requests import canonical

router = APIRouter(include_in_schema=False)

page = partial(router.api_route, methods=["GET", "HEAD"])

PICTURE_KEPT = "public, max-age=2592000"
"""A code deals the same cards for ever, but how they are drawn may change: a month is kept."""

_HOST = re.compile(r"[a-z0-9.-]+(:[0-9]{1,5})?|\[[0-9a-f:.]+\](:[0-9]{1,5})?", re.IGNORECASE)


def site_of(scope: Scope) -> str:
    """Return the address of this site as the reader's browser knows it, without a slash at its end.

    A ``Host`` that is no name of a machine gives the name by which the server knows itself.
    """
    host = Headers(scope=scope).get("host", "")
    if not _HOST.fullmatch(host):
        name, port = scope.get("server") or ("localhost", None)
        host = f"{name}:{port}" if port else str(name)
    return f"{scope['scheme']}://{host}"


def preview(language: str, site: str) -> dict[str, object]:
    """Return what ``preview.html`` and ``share.html`` need beside a game and its code."""
    return {
        "site": site,
        "picture_size": (WIDTH, HEIGHT),
        "locale": LOCALES[language],
        "other_locales": [locale for other, locale in LOCALES.items() if other != language],
    }


@page("/play/{code}/picture.png")
def picture(code: str) -> Response:
    """Show the cards of a deal as a picture, the hidden ones as backs."""
    deal = canonical(code)
    if code != deal.text:
        return RedirectResponse(f"/play/{deal.text}/picture.png", 301)
    return Response(deal_picture(deal), media_type="image/png", headers={"Cache-Control": PICTURE_KEPT})
