"""Every column and metric that the chapters write is explained."""

import pyarrow as pa
import pytest

from tabia._native import chess_tactics
from tabia.evaluation import summary_choices, summary_errors, summary_positions, summary_times
from tabia.evaluation.choose import CHOICES
from tabia.evaluation.dataset import DATASET
from tabia.evaluation.scores import KEYS
from tabia.evaluation.terms import TERMS_TABLE
from tabia.evaluation.train import PREDICTIONS, TIMES
from tabia.imitation import summary as imitation_summary
from tabia.imitation.measures import UNITS
from tabia.learning.metrics import MAE, R2, SIGN
from tabia.records import summary as records_summary
from tabia.report import catalog, glossary
from tabia.search import summary as search_summary
from tabia.search.selfplay_tables import DUELS, SELFPLAY_GAMES, SELFPLAY_POSITIONS
from tabia.tables import schemas
from tabia.tables.results import FIGURE

SCHEMAS: dict[str, pa.Schema] = {
    **{
        name.lower(): getattr(schemas, name)
        for name in schemas.__all__
        if isinstance(getattr(schemas, name), pa.Schema)
    },
    "dataset": DATASET,
    "predictions": PREDICTIONS,
    "times": TIMES,
    "choices": CHOICES,
    "terms": TERMS_TABLE,
    "search_selfplay_games": SELFPLAY_GAMES,
    "search_selfplay_positions": SELFPLAY_POSITIONS,
    "search_match_games": DUELS,
    "search_gate_games": DUELS,
    "tactics": pa.schema([(name, pa.int32()) for name in chess_tactics.COLUMNS]),
}
RESULT_KEYS = {
    **records_summary.KEYS,
    "evaluation_positions": summary_positions.KEYS,
    "evaluation_choices": summary_choices.KEYS,
    "evaluation_times": summary_times.KEYS,
    "evaluation_sizes": summary_times.KEYS,
    **{f"evaluation_{name}": keys for name, keys in summary_errors.KEYS.items()},
    **{f"imitation_{name}": keys for name, keys in imitation_summary.KEYS.items()},
    **{f"search_{name}": keys for name, keys in search_summary.KEYS.items()},
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


@pytest.mark.parametrize("table", RESULT_KEYS)
def test_every_key_of_the_chapters_result_tables_is_explained(table: str) -> None:
    assert [key for key in RESULT_KEYS[table] if not glossary.explain(table, key)] == []
    assert table in catalog.TABLES


def test_a_term_is_explained_by_its_side() -> None:
    assert glossary.explain("terms", "white_isolated") == "Evaluation term isolated of White."
    assert glossary.explain("games", "white_isolated") == ""


@pytest.mark.parametrize("metric", [MAE, R2, SIGN], ids=lambda metric: metric.name)
def test_every_error_measure_is_explained(metric: object) -> None:
    name = metric.name  # type: ignore[attr-defined]
    assert {name, f"{name}_best_seed"} <= set(glossary.METRICS)


@pytest.mark.parametrize(
    "metric",
    [
        *UNITS,
        *("ceiling_below", "ceiling_above", "repeated_share"),
        *("to_ceiling_below", "to_ceiling_above", "top_1_difference", "nll_difference"),
        *("validation_top_1", "validation_nll", "parameters", "epochs", "games", "positions"),
    ],
)
def test_every_measure_of_moves_is_explained(metric: str) -> None:
    assert glossary.METRICS[metric].endswith(".")


@pytest.mark.parametrize(
    ("chapter", "keys"),
    [("imitation", imitation_summary.KEYS), ("search", search_summary.KEYS)],
)
def test_a_chapters_tables_are_all_in_the_catalog(chapter: str, keys: dict[str, object]) -> None:
    listed = [name for name in catalog.TABLES if name.startswith(f"{chapter}_")]
    assert listed == [f"{chapter}_{name}" for name in keys]
