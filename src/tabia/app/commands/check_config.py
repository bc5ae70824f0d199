"""``tabia check-config``: every fault of a configuration at once, or what it would run."""

from __future__ import annotations

import json
from pathlib import Path

from tabia.app.config import read
from tabia.app.plan import Plan

__all__ = ["check_config"]


def check_config(file: Path, *, as_json: bool) -> None:
    """Print what the configuration in `file` would run.

    Raises
    ------
    ConfigError
        With every fault, each with its path in the file.
    """
    plan = Plan.of(read(file), name=str(file))
    evaluation = plan.config.evaluation
    facts = {
        "file": str(file),
        "sources": [
            {
                "name": source.name,
                "game": source.game,
                "files": len(plan.files(source)),
                "shards": source.shards,
                "played_by": source.played_by,
            }
            for source in plan.config.records.sources
        ],
        "chapters": plan.chapters(),
        "labels": None
        if evaluation is None
        else {
            "engine": evaluation.labels.engine.command,
            "inputs": list(evaluation.labels.inputs),
            "target": evaluation.labels.target.text,
            "repeatable": evaluation.labels.target.repeatable,
            "positions": evaluation.sample.positions,
        },
        "trainings": len(plan.runs("scores")),
    }
    if as_json:
        print(json.dumps(facts, indent=2))
        return
    print(f"{file}: good")
    for source in plan.config.records.sources:
        count = len(plan.files(source))
        facts_of = f"{source.game}, {count} files, {source.shards} shards, {source.played_by}"
        print(f"  source {source.name}: {facts_of}")
    if evaluation is not None:
        labels = evaluation.labels
        depths = ", ".join(map(str, labels.inputs))
        print(f"  labels: {labels.engine.command}, {labels.target.text}, depths {depths}")
        if not labels.target.repeatable:
            print("  note: labels made by the clock do not repeat")
    print(f"  trainings: {len(plan.runs('scores'))}")
