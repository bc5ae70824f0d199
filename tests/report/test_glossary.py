"""Every column and metric that the chapters write is explained."""

import pyarrow as pa
import pytest

from tabia.evaluation.dataset import DATASET
from tabia.evaluation.scores import KEYS
from tabia.evaluation.train import PREDICTIONS, TIMES
from tabia.learning.metrics import MAE, R2, SIGN
from tabia.report import glossary
from tabia.tables import schemas
from tabia.tables.results import FIGURE

SCHEMAS: dict[str, pa.Schema] = {
    **{name.lower(): getattr(schemas, name) for name in schemas.__all__},
    "dataset": DATASET,
    "predictions": PREDICTIONS,
    "times": TIMES,
}


@pytest.mark.parametrize("table", SCHEMAS)
def test_every_column_of_every_table_is_explained(table: str) -> None:
    unknown = [name for name in SCHEMAS[table].names if not glossary.explain(table, name)]
    assert unknown == []


@pytest.mark.parametrize("table", SCHEMAS)
def test_every_table_that_becomes_a_view_is_explained(table: str) -> None:
    assert glossary.VIEWS[table].endswith(".")


@pytest.mark.parametrize("column", [*KEYS, *FIGURE.names, "draws", "n_seeds", "step", "what"])
def test_every_column_of_scores_and_result_tables_is_explained(column: str) -> None:
    assert glossary.explain("scores", column)


@pytest.mark.parametrize("metric", [MAE, R2, SIGN], ids=lambda metric: metric.name)
def test_every_error_measure_is_explained(metric: object) -> None:
    name = metric.name  # type: ignore[attr-defined]
    assert {name, f"{name}_best_seed"} <= set(glossary.METRICS)
