"""Models of the other chapters as evaluators of the search.

They see each position alone, from the mover's view (:mod:`tabia.arena.planes`): what a model of
moves knows of the moves before counts at no leaf.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia.arena.planes import Game, fens, latest
from tabia.evaluation.predictor import Predictor
from tabia.imitation.imitator import Imitator, ImitatorError
from tabia.imitation.positions import Positions
from tabia.imitation.samples import expand
from tabia.records.by_game import BOARDS
from tabia.search.evaluator import Evaluation, Evaluator
from tabia.search.nets.config import search_shape

__all__ = ["JoinedEvaluator", "MovesEvaluator", "PawnsEvaluator"]

_PAWNS_TENFOLD = 4.0  # pawns that make winning ten times as likely as losing
_NEVER = -30.0  # logit of a move that a model gives no probability


class PawnsEvaluator:
    """A model of the evaluation chapter: equal priors, and its pawns as a value.

    A value is 2 / (1 + 10 ** (-pawns / 4)) - 1.

    Parameters
    ----------
    predictor
        A model that needs no engine's values.
    """

    def __init__(self, predictor: Predictor) -> None:
        self._predictor = predictor
        self._labels = search_shape("chess").moves

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        """Evaluate positions whose planes show one position."""
        pawns = self._predictor.predict(fens(planes, "chess"))
        values = 2 / (1 + np.power(10.0, -pawns.astype(np.float64) / _PAWNS_TENFOLD)) - 1
        return Evaluation(np.zeros((len(planes), self._labels), np.float32), _float32(values))


class MovesEvaluator:
    """A model of people's moves: its probabilities as priors, and the result that it expects.

    Values are 0 where the model expects none: then only ends of games count.

    Parameters
    ----------
    imitator
        The model.
    elo
        Of both sides; None is not known.
    """

    def __init__(self, imitator: Imitator, elo: int | None) -> None:
        self._imitator, self._elo = imitator, elo
        self._game = cast(Game, imitator.game)

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        """Evaluate positions whose planes show one position.

        Raises
        ------
        ImitatorError
            If the model answers with no probabilities, or does not know a position's pieces.
        """
        n, size = len(planes), planes.shape[2]
        positions = self._positions(fens(planes, self._game))
        index = np.arange(n, dtype=np.intp)
        prediction = self._imitator.policy.predict(positions, index)
        if not np.isfinite(prediction.p).all():
            raise ImitatorError(f"{self._imitator.folder}: its model gives no probabilities")
        codes, offsets = positions.legal_of(index)
        row = np.repeat(index, np.diff(offsets))
        if self._game == "go":
            labels = np.where(codes == 361, size * size, codes // 19 * size + codes % 19)
            n_labels = size * size + 1
        else:
            label = positions.view.vocabularies["from_to"].indices
            labels = label(positions.board[row], codes).astype(np.int64)
            n_labels = search_shape(self._game).moves
        logits = np.full((n, n_labels), _NEVER, np.float32)
        with np.errstate(divide="ignore"):
            log_p = np.maximum(np.log(prediction.p), _NEVER)
        logits[row, labels] = log_p
        if prediction.result is None:
            return Evaluation(logits, np.zeros(n, np.float32))
        return Evaluation(logits, _float32(prediction.result[:, 2] - prediction.result[:, 0]))

    def _positions(self, starts: list[str]) -> Positions:
        """Return a game a position; its only move, at which no model looks, is any."""
        boards = import_module(BOARDS[self._game]).expand(self._games(starts, [[]] * len(starts)))
        codes, offsets = self._imitator.view.legal_moves(np.ascontiguousarray(boards.board))
        moves = [[code] for code in codes[offsets[:-1]].tolist()]
        positions = Positions.of(expand(self._games(starts, moves), self._game), "leaves")
        if len(positions) < len(starts):
            raise ImitatorError(
                f"{self._imitator.folder}: a piece stands on a square that it never reaches; models"
                " of moves know no name for its moves"
            )
        return positions

    def _games(self, starts: list[str], moves: Sequence[Sequence[int]]) -> pa.RecordBatch:
        n = len(starts)
        number = np.arange(n, dtype=np.uint64)
        return pa.RecordBatch.from_pydict(
            {
                "game_id": pa.array(number),
                "split_hash": pa.array(number),
                "played_by": pa.array(["people"] * n),
                "variant": pa.array(["standard"] * n),
                "start_fen": pa.array(starts, pa.string()),
                "first_elo": pa.array([self._elo] * n, pa.int32()),
                "second_elo": pa.array([self._elo] * n, pa.int32()),
                "result": pa.array([None] * n, pa.int8()),
                "moves": pa.array(moves, pa.list_(pa.uint16())),
            }
        )


class JoinedEvaluator:
    """Priors of one evaluator and values of another.

    Parameters
    ----------
    game
        What is played.
    prior, value
        The evaluators, each with the number of positions that its planes show.
    """

    def __init__(
        self, game: Game, prior: tuple[Evaluator, int], value: tuple[Evaluator, int]
    ) -> None:
        self._game, self._prior, self._value = game, prior, value

    @property
    def history(self) -> int:
        """Positions that planes must show."""
        return max(self._prior[1], self._value[1])

    def evaluate(self, planes: NDArray[np.float32]) -> Evaluation:
        """Evaluate positions by both."""
        logits, values = (
            evaluator.evaluate(latest(planes, self._game, self.history, shown))
            for evaluator, shown in (self._prior, self._value)
        )
        return Evaluation(logits.logits, values.values)


def _float32(values: NDArray[np.float64] | NDArray[np.float32]) -> NDArray[np.float32]:
    return np.ascontiguousarray(values, np.float32)
