"""What stands before every request: a limit on its body, the check of its origin, and the headers of every answer."""

from collections.abc import Awaitable, Callable, Mapping

from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.web.errors import Fault
from app.web.security import UNSAFE, foreign

PERSONAL = [(b"cache-control", b"private, no-cache"), (b"vary", b"Accept-Language, Cookie")]
"""The headers of pages in a reader's own language, with a reader's own games; others say how they are kept."""

HEADERS = [
    (
        b"content-security-policy",
        b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
        b"connect-src 'self'; manifest-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    ),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
]


class Guard:
    """The ASGI application around the application; pure ASGI, since a move passes through it."""

    def __init__(
        self,
        app: ASGIApp,
        body_limit: int,
        larger: Mapping[str, int],
        respond: Callable[[Request, Fault], Awaitable[Response]],
    ) -> None:
        self._app = app
        self._respond = respond
        # A higher level takes twice the time for some hundredths of the size.
        self._compressed = GZipMiddleware(app, minimum_size=400, compresslevel=5)
        self._body_limit = body_limit
        self._larger = larger

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse to hear it."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return

        unsafe = scope["method"] in UNSAFE

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                answered = [*message["headers"], *HEADERS]
                if not unsafe and not any(name == b"cache-control" for name, _ in answered):
                    answered += PERSONAL
                message["headers"] = answered
            await send(message)

        headers = dict(scope["headers"]) if unsafe else {}
        if unsafe and (fault := self._refused(scope, headers)):
            response = await self._respond(Request(scope), fault)
            await response(scope, receive, send_with_headers)
        elif unsafe:
            # The answer to a move is small: to compress it would take longer than to send it.
            await self._app(scope, self._limited(scope, headers, receive), send_with_headers)
        else:
            await self._compressed(scope, receive, send_with_headers)

    def _limit(self, scope: Scope) -> int:
        """Return how large the body of a request may be: at some addresses more than is usual."""
        return max(self._body_limit, self._larger.get(scope["path"], 0))

    def _refused(self, scope: Scope, headers: Mapping[bytes, bytes]) -> Fault | None:
        length = headers.get(b"content-length", b"0")
        if not (length.isdigit() and len(length) < 19 and int(length) <= self._limit(scope)):
            return Fault(413)
        return Fault(403) if foreign(headers) else None

    def _limited(self, scope: Scope, headers: Mapping[bytes, bytes], receive: Receive) -> Receive:
        """Return what a body is received by; one that is said to be short enough, the server does not let grow."""
        if b"content-length" in headers:
            return receive
        limit, received = self._limit(scope), 0

        async def receive_within_limit() -> Message:
            nonlocal received
            message = await receive()
            received += len(message.get("body", b""))
            if received > limit:
                raise HTTPException(413)
            return message

        return receive_within_limit
