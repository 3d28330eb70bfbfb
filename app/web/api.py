"""The same games as JSON (spec "JSON")."""

import secrets
from collections.abc import Sequence
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Body, Request
from pydantic import BaseModel, ConfigDict, Field, StrictInt
from starlette.responses import JSONResponse, Response

from app.engine.cards import NAMES, names
from app.engine.codes import Code, InvalidCode, parse_code, random_code
from app.engine.games import GAMES
from app.engine.moves import Action, Auto, Command, InvalidMove, Move
from app.engine.play import Dealt, Event, Flipped, Moved, Removed, legal
from app.engine.position import Position
from app.engine.rules import Rules
from app.service import Missing, Refused, Saved, Stale
from app.web.errors import Fault, problem
from app.web.requests import read_game_id
from app.web.visitor import TheService, TheVisitor, device_of, remember, service_of, view_for

router = APIRouter(prefix="/api", tags=["games"])

Index = Annotated[StrictInt, Field(ge=0)]
Version = Annotated[StrictInt, Field(ge=0, le=999_999_999)]
Nonce = Annotated[str, Field(pattern=r"^[!-~]{1,48}$")]


class _Asked(BaseModel):
    model_config = ConfigDict(extra="forbid", populate_by_name=True)


class ByCode(_Asked):
    """A new attempt at one deal."""

    code: str


class RandomSimpleSimon(_Asked):
    """A random deal of Simple Simon."""

    game: Literal["simple-simon"]
    suits: Literal[1, 2, 4]


class RandomScorpion(_Asked):
    """A random deal of Scorpion."""

    game: Literal["scorpion"]
    rules: Literal["classic", "relaxed"] = "classic"


class _Wish(_Asked):
    version: Version
    nonce: Nonce | None = None


class MoveWish(_Wish):
    """The cards of column ``from`` from index ``at`` to its end go onto column ``to``."""

    action: Literal["move"]
    source: Index = Field(alias="from")
    at: Index
    target: Index = Field(alias="to")


class AutoWish(_Wish):
    """The same cards go to their best column: what a double tap does."""

    action: Literal["auto"]
    source: Index = Field(alias="from")
    at: Index


class CommandWish(_Wish):
    """The stock is dealt, the latest action is taken back, or one that was is made again."""

    action: Literal["deal", "undo", "redo"]


NewGame = ByCode | RandomSimpleSimon | RandomScorpion
AnyWish = Annotated[MoveWish | AutoWish | CommandWish, Field(discriminator="action")]


class Problem(BaseModel):
    """An error, by RFC 9457; ``rule`` names the rule that refused a move, ``game`` is the table as it stands."""

    type: str
    title: str
    status: int
    rule: str | None = None
    game: dict[str, Any] | None = None


class DealShown(BaseModel):
    """A deal: its columns from the most covered card to the end, ``??`` for a face-down card."""

    code: str
    game: str
    suits: int | None = None
    rules: str | None = None
    columns: list[list[str]]
    stock: int
    legal: list[tuple[int, int, int]]


class GameShown(DealShown):
    """A game; ``events`` are those of the action that was asked for."""

    id: str
    version: int
    status: Literal["playing", "won"]
    score: int
    moves: int
    undo: int
    redo: int
    runs: list[str]
    events: list[dict[str, Any]]


class GamesShown(BaseModel):
    """A page of games, newest first, and the id to ask for the next page with."""

    games: list[GameShown]
    next: str | None


# Named as a model, it would be described as application/json too.
_PROBLEM: dict[str, Any] = {"content": {"application/problem+json": {"schema": Problem.model_json_schema()}}}
MAY_FAIL: dict[int | str, dict[str, Any]] = dict.fromkeys((404, 413, 422, 503), _PROBLEM)


def _choice(rules: Rules) -> dict[str, Any]:
    name, value = rules.choice
    return {"game": rules.game, name: value}


def _table(rules: Rules, position: Position) -> dict[str, Any]:
    return {
        "columns": position.names(),
        "stock": len(position.stock),
        "legal": [list(move) for move in legal(rules, position)],
    }


def game_as_json(saved: Saved, events: Sequence[Event] = ()) -> dict[str, Any]:
    """Return a game as its player sees it, face-down cards hidden (G-11), with the events of an action."""
    game = saved.game
    return {
        "id": f"{saved.id:x}",
        "code": saved.code.text,
        **_choice(game.rules),
        "version": saved.version,
        "status": "won" if game.won else "playing",
        "score": game.score,
        "moves": game.made,
        "undo": game.undoable,
        "redo": game.redoable,
        **_table(game.rules, game.position),
        "runs": list(game.position.runs),
        "events": [shown for event in events if (shown := _event(event))],
    }


def _event(event: Event) -> dict[str, Any] | None:
    match event:
        case Moved(source, at, target, cards):
            return {"event": "moved", "from": source, "at": at, "to": target, "cards": names(cards)}
        case Dealt(column, card):
            return {"event": "dealt", "column": column, "card": NAMES[card]}
        case Removed(column, suit):
            return {"event": "removed", "column": column, "suit": suit}
        case Flipped(column, card):
            return {"event": "flipped", "column": column, "card": NAMES[card]}
    return None  # That a card was placed on its own suit shows in the score, and is no fact of the table.


def _code(text: str, status: int) -> Code:
    try:
        return parse_code(text)
    except InvalidCode as error:
        # JSON can name half a surrogate pair, which no answer could hold.
        shown = text[:200].encode("utf-8", "replace").decode()
        raise Fault(status, more={"code": shown, "fault": error.fault}) from error


@router.get("/deals/{code:path}", response_model=DealShown, responses=MAY_FAIL)
def deal(code: str) -> Response:
    """Show the deal of a code. No cookie is needed, and nothing is written."""
    one = _code(code, 404)
    return JSONResponse({"code": one.text, **_choice(one.rules), **_table(one.rules, one.deal())})


@router.post("/games", status_code=201, response_model=GameShown, responses=MAY_FAIL)
async def create(wanted: Annotated[NewGame, Body()], request: Request) -> Response:
    """Begin a new attempt at a deal, or at a random deal of a game."""
    if isinstance(wanted, ByCode):
        code = _code(wanted.code, 422)
    else:
        choice = wanted.suits if isinstance(wanted, RandomSimpleSimon) else wanted.rules
        rules = next(rules for rules in GAMES if rules.game == wanted.game and rules.choice[1] == choice)
        code = random_code(rules, secrets.randbelow)
    device = device_of(request.app, request.headers)
    saved, new_device = await service_of(request.app).create(device.id if device else None, code)
    response = JSONResponse(game_as_json(saved), 201, {"Location": f"/api/games/{saved.id:x}"})
    remember(request.app, request.scope, response, new_device, device)
    return response


@router.get("/games", response_model=GamesShown, responses=MAY_FAIL)
def games(service: TheService, visitor: TheVisitor, before: str | None = None) -> Response:
    """List my games that have an action, newest first."""
    found, more = service.games(visitor.player, read_game_id(before) if before else None)
    return JSONResponse({"games": [game_as_json(one) for one in found], "next": f"{more:x}" if more else None})


@router.get("/games/{game_id}", response_model=GameShown, responses=MAY_FAIL)
def game(game_id: str, service: TheService, visitor: TheVisitor) -> Response:
    """Show one of my games."""
    saved = service.game(read_game_id(game_id))
    if saved is None or visitor.player is None or saved.player_id != visitor.player.id:
        raise Fault(404)
    return JSONResponse(game_as_json(saved))


@router.delete("/games/{game_id}", status_code=204, responses=MAY_FAIL)
async def delete(game_id: str, request: Request) -> Response:
    """Delete one of my games."""
    device = device_of(request.app, request.headers)
    if not await service_of(request.app).delete(device.id if device else None, read_game_id(game_id)):
        raise Fault(404)
    return Response(status_code=204)


@router.post("/games/{game_id}/actions", response_model=GameShown, responses={**MAY_FAIL, 409: _PROBLEM})
async def act(game_id: str, wish: Annotated[AnyWish, Body()], request: Request) -> Response:
    """Make an action on one of my games, at the version that I saw; with a nonce it is not made twice."""
    device = device_of(request.app, request.headers)
    try:
        outcome = await service_of(request.app).act(
            device.id if device else None, read_game_id(game_id), wish.version, wish.nonce, _action(wish)
        )
    except InvalidMove as error:
        raise Fault(422) from error
    if isinstance(outcome, Missing):
        raise Fault(404)
    if isinstance(outcome, Stale):
        raise Fault(409, more={"game": game_as_json(outcome.saved)})
    if isinstance(outcome, Refused):
        words = view_for(outcome.player, request.headers.get("accept-language", "")).words
        sentence = words.rule(outcome.rule)
        return problem(422, sentence, {"rule": outcome.rule, "detail": sentence})
    # What an undo took back is no event: it would name the card that it hid again (G-11).
    events = () if wish.action == "undo" else outcome.events
    response = JSONResponse(game_as_json(outcome.saved, events))
    remember(request.app, request.scope, response, None, device)
    return response


def _action(wish: MoveWish | AutoWish | CommandWish) -> Action:
    match wish:
        case MoveWish():
            return Move(wish.source, wish.at, wish.target)
        case AutoWish():
            return Auto(wish.source, wish.at)
        case CommandWish():
            return Command(wish.action)


class Specification:
    """The OpenAPI description, as the page about the interface reads it."""

    def __init__(self, address: str, description: dict[str, Any]) -> None:
        self.address = address
        self.paths: dict[str, Any] = description["paths"]
        self._schemas: dict[str, Any] = description["components"]["schemas"]

    def shapes(self, schema: dict[str, Any]) -> list[dict[str, Any]]:
        """Return the objects that a schema allows, each with its description, properties and required names."""
        if "$ref" in schema:
            return self.shapes(self._schemas[schema["$ref"].rpartition("/")[2]])
        choices = schema.get("anyOf") or schema.get("oneOf")
        if choices:
            return [shape for choice in choices for shape in self.shapes(choice)]
        return [{"description": "", "required": [], **schema}]

    def type(self, field: dict[str, Any]) -> str:
        """Return in a few words what a field may hold."""
        if "anyOf" in field:
            return " | ".join(self.type(choice) for choice in field["anyOf"])
        values = field.get("enum") or ([field["const"]] if "const" in field else [])
        return " | ".join(repr(value) for value in values) or str(field.get("type", ""))
