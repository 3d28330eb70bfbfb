"""The settings of one server, read from the environment and from nowhere else."""

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

ROOT = Path(__file__).parent.parent
"""The folder that holds templates, static files and migrations."""


_RANGE = {"port": (0, 65535), "workers": (1, 1000), "body_limit": (1, 10**9)}

_DATABASE = re.compile(r"(sqlite:///|postgres(ql)?(\+psycopg)?://)")


class InvalidSetting(ValueError):
    """A variable of the environment that cannot be obeyed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What an operator can choose; each field is the variable of the same name in upper case.

    ``database_url`` is SQLite's or PostgreSQL's.  ``secret_key`` signs the cookies; when empty, a key is made once and
    kept in the database.  ``body_limit`` is in bytes.  ``timezone`` decides where the deal of the day changes.
    """

    host: str = "127.0.0.1"
    port: int = 8000
    workers: int = 1
    database_url: str = f"sqlite:///{ROOT}/.data/pasianssi.db"
    secret_key: str = ""
    body_limit: int = 65536
    timezone: str = "Europe/Helsinki"

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] = os.environ) -> "Settings":
        """Return the settings that the environment asks for; an empty variable counts as absent.

        Raises :class:`InvalidSetting` for a number that is none or too large, another kind of database, or a time zone
        that is not known.
        """
        given: dict[str, Any] = {}
        for field in fields(cls):
            if text := environment.get(field.name.upper(), ""):
                given[field.name] = _number(field.name, text) if field.type is int else text
        settings = cls(**given)
        try:
            ZoneInfo(settings.timezone)
        except (ZoneInfoNotFoundError, ValueError, OSError) as error:
            raise InvalidSetting(f"TIMEZONE: no such time zone: {settings.timezone!r}") from error
        if not _DATABASE.match(settings.database_url):
            # The address may hold a password, so it is not repeated.
            raise InvalidSetting("DATABASE_URL: begins neither with sqlite:/// nor with postgresql://")
        return settings


def _number(name: str, text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise InvalidSetting(f"{name.upper()}: not a whole number: {text!r}")
    least, most = _RANGE[name]
    if not (len(text) < 12 and least <= int(text) <= most):
        raise InvalidSetting(f"{name.upper()}: not a number from {least} to {most}: {text!r}")
    return int(text)
