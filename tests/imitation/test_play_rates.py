"""Contexts of moves, how moves stand to those before, and how often they are played."""

from __future__ import annotations

from math import log

import numpy as np
import pytest

from tabia._native.xiangqi_board import encode_move
from tabia.imitation.move_contexts import CONTEXTS, HISTORY_NAMES, Moves, contexts, history
from tabia.imitation.play_rates import RATE_NAMES, PlayRates
from tabia.imitation.positions import Positions
from tests.imitation.random_games import random_positions, sampled

OPENING = "h2e2 h9g7 h0g2 i9h9 i0h0 b9c7 g2i1 g7e8 i1g2"


def game(folder, *texts: str) -> Positions:
    rows: list[dict[str, object]] = [
        {"moves": [encode_move(text) for text in moves.split()]} for moves in texts
    ]
    return Positions.read(sampled(folder, "xiangqi", rows))


def of_move(positions: Positions, row: int, text: str) -> int:
    codes, _ = positions.legal_of(np.array([row]))
    return int(np.flatnonzero(codes == encode_move(text))[0])


def stands(positions: Positions, row: int, text: str) -> dict[str, float]:
    found = history(Moves.of(positions, np.array([row])))[of_move(positions, row, text)]
    return dict(zip(HISTORY_NAMES, found.tolist(), strict=True))


def test_moves_are_compared_with_those_before(tmp_path):
    positions = game(tmp_path, OPENING)
    row = 8  # Red's horse goes back to g2, which it left a move ago
    back = stands(positions, row, "i1g2")
    assert (back["start"], back["end"]) == (1 * 9 + 8, 2 * 9 + 6)
    assert (back["moved_ago"], back["left_ago"], back["undone_ago"]) == (1, 1, 1)
    assert back["played_ago"] == 9
    assert (back["last_start"], back["last_end"]) == (7 * 9 + 6, 8 * 9 + 4)
    assert (back["last_piece"], back["own_last_piece"]) == (7 + 4, 4)  # horses
    assert back["start_to_last"] == 7
    cannon = stands(positions, row, "e2e6")
    assert cannon["moved_ago"] == 4
    assert cannon["opponent_came_ago"] == 9


def test_black_sees_the_moves_before_from_his_side(tmp_path):
    positions = game(tmp_path, "h2e2 h9g7")
    own = stands(positions, 1, "h9g7")
    assert (own["start"], own["end"]) == (89 - 88, 89 - 69)
    assert (own["last_start"], own["last_end"]) == (89 - 25, 89 - 22)
    assert own["own_last_end"] == -1
    assert own["own_last_piece"] == 0


def test_the_first_move_of_a_game_has_none_before(tmp_path):
    first = stands(game(tmp_path, OPENING), 0, "h2e2")
    ages = [first[name] for name in HISTORY_NAMES if name.endswith("_ago")]
    assert ages == [9] * 6
    assert (first["last_end"], first["start_to_last"]) == (-1, -1)


def hashes(positions: Positions, row: int, text: str) -> dict[str, int]:
    moves = Moves.of(positions, np.array([row]))
    place = of_move(positions, row, text)
    return {name: int(of()[place]) for name, of in contexts(moves, positions.view.n_kinds).items()}


def alike(one: dict[str, int], other: dict[str, int]) -> set[str]:
    return {name for name in CONTEXTS if one[name] == other[name]}


def test_every_context_sees_what_it_says_and_no_more(tmp_path):
    replies = {"right horse": "h9g7", "left horse": "b9c7", "cannon": "h7e7", "left rook": "a9a8"}
    positions = game(tmp_path, *(f"h2e2 {reply} h0g2" for reply in replies.values()))
    row_after = {int(positions.move[row - 1]): row for row in np.flatnonzero(positions.ply == 2)}
    seen = {
        name: hashes(positions, row_after[encode_move(reply)], "h0g2")
        for name, reply in replies.items()
    }
    always = {"move", "captured", "own_last", "around_end", "around", "own"}
    # The right horse leaves the file of h0 and comes to that of g2, the cannon leaves that of h0.
    assert alike(seen["right horse"], seen["left horse"]) == always
    assert alike(seen["cannon"], seen["left horse"]) == always | {"lines_end"}
    far = {"lines_start", "lines_end", "wing"}
    assert alike(seen["left rook"], seen["left horse"]) == always | far
    assert alike(seen["cannon"], seen["cannon"]) == set(CONTEXTS)


def test_a_move_has_one_context_for_both_sides(tmp_path):
    positions = game(tmp_path, "h2e2 b7e7")
    red = hashes(positions, 0, "h2e2")
    black = hashes(positions, 1, "b7e7")
    same = {"move", "captured", "own", "around_end", "around", "own_last", "lines_start"}
    assert alike(red, black) == same


def keyed(values: list[int]) -> dict[str, object]:
    return {name: lambda: np.array(values, np.uint64) for name in CONTEXTS}


def test_rates_are_drawn_towards_the_coarser_context():
    played = np.array([True, False, True, False, False, True])
    part = np.array([0, 0, 1, 1, 2, 2])
    rates, _ = PlayRates.count(keyed([5, 6, 5, 6, 5, 9]), played, part)
    found = rates.features(keyed([5, 6, 7]))
    columns = {name: found[:, place].tolist() for place, name in enumerate(RATE_NAMES)}
    base = 0.5
    first = (2 + 4 * base) / (3 + 4)  # 5 was played twice of three times
    assert columns["rate_move"] == pytest.approx(
        [log(first), log((0 + 4 * base) / (2 + 4)), log(base)], rel=1e-6
    )
    assert columns["rate_captured"][0] == pytest.approx(log((2 + 4 * first) / (3 + 4)), rel=1e-6)
    assert columns["seen_move"] == pytest.approx([log(4), log(3), 0], rel=1e-6)


def test_a_context_seen_once_is_unknown():
    rates, _ = PlayRates.count(keyed([5, 6, 6]), np.array([True, True, False]), np.array([0, 1, 2]))
    found = rates.features(keyed([5, 6]))
    assert found[:, RATE_NAMES.index("seen_move")].tolist() == pytest.approx([0, log(3)])
    assert found[0, RATE_NAMES.index("rate_move")] == pytest.approx(log(2 / 3))


def test_training_rows_do_not_see_their_own_part():
    played = np.array([True, True, False, False, False])
    part = np.array([0, 0, 1, 1, 2])
    _, crossed = PlayRates.count(keyed([5] * 5), played, part)
    base, column = 2 / 5, RATE_NAMES.index("rate_move")
    others = [(0, 3), (0, 3), (2, 3), (2, 3), (2, 4)]  # played, possible outside the own part
    expected = [log((k + 4 * base) / (n + 4)) for k, n in others]
    assert crossed[:, column].tolist() == pytest.approx(expected, rel=1e-6)


@pytest.mark.parametrize("name", ["chess", "xiangqi"])
def test_counts_read_back_are_the_same(tmp_path, name):
    positions = random_positions(tmp_path, name, [12, 12])
    moves = Moves.of(positions, np.arange(24))
    codes, offsets = positions.legal_of(np.arange(24))
    played = codes == np.repeat(positions.move, np.diff(offsets))
    found = contexts(moves, positions.view.n_kinds)
    rates, crossed = PlayRates.count(found, played, (moves.row >= 12).astype(np.intp))
    again = PlayRates.from_arrays(rates.arrays())
    assert np.array_equal(again.features(found), rates.features(found))
    assert crossed.shape == (len(codes), len(RATE_NAMES))
    assert np.isfinite(crossed).all()
