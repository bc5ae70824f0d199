"""Stage ``imitation.scores``: how well one model predicts, over all folds, with intervals by game.

Every fold is predicted by the model that did not see it, so the folds together hold every rated
game once, and are measured together.

Every row also carries the measure in each bootstrap draw. Draws come from the group alone, so they
are common to all models that were tested on the same moves: models are compared draw by draw.
Distances from the noise ceiling (:mod:`tabia.imitation.agreement`) have no draws: their intervals
are by jackknife.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from tabia.imitation.agreement import (
    NoRepeatsError,
    ceilings,
    figures,
    first_in_game,
    places,
    repeated,
)
from tabia.imitation.bins import ALL_BINS, OWN, bin_of, label, ply_parts
from tabia.imitation.config import ImitationScores
from tabia.imitation.measures import UNITS, measures, reliability
from tabia.imitation.names import ALL
from tabia.learning.bootstrap import Estimate, Measure, UndefinedError, estimate_measures
from tabia.tables import parquet, results
from tabia.tables.results import Figure
from tabia.tables.spec import Spec

__all__ = ["KEYS", "PHASES", "REPEATED", "ImitationScoresError", "run"]

KEYS = ("game", "model", "trained_on", "tested_on", "group", "part")
"""Key columns. `trained_on` and `tested_on` are bins, ``(1000,1100]``; `group` is null in rows
about all moves of a bin."""

PHASES = {"0": (0, 0), "1-31": (1, 31), "32-63": (32, 63), "64-95": (64, 95), "96-128": (96, 128)}
"""First and last game phase of each part, both included: 128 = all pieces, 0 = endgame."""

REPEATED = "repeated in the bin"
"""Group of the moves that have a noise ceiling: positions that came up in two games of a bin or
more, each once a game."""

_BRIEF = ("top_1", "nll")
_ELSEWHERE = "elsewhere"


class ImitationScoresError(ValueError):
    """Predictions that are missing, or were made for something else."""

    exit_code = 3


@dataclass(frozen=True)
class _Group:
    """Some predicted moves that are measured together."""

    trained_on: str
    tested_on: str
    rows: pa.Table
    measures: Sequence[Measure]
    group: str | None = None
    part: str | None = None
    place: NDArray[np.int64] | None = None  # of repeated positions: equal for equal ones


def run(spec: Spec, *, predictions: Sequence[Path], scores: Path) -> None:
    """Write the measures of one model.

    Parameters
    ----------
    spec
        ``config`` holds ``seed``, ``scores``, ``member`` and ``bins`` (names in paths, low to
        high); wildcards are ``game`` and ``model``.
    predictions
        IN: of every fold, and of every bin where there is one model a bin.

    Raises
    ------
    ImitationScoresError
        If there are none, or two of one bin and fold.
    """
    settings = ImitationScores.model_validate(spec.config["scores"])
    game, model = spec.wildcards["game"], spec.wildcards["model"]
    bins, member = list(spec.config["bins"]), spec.config["member"]
    rows: list[tuple[tuple[object, ...], Figure]] = []
    draws: list[NDArray[np.float64]] = []
    for group in _groups(_by_bin(predictions), bins, member, settings.calibration_bins):
        salt = (group.tested_on, group.group or "", group.part or "")
        found = estimate_measures(
            group.measures,
            group.rows["game_id"].to_numpy(),
            spec_rng(spec, game, *salt),
            draws=settings.bootstrap,
            confidence=settings.confidence,
        )
        keys = (game, model, group.trained_on, group.tested_on, group.group, group.part)
        for name, result in found.items():
            if isinstance(result, UndefinedError):
                print(f"no {name} for {' '.join(filter(None, salt))}: {result}", file=sys.stderr)
                continue
            rows.append((keys, _figure(name, result, _players(group.rows))))
            draws.append(result.draws)
        if group.place is not None:
            try:
                found_below = _below_ceiling(group, group.place, settings.confidence)
            except NoRepeatsError as error:
                print(f"{' '.join(filter(None, salt))}: {error}", file=sys.stderr)
                continue
            rows += [(keys, figure) for figure in found_below]
            draws += [np.zeros(0)] * len(found_below)
    table = results.table(KEYS, rows)
    results.check(table, scores.stem)
    column = pa.array([list(values) for values in draws], pa.list_(pa.float64()))
    parquet.write(table.append_column("draws", column), scores, spec=spec)


def spec_rng(spec: Spec, game: str, *salt: str) -> np.random.Generator:
    """Return the generator of a group's resamples: the same for every model."""
    return spec.rng("bootstrap", game, *salt)


def _figure(name: str, result: Estimate, players: str) -> Figure:
    return Figure(
        metric=name,
        unit=UNITS[name],
        value=result.value,
        lo=result.lo,
        hi=result.hi,
        interval=result.method,
        n_games=result.n_games,
        n_positions=result.n_positions,
        played_by=players,
    )


def _by_bin(files: Sequence[Path]) -> dict[str, pa.Table]:
    """Return the predictions of all folds by the bin that was learned from, in the order given."""
    found: dict[str, dict[str, pa.Table]] = {}
    for file in files:
        if not file.is_file():
            raise ImitationScoresError(f"{file}: there are no such predictions; run the workflow")
        table = parquet.read(file)
        text = (table.schema.metadata or {}).get(b"tabia.spec")
        if text is None:
            raise ImitationScoresError(f"{file}: does not say which job wrote it; run it again")
        wildcards = json.loads(text)["wildcards"]
        folds = found.setdefault(wildcards["bin"], {})
        if wildcards["fold"] in folds:
            raise ImitationScoresError(
                f"{file}: fold {wildcards['fold']} of bin {wildcards['bin']} is given twice"
            )
        folds[wildcards["fold"]] = table.replace_schema_metadata(None)
    if not found:
        raise ImitationScoresError("imitation.scores: no predictions are given")
    return {name: _with_elsewhere(list(folds.values())) for name, folds in found.items()}


def _with_elsewhere(folds: Sequence[pa.Table]) -> pa.Table:
    """Return the rows of all folds, with a column that says whose position is in another fold too.

    Unlike ``seen`` it does not depend on the model: every fold holds the games of every Elo.
    """
    table = pa.concat_tables(folds)
    fold = np.repeat(np.arange(len(folds)), [len(one) for one in folds])
    _, key = np.unique(table["position_key"].to_numpy(), return_inverse=True)
    pairs = np.unique(key * len(folds) + fold)
    n_folds = np.bincount(pairs // len(folds))
    return table.append_column(_ELSEWHERE, pa.array(n_folds[key] > 1))


def _groups(
    tables: dict[str, pa.Table], bins: Sequence[str], member: str, calibration_bins: int
) -> Iterator[_Group]:
    pooled = []
    for trained, table in tables.items():
        of = bin_of(table, bins, member)
        for place, tested in enumerate(bins):
            own = trained in (tested, ALL)
            rows = table.filter(pa.array(of == place))
            if rows.num_rows:
                found = measures(rows, calibration_bins, None if own else _BRIEF)
                yield _Group(label(trained), label(tested), rows, found)
        inside = of >= 0 if trained == ALL else of == list(bins).index(trained)
        pooled.append(table.filter(pa.array(inside)))
    rows = pa.concat_tables(pooled)
    if not rows.num_rows:
        return
    trained_on = ALL_BINS if ALL in tables else OWN
    yield _Group(trained_on, ALL_BINS, rows, measures(rows, calibration_bins))
    of = bin_of(rows, bins, member)
    for group, part, chosen in _parts(rows):
        own = rows.filter(pa.array(chosen))
        if own.num_rows:
            brief = measures(own, calibration_bins, _BRIEF)
            yield _Group(trained_on, ALL_BINS, own, brief, group, part)
    for bin_, found in reliability(rows, calibration_bins):
        ends = f"({bin_ / calibration_bins:.2f},{(bin_ + 1) / calibration_bins:.2f}]"
        yield _Group(trained_on, ALL_BINS, rows, found, "confidence", ends)
    again, of = _repeated(rows, of)
    whole = [(label(name), of == number) for number, name in enumerate(bins)]
    for tested_on, chosen in [*whole, (ALL_BINS, of >= 0)]:
        own = again.filter(pa.array(chosen))
        if own.num_rows:
            trained_on = ALL_BINS if ALL in tables else OWN if tested_on == ALL_BINS else tested_on
            brief = measures(own, calibration_bins, _BRIEF)
            at = places(of[chosen], own["position_key"].to_numpy())
            yield _Group(trained_on, tested_on, own, brief, REPEATED, "yes", at)


def _parts(rows: pa.Table) -> Iterator[tuple[str, str, NDArray[np.bool_]]]:
    """Yield groups, their parts and which rows belong to them."""
    for name, inside in ply_parts(rows["ply"].to_numpy()):
        yield "ply", name, inside
    phase = rows["phase"].to_numpy()
    for name, (low, high) in PHASES.items():
        yield "phase", name, (phase >= low) & (phase <= high)
    for column, name in (("seen", "seen in training"), (_ELSEWHERE, "in games of other folds")):
        inside = rows[column].to_numpy(zero_copy_only=False)
        yield name, "yes", inside
        yield name, "no", ~inside


def _repeated(rows: pa.Table, of: NDArray[np.int64]) -> tuple[pa.Table, NDArray[np.int64]]:
    """Return the moves of :data:`REPEATED`, and their bins."""
    place = places(of, rows["position_key"].to_numpy())
    index = first_in_game(place, rows["game_id"].to_numpy())
    index = index[repeated(place[index])]
    return rows.take(pa.array(index)), of[index]


def _below_ceiling(group: _Group, place: NDArray[np.int64], confidence: float) -> list[Figure]:
    """Return how far top-1 is below either estimate of the noise ceiling, on the same moves."""
    move = group.rows["move"].to_numpy().astype(np.int64)
    hit = group.rows["rank"].to_numpy() == 1

    def statistic(kept: NDArray[np.bool_]) -> dict[str, float]:
        below, above = ceilings(place[kept], move[kept])
        again = hit[kept][repeated(place[kept])]
        share = float(again.mean()) if len(again) else float("nan")
        return {"to_ceiling_below": below - share, "to_ceiling_above": above - share}

    return figures(
        statistic,
        group.rows["game_id"].to_numpy(),
        confidence,
        ends=(-1.0, 1.0),
        played_by=_players(group.rows),
    )


def _players(rows: pa.Table) -> str:
    return " and ".join(sorted(set(rows["played_by"].unique().to_pylist())))
