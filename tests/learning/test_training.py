from __future__ import annotations

import contextlib
import itertools

import numpy as np
import pytest
import torch
from torch import nn

from tabia.learning.training import (
    DivergedError,
    Plan,
    Tensors,
    reproducible,
    single_threaded,
    train,
)


def line(count: int, seed: int = 0) -> Tensors:
    """Rows of y = 2 x₀ - x₁ + 1/2."""
    x = torch.from_numpy(np.random.default_rng(seed).normal(size=(count, 2)).astype(np.float32))
    return Tensors((x, x @ torch.tensor([2.0, -1.0]) + 0.5))


def trained(plan: Plan, *, seed: int = 0, rate: float = 0.05, rows=None, held=None, **more):
    with reproducible(seed, threads=1):
        net = nn.Linear(2, 1)
        loss = lambda batch: (net(batch[0]).squeeze(1) - batch[1]).square().mean()  # noqa: E731
        optimiser = torch.optim.SGD(net.parameters(), rate)
        if "gamma" in more:
            schedule = torch.optim.lr_scheduler.ExponentialLR(optimiser, more.pop("gamma"))
            more["schedule"] = schedule
        rng = np.random.default_rng(seed)
        rows = line(101) if rows is None else rows
        held = line(50, 1) if held is None else held
        history = train(net, optimiser, loss, rows, held, plan, rng, label="train a line", **more)
    return net, history


class Counted:
    """Rows that remember which were asked for, and hold chosen losses for validation."""

    def __init__(self, rows: Tensors) -> None:
        self.rows, self.asked = rows, []

    def __len__(self) -> int:
        return len(self.rows)

    def take(self, index):
        self.asked.append(index.tolist())
        return self.rows.take(index)


def test_the_loop_finds_a_planted_line():
    net, history = trained(Plan(60, 10, 60))
    np.testing.assert_allclose(net.weight.detach().numpy(), [[2, -1]], atol=1e-4)
    np.testing.assert_allclose(net.bias.detach().numpy(), [0.5], atol=1e-4)
    assert history.validation[-1] < 1e-6 < history.validation[0]
    assert not net.training


def test_an_epoch_takes_every_row_once_in_batches_of_nearly_equal_size_and_a_new_order():
    rows = Counted(line(101))
    trained(Plan(2, 25, 5), rows=rows)
    assert [len(batch) for batch in rows.asked] == [21, 20, 20, 20, 20] * 2
    epochs = [list(itertools.chain(*rows.asked[start : start + 5])) for start in (0, 5)]
    assert all(sorted(epoch) == list(range(101)) for epoch in epochs)
    assert epochs[0] != epochs[1] != list(range(101))


def test_losses_are_means_over_rows_and_not_over_batches():
    rows, held = line(101), line(1500, 1)  # more than are measured at once
    net, history = trained(Plan(1, 25, 5), rate=1e-12, rows=rows, held=held)
    for part, recorded in ((rows, history.train), (held, history.validation)):
        x, y = part.parts
        mean = (net(x).squeeze(1) - y).square().mean().detach()
        assert recorded[0] == pytest.approx(float(mean), rel=1e-5)


def test_training_stops_after_epochs_without_progress_and_keeps_the_best_weights():
    """Validation wants the opposite of training, so each epoch after the first makes it worse."""
    held = Tensors((line(50, 1).parts[0], -line(50, 1).parts[1]))
    net, history = trained(Plan(50, 10, 3), held=held)
    assert history.best == 1
    assert len(history.validation) == len(history.train) == 4
    assert list(history.validation) == sorted(history.validation)
    first, _ = trained(Plan(1, 10, 3), held=held)
    assert torch.equal(net.weight, first.weight)
    assert torch.equal(net.bias, first.bias)


def test_the_best_epoch_is_the_first_with_the_least_validation_loss():
    _, history = trained(Plan(30, 10, 30), rate=0.3)
    assert history.best == 1 + int(np.argmin(history.validation))


@pytest.mark.parametrize("clip", [0.5, 1e6])
def test_clipping_bounds_how_far_one_step_goes(clip):
    """One step of rate 1 on all rows moves the weights by the gradient, or by `clip`."""
    with reproducible(0, threads=1):
        start = nn.Linear(2, 1)
    net, _ = trained(Plan(1, 1000, 1, clip), rate=1.0)
    moved = torch.cat([net.weight - start.weight, (net.bias - start.bias)[None]], 1).detach().norm()
    x, y = line(101).parts
    (start(x).squeeze(1) - y).square().mean().backward()
    gradient = torch.cat([start.weight.grad, start.bias.grad[None]], 1).norm()
    assert gradient > 0.5
    assert float(moved) == pytest.approx(min(clip, float(gradient)), rel=1e-4)


def test_a_schedule_moves_the_step_size_once_an_epoch():
    """Steps of 0.05, 0, 0, …: only the first epoch moves the weights."""
    long, history = trained(Plan(4, 10, 9), gamma=0.0)
    short, _ = trained(Plan(1, 10, 9))
    assert torch.equal(long.weight, short.weight)
    assert history.best == 1
    assert len(set(history.validation)) == 1


def test_equal_seeds_give_equal_weights_and_other_seeds_others():
    weights = [trained(Plan(3, 10, 3), seed=seed)[0].weight for seed in (4, 4, 5)]
    assert torch.equal(weights[0], weights[1])
    assert not torch.equal(weights[0], weights[2])


def test_training_that_diverges_says_what_to_change():
    with pytest.raises(DivergedError, match=r"train a line.*after epoch 1.*smaller learning_rate"):
        trained(Plan(5, 10, 5), rate=1e20)


def test_training_that_diverges_later_keeps_what_was_good():
    net, history = trained(Plan(500, 101, 500), rate=5.0)
    assert 1 == history.best < len(history.validation) < 500
    assert torch.isfinite(net.weight).all()


def test_no_rows_are_refused():
    empty = Tensors((torch.zeros(0, 2), torch.zeros(0)))
    with pytest.raises(ValueError, match="0 training and 50 validation rows"):
        trained(Plan(1, 1, 1), rows=empty)


def test_tensors_of_unequal_length_are_refused():
    with pytest.raises(ValueError, match=r"\[2, 3\]"):
        Tensors((torch.zeros(2), torch.zeros(3)))


def test_threads_random_numbers_and_choice_of_algorithms_are_restored_even_after_a_fault():
    torch.manual_seed(12)
    expected = torch.rand(3)
    before = torch.get_num_threads()
    torch.manual_seed(12)
    torch.set_num_threads(2)
    try:
        with contextlib.suppress(KeyError), reproducible(5, threads=1):
            assert torch.get_num_threads() == 1
            assert torch.are_deterministic_algorithms_enabled()
            torch.rand(3)
            raise KeyError
        assert torch.get_num_threads() == 2
        with single_threaded():
            assert torch.get_num_threads() == 1
            assert torch.is_inference_mode_enabled()
        assert torch.get_num_threads() == 2
        assert not torch.is_inference_mode_enabled()
        assert not torch.are_deterministic_algorithms_enabled()
        assert torch.equal(torch.rand(3), expected)
    finally:
        torch.set_num_threads(before)


def test_progress_goes_to_stderr_alone(capfd):
    trained(Plan(2, 10, 2))
    out, err = capfd.readouterr()
    assert out == ""
    assert "train a line: 202 of 202 rows at most" in err
