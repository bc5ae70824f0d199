"""The spec of a stage, checked before the stage begins: all faults at once.

:mod:`tabia.app.plan` writes specs that pass; others are typed by hand, or were written for another
version. A field that a stage would miss, or could not use, is wrong usage and is named.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from tabia.app import imitation_specs, search_specs
from tabia.app.spec_models import SPECS
from tabia.evaluation.config import Labels
from tabia.evaluation.models.modules import split_by
from tabia.tables.settings import Settings
from tabia.tables.spec import Spec, SpecError

__all__ = ["checked"]


def checked(stage: str, text: str) -> Spec:
    """Return the spec that `text` is, if `stage` can run with it.

    Parameters
    ----------
    stage
        A name in :data:`tabia.app.spec_models.SPECS`.
    text
        JSON as :class:`tabia.tables.spec.Spec` writes it.

    Raises
    ------
    SpecError
        With every field that is missing, wrong or unknown.
    """
    spec = Spec.parse(text)
    if spec.stage != stage:
        raise SpecError(f"--spec: stage: {spec.stage!r} is not this one, which is {stage}")
    faults = [] if isinstance(spec.mark, str) else [f"mark: {spec.mark!r} is no text"]
    for name, model, given in zip(
        ("wildcards", "config"), SPECS[stage], (spec.wildcards, spec.config), strict=True
    ):
        faults += _faults(name, model, given)
    if not faults:
        faults += _contradictions(spec)
    if faults:
        raise SpecError(f"--spec: {'; '.join(faults)}")
    return spec


def _faults(name: str, model: type[Settings], given: object) -> list[str]:
    try:
        # Strict, because stages take numbers for numbers; as JSON, because that has no tuples.
        model.model_validate_json(json.dumps(given), strict=True)
    except ValidationError as error:
        return [_fault(name, fault) for fault in error.errors()]
    return []


def _fault(name: str, fault: Mapping[str, Any]) -> str:
    where = ".".join(map(str, (name, *fault["loc"])))
    if fault["type"] == "missing":
        return f"{where}: missing"
    if fault["type"] == "extra_forbidden":
        return f"{where}: unknown"
    found = "" if isinstance(fault["input"], dict) else f" (found {fault['input']!r:.60})"
    return f"{where}: {str(fault['msg']).removeprefix('Value error, ')}{found}"


def _contradictions(spec: Spec) -> list[str]:
    """Fields that are good each by itself and not together."""
    wildcards, config = spec.wildcards, spec.config
    if spec.stage == "records.positions":
        return _below("bucket", wildcards["bucket"], config["positions"]["buckets"])
    if spec.stage == "evaluation.labels":
        shards = Labels.model_validate(config["labels"]).shards
        return _below("shard", wildcards["shard"], shards)
    if spec.stage in ("evaluation.choose", "evaluation.train", "evaluation.scores"):
        model, _ = split_by(wildcards["model"])
        if model != config["model"]:
            return [f"config.model: {config['model']!r}, but wildcards.model is of {model!r}"]
    if spec.stage in imitation_specs.SPECS:
        return imitation_specs.contradictions(spec)
    if spec.stage in search_specs.SPECS:
        return search_specs.contradictions(spec)
    return []


def _below(name: str, number: str, count: int) -> list[str]:
    if int(number) < count:
        return []
    return [f"wildcards.{name}: {number} is not below {count}, the number of {name}s"]
