"""What is run again after a change, and what is not, on the real Snakefile."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pyarrow.parquet as pq
import pytest
import zstandard

from tests.workflow.conftest import Project

pytestmark = [pytest.mark.workflow, pytest.mark.engine, pytest.mark.timeout(3000)]

REPORT = {"all", "report_figure", "report_wide", "report_pages", "report_database"}
AFTER_TRAINING = {"evaluation_scores", "evaluation_summary", *REPORT}
RECORDS = ("games", "splits", "occurrences", "positions", "summary")
IMITATION = {
    f"imitation_{rule}"
    for rule in (
        *("samples", "pretrain", "candidate", "phase", "train", "final"),
        *("scores", "ceiling", "summary"),
    )
}
AFTER_LABELS = {"evaluation_dataset", "evaluation_choose", "evaluation_train", *AFTER_TRAINING}


def test_a_second_run_has_nothing_to_do(project: Project) -> None:
    assert "Nothing to be done" in project.snakemake()


def test_touching_files_of_any_size_reruns_nothing(project: Project) -> None:
    now = time.time() + 5
    for file in [*project.path.glob("resources/**/*"), *project.path.glob("results/**/*.parquet")]:
        if "tables" not in file.parts:
            os.utime(file, (now, now))
    for file in project.path.glob("src/**/*.py"):
        os.utime(file, (now, now))
    assert project.planned() == {}


def test_editing_a_comment_or_docstring_reruns_nothing(project: Project) -> None:
    for file in project.path.glob("src/tabia/**/*.py"):
        text = file.read_text()
        file.write_text("# A comment.\n" + text.replace('"""', '"""Reworded. ', 1))
    assert project.planned() == {}


def test_a_models_hyper_parameter_reruns_that_model_and_what_reads_it(project: Project) -> None:
    project.edit("config/tiny.yaml", "ridge: {penalties: [10.0", "ridge: {penalties: [20.0")
    planned = project.planned()
    assert set(planned) == {"evaluation_train", *AFTER_TRAINING}
    assert planned["evaluation_train"] == planned["evaluation_scores"] == 2  # two scenarios
    project.snakemake("evaluation")
    assert project.planned("evaluation") == {}


def test_editing_rbf_reruns_rbf_and_nothing_else(project: Project) -> None:
    path = project.path / "src/tabia/evaluation/models/rbf.py"
    path.write_text(path.read_text() + "\nADDED = 1\n")
    planned = project.planned()
    # Two scenarios, by game and by position.
    assert planned["evaluation_train"] == planned["evaluation_scores"] == 4
    assert set(planned) <= {"evaluation_train", *AFTER_TRAINING}


def test_editing_a_model_with_a_chosen_size_chooses_again(project: Project) -> None:
    path = project.path / "src/tabia/evaluation/models/mlp_lm.py"
    path.write_text(path.read_text() + "\nADDED = 1\n")
    planned = project.planned()
    assert planned["evaluation_choose"] == planned["evaluation_train"] == 2
    assert set(planned) <= {"evaluation_choose", "evaluation_train", *AFTER_TRAINING}


def test_a_run_in_which_nothing_is_chosen_ends(project: Project) -> None:
    project.edit("config/tiny.yaml", "sizes: [[2, 1], [2, 2]]", "sizes: [[2, 1]]")
    planned = project.planned()
    assert "evaluation_choose" not in planned
    assert planned["evaluation_train"] == 2
    project.snakemake("results/tables/evaluation_choices.csv")
    table = project.path / "results/tables/evaluation_choices.csv"
    assert len(table.read_text().splitlines()) == 1


def test_editing_a_native_term_reruns_the_terms_and_what_reads_them(project: Project) -> None:
    # Without its hasher the copy cannot tell that its build is old, which is not the matter here.
    (project.path / "src/native/source_hash.py").unlink()
    assert project.planned() == {}
    path = project.path / "src/native/chess/terms_pawns.cpp"
    path.write_text(path.read_text() + "\n// A comment.\n")
    assert project.planned() == {}
    path.write_text(path.read_text() + "\n[[maybe_unused]] static int added;\n")
    planned = project.planned()
    assert planned["evaluation_terms"] == 1
    assert planned["evaluation_choose"] == 2
    # ridge, lightgbm, rbf twice, mlp_lm and best, in two scenarios; not what sees placement alone.
    assert planned["evaluation_train"] == 12
    assert set(planned) <= {
        "evaluation_terms",
        "evaluation_choose",
        "evaluation_train",
        *AFTER_TRAINING,
    }


def test_more_bootstrap_draws_train_nothing(project: Project) -> None:
    project.edit("config/tiny.yaml", "bootstrap: 100", "bootstrap: 120")
    planned = project.planned()
    assert "evaluation_train" not in planned
    assert planned["evaluation_scores"] == 19


def test_another_target_limit_labels_again_and_ingests_nothing(project: Project) -> None:
    project.edit("config/tiny.yaml", "nodes: 2000", "nodes: 3000")
    planned = project.planned()
    assert planned["evaluation_labels"] == 2
    assert set(planned) <= {"evaluation_labels", *AFTER_LABELS}


XIANGQI_GAME = """\
[Game "Chinese Chess"]
[Red "A"]
[Black "B"]
[Result "1/2-1/2"]

1. C2=5 H8+7 2. H2+3 R9=8 1/2-1/2
"""


def test_a_new_game_of_xiangqi_reruns_nothing_of_chess(project: Project) -> None:
    (project.path / "resources/sample/xiangqi-tiny-new.pgn").write_text(XIANGQI_GAME)
    planned = project.planned()
    records = {f"records_{rule}" for rule in RECORDS}
    for rule in records:
        assert planned[rule] == 1  # of chess as many stay
    assert set(planned) == records | IMITATION | REPORT
    chess = {name: of for name, of in project.digests().items() if "/chess/" in name}
    project.snakemake("records")
    assert project.planned("records") == {}
    assert {name: of for name, of in project.digests().items() if "/chess/" in name} == chess
    (row,) = pq.read_table(
        project.path / "results/records/games/tiny-xiangqi/0.parquet",
        filters=[("first_name", "=", "A")],
        partitioning=None,
    ).to_pylist()
    assert (row["n_plies"], row["result"]) == (4, 0)


def test_editing_a_reader_of_xiangqi_reruns_nothing_of_chess(project: Project) -> None:
    path = project.path / "src/tabia/records/xiangqi/playok.py"
    path.write_text(path.read_text() + "\nADDED = 1\n")
    planned = project.planned()
    assert planned["records_games"] == 2  # two sources
    assert planned["records_positions"] == 1
    assert not [rule for rule in planned if rule.startswith("evaluation")]


def test_a_new_game_file_labels_only_its_new_positions(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    calls = project.count_engine_calls()
    project.edit("config/tiny.yaml", "positions: 160", "positions: null")
    project.edit("config/tiny.yaml", "nodes: 2000", "nodes: 200")
    project.edit("config/tiny.yaml", "scenarios: [1, 3]", "scenarios: [3]")
    whole = project.path / "resources/sample/tiny.pgn.zst"
    games = zstandard.ZstdDecompressor().decompressobj().decompress(whole.read_bytes()).decode()
    parts = games.split("[Event ")[1:]
    assert len(parts) == 24
    whole.unlink()
    first = project.path / "resources/sample/tiny-1.pgn"
    first.write_text("".join("[Event " + part for part in parts[:3]))
    project.snakemake("results/evaluation/dataset.parquet")
    before, rows = calls(), positions(project)
    assert before == rows * 4  # three depths and the target
    (project.path / "resources/sample/tiny-2.pgn").write_text("[Event " + parts[3])
    project.snakemake("results/evaluation/dataset.parquet")
    new = positions(project) - rows
    assert new > 0
    assert calls() - before == new * 4
    project.snakemake("results/evaluation/dataset.parquet")
    assert calls() - before == new * 4


def positions(project: Project) -> int:
    return int(pq.read_metadata(project.path / "results/evaluation/sample.parquet").num_rows)
