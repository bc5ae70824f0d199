"""The search chapter on the real Snakefile: what a change runs again, and what it does not."""

from __future__ import annotations

from pathlib import Path

import pyarrow.parquet as pq
import pytest

from tests.workflow.conftest import Project

pytestmark = [pytest.mark.workflow, pytest.mark.timeout(1200)]

GO = Path("results/search/go")


class Learning(Project):
    """A project in which only this chapter is run."""

    def command(self, *words: str) -> list[str]:
        # The target first: options that take many words would swallow it.
        return super().command("search", *words)

    def copy(self, path: Path) -> Learning:
        return Learning(super().copy(path).path)

    def made(self) -> dict[str, int]:
        """Return when each file of games, nets and matches was made."""
        files = (self.path / GO).rglob("*.*")
        return {str(file.relative_to(self.path)): file.stat().st_mtime_ns for file in files}


@pytest.fixture
def learned(finished: Project) -> Learning:
    """The project after an undisturbed run, of which this chapter is looked at."""
    return Learning(finished.path)


@pytest.fixture
def project(learned: Learning, tmp_path: Path) -> Learning:
    """A project of the test's own in which the chapter has run."""
    return learned.copy(tmp_path / "project")


def test_the_chapter_leaves_tables_nets_and_matches(learned: Learning) -> None:
    tables = sorted((learned.path / "results/tables").glob("search_*.parquet"))
    assert [table.stem.removeprefix("search_") for table in tables] == [
        "generations",
        "matches",
        "selfplay",
        "times",
    ]
    assert all(pq.read_metadata(table).num_rows for table in tables)
    folders = sorted(file.parent for file in (learned.path / GO).rglob("weights.safetensors"))
    assert [str(f.relative_to(learned.path / GO)) for f in folders] == [
        "best/1",
        "nets/0",
        "nets/1",
    ]
    assert learned.planned() == {}


def test_one_generation_more_repeats_nothing(project: Learning) -> None:
    before = project.made()
    project.edit("config/tiny.yaml", "generations: 1", "generations: 2")
    planned = project.planned()
    # Matches of generation 2 with 1, with 0 and with the rival.
    assert planned == {
        "search_selfplay": 1,
        "search_train": 1,
        "search_gate": 1,
        "search_ladder": 3,
        "search_summary": 1,
        "search": 1,
    }
    project.snakemake()
    after = project.made()
    assert {name: after[name] for name in before} == before
    assert len(after) > len(before)
    assert project.planned() == {}


def test_another_learning_rate_replays_no_game_of_the_first_generation(project: Learning) -> None:
    project.edit(
        "config/tiny.yaml", "passes: 1, batch: 16", "passes: 1, batch: 16, learning_rate: 0.01"
    )
    assert project.planned() == {
        "search_train": 1,
        "search_gate": 1,
        "search_ladder": 2,
        "search_summary": 1,
        "search": 1,
    }


def test_more_bootstrap_draws_play_nothing(project: Learning) -> None:
    project.edit(
        "config/tiny.yaml",
        "rivals: [random]}\n  bootstrap: 100",
        "rivals: [random]}\n  bootstrap: 120",
    )
    assert project.planned() == {"search_summary": 1, "search": 1}
