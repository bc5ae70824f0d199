"""The imitation chapter on the real Snakefile: what a change runs again, and what it does not."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tabia.imitation.models.modules import MODELS
from tests.workflow.conftest import Project
from tests.workflow.killing import arm, run_to_a_kill
from tests.workflow.test_reruns import XIANGQI_GAME

pytestmark = [pytest.mark.workflow, pytest.mark.timeout(1200)]

REPORTED = {"imitation", "imitation_summary", "report_wide"}
AFTER_SCORES = {"imitation_scores", *REPORTED}
SEARCH = "results/imitation/xiangqi/search/xqsv/1200-2100"


class Imitating(Project):
    """A project in which only this chapter is run, or part of it."""

    target = "imitation"

    def command(self, *words: str) -> list[str]:
        # The target first: options that take many words would swallow it.
        return super().command(self.target, *words)

    def copy(self, path: Path) -> Imitating:
        return Imitating(super().copy(path).path)

    def trained(self) -> dict[str, int]:
        """Return when each training of the searches was put into the store."""
        store = self.path / "results/state/imitation/trained"
        return {file.name: file.stat().st_mtime_ns for file in store.rglob("*.json")}

    def structures(self) -> set[str]:
        """Return the structures of all candidates that there are tables of."""
        files = (self.path / SEARCH).glob("*/*.parquet")
        rows = (row for file in files for row in pq.read_table(file, partitioning=None).to_pylist())
        return {json.dumps(json.loads(row["structure"]), sort_keys=True) for row in rows}


@pytest.fixture
def imitated(finished: Project) -> Imitating:
    """The project after an undisturbed run, of which this chapter is looked at."""
    return Imitating(finished.path)


@pytest.fixture
def project(imitated: Imitating, tmp_path: Path) -> Imitating:
    """A project of the test's own in which the chapter has run."""
    return imitated.copy(tmp_path / "project")


def test_the_chapter_leaves_tables_scores_and_models(imitated: Imitating) -> None:
    results = imitated.path / "results"
    tables = sorted((results / "tables").glob("imitation_*.parquet"))
    assert len(tables) == 8
    assert all(pq.read_metadata(table).num_rows for table in tables)
    models = ("book", "book_all", "xqsv", "lightgbm", "one_net", "ensemble")
    scores = [file.stem for file in (results / "imitation/xiangqi/scores").iterdir()]
    assert sorted(scores) == sorted(models)
    for model in models:
        bin_ = "1200-2100" if MODELS[model].by_bin else "all"
        final = results / f"imitation/xiangqi/models/{model}/{bin_}/final"
        card = json.loads((final / "config.json").read_text(encoding="utf-8"))
        assert (card["model"], card["fold"], card["test"]) == (model, "final", None)
    card = json.loads(
        (results / "imitation/xiangqi/models/one_net/all/0/config.json").read_text(encoding="utf-8")
    )
    assert card["chosen"]["began_with"] == "unrated games"
    assert imitated.planned() == {}


def test_each_structure_of_a_search_is_trained_once(imitated: Imitating) -> None:
    # The winner of a phase comes back in the next.
    assert len(list((imitated.path / SEARCH).glob("*/*.parquet"))) == 6
    assert len(imitated.trained()) == len(imitated.structures()) == 2


def test_another_file_of_rated_games_leaves_unrated_ones_alone(project: Imitating) -> None:
    (project.path / "resources/sample/xiangqi-tiny-new.pgn").write_text(XIANGQI_GAME)
    planned = project.planned()
    assert planned["records_games"] == planned["imitation_samples"] == 1
    assert planned["imitation_train"] == 12
    assert planned["imitation_candidate"] == 6


def test_another_value_in_the_grid_trains_the_new_candidate_alone(project: Imitating) -> None:
    before, structures = project.trained(), project.structures()
    project.edit("config/tiny.yaml", "memory: [1, 2]", "memory: [1, 2, 3]")
    planned = project.planned()
    # One of the first phase, and those of the others, which build on its winner.
    assert planned["imitation_candidate"] == 1 + 4
    assert planned["imitation_phase"] == 5
    assert planned["imitation_train"] == 2
    assert planned["imitation_final"] == planned["imitation_scores"] == 1
    assert set(planned) == {
        "imitation_candidate",
        "imitation_phase",
        "imitation_train",
        "imitation_final",
        *AFTER_SCORES,
    }
    project.snakemake()
    after = project.trained()
    assert {name: after[name] for name in before} == before
    assert len(after) - len(before) == len(project.structures() - structures)
    assert project.planned() == {}


def test_another_bin_runs_its_own_jobs_and_measures_again(project: Imitating) -> None:
    project.edit("config/tiny.yaml", "high: 2100, width: 900", "high: 3000, width: 900")
    planned = project.planned()
    assert planned.pop("imitation_candidate") == 6
    assert planned.pop("imitation_phase") == 5
    assert planned.pop("imitation_train") == 2 * 2  # book and xqsv
    assert planned.pop("imitation_final") == 2
    assert planned.pop("imitation_scores") == 6
    assert planned.pop("imitation_ceiling") == 1
    assert set(planned) == REPORTED


def test_editing_a_model_reruns_it_and_what_is_put_together_from_it(project: Imitating) -> None:
    path = project.path / "src/tabia/imitation/models/lightgbm.py"
    path.write_text(path.read_text() + "\nADDED = 1\n")
    planned = project.planned()
    assert planned["imitation_train"] == 2 * 2  # and the ensemble
    assert planned["imitation_final"] == planned["imitation_scores"] == 2
    assert set(planned) == {"imitation_train", "imitation_final", *AFTER_SCORES}


def test_more_bootstrap_draws_train_nothing(project: Imitating) -> None:
    project.edit("config/tiny.yaml", "bootstrap: 100", "bootstrap: 120")
    assert set(project.planned()) == AFTER_SCORES


def test_a_killed_search_goes_on_and_repeats_nothing(
    fresh: Project, imitated: Imitating, tmp_path: Path
) -> None:
    project = Imitating(fresh.copy(tmp_path / "project").path)
    project.target = f"{SEARCH}/2.parquet"
    arm(project)
    assert run_to_a_kill(project, whole=["imitation_phase"], struck=tmp_path / "struck")
    tables = sorted((project.path / SEARCH).glob("1/*.parquet"))
    made = {table: table.stat().st_mtime_ns for table in tables}
    trained = project.trained()
    assert len(tables) == len(trained) == 2
    assert not (project.path / SEARCH / "1.parquet").exists()
    project.snakemake()
    assert {table: table.stat().st_mtime_ns for table in tables} == made
    assert project.trained() == trained  # the second phase tries the winner of the first
    # Without its tables the search finds its trainings in the store.
    shutil.rmtree(project.path / SEARCH)
    project.snakemake()
    assert project.trained() == trained
    whole = imitated.digests()
    search = {name: of for name, of in project.digests().items() if "/search/" in name}
    assert len(search) == 5
    assert search == {name: whole[name] for name in search}


def test_the_configuration_of_playok_dry_runs(fresh: Project, tmp_path: Path) -> None:
    project = fresh.copy(tmp_path / "project")
    folder = project.path / "games/xiangqi"
    folder.mkdir(parents=True)
    for name in (
        "playok_moves.csv.zst",
        "playok_gameinfo.csv.zst",
        "ccpd_raw_big5_pgn.tar.zst",
        "Hu_Ronghua_1391_UCI_games.zip",
    ):
        (folder / name).touch()
    done = subprocess.run(
        ["snakemake", "imitation", "-n", "--configfile", "config/playok.yaml"],
        cwd=project.path,
        env=project.environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
