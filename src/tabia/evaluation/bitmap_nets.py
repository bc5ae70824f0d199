"""What the nets that see the board's bitmap share: it comes first and is not scaled."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import torch
from torch import nn

from tabia.evaluation.features import PLACEMENT
from tabia.evaluation.models.config import CNN, BitmapMLP
from tabia.learning.examples import Examples
from tabia.learning.nets import NetModel, train_net
from tabia.learning.training import Plan

__all__ = ["train_on_bitmap"]


def train_on_bitmap(
    name: str,
    make: Callable[[], tuple[nn.Module, torch.optim.Optimizer]],
    train: Examples,
    validation: Examples,
    settings: CNN | BitmapMLP,
    *,
    nodes: int,
    seed: int,
) -> NetModel:
    """Train a net on inputs that begin with piece placement; only what follows it is scaled.

    Parameters
    ----------
    name
        The model's, for messages.
    make, nodes, seed
        As for :func:`tabia.learning.nets.train_net`.

    Raises
    ------
    ValueError
        If the inputs do not begin with piece placement.
    """
    columns = train.inputs.columns
    if columns[: len(PLACEMENT)] != PLACEMENT:
        raise ValueError(f"{name} needs piece placement first; inputs begin {columns[:2]}")
    return train_net(
        make,
        train,
        validation,
        Plan(settings.epochs, settings.batch, settings.stop_after),
        scaled=np.arange(len(columns)) >= len(PLACEMENT),
        nodes=nodes,
        seed=seed,
        threads=settings.threads,
        label=f"train {name}",
    )
