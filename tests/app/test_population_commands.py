"""``tabia nash`` and ``tabia geometry`` as a person uses them."""

from __future__ import annotations

import csv
import json
import subprocess
import sys
from pathlib import Path

import pytest

from tabia.app.commands.geometry import FIGURES, geometry
from tabia.app.commands.nash import nash
from tabia.population.payoff_csv import PayoffFileError

ROCK_PAPER_SCISSORS = "name,rock,paper,scissors\nrock,0,-1,1\npaper,1,0,-1\nscissors,-1,1,0\n"


@pytest.fixture
def matrix(tmp_path: Path) -> Path:
    path = tmp_path / "m.csv"
    path.write_text(ROCK_PAPER_SCISSORS)
    return path


@pytest.fixture
def games(tmp_path: Path) -> Path:
    """Six players; the first three beat each other in a ring, the last two never met the first."""
    lines = ["first,second,wins,draws,losses,first_elo,second_elo"]
    elo = {"a": 1600, "b": 1590, "c": 1580, "d": 1500, "e": 1300, "f": 1200}
    for one in elo:
        for other in elo:
            if one == other or {one, other} in ({"a", "e"}, {"a", "f"}):
                continue
            won = 8 if one + other in ("ab", "bc", "ca") or elo[one] > elo[other] + 50 else 2
            lines.append(f"{one},{other},{won},2,{10 - won},{elo[one]},{elo[other]}")
    path = tmp_path / "games.csv"
    path.write_text("\n".join(lines) + "\n")
    return path


def test_nash_tells_the_equilibrium_as_json(
    matrix: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    nash(matrix, as_json=True)
    facts = json.loads(capsys.readouterr().out)
    assert facts["nash"] == pytest.approx({"rock": 1 / 3, "paper": 1 / 3, "scissors": 1 / 3})
    assert facts["exploitability"] < 1e-12
    assert facts["support"] == ["rock", "paper", "scissors"]
    assert facts["clusters"] == [["rock", "paper", "scissors"]]
    assert facts["cycles"] == 1
    assert facts["strongest_cycle"] == {
        "strategies": ["rock", "scissors", "paper"],
        "payoffs": [1, 1, 1],
    }
    assert facts["games"] is None


def test_nash_tells_people_the_same(matrix: Path, capsys: pytest.CaptureFixture[str]) -> None:
    nash(matrix)
    out = capsys.readouterr().out
    assert "  0.333333  scissors\n" in out
    assert "clusters: 1, of sizes 3\n" in out
    assert "strongest: rock > scissors > paper > rock by +1.000 +1.000 +1.000\n" in out


def test_faults_of_a_file_end_with_code_3_and_a_line_each(tmp_path: Path) -> None:
    path = tmp_path / "bad.csv"
    path.write_text("name,a,b\na,0,x\nb,y,0\n")
    with pytest.raises(PayoffFileError):
        nash(path)
    done = subprocess.run(
        [str(Path(sys.executable).with_name("tabia")), "nash", str(path)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 3
    assert f"{path}:2: column b: 'x' is no number" in done.stderr
    assert f"{path}:3: column a: 'y' is no number" in done.stderr


def test_geometry_writes_every_table_and_figure_the_same_each_time(
    games: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for place in ("one", "two"):
        geometry(games, tmp_path / place, draws=5, as_json=True)
    one, two = (
        {path.name: path.read_bytes() for path in (tmp_path / place).iterdir()}
        for place in ("one", "two")
    )
    assert one == two
    figures = {name.removeprefix("population_") for name in FIGURES}
    tables = {"figures", "strategies", "cells", "clusters", "profile", "predictions"}
    tables |= {"filled_cells", "games"}
    wanted = {f"{name}.{kind}" for name in figures for kind in ("json", "svg")}
    wanted |= {f"{name}.csv" for name in tables} | {"payoff.csv"}
    assert set(one) <= wanted
    assert wanted - set(one) <= {"profile.csv"}  # five clusters are needed
    facts = json.loads(capsys.readouterr().out.split("\n}\n")[0] + "\n}")
    assert facts["filled_cells"] == 2
    rows = {row["figure"]: row for row in facts["figures"]}
    assert rows["cycles"]["value"] == 1
    assert rows["cycles"]["low"] <= 1 <= rows["cycles"]["high"]
    assert 1 / 6 <= rows["strongest_cycle"]["p_value"] <= 1
    assert {row["model"] for row in facts["predictions"]} >= {"elo", "melo2", "disc", "ratings"}


def test_geometry_without_games_leaves_intervals_and_predictions_out(
    matrix: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    geometry(matrix, tmp_path / "out")
    assert "3 strategies, no games known" in capsys.readouterr().out
    names = {path.name for path in (tmp_path / "out").iterdir()}
    assert not names & {"predictions.csv", "games.csv", "filled_cells.csv", "profile.csv"}
    text = (tmp_path / "out" / "strategies.csv").read_text(encoding="utf-8")
    rows = list(csv.DictReader(text.splitlines()))
    assert [row["nash"][:6] for row in rows] == ["0.3333"] * 3
    assert [row["cycles"] for row in rows] == ["1.0"] * 3
    assert "no curve" in (tmp_path / "out" / "profile.json").read_text()
    heat = json.loads((tmp_path / "out" / "payoff.json").read_text())
    assert heat["title"]["subtitle"][0] == "3 strategies, games not known: no intervals"
