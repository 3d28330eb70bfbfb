"""The pages that show something, and the small forms on them."""

import secrets
from collections.abc import Mapping
from functools import partial
from urllib.parse import quote

from fastapi import APIRouter, Request
from starlette.responses import RedirectResponse, Response

from app.engine.cards import RUN_LENGTH
from app.engine.codes import InvalidCode, random_code, read_code
from app.engine.game import UNDO_LIMIT
from app.engine.games import GAMES
from app.engine.games.scorpion import CLASSIC
from app.engine.games.simple_simon import FOUR_SUITS, ONE_SUIT
from app.engine.rules import Rules
from app.service import SETTINGS
from app.web.api import Specification
from app.web.daily import deals_of, today
from app.web.errors import Fault
from app.web.examples import steps_of
from app.web.figures import figures_of
from app.web.i18n import LANGUAGES
from app.web.play import play_page
from app.web.requests import read_form
from app.web.show import show
from app.web.visitor import TheService, TheVisitor, device_of, remember, service_of

router = APIRouter(include_in_schema=False)

# Crawlers and link checkers ask with HEAD what they would GET.
page = partial(router.api_route, methods=["GET", "HEAD"])


def _of_game(game: str) -> list[Rules]:
    """Return the variants of a game in the order in which they are offered; raises a 404 for an unknown game."""
    if not (variants := [rules for rules in GAMES if rules.game == game]):
        raise Fault(404)
    return variants


@page("/")
def home(request: Request, service: TheService, visitor: TheVisitor) -> Response:
    """Go on with the latest game, begin a new one, enter a code."""
    return show(
        visitor,
        request,
        "home.html",
        latest=service.latest(visitor.player),
        games=[FOUR_SUITS, CLASSIC],
        daily=deals_of(today(request)),
        typed=None,
    )


@page("/new/{game}")
def new(game: str, request: Request, service: TheService, visitor: TheVisitor) -> Response:
    """Ask how a new game is to be played; a player's first Simple Simon game is dealt with 1 suit, unasked (SS-2)."""
    variants = _of_game(game)
    if ONE_SUIT in variants and not service.has_played(visitor.player, ONE_SUIT.prefix):
        return _dealt(ONE_SUIT)
    return show(visitor, request, "new.html", variants=variants)


@router.post("/new/{game}")
async def deal(game: str, request: Request) -> Response:
    """Lead to a new random deal of the chosen variant; nothing is written before its first action."""
    variant = read_form(await request.body()).get("variant")
    for rules in _of_game(game):
        if rules.variant == variant:
            return _dealt(rules)
    raise Fault(422)


def _dealt(rules: Rules) -> Response:
    return RedirectResponse(f"/play/{random_code(rules, secrets.randbelow).text}", 303, {"Cache-Control": "no-store"})


@page("/play")
def typed_code(code: str = "") -> Response:
    """Lead from the box for codes to the deal, whose address says what is wrong with a text that is no code."""
    return RedirectResponse(f"/play/{quote(code, safe='')}" if code.strip() else "/", 303)


@page("/play/{code:path}")
def play(code: str, request: Request, service: TheService, visitor: TheVisitor) -> Response:
    """Show a deal, or the player's latest attempt at it; looking writes nothing."""
    try:
        deal = read_code(code)
    except InvalidCode as error:
        sentence = visitor.view.words.code_fault(error.fault)
        return show(visitor, request, "error.html", 404, sentence=sentence, status=404, typed=code[:200])
    if code != deal.text:
        return RedirectResponse(f"/play/{deal.text}", 301)
    saved = service.table(visitor.player, deal)
    response = play_page(request.scope, visitor.view, visitor.player, saved, back=request.url.path)
    remember(request.app, request.scope, response, None, visitor.device if visitor.player else None)
    return response


@page("/rules/{game}")
def rules(game: str, request: Request, visitor: TheVisitor) -> Response:
    """Explain a game; every number on the page is the engine's own."""
    one = _of_game(game)[0]
    points = {kind: one.points.get(kind, 0) for kind in ("moved", "suited", "dealt", "removed", "flipped")}
    return show(
        visitor,
        request,
        f"rules/{game}.{visitor.view.language}.html",
        start=one.start,
        points=points,
        columns=one.layout,
        down=one.down,
        stock=len(one.stock_to),
        places=one.places,
        run=RUN_LENGTH,
        undo_limit=UNDO_LIMIT,
        figures=figures_of(game),
        example=len(steps_of(game)) - 1,
    )


@page("/docs")
def docs(request: Request, visitor: TheVisitor) -> Response:
    """Describe the JSON interface, from its OpenAPI description."""
    app = request.app
    return show(visitor, request, "docs.html", specification=Specification(app.openapi_url, app.openapi()))


@page("/settings")
def settings(request: Request, visitor: TheVisitor) -> Response:
    """Show what a player can set."""
    chosen = visitor.player.language if visitor.player else None
    return show(visitor, request, "settings.html", choices=SETTINGS, chosen_language=chosen)


@router.post("/settings")
async def choose_settings(request: Request) -> Response:
    """Remember the settings that a visitor chose, and show them."""
    form = read_form(await request.body())
    chosen = {name: form.get(name, "") for name in SETTINGS}
    if any(value not in SETTINGS[name] for name, value in chosen.items()):
        raise Fault(422)
    return await _chosen(request, "/settings", form.get("language", ""), chosen)


@router.post("/language")
async def choose_language(request: Request) -> Response:
    """Remember the language that a visitor chose, and lead back."""
    form = read_form(await request.body())
    return await _chosen(request, form.get("back", ""), form.get("language", ""))


async def _chosen(request: Request, back: str, language: str, settings: Mapping[str, str] | None = None) -> Response:
    if language not in LANGUAGES:
        raise Fault(422)
    device = device_of(request.app, request.headers)
    new_device = await service_of(request.app).choose(device.id if device else None, language, settings)
    response = RedirectResponse(_local(back), 303)
    remember(request.app, request.scope, response, new_device, device)
    return response


def _local(address: str) -> str:
    """Return an address of this site, to which a form may lead back; anything else leads to the front page."""
    plain = address.startswith("/") and not address.startswith(("//", "/\\")) and address.isprintable()
    return quote(address, safe="/?=&%-") if plain else "/"
