"""Adam without torch's compiler, which every optimiser of ``torch.optim`` loads: 1.25 s a job."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import torch
from torch import nn
from torch.optim.adam import adam

__all__ = ["Adam"]


class Adam:
    """The steps of ``torch.optim.Adam(weights, learning_rate, fused=True)``, bit by bit.

    Kingma and Ba, "Adam: a method for stochastic optimization", ICLR 2015, by torch's own function
    of a step, with its betas of 0.9 and 0.999 and its epsilon of 1e-8.

    Parameters
    ----------
    weights
        What is moved.
    learning_rate
        Step size.
    """

    def __init__(self, weights: Iterable[nn.Parameter], learning_rate: float) -> None:
        self._weights = list(weights)
        self._learning_rate = learning_rate
        self._mean = [torch.zeros_like(weight) for weight in self._weights]
        self._square = [torch.zeros_like(weight) for weight in self._weights]
        self._steps = [torch.zeros(()) for _ in self._weights]

    def zero_grad(self) -> None:
        """Forget the gradients."""
        for weight in self._weights:
            weight.grad = None

    @torch.no_grad()
    def step(self) -> None:
        """Move the weights that have a gradient."""
        moved = [place for place, weight in enumerate(self._weights) if weight.grad is not None]

        def of(tensors: list[Any]) -> list[torch.Tensor]:
            return [tensors[place] for place in moved]

        adam(
            of(self._weights),
            of([weight.grad for weight in self._weights]),
            of(self._mean),
            of(self._square),
            [],
            of(self._steps),
            fused=True,
            amsgrad=False,
            beta1=0.9,
            beta2=0.999,
            lr=self._learning_rate,
            weight_decay=0.0,
            eps=1e-8,
            maximize=False,
        )

    def state_dict(self) -> dict[str, Any]:
        """Return what a restart needs."""
        return {"mean": self._mean, "square": self._square, "steps": self._steps}

    @torch.no_grad()
    def load_state_dict(self, state: Mapping[str, Any], /) -> None:
        """Go on from what :meth:`state_dict` returned."""
        for name, own in self.state_dict().items():
            for mine, kept in zip(own, state[name], strict=True):
                mine.copy_(kept)
