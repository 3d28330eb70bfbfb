"""Where the parts are joined: the only place that knows them all."""

import gc
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from fastapi import FastAPI, Request
from starlette.responses import JSONResponse, Response
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from app.service import Service
from app.settings import ROOT, Settings
from app.store.database import answers, migrate, open_database, signing_key
from app.store.writer import Writer
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
from app.web.faults import add_handlers, respond
from app.web.guard import Guard
from app.web.render import static_digest
from app.web.security import Signer

FOR_EVER = "public, max-age=31536000, immutable"


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
        # What was made while starting stays, and a request leaves next to nothing behind for the collector of garbage:
        # looking for it after every 700 objects, as is usual, took a sixth of the time of a move.
        gc.collect()
        gc.freeze()
        gc.set_threshold(20_000)
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
    larger = {my_data.IMPORT: my_data.IMPORT_LIMIT}
    app.add_middleware(Guard, body_limit=settings.body_limit, larger=larger, respond=respond)
    app.router.routes.extend(play.routes)
    for module in (sharing, pages, my_games, look_back, my_data, statistics, daily, examples, explained):
        app.include_router(module.router)
    app.include_router(api.router)
    app.mount("/static", Static(directory=Path(ROOT, "static")), name="static")
    app.add_api_route("/healthz", _healthz, include_in_schema=False)
    add_handlers(app)
    return app


def app_from_environment() -> FastAPI:
    """Return the application that the environment asks for: what uvicorn calls in each of its processes."""
    return create_app(Settings.from_environment())


def _healthz(request: Request) -> JSONResponse:
    """Say whether the program is alive and the database answers."""
    answers(request.app.state.engine)
    return JSONResponse({"status": "ok"})
