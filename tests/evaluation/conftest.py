"""The chapter run once over the small world; tests read its files and never change them."""

from __future__ import annotations

from pathlib import Path

import pyarrow as pa
import pytest

from tabia.evaluation import dataset, sample
from tabia.tables import parquet
from tests.evaluation.world import LABELS, game_positions, labels_of, spec, write_labels


@pytest.fixture(scope="session")
def positions() -> pa.Table:
    return game_positions(300)


@pytest.fixture(scope="session")
def chapter(positions: pa.Table, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder with positions, sample, labels, rejects and dataset."""
    folder = tmp_path_factory.mktemp("chapter")
    parquet.write(positions, folder / "positions.parquet")
    sample.run(
        spec("sample", {"seed": 1, "sample": {}}),
        positions=[folder / "positions.parquet"],
        sample=folder / "sample.parquet",
    )
    write_labels(folder, labels_of(parquet.read(folder / "sample.parquet")))
    dataset.run(
        spec("dataset", {"labels": LABELS}),
        sample=folder / "sample.parquet",
        labels=[folder / "labels.parquet"],
        label_rejects=[folder / "rejects.parquet"],
        dataset=folder / "dataset.parquet",
    )
    return folder
