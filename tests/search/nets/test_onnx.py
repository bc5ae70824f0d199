from __future__ import annotations

import numpy as np
import onnx
import pytest
import torch
from torch import nn

from tabia.learning.training import single_threaded
from tabia.search.nets.evaluators import OnnxEvaluator
from tabia.search.nets.graph import folded
from tabia.search.nets.net import make
from tabia.search.nets.onnx_file import UnknownOperationError, export
from tabia.search.nets.quantise import quantise
from tabia.search.nets.sessions import OnnxFileError
from tests.search.nets.made import CASES, GO, TINY, case_name, inputs, made, outputs

SOME_ROWS = 7


def of_file(path, shape, rows=SOME_ROWS):
    evaluator = OnnxEvaluator(path)
    return evaluator._run(*inputs(shape, rows), board=True)


@pytest.mark.parametrize(("name", "shape"), CASES, ids=case_name)
def test_torch_and_onnxruntime_agree(name, shape, tmp_path):
    net = made(name, shape)
    export(net, tmp_path / "net.onnx")
    found = of_file(tmp_path / "net.onnx", shape)
    wanted = outputs(net, *inputs(shape, SOME_ROWS))
    for ours, theirs in zip(wanted, found, strict=True):
        if ours is None:
            assert theirs is None
        else:
            assert ours.shape == theirs.shape
            assert np.abs(ours).max() > 0.01
            assert np.abs(ours - theirs).max() < 1e-5


@pytest.mark.parametrize(("name", "shape"), CASES, ids=case_name)
def test_folding_changes_nothing_but_the_last_digits(name, shape):
    net = made(name, shape)
    graph = folded(net)
    planes, numbers = map(torch.from_numpy, inputs(shape, 3))
    with single_threaded():
        for ours, theirs in zip(net(planes, numbers), graph(planes, numbers), strict=True):
            if ours is not None:
                np.testing.assert_allclose(ours, theirs, rtol=1e-4, atol=1e-5)
    left = sum(isinstance(part, nn.BatchNorm2d) for part in graph.modules())
    # The first normalisation of every unit and the last one see sums, not convolutions.
    assert left == (3 if name == "go_player" else 0)


def test_a_file_is_the_same_every_time_and_names_no_path(tmp_path):
    for name in ("one", "two"):
        export(made("all_heads", GO), tmp_path / name)
    data = (tmp_path / "one").read_bytes()
    assert data == (tmp_path / "two").read_bytes()
    assert b"site-packages" not in data
    assert b"/tabia/" not in data


def test_a_net_for_every_board_is_written_for_the_board_that_is_asked_for(tmp_path):
    net = made("all_heads", GO)
    export(net, tmp_path / "net.onnx", size=7)
    shape = GO.resized(7)
    found = of_file(tmp_path / "net.onnx", shape)
    for ours, theirs in zip(outputs(net, *inputs(shape, SOME_ROWS)), found, strict=True):
        assert np.abs(ours - theirs).max() < 1e-5
    with pytest.raises(ValueError, match="was made for 5 × 5"):
        export(made("alphazero", GO), tmp_path / "other.onnx", size=7)


def test_what_cannot_be_written_is_refused(tmp_path):
    class Odd(nn.Module):
        def forward(self, x):
            return torch.sin(x)

    net = made("alphazero", GO)
    net.blocks = Odd()
    with pytest.raises(UnknownOperationError, match="sin"):
        export(net, tmp_path / "net.onnx")
    net.blocks = nn.ELU()
    with pytest.raises(UnknownOperationError, match="ELU"):
        export(net, tmp_path / "net.onnx")
    assert not list(tmp_path.iterdir())


def test_files_that_are_no_nets_are_refused(tmp_path):
    with pytest.raises(OnnxFileError, match="no such file"):
        OnnxEvaluator(tmp_path / "none.onnx")
    (tmp_path / "text.onnx").write_text("a text")
    with pytest.raises(OnnxFileError, match="cannot read it"):
        OnnxEvaluator(tmp_path / "text.onnx")
    export(made("small", GO), tmp_path / "net.onnx")
    model = onnx.load(tmp_path / "net.onnx")
    del model.metadata_props[:]
    onnx.save(model, tmp_path / "foreign.onnx")
    with pytest.raises(OnnxFileError, match="its metadata have no 'tabia'"):
        OnnxEvaluator(tmp_path / "foreign.onnx")


@pytest.mark.parametrize("name", list(TINY))
def test_eight_bits_are_near_float32_and_the_same_every_time(name, tmp_path):
    net = made(name, GO)
    export(net, tmp_path / "net.onnx")
    for target in ("one", "two"):
        quantise(tmp_path / "net.onnx", tmp_path / target, *inputs(GO, 100, seed=5))
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    kinds = {node.op_type for node in onnx.load(tmp_path / "one").graph.node}
    assert "QuantizeLinear" in kinds
    found = of_file(tmp_path / "one", GO, rows=50)
    for ours, theirs in zip(outputs(net, *inputs(GO, 50)), found, strict=True):
        if ours is not None:
            assert not np.array_equal(ours, theirs)
            assert np.abs(ours - theirs).max() < 0.15 * np.abs(ours).max()


def test_quantisation_needs_positions(tmp_path):
    export(make(GO, TINY["small"]), tmp_path / "net.onnx")
    planes, numbers = inputs(GO, 0)
    with pytest.raises(ValueError, match="positions to calibrate by"):
        quantise(tmp_path / "net.onnx", tmp_path / "int8.onnx", planes, numbers)
    assert not (tmp_path / "int8.onnx").exists()
