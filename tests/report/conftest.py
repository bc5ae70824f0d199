from dataclasses import dataclass
from pathlib import Path

import pytest

from tabia.report import catalog, figure, pages, wide
from tabia.tables.spec import Spec
from tests.report import made


def draw(folder: Path, name: str, out: Path, *, points: int = 200) -> tuple[Path, Path]:
    """Run the figure stage; return the JSON and SVG files."""
    inputs = catalog.FIGURES[name]
    json, svg = out / f"{name}.json", out / f"{name}.svg"
    figure.run(
        Spec("report.figure", "mark", {"figure": name}, {"points": points}),
        tables=[folder / f"tables/{table}.parquet" for table in inputs.tables],
        predictions=made.predictions(folder) if inputs.predictions else [],
        dataset=folder / "evaluation/dataset.parquet" if inputs.dataset else None,
        figure=json,
        svg=svg,
    )
    return json, svg


def put_side_by_side(folder: Path, name: str, out: Path) -> Path:
    """Run the wide stage; return the layout, with the Markdown beside it."""
    layout = out / f"{name}.json"
    wide.run(
        Spec("report.wide", "mark", {"wide": name}),
        tables=[folder / f"tables/{table}.parquet" for table in catalog.WIDE[name].tables],
        text=layout.with_suffix(".md"),
        layout=layout,
    )
    return layout


def write_pages(
    folder: Path, *, tables: list[Path], figures: list[Path], wide: list[Path] | None = None
) -> tuple[Path, Path]:
    """Run the pages stage; return the page and the archive."""
    html, archive = folder / "report.html", folder / "report.zip"
    pages.run(
        Spec("report.pages", "mark", {}, {"title": "A <made-up> run"}),
        tables=tables,
        figures=figures,
        wide=wide or [],
        html=html,
        archive=archive,
    )
    return html, archive


@dataclass(frozen=True)
class Made:
    folder: Path
    tables: list[Path]
    figures: list[Path]
    wide: list[Path]
    html: Path
    archive: Path


@pytest.fixture(scope="session")
def report(tmp_path_factory: pytest.TempPathFactory) -> Made:
    """A results folder with every figure and page made of it."""
    folder = made.make(tmp_path_factory.mktemp("report"))
    figures = [draw(folder, name, folder / "figures")[0] for name in catalog.FIGURES]
    tables = [folder / f"tables/{name}.parquet" for name in catalog.TABLES]
    wides = [put_side_by_side(folder, name, folder / "tables/wide") for name in catalog.WIDE]
    html, archive = write_pages(folder, tables=tables, figures=figures, wide=wides)
    return Made(folder, tables, figures, wides, html, archive)
