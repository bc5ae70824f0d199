import importlib
import subprocess
import sys

import pytest

from tabia.report import catalog


def test_reading_the_catalog_imports_the_standard_library_only() -> None:
    code = (
        "import sys; before = set(sys.modules); import tabia.report.catalog, tabia.report.glossary;"
        " new = {name.split('.')[0] for name in set(sys.modules) - before};"
        " print(sorted(new - set(sys.stdlib_module_names) - {'tabia'}))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


@pytest.mark.parametrize("name", catalog.FIGURES)
def test_every_figure_has_a_module_and_reads_known_tables(name: str) -> None:
    figure = catalog.FIGURES[name]
    assert callable(importlib.import_module(figure.module).chart)
    assert set(figure.tables) <= set(catalog.TABLES)
    assert figure.caption.endswith(".")


@pytest.mark.parametrize("name", [*catalog.FIGURES, *catalog.TABLES])
def test_every_name_starts_with_its_chapter(name: str) -> None:
    assert catalog.chapter_of(name) in catalog.CHAPTERS
