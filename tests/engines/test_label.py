"""Labels: the same whatever came before, whoever was killed, wherever they were kept."""

from __future__ import annotations

import hashlib
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

from tabia.engines.config import Engine, Limit
from tabia.engines.errors import EngineConfigError
from tabia.engines.label import REVISION, Labelled, label_positions
from tabia.engines.store import LabelStore, export
from tabia.tables.ids import position_id
from tabia.tables.schemas import LABEL_REJECTS, LABELS

Scripted = Callable[..., Engine]
LIMITS = (Limit(depth=2), Limit(depth=4), Limit(nodes=3000))

GOLDEN = {1: "c18414f5c9000644242742698fdc2bc24f0da0ee717ecd68d4133b117b3ac2b7"}
"""SHA-256 of the labels of the test positions by Stockfish 15.1, by REVISION."""


def test_every_position_has_a_row_for_every_limit_in_order(
    scripted: Scripted, fens: tuple[str, ...], tmp_path: Path
) -> None:
    result = label_positions(fens, LIMITS, scripted(), tmp_path / "store")
    assert result.labels.schema.equals(LABELS)
    assert result.rejects.schema.equals(LABEL_REJECTS)
    rows = result.labels.to_pylist()
    assert [(row["position_id"], row["limit"]) for row in rows] == [
        (ident, limit.text) for ident in sorted(map(position_id, fens)) for limit in LIMITS
    ]
    assert all(row["position_id"] == position_id(row["fen"]) for row in rows)
    assert result.searches == len(rows)


def test_nothing_is_searched_twice(
    scripted: Scripted, fens: tuple[str, ...], tmp_path: Path
) -> None:
    engine = scripted({"log": str(tmp_path / "log")})
    first = label_positions(fens, LIMITS, engine, tmp_path / "store")
    searched = (tmp_path / "log").read_text().splitlines()
    assert len(searched) == len(set(searched)) == len(fens) * len(LIMITS)
    again = label_positions(fens, LIMITS, engine, tmp_path / "store", threads=2)
    assert (tmp_path / "log").read_text().splitlines() == searched
    assert again.searches == 0
    assert again.labels.equals(first.labels)


def test_the_store_is_read_once_before_and_once_after_the_searches(
    scripted: Scripted, fens: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reads: list[bytes] = []
    read = LabelStore.read

    def counted(store: LabelStore, first: bytes = b"", last: bytes = b"\xff" * 16) -> pa.Table:
        reads.append(first)
        return read(store, first, last)

    monkeypatch.setattr(LabelStore, "read", counted)
    label_positions(fens[:3], LIMITS, scripted({}), tmp_path / "store")
    assert len(reads) == 2


def test_new_positions_and_limits_alone_are_searched(
    scripted: Scripted, fens: tuple[str, ...], tmp_path: Path
) -> None:
    engine = scripted({"log": str(tmp_path / "log")})
    label_positions(fens[:5], LIMITS[:2], engine, tmp_path / "store")
    (tmp_path / "log").unlink()
    mixed = label_positions(fens[:6], LIMITS, engine, tmp_path / "store")
    expected = {f"{fen} {LIMITS[2].text}" for fen in fens[:6]}
    expected |= {f"{fens[5]} {limit.text}" for limit in LIMITS}
    assert set((tmp_path / "log").read_text().splitlines()) == expected
    fresh = label_positions(fens[:6], LIMITS, engine, tmp_path / "other")
    assert mixed.labels.equals(fresh.labels)


def test_a_published_store_saves_the_searches(
    scripted: Scripted, fens: tuple[str, ...], tmp_path: Path
) -> None:
    engine = scripted()
    first = label_positions(fens, LIMITS, engine, tmp_path / "store")
    export(tmp_path / "store", tmp_path / "public.parquet")
    again = label_positions(
        fens, LIMITS, engine, tmp_path / "own", stores=[tmp_path / "public.parquet"]
    )
    assert again.searches == 0
    assert again.labels.equals(first.labels)


def test_repeats_are_labelled_once(
    scripted: Scripted, fens: tuple[str, ...], tmp_path: Path
) -> None:
    result = label_positions([*fens, *fens], [LIMITS[0], LIMITS[0]], scripted(), tmp_path / "store")
    assert result.searches == result.labels.num_rows == len(fens)


def test_no_positions_give_an_empty_table(scripted: Scripted, tmp_path: Path) -> None:
    result = label_positions([], LIMITS, scripted(), tmp_path / "store", threads=2)
    assert (result.labels.num_rows, result.rejects.num_rows, result.searches) == (0, 0, 0)
    assert result.labels.schema.equals(LABELS)


def test_rejects_are_rows_and_are_tried_again_next_time(
    scripted: Scripted, fens: tuple[str, ...], tmp_path: Path
) -> None:
    board = fens[2].split()[0]
    bad = scripted({"crash_on": [board]}, tries=2)
    result = label_positions(fens, LIMITS[:2], bad, tmp_path / "store", threads=2)
    assert result.labels.num_rows == (len(fens) - 1) * 2
    rows = result.rejects.to_pylist()
    assert [(row["fen"], row["limit"], row["reason"]) for row in rows] == [
        (fens[2], "depth 2", "engine_crashed"),
        (fens[2], "depth 4", "engine_crashed"),
    ]
    assert "SIGSEGV" in rows[0]["detail"]
    mended = label_positions(fens, LIMITS[:2], scripted(), tmp_path / "store")
    assert (mended.searches, mended.rejects.num_rows) == (2, 0)


def test_a_limit_by_the_clock_longer_than_the_patience_is_an_error(
    scripted: Scripted, tmp_path: Path
) -> None:
    with pytest.raises(EngineConfigError, match="longer than movetime_ms"):
        label_positions([], [Limit(movetime_ms=3000)], scripted(timeout_s=2.0), tmp_path)


def test_a_fen_with_counters_is_an_error(scripted: Scripted, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="exactly four fields"):
        label_positions(["8/8/8/8/8/8/8/K6k w - - 0 1"], LIMITS, scripted(), tmp_path)


def test_a_killed_job_goes_on_where_it_was(scripted: Scripted, tmp_path: Path) -> None:
    squares = [
        f"{a or ''}k{7 - a or ''}/8/8/8/8/8/{b or ''}P{7 - b or ''}/7K"
        for a in range(6)
        for b in range(8)
    ]
    fens = [f"{board} w - -" for board in squares]
    limits = [Limit(depth=2), Limit(depth=4)]
    log, store = tmp_path / "log", tmp_path / "store"
    engine = scripted({"log": str(log), "delay_s": 0.03})
    code = f"""
from pathlib import Path
from tabia.engines.config import Engine, Limit
from tabia.engines.label import label_positions
engine = Engine.model_validate_json({engine.model_dump_json()!r})
limits = [Limit(depth=2), Limit(depth=4)]
label_positions({fens!r}, limits, engine, Path({str(store)!r}), threads=2)
"""
    kills = 0
    for wanted in (20, 50):
        job = subprocess.Popen([sys.executable, "-c", code], start_new_session=True)
        deadline = time.monotonic() + 60
        while not log.exists() or len(log.read_text().splitlines()) < wanted:
            assert time.monotonic() < deadline
            assert job.poll() is None
            time.sleep(0.01)
        os.killpg(job.pid, signal.SIGKILL)
        job.wait()
        kills += 1
    result = label_positions(fens, limits, engine, store, threads=2)
    searches = log.read_text().splitlines()
    assert len(set(searches)) == len(fens) * 2
    # Of each of two engines, the search that ran and the one whose answer was not written down
    # yet, for engines get their next work first; nothing else is done twice.
    assert len(searches) - len(set(searches)) <= kills * 2 * 2
    fresh = label_positions(fens, limits, scripted(), tmp_path / "fresh", threads=2)
    assert result.labels.equals(fresh.labels)


@pytest.mark.engine
def test_a_killed_job_with_real_engines_ends_with_the_same_labels(
    stockfish: str, fens: tuple[str, ...], tmp_path: Path
) -> None:
    limits = [Limit(depth=2), Limit(depth=9), Limit(nodes=20000)]
    engine = Engine(command=stockfish, hash_mb=1)
    code = f"""
from pathlib import Path
from tabia.engines.config import Engine, Limit
from tabia.engines.label import label_positions
engine = Engine.model_validate_json({engine.model_dump_json()!r})
limits = [Limit(depth=2), Limit(depth=9), Limit(nodes=20000)]
label_positions({fens!r}, limits, engine, Path({str(tmp_path / "store")!r}), threads=2)
"""
    job = subprocess.Popen([sys.executable, "-c", code])
    deadline = time.monotonic() + 60
    while not any(path.stat().st_size for path in tmp_path.glob("store/*/journals/*")):
        assert time.monotonic() < deadline
        time.sleep(0.005)
    job.kill()
    job.wait()
    total = len(fens) * len(limits)
    resumed = label_positions(fens, limits, engine, tmp_path / "store", threads=2)
    assert 0 < resumed.searches < total
    fresh = label_positions(fens, limits, engine, tmp_path / "fresh", threads=2)
    assert fresh.searches == total
    assert resumed.labels.equals(fresh.labels)


def by_key(result: Labelled) -> dict[tuple[str, str], dict[str, object]]:
    return {(row["fen"], row["limit"]): row for row in result.labels.to_pylist()}


@pytest.mark.engine
def test_real_labels_depend_on_no_order_process_or_neighbour(
    stockfish: str, fens: tuple[str, ...], tmp_path: Path
) -> None:
    engine = Engine(command=stockfish, hash_mb=1)
    whole = by_key(label_positions(fens, LIMITS, engine, tmp_path / "whole", threads=2))
    assert len(whole) == len(fens) * len(LIMITS)
    alone = {}
    for number, fen in enumerate(fens[:4]):
        result = label_positions([fen], LIMITS[::-1], engine, tmp_path / str(number))
        alone |= by_key(result)
    assert alone == {key: row for key, row in whole.items() if key[0] in fens[:4]}


@pytest.mark.engine
def test_queued_searches_give_the_labels_of_single_ones(
    stockfish: str, fens: tuple[str, ...], tmp_path: Path
) -> None:
    """The slow twin: an engine that searches this position alone, ended by itself."""
    engine = Engine(command=stockfish, hash_mb=1)
    queued = by_key(label_positions(fens, LIMITS, engine, tmp_path / "store"))
    for fen in (fens[0], fens[3]):
        for limit in LIMITS:
            with subprocess.Popen(
                [stockfish], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
            ) as process:
                assert process.stdin is not None
                assert process.stdout is not None
                process.stdin.write("setoption name Hash value 1\nsetoption name MultiPV value 2\n")
                process.stdin.write(f"position fen {fen} 0 1\ngo {limit.text}\n")
                process.stdin.flush()
                lines = []
                while not lines or not lines[-1].startswith("bestmove"):
                    lines.append(process.stdout.readline())
                process.stdin.write("quit\n")
            scored = [line for line in lines if " score " in line]
            best = [line for line in scored if " multipv 1 " in line and "bound" not in line][-1]
            row = queued[fen, limit.text]
            kind, value = best.split(" score ")[1].split()[:2]
            assert row["score_cp" if kind == "cp" else "mate"] == int(value) * (
                1 if " w " in fen else -1
            )
            assert row["move"] == best.split(" pv ")[1].split()[0]
            assert row["nodes"] == int(scored[-1].split(" nodes ")[1].split()[0])


@pytest.mark.engine
def test_real_mates_are_flagged_in_whites_view(
    stockfish: str, fens: tuple[str, ...], tmp_path: Path
) -> None:
    engine = Engine(command=stockfish, hash_mb=1)
    rows = {
        row["fen"]: row
        for row in label_positions(fens[7:], [Limit(depth=4)], engine, tmp_path).labels.to_pylist()
    }
    shown = {
        fen: (row["score_cp"], row["mate"], row["move"], row["second_move"] is None)
        for fen, row in rows.items()
    }
    assert shown[fens[7]] == (None, 1, "d1d8", False)
    assert shown[fens[8]] == (None, -1, "d8d1", False)
    assert shown[fens[10]] == (None, 0, None, True)  # checkmate
    assert shown[fens[11]] == (0, None, None, True)  # stalemate
    assert rows[fens[9]]["move"] == "h8g8"  # the only legal move: MultiPV 2 has one line
    assert rows[fens[9]]["second_move"] is None
    assert rows[fens[9]]["score_cp"] > 0 or rows[fens[9]]["mate"] > 0


@pytest.mark.engine
def test_the_net_and_its_absence_are_part_of_the_identity(
    stockfish_15_1: str, tmp_path: Path
) -> None:
    net = label_positions([], LIMITS, Engine(command=stockfish_15_1), tmp_path).engine
    classical = label_positions(
        [], LIMITS, Engine(command=stockfish_15_1, options={"Use NNUE": False}), tmp_path
    ).engine
    assert (net.name, net.version, net.net) == ("Stockfish", "15.1", "nn-ad9b42354671.nnue")
    assert net.options == {"Hash": 16, "MultiPV": 2, "Threads": 1}
    assert classical.net == ""
    assert classical.key != net.key


@pytest.mark.engine
def test_golden_labels_of_stockfish_15_1(
    stockfish_15_1: str, fens: tuple[str, ...], tmp_path: Path
) -> None:
    """If this fails, labels changed: raise REVISION in engines/label.py and pin the new digest."""
    limits = [*(Limit(depth=depth) for depth in (2, 4, 8)), Limit(nodes=20000)]
    engine = Engine(command=stockfish_15_1, hash_mb=4)
    result = label_positions(fens, limits, engine, tmp_path, threads=2)
    text = "\n".join(str(list(row.values())[1:]) for row in result.labels.to_pylist())
    assert hashlib.sha256(text.encode()).hexdigest() == GOLDEN[REVISION]
