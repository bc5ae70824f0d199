"""Rows to learn from: inputs, target and the game that each row belongs to."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

__all__ = ["BLOCK", "DenseInputs", "Examples", "Inputs", "JoinedInputs", "blocks", "means"]

BLOCK = 8192
"""Rows expanded at once where inputs are kept packed."""


class Inputs(Protocol):
    """Inputs that are expanded to numbers block by block, so that millions of rows fit."""

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the inputs, in order."""
        ...

    def __len__(self) -> int: ...

    def rows(self, index: slice | npt.NDArray[np.integer]) -> npt.NDArray[np.float32]:
        """Return the inputs of some rows, float32 ``[m, len(columns)]``."""
        ...

    def take(self, index: npt.NDArray[np.integer]) -> Inputs:
        """Return some rows, still packed."""
        ...


@dataclass(frozen=True)
class DenseInputs:
    """Inputs that are numbers already.

    Attributes
    ----------
    columns
        Names of the inputs.
    x
        ``[n, len(columns)]`` float32.
    """

    columns: tuple[str, ...]
    x: npt.NDArray[np.float32]

    def __post_init__(self) -> None:
        if self.x.ndim != 2 or self.x.shape[1] != len(self.columns):
            raise ValueError(f"{len(self.columns)} columns are named, x is {self.x.shape}")

    def __len__(self) -> int:
        return len(self.x)

    def rows(self, index: slice | npt.NDArray[np.integer]) -> npt.NDArray[np.float32]:
        """Return the inputs of some rows."""
        return np.ascontiguousarray(self.x[index], np.float32)

    def take(self, index: npt.NDArray[np.integer]) -> DenseInputs:
        """Return some rows."""
        return DenseInputs(self.columns, self.x[index])


@dataclass(frozen=True)
class JoinedInputs:
    """Inputs side by side.

    Attributes
    ----------
    parts
        Inputs of the same rows, at least one.
    """

    parts: tuple[Inputs, ...]

    def __post_init__(self) -> None:
        if len({len(part) for part in self.parts}) != 1:
            raise ValueError(f"inputs of {[len(part) for part in self.parts]} rows are joined")

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the inputs, part after part."""
        return tuple(name for part in self.parts for name in part.columns)

    def __len__(self) -> int:
        return len(self.parts[0])

    def rows(self, index: slice | npt.NDArray[np.integer]) -> npt.NDArray[np.float32]:
        """Return the inputs of some rows."""
        if len(self.parts) == 1:
            return self.parts[0].rows(index)
        return np.concatenate([part.rows(index) for part in self.parts], axis=1)

    def take(self, index: npt.NDArray[np.integer]) -> JoinedInputs:
        """Return some rows."""
        return JoinedInputs(tuple(part.take(index) for part in self.parts))


@dataclass(frozen=True)
class Examples:
    """The rows of one split.

    Attributes
    ----------
    inputs
        ``n`` rows.
    target
        ``[n]`` float32, what is to be predicted.
    game_id
        ``[n]`` uint64, the game that owns the row.
    """

    inputs: Inputs
    target: npt.NDArray[np.float32]
    game_id: npt.NDArray[np.uint64]

    def __post_init__(self) -> None:
        if not len(self.inputs) == len(self.target) == len(self.game_id):
            raise ValueError(
                f"{len(self.inputs)} rows, {len(self.target)} targets, {len(self.game_id)} games"
            )

    def __len__(self) -> int:
        return len(self.target)


def blocks(count: int, size: int = BLOCK) -> Iterator[slice]:
    """Yield slices of at most `size` that cover ``range(count)``."""
    for start in range(0, count, size):
        yield slice(start, min(start + size, count))


def means(inputs: Inputs) -> npt.NDArray[np.float64]:
    """Return the mean of every input over its rows, ``[d]``, summed in order block by block."""
    total = np.zeros(len(inputs.columns))
    for part in blocks(len(inputs)):
        total += inputs.rows(part).sum(axis=0, dtype=np.float64)
    return total / len(inputs)
