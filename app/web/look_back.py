"""Looking back: a game stepped through action by action, by its player or by whoever was given its address.

Every step is a page of its own, which asks the engine what happened there; script takes its table from it.
"""

import re
from functools import partial

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.engine.game import last_step
from app.engine.moves import Command
from app.engine.play import action_of
from app.service import Saved, looked_back
from app.web.errors import Fault
from app.web.render import latest_moved
from app.web.requests import read_form, read_game_id
from app.web.sharing import site_of
from app.web.show import GET, show
from app.web.visitor import TheService, TheVisitor, Visitor, device_of, service_of
from app.web.words import N_, Words

router = APIRouter(include_in_schema=False)

page = partial(router.api_route, methods=GET)

ONLY_WON = N_("Only a game that is won can be shared.")

_STEP = re.compile("[0-9]{1,9}")
_TOKEN = re.compile("[A-Za-z0-9_-]{22}")


def _read_step(text: str, made: int) -> int:
    """Return the number of a step, the deal being 0; raises a 404 for what names no step of a game."""
    if not _STEP.fullmatch(text) or int(text) > made:
        raise Fault(404)
    return int(text)


@page("/games/{game_id}/look-back")
def look_back(game_id: str, request: Request, service: TheService, visitor: TheVisitor, at: str = "0") -> Response:
    """Show a step of one of my games; anyone else's leads to its deal, and tells no more."""
    saved = service.game(read_game_id(game_id))
    if saved is None:
        raise Fault(404)
    if not visitor.plays(saved):
        return RedirectResponse(f"/play/{saved.code.text}", 303)
    return _step(request, visitor, saved, at, mine=True)


@page("/replay/{token}")
def replay(token: str, request: Request, service: TheService, visitor: TheVisitor, at: str = "0") -> Response:
    """Show a step of a game that its player shares, and nothing of the player."""
    saved = service.replay(token) if _TOKEN.fullmatch(token) else None
    if saved is None:
        raise Fault(404)
    return _step(request, visitor, saved, at, mine=False)


def _step(request: Request, visitor: Visitor, saved: Saved, at: str, *, mine: bool) -> Response:
    total = saved.game.made
    step = _read_step(at, total)
    past = looked_back(saved, step)
    return show(
        visitor,
        request,
        "look_back.html",
        saved=past,
        game=past.game,
        code=saved.code.text,
        total=total,
        shareable=saved.game.won,
        mine=mine,
        moved=latest_moved(past.game),
        told=_told(visitor.view.words, past),
        path=request.url.path,
        back=f"{request.url.path}?at={step}" if step else request.url.path,
    )


def _told(words: Words, past: Saved) -> str:
    """Return in words what the latest action of a game did."""
    if not past.game.made:
        return words.gettext("The cards as they were dealt.")
    before, step = last_step(past.game)
    action = action_of(before, past.game.word(past.game.made - 1))
    told = words.result(action, step.events)
    sentences = [words.gettext("The stock was dealt.")] if action is Command.DEAL else []
    sentences += [told, words.points(step.points)] if step.points else [told]
    return " ".join(sentences)


@router.post("/games/{game_id}/go-on")
async def go_on(game_id: str, request: Request) -> Response:
    """Begin another attempt at a step of one of my games, and lead to it."""
    device = device_of(request.app, request.headers)
    at = read_form(await request.body()).get("at", "")
    if not _STEP.fullmatch(at):
        raise Fault(422)
    code = await service_of(request.app).go_on_from(device.id if device else None, read_game_id(game_id), int(at))
    if code is None:
        raise Fault(404)
    return RedirectResponse(f"/play/{code.text}", 303)


@page("/games/{game_id}/share")
def sharing(game_id: str, request: Request, service: TheService, visitor: TheVisitor) -> Response:
    """Show whether one of my games is shared to be looked at, and where; anyone else's leads to its deal."""
    saved = service.game(read_game_id(game_id))
    if saved is None:
        raise Fault(404)
    if not visitor.plays(saved):
        return RedirectResponse(f"/play/{saved.code.text}", 303)
    token = service.token(saved.id)
    shared = f"{site_of(request.scope)}/replay/{token}" if token else None
    return show(visitor, request, "share_replay.html", saved=saved, shared=shared)


@router.post("/games/{game_id}/share")
async def share(game_id: str, request: Request) -> Response:
    """Share one of my games, which is won, to be looked at."""
    service, device = service_of(request.app), device_of(request.app, request.headers)
    if not await service.share(device.id if device else None, read_game_id(game_id)):
        raise Fault(404, ONLY_WON)
    return RedirectResponse(f"/games/{game_id}/share", 303)


@router.post("/games/{game_id}/withdraw")
async def withdraw(game_id: str, request: Request) -> Response:
    """Share one of my games no more: its address is as if it had never been."""
    service, device = service_of(request.app), device_of(request.app, request.headers)
    if not await service.withdraw(device.id if device else None, read_game_id(game_id)):
        raise Fault(404)
    return RedirectResponse(f"/games/{game_id}/share", 303)
