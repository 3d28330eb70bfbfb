"""My games: the list of them, one of them, and their deletion, which can be undone."""

from datetime import datetime
from functools import partial
from urllib.parse import urlencode

from fastapi import APIRouter, Request
from markupsafe import Markup
from starlette.responses import RedirectResponse, Response

from app.service import Listed
from app.web.errors import Fault
from app.web.picture import picture
from app.web.play import play_page
from app.web.render import HOLES, View
from app.web.requests import read_form, read_game_id
from app.web.show import GET, show, told_at
from app.web.visitor import TheService, TheVisitor, device_of, service_of

router = APIRouter(include_in_schema=False)

page = partial(router.api_route, methods=GET)

SHOWN: dict[str, bool | None] = {"": None, "unfinished": False, "won": True}
"""The views of the list, and what each shows: all games, those that are not won, or those that are."""


@page("/games")
def my_games(
    request: Request,
    service: TheService,
    visitor: TheVisitor,
    before: str = "",
    shown: str = "",
    deleted: str = "",
) -> Response:
    """List my games, newest first, each with a picture of its table."""
    if shown not in SHOWN:
        raise Fault(404)
    here = Markup(visitor.view.piece("game_row.html", "here", shown, before))
    found, more = service.listed(visitor.player, read_game_id(before) if before else None, SHOWN[shown])
    return show(
        visitor,
        request,
        "games.html",
        games=[_row(visitor.view, one, told_at(request, one.played), here) for one in found],
        here=here,
        older=_address(shown, f"{more:x}") if more else None,
        shown=shown,
        before=before,
        addresses={view: _address(view) for view in SHOWN},
        deleted=deleted if deleted and service.is_deleted(visitor.player, read_game_id(deleted)) else None,
        back=_address(shown, before),
    )


def _row(view: View, one: Listed, played: datetime, here: Markup) -> Markup:
    """Return one game of the list.  Every value is a number or made of our own words, so that none needs escaping."""
    words, rules = view.words, one.code.rules
    values = {
        "picture": picture(one.position, rules.places),
        "id": f"{one.id:x}",
        "name": f"{words.game(rules)}, {words.choice(rules)}",
        "runs": len(one.position.runs),
        "places": rules.places,
        "score": words.number(one.score),
        "moves": one.made,
        "time": played.isoformat(timespec="seconds"),
        "when": words.when(played),
        "code": one.code.text,
        "attempt": one.attempt,
        "here": here,
    }
    return Markup(view.shape("game_row.html", "row", HOLES, one.won, one.attempt > 1) % values)


def _address(shown: str, before: str = "", deleted: str = "") -> str:
    """Return the address of a page of the list."""
    asked = {"shown": shown, "before": before, "deleted": deleted}
    query = urlencode({name: value for name, value in asked.items() if value})
    return f"/games?{query}" if query else "/games"


@page("/games/{game_id}")
def one_game(game_id: str, request: Request, service: TheService, visitor: TheVisitor) -> Response:
    """Show one of my games; anyone else's leads to its deal, and tells no more."""
    saved = service.game(read_game_id(game_id))
    if saved is None:
        raise Fault(404)
    if not visitor.plays(saved):
        return RedirectResponse(f"/play/{saved.code.text}", 303)
    return play_page(request.scope, visitor.view, visitor.player, saved, back=request.url.path)


@router.post("/games/{game_id}/delete")
async def delete(game_id: str, request: Request) -> Response:
    """Delete one of my games, and lead back to the list, which offers to undo that."""
    device = device_of(request.app, request.headers)
    shown, before = await _place(request)
    if not await service_of(request.app).delete(device.id if device else None, read_game_id(game_id)):
        raise Fault(404)
    return RedirectResponse(_address(shown, before, game_id), 303)


@router.post("/games/{game_id}/bring-back")
async def bring_back(game_id: str, request: Request) -> Response:
    """Undo the deletion of one of my games, and lead back to the list."""
    device = device_of(request.app, request.headers)
    shown, before = await _place(request)
    if not await service_of(request.app).bring_back(device.id if device else None, read_game_id(game_id)):
        raise Fault(404)
    return RedirectResponse(_address(shown, before), 303)


async def _place(request: Request) -> tuple[str, str]:
    """Return the place in the list that a form was sent from: its view, and the id that its page begins before."""
    form = read_form(await request.body())
    shown, before = form.get("shown", ""), form.get("before", "")
    if shown not in SHOWN:
        raise Fault(422)
    if before:
        read_game_id(before)
    return shown, before
