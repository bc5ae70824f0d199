from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from tabia.app import marks

ROOT = Path(__file__).parents[2]


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A copy of the sources that marks read; edits there leave the real ones alone."""
    shutil.copytree(
        ROOT / "src", tmp_path / "src", ignore=shutil.ignore_patterns("__pycache__", "*.so")
    )
    monkeypatch.setattr(marks, "_PACKAGE", tmp_path / "src/tabia")
    monkeypatch.setattr(marks, "_NATIVE", tmp_path / "src/native")
    clear()
    yield tmp_path / "src"
    clear()


def clear() -> None:
    for function in (
        *(marks.mark, marks.closure, marks._file),
        *(marks._tree, marks._imports, marks._content),
    ):
        function.cache_clear()


def edit(path: Path, old: str, new: str) -> None:
    text = path.read_text()
    assert old in text
    path.write_text(text.replace(old, new, 1))
    clear()


def all_marks() -> dict[str, str]:
    return {
        name: marks.mark(name)
        for name in (
            "tabia.records.games",
            "tabia.records.chess_files",
            "tabia.records.xiangqi_files",
            "tabia.records.positions",
            "tabia.records.occurrences",
            "tabia.records.chess_boards",
            "tabia.evaluation.train",
            "tabia.evaluation.models.ridge",
            "tabia.evaluation.models.mean",
            "tabia.evaluation.scores",
        )
    }


def changed(before: dict[str, str]) -> set[str]:
    return {name for name, value in all_marks().items() if value != before[name]}


def test_comments_docstrings_and_layout_do_not_count(package: Path) -> None:
    before = all_marks()
    path = package / "tabia/evaluation/models/ridge.py"
    text = path.read_text()
    path.write_text("# a comment\n" + text.replace('"""', '"""Reworded. ', 1) + "\n\n\n# end\n")
    clear()
    assert changed(before) == set()


def test_editing_a_model_changes_its_mark_alone(package: Path) -> None:
    before = all_marks()
    path = package / "tabia/evaluation/models/ridge.py"
    path.write_text(path.read_text() + "\nADDED = 1\n")
    clear()
    assert changed(before) == {"tabia.evaluation.models.ridge"}


def test_editing_the_intervals_trains_nothing(package: Path) -> None:
    before = all_marks()
    path = package / "tabia/learning/bootstrap.py"
    path.write_text(path.read_text() + "\nADDED = 1\n")
    clear()
    assert changed(before) == {"tabia.evaluation.scores"}


@pytest.mark.parametrize("stage", ["scores", "summary", "dataset"])
def test_what_only_reads_tables_does_not_depend_on_the_native_core(stage: str) -> None:
    imported = marks.closure(f"tabia.evaluation.{stage}")
    assert not [name for name in imported if name.startswith("tabia._native")]


def test_editing_the_pgn_parser_changes_what_reads_pgn(package: Path) -> None:
    before = all_marks()
    path = package / "native/chess/pgn.cpp"
    path.write_text(path.read_text() + "\nstatic const int added = 1;\n")
    clear()
    assert changed(before) == {"tabia.records.chess_files"}


def test_a_native_comment_does_not_count(package: Path) -> None:
    before = all_marks()
    path = package / "native/chess/pgn.cpp"
    path.write_text("// note\n/* longer\n note */\n" + path.read_text())
    clear()
    assert changed(before) == set()


def test_strings_that_look_like_comments_are_code() -> None:
    assert marks._without_comments('x = "// no"; // yes', python=False) == 'x = "// no";'
    assert marks._without_comments("x = '# no'  # yes\n", python=True) == "x = '# no'"


def test_config_modules_do_not_count(package: Path) -> None:
    before = all_marks()
    path = package / "tabia/evaluation/config.py"
    path.write_text(path.read_text() + "\nADDED = 1\n")
    clear()
    assert changed(before) == set()


def test_a_dear_stage_is_marked_by_its_revision(package: Path) -> None:
    assert marks.revision("tabia.engines.label") == "revision 1"
    assert marks.revision("tabia.records.fetch") == "revision 1"
    with pytest.raises(marks.MarkError, match="declares no integer REVISION"):
        marks.revision("tabia.records.games")


def test_relative_imports_are_refused(package: Path) -> None:
    path = package / "tabia/evaluation/models/mean.py"
    path.write_text("from . import ridge\n" + path.read_text())
    clear()
    with pytest.raises(marks.MarkError, match="relative import"):
        marks.mark("tabia.evaluation.models.mean")
