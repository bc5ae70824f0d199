"""Stage ``imitation.candidate``: one structure of a search, trained and measured on validation.

The structure is the configuration's default, over it what earlier phases chose, over it the
candidate's own values of the phase's two variables. It learns from the training rows of its bin
with the search fold held back and is measured on the validation rows; the test fold is not looked
at. Every candidate of a bin has one seed, whatever its place in the grid.

A candidate whose training diverges is a result, not an accident: its row has the fault in place of
measures, and it loses.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
from pydantic import ValidationError

from tabia.imitation.folds import Parts, parts
from tabia.imitation.models.config import Recurrent, RecurrentStructure, Residual, ResidualStructure
from tabia.imitation.models.modules import candidate_name, kind_of, module
from tabia.imitation.policy import Lesson
from tabia.imitation.positions import Positions
from tabia.imitation.predictions import table
from tabia.imitation.search import CANDIDATES, phase_of, variables, winner
from tabia.imitation.train import module_of
from tabia.imitation.trained import Request, TrainedStore, rows_digest
from tabia.tables import parquet
from tabia.tables.spec import Spec, SpecError

__all__ = ["run"]

_SETTINGS: Mapping[str, type[Recurrent] | type[Residual]] = {"rnn": Recurrent, "resnet": Residual}
_STRUCTURES: Mapping[str, type[RecurrentStructure] | type[ResidualStructure]] = {
    "rnn": RecurrentStructure,
    "resnet": ResidualStructure,
}

# Columns of a candidate that diverged: no net was kept, so there is nothing to measure.
_UNMEASURED: Mapping[str, Any] = {
    "fault": None,
    "validation_top1": None,
    "validation_nll": None,
    "validation_unfiltered_top1": None,
    "validation_illegal": None,
    "game_positions": None,
    "game_hits": None,
    "game_nll": None,
    "parameters": None,
    "epochs": 0,
}


def run(spec: Spec, *, samples: Path, previous: Path | None, store: Path, candidate: Path) -> None:
    """Train a candidate, or find it in the store, and write its row.

    A training that diverges is written too, and kept in the store as any other.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, ``game``, ``vocabulary``, ``net`` (the model whose search this
        is), ``bin``, ``member``, ``folds``, ``validation``, ``search_fold``, ``settings`` (of which
        ``default`` and ``training`` are used) and ``values``, the candidate's two.
    samples
        IN: the game's rated samples.
    previous
        IN: table of the phase before; None in the first phase.
    store
        Folder of :class:`tabia.imitation.trained.TrainedStore`; no input and no output of the job.
    candidate
        OUT: one row under :data:`tabia.imitation.search.CANDIDATES`, not chosen.

    Raises
    ------
    SpecError
        If the values are not those of a phase of the net.
    SearchError
        If the phase before is not that of this net and bin.
    """
    config = spec.config
    net, values = config["net"], dict(config["values"])
    phase = phase_of(net, values)
    if phase is None:
        raise SpecError(f"--spec: no phase of a search decides {', '.join(values)} together")
    structure = _structure(config, phase, values, previous)
    settings = {
        "default": structure,
        "training": config["settings"]["training"],
        "game": config["game"],
        "vocabulary": config["vocabulary"],
    }
    positions = Positions.read(samples)
    rows = parts(
        positions,
        config["bin"],
        str(config["search_fold"]),
        member=config["member"],
        folds=config["folds"],
        validation=config["validation"],
    )
    request = Request(
        module=module(net),
        game=config["game"],
        vocabulary=config["vocabulary"],
        structure=_effective(structure),
        training=settings["training"],
        seed=int(spec.rng("candidate").integers(2**31)),
        rows=rows_digest(positions, rows.train, rows.validation),
    )
    trained = TrainedStore(store)
    outcome = trained.get(request)
    if outcome is None:
        outcome = _outcome(request, positions, rows, settings)
        trained.put(request, outcome)
    row = {
        "game": config["game"],
        "net": net,
        "bin": config["bin"],
        "phase": phase,
        "candidate": candidate_name(values),
        **variables(structure),
        "structure": json.dumps(structure, sort_keys=True),
        "n_train_games": len(np.unique(positions.game_id[rows.train])),
        "n_train_positions": len(rows.train),
        "n_games": len(np.unique(positions.game_id[rows.validation])),
        "n_positions": len(rows.validation),
        **_UNMEASURED,
        **outcome,
        "chosen": False,
        "played_by": positions.played_by,
    }
    parquet.write(pa.Table.from_pylist([row], CANDIDATES), candidate, spec=spec)


def _structure(
    config: Mapping[str, Any], phase: int, values: Mapping[str, Any], previous: Path | None
) -> dict[str, Any]:
    """Return every variable of the candidate, as the configuration's types have them."""
    if (previous is None) != (phase == 1):
        raise SpecError(f"--spec: candidates of phase {phase}, and previous is {previous}")
    kind = kind_of(config["net"])
    try:
        structure = _SETTINGS[kind].model_validate(config["settings"]).default.model_dump()
        if previous is not None:
            search = {name: config[name] for name in ("game", "net", "bin")}
            structure |= winner(previous, **search, number=phase - 1)
        full: dict[str, Any] = (
            _STRUCTURES[kind].model_validate(structure | dict(values)).model_dump()
        )
    except ValidationError as error:
        fault = error.errors()[0]
        raise SpecError(f"--spec: {'.'.join(map(str, fault['loc']))}: {fault['msg']}") from error
    return full


def _effective(structure: Mapping[str, Any]) -> dict[str, Any]:
    """Return a structure with variables that do nothing at one value: the same net is one net."""
    if structure["fc_layers"]:
        return dict(structure)
    return dict(structure) | {"fc_l2": 0.0, "fc_activation": "linear"}


def _outcome(
    request: Request, positions: Positions, rows: Parts, settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Train and measure; a training that diverges has its fault told in place of measures."""
    # Imported late: a candidate that the store knows needs no torch.
    from tabia.learning.training import DivergedError

    lesson = Lesson(positions, rows.train, rows.validation, request.structure)
    try:
        policy = module_of(request.module).fit(lesson, settings, request.seed)
    except DivergedError as error:
        print(f"{error}; the candidate loses", file=sys.stderr)
        return {"fault": str(error)}
    predicted = policy.predict(positions, rows.validation)
    measured = table(positions, rows.validation, predicted, rows.train)
    p = np.maximum(measured["p"].to_numpy(), np.finfo(np.float32).tiny).astype(np.float64)
    hit, nll = measured["rank"].to_numpy() == 1, -np.log(p)
    _, game = np.unique(measured["game_id"].to_numpy(), return_inverse=True)
    return {
        "validation_top1": float(np.mean(hit)),
        "validation_nll": float(nll.mean()),
        "validation_unfiltered_top1": float(np.mean(measured["unfiltered"].to_numpy())),
        "validation_illegal": float(np.mean(measured["illegal"].to_numpy(), dtype=np.float64)),
        "game_positions": np.bincount(game).tolist(),
        "game_hits": np.bincount(game, hit).astype(np.int64).tolist(),
        "game_nll": np.bincount(game, nll).tolist(),
        "parameters": policy.n_parameters,
        "epochs": int(policy.facts["epochs"]),
    }
