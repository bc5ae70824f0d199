from __future__ import annotations

import json
import os
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tabia.app.commands.ingest import ingest
from tabia.app.commands.one_line import columns, one_line
from tabia.app.same_files import SameFileError
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


def test_rejects_are_told_with_file_place_reason_and_detail(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ingest(files, tmp_path / "out", False, 1)
    err = capsys.readouterr().err
    told = [line for line in err.splitlines() if line.startswith("rejected")]
    rows = pq.read_table(tmp_path / "out/rejects.parquet").to_pylist()
    assert len(told) == len(rows) == 13
    for line, row in zip(told, rows, strict=True):
        place = f"{row['file']}, line {row['line']}"
        assert line == one_line(f"rejected: {place}: {row['reason']}: {row['detail']}")
    assert "are told above" not in err
    result = run(capsys, files, None, True, 1)
    assert result["rejects"] == [
        {name: value for name, value in row.items() if name != "source"} for row in rows
    ]
    assert "rejected" not in capsys.readouterr().err


def test_in_a_binary_file_a_reject_has_a_byte(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "bad.xqf").write_bytes(b"XQ\x0a" + bytes(2000))
    ingest([tmp_path / "bad.xqf"], None, False, 1)
    assert f"rejected: {tmp_path}/bad.xqf, byte 0: bad_file: " in capsys.readouterr().err


@pytest.fixture
def library(tmp_path: Path) -> Path:
    """An archive of 131 games, of which 130 are bad."""
    path = tmp_path / "library.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("0.pgn", XIANGQI)
        for number in range(1, 131):
            archive.writestr(f"{number}.pgn", XIANGQI.replace("H8+7", "H8+5"))
    return path


def test_of_many_rejects_the_first_are_told(
    library: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    ingest([library], None, False, 1)
    err = capsys.readouterr().err
    assert sum(line.startswith("rejected") for line in err.splitlines()) == 20
    assert f"rejected: {library}::1.pgn, line 1: illegal_move: " in err
    assert "the first 20 of 130 rejects are told above" in err
    result = run(capsys, [library], None, True, 1)
    assert [row["file"] for row in result["rejects"]] == [
        f"{library}::{number}.pgn" for number in range(1, 101)
    ]
    assert {row["reason"] for row in result["rejects"]} == {"illegal_move"}


def test_an_archive_of_many_files_has_one_line_unless_each_is_asked_for(
    library: Path, files: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    ingest([library], None, False, 1)
    out, err = capsys.readouterr()
    heads, line, reason = out.splitlines()
    name = f"{library} (131 files)"
    assert line.startswith(name)
    assert line.removeprefix(name).split()[:5] == ["xiangqi", "131", "1", "130", "0"]
    assert reason == "    illegal_move: 130"
    assert len(heads) == len(line)
    assert "--each" in err
    ingest([library], None, False, 1, each=True)
    out, err = capsys.readouterr()
    assert sum(line.startswith(f"{library}::") for line in out.splitlines()) == 131
    assert "--each" not in err
    assert len(run(capsys, [library], None, True, 1)["files"]) == 131
    ingest([library, files[2]], None, False, 1)
    assert f"{files[2]} " in capsys.readouterr().out


def test_a_folder_of_many_files_has_one_line_a_game(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "games").mkdir()
    names = [tmp_path / f"games/{number}.pgn" for number in range(31)]
    for name in names:
        name.write_text(XIANGQI)
    ingest(names, None, False, 1)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 2
    assert lines[1].startswith(f"{tmp_path}/games/ (31 files)  xiangqi  ")
    assert lines[1].split()[-5:-1] == ["31", "31", "0", "30"]
    ingest(names[:30], None, False, 1)
    assert len(capsys.readouterr().out.splitlines()) == 32  # heads and total


def test_the_table_is_straight_where_names_are_chinese(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    names = [tmp_path / "中局.pgn", tmp_path / "abcdefgh.pgn"]
    for name in names:
        name.write_text(XIANGQI)
    ingest(names, None, False, 1)
    lines = capsys.readouterr().out.splitlines()
    assert {columns(line[: line.index("xiangqi")]) for line in lines[1:]} == {
        columns(f"{names[1]}  ")
    }


XIANGQI = '[Game "Chinese Chess"]\n\n1. C2=5 H8+7 2. H2+3 1-0\n'


@pytest.fixture
def pipe(tmp_path: Path) -> Callable[[str, bytes], Path]:
    """Return a function that makes a pipe from which `data` can be read once."""

    def make(name: str, data: bytes) -> Path:
        os.mkfifo(tmp_path / name)
        threading.Thread(target=lambda: (tmp_path / name).write_bytes(data), daemon=True).start()
        return tmp_path / name

    return make


@pytest.mark.timeout(20)  # a pipe that is opened twice is waited for without end
@pytest.mark.parametrize("said", [True, False])
def test_a_pipe_is_read_once_whether_its_game_is_said_or_not(
    said: bool,
    pipe: Callable[[str, bytes], Path],
    corpus: bytes,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
) -> None:
    for game, data, found in (("xiangqi", XIANGQI.encode(), 1), ("chess", corpus, 126)):
        file = pipe(game, data)
        result = run(capsys, [file], tmp_path / "out", True, 1, game=game if said else None)
        assert (result["total"]["file"], result["total"]["game"]) == (str(file), game)
        assert result["total"]["found"] == found
        names = pq.read_table(tmp_path / "out/games.parquet")["file"].unique().to_pylist()
        assert names == [str(file)]


@pytest.mark.timeout(20)
def test_a_pipe_may_stand_among_files(
    pipe: Callable[[str, bytes], Path], files: list[Path], capsys: pytest.CaptureFixture[str]
) -> None:
    result = run(capsys, [files[0], pipe("x", XIANGQI.encode())], None, True, 1)
    assert [total["found"] for total in result["totals"].values()] == [126, 1]


def test_a_file_that_is_named_twice_is_refused(files: list[Path], tmp_path: Path) -> None:
    link, hard = tmp_path / "link.pgn", tmp_path / "hard.pgn"
    link.symlink_to(files[0])
    hard.hardlink_to(files[0])
    with pytest.raises(SameFileError, match=r"a\.pgn is named twice; name it once") as raised:
        ingest([files[0], files[1], files[0]], tmp_path / "out", True, 1)
    assert raised.value.exit_code == 2
    for other in (link, hard, tmp_path / "../" / tmp_path.name / "a.pgn"):
        with pytest.raises(SameFileError, match=r"a\.pgn and .* are one file; name it once"):
            ingest([files[0], other], tmp_path / "out", True, 1)
    assert not (tmp_path / "out").exists()


def test_names_that_tables_cannot_tell_apart_are_refused(corpus: bytes, tmp_path: Path) -> None:
    names = [tmp_path / os.fsdecode(byte + b".pgn") for byte in (b"\xfe", b"\xff")]
    for name in names:
        name.write_bytes(corpus)
    with pytest.raises(SameFileError, match=r"both the name .* in tables; rename one in UTF-8"):
        ingest(names, None, True, 1)


def test_every_game_of_a_table_has_an_id_of_its_own(
    files: list[Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(capsys, files, tmp_path / "out", True, 1)
    ids = pq.read_table(tmp_path / "out/games.parquet")["game_id"]
    assert len(ids.unique()) == len(ids) == 240
