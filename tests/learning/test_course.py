"""A training that was killed goes on where it was, to the same weights."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from tabia.learning import course
from tabia.learning.training import Batch, Plan, Tensors, reproducible, train

ROWS = 64


class KilledError(RuntimeError):
    """Stands for a killed job."""


def trained(
    state: Path | None, *, kill_at: int | None = None, by_step: bool = True
) -> tuple[torch.Tensor, int]:
    """Weights after four epochs, and the steps that this call took."""
    taken = 0
    with reproducible(5, threads=1):
        net = nn.Sequential(nn.Linear(3, 8), nn.Dropout(0.3), nn.ReLU(), nn.Linear(8, 1))
        x = torch.randn(ROWS, 3)
        rows = Tensors((x, x.sum(1)))
        optimiser = torch.optim.AdamW(net.parameters(), lr=0.01)
        steps = 4 * ROWS // 8
        schedule = torch.optim.lr_scheduler.OneCycleLR(optimiser, 0.01, total_steps=steps + 1)

        def loss(batch: Batch) -> torch.Tensor:
            nonlocal taken
            if net.training:
                if taken == kill_at:
                    raise KilledError
                taken += 1
            return (net(batch[0]).squeeze(1) - batch[1]).square().mean()

        train(
            net,
            optimiser,
            loss,
            rows,
            rows,
            Plan(epochs=4, batch=8, stop_after=4),
            np.random.default_rng(7),
            label="train a net",
            schedule=schedule if by_step else None,
            by_step=by_step,
            state=state,
        )
    return net[0].weight.detach().clone(), taken


@pytest.fixture
def always(monkeypatch):
    monkeypatch.setattr(course, "_SAVE_EVERY_S", 0.0)


@pytest.mark.parametrize("kill_at", [1, 7, 8, 9, 20, 31])
def test_a_killed_training_ends_with_the_same_weights(tmp_path, always, kill_at, capsys):
    whole, _ = trained(None)
    with pytest.raises(KilledError):
        trained(tmp_path / "state.pt", kill_at=kill_at)
    assert (tmp_path / "state.pt").is_file()
    again, taken = trained(tmp_path / "state.pt")
    assert torch.equal(whole, again)
    assert taken == 32 - kill_at
    assert "train a net: goes on in epoch" in capsys.readouterr().err
    assert not (tmp_path / "state.pt").exists()


def test_a_damaged_state_is_said_and_training_begins_anew(tmp_path, capsys):
    (tmp_path / "state.pt").write_bytes(b"PK\x03\x04 cut")
    whole, _ = trained(None)
    again, taken = trained(tmp_path / "state.pt")
    assert torch.equal(whole, again)
    assert taken == 32
    assert "state.pt cannot be read" in capsys.readouterr().err


def test_a_state_of_another_net_is_not_taken(tmp_path, always, capsys):
    torch.save({"net": {"0.weight": torch.zeros(2, 2)}}, tmp_path / "state.pt")
    _, taken = trained(tmp_path / "state.pt")
    assert taken == 32
    assert "training begins anew" in capsys.readouterr().err
