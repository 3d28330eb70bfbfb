"""Who is looking: the device that the cookie names, its player, and the language to speak."""

from typing import Annotated, NamedTuple, TypeVar

from fastapi import Depends, Request
from starlette.responses import Response

from app.service import Player, Service
from app.web.i18n import negotiated
from app.web.render import View, view
from app.web.security import COOKIE, COOKIE_AGE, Device, Signer

R = TypeVar("R", bound=Response)


class Visitor(NamedTuple):
    """Someone who asks for a page; both fields are None for a stranger."""

    device: Device | None
    player: Player | None
    view: View

    @property
    def device_id(self) -> int | None:
        """The id of the visitor's device, or None."""
        return self.device.id if self.device else None


def service_of(request: Request) -> Service:
    """Return the service of the application."""
    service: Service = request.app.state.service
    return service


def device_of(request: Request) -> Device | None:
    """Return the device that the request's cookie names; the database is not asked."""
    signer: Signer = request.app.state.signer
    return signer.device(request.cookies.get(COOKIE))


def visitor_of(request: Request) -> Visitor:
    """Return who is looking; asks the database when a device is named."""
    device = device_of(request)
    player = service_of(request).player(device.id) if device else None
    return Visitor(device, player, view_for(request, player))


def view_for(request: Request, player: Player | None) -> View:
    """Return the templates in the player's language, else in the one that the browser prefers."""
    chosen = player.language if player else None
    return view(chosen or negotiated(request.headers.get("accept-language", "")))


def remember(request: Request, response: R, new_device: int | None, device: Device | None = None) -> R:
    """Return the response, with the cookie of a new device, or with that of the ``device`` renewed when it is old."""
    device_id = new_device or (device.id if device and device.wants_renewal else None)
    if device_id:
        signer: Signer = request.app.state.signer
        response.set_cookie(
            COOKIE,
            signer.cookie(device_id),
            max_age=COOKIE_AGE,
            httponly=True,
            samesite="lax",
            secure=request.url.scheme == "https",
        )
    return response


TheService = Annotated[Service, Depends(service_of)]
TheVisitor = Annotated[Visitor, Depends(visitor_of)]
