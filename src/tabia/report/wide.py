"""The wide stage: result tables side by side, as Markdown and, for the report page, as JSON."""

from __future__ import annotations

import importlib
from collections.abc import Sequence
from pathlib import Path

from tabia.report.catalog import WIDE
from tabia.report.wide_tables.layout import markdown, to_json
from tabia.tables import parquet
from tabia.tables.spec import Spec

__all__ = ["run"]


def run(spec: Spec, *, tables: Sequence[Path], text: Path, layout: Path) -> None:
    """Write the wide table that the wildcard ``wide`` names.

    Parameters
    ----------
    tables
        The result tables that :data:`tabia.report.catalog.WIDE` lists for it.
    text, layout
        Outputs: Markdown and JSON.
    """
    wide = WIDE[spec.wildcards["wide"]]
    rows = {path.stem: parquet.read(path).to_pylist() for path in tables}
    # By name, so that a wide table's code mark holds its own module and no other's.
    made = importlib.import_module(wide.module).tables(rows)
    parquet.write_text(text, markdown(wide.title, made))
    parquet.write_text(layout, to_json(made))
