from __future__ import annotations

import numpy as np
import pytest

from tabia.learning.examples import DenseInputs, Examples, blocks


def test_blocks_cover_every_row_once():
    covered = [row for part in blocks(20, 7) for row in range(20)[part]]
    assert covered == list(range(20))
    assert list(blocks(0)) == []


def test_dense_inputs_give_rows_and_parts():
    inputs = DenseInputs(("a", "b"), np.arange(8, dtype=np.float32).reshape(4, 2))
    assert inputs.rows(slice(1, 3)).tolist() == [[2, 3], [4, 5]]
    assert inputs.take(np.array([3])).rows(slice(None)).tolist() == [[6, 7]]


def test_columns_and_numbers_must_fit():
    with pytest.raises(ValueError, match="1 columns"):
        DenseInputs(("a",), np.zeros((2, 2), np.float32))


def test_examples_of_unequal_length_are_refused():
    inputs = DenseInputs(("a",), np.zeros((2, 1), np.float32))
    with pytest.raises(ValueError, match="2 rows, 3 targets"):
        Examples(inputs, np.zeros(3, np.float32), np.zeros(2, np.uint64))
