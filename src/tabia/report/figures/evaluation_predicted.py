"""Predicted against target values of test positions: the paper's figures 5 and 6.

A row a filter, a column a model; the scenario can be chosen. Of the models those are drawn that
tell most, as many as stand side by side.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import altair as alt
import duckdb

from tabia.report.figures.inputs import Inputs, Row, counts, empty, narrow, title
from tabia.report.models import family, most_telling
from tabia.report.theme import MUTED, families

__all__ = ["chart"]

_TITLE = "Predicted against target value of test positions"
_MODELS = 4
_BYTES = 850_000  # of data in one figure; the whole file stays below 1 MB
_PREDICTION_BYTES, _POSITION_BYTES = 13, 110


@dataclass(frozen=True)
class _Run:
    """One model's predictions: its place in the path, and the column that holds them here."""

    filter: str
    scenario: str
    model: str
    path: Path
    column: str


def chart(inputs: Inputs) -> alt.TopLevelMixin:
    """Return target and prediction, in pawns from White's view, of the same positions per model.

    Of several seeds the first is shown. Positions are the first by ``position_id``, which is a
    hash, so they are a random choice that never changes.
    """
    runs = _first_seeds(inputs.predictions)
    if not runs:
        return empty(_TITLE, "No model has made predictions.")
    most = min(inputs.points, _BYTES // (_POSITION_BYTES + _PREDICTION_BYTES * len(runs)))
    positions = _positions(runs, inputs.dataset, most)
    if not positions:
        return empty(_TITLE, "No position belongs to a test game.")
    filters = list(dict.fromkeys(run.filter for run in runs))
    scenarios = sorted({run.scenario for run in runs})
    data = alt.InlineData(values=positions)
    panels = [_panels(runs, filter_, positions, data) for filter_ in filters]
    figure: alt.VConcatChart = alt.vconcat(*panels, spacing=26)
    # Not by add_params, which looks for a view to hang a selection on and finds none here.
    figure.params = [_choice("scenario", scenarios)]
    scored = narrow(inputs.rows("evaluation_models"), split="test", metric="mae", split_by="game")
    behind = f"; scores are of {counts(scored)}" if scored else ""
    figure.title = title(
        _TITLE,
        f"{len(positions):,} positions drawn{behind}",
        f"shown first: scenario {scenarios[0]}",
    )
    return figure


def _panels(
    runs: Sequence[_Run], filter_: str, positions: Sequence[Row], data: alt.InlineData
) -> alt.FacetChart:
    own = [run for run in runs if run.filter == filter_]
    limit = max(
        (abs(row["t"]) for row in positions for run in own if row[run.column] is not None),
        default=1.0,
    )
    names, range_ = families(family(run.model) for run in runs)
    scale = alt.Scale(domain=[-limit, limit], nice=False, zero=False)
    has_fen = "fen" in positions[0]
    points = (
        alt.Chart()
        .mark_circle(size=14, opacity=0.4, clip=True, aria=False)
        .encode(
            x=alt.X("t:Q", title="target, pawns", scale=scale),
            y=alt.Y("p:Q", title="predicted, pawns", scale=scale),
            color=alt.Color("family:N", legend=None, scale=alt.Scale(domain=names, range=range_)),
            tooltip=[
                alt.Tooltip("model:N"),
                alt.Tooltip("t:Q", title="target, pawns", format="+.2f"),
                alt.Tooltip("p:Q", title="predicted, pawns", format="+.2f"),
                *([alt.Tooltip("fen:N", title="FEN")] if has_fen else []),
            ],
        )
    )
    line = (
        alt.Chart(alt.InlineData(values=[{"a": -limit}, {"a": limit}]))
        .mark_line(color=MUTED, strokeDash=[5, 4], strokeWidth=1.2, clip=True)
        .encode(x="a:Q", y="a:Q")
    )
    of = json.dumps({run.column: [run.scenario, run.model, family(run.model)] for run in own})
    order = list(dict.fromkeys(run.model for run in own))
    return (
        alt.LayerChart(layer=[points, line], width=212, height=212)
        .facet(
            facet=alt.Facet(
                "model:N", title=None, sort=order, header=alt.Header(labelAnchor="start")
            ),
            columns=_MODELS,
            spacing=18,
            data=data,
        )
        .transform_fold([run.column for run in own], as_=["run", "p"])
        .transform_filter(f"isValid(datum.p) && ({of})[datum.run][0] == shown_scenario")
        .transform_calculate(model=f"({of})[datum.run][1]", family=f"({of})[datum.run][2]")
        .properties(title=alt.TitleParams(f"filter {filter_}", fontSize=13))
    )


def _choice(what: str, options: list[str]) -> alt.VariableParameter:
    bind = (
        alt.binding_select(options=options, name=f"{what} ") if len(options) > 1 else alt.Undefined
    )
    return alt.VariableParameter(name=f"shown_{what}", value=options[0], bind=bind)


def _first_seeds(predictions: Sequence[Path]) -> list[_Run]:
    """Return one run for each filter, scenario and telling model, of the smallest seed.

    Filters and models keep the order in which they are given.
    """
    models = most_telling((path.parts[-2] for path in predictions), _MODELS)
    first: dict[tuple[str, str, str], tuple[int, Path]] = {}
    for path in predictions:
        run = (path.parts[-4], path.parts[-3], path.parts[-2])
        if run[2] in models:
            first[run] = min(first.get(run, (int(path.stem), path)), (int(path.stem), path))
    return [_Run(*run, path, f"r{i}") for i, (run, (_, path)) in enumerate(first.items())]


def _positions(runs: Sequence[_Run], dataset: Path | None, most: int) -> list[Row]:
    """Return `most` test positions: target ``t``, each run's prediction, and the FEN if known."""
    database = duckdb.connect()
    database.execute("SET threads = 1")
    database.execute(
        "CREATE TABLE chosen AS"
        " SELECT position_id, any_value(target) AS t FROM read_parquet($files)"
        " WHERE split = 'test' GROUP BY position_id ORDER BY position_id LIMIT $most",
        {"files": [str(run.path) for run in runs], "most": most},
    )
    columns, joins = ["round(t::DOUBLE, 2) AS t"], []
    files: dict[str, str] = {}
    for run in runs:
        columns.append(f"round({run.column}.predicted::DOUBLE, 2) AS {run.column}")
        joins.append(
            f"LEFT JOIN read_parquet(${run.column}) AS {run.column}"
            f" ON {run.column}.position_id = chosen.position_id"
        )
        files[run.column] = str(run.path)
    if dataset is not None:
        columns.append("positions.fen")
        joins.append(
            "LEFT JOIN read_parquet($dataset) AS positions"
            " ON positions.position_id = chosen.position_id"
        )
        files["dataset"] = str(dataset)
    found = database.execute(
        f"SELECT {', '.join(columns)} FROM chosen {' '.join(joins)} ORDER BY chosen.position_id",
        files,
    )
    names = [column[0] for column in found.description or ()]
    rows = [dict(zip(names, row, strict=True)) for row in found.fetchall()]
    database.close()
    return rows
