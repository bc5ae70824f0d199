"""The predictions table: ranks, ties, masses, and what was seen, found by hand."""

from __future__ import annotations

import numpy as np
import pytest

from tabia.imitation.policy import Prediction
from tabia.imitation.positions import Positions
from tabia.imitation.predictions import PREDICTIONS, PredictionError, table
from tests.imitation.made import positions

LEGAL = [[3, 5, 9], [2, 4], [1, 6, 7, 8]]


def made(**columns: object) -> Positions:
    return positions(game_id=[1, 1, 2], move=[5, 4, 8], legal=LEGAL, **columns)  # type: ignore[arg-type]


def prediction(*p: float, sizes: tuple[int, ...] = (3, 2, 4), **more: object) -> Prediction:
    offsets = np.cumsum([0, *sizes]).astype(np.int64)
    return Prediction(offsets=offsets, p=np.array(p, np.float32), **more)  # type: ignore[arg-type]


def rows(index: list[int], own: Prediction, train: list[int] | None = None) -> list[dict]:
    found = table(made(), np.array(index, np.intp), own, np.array(train or [], np.intp))
    assert found.schema == PREDICTIONS
    return found.to_pylist()


def test_rank_p_and_mass_before_are_of_the_move_played() -> None:
    first, second, third = rows([0, 1, 2], prediction(0.5, 0.2, 0.3, 0.1, 0.9, 0.4, 0.3, 0.2, 0.1))
    assert (first["rank"], first["top_move"]) == (3, 3)
    assert first["mass_before"] == pytest.approx(0.8)
    assert first["p"] == pytest.approx(0.2)
    assert first["top_p"] == pytest.approx(0.5)
    assert (second["rank"], second["mass_before"]) == (1, 0.0)
    assert second["top_p"] == second["p"] == pytest.approx(0.9)
    assert (third["rank"], third["n_legal"]) == (4, 4)
    assert third["mass_before"] == pytest.approx(0.9)


def test_equal_probabilities_are_ranked_by_code() -> None:
    first, second, third = rows([0, 1, 2], prediction(0.25, 0.375, 0.375, 0.5, 0.5, *[0.25] * 4))
    assert (first["rank"], first["top_move"], first["mass_before"]) == (1, 5, 0.0)
    assert (second["rank"], second["top_move"], second["mass_before"]) == (2, 2, 0.5)
    assert (third["rank"], third["top_move"], third["mass_before"]) == (4, 1, 0.75)


def test_rows_stand_in_the_order_asked_for() -> None:
    third, first = rows([2, 0], prediction(0.4, 0.3, 0.2, 0.1, 0.5, 0.2, 0.3, sizes=(4, 3)))
    assert (third["game_id"], third["move"], third["rank"]) == (2, 8, 4)
    assert (first["game_id"], first["move"], first["rank"]) == (1, 5, 3)


def test_seen_tells_whether_the_position_is_in_a_game_that_was_learned_from() -> None:
    own = made(key=[70, 71, 70])
    found = table(own, np.array([0, 1]), prediction(0.5, 0.2, 0.3, 0.1, 0.9, sizes=(3, 2)),
                  np.array([2]))  # fmt: skip
    assert found["seen"].to_pylist() == [True, False]


def test_unknown_elos_and_results_are_null() -> None:
    own = made(mover_elo=[0, 1200, 1300], other_elo=[1100, 0, 1400])
    found = table(own, np.arange(3), prediction(1, 0, 0, 1, 0, 1, 0, 0, 0), np.array([], np.intp))
    assert found["mover_elo"].to_pylist() == [None, 1200, 1300]
    assert found["other_elo"].to_pylist() == [1100, None, 1400]
    assert found["result"].to_pylist() == [None] * 3


def test_what_a_net_says_besides_stands_in_its_columns() -> None:
    own = prediction(
        1, 0, 0, 1, 0,
        sizes=(3, 2),
        illegal=np.array([0.25, 0.5], np.float32),
        unfiltered=np.array([True, False]),
        result=np.array([[0.25, 0.25, 0.5], [0.5, 0.25, 0.25]], np.float32),
    )  # fmt: skip
    first, second = rows([0, 1], own)
    assert (first["illegal"], first["unfiltered"]) == (0.25, True)
    assert (second["p_loss"], second["p_draw"], second["p_win"]) == (0.5, 0.25, 0.25)
    without = rows([0, 1], prediction(1, 0, 0, 1, 0, sizes=(3, 2)))
    assert [without[0][name] for name in ("illegal", "unfiltered", "p_win")] == [None] * 3


def test_no_rows_give_an_empty_table() -> None:
    assert rows([], prediction(sizes=())) == []


def test_probabilities_that_are_no_distribution_are_refused() -> None:
    with pytest.raises(PredictionError, match=r"row 1: probabilities add up to 0\.9000"):
        rows([0, 1], prediction(0.5, 0.2, 0.3, 0.1, 0.8, sizes=(3, 2)))
    with pytest.raises(PredictionError, match="row 1: a probability is no finite number"):
        rows([0, 1], prediction(0.5, 0.2, 0.3, 0.1, float("nan"), sizes=(3, 2)))


def test_a_prediction_of_other_positions_is_refused() -> None:
    with pytest.raises(PredictionError, match="other positions"):
        rows([0, 1], prediction(0.5, 0.5, 0.5, 0.2, 0.3, sizes=(2, 3)))
