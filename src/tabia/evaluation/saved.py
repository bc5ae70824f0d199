"""Saved models read back: ``config.json`` checked, weights loaded.

Every fault of a folder is a :class:`SavedModelError` that names the file and the remedy.
"""

from __future__ import annotations

import hashlib
import importlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, cast

import numpy as np
from pydantic import BaseModel, ConfigDict, ValidationError, field_validator

from tabia.engines.config import Limit
from tabia.evaluation.card import CONFIG
from tabia.evaluation.inputs import GROUPS, columns
from tabia.evaluation.models.modules import MODULES
from tabia.learning.model import Model, ModelModule

__all__ = ["Config", "LabelLimits", "SavedModel", "SavedModelError", "SplitErrors", "load"]


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

    inputs: tuple[int, ...]
    """Depths of the engine values, shallow to deep."""
    target: Limit
    """Limit of the value that the model predicts."""


class SplitErrors(_Part):
    """Errors on one split."""

    positions: int
    games: int
    mae_pawns: float | None
    """Mean absolute error."""


class Config(_Part):
    """What ``config.json`` says that matters to using the model; :mod:`tabia.evaluation.card`."""

    model: str
    run: str
    groups: tuple[str, ...]
    inputs: tuple[str, ...]
    input_means: tuple[float, ...]
    phases: tuple[int, int]
    filter: str
    scenario: Literal[1, 2, 3]
    seed: int
    split_by: Literal["game", "position"]
    labels: LabelLimits
    engine: Mapping[str, str]
    splits: Mapping[str, SplitErrors]
    played_by: str
    files: Mapping[str, str]

    @field_validator("engine")
    @classmethod
    def _has_options(cls, engine: Mapping[str, str]) -> Mapping[str, str]:
        if not isinstance(json.loads(engine.get("engine.options", "{}")), dict):
            raise ValueError("engine.options is no JSON object")
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
    try:
        return Config.model_validate_json(path.read_bytes())
    except ValidationError as error:
        fault = error.errors()[0]
        where = ".".join(map(str, fault["loc"]))
        raise SavedModelError(
            f"{path}: {where + ': ' if where else ''}{fault['msg']}; the file is damaged or of"
            " another version; train the model again"
        ) from error


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
    for name, digest in sorted(config.files.items()):
        path = folder / name
        if not path.is_file():
            raise SavedModelError(
                f"{path}: the file is missing, {CONFIG} lists it; train the model again"
            )
        with path.open("rb") as file:
            found = hashlib.file_digest(file, "sha256").hexdigest()
        if found != digest:
            raise SavedModelError(
                f"{path}: the file is damaged, it is not what training wrote; train the model again"
            )


def _model(config: Config, folder: Path) -> Model:
    module = cast(ModelModule, importlib.import_module(MODULES[config.model]))
    try:
        model = module.load(folder)
        # Weights of another width would fail at the first prediction only.
        model.predict(np.zeros((1, len(config.inputs)), np.float32))
    except Exception as error:  # each library has errors of its own
        reason = str(error).splitlines()[0] if str(error) else type(error).__name__
        raise SavedModelError(
            f"{folder}: the weights of {config.model} cannot be read or do not fit {CONFIG}:"
            f" {reason}; train the model again"
        ) from error
    return model
