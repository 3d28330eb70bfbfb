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

    @property
    def key(self) -> tuple[str, str, int]:
        """What makes it the same game as another: its deal and its moves."""
        return self.code.text, self.game.words, self.game.made


def everything(connection: Connection, player_id: int) -> list[Kept]:
    """Return all of a player's games that have an action, in the order in which they were begun."""
    mine = select(*COLUMNS).where(game.c.player_id == player_id, game.c.version > 0, STANDS)
    found = [saved(row) for row in connection.execute(mine.order_by(game.c.id))]
    return [Kept(one.code, one.attempt, one.game, round(made_at(one.id) * 1000), one.played) for one in found]


def add(connection: Connection, player_id: int, kept: Sequence[tuple[Kept, int]]) -> int:
    """Write those of the games that the player does not have, and return how many.

    A game is the same one when it is of the same deal and has the same moves, however often it is brought in.  With
    each stands which of those of its file that are the same it is, from 1 on.  Where another game has its number among
    the attempts at the deal, it becomes the next one.
    """
    taken: dict[str, set[int]] = {}
    there: Counter[tuple[str, str, int]] = Counter()
    columns = (game.c.code, game.c.attempt, game.c.words, game.c.made, STANDS, game.c.version)
    codes = {one.code.text for one, _ in kept}
    for code, attempt, words, made, stands, version in connection.execute(
        select(*columns).where(game.c.player_id == player_id, game.c.code.in_(codes))
    ):
        taken.setdefault(code, set()).add(attempt)
        if stands and version:
            there[code, words, made] += 1
    new = [one for one, number in kept if there[one.key] < number]
    rows = []
    for one, row_id in zip(new, _ids(connection, [one.begun for one in new]), strict=True):
        attempts = taken.setdefault(one.code.text, set())
        attempt = max(attempts) + 1 if one.attempt in attempts else one.attempt
        attempts.add(attempt)
        rows.append(_row(row_id, player_id, attempt, one))
    if rows:
        connection.execute(insert(game), rows)
        note_latest(connection, {player_id: None})
    return len(rows)


def _ids(connection: Connection, moments: Sequence[int]) -> list[int]:
    """Return an id for each of these moments, none of which a game has; of one moment there can be thousands."""
    ids: dict[int, int] = {}
    while missing := [index for index in range(len(moments)) if index not in ids]:
        drawn = {new_id(moments[index]): index for index in missing}
        taken = {*ids.values(), *connection.scalars(select(game.c.id).where(game.c.id.in_(drawn)))}
        ids |= {index: row_id for row_id, index in drawn.items() if row_id not in taken}
    return [ids[index] for index in range(len(moments))]


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
