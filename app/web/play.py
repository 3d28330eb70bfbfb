"""The table: one form, whose every answer is either what changed on the table or, without script, a whole page."""

from collections.abc import Generator
from typing import NamedTuple

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import Receive, Scope, Send

from app.engine.codes import Code
from app.engine.moves import Action, Command, InvalidMove
from app.service import DEFAULTS, Answer, Done, Missing, Outcome, Player, Refused, Saved, Service, Stale
from app.web.errors import SENTENCES, Fault
from app.web.render import NO_MESSAGE, Message, View, latest_moved, legal_groups, moved_cards
from app.web.requests import (
    CHOOSE_A_CARD,
    canonical,
    read_body,
    read_form,
    read_game_id,
    read_nonce,
    read_table_action,
    read_version,
)
from app.web.security import Device
from app.web.sharing import preview, site_of
from app.web.visitor import device_of, player_of, remember, service_of, signer_of, view_for
from app.web.words import N_

NOT_YOURS = N_("This browser has no such game. Load the page again to see the deal.")

REFUSED = N_("The move was refused.")


class Asked(NamedTuple):
    """A request to a table: who asks for what, and how the answer is to be shown."""

    deal: Code
    device: Device | None
    form: dict[str, str]
    language: str
    of_script: bool
    scope: Scope


class _Step:
    """Awaited before each step of an answer: it lets the other requests of the moment come to the same point first.

    Where many move at once, the same code then runs for one after another and stays in the processor's caches, and a
    move takes a fifth less of its time.  It is ``asyncio.sleep(0)`` without a coroutine of its own.
    """

    def __await__(self) -> Generator[None, None, None]:
        yield


_STEP = _Step()


class Table:
    """The endpoint of every action at a table.

    It is plain ASGI, because what FastAPI does around an endpoint costs more than the whole of a move.
    """

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Make an action on a deal's table, or on one of its saved attempts."""
        await _STEP
        app, headers = scope["app"], dict(scope["headers"])
        asked = Asked(
            canonical(scope["path_params"]["code"]),
            signer_of(app).device_in(headers.get(b"cookie", b"").decode("latin-1")),
            read_form(await read_body(receive)),
            headers.get(b"accept-language", b"").decode("latin-1"),
            b"hx-request" in headers,
            scope,
        )
        response, new_device = await _act(app, asked)
        remember(app, scope, response, new_device, asked.device)
        await _STEP
        await response(scope, receive, send)


async def _act(app: Starlette, asked: Asked) -> tuple[Response, int | None]:
    """Return the answer to a request, and the id of the device that it made known, if it did."""
    service = service_of(app)
    try:
        action = read_table_action(asked.form)
        outcome, new_device = await _ask(service, asked, action)
    except InvalidMove as error:
        raise Fault(422) from error
    except Fault as fault:
        if fault.sentence != CHOOSE_A_CARD or asked.of_script:
            raise
        return await run_in_threadpool(_choose_a_card, service, asked), None
    if isinstance(outcome, Missing):
        raise Fault(404, NOT_YOURS)
    return await _respond(asked, action, outcome), new_device


async def _ask(service: Service, asked: Asked, action: Action) -> Answer:
    nonce, game = read_nonce(asked.form.get("nonce", "")), asked.form.get("game", "")
    device_id = asked.device.id if asked.device else None
    if not game:
        return await service.begin(device_id, asked.deal, nonce, action)
    version = read_version(asked.form.get("version", ""))
    return Answer(await service.act(device_id, read_game_id(game), version, nonce, action))


async def _respond(asked: Asked, action: Action, outcome: Done | Refused | Stale) -> Response:
    shown = view_for(outcome.player, asked.language)
    if asked.of_script:
        legal = legal_groups(outcome.saved.game)
        await _STEP
        status, message = _told(shown, action, outcome)
        return HTMLResponse(_answer(shown, action, outcome, legal, message), status)
    if isinstance(outcome, Done):
        return RedirectResponse(f"/play/{asked.deal.text}", 303)
    status, message = _told(shown, action, outcome)
    return play_page(asked.scope, shown, outcome.player, outcome.saved, message, back=_back(asked), status=status)


def _answer(shown: View, action: Action, outcome: Done | Refused | Stale, legal: str, message: Message) -> str:
    """Return what the table shows anew: what an action changed, or all of it where the page may know less."""
    saved = outcome.saved
    if isinstance(outcome, Done) and outcome.before:
        undone = action is Command.UNDO
        start = saved.game.position if undone else outcome.before.position
        return shown.answer(saved, outcome.before, moved_cards(start, outcome.events, undone=undone), legal, message)
    before = saved.game if isinstance(outcome, Refused) else None
    return shown.answer(saved, before, latest_moved(saved.game), legal, message)


def _told(shown: View, action: Action, outcome: Outcome) -> tuple[int, Message]:
    """Return the status of an answer and its message."""
    words = shown.words
    match outcome:
        case Done():
            return 200, Message(words.result(action, outcome.events), "result")
        case Refused() if outcome.player.settings["rules"] == "off":
            return 422, Message(words.gettext(REFUSED), "quiet")
        case Refused():
            what = words.refused(outcome.rule, outcome.saved.game.position, action)
            return 422, Message(what, "refused", words.rule(outcome.rule))
        case Stale():
            return 409, Message(words.gettext(SENTENCES[409]), "notice")
    raise TypeError(outcome)


def _choose_a_card(service: Service, asked: Asked) -> Response:
    player = player_of(service, asked.device)
    shown = view_for(player, asked.language)
    message = Message(shown.words.gettext(CHOOSE_A_CARD), "notice")
    saved = service.table(player, asked.deal)
    return play_page(asked.scope, shown, player, saved, message, back=_back(asked), status=422)


def _back(asked: Asked) -> str:
    return f"/play/{asked.deal.text}"


def play_page(
    scope: Scope,
    shown: View,
    player: Player | None,
    saved: Saved,
    message: Message = NO_MESSAGE,
    *,
    back: str,
    status: int = 200,
) -> Response:
    """Return the whole page of a table."""
    settings = player.settings if player else DEFAULTS
    page = shown.page(
        "play.html",
        settings=settings,
        saved=saved,
        game=saved.game,
        code=saved.code.text,
        moved=latest_moved(saved.game),
        outcome=message,
        back=back,
        **preview(shown.language, site_of(scope)),
    )
    return HTMLResponse(page, status)


async def restart(request: Request) -> Response:
    """Begin another attempt at a deal; the earlier ones stay among the saved games (G-8)."""
    deal, device = canonical(request.path_params["code"]), device_of(request.app, request.headers)
    await service_of(request.app).restart(device.id if device else None, deal)
    return RedirectResponse(f"/play/{deal.text}", 303)


routes: list[BaseRoute] = [
    Route("/play/{code}", Table(), methods=["POST"]),
    Route("/play/{code}/restart", restart, methods=["POST"]),
]
