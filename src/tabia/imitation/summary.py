"""Stage ``imitation.summary``: the chapter's result tables, of all games of a run together.

What the tables of scores and searches hold is put together in
:mod:`~tabia.imitation.summary_scores`, :mod:`~tabia.imitation.summary_search` and
:mod:`~tabia.imitation.summary_samples`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from tabia.imitation import summary_samples, summary_scores, summary_search
from tabia.tables import results
from tabia.tables.results import Figure
from tabia.tables.spec import Spec

__all__ = ["KEYS", "run"]

KEYS: Mapping[str, tuple[str, ...]] = {
    "samples": summary_samples.KEYS,
    **summary_scores.KEYS,
    **summary_search.KEYS,
}
"""Key columns of each table, by its name without the chapter's."""

_TITLES = {
    "samples": "Games and positions that models learn from and are tested on",
    "models": "How well each model predicts, by what it was trained and tested on",
    "parts": "Accuracy by ply, by phase, and in known and in new positions",
    "calibration": "How often the likeliest move is played, by its probability",
    "ceiling": "The most that a predictor of one move could reach, and how far models are from it",
    "differences": "Differences between models on the same moves",
    "structures": "Structure that the search found for each net and bin",
    "candidates": "Structures that each phase of the search tried",
}


def run(
    spec: Spec,
    *,
    scores: Sequence[Path],
    ceilings: Sequence[Path],
    phases: Sequence[Path],
    samples: Sequence[Path],
    samples_table: Path,
    models_table: Path,
    parts_table: Path,
    calibration_table: Path,
    ceiling_table: Path,
    differences_table: Path,
    structures_table: Path,
    candidates_table: Path,
) -> None:
    """Write the eight result tables.

    Parameters
    ----------
    spec
        ``config`` holds ``seed`` and ``games``: for each game its ``scores`` and its ``bins``
        (names in paths, low to high). Tables have the games in the order of their names.
    scores, ceilings
        IN: of every model, and of every game.
    phases
        IN: of every phase of every search; none where no net is searched.
    samples
        IN: rated samples of every game, and unrated ones of those that have any.
    """
    games = dict(sorted(spec.config["games"].items()))
    scored = summary_scores.read(scores, list(games))
    settings = {game: own["scores"] for game, own in games.items()}
    bins = {game: list(own["bins"]) for game, own in games.items()}
    rows: dict[str, list[tuple[tuple[object, ...], Figure]]] = {
        "samples": summary_samples.rows(samples, bins),
        **summary_scores.rows(scored, ceilings, settings, bins),
        **summary_search.rows(spec, phases, settings, bins),
    }
    paths = {
        "samples": samples_table,
        "models": models_table,
        "parts": parts_table,
        "calibration": calibration_table,
        "ceiling": ceiling_table,
        "differences": differences_table,
        "structures": structures_table,
        "candidates": candidates_table,
    }
    for name, path in paths.items():
        results.write(results.table(KEYS[name], rows[name]), path, spec=spec, title=_TITLES[name])
