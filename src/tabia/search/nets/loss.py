"""What training minimises: a pure function of a net's outputs, targets and weights."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import nn
from torch.nn import functional

from tabia.search.nets.config import LossWeights
from tabia.search.nets.net import Outputs

__all__ = ["LossParts", "Targets", "loss", "squared_weights"]


class Targets(NamedTuple):
    """What a net should have said, from the mover's view. Float32.

    Attributes
    ----------
    policy
        ``[B, moves]`` shares that sum to 1: visits, say. A row of zeros has no target.
    value
        ``[B, 3]`` probabilities of win, draw and loss. A row of zeros has no target.
    weight
        ``[B]`` how much a row counts; 1 on average over all rows.
    score
        ``[B]`` points ahead at the end, komi included; NaN has no target. None for none at all.
    ownership
        ``[B, rows, columns]`` -1, 0 or 1 and what is between; NaN has no target. None for none at
        all.
    """

    policy: torch.Tensor
    value: torch.Tensor
    weight: torch.Tensor
    score: torch.Tensor | None = None
    ownership: torch.Tensor | None = None


class LossParts(NamedTuple):
    """A loss and its parts, scalars; the parts are not yet multiplied by their weights.

    Attributes
    ----------
    total
        What is minimised.
    policy, value, score, ownership
        Means over the rows of each row's loss times its weight; rows without target count 0.
    """

    total: torch.Tensor
    policy: torch.Tensor
    value: torch.Tensor
    score: torch.Tensor
    ownership: torch.Tensor


def loss(outputs: Outputs, targets: Targets, weights: LossWeights) -> LossParts:
    """Return the loss of a batch, without the L2 penalty (:func:`squared_weights`).

    Policy: cross-entropy over all labels, legal or not, as in AlphaZero. Value: cross-entropy, or
    for a scalar the squared difference from P(win) - P(loss). Score: Huber's loss of the error in
    units of `score_scale` points. Ownership: squared error, mean over a row's points with a target.

    A row's weight multiplies its loss; sums are divided by the number of rows and not by the sum of
    weights, so that a batch of unimportant rows takes a small step.

    Raises
    ------
    ValueError
        If there are targets for a head that the net has not.
    """
    log_p = functional.log_softmax(outputs.policy.float(), 1)
    policy = -(targets.policy * log_p).sum(1)
    known = targets.value.sum(1)
    if outputs.value.ndim == 2:
        value = -(targets.value * functional.log_softmax(outputs.value.float(), 1)).sum(1)
    else:
        expected = targets.value[:, 0] - targets.value[:, 2]
        value = (outputs.value.float() - expected).square() * known
    zero = outputs.policy.new_zeros(())
    parts = {"policy": policy, "value": value, "score": zero, "ownership": zero}
    if targets.score is not None:
        if outputs.score is None:
            raise ValueError("targets of the score, but the net has no head for it")
        parts["score"] = _score(outputs.score.float(), targets.score, weights.score_scale)
    if targets.ownership is not None:
        if outputs.ownership is None:
            raise ValueError("targets of ownership, but the net has no head for it")
        parts["ownership"] = _ownership(outputs.ownership.float(), targets.ownership)
    means = {
        name: (part * targets.weight).mean() if part.ndim else part for name, part in parts.items()
    }
    total = torch.stack([getattr(weights, name) * part for name, part in means.items()]).sum()
    return LossParts(total, **means)


def _score(found: torch.Tensor, target: torch.Tensor, scale: float) -> torch.Tensor:
    # An error of NaN would make the gradient NaN, even times 0.
    error = torch.where(target.isnan(), 0.0, found - target.nan_to_num()) / scale
    return functional.huber_loss(error, torch.zeros_like(error), reduction="none")


def _ownership(found: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    known = ~target.isnan()
    error = torch.where(known, (found - target.nan_to_num()).square(), 0.0)
    return error.sum((1, 2)) / known.sum((1, 2)).clamp(min=1)


def squared_weights(net: nn.Module) -> torch.Tensor:
    """Return the sum of squares of the weights of convolutions and fully connected layers.

    Biases and batch normalisations are left out. Times `LossWeights.l2` it is the L2 penalty of the
    papers' losses, which belongs to training and not to validation.
    """
    layers = [part for part in net.modules() if isinstance(part, nn.Conv2d | nn.Linear)]
    return torch.stack([layer.weight.square().sum() for layer in layers]).sum()
