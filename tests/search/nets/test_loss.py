from __future__ import annotations

import math

import numpy as np
import pytest
import torch

from tabia.learning.training import Plan, Tensors, reproducible, train
from tabia.search.nets.config import LossWeights
from tabia.search.nets.loss import Targets, loss, squared_weights
from tabia.search.nets.net import Outputs, make
from tests.search.nets.made import CASES, GO, TINY, case_name, inputs

NAN = float("nan")
ONE = torch.ones(1)
NO_MOVES = torch.zeros(1, 4)
NO_RESULT = torch.zeros(1, 3)


def outputs(policy=(0.0, 0, 0, 0), value=(0.0, 0, 0), **more) -> Outputs:
    return Outputs(torch.tensor([policy]), torch.tensor([value]), **more)


def test_policy_is_cross_entropy_against_a_distribution():
    target = Targets(torch.tensor([[0.5, 0.25, 0.25, 0]]), NO_RESULT, ONE)
    assert loss(outputs(), target, LossWeights()).policy.item() == pytest.approx(math.log(4))
    logits = [math.log(p) for p in (0.5, 0.25, 0.125, 0.125)]
    found = loss(outputs(logits), target, LossWeights()).policy.item()
    assert found == pytest.approx(0.5 * math.log(2) + 0.25 * math.log(4) + 0.25 * math.log(8))


def test_value_is_cross_entropy_against_results():
    logits = [math.log(p) for p in (0.5, 0.25, 0.25)]
    for result, expected in (([1.0, 0, 0], math.log(2)), ([0.5, 0, 0.5], 1.5 * math.log(2))):
        target = Targets(NO_MOVES, torch.tensor([result]), ONE)
        found = loss(outputs(value=logits), target, LossWeights())
        assert found.value.item() == pytest.approx(expected)


def test_a_scalar_value_has_the_squared_error_of_the_expected_result():
    for result, expected in (([0.0, 0, 1], 2.25), ([0.5, 0.5, 0], 0.0), ([0.0, 0, 0], 0.0)):
        target = Targets(NO_MOVES, torch.tensor([result]), ONE)
        found = loss(Outputs(NO_MOVES, torch.tensor([0.5])), target, LossWeights())
        assert found.value.item() == pytest.approx(expected)


@pytest.mark.parametrize(("error", "expected"), [(5.0, 0.125), (-10.0, 0.5), (30.0, 2.5)])
def test_score_is_hubers_loss_in_units_of_ten_points(error, expected):
    target = Targets(NO_MOVES, NO_RESULT, ONE, score=torch.tensor([7.0]))
    found = loss(outputs(score=torch.tensor([7 + error])), target, LossWeights())
    assert found.score.item() == pytest.approx(expected)


def test_ownership_is_the_mean_squared_error_over_known_points():
    target = Targets(NO_MOVES, NO_RESULT, ONE, ownership=torch.tensor([[[1.0, -1], [NAN, 0]]]))
    found = outputs(ownership=torch.tensor([[[0.5, 0], [9, 1]]]))
    assert loss(found, target, LossWeights()).ownership.item() == pytest.approx(2.25 / 3)


def test_the_total_is_the_weighted_sum_of_the_parts():
    weights = LossWeights(policy=2, value=3, score=5, ownership=7)
    target = Targets(
        torch.tensor([[1.0, 0, 0, 0]]),
        torch.tensor([[0.0, 1, 0]]),
        ONE,
        torch.tensor([10.0]),
        torch.ones(1, 1, 1),
    )
    found = loss(
        outputs(score=torch.tensor([0.0]), ownership=torch.zeros(1, 1, 1)), target, weights
    )
    expected = 2 * math.log(4) + 3 * math.log(3) + 5 * 0.5 + 7
    assert found.total.item() == pytest.approx(expected)


def test_a_row_counts_by_its_weight_and_the_batch_by_its_rows():
    policy = torch.tensor([[1.0, 0, 0, 0], [1, 0, 0, 0]])
    logits = torch.tensor([[0.0, 0, 0, 0], [9, -9, -9, -9]])
    target = Targets(policy, torch.zeros(2, 3), torch.tensor([3.0, 1]))
    found = loss(Outputs(logits, torch.zeros(2, 3)), target, LossWeights())
    assert found.policy.item() == pytest.approx(3 * math.log(4) / 2, abs=1e-6)


def test_rows_without_target_count_nothing_and_have_no_gradient():
    found = outputs(score=torch.zeros(1), ownership=torch.zeros(1, 2, 2))
    for part in found:
        part.requires_grad_()
    target = Targets(NO_MOVES, NO_RESULT, ONE, torch.tensor([NAN]), torch.full((1, 2, 2), NAN))
    parts = loss(found, target, LossWeights())
    assert [part.item() for part in parts] == [0] * 5
    parts.total.backward()
    assert all((part.grad == 0).all() for part in found)


@pytest.mark.parametrize("head", ["score", "ownership"])
def test_targets_without_a_head_are_refused(head):
    target = Targets(NO_MOVES, NO_RESULT, ONE, **{head: torch.zeros(1)})
    with pytest.raises(ValueError, match="has no head"):
        loss(outputs(), target, LossWeights())


def test_the_penalty_is_of_weights_and_not_of_biases_and_normalisations():
    net = make(GO, TINY["go_player"])
    with torch.no_grad():
        for weight in net.parameters():
            weight.fill_(2)
    layers = [part for part in net.modules() if isinstance(part, torch.nn.Conv2d | torch.nn.Linear)]
    count = sum(layer.weight.numel() for layer in layers)
    assert squared_weights(net).item() == 4 * count


@pytest.mark.parametrize("name", ["go_player", "alphazero", "all_heads"])
def test_nets_learn_positions_by_heart(name):
    rng = np.random.default_rng(0)
    rows = 16
    best = torch.nn.functional.one_hot(torch.from_numpy(rng.integers(26, size=rows)), 26).float()
    result = torch.nn.functional.one_hot(torch.from_numpy(rng.integers(3, size=rows)), 3).float()
    parts = [*map(torch.from_numpy, inputs(GO, rows)), best, result, torch.ones(rows)]
    if name == "all_heads":
        parts.append(torch.from_numpy(rng.integers(-9, 9, size=rows)).float())
        parts.append(torch.from_numpy(rng.integers(-1, 2, size=(rows, 5, 5))).float())
    examples = Tensors(tuple(parts))
    weights = LossWeights(l2=0)
    with reproducible(1, threads=1):
        net = make(GO, TINY[name])

        def measured(batch):
            return loss(net(*batch[:2]), Targets(*batch[2:]), weights).total

        with torch.no_grad():
            before = measured(examples.parts).item()
        history = train(
            net,
            torch.optim.AdamW(net.parameters(), 0.02),
            measured,
            examples,
            examples,
            Plan(40, 16, 40),
            np.random.default_rng(0),
            label=name,
        )
    assert min(history.validation) < before / 5


@pytest.mark.parametrize(("name", "shape"), CASES, ids=case_name)
def test_equal_seeds_take_equal_steps_by_deterministic_algorithms(name, shape):
    def stepped() -> dict[str, torch.Tensor]:
        with reproducible(1, threads=1):
            net = make(shape, TINY[name])
            optimiser = torch.optim.SGD(net.parameters(), 0.1)
            policy = torch.rand(8, shape.moves).softmax(1)
            target = Targets(policy, torch.rand(8, 3).softmax(1), torch.rand(8))
            found = net(*map(torch.from_numpy, inputs(shape, 8)))
            loss(found, target, LossWeights()).total.backward()
            optimiser.step()
        return net.state_dict()

    one, two = stepped(), stepped()
    assert all(torch.equal(part, two[label]) for label, part in one.items())
