"""The languages of the pages: which one a reader gets, and the sentences in it."""

from functools import cache, lru_cache
from io import BytesIO

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.support import Translations

from app.settings import ROOT

LANGUAGES = ("fi", "en")
"""Finnish is the first language and the one for readers whose own is not here."""

LOCALES = {"fi": "fi_FI", "en": "en_GB"}
"""Each language as previews of links name it."""


@cache
def translations(language: str) -> Translations:
    """Return the catalogue of a language, compiled in memory from its text: there is no second file to forget."""
    compiled = BytesIO()
    with (ROOT / "app" / "locale" / language / "LC_MESSAGES" / "messages.po").open("rb") as source:
        write_mo(compiled, read_po(source, locale=language))
    compiled.seek(0)
    return Translations(compiled)


@lru_cache(maxsize=256)
def negotiated(accept_language: str) -> str:
    """Return the language that an ``Accept-Language`` header prefers of those that are here, else Finnish."""
    wishes = []
    for item in accept_language[:500].split(","):
        tag, _, weight = item.partition(";")
        try:
            quality = float(weight.strip().removeprefix("q=") or 1)
        except ValueError:
            quality = 0.0
        language = tag.strip().lower().partition("-")[0]
        if language in LANGUAGES and quality > 0:
            wishes.append((quality, language))
    # Of equal wishes max() keeps the first, which is the reader's own order.
    return max(wishes, key=lambda wish: wish[0], default=(1.0, LANGUAGES[0]))[1]
