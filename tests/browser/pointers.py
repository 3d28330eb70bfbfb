"""What points at a page: a mouse, a finger, a pen. Each brings the browser's own events, not such as a script makes."""

from collections.abc import Callable
from typing import Any, Protocol

from playwright.sync_api import CDPSession, Page


class Pointer(Protocol):
    """One of them."""

    def down(self, x: float, y: float) -> None:
        """Press at a point."""

    def move(self, x: float, y: float) -> None:
        """Go, pressed or not, to a point."""

    def up(self) -> None:
        """Let go where it is."""


class Mouse:
    """A mouse; its other button is there too."""

    def __init__(self, page: Page) -> None:
        self._mouse = page.mouse

    def down(self, x: float, y: float) -> None:
        """Press the left button at a point."""
        self._mouse.move(x, y)
        self._mouse.down()

    def move(self, x: float, y: float) -> None:
        """Go to a point."""
        self._mouse.move(x, y)

    def up(self) -> None:
        """Let the left button go."""
        self._mouse.up()

    def other_button(self) -> None:
        """Click the right button, whatever the left one does."""
        self._mouse.down(button="right")
        self._mouse.up(button="right")


class Finger:
    """A finger on a touch screen."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._points: list[dict[str, float]] = []

    def _send(self, kind: str) -> None:
        self._session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": self._points})

    def down(self, x: float, y: float) -> None:
        """Touch a point; a second time without letting go, with a second finger."""
        self._points.append({"x": x, "y": y, "id": len(self._points)})
        self._send("touchStart")

    def move(self, x: float, y: float) -> None:
        """Go with the first finger to a point."""
        if self._points:
            self._points[0] |= {"x": x, "y": y}
            self._send("touchMove")

    def up(self) -> None:
        """Lift every finger."""
        self._points = []
        self._send("touchEnd")

    def cancel(self) -> None:
        """Let the system take the touch away, as it does for a gesture of its own."""
        self._points = []
        self._send("touchCancel")


class Pen:
    """A pen."""

    def __init__(self, page: Page) -> None:
        self._session: CDPSession = page.context.new_cdp_session(page)
        self._x, self._y = 0.0, 0.0
        self._pressed = 0

    def _send(self, kind: str, **more: Any) -> None:
        event = {"type": kind, "x": self._x, "y": self._y, "pointerType": "pen", "buttons": self._pressed, **more}
        self._session.send("Input.dispatchMouseEvent", event)

    def down(self, x: float, y: float) -> None:
        """Press at a point."""
        self.move(x, y)
        self._pressed = 1
        self._send("mousePressed", button="left", clickCount=1, force=0.5)

    def move(self, x: float, y: float) -> None:
        """Go to a point."""
        self._x, self._y = x, y
        self._send("mouseMoved", button="left" if self._pressed else "none", force=0.5 if self._pressed else 0)

    def up(self) -> None:
        """Lift the pen."""
        self._pressed = 0
        self._send("mouseReleased", button="left", clickCount=1)


POINTERS: dict[str, Callable[[Page], Pointer]] = {"mouse": Mouse, "touch": Finger, "pen": Pen}
