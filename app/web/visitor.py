"""Who is looking: the device that the cookie names, its player, and the language to speak."""

from collections.abc import Mapping
from typing import Annotated, NamedTuple

from fastapi import Depends, Request
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.types import Scope

from app.service import DEFAULTS, Player, Saved, Service
from app.web.i18n import LANGUAGES, negotiated
from app.web.render import View, view
from app.web.security import COOKIE, COOKIE_AGE, Device, Signer


class Visitor(NamedTuple):
    """Someone who asks for a page; both fields are None for a stranger."""

    device: Device | None
    player: Player | None
    view: View

    @property
    def settings(self) -> Mapping[str, str]:
        """The visitor's settings: a stranger's are the defaults."""
        return self.player.settings if self.player else DEFAULTS

    def plays(self, saved: Saved) -> bool:
        """Return whether a game is the visitor's."""
        return self.player is not None and self.player.id == saved.player_id


def service_of(app: Starlette) -> Service:
    """Return the service of the application."""
    service: Service = app.state.service
    return service


def signer_of(app: Starlette) -> Signer:
    """Return what signs the application's cookies."""
    signer: Signer = app.state.signer
    return signer


def device_of(app: Starlette, headers: Mapping[str, str]) -> Device | None:
    """Return the device that a request's cookie names; the database is not asked."""
    return signer_of(app).device_in(headers.get("cookie", ""))


def player_of(service: Service, device: Device | None) -> Player | None:
    """Return the player of a device, or None for a stranger."""
    return service.player(device.id) if device else None


def visitor_of(request: Request) -> Visitor:
    """Return who is looking, in the language of the address, if it names one; a device is looked up in the database."""
    device = device_of(request.app, request.headers)
    player = player_of(service_of(request.app), device)
    asked = request.query_params.get("language")
    shown = view(asked) if asked in LANGUAGES else view_for(player, request.headers.get("accept-language", ""))
    return Visitor(device, player, shown)


def view_for(player: Player | None, accept_language: str) -> View:
    """Return the templates in the player's language, else in the one that the browser prefers."""
    return view((player.language if player else None) or negotiated(accept_language))


def remember(app: Starlette, scope: Scope, response: Response, new_device: int | None, device: Device | None) -> None:
    """Put into a response the cookie of a new device, or that of the ``device`` renewed when it is old."""
    device_id = new_device or (device.id if device and device.wants_renewal else None)
    if device_id:
        response.set_cookie(
            COOKIE,
            signer_of(app).cookie(device_id),
            max_age=COOKIE_AGE,
            httponly=True,
            samesite="lax",
            secure=scope["scheme"] == "https",
        )


def _service(request: Request) -> Service:
    return service_of(request.app)


TheService = Annotated[Service, Depends(_service)]
TheVisitor = Annotated[Visitor, Depends(visitor_of)]
