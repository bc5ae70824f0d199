"""A saved model of moves, ready for any game or position."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from importlib import import_module
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia.games.go import GAME as GO
from tabia.games.mover_view import MoverView
from tabia.imitation.by_game import SECOND
from tabia.imitation.card import CONFIG
from tabia.imitation.config import MOST_ELO
from tabia.imitation.models.modules import ALL, MODELS
from tabia.imitation.policy import Index, Policy, Prediction
from tabia.imitation.positions import VIEWS, Positions, view_of
from tabia.imitation.samples import expand
from tabia.imitation.train import module_of, predict
from tabia.learning.seal import SealError, check_entries, check_files, digest_of_folder
from tabia.match.ground import GameName, Ground
from tabia.records.by_game import BOARDS

__all__ = ["Imitator", "ImitatorError", "Line", "load", "nucleus", "tempered"]

_NEEDED = ("kind", "game", "module", "model", "bin", "fold", "files")
_BIN = re.compile(rf"{ALL}|\d{{1,9}}-\d{{1,9}}")
_LONGEST_FAULT = 300


class ImitatorError(ValueError):
    """A folder that holds no model of moves, or a position that none can be asked about."""

    exit_code = 2


@dataclass(frozen=True)
class Line:
    """A position to predict the next move of, by how it came about.

    Attributes
    ----------
    start_fen
        Where the moves begin; None is the game's own start.
    moves
        Codes of the moves played since.
    mover_elo, other_elo
        Of the side to move and of its opponent; None = unknown.
    """

    start_fen: str | None
    moves: Sequence[int]
    mover_elo: int | None = None
    other_elo: int | None = None


@dataclass(frozen=True)
class Imitator:
    """A model with what its folder says of it.

    Attributes
    ----------
    about
        ``config.json``.
    policy
        The model.
    folder
        Where it was read.
    """

    about: dict[str, Any]
    policy: Policy
    folder: Path

    @property
    def game(self) -> str:
        """Game that it plays."""
        return str(self.about["game"])

    @property
    def view(self) -> MoverView:
        """How its game shows positions."""
        return view_of(self.game)

    def elo(self) -> int | None:
        """Return the middle of the bin that it learned from; None if it learned from all Elos."""
        low, _, high = str(self.about["bin"]).partition("-")
        return (int(low) + int(high) + 1) // 2 if high else None

    def digest(self) -> str:
        """Return the first sixteen digits of the SHA-256 of its files' names and contents."""
        return digest_of_folder(self.folder)

    def next_move(self, line: Line) -> tuple[NDArray[np.uint16], NDArray[np.float64], Prediction]:
        """Return the legal moves after `line`, their probabilities, and the whole prediction.

        Raises
        ------
        ImitatorError
            If an Elo is not from 1 to :data:`tabia.imitation.config.MOST_ELO`, there is no legal
            move, or the model answers with no probabilities.
        ValueError
            If the start or a move is not legal.
        """
        for elo in (line.mover_elo, line.other_elo):
            if elo is not None and not 1 <= elo <= MOST_ELO:
                raise ImitatorError(f"Elo {elo}: must be from 1 to {MOST_ELO:,}")
        positions = _line(self.game, self.view, line)
        index = np.array([len(positions) - 1], np.intp)
        codes, _ = positions.legal_of(index)
        prediction = self._checked(self.policy.predict(positions, index))
        p = prediction.p.astype(np.float64)
        return codes, p / p.sum(), prediction

    def predict(self, positions: Positions, index: Index) -> Prediction:
        """Return the distributions of rows `index`, telling on stderr how far it is.

        Raises
        ------
        ImitatorError
            If the model answers with no probabilities.
        """
        return self._checked(predict(self.policy.predict, positions, index, "moves"))

    def _checked(self, prediction: Prediction) -> Prediction:
        """Return `prediction` if it is one: weights that are damaged may be read all the same."""
        p = prediction.p.astype(np.float64)
        mass = np.add.reduceat(p, prediction.offsets[:-1]) if len(p) else p
        if not (np.isfinite(p).all() and (mass > 0).all()):
            raise ImitatorError(f"{self.folder}: its model gives no probabilities; train it again")
        return prediction


def load(folder: Path) -> Imitator:
    """Read a model's folder.

    Raises
    ------
    ImitatorError
        If the folder is none of this chapter's, a file of it is missing, damaged or written by
        another version, or a package that the model needs is not installed.
    """
    file = folder / CONFIG
    try:
        about = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        why = "" if isinstance(error, FileNotFoundError) else f" to read ({error.strerror})"
        raise ImitatorError(
            f"{folder}: no {CONFIG}{why}; name the folder of a model, such as"
            " results/imitation/xiangqi/models/ensemble/all/final"
        ) from error
    except (ValueError, RecursionError) as error:
        raise ImitatorError(f"{file}: not JSON ({error}); train the model again") from error
    if not isinstance(about, dict) or about.get("kind") != "imitation":
        raise ImitatorError(
            f"{folder}: no model of moves; `tabia evaluate` reads those of the evaluation chapter"
        )
    if wrong := _wrong(about):
        raise ImitatorError(f"{file}: {wrong}; train the model again")
    try:
        check_entries(about, file)
        check_files(about["files"], folder, CONFIG)
    except SealError as error:
        raise ImitatorError(str(error)) from error
    except ValueError as error:
        raise ImitatorError(f"{file}: {error}; train the model again") from error
    try:
        policy = module_of(about["module"]).load(folder)
    except FileNotFoundError as error:
        missing = Path(str(error.filename))
        shown = missing.relative_to(folder) if missing.is_relative_to(folder) else missing
        raise ImitatorError(f"{folder}: {shown} is missing; train the model again") from error
    except ModuleNotFoundError as error:
        raise ImitatorError(
            f"{folder}: the model needs the package {error.name}, which this installation has not;"
            " `./setup run` installs everything"
        ) from error
    except Exception as error:
        # Whatever a library thinks of a file that is cut short, of another shape or of another
        # version: each has errors of its own.
        told = " ".join(str(error).split())[:_LONGEST_FAULT]
        raise ImitatorError(
            f"{folder}: its weights cannot be read ({type(error).__name__}: {told}); they are"
            " damaged or of another version: train the model again"
        ) from error
    return Imitator(about, policy, folder)


def _wrong(about: dict[str, Any]) -> str | None:
    """Return what is wrong with a card."""
    if missing := [key for key in _NEEDED if key not in about]:
        return f"lacks {', '.join(missing)}"
    if about["game"] not in VIEWS:
        return f"no game {about['game']!r}"
    model = about["model"]
    if model not in MODELS or about["module"] != MODELS[model].module:
        return f"no model {model!r} of module {about['module']!r}"
    if not _BIN.fullmatch(str(about["bin"])):
        return f"no bin {about['bin']!r}"
    return None


def _line(game: str, view: MoverView, line: Line) -> Positions:
    """Return the positions along `line`, the last of them the one to predict."""
    if line.start_fen is not None:  # with all its fields, whatever was left out
        size = line.start_fen.split(" ")[0].count("/") + 1 if game == "go" else None
        fen = Ground(cast(GameName, game), size=size).fen(line.start_fen)
        if fen is not None or size in (None, GO.size):  # a smaller board is no game's own start
            line = replace(line, start_fen=fen)
    played = import_module(BOARDS[game]).expand(_batch(line, line.moves, game)).board
    if not view.ordinary(np.ascontiguousarray(played[:1])).all():
        raise ImitatorError(
            f"{line.start_fen}: a piece stands on a square that it never reaches; models know no"
            " name for its moves"
        )
    last = view.legal_moves(np.ascontiguousarray(played[-1:]))[0]
    if not len(last):
        raise ImitatorError("the side to move has no legal move: the game is over")
    # A sample is a position and its move, so the position asked about gets one: its first.
    samples = expand(_batch(line, (*line.moves, int(last[0])), game), game)
    return Positions.of(samples, "the line of moves")


def _batch(line: Line, moves: Sequence[int], game: str) -> pa.RecordBatch:
    """Return one game as a batch of the games table."""
    begins_second = line.start_fen is not None and line.start_fen.split()[1:2] == [SECOND[game]]
    second_to_move = (len(line.moves) % 2 == 1) ^ begins_second
    elos = (line.other_elo, line.mover_elo) if second_to_move else (line.mover_elo, line.other_elo)
    return pa.RecordBatch.from_pydict(
        {
            "game_id": pa.array([0], pa.uint64()),
            "split_hash": pa.array([0], pa.uint64()),
            "played_by": pa.array(["people"]),
            "variant": pa.array(["standard"]),
            "start_fen": pa.array([line.start_fen], pa.string()),
            "first_elo": pa.array([elos[0]], pa.int32()),
            "second_elo": pa.array([elos[1]], pa.int32()),
            "result": pa.array([None], pa.int8()),
            "moves": pa.array([list(moves)], pa.list_(pa.uint16())),
        }
    )


def tempered(p: NDArray[np.float64], temperature: float) -> NDArray[np.float64]:
    """Return ``p ** (1 / temperature)``, normalised: above 1 flatter, below 1 sharper."""
    with np.errstate(divide="ignore", over="ignore"):
        log = np.log(p)
        # The likeliest is 0 before the division: of a tiny temperature the others are -inf.
        share = np.exp((log - log.max()) / temperature)
    return np.asarray(share / share.sum())


def nucleus(p: NDArray[np.float64], top_p: float) -> NDArray[np.float64]:
    """Keep the fewest likeliest moves whose probabilities exceed `top_p` together; normalised.

    That is the set of the paper's top-p (Zhou, "XQSV", section IV); at 0 one move is left. Of equal
    moves the first stays.
    """
    order = np.argsort(-p, kind="stable")
    before = np.cumsum(p[order]) - p[order]
    kept = np.zeros_like(p)
    inside = order[before <= top_p]
    kept[inside] = p[inside]
    return np.asarray(kept / kept.sum())
