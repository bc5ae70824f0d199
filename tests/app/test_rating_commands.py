"""`tabia rate` and `tabia payoff` on small files of their own."""

from __future__ import annotations

import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from tabia.app.cli import app
from tabia.population import payoff_csv


def run(*words: str | Path) -> str:
    result = CliRunner().invoke(app, [str(word) for word in words])
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.stdout if result.exit_code == 0 else result.output


def pgn(first: str, second: str, result: str, number: str, elos: tuple[int, int]) -> str:
    return (
        f'[Event "test"]\n[Round "{number}"]\n[White "{first}"]\n[Black "{second}"]\n'
        f'[WhiteElo "{elos[0]}"]\n[BlackElo "{elos[1]}"]\n[Result "{result}"]\n\n'
        f"1. e4 e5 {result}\n\n"
    )


@pytest.fixture
def match(tmp_path: Path) -> Path:
    """a wins 3 of 4 pairs by 1.5 and halves one: 5.5 of 8 points."""
    games = ""
    for pair in range(1, 5):
        games += pgn("a", "b", "1-0", f"{pair}.1", (1500, 1400))
        games += pgn("b", "a", "1-0" if pair == 4 else "1/2-1/2", f"{pair}.2", (1400, 1500))
    path = tmp_path / "match.pgn"
    path.write_text(games)
    return path


def test_a_match_is_rated_by_pairs(match: Path) -> None:
    facts = json.loads(run("rate", match, "--json", "--prior", "0", "--no-advantage",
                           "--anchor", "b=1000", "--sprt", "0:20", "--draws", "100"))  # fmt: skip
    one, other = facts["players"]
    assert (one["player"], one["won"], one["drawn"], one["lost"]) == ("a", 4, 3, 1)
    assert one["elo"] == pytest.approx(1000 + 136.97, abs=0.01)  # 400 log10(5.5 / 2.5)
    assert (other["elo"], other["anchor"]) == (1000, True)
    assert "by pair of games" in facts["method"]
    assert facts["sprt"]["player"] == "a"
    assert 0 < facts["sprt"]["llr"] < facts["sprt"]["upper"]
    shown = run("rate", match, "--draws", "100")
    assert "68.8%" in shown
    assert "first move (White)" in shown


def test_ratings_are_written_as_csv(match: Path, tmp_path: Path) -> None:
    out = tmp_path / "ratings.csv"
    run("rate", match, "--out", out, "--draws", "100")
    lines = out.read_text().splitlines()
    assert lines[0] == "group,player,elo,low,high,games,won,drawn,lost,anchor"
    assert lines[1].startswith("1,a,")


def test_a_payoff_matrix_is_written_as_the_geometry_commands_read_it(
    match: Path, tmp_path: Path
) -> None:
    out = tmp_path / "payoff.csv"
    facts = json.loads(run("payoff", match, "--bins", "1300-1500:100", "--out", out, "--json"))
    # In the view of b: first 3 drawn and 1 won, 1/4; second all lost, -1. M = -3/8.
    assert facts["payoff"] == [[0, -0.375], [0.375, 0]]
    assert (facts["cells_of_games"], facts["games_between"]) == (1, 8)
    matrix = payoff_csv.read(out)
    assert matrix.names == ("(1300,1400]", "(1400,1500]")
    assert matrix.payoff.tolist() == facts["payoff"]
    run("payoff", match, "--bins", "1300-1500:100", "--out", out, "--as", "matrix")
    assert payoff_csv.read(out).payoff.tolist() == facts["payoff"]


def test_games_tables_are_read_too(match: Path, tmp_path: Path) -> None:
    run("ingest", match, "--out", tmp_path / "in")
    table = tmp_path / "in" / "games.parquet"
    facts = json.loads(run("payoff", table, "--bins", "1300-1500:100", "--json"))
    assert facts["games"] == 8
    pq.write_table(pa.table({"first_elo": [1], "result": [1]}), tmp_path / "bad.parquet")
    with pytest.raises(ValueError, match="no column second_elo"):
        run("payoff", tmp_path / "bad.parquet", "--bins", "1300-1500:100")


@pytest.mark.parametrize("bins", ["1000", "1000-2000", "2000-1000:100", "1000-2000:300", "a-b:c"])
def test_wrong_bins_are_refused(match: Path, bins: str) -> None:
    assert "--bins" in run("payoff", match, "--bins", bins)
