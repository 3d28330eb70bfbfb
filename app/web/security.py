"""Who asks, and whether the request may be heard at all: the device's cookie, the origin, the size of the body."""

import hmac
import time
from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from typing import NamedTuple

COOKIE = "pasianssi"

COOKIE_AGE = 400 * 24 * 3600
"""How long a browser keeps the cookie, in seconds: the longest that browsers allow."""

RENEWED_AFTER = 7 * 24 * 3600
"""A cookie older than this is given anew when it is used, in seconds."""

REMEMBERED = 10_000
"""Of how many cookies it is remembered which devices they name."""

UNSAFE = frozenset({"POST", "PUT", "PATCH", "DELETE"})

_SIGNATURE = 32


class InvalidCookie(ValueError):
    """A cookie that was not signed here."""


class Device(NamedTuple):
    """A device that a signed cookie names; ``issued`` is in seconds since 1970."""

    id: int
    issued: int

    @property
    def wants_renewal(self) -> bool:
        """Whether its cookie is to be given anew."""
        return time.time() - self.issued > RENEWED_AFTER


class Signer:
    """Signs the ids of devices, so that nobody can name a device that was not given to them."""

    def __init__(self, key: str) -> None:
        self._mac = hmac.new(key.encode(), digestmod=sha256)
        # A player sends one cookie with each of many moves; what was not signed here raises, and is not remembered.
        self._known = lru_cache(REMEMBERED)(self._verified)

    def _signature(self, text: str) -> str:
        mac = self._mac.copy()
        mac.update(text.encode())
        return mac.hexdigest()[:_SIGNATURE]

    def cookie(self, device_id: int) -> str:
        """Return the value of the cookie that names a device."""
        text = f"{device_id:x}.{int(time.time()):x}"
        return f"{text}.{self._signature(text)}"

    def device_in(self, header: str) -> Device | None:
        """Return the device that a request's ``Cookie`` header names, or None where it names none."""
        for pair in header.split(";"):
            name, _, value = pair.strip().partition("=")
            if name == COOKIE:
                return self.device(value)
        return None

    def device(self, cookie: str) -> Device | None:
        """Return the device that a cookie's value names, or None where it was not signed here."""
        try:
            return self._known(cookie)
        except InvalidCookie:
            return None

    def _verified(self, cookie: str) -> Device:
        text, _, signature = cookie.rpartition(".")
        if not text.isascii() or not hmac.compare_digest(self._signature(text).encode(), signature.encode()):
            raise InvalidCookie
        device_id, _, issued = text.partition(".")
        return Device(int(device_id, 16), int(issued, 16))


def foreign(headers: Mapping[bytes, bytes]) -> bool:
    """Return whether a request that would change something was sent by a page of another origin.

    Programs other than browsers send neither header, and hold no cookie that they were not given.
    """
    if headers.get(b"sec-fetch-site") == b"cross-site":
        return True
    origin = headers.get(b"origin")
    return origin is not None and origin.partition(b"://")[2] != headers.get(b"host", b"")
