"""Tiny nets of every architecture, with batch normalisations that do something."""

from __future__ import annotations

import numpy as np
import torch

from tabia.learning.training import reproducible, single_threaded
from tabia.search.nets.config import AlphaZero, GoPlayer, NetShape, Small, search_shape
from tabia.search.nets.net import Net, make

GO = search_shape("go", size=5)
CHESS = search_shape("chess")
XIANGQI = search_shape("xiangqi", numbers_apart=False)
TINY = {
    "go_player": GoPlayer(channels=8, narrow=4, blocks=1, units=2, hidden=8),
    "alphazero": AlphaZero(channels=8, blocks=2, hidden=8),
    "small": Small(channels=8, blocks=2, head=4, hidden=8),
    "nested": Small(channels=8, blocks=2, head=4, hidden=8, block="nested", value="scalar"),
    "all_heads": Small(channels=8, blocks=2, head=4, hidden=8, score=True, ownership=True),
}
CASES = [
    *((name, shape) for name in ("go_player", "alphazero") for shape in (GO, XIANGQI)),
    *((name, shape) for name in ("small", "nested") for shape in (GO, CHESS, XIANGQI)),
    ("all_heads", GO),
]


def case_name(value: object) -> str:
    return value.game if isinstance(value, NetShape) else str(value)


def inputs(shape: NetShape, rows: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Planes of zeros and ones, and numbers."""
    rng = np.random.default_rng(seed)
    board = (rows, shape.planes, shape.rows, shape.columns)
    planes = (rng.random(board) < 0.3).astype(np.float32)
    return planes, rng.normal(size=(rows, shape.numbers)).astype(np.float32)


def made(name: str, shape: NetShape, seed: int = 1) -> Net:
    """An untrained net that has seen some batches, so that its normalisations are not trivial."""
    with reproducible(seed, threads=1):
        net = make(shape, TINY[name])
        for part in net.modules():
            if isinstance(part, torch.nn.BatchNorm2d):
                torch.nn.init.uniform_(part.weight, 0.5, 1.5)
                torch.nn.init.uniform_(part.bias, -0.5, 0.5)
        with torch.no_grad():
            for turn in range(3):
                net(*map(torch.from_numpy, inputs(shape, 16, turn)))
    return net.eval()


def outputs(net: Net, planes: np.ndarray, numbers: np.ndarray) -> list[np.ndarray | None]:
    with single_threaded():
        found = net(torch.from_numpy(planes), torch.from_numpy(numbers))
    return [None if part is None else part.numpy() for part in found]
