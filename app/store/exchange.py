"""Taking games out of a database and into one: by their moves, which are the truth of them."""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import Connection, insert, select

from app.engine.codes import Code
from app.engine.game import WORD, Game
from app.store.games import COLUMNS, STANDS, note_latest, saved
from app.store.schema import game, made_at, new_id


class Kept(NamedTuple):
    """One attempt at a deal as it leaves one database and enters another; times are in milliseconds since 1970."""

    code: Code
    attempt: int
    game: Game
    begun: int
    played: int


def everything(connection: Connection, player_id: int) -> list[Kept]:
    """Return all of a player's games that have an action, in the order in which they were begun."""
    mine = select(*COLUMNS).where(game.c.player_id == player_id, game.c.version > 0, STANDS)
    found = [saved(row) for row in connection.execute(mine.order_by(game.c.id))]
    return [Kept(one.code, one.attempt, one.game, round(made_at(one.id) * 1000), one.played) for one in found]


def add(connection: Connection, player_id: int, kept: Sequence[Kept]) -> int:
    """Write those of the games that the player does not have, and return how many.

    A game is the same one when it is of the same deal and has the same moves, however often it is brought in.  Where
    another one has its number among the attempts at the deal, it becomes the next one.
    """
    taken: dict[str, set[int]] = {}
    there: Counter[tuple[str, str, int]] = Counter()
    columns = (game.c.code, game.c.attempt, game.c.words, game.c.made, STANDS, game.c.version)
    for code, attempt, words, made, stands, version in connection.execute(
        select(*columns).where(game.c.player_id == player_id)
    ):
        taken.setdefault(code, set()).add(attempt)
        if stands and version:
            there[code, words, made] += 1
    rows, ids = [], set[int]()
    for one in kept:
        code = one.code.text
        key = (code, one.game.words, one.game.made)
        if there[key]:
            there[key] -= 1
            continue
        attempts = taken.setdefault(code, set())
        attempt = max(attempts) + 1 if one.attempt in attempts else one.attempt
        attempts.add(attempt)
        row_id = new_id(one.begun)
        while row_id in ids:
            row_id = new_id(one.begun)
        ids.add(row_id)
        rows.append(_row(row_id, player_id, attempt, one))
    if rows:
        connection.execute(insert(game), rows)
        note_latest(connection, {player_id: None})
    return len(rows)


def _row(row_id: int, player_id: int, attempt: int, one: Kept) -> dict[str, object]:
    state = one.game
    return {
        "id": row_id,
        "player_id": player_id,
        "code": one.code.text,
        "attempt": attempt,
        "words": state.words,
        "made": state.made,
        "floor": state.floor,
        "position": state.position.text,
        "score": state.score,
        "version": len(state.words) // WORD,
        "nonce": None,
        "played": one.played,
    }
