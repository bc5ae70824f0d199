"""Trees that spare own eyes: which moves are left out, and that games end by passes."""

from __future__ import annotations

import numpy as np

from tabia.search.config import GoRules
from tabia.search.play import play_chunk
from tabia.search.trees import Trees
from tests.search.made import HashEvaluator, settings
from tests.search.test_play import selfplay

# Black: walls around A5 (an eye in the corner) and E1, whose corner D2 is White's (a false eye).
#   A B C D E
# 5 . X . . .
# 4 X X . . .
# 3 . . . . .
# 2 . . . O X
# 1 . . . X .
BOARD = "1X3/XX3/5/3OX/3X1 b - 0 0 0"
A5, E1, PASS = 0, 19 * 4 + 4, 361


def legal(spares_eyes: bool, board: str = BOARD) -> list[int]:
    trees = Trees(GoRules(size=5, spares_eyes=spares_eyes), settings())
    trees.reset(0, board)
    return trees.searcher.legal_moves(0)


def test_own_eyes_are_left_out_and_false_ones_are_not() -> None:
    assert set(legal(False)) - set(legal(True)) == {A5}
    assert E1 in legal(True)
    assert PASS in legal(True)


def test_eyes_of_the_other_are_no_own_eyes() -> None:
    white = BOARD.replace(" b ", " w ")
    assert legal(True, white) == legal(False, white)


def test_the_other_side_may_fill_what_a_tree_spares() -> None:
    trees = Trees(GoRules(size=5, spares_eyes=True), settings())
    trees.reset(0, BOARD, [A5])
    assert not trees.root(0).first_to_move


def test_games_of_such_trees_end_sooner() -> None:
    lengths = []
    for spares_eyes in (False, True):
        rules = GoRules(size=5, komi=0.5, max_plies=200, spares_eyes=spares_eyes)
        games, _ = play_chunk(rules, selfplay(), 1, HashEvaluator(26), range(8), 1)
        lengths.append(np.mean(games["n_plies"].to_numpy()))
    assert lengths[1] < lengths[0]
