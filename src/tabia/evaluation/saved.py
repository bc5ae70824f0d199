"""Saved models read back: ``config.json`` checked, weights loaded.

Every fault of a folder is a :class:`SavedModelError` that names the file and the remedy.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, Literal, cast

import numpy as np
import pyarrow.parquet as pq
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator

from tabia.engines.config import Limit
from tabia.evaluation.analyst import settings_of_labels
from tabia.evaluation.card import CONFIG
from tabia.evaluation.config import ascending
from tabia.evaluation.inputs import GROUPS, columns
from tabia.evaluation.models.modules import MODULES
from tabia.learning.kept_rows import KeptRows
from tabia.learning.model import KeepsRows, Model, ModelModule
from tabia.learning.seal import SealError, check_entries, check_files

__all__ = ["FILES", "Config", "LabelLimits", "SavedModel", "SavedModelError", "SplitErrors", "load"]

_WEIGHTS, _TREES, _TRAINING_ROWS = "weights.safetensors", "model.txt", "train.parquet"
_NETWORK = (_WEIGHTS, "train.safetensors", _TRAINING_ROWS)

FILES = MappingProxyType(
    dict.fromkeys(MODULES, (_WEIGHTS,))
    | {
        "engine_depth8": ("model.json",),
        "lightgbm": (_TREES,),
        "lightgbm_placement": (_TREES,),
        "rbf": _NETWORK,
        "rbf_nonuniform": _NETWORK,
        "best": (_WEIGHTS, _TREES),
    }
)
"""What each model's folder holds besides ``config.json`` and the card."""

_LARGEST_MEAN = 1e9  # of an input; beyond it products of float32 may overflow


class SavedModelError(ValueError):
    """A folder that is no model, or one that this version cannot use."""

    exit_code = 3


class NoModelError(SavedModelError):
    """There is no such folder, or it holds no model."""

    exit_code = 2


class _Part(BaseModel):
    # Later versions may write more keys; those that are read must be right.
    model_config = ConfigDict(frozen=True, extra="ignore", allow_inf_nan=False)


class LabelLimits(_Part):
    """Limits of the labels."""

    inputs: tuple[Annotated[int, Field(ge=1, le=100)], ...]
    """Depths of the engine values, shallow to deep."""
    target: Limit
    """Limit of the value that the model predicts."""

    @field_validator("inputs")
    @classmethod
    def _three(cls, inputs: tuple[int, ...]) -> tuple[int, ...]:
        return ascending(inputs)


class SplitErrors(_Part):
    """Errors on one split."""

    positions: Annotated[int, Field(ge=1)]
    games: Annotated[int, Field(ge=1)]
    mae_pawns: Annotated[float, Field(ge=0)] | None
    """Mean absolute error."""


Phase = Annotated[int, Field(ge=0, le=128)]


class Config(_Part):
    """What ``config.json`` says that matters to using the model; :mod:`tabia.evaluation.card`."""

    model: str
    run: str
    groups: tuple[str, ...]
    inputs: tuple[str, ...]
    input_means: tuple[Annotated[float, Field(ge=-_LARGEST_MEAN, le=_LARGEST_MEAN)], ...]
    phases: tuple[Phase, Phase]
    filter: str
    scenario: Literal[1, 2, 3]
    seed: Annotated[int, Field(ge=0)]
    split_by: Literal["game", "position"]
    labels: LabelLimits
    engine: Mapping[str, str]
    splits: Mapping[str, SplitErrors]
    played_by: str
    files: Mapping[str, str]

    @field_validator("groups", "inputs")
    @classmethod
    def _distinct(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if twice := sorted({name for name in names if names.count(name) > 1}):
            raise ValueError(f"{twice[0]} stands there more than once")
        return names

    @field_validator("phases")
    @classmethod
    def _ordered(cls, phases: tuple[int, int]) -> tuple[int, int]:
        if phases[0] > phases[1]:
            raise ValueError("least first, then greatest")
        return phases

    @field_validator("engine")
    @classmethod
    def _can_be_set(cls, engine: Mapping[str, str]) -> Mapping[str, str]:
        if not isinstance(json.loads(engine.get("engine.options", "{}")), dict):
            raise ValueError("engine.options is no JSON object")
        try:
            settings_of_labels(engine, "stockfish", ())
        except ValidationError as error:
            fault = error.errors()[0]
            where = ".".join(map(str, fault["loc"]))
            raise ValueError(f"engine.options: {where}: {fault['msg']}") from error
        return engine

    @property
    def depths(self) -> tuple[int, ...]:
        """Depths of the engine values among the inputs; none in scenario 3."""
        return self.labels.inputs[: sum(name.startswith("input_") for name in self.inputs)]


@dataclass(frozen=True)
class SavedModel:
    """A model and what is known of it.

    Attributes
    ----------
    folder
        Where it was read.
    config
        What ``config.json`` says.
    model
        The model, ready to predict.
    """

    folder: Path
    config: Config
    model: Model


def load(folder: Path) -> SavedModel:
    """Read a model's folder, as the training stage writes it.

    Raises
    ------
    NoModelError
        If there is no such folder, or no ``config.json`` in it.
    SavedModelError
        If ``config.json`` is damaged, a file missing or changed, the model or some of its inputs
        not known to this version, or if weights and inputs do not fit together.
    """
    config = _config(folder)
    if config.model not in MODULES:
        raise SavedModelError(
            f"{folder / CONFIG}: model {config.model!r} is not known to this version of tabia,"
            f" which has {', '.join(MODULES)}; use the version that trained it"
        )
    _check_inputs(config, folder)
    _check_files(config, folder)
    return SavedModel(folder, config, _model(config, folder))


def _config(folder: Path) -> Config:
    if not folder.is_dir():
        what = "is a file; name the folder that it is in" if folder.exists() else "no such folder"
        raise NoModelError(f"{folder}: {what}; models stand under results/evaluation/models")
    path = folder / CONFIG
    if not path.is_file():
        inside = sorted(file.parent for file in folder.glob("**/" + CONFIG))
        hint = f"; name one of those inside it, such as {inside[0]}" if inside else ""
        raise NoModelError(f"{folder}: no model, it has no {CONFIG}{hint}")
    entries = _entries(path)
    try:
        return Config.model_validate(entries)
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise SavedModelError(
            f"{path}: {where + ': ' if where else ''}{fault['msg']}; the file is damaged or of"
            " another version; train the model again"
        ) from error


def _entries(path: Path) -> dict[str, Any]:
    """Read ``config.json`` and compare its digest of itself."""
    try:
        entries = json.loads(path.read_bytes())
        if not isinstance(entries, dict):
            raise ValueError(f"it holds no object but {type(entries).__name__}")
        check_entries(entries, path)
    except SealError as error:
        raise SavedModelError(str(error)) from error
    except (ValueError, RecursionError) as error:
        raise SavedModelError(
            f"{path}: Invalid JSON: {error}; the file is damaged; train the model again"
        ) from error
    return entries


def _check_inputs(config: Config, folder: Path) -> None:
    path = folder / CONFIG
    if unknown := [name for name in config.groups if name not in GROUPS]:
        raise SavedModelError(
            f"{path}: this version of tabia computes no inputs called {', '.join(unknown)}, only"
            f" {', '.join(GROUPS)}; train the model again"
        )
    known = set(columns(config.groups, config.scenario))
    if lost := [name for name in config.inputs if name not in known]:
        more = f" and {len(lost) - 3} more" if len(lost) > 3 else ""
        raise SavedModelError(
            f"{path}: this version of tabia does not compute the inputs"
            f" {', '.join(lost[:3])}{more}; train the model again"
        )
    if len(config.input_means) != len(config.inputs):
        raise SavedModelError(
            f"{path}: {len(config.inputs)} inputs, but {len(config.input_means)} means;"
            " train the model again"
        )


def _check_files(config: Config, folder: Path) -> None:
    """Compare every file's SHA-256: LightGBM ends the process at a file that is cut short."""
    if unlisted := [name for name in FILES[config.model] if name not in config.files]:
        raise SavedModelError(
            f"{folder / CONFIG}: files does not list {', '.join(unlisted)}, which {config.model}"
            " needs; train the model again"
        )
    try:
        check_files(config.files, folder, CONFIG)
    except SealError as error:
        raise SavedModelError(str(error)) from error


def _model(config: Config, folder: Path) -> Model:
    module = cast(ModelModule, importlib.import_module(MODULES[config.model]))
    try:
        model = module.load(folder)
        # Weights of another width would fail at the first prediction only.
        values = model.predict(np.zeros((1, len(config.inputs)), np.float32))
        if not np.isfinite(values).all():
            raise ValueError(f"the value of inputs that are all 0 is {values[0]}")
        if isinstance(model, KeepsRows) and isinstance(model.kept, KeptRows):
            _check_rows(model.kept, len(config.inputs), folder)
    except Exception as error:  # each library has errors of its own
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SavedModelError(
            f"{folder}: the weights of {config.model} cannot be read or do not fit {CONFIG}:"
            f" {reason}; train the model again"
        ) from error
    return model


def _check_rows(kept: KeptRows, inputs: int, folder: Path) -> None:
    """Compare the rows kept for explanations with the inputs and with their positions."""
    if kept.x.shape[1] != inputs:
        raise ValueError(f"train.safetensors keeps rows of {kept.x.shape[1]} inputs, not {inputs}")
    positions = pq.read_metadata(folder / _TRAINING_ROWS).num_rows
    if kept.step < 1 or len(kept.x) != -(-positions // kept.step):
        raise ValueError(
            f"train.safetensors keeps {len(kept.x)} rows, one in {kept.step}, of the {positions}"
            f" positions of {_TRAINING_ROWS}"
        )
