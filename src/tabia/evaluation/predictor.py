"""Values of positions by a saved model, from FENs or packed boards.

The model's inputs are computed by the native core, column-wise, from packed boards. Rules are not
applied: a mated side has whatever value the model gives it. What the rules know better, and how
far a position is from what the model has seen, is the caller's to say.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from tabia._native import chess_positions
from tabia.evaluation import saved
from tabia.evaluation.inputs import columns, inputs
from tabia.evaluation.saved import Config
from tabia.learning.examples import blocks
from tabia.learning.model import Model

__all__ = ["EngineValuesError", "Predictor"]


class EngineValuesError(ValueError):
    """Engine values are wanted and not given, or their number is wrong."""


@dataclass(frozen=True)
class Predictor:
    """A saved model, ready for positions.

    Attributes
    ----------
    folder
        Where the model was read.
    config
        What is known of it.
    model
        The model itself, on inputs.
    """

    folder: Path
    config: Config
    model: Model
    _order: npt.NDArray[np.intp] | None  # of the computed inputs; None = all, as they come

    @classmethod
    def load(cls, folder: Path) -> Predictor:
        """Read a model's folder.

        Raises
        ------
        SavedModelError
            If the folder is no model that this version can use; see :func:`saved.load`.
        """
        found = saved.load(folder)
        config = found.config
        computed = columns(config.groups, config.scenario)
        order = None
        if computed != config.inputs:
            order = np.array([computed.index(name) for name in config.inputs], np.intp)
        return cls(folder, config, found.model, order)

    def predict(
        self,
        fens: Sequence[str],
        engine_values: npt.NDArray[np.float32] | None = None,
    ) -> npt.NDArray[np.float32]:
        """Return the model's values, ``[n]`` float32 pawns, White's view.

        Parameters
        ----------
        fens
            Positions; counters may be absent and do not count.
        engine_values
            ``[n, len(config.depths)]`` pawns, White's view: the engine's values at the depths
            ``config.depths``; see :mod:`tabia.evaluation.analyst`. Where one is NaN (a mate is no
            number of pawns) the model's value is NaN. Not needed in scenario 3.

        Raises
        ------
        FenError
            If a FEN is no position.
        EngineValuesError
            If the model needs engine values and there are none, or not so many.
        """
        return self.predict_boards(chess_positions.boards_from_fens(fens), engine_values)

    def predict_boards(
        self,
        boards: npt.NDArray[np.uint8],
        engine_values: npt.NDArray[np.float32] | None = None,
    ) -> npt.NDArray[np.float32]:
        """Return the values of packed boards, ``[n, 32]``; as :meth:`predict`."""
        values = self._checked(len(boards), engine_values)
        predicted = np.empty(len(boards), np.float32)
        for part in blocks(len(boards)):
            predicted[part] = self.model.predict(self._rows(boards[part], values[part]))
        if values.shape[1]:
            predicted[np.isnan(values).any(axis=1)] = np.nan
        return predicted

    def model_inputs(
        self,
        boards: npt.NDArray[np.uint8],
        engine_values: npt.NDArray[np.float32] | None = None,
    ) -> npt.NDArray[np.float32]:
        """Return what the model sees of packed boards, float32 ``[n, len(config.inputs)]``."""
        return self._rows(boards, self._checked(len(boards), engine_values))

    def _rows(
        self, boards: npt.NDArray[np.uint8], values: npt.NDArray[np.float32]
    ) -> npt.NDArray[np.float32]:
        rows = inputs(self.config.groups, boards, values).rows(slice(None))
        return rows if self._order is None else np.ascontiguousarray(rows[:, self._order])

    def _checked(
        self, count: int, engine_values: npt.NDArray[np.float32] | None
    ) -> npt.NDArray[np.float32]:
        depths = self.config.depths
        if engine_values is None:
            engine_values = np.empty((count if not depths else 0, 0), np.float32)
        values = np.asarray(engine_values, np.float32)
        if values.shape != (count, len(depths)):
            wanted = ", ".join(map(str, depths)) or "none"
            raise EngineValuesError(
                f"{self.config.run} in scenario {self.config.scenario} needs the engine's values"
                f" at depths {wanted} for {count} positions, [{count}, {len(depths)}]; given is"
                f" {list(values.shape)}"
            )
        return values
