"""The program as it is served, with one more address that does nothing: what an empty request costs in it."""

import os
import sys

from fastapi import FastAPI

import app.main
from app.__main__ import main
from app.settings import Settings

NOTHING = "." * 198
"""200 bytes, with the quotation marks of JSON."""


def app_with_empty() -> FastAPI:
    """Return the application that the environment asks for, with ``/empty`` beside its own addresses."""
    application = app.main.create_app(Settings.from_environment())

    @application.get("/empty", include_in_schema=False)
    async def empty() -> str:
        return NOTHING

    # A route that is added last is found last; in the first place it costs a quarter less: the sterner measure.
    application.router.routes.insert(0, application.router.routes.pop())
    return application


if __name__ == "__main__":
    # The core is chosen before the first thread begins, since threads inherit it.
    if (core := os.environ.get("BENCH_CORE")) and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {int(core)})
    # The command line finds the factory by its name, so the server is run exactly as `serve` runs it, by one worker.
    app.main.app_from_environment = app_with_empty
    sys.exit(main(["serve"]))
