"""Errors: each has a status and a sentence, and is shown as a page, a line on the table, or a problem in JSON."""

from collections.abc import Mapping
from typing import Any

from starlette.datastructures import Headers
from starlette.responses import HTMLResponse, JSONResponse, Response

from app.service import DEFAULTS
from app.web.i18n import negotiated
from app.web.render import view
from app.web.words import N_

SENTENCES = {
    400: N_("The request could not be read."),
    403: N_("This was sent from another site, so it was not done."),
    404: N_("There is no such page."),
    405: N_("That cannot be done here."),
    409: N_("This table was out of date, so nothing was done. Here is how it stands now."),
    413: N_("The request is too large."),
    422: N_("Something in the request was missing or was not understood."),
    500: N_("Something went wrong here. Nothing that was confirmed is lost."),
    503: N_("The server cannot write just now. Nothing that was confirmed is lost; try again in a moment."),
}


class Fault(Exception):
    """A request that is answered with an error.

    ``sentence`` is a message of the catalogues; ``more`` goes into the JSON of the problem beside its standard members.
    """

    def __init__(self, status: int, sentence: str = "", more: Mapping[str, Any] | None = None) -> None:
        super().__init__(sentence or status)
        self.status = status
        self.sentence = sentence or SENTENCES.get(status, SENTENCES[500 if status >= 500 else 400])
        self.more = dict(more or {})


def fault_response(fault: Fault, path: str, headers: Headers, language: str | None = None) -> Response:
    """Return the answer to a faulty request, as its sender can show it: JSON, a line for the table, or a page."""
    shown = view(language or negotiated(headers.get("accept-language", "")))
    sentence = shown.words.gettext(fault.sentence)
    if path.startswith("/api"):
        return problem(fault.status, sentence, fault.more)
    if "hx-request" in headers:
        page = shown.fault(sentence)
    else:
        page = shown.page(
            "error.html", sentence=sentence, status=fault.status, back=path, typed=None, settings=DEFAULTS
        )
    return HTMLResponse(page, fault.status, {"Retry-After": "5"} if fault.status == 503 else None)


def problem(status: int, sentence: str, more: Mapping[str, Any] | None = None) -> Response:
    """Return an error as ``application/problem+json`` (RFC 9457)."""
    body = {"type": "about:blank", "title": sentence, "status": status, **(more or {})}
    return JSONResponse(
        body, status, {"Retry-After": "5"} if status == 503 else None, media_type="application/problem+json"
    )
