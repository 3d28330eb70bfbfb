"""What holds of every game at any time, over random play (G-1, G-6, G-7, G-10, and the rules of both games).

Each action is also done by the plain reading of the rules in ``reference.py``; ``walks.py`` compares and checks.
"""

import random
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.engine.codes import DEALS, numbered, parse_code
from app.engine.game import Game
from app.engine.games import GAMES
from app.engine.moves import Action, Auto, Command, Move
from app.engine.play import legal
from app.engine.position import Position
from app.engine.rules import Rules
from tests.engine import reference
from tests.engine.tables import STEADY, Record, game_id, lines
from tests.engine.walks import Walk

UNDO, REDO, DEAL = Command.UNDO, Command.REDO, Command.DEAL
CODED = lines("coded_games.jsonl")


def walk(rules: Rules, number: int) -> Walk:
    """Return a walk that begins with a deal."""
    position = numbered(rules, number).deal()
    return Walk(rules, position, plain(rules, position))


def plain(rules: Rules, position: Position) -> reference.Table:
    """Return the plain reading's game that begins at a position."""
    columns, stock = position.names(hidden="?{}"), Position((position.stock,), (0,)).names()[0]
    if rules.game == "simple-simon":
        return reference.table("simple-simon", columns, stock)
    return reference.table("classic" if rules.variant == "C" else "relaxed", columns, stock)


INDEX = st.integers(0, 9)
WISHES = st.one_of(
    st.tuples(st.just("legal"), st.integers(0, 999)),
    st.tuples(st.just("legal"), st.integers(0, 999)),
    st.tuples(st.just("legal"), st.integers(0, 999)),
    st.tuples(st.just("any"), INDEX, st.integers(0, 15), INDEX),
    st.tuples(st.just("auto"), INDEX, st.integers(0, 15)),
    st.tuples(st.sampled_from(["deal", "undo", "redo"])),
)


def actions(game: Game, wish: tuple[int | str, ...]) -> Iterator[Action]:
    """Return the action that a drawn wish stands for on this table, if any."""
    columns = len(game.position.columns)
    match wish:
        case ("legal", int(number)):
            moves = legal(game.rules, game.position)
            if moves:
                yield moves[number % len(moves)]
        case ("any", int(source), int(at), int(target)):
            yield Move(source % columns, at, target % columns)
        case ("auto", int(source), int(at)):
            yield Auto(source % columns, at)
        case (str(command),):
            yield Command(command)


@pytest.mark.parametrize("rules", GAMES, ids=game_id)
@settings(STEADY, max_examples=200)
@given(number=st.integers(0, DEALS - 1), wishes=st.lists(WISHES, max_size=100))
def test_any_sequence_of_actions_keeps_the_game_whole(
    rules: Rules, number: int, wishes: list[tuple[int | str, ...]]
) -> None:
    """G-1, G-6, G-7, G-10, SS-3 to SS-7, SC-2 to SC-9 and faults 10, 15, 24."""
    walked = walk(rules, number)
    for wish in wishes:
        for action in actions(walked.game, wish):
            walked.do(action)
    walked.check_everything()


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("rules", GAMES, ids=game_id)
def test_long_random_play_keeps_the_game_whole(rules: Rules, seed: int) -> None:
    """G-1, G-6, G-7, G-10 and faults 23, 24: 400 actions, so that undo reaches its limit, checked on the way."""
    chance = random.Random(seed)
    walked = walk(rules, chance.randrange(DEALS))
    for _ in range(8):
        walked.stroll(chance, 50)
        walked.check_everything()


@pytest.mark.parametrize("record", CODED, ids=lambda record: str(record["id"]))
def test_a_won_game_with_detours_is_the_game_without_them(record: Record) -> None:
    """G-4, G-6, G-7, G-10 and fault 26: what was refused or undone, even a run or a flip, leaves no trace."""
    chance = random.Random(record["code"])
    code = parse_code(record["code"])
    position = code.deal()
    walked, straight = (Walk(code.rules, position, plain(code.rules, position)) for _ in range(2))
    for wish in record["moves"]:
        detour(walked, chance)
        action = DEAL if wish == "deal" else Move(*wish)
        assert walked.do(action)
        assert straight.do(action)
    detour(walked, chance)
    assert walked.game.won
    assert walked.game.position == straight.game.position
    assert walked.game.words[: walked.game.made * 4] == straight.game.words
    assert (walked.game.score, walked.game.made) == (record["final_score"], record["n_moves"])
    walked.check_everything()


def detour(walked: Walk, chance: random.Random) -> None:
    """Leave the way at random, and come back to the same table."""
    there = walked.game
    if chance.random() < 0.5:
        back = chance.randint(0, min(8, there.undoable))
        assert [walked.do(command) for command in [UNDO] * back + [REDO] * back] == [True] * back * 2
        assert walked.game == there
    else:
        wishes = [wish for wish in (walked.wish(chance) for _ in range(6)) if wish not in (UNDO, REDO)]
        made = sum(walked.do(wish) for wish in wishes)
        assert [walked.do(UNDO) for _ in range(made)] == [True] * made
    assert (walked.game.position, walked.game.score, walked.game.made) == (there.position, there.score, there.made)


@pytest.mark.parametrize("rules", GAMES, ids=game_id)
@settings(STEADY, max_examples=40)
@given(seed=st.integers(0, 2**32), made=st.integers(0, 160), undone=st.integers(0, 120), more=st.integers(0, 40))
def test_no_more_than_the_100_latest_actions_are_taken_back(
    rules: Rules, seed: int, made: int, undone: int, more: int
) -> None:
    """G-6, G-7: of 150 actions, 40 undone and 10 more made, 70 can be undone; and so for all numbers."""
    chance = random.Random(seed)
    walked = walk(rules, chance.randrange(DEALS))
    made = accept(walked, chance, made)
    undone = min(undone, made, 100)
    assert [walked.do(UNDO) for _ in range(undone)] == [True] * undone
    assert walked.game.redoable == undone
    more = accept(walked, chance, more)
    left = min(min(made, 100) - undone + more, 100)
    assert (walked.game.made, walked.game.undoable) == (made - undone + more, left)
    assert walked.game.redoable == (0 if more else undone)
    assert [walked.do(UNDO) for _ in range(left + 1)] == [True] * left + [False]


def accept(walked: Walk, chance: random.Random, actions: int) -> int:
    """Make this many legal moves, fewer where none is left, and return how many were made."""
    for number in range(actions):
        moves = legal(walked.game.rules, walked.game.position)
        if not moves:
            return number
        walked.do(chance.choice(moves))
    return actions
