"""What answers in an endpoint's stead when one raises: each exception that can come up, and how it is told."""

import logging

from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Match

from app.store.writer import Unavailable
from app.web.errors import Fault, fault_response
from app.web.guard import HEADERS
from app.web.visitor import device_of, player_of, service_of

log = logging.getLogger(__name__)

METHODS = ("GET", "HEAD", "POST", "DELETE")
"""The methods that any address here knows."""

MISTAKES_SHOWN = 20
"""How many mistakes in a request its answer lists at most."""


def add_handlers(app: FastAPI) -> None:
    """Let an application answer every exception in words."""
    app.add_exception_handler(Fault, _fault)
    app.add_exception_handler(HTTPException, _http_exception)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(Unavailable, _unavailable)
    app.add_exception_handler(SQLAlchemyError, _unavailable)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(Exception, _broken)


async def respond(request: Request, fault: Fault) -> Response:
    """Return the answer to a faulty request, in the language that its reader chose."""
    language = await run_in_threadpool(_chosen_language, request)
    return fault_response(fault, request.url.path, request.headers, language)


def _chosen_language(request: Request) -> str | None:
    """Return the language that the reader chose, or None where none was chosen or the database does not say."""
    try:
        player = player_of(service_of(request.app), device_of(request.app, request.headers))
    except SQLAlchemyError:
        return None
    return player.language if player else None


async def _fault(request: Request, error: Exception) -> Response:
    assert isinstance(error, Fault)
    return await respond(request, error)


async def _http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = await respond(request, Fault(error.status_code))
    response.headers.update(error.headers or {})
    if "allow" in response.headers:
        response.headers["allow"] = ", ".join(_allowed(request))
    return response


def _allowed(request: Request) -> list[str]:
    """Return all methods that an address knows: the exception names those of the first of its routes alone."""
    routes = request.app.routes
    return [
        method
        for method in METHODS
        if any(route.matches({**request.scope, "method": method})[0] is Match.FULL for route in routes)
    ]


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    # A body can hold thousands of mistakes, and a field's name can be as long as the body.
    where = [{"at": "/".join(map(str, one["loc"]))[:200], "why": one["msg"]} for one in error.errors()[:MISTAKES_SHOWN]]
    return await respond(request, Fault(422, more={"errors": where}))


def _unavailable(request: Request, error: Exception) -> Response:
    log.error("the database does not answer: %s", error)
    return fault_response(Fault(503), request.url.path, request.headers)


def _gone(request: Request, error: Exception) -> Response:
    """Answer a client that hung up in the middle of its request: nobody hears it, and nothing is wrong here."""
    return Response(status_code=400)


async def _broken(request: Request, error: Exception) -> Response:
    response = await respond(request, Fault(500))
    response.raw_headers.extend(HEADERS)  # What answers here stands outside the guard.
    return response
