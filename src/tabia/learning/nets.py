"""Torch nets that predict one number: scaling, training, prediction, weights on disk.

A net sees inputs that are centred and scaled, and gives the target in units of its own spread;
both scales come from the training rows alone and are saved with the weights. Training minimises
the mean squared error. All is float32.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from safetensors.numpy import load_file, save_file
from torch import nn

from tabia.learning.examples import Examples, blocks
from tabia.learning.training import Batch, Plan, reproducible, single_threaded, train

__all__ = ["NetModel", "Scales", "Shapes", "load_net", "train_net"]

Shapes = Mapping[str, tuple[int, ...]]
"""Shapes of a net's weights, by name."""

_FILE = "weights.safetensors"
_BATCH = 1024  # rows predicted at once: a net's activations are many times its inputs


class Scales(nn.Module):
    """Centres and spreads of inputs and target; buffers, so that they are saved with weights.

    Parameters
    ----------
    width
        Number of inputs.
    """

    centre: torch.Tensor
    spread: torch.Tensor
    target: torch.Tensor

    def __init__(self, width: int) -> None:
        super().__init__()
        self.register_buffer("centre", torch.zeros(width))
        self.register_buffer("spread", torch.ones(width))
        self.register_buffer("target", torch.tensor([0.0, 1.0]))

    def measure(self, rows: Examples, scaled: npt.NDArray[np.bool_]) -> None:
        """Take mean and standard deviation of the target and of the `scaled` ``[d]`` inputs.

        Other inputs stay as they are. What never varies is centred and not scaled.
        """
        sums, squares = np.zeros(len(scaled)), np.zeros(len(scaled))
        first = rows.inputs.rows(slice(0, 1))[0].astype(np.float64)  # avoids cancellation
        for part in blocks(len(rows)):
            x = rows.inputs.rows(part).astype(np.float64) - first
            sums += x.sum(axis=0)
            squares += np.square(x).sum(axis=0)
        mean = sums / len(rows)
        spread = _spread(squares / len(rows) - np.square(mean))
        y = rows.target.astype(np.float64)
        centre = np.where(scaled, first + mean, 0.0)
        self.centre.copy_(torch.from_numpy(centre))
        self.spread.copy_(torch.from_numpy(np.where(scaled, spread, 1.0)))
        self.target.copy_(torch.tensor([y.mean(), _spread(y.var())]))

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Scale inputs ``[n, d]``."""
        return (x - self.centre) / self.spread


def _spread(variance: npt.ArrayLike) -> npt.NDArray[np.float64]:
    """Return standard deviations, one where there is no variance."""
    variance = np.asarray(variance)
    return np.sqrt(np.where(variance > 1e-12, variance, 1.0))


@dataclass(frozen=True)
class NetModel:
    """A trained net.

    Attributes
    ----------
    scales
        What its numbers mean.
    net
        Maps scaled inputs ``[n, d]`` to the scaled target ``[n]``.
    nodes
        Hidden units, or filters of a convolutional net.
    epochs
        Passes over the training rows behind the weights.
    """

    scales: Scales
    net: nn.Module
    nodes: int
    epochs: int

    @property
    def n_parameters(self) -> int:
        """Weights and biases; scales are measured, not fitted."""
        return sum(weight.numel() for weight in self.net.parameters())

    @property
    def facts(self) -> Mapping[str, int]:
        """Hidden units or filters, and the epochs that early stopping kept."""
        return {"nodes": self.nodes, "epochs": self.epochs}

    def predict(self, x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
        """Return ``[n]`` for inputs ``[n, d]``, in the units of the target, on one thread.

        A row's value may depend on the rows beside it in the last bits of a float32.
        """
        centre, spread = self.scales.target
        predicted = np.empty(len(x), np.float32)
        self.net.eval()
        with single_threaded():
            for part in blocks(len(x), _BATCH):
                rows = torch.from_numpy(np.ascontiguousarray(x[part], np.float32))
                predicted[part] = self.net(self.scales(rows)).mul(spread).add(centre).numpy()
        return predicted

    def save(self, folder: Path) -> None:
        """Write ``weights.safetensors``."""
        tensors = {f"scales.{name}": part for name, part in self.scales.state_dict().items()}
        tensors |= {f"net.{name}": part for name, part in self.net.state_dict().items()}
        arrays = {name: part.contiguous().numpy() for name, part in tensors.items()}
        save_file(arrays | {"epochs": np.array([self.epochs])}, folder / _FILE)


def train_net(
    make: Callable[[], tuple[nn.Module, torch.optim.Optimizer]],
    rows: Examples,
    held: Examples,
    plan: Plan,
    *,
    scaled: npt.NDArray[np.bool_],
    nodes: int,
    seed: int,
    threads: int,
    label: str,
) -> NetModel:
    """Make a net and train it.

    Parameters
    ----------
    make
        Called once, where torch's random numbers come from `seed`.
    rows, held
        Training and validation rows.
    scaled
        ``[d]`` which inputs are centred and scaled.
    nodes
        See :class:`NetModel`.
    threads
        Threads of training; another number gives other sums.
    label
        Begins the line of progress.
    """
    scales = Scales(len(scaled))
    scales.measure(rows, scaled)
    with reproducible(seed, threads=threads):
        net, optimiser = make()

        def loss(batch: Batch) -> torch.Tensor:
            x, y = batch
            error: torch.Tensor = net(x) - y
            return error.square().mean()

        rng = np.random.default_rng(seed)
        history = train(
            net, optimiser, loss, _Rows(rows, scales), _Rows(held, scales), plan, rng, label=label
        )
    return NetModel(scales, net, nodes, history.best)


def load_net(folder: Path, make: Callable[[int, Shapes], tuple[nn.Module, int]]) -> NetModel:
    """Read a saved model.

    Parameters
    ----------
    make
        Returns an untrained net and its `nodes`, given the number of inputs and the shapes of the
        saved weights by the names they have in the net.
    """
    tensors = load_file(folder / _FILE)
    epochs = int(tensors.pop("epochs")[0])
    parts: dict[str, dict[str, torch.Tensor]] = {"scales": {}, "net": {}}
    for name, values in tensors.items():
        owner, rest = name.split(".", 1)
        parts[owner][rest] = torch.from_numpy(values)
    width = len(parts["scales"]["centre"])
    scales = Scales(width)
    scales.load_state_dict(parts["scales"])
    with reproducible(0, threads=1):  # weights are drawn before they are replaced
        net, nodes = make(width, {name: tuple(part.shape) for name, part in parts["net"].items()})
    net.load_state_dict(parts["net"])
    return NetModel(scales, net.eval(), nodes, epochs)


@dataclass(frozen=True)
class _Rows:
    """Examples as scaled tensors."""

    examples: Examples
    scales: Scales

    def __len__(self) -> int:
        return len(self.examples)

    def take(self, index: npt.NDArray[np.intp]) -> Batch:
        centre, spread = self.scales.target
        x = torch.from_numpy(self.examples.inputs.rows(index))
        y = torch.from_numpy(self.examples.target[index])
        return self.scales(x), (y - centre) / spread
