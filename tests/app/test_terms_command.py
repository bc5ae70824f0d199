"""``tabia terms`` as a person uses it."""

from __future__ import annotations

import csv
import io
import json
import os
import subprocess
import sys
from contextlib import nullcontext
from pathlib import Path

import pytest

from tabia._native.chess_terms import COLUMNS
from tabia.app.cli import main
from tabia.app.commands.terms import TermsInputError, TermsUsageError, terms

GOLDEN = Path(__file__).resolve().parents[1] / "golden" / "chess_terms.json"
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
BISHOP = "4k3/8/8/8/2P5/5B2/8/4K3 w - -"


PROGRAM = [sys.executable, "-c", "from tabia.app.cli import main; main()", "terms"]


@pytest.fixture
def fens(tmp_path: Path) -> Path:
    path = tmp_path / "fens"
    path.write_text(f'\ufeff# two positions\n\n{START}\r\n  {BISHOP}\n{BISHOP} bm Bc6; id "x";')
    return path


def test_csv_has_the_fen_and_194_columns(fens: Path, capsys: pytest.CaptureFixture[str]) -> None:
    terms(fens, as_csv=True, output=None)
    text = capsys.readouterr().out
    rows = list(csv.DictReader(io.StringIO(text)))
    assert tuple(rows[0]) == ("fen", *COLUMNS)
    assert [row["fen"] for row in rows] == [START, BISHOP, BISHOP]
    assert rows[0]["white_piece_value_mg"] == "9355"
    assert rows[1]["white_outpost_total"] == "0.5"
    assert '"' not in text
    assert text.count("\n") == 4


def test_csv_of_the_golden_positions_is_exact(tmp_path: Path) -> None:
    golden = json.loads(GOLDEN.read_text())
    (tmp_path / "fens").write_text("\n".join(row["fen"] for row in golden["positions"]))
    terms(tmp_path / "fens", as_csv=True, output=tmp_path / "out" / "terms.csv")
    with (tmp_path / "out" / "terms.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 420
    for row, expected in zip(rows, golden["positions"], strict=True):
        for side in ("white", "black"):
            found = [float(row[f"{side}_{term}"]) for term in golden["terms"]]
            assert found == expected[side], row["fen"]


def test_long_files_are_written_in_parts(
    fens: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    terms(fens, as_csv=True, output=None)
    whole = capsys.readouterr().out
    monkeypatch.setattr("tabia.app.commands.terms._ROWS", 2)
    terms(fens, as_csv=True, output=None)
    assert capsys.readouterr().out == whole


def test_people_get_a_table_by_groups(fens: Path, capsys: pytest.CaptureFixture[str]) -> None:
    terms(fens, as_csv=False, output=None)
    out = capsys.readouterr().out
    assert out.count("Passed pawns\n") == 3
    assert "  outpost_total              0.5       0  outposts: knight 2, bishop 1;" in out
    assert "  piece_value_mg            9355    9355  middlegame value" in out


def test_every_bad_line_is_told_and_nothing_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad, out = tmp_path / "fens", tmp_path / "out.csv"
    out.write_text("before")
    bad.write_text(f"{START}\n8/8/8/8/8/8/8/8 w - - 0 1\n\nnonsense\n{START} 5\n")
    with pytest.raises(TermsInputError, match=f"{bad}: 3 of 4 positions cannot be read"):
        terms(bad, as_csv=True, output=out)
    told = capsys.readouterr()
    assert told.out == ""
    lines = told.err.splitlines()
    assert len(lines) == 3
    assert lines[0].startswith(f"{bad}, line 2: FEN '8/8/8/8/8/8/8/8 w - - 0 1': board field")
    assert lines[1] == f"{bad}, line 4: FEN 'nonsense': a FEN has at least 4 fields, this has 1"
    assert lines[2].startswith(f"{bad}, line 5: FEN '{START} 5': FEN has 7 fields")
    assert out.read_text() == "before"


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (None, "cannot be read: No such file"),
        (b"# nothing\n\n", "no line with a position"),
        (b"PK\0\0", "not a text file"),
    ],
)
def test_files_without_positions_are_wrong_input(
    tmp_path: Path, content: bytes | None, message: str
) -> None:
    if content is not None:
        (tmp_path / "fens").write_bytes(content)
    with pytest.raises(TermsInputError, match=message):
        terms(tmp_path / "fens", as_csv=True, output=None)


def test_what_can_be_read_only_once_is_checked_before_anything_is_printed_as_well(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("tabia.app.commands.terms._ROWS", 2)
    for text, lines in ((f"{START}\n" * 5, 6), (f"{START}\n" * 4 + "nonsense", 0)):
        end, start = os.pipe()
        try:
            os.write(start, text.encode())
            os.close(start)
            with nullcontext() if lines else pytest.raises(TermsInputError, match="1 of 5"):
                terms(Path(f"/dev/fd/{end}"), as_csv=True, output=None)
        finally:
            os.close(end)
        assert capsys.readouterr().out.count("\n") == lines


def test_the_command_reads_standard_input_and_leaves_with_3_on_bad_data(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for text, code in ((f"{START}\n", 0), ("nonsense\n", 3)):
        monkeypatch.setattr(sys, "argv", ["tabia", "terms", "-", "--csv"])
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(text.encode())))
        with pytest.raises(SystemExit) as end:
            main()
        assert (end.value.code or 0) == code
    told = capsys.readouterr()
    assert told.out.count("\n") == 2
    assert "standard input, line 1: FEN 'nonsense'" in told.err


@pytest.mark.parametrize("kind", ["same", "link", "hard link", "dotted"])
def test_the_input_is_not_replaced_by_the_output(tmp_path: Path, kind: str) -> None:
    file, output = tmp_path / "fens", tmp_path / "other"
    file.write_text(f"{START}\n")
    if kind == "link":
        output.symlink_to(file)
    elif kind == "hard link":
        output.hardlink_to(file)
    else:
        output = file if kind == "same" else tmp_path / ".." / tmp_path.name / "fens"
    with pytest.raises(TermsUsageError, match=f"--output {output} is the file that is read"):
        terms(file, as_csv=True, output=output)
    assert file.read_text() == f"{START}\n"


def test_standard_input_from_a_file_is_not_replaced_by_the_output(tmp_path: Path) -> None:
    file = tmp_path / "fens"
    file.write_text(f"{START}\n")
    with file.open() as source:
        done = subprocess.run(
            [*PROGRAM, "-", "--csv", "--output", file],
            stdin=source,
            capture_output=True,
            text=True,
            check=False,
        )
    assert (done.returncode, file.read_text()) == (2, f"{START}\n")
    assert "is the file that is read" in done.stderr


@pytest.mark.parametrize(
    ("words", "closed", "code", "told"),
    [
        (["FILE"], ">&-", 2, "tabia: standard output is closed; "),
        (["FILE", "--output", "OUT"], ">&-", 0, ""),
        (["-"], "<&-", 3, "tabia: standard input is closed; "),
        (["BAD"], "2>&-", 3, ""),
    ],
)
def test_closed_streams_end_with_a_message(
    tmp_path: Path, words: list[str], closed: str, code: int, told: str
) -> None:
    (tmp_path / "FILE").write_text(f"{START}\n")
    (tmp_path / "BAD").write_text("bad\n")
    done = subprocess.run(
        ["sh", "-c", f'exec "$@" {closed}', "sh", *PROGRAM, *words],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith(told)
    assert done.stderr.count("\n") == bool(told)
    assert (tmp_path / "OUT").exists() == ("OUT" in words)


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r", "\u2028", "\x85"])
def test_lines_end_however_they_are_ended(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], end: str
) -> None:
    (tmp_path / "fens").write_bytes(end.join(["# a comment", START, "", BISHOP]).encode())
    terms(tmp_path / "fens", as_csv=True, output=None)
    rows = list(csv.DictReader(io.StringIO(capsys.readouterr().out)))
    assert [row["fen"] for row in rows] == [START, BISHOP]


@pytest.mark.parametrize(
    "rest", ["4k3/8/8/8/8/8/8/4K2R w K - 0 1", "0 1 moves e2e3", "-5 0", "junk", "-5 0;", "bm Bc6"]
)
def test_what_follows_a_fen_and_is_neither_counter_nor_operation_is_refused(
    tmp_path: Path, rest: str
) -> None:
    (tmp_path / "fens").write_text(f"{BISHOP} {rest}\n")
    with pytest.raises(TermsInputError, match="1 of 1 positions cannot be read"):
        terms(tmp_path / "fens", as_csv=True, output=None)


def test_messages_repeat_no_more_than_200_characters(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "fens").write_text(f"{'x' * 5000}\n{START} {'x' * 5000}\n")
    with pytest.raises(TermsInputError, match="2 of 2"):
        terms(tmp_path / "fens", as_csv=True, output=None)
    first, second = capsys.readouterr().err.splitlines()
    # The FEN, and the field of it that is one too many.
    assert max(len(first), len(second)) < 2 * 200 + 100 + len(str(tmp_path))
    with pytest.raises(TermsInputError, match="File name too long") as error:
        terms(tmp_path / ("x" * 5000), as_csv=True, output=None)
    assert len(str(error.value)) < 400


def test_castling_rights_that_cannot_be_are_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path, rook = tmp_path / "fens", "4k3/8/8/8/8/8/8/4K2R"
    path.write_text(f"{START}\n{rook} w K -\n{rook} w KQkq -\n{rook} b q -\n")
    terms(path, as_csv=True, output=None)
    assert capsys.readouterr().err == (
        f"{path}: castling rights of 2 positions ignored, first Qkq in line 3: king and rook do"
        " not stand for them\n"
    )
