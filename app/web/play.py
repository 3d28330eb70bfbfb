"""The table: one form, whose every answer is either what changed on the table or, without script, a whole page."""

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, RedirectResponse, Response

from app.engine.codes import Code
from app.engine.moves import Action, InvalidMove
from app.service import Answer, Done, Missing, Outcome, Player, Refused, Saved, Stale
from app.web.errors import SENTENCES, Fault
from app.web.render import Message, View, changed_columns, table
from app.web.requests import (
    CHOOSE_A_CARD,
    canonical,
    read_form,
    read_game_id,
    read_nonce,
    read_table_action,
    read_version,
)
from app.web.visitor import device_of, remember, service_of, view_for, visitor_of
from app.web.words import N_

router = APIRouter(include_in_schema=False)

NOT_YOURS = N_("This browser has no such game. Load the page again to see the deal.")


NO_MESSAGE = Message()


def play_page(shown: View, saved: Saved, message: Message = NO_MESSAGE, *, back: str, status: int = 200) -> Response:
    """Return the whole page of a table."""
    page = shown.page("play.html", **table(saved), code=saved.code.text, outcome=message, back=back)
    return HTMLResponse(page, status)


async def act(request: Request) -> Response:
    """Make an action on a deal's table, or on one of its saved attempts."""
    deal, device = canonical(request.path_params["code"]), device_of(request)
    form = read_form(await request.body())
    try:
        action = read_table_action(form)
        answer = await _ask(request, deal, device.id if device else None, form, action)
    except InvalidMove as error:
        raise Fault(422) from error
    except Fault as fault:
        if fault.sentence != CHOOSE_A_CARD or "hx-request" in request.headers:
            raise
        return await run_in_threadpool(_choose_a_card, request, deal)
    outcome = answer.outcome
    if isinstance(outcome, Missing):
        raise Fault(404, NOT_YOURS)
    response = _respond(request, deal, action, outcome)
    return remember(request, response, answer.new_device, device)


# A route of Starlette's, since what FastAPI does for its own would cost as much as the whole of a move.
router.add_route("/play/{code}", act, methods=["POST"])


async def _ask(request: Request, deal: Code, device_id: int | None, form: dict[str, str], action: Action) -> Answer:
    nonce, game = read_nonce(form.get("nonce", "")), form.get("game", "")
    service = service_of(request)
    if not game:
        return await service.begin(device_id, deal, nonce, action)
    version = read_version(form.get("version", ""))
    return Answer(await service.act(device_id, read_game_id(game), version, nonce, action))


def _respond(request: Request, deal: Code, action: Action, outcome: Done | Refused | Stale) -> Response:
    player: Player = outcome.player
    shown = view_for(request, player)
    status, message, changed = _told(shown, action, outcome)
    if "hx-request" in request.headers:
        return HTMLResponse(shown.answer(outcome.saved, message, changed), status)
    if isinstance(outcome, Done):
        return RedirectResponse(f"/play/{deal.text}", 303)
    return play_page(shown, outcome.saved, message, back=f"/play/{deal.text}", status=status)


def _told(shown: View, action: Action, outcome: Outcome) -> tuple[int, Message, list[int]]:
    """Return the status of an answer, its message, and the columns that it shows anew."""
    words = shown.words
    match outcome:
        case Done():
            changed = changed_columns(outcome.before, outcome.saved.game.position)
            return 200, Message(words.result(action, outcome.events)), changed
        case Refused():
            detail = words.refused(outcome.rule, outcome.saved.game.position, action)
            return 422, Message(rule=words.rule(outcome.rule), detail=detail), []
        case Stale():
            every = list(range(len(outcome.saved.game.position.columns)))
            return 409, Message(words.gettext(SENTENCES[409]), notice=True), every
    raise TypeError(outcome)


def _choose_a_card(request: Request, deal: Code) -> Response:
    visitor = visitor_of(request)
    saved = service_of(request).table(visitor.player, deal)
    message = Message(visitor.view.words.gettext(CHOOSE_A_CARD), notice=True)
    return play_page(visitor.view, saved, message, back=f"/play/{deal.text}", status=422)


@router.post("/play/{code}/restart")
async def restart(code: str, request: Request) -> Response:
    """Begin another attempt at a deal; the earlier ones stay among the saved games (G-8)."""
    deal, device = canonical(code), device_of(request)
    await service_of(request).restart(device.id if device else None, deal)
    return RedirectResponse(f"/play/{deal.text}", 303)
