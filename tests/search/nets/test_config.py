from __future__ import annotations

import subprocess
import sys

import pytest
from pydantic import ValidationError

from tabia.search.nets.config import NetShape, Small, architecture_of, search_shape


def test_constant_planes_become_numbers():
    shape = search_shape("go", history=2, size=9)
    assert (shape.planes, shape.numbers, shape.number_planes) == (5, 3, (5, 6, 7))
    assert (shape.rows, shape.columns, shape.moves, shape.encoded_planes) == (9, 9, 82, 11)
    assert shape.unread_planes == (8, 9, 10)
    with_liberties = search_shape("go", history=2, size=9, liberties=True)
    assert (with_liberties.planes, with_liberties.unread_planes) == (8, ())
    assert (with_liberties.number_planes, with_liberties.encoded_planes) == ((5, 6, 7), 11)
    chess = search_shape("chess")
    assert (chess.planes, chess.number_planes, chess.moves) == (14, (13, 14, 15, 16, 18), 1858)
    xiangqi = search_shape("xiangqi", history=3)
    assert (xiangqi.planes, xiangqi.number_planes, xiangqi.moves) == (45, (45,), 2086)


def test_constant_planes_may_stay_planes():
    shape = search_shape("xiangqi", numbers_apart=False)
    assert (shape.planes, shape.numbers, shape.encoded_planes) == (16, 0, 16)


@pytest.mark.parametrize(
    "wrong",
    [
        {"moves": 81},
        {"rows": 8},
        {"game": "chess"},
        {"number_planes": (0, 1)},
        {"number_planes": (0, 1, 9)},
        {"number_planes": (0, 1, 1)},
        {"planes": 0},
    ],
)
def test_a_shape_that_does_not_fit_is_refused(wrong):
    right = {"game": "go", "planes": 5, "numbers": 3, "rows": 9, "columns": 9, "moves": 82}
    NetShape.model_validate(right)
    with pytest.raises(ValidationError):
        NetShape.model_validate(right | wrong)


def test_only_go_changes_its_board():
    assert search_shape("go", size=9).resized(13) == search_shape("go", size=13)
    with pytest.raises(ValueError, match="one size only"):
        search_shape("chess").resized(9)


def test_an_architecture_is_told_by_its_name():
    assert architecture_of({"architecture": "small", "channels": 16}) == Small(channels=16)
    with pytest.raises(ValidationError, match="go_player"):
        architecture_of({"architecture": "large"})


def test_nested_blocks_need_an_even_width():
    with pytest.raises(ValidationError, match="even number"):
        Small(block="nested", channels=7)


def test_settings_are_read_without_torch_and_onnx():
    code = (
        "import sys, tabia.search.nets.config;"
        "print(sorted({'torch', 'numpy', 'onnx', 'onnxruntime'} & set(sys.modules)))"
    )
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert found.stdout.strip() == "[]"
