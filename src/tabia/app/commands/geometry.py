"""``tabia geometry MATRIX.csv --out DIR``: tables and figures of a payoff matrix."""

from __future__ import annotations

import csv
import importlib
import io
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import pyarrow as pa

from tabia.app.commands.one_line import one_line
from tabia.population import payoff_csv
from tabia.population.payoff_csv import Scale
from tabia.population.tables import Analysis, Row, analyse, tables
from tabia.report.figure import write
from tabia.report.figures.inputs import Inputs
from tabia.tables import parquet

__all__ = ["FIGURES", "geometry"]

FIGURES = (
    "population_payoff",
    "population_gamescape",
    "population_nash",
    "population_cycles",
    "population_profile",
    "population_top",
)
"""Figures that are drawn, modules of `tabia.report.figures`."""

_PREFIX = "population_"


def geometry(
    file: Path,
    out: Path,
    *,
    scale: Scale = "score",
    draws: int = 200,
    confidence: float = 0.95,
    seed: int = 0,
    as_json: bool = False,
) -> None:
    """Write every table and figure of a matrix to a folder, and print the figures of the game.

    Parameters
    ----------
    file
        CSV as `tabia.population.payoff_csv` reads it.
    out
        Folder: ``NAME.csv`` a table, ``NAME.json`` and ``NAME.svg`` a figure.
    scale, draws, confidence, seed
        As :mod:`tabia.app.population_options` says.
    as_json
        Print the table of figures as JSON.

    Raises
    ------
    PayoffFileError
        If the file holds no payoff matrix.
    """
    matrix = payoff_csv.read(file, scale)
    found = analyse(matrix, seed=seed, draws=draws, confidence=confidence)
    rows = tables(found)
    for name, part in rows.items():
        parquet.write_text(out / f"{name}.csv", _csv(part))
    payoff_csv.write_matrix(matrix, out / "payoff.csv")
    if matrix.counts is not None:
        payoff_csv.write_games(matrix, out / "games.csv")
    inputs = Inputs({_PREFIX + name: pa.Table.from_pylist(part) for name, part in rows.items()})
    for name in FIGURES:
        drawn = importlib.import_module(f"tabia.report.figures.{name}").chart(inputs)
        stem = name.removeprefix(_PREFIX)
        write(drawn, out / f"{stem}.json", out / f"{stem}.svg")
    if as_json:
        facts = {
            "strategies": len(matrix),
            "games": matrix.n_games,
            "filled_cells": None if found.influence is None else found.influence.filled,
            "half_filled_cells": None if found.influence is None else found.influence.half_filled,
            "figures": rows["figures"],
            "predictions": rows.get("predictions", []),
            "out": str(out),
        }
        print(json.dumps(facts, ensure_ascii=False, indent=2, allow_nan=False))
        return
    _print(found, rows)
    print(one_line(f"tables and figures: {out}"))


def _csv(rows: Sequence[Row]) -> str:
    text = io.StringIO(newline="")
    writer = csv.DictWriter(text, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


def _print(found: Analysis, rows: Mapping[str, Sequence[Row]]) -> None:
    matrix = found.matrix
    games = "no games known" if matrix.n_games is None else f"{matrix.n_games:,} games"
    print(f"{len(matrix)} strategies, {games}")
    if found.influence is not None:
        cells = found.influence
        print(
            f"{cells.filled} of {cells.pairs} pairs have no game and are filled by Elo,"
            f" {cells.half_filled} have games in one order only"
        )
        seen, one, two, three = cells.cycles_by_filled
        print(f"cycles with 0, 1, 2, 3 filled cells: {seen} {one} {two} {three}")
    print(f"{'':20}{'value':>10}{'interval':>22}{'pure Elo':>22}{'p':>7}{'unfilled':>10}")
    for row in rows["figures"]:
        ends = _range(row["low"], row["high"])
        null = _range(row["null_low"], row["null_high"])
        p = "" if row["p_value"] is None else f"{row['p_value']:.3f}"
        print(
            f"{row['figure']:20}{_short(row['value']):>10}{ends:>22}{null:>22}{p:>7}"
            f"{_short(row['without_filled']):>10}"
        )
    for row in rows.get("predictions", []):
        print(
            f"log loss on held-out games, {row['model']:13}{row['log_loss']:.4f} nats; better than"
            f" Elo by {row['gain']:+.4f} ({row['gain_low']:+.4f} to {row['gain_high']:+.4f})"
        )


def _short(value: float | None) -> str:
    return "" if value is None else f"{value:.4g}"


def _range(low: float | None, high: float | None) -> str:
    return "" if low is None or high is None else f"{low:.4g} to {high:.4g}"
