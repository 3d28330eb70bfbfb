"""Players with games to play, written into a database in bulk."""

from collections.abc import Callable, Iterator
from functools import cache
from itertools import count
from typing import Any, NamedTuple

from sqlalchemy import Engine, insert

from app.engine.codes import Code, numbered
from app.engine.game import Game, act, start
from app.engine.games.scorpion import RELAXED
from app.engine.games.simple_simon import FOUR_SUITS
from app.engine.moves import Move
from app.engine.play import legal
from app.engine.rules import Rule
from app.store import schema
from app.web.security import Signer

KEY = "a key for measurements"
"""What signs the cookies of the players here: the SECRET_KEY of the servers that hear them."""

FIRST_ID = 1 << 40
"""Ids count up from here, as those that are drawn grow with time."""

CHUNK = 5_000


class Loop(NamedTuple):
    """A game that can be played for ever: ``forth`` is legal in it, and then ``back`` is, which restores its table."""

    code: Code
    game: Game
    forth: Move
    back: Move

    def at(self, moves: int) -> Game:
        """Return the game after so many moves, at the same table; an odd number counts as one less."""
        rounds = max(0, moves - self.game.made) // 2
        once = _made(_made(self.game, self.forth), self.back)
        words = self.game.words + once.words[len(self.game.words) :] * rounds
        made = self.game.made + 2 * rounds
        score = self.game.score + (once.score - self.game.score) * rounds
        return self.game._replace(words=words, made=made, score=score, floor=max(0, made - 100))


def _made(game: Game, move: Move) -> Game:
    turn = act(game, move)
    assert not isinstance(turn, Rule)
    return turn.game


@cache
def loops(number: int) -> list[Loop]:
    """Return so many deals, of both games in turn, in which a group of cards can go to another column and back.

    Both columns are among the longest, so that an answer shows as many cards as a game's longer answers do.
    """
    found: list[Loop] = []
    for deal in count():
        rules = (FOUR_SUITS, RELAXED)[len(found) % 2]
        code = numbered(rules, deal)
        if loop := _loop(code):
            found.append(loop)
        if len(found) == number:
            return found
    raise AssertionError


def _loop(code: Code) -> Loop | None:
    """Return a loop that is reached by one move from the deal: cards that two columns take go from one to the other."""
    game = start(code.rules, code.deal())
    for first in legal(code.rules, game.position):
        moved = _made(game, first)
        at = len(game.position.columns[first.target])
        for forth in legal(code.rules, moved.position):
            target = len(moved.position.columns[forth.target])
            back = Move(forth.target, target, first.target)
            if forth[:2] != (first.target, at) or forth.target == first.source or at + target < 13:
                continue
            there = _made(moved, forth)
            if back in legal(code.rules, there.position) and _made(there, back).position == moved.position:
                return Loop(code, moved, forth, back)
    return None


class Playing(NamedTuple):
    """A stored game, and the cookie of a device of its player."""

    code: Code
    id: int
    cookie: str
    game: Game

    def job(self, *wishes: Move | str) -> dict[str, Any]:
        """Return what the load generator has to know to make these actions over and over."""
        texts = [f"lift={w.source}.{w.at}&onto={w.target}" if isinstance(w, Move) else f"action={w}" for w in wishes]
        return {
            "code": self.code.text,
            "game": f"{self.id:x}",
            "cookie": self.cookie,
            "version": self.game.made,
            "wishes": texts,
        }


def store(
    engine: Engine, players: int, each: int, game: Callable[[int], tuple[Code, Game]], first_id: int = FIRST_ID
) -> Callable[[int], Playing]:
    """Store players with ``each`` games a player, the game of each running number; return what finds them again."""
    signer = Signer(KEY)

    def row(number: int) -> dict[str, Any]:
        code, one = game(number)
        return {
            "id": first_id + number,
            "player_id": first_id + number // each,
            "code": code.text,
            "attempt": number % each + 1,
            "words": one.words,
            "made": one.made,
            "floor": one.floor,
            "position": one.position.text,
            "score": one.score,
            "version": one.made,
            "nonce": "abcdefgh",
            "played": schema.now_in_milliseconds(),
        }

    def stored(number: int) -> Playing:
        code, one = game(number)
        return Playing(code, first_id + number, signer.cookie(first_id + number // each), one)

    with engine.begin() as connection:
        for some in _chunks(players):
            ids = [first_id + n for n in some]
            # Half of them read Finnish and half English.
            rows = [{"id": one, "language": "fi" if one % 2 else "en"} for one in ids]
            connection.execute(insert(schema.player), rows)
            connection.execute(insert(schema.device), [{"id": one, "player_id": one} for one in ids])
        for some in _chunks(players * each):
            connection.execute(insert(schema.game), [row(n) for n in some])
    return stored


def _chunks(number: int) -> Iterator[range]:
    return (range(first, min(first + CHUNK, number)) for first in range(0, number, CHUNK))
