"""Reading what a client sent: each reader gives a value or a fault, never another exception."""

import re
from urllib.parse import parse_qsl

from starlette.types import Receive

from app.engine.codes import Code, InvalidCode, parse_code
from app.engine.moves import Action, Command, InvalidMove, parse_action
from app.web.errors import Fault
from app.web.words import N_

CHOOSE_A_CARD = N_("Choose a card first, then the column that it goes to.")

_FIELDS = 20
_GAME_ID = re.compile("[0-9a-f]{1,15}|[0-7][0-9a-f]{15}")
_VERSION = re.compile("[0-9]{1,9}")
_NONCE = re.compile("[!-~]{1,48}")


async def read_body(receive: Receive) -> bytes:
    """Return the whole body of a request, which the guard keeps within its limit."""
    body: bytes = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise Fault(400)  # Half a body must not pass for a whole one.
        body += message.get("body", b"")
        if not message.get("more_body", False):
            return body


def read_form(body: bytes) -> dict[str, str]:
    """Return the fields of a form that was sent as ``application/x-www-form-urlencoded``."""
    if not (b"%" in body or b"+" in body or body.count(b"&") >= _FIELDS) and body.isascii():
        # Nothing is escaped in the form that a table sends, so that splitting it is all there is to do.
        return dict([pair.split("=", 1) for pair in body.decode().split("&") if "=" in pair])
    try:
        return dict(parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True, max_num_fields=_FIELDS))
    except ValueError as error:
        raise Fault(400) from error


def read_game_id(text: str) -> int:
    """Return the id that a game's address or form names; raises a 404 for what names none."""
    if not _GAME_ID.fullmatch(text):
        raise Fault(404)
    return int(text, 16)


def read_version(text: str) -> int:
    """Return the version that a form was made for."""
    if not _VERSION.fullmatch(text):
        raise Fault(422)
    return int(text)


def read_nonce(text: str) -> str | None:
    """Return the nonce of a form, or None where it has none."""
    if text and not _NONCE.fullmatch(text):
        raise Fault(422)
    return text or None


def read_table_action(form: dict[str, str]) -> Action:
    """Return the action of the form around a table: a button's command, or a lifted card with or without a column."""
    wish, lift, onto = form.get("action", ""), form.get("lift", ""), form.get("onto", "")
    try:
        if wish == "auto" or onto:
            if not lift:
                raise Fault(422, CHOOSE_A_CARD)
            action = parse_action(f"{lift}-{onto}" if onto else lift)
            if isinstance(action, Command):
                raise InvalidMove(lift)
            return action
        return Command(wish)
    except ValueError as error:
        raise Fault(422) from error


def canonical(text: str) -> Code:
    """Return the code of an address that a page or a program made itself; raises a 404 for any other text."""
    try:
        return parse_code(text)
    except InvalidCode as error:
        raise Fault(404) from error
