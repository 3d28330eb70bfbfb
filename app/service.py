"""What a request may ask for, whoever brings it: a page, a form or a program."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, TypeVar

from sqlalchemy import Connection, Engine
from sqlalchemy.exc import IntegrityError

from app.engine.codes import Code
from app.engine.game import UNDO_LIMIT, WORD, Game, act, after, start
from app.engine.moves import Action
from app.engine.play import action_of
from app.engine.rules import Rule
from app.store import deletion, exchange, games, lists, replays, statistics
from app.store.database import read
from app.store.exchange import Kept
from app.store.games import Player, Saved
from app.store.lists import Listed
from app.store.preferences import DEFAULTS, SETTINGS
from app.store.schema import now_in_milliseconds
from app.store.statistics import Tally
from app.store.writer import Done, Missing, Outcome, Refused, Stale, Wish, Writer, decide

__all__ = [
    "DEFAULTS",
    "SETTINGS",
    "Answer",
    "Done",
    "Kept",
    "Listed",
    "Missing",
    "Outcome",
    "Player",
    "Refused",
    "Saved",
    "Service",
    "Stale",
    "Tally",
    "looked_back",
    "unsaved",
]

PAGE = 50
"""How many games one page of a list holds."""

UNPLAYED_KEPT = 7 * 24 * 3600 * 1000
"""How long an attempt without an action is kept, in milliseconds."""

PART = 200
"""How many games are brought in by one transaction: the moves of others wait for no more."""

DELETED_KEPT = 30 * 24 * 3600 * 1000
"""How long a deleted game can be brought back, in milliseconds."""

T = TypeVar("T")


class Answer(NamedTuple):
    """What came of a request that wrote; ``new_device`` is the id of the device that it made known, if it did."""

    outcome: Outcome
    new_device: int | None = None


def unsaved(code: Code) -> Saved:
    """Return the game of a deal as one sees it who has not played it: id and version 0, and no row anywhere."""
    return Saved(0, 0, code, 0, start(code.rules, code.deal()), 0, None, 0)


def looked_back(saved: Saved, made: int) -> Saved:
    """Return a saved game as it stood after its first ``made`` actions."""
    return saved._replace(game=after(saved.game, saved.code.deal(), made))


class Service:
    """The games of all players, over one database and one writer."""

    def __init__(self, engine: Engine, writer: Writer) -> None:
        self._engine = engine
        self._writer = writer

    def _read(self, question: Callable[[Connection], T]) -> T:
        return read(self._engine, question)

    # Reading

    def player(self, device_id: int | None) -> Player | None:
        """Return the player to whom a device belongs, or None for a stranger."""
        return None if device_id is None else self._read(lambda c: games.player_of(c, device_id))

    def table(self, player: Player | None, code: Code) -> Saved:
        """Return the player's most recently played attempt at a deal, or the deal itself, unsaved."""
        attempts = self._read(lambda c: games.attempts(c, player.id, code)) if player else []
        return attempts[0] if attempts else unsaved(code)

    def game(self, game_id: int) -> Saved | None:
        """Return a game, whoever its player is: the caller asks."""
        return self._read(lambda c: games.find(c, game_id))

    def games(self, player: Player | None, before: int | None = None) -> tuple[list[Saved], int | None]:
        """Return a page of the player's games, newest first, and the id that the next page begins before, or None."""
        if player is None:
            return [], None
        found = self._read(lambda c: games.newest(c, player.id, PAGE + 1, before))
        return found[:PAGE], found[PAGE - 1].id if len(found) > PAGE else None

    def listed(
        self, player: Player | None, before: int | None = None, won: bool | None = None
    ) -> tuple[list[Listed], int | None]:
        """Return a page as :meth:`games` does, of what a list shows; ``won`` leaves those won, or the others."""
        if player is None:
            return [], None
        found = self._read(lambda c: lists.listed(c, player.id, PAGE + 1, before, won))
        return found[:PAGE], found[PAGE - 1].id if len(found) > PAGE else None

    def is_deleted(self, player: Player | None, game_id: int) -> bool:
        """Return whether a game of the player's is deleted and can be brought back."""
        return player is not None and self._read(lambda c: deletion.is_removed(c, player.id, game_id))

    def replay(self, token: str) -> Saved | None:
        """Return the game that is shared at a token, or None where none is, or is no more."""
        return self._read(lambda c: replays.shared(c, token))

    def token(self, game_id: int) -> str | None:
        """Return the token at which a game is shared, whoever its player is, or None: the caller asks."""
        return self._read(lambda c: replays.token_of(c, game_id))

    def everything(self, player: Player | None) -> list[Kept]:
        """Return all of a player's games that have an action, in the order in which they were begun."""
        return [] if player is None else self._read(lambda c: exchange.everything(c, player.id))

    def latest(self, player: Player | None) -> Saved | None:
        """Return the game that the player played last, or None."""
        return None if player is None else self._read(lambda c: games.latest(c, player.id))

    def has_played(self, player: Player | None, prefix: str) -> bool:
        """Return whether the player has a saved game of a kind, by the prefix of its codes (SS-2)."""
        return player is not None and self._read(lambda c: games.has_played(c, player.id, prefix))

    def tallies(self, player: Player | None) -> list[Tally]:
        """Return what came of the player's games, for each set of rules that was played."""
        return [] if player is None else self._read(lambda c: statistics.tallies(c, player.id))

    def marks(self, player: Player | None, codes: Iterable[str]) -> dict[str, bool]:
        """Return those of some deals that the player has played, and whether an attempt at them is won."""
        return {} if player is None else self._read(lambda c: statistics.marks(c, player.id, codes))

    # Writing

    async def act(
        self,
        device_id: int | None,
        game_id: int,
        version: int,
        nonce: str | None,
        action: Action,
    ) -> Outcome:
        """Return what came of an action on a saved game, once it is on disk.

        Raises :class:`app.engine.moves.InvalidMove` where a column does not exist, and
        :class:`app.store.writer.Unavailable` when the database does not answer.
        """
        if device_id is None:
            return Missing()
        return await self._writer.act(Wish(device_id, game_id, version, nonce, action))

    async def begin(self, device_id: int | None, code: Code, nonce: str | None, action: Action) -> Answer:
        """Return what came of the first action on a deal: a game is saved with it, and a new player if need be.

        Raises as :meth:`act`.
        """
        return await self._writer.write(partial(_begin, device_id=device_id, code=code, nonce=nonce, action=action))

    async def create(self, device_id: int | None, code: Code) -> tuple[Saved, int | None]:
        """Save a new attempt at a deal, and return it with the id of the device that was made known, if one was."""
        return await self._writer.write(partial(_create, device_id=device_id, code=code))

    async def restart(self, device_id: int | None, code: Code) -> None:
        """Begin another attempt at a deal; earlier ones stay (G-8).  One without an action yet is taken up again."""
        await self._writer.write(partial(_restart, device_id=device_id, code=code))

    async def delete(self, device_id: int | None, game_id: int) -> bool:
        """Delete a game of the device's player, until it is brought back; return whether there was one."""
        return await self._mine(device_id, partial(deletion.remove, game_id=game_id)) or False

    async def bring_back(self, device_id: int | None, game_id: int) -> bool:
        """Undo the deletion of a game of the device's player; return whether there was one."""
        return await self._mine(device_id, partial(deletion.bring_back, game_id=game_id)) or False

    async def go_on_from(self, device_id: int | None, game_id: int, made: int) -> Code | None:
        """Begin another attempt at the point after a game's first ``made`` actions; return the deal, or None for none.

        One at the very same point without an action of its own yet is taken up again.
        """
        past = await asyncio.to_thread(self._past, device_id, game_id, made)
        if past is None:
            return None
        await self._writer.write(partial(_unplayed, player_id=past.player_id, code=past.code, state=past.game))
        return past.code

    def _past(self, device_id: int | None, game_id: int, made: int) -> Saved | None:
        """Return a game of the device's player as it stood after so many actions, or None."""
        player, one = self.player(device_id), self.game(game_id)
        if player is None or one is None or one.player_id != player.id:
            return None
        return looked_back(one, made) if made <= one.game.made else None

    async def share(self, device_id: int | None, game_id: int) -> bool:
        """Share a won game of the device's player to be looked at; return whether it is shared now."""
        return await self._mine(device_id, partial(replays.share, game_id=game_id)) is not None

    async def withdraw(self, device_id: int | None, game_id: int) -> bool:
        """Share a game of the device's player no more; return whether there is such a game."""
        return await self._mine(device_id, partial(replays.withdraw, game_id=game_id)) or False

    async def bring_in(
        self, device_id: int | None, kept: Sequence[Kept], language: str | None, settings: Mapping[str, str] | None
    ) -> tuple[int, int | None]:
        """Add games to the player's, but for those that are there already; remember language and settings where given.

        Returns how many were added, and the id of a device made known.  Other players' moves come between one part of
        the games and the next.  Where that ends half-way, bringing in the same games once more adds the others.
        """
        player_id, new_device = await self._writer.write(
            partial(_welcome, device_id=device_id, language=language, settings=settings)
        )
        seen: Counter[tuple[str, str, int]] = Counter()
        added = 0
        for first in range(0, len(kept), PART):
            part = []
            for one in kept[first : first + PART]:
                seen[one.key] += 1
                part.append((one, seen[one.key]))
            added += await self._writer.write(partial(exchange.add, player_id=player_id, kept=part))
        return added, new_device

    async def forget(self, device_id: int | None) -> None:
        """Delete for good the device's player, with all devices and games."""
        await self._mine(device_id, deletion.remove_everything)

    async def _mine(self, device_id: int | None, work: Callable[[Connection, int], T]) -> T | None:
        """Return what came of writing for the device's player, by the player's id, or None for a stranger."""

        def mine(connection: Connection) -> T | None:
            player = _known(connection, device_id)
            return None if player is None else work(connection, player.id)

        return await self._writer.write(mine)

    async def choose(
        self, device_id: int | None, language: str | None, settings: Mapping[str, str] | None = None
    ) -> int | None:
        """Remember a player's language and settings, where they are given; return the id of a device made known."""
        _, new_device = await self._writer.write(
            partial(_welcome, device_id=device_id, language=language, settings=settings)
        )
        return new_device


def check(engine: Engine) -> Iterator[tuple[int, int, int, str]]:
    """Replay every stored game; yield how many are done, how many there are, and a game's id and what is wrong with it.

    The moves are the truth and the rest of a row is a cache of them, so a difference means a damaged database.
    """
    with engine.connect() as connection:
        total, kept = games.everything(connection)
        for done, row in enumerate(kept, 1):
            try:
                difference = _difference(games.saved(row))
            except Exception as error:  # Whatever a damaged row breaks, the rows after it are to be checked too.
                difference = f"the game cannot be replayed: {error!r}"
            yield done, total, row[0], difference


def _difference(one: Saved) -> str:
    kept, game = one.game, unsaved(one.code).game
    words, rest = divmod(len(kept.words), WORD)
    if rest or not max(0, kept.made - UNDO_LIMIT) <= kept.floor <= kept.made <= words:
        return (
            f"the counts differ: {kept.made} moves of {words} stand, {kept.floor} of them for good; {rest} letters more"
        )
    states = [(game.position, game.score)]
    for index in range(kept.made + kept.redoable):
        turn = act(game, action_of(game.position, kept.word(index)))
        if isinstance(turn, Rule):
            return f"move {index + 1}: {turn}"
        game = turn.game
        if game.word(index) != kept.word(index):
            return f"move {index + 1} differs: {kept.word(index)!r} is kept, {game.word(index)!r} was played"
        states.append((game.position, game.score))
    position, score = states[kept.made]
    if position != kept.position:
        return f"the table differs: {kept.position.text} is kept, {position.text} was played"
    return "" if score == kept.score else f"the score differs: {kept.score} is kept, {score} was played"


async def prune(writer: Writer) -> tuple[int, int]:
    """Delete for good what nobody will miss; return how many attempts without an action and how many deleted games."""

    def work(connection: Connection) -> tuple[int, int]:
        now = now_in_milliseconds()
        return games.prune(connection, now - UNPLAYED_KEPT), deletion.prune(connection, now - DELETED_KEPT)

    return await writer.write(work)


def _known(connection: Connection, device_id: int | None) -> Player | None:
    return None if device_id is None else games.player_of(connection, device_id)


def _player(connection: Connection, device_id: int | None) -> tuple[Player, int | None]:
    """Return the device's player, or a new one with the id of its new device."""
    known = _known(connection, device_id)
    return (known, None) if known else games.add_player(connection)


def _welcome(
    connection: Connection, device_id: int | None, language: str | None, settings: Mapping[str, str] | None
) -> tuple[int, int | None]:
    """Remember a player's language and settings, where given; return the player's id, and that of a new device."""
    player, new_device = _player(connection, device_id)
    if language:
        games.set_language(connection, player.id, language)
    if settings:
        games.set_settings(connection, player.id, settings)
    return player.id, new_device


def _begin(connection: Connection, device_id: int | None, code: Code, nonce: str | None, action: Action) -> Answer:
    player = _known(connection, device_id)
    if player and (attempts := games.attempts(connection, player.id, code, to_write=True)):
        if not attempts[0].version and attempts[0].game.words:
            return Answer(Stale(player, attempts[0]))  # It goes on from another attempt, and the page shows the deal.
        return Answer(_decided(connection, player, attempts[0], nonce, action))
    deal = unsaved(code)
    turn = act(deal.game, action)
    if isinstance(turn, Rule):
        return Answer(Refused(player or Player(0), deal, turn))
    player, new_device = _player(connection, device_id)
    try:
        with connection.begin_nested():
            one = _next_attempt(connection, player.id, code, deal.game)
    except IntegrityError:
        # Another process saved this player's next attempt in the meantime: that one stands, and this page is out of
        # date.
        if not (attempts := games.attempts(connection, player.id, code)):
            raise  # Two ids were the same by chance: the writer tries once more, with another.
        return Answer(Stale(player, attempts[0]))
    return Answer(_decided(connection, player, one, nonce, action), new_device)


def _decided(connection: Connection, player: Player, one: Saved, nonce: str | None, action: Action) -> Outcome:
    outcome = decide(player, one, 0, nonce, action)
    if isinstance(outcome, Done) and outcome.saved is not one:
        games.change(connection, [outcome.saved])
        games.note_latest(connection, {player.id: one.id})
    return outcome


def _create(connection: Connection, device_id: int | None, code: Code) -> tuple[Saved, int | None]:
    player, new_device = _player(connection, device_id)
    return _next_attempt(connection, player.id, code, unsaved(code).game), new_device


def _next_attempt(connection: Connection, player_id: int, code: Code, state: Game) -> Saved:
    return games.add(connection, player_id, code, games.last_attempt(connection, player_id, code) + 1, state)


def _restart(connection: Connection, device_id: int | None, code: Code) -> None:
    player = _known(connection, device_id)
    attempts = games.attempts(connection, player.id, code) if player else []
    if player is None or not attempts:
        return
    _unplayed(connection, player.id, code, unsaved(code).game)


def _unplayed(connection: Connection, player_id: int, code: Code, state: Game) -> None:
    """Take up the attempt that begins at this state and has no action of its own yet, or begin one."""
    attempts = games.attempts(connection, player_id, code, to_write=True)
    unplayed = next((one for one in attempts if not one.version and one.game.words == state.words), None)
    if unplayed:
        games.change(connection, [unplayed._replace(played=now_in_milliseconds())])
    else:
        _next_attempt(connection, player_id, code, state)
