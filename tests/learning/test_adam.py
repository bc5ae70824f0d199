from __future__ import annotations

import subprocess
import sys

import pytest
import torch

from tabia.learning.adam import Adam


def weights() -> list[torch.nn.Parameter]:
    torch.manual_seed(3)
    shapes = ((7, 5), (5,), (2, 3, 4, 4), (1,))
    return [torch.nn.Parameter(torch.randn(shape)) for shape in shapes]


def slope(moved: list[torch.nn.Parameter], step: int) -> None:
    for number, weight in enumerate(moved):
        if (step, number) != (2, 1):  # one that a batch does not reach
            weight.grad = torch.cos(weight.detach() * (step + 1)) * 10.0 ** (number - 2)


def test_steps_are_those_of_torch_bit_by_bit() -> None:
    ours, theirs = weights(), weights()
    own, torchs = Adam(ours, 0.01), torch.optim.Adam(theirs, 0.01, fused=True)
    for step in range(6):
        own.zero_grad()
        torchs.zero_grad()
        assert all(weight.grad is None for weight in ours)
        slope(ours, step)
        slope(theirs, step)
        own.step()
        torchs.step()
        assert all(torch.equal(a, b) for a, b in zip(ours, theirs, strict=True))
    assert not torch.equal(ours[0], weights()[0])


def test_a_first_step_is_the_learning_rate_against_the_sign_of_the_gradient() -> None:
    weight = torch.nn.Parameter(torch.tensor([1.0, 1.0]))
    optimiser = Adam([weight], 0.1)
    weight.grad = torch.tensor([5.0, -0.2])
    optimiser.step()
    assert weight.tolist() == pytest.approx([0.9, 1.1], abs=1e-6)


def test_it_goes_on_from_its_state() -> None:
    straight, cut = weights(), weights()
    first, before = Adam(straight, 0.01), Adam(cut, 0.01)
    for step in range(4):
        slope(straight, step)
        first.step()
        if step == 2:
            after = Adam(cut, 0.01)
            after.load_state_dict(before.state_dict())
            before = after
        slope(cut, step)
        before.step()
    assert all(torch.equal(a, b) for a, b in zip(straight, cut, strict=True))


def test_it_does_not_load_torchs_compiler() -> None:
    program = (
        "import sys, torch; from tabia.learning.adam import Adam;"
        " w = torch.nn.Parameter(torch.ones(2)); a = Adam([w], 0.1); a.zero_grad();"
        " (w * w).sum().backward(); a.step();"
        " sys.exit('torch._dynamo' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program]).returncode == 0
