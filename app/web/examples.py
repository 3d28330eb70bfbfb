"""The examples: a won game of each kind, to be stepped through; each step is said in words (issue 6, "Examples")."""

from functools import cache
from typing import NamedTuple

from fastapi import APIRouter, Request
from starlette.responses import Response

from app.engine.codes import parse_code
from app.engine.game import Game, Turn, act, start
from app.engine.moves import Action, parse_action
from app.engine.play import Dealt, Event, Flipped, Moved
from app.web.errors import Fault
from app.web.example_games import EXAMPLE_GAMES, ExampleGame
from app.web.show import GET, show
from app.web.visitor import TheVisitor

router = APIRouter(include_in_schema=False)

_DIGITS = 4
"""No step has as many."""


class Step(NamedTuple):
    """A game after an action of an example, and what the action did; the first step is the deal, and has neither."""

    game: Game
    action: Action | None
    events: tuple[Event, ...]

    @property
    def marked(self) -> set[tuple[int, int]]:
        """The places of the cards that the action moved or turned up, as far as they still lie there."""
        columns, places = self.game.position.columns, set()
        for event in self.events:
            match event:
                case Moved(target=target, cards=cards):
                    end = len(columns[target])
                    # Where a run left, what was moved left with it.
                    if columns[target].endswith(cards):
                        places |= {(target, at) for at in range(end - len(cards), end)}
                case Dealt(column=column) | Flipped(column=column):
                    places.add((column, len(columns[column]) - 1))
        return places


@cache
def steps_of(name: str) -> tuple[Step, ...]:
    """Return every step of a game's example, from the deal to the win."""
    example = EXAMPLE_GAMES[name]
    code = parse_code(example.code)
    steps = [Step(start(code.rules, code.deal()), None, ())]
    for text in example.actions.split():
        action = parse_action(text)
        turn = act(steps[-1].game, action)
        assert isinstance(turn, Turn), f"{example.code}: {text} is refused"
        steps.append(Step(turn.game, action, turn.events))
    return tuple(steps)


@router.api_route("/examples/{game}", methods=GET)
def example(game: str, request: Request, visitor: TheVisitor, step: str = "0") -> Response:
    """Show one step of a game's example."""
    if game not in EXAMPLE_GAMES:
        raise Fault(404)
    one: ExampleGame = EXAMPLE_GAMES[game]
    steps, number = steps_of(game), read_step(step)
    if number >= len(steps):
        raise Fault(404)
    shown, words = steps[number], visitor.view.words
    return show(
        visitor,
        request,
        "example.html",
        deal=one.code,
        number=number,
        last=len(steps) - 1,
        game=shown.game,
        marked=shown.marked,
        did=words.result(shown.action, shown.events) if shown.action else "",
        note=words.gettext(one.notes[number]) if number in one.notes else "",
        back=f"/examples/{game}?step={number}" if number else f"/examples/{game}",
    )


def read_step(text: str) -> int:
    """Return the number of a step as an address writes it; raises a 404 for any other text."""
    if not (text.isascii() and text.isdigit() and len(text) < _DIGITS):
        raise Fault(404)
    return int(text)
