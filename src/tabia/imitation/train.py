"""Stage ``imitation.train``: one model of moves, on one Elo bin, with one fold held back.

Which model it is comes from the wildcards. The module is found by name when the job runs, so that
this stage's code mark covers no model and a change in one model retrains that one only.
"""

from __future__ import annotations

import importlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, cast

import numpy as np
import pyarrow as pa

from tabia.imitation import card
from tabia.imitation.folds import Parts, parts
from tabia.imitation.policy import Lesson, PolicyModule, Prediction
from tabia.imitation.positions import Positions
from tabia.imitation.predictions import table
from tabia.learning.folder import atomic_folder
from tabia.tables import parquet
from tabia.tables.progress import Progress
from tabia.tables.spec import Spec, SpecError

__all__ = ["StructureError", "module_of", "predict", "rows", "run"]

_BATCH = 4096  # positions predicted together


class StructureError(ValueError):
    """A result of a structure search that names no structure."""

    exit_code = 3


def run(
    spec: Spec,
    *,
    samples: Path,
    phase: Path | None,
    pretrained: Path | None,
    parts: Mapping[str, Path],
    model: Path,
    predictions: Path | None,
) -> None:
    """Train one model and predict the test fold with it.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, ``game``, ``vocabulary``, ``model`` (name), ``module``,
        ``settings``, ``member``, ``folds``, ``validation``; wildcards are ``game``, ``model``,
        ``bin`` and ``fold``.
    samples
        IN: the game's rated samples.
    phase
        IN: the last phase of the structure search, for models that have one.
    pretrained
        IN: folder of the net that was trained on unrated games, for models that start from it.
    parts
        IN: folders of the models that this one is put together from.
    model
        OUT: folder for the weights, ``config.json`` and the card.
    predictions
        OUT: table under :data:`tabia.imitation.predictions.PREDICTIONS`; None for the final model,
        which holds no fold back.
    """
    positions = Positions.read(samples)
    own = rows(spec, positions)
    lesson = Lesson(
        positions=positions,
        train=own.train,
        validation=own.validation,
        structure=None if phase is None else _structure(phase),
        pretrained=pretrained,
        parts=parts,
    )
    config = spec.config
    settings = dict(config["settings"]) | {
        "game": config["game"],
        "vocabulary": config["vocabulary"],
    }
    # The seed of every run is drawn from the configuration's, apart from every other use of it.
    seed = int(spec.rng("model", spec.wildcards["bin"], spec.wildcards["fold"]).integers(2**31))
    policy = module_of(config["module"]).fit(lesson, settings, seed)
    found = table(
        positions,
        own.validation,
        predict(policy.predict, positions, own.validation, "validation"),
        own.train,
    )
    tested = None
    if predictions is not None:
        tested = table(
            positions, own.test, predict(policy.predict, positions, own.test, "test"), own.train
        )
    about = card.about(spec, policy, positions, own, lesson.structure, found, tested)
    with atomic_folder(model) as folder:
        policy.save(folder)
        card.write(about, folder)
    if predictions is not None and tested is not None:
        parquet.write(tested, predictions, spec=spec)


def rows(spec: Spec, positions: Positions) -> Parts:
    """Return the rows of a job's bin and fold."""
    config = spec.config
    return parts(
        positions,
        spec.wildcards["bin"],
        spec.wildcards["fold"],
        member=config["member"],
        folds=config["folds"],
        validation=config["validation"],
    )


def module_of(name: str) -> PolicyModule:
    """Return a model's module.

    Raises
    ------
    SpecError
        If there is none of that name.
    """
    unknown = f"--spec: {name!r} is no module of a model; docs/imitation.md lists the models"
    if not name.startswith("tabia.imitation.models."):
        raise SpecError(unknown)
    try:
        module = importlib.import_module(name)
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("tabia.imitation.models"):
            raise
        raise SpecError(unknown) from error
    if not hasattr(module, "fit"):
        raise SpecError(unknown)
    return cast(PolicyModule, module)


def predict(how: Any, positions: Positions, index: np.ndarray, label: str) -> Prediction:
    """Return ``how(positions, part)`` of all of `index`, part by part, as one prediction."""
    found: list[Prediction] = []
    with Progress(f"predict {label}", len(index), "positions") as progress:
        for start in range(0, len(index), _BATCH):
            part = index[start : start + _BATCH]
            found.append(how(positions, part))
            progress.advance(len(part))
    if not found:
        return Prediction(np.zeros(1, np.int64), np.zeros(0, np.float32))
    lengths = np.concatenate([np.diff(one.offsets) for one in found])
    joined: dict[str, Any] = {}
    for name in ("illegal", "unfiltered", "result"):
        values = [getattr(one, name) for one in found]
        joined[name] = None if values[0] is None else np.concatenate(values)
    return Prediction(
        offsets=np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64),
        p=np.concatenate([one.p for one in found]),
        **joined,
    )


def _structure(phase: Path) -> Mapping[str, Any]:
    """Return the structure that a search's last phase chose."""
    table_: pa.Table = parquet.read(phase)
    chosen = [row for row in table_.to_pylist() if row.get("chosen")]
    if len(chosen) != 1 or "structure" not in chosen[0]:
        raise StructureError(
            f"{phase}: marks {len(chosen)} structures as chosen, not one; delete it and run the"
            " workflow again"
        )
    return cast(Mapping[str, Any], json.loads(chosen[0]["structure"]))
