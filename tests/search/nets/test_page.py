from __future__ import annotations

import re
from pathlib import Path

PAGE = Path(__file__).parents[3] / "docs/search_nets.md"


def test_the_pages_snippet_runs_as_it_stands(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (text,) = re.findall(r"```python\n(.*?)^```", PAGE.read_text(encoding="utf-8"), re.M | re.S)
    names: dict[str, object] = {}
    exec(compile(text, str(PAGE), "exec"), names)
    trees = names["trees"]
    assert trees.root(0).visits.sum() == trees.settings.budget.simulations == 128
