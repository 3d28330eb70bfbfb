"""My data: all my games in one file, the games of such a file, and the deletion of everything.

The file is JSON: ``{"format": "pasianssi", "version": 1, "language", "settings", "games"}``.  A game is ``{"code",
"attempt", "moves", "made", "undo", "begun", "played"}``: its moves from the deal on, those undone at their end, each
``[from, at, to]`` or ``"deal"`` as in the JSON interface; ``made`` of them stand, of which ``undo`` can be taken back;
times are ISO 8601.
"""

import json
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from functools import partial
from tempfile import TemporaryFile
from threading import Lock
from typing import IO, Any

from fastapi import APIRouter, Request
from starlette.concurrency import run_in_threadpool
from starlette.responses import HTMLResponse, Response, StreamingResponse

from app.engine.codes import InvalidCode, parse_code
from app.engine.game import UNDO_LIMIT, WORD, Game, after
from app.engine.moves import Command, InvalidMove, Move
from app.engine.play import Step, history, play
from app.engine.position import Position
from app.engine.replay import read_action
from app.engine.rules import Rules
from app.service import SETTINGS, Kept
from app.store.schema import EPOCH, now_in_milliseconds
from app.web.errors import Fault
from app.web.i18n import LANGUAGES
from app.web.security import COOKIE
from app.web.show import GET, show
from app.web.visitor import TheService, TheVisitor, device_of, remember, service_of, visitor_of
from app.web.words import N_, Words

router = APIRouter(include_in_schema=False)

page = partial(router.api_route, methods=GET)

ADDRESS = "/my-data"

IMPORT = f"{ADDRESS}/import"
"""The one address that hears large bodies."""

IMPORT_LIMIT = 64_000_000
"""The largest file that is brought in, in bytes: what some forty thousand games of 150 moves take."""

FORMAT, VERSION = "pasianssi", 1

NO_FILE = N_("Choose a file first.")
NO_EXPORT = N_("The file is not one that Pasianssi wrote, so nothing was brought in.")
NEWER = N_("The file is of another version than this program reads, so nothing was brought in.")
BUSY = N_("The server is bringing in another file. Try again in a moment.")
WRONG_GAME = N_("Game number %(number)s of the file is not right, so nothing was brought in: %(what)s.")
WRONG_CODE = N_("its code is no game code")
WRONG_COUNT = N_("its numbers do not fit its moves")
WRONG_TIME = N_("its times are not right")
WRONG_MOVE = N_("move %(number)s cannot be made")

MOST_ATTEMPTS = 1_000_000

_one_at_a_time = Lock()


class Unreadable(Exception):
    """A file that cannot be brought in; ``sentence`` is a message of the catalogues, filled with ``values``."""

    def __init__(self, sentence: str, **values: int) -> None:
        super().__init__(sentence)
        self.sentence, self.values = sentence, values


# Out


@page("/my-data")
def my_data(request: Request, visitor: TheVisitor) -> Response:
    """Offer to take all my games out, to bring some in, and to delete everything."""
    return show(visitor, request, "my_data.html", said="", wrong="")


@page("/my-data/export")
def export(service: TheService, visitor: TheVisitor) -> Response:
    """Send all my games as one file."""
    player = visitor.player
    about = {
        "format": FORMAT,
        "version": VERSION,
        "language": player.language if player else None,
        "settings": dict(visitor.settings),
    }
    return StreamingResponse(
        _file_of(about, service.everything(player)),
        media_type="application/json",
        headers={"Content-Disposition": 'attachment; filename="pasianssi.json"', "Cache-Control": "no-store"},
    )


def _file_of(about: Mapping[str, object], kept: Iterable[Kept]) -> Iterator[str]:
    """Yield a file game by game: all their moves at once would fill the memory, and others would wait for them."""
    yield _json(about)[:-1] + ',"games":['
    for number, one in enumerate(kept):
        yield ("," if number else "") + _json(_written(one))
    yield "]}"


def _json(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))


def _written(one: Kept) -> dict[str, Any]:
    state = one.game
    words = [state.words[at : at + WORD] for at in range(0, len(state.words), WORD)]
    return {
        "code": one.code.text,
        "attempt": one.attempt,
        "moves": [action.value if isinstance(action, Command) else action for action in history(state.rules, words)],
        "made": state.made,
        "undo": state.undoable,
        "begun": _time(one.begun),
        "played": _time(one.played),
    }


def _time(milliseconds: int) -> str:
    return datetime.fromtimestamp(milliseconds / 1000, UTC).isoformat(timespec="milliseconds")


# In


@router.post(IMPORT)
async def bring_in(request: Request) -> Response:
    """Bring in the games of a file, each of which is played anew by the rules."""
    # A large file waits on disk, not in memory, until it is whole and its turn has come.
    with TemporaryFile() as body:
        async for chunk in request.stream():
            body.write(chunk)
        visitor = await run_in_threadpool(visitor_of, request)
        words = visitor.view.words
        if not _one_at_a_time.acquire(blocking=False):
            raise Fault(503, BUSY)
        try:
            language, settings, kept = await run_in_threadpool(_read, request.headers.get("content-type", ""), body)
        except Unreadable as error:
            wrong = _sentence(words, error)
            return await run_in_threadpool(
                show, visitor, request, "my_data.html", 422, said="", wrong=wrong, back=ADDRESS
            )
        finally:
            _one_at_a_time.release()
    device = visitor.device
    added, new_device = await service_of(request.app).bring_in(device.id if device else None, kept, language, settings)
    said = _said(words, added, len(kept) - added)
    response = await run_in_threadpool(show, visitor, request, "my_data.html", said=said, wrong="", back=ADDRESS)
    remember(request.app, request.scope, response, new_device, device)
    return response


def _said(words: Words, added: int, there: int) -> str:
    """Return how many games were added, and how many were there already."""
    said = words.ngettext("%(count)s game was brought in.", "%(count)s games were brought in.", added)
    more = words.ngettext("%(count)s was here already.", "%(count)s were here already.", there)
    return " ".join([said % {"count": added}, *([more % {"count": there}] if there else [])])


def _sentence(words: Words, error: Unreadable) -> str:
    if "game" not in error.values:
        return words.gettext(error.sentence)
    what = words.gettext(error.sentence) % {"number": error.values.get("move", 0)}
    return words.gettext(WRONG_GAME) % {"number": error.values["game"], "what": what}


_BOUNDARY = re.compile(r'multipart/form-data\s*;.*\bboundary="?([!-~]{1,70}?)"?\s*(?:;|$)', re.IGNORECASE)


def _file(content_type: str, sent: IO[bytes]) -> bytes:
    """Return the file that a form sent, or the whole body where it is JSON itself."""
    sent.seek(0)
    body = sent.read()
    if content_type.partition(";")[0].strip().lower() == "application/json":
        return body
    if not (match := _BOUNDARY.match(content_type)):
        raise Fault(422)
    line, end = b"--" + match[1].encode(), 0
    while (head := body.find(line, end)) >= 0 and (blank := body.find(b"\r\n\r\n", head)) >= 0:
        end = body.find(b"\r\n" + line, blank)
        end = len(body) if end < 0 else end
        if b'name="file"' in body[head:blank] and blank + 4 < end:
            return body[blank + 4 : end]
    raise Fault(422, NO_FILE)


def _read(content_type: str, body: IO[bytes]) -> tuple[str | None, Mapping[str, str] | None, list[Kept]]:
    """Return the language, the settings and the games of a file; raises :class:`Unreadable`."""
    try:
        written = json.loads(_file(content_type, body), object_hook=_as_it_is_read)
    except (ValueError, RecursionError) as error:
        raise Unreadable(NO_EXPORT) from error
    match written:
        case {"format": "pasianssi", "version": int(version)} if version != VERSION or isinstance(version, bool):
            raise Unreadable(NEWER)
        case {"format": "pasianssi", "version": int(), "games": list(games), **more}:
            return _language(more), _settings(more), [_right(one, number) for number, one in enumerate(games, 1)]
    raise Unreadable(NO_EXPORT)


def _as_it_is_read(written: dict[str, Any]) -> object:
    """Return a game of a file in place of what stands for it there, or what is wrong with it.

    A move takes many times the memory before it is read, so no more than one game's moves are to wait for it.
    """
    if "moves" not in written:
        return written
    time.sleep(0)  # Who waits to answer another player goes first.
    try:
        return _game(written)
    except Unreadable as error:
        return error


def _right(read: object, number: int) -> Kept:
    """Return a game of a file, which has this number there."""
    if isinstance(read, Kept):
        return read
    error = read if isinstance(read, Unreadable) else Unreadable(WRONG_COUNT)
    raise Unreadable(error.sentence, game=number, **error.values)


def _language(written: Mapping[Any, Any]) -> str | None:
    language = written.get("language")
    if language is not None and language not in LANGUAGES:
        raise Unreadable(NO_EXPORT)
    return str(language) if language else None


def _settings(written: Mapping[Any, Any]) -> Mapping[str, str] | None:
    settings = written.get("settings")
    if settings is None:
        return None
    if not isinstance(settings, dict) or any(
        settings.get(name, values[0]) not in values for name, values in SETTINGS.items()
    ):
        raise Unreadable(NO_EXPORT)
    return {name: settings.get(name, values[0]) for name, values in SETTINGS.items()}


def _game(written: Mapping[str, Any]) -> Kept:
    """Return a game of a file after all its moves were made by the rules; raises :class:`Unreadable`."""
    if not isinstance(moves := written["moves"], list):
        raise Unreadable(WRONG_COUNT)
    try:
        code = parse_code(str(written.get("code")))
    except InvalidCode as error:
        raise Unreadable(WRONG_CODE) from error
    deal = code.deal()
    state = _played(code.rules, deal, moves)
    made, undo, attempt = (_count(written, name) for name in ("made", "undo", "attempt"))
    # What is undone is at most what could be taken back (G-6), so both together are at most the limit.
    floor = made - undo
    if not (moves and 0 <= floor <= made <= len(moves) <= floor + UNDO_LIMIT and 1 <= attempt <= MOST_ATTEMPTS):
        raise Unreadable(WRONG_COUNT)
    words, state = state.words, after(state, deal, made)
    now = now_in_milliseconds()
    begun, played = (min(_milliseconds(written, name), now) for name in ("begun", "played"))
    return Kept(code, attempt, state._replace(words=words, floor=floor), begun, played)


def _played(rules: Rules, position: Position, moves: list[Any]) -> Game:
    """Return a game after all of some moves, of which a file can hold a million, from a position on."""
    score, words = rules.start, []
    for number, wish in enumerate(moves, 1):
        try:
            action = read_action(wish)
            step = play(rules, position, action) if isinstance(action, Move) or action is Command.DEAL else None
        except InvalidMove:
            step = None
        if not isinstance(step, Step):
            raise Unreadable(WRONG_MOVE, move=number)
        position, score = step.position, score + step.points
        words.append(step.word)
    return Game(rules, position, score, "".join(words), len(words), max(0, len(words) - UNDO_LIMIT))


def _count(written: Mapping[str, Any], name: str) -> int:
    value = written.get(name)
    if not isinstance(value, int) or isinstance(value, bool):
        raise Unreadable(WRONG_COUNT)
    return value


def _milliseconds(written: Mapping[str, Any], name: str) -> int:
    try:
        moment = datetime.fromisoformat(written[name])
        milliseconds = round(moment.timestamp() * 1000)
    except (KeyError, TypeError, ValueError, OverflowError, OSError) as error:
        raise Unreadable(WRONG_TIME) from error
    if moment.tzinfo is None or milliseconds < EPOCH:
        raise Unreadable(WRONG_TIME)
    return milliseconds


# Away


@page("/my-data/delete")
def ask(request: Request, visitor: TheVisitor) -> Response:
    """Ask whether everything is to be deleted."""
    return show(visitor, request, "delete.html")


@router.post("/my-data/delete")
async def delete(request: Request) -> Response:
    """Delete everything that is kept of me, and the cookie that names this device."""
    visitor = await run_in_threadpool(visitor_of, request)
    device = device_of(request.app, request.headers)
    await service_of(request.app).forget(device.id if device else None)
    words = visitor.view.words
    said = words.gettext("Everything that was kept of you here was deleted.")
    stranger = visitor._replace(device=None, player=None)
    response: HTMLResponse = await run_in_threadpool(
        show, stranger, request, "my_data.html", said=said, wrong="", back=ADDRESS
    )
    response.delete_cookie(COOKIE, httponly=True, samesite="lax", secure=request.scope["scheme"] == "https")
    return response
