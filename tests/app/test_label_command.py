"""``tabia label`` as a person uses it."""

from __future__ import annotations

import csv
import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from tabia.app.commands.label import (
    LabelFailedError,
    LabelInputError,
    LabelUsageError,
    label,
)
from tabia.engines.errors import EngineNotFoundError
from tabia.engines.uci import find_engine

pytestmark = pytest.mark.engine
Label = Callable[..., None]

LINES = """\
# two openings and an ending
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id "Spanish";

3r2k1/5ppp/8/8/8/8/5PPP/6K1 b - -
no position at all
8/8/8/8/8/8/8/8 w - - 0 1
short w
rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 5 9
"""


@pytest.fixture
def run(tmp_path: Path) -> Label:
    try:
        find_engine("stockfish")
    except EngineNotFoundError as error:
        pytest.skip(str(error))
    (tmp_path / "fens").write_text(LINES)

    def call(**changes: Any) -> None:
        usual: dict[str, Any] = {
            "file": tmp_path / "fens",
            "depth": 4,
            "nodes": None,
            "movetime_ms": None,
            "multipv": 2,
            "engine": "stockfish",
            "options": (),
            "threads": 2,
            "hash_mb": 1,
            "store": None,
            "out": None,
            "as_json": False,
        }
        arguments = {**usual, **changes}
        label(arguments.pop("file"), **arguments)

    return call


def test_rows_come_in_the_order_of_the_lines_and_bad_lines_are_told(
    run: Label, capsys: pytest.CaptureFixture[str]
) -> None:
    run()
    out, err = capsys.readouterr()
    rows = list(csv.DictReader(io.StringIO(out)))
    assert [row["line"] for row in rows] == ["2", "3", "5", "9"]
    assert rows[0]["score_cp"] == rows[3]["score_cp"]  # counters do not count
    assert (rows[2]["mate"], rows[2]["move"], rows[2]["score_cp"]) == ("-1", "d8d1", "")
    for line in (6, 7, 8):
        assert f"line {line}: " in err
    assert "White has 0 kings" in err
    assert "4 of 7 positions labelled by Stockfish" in err


def test_json_is_one_object_with_totals(run: Label, capsys: pytest.CaptureFixture[str]) -> None:
    run(as_json=True, depth=None, nodes=1000)
    report = json.loads(capsys.readouterr().out)
    assert report["total"] == {
        "found": 7,
        "labelled": 4,
        "rejected": 3,
        "reasons": {"bad_fen": 3},
        "distinct_positions": 3,
        "searches": 3,
    }
    assert report["engine"]["name"] == "Stockfish"
    assert (report["limit"], report["repeatable"]) == ("nodes 1000", True)
    assert [reject["line"] for reject in report["rejects"]] == [6, 7, 8]
    assert len(report["labels"]) == 4


def test_a_store_saves_the_second_run(
    run: Label, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(store=tmp_path / "store", as_json=True)
    first = json.loads(capsys.readouterr().out)
    run(store=tmp_path / "store", as_json=True)
    second = json.loads(capsys.readouterr().out)
    assert (first["total"].pop("searches"), second["total"].pop("searches")) == (3, 0)
    assert first == second


def test_rows_can_go_to_a_file(run: Label, tmp_path: Path) -> None:
    run(out=tmp_path / "labels.csv")
    assert (tmp_path / "labels.csv").read_text().startswith("line,fen,limit,score_cp,")
    run(out=tmp_path / "labels.parquet")
    assert pq.read_table(tmp_path / "labels.parquet").num_rows == 3


def test_labels_by_the_clock_say_that_they_do_not_repeat(
    run: Label, capsys: pytest.CaptureFixture[str]
) -> None:
    run(depth=None, movetime_ms=20)
    assert "labels by the clock do not repeat" in capsys.readouterr().err


def test_options_reach_the_engine(run: Label, capsys: pytest.CaptureFixture[str]) -> None:
    run(options=["Use NNUE=false"], multipv=1, as_json=True)
    report = json.loads(capsys.readouterr().out)
    assert report["engine"]["options"] == {
        "Hash": 1,
        "MultiPV": 1,
        "Threads": 1,
        "Use NNUE": "false",
    }
    assert all(row["second_move"] is None for row in report["labels"])


def test_no_good_line_is_wrong_input(run: Label, tmp_path: Path) -> None:
    (tmp_path / "bad").write_text("nothing here\n")
    with pytest.raises(LabelInputError, match="no line is a chess position"):
        run(file=tmp_path / "bad")


@pytest.mark.parametrize("content", [b"\xff\xfea\0b\0", b"\x28\xb5\x2f\xfd\0\0"])
def test_what_is_no_text_is_wrong_input(run: Label, content: bytes, tmp_path: Path) -> None:
    (tmp_path / "bad").write_bytes(content)
    with pytest.raises(LabelInputError, match="not a text file"):
        run(file=tmp_path / "bad")


@pytest.mark.parametrize("name", ["", "absent"])
def test_an_unreadable_file_is_wrong_input(run: Label, name: str, tmp_path: Path) -> None:
    with pytest.raises(LabelInputError, match="cannot be read"):
        run(file=tmp_path / name)


def test_an_engine_that_fails_on_everything_is_no_success(
    run: Label, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    engine = tmp_path / "dies"
    engine.write_text(
        f"#!{sys.executable}\n"
        "import sys\n"
        "print('id name Dies 1\\noption name Hash type spin default 1 min 1 max 64')\n"
        "for line in sys.stdin:\n"
        "    if line.startswith('go'):\n"
        "        sys.exit(3)\n"
        "    print({'uci\\n': 'uciok', 'isready\\n': 'readyok'}.get(line, ''), flush=True)\n"
    )
    engine.chmod(0o755)
    with pytest.raises(LabelFailedError, match="failed on all of the 4 positions"):
        run(engine=str(engine), multipv=1, as_json=True)
    assert json.loads(capsys.readouterr().out)["total"]["reasons"]["engine_crashed"] == 4


@pytest.mark.parametrize(
    "changes",
    [
        {"depth": None},
        {"nodes": 5},
        {"options": ["Hash"]},
        {"options": ["Hash=4"]},
        {"options": ["UCI_Elo=1500"]},
        {"options": ["SyzygyPath=a\nquit"]},
        {"hash_mb": 0},
        {"depth": 101},
        {"store": Path(__file__)},
    ],
)
def test_wrong_usage_is_told(run: Label, changes: dict[str, Any]) -> None:
    with pytest.raises(LabelUsageError):
        run(**changes)
