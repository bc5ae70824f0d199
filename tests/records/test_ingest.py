from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tabia.app.commands.ingest import ingest
from tabia.records.opening import GameFileError


@pytest.fixture
def files(corpus: bytes, tmp_path: Path) -> list[Path]:
    (tmp_path / "a.pgn").write_bytes(corpus)
    (tmp_path / "b.pgn").write_bytes(corpus)
    (tmp_path / "c.html").write_bytes(b"<html></html>")
    return [tmp_path / name for name in ("a.pgn", "b.pgn", "c.html")]


def run(capsys: pytest.CaptureFixture[str], *args: Any, **options: Any) -> dict[str, Any]:
    assert ingest(*args, **options) == 0
    return dict(json.loads(capsys.readouterr().out))


@pytest.mark.parametrize("workers", [1, 3])
def test_json_has_files_and_total(
    files: list[Path], workers: int, capsys: pytest.CaptureFixture[str]
) -> None:
    result = run(capsys, files, None, True, workers)
    assert [report["found"] for report in result["files"]] == [126, 126, 1]
    total = result["total"]
    assert (total["found"], total["accepted"], total["rejected"]) == (253, 240, 13)
    assert sum(total["reasons"].values()) == 13
    assert total["reasons"]["not_pgn"] == 1
    # Games without moves are nobody's copies.
    first, again, page = (report["repeated"] for report in result["files"])
    assert (first, again, page) == (0, 119, 0)
    assert total["repeated"] == first + again
    assert {report["game"] for report in result["files"]} == {"chess"}
    assert result["totals"] == {"chess": total}
    assert total["games_per_second"] > 0


def test_the_table_names_files_fates_and_reasons(
    files: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    ingest(files, None, False, 1)
    out, err = capsys.readouterr()
    assert "illegal_move: 2" in out
    assert out.splitlines()[0].split() == [
        "file",
        "game",
        "found",
        "accepted",
        "rejected",
        "repeated",
        "games/s",
    ]
    assert "total" in out
    assert "--out DIR" in err
    assert "ingest:" in err


def test_out_writes_games_and_rejects(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, files, tmp_path / "out", True, 2, played_by="engines")
    games = pq.read_table(tmp_path / "out/games.parquet")
    rejects = pq.read_table(tmp_path / "out/rejects.parquet")
    assert (games.num_rows, rejects.num_rows) == (240, 13)
    assert games["played_by"].unique().to_pylist() == ["engines"]


def test_a_missing_file_stops_before_anything_is_read(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(GameFileError, match=r"none\.pgn: cannot be read: No such file"):
        ingest([*files, tmp_path / "none.pgn"], tmp_path / "out", False, 1)
    assert not (tmp_path / "out").exists()
    assert capsys.readouterr().out == ""


def test_a_folder_is_no_game_file(tmp_path: Path) -> None:
    with pytest.raises(GameFileError, match="is a folder; name its files"):
        ingest([tmp_path], None, False, 1)


@pytest.mark.parametrize("name", ["games.parquet", "rejects.parquet"])
def test_no_table_is_written_over_an_input(files: list[Path], tmp_path: Path, name: str) -> None:
    data = files[0].read_bytes()
    files[0].rename(tmp_path / name)
    with pytest.raises(GameFileError, match="write over it"):
        ingest([tmp_path / name], tmp_path, True, 1)
    assert (tmp_path / name).read_bytes() == data
