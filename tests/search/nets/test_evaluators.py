from __future__ import annotations

import numpy as np
import pytest
import torch

from tabia.search.evaluator import Evaluator
from tabia.search.nets.config import NetShape
from tabia.search.nets.evaluators import NetEvaluator, OnnxEvaluator, TorchEvaluator
from tabia.search.nets.inputs import split
from tabia.search.nets.onnx_file import export
from tests.search.nets.made import CASES, CHESS, GO, case_name, inputs, made, outputs


def encoded(shape: NetShape, rows: int, seed: int = 0) -> np.ndarray:
    """Planes of the search's encoder, those of numbers constant."""
    planes, numbers = inputs(shape, rows, seed)
    found = np.empty((rows, shape.encoded_planes, shape.rows, shape.columns), np.float32)
    of_numbers = list(shape.number_planes)
    found[:, of_numbers] = numbers[:, : len(of_numbers), None, None]
    apart = [*of_numbers, *shape.unread_planes]
    kept = [plane for plane in range(shape.encoded_planes) if plane not in apart]
    found[:, kept] = planes
    return found


def both(net, tmp_path, **options) -> list[NetEvaluator]:
    export(net, tmp_path / "net.onnx")
    return [TorchEvaluator(net, **options), OnnxEvaluator(tmp_path / "net.onnx", **options)]


@pytest.mark.parametrize("shape", [GO, CHESS], ids=case_name)
def test_constant_planes_are_handed_over_as_numbers(shape):
    planes, numbers = inputs(shape, 3)
    found = split(encoded(shape, 3), shape)
    np.testing.assert_array_equal(found[0], planes)
    np.testing.assert_array_equal(found[1], numbers)


@pytest.mark.parametrize(("name", "shape"), CASES, ids=case_name)
def test_both_evaluators_give_the_nets_logits_and_expected_results(name, shape, tmp_path):
    net = made(name, shape)
    policy, value, *_ = outputs(net, *inputs(shape, 5))
    if value.ndim == 2:
        p = torch.softmax(torch.from_numpy(value), 1).numpy()
        value = p[:, 0] - p[:, 2]
    evaluator: Evaluator
    for evaluator in both(net, tmp_path):
        found = evaluator.evaluate(encoded(shape, 5))
        assert (found.logits.dtype, found.values.dtype) == (np.float32, np.float32)
        np.testing.assert_allclose(found.logits, policy, atol=1e-5)
        np.testing.assert_allclose(found.values, value, atol=1e-5)


@pytest.mark.parametrize("batch", [None, 2])
def test_score_and_ownership_come_only_when_they_are_asked_for(batch, tmp_path):
    net = made("all_heads", GO)
    planes = encoded(GO, 5)
    _, _, score, ownership = outputs(net, *split(planes, GO))
    for evaluator in both(net, tmp_path, batch=batch):
        found, searched = evaluator.evaluate_board(planes), evaluator.evaluate(planes)
        np.testing.assert_allclose(found.score, score, atol=1e-4)
        np.testing.assert_allclose(found.ownership, ownership, atol=1e-5)
        assert (searched.score, searched.ownership) == (None, None)
        np.testing.assert_array_equal(found.values, searched.values)
        np.testing.assert_array_equal(found.logits, searched.logits)


def test_a_net_without_these_heads_tells_neither_score_nor_ownership(tmp_path):
    for evaluator in both(made("small", GO), tmp_path):
        found = evaluator.evaluate_board(encoded(GO, 3))
        assert (found.score, found.ownership) == (None, None)
        assert found.values.shape == (3,)


def test_score_ownership_and_results_are_told(tmp_path):
    net = made("all_heads", GO)
    _, _, score, ownership = outputs(net, *inputs(GO, 5))
    for evaluator in both(net, tmp_path, batch=2):
        found = evaluator.answer(*inputs(GO, 5))
        np.testing.assert_allclose(found.score, score, atol=1e-4)
        np.testing.assert_allclose(found.ownership, ownership, atol=1e-5)
        np.testing.assert_allclose(found.results.sum(1), 1, atol=1e-6)
    for evaluator in both(made("nested", GO), tmp_path, batch=2):
        assert evaluator.answer(*inputs(GO, 5))[2:] == (None, None, None)


@pytest.mark.parametrize("name", ["go_player", "alphazero", "all_heads"])
def test_with_a_fixed_batch_an_answer_depends_on_its_own_position_alone(name, tmp_path):
    planes = encoded(GO, 37)
    order = np.random.default_rng(1).permutation(37)
    for evaluator in both(made(name, GO), tmp_path, batch=8):
        whole = evaluator.evaluate(planes)
        mixed = evaluator.evaluate(planes[order])
        np.testing.assert_array_equal(mixed.logits, whole.logits[order])
        np.testing.assert_array_equal(mixed.values, whole.values[order])
        for row in (0, 11, 36):
            alone = evaluator.evaluate(planes[row : row + 1])
            np.testing.assert_array_equal(alone.logits[0], whole.logits[row])
            np.testing.assert_array_equal(alone.values[0], whole.values[row])


def test_no_positions_give_no_answers(tmp_path):
    for evaluator in both(made("all_heads", GO), tmp_path, batch=4):
        found = evaluator.answer(*inputs(GO, 0))
        assert found.logits.shape == (0, 26)
        assert found.ownership.shape == (0, 5, 5)


def test_bfloat16_is_near_float32():
    net = made("all_heads", GO)
    fine = TorchEvaluator(net).answer(*inputs(GO, 20))
    coarse = TorchEvaluator(net, precision="bfloat16").answer(*inputs(GO, 20))
    assert not np.array_equal(fine.logits, coarse.logits)
    for ours, theirs in zip(fine, coarse, strict=True):
        assert theirs.dtype == np.float32
        assert np.abs(ours - theirs).max() < 0.05 * max(1, np.abs(ours).max())


def test_threads_are_those_that_are_given_and_are_given_back():
    before = torch.get_num_threads()
    seen = []
    evaluator = TorchEvaluator(made("small", GO), threads=before + 1)
    run = evaluator._graph.forward
    evaluator._graph.forward = lambda *args: (seen.append(torch.get_num_threads()), run(*args))[1]
    evaluator.evaluate(encoded(GO, 2))
    assert seen == [before + 1]
    assert torch.get_num_threads() == before


def test_a_net_may_change_while_its_evaluator_stays():
    net = made("small", GO)
    evaluator = TorchEvaluator(net)
    before = evaluator.evaluate(encoded(GO, 2)).logits
    with torch.no_grad():
        for weight in net.parameters():
            weight.zero_()
    np.testing.assert_array_equal(evaluator.evaluate(encoded(GO, 2)).logits, before)


def test_other_planes_are_refused(tmp_path):
    for evaluator in both(made("alphazero", GO), tmp_path):
        with pytest.raises(ValueError, match="reads 9 of the encoder, with a history of 1"):
            evaluator.evaluate(encoded(GO, 2)[:, 1:])
        with pytest.raises(ValueError, match=r"7"):
            evaluator.evaluate(encoded(GO.resized(7), 2))


def test_numbers_from_elsewhere_are_no_planes_of_the_encoder():
    shape = NetShape.model_validate(GO.model_dump() | {"number_planes": (), "unread_planes": ()})
    with pytest.raises(ValueError, match="planes and numbers apart"):
        split(np.zeros((1, 3, 5, 5), np.float32), shape)


@pytest.mark.parametrize("batch", [0, -1])
def test_a_batch_has_a_row_or_more(batch):
    with pytest.raises(ValueError, match="1 or more"):
        TorchEvaluator(made("small", GO), batch=batch)
