"""What the pages show runs as it stands."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest
import yaml

from tabia.app.config import parse
from tabia.app.plan import Plan
from tests.app.test_plan import ROOT

BLOCK = "```{language}\n(.*?)^```"


def blocks(page: str, language: str) -> list[str]:
    """Return the blocks of a page that are in `language`."""
    text = (ROOT / "docs" / page).read_text(encoding="utf-8")
    found: list[str] = re.findall(BLOCK.format(language=language), text, re.M | re.S)
    return found


@pytest.mark.parametrize(
    ("page", "values"),
    [
        ("xiangqi_notation.md", [3622, [2272, 7989, 654, 8098], ["C2.5", "h8+7"]]),
        ("xiangqi_referee.md", ["perpetual_chase", 8, -1]),
        ("go.md", ["9/9/9/9/4X4/9/2O6/9/9 w - 1 0 0", None]),
    ],
)
def test_a_snippet_runs_as_pasted_and_gives_what_stands_behind_it(
    page: str, values: list[object]
) -> None:
    (text,) = blocks(page, "python")
    names: dict[str, object] = {}
    lines, given = text.splitlines(), []
    for statement in ast.parse(text).body:
        if not isinstance(statement, ast.Expr):
            exec(compile(ast.Module([statement], []), page, "exec"), names)
            continue
        given.append(eval(compile(ast.Expression(statement.value), page, "eval"), names))
        comment = lines[(statement.end_lineno or 0) - 1].split("# ", 1)[1]
        assert comment.startswith(repr(given[-1])), comment
    assert given == values


def test_the_configurations_of_the_records_page_are_complete() -> None:
    (text,) = blocks("records.md", "yaml")
    masters, playok = parse(yaml.safe_load(text)).sources
    assert (masters.game, masters.headers) == ("xiangqi", None)
    assert (playok.game, playok.headers) == ("xiangqi", "games/headers.csv")


@pytest.mark.parametrize(
    "command",
    ["match", "perft", "predict", "ingest", "convert", "referee", "score", "analyse", "speed"],
)
def test_the_readme_shows_the_command(command: str) -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert re.search(rf"^tabia {command} ", readme, re.M)


def test_the_configuration_of_the_imitation_page_for_games_of_ones_own_is_complete(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    *_, text = blocks("imitation.md", "yaml")
    (tmp_path / "games").mkdir()
    (tmp_path / "games/a.pgn").touch()
    monkeypatch.chdir(tmp_path)
    plan = Plan.of(yaml.safe_load(text))
    assert plan.chapters() == ["records", "imitation"]
    assert plan.imitation.models("xiangqi") == ["book", "lightgbm"]
    assert plan.imitation.bins("xiangqi") == ["1000-1200", "1200-1400", "1400-1600"]


def test_the_configuration_of_the_search_page_is_complete() -> None:
    text, begins_with_records = blocks("search.md", "yaml")
    plan = parse(yaml.safe_load(text))
    assert plan.search is not None
    learner = plan.search.learners["go7"]
    assert (learner.rules.game, learner.generations, learner.selfplay.shards) == ("go", 5, 2)
    assert learner.gate is not None
    other = parse(yaml.safe_load(begins_with_records))
    assert other.search is not None
    pretrain = other.search.learners["go9-kgs"].pretrain
    assert pretrain is not None
    assert pretrain.source == other.sources[0].name
