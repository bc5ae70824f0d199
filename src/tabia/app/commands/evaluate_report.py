"""What ``tabia evaluate`` says of positions, as plain values: the keys of its JSON.

docs/evaluate.md describes every key. Numbers of pawns are White's view throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabia._native import chess_positions
from tabia.engines.config import Limit
from tabia.evaluation.analyst import Analyst, Score, differences
from tabia.evaluation.explain import Explainer, Reasons
from tabia.evaluation.predictor import Predictor
from tabia.games.chess import ChessPosition
from tabia.learning.rbf_explanation import Explanation

__all__ = ["SHOWN", "Asked", "Reporter"]

SHOWN = 8
"""Effects that are told one by one; the others are summed."""

_CENTRES, _NEIGHBOURS = 5, 5  # told one by one

_RESULTS = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}


@dataclass(frozen=True)
class Asked:
    """The engine beside the model.

    Attributes
    ----------
    analyst
        The running engine, if there is one.
    depths
        Limits of the engine values among the model's inputs.
    target
        Limit of the value beside the model's.
    fault
        Why there is no engine, if one was wanted.
    """

    analyst: Analyst | None
    depths: tuple[Limit, ...]
    target: Limit
    fault: str


@dataclass(frozen=True)
class _Known:
    """A position with all that was found out about it."""

    position: ChessPosition
    scores: dict[Limit, Score]
    value: float | None
    reasons: Reasons | None


class Reporter:
    """Makes reports of positions.

    Parameters
    ----------
    predictor
        The model.
    asked
        The engine.
    explain
        Whether values are explained, which takes far longer than the values.

    Attributes
    ----------
    failures
        Positions so far that have no value because the engine failed.
    """

    def __init__(self, predictor: Predictor, asked: Asked, *, explain: bool = True) -> None:
        self._predictor, self._asked = predictor, asked
        self._explainer = Explainer(predictor) if explain else None
        self._differences = (
            differences(predictor.config.engine, asked.analyst.identity) if asked.analyst else []
        )
        self.failures = 0

    def reports(self, positions: Sequence[ChessPosition]) -> list[dict[str, Any]]:
        """Return one report a position, in order; the model and the engine are asked at once."""
        going = [i for i, position in enumerate(positions) if position.outcome() is None]
        fens = [positions[i].board.epd() for i in going]
        scores: list[dict[Limit, Score]] = [{} for _ in positions]
        if self._asked.analyst and fens:
            limits = list(dict.fromkeys([*self._asked.depths, self._asked.target]))
            for i, said in zip(going, self._asked.analyst.scores(fens, limits), strict=True):
                scores[i] = said
        boards = chess_positions.boards_from_fens(fens)
        values = np.array(
            [[_pawns(scores[i][depth]) for depth in self._asked.depths] for i in going], np.float32
        ).reshape(len(going), len(self._asked.depths))
        predicted = self._predictor.predict_boards(boards, values)
        reasons: list[Reasons | None] = [None] * len(going)
        if self._explainer:
            rows = self._predictor.model_inputs(boards, values)
            reasons = [
                None if np.isnan(value) else self._explainer.reasons(row)
                for value, row in zip(predicted, rows, strict=True)
            ]
        known = [_Known(position, scores[i], None, None) for i, position in enumerate(positions)]
        for i, value, why in zip(going, predicted, reasons, strict=True):
            if not np.isnan(value):
                known[i] = _Known(positions[i], scores[i], _plain(value), why)
        return [self._report(item) for item in known]

    def _report(self, known: _Known) -> dict[str, Any]:
        position, board = known.position, known.position.board
        outcome = position.outcome()
        # A draw is a number of pawns; a mate is none.
        value = 0.0 if outcome == 0 else known.value
        return {
            "fen": board.epd(),
            "value": value,
            "result": None if outcome is None else _RESULTS[outcome],
            "side_to_move": "black" if board.black_to_move else "white",
            "phase": board.phase,
            "in_check": board.is_check,
            "model": self._model(),
            "engine_inputs": [
                {"limit": limit.text, **_score(known.scores[limit])}
                for limit in self._asked.depths
                if limit in known.scores
            ],
            "engine": self._engine(known),
            "explanation": _explanation(known.reasons),
            "notes": [{"code": code, "text": text} for code, text in self._notes(known)],
        }

    def _model(self) -> dict[str, Any]:
        config = self._predictor.config
        test = config.splits.get("test")
        return {
            "folder": str(self._predictor.folder),
            "name": config.run,
            "filter": config.filter,
            "scenario": config.scenario,
            "seed": config.seed,
            "split_by": config.split_by,
            "test_mae": test.mae_pawns if test else None,
            "test_positions": test.positions if test else 0,
            "test_games": test.games if test else 0,
        }

    def _engine(self, known: _Known) -> dict[str, Any] | None:
        score = known.scores.get(self._asked.target)
        if self._asked.analyst is None or score is None or score.fault:
            return None
        identity = self._asked.analyst.identity
        return {
            "name": identity.name,
            "version": identity.version,
            "limit": self._asked.target.text,
            **_score(score),
            "move": score.move,
            "as_labelled": not self._differences
            and self._asked.target == self._predictor.config.labels.target,
        }

    def _notes(self, known: _Known) -> list[tuple[str, str]]:
        board, config = known.position.board, self._predictor.config
        if (outcome := known.position.outcome()) is not None:
            return [("over", _ending(known.position, outcome))]
        notes = []
        faults = [
            (limit, known.scores[limit].fault)
            for limit in (*self._asked.depths, self._asked.target)
            if limit in known.scores and known.scores[limit].fault
        ]
        if known.value is None:
            mates = [limit.text for limit in self._asked.depths if known.scores[limit].mate]
            if mates:
                text = f"no value: the engine sees a mate at {', '.join(mates)}, which is no"
                notes.append(("mate_input", f"{text} number of pawns to give to the model"))
            else:
                self.failures += 1
        notes += [("engine_failed", f"at {limit.text}: {fault}") for limit, fault in faults[:1]]
        if known.reasons and known.reasons.network and known.reasons.network.outside:
            notes.append(("outside", _outside(known.reasons.network)))
        low, high = config.phases
        if known.value is not None and not low <= board.phase <= high:
            what = {0: " (endgame)", 128: " (opening)"}.get(board.phase, "")
            notes.append(
                (
                    "phase",
                    f"phase {board.phase}{what} is outside the model's training, which had phases"
                    f" {low} to {high}: its value may be far off",
                )
            )
        if known.value is not None and board.is_check:
            notes.append(
                ("check", "the side to move is in check; models err more there than elsewhere")
            )
        if self._asked.fault:
            notes.append(("engine_missing", f"no engine value: {self._asked.fault}"))
        if self._differences:
            text = "; ".join(self._differences)
            consequence = (
                "the model was not trained on such inputs"
                if self._asked.depths
                else "the model predicts another engine's values"
            )
            notes.append(("engine_differs", f"{text}: {consequence}"))
        if config.split_by == "position":
            notes.append(
                ("leaking_split", "the test MAE is of a split by position, which flatters")
            )
        if known.value is not None and known.reasons is None and self._explainer:
            notes.append(("no_explanation", f"{config.run} gives no explanation"))
        return notes


def _ending(position: ChessPosition, outcome: int) -> str:
    board = position.board
    if board.is_checkmate:
        return f"checkmate, {'White' if outcome > 0 else 'Black'} has won"
    if board.is_stalemate:
        return "stalemate, a draw"
    if board.halfmove_clock >= 100:
        return "drawn by the fifty-move rule"
    return "a draw, neither side has the pieces to mate"


def _pawns(score: Score) -> float:
    return np.nan if score.pawns is None else score.pawns


def _score(score: Score) -> dict[str, Any]:
    return {"pawns": score.pawns, "mate": score.mate}


def _outside(network: Explanation) -> str:
    if network.distance > 1:
        return (
            f"the position lies outside every sphere (relative distance {network.distance:.2f}"
            " to the nearest centre, above 1): the model has seen nothing like it, and its value"
            " may be far off"
        )
    names = ", ".join(network.unseen[:3]) + (", …" if len(network.unseen) > 3 else "")
    return (
        f"{names} was the same in all of training and differs here, which the model does not see:"
        " its value may be far off"
    )


def _explanation(found: Reasons | None) -> dict[str, Any] | None:
    if found is None:
        return None
    return {
        "base": round(found.base, 6),
        "effects": [
            {
                "input": effect.input,
                "value": _plain(effect.value),
                "mean": float(f"{effect.mean:.6g}"),
                "pawns": round(effect.pawns, 6),
            }
            for effect in found.effects[:SHOWN]
        ],
        "other_effects": {
            "inputs": max(len(found.effects) - SHOWN, 0),
            "pawns": round(found.rest(SHOWN), 6),
        },
        "remainder": round(found.remainder, 6),
        "spheres": _spheres(found.network),
        "neighbours": [
            {"fen": near.fen, "target": _plain(near.target), "distance": round(near.distance, 6)}
            for near in found.near[:_NEIGHBOURS]
        ],
    }


def _spheres(network: Explanation | None) -> dict[str, Any] | None:
    if network is None:
        return None
    return {
        "outside": network.outside,
        "distance": round(network.distance, 6),
        "unseen": list(network.unseen),
        "fired": len(network.fired),
        "fired_pawns": round(sum(centre.contribution for centre in network.fired), 6),
        "other_pawns": round(network.rest, 6),
        "centres": [
            {
                "centre": centre.centre,
                "distance": round(centre.distance, 6),
                "membership": round(centre.membership, 6),
                "pawns": round(centre.contribution, 6),
            }
            for centre in network.fired[:_CENTRES]
        ],
    }


def _plain(value: float | np.float32) -> float:
    """Return the shortest decimal that is this float32."""
    return float(str(np.float32(value)))
