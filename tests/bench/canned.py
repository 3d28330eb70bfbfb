"""The program with canned answers: what it once answered to a move onto a column it answers again, unasked.

A page that plays there and back between the same two columns can tell it by nothing but the time that it takes.
"""

import sys

from fastapi import FastAPI
from starlette.types import ASGIApp, Message, Receive, Scope, Send

import app.main
from app.__main__ import main
from app.settings import Settings
from app.web.requests import read_body, read_form


class Canned:
    """The ASGI application around the application."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._kept: dict[str, list[Message]] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a move from what is kept, or let it be made and keep what is answered."""
        if scope["type"] != "http" or scope["method"] != "POST":
            await self._app(scope, receive, send)
            return
        body = await read_body(receive)
        onto = read_form(body).get("onto", "")
        if onto not in self._kept:
            kept: list[Message] = []

            async def once() -> Message:
                return {"type": "http.request", "body": body, "more_body": False}

            async def keep(message: Message) -> None:
                kept.append(message)
                await send(message)

            await self._app(scope, once, keep)
            self._kept[onto] = kept
            return
        for message in self._kept[onto]:
            await send(message)


def app_with_canned_answers() -> FastAPI:
    """Return the application that the environment asks for, inside a tin."""
    application = app.main.create_app(Settings.from_environment())
    application.add_middleware(Canned)
    return application


if __name__ == "__main__":
    # The command line finds the factory by its name, so the server is run exactly as `serve` runs it, by one worker.
    app.main.app_from_environment = app_with_canned_answers
    sys.exit(main(["serve"]))
