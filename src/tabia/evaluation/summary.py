"""Stage evaluation.summary: the chapter's result tables.

How positions are counted, seeds put together and times summed up is said in
:mod:`~tabia.evaluation.summary_positions`, :mod:`~tabia.evaluation.summary_errors`,
:mod:`~tabia.evaluation.summary_times` and :mod:`~tabia.evaluation.summary_choices`.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tabia.evaluation import summary_choices, summary_errors, summary_positions, summary_times
from tabia.evaluation.config import Scores
from tabia.evaluation.dataset import engine_of
from tabia.tables import parquet, results
from tabia.tables.results import Figure
from tabia.tables.spec import Spec

__all__ = ["run"]

_TITLES = {
    "models": "Errors of each model on each split",
    "by_elo": "Errors on the test split by Elo bin",
    "by_phase": "Errors on the test split by phase",
    "by_value": "Errors on the test split by size of the target",
}
_RUN_KEYS = ("filter", "scenario", "model", "split_by", "split", "n_seeds")


def run(
    spec: Spec,
    *,
    sample: Path,
    dataset: Path,
    label_rejects: Sequence[Path],
    scores: Sequence[Path],
    times: Sequence[Path],
    choices: Sequence[Path],
    positions_table: Path,
    models_table: Path,
    by_elo_table: Path,
    by_phase_table: Path,
    by_value_table: Path,
    choices_table: Path,
    sizes_table: Path,
    times_table: Path,
) -> None:
    """Write the eight result tables.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, ``scores`` (:class:`Scores`) and ``filters``, in the order in
        which tables and figures show them.
    """
    settings = Scores.model_validate(spec.config["scores"])
    filters = list(spec.config["filters"])
    labelled = parquet.read(dataset)
    engine = engine_of([dataset])

    def write(
        rows: Sequence[tuple[tuple[object, ...], Figure]],
        keys: Sequence[str],
        path: Path,
        title: str,
    ) -> None:
        results.write(results.table(keys, rows), path, spec=spec, title=title, extra=engine)

    write(
        summary_positions.rows(parquet.read(sample), labelled, label_rejects, filters),
        summary_positions.KEYS,
        positions_table,
        "Positions sampled, rejected by the engine, labelled, and left after each filter",
    )
    errors = summary_errors.rows(spec, settings, filters, scores)
    paths = {
        "models": models_table,
        "by_elo": by_elo_table,
        "by_phase": by_phase_table,
        "by_value": by_value_table,
    }
    for name, keys in summary_errors.KEYS.items():
        write(errors[name], (*_RUN_KEYS, *keys), paths[name], _TITLES[name])
    write(
        summary_choices.rows(spec, settings, filters, labelled, choices),
        summary_choices.KEYS,
        choices_table,
        "Sizes tried on the validation split, and which was kept for all seeds",
    )
    measured, counted = summary_times.rows(filters, times)
    write(counted, summary_times.KEYS, sizes_table, "Sizes of the trained models")
    write(
        measured,
        summary_times.KEYS,
        times_table,
        "Training and prediction times as measured; the engine's inputs are given",
    )
