"""One more game as a few lines of data: Wasp, which is Scorpion with an empty column that takes any card (SC-10)."""

import random
from dataclasses import replace

import pytest

from app.engine.cards import RANK
from app.engine.game import start
from app.engine.games.scorpion import CLASSIC
from app.engine.moves import Auto, Command, Move
from app.engine.play import best, legal
from app.engine.position import Position
from app.engine.rules import Rule, any_card, one_rank_higher
from app.engine.shuffle import deal
from tests.engine.reference import table
from tests.engine.tables import begin, down, kinds, refused, scorpion, shown, turn
from tests.engine.walks import Walk

WASP = replace(CLASSIC, game="wasp", prefix="WA1", variant="W", choice=("rules", "wasp"), vacant=any_card)


def test_wasp_differs_from_scorpion_in_one_line() -> None:
    """SC-10: any card or group goes to an empty column, and all else is Scorpion's."""
    game = begin(WASP, scorpion("?9D 5H 3C", "6H", "8S"), Move(0, 1, 3))
    assert (shown(game.position), game.score) == (["9D", "6H", "8S", "5H 3C"], 5)
    assert refused(start(WASP, scorpion("8S", "7H")), Move(1, 0, 0)) is Rule.WRONG_SUIT
    assert best(WASP, scorpion("?9D 5H 3C", "6H", "8S"), Auto(0, 1)) == Move(0, 1, 1)
    assert best(WASP, scorpion("?9D 5H 3C", "6S", "8S"), Auto(0, 1)) == Move(0, 1, 3)


def test_a_run_and_a_flip_of_wasp_are_taken_back_by_the_same_undo() -> None:
    """SC-10, G-6: the inverse of an action asks no rule."""
    position = scorpion(f"?9D {down('KH', '2H')}", "?5C AH", "", stock="2C 3C 4C")
    done = turn(start(WASP, position), Move(1, 1, 0))
    assert kinds(done.events) == ["moved", "suited", "removed", "flipped", "flipped"]
    assert turn(done.game, Command.UNDO).game[1:3] == (position, 0)
    dealt = turn(start(WASP, position), Command.DEAL).game
    assert turn(dealt, Command.UNDO).game[1:3] == (position, 0)


@pytest.mark.parametrize("seed", range(20))
def test_wasp_is_played_undone_and_redone_by_the_engine_as_it_is(seed: int) -> None:
    """SC-10, G-1, G-6, G-7, G-10: long random games, compared action by action with the plain reading of the rules."""
    position = deal(WASP, f"WA1-{seed}")
    walk = Walk(WASP, position, table("wasp", position.names(hidden="?{}"), names_of(position)))
    walk.stroll(random.Random(seed), 150)
    walk.check_everything()


def test_a_rule_by_which_groups_cannot_be_found_is_told_at_once() -> None:
    """SC-10: groups are found by the ends that take the same cards, so no card may go onto two kinds of ends."""

    def one_or_two_higher(top: str, card: str) -> Rule | None:
        return None if RANK[top] == RANK[card] + 2 else one_rank_higher(top, card)

    with pytest.raises(ValueError, match="one_or_two_higher"):
        legal(replace(WASP, build=one_or_two_higher), scorpion("9S 5H"))


def names_of(position: Position) -> list[str]:
    """Return the names of the stock's cards."""
    return [name for column in Position((position.stock,), (0,)).names() for name in column]


def test_a_column_emptied_in_wasp_makes_more_moves_than_in_scorpion() -> None:
    """SC-10."""
    position = scorpion("9S 5H", "2D", "KC")
    assert set(legal(CLASSIC, position)) < set(legal(WASP, position))
