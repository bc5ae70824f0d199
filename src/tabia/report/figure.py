"""The figure stage: one figure as a Vega-Lite specification and as SVG."""

from __future__ import annotations

import importlib
import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import altair as alt
import vl_convert

from tabia.report.figures.inputs import Inputs
from tabia.report.theme import CONFIG
from tabia.tables import parquet
from tabia.tables.spec import Spec

__all__ = ["VEGA_LITE", "run", "write"]

VEGA_LITE = "6.4"
"""Version of Vega-Lite that draws the SVG and the page: the one that altair writes for."""


def run(
    spec: Spec,
    *,
    tables: Sequence[Path],
    predictions: Sequence[Path] = (),
    dataset: Path | None = None,
    figure: Path,
    svg: Path,
) -> None:
    """Draw the figure that the wildcard ``figure`` names.

    Parameters
    ----------
    tables
        The result tables that :data:`tabia.report.catalog.FIGURES` lists for it.
    predictions, dataset
        For figures that need them.
    figure, svg
        Outputs: Vega-Lite JSON with its data inside, and SVG.
    """
    name = spec.wildcards["figure"]
    inputs = Inputs(
        tables={path.stem: parquet.read(path) for path in tables},
        predictions=predictions,
        dataset=dataset,
        points=int(spec.config["points"]),
    )
    # By name, so that a figure's code mark holds its own module and no other figure's.
    drawn = importlib.import_module(f"tabia.report.figures.{name}").chart(inputs)
    write(drawn, figure, svg)


def write(drawn: alt.TopLevelMixin, figure: Path, svg: Path) -> None:
    """Write a chart as Vega-Lite JSON with its data inside, and as SVG."""
    text = specification(drawn)
    parquet.write_text(figure, text)
    drawing = vl_convert.vegalite_to_svg(text, vl_version=VEGA_LITE)
    parquet.write_text(svg, _renumber(drawing) + "\n")


def specification(drawn: alt.TopLevelMixin) -> str:
    """Return a chart as compact JSON in the report's theme; equal charts give equal text."""
    spec: dict[str, Any] = drawn.to_dict(context={"pre_transform": False})
    spec["config"] = CONFIG
    head = spec["title"]
    spec["description"] = ". ".join([head["text"], *head.get("subtitle", [])])
    return json.dumps(spec, sort_keys=True, separators=(",", ":"), ensure_ascii=False) + "\n"


def _renumber(svg: str) -> str:
    """Number clip paths and gradients from 0; Vega counts on over the life of the process."""
    numbers: dict[str, str] = {}

    def rename(found: re.Match[str]) -> str:
        name = f"{found[2]}{found[3]}"
        return f"{found[1]}{found[2]}{numbers.setdefault(name, str(len(numbers)))}"

    return re.sub(r'(\bid="|url\(#)(clip|gradient_)(\d+)', rename, svg)
