"""Every query that the pages show can be asked of a run's database."""

from __future__ import annotations

import re
from pathlib import Path

import duckdb
import pytest

from tabia.report import database
from tabia.report.glossary import ROOT_VARIABLE
from tabia.tables import parquet
from tests.report import made_imitation
from tests.report.test_database import FILES, SPEC, row

DOCS = Path(__file__).parents[2] / "docs"
QUERIES = [
    pytest.param(query, id=f"{page.stem} {number}")
    for page in sorted(DOCS.glob("*.md"))
    for number, query in enumerate(
        re.findall(r"^```sql\n(.*?)^```", page.read_text(encoding="utf-8"), re.M | re.S)
    )
]


@pytest.fixture(scope="module")
def results_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The imitation chapter's part of a run: made-up tables, one row in every other file."""
    folder = tmp_path_factory.mktemp("project") / "results"
    names = [name for name in FILES if name.startswith("imitation/")]
    for number, name in enumerate(names):
        parquet.write(row(FILES[name], number % 2), folder / f"{name}.parquet")
    made_imitation.write(folder, "people")
    database.run(
        SPEC,
        tables=sorted((folder / "tables").glob("*.parquet")),
        parquet=[folder / f"{name}.parquet" for name in names],
        database=folder / "tabia.duckdb",
    )
    return folder


@pytest.mark.parametrize("query", QUERIES)
def test_a_query_of_the_pages_can_be_asked(results_folder: Path, query: str) -> None:
    with duckdb.connect(str(results_folder / "tabia.duckdb"), read_only=True) as connection:
        connection.execute(f"SET VARIABLE {ROOT_VARIABLE} = '{results_folder.parent}/'")
        connection.execute(query).fetchall()


def test_accuracy_in_one_bin_has_a_row_a_model(results_folder: Path) -> None:
    query = next(q.values[0] for q in QUERIES if "imitation_models" in str(q.values[0]))
    with duckdb.connect(str(results_folder / "tabia.duckdb"), read_only=True) as connection:
        models = [found[0] for found in connection.execute(str(query)).fetchall()]
    assert sorted(models) == sorted(made_imitation.MODELS["xiangqi"])
    assert models[0] == "ensemble"
