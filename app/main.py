"""Where the parts are joined: the only place that knows them all."""

import gc
import logging
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from sqlalchemy.exc import SQLAlchemyError
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.service import Service
from app.settings import ROOT, Settings
from app.store.database import answers, migrate, open_database, signing_key
from app.store.writer import Unavailable, Writer
from app.web import (
    api,
    daily,
    examples,
    explained,
    look_back,
    my_data,
    my_games,
    pages,
    play,
    sharing,
    statistics,
)
from app.web.errors import Fault, fault_response
from app.web.guard import HEADERS, Guard
from app.web.render import static_digest
from app.web.security import Signer
from app.web.visitor import device_of, player_of, service_of

log = logging.getLogger(__name__)

FOR_EVER = "public, max-age=31536000, immutable"

MISTAKES_SHOWN = 20
"""How many mistakes in a request its answer lists at most."""


class Static(StaticFiles):
    """Static files, which browsers may keep for ever when their address holds the digest of what is here now."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return the answer for a file, whose path begins with a folder for the digest."""
        digest, _, name = path.partition("/")
        response = await super().get_response(name, scope)
        response.headers["Cache-Control"] = FOR_EVER if digest == static_digest() else "no-cache"
        return response


def create_app(settings: Settings) -> FastAPI:
    """Return the application of these settings; its database is opened when it starts."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        engine = open_database(settings.database_url)
        migrate(engine)
        writer = Writer(engine)
        app.state.engine = engine
        app.state.service = Service(engine, writer)
        app.state.signer = Signer(settings.secret_key or signing_key(engine))
        # What was made while starting stays: the collector of garbage need not go over it again and again.
        gc.collect()
        gc.freeze()
        yield
        writer.close()
        engine.dispose()

    # The interactive pages that FastAPI brings would load their script from another site: /docs is our own.
    app = FastAPI(
        title="Pasianssi",
        description="Simple Simon and Scorpion as JSON.",
        version="1",
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url="/api/openapi.json",
        # Nothing about players goes anywhere else, and to ask with each request whether it should takes time.
        telemetry={"tracing": False, "metrics": False, "logs": False, "auto_configure": False},
    )
    app.state.settings = settings
    app.state.clock = time.time
    app.add_middleware(Guard, body_limit=settings.body_limit, larger={my_data.IMPORT: my_data.IMPORT_LIMIT})
    app.router.routes.extend(play.routes)
    for module in (sharing, pages, my_games, look_back, my_data, statistics, daily, examples, explained):
        app.include_router(module.router)
    app.include_router(api.router)
    app.mount("/static", Static(directory=Path(ROOT, "static")), name="static")
    app.add_api_route("/healthz", _healthz, include_in_schema=False)
    app.add_exception_handler(Fault, _fault)
    app.add_exception_handler(HTTPException, _http_exception)
    app.add_exception_handler(RequestValidationError, _malformed)
    app.add_exception_handler(Unavailable, _unavailable)
    app.add_exception_handler(SQLAlchemyError, _unavailable)
    app.add_exception_handler(ClientDisconnect, _gone)
    app.add_exception_handler(Exception, _broken)
    return app


def app_from_environment() -> FastAPI:
    """Return the application that the environment asks for: what uvicorn calls in each of its processes."""
    return create_app(Settings.from_environment())


def _healthz(request: Request) -> JSONResponse:
    """Say whether the program is alive and the database answers."""
    answers(request.app.state.engine)
    return JSONResponse({"status": "ok"})


async def _respond(request: Request, fault: Fault) -> Response:
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
    return await _respond(request, error)


async def _http_exception(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    response = await _respond(request, Fault(error.status_code))
    response.headers.update(error.headers or {})
    return response


async def _malformed(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    # A body can hold thousands of mistakes, and a field's name can be as long as the body.
    where = [{"at": "/".join(map(str, one["loc"]))[:200], "why": one["msg"]} for one in error.errors()[:MISTAKES_SHOWN]]
    return await _respond(request, Fault(422, more={"errors": where}))


def _unavailable(request: Request, error: Exception) -> Response:
    log.error("the database does not answer: %s", error)
    return fault_response(Fault(503), request.url.path, request.headers)


def _gone(request: Request, error: Exception) -> Response:
    """Answer a client that hung up in the middle of its request: nobody hears it, and nothing is wrong here."""
    return Response(status_code=400)


async def _broken(request: Request, error: Exception) -> Response:
    response = await _respond(request, Fault(500))
    response.raw_headers.extend(HEADERS)  # What answers here stands outside the guard.
    return response
